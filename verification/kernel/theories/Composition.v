(** Upper ends: an adaptive composition is private with the curve of the product of laws that
    dominate its steps, whatever the history. By induction on the steps; only finite sums meet
    integrals. *)
From Coq Require Import Reals List Lra.
From Plaudit Require Import Privacy Curve.
Import ListNotations.
Open Scope R_scope.

Definition nonnegative_step {Output} (s : step_on Output) : Prop := forall x, 0 <= p_of s x /\ 0 <= q_of s x.

(** For every a the hockey stick (p - a q)_+ has a bound whose integral is at most V's curve. *)
Definition dominated {Output} (s : step_on Output) (V : law) : Prop :=
  forall a, 0 <= a -> exists G c,
    (forall x, 0 <= G x) /\ (forall x, p_of s x - a * q_of s x <= G x) /\
    integral (outputs s) G c /\ c <= curve V a.

(** The first step has the first law, whatever the history; and so on. *)
Fixpoint dominated_run {Output} (m : mechanism_on Output) (h : list Output) (Vs : list law) : Prop :=
  match Vs with
  | nil => True
  | V :: Vs => nonnegative_step (m h) /\ dominated (m h) V /\ forall x, dominated_run m (x :: h) Vs
  end.

Lemma dominated_below {Output} (s : step_on Output) V W : dominated s V -> below V W -> dominated s W.
Proof.
  intros D L a Ha. destruct (D a Ha) as (G & c & H1 & H2 & H3 & H4).
  exists G, c; repeat split; auto. apply Rle_trans with (1 := H4). now apply L.
Qed.

Lemma accepts_nonnegative {Output} (m : mechanism_on Output) test (Htest : forall h, 0 <= test h <= 1) Vs :
  forall h v, dominated_run m h Vs -> accepts q_of m (length Vs) h test v -> 0 <= v.
Proof.
  induction Vs as [|V Vs IH]; simpl; intros h v.
  - intros _ ->; apply Htest.
  - intros (N & _ & D) [g [Hg HI]].
    replace 0 with (0 * v) by ring.
    apply (integral_monotone (outputs (m h)) (fun x => 0 * (q_of (m h) x * g x))
      (fun x => q_of (m h) x * g x)); auto.
    + intros x. rewrite Rmult_0_l. apply Rmult_le_pos; [apply N | eauto].
    + now apply integral_scaled.
Qed.

(** The sum of w (p - a y q)_+ over the atoms of a law. *)
Fixpoint mixed (W : law) (a p q : R) : R :=
  match W with nil => 0 | (w, y) :: W => w * Rmax 0 (p - a * y * q) + mixed W a p q end.

Lemma mixed_nonnegative W a p q : nonnegative W -> 0 <= mixed W a p q.
Proof.
  intros HW; induction HW as [|[w y] W [H1 H2] HW IH]; simpl in *; [lra|].
  pose proof (Rmult_le_pos _ _ H1 (Rmax_l 0 (p - a * y * q))). lra.
Qed.

Lemma mixed_curve W a p q : 0 < p -> mixed W a p q = p * curve W (a * q / p).
Proof.
  intros Hp; induction W as [|[w y] W IH]; simpl; [ring|].
  rewrite IH. unfold hinge. rewrite Rmult_plus_distr_l. f_equal.
  replace (p * (w * Rmax 0 (1 - a * q / p * y))) with (w * (p * Rmax 0 (1 - a * q / p * y))) by ring.
  f_equal. rewrite <- (RmaxRmult _ _ p) by lra. f_equal; field; lra.
Qed.

Lemma mixed_integral {Output} W V (s : step_on Output) a : 0 <= a -> nonnegative W -> dominated s V ->
  exists G c, (forall x, mixed W a (p_of s x) (q_of s x) <= G x) /\
    integral (outputs s) G c /\ c <= curve (conv W V) a.
Proof.
  intros Ha HW D; induction HW as [|[w y] W [H1 H2] HW IH]; simpl.
  - destruct (D 0 (Rle_refl 0)) as [G [c [G0 [G1 [Hc _]]]]].
    exists (fun x => 0 * G x), (0 * c); repeat split; [intros; lra | | lra].
    now apply integral_scaled.
  - simpl in *. destruct IH as [G [c [HG [Hc Hc']]]].
    destruct (D (a * y)) as [G2 [d [G0 [G1 [Hd Hd']]]]]; [now apply Rmult_le_pos|].
    exists (fun x => w * G2 x + G x), (w * d + c); repeat split.
    + intros x. apply Rplus_le_compat; auto. apply Rmult_le_compat_l; auto.
      apply Rmax_lub; auto.
    + apply integral_sum; auto. now apply integral_scaled.
    + rewrite curve_app, curve_scale.
      pose proof (Rmult_le_compat_l w _ _ H1 Hd'). lra.
Qed.

Theorem composition {Output} (m : mechanism_on Output) Vs : Forall nonnegative Vs -> dominated_run m nil Vs ->
  forall a, 0 <= a -> private m (length Vs) a (curve (product Vs) a).
Proof.
  intros HV D a Ha test Htest.
  cut (forall h a, 0 <= a -> dominated_run m h Vs -> forall u w,
         accepts p_of m (length Vs) h test u -> accepts q_of m (length Vs) h test w ->
         u - a * w <= curve (product Vs) a).
  { intros H u w Hu Hw. specialize (H nil a Ha D u w Hu Hw). lra. }
  clear a Ha D. induction HV as [|V Vs HV0 HV IH]; intros h a Ha D u w; simpl.
  - intros -> ->. rewrite Rmult_1_l, Rplus_0_r. pose proof (Htest h).
    pose proof (hinge_nonnegative a 1). pose proof (hinge_above a 1).
    destruct (Rle_dec a 1) as [L|L].
    + assert (test h * (1 - a) <= 1 * (1 - a)) by (apply Rmult_le_compat_r; lra). lra.
    + assert (test h * (1 - a) <= 0); [|lra].
      replace 0 with (test h * 0) by ring. apply Rmult_le_compat_l; lra.
  - intros [g [Hg Iu]] [g' [Hg' Iw]]. destruct D as (N & Dom & D).
    pose proof (nonnegative_product Vs HV) as PV.
    destruct (mixed_integral (product Vs) V (m h) a Ha PV Dom) as [G [c [HG [Hc Hc']]]].
    apply Rle_trans with (2 := Hc').
    refine (integral_monotone (outputs (m h))
      (fun x => p_of (m h) x * g x + (- a) * (q_of (m h) x * g' x)) _ _ c _ _ Hc).
    + intros x. apply Rle_trans with (2 := HG x). destruct (N x) as [P Q].
      pose proof (accepts_nonnegative m test Htest Vs _ _ (D x) (Hg' x)) as G'.
      destruct (Rle_lt_or_eq_dec _ _ P) as [P'|P'].
      * rewrite mixed_curve by auto.
        assert (A : 0 <= a * q_of (m h) x / p_of (m h) x).
        { unfold Rdiv. apply Rmult_le_pos; [now apply Rmult_le_pos|].
          left; now apply Rinv_0_lt_compat. }
        specialize (IH (x :: h) _ A (D x) _ _ (Hg x) (Hg' x)).
        apply (Rmult_le_compat_l (p_of (m h) x)) in IH; [|lra].
        replace (p_of (m h) x * g x + - a * (q_of (m h) x * g' x))
          with (p_of (m h) x * (g x - a * q_of (m h) x / p_of (m h) x * g' x)) by (field; lra).
        exact IH.
      * rewrite <- P'. pose proof (mixed_nonnegative (product Vs) a 0 (q_of (m h) x) PV).
        pose proof (Rmult_le_pos _ _ Ha (Rmult_le_pos _ _ Q G')). lra.
    + replace (u - a * w) with (u + (- a) * w) by ring.
      apply integral_sum; auto. now apply (integral_scaled _ (- a) (fun x => q_of (m h) x * g' x)).
Qed.

(** Steps that are given: each is dominated by its law. *)
Lemma sequence_dominated {Output} (steps : list (step_on Output)) default Vs :
  Forall2 (fun s V => nonnegative_step s /\ dominated s V) steps Vs ->
  dominated_run (sequence steps default) nil Vs.
Proof.
  intros H. cut (forall before h, length h = length before ->
    dominated_run (sequence (before ++ steps) default) h Vs).
  { intros K. exact (K nil nil eq_refl). }
  induction H as [|s V steps Vs [H1 H2] H IH]; intros before h E; simpl; auto.
  assert (S : sequence (before ++ s :: steps) default h = s).
  { unfold sequence. rewrite E, app_nth2, Nat.sub_diag by auto. reflexivity. }
  rewrite S. split; [auto|]. split; [auto|]. intros x.
  replace (before ++ s :: steps) with ((before ++ [s]) ++ steps) by now rewrite <- app_assoc.
  apply IH. simpl. rewrite app_length, E. simpl. now rewrite Nat.add_comm.
Qed.
