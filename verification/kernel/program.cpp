#include "verification/kernel/program.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"

namespace plaudit::kernel {

namespace {

/// floor(x share), roughly.
Integer part_of(const Integer& x, double share) {
  constexpr int bits = 52;
  return down(bits, x * clamped_integer(std::ldexp(share, bits), 0, most_index));
}

class Composer {
 public:
  Composer(const FixedFormat& format, const std::vector<LatticeBound>& laws, const RunSize& run,
           const Rational& delta, const Heuristics& heuristics)
      : format_(format),
        heuristics_(heuristics),
        steps_(run.steps),
        tilt_(-run.tilt * std::log1p(-std::ldexp(1.0, static_cast<int>(-format.e())))),
        registers_(laws),
        powers_(laws.size(), 1) {
    const Integer unit = Integer(1) << static_cast<unsigned long>(2 * format.B());
    delta_ = floor_of(delta * Rational(unit));
  }

  std::size_t power(std::size_t law, std::uint64_t count) {
    return format_.mode() == Mode::up || registers_[law].levels == 0 ? power_from_above(law, count)
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
  /// By squaring, and products with the law itself.
  std::size_t power_from_above(std::size_t law, std::uint64_t count) {
    std::size_t base = law;
    std::size_t now = law;
    std::uint64_t done = 1;
    for (int bit = static_cast<int>(std::bit_width(count)) - 2; bit >= 0; --bit) {
      now = widened_to(now, stride_for(law, static_cast<double>(done)));
      now = product(now, now);
      done *= 2;
      if ((count >> bit & 1) != 0) {
        base = widened_to(base, registers_[now].stride);
        now = product(now, base);
        ++done;
      }
    }
    return now;
  }

  /// By squaring on the first lattice while the steps are few; then n = q 2^s + r, where r is 0 or
  /// not few either, so that no law of few steps has to be on a wider lattice.
  std::size_t power_of_smooth(std::size_t law, std::uint64_t count) {
    const std::uint64_t few = heuristics_.smooth_steps;
    int s = 0;
    while ((count >> s) >= 3 * few) ++s;
    std::uint64_t rest = count - ((count >> s) << s);
    while (rest != 0 && rest < few) rest += std::uint64_t{1} << s;
    std::size_t now = on_first_lattice(law, (count - rest) >> s);
    double done = static_cast<double>((count - rest) >> s);
    for (; s > 0; --s, done *= 2) {
      now = widened_to(now, stride_for(law, done));
      now = product(now, now);
    }
    return rest == 0 ? now : of_both(power_of_smooth(law, rest), now);
  }

  std::size_t on_first_lattice(std::size_t law, std::uint64_t count) {
    std::size_t now = law;
    for (int bit = static_cast<int>(std::bit_width(count)) - 2; bit >= 0; --bit) {
      now = product(now, now);
      if ((count >> bit & 1) != 0) now = product(now, law);
    }
    return now;
  }

  long stride_for(std::size_t law, double done) const {
    const double doublings = std::log(std::max(1.0, done / heuristics_.first_widening)) /
                                 std::log(heuristics_.widening_base) +
                             heuristics_.rounding_slack;
    const LatticeBound& first = registers_[law];
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
  double tilt_;  ///< of a place
  Integer delta_;
  std::vector<LatticeBound> registers_;
  std::vector<double> powers_;
  std::vector<Instruction> instructions_;
};

}  // namespace

Program composed(const FixedFormat& format, const std::vector<LatticeBound>& laws,
                 const std::vector<std::uint64_t>& counts, const RunSize& run,
                 const Rational& delta, const Heuristics& heuristics) {
  Composer composer(format, laws, run, delta, heuristics);
  std::size_t all = composer.power(0, counts[0]);
  for (std::size_t law = 1; law < laws.size(); ++law)
    all = composer.of_both(all, composer.power(law, counts[law]));
  return std::move(composer).program();
}

}  // namespace plaudit::kernel
