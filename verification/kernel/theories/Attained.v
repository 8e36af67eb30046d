(** Lower ends on data sets. Where the pairs of densities of Laws.v are not private, neither are queries to
    data sets: one record contributes as much as it may, or is missing, and what is done with the answers
    (to look at the first coordinate, in units of the bound) makes the pair of densities of them. *)
From Coq Require Import Reals ZArith List Lia Lra.
From Plaudit Require Import Privacy Outputs Laws Normal Runs Laplace Adaptive Noise Rotation Vectors DataSets VectorQueries.
Import List ListNotations.
Open Scope R_scope.

(** ** Outputs made of outputs *)

(** A function of the outputs of s' has the two densities of s: whatever has an integral under these has the
    same one under those of s'. *)
Definition carried {Output Output'} (g : Output' -> Output) (s : step_on Output) (s' : step_on Output') : Prop := forall f v,
  (integral (outputs s) (fun x => p_of s x * f x) v -> integral (outputs s') (fun y => p_of s' y * f (g y)) v) /\
  (integral (outputs s) (fun x => q_of s x * f x) v -> integral (outputs s') (fun y => q_of s' y * f (g y)) v).

Lemma carried_swapped {Output Output'} (g : Output' -> Output) s s' : carried g s s' -> carried g (swapped s) (swapped s').
Proof. intros H f v. destruct (H f v). now split. Qed.

Lemma carried_same {Output Output'} (g : Output' -> Output) m p q p' q' s' : (forall x, p x = p' x) -> (forall x, q x = q' x) ->
  carried g (Step m p q) s' -> carried g (Step m p' q') s'.
Proof.
  intros Ep Eq H f v. destruct (H f v) as [K L]. cbn [outputs p_of q_of] in *. split; intros I; [apply K | apply L];
    revert I; apply integral_same; intros x; [now rewrite Ep | now rewrite Eq].
Qed.

Lemma carried_to_same {Output Output'} (g : Output' -> Output) m p q p' q' s : (forall x, p x = p' x) -> (forall x, q x = q' x) ->
  carried g s (Step m p q) -> carried g s (Step m p' q').
Proof.
  intros Ep Eq H f v. destruct (H f v) as [K L]. cbn [outputs p_of q_of] in *.
  split; intros I; [specialize (K I); revert K | specialize (L I); revert L]; apply integral_same; intros x; [now rewrite Ep | now rewrite Eq].
Qed.

Section Histories.
Context {Output Output' : Type}.
(** What is made of an output, given those before it. *)
Variable g : list Output' -> Output' -> Output.

Fixpoint made_of (h : list Output') : list Output := match h with nil => nil | y :: h => g h y :: made_of h end.

Lemma made_of_length h : length (made_of h) = length h.
Proof. induction h; simpl; auto. Qed.

Lemma carried_accepts (side : step_on Output -> Output -> R) (side' : step_on Output' -> Output' -> R)
    (m : mechanism_on Output) (m' : mechanism_on Output') n test :
  (forall h, (length h < n)%nat -> forall f v, integral (outputs (m (made_of h))) (fun x => side (m (made_of h)) x * f x) v ->
    integral (outputs (m' h)) (fun y => side' (m' h) y * f (g h y)) v) ->
  forall k h v, (length h + k <= n)%nat -> accepts side m k (made_of h) test v ->
  accepts side' m' k h (fun h => test (made_of h)) v.
Proof.
  intros H. induction k as [|k IH]; intros h v L; [auto|]. intros (f & A & I). exists (fun y => f (g h y)). split.
  - intros y. apply IH; [simpl; lia|]. apply A.
  - apply H; [lia | exact I].
Qed.

(** What makes a mechanism of the answers of another one is no attack that this one does not have. *)
Theorem carried_private (m : mechanism_on Output) (m' : mechanism_on Output') n a delta :
  (forall h, (length h < n)%nat -> carried (g h) (m (made_of h)) (m' h)) -> private m' n a delta -> private m n a delta.
Proof.
  intros H P test Ht u w Hu Hw. apply (P (fun h => test (made_of h))); [intros h; apply Ht| |].
  - apply (carried_accepts p_of p_of m m' n test) with (h := nil); auto. intros h L f v. apply (H h L).
  - apply (carried_accepts q_of q_of m m' n test) with (h := nil); auto. intros h L f v. apply (H h L).
Qed.
End Histories.

(** One step, again and again. *)
Lemma carried_once {Output'} (g : Output' -> R) s (m' : mechanism_on Output') n a delta : (forall h, carried g s (m' h)) ->
  ~ private (sequence (repeated [s] [n]) s) (total_count [n]) a delta -> ~ private m' n a delta.
Proof.
  intros H N P. apply N. replace (total_count [n]) with n by (simpl; lia).
  refine (carried_private (fun _ => g) _ m' n a delta _ P). intros h _. rewrite repeated_once. apply H.
Qed.

(** ** One record *)

(** A number: one record that contributes [bound], with noise that is [bound] times as wide as that of the step. *)
Lemma number_carried f wide rate bound : 0 < bound -> (forall x, wide x = f (x / bound) / bound) ->
  carried (fun x => x / bound) (sampled_shift f rate 1)
    (Step line (fun x => (1 - rate) * wide x + rate * wide (x - bound)) wide).
Proof.
  intros Hb E k v. cbn [sampled_shift outputs p_of q_of].
  split; intros I; apply (line_scaled _ bound _ Hb) in I; revert I; apply integral_same; intros x.
  - rewrite (scaled_shift f wide rate bound x Hb E). field. lra.
  - rewrite E. field. lra.
Qed.

(** ** Vectors *)

(** The vector of the length [bound] on the first axis, of the dimension S d. *)
Definition on_first_axis (bound : R) (d : nat) : list R := bound :: zero_vector d.

Lemma moved_by_zero d : moved (zero_vector d) (zero_vector d) = zero_vector d.
Proof. unfold zero_vector. induction d as [|d IH]; simpl; auto. now rewrite IH, Rplus_0_r. Qed.

Lemma first_axis_length bound d : length (on_first_axis bound d) = S d.
Proof. unfold on_first_axis, zero_vector. simpl. now rewrite repeat_length. Qed.

Lemma first_axis_bounded bound d : 0 <= bound -> length_of (on_first_axis bound d) = bound.
Proof.
  intros H. unfold length_of, on_first_axis. cbn [dot].
  assert (Z : dot (zero_vector d) (zero_vector d) = 0) by (unfold zero_vector; induction d as [|d IH]; cbn; [auto | rewrite IH; ring]).
  now rewrite Z, Rplus_0_r, sqrt_square.
Qed.

(** Noise in the other coordinates is of no use to the test. *)
Lemma first_coordinate sigma d (P : list R -> R) (k : R -> R) : 0 < sigma ->
  (forall x y, P (x :: y) = k x * normals sigma (zero_vector d) y) -> forall f v,
  integral line (fun x => k x * f x) v -> integral (space (S d)) (fun y => P y * f (hd 0 y)) v.
Proof.
  intros Hs E f v I. exists (fun x => k x * f x). split; auto. intros x.
  pose proof (normals_total sigma Hs (zero_vector d)) as T. unfold zero_vector in T at 1. rewrite repeat_length in T.
  pose proof (integral_scaled (space d) (k x * f x) _ _ T) as J. rewrite Rmult_1_r in J. cbn [space integral] in J.
  revert J. apply iterated_same. intros y. rewrite E. cbn [hd]. ring.
Qed.

Section Vectors.
Context {A : Type}.
Variables (r : A) (sigma rate bound : R) (d : nat).
Hypothesis sigma_positive : 0 < sigma.
Hypothesis bound_positive : 0 < bound.

Definition one_vector : vector_query A := VectorQuery (S d) (sigma * bound) rate (fun _ => on_first_axis bound d).

Lemma one_vector_clipped : clipped one_vector bound.
Proof.
  intros x. cbn [one_vector vector_of dimension_of]. split; [apply first_axis_length|].
  rewrite first_axis_bounded; lra.
Qed.

(** One record, or none. *)
Lemma one_vector_carried : carried (fun y => hd 0 y / bound) (sampled_gaussian sigma rate)
  (Step (space (dimension_of one_vector)) (vector_answer one_vector [r]) (vector_answer one_vector [])).
Proof.
  assert (Hsb : 0 < sigma * bound) by now apply Rmult_lt_0_compat.
  pose proof (number_carried (normal sigma) (normal (sigma * bound)) rate bound bound_positive
    (fun x => normal_scaled sigma bound x sigma_positive bound_positive)) as C.
  intros f v. destruct (C f v) as [Cp Cq]. cbn [outputs p_of q_of sampled_shift sampled_gaussian] in *. split; intros I.
  - refine (first_coordinate (sigma * bound) d (vector_answer one_vector [r]) _ Hsb _ (fun x => f (x / bound)) v (Cp I)).
    intros x y. unfold vector_answer, one_vector. cbn [map noisy_vector_sum dimension_of deviation_of sampled_with vector_of].
    unfold zero_vector at 1 2, on_first_axis. cbn [repeat moved normals]. fold (zero_vector d). rewrite moved_by_zero.
    rewrite Rplus_0_l, Rminus_0_r. ring.
  - refine (first_coordinate (sigma * bound) d (vector_answer one_vector []) _ Hsb _ (fun x => f (x / bound)) v (Cq I)).
    intros x y. unfold vector_answer, one_vector. cbn [map noisy_vector_sum dimension_of deviation_of].
    unfold zero_vector at 1. cbn [repeat normals]. fold (zero_vector d). now rewrite Rminus_0_r.
Qed.
End Vectors.

(** The pair s is that of one record or none, of all dimensions and bounds. *)
Definition vector_attains (s : step) (sigma rate : R) : Prop := forall (A : Type) (r : A) bound d, 0 < bound ->
  carried (fun y => hd 0 y / bound) s (Step (space (S d))
    (vector_answer (one_vector sigma rate bound d) [r]) (vector_answer (one_vector (A := A) sigma rate bound d) [])).

Theorem sampled_gaussian_attained sigma rate : 0 < sigma -> vector_attains (sampled_gaussian sigma rate) sigma rate.
Proof. intros Hs A r bound d Hb. now apply one_vector_carried. Qed.

(** Without sampling. *)
Theorem gaussian_attained sigma : 0 < sigma -> vector_attains (gaussian sigma) sigma 1.
Proof.
  intros Hs A r bound d Hb. pose proof (one_vector_carried r sigma 1 bound d Hs Hb) as C. revert C.
  apply carried_same; intros x; cbn; auto; ring.
Qed.

Lemma one_more_than_none {A} (r : A) : one_more [r] [].
Proof. now exists [], r, []. Qed.

Section Attained.
Variables (s : step) (sigma rate : R) (n : nat) (a delta : R).
Hypothesis attains : vector_attains s sigma rate.
Variables (Record : Type) (r : Record) (d : nat) (bound : R).
Hypothesis d_positive : (0 < d)%nat.
Hypothesis bound_positive : 0 < bound.

(** In every dimension, for every bound, and whatever the records are, if there is one: a vector of each of them
    for which this epsilon and delta do not hold. *)
Theorem vectors_not_remove_private : ~ private (sequence (repeated [s] [n]) s) (total_count [n]) a delta ->
  exists vector : Record -> list R, clipped (VectorQuery d (sigma * bound) rate vector) bound /\
    ~ vectors_remove_private (fun h => VectorQuery d (sigma * bound) rate vector) n a delta.
Proof.
  intros N. destruct d as [|d']; [lia|]. exists (fun _ => on_first_axis bound d').
  split; [now apply one_vector_clipped|]. intros P.
  apply (carried_once _ s _ n a delta (fun _ => attains Record r bound d' bound_positive) N).
  exact (P _ _ (one_more_than_none r)).
Qed.

Theorem vectors_not_add_private :
  ~ private (sequence (repeated [swapped s] [n]) (swapped s)) (total_count [n]) a delta ->
  exists vector : Record -> list R, clipped (VectorQuery d (sigma * bound) rate vector) bound /\
    ~ vectors_add_private (fun h => VectorQuery d (sigma * bound) rate vector) n a delta.
Proof.
  intros N. destruct d as [|d']; [lia|]. exists (fun _ => on_first_axis bound d').
  split; [now apply one_vector_clipped|]. intros P.
  apply (carried_once _ (swapped s) _ n a delta (fun _ => carried_swapped _ _ _ (attains Record r bound d' bound_positive)) N).
  exact (P _ _ (one_more_than_none r)).
Qed.
End Attained.

(** ** Numbers *)

(** The same for numbers of at most [bound] in absolute value, and noise of the density [noise bound]. *)
Definition number_attains (s : step) (noise : R -> R -> R) (rate : R) : Prop := forall (A : Type) (r : A) bound, 0 < bound ->
  let q := Query (noise bound) rate (fun _ : A => bound) in
  carried (fun x => x / bound) s (Step line (answer q [r]) (answer q [])).

Theorem sampled_laplace_attained b rate : 0 < b ->
  number_attains (sampled_laplace b rate) (fun bound => laplace_density (b * bound)) rate.
Proof.
  intros Hs A r bound Hb q. pose proof (number_carried (laplace_density b) (laplace_density (b * bound)) rate bound Hb
    (fun x => laplace_scaled b bound x Hs Hb)) as C. revert C.
  apply carried_to_same; intros x; unfold answer, q; cbn [map noisy_sum noise_of rate_of contribution_of];
    now rewrite ?Rplus_0_l, Rminus_0_r.
Qed.

Theorem laplace_attained b : 0 < b -> number_attains (laplace b) (fun bound => laplace_density (b * bound)) 1.
Proof.
  intros Hs A r bound Hb q. pose proof (sampled_laplace_attained b 1 Hs A r bound Hb) as C. revert C.
  apply carried_same; intros x; cbn; auto; ring.
Qed.

Section NumbersAttained.
Variables (s : step) (noise : R -> R -> R) (rate : R) (n : nat) (a delta : R).
Hypothesis attains : number_attains s noise rate.
Variables (Record : Type) (r : Record) (bound : R).
Hypothesis bound_positive : 0 < bound.

Theorem numbers_not_remove_private : ~ private (sequence (repeated [s] [n]) s) (total_count [n]) a delta ->
  exists number : Record -> R, (forall x, Rabs (number x) <= bound) /\
    ~ remove_private (fun h => Query (noise bound) rate number) n a delta.
Proof.
  intros N. exists (fun _ => bound). split; [intros _; rewrite Rabs_pos_eq; lra|]. intros P.
  apply (carried_once _ s _ n a delta (fun _ => attains Record r bound bound_positive) N).
  exact (P _ _ (one_more_than_none r)).
Qed.

Theorem numbers_not_add_private :
  ~ private (sequence (repeated [swapped s] [n]) (swapped s)) (total_count [n]) a delta ->
  exists number : Record -> R, (forall x, Rabs (number x) <= bound) /\
    ~ add_private (fun h => Query (noise bound) rate number) n a delta.
Proof.
  intros N. exists (fun _ => bound). split; [intros _; rewrite Rabs_pos_eq; lra|]. intros P.
  apply (carried_once _ (swapped s) _ n a delta (fun _ => carried_swapped _ _ _ (attains Record r bound bound_positive)) N).
  exact (P _ _ (one_more_than_none r)).
Qed.
End NumbersAttained.
