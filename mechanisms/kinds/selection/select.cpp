// select(mechanism, repeats, ...): private selection. The mechanism runs a random number K of
// times, and the best run is released, by an order of the outputs that no data decides; K and the
// other runs stay secret. So it is with hyperparameters that are tuned.
//
// With phi(s) = E s^K and C the greatest factor by which being the best of K changes a likelihood
// ratio: of pure(epsilon) the result is (epsilon + log C)-private, and for some bases and
// orders no smaller epsilon holds. Of other bases H_x <= 1 - phi(1 - h), h the curve of the base at
// x / C; it is evaluated at points, and the law is that of the greatest curve that these allow.
// Proof: docs/proofs/repeats.md#bound
#include <algorithm>
#include <tuple>

#include "lib/balls/precision.hpp"
#include "lib/mutant.hpp"
#include "mechanisms/forms/later_mechanism.hpp"
#include "mechanisms/forms/selection_attack.hpp"
#include "mechanisms/forms/symmetric_mechanism.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/laws/finite_loss.hpp"
#include "mechanisms/laws/maximum_curve.hpp"
#include "mechanisms/laws/two_point_loss.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

constexpr long repeats_precision = 192;
constexpr unsigned long factor_bits = 96;  ///< behind the point, of log C from above
constexpr std::uint64_t most_trials = 1'000'000'000;
constexpr int least_gamma = 1000;  ///< gamma of a stated mean is at least 2^-this,
constexpr long gamma_bits = 256;   ///< and known to so many bits of itself

/// An upper end of log C from bounds of the curve at increasing losses, 0 among them.
/// Proof: docs/proofs/repeats.md#factor
Ball log_factor_of_curve(const Repeats& repeats, const std::vector<CurveBound>& curve) {
  if (repeats.kind == Repeats::Kind::poisson) {
    const auto middle = std::find_if(curve.begin(), curve.end(),
                                     [](const CurveBound& bound) { return bound.loss == 0; });
    return Ball(repeats.mean) * Ball(middle->value);
  }
  const Ball gamma(repeats.gamma);
  const Ball rest(Rational(1 - repeats.gamma));
  Ball most(1);
  Ball begin(0);
  for (std::size_t k = curve.size(); k-- > 0;) {
    const Ball slope = exp(Ball(curve[k].loss));
    const Ball height(curve[k].value);
    Ball end(1);
    if (k > 0) {
      end = (Ball(curve[k - 1].value) - height) / (slope - exp(Ball(curve[k - 1].loss)));
      end = min(max(end, Ball(0)), Ball(1));
    }
    for (const Ball& a : {begin, end}) {
      most = max(most, (gamma + rest * (slope * a + height)) / (gamma + rest * a));
    }
    begin = end;
  }
  return Ball(Rational(repeats.eta + 1)) * log(most);
}

struct SelectedBounds {
  std::vector<CurveBound> released;  ///< at losses >= 0, for both directions
  CurveBounds behind;                ///< from which they follow
};

SelectedBounds selected_bounds(const Mechanism& base, const Repeats& repeats) {
  const PrecisionScope scope(repeats_precision);
  std::vector<std::shared_ptr<const PrivacyLoss>> laws{base.loss(Direction::remove)};
  if (!base.symmetric()) laws.push_back(base.loss(Direction::add));
  std::vector<KnownCurve> both;
  both.reserve(laws.size());
  for (const auto& law : laws) both.push_back(curve_of(law));
  const CurvePoints points = points_of(both, "select");
  std::vector<CurveBound> curve = greatest_at(both, points, false);
  for (std::size_t k = 1; k < curve.size(); ++k) {
    curve[k].value = std::min(curve[k].value, curve[k - 1].value);  // it falls
  }
  if (repeats.kind == Repeats::Kind::poisson) {  // whose factor needs no other point
    std::erase_if(curve, [](const CurveBound& bound) { return bound.loss != 0; });
  }
  const Ball factor = PLAUDIT_BOUND("select.factor", log_factor_of_curve(repeats, curve), Ball(0));
  const Integer unit = Integer(1) << factor_bits;
  const Rational shift(floor_of(Rational(exact_rational(factor.upper()) * unit)) + 2, unit);
  const Rational further(floor_of(Rational(shift / points.mesh)));
  std::vector<CurveBound> bounds;
  const auto add_bound = [&](const Rational& loss) {
    Ball most(0);
    for (const KnownCurve& one : both) most = max(most, one.delta(Ball(Rational(loss - shift))));
    bounds.push_back({loss, rounded_up(repeats.any_of(min(most, Ball(1))))});
  };
  if (further > points.places) add_bound(Rational(0));  // below the others all is nearly 1
  for (long k = -points.places; k <= points.places + 1; ++k) {
    if (further + k >= 0) add_bound(Rational(points.mesh * (further + k)));
  }
  return {std::move(bounds), {{}, std::move(curve), shift}};
}

/// E K of negative_binomial.
Ball mean_of(const Rational& eta, const Rational& gamma) {
  const Ball least = log(Ball(gamma));
  const Ball odds = Ball(Rational((1 - gamma) / gamma));
  return eta == 0 ? -odds / least : -Ball(eta) * odds / expm1(Ball(eta) * least);
}

/// Two gammas, of which E K is at least and at most the mean; nothing where they were too small. K
/// grows as gamma falls, and the bounds with it. Proof: docs/proofs/repeats.md#mean
std::optional<std::pair<Rational, Rational>> gammas_of_mean(const Rational& eta,
                                                            const Rational& mean) {
  if (eta == 1) return std::pair(Rational(1 / mean), Rational(1 / mean));
  const PrecisionScope scope(gamma_bits + repeats_precision);
  Rational low(1);
  Rational high(1);  // E K = 1
  for (int halvings = 0; !certainly_greater_equal(mean_of(eta, low), Ball(mean));) {
    if (++halvings > least_gamma) return std::nullopt;
    if (certainly_less_equal(mean_of(eta, low), Ball(mean))) high = low;
    low /= 2;
  }
  for (long bit = 0; bit < gamma_bits; ++bit) {
    const Rational middle = (low + high) / 2;
    const Ball here = mean_of(eta, middle);
    if (certainly_greater_equal(here, Ball(mean))) {
      low = middle;
    } else if (certainly_less_equal(here, Ball(mean))) {
      high = middle;
    } else {
      break;
    }
  }
  return std::pair(low, high);
}

Repeats repeats_of(const Arguments& arguments) {
  const std::string kind = arguments.word(
      "repeats", {"poisson", "negative_binomial", "geometric", "logarithmic", "binomial"});
  const auto only = [&](std::initializer_list<const char*> names) {
    for (const char* name : {"mean", "eta", "gamma", "trials", "probability"}) {
      const bool taken = std::any_of(names.begin(), names.end(),
                                     [&](const char* each) { return std::string(each) == name; });
      if (arguments.given(name) == taken) continue;
      throw SpecError("select: repeats=" + kind + (taken ? " needs " : " has no ") + name);
    }
  };
  Repeats repeats{};
  repeats.text = "repeats=" + kind;
  if (kind == "poisson") {
    only({"mean"});
    repeats.mean = arguments.positive("mean");
    repeats.text += ", mean=" + to_string(repeats.mean);
    return repeats;
  }
  if (kind == "binomial") {
    only({"trials", "probability"});
    repeats.kind = Repeats::Kind::binomial;
    repeats.trials = arguments.count("trials", most_trials);
    repeats.probability = arguments.positive_probability("probability");
    repeats.text += ", trials=" + std::to_string(repeats.trials) +
                    ", probability=" + to_string(repeats.probability);
    return repeats;
  }
  repeats.kind = Repeats::Kind::negative_binomial;
  repeats.eta = kind == "geometric" ? 1 : 0;
  const bool by_mean = arguments.given("mean");
  const char* stated = by_mean ? "mean" : "gamma";
  if (kind == "negative_binomial") {
    only({"eta", stated});
    repeats.eta = arguments.number("eta");
    if (repeats.eta <= -1) arguments.reject("eta", shown(repeats.eta));
    repeats.text += ", eta=" + to_string(repeats.eta);
  } else {
    only({stated});
  }
  const Rational value = arguments.number(stated);
  const auto gammas = !by_mean    ? std::optional(std::pair(value, value))
                      : value > 1 ? gammas_of_mean(repeats.eta, value)
                                  : std::nullopt;
  if (!gammas || gammas->first <= 0 || gammas->first >= 1) arguments.reject(stated, shown(value));
  std::tie(repeats.gamma, repeats.gamma_above) = *gammas;
  repeats.text += std::string(", ") + stated + "=" + to_string(value);
  return repeats;
}

/// Randomized response of epsilon + log C, of which all that is (epsilon + log C)-private is a
/// post-processing.
std::shared_ptr<const PrivacyLoss> selected_pure(const std::string& text, const Rational& epsilon,
                                                 const Repeats& repeats) {
  return std::make_shared<FiniteLoss>(
      text,
      [epsilon, repeats] {
        const Ball all = Ball(epsilon) + repeats.log_factor_of_pure(exp(Ball(epsilon)));
        const Ball high = Ball(1) / (Ball(1) + exp(-all));
        const Ball low = Ball(1) / (Ball(1) + exp(all));
        FiniteLaw law;
        law.atoms = {{-all, low, high}, {all, high, low}};
        return law;
      },
      std::nullopt, FiniteLoss::Exact{Rational(0), {}, {}, {}});
}

/// What two data sets have for some order of the outputs, where the base's pair is that of two.
/// Null where that is not known: what an attack on the base answers at random is not what is
/// ranked. Proof: docs/proofs/repeats.md#tests
MechanismPointer attack_of(const MechanismPointer& base, const Repeats& repeats,
                           const std::string& spec) {
  if (base->attainment().attained != Attained::yes) return nullptr;
  return std::make_shared<LaterMechanism>(
      "tests(" + spec + ')',
      [base, repeats, spec] { return selection_attack(*base, repeats, spec); }, Adjacency{},
      Attainment{Attained::yes, by_two_data_sets});
}

MechanismPointer build_select(const Arguments& arguments) {
  const MechanismPointer& base = arguments.mechanism("mechanism");
  const Repeats repeats = repeats_of(arguments);
  if (base->attainment().attained == Attained::no_pair || !base->adjacency().guarantee) {
    arguments.reject("mechanism", abbreviated(base->spec()));
  }
  const std::string spec = "select(" + base->spec() + ", " + repeats.text + ')';
  const std::string text = "privacy loss of " + spec;
  const auto* points =
      base->symmetric() ? base->loss(Direction::remove)->facts().two_points : nullptr;
  const auto epsilon = points != nullptr ? points->rational_epsilon() : std::nullopt;
  if (epsilon && *epsilon > 0 && points->mass() == 0) {
    return std::make_shared<SymmetricMechanism>(
        spec, selected_pure(text, *epsilon, repeats),
        Attainment{Attained::unknown,
                   "its epsilon is that of the worst base and order of outputs, its curve is that "
                   "of randomized response of this epsilon",
                   attack_of(base, repeats, spec), base->attainment().others},
        base->one_record(), base->adjacency());
  }
  if (repeats.kind == Repeats::Kind::binomial) {
    throw SpecError("select: repeats=binomial is known for pure(epsilon) alone, not for " +
                    abbreviated(base->spec()) +
                    "; poisson, geometric, logarithmic and "
                    "negative_binomial are known for others");
  }
  SelectedBounds bounds = selected_bounds(*base, repeats);
  return std::make_shared<SymmetricMechanism>(
      spec,
      piecewise_loss(text, std::move(bounds.released), true, false, std::move(bounds.behind)).loss,
      Attainment{Attained::unknown, "its curve is a bound, at points, for every order of outputs",
                 attack_of(base, repeats, spec), base->attainment().others},
      base->one_record(), base->adjacency());
}

}  // namespace

MechanismKind select_kind();
MechanismKind select_kind() {
  return {
      .name = "select",
      .summary = "private selection: the best of a random number of runs of a mechanism (tuning)",
      .parameters =
          {{"mechanism", "a mechanism with a pair: one run"},
           {"repeats", "poisson, negative_binomial, geometric, logarithmic or binomial"},
           {"mean", "a number, > 0 of poisson, > 1 of the laws with a gamma, in its place", "none"},
           {"eta", "a number > -1, of negative_binomial", "none"},
           {"gamma", "a number between 0 and 1, of negative_binomial, geometric, logarithmic",
            "none"},
           {"trials", "an integer from 1 to 10^9, of binomial", "none"},
           {"probability", "a number in (0, 1], of binomial", "none"}},
      .adjacency = "that of the mechanism; both directions alike",
      .theorem =
          "being the best of K runs changes a likelihood ratio by a factor of at most C "
          "(docs/proofs/repeats.md#bound)",
      .example = "select(pure(epsilon=0.5), repeats=geometric, gamma=0.1)",
      .build = build_select,
  };
}

}  // namespace plaudit
