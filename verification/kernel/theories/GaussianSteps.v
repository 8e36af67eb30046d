(** Sources of mixtures on a grid (Gaussian.v) are sources of the steps that Laws.v defines: of mixtures, of
    the Gaussian mechanism, of its Poisson sample; and, reflected, of these with the data sets swapped. *)
From Coq Require Import Reals ZArith List Lia Lra.
From Plaudit Require Import Privacy Outputs Laws Curve Composition Lattice Powers Slices Normal Gaussian Runs Sources.
Import List ListNotations.
Open Scope R_scope.

(** Real weights and centres of the parts. *)
Definition real_parts (den W : Z) (cs : list part) : list (R * R) :=
  map (fun c => (IZR (share_of c) / IZR W, IZR (centre c) / IZR den)) cs.

Lemma density_mixture den sigma W cs x : density den sigma W cs x = mixture sigma (real_parts den W cs) x.
Proof.
  unfold density, Rdiv. induction cs as [|c cs IH]; unfold sum_parts, mixture in *; simpl; [ring|].
  rewrite <- IH. unfold Rdiv. ring.
Qed.

Theorem mixtures_source B T den sigma W_p W_q ps qs src :
  source_holds B T (the_step den sigma W_p W_q ps qs) src ->
  source_holds B T (mixtures sigma (real_parts den W_p ps) (real_parts den W_q qs)) src.
Proof. apply source_same; intros x; apply density_mixture. Qed.

(** The step [mixtures] with centres on the other side: what is to the left of 0 in the grid. *)
Definition mirrored (l : list (R * R)) : list (R * R) := map (fun wc => (fst wc, - snd wc)) l.

Lemma normal_reflected sigma x : normal sigma (- x) = normal sigma x.
Proof. unfold normal. do 3 f_equal. ring. Qed.

Lemma mixture_mirrored sigma l x : mixture sigma (mirrored l) x = mixture sigma l (- x).
Proof.
  induction l as [|[w c] l IH]; unfold mixture in *; simpl; auto. rewrite IH. do 2 f_equal.
  rewrite <- normal_reflected. f_equal. ring.
Qed.

Theorem mixtures_mirrored B T sigma ps qs src : source_holds B T (mixtures sigma ps qs) src ->
  source_holds B T (mixtures sigma (mirrored ps) (mirrored qs)) src.
Proof.
  intros H. apply source_reflected in H. revert H. apply source_same; intros x; symmetry; apply mixture_mirrored.
Qed.

(** A generated file shows which parts it has. *)
Definition parts_are (cs : list part) (l : list (Z * Z)) : Prop := map (fun c => (share_of c, centre c)) cs = l.

Lemma parts_density den sigma W cs l x : parts_are cs l ->
  density den sigma W cs x = mixture sigma (map (fun sc => (IZR (fst sc) / IZR W, IZR (snd sc) / IZR den)) l) x.
Proof. intros <-. rewrite density_mixture. unfold real_parts. rewrite map_map. reflexivity. Qed.

(** Lists of real weights and centres that are said otherwise, for instance reduced. *)
Definition over (W den : Z) (l : list (Z * Z)) : list (R * R) := map (fun sc => (IZR (fst sc) / IZR W, IZR (snd sc) / IZR den)) l.

Theorem mixtures_of_parts B T den sigma W_p W_q ps qs lp lq rp rq src : parts_are ps lp -> parts_are qs lq ->
  over W_p den lp = rp -> over W_q den lq = rq ->
  source_holds B T (the_step den sigma W_p W_q ps qs) src -> source_holds B T (mixtures sigma rp rq) src.
Proof.
  intros Hp Hq <- <-. apply source_same; intros x; now apply parts_density.
Qed.

(** Adjacency "add": the data sets change places, and outputs are mirrored. *)
Theorem swapped_mixtures_of_parts B T den sigma W_p W_q ps qs lp lq rp rq src : parts_are ps lp -> parts_are qs lq ->
  mirrored (over W_p den lp) = rq -> mirrored (over W_q den lq) = rp ->
  source_holds B T (the_step den sigma W_p W_q ps qs) src -> source_holds B T (swapped (mixtures sigma rp rq)) src.
Proof.
  intros Hp Hq <- <- H. apply (mixtures_mirrored B T sigma (over W_p den lp) (over W_q den lq)).
  revert H. now apply mixtures_of_parts with (lp := lp) (lq := lq).
Qed.

Section Steps.
Variables (B T den W a : Z) (sigma : R) (ps qs : list part) (src : source).
Hypothesis den_positive : (0 < den)%Z.
Hypothesis W_positive : (0 < W)%Z.

Lemma den_over_den : IZR den / IZR den = 1.
Proof. apply IZR_lt in den_positive. field. lra. Qed.
Lemma share_left : IZR (W - a) / IZR W = 1 - IZR a / IZR W.
Proof. apply IZR_lt in W_positive. rewrite minus_IZR. field. lra. Qed.

(** Adjacency "remove" of the Poisson sample with rate a / W. *)
Theorem sampled_gaussian_source : parts_are ps [(W - a, 0); (a, den)]%Z -> parts_are qs [(1, 0)]%Z ->
  source_holds B T (the_step den sigma W 1 ps qs) src -> source_holds B T (sampled_gaussian sigma (IZR a / IZR W)) src.
Proof.
  intros Hp Hq. apply source_same; intros x.
  - rewrite (parts_density _ _ _ _ _ x Hp). unfold mixture. simpl. rewrite den_over_den, share_left.
    replace (x - 0 / IZR den) with x by (unfold Rdiv; ring). ring.
  - rewrite (parts_density _ _ _ _ _ x Hq). unfold mixture. simpl.
    replace (x - 0 / IZR den) with x by (unfold Rdiv; ring). field.
Qed.

(** Adjacency "add". *)
Theorem swapped_sampled_gaussian_source : parts_are ps [(1, 0)]%Z -> parts_are qs [(W - a, 0); (a, - den)]%Z ->
  source_holds B T (the_step den sigma 1 W ps qs) src -> source_holds B T (swapped (sampled_gaussian sigma (IZR a / IZR W))) src.
Proof.
  intros Hp Hq H. apply source_reflected in H. revert H. apply source_same; intros x.
  - rewrite (parts_density _ _ _ _ _ (- x) Hp). unfold mixture. simpl.
    replace (- x - 0 / IZR den) with (- x) by (unfold Rdiv; ring). rewrite normal_reflected. field.
  - rewrite (parts_density _ _ _ _ _ (- x) Hq). unfold mixture. simpl. rewrite share_left, opp_IZR.
    replace (- IZR den / IZR den) with (- (1)) by (rewrite <- den_over_den; unfold Rdiv; ring).
    replace (- x - 0 / IZR den) with (- x) by (unfold Rdiv; ring).
    replace (- x - - (1)) with (- (x - 1)) by ring. rewrite !normal_reflected. ring.
Qed.

(** Without sampling. *)
Theorem gaussian_source_of_grid : parts_are ps [(1, den)]%Z -> parts_are qs [(1, 0)]%Z ->
  source_holds B T (the_step den sigma 1 1 ps qs) src -> source_holds B T (gaussian sigma) src.
Proof.
  intros Hp Hq. apply source_same; intros x.
  - rewrite (parts_density _ _ _ _ _ x Hp). unfold mixture. simpl. rewrite den_over_den. field.
  - rewrite (parts_density _ _ _ _ _ x Hq). unfold mixture. simpl.
    replace (x - 0 / IZR den) with x by (unfold Rdiv; ring). field.
Qed.

Theorem swapped_gaussian_source_of_grid : parts_are ps [(1, 0)]%Z -> parts_are qs [(1, - den)]%Z ->
  source_holds B T (the_step den sigma 1 1 ps qs) src -> source_holds B T (swapped (gaussian sigma)) src.
Proof.
  intros Hp Hq H. apply source_reflected in H. revert H. apply source_same; intros x.
  - rewrite (parts_density _ _ _ _ _ (- x) Hp). unfold mixture. simpl.
    replace (- x - 0 / IZR den) with (- x) by (unfold Rdiv; ring). rewrite normal_reflected. field.
  - rewrite (parts_density _ _ _ _ _ (- x) Hq). unfold mixture. simpl. rewrite opp_IZR.
    replace (- IZR den / IZR den) with (- (1)) by (rewrite <- den_over_den; unfold Rdiv; ring).
    replace (- x - - (1)) with (- (x - 1)) by ring. rewrite normal_reflected. field.
Qed.

End Steps.

(** The rate 1 is no sampling. *)
Lemma sampled_gaussian_always B T sigma src : source_holds B T (gaussian sigma) src ->
  source_holds B T (sampled_gaussian sigma 1) src.
Proof. apply source_same; intros x; simpl; ring. Qed.

(** A standard deviation that is a root. *)
Lemma root_of_variance den v b : 0 < IZR den -> 0 < v -> b = / (IZR den * IZR den * v) ->
  b = / (IZR den * sqrt v * (IZR den * sqrt v)).
Proof.
  intros Hd Hv ->. f_equal. replace (IZR den * sqrt v * (IZR den * sqrt v)) with (IZR den * IZR den * (sqrt v * sqrt v)) by ring.
  rewrite sqrt_sqrt; lra.
Qed.
