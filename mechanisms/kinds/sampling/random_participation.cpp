// random_participation(coefficients, sigma, steps, bins or separation and rate, sensitivity):
// correlated noise of a banded Toeplitz matrix on steps that each record draws by itself, balls in
// bins (Chua et al., arXiv 2412.16802) or with a least separation (b-min-sep, arXiv 2602.09338).
//
// Its pair is a mixture of Gaussians in as many dimensions as steps. The law here is a bound at
// points: by integer moments, by the Gaussian of known steps and, where the record has two states
// or its bins are compared with a ring, by a grid. Lower ends are true tests. Proof:
// docs/proofs/random_participation.md#pair
#include <algorithm>
#include <cmath>
#include <map>

#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "mechanisms/forms/later_mechanism.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/laws/finite_loss.hpp"
#include "mechanisms/laws/piecewise_curve.hpp"
#include "mechanisms/mixtures/gaussian_loss.hpp"
#include "mechanisms/participation/curve_from_moments.hpp"
#include "mechanisms/participation/participation_attack.hpp"
#include "mechanisms/participation/participation_moments.hpp"
#include "mechanisms/participation/ring_filter.hpp"
#include "mechanisms/participation/two_state_filter.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

constexpr std::uint64_t most_rows = 100'000;
constexpr std::size_t most_bands = 200;
constexpr long moment_bits = 320;        ///< moments about r lose many of them where W is near 1
constexpr long points_each_side = 1200;  ///< of the curve: chords between them lie above it
constexpr double deviations_told =
    9;  ///< of the Gaussian of steps that are known: the curve ends there

using Law = std::shared_ptr<const PrivacyLoss>;

/// The lesser one of two upper ends: the radius of the greater one, which may be large, does not
/// enter, and neither does one that is not finite.
Ball lesser_end(const Ball& a, const Ball& b) {
  if (!b.is_finite()) return a.upper();
  return a.is_finite() ? min(a.upper(), b.upper()) : b.upper();
}

/// Bounds of both curves at losses mesh k.
class ParticipationCurve {
 public:
  ParticipationCurve(const RandomParticipation& scheme, std::string name)
      : name_(std::move(name)),
        square_(greatest_square(scheme)),
        open_(std::make_shared<GaussianLoss>(Rational(square_ / 2))),
        moments_(curve_from_moments_of(scheme)) {
    if (const auto grid = two_state_grid(scheme)) {
      take_plane(TwoStateUpper(scheme, *grid).above(), {}, grid->mesh, grid->last);
      return;
    }
    if (const auto grid = ring_grid(scheme)) {
      const RingUpper ring(scheme, *grid);
      take_plane(ring.excess(), ring.shortfall(), grid->mesh, grid->last);
      return;
    }
    const double far = estimate(square_) / 2 + deviations_told * std::sqrt(estimate(square_)) + 1;
    mesh_ = Rational(checked_integer(std::ceil(far / points_each_side * (1 << 20)), "a mesh")) /
            (1 << 20);
    places_ = points_each_side;
  }

  Law law(Direction direction) const {
    const PrecisionScope scope(moment_bits);
    std::vector<CurveBound> bounds;
    std::vector<CurveBound> of_moments;  // without the grid
    std::map<Rational, MomentChoice> choices;
    for (long k = -places_; k <= places_; ++k) {
      const Rational loss = mesh_ * k;
      const bool removes = direction == Direction::remove;
      Bound proven = removes ? with_record(k) : without_record(k);
      const Ball open = open_->delta(Ball(loss));
      if (!certainly_less(proven.value, open)) proven.choice = {};
      proven.value = lesser_end(proven.value, open);
      of_moments.push_back({loss, rounded_up(proven.value)});
      choices.emplace(loss, std::move(proven.choice));
      bounds.push_back(plane_.empty() ? of_moments.back()
                                      : CurveBound{loss, rounded_up(lesser_end(
                                                             proven.value, by_plane(k, removes)))});
    }
    CurveBounds behind;
    if (!plane_.empty()) {  // what the grid proves is not kept
      behind.corners = PiecewiseCurve(of_moments, false).corners();
      behind.looser = true;
    }
    behind.choices = std::move(choices);
    return piecewise_loss(name_ + ", " + std::string(name_of(direction)), std::move(bounds), false,
                          false, std::move(behind))
        .loss;
  }

 private:
  static CurveFromMoments curve_from_moments_of(const RandomParticipation& scheme) {
    const PrecisionScope scope(moment_bits);
    return CurveFromMoments(participation_moments(scheme));
  }

  /// @param shortfall may be empty.
  void take_plane(std::vector<Ball> excess, std::vector<Ball> shortfall, const Rational& grid_mesh,
                  long last) {
    plane_ = std::move(excess);
    shortfall_ = std::move(shortfall);
    every_ = std::max(1L, last / points_each_side);
    parts_ = every_ > 1 ? 1 : (points_each_side + last - 1) / last;
    mesh_ = grid_mesh * every_ / parts_;
    places_ = last / every_ * parts_;
  }

  /// A bound of a convex function at place k of ours: between places of the grid their chord.
  Ball of_place(const std::vector<Ball>& plane, long k) const {
    const long last = static_cast<long>(plane.size()) / 2;
    const long shifted = k + last / every_ * parts_;  // not negative
    const long before = shifted / parts_ - last / every_;
    const auto at = [&](long place) -> const Ball& {
      return plane[static_cast<std::size_t>(last + place * every_)];
    };
    if (shifted % parts_ == 0) return at(before);
    const auto x = [&](long place) { return exp(Ball(Rational(mesh_ * place))); };
    const Ball low = x(before * parts_);
    const Ball share = (x(k) - low) / (x((before + 1) * parts_) - low);
    return at(before) + share * (at(before + 1) - at(before));
  }

  /// H_x(P | Q) = E (W - x)_+ = 1 - x + E (x - W)_+, H_x(Q | P) = x E (1/x - W)_+.
  Ball by_plane(long k, bool removes) const {
    const Ball x = exp(Ball(Rational(mesh_ * k)));
    const Ball excess = of_place(plane_, removes ? k : -k);
    Ball bound = removes ? excess : Ball(1) - x + x * excess;
    if (shortfall_.empty()) return bound;
    const Ball shortfall = of_place(shortfall_, removes ? k : -k);
    return lesser_end(bound, removes ? Ball(1) - x + shortfall : x * shortfall);
  }

  using Bound = CurveFromMoments::Bound;
  /// H_x(P | Q) = E (W - x)_+ at x = e^(mesh k), 1 - x + E (x - W)_+ below 1.
  Bound with_record(long k) const {
    const Ball x = exp(Ball(Rational(mesh_ * k)));
    if (k >= 0) return moments_.above(x);
    Bound bound = moments_.below(x);
    bound.value += Ball(1) - x;
    return bound;
  }

  /// H_x(Q | P) = E (1 - x W)_+ = x E (1/x - W)_+.
  Bound without_record(long k) const {
    const Ball x = exp(Ball(Rational(mesh_ * k)));
    const Ball y = exp(Ball(Rational(-mesh_ * k)));
    Bound bound = k > 0 ? moments_.below(y) : moments_.above(y);
    bound.value = x * bound.value;
    if (k <= 0) bound.value += Ball(1) - x;
    return bound;
  }

  std::string name_;
  Rational square_;
  std::shared_ptr<const GaussianLoss> open_;  ///< of a record whose steps are known
  CurveFromMoments moments_;
  std::vector<Ball> plane_;      ///< E (W - x)_+ from above, by the grid where there is one
  std::vector<Ball> shortfall_;  ///< E (x - W)_+ likewise
  Rational mesh_;
  long places_ = 0;
  long every_ = 1;  ///< places of the plane in one of ours
  long parts_ = 1;  ///< places of ours in one of the plane
};

/// The laws of tests that two data sets have; those of two equal ones where no test tells anything.
BothLaws laws_of_tests(const RandomParticipation& scheme, const std::string& spec) {
  const MechanismPointer tests = participation_attack(scheme, spec);
  if (!tests) return laws_that_tell_nothing();
  return {tests->loss(Direction::remove), tests->loss(Direction::add)};
}

/// Whether the coefficients have one sign, or signs by turns: then reflecting rows and steps makes
/// them nonnegative: C attains the pair of |C|. Proof: docs/proofs/random_participation.md#signs
bool signs_are_those_of_reflections(const std::vector<Rational>& coefficients) {
  bool alike = true;
  bool by_turns = true;
  for (std::size_t d = 0; d < coefficients.size(); ++d) {
    const Rational product = coefficients[d] * coefficients[0];
    if (product < 0) alike = false;
    if (d % 2 == 0 ? product < 0 : product > 0) by_turns = false;
  }
  return alike || by_turns;
}

RandomParticipation scheme_of(const Arguments& arguments) {
  RandomParticipation scheme;
  for (const Rational& each : arguments.list("coefficients")) {
    scheme.coefficients.push_back(abs(each));
  }
  while (scheme.coefficients.size() > 1 && scheme.coefficients.back() == 0) {
    scheme.coefficients.pop_back();
  }
  if (scheme.coefficients.empty() || scheme.coefficients.size() > most_bands ||
      scheme.coefficients[0] == 0) {
    arguments.reject("coefficients",
                     std::to_string(arguments.list("coefficients").size()) + " of them");
  }
  const bool separated = arguments.given("separation");
  if (separated == arguments.given("bins") || separated != arguments.given("rate")) {
    throw SpecError(
        "random_participation: takes either bins, or separation with rate: how a record draws its "
        "steps");
  }
  const char* by = separated ? "separation" : "bins";
  scheme.period = arguments.count(by, most_rows);
  if (scheme.period < 2 || scheme.period < scheme.bands()) {
    arguments.reject(by, std::to_string(scheme.period) + " where coefficients are " +
                             std::to_string(scheme.bands()));
  }
  if (arguments.given_as("noise_multiplier") && arguments.positive_square("sensitivity") != 1) {
    throw SpecError(
        "random_participation: sensitivity must be 1 where noise_multiplier is given: with another "
        "one it would mean two things");
  }
  if (separated) scheme.rate = arguments.positive_probability("rate");
  scheme.stationary = arguments.word("start", {"free", "stationary"}) == "stationary";
  if (scheme.stationary && !separated) {
    throw SpecError("random_participation: start=stationary is for separation and rate");
  }
  scheme.steps = arguments.count("steps", most_rows);
  scheme.ratio = arguments.positive_square("sensitivity") / arguments.noise_level().variance;
  return scheme;
}

std::string spec_of(const Arguments& arguments, const RandomParticipation& scheme) {
  std::string spec =
      "random_participation(coefficients=" + list_text(arguments.list("coefficients")) + ", " +
      arguments.noise_level().text() + ", steps=" + std::to_string(scheme.steps);
  if (scheme.rate) {
    spec += ", separation=" + std::to_string(scheme.period) + ", rate=" + to_string(*scheme.rate);
    if (scheme.stationary) spec += ", start=stationary";
  } else {
    spec += ", bins=" + std::to_string(scheme.period);
  }
  const Rational square = arguments.positive_square("sensitivity");
  if (square != 1) {
    const auto root = rational_root(square);
    if (!root) arguments.reject("sensitivity", "a root");
    spec += ", sensitivity=" + to_string(*root);
  }
  return spec + ')';
}

// Proof: docs/proofs/random_participation.md#pair
MechanismPointer build_random_participation(const Arguments& arguments) {
  const RandomParticipation scheme = scheme_of(arguments);
  const std::string spec = spec_of(arguments, scheme);
  const std::string name = "privacy loss of " + spec;
  const Adjacency adjacency = Adjacency::of_one_record(Adjacency::add_remove);
  const std::string tests = "tests(" + spec + ')';
  std::shared_ptr<const Mechanism> attack;
  if (signs_are_those_of_reflections(arguments.list("coefficients"))) {
    attack = std::make_shared<LaterMechanism>(
        tests, [scheme, tests] { return laws_of_tests(scheme, tests); }, Adjacency{},
        Attainment{Attained::yes, by_two_data_sets});
  }
  return std::make_shared<LaterMechanism>(
      spec,
      [scheme, name] {
        const ParticipationCurve curve(scheme, name);
        return BothLaws{curve.law(Direction::remove), curve.law(Direction::add)};
      },
      adjacency,
      Attainment{Attained::unknown,
                 "its curve is a bound of that of its pair, at points",
                 std::move(attack),
                 {0, std::numeric_limits<std::uint64_t>::max()}});
}

}  // namespace

MechanismKind random_participation_kind();
MechanismKind random_participation_kind() {
  return {
      .name = "random_participation",
      .summary =
          "correlated noise of a banded Toeplitz matrix on steps that each record draws at random: "
          "every `bins`-th from a random one, or at `rate` wherever the last one is `separation` "
          "steps ago",
      .parameters =
          {{"coefficients",
            "a list of up to 200 numbers, the first one not 0: those of a lower triangular "
            "Toeplitz matrix"},
           {"sigma",
            "a number > 0",
            {},
            {"noise_multiplier", "std", "standard_deviation", "variance"}},
           {"steps", "an integer from 1 to 100000", {}, {"num_steps", "iterations"}},
           {"bins", "an integer from the bands to 100000, at least 2", "none"},
           {"separation",
            "an integer from the bands to 100000, at least 2",
            "none",
            {"min_separation"}},
           {"rate",
            "a number in (0, 1]",
            "none",
            {"sample_rate", "sampling_rate", "sampling_probability", "sampling_prob", "q"}},
           {"sensitivity", "a number > 0: what a record moves one step by", "1"},
           {"start",
            "free or stationary: whether nobody took part before the first step, or as if "
            "there had always been steps (warm start)",
            "free"}},
      .adjacency = "add_remove: one record, whose steps no other record's and no output changes",
      .theorem =
          "the mixture over the secret steps of Gaussians in as many dimensions dominates, also "
          "for "
          "adaptive streams (docs/proofs/random_participation.md#pair)",
      .example =
          "random_participation(coefficients=[1, 0.5], sigma=2, steps=20, separation=4, rate=0.1)",
      .build = build_random_participation,
  };
}

}  // namespace plaudit
