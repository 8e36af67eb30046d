#include "verification/checker/laws/public_labels.hpp"

#include <algorithm>
#include <utility>

#include "accountants/proof/arithmetic/rejected.hpp"
#include "verification/checker/laws/law_text.hpp"

namespace plaudit::proof {

namespace {

constexpr long most_binomial_terms = 10'000;
constexpr long bits_of_ratios = 32;  ///< beyond the working precision, for long products of ratios
constexpr long deviations_of_sizes = 9;
constexpr long groups_of_sizes = 64;

/// P(K = k+1)/P(K = k), or P(K = k-1)/P(K = k), of a binomial number.
class Ratios {
 public:
  /// @param most terms on either side.
  Ratios(std::uint64_t trials, const Rational& rate, Integer most)
      : n_(trials), odds_(Rational(rate / (1 - rate))), most_(std::move(most)) {}

  Interval up(const Integer& k) const { return Interval(Rational(n_ - k, k + 1)) * odds_; }
  Interval down(const Integer& k) const { return Interval(Rational(k, n_ - k + 1)) / odds_; }

  /// The sum of the terms from `mass`, of k, on to the end on this side: ratios fall.
  Interval rest(Interval mass, Integer k, bool above) const {
    Interval sum = mass;
    for (long terms = 0; above ? k < n_ : k > 0; ++terms) {
      require(most_ > terms, "the number of records has too wide a distribution");
      const Interval ratio = above ? up(k) : down(k);
      if (below(ratio, 1)) {
        const Interval left = mass * ratio / (1 - ratio);
        if (below(scaled(left, working_precision()), sum)) return sum + hull(0, left);
      }
      mass *= ratio;
      sum += mass;
      k += above ? 1 : -1;
    }
    return sum;
  }

 private:
  Integer n_;
  Interval odds_;
  Integer most_;
};

/// A binomial number in groups of values. Proof: docs/proofs/averaged.md#groups
struct SizeGroups {
  std::uint64_t trials;
  Rational rate;
  Integer low;   ///< below it is one group
  Integer high;  ///< the last group goes on beyond it
  std::vector<Integer> starts;

  SizeGroups(std::uint64_t n, const Rational& q) : trials(n), rate(q) {
    const Rational mean = Integer(n) * q;
    const Rational square = deviations_of_sizes * deviations_of_sizes * mean * (1 - q);
    const Integer reach = deviations_of_sizes + 1 + root_of(floor_of(square));
    const Integer whole = floor_of(mean);
    const Integer above = Rational(whole) == mean ? whole : Integer(whole + 1);
    low = std::max(Integer(0), Integer(whole - reach));
    high = std::min(Integer(n), Integer(above + reach));
    const Integer width =
        std::max(Integer(1), Integer((high - low + groups_of_sizes - 1) / groups_of_sizes));
    if (low > 0) starts.emplace_back(0);
    for (Integer start = low; start <= high; start += width) starts.push_back(start);
  }

  Integer least(std::size_t i) const { return starts[i]; }
  Integer greatest(std::size_t i) const {
    return i + 1 < starts.size() ? Integer(starts[i + 1] - 1) : Integer(trials);
  }

  Integer most_terms() const { return 4 * (high - low) + most_binomial_terms; }

  /// In units of the greatest probability, then divided by the sum of all.
  /// Proof: docs/proofs/averaged.md#weights
  std::vector<Interval> shares() const {
    const PrecisionScope scope(working_precision() + bits_of_ratios);
    const Ratios ratios(trials, rate, most_terms());
    std::vector<Interval> sums(starts.size(), Interval(0));
    const Integer mode =
        std::min(high, std::max(low, floor_of(Rational((Integer(trials) + 1) * rate))));
    std::size_t at = starts.size() - 1;
    while (starts[at] > mode) --at;
    const std::size_t middle = at;
    Interval mass = 1;
    for (Integer k = mode; k < high; ++k) {  // the group of k is `at`
      sums[at] += mass;
      mass *= ratios.up(k);
      if (at + 1 < starts.size() && starts[at + 1] == k + 1) ++at;
    }
    sums[at] += ratios.rest(mass, high, true);
    at = middle;
    mass = 1;
    for (Integer k = mode; k > low; --k) {
      if (k < mode) sums[at] += mass;
      mass *= ratios.down(k);
      if (k == starts[at]) --at;
    }
    if (low < mode) sums[at] += mass;
    if (low > 0) sums[0] += ratios.rest(mass * ratios.down(low), low - 1, false);
    Interval total = 0;
    for (const Interval& sum : sums) total += sum;
    for (Interval& sum : sums) sum /= total;
    return sums;
  }
};

/// The worst pair of the sizes of a group.
std::shared_ptr<const Law> law_of_sizes(const Rational& ratio, const Rational& rate,
                                        std::uint64_t population, bool replaces, bool removes,
                                        const Integer& least, const Integer& greatest) {
  if (!replaces) {
    const Rational distance = least == 0 ? ratio : Rational(2 * ratio / (least + 1));
    return std::make_shared<const Law>(Mixture{{0, distance}, {1 - rate, rate}, removes});
  }
  const Rational distance = 2 * ratio / std::max(least, Integer(1));
  const Rational share(std::max(greatest, Integer(1)), Integer(population));
  if (share == 1) return std::make_shared<const Law>(gaussian_at(distance));
  return std::make_shared<const Law>(Labelled{share, {{1, distance}}});
}

}  // namespace

// Proof: docs/proofs/poisson_adjacencies.md#binomial-tail
Interval probability_of_reaching(std::uint64_t others, const Rational& rate, std::uint64_t cap) {
  const Integer n(others);
  const Ratios ratios(others, rate, most_binomial_terms);
  const bool above = Rational(Integer(cap)) > n * rate;
  const Integer k(above ? cap : cap - 1);
  // P(K = k), each from the one before
  Interval mass = exp(Interval(n) * log1p(Interval(Rational(-rate))));
  for (Integer i = 0; i < k; ++i) mass *= ratios.up(i);
  const Interval sum = ratios.rest(mass, k, above);
  return above ? min(sum, Interval(1)) : max(1 - sum, Interval(0));
}

PublicLabel capped_law(std::uint64_t others, const Rational& rate, std::uint64_t cap,
                       const std::shared_ptr<const Law>& under,
                       const std::shared_ptr<const Law>& reached) {
  const auto shares = [=] {
    const Interval share = probability_of_reaching(others, rate, cap);
    return std::vector<Interval>{1 - share, share};
  };
  return {law_text("Capped", {{"n", std::to_string(others)},
                              {"g", number_text(rate)},
                              {"cap", std::to_string(cap)},
                              {"under", text_of(*under)},
                              {"reached", text_of(*reached)}}),
          shares,
          std::make_shared<const LawsOfLabels>(LawsOfLabels{{under, reached}}),
          {"under", "reached"},
          10 * (Integer(cap) + most_binomial_terms)};
}

// Proof: docs/proofs/averaged.md#labels
Law averaged_law(const Rational& ratio, const Rational& rate, std::uint64_t population,
                 bool replaces, Direction direction) {
  const std::uint64_t trials = replaces ? population : population - 1;
  const bool removes = direction == Direction::remove;
  if (trials == 0) return *law_of_sizes(ratio, rate, population, replaces, removes, 0, 0);
  const SizeGroups groups(trials, rate);
  LawsOfLabels laws;
  for (std::size_t i = 0; i < groups.starts.size(); ++i) {
    // an empty sample tells nothing, less than the pair of the largest sizes
    const bool empty = replaces && groups.greatest(i) == 0;
    const std::size_t as = empty ? groups.starts.size() - 1 : i;
    laws.each.push_back(law_of_sizes(ratio, rate, population, replaces, removes, groups.least(as),
                                     groups.greatest(as)));
  }
  return PublicLabel{
      law_text(
          replaces ? "AveragedReplaced" : "Averaged",
          {{"a", number_text(ratio)}, {"g", number_text(rate)}, {"n", std::to_string(population)}}),
      [groups] { return groups.shares(); },
      std::make_shared<const LawsOfLabels>(std::move(laws)),
      {},
      10 * (groups.high - groups.low + groups.most_terms())};
}

}  // namespace plaudit::proof
