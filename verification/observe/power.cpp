#include "verification/observe/power.hpp"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>

#include "lib/balls/binomial.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "verification/meaning/threshold_guess.hpp"
#include "verification/observe/claimed.hpp"

namespace plaudit {

namespace {

constexpr int scores_asked = 20;        ///< of each side, of the best tests
constexpr double farthest_score = 7.5;  ///< of a rate that is asked
constexpr double least_mass = 1e-12;    ///< of counts that matter
constexpr int lines_asked = 28;
constexpr double greatest_line = 7;  ///< log lambda

double upper_tail(double z) { return std::erfc(z / std::sqrt(2.0)) / 2; }

/// P(Bin(n, rate) <= k).
double at_most(double k, double n, double rate) {
  if (k < 0) return 0;
  if (k >= n || rate <= 0) return 1;
  return rate >= 1 ? 0 : boost::math::ibetac(k + 1, n - k, rate);
}

double exactly(double k, double n, double rate) {
  if (rate <= 0 || rate >= 1) return k == (rate <= 0 ? 0 : n) ? 1 : 0;
  return std::exp(estimate_log_choose(n, k) + k * std::log(rate) + (n - k) * std::log1p(-rate));
}

/// The greatest x in {first, ..., last} that holds, where those that hold come first.
template <class Holds>
std::optional<std::uint64_t> last_that(std::uint64_t first, std::uint64_t last, Holds&& holds) {
  if (!holds(first)) return std::nullopt;
  while (first < last) {
    const std::uint64_t middle = first + (last - first + 1) / 2;
    if (holds(middle)) {
      first = middle;
    } else {
      last = middle - 1;
    }
  }
  return first;
}

/// The least x in {1, ..., most} with at least this power, which about increases.
template <class Power>
std::optional<std::uint64_t> least_with(double wanted, std::uint64_t most, Power&& power) {
  std::uint64_t high = 1;
  while (power(high) < wanted) {
    if (high == most) return std::nullopt;
    high = std::min(2 * high, most);
  }
  const auto below = last_that(1, high, [&](std::uint64_t x) { return power(x) < wanted; });
  return below ? *below + 1 : 1;
}

/// Where a function that increases on [low, high] reaches a value.
template <class Function>
double reached(double low, double high, double value, Function&& f) {
  for (int i = 0; i < 40; ++i) {
    const double middle = (low + high) / 2;
    (f(middle) < value ? low : high) = middle;
  }
  return high;
}

}  // namespace

double PlanOfRuns::Tests::fnr_score(double fpr_score) const {
  const auto above = std::upper_bound(at.begin() + 1, at.end() - 1, fpr_score);
  const auto i = static_cast<std::size_t>(above - at.begin());
  const double part = (fpr_score - at[i - 1]) / (at[i] - at[i - 1]);
  return value[i - 1] + part * (value[i] - value[i - 1]);
}

PlanOfRuns::Tests PlanOfRuns::ask(const Composition& composition, const AnswerOptions& options) {
  Claimed claimed(composition, options);
  Tests tests;
  for (int i = -scores_asked; i <= scores_asked; ++i) {
    const double score = farthest_score * i / scores_asked;
    const Rational fpr = checked_rational(upper_tail(score), "rate");
    double fnr = 1;
    for (ClaimedPower& one : claimed.directions()) {
      // the tests of `add` are those of `remove` with its hypotheses exchanged
      if (!one.remove() && claimed.directions().size() > 1) continue;
      fnr = (Ball(1) - one.at(fpr).upper).estimate();
    }
    tests.at.push_back(score);
    tests.value.push_back(normal_score(std::log(std::clamp(fnr, 1e-300, 1 - 1e-16))));
  }
  if (claimed.directions().front().remove()) return tests;
  // Of `add` alone what was asked at is the rate of runs with the record, the false negative one.
  std::swap(tests.at, tests.value);
  std::reverse(tests.at.begin(), tests.at.end());
  std::reverse(tests.value.begin(), tests.value.end());
  for (std::size_t i = 1; i < tests.at.size(); ++i) {
    tests.at[i] =
        std::max(tests.at[i], tests.at[i - 1] + 1e-9);  // rates that were clamped are equal
  }
  return tests;
}

PlanOfRuns::PlanOfRuns(const Composition& claim, const Composition& alternative,
                       const Rational& level, const AnswerOptions& options)
    : level_(estimate(level)),
      claim_(ask(claim, options)),
      alternative_(ask(alternative, options)) {}

double PlanOfRuns::power_at(double fpr_score, double fnr_score, std::uint64_t n,
                            std::uint64_t m) const {
  const double u = upper_tail(fpr_score);
  const double v = upper_tail(fnr_score);
  const auto runs = static_cast<double>(n);
  const auto others = static_cast<double>(m);
  const double spread = 8 * std::sqrt(runs * u * (1 - u)) + 40;
  const double last = std::min(runs - 1, std::floor(runs * u + spread));
  double sum = 0;
  for (double k = std::max(0.0, std::floor(runs * u - spread)); k <= last; ++k) {
    const double mass = exactly(k, runs, u);
    if (mass < least_mass) continue;
    // Refuted are those j with P(Bin(m, f(a)) <= j) <= level / 2 at the limit a of k.
    const double a = boost::math::ibetac_inv(k + 1, runs - k, level_ / 2);
    const double least =
        upper_tail(claim_.fnr_score(normal_score(std::log(std::min(a, 1 - 1e-16)))));
    const auto j = last_that(0, m, [&](std::uint64_t x) {
      return at_most(static_cast<double>(x), others, least) <= level_ / 2;
    });
    if (j) sum += mass * at_most(static_cast<double>(*j), others, v);
  }
  return sum;
}

RunsPower PlanOfRuns::best(const Tests& tests, std::uint64_t n, std::uint64_t m) const {
  RunsPower found;
  double best_score = 0;
  const auto look = [&](double score) {
    const double power = power_at(score, tests.fnr_score(score), n, m);
    if (power <= found.power) return;
    found = {power, upper_tail(score)};
    best_score = score;
  };
  for (double score = -4; score <= 6; score += 0.5) look(score);
  for (double step = 0.25; step > 0.02; step /= 2) {
    const double middle = best_score;
    look(middle - step);
    look(middle + step);
  }
  return found;
}

RunsPower PlanOfRuns::power(std::uint64_t without_record, std::uint64_t with_record) const {
  return best(alternative_, without_record, with_record);
}

std::optional<std::uint64_t> PlanOfRuns::runs_for(double power) const {
  return least_with(power, most_observed_runs,
                    [&](std::uint64_t n) { return best(alternative_, n, n).power; });
}

double PlanOfRuns::detectable_mu(std::uint64_t without_record, std::uint64_t with_record,
                                 double power) const {
  return reached(0, 20, power, [&](double mu) {
    // Best tests of a mu-GDP pair: the normal score z of the FPR goes with mu - z of the FNR.
    return best({{-20, 20}, {mu + 20, mu - 20}}, without_record, with_record).power;
  });
}

PlanOfCanaries::PlanOfCanaries(const Composition& claim, const Composition& alternative,
                               const Rational& level, bool independent,
                               const AnswerOptions& options)
    : level_(estimate(level)), independent_(independent) {
  GuessedCurve claimed(claim, options, GuessedAs::both);
  for (int i = 0; i <= lines_asked && !independent; ++i) {
    const double epsilon = greatest_line * i / lines_asked;
    lines_.emplace_back(epsilon, claimed.at(checked_rational(epsilon, "epsilon")).estimate());
  }
  GuessedCurve other(alternative, options, GuessedAs::both);
  claimed_right_ = (1 + claimed.advantage().estimate()) / 2;
  right_ = (1 + other.advantage().estimate()) / 2;
}

std::uint64_t PlanOfCanaries::least_refuting(std::uint64_t canaries) const {
  const auto not_refuting = last_that(0, canaries, [&](std::uint64_t right) {
    const auto m = static_cast<double>(canaries);
    const auto v = static_cast<double>(right);
    if (independent_) return 1 - at_most(v - 1, m, claimed_right_) > level_;
    return std::all_of(lines_.begin(), lines_.end(), [&](const auto& line) {
      return rough_probability({canaries, canaries, right}, line.first, line.second) > level_;
    });
  });
  return not_refuting.value_or(0) + 1;
}

double PlanOfCanaries::power(std::uint64_t canaries) const {
  const auto least = static_cast<double>(least_refuting(canaries));
  return 1 - at_most(least - 1, static_cast<double>(canaries), right_);
}

std::optional<std::uint64_t> PlanOfCanaries::canaries_for(double power) const {
  return least_with(power, most_canaries, [&](std::uint64_t m) { return this->power(m); });
}

double PlanOfCanaries::detectable_share(std::uint64_t canaries, double power) const {
  const auto m = static_cast<double>(canaries);
  const auto least = static_cast<double>(least_refuting(canaries));
  return least > m ? 1
                   : reached(0.5, 1, power, [&](double q) { return 1 - at_most(least - 1, m, q); });
}

}  // namespace plaudit
