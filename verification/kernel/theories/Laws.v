(** The steps that theorems speak of: densities of the mechanisms' outputs on two neighbouring data
    sets. A reader of a theorem about a run reads the definition of its step here, or [normal] and the
    definition in the generated file. *)
From Coq Require Import Reals List.
From Plaudit Require Import Privacy Outputs.
Open Scope R_scope.

(** The density of the normal distribution with mean 0 and standard deviation sigma. *)
Definition normal (sigma x : R) : R := exp (- (x * x) / (2 * sigma * sigma)) / (sigma * sqrt (2 * PI)).

(** A sum of 0 or 1 contributions of one record, with noise: the record is in the one data set. *)
Definition gaussian (sigma : R) : step := Step line (fun x => normal sigma (x - 1)) (normal sigma).

(** The record enters with probability [rate] (Poisson sampling). Adjacency "remove"; "add" is the
    same step [swapped]. *)
Definition sampled_gaussian (sigma rate : R) : step :=
  Step line (fun x => (1 - rate) * normal sigma x + rate * normal sigma (x - 1)) (normal sigma).

(** A mixture: weights and centres. *)
Definition mixture (sigma : R) (parts : list (R * R)) (x : R) : R :=
  fold_right (fun wc t => fst wc * normal sigma (x - snd wc) + t) 0 parts.
Definition mixtures (sigma : R) (ps qs : list (R * R)) : step :=
  Step line (mixture sigma ps) (mixture sigma qs).
