(** What may be done to sources: a source that holds for a step holds for a step with the same densities,
    with its slices in another order, and, mirrored, for the reflected step on the line. Where the slices
    cover all outputs nothing is outside of them, and the slices hold for the swapped step, with p and q
    exchanged. *)
From Coq Require Import Reals ZArith List Lia Lra Permutation.
From Coquelicot Require Import Coquelicot.
From Plaudit Require Import Privacy Outputs Curve Composition Attack Powers Slices Runs.
Import List ListNotations.
Open Scope R_scope.

(** ** Steps whose densities are equal *)

Lemma region_holds_same T (m : measure) p q p' q' r : (forall x, p x = p' x) -> (forall x, q x = q' x) ->
  region_holds T (Step m p q) r -> region_holds T (Step m p' q') r.
Proof.
  intros Ep Eq. destruct r as [chi sl]. unfold region_holds. cbn [outputs p_of q_of]. intros (Hx & (P & IP & BP) & (Q & IQ & BQ)).
  split; [|split].
  - intros x. now rewrite <- Ep, <- Eq.
  - exists P. split; auto. apply (integral_same _ (fun x => chi x * p x)); auto. intros x. now rewrite Ep.
  - exists Q. split; auto. apply (integral_same _ (fun x => chi x * q x)); auto. intros x. now rewrite Eq.
Qed.

Theorem source_same B T (m : measure) p q p' q' src : (forall x, p x = p' x) -> (forall x, q x = q' x) ->
  source_holds B T (Step m p q) src -> source_holds B T (Step m p' q') src.
Proof.
  intros Ep Eq H A. destruct (H A) as (N & rs & E & R & C & I & G & t & G0 & G1 & G2 & G3). split.
  - intros x. specialize (N x). cbn [p_of q_of] in *. now rewrite <- Ep, <- Eq.
  - exists rs. split; auto. split.
    { eapply Forall_impl; [|exact R]. intros r. now apply region_holds_same. }
    split; auto. split; auto. exists G, t. split; auto. split; auto. intros x. specialize (G1 x). cbn [p_of] in *. now rewrite <- Ep.
Qed.

(** ** The order of slices *)

Lemma coverage_permuted rs rs' x : Permutation rs rs' -> coverage rs x = coverage rs' x.
Proof. unfold coverage. induction 1; simpl; lra. Qed.

Theorem source_permuted B T s src sl : Permutation (its_slices src) sl -> source_holds B T s src ->
  source_holds B T s (Source (acceptable src) sl (outside_them src)).
Proof.
  intros Hp H A. destruct (H A) as (N & rs & E & R & C & I & G & t & G0 & G1 & G2 & G3). split; auto.
  rewrite <- E in Hp. destruct (Permutation_map_inv snd _ (Permutation_sym Hp)) as (rs' & E' & P).
  cbn [its_slices outside_them]. exists rs'. split; [now rewrite E'|]. split; [|split; [|split]]; auto.
  - now apply Permutation_Forall with rs.
  - intros x. rewrite <- (coverage_permuted rs rs' x P). auto.
  - exists G, t. split; auto. split; auto. intros x. rewrite <- (coverage_permuted rs rs' x P). auto.
Qed.

(** ** Slices that cover everything *)

(** Outside of the slices neither data set has an output. *)
Definition whole_holds (T : Z) (s : step) (sl : list slice) : Prop :=
  nonnegative_step s /\ sl <> nil /\ exists rs, map snd rs = sl /\ Forall (region_holds T s) rs /\
    (forall x, coverage rs x <= 1) /\
    forall x, (1 - coverage rs x) * p_of s x = 0 /\ (1 - coverage rs x) * q_of s x = 0.

Theorem whole_source B T s sl b : (b = true -> whole_holds T s sl) -> source_holds B T s (Source b sl 0).
Proof.
  intros H A. cbn [acceptable its_slices outside_them] in *. destruct (H A) as (N & Hne & rs & E & R & C & O). split; auto.
  exists rs. split; auto. split; auto. split; auto. split; [lia|].
  destruct rs as [|[chi sl0] rs]; [now elim Hne|].
  assert (R0 : region_holds T s (chi, sl0)) by (inversion R; auto). destruct R0 as (_ & (P & IP & _) & _).
  exists (fun _ => 0), 0. split; [intros; lra|]. split; [intros x; right; apply (proj1 (O x))|]. split; [|lra].
  apply (integral_same _ (fun x => 0 * (chi x * p_of s x))); [intros; lra|].
  pose proof (integral_scaled _ 0 _ _ IP) as Z. now rewrite Rmult_0_l in Z.
Qed.

Lemma whole_same T (m : measure) p q p' q' sl : (forall x, p x = p' x) -> (forall x, q x = q' x) ->
  whole_holds T (Step m p q) sl -> whole_holds T (Step m p' q') sl.
Proof.
  intros Ep Eq (N & Hne & rs & E & R & C & O). split; [|split; auto].
  - intros x. specialize (N x). cbn [p_of q_of] in *. now rewrite <- Ep, <- Eq.
  - exists rs. split; auto. split.
    { eapply Forall_impl; [|exact R]. intros r. now apply region_holds_same. }
    split; auto. intros x. specialize (O x). cbn [p_of q_of] in *. now rewrite <- Ep, <- Eq.
Qed.

(** The data sets change places. Losses change their signs, so the order of the slices is reversed. *)
Definition swapped_slice (x : slice) : slice :=
  Slice (low_q x) (high_q x) (low_p x) (high_p x) (den_lo x) (num_lo x) (den_hi x) (num_hi x).
Definition swapped_slices (sl : list slice) : list slice := rev (map swapped_slice sl).

Lemma region_swapped T s chi sl : region_holds T s (chi, sl) -> region_holds T (swapped s) (chi, swapped_slice sl).
Proof.
  intros (Hx & HP & HQ). split; [|split; [exact HQ | exact HP]].
  intros x. destruct (Hx x) as [Z | (Z & K1 & K2)]; [left | right]; auto.
Qed.

Theorem whole_swapped T s sl : whole_holds T s sl -> whole_holds T (swapped s) (swapped_slices sl).
Proof.
  intros (N & Hne & rs & E & R & C & O). split; [intros x; destruct (N x); now split|]. split.
  { intros Z. apply Hne. unfold swapped_slices in Z. apply (f_equal (@rev _)) in Z. rewrite rev_involutive in Z.
    now apply map_eq_nil in Z. }
  assert (K : forall x, coverage (rev (map (fun r => (fst r, swapped_slice (snd r))) rs)) x = coverage rs x).
  { intros x. rewrite (coverage_permuted _ _ x (Permutation_sym (Permutation_rev _))).
    unfold coverage. clear. induction rs as [|r rs IH]; simpl; [auto | now rewrite IH]. }
  exists (rev (map (fun r => (fst r, swapped_slice (snd r))) rs)). split; [|split; [|split]].
  - unfold swapped_slices. rewrite map_rev, map_map, <- E, map_map. reflexivity.
  - apply Forall_rev, Forall_map. eapply Forall_impl; [|exact R]. intros [chi sl0]. apply region_swapped.
  - intros x. now rewrite K.
  - intros x. rewrite K. destruct (O x). now split.
Qed.

(** ** A slice on which the ratio is constant *)

(** The probabilities rounded up to h and k, and for the ratio that of the probabilities: so the slice alone
    can be a cell, whose weights are not rounded, also when the data sets are swapped. *)
Definition constant_slice (h k : Z) (x : slice) : slice := Slice (low_p x) h (low_q x) k k (low_p x) (low_q x) h.

Lemma region_constant T s chi sl c h k : nonnegative_step s -> region_holds T s (chi, sl) ->
  (forall x, chi x = 0 \/ chi x = 1 /\ p_of s x = c * q_of s x) -> (high_p sl <= h)%Z -> (high_q sl <= k)%Z ->
  region_holds T s (chi, constant_slice h k sl).
Proof.
  intros N (Hx & (P & IP & P1 & P2) & (Q & IQ & Q1 & Q2)) Hc Hh Hk. apply IZR_le in Hh, Hk.
  assert (E : P = c * Q).
  { pose proof (integral_scaled _ c _ _ IQ) as I.
    apply Rle_antisym; (eapply integral_monotone; [|eassumption|eassumption]); intros x; right;
      destruct (Hc x) as [-> | [-> ->]]; ring. }
  split; [|split]; cbn [constant_slice low_p high_p low_q high_q num_hi den_hi num_lo den_lo].
  - intros x. destruct (Hc x) as [Z | [Z R]]; [now left | right]. split; auto. destruct (N x) as [Np Nq].
    assert (K : P * IZR (2 ^ T) * q_of s x = Q * IZR (2 ^ T) * p_of s x) by (rewrite E, R; ring).
    pose proof (Rmult_le_compat_r _ _ _ Nq P1). pose proof (Rmult_le_compat_r _ _ _ Np (Rle_trans _ _ _ Q2 Hk)).
    pose proof (Rmult_le_compat_r _ _ _ Np Q1). pose proof (Rmult_le_compat_r _ _ _ Nq (Rle_trans _ _ _ P2 Hh)).
    split; lra.
  - exists P. split; auto. split; auto. lra.
  - exists Q. split; auto. split; auto. lra.
Qed.

(** ** Reflection of the line *)

Theorem line_reflected f v : integral line f v -> integral line (fun x => f (- x)) v.
Proof.
  simpl. intros H P HP. destruct (H P HP) as [Q R HQ HR K]. destruct HQ as [M1 HQ]. destruct HR as [M2 HR].
  exists (fun x => R (- x)) (fun y => Q (- y)).
  - exists (- M2). intros x Hx. apply HR. lra.
  - exists (- M1). intros x Hx. apply HQ. lra.
  - intros x y Hx Hy. destruct (K (- y) (- x) Hy Hx) as (I & HI & PI). exists I. split; auto.
    simpl in *. apply is_RInt_swap in HI. pose proof (is_RInt_comp_opp (V := R_NormedModule) f x y _ HI) as J.
    apply is_RInt_opp in J. rewrite opp_opp in J. apply (is_RInt_ext (V := R_NormedModule)) with (2 := J).
    intros z _. apply opp_opp.
Qed.

Lemma region_reflected T p q chi sl : region_holds T (Step line p q) (chi, sl) ->
  region_holds T (Step line (fun x => p (- x)) (fun x => q (- x))) ((fun x => chi (- x)), sl).
Proof.
  intros (Hx & (P & IP & BP) & (Q & IQ & BQ)). split; [|split].
  - intros x. exact (Hx (- x)).
  - exists P. split; auto. exact (line_reflected _ _ IP).
  - exists Q. split; auto. exact (line_reflected _ _ IQ).
Qed.

Theorem source_reflected B T p q src : source_holds B T (Step line p q) src ->
  source_holds B T (Step line (fun x => p (- x)) (fun x => q (- x))) src.
Proof.
  intros H A. destruct (H A) as (N & rs & E & R & C & I & G & t & G0 & G1 & G2 & G3). split.
  - intros x. exact (N (- x)).
  - assert (K : forall x, coverage (map (fun r => ((fun x => fst r (- x)), snd r)) rs) x = coverage rs (- x)).
    { intros x. unfold coverage. clear. induction rs as [|r rs IH]; simpl; [auto | now rewrite IH]. }
    exists (map (fun r => ((fun x => fst r (- x)), snd r)) rs). split; [|split; [|split; [|split]]]; auto.
    + rewrite <- E, map_map. reflexivity.
    + apply Forall_map. eapply Forall_impl; [|exact R]. intros [chi sl]. apply region_reflected.
    + intros x. now rewrite K.
    + exists (fun x => G (- x)), t. split; auto. split; [|split; auto; exact (line_reflected _ _ G2)].
      intros x. rewrite K. exact (G1 (- x)).
Qed.

(** The reflected step has the same bounds from both sides. *)
Lemma dominated_reflected p q V : dominated (Step line p q) V ->
  dominated (Step line (fun x => p (- x)) (fun x => q (- x))) V.
Proof.
  intros H a Ha. destruct (H a Ha) as (G & c & H1 & H2 & H3 & H4). exists (fun x => G (- x)), c.
  split; [intros x; apply H1|]. split; [intros x; exact (H2 (- x))|]. split; auto. exact (line_reflected _ _ H3).
Qed.

Lemma attained_reflected p q V : attained (Step line p q) V ->
  attained (Step line (fun x => p (- x)) (fun x => q (- x))) V.
Proof.
  intros (cs & (Hne & H & S) & E).
  exists (map (fun c => Class (fun x => part c (- x)) (mass_p c) (mass_q c) (weight c) (ratio c)) cs).
  split; [split; [|split]|].
  - intros Z. now apply map_eq_nil in Z.
  - apply Forall_map. eapply Forall_impl; [|exact H]. intros c (H1 & H2 & H3 & H4).
    split; [intros x; apply H1|]. split; [exact (line_reflected _ _ H2)|]. split; [exact (line_reflected _ _ H3)|]. exact H4.
  - intros x. apply Rle_trans with (2 := S (- x)). right. unfold shares. clear.
    induction cs as [|c cs IH]; simpl; [auto | now rewrite IH].
  - rewrite <- E. unfold class_law. now rewrite map_map.
Qed.
