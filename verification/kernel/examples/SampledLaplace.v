(** Laplace noise of scale 2 on a Poisson sample with rate 1/5, 10 times: the composition is
    (7349/10000, 1/1000)-private for adjacency "remove", (1587/2500, 1/1000)-private for "add". *)
From Coq Require Import Reals ZArith List Lia Lra.
From Interval Require Import Tactic.
From Plaudit Require Import Privacy Outputs Laws Curve Composition Lattice Powers Slices Normal Runs Sources Laplace DataSets.
Import List ListNotations.
Open Scope R_scope.

Definition u : Z * Z := (329812979126047300897653247035862915815, 329812979126047300897653247035862915818)%Z.
Lemma u_is : encloses 128 u (exp (- (/ (INR 16 * 2)))).
Proof.
  rewrite INR_IZR_INZ. unfold encloses, u. cbn [fst snd Z.of_nat Pos.of_succ_nat Pos.succ].
  repeat split; try lia; interval with (i_prec 200).
Qed.

Module Remove.
Definition the_source : source := laplace_source 60 128 1 5 16 u.
Definition the_step : step := sampled_laplace 2 (1 / 5).
Lemma source_is : source_holds 60 128 the_step the_source.
Proof. apply (sampled_laplace_source_holds 60 128 1 5); try lia; try lra. exact u_is. Qed.
Definition cells_0 : list cell_choice := [CellChoice 1 0 531096825921346074 [(-84, 0)] [(-84, 472134765346264830); (-83, 58962060575081244)]; CellChoice 1 8297712646427557 8110713705956017 [(-84, 7376505416758043); (-83, 921207229669514)] [(-76, 1899942830556607); (-75, 6210770875399410)]; CellChoice 1 8110713705955889 7931636028940354 [(-76, 1899942830556577); (-75, 6210770875399312)] [(-67, 802189894031218); (-66, 7129446134909136)]; CellChoice 1 7931636028940260 7760304720604549 [(-67, 802189894031208); (-66, 7129446134909052)] [(-57, 3628677230587208); (-56, 4131627490017341)]; CellChoice 1 7760304720604443 7596552451601161 [(-57, 3628677230587159); (-56, 4131627490017284)] [(-47, 2366369469744592); (-46, 5230182981856569)]; CellChoice 1 7596552451601077 7440219294590638 [(-47, 2366369469744566); (-46, 5230182981856511)] [(-36, 4538383754119142); (-35, 2901835540471496)]; CellChoice 1 7440219294590588 7291152568049781 [(-36, 4538383754119112); (-35, 2901835540471476)] [(-25, 2478327149231558); (-24, 4812825418818223)]; CellChoice 1 7291152568049707 7149206687156286 [(-25, 2478327149231533); (-24, 4812825418818174)] [(-13, 3415723239645647); (-12, 3733483447510639)]; CellChoice 1 7149206687156188 7014243021604594 [(-13, 3415723239645600); (-12, 3733483447510588)] [(-1, 3505408212555691); (1, 3508834809048903)]; CellChoice 1 7014243021604479 6886129760213797 [(-1, 3505408212555633); (1, 3508834809048846)] [(13, 6076011797636024); (14, 810117962577773)]; CellChoice 1 6886129760213676 6764741782195175 [(13, 6076011797635917); (14, 810117962577759)] [(26, 683613378047551); (27, 6081128404147624)]; CellChoice 1 6764741782195072 6649960534954102 [(26, 683613378047540); (27, 6081128404147532)] [(41, 4202395823422981); (42, 2447564711531121)]; CellChoice 1 6649960534953998 6541673918306550 [(41, 4202395823422915); (42, 2447564711531083)] [(56, 2951717805612381); (57, 3589956112694169)]; CellChoice 1 6541673918306479 6439776174997246 [(56, 2951717805612349); (57, 3589956112694130)] [(72, 3445771031163205); (73, 2994005143834041)]; CellChoice 1 6439776174997172 6344167787413019 [(72, 3445771031163166); (73, 2994005143834006)] [(89, 5456788180285927); (90, 887379607127092)]; CellChoice 1 6344167787412905 6254755380389200 [(89, 5456788180285829); (90, 887379607127076)] [(106, 2521590667125734); (107, 3733164713263466)]; CellChoice 2 6254755380389109 401176498405129845 [(106, 2521590667125698); (107, 3733164713263411)] [(124, 56915690680720017); (125, 344260807724409828)]]%Z.
Definition cells : list cell_choice := cells_0.
Definition plan := PlanUp the_source (Place (-84) 1312329160201953932232317 1312329160201953932232490) cells (Layout 1 0 (-84) (125) (125)).
Definition program : list instruction := [Times 0 0 (Z.to_nat 0) (Z.to_nat 417) (Z.to_nat 210); Times 1 1 (Z.to_nat 0) (Z.to_nat 542) (Z.to_nat 628); Times 2 0 (Z.to_nat 0) (Z.to_nat 559) (Z.to_nat 837); Times 3 3 (Z.to_nat 0) (Z.to_nat 783) (Z.to_nat 1882)].
Definition the_claim : claim := Claim 5727880214192114462380111 4669930693213882356772164 (-840) (-631) 1 1000.
Lemma checked : private_by 10 60 80 128 [plan] program [10%nat] the_claim = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma placed : claim_placed 10 80 Up (exp (7349 / 10000)) the_claim.
Proof. unfold claim_placed, placed, the_claim, Y, rho; cbn [u u_coarse at_off at_off_coarse]. split; interval with (i_prec 200). Qed.

Theorem remove_private : private (sequence (repeated [the_step] [10%nat]) the_step) 10 (exp (7349 / 10000)) (1 / 1000).
Proof.
  exact (run_private 10 60 80 128 ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia) [the_step] the_step [plan] program [10%nat]
    the_claim _ (Forall2_cons _ _ source_is (Forall2_nil _)) checked placed).
Qed.

(** The same on data sets: contributions in [-1, 1] that may depend on all answers so far. *)
Theorem on_data_sets A (contribution : list R -> A -> R) : (forall h x, Rabs (contribution h x) <= 1) ->
  DataSets.remove_private (fun h => Query (laplace_density (2 * 1)) (1 / 5) (contribution h)) 10 (exp (7349 / 10000)) (1 / 1000).
Proof.
  intros H. apply (answers_remove_private 10 60 80 128 ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia) the_step plan program 10
    the_claim _ source_is checked placed). intros h. apply (sampled_laplace_within 2 1 (1 / 5)); auto; lra.
Qed.

End Remove.

Module Add.
Definition the_source : source := swapped_laplace_source 60 128 1 5 16 u.
Definition the_step : step := swapped (sampled_laplace 2 (1 / 5)).
Lemma source_is : source_holds 60 128 the_step the_source.
Proof. apply (swapped_sampled_laplace_source_holds 60 128 1 5); try lia; try lra. exact u_is. Qed.
Definition cells_0 : list cell_choice := [CellChoice 1 0 349641120393036416 [(-125, 0)] [(-125, 299995250081977909); (-124, 49645870311058507)]; CellChoice 1 5462697957878753 5636102605200219 [(-125, 4687044356092811); (-124, 775653601785942)] [(-107, 3362595278720005); (-106, 2273507326480214)]; CellChoice 1 5636102605200213 5815011706903845 [(-107, 3362595278720001); (-106, 2273507326480212)] [(-90, 812681513026784); (-89, 5002330193877061)]; CellChoice 1 5815011706903830 5999599993128154 [(-90, 812681513026782); (-89, 5002330193877048)] [(-73, 2787898565633606); (-72, 3211701427494548)]; CellChoice 1 5999599993128095 6190047740541671 [(-73, 2787898565633578); (-72, 3211701427494517)] [(-57, 3395492163369435); (-56, 2794555577172236)]; CellChoice 1 6190047740541620 6386540948408538 [(-57, 3395492163369407); (-56, 2794555577172213)] [(-42, 2349160122779652); (-41, 4037380825628886)]; CellChoice 1 6386540948408481 6589271520243628 [(-42, 2349160122779631); (-41, 4037380825628850)] [(-27, 5922805277226376); (-26, 666466243017252)]; CellChoice 1 6589271520243536 6798437451232934 [(-27, 5922805277226294); (-26, 666466243017242)] [(-14, 799112162734279); (-13, 5999325288498655)]; CellChoice 1 6798437451232879 7014243021604561 [(-14, 799112162734273); (-13, 5999325288498606)] [(-1, 3505408212555674); (1, 3508834809048887)]; CellChoice 1 7014243021604526 7236898996137091 [(-1, 3505408212555657); (1, 3508834809048869)] [(12, 3777514198094233); (13, 3459384798042858)]; CellChoice 1 7236898996137004 7466622830001370 [(12, 3777514198094188); (13, 3459384798042816)] [(24, 4927014706173533); (25, 2539608123827837)]; CellChoice 1 7466622830001284 7703638881136150 [(24, 4927014706173476); (25, 2539608123827808)] [(35, 3002784033297917); (36, 4700854847838233)]; CellChoice 1 7703638881136130 7948178629365974 [(35, 3002784033297909); (36, 4700854847838221)] [(46, 5470609784740977); (47, 2477568844624997)]; CellChoice 1 7948178629365964 8200480902473599 [(46, 5470609784740970); (47, 2477568844624994)] [(56, 4363984931293448); (57, 3836495971180151)]; CellChoice 1 8200480902473567 8460792109449448 [(56, 4363984931293430); (57, 3836495971180137)] [(66, 7604332626011734); (67, 856459483437714)]; CellChoice 1 8460792109449391 8729366481144898 [(66, 7604332626011682); (67, 856459483437709)] [(75, 6682973320342757); (76, 2046393160802141)]; CellChoice 2 8729366481144829 585467218621988383 [(75, 6682973320342705); (76, 2046393160802124)] [(83, 64941795922020209); (84, 520525422699968174)]]%Z.
Definition cells : list cell_choice := cells_0.
Definition plan := PlanUp the_source (Place (-125) 1365966407424498429133776 1365966407424498429134031) cells (Layout 1 0 (-125) (84) (84)).
Definition program : list instruction := [Times 0 0 (Z.to_nat 0) (Z.to_nat 417) (Z.to_nat 210); Times 1 1 (Z.to_nat 0) (Z.to_nat 682) (Z.to_nat 628); Times 2 0 (Z.to_nat 0) (Z.to_nat 752) (Z.to_nat 837); Times 3 3 (Z.to_nat 0) (Z.to_nat 1133) (Z.to_nat 1882)].
Definition the_claim : claim := Claim 7735590115578764329562427 6306813054741644645580054 (-1250) (-1041) 1 1000.
Lemma checked : private_by 10 60 80 128 [plan] program [10%nat] the_claim = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma placed : claim_placed 10 80 Up (exp (1587 / 2500)) the_claim.
Proof. unfold claim_placed, placed, the_claim, Y, rho; cbn [u u_coarse at_off at_off_coarse]. split; interval with (i_prec 200). Qed.

Theorem add_private : private (sequence (repeated [the_step] [10%nat]) the_step) 10 (exp (1587 / 2500)) (1 / 1000).
Proof.
  exact (run_private 10 60 80 128 ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia) [the_step] the_step [plan] program [10%nat]
    the_claim _ (Forall2_cons _ _ source_is (Forall2_nil _)) checked placed).
Qed.

(** The same on data sets: contributions in [-1, 1] that may depend on all answers so far. *)
Theorem on_data_sets A (contribution : list R -> A -> R) : (forall h x, Rabs (contribution h x) <= 1) ->
  DataSets.add_private (fun h => Query (laplace_density (2 * 1)) (1 / 5) (contribution h)) 10 (exp (1587 / 2500)) (1 / 1000).
Proof.
  intros H. apply (answers_add_private 10 60 80 128 ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia) the_step plan program 10
    the_claim _ source_is checked placed). intros h. apply (sampled_laplace_within 2 1 (1 / 5)); auto; lra.
Qed.

End Add.
