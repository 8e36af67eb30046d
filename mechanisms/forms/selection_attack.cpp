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
constexpr long choice_bits = 64;        ///< of the search for the order, which proves nothing
constexpr long bounds_each_side = 160;  ///< of losses that are looked at, at most, beside 0
/// Tails of which tests are made: with more of them a composition takes longer, and tells hardly
/// more.
constexpr std::size_t most_tests = 60;
/// The order is the one of which a test shows the greatest epsilon at this delta: at another delta
/// it shows somewhat less than the best order there would.
constexpr double delta_of_order = 1e-4;
constexpr int halvings = 40;  ///< of an event: rarer parts tell of deltas below 10^-12 of it

/// Of one run: the probability of a loss above a bound, under both data sets.
struct Tail {
  Ball p;
  Ball q;
};

/// The tails at falling losses; the last one is that of all outputs.
std::vector<Tail> tails_of(const PrivacyLoss& law, const CurvePoints& points) {
  std::vector<Tail> tails;
  const long every = std::max(1L, (points.places + bounds_each_side - 1) / bounds_each_side);
  for (long k = points.places / every; k >= -points.places / every; --k) {
    const Ball loss(Rational(points.mesh * (k * every)));
    tails.push_back({law.p_above(loss), law.q_above(loss)});
  }
  tails.push_back({Ball(1), Ball(1)});
  return tails;
}

/// The place in `tails` of v: outputs that are not in this tail come first in the order.
std::size_t best_order(const std::vector<Tail>& tails, const Repeats& repeats) {
  const PrecisionScope scope(choice_bits);
  std::size_t best = tails.size() - 1;
  double most = 0;
  for (std::size_t last = 0; last < tails.size(); ++last) {
    for (std::size_t i = 0; i <= last; ++i) {
      const double p = repeats.released(Ball(1) - tails[last].p, tails[i].p).estimate();
      if (!(p > delta_of_order)) continue;
      const double q = repeats.released(Ball(1) - tails[last].q, tails[i].q).estimate();
      const double shown = (p - delta_of_order) / q;
      if (q > 0 && shown > most) {
        most = shown;
        best = last;
      }
    }
  }
  return best;
}

/// Some of the tails, from that of the highest losses to the one at v.
std::vector<Tail> some_of(const std::vector<Tail>& tails, std::size_t last) {
  std::vector<Tail> some;
  const std::size_t every = last / most_tests + 1;
  for (std::size_t i = 0; i < last; i += every) some.push_back(tails[i]);
  some.push_back(tails[last]);
  return some;
}

/// Adds parts of the first event, from 2^-halvings to 1/2 of its probabilities: events of the
/// mechanism of the class that also outputs a uniform mark, which no data decide.
void add_parts(std::vector<Tail>& tails) {
  const auto first = std::find_if(tails.begin(), tails.end(),
                                  [](const Tail& tail) { return certainly_positive(tail.p); });
  std::vector<Tail> parts;
  for (int k = halvings; k > 0 && first != tails.end(); --k) {
    parts.push_back({ldexp(first->p, -k), ldexp(first->q, -k)});
  }
  tails.insert(first, parts.begin(), parts.end());
}

std::shared_ptr<const PrivacyLoss> law_of_tests(const std::shared_ptr<const PrivacyLoss>& law,
                                                const Repeats& repeats, bool marked,
                                                const std::string& spec) {
  const PrecisionScope scope(attack_bits);
  const std::vector<Tail> all = tails_of(*law, points_of({curve_of(law)}, "select"));
  const std::size_t last = best_order(all, repeats);
  const Tail better{Ball(1) - all[last].p, Ball(1) - all[last].q};
  std::vector<Tail> tails = some_of(all, last);
  if (marked) add_parts(tails);
  std::vector<EventRates> events;
  events.reserve(tails.size());
  for (const Tail& one : tails) {
    events.push_back({repeats.released(better.p, one.p), repeats.released(better.q, one.q)});
  }
  // P and Q are those of the law already: in the direction add the data sets have changed places
  const MechanismPointer attack = events_attack(spec, events);
  return attack ? attack->loss(Direction::remove) : laws_that_tell_nothing().remove;
}

}  // namespace

BothLaws selection_attack(const Mechanism& base, const Repeats& repeats, const std::string& spec) {
  const bool marked = base.attainment().of_a_class;
  const auto remove = law_of_tests(base.loss(Direction::remove), repeats, marked, spec);
  if (base.symmetric()) return {remove, remove};
  return {remove, law_of_tests(base.loss(Direction::add), repeats, marked, spec)};
}

}  // namespace plaudit
