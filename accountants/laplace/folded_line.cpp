#include "accountants/laplace/folded_line.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "accountants/contour/straight_choice.hpp"
#include "accountants/cost_models.hpp"
#include "lib/balls/ball_memory.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm right_alias_term{"laplace_folded.right.aliasing",
                                     "docs/proofs/straight_contour.md#periodisation (right)"};
constexpr ErrorTerm left_alias_term{"laplace_folded.left.aliasing",
                                    "docs/proofs/straight_contour.md#periodisation (left)"};
constexpr ErrorTerm folded_truncation_term{"laplace_folded.truncation",
                                           "docs/proofs/laplace.md#folding, step 3"};
constexpr ErrorTerm expansion_term{"laplace_folded.expansion",
                                   "docs/proofs/laplace.md#folding, step 5"};
constexpr ErrorTerm folded_rounding_term{"laplace_folded.rounding",
                                         "ball arithmetic (radius of the sum)"};

constexpr double unusable = infinity;
constexpr std::uint64_t most_nodes = 100000;
constexpr std::uint64_t most_direct = 256;
constexpr std::size_t most_orders = 4000;
constexpr double most_classes = 1e15;
constexpr double nats_of_term = 1.5;        ///< that each error term is below what is wanted
constexpr int radii_tried = 24;             ///< of the circle in the bound of the expansion
constexpr std::size_t part_of_orders = 32;  ///< the fewest orders are found up to this part
constexpr int heights_seen = 8;             ///< classes at which orders are estimated
constexpr double spare_bits = 48;
constexpr double worse_for_sure = 2;  ///< cost at which more terms one by one are not tried
// Products of balls: at each class, for each order kept and each term that is summed one by one.
constexpr double products_of_order = 8;
constexpr double products_of_term = 20;

// Real parts of the line, in parts of the saddle point; and others, in units of 1 / a.
constexpr double shares_tried[] = {1.0, 0.6, 0.35, 0.15, 0.06, 0.02, 0.005};
constexpr double cheap_seconds = 1.25e-2;  ///< where no other is tried
constexpr double greatest_tried = 10;
constexpr double least_tried = 0.5;
constexpr double step_of_tried = 3;

/// log|A|, |B / A|, |v| and the aim of one class, in floating point.
struct ClassEstimate {
  double log_atoms;  ///< log |A|
  double ratio;      ///< |rho| = |B / A|
  double size;       ///< |v|
};

ClassEstimate estimate_class(double a, double t, double s) {
  const double sigma = 2 * t + 1;
  const double c = std::exp(-a * sigma);
  const double sine = std::pow(std::sin(a * s), 2);
  const double atoms = std::sqrt(std::max((1 + c) * (1 + c) - 4 * c * sine, 1e-300));
  const double curve = std::sqrt(std::pow(std::expm1(-a * sigma), 2) + 4 * c * sine);
  return {a * t + std::log(atoms / 2), curve / atoms, std::hypot(sigma, 2 * s)};
}

/// log of the bound of |M| beyond the height s of one period.
double log_bound_beyond(double a, double t, double s) {
  const ClassEstimate at = estimate_class(a, t, s);
  return at.log_atoms + std::log1p(at.ratio / at.size);
}

/// log of the bound of expansion_error without A^n, for the orders kept, at the best radius (in
/// units of 1 / |w|), which is returned.
double log_expansion(const ClassEstimate& at, double a, double n, double direct, double orders,
                     double* radius) {
  const double unit = a / (2 * std::numbers::pi);
  const double high = 1 / (unit * (at.size + 1));
  const double low = 1 / (direct + 1);
  double least = unusable;
  if (!(high > low)) return least;
  for (int i = 1; i < radii_tried; ++i) {
    const double r = low * std::pow(high / low, i / static_cast<double>(radii_tried));
    const double value = n * std::log1p(unit * at.ratio * r / (1 - unit * at.size * r)) -
                         2 * std::log1p(-unit * (at.size + 1) * r) - orders * std::log(r / low) -
                         std::log1p(-low / r) + std::log(8 * unit * unit / (direct + 0.5));
    if (value < least) {
      least = value;
      *radius = r;
    }
  }
  return least;
}

/// The fewest orders that leave no more than e^target at the class; a number beyond most_orders
/// where there are none.
std::size_t fewest_orders(const ClassEstimate& at, double a, double n, double direct,
                          double target) {
  std::size_t low = 0;
  std::size_t high = most_orders + 1;
  double radius = 0;
  while (high - low > 1 + low / part_of_orders) {
    const std::size_t middle = (low + high) / 2;
    const double value =
        log_expansion(at, a, n, direct, static_cast<double>(middle), &radius) + n * at.log_atoms;
    (value < target ? high : low) = middle;
  }
  return high;
}

/// What a line is chosen for, and where it stands.
struct FoldedAim {
  double a;
  double n;
  double epsilon;
  double nats;
  double log_delta;
  double t;
};

/// The fewest classes on either side, of `all`, that leave no more than e^target; nothing where
/// they are too many.
std::optional<std::uint64_t> fewest_nodes(const FoldedAim& aim, double h, std::uint64_t all,
                                          double target) {
  const auto left_out = [&](std::uint64_t nodes) {
    const double count = static_cast<double>(nodes);
    return aim.n * log_bound_beyond(aim.a, aim.t, (count + 1) * h) - aim.t * aim.epsilon -
           std::log(std::numbers::pi * h * (count + 0.5));
  };
  std::uint64_t low = 0;
  std::uint64_t high = 1;
  while (high < all && left_out(high) > target) {
    low = high;
    high *= 2;
    if (high > most_nodes) return std::nullopt;
  }
  high = std::min(high, all);
  while (high > low + 1) {
    const std::uint64_t middle = (low + high) / 2;
    (left_out(middle) > target ? low : high) = middle;
  }
  return high;
}

/// What the classes cost where the terms |j| <= direct are summed one by one.
struct ClassCost {
  std::size_t orders = 1;  ///< more than most_orders: not to be had
  double bits = 0;
  double seconds = unusable;
};

/// @param share log of what may be left out of each class
/// @param lost nats that cancel in the sum of all
ClassCost cost_of_classes(const FoldedAim& aim, const FoldedChoice& choice, std::uint64_t direct,
                          double share, double lost) {
  const double h = std::numbers::pi / (aim.a * static_cast<double>(choice.classes));
  ClassCost cost;
  double excess = 0;
  for (int i = 0; i <= heights_seen; ++i) {
    const double s = h * static_cast<double>(choice.nodes) * i / heights_seen;
    const ClassEstimate at = estimate_class(aim.a, aim.t, s);
    const auto j = static_cast<double>(direct);
    cost.orders = std::max(cost.orders, fewest_orders(at, aim.a, aim.n, j, share));
    const double unit = aim.a / (2 * std::numbers::pi * (j + 1));
    excess = std::max(excess,
                      aim.n * (at.log_atoms + std::log1p(unit * at.ratio / (1 - unit * at.size))) -
                          aim.t * aim.epsilon - aim.log_delta);
  }
  if (cost.orders > most_orders) return cost;
  const auto kept = static_cast<double>(cost.orders);
  const auto one_by_one = 2 * static_cast<double>(direct) + 1;
  cost.bits = (aim.nats + std::max(lost, excess)) / log_two + 2 * std::log2(aim.n + 1) +
              3 * std::log2(2.0 + static_cast<double>(choice.nodes)) +
              (kept + 2) * std::log2(1.0 + static_cast<double>(direct)) +
              std::log2(1 + aim.t * std::fabs(aim.epsilon)) + spare_bits;
  const double products = (static_cast<double>(choice.nodes) + 1) *
                              (products_of_order * kept + products_of_term * one_by_one) +
                          kept * (kept + one_by_one) / 2;
  cost.seconds = costs::folded_line(products, cost.bits);
  return cost;
}

FoldedChoice choose_at(const ComposedLoss& loss, const LaplacePower& power, CumulantTable& table,
                       double t, double epsilon, double nats, double log_delta) {
  FoldedChoice choice;
  choice.t = t;
  choice.seconds = unusable;
  const FoldedAim aim{
      estimate(power.loss->ratio()), static_cast<double>(power.steps), epsilon, nats, log_delta, t};
  const double target = log_delta - nats - nats_of_term;
  const LinePeriod least = least_period(loss, table, t, epsilon, target);
  choice.both_residues = least.both_residues;
  const double classes = std::ceil(least.period / (2 * aim.a));
  if (!(classes < most_classes)) return choice;
  choice.classes = static_cast<std::uint64_t>(clamped_integer(classes, 1, most_index)) | 1;
  const double h = std::numbers::pi / (aim.a * static_cast<double>(choice.classes));
  const auto nodes = fewest_nodes(aim, h, (choice.classes - 1) / 2, target);
  if (!nodes) return choice;
  choice.nodes = *nodes;

  // What may be left out of each class, without the factor e^{-t eps} h / pi.
  const double share = target + t * epsilon - std::log(h / std::numbers::pi) -
                       std::log(static_cast<double>(choice.nodes) + 1);
  const CumulantEstimate cumulant = table.at(t);
  const double lost =
      std::max({0.0, cumulant.value - t * epsilon - log_delta, -t * least.period - log_delta});
  for (std::uint64_t direct = 0; direct <= most_direct; direct = direct == 0 ? 1 : 2 * direct) {
    const ClassCost cost = cost_of_classes(aim, choice, direct, share, lost);
    if (cost.orders > most_orders) continue;
    if (cost.seconds < choice.seconds) {
      choice.seconds = cost.seconds;
      choice.direct = direct;
      choice.orders = cost.orders;
      choice.bits = precision_bits(cost.bits);
    }
    if (cost.seconds > worse_for_sure * choice.seconds) break;
  }
  return choice;
}

}  // namespace

FoldedChoice choose_folded(const ComposedLoss& loss, const LaplacePower& power,
                           CumulantTable& table, double epsilon, double nats, double log_delta) {
  FoldedChoice best;
  best.seconds = unusable;
  const double saddle = table.saddle(epsilon);
  // Near the end of the support the saddle point is far out, and 1/j converges slowly there.
  for (const double share : shares_tried) {
    check_work_limit();
    const FoldedChoice choice =
        choose_at(loss, power, table, saddle * share, epsilon, nats, log_delta);
    if (choice.seconds < best.seconds) best = choice;
    if (best.seconds < cheap_seconds) break;
  }
  const double a = estimate(power.loss->ratio());
  for (double t = greatest_tried / a; !std::isfinite(best.seconds) && t > least_tried / a;
       t /= step_of_tried) {
    if (t < saddle) best = choose_at(loss, power, table, t, epsilon, nats, log_delta);
  }
  return best;
}

// Proof: docs/proofs/laplace.md#folding
FoldedLine::FoldedLine(const ComposedLoss& loss, const LaplacePower& power, CumulantTable& table,
                       const FoldedChoice& choice)
    : loss_(loss),
      power_(power),
      choice_(choice),
      aliases_(loss, table,
               {choice.t, 2 * estimate(power.loss->ratio()) * static_cast<double>(choice.classes),
                choice.both_residues}) {
  const PrecisionScope scope(choice_.bits);
  require_folded_line(choice_.t, choice_.classes, choice_.direct, 0);
  a_ = Ball(power_.loss->ratio());
  t_ = Ball(choice_.t);
  h_ = pi() / (a_ * Ball(choice_.classes));
  sums_ = FoldedSums(choice_.direct, choice_.orders);
  expansion_ = Ball(0);
  check_memory_of_balls(2 * static_cast<double>(choice_.nodes) *
                        static_cast<double>(choice_.orders));
  classes_.reserve(choice_.nodes + 1);
  for (std::uint64_t k = 0; k <= choice_.nodes; ++k) {
    check_work_limit();
    add_class(k);
  }
  omitted_ = omitted_classes();
}

/// The terms of the class of z = t + i k h without e^{-z eps}.
void FoldedLine::add_class(std::uint64_t k) {
  const ComplexBall z(t_, h_ * Ball(k));
  const ComplexBall v = ComplexBall(1) + z + z;
  const ComplexBall right = exp(ComplexBall(a_) * z);
  const ComplexBall left = exp(-ComplexBall(a_) * (z + ComplexBall(1)));
  const ComplexBall half{Ball(0.5)};
  const ComplexBall atoms = (right + left) * half;
  const ComplexBall curve = (right - left) * half;
  const ComplexBall step(Ball(0), ldexp(pi(), 1) / a_);  // w
  const ComplexBall one(1);
  const ComplexBall four(4);
  const ComplexBall n{Ball(power_.steps)};

  Class result;
  const auto last = static_cast<long>(choice_.direct);
  for (long j = -last; j <= last; ++j) {
    const ComplexBall at = v + ComplexBall(Ball(j)) * step;
    const ComplexBall value = atoms + curve / at;
    const ComplexBall size =
        value.may_be_zero() ? disk(power(abs(value).upper(), power_.steps)) : exp(n * log(value));
    result.direct.push_back(four * size / (square(at) - one));
  }

  // With u = 1 / (j w): F = 4 A^n u^2 G(u), G = (1 + rho u / (1 + v u))^n / ((1+(v-1)u)(1+(v+1)u)),
  // and the logarithmic derivative of its first factor is n rho / ((1 + v u)(1 + (v+rho) u)).
  const ComplexBall ratio = curve / atoms;
  const ComplexBall inverse = one / step;
  const ComplexBall rate = n * ratio * inverse;
  const ComplexBall sum = (v + v + ratio) * inverse;
  const ComplexBall product = v * (v + ratio) * square(inverse);
  const ComplexBall lower = (v - one) * inverse;
  const ComplexBall upper = (v + one) * inverse;
  const ComplexBall power = exp(n * log(atoms));
  const ComplexBall front = four * power * square(inverse);
  ComplexBall before;
  ComplexBall here(1);
  ComplexBall once;
  ComplexBall twice;
  result.orders.reserve(choice_.orders);
  for (std::size_t i = 0; i < choice_.orders; ++i) {
    once = here - lower * once;
    twice = once - upper * twice;
    result.orders.push_back(front * twice);
    const Ball index(static_cast<std::uint64_t>(i));
    ComplexBall next = (rate - ComplexBall(index) * sum) * here;
    if (i > 0) next -= ComplexBall(index - Ball(1)) * product * before;
    next.divide_by(i + 1);
    before = std::move(here);
    here = std::move(next);
  }
  expansion_ += expansion_error(v, ratio, abs(power));
  classes_.push_back(std::move(result));
}

/// Bounds what the orders left out amount to, over |j| > J.
Ball FoldedLine::expansion_error(const ComplexBall& v, const ComplexBall& ratio,
                                 const Ball& power) const {
  const auto n = static_cast<double>(power_.steps);
  ClassEstimate at{0, abs(ratio).estimate(), abs(v).estimate()};
  double radius = 0;
  const auto direct = static_cast<double>(choice_.direct);
  if (!std::isfinite(log_expansion(at, a_.estimate(), n, direct,
                                   static_cast<double>(choice_.orders), &radius))) {
    return positive_infinity();
  }
  const Ball unit = a_ / ldexp(pi(), 1);  // 1 / |w|
  const Ball r(radius);
  const Ball room = Ball(1) - unit * abs(v) * r;
  const Ball below = Ball(1) - unit * abs(v - ComplexBall(1)) * r;
  const Ball above = Ball(1) - unit * abs(v + ComplexBall(1)) * r;
  const Ball kappa = Ball(1) / (r * Ball(choice_.direct + 1));
  if (!certainly_positive(room) || !certainly_positive(below) || !certainly_positive(above) ||
      !certainly_less(kappa, Ball(1))) {
    return positive_infinity();
  }
  const Ball growth =
      exp(Ball(power_.steps) * log1p(unit * abs(ratio) * r / room)) / (below * above);
  return (ldexp(power * growth * square(unit), 3) / (Ball(choice_.direct) + Ball(0.5)) *
          plaudit::power(
              kappa, PLAUDIT_BOUND("folded.orders_left_out", choice_.orders, 2 * choice_.orders)) /
          (Ball(1) - kappa))
      .upper();
}

/// Bounds the classes beyond the nodes, without e^{-t eps}: |M| <= |A| + |B| / |v| falls along
/// half a period, and is no larger in the others.
Ball FoldedLine::omitted_classes() const {
  if (PLAUDIT_BOUND("folded.classes_left_out", 2 * choice_.nodes + 1, choice_.classes) >=
      choice_.classes)
    return Ball(0);
  const ComplexBall z(t_, h_ * Ball(choice_.nodes + 1));
  const ComplexBall right = exp(ComplexBall(a_) * z);
  const ComplexBall left = exp(-ComplexBall(a_) * (z + ComplexBall(1)));
  const Ball bound = ldexp(abs(right + left) + abs(right - left) / abs(z + z + ComplexBall(1)), -1);
  return (exp(Ball(power_.steps) * log(bound)) / (pi() * h_ * (Ball(choice_.nodes) + Ball(0.5))))
      .upper();
}

// Proof: docs/proofs/laplace.md#folding
Enclosure FoldedLine::delta(const Ball& epsilon) {
  const PrecisionScope scope(choice_.bits);
  // e^{2 pi i beta}: the factor from one node of a class to the next
  Ball beta = -epsilon / ldexp(a_, 1);
  if (power_.steps % 2 != 0) beta += Ball(0.5);
  beta -= floor(beta.middle() + Ball(0.5)).middle();
  const std::vector<ComplexBall> sums = sums_.at(beta);
  const Ball turn = ldexp(pi() * beta, 1);
  std::vector<ComplexBall> turns;
  const auto last = static_cast<long>(choice_.direct);
  for (long j = -last; j <= last; ++j) {
    const Ball angle = turn * Ball(j);
    turns.emplace_back(cos(angle), sin(angle));
  }
  const Ball angle = h_ * epsilon;
  const std::vector<ComplexBall> phases =
      powers(ComplexBall(cos(angle), -sin(angle)), classes_.size());
  Ball total;
  for (std::size_t k = 0; k < classes_.size(); ++k) {
    if ((k & 15) == 0) check_work_limit();
    const ComplexBall value = dot(classes_[k].direct, turns) + dot(classes_[k].orders, sums);
    const Ball part = (phases[k] * value).real();
    total += k == 0 ? ldexp(part, -1) : part;
  }
  const Ball decay = exp(-t_ * epsilon);
  const Ball p = ldexp(a_ * Ball(choice_.classes), 1);
  const Ball front = decay * h_ / pi();
  Ball corrected = front * total - Ball(1) / expm1(t_ * p);
  if (choice_.both_residues) corrected += exp(epsilon) / expm1((t_ + Ball(1)) * p);

  Ledger ledger;
  const Ball right = ledger.add(right_alias_term, aliases_.right(epsilon, p));
  const Ball left = ledger.add(left_alias_term, aliases_.left(epsilon, p));
  const Ball truncation = ledger.add(folded_truncation_term, decay * omitted_);
  const Ball expansion = ledger.add(expansion_term, front * expansion_);
  ledger.note(folded_rounding_term, corrected.radius());
  Enclosure result =
      aliases_.band(corrected, right, left, truncation + expansion, epsilon, std::move(ledger));
  result.accountant = "laplace_folded";
  result.method = std::to_string(choice_.nodes + 1) + " of " +
                  std::to_string((choice_.classes + 1) / 2) + " classes of nodes, " +
                  std::to_string(choice_.orders) + " orders, " +
                  std::to_string(2 * choice_.direct + 1) + " nodes each one by one, " +
                  std::to_string(choice_.bits) + " bits";
  return result;
}

}  // namespace plaudit
