(** From data sets to pairs of densities. A query adds noise to a sum, over a Poisson sample of the records, of
    what each record contributes, at most [bound] in absolute value; the next query depends on all answers so
    far. On two data sets that differ by one record, each answer is no worse than the pair of densities that
    Laws.v defines: a theorem about [sampled_gaussian] is one about all such data sets and queries. *)
From Coq Require Import Reals ZArith List Lia Lra.
From Coquelicot Require Import Coquelicot.
From Plaudit Require Import Privacy Outputs Laws Curve Composition Lattice Powers Slices Normal Runs Laplace Adaptive Noise.
Import List ListNotations.
Open Scope R_scope.

(** ** What is stated *)

(** The density, at x, of [c], plus the sum of those contributions that are sampled, each with probability
    [rate] and independently, plus noise. *)
Fixpoint noisy_sum (noise : R -> R) (rate : R) (contributions : list R) (c x : R) : R :=
  match contributions with
  | nil => noise (x - c)
  | v :: others => (1 - rate) * noisy_sum noise rate others c x + rate * noisy_sum noise rate others (c + v) x
  end.

(** A query to a list of records of the type A. *)
Record query (A : Type) := Query { noise_of : R -> R; rate_of : R; contribution_of : A -> R }.
Arguments Query {A}. Arguments noise_of {A}. Arguments rate_of {A}. Arguments contribution_of {A}.

(** The density of its answer on the data set D. *)
Definition answer {A} (q : query A) (D : list A) : R -> R :=
  noisy_sum (noise_of q) (rate_of q) (map (contribution_of q) D) 0.

(** Adaptive queries, the next one given all answers so far (the latest first), on two data sets. *)
Definition answers {A} (ask : list R -> query A) (D D' : list A) : mechanism :=
  fun h => Step line (answer (ask h) D) (answer (ask h) D').

(** The one data set has one record more, anywhere in the list. *)
Definition one_more {A} (D D' : list A) : Prop :=
  exists before record after, D = before ++ record :: after /\ D' = before ++ after.

(** n answers are (epsilon, delta)-private, a = exp epsilon: on all pairs of data sets that differ by one
    record, in the one direction ("remove"), in the other ("add"), and in both. *)
Definition remove_private {A} (ask : list R -> query A) (n : nat) (a delta : R) : Prop :=
  forall D D', one_more D D' -> private (answers ask D D') n a delta.
Definition add_private {A} (ask : list R -> query A) (n : nat) (a delta : R) : Prop :=
  forall D D', one_more D D' -> private (answers ask D' D) n a delta.
Definition differentially_private {A} (ask : list R -> query A) (n : nat) (a delta : R) : Prop :=
  forall D D', one_more D D' \/ one_more D' D -> private (answers ask D D') n a delta.

Lemma both_directions {A} (ask : list R -> query A) n a delta :
  remove_private ask n a delta -> add_private ask n a delta -> differentially_private ask n a delta.
Proof. intros H1 H2 D D' [K | K]; [now apply H1 | now apply H2]. Qed.

(** ** That the density is the one that is meant *)

(** All samples of a list, each with its probability. *)
Fixpoint samples (rate : R) (l : list R) : list (R * list R) :=
  match l with
  | nil => [(1, nil)]
  | v :: l => map (fun s => ((1 - rate) * fst s, snd s)) (samples rate l) ++
              map (fun s => (rate * fst s, v :: snd s)) (samples rate l)
  end.
Definition sum_of (l : list R) : R := fold_right Rplus 0 l.

Lemma total_app {A} (l l' : list A) (f : A -> R) : total (l ++ l') f = total l f + total l' f.
Proof. induction l as [|a l IH]; simpl; [ring|]. unfold total in *. rewrite IH. ring. Qed.
Lemma total_map {A B} (g : B -> A) l (f : A -> R) : total (map g l) f = total l (fun x => f (g x)).
Proof. induction l as [|a l IH]; simpl; auto. unfold total in *. now rewrite IH. Qed.
Lemma total_scaled {A} c l (f : A -> R) : total l (fun x => c * f x) = c * total l f.
Proof. induction l as [|a l IH]; simpl; [ring|]. unfold total in *. rewrite IH. ring. Qed.
Lemma total_same {A} l (f g : A -> R) : (forall x, f x = g x) -> total l f = total l g.
Proof. intros E. induction l as [|a l IH]; simpl; auto. unfold total in *. now rewrite E, IH. Qed.

Theorem noisy_sum_samples noise rate l : forall c x,
  noisy_sum noise rate l c x = total (samples rate l) (fun s => fst s * noise (x - (c + sum_of (snd s)))).
Proof.
  induction l as [|v l IH]; intros c x; cbn [noisy_sum samples].
  - simpl. rewrite !Rplus_0_r. ring.
  - rewrite total_app, !total_map, !IH, <- !total_scaled. f_equal; apply total_same; intros s; cbn [fst snd].
    + ring.
    + unfold sum_of. cbn [fold_right]. rewrite <- Rplus_assoc. ring.
Qed.

Lemma samples_total rate l : total (samples rate l) fst = 1.
Proof.
  induction l as [|v l IH]; cbn [samples]; [simpl; ring|].
  rewrite total_app, !total_map. cbn [fst]. rewrite !(total_scaled _ (samples rate l) fst), IH. ring.
Qed.

(** The rate 1: all records. *)
Lemma noisy_sum_of_all noise l : forall c x, noisy_sum noise 1 l c x = noise (x - (c + sum_of l)).
Proof.
  induction l as [|v l IH]; intros c x; cbn [noisy_sum sum_of fold_right]; [now rewrite Rplus_0_r|].
  rewrite !IH. fold (sum_of l). rewrite <- Rplus_assoc. ring.
Qed.

(** A probability density. *)
Theorem noisy_sum_density noise rate l : rising_noise noise -> forall c, integral line (noisy_sum noise rate l c) 1.
Proof.
  intros H. induction l as [|v l IH]; intros c; cbn [noisy_sum].
  - now apply total_shifted.
  - pose proof (integral_sum _ _ _ _ _ (integral_scaled _ (1 - rate) _ _ (IH c)) (integral_scaled _ rate _ _ (IH (c + v)))) as I.
    replace ((1 - rate) * 1 + rate * 1) with 1 in I by ring. exact I.
Qed.

(** ** The pair of one record *)

Lemma noisy_sum_middle noise rate l v l' : forall c x,
  noisy_sum noise rate (l ++ v :: l') c x = noisy_sum noise rate (v :: l ++ l') c x.
Proof.
  induction l as [|w l IH]; intros c x; auto. cbn [app]. cbn [noisy_sum]. rewrite !IH. cbn [noisy_sum].
  replace (c + w + v) with (c + v + w) by ring. ring.
Qed.

Section Record.
Variables (noise : R -> R) (rate : R).
Hypothesis rate_range : 0 <= rate <= 1.

(** From no other records to any: a mixture over the samples of the others, each a translation. *)
Theorem record_removed v (F : step) : no_worse (sampled_shift noise rate v) F -> forall others c,
  no_worse (Step line (noisy_sum noise rate (v :: others) c) (noisy_sum noise rate others c)) F.
Proof.
  intros H. induction others as [|w others IH]; intros c.
  - apply no_worse_translated with (c := c) in H. revert H. apply no_worse_same; intros x; cbn [sampled_shift swapped outputs p_of q_of noisy_sum]; auto.
    replace (x - c - v) with (x - (c + v)) by ring. reflexivity.
  - pose proof (no_worse_mixed line _ _ _ _ F rate rate_range (IH c) (IH (c + w))) as K. revert K.
    apply no_worse_same; intros x; cbn [noisy_sum]; auto. replace (c + w + v) with (c + v + w) by ring. ring.
Qed.

Theorem record_added v (F : step) : no_worse (swapped (sampled_shift noise rate v)) F -> forall others c,
  no_worse (Step line (noisy_sum noise rate others c) (noisy_sum noise rate (v :: others) c)) F.
Proof.
  intros H. induction others as [|w others IH]; intros c.
  - apply no_worse_translated with (c := c) in H. revert H. apply no_worse_same; intros x; cbn [sampled_shift swapped outputs p_of q_of noisy_sum]; auto.
    replace (x - c - v) with (x - (c + v)) by ring. reflexivity.
  - pose proof (no_worse_mixed line _ _ _ _ F rate rate_range (IH c) (IH (c + w))) as K. revert K.
    apply no_worse_same; intros x; cbn [noisy_sum]; auto. replace (c + w + v) with (c + v + w) by ring. ring.
Qed.
End Record.

(** ** Queries that are no worse than a step *)

(** On any two data sets that differ by one record, in the one direction and in the other. *)
Definition remove_within {A} (q : query A) (s : step) : Prop :=
  forall D D', one_more D D' -> no_worse (Step line (answer q D) (answer q D')) s.
Definition add_within {A} (q : query A) (s : step) : Prop :=
  forall D D', one_more D D' -> no_worse (Step line (answer q D') (answer q D)) s.

Definition within {A} (q : query A) (s : step) : Prop := remove_within q s /\ add_within q (swapped s).

Lemma within_trans {A} (q : query A) (s s' : step) : within q s -> no_worse s s' -> no_worse (swapped s) (swapped s') -> within q s'.
Proof.
  intros [H H'] K K'. split; intros D D' O; [apply no_worse_trans with s | apply no_worse_trans with (swapped s)]; auto.
Qed.

Lemma within_same {A} (q : query A) (m : measure) f g f' g' : (forall x, f x = f' x) -> (forall x, g x = g' x) ->
  within q (Step m f g) -> within q (Step m f' g').
Proof.
  intros E E' [H H']. split; intros D D' O.
  - exact (no_worse_than_same _ _ _ _ _ _ E E' (H D D' O)).
  - exact (no_worse_than_same _ _ _ _ _ _ E' E (H' D D' O)).
Qed.

Theorem noise_within {A} noise rate bound (contribution : A -> R) : rising_noise noise -> 0 <= rate <= 1 ->
  (forall x, Rabs (contribution x) <= bound) ->
  within (Query noise rate contribution) (sampled_shift noise rate bound).
Proof.
  intros Hn Hr Hc.
  assert (E : forall r before after x,
    noisy_sum noise rate (contribution r :: map contribution before ++ map contribution after) 0 x =
    noisy_sum noise rate (map contribution (before ++ r :: after)) 0 x).
  { intros r before after x. rewrite map_app. symmetry. apply noisy_sum_middle. }
  split; intros D D' (before & r & after & -> & ->); unfold answer; cbn [noise_of rate_of contribution_of].
  - pose proof (record_removed noise rate Hr _ _ (shift_no_worse noise Hn rate _ bound Hr (Hc r))
      (map contribution before ++ map contribution after) 0) as K. revert K. apply no_worse_same; [apply E|].
    intros x. now rewrite map_app.
  - pose proof (record_added noise rate Hr _ _ (shift_no_worse_swapped noise Hn rate _ bound Hr (Hc r))
      (map contribution before ++ map contribution after) 0) as K. revert K. apply no_worse_same; [|apply E].
    intros x. now rewrite map_app.
Qed.

(** Noise that is [bound] times as wide as that of a step for contributions of at most 1. *)
Theorem scaled_within {A} noise wide rate bound (contribution : A -> R) : rising_noise noise -> rising_noise wide ->
  0 < bound -> (forall x, wide x = noise (x / bound) / bound) -> 0 <= rate <= 1 ->
  (forall x, Rabs (contribution x) <= bound) -> within (Query wide rate contribution) (sampled_shift noise rate 1).
Proof.
  intros Hn Hw Hb E Hr Hc. destruct (scaled_no_worse noise Hn wide rate bound Hb Hr E) as [K K'].
  exact (within_trans _ _ _ (noise_within wide rate bound contribution Hw Hr Hc) K K').
Qed.

(** Normal noise of the standard deviation sigma times [bound]. *)
Theorem sampled_gaussian_within {A} sigma bound rate (contribution : A -> R) : 0 < sigma -> 0 < bound -> 0 <= rate <= 1 ->
  (forall x, Rabs (contribution x) <= bound) ->
  within (Query (normal (sigma * bound)) rate contribution) (sampled_gaussian sigma rate).
Proof.
  intros Hs Hb. refine (scaled_within (normal sigma) _ rate bound contribution (normal_noise sigma Hs) _ Hb _).
  - now apply normal_noise, Rmult_lt_0_compat.
  - intros x. now apply normal_scaled.
Qed.

(** Laplace noise of the scale b times [bound]. *)
Theorem sampled_laplace_within {A} b bound rate (contribution : A -> R) : 0 < b -> 0 < bound -> 0 <= rate <= 1 ->
  (forall x, Rabs (contribution x) <= bound) ->
  within (Query (laplace_density (b * bound)) rate contribution) (sampled_laplace b rate).
Proof.
  intros Hs Hb. refine (scaled_within (laplace_density b) _ rate bound contribution (laplace_noise b Hs) _ Hb _).
  - now apply laplace_noise, Rmult_lt_0_compat.
  - intros x. now apply laplace_scaled.
Qed.

(** Without sampling: the rate is 1. *)
Theorem gaussian_within {A} sigma bound (contribution : A -> R) : 0 < sigma -> 0 < bound ->
  (forall x, Rabs (contribution x) <= bound) -> within (Query (normal (sigma * bound)) 1 contribution) (gaussian sigma).
Proof.
  intros Hs Hb Hc. pose proof (sampled_gaussian_within sigma bound 1 contribution Hs Hb ltac:(lra) Hc) as K.
  revert K. apply within_same; intros x; simpl; ring.
Qed.

Theorem laplace_within {A} b bound (contribution : A -> R) : 0 < b -> 0 < bound ->
  (forall x, Rabs (contribution x) <= bound) -> within (Query (laplace_density (b * bound)) 1 contribution) (laplace b).
Proof.
  intros Hs Hb Hc. pose proof (sampled_laplace_within b bound 1 contribution Hs Hb ltac:(lra) Hc) as K.
  revert K. apply within_same; intros x; simpl; ring.
Qed.

(** ** Without sampling: both directions *)

Lemma moved_symmetric f s : rising_noise f -> no_worse (swapped (sampled_shift f 1 s)) (sampled_shift f 1 s).
Proof.
  intros H. pose proof (no_worse_refl _ (sampled_shift_nonnegative f H 1 s ltac:(lra))) as K.
  apply no_worse_reflected, no_worse_translated with (c := s) in K. revert K.
  apply no_worse_same; intros x; cbn [sampled_shift p_of q_of]; rewrite !(noise_even f H).
  - replace (- (x - s) - s) with (- x) by ring. rewrite !(noise_even f H). ring.
  - ring.
Qed.

Theorem gaussian_symmetric sigma : 0 < sigma -> no_worse (swapped (gaussian sigma)) (gaussian sigma).
Proof.
  intros H. pose proof (moved_symmetric (normal sigma) 1 (normal_noise sigma H)) as K. unfold swapped in *.
  apply (no_worse_than_same _ _ _ (p_of (gaussian sigma)) (q_of (gaussian sigma))) in K; [|intros x; simpl; ring | auto].
  revert K. apply no_worse_same; intros x; simpl; auto; ring.
Qed.

Theorem laplace_symmetric b : 0 < b -> no_worse (swapped (laplace b)) (laplace b).
Proof.
  intros H. pose proof (moved_symmetric (laplace_density b) 1 (laplace_noise b H)) as K. unfold swapped in *.
  apply (no_worse_than_same _ _ _ (p_of (laplace b)) (q_of (laplace b))) in K; [|intros x; simpl; ring | auto].
  revert K. apply no_worse_same; intros x; simpl; auto; ring.
Qed.

Definition both_within {A} (q : query A) (s : step) : Prop := remove_within q s /\ add_within q s.

Lemma within_symmetric {A} (q : query A) s : no_worse (swapped s) s -> within q s -> both_within q s.
Proof. intros S [H H']. split; auto. intros D D' O. exact (no_worse_trans _ _ _ (H' D D' O) S). Qed.

Theorem laplace_both_within {A} b bound (contribution : A -> R) : 0 < b -> 0 < bound ->
  (forall x, Rabs (contribution x) <= bound) -> both_within (Query (laplace_density (b * bound)) 1 contribution) (laplace b).
Proof. intros Hs Hb Hc. apply within_symmetric; [now apply laplace_symmetric | now apply laplace_within]. Qed.

(** ** Runs *)

Section Runs.
Variables (e B D T : Z).
Hypothesis e_positive : (1 <= e)%Z.
Hypothesis B_nonnegative : (0 <= B)%Z.
Hypothesis D_nonnegative : (0 <= D)%Z.
Hypothesis T_at_least_B : (B <= T)%Z.

(** From the computation about one step, n times, to all adaptive queries that are within it. *)
Theorem answers_remove_private s x program n c eps :
  source_holds B T s (source_up x) -> private_by e B D T [x] program [n] c = true -> claim_placed e D Up (exp eps) c ->
  forall A (ask : list R -> query A), (forall h, remove_within (ask h) s) ->
  remove_private ask n (exp eps) (IZR (num c) / IZR (den c)).
Proof.
  intros H Hp P A ask W D1 D2 O. apply (adaptive_private_once e B D T) with (s := s) (x := x) (program := program); auto. intros h. now apply W.
Qed.

Theorem answers_add_private s x program n c eps :
  source_holds B T s (source_up x) -> private_by e B D T [x] program [n] c = true -> claim_placed e D Up (exp eps) c ->
  forall A (ask : list R -> query A), (forall h, add_within (ask h) s) ->
  add_private ask n (exp eps) (IZR (num c) / IZR (den c)).
Proof.
  intros H Hp P A ask W D1 D2 O. apply (adaptive_private_once e B D T) with (s := s) (x := x) (program := program); auto. intros h. now apply W.
Qed.

Theorem answers_private s x program n c eps :
  source_holds B T s (source_up x) -> private_by e B D T [x] program [n] c = true -> claim_placed e D Up (exp eps) c ->
  forall A (ask : list R -> query A), (forall h, both_within (ask h) s) ->
  differentially_private ask n (exp eps) (IZR (num c) / IZR (den c)).
Proof.
  intros H Hp P A ask W. apply both_directions.
  - apply (answers_remove_private s x program n c eps H Hp P). intros h. apply W.
  - apply (answers_add_private s x program n c eps H Hp P). intros h. apply W.
Qed.

(** Queries of several kinds: first so many within the first step, then those within the second, and so on. *)
Variables (steps : list step) (default : step) (xs : list plan_up) (program : list instruction).
Variables (counts : list nat) (c : claim) (eps : R).
Hypothesis sources : Forall2 (source_holds B T) steps (map source_up xs).
Hypothesis checked : private_by e B D T xs program counts c = true.
Hypothesis placed : claim_placed e D Up (exp eps) c.

Theorem several_answers_remove_private {A} (ask : list R -> query A) :
  (forall h, (length h < total_count counts)%nat -> remove_within (ask h) (nth (length h) (repeated steps counts) default)) ->
  remove_private ask (total_count counts) (exp eps) (IZR (num c) / IZR (den c)).
Proof.
  intros W D1 D2 O. apply (adaptive_private e B D T) with (steps := steps) (default := default) (xs := xs) (program := program); auto.
  intros h L. now apply W.
Qed.

Theorem several_answers_add_private {A} (ask : list R -> query A) :
  (forall h, (length h < total_count counts)%nat -> add_within (ask h) (nth (length h) (repeated steps counts) default)) ->
  add_private ask (total_count counts) (exp eps) (IZR (num c) / IZR (den c)).
Proof.
  intros W D1 D2 O. apply (adaptive_private e B D T) with (steps := steps) (default := default) (xs := xs) (program := program); auto.
  intros h L. now apply W.
Qed.
End Runs.
