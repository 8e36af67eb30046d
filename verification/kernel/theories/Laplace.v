(** Laplace noise of scale b for a sum of 0 or 1 contributions of one record that enters with the rate rn / rd.
    To the left of 0 and to the right of 1 the loss is constant; between them it increases and there are n
    slices. Their probabilities are exact differences of exp(- i / (n b)), enclosed by a geometric sequence
    in integers. Nothing is outside of the slices, so they are good in both directions. *)
From Coq Require Import Reals ZArith List Lia Lra Psatz.
From Coquelicot Require Import Coquelicot.
From Plaudit Require Import Privacy Outputs Laws Line Curve Composition Lattice Powers Slices Normal Gaussian Runs Sources.
Import List ListNotations.
Open Scope R_scope.

(** ** Integrals of the density *)

Section Density.
Variable b : R.
Hypothesis b_positive : 0 < b.
Notation lap := (laplace_density b).

Definition falling (m x : R) : R := exp (- ((x - m) / b)) / (2 * b).
Definition rising (m x : R) : R := exp ((x - m) / b) / (2 * b).
Definition falling_primitive (m x : R) : R := - (exp (- ((x - m) / b)) / 2).
Definition rising_primitive (m x : R) : R := exp ((x - m) / b) / 2.

Lemma falling_derive m x : is_derive (falling_primitive m) x (falling m x).
Proof. unfold falling_primitive, falling. auto_derive; auto. unfold Rdiv, Rminus. field. lra. Qed.
Lemma rising_derive m x : is_derive (rising_primitive m) x (rising m x).
Proof. unfold rising_primitive, rising. auto_derive; auto. unfold Rdiv, Rminus. field. lra. Qed.
Lemma falling_continuous m x : continuous (falling m) x.
Proof. apply (ex_derive_continuous (falling m)). unfold falling. auto_derive. auto. Qed.
Lemma rising_continuous m x : continuous (rising m) x.
Proof. apply (ex_derive_continuous (rising m)). unfold rising. auto_derive. auto. Qed.

Lemma lap_right m x : m <= x -> lap (x - m) = falling m x.
Proof. intros H. unfold laplace_density, falling. now rewrite Rabs_pos_eq by lra. Qed.
Lemma lap_left m x : x <= m -> lap (x - m) = rising m x.
Proof.
  intros H. unfold laplace_density, rising. rewrite <- Rabs_Ropp, Rabs_pos_eq by lra.
  do 2 f_equal. unfold Rdiv. ring.
Qed.
Lemma lap_positive x : 0 < lap x.
Proof. unfold laplace_density. apply Rdiv_lt_0_compat; [apply exp_pos | lra]. Qed.

(** Small beyond m - b log (2 e). *)
Lemma falls e : 0 < e -> forall y, y < b * ln e -> exp (y / b) < e.
Proof.
  intros He y H. rewrite <- (exp_ln e He) at 1. apply exp_increasing. apply Rmult_lt_reg_r with b; auto.
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. lra.
Qed.

Lemma falling_limit m : filterlim (falling_primitive m) (Rbar_locally p_infty) (locally 0).
Proof.
  intros P [e HP]. exists (m - b * ln e). intros x Hx. apply HP. unfold ball; simpl.
  unfold AbsRing_ball, abs, minus, plus, opp; simpl. pose proof (falls e (cond_pos e) (- (x - m)) ltac:(lra)) as F.
  unfold falling_primitive. replace (- ((x - m) / b)) with (- (x - m) / b) by (unfold Rdiv; ring).
  pose proof (exp_pos (- (x - m) / b)). rewrite <- Rabs_Ropp, Rabs_pos_eq; lra.
Qed.
Lemma rising_limit m : filterlim (rising_primitive m) (Rbar_locally m_infty) (locally 0).
Proof.
  intros P [e HP]. exists (m + b * ln e). intros x Hx. apply HP. unfold ball; simpl.
  unfold AbsRing_ball, abs, minus, plus, opp; simpl. pose proof (falls e (cond_pos e) (x - m) ltac:(lra)) as F.
  unfold rising_primitive. pose proof (exp_pos ((x - m) / b)). rewrite Rabs_pos_eq; lra.
Qed.

Definition up_to (a x : R) : R := if Rlt_dec a x then 0 else 1.
Definition beyond (a x : R) : R := if Rlt_dec a x then 1 else 0.

Lemma integral_up_to a m : a <= m -> integral line (fun x => up_to a x * lap (x - m)) (exp ((a - m) / b) / 2).
Proof.
  intros H. pose proof (tail_left _ _ (rising_derive m) (rising_continuous m) a (rising_limit m)) as I.
  rewrite Rminus_0_r in I. refine (integral_same _ _ _ _ _ I). intros x. unfold up_to.
  destruct (Rlt_dec a x); [ring|]. rewrite lap_left by lra. ring.
Qed.
Lemma integral_beyond a m : m <= a -> integral line (fun x => beyond a x * lap (x - m)) (exp (- ((a - m) / b)) / 2).
Proof.
  intros H. pose proof (tail_right _ _ (falling_derive m) (falling_continuous m) a (falling_limit m)) as I.
  replace (0 - falling_primitive m a) with (exp (- ((a - m) / b)) / 2) in I by (unfold falling_primitive; ring).
  refine (integral_same _ _ _ _ _ I). intros x. unfold beyond.
  destruct (Rlt_dec a x); [|ring]. rewrite lap_right by lra. ring.
Qed.
Lemma integral_falling a c m : m <= a < c ->
  integral line (fun x => interval a c x * lap (x - m)) ((exp (- ((a - m) / b)) - exp (- ((c - m) / b))) / 2).
Proof.
  intros H. apply integral_interval; [lra|]. apply (is_RInt_ext (V := R_NormedModule) (falling m)).
  - rewrite Rmin_left, Rmax_right by lra. intros x Hx. symmetry. apply lap_right; lra.
  - replace ((exp (- ((a - m) / b)) - exp (- ((c - m) / b))) / 2) with (falling_primitive m c - falling_primitive m a)
      by (unfold falling_primitive; field).
    apply (is_RInt_derive (V := R_CompleteNormedModule) (falling_primitive m) (falling m)); intros;
      [apply falling_derive | apply falling_continuous].
Qed.
Lemma integral_rising a c m : a < c <= m ->
  integral line (fun x => interval a c x * lap (x - m)) ((exp ((c - m) / b) - exp ((a - m) / b)) / 2).
Proof.
  intros H. apply integral_interval; [lra|]. apply (is_RInt_ext (V := R_NormedModule) (rising m)).
  - rewrite Rmin_left, Rmax_right by lra. intros x Hx. symmetry. apply lap_left; lra.
  - replace ((exp ((c - m) / b) - exp ((a - m) / b)) / 2) with (rising_primitive m c - rising_primitive m a)
      by (unfold rising_primitive; field).
    apply (is_RInt_derive (V := R_CompleteNormedModule) (rising_primitive m) (rising m)); intros;
      [apply rising_derive | apply rising_continuous].
Qed.
End Density.

(** The density is one of a probability distribution. *)
Theorem laplace_integrates_to_1 b : 0 < b -> integral line (laplace_density b) 1.
Proof.
  intros Hb. pose proof (integral_sum _ _ _ _ _ (integral_up_to b Hb 0 0 (Rle_refl 0)) (integral_beyond b Hb 0 0 (Rle_refl 0))) as I.
  replace (exp ((0 - 0) / b) / 2 + exp (- ((0 - 0) / b)) / 2) with 1 in I.
  - refine (integral_same _ _ _ _ _ I). intros x. unfold up_to, beyond. rewrite Rminus_0_r. destruct (Rlt_dec 0 x); ring.
  - replace ((0 - 0) / b) with 0 by (unfold Rdiv; ring). rewrite Ropp_0, exp_0. field.
Qed.

(** ** The slices *)

Section Slices.
Variables (B T rn rd : Z) (n : nat).
(** Enclosures of exp(- i / (n b)). *)
Variable es : list (Z * Z).
Definition e_at (i : nat) : Z * Z := nth i es (0, 0)%Z.
Definition mix (x y : Z * Z) : Z * Z :=
  ((rd - rn) * fst x + rn * fst y, (rd - rn) * snd x + rn * snd y)%Z.
Definition less (x y : Z * Z) : Z * Z := (Z.max 0 (fst x - snd y), snd x - fst y)%Z.
(** At i / n the ratio p / q is this over rd exp(- i / (n b)). *)
Definition tilted (i : nat) : Z * Z := mix (e_at i) (e_at (n - i)).
(** From i / n to j / n, with enclosures of 2 rd times the probability under p, and of 2 times that under q. *)
Definition laplace_slice (i j : nat) (p q : Z * Z) : slice :=
  Slice (fst p / (2 * rd)) (- (- snd p / (2 * rd))) (fst q / 2) (- (- snd q / 2))
    (rd * snd (e_at i)) (fst (tilted i)) (rd * fst (e_at j)) (snd (tilted j)).
(** To the left of 0 and to the right of 1 the ratio is constant. *)
Definition rounded_slice (x : slice) : slice :=
  constant_slice (up (T - B) (high_p x) * 2 ^ (T - B)) (up (T - B) (high_q x) * 2 ^ (T - B)) x.
Definition first_slice : slice := rounded_slice (laplace_slice 0 0 (tilted 0) (2 ^ T, 2 ^ T)%Z).
Definition middle_slice (i : nat) : slice :=
  let q := less (e_at i) (e_at (S i)) in
  laplace_slice i (S i) (mix q (less (e_at (n - S i)) (e_at (n - i)))) q.
Definition last_slice : slice := rounded_slice (laplace_slice n n (tilted n) (e_at n)).
Definition all_slices : list slice := first_slice :: map middle_slice (seq 0 n) ++ [last_slice].
End Slices.

(** [u]: an enclosure of exp(- 1 / (n b)). *)
Definition laplace_slices (B T rn rd : Z) (n : nat) (u : Z * Z) : list slice :=
  all_slices B T rn rd n (geometric T (S n) (2 ^ T, 2 ^ T)%Z u).

Section Laplace.
Variables (B T rn rd : Z) (n : nat) (b : R) (u : Z * Z).
Hypothesis B_range : (0 <= B <= T)%Z.
Hypothesis T_nonnegative : (0 <= T)%Z.
Hypothesis rate_positive : (0 <= rn <= rd)%Z /\ (0 < rd)%Z.
Hypothesis n_positive : (0 < n)%nat.
Hypothesis b_positive : 0 < b.
Hypothesis u_encloses : encloses T u (exp (- (/ (INR n * b)))).
Notation encloses := (encloses T).
Notation two x := (IZR (2 ^ x)).
Notation lap := (laplace_density b).
Notation rate := (IZR rn / IZR rd).
Notation es := (geometric T (S n) (2 ^ T, 2 ^ T)%Z u).
Notation e_at := (e_at es).
Notation tilted := (tilted rn rd n es).

Definition at_step (i : nat) : R := exp (- (INR i / INR n / b)).

Lemma n_R : 0 < INR n. Proof. now apply lt_0_INR. Qed.
Lemma rd_R : 0 < IZR rd. Proof. apply IZR_lt; lia. Qed.

Lemma one_encloses : encloses (2 ^ T, 2 ^ T)%Z 1.
Proof. pose proof (two_positive T T_nonnegative). split; cbn [fst snd]; [lia | lra]. Qed.

Lemma e_encloses i : (i <= n)%nat -> encloses (e_at i) (at_step i).
Proof.
  intros Hi. unfold Laplace.e_at. replace (at_step i) with (1 * exp (- (/ (INR n * b))) ^ i).
  - apply geometric_encloses; auto; [apply one_encloses | lia].
  - rewrite exp_power, Rmult_1_l. unfold at_step. f_equal. pose proof n_R. field. lra.
Qed.

Lemma mix_encloses x y v w : encloses x v -> encloses y w ->
  encloses (mix rn rd x y) (IZR (rd - rn) * v + IZR rn * w).
Proof.
  intros (X0 & X1 & X2) (Y0 & Y1 & Y2). destruct rate_positive as [[R1 R2] R3].
  assert (H1 : 0 <= IZR (rd - rn)) by (apply IZR_le; lia). assert (H2 : 0 <= IZR rn) by (apply IZR_le; lia).
  split; [|split]; unfold mix; cbn [fst snd].
  - apply Z.add_nonneg_nonneg; apply Z.mul_nonneg_nonneg; lia.
  - rewrite plus_IZR, !mult_IZR. pose proof (Rmult_le_compat_l _ _ _ H1 X1). pose proof (Rmult_le_compat_l _ _ _ H2 Y1). lra.
  - rewrite plus_IZR, !mult_IZR. pose proof (Rmult_le_compat_l _ _ _ H1 X2). pose proof (Rmult_le_compat_l _ _ _ H2 Y2). lra.
Qed.

Lemma less_encloses x y v w : w <= v -> encloses x v -> encloses y w -> encloses (less x y) (v - w).
Proof.
  intros L (X0 & X1 & X2) (Y0 & Y1 & Y2). pose proof (two_T T T_nonnegative) as HT.
  split; [|split]; unfold less; cbn [fst snd].
  - apply Z.le_max_l.
  - destruct (Z.max_spec 0 (fst x - snd y)) as [[_ ->] | [_ ->]].
    + rewrite minus_IZR. lra.
    + apply Rmult_le_pos; lra.
  - rewrite minus_IZR. lra.
Qed.

Definition real_tilted (i : nat) : R := IZR (rd - rn) * at_step i + IZR rn * at_step (n - i).
Lemma tilted_encloses i : (i <= n)%nat -> encloses (tilted i) (real_tilted i).
Proof. intros Hi. apply mix_encloses; apply e_encloses; lia. Qed.

(** ** Ratios *)

Lemma step_fraction i : (i <= n)%nat -> INR (n - i) / INR n = 1 - INR i / INR n.
Proof. intros Hi. rewrite minus_INR by auto. pose proof n_R. field. lra. Qed.

Lemma lap_times x i : lap x * at_step i = exp (- ((Rabs x + INR i / INR n) / b)) / (2 * b).
Proof.
  unfold laplace_density, at_step. unfold Rdiv at 1. rewrite (Rmult_comm _ (/ (2 * b))), Rmult_assoc, <- exp_plus.
  unfold Rdiv at 4. rewrite Rmult_comm. do 2 f_equal. field. pose proof n_R. lra.
Qed.

Lemma lap_monotone x y : x <= y -> exp (- (y / b)) / (2 * b) <= exp (- (x / b)) / (2 * b).
Proof.
  intros H. unfold Rdiv at 1 3. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|].
  assert (L : - (y / b) <= - (x / b)).
  { apply Ropp_le_contravar. unfold Rdiv. apply Rmult_le_compat_r; auto. left; now apply Rinv_0_lt_compat. }
  destruct L as [L | ->]; [left; now apply exp_increasing | lra].
Qed.

Lemma fraction_range i : (i <= n)%nat -> 0 <= INR i / INR n <= 1.
Proof.
  intros Hi. pose proof n_R as H. pose proof (Rinv_0_lt_compat _ H). split.
  - apply Rmult_le_pos; [apply pos_INR | lra].
  - apply Rmult_le_reg_r with (INR n); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r, Rmult_1_l by lra. now apply le_INR.
Qed.

Lemma ratio_right x i : (i <= n)%nat -> INR i / INR n <= x -> lap x * at_step (n - i) <= lap (x - 1) * at_step i.
Proof.
  intros Hi H. rewrite !lap_times, step_fraction by auto. pose proof (fraction_range i Hi). apply lap_monotone.
  rewrite (Rabs_pos_eq x) by lra. unfold Rabs. destruct (Rcase_abs (x - 1)); lra.
Qed.
Lemma ratio_left x i : (i <= n)%nat -> x <= INR i / INR n -> lap (x - 1) * at_step i <= lap x * at_step (n - i).
Proof.
  intros Hi H. rewrite !lap_times, step_fraction by auto. pose proof (fraction_range i Hi). apply lap_monotone.
  rewrite (Rabs_left1 (x - 1)) by lra. unfold Rabs. destruct (Rcase_abs x); lra.
Qed.
(** On the left of 0 and on the right of 1 the ratio is constant. *)
Lemma ratio_left_0 x : x <= 0 -> lap x * at_step n <= lap (x - 1) * at_step 0.
Proof.
  intros H. rewrite !lap_times. apply lap_monotone. pose proof n_R.
  replace (INR 0 / INR n) with 0 by (simpl; unfold Rdiv; ring). replace (INR n / INR n) with 1 by (field; lra).
  rewrite (Rabs_left1 (x - 1)), (Rabs_left1 x) by lra. lra.
Qed.
Lemma ratio_right_1 x : 1 <= x -> lap (x - 1) * at_step n <= lap x * at_step 0.
Proof.
  intros H. rewrite !lap_times. apply lap_monotone. pose proof n_R.
  replace (INR 0 / INR n) with 0 by (simpl; unfold Rdiv; ring). replace (INR n / INR n) with 1 by (field; lra).
  rewrite (Rabs_pos_eq (x - 1)), (Rabs_pos_eq x) by lra. lra.
Qed.

(** ** Regions *)

Definition p_density (x : R) : R := (1 - rate) * lap x + rate * lap (x - 1).
Notation the_step := (Step line p_density lap).

Lemma p_times x : p_density x * IZR rd = IZR (rd - rn) * lap x + IZR rn * lap (x - 1).
Proof. unfold p_density. rewrite minus_IZR. pose proof rd_R. field. lra. Qed.

Lemma rate_range : 0 <= IZR (rd - rn) /\ 0 <= IZR rn.
Proof. split; apply IZR_le; lia. Qed.

Lemma step_nonnegative : nonnegative_step the_step.
Proof.
  intros x. cbn [p_of q_of]. pose proof (lap_positive b b_positive x) as P0. pose proof (lap_positive b b_positive (x - 1)) as P1.
  split; [|lra]. destruct rate_range as [R1 R2]. pose proof rd_R. apply Rmult_le_reg_r with (IZR rd); auto.
  rewrite Rmult_0_l, p_times. pose proof (Rmult_le_pos _ _ R1 (Rlt_le _ _ P0)). pose proof (Rmult_le_pos _ _ R2 (Rlt_le _ _ P1)). lra.
Qed.

(** Below, [i] and [j] are where the ratio is least and greatest. *)
Lemma laplace_region chi i j P Q mp mq : (i <= n)%nat -> (j <= n)%nat ->
  (forall x, chi x = 0 \/ chi x = 1 /\ lap x * at_step (n - i) <= lap (x - 1) * at_step i /\
     lap (x - 1) * at_step j <= lap x * at_step (n - j)) ->
  integral line (fun x => chi x * lap x) (Q / 2) -> integral line (fun x => chi x * lap (x - 1)) (P / 2) ->
  encloses mp (IZR (rd - rn) * Q + IZR rn * P) -> encloses mq Q ->
  region_holds T the_step (chi, laplace_slice rn rd n es i j mp mq).
Proof.
  intros Hi Hj Hx IQ IP Mp Mq. destruct rate_range as [R1 R2]. pose proof rd_R as HR.
  pose proof (two_T T T_nonnegative) as HT.
  split; [|split]; cbn [outputs p_of q_of laplace_slice low_p high_p low_q high_q num_hi den_hi num_lo den_lo].
  - intros x. destruct (Hx x) as [Z | (Z & K1 & K2)]; [now left | right; split; auto].
    destruct (step_nonnegative x) as [Np Nq]. cbn [p_of q_of] in Np, Nq.
    destruct (e_encloses i Hi) as (_ & _ & E2). destruct (tilted_encloses i Hi) as (_ & N1 & _).
    destruct (e_encloses j Hj) as (_ & E1 & _). destruct (tilted_encloses j Hj) as (_ & _ & N2).
    split; rewrite mult_IZR.
    + apply Rle_trans with (real_tilted i * two T * lap x); [now apply Rmult_le_compat_r|].
      apply Rle_trans with (p_density x * IZR rd * (at_step i * two T)).
      * rewrite p_times. unfold real_tilted. pose proof (Rmult_le_compat_l _ _ _ R2 K1) as K.
        apply (Rmult_le_compat_r (two T)) in K; [|lra]. lra.
      * replace (IZR rd * IZR (snd (e_at i)) * p_density x) with (p_density x * IZR rd * IZR (snd (e_at i))) by ring.
        apply Rmult_le_compat_l; auto. apply Rmult_le_pos; lra.
    + apply Rle_trans with (real_tilted j * two T * lap x); [|now apply Rmult_le_compat_r].
      apply Rle_trans with (p_density x * IZR rd * (at_step j * two T)).
      * replace (IZR rd * IZR (fst (e_at j)) * p_density x) with (p_density x * IZR rd * IZR (fst (e_at j))) by ring.
        apply Rmult_le_compat_l; auto. apply Rmult_le_pos; lra.
      * rewrite p_times. unfold real_tilted. pose proof (Rmult_le_compat_l _ _ _ R2 K2) as K.
        apply (Rmult_le_compat_r (two T)) in K; [|lra]. lra.
  - exists ((1 - rate) * (Q / 2) + rate * (P / 2)). split.
    + apply (integral_same _ (fun x => (1 - rate) * (chi x * lap x) + rate * (chi x * lap (x - 1)))).
      { intros x. unfold p_density. ring. }
      apply integral_sum; now apply integral_scaled.
    + apply divided; [lia|]. rewrite mult_IZR.
      replace (((1 - rate) * (Q / 2) + rate * (P / 2)) * (2 * IZR rd)) with (IZR (rd - rn) * Q + IZR rn * P); auto.
      rewrite minus_IZR. field. lra.
  - exists (Q / 2). split; auto. apply divided; [lia|].
    replace (Q / 2 * 2) with Q by field. exact Mq.
Qed.

Lemma at_step_0 : at_step 0 = 1.
Proof. unfold at_step. simpl. replace (- (0 / INR n / b)) with 0 by (unfold Rdiv; ring). apply exp_0. Qed.
Lemma at_step_n : at_step n = exp (- (1 / b)).
Proof. unfold at_step. do 3 f_equal. pose proof n_R. field. lra. Qed.
Lemma at_step_decreases i : at_step (S i) <= at_step i.
Proof.
  unfold at_step. rewrite S_INR. pose proof n_R as H. left. apply exp_increasing. apply Ropp_lt_contravar.
  unfold Rdiv. pose proof (Rinv_0_lt_compat _ H). pose proof (Rinv_0_lt_compat _ b_positive).
  repeat apply Rmult_lt_compat_r; auto. lra.
Qed.

Lemma first_region : region_holds T the_step (up_to 0, first_slice B T rn rd n es).
Proof.
  pose proof n_R. pose proof rd_R. unfold first_slice.
  apply (region_constant _ _ _ _ (real_tilted 0 / IZR rd)); [apply step_nonnegative| | |apply up_above; lia|apply up_above; lia].
  2:{ intros x. unfold up_to. destruct (Rlt_dec 0 x) as [L | L]; [now left | right]. split; auto. cbn [p_of q_of].
      pose proof (ratio_left_0 x ltac:(lra)) as K1. pose proof (ratio_left x 0 ltac:(lia)) as K2.
      rewrite Nat.sub_0_r, at_step_0 in K2. rewrite at_step_0 in K1.
      specialize (K2 ltac:(simpl; unfold Rdiv; lra)). apply Rmult_eq_reg_r with (IZR rd); [|lra].
      rewrite p_times. unfold real_tilted. rewrite Nat.sub_0_r, at_step_0.
      replace (lap (x - 1)) with (lap x * at_step n) by lra. field. lra. }
  apply (laplace_region _ _ _ (at_step n) 1); try lia.
  - intros x. unfold up_to. destruct (Rlt_dec 0 x) as [L | L]; [now left | right]. rewrite Nat.sub_0_r.
    split; auto. split; [apply ratio_left_0; lra|].
    pose proof (ratio_left x 0 ltac:(lia)) as K. rewrite Nat.sub_0_r in K. apply K. simpl. unfold Rdiv. lra.
  - pose proof (integral_up_to b b_positive 0 0 (Rle_refl 0)) as I. rewrite Rminus_0_r in I.
    replace (exp (0 / b)) with 1 in I by (unfold Rdiv; now rewrite Rmult_0_l, exp_0).
    refine (integral_same _ _ _ _ _ I). intros x. now rewrite Rminus_0_r.
  - pose proof (integral_up_to b b_positive 0 1 Rle_0_1) as I. rewrite at_step_n.
    replace ((0 - 1) / b) with (- (1 / b)) in I by (field; lra). exact I.
  - pose proof (tilted_encloses 0 ltac:(lia)) as K. unfold real_tilted in K. rewrite Nat.sub_0_r, at_step_0 in K. exact K.
  - apply one_encloses.
Qed.

Lemma last_region : region_holds T the_step (beyond 1, last_slice B T rn rd n es).
Proof.
  pose proof n_R. pose proof rd_R. unfold last_slice.
  assert (En : 0 < at_step n) by apply exp_pos.
  apply (region_constant _ _ _ _ (real_tilted n / (IZR rd * at_step n))); [apply step_nonnegative| | |apply up_above; lia|apply up_above; lia].
  2:{ intros x. unfold beyond. destruct (Rlt_dec 1 x) as [L | L]; [right | now left]. split; auto. cbn [p_of q_of].
      pose proof (ratio_right_1 x ltac:(lra)) as K1. pose proof (ratio_right x n ltac:(lia)) as K2.
      rewrite Nat.sub_diag, at_step_0 in K2. rewrite at_step_0 in K1.
      specialize (K2 ltac:(replace (INR n / INR n) with 1 by (field; lra); lra)).
      apply Rmult_eq_reg_r with (IZR rd); [|lra].
      rewrite p_times. unfold real_tilted. rewrite Nat.sub_diag, at_step_0.
      replace (lap x) with (lap (x - 1) * at_step n) by lra. field. lra. }
  apply (laplace_region _ _ _ 1 (at_step n)); try lia.
  - intros x. unfold beyond. destruct (Rlt_dec 1 x) as [L | L]; [right | now left]. split; auto. split.
    + apply ratio_right; auto. replace (INR n / INR n) with 1 by (field; lra). lra.
    + rewrite Nat.sub_diag. apply ratio_right_1. lra.
  - pose proof (integral_beyond b b_positive 1 0 Rle_0_1) as I. rewrite at_step_n, Rminus_0_r in *.
    refine (integral_same _ _ _ _ _ I). intros x. now rewrite Rminus_0_r.
  - pose proof (integral_beyond b b_positive 1 1 (Rle_refl 1)) as I.
    replace (exp (- ((1 - 1) / b))) with 1 in I; auto.
    replace (- ((1 - 1) / b)) with 0 by (unfold Rdiv; ring). now rewrite exp_0.
  - pose proof (tilted_encloses n ltac:(lia)) as K. unfold real_tilted in K. rewrite Nat.sub_diag, at_step_0 in K. exact K.
  - apply e_encloses. lia.
Qed.

Definition cell_of (i : nat) : R -> R := interval (INR i / INR n) (INR (S i) / INR n).

Lemma middle_region i : (i < n)%nat -> region_holds T the_step (cell_of i, middle_slice rn rd n es i).
Proof.
  intros Hi. pose proof n_R as Hn.
  assert (L : INR i / INR n < INR (S i) / INR n).
  { unfold Rdiv. apply Rmult_lt_compat_r; [now apply Rinv_0_lt_compat|]. apply lt_INR. lia. }
  pose proof (fraction_range i ltac:(lia)) as F1. pose proof (fraction_range (S i) ltac:(lia)) as F2.
  assert (D : at_step (n - i) <= at_step (n - S i)).
  { replace (n - i)%nat with (S (n - S i)) by lia. apply at_step_decreases. }
  unfold middle_slice. cbv zeta.
  apply (laplace_region _ _ _ (at_step (n - S i) - at_step (n - i)) (at_step i - at_step (S i))); try lia.
  - intros x. unfold cell_of. destruct (Rlt_dec (INR i / INR n) x) as [X1 | X1].
    2:{ left. apply interval_out. lra. }
    destruct (Rle_dec x (INR (S i) / INR n)) as [X2 | X2].
    2:{ left. apply interval_out. lra. }
    right. split; [now apply interval_in|]. split; [apply ratio_right | apply ratio_left]; auto; [lia | lra].
  - pose proof (integral_falling b b_positive (INR i / INR n) (INR (S i) / INR n) 0 ltac:(lra)) as I.
    rewrite !Rminus_0_r in I. refine (integral_same _ _ _ _ _ I). intros x. now rewrite Rminus_0_r.
  - pose proof (integral_rising b b_positive (INR i / INR n) (INR (S i) / INR n) 1 ltac:(lra)) as I.
    unfold at_step. rewrite !step_fraction by lia.
    replace (- ((1 - INR (S i) / INR n) / b)) with ((INR (S i) / INR n - 1) / b) by (field; lra).
    replace (- ((1 - INR i / INR n) / b)) with ((INR i / INR n - 1) / b) by (field; lra). exact I.
  - apply mix_encloses; apply less_encloses; auto using at_step_decreases; apply e_encloses; lia.
  - apply less_encloses; auto using at_step_decreases; apply e_encloses; lia.
Qed.

Definition laplace_regions : list ((R -> R) * slice) :=
  (up_to 0, first_slice B T rn rd n es) :: map (fun i => (cell_of i, middle_slice rn rd n es i)) (seq 0 n) ++
  [(beyond 1, last_slice B T rn rd n es)].

Lemma laplace_coverage x : coverage laplace_regions x = 1.
Proof.
  pose proof n_R as Hn.
  assert (G : forall m i, coverage (map (fun i => (cell_of i, middle_slice rn rd n es i)) (seq i m)) x =
    interval (INR i / INR n) (INR (i + m) / INR n) x).
  { induction m as [|m IH]; intros i.
    - simpl. rewrite Nat.add_0_r. symmetry. apply interval_out. destruct (Rle_or_lt x (INR i / INR n)); auto.
    - cbn [seq map]. change (coverage ((cell_of i, middle_slice rn rd n es i) ::
        map (fun i => (cell_of i, middle_slice rn rd n es i)) (seq (S i) m)) x)
        with (cell_of i x + coverage (map (fun i => (cell_of i, middle_slice rn rd n es i)) (seq (S i) m)) x).
      rewrite IH. replace (i + S m)%nat with (S i + m)%nat by lia. symmetry. apply interval_split.
      pose proof (Rinv_0_lt_compat _ Hn). unfold Rdiv. split; apply Rmult_le_compat_r; try lra; apply le_INR; lia. }
  unfold laplace_regions. change (coverage (?r :: ?l) x) with (fst r x + coverage l x).
  rewrite coverage_app, G, Nat.add_0_l. simpl coverage. cbn [fst].
  replace (INR 0 / INR n) with 0 by (simpl; unfold Rdiv; ring). replace (INR n / INR n) with 1 by (field; lra).
  unfold up_to, beyond, interval. destruct (Rlt_dec 0 x), (Rle_dec x 1), (Rlt_dec 1 x); lra.
Qed.

Theorem sampled_laplace_whole : whole_holds T (sampled_laplace b rate) (laplace_slices B T rn rd n u).
Proof.
  split; [exact step_nonnegative|]. split; [discriminate|]. exists laplace_regions. split; [|split; [|split]].
  - unfold laplace_regions, laplace_slices, all_slices. cbn [map snd]. rewrite map_app, map_map. reflexivity.
  - constructor; [exact first_region|]. apply Forall_app. split.
    + apply Forall_map, Forall_forall. intros i Hi. apply in_seq in Hi. apply middle_region. lia.
    + constructor; [exact last_region | constructor].
  - intros x. rewrite laplace_coverage. lra.
  - intros x. rewrite laplace_coverage. split; ring.
Qed.

End Laplace.

(** ** Sources *)

Definition laplace_source (B T rn rd : Z) (n : nat) (u : Z * Z) : source := Source true (laplace_slices B T rn rd n u) 0.
Definition swapped_laplace_source (B T rn rd : Z) (n : nat) (u : Z * Z) : source :=
  Source true (swapped_slices (laplace_slices B T rn rd n u)) 0.

Section Sources.
Variables (B T rn rd : Z) (n : nat) (b : R) (u : Z * Z).
Hypothesis B_range : (0 <= B <= T)%Z.
Hypothesis rate_positive : (0 <= rn <= rd)%Z /\ (0 < rd)%Z.
Hypothesis n_positive : (0 < n)%nat.
Hypothesis b_positive : 0 < b.
Hypothesis u_encloses : encloses T u (exp (- (/ (INR n * b)))).

(** Adjacency "remove", and "add". *)
Theorem sampled_laplace_source_holds :
  source_holds B T (sampled_laplace b (IZR rn / IZR rd)) (laplace_source B T rn rd n u).
Proof. apply whole_source. intros _. apply sampled_laplace_whole; auto. lia. Qed.

Theorem swapped_sampled_laplace_source_holds :
  source_holds B T (swapped (sampled_laplace b (IZR rn / IZR rd))) (swapped_laplace_source B T rn rd n u).
Proof. apply whole_source. intros _. apply whole_swapped, sampled_laplace_whole; auto. lia. Qed.
End Sources.

Lemma sampled_always b x : p_of (sampled_laplace b (IZR 1 / IZR 1)) x = p_of (laplace b) x.
Proof. simpl. field. Qed.

(** Without sampling. *)
Theorem laplace_source_holds B T n b u : (0 <= B <= T)%Z -> (0 < n)%nat -> 0 < b -> encloses T u (exp (- (/ (INR n * b)))) ->
  source_holds B T (laplace b) (laplace_source B T 1 1 n u).
Proof.
  intros H1 H2 H3 H4. assert (R : (0 <= 1 <= 1)%Z /\ (0 < 1)%Z) by lia.
  pose proof (sampled_laplace_source_holds B T 1 1 n b u H1 R H2 H3 H4) as H.
  revert H. apply source_same; intros x; [apply sampled_always | reflexivity].
Qed.

Theorem swapped_laplace_source_holds B T n b u : (0 <= B <= T)%Z -> (0 < n)%nat -> 0 < b -> encloses T u (exp (- (/ (INR n * b)))) ->
  source_holds B T (swapped (laplace b)) (swapped_laplace_source B T 1 1 n u).
Proof.
  intros H1 H2 H3 H4. assert (R : (0 <= 1 <= 1)%Z /\ (0 < 1)%Z) by lia.
  pose proof (swapped_sampled_laplace_source_holds B T 1 1 n b u H1 R H2 H3 H4) as H.
  revert H. apply source_same; intros x; [reflexivity | apply sampled_always].
Qed.
