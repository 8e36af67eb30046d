#include "accountants/atoms/atom_product.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "accountants/atoms/atom_points.hpp"
#include "accountants/cumulants/chernoff_factor.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr double planning_nats = 40;  ///< about 12 digits

/// Which power of which term is in which half.
struct Plan {
  std::vector<std::uint64_t> outer;
  std::vector<std::uint64_t> inner;
  double outer_points = 1;
  double inner_points = 1;

  bool affordable() const {
    return outer_points <= static_cast<double>(most_atom_points) &&
           inner_points <= static_cast<double>(most_atom_points);
  }
};

class Planner {
 public:
  Planner(const std::vector<TermAtoms>& terms, double nats) : terms_(terms), nats_(nats) {}

  /// Terms go whole to the half that is smaller so far, the largest first, but for the very
  /// largest: its power is split so that the halves come out alike.
  Plan plan() {
    Plan plan;
    plan.outer.resize(terms_.size());
    plan.inner.resize(terms_.size());
    std::vector<std::size_t> order(terms_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::vector<double> sizes;
    for (std::size_t i = 0; i < terms_.size(); ++i) sizes.push_back(points(i, terms_[i].count));
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
    for (std::size_t place = 1; place < order.size() && plan.affordable(); ++place) {
      const std::size_t i = order[place];
      const bool out = plan.outer_points <= plan.inner_points;
      (out ? plan.outer : plan.inner)[i] = terms_[i].count;
      (out ? plan.outer_points : plan.inner_points) *= sizes[i];
    }
    if (!plan.affordable()) return plan;
    const std::size_t largest = order[0];
    const std::uint64_t n = terms_[largest].count;
    const std::uint64_t half = n / 2;  // one of the shares is at least that
    if (!std::isfinite(points(largest, half))) {
      plan.outer_points = infinity;
      return plan;
    }
    std::uint64_t low = 0;  // the least share of `outer` that makes it the larger half
    std::uint64_t high = n;
    const auto outer = [&](std::uint64_t m) { return plan.outer_points * points(largest, m); };
    const auto inner = [&](std::uint64_t m) { return plan.inner_points * points(largest, n - m); };
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      if (!std::isfinite(outer(middle)) || outer(middle) >= inner(middle)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    if (low > 0 && inner(low - 1) < outer(low)) --low;
    plan.outer[largest] = low;
    plan.inner[largest] = n - low;
    plan.outer_points = outer(low);
    plan.inner_points = inner(low);
    return plan;
  }

 private:
  /// Multisets of m draws, as long as they are affordable.
  double points(std::size_t term, std::uint64_t m) {
    const auto [known, fresh] = sizes_.try_emplace({term, m}, 0.0);
    if (fresh) {
      known->second = estimate_multisets(terms_[term], m, nats_);
    }
    return known->second;
  }

  const std::vector<TermAtoms>& terms_;
  double nats_;
  std::map<std::pair<std::size_t, std::uint64_t>, double> sizes_;
};

}  // namespace

/// Points by increasing loss, with the sums over those from one on.
struct AtomProduct::Table {
  std::vector<Ball> p;
  std::vector<Ball> decay;
  std::vector<Ball> p_from;  ///< sum of p_i over i >= j
  std::vector<Ball> e_from;  ///< sum of p_i (decay_j - decay_i) over i >= j

  explicit Table(std::vector<AtomPoint> points) {
    p.reserve(points.size());
    decay.reserve(points.size());
    for (AtomPoint& point : points) {
      p.push_back(std::move(point.p));
      decay.push_back(std::move(point.decay));
    }
    p_from.resize(points.size() + 1);
    e_from.resize(points.size() + 1);
    for (std::size_t j = points.size(); j-- > 0;) {
      p_from[j] = p_from[j + 1] + p[j];
      if (j + 1 < points.size()) {
        e_from[j] = e_from[j + 1] + (decay[j] - decay[j + 1]) * p_from[j + 1];
      }
    }
  }
};

AtomProduct::AtomProduct(const ComposedLoss& loss, double tilt, double nats) : tilt_(tilt) {
  const std::optional<std::vector<TermAtoms>> terms = all_atoms(loss, tilt, nats);
  if (!terms) throw std::domain_error("a privacy loss has a continuous part");
  const Plan plan = Planner(*terms, nats).plan();
  if (!plan.affordable()) throw std::domain_error("too many combinations of atoms");
  outer_ = std::make_unique<AtomPoints>(*terms, plan.outer, nats);
  AtomPoints inner(*terms, plan.inner, nats);
  if (!outer_->whole || !inner.whole) {
    const Ball kept = outer_->tilted_mass() * inner.tilted_mass();
    missing_ = clipped_nonnegative(exp(loss.log_mgf(tilt_)) - kept).upper();
  }
  inner_ = std::make_unique<Table>(std::move(inner.points));
}

AtomProduct::~AtomProduct() = default;

std::size_t AtomProduct::outer_points() const { return outer_->points.size(); }
std::size_t AtomProduct::inner_points() const { return inner_->p.size(); }

// delta = e^eps sum_a p_a [ (e^-eps - d_a d_j) P_j + d_a E_j ] over the points j, j+1, ... of the
// table that are certainly above eps - l_a, with d = e^-loss; those that may be above it are asked
// one by one. Proof: docs/proofs/atom_sum.md#halves
AtomProduct::Value AtomProduct::delta(const Ball& epsilon) const {
  const Ball scale = exp(-epsilon);
  const Table& table = *inner_;
  const std::size_t count = table.p.size();
  std::size_t from = 0;
  Ball sum;
  for (std::size_t i = outer_->points.size(); i-- > 0;) {
    if ((i & 255) == 0) check_work_limit();
    const AtomPoint& a = outer_->points[i];
    while (from < count && !certainly_less(a.decay * table.decay[from], scale)) ++from;
    Ball part;
    if (from < count) {
      part =
          (scale - a.decay * table.decay[from]) * table.p_from[from] + a.decay * table.e_from[from];
    }
    for (std::size_t j = from; j-- > 0;) {
      const Ball gap = scale - a.decay * table.decay[j];
      if (certainly_less_equal(gap, Ball(0))) break;
      part += table.p[j] * max(Ball(0), gap);
    }
    sum += a.p * part;
  }
  Value value{sum / scale, Ball(0)};
  if (missing_.is_exact_zero()) return value;
  const Ball& t = tilt_;
  value.left_out = (exp(log_chernoff_factor(t) - t * epsilon) * missing_).upper();
  return value;
}

std::optional<double> AtomProduct::planned_points(const ComposedLoss& loss) {
  const PrecisionScope scope(64);
  try {
    const std::optional<std::vector<TermAtoms>> terms = all_atoms(loss, 0, planning_nats);
    if (!terms) return std::nullopt;
    const Plan plan = Planner(*terms, planning_nats).plan();
    if (!plan.affordable()) return std::nullopt;
    return plan.outer_points + plan.inner_points;
  } catch (const std::domain_error&) {
    return std::nullopt;
  }
}

}  // namespace plaudit
