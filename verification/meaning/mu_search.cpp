#include "verification/meaning/mu_search.hpp"

#include <algorithm>
#include <cmath>
#include <queue>
#include <stdexcept>
#include <vector>

#include "lib/analysis/normal/normal_quantile.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/unlimited_work.hpp"
#include "lib/work/work_limit.hpp"
#include "verification/meaning/threshold_guess.hpp"

namespace plaudit {

Ball mu_at(const Ball& fpr, const Ball& fnr) {
  if (certainly_greater_equal(fnr, Ball(1))) return -positive_infinity();
  if (!certainly_less(fnr, Ball(1))) return positive_infinity();
  const std::optional<Ball> z = normal_quantile(fpr);
  const std::optional<Ball> y = normal_quantile(fnr);
  return z && y ? -*z - *y : positive_infinity();
}

bool are_near(const Ball& lower, const Ball& upper, int digits) {
  const Ball goal = upper * power(Ball(Rational(1, 10)), static_cast<std::uint64_t>(digits));
  return upper.is_finite() && certainly_less_equal(upper - lower, goal);
}

namespace {

constexpr int first_lines = 16;            ///< corners of the first polygon
constexpr int most_tests = 4000;           ///< certified before the search ends with a wider band
constexpr int spare_digits_of_mu = 8;      ///< of the rates of tests, beyond those of mu
constexpr int most_digits_of_tests = 200;  ///< up to which those are doubled
constexpr int digits_of_ends = 8;  ///< of the trade-off function at the left end of the range
// Heuristics of the search for its right end.
constexpr int most_steps_to_the_end = 60;
constexpr double far_score = 40;            ///< the normal score of a rate that is not told from 0
constexpr double shortest_bracket = 1e-10;  ///< relative: then the tests at its ends are mixed

/// The privacy curve of N(mu, 1) against N(0, 1) at epsilon = log s.
Ball gaussian_delta(const Ball& mu, const Ball& s) {
  const Ball x = log(s) / mu;
  return normal_cdf(ldexp(mu, -1) - x) - s * normal_cdf(-ldexp(mu, -1) - x);
}

/// One direction.
class MuSearch {
 public:
  MuSearch(TradeOff& trade, const ComposedLoss& loss, std::optional<Rational> least_error,
           int digits, std::function<void(const MuBand&)> proven)
      : trade_(trade),
        loss_(loss),
        least_error_(std::move(least_error)),
        digits_(digits),
        proven_(std::move(proven)) {}

  MuBand run() {
    MuBand band;
    try {
      if (least_error_) {
        ends_of_range();
      } else if (!ends_of_support()) {
        band.remark = "losses without bounds: an upper end is known for errors from some size only";
        band.lower = max(Ball(0), lower_).lower();
        return band;
      }
      subdivide();
    } catch (...) {
      const GivenUp why = given_up_unless_contradiction();
      band.remark = why.words;
      band.cause = why.cause;
    }
    const UnlimitedWork ending;
    const PrecisionScope scope(bits_of_mu);
    take_ends(band);
    try {
      band.regret = regret(band.upper);
    } catch (...) {  // it is not known
      given_up_unless_contradiction();
    }
    band.reached = are_near(band.lower, band.upper, digits_);
    if (!band.reached && band.remark.empty()) band.remark = "the tests tried did not come nearer";
    return band;
  }

 private:
  /// A corner of the polygon: where the lines of two neighbouring thresholds meet.
  struct Vertex {
    Ball mu;        ///< through the corner, or more: an exact ball, so that they are ordered
    Rational high;  ///< the threshold of the line on the left, at lower rates
    Rational low;
  };
  struct Smaller {
    bool operator()(const Vertex& a, const Vertex& b) const { return certainly_less(a.mu, b.mu); }
  };

  /// What is known of mu by now.
  void take_ends(MuBand& band) const {
    band.lower = max(Ball(0), lower_).lower();
    const Ball upper = above();
    if (certainly_less(upper, band.lower)) {
      throw std::logic_error("mu: a test is better than the privacy curve allows");
    }
    band.upper = max(band.lower, upper).upper();
  }

  void tell() const {
    if (!proven_) return;
    const UnlimitedWork telling;
    const PrecisionScope scope(bits_of_mu);
    MuBand band;
    take_ends(band);
    proven_(band);
  }

  int digits_of_tests() const { return digits_ + spare_digits_of_mu; }

  /// A lower bound of the false negative rate at fpr. Proof: docs/proofs/tradeoff.md#two-sides
  Ball line(const TradeOff::Threshold& test, const Ball& fpr) const {
    return (Ball(1) - test.delta.upper - test.ratio * fpr).lower();
  }

  /// Certifies the tests L > x and L >= x, and takes what they say of mu from below.
  const TradeOff::Threshold& ask(const Rational& x) {
    ++tests_;
    int digits = digits_of_tests();
    const TradeOff::Threshold* asked = &trade_.at(x, digits);
    // Where nearly all of P rejects, the false negative rate needs more digits than the power.
    const Ball share = power(Ball(Rational(1, 10)), static_cast<std::uint64_t>(digits_) + 2);
    while (digits < most_digits_of_tests &&
           !certainly_less_equal(asked->power.upper - asked->power.lower,
                                 (Ball(1) - asked->power.upper) * share)) {
      digits *= 2;
      asked = &trade_.at(x, digits);
    }
    const TradeOff::Threshold& test = *asked;
    corner(test.fpr.upper, test.power.lower);
    if (test.with_atom_fpr) corner(test.with_atom_fpr->upper, test.with_atom_power->lower);
    return test;
  }

  /// A test of at most these rates; where they are less than the least error, it can be worsened.
  // Proof: docs/proofs/gaussian_dp.md#least-mu
  void corner(const Ball& fpr, const Ball& power) {
    Ball a = fpr;
    Ball b = Ball(1) - power;
    if (least_error_) {
      a = PLAUDIT_BOUND("gaussian_mu.least_fpr", max(a, Ball(*least_error_)), a);
      b = PLAUDIT_BOUND("gaussian_mu.least_fnr", max(b, Ball(*least_error_)), b);
    }
    const Ball mu = mu_at(a, b);
    if (mu.is_finite()) lower_ = max(lower_, mu.lower()).lower();
  }

  /// The threshold known whose line is highest at this rate.
  std::optional<Rational> best_line(const Rational& fpr) const {
    std::optional<Rational> best;
    Ball height(-2);
    for (const auto& [x, test] : trade_.thresholds()) {
      const Ball here = line(test, Ball(fpr));
      if (certainly_less(height, here)) {
        height = here;
        best = x;
      }
    }
    return best;
  }

  /// The false positive rate at which the line of this test falls to the least error.
  Ball reach(const TradeOff::Threshold& test) const {
    return (line(test, Ball(*least_error_)) - Ball(*least_error_) +
            test.ratio * Ball(*least_error_)) /
           test.ratio;
  }

  /// The mixture of two tests whose false negative rate is the least error: `less` lies below it.
  void mixed_corner(const TradeOff::Threshold& less, const TradeOff::Threshold& more) {
    const Ball rise = less.power.lower - more.power.lower;
    const Ball weight = ((less.power.lower - Ball(1) + Ball(*least_error_)) / rise).middle();
    if (!certainly_positive(weight) || !certainly_less(weight, Ball(1))) return;
    corner((weight * more.fpr.upper + (Ball(1) - weight) * less.fpr.upper).upper(),
           (weight * more.power.lower + (Ball(1) - weight) * less.power.lower).lower());
  }

  /// Asks for thresholds x, heuristically, until P(L <= x) is near the least error.
  void approach_right_end(const Rational& first) {
    const double goal = normal_score(estimate_log(*least_error_));
    const double near = std::pow(10.0, -digits_ - 1);
    const int digits =
        digits_of_tests() - static_cast<int>(clamped_integer(
                                std::floor(estimate_log(*least_error_) / log_ten), -10'000, 0));
    std::optional<double> left;  // where it is less
    std::optional<double> right = estimate(first);
    double left_score = far_score;
    double right_score = -far_score;
    double x = -std::fabs(*right);
    double stride = std::max(1e-9, 0.1 * std::fabs(x));
    for (int i = 0; i < most_steps_to_the_end; ++i) {
      const TradeOff::Threshold& test = trade_.at(exact_rational(Ball(x)), digits);
      const double rate = (Ball(1) - ldexp(test.power.lower + test.power.upper, -1)).estimate_log();
      const double score = std::isfinite(rate) ? normal_score(std::min(rate, -1e-12)) : far_score;
      if (std::fabs(score - goal) < near) {
        corner(test.fpr.upper, test.power.lower);
        return;
      }
      (score > goal ? left : right) = x;
      (score > goal ? left_score : right_score) = score;
      if (!left) {
        x -= stride;
        stride *= 2;
        continue;
      }
      if (*right - *left < shortest_bracket * (1 + std::fabs(*right))) {
        mixed_corner(trade_.at(exact_rational(Ball(*left)), 0),
                     trade_.at(exact_rational(Ball(*right)), 0));
        return;
      }
      const double share = i % 3 == 2 || left_score - right_score >= far_score
                               ? 0.5
                               : (left_score - goal) / (left_score - right_score);
      x = *left + std::clamp(share, 0.02, 0.98) * (*right - *left);
    }
  }

  /// The outermost lines: the highest one at the least error, and the one that falls to it last.
  // Proof: docs/proofs/gaussian_dp.md#least-mu
  void ends_of_range() {
    const Rational& least = *least_error_;
    {
      const PrecisionScope scope(bits_of_mu);
      mu_of_least_error_ = mu_at(Ball(least), Ball(least)).upper();
    }
    tell();
    const PowerBand at_least = trade_.by_thresholds(least, digits_of_ends);
    const PrecisionScope scope(bits_of_mu);
    corner(Ball(least), at_least.power.lower);
    tell();
    // Where bounded losses needed no tests, the lines of their ends are what was used.
    const Ball greatest = loss_.greatest_loss();
    const Ball smallest = loss_.least_loss();
    if (greatest.is_finite()) ask(exact_rational(greatest.upper()));
    if (smallest.is_finite()) ask(exact_rational(smallest.lower()));
    const std::optional<Rational> first = best_line(least);
    if (!first) return;
    approach_right_end(*first);
    std::optional<Rational> last;
    Ball farthest(least);
    for (const auto& [x, test] : trade_.thresholds()) {
      if (certainly_less(farthest, reach(test))) {
        farthest = reach(test).lower();
        last = x;
      }
    }
    if (!last || *first < *last) return;
    const Ball from_left = mu_at(Ball(least), line(ask(*first), Ball(least))).upper();
    right_ = PLAUDIT_BOUND("gaussian_mu.right_end", reach(ask(*last)).lower(),
                           ldexp(Ball(1) + farthest, -1).middle());
    const Ball from_right = mu_at(right_, Ball(least)).upper();
    if (!certainly_less(right_, Ball(1)) || !from_left.is_finite() || !from_right.is_finite()) {
      return;
    }
    first_ = first;
    last_ = last;
    mu_at_ends_ = max(from_left, from_right);
  }

  /// Bounded losses: the outermost lines are those of the ends of the support, and need no check
  /// beyond the first and the last vertex.
  bool ends_of_support() {
    const PrecisionScope scope(bits_of_mu);
    const Ball greatest = loss_.greatest_loss();
    const Ball least = loss_.least_loss();
    if (!greatest.is_finite() || !least.is_finite()) return false;
    if (!loss_.mass_at_infinity().is_exact_zero() ||
        !certainly_less_equal(Ball(1), loss_.q_mass())) {
      return false;
    }
    const Rational first = exact_rational(greatest.upper());
    const Rational last = exact_rational(least.lower());
    if (last >= first) return false;
    first_ = first;
    last_ = last;
    mu_at_ends_ = Ball(0);
    return true;
  }

  // Proof: docs/proofs/gaussian_dp.md#least-mu
  Vertex vertex(const Rational& high, const Rational& low) {
    const TradeOff::Threshold& left = ask(high);
    const TradeOff::Threshold& right = ask(low);
    Ball mu = positive_infinity();
    Ball place = ((right.delta.upper - left.delta.upper) / (left.ratio - right.ratio)).middle();
    if (least_error_ && place.is_finite()) {
      place = min(max(place, Ball(*least_error_)), right_).middle();
    }
    if (place.is_finite() && certainly_positive(place) && certainly_less(place, Ball(1))) {
      const Ball height =
          PLAUDIT_BOUND("gaussian_mu.lines", min(line(left, place), line(right, place)).lower(),
                        (Ball(1) - place).lower());
      const Ball there = mu_at(place, height).upper();
      if (there.is_finite()) mu = max(Ball(0), there).upper();
    }
    return {mu, high, low};
  }

  /// Corners of equidistant thresholds first; then a threshold between the two of the greatest mu.
  void subdivide() {
    if (!first_) return;
    const PrecisionScope scope(bits_of_mu);
    Rational before = *first_;
    for (int i = 1; i <= first_lines && *last_ < *first_; ++i) {
      const Rational next =
          i == first_lines ? *last_ : Rational(*first_ + (*last_ - *first_) * i / first_lines);
      vertices_.push(vertex(before, next));
      before = next;
    }
    covered_ = true;
    tell();
    while (tests_ < most_tests && !narrow() && !vertices_.empty()) {
      const Vertex worst = vertices_.top();
      if (certainly_less_equal(worst.mu, mu_at_ends_)) return;  // the ends alone decide
      // Dyadic, so that numbers stay short.
      const Rational x = exact_rational(ldexp(Ball(worst.high) + Ball(worst.low), -1).middle());
      if (x >= worst.high || x <= worst.low) return;
      const Vertex left = vertex(worst.high, x);
      const Vertex right = vertex(x, worst.low);
      vertices_.pop();  // only now: whatever ends the search leaves a whole cover
      vertices_.push(left);
      vertices_.push(right);
      tell();
      check_work_limit();
    }
  }

  /// An upper bound of mu.
  Ball above() const {
    if (!covered_) return mu_of_least_error_;
    const Ball polygon = vertices_.empty() ? mu_at_ends_ : max(mu_at_ends_, vertices_.top().mu);
    return max(Ball(0), min(mu_of_least_error_, polygon)).upper();
  }

  bool narrow() const { return are_near(max(Ball(0), lower_), above(), digits_); }

  // Proof: docs/proofs/gaussian_dp.md#regret
  Ball regret(const Ball& mu) const {
    if (!mu.is_finite() || !certainly_positive(mu)) return positive_infinity();
    struct Corner {
      Ball fpr;
      Ball power;
    };
    std::vector<Corner> corners{{Ball(0), loss_.mass_at_infinity().lower()}};
    std::vector<Corner> sorted;
    for (const auto& [x, test] : trade_.thresholds()) {
      sorted.push_back({test.fpr.upper, test.power.lower});
      if (test.with_atom_fpr) {
        sorted.push_back({test.with_atom_fpr->upper, test.with_atom_power->lower});
      }
    }
    std::sort(sorted.begin(), sorted.end(),
              [](const Corner& a, const Corner& b) { return middle_is_less(a.fpr, b.fpr); });
    for (const Corner& next : sorted) {  // those that cost more and win more
      const Corner& last = corners.back();
      if (certainly_less(last.fpr, next.fpr) && certainly_less(last.power, next.power) &&
          certainly_less(next.fpr, Ball(1)) && certainly_less(next.power, Ball(1))) {
        corners.push_back(next);
      }
    }
    corners.push_back({Ball(1), Ball(1)});
    Ball worst(0);
    for (std::size_t i = 1; i < corners.size(); ++i) {
      const Corner& from = corners[i - 1];
      const Corner& to = corners[i];
      const Ball slope = (to.power - from.power) / (to.fpr - from.fpr);
      const Ball start = Ball(1) - from.power + slope * from.fpr;
      const Ball apart = (start - Ball(1) + gaussian_delta(mu, slope)) / (Ball(1) + slope);
      if (!apart.is_finite()) return positive_infinity();
      worst = max(worst, apart.upper()).upper();
    }
    // Where an error is less, the run may be below the Gaussian.
    if (least_error_) {
      worst = max(worst, PLAUDIT_BOUND("gaussian_mu.regret", Ball(*least_error_), Ball(0))).upper();
    }
    return worst;
  }

  TradeOff& trade_;
  const ComposedLoss& loss_;
  std::optional<Rational> least_error_;
  int digits_;
  std::function<void(const MuBand&)> proven_;
  int tests_ = 0;
  Ball lower_{0};
  /// mu(r, r), r the least error: no test of the range has more.
  Ball mu_of_least_error_ = positive_infinity();
  Ball mu_at_ends_{0};             ///< what the outermost lines say at the ends of the range
  Ball right_{1};                  ///< the false positive rate up to which lines are needed
  bool covered_ = false;           ///< vertices_ has all corners between first_ and last_
  std::optional<Rational> first_;  ///< the thresholds of the outermost lines
  std::optional<Rational> last_;
  std::priority_queue<Vertex, std::vector<Vertex>, Smaller> vertices_;
};

}  // namespace

MuBand mu_by_search(TradeOff& trade, const ComposedLoss& loss, std::optional<Rational> least_error,
                    int digits, std::function<void(const MuBand&)> proven) {
  return MuSearch(trade, loss, std::move(least_error), digits, std::move(proven)).run();
}

}  // namespace plaudit
