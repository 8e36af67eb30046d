(** Mixtures of normal distributions on a grid: p has its centres at or to the right of 0, q at or to the
    left, so that q / p decreases. The slices of the line, their probabilities and ratios, in integers;
    and a bound of what lies outside of them. *)
From Coq Require Import Reals ZArith List Lia Lra Psatz Bool.
From Coquelicot Require Import Coquelicot.
From Plaudit Require Import Privacy Outputs Laws Line Curve Composition Cells Attack Kronecker Lattice Powers
  Slices Normal.
Import ListNotations.
Open Scope R_scope.

(** ** Tails of the normal distribution *)

Section Tails.
Variable sigma : R.
Hypothesis sigma_positive : 0 < sigma.
Notation N := (normal sigma).

Definition tail_antiderivative (m k x : R) : R := - (k * (sigma * sigma)) * N (x - m).
Definition tail_bound (m k x : R) : R := k * (x - m) * N (x - m).

Lemma scale_positive : 0 < sigma * sqrt (2 * PI).
Proof. exact (normal_scale_positive sigma sigma_positive). Qed.

Lemma tail_derivative m k x : is_derive (tail_antiderivative m k) x (tail_bound m k x).
Proof.
  unfold tail_antiderivative, tail_bound, normal. pose proof scale_positive.
  auto_derive; [nra|]. unfold Rminus, Rdiv. field. split; [|lra]. apply Rgt_not_eq.
  apply Rmult_lt_reg_l with sigma; auto. rewrite Rmult_0_r. lra.
Qed.
Lemma tail_continuous m k x : continuous (tail_bound m k) x.
Proof.
  apply (ex_derive_continuous (tail_bound m k)). unfold tail_bound, normal. pose proof scale_positive. auto_derive. nra.
Qed.

Lemma tail_small m k : 0 <= k -> forall e, 0 < e -> exists M, forall x, M < Rabs (x - m) -> Rabs (tail_antiderivative m k x - 0) < e.
Proof.
  intros Hk e He. pose proof scale_positive as KP. set (K := sigma * sqrt (2 * PI)) in *.
  assert (SS : 0 < sigma * sigma) by (apply Rmult_lt_0_compat; auto).
  assert (S : 0 < 2 * sigma * sigma) by lra.
  set (c := k * (sigma * sigma) * (2 * sigma * sigma) / K).
  assert (C0 : 0 <= c).
  { unfold c, Rdiv. repeat apply Rmult_le_pos; try lra. left; now apply Rinv_0_lt_compat. }
  exists (1 + c / e). intros x Hx. set (y := x - m) in *.
  assert (Ce : 0 <= c / e) by (apply Rmult_le_pos; auto; left; now apply Rinv_0_lt_compat).
  assert (Y1 : Rabs y < y * y).
  { replace (y * y) with (Rabs y * Rabs y) by (unfold Rabs; destruct (Rcase_abs y); ring). nra. }
  assert (Y0 : 0 < y * y) by lra.
  assert (Yn : y <> 0) by (intros E0; rewrite E0 in Y0; lra).
  assert (X : exp (- (y * y) / (2 * sigma * sigma)) < (2 * sigma * sigma) / (y * y)).
  { replace (- (y * y) / (2 * sigma * sigma)) with (- (y * y / (2 * sigma * sigma))) by (field; repeat split; lra).
    rewrite exp_Ropp. replace ((2 * sigma * sigma) / (y * y)) with (/ (y * y / (2 * sigma * sigma))) by (field; repeat split; lra).
    assert (0 < y * y / (2 * sigma * sigma)) by (apply Rdiv_lt_0_compat; auto).
    apply Rinv_lt_contravar; [apply Rmult_lt_0_compat; auto; apply exp_pos|].
    pose proof (exp_ineq1 (y * y / (2 * sigma * sigma))). lra. }
  unfold tail_antiderivative. fold y. rewrite Rminus_0_r, <- Ropp_mult_distr_l, Rabs_Ropp.
  unfold normal. fold K. rewrite Rabs_pos_eq.
  2:{ apply Rmult_le_pos; [apply Rmult_le_pos; lra|]. left. apply Rdiv_lt_0_compat; auto. apply exp_pos. }
  apply Rle_lt_trans with (c / (y * y)).
  - unfold c. replace (k * (sigma * sigma) * (2 * sigma * sigma) / K / (y * y))
      with (k * (sigma * sigma) * ((2 * sigma * sigma) / (y * y) / K)) by (field; repeat split; lra).
    apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|]. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat | lra].
  - apply Rmult_lt_reg_r with (y * y); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    assert (E : c = e * (c / e)) by (field; repeat split; lra). rewrite E. apply Rmult_lt_compat_l; lra.
Qed.

Lemma tail_at_right m k : 0 <= k -> filterlim (tail_antiderivative m k) (Rbar_locally p_infty) (locally 0).
Proof.
  intros Hk P [e HP]. destruct (tail_small m k Hk e (cond_pos e)) as [M HM].
  exists (m + Rabs M). intros x Hx. apply HP. apply HM. pose proof (Rle_abs M).
  rewrite Rabs_pos_eq; [lra|]. pose proof (Rabs_pos M); lra.
Qed.
Lemma tail_at_left m k : 0 <= k -> filterlim (tail_antiderivative m k) (Rbar_locally m_infty) (locally 0).
Proof.
  intros Hk P [e HP]. destruct (tail_small m k Hk e (cond_pos e)) as [M HM].
  exists (m - Rabs M). intros x Hx. apply HP. apply HM. pose proof (Rle_abs M). pose proof (Rabs_pos M).
  rewrite Rabs_left; lra.
Qed.

(** What is outside of (a, b] of a normal density around m: a function above it, and its integral. *)
Definition outside (a b m x : R) : R :=
  (if Rlt_dec a x then 0 else / (m - a) * (m - x) * N (x - m)) +
  (if Rlt_dec b x then / (b - m) * (x - m) * N (x - m) else 0).

Lemma outside_integral a b m : a < m < b ->
  integral line (outside a b m) (sigma * sigma * (N (a - m) / (m - a) + N (b - m) / (b - m))).
Proof.
  intros H. assert (Ka : 0 < / (m - a)) by (apply Rinv_0_lt_compat; lra).
  assert (Kb : 0 < / (b - m)) by (apply Rinv_0_lt_compat; lra).
  pose proof (tail_left _ _ (tail_derivative m (/ (m - a))) (tail_continuous m (/ (m - a))) a
    (tail_at_left m _ (Rlt_le _ _ Ka))) as IL.
  pose proof (tail_right _ _ (tail_derivative m (/ (b - m))) (tail_continuous m (/ (b - m))) b
    (tail_at_right m _ (Rlt_le _ _ Kb))) as IR.
  pose proof (integral_sum _ _ _ _ _ (integral_scaled _ (-1) _ _ IL) IR) as I.
  replace (sigma * sigma * (N (a - m) / (m - a) + N (b - m) / (b - m)))
    with (-1 * (tail_antiderivative m (/ (m - a)) a - 0) + (0 - tail_antiderivative m (/ (b - m)) b))
    by (unfold tail_antiderivative, Rdiv; ring).
  refine (integral_same _ _ _ _ _ I). intros x; unfold outside, tail_bound.
  destruct (Rlt_dec a x), (Rlt_dec b x); ring.
Qed.

Lemma outside_nonnegative a b m x : a < m < b -> 0 <= outside a b m x.
Proof.
  intros H. pose proof (normal_positive sigma sigma_positive (x - m)) as P. unfold outside.
  assert (Ka : 0 < / (m - a)) by (apply Rinv_0_lt_compat; lra).
  assert (Kb : 0 < / (b - m)) by (apply Rinv_0_lt_compat; lra).
  apply Rplus_le_le_0_compat.
  - destruct (Rlt_dec a x); [lra|]. apply Rmult_le_pos; [apply Rmult_le_pos|]; lra.
  - destruct (Rlt_dec b x); [|lra]. apply Rmult_le_pos; [apply Rmult_le_pos|]; lra.
Qed.

Lemma outside_above a b m x : a < m < b -> (1 - interval a b x) * N (x - m) <= outside a b m x.
Proof.
  intros H. pose proof (normal_positive sigma sigma_positive (x - m)) as P. unfold outside, interval.
  destruct (Rlt_dec a x) as [A | A].
  - destruct (Rlt_dec b x) as [C | C]; destruct (Rle_dec x b); try lra.
    assert (1 <= / (b - m) * (x - m)).
    { apply Rmult_le_reg_l with (b - m); [lra|]. rewrite <- Rmult_assoc, Rinv_r by lra. lra. }
    assert (1 * N (x - m) <= / (b - m) * (x - m) * N (x - m)) by (apply Rmult_le_compat_r; lra). lra.
  - destruct (Rlt_dec b x) as [C | C]; [lra|].
    assert (1 <= / (m - a) * (m - x)).
    { apply Rmult_le_reg_l with (m - a); [lra|]. rewrite <- Rmult_assoc, Rinv_r by lra. lra. }
    assert (1 * N (x - m) <= / (m - a) * (m - x) * N (x - m)) by (apply Rmult_le_compat_r; lra). lra.
Qed.
End Tails.

(** ** Mixtures on a grid *)

(** A part of a mixture: its weight over a common denominator, its centre on the grid; and enclosures of
    exp(beta (centre k - centre^2 / 2)) at the first point k of the grid, and of exp(beta centre). *)
Record part := Part { share_of : Z; centre : Z; start : Z * Z; growth : Z * Z }.

(** Lists of enclosures, added up with integer weights. *)
Definition weighted (a : Z) (l : list (Z * Z)) : list (Z * Z) := map (fun b => (a * fst b, a * snd b)%Z) l.
Fixpoint added (l m : list (Z * Z)) : list (Z * Z) :=
  match l, m with b :: l, c :: m => (fst b + fst c, snd b + snd c)%Z :: added l m | _, _ => nil end.
Fixpoint total_of (n : nat) (ls : list (Z * list (Z * Z))) : list (Z * Z) :=
  match ls with nil => repeat (0, 0)%Z n | (a, l) :: ls => added (weighted a l) (total_of n ls) end.

Section Grid.
Variables T bn bd den : Z.
Variable sigma : R.
Hypothesis T_nonnegative : (0 <= T)%Z.
Hypothesis beta_positive : (0 < bn)%Z /\ (0 < bd)%Z.
Hypothesis sigma_positive : 0 < sigma.
Hypothesis den_positive : (0 < den)%Z.
Hypothesis beta_is : beta bn bd = / (IZR den * sigma * (IZR den * sigma)).
Notation beta := (beta bn bd).
Notation encloses := (encloses T).
Notation two x := (IZR (2 ^ x)).

Lemma added_encloses n : forall l m f g, length l = n -> length m = n ->
  (forall i, (i < n)%nat -> encloses (nth i l (0, 0)%Z) (f i)) ->
  (forall i, (i < n)%nat -> encloses (nth i m (0, 0)%Z) (g i)) ->
  length (added l m) = n /\ forall i, (i < n)%nat -> encloses (nth i (added l m) (0, 0)%Z) (f i + g i).
Proof.
  induction n as [|n IH]; intros [|b l] [|c m] f g Hl Hm Hf Hg; simpl in Hl, Hm; try discriminate.
  - split; auto. intros; lia.
  - destruct (IH l m (fun i => f (S i)) (fun i => g (S i)) ltac:(congruence) ltac:(congruence)) as [I1 I2].
    { intros i Hi. apply (Hf (S i)). lia. }
    { intros i Hi. apply (Hg (S i)). lia. }
    split; [simpl; congruence|]. intros [|i] Hi; simpl.
    + destruct (Hf 0%nat ltac:(lia)) as (F0 & F1 & F2). destruct (Hg 0%nat ltac:(lia)) as (G0 & G1 & G2). simpl in *.
      split; [|split]; simpl; rewrite ?plus_IZR; try lia; lra.
    + apply I2. lia.
Qed.

Lemma weighted_encloses a n l f : (0 <= a)%Z -> length l = n ->
  (forall i, (i < n)%nat -> encloses (nth i l (0, 0)%Z) (f i)) ->
  length (weighted a l) = n /\ forall i, (i < n)%nat -> encloses (nth i (weighted a l) (0, 0)%Z) (IZR a * f i).
Proof.
  intros Ha Hl Hf. unfold weighted. split; [now rewrite map_length|]. intros i Hi.
  rewrite (nth_indep _ (0, 0)%Z (a * fst (0, 0), a * snd (0, 0))%Z) by (rewrite map_length; lia).
  rewrite (map_nth (fun b => (a * fst b, a * snd b)%Z)). destruct (Hf i Hi) as (F0 & F1 & F2).
  apply IZR_le in Ha as Ha'. split; [|split]; cbn [fst snd]; rewrite ?mult_IZR.
  - now apply Z.mul_nonneg_nonneg.
  - pose proof (Rmult_le_compat_l _ _ _ Ha' F1). lra.
  - pose proof (Rmult_le_compat_l _ _ _ Ha' F2). lra.
Qed.

Lemma zero_encloses n i : (i < n)%nat -> encloses (nth i (repeat (0, 0)%Z n) (0, 0)%Z) 0.
Proof. intros Hi. rewrite nth_repeat. split; [|split]; simpl; try lia; lra. Qed.

(** The parts' values of a function of parts. *)
Definition sum_parts (f : part -> R) (ps : list part) : R := fold_right (fun c t => IZR (share_of c) * f c + t) 0 ps.

Lemma total_encloses n (ps : list part) (lists : part -> list (Z * Z)) (f : part -> nat -> R) :
  List.Forall (fun c => (0 <= share_of c)%Z /\ length (lists c) = n /\
    forall i, (i < n)%nat -> encloses (nth i (lists c) (0, 0)%Z) (f c i)) ps ->
  let l := total_of n (map (fun c => (share_of c, lists c)) ps) in
  length l = n /\ forall i, (i < n)%nat -> encloses (nth i l (0, 0)%Z) (sum_parts (fun c => f c i) ps).
Proof.
  induction 1 as [|c ps (H1 & H2 & H3) H IH]; simpl.
  - split; [apply repeat_length|]. intros i Hi. now apply zero_encloses.
  - destruct IH as [I1 I2]. destruct (weighted_encloses _ n _ _ H1 H2 H3) as [W1 W2].
    exact (added_encloses n _ _ _ _ W1 I1 W2 I2).
Qed.

Variable first_k : Z.  (** the first point of the grid *)
Definition tilt (c k : Z) : R := exp (beta * (IZR c * IZR k - IZR c * IZR c / 2)).
Definition part_holds (c : part) : Prop :=
  (0 <= share_of c)%Z /\ encloses (start c) (tilt (centre c) first_k) /\ encloses (growth c) (exp (beta * IZR (centre c))).

Definition tilts (n : nat) (c : part) : list (Z * Z) := geometric T n (start c) (growth c).

Lemma exp_power x n : exp x ^ n = exp (INR n * x).
Proof.
  induction n as [|n IH]; [simpl; now rewrite Rmult_0_l, exp_0|].
  rewrite S_INR. simpl. rewrite IH, <- exp_plus. f_equal. ring.
Qed.

Lemma tilts_enclose n c i : part_holds c -> (i < n)%nat ->
  encloses (nth i (tilts n c) (0, 0)%Z) (tilt (centre c) (first_k + Z.of_nat i)).
Proof.
  intros (H1 & H2 & H3) Hi.
  replace (tilt (centre c) (first_k + Z.of_nat i)) with (tilt (centre c) first_k * exp (beta * IZR (centre c)) ^ i).
  - now apply geometric_encloses.
  - rewrite exp_power. unfold tilt. rewrite <- exp_plus. f_equal. rewrite plus_IZR, <- INR_IZR_INZ. ring.
Qed.

(** A mixture of the real line. *)
Definition density (W : Z) (ps : list part) (x : R) : R :=
  sum_parts (fun c => normal sigma (x - IZR (centre c) / IZR den)) ps / IZR W.

Notation at_grid := (at_grid sigma den).
Notation cell_mass := (cell_mass sigma den).

(** At x = y / den the density is the normal one times sum of share exp(beta (c y - c^2 / 2)) / W. *)
Definition tilt_at (c : Z) (y : R) : R := exp (beta * (IZR c * y - IZR c * IZR c / 2)).
Lemma density_tilted W ps y : density W ps (y / IZR den) = normal sigma (y / IZR den) * sum_parts (fun c => tilt_at (centre c) y) ps / IZR W.
Proof.
  unfold density. f_equal. unfold sum_parts. pose proof (den_R den den_positive).
  induction ps as [|c ps IH]; simpl; [ring|]. rewrite IH.
  assert (E : normal sigma (y / IZR den - IZR (centre c) / IZR den) = normal sigma (y / IZR den) * tilt_at (centre c) y).
  { unfold normal, tilt_at.
    assert (Ex : forall a b k, exp a / k * exp b = exp (a + b) / k) by (intros; rewrite exp_plus; unfold Rdiv; ring).
    rewrite Ex. do 2 f_equal. rewrite beta_is. field. lra. }
  rewrite E. ring.
Qed.

Lemma sum_parts_monotone f g ps : List.Forall (fun c => (0 <= share_of c)%Z /\ f c <= g c) ps -> sum_parts f ps <= sum_parts g ps.
Proof.
  induction 1 as [|c ps [H1 H2] H IH]; unfold sum_parts; simpl; [lra|]. apply IZR_le in H1.
  pose proof (Rmult_le_compat_l _ _ _ H1 H2). unfold sum_parts in IH. lra.
Qed.

Lemma beta_nonnegative : 0 < beta.
Proof.
  rewrite beta_is. pose proof (den_R den den_positive). apply Rinv_0_lt_compat.
  apply Rmult_lt_0_compat; now apply Rmult_lt_0_compat.
Qed.

Lemma tilt_at_monotone c y z : y <= z -> if (0 <=? c)%Z then tilt_at c y <= tilt_at c z else tilt_at c z <= tilt_at c y.
Proof.
  intros H. pose proof beta_nonnegative as Hb.
  assert (M : forall a b, a <= b -> exp a <= exp b).
  { intros a b [L | ->]; [left; now apply exp_increasing | lra]. }
  destruct (0 <=? c)%Z eqn:E; unfold tilt_at; apply M, Rmult_le_compat_l; try lra.
  - apply Z.leb_le, IZR_le in E. pose proof (Rmult_le_compat_l _ _ _ E H). lra.
  - apply Z.leb_gt, IZR_lt in E. assert (- IZR c * y <= - IZR c * z) by (apply Rmult_le_compat_l; lra). lra.
Qed.

(** ** The slices *)

Variables (W_p W_q : Z) (ps qs : list part) (n n_table : nat).
Variables (v0 g0 h0 : Z * Z).  (** enclosures of the density at 0, of exp(-beta/2), of exp(-beta) *)
Definition the_step : step := Step line (density W_p ps) (density W_q qs).
Definition last_k : Z := (first_k + Z.of_nat n)%Z.

Hypothesis v0_encloses : encloses v0 (at_grid 0).
Hypothesis g0_encloses : encloses g0 (exp (- (beta / 2))).
Hypothesis h0_encloses : encloses h0 (exp (- beta)).
Hypothesis ps_hold : List.Forall part_holds ps.
Hypothesis qs_hold : List.Forall part_holds qs.

Definition in_range (c : part) : bool :=
  ((- Z.of_nat n_table <=? first_k - centre c) && (last_k - centre c <=? Z.of_nat n_table) &&
   (first_k <? centre c) && (centre c <? last_k))%Z.
Definition ranges_hold : bool :=
  (0 <? W_p)%Z && (0 <? W_q)%Z && forallb in_range ps && forallb in_range qs &&
  forallb (fun c => 0 <=? centre c)%Z ps && forallb (fun c => centre c <=? 0)%Z qs.

Definition table : list (Z * Z) := densities T n_table v0 g0 h0.
Definition mass_table : list (Z * Z) := masses T bn bd den table.
Definition part_masses (c : part) (table : list (Z * Z)) : list (Z * Z) :=
  map (fun i => mass_at table (first_k + Z.of_nat i - centre c)) (seq 0 n).
Definition mixed_masses (cs : list part) (table : list (Z * Z)) : list (Z * Z) :=
  total_of n (map (fun c => (share_of c, part_masses c table)) cs).
Definition mixed_tilts (cs : list part) : list (Z * Z) :=
  total_of (S n) (map (fun c => (share_of c, tilts (S n) c)) cs).

Definition slice_of (W W' : Z) (a a' b b' p q : Z * Z) : slice :=
  Slice (fst p / W) (- (- snd p / W)) (fst q / W') (- (- snd q / W'))
    (snd b * W) (fst a * W') (fst b' * W) (snd a' * W').

Definition slices : list slice :=
  let table := mass_table in
  let p := mixed_masses ps table in let q := mixed_masses qs table in
  let a := mixed_tilts ps in let b := mixed_tilts qs in
  let z := (0, 0)%Z in
  map (fun i => slice_of W_p W_q (nth i a z) (nth (S i) a z) (nth i b z) (nth (S i) b z) (nth i p z) (nth i q z)) (seq 0 n).

Definition cell_indicator (i : nat) : R -> R :=
  interval (IZR (first_k + Z.of_nat i) / IZR den) (IZR (first_k + Z.of_nat i + 1) / IZR den).
Definition regions : list ((R -> R) * slice) := combine (map cell_indicator (seq 0 n)) slices.

Lemma density_integral W cs k : (0 < W)%Z -> exists P,
  P = sum_parts (fun c => cell_mass (k - centre c)) cs / IZR W /\
  integral line (fun x => interval (IZR k / IZR den) (IZR (k + 1) / IZR den) x * density W cs x) P.
Proof.
  intros HW. eexists; split; [reflexivity|]. pose proof (den_R den den_positive) as Hd.
  assert (L : IZR k / IZR den < IZR (k + 1) / IZR den).
  { unfold Rdiv. apply Rmult_lt_compat_r; [now apply Rinv_0_lt_compat | apply IZR_lt; lia]. }
  apply integral_interval; auto. unfold density.
  apply (is_RInt_ext (V := R_NormedModule)
    (fun x => scal (/ IZR W) (sum_parts (fun c => normal sigma (x - IZR (centre c) / IZR den)) cs))).
  { intros x _. unfold scal; simpl. unfold mult; simpl. unfold Rdiv. ring. }
  replace (sum_parts (fun c => cell_mass (k - centre c)) cs / IZR W)
    with (scal (/ IZR W) (sum_parts (fun c => cell_mass (k - centre c)) cs))
    by (unfold scal; simpl; unfold mult; simpl; unfold Rdiv; ring).
  apply (is_RInt_scal (V := R_NormedModule)). induction cs as [|c cs IH]; unfold sum_parts; simpl.
  - pose proof (is_RInt_const (V := R_NormedModule) (IZR k / IZR den) (IZR (k + 1) / IZR den) 0) as Z.
    unfold scal in Z; simpl in Z. unfold mult in Z; simpl in Z. now rewrite Rmult_0_r in Z.
  - apply (is_RInt_plus (V := R_NormedModule)); [|exact IH].
    apply (is_RInt_scal (V := R_NormedModule) (fun x => normal sigma (x - IZR (centre c) / IZR den))).
    pose proof (is_RInt_comp_lin (V := R_NormedModule) (normal sigma) 1 (- (IZR (centre c) / IZR den))
      (IZR k / IZR den) (IZR (k + 1) / IZR den) (cell_mass (k - centre c))) as K.
    replace (1 * (IZR k / IZR den) + - (IZR (centre c) / IZR den)) with (IZR (k - centre c) / IZR den) in K
      by (rewrite minus_IZR; field; lra).
    replace (1 * (IZR (k + 1) / IZR den) + - (IZR (centre c) / IZR den)) with (IZR (k - centre c + 1) / IZR den) in K
      by (rewrite !plus_IZR, minus_IZR; field; lra).
    specialize (K (RInt_correct _ _ _ (normal_integrable sigma sigma_positive _ _))).
    apply (is_RInt_ext (V := R_NormedModule)) with (2 := K).
    intros x _. unfold scal; simpl. unfold mult; simpl. rewrite Rmult_1_l. f_equal. ring.
Qed.

Lemma divided b W x : (0 < W)%Z -> encloses b (x * IZR W) ->
  IZR (fst b / W) <= x * two T <= IZR (- (- snd b / W)).
Proof.
  intros HW (_ & H1 & H2). apply IZR_lt in HW as HW'. split; apply Rmult_le_reg_r with (IZR W); auto; rewrite <- mult_IZR.
  - apply Rle_trans with (IZR (fst b)); [|lra]. apply IZR_le. pose proof (Z.mul_div_le (fst b) W HW). lia.
  - apply Rle_trans with (IZR (snd b)); [lra|]. apply IZR_le. pose proof (Z.mul_div_le (- snd b) W HW). lia.
Qed.

Lemma ranges : ranges_hold = true -> (0 < W_p)%Z /\ (0 < W_q)%Z /\
  (forall c, In c ps \/ In c qs -> (- Z.of_nat n_table <= first_k - centre c)%Z /\
    (last_k - centre c <= Z.of_nat n_table)%Z /\ (first_k < centre c < last_k)%Z) /\
  (forall c, In c ps -> (0 <= centre c)%Z) /\ (forall c, In c qs -> (centre c <= 0)%Z).
Proof.
  unfold ranges_hold. rewrite !andb_true_iff, !forallb_forall, !Z.ltb_lt.
  intros (((((H1 & H2) & H3) & H4) & H5) & H6). split; [|split; [|split; [|split]]]; auto.
  - intros c Hc. assert (K : in_range c = true) by (destruct Hc; auto). unfold in_range in K.
    rewrite !andb_true_iff, !Z.leb_le, !Z.ltb_lt in K. tauto.
  - intros c Hc. apply Z.leb_le; auto.
  - intros c Hc. apply Z.leb_le; auto.
Qed.

Lemma mixed_masses_enclose cs : ranges_hold = true -> List.Forall part_holds cs -> (forall c, In c cs -> In c ps \/ In c qs) ->
  forall i, (i < n)%nat -> encloses (nth i (mixed_masses cs mass_table) (0, 0)%Z)
    (sum_parts (fun c => cell_mass (first_k + Z.of_nat i - centre c)) cs).
Proof.
  intros R H I. destruct (ranges R) as (_ & _ & Rg & _).
  apply (total_encloses n cs (fun c => part_masses c mass_table) (fun c i => cell_mass (first_k + Z.of_nat i - centre c))).
  apply List.Forall_forall. intros c Hc. rewrite List.Forall_forall in H. destruct (H c Hc) as (H1 & _).
  destruct (Rg c (I c Hc)) as (G1 & G2 & _). unfold last_k in G2.
  split; auto. split; [unfold part_masses; now rewrite map_length, seq_length|]. intros i Hi.
  unfold part_masses. set (f := fun i => mass_at mass_table (first_k + Z.of_nat i - centre c)).
  rewrite (nth_indep _ (0, 0)%Z (f 0%nat)) by (rewrite map_length, seq_length; auto).
  rewrite (map_nth f), seq_nth by auto. simpl plus. unfold f.
  apply mass_at_encloses; auto. lia.
Qed.

Lemma mixed_tilts_enclose cs : List.Forall part_holds cs ->
  forall i, (i < S n)%nat -> encloses (nth i (mixed_tilts cs) (0, 0)%Z) (sum_parts (fun c => tilt (centre c) (first_k + Z.of_nat i)) cs).
Proof.
  intros H. apply (total_encloses (S n) cs (fun c => tilts (S n) c) (fun c i => tilt (centre c) (first_k + Z.of_nat i))).
  eapply List.Forall_impl; [|exact H]. intros c Hc. split; [apply Hc|]. split; [apply geometric_length|].
  intros i Hi. now apply tilts_enclose.
Qed.

Lemma sum_parts_nonnegative f cs : List.Forall part_holds cs -> (forall c, 0 <= f c) -> 0 <= sum_parts f cs.
Proof.
  intros H Hf. unfold sum_parts. induction H as [|c cs (H1 & _) H IH]; simpl; [lra|].
  apply IZR_le in H1. pose proof (Rmult_le_pos _ _ H1 (Hf c)). lra.
Qed.

Lemma density_nonnegative W cs x : (0 < W)%Z -> List.Forall part_holds cs -> 0 <= density W cs x.
Proof.
  intros HW H. unfold density, Rdiv. apply Rmult_le_pos.
  - apply sum_parts_nonnegative; auto. intros c; left; now apply normal_positive.
  - left; apply Rinv_0_lt_compat; now apply IZR_lt.
Qed.

Lemma the_step_nonnegative : ranges_hold = true -> nonnegative_step the_step.
Proof. intros R x. destruct (ranges R) as (H1 & H2 & _). simpl. split; now apply density_nonnegative. Qed.

Lemma region_at i : ranges_hold = true -> (i < n)%nat ->
  region_holds T the_step (cell_indicator i, nth i slices (Slice 0 0 0 0 0 0 0 0)).
Proof.
  intros R Hi. destruct (ranges R) as (Hp & Hq & Rg & Cp & Cq). pose proof (den_R den den_positive) as Hd.
  set (k := (first_k + Z.of_nat i)%Z).
  pose proof (mixed_tilts_enclose ps ps_hold i ltac:(lia)) as (A0 & A1 & A2).
  pose proof (mixed_tilts_enclose ps ps_hold (S i) ltac:(lia)) as (A'0 & A'1 & A'2).
  pose proof (mixed_tilts_enclose qs qs_hold i ltac:(lia)) as (B0 & B1 & B2).
  pose proof (mixed_tilts_enclose qs qs_hold (S i) ltac:(lia)) as (B'0 & B'1 & B'2).
  pose proof (mixed_masses_enclose ps R ps_hold ltac:(auto) i Hi) as P.
  pose proof (mixed_masses_enclose qs R qs_hold ltac:(auto) i Hi) as Q.
  fold k in A1, A2, B1, B2, P, Q.
  replace (first_k + Z.of_nat (S i))%Z with (k + 1)%Z in A'1, A'2, B'1, B'2 by (unfold k; lia).
  assert (E : nth i slices (Slice 0 0 0 0 0 0 0 0) =
    slice_of W_p W_q (nth i (mixed_tilts ps) (0, 0)%Z) (nth (S i) (mixed_tilts ps) (0, 0)%Z)
      (nth i (mixed_tilts qs) (0, 0)%Z) (nth (S i) (mixed_tilts qs) (0, 0)%Z)
      (nth i (mixed_masses ps mass_table) (0, 0)%Z) (nth i (mixed_masses qs mass_table) (0, 0)%Z)).
  { unfold slices. cbv zeta. set (f := fun i => slice_of W_p W_q _ _ _ _ _ _).
    rewrite (nth_indep _ _ (f 0%nat)) by (rewrite map_length, seq_length; auto).
    now rewrite (map_nth f), seq_nth by auto. }
  rewrite E. clear E. apply IZR_lt in Hp as Hp'. apply IZR_lt in Hq as Hq'.
  pose proof (two_T T T_nonnegative) as HT.
  split; [|split].
  - intros x. unfold cell_indicator. fold k. destruct (Rlt_dec (IZR k / IZR den) x) as [X1 | X1].
    2:{ left. apply interval_out. lra. }
    destruct (Rle_dec x (IZR (k + 1) / IZR den)) as [X2 | X2]; [|left; apply interval_out; lra].
    right. split; [now apply interval_in|].
    set (y := x * IZR den). assert (Ex : x = y / IZR den) by (unfold y; field; lra).
    assert (Y1 : IZR k <= y).
    { unfold y. apply Rmult_le_reg_r with (/ IZR den); [now apply Rinv_0_lt_compat|].
      rewrite (Rmult_assoc x), Rinv_r by lra. unfold Rdiv in X1. lra. }
    assert (Y2 : y <= IZR (k + 1)).
    { unfold y. apply Rmult_le_reg_r with (/ IZR den); [now apply Rinv_0_lt_compat|].
      rewrite (Rmult_assoc x), Rinv_r by lra. unfold Rdiv in X2. lra. }
    simpl p_of. simpl q_of. rewrite Ex, !density_tilted.
    pose proof (normal_positive sigma sigma_positive (y / IZR den)) as Hn. set (N := normal sigma (y / IZR den)) in *.
    set (Ay := sum_parts (fun c => tilt_at (centre c) y) ps). set (By := sum_parts (fun c => tilt_at (centre c) y) qs).
    assert (MA : sum_parts (fun c => tilt (centre c) k) ps <= Ay).
    { apply sum_parts_monotone, List.Forall_forall. intros c Hc. rewrite List.Forall_forall in ps_hold.
      split; [apply (ps_hold c Hc)|]. pose proof (tilt_at_monotone (centre c) (IZR k) y Y1) as M.
      specialize (Cp c Hc). apply Z.leb_le in Cp. now rewrite Cp in M. }
    assert (MA' : Ay <= sum_parts (fun c => tilt (centre c) (k + 1)) ps).
    { apply sum_parts_monotone, List.Forall_forall. intros c Hc. rewrite List.Forall_forall in ps_hold.
      split; [apply (ps_hold c Hc)|]. pose proof (tilt_at_monotone (centre c) y (IZR (k + 1)) Y2) as M.
      specialize (Cp c Hc). apply Z.leb_le in Cp. now rewrite Cp in M. }
    assert (Anti : forall u w, u <= w -> sum_parts (fun c => tilt_at (centre c) w) qs <= sum_parts (fun c => tilt_at (centre c) u) qs).
    { intros u w Huw. apply sum_parts_monotone, List.Forall_forall. intros c Hc. rewrite List.Forall_forall in qs_hold.
      split; [apply (qs_hold c Hc)|]. pose proof (tilt_at_monotone (centre c) u w Huw) as M. specialize (Cq c Hc).
      destruct (0 <=? centre c)%Z eqn:E; auto. apply Z.leb_le in E. assert (Z : centre c = 0%Z) by lia. rewrite Z.
      unfold tilt_at. right. f_equal. simpl. ring. }
    assert (MB : By <= sum_parts (fun c => tilt (centre c) k) qs) by (apply (Anti (IZR k) y Y1)).
    assert (MB' : sum_parts (fun c => tilt (centre c) (k + 1)) qs <= By) by (apply (Anti y (IZR (k + 1)) Y2)).
    assert (NA : 0 <= Ay) by (apply sum_parts_nonnegative; auto; intros; left; apply exp_pos).
    assert (NB : 0 <= By) by (apply sum_parts_nonnegative; auto; intros; left; apply exp_pos).
    unfold slice_of. cbn [num_hi den_hi num_lo den_lo]. rewrite !mult_IZR.
    apply IZR_le in A0, B'0.
    set (a := fst (nth i (mixed_tilts ps) (0, 0)%Z)) in *. set (a' := snd (nth (S i) (mixed_tilts ps) (0, 0)%Z)) in *.
    set (b := snd (nth i (mixed_tilts qs) (0, 0)%Z)) in *. set (b' := fst (nth (S i) (mixed_tilts qs) (0, 0)%Z)) in *.
    split.
    + replace (IZR a * IZR W_q * (N * By / IZR W_q)) with (N * (IZR a * By)) by (field; lra).
      replace (IZR b * IZR W_p * (N * Ay / IZR W_p)) with (N * (IZR b * Ay)) by (field; lra).
      apply Rmult_le_compat_l; [lra|].
      apply Rle_trans with (Ay * two T * By).
      * apply Rmult_le_compat_r; auto. apply Rle_trans with (1 := A1). apply Rmult_le_compat_r; lra.
      * replace (Ay * two T * By) with (By * two T * Ay) by ring. apply Rmult_le_compat_r; auto.
        apply Rle_trans with (2 := B2). apply Rmult_le_compat_r; lra.
    + replace (IZR b' * IZR W_p * (N * Ay / IZR W_p)) with (N * (IZR b' * Ay)) by (field; lra).
      replace (IZR a' * IZR W_q * (N * By / IZR W_q)) with (N * (IZR a' * By)) by (field; lra).
      apply Rmult_le_compat_l; [lra|].
      apply Rle_trans with (By * two T * Ay).
      * apply Rmult_le_compat_r; auto. apply Rle_trans with (1 := B'1). apply Rmult_le_compat_r; lra.
      * replace (By * two T * Ay) with (Ay * two T * By) by ring. apply Rmult_le_compat_r; auto.
        apply Rle_trans with (2 := A'2). apply Rmult_le_compat_r; lra.
  - destruct (density_integral W_p ps k Hp) as (M & EM & IM). exists M. split; [exact IM|].
    unfold slice_of. cbn [low_p high_p]. apply divided; auto. rewrite EM. unfold Rdiv.
    rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. exact P.
  - destruct (density_integral W_q qs k Hq) as (M & EM & IM). exists M. split; [exact IM|].
    unfold slice_of. cbn [low_q high_q]. apply divided; auto. rewrite EM. unfold Rdiv.
    rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. exact Q.
Qed.

Lemma slices_length : length slices = n.
Proof. unfold slices. cbv zeta. now rewrite map_length, seq_length. Qed.

Theorem regions_hold : ranges_hold = true -> List.Forall (region_holds T the_step) regions.
Proof.
  intros R. apply List.Forall_forall. intros r Hr. unfold regions in Hr.
  destruct (In_nth _ _ (cell_indicator 0, Slice 0 0 0 0 0 0 0 0) Hr) as (i & Hi & E).
  rewrite combine_length, map_length, seq_length, slices_length, Nat.min_id in Hi.
  rewrite combine_nth in E by (rewrite map_length, seq_length, slices_length; auto).
  rewrite (map_nth cell_indicator), seq_nth in E by auto. simpl plus in E. rewrite <- E. now apply region_at.
Qed.

Lemma coverage_is x : coverage regions x = interval (IZR first_k / IZR den) (IZR last_k / IZR den) x.
Proof.
  unfold regions, last_k. pose proof slices_length as L. revert L. generalize slices as sl. intros sl L.
  pose proof (den_R den den_positive) as Hd. pose proof (Rinv_0_lt_compat _ Hd) as Hi.
  assert (G : forall m i sl, length sl = m -> coverage (combine (map cell_indicator (seq i m)) sl) x =
    interval (IZR (first_k + Z.of_nat i) / IZR den) (IZR (first_k + Z.of_nat i + Z.of_nat m) / IZR den) x).
  { clear sl L. induction m as [|m IH]; intros i [|sl0 sl] L; simpl in L; try discriminate.
    - simpl. rewrite Z.add_0_r. symmetry. apply interval_out.
      destruct (Rle_or_lt x (IZR (first_k + Z.of_nat i) / IZR den)); auto.
    - cbn [seq map combine]. change (coverage ((cell_indicator i, sl0) :: combine (map cell_indicator (seq (S i) m)) sl) x)
        with (cell_indicator i x + coverage (combine (map cell_indicator (seq (S i) m)) sl) x).
      rewrite IH by congruence. unfold cell_indicator.
      replace (first_k + Z.of_nat (S i))%Z with (first_k + Z.of_nat i + 1)%Z by lia.
      replace (first_k + Z.of_nat i + 1 + Z.of_nat m)%Z with (first_k + Z.of_nat i + Z.of_nat (S m))%Z by lia.
      symmetry. apply interval_split.
      unfold Rdiv. split; apply Rmult_le_compat_r; try lra; apply IZR_le; lia. }
  rewrite G by auto. replace (first_k + Z.of_nat 0)%Z with first_k by lia. reflexivity.
Qed.

Lemma coverage_at_most_1 x : coverage regions x <= 1.
Proof. rewrite coverage_is. unfold interval. destruct (Rlt_dec _ x); [destruct (Rle_dec x _)|]; lra. Qed.

(** ** What is outside *)

(** In units of 2^-T, times W_p: the sum over the parts of share (N(k) / (beta den k)) at the distances k
    of its centre from both ends of the grid. *)
Definition density_at (table : list (Z * Z)) (k : Z) : Z := snd (nth (Z.to_nat k) table (0, 0)%Z).
Definition tail_term (table : list (Z * Z)) (k : Z) : Z := (- (- (density_at table k * bd) / (bn * den * k)))%Z.
Definition tails (table : list (Z * Z)) : Z :=
  fold_right (fun c t => (share_of c * (tail_term table (centre c - first_k) + tail_term table (last_k - centre c)) + t)%Z) 0%Z ps.

Variables (B inf : Z).
Hypothesis B_at_most_T : (0 <= B <= T)%Z.
Definition tails_hold : bool :=
  (0 <=? inf)%Z && forallb (fun c => (centre c - first_k <? Z.of_nat n_table) && (last_k - centre c <? Z.of_nat n_table))%Z ps &&
  (tails table <=? inf * W_p * 2 ^ (T - B))%Z.

Definition outside_of (x : R) : R :=
  sum_parts (fun c => outside sigma (IZR first_k / IZR den) (IZR last_k / IZR den) (IZR (centre c) / IZR den) x) ps / IZR W_p.

Lemma sum_integral (f : part -> R -> R) (I : part -> R) cs : (forall c, In c cs -> integral line (f c) (I c)) ->
  (exists g v, integral line g v) -> integral line (fun x => sum_parts (fun c => f c x) cs) (sum_parts I cs).
Proof.
  intros H (g & v & Hg). induction cs as [|c cs IH]; unfold sum_parts; simpl fold_right.
  - pose proof (integral_scaled line 0 g v Hg) as Z. rewrite Rmult_0_l in Z.
    apply (integral_same line _ _ _ (fun x => Rmult_0_l (g x)) Z).
  - apply integral_sum; [apply integral_scaled, H; now left | apply IH; intros; apply H; now right].
Qed.

Lemma tail_term_bounds k : (0 < k < Z.of_nat n_table)%Z ->
  sigma * sigma * (at_grid k / (IZR k / IZR den)) * two T <= IZR (tail_term table k).
Proof.
  intros Hk. destruct beta_positive as [Bn Bd]. pose proof (den_R den den_positive) as Hd.
  assert (Hg : encloses g0 (exp (- (beta * (IZR 0 + / 2))))).
  { replace (beta * (IZR 0 + / 2)) with (beta / 2) by (unfold Rdiv; simpl; ring). exact g0_encloses. }
  pose proof (densities_enclose T T_nonnegative bn bd sigma den sigma_positive den_positive beta_is h0 h0_encloses
    n_table 0 v0 g0 v0_encloses Hg (Z.to_nat k) ltac:(lia)) as (_ & _ & D).
  rewrite Z2Nat.id, Z.add_0_l in D by lia. fold table in D. fold (density_at table k) in D.
  set (d := density_at table k) in *.
  assert (Pd : (0 < bn * den * k)%Z) by (repeat apply Z.mul_pos_pos; lia).
  unfold tail_term. fold d.
  assert (U : IZR d * IZR bd / IZR (bn * den * k) <= IZR (- (- (d * bd) / (bn * den * k)))).
  { apply IZR_lt in Pd as Pd'. apply Rmult_le_reg_r with (IZR (bn * den * k)); auto.
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. rewrite <- !mult_IZR. apply IZR_le.
    pose proof (Z.mul_div_le (- (d * bd)) _ Pd). lia. }
  apply Rle_trans with (2 := U).
  assert (Kp : 0 < IZR k) by (apply IZR_lt; lia). apply IZR_lt in Bn as Bn'. apply IZR_lt in Bd as Bd'.
  assert (S2 : sigma * sigma = IZR bd / (IZR bn * IZR den * IZR den)).
  { assert (E : sigma * sigma * beta * (IZR den * IZR den) = 1) by (rewrite beta_is; field; lra).
    unfold Normal.beta in E. apply Rmult_eq_reg_r with (IZR bn / IZR bd * (IZR den * IZR den)).
    - rewrite <- Rmult_assoc, E. field. lra.
    - apply Rgt_not_eq. unfold Rdiv. repeat apply Rmult_lt_0_compat; auto. now apply Rinv_0_lt_compat. }
  rewrite S2, !mult_IZR.
  replace (IZR bd / (IZR bn * IZR den * IZR den) * (at_grid k / (IZR k / IZR den)) * two T)
    with (at_grid k * two T * IZR bd / (IZR bn * IZR den * IZR k)) by (field; lra).
  unfold Rdiv. apply Rmult_le_compat_r.
  - left. apply Rinv_0_lt_compat. repeat apply Rmult_lt_0_compat; auto.
  - apply Rmult_le_compat_r; lra.
Qed.

Theorem outside_holds : ranges_hold = true -> tails_hold = true -> (0 <= inf)%Z /\
  (forall x, 0 <= outside_of x) /\ (forall x, (1 - coverage regions x) * density W_p ps x <= outside_of x) /\
  exists t, integral line outside_of t /\ t <= IZR inf * unit B.
Proof.
  intros R H. destruct (ranges R) as (Hp & _ & Rg & _ & _). pose proof (den_R den den_positive) as Hd.
  unfold tails_hold in H. rewrite !andb_true_iff, forallb_forall, !Z.leb_le in H. destruct H as ((Hi & Hr) & Ht).
  apply IZR_lt in Hp as Hp'. pose proof (Rinv_0_lt_compat _ Hp') as HiW. pose proof (Rinv_0_lt_compat _ Hd) as Hid.
  assert (In_between : forall c, In c ps -> IZR first_k / IZR den < IZR (centre c) / IZR den < IZR last_k / IZR den).
  { intros c Hc. destruct (Rg c (or_introl Hc)) as (_ & _ & G). unfold Rdiv. split; apply Rmult_lt_compat_r; auto; apply IZR_lt; lia. }
  split; auto. split; [|split].
  - intros x. unfold outside_of, Rdiv. apply Rmult_le_pos; [|lra].
    unfold sum_parts. assert (Hs := ps_hold). induction Hs as [|c cs (H1 & _) Hs IH] in In_between |- *; simpl; [lra|].
    apply IZR_le in H1. pose proof (outside_nonnegative sigma sigma_positive _ _ _ x (In_between c (or_introl eq_refl))) as O.
    pose proof (Rmult_le_pos _ _ H1 O). specialize (IH (fun c Hc => In_between c (or_intror Hc))). lra.
  - intros x. rewrite coverage_is. unfold outside_of, density, Rdiv. rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [lra|].
    set (J := 1 - interval (IZR first_k * / IZR den) (IZR last_k * / IZR den) x).
    replace (J * sum_parts (fun c => normal sigma (x - IZR (centre c) * / IZR den)) ps)
      with (sum_parts (fun c => J * normal sigma (x - IZR (centre c) * / IZR den)) ps).
    + apply sum_parts_monotone, List.Forall_forall. intros c Hc. rewrite List.Forall_forall in ps_hold.
      split; [apply (ps_hold c Hc)|]. exact (outside_above sigma sigma_positive _ _ _ x (In_between c Hc)).
    + unfold sum_parts. clear. induction ps as [|c cs IH]; simpl; [ring|]. rewrite IH. ring.
  - set (I := fun c => sigma * sigma * (normal sigma (IZR first_k / IZR den - IZR (centre c) / IZR den) /
      (IZR (centre c) / IZR den - IZR first_k / IZR den) +
      normal sigma (IZR last_k / IZR den - IZR (centre c) / IZR den) / (IZR last_k / IZR den - IZR (centre c) / IZR den))).
    exists (sum_parts I ps / IZR W_p). split.
    + apply (integral_same line (fun x => / IZR W_p * sum_parts (fun c => outside sigma (IZR first_k / IZR den)
        (IZR last_k / IZR den) (IZR (centre c) / IZR den) x) ps)).
      { intros x. unfold outside_of, Rdiv. ring. }
      replace (sum_parts I ps / IZR W_p) with (/ IZR W_p * sum_parts I ps) by (unfold Rdiv; ring).
      apply integral_scaled. apply (sum_integral (fun c x => outside sigma (IZR first_k / IZR den)
        (IZR last_k / IZR den) (IZR (centre c) / IZR den) x)).
      * intros c Hc. apply outside_integral; auto.
      * exists (outside sigma (-1) 1 0). eexists. apply outside_integral; auto; lra.
    + pose proof (two_T T T_nonnegative) as HT.
      assert (TB : 0 < two B) by (apply two_positive_R; lia).
      assert (TS : two T = two (T - B) * two B).
      { rewrite <- mult_IZR, <- Z.pow_add_r by lia. do 2 f_equal. lia. }
      assert (TTB : 0 < two (T - B)) by (apply two_positive_R; lia).
      assert (Each : forall c, In c ps -> I c * two T <=
        IZR (tail_term table (centre c - first_k) + tail_term table (last_k - centre c))).
      { intros c Hc. destruct (Rg c (or_introl Hc)) as (_ & _ & G). specialize (Hr c Hc).
        rewrite andb_true_iff, !Z.ltb_lt in Hr.
        pose proof (tail_term_bounds (centre c - first_k) ltac:(lia)) as L1.
        pose proof (tail_term_bounds (last_k - centre c) ltac:(lia)) as L2.
        unfold I. rewrite plus_IZR. unfold Normal.at_grid in L1, L2. rewrite !minus_IZR in L1, L2.
        replace ((IZR (centre c) - IZR first_k) / IZR den) with (IZR (centre c) / IZR den - IZR first_k / IZR den) in L1 by (field; lra).
        replace ((IZR last_k - IZR (centre c)) / IZR den) with (IZR last_k / IZR den - IZR (centre c) / IZR den) in L2 by (field; lra).
        replace (normal sigma (IZR first_k / IZR den - IZR (centre c) / IZR den))
          with (normal sigma (IZR (centre c) / IZR den - IZR first_k / IZR den)).
        - lra.
        - rewrite <- normal_even. f_equal. ring. }
      assert (Sum : sum_parts I ps * two T <= IZR (tails table)).
      { unfold tails, sum_parts. clear Ht. assert (Hs := ps_hold). induction Hs as [|c cs (H1 & _) Hs IH] in Each |- *; simpl; [lra|].
        rewrite plus_IZR, mult_IZR. apply IZR_le in H1. pose proof (Rmult_le_compat_l _ _ _ H1 (Each c (or_introl eq_refl))).
        specialize (IH (fun c Hc => Each c (or_intror Hc))). lra. }
      apply IZR_le in Ht. rewrite !mult_IZR in Ht.
      apply Rmult_le_reg_r with (IZR W_p * two T); [now apply Rmult_lt_0_compat|].
      replace (sum_parts I ps / IZR W_p * (IZR W_p * two T)) with (sum_parts I ps * two T) by (field; lra).
      apply Rle_trans with (1 := Sum). apply Rle_trans with (1 := Ht). right. rewrite TS. unfold unit. field. lra.
Qed.

End Grid.

(** ** The same by machine words *)

From Bignums Require Import BigZ.
From Plaudit Require Import Words BigTables.

Definition big_weighted (a : BigZ.t) (l : list big_pair) : list big_pair :=
  map (fun b => (BigZ.mul a (fst b), BigZ.mul a (snd b))) l.
Fixpoint big_added (l m : list big_pair) : list big_pair :=
  match l, m with
  | b :: l, c :: m => (BigZ.add (fst b) (fst c), BigZ.add (snd b) (snd c)) :: big_added l m
  | _, _ => nil
  end.
Fixpoint big_total (n : nat) (ls : list (Z * list big_pair)) : list big_pair :=
  match ls with
  | nil => repeat no_pair n
  | (a, l) :: ls => big_added (big_weighted (BigZ.of_Z a) l) (big_total n ls)
  end.

Lemma big_weighted_value a l : map pair_value (big_weighted a l) = weighted (BigZ.to_Z a) (map pair_value l).
Proof.
  unfold big_weighted, weighted. rewrite !map_map. apply map_ext. intros b.
  unfold pair_value. cbn [fst snd]. now rewrite !BigZ.spec_mul.
Qed.
Lemma big_added_value l : forall m, map pair_value (big_added l m) = added (map pair_value l) (map pair_value m).
Proof.
  induction l as [|b l IH]; intros [|c m]; try reflexivity. cbn [big_added added map]. rewrite IH. f_equal.
  unfold pair_value. cbn [fst snd]. now rewrite !BigZ.spec_add.
Qed.
Lemma big_total_value {C} n (share : C -> Z) (f : C -> list big_pair) (g : C -> list (Z * Z)) cs :
  (forall c, map pair_value (f c) = g c) ->
  map pair_value (big_total n (map (fun c => (share c, f c)) cs)) = total_of n (map (fun c => (share c, g c)) cs).
Proof.
  intros H. induction cs as [|c cs IH]; cbn [big_total total_of map].
  - induction n as [|n IH]; [reflexivity|]. cbn [repeat map]. now rewrite IH, no_pair_value.
  - now rewrite big_added_value, big_weighted_value, BigZ.spec_of_Z, IH, H.
Qed.

Definition big_slice (W W' : BigZ.t) (a a' b b' p q : big_pair) : slice :=
  Slice (to_Z (div_down (fst p) W)) (to_Z (div_up (snd p) W)) (to_Z (div_down (fst q) W')) (to_Z (div_up (snd q) W'))
    (to_Z (BigZ.mul (snd b) W)) (to_Z (BigZ.mul (fst a) W')) (to_Z (BigZ.mul (fst b') W)) (to_Z (BigZ.mul (snd a') W')).
Fixpoint big_slices_along (W W' : BigZ.t) (n : nat) (a b p q : list big_pair) : list slice :=
  match n with
  | O => nil
  | S n =>
    let first := hd no_pair in
    big_slice W W' (first a) (first (tl a)) (first b) (first (tl b)) (first p) (first q) ::
    big_slices_along W W' n (tl a) (tl b) (tl p) (tl q)
  end.

Lemma big_slice_value W W' a a' b b' p q : big_slice W W' a a' b b' p q =
  slice_of (BigZ.to_Z W) (BigZ.to_Z W') (pair_value a) (pair_value a') (pair_value b) (pair_value b') (pair_value p) (pair_value q).
Proof.
  unfold big_slice, slice_of, pair_value. cbn [fst snd].
  now rewrite !to_Z_value, !div_down_value, !div_up_value, !BigZ.spec_mul.
Qed.
Lemma big_slices_along_value W W' n : forall a b p q,
  let v l i := nth i (map pair_value l) (0, 0)%Z in
  big_slices_along W W' n a b p q = map (fun i => slice_of (BigZ.to_Z W) (BigZ.to_Z W')
    (v a i) (v a (S i)) (v b i) (v b (S i)) (v p i) (v q i)) (seq 0 n).
Proof.
  assert (F : forall l, pair_value (hd no_pair l) = nth 0 (map pair_value l) (0, 0)%Z) by (intros [|x l]; reflexivity).
  assert (G : forall i l, nth i (map pair_value (tl l)) (0, 0)%Z = nth (S i) (map pair_value l) (0, 0)%Z).
  { intros i [|x l]; [destruct i|]; reflexivity. }
  cbv zeta. induction n as [|n IH]; intros a b p q; [reflexivity|]. cbn [big_slices_along seq map].
  rewrite IH, big_slice_value, !F, !G. f_equal. rewrite <- seq_shift, map_map. apply map_ext. intros i. now rewrite !G.
Qed.

Definition big_table (T : Z) (n_table : nat) (v0 g0 h0 : Z * Z) : list big_pair :=
  big_densities (BigZ.of_Z T) n_table (big_of v0) (big_of g0) (big_of h0).
Definition big_mixed_masses (first_k : Z) (n : nat) (cs : list part) (table : list big_pair) : list big_pair :=
  big_total n (map (fun c => (share_of c, walk no_pair n (first_k - centre c) table)) cs).
Definition big_mixed_tilts (T : BigZ.t) (n : nat) (cs : list part) : list big_pair :=
  big_total (S n) (map (fun c => (share_of c, big_geometric T (S n) (big_of (start c)) (big_of (growth c)))) cs).
Definition big_slices (T bn bd den first_k W_p W_q : Z) (ps qs : list part) (n : nat) (table : list big_pair) : list slice :=
  let masses := big_masses T bn bd den table in
  big_slices_along (BigZ.of_Z W_p) (BigZ.of_Z W_q) n
    (big_mixed_tilts (BigZ.of_Z T) n ps) (big_mixed_tilts (BigZ.of_Z T) n qs)
    (big_mixed_masses first_k n ps masses) (big_mixed_masses first_k n qs masses).

Lemma big_table_value T n_table v0 g0 h0 : map pair_value (big_table T n_table v0 g0 h0) = table T n_table v0 g0 h0.
Proof. unfold big_table, table. now rewrite big_densities_value, BigZ.spec_of_Z, !big_of_value. Qed.
Lemma big_mixed_masses_value first_k n cs table :
  map pair_value (big_mixed_masses first_k n cs table) = mixed_masses first_k n cs (map pair_value table).
Proof.
  unfold big_mixed_masses, mixed_masses. apply big_total_value. intros c. rewrite walk_value. unfold part_masses.
  apply map_ext. intros i. f_equal. lia.
Qed.
Lemma big_mixed_tilts_value T n cs :
  map pair_value (big_mixed_tilts T n cs) = mixed_tilts (BigZ.to_Z T) n cs.
Proof.
  unfold big_mixed_tilts, mixed_tilts. apply big_total_value. intros c. unfold tilts.
  now rewrite big_geometric_value, !big_of_value.
Qed.
Lemma big_slices_value T bn bd den first_k W_p W_q ps qs n n_table v0 g0 h0 :
  big_slices T bn bd den first_k W_p W_q ps qs n (big_table T n_table v0 g0 h0) =
  slices T bn bd den first_k W_p W_q ps qs n n_table v0 g0 h0.
Proof.
  unfold big_slices, slices, mass_table. cbv zeta. rewrite big_slices_along_value.
  now rewrite !big_mixed_masses_value, !big_mixed_tilts_value, big_masses_value, big_table_value, !BigZ.spec_of_Z.
Qed.

Definition big_tail_term (bn bd den : Z) (table : list big_pair) (k : Z) : Z :=
  (- (- (to_Z (snd (nth (Z.to_nat k) table no_pair)) * bd) / (bn * den * k)))%Z.
Definition big_tails (bn bd den first_k : Z) (ps : list part) (n : nat) (table : list big_pair) : Z :=
  fold_right (fun c t => (share_of c * (big_tail_term bn bd den table (centre c - first_k) +
    big_tail_term bn bd den table (last_k first_k n - centre c)) + t)%Z) 0%Z ps.
Definition big_tails_hold (T bn bd den first_k W_p : Z) (ps : list part) (n n_table : nat) (table : list big_pair) (B inf : Z) : bool :=
  (0 <=? inf)%Z &&
  forallb (fun c => (centre c - first_k <? Z.of_nat n_table) && (last_k first_k n - centre c <? Z.of_nat n_table))%Z ps &&
  (big_tails bn bd den first_k ps n table <=? inf * W_p * 2 ^ (T - B))%Z.

Lemma big_tails_value bn bd den first_k ps n l :
  big_tails bn bd den first_k ps n l = tails bn bd den first_k ps n (map pair_value l).
Proof.
  assert (E : forall k, big_tail_term bn bd den l k = tail_term bn bd den (map pair_value l) k).
  { intros k. unfold big_tail_term, tail_term, density_at. rewrite <- no_pair_value, map_nth, to_Z_value. reflexivity. }
  unfold big_tails, tails. induction ps as [|c cs IH]; cbn [fold_right]; [reflexivity|]. now rewrite IH, !E.
Qed.
Lemma big_tails_hold_value T bn bd den first_k W_p ps n n_table v0 g0 h0 B inf :
  big_tails_hold T bn bd den first_k W_p ps n n_table (big_table T n_table v0 g0 h0) B inf =
  tails_hold T bn bd den first_k W_p ps n n_table v0 g0 h0 B inf.
Proof. unfold big_tails_hold, tails_hold. now rewrite big_tails_value, big_table_value. Qed.

(** ** The source of a run *)

From Plaudit Require Import Runs.

Definition gaussian_source (T bn bd den first_k W_p W_q : Z) (ps qs : list part) (n n_table : nat)
    (v0 g0 h0 : Z * Z) (B inf : Z) : source :=
  let table := big_table T n_table v0 g0 h0 in
  Source (ranges_hold first_k W_p W_q ps qs n n_table && big_tails_hold T bn bd den first_k W_p ps n n_table table B inf)
    (big_slices T bn bd den first_k W_p W_q ps qs n table) inf.

Lemma gaussian_source_is T bn bd den first_k W_p W_q ps qs n n_table v0 g0 h0 B inf :
  gaussian_source T bn bd den first_k W_p W_q ps qs n n_table v0 g0 h0 B inf =
  Source (ranges_hold first_k W_p W_q ps qs n n_table && tails_hold T bn bd den first_k W_p ps n n_table v0 g0 h0 B inf)
    (slices T bn bd den first_k W_p W_q ps qs n n_table v0 g0 h0) inf.
Proof. unfold gaussian_source. cbv zeta. now rewrite big_tails_hold_value, big_slices_value. Qed.

Theorem gaussian_source_holds T bn bd den sigma first_k W_p W_q ps qs n n_table v0 g0 h0 B inf :
  (0 <= T)%Z -> (0 < bn)%Z /\ (0 < bd)%Z -> 0 < sigma -> (0 < den)%Z ->
  beta bn bd = / (IZR den * sigma * (IZR den * sigma)) ->
  encloses T v0 (at_grid sigma den 0) -> encloses T g0 (exp (- (beta bn bd / 2))) -> encloses T h0 (exp (- beta bn bd)) ->
  List.Forall (part_holds T bn bd first_k) ps -> List.Forall (part_holds T bn bd first_k) qs -> (0 <= B <= T)%Z ->
  source_holds B T (the_step den sigma W_p W_q ps qs)
    (gaussian_source T bn bd den first_k W_p W_q ps qs n n_table v0 g0 h0 B inf).
Proof.
  intros H1 H2 H3 H4 H5 H6 H7 H8 H9 H10 H11 A. rewrite gaussian_source_is in A |- *. cbn [acceptable its_slices outside_them] in *.
  apply andb_prop in A. destruct A as [A1 A2].
  destruct (outside_holds T bn bd den sigma H1 H2 H3 H4 H5 first_k W_p W_q ps qs n n_table v0 g0 h0 H6 H7 H8 H9 B inf H11 A1 A2)
    as (O1 & O2 & O3 & t & O4 & O5).
  split; [eapply the_step_nonnegative; eauto|].
  exists (regions T bn bd den first_k W_p W_q ps qs n n_table v0 g0 h0). split; [|split; [|split; [|split]]].
  - unfold regions. pose proof (slices_length T bn bd den first_k W_p W_q ps qs n n_table v0 g0 h0) as L. revert L.
    generalize (slices T bn bd den first_k W_p W_q ps qs n n_table v0 g0 h0) as sl. intros sl L.
    assert (G : forall (l : list (R -> R)) (sl' : list slice), length l = length sl' -> map snd (combine l sl') = sl').
    { clear. intros l. induction l as [|x l IH]; intros [|y sl'] L; simpl in *; try discriminate; auto. now rewrite IH by congruence. }
    apply G. now rewrite map_length, seq_length.
  - now apply regions_hold.
  - apply coverage_at_most_1; auto.
  - exact O1.
  - exists (outside_of den sigma first_k W_p ps n), t. auto.
Qed.
