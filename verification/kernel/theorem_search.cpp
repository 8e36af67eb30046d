#include "verification/kernel/theorem_search.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <stdexcept>

#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/work/work_limit.hpp"
#include "verification/kernel/program.hpp"

namespace plaudit::kernel {

namespace {

/// A theorem's epsilon is a multiple of 1 / decimal_unit, up to the greatest.
constexpr long decimal_unit = 10'000'000;
constexpr long greatest_epsilon = 1'000;
/// Places that lower ends keep from their losses, so that what is decided in doubles is so in
/// integers too.
constexpr double phase_slack = 1e-3;

long rounded_up(double x, long unit) {
  return checked_integer(std::ceil(x / static_cast<double>(unit)), "a number of bits") * unit;
}

/// Bits after the point: of weights (B), of powers of rho (D), of probabilities (T).
struct Sizes {
  long B;
  long D = 80;
  long T = 96;
};

Sizes sizes_of(const Task& task, const Fineness& fineness, const Heuristics& heuristics) {
  Sizes sizes;
  sizes.B = rounded_up(heuristics.weight_bits + std::log2(heuristics.places_for_bits * task.steps) -
                           estimate_log(task.delta) / log_two,
                       4);
  for (const CountedLaw& each : task.laws) {
    const LawBits bits = each.law->bits(fineness);
    sizes.T = std::max({sizes.T, rounded_up(bits.probability + heuristics.mass_bits, 32),
                        rounded_up(heuristics.tilt_bits + bits.small_ratio, 32)});
    sizes.D = std::max(sizes.D, rounded_up(bits.great_ratio + heuristics.power_bits, 16));
  }
  sizes.T = std::max(sizes.T, rounded_up(static_cast<double>(sizes.B + 40), 32));
  return sizes;
}

/// Where all laws have their losses on one lattice: the finest lattice of the library on which the
/// spacing is nearly a whole number of places.
struct CommonLattice {
  long e;
  long stride;
};

std::optional<CommonLattice> common_lattice(const Task& task, const Heuristics& heuristics) {
  Rational spacing = 0;
  double range = 0;
  for (const CountedLaw& each : task.laws) {
    const std::optional<LatticeOfLosses> lattice = each.law->lattice();
    if (!lattice) return std::nullopt;
    spacing = common_divisor(spacing, lattice->spacing);
    range = std::max(range, lattice->most * estimate(lattice->spacing));
  }
  const double s = estimate(spacing);
  std::optional<CommonLattice> best;
  double least = std::numeric_limits<double>::infinity();
  for (long e = heuristics.least_e; e <= heuristics.most_e_of_lattices; ++e) {
    const double unit = -std::log1p(-std::ldexp(1.0, static_cast<int>(-e)));
    const double stride = std::round(s / unit);
    if (stride < 1 || stride > heuristics.most_stride || range / unit > heuristics.most_range)
      continue;
    const double off = std::abs(s - stride * unit);
    if (off < least) {
      least = off;
      best = CommonLattice{e, checked_integer(stride, "a stride")};
    }
  }
  return best;
}

/// The places of one law on the common lattice: for upper ends around its losses, for lower ones at
/// or below each of them.
LatticeOfPlaces places_of(const StepLaw& law, const CommonLattice& common, Mode mode) {
  const LatticeOfLosses lattice = *law.lattice();
  const double unit = -std::log1p(-std::ldexp(1.0, static_cast<int>(-common.e)));
  const double offset = estimate(lattice.offset) / unit;
  LatticeOfPlaces places{common.stride, 0, 0, true};
  if (mode == Mode::up) {
    places.phase = checked_integer(std::round(offset), "a phase");
    return places;
  }
  const double each = estimate(lattice.spacing) / unit;
  const double steps = std::round(each / static_cast<double>(common.stride));
  const double drift = each - steps * static_cast<double>(common.stride);
  places.phase = checked_integer(
      std::floor(offset + std::min(0.0, lattice.most * drift) - phase_slack), "a phase");
  return places;
}

/// exp(epsilon) from the safe side, in units of 2^-bits: enough for a place of the lattice that is
/// so far from 0.
NearExp near_exp(const FixedFormat& format, const Rational& epsilon, long farthest) {
  constexpr long spare = 64;
  const double unit = -std::log1p(-std::ldexp(1.0, static_cast<int>(-format.e())));
  const long size = checked_integer(std::ceil(static_cast<double>(farthest) * unit / log_two),
                                    "a number of bits");
  NearExp near{format.D() + size + spare, {}};
  const PrecisionScope scope(near.bits + 2 * spare);
  const Ball y = ldexp(exp(Ball(epsilon)), near.bits);
  near.value = format.mode() == Mode::up ? floor_of(exact_rational(y.lower()))
                                         : floor_of(exact_rational(y.upper())) + 1;
  return near;
}

/// The integer that stands for exp(epsilon) rho^offset 2^D: the best one that passes the checker's
/// test (theories/Runs.v, placed_by).
Integer place_of(const FixedFormat& format, const NearExp& near, long offset) {
  const bool up = format.mode() == Mode::up;
  const unsigned long D = static_cast<unsigned long>(format.D());
  Integer top = near.value << D;
  Integer bottom = Integer(1) << static_cast<unsigned long>(near.bits);
  if (offset > 0) {
    top *= up ? low_of(format.e(), near.bits, offset) : high_of(format.e(), near.bits, offset);
    bottom <<= static_cast<unsigned long>(near.bits);
  } else if (offset < 0) {
    bottom = up ? high_of(format.e(), near.bits, -offset) : low_of(format.e(), near.bits, -offset);
  }
  Integer result;
  (up ? mpz_fdiv_q : mpz_cdiv_q)(result.data(), top.data(), bottom.data());
  return result;
}

/// The decimal epsilon of the theorem: the least for which delta is low enough, or the greatest for
/// which it is not.
class EpsilonSearch {
 public:
  explicit EpsilonSearch(TheoremData& theorem) : theorem_(theorem) {}

  void search() {
    const bool up = theorem_.format.mode() == Mode::up;
    if (!up && !exceeds(0)) throw std::domain_error("no lower end above 0 was found");
    long low = -1;  // exceeds, or less than 0
    long high = decimal_unit;
    while (exceeds(high)) {
      low = high;
      high *= 2;
      if (high > greatest_epsilon * decimal_unit)
        throw std::domain_error("the bound of delta is above it everywhere");
    }
    while (high - low > 1) {
      const long middle = low + (high - low) / 2;
      (exceeds(middle) ? low : high) = middle;
    }
    take(up ? high : low);
  }

 private:
  void take(long k) {
    theorem_.epsilon = Rational(k, decimal_unit);
    const LatticeBound& law = theorem_.program.result;
    theorem_.near = near_exp(theorem_.format, theorem_.epsilon,
                             std::max(std::labs(law.offset), std::labs(law.offset_coarse)));
    theorem_.place = place_of(theorem_.format, theorem_.near, law.offset);
    theorem_.place_coarse = place_of(theorem_.format, theorem_.near, law.offset_coarse);
  }
  /// Whether the value at k 10^-7 is above delta.
  bool exceeds(long k) {
    take(k);
    const FixedFormat& format = theorem_.format;
    const Integer value =
        format.delta(theorem_.place, theorem_.place_coarse, theorem_.program.result);
    return value * denominator(theorem_.delta) >
           numerator(theorem_.delta) << static_cast<unsigned long>(format.B() + format.D());
  }

  TheoremData& theorem_;
};

/// How fine the lattice and the slices of a try are.
struct Choice {
  long e;
  double slices;
};

Attempt attempt(const Task& task, const Choice& choice, const Heuristics& heuristics) {
  const std::optional<CommonLattice> common = common_lattice(task, heuristics);
  const long e = common ? common->e : choice.e;
  const Fineness fineness{
      choice.slices,
      std::sqrt(2 * (std::log(task.steps / heuristics.outside_share) - estimate_log(task.delta))),
      heuristics.most_cells, task.mode == Mode::down};
  const Sizes sizes = sizes_of(task, fineness, heuristics);
  Attempt result{{{},
                  task.direction,
                  FixedFormat(task.mode, e, sizes.B, sizes.D),
                  sizes.T,
                  heuristics.share_bits,
                  {},
                  {},
                  {},
                  task.delta,
                  {},
                  {},
                  {}},
                 {}};
  TheoremData& theorem = result.theorem;
  const RunSize run{task.steps,
                    -estimate_log(task.delta) /
                        std::max(estimate(exact_rational(task.certified.middle())), 1e-6)};
  std::vector<LatticeBound> laws;
  std::vector<std::uint64_t> counts;
  for (std::size_t i = 0; i < task.laws.size(); ++i) {
    const CountedLaw& each = task.laws[i];
    Source source = each.law->source("law" + std::to_string(i), fineness, sizes.T, sizes.B);
    const LatticeOfPlaces places = common ? places_of(*each.law, *common, task.mode)
                                          : LatticeOfPlaces{1, 0, heuristics.levels, false};
    LawChoices choices = choose_law(source, theorem.format, places, run, heuristics);
    laws.push_back(choices.law);
    counts.push_back(each.count);
    theorem.steps.push_back({each.law, std::move(source), std::move(choices), each.count});
  }
  theorem.program = composed(theorem.format, laws, counts, run, task.delta, heuristics);
  EpsilonSearch(theorem).search();
  const Rational end = exact_rational(task.certified.middle());
  result.distance = task.mode == Mode::up ? theorem.epsilon - end : end - theorem.epsilon;
  return result;
}

/// Looks for the coarsest lattice and the fewest slices with which the theorem is near enough to
/// the certified end. Both errors are of second order: a try on a lattice of half the width says
/// how much of the distance is the lattice's, and so how fine each has to be.
class Search {
 public:
  Search(const Task& task, const Heuristics& heuristics, const std::function<void()>& one_more)
      : task_(task), heuristics_(heuristics), one_more_(one_more) {
    if (common_lattice(task, heuristics))
      most_tries_ = 1;  // it is as fine as it can be
    else
      most_tries_ = heuristics.most_tries;
  }

  Attempt nearest(long e) {
    Choice now{e, heuristics_.slices};
    std::optional<double> distance = tried(now);
    // A lattice that is right for the narrowest law may be too fine for the widest one.
    while (!distance && too_fine_ <= now.e && now.e > heuristics_.least_e) {
      --now.e;
      distance = tried(now);
    }
    while (!done()) {
      if (now.e + 1 >= too_fine_) {
        if (!more_slices_help(now, distance)) break;
        continue;
      }
      Choice finer = now;
      ++finer.e;
      const std::optional<double> of_finer = tried(finer);
      if (done()) break;
      if (finer.e >= too_fine_) continue;
      if (!distance || !of_finer) {
        now = finer;
        distance = of_finer;
        continue;
      }
      now = chosen(finer, *distance, *of_finer);
      distance = tried(now);
    }
    if (!best_) throw std::invalid_argument("prove found no theorem: " + why_);
    return std::move(*best_);
  }

 private:
  bool done() const {
    return (best_ && best_->distance <= task_.width) || tries_ >= most_tries_ ||
           last_e_ > heuristics_.most_e;
  }

  std::optional<double> tried(const Choice& choice) {
    check_work_limit();
    if (tries_ > 0) one_more_();
    last_e_ = choice.e;
    try {
      Attempt next = attempt(task_, choice, heuristics_);
      const double distance = estimate(next.distance);
      if (!best_ || next.distance < best_->distance) best_ = std::move(next);
      ++tries_;
      return distance;
    } catch (const TooFine& error) {  // soon known: not counted
      too_fine_ = choice.e;
      why_ = error.what();
      return std::nullopt;
    } catch (const std::domain_error& error) {
      ++tries_;
      why_ = error.what();
      return std::nullopt;
    }
  }

  /// Twice as many slices on the same lattice.
  bool more_slices_help(Choice& now, std::optional<double>& distance) {
    constexpr double worth_it = 0.9;
    now.slices *= 2;
    const std::optional<double> next = tried(now);
    const bool better = next && distance && *next <= worth_it * *distance;
    distance = next;
    return better;
  }

  /// From two tries, of which the finer lattice's is the second.
  Choice chosen(const Choice& finer, double distance, double of_finer) const {
    constexpr double of_order_two = 4;
    const double wanted = heuristics_.aimed_share * estimate(task_.width);
    const double rest = std::max(0.0, (of_order_two * of_finer - distance) / (of_order_two - 1));
    double of_lattice = std::max(0.0, of_finer - rest);
    Choice result = finer;
    for (; of_lattice > wanted / 2 && result.e <= heuristics_.most_e; of_lattice /= of_order_two)
      ++result.e;
    const double more = std::sqrt(rest / (wanted / 2));
    result.slices *= std::clamp(more, 1.0, heuristics_.most_growth);
    if (result.e == finer.e && more <= 1) ++result.e;
    result.e = std::min(result.e, too_fine_ - 1);
    return result;
  }

  const Task& task_;
  const Heuristics& heuristics_;
  const std::function<void()>& one_more_;
  int most_tries_;
  std::optional<Attempt> best_;
  std::string why_;
  int tries_ = 0;
  long last_e_ = 0;
  long too_fine_ = std::numeric_limits<long>::max();  ///< the least e that was too fine
};

}  // namespace

Attempt nearest_theorem(const Task& task, long e, const Heuristics& heuristics,
                        const std::function<void()>& one_more) {
  return Search(task, heuristics, one_more).nearest(e);
}

}  // namespace plaudit::kernel
