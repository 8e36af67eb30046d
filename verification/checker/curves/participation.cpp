#include "verification/checker/curves/participation.hpp"

#include <algorithm>
#include <numeric>

#include "accountants/proof/arithmetic/rejected.hpp"
#include "accountants/proof/kinds/threshold.hpp"

namespace plaudit::proof {

namespace {

/// How many of the patterns are in which state, or in which bin.
using Counts = std::vector<unsigned>;

Integer choose(std::uint64_t n, std::uint64_t k) {
  Integer result = 1;
  for (std::uint64_t i = 0; i < k; ++i) result = result * (n - i) / (i + 1);
  return result;
}

/// E W^k of separated draws: states are how many of k patterns drew 0, 1, ..., period - 2 steps
/// ago.
class SeparatedRows {
 public:
  SeparatedRows(const Participation& scheme, unsigned k) : scheme_(scheme), k_(k) {
    // all counts of at most k patterns, those of the greatest age first
    for (Counts ages(scheme.period - 1, 0);;) {
      index_.emplace(ages, states_.size());
      states_.push_back(ages);
      if (free_of(ages) > 0) {
        ++ages.back();
        continue;
      }
      const auto last = std::find_if(ages.rbegin(), ages.rend(), [](unsigned n) { return n > 0; });
      *last = 0;
      if (last + 1 == ages.rend()) return;
      ++*(last + 1);
    }
  }

  Interval moment(Budget& budget) const {
    std::vector<Interval> now;
    for (const Counts& ages : states_) now.push_back(at_begin(ages));
    std::vector<Move> moves;
    for (std::uint64_t row = 0; row < scheme_.steps; ++row) {
      // of stationary draws the ages above the row were before the first one, and release nothing
      const std::uint64_t bands = scheme_.coefficients.size();
      if (row == 0 || (scheme_.stationary && row < bands)) {
        moves = moves_of(scheme_.stationary ? row + 1 : bands, budget);
      }
      budget.spend(2.0 * static_cast<double>(moves.size()));
      std::vector<Interval> next(states_.size());
      for (const Move& move : moves) next[move.to] += now[move.from] * move.weight;
      now = std::move(next);
    }
    return std::accumulate(now.begin(), now.end(), Interval(0));
  }

 private:
  struct Move {
    std::size_t from;
    std::size_t to;
    Interval weight;
  };

  unsigned free_of(const Counts& ages) const {
    return k_ - std::accumulate(ages.begin(), ages.end(), 0U);
  }

  Interval at_begin(const Counts& ages) const {
    const unsigned free = free_of(ages);
    if (!scheme_.stationary) return free == k_ ? 1 : 0;
    const Rational share = 1 / (1 + Rational(Integer(scheme_.period - 1)) * *scheme_.rate);
    Integer ways = 1;
    unsigned left = k_;
    for (const unsigned n : ages) {
      ways *= choose(left, n);
      left -= n;
    }
    return Interval(ways) * power(Interval(share), free) *
           power(Interval(Rational(share * *scheme_.rate)), k_ - free);
  }

  /// Of a row in which the first `seen` ages have a mean.
  std::vector<Move> moves_of(std::uint64_t seen, Budget& budget) const {
    const Interval rate(*scheme_.rate);
    const Interval rest(Rational(1 - *scheme_.rate));
    std::vector<Move> moves;
    for (std::size_t from = 0; from < states_.size(); ++from) {
      const unsigned free = free_of(states_[from]);
      budget.spend(40.0 * (free + 1));
      for (unsigned drawn = 0; drawn <= free; ++drawn) {
        Counts ages{drawn};
        ages.insert(ages.end(), states_[from].begin(), states_[from].end());
        Rational sum = 0;
        Rational squares = 0;
        for (std::size_t d = 0; d < std::min<std::size_t>(seen, scheme_.coefficients.size()); ++d) {
          const Rational& c = scheme_.coefficients[d];
          sum += c * Rational(Integer(ages[d]));
          squares += c * c * Rational(Integer(ages[d]));
        }
        ages.pop_back();  // the oldest ones are free again
        const Interval pairs(Rational(scheme_.ratio * (sum * sum - squares) / 2));
        moves.push_back({from, index_.at(ages),
                         Interval(choose(free, drawn)) * power(rate, drawn) *
                             power(rest, free - drawn) * exp(pairs)});
      }
    }
    return moves;
  }

  const Participation& scheme_;
  unsigned k_;
  std::vector<Counts> states_;
  std::map<Counts, std::size_t> index_;
};

/// <m_r, m_s> for bins r and s, 0 where they never meet.
std::vector<std::vector<Rational>> meetings(const Participation& scheme) {
  const std::size_t bins = scheme.period;
  std::vector<std::vector<Rational>> result(bins, std::vector<Rational>(bins));
  for (std::uint64_t row = 0; row < scheme.steps; ++row) {
    for (std::size_t d = 0; d < scheme.coefficients.size() && d <= row; ++d) {
      for (std::size_t e = 0; e < scheme.coefficients.size() && e <= row; ++e) {
        result[(row - d) % bins][(row - e) % bins] +=
            scheme.ratio * scheme.coefficients[d] * scheme.coefficients[e];
      }
    }
  }
  return result;
}

/// k! b^-k times the sums over counts of k patterns in bins, k = 0..most, bin after bin. Kept are
/// the counts of bins that a later one may meet: all of them are in the first or the last few.
std::vector<Interval> bin_moments(const Participation& scheme, unsigned most, Budget& budget) {
  const auto meet = meetings(scheme);
  const std::size_t bins = scheme.period;
  const std::size_t reach = scheme.coefficients.size() - 1;
  using State = std::pair<unsigned, Counts>;  // patterns so far, and the counts of all bins so far
  std::map<State, Interval> now{{State{0, {}}, Interval(1)}};
  for (std::size_t bin = 0; bin < bins; ++bin) {
    std::map<State, Interval> next;
    for (const auto& [state, weight] : now) {
      budget.spend(100.0 * (most + 1));
      const auto& [total, counts] = state;
      Rational others = 0;
      for (std::size_t r = 0; r < bin; ++r) {
        if (counts[r] > 0) others += meet[bin][r] * Rational(Integer(counts[r]));
      }
      for (unsigned n = 0; total + n <= most; ++n) {
        const Rational pairs =
            others * Rational(Integer(n)) + meet[bin][bin] * Rational(choose(n, 2));
        Integer ways = 1;
        for (unsigned i = 2; i <= n; ++i) ways *= i;
        State after{total + n, counts};
        after.second.push_back(n);
        // a bin that no later one meets is the same whatever it holds
        if (bin >= reach && bin - reach >= reach) after.second[bin - reach] = 0;
        next[std::move(after)] += weight * exp(Interval(pairs)) / Interval(ways);
      }
    }
    now = std::move(next);
  }
  std::vector<Interval> result(most + 1);
  for (const auto& [state, weight] : now) result[state.first] += weight;
  Interval scale = 1;
  for (unsigned k = 1; k <= most; ++k) {
    scale *= Interval(Rational(Integer(k), Integer(bins)));
    result[k] *= scale;
  }
  return result;
}

/// sup over v > t of (v - t) / v^order.
Interval chebyshev(const Interval& t, unsigned order) {
  const long n = static_cast<long>(order);
  return power(Interval(n - 1) / (Interval(n) * t), order - 1) / n;
}

}  // namespace

Rational Participation::greatest_square() const {
  const std::uint64_t bands = coefficients.size();
  const std::uint64_t whole = steps < bands ? 0 : (steps - bands) / period + 1;  // columns
  Rational sum = 0;
  Rational rest = 0;  // of a column that the last row cuts off: at most one, as period >= bands
  for (std::uint64_t d = 0; d < bands; ++d) {
    sum += coefficients[d] * coefficients[d];
    if (whole * period + d < steps) rest += coefficients[d] * coefficients[d];
  }
  return ratio * (sum * Rational(Integer(whole)) + rest);
}

Integer Participation::counts(unsigned most) const {
  return Integer(period) * (rate ? choose(most + period - 1, most) : Integer(period));
}

Integer Participation::operations(unsigned most) const {
  if (rate) {
    const std::uint64_t bands = coefficients.size();
    const Integer rows(stationary ? std::min(bands, steps) : 1);  // that have moves of their own
    Integer sum = 0;
    for (unsigned k = 2; k <= most; ++k) {
      sum += choose(k + period - 1, k) * (k + 1) * (10 * Integer(steps) + 200 * rows);
    }
    return sum;
  }
  const std::uint64_t bands = coefficients.size();
  const std::uint64_t kept = std::min<std::uint64_t>(2 * (bands - 1) + 1, period - 1) + 1;
  return Integer(bands) * bands * steps + 200 * choose(most + kept, kept) * Integer(period);
}

const std::vector<Interval>& ParticipationMoments::moments(Budget& budget) {
  std::vector<Interval>& result = known_[working_precision()];
  if (!result.empty()) return result;
  if (!scheme_.rate) return result = bin_moments(scheme_, most_, budget);
  result = {1, 1};
  for (unsigned k = 2; k <= most_; ++k) result.push_back(SeparatedRows(scheme_, k).moment(budget));
  return result;
}

Interval ParticipationMoments::about(const MomentChoice& choice, unsigned extra, Budget& budget) {
  const std::vector<Interval>& raw = moments(budget);
  Interval sum = 0;
  Rational coefficient = 1;  // of W^j, from j = order down
  for (unsigned j = choice.order;; --j) {
    sum += Interval(coefficient) * raw[j + extra];
    if (j == 0) return sum;
    coefficient *= -choice.r * Rational(Integer(j), Integer(choice.order - j + 1));
  }
}

Interval ParticipationMoments::curve_above(Direction direction, const Rational& epsilon,
                                           const MomentChoice& choice, Budget& budget) {
  budget.spend(100);
  if (choice.order == 0) {
    return curve(Gaussian{mean_}, Interval(epsilon));
  }
  const Interval x = exp(Interval(epsilon));
  const bool removes = direction == Direction::remove;
  // H_x(P | Q) = E (W - x)_+ and H_x(Q | P) = x E (1/x - W)_+, where E (W - x)_+ = E (x - W)_+ + 1
  // - x
  const Interval at = removes ? x : 1 / x;
  const Interval r(choice.r);
  const bool above = below(r, at);
  require(above || below(at, r), "curves: r is not told from the point");
  Interval bound = 0;
  if (above) {
    const Interval factor = chebyshev(at - r, choice.order);
    bound = factor * about(choice, 0, budget);
    bound = min(bound, factor * about(choice, 1, budget) / at);
  } else {
    bound = chebyshev(r - at, choice.order) * about(choice, 0, budget);
  }
  if (removes) return above ? bound : 1 - x + bound;
  return above ? 1 - x + x * bound : x * bound;
}

}  // namespace plaudit::proof
