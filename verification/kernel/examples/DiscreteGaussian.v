(* A theorem for the kernel of Coq about this run:

  poisson(discrete_gaussian(sigma=2), rate=0.1)^3
  adjacency add_remove

Remove_upper.holds: in the direction remove the steps' pairs are (0.3867058, 0.0001)-private against every test.
  The step of poisson(discrete_gaussian(sigma=2), rate=0.1) is (sampled_discrete_gaussian 2 1 (1 / 10)), 3 times.
  The program's certified upper end is 0.3772657734.

Add_upper.holds: in the direction add the steps' pairs are (0.1741728, 0.0001)-private against every test.
  The step of poisson(discrete_gaussian(sigma=2), rate=0.1) is (swapped (sampled_discrete_gaussian 2 1 (1 / 10))), 3 times.
  The program's certified upper end is 0.1648225454.

Remove_lower.holds: in the direction remove the steps' pairs are not (0.3608909, 0.0001)-private against every test.
  The step of poisson(discrete_gaussian(sigma=2), rate=0.1) is (sampled_discrete_gaussian 2 1 (1 / 10)), 3 times.
  The program's certified lower end is 0.3772650538.

The steps are defined in Laws.v. That their pairs of densities dominate the mechanisms
on any two neighbouring data sets is proved on paper (docs/mechanisms.md), not here.
Two neighbouring data sets have these pairs: the lower end is one of the mechanism.
Private is defined in Privacy.v: n adaptive steps, whose outputs no test, randomised or not, accepts on the one
data set with more than exp(epsilon) times its probability on the other, plus delta.
Nothing in this file has to be believed: a wrong number makes Coq refuse it. Check it by

  ./dev prove THIS_FILE.v

Written by plaudit prove. *)
From Coq Require Import Reals ZArith List Lia Lra.
From Interval Require Import Tactic.
From Plaudit Require Import Privacy Outputs Laws Curve Composition Lattice Powers Slices Normal Gaussian
  Runs Sources GaussianSteps Laplace Discrete Finite Adaptive Pure
  Noise DataSets Vectors VectorQueries.
Import List ListNotations.
Open Scope R_scope.
Ltac enclosed := unfold encloses, at_grid, normal, beta, tilt; cbn [fst snd share_of centre start growth];
  repeat split; try lia; interval with (i_prec 200).
Ltac same_lists := unfold over, GaussianSteps.mirrored; cbn [map fst snd];
  repeat (apply (f_equal2 (@cons (R * R))); [apply (f_equal2 (@pair R R)); lra |]); reflexivity.
Ltac at_its_place := unfold claim_placed, placed, Y, rho; cbn [u u_coarse at_off at_off_coarse];
  split; interval with (i_prec 200).

Module Remove_upper.
Definition law0_u : Z * Z := (69918608016307228318656177822, 69918608016307228318656177825)%Z.
Definition law0_source : source := discrete_gaussian_source 44 52 96 1 10 (Z.to_nat 25) law0_u 1 (Z.to_nat 11) (Z.to_nat 30) 3.
Definition law0_step : step := (sampled_discrete_gaussian 2 1 (1 / 10)).
Lemma law0_holds : source_holds 44 96 law0_step law0_source.
Proof.
  apply (sampled_discrete_gaussian_source_holds 44 52 96 1 10); try lia; try lra.
  unfold law0_u. enclosed.
Qed.
Definition cells0_0 : list cell_choice := [CellChoice (Z.to_nat 1) 0 73 [] [(-12, 73); (-11, 0)]; CellChoice (Z.to_nat 1) 0 2122 [] [(-12, 2122); (-11, 0)]; CellChoice (Z.to_nat 1) 0 48335 [] [(-12, 48335); (-11, 0)]; CellChoice (Z.to_nat 1) 0 857931 [] [(-12, 857931); (-11, 0)]; CellChoice (Z.to_nat 1) 0 11864323 [] [(-12, 11864323); (-11, 0)]; CellChoice (Z.to_nat 1) 0 127842759 [] [(-12, 127842759); (-11, 0)]; CellChoice (Z.to_nat 1) 0 1073524251 [] [(-12, 807114019); (-11, 266410232)]; CellChoice (Z.to_nat 1) 0 7026296660 [] [(-12, 1956066393); (-11, 5070230267)]; CellChoice (Z.to_nat 1) 0 35852275620 [] [(-11, 24130215411); (-10, 11722060209)]; CellChoice (Z.to_nat 1) 0 142660800586 [] [(-10, 128474748510); (-9, 14186052076)]; CellChoice (Z.to_nat 1) 0 442836663595 [] [(-9, 405143603956); (-8, 37693059639)]; CellChoice (Z.to_nat 1) 0 1072814893922 [] [(-8, 707721362887); (-7, 365093531035)]; CellChoice (Z.to_nat 1) 0 2029482183319 [] [(-7, 136478644503); (-6, 1893003538816)]; CellChoice (Z.to_nat 1) 0 2999959127854 [] [(-5, 151567234219); (-4, 2848391893635)]; CellChoice (Z.to_nat 1) 0 3467900004424 [] [(-2, 1754924064660); (-1, 1712975939764)]; CellChoice (Z.to_nat 1) 0 3138032768592 [] [(1, 981340606333); (2, 2156692162259)]; CellChoice (Z.to_nat 1) 0 2225237237781 [] [(5, 725712329431); (6, 1499524908350)]; CellChoice (Z.to_nat 1) 0 1238163637694 [] [(10, 474770689505); (11, 763392948189)]; CellChoice (Z.to_nat 1) 0 541343489378 [] [(16, 165504107350); (17, 375839382028)]; CellChoice (Z.to_nat 1) 0 186253461878 [] [(24, 168432448520); (25, 17821013358)]; CellChoice (Z.to_nat 1) 0 50502711969 [] [(33, 49999888997); (34, 502822972)]; CellChoice (Z.to_nat 1) 0 10806873438 [] [(40, 5843302439); (48, 4963570999)]; CellChoice (Z.to_nat 1) 0 1827084620 [] [(56, 1815692982); (64, 11391638)]; CellChoice (Z.to_nat 1) 0 244253338 [] [(64, 46996112); (72, 197257226)]; CellChoice (Z.to_nat 1) 0 25829039 [] [(80, 3839479); (88, 21989560)]; CellChoice (Z.to_nat 1) 0 2160319 [] [(104, 1853124); (112, 307195)]; CellChoice (Z.to_nat 1) 0 142832 [] [(120, 46567); (128, 96265)]; CellChoice (Z.to_nat 1) 0 7458 [] [(144, 4282); (152, 3176)]; CellChoice (Z.to_nat 1) 0 308 [] [(168, 177); (176, 131)]; CellChoice (Z.to_nat 1) 0 10 [] [(192, 4); (200, 6)]]%Z.
Definition cells0 : list cell_choice := cells0_0.
Definition plan0 := PlanUp law0_source (Place (-12) 1328234135638686064090014 1328234135638686064090043) cells0 (Layout (Z.to_nat 1) 3 (-16) 40 40).
Definition program : list instruction := [Square 0 (Z.to_nat 8) (Z.to_nat 56) (Z.to_nat 19); Times 1 0 (Z.to_nat 16) (Z.to_nat 56) (Z.to_nat 22)].
Definition the_claim : claim := Claim 2148294501012729090733685 1671451805286125274077535 (-24) 8 1 10000.
Lemma checked : private_by 7 44 80 96 [plan0] program [Z.to_nat 3] the_claim = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma at_place : claim_placed 7 80 Up (exp (1933529 / 5000000)) the_claim.
Proof. unfold the_claim. at_its_place. Qed.
Theorem holds : private (sequence (repeated [(sampled_discrete_gaussian 2 1 (1 / 10))]
  [Z.to_nat 3]) (sampled_discrete_gaussian 2 1 (1 / 10))) (total_count [Z.to_nat 3]) (exp (1933529 / 5000000)) (1 / 10000).
Proof.
  exact (run_private 7 44 80 96 ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia)
    [law0_step] law0_step [plan0] program [Z.to_nat 3] the_claim _
    (Forall2_cons _ _ law0_holds (Forall2_nil _)) checked at_place).
Qed.
End Remove_upper.

Module Add_upper.
Definition law0_u : Z * Z := (69918608016307228318656177822, 69918608016307228318656177825)%Z.
Definition law0_source : source := swapped_discrete_gaussian_source 44 52 96 1 10 (Z.to_nat 25) law0_u 1 (Z.to_nat 11) (Z.to_nat 30) 3.
Definition law0_step : step := (swapped (sampled_discrete_gaussian 2 1 (1 / 10))).
Lemma law0_holds : source_holds 44 96 law0_step law0_source.
Proof.
  apply (swapped_sampled_discrete_gaussian_source_holds 44 52 96 1 10); try lia; try lra.
  unfold law0_u. enclosed.
Qed.
Definition cells0_0 : list cell_choice := [CellChoice (Z.to_nat 1) 0 3 [] [(-11, 3); (-10, 0)]; CellChoice (Z.to_nat 1) 0 81 [] [(-11, 81); (-10, 0)]; CellChoice (Z.to_nat 1) 0 2349 [] [(-11, 2349); (-10, 0)]; CellChoice (Z.to_nat 1) 0 53445 [] [(-11, 53445); (-10, 0)]; CellChoice (Z.to_nat 1) 0 947319 [] [(-11, 947319); (-10, 0)]; CellChoice (Z.to_nat 1) 0 13077324 [] [(-11, 13077324); (-10, 0)]; CellChoice (Z.to_nat 1) 0 140594474 [] [(-11, 140594474); (-10, 0)]; CellChoice (Z.to_nat 1) 0 1177183116 [] [(-11, 1177183116); (-10, 0)]; CellChoice (Z.to_nat 1) 0 7676198165 [] [(-11, 7676198165); (-10, 0)]; CellChoice (Z.to_nat 1) 0 38982950892 [] [(-11, 38982950892); (-10, 0)]; CellChoice (Z.to_nat 1) 0 154180561663 [] [(-11, 154180561663); (-10, 0)]; CellChoice (Z.to_nat 1) 0 474909563809 [] [(-11, 474909563809); (-10, 0)]; CellChoice (Z.to_nat 1) 0 1139248819490 [] [(-11, 700292391973); (-10, 438956427517)]; CellChoice (Z.to_nat 1) 0 2128397001522 [] [(-6, 1430593317154); (-5, 697803684368)]; CellChoice (Z.to_nat 1) 0 3096799364113 [] [(-2, 2123125481224); (-1, 973673882889)]; CellChoice (Z.to_nat 1) 0 3509133408903 [] [(1, 1726463939235); (2, 1782669469668)]; CellChoice (Z.to_nat 1) 0 3096799364113 [] [(4, 2939170201159); (5, 157629162954)]; CellChoice (Z.to_nat 1) 0 2128397001522 [] [(6, 1984215865918); (7, 144181135604)]; CellChoice (Z.to_nat 1) 0 1139248819490 [] [(7, 385698436792); (8, 753550382698)]; CellChoice (Z.to_nat 1) 0 474909563809 [] [(8, 40133901458); (9, 434775662351)]; CellChoice (Z.to_nat 1) 0 154180561663 [] [(9, 15223614743); (10, 138956946920)]; CellChoice (Z.to_nat 1) 0 38982950892 [] [(10, 12678457781); (11, 26304493111)]; CellChoice (Z.to_nat 1) 0 7676198165 [] [(11, 5527088378); (12, 2149109787)]; CellChoice (Z.to_nat 1) 0 1177183116 [] [(11, 290415251); (12, 886767865)]; CellChoice (Z.to_nat 1) 0 140594474 [] [(12, 123317777); (13, 17276697)]; CellChoice (Z.to_nat 1) 0 13077324 [] [(12, 7686350); (13, 5390974)]; CellChoice (Z.to_nat 1) 0 947319 [] [(12, 343220); (13, 604099)]; CellChoice (Z.to_nat 1) 0 53445 [] [(12, 9867); (13, 43578)]; CellChoice (Z.to_nat 1) 0 2349 [] [(12, 12); (13, 2337)]; CellChoice (Z.to_nat 1) 0 81 [] [(14, 74); (15, 7)]]%Z.
Definition cells0 : list cell_choice := cells0_0.
Definition plan0 := PlanUp law0_source (Place (-11) 1317857306454008829214312 1317857306454008829214339) cells0 (Layout (Z.to_nat 1) 3 (-16) 16 16).
Definition program : list instruction := [Square 0 (Z.to_nat 8) (Z.to_nat 40) (Z.to_nat 2); Times 1 0 (Z.to_nat 16) (Z.to_nat 48) (Z.to_nat 6)].
Definition the_claim : claim := Claim 1736968360388806612072656 1438937527219051871240955 (-24) 0 1 10000.
Lemma checked : private_by 7 44 80 96 [plan0] program [Z.to_nat 3] the_claim = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma at_place : claim_placed 7 80 Up (exp (54429 / 312500)) the_claim.
Proof. unfold the_claim. at_its_place. Qed.
Theorem holds : private (sequence (repeated [(swapped (sampled_discrete_gaussian 2 1 (1 / 10)))]
  [Z.to_nat 3]) (swapped (sampled_discrete_gaussian 2 1 (1 / 10)))) (total_count [Z.to_nat 3]) (exp (54429 / 312500)) (1 / 10000).
Proof.
  exact (run_private 7 44 80 96 ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia)
    [law0_step] law0_step [plan0] program [Z.to_nat 3] the_claim _
    (Forall2_cons _ _ law0_holds (Forall2_nil _)) checked at_place).
Qed.
End Add_upper.

Module Remove_lower.
Definition law0_u : Z * Z := (69918608016307228318656177822, 69918608016307228318656177825)%Z.
Definition law0_source : source := discrete_gaussian_source 44 52 96 1 10 (Z.to_nat 25) law0_u 1 (Z.to_nat 11) (Z.to_nat 30) 3.
Definition law0_step : step := (sampled_discrete_gaussian 2 1 (1 / 10)).
Lemma law0_holds : source_holds 44 96 law0_step law0_source.
Proof.
  apply (sampled_discrete_gaussian_source_holds 44 52 96 1 10); try lia; try lra.
  unfold law0_u. enclosed.
Qed.
Definition cells0_0 : list class_choice := [ClassChoice (Z.to_nat 6) 294169 (-23) 3185307033; ClassChoice (Z.to_nat 0) 146363 (-22) 10059484482; ClassChoice (Z.to_nat 0) 76462 (-21) 41250724103; ClassChoice (Z.to_nat 0) 232955 (-19) 230640007465; ClassChoice (Z.to_nat 0) 177584 (-17) 526143686790; ClassChoice (Z.to_nat 0) 57275 (-15) 1001979620109; ClassChoice (Z.to_nat 0) 27651 (-12) 1997737491273; ClassChoice (Z.to_nat 0) 21018 (-8) 2990361781022; ClassChoice (Z.to_nat 0) 3601 (-3) 3409164856667; ClassChoice (Z.to_nat 0) 126051 4 3394755526941; ClassChoice (Z.to_nat 0) 115149 12 2093706405163; ClassChoice (Z.to_nat 0) 138791 22 1173848127436; ClassChoice (Z.to_nat 0) 104322 34 488220710881; ClassChoice (Z.to_nat 0) 150250 49 174959763397; ClassChoice (Z.to_nat 0) 182434 67 45146408444; ClassChoice (Z.to_nat 0) 133627 88 9159502801; ClassChoice (Z.to_nat 0) 1025904 112 1833219263; ClassChoice (Z.to_nat 0) 1042324 168 30956209; ClassChoice (Z.to_nat 0) 1043210 208 2303265; ClassChoice (Z.to_nat 0) 1040337 248 152764; ClassChoice (Z.to_nat 0) 884536 288 7413; ClassChoice (Z.to_nat 2) 0 304 1483]%Z.
Definition cells0 : list class_choice := cells0_0.
Definition plan0 := PlanDown law0_source (Place (-31) 1364875331039090076987164 1364875331039090076987231) cells0 (Layout (Z.to_nat 1) 3 (-24) 72 72).
Definition program : list instruction := [Square 0 (Z.to_nat 8) (Z.to_nat 96) (Z.to_nat 35); Times 1 0 (Z.to_nat 16) (Z.to_nat 104) (Z.to_nat 39)].
Definition the_claim : claim := Claim 2092773626851948032312095 1578838624906184767086732 (-48) 24 1 10000.
Lemma checked : not_private_by 8 44 80 96 20 [plan0] program [Z.to_nat 3] the_claim = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma at_place : claim_placed 8 80 Down (exp (3608909 / 10000000)) the_claim.
Proof. unfold the_claim. at_its_place. Qed.
Theorem holds : ~ private (sequence (repeated [(sampled_discrete_gaussian 2 1 (1 / 10))]
  [Z.to_nat 3]) (sampled_discrete_gaussian 2 1 (1 / 10))) (total_count [Z.to_nat 3]) (exp (3608909 / 10000000)) (1 / 10000).
Proof.
  refine (run_not_private 8 44 80 96 20 ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia)
    [law0_step] law0_step [plan0] program [Z.to_nat 3] the_claim _ _
    (Forall2_cons _ _ law0_holds (Forall2_nil _)) checked at_place).
  destruct (law0_holds ltac:(vm_compute; reflexivity)) as [N _]; exact N.
Qed.
End Remove_lower.

Definition all_theorems := (Remove_upper.holds, Add_upper.holds, Remove_lower.holds).
Print Assumptions all_theorems.
