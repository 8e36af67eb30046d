(** Randomized response with epsilon = 0.1, 10 times: the composition is (7537/10000, 1/1000)-private.
    So is every mechanism each of whose 10 steps, which it may choose adaptively, is 0.1-private. *)
From Coq Require Import Reals ZArith List Lia Lra.
From Interval Require Import Tactic.
From Plaudit Require Import Privacy Outputs Laws Curve Composition Lattice Powers Slices Normal Runs Sources Finite Adaptive Pure.
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

Definition cells_0 : list cell_choice := [CellChoice 1 0 547661709891347487 [(-103, 0)] [(-103, 191616276860717598); (-102, 356045433030629889)]; CellChoice 1 0 605259794715499490 [(102, 0)] [(102, 393356524505244895); (103, 211903270210254595)]]%Z.
Definition cells : list cell_choice := cells_0.
Definition plan := PlanUp the_source (Place (-103) 1336918443542038865751999 1336918443542038865752210) cells (Layout 1 0 (-103) (103) (103)).
Definition program : list instruction := [Times 0 0 (Z.to_nat 0) (Z.to_nat 411) (Z.to_nat 207); Times 1 1 (Z.to_nat 0) (Z.to_nat 821) (Z.to_nat 619); Times 2 0 (Z.to_nat 0) (Z.to_nat 1026) (Z.to_nat 825); Times 3 3 (Z.to_nat 0) (Z.to_nat 1439) (Z.to_nat 1855)].
Definition the_claim : claim := Claim 7027162873622412930345988 5746051267135661910431842 (-1030) (-824) 1 1000.
Lemma checked : private_by 10 60 80 128 [plan] program [10%nat] the_claim = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma placed : claim_placed 10 80 Up (exp (7537 / 10000)) the_claim.
Proof. unfold claim_placed, placed, the_claim, Y, rho; cbn [u u_coarse at_off at_off_coarse]. split; interval with (i_prec 200). Qed.

Theorem response_private : private (sequence (repeated [the_step] [10%nat]) the_step) 10 (exp (7537 / 10000)) (1 / 1000).
Proof.
  exact (run_private 10 60 80 128 ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia) [the_step] the_step [plan] program [10%nat]
    the_claim _ (Forall2_cons _ _ source_is (Forall2_nil _)) checked placed).
Qed.

Theorem pure_private : forall m : mechanism, (forall h, pure_step (1 / 10) (m h)) -> private m 10 (exp (7537 / 10000)) (1 / 1000).
Proof.
  intros m H.
  exact (adaptive_private_once 10 60 80 128 ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia) the_step plan program 10
    the_claim _ source_is checked placed m (fun h => pure_no_worse (1 / 10) (m h) ltac:(lra) (H h))).
Qed.
Print Assumptions pure_private.
