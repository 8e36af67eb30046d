(** Vectors with normal noise, over a Poisson sample of the records: a gradient step of DP-SGD. Each record
    contributes a vector whose length is at most [bound]; the next query depends on all answers so far. On data
    sets that differ by one record each answer, a vector of any dimension, is no worse than the pair of
    densities on the line that Laws.v calls [sampled_gaussian]. *)
From Coq Require Import Reals ZArith List Lia Lra.
From Plaudit Require Import Privacy Outputs Laws Curve Composition Lattice Powers Slices Normal Runs Adaptive Noise Rotation Vectors
  DataSets.
Import List ListNotations.
Open Scope R_scope.

(** ** What is stated *)

(** The density, at x, of the vector [c], plus the sum of those contributions that are sampled, each with
    probability [rate] and independently, plus independent normal noise in each coordinate. *)
Fixpoint noisy_vector_sum (sigma rate : R) (contributions : list (list R)) (c x : list R) : R :=
  match contributions with
  | nil => normals sigma c x
  | v :: others => (1 - rate) * noisy_vector_sum sigma rate others c x + rate * noisy_vector_sum sigma rate others (moved c v) x
  end.

(** A query to a list of records of the type A. *)
Record vector_query (A : Type) := VectorQuery {
  dimension_of : nat; deviation_of : R; sampled_with : R; vector_of : A -> list R }.
Arguments VectorQuery {A}. Arguments dimension_of {A}. Arguments deviation_of {A}. Arguments sampled_with {A}. Arguments vector_of {A}.

Definition zero_vector (d : nat) : list R := repeat 0 d.
Definition vector_answer {A} (q : vector_query A) (D : list A) : list R -> R :=
  noisy_vector_sum (deviation_of q) (sampled_with q) (map (vector_of q) D) (zero_vector (dimension_of q)).

(** Adaptive queries, the next one given all answers so far (the latest first), on two data sets. *)
Definition vector_answers {A} (ask : list (list R) -> vector_query A) (D D' : list A) : mechanism_on (list R) :=
  fun h => Step (space (dimension_of (ask h))) (vector_answer (ask h) D) (vector_answer (ask h) D').

(** n answers are (epsilon, delta)-private, as in DataSets.v. *)
Definition vectors_remove_private {A} (ask : list (list R) -> vector_query A) (n : nat) (a delta : R) : Prop :=
  forall D D', one_more D D' -> private (vector_answers ask D D') n a delta.
Definition vectors_add_private {A} (ask : list (list R) -> vector_query A) (n : nat) (a delta : R) : Prop :=
  forall D D', one_more D D' -> private (vector_answers ask D' D) n a delta.

Definition vectors_differentially_private {A} (ask : list (list R) -> vector_query A) (n : nat) (a delta : R) : Prop :=
  forall D D', one_more D D' \/ one_more D' D -> private (vector_answers ask D D') n a delta.

(** Each record's vector has the dimension of the query, and at most the length [bound]. *)
Definition clipped {A} (q : vector_query A) (bound : R) : Prop :=
  forall x, length (vector_of q x) = dimension_of q /\ length_of (vector_of q x) <= bound.

(** ** That the density is the one that is meant *)

(** A probability density. *)
Theorem noisy_vector_sum_density sigma rate l : 0 < sigma -> forall c, Forall (fun v => length v = length c) l ->
  integral (space (length c)) (noisy_vector_sum sigma rate l c) 1.
Proof.
  intros Hs. induction l as [|v l IH]; intros c H; cbn [noisy_vector_sum].
  - now apply normals_total.
  - inversion H as [|? ? Hv Hl]; subst. assert (E : length (moved c v) = length c) by now apply moved_length.
    pose proof (IH c Hl) as I0. pose proof (IH (moved c v)) as I1. rewrite E in I1. specialize (I1 Hl).
    pose proof (integral_sum _ _ _ _ _ (integral_scaled _ (1 - rate) _ _ I0) (integral_scaled _ rate _ _ I1)) as I.
    replace ((1 - rate) * 1 + rate * 1) with 1 in I by ring. exact I.
Qed.

(** The same as a mixture over all samples, each with its probability. *)
Fixpoint vector_samples (rate : R) (l : list (list R)) : list (R * list (list R)) :=
  match l with
  | nil => [(1, nil)]
  | v :: l => map (fun s => ((1 - rate) * fst s, snd s)) (vector_samples rate l) ++
              map (fun s => (rate * fst s, v :: snd s)) (vector_samples rate l)
  end.

Theorem noisy_vector_sum_samples sigma rate l : forall c x,
  noisy_vector_sum sigma rate l c x =
  total (vector_samples rate l) (fun s => fst s * normals sigma (fold_left moved (snd s) c) x).
Proof.
  induction l as [|v l IH]; intros c x; cbn [noisy_vector_sum vector_samples].
  - simpl. ring.
  - rewrite total_app, !total_map, !IH, <- !total_scaled. f_equal; apply total_same; intros s; cbn [fst snd fold_left]; ring.
Qed.

(** ** The pair of one record *)

Lemma noisy_vector_sum_middle sigma rate l v l' : forall c x,
  noisy_vector_sum sigma rate (l ++ v :: l') c x = noisy_vector_sum sigma rate (v :: l ++ l') c x.
Proof.
  induction l as [|w l IH]; intros c x; auto. cbn [app]. cbn [noisy_vector_sum]. rewrite !IH. cbn [noisy_vector_sum].
  rewrite (moved_moved c v w). ring.
Qed.

Section Record.
Variables (sigma rate bound : R) (v : list R).
Hypothesis sigma_positive : 0 < sigma.
Hypothesis rate_range : 0 <= rate <= 1.
Hypothesis v_bounded : length_of v <= bound.

Theorem vector_removed others : Forall (fun w => length w = length v) others -> forall c, length c = length v ->
  no_worse (Step (space (length v)) (noisy_vector_sum sigma rate (v :: others) c) (noisy_vector_sum sigma rate others c))
    (sampled_shift (normal sigma) rate bound) /\
  no_worse (Step (space (length v)) (noisy_vector_sum sigma rate others c) (noisy_vector_sum sigma rate (v :: others) c))
    (swapped (sampled_shift (normal sigma) rate bound)).
Proof.
  induction 1 as [|w others Hw H IH]; intros c Hc.
  - exact (vector_shift_no_worse sigma sigma_positive rate c v rate_range Hc bound v_bounded).
  - destruct (IH c Hc) as [K0 K0']. destruct (IH (moved c w)) as [K1 K1'].
    { rewrite moved_length; auto. now rewrite Hw. }
    split; [pose proof (no_worse_mixed _ _ _ _ _ _ rate rate_range K0 K1) as K | pose proof (no_worse_mixed _ _ _ _ _ _ rate rate_range K0' K1') as K];
      revert K; apply no_worse_same; intros x; cbn [noisy_vector_sum]; auto; rewrite (moved_moved c w v); ring.
Qed.
End Record.

(** ** Queries that are no worse than a step on the line *)

Definition vector_remove_within {A} (q : vector_query A) (s : step) : Prop := forall D D', one_more D D' ->
  no_worse (Step (space (dimension_of q)) (vector_answer q D) (vector_answer q D')) s.
Definition vector_add_within {A} (q : vector_query A) (s : step) : Prop := forall D D', one_more D D' ->
  no_worse (Step (space (dimension_of q)) (vector_answer q D') (vector_answer q D)) s.
Definition vector_within {A} (q : vector_query A) (s : step) : Prop := vector_remove_within q s /\ vector_add_within q (swapped s).

Theorem normals_within {A} d sigma rate bound (contribution : A -> list R) : 0 < sigma -> 0 <= rate <= 1 ->
  clipped (VectorQuery d sigma rate contribution) bound ->
  vector_within (VectorQuery d sigma rate contribution) (sampled_shift (normal sigma) rate bound).
Proof.
  intros Hs Hr C.
  assert (G : forall before r after, let q := VectorQuery d sigma rate contribution in
    no_worse (Step (space d) (vector_answer q (before ++ r :: after)) (vector_answer q (before ++ after)))
      (sampled_shift (normal sigma) rate bound) /\
    no_worse (Step (space d) (vector_answer q (before ++ after)) (vector_answer q (before ++ r :: after)))
      (swapped (sampled_shift (normal sigma) rate bound))).
  { intros before r after q. unfold vector_answer, q. cbn [dimension_of deviation_of sampled_with vector_of].
    destruct (C r) as [L B]. cbn [dimension_of vector_of] in L, B.
    assert (Hl : Forall (fun w => length w = length (contribution r)) (map contribution (before ++ after))).
    { apply Forall_map, Forall_forall. intros x _. destruct (C x) as [Lx _]. cbn [dimension_of vector_of] in Lx. now rewrite L. }
    assert (Hz : length (zero_vector d) = length (contribution r)) by (unfold zero_vector; now rewrite repeat_length, L).
    destruct (vector_removed sigma rate bound (contribution r) Hs Hr B _ Hl (zero_vector d) Hz) as [K K'].
    assert (E : forall x, noisy_vector_sum sigma rate (contribution r :: map contribution (before ++ after)) (zero_vector d) x =
      noisy_vector_sum sigma rate (map contribution (before ++ r :: after)) (zero_vector d) x).
    { intros x. rewrite !map_app. cbn [map]. symmetry. apply noisy_vector_sum_middle. }
    rewrite L in K, K'. split; [revert K | revert K']; apply no_worse_same; auto. }
  split; intros D D' (before & r & after & -> & ->); apply G.
Qed.

(** Noise of the standard deviation sigma times [bound] in each coordinate. *)
Theorem sampled_gaussian_vector_within {A} d sigma bound rate (contribution : A -> list R) : 0 < sigma -> 0 < bound -> 0 <= rate <= 1 ->
  clipped (VectorQuery d (sigma * bound) rate contribution) bound ->
  vector_within (VectorQuery d (sigma * bound) rate contribution) (sampled_gaussian sigma rate).
Proof.
  intros Hs Hb Hr C. assert (Hsb : 0 < sigma * bound) by now apply Rmult_lt_0_compat.
  destruct (normals_within d (sigma * bound) rate bound contribution Hsb Hr C) as [K K'].
  destruct (scaled_no_worse (normal sigma) (normal_noise sigma Hs) (normal (sigma * bound)) rate bound Hb Hr) as [S S'].
  { intros x. now apply normal_scaled. }
  split; intros D D' O; [exact (no_worse_trans _ _ _ (K D D' O) S) | exact (no_worse_trans _ _ _ (K' D D' O) S')].
Qed.

(** Without sampling. *)
Theorem gaussian_vector_within {A} d sigma bound (contribution : A -> list R) : 0 < sigma -> 0 < bound ->
  clipped (VectorQuery d (sigma * bound) 1 contribution) bound ->
  vector_within (VectorQuery d (sigma * bound) 1 contribution) (gaussian sigma).
Proof.
  intros Hs Hb C. destruct (sampled_gaussian_vector_within d sigma bound 1 contribution Hs Hb ltac:(lra) C) as [K K'].
  split; intros D D' O; [specialize (K D D' O); revert K | specialize (K' D D' O); revert K'];
    apply no_worse_than_same; intros x; cbn; auto; ring.
Qed.

Definition vector_both_within {A} (q : vector_query A) (s : step) : Prop := vector_remove_within q s /\ vector_add_within q s.

Theorem gaussian_vector_both_within {A} d sigma bound (contribution : A -> list R) : 0 < sigma -> 0 < bound ->
  clipped (VectorQuery d (sigma * bound) 1 contribution) bound ->
  vector_both_within (VectorQuery d (sigma * bound) 1 contribution) (gaussian sigma).
Proof.
  intros Hs Hb C. destruct (gaussian_vector_within d sigma bound contribution Hs Hb C) as [H H'].
  split; auto. intros D D' O. exact (no_worse_trans _ _ _ (H' D D' O) (gaussian_symmetric sigma Hs)).
Qed.

(** Without sampling, any two centres, as of a function of the data set with this sensitivity. *)
Theorem vector_centres_no_worse sigma bound c v : 0 < sigma -> 0 < bound -> length c = length v -> length_of v <= bound ->
  no_worse (Step (space (length v)) (normals (sigma * bound) (moved c v)) (normals (sigma * bound) c)) (gaussian sigma).
Proof.
  intros Hs Hb L B. assert (Hsb : 0 < sigma * bound) by now apply Rmult_lt_0_compat.
  destruct (vector_shift_no_worse (sigma * bound) Hsb 1 c v ltac:(lra) L bound B) as [K _].
  destruct (scaled_no_worse (normal sigma) (normal_noise sigma Hs) (normal (sigma * bound)) 1 bound Hb ltac:(lra)) as [S _].
  { intros x. now apply normal_scaled. }
  pose proof (no_worse_trans _ _ _ K S) as G.
  assert (G' : no_worse (vector_shift (sigma * bound) 1 c v) (gaussian sigma)).
  { revert G. apply no_worse_than_same; intros x; simpl; auto; ring. }
  revert G'. apply no_worse_same; intros x; auto; ring.
Qed.

(** ** Runs *)

Section Runs.
Variables (e B D T : Z).
Hypothesis e_positive : (1 <= e)%Z.
Hypothesis B_nonnegative : (0 <= B)%Z.
Hypothesis D_nonnegative : (0 <= D)%Z.
Hypothesis T_at_least_B : (B <= T)%Z.

(** From the computation about one step on the line, n times, to all adaptive vector queries that are within it. *)
Theorem vector_answers_remove_private s x program n c eps :
  source_holds B T s (source_up x) -> private_by e B D T [x] program [n] c = true -> claim_placed e D Up (exp eps) c ->
  forall A (ask : list (list R) -> vector_query A), (forall h, vector_remove_within (ask h) s) ->
  vectors_remove_private ask n (exp eps) (IZR (num c) / IZR (den c)).
Proof.
  intros H Hp P A ask W D1 D2 O. apply (adaptive_private_once e B D T) with (s := s) (x := x) (program := program); auto.
  intros h. now apply W.
Qed.

Theorem vector_answers_add_private s x program n c eps :
  source_holds B T s (source_up x) -> private_by e B D T [x] program [n] c = true -> claim_placed e D Up (exp eps) c ->
  forall A (ask : list (list R) -> vector_query A), (forall h, vector_add_within (ask h) s) ->
  vectors_add_private ask n (exp eps) (IZR (num c) / IZR (den c)).
Proof.
  intros H Hp P A ask W D1 D2 O. apply (adaptive_private_once e B D T) with (s := s) (x := x) (program := program); auto.
  intros h. now apply W.
Qed.

Theorem vector_answers_private s x program n c eps :
  source_holds B T s (source_up x) -> private_by e B D T [x] program [n] c = true -> claim_placed e D Up (exp eps) c ->
  forall A (ask : list (list R) -> vector_query A), (forall h, vector_both_within (ask h) s) ->
  vectors_differentially_private ask n (exp eps) (IZR (num c) / IZR (den c)).
Proof.
  intros H Hp P A ask W D1 D2 [O | O].
  - apply (vector_answers_remove_private s x program n c eps H Hp P A ask); auto. intros h. apply W.
  - apply (vector_answers_add_private s x program n c eps H Hp P A ask); auto. intros h. apply W.
Qed.

(** Queries of several kinds: first so many within the first step, then those within the second, and so on. *)
Variables (steps : list step) (default : step) (xs : list plan_up) (program : list instruction).
Variables (counts : list nat) (c : claim) (eps : R).
Hypothesis sources : Forall2 (source_holds B T) steps (map source_up xs).
Hypothesis checked : private_by e B D T xs program counts c = true.
Hypothesis placed : claim_placed e D Up (exp eps) c.

Theorem several_vector_answers_remove_private {A} (ask : list (list R) -> vector_query A) :
  (forall h, (length h < total_count counts)%nat -> vector_remove_within (ask h) (nth (length h) (repeated steps counts) default)) ->
  vectors_remove_private ask (total_count counts) (exp eps) (IZR (num c) / IZR (den c)).
Proof.
  intros W D1 D2 O. apply (adaptive_private e B D T) with (steps := steps) (default := default) (xs := xs) (program := program); auto.
  intros h L. now apply W.
Qed.

Theorem several_vector_answers_add_private {A} (ask : list (list R) -> vector_query A) :
  (forall h, (length h < total_count counts)%nat -> vector_add_within (ask h) (nth (length h) (repeated steps counts) default)) ->
  vectors_add_private ask (total_count counts) (exp eps) (IZR (num c) / IZR (den c)).
Proof.
  intros W D1 D2 O. apply (adaptive_private e B D T) with (steps := steps) (default := default) (xs := xs) (program := program); auto.
  intros h L. now apply W.
Qed.
End Runs.
