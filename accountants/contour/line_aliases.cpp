#include "accountants/contour/line_aliases.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "accountants/contour/straight_choice.hpp"
#include "accountants/cumulants/chernoff_factor.hpp"
#include "accountants/cumulants/order_search.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"

namespace plaudit {

namespace {

/// Deviations of the tilted loss within which epsilons share an order: at a greater value bounds of
/// aliases are wider, at a smaller one orders are sought more often.
constexpr double deviations_next_to_it = 0.2;

Ball total_delta(const Ball& infinite, const Ball& finite) {
  return infinite.is_exact_zero() ? finite : finite + infinite;
}

/// Upper bound of the log of n steps' moment; infinite where the order is too large to integrate.
Ball log_moment_of(const ComposedLoss& loss, const ComposedLoss::Term& term, double t) {
  try {
    return Ball(term.count) * log(term.loss->mgf_upper(Ball(t), loss.factor_nats(term)));
  } catch (const std::domain_error&) {
    return Ball(infinity);
  }
}

long bits_of_moments(const ComposedLoss& loss) {
  return 64 + precision_bits(std::log2(1 + loss.steps()));
}

}  // namespace

// Each number of the longer composition is that of the shorter one and of the terms, independent
// of it, that are added; but the mass at infinity, which is computed anew.
LineAliases::LineAliases(const LineAliases& other, const ComposedLoss& loss, CumulantTable& table,
                         const std::vector<ComposedLoss::Term>& more)
    : loss_(loss), table_(table), line_(other.line_), right_(other.right_), left_(other.left_) {
  {
    const PrecisionScope scope(bits_of_moments(loss));
    for (const auto& [t, moment] : other.log_mgf_) {
      if (!moment.used) continue;
      Ball sum = moment.log_upper;
      for (const ComposedLoss::Term& term : more) {
        sum +=
            PLAUDIT_BOUND("aliases.moments_of_more_terms", log_moment_of(loss, term, t), Ball(0));
      }
      log_mgf_.emplace(t, Moment{sum.upper(), false});
    }
  }
  const auto extended = [&](const Kept& number, auto&& add) {
    if (number.bits == 0) return Kept{};
    const PrecisionScope scope(number.bits);
    Kept result = number;
    for (const ComposedLoss::Term& term : more) add(result.value, term);
    return result;
  };
  finite_mass_ = extended(other.finite_mass_, [](Ball& value, const ComposedLoss::Term& term) {
    value *= power(term.loss->finite_mass(), term.count);
  });
  q_mass_ = extended(other.q_mass_, [](Ball& value, const ComposedLoss::Term& term) {
    value *= power(term.loss->q_mass(), term.count);
  });
  least_loss_ = extended(other.least_loss_, [](Ball& value, const ComposedLoss::Term& term) {
    value += Ball(term.count) * term.loss->least_loss();
  });
  greatest_loss_ = extended(other.greatest_loss_, [](Ball& value, const ComposedLoss::Term& term) {
    value += Ball(term.count) * term.loss->greatest_loss();
  });
}

const Ball& LineAliases::log_mgf_upper(double t) {
  const auto found = log_mgf_.find(t);
  if (found != log_mgf_.end()) {
    found->second.used = true;
    return found->second.log_upper;
  }
  const PrecisionScope scope(bits_of_moments(loss_));
  Ball sum;
  for (const ComposedLoss::Term& term : loss_.terms()) {
    sum += log_moment_of(loss_, term, t);
    if (!sum.is_finite()) break;  // no bound from it
  }
  return log_mgf_.emplace(t, Moment{sum.upper()}).first->second.log_upper;
}

template <class Compute>
const Ball& LineAliases::kept(Kept& number, Compute&& compute) {
  const long bits = working_precision();
  if (number.bits < bits) number = {compute(), bits};
  return number.value;
}

const Ball& LineAliases::finite_mass() {
  return kept(finite_mass_, [&] { return loss_.finite_mass(); });
}
const Ball& LineAliases::q_mass() {
  return kept(q_mass_, [&] { return loss_.q_mass(); });
}
const Ball& LineAliases::mass_at_infinity() {
  return kept(mass_at_infinity_, [&] { return loss_.mass_at_infinity(); });
}
const Ball& LineAliases::least_loss() {
  return kept(least_loss_, [&] { return loss_.least_loss(); });
}
const Ball& LineAliases::greatest_loss() {
  return kept(greatest_loss_, [&] { return loss_.greatest_loss(); });
}

namespace {

/// A double with 5 significant bits just below x > 0, so that nearby requests share one bound.
/// Never above: where rare draws take over beyond the best order, moments explode within a percent
/// of it.
double coarse(double x) {
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);
  return std::ldexp(std::floor(mantissa * 32) / 32, exponent);
}

}  // namespace

/// Any order gives a bound. What was chosen for an epsilon serves those next to it, where its bound
/// is nearly as good.
template <class Search>
double LineAliases::near(Order& kept, const Ball& epsilon, Search&& search) {
  const double at = epsilon.estimate();
  if (!(std::fabs(at - kept.epsilon) < kept.reach)) {
    kept = {coarse(search(at)), at,
            deviations_next_to_it * std::sqrt(std::max(table_.at(line_.t).variance, 0.0))};
  }
  return kept.order;
}

// Proof: docs/proofs/straight_contour.md#periodisation
Ball LineAliases::right(const Ball& epsilon, const Ball& p) {
  // delta(eps + j P) is 0 for all j >= 1 where eps + P is beyond the support
  if (certainly_greater_equal(epsilon + p, PLAUDIT_BOUND("aliases.end_of_support", greatest_loss(),
                                                         Ball(0.9) * greatest_loss())))
    return Ball(0);
  const double other = line_.t + near(right_, epsilon, [&](double at) {
                         return best_right_gap(table_, line_.t, at, line_.period);
                       });
  const Ball t(line_.t);
  const Ball t_other(other);
  if (!certainly_greater(t_other, t) || !certainly_nonnegative(t_other)) return Ball(infinity);
  return exp(log_chernoff_factor(t_other) + log_mgf_upper(other) - t_other * epsilon) /
         expm1(PLAUDIT_BOUND("aliases.right_period", t_other - t, t_other) * p);
}

// Proof: docs/proofs/straight_contour.md#periodisation
Ball LineAliases::left(const Ball& epsilon, const Ball& p, const Ball& enough) {
  const Ball t(line_.t);
  if (enough.is_finite() && certainly_positive(enough) && certainly_positive(t)) {
    // u = 1: the mass of Q
    Ball of_mass =
        q_mass() * exp(epsilon) /
        expm1(PLAUDIT_BOUND("aliases.of_q_mass_period", t + Ball(1), ldexp(t + Ball(1), 1)) * p);
    if (certainly_less_equal(of_mass, enough)) return of_mass;
  }
  if (!line_.both_residues) {  // Proof: docs/proofs/straight_contour.md#one-residue
    const double order = near(left_, epsilon, [&](double at) {
      return std::min(1.0, best_left_order(table_, line_.t, at, line_.period));
    });
    const Ball u(order);
    if (!certainly_positive(u) || !certainly_less_equal(u, Ball(1))) return Ball(infinity);
    return exp(log_mgf_upper(-order) + u * epsilon) /
           expm1(PLAUDIT_BOUND("aliases.one_residue_period", t + u, ldexp(t + u, 1)) * p);
  }
  // psi(eps - j P) is 0 for all j >= 1 where eps - P is below the support
  if (certainly_less_equal(epsilon - p, PLAUDIT_BOUND("aliases.start_of_support", least_loss(),
                                                      Ball(0.9) * least_loss())))
    return Ball(0);
  const double distance = near(left_, epsilon, [&](double at) {
    return line_.t < -1 ? best_gap_left_of_poles(table_, line_.t, at, line_.period)
                        : best_left_excess(table_, line_.t, at, line_.period);
  });
  const double other = line_.t < -1 ? distance - line_.t : 1 + distance;
  const Ball u(other);
  if (!certainly_greater_equal(u, Ball(1)) || !certainly_greater(u, -t)) return Ball(infinity);
  return exp(log_chernoff_factor(u - Ball(1)) + log_mgf_upper(-other) + u * epsilon) /
         expm1(PLAUDIT_BOUND("aliases.left_period", t + u, ldexp(t + u, 1)) * p);
}

// Proof: docs/proofs/straight_contour.md#no-residue
Ball LineAliases::left_without_residue(const Ball& epsilon, const Ball& p) {
  const double gap = near(
      left_, epsilon, [&](double at) { return best_left_gap(table_, line_.t, at, line_.period); });
  const double other = line_.t - gap;
  const Ball t(line_.t);
  const Ball t_other(other);
  if (!certainly_less(t_other, t) || !certainly_nonnegative(t_other)) return Ball(infinity);
  return exp(log_chernoff_factor(t_other) + log_mgf_upper(other) - t_other * epsilon) /
         expm1(PLAUDIT_BOUND("aliases.no_residue_period", t - t_other, ldexp(t, 3)) * p);
}

// Proof: docs/proofs/straight_contour.md#one-sided
Ball LineAliases::of_one_sided(const Ball& epsilon, const Ball& p, const Ball& delta) {
  const Ball t(line_.t);
  const Ball above = max(delta.upper(), Ball(0));
  if (certainly_negative(t)) {
    return PLAUDIT_BOUND("aliases.of_delta", above / expm1(-t * p), Ball(0));
  }
  const Ball psi = max(above - finite_mass() + q_mass() * exp(epsilon), Ball(0)).upper();
  return PLAUDIT_BOUND("aliases.of_psi", psi / expm1((t + Ball(1)) * p), Ball(0));
}

// Proof: docs/proofs/tails.md#line
Ball LineAliases::right_of_tail(const Ball& x, const Ball& p, bool of_q, const Ball& average) {
  if (certainly_greater_equal(x + p, greatest_loss())) return Ball(0);
  const Ball t(line_.t);
  const Ball order = of_q ? t + Ball(1) : t;
  if (certainly_negative(order)) {
    const Ball above = max(average.upper(), Ball(0));
    return PLAUDIT_BOUND("aliases.of_average", above / expm1(-order * p), Ball(0));
  }
  const double other =
      line_.t + coarse(best_right_gap(table_, line_.t, x.estimate(), line_.period));
  const Ball t_other(other);
  const Ball beyond = of_q ? t_other + Ball(1) : t_other;
  if (!certainly_greater(t_other, t) || !certainly_nonnegative(beyond)) return Ball(infinity);
  return exp(log_mgf_upper(other) - beyond * x) /
         expm1(PLAUDIT_BOUND("aliases.right_tail_period", t_other - t, ldexp(t_other, 3)) * p);
}

// Proof: docs/proofs/tails.md#line
Ball LineAliases::left_of_tail(const Ball& x, const Ball& w, const Ball& p, bool of_q) {
  // Q's sum without its residue has all of Q's mass there, and not nothing
  const bool corrected = !of_q || line_.both_residues;
  if (corrected && certainly_less_equal(x + w - p, least_loss())) return Ball(0);
  const Ball t(line_.t);
  const double near = x.estimate();
  const double other =
      line_.both_residues
          ? 1 + coarse(best_left_excess(table_, line_.t, near, line_.period))
          : std::min(1.0, coarse(best_left_order(table_, line_.t, near, line_.period)));
  const Ball u(other);
  const bool right_side =
      line_.both_residues ? certainly_greater_equal(u, Ball(1)) : certainly_less_equal(u, Ball(1));
  Ball bound(infinity);
  if (certainly_positive(u) && right_side && certainly_greater(u, -t)) {
    // with the residue of Q the exponent u - 1 is not negative, without it the shift does not help
    const Ball at = of_q && !line_.both_residues ? x : x + w;
    bound = exp(log_mgf_upper(-other) + (of_q ? u - Ball(1) : u) * at) /
            expm1(PLAUDIT_BOUND("aliases.left_tail_period", t + u, ldexp(t + u, 3)) * p);
  }
  const Ball order = of_q ? t + Ball(1) : t;
  if (corrected && certainly_positive(order)) {  // no more than all of the mass
    bound = min(bound, (of_q ? q_mass() : finite_mass()) / expm1(order * p));
  }
  return bound;
}

Ball LineAliases::chernoff(const Ball& epsilon) {
  const CumulantFunction cumulant = [this](double x) { return table_.at(x); };
  const double other =
      coarse(chernoff_order_at_epsilon(cumulant, epsilon.estimate(), std::fabs(line_.t)));
  const Ball order(other);
  if (!certainly_positive(order)) return Ball(1);
  const Ball bound = exp(PLAUDIT_BOUND("aliases.chernoff", log_chernoff_factor(order), Ball(-9)) +
                         log_mgf_upper(other) - order * epsilon);
  return bound.is_finite() ? bound : Ball(1);
}

Enclosure LineAliases::band(const Ball& corrected, const Ball& right, const Ball& left,
                            const Ball& error, const Ball& epsilon, Ledger&& ledger) {
  // corrected - delta is A+ + A- with both residues, A+ + A0 with none, A+ - B with one (all >= 0):
  // docs/proofs/straight_contour.md#periodisation, #no-residue and #one-residue
  const bool exceeds = line_.both_residues || line_.no_residue;
  const Ball above =
      exceeds ? right + PLAUDIT_BOUND("aliases.left_beside_right", left, Ball(0)) : right;
  const Ball below = exceeds ? Ball(0) : PLAUDIT_BOUND("aliases.one_residue", left, Ball(0));
  const Ball finite_lower = (corrected - above - error).lower();
  const Ball finite_upper = (corrected + below + error).upper();
  Enclosure result;
  result.ledger = std::move(ledger);
  if (!finite_upper.is_finite()) {
    result.lower = Ball(0);
    result.upper = Ball(1);
    result.remark = "bounds are not finite here";
    return result;
  }
  // delta lies in [max(m_inf, 1 - e^eps), 1] in any case.
  const Ball floor =
      max(mass_at_infinity(), PLAUDIT_BOUND("aliases.floor", -expm1(epsilon), expm1(abs(epsilon))))
          .lower();
  result.lower = max(floor, Ball(0)).lower();
  if (finite_lower.is_finite()) {  // without a bound of the aliases D is still an upper bound
    result.lower = max(total_delta(mass_at_infinity(), finite_lower), result.lower).lower();
  }
  Ball upper = min(total_delta(mass_at_infinity(), finite_upper).upper(), Ball(1)).upper();
  if (!certainly_less(upper, ldexp(result.lower, 1))) {
    // far from the epsilon this line was made for: Lemma 1 is better than the aliases' bound
    upper = min(upper, total_delta(mass_at_infinity(), chernoff(epsilon)).upper()).upper();
  }
  if (certainly_less(upper, result.lower)) {
    throw std::logic_error("contour: contradictory bounds");
  }
  result.upper = upper;
  return result;
}

}  // namespace plaudit
