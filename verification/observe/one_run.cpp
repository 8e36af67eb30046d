#include "verification/observe/one_run.hpp"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <random>

#include "lib/analysis/least_value.hpp"
#include "lib/balls/binomial.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

constexpr long bits_of_guesses = 128;
constexpr int most_loosened = 12;  ///< times that a choice is taken nearer to 0
constexpr double most_log_lambda = 100;

/// beta / b_v = sum_(i >= v) C(r, i) lambda^(i - v) / C(r, v).
Ball inverse_hazard(const Guesses& guesses, const Ball& lambda) {
  Ball term(1);
  Ball sum(1);
  for (std::uint64_t i = guesses.right; i < guesses.guessed; ++i) {
    const Ball ratio = lambda * Ball(guesses.guessed - i) / Ball(i + 1);
    // The ratios fall: what follows is at most the geometric series of this one.
    if (certainly_less(ratio, Ball(1))) {
      const Ball rest = (term * ratio / (Ball(1) - ratio)).upper();
      if (certainly_less(rest, ldexp(sum.lower(), -80))) return hull(sum, sum + rest);
    }
    term *= ratio;
    sum += term;
    if ((i & 1023) == 0) check_work_limit();
  }
  return sum;
}

double rough_gaussian_delta(double epsilon, double mu) {
  const auto cdf = [](double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; };
  return cdf(mu / 2 - epsilon / mu) - std::exp(epsilon) * cdf(-mu / 2 - epsilon / mu);
}

Ball gaussian_delta(const Ball& epsilon, const Ball& mu) {
  const Ball half = mu / 2;
  const Ball scaled = epsilon / mu;
  return normal_cdf(half - scaled) - exp(epsilon) * normal_cdf(-half - scaled);
}

/// The greatest x in [0, most] with a value of at most `level` of a function that increases.
template <class Function>
double greatest_within(double level, double most, const Function& f) {
  if (f(0.0) > level) return 0;
  double low = 0;
  double high = 1;
  while (high < most && f(high) <= level) {
    low = high;
    high *= 2;
  }
  high = std::min(high, most);
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (f(middle) <= level ? low : high) = middle;
  }
  return low;
}

}  // namespace

void check_guesses(const Guesses& guesses) {
  if (guesses.guessed < 1 || guesses.guessed > guesses.canaries ||
      guesses.right > guesses.guessed || guesses.canaries > most_canaries) {
    throw SpecError(
        "guesses: must be V right ones of R of M canaries with V <= R, 1 <= R <= M <= " +
        std::to_string(most_canaries) + ", not " + std::to_string(guesses.right) + " of " +
        std::to_string(guesses.guessed) + " of " + std::to_string(guesses.canaries));
  }
}

GuessedAs guessed_as(std::string_view name) {
  if (name == "both") return GuessedAs::both;
  if (name == "in") return GuessedAs::in;
  if (name == "out") return GuessedAs::out;
  throw SpecError("guessed: must be both, in or out, not " + std::string(name));
}

// Proof: docs/proofs/one_run.md#closed-form
Ball greatest_probability(const Guesses& guesses, const Rational& lambda, const Ball& delta) {
  if (guesses.right == 0) return 1;
  const PrecisionScope scope(bits_of_guesses);
  const Ball beta = binomial_tail(guesses.guessed, lambda / (1 + lambda), guesses.right);
  const Ball share = PLAUDIT_BOUND("one_run.delta", delta, Ball(0)) * Ball(guesses.canaries) *
                     inverse_hazard(guesses, Ball(lambda)) / Ball(guesses.right);
  const Ball most = Ball(1) - (Ball(1) - beta) * max(Ball(0), Ball(1) - share);
  // In this form a small probability keeps its digits.
  return min(most, beta + (Ball(1) - beta) * share).upper();
}

double rough_probability(const Guesses& guesses, double log_lambda, double delta) {
  if (guesses.right == 0) return 1;
  const auto v = static_cast<double>(guesses.right);
  const auto r = static_cast<double>(guesses.guessed);
  const double q = 1 / (1 + std::exp(-log_lambda));
  const double beta = boost::math::ibeta(v, r - v + 1, q);
  const double exactly = std::exp(estimate_log_choose(r, v) + v * std::log(q) -
                                  (r - v) * (log_lambda + std::log1p(std::exp(-log_lambda))));
  const double share = static_cast<double>(guesses.canaries) * delta * beta / (v * exactly);
  return std::isfinite(share) ? beta + (1 - beta) * std::min(1.0, share) : 1.0;
}

// Proof: docs/proofs/one_run.md#lower-ends
Ball epsilon_of_guesses(const Guesses& guesses, const Rational& delta, const Rational& level) {
  const double wanted = estimate(level);
  const double found = greatest_within(wanted, most_log_lambda, [&](double epsilon) {
    return rough_probability(guesses, epsilon, estimate(delta));
  });
  const PrecisionScope scope(bits_of_guesses);
  double slack = 1e-14;
  for (int i = 0; i < most_loosened; ++i, slack *= 10) {
    const double epsilon = found - slack * (1 + found);
    if (epsilon <= 0) break;
    // A short rational: the certificate is one sum of integers.
    const Rational lambda(
        floor_of(checked_rational(std::exp(epsilon), "lambda") * Rational(limit_denominator())),
        limit_denominator());
    if (lambda <= 1) break;
    if (certainly_less_equal(greatest_probability(guesses, lambda, Ball(delta)), Ball(level))) {
      return log(Ball(lambda)).lower();
    }
  }
  return 0;
}

// Proof: docs/proofs/one_run.md#lower-ends
Ball mu_of_guesses(const Guesses& guesses, const Rational& level, const Rational& weight) {
  const double wanted = estimate(level);
  const double share = estimate(weight);
  const auto best = [&](double mu) {
    return least_value(0, most_log_lambda / 4, 40, [&](double epsilon) {
      return std::log(
          rough_probability(guesses, epsilon, share * rough_gaussian_delta(epsilon, mu)));
    });
  };
  const double found = greatest_within(wanted, 32, [&](double mu) {
    return mu == 0 ? rough_probability(guesses, 0, 0) : std::exp(best(mu).value);
  });
  const PrecisionScope scope(bits_of_guesses);
  double slack = 1e-12;
  for (int i = 0; i < most_loosened; ++i, slack *= 8) {
    const double mu = found - slack * (1 + found);
    if (mu <= 0) break;
    const double epsilon = best(mu).at;
    // delta(epsilon) is at least delta(log lambda).
    const Rational lambda = upper_exponential(checked_rational(epsilon, "epsilon"));
    const Ball delta = Ball(weight) * gaussian_delta(Ball(epsilon), Ball(mu)).upper();
    if (certainly_less_equal(greatest_probability(guesses, lambda, delta), Ball(level))) {
      return Ball(mu);
    }
  }
  return 0;
}

Rational upper_exponential(const Rational& epsilon) {
  const PrecisionScope scope(bits_of_guesses);
  const Rational above = exact_rational(exp(Ball(epsilon)).upper());
  return {-floor_of(-above * Rational(limit_denominator())), limit_denominator()};
}

namespace {

struct Canary {
  Score score;
  bool member;
};

std::uint64_t right_of_first(const std::vector<Canary>& canaries, std::uint64_t guessed,
                             bool member) {
  std::uint64_t right = 0;
  for (std::uint64_t i = 0; i < guessed; ++i) right += canaries[i].member == member ? 1 : 0;
  return right;
}

}  // namespace

// Proof: docs/proofs/one_run.md#guesses
Guesses guesses_by_scores(const Scores& scores, std::uint64_t in, std::uint64_t out) {
  std::vector<Canary> canaries;
  for (const Score& score : scores.with_record) canaries.push_back({score, true});
  for (const Score& score : scores.without_record) canaries.push_back({score, false});
  if (in > canaries.size() || out > canaries.size() - in) {
    throw SpecError("guesses: " + std::to_string(in) + " in and " + std::to_string(out) +
                    " out are more than the " + std::to_string(canaries.size()) + " canaries");
  }
  const bool wrong_first = PLAUDIT_BOUND("one_run.ties", true, false);
  const auto first = [&](bool greatest) {
    return [=](const Canary& a, const Canary& b) {
      if (!(a.score == b.score)) return greatest ? a.score > b.score : a.score < b.score;
      return a.member != b.member && (a.member == greatest) != wrong_first;
    };
  };
  std::sort(canaries.begin(), canaries.end(), first(true));
  const std::uint64_t right_in = right_of_first(canaries, in, true);
  std::sort(canaries.begin(), canaries.end(), first(false));
  return {canaries.size(), in + out, right_in + right_of_first(canaries, out, false)};
}

namespace {

/// Of a pair: the size of the difference, infinite where one score is and the other is not the same
/// infinity.
struct Difference {
  Score size;
  bool right;
};

Difference difference(const Score& member, const Score& other) {
  if (member == other) return {{0, 0}, false};
  const bool right = member > other;
  if (member.infinity != 0 || other.infinity != 0) return {{1, 0}, right};
  const Rational size =
      right ? Rational(member.value - other.value) : Rational(other.value - member.value);
  return {{0, size}, right};
}

}  // namespace

// Proof: docs/proofs/one_run.md#pairs
Guesses guesses_in_pairs(const Scores& scores, std::uint64_t seed,
                         std::optional<std::uint64_t> guessed) {
  std::mt19937_64 generator(seed);
  const std::vector<Score> members = shuffled(scores.with_record, generator);
  const std::vector<Score> others = shuffled(scores.without_record, generator);
  std::vector<Difference> pairs;
  for (std::size_t i = 0; i < std::min(members.size(), others.size()); ++i) {
    pairs.push_back(difference(members[i], others[i]));
  }
  const std::uint64_t count = guessed.value_or(pairs.size());
  if (count > pairs.size()) {
    throw SpecError("guesses: " + std::to_string(count) + " are more than the " +
                    std::to_string(pairs.size()) + " pairs");
  }
  std::sort(pairs.begin(), pairs.end(), [](const Difference& a, const Difference& b) {
    return a.size == b.size ? !a.right && b.right : a.size > b.size;
  });
  const auto last = pairs.begin() + static_cast<std::ptrdiff_t>(count);
  const auto right =
      std::count_if(pairs.begin(), last, [](const Difference& x) { return x.right; });
  return {pairs.size(), count, static_cast<std::uint64_t>(right)};
}

}  // namespace plaudit
