#include "accountants/tails/composed_tails.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "accountants/registry.hpp"
#include "accountants/tails/atom_sums.hpp"
#include "accountants/tails/spans.hpp"
#include "lib/balls/decided_sign.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr int most_attempts = 8;             ///< at the masses of one point, each with more digits
constexpr int spare_digits = 3;              ///< of delta, beyond what the secants cost
constexpr int rough_digits = 3;              ///< of the first attempt
constexpr int most_listed = 4096;            ///< points of a lattice whose atoms are listed
constexpr int most_lines = 3;                ///< that are tried for one point
constexpr double most_seconds_of_line = 20;  ///< as predicted

Span exactly(const Ball& x) { return {x.lower(), x.upper()}; }

/// One that fails to say so does not.
bool applies(const char* name, const ComposedLoss& loss) {
  try {
    return !accountant(name)->refusal(loss);
  } catch (...) {
    given_up_unless_contradiction();
    return false;
  }
}

bool is_late() {
  try {
    check_work_limit();
    return false;
  } catch (const WorkLimitReached&) {
    return true;
  }
}

}  // namespace

ComposedTails::ComposedTails(const Composition& composition, Direction direction,
                             double timeout_seconds)
    : composition_(composition), loss_(composition, direction), lattice_(common_lattice(loss_)) {
  options_.direction =
      direction == Direction::remove ? DirectionChoice::remove : DirectionChoice::add;
  options_.timeout_seconds = timeout_seconds;
  if (!lattice_) product_ = ExactProduct::of(loss_, work_of_product);
  // Heuristic: on a lattice the first one is the fastest by far.
  if (lattice_ && applies("fourier", loss_)) accountants_.emplace_back("fourier");
  accountants_.emplace_back("auto");
}

Span ComposedTails::delta(const Rational& epsilon, int digits) {
  const auto known = known_.find({digits, epsilon});
  if (known != known_.end()) return known->second;
  check_work_limit();
  const PrecisionScope scope(bits_of_tail_digits(digits));
  Span span{Ball(0), Ball(1)};
  for (const std::string& name : accountants_) {
    auto session = sessions_.find({digits, name});
    if (session == sessions_.end()) {
      options_.digits = digits;
      options_.accountant = name;
      session = sessions_.emplace(std::pair(digits, name), Session(composition_, options_)).first;
    }
    const Answer answer = session->second.answer(Quantity::delta, epsilon);
    if (!answer.band.trusted.empty()) {
      throw std::invalid_argument("tails are made of proven values alone, and " +
                                  answer.band.trusted + " only claims: do without its trust");
    }
    intersect(span, answer.band.exact ? exactly(Ball(*answer.band.exact))
                                      : Span{answer.band.lower, answer.band.upper});
    if (answer.reached) break;
  }
  if (is_late()) return span;  // what the clock cut short is no answer to a later question
  return known_.emplace(std::pair(digits, epsilon), span).first->second;
}

// Proof: docs/proofs/tails.md#secants
Span ComposedTails::slope(const std::pair<Rational, Rational>& ends, int digits) {
  const Span first = delta(ends.first, digits);
  const Span last = delta(ends.second, digits);
  const Ball run = exp(Ball(ends.first)) * expm1(Ball(Rational(ends.second - ends.first)));
  const Ball least = PLAUDIT_BOUND("tails.last_upper", last.upper, last.lower);
  const Ball most = PLAUDIT_BOUND("tails.first_upper", first.upper, first.lower);
  return {max(Ball(0), (first.lower - least) / run).lower(),
          min(Ball(1), (most - last.lower) / run).upper()};
}

/// Secants between neighbours of the lattice. Proof: docs/proofs/tails.md#lattice
std::optional<ComposedTails::Secants> ComposedTails::on_lattice(const Rational& x) const {
  if (!lattice_ || lattice_->mesh == 0) return std::nullopt;
  const Rational& mesh = lattice_->mesh;
  const Rational& offset = lattice_->offset;
  if (!lattice_->exp_unit) {
    const Integer below = floor_of((x - offset) / mesh);
    const Rational previous = offset + Rational(below) * mesh;
    if (previous == x) return Secants{{x, x + mesh}, {x - mesh, x}, true};
    return Secants{{previous, previous + mesh}, {previous, previous + mesh}, true};
  }
  // The unit is irrational: 0 is the only rational that may be on the lattice.
  const PrecisionScope scope(bits_against(x));
  const Ball unit = log(Ball(*lattice_->exp_unit));
  const Integer zero = floor_of(-offset / mesh);
  if (x == 0 && offset + Rational(zero) * mesh == 0) {
    const Rational step = exact_rational((unit * Ball(mesh)).lower());
    if (step <= 0) return std::nullopt;
    return Secants{{x, step}, {-step, x}, true};
  }
  const Ball place = (Ball(x) / unit - Ball(offset)) / Ball(mesh);
  if (!place.is_finite()) return std::nullopt;
  const Integer below = floor_of(exact_rational(place.lower()));
  if (below != floor_of(exact_rational(place.upper()))) return std::nullopt;
  const auto point = [&](const Integer& k) {
    return unit * Ball(Rational(offset + Rational(k) * mesh));
  };
  const Rational from = exact_rational(point(below).upper());
  const Rational to = exact_rational(point(Integer(below + 1)).lower());
  if (from >= x || x >= to) return std::nullopt;
  return Secants{{from, to}, {from, to}, true};
}

/// What the ends of the support say of x: all where x lies beyond them; at the greatest loss all
/// but the mass of the atom there; nothing between them, or where the side of x is not decided.
std::optional<ComposedMasses> ComposedTails::at_ends(const Rational& x) const {
  const auto side = [&](auto&& end) {
    const PrecisionScope scope(bits_against(x));
    const Ball distance = end() - Ball(x);
    return certainly_positive(distance) ? 1 : certainly_negative(distance) ? -1 : 0;
  };
  const auto greatest = loss_.exact_greatest_loss();
  const int right =
      greatest ? exact_sign(*greatest - x) : side([&] { return loss_.greatest_loss(); });
  const Ball infinite = loss_.mass_at_infinity();
  const Span nothing{Ball(0), Ball(0)};
  const bool at_end = greatest && right == 0;
  if (right < 0 || at_end) {
    return ComposedMasses{exactly(infinite), nothing, at_end ? Span{Ball(0), Ball(1)} : nothing};
  }
  if (side([&] { return loss_.least_loss(); }) > 0) {
    return ComposedMasses{{Ball(1), Ball(1)}, exactly(loss_.q_mass()), nothing};
  }
  return std::nullopt;
}

/// The sum over all outcomes, where the law is known exactly.
std::optional<ComposedMasses> ComposedTails::of_outcomes(const Rational& x, int digits) {
  if (!product_) return std::nullopt;
  std::optional<ComposedMasses> result;
  long bits = bits_of_tail_digits(digits);
  for (int attempt = 0; attempt < most_attempts; ++attempt, bits *= 2) {
    const PrecisionScope scope(bits);
    const std::optional<PointMasses> found = product_->masses_at(x);
    if (!found) return std::nullopt;
    result = {exactly(found->p_above + loss_.mass_at_infinity()), exactly(found->q_above),
              exactly(found->p_atom)};
    if (missing_digits(result->p_above, digits) + missing_digits(result->q_above, digits) +
            missing_digits(result->p_atom, digits) ==
        0) {
      break;
    }
  }
  return result;
}

std::optional<Ball> ComposedTails::known_atom(const Rational& x) {
  if (atoms_bits_ != working_precision()) {
    atoms_ = atoms_of_sum(loss_);
    atoms_bits_ = working_precision();
  }
  if (!atoms_) return std::nullopt;
  const auto atom = atoms_->find(x);
  return atom == atoms_->end() ? Ball(0) : atom->second;
}

// Proof: docs/proofs/tails.md#secants
ComposedMasses ComposedTails::masses(const Rational& x, const Secants& secants, int digits) {
  const Span right = slope(secants.right, digits);
  const Span left = slope(secants.left, digits);
  const Ball e_x = exp(Ball(x));
  ComposedMasses result;
  result.q_above = {right.lower, PLAUDIT_BOUND("tails.left_secant", secants.exact, true)
                                     ? right.upper
                                     : left.upper};
  Span atom{Ball(0), (e_x * (left.upper - right.lower)).upper()};
  if (secants.exact && secants.right == secants.left) {
    atom = {Ball(0), Ball(0)};
  } else if (secants.exact) {
    atom.lower = max(Ball(0), e_x * (left.lower - right.upper)).lower();
  } else if (const std::optional<Ball> known = known_atom(x)) {
    atom = exactly(*known);
    const Ball of_q = *known / e_x;
    result.q_above.upper = min(result.q_above.upper, left.upper - of_q).upper();
  }
  result.p_atom = atom;
  const Span here = delta(x, digits);
  result.p_above = {(here.lower + e_x * result.q_above.lower).lower(),
                    min(Ball(1), here.upper + e_x * result.q_above.upper).upper()};
  return result;
}

// Proof: docs/proofs/tails.md#line
bool ComposedTails::on_line(const Rational& x, int digits, ComposedMasses& best) {
  if (lattice_) return false;
  const auto reached = [&] {
    return missing_digits(best.p_above, digits) + missing_digits(best.q_above, digits) == 0;
  };
  const auto take = [&] {
    const TailLine::Masses found = line_->at(x);
    intersect(best.p_above, {found.p_lower, found.p_upper});
    intersect(best.q_above, {found.q_lower, found.q_upper});
    const Ball atom = exp(Ball(x)) * (found.q_upper - found.q_lower);
    intersect(best.p_atom, {Ball(0), min(Ball(1), atom).upper()});
  };
  try {
    if (line_) take();  // the one made for another point may do
    int asked = digits;
    for (int attempt = 0; attempt < most_lines && !reached(); ++attempt) {
      line_ = TailLine::near(loss_, x, asked, most_seconds_of_line);
      if (!line_) return false;
      take();
      asked +=
          1 + std::max(missing_digits(best.p_above, digits), missing_digits(best.q_above, digits));
    }
  } catch (const std::domain_error&) {  // no line can be had here
    return false;
  }
  if (const auto known = known_atom(x)) intersect(best.p_atom, exactly(*known));
  return reached();
}

ComposedMasses ComposedTails::at(const Rational& x, int digits) {
  const PrecisionScope outer(bits_of_tail_digits(2 * digits));
  const std::optional<ComposedMasses> ends = at_ends(x);
  ComposedMasses best =
      ends.value_or(ComposedMasses{{Ball(0), Ball(1)}, {Ball(0), Ball(1)}, {Ball(0), Ball(1)}});
  const bool done = ends && !certainly_less(best.p_atom.lower, best.p_atom.upper);
  if (done) return best;
  try {
    if (auto all = of_outcomes(x, digits)) return *all;
    if (on_line(x, digits, best)) return best;
  } catch (...) {
    if (given_up_unless_contradiction().cause != Cause::method) return best;
  }
  const std::optional<Secants> lattice = on_lattice(x);
  // Heuristics: the scale on which the law varies, and the digits of delta that secants cost.
  const double scale = std::log(estimate_law(loss_).variance) / 2;
  // A rough attempt comes first, so that there is something where the limits end the fine one.
  double log_step = 0;
  int asked = 0;
  const auto aim = [&](int goal) {
    log_step = scale - (goal + 2) * log_ten;
    asked = (lattice ? 1 : 2) * (goal + 2) + spare_digits;
  };
  const bool rough_first = !lattice && digits > 2 * rough_digits;
  aim(rough_first ? rough_digits : digits);
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    ComposedMasses found;
    try {
      const Rational step = step_of(log_step);
      const Secants secants = lattice ? *lattice : Secants{{x, x + step}, {x - step, x}, false};
      const PrecisionScope scope(bits_of_tail_digits(asked));
      found = masses(x, secants, asked);
    } catch (...) {
      given_up_unless_contradiction();
      break;  // what was enclosed before stands
    }
    intersect(best.p_above, found.p_above);
    intersect(best.q_above, found.q_above);
    intersect(best.p_atom, found.p_atom);
    if (rough_first && attempt == 0) {
      aim(digits);
      continue;
    }
    const int missing =
        std::max(missing_digits(best.p_above, digits), missing_digits(best.q_above, digits));
    const bool atoms_too = lattice && lattice->right != lattice->left;
    const int of_atom = atoms_too ? missing_digits(best.p_atom, digits) : 0;
    if (std::max(missing, of_atom) == 0) break;
    // A narrower step makes the secants nearer and their errors greater, in the same measure.
    const int more = std::max(missing, of_atom) + 1;
    if (!lattice) log_step -= more * log_ten;
    asked += (lattice ? 1 : 2) * more;
    if (asked > most_digits) break;
  }
  return best;
}

std::optional<std::vector<LossAtom>> ComposedTails::atoms(const LossWindow& window, int digits) {
  if (!has_rational_lattice()) return std::nullopt;
  const Rational& mesh = lattice_->mesh;
  const Rational& offset = lattice_->offset;
  const Integer first = -floor_of((offset - window.from) / mesh);
  const Integer last = floor_of((window.to - offset) / mesh);
  if (last - first >= most_listed) return std::nullopt;
  std::vector<LossAtom> atoms;
  for (Integer k = first; k <= last; ++k) {
    const Rational x = offset + Rational(k) * mesh;
    const Span mass = at(x, digits).p_atom;
    if (!certainly_positive(mass.upper)) continue;
    const Ball p = hull(mass.lower, mass.upper);
    atoms.push_back({Ball(x), x, p, p * exp(-Ball(x))});
  }
  return atoms;
}

}  // namespace plaudit
