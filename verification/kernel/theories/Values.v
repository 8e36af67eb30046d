(** Noise on the value of any function of the data set, without sampling, for any relation of being neighbours:
    where the values of neighbours differ by at most [bound], the answer is no worse than the Gaussian or the
    Laplace step of Laws.v. With it, sums where one record is exchanged for another. *)
From Coq Require Import Reals ZArith List Lia Lra.
From Plaudit Require Import Privacy Outputs Laws Curve Composition Lattice Powers Slices Normal Runs Laplace Adaptive Noise DataSets.
Import List ListNotations.
Open Scope R_scope.

(** ** What is stated *)

(** A value of the data set, given all answers so far, and noise. *)
Record valued (Data : Type) := Valued { its_noise : R -> R; its_value : Data -> R }.
Arguments Valued {Data}. Arguments its_noise {Data}. Arguments its_value {Data}.

(** Adaptive queries, the next one given all answers so far (the latest first), on two data sets. *)
Definition noisy_values {Data} (ask : list R -> valued Data) (D D' : Data) : mechanism :=
  fun h => Step line (fun x => its_noise (ask h) (x - its_value (ask h) D)) (fun x => its_noise (ask h) (x - its_value (ask h) D')).

(** Neighbours in a relation that need not be symmetric. *)
Definition values_private {Data} (neighbours : Data -> Data -> Prop) (ask : list R -> valued Data) (n : nat) (a delta : R) : Prop :=
  forall D D', neighbours D D' -> private (noisy_values ask D D') n a delta.

(** ** Two centres *)

Theorem centres_no_worse noise bound c c' : rising_noise noise -> Rabs (c - c') <= bound ->
  no_worse (Step line (fun x => noise (x - c)) (fun x => noise (x - c'))) (sampled_shift noise 1 bound).
Proof.
  intros H L. pose proof (shift_no_worse noise H 1 (c - c') bound ltac:(lra) L) as K.
  apply no_worse_translated with (c := c') in K. revert K. apply no_worse_same; intros x; cbn [sampled_shift p_of q_of]; auto.
  replace (x - c' - (c - c')) with (x - c) by ring. ring.
Qed.

Theorem scaled_centres_no_worse noise wide bound c c' : rising_noise noise -> rising_noise wide -> 0 < bound ->
  (forall x, wide x = noise (x / bound) / bound) -> Rabs (c - c') <= bound ->
  no_worse (Step line (fun x => wide (x - c)) (fun x => wide (x - c'))) (sampled_shift noise 1 1).
Proof.
  intros Hn Hw Hb E L. apply no_worse_trans with (1 := centres_no_worse wide bound c c' Hw L).
  apply (scaled_no_worse noise Hn wide 1 bound Hb ltac:(lra) E).
Qed.

Theorem normal_centres_no_worse sigma bound c c' : 0 < sigma -> 0 < bound -> Rabs (c - c') <= bound ->
  no_worse (Step line (fun x => normal (sigma * bound) (x - c)) (fun x => normal (sigma * bound) (x - c'))) (gaussian sigma).
Proof.
  intros Hs Hb L. apply (no_worse_than_same line (p_of (sampled_shift (normal sigma) 1 1)) (normal sigma)); auto.
  - intros x. simpl. ring.
  - apply (scaled_centres_no_worse (normal sigma) _ bound); auto; [now apply normal_noise| |].
    + now apply normal_noise, Rmult_lt_0_compat.
    + intros x. now apply normal_scaled.
Qed.

Theorem laplace_centres_no_worse b bound c c' : 0 < b -> 0 < bound -> Rabs (c - c') <= bound ->
  no_worse (Step line (fun x => laplace_density (b * bound) (x - c)) (fun x => laplace_density (b * bound) (x - c'))) (laplace b).
Proof.
  intros Hs Hb L. apply (no_worse_than_same line (p_of (sampled_shift (laplace_density b) 1 1)) (laplace_density b)); auto.
  - intros x. simpl. ring.
  - apply (scaled_centres_no_worse (laplace_density b) _ bound); auto; [now apply laplace_noise| |].
    + now apply laplace_noise, Rmult_lt_0_compat.
    + intros x. now apply laplace_scaled.
Qed.

(** ** Functions of the data set *)

Definition value_within {Data} (neighbours : Data -> Data -> Prop) (v : valued Data) (s : step) : Prop :=
  forall D D', neighbours D D' ->
  no_worse (Step line (fun x => its_noise v (x - its_value v D)) (fun x => its_noise v (x - its_value v D'))) s.

(** [value] has the sensitivity [bound]. *)
Theorem gaussian_value_within {Data} (neighbours : Data -> Data -> Prop) sigma bound (value : Data -> R) :
  0 < sigma -> 0 < bound -> (forall D D', neighbours D D' -> Rabs (value D - value D') <= bound) ->
  value_within neighbours (Valued (normal (sigma * bound)) value) (gaussian sigma).
Proof. intros Hs Hb L D D' K. apply normal_centres_no_worse; auto. Qed.

Theorem laplace_value_within {Data} (neighbours : Data -> Data -> Prop) b bound (value : Data -> R) :
  0 < b -> 0 < bound -> (forall D D', neighbours D D' -> Rabs (value D - value D') <= bound) ->
  value_within neighbours (Valued (laplace_density (b * bound)) value) (laplace b).
Proof. intros Hs Hb L D D' K. apply laplace_centres_no_worse; auto. Qed.

(** From the computation about given steps to all adaptive queries, each within its step. *)
Theorem noisy_values_private e B D T : (1 <= e)%Z -> (0 <= B)%Z -> (0 <= D)%Z -> (B <= T)%Z ->
  forall steps default xs program counts c eps,
  Forall2 (source_holds B T) steps (map source_up xs) -> private_by e B D T xs program counts c = true ->
  claim_placed e D Up (exp eps) c -> forall Data (neighbours : Data -> Data -> Prop) (ask : list R -> valued Data),
  (forall h, (length h < total_count counts)%nat ->
    value_within neighbours (ask h) (nth (length h) (repeated steps counts) default)) ->
  values_private neighbours ask (total_count counts) (exp eps) (IZR (num c) / IZR (den c)).
Proof.
  intros He HB HD HT steps default xs program counts c eps H Hp P Data neighbours ask W D1 D2 K.
  apply (adaptive_private e B D T He HB HD HT steps default xs program counts c eps H Hp P).
  intros h L. exact (W h L D1 D2 K).
Qed.

Theorem noisy_values_private_once e B D T : (1 <= e)%Z -> (0 <= B)%Z -> (0 <= D)%Z -> (B <= T)%Z ->
  forall s x program n c eps, source_holds B T s (source_up x) -> private_by e B D T [x] program [n] c = true ->
  claim_placed e D Up (exp eps) c -> forall Data (neighbours : Data -> Data -> Prop) (ask : list R -> valued Data),
  (forall h, value_within neighbours (ask h) s) ->
  values_private neighbours ask n (exp eps) (IZR (num c) / IZR (den c)).
Proof.
  intros He HB HD HT s x program n c eps H Hp P Data neighbours ask W D1 D2 K.
  apply (adaptive_private_once e B D T He HB HD HT s x program n c eps H Hp P). intros h. exact (W h D1 D2 K).
Qed.

(** ** Sums over all records, one of which is exchanged *)

Definition one_changed {A} (D D' : list A) : Prop :=
  exists before record record' after, D = before ++ record :: after /\ D' = before ++ record' :: after.

Lemma one_changed_symmetric {A} (D D' : list A) : one_changed D D' -> one_changed D' D.
Proof. intros (b & r & r' & a & H & H'). now exists b, r', r, a. Qed.

Lemma sum_of_app l l' : sum_of (l ++ l') = sum_of l + sum_of l'.
Proof. unfold sum_of. induction l as [|v l IH]; simpl; [ring | rewrite IH; ring]. Qed.

(** Contributions in an interval of the length [bound]. *)
Theorem sum_changed {A} (contribution : A -> R) bound : (forall x y, Rabs (contribution x - contribution y) <= bound) ->
  forall D D', one_changed D D' -> Rabs (sum_of (map contribution D) - sum_of (map contribution D')) <= bound.
Proof.
  intros H D D' (before & r & r' & after & -> & ->). rewrite !map_app, !sum_of_app. cbn [map]. unfold sum_of. cbn [fold_right].
  apply Rle_trans with (2 := H r r'). right. f_equal. ring.
Qed.

(** And one record more or less: contributions of at most [bound]. *)
Theorem sum_of_one_more {A} (contribution : A -> R) bound : (forall x, Rabs (contribution x) <= bound) ->
  forall D D', one_more D D' \/ one_more D' D -> Rabs (sum_of (map contribution D) - sum_of (map contribution D')) <= bound.
Proof.
  intros H D D' [(before & r & after & -> & ->) | (before & r & after & -> & ->)]; [|rewrite Rabs_minus_sym];
    rewrite !map_app, !sum_of_app; cbn [map]; unfold sum_of; cbn [fold_right];
    apply Rle_trans with (2 := H r); right; f_equal; ring.
Qed.
