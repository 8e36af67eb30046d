#include "mechanisms/laws/maximum_curve.hpp"

#include <algorithm>
#include <cmath>

#include "lib/balls/decided_sign.hpp"
#include "lib/balls/precision.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/laws/exact_law.hpp"
#include "mechanisms/laws/finite_loss.hpp"
#include "mechanisms/laws/laplace_loss.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

constexpr std::size_t most_compared_atoms = 64;  ///< of a law whose curve is compared exactly
constexpr long sign_bits = 2048;
constexpr long slope_bits = 256;  ///< more than the working precision, for slopes
constexpr long value_bits = 192;  ///< of upper ends of curves
constexpr int negligible = -120;  ///< what a curve falls below at the last point, as a power of 2
constexpr long points_to_reach = 1000;
constexpr int halvings_at_crossings = 5;
constexpr double least_difference = 1e-9;  ///< relative, of curves that are told apart
constexpr double least_value = 1e-15;      ///< of curves whose crossings matter
constexpr long finest = 20;                ///< a mesh of atoms may be so many times finer

/// q scale H_x at x = p / q of this outcome, H the curve of the law.
ExponentialSum value_at(const ExactLaw& law, const ExactAtom& at, bool& decided) {
  ExponentialSum sum = (law.scale * at.q).times(law.infinite, 0);
  for (const ExactAtom& atom : law.atoms) {
    const ExponentialSum part = atom.p * at.q - atom.q * at.p;
    const auto sign = part.is_zero() ? std::optional(0)
                                     : decided_sign(sign_bits, [&] { return part.enclosed(); });
    decided = decided && sign.has_value();
    if (sign == 1) sum += part;
  }
  return sum;
}

/// The sign of the difference of two curves at this ratio; nothing where it is not decided.
std::optional<int> difference(const ExactLaw& first, const ExactLaw& second, const ExactAtom& at) {
  bool decided = true;
  const ExponentialSum d =
      value_at(first, at, decided) * second.scale - value_at(second, at, decided) * first.scale;
  if (!decided) return std::nullopt;
  return d.is_zero() ? std::optional(0) : decided_sign(sign_bits, [&] { return d.enclosed(); });
}

bool is_short(const std::shared_ptr<const ExactLaw>& law) {
  return law && law->atoms.size() <= most_compared_atoms;
}

/// Whether outcomes come in pairs that exchange P and Q, with equal masses where the other law has
/// none: then H_x = 1 - x + x H_(1/x), which one law for both directions need not satisfy.
bool is_mirrored(const ExactLaw& law) {
  return std::all_of(law.atoms.begin(), law.atoms.end(), [&](const ExactAtom& one) {
    return std::any_of(law.atoms.begin(), law.atoms.end(), [&](const ExactAtom& other) {
      return (one.p - other.q).is_zero() && (one.q - other.p).is_zero();
    });
  });
}

/// The same, of any law; false where it is not known.
bool is_known_mirrored(const PrivacyLoss& law) {
  const LossFacts& facts = law.facts();
  if (facts.gaussian_mean || facts.laplace != nullptr || facts.two_points != nullptr) return true;
  const auto exact = law.exact_law();
  return is_short(exact) && is_mirrored(*exact);
}

/// Whether the curve is certainly 0 from this loss on.
bool ends_before(const PrivacyLoss& law, const Rational& loss) {
  const auto& end = law.facts().greatest_loss;
  return end && *end <= loss && law.exact_mass_at_infinity() == Rational(0);
}

std::optional<Rational> rational_loss(const ExactAtom& atom) {
  const auto ratio = monomial_quotient(atom.p, atom.q);
  return ratio && ratio->coefficient == 1 ? std::optional(ratio->exponent) : std::nullopt;
}

/// Corners of two curves by increasing x, equal ones once; and the first curve less the second.
struct Corners {
  std::vector<ExactAtom> at;
  std::vector<int> sign;
  std::vector<int> owner;  ///< 1, 2 or both, 3
};

std::optional<Corners> corners_of(const ExactLaw& first, const ExactLaw& second) {
  struct Entry {
    ExactAtom atom;
    Ball ratio;
    int owner;
  };
  const PrecisionScope scope(slope_bits);
  std::vector<Entry> entries;
  for (const ExactLaw* law : {&first, &second}) {
    for (const ExactAtom& atom : law->atoms) {
      entries.push_back({atom, atom.p.enclosed() / atom.q.enclosed(), law == &first ? 1 : 2});
    }
  }
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return middle_is_less(a.ratio, b.ratio); });
  Corners corners;
  Ball last;
  for (const Entry& entry : entries) {
    if (!corners.at.empty() && !certainly_less(last, entry.ratio)) {
      const ExactAtom& former = corners.at.back();
      if (!(former.p * entry.atom.q - entry.atom.p * former.q).is_zero()) return std::nullopt;
      corners.owner.back() |= entry.owner;
      continue;
    }
    last = entry.ratio;
    const auto sign = difference(first, second, entry.atom);
    if (!sign) return std::nullopt;
    corners.at.push_back(entry.atom);
    corners.sign.push_back(*sign);
    corners.owner.push_back(entry.owner);
  }
  return corners;
}

/// Whether the curve that is the greater one there has a corner there, or both are equal.
bool is_corner(const Corners& corners, std::size_t k) {
  const int sign = corners.sign[k];
  return sign == 0 || (corners.owner[k] & (sign > 0 ? 1 : 2)) != 0;
}

/// The corners of the maximum, at the working precision: those of the curve that is above, and
/// where they cross. Proof: docs/proofs/curves.md#order
std::vector<CurveCorner> places_of(const ExactLaw& first, const ExactLaw& second,
                                   const Corners& corners) {
  bool decided = true;
  std::vector<Ball> x;
  std::vector<Ball> one;
  std::vector<Ball> other;
  for (const ExactAtom& at : corners.at) {
    const Ball q = at.q.enclosed();
    x.push_back(at.p.enclosed() / q);
    one.push_back(value_at(first, at, decided).enclosed() / (first.scale.enclosed() * q));
    other.push_back(value_at(second, at, decided).enclosed() / (second.scale.enclosed() * q));
  }
  std::vector<CurveCorner> places;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const int sign = corners.sign[k];
    if (is_corner(corners, k)) {
      const auto loss = rational_loss(corners.at[k]);
      places.push_back({x[k], sign < 0 ? other[k] : one[k], loss ? Ball(*loss) : log(x[k])});
    }
    if (k + 1 == x.size() || sign * corners.sign[k + 1] >= 0) continue;
    const Ball d = one[k] - other[k];
    const Ball share = d / (d - (one[k + 1] - other[k + 1]));
    const Ball at = x[k] + share * (x[k + 1] - x[k]);
    places.push_back({at, one[k] + share * (one[k + 1] - one[k]), log(at)});
  }
  return places;
}

/// The greatest rational of which both are multiples.
Rational common_measure(const Rational& a, const Rational& b) {
  const Integer whole = denominator(a) * denominator(b);
  return Rational(gcd(numerator(Rational(a * whole)), numerator(Rational(b * whole))), whole);
}

/// Of all atoms that are known to be rational; 0 where there are none, or too many.
Rational measure_of_atoms(const PrivacyLoss& law) {
  Rational measure = 0;
  if (const auto& lattice = law.facts().lattice; lattice && !lattice->exp_unit) {
    return common_measure(lattice->mesh, lattice->offset);
  }
  const auto atoms = law.atoms_in(std::nullopt);
  if (!atoms || atoms->size() > most_compared_atoms) return 0;
  for (const LossAtom& atom : *atoms) {
    if (atom.exact_loss) measure = common_measure(measure, *atom.exact_loss);
  }
  return measure;
}

/// The greatest of the curves at a point from above; which one it is, and the values, are
/// estimates.
struct Greatest {
  CurveBound bound;
  std::size_t curve = 0;
  std::vector<double> values;
};

Greatest greatest_of(const std::vector<KnownCurve>& curves, const Rational& loss) {
  Greatest result{{loss, 0}, 0, {}};
  for (const KnownCurve& curve : curves) {
    const Ball value = curve.delta(Ball(loss));
    const Rational end = rounded_up(value);
    const bool first = result.values.empty();
    result.values.push_back(value.estimate());
    if (first || PLAUDIT_BOUND("maximum.greatest", end > result.bound.value, false)) {
      result.bound.value = end;
      result.curve = result.values.size() - 1;
    }
  }
  return result;
}

/// Bounds between two points where another curve becomes the greatest: next to where they cross.
void add_crossing(const std::vector<KnownCurve>& curves, const Greatest& first,
                  const Greatest& last, std::vector<CurveBound>& bounds) {
  const auto apart = [&](const Greatest& at) {
    const double off = std::fabs(at.values[first.curve] - at.values[last.curve]);
    return off > least_difference * std::fabs(at.values[at.curve]) &&
           at.values[at.curve] > least_value;
  };
  if (first.curve == last.curve || !apart(first) || !apart(last)) return;
  Greatest low = first;
  Greatest high = last;
  std::vector<CurveBound> above;
  for (int i = 0; i < halvings_at_crossings; ++i) {
    const Greatest middle = greatest_of(curves, (low.bound.loss + high.bound.loss) / 2);
    const bool below = middle.curve == low.curve;
    (below ? bounds : above).push_back(middle.bound);
    (below ? low : high) = middle;
  }
  bounds.insert(bounds.end(), above.rbegin(), above.rend());
}

bool has_fallen(const std::vector<KnownCurve>& curves, const Rational& loss) {
  return std::all_of(curves.begin(), curves.end(), [&](const KnownCurve& curve) {
    const Ball more = curve.delta(Ball(loss)) - curve.infinite;
    return certainly_less(more, ldexp(Ball(1), negligible));
  });
}

}  // namespace

bool is_nowhere_above(const PrivacyLoss& low, const PrivacyLoss& high, bool symmetric) {
  const LossFacts& a = low.facts();
  const LossFacts& b = high.facts();
  if (a.gaussian_mean && b.gaussian_mean) return *a.gaussian_mean <= *b.gaussian_mean;
  if (a.laplace != nullptr && b.laplace != nullptr) return a.laplace->ratio() <= b.laplace->ratio();
  const auto corners = high.exact_law();
  if (!symmetric || !is_short(corners)) return false;
  const auto exact = low.exact_law();
  const bool mirrored =
      PLAUDIT_BOUND("maximum.mirrored", is_known_mirrored(low) && is_mirrored(*corners), true);
  const PrecisionScope scope(slope_bits);
  return std::all_of(corners->atoms.begin(), corners->atoms.end(), [&](const ExactAtom& at) {
    const bool left = certainly_less(at.p.enclosed(), at.q.enclosed());
    if (mirrored && left) return true;  // the image of another one, where both have the same images
    if (is_short(exact)) {
      const auto sign = difference(*exact, *corners, at);
      return sign && *sign <= 0;
    }
    const auto loss = rational_loss(at);
    if (loss && ends_before(low, *loss)) return true;  // its curve is 0 there
    const Ball place = loss ? Ball(*loss) : log(at.p.enclosed() / at.q.enclosed());
    bool decided = true;
    const Ball value =
        value_at(*corners, at, decided).enclosed() / (corners->scale.enclosed() * at.q.enclosed());
    return decided && certainly_less_equal(low.delta(place), value);
  });
}

std::shared_ptr<const PrivacyLoss> exact_maximum(const std::string& description,
                                                 const PrivacyLoss& first,
                                                 const PrivacyLoss& second) {
  const auto one = first.exact_law();
  const auto other = second.exact_law();
  if (!is_short(one) || !is_short(other)) return nullptr;
  const auto corners = corners_of(*one, *other);
  if (!corners) return nullptr;
  FiniteLoss::Exact exact;
  exact.infinite = std::max(one->infinite, other->infinite);
  if (is_corner(*corners, corners->at.size() - 1)) {
    exact.greatest = rational_loss(corners->at.back());
  }
  return std::make_shared<FiniteLoss>(
      description,
      [one, other, corners = *corners, infinite = *exact.infinite,
       mirrored = is_mirrored(*one) && is_mirrored(*other)] {
        const PrecisionScope scope(working_precision() + slope_bits);
        const std::vector<CurveCorner> places = places_of(*one, *other, corners);
        const CurveCorner& least = places.front();
        // of mirrored laws the mass at infinity is that of Q outside of P, too
        const Ball of_mirrored(Rational(1 - infinite));
        const Ball q_mass =
            mirrored
                ? of_mirrored
                : PLAUDIT_BOUND("maximum.q_mass", (Ball(1) - least.value) / least.x, of_mirrored);
        return law_of_corners(places, q_mass, infinite);
      },
      std::nullopt, std::move(exact));
}

KnownCurve curve_of(std::shared_ptr<const PrivacyLoss> law) {
  const PrecisionScope scope(value_bits);
  const Rational measure = measure_of_atoms(*law);
  Ball infinite = law->mass_at_infinity();
  return {[law = std::move(law)](const Ball& epsilon) { return law->delta(epsilon); },
          std::move(infinite), measure};
}

CurvePoints points_of(const std::vector<KnownCurve>& curves, const std::string& what) {
  const PrecisionScope scope(value_bits);
  Rational reach(1, 8);
  while (!has_fallen(curves, reach)) {
    check_work_limit();
    reach *= 2;
    if (reach > 1'000'000) throw SpecError(what + ": a curve does not fall before epsilon = 10^6");
  }
  Rational below = reach / 2;
  for (int i = 0; i < 5; ++i) {
    const Rational middle = (below + reach) / 2;
    (has_fallen(curves, middle) ? reach : below) = middle;
  }
  Rational measure = 0;
  for (const KnownCurve& curve : curves) measure = common_measure(measure, curve.measure);
  const Rational goal = reach / points_to_reach;
  const bool aligned = measure * finest >= goal;
  const Rational mesh =
      aligned ? Rational(measure / Rational(-floor_of(Rational(-measure / goal)))) : goal;
  return {mesh, Integer(-floor_of(Rational(-reach / mesh))).to<long>()};
}

std::vector<CurveBound> greatest_at(const std::vector<KnownCurve>& curves,
                                    const CurvePoints& points, bool symmetric) {
  const PrecisionScope scope(value_bits);
  std::vector<CurveBound> bounds;
  Greatest former;
  for (long k = symmetric ? 0 : -points.places; k <= points.places; ++k) {
    if ((k & 15) == 0) check_work_limit();
    Greatest next = greatest_of(curves, points.mesh * k);
    if (!bounds.empty()) add_crossing(curves, former, next, bounds);
    bounds.push_back(next.bound);
    former = std::move(next);
  }
  return bounds;
}

}  // namespace plaudit
