(** Differential privacy of single steps. Every (epsilon, 0)-private step, over any outputs, has the source
    of randomized response: one slice. Every (epsilon, delta)-private step is no worse than randomized
    response that leaks with probability delta. *)
From Coq Require Import Reals ZArith List Lia Lra Bool.
From Plaudit Require Import Privacy Outputs Laws Curve Composition Lattice Powers Slices Normal Runs Sources
  Finite Adaptive.
Import List ListNotations.
Open Scope R_scope.

(** ** Pure differential privacy *)

Definition pure_step {Output} (eps : R) (s : step_on Output) : Prop :=
  nonnegative_step s /\ (forall x, p_of s x <= exp eps * q_of s x /\ q_of s x <= exp eps * p_of s x) /\
  integral (outputs s) (p_of s) 1 /\ integral (outputs s) (q_of s) 1.

(** [above]: at least exp epsilon, in units of 2^-T. *)
Definition pure_slices (T above : Z) : list slice :=
  [Slice (2 ^ T) (2 ^ T) (2 ^ T) (2 ^ T) above (2 ^ T) (2 ^ T) above].

Theorem pure_whole_holds T above eps s : (0 <= T)%Z -> exp eps * two T <= IZR above -> pure_step eps s ->
  whole_holds T s (pure_slices T above).
Proof.
  intros HT0 Ha (N & B & P & Q). pose proof (two_T T HT0) as HT. split; auto. split; [discriminate|].
  exists [((fun _ => 1), Slice (2 ^ T) (2 ^ T) (2 ^ T) (2 ^ T) above (2 ^ T) (2 ^ T) above)].
  split; [reflexivity|]. split; [|split; [intros x; simpl; lra | intros x; simpl; split; ring]].
  constructor; [|constructor]. split; [|split]; cbn [low_p high_p low_q high_q num_hi den_hi num_lo den_lo].
  - intros x. right. split; auto. destruct (B x) as [B1 B2]. destruct (N x) as [Np Nq].
    split; rewrite (Rmult_comm (two T)).
    + apply Rle_trans with (exp eps * p_of s x * two T); [apply Rmult_le_compat_r; lra|].
      replace (exp eps * p_of s x * two T) with (exp eps * two T * p_of s x) by ring. now apply Rmult_le_compat_r.
    + apply Rle_trans with (exp eps * q_of s x * two T); [apply Rmult_le_compat_r; lra|].
      replace (exp eps * q_of s x * two T) with (exp eps * two T * q_of s x) by ring. now apply Rmult_le_compat_r.
  - exists 1. split; [|lra]. apply (integral_same _ (p_of s)); auto. intros x; ring.
  - exists 1. split; [|lra]. apply (integral_same _ (q_of s)); auto. intros x; ring.
Qed.

Definition pure_source (T above : Z) : source := Source true (pure_slices T above) 0.

Theorem pure_source_holds B T above eps s : (0 <= T)%Z -> exp eps * two T <= IZR above -> pure_step eps s ->
  source_holds B T s (pure_source T above).
Proof. intros H1 H2 H3. apply whole_source. intros _. now apply pure_whole_holds with eps. Qed.

Lemma pure_swapped {Output} eps (s : step_on Output) : pure_step eps s -> pure_step eps (swapped s).
Proof.
  intros (N & B & P & Q). split; [|split]; [| |split; auto].
  - intros x. destruct (N x). now split.
  - intros x. destruct (B x). now split.
Qed.

Theorem randomized_response_pure eps : 0 <= eps -> pure_step eps (randomized_response eps).
Proof.
  intros He. assert (A : 1 <= exp eps).
  { destruct He as [He | <-]; [|rewrite exp_0; lra]. rewrite <- exp_0. left. now apply exp_increasing. }
  set (A' := exp eps) in *. assert (I : 0 < / (1 + A')) by (apply Rinv_0_lt_compat; lra).
  assert (S : 1 / (1 + A') + A' / (1 + A') = 1) by (field; lra).
  assert (P1 : 0 <= 1 / (1 + A')) by (unfold Rdiv; lra).
  assert (P2 : 0 <= A' / (1 + A')) by (unfold Rdiv; apply Rmult_le_pos; lra).
  assert (E : A' / (1 + A') = A' * (1 / (1 + A'))) by (unfold Rdiv; ring).
  assert (L : 1 / (1 + A') <= A' * (A' / (1 + A'))).
  { assert (1 * 1 <= A' * A') by (apply Rmult_le_compat; lra).
    replace (A' * (A' / (1 + A'))) with (A' * A' * / (1 + A')) by (unfold Rdiv; ring). apply Rmult_le_compat_r; lra. }
  unfold pure_step, randomized_response. fold A'.
  set (u := 1 / (1 + A')) in *. set (v := A' / (1 + A')) in *. clearbody u v A'. clear I. split; [|split; [|split]].
  - intros x. cbn [finite_step p_of q_of listed].
    destruct (Req_EM_T x 0); [lra|]. destruct (Req_EM_T (x - 1) 0); lra.
  - intros x. cbn [finite_step p_of q_of listed].
    destruct (Req_EM_T x 0); [lra|]. destruct (Req_EM_T (x - 1) 0); lra.
  - cbn [finite_step outputs p_of length seq map]. simpl. destruct (Req_EM_T 0 0); [|lra].
    destruct (Req_EM_T 1 0); [lra|]. destruct (Req_EM_T (1 - 1) 0); lra.
  - cbn [finite_step outputs q_of length seq map]. simpl. destruct (Req_EM_T 0 0); [|lra].
    destruct (Req_EM_T 1 0); [lra|]. destruct (Req_EM_T (1 - 1) 0); lra.
Qed.

(** ** Approximate differential privacy *)

(** The hockey sticks (p - exp(eps) q)_+ and (q - exp(eps) p)_+ have bounds whose integrals are at most
    delta: the probabilities of no event differ by more, in either direction. *)
Definition approximate_step {Output} (eps delta : R) (s : step_on Output) : Prop :=
  nonnegative_step s /\ integral (outputs s) (p_of s) 1 /\ integral (outputs s) (q_of s) 1 /\
  (exists G c, (forall x, 0 <= G x) /\ (forall x, p_of s x - exp eps * q_of s x <= G x) /\
    integral (outputs s) G c /\ c <= delta) /\
  (exists G c, (forall x, 0 <= G x) /\ (forall x, q_of s x - exp eps * p_of s x <= G x) /\
    integral (outputs s) G c /\ c <= delta).

Lemma approximate_swapped {Output} eps delta (s : step_on Output) : approximate_step eps delta s -> approximate_step eps delta (swapped s).
Proof.
  intros (N & P & Q & HG & HH). split; [|repeat (split; auto)]. intros x. destruct (N x). now split.
Qed.

Lemma pure_approximate {Output} eps (s : step_on Output) : pure_step eps s -> approximate_step eps 0 s.
Proof.
  intros (N & B & P & Q).
  assert (Z : integral (outputs s) (fun _ => 0) 0).
  { pose proof (integral_scaled _ 0 _ _ P) as Z. rewrite Rmult_0_l in Z.
    apply (integral_same _ _ _ _ (fun x => Rmult_0_l _) Z). }
  split; auto. split; auto. split; auto. split.
  - exists (fun _ => 0), 0. split; [intros; lra|]. split; [|split; [auto | lra]]. intros x. destruct (B x). lra.
  - exists (fun _ => 0), 0. split; [intros; lra|]. split; [|split; [auto | lra]]. intros x. destruct (B x). lra.
Qed.

(** Randomized response that leaks is an (epsilon, delta)-private step. *)
Theorem leaky_response_approximate eps delta : 0 <= eps -> 0 <= delta <= 1 -> approximate_step eps delta (leaky_response eps delta).
Proof.
  intros He Hd. assert (A : 1 <= exp eps).
  { destruct He as [He | <-]; [|rewrite exp_0; lra]. rewrite <- exp_0. left. now apply exp_increasing. }
  set (A' := exp eps) in *. assert (I : 0 < / (1 + A')) by (apply Rinv_0_lt_compat; lra).
  set (k := (1 - delta) / (1 + A')). assert (K : 0 <= k) by (unfold k, Rdiv; apply Rmult_le_pos; lra).
  assert (KA : 0 <= k * A') by (apply Rmult_le_pos; lra). assert (L : k <= k * A').
  { rewrite <- (Rmult_1_r k) at 1. now apply Rmult_le_compat_l. }
  assert (S : k + k * A' = 1 - delta) by (unfold k; field; lra).
  assert (E : (1 - delta) * A' / (1 + A') = k * A') by (unfold k, Rdiv; ring).
  assert (M : k * A' <= A' * (k * A')).
  { rewrite <- (Rmult_1_l (k * A')) at 1. now apply Rmult_le_compat_r. }
  pose proof (Rmult_le_pos A' delta ltac:(lra) (proj1 Hd)) as AD.
  assert (Hx : forall x a0 a1 a2 a3, listed [a0; a1; a2; a3] x =
    if Req_EM_T x 0 then a0 else if Req_EM_T (x - 1) 0 then a1 else if Req_EM_T (x - 1 - 1) 0 then a2 else
    if Req_EM_T (x - 1 - 1 - 1) 0 then a3 else 0) by reflexivity.
  assert (T : forall a0 a1 a2 a3, integral (outputs (leaky_response eps delta)) (listed [a0; a1; a2; a3]) (a0 + a1 + a2 + a3)).
  { intros a0 a1 a2 a3. cbn [leaky_response finite_step outputs finite integral length seq map total fold_right].
    rewrite !listed_nth. cbn [nth]. ring. }
  unfold approximate_step, leaky_response, finite_step in *. cbn [p_of q_of outputs] in *. fold A'. fold k. rewrite E.
  split; [|split; [|split; [|split]]].
  - intros x. cbn [p_of q_of]. rewrite !Hx. destruct (Req_EM_T x 0); [lra|]. destruct (Req_EM_T (x - 1) 0); [lra|].
    destruct (Req_EM_T (x - 1 - 1) 0); [lra|]. destruct (Req_EM_T (x - 1 - 1 - 1) 0); lra.
  - pose proof (T 0 k (k * A') delta) as J. replace (0 + k + k * A' + delta) with 1 in J by lra. exact J.
  - pose proof (T delta (k * A') k 0) as J. replace (delta + k * A' + k + 0) with 1 in J by lra. exact J.
  - exists (listed [0; 0; 0; delta]), (0 + 0 + 0 + delta). split; [|split; [|split; [apply T | lra]]]; intros x; rewrite !Hx;
      destruct (Req_EM_T x 0); [lra| | lra|]; (destruct (Req_EM_T (x - 1) 0); [lra|]);
      (destruct (Req_EM_T (x - 1 - 1) 0); [lra|]); destruct (Req_EM_T (x - 1 - 1 - 1) 0); lra.
  - exists (listed [delta; 0; 0; 0]), (delta + 0 + 0 + 0). split; [|split; [|split; [apply T | lra]]]; intros x; rewrite !Hx;
      destruct (Req_EM_T x 0); [lra| | lra|]; (destruct (Req_EM_T (x - 1) 0); [lra|]);
      (destruct (Req_EM_T (x - 1 - 1) 0); [lra|]); destruct (Req_EM_T (x - 1 - 1 - 1) 0); lra.
Qed.

(** The curve of leaking randomized response. *)
Definition response_curve (A delta a : R) : R :=
  delta + (1 - delta) / (1 + A) * (Rmax 0 (1 - a * A) + Rmax 0 (A - a)).

Lemma approximate_curve {Output} eps delta (s : step_on Output) : 0 <= eps -> approximate_step eps delta s -> forall a, 0 <= a ->
  exists G c, (forall x, 0 <= G x) /\ (forall x, p_of s x - a * q_of s x <= G x) /\
    integral (outputs s) G c /\ c <= response_curve (exp eps) delta a.
Proof.
  intros He (N & P & Q & (G1 & c1 & A1 & A2 & A3 & A4) & (G2 & c2 & B1 & B2 & B3 & B4)) a Ha.
  assert (L : 1 <= exp eps).
  { destruct He as [He | <-]; [|rewrite exp_0; lra]. rewrite <- exp_0. left. now apply exp_increasing. }
  set (A := exp eps) in *. unfold response_curve. destruct (Rle_dec (a * A) 1) as [C1 | C1].
  - (* between p and the other hockey stick *)
    assert (La : a <= 1).
    { apply Rle_trans with (2 := C1). rewrite <- (Rmult_1_r a) at 1. now apply Rmult_le_compat_l. }
    exists (fun x => p_of s x + ((- a) * q_of s x + a * G2 x)), (1 + ((- a) * 1 + a * c2)). split; [|split; [|split]].
    + intros x. destruct (N x) as [Np Nq]. pose proof (Rmult_le_compat_l _ _ _ Ha (B2 x)).
      pose proof (Rmult_le_compat_r _ _ _ Np C1). lra.
    + intros x. pose proof (Rmult_le_pos _ _ Ha (B1 x)). lra.
    + apply integral_sum; auto. apply integral_sum; now apply integral_scaled.
    + rewrite !Rmax_right by lra. pose proof (Rmult_le_compat_l _ _ _ Ha B4).
      replace ((1 - delta) / (1 + A) * (1 - a * A + (A - a))) with ((1 - delta) * (1 - a)) by (field; lra). lra.
  - destruct (Rle_dec A a) as [C2 | C2].
    + exists G1, c1. split; [|split; [|split]]; auto.
      * intros x. destruct (N x) as [_ Nq]. pose proof (Rmult_le_compat_r _ _ _ Nq C2). specialize (A2 x). lra.
      * rewrite !Rmax_left by lra. lra.
    + (* between the two *)
      assert (A1' : 1 < A) by (destruct L as [L | L]; auto; rewrite <- L in C1, C2; lra).
      assert (HD : 0 < A * A - 1).
      { assert (1 * 1 < A * A) by (apply Rmult_le_0_lt_compat; lra). lra. }
      assert (HDi : 0 < / (A * A - 1)) by now apply Rinv_0_lt_compat.
      set (k := (A - a) / (A * A - 1)). set (m := (a * A - 1) / (A * A - 1)).
      assert (K0 : 0 <= k) by (unfold k, Rdiv; apply Rmult_le_pos; lra).
      assert (M0 : 0 <= m) by (unfold m, Rdiv; apply Rmult_le_pos; lra).
      assert (E1 : k * A + m = 1) by (unfold k, m; field; lra).
      assert (E2 : k + m * A = a) by (unfold k, m; field; lra).
      exists (fun x => (k * A) * p_of s x + ((- k) * q_of s x + (k * G2 x + m * G1 x))), (k * A * 1 + ((- k) * 1 + (k * c2 + m * c1))).
      split; [|split; [|split]].
      * intros x. pose proof (Rmult_le_compat_l _ _ _ K0 (B2 x)). pose proof (Rmult_le_pos _ _ M0 (A1 x)). lra.
      * intros x. pose proof (Rmult_le_pos _ _ K0 (B1 x)). pose proof (Rmult_le_compat_l _ _ _ M0 (A2 x)).
        replace (p_of s x - a * q_of s x) with ((k * A + m) * p_of s x - (k + m * A) * q_of s x) by (rewrite E1, E2; ring). lra.
      * apply integral_sum; [now apply integral_scaled|]. apply integral_sum; [now apply integral_scaled|].
        apply integral_sum; now apply integral_scaled.
      * rewrite Rmax_left, Rmax_right by lra.
        pose proof (Rmult_le_compat_l _ _ _ K0 B4). pose proof (Rmult_le_compat_l _ _ _ M0 A4).
        replace (delta + (1 - delta) / (1 + A) * (0 + (A - a))) with (k * A + (- k) + (k + m) * delta); [lra|].
        unfold k, m. field. split; lra.
Qed.

(** What dominates a finite step is above its hockey sticks. *)
Lemma finite_hockey_stick ps qs V a : dominated (finite_step ps qs) V -> 0 <= a ->
  total (map INR (seq 0 (length ps))) (fun x => Rmax 0 (listed ps x - a * listed qs x)) <= curve V a.
Proof.
  intros D Ha. destruct (D a Ha) as (G & c & H1 & H2 & H3 & H4). apply Rle_trans with (2 := H4).
  apply (integral_monotone (finite (map INR (seq 0 (length ps)))) (fun x => Rmax 0 (listed ps x - a * listed qs x)) G).
  - intros x. apply Rmax_lub; [apply H1 | exact (H2 x)].
  - reflexivity.
  - exact H3.
Qed.

Lemma Rmax_scaled k x : 0 <= k -> Rmax 0 (k * x) = k * Rmax 0 x.
Proof. intros Hk. rewrite <- (Rmult_0_r k) at 1. now apply RmaxRmult. Qed.

(** The theorem of one step: what dominates leaking randomized response dominates the step. *)
Theorem approximate_no_worse {Output} eps delta (s : step_on Output) : 0 <= eps -> 0 <= delta <= 1 -> approximate_step eps delta s ->
  no_worse s (leaky_response eps delta).
Proof.
  intros He Hd H. split; [apply H|]. intros V D a Ha.
  destruct (approximate_curve eps delta s He H a Ha) as (G & c & H1 & H2 & H3 & H4).
  exists G, c. split; [|split; [|split]]; auto. apply Rle_trans with (1 := H4).
  pose proof (finite_hockey_stick _ _ V a D Ha) as K. apply Rle_trans with (2 := K). right.
  pose proof (exp_pos eps) as A0. unfold response_curve. set (A := exp eps) in *.
  cbn [length seq map total fold_right]. rewrite !listed_nth. cbn [nth].
  assert (K0 : 0 <= (1 - delta) / (1 + A)).
  { unfold Rdiv. apply Rmult_le_pos; [lra|]. left; apply Rinv_0_lt_compat; lra. }
  replace ((1 - delta) / (1 + A) - a * ((1 - delta) * A / (1 + A))) with ((1 - delta) / (1 + A) * (1 - a * A)) by (field; lra).
  replace ((1 - delta) * A / (1 + A) - a * ((1 - delta) / (1 + A))) with ((1 - delta) / (1 + A) * (A - a)) by (field; lra).
  rewrite !Rmax_scaled by auto. pose proof (Rmult_le_pos _ _ Ha (proj1 Hd)).
  rewrite (Rmax_left 0 (0 - a * delta)), (Rmax_right 0 (delta - a * 0)) by lra. ring.
Qed.

Theorem pure_no_worse {Output} eps (s : step_on Output) : 0 <= eps -> pure_step eps s -> no_worse s (randomized_response eps).
Proof.
  intros He H. split; [apply H|]. intros V D a Ha.
  destruct (approximate_curve eps 0 s He (pure_approximate eps s H) a Ha) as (G & c & H1 & H2 & H3 & H4).
  exists G, c. split; [|split; [|split]]; auto. apply Rle_trans with (1 := H4).
  pose proof (finite_hockey_stick _ _ V a D Ha) as K. apply Rle_trans with (2 := K). right.
  pose proof (exp_pos eps) as A0. unfold response_curve. set (A := exp eps) in *.
  cbn [length seq map total fold_right]. rewrite !listed_nth. cbn [nth].
  assert (K0 : 0 <= 1 / (1 + A)).
  { unfold Rdiv. apply Rmult_le_pos; [lra|]. left; apply Rinv_0_lt_compat; lra. }
  replace (1 / (1 + A) - a * (A / (1 + A))) with (1 / (1 + A) * (1 - a * A)) by (field; lra).
  replace (A / (1 + A) - a * (1 / (1 + A))) with (1 / (1 + A) * (A - a)) by (field; lra).
  rewrite !Rmax_scaled by auto. rewrite Rminus_0_r. ring.
Qed.
