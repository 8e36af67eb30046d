(** Discrete Laplace noise of scale 2, 4 times. For a contribution of 1 the composition is (3987/2000, 1/1000)-private.
    For a contribution of 3 to a Poisson sample with rate 1/5 it is (17217/10000, 1/1000)-private for adjacency
    "remove", (6689/10000, 1/1000)-private for "add". *)
From Coq Require Import Reals ZArith List Lia Lra.
From Interval Require Import Tactic.
From Plaudit Require Import Privacy Outputs Laws Curve Composition Lattice Powers Slices Normal Runs Sources Discrete.
Import List ListNotations.
Open Scope R_scope.

Definition u : Z * Z := (206391688497133195273760705512282642278, 206391688497133195273760705512282642281)%Z.
Lemma u_is : encloses 128 u (exp (- (1 / 2))).
Proof. unfold encloses, u. cbn [fst snd]. repeat split; try lia; interval with (i_prec 200). Qed.

Module Whole.
Definition the_source : source := discrete_laplace_source 68 128 1 1 1 u.
Definition the_step : step := discrete_laplace 2 1.
Lemma source_is : source_holds 60 128 the_step the_source.
Proof. apply discrete_laplace_source_holds; try lia; try lra. exact u_is. Qed.
Definition cells_0 : list cell_choice := [CellChoice 1 0 435274755921033121 [] [(-128, 326225246728200604); (-127, 109049509192832517)]; CellChoice 1 0 717646748685813856 [] [(127, 179265367077979034); (128, 538381381607834822)]]%Z.
Definition cells : list cell_choice := cells_0.
Definition plan := PlanUp the_source (Place (-128) 1995134219540598899777439 1995134219540598899777700) cells (Layout 1 0 (-128) (128) (128)).
Definition program : list instruction := [Times 0 0 (Z.to_nat 0) (Z.to_nat 511) (Z.to_nat 257); Times 1 1 (Z.to_nat 0) (Z.to_nat 767) (Z.to_nat 769)].
Definition the_claim : claim := Claim 65834806020883131196962198 24171891241959286349142777 (-512) (-256) 1 1000.
Lemma checked : private_by 8 60 80 128 [plan] program [4%nat] the_claim = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma placed : claim_placed 8 80 Up (exp (3987 / 2000)) the_claim.
Proof. unfold claim_placed, placed, the_claim, Y, rho; cbn [u u_coarse at_off at_off_coarse]. split; interval with (i_prec 200). Qed.
Theorem is_private : private (sequence (repeated [the_step] [4%nat]) the_step) 4 (exp (3987 / 2000)) (1 / 1000).
Proof.
  exact (run_private 8 60 80 128 ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia) [the_step] the_step [plan] program [4%nat]
    the_claim _ (Forall2_cons _ _ source_is (Forall2_nil _)) checked placed).
Qed.
End Whole.

Module Remove.
Definition the_source : source := discrete_laplace_source 68 128 1 5 3 u.
Definition the_step : step := sampled_discrete_laplace 2 3 (1 / 5).
Lemma source_is : source_holds 60 128 the_step the_source.
Proof. apply (sampled_discrete_laplace_source_holds 60 68 128 1 5); try lia; try lra. exact u_is. Qed.
Definition cells_0 : list cell_choice := [CellChoice 1 0 606143125741504208 [] [(-44, 87145101096925430); (-43, 518998024644578778)]; CellChoice 1 0 157789587024949547 [] [(-21, 148541253402806104); (-20, 9248333622143443)]; CellChoice 1 0 117356534931817955 [] [(31, 97522375773199290); (32, 19834159158618665)]; CellChoice 1 0 271632256908575267 [] [(135, 265006170734998370); (136, 6626086173576897)]]%Z.
Definition cells : list cell_choice := cells_0.
Definition plan := PlanUp the_source (Place (-44) 1436118205532248223275518 1436118205532248223275611) cells (Layout 1 0 (-44) (136) (136)).
Definition program : list instruction := [Times 0 0 (Z.to_nat 0) (Z.to_nat 359) (Z.to_nat 181); Times 1 1 (Z.to_nat 0) (Z.to_nat 539) (Z.to_nat 541)].
Definition the_claim : claim := Claim 13467488120134547263992241 6657716884564227618982344 (-176) (4) 1 1000.
Lemma checked : private_by 8 60 80 128 [plan] program [4%nat] the_claim = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma placed : claim_placed 8 80 Up (exp (17217 / 10000)) the_claim.
Proof. unfold claim_placed, placed, the_claim, Y, rho; cbn [u u_coarse at_off at_off_coarse]. split; interval with (i_prec 200). Qed.
Theorem is_private : private (sequence (repeated [the_step] [4%nat]) the_step) 4 (exp (17217 / 10000)) (1 / 1000).
Proof.
  exact (run_private 8 60 80 128 ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia) [the_step] the_step [plan] program [4%nat]
    the_claim _ (Forall2_cons _ _ source_is (Forall2_nil _)) checked placed).
Qed.
End Remove.

Module Add.
Definition the_source : source := swapped_discrete_laplace_source 68 128 1 5 3 u.
Definition the_step : step := swapped (sampled_discrete_laplace 2 3 (1 / 5)).
Lemma source_is : source_holds 60 128 the_step the_source.
Proof. apply (swapped_sampled_discrete_laplace_source_holds 60 68 128 1 5); try lia; try lra. exact u_is. Qed.
Definition cells_0 : list cell_choice := [CellChoice 1 0 160128633964265620 [] [(-136, 3891224935427117); (-135, 156237409028838503)]; CellChoice 1 0 103878850900774091 [] [(-32, 17499300050056669); (-31, 86379550850717422)]; CellChoice 1 0 171267271055993411 [] [(20, 10001362890532669); (21, 161265908165460742)]; CellChoice 1 0 717646748685813856 [] [(43, 614124543950259730); (44, 103522204735554126)]]%Z.
Definition cells : list cell_choice := cells_0.
Definition plan := PlanUp the_source (Place (-136) 2058592548916439802882778 2058592548916439802883055) cells (Layout 1 0 (-136) (44) (44)).
Definition program : list instruction := [Times 0 0 (Z.to_nat 0) (Z.to_nat 359) (Z.to_nat 181); Times 1 1 (Z.to_nat 2) (Z.to_nat 715) (Z.to_nat 541)].
Definition the_claim : claim := Claim 19687140281329986745436713 9808914017134843125066784 (-542) (-364) 1 1000.
Lemma checked : private_by 8 60 80 128 [plan] program [4%nat] the_claim = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma placed : claim_placed 8 80 Up (exp (6689 / 10000)) the_claim.
Proof. unfold claim_placed, placed, the_claim, Y, rho; cbn [u u_coarse at_off at_off_coarse]. split; interval with (i_prec 200). Qed.
Theorem is_private : private (sequence (repeated [the_step] [4%nat]) the_step) 4 (exp (6689 / 10000)) (1 / 1000).
Proof.
  exact (run_private 8 60 80 128 ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia) [the_step] the_step [plan] program [4%nat]
    the_claim _ (Forall2_cons _ _ source_is (Forall2_nil _)) checked placed).
Qed.
End Add.
