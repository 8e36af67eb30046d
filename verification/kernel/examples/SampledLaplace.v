(** Laplace noise of scale 2 on a Poisson sample with rate 1/5, 10 times: the composition is
    (7351/10000, 1/1000)-private for adjacency "remove", (6349/10000, 1/1000)-private for "add". *)
From Coq Require Import Reals ZArith List Lia Lra.
From Interval Require Import Tactic.
From Plaudit Require Import Privacy Outputs Laws Curve Composition Lattice Powers Slices Normal Runs Sources Laplace.
Import List ListNotations.
Open Scope R_scope.

Definition u : Z * Z := (329812979126047300897653247035862915815, 329812979126047300897653247035862915818)%Z.
Lemma u_is : encloses 128 u (exp (- (/ (INR 16 * 2)))).
Proof.
  rewrite INR_IZR_INZ. unfold encloses, u. cbn [fst snd Z.of_nat Pos.of_succ_nat Pos.succ].
  repeat split; try lia; interval with (i_prec 200).
Qed.

Module Remove.
Definition the_source : source := laplace_source 128 1 5 16 u.
Definition the_step : step := sampled_laplace 2 (1 / 5).
Lemma source_is : source_holds 60 128 the_step the_source.
Proof. apply (sampled_laplace_source_holds 60 128 1 5); try lia; try lra. exact u_is. Qed.
Definition cells_0 : list cell_choice := [CellChoice 1 (-84) (-83) 472134765346264830 58962060575081244; CellChoice 1 (-84) (-75) 8405236476000020 8003189876383554; CellChoice 1 (-76) (-66) 7566769138868867 8475580596027376; CellChoice 1 (-67) (-56) 7608604256967540 8083336492577269; CellChoice 1 (-57) (-46) 7596939753627527 7759917418578077; CellChoice 1 (-47) (-35) 7534527555023156 7502244191168559; CellChoice 1 (-36) (-24) 7402517332149464 7328854530490905; CellChoice 1 (-25) (-12) 7179971451642957 7260387803563036; CellChoice 1 (-13) (1) 7378674126558140 6784775582202642; CellChoice 1 (-1) (14) 6945724848683764 6954647933134512; CellChoice 1 (13) (27) 6876416012324339 6774455530084512; CellChoice 1 (26) (42) 6642609316088268 6772093001060906; CellChoice 1 (41) (57) 6678997829658402 6512636623602146; CellChoice 1 (56) (73) 6529957374818990 6451492718484735; CellChoice 1 (72) (90) 6572701394940965 6211242567469226; CellChoice 1 (89) (107) 6433386427203532 6165536740598573; CellChoice 2 (106) (125) 9025835079836286 398405418705682667]%Z.
Definition cells : list cell_choice := cells_0.
Definition plan := PlanUp the_source (Place (-84) 1312329160201953932232317 1312329160201953932232490) cells (Layout 1 0 (-84) (125) (125)).
Definition program : list instruction := [Times 0 0 (Z.to_nat 0) (Z.to_nat 316) (Z.to_nat 210); Times 1 1 (Z.to_nat 0) (Z.to_nat 382) (Z.to_nat 628); Times 2 0 (Z.to_nat 0) (Z.to_nat 398) (Z.to_nat 837); Times 3 3 (Z.to_nat 0) (Z.to_nat 547) (Z.to_nat 1882)].
Definition the_claim : claim := Claim 5729025904800194724607755 4670864772757365883119951 (-840) (-631) 1 1000.
Lemma checked : private_by 10 60 80 128 [plan] program [10%nat] the_claim = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma placed : claim_placed 10 80 Up (exp (7351 / 10000)) the_claim.
Proof. unfold claim_placed, placed, the_claim, Y, rho; cbn [u u_coarse at_off at_off_coarse]. split; interval with (i_prec 200). Qed.

Theorem remove_private : private (sequence (repeated [the_step] [10%nat]) the_step) 10 (exp (7351 / 10000)) (1 / 1000).
Proof.
  exact (run_private 10 60 80 128 ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia) [the_step] the_step [plan] program [10%nat]
    the_claim _ (Forall2_cons _ _ source_is (Forall2_nil _)) checked placed).
Qed.

End Remove.

Module Add.
Definition the_source : source := swapped_laplace_source 128 1 5 16 u.
Definition the_step : step := swapped (sampled_laplace 2 (1 / 5)).
Lemma source_is : source_holds 60 128 the_step the_source.
Proof. apply (swapped_sampled_laplace_source_holds 60 128 1 5); try lia; try lra. exact u_is. Qed.
Definition cells_0 : list cell_choice := [CellChoice 1 (-125) (-124) 299995250081977909 49645870311058507; CellChoice 1 (-125) (-106) 5596940884305164 5501859678773808; CellChoice 1 (-107) (-89) 5553519956152096 5897594355951962; CellChoice 1 (-90) (-72) 5688390816022327 6126220884009657; CellChoice 1 (-73) (-56) 6007373545466448 6182274188203318; CellChoice 1 (-57) (-41) 6159854305772560 6416734383177598; CellChoice 1 (-42) (-26) 6499820311551781 6475992157100328; CellChoice 1 (-27) (-13) 6598081523250364 6789627448226106; CellChoice 1 (-14) (1) 6860166059296631 6952514413540809; CellChoice 1 (-1) (13) 6778149824798086 7472992192943531; CellChoice 1 (12) (25) 7346013018998698 7357508807139676; CellChoice 1 (24) (36) 7502739224644758 7667522486492676; CellChoice 1 (35) (47) 7763230809242422 7888586701259682; CellChoice 1 (46) (57) 8116633835970702 8032025695868861; CellChoice 1 (56) (67) 8537932989702685 8123340022220330; CellChoice 1 (66) (76) 9040131986575986 8150026604018303; CellChoice 2 (75) (84) 15688686775480480 578507898327652732]%Z.
Definition cells : list cell_choice := cells_0.
Definition plan := PlanUp the_source (Place (-125) 1365966407424498429133776 1365966407424498429134031) cells (Layout 1 0 (-125) (84) (84)).
Definition program : list instruction := [Times 0 0 (Z.to_nat 0) (Z.to_nat 392) (Z.to_nat 210); Times 1 1 (Z.to_nat 0) (Z.to_nat 565) (Z.to_nat 628); Times 2 0 (Z.to_nat 0) (Z.to_nat 624) (Z.to_nat 837); Times 3 3 (Z.to_nat 0) (Z.to_nat 917) (Z.to_nat 1882)].
Definition the_claim : claim := Claim 7736363713269562081140738 6307443767582235245540872 (-1250) (-1041) 1 1000.
Lemma checked : private_by 10 60 80 128 [plan] program [10%nat] the_claim = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma placed : claim_placed 10 80 Up (exp (6349 / 10000)) the_claim.
Proof. unfold claim_placed, placed, the_claim, Y, rho; cbn [u u_coarse at_off at_off_coarse]. split; interval with (i_prec 200). Qed.

Theorem add_private : private (sequence (repeated [the_step] [10%nat]) the_step) 10 (exp (6349 / 10000)) (1 / 1000).
Proof.
  exact (run_private 10 60 80 128 ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia) [the_step] the_step [plan] program [10%nat]
    the_claim _ (Forall2_cons _ _ source_is (Forall2_nil _)) checked placed).
Qed.

End Add.
