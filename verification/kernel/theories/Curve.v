(** Finite laws of the privacy loss: weights w at y = exp(-loss), and their curves
    delta(a) = sum of w (1 - a y)_+. The product of two laws is the law of the sum of their losses.
    Everything here is about finite sums. *)
From Coq Require Import Reals List Lra.
Import ListNotations.
Open Scope R_scope.

Definition law := list (R * R).
Definition hinge (a y : R) : R := Rmax 0 (1 - a * y).
Fixpoint curve (W : law) (a : R) : R :=
  match W with nil => 0 | (w, y) :: W => w * hinge a y + curve W a end.
Definition nonnegative (W : law) : Prop := Forall (fun wy => 0 <= fst wy /\ 0 <= snd wy) W.
Definition scale (w y : R) (V : law) : law := map (fun vz => (w * fst vz, y * snd vz)) V.
Fixpoint conv (W V : law) : law :=
  match W with nil => nil | (w, y) :: W => scale w y V ++ conv W V end.
Definition one : law := [(1, 1)].
Fixpoint power (V : law) (n : nat) : law :=
  match n with O => one | S n => conv (power V n) V end.
Fixpoint product (Vs : list law) : law :=
  match Vs with nil => one | V :: Vs => conv (product Vs) V end.

(** W's curve is nowhere above V's. *)
Definition below (W V : law) : Prop := forall a, 0 <= a -> curve W a <= curve V a.

Lemma hinge_nonnegative a y : 0 <= hinge a y.
Proof. apply Rmax_l. Qed.

Lemma hinge_above a y : 1 - a * y <= hinge a y.
Proof. apply Rmax_r. Qed.

Lemma hinge_at_most_1 a y : 0 <= a -> 0 <= y -> hinge a y <= 1.
Proof. intros Ha Hy. apply Rmax_lub; [lra|]. pose proof (Rmult_le_pos _ _ Ha Hy). lra. Qed.

Lemma hinge_at_0 a : hinge a 0 = 1.
Proof. unfold hinge. rewrite Rmult_0_r, Rmax_right; lra. Qed.

Lemma hinge_of_0 y : hinge 0 y = 1.
Proof. unfold hinge. rewrite Rmult_0_l, Rmax_right; lra. Qed.

Lemma hinge_decreases a y z : 0 <= a -> y <= z -> hinge a z <= hinge a y.
Proof.
  intros Ha H. apply Rmax_lub; [apply Rmax_l|]. apply Rle_trans with (2 := Rmax_r _ _).
  pose proof (Rmult_le_compat_l a _ _ Ha H). lra.
Qed.

Lemma curve_app W V a : curve (W ++ V) a = curve W a + curve V a.
Proof. induction W as [|[w y] W IH]; simpl; [ring | rewrite IH; ring]. Qed.

Lemma curve_scale w y V a : curve (scale w y V) a = w * curve V (a * y).
Proof.
  induction V as [|[v z] V IH]; simpl; [ring|]. fold (scale w y V).
  rewrite IH. unfold hinge. replace (a * (y * z)) with (a * y * z) by ring. ring.
Qed.

Lemma nonnegative_app W V : nonnegative W -> nonnegative V -> nonnegative (W ++ V).
Proof. intros; now apply Forall_app. Qed.

Lemma nonnegative_scale w y V : 0 <= w -> 0 <= y -> nonnegative V -> nonnegative (scale w y V).
Proof.
  intros Hw Hy HV; induction HV as [|[v z] V [H1 H2] HV IH]; simpl; constructor; simpl in *; auto.
  split; apply Rmult_le_pos; auto.
Qed.

Lemma nonnegative_conv W V : nonnegative W -> nonnegative V -> nonnegative (conv W V).
Proof.
  intros HW HV; induction HW as [|[w y] W [H1 H2] HW IH]; simpl; [constructor|].
  apply nonnegative_app; [apply nonnegative_scale|]; auto.
Qed.

Lemma nonnegative_one : nonnegative one.
Proof. repeat constructor; simpl; lra. Qed.

Lemma nonnegative_product Vs : Forall nonnegative Vs -> nonnegative (product Vs).
Proof. induction 1; simpl; auto using nonnegative_one, nonnegative_conv. Qed.

Lemma nonnegative_power V n : nonnegative V -> nonnegative (power V n).
Proof. intros HV; induction n; simpl; auto using nonnegative_one, nonnegative_conv. Qed.

Lemma curve_nonnegative W a : nonnegative W -> 0 <= curve W a.
Proof.
  intros HW; induction HW as [|[w y] W [H1 H2] HW IH]; simpl in *; [lra|].
  pose proof (Rmult_le_pos _ _ H1 (hinge_nonnegative a y)). lra.
Qed.

(** ** The product is associative and commutative, and keeps the order of curves *)

Lemma curve_conv W V a :
  curve (conv W V) a = fold_right (fun wy s => fst wy * curve V (a * snd wy) + s) 0 W.
Proof. induction W as [|[w y] W IH]; simpl; auto. now rewrite curve_app, curve_scale, IH. Qed.

Lemma conv_app_l W1 W2 V a : curve (conv (W1 ++ W2) V) a = curve (conv W1 V) a + curve (conv W2 V) a.
Proof. induction W1 as [|[w y] W IH]; simpl; [ring|]. rewrite !curve_app, IH. ring. Qed.

Lemma conv_cons_r W v z V a : curve (conv W ((v, z) :: V)) a = v * curve W (a * z) + curve (conv W V) a.
Proof.
  induction W as [|[w y] W IH]; simpl; [ring|]. fold (scale w y V). rewrite !curve_app, IH.
  unfold hinge. replace (a * (y * z)) with (a * z * y) by ring. ring.
Qed.

Lemma conv_comm W V a : curve (conv W V) a = curve (conv V W) a.
Proof.
  induction W as [|[w y] W IH]; simpl.
  - induction V as [|[v z] V IH]; simpl; auto.
  - rewrite conv_cons_r, curve_app, curve_scale, IH. reflexivity.
Qed.

Lemma conv_app_r W V1 V2 a : curve (conv W (V1 ++ V2)) a = curve (conv W V1) a + curve (conv W V2) a.
Proof. now rewrite conv_comm, conv_app_l, (conv_comm V1), (conv_comm V2). Qed.

Lemma conv_one_r W a : curve (conv W one) a = curve W a.
Proof.
  unfold one. rewrite conv_cons_r, Rmult_1_r. replace (curve (conv W nil) a) with 0; [ring|].
  induction W as [|[w y] W IH]; simpl; auto.
Qed.

Lemma conv_assoc W V Z a : curve (conv (conv W V) Z) a = curve (conv W (conv V Z)) a.
Proof.
  induction W as [|[w y] W IH]; simpl; auto.
  rewrite conv_app_l, curve_app, IH, curve_scale. f_equal.
  clear. induction V as [|[v z] V IH]; simpl; [ring|].
  fold (scale w y V). rewrite !curve_app, IH, !curve_scale.
  replace (a * (y * z)) with (a * y * z) by ring. ring.
Qed.

Lemma below_refl W : below W W.
Proof. intros a _; lra. Qed.
Lemma below_trans W V Z : below W V -> below V Z -> below W Z.
Proof. intros H1 H2 a Ha. apply Rle_trans with (1 := H1 a Ha); auto. Qed.
Lemma below_equal W V : (forall a, curve W a = curve V a) -> below W V.
Proof. intros E a _. now rewrite E; right. Qed.

Lemma below_conv_r W V V' : nonnegative W -> below V V' -> below (conv W V) (conv W V').
Proof.
  intros HW H a Ha. rewrite !curve_conv. induction HW as [|[w y] W [H1 H2] HW IH]; simpl in *; [lra|].
  assert (Q : 0 <= a * y) by now apply Rmult_le_pos.
  pose proof (Rmult_le_compat_l _ _ _ H1 (H _ Q)). lra.
Qed.

Lemma below_conv_l W W' V : nonnegative V -> below W W' -> below (conv W V) (conv W' V).
Proof. intros HV H a Ha. rewrite (conv_comm W), (conv_comm W'). now apply below_conv_r. Qed.

Lemma below_app W W' V V' : below W W' -> below V V' -> below (W ++ V) (W' ++ V').
Proof. intros H1 H2 a Ha. rewrite !curve_app. specialize (H1 a Ha); specialize (H2 a Ha). lra. Qed.

Lemma conv_ext_r W V V' a : (forall b, curve V b = curve V' b) -> curve (conv W V) a = curve (conv W V') a.
Proof. intros E. rewrite !curve_conv. induction W as [|[w y] W IH]; simpl; auto. now rewrite E, IH. Qed.

Lemma conv_ext_l W W' V a : (forall b, curve W b = curve W' b) -> curve (conv W V) a = curve (conv W' V) a.
Proof. intros E. rewrite (conv_comm W), (conv_comm W'). now apply conv_ext_r. Qed.

Lemma product_app Vs Ws a : curve (product (Vs ++ Ws)) a = curve (conv (product Vs) (product Ws)) a.
Proof.
  revert a; induction Vs as [|V Vs IH]; intros a; simpl app.
  - simpl product. rewrite conv_comm. now rewrite conv_one_r.
  - simpl product. rewrite conv_comm, curve_conv.
    transitivity (curve (conv V (conv (product Vs) (product Ws))) a).
    + rewrite curve_conv. induction V as [|[v y] V IHV]; simpl; auto. now rewrite IH, IHV.
    + rewrite <- conv_assoc. apply conv_ext_l. intros b. apply conv_comm.
Qed.
