(** Half-spaces under normal noise in several dimensions have the probabilities of half-lines: the integral of
    normal(x) times the probability beyond alpha + beta x is the probability beyond alpha / sqrt(1 + beta^2). *)
From Coq Require Import Reals List Lra Psatz.
From Coquelicot Require Import Coquelicot.
From Plaudit Require Import Privacy Outputs Laws Line Normal Normalised Noise Laplace.
Open Scope R_scope.

Section Rotation.
Variable sigma : R.
Hypothesis sigma_positive : 0 < sigma.
Notation n := (normal sigma).
Notation tail := (upper (normal sigma)).
Let noise : rising_noise n := normal_noise sigma sigma_positive.

Lemma n_positive x : 0 < n x.
Proof. now apply normal_positive. Qed.
Lemma n_integrable a b : ex_RInt n a b.
Proof. now apply normal_integrable. Qed.
Lemma n_bounded x : n x <= n 0.
Proof.
  unfold normal, Rdiv. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat, normal_scale_positive|].
  assert (L : - (x * x) * / (2 * sigma * sigma) <= - (0 * 0) * / (2 * sigma * sigma)).
  { apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; nra | nra]. }
  destruct L as [L | ->]; [left; now apply exp_increasing | lra].
Qed.

Lemma tail_derive t : is_derive tail t (- n t).
Proof.
  unfold upper. replace (- n t) with (minus zero (n t)) by (unfold minus, plus, opp, zero; simpl; ring).
  apply (is_derive_minus (V := R_NormedModule) (fun _ => 1 / 2) (fun x => RInt n 0 x)).
  - apply (is_derive_const (V := R_NormedModule)).
  - apply (is_derive_RInt n (fun x => RInt n 0 x) 0 t); [|now apply normal_continuous].
    exists (mkposreal 1 Rlt_0_1). intros y _. apply (RInt_correct n), n_integrable.
Qed.
Lemma tail_continuous t : continuous tail t.
Proof. apply (ex_derive_continuous tail). eexists. apply tail_derive. Qed.

Lemma tail_range t : 0 <= tail t <= 1.
Proof.
  pose proof (upper_integral n noise t) as I. split.
  - pose proof (integral_scaled line 0 _ _ (noise_total n noise)) as Z. rewrite Rmult_0_l in Z.
    refine (integral_monotone line _ _ _ _ _ Z I). intros x. pose proof (n_positive x). unfold beyond. destruct (Rlt_dec t x); lra.
  - refine (integral_monotone line _ n _ _ _ I (noise_total n noise)).
    intros x. pose proof (n_positive x). unfold beyond. destruct (Rlt_dec t x); lra.
Qed.

Lemma tail_mirrored t : tail (- t) = 1 - tail t.
Proof.
  unfold upper. rewrite <- (opp_RInt_swap n) by apply n_integrable. rewrite (noise_mirrored n noise).
  unfold opp; simpl. lra.
Qed.

Lemma tail_vanishes e : 0 < e -> exists M, forall t, M < t -> tail t < e.
Proof.
  intros He. destruct (noise_limit n noise (ball 0 (mkposreal _ He))) as [M HM]; [now exists (mkposreal _ He)|].
  exists M. intros t Ht. specialize (HM t Ht). unfold ball in HM; simpl in HM.
  unfold AbsRing_ball, abs, minus, plus, opp in HM; simpl in HM. apply Rabs_def2 in HM. unfold upper. lra.
Qed.

Lemma piece_range a b : a < b -> 0 <= RInt n a b <= 1.
Proof.
  intros H. split.
  - apply RInt_ge_0; [lra | apply n_integrable | intros x _; left; apply n_positive].
  - pose proof (integral_interval n a b _ H (RInt_correct n a b (n_integrable a b))) as I.
    refine (integral_monotone line _ n _ _ _ I (noise_total n noise)).
    intros x. pose proof (n_positive x). unfold interval. destruct (Rlt_dec a x); [destruct (Rle_dec x b)|]; lra.
Qed.

Section Piece.
Variables (beta a b : R).
Hypothesis a_below_b : a < b.
Definition width : R := sqrt (1 + beta * beta).
Definition piece (alpha : R) : R := RInt (fun x => n x * tail (alpha + beta * x)) a b.

Lemma width_positive : 0 < width.
Proof. apply sqrt_lt_R0. nra. Qed.
Lemma width_squared : width * width = 1 + beta * beta.
Proof. apply sqrt_sqrt. nra. Qed.

Lemma inside_continuous alpha x : continuous (fun x => n x * tail (alpha + beta * x)) x.
Proof.
  apply (continuous_mult n (fun x => tail (alpha + beta * x))); [now apply normal_continuous|].
  apply (continuous_comp (fun x => alpha + beta * x) tail); [|apply tail_continuous].
  apply (ex_derive_continuous (fun x => alpha + beta * x)). auto_derive. auto.
Qed.
Lemma inside_integrable alpha c d : ex_RInt (fun x => n x * tail (alpha + beta * x)) c d.
Proof. apply (ex_RInt_continuous (fun x => n x * tail (alpha + beta * x))). intros; apply inside_continuous. Qed.

(** The square is completed. *)
Lemma square_completed alpha x : n x * n (alpha + beta * x) = n (alpha / width) * n (width * x + alpha * beta / width).
Proof.
  unfold normal. pose proof (normal_scale_positive sigma sigma_positive) as K. set (k := sigma * sqrt (2 * PI)) in *.
  pose proof width_positive as Hw. pose proof width_squared as Hw2. set (w := width) in *.
  assert (E : forall u v, exp u / k * (exp v / k) = exp (u + v) / k / k) by (intros; rewrite exp_plus; field; lra).
  rewrite !E. do 3 f_equal. unfold Rdiv. rewrite <- !Rmult_plus_distr_r. f_equal.
  apply Rmult_eq_reg_r with (w * w); [|nra].
  replace ((- (alpha * / w * (alpha * / w)) + - ((w * x + alpha * beta * / w) * (w * x + alpha * beta * / w))) * (w * w))
    with (- (alpha * alpha) - (w * w * x + alpha * beta) * (w * w * x + alpha * beta)) by (field; lra).
  rewrite Hw2. ring.
Qed.

Lemma product_integral alpha : RInt (fun x => - (n x * n (alpha + beta * x))) a b =
  - (n (alpha / width) / width * RInt n (width * a + alpha * beta / width) (width * b + alpha * beta / width)).
Proof.
  pose proof width_positive as Hw. apply is_RInt_unique.
  pose proof (is_RInt_comp_lin (V := R_NormedModule) n width (alpha * beta / width) a b _ (RInt_correct n _ _ (n_integrable _ _))) as H.
  apply (is_RInt_scal (V := R_NormedModule) _ _ _ (- (n (alpha / width) / width))) in H. unfold scal in H; simpl in H. unfold mult in H; simpl in H.
  rewrite Ropp_mult_distr_l. apply (is_RInt_ext (V := R_NormedModule)) with (2 := H). intros x _.
  rewrite square_completed. match goal with |- @eq _ ?u ?v => change (@eq R u v) end. field. lra.
Qed.

Lemma piece_derive alpha : is_derive piece alpha (RInt (fun x => - (n x * n (alpha + beta * x))) a b).
Proof.
  assert (D : forall x u, is_derive (fun v => n x * tail (v + beta * x)) u (- (n x * n (u + beta * x)))).
  { intros x u. replace (- (n x * n (u + beta * x))) with (n x * (1 * - n (u + beta * x))) by ring.
    apply (is_derive_scal (fun v => tail (v + beta * x)) u (n x)).
    apply (is_derive_comp tail (fun v => v + beta * x)); [apply tail_derive|]. auto_derive; auto. }
  assert (E : RInt (fun x => Derive (fun v => n x * tail (v + beta * x)) alpha) a b = RInt (fun x => - (n x * n (alpha + beta * x))) a b).
  { apply RInt_ext. intros x _. apply is_derive_unique, D. }
  rewrite <- E. apply (is_derive_RInt_param (fun v x => n x * tail (v + beta * x)) a b alpha).
  - exists (mkposreal 1 Rlt_0_1). intros y _ x _. eexists. apply D.
  - intros x _. apply (continuity_2d_pt_ext (fun u v => - (n v * n (u + beta * v)))).
    { intros u v. symmetry. apply is_derive_unique, D. }
    assert (U := continuity_2d_pt_id1 alpha x). assert (V := continuity_2d_pt_id2 alpha x).
    assert (C : forall y, continuity_pt n y).
    { intros y. apply continuity_pt_filterlim. now apply normal_continuous. }
    apply continuity_2d_pt_opp. apply continuity_2d_pt_mult.
    + now apply (continuity_1d_2d_pt_comp n (fun u v => v)).
    + apply (continuity_1d_2d_pt_comp n (fun u v => u + beta * v)); auto.
      apply continuity_2d_pt_plus; auto. apply continuity_2d_pt_mult; auto. apply continuity_2d_pt_const.
  - exists (mkposreal 1 Rlt_0_1). intros y _. apply inside_integrable.
Qed.

(** [piece alpha - tail (alpha / width)] rises, and it is at most 0 far away. *)
Lemma piece_rises alpha alpha' : alpha <= alpha' -> piece alpha - tail (alpha / width) <= piece alpha' - tail (alpha' / width).
Proof.
  intros L. pose proof width_positive as Hw. pose proof (Rinv_0_lt_compat _ Hw) as Hi.
  set (E := fun u => piece u - tail (u / width)).
  set (dE := fun u => n (u / width) / width * (1 - RInt n (width * a + u * beta / width) (width * b + u * beta / width))).
  assert (D : forall u, is_derive E u (dE u)).
  { intros u. unfold dE.
    replace (n (u / width) / width * (1 - RInt n (width * a + u * beta / width) (width * b + u * beta / width)))
      with (minus (RInt (fun x => - (n x * n (u + beta * x))) a b) (/ width * - n (u / width))).
    - apply (is_derive_minus (V := R_NormedModule) piece (fun u => tail (u / width))); [apply piece_derive|].
      apply (is_derive_comp tail (fun u => u / width)); [apply tail_derive|]. auto_derive; auto. field. lra.
    - rewrite product_integral. unfold minus, plus, opp; simpl. field. lra. }
  destruct (MVT_gen E alpha alpha' dE) as (c & _ & M).
  - intros u _. apply D.
  - intros u _. apply continuity_pt_filterlim. apply (ex_derive_continuous E). eexists. apply D.
  - fold (E alpha). fold (E alpha'). assert (P : 0 <= dE c); [|assert (0 <= dE c * (alpha' - alpha)) by (apply Rmult_le_pos; lra); lra].
    unfold dE. apply Rmult_le_pos; [apply Rmult_le_pos; [left; apply n_positive | lra]|].
    destruct (piece_range (width * a + c * beta / width) (width * b + c * beta / width)) as [_ U]; [|lra].
    apply Rplus_lt_compat_r. now apply Rmult_lt_compat_l.
Qed.

Lemma piece_far e : 0 < e -> exists M, forall alpha, M < alpha -> piece alpha < e.
Proof.
  intros He. destruct (tail_vanishes e He) as [M HM]. set (C := Rabs beta * (Rabs a + Rabs b)).
  exists (M + C). intros alpha Ha. set (t := (M + (alpha - C)) / 2).
  assert (T : tail t < e) by (apply HM; unfold t; lra).
  apply Rle_lt_trans with (tail t * RInt n a b).
  2:{ destruct (piece_range a b a_below_b) as [W0 W1]. destruct (tail_range t) as [T0 T1].
      apply Rle_lt_trans with (2 := T). rewrite <- (Rmult_1_r (tail t)) at 2. now apply Rmult_le_compat_l. }
  unfold piece. pose proof (RInt_scal (V := R_CompleteNormedModule) n a b (tail t) (n_integrable a b)) as S. unfold scal in S; simpl in S. unfold mult in S; simpl in S.
  rewrite <- S. apply RInt_le; [lra | apply inside_integrable | apply (ex_RInt_scal (V := R_NormedModule)), n_integrable|].
  intros x Hx. rewrite Rmult_comm. apply Rmult_le_compat_r; [left; apply n_positive|].
  apply (upper_falls n noise). assert (B : Rabs (beta * x) <= C).
  { unfold C. rewrite Rabs_mult. apply Rmult_le_compat_l; [apply Rabs_pos|].
    unfold Rabs. destruct (Rcase_abs x), (Rcase_abs a), (Rcase_abs b); lra. }
  pose proof (Rle_abs (- (beta * x))) as N. rewrite Rabs_Ropp in N. unfold t. lra.
Qed.

Lemma piece_below alpha : piece alpha <= tail (alpha / width).
Proof.
  apply Rnot_lt_le. intros L. destruct (piece_far (piece alpha - tail (alpha / width))) as [M HM]; [lra|].
  set (A := Rmax alpha M + 1). pose proof (Rmax_l alpha M). pose proof (Rmax_r alpha M).
  specialize (HM A ltac:(unfold A; lra)). pose proof (piece_rises alpha A ltac:(unfold A; lra)).
  pose proof (tail_range (A / width)). lra.
Qed.
End Piece.

Lemma width_opp beta : width (- beta) = width beta.
Proof. unfold width. f_equal. ring. Qed.

Lemma piece_above beta a b alpha : a < b -> RInt n a b - 1 + tail (alpha / width beta) <= piece beta a b alpha.
Proof.
  intros H. pose proof (piece_below (- beta) a b H (- alpha)) as L. rewrite width_opp in L.
  replace (- alpha / width beta) with (- (alpha / width beta)) in L by (unfold Rdiv; ring). rewrite tail_mirrored in L.
  assert (E : piece (- beta) a b (- alpha) = RInt n a b - piece beta a b alpha); [|lra].
  unfold piece. pose proof (RInt_minus (V := R_CompleteNormedModule) n (fun x => n x * tail (alpha + beta * x)) a b (n_integrable a b)
    (inside_integrable beta alpha a b)) as M. unfold minus, plus, opp in M; simpl in M. unfold Rminus. rewrite <- M. apply RInt_ext. intros x _.
  replace (- alpha + - beta * x) with (- (alpha + beta * x)) by ring. rewrite tail_mirrored.
  match goal with |- @eq _ ?u ?v => change (@eq R u v) end. ring.
Qed.

Theorem rotated alpha beta : integral line (fun x => n x * tail (alpha + beta * x)) (tail (alpha / width beta)).
Proof.
  simpl. intros P [e HP]. destruct (noise_total n noise (ball 1 e)) as [Q R [M1 HQ] [M2 HR] K]; [now exists e|].
  exists (fun x => x < Rmin M1 (Rmin M2 0)) (fun y => Rmax M2 0 < y); [exists (Rmin M1 (Rmin M2 0)); auto | exists (Rmax M2 0); auto|].
  intros x y Hx Hy. pose proof (Rmin_l M1 (Rmin M2 0)). pose proof (Rmin_r M1 (Rmin M2 0)). pose proof (Rmin_r M2 0).
  pose proof (Rmax_l M2 0). pose proof (Rmax_r M2 0). assert (L : x < y) by lra.
  exists (piece beta x y alpha). split; [apply (RInt_correct (fun x => n x * tail (alpha + beta * x))), inside_integrable|].
  apply HP. destruct (K x y ltac:(apply HQ; lra) ltac:(apply HR; lra)) as (I & HI & PI). simpl in HI.
  apply (is_RInt_unique (V := R_CompleteNormedModule) n x y I) in HI. unfold ball in *; simpl in *. unfold AbsRing_ball, abs, minus, plus, opp in *; simpl in *.
  apply Rabs_def2 in PI. pose proof (piece_below beta x y L alpha). pose proof (piece_above beta x y alpha L).
  apply Rabs_def1; lra.
Qed.
End Rotation.
