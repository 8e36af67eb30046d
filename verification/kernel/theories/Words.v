(** Integers of Z computed by machine words: conversions to and from the numbers of Bignums that take a step
    a bit, products and comparisons of products. *)
From Coq Require Import ZArith Lia Uint63.
From Bignums Require Import BigZ.
Open Scope Z_scope.

(** ** From words to Z *)

(** The [n] lowest bits of [i] after the bits of [rest]. *)
Fixpoint bits_before (n : nat) (i : int) (rest : Z) : Z :=
  match n with
  | O => rest
  | S n => if is_even i then Z.double (bits_before n (i >> 1)%uint63 rest)
           else Z.succ_double (bits_before n (i >> 1)%uint63 rest)
  end.
Definition one_word (i : int) (rest : Z) : Z := bits_before Uint63.size i rest.
Definition two_words (w : DoubleType.zn2z int) (rest : Z) : Z :=
  match w with
  | DoubleType.W0 => one_word 0%uint63 (one_word 0%uint63 rest)
  | DoubleType.WW h l => one_word l (one_word h rest)
  end.
Definition four_words (w : DoubleType.zn2z (DoubleType.zn2z int)) (rest : Z) : Z :=
  match w with
  | DoubleType.W0 => two_words DoubleType.W0 (two_words DoubleType.W0 rest)
  | DoubleType.WW h l => two_words l (two_words h rest)
  end.
Definition eight_words (w : DoubleType.zn2z (DoubleType.zn2z (DoubleType.zn2z int))) (rest : Z) : Z :=
  match w with
  | DoubleType.W0 => four_words DoubleType.W0 (four_words DoubleType.W0 rest)
  | DoubleType.WW h l => four_words l (four_words h rest)
  end.
Definition natural_to_Z (x : BigN.t) : Z :=
  match x with
  | BigN.N0 i => one_word i 0
  | BigN.N1 w => two_words w 0
  | BigN.N2 w => four_words w 0
  | BigN.N3 w => eight_words w 0
  | _ => BigN.to_Z x
  end.
Definition to_Z (x : BigZ.t) : Z :=
  match x with BigZ.Pos n => natural_to_Z n | BigZ.Neg n => - natural_to_Z n end.

Lemma bits_before_value n : forall i rest, bits_before n i rest = Uint63.to_Z_rec n i + 2 ^ Z.of_nat n * rest.
Proof.
  induction n as [|n IH]; intros i rest.
  - simpl bits_before. simpl to_Z_rec. rewrite Z.pow_0_r. lia.
  - cbn [bits_before Uint63.to_Z_rec]. rewrite IH, Nat2Z.inj_succ, Z.pow_succ_r by lia.
    destruct (is_even i); rewrite ?Z.double_spec, ?Z.succ_double_spec; lia.
Qed.
Lemma one_word_value i rest : one_word i rest = Uint63.to_Z i + wB * rest.
Proof. exact (bits_before_value _ i rest). Qed.
Lemma two_words_value w rest : two_words w rest = DoubleType.zn2z_to_Z wB Uint63.to_Z w + (wB * wB) * rest.
Proof.
  destruct w as [|h l]; cbn [two_words DoubleType.zn2z_to_Z]; rewrite !one_word_value.
  - change (Uint63.to_Z 0) with 0. ring.
  - ring.
Qed.
Lemma four_words_value w rest : four_words w rest =
  DoubleType.zn2z_to_Z (wB * wB) (DoubleType.zn2z_to_Z wB Uint63.to_Z) w + (wB * wB * (wB * wB)) * rest.
Proof.
  destruct w as [|h l]; cbn [four_words DoubleType.zn2z_to_Z]; rewrite !two_words_value; cbn [DoubleType.zn2z_to_Z]; ring.
Qed.

Lemma eight_words_value w rest : eight_words w rest =
  DoubleType.zn2z_to_Z (wB * wB * (wB * wB)) (DoubleType.zn2z_to_Z (wB * wB) (DoubleType.zn2z_to_Z wB Uint63.to_Z)) w +
  (wB * wB * (wB * wB) * (wB * wB * (wB * wB))) * rest.
Proof.
  destruct w as [|h l]; cbn [eight_words DoubleType.zn2z_to_Z]; rewrite !four_words_value; cbn [DoubleType.zn2z_to_Z]; ring.
Qed.

Lemma natural_to_Z_value x : natural_to_Z x = BigN.to_Z x.
Proof.
  destruct x as [i | w | w | w | w | w | w | n w]; try reflexivity; unfold natural_to_Z.
  - rewrite one_word_value, Z.mul_0_r, Z.add_0_r. reflexivity.
  - rewrite two_words_value, Z.mul_0_r, Z.add_0_r. reflexivity.
  - rewrite four_words_value, Z.mul_0_r, Z.add_0_r. reflexivity.
  - rewrite eight_words_value, Z.mul_0_r, Z.add_0_r. reflexivity.
Qed.
Theorem to_Z_value x : to_Z x = BigZ.to_Z x.
Proof. destruct x as [n | n]; simpl; now rewrite natural_to_Z_value. Qed.

(** ** From Z to words *)

(** The [n] lowest bits, and what is above them. *)
Fixpoint lowest_bits (n : nat) (p : N) : int * N :=
  match n with
  | O => (0%uint63, p)
  | S n =>
    match p with
    | N0 => (0%uint63, N0)
    | Npos xH => (1%uint63, N0)
    | Npos (xO p) => let (i, rest) := lowest_bits n (Npos p) in ((i + i)%uint63, rest)
    | Npos (xI p) => let (i, rest) := lowest_bits n (Npos p) in ((i + i + 1)%uint63, rest)
    end
  end.
Definition next_word (p : N) : int * N := lowest_bits Uint63.size p.

Lemma lowest_bits_value n : (n <= Uint63.size)%nat -> forall p, let (i, rest) := lowest_bits n p in
  Uint63.to_Z i + 2 ^ Z.of_nat n * Z.of_N rest = Z.of_N p /\ 0 <= Uint63.to_Z i < 2 ^ Z.of_nat n.
Proof.
  induction n as [|n IH]; intros Hn p.
  - cbn [lowest_bits]. change (Uint63.to_Z 0) with 0. rewrite Z.pow_0_r. lia.
  - specialize (IH ltac:(lia)). cbn [lowest_bits].
    assert (P : 0 < 2 ^ Z.of_nat n) by (apply Z.pow_pos_nonneg; lia).
    assert (W : 2 ^ Z.of_nat (S n) <= wB) by (apply Z.pow_le_mono_r; lia).
    assert (E : 2 ^ Z.of_nat (S n) = 2 * 2 ^ Z.of_nat n) by (rewrite Nat2Z.inj_succ, Z.pow_succ_r; lia).
    assert (A : forall i, 0 <= Uint63.to_Z i < 2 ^ Z.of_nat n ->
      Uint63.to_Z (i + i)%uint63 = 2 * Uint63.to_Z i /\ Uint63.to_Z (i + i + 1)%uint63 = 2 * Uint63.to_Z i + 1).
    { intros i Hi. assert (D : Uint63.to_Z (i + i)%uint63 = 2 * Uint63.to_Z i).
      { rewrite Uint63.add_spec, Z.mod_small; lia. }
      split; auto. rewrite Uint63.add_spec, D. change (Uint63.to_Z 1) with 1. rewrite Z.mod_small; lia. }
    destruct p as [|[p | p |]].
    + change (Uint63.to_Z 0) with 0. lia.
    + specialize (IH (Npos p)). destruct (lowest_bits n (Npos p)) as [i rest]. destruct IH as [I1 I2].
      destruct (A i I2) as [_ ->]. rewrite E. simpl Z.of_N in I1 |- *. lia.
    + specialize (IH (Npos p)). destruct (lowest_bits n (Npos p)) as [i rest]. destruct IH as [I1 I2].
      destruct (A i I2) as [-> _]. rewrite E. simpl Z.of_N in I1 |- *. lia.
    + change (Uint63.to_Z 1) with 1. simpl Z.of_N. lia.
Qed.
Lemma next_word_value p : Z.of_N p = Uint63.to_Z (fst (next_word p)) + wB * Z.of_N (snd (next_word p)).
Proof.
  pose proof (lowest_bits_value Uint63.size (le_n _) p) as H. unfold next_word.
  destruct (lowest_bits Uint63.size p) as [i rest]. cbn [fst snd]. symmetry. apply H.
Qed.

Definition next_four (p : N) : DoubleType.zn2z (DoubleType.zn2z int) * N :=
  let (a, p) := next_word p in let (b, p) := next_word p in
  let (c, p) := next_word p in let (d, p) := next_word p in
  (DoubleType.WW (DoubleType.WW d c) (DoubleType.WW b a), p).
Notation four_value := (DoubleType.zn2z_to_Z (wB * wB) (DoubleType.zn2z_to_Z wB Uint63.to_Z)).
Lemma next_four_value p : Z.of_N p = four_value (fst (next_four p)) + wB * wB * (wB * wB) * Z.of_N (snd (next_four p)).
Proof.
  unfold next_four.
  pose proof (next_word_value p) as V1. destruct (next_word p) as [a p1]. cbn [fst snd] in V1.
  pose proof (next_word_value p1) as V2. destruct (next_word p1) as [b p2]. cbn [fst snd] in V2.
  pose proof (next_word_value p2) as V3. destruct (next_word p2) as [c p3]. cbn [fst snd] in V3.
  pose proof (next_word_value p3) as V4. destruct (next_word p3) as [d p4]. cbn [fst snd] in V4.
  cbn [fst snd DoubleType.zn2z_to_Z]. rewrite V1, V2, V3, V4. ring.
Qed.

Definition natural_of (p : positive) : BigN.t :=
  let (a, p1) := next_word (Npos p) in
  match p1 with
  | N0 => BigN.N0 a
  | _ =>
    let (b, p2) := next_word p1 in
    match p2 with
    | N0 => BigN.N1 (DoubleType.WW b a)
    | _ =>
      let (low, p4) := next_four (Npos p) in
      match p4 with
      | N0 => BigN.N2 low
      | _ =>
        let (high, p8) := next_four p4 in
        match p8 with N0 => BigN.N3 (DoubleType.WW high low) | _ => BigN.of_pos p end
      end
    end
  end.
Definition of_Z (x : Z) : BigZ.t :=
  match x with Z0 => BigZ.zero | Zpos p => BigZ.Pos (natural_of p) | Zneg p => BigZ.Neg (natural_of p) end.

Lemma natural_of_value p : BigN.to_Z (natural_of p) = Zpos p.
Proof.
  unfold natural_of. change (Zpos p) with (Z.of_N (Npos p)).
  pose proof (next_word_value (Npos p)) as V1. destruct (next_word (Npos p)) as [a p1]. cbn [fst snd] in V1.
  pose proof (next_word_value p1) as V2. destruct (next_word p1) as [b p2]. cbn [fst snd] in V2.
  pose proof (next_four_value (Npos p)) as V4. destruct (next_four (Npos p)) as [low p4]. cbn [fst snd] in V4.
  pose proof (next_four_value p4) as V8. destruct (next_four p4) as [high p8]. cbn [fst snd] in V8.
  destruct p1 as [|q1].
  { change (BigN.to_Z (BigN.N0 a)) with (Uint63.to_Z a). rewrite V1. change (Z.of_N 0) with 0. ring. }
  destruct p2 as [|q2].
  { change (BigN.to_Z (BigN.N1 (DoubleType.WW b a))) with (Uint63.to_Z b * wB + Uint63.to_Z a).
    rewrite V1, V2. change (Z.of_N 0) with 0. ring. }
  destruct p4 as [|q4].
  { change (BigN.to_Z (BigN.N2 low)) with (four_value low). rewrite V4. change (Z.of_N 0) with 0. ring. }
  destruct p8 as [|q8]; [|apply BigN.spec_of_pos].
  change (BigN.to_Z (BigN.N3 (DoubleType.WW high low))) with (four_value high * (wB * wB * (wB * wB)) + four_value low).
  rewrite V4, V8. change (Z.of_N 0) with 0. ring.
Qed.
Theorem of_Z_value x : BigZ.to_Z (of_Z x) = x.
Proof. destruct x as [|p|p]; [reflexivity| |]; simpl; now rewrite natural_of_value. Qed.

(** ** Products *)

Definition times (a b : Z) : Z := to_Z (BigZ.mul (of_Z a) (of_Z b)).
Lemma times_is a b : times a b = a * b.
Proof. unfold times. now rewrite to_Z_value, BigZ.spec_mul, !of_Z_value. Qed.

(** a b <= c d *)
Definition products_ordered (a b c d : Z) : bool :=
  BigZ.leb (BigZ.mul (of_Z a) (of_Z b)) (BigZ.mul (of_Z c) (of_Z d)).
Lemma products_ordered_is a b c d : products_ordered a b c d = (a * b <=? c * d).
Proof. unfold products_ordered. now rewrite BigZ.spec_leb, !BigZ.spec_mul, !of_Z_value. Qed.
