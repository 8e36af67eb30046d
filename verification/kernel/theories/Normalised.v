(** The normal density integrates to 1 over the line, so the densities of Gaussian steps are probability
    densities. The derivative of (int_0^x exp(-t^2) dt)^2 + int_0^1 exp(-x^2 (1 + t^2)) / (1 + t^2) dt is 0,
    at x = 0 it is pi / 4, and far from 0 the second integral is small. *)
From Coq Require Import Reals List Lra Psatz.
From Coquelicot Require Import Coquelicot.
From Plaudit Require Import Privacy Outputs Laws Line.
Import ListNotations.
Open Scope R_scope.

Definition bell (t : R) : R := exp (- (t * t)).
Definition error (x : R) : R := RInt bell 0 x.
Definition kernel (x t : R) : R := exp (- (x * x * (1 + t * t))) / (1 + t * t).
Definition rest (x : R) : R := RInt (kernel x) 0 1.

Lemma square_plus t : 0 < 1 + t * t.
Proof. nra. Qed.

Lemma bell_continuous x : continuous bell x.
Proof. apply (ex_derive_continuous bell). unfold bell. auto_derive. auto. Qed.
Lemma bell_integrable a b : ex_RInt bell a b.
Proof. apply (ex_RInt_continuous bell). intros; apply bell_continuous. Qed.
Lemma kernel_continuous x t : continuous (kernel x) t.
Proof.
  apply (ex_derive_continuous (kernel x)). unfold kernel. auto_derive. pose proof (square_plus t). lra.
Qed.
Lemma kernel_integrable x a b : ex_RInt (kernel x) a b.
Proof. apply (ex_RInt_continuous (kernel x)). intros; apply kernel_continuous. Qed.

Lemma error_derive x : is_derive error x (bell x).
Proof.
  apply (is_derive_RInt bell error 0 x); [|apply bell_continuous].
  exists (mkposreal 1 Rlt_0_1). intros y _. apply (RInt_correct bell), bell_integrable.
Qed.

Lemma kernel_derive t x : is_derive (fun u => kernel u t) x (- 2 * x * exp (- (x * x * (1 + t * t)))).
Proof. unfold kernel. pose proof (square_plus t). auto_derive; [lra|]. field. lra. Qed.

(** The substitution t -> x t in int_0^x exp(-t^2) dt. *)
Lemma error_scaled x : is_RInt (fun t => x * bell (x * t)) 0 1 (error x).
Proof.
  pose proof (is_RInt_comp_lin (V := R_NormedModule) bell x 0 0 1 (error x)) as H.
  replace (x * 0 + 0) with 0 in H by ring. replace (x * 1 + 0) with x in H by ring.
  specialize (H (RInt_correct bell _ _ (bell_integrable _ _))).
  apply (is_RInt_ext (V := R_NormedModule)) with (2 := H). intros t _. unfold scal; simpl. unfold mult; simpl.
  now rewrite Rplus_0_r.
Qed.

Lemma rest_derive x : is_derive rest x (- 2 * bell x * error x).
Proof.
  assert (E : RInt (fun t => Derive (fun u => kernel u t) x) 0 1 = - 2 * bell x * error x).
  { apply is_RInt_unique.
    apply (is_RInt_ext (V := R_NormedModule) (fun t => scal (- 2 * bell x) (x * bell (x * t)))).
    - intros t _. transitivity (- 2 * x * exp (- (x * x * (1 + t * t)))).
      2: symmetry; apply is_derive_unique, kernel_derive.
      unfold scal; simpl. unfold mult; simpl. unfold bell.
      replace (- (x * x * (1 + t * t))) with (- (x * x) + - (x * t * (x * t))) by ring. rewrite exp_plus. ring.
    - apply (is_RInt_scal (V := R_NormedModule)). apply error_scaled. }
  rewrite <- E. apply (is_derive_RInt_param kernel 0 1 x).
  - exists (mkposreal 1 Rlt_0_1). intros y _ t _. eexists. apply kernel_derive.
  - intros t _. apply (continuity_2d_pt_ext (fun u v => - 2 * u * exp (- (u * u * (1 + v * v))))).
    { intros u v. symmetry. apply is_derive_unique, kernel_derive. }
    assert (U := continuity_2d_pt_id1 x t). assert (V := continuity_2d_pt_id2 x t).
    apply continuity_2d_pt_mult; [apply continuity_2d_pt_mult; auto; apply continuity_2d_pt_const|].
    apply (continuity_1d_2d_pt_comp exp).
    { apply derivable_continuous_pt, derivable_pt_exp. }
    apply continuity_2d_pt_opp. apply continuity_2d_pt_mult; [now apply continuity_2d_pt_mult|].
    apply continuity_2d_pt_plus; [apply continuity_2d_pt_const | now apply continuity_2d_pt_mult].
  - exists (mkposreal 1 Rlt_0_1). intros y _. apply kernel_integrable.
Qed.

Lemma error_at_0 : error 0 = 0.
Proof. unfold error. apply (RInt_point (V := R_CompleteNormedModule)). Qed.

Lemma rest_at_0 : rest 0 = PI / 4.
Proof.
  unfold rest. apply is_RInt_unique. replace (PI / 4) with (atan 1 - atan 0) by (rewrite atan_0, atan_1; ring).
  apply (is_RInt_ext (V := R_NormedModule) (fun t => / (1 + t * t))).
  { intros t _. unfold kernel. rewrite !Rmult_0_l, Ropp_0, exp_0. unfold Rdiv. now rewrite Rmult_1_l. }
  apply (is_RInt_derive (V := R_CompleteNormedModule) atan).
  - intros t _. exact (is_derive_atan t).
  - intros t _. apply (ex_derive_continuous (fun t => / (1 + t * t))). pose proof (square_plus t). auto_derive. lra.
Qed.

Lemma always x : error x * error x + rest x = PI / 4.
Proof.
  set (f := fun x => error x * error x + rest x).
  assert (D : forall x, is_derive f x 0).
  { intros y. replace 0 with (bell y * error y + error y * bell y + - 2 * bell y * error y) by ring.
    apply (is_derive_plus (V := R_NormedModule) (fun x => error x * error x) rest); [|apply rest_derive].
    apply (is_derive_mult error error y (bell y) (bell y)); try apply error_derive. intros; apply Rmult_comm. }
  assert (K : forall a c, a < c -> f a = f c).
  { intros a c L. apply (eq_is_derive (V := R_NormedModule) f a c); [intros t _; apply D | exact L]. }
  assert (Z : f 0 = PI / 4) by (unfold f; rewrite error_at_0, rest_at_0; ring).
  change (f x = PI / 4). rewrite <- Z. destruct (Rtotal_order x 0) as [L | [-> | L]]; [|reflexivity|symmetry]; now apply K.
Qed.

Lemma rest_range x : 0 <= rest x <= bell x.
Proof.
  assert (K : forall t, 0 <= kernel x t <= bell x).
  { intros t. unfold kernel, bell. pose proof (square_plus t) as S.
    assert (I : 0 < / (1 + t * t) <= 1).
    { split; [now apply Rinv_0_lt_compat|]. apply Rle_trans with (/ 1); [apply Rinv_le_contravar; nra | rewrite Rinv_1; lra]. }
    pose proof (exp_pos (- (x * x * (1 + t * t)))) as P.
    assert (L : exp (- (x * x * (1 + t * t))) <= exp (- (x * x))).
    { assert (L : - (x * x * (1 + t * t)) <= - (x * x)).
      { assert (0 <= x * x * (t * t)); [|lra]. apply Rmult_le_pos; apply Rle_0_sqr. }
      destruct L as [L | ->]; [left; now apply exp_increasing | lra]. }
    unfold Rdiv. split; [apply Rmult_le_pos; lra|]. rewrite <- (Rmult_1_r (exp (- (x * x)))). apply Rmult_le_compat; lra. }
  unfold rest. split.
  - apply RInt_ge_0; [lra | apply kernel_integrable | intros; apply K].
  - replace (bell x) with (RInt (fun _ => bell x) 0 1).
    + apply RInt_le; [lra | apply kernel_integrable | apply ex_RInt_const | intros; apply K].
    + rewrite (RInt_const (V := R_CompleteNormedModule)). unfold scal; simpl. unfold mult; simpl. ring.
Qed.

Lemma error_nonnegative x : 0 <= x -> 0 <= error x.
Proof. intros H. apply RInt_ge_0; auto; [apply bell_integrable|]. intros; left; apply exp_pos. Qed.

Lemma error_odd x : error (- x) = - error x.
Proof.
  unfold error. pose proof (is_RInt_comp_opp (V := R_NormedModule) bell 0 x (RInt bell 0 (- x))) as H.
  rewrite Ropp_0 in H. specialize (H (RInt_correct bell _ _ (bell_integrable _ _))).
  apply is_RInt_opp in H. rewrite <- (Ropp_involutive (RInt bell 0 (- x))). f_equal. symmetry. apply is_RInt_unique.
  apply (is_RInt_ext (V := R_NormedModule)) with (2 := H). intros t _. rewrite opp_opp. unfold bell. f_equal. ring.
Qed.

(** The limits. *)
Lemma error_limit e : 0 < e -> exists M, forall x, M < x -> Rabs (error x - sqrt PI / 2) < e.
Proof.
  intros He. pose proof PI_RGT_0 as HP. assert (S : 0 < sqrt PI) by now apply sqrt_lt_R0.
  set (s := sqrt PI / 2). assert (Hs : 0 < s) by (unfold s; lra).
  assert (SS : s * s = PI / 4).
  { unfold s. replace (sqrt PI / 2 * (sqrt PI / 2)) with (sqrt PI * sqrt PI / 4) by field. rewrite sqrt_sqrt; lra. }
  exists (1 + / (e * s)). intros x Hx. assert (Es : 0 < e * s) by now apply Rmult_lt_0_compat.
  assert (I : 0 < / (e * s)) by now apply Rinv_0_lt_compat.
  pose proof (error_nonnegative x ltac:(lra)) as N. pose proof (rest_range x) as [R0 R1]. pose proof (always x) as A.
  assert (L : bell x < e * s).
  { unfold bell. rewrite exp_Ropp. rewrite <- (Rinv_involutive (e * s)) by lra.
    apply Rinv_lt_contravar; [apply Rmult_lt_0_compat; auto; apply exp_pos|].
    apply Rlt_trans with (x * x); [nra|]. assert (x * x <> 0) by nra. pose proof (exp_ineq1 (x * x) H). lra. }
  assert (D : (s - error x) * (s + error x) = rest x) by lra.
  assert (P : 0 <= s - error x).
  { apply Rmult_le_reg_r with (s + error x); [lra|]. lra. }
  rewrite <- Rabs_Ropp, Rabs_pos_eq by lra. apply Rmult_lt_reg_r with s; auto.
  apply Rle_lt_trans with ((s - error x) * (s + error x)); [|lra].
  replace (- (error x - s)) with (s - error x) by ring. apply Rmult_le_compat_l; lra.
Qed.

(** ** The normal density *)

Section Normal.
Variables (sigma m : R).
Hypothesis sigma_positive : 0 < sigma.

Definition distribution (x : R) : R := error ((x - m) / (sigma * sqrt 2)) / sqrt PI.

Lemma scale_2 : 0 < sigma * sqrt 2.
Proof. apply Rmult_lt_0_compat; auto. apply sqrt_lt_R0. lra. Qed.
Lemma sqrt_PI : 0 < sqrt PI.
Proof. apply sqrt_lt_R0, PI_RGT_0. Qed.

Lemma distribution_derive x : is_derive distribution x (normal sigma (x - m)).
Proof.
  pose proof scale_2 as H2. pose proof sqrt_PI as HP. pose proof PI_RGT_0.
  assert (S2 : 0 < sqrt 2) by (apply sqrt_lt_R0; lra).
  unfold distribution. set (k := sigma * sqrt 2) in *.
  assert (L : is_derive (fun x => (x - m) / k) x (/ k)) by (auto_derive; [auto | field; lra]).
  pose proof (is_derive_comp error (fun x => (x - m) / k) x _ _ (error_derive _) L) as C.
  pose proof (is_derive_scal (fun x => error ((x - m) / k)) x (/ sqrt PI) _ C) as F.
  apply (is_derive_ext (fun x => / sqrt PI * error ((x - m) / k))); [intros t; apply Rmult_comm|].
  replace (normal sigma (x - m)) with (/ sqrt PI * scal (/ k) (bell ((x - m) / k))); [exact F|].
  unfold scal; simpl. unfold mult; simpl. unfold bell, normal, k. rewrite sqrt_mult by lra.
  replace (- ((x - m) / (sigma * sqrt 2) * ((x - m) / (sigma * sqrt 2)))) with (- ((x - m) * (x - m)) / (2 * sigma * sigma)).
  - field. repeat split; lra.
  - replace (2 * sigma * sigma) with (sqrt 2 * sqrt 2 * sigma * sigma) by (rewrite sqrt_sqrt by lra; ring). field. split; lra.
Qed.

Lemma normal_here_continuous x : continuous (fun x => normal sigma (x - m)) x.
Proof.
  apply (ex_derive_continuous (fun x => normal sigma (x - m))). unfold normal.
  assert (0 < sigma * sqrt (2 * PI)).
  { apply Rmult_lt_0_compat; auto. apply sqrt_lt_R0. pose proof PI_RGT_0; lra. }
  auto_derive. repeat split; auto; nra || (apply Rgt_not_eq; nra).
Qed.

Lemma distribution_near e : 0 < e -> exists M, forall y, M < y ->
  Rabs (error y / sqrt PI - 1 / 2) < e.
Proof.
  intros He. pose proof sqrt_PI as HP. destruct (error_limit (e * sqrt PI) ltac:(now apply Rmult_lt_0_compat)) as [M HM].
  exists M. intros y Hy. specialize (HM y Hy). apply Rmult_lt_reg_r with (sqrt PI); auto.
  replace (Rabs (error y / sqrt PI - 1 / 2) * sqrt PI) with (Rabs (error y - sqrt PI / 2)); auto.
  rewrite <- (Rabs_pos_eq (sqrt PI)) at 3 by lra. rewrite <- Rabs_mult. f_equal. field. lra.
Qed.

Theorem normal_integrates_to_1 : integral line (fun x => normal sigma (x - m)) 1.
Proof.
  pose proof scale_2 as H2.
  assert (Near : forall e, 0 < e -> exists M, forall y, M * (sigma * sqrt 2) < y -> Rabs (error (y / (sigma * sqrt 2)) / sqrt PI - 1 / 2) < e).
  { intros e He. destruct (distribution_near e He) as [M HM]. exists M. intros y Hy. apply HM.
    apply Rmult_lt_reg_r with (sigma * sqrt 2); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. exact Hy. }
  assert (R : integral line (fun x => if Rlt_dec 0 x then normal sigma (x - m) else 0) (0 - (distribution 0 - 1 / 2))).
  { apply (tail_right (fun x => normal sigma (x - m)) (fun x => distribution x - 1 / 2)).
    - intros x. replace (normal sigma (x - m)) with (normal sigma (x - m) - 0) by ring.
      apply (is_derive_minus (V := R_NormedModule) distribution (fun _ => 1 / 2)); [apply distribution_derive|].
      apply (is_derive_const (V := R_NormedModule)).
    - apply normal_here_continuous.
    - intros P [e HP]. destruct (Near e (cond_pos e)) as [M HM]. exists (m + M * (sigma * sqrt 2)). intros x Hx. apply HP.
      unfold ball; simpl. unfold AbsRing_ball, abs, minus, plus, opp; simpl. rewrite Ropp_0, Rplus_0_r.
      apply HM. lra. }
  assert (L : integral line (fun x => if Rlt_dec 0 x then 0 else normal sigma (x - m)) ((distribution 0 + 1 / 2) - 0)).
  { apply (tail_left (fun x => normal sigma (x - m)) (fun x => distribution x + 1 / 2)).
    - intros x. replace (normal sigma (x - m)) with (normal sigma (x - m) + 0) by ring.
      apply (is_derive_plus (V := R_NormedModule) distribution (fun _ => 1 / 2)); [apply distribution_derive|].
      apply (is_derive_const (V := R_NormedModule)).
    - apply normal_here_continuous.
    - intros P [e HP]. destruct (Near e (cond_pos e)) as [M HM]. exists (m - M * (sigma * sqrt 2)). intros x Hx. apply HP.
      unfold ball; simpl. unfold AbsRing_ball, abs, minus, plus, opp; simpl. rewrite Ropp_0, Rplus_0_r.
      specialize (HM (- (x - m)) ltac:(lra)). unfold distribution.
      replace (- (x - m) / (sigma * sqrt 2)) with (- ((x - m) / (sigma * sqrt 2))) in HM by (unfold Rdiv; ring).
      rewrite error_odd in HM. rewrite <- Rabs_Ropp.
      replace (- (error ((x - m) / (sigma * sqrt 2)) / sqrt PI + 1 / 2))
        with (- error ((x - m) / (sigma * sqrt 2)) / sqrt PI - 1 / 2) by (unfold Rdiv; ring). exact HM. }
  pose proof (integral_sum _ _ _ _ _ R L) as I.
  replace (0 - (distribution 0 - 1 / 2) + (distribution 0 + 1 / 2 - 0)) with 1 in I by field.
  refine (integral_same _ _ _ _ _ I). intros x. simpl. destruct (Rlt_dec 0 x); ring.
Qed.
End Normal.

Theorem normal_density sigma : 0 < sigma -> integral line (normal sigma) 1.
Proof.
  intros H. refine (integral_same line _ _ _ _ (normal_integrates_to_1 sigma 0 H)). intros x. now rewrite Rminus_0_r.
Qed.

(** A mixture integrates to the sum of its weights. *)
Theorem mixture_density sigma l : 0 < sigma ->
  integral line (mixture sigma l) (fold_right (fun wc t => fst wc + t) 0 l).
Proof.
  intros H. induction l as [|[w c] l IH].
  - pose proof (integral_scaled line 0 _ _ (normal_density sigma H)) as Z. rewrite Rmult_0_l in Z.
    apply (integral_same line _ _ _ (fun x => Rmult_0_l _) Z).
  - pose proof (integral_sum line _ _ _ _ (integral_scaled line w _ _ (normal_integrates_to_1 sigma c H)) IH) as I.
    rewrite Rmult_1_r in I. exact I.
Qed.

(** Both densities of a Gaussian step, sampled or not. *)
Theorem sampled_gaussian_densities sigma rate : 0 < sigma ->
  integral line (p_of (sampled_gaussian sigma rate)) 1 /\ integral line (q_of (sampled_gaussian sigma rate)) 1.
Proof.
  intros H. split; [|now apply normal_density].
  pose proof (integral_sum line _ _ _ _ (integral_scaled line (1 - rate) _ _ (normal_density sigma H))
    (integral_scaled line rate _ _ (normal_integrates_to_1 sigma 1 H))) as I.
  replace ((1 - rate) * 1 + rate * 1) with 1 in I by ring. exact I.
Qed.
