#include "verification/crosscheck/closed_forms.hpp"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>
#include <map>
#include <tuple>

#include "verification/crosscheck/simple_runs.hpp"

namespace plaudit {

namespace {

using simple::Mixture;
using simple::TwoPoints;

constexpr std::uint64_t most_terms = 200'000;

// --- Gaussians ------------------------------------------------------------------------------

/// delta = Phi((mu - eps) / r) - e^eps Phi((-mu - eps) / r), r = sqrt(2 mu).
Directed gaussian(const Rational& mu, const Rational& epsilon) {
  const Directed deviation = sqrt(Directed(Rational(2 * mu)));
  return normal_below(Directed(Rational(mu - epsilon)) / deviation) -
         exp(Directed(epsilon)) * normal_below(Directed(Rational(-mu - epsilon)) / deviation);
}

// --- one step of a mixture ------------------------------------------------------------------

/// dP/dQ at output y.
Directed ratio(const Mixture& mixture, const Directed& y) {
  const Rational variance = mixture.sigma * mixture.sigma;
  Directed sum(0);
  for (const auto& [centre, weight] : mixture.weights) {
    sum = sum + Directed(weight) * exp(Directed(Rational(centre / variance)) *
                                       (y - Directed(Rational(centre / 2))));
  }
  return sum;
}

/// Points a <= y0 <= b with ratio(y0) = level; nothing where doubles do not come near y0.
std::optional<std::pair<Directed, Directed>> bracket(const Mixture& mixture, double log_level,
                                                     const Directed& level) {
  double low = -1;
  double high = 1;
  for (int i = 0; !(log_ratio(mixture, low) < log_level); ++i, low *= 2) {
    if (i == 100) return std::nullopt;
  }
  for (int i = 0; !(log_ratio(mixture, high) > log_level); ++i, high *= 2) {
    if (i == 100) return std::nullopt;
  }
  std::uintmax_t calls = 60;
  std::tie(low, high) = boost::math::tools::toms748_solve(
      [&](double y) { return log_ratio(mixture, y) - log_level; }, low, high,
      boost::math::tools::eps_tolerance<double>(), calls);
  // Signs are certain from here on.
  const double size = std::max(std::fabs(low), std::fabs(high));
  double slack = 1e-13 * std::max(size, estimate(mixture.sigma));
  Directed a;
  Directed b;
  for (int i = 0;; ++i, slack *= 16) {
    if (i == 16) return std::nullopt;
    a = Directed(low - slack);
    b = Directed(high + slack);
    if (ratio(mixture, a).certainly_less(level) && level.certainly_less(ratio(mixture, b))) break;
  }
  for (long i = 0; i < Directed::precision(); ++i) {
    const Directed middle = ((a + b) / Directed(2)).low_end();
    const Directed value = ratio(mixture, middle);
    if (value.certainly_less(level)) {
      a = middle;
    } else if (level.certainly_less(value)) {
      b = middle;
    } else {
      break;
    }
  }
  return std::make_pair(a, b);
}

// Proof: docs/proofs/closed_forms.md#mixture
std::optional<Directed> one_mixture(const Mixture& mixture, Direction direction,
                                    const Rational& epsilon) {
  const bool remove = direction == Direction::remove;
  const Directed e(epsilon);
  const Directed level = exp(remove ? e : -e);
  // With a centre at 0 the ratio never falls to its weight.
  const auto floor = mixture.weights.find(0);
  if (floor != mixture.weights.end()) {
    const Directed least(floor->second);
    if (level.certainly_less(least)) return remove ? Directed(1) - exp(e) : Directed(0);
    if (!least.certainly_less(level)) return std::nullopt;
  }
  const double log_level = (remove ? 1 : -1) * estimate(epsilon);
  const auto root = bracket(mixture, log_level, level);
  if (!root) return std::nullopt;
  const auto& [a, b] = *root;
  const Directed sigma(mixture.sigma);
  // Probability of outputs beyond y: above it for remove, below it for add.
  const auto beyond = [&](const Rational& centre, const Directed& y) {
    const Directed distance = (Directed(centre) - y) / sigma;
    return normal_below(remove ? distance : -distance);
  };
  const auto mixed = [&](const Directed& y) {
    Directed sum(0);
    for (const auto& [centre, weight] : mixture.weights) {
      sum = sum + Directed(weight) * beyond(centre, y);
    }
    return sum;
  };
  const auto p = [&](const Directed& y) { return remove ? mixed(y) : beyond(0, y); };
  const auto q = [&](const Directed& y) { return remove ? beyond(0, y) : mixed(y); };
  // Any half line gives a lower bound; one that is too large for P, too small for Q an upper one.
  const Directed& outer = remove ? a : b;
  const Directed& inner = remove ? b : a;
  const Directed low = p(a) - exp(e) * q(a);
  const Directed high = p(outer) - exp(e) * q(inner);
  return hull(low.low_end(), high.high_end());
}

// --- Laplace --------------------------------------------------------------------------------

/// One step, mu = sensitivity / scale: 1 - e^((eps - mu) / 2) for |eps| <= mu.
Directed laplace(const Rational& mu, const Rational& epsilon) {
  if (epsilon >= mu) return Directed(0);
  if (epsilon <= -mu) return Directed(1) - exp(Directed(epsilon));
  return Directed(1) - exp(Directed(Rational((epsilon - mu) / 2)));
}

// --- randomized response, pure and approximate mechanisms ---------------------------------------

// Proof: docs/proofs/closed_forms.md#binomial
Directed binomial(const TwoPoints& one, std::uint64_t n, const Directed& finite,
                  const Rational& epsilon) {
  const Directed odds = one.by_odds ? Directed(one.number) : exp(Directed(one.number));
  const Directed loss = one.by_odds ? log(odds) : Directed(one.number);
  const Directed high = odds / (Directed(1) + odds);
  Directed mass = power(high, n);  // of i draws at -e0, the others at +e0
  Directed sum(0);
  for (std::uint64_t i = 0; i <= n; ++i) {
    const long net = static_cast<long>(n) - 2 * static_cast<long>(i);
    const Directed excess = Directed(epsilon) - Directed(net) * loss;  // eps - L
    const Directed part = Directed(1) - exp(excess);
    if (part.certainly_less(Directed(0))) break;  // L decreases with i
    sum = sum + mass * max(part, Directed(0));
    mass = mass * Directed(static_cast<long>(n - i)) / (Directed(static_cast<long>(i + 1)) * odds);
  }
  return (Directed(1) - finite) + finite * sum;
}

// --- which form applies -------------------------------------------------------------------------

struct Evaluation {
  Direction direction;
  const Rational& epsilon;

  std::optional<Directed> operator()(const simple::Gaussians& run) const {
    return gaussian(run.mean, epsilon);
  }
  std::optional<Directed> operator()(const Mixture& run) const {
    return one_mixture(run, direction, epsilon);
  }
  std::optional<Directed> operator()(const simple::LaplaceStep& run) const {
    return laplace(run.ratio, epsilon);
  }
  std::optional<Directed> operator()(const simple::TwoPointSteps& run) const {
    if (run.steps > most_terms) return std::nullopt;
    Directed finite(1);
    for (const auto& [infinite, count] : run.infinite) {
      if (infinite >= 1) return Directed(1);
      finite = finite * power(Directed(Rational(1 - infinite)), count);
    }
    return binomial(run.law, run.steps, finite, epsilon);
  }
};

bool narrow(const Directed& x) {
  const Directed width = x.high_end() - x.low_end();
  if (!x.is_finite()) return false;
  return mpfr_zero_p(width.upper()) != 0 || width.certainly_less(x.low_end() * Directed(1e-15));
}

}  // namespace

std::optional<Directed> closed_form_delta(const std::string& spec, Direction direction,
                                          const Rational& epsilon) {
  const std::optional<simple::Run> run = simple::run_of(spec);
  if (!run) return std::nullopt;
  const long former = Directed::precision();
  std::optional<Directed> result;
  for (long bits = 200; bits <= 3200; bits *= 4) {  // e^eps Phi cancels where delta is tiny
    Directed::set_precision(bits);
    result = std::visit(Evaluation{direction, epsilon}, *run);
    if (!result || narrow(*result)) break;
  }
  Directed::set_precision(former);
  return result;
}

}  // namespace plaudit
