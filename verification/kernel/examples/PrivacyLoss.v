(** Every mechanism of 10 steps, chosen adaptively, each of which is (0.1, 0.00001)-private, is
    (1901/2500, 1/1000)-private. And 3 steps with a given distribution of the privacy loss. *)
From Coq Require Import Reals ZArith List Lia Lra.
From Interval Require Import Tactic.
From Plaudit Require Import Privacy Outputs Laws Curve Composition Lattice Powers Slices Normal Runs Sources Finite Adaptive Pure.
Import List ListNotations.
Open Scope R_scope.

Module Approximate.
Definition outcomes : list outcome := [Outcome false (0, 0) (0, 0); Outcome true (161639590009309449817792635707025990859, 161639590009309450100726687181878329344) (178639374087959804260947337978667902912, 178639374087959804411809871620221173760);
  Outcome true (178639374087959804260947337978667902912, 178639374087959804411809871620221173760) (161639590009309449817792635707025990859, 161639590009309450100726687181878329344); Outcome false (3402823669209384634633746074317681, 3402823669209384634633746074317684) (0, 0)]%Z.
Definition the_source : source := finite_source 128 60 outcomes 11529215046069.
Definition the_step : step := leaky_response (1 / 10) (1 / 100000).

Lemma source_is : source_holds 60 128 the_step the_source.
Proof.
  apply finite_source_holds; try lia. unfold outcomes; cbn [outcomes_hold]. unfold outcome_holds, encloses.
  cbn [around_p around_q inside fst snd]. repeat split; try lia; interval with (i_prec 200).
Qed.
Definition cells_0 : list cell_choice := [CellChoice 1 0 547656233274248574 [(-103, 0)] [(-103, 191614360697948505); (-102, 356041872576300069)]; CellChoice 1 0 605253742117552335 [(102, 0)] [(102, 393352590939999848); (103, 211901151177552487)]]%Z.
Definition cells : list cell_choice := cells_0.
Definition plan := PlanUp the_source (Place (-103) 1336918443542038865751999 1336918443542038865752210) cells (Layout 1 0 (-103) (103) (103)).
Definition program : list instruction := [Times 0 0 (Z.to_nat 0) (Z.to_nat 411) (Z.to_nat 207); Times 1 1 (Z.to_nat 0) (Z.to_nat 821) (Z.to_nat 619); Times 2 0 (Z.to_nat 0) (Z.to_nat 1026) (Z.to_nat 825); Times 3 3 (Z.to_nat 0) (Z.to_nat 1439) (Z.to_nat 1855)].
Definition the_claim : claim := Claim 7074402942388959330358735 5784679069262534187847850 (-1030) (-824) 1 1000.
Lemma checked : private_by 10 60 80 128 [plan] program [10%nat] the_claim = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma placed : claim_placed 10 80 Up (exp (1901 / 2500)) the_claim.
Proof. unfold claim_placed, placed, the_claim, Y, rho; cbn [u u_coarse at_off at_off_coarse]. split; interval with (i_prec 200). Qed.

Theorem approximate_private : forall m : mechanism, (forall h, approximate_step (1 / 10) (1 / 100000) (m h)) ->
  private m 10 (exp (1901 / 2500)) (1 / 1000).
Proof.
  intros m H.
  exact (adaptive_private_once 10 60 80 128 ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia) the_step plan program 10
    the_claim _ source_is checked placed m (fun h => approximate_no_worse (1 / 10) (1 / 100000) (m h) ltac:(lra) ltac:(lra) (H h))).
Qed.
End Approximate.

Module Loss.
(** Losses -0.2, 0, 0.2 with probabilities 0.2, 0.2, 0.59; with 0.01 the loss is infinite. *)
Definition atoms : list atom := atoms_on_grid 128 (-2) 2 (415621821510505177418443973841112574400, 415621821510505177418443973841112574403)%Z (278599638528338091103131441305499556618, 278599638528338091103131441305499556621)%Z [20; 20; 59]%Z.
Definition the_source : source := finite_source 128 60 (pld_outcomes 128 100 60 atoms 1) 11529215046068470.
Definition the_step : step := pld (map (real_atom 100 10) atoms) (1 / 100) (1 - (20 * exp (2 / 10) + 20 + 59 * exp (- (2 / 10))) / 100).

Lemma source_is : source_holds 60 128 the_step the_source.
Proof.
  apply pld_source_holds; try lia.
  - apply atoms_on_grid_hold; try lia.
    + repeat constructor; lia.
    + unfold encloses; cbn [fst snd]; repeat split; try lia; interval with (i_prec 200).
    + unfold encloses; cbn [fst snd]; repeat split; try lia; interval with (i_prec 200).
  - interval.
Qed.
Definition cells_0 : list cell_choice := [CellChoice 1 0 230584300921369396 [(-205, 0)] [(-205, 161381598087134940); (-204, 69202702834234456)]; CellChoice 1 0 230584300921369396 [(-1, 0)] [(-1, 115235827964123133); (1, 115348472957246263)]; CellChoice 1 0 680223687718039716 [(204, 0)] [(204, 204008401876942976); (205, 476215285841096740)]]%Z.
Definition cells : list cell_choice := cells_0.
Definition plan := PlanUp the_source (Place (-205) 1477018222147560617392674 1477018222147560617393089) cells (Layout 1 0 (-205) (205) (205)).
Definition program : list instruction := [Times 0 0 (Z.to_nat 0) (Z.to_nat 819) (Z.to_nat 411); Times 1 0 (Z.to_nat 0) (Z.to_nat 1228) (Z.to_nat 821)].
Definition the_claim : claim := Claim 3000898057442398642411989 2010383180050195045760639 (-615) (-205) 1 10.
Lemma checked : private_by 10 60 80 128 [plan] program [3%nat] the_claim = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma placed : claim_placed 10 80 Up (exp (3083 / 10000)) the_claim.
Proof. unfold claim_placed, placed, the_claim, Y, rho; cbn [u u_coarse at_off at_off_coarse]. split; interval with (i_prec 200). Qed.

Theorem loss_private : private (sequence (repeated [the_step] [3%nat]) the_step) 3 (exp (3083 / 10000)) (1 / 10).
Proof.
  exact (run_private 10 60 80 128 ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia) [the_step] the_step [plan] program [3%nat]
    the_claim _ (Forall2_cons _ _ source_is (Forall2_nil _)) checked placed).
Qed.

End Loss.
