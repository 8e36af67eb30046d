(** A lower end: randomized response with epsilon = 0.1, 10 times, is not (937/1250, 1/1000)-private. *)
From Coq Require Import Reals ZArith List Lia Lra.
From Interval Require Import Tactic.
From Plaudit Require Import Privacy Outputs Laws Curve Composition Lattice Powers Slices Normal Runs Sources Finite.
Import List ListNotations.
Open Scope R_scope.

Definition outcomes : list outcome := [Outcome true (161641206421373663554428179988825879118, 161641206421373663697206773517094223872) (178641160499564799908946427442942332335, 178641160499564800061315739094026813440); Outcome true (178641160499564799908946427442942332335, 178641160499564800061315739094026813440) (161641206421373663554428179988825879118, 161641206421373663697206773517094223872)]%Z.
Definition the_source : source := finite_source 128 60 outcomes 0.
Definition the_step : step := randomized_response (1 / 10).

Lemma source_is : source_holds 60 128 the_step the_source.
Proof.
  apply finite_source_holds; try lia. unfold outcomes; cbn [outcomes_hold]. unfold outcome_holds, encloses.
  cbn [around_p around_q inside fst snd]. repeat split; try lia; interval with (i_prec 200).
Qed.

Definition cells_0 : list class_choice := [ClassChoice 0 1793 (-102) 548696666644052956; ClassChoice 0 0 (102) 604224837962794019]%Z.
Definition cells : list class_choice := cells_0.
Definition plan := PlanDown the_source (Place (-105) 1339533442317926159422975 1339533442317926159423190) cells (Layout 1 0 (-102) (103) (103)).
Definition program : list instruction := [Times 0 0 (Z.to_nat 0) (Z.to_nat 409) (Z.to_nat 0); Times 1 1 (Z.to_nat 0) (Z.to_nat 817) (Z.to_nat 0); Times 2 0 (Z.to_nat 0) (Z.to_nat 1021) (Z.to_nat 0); Times 3 3 (Z.to_nat 0) (Z.to_nat 1633) (Z.to_nat 408)].
Definition the_claim : claim := Claim 6930366194477508373009249 1405519392458704256244909 (-1020) (613) 1 1000.
Lemma checked : not_private_by 10 60 80 128 20 [plan] program [10%nat] the_claim = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma placed : claim_placed 10 80 Down (exp (937 / 1250)) the_claim.
Proof. unfold claim_placed, placed, the_claim, Y, rho; cbn [u u_coarse at_off at_off_coarse]. split; interval with (i_prec 200). Qed.

Theorem response_not_private : ~ private (sequence (repeated [the_step] [10%nat]) the_step) 10 (exp (937 / 1250)) (1 / 1000).
Proof.
  refine (run_not_private 10 60 80 128 20 ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia) [the_step] the_step [plan] program [10%nat]
    the_claim _ _ (Forall2_cons _ _ source_is (Forall2_nil _)) checked placed).
  exact (proj1 (source_is eq_refl)).
Qed.
