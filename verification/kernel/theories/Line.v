(** Intervals of the real line: indicators, integrals over them, and tails that have an antiderivative. *)
From Coq Require Import Reals List Lra.
From Coquelicot Require Import Coquelicot.
From Plaudit Require Import Privacy Outputs.
Open Scope R_scope.

(** The indicator of a < x <= b. *)
Definition interval (a b x : R) : R :=
  if Rlt_dec a x then if Rle_dec x b then 1 else 0 else 0.

Lemma interval_in a b x : a < x <= b -> interval a b x = 1.
Proof. intros H. unfold interval. destruct (Rlt_dec a x), (Rle_dec x b); lra. Qed.
Lemma interval_out a b x : x <= a \/ b < x -> interval a b x = 0.
Proof. intros H. unfold interval. destruct (Rlt_dec a x), (Rle_dec x b); lra. Qed.
Lemma interval_split a b c x : a <= b <= c -> interval a c x = interval a b x + interval b c x.
Proof.
  intros H. unfold interval.
  destruct (Rlt_dec a x), (Rle_dec x c), (Rle_dec x b), (Rlt_dec b x); lra.
Qed.

Lemma integral_of_zero (f : R -> R) a b : a <= b -> (forall x, a < x < b -> f x = 0) -> is_RInt f a b 0.
Proof.
  intros Hab H. apply (is_RInt_ext (fun _ => 0)).
  - rewrite Rmin_left, Rmax_right by auto. intros x Hx. now rewrite H.
  - pose proof (is_RInt_const a b 0) as Z. unfold scal in Z; simpl in Z. unfold mult in Z; simpl in Z.
    now rewrite Rmult_0_r in Z.
Qed.

Lemma integral_interval (f : R -> R) (a b v : R) : a < b -> is_RInt f a b v ->
  integral line (fun x => interval a b x * f x) v.
Proof.
  intros Hab H. simpl. intros P HP. simpl.
  exists (fun x => x < a) (fun x => b < x); [exists a; auto | exists b; auto |].
  intros x y Hx Hy. simpl. exists v. split; [|now apply locally_singleton].
  assert (E : (v : R) = 0 + (v : R) + 0) by (rewrite Rplus_0_l, Rplus_0_r; reflexivity).
  rewrite E. apply (is_RInt_Chasles (V := R_NormedModule) _ x b y (0 + v) 0).
  - apply (is_RInt_Chasles (V := R_NormedModule) _ x a b 0 v).
    + apply integral_of_zero; [lra|]. intros z Hz. rewrite interval_out by lra. apply Rmult_0_l.
    + apply (is_RInt_ext f); auto. rewrite Rmin_left, Rmax_right by lra.
      intros z Hz. rewrite interval_in by lra. symmetry; apply Rmult_1_l.
  - apply integral_of_zero; [lra|]. intros z Hz. rewrite interval_out by lra. apply Rmult_0_l.
Qed.

Section Tail.
Variables (f F : R -> R).
Hypothesis derivative : forall x, is_derive F x (f x).
Hypothesis continuity : forall x, continuous f x.

Lemma tail_right b : filterlim F (Rbar_locally p_infty) (locally 0) ->
  integral line (fun x => if Rlt_dec b x then f x else 0) (0 - F b).
Proof.
  intros L. simpl. intros P HP.
  assert (L2 : filterlim (fun y => F y - F b) (Rbar_locally p_infty) (locally (0 - F b))).
  { apply (filterlim_comp_2 (F := Rbar_locally p_infty) (G := locally 0) (H := locally (- F b)) F (fun _ => - F b) Rplus); auto.
    - apply filterlim_const.
    - exact (filterlim_plus (V := R_NormedModule) 0 (- F b)). }
  specialize (L2 P HP). destruct L2 as [M HM].
  exists (fun x => x < b) (fun y => Rmax M b < y); [exists b; auto | exists (Rmax M b); auto |].
  intros x y Hx Hy. simpl. exists (F y - F b).
  pose proof (Rmax_l M b). pose proof (Rmax_r M b).
  split; [|apply HM; lra].
  assert (E : F y - F b = 0 + (F y - F b)) by ring. rewrite E.
  apply (is_RInt_Chasles (V := R_NormedModule) _ x b y 0 (F y - F b)).
  - apply integral_of_zero; [lra|]. intros z Hz. destruct (Rlt_dec b z); lra.
  - apply (is_RInt_ext (V := R_NormedModule) f).
    + rewrite Rmin_left, Rmax_right by lra. intros z Hz. destruct (Rlt_dec b z); [reflexivity | lra].
    + apply (is_RInt_derive (V := R_CompleteNormedModule) F f); intros; auto.
Qed.

Lemma tail_left a : filterlim F (Rbar_locally m_infty) (locally 0) ->
  integral line (fun x => if Rlt_dec a x then 0 else f x) (F a - 0).
Proof.
  intros L. simpl. intros P HP.
  assert (L2 : filterlim (fun y => F a - F y) (Rbar_locally m_infty) (locally (F a - 0))).
  { apply (filterlim_comp_2 (F := Rbar_locally m_infty) (G := locally (F a)) (H := locally (- 0)) (fun _ => F a) (fun y => - F y) Rplus); auto.
    - apply filterlim_const.
    - apply (filterlim_comp _ _ _ F Ropp _ (locally 0)); auto. exact (filterlim_opp (V := R_NormedModule) 0).
    - exact (filterlim_plus (V := R_NormedModule) (F a) (- 0)). }
  specialize (L2 P HP). destruct L2 as [M HM].
  exists (fun x => x < Rmin M a) (fun y => a < y); [exists (Rmin M a); auto | exists a; auto |].
  intros x y Hx Hy. simpl. exists (F a - F x).
  pose proof (Rmin_l M a). pose proof (Rmin_r M a).
  split; [|apply HM; lra].
  assert (E : F a - F x = (F a - F x) + 0) by ring. rewrite E.
  apply (is_RInt_Chasles (V := R_NormedModule) _ x a y (F a - F x) 0).
  - apply (is_RInt_ext (V := R_NormedModule) f).
    + rewrite Rmin_left, Rmax_right by lra. intros z Hz. destruct (Rlt_dec a z); [lra | reflexivity].
    + apply (is_RInt_derive (V := R_CompleteNormedModule) F f); intros; auto.
  - apply integral_of_zero; [lra|]. intros z Hz. destruct (Rlt_dec a z); lra.
Qed.
End Tail.
