#include "accountants/answer.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "accountants/registry.hpp"
#include "accountants/ties.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/decimal.hpp"
#include "lib/precision.hpp"
#include "lib/threads.hpp"
#include "lib/work_limit.hpp"

namespace plaudit {

namespace {

constexpr const char* automatic = "auto";

/// The larger of two exact balls, itself.
Ball larger(const Ball& a, const Ball& b) { return certainly_less(a, b) ? b : a; }

/// The band of a number that is known exactly.
Enclosure exact_band(const ExactValue& value, int digits) {
  Enclosure band;
  band.accountant = "exact";
  if (value.infinite) {
    band.lower = band.upper = positive_infinity();
    return band;
  }
  const PrecisionScope scope(128 + 4L * digits);
  const Ball x(value.value);
  band.lower = x.lower();
  band.upper = x.upper();
  band.exact = value.value;
  band.method = "a rational number";
  return band;
}

/// The rational of least denominator in [low, high], 0 <= low <= high.
Rational simplest_between(const Rational& low, const Rational& high) {
  const Integer whole = numerator(low) / denominator(low);
  if (low == whole) return whole;
  if (whole + 1 <= high) return whole + 1;
  return whole + 1 / simplest_between(1 / (high - whole), 1 / (low - whole));
}

/// A rational in the band that is simpler than chance would have it.
std::optional<Rational> suspect(const Enclosure& band) {
  if (!band.lower.is_finite() || !band.upper.is_finite()) return std::nullopt;
  const Rational low = exact_rational(band.lower);
  const Rational high = exact_rational(band.upper);
  if (low < 0 || low > high) return std::nullopt;
  const Rational simplest = simplest_between(low, high);
  const Integer below = denominator(simplest);
  return 1000 * below * below * (high - low) < 1 ? std::optional(simplest) : std::nullopt;
}

/// What instant accountants may take in all beyond the time limit of a query.
constexpr double grace_seconds = 0.2;

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// One direction: its accountants in the order in which they are asked, opened once.
class DirectionSession {
 public:
  DirectionSession(const Composition& composition, Direction direction,
                   const AnswerOptions& options)
      : loss_(composition, direction),
        spec_(composition.spec()),
        options_(options),
        ties_(std::make_unique<Ties>(loss_)) {
    if (options.accountant != automatic) {
      const std::shared_ptr<const Accountant> chosen = accountant(options.accountant);
      if (const auto reason = chosen->refusal(loss_)) throw std::invalid_argument(*reason);
      candidates_.push_back({chosen, nullptr});
      return;
    }
  }

  /// Asks one accountant after the other until the wanted digits are reached; the band is the
  /// intersection of all that was proven. Instant accountants may still answer where a slow one has
  /// used up the time: they have `last` seconds from now, if that is more.
  Enclosure answer(Quantity quantity, const Rational& argument, double seconds, double last) {
    const Stopwatch watch;
    const bool all = options_.accountant == automatic;
    if (const auto exact = all ? known(quantity, argument, seconds) : std::nullopt) return *exact;
    Enclosure band = quantity == Quantity::delta ? trivial_delta(loss_, argument)
                                                 : trivial_epsilon(loss_, argument);
    bool first = true;
    try {
      if (candidates_.empty()) find_candidates();
    } catch (const WorkLimitReached&) {
      band.remark = "time limit reached";
    }
    for (Candidate& candidate : candidates_) {
      const double whole = candidate.accountant->instant() ? std::max(seconds, last) : seconds;
      const WorkLimit limit(whole - watch.seconds());
      Enclosure found;
      try {
        if (!candidate.curve) {
          candidate.curve = candidate.accountant->open(loss_, Goal{options_.digits});
        }
        found = quantity == Quantity::delta ? candidate.curve->delta(argument)
                                            : candidate.curve->epsilon(argument);
      } catch (const WorkLimitReached&) {
        if (band.remark.empty()) band.remark = "time limit reached";
        if (band.accountant.empty()) band.accountant = candidate.accountant->name();
        continue;
      } catch (const std::domain_error& error) {  // beyond what it can do; the others may
        if (band.remark.empty()) band.remark = error.what();
        if (band.accountant.empty()) band.accountant = candidate.accountant->name();
        continue;
      }
      if (!found.certified) {
        if (options_.accountant != automatic) return found;
        continue;
      }
      const PrecisionScope scope(4096 + 64L * options_.digits);
      if (certainly_less(found.upper, band.lower) || certainly_less(band.upper, found.lower)) {
        throw std::logic_error(dump(quantity, argument, found, band));
      }
      const Ball lower = larger(found.lower, band.lower);
      const Ball upper = certainly_less(found.upper, band.upper) ? found.upper : band.upper;
      if (first || reached(found, options_.digits)) {
        band = std::move(found);
        first = false;
      }
      band.lower = lower;
      band.upper = upper;
      if (reached(band, options_.digits)) {
        band.remark.clear();
        break;
      }
    }
    if (all && quantity == Quantity::epsilon && band.certified) {
      const std::optional<Rational> simple = suspect(band);
      if (simple && compare(quantity, argument, *simple, Ties::little_work, last) == 0) {
        return exact_band({false, *simple}, options_.digits);
      }
    }
    return band;
  }

  /// The sign of the exact number minus x, where that is decided without digits.
  std::optional<int> compare(Quantity quantity, const Rational& argument, const Rational& x,
                             double work, double seconds) const {
    const WorkLimit limit(seconds);
    try {
      return quantity == Quantity::delta ? ties_->compare_delta(argument, x, work)
                                         : ties_->compare_epsilon(argument, x, work);
    } catch (const WorkLimitReached&) {
      return std::nullopt;
    }
  }

  Direction direction() const { return loss_.direction(); }

 private:
  struct Candidate {
    std::shared_ptr<const Accountant> accountant;
    std::unique_ptr<PrivacyCurve> curve;
  };

  /// Which accountants to ask, and in which order, itself takes a moment where steps are many.
  void find_candidates() {
    std::vector<Candidate> found;
    for (const auto& each : accountants()) {
      if (each->automatic() && !each->estimates_only() && !each->refusal(loss_))
        found.push_back({each, nullptr});
    }
    std::stable_partition(found.begin(), found.end(), [&](const Candidate& candidate) {
      return candidate.accountant->early(loss_);
    });
    candidates_ = std::move(found);
  }

  /// The band of a number that is known exactly.
  std::optional<Enclosure> known(Quantity quantity, const Rational& argument,
                                 double seconds) const {
    const WorkLimit limit(seconds);
    try {
      std::optional<ExactValue> value;
      if (quantity == Quantity::epsilon) {
        value = ties_->epsilon(argument, Ties::little_work);
      } else if (const auto delta = ties_->delta(argument, Ties::little_work)) {
        value = ExactValue{false, *delta};
      }
      if (value) return exact_band(*value, options_.digits);
    } catch (const WorkLimitReached&) {
    }
    return std::nullopt;
  }

  /// All that is needed to see two disjoint bands again.
  std::string dump(Quantity quantity, const Rational& argument, const Enclosure& one,
                   const Enclosure& other) const {
    const auto text = [](const Enclosure& band) {
      return band.accountant + " [" + decimal_below(band.lower, 30) + ", " +
             decimal_above(band.upper, 30) + "]";
    };
    return "disjoint bands, a defect of plaudit: " + text(one) + " and " + text(other) +
           "; to see it again: plaudit compare '" + spec_ + "' --" +
           (quantity == Quantity::delta ? "epsilon " : "delta ") + to_string(argument) +
           " --digits " + std::to_string(options_.digits) + " --direction " +
           std::string(name_of(loss_.direction()));
  }

  ComposedLoss loss_;
  std::string spec_;
  AnswerOptions options_;
  std::unique_ptr<Ties> ties_;
  std::vector<Candidate> candidates_;
};

}  // namespace

namespace {

/// The larger of the directions' values, where it is known exactly.
std::optional<Rational> larger_exact(const std::vector<DirectionAnswer>& directions) {
  std::optional<Rational> greatest;
  for (const DirectionAnswer& each : directions) {
    if (each.band.exact && (!greatest || *greatest < *each.band.exact)) greatest = each.band.exact;
  }
  if (!greatest) return std::nullopt;
  for (const DirectionAnswer& each : directions) {
    if (!each.band.exact && !certainly_less_equal(each.band.upper, Ball(*greatest))) {
      return std::nullopt;
    }
  }
  return greatest;
}

}  // namespace

struct Session::State {
  State(const Composition& composition, const AnswerOptions& given) : options(given) {
    const bool symmetric = composition.symmetric();
    const auto open = [&](Direction direction) {
      directions.emplace_back(composition, direction, options);
    };
    if (options.direction != DirectionChoice::add) open(Direction::remove);
    if (options.direction == DirectionChoice::add ||
        (options.direction == DirectionChoice::both && !symmetric)) {
      open(Direction::add);
    }
    both_alike = symmetric && options.direction == DirectionChoice::both;
  }

  AnswerOptions options;
  std::vector<DirectionSession> directions;
  bool both_alike = false;
};

Session::Session(const Composition& composition, const AnswerOptions& options)
    : state_(std::make_unique<State>(composition, options)) {}
Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

Answer Session::answer(Quantity quantity, const Rational& argument) {
  if (quantity == Quantity::epsilon && (argument < 0 || argument > 1)) {
    throw std::invalid_argument("delta must lie in [0, 1]");
  }
  const Stopwatch watch;
  Answer answer;
  answer.quantity = quantity;
  std::vector<Enclosure> bands(state_->directions.size());
  const double budget = state_->options.timeout_seconds;
  const int digits = state_->options.digits;
  const auto run = [&](std::size_t i, double seconds) {
    const double last = budget + grace_seconds - watch.seconds();
    bands[i] = state_->directions[i].answer(quantity, argument, seconds, last);
  };
  if (bands.size() == 1) {
    run(0, budget);
  } else if (state_->options.threads > 1) {
    run_together({[&] { run(0, budget); }, [&] { run(1, budget - watch.seconds()); }});
  } else {
    // The second direction is pursued only while it may matter: where a short try shows it below
    // the first one, its wide band is as good as a narrow one.
    run(0, budget / 2);
    const double left = budget - watch.seconds();
    const double short_try = reached(bands[0], digits) ? 0.05 + watch.seconds() : left;
    run(1, std::min(left, short_try));
    if (!reached(bands[1], digits)) {
      if (certainly_less_equal(bands[1].upper, bands[0].lower)) {
        bands[1].remark = "not pursued: the other direction decides";
      } else if (short_try < left) {
        run(1, budget - watch.seconds());
      }
    }
  }

  for (std::size_t i = 0; i < bands.size(); ++i) {
    answer.directions.push_back({state_->directions[i].direction(), bands[i]});
  }
  if (state_->both_alike) answer.directions.push_back({Direction::add, bands[0]});
  // The larger of the two curves, end by end; the words are those of the larger upper end.
  answer.band = answer.directions[0].band;
  for (const DirectionAnswer& each : answer.directions) {
    const Ball lower = larger(answer.band.lower, each.band.lower);
    const Ball upper = larger(answer.band.upper, each.band.upper);
    if (certainly_less(answer.band.upper, each.band.upper)) answer.band = each.band;
    answer.band.lower = lower;
    answer.band.upper = upper;
  }
  answer.band.exact = larger_exact(answer.directions);
  answer.reached = answer.band.certified && reached(answer.band, digits);
  if (answer.reached) answer.band.remark.clear();
  answer.seconds = watch.seconds();
  return answer;
}

std::optional<int> Session::compare(Quantity quantity, const Rational& argument,
                                    const Rational& x) {
  // The sign of the larger of two numbers minus x.
  std::optional<int> sign = -1;
  for (const DirectionSession& each : state_->directions) {
    const std::optional<int> one =
        each.compare(quantity, argument, x, Ties::much_work, state_->options.timeout_seconds);
    if (one && *one > 0) return 1;
    sign = sign && one ? std::optional(std::max(*sign, *one)) : std::nullopt;
  }
  return sign;
}

}  // namespace plaudit
