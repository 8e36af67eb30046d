(** From enclosures of the probabilities of slices of the outputs to laws of one step, by a check that
    is computed: cells of some slices each, whose law dominates the step, and classes of (parts of)
    slices, whose law is attained. Which slices go together is chosen elsewhere. *)
From Coq Require Import Reals ZArith List Lia Lra Bool.
From Plaudit Require Import Privacy Curve Composition Cells Attack Kronecker Lattice Powers Words.
Import ListNotations.
Open Scope R_scope.

(** Probabilities in units of 2^-S; den_hi q <= num_hi p and num_lo p <= den_lo q on the slice. *)
Record slice := Slice {
  low_p : Z; high_p : Z; low_q : Z; high_q : Z;
  num_hi : Z; den_hi : Z; num_lo : Z; den_lo : Z }.

Section Slices.
Variables e B D S F : Z.
Hypothesis e_positive : (1 <= e)%Z.
Hypothesis B_nonnegative : (0 <= B)%Z.
Hypothesis D_nonnegative : (0 <= D)%Z.
Hypothesis S_at_least_B : (B <= S)%Z.
Hypothesis F_nonnegative : (0 <= F)%Z.
Notation rho := (rho e).
Notation unit := (unit B).
Notation Y := (Y e).
Variable s : step.

(** A slice with its indicator. *)
Notation region := ((R -> R) * slice)%type.
Definition region_holds (r : region) : Prop :=
  let (chi, sl) := r in
  (forall x, chi x = 0 \/ chi x = 1 /\
     IZR (den_hi sl) * q_of s x <= IZR (num_hi sl) * p_of s x /\
     IZR (num_lo sl) * p_of s x <= IZR (den_lo sl) * q_of s x) /\
  (exists P, integral (outputs s) (fun x => chi x * p_of s x) P /\
     IZR (low_p sl) <= P * IZR (2 ^ S) <= IZR (high_p sl)) /\
  (exists Q, integral (outputs s) (fun x => chi x * q_of s x) Q /\
     IZR (low_q sl) <= Q * IZR (2 ^ S) <= IZR (high_q sl)).

Definition coverage (rs : list region) (x : R) : R := fold_right (fun r t => fst r x + t) 0 rs.

(** A place on the lattice that has been reached: rho^j 2^D lies between the two numbers. *)
Record place := Place { at_j : Z; from : Z; upto : Z }.
Definition place_holds (l : place) : Prop :=
  (0 <= from l)%Z /\ (0 <= upto l)%Z /\ IZR (from l) <= Y (at_j l) * IZR (2 ^ D) <= IZR (upto l).
Definition moved (l : place) (j : Z) : place :=
  let n := Z.to_nat (j - at_j l) in
  Place (at_j l + Z.of_nat n) (low_power e D n (from l)) (high_power e D n (upto l)).

Lemma moved_holds l j : place_holds l -> place_holds (moved l j).
Proof.
  intros (H1 & H2 & H3 & H4). unfold moved. set (n := Z.to_nat (j - at_j l)).
  destruct (low_power_spec e D e_positive D_nonnegative n (from l) H1) as [A1 A2].
  destruct (high_power_spec e D e_positive D_nonnegative n (upto l) H2) as [B1 B2].
  split; [|split]; auto. cbn [at_j from upto]. rewrite Y_add, Y_nat by auto.
  pose proof (rho_power_range e e_positive n) as R. split.
  - apply Rle_trans with (1 := A2). apply Rle_trans with (Y (at_j l) * IZR (2 ^ D) * rho ^ n); [|right; ring].
    now apply Rmult_le_compat_r.
  - apply Rle_trans with (2 := B2). apply Rle_trans with (Y (at_j l) * IZR (2 ^ D) * rho ^ n); [right; ring|].
    now apply Rmult_le_compat_r.
Qed.

(** A first place: j <= 0, found elsewhere, checked by going to 0. *)
Definition first_place (l : place) : bool :=
  (at_j l <=? 0)%Z && (0 <=? from l)%Z && (0 <=? upto l)%Z &&
  (high_power e D (Z.to_nat (- at_j l)) (from l) <=? 2 ^ D)%Z &&
  (2 ^ D <=? low_power e D (Z.to_nat (- at_j l)) (upto l))%Z.

Lemma first_place_holds l : first_place l = true -> place_holds l.
Proof.
  unfold first_place. rewrite !andb_true_iff, !Z.leb_le. intros ((((H0 & H1) & H2) & H3) & H4).
  split; [|split]; auto. set (n := Z.to_nat (- at_j l)) in *.
  destruct (high_power_spec e D e_positive D_nonnegative n (from l) H1) as [_ A].
  destruct (low_power_spec e D e_positive D_nonnegative n (upto l) H2) as [_ C].
  assert (E : Y (at_j l) * rho ^ n = 1).
  { rewrite <- Y_nat, <- Y_add by auto. unfold n. rewrite Z2Nat.id by lia.
    replace (at_j l + - at_j l)%Z with 0%Z by lia. reflexivity. }
  pose proof (rho_power_bounds e e_positive n) as R.
  apply IZR_le in H3, H4. split; apply Rmult_le_reg_r with (rho ^ n); try lra.
  - replace (Y (at_j l) * IZR (2 ^ D) * rho ^ n) with (Y (at_j l) * rho ^ n * IZR (2 ^ D)) by ring.
    rewrite E. lra.
  - replace (Y (at_j l) * IZR (2 ^ D) * rho ^ n) with (Y (at_j l) * rho ^ n * IZR (2 ^ D)) by ring.
    rewrite E. lra.
Qed.

Notation two x := (IZR (2 ^ x)).
Lemma two_S : two S = two (S - B) * two B.
Proof. rewrite <- mult_IZR, <- Z.pow_add_r by lia. do 2 f_equal. lia. Qed.

(** ** Cells *)

Definition atoms := list (Z * Z).

(** The next [slices_of] slices, with the weight [w_first] at the ratio of the first end, [w_last] at that
    of the last, and the places and weights on the lattice to which each of the two is spread. *)
Record cell_choice := CellChoice {
  slices_of : nat; w_first : Z; w_last : Z; spread_first : atoms; spread_last : atoms }.
Definition zsum_of (f : slice -> Z) (rs : list region) : Z := fold_right (fun r t => (f (snd r) + t)%Z) 0%Z rs.

(** The sums of the weights w and of w rho^j, the latter from above in units of 2^-D. *)
Fixpoint weighed (l : place) (a : atoms) : option (Z * Z) :=
  match a with
  | nil => Some (0, 0)%Z
  | (j, w) :: a =>
    let l := moved l j in
    if ((at_j l =? j) && (0 <=? w))%Z then
      match weighed l a with Some (s, m) => Some (s + w, m + times w (upto l))%Z | None => None end
    else None
  end.

(** A weight w at num / den is spread. *)
Definition spreads (l : place) (w num den : Z) (a : atoms) : bool :=
  match weighed l a with Some (s, m) => ((w <=? s) && (times m den <=? times (times w num) (2 ^ D)))%Z | None => false end.

Definition cell_accepted (l : place) (head : region) (rs : list region) (c : cell_choice) : bool :=
  let f := snd head in let t := snd (List.last rs head) in
  (0 <? den_hi f)%Z && (0 <? den_lo t)%Z && (0 <=? num_lo t)%Z && (0 <=? w_first c)%Z && (0 <=? w_last c)%Z &&
  (times (num_lo t) (den_hi f) <? times (num_hi f) (den_lo t))%Z &&
  forallb (fun r => (0 <? den_hi (snd r)) && products_ordered (num_hi (snd r)) (den_hi f) (num_hi f) (den_hi (snd r)) &&
                    (0 <? den_lo (snd r)) && products_ordered (num_lo t) (den_lo (snd r)) (num_lo (snd r)) (den_lo t))%Z rs &&
  (zsum_of high_p rs <=? (w_first c + w_last c) * 2 ^ (S - B))%Z &&
  (times (times (w_first c) (times (num_hi f) (den_lo t)) + times (w_last c) (times (num_lo t) (den_hi f))) (2 ^ (S - B)) <=?
    times (zsum_of low_q rs) (times (den_hi f) (den_lo t)))%Z &&
  spreads l (w_first c) (num_hi f) (den_hi f) (spread_first c) &&
  spreads l (w_last c) (num_lo t) (den_lo t) (spread_last c).

(** The place from which the next cell is looked for. *)
Definition after (l : place) (c : cell_choice) : place :=
  match spread_first c with (j, _) :: _ => moved l j | nil => l end.

Fixpoint cells_accepted (l : place) (rs : list region) (cs : list cell_choice) : option atoms :=
  match cs with
  | nil => match rs with nil => Some nil | _ => None end
  | c :: cs =>
    match firstn (slices_of c) rs with
    | nil => None
    | (head :: _) as mine => if cell_accepted l head mine c
      then option_map (fun a => spread_first c ++ spread_last c ++ a)
        (cells_accepted (after l c) (skipn (slices_of c) rs) cs)
      else None
    end
  end.

Definition atom_law (a : atoms) : law := map (fun jw => (IZR (snd jw) * unit, Y (fst jw))) a.

(** The integral over regions with coefficients, of which there is at least one, and its enclosure. *)
Lemma sum_exists {A} (c : A -> R) (reg : A -> region) (side : step -> R -> R) (lo hi : slice -> Z) :
  forall l : list A, l <> nil ->
  Forall (fun k => 0 <= c k /\ exists P, integral (outputs s) (fun x => fst (reg k) x * side s x) P /\
    IZR (lo (snd (reg k))) <= P * two S <= IZR (hi (snd (reg k)))) l ->
  exists M, integral (outputs s) (fun x => fold_right (fun k t => c k * fst (reg k) x + t) 0 l * side s x) M /\
    fold_right (fun k t => c k * IZR (lo (snd (reg k))) + t) 0 l <= M * two S <=
    fold_right (fun k t => c k * IZR (hi (snd (reg k))) + t) 0 l.
Proof.
  induction l as [|k l IH]; [congruence|]. intros _ H. inversion_clear H as [|? ? Hk H1].
  destruct Hk as (C & P & HP & HL & HH).
  pose proof (Rmult_le_compat_l _ _ _ C HL). pose proof (Rmult_le_compat_l _ _ _ C HH).
  destruct l as [|k' l].
  - exists (c k * P). split; [|simpl; lra]. simpl.
    apply (integral_same _ (fun x => c k * (fst (reg k) x * side s x))); [intros; ring|].
    now apply integral_scaled.
  - destruct (IH ltac:(congruence) H1) as (M & I1 & I2). exists (c k * P + M). split.
    + apply (integral_same _ (fun x => c k * (fst (reg k) x * side s x) +
        fold_right (fun k t => c k * fst (reg k) x + t) 0 (k' :: l) * side s x)); [intros; simpl; ring|].
      apply integral_sum; auto. now apply integral_scaled.
    + revert I2. generalize (k' :: l). intros l' I2. simpl. lra.
Qed.

Lemma coverage_weights rs x : coverage rs x = fold_right (fun r t => 1 * fst r x + t) 0 rs.
Proof. unfold coverage. induction rs as [|r rs IH]; simpl; auto. rewrite <- IH. ring. Qed.

Lemma sum_1 (h : slice -> Z) rs : fold_right (fun (r : region) t => 1 * IZR (h (snd r)) + t) 0 rs = IZR (zsum_of h rs).
Proof. induction rs as [|r rs IH]; simpl; auto. rewrite IH, plus_IZR. ring. Qed.

Lemma zero_or_one rs x : Forall region_holds rs -> coverage rs x <= 1 ->
  coverage rs x = 0 /\ Forall (fun r => fst r x = 0) rs \/
  coverage rs x = 1 /\ exists r, In r rs /\ fst r x = 1.
Proof.
  induction 1 as [|[chi sl] rs (Hx & _) H IH]; simpl; intros L; [left; auto|].
  fold (coverage rs x) in *.
  assert (0 <= coverage rs x).
  { clear -H. induction H as [|[chi sl] rs (Hx & _) H IH]; simpl; [lra|].
    fold (coverage rs x) in *. destruct (Hx x) as [-> | [-> _]]; lra. }
  destruct (Hx x) as [E | [E _]].
  - rewrite E in *. destruct (IH ltac:(lra)) as [[I1 I2] | [I1 (r & I2 & I3)]].
    + left; split; [lra | constructor; auto].
    + right; split; [lra | exists r; auto].
  - right. split; [lra|]. exists (chi, sl); auto.
Qed.

Lemma weighed_spec l a t : place_holds l -> 0 <= t -> forall s m, weighed l a = Some (s, m) ->
  Forall (fun jw => (0 <= snd jw)%Z) a /\ (0 <= s)%Z /\
  (IZR s * two D - t * IZR m) * unit <= curve (atom_law a) t * two D.
Proof.
  intros Pl Ht. revert l Pl. pose proof (unit_nonnegative B B_nonnegative) as U0. pose proof (two_positive_R D D_nonnegative) as TD.
  induction a as [|[j w] a IH]; intros l Pl s0 m; cbn [weighed].
  - intros E; injection E as <- <-. split; [constructor|]. split; [lia | simpl; lra].
  - destruct ((at_j (moved l j) =? j) && (0 <=? w))%Z eqn:E; [|discriminate].
    apply andb_prop in E. destruct E as [E1 E2]. apply Z.eqb_eq in E1. apply Z.leb_le in E2.
    assert (Pm : place_holds (moved l j)) by now apply moved_holds.
    destruct (weighed (moved l j) a) as [[s1 m1]|] eqn:W; [|discriminate].
    intros X; injection X as <- <-. destruct (IH _ Pm _ _ W) as (I1 & I2 & I3).
    split; [constructor; auto|]. split; [lia|].
    change (curve (atom_law ((j, w) :: a)) t) with (IZR w * unit * hinge t (Y j) + curve (atom_law a) t).
    destruct Pm as (_ & _ & _ & Up). rewrite E1 in Up.
    change (high_power e D (Z.to_nat (j - at_j l)) (upto l)) with (upto (moved l j)).
    rewrite times_is, !plus_IZR, mult_IZR. apply IZR_le in E2.
    pose proof (hinge_above t (Y j)) as Hh.
    assert (W0 : 0 <= IZR w * unit) by (apply Rmult_le_pos; auto).
    pose proof (Rmult_le_compat_l _ _ _ W0 (Rmult_le_compat_r (two D) _ _ (Rlt_le _ _ TD) Hh)) as H1.
    pose proof (Rmult_le_compat_l _ _ _ (Rmult_le_pos _ _ W0 Ht) Up) as H2. lra.
Qed.

Lemma spreads_above l w num den a t : place_holds l -> 0 <= t -> (0 <= w)%Z -> (0 < den)%Z ->
  spreads l w num den a = true -> Forall (fun jw => (0 <= snd jw)%Z) a /\
  IZR w * unit * hinge t (IZR num / IZR den) <= curve (atom_law a) t.
Proof.
  intros Pl Ht Hw Hd. unfold spreads. destruct (weighed l a) as [[s0 m]|] eqn:W; [|discriminate].
  rewrite !times_is, andb_true_iff, !Z.leb_le. intros [C1 C2].
  destruct (weighed_spec l a t Pl Ht _ _ W) as (I1 & I2 & I3). split; auto.
  pose proof (unit_nonnegative B B_nonnegative) as U0. pose proof (two_positive_R D D_nonnegative) as TD.
  apply IZR_le in Hw, C1, C2. apply IZR_lt in Hd. rewrite !mult_IZR in C2.
  assert (C0 : 0 <= curve (atom_law a) t).
  { apply curve_nonnegative. unfold nonnegative, atom_law. apply Forall_map. eapply Forall_impl; [|exact I1].
    intros [j x] Hx. simpl in *. split; [apply Rmult_le_pos; auto; now apply IZR_le | apply Y_positive; auto]. }
  destruct (Rle_dec (1 - t * (IZR num / IZR den)) 0) as [N | N].
  { unfold hinge. rewrite Rmax_left by lra. lra. }
  assert (Z : hinge t (IZR num / IZR den) = 1 - t * (IZR num / IZR den)) by (unfold hinge; rewrite Rmax_right; lra).
  rewrite Z. apply Rmult_le_reg_r with (two D); auto. apply Rle_trans with (2 := I3).
  replace (IZR w * unit * (1 - t * (IZR num / IZR den)) * two D)
    with ((IZR w * two D - t * (IZR w * IZR num * two D / IZR den)) * unit) by (field; lra).
  apply Rmult_le_compat_r; auto.
  assert (IZR m <= IZR w * IZR num * two D / IZR den).
  { apply Rmult_le_reg_r with (IZR den); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  pose proof (Rmult_le_compat_l _ _ _ Ht H). pose proof (Rmult_le_compat_r _ _ _ (Rlt_le _ _ TD) C1). lra.
Qed.

Lemma atom_law_app a b : atom_law (a ++ b) = atom_law a ++ atom_law b.
Proof. apply map_app. Qed.

Lemma cell_of l head rs c : place_holds l -> rs <> nil -> nonnegative_step s ->
  Forall region_holds rs -> (forall x, coverage rs x <= 1) -> cell_accepted l head rs c = true ->
  exists cl, cell_holds s cl /\ chi cl = coverage rs /\
    Forall (fun jw => (0 <= snd jw)%Z) (spread_first c ++ spread_last c) /\
    below (cell_law cl) (atom_law (spread_first c ++ spread_last c)).
Proof.
  intros Pl Hne N H Cov. unfold cell_accepted.
  set (f := snd head). set (tl := snd (List.last rs head)).
  rewrite !times_is, !andb_true_iff, !Z.leb_le, !Z.ltb_lt.
  intros ((((((((((D1 & D2) & D3) & W1) & W2) & Hj) & Hs) & C1) & C2) & Sp1) & Sp2).
  pose proof (two_positive_R D D_nonnegative) as TD.
  assert (TSB : 0 < two (S - B)) by (apply two_positive_R; lia).
  assert (TB : 0 < two B) by (apply two_positive_R; lia).
  assert (TS : two S = two (S - B) * two B) by apply two_S.
  destruct (sum_exists (fun _ => 1) (fun r => r) p_of low_p high_p rs Hne) as (P & IP & _ & HP).
  { eapply Forall_impl; [|exact H]. intros [ch sl] (_ & K & _). split; [lra | exact K]. }
  destruct (sum_exists (fun _ => 1) (fun r => r) q_of low_q high_q rs Hne) as (Q & IQ & HQ & _).
  { eapply Forall_impl; [|exact H]. intros [ch sl] (_ & _ & K). split; [lra | exact K]. }
  apply IZR_lt in D1 as D1'. apply IZR_lt in D2 as D2'. apply IZR_le in D3 as D3'.
  set (y1 := IZR (num_hi f) / IZR (den_hi f)). set (y2 := IZR (num_lo tl) / IZR (den_lo tl)).
  exists (Cell (coverage rs) P Q y1 y2 (IZR (w_first c) * unit) (IZR (w_last c) * unit)).
  split; [|split; [reflexivity|split]].
  2:{ destruct (spreads_above l _ _ _ _ 0 Pl (Rle_refl 0) W1 D1 Sp1) as [F1 _].
      destruct (spreads_above l _ _ _ _ 0 Pl (Rle_refl 0) W2 D2 Sp2) as [F2 _]. apply Forall_app; auto. }
  2:{ intros t Ht. rewrite atom_law_app, curve_app. unfold cell_law. cbn [at_hi at_lo hi lo curve].
      destruct (spreads_above l _ _ _ _ t Pl Ht W1 D1 Sp1) as [_ F1].
      destruct (spreads_above l _ _ _ _ t Pl Ht W2 D2 Sp2) as [_ F2].
      fold y1 in F1. fold y2 in F2. lra. }
  unfold cell_holds. cbn [chi mass_p mass_q hi lo at_hi at_lo].
  assert (U : unit * two S = two (S - B)).
  { rewrite TS. unfold Powers.unit. field. lra. }
  apply IZR_le in W1, W2.
  split; [|split; [|split; [|split; [|split; [|split; [|split]]]]]].
  - intros x. destruct (zero_or_one rs x H (Cov x)) as [[-> _] | [-> (r & Hr & Er)]]; [now left | right; split; auto].
    rewrite Forall_forall in H. specialize (H r Hr). destruct r as [ch sl]. destruct H as (Hx & _).
    rewrite forallb_forall in Hs. specialize (Hs _ Hr). simpl snd in Hs. simpl fst in Er.
    rewrite !products_ordered_is, !andb_true_iff, !Z.leb_le, !Z.ltb_lt in Hs. destruct Hs as (((S1 & S2) & S3) & S4).
    destruct (Hx x) as [Z | [_ [K1 K2]]]; [lra|]. destruct (N x) as [Np Nq].
    apply IZR_lt in S1, S3. apply IZR_le in S2, S4. rewrite !mult_IZR in S2, S4. split.
    + apply Rmult_le_reg_l with (IZR (den_lo sl) * IZR (den_lo tl)); [now apply Rmult_lt_0_compat|].
      replace (IZR (den_lo sl) * IZR (den_lo tl) * (y2 * p_of s x)) with (IZR (num_lo tl) * IZR (den_lo sl) * p_of s x)
        by (unfold y2; field; lra).
      apply Rle_trans with (IZR (num_lo sl) * IZR (den_lo tl) * p_of s x); [now apply Rmult_le_compat_r|].
      apply (Rmult_le_compat_r (IZR (den_lo tl))) in K2; lra.
    + apply Rmult_le_reg_l with (IZR (den_hi sl) * IZR (den_hi f)); [now apply Rmult_lt_0_compat|].
      replace (IZR (den_hi sl) * IZR (den_hi f) * (y1 * p_of s x)) with (IZR (num_hi f) * IZR (den_hi sl) * p_of s x)
        by (unfold y1; field; lra).
      apply Rle_trans with (IZR (num_hi sl) * IZR (den_hi f) * p_of s x); [|now apply Rmult_le_compat_r].
      apply (Rmult_le_compat_r (IZR (den_hi f))) in K1; lra.
  - apply (integral_same _ (fun x => fold_right (fun r t => 1 * fst r x + t) 0 rs * p_of s x)).
    { intros x. now rewrite coverage_weights. }
    exact IP.
  - apply (integral_same _ (fun x => fold_right (fun r t => 1 * fst r x + t) 0 rs * q_of s x)).
    { intros x. now rewrite coverage_weights. }
    exact IQ.
  - split.
    + unfold y2, Rdiv. apply Rmult_le_pos; auto. left; now apply Rinv_0_lt_compat.
    + apply IZR_lt in Hj. rewrite !mult_IZR in Hj. unfold y1, y2.
      apply Rmult_lt_reg_r with (IZR (den_lo tl) * IZR (den_hi f)); [now apply Rmult_lt_0_compat|].
      replace (IZR (num_lo tl) / IZR (den_lo tl) * (IZR (den_lo tl) * IZR (den_hi f)))
        with (IZR (num_lo tl) * IZR (den_hi f)) by (field; lra).
      replace (IZR (num_hi f) / IZR (den_hi f) * (IZR (den_lo tl) * IZR (den_hi f)))
        with (IZR (num_hi f) * IZR (den_lo tl)) by (field; lra). exact Hj.
  - apply Rmult_le_pos; auto. apply unit_nonnegative; auto.
  - apply Rmult_le_pos; auto. apply unit_nonnegative; auto.
  - (* the probabilities under p *)
    apply Rmult_le_reg_r with (two S); [rewrite TS; now apply Rmult_lt_0_compat|].
    apply Rle_trans with (IZR (zsum_of high_p rs)).
    + rewrite <- sum_1. exact HP.
    + apply IZR_le in C1. rewrite mult_IZR, plus_IZR in C1. apply Rle_trans with (1 := C1).
      right. replace ((IZR (w_first c) * unit + IZR (w_last c) * unit) * two S)
        with ((IZR (w_first c) + IZR (w_last c)) * (unit * two S)) by ring. now rewrite U.
  - apply Rmult_le_reg_r with (two S * (IZR (den_hi f) * IZR (den_lo tl))).
    { apply Rmult_lt_0_compat; [rewrite TS; now apply Rmult_lt_0_compat | now apply Rmult_lt_0_compat]. }
    apply Rle_trans with (IZR (zsum_of low_q rs) * (IZR (den_hi f) * IZR (den_lo tl))).
    + apply IZR_le in C2. rewrite !mult_IZR, plus_IZR, !mult_IZR in C2. apply Rle_trans with (2 := C2). right.
      unfold y1, y2. rewrite <- U. field. lra.
    + rewrite <- (Rmult_assoc Q (two S)). apply Rmult_le_compat_r.
      { left; now apply Rmult_lt_0_compat. }
      rewrite <- sum_1. exact HQ.
Qed.

Lemma coverage_app rs ts x : coverage (rs ++ ts) x = coverage rs x + coverage ts x.
Proof. unfold coverage. induction rs as [|r rs IH]; simpl; [ring|]. rewrite IH; ring. Qed.
Lemma coverage_nonnegative rs x : Forall region_holds rs -> 0 <= coverage rs x.
Proof.
  induction 1 as [|[chi sl] rs (Hx & _) H IH]; simpl; [lra|].
  fold (coverage rs x) in *. destruct (Hx x) as [-> | [-> _]]; lra.
Qed.

Lemma Forall_parts {A} (P : A -> Prop) n l : Forall P l -> Forall P (firstn n l) /\ Forall P (skipn n l).
Proof. intros H. rewrite <- (firstn_skipn n l) in H. now apply Forall_app in H. Qed.

Theorem cells_of l rs cs a : place_holds l -> nonnegative_step s -> Forall region_holds rs ->
  (forall x, coverage rs x <= 1) -> cells_accepted l rs cs = Some a ->
  exists cls, Forall (cell_holds s) cls /\ (forall x, covered cls x = coverage rs x) /\
    below (cells_law cls) (atom_law a) /\ Forall (fun jw => (0 <= snd jw)%Z) a.
Proof.
  intros P N. revert l P rs a; induction cs as [|c cs IH]; intros l P rs a H Cov; cbn [cells_accepted].
  - destruct rs; [|discriminate]. intros E; injection E as <-. exists nil. split; [constructor|].
    split; [reflexivity|]. split; [apply below_refl | constructor].
  - destruct (firstn (slices_of c) rs) as [|r mine] eqn:Em; [discriminate|].
    destruct (cell_accepted l r (r :: mine) c) eqn:Ec; [|discriminate].
    destruct (cells_accepted (after l c) (skipn (slices_of c) rs) cs) as [a'|] eqn:Ea; [|discriminate].
    intros E; injection E as <-.
    destruct (Forall_parts _ (slices_of c) rs H) as [H1 H2]. rewrite Em in H1.
    assert (Sp : forall x, coverage rs x = coverage (r :: mine) x + coverage (skipn (slices_of c) rs) x).
    { intros x. rewrite <- (firstn_skipn (slices_of c) rs) at 1. now rewrite coverage_app, Em. }
    assert (P1 : place_holds (after l c)).
    { unfold after. destruct (spread_first c) as [|[j w] sf]; auto. now apply moved_holds. }
    destruct (cell_of l r (r :: mine) c P ltac:(congruence) N H1) as (cl & Hcl & Echi & Fl & El); auto.
    { intros x. specialize (Cov x). rewrite Sp in Cov. pose proof (coverage_nonnegative _ x H2). lra. }
    destruct (IH (after l c) P1 (skipn (slices_of c) rs) a' H2) as (cls & I1 & I2 & I3 & I4); auto.
    { intros x. specialize (Cov x). rewrite Sp in Cov. pose proof (coverage_nonnegative _ x H1). lra. }
    exists (cl :: cls). split; [constructor; auto|]. split; [|split].
    + intros x. simpl. rewrite Echi. fold (covered cls x). rewrite I2, Sp. reflexivity.
    + change (cells_law (cl :: cls)) with (cell_law cl ++ cells_law cls).
      rewrite app_assoc, atom_law_app. now apply below_app.
    + rewrite app_assoc. apply Forall_app; auto.
Qed.

(** ** Classes *)

(** What is left of the first slice, the next [whole] slices, and the share [last] 2^-F of the one after
    them, with a weight at rho^j. *)
Record class_choice := ClassChoice { whole : nat; last : Z; j_of : Z; w_of : Z }.
Notation piece := (Z * region)%type.

Definition class_accepted (l : place) (ps : list piece) (c : class_choice) : bool :=
  let P := fold_right (fun kr t => (fst kr * low_p (snd (snd kr)) + t)%Z) 0%Z ps in
  let Q := fold_right (fun kr t => (fst kr * high_q (snd (snd kr)) + t)%Z) 0%Z ps in
  (at_j l =? j_of c)%Z && (0 <=? w_of c)%Z &&
  (w_of c * 2 ^ (S - B + F) <=? P)%Z && (Q * 2 ^ D <=? P * from l)%Z.

Fixpoint classes_accepted (left : Z) (l : place) (rs : list region) (cs : list class_choice) : option atoms :=
  match cs with
  | nil => Some nil
  | c :: cs =>
    match rs with
    | nil => None
    | r :: rs =>
      let l := moved l (j_of c) in
      let first := (left, r) :: map (fun r => (2 ^ F, r)%Z) (firstn (whole c) rs) in
      let after := skipn (whole c) rs in
      if (last c =? 0)%Z then
        if class_accepted l first c
        then option_map (cons (j_of c, w_of c)) (classes_accepted (2 ^ F) l after cs) else None
      else
        match after with
        | nil => None
        | r' :: _ =>
          if ((0 <=? last c) && (last c <=? 2 ^ F))%Z && class_accepted l (first ++ [(last c, r')]) c
          then option_map (cons (j_of c, w_of c)) (classes_accepted (2 ^ F - last c) l after cs) else None
        end
    end
  end.

Lemma classes_accepted_length : forall cs left l rs a,
  classes_accepted left l rs cs = Some a -> length a = length cs.
Proof.
  induction cs as [|c cs IH]; intros left l rs a; simpl; [intros E; injection E as <-; reflexivity|].
  assert (K : forall o : option atoms, (forall a', o = Some a' -> length a' = length cs) ->
    option_map (cons (j_of c, w_of c)) o = Some a -> length a = Datatypes.S (length cs)).
  { intros [a'|] Ho; [|discriminate]. intros E; injection E as <-. simpl. f_equal. auto. }
  destruct rs as [|r rs]; [discriminate|]. destruct (last c =? 0)%Z.
  - destruct (class_accepted _ _ _); [|discriminate]. apply K. intros a'. apply IH.
  - destruct (skipn (whole c) rs); [discriminate|].
    destruct ((0 <=? last c) && (last c <=? 2 ^ F))%Z; [|discriminate]. simpl andb.
    destruct (class_accepted _ _ _); [|discriminate]. apply K. intros a'. apply IH.
Qed.

Definition taken (ps : list piece) (x : R) : R :=
  fold_right (fun kr t => IZR (fst kr) * / two F * fst (snd kr) x + t) 0 ps.

Lemma taken_app ps ts x : taken (ps ++ ts) x = taken ps x + taken ts x.
Proof. unfold taken. induction ps as [|r rs IH]; simpl; [ring|]. rewrite IH; ring. Qed.
Lemma two_F : 0 < two F. Proof. now apply two_positive_R. Qed.
Lemma taken_whole rs x : taken (map (fun r => (2 ^ F, r)%Z) rs) x = coverage rs x.
Proof.
  induction rs as [|r rs IH]; [reflexivity|]. pose proof two_F.
  change (taken (map (fun r => (2 ^ F, r)%Z) (r :: rs)) x)
    with (two F * / two F * fst r x + taken (map (fun r => (2 ^ F, r)%Z) rs) x).
  rewrite IH. change (coverage (r :: rs) x) with (fst r x + coverage rs x). field. lra.
Qed.

Lemma class_of l ps c : place_holds l -> ps <> nil -> nonnegative_step s ->
  Forall (fun kr : piece => (0 <= fst kr)%Z /\ region_holds (snd kr)) ps -> class_accepted l ps c = true ->
  exists cl, class_holds s cl /\ part cl = taken ps /\ (weight cl, ratio cl) = (IZR (w_of c) * unit, Y (j_of c)).
Proof.
  intros Pl Hne N H. unfold class_accepted.
  set (P := fold_right (fun kr t => (fst kr * low_p (snd (snd kr)) + t)%Z) 0%Z ps).
  set (Q := fold_right (fun kr t => (fst kr * high_q (snd (snd kr)) + t)%Z) 0%Z ps).
  rewrite !andb_true_iff, !Z.leb_le, Z.eqb_eq. intros (((E & W) & C1) & C2).
  destruct Pl as (Fl & _ & F1 & _). rewrite E in F1.
  pose proof (two_positive_R D D_nonnegative) as TD. pose proof two_F as TF.
  assert (TSB : 0 < two (S - B)) by (apply two_positive_R; lia).
  assert (TB : 0 < two B) by (apply two_positive_R; lia).
  assert (TS : two S = two (S - B) * two B) by apply two_S.
  assert (C0 : forall kr : piece, (0 <= fst kr)%Z -> 0 <= IZR (fst kr) * / two F).
  { intros kr K. apply Rmult_le_pos; [now apply IZR_le | left; now apply Rinv_0_lt_compat]. }
  destruct (sum_exists (fun kr : piece => IZR (fst kr) * / two F) snd p_of low_p high_p ps Hne) as (mp & IP & HP & _).
  { eapply Forall_impl; [|exact H]. intros [k [ch sl]] [K0 (_ & K & _)]. split; [now apply C0 | exact K]. }
  destruct (sum_exists (fun kr : piece => IZR (fst kr) * / two F) snd q_of low_q high_q ps Hne) as (mq & IQ & _ & HQ).
  { eapply Forall_impl; [|exact H]. intros [k [ch sl]] [K0 (_ & _ & K)]. split; [now apply C0 | exact K]. }
  assert (Sum : forall h : slice -> Z, fold_right (fun (kr : piece) t => IZR (fst kr) * / two F * IZR (h (snd (snd kr))) + t) 0 ps * two F =
    IZR (fold_right (fun kr t => (fst kr * h (snd (snd kr)) + t)%Z) 0%Z ps)).
  { intros h. clear -TF. induction ps as [|kr ps IH]; cbn [fold_right]; [ring|].
    rewrite plus_IZR, mult_IZR, <- IH, Rmult_plus_distr_r. f_equal. field. lra. }
  assert (MP : IZR P <= mp * (two S * two F)).
  { unfold P. rewrite <- (Sum low_p), <- Rmult_assoc. apply Rmult_le_compat_r; lra. }
  assert (MQ : mq * (two S * two F) <= IZR Q).
  { unfold Q. rewrite <- (Sum high_q), <- Rmult_assoc. apply Rmult_le_compat_r; lra. }
  assert (TSF : 0 < two S * two F) by (rewrite TS; repeat apply Rmult_lt_0_compat; auto).
  assert (P0 : 0 <= IZR P).
  { apply IZR_le. apply Z.le_trans with (2 := C1). apply Z.mul_nonneg_nonneg; auto. apply Z.pow_nonneg; lia. }
  exists (Class (taken ps) mp mq (IZR (w_of c) * unit) (Y (j_of c))). split; [|split; reflexivity].
  unfold class_holds. cbn [part Attack.mass_p Attack.mass_q weight ratio]. split; [|split; [|split; [|split; [|split]]]].
  - intros x. unfold taken. clear -H TF. induction H as [|kr ps [K0 K1] H IH]; simpl; [lra|].
    apply IZR_le in K0. assert (0 <= fst (snd kr) x).
    { destruct (snd kr) as [ch sl]. destruct K1 as (Hx & _). simpl. destruct (Hx x) as [-> | [-> _]]; lra. }
    assert (0 <= IZR (fst kr) * / two F).
    { apply Rmult_le_pos; auto. left; now apply Rinv_0_lt_compat. }
    pose proof (Rmult_le_pos _ _ H1 H0). lra.
  - exact IP.
  - exact IQ.
  - split; [apply Rmult_le_pos; [now apply IZR_le | apply unit_nonnegative; auto]|].
    apply Rmult_le_reg_r with (two S * two F); auto. apply Rle_trans with (2 := MP).
    apply IZR_le in C1. rewrite mult_IZR, Z.pow_add_r, mult_IZR in C1 by lia.
    apply Rle_trans with (2 := C1). right. rewrite TS. unfold Powers.unit. field. lra.
  - apply Y_positive; auto.
  - apply Rmult_le_reg_r with (two S * two F * two D); [now apply Rmult_lt_0_compat|].
    apply Rle_trans with (IZR Q * two D).
    { rewrite <- Rmult_assoc. apply Rmult_le_compat_r; lra. }
    apply IZR_le in C2. rewrite !mult_IZR in C2. apply Rle_trans with (1 := C2).
    apply Rle_trans with (IZR P * (Y (j_of c) * two D)); [now apply Rmult_le_compat_l|].
    replace (Y (j_of c) * mp * (two S * two F * two D)) with (mp * (two S * two F) * (Y (j_of c) * two D)) by ring.
    apply Rmult_le_compat_r; auto. apply Rmult_le_pos; [apply Y_positive; auto | lra].
Qed.

Theorem classes_of left l rs cs a : (0 <= left <= 2 ^ F)%Z -> place_holds l -> nonnegative_step s ->
  Forall region_holds rs -> classes_accepted left l rs cs = Some a ->
  exists cls, Forall (class_holds s) cls /\ class_law cls = atom_law a /\
    Forall (fun jw => (0 <= snd jw)%Z) a /\
    forall x, shares cls x <= match rs with nil => 0 | r :: rs => IZR left * / two F * fst r x + coverage rs x end.
Proof.
  intros Hl Pl N. pose proof two_F as TF. pose proof (Rinv_0_lt_compat _ TF) as IF.
  revert left Hl l Pl rs a; induction cs as [|c cs IH]; intros left Hl l Pl rs a H; cbn [classes_accepted].
  - intros E; injection E as <-. exists nil. split; [constructor|]. split; [reflexivity|]. split; [constructor|].
    intros x. simpl. destruct rs as [|r rs]; [lra|]. inversion_clear H as [|? ? H0 H1].
    pose proof (coverage_nonnegative rs x H1).
    assert (0 <= fst r x).
    { destruct r as [ch sl]. destruct H0 as (Hx & _). simpl. destruct (Hx x) as [-> | [-> _]]; lra. }
    assert (0 <= IZR left * / two F) by (apply Rmult_le_pos; [apply IZR_le; lia | lra]).
    pose proof (Rmult_le_pos _ _ H3 H2). lra.
  - destruct rs as [|r rs]; [discriminate|]. inversion_clear H as [|? ? Hr H1].
    set (l' := moved l (j_of c)). assert (Pl' : place_holds l') by now apply moved_holds.
    set (first := (left, r) :: map (fun r => (2 ^ F, r)%Z) (firstn (whole c) rs)).
    destruct (Forall_parts _ (whole c) rs H1) as [Hm Ha].
    assert (Sp : forall x, coverage rs x = coverage (firstn (whole c) rs) x + coverage (skipn (whole c) rs) x).
    { intros x. rewrite <- (firstn_skipn (whole c) rs) at 1. apply coverage_app. }
    assert (Hfirst : Forall (fun kr : piece => (0 <= fst kr)%Z /\ region_holds (snd kr)) first).
    { constructor; [simpl; split; [lia | auto]|]. apply Forall_map. eapply Forall_impl; [|exact Hm].
      simpl; intros. split; auto. apply Z.pow_nonneg; lia. }
    assert (Tf : forall x, taken first x = IZR left * / two F * fst r x + coverage (firstn (whole c) rs) x).
    { intros x. rewrite <- taken_whole. reflexivity. }
    destruct (Z.eqb_spec (last c) 0) as [L0 | L0].
    + destruct (class_accepted l' first c) eqn:Ec; [|discriminate].
      destruct (classes_accepted (2 ^ F) l' (skipn (whole c) rs) cs) as [a'|] eqn:Ea; [|discriminate].
      intros E; injection E as <-.
      destruct (class_of l' first c Pl' ltac:(discriminate) N Hfirst Ec) as (cl & K1 & K2 & K3).
      destruct (IH (2 ^ F)%Z ltac:(pose proof (two_positive F F_nonnegative); lia) l' Pl' _ _ Ha Ea) as (cls & I1 & I2 & I3 & I4).
      exists (cl :: cls). split; [constructor; auto|]. split; [|split].
      * simpl. rewrite K3, I2. reflexivity.
      * constructor; auto. simpl. unfold class_accepted in Ec. rewrite !andb_true_iff, !Z.leb_le in Ec. tauto.
      * intros x. simpl. fold (shares cls x). specialize (I4 x). rewrite K2, Tf, Sp.
        destruct (skipn (whole c) rs) as [|r' rs']; [simpl; lra|].
        replace (IZR (2 ^ F) * / two F * fst r' x) with (fst r' x) in I4 by (field; lra).
        change (coverage (r' :: rs') x) with (fst r' x + coverage rs' x). lra.
    + destruct (skipn (whole c) rs) as [|r' rs'] eqn:Es; [discriminate|].
      destruct ((0 <=? last c) && (last c <=? 2 ^ F))%Z eqn:El; [|discriminate]. cbn [andb].
      apply andb_prop in El. destruct El as [El1 El2]. apply Z.leb_le in El1, El2.
      destruct (class_accepted l' (first ++ [(last c, r')]) c) eqn:Ec; [|discriminate].
      destruct (classes_accepted (2 ^ F - last c) l' (r' :: rs') cs) as [a'|] eqn:Ea; [|discriminate].
      intros E; injection E as <-. inversion_clear Ha as [|? ? Hr' Hrs'].
      assert (Hps : Forall (fun kr : piece => (0 <= fst kr)%Z /\ region_holds (snd kr)) (first ++ [(last c, r')])).
      { apply Forall_app; split; auto. }
      destruct (class_of l' (first ++ [(last c, r')]) c Pl' ltac:(unfold first; discriminate) N Hps Ec) as (cl & K1 & K2 & K3).
      destruct (IH (2 ^ F - last c)%Z ltac:(lia) l' Pl' _ _ (Forall_cons _ Hr' Hrs') Ea) as (cls & I1 & I2 & I3 & I4).
      exists (cl :: cls). split; [constructor; auto|]. split; [|split].
      * simpl. rewrite K3, I2. reflexivity.
      * constructor; auto. simpl. unfold class_accepted in Ec. rewrite !andb_true_iff, !Z.leb_le in Ec. tauto.
      * intros x. simpl. fold (shares cls x). specialize (I4 x). rewrite K2, taken_app, Tf, Sp.
        simpl taken. change (coverage (r' :: rs') x) with (fst r' x + coverage rs' x).
        rewrite minus_IZR in I4.
        replace ((IZR (2 ^ F) - IZR (last c)) * / two F * fst r' x)
          with (fst r' x - IZR (last c) * / two F * fst r' x) in I4 by (field; lra). lra.
Qed.

(** ** The law of atoms, in two parts *)

Fixpoint add_at (k : nat) (x : Z) (c : list Z) : list Z :=
  match k, c with
  | O, nil => [x] | O, z :: c => (z + x)%Z :: c
  | Datatypes.S k, nil => 0%Z :: add_at k x nil | Datatypes.S k, z :: c => z :: add_at k x c end.

Lemma lat_add r a x : forall k c y,
  curve (lat unit r y (add_at k x c)) a = curve (lat unit r y c) a + IZR x * unit * hinge a (y * r ^ k).
Proof.
  induction k as [|k IH]; intros [|z c] y; simpl.
  - rewrite Rmult_1_r. ring.
  - rewrite Rmult_1_r, plus_IZR. ring.
  - rewrite IH. simpl. replace (y * r * r ^ k) with (y * (r * r ^ k)) by ring. ring.
  - rewrite IH. simpl. replace (y * r * r ^ k) with (y * (r * r ^ k)) by ring. ring.
Qed.

Lemma add_at_nat_list x : (0 <= x)%Z -> forall k c, nat_list c -> nat_list (add_at k x c).
Proof.
  intros Hx; induction k as [|k IH]; intros c H; destruct H; simpl; constructor; auto; lia.
Qed.

(** Where a law begins and how wide its lattices are: losses from [split] on go to the coarse part. *)
Record layout := Layout { l_stride : nat; l_levels : nat; l_off : Z; l_off_coarse : Z; l_split : Z }.

Definition position (off : Z) (g : nat) (j : Z) : option nat :=
  let k := Z.to_nat ((j - off) / Z.of_nat g) in
  if (off + Z.of_nat k * Z.of_nat g =? j)%Z then Some k else None.

Fixpoint laid_out (y : layout) (a : atoms) : option (list Z * list Z) :=
  match a with
  | nil => Some (nil, nil)
  | (j, w) :: a =>
    match laid_out y a with
    | None => None
    | Some (f, c) =>
      if (j <? l_split y)%Z
      then option_map (fun k => (add_at k w f, c)) (position (l_off y) (l_stride y) j)
      else option_map (fun k => (f, add_at k w c)) (position (l_off_coarse y) (l_stride y * 2 ^ l_levels y) j)
    end
  end.

Definition law_of (y : layout) (inf : Z) (a : atoms) : option zlaw :=
  option_map (fun fc => ZLaw (l_stride y) (l_levels y) (l_off y) (fst fc) (l_off_coarse y) (snd fc) inf) (laid_out y a).

Theorem law_of_spec y i a L : law_of y i a = Some L -> (0 <= i)%Z -> Forall (fun jw => (0 <= snd jw)%Z) a ->
  valid L /\ forall t, curve (sem e B L) t = curve ((IZR i * unit, 0) :: atom_law a) t.
Proof.
  unfold law_of. destruct (laid_out y a) as [[f c]|] eqn:E; [|discriminate].
  intros X; injection X as <-. intros Hi Ha.
  assert (K : nat_list f /\ nat_list c /\ forall t,
    curve (lat unit (rho ^ l_stride y) (Y (l_off y)) f) t +
    curve (lat unit (rho ^ (l_stride y * 2 ^ l_levels y)) (Y (l_off_coarse y)) c) t = curve (atom_law a) t).
  { revert f c E; induction Ha as [|[j w] a Hw Ha IH]; intros f c; simpl.
    - intros E; injection E as <- <-. repeat split; try constructor. intros; simpl; ring.
    - destruct (laid_out y a) as [[f' c']|]; [|discriminate]. destruct (IH f' c' eq_refl) as (I1 & I2 & I3).
      simpl in Hw.
      assert (Pos : forall o g k, position o g j = Some k -> Y o * (rho ^ g) ^ k = Y j).
      { intros o g k. unfold position. set (n := Z.to_nat ((j - o) / Z.of_nat g)).
        destruct (o + Z.of_nat n * Z.of_nat g =? j)%Z eqn:En; [|discriminate].
        intros X; injection X as <-. apply Z.eqb_eq in En. now rewrite <- Y_steps, En. }
      destruct (j <? l_split y)%Z.
      + destruct (position (l_off y) (l_stride y) j) as [k|] eqn:Ek; [|discriminate].
        intros X; injection X as <- <-. split; [apply add_at_nat_list; auto|]. split; auto.
        intros t. rewrite lat_add, (Pos _ _ _ Ek), <- I3. ring.
      + destruct (position (l_off_coarse y) (l_stride y * 2 ^ l_levels y) j) as [k|] eqn:Ek; [|discriminate].
        intros X; injection X as <- <-. split; auto. split; [apply add_at_nat_list; auto|].
        intros t. rewrite lat_add, (Pos _ _ _ Ek), <- I3. ring. }
  destruct K as (K1 & K2 & K3). split; [repeat split; auto|].
  intros t. unfold sem, fine_law, coarse_law, wide. cbn [stride levels off fine off_coarse coarse inf].
  rewrite !curve_app. simpl. rewrite <- K3. ring.
Qed.

(** ** Both together *)

(** The step is dominated by a lattice law; [inf] 2^-B bounds what is outside of the slices. *)
Theorem step_dominated l rs cs a y i L T t : first_place l = true -> nonnegative_step s ->
  Forall region_holds rs -> (forall x, coverage rs x <= 1) -> cells_accepted l rs cs = Some a ->
  (forall x, 0 <= T x) -> (forall x, (1 - coverage rs x) * p_of s x <= T x) -> integral (outputs s) T t ->
  t <= IZR i * unit -> (0 <= i)%Z -> law_of y i a = Some L -> valid L /\ dominated s (sem e B L).
Proof.
  intros Hl N H Cov Ha T0 T1 IT Ht Hi HL. apply first_place_holds in Hl.
  destruct (cells_of l rs cs a Hl N H Cov Ha) as (cls & K1 & K2 & K3 & K4).
  destruct (law_of_spec y i a L HL Hi K4) as [V E]. split; auto.
  apply dominated_below with ((IZR i * unit, 0) :: cells_law cls).
  - apply cells_dominate with T t; auto.
    + intros x. now rewrite K2.
    + intros x. now rewrite K2.
  - intros b Hb. rewrite E. simpl curve. specialize (K3 b Hb). lra.
Qed.

(** The step attains a lattice law. *)
Theorem step_attained l rs cs a y L : first_place l = true -> nonnegative_step s ->
  Forall region_holds rs -> (forall x, coverage rs x <= 1) -> classes_accepted (2 ^ F) l rs cs = Some a ->
  cs <> nil -> law_of y 0 a = Some L ->
  valid L /\ exists V, attained s V /\ below (sem e B L) V.
Proof.
  intros Hl N H Cov Ha Hcs HL. apply first_place_holds in Hl. pose proof (two_positive F F_nonnegative) as T.
  destruct (classes_of (2 ^ F) l rs cs a ltac:(lia) Hl N H Ha) as (cls & K1 & K2 & K3 & K4).
  destruct (law_of_spec y 0 a L HL (Z.le_refl 0) K3) as [V E]. split; auto.
  exists (class_law cls). split.
  - exists cls. split; auto. split; [|split; auto].
    + intros ->. apply classes_accepted_length in Ha.
      destruct a as [|x a]; [|discriminate]. destruct cs; [congruence | discriminate].
    + intros x. apply Rle_trans with (1 := K4 x). destruct rs as [|r rs]; [lra|].
      specialize (Cov x). change (coverage (r :: rs) x) with (fst r x + coverage rs x) in Cov.
      pose proof two_F. replace (two F * / two F * fst r x) with (fst r x) by (field; lra). lra.
  - apply below_equal. intros b. rewrite E, K2. simpl. rewrite Rmult_0_l, Rmult_0_l. ring.
Qed.

End Slices.
