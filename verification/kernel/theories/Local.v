(** Mechanisms that look at each record once. Where the two data sets differ in one record, only one step has
    two different densities, and the whole is as private as that step (parallel composition). So local privacy:
    where each record's own answer, which may depend on all answers before it, is (epsilon, delta)-private
    between any two records, all answers together are. *)
From Coq Require Import Reals ZArith List Lia Lra Bool.
From Plaudit Require Import Privacy Outputs Laws Curve Composition Pure Adaptive DataSets Values.
Import List ListNotations.
Open Scope R_scope.

(** ** What is stated *)

(** Record number i gives answer number i, given the answers before it (the latest first): where its answers
    are, and their density. *)
Record randomizer (A : Type) := Randomizer { answers_in : list R -> measure; density_of : list R -> A -> R -> R }.
Arguments Randomizer {A}. Arguments answers_in {A}. Arguments density_of {A}.

Definition local_answers {A} (r : randomizer A) (D D' : list A) (default : A) : mechanism := fun h =>
  Step (answers_in r h) (density_of r h (nth (length h) D default)) (density_of r h (nth (length h) D' default)).

(** ** One step that differs *)

Definition same_step (s : step) : Prop :=
  nonnegative_step s /\ (forall x, p_of s x = q_of s x) /\ integral (outputs s) (p_of s) 1.

Lemma same_dominated s : same_step s -> dominated s one.
Proof.
  intros (N & E & I) a Ha. exists (fun x => hinge a 1 * p_of s x), (hinge a 1 * 1). split; [|split; [|split]].
  - intros x. destruct (N x) as [P _]. apply Rmult_le_pos; auto. apply hinge_nonnegative.
  - intros x. rewrite <- E. destruct (N x) as [P _]. pose proof (hinge_above a 1) as H. rewrite Rmult_1_r in H.
    apply (Rmult_le_compat_r (p_of s x)) in H; auto. lra.
  - now apply integral_scaled.
  - simpl. lra.
Qed.

Section Once.
Variables (k : nat) (V : law).
Definition its_law (i : nat) : law := if Nat.eqb i k then V else one.

Lemma product_without n : forall i, (k < i \/ i + n <= k)%nat -> forall a, curve (product (map its_law (seq i n))) a = curve one a.
Proof.
  induction n as [|n IH]; intros i H a; [reflexivity|]. cbn [seq map product]. unfold its_law at 2.
  replace (Nat.eqb i k) with false by (symmetry; apply Nat.eqb_neq; lia). rewrite conv_one_r. apply IH. lia.
Qed.

Lemma product_once n : forall i, (i <= k < i + n)%nat -> forall a, curve (product (map its_law (seq i n))) a = curve V a.
Proof.
  induction n as [|n IH]; intros i H a; [lia|]. cbn [seq map product]. unfold its_law at 2.
  destruct (Nat.eqb i k) eqn:E.
  - apply Nat.eqb_eq in E. rewrite (conv_ext_l _ one).
    + rewrite conv_comm. apply conv_one_r.
    + intros b. apply product_without. lia.
  - apply Nat.eqb_neq in E. rewrite conv_one_r. apply IH. lia.
Qed.

Theorem once_private (m : mechanism) n : (k < n)%nat -> nonnegative V ->
  (forall h, length h = k -> nonnegative_step (m h) /\ dominated (m h) V) ->
  (forall h, length h <> k -> (length h < n)%nat -> same_step (m h)) ->
  forall a, 0 <= a -> private m n a (curve V a).
Proof.
  intros Hk HV H1 H2 a Ha. rewrite <- (product_once n 0 ltac:(lia) a).
  replace n with (length (map its_law (seq 0 n))) at 1 by now rewrite map_length, seq_length.
  apply composition; auto.
  - apply Forall_map, Forall_forall. intros i _. unfold its_law. destruct (Nat.eqb i k); auto using nonnegative_one.
  - assert (G : forall j h, (length h + j <= n)%nat -> dominated_run m h (map its_law (seq (length h) j))).
    { induction j as [|j IH]; intros h L; [exact I|]. cbn [seq map dominated_run]. unfold its_law at 1.
      destruct (Nat.eqb (length h) k) eqn:E.
      - apply Nat.eqb_eq in E. destruct (H1 h E). split; auto. split; auto.
        intros x. apply (IH (x :: h)). simpl. lia.
      - apply Nat.eqb_neq in E. pose proof (H2 h E ltac:(lia)) as S. split; [apply S|]. split; [now apply same_dominated|].
        intros x. apply (IH (x :: h)). simpl. lia. }
    apply (G n nil). simpl. lia.
Qed.
End Once.

(** ** Local privacy *)

(** The law of leaking randomized response, which has its curve. *)
Definition response_law (A delta : R) : law :=
  [(delta, 0); ((1 - delta) * A / (1 + A), / A); ((1 - delta) / (1 + A), A)].

Lemma response_law_curve A delta a : 0 < A -> curve (response_law A delta) a = response_curve A delta a.
Proof.
  intros HA. unfold response_curve, response_law. cbn [curve]. rewrite hinge_at_0. unfold hinge.
  replace (Rmax 0 (A - a)) with (A * Rmax 0 (1 - a * / A)).
  - field. lra.
  - rewrite <- Rmax_scaled by lra. f_equal. field. lra.
Qed.

Lemma response_law_nonnegative A delta : 0 < A -> 0 <= delta <= 1 -> nonnegative (response_law A delta).
Proof.
  intros HA Hd. assert (I : 0 < / (1 + A)) by (apply Rinv_0_lt_compat; lra). assert (J : 0 < / A) by now apply Rinv_0_lt_compat.
  apply Forall_forall. intros wy [<- | [<- | [<- | []]]]; cbn [fst snd]; unfold Rdiv; split; repeat apply Rmult_le_pos; lra.
Qed.

Lemma approximate_dominated {Output} eps delta (s : step_on Output) : 0 <= eps -> approximate_step eps delta s -> dominated s (response_law (exp eps) delta).
Proof.
  intros He H a Ha. destruct (approximate_curve eps delta s He H a Ha) as (G & c & H1 & H2 & H3 & H4).
  exists G, c. repeat split; auto. now rewrite response_law_curve by apply exp_pos.
Qed.

Lemma response_law_at A delta : 1 <= A -> curve (response_law A delta) A = delta.
Proof.
  intros HA. rewrite response_law_curve by lra. unfold response_curve.
  assert (L : 1 <= A * A) by (rewrite <- (Rmult_1_r 1); apply Rmult_le_compat; lra).
  rewrite !Rmax_left by lra. ring.
Qed.

Theorem local_private {A} eps delta (r : randomizer A) : 0 <= eps -> 0 <= delta <= 1 ->
  (forall h x y, approximate_step eps delta (Step (answers_in r h) (density_of r h x) (density_of r h y))) ->
  forall D D' default, one_changed D D' -> private (local_answers r D D' default) (length D) (exp eps) delta.
Proof.
  intros He Hd H D D' default (before & x & x' & after & -> & ->).
  assert (L : 1 <= exp eps).
  { destruct He as [He | <-]; [|rewrite exp_0; lra]. rewrite <- exp_0. left. now apply exp_increasing. }
  rewrite <- (response_law_at (exp eps) delta L).
  apply once_private with (k := length before).
  - rewrite app_length. simpl. lia.
  - apply response_law_nonnegative; auto. lra.
  - intros h _. unfold local_answers. split; [apply H|]. now apply approximate_dominated.
  - intros h Hh _. unfold local_answers.
    assert (E : nth (length h) (before ++ x :: after) default = nth (length h) (before ++ x' :: after) default).
    { destruct (Nat.lt_ge_cases (length h) (length before)) as [K | K].
      - now rewrite !app_nth1 by auto.
      - rewrite !app_nth2 by auto. destruct (length h - length before)%nat eqn:Z; [lia | reflexivity]. }
    rewrite E. destruct (H h (nth (length h) (before ++ x' :: after) default) (nth (length h) (before ++ x' :: after) default)) as (N & P & _).
    split; [exact N|]. split; [reflexivity | exact P].
  - lra.
Qed.

(** Randomized response of one bit of each record: 1 is the answer, with probability exp eps / (1 + exp eps),
    of a record that has the bit, 0 that of one that has not. *)
Definition response (eps : R) (b : bool) : R -> R :=
  if b then p_of (randomized_response eps) else q_of (randomized_response eps).

Lemma response_approximate eps b b' : 0 <= eps ->
  approximate_step eps 0 (Step (outputs (randomized_response eps)) (response eps b) (response eps b')).
Proof.
  intros He. pose proof (randomized_response_pure eps He) as P. pose proof (pure_swapped eps _ P) as P'.
  destruct P as (N & B & I & J).
  assert (L : 1 <= exp eps).
  { destruct He as [He | <-]; [|rewrite exp_0; lra]. rewrite <- exp_0. left. now apply exp_increasing. }
  assert (S : forall f : R -> R, (forall x, 0 <= f x) -> forall x, f x <= exp eps * f x).
  { intros f Hf x. specialize (Hf x). rewrite <- (Rmult_1_l (f x)) at 1. now apply Rmult_le_compat_r. }
  apply pure_approximate. destruct b, b'; unfold response.
  - split; [|split; [|split]]; auto; intros x; cbn [p_of q_of]; split; try apply N; apply S; intros y; apply N.
  - split; [|split; [|split]]; auto.
  - exact P'.
  - split; [|split; [|split]]; auto; intros x; cbn [p_of q_of]; split; try apply N; apply S; intros y; apply N.
Qed.

Theorem randomized_responses_private {A} eps (bit : list R -> A -> bool) : 0 <= eps -> forall D D' default, one_changed D D' ->
  private (local_answers (Randomizer (fun _ => outputs (randomized_response eps)) (fun h x => response eps (bit h x))) D D' default)
    (length D) (exp eps) 0.
Proof. intros He. apply local_private; auto; [lra|]. intros h x y. cbn. now apply response_approximate. Qed.
