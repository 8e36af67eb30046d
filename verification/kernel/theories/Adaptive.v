(** Mechanisms that choose each step after having seen the outputs so far: where every step that they may
    choose is no worse than a given one, or is dominated by one law, the theorem about the given steps
    holds for the mechanism. *)
From Coq Require Import Reals ZArith List Lia Lra.
From Plaudit Require Import Privacy Outputs Laws Curve Composition Lattice Powers Slices Runs.
Import List ListNotations.
Open Scope R_scope.

(** Every law that dominates F dominates s. *)
Definition no_worse {Output Output'} (s : step_on Output) (F : step_on Output') : Prop := nonnegative_step s /\ forall V, dominated F V -> dominated s V.

Lemma no_worse_refl {Output} (s : step_on Output) : nonnegative_step s -> no_worse s s.
Proof. intros H; split; auto. Qed.

Lemma no_worse_trans {Output Output' Output''} (s : step_on Output) (F : step_on Output') (F' : step_on Output'') : no_worse s F -> no_worse F F' -> no_worse s F'.
Proof. intros [N H] [_ H']; split; auto. Qed.

Lemma dominated_same {Output} (m : measure_on Output) p q p' q' V : (forall x, p x = p' x) -> (forall x, q x = q' x) ->
  dominated (Step m p q) V -> dominated (Step m p' q') V.
Proof.
  intros Ep Eq H a Ha. destruct (H a Ha) as (G & c & H1 & H2 & H3 & H4). exists G, c. repeat split; auto.
  intros x. specialize (H2 x). cbn [p_of q_of] in *. now rewrite <- Ep, <- Eq.
Qed.

Lemma adaptive_dominated {Output} (m : mechanism_on Output) (steps : list step) default Vs :
  Forall2 (fun s V => nonnegative_step s /\ dominated s V) steps Vs ->
  (forall h, (length h < length steps)%nat -> no_worse (m h) (nth (length h) steps default)) ->
  dominated_run m nil Vs.
Proof.
  intros H. cut (forall before h, length h = length before ->
    (forall h', (length h' < length (before ++ steps))%nat -> no_worse (m h') (nth (length h') (before ++ steps) default)) ->
    dominated_run m h Vs).
  { intros K W. apply (K nil nil eq_refl). exact W. }
  induction H as [|s V steps Vs [H1 H2] H IH]; intros before h E K; simpl; auto.
  assert (S : no_worse (m h) s).
  { specialize (K h). rewrite app_length in K. simpl in K. specialize (K ltac:(lia)).
    now rewrite E, app_nth2, Nat.sub_diag in K by auto. }
  destruct S as [N D]. split; auto. split; auto. intros x. apply (IH (before ++ [s])).
  - rewrite app_length, <- E. simpl. lia.
  - intros h' L. rewrite <- app_assoc in *. now apply K.
Qed.

(** From the computation about given steps to mechanisms whose steps are no worse. *)
Theorem adaptive_private e B D T : (1 <= e)%Z -> (0 <= B)%Z -> (0 <= D)%Z -> (B <= T)%Z ->
  forall steps default xs program counts c eps,
  Forall2 (source_holds B T) steps (map source_up xs) -> private_by e B D T xs program counts c = true ->
  claim_placed e D Up (exp eps) c -> forall {Output} (m : mechanism_on Output),
  (forall h, (length h < total_count counts)%nat -> no_worse (m h) (nth (length h) (repeated steps counts) default)) ->
  private m (total_count counts) (exp eps) (IZR (num c) / IZR (den c)).
Proof.
  intros He HB HD HT steps default xs program counts c eps H Hp P Output m W.
  destruct (run_dominated e B D T He HB HD HT steps xs program counts c eps H Hp P) as (Vs & K & NV & EL & Hc).
  assert (L : length (repeated steps counts) = total_count counts).
  { rewrite <- EL. exact (Forall2_same_length _ _ _ K). }
  rewrite <- L in W. pose proof (adaptive_dominated m _ default Vs K W) as R.
  pose proof (composition m Vs NV R (exp eps) (Rlt_le _ _ (exp_pos eps))) as C. rewrite EL in C.
  intros test Ht a b Ha Hb. apply Rle_trans with (1 := C test Ht a b Ha Hb). now apply Rplus_le_compat_l.
Qed.

(** One bound for all steps. *)
Theorem adaptive_private_once e B D T : (1 <= e)%Z -> (0 <= B)%Z -> (0 <= D)%Z -> (B <= T)%Z ->
  forall s x program n c eps, source_holds B T s (source_up x) -> private_by e B D T [x] program [n] c = true ->
  claim_placed e D Up (exp eps) c -> forall {Output} (m : mechanism_on Output), (forall h, no_worse (m h) s) ->
  private m n (exp eps) (IZR (num c) / IZR (den c)).
Proof.
  intros He HB HD HT s x program n c eps H Hp P Output m W.
  pose proof (adaptive_private e B D T He HB HD HT [s] s [x] program [n] c eps
    (Forall2_cons _ _ H (Forall2_nil _)) Hp P m) as K.
  simpl total_count in K. rewrite Nat.add_0_r in K. apply K. intros h Hh.
  unfold repeated. simpl. rewrite app_nil_r, nth_repeat. apply W.
Qed.

(** The same with a law: n steps, each of which the law V dominates. *)
Theorem adaptive_power {Output} (m : mechanism_on Output) V n : nonnegative V -> (forall h, nonnegative_step (m h) /\ dominated (m h) V) ->
  forall a, 0 <= a -> private m n a (curve (power V n) a).
Proof.
  intros HV H a Ha. rewrite <- product_repeat.
  replace n with (length (repeat V n)) at 1 by apply repeat_length. apply composition; auto.
  - apply Forall_forall. intros W HW. apply repeat_spec in HW. now subst W.
  - generalize (@nil Output). induction n as [|n IH]; intros h; simpl; auto. destruct (H h). auto.
Qed.
