(** Normal noise on vectors. The density moved by a vector v, with a probability or always, against the density
    itself is no worse than the same on the line, moved by the length of v: the best tests are half-spaces, and
    these have the probabilities of half-lines (Rotation.v). *)
From Coq Require Import Reals List Lia Lra Psatz.
From Plaudit Require Import Privacy Outputs Laws Curve Composition Normal Normalised Sources Laplace Adaptive Noise Rotation.
Import List ListNotations.
Open Scope R_scope.

(** ** What is stated *)

(** Integrals over lists of d numbers, one number after the other. *)
Fixpoint iterated (d : nat) (f : list R -> R) (v : R) : Prop :=
  match d with
  | O => v = f nil
  | S d => exists g, (forall x, iterated d (fun y => f (x :: y)) (g x)) /\ integral line g v
  end.

(** The density of independent normal noise of the standard deviation sigma around a centre. *)
Fixpoint normals (sigma : R) (centre x : list R) : R :=
  match centre, x with
  | nil, nil => 1
  | c :: centre, y :: x => normal sigma (y - c) * normals sigma centre x
  | _, _ => 0
  end.

Fixpoint moved (c v : list R) : list R :=
  match c, v with a :: c, b :: v => a + b :: moved c v | _, _ => nil end.
Fixpoint dot (c x : list R) : R :=
  match c, x with a :: c, y :: x => a * y + dot c x | _, _ => 0 end.
Definition length_of (v : list R) : R := sqrt (dot v v).

(** ** Integrals *)

Lemma iterated_same d : forall f g v, (forall x, f x = g x) -> iterated d f v -> iterated d g v.
Proof.
  induction d as [|d IH]; simpl; intros f g v E; [now rewrite E|]. intros (k & H & I). exists k. split; auto.
  intros x. apply (IH (fun y => f (x :: y))); auto.
Qed.
Lemma iterated_sum d : forall f g v w, iterated d f v -> iterated d g w -> iterated d (fun x => f x + g x) (v + w).
Proof.
  induction d as [|d IH]; simpl; intros f g v w; [now intros -> ->|]. intros (k & H & I) (l & K & J).
  exists (fun x => k x + l x). split; [|exact (integral_sum line _ _ _ _ I J)]. intros x.
  apply (IH (fun y => f (x :: y)) (fun y => g (x :: y))); auto.
Qed.
Lemma iterated_scaled d : forall c f v, iterated d f v -> iterated d (fun x => c * f x) (c * v).
Proof.
  induction d as [|d IH]; simpl; intros c f v; [now intros ->|]. intros (k & H & I).
  exists (fun x => c * k x). split; [|exact (integral_scaled line c _ _ I)]. intros x. apply (IH c (fun y => f (x :: y))); auto.
Qed.
Lemma iterated_monotone d : forall f g v w, (forall x, f x <= g x) -> iterated d f v -> iterated d g w -> v <= w.
Proof.
  induction d as [|d IH]; simpl; intros f g v w L; [intros -> ->; auto|]. intros (k & H & I) (l & K & J).
  refine (integral_monotone line k l _ _ _ I J). intros x. exact (IH _ _ _ _ (fun y => L (x :: y)) (H x) (K x)).
Qed.

Definition space (d : nat) : measure_on (list R) :=
  Measure (iterated d) (iterated_same d) (iterated_sum d) (iterated_scaled d) (iterated_monotone d).

Lemma line_unique f u v : integral line f u -> integral line f v -> u = v.
Proof. intros I J. apply Rle_antisym; eapply (integral_monotone line f f); eauto; intros; lra. Qed.

(** ** Vectors *)

Lemma moved_length c : forall v, length c = length v -> length (moved c v) = length c.
Proof. induction c as [|a c IH]; intros [|b v] L; simpl in *; try discriminate; auto. Qed.
Lemma moved_moved c : forall v w, moved (moved c v) w = moved (moved c w) v.
Proof. induction c as [|a c IH]; intros [|b v] [|e w]; simpl; auto. rewrite IH. f_equal. ring. Qed.
Lemma dot_moved v : forall c w, length c = length v -> length w = length v -> dot v (moved c w) = dot v c + dot v w.
Proof.
  induction v as [|a v IH]; intros [|b c] [|e w] L K; simpl in *; try discriminate; [ring|]. rewrite IH by lia. ring.
Qed.
Lemma dot_nonnegative v : 0 <= dot v v.
Proof. induction v as [|a v IH]; simpl; [lra|]. pose proof (Rle_0_sqr a) as S. unfold Rsqr in S. lra. Qed.
Lemma dot_zero v : dot v v = 0 -> forall x, dot v x = 0.
Proof.
  induction v as [|a v IH]; intros H [|y x]; simpl in *; auto. pose proof (dot_nonnegative v). pose proof (Rle_0_sqr a) as S.
  unfold Rsqr in S. assert (A : a * a = 0) by lra. assert (Z : a = 0) by (apply Rmult_integral in A; tauto).
  rewrite IH by lra. rewrite Z. ring.
Qed.

Section Normals.
Variable sigma : R.
Hypothesis sigma_positive : 0 < sigma.
Notation n := (normal sigma).
Notation tail := (upper (normal sigma)).
Let noise : rising_noise n := normal_noise sigma sigma_positive.

Lemma normals_nonnegative c : forall x, 0 <= normals sigma c x.
Proof.
  induction c as [|a c IH]; intros [|y x]; simpl; try lra. apply Rmult_le_pos; auto. left. now apply normal_positive.
Qed.

Theorem normals_total c : integral (space (length c)) (normals sigma c) 1.
Proof.
  induction c as [|a c IH]; simpl; auto. exists (fun y => n (y - a)). split; [|now apply (total_shifted n noise)].
  intros y. pose proof (iterated_scaled (length c) (n (y - a)) _ _ IH) as I. now rewrite Rmult_1_r in I.
Qed.

Lemma normal_moved y v : n (y - v) = n y * exp ((v * y - v * v / 2) / (sigma * sigma)).
Proof.
  unfold normal. set (k := sigma * sqrt (2 * PI)).
  assert (E : forall u w, exp u / k * exp w = exp (u + w) / k) by (intros; rewrite exp_plus; unfold Rdiv; ring).
  rewrite E. do 2 f_equal. field. lra.
Qed.

Lemma normals_moved c : forall v x, length c = length v ->
  normals sigma (moved c v) x = normals sigma c x * exp ((dot v x - dot v c - dot v v / 2) / (sigma * sigma)).
Proof.
  induction c as [|a c IH]; intros [|b v] [|y x] L; simpl in *; try discriminate; try ring.
  - replace ((0 - 0 - 0 / 2) / (sigma * sigma)) with 0 by (field; lra). rewrite exp_0. ring.
  - rewrite IH by lia. replace (y - (a + b)) with (y - a - b) by ring. rewrite normal_moved.
    replace ((b * y + dot v x - (b * a + dot v c) - (b * b + dot v v) / 2) / (sigma * sigma))
      with ((b * (y - a) - b * b / 2) / (sigma * sigma) + (dot v x - dot v c - dot v v / 2) / (sigma * sigma)) by (field; lra).
    rewrite exp_plus. ring.
Qed.

(** ** Half-spaces *)

(** The probability that the inner product of c with noise around 0 is beyond t. *)
Definition mass (c : list R) (t : R) : R := if Rlt_dec 0 (dot c c) then tail (t / length_of c) else beyond t 0.

Lemma mass_step c1 c u : integral line (fun y => n y * mass c (u - c1 * y)) (mass (c1 :: c) u).
Proof.
  unfold mass, length_of. simpl dot. pose proof (dot_nonnegative c) as P. pose proof (Rle_0_sqr c1) as S. unfold Rsqr in S.
  destruct (Rlt_dec 0 (dot c c)) as [L | L].
  - destruct (Rlt_dec 0 (c1 * c1 + dot c c)) as [L' | L']; [|lra].
    assert (W : 0 < sqrt (dot c c)) by now apply sqrt_lt_R0. pose proof (sqrt_sqrt _ P) as Sq. set (w := sqrt (dot c c)) in *.
    pose proof (rotated sigma sigma_positive (u / w) (- c1 / w)) as I.
    assert (E : sqrt (c1 * c1 + dot c c) = w * width (- c1 / w)).
    { unfold width. rewrite <- (sqrt_square w) at 1 by lra. rewrite <- sqrt_mult; [| nra |].
      - f_equal. rewrite <- Sq. field. lra.
      - apply Rplus_le_le_0_compat; [lra | apply Rle_0_sqr]. }
    pose proof (width_positive (- c1 / w)) as Wp.
    rewrite E. replace (u / (w * width (- c1 / w))) with (u / w / width (- c1 / w)) by (field; lra).
    refine (integral_same line _ _ _ _ I). intros y. do 2 f_equal. field. lra.
  - assert (Z : dot c c = 0) by lra. rewrite Z, Rplus_0_r. destruct (Rlt_dec 0 (c1 * c1)) as [L' | L'].
    + destruct (Rlt_dec 0 c1) as [Q | Q].
      * rewrite sqrt_square by lra. refine (integral_same line _ _ _ _ (upper_integral n noise (u / c1))).
        intros y. rewrite Rmult_comm. f_equal. unfold beyond.
        assert (E : u / c1 * c1 = u) by (field; lra).
        destruct (Rlt_dec (u / c1) y) as [A | A], (Rlt_dec (u - c1 * y) 0) as [B | B]; auto; exfalso.
        -- apply (Rmult_lt_compat_r c1) in A; [lra | auto].
        -- apply A. apply Rmult_lt_reg_r with c1; lra.
      * assert (Q' : c1 < 0). { destruct (Rtotal_order c1 0) as [K | [K | K]]; auto; [rewrite K in L'; lra | lra]. }
        replace (c1 * c1) with ((- c1) * (- c1)) by ring. rewrite sqrt_square by lra.
        refine (integral_same line _ _ _ _ (line_reflected _ _ (upper_integral n noise (u / - c1)))).
        intros y. cbv beta. rewrite (noise_even n noise), Rmult_comm. f_equal. unfold beyond.
        assert (E : u / - c1 * - c1 = u) by (field; lra).
        destruct (Rlt_dec (u / - c1) (- y)) as [A | A], (Rlt_dec (u - c1 * y) 0) as [B | B]; auto; exfalso.
        -- apply (Rmult_lt_compat_r (- c1)) in A; lra.
        -- apply A. apply Rmult_lt_reg_r with (- c1); lra.
    + assert (K : c1 * c1 = 0) by lra. assert (C0 : c1 = 0) by (apply Rmult_integral in K; tauto). rewrite C0.
      pose proof (integral_scaled line (beyond u 0) _ _ (noise_total n noise)) as I. rewrite Rmult_1_r in I.
      refine (integral_same line _ _ _ _ I). intros y. rewrite Rmult_0_l, Rminus_0_r. ring.
Qed.

Theorem half_space c : forall m t, length m = length c ->
  integral (space (length c)) (fun x => beyond t (dot c x) * normals sigma m x) (mass c (t - dot c m)).
Proof.
  induction c as [|c1 c IH]; intros [|m1 m] t L; simpl in L; try discriminate.
  - simpl. unfold mass. simpl. destruct (Rlt_dec 0 0); [lra|]. rewrite Rmult_1_r. unfold beyond.
    destruct (Rlt_dec (t - 0) 0), (Rlt_dec t 0); lra.
  - exists (fun y => n (y - m1) * mass c (t - dot c m - c1 * m1 - c1 * (y - m1))). split.
    + intros y. pose proof (IH m (t - c1 * y) ltac:(lia)) as I. cbn [space integral] in I.
      apply (iterated_scaled _ (n (y - m1))) in I.
      replace (t - dot c m - c1 * m1 - c1 * (y - m1)) with (t - c1 * y - dot c m) by ring.
      revert I. apply iterated_same. intros x. cbn [dot normals].
      replace (beyond t (c1 * y + dot c x)) with (beyond (t - c1 * y) (dot c x)); [ring|].
      unfold beyond. destruct (Rlt_dec (t - c1 * y) (dot c x)), (Rlt_dec t (c1 * y + dot c x)); lra.
    + replace (t - dot (c1 :: c) (m1 :: m)) with (t - dot c m - c1 * m1) by (simpl; ring).
      exact (line_translated _ m1 _ (mass_step c1 c (t - dot c m - c1 * m1))).
Qed.

(** ** The pair *)

Section Pair.
Variables (rate : R) (c v : list R).
Hypothesis rate_range : 0 <= rate <= 1.
Hypothesis same_length : length c = length v.
Notation d := (length v).
Notation p0 := (normals sigma c).
Notation p1 := (normals sigma (moved c v)).
Definition vector_shift : step_on (list R) := Step (space d) (fun x => (1 - rate) * p0 x + rate * p1 x) p0.

Lemma vector_shift_nonnegative : nonnegative_step vector_shift.
Proof.
  intros x. simpl. pose proof (normals_nonnegative c x). pose proof (normals_nonnegative (moved c v) x).
  split; auto. apply Rplus_le_le_0_compat; apply Rmult_le_pos; lra.
Qed.

Lemma total_0 : integral (space d) p0 1.
Proof. rewrite <- same_length. apply normals_total. Qed.
Lemma total_1 : integral (space d) p1 1.
Proof. rewrite <- same_length, <- (moved_length c v same_length). apply normals_total. Qed.

(** What is computed of tests, on vectors as on the line. *)
Lemma mixed_integral {Output} (m : measure_on Output) chi f0 f1 (M0 M1 : R) : integral m (fun x => chi x * f0 x) M0 ->
  integral m (fun x => chi x * f1 x) M1 ->
  integral m (fun x => chi x * ((1 - rate) * f0 x + rate * f1 x)) ((1 - rate) * M0 + rate * M1).
Proof.
  intros I0 I1. refine (integral_same m _ _ _ _ (integral_sum m _ _ _ _ (integral_scaled m (1 - rate) _ _ I0) (integral_scaled m rate _ _ I1))).
  intros x. ring.
Qed.
Lemma complement_integral {Output} (m : measure_on Output) chi f M : integral m f 1 -> integral m (fun x => chi x * f x) M ->
  integral m (fun x => (1 - chi x) * f x) (1 - M).
Proof.
  intros T I. replace (1 - M) with (1 + -1 * M) by ring.
  refine (integral_same m _ _ _ _ (integral_sum m _ _ _ _ T (integral_scaled m (-1) _ _ I))). intros x. ring.
Qed.

Notation s := (length_of v).
Lemma length_squared : s * s = dot v v.
Proof. apply sqrt_sqrt, dot_nonnegative. Qed.
Lemma length_nonnegative : 0 <= s.
Proof. apply sqrt_pos. Qed.

(** How far x is in the direction of v. *)
Definition along (x : list R) : R := (dot v x - dot v c) / s.

Lemma same_ratio x : 0 < s -> p1 x * n (along x) = p0 x * n (along x - s).
Proof.
  intros L. rewrite normals_moved by auto. rewrite normal_moved.
  replace (s * along x - s * s / 2) with (dot v x - dot v c - dot v v / 2); [ring|].
  rewrite length_squared. unfold along. field. lra.
Qed.

Lemma tests_transfer chi m : 0 < s -> half_line chi -> (forall t, integral line (fun x => chi x * n (x - t)) (m t)) ->
  integral (space d) (fun x => chi (along x) * p0 x) (m 0) /\ integral (space d) (fun x => chi (along x) * p1 x) (m s).
Proof.
  intros L [Z | [Z | (t & ->)]] I.
  - assert (E : forall t, m t = 0).
    { intros t. apply (line_unique _ _ _ (I t)). pose proof (integral_scaled line 0 _ _ (total_shifted n noise t)) as J.
      rewrite Rmult_0_l in J. refine (integral_same line _ _ _ _ J). intros x. now rewrite Z. }
    rewrite !E. pose proof (integral_scaled _ 0 _ _ total_0) as J. pose proof (integral_scaled _ 0 _ _ total_1) as J'.
    rewrite Rmult_0_l in J, J'. split; [revert J | revert J']; apply integral_same; intros x; now rewrite Z.
  - assert (E : forall t, m t = 1).
    { intros t. apply (line_unique _ _ _ (I t)). refine (integral_same line _ _ _ _ (total_shifted n noise t)). intros x. rewrite Z. ring. }
    rewrite !E. pose proof total_0 as J. pose proof total_1 as J'. split; [revert J | revert J']; apply integral_same; intros x; rewrite Z; ring.
  - assert (E : forall r, m r = tail (t - r)).
    { intros r. exact (line_unique _ _ _ (I r) (upper_shifted n noise t r)). }
    assert (Q : forall x, beyond t (along x) = beyond (s * t + dot v c) (dot v x)).
    { intros x. assert (A : along x * s = dot v x - dot v c) by (unfold along; field; lra). unfold beyond.
      destruct (Rlt_dec t (along x)) as [B | B], (Rlt_dec (s * t + dot v c) (dot v x)) as [C | C]; auto; exfalso.
      - apply (Rmult_lt_compat_r s) in B; lra.
      - apply B. apply Rmult_lt_reg_r with s; lra. }
    assert (M : forall u, mass v u = tail (u / s)).
    { intros u. unfold mass. destruct (Rlt_dec 0 (dot v v)) as [B | B]; auto. rewrite <- length_squared in B.
      exfalso. apply B. now apply Rmult_lt_0_compat. }
    rewrite !E. split.
    + pose proof (half_space v c (s * t + dot v c) same_length) as J. rewrite M in J.
      replace ((s * t + dot v c - dot v c) / s) with (t - 0) in J by (field; lra).
      revert J. apply integral_same. intros x. now rewrite Q.
    + pose proof (half_space v (moved c v) (s * t + dot v c) (eq_trans (moved_length c v same_length) same_length)) as J. rewrite M in J.
      rewrite dot_moved, <- length_squared in J by auto.
      replace ((s * t + dot v c - (dot v c + s * s)) / s) with (t - s) in J by (field; lra).
      revert J. apply integral_same. intros x. now rewrite Q.
Qed.

(** Where v is 0. *)
Lemma no_move x : s = 0 -> p1 x = p0 x.
Proof.
  intros Z. rewrite normals_moved by auto. assert (E : dot v v = 0) by (rewrite <- length_squared, Z; ring).
  rewrite !(dot_zero v E). replace ((0 - 0 - 0 / 2) / (sigma * sigma)) with 0 by (field; lra). rewrite exp_0. ring.
Qed.

Lemma sign_of_test alpha beta chi : 0 < s ->
  (forall x, (chi x = 1 /\ 0 <= alpha * n (x - s) - beta * n x) \/ (chi x = 0 /\ alpha * n (x - s) - beta * n x <= 0)) ->
  forall x, (chi (along x) = 1 /\ 0 <= alpha * p1 x - beta * p0 x) \/ (chi (along x) = 0 /\ alpha * p1 x - beta * p0 x <= 0).
Proof.
  intros L C x. pose proof (normals_nonnegative c x) as P. pose proof (normal_positive sigma sigma_positive (along x)) as Np.
  assert (E : (alpha * p1 x - beta * p0 x) * n (along x) = p0 x * (alpha * n (along x - s) - beta * n (along x))).
  { pose proof (same_ratio x L) as E. rewrite Rmult_minus_distr_r, (Rmult_assoc alpha), E. ring. }
  destruct (C (along x)) as [[Z K] | [Z K]]; [left | right]; split; auto.
  - apply Rmult_le_reg_r with (n (along x)); auto. rewrite Rmult_0_l, E. now apply Rmult_le_pos.
  - apply Rmult_le_reg_r with (n (along x)); auto. rewrite Rmult_0_l, E.
    rewrite <- (Rmult_0_r (p0 x)). now apply Rmult_le_compat_l.
Qed.

Lemma of_zero_or_one {Output} (chi h : Output -> R) :
  (forall x, (chi x = 1 /\ 0 <= h x) \/ (chi x = 0 /\ h x <= 0)) -> forall x, chi x = 0 \/ chi x = 1.
Proof. intros H x. destruct (H x) as [[E _] | [E _]]; auto. Qed.

(** No worse than the pair on the line, moved by the length of v. *)
Lemma same_as_line : no_worse vector_shift (sampled_shift n rate s).
Proof.
  apply no_worse_by_tests; [exact vector_shift_nonnegative|]. intros a Ha. pose proof length_nonnegative as Hs.
  destruct (Rle_lt_or_eq_dec _ _ Hs) as [L | L].
  - destruct (threshold n noise rate (a - (1 - rate)) s (proj1 rate_range) Hs) as (chi & m & F & I & M & C).
    destruct (tests_transfer chi m L F I) as [J0 J1]. destruct (parts_integral n chi m rate s I) as [I0 I1].
    exists (fun x => chi (along x)), ((1 - rate) * m 0 + rate * m s), (m 0), chi, ((1 - rate) * m 0 + rate * m s), (m 0).
    split; [|split; [|split; [|split; [|split; [|split]]]]]; auto; [|now apply mixed_integral|exact (of_zero_or_one _ _ C)|lra].
    intros x. destruct (sign_of_test _ _ _ L C x) as [[E K] | [E K]]; [left | right]; split; auto; lra.
  - symmetry in L. set (b := if Rle_dec a 1 then 1 else 0).
    assert (B : (b = 1 /\ a <= 1) \/ (b = 0 /\ 1 < a)) by (unfold b; destruct (Rle_dec a 1); [left | right]; split; lra).
    assert (E : forall x, (1 - rate) * p0 x + rate * p1 x = p0 x) by (intros x; rewrite no_move by auto; ring).
    exists (fun _ => b), b, b, (fun _ => b), b, b. rewrite L.
    pose proof (integral_scaled _ b _ _ total_0) as J. pose proof (integral_scaled line b _ _ (noise_total n noise)) as J'.
    rewrite Rmult_1_r in J, J'. split; [|split; [|split; [|split; [|split; [|split]]]]]; auto; [| | | |lra].
    + intros x. rewrite E. pose proof (normals_nonnegative c x) as P.
      destruct B as [[-> K] | [-> K]]; [left | right]; split; auto; apply (Rmult_le_compat_r (p0 x)) in K || apply Rlt_le, (Rmult_le_compat_r (p0 x)) in K; lra.
    + revert J. apply integral_same. intros x. now rewrite E.
    + intros _. destruct B as [[-> _] | [-> _]]; auto.
    + revert J'. apply integral_same. intros x. rewrite Rminus_0_r. ring.
Qed.

Lemma same_as_line_swapped : no_worse (swapped vector_shift) (swapped (sampled_shift n rate s)).
Proof.
  apply no_worse_by_tests; [intros x; destruct (vector_shift_nonnegative x); now split|].
  intros a Ha. cbn [vector_shift sampled_shift p_of q_of outputs]. pose proof length_nonnegative as Hs.
  destruct (Rle_lt_or_eq_dec _ _ Hs) as [L | L].
  - destruct (threshold n noise (a * rate) (1 - a * (1 - rate)) s (Rmult_le_pos _ _ Ha (proj1 rate_range)) Hs) as (chi & m & F & I & M & C).
    destruct (tests_transfer chi m L F I) as [J0 J1]. destruct (parts_integral n chi m rate s I) as [I0 _].
    pose proof (complement_integral _ (fun x => chi (along x)) _ _ total_0 J0) as K0.
    pose proof (complement_integral _ (fun x => chi (along x)) _ _ total_1 J1) as K1.
    pose proof (complement_integral line chi _ _ (noise_total n noise) I0) as H0.
    pose proof (complement_integral line chi _ _ (total_shifted n noise s) (I s)) as H1.
    exists (fun x => 1 - chi (along x)), (1 - m 0), ((1 - rate) * (1 - m 0) + rate * (1 - m s)), (fun x => 1 - chi x), (1 - m 0),
      ((1 - rate) * (1 - m 0) + rate * (1 - m s)).
    split; [|split; [|split; [|split; [|split; [|split]]]]]; auto; [|now apply mixed_integral| |now apply mixed_integral|lra].
    + intros x. destruct (sign_of_test _ _ _ L C x) as [[-> K] | [-> K]]; [right | left]; split; lra.
    + intros x. destruct (C x) as [[-> _] | [-> _]]; [left | right]; lra.
  - symmetry in L. set (b := if Rle_dec a 1 then 1 else 0).
    assert (B : (b = 1 /\ a <= 1) \/ (b = 0 /\ 1 < a)) by (unfold b; destruct (Rle_dec a 1); [left | right]; split; lra).
    assert (E : forall x, (1 - rate) * p0 x + rate * p1 x = p0 x) by (intros x; rewrite no_move by auto; ring).
    exists (fun _ => b), b, b, (fun _ => b), b, b. rewrite L.
    pose proof (integral_scaled _ b _ _ total_0) as J. pose proof (integral_scaled line b _ _ (noise_total n noise)) as J'.
    rewrite Rmult_1_r in J, J'. split; [|split; [|split; [|split; [|split; [|split]]]]]; auto; [| | | |lra].
    + intros x. rewrite E. pose proof (normals_nonnegative c x) as P.
      destruct B as [[-> K] | [-> K]]; [left | right]; split; auto; apply (Rmult_le_compat_r (p0 x)) in K || apply Rlt_le, (Rmult_le_compat_r (p0 x)) in K; lra.
    + revert J. apply integral_same. intros x. now rewrite E.
    + intros _. destruct B as [[-> _] | [-> _]]; auto.
    + revert J'. apply integral_same. intros x. rewrite Rminus_0_r. ring.
Qed.

Theorem vector_shift_no_worse bound : s <= bound -> no_worse vector_shift (sampled_shift n rate bound) /\
  no_worse (swapped vector_shift) (swapped (sampled_shift n rate bound)).
Proof.
  intros L. pose proof length_nonnegative. split.
  - apply no_worse_trans with (1 := same_as_line). apply smaller_shift; auto.
  - apply no_worse_trans with (1 := same_as_line_swapped). apply smaller_shift_swapped; auto.
Qed.
End Pair.
End Normals.
