(** Theorems about whole runs, by one computation: from the slices of the steps to the value of delta.
    A generated file has the data, applies [run_private] or [run_not_private], and proves the
    enclosures that its sources need. *)
From Coq Require Import Reals ZArith List Lia Lra Bool.
From Plaudit Require Import Privacy Curve Composition Cells Attack Kronecker Lattice Powers Words Slices.
Import ListNotations.
Open Scope R_scope.

(** ** The composition of each step so many times *)

Definition repeated (steps : list step) (counts : list nat) : list step :=
  concat (map (fun sn => repeat (fst sn) (snd sn)) (combine steps counts)).
Definition repeated_laws (Vs : list law) (counts : list nat) : list law :=
  concat (map (fun sn => repeat (fst sn) (snd sn)) (combine Vs counts)).
Definition total_count (counts : list nat) : nat := fold_right Nat.add 0%nat counts.

Lemma product_repeat V n a : curve (product (repeat V n)) a = curve (power V n) a.
Proof. revert a; induction n as [|n IH]; intros a; simpl; auto. now apply conv_ext_l. Qed.

Lemma product_repeated Vs : forall counts a, length counts = length Vs ->
  curve (product (repeated_laws Vs counts)) a = curve (powers Vs counts) a.
Proof.
  induction Vs as [|V Vs IH]; intros [|n counts] a E; simpl in E; try discriminate; auto.
  unfold repeated_laws. simpl. rewrite product_app. rewrite (conv_ext_l _ (power V n) _ a) by apply product_repeat.
  apply conv_ext_r. intros b. apply IH. congruence.
Qed.

Lemma Forall2_same_length {A B} (R : A -> B -> Prop) l l' : Forall2 R l l' -> length l = length l'.
Proof. induction 1; simpl; congruence. Qed.

Lemma Forall2_repeated {A B} (R : A -> B -> Prop) l l' : Forall2 R l l' -> forall counts,
  Forall2 R (concat (map (fun sn => repeat (fst sn) (snd sn)) (combine l counts)))
            (concat (map (fun sn => repeat (fst sn) (snd sn)) (combine l' counts))).
Proof.
  induction 1 as [|x y l l' H F IH]; intros [|n counts]; simpl; try constructor.
  apply Forall2_app; auto. induction n; simpl; constructor; auto.
Qed.

Lemma repeated_length steps counts : length counts = length steps ->
  length (repeated steps counts) = total_count counts.
Proof.
  revert counts; induction steps as [|s steps IH]; intros [|n counts] E; simpl in E; try discriminate; auto.
  unfold repeated. simpl. rewrite app_length, repeat_length. f_equal. apply IH. congruence.
Qed.

Lemma Forall_repeated {A} (P : A -> Prop) l counts : Forall P l ->
  Forall P (concat (map (fun sn => repeat (fst sn) (snd sn)) (combine l counts))).
Proof.
  intros H; revert counts; induction H as [|x l Hx H IH]; intros [|n counts]; simpl; try constructor.
  apply Forall_app; split; auto. induction n; simpl; constructor; auto.
Qed.

(** ** Sources *)

(** The slices of a step, in units of 2^-T, what is outside of them in units of 2^-B, and whether what was
    computed is good for its theorem. *)
Record source := Source { acceptable : bool; its_slices : list slice; outside_them : Z }.

Section Runs.
Variables e B D T F : Z.
Hypothesis e_positive : (1 <= e)%Z.
Hypothesis B_nonnegative : (0 <= B)%Z.
Hypothesis D_nonnegative : (0 <= D)%Z.
Hypothesis T_at_least_B : (B <= T)%Z.
Hypothesis F_nonnegative : (0 <= F)%Z.

Definition source_holds (s : step) (src : source) : Prop :=
  acceptable src = true -> nonnegative_step s /\ exists rs,
    map snd rs = its_slices src /\ Forall (region_holds T s) rs /\ (forall x, coverage rs x <= 1) /\
    (0 <= outside_them src)%Z /\ exists G t, (forall x, 0 <= G x) /\
      (forall x, (1 - coverage rs x) * p_of s x <= G x) /\ integral (outputs s) G t /\
      t <= IZR (outside_them src) * unit B.

(** What is computed from slices does not look at the indicators. *)
Definition bare (sl : list slice) : list ((R -> R) * slice) := map (fun x => ((fun _ => 0), x)) sl.

Lemma bare_cells rs : forall cs l, cells_accepted e B D T l (bare (map snd rs)) cs = cells_accepted e B D T l rs cs.
Proof.
  assert (Z : forall f rs, zsum_of f (bare (map snd rs)) = zsum_of f rs).
  { intros f l. induction l as [|r l IH]; [reflexivity|].
    change (zsum_of f (bare (map snd (r :: l)))) with (f (snd r) + zsum_of f (bare (map snd l)))%Z.
    now rewrite IH. }
  assert (A : forall l h h' rs c, snd h = snd h' ->
    cell_accepted e B D T l h (bare (map snd rs)) c = cell_accepted e B D T l h' rs c).
  { intros l h h' l0 c Eh. unfold cell_accepted. rewrite !Z.
    assert (La : snd (List.last (bare (map snd l0)) h) = snd (List.last l0 h')).
    { clear -Eh. revert h h' Eh. induction l0 as [|r l0 IH]; intros h h' Eh; [exact Eh|].
      change (bare (map snd (r :: l0))) with (((fun _ : R => 0), snd r) :: bare (map snd l0)).
      destruct l0 as [|r' l0]; [reflexivity|].
      change (List.last (((fun _ : R => 0), snd r) :: bare (map snd (r' :: l0))) h)
        with (List.last (bare (map snd (r' :: l0))) h).
      change (List.last (r :: r' :: l0) h') with (List.last (r' :: l0) h'). now apply IH. }
    rewrite La, Eh.
    assert (Fb : forall g : slice -> bool, forallb (fun r => g (snd r)) (bare (map snd l0)) = forallb (fun r => g (snd r)) l0).
    { intros g. clear. induction l0 as [|r l0 IH]; simpl; auto. now rewrite IH. }
    set (g := fun sl : slice => ((0 <? den_hi sl) && products_ordered (num_hi sl) (den_hi (snd h')) (num_hi (snd h')) (den_hi sl) &&
      (0 <? den_lo sl) && products_ordered (num_lo (snd (List.last l0 h'))) (den_lo sl) (num_lo sl) (den_lo (snd (List.last l0 h'))))%Z).
    specialize (Fb g). unfold g in Fb. cbv beta in Fb. rewrite Fb. reflexivity. }
  intros cs; revert rs; induction cs as [|c cs IH]; intros rs l; cbn [cells_accepted].
  - destruct rs; auto.
  - unfold bare. rewrite !firstn_map, !skipn_map. fold (bare (map snd (skipn (slices_of c) rs))).
    fold (bare (map snd (firstn (slices_of c) rs))). rewrite IH.
    destruct (firstn (slices_of c) rs) as [|r mine] eqn:E; auto.
    pose proof (A l ((fun _ : R => 0), snd r) r (r :: mine) c eq_refl) as Ac.
    change (bare (map snd (r :: mine))) with (((fun _ : R => 0), snd r) :: bare (map snd mine)) in Ac |- *.
    cbv iota beta. rewrite Ac. reflexivity.
Qed.

(** How the slices of one step are made into a law. *)
Record plan_up := PlanUp { source_up : source; place_up : place; cells_up : list cell_choice; layout_up : layout }.
Definition law_up (x : plan_up) : option zlaw :=
  if acceptable (source_up x) && first_place e D (place_up x) then
    match cells_accepted e B D T (place_up x) (bare (its_slices (source_up x))) (cells_up x) with
    | Some a => law_of (layout_up x) (outside_them (source_up x)) a
    | None => None
    end
  else None.

Lemma law_up_holds s x L : source_holds s (source_up x) -> law_up x = Some L ->
  nonnegative_step s /\ valid L /\ dominated s (sem e B L).
Proof.
  unfold law_up. intros H. destruct (acceptable (source_up x)) eqn:A; [|discriminate].
  destruct (first_place e D (place_up x)) eqn:Fp; [|discriminate]. cbn [andb].
  destruct (H A) as (N & rs & E & R & C & I & G & t & G0 & G1 & G2 & G3). rewrite <- E, bare_cells.
  destruct (cells_accepted e B D T (place_up x) rs (cells_up x)) as [a|] eqn:K; [|discriminate].
  intros L'. split; auto.
  eapply (step_dominated e B D T); try exact Fp; eauto.
Qed.

(** Lower ends. *)
Record plan_down := PlanDown { source_down : source; place_down : place; classes_down : list class_choice; layout_down : layout }.

Notation bare_piece := (fun kr : Z * ((R -> R) * slice) => (fst kr, snd (snd kr))).

Lemma class_same l ps ps' c : map bare_piece ps = map bare_piece ps' ->
  class_accepted B D T F l ps c = class_accepted B D T F l ps' c.
Proof.
  intros Eq. unfold class_accepted.
  assert (S : forall f : slice -> Z, forall ps ps', map bare_piece ps = map bare_piece ps' ->
    fold_right (fun (kr : Z * ((R -> R) * slice)) t => (fst kr * f (snd (snd kr)) + t)%Z) 0%Z ps =
    fold_right (fun (kr : Z * ((R -> R) * slice)) t => (fst kr * f (snd (snd kr)) + t)%Z) 0%Z ps').
  { intros f. induction ps0 as [|k ps0 IH]; intros [|k' ps0'] X; simpl in X; try discriminate; auto.
    injection X as X1 X2 X3. simpl. rewrite (IH _ X3). congruence. }
  now rewrite (S low_p ps ps' Eq), (S high_q ps ps' Eq).
Qed.

Lemma classes_same : forall cs left l rs rs', map snd rs = map snd rs' ->
  classes_accepted e B D T F left l rs cs = classes_accepted e B D T F left l rs' cs.
Proof.
  induction cs as [|c cs IH]; intros left l [|r rs] [|r' rs'] E; try discriminate; cbn [classes_accepted]; auto.
  simpl in E. injection E as E1 E2.
  assert (Ef : map snd (firstn (whole c) rs) = map snd (firstn (whole c) rs')) by (rewrite <- !firstn_map; congruence).
  assert (Es : map snd (skipn (whole c) rs) = map snd (skipn (whole c) rs')) by (rewrite <- !skipn_map; congruence).
  assert (P : forall l l' : list ((R -> R) * slice), map snd l = map snd l' ->
    map bare_piece (map (fun r => (2 ^ F, r)%Z) l) = map bare_piece (map (fun r => (2 ^ F, r)%Z) l')).
  { induction l0 as [|x m IHm]; intros [|x' m'] X; simpl in X; try discriminate; auto.
    injection X as X1 X2. simpl. rewrite X1. f_equal. now apply IHm. }
  assert (P1 : map bare_piece ((left, r) :: map (fun r => (2 ^ F, r)%Z) (firstn (whole c) rs)) =
    map bare_piece ((left, r') :: map (fun r => (2 ^ F, r)%Z) (firstn (whole c) rs'))).
  { cbn [map fst snd]. rewrite E1. f_equal. exact (P _ _ Ef). }
  destruct (last c =? 0)%Z.
  - rewrite (class_same _ _ _ c P1). destruct (class_accepted _ _ _ _ _ _ c); auto. f_equal. auto.
  - assert (IH' := fun lft pl => IH lft pl _ _ Es).
    destruct (skipn (whole c) rs) as [|x l1], (skipn (whole c) rs') as [|x' l1']; try discriminate; auto.
    simpl in Es. injection Es as Es1 Es2.
    rewrite (class_same _ (((left, r) :: map (fun r => (2 ^ F, r)%Z) (firstn (whole c) rs)) ++ [(last c, x)])
      (((left, r') :: map (fun r => (2 ^ F, r)%Z) (firstn (whole c) rs')) ++ [(last c, x')])).
    + destruct (_ && class_accepted _ _ _ _ _ _ c)%bool; auto. now rewrite IH'.
    + rewrite !map_app, P1. cbn [map fst snd]. now rewrite Es1.
Qed.

Lemma bare_classes rs cs left l :
  classes_accepted e B D T F left l (bare (map snd rs)) cs = classes_accepted e B D T F left l rs cs.
Proof. apply classes_same. unfold bare. rewrite map_map. simpl. now rewrite map_id. Qed.

Definition law_down (x : plan_down) : option zlaw :=
  if acceptable (source_down x) && first_place e D (place_down x) then
    match classes_down x with
    | nil => None
    | cs =>
      match classes_accepted e B D T F (2 ^ F) (place_down x) (bare (its_slices (source_down x))) cs with
      | Some a => law_of (layout_down x) 0 a
      | None => None
      end
    end
  else None.

Lemma law_down_holds s x L : source_holds s (source_down x) -> law_down x = Some L ->
  nonnegative_step s /\ valid L /\ exists V, attained s V /\ below (sem e B L) V.
Proof.
  unfold law_down. intros H. destruct (acceptable (source_down x)) eqn:A; [|discriminate].
  destruct (first_place e D (place_down x)) eqn:Fp; [|discriminate]. cbn [andb].
  destruct (H A) as (N & rs & E & R & C & _). destruct (classes_down x) as [|c cs]; [discriminate|].
  rewrite <- E, bare_classes.
  destruct (classes_accepted e B D T F (2 ^ F) (place_down x) rs (c :: cs)) as [a|] eqn:K; [|discriminate].
  intros L'. split; auto. eapply (step_attained e B D T F); try exact Fp; eauto. discriminate.
Qed.

(** ** Runs *)

Fixpoint all_some {X Z} (f : X -> option Z) (l : list X) : option (list Z) :=
  match l with
  | nil => Some nil
  | x :: l => match f x, all_some f l with Some y, Some ys => Some (y :: ys) | _, _ => None end
  end.

Lemma all_some_spec {X Z} (f : X -> option Z) l ys : all_some f l = Some ys -> Forall2 (fun x y => f x = Some y) l ys.
Proof.
  revert ys; induction l as [|x l IH]; intros ys; simpl.
  - intros E; injection E as <-; constructor.
  - destruct (f x) as [y|] eqn:E; [|discriminate]. destruct (all_some f l) as [zs|]; [|discriminate].
    intros Eq; injection Eq as <-. constructor; auto.
Qed.

Definition same_counts (ns ms : list nat) : bool :=
  Nat.eqb (length ns) (length ms) && forallb (fun nm => Nat.eqb (fst nm) (snd nm)) (combine ns ms).
Lemma same_counts_spec ns : forall ms, same_counts ns ms = true -> ns = ms.
Proof.
  unfold same_counts. induction ns as [|n ns IH]; intros [|m ms]; simpl; try discriminate; auto.
  rewrite !andb_true_iff. intros (E & H1 & H2). apply Nat.eqb_eq in H1. subst m. f_equal. apply IH.
  now rewrite E, H2.
Qed.

(** The place of a = exp epsilon on the lattices of the result, and the claim delta = num / den. *)
Record claim := Claim { u : Z; u_coarse : Z; at_off : Z; at_off_coarse : Z; num : Z; den : Z }.

Definition result (d : mode) (Ls : list zlaw) (program : list instruction) (counts : list nat) (c : claim) : option Z :=
  match run e B D d program (initial Ls) with
  | Some regs =>
    match List.rev regs with
    | (ns, L) :: _ =>
      if same_counts ns counts && (off L =? at_off c)%Z && (off_coarse L =? at_off_coarse c)%Z &&
         (0 <=? u c)%Z && (0 <=? u_coarse c)%Z && (0 <? den c)%Z
      then Some (delta_of e D d (u c) (u_coarse c) L) else None
    | nil => None
    end
  | None => None
  end.

Definition claim_placed (d : mode) (a : R) (c : claim) : Prop :=
  placed d (u c) (a * Y e (at_off c) * IZR (2 ^ D)) /\
  placed d (u_coarse c) (a * Y e (at_off_coarse c) * IZR (2 ^ D)).

(** Computed from a in units of 2^-P: v is below it (Up) or above it (Down). *)
Definition placed_by (P : Z) (d : mode) (v u off : Z) : bool :=
  (0 <=? v)%Z && (0 <=? u)%Z &&
  match off, d with
  | Z0, Up => (u * 2 ^ P <=? v * 2 ^ D)%Z
  | Z0, Down => (v * 2 ^ D <=? u * 2 ^ P)%Z
  | Zpos n, Up => (u * 2 ^ (2 * P) <=? v * low_of e P n * 2 ^ D)%Z
  | Zpos n, Down => (v * high_of e P n * 2 ^ D <=? u * 2 ^ (2 * P))%Z
  | Zneg n, Up => (u * high_of e P n <=? v * 2 ^ D)%Z
  | Zneg n, Down => (v * 2 ^ D <=? u * low_of e P n)%Z
  end.

Lemma placed_by_spec P d v u off a : (0 <= P)%Z -> placed_by P d v u off = true -> placed d v (a * IZR (2 ^ P)) ->
  placed d u (a * Y e off * IZR (2 ^ D)).
Proof.
  intros HP. unfold placed_by. rewrite !andb_true_iff, !Z.leb_le. intros [[V U] C] Pv.
  pose proof (two_positive_R P HP) as TP. pose proof (two_positive_R D D_nonnegative) as TD.
  apply IZR_le in V, U.
  assert (TPP : IZR (2 ^ (2 * P)) = IZR (2 ^ P) * IZR (2 ^ P)).
  { rewrite <- mult_IZR, <- Z.pow_add_r by lia. do 2 f_equal. lia. }
  destruct off as [|n|n].
  - replace (Y e 0) with 1 by reflexivity. destruct d; simpl in Pv |- *; apply Z.leb_le, IZR_le in C; rewrite !mult_IZR in C.
    + apply Rmult_le_reg_r with (IZR (2 ^ P)); auto. apply Rle_trans with (1 := C).
      apply Rle_trans with (a * IZR (2 ^ P) * IZR (2 ^ D)); [apply Rmult_le_compat_r; lra | right; ring].
    + apply Rmult_le_reg_r with (IZR (2 ^ P)); auto. apply Rle_trans with (2 := C).
      apply Rle_trans with (a * IZR (2 ^ P) * IZR (2 ^ D)); [right; ring | apply Rmult_le_compat_r; lra].
  - assert (E : Y e (Z.pos n) = rho e ^ Pos.to_nat n) by (rewrite <- positive_nat_Z; now apply Y_nat). rewrite E.
    pose proof (rho_power_bounds e e_positive (Pos.to_nat n)) as Rn. set (r := rho e ^ Pos.to_nat n) in *.
    destruct (low_of_spec e P e_positive HP n) as [L0 L]. destruct (high_of_spec e P e_positive HP n) as [H0 H].
    fold r in L, H. apply IZR_le in L0, H0.
    destruct d; simpl in Pv |- *; apply Z.leb_le, IZR_le in C; rewrite !mult_IZR, TPP in C;
      apply Rmult_le_reg_r with (IZR (2 ^ P) * IZR (2 ^ P)); try (now apply Rmult_lt_0_compat).
    + apply Rle_trans with (1 := C).
      apply Rle_trans with ((a * IZR (2 ^ P)) * (IZR (2 ^ P) * r) * IZR (2 ^ D)); [|right; ring].
      apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat; auto.
    + apply Rle_trans with (2 := C).
      apply Rle_trans with ((a * IZR (2 ^ P)) * (IZR (2 ^ P) * r) * IZR (2 ^ D)); [right; ring|].
      apply Rmult_le_compat_r; [lra|]. apply Rle_trans with (IZR v * (IZR (2 ^ P) * r)).
      * apply Rmult_le_compat_r; auto. apply Rmult_le_pos; lra.
      * now apply Rmult_le_compat_l.
  - assert (E : Y e (Z.neg n) * rho e ^ Pos.to_nat n = 1).
    { rewrite <- (Y_nat e), positive_nat_Z, <- Y_add by auto. replace (Z.neg n + Z.pos n)%Z with 0%Z by lia. reflexivity. }
    pose proof (rho_power_bounds e e_positive (Pos.to_nat n)) as Rn. set (r := rho e ^ Pos.to_nat n) in *.
    set (y := Y e (Z.neg n)) in *.
    destruct (low_of_spec e P e_positive HP n) as [L0 L]. destruct (high_of_spec e P e_positive HP n) as [H0 H].
    fold r in L, H. apply IZR_le in L0, H0.
    destruct d; simpl in Pv |- *; apply Z.leb_le, IZR_le in C; rewrite !mult_IZR in C;
      apply Rmult_le_reg_r with (r * IZR (2 ^ P)); try (apply Rmult_lt_0_compat; lra).
    + replace (a * y * IZR (2 ^ D) * (r * IZR (2 ^ P))) with (a * IZR (2 ^ P) * IZR (2 ^ D) * (y * r)) by ring.
      rewrite E, Rmult_1_r. apply Rle_trans with (IZR u * IZR (high_of e P n)); [apply Rmult_le_compat_l; lra|].
      apply Rle_trans with (1 := C). apply Rmult_le_compat_r; lra.
    + replace (a * y * IZR (2 ^ D) * (r * IZR (2 ^ P))) with (a * IZR (2 ^ P) * IZR (2 ^ D) * (y * r)) by ring.
      rewrite E, Rmult_1_r. apply Rle_trans with (IZR u * IZR (low_of e P n)); [|apply Rmult_le_compat_l; lra].
      apply Rle_trans with (2 := C). apply Rmult_le_compat_r; lra.
Qed.

Lemma claim_placed_by P d v a c : placed d v (a * IZR (2 ^ P)) ->
  ((0 <=? P)%Z && placed_by P d v (u c) (at_off c) && placed_by P d v (u_coarse c) (at_off_coarse c))%bool = true ->
  claim_placed d a c.
Proof.
  rewrite !andb_true_iff, Z.leb_le. intros Pv [[HP H1] H2]. split; eapply placed_by_spec; eauto.
Qed.

Lemma result_bounds d Ls program counts c v a : Forall valid Ls -> result d Ls program counts c = Some v ->
  0 <= a -> claim_placed d a c -> (0 < den c)%Z /\ length counts = length Ls /\
  bounded_by d (curve (powers (map (sem e B) Ls) counts) a * IZR (2 ^ D)) (unit B * IZR v).
Proof.
  intros V. unfold result. destruct (run e B D d program (initial Ls)) as [regs|] eqn:R; [|discriminate].
  destruct (List.rev regs) as [|[ns L] l] eqn:E; [discriminate|].
  destruct (same_counts ns counts && _ && _ && _ && _ && _)%bool eqn:K; [|discriminate].
  rewrite !andb_true_iff, !Z.leb_le, !Z.eqb_eq, Z.ltb_lt in K. destruct K as (((((K1 & K2) & K3) & K4) & K5) & K6).
  intros X; injection X as <-. intros Ha [P1 P2]. apply same_counts_spec in K1. subst ns.
  assert (HV : Forall nonnegative (map (sem e B) Ls)).
  { apply Forall_map. eapply Forall_impl; [|exact V]. intros; now apply nonnegative_sem. }
  pose proof (run_bounds e B D e_positive B_nonnegative D_nonnegative d _ HV program _ regs
    (initial_bound e B d Ls V) R) as Bd.
  assert (In (counts, L) regs) by (apply (proj2 (in_rev regs _)); rewrite E; now left).
  unfold all_bound in Bd. rewrite Forall_forall in Bd. specialize (Bd _ H). destruct Bd as (B1 & B2 & B3).
  simpl in B1, B2, B3. rewrite map_length in B1. split; auto. split; auto.
  rewrite <- K2 in P1. rewrite <- K3 in P2.
  pose proof (delta_bounds e B D e_positive B_nonnegative D_nonnegative d L _ _ a B2 Ha K4 K5 P1 P2) as Q.
  pose proof (two_positive_R D D_nonnegative) as TD.
  destruct d; cbn [bounded_by ordered] in *; specialize (B3 a Ha).
  - apply Rle_trans with (2 := Q). apply Rmult_le_compat_r; [lra | exact B3].
  - apply Rle_trans with (1 := Q). apply Rmult_le_compat_r; [lra | exact B3].
Qed.

(** Upper ends. *)
Definition private_by (xs : list plan_up) (program : list instruction) (counts : list nat) (c : claim) : bool :=
  match all_some law_up xs with
  | Some Ls =>
    match result Up Ls program counts c with
    | Some v => (v * den c <=? num c * 2 ^ (B + D))%Z
    | None => false
    end
  | None => false
  end.

(** The steps, each as often as it is done, are dominated by laws whose product has the curve that is claimed. *)
Theorem run_dominated steps xs program counts c eps :
  Forall2 source_holds steps (map source_up xs) -> private_by xs program counts c = true ->
  claim_placed Up (exp eps) c -> exists Vs,
  Forall2 (fun s V => nonnegative_step s /\ dominated s V) (repeated steps counts) Vs /\ Forall nonnegative Vs /\
  length Vs = total_count counts /\ curve (product Vs) (exp eps) <= IZR (num c) / IZR (den c).
Proof.
  intros H. unfold private_by. destruct (all_some law_up xs) as [Ls|] eqn:E; [|discriminate].
  apply all_some_spec in E. destruct (result Up Ls program counts c) as [v|] eqn:R; [|discriminate].
  intros Hv P. apply Z.leb_le in Hv.
  assert (K : Forall2 (fun s L => (nonnegative_step s /\ dominated s (sem e B L)) /\ valid L) steps Ls).
  { clear R Hv. revert Ls E. remember (map source_up xs) as srcs eqn:Es. revert xs Es.
    induction H as [|s src steps srcs H H0 IH]; intros [|x xs] Es Ls E; try discriminate.
    - inversion E. constructor.
    - injection Es as -> ->. inversion E as [|? L ? Ls' H1 H2]; subst. constructor; eauto.
      destruct (law_up_holds s x L H H1); tauto. }
  assert (V : Forall valid Ls).
  { clear -K. induction K; constructor; tauto. }
  destruct (result_bounds Up Ls program counts c v (exp eps) V R (Rlt_le _ _ (exp_pos eps)) P) as (Hd & Hl & Hb).
  assert (Ks : Forall2 (fun s W => nonnegative_step s /\ dominated s W) steps (map (sem e B) Ls)).
  { clear -K. induction K; simpl; constructor; tauto. }
  assert (Ls' : length steps = length Ls) by (exact (Forall2_same_length _ _ _ K)).
  assert (NV : Forall nonnegative (repeated_laws (map (sem e B) Ls) counts)).
  { apply Forall_repeated, Forall_map. eapply Forall_impl; [|exact V]. intros; now apply nonnegative_sem. }
  assert (EL : length (repeated_laws (map (sem e B) Ls) counts) = total_count counts).
  { rewrite <- (repeated_length steps counts) by congruence. symmetry.
    exact (Forall2_same_length _ _ _ (Forall2_repeated _ _ _ Ks counts)). }
  exists (repeated_laws (map (sem e B) Ls) counts). split; [exact (Forall2_repeated _ _ _ Ks counts)|].
  split; auto. split; auto.
  rewrite product_repeated by (rewrite map_length; auto).
  simpl in Hb. apply IZR_le in Hv. rewrite !mult_IZR, Z.pow_add_r, mult_IZR in Hv by lia.
  apply IZR_lt in Hd. pose proof (two_positive_R D D_nonnegative). pose proof (two_positive_R B B_nonnegative).
  apply Rmult_le_reg_r with (IZR (2 ^ D)); auto. apply Rle_trans with (1 := Hb).
  apply Rmult_le_reg_r with (IZR (den c) * IZR (2 ^ B)); [now apply Rmult_lt_0_compat|].
  unfold unit. replace (/ IZR (2 ^ B) * IZR v * (IZR (den c) * IZR (2 ^ B))) with (IZR v * IZR (den c)) by (field; lra).
  replace (IZR (num c) / IZR (den c) * IZR (2 ^ D) * (IZR (den c) * IZR (2 ^ B)))
    with (IZR (num c) * (IZR (2 ^ B) * IZR (2 ^ D))) by (field; lra). exact Hv.
Qed.

Theorem run_private steps default xs program counts c eps :
  Forall2 source_holds steps (map source_up xs) -> private_by xs program counts c = true ->
  claim_placed Up (exp eps) c ->
  private (sequence (repeated steps counts) default) (total_count counts) (exp eps) (IZR (num c) / IZR (den c)).
Proof.
  intros H Hp P. destruct (run_dominated steps xs program counts c eps H Hp P) as (Vs & K & NV & EL & Hc).
  pose proof (sequence_dominated _ default _ K) as SD.
  pose proof (composition _ _ NV SD (exp eps) (Rlt_le _ _ (exp_pos eps))) as C. rewrite EL in C.
  intros test Ht a b Ha Hb. apply Rle_trans with (1 := C test Ht a b Ha Hb). now apply Rplus_le_compat_l.
Qed.

(** Lower ends. *)
Definition not_private_by (xs : list plan_down) (program : list instruction) (counts : list nat) (c : claim) : bool :=
  match all_some law_down xs with
  | Some Ls =>
    match result Down Ls program counts c with
    | Some v => (num c * 2 ^ (B + D) <? v * den c)%Z
    | None => false
    end
  | None => false
  end.

Lemma powers_monotone Vs Ws : Forall2 below Vs Ws -> Forall nonnegative Vs -> Forall nonnegative Ws ->
  forall ns, below (powers Vs ns) (powers Ws ns).
Proof.
  induction 1 as [|V W Vs Ws H H0 IH]; intros NV NW [|n ns]; try apply below_refl.
  inversion_clear NV. inversion_clear NW. simpl.
  assert (P : below (power V n) (power W n)).
  { induction n as [|n IHn]; [apply below_refl|]. simpl. eapply below_trans.
    - apply below_conv_r; [now apply nonnegative_power | exact H].
    - apply below_conv_l; auto. }
  eapply below_trans.
  - apply below_conv_r; [now apply nonnegative_power | apply IH; auto].
  - apply below_conv_l; auto. now apply nonnegative_powers.
Qed.

Lemma attained_nonnegative s V : attained s V -> nonnegative V.
Proof.
  intros (cs & (_ & H & _) & <-). apply Forall_map. eapply Forall_impl; [|exact H].
  intros c Hc. unfold class_holds in Hc. simpl. tauto.
Qed.

Theorem run_not_private steps default xs program counts c eps : nonnegative_step default ->
  Forall2 source_holds steps (map source_down xs) -> not_private_by xs program counts c = true ->
  claim_placed Down (exp eps) c ->
  ~ private (sequence (repeated steps counts) default) (total_count counts) (exp eps) (IZR (num c) / IZR (den c)).
Proof.
  intros Nd H. unfold not_private_by. destruct (all_some law_down xs) as [Ls|] eqn:E; [|discriminate].
  apply all_some_spec in E. destruct (result Down Ls program counts c) as [v|] eqn:R; [|discriminate].
  intros Hv P. apply Z.ltb_lt in Hv.
  assert (K : exists Vs, Forall2 attained steps Vs /\ Forall2 below (map (sem e B) Ls) Vs /\ Forall valid Ls /\
    Forall nonnegative_step steps /\ length steps = length Ls).
  { clear R Hv. revert Ls E. remember (map source_down xs) as srcs eqn:Es. revert xs Es.
    induction H as [|s src steps srcs H H0 IH]; intros [|x xs] Es Ls E; try discriminate.
    - inversion E. exists nil. repeat split; constructor.
    - injection Es as -> ->. inversion E as [|? L ? Ls' H1 H2]; subst.
      destruct (IH xs eq_refl Ls' H2) as (Vs & K1 & K2 & K3 & K4 & K5).
      destruct (law_down_holds s x L H H1) as (N & V & W & A & Bl). exists (W :: Vs).
      split; [constructor; auto|]. split; [simpl; constructor; auto|]. split; [constructor; auto|].
      split; [constructor; auto | simpl; congruence]. }
  destruct K as (Vs & K1 & K2 & V & NS & EL).
  destruct (result_bounds Down Ls program counts c v (exp eps) V R (Rlt_le _ _ (exp_pos eps)) P) as (Hd & Hl & Hb).
  rewrite <- (repeated_length steps counts) by congruence.
  apply sequence_not_private with (Vs := repeated_laws Vs counts).
  - apply Forall2_repeated; exact K1.
  - constructor; [intros x; apply Nd|]. apply Forall_repeated. eapply Forall_impl; [|exact NS].
    intros s Hs x; apply Hs.
  - left; apply exp_pos.
  - assert (LV : length Vs = length Ls) by (pose proof (Forall2_same_length _ _ _ K1); congruence).
    rewrite product_repeated by congruence.
    assert (M : below (powers (map (sem e B) Ls) counts) (powers Vs counts)).
    { apply powers_monotone; auto.
      - apply Forall_map. eapply Forall_impl; [|exact V]. intros; now apply nonnegative_sem.
      - clear -K1. induction K1; constructor; eauto using attained_nonnegative. }
    apply Rlt_le_trans with (2 := M _ (Rlt_le _ _ (exp_pos eps))).
    simpl in Hb. apply IZR_lt in Hv. rewrite !mult_IZR, Z.pow_add_r, mult_IZR in Hv by lia.
    apply IZR_lt in Hd. pose proof (two_positive_R D D_nonnegative). pose proof (two_positive_R B B_nonnegative).
    apply Rmult_lt_reg_r with (IZR (2 ^ D)); auto. apply Rlt_le_trans with (2 := Hb).
    apply Rmult_lt_reg_r with (IZR (den c) * IZR (2 ^ B)); [now apply Rmult_lt_0_compat|].
    unfold unit. replace (/ IZR (2 ^ B) * IZR v * (IZR (den c) * IZR (2 ^ B))) with (IZR v * IZR (den c)) by (field; lra).
    replace (IZR (num c) / IZR (den c) * IZR (2 ^ D) * (IZR (den c) * IZR (2 ^ B)))
      with (IZR (num c) * (IZR (2 ^ B) * IZR (2 ^ D))) by (field; lra). exact Hv.
Qed.

End Runs.

(** One step, again and again. *)
Lemma repeated_once s n h : sequence (repeated [s] [n]) s h = s.
Proof. unfold sequence, repeated. simpl. rewrite app_nil_r. apply nth_repeat. Qed.
