(** The product of two polynomials with coefficients >= 0 by one product of big numbers: their values at
    2^b, of which the coefficients of the product are the digits (Kronecker substitution). *)
From Coq Require Import ZArith List Lia Bool.
From Bignums Require Import BigN.
Import ListNotations.
Open Scope Z_scope. Open Scope bool_scope.

Fixpoint eval (x : Z) (c : list Z) : Z :=
  match c with nil => 0 | a :: c => a + x * eval x c end.
Fixpoint padd (a b : list Z) : list Z :=
  match a, b with nil, _ => b | _, nil => a | x :: a, y :: b => x + y :: padd a b end.
Fixpoint pmul (a b : list Z) : list Z :=
  match a with nil => nil | x :: a => padd (map (Z.mul x) b) (0 :: pmul a b) end.

Lemma eval_padd x a : forall b, eval x (padd a b) = eval x a + eval x b.
Proof. induction a as [|u a IH]; intros [|v b]; simpl; auto; [lia|]. rewrite IH. ring. Qed.
Lemma eval_map x u b : eval x (map (Z.mul u) b) = u * eval x b.
Proof. induction b as [|v b IH]; simpl; [ring|]. rewrite IH. ring. Qed.
Lemma eval_pmul x a b : eval x (pmul a b) = eval x a * eval x b.
Proof.
  induction a as [|u a IH]; simpl; [ring|].
  rewrite eval_padd, eval_map. simpl. rewrite IH. ring.
Qed.

Lemma eval_app x a b : eval x (a ++ b) = eval x a + x ^ Z.of_nat (length a) * eval x b.
Proof.
  induction a as [|u a IH].
  - simpl length. simpl app. change (Z.of_nat 0) with 0. rewrite Z.pow_0_r. simpl eval. ring.
  - simpl length. rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. simpl. rewrite IH. ring.
Qed.

(* digits are unique *)
Definition digits (x : Z) (c : list Z) := List.Forall (fun a => 0 <= a < x) c.
Fixpoint nth0 (c : list Z) (n : nat) : Z :=
  match c, n with nil, _ => 0 | a :: _, O => a | _ :: c, S n => nth0 c n end.

Lemma nth0_nil n : nth0 nil n = 0.
Proof. destruct n; auto. Qed.

Lemma eval_zero x c : 0 < x -> digits x c -> eval x c = 0 -> forall n, nth0 c n = 0.
Proof.
  intros Hx H; induction H as [|a c Ha Hc IH]; simpl; intros E n; [reflexivity|].
  assert (0 <= eval x c).
  { clear -Hx Hc. induction Hc; simpl; [lia|]. nia. }
  destruct n; [nia|]. apply IH. nia.
Qed.

Lemma eval_inj x c : 0 < x -> digits x c -> forall d, digits x d -> eval x c = eval x d ->
  forall n, nth0 c n = nth0 d n.
Proof.
  intros Hx Hc; induction Hc as [|a c Ha Hc IH]; intros d Hd E n.
  - rewrite nth0_nil. symmetry; apply (eval_zero x); auto.
  - destruct Hd as [|b d Hb Hd].
    + rewrite nth0_nil. apply (eval_zero x); auto. constructor; auto.
    + simpl in E.
      assert (a = b).
      { rewrite <- (Z.mod_small a x), <- (Z.mod_small b x) by lia.
        rewrite <- (Z.mod_add a (eval x c) x), <- (Z.mod_add b (eval x d) x) by lia.
        f_equal. lia. }
      subst b. destruct n; [reflexivity|]. simpl. apply IH; auto. nia.
Qed.

(* bound of the coefficients of the product *)
Definition bounded (m : Z) (c : list Z) := List.Forall (fun a => 0 <= a <= m) c.

Lemma bounded_padd m n a b : 0 <= m -> 0 <= n -> bounded m a -> bounded n b -> bounded (m + n) (padd a b).
Proof.
  intros Hm Hn Ha; revert b; induction Ha as [|u a Hu Ha IH]; intros b Hb; simpl.
  - eapply Forall_impl; [|exact Hb]. simpl; intros; lia.
  - destruct Hb as [|v b Hv Hb].
    + constructor; [lia|]. eapply Forall_impl; [|exact Ha]. simpl; intros; lia.
    + constructor; [lia|]. now apply IH.
Qed.

Definition total (c : list Z) : Z := fold_right Z.add 0 c.
Lemma total_nonneg c : List.Forall (fun a => 0 <= a) c -> 0 <= total c.
Proof. induction 1; simpl; lia. Qed.

(** Each coefficient of the product is at most the sum of the one's times the greatest of the other's. *)
Lemma bounded_pmul n a b : 0 <= n -> List.Forall (fun u => 0 <= u) a -> bounded n b ->
  bounded (total a * n) (pmul a b).
Proof.
  intros Hn Ha Hb; induction Ha as [|u a Hu Ha IH]; [constructor|].
  simpl total. rewrite Z.mul_add_distr_r. pose proof (total_nonneg a Ha) as T.
  simpl pmul. apply bounded_padd; try nia.
  - clear -Hu Hb Hn. induction Hb as [|v b Hv Hb IH]; simpl; constructor; auto. nia.
  - constructor; [nia | exact IH].
Qed.

(* ---- big numbers -------------------------------------------------------- *)
Definition sh (b : bigN) (k : nat) := BigN.shiftl b (BigN.of_N (N.of_nat k)).

Fixpoint pack (b : bigN) (k : nat) (l : list Z) : bigN * list Z :=
  match k with
  | O => match l with nil => (0%bigN, nil) | x :: l => (BigN.N_of_Z x, l) end
  | S k => let (lo, l1) := pack b k l in
           match l1 with
           | nil => (lo, nil)
           | _ => let (hi, l2) := pack b k l1 in
                  (BigN.add lo (BigN.shiftl hi (sh b k)), l2)
           end
  end.

Fixpoint split (b : bigN) (k : nat) (x : bigN) (acc : list Z) : list Z :=
  match k with
  | O => BigN.to_Z x :: acc
  | S k => let s := sh b k in
           let q := BigN.shiftr x s in
           let r := BigN.sub x (BigN.shiftl q s) in
           split b k r (split b k q acc)
  end.

Notation toZ := BigN.to_Z.

Lemma sh_spec b k : (toZ (sh b k)) = (toZ (b)) * 2 ^ Z.of_nat k.
Proof.
  unfold sh. rewrite BigN.spec_shiftl, BigN.spec_of_N, Z.shiftl_mul_pow2 by lia.
  now rewrite nat_N_Z.
Qed.

Lemma pow2k b k : 0 <= b -> 2 ^ (b * 2 ^ Z.of_nat k) = (2 ^ b) ^ Z.of_nat (2 ^ k).
Proof.
  intros Hb. rewrite <- Z.pow_mul_r by lia. f_equal. f_equal.
  rewrite Nat2Z.inj_pow. reflexivity.
Qed.

Lemma pack_spec b k : forall l, List.Forall (fun a => 0 <= a) l ->
  exists l1 l2, l = l1 ++ l2 /\ snd (pack b k l) = l2 /\
    (toZ (fst (pack b k l))) = eval (2 ^ (toZ (b))) l1 /\
    (l2 <> nil -> length l1 = (2 ^ k)%nat).
Proof.
  induction k as [|k IH]; intros l Hl.
  - destruct Hl as [|x l Hx Hl]; simpl.
    + exists nil, nil; repeat split; auto. congruence.
    + exists [x], l; repeat split; auto. rewrite BigN.spec_N_of_Z by auto. simpl. lia.
  - destruct (IH l Hl) as (l1 & l2 & E & E2 & E3 & E4).
    simpl. destruct (pack b k l) as [lo l1'] eqn:P1. simpl in E2, E3. subst l1'.
    destruct l2 as [|y l2].
    + exists l1, nil; repeat split; auto. congruence.
    + assert (Hl2 : List.Forall (fun a => 0 <= a) (y :: l2)).
      { rewrite E in Hl. now apply List.Forall_app in Hl. }
      destruct (IH _ Hl2) as (l3 & l4 & F & F2 & F3 & F4).
      destruct (pack b k (y :: l2)) as [hi l3'] eqn:P2. simpl in F2, F3. subst l3'.
      exists (l1 ++ l3), l4; repeat split.
      * rewrite E, F. now rewrite app_assoc.
      * simpl fst. rewrite BigN.spec_add, BigN.spec_shiftl, sh_spec.
        rewrite Z.shiftl_mul_pow2 by (apply Z.mul_nonneg_nonneg; [apply BigN.spec_pos | lia]).
        rewrite eval_app, E4 by congruence.
        rewrite pow2k by apply BigN.spec_pos. rewrite E3, F3. ring.
      * intros H. rewrite app_length, E4, F4 by congruence. simpl. lia.
Qed.

Lemma split_spec b k : forall x acc,
  eval (2 ^ (toZ (b))) (split b k x acc) = (toZ (x)) + (2 ^ (toZ (b))) ^ Z.of_nat (2 ^ k) * eval (2 ^ (toZ (b))) acc.
Proof.
  induction k as [|k IH]; intros x acc.
  - simpl split. change (Z.of_nat (2 ^ 0)) with 1. rewrite Z.pow_1_r. reflexivity.
  - simpl split. rewrite !IH.
    assert (Hb := BigN.spec_pos b).
    rewrite BigN.spec_sub, BigN.spec_shiftl, BigN.spec_shiftr, sh_spec.
    assert (Hs : 0 <= (toZ (b)) * 2 ^ Z.of_nat k) by (apply Z.mul_nonneg_nonneg; lia).
    rewrite Z.shiftl_mul_pow2, Z.shiftr_div_pow2 by auto.
    rewrite pow2k by auto.
    assert (Hp : 0 < (2 ^ (toZ (b))) ^ Z.of_nat (2 ^ k)) by (apply Z.pow_pos_nonneg; lia).
    set (P := (2 ^ (toZ (b))) ^ Z.of_nat (2 ^ k)) in *.
    assert (E : (2 ^ (toZ (b))) ^ Z.of_nat (2 ^ S k) = P * P).
    { unfold P. rewrite <- Z.pow_add_r by lia. f_equal. simpl. lia. }
    rewrite E. rewrite Z.max_r.
    + pose proof (Z_div_mod_eq_full (toZ (x)) P). lia || nia.
    + pose proof (Z_div_mod_eq_full (toZ (x)) P). pose proof (Z.mod_pos_bound (toZ (x)) P Hp). nia.
Qed.

Definition maxl (c : list Z) := fold_left Z.max c 0.
Definition nonneg (c : list Z) := forallb (fun a => 0 <=? a) c.

(* The product, or None where the slots are too narrow. *)
Definition kmul (b : bigN) (k : nat) (x y : list Z) : option (list Z) :=
  let X := 2 ^ BigN.to_Z b in
  let (p, l1) := pack b k x in
  let (q, l2) := pack b k y in
  let sx := total x in let my := maxl y in
  match l1, l2 with
  | nil, nil =>
    let d := split b (S k) (BigN.mul p q) nil in
    if nonneg x && nonneg y && forallb (fun a => a <? X) d
       && (sx * my <? X)
    then Some d else None
  | _, _ => None
  end.

Lemma nonneg_spec c : nonneg c = true -> List.Forall (fun a => 0 <= a) c.
Proof.
  unfold nonneg. rewrite forallb_forall, Forall_forall. intros H x Hx. apply H in Hx. lia.
Qed.

Lemma maxl_ge c : forall m, m <= fold_left Z.max c m /\ List.Forall (fun a => a <= fold_left Z.max c m) c.
Proof.
  induction c as [|x c IH]; intros m; simpl; [split; [lia|constructor]|].
  destruct (IH (Z.max m x)) as [H1 H2]. split; [lia|]. constructor; [lia | auto].
Qed.

Lemma bounded_maxl c : nonneg c = true -> bounded (maxl c) c /\ 0 <= maxl c.
Proof.
  intros H. apply nonneg_spec in H. destruct (maxl_ge c 0) as [H1 H2].
  split; [|exact H1]. unfold bounded. rewrite Forall_forall in *. intros x Hx; split; auto.
Qed.

Lemma split_nonneg b k : forall x acc, List.Forall (fun a => 0 <= a) acc ->
  List.Forall (fun a => 0 <= a) (split b k x acc).
Proof.
  induction k; simpl; intros; auto. constructor; auto. apply BigN.spec_pos.
Qed.

Theorem kmul_spec b k x y d : kmul b k x y = Some d -> nonneg x = true /\ nonneg y = true /\
  nonneg d = true /\ forall n, nth0 d n = nth0 (pmul x y) n.
Proof.
  unfold kmul.
  destruct (nonneg x) eqn:Nx; [|destruct (pack b k x) as [? []], (pack b k y) as [? []]; discriminate].
  destruct (nonneg y) eqn:Ny; [|destruct (pack b k x) as [? []], (pack b k y) as [? []]; discriminate].
  destruct (pack_spec b k x (nonneg_spec _ Nx)) as (x1 & x2 & Ex & Ex2 & Ex3 & _).
  destruct (pack_spec b k y (nonneg_spec _ Ny)) as (y1 & y2 & Ey & Ey2 & Ey3 & _).
  destruct (pack b k x) as [p l1], (pack b k y) as [q l2]. simpl in *. subst l1 l2.
  destruct x2; [|discriminate]. destruct y2; [|discriminate].
  rewrite app_nil_r in Ex, Ey. subst x1 y1.
  remember (split b k (BigN.sub (BigN.mul p q) (BigN.shiftl (BigN.shiftr (BigN.mul p q) (sh b k)) (sh b k)))
           (split b k (BigN.shiftr (BigN.mul p q) (sh b k)) nil)) as dd eqn:Edd.
  destruct (forallb (fun a => a <? 2 ^ (toZ (b))) dd) eqn:Hd; [|discriminate].
  destruct (total x * maxl y <? 2 ^ (toZ (b))) eqn:Hm; [|discriminate].
  simpl. intros H; injection H as <-.
  assert (Dn : List.Forall (fun a => 0 <= a) dd).
  { rewrite Edd. apply split_nonneg, split_nonneg. constructor. }
  repeat split; auto.
  { unfold nonneg. rewrite forallb_forall. rewrite Forall_forall in Dn. intros a Ha.
    apply Dn in Ha. lia. }
  assert (Hb := BigN.spec_pos b).
  apply (eval_inj (2 ^ (toZ (b)))).
  - apply Z.pow_pos_nonneg; lia.
  - unfold digits. rewrite forallb_forall in Hd. rewrite Forall_forall in *. intros a Ha; split; auto.
    apply Hd in Ha. lia.
  - destruct (bounded_maxl y Ny) as [By My].
    eapply Forall_impl; [|exact (bounded_pmul _ _ _ My (nonneg_spec _ Nx) By)].
    simpl; intros a Ha. lia.
  - pose proof (split_spec b (S k) (BigN.mul p q) nil) as S. simpl split in S. rewrite <- Edd in S.
    rewrite S, BigN.spec_mul, Ex3, Ey3, eval_pmul. simpl eval. ring.
Qed.

(** ** The product with slots as wide as they have to be *)

Definition depth (x y : list Z) : nat := Z.to_nat (Z.log2_up (Z.of_nat (Nat.max (length x) (length y)))).
Definition slot (x y : list Z) : bigN :=
  BigN.N_of_Z (Z.log2 (total x * maxl y + 1) + 1).

Definition multiplied (x y : list Z) : option (list Z) :=
  match x, y with
  | nil, _ => if nonneg y then Some nil else None
  | _, nil => if nonneg x then Some nil else None
  | _, _ => kmul (slot x y) (depth x y) x y
  end.

Theorem multiplied_spec x y d : multiplied x y = Some d ->
  nonneg d = true /\ forall n, nth0 d n = nth0 (pmul x y) n.
Proof.
  unfold multiplied. destruct x as [|u x].
  { destruct (nonneg y); [|discriminate]. intros E; injection E as <-. auto. }
  destruct y as [|v y].
  { destruct (nonneg (u :: x)); [|discriminate]. intros E; injection E as <-. split; auto.
    intros n. rewrite nth0_nil. revert n. generalize (u :: x) as c. induction c as [|w c IH]; intros n.
    - symmetry; apply nth0_nil.
    - simpl. destruct n; auto. }
  intros E. apply kmul_spec in E. tauto.
Qed.
