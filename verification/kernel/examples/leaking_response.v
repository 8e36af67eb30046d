(* A theorem for the kernel of Coq about this run:

  approximate(epsilon=0.2, delta=1e-6)^3
  adjacency as_stated

Remove_upper.holds: in the direction remove the steps' pairs are (0.5994621, 0.0001)-private. The other direction has the same law.
  The step of approximate(epsilon=0.2, delta=1e-6) is (leaky_response (1 / 5) (1 / 1000000)), 3 times.
  The program's certified upper end is 0.5994168515.

Remove_lower.holds: in the direction remove the steps' pairs are not (0.5993705, 0.0001)-private. The other direction has the same law.
  The step of approximate(epsilon=0.2, delta=1e-6) is (leaky_response (1 / 5) (1 / 1000000)), 3 times.
  The program's certified lower end is 0.5994162793.

The steps are defined in Laws.v. That their pairs of densities dominate the mechanisms of the spec
on any two neighbouring data sets is proved on paper (docs/mechanisms.md).
The theorems on_data_sets prove it here, for the queries that they name and data sets of which one
has one record more.
The theorem attained_on_data_sets proves that data sets of which one has one record more, and queries
as it names them, attain the lower end.
Private is defined in Privacy.v: n adaptive steps, whose outputs no test, randomised or not,
whose integrals exist, accepts on the one
data set with more than exp(epsilon) times its probability on the other, plus delta.
Nothing in this file has to be believed: a wrong number makes Coq refuse it. Check it by

  ./dev prove THIS_FILE.v

Written by plaudit prove. *)
From Coq Require Import Reals ZArith List Lia Lra.
From Interval Require Import Tactic.
From Plaudit Require Import Privacy Outputs Laws Curve Composition Lattice Powers Slices Normal Gaussian
  Runs Sources GaussianSteps Laplace Discrete Finite Adaptive Pure
  Noise DataSets Vectors VectorQueries Attained Releases.
Import List ListNotations.
Open Scope R_scope.
Ltac enclosed := unfold encloses, at_grid, normal, beta, tilt; cbn [fst snd share_of centre start growth];
  repeat split; try lia; interval with (i_prec 200).
Ltac same_lists := unfold over, GaussianSteps.mirrored; cbn [map fst snd];
  repeat (apply (f_equal2 (@cons (R * R))); [apply (f_equal2 (@pair R R)); lra |]); reflexivity.

Module Remove_upper.
Definition law0_outcomes : list outcome := [Outcome false (0, 0)%Z (0, 0)%Z;
  Outcome true (35665789553498537494729531414, 35665789553499025968008790016)%Z (43562293732603285834476825375, 43562293732607500992705986560)%Z;
  Outcome true (43562293732603285834476825375, 43562293732607500992705986560)%Z (35665789553498537494729531414, 35665789553499025968008790016)%Z;
  Outcome false (79228162514264337593542, 79228162514264337593545)%Z (0, 0)%Z]%Z.
Definition law0_source : source := finite_source 96 44 law0_outcomes 17592187.
Definition law0_step : step := (leaky_response (1 / 5) (1 / 1000000)).
Lemma law0_holds : source_holds 44 96 law0_step law0_source.
Proof.
  apply finite_source_holds; try lia. unfold law0_outcomes; cbn [outcomes_hold]. unfold outcome_holds, encloses.
  cbn [around_p around_q inside fst snd]. enclosed.
Qed.
Definition cells0_0 : list cell_choice := [CellChoice (Z.to_nat 2) 7919396150743 9672772301488 [(-19660, 245703478); (-6553, 7919150447265)] [(-6553, 300103513); (6554, 9672472197975)]]%Z.
Definition cells0 : list cell_choice := cells0_0.
Definition plan0 := PlanUp law0_source (Place (-19660) 2202772851884271656480798 2202772851884271656520123) cells0 (Layout (Z.to_nat 13107) 0 (-19660) 32768 32768).
Definition program : list instruction := [Square 0 (Z.to_nat 2) (Z.to_nat 3) (Z.to_nat 0); Times 1 0 (Z.to_nat 1) (Z.to_nat 4) (Z.to_nat 0)].
Definition the_claim : claim := Claim 4011433007337354570745447 809894356249668079512920 (-19659) 32769 1 10000.
Lemma checked : private_by 15 44 80 96 [plan0] program [Z.to_nat 3] the_claim = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma at_place : claim_placed 15 80 Up (exp (5994621 / 10000000)) the_claim.
Proof.
  apply (claim_placed_by 15 80 ltac:(lia) ltac:(lia) 145 Up 81225511222579317067676326112392056733208749); [unfold placed; interval with (i_prec 165) | vm_compute; reflexivity].
Qed.
Theorem holds : private (sequence (repeated [(leaky_response (1 / 5) (1 / 1000000))]
  [Z.to_nat 3]) (leaky_response (1 / 5) (1 / 1000000))) (total_count [Z.to_nat 3]) (exp (5994621 / 10000000)) (1 / 10000).
Proof.
  exact (run_private 15 44 80 96 ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia)
    [law0_step] law0_step [plan0] program [Z.to_nat 3] the_claim _
    (Forall2_cons _ _ law0_holds (Forall2_nil _)) checked at_place).
Qed.
Theorem for_all : forall m : mechanism, (forall h, approximate_step (1 / 5) (1 / 1000000) (m h)) ->
  private m (Z.to_nat 3) (exp (5994621 / 10000000)) (1 / 10000).
Proof.
  intros m H.
  exact (adaptive_private_once 15 44 80 96 ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia) law0_step plan0 program (Z.to_nat 3) the_claim _
    law0_holds checked at_place m (fun h => approximate_no_worse (1 / 5) (1 / 1000000) (m h) ltac:(lra) ltac:(lra) (H h))).
Qed.
Theorem on_data_sets : forall (Record : Type) (ask : list (list R) -> release Record),
  in_turn [approximate_release (1 / 5) (1 / 1000000)]
    [Z.to_nat 3] ask ->
  releases_differentially_private ask (total_count [Z.to_nat 3]) (exp (5994621 / 10000000)) (1 / 10000).
Proof.
  intros Record ask turns.
  exact (run_differentially_private 15 44 80 96 ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia)
    [law0_step] law0_step [plan0] program [Z.to_nat 3] the_claim _
    (Forall2_cons _ _ law0_holds (Forall2_nil _)) checked at_place _ ask turns
    (Forall2_cons _ _ (approximate_release_both_within (1 / 5) (1 / 1000000) ltac:(lra) ltac:(lra))
    (Forall2_nil _))).
Qed.
End Remove_upper.

Module Remove_lower.
Definition law0_outcomes : list outcome := [Outcome false (0, 0)%Z (0, 0)%Z;
  Outcome true (35665789553498537494729531414, 35665789553499025968008790016)%Z (43562293732603285834476825375, 43562293732607500992705986560)%Z;
  Outcome true (43562293732603285834476825375, 43562293732607500992705986560)%Z (35665789553498537494729531414, 35665789553499025968008790016)%Z;
  Outcome true (79228162514264337593542, 79228162514264337593545)%Z (0, 0)%Z]%Z.
Definition law0_source : source := finite_source 96 44 law0_outcomes 0.
Definition law0_step : step := (leaky_response (1 / 5) (1 / 1000000)).
Lemma law0_holds : source_holds 44 96 law0_step law0_source.
Proof.
  apply finite_source_holds; try lia. unfold law0_outcomes; cbn [outcomes_hold]. unfold outcome_holds, encloses.
  cbn [around_p around_q inside fst snd]. enclosed.
Qed.
Definition cells0_0 : list class_choice := [ClassChoice (Z.to_nat 0) 0 (-6554) 7919396150745; ClassChoice (Z.to_nat 0) 0 6553 9672772301484; ClassChoice (Z.to_nat 0) 0 832294 17592186]%Z.
Definition cells0 : list class_choice := cells0_0.
Definition plan0 := PlanDown law0_source (Place (-19661) 2202840077228425355985069 2202840077228425356024396) cells0 (Layout (Z.to_nat 13107) 0 (-6554) 45874 45874).
Definition program : list instruction := [Square 0 (Z.to_nat 0) (Z.to_nat 3) (Z.to_nat 62); Times 1 0 (Z.to_nat 0) (Z.to_nat 4) (Z.to_nat 63)].
Definition the_claim : claim := Claim 4011432823338491742031446 809894319100938364032466 (-19662) 32766 1 10000.
Lemma checked : not_private_by 15 44 80 96 20 [plan0] program [Z.to_nat 3] the_claim = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma at_place : claim_placed 15 80 Down (exp (1198741 / 2000000)) the_claim.
Proof.
  apply (claim_placed_by 15 80 ltac:(lia) ltac:(lia) 145 Down 81218071306504687108802578166956220949995651); [unfold placed; interval with (i_prec 165) | vm_compute; reflexivity].
Qed.
Theorem holds : ~ private (sequence (repeated [(leaky_response (1 / 5) (1 / 1000000))]
  [Z.to_nat 3]) (leaky_response (1 / 5) (1 / 1000000))) (total_count [Z.to_nat 3]) (exp (1198741 / 2000000)) (1 / 10000).
Proof.
  refine (run_not_private 15 44 80 96 20 ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia)
    [law0_step] law0_step [plan0] program [Z.to_nat 3] the_claim _ _
    (Forall2_cons _ _ law0_holds (Forall2_nil _)) checked at_place).
  destruct (law0_holds ltac:(vm_compute; reflexivity)) as [N _]; exact N.
Qed.
Theorem attained_on_data_sets : forall (Record : Type) (one : Record),
  exists ask : list (list R) -> release Record, in_turn [approximate_release (1 / 5) (1 / 1000000)]
    [Z.to_nat 3] ask /\
  ~ releases_remove_private ask (total_count [Z.to_nat 3]) (exp (1198741 / 2000000)) (1 / 10000).
Proof.
  intros Record one.
  exact (run_not_remove_private one _ [law0_step] law0_step [Z.to_nat 3]
    _ _ eq_refl holds
    (Forall2_cons _ _ (proj1 (approximate_release_attained one (1 / 5) (1 / 1000000) ltac:(lra) ltac:(lra)))
    (Forall2_nil _))).
Qed.
End Remove_lower.

Definition all_theorems := (Remove_upper.holds, Remove_upper.for_all, Remove_upper.on_data_sets, Remove_lower.holds, Remove_lower.attained_on_data_sets).
Print Assumptions all_theorems.
