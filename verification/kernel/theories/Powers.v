(** Powers and products of lattice laws, by a program of products and widenings that is chosen
    elsewhere: whatever the program, its result is a bound. A law has a fine part, where its losses
    are many, a coarse part, whose lattice is 2^levels times as wide, for its rare great losses, and a
    weight at infinity. *)
From Coq Require Import Reals ZArith List Lia Lra Bool.
From Plaudit Require Import Curve Kronecker Lattice.
Import ListNotations.
Open Scope R_scope.

Section Powers.
(** rho = 1 - 2^-e; weights in units of 2^-B; powers of rho in units of 2^-D. *)
Variables e B D : Z.
Hypothesis e_positive : (1 <= e)%Z.
Hypothesis B_nonnegative : (0 <= B)%Z.
Hypothesis D_nonnegative : (0 <= D)%Z.

Definition rho : R := 1 - / IZR (2 ^ e).
Definition unit : R := / IZR (2 ^ B).
Definition Y (o : Z) : R := powerRZ rho o.

Lemma rho_bounds : / 2 <= rho < 1.
Proof.
  assert (E : (2 <= 2 ^ e)%Z) by (change 2%Z with (2 ^ 1)%Z at 1; apply Z.pow_le_mono_r; lia).
  apply IZR_le in E. assert (/ IZR (2 ^ e) <= / 2) by (apply Rinv_le_contravar; lra).
  assert (0 < / IZR (2 ^ e)) by (apply Rinv_0_lt_compat; lra). unfold rho. lra.
Qed.
Lemma rho_power_bounds n : 0 < rho ^ n <= 1.
Proof.
  pose proof rho_bounds. split; [apply pow_lt; lra|]. rewrite <- (pow1 n). apply pow_incr; lra.
Qed.
Lemma rho_power_range n : 0 <= rho ^ n <= 1.
Proof. pose proof (rho_power_bounds n); lra. Qed.
Lemma rho_power_less n : (0 < n)%nat -> rho ^ n < 1.
Proof.
  destruct n as [|n]; [lia|]. intros _. pose proof rho_bounds as R. pose proof (rho_power_bounds n) as P.
  simpl. assert (rho * rho ^ n <= rho * 1) by (apply Rmult_le_compat_l; lra). lra.
Qed.
Lemma unit_positive : 0 < unit.
Proof. apply Rinv_0_lt_compat, two_positive_R; auto. Qed.
Lemma unit_squared : unit * unit * IZR (2 ^ B) = unit.
Proof. unfold unit. field. apply not_eq_sym, Rlt_not_eq, two_positive_R; auto. Qed.
Lemma Y_positive o : 0 <= Y o.
Proof. left. apply powerRZ_lt. pose proof rho_bounds; lra. Qed.
Lemma Y_add o k : Y (o + k) = Y o * Y k.
Proof. apply powerRZ_add. pose proof rho_bounds; lra. Qed.
Lemma Y_nat n : Y (Z.of_nat n) = rho ^ n.
Proof. unfold Y. now rewrite <- pow_powerRZ. Qed.
Lemma Y_steps o g n : Y (o + Z.of_nat n * Z.of_nat g) = Y o * (rho ^ g) ^ n.
Proof. rewrite Y_add, <- Nat2Z.inj_mul, Y_nat, Nat.mul_comm, pow_mult. reflexivity. Qed.

(** Below and above x rho^n: step by step for a few steps, else by powers of rho in units of 2^-D. *)
Fixpoint low_steps (n : nat) (x : Z) : Z :=
  match n with O => x | S n => low_steps n (x - up e x)%Z end.
Fixpoint high_steps (n : nat) (x : Z) : Z :=
  match n with O => x | S n => high_steps n (x - down e x)%Z end.
Fixpoint low_of (n : positive) : Z :=
  match n with
  | xH => low_steps 1 (2 ^ D)
  | xO n => let z := low_of n in down D (z * z)
  | xI n => let z := low_of n in low_steps 1 (down D (z * z))
  end.
Fixpoint high_of (n : positive) : Z :=
  match n with
  | xH => high_steps 1 (2 ^ D)
  | xO n => let z := high_of n in up D (z * z)
  | xI n => let z := high_of n in high_steps 1 (up D (z * z))
  end.
Definition few : nat := 16.
Definition low_power (n : nat) : Z -> Z :=
  if Nat.leb n few then low_steps n else let r := low_of (Pos.of_nat n) in fun x => down D (x * r).
Definition high_power (n : nat) : Z -> Z :=
  if Nat.leb n few then high_steps n else let r := high_of (Pos.of_nat n) in fun x => up D (x * r).

Lemma rho_times x : IZR x * rho = IZR x - IZR x * / IZR (2 ^ e).
Proof. unfold rho. ring. Qed.
Lemma two_e : 0 < IZR (2 ^ e).
Proof. apply two_positive_R; lia. Qed.

Lemma low_steps_spec n : forall x, (0 <= x)%Z -> (0 <= low_steps n x)%Z /\ IZR (low_steps n x) <= IZR x * rho ^ n.
Proof.
  induction n as [|n IH]; intros x Hx; simpl; [split; auto; lra|].
  assert (e0 : (0 <= e)%Z) by lia.
  pose proof (up_at_most e e0 x Hx) as U. destruct (IH (x - up e x)%Z ltac:(lia)) as [I1 I2]. split; auto.
  apply Rle_trans with (1 := I2). rewrite <- Rmult_assoc. apply Rmult_le_compat_r.
  { pose proof (rho_power_bounds n); lra. }
  rewrite minus_IZR, rho_times. pose proof (IZR_le _ _ (up_above e e0 x)) as A. rewrite mult_IZR in A.
  assert (IZR x * / IZR (2 ^ e) <= IZR (up e x)); [|lra].
  pose proof two_e. apply Rmult_le_reg_r with (IZR (2 ^ e)); auto. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

Lemma down_at_most x : (0 <= x)%Z -> (down e x <= x)%Z.
Proof.
  intros. assert (e0 : (0 <= e)%Z) by lia. pose proof (down_below e e0 x). pose proof (two_positive e e0).
  pose proof (down_nonnegative e x H). nia.
Qed.

Lemma high_steps_spec n : forall x, (0 <= x)%Z -> (0 <= high_steps n x)%Z /\ IZR x * rho ^ n <= IZR (high_steps n x).
Proof.
  induction n as [|n IH]; intros x Hx; simpl; [split; auto; lra|].
  assert (e0 : (0 <= e)%Z) by lia. pose proof (down_at_most x Hx) as U.
  destruct (IH (x - down e x)%Z ltac:(lia)) as [I1 I2]. split; auto.
  apply Rle_trans with (2 := I2). rewrite <- Rmult_assoc. apply Rmult_le_compat_r.
  { pose proof (rho_power_bounds n); lra. }
  rewrite minus_IZR, rho_times. pose proof (IZR_le _ _ (down_below e e0 x)) as A. rewrite mult_IZR in A.
  assert (IZR (down e x) <= IZR x * / IZR (2 ^ e)); [|lra].
  pose proof two_e. apply Rmult_le_reg_r with (IZR (2 ^ e)); auto.
  rewrite (Rmult_assoc _ (/ _)), Rinv_l by lra. lra.
Qed.


Lemma low_of_spec n : (0 <= low_of n)%Z /\ IZR (low_of n) <= IZR (2 ^ D) * rho ^ Pos.to_nat n.
Proof.
  pose proof (two_positive_R D D_nonnegative) as T. pose proof (two_positive D D_nonnegative) as T'.
  assert (Sq : forall n z, (0 <= z)%Z -> IZR z <= IZR (2 ^ D) * rho ^ n ->
    (0 <= down D (z * z))%Z /\ IZR (down D (z * z)) <= IZR (2 ^ D) * rho ^ (n + n)).
  { intros k z Hz H. split; [apply down_nonnegative; auto; nia|].
    apply Rmult_le_reg_r with (IZR (2 ^ D)); auto.
    apply Rle_trans with (IZR z * IZR z).
    - rewrite <- !mult_IZR. apply IZR_le, down_below; auto.
    - rewrite pow_add. apply IZR_le in Hz.
      replace (IZR (2 ^ D) * (rho ^ k * rho ^ k) * IZR (2 ^ D)) with ((IZR (2 ^ D) * rho ^ k) * (IZR (2 ^ D) * rho ^ k)) by ring.
      now apply Rmult_le_compat. }
  induction n as [n [I1 I2]|n [I1 I2]|]; cbn [low_of].
  - destruct (Sq _ _ I1 I2) as [S1 S2]. destruct (low_steps_spec 1 _ S1) as [L1 L2]. split; auto.
    apply Rle_trans with (1 := L2). rewrite Pos2Nat.inj_xI. replace (S (2 * Pos.to_nat n)) with (Pos.to_nat n + Pos.to_nat n + 1)%nat by lia.
    rewrite (pow_add rho (_ + _) 1), <- Rmult_assoc. apply Rmult_le_compat_r; auto. apply rho_power_range.
  - rewrite Pos2Nat.inj_xO. replace (2 * Pos.to_nat n)%nat with (Pos.to_nat n + Pos.to_nat n)%nat by lia. now apply Sq.
  - apply low_steps_spec. lia.
Qed.

Lemma high_of_spec n : (0 <= high_of n)%Z /\ IZR (2 ^ D) * rho ^ Pos.to_nat n <= IZR (high_of n).
Proof.
  pose proof (two_positive_R D D_nonnegative) as T. pose proof (two_positive D D_nonnegative) as T'.
  assert (Sq : forall n z, (0 <= z)%Z -> IZR (2 ^ D) * rho ^ n <= IZR z ->
    (0 <= up D (z * z))%Z /\ IZR (2 ^ D) * rho ^ (n + n) <= IZR (up D (z * z))).
  { intros k z Hz H. split; [apply up_nonnegative; auto; nia|].
    apply Rmult_le_reg_r with (IZR (2 ^ D)); auto.
    apply Rle_trans with (IZR z * IZR z).
    - rewrite pow_add. pose proof (rho_power_range k) as R.
      replace (IZR (2 ^ D) * (rho ^ k * rho ^ k) * IZR (2 ^ D)) with ((IZR (2 ^ D) * rho ^ k) * (IZR (2 ^ D) * rho ^ k)) by ring.
      apply Rmult_le_compat; auto; apply Rmult_le_pos; lra.
    - rewrite <- !mult_IZR. apply IZR_le, up_above; auto. }
  induction n as [n [I1 I2]|n [I1 I2]|]; cbn [high_of].
  - destruct (Sq _ _ I1 I2) as [S1 S2]. destruct (high_steps_spec 1 _ S1) as [L1 L2]. split; auto.
    apply Rle_trans with (2 := L2). rewrite Pos2Nat.inj_xI. replace (S (2 * Pos.to_nat n)) with (Pos.to_nat n + Pos.to_nat n + 1)%nat by lia.
    rewrite (pow_add rho (_ + _) 1), <- Rmult_assoc. apply Rmult_le_compat_r; auto. apply rho_power_range.
  - rewrite Pos2Nat.inj_xO. replace (2 * Pos.to_nat n)%nat with (Pos.to_nat n + Pos.to_nat n)%nat by lia. now apply Sq.
  - apply high_steps_spec. lia.
Qed.

Lemma low_power_spec n x : (0 <= x)%Z -> (0 <= low_power n x)%Z /\ IZR (low_power n x) <= IZR x * rho ^ n.
Proof.
  intros Hx. unfold low_power. destruct (Nat.leb n few) eqn:E; [now apply low_steps_spec|].
  apply Nat.leb_gt in E. destruct (low_of_spec (Pos.of_nat n)) as [L1 L2]. rewrite Nat2Pos.id in L2 by (unfold few in E; lia).
  pose proof (two_positive_R D D_nonnegative) as T. split; [apply down_nonnegative; auto; nia|].
  apply Rmult_le_reg_r with (IZR (2 ^ D)); auto. apply Rle_trans with (IZR x * IZR (low_of (Pos.of_nat n))).
  - rewrite <- !mult_IZR. apply IZR_le, down_below; auto.
  - rewrite Rmult_assoc, (Rmult_comm (rho ^ n)). apply Rmult_le_compat_l; auto. now apply IZR_le.
Qed.

Lemma high_power_spec n x : (0 <= x)%Z -> (0 <= high_power n x)%Z /\ IZR x * rho ^ n <= IZR (high_power n x).
Proof.
  intros Hx. unfold high_power. destruct (Nat.leb n few) eqn:E; [now apply high_steps_spec|].
  apply Nat.leb_gt in E. destruct (high_of_spec (Pos.of_nat n)) as [L1 L2]. rewrite Nat2Pos.id in L2 by (unfold few in E; lia).
  pose proof (two_positive_R D D_nonnegative) as T. split; [apply up_nonnegative; auto; nia|].
  apply Rmult_le_reg_r with (IZR (2 ^ D)); auto. apply Rle_trans with (IZR x * IZR (high_of (Pos.of_nat n))).
  - rewrite Rmult_assoc, (Rmult_comm (rho ^ n)). apply Rmult_le_compat_l; auto. now apply IZR_le.
  - rewrite <- !mult_IZR. apply IZR_le, up_above; auto.
Qed.

(** How weights are shared between two places is computed from fewer bits of rho^g. *)
Definition share_bits : Z := Z.min D 32.
Definition low_short (g : nat) : Z := down (D - share_bits) (low_power g (2 ^ D)).

Lemma share_bits_range : (0 <= share_bits <= D)%Z.
Proof. unfold share_bits. lia. Qed.

Lemma low_short_spec g : (0 <= low_short g)%Z /\ IZR (low_short g) <= rho ^ g * IZR (2 ^ share_bits).
Proof.
  pose proof share_bits_range as S. destruct (low_power_spec g (2 ^ D) ltac:(apply Z.pow_nonneg; lia)) as [L1 L2].
  assert (Hk : (0 <= D - share_bits)%Z) by lia. unfold low_short. split; [now apply down_nonnegative|].
  pose proof (IZR_le _ _ (down_below _ Hk (low_power g (2 ^ D)))) as A. rewrite mult_IZR in A.
  pose proof (two_positive_R _ Hk) as T. apply Rmult_le_reg_r with (IZR (2 ^ (D - share_bits))); auto.
  apply Rle_trans with (1 := A), Rle_trans with (1 := L2).
  rewrite Rmult_assoc, <- mult_IZR, <- Z.pow_add_r by lia. replace (share_bits + (D - share_bits))%Z with D by lia.
  rewrite Rmult_comm. apply Rle_refl.
Qed.

(** The same weights on a lattice that is 2^t times as wide. *)
Fixpoint coarser (d : mode) (t g : nat) (c : list Z) : list Z :=
  match t with
  | O => c
  | S t => coarser d t (g + g) (wider share_bits (low_short g) d c)
  end.

Lemma wider_ordered d g s c y : 0 <= s -> 0 < y -> nat_list c ->
  ordered d (lat s (rho ^ g) y c) (lat s (rho ^ (g + g)) y (wider share_bits (low_short g) d c)) /\
  nat_list (wider share_bits (low_short g) d c).
Proof.
  intros Hs Hy H. rewrite pow_add. set (r := rho ^ g). pose proof (rho_power_bounds g) as R.
  destruct (low_short_spec g) as [L1 L2]. fold r in L2, R. pose proof (proj1 share_bits_range) as W0.
  destruct d; unfold wider, ordered, below.
  - assert (K : forall a, 0 <= a -> _) by (intros a Ha; exact (wider_up_below r share_bits (low_short g)
      ltac:(lra) W0 L1 L2 s a Hs Ha (length c) c 0%Z y (Nat.le_refl _) (Rlt_le _ _ Hy) H (Z.le_refl 0))).
    split; [|apply (K 0 (Rle_refl 0))]. intros a Ha. destruct (K a Ha) as [K1 _]. lra.
  - set (z := y / r). assert (Ey : y = z * r) by (unfold z; field; lra).
    assert (Hz : 0 <= z) by (unfold z; apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]).
    assert (K : forall a, 0 <= a -> _) by (intros a Ha; exact (wider_down_above r share_bits (low_short g)
      ltac:(lra) W0 L1 L2 s a Hs Ha (length c) c z (Nat.le_refl _) Hz H)).
    destruct c as [|x c]; [split; [apply below_refl | constructor]|].
    destruct (wider_down share_bits (low_short g) (x :: c)) as [[x' came] out].
    destruct (K 0 (Rle_refl 0)) as [N _].
    inversion_clear N as [|? ? Nx N']. inversion_clear N' as [|? ? Ncame Nout].
    split; [|constructor; auto]. intros a Ha. destruct (K a Ha) as [_ I].
    assert (P0 : 0 <= IZR came * r) by (apply Rmult_le_pos; [now apply IZR_le | lra]).
    specialize (I 0%Z (Z.le_refl 0) P0).
    rewrite <- Ey in I. cbn [lat curve] in I |- *. lra.
Qed.

Lemma coarser_ordered d s y : 0 <= s -> 0 < y -> forall t g c, nat_list c ->
  ordered d (lat s (rho ^ g) y c) (lat s (rho ^ (g * 2 ^ t)) y (coarser d t g c)) /\ nat_list (coarser d t g c).
Proof.
  intros Hs Hy; induction t as [|t IH]; intros g c H; simpl coarser.
  - simpl. rewrite Nat.mul_1_r. split; auto. apply ordered_refl.
  - destruct (wider_ordered d g s c y Hs Hy H) as [W1 W2]. destruct (IH (g + g)%nat _ W2) as [I1 I2].
    split; auto. apply ordered_trans with (1 := W1).
    replace (g * 2 ^ S t)%nat with ((g + g) * 2 ^ t)%nat by (simpl; lia). exact I1.
Qed.

Lemma coarser_nil d t : forall g, coarser d t g nil = nil.
Proof. induction t as [|t IH]; intros g; simpl; auto. destruct d; simpl; apply IH. Qed.

(** The sum of two lists of weights that begin at different places. *)
Definition joined (g : nat) (o1 : Z) (c1 : list Z) (o2 : Z) (c2 : list Z) : option (Z * list Z) :=
  match c1, c2 with
  | nil, _ => Some (o2, c2)
  | _, nil => Some (o1, c1)
  | _, _ =>
    if (o1 <=? o2)%Z then
      let k := Z.to_nat ((o2 - o1) / Z.of_nat g) in
      if (o1 + Z.of_nat k * Z.of_nat g =? o2)%Z then Some (o1, padd c1 (repeat 0%Z k ++ c2)) else None
    else
      let k := Z.to_nat ((o1 - o2) / Z.of_nat g) in
      if (o2 + Z.of_nat k * Z.of_nat g =? o1)%Z then Some (o2, padd (repeat 0%Z k ++ c1) c2) else None
  end.

Lemma lat_shifted s g o k c a :
  curve (lat s (rho ^ g) (Y o) (repeat 0%Z k ++ c)) a = curve (lat s (rho ^ g) (Y (o + Z.of_nat k * Z.of_nat g)) c) a.
Proof. rewrite lat_app, curve_app, lat_zeros, repeat_length, Y_steps. ring. Qed.

Lemma joined_spec g o1 c1 o2 c2 o c : joined g o1 c1 o2 c2 = Some (o, c) -> nat_list c1 -> nat_list c2 ->
  nat_list c /\ forall s a, curve (lat s (rho ^ g) (Y o) c) a =
    curve (lat s (rho ^ g) (Y o1) c1) a + curve (lat s (rho ^ g) (Y o2) c2) a.
Proof.
  unfold joined. destruct c1 as [|x c1].
  { intros E; injection E as <- <-. intros _ H; split; auto. intros; simpl; ring. }
  destruct c2 as [|z c2].
  { intros E; injection E as <- <-. intros H _; split; auto. intros; simpl; ring. }
  remember (x :: c1) as d1 eqn:X1; clear X1. remember (z :: c2) as d2 eqn:X2; clear X2.
  destruct (o1 <=? o2)%Z; [set (k := Z.to_nat ((o2 - o1) / Z.of_nat g)) | set (k := Z.to_nat ((o1 - o2) / Z.of_nat g))].
  - destruct (o1 + Z.of_nat k * Z.of_nat g =? o2)%Z eqn:E; [|discriminate]. apply Z.eqb_eq in E.
    intros X; injection X as <- <-. intros H1 H2. split.
    + apply nat_list_padd; auto. apply Forall_app; split; auto using nat_list_zeros.
    + intros s a. now rewrite lat_padd, lat_shifted, E.
  - destruct (o2 + Z.of_nat k * Z.of_nat g =? o1)%Z eqn:E; [|discriminate]. apply Z.eqb_eq in E.
    intros X; injection X as <- <-. intros H1 H2. split.
    + apply nat_list_padd; auto. apply Forall_app; split; auto using nat_list_zeros.
    + intros s a. now rewrite lat_padd, lat_shifted, E.
Qed.

(** The product of lists, without zeros at its end. *)
Definition trimmed (c : list Z) : list Z :=
  fold_right (fun x l => match l with nil => if (x =? 0)%Z then nil else [x] | _ => x :: l end) nil c.

Lemma trimmed_nth c : forall n, nth0 (trimmed c) n = nth0 c n.
Proof.
  induction c as [|x c IH]; intros n; simpl; auto.
  destruct (trimmed c) as [|z l] eqn:E.
  - destruct (x =? 0)%Z eqn:X.
    + apply Z.eqb_eq in X. subst x. rewrite nth0_nil. destruct n; auto. rewrite <- IH. now rewrite nth0_nil.
    + destruct n; auto. simpl. rewrite <- IH. reflexivity.
  - destruct n; auto. rewrite <- IH. reflexivity.
Qed.

Lemma trimmed_nat_list c : nat_list c -> nat_list (trimmed c).
Proof.
  induction 1 as [|x c Hx H IH]; simpl; [constructor|].
  destruct (trimmed c); [destruct (x =? 0)%Z|]; repeat constructor; auto; inversion_clear IH; auto.
Qed.

Definition convolved (x y : list Z) : option (list Z) := option_map trimmed (multiplied x y).

Lemma convolved_spec x y d : convolved x y = Some d -> nat_list d /\
  forall s r y1 y2 a, curve (conv (lat s r y1 x) (lat s r y2 y)) a = curve (lat (s * s) r (y1 * y2) d) a.
Proof.
  unfold convolved. destruct (multiplied x y) as [c|] eqn:E; [|discriminate].
  intros X; injection X as <-. apply multiplied_spec in E. destruct E as [E1 E2].
  split; [apply trimmed_nat_list, nonneg_spec; auto|].
  intros. rewrite lat_conv. apply lat_nth. intros n. now rewrite trimmed_nth, E2.
Qed.

(** ** Laws *)

Record zlaw := ZLaw {
  stride : nat; levels : nat; off : Z; fine : list Z; off_coarse : Z; coarse : list Z; inf : Z }.
Definition wide (L : zlaw) : nat := stride L * 2 ^ levels L.
Definition fine_law (L : zlaw) : law := lat unit (rho ^ stride L) (Y (off L)) (fine L).
Definition coarse_law (L : zlaw) : law := lat unit (rho ^ wide L) (Y (off_coarse L)) (coarse L).
Definition infinite (w : R) : law := [(w, 0)].
Definition sem (L : zlaw) : law := infinite (IZR (inf L) * unit) ++ fine_law L ++ coarse_law L.
Definition valid (L : zlaw) : Prop := nat_list (fine L) /\ nat_list (coarse L) /\ (0 <= inf L)%Z.

Lemma unit_nonnegative : 0 <= unit. Proof. left; apply unit_positive. Qed.
Lemma nonnegative_fine L : valid L -> nonnegative (fine_law L).
Proof. intros (H & _). apply nonnegative_lat; auto using unit_nonnegative, Y_positive. apply rho_power_range. Qed.
Lemma nonnegative_coarse L : valid L -> nonnegative (coarse_law L).
Proof. intros (_ & H & _). apply nonnegative_lat; auto using unit_nonnegative, Y_positive. apply rho_power_range. Qed.
Lemma nonnegative_infinite w : 0 <= w -> nonnegative (infinite w).
Proof. intros; constructor; [simpl; lra | constructor]. Qed.
Lemma nonnegative_sem L : valid L -> nonnegative (sem L).
Proof.
  intros V. apply nonnegative_app; [|apply nonnegative_app; auto using nonnegative_fine, nonnegative_coarse].
  apply nonnegative_infinite, weight_nonnegative; [apply unit_nonnegative | apply V].
Qed.

Lemma conv_infinite w V a : curve (conv (infinite w) V) a = curve (infinite (w * curve V 0)) a.
Proof. simpl. rewrite app_nil_r, curve_scale, Rmult_0_r, hinge_at_0. ring. Qed.
Lemma infinite_ordered d w v : match d with Up => w <= v | Down => v <= w end -> ordered d (infinite w) (infinite v).
Proof. destruct d; intros H a Ha; simpl; rewrite hinge_at_0; lra. Qed.

Definition mass (L : zlaw) : Z := (zsum (fine L) + zsum (coarse L))%Z.
Lemma total_sem L : curve (sem L) 0 = IZR (mass L + inf L) * unit.
Proof.
  unfold sem, mass. rewrite !curve_app. unfold fine_law, coarse_law. rewrite !lat_total.
  simpl. rewrite hinge_at_0, !plus_IZR. ring.
Qed.
Lemma total_finite L : curve (fine_law L ++ coarse_law L) 0 = IZR (mass L) * unit.
Proof. unfold mass. rewrite curve_app. unfold fine_law, coarse_law. rewrite !lat_total, plus_IZR. ring. Qed.

(** The product of two laws from the product f of their fine parts and the sum c, from o2 on, of the
    products with a coarse part: [skip] weights at the beginning, [len] and [len_coarse] are kept. *)
Definition assembled (d : mode) (skip len len_coarse : nat) (L M : zlaw) (f : list Z) (o2 : Z) (c : list Z) : option zlaw :=
  let g := stride L in let t := levels L in
  let (k, f) := started d skip f in
  let o := (off L + off M + Z.of_nat k * Z.of_nat g)%Z in
  match joined (wide L) o2 c (o + Z.of_nat len * Z.of_nat g) (coarser d t g (skipn len f)) with
  | Some (o3, c) =>
    let i := (inf L * (mass M + inf M) + mass L * inf M + beyond d len_coarse c)%Z in
    Some (ZLaw g t o (map (rounded d B) (firstn len f)) o3 (map (rounded d B) (firstn len_coarse c)) (rounded d B i))
  | None => None
  end.

Definition times (d : mode) (skip len len_coarse : nat) (L M : zlaw) : option zlaw :=
  if (Nat.eqb (stride L) (stride M) && Nat.eqb (levels L) (levels M))%bool then
    let g := stride L in let t := levels L in let w := wide L in
    match convolved (fine L) (fine M), joined w (off M) (coarser d t g (fine M)) (off_coarse M) (coarse M) with
    | Some f, Some (o1, m) =>
      match convolved (coarse L) m, convolved (coarser d t g (fine L)) (coarse M) with
      | Some c1, Some c2 =>
        match joined w (off_coarse L + o1) c1 (off L + off_coarse M) c2 with
        | Some (o2, c) => assembled d skip len len_coarse L M f o2 c
        | None => None
        end
      | _, _ => None
      end
    | _, _ => None
    end
  else None.

(** The square: with F the fine part on the coarse lattice and G the coarse one, 2 F G + G G = G (2 F + G). *)
Definition squared (d : mode) (skip len len_coarse : nat) (L : zlaw) : option zlaw :=
  let g := stride L in let t := levels L in
  match convolved (fine L) (fine L),
        joined (wide L) (off L) (map (Z.mul 2) (coarser d t g (fine L))) (off_coarse L) (coarse L) with
  | Some f, Some (o1, m) =>
    match convolved (coarse L) m with
    | Some c => assembled d skip len len_coarse L L f (off_coarse L + o1) c
    | None => None
    end
  | _, _ => None
  end.

Lemma nat_list_rounded d c : nat_list c -> nat_list (map (rounded d B) c).
Proof. induction 1; simpl; constructor; auto. now apply rounded_nonnegative. Qed.

Lemma lat_rounded_unit d r y c : ordered d (lat (unit * unit) r y c) (lat unit r y (map (rounded d B) c)).
Proof.
  assert (U : 0 <= unit * unit) by (apply Rmult_le_pos; apply unit_nonnegative).
  pose proof (lat_rounded d B (unit * unit) r B_nonnegative U c y) as H. now rewrite unit_squared in H.
Qed.

Lemma infinite_rounded d i : ordered d (infinite (IZR i * (unit * unit))) (infinite (IZR (rounded d B i) * unit)).
Proof.
  assert (U : 0 <= unit * unit) by (apply Rmult_le_pos; apply unit_nonnegative).
  pose proof (weight_rounded d B (unit * unit) i B_nonnegative U) as H. rewrite unit_squared in H.
  now apply infinite_ordered.
Qed.

Lemma fine_times_coarse d L M : valid L -> valid M -> stride L = stride M -> levels L = levels M ->
  ordered d (conv (fine_law L) (coarse_law M))
    (conv (lat unit (rho ^ wide L) (Y (off L)) (coarser d (levels L) (stride L) (fine L))) (coarse_law M)).
Proof.
  intros VL VM E1 E2. apply ordered_conv_l; [now apply nonnegative_coarse|].
  apply coarser_ordered; [apply unit_nonnegative | | apply VL]. apply powerRZ_lt. pose proof rho_bounds; lra.
Qed.

Lemma assembled_ordered d skip len len_coarse L M f0 o2 c' N : valid L -> valid M -> stride L = stride M ->
  convolved (fine L) (fine M) = Some f0 -> nat_list c' ->
  ordered d (conv (fine_law L) (coarse_law M) ++ conv (coarse_law L) (fine_law M ++ coarse_law M))
    (lat (unit * unit) (rho ^ wide L) (Y o2) c') ->
  assembled d skip len len_coarse L M f0 o2 c' = Some N -> valid N /\ ordered d (conv (sem L) (sem M)) (sem N).
Proof.
  intros VL VM E1 F J2a A23. unfold assembled.
  pose proof unit_nonnegative as U0.
  assert (UU : 0 <= unit * unit) by now apply Rmult_le_pos.
  assert (YP : forall o, 0 < Y o) by (intros; apply powerRZ_lt; pose proof rho_bounds; lra).
  destruct (started d skip f0) as [k f] eqn:S0.
  set (o := (off L + off M + Z.of_nat k * Z.of_nat (stride L))%Z).
  destruct (joined (wide L) o2 c' (o + Z.of_nat len * Z.of_nat (stride L))
    (coarser d (levels L) (stride L) (skipn len f))) as [[o3 c]|] eqn:J3; [|discriminate].
  set (i := (inf L * (mass M + inf M) + mass L * inf M + beyond d len_coarse c)%Z).
  intros X; injection X as <-.
  pose proof VL as (L1 & L2 & L3). pose proof VM as (M1 & M2 & M3).
  apply convolved_spec in F. destruct F as [F1 F2].
  destruct (lat_started d (unit * unit) (rho ^ stride L) UU (rho_power_range _) skip f0 (Y (off L + off M))
    (Y_positive _) F1) as [S1 S2].
  rewrite S0 in S1, S2. cbn [fst snd] in S1, S2. rewrite <- Y_steps in S1. fold o in S1.
  destruct (coarser_ordered d (unit * unit) (Y (o + Z.of_nat len * Z.of_nat (stride L))) UU (YP _) (levels L)
    (stride L) (skipn len f) (nat_list_skipn len f S2)) as [R1 R2].
  destruct (joined_spec _ _ _ _ _ _ _ J3 J2a R2) as [J3a J3b].
  assert (I0 : (0 <= i)%Z).
  { unfold i, mass. pose proof (beyond_nonnegative d len_coarse c J3a).
    pose proof (zsum_nonnegative _ L1). pose proof (zsum_nonnegative _ L2).
    pose proof (zsum_nonnegative _ M1). pose proof (zsum_nonnegative _ M2). nia. }
  split.
  { split; [|split]; cbn [fine coarse inf].
    - apply nat_list_rounded, nat_list_firstn; auto.
    - apply nat_list_rounded, nat_list_firstn; auto.
    - now apply rounded_nonnegative. }
  (* the parts of the product *)
  apply ordered_trans with
    (infinite (IZR (inf L * (mass M + inf M) + mass L * inf M) * (unit * unit)) ++
     (conv (fine_law L) (fine_law M) ++
      (conv (fine_law L) (coarse_law M) ++ conv (coarse_law L) (fine_law M ++ coarse_law M)))).
  { apply ordered_equal. intros a. unfold sem at 1. rewrite conv_app_l, conv_infinite, total_sem.
    unfold sem. rewrite !conv_app_r, (conv_comm _ (infinite (IZR (inf M) * unit))), conv_infinite, total_finite.
    rewrite !curve_app, !conv_app_l, !conv_app_r.
    unfold infinite. simpl curve. rewrite hinge_at_0, !plus_IZR, !mult_IZR, !plus_IZR. ring. }
  (* fine times fine, from its beginning on, without its end *)
  assert (A1 : ordered d (conv (fine_law L) (fine_law M))
    (lat (unit * unit) (rho ^ stride L) (Y o) (firstn len f) ++
     lat (unit * unit) (rho ^ wide L) (Y (o + Z.of_nat len * Z.of_nat (stride L)))
       (coarser d (levels L) (stride L) (skipn len f)))).
  { apply ordered_trans with (lat (unit * unit) (rho ^ stride L) (Y (off L + off M)) f0).
    { apply ordered_equal. intros a. unfold fine_law. rewrite <- E1, F2, Y_add. reflexivity. }
    apply ordered_trans with (1 := S1).
    destruct (Nat.le_gt_cases (length f) len) as [Lf | Lf].
    - rewrite firstn_all2, skipn_all2 by auto. apply ordered_equal. intros a. rewrite curve_app.
      rewrite coarser_nil. simpl; ring.
    - apply ordered_trans with (lat (unit * unit) (rho ^ stride L) (Y o) (firstn len f) ++
        lat (unit * unit) (rho ^ stride L) (Y (o + Z.of_nat len * Z.of_nat (stride L))) (skipn len f)).
      + apply ordered_equal. intros a. rewrite <- (firstn_skipn len f) at 1.
        rewrite lat_app, firstn_length_le, Y_steps by lia. reflexivity.
      + apply ordered_app; [apply ordered_refl | exact R1]. }
  apply ordered_trans with
    (infinite (IZR (inf L * (mass M + inf M) + mass L * inf M) * (unit * unit)) ++
     (lat (unit * unit) (rho ^ stride L) (Y o) (firstn len f) ++ lat (unit * unit) (rho ^ wide L) (Y o3) c)).
  { apply ordered_app; [apply ordered_refl|].
    eapply ordered_trans; [apply ordered_app; [exact A1 | exact A23]|].
    apply ordered_equal. intros a. rewrite !curve_app, J3b. ring. }
  apply ordered_trans with
    (infinite (IZR i * (unit * unit)) ++
     (lat (unit * unit) (rho ^ stride L) (Y o) (firstn len f) ++
      lat (unit * unit) (rho ^ wide L) (Y o3) (firstn len_coarse c))).
  { pose proof (lat_cut d (unit * unit) (rho ^ wide L) UU (rho_power_range _) len_coarse c (Y o3) (Y_positive _) J3a) as K.
    eapply ordered_trans; [apply ordered_app; [apply ordered_refl | apply ordered_app; [apply ordered_refl | exact K]]|].
    apply ordered_equal. intros a. rewrite !curve_app. unfold infinite, i. simpl curve.
    rewrite hinge_at_0, !plus_IZR. ring. }
  unfold sem, fine_law, coarse_law. cbn [stride levels off fine off_coarse coarse inf].
  apply ordered_app; [apply infinite_rounded|]. apply ordered_app; apply lat_rounded_unit.
Qed.

Theorem times_ordered d skip len len_coarse L M N : valid L -> valid M ->
  times d skip len len_coarse L M = Some N -> valid N /\ ordered d (conv (sem L) (sem M)) (sem N).
Proof.
  intros VL VM. unfold times.
  destruct (Nat.eqb (stride L) (stride M) && Nat.eqb (levels L) (levels M))%bool eqn:EE; [|discriminate].
  apply andb_prop in EE. destruct EE as [E1 E2]. apply Nat.eqb_eq in E1, E2.
  assert (EW : wide M = wide L) by (unfold wide; congruence).
  pose proof unit_nonnegative as U0.
  assert (YP : forall o, 0 < Y o) by (intros; apply powerRZ_lt; pose proof rho_bounds; lra).
  destruct (convolved (fine L) (fine M)) as [f0|] eqn:F; [|discriminate].
  destruct (joined (wide L) (off M) (coarser d (levels L) (stride L) (fine M)) (off_coarse M) (coarse M))
    as [[o1 m]|] eqn:J1; [|discriminate].
  destruct (convolved (coarse L) m) as [c1|] eqn:C1; [|discriminate].
  destruct (convolved (coarser d (levels L) (stride L) (fine L)) (coarse M)) as [c2|] eqn:C2; [|discriminate].
  destruct (joined (wide L) (off_coarse L + o1) c1 (off L + off_coarse M) c2) as [[o2 c']|] eqn:J2; [|discriminate].
  pose proof VM as (M1 & M2 & M3).
  destruct (coarser_ordered d unit (Y (off M)) U0 (YP _) (levels L) (stride L) (fine M) M1) as [CM1 CM2].
  destruct (joined_spec _ _ _ _ _ _ _ J1 CM2 M2) as [J1a J1b].
  apply convolved_spec in C1. destruct C1 as [C1a C1b].
  apply convolved_spec in C2. destruct C2 as [C2a C2b].
  destruct (joined_spec _ _ _ _ _ _ _ J2 C1a C2a) as [J2a J2b].
  apply assembled_ordered; auto.
  assert (A2 : ordered d (conv (fine_law L) (coarse_law M))
    (lat (unit * unit) (rho ^ wide L) (Y (off L + off_coarse M)) c2)).
  { apply ordered_trans with (1 := fine_times_coarse d L M VL VM E1 E2). apply ordered_equal. intros a.
    unfold coarse_law. rewrite EW, C2b, Y_add. reflexivity. }
  assert (A3 : ordered d (conv (coarse_law L) (fine_law M ++ coarse_law M))
    (lat (unit * unit) (rho ^ wide L) (Y (off_coarse L + o1)) c1)).
  { apply ordered_trans with (conv (coarse_law L) (lat unit (rho ^ wide L) (Y o1) m)).
    - apply ordered_conv_r; [now apply nonnegative_coarse|].
      apply ordered_trans with (lat unit (rho ^ wide L) (Y (off M)) (coarser d (levels L) (stride L) (fine M)) ++
        coarse_law M).
      + apply ordered_app; [|apply ordered_refl]. unfold fine_law. rewrite <- E1. exact CM1.
      + apply ordered_equal. intros a. unfold coarse_law. rewrite EW, curve_app, J1b. reflexivity.
    - apply ordered_equal. intros a. unfold coarse_law. rewrite C1b, Y_add. reflexivity. }
  eapply ordered_trans; [apply ordered_app; [exact A2 | exact A3]|].
  apply ordered_equal. intros a. rewrite curve_app, J2b. ring.
Qed.

Theorem squared_ordered d skip len len_coarse L N : valid L ->
  squared d skip len len_coarse L = Some N -> valid N /\ ordered d (conv (sem L) (sem L)) (sem N).
Proof.
  intros VL. unfold squared.
  pose proof unit_nonnegative as U0.
  assert (YP : forall o, 0 < Y o) by (intros; apply powerRZ_lt; pose proof rho_bounds; lra).
  set (cF := coarser d (levels L) (stride L) (fine L)).
  destruct (convolved (fine L) (fine L)) as [f0|] eqn:F; [|discriminate].
  destruct (joined (wide L) (off L) (map (Z.mul 2) cF) (off_coarse L) (coarse L)) as [[o1 m]|] eqn:J1; [|discriminate].
  destruct (convolved (coarse L) m) as [c|] eqn:C1; [|discriminate].
  pose proof VL as (L1 & L2 & L3).
  destruct (coarser_ordered d unit (Y (off L)) U0 (YP _) (levels L) (stride L) (fine L) L1) as [CL1 CL2].
  fold cF in CL1, CL2. fold (wide L) in CL1.
  assert (Dn : nat_list (map (Z.mul 2) cF)).
  { apply Forall_map. eapply Forall_impl; [|exact CL2]. intros x Hx; cbv beta in Hx |- *; lia. }
  destruct (joined_spec _ _ _ _ _ _ _ J1 Dn L2) as [J1a J1b].
  apply convolved_spec in C1. destruct C1 as [C1a C1b].
  apply assembled_ordered; auto.
  set (cL := lat unit (rho ^ wide L) (Y (off L)) cF) in *.
  assert (A : ordered d (conv (coarse_law L) (fine_law L ++ fine_law L ++ coarse_law L))
    (conv (coarse_law L) (cL ++ cL ++ coarse_law L))).
  { apply ordered_conv_r; [now apply nonnegative_coarse|].
    apply ordered_app; [exact CL1|]. apply ordered_app; [exact CL1 | apply ordered_refl]. }
  eapply ordered_trans; [|eapply ordered_trans; [exact A|]].
  - apply ordered_equal. intros a. rewrite curve_app, !conv_app_r, (conv_comm (fine_law L)). ring.
  - apply ordered_equal. intros a. rewrite Y_add, <- C1b. fold (coarse_law L). apply conv_ext_r. intros b.
    rewrite !curve_app, J1b. unfold cL, coarse_law.
    replace (lat unit (rho ^ wide L) (Y (off L)) (map (Z.mul 2) cF))
      with (lat (1 * unit) (rho ^ wide L) (Y (off L)) (map (Z.mul 2) cF)) by now rewrite Rmult_1_l.
    rewrite lat_times. ring.
Qed.

(** A law on wider lattices. *)
Definition widened (d : mode) (L : zlaw) : zlaw :=
  let g := stride L in let low := low_short g in
  match levels L with
  | S t => ZLaw (g + g) t (off L) (wider share_bits low d (fine L)) (off_coarse L) (coarse L) (inf L)
  | O => ZLaw (g + g) 0 (off L) (wider share_bits low d (fine L)) (off_coarse L) (wider share_bits low d (coarse L)) (inf L)
  end.

Theorem widened_ordered d L : valid L -> valid (widened d L) /\ ordered d (sem L) (sem (widened d L)).
Proof.
  intros (L1 & L2 & L3). pose proof unit_nonnegative as U0.
  assert (YP : forall o, 0 < Y o) by (intros; apply powerRZ_lt; pose proof rho_bounds; lra).
  destruct (wider_ordered d (stride L) unit (fine L) (Y (off L)) U0 (YP _) L1) as [W1 W2].
  destruct (wider_ordered d (stride L) unit (coarse L) (Y (off_coarse L)) U0 (YP _) L2) as [W3 W4].
  unfold widened, sem, fine_law, coarse_law, wide. destruct (levels L) as [|t]; cbn [stride levels off fine off_coarse coarse inf].
  - split; [repeat split; auto|]. apply ordered_app; [apply ordered_refl|]. apply ordered_app; auto.
    simpl Nat.pow. rewrite !Nat.mul_1_r. exact W3.
  - split; [repeat split; auto|]. apply ordered_app; [apply ordered_refl|]. apply ordered_app; auto.
    replace ((stride L + stride L) * 2 ^ t)%nat with (stride L * 2 ^ S t)%nat by (simpl; lia). apply ordered_refl.
Qed.

(** ** Programs *)

(** The product of powers of given laws. *)
Fixpoint powers (Vs : list law) (ns : list nat) : law :=
  match Vs, ns with V :: Vs, n :: ns => conv (power V n) (powers Vs ns) | _, _ => one end.
Fixpoint plus_each (ns ms : list nat) : list nat :=
  match ns, ms with n :: ns, m :: ms => (n + m)%nat :: plus_each ns ms | _, _ => nil end.

Lemma power_add V m n a : curve (power V (m + n)) a = curve (conv (power V m) (power V n)) a.
Proof.
  revert a; induction n as [|n IH]; intros a.
  - rewrite Nat.add_0_r. simpl. now rewrite conv_one_r.
  - rewrite Nat.add_succ_r. simpl power. rewrite <- conv_assoc. now apply conv_ext_l.
Qed.

Lemma conv_exchange A A' C C' a :
  curve (conv (conv A A') (conv C C')) a = curve (conv (conv A C) (conv A' C')) a.
Proof.
  rewrite !conv_assoc. apply conv_ext_r. intros b. rewrite <- !conv_assoc. apply conv_ext_l.
  intros; apply conv_comm.
Qed.

Lemma powers_add Vs : forall ns ms a, length ns = length Vs -> length ms = length Vs ->
  curve (powers Vs (plus_each ns ms)) a = curve (conv (powers Vs ns) (powers Vs ms)) a.
Proof.
  induction Vs as [|V Vs IH]; intros [|n ns] [|m ms] a; simpl; intros; try discriminate.
  - rewrite !Rmult_1_r. reflexivity.
  - rewrite <- conv_exchange. rewrite (conv_ext_l _ _ _ a (power_add V n m)).
    apply conv_ext_r. intros b. apply IH; congruence.
Qed.

Lemma nonnegative_powers Vs : Forall nonnegative Vs -> forall ns, nonnegative (powers Vs ns).
Proof.
  induction 1 as [|V Vs HV H IH]; intros [|n ns]; simpl; auto using nonnegative_one.
  apply nonnegative_conv; auto using nonnegative_power.
Qed.

(** L is a bound of the product of the powers ns of the laws Vs. *)
Definition bounds (d : mode) (Vs : list law) (ns : list nat) (L : zlaw) : Prop :=
  length ns = length Vs /\ valid L /\ ordered d (powers Vs ns) (sem L).

Lemma bounds_conv d Vs ns ms L M N : Forall nonnegative Vs ->
  bounds d Vs ns L -> bounds d Vs ms M -> valid N /\ ordered d (conv (sem L) (sem M)) (sem N) ->
  bounds d Vs (plus_each ns ms) N.
Proof.
  intros HV (L1 & L2 & L3) (M1 & M2 & M3) [N1 N2]. split; [|split]; auto.
  - clear -L1 M1. revert ns ms L1 M1. induction Vs as [|V Vs IH]; intros [|n ns] [|m ms]; simpl; intros; try discriminate; auto.
  - apply ordered_trans with (conv (powers Vs ns) (powers Vs ms)).
    { apply ordered_equal. intros a. now apply powers_add. }
    apply ordered_trans with (2 := N2). apply ordered_conv; auto using nonnegative_powers, nonnegative_sem.
Qed.

(** Each instruction makes a new register. *)
Inductive instruction :=
| Times (i j skip len len_coarse : nat)
| Square (i skip len len_coarse : nat)
| Widen (i : nat).
Definition register := (list nat * zlaw)%type.

Definition executed (d : mode) (op : instruction) (regs : list register) : option register :=
  match op with
  | Times i j skip len len_coarse =>
    match nth_error regs i, nth_error regs j with
    | Some (ns, L), Some (ms, M) =>
      match times d skip len len_coarse L M with Some N => Some (plus_each ns ms, N) | None => None end
    | _, _ => None
    end
  | Square i skip len len_coarse =>
    match nth_error regs i with
    | Some (ns, L) =>
      match squared d skip len len_coarse L with Some N => Some (plus_each ns ns, N) | None => None end
    | None => None
    end
  | Widen i => match nth_error regs i with Some (ns, L) => Some (ns, widened d L) | None => None end
  end.

Fixpoint run (d : mode) (program : list instruction) (regs : list register) : option (list register) :=
  match program with
  | nil => Some regs
  | op :: program =>
    match executed d op regs with Some r => run d program (regs ++ [r]) | None => None end
  end.

Definition all_bound (d : mode) (Vs : list law) (regs : list register) : Prop :=
  Forall (fun r => bounds d Vs (fst r) (snd r)) regs.

Lemma bound_at d Vs regs i r : all_bound d Vs regs -> nth_error regs i = Some r -> bounds d Vs (fst r) (snd r).
Proof. intros H E. apply nth_error_In in E. unfold all_bound in H. rewrite Forall_forall in H. auto. Qed.

Theorem run_bounds d Vs : Forall nonnegative Vs -> forall program regs out,
  all_bound d Vs regs -> run d program regs = Some out -> all_bound d Vs out.
Proof.
  intros HV program; induction program as [|op program IH]; intros regs out H; simpl.
  - intros E; injection E as <-; auto.
  - destruct (executed d op regs) as [r|] eqn:E; [|discriminate]. apply IH.
    apply Forall_app; split; auto. constructor; [|constructor].
    destruct op as [i j skip len lc | i skip len lc | i]; simpl in E.
    + destruct (nth_error regs i) as [[ns L]|] eqn:Ei; [|discriminate].
      destruct (nth_error regs j) as [[ms M]|] eqn:Ej; [|discriminate].
      destruct (times d skip len lc L M) as [N|] eqn:T; [|discriminate].
      injection E as <-. simpl.
      pose proof (bound_at d Vs regs i _ H Ei) as BL. pose proof (bound_at d Vs regs j _ H Ej) as BM.
      apply (bounds_conv d Vs ns ms L M); auto. apply (times_ordered d skip len lc); auto; [apply BL | apply BM].
    + destruct (nth_error regs i) as [[ns L]|] eqn:Ei; [|discriminate].
      destruct (squared d skip len lc L) as [N|] eqn:T; [|discriminate].
      injection E as <-. simpl. pose proof (bound_at d Vs regs i _ H Ei) as BL.
      apply (bounds_conv d Vs ns ns L L); auto. apply (squared_ordered d skip len lc); auto. apply BL.
    + destruct (nth_error regs i) as [[ns L]|] eqn:Ei; [|discriminate].
      injection E as <-. simpl. destruct (bound_at d Vs regs i _ H Ei) as (H1 & H2 & H3).
      destruct (widened_ordered d L H2) as [W1 W2]. split; [|split]; auto.
      eapply ordered_trans; eauto.
Qed.

(** The registers with which a program begins: the laws themselves. *)
Definition unit_vector (n i : nat) : list nat := map (fun j => if Nat.eqb i j then 1%nat else 0%nat) (seq 0 n).
Definition initial (Ls : list zlaw) : list register :=
  map (fun iL => (unit_vector (length Ls) (fst iL), snd iL)) (combine (seq 0 (length Ls)) Ls).

Lemma powers_zero Vs k n a : curve (powers Vs (map (fun j => if Nat.eqb k j then 1%nat else 0%nat) (seq n (length Vs)))) a =
  if (Nat.leb n k && Nat.ltb k (n + length Vs))%bool then curve (nth (k - n) Vs one) a else curve one a.
Proof.
  revert n a; induction Vs as [|V Vs IH]; intros n a; simpl.
  { rewrite Nat.add_0_r. destruct (Nat.leb n k && Nat.ltb k n)%bool eqn:E; auto.
    apply andb_prop in E. destruct E as [E1 E2]. apply Nat.leb_le in E1. apply Nat.ltb_lt in E2. lia. }
  destruct (Nat.eqb_spec k n) as [->|Hne].
  - rewrite Nat.leb_refl, Nat.sub_diag. replace (Nat.ltb n (n + S (length Vs)))%bool with true
      by (symmetry; apply Nat.ltb_lt; lia). simpl.
    transitivity (curve (conv V one) a); [|apply conv_one_r].
    rewrite (conv_ext_r _ _ one).
    + apply conv_ext_l. intros b. simpl. rewrite ?app_nil_r, curve_scale, Rmult_1_l, Rmult_1_r. reflexivity.
    + intros b. rewrite IH. replace (Nat.leb (S n) n) with false by (symmetry; apply Nat.leb_gt; lia). reflexivity.
  - change (power V 0) with one. rewrite conv_comm, conv_one_r, IH.
    replace (S n + length Vs)%nat with (n + S (length Vs))%nat by lia.
    destruct (Nat.leb_spec (S n) k).
    + replace (Nat.leb n k) with true by (symmetry; apply Nat.leb_le; lia).
      destruct (Nat.ltb k (n + S (length Vs))); simpl; auto.
      replace (k - n)%nat with (S (k - S n)) by lia. reflexivity.
    + replace (Nat.leb n k) with false by (symmetry; apply Nat.leb_gt; lia). reflexivity.
Qed.

Lemma initial_bound d Ls : Forall valid Ls -> all_bound d (map sem Ls) (initial Ls).
Proof.
  intros H. unfold all_bound, initial. rewrite Forall_map, Forall_forall.
  intros [i L] Hin. simpl.
  pose proof (in_combine_l _ _ _ _ Hin) as Hi. apply in_seq in Hi.
  assert (E : nth i Ls L = L).
  { apply In_nth with (d := (0%nat, L)) in Hin. destruct Hin as (n & Hn & E).
    rewrite combine_length, seq_length, Nat.min_id in Hn.
    rewrite combine_nth in E by apply seq_length. rewrite seq_nth in E by auto.
    injection E as E1 E2. simpl in E1. subst n. exact E2. }
  split; [|split].
  - unfold unit_vector. now rewrite !map_length, seq_length.
  - rewrite Forall_forall in H. apply H. eapply in_combine_r; eauto.
  - apply ordered_equal. intros a. unfold unit_vector.
    replace (length Ls) with (length (map sem Ls)) by apply map_length.
    rewrite powers_zero. replace (Nat.leb 0 i && Nat.ltb i (0 + length (map sem Ls)))%bool with true.
    + rewrite Nat.sub_0_r. rewrite (nth_indep _ one (sem L)) by (rewrite map_length; lia).
      now rewrite map_nth, E.
    + symmetry. apply andb_true_intro. split; [apply Nat.leb_le; lia | apply Nat.ltb_lt; rewrite map_length; lia].
Qed.

(** ** The value of a curve *)

(** In units of 2^-(B+D): u 2^-D is below (above) a y where delta is bounded from above (below). *)
Fixpoint valued (next : Z -> Z) (u : Z) (c : list Z) : Z :=
  match c with nil => 0 | x :: c => x * Z.max 0 (2 ^ D - u) + valued next (next u) c end.
Definition value (d : mode) (g : nat) : Z -> list Z -> Z :=
  valued (match d with Up => low_power g | Down => high_power g end).
Definition placed (d : mode) (u : Z) (x : R) : Prop :=
  match d with Up => IZR u <= x | Down => x <= IZR u end.
Definition bounded_by (d : mode) (x v : R) : Prop :=
  match d with Up => x <= v | Down => v <= x end.

Lemma value_bounds d g : forall c u y a, 0 <= a -> 0 <= y -> (0 <= u)%Z -> nat_list c ->
  placed d u (a * y * IZR (2 ^ D)) ->
  bounded_by d (curve (lat unit (rho ^ g) y c) a * IZR (2 ^ D)) (unit * IZR (value d g u c)).
Proof.
  pose proof unit_positive as U. pose proof (two_positive_R D D_nonnegative) as T.
  unfold value. induction c as [|x c IH]; intros u y a Ha Hy Hu H P; [destruct d; simpl; lra|].
  inversion_clear H. cbn [valued lat curve].
  assert (Hy' : 0 <= y * rho ^ g) by (apply Rmult_le_pos; auto; apply rho_power_range).
  assert (W : 0 <= IZR x * unit) by (apply weight_nonnegative; auto; lra).
  rewrite plus_IZR, mult_IZR. destruct d; simpl in P |- *.
  - destruct (low_power_spec g u Hu) as [L1 L2].
    assert (Q : placed Up (low_power g u) (a * (y * rho ^ g) * IZR (2 ^ D))).
    { simpl. apply Rle_trans with (1 := L2).
      apply Rle_trans with (a * y * IZR (2 ^ D) * rho ^ g); [|right; ring].
      apply Rmult_le_compat_r; auto. apply rho_power_range. }
    specialize (IH _ _ a Ha Hy' L1 H1 Q). simpl in IH.
    assert (X : hinge a y * IZR (2 ^ D) <= IZR (Z.max 0 (2 ^ D - u))).
    { unfold hinge. destruct (Rle_dec (1 - a * y) 0) as [G|G].
      - rewrite Rmax_left by lra. rewrite Rmult_0_l. apply IZR_le. lia.
      - rewrite Rmax_right by lra. apply Rle_trans with (IZR (2 ^ D - u)); [|apply IZR_le; lia].
        rewrite minus_IZR. lra. }
    pose proof (Rmult_le_compat_l _ _ _ W X). lra.
  - destruct (high_power_spec g u Hu) as [L1 L2].
    assert (Q : placed Down (high_power g u) (a * (y * rho ^ g) * IZR (2 ^ D))).
    { simpl. apply Rle_trans with (2 := L2).
      apply Rle_trans with (a * y * IZR (2 ^ D) * rho ^ g); [right; ring|].
      apply Rmult_le_compat_r; auto. apply rho_power_range. }
    specialize (IH _ _ a Ha Hy' L1 H1 Q). simpl in IH.
    assert (X : IZR (Z.max 0 (2 ^ D - u)) <= hinge a y * IZR (2 ^ D)).
    { destruct (Z.max_spec 0 (2 ^ D - u)) as [[_ ->] | [_ ->]].
      - rewrite minus_IZR. pose proof (hinge_above a y) as A.
        apply (Rmult_le_compat_r (IZR (2 ^ D))) in A; lra.
      - apply Rmult_le_pos; [apply hinge_nonnegative | lra]. }
    pose proof (Rmult_le_compat_l _ _ _ W X). lra.
Qed.

(** delta in units of 2^-(B+D), from the places of a in both parts. *)
Definition delta_of (d : mode) (u u_coarse : Z) (L : zlaw) : Z :=
  (value d (stride L) u (fine L) + value d (wide L) u_coarse (coarse L) + inf L * 2 ^ D)%Z.

Theorem delta_bounds d L u u_coarse a : valid L -> 0 <= a -> (0 <= u)%Z -> (0 <= u_coarse)%Z ->
  placed d u (a * Y (off L) * IZR (2 ^ D)) -> placed d u_coarse (a * Y (off_coarse L) * IZR (2 ^ D)) ->
  bounded_by d (curve (sem L) a * IZR (2 ^ D)) (unit * IZR (delta_of d u u_coarse L)).
Proof.
  intros (H1 & H2 & H3) Ha Hu Hv P Q. unfold sem, delta_of. rewrite !curve_app.
  pose proof (value_bounds d (stride L) (fine L) u _ a Ha (Y_positive _) Hu H1 P) as A1.
  pose proof (value_bounds d (wide L) (coarse L) u_coarse _ a Ha (Y_positive _) Hv H2 Q) as A2.
  fold (fine_law L) in A1. fold (coarse_law L) in A2.
  rewrite !plus_IZR, mult_IZR. unfold infinite. simpl curve. rewrite hinge_at_0.
  destruct d; simpl in *; lra.
Qed.

End Powers.
