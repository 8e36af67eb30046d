// Proof: docs/proofs/random_participation.md#moments
#include "mechanisms/participation/participation_moments.hpp"

#include <map>
#include <numeric>
#include <tuple>

#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr std::size_t most_moments = 16;  ///< more bound small deltas better, and take longer
constexpr double most_products = 4e6;     ///< of balls, for one moment

/// How many of k patterns are in which state.
using Counts = std::vector<unsigned>;

Ball binomial_coefficient(unsigned n, unsigned k) {
  Ball result(1);
  for (unsigned i = 0; i < k; ++i)
    result = result * Ball(std::uint64_t{n - i}) / Ball(std::uint64_t{i + 1});
  return result;
}

/// exp(ratio (s^2 - s2) / 2) for s the sum of the means of the patterns in a row, s2 of their
/// squares.
Ball row_factor(const RandomParticipation& scheme, const Counts& ages, std::size_t row) {
  Rational sum = 0;
  Rational squares = 0;
  for (std::size_t d = 0; d <= row && d < scheme.bands() && d < ages.size(); ++d) {
    sum += scheme.coefficients[d] * Rational(ages[d]);
    squares += scheme.coefficients[d] * scheme.coefficients[d] * Rational(ages[d]);
  }
  const Rational pairs = (sum * sum - squares) / 2;
  return exp(Ball(PLAUDIT_BOUND("participation.row", Rational(scheme.ratio * pairs),
                                Rational(scheme.ratio * pairs * 999 / 1000))));
}

/// One row for k separated patterns: states are how many drew 0, 1, ..., separation - 2 steps ago,
/// the others are free to take part.
class SeparatedRows {
 public:
  SeparatedRows(const RandomParticipation& scheme, unsigned k) : scheme_(scheme), k_(k) {
    Counts ages(scheme.period - 1, 0);
    list_states(ages, 0, k);
    // rows from the last band on are alike
    moves_.resize(scheme.stationary ? scheme.bands() : 1);
    for (std::size_t row = 0; row < moves_.size(); ++row) {
      const std::size_t rows_before = scheme.stationary ? row : scheme.bands();
      for (std::size_t from = 0; from < states_.size(); ++from) {
        add_moves(from, rows_before, moves_[row]);
      }
    }
  }

  /// E W^k over all rows.
  Ball moment() const {
    std::vector<Ball> now(states_.size());
    for (std::size_t state = 0; state < states_.size(); ++state)
      now[state] = at_begin(states_[state]);
    for (std::size_t row = 0; row < scheme_.steps; ++row) {
      std::vector<Ball> next(states_.size());
      const auto& moves = moves_[std::min(row, moves_.size() - 1)];
      for (const Move& move : moves) next[move.to] += now[move.from] * move.weight;
      now = std::move(next);
      check_work_limit();
    }
    return std::accumulate(now.begin(), now.end(), Ball(0));
  }

  /// Products that a moment takes, about.
  static double work(const RandomParticipation& scheme, unsigned k) {
    double states = 1;
    for (unsigned i = 1; i <= k; ++i) {
      states *= static_cast<double>(scheme.period - 1 + i) / i;
    }
    return states * (1 + k / static_cast<double>(scheme.period)) *
           static_cast<double>(scheme.steps);
  }

 private:
  struct Move {
    std::size_t from;
    std::size_t to;
    Ball weight;
  };

  void list_states(Counts& ages, std::size_t place, unsigned left) {
    if (place == ages.size()) {
      index_[ages] = states_.size();
      states_.push_back(ages);
      return;
    }
    for (unsigned n = 0; n <= left; ++n) {
      ages[place] = n;
      list_states(ages, place + 1, left - n);
    }
    ages[place] = 0;
  }

  unsigned free_of(const Counts& ages) const {
    return k_ - std::accumulate(ages.begin(), ages.end(), 0U);
  }

  /// The probability of these counts before the first row.
  Ball at_begin(const Counts& ages) const {
    const unsigned free = free_of(ages);
    if (!scheme_.stationary) return Ball(free == k_ ? 1 : 0);
    const Rational share = free_share(scheme_);
    Ball weight =
        power(Ball(share), free) * power(Ball(Rational(share * *scheme_.rate)), k_ - free);
    unsigned left = k_;
    for (const unsigned n : ages) {
      weight *= binomial_coefficient(left, n);
      left -= n;
    }
    return weight;
  }

  void add_moves(std::size_t from, std::size_t row, std::vector<Move>& moves) {
    const Counts& before = states_[from];
    const unsigned free = free_of(before);
    const Ball rate(*scheme_.rate);
    const Ball rest(Rational(1 - *scheme_.rate));
    for (unsigned drawn = 0; drawn <= free; ++drawn) {
      Counts ages{drawn};  // those of this row; the oldest ones are free again after it
      ages.insert(ages.end(), before.begin(), before.end());
      const Ball weight = binomial_coefficient(free, drawn) * power(rate, drawn) *
                          power(rest, free - drawn) * row_factor(scheme_, ages, row);
      ages.pop_back();
      moves.push_back({from, index_.at(ages), weight});
    }
  }

  const RandomParticipation& scheme_;
  unsigned k_;
  std::vector<Counts> states_;
  std::map<Counts, std::size_t> index_;
  std::vector<std::vector<Move>> moves_;  ///< by row, the last ones for all further rows
};

/// Sums over bins, one after another: how many of the patterns are in the first `reach` bins and in
/// the last ones, which later bins still meet.
class BinSums {
 public:
  explicit BinSums(const RandomParticipation& scheme)
      : scheme_(scheme), reach_(scheme.bands() - 1), products_(products_of_bins(scheme)) {}

  /// E W^k for k = 0, ..., most.
  std::vector<Ball> moments(unsigned most) const {
    std::map<State, Ball> now{{State{}, Ball(1)}};
    for (std::size_t bin = 0; bin < scheme_.period; ++bin) {
      std::map<State, Ball> next;
      for (const auto& [state, weight] : now) add_bin(state, weight, bin, most, next);
      now = std::move(next);
      check_work_limit();
    }
    std::vector<Ball> result(most + 1);
    for (const auto& [state, weight] : now) result[state.total] += weight;
    Ball scale(1);
    for (unsigned k = 1; k <= most; ++k) {
      scale = scale * Ball(std::uint64_t{k}) / Ball(std::uint64_t{scheme_.period});
      result[k] *= scale;
    }
    return result;
  }

  static double work(const RandomParticipation& scheme, unsigned most) {
    // the counts that are kept, of k patterns at most, and the next one
    double states = 1;
    const std::size_t kept = std::min(2 * (scheme.bands() - 1) + 1, scheme.period - 1) + 1;
    for (unsigned i = 1; i <= kept; ++i) states *= static_cast<double>(most + i) / i;
    return 20 * states * static_cast<double>(scheme.period);  // an exponential function each
  }

 private:
  struct State {
    unsigned total = 0;
    std::vector<std::pair<std::size_t, unsigned>> kept = {};  ///< bin and count, not 0
    // vectors have no <=> in libc++ 14
    bool operator<(const State& other) const {
      return std::tie(total, kept) < std::tie(other.total, other.kept);
    }
  };

  void add_bin(const State& state, const Ball& weight, std::size_t bin, unsigned most,
               std::map<State, Ball>& next) const {
    State after = state;
    if (bin >= reach_) {  // no later bin meets it, but for the first ones
      std::erase_if(after.kept, [&](const auto& each) {
        return each.first >= reach_ && each.first + reach_ <= bin;
      });
    }
    next[after] += weight;
    Rational others = 0;
    for (const auto& [other, count] : state.kept) {
      const auto found = products_[bin].find(other);
      if (found != products_[bin].end()) others += found->second * Rational(count);
    }
    const auto itself = products_[bin].find(bin);
    const Ball own = itself == products_[bin].end()
                         ? Ball(1)
                         : exp(Ball(Rational(scheme_.ratio * itself->second)));
    const Ball meeting =
        exp(Ball(PLAUDIT_BOUND("participation.bins", Rational(scheme_.ratio * others),
                               Rational(scheme_.ratio * others * 999 / 1000))));
    Ball each = weight;
    Ball inside(1);  // own^(n - 1)
    if (reach_ > 0) after.kept.emplace_back(bin, 0);
    for (unsigned n = 1; state.total + n <= most; ++n) {
      each = each * meeting * inside / Ball(std::uint64_t{n});
      inside *= own;
      after.total = state.total + n;
      if (reach_ > 0) after.kept.back().second = n;
      next[after] += each;
    }
  }

  const RandomParticipation& scheme_;
  std::size_t reach_;
  BinProducts products_;
};

}  // namespace

std::vector<Ball> participation_moments(const RandomParticipation& scheme) {
  std::vector<Ball> result{Ball(1), Ball(1)};
  if (!scheme.rate) {
    const double pairs = static_cast<double>(scheme.bands() * scheme.bands());
    if (pairs * static_cast<double>(scheme.steps + scheme.period) > most_products) return result;
    unsigned most = 2;
    while (most < most_moments && BinSums::work(scheme, most + 1) <= most_products) ++most;
    return BinSums(scheme).moments(most);
  }
  for (unsigned k = 2; k <= most_moments; ++k) {
    if (SeparatedRows::work(scheme, k) > most_products) break;
    result.push_back(SeparatedRows(scheme, k).moment());
  }
  return result;
}

}  // namespace plaudit
