#include "verification/meaning/best_tests.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <stdexcept>

#include "accountants/session/band_of.hpp"
#include "accountants/session/direction_session.hpp"
#include "lib/analysis/normal/normal_quantile.hpp"
#include "lib/balls/precision.hpp"
#include "lib/balls/refine.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/unlimited_work.hpp"
#include "mechanisms/spec_error.hpp"
#include "verification/meaning/trade_off.hpp"

namespace plaudit {

namespace {

constexpr double bits_of_decimal = 3.3219280948873624;
constexpr long more_bits_of_answers = 64;  ///< of precision, beyond twice the digits asked for
constexpr int spare_digits_of_odds = 4;    ///< of the epsilon of a prior, beyond these
constexpr long spare_bits_of_closed_form = 8;
constexpr long most_bits_of_closed_form = 1L << 17;  ///< for error rates down to about 2^-(2^17)
constexpr const char* by_tests = "best_tests";

void check_share(const Rational& x, const char* name, bool positive) {
  if (x < 0 || x > 1 || (positive && x == 0)) {
    throw SpecError(std::string(name) + ": must be a number with " + (positive ? "0 < " : "0 <= ") +
                    name + " <= 1, not " + to_string(x));
  }
}

Enclosure exactly(const Rational& value) {
  Enclosure band;
  band.exact = value;
  band.lower = Ball(value).lower();
  band.upper = Ball(value).upper();
  return band;
}

/// 1 - x, as balls of the working precision.
Enclosure complement(Enclosure band) {
  const Ball lower = max(Ball(0), Ball(1) - band.upper).lower();
  band.upper = min(Ball(1), (Ball(1) - band.lower).upper());
  band.lower = lower;
  if (band.exact) band.exact = Rational(1 - *band.exact);
  return band;
}

/// Phi(Phi^-1(fpr) + mu) where all steps are Gaussians, to so many digits of it and of the false
/// negative rate; nothing where a step is none, or at the ends.
/// Proof: docs/proofs/tradeoff.md#gaussian
std::optional<Enclosure> power_of_gaussians(const ComposedLoss& loss, const Rational& fpr,
                                            int digits) {
  Rational square = 0;
  for (const ComposedLoss::Term& term : loss.terms()) {
    const std::optional<Rational>& mean = term.loss->facts().gaussian_mean;
    if (!mean) return std::nullopt;
    square += 2 * *mean * Integer(term.count);
  }
  const long wanted = precision_bits(digits * bits_of_decimal) + spare_bits_of_closed_form;
  Enclosure band;
  band.accountant = "closed_form";
  bool enclosed = false;
  refine(working_precision(), most_bits_of_closed_form, [&] {
    const std::optional<Ball> quantile = normal_quantile(Ball(fpr));
    if (!quantile) return working_precision();
    const Ball mu = PLAUDIT_BOUND("best_tests.gaussians", sqrt(Ball(square)), Ball(0));
    const Ball power = normal_cdf(*quantile + mu);
    if (!power.is_finite()) return working_precision();
    band.lower = max(Ball(0), power).lower();
    band.upper = min(Ball(1), power.upper());
    enclosed = true;
    const bool good = power.relative_accuracy_bits() >= wanted &&
                      (Ball(1) - power).relative_accuracy_bits() >= wanted;
    return good ? 0L : working_precision();
  });
  return enclosed ? std::optional(band) : std::nullopt;
}

/// The same band, known to be this number.
Enclosure known(Enclosure band, const Rational& value) {
  Enclosure result = exactly(value);
  result.certified = band.certified;
  result.accountant = std::move(band.accountant);
  result.method = std::move(band.method);
  result.trusted = std::move(band.trusted);
  return result;
}

/// The band of a function that increases with x, within [0, 1]. An exact value is left to known().
template <class Of>
Enclosure increasing(const Enclosure& band, Of&& of) {
  Enclosure result = band;
  result.lower = max(Ball(0), of(band.lower)).lower();
  result.upper = min(Ball(1), of(band.upper).upper());
  result.ledger = {};
  return result;
}

}  // namespace

struct BestTests::State {
  Composition composition;
  AnswerOptions options;
  std::unique_ptr<TradeOff> of_direction[2];
  std::optional<Session> session;
  std::unique_ptr<BestTests> attack;  ///< on the pair of two data sets, once it was asked
  std::function<void(const Answer&)> of_curve = {};  ///< what hears of the curve's answers

  long bits() const {
    return precision_bits(2 * options.digits * bits_of_decimal) + more_bits_of_answers;
  }

  TradeOff& trade_off(Direction direction) {
    std::unique_ptr<TradeOff>& one = of_direction[direction == Direction::remove ? 0 : 1];
    if (!one) {
      one = std::make_unique<TradeOff>(composition, direction, options.timeout_seconds);
    }
    return *one;
  }

  /// delta(epsilon) of the pair, of which the listener hears while it is asked for.
  Answer delta(const Rational& epsilon, std::function<void(const Answer&)> listener = {}) {
    if (!session) {
      AnswerOptions how = options;
      how.attack = false;
      how.proven = [this](const Answer& answer) {
        if (of_curve) of_curve(answer);
      };
      session.emplace(composition, how);
    }
    of_curve = std::move(listener);
    return session->answer(Quantity::delta, epsilon);
  }

  /// @param of_power hears of it each time that more is proven.
  Enclosure power(Direction direction, const Rational& fpr, const BandListener& of_power) {
    if (auto closed =
            power_of_gaussians(ComposedLoss(composition, direction), fpr, options.digits)) {
      return *closed;
    }
    const PowerBand found = trade_off(direction).power(fpr, options.digits, of_power);
    Enclosure band;
    band.lower = found.power.lower;
    band.upper = found.power.upper;
    band.exact = found.exact;
    band.accountant = found.exact ? "exact" : by_tests;
    if (found.thresholds > 0) band.method = std::to_string(found.thresholds) + " thresholds";
    if (found.values > 0) {
      band.method +=
          (band.method.empty() ? "" : ", ") + std::to_string(found.values) + " values of the curve";
    }
    band.remark = found.remark;
    band.cause = found.cause;
    return band;
  }

  Answer success_of_pair(const Rational& prior);

  /// Adds of what the ends are bounds and, where not of the mechanism, what the attack reaches.
  Answer with_attack(Answer answer, NumberOf number, const std::function<Answer(BestTests&)>& ask) {
    answer.of = band_of(composition, number);
    const std::optional<Composition> other =
        options.attack ? attack_on(composition, answer.of) : std::nullopt;
    if (!other) return answer;
    if (!attack) {
      AnswerOptions how = options;
      how.attack = false;
      how.proven = {};
      how.direction = directions_of_attack(composition, options.direction);
      attack = std::make_unique<BestTests>(*other, how);
    }
    add_attack(answer, *other, [&] { return ask(*attack); });
    return answer;
  }

  using BandOfDirection = std::function<Enclosure(Direction, const BandListener&)>;

  /// The band of each direction; the attacker who does better has the largest of what is `gain`,
  /// the least of what is not.
  Answer of_directions(bool gain, const BandOfDirection& band_of) {
    const auto start = std::chrono::steady_clock::now();
    const MemoryLimit memory(options.memory_bytes);
    const WorkLimit limit(options.timeout_seconds);
    const PrecisionScope scope(bits());
    Answer answer{Quantity::delta, {}, {}, false, 0, {}, options.digits};
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const auto other =
          direction == Direction::remove ? DirectionChoice::add : DirectionChoice::remove;
      if (options.direction == other) continue;
      answer.directions.push_back({direction, unknown_band(Quantity::delta, "")});
      answer.directions.back().band.accountant = "none";
    }
    for (DirectionAnswer& one : answer.directions) {
      const bool last = &one == &answer.directions.back();
      if (composition.symmetric() && &one != &answer.directions.front()) {
        one.band = answer.directions.front().band;
        continue;
      }
      const BandListener listener = [&](const Enclosure& band) {
        one.band = band;
        if (options.proven) tell(answer, gain);
      };
      try {
        // The second direction is to have its time too.
        const WorkLimit part(options.timeout_seconds / (last || composition.symmetric() ? 1 : 2));
        one.band = band_of(one.direction, listener);
        listener(one.band);
      } catch (...) {
        const GivenUp why = given_up_unless_contradiction();
        one.band.remark = why.words;
        one.band.cause = why.cause;
      }
    }
    const UnlimitedWork joining;
    join(answer, gain);
    answer.reached = plaudit::reached(answer.band, options.digits);
    answer.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return answer;
  }

  void tell(Answer known, bool gain) const {
    const UnlimitedWork joining;
    join(known, gain);
    known.reached = plaudit::reached(known.band, options.digits);
    options.proven(known);
  }

  static void join(Answer& answer, bool gain) {
    const Enclosure& one = answer.directions.front().band;
    const Enclosure& two = answer.directions.back().band;
    const auto better = [&](const Ball& a, const Ball& b) {
      return certainly_less(gain ? a : b, gain ? b : a) ? b : a;
    };
    answer.band = one;
    answer.band.lower = better(one.lower, two.lower);
    answer.band.upper = better(one.upper, two.upper);
    if (one.exact && two.exact) {
      const bool first = gain ? *one.exact >= *two.exact : *one.exact <= *two.exact;
      answer.band = first ? one : two;
    } else {
      answer.band.exact.reset();
      if (one.exact) {
        answer.band.accountant = two.accountant;
        answer.band.method = two.method;
      }
      if (answer.band.remark.empty()) {
        answer.band.remark = two.remark;
        answer.band.cause = two.cause;
      }
    }
  }
};

BestTests::BestTests(const Composition& composition, const AnswerOptions& options)
    : state_(new State{composition, options, {}, {}, {}}) {
  if (!options.automatic()) {
    throw std::invalid_argument("trade-offs are asked of all accountants: the accountant is auto");
  }
}
BestTests::~BestTests() = default;
BestTests::BestTests(BestTests&&) noexcept = default;
BestTests& BestTests::operator=(BestTests&&) noexcept = default;

Answer BestTests::false_negative_rate(const Rational& fpr) {
  check_share(fpr, "fpr", false);
  Answer answer =
      state_->of_directions(false, [&](Direction direction, const BandListener& listener) {
        const BandListener of_power = [&](const Enclosure& power) { listener(complement(power)); };
        return complement(state_->power(direction, fpr, of_power));
      });
  return state_->with_attack(std::move(answer), NumberOf::law,
                             [&](BestTests& tests) { return tests.false_negative_rate(fpr); });
}

Answer BestTests::true_positive_rate(const Rational& fpr) {
  check_share(fpr, "fpr", false);
  Answer answer =
      state_->of_directions(true, [&](Direction direction, const BandListener& listener) {
        return state_->power(direction, fpr, listener);
      });
  return state_->with_attack(std::move(answer), NumberOf::law,
                             [&](BestTests& tests) { return tests.true_positive_rate(fpr); });
}

// Proof: docs/proofs/tradeoff.md#advantage
Answer BestTests::advantage() {
  return state_->with_attack(state_->delta(0, state_->options.proven), NumberOf::curve,
                             [](BestTests& tests) { return tests.advantage(); });
}

// Proof: docs/proofs/tradeoff.md#bayes
Answer BestTests::success(const Rational& prior) {
  check_share(prior, "prior", false);
  return state_->with_attack(state_->success_of_pair(prior), NumberOf::curve,
                             [&](BestTests& tests) { return tests.success(prior); });
}

Answer BestTests::State::success_of_pair(const Rational& prior) {
  // NOLINTNEXTLINE(misc-redundant-expression): taken for two comparisons of one template
  if (prior == 0 || prior == 1) {
    return of_directions(true, [](Direction, const BandListener&) {
      Enclosure band = exactly(1);
      band.accountant = "exact";
      return band;
    });
  }
  const auto start = std::chrono::steady_clock::now();
  const PrecisionScope scope(bits());
  const auto success_of = [&](const Enclosure& delta) {
    Enclosure band = increasing(
        delta, [&](const Ball& x) { return Ball(Rational(1 - prior)) + Ball(prior) * x; });
    return delta.exact ? known(band, 1 - prior + prior * *delta.exact) : band;
  };
  const auto mapped = [&](Answer answer) {
    answer.band = success_of(answer.band);
    for (DirectionAnswer& one : answer.directions) one.band = success_of(one.band);
    answer.reached = plaudit::reached(answer.band, options.digits);
    answer.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return answer;
  };
  if (2 * prior == 1) return mapped(delta(0));
  // log((1 - p) / p) is irrational. delta falls: its upper end is taken at the lower end of the
  // logarithm's enclosure, its lower end at the upper one.
  const PrecisionScope fine(bits() + 4L * spare_digits_of_odds);
  const Ball epsilon = log(Ball(Rational((1 - prior) / prior)));
  const Answer before = delta(exact_rational(PLAUDIT_BOUND(
      "best_tests.epsilon", epsilon.lower(), (epsilon + Ball(Rational(1, 100))).lower())));
  Answer answer = delta(exact_rational(epsilon.upper()));
  const auto widen = [](Enclosure& band, const Enclosure& above) {
    band.upper = above.upper;
    band.trusted = both_trusted(band.trusted, above.trusted);
    band.exact.reset();
  };
  widen(answer.band, before.band);
  for (std::size_t i = 0; i < answer.directions.size(); ++i) {
    widen(answer.directions[i].band, before.directions[i].band);
  }
  return mapped(std::move(answer));
}

// Proof: docs/proofs/tradeoff.md#predictive-value
Answer BestTests::predictive_value(const Rational& prior, const Rational& fpr) {
  check_share(prior, "prior", false);
  check_share(fpr, "fpr", true);
  const Rational wrong = (1 - prior) * fpr;
  const auto value_of = [&](const Enclosure& power) {
    // x / (x + w) as 1 - w / (x + w), which increases in balls too.
    Enclosure band = increasing(power, [&](const Ball& x) {
      return Ball(1) - Ball(wrong) / (Ball(prior) * x + Ball(wrong));
    });
    if (!power.exact) return band;
    return known(band, prior * *power.exact / (prior * *power.exact + wrong));
  };
  Answer answer =
      state_->of_directions(true, [&](Direction direction, const BandListener& listener) {
        if (prior == 1) {
          Enclosure band = exactly(1);
          band.accountant = "exact";
          return band;
        }
        const BandListener of_power = [&](const Enclosure& power) { listener(value_of(power)); };
        return value_of(state_->power(direction, fpr, of_power));
      });
  return state_->with_attack(std::move(answer), NumberOf::law,
                             [&](BestTests& tests) { return tests.predictive_value(prior, fpr); });
}

}  // namespace plaudit
