(** Runs of several kinds of answers about data sets: so many of the first kind, then so many of the second, and
    so on. The next query depends on all answers so far, and so do the dimension and the bound of a sum. Where each
    kind is no worse than a step of Laws.v, the theorem about the steps is one about all these runs; where the steps
    are the pairs of some queries, a lower end about the steps is one about some runs. *)
From Coq Require Import Reals ZArith List Lia Lra.
From Plaudit Require Import Privacy Outputs Laws Curve Composition Lattice Powers Slices Normal Runs Pure Adaptive Noise
  Vectors DataSets VectorQueries Attained.
Import List ListNotations.
Open Scope R_scope.

(** ** What is stated *)

(** One answer, a list of numbers: where it is, and its density on each data set. *)
Record release (A : Type) := Release { released_in : measure_on (list R); released_density : list A -> list R -> R }.
Arguments Release {A}. Arguments released_in {A}. Arguments released_density {A}.

Definition pair_of {A} (r : release A) (D D' : list A) : step_on (list R) :=
  Step (released_in r) (released_density r D) (released_density r D').

(** n answers are (epsilon, delta)-private, a = exp epsilon, on all data sets that differ by one record. *)
Definition releases_remove_private {A} (ask : list (list R) -> release A) (n : nat) (a delta : R) : Prop :=
  forall D D', one_more D D' -> private (fun h => pair_of (ask h) D D') n a delta.
Definition releases_add_private {A} (ask : list (list R) -> release A) (n : nat) (a delta : R) : Prop :=
  forall D D', one_more D D' -> private (fun h => pair_of (ask h) D' D) n a delta.

Definition releases_differentially_private {A} (ask : list (list R) -> release A) (n : nat) (a delta : R) : Prop :=
  forall D D', one_more D D' \/ one_more D' D -> private (fun h => pair_of (ask h) D D') n a delta.

(** So many answers of the first kind, then so many of the second, and so on. *)
Definition in_turn {A} (kinds : list (release A -> Prop)) (counts : list nat) (ask : list (list R) -> release A) : Prop :=
  forall h, (length h < total_count counts)%nat ->
  nth (length h) (concat (map (fun kn => repeat (fst kn) (snd kn)) (combine kinds counts))) (fun _ => False) (ask h).

(** A sum over a Poisson sample of vectors that are clipped, of any dimension and with any bound, with normal noise
    of sigma times the bound in each coordinate. *)
Definition vector_release {A} (q : vector_query A) : release A := Release (space (dimension_of q)) (vector_answer q).
Definition gaussian_sum {A} (sigma rate : R) (r : release A) : Prop := exists d bound vector,
  let q := VectorQuery d (sigma * bound) rate vector in 0 < bound /\ clipped q bound /\ r = vector_release q.

(** The same of numbers, with Laplace noise of the scale b times the bound. *)
Definition number_release {A} (q : query A) : release A := Release (space 1) (fun D y => answer q D (hd 0 y)).
Definition laplace_sum {A} (b rate : R) (r : release A) : Prop := exists bound number,
  let q := Query (laplace_density (b * bound)) rate number in
  0 < bound /\ (forall x, Rabs (number x) <= bound) /\ r = number_release q.

(** Whatever is (epsilon, 0)- or (epsilon, delta)-private. *)
Definition pure_release {A} (eps : R) (r : release A) : Prop :=
  forall D D', one_more D D' -> pure_step eps (pair_of r D D').
Definition approximate_release {A} (eps delta : R) (r : release A) : Prop :=
  forall D D', one_more D D' -> approximate_step eps delta (pair_of r D D').

(** ** Kinds that are no worse than a step *)

Definition removed_within {A} (kind : release A -> Prop) (s : step) : Prop :=
  forall r, kind r -> forall D D', one_more D D' -> no_worse (pair_of r D D') s.
Definition added_within {A} (kind : release A -> Prop) (s : step) : Prop :=
  forall r, kind r -> forall D D', one_more D D' -> no_worse (pair_of r D' D) s.
Definition kind_within {A} (kind : release A -> Prop) (s : step) : Prop :=
  removed_within kind s /\ added_within kind (swapped s).

Definition kind_both_within {A} (kind : release A -> Prop) (s : step) : Prop :=
  removed_within kind s /\ added_within kind s.

Lemma kind_symmetric {A} (kind : release A -> Prop) s : no_worse (swapped s) s -> kind_within kind s -> kind_both_within kind s.
Proof. intros S [H H']. split; auto. intros r K D D' O. exact (no_worse_trans _ _ _ (H' r K D D' O) S). Qed.

Theorem sampled_gaussian_sum_within {A} sigma rate : 0 < sigma -> 0 <= rate <= 1 ->
  kind_within (gaussian_sum (A := A) sigma rate) (sampled_gaussian sigma rate).
Proof.
  intros Hs Hr. split; intros r (d & bound & vector & Hb & C & ->); now apply sampled_gaussian_vector_within.
Qed.

Theorem gaussian_sum_within {A} sigma : 0 < sigma -> kind_within (gaussian_sum (A := A) sigma 1) (gaussian sigma).
Proof. intros Hs. split; intros r (d & bound & vector & Hb & C & ->); now apply gaussian_vector_within. Qed.

Theorem gaussian_sum_both_within {A} sigma : 0 < sigma -> kind_both_within (gaussian_sum (A := A) sigma 1) (gaussian sigma).
Proof. intros Hs. apply kind_symmetric; [now apply gaussian_symmetric | now apply gaussian_sum_within]. Qed.

(** One number as a list. *)
Lemma number_no_worse p q (F : step) : no_worse (Step line p q) F ->
  no_worse (Step (space 1) (fun y => p (hd 0 y)) (fun y => q (hd 0 y))) F.
Proof.
  intros [N H]. split; [intros y; exact (N (hd 0 y))|]. intros V D a Ha.
  destruct (H V D a Ha) as (G & c & H1 & H2 & H3 & H4). exists (fun y => G (hd 0 y)), c.
  split; [intros y; apply H1|]. split; [intros y; exact (H2 (hd 0 y))|]. split; auto. now exists G.
Qed.

Theorem sampled_laplace_sum_within {A} b rate : 0 < b -> 0 <= rate <= 1 ->
  kind_within (laplace_sum (A := A) b rate) (sampled_laplace b rate).
Proof.
  intros Hs Hr. split; intros r (bound & number & Hb & C & ->) D D' O; apply number_no_worse;
    now apply (sampled_laplace_within b bound rate number Hs Hb Hr C).
Qed.

Theorem laplace_sum_within {A} b : 0 < b -> kind_within (laplace_sum (A := A) b 1) (laplace b).
Proof.
  intros Hs. split; intros r (bound & number & Hb & C & ->) D D' O; apply number_no_worse;
    now apply (laplace_within b bound number Hs Hb C).
Qed.

Theorem laplace_sum_both_within {A} b : 0 < b -> kind_both_within (laplace_sum (A := A) b 1) (laplace b).
Proof. intros Hs. apply kind_symmetric; [now apply laplace_symmetric | now apply laplace_sum_within]. Qed.

Theorem pure_release_both_within {A} eps : 0 <= eps ->
  kind_both_within (pure_release (A := A) eps) (randomized_response eps).
Proof.
  intros He. split; intros r H D D' O; apply pure_no_worse; auto. exact (pure_swapped _ _ (H D D' O)).
Qed.

Theorem approximate_release_both_within {A} eps delta : 0 <= eps -> 0 <= delta <= 1 ->
  kind_both_within (approximate_release (A := A) eps delta) (leaky_response eps delta).
Proof.
  intros He Hd. split; intros r H D D' O; apply approximate_no_worse; auto. exact (approximate_swapped _ _ _ (H D D' O)).
Qed.

(** ** Upper ends *)

Lemma Forall2_nth {A B} (P : A -> B -> Prop) l l' : Forall2 P l l' -> forall i d d', (i < length l)%nat -> P (nth i l d) (nth i l' d').
Proof.
  induction 1 as [|x y l l' H F IH]; intros i d d' L; [simpl in L; lia|]. destruct i as [|i]; simpl; auto. apply IH. simpl in L. lia.
Qed.

(** The kind of the next answer, and the step of it. *)
Lemma in_turn_at {A} (P : (release A -> Prop) -> step -> Prop) kinds steps counts ask default : Forall2 P kinds steps ->
  in_turn kinds counts ask -> forall h, (length h < total_count counts)%nat ->
  exists kind, kind (ask h) /\ P kind (nth (length h) (repeated steps counts) default).
Proof.
  intros F I h L. specialize (I h L). apply (Forall2_repeated P kinds steps) with (counts := counts) in F.
  set (all := concat (map (fun kn => repeat (fst kn) (snd kn)) (combine kinds counts))) in *.
  destruct (Nat.lt_ge_cases (length h) (length all)) as [K | K]; [|now rewrite nth_overflow in I].
  exists (nth (length h) all (fun _ => False)). split; auto. now apply Forall2_nth with (2 := K).
Qed.

Lemma both_parts {A} (kinds : list (release A -> Prop)) steps : Forall2 kind_both_within kinds steps ->
  Forall2 removed_within kinds steps /\ Forall2 added_within kinds steps.
Proof. induction 1 as [|k s ks ss [H H'] F [I I']]; split; constructor; auto. Qed.

Section Runs.
Variables (e B D T : Z).
Hypothesis e_positive : (1 <= e)%Z.
Hypothesis B_nonnegative : (0 <= B)%Z.
Hypothesis D_nonnegative : (0 <= D)%Z.
Hypothesis T_at_least_B : (B <= T)%Z.
Variables (steps : list step) (default : step) (xs : list plan_up) (program : list instruction).
Variables (counts : list nat) (c : claim) (eps : R).
Hypothesis sources : Forall2 (source_holds B T) steps (map source_up xs).
Hypothesis checked : private_by e B D T xs program counts c = true.
Hypothesis placed : claim_placed e D Up (exp eps) c.
Context {A : Type}.
Variables (kinds : list (release A -> Prop)) (ask : list (list R) -> release A).
Hypothesis turns : in_turn kinds counts ask.

(** About two lists of records, where each answer of a kind is no worse than its step. *)
Lemma releases_private (P : (release A -> Prop) -> step -> Prop) (D1 D2 : list A) : Forall2 P kinds steps ->
  (forall kind s q, P kind s -> kind q -> no_worse (pair_of q D1 D2) s) ->
  private (fun h => pair_of (ask h) D1 D2) (total_count counts) (exp eps) (IZR (num c) / IZR (den c)).
Proof.
  intros F W. apply (adaptive_private e B D T) with (steps := steps) (default := default) (xs := xs) (program := program); auto.
  intros h L. destruct (in_turn_at P kinds steps counts ask default F turns h L) as (kind & K & H). exact (W kind _ _ H K).
Qed.

Theorem run_remove_private : Forall2 removed_within kinds steps ->
  releases_remove_private ask (total_count counts) (exp eps) (IZR (num c) / IZR (den c)).
Proof. intros F D1 D2 O. apply (releases_private removed_within); auto. Qed.

Theorem run_add_private : Forall2 added_within kinds steps ->
  releases_add_private ask (total_count counts) (exp eps) (IZR (num c) / IZR (den c)).
Proof. intros F D1 D2 O. apply (releases_private added_within); auto. Qed.

Theorem run_differentially_private : Forall2 kind_both_within kinds steps ->
  releases_differentially_private ask (total_count counts) (exp eps) (IZR (num c) / IZR (den c)).
Proof.
  intros F D1 D2. apply both_parts in F. destruct F as [F F'].
  intros [O | O]; [now apply run_remove_private | now apply run_add_private].
Qed.
End Runs.

(** ** Lower ends *)

(** The step is made of the answers of some release of the kind, about one record or none. *)
Definition removed_attained {A} (r : A) (kind : release A -> Prop) (s : step) : Prop :=
  exists q g, kind q /\ carried g s (pair_of q [r] []).
Definition added_attained {A} (r : A) (kind : release A -> Prop) (s : step) : Prop :=
  exists q g, kind q /\ carried g s (pair_of q [] [r]).

Lemma attained_swapped {A} (r : A) kind s : removed_attained r kind s -> added_attained r kind (swapped s).
Proof. intros (q & g & K & C). exists q, g. split; auto. exact (carried_swapped _ _ _ C). Qed.

Theorem gaussian_sum_attained {A} (r : A) s sigma rate : vector_attains s sigma rate -> removed_attained r (gaussian_sum sigma rate) s.
Proof.
  intros H. exists (vector_release (one_vector sigma rate 1 0)), (fun y => hd 0 y / 1). split; [|apply H; lra].
  exists 1%nat, 1, (fun _ => on_first_axis 1 0). split; [lra|]. split; [|reflexivity]. apply (one_vector_clipped sigma rate). lra.
Qed.

Theorem laplace_sum_attained {A} (r : A) s b rate : number_attains s (fun bound => laplace_density (b * bound)) rate ->
  removed_attained r (laplace_sum b rate) s.
Proof.
  intros H. set (q := Query (laplace_density (b * 1)) rate (fun _ : A => 1)). exists (number_release q), (fun y => hd 0 y / 1).
  split; [exists 1, (fun _ => 1); split; [lra|]; split; [intros _; rewrite Rabs_pos_eq; lra | reflexivity]|].
  intros f v. destruct (H A r 1 Rlt_0_1 f v) as [Cp Cq]. cbn [outputs p_of q_of pair_of number_release released_in released_density] in *.
  split; intros I; eexists; (split; [intros x; reflexivity|]); cbn [hd]; [exact (Cp I) | exact (Cq I)].
Qed.

(** Outputs as lists of one number. *)
Definition as_lists (m : measure) : measure_on (list R).
Proof.
  refine (Measure (fun f v => integral m (fun x => f [x]) v) _ _ _ _).
  - intros f g v E. apply integral_same. intros x. apply E.
  - intros f g v w If Ig. exact (integral_sum m _ _ _ _ If Ig).
  - intros k f v If. exact (integral_scaled m k _ _ If).
  - intros f g v w L If Ig. refine (integral_monotone m _ _ _ _ _ If Ig). intros x. apply L.
Defined.

(** What says, as the step s does, whether there is an odd number of records. *)
Definition parity_release {A} (s : step) : release A := Release (as_lists (outputs s))
  (fun D y => if Nat.even (length D) then q_of s (hd 0 y) else p_of s (hd 0 y)).

Lemma parity_changes {A} (D D' : list A) : one_more D D' -> Nat.even (length D) = negb (Nat.even (length D')).
Proof.
  intros (b & r & a & -> & ->). rewrite !app_length. cbn [length]. rewrite Nat.add_succ_r, Nat.even_succ.
  unfold Nat.odd. reflexivity.
Qed.

Lemma parity_attained {A} (r : A) s (kind : release A -> Prop) : kind (parity_release s) -> removed_attained r kind s.
Proof. intros K. exists (parity_release s), (hd 0). split; auto. intros f v. split; intros I; exact I. Qed.

Lemma pure_parity {A} eps s : pure_step eps s -> pure_release (A := A) eps (parity_release s).
Proof.
  intros H D D' O. pose proof (pure_swapped eps _ H) as H'.
  unfold pair_of, parity_release. cbn [released_in released_density]. rewrite (parity_changes D D' O).
  destruct (Nat.even (length D')); cbn [negb]; [destruct H as (N & B & P & Q) | destruct H' as (N & B & P & Q)];
    (split; [intros y; apply (N (hd 0 y)) | split; [intros y; apply (B (hd 0 y)) | split; [exact P | exact Q]]]).
Qed.

Lemma approximate_parity {A} eps delta s : approximate_step eps delta s -> approximate_release (A := A) eps delta (parity_release s).
Proof.
  intros H D D' O. pose proof (approximate_swapped eps delta _ H) as H'.
  unfold pair_of, parity_release. cbn [released_in released_density]. rewrite (parity_changes D D' O).
  destruct (Nat.even (length D')); cbn [negb];
    [destruct H as (N & P & Q & (G1 & c1 & A1 & A2 & A3 & A4) & (G2 & c2 & B1 & B2 & B3 & B4)) |
     destruct H' as (N & P & Q & (G1 & c1 & A1 & A2 & A3 & A4) & (G2 & c2 & B1 & B2 & B3 & B4))];
    (split; [intros y; apply (N (hd 0 y))|]; split; [exact P|]; split; [exact Q|]; split;
      [exists (fun y => G1 (hd 0 y)), c1; split; [intros y; apply A1|]; split; [intros y; apply (A2 (hd 0 y))|]; split; auto |
       exists (fun y => G2 (hd 0 y)), c2; split; [intros y; apply B1|]; split; [intros y; apply (B2 (hd 0 y))|]; split; auto]).
Qed.

(** In both directions. *)
Theorem pure_release_attained {A} (r : A) eps : 0 <= eps ->
  removed_attained r (pure_release eps) (randomized_response eps) /\
  added_attained r (pure_release eps) (randomized_response eps).
Proof.
  intros He. pose proof (randomized_response_pure eps He) as H. split.
  - now apply parity_attained, pure_parity.
  - apply (attained_swapped r _ (swapped (randomized_response eps))). now apply parity_attained, pure_parity, pure_swapped.
Qed.

Theorem approximate_release_attained {A} (r : A) eps delta : 0 <= eps -> 0 <= delta <= 1 ->
  removed_attained r (approximate_release eps delta) (leaky_response eps delta) /\
  added_attained r (approximate_release eps delta) (leaky_response eps delta).
Proof.
  intros He Hd. pose proof (leaky_response_approximate eps delta He Hd) as H. split.
  - now apply parity_attained, approximate_parity.
  - apply (attained_swapped r _ (swapped (leaky_response eps delta))). now apply parity_attained, approximate_parity, approximate_swapped.
Qed.

Section Attained.
Context {A : Type}.
Variables (r : A) (kinds : list (release A -> Prop)) (steps : list step) (default : step) (counts : list nat) (a delta : R).
Hypothesis same_length : length counts = length steps.
Hypothesis violated : ~ private (sequence (repeated steps counts) default) (total_count counts) a delta.

Lemma some_run (D D' : list A) : Forall2 (fun kind s => exists q g, kind q /\ carried g s (pair_of q D D')) kinds steps ->
  exists ask, in_turn kinds counts ask /\ ~ private (fun h => pair_of (ask h) D D') (total_count counts) a delta.
Proof.
  intros F.
  assert (L : exists l : list (release A * (list R -> R)), Forall2 (fun kind qg => kind (fst qg)) kinds l /\
    Forall2 (fun qg s => carried (snd qg) s (pair_of (fst qg) D D')) l steps).
  { clear same_length violated. induction F as [|kind s ks ss (q & g & K & C) F (l & L1 & L2)]; [exists []; now split|].
    exists ((q, g) :: l). split; constructor; auto. }
  destruct L as (l & L1 & L2). set (none := (Release (space 0) (fun _ _ => 0), fun _ => 0) : release A * (list R -> R)).
  set (all := concat (map (fun kn => repeat (fst kn) (snd kn)) (combine l counts))).
  assert (N : length (repeated steps counts) = total_count counts) by now apply repeated_length.
  pose proof (Forall2_repeated _ _ _ L1 counts) as R1. pose proof (Forall2_repeated _ _ _ L2 counts) as R2. fold all in R1, R2.
  pose proof (Forall2_same_length _ _ _ R1) as E1. pose proof (Forall2_same_length _ _ _ R2) as E2.
  unfold repeated in N. rewrite N in E2.
  exists (fun h => fst (nth (length h) all none)). split.
  - intros h H. apply (Forall2_nth _ _ _ R1). now rewrite E1, E2.
  - intros P. apply violated.
    refine (carried_private (fun h y => snd (nth (length h) all none) y) _ _ _ a delta _ P).
    intros h H. unfold sequence. rewrite made_of_length. apply (Forall2_nth _ _ _ R2). now rewrite E2.
Qed.

Theorem run_not_remove_private : Forall2 (removed_attained r) kinds steps ->
  exists ask, in_turn kinds counts ask /\ ~ releases_remove_private ask (total_count counts) a delta.
Proof.
  intros F. destruct (some_run [r] [] F) as (ask & H & N). exists ask. split; auto. intros P. exact (N (P _ _ (one_more_than_none r))).
Qed.

Theorem run_not_add_private : Forall2 (added_attained r) kinds steps ->
  exists ask, in_turn kinds counts ask /\ ~ releases_add_private ask (total_count counts) a delta.
Proof.
  intros F. destruct (some_run [] [r] F) as (ask & H & N). exists ask. split; auto. intros P. exact (N (P _ _ (one_more_than_none r))).
Qed.
End Attained.
