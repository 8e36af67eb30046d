#include "accountants/cumulants/sketch.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr std::size_t few_enough = 300;  ///< laws that are taken one by one
constexpr double parts = 100;            ///< of the sum of shares, each stood for by one law
/// Rare great draws show at high orders alone, and most else at low ones.
constexpr double orders[] = {1, 4, 16, 64};

/// One step of a term: the sum over the orders of its part of K(order), all steps having 1.
struct Share {
  std::size_t term;
  double size = 0;
};

/// Those of all terms, in increasing order; empty where they are not known.
std::vector<Share> shares_of(const ComposedLoss& loss) {
  const std::vector<ComposedLoss::Term>& terms = loss.terms();
  std::vector<Share> shares(terms.size());
  std::vector<double> at_order(terms.size());
  bool any = false;
  for (const double order : orders) {
    double sum = 0;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      check_work_limit();
      at_order[i] = std::max(0.0, terms[i].loss->estimate_cumulant(order).value);
      sum += at_order[i] * static_cast<double>(terms[i].count);
    }
    if (!(sum > 0 && std::isfinite(sum))) continue;
    any = true;
    for (std::size_t i = 0; i < terms.size(); ++i) shares[i].size += at_order[i] / sum;
  }
  if (!any) return {};
  for (std::size_t i = 0; i < terms.size(); ++i) shares[i].term = i;
  std::stable_sort(shares.begin(), shares.end(),
                   [](const Share& a, const Share& b) { return a.size < b.size; });
  return shares;
}

}  // namespace

std::optional<ComposedLoss> sketch_of(const ComposedLoss& loss) {
  const std::vector<ComposedLoss::Term>& terms = loss.terms();
  if (terms.size() <= few_enough || loss.without_moments() != nullptr) return std::nullopt;
  const std::vector<Share> shares = shares_of(loss);
  if (shares.empty()) return std::nullopt;
  const auto count_of = [&](const Share& share) {
    return static_cast<double>(terms[share.term].count);
  };
  double whole = 0;
  for (const Share& share : shares) whole += share.size * count_of(share);
  std::vector<ComposedLoss::Term> chosen;
  std::size_t first = 0;
  double part = 0;
  double steps = 0;
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    part += shares[i].size * count_of(shares[i]);
    steps += count_of(shares[i]);
    count += terms[shares[i].term].count;
    const bool last = i + 1 == shares.size();
    const bool next_is_great =
        !last && shares[i + 1].size * count_of(shares[i + 1]) > whole / parts;
    if (part < whole / parts && !next_is_great && !last) continue;
    std::size_t nearest = first;
    for (std::size_t j = first; j <= i; ++j) {
      const auto distance = [&](std::size_t k) { return std::fabs(shares[k].size - part / steps); };
      if (distance(j) < distance(nearest)) nearest = j;
    }
    chosen.push_back({terms[shares[nearest].term].loss, count});
    first = i + 1;
    part = steps = 0;
    count = 0;
  }
  return ComposedLoss(std::move(chosen), loss.direction());
}

}  // namespace plaudit
