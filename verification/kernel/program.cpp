#include "verification/kernel/program.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"

namespace plaudit::kernel {

namespace {

/// floor(x share), roughly.
Integer part_of(const Integer& x, double share) {
  constexpr int bits = 52;
  return down(bits, x * clamped_integer(std::ldexp(share, bits), 0, most_index));
}

/// The cheapest ways to a power by squares, products with the base, and powers of powers.
class WaysOfProducts {
 public:
  /// What a square of a law costs, and a product of two, which takes three convolutions, not two
  /// (theories/Powers.v, squared and times).
  static constexpr double square = 2;
  static constexpr double two = 3;

  /// Of all powers up to x^most.
  explicit WaysOfProducts(std::uint64_t most) : ways_(most + 1) {
    for (std::uint64_t n = 2; n <= most; ++n) {
      const Way one_more{ways_[n - 1].cost + two, 0};
      Way& way = ways_[n];
      if (n == 2) way = {square, 2};
      if (n > 2 && (way.last == 0 || one_more.cost <= way.cost)) way = one_more;
      for (std::uint64_t f = 2; f <= n && f * n <= most; ++f) {
        Way& power = ways_[f * n];
        const double all = ways_[f].cost + way.cost;
        if (power.last == 0 || all <= power.cost) power = {all, n};
      }
    }
  }

  double cost(std::uint64_t n) const { return ways_[n].cost; }
  /// x^n is (x^(n/f))^f, f = 2 where that is a square; 0: it is x^(n-1) times x.
  std::uint64_t last_factor(std::uint64_t n) const { return ways_[n].last; }

  /// q and m of the cheapest n = q m + r of those with few <= q < 3 few, and r = 0 or few <= r <
  /// 3 few; n and 1 where there is none.
  std::pair<std::uint64_t, std::uint64_t> not_few(std::uint64_t n, std::uint64_t few) const {
    std::pair<std::uint64_t, std::uint64_t> best{n, 1};
    if (n < 2 * few) return best;
    double least = std::numeric_limits<double>::infinity();
    for (std::uint64_t q = few; q < 3 * few && q <= n; ++q) {
      std::uint64_t m = n / q;
      if (n % q != 0) m = (n - few) / q;
      const std::uint64_t rest = n - q * m;
      if (m == 0 || (rest != 0 && rest >= 3 * few)) continue;
      const double all = cost(q) + cost(m) + (rest == 0 ? 0 : cost(rest) + two);
      if (all < least) {
        least = all;
        best = {q, m};
      }
    }
    return best;
  }

 private:
  struct Way {
    double cost = 0;
    std::uint64_t last = 0;
  };

  std::vector<Way> ways_;
};

class Composer {
 public:
  Composer(const FixedFormat& format, const std::vector<LatticeBound>& laws, const RunSize& run,
           std::uint64_t most, const Rational& delta, const Heuristics& heuristics)
      : format_(format),
        heuristics_(heuristics),
        steps_(run.steps),
        tilt_(-run.tilt * std::log1p(-std::ldexp(1.0, static_cast<int>(-format.e())))),
        ways_(most),
        registers_(laws),
        powers_(laws.size(), 1) {
    const Integer unit = Integer(1) << static_cast<unsigned long>(2 * format.B());
    delta_ = floor_of(delta * Rational(unit));
  }

  std::size_t power(std::size_t law, std::uint64_t count) {
    first_ = law;
    return format_.mode() == Mode::up || registers_[law].levels == 0 ? power_of(law, count, true)
                                                                     : power_of_smooth(law, count);
  }

  std::size_t of_both(std::size_t a, std::size_t b) {
    a = widened_to(a, registers_[b].stride);
    b = widened_to(b, registers_[a].stride);
    return product(a, b);
  }

  /// The checker reads the last register.
  Program program() && { return {std::move(instructions_), std::move(registers_.back())}; }

 private:
  /// By the cheapest way of products, on wider lattices as the steps become many, or all on one.
  std::size_t power_of(std::size_t base, std::uint64_t n, bool widening) {
    if (n == 1) return base;
    const std::uint64_t last = ways_.last_factor(n);
    if (last == 0) {
      const std::size_t now = power_of(base, n - 1, widening);
      return product(now, widened_to(base, registers_[now].stride));
    }
    if (last < n) return power_of(power_of(base, n / last, widening), last, widening);
    const std::size_t wide = widening ? widened_to(base, stride_for(powers_[base])) : base;
    return product(wide, wide);
  }

  /// n = q m + r: q steps, which are not few, on the first lattice, that to the power m on wider
  /// ones, and r, which are none or not few either: no law of few steps is on a wider lattice.
  std::size_t power_of_smooth(std::size_t law, std::uint64_t count) {
    const std::uint64_t few = heuristics_.smooth_steps;
    const auto [q, m] = ways_.not_few(count, few);
    const std::size_t now = power_of(power_of(law, q, false), m, true);
    const std::uint64_t rest = count - q * m;
    return rest == 0 ? now : of_both(power_of_smooth(law, rest), now);
  }

  long stride_for(double done) const {
    const double doublings = std::log(std::max(1.0, done / heuristics_.first_widening)) /
                                 std::log(heuristics_.widening_base) +
                             heuristics_.rounding_slack;
    const LatticeBound& first = registers_[first_];
    return first.stride << std::clamp(integer(doublings), 0L, static_cast<long>(first.levels));
  }
  static long integer(double x) { return checked_integer(x, "a number of doublings"); }

  std::size_t widened_to(std::size_t i, long stride) {
    while (registers_[i].stride < stride) {
      registers_.push_back(format_.widened(registers_[i]));
      powers_.push_back(powers_[i]);
      instructions_.push_back({false, i, i, {}});
      i = registers_.size() - 1;
    }
    return i;
  }

  std::size_t product(std::size_t i, std::size_t j) {
    const double share = (powers_[i] + powers_[j]) / steps_;
    const long g = registers_[i].stride;
    const long w = registers_[i].wide();
    WindowChooser choose;
    choose.of_fine = [&](long offset, const Weights& fine, std::optional<long> coarse) {
      return window(offset, fine, coarse, g, w, share);
    };
    choose.of_coarse = [&](const Weights& coarse) {
      const Integer most = part_of(delta_, heuristics_.high_share * share);
      return kept_of(coarse, 0, most);
    };
    Window chosen;
    LatticeBound result = format_.times(registers_[i], registers_[j], i == j, choose, chosen);
    registers_.push_back(std::move(result));
    powers_.push_back(powers_[i] + powers_[j]);
    instructions_.push_back({true, i, j, chosen});
    return registers_.size() - 1;
  }

  /// How many weights are left where those at the end, at most this much together, go.
  static long kept_of(const Weights& c, std::size_t from, const Integer& most) {
    Integer sum;
    std::size_t end = c.size();
    while (end > from && sum + c[end - 1] <= most) sum += c[--end];
    return static_cast<long>(end);
  }

  Window window(long offset, const Weights& fine, std::optional<long> coarse, long g, long w,
                double share) const {
    const Integer total = sum_of_weights(fine);
    Integer sum;
    std::size_t skip = 0;
    double log_of_all = 0;
    while (skip + 1 < fine.size()) {
      sum += fine[skip];
      log_of_all =
          sum == 0 ? -std::numeric_limits<double>::infinity()
                   : estimate_log(Rational(sum)) - 2 * static_cast<double>(format_.B()) * log_two;
      const double place =
          static_cast<double>(offset) + static_cast<double>(skip + 1) * static_cast<double>(g);
      if (log_of_all + tilt_ * place > std::log(heuristics_.low_share * share)) break;
      ++skip;
    }
    Window result;
    result.skip = static_cast<long>(skip) / (w / g) * (w / g);
    const std::size_t from = static_cast<std::size_t>(result.skip);
    if (!coarse) {  // and none begins, for it would have the whole width of the sum
      result.length = static_cast<long>(fine.size()) - result.skip;
      return result;
    }
    result.length =
        kept_of(fine, from, part_of(total, heuristics_.bulk_share * share)) - result.skip;
    while ((offset + (result.skip + result.length) * g - *coarse) % w != 0) ++result.length;
    return result;
  }

  const FixedFormat& format_;
  const Heuristics& heuristics_;
  double steps_;
  double tilt_;            ///< of a place
  std::size_t first_ = 0;  ///< the law of the power that is made
  WaysOfProducts ways_;
  Integer delta_;
  std::vector<LatticeBound> registers_;
  std::vector<double> powers_;
  std::vector<Instruction> instructions_;
};

}  // namespace

Program composed(const FixedFormat& format, const std::vector<LatticeBound>& laws,
                 const std::vector<std::uint64_t>& counts, const RunSize& run,
                 const Rational& delta, const Heuristics& heuristics) {
  const std::uint64_t most = *std::max_element(counts.begin(), counts.end());
  Composer composer(format, laws, run, most, delta, heuristics);
  std::size_t all = composer.power(0, counts[0]);
  for (std::size_t law = 1; law < laws.size(); ++law)
    all = composer.of_both(all, composer.power(law, counts[law]));
  return std::move(composer).program();
}

}  // namespace plaudit::kernel
