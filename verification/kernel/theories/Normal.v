(** The normal density on a grid k / den: enclosures of its values and of its integrals over the cells of
    the grid, by recurrences in integers. On a cell the density is its value at the left end times
    exp(-beta (k s + s^2 / 2)), beta = 1 / (den sigma)^2, 0 <= s <= 1, and the exponential function is
    between its Taylor polynomials of degrees 5 and 6 to the left of 0. *)
From Coq Require Import Reals ZArith List Lia Lra Psatz.
From Coquelicot Require Import Coquelicot.
From Plaudit Require Import Privacy Outputs Laws Line Kronecker Lattice.
Import ListNotations.
Open Scope R_scope.

(** ** The exponential function to the left of 0 *)

Definition taylor5 (u : R) : R := 1 + u + u^2 / 2 + u^3 / 6 + u^4 / 24 + u^5 / 120.
Definition taylor6 (u : R) : R := taylor5 u + u^6 / 720.

Lemma grows (f df : R -> R) : f 0 = 0 -> (forall x, is_derive f x (df x)) -> (forall x, 0 <= x -> 0 <= df x) ->
  forall x, 0 <= x -> 0 <= f x.
Proof.
  intros H0 D P x Hx. destruct (Rle_lt_or_eq_dec _ _ Hx) as [L | <-]; [|lra].
  destruct (MVT_gen f 0 x df) as (c & C1 & C2).
  - intros; apply D.
  - intros y _. apply continuity_pt_filterlim. apply (ex_derive_continuous f). eexists; apply D.
  - rewrite Rmin_left, Rmax_right in C1 by lra. rewrite H0 in C2.
    pose proof (Rmult_le_pos _ _ (P c (proj1 C1)) Hx). lra.
Qed.

Lemma exp_taylor x : 0 <= x -> taylor5 (- x) <= exp (- x) <= taylor6 (- x).
Proof.
  assert (E1 : forall x, 0 <= x -> 0 <= 1 - exp (- x)).
  { apply (grows _ (fun x => exp (- x))).
    - rewrite Ropp_0, exp_0; ring.
    - intros y. auto_derive; auto. ring.
    - intros; left; apply exp_pos. }
  assert (E2 : forall x, 0 <= x -> 0 <= exp (- x) - (1 - x)).
  { apply (grows _ (fun x => 1 - exp (- x))); auto.
    - rewrite Ropp_0, exp_0; ring.
    - intros y. auto_derive; auto. ring. }
  assert (E3 : forall x, 0 <= x -> 0 <= (1 - x + x^2 / 2) - exp (- x)).
  { apply (grows _ (fun x => exp (- x) - (1 - x))); auto.
    - rewrite Ropp_0, exp_0; field.
    - intros y. auto_derive; auto. field. }
  assert (E4 : forall x, 0 <= x -> 0 <= exp (- x) - (1 - x + x^2 / 2 - x^3 / 6)).
  { apply (grows _ (fun x => (1 - x + x^2 / 2) - exp (- x))); auto.
    - rewrite Ropp_0, exp_0; field.
    - intros y. auto_derive; auto. field. }
  assert (E5 : forall x, 0 <= x -> 0 <= (1 - x + x^2 / 2 - x^3 / 6 + x^4 / 24) - exp (- x)).
  { apply (grows _ (fun x => exp (- x) - (1 - x + x^2 / 2 - x^3 / 6))); auto.
    - rewrite Ropp_0, exp_0; field.
    - intros y. auto_derive; auto. field. }
  assert (E6 : forall x, 0 <= x -> 0 <= exp (- x) - (1 - x + x^2 / 2 - x^3 / 6 + x^4 / 24 - x^5 / 120)).
  { apply (grows _ (fun x => (1 - x + x^2 / 2 - x^3 / 6 + x^4 / 24) - exp (- x))); auto.
    - rewrite Ropp_0, exp_0; field.
    - intros y. auto_derive; auto. field. }
  assert (E7 : forall x, 0 <= x -> 0 <= (1 - x + x^2 / 2 - x^3 / 6 + x^4 / 24 - x^5 / 120 + x^6 / 720) - exp (- x)).
  { apply (grows _ (fun x => exp (- x) - (1 - x + x^2 / 2 - x^3 / 6 + x^4 / 24 - x^5 / 120))); auto.
    - rewrite Ropp_0, exp_0; field.
    - intros y. auto_derive; auto. field. }
  intros Hx. specialize (E6 x Hx). specialize (E7 x Hx). unfold taylor6, taylor5. split; lra.
Qed.

(** Antiderivatives of the Taylor polynomials at -b (k s + s^2 / 2). *)
Definition inner5 (b k s : R) : R :=
  s - b * (k * s^2 / 2 + s^3 / 6) + b^2 * (k^2 * s^3 / 6 + k * s^4 / 8 + s^5 / 40)
  - b^3 * (k^3 * s^4 / 24 + k^2 * s^5 / 20 + k * s^6 / 48 + s^7 / 336)
  + b^4 * (k^4 * s^5 / 120 + k^3 * s^6 / 72 + k^2 * s^7 / 112 + k * s^8 / 384 + s^9 / 3456)
  - b^5 * (k^5 * s^6 / 720 + k^4 * s^7 / 336 + k^3 * s^8 / 384 + k^2 * s^9 / 864 + k * s^10 / 3840 + s^11 / 42240).
Definition inner6 (b k s : R) : R := inner5 b k s +
  b^6 * (k^6 * s^7 / 5040 + k^5 * s^8 / 1920 + k^4 * s^9 / 1728 + k^3 * s^10 / 2880 + k^2 * s^11 / 8448 +
         k * s^12 / 46080 + s^13 / 599040).

Lemma inner5_derive b k s : is_derive (inner5 b k) s (taylor5 (- (b * (k * s + s * s / 2)))).
Proof. unfold inner5, taylor5. auto_derive; auto. field. Qed.
Lemma inner6_derive b k s : is_derive (inner6 b k) s (taylor6 (- (b * (k * s + s * s / 2)))).
Proof. unfold inner6, inner5, taylor6, taylor5. auto_derive; auto. field. Qed.

(** ** Enclosures in units of 2^-T *)

Section Enclosures.
Variable T : Z.
Hypothesis T_nonnegative : (0 <= T)%Z.
Notation two x := (IZR (2 ^ x)).

Definition encloses (b : Z * Z) (x : R) : Prop := (0 <= fst b)%Z /\ IZR (fst b) <= x * two T <= IZR (snd b).

Definition product_of (a b : Z * Z) : Z * Z := (down T (fst a * fst b), up T (snd a * snd b)).

Lemma two_T : 0 < two T. Proof. now apply two_positive_R. Qed.

Lemma encloses_nonnegative b x : encloses b x -> 0 <= x.
Proof.
  intros (H0 & H1 & _). apply IZR_le in H0. pose proof two_T.
  apply Rmult_le_reg_r with (two T); lra.
Qed.

Lemma product_encloses a b x y : encloses a x -> encloses b y -> encloses (product_of a b) (x * y).
Proof.
  intros Hx Hy. pose proof (encloses_nonnegative _ _ Hx) as Nx. pose proof (encloses_nonnegative _ _ Hy) as Ny.
  destruct Hx as (A0 & A1 & A2). destruct Hy as (B0 & B1 & B2). pose proof two_T as H.
  split; [|split]; cbn [product_of fst snd].
  - apply down_nonnegative. nia.
  - apply Rmult_le_reg_r with (two T); auto. rewrite <- mult_IZR.
    apply Rle_trans with (IZR (fst a * fst b)); [apply IZR_le, down_below; auto|]. rewrite mult_IZR.
    replace (x * y * two T * two T) with ((x * two T) * (y * two T)) by ring.
    apply Rmult_le_compat; auto; now apply IZR_le.
  - apply Rmult_le_reg_r with (two T); auto. rewrite <- (mult_IZR (up T _)).
    apply Rle_trans with (IZR (snd a * snd b)); [|apply IZR_le, up_above; auto]. rewrite mult_IZR.
    replace (x * y * two T * two T) with ((x * two T) * (y * two T)) by ring.
    apply Rmult_le_compat; auto; apply Rmult_le_pos; lra.
Qed.

(** A geometric sequence. *)
Fixpoint geometric (n : nat) (v step : Z * Z) : list (Z * Z) :=
  match n with O => nil | S n => v :: geometric n (product_of v step) step end.

Lemma geometric_encloses q step : encloses step q -> forall n v x, encloses v x ->
  forall i, (i < n)%nat -> encloses (nth i (geometric n v step) (0, 0)%Z) (x * q ^ i).
Proof.
  intros Hq; induction n as [|n IH]; intros v x Hv i Hi; [lia|]. destruct i as [|i]; simpl.
  - now rewrite Rmult_1_r.
  - replace (x * (q * q ^ i)) with (x * q * q ^ i) by ring. apply IH; [|lia]. now apply product_encloses.
Qed.

Lemma geometric_length n step : forall v, length (geometric n v step) = n.
Proof. induction n; simpl; auto. Qed.

(** ** The coefficients of the inner integrals, as polynomials in k *)

(** A term (negative?, i, d) is +- beta^i / d. *)
Variables bn bd : Z.
Hypothesis beta_positive : (0 < bn)%Z /\ (0 < bd)%Z.
Definition beta : R := IZR bn / IZR bd.
Definition term := (bool * nat * Z)%type.
Definition term_value (t : term) : R :=
  let '(negative, i, d) := t in (if negative then -1 else 1) * beta ^ i / IZR d.
Definition term_floor (t : term) : Z :=
  let '(negative, i, d) := t in
  let q := (bn ^ Z.of_nat i * 2 ^ T / (bd ^ Z.of_nat i * d))%Z in
  if negative then (- q - 1)%Z else q.
Definition coefficients := list (list term).
Definition coefficient_value (c : list term) : R := fold_right (fun t s => term_value t + s) 0 c.
Definition coefficient_floor (c : list term) : Z := fold_right (fun t s => (term_floor t + s)%Z) 0%Z c.
Definition coefficient_ceiling (c : list term) : Z := fold_right (fun t s => (term_floor t + 1 + s)%Z) 0%Z c.

Definition table5 : coefficients :=
  [[(false, 0%nat, 1); (true, 1%nat, 6); (false, 2%nat, 40); (true, 3%nat, 336); (false, 4%nat, 3456); (true, 5%nat, 42240)];
   [(true, 1%nat, 2); (false, 2%nat, 8); (true, 3%nat, 48); (false, 4%nat, 384); (true, 5%nat, 3840)];
   [(false, 2%nat, 6); (true, 3%nat, 20); (false, 4%nat, 112); (true, 5%nat, 864)];
   [(true, 3%nat, 24); (false, 4%nat, 72); (true, 5%nat, 384)];
   [(false, 4%nat, 120); (true, 5%nat, 336)];
   [(true, 5%nat, 720)]]%Z.
Definition table6 : coefficients :=
  [[(false, 0%nat, 1); (true, 1%nat, 6); (false, 2%nat, 40); (true, 3%nat, 336); (false, 4%nat, 3456); (true, 5%nat, 42240); (false, 6%nat, 599040)];
   [(true, 1%nat, 2); (false, 2%nat, 8); (true, 3%nat, 48); (false, 4%nat, 384); (true, 5%nat, 3840); (false, 6%nat, 46080)];
   [(false, 2%nat, 6); (true, 3%nat, 20); (false, 4%nat, 112); (true, 5%nat, 864); (false, 6%nat, 8448)];
   [(true, 3%nat, 24); (false, 4%nat, 72); (true, 5%nat, 384); (false, 6%nat, 2880)];
   [(false, 4%nat, 120); (true, 5%nat, 336); (false, 6%nat, 1728)];
   [(true, 5%nat, 720); (false, 6%nat, 1920)];
   [(false, 6%nat, 5040)]]%Z.

Lemma term_bounds t : (0 < snd t)%Z -> IZR (term_floor t) <= term_value t * two T <= IZR (term_floor t + 1).
Proof.
  destruct t as [[negative i] d]. simpl. intros Hd. destruct beta_positive as [Bn Bd].
  set (num := (bn ^ Z.of_nat i * 2 ^ T)%Z). set (den := (bd ^ Z.of_nat i * d)%Z).
  assert (Pden : (0 < den)%Z) by (unfold den; apply Z.mul_pos_pos; auto; apply Z.pow_pos_nonneg; lia).
  assert (E : beta ^ i / IZR d * two T = IZR num / IZR den).
  { unfold num, den, beta. rewrite !mult_IZR, <- !pow_IZR. unfold Rdiv. rewrite Rpow_mult_distr.
    rewrite <- (Rinv_pow (IZR bd)) by (apply IZR_neq; lia).
    field. split; [apply IZR_neq; lia|]. apply pow_nonzero, IZR_neq; lia. }
  assert (Q : IZR (num / den) <= IZR num / IZR den <= IZR (num / den + 1)).
  { apply IZR_lt in Pden as Pden'. split.
    - apply Rmult_le_reg_r with (IZR den); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
      rewrite <- mult_IZR. apply IZR_le. pose proof (Z.mul_div_le num den Pden). lia.
    - apply Rmult_le_reg_r with (IZR den); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
      rewrite <- mult_IZR. apply IZR_le. pose proof (Z_div_mod_eq_full num den).
      pose proof (Z.mod_pos_bound num den Pden). nia. }
  rewrite plus_IZR in Q |- *. destruct negative.
  - replace (-1 * beta ^ i / IZR d * two T) with (- (beta ^ i / IZR d * two T)) by (unfold Rdiv; ring).
    rewrite E, minus_IZR, opp_IZR. lra.
  - replace (1 * beta ^ i / IZR d * two T) with (beta ^ i / IZR d * two T) by (unfold Rdiv; ring).
    rewrite E. lra.
Qed.

Lemma coefficient_bounds c : List.Forall (fun t : term => (0 < snd t)%Z) c ->
  IZR (coefficient_floor c) <= coefficient_value c * two T <= IZR (coefficient_ceiling c).
Proof.
  induction 1 as [|t c Ht H IH]; simpl; [lra|]. destruct (term_bounds t Ht) as [B1 B2].
  rewrite !plus_IZR. rewrite plus_IZR in B2. lra.
Qed.

Fixpoint horner (c : list Z) (k : Z) : Z := match c with nil => 0 | a :: c => (a + k * horner c k)%Z end.
Fixpoint horner_value (c : coefficients) (k : R) : R :=
  match c with nil => 0 | a :: c => coefficient_value a + k * horner_value c k end.

Lemma horner_bounds k : (0 <= k)%Z -> forall c, List.Forall (List.Forall (fun t : term => (0 < snd t)%Z)) c ->
  IZR (horner (map coefficient_floor c) k) <= horner_value c (IZR k) * two T <= IZR (horner (map coefficient_ceiling c) k).
Proof.
  intros Hk; induction 1 as [|a c Ha H IH]; simpl; [lra|]. destruct (coefficient_bounds a Ha) as [B1 B2].
  apply IZR_le in Hk. rewrite !plus_IZR, !mult_IZR.
  pose proof (Rmult_le_compat_l _ _ _ Hk (proj1 IH)). pose proof (Rmult_le_compat_l _ _ _ Hk (proj2 IH)). lra.
Qed.

Lemma table5_value k : horner_value table5 k = inner5 beta k 1.
Proof. unfold table5, inner5. cbn [horner_value coefficient_value fold_right term_value]. field. Qed.
Lemma table6_value k : horner_value table6 k = inner6 beta k 1.
Proof. unfold table6, inner6, inner5. cbn [horner_value coefficient_value fold_right term_value]. field. Qed.

(** ** Integrals over the cells of the grid *)

Variables (sigma : R) (den : Z).
Hypothesis sigma_positive : 0 < sigma.
Hypothesis den_positive : (0 < den)%Z.
Hypothesis beta_is : beta = / (IZR den * sigma * (IZR den * sigma)).

Definition at_grid (k : Z) : R := normal sigma (IZR k / IZR den).
Definition cell_mass (k : Z) : R := RInt (normal sigma) (IZR k / IZR den) (IZR (k + 1) / IZR den).

Lemma den_R : 0 < IZR den. Proof. now apply IZR_lt. Qed.

Lemma normal_scale_positive : 0 < sigma * sqrt (2 * PI).
Proof. apply Rmult_lt_0_compat; auto. apply sqrt_lt_R0. pose proof PI_RGT_0; lra. Qed.

Lemma normal_positive x : 0 < normal sigma x.
Proof. unfold normal, Rdiv. apply Rmult_lt_0_compat; [apply exp_pos|]. apply Rinv_0_lt_compat, normal_scale_positive. Qed.

Lemma normal_continuous x : continuous (normal sigma) x.
Proof.
  apply (ex_derive_continuous (normal sigma)). unfold normal. pose proof normal_scale_positive.
  auto_derive. repeat split; auto; nra || (apply Rgt_not_eq; nra).
Qed.

Lemma normal_integrable a b : ex_RInt (normal sigma) a b.
Proof. apply (ex_RInt_continuous (normal sigma)). intros; apply normal_continuous. Qed.

Lemma normal_even x : normal sigma (- x) = normal sigma x.
Proof. unfold normal. do 3 f_equal. ring. Qed.

Lemma normal_shifted k s : normal sigma ((IZR k + s) / IZR den) = at_grid k * exp (- (beta * (IZR k * s + s * s / 2))).
Proof.
  unfold at_grid, normal. pose proof den_R. pose proof normal_scale_positive.
  assert (E : forall a b c, exp a / c * exp b = exp (a + b) / c).
  { intros a b c. rewrite exp_plus. unfold Rdiv. ring. }
  rewrite E. do 2 f_equal. rewrite beta_is. field. lra.
Qed.

Lemma cell_mass_integral k : is_RInt (fun s => / IZR den * (at_grid k * exp (- (beta * (IZR k * s + s * s / 2))))) 0 1 (cell_mass k).
Proof.
  pose proof den_R as Hd.
  pose proof (is_RInt_comp_lin (V := R_NormedModule) (normal sigma) (/ IZR den) (IZR k / IZR den) 0 1 (cell_mass k)) as H.
  replace (/ IZR den * 0 + IZR k / IZR den) with (IZR k / IZR den) in H by (field; lra).
  replace (/ IZR den * 1 + IZR k / IZR den) with (IZR (k + 1) / IZR den) in H by (rewrite plus_IZR; field; lra).
  specialize (H (RInt_correct _ _ _ (normal_integrable _ _))).
  apply (is_RInt_ext (V := R_NormedModule)) with (2 := H). intros s _. unfold scal; simpl. unfold mult; simpl.
  f_equal. rewrite <- normal_shifted. f_equal. field. lra.
Qed.

Lemma is_RInt_monotone (f g : R -> R) a b u v : a <= b -> is_RInt f a b u -> is_RInt g a b v ->
  (forall x, a < x < b -> f x <= g x) -> u <= v.
Proof.
  intros H Hf Hg L. rewrite <- (is_RInt_unique _ _ _ _ Hf), <- (is_RInt_unique _ _ _ _ Hg).
  apply RInt_le; auto; [now exists u | now exists v].
Qed.

Theorem cell_mass_bounds k : (0 <= k)%Z ->
  at_grid k * inner5 beta (IZR k) 1 / IZR den <= cell_mass k <= at_grid k * inner6 beta (IZR k) 1 / IZR den.
Proof.
  intros Hk. apply IZR_le in Hk. pose proof den_R as Hd. pose proof (normal_positive (IZR k / IZR den)) as Hn.
  fold (at_grid k) in Hn. pose proof (Rinv_0_lt_compat _ Hd) as Hi.
  assert (Bp : 0 <= beta).
  { rewrite beta_is. left. apply Rinv_0_lt_compat. apply Rmult_lt_0_compat; now apply Rmult_lt_0_compat. }
  assert (P : forall s, 0 < s < 1 -> 0 <= beta * (IZR k * s + s * s / 2)).
  { intros s Hs. apply Rmult_le_pos; auto. assert (0 <= IZR k * s) by (apply Rmult_le_pos; lra). nra. }
  assert (I : forall F f : R -> R, F 0 = 0 -> (forall s, is_derive F s (f s)) -> (forall s, continuous f s) ->
    is_RInt (fun s => / IZR den * (at_grid k * f s)) 0 1 (at_grid k * F 1 / IZR den)).
  { intros F f F0 D C. replace (at_grid k * F 1 / IZR den) with (/ IZR den * (at_grid k * (F 1 - F 0)))
      by (rewrite F0; unfold Rdiv; ring).
    apply (is_RInt_scal (V := R_NormedModule)). apply (is_RInt_scal (V := R_NormedModule)).
    apply (is_RInt_derive (V := R_CompleteNormedModule) F f); intros; auto. }
  set (t5 := fun s => taylor5 (- (beta * (IZR k * s + s * s / 2)))).
  set (t6 := fun s => taylor6 (- (beta * (IZR k * s + s * s / 2)))).
  assert (I5 := I (inner5 beta (IZR k)) t5).
  assert (I6 := I (inner6 beta (IZR k)) t6). clear I. split.
  - refine (is_RInt_monotone _ _ 0 1 _ _ Rle_0_1 (I5 _ _ _) (cell_mass_integral k) _).
    + unfold inner5; field.
    + intros s. apply inner5_derive.
    + intros s. apply (ex_derive_continuous t5). unfold t5, taylor5. auto_derive. auto.
    + intros s Hs. apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; [lra|].
      now apply exp_taylor, P.
  - refine (is_RInt_monotone _ _ 0 1 _ _ Rle_0_1 (cell_mass_integral k) (I6 _ _ _) _).
    + unfold inner6, inner5; field.
    + intros s. apply inner6_derive.
    + intros s. apply (ex_derive_continuous t6). unfold t6, taylor6, taylor5. auto_derive. auto.
    + intros s Hs. apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; [lra|].
      now apply exp_taylor, P.
Qed.

Lemma cell_mass_mirrored k : cell_mass (- k - 1) = cell_mass k.
Proof.
  unfold cell_mass. pose proof den_R as Hd.
  replace (IZR (- k - 1) / IZR den) with (- (IZR (k + 1) / IZR den)) by (rewrite minus_IZR, plus_IZR, opp_IZR; field; lra).
  replace (IZR (- k - 1 + 1) / IZR den) with (- (IZR k / IZR den))
    by (replace (- k - 1 + 1)%Z with (- k)%Z by lia; rewrite opp_IZR; field; lra).
  pose proof (is_RInt_comp_opp (V := R_NormedModule) (normal sigma) (- (IZR k / IZR den)) (- (IZR (k + 1) / IZR den))
    (RInt (normal sigma) (IZR k / IZR den) (IZR (k + 1) / IZR den))) as H.
  rewrite !Ropp_involutive in H. specialize (H (RInt_correct _ _ _ (normal_integrable _ _))).
  apply is_RInt_swap in H. apply is_RInt_unique.
  apply is_RInt_opp in H. unfold opp in H; simpl in H. rewrite Ropp_involutive in H.
  apply (is_RInt_ext (V := R_NormedModule)) with (2 := H). intros x _. rewrite normal_even. unfold opp; simpl. ring.
Qed.

(** The table of the density at 0, 1, 2, ... and of the masses of the cells from there: from enclosures of
    the density at 0, of exp(-beta/2) and of exp(-beta). *)
Fixpoint densities (n : nat) (v g h : Z * Z) : list (Z * Z) :=
  match n with O => nil | S n => v :: densities n (product_of v g) (product_of g h) h end.

Lemma densities_enclose h : encloses h (exp (- beta)) -> forall n k v g,
  encloses v (at_grid k) -> encloses g (exp (- (beta * (IZR k + / 2)))) ->
  forall i, (i < n)%nat -> encloses (nth i (densities n v g h) (0, 0)%Z) (at_grid (k + Z.of_nat i)).
Proof.
  intros Hh; induction n as [|n IH]; intros k v g Hv Hg i Hi; [lia|]. destruct i as [|i].
  - simpl. now rewrite Z.add_0_r.
  - cbn [densities nth]. replace (k + Z.of_nat (S i))%Z with ((k + 1) + Z.of_nat i)%Z by lia. apply IH; [| |lia].
    + replace (at_grid (k + 1)) with (at_grid k * exp (- (beta * (IZR k + / 2)))); [now apply product_encloses|].
      unfold at_grid at 2. rewrite plus_IZR. rewrite normal_shifted. do 3 f_equal. field.
    + replace (exp (- (beta * (IZR (k + 1) + / 2)))) with (exp (- (beta * (IZR k + / 2))) * exp (- beta)).
      * now apply product_encloses.
      * rewrite <- exp_plus, plus_IZR. f_equal. ring.
Qed.

Definition mass_of (low high : list Z) (k : Z) (v : Z * Z) : Z * Z :=
  (down T (fst v * Z.max 0 (horner low k)) / den, - ((- up T (snd v * horner high k)) / den))%Z.
Fixpoint masses_from (low high : list Z) (k : Z) (vs : list (Z * Z)) : list (Z * Z) :=
  match vs with nil => nil | v :: vs => mass_of low high k v :: masses_from low high (k + 1) vs end.
Definition masses (vs : list (Z * Z)) : list (Z * Z) :=
  masses_from (map coefficient_floor table5) (map coefficient_ceiling table6) 0 vs.

Lemma mass_of_encloses k v : (0 <= k)%Z -> encloses v (at_grid k) ->
  encloses (mass_of (map coefficient_floor table5) (map coefficient_ceiling table6) k v) (cell_mass k).
Proof.
  intros Hk (V0 & V1 & V2). pose proof two_T as HT. pose proof den_R as Hd.
  destruct (cell_mass_bounds k Hk) as [M1 M2].
  destruct (horner_bounds k Hk table5) as [L _]; [repeat constructor|].
  destruct (horner_bounds k Hk table6) as [_ H]; [repeat constructor|].
  rewrite table5_value in L. rewrite table6_value in H.
  set (low := horner (map coefficient_floor table5) k) in *. set (high := horner (map coefficient_ceiling table6) k) in *.
  pose proof (normal_positive (IZR k / IZR den)) as Hn. fold (at_grid k) in Hn.
  split; [|split]; unfold mass_of; cbn [fst snd]; fold low; fold high.
  - apply Z.div_pos; auto. apply down_nonnegative. nia.
  - (* below *)
    set (m := down T (fst v * Z.max 0 low)).
    assert (A : IZR (m / den) * IZR den <= IZR m).
    { rewrite <- mult_IZR. apply IZR_le. pose proof (Z.mul_div_le m den den_positive). lia. }
    assert (C : IZR m * two T <= IZR (fst v) * IZR (Z.max 0 low)).
    { rewrite <- !mult_IZR. apply IZR_le. unfold m. apply down_below; auto. }
    destruct (Z.max_spec 0 low) as [[Hl E] | [Hl E]]; rewrite E in C.
    + assert (G : IZR (fst v) * IZR low <= at_grid k * two T * (inner5 beta (IZR k) 1 * two T)).
      { apply Rmult_le_compat; auto; apply IZR_le; lia. }
      apply Rmult_le_reg_r with (IZR den * two T); [now apply Rmult_lt_0_compat|].
      apply (Rmult_le_compat_r (two T)) in A; [|lra].
      apply (Rmult_le_compat_r (IZR den * two T * two T)) in M1;
        [|repeat apply Rmult_le_pos; lra].
      replace (at_grid k * inner5 beta (IZR k) 1 / IZR den * (IZR den * two T * two T))
        with (at_grid k * two T * (inner5 beta (IZR k) 1 * two T)) in M1 by (field; lra). lra.
    + rewrite Rmult_0_r in C.
      assert (M0 : 0 <= cell_mass k).
      { apply (is_RInt_monotone (fun _ => 0) (normal sigma) (IZR k / IZR den) (IZR (k + 1) / IZR den)).
        - unfold Rdiv. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|]. apply IZR_le; lia.
        - pose proof (is_RInt_const (V := R_NormedModule) (IZR k / IZR den) (IZR (k + 1) / IZR den) 0) as Z.
          unfold scal in Z; simpl in Z. unfold mult in Z; simpl in Z. now rewrite Rmult_0_r in Z.
        - apply (RInt_correct _ _ _ (normal_integrable _ _)).
        - intros x _. left; apply normal_positive. }
      assert (IZR (m / den) <= 0).
      { apply Rmult_le_reg_r with (IZR den * two T); [now apply Rmult_lt_0_compat|].
        apply (Rmult_le_compat_r (two T)) in A; [|lra]. lra. }
      pose proof (Rmult_le_pos _ _ M0 (Rlt_le _ _ HT)). lra.
  - (* above *)
    set (m := up T (snd v * high)).
    assert (A : IZR m <= IZR (- (- m / den)) * IZR den).
    { rewrite <- mult_IZR. apply IZR_le. pose proof (Z.mul_div_le (- m) den den_positive). lia. }
    assert (C : IZR (snd v) * IZR high <= IZR m * two T).
    { rewrite <- !mult_IZR. apply IZR_le. unfold m. apply up_above; auto. }
    assert (J0 : 0 <= inner6 beta (IZR k) 1).
    { apply Rmult_le_reg_l with (at_grid k / IZR den).
      - unfold Rdiv. apply Rmult_lt_0_compat; auto. now apply Rinv_0_lt_compat.
      - rewrite Rmult_0_r. replace (at_grid k / IZR den * inner6 beta (IZR k) 1)
          with (at_grid k * inner6 beta (IZR k) 1 / IZR den) by (unfold Rdiv; ring).
        apply Rle_trans with (2 := M2).
        apply (is_RInt_monotone (fun _ => 0) (normal sigma) (IZR k / IZR den) (IZR (k + 1) / IZR den)).
        + unfold Rdiv. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|]. apply IZR_le; lia.
        + pose proof (is_RInt_const (V := R_NormedModule) (IZR k / IZR den) (IZR (k + 1) / IZR den) 0) as Z.
          unfold scal in Z; simpl in Z. unfold mult in Z; simpl in Z. now rewrite Rmult_0_r in Z.
        + apply (RInt_correct _ _ _ (normal_integrable _ _)).
        + intros x _. left; apply normal_positive. }
    assert (G : at_grid k * two T * (inner6 beta (IZR k) 1 * two T) <= IZR (snd v) * IZR high).
    { apply Rmult_le_compat; auto; apply Rmult_le_pos; lra. }
    apply Rmult_le_reg_r with (IZR den * two T); [now apply Rmult_lt_0_compat|].
    apply (Rmult_le_compat_r (two T)) in A; [|lra].
    apply (Rmult_le_compat_r (IZR den * two T * two T)) in M2; [|repeat apply Rmult_le_pos; lra].
    replace (at_grid k * inner6 beta (IZR k) 1 / IZR den * (IZR den * two T * two T))
      with (at_grid k * two T * (inner6 beta (IZR k) 1 * two T)) in M2 by (field; lra). lra.
Qed.

Lemma masses_from_enclose vs : forall k, (0 <= k)%Z ->
  (forall i, (i < length vs)%nat -> encloses (nth i vs (0, 0)%Z) (at_grid (k + Z.of_nat i))) ->
  forall i, (i < length vs)%nat -> encloses
    (nth i (masses_from (map coefficient_floor table5) (map coefficient_ceiling table6) k vs) (0, 0)%Z)
    (cell_mass (k + Z.of_nat i)).
Proof.
  induction vs as [|v vs IH]; intros k Hk H i Hi; [simpl in Hi; lia|]. destruct i as [|i].
  - cbn [masses_from nth]. rewrite Z.add_0_r. apply mass_of_encloses; auto.
    specialize (H 0%nat ltac:(simpl; lia)). simpl in H. now rewrite Z.add_0_r in H.
  - cbn [masses_from nth]. replace (k + Z.of_nat (S i))%Z with ((k + 1) + Z.of_nat i)%Z by lia.
    apply IH; [lia| |simpl in Hi; lia]. intros j Hj. specialize (H (S j) ltac:(simpl; lia)). simpl nth in H.
    replace (k + 1 + Z.of_nat j)%Z with (k + Z.of_nat (S j))%Z by lia. exact H.
Qed.

Lemma densities_length n h : forall v g, length (densities n v g h) = n.
Proof. induction n; simpl; auto. Qed.

(** The table, mirrored. *)
Definition mass_at (table : list (Z * Z)) (k : Z) : Z * Z :=
  nth (Z.to_nat (if (0 <=? k)%Z then k else - k - 1)%Z) table (0, 0)%Z.

Theorem mass_at_encloses n v g h k : encloses v (at_grid 0) -> encloses g (exp (- (beta / 2))) ->
  encloses h (exp (- beta)) -> (- Z.of_nat n <= k < Z.of_nat n)%Z ->
  encloses (mass_at (masses (densities n v g h)) k) (cell_mass k).
Proof.
  intros Hv Hg Hh Hk.
  assert (Hg' : encloses g (exp (- (beta * (IZR 0 + / 2))))).
  { replace (beta * (IZR 0 + / 2)) with (beta / 2) by (unfold Rdiv; simpl; ring). exact Hg. }
  assert (A : forall i, (i < n)%nat -> encloses (nth i (masses (densities n v g h)) (0, 0)%Z) (cell_mass (Z.of_nat i))).
  { intros i Hi. replace (Z.of_nat i) with (0 + Z.of_nat i)%Z by lia. apply masses_from_enclose; rewrite ?densities_length; try lia.
    intros j Hj. now apply densities_enclose. }
  unfold mass_at. destruct (0 <=? k)%Z eqn:E.
  - apply Z.leb_le in E. specialize (A (Z.to_nat k) ltac:(lia)). rewrite Z2Nat.id in A by lia. exact A.
  - apply Z.leb_gt in E. rewrite <- cell_mass_mirrored.
    specialize (A (Z.to_nat (- k - 1)) ltac:(lia)). rewrite Z2Nat.id in A by lia. exact A.
Qed.

End Enclosures.
