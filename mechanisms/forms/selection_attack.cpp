#include "mechanisms/forms/selection_attack.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "lib/balls/precision.hpp"
#include "mechanisms/forms/attack.hpp"
#include "mechanisms/laws/maximum_curve.hpp"

namespace plaudit {

namespace {

constexpr long attack_bits = 192;
constexpr long choice_bits = 64;       ///< of the search for the order, which proves nothing
constexpr long bounds_each_side = 60;  ///< of losses that are told apart, on each side of 0
/// The order is the one of which a test shows the greatest epsilon at this delta: at others it
/// tells somewhat less than theirs would.
constexpr double delta_of_order = 1e-4;
constexpr int halvings = 40;  ///< by which tests become rarer than all that is told apart

/// Of one run: the probability of a loss above a bound, under both data sets.
struct Tail {
  Ball p;
  Ball q;
};

/// At falling losses, all outputs last.
std::vector<Tail> tails_of(const PrivacyLoss& law, const CurvePoints& points) {
  std::vector<Tail> tails;
  const long every = std::max(1L, points.places / bounds_each_side);
  for (long k = points.places / every; k >= -points.places / every; --k) {
    const Ball loss(Rational(points.mesh * (k * every)));
    tails.push_back({law.p_above(loss), law.q_above(loss)});
  }
  tails.push_back({Ball(1), Ball(1)});
  return tails;
}

/// The place in `tails` beyond which outputs come first in the order.
std::size_t best_order(const std::vector<Tail>& tails, const Repeats& repeats) {
  const PrecisionScope scope(choice_bits);
  std::size_t best = tails.size() - 1;
  double most = 0;
  for (std::size_t last = 0; last < tails.size(); ++last) {
    for (std::size_t i = 0; i <= last; ++i) {
      const double p = repeats.released(Ball(1) - tails[last].p, tails[i].p).estimate();
      if (!(p > delta_of_order)) continue;
      const double q = repeats.released(Ball(1) - tails[last].q, tails[i].q).estimate();
      const double shown = (p - delta_of_order) / std::max(q, 1e-300);
      if (shown > most) {
        most = shown;
        best = last;
      }
    }
  }
  return best;
}

std::shared_ptr<const PrivacyLoss> law_of_tests(const std::shared_ptr<const PrivacyLoss>& law,
                                                const Repeats& repeats, const std::string& spec) {
  const PrecisionScope scope(attack_bits);
  const std::vector<Tail> tails = tails_of(*law, points_of({curve_of(law)}, "select"));
  const std::size_t last = best_order(tails, repeats);
  const Tail first{Ball(1) - tails[last].p, Ball(1) - tails[last].q};
  std::vector<EventRates> events;
  Tail above{Ball(0), Ball(0)};
  for (std::size_t i = 0; i <= last; ++i) {
    // outputs between two bounds are ranked by marks: a part of them
    for (int k = halvings; k >= 0; --k) {
      const Ball part(Rational(1, pow(Integer(2), static_cast<unsigned>(k))));
      const Ball p = above.p + part * (tails[i].p - above.p);
      const Ball q = above.q + part * (tails[i].q - above.q);
      if (k > 2 && !above.p.is_exact_zero()) continue;
      events.push_back({repeats.released(first.p, p), repeats.released(first.q, q)});
    }
    above = tails[i];
  }
  const MechanismPointer attack = events_attack(spec, events);
  return attack ? attack->loss(Direction::remove) : laws_that_tell_nothing().remove;
}

}  // namespace

BothLaws selection_attack(const Mechanism& base, const Repeats& repeats, const std::string& spec) {
  const auto remove = law_of_tests(base.loss(Direction::remove), repeats, spec);
  if (base.symmetric()) return {remove, remove};
  return {remove, law_of_tests(base.loss(Direction::add), repeats, spec)};
}

}  // namespace plaudit
