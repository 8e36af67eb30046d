#include "accountants/laplace/turned_line.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "lib/analysis/power_series.hpp"
#include "lib/balls/ball_memory.hpp"
#include "lib/balls/precision.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm near_term{"turned_laplace.near", "docs/proofs/turned_line.md#near"};
constexpr ErrorTerm far_term{"turned_laplace.far", "docs/proofs/turned_line.md#far"};
constexpr ErrorTerm cut_term{"turned_laplace.cut", "docs/proofs/turned_line.md#cut"};
constexpr ErrorTerm turned_atoms_term{"turned_laplace.atoms", "docs/proofs/turned_line.md#atoms"};
constexpr ErrorTerm turned_rounding_term{"turned_laplace.rounding",
                                         "ball arithmetic (radius of the sum)"};

// Widths w of the strips: over the deviation of the tilted loss, and as parts of t. Then rho.
constexpr double strips_tried[] = {0.5, 1.0, 2.0, 3.0, 4.0, 5.5, 7.0, 9.0, 12.0};
constexpr double shares_of_turn[] = {0.3, 0.6, 0.9};
constexpr double ellipses_of_turn[] = {1.5, 2.0, 2.7, 3.6, 5.0};
constexpr double first_length = 12;  ///< of a rule up to T, over the scale of the choice
constexpr double first_far_length = 6;
constexpr double longer = 2.5;            ///< than the rule before, at first
constexpr double shorter = 0.7;           ///< where it errs too much
constexpr double shortest_length = 1e-9;  ///< of a rule, in heights
constexpr double farthest_turn = 1e30;    ///< x over T
constexpr std::size_t most_rules = 4000;
constexpr std::size_t most_rules_of_ray = 300;
constexpr long bits_of_bounds = 96;
constexpr double inside_strip = 1 - 1e-12;  ///< factor of rho, so that the ellipse fits for certain
constexpr long first_shift = 20;            ///< bits of an undecided epsilon by which it is moved
constexpr long next_shift = 8;

}  // namespace

// Proof: docs/proofs/turned_line.md#turned
TurnedLine::TurnedLine(const ComposedLoss& loss, const TurnedChoice& choice)
    : choice_(choice),
      laws_([&] {
        const PrecisionScope scope(choice.bits);
        std::vector<EndPower> laws = end_laws(loss);
        for (const EndPower& each : laws) each.law->prepare(accuracy_of(choice));
        return laws;
      }()),
      atoms_([&] {
        const PrecisionScope scope(choice.bits);
        return usual_atoms(terms_beside_ends(loss), loss.direction(), choice.nats_of_atoms);
      }()),
      choices_([&] {
        const PrecisionScope scope(choice.bits);
        return EndChoices(laws_, atoms_.masses);
      }()) {
  if (!(choice_.t > 0) || !(choice_.height > 0)) {
    throw std::domain_error("turned line: parameters that the theorem does not cover");
  }
  t_ = Ball(choice_.t);
  height_ = Ball(choice_.height);
  const PrecisionScope scope(choice_.bits);
  rule_ = gauss_legendre(choice_.points);
  make_strips(loss);
  integrate_near();
  if (!choice_.turns) {
    line_ = bound_of_line();
    return;
  }
  // atoms at epsilon count on both sides, so that the rays serve epsilons on either side of it
  const Beside beside = choices_beside(Ball(choice_.epsilon));
  turn(EndSide::above, beside.split_before);
  turn(EndSide::below, beside.split_after);
}

// ---- up to the height T

/// M at some abscissas beside the line: it is at most their greatest between them.
// Proof: docs/proofs/turned_line.md#near
void TurnedLine::make_strips(const ComposedLoss& loss) {
  const PrecisionScope scope(bits_of_bounds);
  std::vector<double> widths;
  for (const double each : strips_tried) widths.push_back(each / choice_.deviation);
  for (const double each : shares_of_turn) widths.push_back(each * choice_.t);
  for (const double width : widths) {
    check_work_limit();
    Strip strip;
    strip.width = width;
    strip.log_right = loss.log_mgf(t_ + Ball(strip.width)).upper();
    strip.log_left = loss.log_mgf(t_ - Ball(strip.width)).upper();
    strip.factor = Ball(0);
    strips_.push_back(std::move(strip));
  }
}

/// What the rule on [from, to] errs by, over the greatest of e^(-z eps) M in the strip.
// Proof: docs/proofs/turned_line.md#near
Ball TurnedLine::near_factor(double from, double to, const Strip& strip) const {
  const Ball half = ldexp(Ball(to) - Ball(from), -1);
  const Ball middle = ldexp(Ball(to) + Ball(from), -1);
  const double slope = strip.width / half.estimate();
  const Ball rho((slope + std::sqrt(1 + slope * slope)) * inside_strip);
  if (!certainly_greater(rho, Ball(1))) return positive_infinity();
  const Ball wide = ldexp(half * (rho - Ball(1) / rho), -1);
  if (!certainly_less_equal(wide, Ball(strip.width))) return positive_infinity();
  const Ball lowest = middle - ldexp(half * (rho + Ball(1) / rho), -1);
  const Ball nearest = t_ - Ball(strip.width);
  const Ball size = max(nearest, lowest);
  if (!certainly_positive(size)) return positive_infinity();
  const Ball kernel = Ball(1) / (size * max(nearest + Ball(1), lowest));
  if (!certainly_positive(kernel)) return positive_infinity();
  return (half / pi() * gauss_legendre_error(choice_.points, rho, kernel)).upper();
}

/// The strip in which the rule errs least, where that is little enough; null otherwise.
TurnedLine::Strip* TurnedLine::best_strip(double from, double to) {
  Strip* best = nullptr;
  double least = choice_.log_near;
  for (Strip& strip : strips_) {
    const Ball factor = near_factor(from, to, strip);
    if (!factor.is_finite()) continue;
    const double right = strip.log_right.estimate() - (choice_.t + strip.width) * choice_.epsilon;
    const double left = strip.log_left.estimate() - (choice_.t - strip.width) * choice_.epsilon;
    const double error = factor.estimate_log() + std::max(left, right);
    if (error < least) {
      least = error;
      best = &strip;
    }
  }
  return best;
}

/// Rules that are about as long as they may be; equal ones are preferred, which cost less.
void TurnedLine::integrate_near() {
  double from = 0;
  double length = first_length * choice_.scale;
  double grows_from = 0;
  for (std::size_t rules = 0; from < choice_.height; ++rules) {
    check_work_limit();
    if (rules > most_rules) throw std::domain_error("turned line: too long a line");
    if (from >= grows_from) length *= longer;
    while (true) {
      const double to = length >= choice_.height - from ? choice_.height : from + length;
      if (Strip* strip = best_strip(from, to)) {
        strip->factor += near_factor(from, to, *strip);
        add_near_nodes(from, to);
        from = to;
        break;
      }
      grows_from = 2 * from + length;
      length = std::min(length, choice_.height - from) * shorter;
      if (!(length > shortest_length * choice_.height)) {
        throw std::domain_error("turned line: no rules that are short enough");
      }
    }
  }
}

void TurnedLine::add_near_nodes(double from, double to) {
  const Ball half = ldexp(Ball(to) - Ball(from), -1);
  const Ball middle = ldexp(Ball(to) + Ball(from), -1);
  std::vector<Ball> offsets;
  for (const Ball& each : rule_.nodes) offsets.push_back(half * each);
  std::vector<ComplexBall> products;
  for (std::size_t g = 0; g < offsets.size(); ++g) {
    const ComplexBall z(t_, middle + offsets[g]);
    products.push_back(ComplexBall(half * rule_.weights[g]) * choices_.sum_of_atoms(z) /
                       (z * (z + ComplexBall(1))));
  }
  for (const EndPower& each : laws_) {
    const std::vector<ComplexBall> values = each.law->values(t_, middle, offsets);
    for (std::size_t g = 0; g < offsets.size(); ++g) {
      products[g] *= large_power(values[g], each.count);
    }
  }
  for (std::size_t g = 0; g < offsets.size(); ++g) {
    near_.push_back({middle + offsets[g], std::move(products[g])});
  }
}

// Proof: docs/proofs/turned_line.md#near
Ball TurnedLine::near_error(const Ball& epsilon) const {
  Ball sum;
  for (const Strip& strip : strips_) {
    if (strip.factor.is_exact_zero()) continue;
    const Ball width(strip.width);
    const Ball right = exp(strip.log_right - (t_ + width) * epsilon);
    const Ball left = exp(strip.log_left - (t_ - width) * epsilon);
    sum += strip.factor * PLAUDIT_BOUND("turned_line.strip", max(right, left), min(right, left));
  }
  return sum;
}

// ---- above it

/// The terms of a side at heights of at least `height`, and at real parts of which `real` is the
/// worst.
// Proof: docs/proofs/turned_line.md#far
TurnedLine::Bound TurnedLine::bound_at(EndSide side, const Ball& real, const Ball& height,
                                       const Ball& factor) const {
  std::vector<TwoEnds<Ball>> ends;
  for (const EndPower& each : laws_) {
    const TwoEnds<Ball> sizes = each.law->sizes(height);
    const TwoEnds<Ball>& losses = each.law->losses();
    ends.push_back({sizes.top * exp(real * losses.top), sizes.bottom * exp(real * losses.bottom)});
  }
  return {real, factor, choices_.terms(ends, real, side), Ball(0)};
}

// Proof: docs/proofs/turned_line.md#far
TurnedLine::Bound TurnedLine::bound_of_rule(EndSide side, double from, double to,
                                            double ellipse) const {
  const Ball rho(ellipse);
  const Ball half = ldexp(Ball(to) - Ball(from), -1);
  const Ball middle = ldexp(Ball(to) + Ball(from), -1);
  const Ball reach = half * sqrt(ldexp(square(rho) + Ball(1) / square(rho), -1));
  const Ball lowest = height_ + middle - reach;
  if (!certainly_positive(lowest)) return {Ball(0), positive_infinity(), {}, Ball(0)};
  const Ball& wide = PLAUDIT_BOUND("turned_line.ellipse", reach, -reach);
  const Ball real = side == EndSide::above ? t_ - middle + wide : t_ + middle - wide;
  const Ball error = gauss_legendre_error(choice_.points, rho, Ball(1) / square(lowest));
  return bound_at(side, real, lowest, (half * sqrt(Ball(2)) / pi() * error).upper());
}

// Proof: docs/proofs/turned_line.md#cut
TurnedLine::Bound TurnedLine::bound_of_cut(EndSide side, double from) const {
  const Ball x(from);
  const Ball real = side == EndSide::above ? t_ - x : t_ + x;
  const Ball lowest = height_ + x;
  const Ball rest = PLAUDIT_BOUND("turned_line.cut", Ball(1) / lowest, Ball(1) / square(lowest));
  return bound_at(side, real, lowest, (sqrt(Ball(2)) * rest / pi()).upper());
}

/// Of all terms of the line above T.
// Proof: docs/proofs/turned_line.md#cut
TurnedLine::Bound TurnedLine::bound_of_line() const {
  const Ball rest = Ball(1) / (pi() * height_);
  Bound bound = bound_at(EndSide::above, t_, height_,
                         PLAUDIT_BOUND("turned_line.not_turned", rest, ldexp(rest, -40)).upper());
  for (Ball& each : bound.terms.partial) each = bound.terms.partial[0];
  return bound;
}

Ball TurnedLine::size_of(const Bound& bound, const Ball& epsilon) {
  if (!bound.factor.is_finite()) return positive_infinity();
  return bound.factor * exp(-bound.real * epsilon) * bound.sum;
}

/// Lays out the rules of a ray, and evaluates all at their nodes.
void TurnedLine::turn(EndSide side, const EndSplit& split) {
  Ray ray{side, {}, {}, {}};
  const Ball epsilon(choice_.epsilon);
  const auto log_size = [&](Bound& bound) {
    if (!bound.factor.is_finite()) return HUGE_VAL;
    bound.sum = EndChoices::sum(bound.terms, split);
    const Ball size = size_of(bound, epsilon);
    return size.is_finite() ? size.upper().estimate_log() : HUGE_VAL;
  };
  double from = 0;
  double length = first_far_length * choice_.scale;
  while (true) {
    check_work_limit();
    ray.cut = bound_of_cut(side, from);
    if (log_size(ray.cut) < choice_.log_cut) break;
    if (ray.rules.size() > most_rules_of_ray || from > farthest_turn * choice_.height) {
      throw std::domain_error("turned line: no end of it");
    }
    length *= longer;
    while (true) {
      Bound best;
      double least = choice_.log_far;
      for (const double ellipse : ellipses_of_turn) {
        Bound bound = bound_of_rule(side, from, from + length, ellipse);
        const double size = log_size(bound);
        if (!(size < least)) continue;
        least = size;
        best = std::move(bound);
      }
      if (least < choice_.log_far) {
        ray.rules.push_back(std::move(best));
        add_far_nodes(ray, from, from + length);
        from += length;
        break;
      }
      length *= shorter;
      if (!(length > shortest_length * choice_.height)) {
        throw std::domain_error("turned line: no rules that are short enough");
      }
    }
  }
  rays_.push_back(std::move(ray));
}

void TurnedLine::add_far_nodes(Ray& ray, double from, double to) {
  double entries = 0;
  for (const EndPower& each : laws_) entries += static_cast<double>(each.count) + 2;
  check_memory_of_balls(2 * entries * static_cast<double>(rule_.nodes.size()));
  const Ball half = ldexp(Ball(to) - Ball(from), -1);
  const Ball middle = ldexp(Ball(to) + Ball(from), -1);
  for (std::size_t g = 0; g < rule_.nodes.size(); ++g) {
    check_work_limit();
    FarNode node;
    const Ball x = middle + half * rule_.nodes[g];
    node.z = ComplexBall(ray.side == EndSide::above ? t_ - x : t_ + x, height_ + x);
    // dz = (-1 + i) dx or (1 + i) dx
    const Ball weight = half * rule_.weights[g];
    const ComplexBall step(ray.side == EndSide::above ? -weight : weight, weight);
    node.kernel = step / (node.z * (node.z + ComplexBall(1)));
    std::vector<TwoEnds<ComplexBall>> ends;
    for (const EndPower& each : laws_) {
      TwoEnds<ComplexBall> both = each.law->ends(node.z);
      both.top *= exp(node.z * ComplexBall(each.law->losses().top));
      both.bottom *= exp(node.z * ComplexBall(each.law->losses().bottom));
      ends.push_back(std::move(both));
    }
    node.terms = choices_.terms(ends, node.z, ray.side);
    ray.nodes.push_back(std::move(node));
  }
}

// ---- the answer

/// Points a little before and a little after epsilon, each of which is told from all atoms.
TurnedLine::Beside TurnedLine::choices_beside(const Ball& epsilon) const {
  for (long bits = choice_.bits - first_shift; bits > choice_.bits / 2; bits -= next_shift) {
    const Ball shift = ldexp(abs(epsilon) + Ball(1), -bits);
    Beside beside{(epsilon - shift).lower(), (epsilon + shift).upper(), {}, {}};
    auto before = choices_.split(beside.before);
    auto after = choices_.split(beside.after);
    if (!before || !after) continue;
    beside.split_before = std::move(*before);
    beside.split_after = std::move(*after);
    return beside;
  }
  throw std::domain_error("turned line: atoms at epsilon that are not told from it");
}

/// Where an atom is not told from epsilon: delta does not increase, so that it lies between what it
/// is a little before and a little after.
// Proof: docs/proofs/turned_line.md#turned
Enclosure TurnedLine::delta(const Ball& epsilon) {
  const PrecisionScope scope(choice_.bits);
  if (const auto split = choices_.split(epsilon)) return delta_of_split(epsilon, *split);
  const Beside beside = choices_beside(epsilon);
  Enclosure result = delta_of_split(beside.before, beside.split_before);
  const Enclosure next = delta_of_split(beside.after, beside.split_after);
  result.lower = next.lower;
  return result;
}

/// The sums over the choices at all nodes and bounds; next to each other, epsilons share them.
void TurnedLine::sum_choices(const EndSplit& split) {
  if (summed_ == split) return;
  summed_.reset();
  for (Ray& ray : rays_) {
    for (FarNode& node : ray.nodes) {
      check_work_limit();
      node.sum = EndChoices::sum(node.terms, split);
    }
    for (Bound& bound : ray.rules) bound.sum = EndChoices::sum(bound.terms, split);
    ray.cut.sum = EndChoices::sum(ray.cut.terms, split);
  }
  if (rays_.empty()) line_.sum = EndChoices::sum(line_.terms, split);
  summed_ = split;
}

// Proof: docs/proofs/turned_line.md#turned
Enclosure TurnedLine::delta_of_split(const Ball& epsilon, const EndSplit& split) {
  sum_choices(split);
  Ball near;
  for (const NearNode& node : near_) {
    const Ball angle = node.height * epsilon;
    near += node.value.real() * cos(angle) + node.value.imaginary() * sin(angle);
  }
  near *= exp(-t_ * epsilon);
  Ball far;
  Ball far_error;
  Ball cut;
  for (const Ray& ray : rays_) {
    ComplexBall sum;
    for (const FarNode& node : ray.nodes) {
      check_work_limit();
      const ComplexBall turn = exp(-node.z * ComplexBall(epsilon));
      sum += node.kernel * turn * node.sum;
    }
    far += sum.imaginary();
    for (const Bound& bound : ray.rules) far_error += size_of(bound, epsilon);
    cut += size_of(ray.cut, epsilon);
  }
  if (rays_.empty()) cut = size_of(line_, epsilon);
  const Ball value = (near + far) / pi();

  Ledger ledger;
  Ball error = ledger.add(near_term, near_error(epsilon));
  error += ledger.add(far_term, far_error);
  error += ledger.add(cut_term, cut);
  const Ball more = ledger.add(turned_atoms_term, atoms_.missing);
  ledger.note(turned_rounding_term, value.radius());
  Enclosure result;
  result.lower = (value - error).lower();
  result.upper = (value + error + more).upper();
  result.ledger = std::move(ledger);
  result.accountant = "turned_laplace";
  std::size_t nodes = 0;
  for (const Ray& ray : rays_) nodes += ray.nodes.size();
  result.method = std::to_string(near_.size()) + " nodes of a line, " + std::to_string(nodes) +
                  " where it turns, " + std::to_string(choice_.bits) + " bits";
  return result;
}

}  // namespace plaudit
