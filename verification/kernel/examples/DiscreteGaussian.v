(** Discrete Gaussian noise of parameter 2 for a contribution of 1, 3 times: the composition is (37141/10000, 1/100000)-private.
    On a Poisson sample with rate 1/10 it is (5109/10000, 1/100000)-private for adjacency "remove",
    (1909/10000, 1/100000)-private for "add". *)
From Coq Require Import Reals ZArith List Lia Lra.
From Interval Require Import Tactic.
From Plaudit Require Import Privacy Outputs Laws Curve Composition Lattice Powers Slices Normal Runs Sources Discrete.
Import List ListNotations.
Open Scope R_scope.

Definition v : Z * Z := (300298134811882980317033350418940119801, 300298134811882980317033350418940119804)%Z.
Lemma v_is : encloses 128 v (exp (- (/ (2 * 2 * 2)))).
Proof. unfold encloses, v. cbn [fst snd]. repeat split; try lia; interval with (i_prec 200). Qed.

Module Whole.
Definition the_source : source := discrete_gaussian_source 60 68 128 1 1 27 v 1 10 36 1.
Definition the_step : step := discrete_gaussian 2 1.
Lemma source_is : source_holds 60 128 the_step the_source.
Proof. apply discrete_gaussian_source_holds; try lia; try lra. exact v_is. Qed.
Definition cells_0 : list cell_choice := [CellChoice 1 0 1 [] [(-985, 0); (-984, 1)]; CellChoice 1 0 48 [] [(-1049, 46); (-1048, 2)]; CellChoice 1 0 2913 [] [(-991, 34); (-990, 2879)]; CellChoice 1 0 140330 [] [(-927, 25855); (-926, 114475)]; CellChoice 1 0 5265808 [] [(-863, 1637507); (-862, 3628301)]; CellChoice 1 0 153889462 [] [(-799, 67095579); (-798, 86793883)]; CellChoice 1 0 3502507999 [] [(-735, 1965188591); (-734, 1537319408)]; CellChoice 1 0 62083439763 [] [(-671, 42603063491); (-670, 19480376272)]; CellChoice 1 0 857035449928 [] [(-607, 695420999012); (-606, 161614450916)]; CellChoice 1 0 9213999423110 [] [(-543, 8630670305549); (-542, 583329117561)]; CellChoice 1 0 77147872625363 [] [(-480, 4765802210656); (-479, 72382070414707)]; CellChoice 1 0 503067322908258 [] [(-416, 93908902361852); (-415, 409158420546406)]; CellChoice 1 0 2554786669640517 [] [(-352, 796152070283143); (-351, 1758634599357374)]; CellChoice 1 0 10104377289122989 [] [(-288, 4412092597358189); (-287, 5692284691764800)]; CellChoice 1 0 31123673173781330 [] [(-224, 17483191498819291); (-223, 13640481674962039)]; CellChoice 1 0 74661810634090567 [] [(-160, 51283365565133045); (-159, 23378445068957522)]; CellChoice 1 0 139486625891709816 [] [(-96, 113274200196643072); (-95, 26212425695066744)]; CellChoice 1 0 202951843126498694 [] [(-32, 190235779697687923); (-31, 12716063428810771)]; CellChoice 1 0 229974567085853202 [] [(31, 14356415422944896); (32, 215618151662908306)]; CellChoice 1 0 202951843126498694 [] [(95, 38017781976302016); (96, 164934061150196678)]; CellChoice 1 0 139486625891709816 [] [(159, 43559352744159765); (160, 95927273147550051)]; CellChoice 1 0 74661810634090567 [] [(223, 32649890887029945); (224, 42011919747060622)]; CellChoice 1 0 31123673173781330 [] [(287, 17503498938106651); (288, 13620174235674679)]; CellChoice 1 0 10104377289122989 [] [(351, 6947044892722347); (352, 3157332396400642)]; CellChoice 1 0 2554786669640517 [] [(415, 2076357915255962); (416, 478428754384555)]; CellChoice 1 0 503067322908258 [] [(479, 471876074619583); (480, 31191248288675)]; CellChoice 1 0 77147872625363 [] [(542, 4866279607598); (543, 72281593017765)]; CellChoice 1 0 9213999423110 [] [(606, 1732007734098); (607, 7481991689012)]; CellChoice 1 0 857035449928 [] [(670, 268196562164); (671, 588838887764)]; CellChoice 1 0 62083439763 [] [(734, 27189810036); (735, 34893629727)]; CellChoice 1 0 3502507999 [] [(798, 1972044494); (799, 1530463505)]; CellChoice 1 0 153889462 [] [(862, 105903670); (863, 47985792)]; CellChoice 1 0 5265808 [] [(926, 4283080); (927, 982728)]; CellChoice 1 0 140330 [] [(990, 131471); (991, 8859)]; CellChoice 1 0 2913 [] [(1053, 41); (1054, 2872)]; CellChoice 1 0 48 [] [(1122, 10); (1123, 38)]]%Z.
Definition cells : list cell_choice := cells_0.
Definition plan := PlanUp the_source (Place (-1123) 98007220112553744855928713 98007220112553744855948948) cells (Layout 1 0 (-1049) (991) (991)).
Definition program : list instruction := [Times 0 0 (Z.to_nat 1204) (Z.to_nat 1343) (Z.to_nat 1337); Times 1 0 (Z.to_nat 889) (Z.to_nat 1597) (Z.to_nat 2673)].
Definition the_claim : claim := Claim 3068923407298180210472301810 3776370950449604047891167406 (-1054) (-1107) 1 100000.
Lemma checked : private_by 8 60 80 128 [plan] program [3%nat] the_claim = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma placed : claim_placed 8 80 Up (exp (37141 / 10000)) the_claim.
Proof. unfold claim_placed, placed, the_claim, Y, rho; cbn [u u_coarse at_off at_off_coarse]. split; interval with (i_prec 200). Qed.
Theorem is_private : private (sequence (repeated [the_step] [3%nat]) the_step) 3 (exp (37141 / 10000)) (1 / 100000).
Proof.
  exact (run_private 8 60 80 128 ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia) [the_step] the_step [plan] program [3%nat]
    the_claim _ (Forall2_cons _ _ source_is (Forall2_nil _)) checked placed).
Qed.
End Whole.

Module Remove.
Definition the_source : source := discrete_gaussian_source 60 68 128 1 10 27 v 1 10 36 1.
Definition the_step : step := sampled_discrete_gaussian 2 1 (1 / 10).
Lemma source_is : source_holds 60 128 the_step the_source.
Proof. apply (sampled_discrete_gaussian_source_holds 60 68 128 1 10); try lia; try lra. exact v_is. Qed.
Definition cells_0 : list cell_choice := [CellChoice 1 0 43 [] [(-24, 5); (-23, 38)]; CellChoice 1 0 2626 [] [(-27, 1184); (-26, 1442)]; CellChoice 1 0 126588 [] [(-27, 41691); (-26, 84897)]; CellChoice 1 0 4753260 [] [(-27, 778989); (-26, 3974271)]; CellChoice 1 0 139027097 [] [(-26, 132063448); (-25, 6963649)]; CellChoice 1 0 3167646145 [] [(-26, 2137729691); (-25, 1029916454)]; CellChoice 1 0 56225346587 [] [(-26, 18135989398); (-25, 38089357189)]; CellChoice 1 0 777540248912 [] [(-25, 677321773906); (-24, 100218475006)]; CellChoice 1 0 8378303025792 [] [(-25, 2447718278812); (-24, 5930584746980)]; CellChoice 1 0 70354485305138 [] [(-24, 38753235995988); (-23, 31601249309150)]; CellChoice 1 0 460475377879969 [] [(-23, 277303956957794); (-22, 183171420922175)]; CellChoice 1 0 2349614734967291 [] [(-22, 914683733657228); (-21, 1434931001310063)]; CellChoice 1 0 9349418227174742 [] [(-20, 7857850848614240); (-19, 1491567378560502)]; CellChoice 1 0 29021743585315496 [] [(-18, 25108947782675882); (-17, 3912795802639614)]; CellChoice 1 0 70307996888059643 [] [(-16, 24663114078798078); (-15, 45644882809261565)]; CellChoice 1 0 133004144365947891 [] [(-13, 21090291118287531); (-12, 111913853247660360)]; CellChoice 1 0 196605321403019806 [] [(-9, 23029784535691757); (-8, 173575536867328049)]; CellChoice 1 0 227272294689917751 [] [(-4, 4531765795971758); (-3, 222740528893945993)]; CellChoice 1 0 205654115522434145 [] [(3, 127515745809976735); (4, 78138369712457410)]; CellChoice 1 0 145833147615188703 [] [(11, 92055009411730509); (12, 53778138203458194)]; CellChoice 1 0 81144292159852492 [] [(21, 58963499916640720); (22, 22180792243211772)]; CellChoice 1 0 35477486919812254 [] [(33, 19407791887148655); (34, 16069695032663599)]; CellChoice 1 0 12206306877588823 [] [(48, 8718202861484761); (49, 3488104016104062)]; CellChoice 1 0 3309745731588764 [] [(66, 2813979227203794); (67, 495766504384970)]; CellChoice 1 0 708239257581484 [] [(87, 427658199333476); (88, 280581058248008)]; CellChoice 1 0 119739817653653 [] [(112, 81738631169219); (113, 38001186484434)]; CellChoice 1 0 16007386743336 [] [(141, 14096252525372); (142, 1911134217964)]; CellChoice 1 0 1692731847247 [] [(173, 172168213312); (174, 1520563633935)]; CellChoice 1 0 141578640780 [] [(210, 52629335975); (211, 88949304805)]; CellChoice 1 0 9360601175 [] [(251, 7823849109); (252, 1536752066)]; CellChoice 1 0 488751316 [] [(295, 361325845); (296, 127425471)]; CellChoice 1 0 20128174 [] [(342, 8123782); (343, 12004392)]; CellChoice 1 0 652877 [] [(392, 127162); (393, 525715)]; CellChoice 1 0 16655 [] [(445, 7985); (446, 8670)]; CellChoice 1 0 334 [] [(500, 125); (501, 209)]; CellChoice 1 0 6 [] [(591, 3); (592, 3)]]%Z.
Definition cells : list cell_choice := cells_0.
Definition plan := PlanUp the_source (Place (-32) 1370227783317674743955740 1370227783317674743955809) cells (Layout 1 0 (-27) (446) (446)).
Definition program : list instruction := [Times 0 0 (Z.to_nat 8) (Z.to_nat 102) (Z.to_nat 308); Times 1 0 (Z.to_nat 10) (Z.to_nat 117) (Z.to_nat 346)].
Definition the_claim : claim := Claim 2578500091952510228075637 1798816830930774691935324 (-63) (29) 1 100000.
Lemma checked : private_by 8 60 80 128 [plan] program [3%nat] the_claim = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma placed : claim_placed 8 80 Up (exp (5109 / 10000)) the_claim.
Proof. unfold claim_placed, placed, the_claim, Y, rho; cbn [u u_coarse at_off at_off_coarse]. split; interval with (i_prec 200). Qed.
Theorem is_private : private (sequence (repeated [the_step] [3%nat]) the_step) 3 (exp (5109 / 10000)) (1 / 100000).
Proof.
  exact (run_private 8 60 80 128 ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia) [the_step] the_step [plan] program [3%nat]
    the_claim _ (Forall2_cons _ _ source_is (Forall2_nil _)) checked placed).
Qed.
End Remove.

Module Add.
Definition the_source : source := swapped_discrete_gaussian_source 60 68 128 1 10 27 v 1 10 36 1.
Definition the_step : step := swapped (sampled_discrete_gaussian 2 1 (1 / 10)).
Lemma source_is : source_holds 60 128 the_step the_source.
Proof. apply (swapped_sampled_discrete_gaussian_source_holds 60 68 128 1 10); try lia; try lra. exact v_is. Qed.
Definition cells_0 : list cell_choice := [CellChoice 1 0 1 [] [(-424, 0); (-423, 1)]; CellChoice 1 0 48 [] [(-496, 17); (-495, 31)]; CellChoice 1 0 2913 [] [(-446, 1328); (-445, 1585)]; CellChoice 1 0 140330 [] [(-393, 112656); (-392, 27674)]; CellChoice 1 0 5265808 [] [(-343, 3135444); (-342, 2130364)]; CellChoice 1 0 153889462 [] [(-296, 40005310); (-295, 113884152)]; CellChoice 1 0 3502507999 [] [(-252, 573136301); (-251, 2929371698)]; CellChoice 1 0 62083439763 [] [(-211, 38948249765); (-210, 23135189998)]; CellChoice 1 0 857035449928 [] [(-174, 769559193425); (-173, 87476256503)]; CellChoice 1 0 9213999423110 [] [(-142, 1096280617333); (-141, 8117718805777)]; CellChoice 1 0 77147872625363 [] [(-113, 24418639612786); (-112, 52729233012577)]; CellChoice 1 0 503067322908258 [] [(-88, 198827878971956); (-87, 304239443936302)]; CellChoice 1 0 2554786669640517 [] [(-67, 381409577422229); (-66, 2173377092218288)]; CellChoice 1 0 10104377289122989 [] [(-49, 2879386526993377); (-48, 7224990762129612)]; CellChoice 1 0 31123673173781330 [] [(-34, 14067436033719707); (-33, 17056237140061623)]; CellChoice 1 0 74661810634090567 [] [(-22, 20350814080201635); (-21, 54310996553888932)]; CellChoice 1 0 139486625891709816 [] [(-12, 51310747832324587); (-11, 88175878059385229)]; CellChoice 1 0 202951843126498694 [] [(-4, 76924592855660505); (-3, 126027250270838189)]; CellChoice 1 0 229974567085853202 [] [(3, 225371295517287953); (4, 4603271568565249)]; CellChoice 1 0 202951843126498694 [] [(8, 179096375256161272); (9, 23855467870337422)]; CellChoice 1 0 139486625891709816 [] [(12, 117295477479722750); (13, 22191148411987066)]; CellChoice 1 0 74661810634090567 [] [(15, 48404848987288490); (16, 26256961646802077)]; CellChoice 1 0 31123673173781330 [] [(17, 4181995169666300); (18, 26941678004115030)]; CellChoice 1 0 10104377289122989 [] [(19, 1606714781737971); (20, 8497662507385018)]; CellChoice 1 0 2554786669640517 [] [(21, 1557853093197479); (22, 996933576443038)]; CellChoice 1 0 503067322908258 [] [(22, 199642491762416); (23, 303424831145842)]; CellChoice 1 0 77147872625363 [] [(23, 34577954965967); (24, 42569917659396)]; CellChoice 1 0 9213999423110 [] [(24, 6514668978133); (25, 2699330444977)]; CellChoice 1 0 857035449928 [] [(24, 110088670316); (25, 746946779612)]; CellChoice 1 0 62083439763 [] [(25, 42004736192); (26, 20078703571)]; CellChoice 1 0 3502507999 [] [(25, 1135786102); (26, 2366721897)]; CellChoice 1 0 153889462 [] [(25, 7679073); (26, 146210389)]; CellChoice 1 0 5265808 [] [(26, 4399917); (27, 865891)]; CellChoice 1 0 140330 [] [(26, 93561); (27, 46769)]; CellChoice 1 0 2913 [] [(26, 1424); (27, 1489)]; CellChoice 1 0 48 [] [(31, 22); (32, 26)]]%Z.
Definition cells : list cell_choice := cells_0.
Definition plan := PlanUp the_source (Place (-592) 12265134098157766876620992 12265134098157766876623367) cells (Layout 1 0 (-496) (27) (27)).
Definition program : list instruction := [Times 0 0 (Z.to_nat 778) (Z.to_nat 245) (Z.to_nat 520); Times 1 0 (Z.to_nat 485) (Z.to_nat 262) (Z.to_nat 1036)].
Definition the_claim : claim := Claim 3529864765639440848915539 63914423630876961999890794 (-225) (-965) 1 100000.
Lemma checked : private_by 8 60 80 128 [plan] program [3%nat] the_claim = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma placed : claim_placed 8 80 Up (exp (1909 / 10000)) the_claim.
Proof. unfold claim_placed, placed, the_claim, Y, rho; cbn [u u_coarse at_off at_off_coarse]. split; interval with (i_prec 200). Qed.
Theorem is_private : private (sequence (repeated [the_step] [3%nat]) the_step) 3 (exp (1909 / 10000)) (1 / 100000).
Proof.
  exact (run_private 8 60 80 128 ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia) [the_step] the_step [plan] program [3%nat]
    the_claim _ (Forall2_cons _ _ source_is (Forall2_nil _)) checked placed).
Qed.
End Add.
