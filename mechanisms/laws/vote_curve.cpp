#include "mechanisms/laws/vote_curve.hpp"

#include <algorithm>
#include <cmath>

#include "lib/balls/binomial.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr double rare_votes = 1e-32;           ///< relative to the likeliest number
constexpr std::uint64_t most_told_apart = 64;  ///< messages: up to so many, each W has its own cell
constexpr double deviations_of_cell = 2;       ///< the width of a cell where there are more

Ball sum_of(const std::vector<Ball>& numbers) {
  Ball sum;
  for (const Ball& each : numbers) sum += each;
  return sum;
}

/// The least integer, from 0, that is at least this; a great one where it is beyond all.
std::uint64_t ceiling(double bound) {
  return static_cast<std::uint64_t>(clamped_integer(std::ceil(bound), 0, most_index));
}

}  // namespace

BinomialMasses binomial_masses(std::uint64_t n, const Ball& rate, double rare) {
  if (rate.is_exact_zero() || n == 0) return {0, {Ball(1)}};
  if (certainly_less_equal(Ball(1), rate)) return {n, {Ball(1)}};
  const auto middle = std::min<std::uint64_t>(
      n, static_cast<std::uint64_t>(
             checked_integer(rate.estimate() * static_cast<double>(n), "a number of messages")));
  const Ball rest = Ball(1) - rate;
  const Ball odds = rate / rest;
  const Ball likeliest =
      exp(log_binomial(n, middle)) * power(rate, middle) * power(rest, n - middle);
  const auto is_rare = [&](const Ball& mass) {
    return mass.upper_double() < rare * likeliest.lower_double();
  };
  std::vector<Ball> below;
  Ball mass = likeliest;
  for (std::uint64_t k = middle; k > 0 && !is_rare(mass); --k) {
    mass *= Ball(k) / (Ball(n - k + 1) * odds);
    below.push_back(mass);
  }
  BinomialMasses result{middle - below.size(), {below.rbegin(), below.rend()}};
  mass = likeliest;
  for (std::uint64_t k = middle;; ++k) {
    result.masses.push_back(mass);
    if (k == n || is_rare(mass)) return result;
    mass *= Ball(n - k) * odds;
    mass.divide_by(k + 1);
  }
}

Ball BinomialMasses::outside() const {
  return clipped_nonnegative(Ball(1) - sum_of(masses)).upper();
}

VoteCurve::VoteCurve(std::uint64_t users, const Ball& e, const Ball& share,
                     const OtherMessages& others, Side side)
    : e_(e) {
  const BinomialMasses votes = binomial_masses(users, ldexp(share, 1), rare_votes);
  const Ball per_vote = ldexp(e + Ball(1), -1);
  const Ball mean = others.light + others.rate * (others.heavy - others.light);
  Ball known;  // P-mass
  for (std::size_t i = 0; i < votes.masses.size(); ++i) {
    check_work_limit();
    Row row{votes.first + i, {}, {}, {}};
    const Ball weight = votes.masses[i] / Ball(users);
    const std::uint64_t messages = users - row.votes;
    row.cells = cells_of(row.votes, weight, messages, others, side);
    known += weight * (per_vote * Ball(row.votes) + mean * Ball(messages));
    fill(row);
    rows_.push_back(std::move(row));
  }
  rest_ = clipped_nonnegative(Ball(1) - known).upper();
}

/// W = light m + (heavy - light) B, B ~ Binomial(m, rate). Below: cells of neighbouring B. Above: B
/// moves to the multiples of a step on both sides with the same mean, and what lies outside of the
/// window to 0. Proof: docs/proofs/shuffle.md#categories
std::vector<VoteCurve::Cell> VoteCurve::cells_of(std::uint64_t votes, const Ball& weight,
                                                 std::uint64_t messages,
                                                 const OtherMessages& others, Side side) const {
  const Ball least = others.light * Ball(messages);
  const Ball unit = others.heavy - others.light;
  const BinomialMasses heavy = binomial_masses(messages, others.rate, rare_votes);
  const double rate = others.rate.estimate();
  const double deviation = std::sqrt(static_cast<double>(messages) * rate * (1 - rate));
  const std::uint64_t step = messages <= most_told_apart
                                 ? 1
                                 : static_cast<std::uint64_t>(checked_integer(
                                       std::max(1.0, deviations_of_cell * deviation), "a step"));
  const std::uint64_t first = heavy.first / step;
  const std::uint64_t last = (heavy.first + heavy.masses.size() - 1) / step + 1;
  std::vector<Ball> masses(last - first + 1);
  std::vector<Ball> sums(last - first + 1);  // of the mass times B
  for (std::size_t i = 0; i < heavy.masses.size(); ++i) {
    const std::uint64_t b = heavy.first + i;
    const std::size_t cell = b / step - first;
    if (side == Side::below) {
      masses[cell] += heavy.masses[i];
      sums[cell] += heavy.masses[i] * Ball(b);
      continue;
    }
    Ball to_next = heavy.masses[i] * Ball(b % step);
    to_next.divide_by(step);
    masses[cell + 1] += to_next;
    masses[cell] += heavy.masses[i] - to_next;
  }
  const Ball of_votes = ldexp((e_ + Ball(1)) * Ball(votes), -1);
  const Ball of_middle = ldexp(e_ - Ball(1), -1);
  std::vector<Cell> cells;
  for (std::size_t g = 0; g < masses.size(); ++g) {
    const Ball& mass = masses[g];
    if (mass.is_exact_zero()) continue;
    const Ball b((first + g) * step);
    const Ball sum = side == Side::above ? mass * b : sums[g];
    const Ball place = side == Side::above ? b : sum.middle() / mass.middle();
    cells.push_back({least + unit * place, weight * ((of_votes + least) * mass + unit * sum),
                     weight * of_middle * mass});
  }
  if (side == Side::above) {
    const Ball outside = weight * heavy.outside();
    cells.push_back({least, (of_votes + least) * outside, of_middle * outside});
  }
  return cells;
}

/// From the middle up. Behind the last mass each is less than the one before, so that all together
/// have at most `votes` times it.
void VoteCurve::fill(Row& row) {
  const std::uint64_t middle = row.votes / 2;
  Ball mass = exp(log_binomial(row.votes, middle) - Ball(row.votes) * log(Ball(2)));
  const double likeliest = mass.lower_double();
  std::vector<Ball> masses;
  for (std::uint64_t i = middle; i <= row.votes; ++i) {
    masses.push_back(mass);
    row.pushed.push_back(mass * Ball(i));
    if (mass.upper_double() < rare_votes * likeliest) break;
    mass *= Ball(row.votes - i);
    mass.divide_by(i + 1);
  }
  const bool whole = middle + masses.size() > row.votes;
  const Ball beyond = whole ? Ball(0) : hull(Ball(0), masses.back() * Ball(row.votes));
  row.tails.assign(masses.size() + 1, beyond);
  for (std::size_t k = masses.size(); k-- > 0;) row.tails[k] = row.tails[k + 1] + masses[k];
  row.pushed.push_back(beyond * Ball(row.votes));
}

/// Of {i >= least}. Proof: docs/proofs/shuffle.md#categories
VoteCurve::Sums VoteCurve::sums_of(const Row& row, const Cell& cell, std::uint64_t least) {
  if (least > row.votes) return {};
  const std::uint64_t middle = row.votes / 2;
  const std::size_t k =
      std::min<std::size_t>(std::max(least, middle) - middle, row.pushed.size() - 1);
  return {cell.both * row.tails[k], cell.apart * row.pushed[k]};
}

VoteCurve::Event VoteCurve::event_at(const Ball& x) const {
  const Ball unit = (e_ - Ball(1)) * (Ball(1) + x);
  const Ball of_vote = (x * e_ - Ball(1)) / unit;
  const Ball of_place = (x - Ball(1)) / unit;
  Sums all;
  for (const Row& row : rows_) {
    for (const Cell& cell : row.cells) {
      const Ball least = Ball(row.votes) * of_vote + cell.place * of_place;
      const Sums sums = sums_of(row, cell, ceiling(least.upper_double()));
      all.both += sums.both;
      all.apart += sums.apart;
    }
  }
  return {all.both + all.apart, all.both - all.apart};
}

Ball VoteCurve::at(const Ball& x) const {
  const Ball unit = (e_ - Ball(1)) * (Ball(1) + x);
  const Ball of_vote = (x * e_ - Ball(1)) / unit;
  const Ball of_place = (x - Ball(1)) / unit;
  const auto value = [&](const Sums& sums) {
    return sums.both * (Ball(1) - x) + sums.apart * (Ball(1) + x);
  };
  Ball sum = PLAUDIT_BOUND("shuffle.rows", rest_, Ball(0));
  Sums all;
  for (const Row& row : rows_) {
    const Ball votes = Ball(row.votes) * of_vote;
    for (const Cell& cell : row.cells) {
      const Ball least = votes + cell.place * of_place;
      // where rounding leaves two integers, one of them is the best event
      const std::uint64_t low = ceiling(least.lower_double());
      const std::uint64_t high = ceiling(least.upper_double());
      if (high > low + 1) return 1;
      const Sums sums = sums_of(row, cell, low);
      if (high > low) {
        sum += max(value(sums), value(sums_of(row, cell, high)));
      } else {
        all.both += sums.both;
        all.apart += sums.apart;
      }
    }
  }
  return sum + value(all);
}

}  // namespace plaudit
