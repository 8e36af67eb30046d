(** The steps that theorems speak of: densities of the mechanisms' outputs on two neighbouring data
    sets. A reader of a theorem about a run reads the definition of its step here, or [normal] and the
    definition in the generated file. *)
From Coq Require Import Reals List.
From Coquelicot Require Import Series.
From Plaudit Require Import Privacy Outputs.
Import ListNotations.
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

(** Finitely many outputs 0, 1, 2, ... with given probabilities. *)
Fixpoint listed (l : list R) (x : R) : R :=
  match l with nil => 0 | v :: l => if Req_EM_T x 0 then v else listed l (x - 1) end.
Definition finite_step (ps qs : list R) : step :=
  Step (finite (map INR (seq 0 (length ps)))) (listed ps) (listed qs).

(** Randomized response: 0 and 1 are the answers, 1 the true one on the first data set. *)
Definition randomized_response (eps : R) : step :=
  finite_step [1 / (1 + exp eps); exp eps / (1 + exp eps)] [exp eps / (1 + exp eps); 1 / (1 + exp eps)].

(** The same, where with probability delta the output says which data set it is. *)
Definition leaky_response (eps delta : R) : step := finite_step
  [0; (1 - delta) / (1 + exp eps); (1 - delta) * exp eps / (1 + exp eps); delta]
  [delta; (1 - delta) * exp eps / (1 + exp eps); (1 - delta) / (1 + exp eps); 0].

(** A distribution of the privacy loss: outputs with a probability and a loss each; then an output that
    only the first data set has, with probability [only_p]; and one that only the second has. *)
Definition pld (atoms : list (R * R)) (only_p only_q : R) : step := finite_step
  (map fst atoms ++ [only_p; 0]) (map (fun wl => fst wl * exp (- snd wl)) atoms ++ [0; only_q]).

(** The density of the Laplace distribution with mean 0 and scale b. *)
Definition laplace_density (b x : R) : R := exp (- (Rabs x / b)) / (2 * b).

(** A sum of 0 or 1 contributions of one record, with Laplace noise; and its Poisson sample. Adjacency
    "remove"; "add" is the same step [swapped]. *)
Definition laplace (b : R) : step := Step line (fun x => laplace_density b (x - 1)) (laplace_density b).
Definition sampled_laplace (b rate : R) : step :=
  Step line (fun x => (1 - rate) * laplace_density b x + rate * laplace_density b (x - 1)) (laplace_density b).

(** 1 at the integers, 0 elsewhere. The densities of noise on the integers have it as a factor, so that they
    are 0 where there are no outputs; integrals over the [integers] look at integers only. *)
Definition at_integers (x : R) : R := if Req_EM_T x (IZR (Int_part x)) then 1 else 0.

(** Discrete Laplace noise of scale t: the integer x has the probability (1 - r) / (1 + r) r^|x|, r = exp(-1/t). *)
Definition discrete_laplace_density (t x : R) : R :=
  at_integers x * ((1 - exp (- (1 / t))) / (1 + exp (- (1 / t))) * exp (- (Rabs x / t))).

(** A sum of integers to which one record contributes the integer d, with discrete Laplace noise; and its
    Poisson sample. Adjacency "remove"; "add" is the same step [swapped]. *)
Definition discrete_laplace (t : R) (d : Z) : step :=
  Step integers (fun x => discrete_laplace_density t (x - IZR d)) (discrete_laplace_density t).
Definition sampled_discrete_laplace (t : R) (d : Z) (rate : R) : step := Step integers
  (fun x => (1 - rate) * discrete_laplace_density t x + rate * discrete_laplace_density t (x - IZR d))
  (discrete_laplace_density t).

(** The sum of f over the integers 0, 1, 2, ... and -1, -2, ..., where it converges. *)
Definition over_integers (f : R -> R) : R := Series (fun n => f (INR n)) + Series (fun n => f (- INR (S n))).

(** Discrete Gaussian noise with the parameter sigma: the probability of the integer x is proportional to
    exp(-x^2 / (2 sigma^2)). (The standard deviation is a little different from sigma.) *)
Definition discrete_gaussian_weight (sigma x : R) : R := exp (- (x * x) / (2 * sigma * sigma)).
Definition discrete_gaussian_density (sigma x : R) : R :=
  at_integers x * (discrete_gaussian_weight sigma x / over_integers (discrete_gaussian_weight sigma)).

(** As above, with discrete Gaussian noise. *)
Definition discrete_gaussian (sigma : R) (d : Z) : step :=
  Step integers (fun x => discrete_gaussian_density sigma (x - IZR d)) (discrete_gaussian_density sigma).
Definition sampled_discrete_gaussian (sigma : R) (d : Z) (rate : R) : step := Step integers
  (fun x => (1 - rate) * discrete_gaussian_density sigma x + rate * discrete_gaussian_density sigma (x - IZR d))
  (discrete_gaussian_density sigma).
