(** Noise on the integers. Integrals over the integers are shifted and reflected, so the probability of one
    integer, and those of all integers from one on, are found at 0. A source has a slice for each integer of
    a range (what is outside is what the slices' probabilities lack to 1). The discrete Laplace distribution:
    the loss is constant up to 0 and from the sensitivity on, where there is one slice each, so nothing is
    outside. The discrete Gaussian distribution: its weights are enclosed by a recurrence, the sum of all
    weights by that of the first ones and by a geometric series. *)
From Coq Require Import Reals ZArith List Lia Lra Psatz Bool.
From Coquelicot Require Import Coquelicot.
From Plaudit Require Import Privacy Outputs Laws Curve Composition Lattice Powers Slices Normal Gaussian Runs
  Sources Laplace.
Import List ListNotations.
Open Scope R_scope.

(** ** Which numbers are integers *)

Lemma at_integers_in k : at_integers (IZR k) = 1.
Proof.
  unfold at_integers. destruct (Req_EM_T _ _) as [_ | N]; auto. elim N. f_equal.
  destruct (base_Int_part (IZR k)) as [H1 H2]. rewrite <- minus_IZR in H2. apply le_IZR in H1.
  apply Rgt_lt, lt_IZR in H2. lia.
Qed.

Lemma integer_or_not x : (exists k, x = IZR k) \/ at_integers x = 0 /\ forall k, x <> IZR k.
Proof.
  destruct (Req_EM_T x (IZR (Int_part x))) as [E | E]; [left; eauto|]. right. split.
  - unfold at_integers. now destruct (Req_EM_T _ _).
  - intros k ->. apply E. f_equal. pose proof (at_integers_in k) as A. unfold at_integers in A.
    destruct (Req_EM_T _ _) as [A' | A']; [now apply eq_IZR in A' | lra].
Qed.

Lemma at_integers_shifted x d : at_integers (x - IZR d) = at_integers x.
Proof.
  destruct (integer_or_not x) as [[k ->] | [Z N]].
  - now rewrite <- minus_IZR, !at_integers_in.
  - destruct (integer_or_not (x - IZR d)) as [[k E] | [Z' _]]; [|congruence].
    elim (N (k + d)%Z). rewrite plus_IZR. lra.
Qed.

(** ** Integrals over the integers *)

Lemma negative_INR n : - INR (S n) = IZR (- Z.of_nat (S n)).
Proof. now rewrite opp_IZR, <- INR_IZR_INZ. Qed.

Lemma same_series (f g : nat -> R) (v : R) : (forall n, f n = g n) -> is_series f v -> is_series g v.
Proof. exact (is_series_ext f g v). Qed.

(** Integrals see integers only. *)
Lemma integers_same f g v : (forall k, f (IZR k) = g (IZR k)) -> integral integers f v -> integral integers g v.
Proof.
  intros E (u & w & H1 & H2 & H3). exists u, w. repeat split; auto.
  - apply (same_series (fun n => f (INR n))); auto. intros n. rewrite INR_IZR_INZ. apply E.
  - apply (same_series (fun n => f (- INR (S n)))); auto. intros n. rewrite negative_INR. apply E.
Qed.

Lemma zero_series : is_series (fun _ : nat => 0) 0.
Proof.
  intros P [e HP]. exists 0%nat. intros n _. apply HP. rewrite sum_n_const, Rmult_0_r. apply ball_center.
Qed.

Lemma first_term (f : nat -> R) (v : R) : is_series (fun n => f (S n)) v -> is_series f (f 0%nat + v).
Proof.
  intros H. apply is_series_decr_1. refine (eq_rect v (is_series _) H _ _).
  change (@eq R v ((f 0%nat + v) + - f 0%nat)). ring.
Qed.
Lemma without_first (f : nat -> R) (v : R) : is_series f v -> is_series (fun n => f (S n)) (v - f 0%nat).
Proof.
  intros H. apply is_series_incr_1. refine (eq_rect v (is_series _) H _ _).
  change (@eq R v ((v - f 0%nat) + f 0%nat)). ring.
Qed.

Lemma shifted_by_1 f v : integral integers f v -> integral integers (fun x => f (x - 1)) v.
Proof.
  intros (u & w & H1 & H2 & ->). exists (f (0 - 1) + u), (w - f (- INR 1)). split; [|split].
  - apply (first_term (fun n => f (INR n - 1))). apply (same_series (fun n => f (INR n))); auto.
    intros n. rewrite S_INR. f_equal. ring.
  - apply without_first in H2. apply (same_series (fun n => f (- INR (S (S n))))); auto.
    intros n. rewrite (S_INR (S n)). f_equal. ring.
  - replace (0 - 1) with (- INR 1) by (simpl; ring). ring.
Qed.

Theorem integers_reflected f v : integral integers f v -> integral integers (fun x => f (- x)) v.
Proof.
  intros (u & w & H1 & H2 & ->). exists (f (- INR 0) + w), (u - f (INR 0)). split; [|split].
  - exact (first_term (fun n => f (- INR n)) w H2).
  - apply without_first in H1. refine (same_series _ _ _ _ H1). intros n. now rewrite Ropp_involutive.
  - simpl. rewrite Ropp_0. ring.
Qed.

Lemma shifted_up n f v : integral integers f v -> integral integers (fun x => f (x - INR n)) v.
Proof.
  intros H. induction n as [|n IH].
  - refine (integral_same _ _ _ _ _ H). intros x. f_equal. simpl; ring.
  - apply shifted_by_1 in IH. refine (integral_same _ _ _ _ _ IH). intros x. f_equal. rewrite S_INR. ring.
Qed.

Theorem integers_shifted d f v : integral integers f v -> integral integers (fun x => f (x - IZR d)) v.
Proof.
  intros H. destruct (Z_le_gt_dec 0 d) as [L | L].
  - apply (shifted_up (Z.to_nat d)) in H. refine (integral_same _ _ _ _ _ H). intros x.
    now rewrite INR_IZR_INZ, Z2Nat.id by lia.
  - apply integers_reflected in H. apply (shifted_up (Z.to_nat (- d))) in H. apply integers_reflected in H.
    refine (integral_same _ _ _ _ _ H). intros x. f_equal.
    rewrite INR_IZR_INZ, Z2Nat.id, opp_IZR by lia. ring.
Qed.

(** The indicator of one integer. *)
Definition at_point (k : Z) (x : R) : R := if Req_EM_T x (IZR k) then 1 else 0.

Lemma at_point_in k : at_point k (IZR k) = 1.
Proof. unfold at_point. now destruct (Req_EM_T _ _). Qed.
Lemma at_point_out k x : x <> IZR k -> at_point k x = 0.
Proof. intros H. unfold at_point. now destruct (Req_EM_T _ _). Qed.

Lemma point_integral k f : integral integers (fun x => at_point k x * f x) (f (IZR k)).
Proof.
  assert (H : integral integers (fun x => at_point 0 x * f (x + IZR k)) (f (0 + IZR k))).
  { exists (f (0 + IZR k) + 0), 0. split; [|split; [|ring]].
    - replace (f (0 + IZR k)) with (at_point 0 (INR 0) * f (INR 0 + IZR k))
        by (change (INR 0) with (IZR 0); rewrite at_point_in; ring).
      apply (first_term (fun n => at_point 0 (INR n) * f (INR n + IZR k))).
      apply (same_series (fun _ => 0)); [|exact zero_series]. intros n.
      rewrite at_point_out; [ring|]. rewrite S_INR. pose proof (pos_INR n). lra.
    - apply (same_series (fun _ => 0)); [|exact zero_series]. intros n.
      rewrite at_point_out; [ring|]. rewrite S_INR. pose proof (pos_INR n). lra. }
  apply (integers_shifted k) in H. rewrite Rplus_0_l in H. revert H. apply integral_same. intros x.
  replace (x - IZR k + IZR k) with x by ring. unfold at_point.
  destruct (Req_EM_T (x - IZR k) 0), (Req_EM_T x (IZR k)); lra.
Qed.

(** The indicators of the integers from k on, up to k, and between two. *)
Definition from_point (k : Z) (x : R) : R := if Rlt_dec x (IZR k) then 0 else at_integers x.
Definition up_to_point (k : Z) (x : R) : R := if Rlt_dec (IZR k) x then 0 else at_integers x.

Lemma from_point_integral (f : R -> R) (v : R) : is_series (fun n => f (INR n)) v -> integral integers (fun x => from_point 0 x * f x) v.
Proof.
  intros H. exists v, 0. split; [|split; [|ring]].
  - refine (same_series _ _ _ _ H). intros n. unfold from_point. pose proof (pos_INR n).
    destruct (Rlt_dec _ _) as [L | _]; [lra|]. rewrite INR_IZR_INZ, at_integers_in. ring.
  - apply (same_series (fun _ => 0)); [|exact zero_series]. intros n. unfold from_point.
    destruct (Rlt_dec _ _) as [_ | L]; [ring|]. elim L. rewrite S_INR. pose proof (pos_INR n). lra.
Qed.

(** ** The slices of single integers *)

(** With the probabilities rounded up to multiples of 2^g; the ratio is that of the probabilities. *)
Definition exact_slice (g : Z) (p q : Z * Z) : slice :=
  let h := (up g (snd p) * 2 ^ g)%Z in let k := (up g (snd q) * 2 ^ g)%Z in
  Slice (fst p) h (fst q) k k (fst p) (fst q) h.

Section Points.
Variables T g : Z.
Hypothesis T_nonnegative : (0 <= T)%Z.
Hypothesis g_nonnegative : (0 <= g)%Z.
Notation encloses := (encloses T).
Notation two x := (IZR (2 ^ x)).

Lemma exact_region s chi c P Q p q : nonnegative_step s ->
  (forall x, chi x = 0 \/ chi x = 1 /\ p_of s x = c * q_of s x) ->
  integral (outputs s) (fun x => chi x * p_of s x) P -> integral (outputs s) (fun x => chi x * q_of s x) Q ->
  encloses p P -> encloses q Q -> region_holds T s (chi, exact_slice g p q).
Proof.
  intros N Hc IP IQ (_ & P1) (_ & Q1).
  change (exact_slice g p q) with (constant_slice (up g (snd p) * 2 ^ g) (up g (snd q) * 2 ^ g)
    (Slice (fst p) (snd p) (fst q) (snd q) 0 0 0 0)).
  apply (region_constant _ _ _ _ c); auto; try (apply up_above; exact g_nonnegative).
  split; [|split]; cbn [low_p high_p low_q high_q num_hi den_hi num_lo den_lo]; eauto.
  intros x. destruct (Hc x) as [Z | [Z _]]; [now left | right]. split; auto. lra.
Qed.

Definition integer_slices (l : list ((Z * Z) * (Z * Z))) : list slice :=
  map (fun pq => exact_slice g (fst pq) (snd pq)) l.
Fixpoint point_regions (k : Z) (l : list slice) : list ((R -> R) * slice) :=
  match l with nil => nil | x :: l => (at_point k, x) :: point_regions (k + 1) l end.

Lemma point_regions_slices l : forall k, map snd (point_regions k l) = l.
Proof. induction l as [|x l IH]; intros k; cbn [point_regions map snd]; [auto | now rewrite IH]. Qed.

Lemma points_coverage l j : forall k, coverage (point_regions k l) (IZR j) =
  if ((k <=? j) && (j <? k + Z.of_nat (length l)))%Z then 1 else 0.
Proof.
  induction l as [|x l IH]; intros k.
  - cbn [point_regions length coverage fold_right]. destruct (Z.leb_spec k j), (Z.ltb_spec j (k + Z.of_nat 0)); cbn [andb]; auto. lia.
  - change (coverage (point_regions k (x :: l)) (IZR j)) with (at_point k (IZR j) + coverage (point_regions (k + 1) l) (IZR j)).
    rewrite IH. cbn [length]. destruct (Z.eq_dec j k) as [-> | N].
    + rewrite at_point_in. destruct (Z.leb_spec (k + 1) k); [lia|]. destruct (Z.leb_spec k k); [|lia].
      destruct (Z.ltb_spec k (k + Z.of_nat (S (length l)))); [|lia]. cbn [andb]. lra.
    + rewrite at_point_out by (intros E; apply eq_IZR in E; auto). rewrite Rplus_0_l.
      destruct (Z.leb_spec (k + 1) j), (Z.leb_spec k j), (Z.ltb_spec j (k + 1 + Z.of_nat (length l))),
        (Z.ltb_spec j (k + Z.of_nat (S (length l)))); cbn [andb]; auto; lia.
Qed.

Lemma points_elsewhere l x : (forall j, x <> IZR j) -> forall k, coverage (point_regions k l) x = 0.
Proof.
  intros H. induction l as [|y l IH]; intros k; [reflexivity|].
  change (coverage (point_regions k (y :: l)) x) with (at_point k x + coverage (point_regions (k + 1) l) x).
  rewrite IH, at_point_out by apply H. ring.
Qed.

Lemma points_at_most_1 l k x : coverage (point_regions k l) x <= 1.
Proof.
  destruct (integer_or_not x) as [[j ->] | [_ N]].
  - rewrite points_coverage. destruct (_ && _); lra.
  - rewrite points_elsewhere by auto. lra.
Qed.

(** Enclosures of the probabilities of the integers k, k + 1, ... *)
Fixpoint points_enclosed (p q : R -> R) (k : Z) (l : list ((Z * Z) * (Z * Z))) : Prop :=
  match l with
  | nil => True
  | x :: l => encloses (fst x) (p (IZR k)) /\ encloses (snd x) (q (IZR k)) /\ points_enclosed p q (k + 1) l
  end.

Variables p q : R -> R.
Notation s := (Step integers p q).
Hypothesis s_nonnegative : nonnegative_step s.
Hypothesis q_positive : forall k, 0 < q (IZR k).

Lemma point_regions_hold l : forall k, points_enclosed p q k l ->
  Forall (region_holds T s) (point_regions k (integer_slices l)).
Proof.
  induction l as [|x l IH]; intros k; [constructor|]. intros (H1 & H2 & H). cbn [integer_slices map point_regions].
  constructor; [|exact (IH _ H)].
  apply (exact_region s (at_point k) (p (IZR k) / q (IZR k)) (p (IZR k)) (q (IZR k))); auto using point_integral.
  intros y. unfold at_point. destruct (Req_EM_T y (IZR k)) as [-> | _]; [right | now left]. split; auto.
  cbn [p_of q_of]. pose proof (q_positive k). field. lra.
Qed.

(** ** Sources *)

(** What the probabilities lack to 1, in units of 2^-T, is not more than [inf] units of 2^-B. *)
Definition covered (l : list ((Z * Z) * (Z * Z))) : Z := fold_right (fun x t => (fst (fst x) + t)%Z) 0%Z l.
Definition integer_source (B : Z) (l : list ((Z * Z) * (Z * Z))) (inf : Z) : source :=
  Source ((0 <=? inf) && (2 ^ T - covered l <=? inf * 2 ^ (T - B)))%Z (integer_slices l) inf.

Lemma covered_integral l : forall k, points_enclosed p q k l -> exists M,
  integral integers (fun x => coverage (point_regions k (integer_slices l)) x * p x) M /\ IZR (covered l) <= M * two T.
Proof.
  induction l as [|x l IH]; intros k; cbn [points_enclosed].
  - intros _. exists 0. split; [|simpl; lra]. exists 0, 0.
    split; [|split; [|ring]]; (apply (same_series (fun _ => 0)); [intros n; simpl; ring | exact zero_series]).
  - intros (H1 & _ & H). destruct (IH _ H) as (M & IM & LM). exists (p (IZR k) + M). split.
    + apply (integral_same _ (fun y => at_point k y * p y + coverage (point_regions (k + 1) (integer_slices l)) y * p y)).
      { intros y. cbn [integer_slices map point_regions coverage fold_right fst]. unfold coverage, integer_slices. ring. }
      apply integral_sum; auto. apply point_integral.
    + destruct H1 as (_ & H1 & _). cbn [covered fold_right]. fold (covered l). rewrite plus_IZR. lra.
Qed.

Theorem integer_source_holds B k l inf : (0 <= B <= T)%Z -> integral integers p 1 -> points_enclosed p q k l ->
  source_holds B T s (integer_source B l inf).
Proof.
  intros HB I H A. unfold integer_source in A. cbn [integer_source acceptable its_slices outside_them] in *.
  apply andb_prop in A. destruct A as [A1 A2]. apply Z.leb_le in A1, A2. split; auto.
  set (rs := point_regions k (integer_slices l)). exists rs. split; [apply point_regions_slices|].
  split; [now apply point_regions_hold|]. split; [intros x; apply points_at_most_1|]. split; auto.
  destruct (covered_integral l k H) as (M & IM & LM). fold rs in IM.
  exists (fun x => (1 - coverage rs x) * p x), (1 + -1 * M). split; [|split; [|split]].
  - intros x. pose proof (points_at_most_1 (integer_slices l) k x). fold rs in H0.
    apply Rmult_le_pos; [lra | apply (s_nonnegative x)].
  - intros x. right. reflexivity.
  - pose proof (integral_sum _ _ _ _ _ I (integral_scaled _ (-1) _ _ IM)) as K. revert K.
    apply integral_same. intros x. ring.
  - apply IZR_le in A2. rewrite minus_IZR, mult_IZR in A2.
    assert (TB : 0 < two B) by (apply two_positive_R; lia).
    assert (TS : two T = two (T - B) * two B) by (rewrite <- mult_IZR, <- Z.pow_add_r by lia; do 2 f_equal; lia).
    assert (TTB : 0 < two (T - B)) by (apply two_positive_R; lia).
    assert (TT : 0 < two T) by (apply two_positive_R; lia).
    apply Rmult_le_reg_r with (two T); auto. apply Rle_trans with (IZR inf * two (T - B)); [lra|].
    right. rewrite TS. unfold unit. field. lra.
Qed.
End Points.
