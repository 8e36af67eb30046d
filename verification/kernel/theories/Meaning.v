(** What is stated is not empty: an ordinary test has probabilities of acceptance, vectors may be clipped in
    every dimension, one record has the pair that the theorems speak of. And whatever integral agrees with
    the improper Riemann integral on functions >= 0, Lebesgue's for instance, may take its place in the steps
    of an adaptive mechanism: then more tests and more mechanisms have integrals. *)
From Coq Require Import Reals List Lra Lia ZArith.
From Plaudit Require Import Privacy Outputs Laws Curve Composition Normal Normalised Laplace Adaptive Noise Vectors
  VectorQueries DataSets.
Import ListNotations.
Open Scope R_scope.

(** "Is the output beyond t?" *)
Definition beyond_test (t : R) (h : list R) : R := match h with x :: _ => beyond t x | nil => 0 end.

Theorem one_step_exists sigma rate t : 0 < sigma ->
  accepts p_of (fun _ => sampled_gaussian sigma rate) 1 nil (beyond_test t)
    ((1 - rate) * upper (normal sigma) t + rate * upper (normal sigma) (t - 1)) /\
  accepts q_of (fun _ => sampled_gaussian sigma rate) 1 nil (beyond_test t) (upper (normal sigma) t).
Proof.
  intros Hs. pose proof (normal_noise sigma Hs) as N. pose proof (upper_integral _ N t) as I0.
  pose proof (upper_shifted _ N t 1) as I1.
  split; exists (fun x => beyond t x); (split; [intros x; reflexivity|]); cbn [sampled_gaussian outputs p_of q_of].
  - refine (integral_same _ _ _ _ _ (integral_sum _ _ _ _ _ (integral_scaled _ (1 - rate) _ _ I0) (integral_scaled _ rate _ _ I1))).
    intros x. ring.
  - refine (integral_same _ _ _ _ _ I0). intros x. ring.
Qed.

(** Vectors of every dimension, of which one has the length [bound]. *)
Theorem clipped_example d sigma rate bound : 0 <= bound ->
  clipped (VectorQuery (S d) sigma rate (fun b : bool => (if b then bound else 0) :: repeat 0 d)) bound.
Proof.
  intros H b. cbn. rewrite repeat_length. split; auto. unfold length_of. cbn [dot].
  assert (Z : dot (repeat 0 d) (repeat 0 d) = 0) by (induction d as [|d IH]; cbn; [auto | rewrite IH; ring]).
  rewrite Z, Rplus_0_r. destruct b; [rewrite sqrt_square; lra|]. rewrite Rmult_0_l, sqrt_0. lra.
Qed.

(** One record that contributes 1, or none: the pair of a Poisson sample, in each step. *)
Theorem pair_attained sigma rate : forall h x,
  let q := Query (normal sigma) rate (fun _ : unit => 1) in
  p_of (answers (fun _ => q) [tt] [] h) x = p_of (sampled_gaussian sigma rate) x /\
  q_of (answers (fun _ => q) [tt] [] h) x = q_of (sampled_gaussian sigma rate) x.
Proof. intros h x. cbn. rewrite Rplus_0_l, Rminus_0_r. auto. Qed.

(** Another integral on the line. *)
Theorem any_extension (M : measure) (s : step) : outputs s = line -> nonnegative_step s ->
  (forall f v, (forall x, 0 <= f x) -> integral line f v -> integral M f v) ->
  no_worse (Step M (p_of s) (q_of s)) s.
Proof.
  intros E N H. split; [exact N|]. intros V D a Ha. destruct (D a Ha) as (G & c & H1 & H2 & H3 & H4).
  exists G, c. rewrite E in H3. auto.
Qed.
