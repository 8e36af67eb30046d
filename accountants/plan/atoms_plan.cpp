#include "accountants/plan/atoms_plan.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <tuple>

#include "accountants/proof/arithmetic/multisets.hpp"
#include "lib/balls/binomial.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr std::size_t steps_of_point = 8;            ///< of a search, at most
constexpr std::size_t most_window_points = 1 << 16;  ///< in a half: Python takes some seconds
constexpr double most_window_draws = 1e6;            ///< of a factor: certificates have no more
constexpr double nats_of_a_window = 1;  ///< by which a window leaves out less than its share
constexpr double spare_bits_of_atoms = 90;
constexpr long least_spare_bits = 16;  ///< beyond twice the digits: writers spare 2^-(bits / 2)

using Logs = std::vector<double>;

/// The probabilities of the atoms under the tilted law. They add up to about 1.
Logs tilted_logs(const AtomFactor& factor, double tilt) {
  Logs logs;
  double whole = -infinity;
  for (std::size_t i = 0; i < factor.log_masses.size(); ++i) {
    logs.push_back(factor.log_masses[i] + (tilt == 0 ? 0 : tilt * factor.losses[i]));
    if (std::isfinite(logs.back())) whole = estimate_log_sum(whole, logs.back());
  }
  if (!std::isfinite(whole)) throw std::domain_error("no atom can be told to matter");
  for (double& log : logs) log = std::isfinite(log) ? log - whole : -infinity;
  return logs;
}

/// Numbers of draws outside of which an atom is drawn with probability e^-nats at most.
struct Windows {
  std::vector<std::uint64_t> lows;
  std::vector<std::uint64_t> highs;
};

/// The least number from low to high that is as wanted: all from it on are, and high is.
template <class Wanted>
std::uint64_t least_wanted(std::uint64_t low, std::uint64_t high, Wanted&& wanted) {
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (wanted(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

Windows windows(const Logs& logs, std::uint64_t draws, double nats) {
  Windows result;
  const double each = nats + std::log(static_cast<double>(logs.size()) + 1) + nats_of_a_window;
  const auto n = static_cast<double>(draws);
  for (const double log : logs) {
    const double p = std::clamp(std::exp(log), 1e-300, 1 - 1e-15);
    const auto usual = [&](std::uint64_t k) {
      return n * estimate_relative_entropy(static_cast<double>(k) / n, p) <= each;
    };
    const auto mean =
        static_cast<std::uint64_t>(clamped_integer(n * p, 0, static_cast<long>(draws)));
    const bool never = !std::isfinite(log);  // a mass that may be 0
    result.lows.push_back(never ? 0 : least_wanted(0, mean, usual));
    result.highs.push_back(
        never ? 0 : least_wanted(mean, draws, [&](std::uint64_t k) { return !usual(k + 1); }));
  }
  return result;
}

/// Counts multisets, up to what is affordable.
struct Counter {
  std::size_t most;
  std::size_t points = 0;
  std::size_t steps = 0;
  void push(std::size_t, std::uint64_t) {}
  void pop() {}
  void leaf(double) { ++points; }
  bool step() {
    if ((++steps & 1023) == 0) check_work_limit();
    return points <= most && steps <= steps_of_point * most;
  }
};

/// How many multisets there are; infinity beyond what is affordable.
double count_multisets(std::vector<Category> categories, std::uint64_t draws, double least,
                       std::size_t most) {
  if (draws == 0) return 1;
  if (categories.empty()) return 0;
  std::sort(categories.begin(), categories.end(),
            [](const Category& a, const Category& b) { return a.log < b.log; });
  Counter counter{most};
  Multisets<Counter>(std::move(categories), draws, least, counter).visit();
  return counter.step() ? static_cast<double>(counter.points) : infinity;
}

/// How many numbers of draws of one of two atoms, of probability p, are not rarer than e^-nats,
/// about: by Stirling's formula, whose denominator is that of the likeliest number.
double likely_numbers(double p, std::uint64_t draws, double nats) {
  const auto n = static_cast<double>(draws);
  const double log_denominator = std::log(2 * std::numbers::pi * n * p * (1 - p)) / 2;
  const auto likely = [&](std::uint64_t k) {
    return n * estimate_relative_entropy(static_cast<double>(k) / n, p) + log_denominator <= nats;
  };
  const auto mode = static_cast<std::uint64_t>(clamped_integer(n * p, 0, static_cast<long>(draws)));
  const std::uint64_t low = least_wanted(0, mode, likely);
  return static_cast<double>(
      least_wanted(mode, draws, [&](std::uint64_t k) { return !likely(k + 1); }) - low + 1);
}

/// Those that are not rarer than e^-nats.
double likely_multisets(const Logs& logs, std::uint64_t draws, double nats, std::size_t most) {
  Logs matter;
  std::vector<Category> categories;
  for (const double log : logs) {
    if (log + std::log(static_cast<double>(draws)) < -nats) continue;
    matter.push_back(log);
    categories.push_back({log});
  }
  // Their probabilities add up to about 1, so there are at least 1 over the greatest of them.
  if (-estimate_log_mode(matter, draws) > std::log(4.0 * static_cast<double>(most))) {
    return infinity;
  }
  if (matter.size() == 2 && draws > most) {
    const double count =
        likely_numbers(std::max(std::exp(std::min(matter[0], matter[1])), 1e-300), draws, nats);
    return count <= static_cast<double>(most) ? count : infinity;
  }
  return count_multisets(std::move(categories), draws, -nats, most);
}

/// Those within the windows.
double multisets_within(const Windows& w, std::uint64_t draws) {
  std::vector<Category> categories;
  for (std::size_t i = 0; i < w.lows.size(); ++i) {
    if (w.highs[i] > 0) categories.push_back({0, w.lows[i], w.highs[i]});
  }
  return count_multisets(std::move(categories), draws, -infinity, most_window_points);
}

/// Which part of which factor's draws is in the outer half.
class Halves {
 public:
  using Count = std::function<double(std::size_t factor, std::uint64_t draws)>;

  /// Factors go whole to the half that is smaller so far, the largest first, but for the very
  /// largest: its draws are split so that the halves come out alike.
  Halves(const std::vector<AtomFactor>& factors, double most, Count count)
      : outer(factors.size()), most_(most), count_(std::move(count)) {
    std::vector<std::size_t> order(factors.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<double> sizes;
    for (std::size_t i = 0; i < factors.size(); ++i) sizes.push_back(points(i, factors[i].count));
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
    for (std::size_t place = 1; place < order.size(); ++place) {
      const std::size_t i = order[place];
      const bool out = outer_points <= inner_points;
      if (out) outer[i] = factors[i].count;
      (out ? outer_points : inner_points) *= sizes[i];
      check();
    }
    split(order[0], factors[order[0]].count);
  }

  std::vector<std::uint64_t> outer;
  double outer_points = 1;
  double inner_points = 1;

 private:
  void split(std::size_t largest, std::uint64_t draws) {
    // one of the shares is at least half of the draws
    if (!std::isfinite(points(largest, draws / 2))) too_many();
    const auto out = [&](std::uint64_t m) { return outer_points * points(largest, m); };
    const auto in = [&](std::uint64_t m) { return inner_points * points(largest, draws - m); };
    // the least share of the outer half that makes it the larger one
    std::uint64_t low = least_wanted(
        0, draws, [&](std::uint64_t m) { return !std::isfinite(out(m)) || out(m) >= in(m); });
    if (low > 0 && in(low - 1) < out(low)) --low;
    outer[largest] = low;
    std::tie(outer_points, inner_points) = std::pair(out(low), in(low));
    check();
  }

  double points(std::size_t factor, std::uint64_t draws) {
    const auto [known, fresh] = known_.try_emplace({factor, draws}, 0.0);
    if (fresh) known->second = count_(factor, draws);
    return known->second;
  }

  void check() const {
    if (!(outer_points <= most_ && inner_points <= most_)) too_many();
  }
  [[noreturn]] static void too_many() { throw std::domain_error("too many combinations of atoms"); }

  double most_;
  Count count_;
  std::map<std::pair<std::size_t, std::uint64_t>, double> known_;
};

proof::AtomShare share(const AtomFactor& factor, const Logs& logs, std::uint64_t draws,
                       double nats) {
  if (draws == 0) return {};
  Windows limits = windows(logs, draws, nats);
  return {draws, std::move(limits.lows), std::move(limits.highs), {}, factor.outcomes};
}

/// @param outer how many draws of each factor are in the outer half.
proof::AtomsChoices choices_of(const std::vector<AtomFactor>& factors,
                               const std::vector<Logs>& logs,
                               const std::vector<std::uint64_t>& outer, double nats) {
  proof::AtomsChoices choices;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    choices.outer.push_back(share(factors[i], logs[i], outer[i], nats));
    choices.inner.push_back(share(factors[i], logs[i], factors[i].count - outer[i], nats));
  }
  return choices;
}

/// The same without combinations that are rare under the law tilted by t.
proof::AtomsChoices likely_choices(const std::vector<AtomFactor>& factors,
                                   const std::vector<Logs>& logs,
                                   const std::vector<std::uint64_t>& outer, double tilt,
                                   double nats) {
  proof::AtomsChoices choices = choices_of(factors, logs, outer, nats);
  for (std::size_t i = 0; i < factors.size(); ++i) {
    choices.outer[i].logs = logs[i];
    choices.inner[i].logs = logs[i];
  }
  choices.tilt = checked_rational(tilt, "a tilt");
  choices.least = -nats;
  choices.merged = true;
  return choices;
}

std::vector<Logs> all_logs(const std::vector<AtomFactor>& factors, double tilt) {
  std::vector<Logs> logs;
  logs.reserve(factors.size());
  for (const AtomFactor& factor : factors) logs.push_back(tilted_logs(factor, tilt));
  return logs;
}

}  // namespace

AtomsPlan plan_atoms(const std::vector<AtomFactor>& factors, double tilt, double nats) {
  const std::vector<Logs> logs = all_logs(factors, tilt);
  const Halves halves(factors, static_cast<double>(most_atom_points),
                      [&](std::size_t i, std::uint64_t draws) {
                        return likely_multisets(logs[i], draws, nats, most_atom_points);
                      });
  return {likely_choices(factors, logs, halves.outer, tilt, nats), halves.outer_points,
          halves.inner_points};
}

AtomsPlan plan_atom_windows(const std::vector<AtomFactor>& factors, double nats) {
  for (const AtomFactor& factor : factors) {
    if (static_cast<double>(factor.count) > most_window_draws) {
      throw std::domain_error("too many steps for a sum over atoms");
    }
  }
  const std::vector<Logs> logs = all_logs(factors, 0);
  const Halves halves(factors, static_cast<double>(most_window_points),
                      [&](std::size_t i, std::uint64_t draws) {
                        return multisets_within(windows(logs[i], draws, nats), draws);
                      });
  return {choices_of(factors, logs, halves.outer, nats), halves.outer_points, halves.inner_points};
}

double bits_of_atom_windows(double steps, double nats, double kept) {
  return std::max(
      std::max(kept, nats + kept / 2) / log_two + 2 * std::log2(steps + 1) + spare_bits_of_atoms,
      2 * nats / log_two + least_spare_bits);
}

}  // namespace plaudit
