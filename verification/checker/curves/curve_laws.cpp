#include "verification/checker/curves/curve_laws.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <utility>

#include "accountants/proof/arithmetic/rejected.hpp"
#include "accountants/proof/kinds/threshold.hpp"
#include "verification/checker/laws/law_text.hpp"

namespace plaudit::proof {

namespace {

/// Curves of other laws are not compared with each other.
bool is_compared(const Finite& law) {
  const std::optional<Rational>& last = law.exact().atoms.back().loss;
  return law.size() <= 64 && !law.exact().stated && last && *last < Integer(1) << 59;
}

/// The sign of a number that is not 0; 0 where it is not decided.
int sign_of(const std::function<Interval()>& number) {
  for (const long bits : {128, 256, 512, 1024, 2048, 4096}) {
    const PrecisionScope scope(bits);
    const Interval value = number();
    if (positive(value)) return 1;
    if (negative(value)) return -1;
  }
  return 0;
}

/// Whether (1 - delta)/(1 + e^epsilon) is greater at b. Never equal, but for delta = 1 at both:
/// powers e^r of different rationals r are linearly independent (Lindemann).
bool is_lower_at_one(const CurvePoint& a, const CurvePoint& b) {
  const int sign = sign_of([&] {
    const Interval fall = exp(-Interval(b.epsilon));
    return Interval(Rational(1 - b.delta)) *
               (fall + exp(Interval(Rational(a.epsilon - b.epsilon)))) -
           Interval(Rational(1 - a.delta)) * (fall + 1);
  });
  require(sign != 0, "a curve whose corners are too near to each other");
  return sign > 0;
}

/// Whether the slope is greater behind b than before, deltas falling: never the same, as above.
bool bends_up(const CurvePoint& a, const CurvePoint& b, const CurvePoint& c) {
  const int sign = sign_of([&] {
    return Interval(Rational(a.delta - b.delta)) *
               expm1(Interval(Rational(c.epsilon - a.epsilon))) -
           Interval(Rational(a.delta - c.delta)) * expm1(Interval(Rational(b.epsilon - a.epsilon)));
  });
  require(sign != 0, "a curve whose corners are too near to each other");
  return sign > 0;
}

/// Those that are below all before them.
std::vector<CurvePoint> falling(const std::vector<CurvePoint>& points) {
  std::vector<CurvePoint> kept;
  for (const CurvePoint& each : points) {
    if (each.delta < (kept.empty() ? Rational(1) : kept.back().delta)) kept.push_back(each);
  }
  return kept;
}

/// Whether the slope is greater behind a than before, from the point (0, 1) on: never the same, as
/// above.
bool bends_up_first(const CurvePoint& a, const CurvePoint& b) {
  const int sign = sign_of([&] {
    return Interval(Rational(1 - a.delta)) * expm1(Interval(Rational(b.epsilon - a.epsilon))) -
           Interval(Rational(a.delta - b.delta));
  });
  require(sign != 0, "a curve whose corners are too near to each other");
  return sign > 0;
}

/// All corners of the greatest curve from (0, 1) on.
std::vector<CurvePoint> directed_corners(const std::vector<CurvePoint>& points) {
  std::vector<CurvePoint> corners;
  for (const CurvePoint& next : falling(points)) {
    while (!corners.empty()) {
      const bool bends = corners.size() == 1
                             ? bends_up_first(corners.back(), next)
                             : bends_up(corners[corners.size() - 2], corners.back(), next);
      if (bends) break;
      corners.pop_back();
    }
    corners.push_back(next);
  }
  return corners;
}

/// The corners from x = 1 on. The piece across x = 1 ends in a point and its mirror image: of all
/// such pieces that which is the lowest at x = 1, 1 - 2 (1 - delta)/(1 + e^epsilon).
std::vector<CurvePoint> corners_of(const std::vector<CurvePoint>& points) {
  const std::vector<CurvePoint> kept = falling(points);
  std::size_t first = 0;
  for (std::size_t i = 1; i < kept.size(); ++i) {
    if (is_lower_at_one(kept[first], kept[i])) first = i;
  }
  std::vector<CurvePoint> corners;
  for (std::size_t i = first; i < kept.size(); ++i) {
    while (corners.size() > 1 && !bends_up(corners[corners.size() - 2], corners.back(), kept[i])) {
      corners.pop_back();
    }
    corners.push_back(kept[i]);
  }
  return corners;
}

/// A corner at x = e^loss >= 1 where the curve is `value`.
struct Corner {
  Interval loss;
  Interval value;
  bool at_one;  ///< x = 1
};

/// A corner's Q-mass is the jump of the slope, its P-mass x times that; and of its mirror image the
/// other way round. Before the first corner the slope is -(1 - value)/(1 + x).
Finite::Masses masses_of(const std::vector<Corner>& corners, const Rational& infinite) {
  Finite::Masses result{{}, Interval(infinite), Interval(Rational(1 - infinite))};
  std::vector<Atom> upper;
  Interval before;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Corner& here = corners[i];
    const Interval x = exp(here.loss);
    Interval behind(0);
    if (i + 1 < corners.size()) {
      const Corner& next = corners[i + 1];
      behind = (next.value - here.value) / (x * expm1(next.loss - here.loss));
    }
    if (here.at_one) {  // the curve is its own mirror image
      before = here.value - 1 - behind;
    } else if (i == 0) {
      before = (here.value - 1) / (1 + x);
    }
    const Interval q = max(behind - before, Interval(0));
    upper.push_back({here.loss, here.at_one ? q : q * x, q});
    before = behind;
  }
  for (std::size_t i = upper.size(); i-- > 0;) {
    if (!corners[i].at_one) result.atoms.push_back({-upper[i].loss, upper[i].q, upper[i].p});
  }
  result.atoms.insert(result.atoms.end(), upper.begin(), upper.end());
  return result;
}

/// What is known of a law with corners at these losses >= 0, some of which are irrational.
Finite::Exact exact_of(const std::vector<std::optional<Rational>>& upper,
                       const Rational& infinite) {
  Finite::Exact exact;
  exact.stated = true;
  exact.infinite = infinite;
  exact.q_mass = 1 - infinite;
  std::vector<Rational> losses;
  const auto add = [&](const std::optional<Rational>& loss) {
    exact.atoms.push_back({loss, std::nullopt, std::nullopt});
    if (loss) losses.push_back(*loss);
  };
  for (std::size_t i = upper.size(); i-- > 0;) {
    if (!upper[i]) add(std::nullopt);
    if (upper[i] && *upper[i] > 0) add(Rational(-*upper[i]));
  }
  for (const auto& loss : upper) add(loss);
  if (losses.size() == exact.atoms.size()) exact.lattice = common_lattice(losses);
  return exact;
}

/// H at x = e^loss, exactly where that is beyond all losses.
struct Height {
  std::optional<Rational> exact;
  Interval value;
};

Height height(const Finite& law, const Rational& loss) {
  const Finite::Exact& exact = law.exact();
  if (exact.infinite && exact.atoms.back().loss && *exact.atoms.back().loss <= loss) {
    return {*exact.infinite, Interval(*exact.infinite)};
  }
  const Finite::Masses masses = law.masses();
  Interval sum = exact.infinite ? Interval(*exact.infinite) : masses.infinite;
  const Interval at(loss);
  for (const Atom& atom : masses.atoms) sum += atom.p * max(-expm1(at - atom.loss), 0);
  return {std::nullopt, sum};
}

/// The sign of the first curve less the second one at x = e^loss; nothing where it is not decided.
std::optional<int> difference(const Finite& first, const Finite& second, const Rational& loss) {
  const Height one = height(first, loss);
  const Height other = height(second, loss);
  if (one.exact && other.exact) {
    return *one.exact == *other.exact ? 0 : *one.exact < *other.exact ? -1 : 1;
  }
  const int sign = sign_of([&] { return height(first, loss).value - height(second, loss).value; });
  return sign == 0 ? std::nullopt : std::optional(sign);
}

std::vector<Rational> losses_from_zero(const Finite& law) {
  std::vector<Rational> result;
  for (const ExactAtom& atom : law.exact().atoms) {
    require(atom.loss.has_value(), "the spec: parallel of losses that are not rational");
    if (*atom.loss >= 0) result.push_back(*atom.loss);
  }
  return result;
}

/// A corner of the greater curve: a place and which law has it; or, where that is neither, the
/// point between this place and the next one at which the two cross.
struct Place {
  Rational loss;
  Rational next;
  int greater;  ///< 1: the first, -1: the second, 0: they cross
};

std::vector<Place> places_of(const Finite& first, const Finite& second) {
  const std::vector<Rational> one = losses_from_zero(first);
  const std::vector<Rational> other = losses_from_zero(second);
  const auto has = [](const std::vector<Rational>& losses, const Rational& loss) {
    return std::binary_search(losses.begin(), losses.end(), loss);
  };
  std::set<Rational> all(one.begin(), one.end());
  all.insert(other.begin(), other.end());
  std::vector<Place> places;
  std::optional<Rational> former;
  int former_sign = 0;
  for (const Rational& loss : all) {
    const std::optional<int> sign = difference(first, second, loss);
    require(sign.has_value(), "the spec: parallel of curves that are too near to each other");
    if (former && *sign * former_sign < 0) places.push_back({*former, loss, 0});
    if (*sign == 0 || has(*sign > 0 ? one : other, loss)) {
      places.push_back({loss, loss, *sign < 0 ? -1 : 1});
    }
    former = loss;
    former_sign = *sign;
  }
  return places;
}

}  // namespace

// Proof: docs/proofs/curves.md#bounds
Finite curve_law(const std::vector<CurvePoint>& points) {
  const std::vector<CurvePoint> corners = corners_of(points);
  std::vector<std::optional<Rational>> upper;
  std::vector<Rational> epsilons;
  std::vector<Rational> deltas;
  for (const CurvePoint& each : corners) {
    upper.emplace_back(each.epsilon);
    epsilons.push_back(each.epsilon);
    deltas.push_back(each.delta);
  }
  const Rational infinite = deltas.back();
  return Finite(
      law_text("Curve", {{"epsilon", numbers_text(epsilons)}, {"delta", numbers_text(deltas)}}),
      [corners, infinite] {
        std::vector<Corner> at;
        at.reserve(corners.size());
        for (const CurvePoint& each : corners) {
          at.push_back({Interval(each.epsilon), Interval(each.delta), each.epsilon == 0});
        }
        return masses_of(at, infinite);
      },
      exact_of(upper, infinite));
}

// Proof: docs/proofs/curves.md#pairs docs/proofs/curves.md#bounds
Finite directed_curve_law(const std::vector<CurvePoint>& points) {
  const std::vector<CurvePoint> corners = directed_corners(points);
  std::vector<Rational> epsilons;
  std::vector<Rational> deltas;
  Finite::Exact exact;
  exact.stated = true;
  exact.infinite = corners.back().delta;
  for (const CurvePoint& each : corners) {
    epsilons.push_back(each.epsilon);
    deltas.push_back(each.delta);
    exact.atoms.push_back({each.epsilon, std::nullopt, std::nullopt});
  }
  exact.lattice = common_lattice(epsilons);
  const auto masses = [corners] {
    Finite::Masses result{{}, Interval(corners.back().delta), 0};
    Interval before =
        Interval(Rational(corners.front().delta - 1)) * exp(-Interval(corners.front().epsilon));
    result.q_mass = -before;
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const Interval x = exp(Interval(corners[i].epsilon));
      Interval behind(0);
      if (i + 1 < corners.size()) {
        const Interval fall(Rational(corners[i + 1].delta - corners[i].delta));
        const Interval apart(Rational(corners[i + 1].epsilon - corners[i].epsilon));
        behind = fall / (x * expm1(apart));
      }
      const Interval q = max(behind - before, Interval(0));
      result.atoms.push_back({Interval(corners[i].epsilon), q * x, q});
      before = behind;
    }
    return result;
  };
  return Finite(law_text("DirectedCurve",
                         {{"epsilon", numbers_text(epsilons)}, {"delta", numbers_text(deltas)}}),
                masses, std::move(exact));
}

bool are_compared(const Finite& first, const Finite& second) {
  const auto rational = [](const Finite& law) {
    return law.exact().infinite &&
           std::all_of(law.exact().atoms.begin(), law.exact().atoms.end(),
                       [](const ExactAtom& atom) { return atom.loss.has_value(); });
  };
  return is_compared(first) && is_compared(second) && rational(first) && rational(second);
}

// Between two places both curves are straight. Proof: docs/proofs/curves.md#order
Finite greater_of(const Finite& first, const Finite& second) {
  require(first.exact().infinite && second.exact().infinite,
          "the spec: parallel of masses at infinity that are not rational");
  require(is_compared(first) && is_compared(second),
          "the spec: parallel of laws of which one is not compared: a bound at points");
  const std::vector<Place> places = places_of(first, second);
  const Rational infinite = std::max(*first.exact().infinite, *second.exact().infinite);
  std::vector<std::optional<Rational>> upper;
  upper.reserve(places.size());
  for (const Place& each : places) {
    upper.push_back(each.greater == 0 ? std::nullopt : std::optional(each.loss));
  }
  return Finite(
      law_text("Greater", {{"first", first.text()}, {"second", second.text()}}),
      [first, second, places, infinite] {
        std::vector<Corner> at;
        for (const Place& each : places) {
          const Interval one = height(first, each.loss).value;
          const Interval other = height(second, each.loss).value;
          const Interval loss(each.loss);
          if (each.greater != 0) {
            at.push_back({loss, each.greater > 0 ? one : other, each.loss == 0});
            continue;
          }
          const Interval rise = height(first, each.next).value - one;
          const Interval other_rise = height(second, each.next).value - other;
          const Interval share = (one - other) / (other_rise - rise);
          const Interval growth = expm1(Interval(Rational(each.next - each.loss)));
          at.push_back({loss + log1p(share * growth), one + share * rise, false});
        }
        return masses_of(at, infinite);
      },
      exact_of(upper, infinite));
}

// It is enough to look at the corners of `high`, by symmetry at those from x = 1 on.
// Proof: docs/proofs/curves.md#order
bool nowhere_above(const Law& low, const Law& high) {
  const auto* one = std::get_if<Gaussian>(&low);
  const auto* other = std::get_if<Gaussian>(&high);
  if (one != nullptr && other != nullptr) return one->mu <= other->mu;
  const auto* a = std::get_if<Laplace>(&low);
  const auto* b = std::get_if<Laplace>(&high);
  if (a != nullptr && b != nullptr) return a->ratio <= b->ratio;
  const auto* corners = std::get_if<Finite>(&high);
  if (corners == nullptr || !is_compared(*corners) || !corners->exact().infinite) return false;
  const auto* range = std::get_if<Range>(&low);
  const auto* finite = std::get_if<Finite>(&low);
  if (finite != nullptr && !is_compared(*finite)) return false;
  const auto below_at = [&](const Rational& loss) {
    if (finite != nullptr) return difference(*finite, *corners, loss).value_or(1) <= 0;
    if (one == nullptr && a == nullptr && range == nullptr) return false;
    if ((a != nullptr && a->ratio <= loss) || (range != nullptr && range->epsilon <= loss)) {
      return true;
    }
    return sign_of([&] {
             const Interval at(loss);
             const Interval curve_of_low = one != nullptr ? curve(*one, at)
                                           : a != nullptr ? curve(*a, at)
                                                          : curve(*range, at);
             return height(*corners, loss).value - curve_of_low;
           }) > 0;
  };
  return std::all_of(
      corners->exact().atoms.begin(), corners->exact().atoms.end(),
      [&](const ExactAtom& atom) { return atom.loss && (*atom.loss < 0 || below_at(*atom.loss)); });
}

}  // namespace plaudit::proof
