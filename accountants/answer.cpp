#include "accountants/answer.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "accountants/registry.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/decimal.hpp"
#include "lib/precision.hpp"
#include "lib/work_limit.hpp"

namespace plaudit {

namespace {

constexpr const char* automatic = "auto";

/// The larger of two exact balls, itself.
Ball larger(const Ball& a, const Ball& b) { return certainly_less(a, b) ? b : a; }

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
      : loss_(composition, direction), spec_(composition.spec()), options_(options) {
    if (options.accountant != automatic) {
      const std::shared_ptr<const Accountant> chosen = accountant(options.accountant);
      if (const auto reason = chosen->refusal(loss_)) throw std::invalid_argument(*reason);
      candidates_.push_back({chosen, nullptr});
      return;
    }
    for (const auto& each : accountants()) {
      if (each->automatic() && !each->estimates_only() && !each->refusal(loss_))
        candidates_.push_back({each, nullptr});
    }
    std::stable_partition(candidates_.begin(), candidates_.end(), [&](const Candidate& candidate) {
      return candidate.accountant->early(loss_);
    });
  }

  /// Asks one accountant after the other until the wanted digits are reached; the band is the
  /// intersection of all that was proven. Instant accountants may still answer where a slow one has
  /// used up the time: they have `last` seconds from now, if that is more.
  Enclosure answer(Quantity quantity, const Rational& argument, double seconds, double last) {
    const Stopwatch watch;
    Enclosure band = quantity == Quantity::delta ? trivial_delta(loss_, argument)
                                                 : trivial_epsilon(loss_, argument);
    bool first = true;
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
    return band;
  }

  Direction direction() const { return loss_.direction(); }

 private:
  struct Candidate {
    std::shared_ptr<const Accountant> accountant;
    std::unique_ptr<PrivacyCurve> curve;
  };

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
  std::vector<Candidate> candidates_;
};

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
    std::exception_ptr failure;
    std::thread other([&] {
      try {
        run(1, budget);
      } catch (...) {
        failure = std::current_exception();
      }
      release_thread_caches();
    });
    try {
      run(0, budget);
    } catch (...) {
      other.join();
      throw;
    }
    other.join();
    if (failure) std::rethrow_exception(failure);
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
  answer.reached = answer.band.certified && reached(answer.band, digits);
  if (answer.reached) answer.band.remark.clear();
  answer.seconds = watch.seconds();
  return answer;
}

}  // namespace plaudit
