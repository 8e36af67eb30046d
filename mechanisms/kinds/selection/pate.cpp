// pate(votes, sigma): one answer of private aggregation of teachers, the class of most votes after
// N(0, sigma^2) is added to the number of votes of each, for these votes (Papernot et al., ICLR
// 2018, arXiv 1802.08908).
//
// Where most teachers agree, the answer hardly depends on one of them: bounds of the Renyi
// divergences of the laws of the answer for these votes and for those that differ in the vote of
// one teacher. They hold for these votes alone, and are computed from them: no privacy guarantee,
// and the numbers are private. Proof: docs/proofs/teachers.md#bound
#include <algorithm>
#include <cmath>

#include "lib/balls/decimal.hpp"
#include "lib/balls/precision.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/forms/directed_mechanism.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/laws/bounded_loss.hpp"

namespace plaudit {

namespace {

constexpr std::size_t most_classes = 10'000;
constexpr long most_votes = 1'000'000'000'000;
constexpr long bits_of_divergences = 192;
constexpr int digits_of_values = 29;  ///< that a bound of a moment keeps, rounded up
constexpr long least_probability =
    -1024;  ///< exponent of 2, below which no probability needs to be
/// Orders 1 + t at which the bounds are taken: t = (8 + i) 2^k / 8, i = 0..7.
constexpr int first_power = -8;
constexpr int last_power = 24;
constexpr int orders_a_power = 8;
/// The two orders of the theorem are tried at these multiples of sigma (log 1/q)^(1/2), which is
/// where they are best for small q, and rounded to multiples of 1/16.
constexpr double multiples[] = {0.25, 0.4, 0.55, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2, 3};
constexpr double sixteenths = 16;

/// Orders of the Renyi divergences from P and to P that the theorem takes.
struct TwoOrders {
  double from = 0;
  double to = 0;
};

/// t D_(1+t), about, by the theorem; infinity where its hypotheses are not met.
double estimated_moment(double log_q, double variance, double t, const TwoOrders& orders) {
  const double share = (orders.to - 1) / orders.to;
  const double log_u = share * (log_q + orders.to / variance);
  const double infinite = std::numeric_limits<double>::infinity();
  if (log_u >= 0 || share * std::exp(log_u - log_q) < orders.from / (orders.from - 1)) {
    return infinite;
  }
  const double first = (1 + t) * std::log1p(-std::exp(log_q)) - t * std::log1p(-std::exp(log_u));
  const double second = log_q + t * (orders.from / variance - log_q / (orders.from - 1));
  return std::log1p(std::expm1(first) + std::exp(second));
}

/// Those with which the bound of the theorem at the order 1 + t is least, by estimates.
TwoOrders best_orders(double log_q, double variance, double t) {
  const double scale = std::sqrt(-log_q * variance);
  TwoOrders best;
  double least = std::numeric_limits<double>::infinity();
  const auto rounded = [](double order) { return std::ceil(order * sixteenths) / sixteenths; };
  for (const double to : multiples) {
    for (const double from : multiples) {
      const TwoOrders orders{std::max(rounded(1 + from * scale), rounded(1 + t)),
                             rounded(1 + to * scale)};
      const double value = estimated_moment(log_q, variance, t, orders);
      if (value < least) {
        least = value;
        best = orders;
      }
    }
  }
  return best;
}

/// t D_(1+t)(P | Q) from above, P(another answer) being at most q; nothing where the hypotheses are
/// not certain. Proof: docs/proofs/teachers.md#bound docs/proofs/teachers.md#monotone
std::optional<Ball> moment_by_orders(const Ball& q, const Rational& variance, const Rational& t,
                                     const TwoOrders& orders) {
  if (!(orders.to > 1) || !(orders.from > 1)) return std::nullopt;
  const Ball from(orders.from);
  const Ball to(orders.to);
  const Ball one(1);
  const Ball rate = one / Ball(variance);  // D_m of the noisy votes is at most m rate
  const Ball share = (to - one) / to;
  const Ball u = exp(share * (log(q) + to * rate));
  const Ball log_a = log1p(-q) - log1p(-u);
  const Ball log_b = from * rate - log(q) / (from - one);
  const bool holds = certainly_less_equal(Ball(Rational(1 + t)), from) && certainly_less(u, one) &&
                     certainly_less_equal(from / (from - one), share * u / q) &&
                     certainly_less_equal(log_a, log_b);
  if (!holds) return std::nullopt;
  const Ball order(t);
  const Ball first = expm1(log1p(-q) + order * log_a);
  const Ball second = exp(log(q) + order * log_b);
  return log1p(first + PLAUDIT_BOUND("pate.others", second, Ball(0.99) * second));
}

/// Bounds of t D_(1+t), at most those of the noisy votes themselves.
BoundedLoss::Bounds bounds_of(const Ball& q, const Rational& variance) {
  const double log_q = q.estimate_log();
  std::vector<BoundedLoss::Point> points;
  const auto proven = std::make_shared<std::vector<MomentBound>>();
  for (int k = first_power; k <= last_power; ++k) {
    check_work_limit();
    for (int i = 0; i < orders_a_power; ++i) {
      const Integer unit = Integer(1) << static_cast<unsigned>(std::abs(k));
      const Rational eighths = Rational(orders_a_power + i) / orders_a_power;
      const Rational t = k < 0 ? Rational(eighths / unit) : Rational(eighths * unit);
      MomentBound least{t, Rational(t * (1 + t) / variance), 0, 0};
      const TwoOrders orders =
          log_q < 0 ? best_orders(log_q, estimate(variance), estimate(t)) : TwoOrders{};
      const auto moment = moment_by_orders(q, variance, t, orders);
      if (moment && moment->is_finite() && certainly_positive(*moment)) {
        const Rational value = parse_rational(decimal_above(*moment, digits_of_values));
        if (value < least.value) {
          least = {t, value, exact_rational(Ball(orders.from)), exact_rational(Ball(orders.to))};
        }
      }
      points.push_back({t, least.value});
      proven->push_back(std::move(least));
    }
  }
  BoundedLoss::Bounds bounds = BoundedLoss::bounds_at(points);
  bounds.proven = proven;
  return bounds;
}

/// At least P(another class than that of most votes is the answer), by a union bound, where each
/// gap to it may be smaller by `nearer` than here.
Ball probability_of_others(const std::vector<Rational>& votes, const Rational& sigma, int nearer) {
  const auto most = std::max_element(votes.begin(), votes.end());
  Ball sum = ldexp(Ball(1), least_probability);
  for (auto each = votes.begin(); each != votes.end(); ++each) {
    if (each == most) continue;
    const Rational gap = *most - *each - nearer;
    sum += ldexp(erfc(Ball(Rational(gap / (2 * sigma)))), -1);
  }
  return sum.upper();
}

// Proof: docs/proofs/teachers.md#votes
MechanismPointer build_pate(const Arguments& arguments) {
  const std::vector<Rational>& votes = arguments.list("votes");
  const Rational sigma = arguments.positive("sigma");
  if (votes.size() < 2 || votes.size() > most_classes) {
    arguments.reject("votes", "a list of " + std::to_string(votes.size()));
  }
  for (const Rational& each : votes) {
    if (each < 0 || each > most_votes || denominator(each) != 1) {
      arguments.reject("votes", shown(each));
    }
  }
  const std::string spec = "pate(votes=" + list_text(votes) + ", sigma=" + to_string(sigma) + ')';
  const PrecisionScope scope(bits_of_divergences);
  const Rational variance = sigma * sigma;
  const Ball here = probability_of_others(votes, sigma, 0);
  const Ball there = probability_of_others(votes, sigma, PLAUDIT_BOUND("pate.neighbour", 2, 0));
  BoundedLoss::Bounds from = bounds_of(here, variance);
  BoundedLoss::Bounds to = bounds_of(there, variance);
  from.reversed = to.lines;
  to.reversed = from.lines;
  Adjacency adjacency = Adjacency::of_one_record(Adjacency::this_data_set);
  adjacency.guarantee = false;
  adjacency.reading = "the number is computed from the votes: it is private itself";
  return std::make_shared<DirectedMechanism>(
      spec, std::make_shared<BoundedLoss>(spec, std::move(from)),
      std::make_shared<BoundedLoss>(spec, std::move(to)), std::move(adjacency), moments_alone());
}

}  // namespace

MechanismKind pate_kind();
MechanismKind pate_kind() {
  return {
      .name = "pate",
      .summary =
          "one answer of private aggregation of teachers, for these votes: upper ends, no privacy "
          "guarantee, and the numbers are private",
      .parameters = {{"votes", "a list of the votes for each class, integers from 0 to 10^12"},
                     {"sigma", "a number > 0, of the Gaussian noise on each number of votes"}},
      .adjacency =
          "this_data_set, no privacy guarantee: remove is these votes against those in which one "
          "teacher votes otherwise, add the reverse",
      .theorem =
          "no pair dominates; moments are bounded, for the answer is nearly always the same "
          "(docs/proofs/teachers.md#bound; Papernot et al., arXiv 1802.08908, Theorem 6)",
      .example = "pate(votes=[180, 10, 10], sigma=20)",
      .build = build_pate,
  };
}

}  // namespace plaudit
