(** Three ways to integrate: over the real line (improper Riemann integrals), over the integers
    (series), and over a finite set (sums). *)
From Coq Require Import Reals List Lra.
From Coquelicot Require Import Coquelicot.
From Plaudit Require Import Privacy.
Open Scope R_scope.

Lemma line_monotone (f g : R -> R) (u v : R) : (forall x, f x <= g x) ->
  is_RInt_gen f (Rbar_locally m_infty) (Rbar_locally p_infty) u ->
  is_RInt_gen g (Rbar_locally m_infty) (Rbar_locally p_infty) v -> u <= v.
Proof.
  intros H Hf Hg.
  pose proof (is_RInt_gen_minus g f v u Hg Hf) as M.
  assert (N : norm (minus v u) <= minus v u).
  { apply (RInt_gen_norm (Fa := Rbar_locally m_infty) (Fb := Rbar_locally p_infty)
      (fun x => minus (g x) (f x)) (fun x => minus (g x) (f x))); auto.
    - exists (fun x => x < 0) (fun x => 0 < x); [now exists 0 | now exists 0 |].
      simpl; intros; lra.
    - exists (fun x => x < 0) (fun x => 0 < x); [now exists 0 | now exists 0 |].
      simpl; intros x y _ _ z _. unfold minus, plus, opp; simpl.
      unfold norm; simpl; unfold abs; simpl.
      rewrite Rabs_pos_eq; [lra | specialize (H z); lra]. }
  pose proof (norm_ge_0 (minus v u)) as P.
  assert (Z : 0 <= minus v u) by (eapply Rle_trans; [exact P | exact N]).
  unfold minus, plus, opp in Z; simpl in Z. lra.
Qed.

(** The real line. *)
Definition line : measure.
Proof.
  refine (Measure
    (fun f v => is_RInt_gen f (Rbar_locally m_infty) (Rbar_locally p_infty) v) _ _ _ _).
  - intros f g v E. apply is_RInt_gen_ext.
    exists (fun _ => True) (fun _ => True); [now exists 0 | now exists 0 | auto].
  - intros f g v w Hf Hg. exact (is_RInt_gen_plus f g v w Hf Hg).
  - intros c f v Hf. exact (is_RInt_gen_scal f c v Hf).
  - exact line_monotone.
Defined.

Lemma series_monotone (f g : nat -> R) (u v : R) :
  (forall n, f n <= g n) -> is_series f u -> is_series g v -> u <= v.
Proof.
  intros H Hf Hg.
  apply (is_lim_seq_le (sum_n f) (sum_n g) u v); [|exact Hf|exact Hg].
  intros n. apply sum_n_m_le. exact H.
Qed.

(** The integers: 0, 1, 2, ... and -1, -2, ... *)
Definition integers : measure.
Proof.
  refine (Measure (fun f v => exists u w,
    is_series (fun n => f (INR n)) u /\ is_series (fun n => f (- INR (S n))) w /\ v = u + w) _ _ _ _).
  - intros f g v E (u & w & H1 & H2 & H3). exists u, w. repeat split; auto.
    + now apply (is_series_ext (fun n => f (INR n))).
    + now apply (is_series_ext (fun n => f (- INR (S n)))).
  - intros f g v w (u1 & w1 & H1 & H2 & ->) (u2 & w2 & J1 & J2 & ->). exists (u1 + u2), (w1 + w2).
    split; [|split; [|ring]].
    + exact (is_series_plus (fun n => f (INR n)) (fun n => g (INR n)) u1 u2 H1 J1).
    + exact (is_series_plus (fun n => f (- INR (S n))) (fun n => g (- INR (S n))) w1 w2 H2 J2).
  - intros c f v (u & w & H1 & H2 & ->). exists (c * u), (c * w). split; [|split; [|ring]].
    + exact (is_series_scal c (fun n => f (INR n)) u H1).
    + exact (is_series_scal c (fun n => f (- INR (S n))) w H2).
  - intros f g v v' H (u & w & H1 & H2 & ->) (u' & w' & J1 & J2 & ->).
    apply Rplus_le_compat; eapply series_monotone; eauto; intros; apply H.
Defined.

Definition total {A} (l : list A) (f : A -> R) : R := fold_right (fun x s => f x + s) 0 l.

(** A finite set, or a finite multiset, of outputs. *)
Definition finite (l : list R) : measure.
Proof.
  refine (Measure (fun f v => v = total l f) _ _ _ _).
  - intros f g v E ->. induction l; simpl; [auto | rewrite E, IHl; auto].
  - intros f g v w -> ->. induction l; simpl; [ring | rewrite <- IHl; ring].
  - intros c f v ->. induction l; simpl; [ring | rewrite <- IHl; ring].
  - intros f g v w E -> ->. induction l as [|x l IH]; simpl; [lra | specialize (E x); lra].
Defined.
