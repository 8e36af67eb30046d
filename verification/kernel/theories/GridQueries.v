(** The steps on a grid that `plaudit prove` writes, and the queries that are no worse than them: with these a
    generated file's theorem about its steps becomes one about data sets. *)
From Coq Require Import Reals ZArith List Lia Lra.
From Plaudit Require Import Privacy Outputs Laws Curve Composition Lattice Powers Slices Normal Gaussian Runs Sources
  GaussianSteps Adaptive Noise DataSets Values VectorQueries.
Import List ListNotations.
Open Scope R_scope.

Section Grid.
Variables (den W a k : Z) (sigma : R) (ps qs : list part).
Hypothesis W_positive : (0 < W)%Z.
Hypothesis sigma_positive : 0 < sigma.

Lemma parts_sampled cs m x : (0 <= a <= W)%Z -> parts_are cs [(W - a, 0); (a, m)]%Z ->
  density den sigma W cs x = (1 - IZR a / IZR W) * normal sigma x + IZR a / IZR W * normal sigma (x - IZR m / IZR den).
Proof.
  intros Ha H. rewrite (parts_density _ _ _ _ _ x H). unfold mixture. simpl. rewrite (share_left W a W_positive).
  replace (x - 0 / IZR den) with x by (unfold Rdiv; ring). ring.
Qed.
Lemma parts_single cs m x : parts_are cs [(1, m)]%Z -> density den sigma 1 cs x = normal sigma (x - IZR m / IZR den).
Proof. intros H. rewrite (parts_density _ _ _ _ _ x H). unfold mixture. simpl. field. Qed.
Lemma parts_at_0 cs x : parts_are cs [(1, 0)]%Z -> density den sigma 1 cs x = normal sigma x.
Proof. intros H. rewrite (parts_single cs 0 x H). f_equal. unfold Rdiv. ring. Qed.

Lemma rate_range : (0 <= a <= W)%Z -> 0 <= IZR a / IZR W <= 1.
Proof.
  intros [H1 H2]. apply IZR_le in H1, H2. apply IZR_lt in W_positive. pose proof (Rinv_0_lt_compat _ W_positive) as I.
  split; [apply Rmult_le_pos; lra|]. apply Rmult_le_reg_r with (IZR W); auto.
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

Lemma mirrored_density cs x : (0 <= a <= W)%Z -> parts_are cs [(W - a, 0); (a, - k)]%Z ->
  density den sigma W cs (- x) = (1 - IZR a / IZR W) * normal sigma x + IZR a / IZR W * normal sigma (x - IZR k / IZR den).
Proof.
  intros Ha H. rewrite (parts_sampled cs (- k) (- x) Ha H), opp_IZR.
  replace (- x - - IZR k / IZR den) with (- (x - IZR k / IZR den)) by (unfold Rdiv; ring). now rewrite !normal_reflected.
Qed.

(** A move by k / den with the probability a / W, in the one direction and in the other. *)
Theorem shift_below_grid : (0 <= a <= W)%Z -> parts_are ps [(W - a, 0); (a, k)]%Z -> parts_are qs [(1, 0)]%Z ->
  no_worse (sampled_shift (normal sigma) (IZR a / IZR W) (IZR k / IZR den)) (the_step den sigma W 1 ps qs).
Proof.
  intros Ha Hp Hq. set (s := sampled_shift _ _ _).
  assert (K : no_worse s s) by (apply no_worse_refl, sampled_shift_nonnegative; [now apply normal_noise | now apply rate_range]).
  revert K. apply no_worse_than_same; intros x; cbn [sampled_shift p_of q_of]; symmetry.
  - now apply parts_sampled.
  - now apply parts_at_0.
Qed.

Theorem swapped_shift_below_grid : (0 <= a <= W)%Z -> parts_are ps [(1, 0)]%Z -> parts_are qs [(W - a, 0); (a, - k)]%Z ->
  no_worse (swapped (sampled_shift (normal sigma) (IZR a / IZR W) (IZR k / IZR den))) (the_step den sigma 1 W ps qs).
Proof.
  intros Ha Hp Hq. apply (no_worse_same line (fun x => density den sigma 1 ps (- x)) (fun x => density den sigma W qs (- x))).
  - intros x. rewrite (parts_at_0 ps (- x) Hp). apply normal_reflected.
  - intros x. now apply mirrored_density.
  - apply no_worse_reflected. apply no_worse_refl. intros x. unfold the_step. cbn [p_of q_of].
    pose proof (normal_positive sigma sigma_positive x) as P. split.
    + rewrite (parts_at_0 ps x Hp). lra.
    + rewrite <- (Ropp_involutive x), (mirrored_density qs (- x) Ha Hq). pose proof (rate_range Ha).
      pose proof (normal_positive sigma sigma_positive (- x)). pose proof (normal_positive sigma sigma_positive (- x - IZR k / IZR den)).
      apply Rplus_le_le_0_compat; apply Rmult_le_pos; lra.
Qed.

(** Contributions of at most k / den, sampled with the rate a / W. *)
Theorem grid_remove_within {A} (contribution : A -> R) : (0 <= a <= W)%Z ->
  parts_are ps [(W - a, 0); (a, k)]%Z -> parts_are qs [(1, 0)]%Z ->
  (forall x, Rabs (contribution x) <= IZR k / IZR den) ->
  remove_within (Query (normal sigma) (IZR a / IZR W) contribution) (the_step den sigma W 1 ps qs).
Proof.
  intros Ha Hp Hq Hc D D' O. apply no_worse_trans with (2 := shift_below_grid Ha Hp Hq).
  exact (proj1 (noise_within _ _ _ contribution (normal_noise sigma sigma_positive) (rate_range Ha) Hc) D D' O).
Qed.

Theorem grid_add_within {A} (contribution : A -> R) : (0 <= a <= W)%Z ->
  parts_are ps [(1, 0)]%Z -> parts_are qs [(W - a, 0); (a, - k)]%Z ->
  (forall x, Rabs (contribution x) <= IZR k / IZR den) ->
  add_within (Query (normal sigma) (IZR a / IZR W) contribution) (the_step den sigma 1 W ps qs).
Proof.
  intros Ha Hp Hq Hc D D' O. apply no_worse_trans with (2 := swapped_shift_below_grid Ha Hp Hq).
  exact (proj2 (noise_within _ _ _ contribution (normal_noise sigma sigma_positive) (rate_range Ha) Hc) D D' O).
Qed.

(** Vectors of at most the length k / den. *)
Theorem grid_vector_remove_within {A} d (contribution : A -> list R) : (0 <= a <= W)%Z ->
  parts_are ps [(W - a, 0); (a, k)]%Z -> parts_are qs [(1, 0)]%Z ->
  clipped (VectorQuery d sigma (IZR a / IZR W) contribution) (IZR k / IZR den) ->
  vector_remove_within (VectorQuery d sigma (IZR a / IZR W) contribution) (the_step den sigma W 1 ps qs).
Proof.
  intros Ha Hp Hq Hc D D' O. apply no_worse_trans with (2 := shift_below_grid Ha Hp Hq).
  exact (proj1 (normals_within d _ _ _ contribution sigma_positive (rate_range Ha) Hc) D D' O).
Qed.

Theorem grid_vector_add_within {A} d (contribution : A -> list R) : (0 <= a <= W)%Z ->
  parts_are ps [(1, 0)]%Z -> parts_are qs [(W - a, 0); (a, - k)]%Z ->
  clipped (VectorQuery d sigma (IZR a / IZR W) contribution) (IZR k / IZR den) ->
  vector_add_within (VectorQuery d sigma (IZR a / IZR W) contribution) (the_step den sigma 1 W ps qs).
Proof.
  intros Ha Hp Hq Hc D D' O. apply no_worse_trans with (2 := swapped_shift_below_grid Ha Hp Hq).
  exact (proj2 (normals_within d _ _ _ contribution sigma_positive (rate_range Ha) Hc) D D' O).
Qed.

(** Without sampling: functions of the sensitivity k / den. *)
Theorem grid_value_within {Data} (neighbours : Data -> Data -> Prop) (value : Data -> R) :
  parts_are ps [(1, k)]%Z -> parts_are qs [(1, 0)]%Z ->
  (forall D D', neighbours D D' -> Rabs (value D - value D') <= IZR k / IZR den) ->
  value_within neighbours (Valued (normal sigma) value) (the_step den sigma 1 1 ps qs).
Proof.
  intros Hp Hq Hc D D' O. pose proof (centres_no_worse _ _ _ _ (normal_noise sigma sigma_positive) (Hc D D' O)) as K.
  revert K. apply no_worse_than_same; intros x; cbn [sampled_shift p_of q_of]; symmetry.
  - rewrite (parts_single ps k x Hp). ring.
  - now apply parts_at_0.
Qed.
End Grid.

(** ** A schedule of kinds of queries *)

(** Noise, rate, and a bound on contributions. *)
Record kind := Kind { kind_noise : R -> R; kind_rate : R; kind_bound : R }.

(** So many queries of the first kind, then so many of the second, and so on: the kind of the next query. *)
Definition kind_at (first : kind) (others : list kind) (counts : list nat) (h : list R) : kind :=
  nth (length h) (concat (map (fun kn => repeat (fst kn) (snd kn)) (combine (first :: others) counts))) first.

(** Contributions depend on all answers so far. *)
Definition scheduled {A} (first : kind) (others : list kind) (counts : list nat) (contribution : list R -> A -> R) : list R -> query A :=
  fun h => let k := kind_at first others counts h in Query (kind_noise k) (kind_rate k) (contribution h).
Definition contributions_bounded {A} (first : kind) (others : list kind) (counts : list nat) (contribution : list R -> A -> R) : Prop :=
  forall h x, Rabs (contribution h x) <= kind_bound (kind_at first others counts h).

(** All queries of a kind are within a step. *)
Definition kind_remove_within (k : kind) (s : step) : Prop := forall A (contribution : A -> R),
  (forall x, Rabs (contribution x) <= kind_bound k) -> remove_within (Query (kind_noise k) (kind_rate k) contribution) s.
Definition kind_add_within (k : kind) (s : step) : Prop := forall A (contribution : A -> R),
  (forall x, Rabs (contribution x) <= kind_bound k) -> add_within (Query (kind_noise k) (kind_rate k) contribution) s.

Lemma kinds_at (P : kind -> step -> Prop) first others s steps counts h : Forall2 P (first :: others) (s :: steps) ->
  P (kind_at first others counts h) (nth (length h) (repeated (s :: steps) counts) s).
Proof.
  intros H. unfold kind_at, repeated. assert (H0 : P first s) by now inversion H. generalize (length h). revert counts.
  induction H as [|k t ks ts Hk H IH]; intros counts i; [destruct i; exact H0|].
  destruct counts as [|n counts]; [destruct i; exact H0|]. cbn [combine map concat fst snd].
  revert i. induction n as [|n IHn]; intros i; [apply IH|]. destruct i as [|i]; cbn [repeat app nth]; auto.
Qed.

Theorem schedule_remove_private e B D T : (1 <= e)%Z -> (0 <= B)%Z -> (0 <= D)%Z -> (B <= T)%Z ->
  forall s steps xs program counts c eps,
  Forall2 (source_holds B T) (s :: steps) (map source_up xs) -> private_by e B D T xs program counts c = true ->
  claim_placed e D Up (exp eps) c -> forall first others, Forall2 kind_remove_within (first :: others) (s :: steps) ->
  forall A (contribution : list R -> A -> R), contributions_bounded first others counts contribution ->
  remove_private (scheduled first others counts contribution) (total_count counts) (exp eps) (IZR (num c) / IZR (den c)).
Proof.
  intros He HB HD HT s steps xs program counts c eps H Hp P first others K A contribution C.
  apply (several_answers_remove_private e B D T He HB HD HT (s :: steps) s xs program counts c eps H Hp P).
  intros h _. exact (kinds_at kind_remove_within first others s steps counts h K A (contribution h) (C h)).
Qed.

Theorem schedule_add_private e B D T : (1 <= e)%Z -> (0 <= B)%Z -> (0 <= D)%Z -> (B <= T)%Z ->
  forall s steps xs program counts c eps,
  Forall2 (source_holds B T) (s :: steps) (map source_up xs) -> private_by e B D T xs program counts c = true ->
  claim_placed e D Up (exp eps) c -> forall first others, Forall2 kind_add_within (first :: others) (s :: steps) ->
  forall A (contribution : list R -> A -> R), contributions_bounded first others counts contribution ->
  add_private (scheduled first others counts contribution) (total_count counts) (exp eps) (IZR (num c) / IZR (den c)).
Proof.
  intros He HB HD HT s steps xs program counts c eps H Hp P first others K A contribution C.
  apply (several_answers_add_private e B D T He HB HD HT (s :: steps) s xs program counts c eps H Hp P).
  intros h _. exact (kinds_at kind_add_within first others s steps counts h K A (contribution h) (C h)).
Qed.

(** The kinds of the steps on a grid: sampled with the rate a / W, contributions of at most k / den. *)
Theorem grid_kind_remove den W a k sigma ps qs : (0 <= a <= W)%Z -> (0 < W)%Z -> 0 < sigma ->
  parts_are ps [(W - a, 0); (a, k)]%Z -> parts_are qs [(1, 0)]%Z ->
  kind_remove_within (Kind (normal sigma) (IZR a / IZR W) (IZR k / IZR den)) (the_step den sigma W 1 ps qs).
Proof. intros H2 H3 H4 Hp Hq A contribution C. exact (grid_remove_within den W a k sigma ps qs H3 H4 contribution H2 Hp Hq C). Qed.

Theorem grid_kind_add den W a k sigma ps qs : (0 <= a <= W)%Z -> (0 < W)%Z -> 0 < sigma ->
  parts_are ps [(1, 0)]%Z -> parts_are qs [(W - a, 0); (a, - k)]%Z ->
  kind_add_within (Kind (normal sigma) (IZR a / IZR W) (IZR k / IZR den)) (the_step den sigma 1 W ps qs).
Proof. intros H2 H3 H4 Hp Hq A contribution C. exact (grid_add_within den W a k sigma ps qs H3 H4 contribution H2 Hp Hq C). Qed.

(** Without sampling the steps have one part each; by symmetry the step of the direction "remove" is also one of "add". *)
Theorem grid_kind_all den k sigma ps qs : 0 < sigma -> parts_are ps [(1, k)]%Z -> parts_are qs [(1, 0)]%Z ->
  kind_remove_within (Kind (normal sigma) 1 (IZR k / IZR den)) (the_step den sigma 1 1 ps qs) /\
  kind_add_within (Kind (normal sigma) 1 (IZR k / IZR den)) (the_step den sigma 1 1 ps qs).
Proof.
  intros Hs Hp Hq.
  assert (G : forall A (contribution : A -> R), (forall x, Rabs (contribution x) <= IZR k / IZR den) -> forall D D', one_more D D' \/ one_more D' D ->
    no_worse (Step line (answer (Query (normal sigma) 1 contribution) D) (answer (Query (normal sigma) 1 contribution) D')) (the_step den sigma 1 1 ps qs)).
  { intros A contribution C D D' O.
    pose proof (grid_value_within den k sigma ps qs Hs (fun D D' => one_more D D' \/ one_more D' D)
      (fun D => sum_of (map contribution D)) Hp Hq (sum_of_one_more contribution _ C) D D' O) as K.
    revert K. apply no_worse_same; intros x; unfold answer; cbn [its_noise its_value noise_of rate_of contribution_of];
      rewrite noisy_sum_of_all; f_equal; ring. }
  split; intros A contribution C D D' O; apply G; auto.
Qed.
