#include "verification/checker/curves/shuffled_curves.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "accountants/proof/arithmetic/balls.hpp"
#include "accountants/proof/arithmetic/rejected.hpp"

namespace plaudit::proof {

namespace {

constexpr int share_bits = 44;
static_assert(most_shuffled_users + 1 < std::uint64_t{1} << (63 - share_bits));
constexpr std::uint64_t told_apart = 64;  ///< messages of which each number stands for itself
constexpr double spent_on_vote = 15;
constexpr double spent_on_cell = 8;

Interval whole(std::uint64_t n) { return Interval(static_cast<unsigned long>(n)); }
/// x by / all
Interval share_of(Interval x, std::uint64_t by, std::uint64_t all) {
  x *= whole(by);
  return x /= whole(all);
}

/// 10^-digits
Interval power_of_ten(unsigned digits) {
  return Interval(Rational(Integer(1), Integer(pow(Integer(10), digits))));
}

/// floor(2^44 x) of both ends, and 1 more of the upper one, of a number from 0 to 1.
struct Units {
  std::uint64_t low;
  std::uint64_t high;
};
Units units_of(const Interval& x) {
  const auto [low, high] = floors_of(scaled(x, share_bits));
  const long all = 1L << share_bits;
  const auto within = [all](const Integer& n) {
    return static_cast<std::uint64_t>(std::min(std::max(to_long(n), 0L), all));
  };
  return {within(low), within(high + 1)};
}
/// The least integer that is at least so many units.
std::uint64_t rounded_up(std::uint64_t units) {
  return (units + (std::uint64_t{1} << share_bits) - 1) >> share_bits;
}

/// The masses of a binomial number from `first` on, and what all others have at most.
struct Window {
  std::uint64_t first;
  std::vector<Interval> masses;
  Interval outside;
};

/// @param rest 1 - rate, which may be small.
Window window_of(std::uint64_t n, const Interval& rate, const Interval& rest, unsigned rare) {
  const Integer mean = floors_of(whole(n) * rate).first;
  const auto middle =
      static_cast<std::uint64_t>(std::min(std::max(to_long(mean), 0L), static_cast<long>(n)));
  const Interval likeliest =
      Made<Interval>::binomial(n, middle) * power(rate, middle) * power(rest, n - middle);
  const Interval least = likeliest * power_of_ten(rare);
  const Interval odds = rate / rest;
  std::vector<Interval> masses;
  Interval mass = likeliest;
  std::uint64_t first = middle;
  while (first > 0 && !at_most(mass, least)) {
    mass = share_of(mass / odds, first, n - first + 1);
    masses.push_back(mass);
    --first;
  }
  std::reverse(masses.begin(), masses.end());
  masses.push_back(likeliest);
  mass = likeliest;
  for (std::uint64_t k = middle; k < n && !at_most(mass, least); ++k) {
    mass = share_of(mass * odds, n - k, k + 1);
    masses.push_back(mass);
  }
  Interval outside = 1;
  for (const Interval& each : masses) outside -= each;
  return {first, std::move(masses), top(max(outside, 0))};
}

/// P(A = i) and P(A >= i) of fair votes A ~ Binomial(c, 1/2), i from the middle up.
struct FairVotes {
  std::vector<Interval> masses;
  std::vector<Interval> tails;
};

/// The last entry bounds each of the masses behind rare ones, which fall. @param rare 0: all are
/// kept.
FairVotes fair_votes(std::uint64_t c, unsigned rare) {
  const std::uint64_t middle = c / 2;
  Interval mass = scaled(Made<Interval>::binomial(c, middle), -static_cast<long>(c));
  const Interval least = mass * power_of_ten(rare);
  FairVotes votes;
  std::uint64_t i = middle;
  for (;; ++i) {
    votes.masses.push_back(mass);
    if (i == c || (rare != 0 && at_most(mass, least))) break;
    mass = share_of(std::move(mass), c - i, i + 1);
  }
  Interval tail = 0;
  if (i < c) {
    votes.masses.push_back(hull(0, top(mass)));
    tail = hull(0, top(mass) * whole(c - i));
  }
  votes.tails.assign(votes.masses.size(), tail);
  for (std::size_t k = votes.masses.size() - (i < c ? 1 : 0); k-- > 0;) {
    tail += votes.masses[k];
    votes.tails[k] = tail;
  }
  return votes;
}

class Clones final : public ShuffledCurve {
 public:
  Clones(Rational epsilon, std::uint64_t users, Budget& budget, RareDigits rare)
      : epsilon_(std::move(epsilon)),
        e_(exp(Interval(epsilon_))),
        e_less_1_(expm1(Interval(epsilon_))) {
    budget.spend(static_cast<double>(users));
    clones_ = window_of(users - 1, 2 / (1 + e_), e_less_1_ / (1 + e_), rare.numbers);
    fewest_ = fair_votes(clones_.first, 0);
  }

  Interval at(const Rational& loss, Budget& budget) const override {
    budget.spend(spent_on_vote * static_cast<double>(clones_.masses.size()));
    const Interval more = expm1(Interval(Rational(epsilon_ + loss)));  // x e - 1
    const Interval slope = -expm1(Interval(loss));
    const Interval step = more / (1 + e_);
    const Units share = units_of(more / (e_less_1_ * (2 - slope)));
    std::uint64_t c = clones_.first;
    std::uint64_t i = edge(c, share.low);
    Interval mass = fewest_.masses[i - c / 2];
    Interval tail = fewest_.tails[i - c / 2];
    Interval sum = clones_.outside;
    for (const Interval& weight : clones_.masses) {
      for (const std::uint64_t best = edge(c, share.low); i < best; ++i) {
        tail -= mass;
        mass = share_of(std::move(mass), c - i, i + 1);
      }
      Interval value = slope * tail + step * mass;
      if (const std::uint64_t other = edge(c, share.high); other > i) {
        if (other > i + 1) return 1;  // more bits tell which it is
        value = max(value, slope * (tail - mass) + step * share_of(mass, c - i, i + 1));
      }
      sum += weight * max(value, 0);
      // another vote: P(A = i - 1) = P(A = i) i / (c - i + 1)
      tail += half(share_of(mass, i, c - i + 1));
      mass = share_of(std::move(mass), c + 1, 2 * (c + 1 - i));
      ++c;
    }
    return sum;
  }

 private:
  /// The least i from c / 2 to c with i + 1 >= (c + 1) share; c where there is none.
  static std::uint64_t edge(std::uint64_t c, std::uint64_t share) {
    const std::uint64_t votes = rounded_up((c + 1) * share);
    return std::min(c, std::max(votes, c / 2 + 1) - 1);
  }

  Rational epsilon_;
  Interval e_;
  Interval e_less_1_;
  Window clones_;
  FairVotes fewest_;
};

class Categories final : public ShuffledCurve {
 public:
  Categories(Rational epsilon, std::uint64_t users, std::uint64_t categories, Budget& budget,
             RareDigits rare)
      : epsilon_(std::move(epsilon)),
        e_(exp(Interval(epsilon_))),
        e_less_1_(expm1(Interval(epsilon_))) {
    const Interval all = e_ + whole(categories - 1);
    const Interval others = e_less_1_ + whole(categories - 2);  // times the share 1/all
    const Interval heavy = whole(categories - 2) / others;
    const Window votes = window_of(users, 2 / all, others / all, rare.numbers);
    Interval known = 0;  // P-mass
    for (std::size_t k = 0; k < votes.masses.size(); ++k) {
      Row row{votes.first + k, {}, {}};
      const std::uint64_t messages = users - row.votes;
      row.fair = fair_votes(row.votes, rare.votes);
      const Interval weight = votes.masses[k] / whole(users);
      add_cells(row, weight, window_of(messages, heavy, e_less_1_ / others, rare.numbers),
                step_of(messages, heavy));
      known += weight * (half((e_ + 1) * whole(row.votes)) + heavy * whole(messages));
      budget.spend(static_cast<double>(8 * row.fair.masses.size() + 20 * row.cells.size()));
      cells_ += row.cells.size();
      rows_.push_back(std::move(row));
    }
    rest_ = top(max(1 - known, 0));
  }

  Interval at(const Rational& loss, Budget& budget) const override {
    budget.spend(spent_on_cell * static_cast<double>(cells_));
    const Interval less = expm1(Interval(loss));  // x - 1
    const Interval unit = e_less_1_ * (2 + less);
    const Units of_vote = units_of(expm1(Interval(Rational(epsilon_ + loss))) / unit);
    const Units of_other = units_of(less / unit);
    const auto value = [&](const Sums& sums) { return (2 + less) * sums.apart - less * sums.both; };
    Interval sum = rest_;
    Sums all;
    for (const Row& row : rows_) {
      for (const Cell& cell : row.cells) {
        const std::uint64_t low = rounded_up(row.votes * of_vote.low + cell.others * of_other.low);
        const std::uint64_t high =
            rounded_up(row.votes * of_vote.high + cell.others * of_other.high);
        if (high > low + 1) return 1;  // more bits tell which it is
        Sums sums = sums_of(row, cell, low);
        if (high > low) {
          sum += max(max(value(sums), value(sums_of(row, cell, high))), 0);
        } else {
          all.both += sums.both;
          all.apart += sums.apart;
        }
      }
    }
    return sum + value(all);
  }

 private:
  /// One number W of messages that say neither value, with factors of what it adds to the masses.
  struct Cell {
    std::uint64_t others;
    Interval both;   ///< of P(i >= I), in P and Q
    Interval apart;  ///< of I P(i = I), added to P and taken from Q
  };
  struct Row {
    std::uint64_t votes;  ///< T
    std::vector<Cell> cells;
    FairVotes fair;
  };
  struct Sums {
    Interval both = 0;
    Interval apart = 0;
  };

  /// Two deviations of W, rounded down. Another step would be as sound, but its bounds may be above
  /// those that the program states, which has this one.
  static std::uint64_t step_of(std::uint64_t messages, const Interval& rate) {
    if (messages <= told_apart) return 1;
    const Interval variance = whole(messages) * rate * (1 - rate);
    const long step = to_long(root_of(floors_of(max(4 * variance, 0)).first));
    return static_cast<std::uint64_t>(std::max(1L, step));
  }

  /// W moves to the multiples of the step on both sides with the same mean, what lies outside of
  /// the window to 0.
  void add_cells(Row& row, const Interval& weight, const Window& others, std::uint64_t step) const {
    const std::uint64_t first = others.first / step;
    const std::uint64_t last = (others.first + others.masses.size() - 1 + step - 1) / step;
    std::vector<Interval> masses(last - first + 1, Interval(0));
    for (std::size_t k = 0; k < others.masses.size(); ++k) {
      const std::uint64_t w = others.first + k;
      const std::uint64_t beyond = w % step;
      const std::size_t place = w / step - first;
      masses[place] += share_of(others.masses[k], step - beyond, step);
      if (beyond != 0) masses[place + 1] += share_of(others.masses[k], beyond, step);
    }
    const Interval of_votes = half((e_ + 1) * whole(row.votes));
    const auto add = [&](std::uint64_t w, const Interval& mass) {
      row.cells.push_back(
          {w, weight * mass * (of_votes + whole(w)), half(weight * mass * e_less_1_)});
    };
    add(0, others.outside);
    for (std::size_t place = 0; place < masses.size(); ++place) {
      add((first + place) * step, masses[place]);
    }
  }

  /// Of the event {i >= least}.
  static Sums sums_of(const Row& row, const Cell& cell, std::uint64_t least) {
    if (least > row.votes) return {};
    const std::uint64_t middle = row.votes / 2;
    const std::uint64_t i = std::max(least, middle);
    const std::size_t k = std::min<std::size_t>(i - middle, row.fair.masses.size() - 1);
    return {cell.both * row.fair.tails[k], cell.apart * (row.fair.masses[k] * whole(i))};
  }

  Rational epsilon_;
  Interval e_;
  Interval e_less_1_;
  std::vector<Row> rows_;
  std::size_t cells_ = 0;
  Interval rest_;
};

class TwoValues final : public ShuffledCurve {
 public:
  TwoValues(Rational epsilon, std::uint64_t users, Budget& budget)
      : epsilon_(std::move(epsilon)), e_(exp(Interval(epsilon_))) {
    budget.spend(static_cast<double>(users * users * users));
    for (std::uint64_t held = 0; held < users; ++held) {
      std::vector<Interval> law{Interval(1)};
      for (std::uint64_t other = 1; other < users; ++other) {
        const Interval one = (other <= held ? e_ : Interval(1)) / (1 + e_);
        law.emplace_back(0);
        for (std::size_t i = law.size() - 1; i > 0; --i) {
          law[i] = (1 - one) * law[i] + one * law[i - 1];
        }
        law[0] *= 1 - one;
      }
      laws_.push_back(std::move(law));
    }
  }

  Interval at(const Rational& loss, Budget& budget) const override {
    budget.spend(static_cast<double>(4 * laws_.size() * laws_.size()));
    const Interval of_one = (e_ - exp(Interval(loss))) / (1 + e_);
    const Interval of_other = -expm1(Interval(Rational(epsilon_ + loss))) / (1 + e_);
    Interval greatest = 0;
    for (const std::vector<Interval>& law : laws_) {
      Interval sum = 0;
      for (std::size_t i = 1; i <= law.size(); ++i) {
        const Interval one = of_one * law[i - 1];
        sum += max(i < law.size() ? one + of_other * law[i] : one, 0);
      }
      greatest = max(greatest, sum);  // without a message of the one, Q has more
    }
    return greatest;
  }

 private:
  Rational epsilon_;
  Interval e_;
  /// By how many of the others hold the one value: P(i messages of it among theirs).
  std::vector<std::vector<Interval>> laws_;
};

}  // namespace

std::unique_ptr<const ShuffledCurve> curve_of_clones(const Rational& epsilon, std::uint64_t users,
                                                     Budget& budget, RareDigits rare) {
  require(users >= 1 && users <= most_shuffled_users, "a number of users that is not taken");
  return std::make_unique<Clones>(epsilon, users, budget, rare);
}

std::unique_ptr<const ShuffledCurve> curve_of_categories(const Rational& epsilon,
                                                         std::uint64_t users,
                                                         std::uint64_t categories, Budget& budget,
                                                         RareDigits rare) {
  require(users >= 1 && users <= most_shuffled_users, "a number of users that is not taken");
  require(categories >= 3, "a number of categories that is not taken");
  return std::make_unique<Categories>(epsilon, users, categories, budget, rare);
}

std::unique_ptr<const ShuffledCurve> curve_of_two_values(const Rational& epsilon,
                                                         std::uint64_t users, Budget& budget) {
  require(users >= 1 && users <= most_shuffled_users, "a number of users that is not taken");
  return std::make_unique<TwoValues>(epsilon, users, budget);
}

}  // namespace plaudit::proof
