(** One step is dominated by a finite law: the outputs are divided into cells, on each of which
    lo p <= q <= hi p; the law keeps the probabilities of a cell and moves its losses to the two ends
    (connecting the dots of the curve). What lies outside of the cells counts as infinite loss. *)
From Coq Require Import Reals List Lra.
From Plaudit Require Import Privacy Curve Composition.
Import ListNotations.
Open Scope R_scope.

(** [chi]: the indicator of the cell; [mass_p] and [mass_q]: its probabilities; [at_hi] and [at_lo]:
    the weights of the law at the two ends. *)
Record cell := Cell {
  chi : R -> R; mass_p : R; mass_q : R; hi : R; lo : R; at_hi : R; at_lo : R }.

Definition cell_holds (s : step) (c : cell) : Prop :=
  (forall x, chi c x = 0 \/ chi c x = 1 /\ lo c * p_of s x <= q_of s x <= hi c * p_of s x) /\
  integral (outputs s) (fun x => chi c x * p_of s x) (mass_p c) /\
  integral (outputs s) (fun x => chi c x * q_of s x) (mass_q c) /\
  0 <= lo c < hi c /\ 0 <= at_hi c /\ 0 <= at_lo c /\
  mass_p c <= at_hi c + at_lo c /\ at_hi c * hi c + at_lo c * lo c <= mass_q c.

Definition cell_law (c : cell) : law := [(at_hi c, hi c); (at_lo c, lo c)].
Definition cells_law (cs : list cell) : law := flat_map cell_law cs.
Definition covered (cs : list cell) (x : R) : R := fold_right (fun c s => chi c x + s) 0 cs.

Lemma cell_bounded s c a : nonnegative_step s -> 0 <= a -> cell_holds s c -> exists G d,
  (forall x, 0 <= G x) /\ (forall x, chi c x * (p_of s x - a * q_of s x) <= G x) /\
  integral (outputs s) G d /\ d <= curve (cell_law c) a.
Proof.
  intros N Ha (Hx & IP & IQ & [L0 LH] & V0 & W0 & C1 & C2).
  assert (Hp : forall x, 0 <= p_of s x) by (intros; apply N).
  unfold cell_law; simpl. fold (hinge a (hi c)) (hinge a (lo c)).
  destruct (Rle_dec (a * lo c) 1) as [A1|A1].
  2:{ (* nothing is above 0 *)
    exists (fun x => 0 * (chi c x * p_of s x)), (0 * mass_p c); repeat split.
    - intros; lra.
    - intros x. destruct (Hx x) as [-> | [-> [E1 E2]]]; [lra|]. specialize (Hp x).
      assert (a * (lo c * p_of s x) <= a * q_of s x) by now apply Rmult_le_compat_l.
      assert (1 * p_of s x <= (a * lo c) * p_of s x) by (apply Rmult_le_compat_r; lra). lra.
    - now apply integral_scaled.
    - pose proof (hinge_nonnegative a (hi c)). pose proof (hinge_nonnegative a (lo c)).
      pose proof (Rmult_le_pos _ _ V0 H). pose proof (Rmult_le_pos _ _ W0 H0). lra. }
  destruct (Rle_dec (a * hi c) 1) as [A2|A2].
  - (* nothing is below 0 *)
    exists (fun x => 1 * (chi c x * p_of s x) + (- a) * (chi c x * q_of s x)),
      (1 * mass_p c + (- a) * mass_q c).
    repeat split.
    + intros x. destruct (Hx x) as [-> | [-> [E1 E2]]]; [lra|]. specialize (Hp x).
      assert (a * q_of s x <= a * (hi c * p_of s x)) by now apply Rmult_le_compat_l.
      assert ((a * hi c) * p_of s x <= 1 * p_of s x) by (apply Rmult_le_compat_r; lra). lra.
    + intros x; lra.
    + apply integral_sum; now apply integral_scaled.
    + unfold hinge. rewrite !Rmax_right by lra.
      assert (a * (at_hi c * hi c + at_lo c * lo c) <= a * mass_q c) by now apply Rmult_le_compat_l.
      lra.
  - (* a hi > 1 >= a lo: (p - a q)+ <= (hi p - q) (1 - a lo) / (hi - lo) *)
    set (k := (1 - a * lo c) / (hi c - lo c)).
    assert (K0 : 0 <= k).
    { unfold k, Rdiv. apply Rmult_le_pos; [lra|]. left; apply Rinv_0_lt_compat; lra. }
    assert (K1 : k * (hi c - lo c) = 1 - a * lo c) by (unfold k; field; lra).
    exists (fun x => (k * hi c) * (chi c x * p_of s x) + (- k) * (chi c x * q_of s x)),
      (k * hi c * mass_p c + (- k) * mass_q c).
    repeat split.
    + intros x. destruct (Hx x) as [-> | [-> [E1 E2]]]; [lra|].
      assert (k * q_of s x <= k * (hi c * p_of s x)) by now apply Rmult_le_compat_l. lra.
    + intros x. destruct (Hx x) as [-> | [-> [E1 E2]]]; [lra|].
      (* k (hi p - q) - (p - a q) = (k hi - 1) p + (a - k) q, and k hi - 1 = lo (k - a) *)
      assert (K2 : k * hi c - 1 = lo c * (k - a)) by lra.
      assert (K3 : k <= a).
      { apply Rmult_le_reg_r with (hi c - lo c); [lra|]. rewrite K1. lra. }
      assert ((a - k) * (lo c * p_of s x) <= (a - k) * q_of s x) by (apply Rmult_le_compat_l; lra).
      replace (k * hi c * (1 * p_of s x) + - k * (1 * q_of s x))
        with (1 * (p_of s x - a * q_of s x) + ((k * hi c - 1) * p_of s x + (a - k) * q_of s x)) by ring.
      rewrite K2. lra.
    + apply integral_sum; now apply integral_scaled.
    + unfold hinge. rewrite (Rmax_left 0 (1 - a * hi c)), (Rmax_right 0 (1 - a * lo c)) by lra.
      assert (k * hi c * mass_p c <= k * hi c * (at_hi c + at_lo c)).
      { apply Rmult_le_compat_l; auto. apply Rmult_le_pos; lra. }
      assert (k * (at_hi c * hi c + at_lo c * lo c) <= k * mass_q c) by now apply Rmult_le_compat_l.
      assert (at_lo c * (k * (hi c - lo c)) = at_lo c * (1 - a * lo c)) by now rewrite K1.
      lra.
Qed.

(** T bounds p outside of the cells; its integral is at most t. *)
Theorem cells_dominate s cs T t' t : nonnegative_step s -> Forall (cell_holds s) cs ->
  (forall x, covered cs x <= 1) ->
  (forall x, 0 <= T x) -> (forall x, (1 - covered cs x) * p_of s x <= T x) ->
  integral (outputs s) T t' -> t' <= t -> dominated s ((t, 0) :: cells_law cs).
Proof.
  intros N Hcs Hc T0 T1 IT Ht a Ha.
  cut (exists G d, (forall x, 0 <= G x) /\
     (forall x, covered cs x * (p_of s x - a * q_of s x) <= G x) /\
     integral (outputs s) G d /\ d <= curve (cells_law cs) a).
  { intros (G & d & H1 & H2 & H3 & H4). exists (fun x => T x + G x), (t' + d); repeat split.
    - intros x. specialize (T0 x); specialize (H1 x); lra.
    - intros x. specialize (H2 x); specialize (T1 x); specialize (Hc x). destruct (N x) as [_ Q].
      pose proof (Rmult_le_pos _ _ Ha Q).
      assert (0 <= (1 - covered cs x) * (a * q_of s x)) by (apply Rmult_le_pos; [lra | assumption]). lra.
    - now apply integral_sum.
    - simpl curve. rewrite hinge_at_0. lra. }
  clear Hc T1. induction Hcs as [|c cs Hc Hcs IH].
  - exists (fun x => 0 * T x), (0 * t'). repeat split; try (intros; simpl; lra).
    now apply integral_scaled.
  - destruct (cell_bounded s c a N Ha Hc) as (G & d & H1 & H2 & H3 & H4).
    destruct IH as (G' & d' & J1 & J2 & J3 & J4).
    exists (fun x => G x + G' x), (d + d'); repeat split.
    + intros x. specialize (H1 x); specialize (J1 x); lra.
    + intros x. specialize (H2 x); specialize (J2 x).
      change (covered (c :: cs) x) with (chi c x + covered cs x). lra.
    + now apply integral_sum.
    + change (cells_law (c :: cs)) with (cell_law c ++ cells_law cs). rewrite curve_app. lra.
Qed.
