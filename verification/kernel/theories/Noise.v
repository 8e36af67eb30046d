(** Noise on the line whose likelihood ratio rises when it is moved to the right, as that of the normal and
    of the Laplace density does: the best test of a moved density is a half-line, and a half-line accepts more
    the further the density is moved. So a smaller move is no worse, also where a record moves the density
    only with a probability, and in both directions. And what keeps "no worse": translations and
    reflections of the line, and mixtures. *)
From Coq Require Import Reals ZArith List Lia Lra Classical_Prop.
From Coquelicot Require Import Coquelicot.
From Plaudit Require Import Privacy Outputs Laws Curve Composition Line Normal Normalised Runs Sources Laplace Adaptive.
Import List ListNotations.
Open Scope R_scope.

(** ** What keeps "no worse" *)

Lemma no_worse_same {Output Output'} (m : measure_on Output) p q p' q' (F : step_on Output') : (forall x, p x = p' x) -> (forall x, q x = q' x) ->
  no_worse (Step m p q) F -> no_worse (Step m p' q') F.
Proof.
  intros Ep Eq [N D]. split.
  - intros x. specialize (N x). cbn [p_of q_of] in *. now rewrite <- Ep, <- Eq.
  - intros V HV. exact (dominated_same m p q p' q' V Ep Eq (D V HV)).
Qed.

Lemma no_worse_than_same {Output Output'} (m : measure_on Output) p q p' q' (s : step_on Output') : (forall x, p x = p' x) -> (forall x, q x = q' x) ->
  no_worse s (Step m p q) -> no_worse s (Step m p' q').
Proof.
  intros Ep Eq [N D]. split; auto. intros V HV. apply D.
  now apply (dominated_same m p' q' p q).
Qed.

Theorem line_translated f c v : integral line f v -> integral line (fun x => f (x - c)) v.
Proof.
  simpl. intros H P HP. destruct (H P HP) as [Q R HQ HR K]. destruct HQ as [M1 HQ]. destruct HR as [M2 HR].
  exists (fun x => Q (x - c)) (fun y => R (y - c)).
  - exists (M1 + c). intros x Hx. apply HQ. lra.
  - exists (M2 + c). intros x Hx. apply HR. lra.
  - intros x y Hx Hy. destruct (K (x - c) (y - c) Hx Hy) as (I & HI & PI). exists I. split; auto.
    simpl in *. pose proof (is_RInt_comp_lin (V := R_NormedModule) f 1 (- c) x y I) as J.
    replace (1 * x + - c) with (x - c) in J by ring. replace (1 * y + - c) with (y - c) in J by ring.
    apply (is_RInt_ext (V := R_NormedModule)) with (2 := J HI). intros z _. unfold scal; simpl. unfold mult; simpl.
    rewrite Rmult_1_l. f_equal. ring.
Qed.

Theorem no_worse_translated {Output} p q (F : step_on Output) c : no_worse (Step line p q) F ->
  no_worse (Step line (fun x => p (x - c)) (fun x => q (x - c))) F.
Proof.
  intros [N D]. split; [intros x; exact (N (x - c))|]. intros V HV a Ha.
  destruct (D V HV a Ha) as (G & g & H1 & H2 & H3 & H4). exists (fun x => G (x - c)), g.
  split; [intros x; apply H1|]. split; [intros x; exact (H2 (x - c))|]. split; auto. exact (line_translated _ _ _ H3).
Qed.

Theorem no_worse_reflected {Output} p q (F : step_on Output) : no_worse (Step line p q) F ->
  no_worse (Step line (fun x => p (- x)) (fun x => q (- x))) F.
Proof. intros [N D]. split; [intros x; exact (N (- x))|]. intros V HV. apply dominated_reflected. auto. Qed.

Theorem line_scaled f b v : 0 < b -> integral line f v -> integral line (fun x => f (x / b) / b) v.
Proof.
  simpl. intros Hb H P HP. destruct (H P HP) as [Q R HQ HR K]. destruct HQ as [M1 HQ]. destruct HR as [M2 HR].
  assert (E : forall x, x / b * b = x) by (intros x; field; lra).
  exists (fun x => Q (x / b)) (fun y => R (y / b)).
  - exists (M1 * b). intros x Hx. apply HQ. apply Rmult_lt_reg_r with b; auto. now rewrite E.
  - exists (M2 * b). intros x Hx. apply HR. apply Rmult_lt_reg_r with b; auto. now rewrite E.
  - intros x y Hx Hy. destruct (K (x / b) (y / b) Hx Hy) as (I & HI & PI). exists I. split; auto.
    simpl in *. pose proof (is_RInt_comp_lin (V := R_NormedModule) f (/ b) 0 x y I) as J.
    replace (/ b * x + 0) with (x / b) in J by (unfold Rdiv; ring).
    replace (/ b * y + 0) with (y / b) in J by (unfold Rdiv; ring).
    apply (is_RInt_ext (V := R_NormedModule)) with (2 := J HI). intros z _. unfold scal; simpl. unfold mult; simpl.
    replace (/ b * z + 0) with (z / b) by (unfold Rdiv; ring). unfold Rdiv at 2. ring.
Qed.

Theorem no_worse_scaled {Output} p q (F : step_on Output) b : 0 < b -> no_worse (Step line p q) F ->
  no_worse (Step line (fun x => p (x / b) / b) (fun x => q (x / b) / b)) F.
Proof.
  intros Hb. pose proof (Rinv_0_lt_compat _ Hb) as I. intros [N D]. split.
  - intros x. destruct (N (x / b)). cbn [p_of q_of] in *. split; apply Rmult_le_pos; lra.
  - intros V HV a Ha. destruct (D V HV a Ha) as (G & g & H1 & H2 & H3 & H4). exists (fun x => G (x / b) / b), g.
    split; [intros x; apply Rmult_le_pos; [apply H1 | lra]|]. split; [|split; auto; exact (line_scaled _ _ _ Hb H3)].
    intros x. specialize (H2 (x / b)). cbn [p_of q_of] in *. apply (Rmult_le_compat_r (/ b)) in H2; [|lra]. unfold Rdiv in *. lra.
Qed.

(** A mixture of two pairs with the same weights. *)
Theorem no_worse_mixed {Output Output'} (m : measure_on Output) p q p' q' (F : step_on Output') r : 0 <= r <= 1 ->
  no_worse (Step m p q) F -> no_worse (Step m p' q') F ->
  no_worse (Step m (fun x => (1 - r) * p x + r * p' x) (fun x => (1 - r) * q x + r * q' x)) F.
Proof.
  intros Hr [N D] [N' D']. split.
  - intros x. specialize (N x). specialize (N' x). cbn [p_of q_of] in *. destruct N, N'.
    split; apply Rplus_le_le_0_compat; apply Rmult_le_pos; lra.
  - intros V HV a Ha. destruct (D V HV a Ha) as (G & g & H1 & H2 & H3 & H4).
    destruct (D' V HV a Ha) as (G' & g' & H1' & H2' & H3' & H4').
    exists (fun x => (1 - r) * G x + r * G' x), ((1 - r) * g + r * g'). split; [|split; [|split]].
    + intros x. apply Rplus_le_le_0_compat; apply Rmult_le_pos; auto; lra.
    + intros x. specialize (H2 x). specialize (H2' x). cbn [p_of q_of] in *.
      apply (Rmult_le_compat_l (1 - r)) in H2; [|lra]. apply (Rmult_le_compat_l r) in H2'; [|lra]. lra.
    + cbn [outputs] in *. apply integral_sum; now apply integral_scaled.
    + apply (Rmult_le_compat_l (1 - r)) in H4; [|lra]. apply (Rmult_le_compat_l r) in H4'; [|lra]. lra.
Qed.

(** A mixture of finitely many pairs with the same weights: a list of weights w and pairs. *)
Definition weighted_sum {Output} (l : list (R * (Output -> R) * (Output -> R)))
    (side : R * (Output -> R) * (Output -> R) -> Output -> R) (x : Output) : R :=
  fold_right (fun c t => fst (fst c) * side c x + t) 0 l.

Theorem no_worse_weighted {Output Output'} (m : measure_on Output) l (F : step_on Output') : l <> nil ->
  Forall (fun c => 0 <= fst (fst c) /\ no_worse (Step m (snd (fst c)) (snd c)) F) l ->
  fold_right (fun c t => fst (fst c) + t) 0 l = 1 ->
  no_worse (Step m (weighted_sum l (fun c => snd (fst c))) (weighted_sum l (fun c => snd c))) F.
Proof.
  intros Hne H W. split.
  - intros x. clear W Hne. cbn [p_of q_of]. induction H as [|c l [H1 [N _]] H IH]; cbn [weighted_sum fold_right]; [lra|].
    specialize (N x). cbn [p_of q_of] in N. destruct N as [N1 N2].
    unfold weighted_sum in IH. pose proof (Rmult_le_pos _ _ H1 N1). pose proof (Rmult_le_pos _ _ H1 N2). lra.
  - intros V HV a Ha.
    assert (K : exists G g, (forall x, 0 <= G x) /\
      (forall x, weighted_sum l (fun c => snd (fst c)) x - a * weighted_sum l (fun c => snd c) x <= G x) /\
      integral m G g /\ g <= fold_right (fun c t => fst (fst c) + t) 0 l * curve V a).
    { clear W. assert (Z : integral m (fun _ => 0) 0).
      { destruct l as [|c l]; [now elim Hne|]. inversion H as [|? ? [_ [_ D]] _]; subst.
        destruct (D V HV a Ha) as (G & g & _ & _ & I & _). pose proof (integral_scaled _ 0 _ _ I) as Z.
        rewrite Rmult_0_l in Z. apply (integral_same _ _ _ _ (fun x => Rmult_0_l _) Z). }
      clear Hne. induction H as [|c l [H1 [N D]] H IH]; cbn [weighted_sum fold_right].
      - exists (fun _ => 0), 0. split; [intros; lra|]. split; [intros; lra|]. split; [auto | lra].
      - destruct IH as (G & g & G1 & G2 & G3 & G4). destruct (D V HV a Ha) as (G' & g' & G1' & G2' & G3' & G4').
        set (w := fst (fst c)) in *. exists (fun x => w * G' x + G x), (w * g' + g). split; [|split; [|split]].
        + intros x. pose proof (Rmult_le_pos _ _ H1 (G1' x)). specialize (G1 x). lra.
        + intros x. specialize (G2 x). specialize (G2' x). unfold weighted_sum in G2. cbn [p_of q_of] in G2'.
          apply (Rmult_le_compat_l w) in G2'; auto. lra.
        + cbn [outputs] in *. apply integral_sum; auto. now apply integral_scaled.
        + apply (Rmult_le_compat_l w) in G4'; auto. lra. }
    destruct K as (G & g & G1 & G2 & G3 & G4). exists G, g. rewrite W, Rmult_1_l in G4. auto.
Qed.

(** ** Tests *)

(** For every a there is a test that is best for (p, q), and one of (p', q') that does at least as well. *)
Lemma no_worse_by_tests {Output Output'} (m : measure_on Output) (m' : measure_on Output') p q p' q' :
  nonnegative_step (Step m p q) ->
  (forall a, 0 <= a -> exists chi P Q chi' P' Q',
    (forall x, (chi x = 1 /\ 0 <= p x - a * q x) \/ (chi x = 0 /\ p x - a * q x <= 0)) /\
    integral m (fun x => chi x * p x) P /\ integral m (fun x => chi x * q x) Q /\
    (forall x, chi' x = 0 \/ chi' x = 1) /\
    integral m' (fun x => chi' x * p' x) P' /\ integral m' (fun x => chi' x * q' x) Q' /\ P - a * Q <= P' - a * Q') ->
  no_worse (Step m p q) (Step m' p' q').
Proof.
  intros N H. split; auto. intros V D a Ha. destruct (H a Ha) as (chi & P & Q & chi' & P' & Q' & C & I1 & I2 & C' & I3 & I4 & L).
  destruct (D a Ha) as (G & g & G1 & G2 & G3 & G4). cbn [p_of q_of outputs] in *.
  exists (fun x => chi x * p x + (- a) * (chi x * q x)), (P - a * Q). split; [|split; [|split]].
  - intros x. destruct (C x) as [[-> K] | [-> K]]; lra.
  - intros x. destruct (C x) as [[-> K] | [-> K]]; lra.
  - replace (P - a * Q) with (P + (- a) * Q) by ring. apply integral_sum; auto. now apply (integral_scaled m (- a)).
  - apply Rle_trans with (1 := L). apply Rle_trans with (2 := G4).
    refine (integral_monotone m' (fun x => chi' x * p' x + (- a) * (chi' x * q' x)) G _ _ _ _ G3).
    + intros x. specialize (G1 x). specialize (G2 x). destruct (C' x) as [-> | ->]; lra.
    + replace (P' - a * Q') with (P' + (- a) * Q') by ring. apply integral_sum; auto. now apply (integral_scaled m' (- a)).
Qed.

(** ** Noise *)

Record rising_noise (f : R -> R) : Prop := {
  noise_positive : forall x, 0 < f x;
  noise_even : forall x, f (- x) = f x;
  noise_continuous : forall x, continuous f x;
  noise_total : integral line f 1;
  noise_rises : forall s x y, 0 <= s -> x <= y -> f (x - s) * f y <= f x * f (y - s) }.

(** The density, and with probability [rate] the same moved by s, against the density itself. *)
Definition sampled_shift (f : R -> R) (rate s : R) : step := Step line (fun x => (1 - rate) * f x + rate * f (x - s)) f.

Section Noise.
Variable f : R -> R.
Hypothesis f_noise : rising_noise f.

Lemma noise_integrable a b : ex_RInt f a b.
Proof. apply (ex_RInt_continuous f). intros; apply (noise_continuous f f_noise). Qed.

Lemma noise_mirrored y : RInt f (- y) 0 = RInt f 0 y.
Proof.
  symmetry. apply is_RInt_unique.
  pose proof (is_RInt_comp_opp (V := R_NormedModule) f 0 y (- RInt f (- y) 0)) as H. rewrite Ropp_0 in H.
  specialize (H (is_RInt_swap (V := R_NormedModule) _ _ _ _ (RInt_correct f _ _ (noise_integrable (- y) 0)))).
  apply is_RInt_opp in H. unfold opp in H; simpl in H. rewrite Ropp_involutive in H.
  apply (is_RInt_ext (V := R_NormedModule)) with (2 := H). intros x _. rewrite (noise_even f f_noise).
  unfold opp; simpl. ring.
Qed.

(** The probability of the half-line beyond t. *)
Definition upper (t : R) : R := 1 / 2 - RInt f 0 t.

Lemma noise_limit : filterlim (fun x => RInt f 0 x - 1 / 2) (Rbar_locally p_infty) (locally 0).
Proof.
  intros P [e HP]. assert (He : 0 < e + e) by (pose proof (cond_pos e); lra).
  destruct (noise_total f f_noise (ball 1 (mkposreal _ He))) as [Q R [M1 HQ] [M2 HR] K].
  { exists (mkposreal _ He). auto. }
  exists (Rmax M2 (- M1)). intros y Hy. pose proof (Rmax_l M2 (- M1)). pose proof (Rmax_r M2 (- M1)).
  destruct (K (- y) y) as (I & HI & PI); [apply HQ; lra | apply HR; lra |]. simpl in HI. apply HP.
  assert (E : I = RInt f 0 y + RInt f 0 y).
  { rewrite <- (is_RInt_unique _ _ _ _ HI). rewrite <- (RInt_Chasles f (- y) 0 y); [|apply noise_integrable|apply noise_integrable].
    rewrite noise_mirrored. reflexivity. }
  unfold ball in *; simpl in *. unfold AbsRing_ball, abs, minus, plus, opp in *; simpl in *.
  rewrite E in PI. apply Rabs_def2 in PI. apply Rabs_def1; lra.
Qed.

Lemma upper_integral t : integral line (fun x => beyond t x * f x) (upper t).
Proof.
  assert (D : forall x, is_derive (fun x => RInt f 0 x - 1 / 2) x (f x)).
  { intros x. replace (f x) with (minus (f x) zero) by (unfold minus, plus, opp, zero; simpl; ring).
    apply (is_derive_minus (V := R_NormedModule) (fun x => RInt f 0 x) (fun _ => 1 / 2)).
    - apply (is_derive_RInt f (fun x => RInt f 0 x) 0 x); [|apply (noise_continuous f f_noise)].
      exists (mkposreal 1 Rlt_0_1). intros y _. apply (RInt_correct f), noise_integrable.
    - apply (is_derive_const (V := R_NormedModule)). }
  pose proof (tail_right f _ D (noise_continuous f f_noise) t noise_limit) as I. cbv beta in I.
  replace (0 - (RInt f 0 t - 1 / 2)) with (upper t) in I by (unfold upper; ring).
  refine (integral_same _ _ _ _ _ I). intros x. unfold beyond. destruct (Rlt_dec t x); ring.
Qed.

Lemma upper_falls t t' : t <= t' -> upper t' <= upper t.
Proof.
  intros H. refine (integral_monotone line _ _ _ _ _ (upper_integral t') (upper_integral t)).
  intros x. pose proof (noise_positive f f_noise x). unfold beyond. destruct (Rlt_dec t' x), (Rlt_dec t x); lra.
Qed.

Lemma total_shifted s : integral line (fun x => f (x - s)) 1.
Proof. exact (line_translated f s 1 (noise_total f f_noise)). Qed.

Lemma upper_shifted t s : integral line (fun x => beyond t x * f (x - s)) (upper (t - s)).
Proof.
  refine (integral_same _ _ _ _ _ (line_translated _ s _ (upper_integral (t - s)))).
  intros x. unfold beyond. destruct (Rlt_dec (t - s) (x - s)), (Rlt_dec t x); lra.
Qed.

(** Where alpha f(x - s) - beta f(x) is positive is a half-line, or everything, or nothing. *)
Definition half_line (chi : R -> R) : Prop := (forall x, chi x = 0) \/ (forall x, chi x = 1) \/ exists t, chi = beyond t.

Lemma threshold alpha beta s : 0 <= alpha -> 0 <= s -> exists chi (m : R -> R), half_line chi /\
  (forall t, integral line (fun x => chi x * f (x - t)) (m t)) /\ (forall t t', t <= t' -> m t <= m t') /\
  forall x, (chi x = 1 /\ 0 <= alpha * f (x - s) - beta * f x) \/ (chi x = 0 /\ alpha * f (x - s) - beta * f x <= 0).
Proof.
  intros Ha Hs. set (h := fun x => alpha * f (x - s) - beta * f x).
  assert (Up : forall x y, x <= y -> 0 < h x -> 0 < h y).
  { intros x y L H. unfold h in *. pose proof (noise_positive f f_noise x) as Px. pose proof (noise_positive f f_noise y) as Py.
    pose proof (noise_rises f f_noise s x y Hs L) as K. apply (Rmult_le_compat_l alpha) in K; auto.
    apply (Rmult_lt_compat_r (f y)) in H; auto. apply Rmult_lt_reg_l with (f x); auto. lra. }
  assert (C : forall x, continuous h x).
  { intros x. apply (continuous_minus (V := R_NormedModule) (fun x => alpha * f (x - s)) (fun x => beta * f x)).
    - apply (continuous_scal_r (V := R_NormedModule) alpha (fun x => f (x - s))).
      apply (continuous_comp (fun x => x - s) f); [|apply (noise_continuous f f_noise)].
      apply (ex_derive_continuous (fun x => x - s)). auto_derive. auto.
    - apply (continuous_scal_r (V := R_NormedModule) beta f). apply (noise_continuous f f_noise). }
  assert (Open : forall x, 0 < h x -> exists y, y < x /\ 0 < h y).
  { intros x Hx. destruct (C x (ball (h x) (mkposreal _ Hx))) as [d Hd]; [now exists (mkposreal _ Hx)|].
    exists (x - d / 2). pose proof (cond_pos d). split; [lra|]. specialize (Hd (x - d / 2)).
    unfold ball in Hd; simpl in Hd. unfold AbsRing_ball, abs, minus, plus, opp in Hd; simpl in Hd.
    assert (B : Rabs (x - d / 2 + - x) < d) by (apply Rabs_def1; lra). specialize (Hd B). apply Rabs_def2 in Hd. lra. }
  destruct (classic (exists x, 0 < h x)) as [[x1 H1] | Z].
  2:{ exists (fun _ => 0), (fun _ => 0). split; [now left|]. split; [|split].
      - intros t. pose proof (integral_scaled line 0 _ _ (total_shifted t)) as I. now rewrite Rmult_0_l in I.
      - intros; lra.
      - intros x. right. split; auto. apply Rnot_lt_le. intros K. apply Z. now exists x. }
  destruct (classic (exists x, h x <= 0)) as [[x0 H0] | Z].
  2:{ exists (fun _ => 1), (fun _ => 1). split; [right; now left|]. split; [|split].
      - intros t. refine (integral_same _ _ _ _ _ (total_shifted t)). intros x; ring.
      - intros; lra.
      - intros x. left. split; auto. apply Rnot_lt_le. intros K. apply Z. exists x. unfold h. lra. }
  assert (Above : forall x, 0 < h x -> is_upper_bound (fun x => h x <= 0) x).
  { intros x Hx y Hy. apply Rnot_lt_le. intros L. pose proof (Up x y (Rlt_le _ _ L) Hx). lra. }
  destruct (completeness (fun x => h x <= 0)) as [t [T1 T2]]; [now exists x1; apply Above | now exists x0|].
  exists (beyond t), (fun s => upper (t - s)). split; [right; right; now exists t|]. split; [|split].
  - intros s'. apply upper_shifted.
  - intros s' s'' L. apply upper_falls. lra.
  - intros x. unfold beyond. destruct (Rlt_dec t x) as [L | L]; [left | right]; split; auto.
    + apply Rnot_lt_le. intros K. specialize (T1 x). unfold h in T1. lra.
    + apply Rnot_lt_le. intros K. destruct (Open x K) as (y & Ly & Hy). specialize (T2 y (Above y Hy)). lra.
Qed.

Lemma sampled_shift_nonnegative rate s : 0 <= rate <= 1 -> nonnegative_step (sampled_shift f rate s).
Proof.
  intros Hr x. pose proof (noise_positive f f_noise x). pose proof (noise_positive f f_noise (x - s)).
  simpl. split; [|lra]. apply Rplus_le_le_0_compat; apply Rmult_le_pos; lra.
Qed.

Lemma parts_integral chi (m : R -> R) rate s : (forall t, integral line (fun x => chi x * f (x - t)) (m t)) ->
  integral line (fun x => chi x * f x) (m 0) /\
  integral line (fun x => chi x * ((1 - rate) * f x + rate * f (x - s))) ((1 - rate) * m 0 + rate * m s).
Proof.
  intros I. assert (I0 : integral line (fun x => chi x * f x) (m 0)).
  { refine (integral_same _ _ _ _ _ (I 0)). intros x. now rewrite Rminus_0_r. }
  split; auto.
  refine (integral_same _ _ _ _ _ (integral_sum _ _ _ _ _ (integral_scaled _ (1 - rate) _ _ I0) (integral_scaled _ rate _ _ (I s)))).
  intros x. ring.
Qed.

Theorem smaller_shift rate s s' : 0 <= rate <= 1 -> 0 <= s <= s' ->
  no_worse (sampled_shift f rate s) (sampled_shift f rate s').
Proof.
  intros Hr Hs. apply no_worse_by_tests; [now apply sampled_shift_nonnegative|]. intros a Ha.
  destruct (threshold rate (a - (1 - rate)) s (proj1 Hr) (proj1 Hs)) as (chi & m & _ & I & M & C).
  destruct (parts_integral chi m rate s I) as [I0 I1]. destruct (parts_integral chi m rate s' I) as [_ I2].
  exists chi, ((1 - rate) * m 0 + rate * m s), (m 0), chi, ((1 - rate) * m 0 + rate * m s'), (m 0).
  split; [|split; [|split; [|split; [|split; [|split]]]]]; auto.
  - intros x. destruct (C x) as [[E K] | [E K]]; [left | right]; split; auto; lra.
  - intros x. destruct (C x) as [[E _] | [E _]]; auto.
  - specialize (M s s' (proj2 Hs)). apply (Rmult_le_compat_l rate) in M; lra.
Qed.

Theorem smaller_shift_swapped rate s s' : 0 <= rate <= 1 -> 0 <= s <= s' ->
  no_worse (swapped (sampled_shift f rate s)) (swapped (sampled_shift f rate s')).
Proof.
  intros Hr Hs. apply no_worse_by_tests.
  { intros x. destruct (sampled_shift_nonnegative rate s Hr x). now split. }
  intros a Ha. cbn [sampled_shift p_of q_of].
  destruct (threshold (a * rate) (1 - a * (1 - rate)) s (Rmult_le_pos _ _ Ha (proj1 Hr)) (proj1 Hs)) as (chi & m & _ & I & M & C).
  assert (J : forall t, integral line (fun x => (1 - chi x) * f (x - t)) (1 - m t)).
  { intros t. pose proof (integral_sum _ _ _ _ _ (total_shifted t) (integral_scaled _ (-1) _ _ (I t))) as J.
    replace (1 - m t) with (1 + -1 * m t) by ring. refine (integral_same _ _ _ _ _ J). intros x. ring. }
  destruct (parts_integral _ _ rate s J) as [I0 I1]. destruct (parts_integral _ _ rate s' J) as [_ I2].
  exists (fun x => 1 - chi x), (1 - m 0), ((1 - rate) * (1 - m 0) + rate * (1 - m s)), (fun x => 1 - chi x), (1 - m 0),
    ((1 - rate) * (1 - m 0) + rate * (1 - m s')). split; [|split; [|split; [|split; [|split; [|split]]]]]; auto.
  - intros x. destruct (C x) as [[-> K] | [-> K]]; [right | left]; split; lra.
  - intros x. destruct (C x) as [[-> _] | [-> _]]; [left | right]; lra.
  - specialize (M s s' (proj2 Hs)). apply (Rmult_le_compat_l (a * rate)) in M; [lra|]. apply Rmult_le_pos; lra.
Qed.

(** Also to the left. *)
Lemma reflected_shift rate v x :
  (1 - rate) * f (- x) + rate * f (- x - - v) = (1 - rate) * f x + rate * f (x - v).
Proof. rewrite <- (noise_even f f_noise (x - v)), <- (noise_even f f_noise x). do 3 f_equal. ring. Qed.

Theorem shift_no_worse rate v s : 0 <= rate <= 1 -> Rabs v <= s ->
  no_worse (sampled_shift f rate v) (sampled_shift f rate s).
Proof.
  intros Hr Hv. destruct (Rle_dec 0 v) as [L | L].
  - rewrite Rabs_pos_eq in Hv by auto. now apply smaller_shift.
  - rewrite Rabs_left in Hv by lra. pose proof (smaller_shift rate (- v) s Hr ltac:(lra)) as K.
    apply no_worse_reflected in K. revert K. apply no_worse_same; intros x; [apply reflected_shift | apply (noise_even f f_noise)].
Qed.

Theorem shift_no_worse_swapped rate v s : 0 <= rate <= 1 -> Rabs v <= s ->
  no_worse (swapped (sampled_shift f rate v)) (swapped (sampled_shift f rate s)).
Proof.
  intros Hr Hv. destruct (Rle_dec 0 v) as [L | L].
  - rewrite Rabs_pos_eq in Hv by auto. now apply smaller_shift_swapped.
  - rewrite Rabs_left in Hv by lra. pose proof (smaller_shift_swapped rate (- v) s Hr ltac:(lra)) as K.
    apply no_worse_reflected in K. revert K. apply no_worse_same; intros x; [apply (noise_even f f_noise) | apply reflected_shift].
Qed.

(** A move by b, where the noise is b times as wide. *)
Lemma scaled_shift noise rate b x : 0 < b -> (forall x, noise x = f (x / b) / b) ->
  (1 - rate) * noise x + rate * noise (x - b) = ((1 - rate) * f (x / b) + rate * f (x / b - 1)) / b.
Proof.
  intros Hb E. rewrite !E. replace ((x - b) / b) with (x / b - 1) by (field; lra). field. lra.
Qed.

Theorem scaled_no_worse noise rate b : 0 < b -> 0 <= rate <= 1 -> (forall x, noise x = f (x / b) / b) ->
  no_worse (sampled_shift noise rate b) (sampled_shift f rate 1) /\
  no_worse (swapped (sampled_shift noise rate b)) (swapped (sampled_shift f rate 1)).
Proof.
  intros Hb Hr E. pose proof (sampled_shift_nonnegative rate 1 Hr) as N. split.
  - apply (no_worse_same line (fun x => p_of (sampled_shift f rate 1) (x / b) / b) (fun x => f (x / b) / b)).
    + intros x. symmetry. now apply scaled_shift.
    + intros x. now rewrite E.
    + apply no_worse_scaled; auto. now apply no_worse_refl.
  - apply (no_worse_same line (fun x => f (x / b) / b) (fun x => p_of (sampled_shift f rate 1) (x / b) / b)).
    + intros x. now rewrite E.
    + intros x. symmetry. now apply scaled_shift.
    + apply no_worse_scaled; auto. apply no_worse_refl. intros x. destruct (N x). now split.
Qed.

End Noise.

(** ** Normal and Laplace noise *)

Theorem normal_noise sigma : 0 < sigma -> rising_noise (normal sigma).
Proof.
  intros H. split.
  - now apply normal_positive.
  - intros x. now apply normal_even.
  - now apply normal_continuous.
  - now apply normal_density.
  - intros s x y Hs L. unfold normal. pose proof (normal_scale_positive sigma H) as K.
    set (k := sigma * sqrt (2 * PI)) in *. assert (I : 0 < / k) by now apply Rinv_0_lt_compat. unfold Rdiv.
    assert (E : forall u v, exp u * / k * (exp v * / k) = exp (u + v) * (/ k * / k)) by (intros; rewrite exp_plus; ring).
    rewrite !E. apply Rmult_le_compat_r; [left; now apply Rmult_lt_0_compat|].
    assert (J : 0 < / (2 * sigma * sigma)).
    { apply Rinv_0_lt_compat. apply Rmult_lt_0_compat; lra. }
    rewrite <- !Rmult_plus_distr_r.
    assert (M : (- ((x - s) * (x - s)) + - (y * y)) * / (2 * sigma * sigma) <=
                (- (x * x) + - ((y - s) * (y - s))) * / (2 * sigma * sigma)).
    { apply Rmult_le_compat_r; [lra|]. assert (0 <= s * (y - x)) by (apply Rmult_le_pos; lra). lra. }
    destruct M as [M | ->]; [left; now apply exp_increasing | lra].
Qed.

Theorem laplace_noise b : 0 < b -> rising_noise (laplace_density b).
Proof.
  intros H. split.
  - now apply lap_positive.
  - intros x. unfold laplace_density. now rewrite Rabs_Ropp.
  - intros x. unfold laplace_density. apply (continuous_mult (fun x => exp (- (Rabs x / b))) (fun _ => / (2 * b))).
    2: apply continuous_const.
    apply (continuous_comp (fun x => - (Rabs x / b)) exp).
    2:{ apply (ex_derive_continuous exp). auto_derive. auto. }
    apply (continuous_opp (V := R_NormedModule) (fun x => Rabs x / b)).
    apply (continuous_mult Rabs (fun _ => / b)); [|apply continuous_const]. apply continuous_Rabs.
  - now apply laplace_integrates_to_1.
  - intros s x y Hs L. unfold laplace_density. set (k := 2 * b). assert (I : 0 < / k) by (apply Rinv_0_lt_compat; unfold k; lra).
    unfold Rdiv.
    assert (E : forall u v, exp u * / k * (exp v * / k) = exp (u + v) * (/ k * / k)) by (intros; rewrite exp_plus; ring).
    rewrite !E. apply Rmult_le_compat_r; [left; now apply Rmult_lt_0_compat|].
    assert (J : 0 < / b) by now apply Rinv_0_lt_compat.
    assert (M : - (Rabs (x - s) * / b) + - (Rabs y * / b) <= - (Rabs x * / b) + - (Rabs (y - s) * / b)).
    { rewrite <- !Ropp_plus_distr, <- !Rmult_plus_distr_r. apply Ropp_le_contravar.
      apply Rmult_le_compat_r; [lra|]. unfold Rabs.
      destruct (Rcase_abs x), (Rcase_abs y), (Rcase_abs (x - s)), (Rcase_abs (y - s)); lra. }
    destruct M as [M | ->]; [left; now apply exp_increasing | lra].
Qed.

(** Noise that is b times as wide. *)
Lemma normal_scaled sigma b x : 0 < sigma -> 0 < b -> normal (sigma * b) x = normal sigma (x / b) / b.
Proof.
  intros Hs Hb. unfold normal. pose proof (normal_scale_positive sigma Hs) as K.
  replace (- (x * x) / (2 * (sigma * b) * (sigma * b))) with (- (x / b * (x / b)) / (2 * sigma * sigma)) by (field; lra).
  replace (sigma * b * sqrt (2 * PI)) with (sigma * sqrt (2 * PI) * b) by ring. set (k := sigma * sqrt (2 * PI)) in *. field. lra.
Qed.

Lemma laplace_scaled scale b x : 0 < scale -> 0 < b -> laplace_density (scale * b) x = laplace_density scale (x / b) / b.
Proof.
  intros Hs Hb. unfold laplace_density. replace (Rabs (x / b) / scale) with (Rabs x / (scale * b)).
  - field. lra.
  - unfold Rdiv at 3. rewrite Rabs_mult, (Rabs_pos_eq (/ b)); [field; lra|]. left; now apply Rinv_0_lt_compat.
Qed.
