#include "verification/checker/laws/threshold_law.hpp"

#include <algorithm>
#include <utility>

#include "accountants/proof/arithmetic/rejected.hpp"
#include "verification/checker/laws/law_text.hpp"

namespace plaudit::proof {

namespace {

constexpr long bits_of_log_unseen = 96;  ///< behind the point, of log w in a''

/// floor(2^96 (-log w)) / 2^96
Rational log_seldom_seen(const LaplaceThreshold& law) {
  for (const long bits : {192, 384, 768, 1536, 3072, 4096}) {
    const PrecisionScope scope(bits);
    const Interval units = scaled(-law.log_unseen(), bits_of_log_unseen);
    const Integer high = floor_of(upper(units));
    if (std::max(Integer(0), floor_of(lower(units))) == high) {
      return Rational(high, Integer(1) << static_cast<unsigned long>(bits_of_log_unseen));
    }
  }
  throw Rejected("laplace_threshold: the probability of a new group to be shown is not decided");
}

/// Where a'' <= 0: the law of the event alone, without noise.
Finite event_law(const LaplaceThreshold& law) {
  Finite::Exact exact;
  exact.atoms.emplace_back();
  (law.removes ? exact.atoms[0].q : exact.atoms[0].p) = Rational(1);
  if (law.removes) {
    exact.q_mass = 1;
  } else {
    exact.infinite = 0;
  }
  const auto masses = [law] {
    const Interval loss = law.log_unseen();
    const Interval unseen = 1 - law.seen();
    if (law.removes) return Finite::Masses{{{loss, unseen, 1}}, law.seen(), 1};
    return Finite::Masses{{{-loss, 1, unseen}}, 0, unseen};
  };
  return Finite(laplace_threshold_text(law.ratio, law.height), masses, std::move(exact));
}

}  // namespace

Interval LaplaceThreshold::seen() const {
  const Interval tail = half(exp(Interval(Rational(-abs(height)))));
  return height < 0 ? 1 - tail : tail;
}

Interval LaplaceThreshold::log_unseen() const {
  return height < 0 ? Interval(height) - log(Interval(2)) : log1p(-seen());
}

// Proof: docs/proofs/thresholds.md#laplace
Law laplace_threshold_law(const Rational& ratio, const Rational& height, Direction direction) {
  LaplaceThreshold law{ratio, height, 0, direction == Direction::remove};
  law.inner = ratio - log_seldom_seen(law);
  if (law.inner <= 0) return event_law(law);
  return law;
}

std::string laplace_threshold_text(const Rational& ratio, const Rational& height) {
  return law_text("LaplaceThreshold", {{"a", number_text(ratio)}, {"r", number_text(height)}});
}

}  // namespace plaudit::proof
