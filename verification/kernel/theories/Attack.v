(** Lower ends: where the outputs of each step fall into classes whose probabilities are known, some
    test accepts with probabilities u and w such that u - a w is at least the curve of the product of
    the classes' laws. So the composition is not private with anything smaller. *)
From Coq Require Import Reals List Lra Lia.
From Plaudit Require Import Privacy Curve.
Import ListNotations.
Open Scope R_scope.

(** A class takes the share [part x] of an output x. It has the probability [mass_p] on the one data
    set, [mass_q] <= ratio mass_p on the other; [weight] is below mass_p. *)
Record class := Class { part : R -> R; mass_p : R; mass_q : R; weight : R; ratio : R }.

Definition class_holds (s : step) (c : class) : Prop :=
  (forall x, 0 <= part c x) /\
  integral (outputs s) (fun x => part c x * p_of s x) (mass_p c) /\
  integral (outputs s) (fun x => part c x * q_of s x) (mass_q c) /\
  0 <= weight c <= mass_p c /\ 0 <= ratio c /\ mass_q c <= ratio c * mass_p c.

Definition shares (cs : list class) (x : R) : R := fold_right (fun c s => part c x + s) 0 cs.
Definition class_law (cs : list class) : law := map (fun c => (weight c, ratio c)) cs.

Definition classified (s : step) (cs : list class) : Prop :=
  cs <> nil /\ Forall (class_holds s) cs /\ forall x, shares cs x <= 1.

(** The law V is that of classes of the outputs. *)
Definition attained (s : step) (V : law) : Prop := exists cs, classified s cs /\ class_law cs = V.

(** What the test remembers: shares, and the a at which each goes on. *)
Definition state := list (R * R).
Definition next (cs : list class) (x : R) (S : state) : state :=
  flat_map (fun wa => map (fun c => (fst wa * part c x, snd wa * ratio c)) cs) S.
Fixpoint remembered (all : list (list class)) (a : R) (h : list R) : state :=
  match h with nil => [(1, a)] | x :: h => next (nth (length h) all nil) x (remembered all a h) end.
Definition verdict (a : R) : R := if Rlt_dec a 1 then 1 else 0.
Definition expected (S : state) (f : R -> R) : R := fold_right (fun wa s => fst wa * f (snd wa) + s) 0 S.
Definition attack (all : list (list class)) (a : R) (h : list R) : R :=
  expected (remembered all a h) verdict.

(** The probability of acceptance, from a on, over the steps that remain. *)
Fixpoint chance (mass : class -> R) (css : list (list class)) (a : R) : R :=
  match css with
  | nil => verdict a
  | cs :: css => fold_right (fun c s => mass c * chance mass css (a * ratio c) + s) 0 cs
  end.

Lemma expected_app S T f : expected (S ++ T) f = expected S f + expected T f.
Proof. induction S as [|[w a] S IH]; simpl; [ring|]. fold (expected (S ++ T) f) (expected S f). rewrite IH. ring. Qed.

Lemma expected_next cs x S f : expected (next cs x S) f =
  expected S (fun a => fold_right (fun c s => part c x * f (a * ratio c) + s) 0 cs).
Proof.
  induction S as [|[w a] S IH]; simpl; auto. rewrite expected_app.
  fold (next cs x S). rewrite IH. simpl. f_equal. clear IH.
  induction cs as [|c cs IH]; simpl; [ring|]. fold (expected (map (fun c => (w * part c x, a * ratio c)) cs) f).
  simpl in IH. rewrite IH. ring.
Qed.

Lemma expected_ext S f g : (forall a, f a = g a) -> expected S f = expected S g.
Proof. intros E; induction S as [|[w a] S IH]; simpl; auto. now rewrite E; f_equal. Qed.

(** Integrals of what a state expects of the next step. *)
Section Step.
Variable s : step.
Variable cs : list class.
Hypothesis H : classified s cs.
Variables (side : step -> R -> R) (mass : class -> R).
Hypothesis integrals : forall c, In c cs -> integral (outputs s) (fun x => part c x * side s x) (mass c).

Lemma integral_zero : integral (outputs s) (fun _ => 0) 0.
Proof.
  destruct H as [Hne _]. destruct cs as [|c l]; [congruence|].
  pose proof (integral_scaled _ 0 _ _ (integrals c (or_introl eq_refl))) as Z.
  rewrite Rmult_0_l in Z. apply (integral_same _ _ _ _ (fun x => Rmult_0_l _) Z).
Qed.

Lemma integral_classes (u : class -> R) l : incl l cs -> integral (outputs s)
  (fun x => fold_right (fun c t => part c x * u c + t) 0 l * side s x)
  (fold_right (fun c t => mass c * u c + t) 0 l).
Proof.
  induction l as [|c l IH]; intros L; simpl.
  - apply (integral_same _ (fun _ => 0)); [intros; ring | exact integral_zero].
  - apply (integral_same _ (fun x => u c * (part c x * side s x) +
      fold_right (fun c t => part c x * u c + t) 0 l * side s x)); [intros; ring|].
    replace (mass c * u c) with (u c * mass c) by ring.
    apply integral_sum; [apply integral_scaled, integrals, L; now left|].
    apply IH. intros d Hd; apply L; now right.
Qed.

Lemma integral_expected (f : R -> R) S : integral (outputs s)
  (fun x => side s x * expected (next cs x S) f)
  (expected S (fun a => fold_right (fun c t => mass c * f (a * ratio c) + t) 0 cs)).
Proof.
  apply (integral_same _ (fun x => expected S (fun a =>
    fold_right (fun c t => part c x * f (a * ratio c) + t) 0 cs) * side s x)).
  { intros x. rewrite expected_next. ring. }
  induction S as [|[w a] S IH]; simpl.
  - apply (integral_same _ (fun _ => 0)); [intros; ring | exact integral_zero].
  - apply (integral_same _ (fun x =>
      w * (fold_right (fun c t => part c x * f (a * ratio c) + t) 0 cs * side s x) +
      expected S (fun a => fold_right (fun c t => part c x * f (a * ratio c) + t) 0 cs) * side s x)).
    { intros x; unfold expected; ring. }
    apply integral_sum; [apply integral_scaled | exact IH].
    apply (integral_classes (fun c => f (a * ratio c))). apply incl_refl.
Qed.
End Step.

Definition classified_sequence (m : mechanism) (css : list (list class)) : Prop :=
  forall h, (length h < length css)%nat -> classified (m h) (nth (length h) css nil).

Lemma nth_after {A} (l r : list A) d : nth (length l) (l ++ r) d = nth 0 r d.
Proof. rewrite app_nth2, Nat.sub_diag by auto. reflexivity. Qed.

Lemma accepts_attack m all a (side : step -> R -> R) (mass : class -> R) :
  classified_sequence m all ->
  (forall s c, class_holds s c -> integral (outputs s) (fun x => part c x * side s x) (mass c)) ->
  forall after before h, all = before ++ after -> length h = length before ->
  accepts side m (length after) h (attack all a) (expected (remembered all a h) (chance mass after)).
Proof.
  intros C I. induction after as [|cs after IH]; intros before h E L; simpl accepts.
  - reflexivity.
  - exists (fun x => expected (remembered all a (x :: h)) (chance mass after)). split.
    + intros x. apply (IH (before ++ [cs])).
      * now rewrite <- app_assoc.
      * simpl. rewrite app_length, L. simpl. lia.
    + assert (N : nth (length h) all nil = cs).
      { now rewrite L, E, nth_after. }
      assert (Hc : classified (m h) cs).
      { rewrite <- N. apply C. rewrite E, app_length, L. simpl. lia. }
      simpl remembered. rewrite N.
      apply (integral_expected (m h) cs Hc side mass).
      intros c Hin. apply I. destruct Hc as (_ & F & _). rewrite Forall_forall in F. auto.
Qed.

Lemma chance_nonnegative (mass : class -> R) css :
  Forall (Forall (fun c => 0 <= mass c)) css -> forall a, 0 <= chance mass css a.
Proof.
  induction 1 as [|cs css H HF IH]; intros a; simpl.
  - unfold verdict. destruct (Rlt_dec a 1); lra.
  - induction H as [|c cs Hc H IHc]; simpl; [lra|].
    pose proof (Rmult_le_pos _ _ Hc (IH (a * ratio c))). lra.
Qed.

Lemma chance_curve css : Forall (Forall (fun c => 0 <= weight c <= mass_p c /\ 0 <= ratio c /\ 0 <= mass_q c /\
    mass_q c <= ratio c * mass_p c)) css ->
  forall a, 0 <= a -> curve (product (map class_law css)) a <= chance mass_p css a - a * chance mass_q css a.
Proof.
  induction 1 as [|cs css H HF IH]; intros a Ha.
  - simpl. rewrite Rmult_1_l, Rplus_0_r. unfold verdict, hinge. rewrite Rmult_1_r.
    destruct (Rlt_dec a 1); [rewrite Rmax_right | rewrite Rmax_left]; lra.
  - assert (Q : forall b, 0 <= chance mass_q css b).
    { apply chance_nonnegative. eapply Forall_impl; [|exact HF]. intros l Hl.
      eapply Forall_impl; [|exact Hl]. simpl; tauto. }
    simpl map. simpl product. rewrite conv_comm. simpl chance.
    induction H as [|c cs (H1 & H2 & H0 & H3) H IHc]; simpl; [lra|].
    rewrite curve_app, curve_scale. fold (class_law cs).
    assert (A : 0 <= a * ratio c) by now apply Rmult_le_pos.
    specialize (IH _ A). specialize (Q (a * ratio c)).
    assert (N : 0 <= curve (product (map class_law css)) (a * ratio c)).
    { apply curve_nonnegative, nonnegative_product. apply Forall_map.
      eapply Forall_impl; [|exact HF]. intros l Hl. apply Forall_map.
      eapply Forall_impl; [|exact Hl]. simpl; tauto. }
    set (k := curve (product (map class_law css)) (a * ratio c)) in *.
    set (u := chance mass_p css (a * ratio c)) in *. set (w := chance mass_q css (a * ratio c)) in *.
    assert (weight c * k <= mass_p c * k) by (apply Rmult_le_compat_r; lra).
    assert (mass_p c * k <= mass_p c * (u - a * ratio c * w)) by (apply Rmult_le_compat_l; lra).
    assert (a * (mass_q c * w) <= a * (ratio c * mass_p c * w)).
    { apply Rmult_le_compat_l; auto. apply Rmult_le_compat_r; auto. }
    lra.
Qed.

Lemma attack_is_a_test m all a : classified_sequence m all -> forall h, 0 <= attack all a h <= 1.
Proof.
  intros C h. unfold attack.
  cut (Forall (fun wa => 0 <= fst wa) (remembered all a h) /\ expected (remembered all a h) (fun _ => 1) <= 1).
  { intros [P T]. revert P T. generalize (remembered all a h). intros S P.
    cut (0 <= expected S verdict <= expected S (fun _ => 1)); [lra|].
    induction P as [|[w b] S Hw P IH]; simpl in *; [lra|].
    fold (expected S verdict) (expected S (fun _ => 1)).
    unfold verdict at 1 3. destruct (Rlt_dec b 1); lra. }
  induction h as [|x h [IH1 IH2]]; simpl.
  { split; [repeat constructor; simpl; lra | lra]. }
  destruct (Nat.lt_ge_cases (length h) (length all)) as [L|L].
  2:{ rewrite nth_overflow by auto. unfold next. clear IH1 IH2.
    induction (remembered all a h) as [|wa S IH]; simpl; [split; [constructor | lra] | exact IH]. }
  destruct (C h L) as (_ & F & Sh). set (cs := nth (length h) all nil) in *. split.
  - unfold next. rewrite Forall_forall in *. intros [w b] Hin. apply in_flat_map in Hin.
    destruct Hin as ([w' b'] & H1 & H2). apply in_map_iff in H2. destruct H2 as (c & E & Hc).
    injection E as <- <-. simpl. apply Rmult_le_pos; [apply (IH1 _ H1) | apply (F c Hc)].
  - rewrite expected_next. apply Rle_trans with (2 := IH2).
    assert (E : fold_right (fun c t => part c x * 1 + t) 0 cs = shares cs x).
    { unfold shares. clear. induction cs as [|c l IH]; simpl; auto. rewrite IH; ring. }
    rewrite (expected_ext _ _ (fun _ => shares cs x)) by (intros; exact E).
    clear IH2. induction IH1 as [|[w b] S Hw HS IH]; simpl in *; [lra|].
    fold (expected S (fun _ => shares cs x)) (expected S (fun _ => 1)).
    pose proof (Rmult_le_compat_l _ _ _ Hw (Sh x)). lra.
Qed.

Lemma mass_q_nonnegative s c : (forall x, 0 <= q_of s x) -> class_holds s c -> 0 <= mass_q c.
Proof.
  intros N (H1 & _ & H2 & _). replace 0 with (0 * mass_q c) by ring.
  eapply integral_monotone; [|exact (integral_scaled _ 0 _ _ H2)|exact H2].
  intros x; simpl. pose proof (Rmult_le_pos _ _ (H1 x) (N x)). lra.
Qed.

Theorem attack_succeeds m css : classified_sequence m css ->
  (forall h x, 0 <= q_of (m h) x) -> forall a, 0 <= a ->
  exists u w, accepts p_of m (length css) nil (attack css a) u /\
    accepts q_of m (length css) nil (attack css a) w /\
    curve (product (map class_law css)) a <= u - a * w.
Proof.
  intros C N a Ha. exists (chance mass_p css a), (chance mass_q css a).
  assert (E : forall f : R -> R, expected (remembered css a nil) f = f a) by (intros; simpl; ring).
  split; [|split].
  - rewrite <- (E (chance mass_p css)). apply (accepts_attack m css a p_of mass_p C) with (before := nil); auto.
    intros s c Hc; apply Hc.
  - rewrite <- (E (chance mass_q css)). apply (accepts_attack m css a q_of mass_q C) with (before := nil); auto.
    intros s c Hc; apply Hc.
  - apply chance_curve; auto. rewrite Forall_forall. intros cs Hin.
    destruct (In_nth _ _ nil Hin) as (n & L & E').
    assert (Hh : exists h : list R, length h = n) by (exists (repeat 0 n); apply repeat_length).
    destruct Hh as [h Hh]. assert (L' : (length h < length css)%nat) by lia.
    pose proof (C h L') as (_ & F & _). rewrite Hh, E' in F.
    eapply Forall_impl; [|exact F]. intros c Hc.
    pose proof (mass_q_nonnegative (m h) c (N h) Hc). unfold class_holds in Hc. tauto.
Qed.

(** Not private: the refutation of a claim. *)
Corollary not_private m css a delta : classified_sequence m css -> (forall h x, 0 <= q_of (m h) x) ->
  0 <= a -> delta < curve (product (map class_law css)) a -> ~ private m (length css) a delta.
Proof.
  intros C N Ha L P. destruct (attack_succeeds m css C N a Ha) as (u & w & Hu & Hw & H).
  specialize (P _ (attack_is_a_test m css a C) u w Hu Hw). lra.
Qed.

(** Steps that are given, with the laws of their classes. *)
Corollary sequence_not_private steps default Vs a delta :
  Forall2 attained steps Vs -> Forall (fun s => forall x, 0 <= q_of s x) (default :: steps) -> 0 <= a ->
  delta < curve (product Vs) a -> ~ private (sequence steps default) (length steps) a delta.
Proof.
  intros A N Ha L.
  assert (K : exists css, length css = length steps /\ map class_law css = Vs /\
    forall n, (n < length css)%nat -> classified (nth n steps default) (nth n css nil)).
  { clear L N. induction A as [|s V steps Vs (cs & H1 & H2) A (css & J1 & J2 & J3)].
    - exists nil. split; [|split]; auto. intros k L; simpl in L; lia.
    - exists (cs :: css). split; [|split]; simpl; try congruence.
      intros [|k] Hk; auto. apply J3. simpl in Hk; lia. }
  destruct K as (css & E1 & E2 & E3). rewrite <- E1. subst Vs. apply not_private; auto.
  - intros h Hh. unfold sequence. auto.
  - intros h. unfold sequence. inversion_clear N as [|? ? N1 N2]. rewrite Forall_forall in N2.
    destruct (nth_in_or_default (length h) steps default) as [I | ->]; auto.
Qed.
