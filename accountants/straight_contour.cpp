#include "accountants/straight_contour.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "accountants/order_search.hpp"
#include "lib/precision.hpp"
#include "lib/work_limit.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm right_alias_term{"contour.right.aliasing", "Theorem 1 (right aliases, Chernoff)"};
constexpr ErrorTerm left_alias_term{"contour.left.aliasing", "Theorem 1 (left aliases, Chernoff)"};
constexpr ErrorTerm truncation_term{"contour.truncation", "Theorem 2 (constant shift)"};
constexpr ErrorTerm quadrature_term{"contour.quadrature",
                                    "Theorem 3 (values at the nodes; part of the radius)"};
constexpr ErrorTerm rounding_term{"contour.rounding",
                                  "ball arithmetic (radius of the sum, quadrature included)"};
constexpr double log_two = 0.69314718055994530942;
constexpr double unusable = std::numeric_limits<double>::infinity();

/// c(w) = w^w / (1 + w)^(1 + w) in balls, w >= 0 exact.
Ball log_chernoff_factor(const Ball& w) {
  if (w.is_exact_zero()) return Ball(0);
  return w * log(w) - (w + Ball(1)) * log1p(w);
}

Ball total_delta(const ComposedLoss& loss, const Ball& finite) {
  const Ball infinite = loss.mass_at_infinity();
  return infinite.is_exact_zero() ? finite : finite + infinite;
}

}  // namespace

StraightContour::StraightContour(const ComposedLoss& loss, CumulantTable& table, double epsilon,
                                 const StraightChoice& choice)
    : loss_(loss), table_(table), epsilon_(epsilon), choice_(choice) {
  const double t_near = choice.t;
  const double height = static_cast<double>(choice.nodes + 1) * choice.h;
  const CumulantEstimate k = table.at(t_near);
  const double scale = 20 + height * (std::fabs(epsilon) + std::fabs(k.mean)) + std::fabs(k.value) +
                       t_near * std::fabs(epsilon);
  bits_ = static_cast<long>((choice.nats + choice.cancellation + std::log(loss.steps())) / log_two +
                            std::log2(scale) + 2 * std::log2(2.0 + static_cast<double>(choice.nodes))) +
          24;
  const PrecisionScope scope(bits_);
  const Ball t(choice.t);
  const Ball h(choice.h);

  std::vector<ComplexBall> logs(choice.nodes + 1);
  std::vector<ComplexBall> fallback;  // direct powers where a ball meets 0
  node_quadrature_ = Ball(0);
  std::vector<Ball> relative(choice.nodes + 1);
  std::vector<bool> lost(choice.nodes + 1, false);
  for (const ComposedLoss::Term& term : loss.terms()) {
    const double nats =
        choice.nats + std::max(0.0, k.value - t_near * epsilon - choice.log_delta) +
        std::log(static_cast<double>(term.count) * static_cast<double>(loss.terms().size())) + 2;
    const LineValues line = term.loss->mgf_on_line(t, h, choice.nodes + 1, nats);
    const Ball count(term.count);
    for (std::size_t j = 0; j <= choice.nodes; ++j) {
      const ComplexBall& value = line.values[j];
      const Ball size = abs(value);
      if (value.may_be_zero()) {
        // only the size is known: the disk of radius |M|^n
        const Ball bound = count * log(size.upper());
        if (!lost[j]) logs[j] = ComplexBall(logs[j].real());
        lost[j] = true;
        logs[j] += ComplexBall(bound);
        continue;
      }
      ComplexBall scaled = log(value);
      acb_mul_arb(scaled.raw(), scaled.raw(), count.raw(), bits_);
      logs[j] += scaled;
      if (!line.quadrature.is_exact_zero()) relative[j] += count * line.quadrature / size;
    }
  }
  nodes_.reserve(choice.nodes + 1);
  for (std::size_t j = 0; j <= choice.nodes; ++j) {
    if ((j & 63) == 63) check_work_limit();
    const ComplexBall z(t, h * Ball(static_cast<long>(j)));
    const ComplexBall denominator = z * (z + ComplexBall(1));
    ComplexBall node = lost[j] ? disk(exp(logs[j].real()).upper()) : exp(logs[j]);
    node /= denominator;
    if (j == 0) node = ComplexBall(ldexp(node.real(), -1));  // M(t) is real
    node_quadrature_ += abs(node) * relative[j];
    nodes_.push_back(std::move(node));
  }
  const Ball last = h * Ball(static_cast<long>(choice.nodes + 1));
  for (const ComposedLoss::Term& term : loss.terms()) {
    const Ball bound =
        term.loss->mgf_bound_beyond(t, last.lower(), std::log(static_cast<double>(term.count)) + 6);
    log_decay_ += Ball(term.count) * log(bound);
  }
  log_decay_ = log_decay_.upper();
}

const Ball& StraightContour::log_mgf_upper(double t) {
  const auto found = log_mgf_.find(t);
  if (found != log_mgf_.end()) return found->second;
  const PrecisionScope scope(64 + static_cast<long>(std::log2(1 + loss_.steps())));
  Ball sum;
  try {
    for (const ComposedLoss::Term& term : loss_.terms()) {
      const double nats = std::log(static_cast<double>(term.count)) + 6;
      sum += Ball(term.count) * log(term.loss->mgf_upper(Ball(t), nats));
    }
  } catch (const std::domain_error&) {  // too large an order to integrate: no bound from it
    sum = Ball(unusable);
  }
  return log_mgf_.emplace(t, sum.upper()).first->second;
}

namespace {

/// Heuristic: minimises g over x in [low, high] by a coarse scan and golden section.
template <class Function>
double minimise(double low, double high, Function&& g) {
  constexpr int coarse = 24;
  double best = low;
  double least = unusable;
  for (int i = 0; i <= coarse; ++i) {
    const double x = low + (high - low) * i / coarse;
    const double y = g(x);
    if (y < least) {
      least = y;
      best = x;
    }
  }
  double a = std::max(low, best - (high - low) / coarse);
  double b = std::min(high, best + (high - low) / coarse);
  constexpr double ratio = 0.61803398874989484820;
  for (int i = 0; i < 8; ++i) {
    const double x1 = b - ratio * (b - a);
    const double x2 = a + ratio * (b - a);
    if (g(x1) < g(x2)) {
      b = x2;
    } else {
      a = x1;
    }
  }
  return (a + b) / 2;
}

double log_expm1(double x) { return x > 30 ? x : std::log(std::expm1(x)); }

/// Best (log t' - t) and value of log A+ at period `period`; likewise for A-.
double log_right(CumulantTable& table, double t, double epsilon, double period, double gap) {
  const double other = t + gap;
  return estimate_log_chernoff_factor(other) + table.at(other).value - other * epsilon -
         log_expm1(gap * period);
}
double log_left(CumulantTable& table, double t, double epsilon, double period, double u) {
  return estimate_log_chernoff_factor(u - 1) + table.at(-u).value + u * epsilon -
         log_expm1((t + u) * period);
}

struct AliasChoice {
  double parameter;
  double log_size;
};

AliasChoice best_right(CumulantTable& table, double t, double epsilon, double period) {
  const double x = minimise(std::log(1e-3 / period), std::log(1e3 / period + 1e3 * t), [&](double g) {
    return log_right(table, t, epsilon, period, std::exp(g));
  });
  return {std::exp(x), log_right(table, t, epsilon, period, std::exp(x))};
}

AliasChoice best_left(CumulantTable& table, double t, double epsilon, double period) {
  const double x = minimise(std::log(1e-3), std::log(1e4 / period + 1e3 * (1 + t)), [&](double g) {
    return log_left(table, t, epsilon, period, 1 + std::exp(g));
  });
  return {1 + std::exp(x), log_left(table, t, epsilon, period, 1 + std::exp(x))};
}

/// A double with 20 significant bits near x, so that nearby requests share one bound.
double coarse(double x) {
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);
  return std::ldexp(std::round(mantissa * 32) / 32, exponent);
}

}  // namespace

// Proof: docs/proofs/straight_contour.md#periodisation
Ball StraightContour::right_alias(const Ball& epsilon) {
  const Ball p = ldexp(pi(), 1) / Ball(choice_.h);
  // delta(eps + j P) is 0 for all j >= 1 where eps + P is beyond the support
  if (certainly_greater_equal(epsilon + p, loss_.greatest_loss())) return Ball(0);
  const double period = 2 * std::numbers::pi / choice_.h;
  const AliasChoice best = best_right(table_, choice_.t, epsilon.estimate(), period);
  const double gap = best.parameter;
  const double other = coarse(choice_.t + gap) > choice_.t ? coarse(choice_.t + gap)
                                                            : choice_.t + gap;
  const Ball t(choice_.t);
  const Ball t_other(other);
  if (!certainly_greater(t_other, t) || !certainly_nonnegative(t_other)) return Ball(unusable);
  return exp(log_chernoff_factor(t_other) + log_mgf_upper(other) - t_other * epsilon) /
         expm1((t_other - t) * p);
}

// Proof: docs/proofs/straight_contour.md#periodisation
Ball StraightContour::left_alias(const Ball& epsilon) {
  const Ball p = ldexp(pi(), 1) / Ball(choice_.h);
  // psi(eps - j P) is 0 for all j >= 1 where eps - P is below the support
  if (certainly_less_equal(epsilon - p, loss_.least_loss())) return Ball(0);
  const double period = 2 * std::numbers::pi / choice_.h;
  const AliasChoice best = best_left(table_, choice_.t, epsilon.estimate(), period);
  const double other = 1 + coarse(best.parameter - 1);
  const Ball t(choice_.t);
  const Ball u(other);
  if (!certainly_greater_equal(u, Ball(1)) || !certainly_greater(u, -t)) return Ball(unusable);
  return exp(log_chernoff_factor(u - Ball(1)) + log_mgf_upper(-other) + u * epsilon) /
         expm1((t + u) * p);
}

Ball StraightContour::chernoff(const Ball& epsilon) {
  const CumulantFunction cumulant = [this](double x) { return table_.at(x); };
  const double other = coarse(chernoff_order_at_epsilon(cumulant, epsilon.estimate(), choice_.t));
  const Ball order(other);
  if (!certainly_positive(order)) return Ball(1);
  const Ball bound = exp(log_chernoff_factor(order) + log_mgf_upper(other) - order * epsilon);
  return bound.is_finite() ? bound : Ball(1);
}

// Proof: docs/proofs/straight_contour.md#periodisation
Enclosure StraightContour::delta(const Ball& epsilon) {
  const PrecisionScope scope(bits_);
  const Ball t(choice_.t);
  const Ball h(choice_.h);
  const Ball p = ldexp(pi(), 1) / h;
  const Ball front = exp(-t * epsilon) * h / pi();

  const Ball angle = h * epsilon;
  const std::vector<ComplexBall> turns = powers(ComplexBall(cos(angle), -sin(angle)), nodes_.size());
  const Ball sum = front * dot(nodes_, turns).real();
  const Ball residues = loss_.q_mass() * exp(epsilon) / expm1((t + Ball(1)) * p) -
                        loss_.finite_mass() / expm1(t * p);
  const Ball corrected = sum + residues;

  Enclosure result;
  result.accountant = "contour";
  Ledger& ledger = result.ledger;
  const Ball aliases = ledger.add(right_alias_term, right_alias(epsilon)) +
                       ledger.add(left_alias_term, left_alias(epsilon));
  const Ball truncation = ledger.add(
      truncation_term, exp(log_decay_ - t * epsilon) /
                           (pi() * h * Ball(static_cast<long>(std::max<std::size_t>(choice_.nodes, 1)))));
  ledger.note(quadrature_term, front * node_quadrature_);
  ledger.note(rounding_term, corrected.radius());
  const Ball finite_lower = (corrected - aliases - truncation).lower();
  const Ball finite_upper = (corrected + truncation).upper();
  if (!finite_lower.is_finite() || !finite_upper.is_finite()) {
    result.lower = Ball(0);
    result.upper = Ball(1);
    result.remark = "bounds are not finite here";
    return result;
  }
  // delta lies in [max(m_inf, 1 - e^eps), 1] in any case.
  const Ball floor = max(loss_.mass_at_infinity(), -expm1(epsilon)).lower();
  result.lower = max(max(total_delta(loss_, finite_lower).lower(), floor), Ball(0)).lower();
  Ball upper = min(total_delta(loss_, finite_upper).upper(), Ball(1)).upper();
  if (!certainly_less(upper, ldexp(result.lower, 1))) {
    // far from the epsilon this line was made for: Lemma 1 is better than the aliases' bound
    upper = min(upper, total_delta(loss_, chernoff(epsilon)).upper()).upper();
  }
  result.upper = max(upper, result.lower).upper();
  result.method = "straight contour, t = " + std::to_string(choice_.t) + ", " +
                  std::to_string(choice_.nodes) + " nodes, " + std::to_string(bits_) + " bits";
  return result;
}

// ---- choice of parameters: heuristics only

StraightChoice choose_straight(const ComposedLoss& loss, CumulantTable& table, double epsilon,
                               double nats, double log_delta) {
  StraightChoice best;
  best.seconds = unusable;
  const double saddle = table.saddle(epsilon);
  const double target = log_delta - nats;
  const double greatest = loss.greatest_loss().upper_double();
  const double least = loss.least_loss().lower_double();
  int worse = 0;
  for (const double share : {1.0, 0.7, 0.45, 0.28, 0.17, 0.1, 0.05}) {
    check_work_limit();
    const double t = saddle * share;
    const CumulantEstimate k = table.at(t);
    // P: the least period whose aliases are small enough.
    const auto fits = [&](double period) {
      return (epsilon + period >= greatest ||
              best_right(table, t, epsilon, period).log_size < target - 0.7) &&
             (epsilon - period <= least ||
              best_left(table, t, epsilon, period).log_size < target - 0.7);
    };
    double period = std::sqrt(2 * (nats + 1) * std::max(k.variance, 1e-300));
    if (!(period > 1e-300) || !std::isfinite(period)) continue;
    int guard = 0;
    while (!fits(period) && ++guard < 200) period *= 1.5;
    if (guard >= 200) continue;
    double below = period / 1.5;
    if (guard == 0) {
      while (fits(below) && ++guard < 100) {
        period = below;
        below /= 1.5;
      }
    }
    while (period / below > 1.06) {
      const double middle = std::sqrt(period * below);
      (fits(middle) ? period : below) = middle;
    }
    period = std::max(period, 1.0 / t);  // keeps e^{tP} - 1 away from 0

    // S: the least height beyond which the rest is small enough.
    const double excess = k.value - t * epsilon - log_delta;
    double height = std::sqrt(2 * std::max(nats + excess, 1.0) / std::max(k.variance, 1e-300));
    double decay = 0;
    bool found = false;
    double low = 0;
    double high = 0;
    for (int i = 0; i < 40; ++i) {
      const double wanted = nats + excess - std::log(std::numbers::pi * height) + 0.7;
      decay = -loss.estimate_log_decay(t, height);
      if (!std::isfinite(decay)) break;
      if (decay >= wanted) {
        high = height;
        found = true;
        if (low > 0 && high / low < 1.08) break;
        if (decay < wanted * 1.1 + 1) break;
      } else {
        low = height;
      }
      if (height * period > 1e8) break;
      const double factor = std::clamp(std::sqrt(std::max(wanted, 0.5) / std::max(decay, 1e-9)) * 1.02,
                                       0.3, 4.0);
      height *= factor;
      if (low > 0 && high > 0 && (height <= low || height >= high)) height = std::sqrt(low * high);
    }
    if (!found) continue;
    height = high;

    StraightChoice choice;
    choice.t = t;
    choice.nodes = static_cast<std::size_t>(std::max(2.0, std::ceil(height * period / (2 * std::numbers::pi))));
    choice.h = 2 * std::numbers::pi / period;
    choice.nats = nats;
    choice.log_delta = log_delta;
    choice.cancellation = std::max({0.0, excess, -t * period - log_delta});
    double points = 0;
    for (const ComposedLoss::Term& term : loss.terms()) {
      points += term.loss->estimate_line_points(
          t, height, nats + std::max(0.0, excess) + std::log(static_cast<double>(term.count)));
    }
    const double bits = (nats + choice.cancellation + std::log(loss.steps())) / log_two + 64;
    const double word = 1 + bits / 400;
    const auto n = static_cast<double>(choice.nodes);
    choice.seconds = word * (points * 8e-6 + n * points * 0.15e-6 + n * 6e-6);
    if (choice.seconds < best.seconds) {
      best = choice;
      worse = 0;
    } else if (++worse >= 2) {
      break;
    }
    // A search may not cost more than the nodes: stop when little can be gained.
    if (best.seconds < 1.5e-3 && share <= 0.7) break;
  }
  return best;
}

}  // namespace plaudit
