(* A theorem for the kernel of Coq about this run:

  discrete_gaussian(sigma=2)^2 * discrete_laplace(scale=2)^2
  adjacency as_stated

Remove_upper.holds: in the direction remove the steps' pairs are (2.8334442, 0.001)-private. The other direction has the same law.
  The step of discrete_gaussian(sigma=2) is (discrete_gaussian 2 1), 2 times.
  The step of discrete_laplace(scale=2) is (discrete_laplace 2 1), 2 times.
  The program's certified upper end is 2.833441426.

Remove_lower.holds: in the direction remove the steps' pairs are not (2.8333762, 0.001)-private. The other direction has the same law.
  The step of discrete_gaussian(sigma=2) is (discrete_gaussian 2 1), 2 times.
  The step of discrete_laplace(scale=2) is (discrete_laplace 2 1), 2 times.
  The program's certified lower end is 2.833436021.

The steps are defined in Laws.v. That their pairs of densities dominate the mechanisms of the spec
on any two neighbouring data sets is proved on paper (docs/mechanisms.md).
Two neighbouring data sets have these pairs (docs/mechanisms.md, on paper): the lower end is one of the
mechanism.
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
Definition law0_u : Z * Z := (69918608016307228318656177822, 69918608016307228318656177825)%Z.
Definition law0_source : source := discrete_gaussian_source 40 56 96 1 1 (Z.to_nat 25) law0_u 1 (Z.to_nat 12) (Z.to_nat 28) 6.
Definition law0_step : step := (discrete_gaussian 2 1).
Lemma law0_holds : source_holds 40 96 law0_step law0_source.
Proof.
  apply (discrete_gaussian_source_holds 40 56 96); try lia; try lra.
  unfold law0_u. enclosed.
Qed.
Definition cells0_0 : list cell_choice := [CellChoice (Z.to_nat 1) 0 6 [] [(-425982, 6); (-360446, 0)]; CellChoice (Z.to_nat 1) 0 147 [] [(-425982, 147); (-360446, 0)]; CellChoice (Z.to_nat 1) 0 3341 [(-425982, 0)] [(-425982, 3341); (-360446, 0)]; CellChoice (Z.to_nat 1) 0 59208 [(-425982, 0)] [(-425982, 59208); (-360446, 0)]; CellChoice (Z.to_nat 1) 0 817333 [(-425982, 0)] [(-425982, 817333); (-360446, 0)]; CellChoice (Z.to_nat 1) 0 8787155 [(-425982, 0)] [(-425982, 8787155); (-360446, 0)]; CellChoice (Z.to_nat 1) 0 73573945 [(-425982, 0)] [(-425982, 73573945); (-360446, 0)]; CellChoice (Z.to_nat 1) 0 479762386 [(-425982, 0)] [(-425982, 479762386); (-360446, 0)]; CellChoice (Z.to_nat 1) 0 2436434431 [(-425982, 0)] [(-425982, 42948); (-360446, 2436391483)]; CellChoice (Z.to_nat 1) 0 9636285104 [(-360446, 0)] [(-360446, 186046); (-294910, 9636099058)]; CellChoice (Z.to_nat 1) 0 29681847739 [(-294910, 0)] [(-294910, 622891); (-229374, 29681224848)]; CellChoice (Z.to_nat 1) 0 71203051219 [(-229374, 0)] [(-229374, 1613784); (-163838, 71201437435)]; CellChoice (Z.to_nat 1) 0 133024812596 [(-163838, 0)] [(-163838, 3238280); (-98302, 133021574316)]; CellChoice (Z.to_nat 1) 0 193549960258 [(-98302, 0)] [(-98302, 5036616); (-32766, 193544923642)]; CellChoice (Z.to_nat 1) 0 219320838057 [(-32766, 0)] [(-32766, 6075446); (32770, 219314762611)]; CellChoice (Z.to_nat 1) 0 193549960258 [(32770, 0)] [(32770, 5686505); (98306, 193544273753)]; CellChoice (Z.to_nat 1) 0 133024812596 [(98306, 0)] [(98306, 4131604); (163842, 133020680992)]; CellChoice (Z.to_nat 1) 0 71203051219 [(163842, 0)] [(163842, 2331027); (229378, 71200720192)]; CellChoice (Z.to_nat 1) 0 29681847739 [(229378, 0)] [(229378, 1021546); (294914, 29680826193)]; CellChoice (Z.to_nat 1) 0 9636285104 [(294914, 0)] [(294914, 347826); (360450, 9635937278)]; CellChoice (Z.to_nat 1) 0 2436434431 [(360450, 0)] [(360450, 92033); (425986, 2436342398)]; CellChoice (Z.to_nat 1) 0 479762386 [(425986, 0)] [(425986, 18925); (491522, 479743461)]; CellChoice (Z.to_nat 1) 0 73573945 [(491522, 0)] [(491522, 3025); (557058, 73570920)]; CellChoice (Z.to_nat 1) 0 8787155 [(557058, 0)] [(557058, 374); (622594, 8786781)]; CellChoice (Z.to_nat 1) 0 817333 [(622594, 0)] [(622594, 35); (688130, 817298)]; CellChoice (Z.to_nat 1) 0 59208 [(688130, 0)] [(688130, 0); (753666, 59208)]; CellChoice (Z.to_nat 1) 0 3341 [(753666, 0)] [(819202, 3337); (884738, 4)]; CellChoice (Z.to_nat 1) 0 147 [] [(884738, 145); (950274, 2)]]%Z.
Definition cells0 : list cell_choice := cells0_0.
Definition plan0 := PlanUp law0_source (Place (-425982) 6139404085553552309720241 6139404085553552310998193) cells0 (Layout (Z.to_nat 65536) 0 (-425982) 1081346 1081346).
Definition law1_u : Z * Z := (48054309677596482279189095252, 48054309677596482279189095255)%Z.
Definition law1_source : source := discrete_laplace_source 56 96 1 1 1 law1_u.
Definition law1_step : step := (discrete_laplace 2 1).
Lemma law1_holds : source_holds 40 96 law1_step law1_source.
Proof.
  apply (discrete_laplace_source_holds 40 56 96); try lia; try lra.
  unfold law1_u. enclosed.
Qed.
Definition cells1_0 : list cell_choice := [CellChoice (Z.to_nat 1) 0 415110355302 [(-131072, 0)] [(-131072, 415108565601); (-65536, 1789701)]; CellChoice (Z.to_nat 1) 0 684401272475 [(65536, 0)] [(65536, 2298018); (131072, 684398974457)]]%Z.
Definition cells1 : list cell_choice := cells1_0.
Definition plan1 := PlanUp law1_source (Place (-131072) 1993183614349173924759353 1993183614349173925021502) cells1 (Layout (Z.to_nat 65536) 0 (-131072) 262144 262144).
Definition program : list instruction := [Square 0 (Z.to_nat 5) (Z.to_nat 38) (Z.to_nat 0); Square 1 (Z.to_nat 0) (Z.to_nat 9) (Z.to_nat 0); Times 2 3 (Z.to_nat 3) (Z.to_nat 43) (Z.to_nat 0)].
Definition the_claim : claim := Claim 195032350668085921211543538 4182462636719304962536 (-589820) 2228228 1 1000.
Lemma checked : private_by 18 40 80 96 [plan0; plan1] program [Z.to_nat 2; Z.to_nat 2] the_claim = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma at_place : claim_placed 18 80 Up (exp (14167221 / 5000000)) the_claim.
Proof.
  apply (claim_placed_by 18 80 ltac:(lia) ltac:(lia) 156 Up 1553204014657371920354899926431460697010622619129); [unfold placed; interval with (i_prec 180) | vm_compute; reflexivity].
Qed.
Theorem holds : private (sequence (repeated [(discrete_gaussian 2 1); (discrete_laplace 2 1)]
  [Z.to_nat 2; Z.to_nat 2]) (discrete_gaussian 2 1)) (total_count [Z.to_nat 2; Z.to_nat 2]) (exp (14167221 / 5000000)) (1 / 1000).
Proof.
  exact (run_private 18 40 80 96 ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia)
    [law0_step; law1_step] law0_step [plan0; plan1] program [Z.to_nat 2; Z.to_nat 2] the_claim _
    (Forall2_cons _ _ law0_holds (Forall2_cons _ _ law1_holds (Forall2_nil _))) checked at_place).
Qed.
End Remove_upper.

Module Remove_lower.
Definition law0_u : Z * Z := (69918608016307228318656177822, 69918608016307228318656177825)%Z.
Definition law0_source : source := discrete_gaussian_source 40 56 96 1 1 (Z.to_nat 25) law0_u 1 (Z.to_nat 12) (Z.to_nat 28) 6.
Definition law0_step : step := (discrete_gaussian 2 1).
Lemma law0_holds : source_holds 40 96 law0_step law0_source.
Proof.
  apply (discrete_gaussian_source_holds 40 56 96); try lia; try lra.
  unfold law0_u. enclosed.
Qed.
Definition cells0_0 : list class_choice := [ClassChoice (Z.to_nat 0) 0 (-950275) 5; ClassChoice (Z.to_nat 0) 0 (-884739) 146; ClassChoice (Z.to_nat 0) 0 (-753667) 3340; ClassChoice (Z.to_nat 0) 0 (-688131) 59207; ClassChoice (Z.to_nat 0) 0 (-622595) 817332; ClassChoice (Z.to_nat 0) 0 (-557059) 8787154; ClassChoice (Z.to_nat 0) 0 (-491523) 73573944; ClassChoice (Z.to_nat 0) 0 (-425987) 479762385; ClassChoice (Z.to_nat 0) 0 (-360451) 2436434430; ClassChoice (Z.to_nat 0) 0 (-294915) 9636285103; ClassChoice (Z.to_nat 0) 0 (-229379) 29681847738; ClassChoice (Z.to_nat 0) 0 (-163843) 71203051218; ClassChoice (Z.to_nat 0) 0 (-98307) 133024812595; ClassChoice (Z.to_nat 0) 0 (-32771) 193549960257; ClassChoice (Z.to_nat 0) 0 32765 219320838056; ClassChoice (Z.to_nat 0) 0 98301 193549960257; ClassChoice (Z.to_nat 0) 0 163837 133024812595; ClassChoice (Z.to_nat 0) 0 229373 71203051218; ClassChoice (Z.to_nat 0) 0 294909 29681847738; ClassChoice (Z.to_nat 0) 0 360445 9636285103; ClassChoice (Z.to_nat 0) 0 425981 2436434430; ClassChoice (Z.to_nat 0) 0 491517 479762385; ClassChoice (Z.to_nat 0) 0 557053 73573944; ClassChoice (Z.to_nat 0) 0 622589 8787154; ClassChoice (Z.to_nat 0) 0 622589 817332; ClassChoice (Z.to_nat 0) 0 688125 59207; ClassChoice (Z.to_nat 0) 0 753661 3340; ClassChoice (Z.to_nat 0) 0 819197 146]%Z.
Definition cells0 : list class_choice := cells0_0.
Definition plan0 := PlanDown law0_source (Place (-1015811) 58250405165172668874224841 58250405165172668899620144) cells0 (Layout (Z.to_nat 65536) 0 (-950275) 1081341 1081341).
Definition law1_u : Z * Z := (48054309677596482279189095252, 48054309677596482279189095255)%Z.
Definition law1_source : source := discrete_laplace_source 56 96 1 1 1 law1_u.
Definition law1_step : step := (discrete_laplace 2 1).
Lemma law1_holds : source_holds 40 96 law1_step law1_source.
Proof.
  apply (discrete_laplace_source_holds 40 56 96); try lia; try lra.
  unfold law1_u. enclosed.
Qed.
Definition cells1_0 : list class_choice := [ClassChoice (Z.to_nat 0) 0 (-131073) 415110355301; ClassChoice (Z.to_nat 0) 0 131071 684401272474]%Z.
Definition cells1 : list class_choice := cells1_0.
Definition plan1 := PlanDown law1_source (Place (-196609) 2559309404312443760196905 2559309404312443760590128) cells1 (Layout (Z.to_nat 65536) 0 (-131073) 327679 327679).
Definition program : list instruction := [Square 0 (Z.to_nat 21) (Z.to_nat 34) (Z.to_nat 0); Square 1 (Z.to_nat 0) (Z.to_nat 9) (Z.to_nat 0); Times 2 3 (Z.to_nat 3) (Z.to_nat 34) (Z.to_nat 0)].
Definition the_claim : claim := Claim 195028016405928238161984284 39681389069577111234539 (-589832) 1638392 1 1000.
Lemma checked : not_private_by 18 40 80 96 20 [plan0; plan1] program [Z.to_nat 2; Z.to_nat 2] the_claim = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma at_place : claim_placed 18 80 Down (exp (14166881 / 5000000)) the_claim.
Proof.
  apply (claim_placed_by 18 80 ltac:(lia) ltac:(lia) 153 Down 194137300046912688270219127934289759751743902754); [unfold placed; interval with (i_prec 177) | vm_compute; reflexivity].
Qed.
Theorem holds : ~ private (sequence (repeated [(discrete_gaussian 2 1); (discrete_laplace 2 1)]
  [Z.to_nat 2; Z.to_nat 2]) (discrete_gaussian 2 1)) (total_count [Z.to_nat 2; Z.to_nat 2]) (exp (14166881 / 5000000)) (1 / 1000).
Proof.
  refine (run_not_private 18 40 80 96 20 ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia)
    [law0_step; law1_step] law0_step [plan0; plan1] program [Z.to_nat 2; Z.to_nat 2] the_claim _ _
    (Forall2_cons _ _ law0_holds (Forall2_cons _ _ law1_holds (Forall2_nil _))) checked at_place).
  destruct (law0_holds ltac:(vm_compute; reflexivity)) as [N _]; exact N.
Qed.
End Remove_lower.

Definition all_theorems := (Remove_upper.holds, Remove_lower.holds).
Print Assumptions all_theorems.
