// One step of a run as the library of verification/kernel/theories knows it: a pair of densities
// that it names, slices of the outputs with enclosures of their probabilities, and the text with
// which Coq computes the same slices again and proves them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lib/balls/ball.hpp"
#include "lib/exact/rational.hpp"
#include "mechanisms/composition.hpp"

namespace plaudit::kernel {

/// Integers in units of 2^-T that enclose a number.
struct Bounds {
  Integer low;
  Integer high;
};

/// Slices.v, `slice`: probabilities in units of 2^-T, and den_hi q <= num_hi p, num_lo p <= den_lo
/// q on the slice.
struct Slice {
  Integer low_p, high_p, low_q, high_q;
  Integer num_hi, den_hi, num_lo, den_lo;
  double loss_at_left = 0;  ///< log p/q at the ends, roughly
  double loss_at_right = 0;
};

/// Runs.v, `source`, and how Coq is told of it.
struct Source {
  long T;
  long B;
  std::vector<Slice> slices;  ///< from the least loss to the greatest
  Integer outside;            ///< in units of 2^-B: what p has outside of the slices, at most
  long interval_bits;         ///< the precision with which Coq proves the enclosures
  /// Definitions of NAME_source and of NAME_step, and the lemma NAME_holds : source_holds B T
  /// NAME_step NAME_source.
  std::string text;
  bool slices_are_cells = false;  ///< each by itself: its ratio is constant
};

/// How many slices a law is cut into, and how far they reach.
struct Fineness {
  double slices;       ///< to a standard deviation of the noise
  double deviations;   ///< of the noise that the slices reach to, where the outputs have no end
  double most;         ///< slices; a law that needs more is refused
  bool lower = false;  ///< for a lower end: what only p has is a slice too
};

/// All losses that matter are offset + k spacing, 0 <= k <= most.
struct LatticeOfLosses {
  Rational offset;
  Rational spacing;
  double most;
};

/// Binary logarithms: of 1 over the least probability, of the greatest ratio of the densities, and
/// of 1 over the least ratio.
struct LawBits {
  double probability = 0;
  double great_ratio = 0;
  double small_ratio = 0;
};

class StepLaw {
 public:
  StepLaw() = default;
  StepLaw(const StepLaw&) = delete;
  StepLaw& operator=(const StepLaw&) = delete;
  virtual ~StepLaw() = default;

  /// The pair of densities, as Laws.v names it.
  virtual std::string step() const = 0;
  virtual LawBits bits(const Fineness& fineness) const = 0;
  /// @throws std::domain_error: more slices than the heuristics allow.
  virtual Source source(const std::string& name, const Fineness& fineness, long T,
                        long B) const = 0;
  virtual std::optional<LatticeOfLosses> lattice() const { return std::nullopt; }
  /// "pure_step (1 / 10)": what every step satisfies that is no worse than this one; and the proof
  /// of `no_worse s STEP` from H : PROPERTY s.
  struct Property {
    std::string of_steps;
    std::string no_worse;
  };
  virtual std::optional<Property> property() const { return std::nullopt; }
  /// The theorem about data sets of queries that are no worse than this step.
  struct Queries {
    std::string given;     ///< "forall ..., 0 < bound -> ... ->"
    std::string names;     ///< of what is given
    std::string private_;  ///< "remove_private (fun h => Query ...)"
    std::string theorem;   ///< "answers_remove_private"
    std::string within;    ///< the proof that each query is within the step
  };
  virtual std::optional<Queries> queries() const { return std::nullopt; }
  /// The theorem that some of these queries are as bad as this step.
  struct WorstQuery {
    std::string given;     ///< "forall ..., 0 < bound -> exists ..., ... /\"
    std::string names;     ///< of what is given
    std::string private_;  ///< "vectors_remove_private (fun h => VectorQuery ...)", which is not so
    std::string theorem;   ///< "vectors_not_remove_private"
    std::string attained;  ///< the proof that this step is the pair of a query
  };
  virtual std::optional<WorstQuery> worst_query() const { return std::nullopt; }
  /// The answers about data sets that are no worse than this step, where others come before and
  /// after them (theories/Releases.v); proofs, empty where there is none.
  struct Releases {
    std::string kind;         ///< "gaussian_sum (4 / 5) (1 / 250)"
    std::string within;       ///< of removed_within KIND STEP, or of added_within
    std::string attained;     ///< of removed_attained one KIND STEP, or of added_attained
    std::string both_within;  ///< of both with one step
    std::string both_attained;
  };
  virtual std::optional<Releases> releases() const { return std::nullopt; }
};

struct CountedLaw {
  std::shared_ptr<const StepLaw> law;
  std::uint64_t count;
  std::string spec;  ///< of its mechanism
};

/// @throws std::invalid_argument: a factor that no theorem covers, which it names.
std::vector<CountedLaw> step_laws(const Composition& composition, Direction direction);

/// p and q = mixtures of normal distributions, with centres that are integers: p's are >= 0, q's <=
/// 0.
struct NormalPair {
  struct Component {
    long centre;
    Rational probability;
  };
  Rational variance;
  std::vector<Component> p;
  std::vector<Component> q;
  bool removes;  ///< p is the mixture, or both are
};

std::shared_ptr<const StepLaw> gaussian_law(const NormalPair& pair);
/// Laplace noise of scale b on a Poisson sample; rate 1: no sampling.
std::shared_ptr<const StepLaw> laplace_law(const Rational& b, const Rational& rate, bool removes);
/// Noise on the integers for a sum of whole numbers.
struct DiscreteNoise {
  Rational scale;  ///< of Laplace noise; the parameter sigma^2 of Gaussian noise
  long sensitivity;
  Rational rate;  ///< 1: no sampling
  bool removes;
};
std::shared_ptr<const StepLaw> discrete_laplace_law(const DiscreteNoise& noise);
std::shared_ptr<const StepLaw> discrete_gaussian_law(const DiscreteNoise& noise);
/// (epsilon, delta)-private steps; the epsilon is given by e^epsilon where `odds`.
std::shared_ptr<const StepLaw> response_law(const Rational& value, bool odds,
                                            const Rational& delta);
/// Losses with their probabilities, the least first, and what only p has.
struct LossAtoms {
  std::vector<Rational> losses;
  std::vector<Rational> masses;
  Rational infinite;
};
std::shared_ptr<const StepLaw> loss_law(const LossAtoms& atoms);

}  // namespace plaudit::kernel
