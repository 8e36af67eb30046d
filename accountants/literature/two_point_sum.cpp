#include "accountants/literature/two_point_sum.hpp"

#include <algorithm>
#include <cmath>

#include "lib/balls/binomial.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/text.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr double most_outer = 1 << 18;  ///< combinations that are enumerated
constexpr double most_inner = 1 << 17;  ///< combinations in the table
constexpr double most_terms = 3e8;      ///< of all binomial sums of one value
// Terms of a binomial sum of n steps that are not negligible: 40 sqrt(n) + 200, about.
constexpr double terms_of_root = 40;
constexpr double more_terms = 200;
constexpr long spare_bits = 60;  ///< of the precision, not used for what is left out

double size_of(std::uint64_t count) { return static_cast<double>(count) + 1; }

/// Floor of an exact ball known to lie in [0, 2^63).
std::uint64_t floor_of(const Ball& x) {
  const Rational value = exact_rational(x);
  return Integer(numerator(value) / denominator(value)).to<std::uint64_t>();
}

/// e^{-eps}.
Ball decay_of(const TwoPointLoss& loss) { return exp(-loss.epsilon()); }

}  // namespace

/// Combinations: a loss, its P-mass and its Q-mass.
struct TwoPointSum::Points {
  std::vector<Ball> loss{Ball(0)};
  std::vector<Ball> p{Ball(1)};
  std::vector<Ball> q{Ball(1)};

  void multiply(const Group& group) {
    const Ball eps = group.loss->epsilon();
    const Ball decay = decay_of(*group.loss);
    const std::uint64_t n = group.count;
    Ball weight = exp(-Ball(n) * log1p(decay));  // p^n
    Points result;
    result.loss.clear();
    result.p.clear();
    result.q.clear();
    for (std::uint64_t k = 0; k <= n; ++k) {
      if ((k & 255) == 0) check_work_limit();
      const Ball at = (Ball(n) - Ball(2 * k)) * eps;
      const Ball under_q = weight * exp(-at);
      for (std::size_t i = 0; i < loss.size(); ++i) {
        result.loss.push_back(loss[i] + at);
        result.p.push_back(p[i] * weight);
        result.q.push_back(q[i] * under_q);
      }
      weight *= decay * Ball(n - k);
      weight /= Ball(k + 1);
    }
    *this = std::move(result);
  }
};

/// Points sorted by the middles of their losses, no loss farther from its middle than `radius`.
struct TwoPointSum::Table {
  std::vector<Ball> middle;
  std::vector<Ball> loss;
  std::vector<Ball> p;
  std::vector<Ball> p_from;  ///< sums of the masses i, i+1, ...
  std::vector<Ball> q_from;
  Ball radius;

  explicit Table(const Points& points) {
    std::vector<std::size_t> order(points.loss.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return middle_is_less(points.loss[a], points.loss[b]);
    });
    p_from.resize(order.size() + 1);
    q_from.resize(order.size() + 1);
    for (const std::size_t i : order) {
      loss.push_back(points.loss[i]);
      middle.push_back(points.loss[i].middle());
      p.push_back(points.p[i]);
      radius = max(radius, points.loss[i].radius()).upper();
    }
    for (std::size_t j = order.size(); j-- > 0;) {
      p_from[j] = p_from[j + 1] + points.p[order[j]];
      q_from[j] = q_from[j + 1] + points.q[order[j]];
    }
  }

  /// sum p (1 - e^{y - l})_+ at y = x - shift, e^y = scale.
  // Proof: docs/proofs/reference_methods.md#product
  Ball delta(const Ball& y, const Ball& scale) const {
    const Ball low = (y - radius).lower();
    const Ball high = (y + radius).upper();
    const auto below = [&](const Ball& end) {
      return static_cast<std::size_t>(
          std::partition_point(middle.begin(), middle.end(),
                               [&](const Ball& m) { return certainly_less_equal(m, end); }) -
          middle.begin());
    };
    const std::size_t from = below(high);  // certainly above y from here on
    Ball sum = p_from[from] - scale * q_from[from];
    for (std::size_t i = below(low); i < from; ++i) {
      sum += p[i] * max(Ball(0), -expm1(y - loss[i]));
    }
    return sum;
  }
};

bool only_two_points(const ComposedLoss& loss) {
  return std::all_of(loss.terms().begin(), loss.terms().end(), [](const ComposedLoss::Term& term) {
    return term.loss->facts().two_points != nullptr;
  });
}

TwoPointSum::TwoPointSum(std::vector<Group> outer, std::vector<Group> inner, bool binomial)
    : outer_(std::move(outer)), inner_(std::move(inner)), binomial_(binomial) {}
TwoPointSum::~TwoPointSum() = default;

std::unique_ptr<TwoPointSum> TwoPointSum::affordable(const ComposedLoss& loss) {
  if (!only_two_points(loss)) return nullptr;
  std::vector<Group> groups;
  for (const ComposedLoss::Term& term : loss.terms()) {
    const auto law = std::static_pointer_cast<const TwoPointLoss>(term.loss);
    if (law->is_trivial()) continue;  // L = 0
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
      return group.loss->same_epsilon(*law);
    });
    if (same == groups.end()) {
      groups.push_back({law, term.count});
    } else {
      same->count += term.count;
    }
  }
  std::sort(groups.begin(), groups.end(),
            [](const Group& a, const Group& b) { return a.count > b.count; });
  const auto make = [](std::vector<Group> outer, std::vector<Group> inner, bool binomial) {
    return std::unique_ptr<TwoPointSum>(
        new TwoPointSum(std::move(outer), std::move(inner), binomial));
  };
  if (groups.empty()) return make({}, {}, false);
  double others = 1;
  for (std::size_t i = 1; i < groups.size(); ++i) others *= size_of(groups[i].count);
  const double sum_terms =
      std::min(size_of(groups[0].count),
               terms_of_root * std::sqrt(static_cast<double>(groups[0].count)) + more_terms);
  if (groups.size() == 1 || (size_of(groups[0].count) > most_inner &&
                             others * sum_terms < most_terms && others < most_outer)) {
    const Group first = groups.front();
    groups.erase(groups.begin());
    return make(std::move(groups), {first}, true);
  }
  std::vector<Group> sides[2];
  double sizes[2] = {1, 1};
  for (const Group& group : groups) {
    const int side = sizes[0] <= sizes[1] ? 0 : 1;
    sides[side].push_back(group);
    sizes[side] *= size_of(group.count);
  }
  const int small = sizes[0] <= sizes[1] ? 0 : 1;
  if (sizes[small] > most_inner || sizes[1 - small] > most_outer) return nullptr;
  return make(std::move(sides[1 - small]), std::move(sides[small]), false);
}

long TwoPointSum::lost_bits() const {
  double steps = 1;
  for (const auto* side : {&outer_, &inner_}) {
    for (const Group& group : *side) {
      const auto count = static_cast<double>(group.count);
      steps += count * (1 + group.loss->epsilon_estimate());
    }
  }
  return precision_bits(std::log2(steps)) + 8;
}

std::string TwoPointSum::describe() const {
  double combinations = 1;
  for (const Group& group : outer_) combinations *= size_of(group.count);
  if (binomial_ && outer_.empty()) return "binomial sum";
  for (const Group& group : inner_) combinations *= size_of(group.count);
  return general_text(combinations, 6) + " combinations";
}

// From the term nearest x (or, far below the mean, from one beyond the bulk) towards the largest
// loss.
// Proof: docs/proofs/reference_methods.md#binomial
TwoPointSum::Value TwoPointSum::binomial(const Ball& x) {
  const Group& group = inner_.front();
  const std::uint64_t n = group.count;
  const Ball eps = group.loss->epsilon();
  const Ball decay = decay_of(*group.loss);
  const Ball growth = exp(eps);
  // terms k < (n - x / eps) / 2
  const Ball end = ldexp(Ball(n) - x / eps, -1).upper();
  if (!end.is_finite()) return {hull(Ball(0), Ball(1)), Ball(0)};
  if (certainly_negative(end)) return {Ball(0), Ball(0)};
  std::uint64_t start = certainly_less(end, Ball(n)) ? floor_of(end) : n;

  const auto size = static_cast<double>(n);
  const double p = 1 / (1 + std::exp(group.loss->epsilon_estimate()));  // of the lower point
  const double nats = static_cast<double>(working_precision()) * log_two;
  const double bulk_end =
      size * p + std::sqrt(2 * nats * size * p * (1 - p)) + nats;  // heuristic: any start is valid
  Ball rest(0);
  const Ball log_decay = log1p(decay);
  const auto weight_at = [&](std::uint64_t k) {
    return exp(log_binomial(n, k) - Ball(k) * eps - Ball(n) * log_decay);
  };
  const auto geometric = [](const Ball& weight, const Ball& ratio) {
    return certainly_less(ratio, Ball(1)) ? (weight * ratio / (Ball(1) - ratio)).upper()
                                          : positive_infinity();
  };
  const bool skips = static_cast<double>(start) > bulk_end;
  if (skips) start = static_cast<std::uint64_t>(clamped_integer(bulk_end, 0, most_index));
  Ball weight = weight_at(start);
  if (skips) rest += geometric(weight, Ball(n - start) * decay / Ball(start + 1));

  Ball sum;
  Ball gap = exp(x - (Ball(n) - Ball(2 * start)) * eps);  // e^{x - l_k}
  const Ball gap_ratio = square(decay);
  const double wanted = -nats + spare_bits * log_two;
  for (std::uint64_t k = start;; --k) {
    sum += weight * (k + 1 >= start ? max(Ball(0), Ball(1) - gap) : Ball(1) - gap);
    if (k == 0) break;
    if (((start - k) & 15) == 0) {
      check_work_limit();
      const double ratio = static_cast<double>(k) / static_cast<double>(n - k + 1) *
                           std::exp(group.loss->epsilon_estimate());
      if (ratio < 1 &&
          weight.estimate_log() + std::log(ratio / (1 - ratio)) < sum.estimate_log() + wanted) {
        rest += geometric(weight, Ball(k) * growth / Ball(n - k + 1));
        break;
      }
    }
    weight *= growth * Ball(k);
    weight /= Ball(n - k + 1);
    gap *= gap_ratio;
  }
  return {sum, rest.upper()};
}

void TwoPointSum::enumerate() {
  if (bits_ == working_precision() && points_) return;
  points_ = std::make_unique<Points>();
  for (const Group& group : outer_) points_->multiply(group);
  if (!binomial_) {
    Points inner;
    for (const Group& group : inner_) inner.multiply(group);
    table_ = std::make_unique<Table>(inner);
  }
  bits_ = working_precision();
}

TwoPointSum::Value TwoPointSum::delta(const Ball& x) {
  if (binomial_ && outer_.empty()) return binomial(x);
  enumerate();
  Value value{Ball(0), Ball(0)};
  for (std::size_t i = 0; i < points_->loss.size(); ++i) {
    if ((i & 255) == 0) check_work_limit();
    const Ball y = x - points_->loss[i];
    if (binomial_) {
      const Value one = binomial(y);
      value.sum += points_->p[i] * one.sum;
      value.rest += points_->p[i] * one.rest;
    } else {
      value.sum += points_->p[i] * table_->delta(y, exp(y));
    }
  }
  return {value.sum, value.rest.upper()};
}

}  // namespace plaudit
