#include "accountants/proof/kinds/atoms.hpp"

#include <algorithm>

#include "accountants/proof/arithmetic/multisets.hpp"
#include "accountants/proof/arithmetic/rejected.hpp"
#include "lib/constants.hpp"

namespace plaudit::proof {

namespace {

template <class Real>
using Points = std::vector<typename AtomPoints<Real>::Point>;

constexpr std::size_t steps_of_look = 256;  ///< between two looks at the budget

template <class Point>
Point times(const Point& a, const Point& b) {
  Point result{a.loss + b.loss, a.p * b.p, a.q * b.q, {}, a.log + b.log};
  if (a.tilted) result.tilted = *a.tilted * *b.tilted;
  return result;
}

/// No draw at all.
template <class Real>
Points<Real> only_certain(const Rational& tilt) {
  typename AtomPoints<Real>::Point point{0, 1, 1, {}, 0};
  if (tilt != 0) point.tilted = Real(1);
  return {std::move(point)};
}

/// Lists the multisets of one share: loss sum k_i l_i, masses n! prod p_i^k_i / k_i!.
template <class Real>
class Lister {
 public:
  using Point = typename AtomPoints<Real>::Point;

  Lister(const std::vector<AtomOf<Real>>& atoms, const AtomShare& share,
         const AtomsChoices& choices, std::size_t most, Budget& budget)
      : atoms_(atoms), share_(share), choices_(choices), most_(most), budget_(budget) {
    require(atoms.size() == share.lows.size() && atoms.size() == share.highs.size() &&
                (share.logs.empty() || share.logs.size() == atoms.size()),
            "a window for each atom is wanted");
    const bool estimated = !share.logs.empty();
    require(estimated || !(choices.least > -infinity), "no probabilities are estimated");
    std::uint64_t least = 0;
    std::uint64_t greatest = 0;
    for (std::size_t i = 0; i < atoms.size(); ++i) {
      const std::uint64_t low = share.lows[i];
      const std::uint64_t high = share.highs[i];
      require(low <= high && high <= share.draws, "a window is empty");
      least += low;
      greatest += high;
      if (high > 0) drawn_.push_back(i);
      whole_ = whole_ && low == 0 && high == share.draws;
    }
    whole_ = whole_ || atoms.size() == 1;
    require(least <= share.draws && share.draws <= greatest, "no combination has that many draws");
    budget.spend(4.0 * static_cast<double>(greatest - least) +
                 20.0 * static_cast<double>(atoms.size()));
    if (!estimated) return;
    std::sort(drawn_.begin(), drawn_.end(),
              [&](std::size_t a, std::size_t b) { return share.logs[a] < share.logs[b]; });
  }

  /// @param whole becomes false where a multiset is left out.
  Points<Real> list(bool& whole) {
    begin();
    std::vector<Category> categories;
    for (const std::size_t i : drawn_) {
      categories.push_back(
          {share_.logs.empty() ? 0 : share_.logs[i], share_.lows[i], share_.highs[i]});
    }
    Multisets<Lister> multisets(std::move(categories), share_.draws, choices_.least, *this);
    const bool all = multisets.visit();
    require(points_.size() <= most_, "a half has too many combinations");
    whole = whole && whole_ && all;
    return std::move(points_);
  }

  void push(std::size_t place, std::uint64_t k) {
    stack_.push_back(times(stack_.back(), rows_[place][k]));
  }
  void pop() { stack_.pop_back(); }
  void leaf(double log) {
    points_.push_back(std::move(stack_.back()));  // which is popped next
    points_.back().log = log;
  }
  bool step() {
    if (++steps_ % steps_of_look == 0) budget_.spend(3.0 * steps_of_look);
    return points_.size() <= most_;
  }

 private:
  /// n! prod p_i^low_i / low_i!, with which all multisets begin, and for each atom the factors p^k
  /// low! / (low + k)! of k draws more.
  void begin() {
    const Real front = Made<Real>::factorial(share_.draws);
    Point start{0, front, front, {}, 0};
    if (choices_.tilt != 0) start.tilted = front;
    for (const std::size_t i : drawn_) {
      const std::uint64_t low = share_.lows[i];
      Point one{atoms_[i].loss, atoms_[i].p, atoms_[i].q, {}, 0};
      if (choices_.tilt != 0) one.tilted = one.p * exp(Real(choices_.tilt) * one.loss);
      if (low > 0) start = times(start, power_of(one, low));
      Points<Real> row = only_certain<Real>(choices_.tilt);
      for (std::uint64_t k = 1; k <= share_.highs[i] - low; ++k) {
        Point next = times(row.back(), one);
        next.loss = Real(k) * one.loss;
        Made<Real>::divide(next.p, low + k);
        Made<Real>::divide(next.q, low + k);
        if (next.tilted) Made<Real>::divide(*next.tilted, low + k);
        row.push_back(std::move(next));
      }
      rows_.push_back(std::move(row));
    }
    stack_.push_back(std::move(start));
  }

  static Point power_of(const Point& one, std::uint64_t k) {
    const Real divisor = Made<Real>::factorial(k);
    Point result{Real(k) * one.loss, power(one.p, k) / divisor, power(one.q, k) / divisor, {}, 0};
    if (one.tilted) result.tilted = power(*one.tilted, k) / divisor;
    return result;
  }

  const std::vector<AtomOf<Real>>& atoms_;
  const AtomShare& share_;
  const AtomsChoices& choices_;
  std::size_t most_;
  Budget& budget_;
  std::vector<std::size_t> drawn_;  ///< atoms that may be drawn, in the order of the search
  bool whole_ = true;
  std::vector<Points<Real>> rows_;  ///< of these atoms
  Points<Real> stack_;
  Points<Real> points_;
  std::size_t steps_ = 0;
};

template <class Point>
void sort_by_loss(std::vector<Point>& points) {
  std::sort(points.begin(), points.end(),
            [](const Point& a, const Point& b) { return sorts_before(a.loss, b.loss); });
}

/// Points whose losses are not certainly in order become one: its losses are between theirs.
// Proof: docs/proofs/atom_sum.md#merged
template <class Point>
std::vector<Point> merged(std::vector<Point> points, Budget& budget) {
  budget.spend(3.0 * static_cast<double>(points.size()));
  sort_by_loss(points);
  std::vector<Point> result;
  result.reserve(points.size());
  for (Point& next : points) {
    Point point = std::move(next);
    while (!result.empty() && !below(result.back().loss, point.loss)) {
      const Point& last = result.back();
      point.loss = hull(point.loss, last.loss);
      point.p += last.p;
      point.q += last.q;
      if (point.tilted) *point.tilted += *last.tilted;
      point.log = estimate_log_sum(point.log, last.log);
      result.pop_back();
    }
    result.push_back(std::move(point));
  }
  return result;
}

/// All pairs that are not rarer than e^least; `whole` becomes false where one is.
template <class Point>
std::vector<Point> product(const std::vector<Point>& a, std::vector<Point> b, double least,
                           std::size_t most, bool& whole, Budget& budget) {
  std::stable_sort(b.begin(), b.end(),
                   [](const Point& x, const Point& y) { return x.log > y.log; });
  std::vector<std::size_t> kept;
  std::size_t size = 0;
  for (const Point& x : a) {
    const auto end = std::partition_point(b.begin(), b.end(),
                                          [&](const Point& y) { return !(x.log + y.log < least); });
    kept.push_back(static_cast<std::size_t>(end - b.begin()));
    whole = whole && end == b.end();
    size += kept.back();
    require(size <= most, "a half has too many combinations");
  }
  budget.spend(3.0 * static_cast<double>(size));
  std::vector<Point> result;
  result.reserve(size);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < kept[i]; ++j) {
      if (result.size() % steps_of_look == 0) budget.spend(0);
      result.push_back(times(a[i], b[j]));
    }
  }
  return result;
}

}  // namespace

template <class Real>
AtomPoints<Real>::AtomPoints(const std::vector<std::vector<AtomOf<Real>>>& laws,
                             const std::vector<AtomShare>& shares, const AtomsChoices& choices,
                             std::size_t most, Budget& budget) {
  require(choices.tilt >= 0, "a negative tilt");
  require(laws.size() == shares.size(), "a share for each factor is wanted");
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (shares[i].draws == 0) continue;
    Points<Real> factor = Lister<Real>(laws[i], shares[i], choices, most, budget).list(whole);
    if (choices.merged) factor = merged(std::move(factor), budget);
    if (points.empty()) {
      points = std::move(factor);
    } else {
      points = product(points, std::move(factor), choices.least, most, whole, budget);
      if (choices.merged) points = merged(std::move(points), budget);
    }
    require(!points.empty(), "no combination is kept");
  }
  if (points.empty()) points = only_certain<Real>(choices.tilt);
  sort_by_loss(points);
}

template <class Real>
Real AtomPoints<Real>::tilted_mass() const {
  Real total(0);
  for (const Point& point : points) total += point.tilted ? *point.tilted : point.p;
  return total;
}

template <class Real>
AtomSum<Real>::AtomSum(const AtomicLaws<Real>& laws, const AtomsChoices& choices, std::size_t most,
                       Budget& budget)
    : outer_(laws.outer, choices.outer, choices, most, budget),
      inner_(laws.inner, choices.inner, choices, most, budget),
      tilt_(choices.tilt),
      merged_(choices.merged),
      infinite_(laws.infinite) {
  if (!(laws.whole && outer_.whole && inner_.whole)) {
    const Real kept = outer_.tilted_mass() * inner_.tilted_mass();
    missing_ = top(max(laws.moment() - kept, Real(0)));
  }
  const auto& inner = inner_.points;
  budget.spend(40.0 * static_cast<double>(outer_points() + inner_points()));
  const std::size_t size = inner.size();
  for (const auto& point : inner) {
    const Real end = top(point.loss);
    most_.push_back(most_.empty() || below(most_.back(), end) ? end : most_.back());
  }
  least_.resize(size);
  p_from_.resize(size + 1);
  q_from_.resize(size + 1);
  for (std::size_t i = size; i-- > 0;) {
    const Real end = bottom(inner[i].loss);
    least_[i] = i + 1 < size && below(least_[i + 1], end) ? least_[i + 1] : end;
    p_from_[i] = p_from_[i + 1] + inner[i].p;
    q_from_[i] = q_from_[i + 1] + inner[i].q;
  }
}

/// From the cut of another bound.
template <class Real>
void AtomSum<Real>::move(Cut& cut, const Real& bound) const {
  while (cut.certain > 0 && below(bound, least_[cut.certain - 1])) --cut.certain;
  while (cut.certain < least_.size() && !below(bound, least_[cut.certain])) ++cut.certain;
  while (cut.possible > 0 && !at_most(most_[cut.possible - 1], bound)) --cut.possible;
  while (cut.possible < most_.size() && at_most(most_[cut.possible], bound)) ++cut.possible;
}

template <class Real>
Integer AtomSum<Real>::undecided(const Real& epsilon) const {
  Integer sum = 0;
  Cut cut;
  for (const auto& a : outer_.points) {
    move(cut, epsilon - a.loss);
    if (cut.possible < cut.certain) sum += cut.certain - cut.possible;
  }
  return sum;
}

// Proof: docs/proofs/atom_sum.md#halves
template <class Real>
ProofOf<Real> AtomSum<Real>::at(const Real& epsilon, Budget& budget) const {
  const Real growth = exp(epsilon);
  Real total(0);
  Cut cut;
  std::size_t steps = 0;
  for (const auto& a : outer_.points) {
    if (++steps % steps_of_look == 0) budget.spend(0);
    const Real bound = epsilon - a.loss;
    move(cut, bound);
    const Real weight = growth * a.q;
    total += a.p * p_from_[cut.certain] - weight * q_from_[cut.certain];
    if (cut.possible >= cut.certain) continue;
    budget.spend(5.0 * static_cast<double>(cut.certain - cut.possible));
    for (std::size_t i = cut.possible; i < cut.certain; ++i) {
      if (++steps % steps_of_look == 0) budget.spend(0);
      const auto& b = inner_.points[i];
      // merged points stand for losses on both sides of epsilon
      total += merged_ ? Real(a.p * b.p * max(-expm1(bound - b.loss), Real(0)))
                       : max(a.p * b.p - weight * b.q, Real(0));
    }
  }
  Real left_out = missing_;
  if (tilt_ != 0 && positive(missing_)) {
    const Real t(tilt_);
    left_out = top(exp(log_c(t) - t * epsilon) * missing_);
  }
  left_out = charged(atoms_left_out_term, left_out);
  ProofOf<Real> proof;
  proof.low = infinite_ + total;
  proof.high = proof.low + left_out;
  proof.errors = {{&atoms_left_out_term, left_out}};
  return proof;
}

template struct AtomPoints<Ball>;
template struct AtomPoints<Interval>;
template class AtomSum<Ball>;
template class AtomSum<Interval>;

}  // namespace plaudit::proof
