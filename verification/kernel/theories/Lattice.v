(** Laws on a lattice of losses: weights that are integers (in units of 2^-B) at y = rho^j,
    rho = 1 - 2^-e, so that powers of rho need no exponentials. Each way to make a law smaller to
    store (rounding, a wider lattice, a window) goes up or down: to a law whose curve is nowhere
    below, or nowhere above. *)
From Coq Require Import Reals ZArith List Lia Lra Bool.
From Plaudit Require Import Curve Kronecker.
Import ListNotations.
Open Scope R_scope.

(** The direction in which a bound is rounded: up for upper ends of delta, down for lower ends. *)
Inductive mode := Up | Down.
Definition ordered (d : mode) (W V : law) : Prop :=
  match d with Up => below W V | Down => below V W end.

Lemma ordered_refl d W : ordered d W W.
Proof. destruct d; apply below_refl. Qed.
Lemma ordered_trans d W V Z : ordered d W V -> ordered d V Z -> ordered d W Z.
Proof. destruct d; simpl; intros; eapply below_trans; eauto. Qed.
Lemma ordered_equal d W V : (forall a, curve W a = curve V a) -> ordered d W V.
Proof. intros E. destruct d; apply below_equal; auto. Qed.
Lemma ordered_app d W W' V V' : ordered d W W' -> ordered d V V' -> ordered d (W ++ V) (W' ++ V').
Proof. destruct d; apply below_app. Qed.
Lemma ordered_conv_r d W V V' : nonnegative W -> ordered d V V' -> ordered d (conv W V) (conv W V').
Proof. destruct d; simpl; apply below_conv_r. Qed.
Lemma ordered_conv_l d W W' V : nonnegative V -> ordered d W W' -> ordered d (conv W V) (conv W' V).
Proof. destruct d; simpl; apply below_conv_l. Qed.
Lemma ordered_conv d W W' V V' : nonnegative W -> nonnegative V' -> ordered d W W' -> ordered d V V' ->
  ordered d (conv W V) (conv W' V').
Proof.
  intros HW HV' H1 H2. apply ordered_trans with (conv W V').
  - now apply ordered_conv_r.
  - now apply ordered_conv_l.
Qed.

(** ** Weights c_0, c_1, ... in units of s at y, y r, y r^2, ... *)

Fixpoint lat (s r y : R) (c : list Z) : law :=
  match c with nil => nil | x :: c => (IZR x * s, y) :: lat s r (y * r) c end.
Notation nat_list := (Forall (fun x => (0 <= x)%Z)).
Definition zsum (c : list Z) : Z := fold_right Z.add 0%Z c.

Lemma nonnegative_lat s r : 0 <= s -> 0 <= r -> forall c y, 0 <= y -> nat_list c -> nonnegative (lat s r y c).
Proof.
  intros Hs Hr c; induction c as [|x c IH]; intros y Hy H; simpl; constructor; inversion_clear H; simpl.
  - split; auto. apply Rmult_le_pos; auto. now apply IZR_le.
  - apply IH; auto. now apply Rmult_le_pos.
Qed.

Lemma lat_scaled s r k : forall c y a, curve (lat s r (y * k) c) a = curve (lat s r k c) (a * y).
Proof.
  intros c; revert k; induction c as [|x c IH]; intros k y a; simpl; auto.
  rewrite <- (IH (k * r) y a). unfold hinge. rewrite !Rmult_assoc. reflexivity.
Qed.

Lemma lat_times s t r x : forall c y a, curve (lat (s * t) r y (map (Z.mul x) c)) a = IZR x * s * curve (lat t r y c) a.
Proof. induction c as [|z c IH]; intros; simpl; [ring|]. rewrite IH, mult_IZR. ring. Qed.

Lemma lat_padd s r : forall c d y a, curve (lat s r y (padd c d)) a = curve (lat s r y c) a + curve (lat s r y d) a.
Proof. induction c as [|x c IH]; intros [|z d] y a; simpl; try ring. rewrite IH, plus_IZR. ring. Qed.

Lemma lat_conv s t r d z : forall c y a,
  curve (conv (lat s r y c) (lat t r z d)) a = curve (lat (s * t) r (y * z) (pmul c d)) a.
Proof.
  induction c as [|x c IH]; intros y a; simpl; auto.
  rewrite curve_app, curve_scale, IH, lat_padd, lat_times, (lat_scaled t r z d y). simpl.
  replace (y * r * z) with (y * z * r) by ring. ring.
Qed.

Lemma lat_zero s r : forall c y a, (forall n, nth0 c n = 0%Z) -> curve (lat s r y c) a = 0.
Proof.
  induction c as [|x c IH]; intros y a H; simpl; auto.
  rewrite IH by (intros n; exact (H (S n))). specialize (H O); simpl in H; subst x. ring.
Qed.
Lemma lat_nth s r : forall c d y a, (forall n, nth0 c n = nth0 d n) -> curve (lat s r y c) a = curve (lat s r y d) a.
Proof.
  induction c as [|x c IH]; intros d y a H.
  - symmetry. apply lat_zero. intros n. rewrite <- H. apply nth0_nil.
  - destruct d as [|z d].
    + apply lat_zero. intros n. rewrite H. apply nth0_nil.
    + simpl. rewrite (IH d) by (intros n; exact (H (S n))).
      specialize (H O); simpl in H; subst z. reflexivity.
Qed.

Lemma lat_app s r : forall c d y, lat s r y (c ++ d) = lat s r y c ++ lat s r (y * r ^ length c) d.
Proof.
  induction c as [|x c IH]; intros d y; simpl; [now rewrite Rmult_1_r|].
  rewrite IH. simpl. do 2 f_equal. f_equal. ring.
Qed.

Lemma lat_zeros s r n : forall y a, curve (lat s r y (repeat 0%Z n)) a = 0.
Proof. induction n as [|n IH]; intros; simpl; auto. rewrite IH; ring. Qed.

Lemma lat_total s r : forall c y, curve (lat s r y c) 0 = IZR (zsum c) * s.
Proof. induction c as [|x c IH]; intros y; simpl; [ring|]. rewrite IH, hinge_of_0, plus_IZR. ring. Qed.

Lemma weight_nonnegative x s : 0 <= s -> (0 <= x)%Z -> 0 <= IZR x * s.
Proof. intros. apply Rmult_le_pos; auto. now apply IZR_le. Qed.

Lemma zsum_nonnegative c : nat_list c -> (0 <= zsum c)%Z.
Proof. induction 1; simpl; lia. Qed.

Lemma nat_list_firstn n c : nat_list c -> nat_list (firstn n c).
Proof. intros H; revert n; induction H; intros [|n]; simpl; constructor; auto. Qed.
Lemma nat_list_skipn n c : nat_list c -> nat_list (skipn n c).
Proof. intros H; revert n; induction H as [|x c Hx H IH]; intros [|n]; simpl; auto. Qed.
Lemma nat_list_padd c d : nat_list c -> nat_list d -> nat_list (padd c d).
Proof.
  intros H; revert d; induction H as [|x c Hx H IH]; intros [|z d] Hd; simpl; auto.
  inversion_clear Hd. constructor; auto. lia.
Qed.
Lemma nat_list_zeros n : nat_list (repeat 0%Z n).
Proof. induction n; simpl; constructor; auto. lia. Qed.

(** ** Rounding *)

Definition up (k x : Z) : Z := (- Z.shiftr (- x) k)%Z.
Definition down (k x : Z) : Z := Z.shiftr x k.
Definition rounded (d : mode) : Z -> Z -> Z := match d with Up => up | Down => down end.

Section Powers_of_two.
Variable k : Z.
Hypothesis k_nonnegative : (0 <= k)%Z.
Lemma two_positive : (0 < 2 ^ k)%Z. Proof. apply Z.pow_pos_nonneg; lia. Qed.
Lemma two_positive_R : 0 < IZR (2 ^ k). Proof. apply IZR_lt, two_positive. Qed.
Lemma up_above x : (x <= up k x * 2 ^ k)%Z.
Proof.
  unfold up. rewrite Z.shiftr_div_pow2 by auto. pose proof (Z.mul_div_le (- x) _ two_positive). lia.
Qed.
Lemma down_below x : (down k x * 2 ^ k <= x)%Z.
Proof.
  unfold down. rewrite Z.shiftr_div_pow2 by auto. pose proof (Z.mul_div_le x _ two_positive). lia.
Qed.
Lemma up_nonnegative x : (0 <= x)%Z -> (0 <= up k x)%Z.
Proof. intros. pose proof (up_above x). pose proof two_positive. nia. Qed.
Lemma down_nonnegative x : (0 <= x)%Z -> (0 <= down k x)%Z.
Proof. intros. unfold down. now apply Z.shiftr_nonneg. Qed.
Lemma up_at_most x : (0 <= x)%Z -> (up k x <= x)%Z.
Proof.
  intros. unfold up. rewrite Z.shiftr_div_pow2 by auto. pose proof two_positive.
  assert (- x <= - x / 2 ^ k)%Z; [|lia]. apply Z.div_le_lower_bound; nia.
Qed.
End Powers_of_two.

Lemma rounded_nonnegative d k x : (0 <= k)%Z -> (0 <= x)%Z -> (0 <= rounded d k x)%Z.
Proof. intros. destruct d; simpl; [now apply up_nonnegative | now apply down_nonnegative]. Qed.

(** In units that are 2^k times as large. *)
Lemma weight_rounded d k s x : (0 <= k)%Z -> 0 <= s ->
  match d with
  | Up => IZR x * s <= IZR (rounded d k x) * (s * IZR (2 ^ k))
  | Down => IZR (rounded d k x) * (s * IZR (2 ^ k)) <= IZR x * s
  end.
Proof.
  intros Hk Hs. destruct d; simpl.
  - pose proof (IZR_le _ _ (up_above k Hk x)) as H. rewrite mult_IZR in H.
    pose proof (Rmult_le_compat_r s _ _ Hs H). lra.
  - pose proof (IZR_le _ _ (down_below k Hk x)) as H. rewrite mult_IZR in H.
    pose proof (Rmult_le_compat_r s _ _ Hs H). lra.
Qed.

Lemma lat_rounded d k s r : (0 <= k)%Z -> 0 <= s -> forall c y,
  ordered d (lat s r y c) (lat (s * IZR (2 ^ k)) r y (map (rounded d k) c)).
Proof.
  intros Hk Hs c; induction c as [|x c IH]; intros y; [apply ordered_refl|].
  change (lat s r y (x :: c)) with ([(IZR x * s, y)] ++ lat s r (y * r) c).
  change (lat (s * IZR (2 ^ k)) r y (map (rounded d k) (x :: c)))
    with ([(IZR (rounded d k x) * (s * IZR (2 ^ k)), y)] ++
          lat (s * IZR (2 ^ k)) r (y * r) (map (rounded d k) c)).
  apply ordered_app; auto. pose proof (weight_rounded d k s x Hk Hs) as H.
  destruct d; intros a Ha; simpl in *; pose proof (hinge_nonnegative a y) as P;
    pose proof (Rmult_le_compat_r _ _ _ P H); lra.
Qed.

(** ** Windows *)

(** The first n weights go to the next one (up) or away (down). The number of places that went. *)
Definition started (d : mode) (n : nat) (c : list Z) : nat * list Z :=
  match skipn n c with
  | nil => (O, c)
  | x :: c' => (n, match d with Up => (x + zsum (firstn n c))%Z :: c' | Down => x :: c' end)
  end.

Lemma shrink y k : 0 <= y -> k <= 1 -> y * k <= y.
Proof. intros Hy Hk. pose proof (Rmult_le_compat_l _ _ _ Hy Hk). lra. Qed.

Lemma lat_moved s r a : 0 <= s -> 0 <= r <= 1 -> 0 <= a -> forall c y, 0 <= y -> nat_list c ->
  0 <= curve (lat s r y c) a <= IZR (zsum c) * s * hinge a (y * r ^ length c).
Proof.
  intros Hs Hr Ha c; induction c as [|x c IH]; intros y Hy H; simpl; [lra|].
  inversion_clear H. specialize (IH (y * r) (Rmult_le_pos _ _ Hy (proj1 Hr)) H1).
  rewrite plus_IZR. replace (y * (r * r ^ length c)) with (y * r * r ^ length c) by ring.
  pose proof (weight_nonnegative x s Hs H0) as W. pose proof (hinge_nonnegative a y).
  pose proof (Rmult_le_pos _ _ W H).
  assert (L : hinge a y <= hinge a (y * r * r ^ length c)).
  { apply hinge_decreases; auto. rewrite Rmult_assoc. apply shrink; auto.
    change (r * r ^ length c) with (r ^ S (length c)).
    rewrite <- (pow1 (S (length c))). apply pow_incr. lra. }
  pose proof (Rmult_le_compat_l _ _ _ W L). lra.
Qed.

Lemma lat_started d s r : 0 <= s -> 0 <= r <= 1 -> forall n c y, 0 <= y -> nat_list c ->
  ordered d (lat s r y c) (lat s r (y * r ^ fst (started d n c)) (snd (started d n c))) /\
  nat_list (snd (started d n c)).
Proof.
  intros Hs Hr n c y Hy H. unfold started.
  destruct (skipn n c) as [|x c'] eqn:E; simpl.
  { rewrite Rmult_1_r. split; auto. apply ordered_refl. }
  pose proof (nat_list_skipn n c H) as H2. pose proof (nat_list_firstn n c H) as H1. rewrite E in H2.
  assert (L : length (firstn n c) = n).
  { apply firstn_length_le. destruct (Nat.le_gt_cases n (length c)); auto.
    rewrite skipn_all2 in E by lia. discriminate. }
  assert (A : forall a, curve (lat s r y c) a =
    curve (lat s r y (firstn n c)) a + curve (lat s r (y * r ^ n) (x :: c')) a).
  { intros a. rewrite <- (firstn_skipn n c) at 1. rewrite lat_app, curve_app, E, L. reflexivity. }
  inversion_clear H2. destruct d; split.
  - intros a Ha. rewrite A. destruct (lat_moved s r a Hs Hr Ha (firstn n c) y Hy H1) as [_ B].
    rewrite L in B. simpl. rewrite plus_IZR. lra.
  - constructor; auto. pose proof (zsum_nonnegative _ H1). lia.
  - intros a Ha. rewrite A. destruct (lat_moved s r a Hs Hr Ha (firstn n c) y Hy H1) as [B _].
    lra.
  - constructor; auto.
Qed.

(** What is beyond the first n weights has the loss infinity (up), or is left out (down). *)
Definition beyond (d : mode) (n : nat) (c : list Z) : Z :=
  match d with Up => zsum (skipn n c) | Down => 0 end.

Lemma beyond_nonnegative d n c : nat_list c -> (0 <= beyond d n c)%Z.
Proof. intros. destruct d; simpl; [apply zsum_nonnegative, nat_list_skipn; auto | lia]. Qed.

Lemma lat_cut d s r : 0 <= s -> 0 <= r <= 1 -> forall n c y, 0 <= y -> nat_list c ->
  ordered d (lat s r y c) ([(IZR (beyond d n c) * s, 0)] ++ lat s r y (firstn n c)).
Proof.
  intros Hs Hr n c y Hy H.
  assert (A : forall a, 0 <= a -> exists R, curve (lat s r y c) a = curve (lat s r y (firstn n c)) a + R /\
    0 <= R <= IZR (zsum (skipn n c)) * s).
  { intros a Ha. exists (curve (lat s r (y * r ^ length (firstn n c)) (skipn n c)) a). split.
    - rewrite <- (firstn_skipn n c) at 1. now rewrite lat_app, curve_app.
    - assert (Y : 0 <= y * r ^ length (firstn n c)) by (apply Rmult_le_pos; auto; apply pow_le; lra).
      destruct (lat_moved s r a Hs Hr Ha (skipn n c) _ Y (nat_list_skipn n c H)) as [B1 B2].
      split; auto. apply Rle_trans with (1 := B2).
      rewrite <- Rmult_1_r. apply Rmult_le_compat_l.
      + apply weight_nonnegative; auto. apply zsum_nonnegative, nat_list_skipn; auto.
      + apply hinge_at_most_1; auto. apply Rmult_le_pos; auto. apply pow_le; lra. }
  destruct d; intros a Ha; destruct (A a Ha) as (R & E & B); simpl; rewrite hinge_at_0, E; simpl; lra.
Qed.

(** ** Every other point of the lattice: r becomes r^2 *)

Section Wider.
Variables (r : R) (D low : Z).
Hypothesis r_range : 0 <= r <= 1.
Hypothesis D_nonnegative : (0 <= D)%Z.
(** low 2^-D is below r. *)
Hypothesis low_nonnegative : (0 <= low)%Z.
Hypothesis low_below : IZR low <= r * IZR (2 ^ D).

(** Up: a weight at an odd point goes to both neighbours, as connecting the dots does: at least
    1 / (1 + r) of it to the one with the greater loss. [share] 2^-D is at least 1 / (1 + r). *)
Definition share : Z := (2 ^ (2 * D) / (2 ^ D + low) + 1)%Z.
Definition greater (o : Z) : Z := Z.min o (up D (o * share)).
Fixpoint wider_up (carried : Z) (c : list Z) : list Z :=
  match c with
  | nil => match carried with 0%Z => nil | _ => [carried] end
  | [e] => [(carried + e)%Z]
  | e :: o :: c => let w := greater o in (carried + e + (o - w))%Z :: wider_up w c
  end.

Lemma greater_spec o : (0 <= o)%Z ->
  (0 <= greater o <= o)%Z /\ (greater o = o \/ IZR o <= IZR (greater o) * (1 + r)).
Proof.
  intros Ho. pose proof (two_positive D D_nonnegative) as T. pose proof (two_positive_R D D_nonnegative) as T'.
  assert (S0 : (0 <= share)%Z).
  { unfold share. assert (0 <= 2 ^ (2 * D) / (2 ^ D + low))%Z; [|lia].
    apply Z.div_pos; [|lia]. apply Z.pow_nonneg; lia. }
  unfold greater. pose proof (up_nonnegative D D_nonnegative (o * share) ltac:(nia)) as U.
  split; [lia|]. destruct (Z.min_spec o (up D (o * share))) as [[_ ->] | [_ ->]]; [now left | right].
  pose proof (IZR_le _ _ (up_above D D_nonnegative (o * share))) as A. rewrite !mult_IZR in A.
  (* share (1 + r) >= 2^D *)
  assert (B : IZR (2 ^ D) <= IZR share * (1 + r)).
  { assert (Z1 : (2 ^ D * 2 ^ D <= share * (2 ^ D + low))%Z).
    { unfold share. rewrite <- Z.pow_add_r by lia. replace (D + D)%Z with (2 * D)%Z by lia.
      pose proof (Z_div_mod_eq_full (2 ^ (2 * D)) (2 ^ D + low)).
      pose proof (Z.mod_pos_bound (2 ^ (2 * D)) (2 ^ D + low) ltac:(lia)). nia. }
    apply IZR_le in Z1. rewrite !mult_IZR, plus_IZR in Z1.
    apply Rmult_le_reg_r with (IZR (2 ^ D)); auto. apply Rle_trans with (1 := Z1).
    apply IZR_le in S0. rewrite Rmult_assoc. apply Rmult_le_compat_l; lra. }
  apply Rmult_le_reg_r with (IZR (2 ^ D)); auto.
  apply IZR_le in Ho.
  pose proof (Rmult_le_compat_l _ _ _ Ho B) as B2.
  assert (C : IZR o * IZR share * (1 + r) <= IZR (up D (o * share)) * IZR (2 ^ D) * (1 + r))
    by (apply Rmult_le_compat_r; lra).
  lra.
Qed.

Lemma dots v w o a y : 0 <= a -> 0 <= y -> v + w = o -> 0 <= v -> 0 <= w -> (w = o \/ o <= w * (1 + r)) ->
  o * hinge a (y * r) <= v * hinge a y + w * hinge a (y * r * r).
Proof.
  intros Ha Hy E V W H. destruct H as [H | H].
  - assert (v = 0) by lra. subst v w. rewrite Rmult_0_l, Rplus_0_l. apply Rmult_le_compat_l; auto.
    apply hinge_decreases; auto. apply shrink; [apply Rmult_le_pos|]; lra.
  - pose proof (hinge_nonnegative a y) as P1. pose proof (hinge_nonnegative a (y * r * r)) as P2.
    pose proof (Rmult_le_pos _ _ V P1). pose proof (Rmult_le_pos _ _ W P2).
    destruct (Rle_dec (1 - a * (y * r)) 0) as [N | N].
    { assert (Z : hinge a (y * r) = 0) by (unfold hinge; now rewrite Rmax_left). rewrite Z. lra. }
    assert (Z : hinge a (y * r) = 1 - a * (y * r)) by (unfold hinge; rewrite Rmax_right; lra). rewrite Z.
    pose proof (Rmult_le_compat_l _ _ _ V (hinge_above a y)).
    pose proof (Rmult_le_compat_l _ _ _ W (hinge_above a (y * r * r))).
    assert (v + w * (r * r) <= o * r).
    { assert ((w * (1 + r) - o) * (1 - r) >= 0); [|nra]. apply Rle_ge, Rmult_le_pos; lra. }
    assert (A : 0 <= a * y) by now apply Rmult_le_pos.
    pose proof (Rmult_le_compat_l _ _ _ A H4). lra.
Qed.

Lemma wider_up_below s a : 0 <= s -> 0 <= a -> forall n c carried y, (length c <= n)%nat -> 0 <= y ->
  nat_list c -> (0 <= carried)%Z ->
  IZR carried * s * hinge a y + curve (lat s r y c) a <= curve (lat s (r * r) y (wider_up carried c)) a /\
  nat_list (wider_up carried c).
Proof.
  intros Hs Ha; induction n as [|n IH]; intros c carried y L Hy H Hc.
  - destruct c as [|e c]; [|simpl in L; lia]. simpl. destruct carried; simpl; split; try lra; repeat constructor; auto; lia.
  - destruct c as [|e [|o c]].
    + simpl. destruct carried; simpl; split; try lra; repeat constructor; auto; lia.
    + inversion_clear H. simpl. rewrite plus_IZR. split; [lra | repeat constructor; lia].
    + inversion_clear H. inversion_clear H1. destruct (greater_spec o H) as [G1 G2].
      set (w := greater o) in *.
      assert (Y2 : 0 <= y * r * r) by (repeat apply Rmult_le_pos; lra).
      destruct (IH c w (y * r * r) ltac:(simpl in L; lia) Y2 H2 ltac:(lia)) as [I1 I2].
      cbn [wider_up]. fold w. split; [|constructor; auto; lia].
      simpl. replace (y * (r * r)) with (y * r * r) by ring.
      rewrite !plus_IZR, minus_IZR.
      assert (K : IZR o * hinge a (y * r) <= (IZR o - IZR w) * hinge a y + IZR w * hinge a (y * r * r)).
      { apply dots; auto; try ring.
        - rewrite <- minus_IZR. apply IZR_le; lia.
        - apply IZR_le; lia.
        - destruct G2 as [-> | G2]; [now left | now right]. }
      pose proof (Rmult_le_compat_r s _ _ Hs K). lra.
Qed.

(** Down: from the greatest loss on, a weight at an odd point goes to the neighbour with the smaller
    loss, except for what joins the weight that came to the neighbour with the greater loss, at most r
    times that: the two have their mean there, or further down. The value at the first point, what of
    it came from its right, and the values at the following points. *)
Fixpoint wider_down (c : list Z) : Z * Z * list Z :=
  match c with
  | nil => (0, 0, nil)%Z
  | [e] => (e, 0%Z, nil)
  | e :: o :: c =>
    let '(x, came, out) := wider_down c in
    let joins := Z.min o (down D (came * low)) in
    ((e + (o - joins))%Z, (o - joins)%Z, (x + joins)%Z :: out)
  end.

Lemma join v w a y : 0 <= a -> 0 <= y -> 0 <= v -> 0 <= w -> v <= w * r ->
  (v + w) * hinge a (y * r) <= v * hinge a y + w * hinge a (y * r * r).
Proof.
  intros Ha Hy V W H.
  pose proof (hinge_nonnegative a y) as P1. pose proof (hinge_nonnegative a (y * r * r)) as P2.
  pose proof (Rmult_le_pos _ _ V P1). pose proof (Rmult_le_pos _ _ W P2).
  destruct (Rle_dec (1 - a * (y * r)) 0) as [N | N].
  { assert (Z : hinge a (y * r) = 0) by (unfold hinge; now rewrite Rmax_left). rewrite Z. lra. }
  assert (Z : hinge a (y * r) = 1 - a * (y * r)) by (unfold hinge; rewrite Rmax_right; lra). rewrite Z.
  pose proof (Rmult_le_compat_l _ _ _ V (hinge_above a y)).
  pose proof (Rmult_le_compat_l _ _ _ W (hinge_above a (y * r * r))).
  assert (v + w * (r * r) <= (v + w) * r).
  { assert ((w * r - v) * (1 - r) >= 0); [|nra]. apply Rle_ge, Rmult_le_pos; lra. }
  assert (A : 0 <= a * y) by now apply Rmult_le_pos.
  pose proof (Rmult_le_compat_l _ _ _ A H4). lra.
Qed.

Lemma wider_down_above s a : 0 <= s -> 0 <= a -> forall n c z, (length c <= n)%nat -> 0 <= z -> nat_list c ->
  let '(x, came, out) := wider_down c in
  nat_list (x :: came :: out) /\
  forall v, (0 <= v)%Z -> IZR v <= IZR came * r ->
    (IZR v + IZR x) * s * hinge a (z * r) + curve (lat s (r * r) (z * r * (r * r)) out) a
      <= IZR v * s * hinge a z + curve (lat s r (z * r) c) a.
Proof.
  intros Hs Ha; induction n as [|n IH]; intros c z L Hz H.
  - destruct c as [|e c]; [|simpl in L; lia]. simpl. split; [repeat constructor; lia|].
    intros v Hv Hc. rewrite Rmult_0_l in Hc. apply (Rle_antisym) in Hc; [|now apply IZR_le]. rewrite <- Hc. lra.
  - destruct c as [|e [|o c]].
    + simpl. split; [repeat constructor; lia|].
      intros v Hv Hc. rewrite Rmult_0_l in Hc. apply (Rle_antisym) in Hc; [|now apply IZR_le]. rewrite <- Hc. lra.
    + inversion_clear H. simpl. split; [repeat constructor; lia|].
      intros v Hv Hc. rewrite Rmult_0_l in Hc. apply (Rle_antisym) in Hc; [|now apply IZR_le]. rewrite <- Hc. lra.
    + inversion_clear H. inversion_clear H1.
      assert (Z2 : 0 <= z * r * r) by (repeat apply Rmult_le_pos; lra).
      specialize (IH c (z * r * r) ltac:(simpl in L; lia) Z2 H2). simpl wider_down.
      destruct (wider_down c) as [[x came] out]. destruct IH as [N I].
      inversion_clear N. inversion_clear H3.
      pose proof (two_positive_R D D_nonnegative) as T'.
      pose proof (down_nonnegative D (came * low) ltac:(nia)) as J0.
      set (joins := Z.min o (down D (came * low))).
      assert (J1 : (0 <= joins <= o)%Z) by lia.
      split; [repeat constructor; auto; lia|]. intros v Hv Hc.
      assert (J2 : IZR joins <= IZR came * r).
      { apply Rmult_le_reg_r with (IZR (2 ^ D)); auto.
        apply Rle_trans with (IZR (came * low)).
        - rewrite <- mult_IZR. apply IZR_le. pose proof (down_below D D_nonnegative (came * low)).
          pose proof (two_positive D D_nonnegative). nia.
        - rewrite mult_IZR, Rmult_assoc. apply Rmult_le_compat_l; auto. now apply IZR_le. }
      specialize (I joins ltac:(lia) J2). simpl.
      replace (z * r * (r * r)) with (z * r * r * r) by ring.
      replace (z * r * r * r * (r * r)) with (z * r * r * r * (r * r)) by ring.
      rewrite !plus_IZR, minus_IZR in *.
      assert (K : (IZR v + (IZR o - IZR joins)) * hinge a (z * r) <=
                  IZR v * hinge a z + (IZR o - IZR joins) * hinge a (z * r * r)).
      { apply join; auto; rewrite <- ?minus_IZR; apply IZR_le; lia. }
      pose proof (Rmult_le_compat_r s _ _ Hs K).
      rewrite (Rmult_comm (IZR joins + IZR x)), (Rplus_comm (IZR joins)) in I. lra.
Qed.

Definition wider (d : mode) (c : list Z) : list Z :=
  match d with
  | Up => wider_up 0 c
  | Down => match c with nil => nil | _ => let '(x, _, out) := wider_down c in x :: out end
  end.
End Wider.
