(** Steps with finitely many outputs: from enclosures of their probabilities to a source, one slice for each
    output. Outputs that only one data set has are left outside of the slices. And distributions of the
    privacy loss, from masses and losses that are fractions. *)
From Coq Require Import Reals ZArith List Lia Lra Bool.
From Plaudit Require Import Privacy Outputs Laws Curve Composition Lattice Powers Slices Normal Runs Sources.
Import List ListNotations.
Open Scope R_scope.

Notation two x := (IZR (2 ^ x)).

(** ** Functions that are given by lists *)

Lemma listed_nth l : forall i, listed l (INR i) = nth i l 0.
Proof.
  induction l as [|v l IH]; intros i; cbn [listed]; [now destruct i|].
  destruct i as [|i]; destruct (Req_EM_T _ 0) as [E | E]; auto.
  - simpl in E. lra.
  - rewrite S_INR in E. pose proof (pos_INR i). lra.
  - cbn [nth]. rewrite <- IH, S_INR. f_equal. ring.
Qed.

Lemma listed_elsewhere l : forall x, listed l x = 0 \/ exists i, (i < length l)%nat /\ x = INR i.
Proof.
  induction l as [|v l IH]; intros x; cbn [listed length]; [now left|].
  destruct (Req_EM_T x 0) as [E | E].
  - right. exists 0%nat. split; [lia | exact E].
  - destruct (IH (x - 1)) as [Z | (i & Hi & Ei)]; [now left|]. right. exists (S i). split; [lia|]. rewrite S_INR. lra.
Qed.

Lemma listed_nonnegative l : Forall (fun v => 0 <= v) l -> forall x, 0 <= listed l x.
Proof.
  intros H; induction H as [|v l Hv H IH]; intros x; cbn [listed]; [lra|]. destruct (Req_EM_T x 0); auto.
Qed.

(** The indicator of the output i. *)
Definition at_output (i : nat) (x : R) : R := if Req_EM_T x (INR i) then 1 else 0.

Lemma total_elsewhere i f n : forall s, (i < s)%nat -> total (map INR (seq s n)) (fun x => at_output i x * f x) = 0.
Proof.
  induction n as [|n IH]; intros s L; [reflexivity|]. cbn [seq map total fold_right].
  fold (total (map INR (seq (S s) n)) (fun x => at_output i x * f x)). rewrite IH by lia. unfold at_output.
  destruct (Req_EM_T (INR s) (INR i)) as [E | E]; [apply INR_eq in E; lia | ring].
Qed.

Lemma total_at i f n : forall s, (s <= i < s + n)%nat ->
  total (map INR (seq s n)) (fun x => at_output i x * f x) = f (INR i).
Proof.
  induction n as [|n IH]; intros s L; [lia|]. cbn [seq map total fold_right].
  fold (total (map INR (seq (S s) n)) (fun x => at_output i x * f x)). unfold at_output at 1.
  destruct (Req_EM_T (INR s) (INR i)) as [E | E].
  - rewrite E. apply INR_eq in E. subst s. rewrite total_elsewhere by lia. ring.
  - rewrite IH; [ring|]. assert (s <> i) by (intros ->; now apply E). lia.
Qed.

(** ** The slices *)

(** Enclosures of the probabilities of an output, and whether it has a slice. *)
Record outcome := Outcome { inside : bool; around_p : Z * Z; around_q : Z * Z }.

Section Finite.
Variable T : Z.
Hypothesis T_nonnegative : (0 <= T)%Z.
Notation encloses := (encloses T).

Definition outcome_holds (o : outcome) (p q : R) : Prop :=
  encloses (around_p o) p /\ if inside o then encloses (around_q o) q else 0 <= q.
Fixpoint outcomes_hold (os : list outcome) (ps qs : list R) : Prop :=
  match os, ps, qs with
  | nil, nil, nil => True
  | o :: os, p :: ps, q :: qs => outcome_holds o p q /\ outcomes_hold os ps qs
  | _, _, _ => False
  end.

Lemma outcomes_hold_app os ps qs os' ps' qs' : outcomes_hold os ps qs -> outcomes_hold os' ps' qs' ->
  outcomes_hold (os ++ os') (ps ++ ps') (qs ++ qs').
Proof.
  revert ps qs; induction os as [|o os IH]; intros [|p ps] [|q qs]; simpl; try tauto.
  intros (H1 & H2) H3. split; auto.
Qed.

Definition outcome_slice (o : outcome) : slice :=
  let (p0, p1) := around_p o in let (q0, q1) := around_q o in Slice p0 p1 q0 q1 q1 p0 q0 p1.
Definition outcome_slices (os : list outcome) : list slice := map outcome_slice (filter inside os).

Fixpoint outcome_regions (i : nat) (os : list outcome) : list ((R -> R) * slice) :=
  match os with
  | nil => nil
  | o :: os => if inside o then (at_output i, outcome_slice o) :: outcome_regions (S i) os else outcome_regions (S i) os
  end.

Lemma outcome_regions_slices os : forall i, map snd (outcome_regions i os) = outcome_slices os.
Proof.
  unfold outcome_slices. induction os as [|o os IH]; intros i; simpl; auto.
  destruct (inside o); simpl; now rewrite IH.
Qed.

Lemma outcome_coverage os : forall s x,
  (exists j, (j < length os)%nat /\ x = INR (s + j) /\
    coverage (outcome_regions s os) x = if inside (nth j os (Outcome true (0, 0)%Z (0, 0)%Z)) then 1 else 0) \/
  ((forall j, (j < length os)%nat -> x <> INR (s + j)) /\ coverage (outcome_regions s os) x = 0).
Proof.
  induction os as [|o os IH]; intros s x.
  - right. split; [simpl; intros; lia | reflexivity].
  - assert (E : coverage (outcome_regions s (o :: os)) x =
      (if inside o then at_output s x else 0) + coverage (outcome_regions (S s) os) x).
    { cbn [outcome_regions]. destruct (inside o); [reflexivity | ring]. }
    rewrite E. clear E. unfold at_output. destruct (Req_EM_T x (INR s)) as [X | X].
    + left. exists 0%nat. split; [simpl; lia|]. rewrite Nat.add_0_r. split; auto. cbn [nth].
      destruct (IH (S s) x) as [(j & Hj & Ej & _) | (_ & ->)].
      * rewrite X in Ej. apply INR_eq in Ej. lia.
      * destruct (inside o); ring.
    + destruct (IH (S s) x) as [(j & Hj & Ej & Cj) | (Hj & ->)].
      * left. exists (S j). split; [simpl; lia|]. replace (s + S j)%nat with (S s + j)%nat by lia. split; auto.
        rewrite Cj. cbn [nth]. destruct (inside o); ring.
      * right. split; [|destruct (inside o); ring]. intros [|j] Lj; [now rewrite Nat.add_0_r|].
        replace (s + S j)%nat with (S s + j)%nat by lia. apply Hj. simpl in Lj. lia.
Qed.

Lemma outcome_coverage_at_most_1 os s x : coverage (outcome_regions s os) x <= 1.
Proof.
  destruct (outcome_coverage os s x) as [(j & _ & _ & ->) | (_ & ->)]; [|lra].
  destruct (inside _); lra.
Qed.

Lemma outcomes_length os : forall ps qs, outcomes_hold os ps qs -> length ps = length os /\ length qs = length os.
Proof.
  induction os as [|o os IH]; intros [|p ps] [|q qs]; simpl; try tauto.
  intros (_ & H). destruct (IH ps qs H). lia.
Qed.

Lemma outcomes_nonnegative os : forall ps qs, outcomes_hold os ps qs ->
  Forall (fun v => 0 <= v) ps /\ Forall (fun v => 0 <= v) qs.
Proof.
  induction os as [|o os IH]; intros [|p ps] [|q qs]; simpl; try tauto; [repeat constructor|].
  intros ((H1 & H2) & H). destruct (IH ps qs H). split; constructor; auto.
  - exact (encloses_nonnegative T T_nonnegative _ _ H1).
  - destruct (inside o); auto. exact (encloses_nonnegative T T_nonnegative _ _ H2).
Qed.

Lemma outcome_region (m : list R) p q i o : outcome_holds o (p (INR i)) (q (INR i)) -> inside o = true ->
  (forall f, total m (fun x => at_output i x * f x) = f (INR i)) ->
  region_holds T (Step (finite m) p q) (at_output i, outcome_slice o).
Proof.
  intros (P & Q) I M. rewrite I in Q. pose proof (two_T T T_nonnegative) as HT.
  unfold outcome_slice. destruct o as [b [p0 p1] [q0 q1]]. cbn [around_p around_q inside] in *.
  destruct P as (P0 & P1 & P2). destruct Q as (Q0 & Q1 & Q2). cbn [fst snd] in *. apply IZR_le in P0, Q0.
  split; [|split]; cbn [outputs p_of q_of low_p high_p low_q high_q num_hi den_hi num_lo den_lo].
  - intros x. unfold at_output. destruct (Req_EM_T x (INR i)) as [-> | _]; [right | now left]. split; auto.
    set (u := p (INR i)) in *. set (v := q (INR i)) in *.
    split; apply Rmult_le_reg_r with (two T); auto; rewrite !Rmult_assoc.
    + replace (IZR p0 * (v * two T)) with ((v * two T) * IZR p0) by ring. apply Rmult_le_compat; lra.
    + replace (IZR p1 * (v * two T)) with ((v * two T) * IZR p1) by ring. apply Rmult_le_compat; lra.
  - exists (p (INR i)). split; [|lra]. simpl. now rewrite M.
  - exists (q (INR i)). split; [|lra]. simpl. now rewrite M.
Qed.

Lemma outcome_regions_hold ps qs os : outcomes_hold os ps qs ->
  Forall (region_holds T (finite_step ps qs)) (outcome_regions 0 os).
Proof.
  intros H. unfold finite_step. destruct (outcomes_length _ _ _ H) as [L1 L2]. set (m := map INR (seq 0 (length ps))).
  cut (forall os' s, length os = (s + length os')%nat ->
    (forall j, (j < length os')%nat -> outcome_holds (nth j os' (Outcome true (0, 0)%Z (0, 0)%Z)) (nth (s + j) ps 0) (nth (s + j) qs 0)) ->
    Forall (region_holds T (Step (finite m) (listed ps) (listed qs))) (outcome_regions s os')).
  { intros K. apply K; [reflexivity|]. clear -H. revert ps qs H. induction os as [|o os IH]; intros [|p ps] [|q qs]; simpl; try tauto.
    - intros; lia.
    - intros (H1 & H2) [|j] Hj; auto. apply (IH ps qs H2 j). lia. }
  intros os'. induction os' as [|o os' IH]; intros s L K; [constructor|]. cbn [outcome_regions].
  assert (R : Forall (region_holds T (Step (finite m) (listed ps) (listed qs))) (outcome_regions (S s) os')).
  { apply IH; [simpl in L; lia|]. intros j Hj. replace (S s + j)%nat with (s + S j)%nat by lia.
    apply (K (S j)). simpl. lia. }
  destruct (inside o) eqn:I; auto. constructor; auto. apply outcome_region; auto.
  - rewrite !listed_nth. specialize (K 0%nat ltac:(simpl; lia)). now rewrite Nat.add_0_r in K.
  - intros f. apply total_at. simpl in L. lia.
Qed.

(** ** The source *)

(** What is outside, in units of 2^-T. *)
Definition outer (os : list outcome) : Z :=
  fold_right (fun o t => ((if inside o then 0 else snd (around_p o)) + t)%Z) 0%Z os.

Definition finite_source (B : Z) (os : list outcome) (inf : Z) : source :=
  Source ((0 <=? inf) && (outer os <=? inf * 2 ^ (T - B)))%Z (outcome_slices os) inf.

Lemma outer_bound os : forall ps qs s h, outcomes_hold os ps qs ->
  (forall j, (j < length os)%nat -> h (INR (s + j)) = if inside (nth j os (Outcome true (0, 0)%Z (0, 0)%Z)) then 0 else nth j ps 0) ->
  total (map INR (seq s (length os))) h * two T <= IZR (outer os).
Proof.
  induction os as [|o os IH]; intros [|p ps] [|q qs] s h; simpl; try tauto; [intros; lra|].
  intros ((H1 & _) & H) K. fold (total (map INR (seq (S s) (length os))) h).
  assert (I := IH ps qs (S s) h H). rewrite plus_IZR, Rmult_plus_distr_r. apply Rplus_le_compat.
  - specialize (K 0%nat ltac:(lia)). rewrite Nat.add_0_r in K. rewrite K. destruct (inside o); [lra | apply H1].
  - apply I. intros j Hj. replace (S s + j)%nat with (s + S j)%nat by lia. rewrite K by lia. reflexivity.
Qed.

Theorem finite_source_holds B ps qs os inf : (0 <= B <= T)%Z -> outcomes_hold os ps qs ->
  source_holds B T (finite_step ps qs) (finite_source B os inf).
Proof.
  intros HB H A. unfold finite_source in A. cbn [acceptable its_slices outside_them] in *.
  apply andb_prop in A. destruct A as [A1 A2]. apply Z.leb_le in A1, A2.
  destruct (outcomes_length _ _ _ H) as [L1 L2]. destruct (outcomes_nonnegative _ _ _ H) as [N1 N2].
  assert (N : nonnegative_step (finite_step ps qs)) by (intros x; split; apply listed_nonnegative; auto).
  split; auto. exists (outcome_regions 0 os). split; [apply outcome_regions_slices|].
  split; [now apply outcome_regions_hold|]. split; [apply outcome_coverage_at_most_1|]. split; auto.
  set (h := fun x => (1 - coverage (outcome_regions 0 os) x) * listed ps x).
  exists h, (total (map INR (seq 0 (length ps))) h). split; [|split; [|split]].
  - intros x. unfold h. apply Rmult_le_pos; [|apply (N x)]. pose proof (outcome_coverage_at_most_1 os 0 x). lra.
  - intros x. right. reflexivity.
  - reflexivity.
  - rewrite L1. assert (O : total (map INR (seq 0 (length os))) h * two T <= IZR (outer os)).
    { apply (outer_bound os ps qs 0 h H). intros j Hj. unfold h. rewrite listed_nth. simpl plus.
      destruct (outcome_coverage os 0 (INR j)) as [(i & Hi & Ei & ->) | (K & _)]; [|now elim (K j Hj)].
      simpl in Ei. apply INR_eq in Ei. subst i. destruct (inside _); ring. }
    apply IZR_le in A2. rewrite mult_IZR in A2.
    assert (TB : 0 < two B) by (apply two_positive_R; lia).
    assert (TTB : 0 < two (T - B)) by (apply two_positive_R; lia).
    assert (TS : two T = two (T - B) * two B) by (rewrite <- mult_IZR, <- Z.pow_add_r by lia; do 2 f_equal; lia).
    apply Rmult_le_reg_r with (two T); [now apply two_T|]. apply Rle_trans with (1 := O).
    apply Rle_trans with (1 := A2). right. rewrite TS. unfold unit. cbn [finite_source outside_them]. field. lra.
Qed.

(** Where each output has a slice. *)
Theorem finite_whole_holds ps qs os : os <> nil -> forallb inside os = true -> outcomes_hold os ps qs ->
  whole_holds T (finite_step ps qs) (outcome_slices os).
Proof.
  intros Hne A H. destruct (outcomes_length _ _ _ H) as [L1 L2]. destruct (outcomes_nonnegative _ _ _ H) as [N1 N2].
  split; [intros x; split; apply listed_nonnegative; auto|].
  assert (F : filter inside os = os).
  { clear -A. induction os as [|o os IH]; simpl in *; auto. destruct (inside o); [|discriminate]. now rewrite IH. }
  split. { unfold outcome_slices. rewrite F. intros Z. apply Hne. now apply map_eq_nil in Z. }
  exists (outcome_regions 0 os). split; [apply outcome_regions_slices|]. split; [now apply outcome_regions_hold|].
  split; [apply outcome_coverage_at_most_1|]. rewrite forallb_forall in A. cbn [finite_step p_of q_of].
  assert (K : forall l x, length l = length os -> (1 - coverage (outcome_regions 0 os) x) * listed l x = 0).
  { intros l x L. destruct (outcome_coverage os 0 x) as [(j & Hj & _ & ->) | (K & _)].
    - rewrite A by now apply nth_In. ring.
    - destruct (listed_elsewhere l x) as [-> | (i & Hi & Ei)]; [ring|]. elim (K i); [lia | exact Ei]. }
  intros x. split; now apply K.
Qed.

(** ** Distributions of the privacy loss *)

(** A mass over W, a loss over V, and an enclosure of exp(- loss). *)
Record atom := Atom { mass : Z; loss : Z; factor : Z * Z }.
Variables W V B : Z.
Hypothesis B_range : (0 <= B <= T)%Z.
Definition atom_holds (a : atom) : Prop := (0 <= mass a)%Z /\ encloses (factor a) (exp (- (IZR (loss a) / IZR V))).
Definition real_atom (a : atom) : R * R := (IZR (mass a) / IZR W, IZR (loss a) / IZR V).
(** The upper bound is a multiple of 2^(T - B), so that a slice may be a cell: its probability is not rounded. *)
Definition around (m : Z) : Z * Z := (m * 2 ^ T / W, up (T - B) (- (- (m * 2 ^ T) / W)) * 2 ^ (T - B))%Z.
Definition atom_outcome (a : atom) : outcome := Outcome true (around (mass a)) (product_of T (around (mass a)) (factor a)).
Definition pld_outcomes (l : list atom) (m : Z) : list outcome :=
  map atom_outcome l ++ [Outcome false (around m) (0, 0)%Z; Outcome false (0, 0)%Z (0, 0)%Z].

Lemma around_encloses m : (0 < W)%Z -> (0 <= m)%Z -> encloses (around m) (IZR m / IZR W).
Proof.
  intros HW Hm. pose proof (two_positive T T_nonnegative). apply IZR_lt in HW as HW'.
  split; cbn [around fst snd]; [apply Z.div_pos; nia|].
  assert (E : IZR m / IZR W * two T * IZR W = IZR (m * 2 ^ T)) by (rewrite mult_IZR; field; lra).
  split; apply Rmult_le_reg_r with (IZR W); auto; rewrite E, <- mult_IZR; apply IZR_le.
  - pose proof (Z.mul_div_le (m * 2 ^ T) W HW). lia.
  - pose proof (Z.mul_div_le (- (m * 2 ^ T)) W HW).
    pose proof (up_above (T - B) ltac:(lia) (- (- (m * 2 ^ T) / W))). nia.
Qed.

Theorem pld_source_holds l m only_q inf : (0 < W)%Z -> Forall atom_holds l -> (0 <= m)%Z -> 0 <= only_q ->
  source_holds B T (pld (map real_atom l) (IZR m / IZR W) only_q) (finite_source B (pld_outcomes l m) inf).
Proof.
  intros HW H Hm Hq. unfold pld, pld_outcomes. apply finite_source_holds; auto. apply outcomes_hold_app.
  - induction H as [|a l (H1 & H2) H IH]; [exact Logic.I|]. cbn [map]. split; [|exact IH].
    unfold outcome_holds, atom_outcome, real_atom. cbn [around_p around_q inside fst snd]. split.
    + now apply around_encloses.
    + apply product_encloses; auto. now apply around_encloses.
  - cbn [outcomes_hold]. unfold outcome_holds. cbn [around_p around_q inside]. split; [split|split; [split|exact Logic.I]]; auto.
    + now apply around_encloses.
    + lra.
    + split; [simpl; lia|]. simpl. lra.
Qed.

(** Losses on a grid: first, first + width, ... *)
Fixpoint atoms_on_grid (first width : Z) (v step : Z * Z) (masses : list Z) : list atom :=
  match masses with
  | nil => nil
  | m :: masses => Atom m first v :: atoms_on_grid (first + width) width (product_of T v step) step masses
  end.

Lemma atoms_on_grid_hold width step masses : (0 < V)%Z -> Forall (fun m => (0 <= m)%Z) masses ->
  encloses step (exp (- (IZR width / IZR V))) -> forall first v, encloses v (exp (- (IZR first / IZR V))) ->
  Forall atom_holds (atoms_on_grid first width v step masses).
Proof.
  intros HV H Hs. induction H as [|m masses Hm H IH]; intros first v Hv; cbn [atoms_on_grid]; constructor.
  - split; auto.
  - apply IH. replace (exp (- (IZR (first + width) / IZR V))) with (exp (- (IZR first / IZR V)) * exp (- (IZR width / IZR V))).
    + now apply product_encloses.
    + rewrite <- exp_plus, plus_IZR. f_equal. apply IZR_lt in HV. field. lra.
Qed.

End Finite.
