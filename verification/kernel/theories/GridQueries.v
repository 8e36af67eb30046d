(** The steps on a grid that `plaudit prove` writes, and the queries that are no worse than them: with these a
    generated file's theorem about its steps becomes one about data sets. *)
From Coq Require Import Reals ZArith List Lia Lra.
From Plaudit Require Import Privacy Outputs Laws Curve Composition Lattice Powers Slices Normal Gaussian Runs Sources
  GaussianSteps Adaptive Noise DataSets Values.
Import List ListNotations.
Open Scope R_scope.

Section Grid.
Variables (den W a k : Z) (sigma : R) (ps qs : list part).
Hypothesis den_positive : (0 < den)%Z.
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

(** Contributions of at most k / den, sampled with the rate a / W. *)
Theorem grid_remove_within {A} (contribution : A -> R) : (0 <= a <= W)%Z ->
  parts_are ps [(W - a, 0); (a, k)]%Z -> parts_are qs [(1, 0)]%Z ->
  (forall x, Rabs (contribution x) <= IZR k / IZR den) ->
  remove_within (Query (normal sigma) (IZR a / IZR W) contribution) (the_step den sigma W 1 ps qs).
Proof.
  intros Ha Hp Hq Hc D D' O.
  pose proof (proj1 (noise_within _ _ _ contribution (normal_noise sigma sigma_positive) (rate_range Ha) Hc) D D' O) as K.
  revert K. apply no_worse_than_same; intros x; cbn [sampled_shift p_of q_of]; symmetry.
  - now apply parts_sampled.
  - now apply parts_at_0.
Qed.

Lemma mirrored_density cs x : (0 <= a <= W)%Z -> parts_are cs [(W - a, 0); (a, - k)]%Z ->
  density den sigma W cs (- x) = (1 - IZR a / IZR W) * normal sigma x + IZR a / IZR W * normal sigma (x - IZR k / IZR den).
Proof.
  intros Ha H. rewrite (parts_sampled cs (- k) (- x) Ha H), opp_IZR.
  replace (- x - - IZR k / IZR den) with (- (x - IZR k / IZR den)) by (unfold Rdiv; ring). now rewrite !normal_reflected.
Qed.

Theorem grid_add_within {A} (contribution : A -> R) : (0 <= a <= W)%Z ->
  parts_are ps [(1, 0)]%Z -> parts_are qs [(W - a, 0); (a, - k)]%Z ->
  (forall x, Rabs (contribution x) <= IZR k / IZR den) ->
  add_within (Query (normal sigma) (IZR a / IZR W) contribution) (the_step den sigma 1 W ps qs).
Proof.
  intros Ha Hp Hq Hc D D' O.
  pose proof (proj2 (noise_within _ _ _ contribution (normal_noise sigma sigma_positive) (rate_range Ha) Hc) D D' O) as K.
  apply no_worse_trans with (1 := K).
  apply (no_worse_same line (fun x => density den sigma 1 ps (- x)) (fun x => density den sigma W qs (- x))).
  - intros x. rewrite (parts_at_0 ps (- x) Hp). apply normal_reflected.
  - intros x. now apply mirrored_density.
  - apply no_worse_reflected. apply no_worse_refl. intros x. unfold the_step. cbn [p_of q_of].
    pose proof (normal_positive sigma sigma_positive x) as P. split.
    + rewrite (parts_at_0 ps x Hp). lra.
    + rewrite <- (Ropp_involutive x), (mirrored_density qs (- x) Ha Hq). pose proof (rate_range Ha).
      pose proof (normal_positive sigma sigma_positive (- x)). pose proof (normal_positive sigma sigma_positive (- x - IZR k / IZR den)).
      apply Rplus_le_le_0_compat; apply Rmult_le_pos; lra.
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
