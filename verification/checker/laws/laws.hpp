// The laws of privacy losses that specs stand for, by exact parameters: one per factor and
// direction. Written from docs/mechanisms.md and docs/certificates.md.
//
// L = log dP/dQ under P. M(z) = E_P[e^{zL}; L < inf]. phi is the standard normal density.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "accountants/proof/arithmetic/budget.hpp"
#include "accountants/proof/arithmetic/intervals.hpp"
#include "accountants/proof/kinds/atoms.hpp"
#include "accountants/proof/laws/plain_laws.hpp"
#include "verification/checker/laws/line_memory.hpp"

namespace plaudit::proof {

/// remove: the law P with the record against Q without it; add: the pair swapped.
enum class Direction { remove, add };

/// The Gaussian of this distance.
Gaussian gaussian_at(const Rational& distance);

/// A Gaussian on a random batch when records are replaced
/// (docs/proofs/sampling.md#replacement-law): a public label of weight w_j; given it, with f_j = 1
/// - q + q e^{a_j y - a_j^2/2}, L = log f_j on {y > a_j/2} under f_j phi, -log f_j on {y > a_j/2}
/// under phi, and L = 0 with the mass (1 - q)(2 Phi(a_j/2) - 1). The same in both directions.
struct Labelled {
  struct Label {
    Rational weight;  ///< > 0, sum 1
    Rational rate;    ///< a_j > 0
  };
  Rational q;  ///< in (0, 1)
  std::vector<Label> labels;
};

/// Any law with P(L = inf) = 0 and log M(t) <= linear t + quadratic t^2 for 0 <= t < limit - 1, in
/// both directions (docs/proofs/bounded_moments.md#moments); or, where lines are given, at most the
/// greatest of them for 0 <= t <= limit - 1 (#profile there). No pair has the worst one.
struct Bounded {
  struct Line {
    Rational slope;
    Rational at_zero;
  };
  Rational linear;                ///< >= 0
  Rational quadratic;             ///< > 0
  std::optional<Rational> limit;  ///< > 1; none: all orders
  std::vector<Line> lines = {};
};

/// Laplace noise of which nothing beyond +-A is drawn, a = D/b, beyond = (A - D)/b: a public label,
/// which says Range(a), two points at +-a, or L = inf (docs/proofs/truncated.md#laplace). The same
/// in both directions.
struct TruncatedLaplace {
  /// Probabilities of the labels.
  struct Shares {
    Interval between;
    Interval ends;
    Interval infinite;
  };
  Rational ratio;   ///< a > 0
  Rational beyond;  ///< >= 0

  Shares shares() const;
};

/// Gaussian noise of which nothing beyond +-A is drawn, moved by D against itself: L is N(mu, 2 mu)
/// where that is within +-end, mu = D^2/(2v), end = D (2A - D)/(2v), and L = inf where only P has
/// outputs (docs/proofs/truncated.md#gaussian). The same in both directions.
struct TruncatedGaussian {
  Rational mu;   ///< > 0
  Rational end;  ///< > 0, the greatest loss

  Interval deviation() const;  ///< of L: D/sigma
  Interval bound() const;      ///< A/sigma
  Interval whole() const;      ///< the probability of noise within +-A
  Interval infinite() const;   ///< P(L = inf)
};

/// Laplace noise of ratio `inner` beside an event that the record alone can show, which has the
/// probability 1 - w: what a threshold of noisy counts is bounded by, w the probability that
/// Laplace noise of scale 1 is at most `height`, inner > 0 the number a'' of the theorem
/// (docs/proofs/thresholds.md#laplace). L = log w + L_inner (remove), L_inner - log w (add).
struct LaplaceThreshold {
  Rational ratio;   ///< a > 0, of the noise itself
  Rational height;  ///< (threshold - 1) / scale
  Rational inner;
  bool removes;

  Interval log_unseen() const;  ///< log w
  Interval seen() const;        ///< 1 - w
};

/// phi(k) proportional to e^{-k^2/(2v)} on the integers, shifted by D against itself; the same in
/// both directions (docs/proofs/discrete.md#discrete-gaussian).
struct DiscreteGaussian {
  Rational variance;
  Integer sensitivity;
};

/// A value of L that has positive probability.
using Atom = AtomOf<Interval>;

/// Where a number is rational it is here exactly.
struct ExactAtom {
  std::optional<Rational> loss;
  std::optional<Rational> p;
  std::optional<Rational> q;
};

/// offset + index * mesh, exactly.
struct Lattice {
  Rational offset;
  Rational mesh;  ///< > 0
  std::vector<long> indices;
};

/// Finitely many values of L, and L = inf with some mass.
class Finite {
 public:
  struct Masses {
    std::vector<Atom> atoms;  ///< in increasing loss
    Interval infinite;        ///< P(L = inf)
    Interval q_mass;          ///< Q(dP/dQ > 0)
  };
  /// What is known of the law without intervals.
  struct Exact {
    std::vector<ExactAtom> atoms;  ///< as many as Masses::atoms, in the same order
    std::optional<Rational> infinite;
    std::optional<Rational> q_mass;
    std::optional<Lattice> lattice;  ///< where all losses are rational
    bool stated = false;             ///< by numbers, in a file or as bounds: no formula has it
    /// What the masses cost at so many bits beside what each value does, where that is much.
    std::function<Integer(long bits)> cost;
    /// What the law is, where it is one of these, for those who state it in other words: no check
    /// needs it.
    struct TwoPoints {
      Rational value;
      bool odds;
    };
    struct DiscreteLaplace {
      Rational scale;
      long sensitivity;
      Rational rate;  ///< of a Poisson sample; 1: none
    };
    std::optional<TwoPoints> two_points;
    std::optional<DiscreteLaplace> discrete_laplace;
  };

  /// @param text what it is, as a certificate states it (law_text.hpp).
  Finite(std::string text, std::function<Masses()> masses, Exact exact)
      : text_(std::move(text)),
        masses_(std::move(masses)),
        exact_(std::make_shared<const Exact>(std::move(exact))) {}

  /// Enclosures at the working precision.
  Masses masses() const { return masses_(); }
  const Exact& exact() const { return *exact_; }
  std::size_t size() const { return exact_->atoms.size(); }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::function<Masses()> masses_;
  std::shared_ptr<const Exact> exact_;
};

/// A Poisson sample of the base at a rate in (0, 1): L' = log(1 - g + g e^l) with the masses
/// (1-g) Q + g P and Q (remove), L' = -log(1 - g + g e^{-l}) with P and (1-g) P + g Q (add)
/// (docs/proofs/discrete.md#sampled).
struct Sampled {
  std::variant<Laplace, DiscreteGaussian> base;
  Rational rate;
  bool removes;
};

/// A public label, of the same law under P and Q, and a law for each label
/// (docs/proofs/poisson_adjacencies.md#labels).
struct LawsOfLabels;
struct PublicLabel {
  std::string text;
  std::function<std::vector<Interval>()> shares;  ///< probabilities of the labels
  std::shared_ptr<const LawsOfLabels> laws;       ///< without masses at infinity
  std::vector<std::string> names;  ///< of the labels' choices; none where these are a list
  Integer operations;              ///< that the probabilities take
};

/// A record takes part in one step of each of several blocks, drawn uniformly: with independent
/// X_i = e^{a y_i - a^2/2}, y_i standard normal, and A_t(w) = E ((X_1 + .. + X_t)/t)^w, M(z) is the
/// product of A_t(1 + z) (remove) or A_t(-z) (add) over the blocks of t steps
/// (docs/proofs/random_allocation.md#blocks). lines/line_allocation.cpp has A.
struct Allocation {
  struct Blocks {
    std::uint64_t steps;
    std::uint64_t count;
  };
  Rational squared_rate;  ///< a^2
  std::vector<Blocks> blocks;
  bool removes;
};

using Law = std::variant<Gaussian, Mixture, Labelled, Mirrored, Laplace, Range, Finite,
                         DiscreteGaussian, Sampled, PublicLabel, Allocation, Bounded,
                         TruncatedLaplace, LaplaceThreshold, TruncatedGaussian>;

struct LawsOfLabels {
  std::vector<std::shared_ptr<const Law>> each;
};

/// One factor of a composition in one direction.
struct Factor {
  std::string mechanism;  ///< its canonical text
  std::shared_ptr<const Law> law;
  std::uint64_t count;  ///< 1 .. 10^12
};

/// One direction of a composition: L is the sum of independent copies of the factors' losses.
struct Run {
  Direction direction;
  std::vector<Factor> factors;
  /// Of the latest statement about a line. Copies of a run share it, for they have the same
  /// factors.
  std::shared_ptr<LineMemory> memory = std::make_shared<LineMemory>();
};

/// How many values a law keeps; long fractions of batches count as several.
Integer values_of(const Law& law);

/// +-eps with the P-masses (1-delta) e^eps/(1+e^eps) and (1-delta)/(1+e^eps), inf with delta. By
/// epsilon itself, or by e^eps where `odds`.
Finite two_points(const Rational& value, bool odds, const Rational& delta);
/// Randomized response of k >= 3 categories: eps, 0 and -eps with the P-masses e^eps, k - 2 and 1
/// over e^eps + k - 1 (docs/proofs/selection.md#randomized-response).
Finite answers(const Rational& value, bool odds, const Integer& categories);
/// (2j - D)/b, j = 0..D (docs/proofs/discrete.md#discrete-laplace).
Finite discrete_laplace(const Rational& scale, long sensitivity);
/// The same, cut beyond +-bound >= D: some mass at infinity
/// (docs/proofs/truncated.md#discrete-laplace).
Finite truncated_discrete_laplace(const Rational& scale, const Rational& bound, long sensitivity);
/// epsilon, 0 and -epsilon: a staircase of this first width and the same moved by 1
/// (docs/proofs/staircase.md#law). gamma in (0, 1), not 1/2, where it is two points.
Finite staircase(const Rational& epsilon, const Rational& gamma);
/// Two mechanisms at once, all losses of both rational: the losses are added, the masses multiplied
/// (docs/proofs/poisson_adjacencies.md#joint).
Finite joined(const Finite& first, const Finite& second);
/// The coarsest lattice that contains all losses; nothing where a common denominator has over 4096
/// bits or an index exceeds 4 10^6.
std::optional<Lattice> common_lattice(const std::vector<Rational>& losses);
/// An outcome of a law in its Poisson sample at a rate in (0, 1), and the sample of a finite law.
Atom sampled_atom(const Atom& atom, const Rational& rate, Direction direction);
Finite sampled(const Finite& base, const Rational& rate, Direction direction);

}  // namespace plaudit::proof
