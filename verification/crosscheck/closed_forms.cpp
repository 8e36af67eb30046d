#include "verification/crosscheck/closed_forms.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "mechanisms/language/syntax.hpp"

namespace plaudit {

namespace {

constexpr std::uint64_t most_terms = 200'000;

/// One call of a canonical spec.
struct Call {
  explicit Call(const syntax::Call& call) : name(call.name) {
    for (const syntax::Argument& argument : call.arguments) {
      if (const auto* number = std::get_if<Rational>(&argument.value)) {
        numbers[argument.key] = *number;
      } else if (const auto* list = std::get_if<std::vector<Rational>>(&argument.value)) {
        lists[argument.key] = *list;
      } else if (const auto* nested =
                     std::get_if<std::shared_ptr<const syntax::Call>>(&argument.value)) {
        inner = *nested;
      }
    }
  }
  std::optional<Rational> number(const std::string& key) const {
    const auto place = numbers.find(key);
    if (place == numbers.end()) return std::nullopt;
    return place->second;
  }

  std::string name;
  std::map<std::string, Rational> numbers;
  std::map<std::string, std::vector<Rational>> lists;
  std::shared_ptr<const syntax::Call> inner;
};

/// sum_i weight_i N(centre_i, sigma^2) against N(0, sigma^2).
struct Mixture {
  Rational sigma;
  std::map<Rational, Rational> weights;  ///< by centre
};

std::optional<Mixture> mixture_of(const syntax::Call& parsed) {
  const Call call(parsed);
  if (call.name == "gaussian") {
    const auto sigma = call.number("sigma");
    if (!sigma) return std::nullopt;
    return Mixture{*sigma, {{call.number("sensitivity").value_or(1), 1}}};
  }
  if (call.name == "mixture") {
    const auto sigma = call.number("sigma");
    const auto centres = call.lists.find("sensitivities");
    const auto weights = call.lists.find("probabilities");
    if (!sigma || centres == call.lists.end() || weights == call.lists.end() ||
        centres->second.size() != weights->second.size()) {
      return std::nullopt;
    }
    Mixture mixture{*sigma, {}};
    for (std::size_t i = 0; i < centres->second.size(); ++i) {
      mixture.weights[centres->second[i]] += weights->second[i];
    }
    return mixture;
  }
  if (call.name == "poisson" && call.inner) {
    auto mixture = mixture_of(*call.inner);
    const auto rate = call.number("rate");
    if (!mixture || !rate || call.inner->name == "group" || call.inner->name == "poisson") {
      return std::nullopt;
    }
    for (auto& [centre, weight] : mixture->weights) weight *= *rate;
    mixture->weights[0] += 1 - *rate;
    return mixture;
  }
  if (call.name == "group" && call.inner) {
    // Each of `size` records is in the sample on its own; those that are add up.
    const auto one = mixture_of(*call.inner);
    const auto size = call.number("size");
    const bool plain = call.inner->name == "gaussian" ||
                       (call.inner->name == "poisson" && Call(*call.inner).inner &&
                        Call(*call.inner).inner->name == "gaussian");
    if (!one || !size || !plain || *size > 50) return std::nullopt;
    Mixture group{one->sigma, {{0, 1}}};
    for (long i = 0; i < *size; ++i) {
      std::map<Rational, Rational> sums;
      for (const auto& [a, p] : group.weights) {
        for (const auto& [b, q] : one->weights) sums[a + b] += p * q;
      }
      group.weights = std::move(sums);
    }
    return group;
  }
  return std::nullopt;
}

void drop_zeros(Mixture& mixture) {
  std::erase_if(mixture.weights, [](const auto& entry) { return entry.second == 0; });
}

// --- Gaussians ------------------------------------------------------------------------------

/// delta = Phi((mu - eps) / r) - e^eps Phi((-mu - eps) / r), r = sqrt(2 mu).
Directed gaussian(const Rational& mu, const Rational& epsilon) {
  const Directed deviation = sqrt(Directed(Rational(2 * mu)));
  return normal_below(Directed(Rational(mu - epsilon)) / deviation) -
         exp(Directed(epsilon)) * normal_below(Directed(Rational(-mu - epsilon)) / deviation);
}

// --- one step of a mixture ------------------------------------------------------------------

double log_ratio(const Mixture& mixture, double y) {
  const double sigma = estimate(mixture.sigma);
  double most = -HUGE_VAL;
  std::vector<double> terms;
  for (const auto& [centre, weight] : mixture.weights) {
    const double c = estimate(centre);
    terms.push_back(estimate_log(weight) + c * (y - c / 2) / (sigma * sigma));
    most = std::max(most, terms.back());
  }
  double sum = 0;
  for (const double x : terms) sum += std::exp(x - most);
  return most + std::log(sum);
}

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

/// Points a <= y0 <= b with ratio(y0) = level.
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
  for (int i = 0; i < 60; ++i) {
    const double middle = low + (high - low) / 2;
    (log_ratio(mixture, middle) < log_level ? low : high) = middle;
  }
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

/// Two losses +-e0 with P-probabilities e^e0 / (1 + e^e0) and its complement, and a mass at
/// infinity; e0 is either a rational or the log odds of a rational.
struct TwoPoints {
  bool by_odds = false;
  Rational number;  ///< e0, or the odds
  Rational infinite = 0;
  bool same(const TwoPoints& other) const {
    return by_odds == other.by_odds && number == other.number;
  }
};

std::optional<TwoPoints> two_points_of(const syntax::Call& parsed) {
  const Call call(parsed);
  const auto epsilon = call.number("epsilon");
  if ((call.name == "pure" || call.name == "randomized_response") && epsilon) {
    return TwoPoints{false, *epsilon, 0};
  }
  const auto probability = call.number("probability");
  if (call.name == "randomized_response" && probability && *probability > 0 && *probability < 1) {
    const Rational larger = *probability * 2 > 1 ? *probability : Rational(1 - *probability);
    return TwoPoints{true, larger / (1 - larger), 0};
  }
  const auto delta = call.number("delta");
  if (call.name == "approximate" && epsilon && delta) return TwoPoints{false, *epsilon, *delta};
  return std::nullopt;
}

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

std::optional<Directed> evaluate(const std::vector<syntax::Power>& factors, Direction direction,
                                 const Rational& epsilon) {
  Rational mu = 0;
  bool gaussians = true;
  for (const syntax::Power& factor : factors) {
    auto mixture = mixture_of(*factor.call);
    if (mixture) drop_zeros(*mixture);
    if (!mixture || mixture->weights.size() != 1) {
      gaussians = false;
      break;
    }
    const Rational ratio = mixture->weights.begin()->first / mixture->sigma;
    mu += ratio * ratio * Integer(factor.count) / 2;
  }
  if (gaussians) return mu > 0 ? std::optional(gaussian(mu, epsilon)) : std::nullopt;

  std::optional<TwoPoints> common;
  bool two_point = true;
  std::uint64_t n = 0;
  Directed finite(1);
  for (const syntax::Power& factor : factors) {
    const auto one = two_points_of(*factor.call);
    two_point = one && (!common || common->same(*one)) && factor.count <= most_terms;
    if (!two_point) break;
    common = one;
    n += factor.count;
    if (one->infinite >= 1) return Directed(1);
    finite = finite * power(Directed(Rational(1 - one->infinite)), factor.count);
  }
  if (two_point && n <= most_terms) return binomial(*common, n, finite, epsilon);

  if (factors.size() != 1 || factors[0].count != 1) return std::nullopt;
  const Call call(*factors[0].call);
  if (call.name == "laplace" && call.number("scale")) {
    return laplace(call.number("sensitivity").value_or(1) / *call.number("scale"), epsilon);
  }
  auto mixture = mixture_of(*factors[0].call);
  if (!mixture) return std::nullopt;
  drop_zeros(*mixture);
  return one_mixture(*mixture, direction, epsilon);
}

bool narrow(const Directed& x) {
  const Directed width = x.high_end() - x.low_end();
  if (!x.is_finite()) return false;
  return mpfr_zero_p(width.upper()) != 0 || width.certainly_less(x.low_end() * Directed(1e-15));
}

}  // namespace

std::optional<Directed> closed_form_delta(const std::string& spec, Direction direction,
                                          const Rational& epsilon) {
  const std::vector<syntax::Power> factors = syntax::parse(spec);
  const long former = Directed::precision();
  std::optional<Directed> result;
  for (long bits = 200; bits <= 3200; bits *= 4) {  // e^eps Phi cancels where delta is tiny
    Directed::set_precision(bits);
    result = evaluate(factors, direction, epsilon);
    if (!result || narrow(*result)) break;
  }
  Directed::set_precision(former);
  return result;
}

}  // namespace plaudit
