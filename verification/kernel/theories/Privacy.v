(** What is proved: (epsilon, delta)-differential privacy of an adaptive composition, against every
    test. A theorem about a run says what this file says; nothing else has to be believed but the
    densities of its steps (Laws.v), Coq, and the axioms that [Print Assumptions] names. *)
From Coq Require Import Reals List.
Open Scope R_scope.

(** A way to integrate over the outputs of a step, which are numbers: [integral f v] says that the
    integral of f exists and is v. Outputs.v has the real line, the integers, and finite sets. *)
Record measure := Measure {
  integral : (R -> R) -> R -> Prop;
  integral_same : forall f g v, (forall x, f x = g x) -> integral f v -> integral g v;
  integral_sum : forall f g v w,
    integral f v -> integral g w -> integral (fun x => f x + g x) (v + w);
  integral_scaled : forall c f v, integral f v -> integral (fun x => c * f x) (c * v);
  integral_monotone : forall f g v w,
    (forall x, f x <= g x) -> integral f v -> integral g w -> v <= w }.

(** One step on two neighbouring data sets: its output has the density [p_of] on the one, [q_of] on
    the other. *)
Record step := Step { outputs : measure; p_of : R -> R; q_of : R -> R }.

(** The same step where the data sets change places. *)
Definition swapped (s : step) : step := Step (outputs s) (q_of s) (p_of s).

(** An adaptive composition: the next step, given all outputs so far, the latest first. *)
Definition mechanism := list R -> step.

(** "The probability that the test accepts the n outputs after the history h exists and is v": an
    iterated integral. [side] is p_of or q_of, the data set on which the mechanism runs. *)
Fixpoint accepts (side : step -> R -> R) (m : mechanism) (n : nat) (h : list R)
    (test : list R -> R) (v : R) : Prop :=
  match n with
  | O => v = test h
  | S n => exists g,
      (forall x, accepts side m n (x :: h) test (g x)) /\
      integral (outputs (m h)) (fun x => side (m h) x * g x) v
  end.

(** n steps are (epsilon, delta)-private, a = exp epsilon: no test, randomised or not, accepts on the
    one data set with more than a times its probability on the other, plus delta. *)
Definition private (m : mechanism) (n : nat) (a delta : R) : Prop :=
  forall test, (forall h, 0 <= test h <= 1) ->
  forall u w, accepts p_of m n nil test u -> accepts q_of m n nil test w -> u <= a * w + delta.

(** The composition of given steps, one after the other. *)
Definition sequence (steps : list step) (default : step) : mechanism :=
  fun h => nth (length h) steps default.
