(** Noise on the integers. Integrals over the integers are shifted and reflected, so the probability of one
    integer, and those of all integers from one on, are found at 0. A source has a slice for each integer of
    a range (what is outside is what the slices' probabilities lack to 1). The discrete Laplace distribution:
    the loss is constant up to 0 and from the sensitivity on, where there is one slice each, so nothing is
    outside. The discrete Gaussian distribution: its weights are enclosed by a recurrence, the sum of all
    weights by that of the first ones and by a geometric series. *)
From Coq Require Import Reals ZArith List Lia Lra Psatz Bool Permutation.
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

(** The indicators of the integers from k on, and up to k. *)
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

Lemma points_enclosed_nth T p q l : forall k, (forall i, (i < length l)%nat ->
  encloses T (fst (nth i l ((0, 0), (0, 0))%Z)) (p (IZR (k + Z.of_nat i))) /\
  encloses T (snd (nth i l ((0, 0), (0, 0))%Z)) (q (IZR (k + Z.of_nat i)))) -> points_enclosed T p q k l.
Proof.
  induction l as [|x l IH]; intros k H; cbn [points_enclosed]; auto.
  destruct (H 0%nat ltac:(simpl; lia)) as [H1 H2]. rewrite Z.add_0_r in H1, H2. split; [|split]; auto.
  apply IH. intros i Hi. specialize (H (S i) ltac:(simpl; lia)). cbn [nth] in H.
  now replace (k + 1 + Z.of_nat i)%Z with (k + Z.of_nat (S i))%Z by lia.
Qed.

(** ** Quotients and mixtures of enclosures *)

Definition one_of (T : Z) : Z * Z := (2 ^ T, 2 ^ T)%Z.
Definition quotient_of (T : Z) (a b : Z * Z) : Z * Z :=
  (fst a * 2 ^ T / snd b, - (- (snd a * 2 ^ T) / fst b))%Z.

Lemma quotient_encloses T a b x y : (0 <= T)%Z -> encloses T a x -> encloses T b y -> (0 < fst b)%Z ->
  encloses T (quotient_of T a b) (x / y).
Proof.
  intros HT Hx (_ & B1 & B2) B0. pose proof (encloses_nonnegative T HT _ _ Hx) as Nx. destruct Hx as (A0 & A1 & A2).
  pose proof (two_T T HT) as H2. assert (Hb : (0 < snd b)%Z) by (apply lt_IZR; apply IZR_lt in B0; lra).
  apply IZR_lt in B0 as B0', Hb as Hb'.
  assert (Hy : 0 < y) by (apply Rmult_lt_reg_r with (IZR (2 ^ T)); lra).
  assert (E : x / y * IZR (2 ^ T) * y = x * IZR (2 ^ T)) by (field; lra).
  assert (N : 0 <= x / y * IZR (2 ^ T)).
  { apply Rmult_le_pos; [|lra]. apply Rmult_le_pos; auto. left; now apply Rinv_0_lt_compat. }
  unfold encloses, quotient_of. cbn [fst snd]. set (z := x / y * IZR (2 ^ T)) in *. clearbody z. split; [|split].
  - apply Z.div_pos; auto. apply Z.mul_nonneg_nonneg; auto. pose proof (two_positive T HT); lia.
  - apply Rmult_le_reg_r with (IZR (snd b)); auto. rewrite <- mult_IZR.
    apply Rle_trans with (IZR (fst a * 2 ^ T)); [apply IZR_le; pose proof (Z.mul_div_le (fst a * 2 ^ T) _ Hb); lia|].
    rewrite mult_IZR. apply Rle_trans with (z * y * IZR (2 ^ T)).
    + rewrite E. apply Rmult_le_compat_r; lra.
    + rewrite Rmult_assoc. apply Rmult_le_compat_l; lra.
  - apply Rmult_le_reg_r with (IZR (fst b)); auto. rewrite <- mult_IZR.
    apply Rle_trans with (IZR (snd a * 2 ^ T)); [|apply IZR_le; pose proof (Z.mul_div_le (- (snd a * 2 ^ T)) _ B0); lia].
    rewrite mult_IZR. apply Rle_trans with (z * y * IZR (2 ^ T)).
    + rewrite Rmult_assoc. apply Rmult_le_compat_l; lra.
    + rewrite E. apply Rmult_le_compat_r; lra.
Qed.

(** (1 - rn / rd) x + rn / rd y. *)
Definition mixed (rn rd : Z) (x y : Z * Z) : Z * Z :=
  let m := mix rn rd x y in (fst m / rd, - (- snd m / rd))%Z.

Lemma mixed_encloses T rn rd x y v w : (0 <= T)%Z -> (0 <= rn <= rd)%Z /\ (0 < rd)%Z ->
  encloses T x v -> encloses T y w ->
  encloses T (mixed rn rd x y) ((1 - IZR rn / IZR rd) * v + IZR rn / IZR rd * w).
Proof.
  intros HT R Hx Hy. pose proof (mix_encloses T rn rd 1 R ltac:(lia) x y v w Hx Hy) as M. destruct R as [_ R].
  apply IZR_lt in R as R'. split.
  - destruct M as (M & _). now apply Z.div_pos.
  - apply divided; auto. revert M. match goal with |- encloses _ _ ?a -> encloses _ _ ?b => replace b with a; auto end.
    rewrite minus_IZR. field. lra.
Qed.

(** ** A mixture of a density and its shift *)

Section Mixture.
Variables (f : R -> R) (d rn rd : Z).
Hypothesis rate_range : (0 <= rn <= rd)%Z /\ (0 < rd)%Z.
Notation rate := (IZR rn / IZR rd).
Definition shift_mixture (x : R) : R := (1 - rate) * f x + rate * f (x - IZR d).

Lemma rate_between : 0 <= rate <= 1.
Proof.
  destruct rate_range as [[R1 R2] R3]. apply IZR_le in R1, R2. apply IZR_lt in R3. split.
  - apply Rmult_le_pos; auto. left; now apply Rinv_0_lt_compat.
  - apply Rmult_le_reg_r with (IZR rd); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r, Rmult_1_l; lra.
Qed.

Lemma mixture_nonnegative : (forall x, 0 <= f x) -> nonnegative_step (Step integers shift_mixture f).
Proof.
  intros N x. cbn [p_of q_of]. split; auto. unfold shift_mixture. pose proof rate_between.
  apply Rplus_le_le_0_compat; apply Rmult_le_pos; auto; lra.
Qed.

Lemma mixture_integral chi P Q : integral integers (fun x => chi x * f x) Q ->
  integral integers (fun x => chi x * f (x - IZR d)) P ->
  integral integers (fun x => chi x * shift_mixture x) ((1 - rate) * Q + rate * P).
Proof.
  intros IQ IP. pose proof (integral_sum _ _ _ _ _ (integral_scaled _ (1 - rate) _ _ IQ) (integral_scaled _ rate _ _ IP)) as I.
  revert I. apply integral_same. intros x. unfold shift_mixture. ring.
Qed.

Lemma mixture_integral_1 : integral integers f 1 -> integral integers shift_mixture 1.
Proof.
  intros I. pose proof (integral_sum _ _ _ _ _ (integral_scaled _ (1 - rate) _ _ I)
    (integral_scaled _ rate _ _ (integers_shifted d _ _ I))) as K.
  replace ((1 - rate) * 1 + rate * 1) with 1 in K by ring. exact K.
Qed.
End Mixture.

(** ** The discrete Laplace distribution *)

Section Density.
Variable t : R.
Hypothesis t_positive : 0 < t.
Notation r := (exp (- (1 / t))).
Notation dens := (discrete_laplace_density t).
Notation c := ((1 - r) / (1 + r)).
Definition decay (j : Z) : R := exp (- (IZR j / t)).

Lemma r_range : 0 < r < 1.
Proof.
  split; [apply exp_pos|]. rewrite <- exp_0 at 2. apply exp_increasing.
  assert (0 < 1 / t) by (apply Rdiv_lt_0_compat; lra). lra.
Qed.

Lemma decay_sum i j : decay (i + j) = decay i * decay j.
Proof. unfold decay. rewrite <- exp_plus, plus_IZR. f_equal. field. lra. Qed.

Lemma decay_0 : decay 0 = 1.
Proof. unfold decay. rewrite <- exp_0. f_equal. field. lra. Qed.

Lemma decay_power n : decay (Z.of_nat n) = r ^ n.
Proof. rewrite exp_power. unfold decay. rewrite <- INR_IZR_INZ. f_equal. field. lra. Qed.

Lemma laplace_at k : dens (IZR k) = c * decay (Z.abs k).
Proof. unfold discrete_laplace_density, decay. now rewrite at_integers_in, abs_IZR, Rmult_1_l. Qed.

Lemma laplace_at_positive k : 0 < dens (IZR k).
Proof.
  rewrite laplace_at. pose proof r_range. apply Rmult_lt_0_compat; [|apply exp_pos]. apply Rdiv_lt_0_compat; lra.
Qed.

Lemma laplace_nonnegative x : 0 <= dens x.
Proof.
  unfold discrete_laplace_density. pose proof r_range. apply Rmult_le_pos.
  - unfold at_integers. destruct (Req_EM_T _ _); lra.
  - apply Rmult_le_pos; [|left; apply exp_pos]. left. apply Rdiv_lt_0_compat; lra.
Qed.

Lemma laplace_elsewhere x : at_integers x = 0 -> dens x = 0.
Proof. intros H. unfold discrete_laplace_density. rewrite H. ring. Qed.

(** To the left of 0 and to the right of d. *)
Lemma laplace_shifted_left d k : (0 <= d)%Z -> (k <= 0)%Z -> dens (IZR k - IZR d) = decay d * dens (IZR k).
Proof.
  intros Hd Hk. rewrite <- minus_IZR, !laplace_at. replace (Z.abs (k - d)) with (d + Z.abs k)%Z by lia.
  rewrite decay_sum. ring.
Qed.
Lemma laplace_shifted_right d k : (0 <= d <= k)%Z -> dens (IZR k) = decay d * dens (IZR k - IZR d).
Proof.
  intros H. rewrite <- minus_IZR, !laplace_at. replace (Z.abs k) with (d + Z.abs (k - d))%Z by lia.
  rewrite decay_sum. ring.
Qed.

Lemma from_point_at k j : from_point k (IZR j) = if (j <? k)%Z then 0 else 1.
Proof.
  unfold from_point. rewrite at_integers_in. destruct (Rlt_dec _ _) as [L | L], (Z.ltb_spec j k) as [M | M]; auto.
  - apply lt_IZR in L. lia.
  - elim L. now apply IZR_lt.
Qed.
Lemma up_to_point_at k j : up_to_point k (IZR j) = if (k <? j)%Z then 0 else 1.
Proof.
  unfold up_to_point. rewrite at_integers_in. destruct (Rlt_dec _ _) as [L | L], (Z.ltb_spec k j) as [M | M]; auto.
  - apply lt_IZR in L. lia.
  - elim L. now apply IZR_lt.
Qed.

Lemma integral_from_0 : integral integers (fun x => from_point 0 x * dens x) (1 / (1 + r)).
Proof.
  apply from_point_integral. pose proof r_range as Hr.
  replace (1 / (1 + r)) with (c * / (1 - r)) by (field; lra).
  apply (same_series (fun n => c * r ^ n)).
  - intros n. now rewrite INR_IZR_INZ, laplace_at, Z.abs_eq, decay_power by lia.
  - apply (is_series_scal c (fun n => r ^ n)). apply is_series_geom. rewrite Rabs_pos_eq; lra.
Qed.

Lemma integral_up_to_0 : integral integers (fun x => up_to_point 0 x * dens x) (1 / (1 + r)).
Proof.
  pose proof (integers_reflected _ _ integral_from_0) as I. revert I. apply integers_same. intros k.
  rewrite <- opp_IZR, from_point_at, up_to_point_at, !laplace_at, Z.abs_opp.
  destruct (Z.ltb_spec (- k) 0), (Z.ltb_spec 0 k); auto; lia.
Qed.

Lemma integral_from d : integral integers (fun x => from_point d x * dens (x - IZR d)) (1 / (1 + r)).
Proof.
  pose proof (integers_shifted d _ _ integral_from_0) as I. revert I. apply integers_same. intros k.
  rewrite <- minus_IZR, !from_point_at. destruct (Z.ltb_spec (k - d) 0), (Z.ltb_spec k d); auto; lia.
Qed.

Theorem discrete_laplace_integrates_to_1 : integral integers dens 1.
Proof.
  pose proof r_range as Hr.
  pose proof (integral_sum _ _ _ _ _ (integral_sum _ _ _ _ _ integral_from_0 integral_up_to_0)
    (integral_scaled _ (-1) _ _ (point_integral 0 dens))) as I.
  replace (1 / (1 + r) + 1 / (1 + r) + -1 * dens (IZR 0)) with 1 in I.
  - revert I. apply integers_same. intros k. rewrite from_point_at, up_to_point_at.
    destruct (Z.ltb_spec k 0), (Z.ltb_spec 0 k); try lia.
    + rewrite at_point_out; [ring|]. intros E. apply eq_IZR in E. lia.
    + rewrite at_point_out; [ring|]. intros E. apply eq_IZR in E. lia.
    + replace k with 0%Z by lia. rewrite at_point_in. ring.
  - rewrite laplace_at. change (Z.abs 0) with 0%Z. rewrite decay_0. field. lra.
Qed.
End Density.

(** The slices: up to 0, at each integer before d, and from d on. [u]: an enclosure of exp(-1/t). *)
Section Laplace_slices.
Variables (g T rn rd : Z) (d : Z) (u : Z * Z).
Definition one_and_u : Z * Z := (2 ^ T + fst u, 2 ^ T + snd u)%Z.
(** The probabilities of 0, of all integers from 0 on, and of all from d on. *)
Definition laplace_at_0 : Z * Z := quotient_of T (less (one_of T) u) one_and_u.
Definition laplace_from_0 : Z * Z := quotient_of T (one_of T) one_and_u.
Definition laplace_from_d : Z * Z := nth (Z.to_nat d) (geometric T (S (Z.to_nat d)) laplace_from_0 u) (0, 0)%Z.
(** Those of 1, ..., d - 1. *)
Definition laplace_before_d : list (Z * Z) := tl (geometric T (Z.to_nat d) laplace_at_0 u).
Definition laplace_pairs : list ((Z * Z) * (Z * Z)) :=
  map (fun xy => (mixed rn rd (fst xy) (snd xy), fst xy)) (combine laplace_before_d (rev laplace_before_d)).
Definition discrete_laplace_slices : list slice :=
  exact_slice g (mixed rn rd laplace_from_0 laplace_from_d) laplace_from_0 ::
  integer_slices g laplace_pairs ++
  [exact_slice g (mixed rn rd laplace_from_d laplace_from_0) laplace_from_d].
End Laplace_slices.

Section Laplace.
Variables (g T rn rd : Z) (d : Z) (t : R) (u : Z * Z).
Hypothesis T_nonnegative : (0 <= T)%Z.
Hypothesis g_nonnegative : (0 <= g)%Z.
Hypothesis rate_range : (0 <= rn <= rd)%Z /\ (0 < rd)%Z.
Hypothesis d_positive : (0 < d)%Z.
Hypothesis t_positive : 0 < t.
Hypothesis u_encloses : encloses T u (exp (- (1 / t))).
Notation encloses := (encloses T).
Notation r := (exp (- (1 / t))).
Notation dens := (discrete_laplace_density t).
Notation rate := (IZR rn / IZR rd).
Notation p := (shift_mixture dens d rn rd).
Notation s := (Step integers p dens).

Lemma one_of_encloses : encloses (one_of T) 1.
Proof. exact (one_encloses T 1 T_nonnegative ltac:(lia)). Qed.

Lemma one_and_u_encloses : encloses (one_and_u T u) (1 + r) /\ (0 < fst (one_and_u T u))%Z.
Proof.
  destruct u_encloses as (U0 & U1 & U2). pose proof (two_positive T T_nonnegative).
  unfold one_and_u. repeat split; cbn [fst snd]; try lia; rewrite plus_IZR; lra.
Qed.

Lemma at_0_encloses : encloses (laplace_at_0 T u) ((1 - r) / (1 + r)).
Proof.
  destruct one_and_u_encloses as [H1 H2]. apply quotient_encloses; auto. pose proof (r_range t t_positive).
  apply less_encloses; auto using one_of_encloses. lra.
Qed.
Lemma from_0_encloses : encloses (laplace_from_0 T u) (1 / (1 + r)).
Proof. destruct one_and_u_encloses as [H1 H2]. apply quotient_encloses; auto using one_of_encloses. Qed.
Lemma decay_is : decay t d = r ^ Z.to_nat d.
Proof. rewrite <- decay_power by auto. f_equal. lia. Qed.
Lemma from_d_encloses : encloses (laplace_from_d T d u) (1 / (1 + r) * decay t d).
Proof. rewrite decay_is. apply geometric_encloses; auto using from_0_encloses. Qed.

Lemma before_d_length : length (laplace_before_d T d u) = (Z.to_nat d - 1)%nat.
Proof.
  unfold laplace_before_d. pose proof (geometric_length T (Z.to_nat d) u (laplace_at_0 T u)).
  destruct (geometric _ _ _ _); simpl in *; lia.
Qed.

Lemma before_d_encloses i : (i < Z.to_nat d - 1)%nat ->
  encloses (nth i (laplace_before_d T d u) (0, 0)%Z) (dens (IZR (Z.of_nat (S i)))).
Proof.
  intros Hi. pose proof (geometric_encloses T T_nonnegative r u u_encloses (Z.to_nat d) _ _ at_0_encloses (S i) ltac:(lia)) as H.
  rewrite laplace_at, Z.abs_eq, decay_power by (auto; lia). revert H. unfold laplace_before_d.
  destruct (geometric _ _ _ _); simpl tl; auto. destruct i; auto.
Qed.

Lemma laplace_pairs_enclosed : points_enclosed T p dens 1 (laplace_pairs T rn rd d u).
Proof.
  pose proof before_d_length as L. set (f := laplace_before_d T d u) in *.
  assert (LC : length (combine f (rev f)) = (Z.to_nat d - 1)%nat) by (rewrite combine_length, rev_length; lia).
  apply points_enclosed_nth. unfold laplace_pairs. fold f. rewrite map_length, LC. intros i Hi.
  set (h := fun xy : (Z * Z) * (Z * Z) => (mixed rn rd (fst xy) (snd xy), fst xy)).
  rewrite (nth_indep _ ((0, 0), (0, 0))%Z (h ((0, 0), (0, 0))%Z)) by (rewrite map_length; lia).
  rewrite map_nth, combine_nth by now rewrite rev_length. unfold h. cbn [fst snd].
  pose proof (before_d_encloses i Hi) as H1. fold f in H1.
  replace (1 + Z.of_nat i)%Z with (Z.of_nat (S i)) by lia. split; auto.
  apply mixed_encloses; auto. rewrite rev_nth, L by lia.
  pose proof (before_d_encloses (Z.to_nat d - 1 - S i) ltac:(lia)) as H2. fold f in H2.
  replace (dens (IZR (Z.of_nat (S i)) - IZR d)) with (dens (IZR (Z.of_nat (S (Z.to_nat d - 1 - S i))))); auto.
  rewrite <- minus_IZR, !laplace_at. do 2 f_equal. lia.
Qed.

Lemma laplace_step_nonnegative : nonnegative_step s.
Proof. apply mixture_nonnegative; auto. intros x. now apply laplace_nonnegative. Qed.

Lemma laplace_first_region :
  region_holds T s (up_to_point 0, exact_slice g (mixed rn rd (laplace_from_0 T u) (laplace_from_d T d u)) (laplace_from_0 T u)).
Proof.
  pose proof (integral_up_to_0 t t_positive) as IQ.
  apply (exact_region T g g_nonnegative s _ (1 - rate + rate * decay t d)
    ((1 - rate) * (1 / (1 + r)) + rate * (1 / (1 + r) * decay t d)) (1 / (1 + r))); auto.
  - apply laplace_step_nonnegative.
  - intros x. cbn [p_of q_of]. destruct (integer_or_not x) as [[k ->] | [Z _]].
    + rewrite up_to_point_at. destruct (Z.ltb_spec 0 k); [now left | right]. split; auto.
      unfold shift_mixture. rewrite laplace_shifted_left by (auto; lia). ring.
    + left. unfold up_to_point. destruct (Rlt_dec _ _); auto.
  - cbn [outputs p_of]. apply mixture_integral; auto.
    pose proof (integral_scaled _ (decay t d) _ _ IQ) as I. rewrite (Rmult_comm (1 / (1 + r))). revert I.
    apply integers_same. intros k. rewrite up_to_point_at. destruct (Z.ltb_spec 0 k); [ring|].
    rewrite laplace_shifted_left by (auto; lia). ring.
  - apply mixed_encloses; auto using from_0_encloses, from_d_encloses.
  - apply from_0_encloses.
Qed.

Lemma laplace_last_region :
  region_holds T s (from_point d, exact_slice g (mixed rn rd (laplace_from_d T d u) (laplace_from_0 T u)) (laplace_from_d T d u)).
Proof.
  pose proof (integral_from t t_positive d) as IP. assert (D : 0 < decay t d) by apply exp_pos.
  apply (exact_region T g g_nonnegative s _ (1 - rate + rate / decay t d)
    ((1 - rate) * (1 / (1 + r) * decay t d) + rate * (1 / (1 + r))) (1 / (1 + r) * decay t d)); auto.
  - apply laplace_step_nonnegative.
  - intros x. cbn [p_of q_of]. destruct (integer_or_not x) as [[k ->] | [Z _]].
    + rewrite from_point_at. destruct (Z.ltb_spec k d); [now left | right]. split; auto.
      unfold shift_mixture. rewrite (laplace_shifted_right t t_positive d k) by lia.
      assert (0 < IZR rd) by (apply IZR_lt; lia). field. split; lra.
    + left. unfold from_point. destruct (Rlt_dec _ _); auto.
  - cbn [outputs p_of]. apply mixture_integral; auto.
    pose proof (integral_scaled _ (decay t d) _ _ IP) as I. rewrite (Rmult_comm (1 / (1 + r))). revert I.
    apply integers_same. intros k. rewrite from_point_at. destruct (Z.ltb_spec k d); [ring|].
    rewrite (laplace_shifted_right t t_positive d k) by lia. ring.
  - cbn [outputs q_of].
    pose proof (integral_scaled _ (decay t d) _ _ IP) as I. rewrite (Rmult_comm (1 / (1 + r))). revert I.
    apply integers_same. intros k. rewrite from_point_at. destruct (Z.ltb_spec k d); [ring|].
    rewrite (laplace_shifted_right t t_positive d k) by lia. ring.
  - apply mixed_encloses; auto using from_0_encloses, from_d_encloses.
  - apply from_d_encloses.
Qed.

Definition laplace_integer_regions : list ((R -> R) * slice) :=
  (up_to_point 0, exact_slice g (mixed rn rd (laplace_from_0 T u) (laplace_from_d T d u)) (laplace_from_0 T u)) ::
  point_regions 1 (integer_slices g (laplace_pairs T rn rd d u)) ++
  [(from_point d, exact_slice g (mixed rn rd (laplace_from_d T d u) (laplace_from_0 T u)) (laplace_from_d T d u))].

Lemma laplace_integer_coverage x : coverage laplace_integer_regions x = at_integers x.
Proof.
  unfold laplace_integer_regions. change (coverage (?a :: ?l) x) with (fst a x + coverage l x).
  rewrite coverage_app. cbn [coverage fold_right fst]. destruct (integer_or_not x) as [[k ->] | [Z N]].
  - rewrite points_coverage, up_to_point_at, from_point_at, at_integers_in.
    unfold integer_slices, laplace_pairs. rewrite !map_length, combine_length, rev_length, before_d_length.
    destruct (Z.ltb_spec 0 k), (Z.ltb_spec k d), (Z.leb_spec 1 k),
      (Z.ltb_spec k (1 + Z.of_nat (Init.Nat.min (Z.to_nat d - 1) (Z.to_nat d - 1)))); cbn [andb]; try lia; lra.
  - rewrite points_elsewhere by auto. unfold up_to_point, from_point. rewrite Z.
    destruct (Rlt_dec _ _), (Rlt_dec _ _); lra.
Qed.

Theorem discrete_laplace_whole : whole_holds T (sampled_discrete_laplace t d rate) (discrete_laplace_slices g T rn rd d u).
Proof.
  change (sampled_discrete_laplace t d rate) with s.
  split; [exact laplace_step_nonnegative|]. split; [discriminate|]. exists laplace_integer_regions. split; [|split; [|split]].
  - unfold laplace_integer_regions, discrete_laplace_slices. cbn [map snd]. now rewrite map_app, point_regions_slices.
  - constructor; [exact laplace_first_region|]. apply Forall_app. split.
    + apply point_regions_hold; auto using laplace_step_nonnegative, laplace_pairs_enclosed.
      intros k. now apply laplace_at_positive.
    + constructor; [exact laplace_last_region | constructor].
  - intros x. rewrite laplace_integer_coverage. unfold at_integers. destruct (Req_EM_T _ _); lra.
  - intros x. rewrite laplace_integer_coverage. cbn [p_of q_of]. unfold shift_mixture.
    destruct (integer_or_not x) as [[k ->] | [Z _]]; [rewrite at_integers_in; split; ring|].
    rewrite !laplace_elsewhere; [split; ring | now rewrite at_integers_shifted | auto].
Qed.
End Laplace.

Definition discrete_laplace_source (g T rn rd d : Z) (u : Z * Z) : source :=
  Source true (discrete_laplace_slices g T rn rd d u) 0.
Definition swapped_discrete_laplace_source (g T rn rd d : Z) (u : Z * Z) : source :=
  Source true (swapped_slices (discrete_laplace_slices g T rn rd d u)) 0.

Section Laplace_sources.
Variables (B g T rn rd d : Z) (t : R) (u : Z * Z).
Hypothesis T_nonnegative : (0 <= T)%Z.
Hypothesis g_nonnegative : (0 <= g)%Z.
Hypothesis rate_range : (0 <= rn <= rd)%Z /\ (0 < rd)%Z.
Hypothesis d_positive : (0 < d)%Z.
Hypothesis t_positive : 0 < t.
Hypothesis u_encloses : encloses T u (exp (- (1 / t))).

(** Adjacency "remove", and "add". *)
Theorem sampled_discrete_laplace_source_holds :
  source_holds B T (sampled_discrete_laplace t d (IZR rn / IZR rd)) (discrete_laplace_source g T rn rd d u).
Proof. apply whole_source. intros _. now apply discrete_laplace_whole. Qed.

Theorem swapped_sampled_discrete_laplace_source_holds :
  source_holds B T (swapped (sampled_discrete_laplace t d (IZR rn / IZR rd))) (swapped_discrete_laplace_source g T rn rd d u).
Proof. apply whole_source. intros _. now apply whole_swapped, discrete_laplace_whole. Qed.
End Laplace_sources.

(** Without sampling. *)
Lemma always_mixed (f : R -> R) d x : (1 - IZR 1 / IZR 1) * f x + IZR 1 / IZR 1 * f (x - IZR d) = f (x - IZR d).
Proof. field. Qed.

Theorem discrete_laplace_source_holds B g T d t u : (0 <= T)%Z -> (0 <= g)%Z -> (0 < d)%Z -> 0 < t ->
  encloses T u (exp (- (1 / t))) -> source_holds B T (discrete_laplace t d) (discrete_laplace_source g T 1 1 d u).
Proof.
  intros H1 H2 H3 H4 H5. assert (R : (0 <= 1 <= 1)%Z /\ (0 < 1)%Z) by lia.
  pose proof (sampled_discrete_laplace_source_holds B g T 1 1 d t u H1 H2 R H3 H4 H5) as H. revert H.
  apply source_same; intros x; [apply always_mixed | reflexivity].
Qed.
Theorem swapped_discrete_laplace_source_holds B g T d t u : (0 <= T)%Z -> (0 <= g)%Z -> (0 < d)%Z -> 0 < t ->
  encloses T u (exp (- (1 / t))) -> source_holds B T (swapped (discrete_laplace t d)) (swapped_discrete_laplace_source g T 1 1 d u).
Proof.
  intros H1 H2 H3 H4 H5. assert (R : (0 <= 1 <= 1)%Z /\ (0 < 1)%Z) by lia.
  pose proof (swapped_sampled_discrete_laplace_source_holds B g T 1 1 d t u H1 H2 R H3 H4 H5) as H. revert H.
  apply source_same; intros x; [reflexivity | apply always_mixed].
Qed.

(** ** The discrete Gaussian distribution *)

Section Weights.
Variable sigma : R.
Hypothesis sigma_positive : 0 < sigma.
Notation weight := (discrete_gaussian_weight sigma).
Notation dens := (discrete_gaussian_density sigma).
Definition beta2 : R := / (2 * sigma * sigma).
Notation ratio := (exp (- beta2)).

Lemma beta2_positive : 0 < beta2.
Proof. apply Rinv_0_lt_compat. repeat apply Rmult_lt_0_compat; lra. Qed.

Lemma weight_is x : weight x = exp (- (beta2 * (x * x))).
Proof. unfold discrete_gaussian_weight, beta2. f_equal. field. lra. Qed.

Lemma weight_0 : weight (INR 0) = 1.
Proof. rewrite weight_is. simpl INR. rewrite <- exp_0. f_equal. ring. Qed.

Lemma weight_even x : weight (- x) = weight x.
Proof. rewrite !weight_is. do 2 f_equal. ring. Qed.

Lemma ratio_range : 0 < ratio < 1.
Proof.
  split; [apply exp_pos|]. rewrite <- exp_0. apply exp_increasing. pose proof beta2_positive. lra.
Qed.

Lemma exp_monotone x y : x <= y -> exp x <= exp y.
Proof. intros [L | ->]; [left; now apply exp_increasing | lra]. Qed.

(** Weights fall at least geometrically. *)
Lemma weight_falls n j : weight (INR (n + j)) <= weight (INR n) * ratio ^ j.
Proof.
  rewrite !weight_is, exp_power, <- exp_plus. apply exp_monotone. pose proof beta2_positive as B.
  assert (J : INR j <= INR j * INR j).
  { rewrite <- mult_INR. apply le_INR. nia. }
  assert (X : 0 <= INR n * INR j) by (rewrite <- mult_INR; apply pos_INR).
  rewrite plus_INR. assert (H : INR n * INR n + INR j <= (INR n + INR j) * (INR n + INR j)) by nra.
  apply (Rmult_le_compat_l beta2) in H; lra.
Qed.

(** The sum of the weights of n, n + 1, ... *)
Definition tail_sum (n : nat) : R := Series (fun j => weight (INR (n + j))).

Lemma geometric_bound n : is_series (fun j => weight (INR n) * ratio ^ j) (weight (INR n) * / (1 - ratio)).
Proof.
  apply (is_series_scal (weight (INR n)) (fun j => ratio ^ j)). apply is_series_geom.
  pose proof ratio_range. rewrite Rabs_pos_eq; lra.
Qed.

Lemma tail_exists n : ex_series (fun j => weight (INR (n + j))).
Proof.
  apply (ex_series_le (V := R_CompleteNormedModule) _ (fun j => weight (INR n) * ratio ^ j)).
  - intros j. unfold norm; simpl. unfold abs; simpl. rewrite Rabs_pos_eq by (left; apply exp_pos). apply weight_falls.
  - eexists. apply geometric_bound.
Qed.

Lemma tail_bounds n : 0 <= tail_sum n <= weight (INR n) / (1 - ratio).
Proof.
  pose proof (Series_correct _ (tail_exists n)) as S. split.
  - apply (series_monotone (fun _ => 0) (fun j => weight (INR (n + j))) 0 (tail_sum n)); auto using zero_series.
    intros j. left; apply exp_pos.
  - apply (series_monotone _ _ _ _ (fun j => weight_falls n j) S (geometric_bound n)).
Qed.

Lemma tail_step n : tail_sum n = weight (INR n) + tail_sum (S n).
Proof.
  unfold tail_sum. rewrite Series_incr_1 by apply tail_exists. rewrite Nat.add_0_r. f_equal.
  apply Series_ext. intros j. do 2 f_equal. lia.
Qed.

Definition all_weights : R := over_integers weight.

Lemma all_weights_are : all_weights = 2 * tail_sum 0 - 1.
Proof.
  unfold all_weights, over_integers.
  replace (Series (fun n => weight (INR n))) with (tail_sum 0) by reflexivity.
  replace (Series (fun n => weight (- INR (S n)))) with (tail_sum 1).
  - pose proof (tail_step 0) as H. rewrite weight_0 in H. lra.
  - apply Series_ext. intros n. now rewrite weight_even.
Qed.

Lemma weights_integral : integral integers weight all_weights.
Proof.
  exists (tail_sum 0), (tail_sum 1). split; [|split].
  - exact (Series_correct _ (tail_exists 0)).
  - apply (same_series (fun j => weight (INR (1 + j)))); [|exact (Series_correct _ (tail_exists 1))].
    intros n. now rewrite weight_even.
  - rewrite all_weights_are. pose proof (tail_step 0) as H. rewrite weight_0 in H. lra.
Qed.

Lemma all_weights_positive : 0 < all_weights.
Proof.
  rewrite all_weights_are, tail_step, weight_0. destruct (tail_bounds 1) as [H _]. lra.
Qed.

Lemma gaussian_at k : dens (IZR k) = weight (INR (Z.abs_nat k)) / all_weights.
Proof.
  unfold discrete_gaussian_density. rewrite at_integers_in, Rmult_1_l. unfold all_weights. f_equal.
  rewrite INR_IZR_INZ, Zabs2Nat.id_abs, abs_IZR. unfold Rabs. destruct (Rcase_abs _); auto. now rewrite weight_even.
Qed.

Lemma gaussian_at_positive k : 0 < dens (IZR k).
Proof. rewrite gaussian_at. apply Rdiv_lt_0_compat; [apply exp_pos | apply all_weights_positive]. Qed.

Lemma gaussian_nonnegative x : 0 <= dens x.
Proof.
  unfold discrete_gaussian_density. apply Rmult_le_pos.
  - unfold at_integers. destruct (Req_EM_T _ _); lra.
  - left. apply Rdiv_lt_0_compat; [apply exp_pos | apply all_weights_positive].
Qed.

Theorem discrete_gaussian_integrates_to_1 : integral integers dens 1.
Proof.
  pose proof all_weights_positive as H. pose proof (integral_scaled _ (/ all_weights) _ _ weights_integral) as I.
  rewrite Rinv_l in I by lra. revert I. apply integers_same. intros k.
  unfold discrete_gaussian_density. rewrite at_integers_in. fold all_weights. unfold Rdiv. ring.
Qed.
End Weights.

(** Tables. [v]: an enclosure of exp(-1 / (2 sigma^2)); the weights of 0, ..., n. *)
Definition weight_table (T : Z) (n : nat) (v : Z * Z) : list (Z * Z) :=
  densities T (S n) (one_of T) v (product_of T v v).
Definition lower_sum (l : list (Z * Z)) : Z := fold_right (fun b t => (fst b + t)%Z) 0%Z l.
Definition upper_sum (l : list (Z * Z)) : Z := fold_right (fun b t => (snd b + t)%Z) 0%Z l.
(** The sum of all weights, from a table [l] of them. What follows n - 1 is bounded by a geometric series. *)
Definition weight_total (T : Z) (n : nat) (v : Z * Z) (l : list (Z * Z)) : Z * Z :=
  let tail := quotient_of T (nth n l (0, 0)%Z) (less (one_of T) v) in
  let m := firstn n l in
  (2 * lower_sum m - 2 ^ T, 2 * (upper_sum m + snd tail) - 2 ^ T)%Z.
(** The probabilities of -n, ..., n; none where the bounds are too wide. *)
Definition mirrored (l : list (Z * Z)) : list (Z * Z) := rev (tl l) ++ l.
Definition gaussian_table (T : Z) (n : nat) (v : Z * Z) : list (Z * Z) :=
  let l := weight_table T n v in
  let total := weight_total T n v l in
  if ((0 <? fst total) && (snd v <? 2 ^ T))%Z then
    let inverse := quotient_of T (one_of T) total in mirrored (map (fun b => product_of T b inverse) l)
  else nil.

(** Enclosures under the mixture and under the density for [count] integers from first - n on; d <= first. *)
Definition gaussian_pairs (T rn rd : Z) (n : nat) (v : Z * Z) (d first count : nat) : list ((Z * Z) * (Z * Z)) :=
  if (d <=? first)%nat then
    let l := gaussian_table T n v in
    map (fun xy => (mixed rn rd (fst xy) (snd xy), fst xy))
      (firstn count (combine (skipn first l) (skipn (first - d) l)))
  else nil.

Section Gaussian.
Variables (T : Z) (n : nat) (sigma : R) (v : Z * Z).
Hypothesis T_nonnegative : (0 <= T)%Z.
Hypothesis sigma_positive : 0 < sigma.
Hypothesis v_encloses : encloses T v (exp (- (/ (2 * sigma * sigma)))).
Notation encloses := (encloses T).
Notation weight := (discrete_gaussian_weight sigma).
Notation dens := (discrete_gaussian_density sigma).
Notation beta2 := (beta2 sigma).
Notation two x := (IZR (2 ^ x)).

Lemma squares_enclosed h : encloses h (exp (- (2 * beta2))) -> forall m k x g,
  encloses x (weight (INR k)) -> encloses g (exp (- (beta2 * (2 * INR k + 1)))) ->
  forall i, (i < m)%nat -> encloses (nth i (densities T m x g h) (0, 0)%Z) (weight (INR (k + i))).
Proof.
  intros Hh; induction m as [|m IH]; intros k x g Hx Hg i Hi; [lia|]. destruct i as [|i]; cbn [densities nth].
  - now rewrite Nat.add_0_r.
  - replace (k + S i)%nat with (S k + i)%nat by lia. apply IH; [| |lia].
    + replace (weight (INR (S k))) with (weight (INR k) * exp (- (beta2 * (2 * INR k + 1)))).
      * now apply product_encloses.
      * rewrite !weight_is, <- exp_plus, S_INR by auto. f_equal. ring.
    + replace (exp (- (beta2 * (2 * INR (S k) + 1)))) with (exp (- (beta2 * (2 * INR k + 1))) * exp (- (2 * beta2))).
      * now apply product_encloses.
      * rewrite <- exp_plus, S_INR. f_equal. ring.
Qed.

Lemma table_encloses i : (i <= n)%nat -> encloses (nth i (weight_table T n v) (0, 0)%Z) (weight (INR i)).
Proof.
  intros Hi. apply (squares_enclosed (product_of T v v)) with (k := 0%nat); [| | |lia].
  - replace (exp (- (2 * beta2))) with (exp (- beta2) * exp (- beta2)); [now apply product_encloses|].
    rewrite <- exp_plus. f_equal. ring.
  - rewrite weight_0 by auto. now apply one_of_encloses.
  - simpl INR. replace (beta2 * (2 * 0 + 1)) with beta2 by ring. exact v_encloses.
Qed.

Lemma table_length : length (weight_table T n v) = S n.
Proof. apply densities_length. Qed.

(** Sums of the first weights of a list, and what follows. *)
Lemma sums_enclose m : forall l k, (m <= length l)%nat ->
  (forall i, (i < m)%nat -> encloses (nth i l (0, 0)%Z) (weight (INR (k + i)))) ->
  IZR (lower_sum (firstn m l)) <= (tail_sum sigma k - tail_sum sigma (k + m)) * two T <= IZR (upper_sum (firstn m l)).
Proof.
  induction m as [|m IH]; intros l k L H.
  - rewrite Nat.add_0_r. simpl. lra.
  - destruct l as [|b l]; [simpl in L; lia|]. cbn [firstn lower_sum upper_sum fold_right].
    fold (lower_sum (firstn m l)) (upper_sum (firstn m l)).
    assert (H0 := H 0%nat ltac:(lia)). rewrite Nat.add_0_r in H0. destruct H0 as (_ & H0). cbn [nth] in H0.
    specialize (IH l (S k) ltac:(simpl in L; lia)). rewrite !plus_IZR, (tail_step sigma sigma_positive k).
    replace (k + S m)%nat with (S k + m)%nat by lia.
    assert (I : forall i, (i < m)%nat -> encloses (nth i l (0, 0)%Z) (weight (INR (S k + i)))).
    { intros i Hi. specialize (H (S i) ltac:(lia)). cbn [nth] in H. now replace (S k + i)%nat with (k + S i)%nat by lia. }
    specialize (IH I). lra.
Qed.

Notation total := (weight_total T n v (weight_table T n v)).

Lemma total_enclosed : (snd v < 2 ^ T)%Z -> (0 < fst total)%Z -> encloses total (all_weights sigma).
Proof.
  intros G1 G2. pose proof (ratio_range sigma sigma_positive) as R.
  destruct (sums_enclose n (weight_table T n v) 0) as [S1 S2]; [rewrite table_length; lia| |].
  { intros i Hi. apply table_encloses. lia. }
  destruct (tail_bounds sigma sigma_positive n) as [B1 B2]. rewrite Nat.add_0_l in S1, S2.
  assert (Q : encloses (quotient_of T (nth n (weight_table T n v) (0, 0)%Z) (less (one_of T) v))
    (weight (INR n) / (1 - exp (- beta2)))).
  { apply quotient_encloses; auto.
    - apply table_encloses. lia.
    - apply less_encloses; auto using one_of_encloses. lra.
    - unfold less, one_of. cbn [fst snd]. lia. }
  destruct Q as (_ & _ & Q). pose proof (two_T T T_nonnegative) as HT.
  apply (Rmult_le_compat_r (two T)) in B1, B2; try lra.
  rewrite all_weights_are by auto. split; [lia|].
  unfold weight_total. cbn [fst snd]. rewrite !minus_IZR, !mult_IZR, plus_IZR. lra.
Qed.

Lemma mirrored_nth l i : length l = S n -> (i <= 2 * n)%nat ->
  nth i (mirrored l) (0, 0)%Z = nth (Z.abs_nat (Z.of_nat i - Z.of_nat n)) l (0, 0)%Z.
Proof.
  intros L Hi. unfold mirrored. destruct l as [|x l]; [discriminate|]. cbn [tl]. injection L as L.
  destruct (Nat.lt_ge_cases i n) as [C | C].
  - rewrite app_nth1 by (rewrite rev_length; lia). rewrite rev_nth, L by lia.
    now replace (Z.abs_nat (Z.of_nat i - Z.of_nat n)) with (S (n - S i)) by lia.
  - rewrite app_nth2, rev_length, L by (rewrite rev_length; lia).
    now replace (Z.abs_nat (Z.of_nat i - Z.of_nat n)) with (i - n)%nat by lia.
Qed.

Lemma gaussian_table_encloses i : (i < length (gaussian_table T n v))%nat ->
  encloses (nth i (gaussian_table T n v) (0, 0)%Z) (dens (IZR (Z.of_nat i - Z.of_nat n))).
Proof.
  unfold gaussian_table. cbv zeta. destruct ((0 <? fst total) && (snd v <? 2 ^ T))%Z eqn:G; [|simpl; intros; lia].
  apply andb_prop in G. destruct G as [G1 G2]. apply Z.ltb_lt in G1, G2.
  set (h := fun b => product_of T b (quotient_of T (one_of T) total)).
  assert (L : length (map h (weight_table T n v)) = S n) by now rewrite map_length, table_length.
  intros Hi. assert (Hi' : (i <= 2 * n)%nat).
  { revert Hi. unfold mirrored. rewrite app_length, rev_length, L. destruct (map h (weight_table T n v)); simpl in *; lia. }
  rewrite mirrored_nth by auto. set (k := Z.abs_nat (Z.of_nat i - Z.of_nat n)).
  rewrite (nth_indep _ (0, 0)%Z (h (0, 0)%Z)) by (rewrite L; lia).
  rewrite map_nth, gaussian_at by auto. fold k. pose proof (all_weights_positive sigma sigma_positive).
  replace (weight (INR k) / all_weights sigma) with (weight (INR k) * (1 / all_weights sigma)) by (field; lra).
  apply product_encloses; auto; [apply table_encloses; lia|].
  apply quotient_encloses; auto using one_of_encloses, total_enclosed.
Qed.

Variables (rn rd : Z) (d first count : nat).
Hypothesis rate_range : (0 <= rn <= rd)%Z /\ (0 < rd)%Z.
Notation p := (shift_mixture dens (Z.of_nat d) rn rd).

Lemma nth_firstn_below {A} (e : A) m : forall l i, (i < m)%nat -> nth i (firstn m l) e = nth i l e.
Proof. induction m as [|m IH]; intros [|x l] [|i] Hi; simpl; auto; [lia | lia | apply IH; lia]. Qed.
Lemma nth_skipped {A} (e : A) m : forall l i, nth i (skipn m l) e = nth (m + i) l e.
Proof. induction m as [|m IH]; intros [|x l] i; simpl; auto. now destruct i. Qed.

Lemma nth_combined (a b : list (Z * Z)) : forall j, (j < length a)%nat -> (j < length b)%nat ->
  nth j (combine a b) ((0, 0), (0, 0))%Z = (nth j a (0, 0)%Z, nth j b (0, 0)%Z).
Proof. revert b; induction a as [|x a IH]; intros [|y b] [|j] H1 H2; simpl in *; try lia; auto. apply IH; lia. Qed.

Lemma gaussian_pairs_enclosed :
  points_enclosed T p dens (Z.of_nat first - Z.of_nat n) (gaussian_pairs T rn rd n v d first count).
Proof.
  unfold gaussian_pairs. destruct (Nat.leb_spec d first) as [L | _]; [|exact Logic.I].
  apply points_enclosed_nth. pose proof gaussian_table_encloses as M. set (l := gaussian_table T n v) in *.
  rewrite map_length, firstn_length, combine_length, !skipn_length. intros i Hi.
  set (h := fun xy : (Z * Z) * (Z * Z) => (mixed rn rd (fst xy) (snd xy), fst xy)). set (e := ((0, 0), (0, 0))%Z).
  rewrite (nth_indep _ e (h e)) by (rewrite map_length, firstn_length, combine_length, !skipn_length; lia).
  unfold e. rewrite map_nth, nth_firstn_below, nth_combined, !nth_skipped by (rewrite ?skipn_length; lia).
  unfold h. cbn [fst snd].
  pose proof (M (first + i)%nat ltac:(lia)) as M1. pose proof (M (first - d + i)%nat ltac:(lia)) as M2.
  replace (Z.of_nat (first + i) - Z.of_nat n)%Z with (Z.of_nat first - Z.of_nat n + Z.of_nat i)%Z in M1 by lia.
  split; auto. apply mixed_encloses; auto. rewrite <- minus_IZR.
  now replace (Z.of_nat (first - d + i) - Z.of_nat n)%Z with (Z.of_nat first - Z.of_nat n + Z.of_nat i - Z.of_nat d)%Z in M2 by lia.
Qed.
End Gaussian.

(** ** Its sources *)

Definition discrete_gaussian_source (B g T rn rd : Z) (n : nat) (v : Z * Z) (d : Z) (first count : nat) (inf : Z) : source :=
  integer_source T g B (gaussian_pairs T rn rd n v (Z.to_nat d) first count) inf.
(** The data sets change places, and the order of the slices is reversed. *)
Definition exchanged (l : list ((Z * Z) * (Z * Z))) : list ((Z * Z) * (Z * Z)) := map (fun pq => (snd pq, fst pq)) l.
Definition reversed (s : source) : source := Source (acceptable s) (rev (its_slices s)) (outside_them s).
Definition swapped_discrete_gaussian_source (B g T rn rd : Z) (n : nat) (v : Z * Z) (d : Z) (first count : nat) (inf : Z) : source :=
  reversed (integer_source T g B (exchanged (gaussian_pairs T rn rd n v (Z.to_nat d) first count)) inf).

Lemma points_exchanged T p q l : forall k, points_enclosed T p q k l -> points_enclosed T q p k (exchanged l).
Proof.
  induction l as [|x l IH]; intros k; cbn [points_enclosed exchanged map]; auto. intros (H1 & H2 & H3).
  split; [exact H2 | split; [exact H1 | now apply IH]].
Qed.

Section Gaussian_sources.
Variables (B g T rn rd : Z) (n : nat) (sigma : R) (v : Z * Z) (d : Z) (first count : nat) (inf : Z).
Hypothesis B_range : (0 <= B <= T)%Z.
Hypothesis g_nonnegative : (0 <= g)%Z.
Hypothesis rate_range : (0 <= rn <= rd)%Z /\ (0 < rd)%Z.
Hypothesis d_nonnegative : (0 <= d)%Z.
Hypothesis sigma_positive : 0 < sigma.
Hypothesis v_encloses : encloses T v (exp (- (/ (2 * sigma * sigma)))).
Notation rate := (IZR rn / IZR rd).
Notation dens := (discrete_gaussian_density sigma).
Notation p := (shift_mixture dens d rn rd).

Lemma gaussian_step_nonnegative : nonnegative_step (Step integers p dens).
Proof. apply mixture_nonnegative; auto. intros x. now apply gaussian_nonnegative. Qed.

Lemma gaussian_mixture_positive k : 0 < p (IZR k).
Proof.
  unfold shift_mixture. rewrite <- minus_IZR. pose proof (rate_between rn rd rate_range) as R.
  pose proof (gaussian_at_positive sigma sigma_positive k). pose proof (gaussian_at_positive sigma sigma_positive (k - d)).
  destruct (Rle_lt_or_eq_dec _ _ (proj1 R)) as [L | E].
  - apply Rplus_le_lt_0_compat; [apply Rmult_le_pos; lra | now apply Rmult_lt_0_compat].
  - rewrite <- E. lra.
Qed.

Lemma pairs_enclosed :
  points_enclosed T p dens (Z.of_nat first - Z.of_nat n) (gaussian_pairs T rn rd n v (Z.to_nat d) first count).
Proof.
  pose proof (gaussian_pairs_enclosed T n sigma v ltac:(lia) sigma_positive v_encloses rn rd
    (Z.to_nat d) first count rate_range) as H. now rewrite Z2Nat.id in H.
Qed.

(** Adjacency "remove", and "add". *)
Theorem sampled_discrete_gaussian_source_holds :
  source_holds B T (sampled_discrete_gaussian sigma d rate) (discrete_gaussian_source B g T rn rd n v d first count inf).
Proof.
  change (sampled_discrete_gaussian sigma d rate) with (Step integers p dens).
  apply integer_source_holds with (k := (Z.of_nat first - Z.of_nat n)%Z); auto using gaussian_step_nonnegative, pairs_enclosed; try lia.
  - intros k. now apply gaussian_at_positive.
  - apply mixture_integral_1. now apply discrete_gaussian_integrates_to_1.
Qed.

Theorem swapped_sampled_discrete_gaussian_source_holds :
  source_holds B T (swapped (sampled_discrete_gaussian sigma d rate))
    (swapped_discrete_gaussian_source B g T rn rd n v d first count inf).
Proof.
  change (swapped (sampled_discrete_gaussian sigma d rate)) with (Step integers dens p).
  unfold swapped_discrete_gaussian_source. apply source_permuted; [apply Permutation_rev|].
  apply integer_source_holds with (k := (Z.of_nat first - Z.of_nat n)%Z); auto using gaussian_mixture_positive; try lia.
  - intros x. destruct (gaussian_step_nonnegative x). now split.
  - now apply discrete_gaussian_integrates_to_1.
  - apply points_exchanged, pairs_enclosed.
Qed.
End Gaussian_sources.

(** Without sampling. *)
Theorem discrete_gaussian_source_holds B g T n sigma v d first count inf :
  (0 <= B <= T)%Z -> (0 <= g)%Z -> (0 <= d)%Z -> 0 < sigma ->
  encloses T v (exp (- (/ (2 * sigma * sigma)))) ->
  source_holds B T (discrete_gaussian sigma d) (discrete_gaussian_source B g T 1 1 n v d first count inf).
Proof.
  intros H1 H2 H0 H3 H4. assert (R : (0 <= 1 <= 1)%Z /\ (0 < 1)%Z) by lia.
  pose proof (sampled_discrete_gaussian_source_holds B g T 1 1 n sigma v d first count inf H1 H2 R H0 H3 H4) as H. revert H.
  apply source_same; intros x; [apply always_mixed | reflexivity].
Qed.
Theorem swapped_discrete_gaussian_source_holds B g T n sigma v d first count inf :
  (0 <= B <= T)%Z -> (0 <= g)%Z -> (0 <= d)%Z -> 0 < sigma ->
  encloses T v (exp (- (/ (2 * sigma * sigma)))) ->
  source_holds B T (swapped (discrete_gaussian sigma d))
    (swapped_discrete_gaussian_source B g T 1 1 n v d first count inf).
Proof.
  intros H1 H2 H0 H3 H4. assert (R : (0 <= 1 <= 1)%Z /\ (0 < 1)%Z) by lia.
  pose proof (swapped_sampled_discrete_gaussian_source_holds B g T 1 1 n sigma v d first count inf H1 H2 R H0 H3 H4) as H. revert H.
  apply source_same; intros x; [reflexivity | apply always_mixed].
Qed.
