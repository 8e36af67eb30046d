#include "verification/observe/several_lines.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr long bits_of_lines = 128;
constexpr int most_rounds_of_caps = 5;
constexpr int steps_of_search = 20;  ///< halvings of the floor's logarithm
constexpr int steps_at_the_end = 44;
constexpr double least_floor = 1e-14;  ///< below which doubles find no certificate
constexpr double other_lines = 0.05;   ///< of the closed form's cap, to begin with

bool within(double x, double most) { return x <= most * (1 + 1e-12); }
bool within(const Ball& x, const Ball& most) { return certainly_less_equal(x, most); }
bool is_none(double x) { return x <= 0; }
bool is_none(const Ball& x) { return x.is_exact_zero(); }

/// r times the sum of lambda y_1 where, from i = r down, sum of y_i is the least that gives
/// s_i >= 1[i >= v] - least, from the smallest lambdas first; nothing where the caps are too small.
template <class Number>
std::optional<Number> first_loss(const Guesses& guesses, const Number& least,
                                 const std::vector<Number>& lambda,
                                 const std::vector<Number>& caps) {
  using std::max;
  using std::min;
  const Number none(0L);
  Number all = none;
  for (const Number& cap : caps) all = all + cap;
  Number loss = none;
  for (std::uint64_t i = guesses.guessed; i > 0; --i) {
    const Number wanted(i >= guesses.right ? 1L : 0L);
    const Number rest = Number(static_cast<long>(guesses.guessed - i)) * loss;
    const Number needed = max(none, Number((wanted - least + rest) / Number(static_cast<long>(i))));
    if (is_none(needed) && i < guesses.right) return none;
    if (!within(needed, all)) return std::nullopt;
    loss = none;
    Number left = needed;
    for (std::size_t k = 0; k < caps.size(); ++k) {
      const Number part = min(left, caps[k]);
      loss = loss + lambda[k] * part;
      left = max(none, Number(left - part));
    }
  }
  return Number(static_cast<long>(guesses.guessed)) * loss;
}

/// The least `least` of LinesBound for these caps, up to `most`, in doubles; `most` for none.
double rough_floor(const Guesses& guesses, const std::vector<double>& lambda,
                   const std::vector<double>& caps, int steps, double most = 1) {
  double low = std::log(least_floor);
  double high = std::log(most);
  for (int i = 0; i < steps; ++i) {
    const double middle = (low + high) / 2;
    const auto loss = first_loss(guesses, std::exp(middle), lambda, caps);
    (loss && *loss <= std::exp(middle) ? high : low) = middle;
  }
  return std::exp(high);
}

/// Caps that seem better, one moved at a time, or some of one to its neighbour.
class CapSearch {
 public:
  CapSearch(const Guesses& guesses, std::vector<double> lambda, std::vector<double> price,
            std::vector<double> caps)
      : guesses_(guesses),
        lambda_(std::move(lambda)),
        price_(std::move(price)),
        best(std::move(caps)) {
    value_ = rough_floor(guesses_, lambda_, best, steps_of_search) + price_of(best);
  }

  void run() {
    for (const double step : {0.5, 0.25, 0.12, 0.05, 0.02}) {
      bool better = true;
      for (int round = 0; better && round < most_rounds_of_caps; ++round) {
        better = false;
        for (std::size_t k = 0; k < best.size(); ++k) better = moved(k, step) || better;
      }
    }
  }

 private:
  double price_of(const std::vector<double>& caps) const {
    double price = 0;
    for (std::size_t k = 0; k < caps.size(); ++k) price += price_[k] * caps[k];
    return price;
  }

  /// The value of these caps, or nothing where it is not below `most`: then one floor that would be
  /// too high is tried, and no search for the least one begins.
  std::optional<double> below(double most, const std::vector<double>& caps) {
    check_work_limit(1e-8 * static_cast<double>(guesses_.guessed) * steps_of_search);
    const double price = price_of(caps);
    const double room = std::min(1.0, most - price);
    if (room <= least_floor) return std::nullopt;
    const auto loss = first_loss(guesses_, room, lambda_, caps);
    if (!loss || *loss > room) return std::nullopt;
    return rough_floor(guesses_, lambda_, caps, steps_of_search, room) + price;
  }

  bool moved(std::size_t k, double step) {
    bool better = false;
    const auto attempt = [&](std::vector<double> caps) {
      const std::optional<double> value = below(value_, caps);
      if (!value || *value >= value_) return;
      value_ = *value;
      best = std::move(caps);
      better = true;
    };
    for (const double factor : {1 + step, 1 / (1 + step)}) {
      std::vector<double> caps = best;
      caps[k] *= factor;
      attempt(caps);
    }
    for (const std::size_t other : {k - 1, k + 1}) {
      if (other >= best.size()) continue;
      std::vector<double> caps = best;
      caps[other] += step * caps[k];
      caps[k] -= step * caps[k];
      attempt(caps);
    }
    return better;
  }

  Guesses guesses_;
  std::vector<double> lambda_;
  std::vector<double> price_;
  double value_;

 public:
  std::vector<double> best;
};

}  // namespace

// Proof: docs/proofs/one_run.md#several-lines
LinesBound bound_of_lines(const Guesses& guesses, std::vector<CurveLine> lines, std::size_t first) {
  const auto m = static_cast<double>(guesses.canaries);
  std::vector<double> lambda;
  std::vector<double> price;
  for (const CurveLine& line : lines) {
    lambda.push_back(estimate(line.lambda));
    price.push_back(m * estimate(line.delta));
  }
  // The closed form's cap, (1 - beta) M / (m delta).
  const double log_first = std::log(lambda[first]);
  const double beta = rough_probability(guesses, log_first, 0);
  const double slope = rough_probability(guesses, log_first, 1e-12 / m) - beta;
  std::vector<double> caps(lines.size(), other_lines * slope / 1e-12);
  caps[first] = 1.1 * slope / 1e-12;
  if (!std::isfinite(caps[first]) || caps[first] <= 0 || beta < least_floor * 100) return {};
  CapSearch search(guesses, lambda, price, caps);
  search.run();
  const double floor = rough_floor(guesses, lambda, search.best, steps_at_the_end);
  const PrecisionScope scope(bits_of_lines);
  LinesBound found;
  found.lines = std::move(lines);
  found.least = checked_rational(floor * (1 + 1e-7), "least");
  std::vector<Ball> lambdas;
  std::vector<Ball> exact_caps;
  Ball sum(found.least);
  for (std::size_t k = 0; k < found.lines.size(); ++k) {
    found.lines[k].cap = checked_rational(search.best[k] * (1 + 1e-9), "cap");
    lambdas.emplace_back(found.lines[k].lambda);
    exact_caps.emplace_back(found.lines[k].cap);
    sum += Ball(Rational(found.lines[k].delta * found.lines[k].cap)) * Ball(guesses.canaries);
  }
  const auto loss = first_loss(guesses, Ball(found.least), lambdas, exact_caps);
  const bool holds = loss && certainly_less_equal(*loss, Ball(found.least));
  if (PLAUDIT_BOUND("one_run.lines_checked", holds, true)) found.bound = min(Ball(1), sum).upper();
  return found;
}

}  // namespace plaudit
