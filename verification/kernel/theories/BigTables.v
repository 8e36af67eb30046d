(** The tables of Normal.v computed by machine words: the same functions on numbers of Bignums, whose values
    are those of the functions on Z. *)
From Coq Require Import ZArith List Lia.
From Bignums Require Import BigZ.
From Plaudit Require Import Lattice Words Normal.
Import ListNotations.
Open Scope Z_scope.

(** ** Pairs *)

Definition big_pair := (BigZ.t * BigZ.t)%type.
Definition pair_value (b : big_pair) : Z * Z := (BigZ.to_Z (fst b), BigZ.to_Z (snd b)).
Definition big_of (b : Z * Z) : big_pair := (BigZ.of_Z (fst b), BigZ.of_Z (snd b)).
Definition no_pair : big_pair := (BigZ.zero, BigZ.zero).

Lemma big_of_value b : pair_value (big_of b) = b.
Proof. destruct b. unfold pair_value, big_of. cbn [fst snd]. now rewrite !BigZ.spec_of_Z. Qed.
Lemma big_of_values l : map BigZ.to_Z (map BigZ.of_Z l) = l.
Proof. rewrite map_map, (map_ext _ _ BigZ.spec_of_Z). apply map_id. Qed.
Lemma no_pair_value : pair_value no_pair = (0, 0).
Proof. reflexivity. Qed.

Definition big_down (T x : BigZ.t) : BigZ.t := BigZ.shiftr x T.
Definition big_up (T x : BigZ.t) : BigZ.t := BigZ.opp (BigZ.shiftr (BigZ.opp x) T).
Definition big_product (T : BigZ.t) (a b : big_pair) : big_pair :=
  (big_down T (BigZ.mul (fst a) (fst b)), big_up T (BigZ.mul (snd a) (snd b))).

Lemma big_down_value T x : BigZ.to_Z (big_down T x) = down (BigZ.to_Z T) (BigZ.to_Z x).
Proof. apply BigZ.spec_shiftr. Qed.
Lemma big_up_value T x : BigZ.to_Z (big_up T x) = up (BigZ.to_Z T) (BigZ.to_Z x).
Proof. unfold big_up, up. now rewrite BigZ.spec_opp, BigZ.spec_shiftr, BigZ.spec_opp. Qed.
Lemma big_product_value T a b :
  pair_value (big_product T a b) = product_of (BigZ.to_Z T) (pair_value a) (pair_value b).
Proof.
  unfold pair_value, big_product, product_of. cbn [fst snd].
  now rewrite big_down_value, big_up_value, !BigZ.spec_mul.
Qed.

(** ** Sequences *)

Fixpoint big_geometric (T : BigZ.t) (n : nat) (v step : big_pair) : list big_pair :=
  match n with O => nil | S n => v :: big_geometric T n (big_product T v step) step end.
Lemma big_geometric_value T step n : forall v,
  map pair_value (big_geometric T n v step) = geometric (BigZ.to_Z T) n (pair_value v) (pair_value step).
Proof.
  induction n as [|n IH]; intros v; [reflexivity|]. cbn [big_geometric geometric map].
  now rewrite IH, big_product_value.
Qed.

Fixpoint big_densities (T : BigZ.t) (n : nat) (v g h : big_pair) : list big_pair :=
  match n with O => nil | S n => v :: big_densities T n (big_product T v g) (big_product T g h) h end.
Lemma big_densities_value T h n : forall v g,
  map pair_value (big_densities T n v g h) = densities (BigZ.to_Z T) n (pair_value v) (pair_value g) (pair_value h).
Proof.
  induction n as [|n IH]; intros v g; [reflexivity|]. cbn [big_densities densities map].
  now rewrite IH, !big_product_value.
Qed.

Fixpoint big_horner (c : list BigZ.t) (k : BigZ.t) : BigZ.t :=
  match c with nil => BigZ.zero | a :: c => BigZ.add a (BigZ.mul k (big_horner c k)) end.
Lemma big_horner_value k c : BigZ.to_Z (big_horner c k) = horner (map BigZ.to_Z c) (BigZ.to_Z k).
Proof.
  induction c as [|a c IH]; [reflexivity|]. cbn [big_horner horner map].
  now rewrite BigZ.spec_add, BigZ.spec_mul, IH.
Qed.

(** v / d from below, and from above. *)
Definition div_down (v d : BigZ.t) : BigZ.t := BigZ.div v d.
Definition div_up (v d : BigZ.t) : BigZ.t := BigZ.opp (BigZ.div (BigZ.opp v) d).
Lemma div_down_value v d : BigZ.to_Z (div_down v d) = BigZ.to_Z v / BigZ.to_Z d.
Proof. apply BigZ.spec_div. Qed.
Lemma div_up_value v d : BigZ.to_Z (div_up v d) = - (- BigZ.to_Z v / BigZ.to_Z d).
Proof. unfold div_up. now rewrite BigZ.spec_opp, BigZ.spec_div, BigZ.spec_opp. Qed.

Definition big_mass (T den : BigZ.t) (low high : list BigZ.t) (k : BigZ.t) (v : big_pair) : big_pair :=
  (div_down (big_down T (BigZ.mul (fst v) (BigZ.max BigZ.zero (big_horner low k)))) den,
   div_up (big_up T (BigZ.mul (snd v) (big_horner high k))) den).
Fixpoint big_masses_from (T den : BigZ.t) (low high : list BigZ.t) (k : BigZ.t) (vs : list big_pair) : list big_pair :=
  match vs with
  | nil => nil
  | v :: vs => big_mass T den low high k v :: big_masses_from T den low high (BigZ.add k BigZ.one) vs
  end.

Lemma big_mass_value T den low high k v : pair_value (big_mass T den low high k v) =
  mass_of (BigZ.to_Z T) (BigZ.to_Z den) (map BigZ.to_Z low) (map BigZ.to_Z high) (BigZ.to_Z k) (pair_value v).
Proof.
  unfold big_mass, mass_of, pair_value. cbn [fst snd]. rewrite div_down_value, div_up_value, big_down_value, big_up_value.
  now rewrite !BigZ.spec_mul, BigZ.spec_max, !big_horner_value.
Qed.
Lemma big_masses_from_value T den low high vs : forall k, map pair_value (big_masses_from T den low high k vs) =
  masses_from (BigZ.to_Z T) (BigZ.to_Z den) (map BigZ.to_Z low) (map BigZ.to_Z high) (BigZ.to_Z k) (map pair_value vs).
Proof.
  induction vs as [|v vs IH]; intros k; [reflexivity|]. cbn [big_masses_from masses_from map].
  now rewrite IH, big_mass_value, BigZ.spec_add.
Qed.

Definition big_masses (T bn bd den : Z) (vs : list big_pair) : list big_pair :=
  big_masses_from (BigZ.of_Z T) (BigZ.of_Z den)
    (map BigZ.of_Z (map (coefficient_floor T bn bd) table5)) (map BigZ.of_Z (map (coefficient_ceiling T bn bd) table6))
    BigZ.zero vs.
Lemma big_masses_value T bn bd den vs : map pair_value (big_masses T bn bd den vs) = masses T bn bd den (map pair_value vs).
Proof. unfold big_masses, masses. rewrite big_masses_from_value, !big_of_values, !BigZ.spec_of_Z. reflexivity. Qed.

(** ** Walks along a table *)

Section Walks.
Context {A : Type}.
Variable z : A.

(** The first [n] of [l], and [z] after its end. *)
Fixpoint taken (n : nat) (l : list A) : list A :=
  match n with
  | O => nil
  | S n => match l with nil => z :: taken n nil | x :: l => x :: taken n l end
  end.
Lemma taken_spec n : forall l, taken n l = map (fun i => nth i l z) (seq 0 n).
Proof.
  induction n as [|n IH]; intros l; [reflexivity|]. cbn [seq map]. rewrite <- seq_shift, map_map.
  destruct l as [|x l]; cbn [taken nth]; rewrite IH; f_equal. apply map_ext. intros [|i]; reflexivity.
Qed.

Lemma reversed_spec (g : nat -> A) m : rev (map g (seq 0 m)) = map (fun i => g (m - 1 - i)%nat) (seq 0 m).
Proof.
  induction m as [|m IH]; [reflexivity|]. rewrite seq_S at 1. rewrite map_app, rev_app_distr, IH.
  cbn [map rev app Nat.add seq]. rewrite <- seq_shift, map_map. f_equal; [f_equal; lia|].
  apply map_ext. intros i. f_equal. lia.
Qed.

Lemma nth_after m : forall l i, nth i (skipn m l) z = nth (m + i)%nat l z.
Proof. induction m as [|m IH]; intros [|x l] i; simpl; auto. destruct i; reflexivity. Qed.

(** The elements at k, k + 1, ... of a table of which the left half is the mirror image. *)
Definition mirrored_at (l : list A) (k : Z) : A := nth (Z.to_nat (if 0 <=? k then k else - k - 1)) l z.
Definition walk (n : nat) (k : Z) (l : list A) : list A :=
  if 0 <=? k then taken n (skipn (Z.to_nat k) l)
  else firstn n (rev (taken (Z.to_nat (- k)) l) ++ taken n l).

Lemma walk_spec n k l : walk n k l = map (fun i => mirrored_at l (k + Z.of_nat i)) (seq 0 n).
Proof.
  unfold walk. destruct (0 <=? k) eqn:E.
  - apply Z.leb_le in E. rewrite taken_spec. apply map_ext. intros i. rewrite nth_after. unfold mirrored_at.
    rewrite (proj2 (Z.leb_le 0 (k + Z.of_nat i))) by lia. f_equal. lia.
  - apply Z.leb_gt in E. set (m := Z.to_nat (- k)).
    assert (L : rev (taken m l) = map (fun i => mirrored_at l (k + Z.of_nat i)) (seq 0 m)).
    { rewrite taken_spec, reversed_spec. apply map_ext_in. intros i Hi. apply in_seq in Hi. unfold mirrored_at.
      rewrite (proj2 (Z.leb_gt 0 (k + Z.of_nat i))) by lia. f_equal. lia. }
    assert (Rt : taken n l = map (fun i => mirrored_at l (k + Z.of_nat i)) (seq m n)).
    { rewrite taken_spec.
      assert (G : forall j, map (fun i => mirrored_at l (k + Z.of_nat i)) (seq (m + j) n) =
        map (fun i => nth i l z) (seq j n)).
      { clear L. induction n as [|n' IH]; intros j; [reflexivity|]. cbn [seq map]. rewrite <- IH. f_equal.
        - unfold mirrored_at. rewrite (proj2 (Z.leb_le 0 (k + Z.of_nat (m + j)))) by lia. f_equal. lia.
        - now replace (m + S j)%nat with (S (m + j)) by lia. }
      rewrite <- (G 0%nat). now replace (m + 0)%nat with m by lia. }
    rewrite L, Rt, <- map_app. change m with (0 + m)%nat at 2. rewrite <- seq_app, firstn_map. f_equal.
    rewrite Nat.add_comm, seq_app, firstn_app, seq_length, Nat.sub_diag, firstn_O, app_nil_r.
    rewrite <- (seq_length n 0) at 1. apply firstn_all.
Qed.
End Walks.

Lemma walk_value n k l :
  map pair_value (walk no_pair n k l) = map (fun i => mass_at (map pair_value l) (k + Z.of_nat i)) (seq 0 n).
Proof.
  rewrite walk_spec, map_map. apply map_ext. intros i. unfold mirrored_at, mass_at.
  rewrite <- no_pair_value. now rewrite map_nth.
Qed.
