#include "accountants/laplace/periodic_line.hpp"

#include <algorithm>
#include <cmath>

#include "lib/analysis/power_series.hpp"
#include "lib/balls/precision.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/laws/laplace_loss.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm periodic_right_term{"laplace_folded.right.aliasing",
                                        "docs/proofs/straight_contour.md#periodisation (right)"};
constexpr ErrorTerm periodic_left_term{"laplace_folded.left.aliasing",
                                       "docs/proofs/straight_contour.md#periodisation (left)"};
constexpr ErrorTerm periodic_truncation_term{"laplace_folded.truncation",
                                             "docs/proofs/laplace.md#folded-product"};
constexpr ErrorTerm periodic_expansion_term{"laplace_folded.expansion",
                                            "docs/proofs/laplace.md#folded-product"};
constexpr ErrorTerm periodic_rounding_term{"laplace_folded.rounding",
                                           "ball arithmetic (radius of the sum)"};

constexpr long bits_of_blocks = 64;
constexpr std::size_t most_periodic_classes = 5000;

/// A or B at a node, from e^(az) and e^(-a(1+z)).
ComplexBall half_sum(const ComplexBall& a, const ComplexBall& b) { return ldexp(a + b, -1); }

}  // namespace

std::optional<PeriodicLaw> periodic_law(const ComposedLoss& composition) {
  PeriodicLaw law;
  for (const ComposedLoss::Term& term : composition.terms()) {
    const LossFacts& facts = term.loss->facts();
    const Rational count{Integer(term.count)};
    if (facts.laplace != nullptr) {
      const Rational& ratio = facts.laplace->ratio();
      const auto same = std::find_if(law.noises.begin(), law.noises.end(),
                                     [&](const auto& each) { return each.ratio == ratio; });
      if (same == law.noises.end()) {
        law.noises.push_back({ratio, term.count});
      } else {
        same->steps += term.count;
      }
      law.mesh = common_divisor(law.mesh, 2 * ratio);
      law.offset += count * ratio;
    } else if (facts.lattice && !facts.lattice->exp_unit && term.loss->has_moments() &&
               term.loss->exact_mass_at_infinity() == Rational(0) &&
               term.loss->exact_q_mass() == Rational(1)) {
      law.others.push_back(term);
      law.mesh = common_divisor(law.mesh, facts.lattice->mesh);
      law.offset += count * facts.lattice->offset;
    } else {
      return std::nullopt;
    }
  }
  if (law.noises.empty()) return std::nullopt;
  return law;
}

// Proof: docs/proofs/laplace.md#folded-product
PeriodicLine::PeriodicLine(const ComposedLoss& loss, const PeriodicLaw& law, CumulantTable& table,
                           const PeriodicChoice& choice)
    : law_(law),
      choice_(choice),
      aliases_(loss, table,
               {choice.t, estimate(law.mesh) * static_cast<double>(choice.classes),
                choice.both_residues}) {
  require_folded_line(choice_.t, choice_.classes, choice_.direct);
  bits_of_sums_ = choice_.bits + static_cast<long>(choice_.orders + 2) *
                                     (2 + std::ilogb(1.0 + static_cast<double>(choice_.direct)));
  {
    const PrecisionScope scope(bits_of_sums_);
    sums_ = FoldedSums(choice_.direct, choice_.orders);
  }
  const PrecisionScope scope(choice_.bits);
  t_ = Ball(choice_.t);
  const Ball alpha(law_.mesh);
  turn_ = ldexp(pi(), 2) / alpha;
  h_ = ldexp(pi(), 1) / (alpha * Ball(choice_.classes));
  radius_ = (Ball(1) / (Ball(choice_.kappa) * turn_ * Ball(choice_.direct + 1))).middle();
  others_at_t_ = Ball(1);
  for (const ComposedLoss::Term& term : law_.others) {
    others_at_t_ *= exp(Ball(term.count) * term.loss->log_mgf(t_));
  }
  others_at_t_ = others_at_t_.upper();
  expansion_ = Ball(0);
  omitted_ = Ball(0);
  add_class(0);
  const std::uint64_t last = (choice_.classes - 1) / 2;
  for (std::uint64_t first = 1; first <= last; first *= 2) {
    cover(first, std::min(2 * first - 1, last));
  }
}

/// Classes of small bounds are left out in blocks, the others are summed.
void PeriodicLine::cover(std::uint64_t first, std::uint64_t last) {
  check_work_limit();
  if (!omitted_.is_finite()) return;  // no use any more
  const Ball bound = bound_of_block(first, last);
  if (bound.is_finite() && certainly_less(bound, exp(Ball(choice_.log_goal)))) {
    omitted_ += bound;
    return;
  }
  if (first == last) {
    if (classes_.size() > most_periodic_classes) {
      omitted_ = positive_infinity();
      return;
    }
    add_class(first);
    return;
  }
  const std::uint64_t middle = first + (last - first) / 2;
  cover(first, middle);
  cover(middle + 1, last);
}

/// Upper bound of what the classes from first to last, first >= 1, amount to.
// Proof: docs/proofs/laplace.md#folded-product (classes left out)
Ball PeriodicLine::bound_of_block(std::uint64_t first, std::uint64_t last) const {
  const PrecisionScope scope(bits_of_blocks);
  const Ball sigma = ldexp(t_, 1) + Ball(1);
  const Ball low = h_ * Ball(first);
  const Ball s = hull(low, h_ * Ball(last));
  const Ball size = sqrt(square(sigma) + ldexp(square(low), 2));  // |v|, at least
  Ball log_size = log(others_at_t_);
  for (const PeriodicLaw::Noise& noise : law_.noises) {
    const Ball a(noise.ratio);
    const Ball hyperbolic = square(sinh(ldexp(a * sigma, -1)));
    const Ball cosine = square(cos(a * s));
    const Ball atoms = sqrt(hyperbolic + clipped_nonnegative(cosine));
    const Ball curve = sqrt(hyperbolic + clipped_nonnegative(Ball(1) - cosine));
    log_size += Ball(noise.steps) * (log(atoms + curve / size) - ldexp(a, -1));
  }
  const Ball sine = sin(pi() * Ball(first) / Ball(choice_.classes));
  const Ball sum = square(ldexp(Ball(law_.mesh), -1) / sine);
  const Ball bound = Ball(last - first + 1) * exp(log_size) * sum;
  return PLAUDIT_BOUND("periodic_line.classes_left_out", bound, ldexp(bound, -60)).upper();
}

PeriodicLine::Parts PeriodicLine::parts_at(const ComplexBall& node) const {
  Parts parts;
  for (const PeriodicLaw::Noise& noise : law_.noises) {
    const ComplexBall a{Ball(noise.ratio)};
    const ComplexBall right = exp(a * node);
    const ComplexBall left = exp(-a * (node + ComplexBall(1)));
    parts.atoms.push_back(half_sum(right, left));
    parts.curves.push_back(half_sum(right, -left));
  }
  parts.rest = ComplexBall(1);
  for (const ComposedLoss::Term& term : law_.others) {
    parts.rest *= exp(ComplexBall(Ball(term.count)) * term.loss->log_mgf(node));
  }
  return parts;
}

void PeriodicLine::add_class(std::uint64_t k) {
  check_work_limit();
  const ComplexBall node(t_, h_ * Ball(k));
  const ComplexBall v = ComplexBall(1) + node + node;
  const Parts parts = parts_at(node);
  Class result;
  result.index = k;
  const auto last = static_cast<long>(choice_.direct);
  for (long j = -last; j <= last; ++j) {
    const ComplexBall at = v + ComplexBall(Ball(0), turn_ * Ball(j));
    ComplexBall value = ldexp(parts.rest, 2) / (square(at) - ComplexBall(1));
    for (std::size_t i = 0; i < law_.noises.size(); ++i) {
      value *= large_power(parts.atoms[i] + parts.curves[i] / at, law_.noises[i].steps);
    }
    result.direct.push_back(std::move(value));
  }
  result.orders = expansion(parts, v);
  add_error(parts, v);
  classes_.push_back(std::move(result));
}

/// The coefficients of y^2, y^3, ..., y = 1 / (2 j w), in units of R.
// Proof: docs/proofs/laplace.md#folded-product (inside a class)
std::vector<ComplexBall> PeriodicLine::expansion(const Parts& parts, const ComplexBall& v) const {
  const ComplexBall unit(radius_);
  const ComplexBall slope = v * unit;
  std::vector<ComplexBall> product;
  for (std::size_t i = 0; i < law_.noises.size(); ++i) {
    // of (A + B y / (1 + v y))^n
    std::vector<ComplexBall> factor = series_fraction_power(
        parts.atoms[i], parts.curves[i] * unit, slope, law_.noises[i].steps, choice_.orders);
    check_work_limit();
    product = i == 0 ? std::move(factor) : series_product(product, factor, choice_.orders);
  }
  for (ComplexBall& coefficient : product) coefficient *= ldexp(parts.rest, 2);
  return series_quotient(series_quotient(product, slope - unit, choice_.orders), slope + unit,
                         choice_.orders);
}

// Proof: docs/proofs/laplace.md#folded-product (inside a class)
void PeriodicLine::add_error(const Parts& parts, const ComplexBall& v) {
  const Ball room = Ball(1) - radius_ * abs(v);
  const Ball below = Ball(1) - radius_ * abs(v - ComplexBall(1));
  const Ball above = Ball(1) - radius_ * abs(v + ComplexBall(1));
  const Ball kappa = Ball(1) / (radius_ * turn_ * Ball(choice_.direct + 1));
  if (!certainly_positive(room) || !certainly_positive(below) || !certainly_positive(above) ||
      !certainly_less(kappa, Ball(1))) {
    expansion_ = positive_infinity();
    return;
  }
  Ball growth = ldexp(abs(parts.rest), 2) / (below * above);
  for (std::size_t i = 0; i < law_.noises.size(); ++i) {
    const Ball size = abs(parts.atoms[i]) + abs(parts.curves[i]) * radius_ / room;
    growth *= power(size.upper(), law_.noises[i].steps);
  }
  const Ball front = Ball(2) / (square(turn_) * (Ball(choice_.direct) + Ball(0.5)));
  expansion_ += (growth * front *
                 power(kappa, PLAUDIT_BOUND("periodic_line.orders_left_out", choice_.orders,
                                            2 * choice_.orders)) /
                 (Ball(1) - kappa))
                    .upper();
}

/// T(eps) without e^(-t eps) h / pi.
Ball PeriodicLine::total(const Ball& epsilon) const {
  Ball beta;
  std::vector<ComplexBall> sums;
  {
    const PrecisionScope scope(bits_of_sums_);
    beta = near_zero_modulo_one((Ball(law_.offset) - epsilon) / Ball(law_.mesh));
    sums = sums_.at(beta, ldexp(pi(), 2) / Ball(law_.mesh), radius_);
  }
  const std::vector<ComplexBall> turns = sums_.phases(beta);
  Ball sum;
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    if ((i & 15) == 0) check_work_limit();
    const Class& each = classes_[i];
    const Ball angle = h_ * Ball(each.index) * epsilon;
    const ComplexBall value = dot(each.direct, turns) + dot(each.orders, sums);
    const Ball part = (ComplexBall(cos(angle), -sin(angle)) * value).real();
    sum += each.index == 0 ? ldexp(part, -1) : part;
  }
  return sum;
}

// Proof: docs/proofs/laplace.md#folded-product
Enclosure PeriodicLine::delta(const Ball& epsilon) {
  const PrecisionScope scope(choice_.bits);
  const Ball p = Ball(law_.mesh) * Ball(choice_.classes);
  const Ball front = exp(-t_ * epsilon) * h_ / pi();
  Ball corrected = front * total(epsilon) - Ball(1) / expm1(t_ * p);
  if (choice_.both_residues) corrected += exp(epsilon) / expm1((t_ + Ball(1)) * p);

  Ledger ledger;
  const Ball right = ledger.add(periodic_right_term, aliases_.right(epsilon, p));
  const Ball left = ledger.add(periodic_left_term, aliases_.left(epsilon, p));
  const Ball truncation = ledger.add(periodic_truncation_term, front * omitted_);
  const Ball expansion = ledger.add(periodic_expansion_term, front * expansion_);
  ledger.note(periodic_rounding_term, corrected.radius());
  Enclosure result =
      aliases_.band(corrected, right, left, truncation + expansion, epsilon, std::move(ledger));
  result.accountant = "laplace_folded";
  result.method = std::to_string(classes_.size()) + " of " +
                  std::to_string((choice_.classes + 1) / 2) + " classes of nodes, " +
                  std::to_string(choice_.orders) + " orders, " +
                  std::to_string(2 * choice_.direct + 1) + " nodes each one by one, " +
                  std::to_string(choice_.bits) + " bits";
  return result;
}

}  // namespace plaudit
