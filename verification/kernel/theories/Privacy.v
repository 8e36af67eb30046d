(** What is proved: (epsilon, delta)-differential privacy of an adaptive composition, against every
    test whose iterated integrals exist. A theorem about a run says what this file says; besides it there
    are the measures of Outputs.v, the densities of the steps (Laws.v), Coq, and the axioms that [Print
    Assumptions] names. *)
From Coq Require Import Reals List.
Open Scope R_scope.

(** A way to integrate over the outputs of a step: [integral f v] says that the integral of f exists and
    is v. Outputs are numbers, but in Vectors.v, where they are vectors. Outputs.v has the real line, the
    integers, and finite sets. *)
Record measure_on (Output : Type) := Measure {
  integral : (Output -> R) -> R -> Prop;
  integral_same : forall f g v, (forall x, f x = g x) -> integral f v -> integral g v;
  integral_sum : forall f g v w,
    integral f v -> integral g w -> integral (fun x => f x + g x) (v + w);
  integral_scaled : forall c f v, integral f v -> integral (fun x => c * f x) (c * v);
  integral_monotone : forall f g v w,
    (forall x, f x <= g x) -> integral f v -> integral g w -> v <= w }.
Arguments Measure {Output}. Arguments integral {Output}. Arguments integral_same {Output}.
Arguments integral_sum {Output}. Arguments integral_scaled {Output}. Arguments integral_monotone {Output}.
Notation measure := (measure_on R).

(** One step on two neighbouring data sets: its output has the density [p_of] on the one, [q_of] on
    the other. *)
Record step_on (Output : Type) := Step { outputs : measure_on Output; p_of : Output -> R; q_of : Output -> R }.
Arguments Step {Output}. Arguments outputs {Output}. Arguments p_of {Output}. Arguments q_of {Output}.
Notation step := (step_on R).

(** The same step where the data sets change places. *)
Definition swapped {Output} (s : step_on Output) : step_on Output := Step (outputs s) (q_of s) (p_of s).

(** An adaptive composition: the next step, given all outputs so far, the latest first. *)
Definition mechanism_on (Output : Type) := list Output -> step_on Output.
Notation mechanism := (mechanism_on R).

(** "The probability that the test accepts the n outputs after the history h exists and is v": an
    iterated integral. [side] is p_of or q_of, the data set on which the mechanism runs. *)
Fixpoint accepts {Output} (side : step_on Output -> Output -> R) (m : mechanism_on Output) (n : nat)
    (h : list Output) (test : list Output -> R) (v : R) : Prop :=
  match n with
  | O => v = test h
  | S n => exists g,
      (forall x, accepts side m n (x :: h) test (g x)) /\
      integral (outputs (m h)) (fun x => side (m h) x * g x) v
  end.

(** n steps are (epsilon, delta)-private, a = exp epsilon: no test, randomised or not, accepts on the
    one data set with more than a times its probability on the other, plus delta. *)
Definition private {Output} (m : mechanism_on Output) (n : nat) (a delta : R) : Prop :=
  forall test, (forall h, 0 <= test h <= 1) ->
  forall u w, accepts p_of m n nil test u -> accepts q_of m n nil test w -> u <= a * w + delta.

(** The composition of given steps, one after the other. *)
Definition sequence {Output} (steps : list (step_on Output)) (default : step_on Output) : mechanism_on Output :=
  fun h => nth (length h) steps default.
