#include "accountants/atoms/atom_product.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <stdexcept>

#include "accountants/atoms/multisets.hpp"
#include "accountants/cumulants/chernoff_factor.hpp"
#include "lib/balls/binomial.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/laws/atomic_law.hpp"

namespace plaudit {

namespace {

constexpr std::size_t most_points = std::size_t{1} << 19;  ///< in either half
constexpr std::size_t most_steps_of_search = 8 * most_points;
constexpr double planning_nats = 40;  ///< about 12 digits
constexpr double nats_of_atoms = 10;  ///< that a law's own cut is below that of the product

/// Combinations of atoms, or one atom: its P-mass, e^{-loss} and P-mass times e^{t loss}.
struct Point {
  Ball p;
  Ball decay;
  Ball tilted;
  double log;  ///< of its mass under the tilted law, in floating point

  Point times(const Point& other) const {
    return {p * other.p, decay * other.decay, tilted * other.tilted, log + other.log};
  }
};

/// The atoms of one term that can matter, the rarest first.
struct TermAtoms {
  std::vector<Point> atoms;
  std::uint64_t count;
  bool whole;

  std::vector<double> logs() const {
    std::vector<double> result;
    for (const Point& atom : atoms) result.push_back(atom.log);
    return result;
  }
};

/// Nothing where the law has a continuous part.
std::optional<TermAtoms> atoms_of(const ComposedLoss::Term& term, double tilt, double nats) {
  const auto law = term.loss->atoms(tilt, nats + nats_of_atoms);
  if (!law) return std::nullopt;
  TermAtoms result{{}, term.count, law->whole};
  const Ball t(tilt);
  double whole = -infinity;
  for (const Atom& atom : law->law.atoms) {
    if (result.atoms.size() % 64 == 0) check_work_limit();
    if (atom.p.is_exact_zero()) continue;
    const Ball tilted = tilt == 0 ? atom.p : atom.p * exp(t * atom.loss);
    double log = tilted.estimate_log();
    if (!std::isfinite(log)) log = tilted.upper().estimate_log();  // a mass that may be 0
    result.atoms.push_back({atom.p, exp(-atom.loss), tilted, log});
    whole = estimate_log_sum(whole, log);
  }
  const double least = -nats - std::log(static_cast<double>(term.count));
  for (Point& atom : result.atoms) atom.log -= whole;
  const auto rare = [&](const Point& atom) { return !(atom.log >= least); };
  const auto kept = std::remove_if(result.atoms.begin(), result.atoms.end(), rare);
  if (kept != result.atoms.end()) result.whole = false;
  result.atoms.erase(kept, result.atoms.end());
  if (result.atoms.empty()) throw std::domain_error("no atom can be told to matter");
  std::sort(result.atoms.begin(), result.atoms.end(),
            [](const Point& a, const Point& b) { return a.log < b.log; });
  return result;
}

/// Counts multisets, up to what is affordable.
struct Counter {
  std::size_t points = 0;
  std::size_t steps = 0;
  void push(std::size_t, std::uint64_t) {}
  void pop() {}
  void leaf(double) { ++points; }
  bool step() {
    if ((++steps & 1023) == 0) check_work_limit();
    return points <= most_points && steps <= most_steps_of_search;
  }
};

/// Which power of which term is in which half.
struct Plan {
  std::vector<std::uint64_t> outer;
  std::vector<std::uint64_t> inner;
  double outer_points = 1;
  double inner_points = 1;

  bool affordable() const {
    return outer_points <= static_cast<double>(most_points) &&
           inner_points <= static_cast<double>(most_points);
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
      const std::vector<double> logs = terms_[term].logs();
      // They add up to about 1, so there are at least as many as the likeliest goes into 1.
      const double least = -estimate_log_mode(logs, m);
      Counter counter;
      const bool hopeless = least > std::log(4.0 * most_points);
      if (!hopeless) Multisets<Counter>(logs, m, -nats_, counter).visit();
      known->second = hopeless || !counter.step() ? infinity : static_cast<double>(counter.points);
    }
    return known->second;
  }

  const std::vector<TermAtoms>& terms_;
  double nats_;
  std::map<std::pair<std::size_t, std::uint64_t>, double> sizes_;
};

/// The terms at the working precision; nothing where one has a continuous part.
std::optional<std::vector<TermAtoms>> all_atoms(const ComposedLoss& loss, double tilt,
                                                double nats) {
  std::vector<TermAtoms> terms;
  for (const ComposedLoss::Term& term : loss.terms()) {
    std::optional<TermAtoms> atoms = atoms_of(term, tilt, nats);
    if (!atoms) return std::nullopt;
    terms.push_back(std::move(*atoms));
  }
  return terms;
}

Ball factorial(std::uint64_t n) {
  if (n > 1000) return exp(log_factorial(n));
  Ball product(1);
  for (std::uint64_t k = 2; k <= n; ++k) product *= Ball(k);
  return product;
}

/// x^k / k! of the masses and decay^k of one atom, made as they are asked for.
class AtomPowers {
 public:
  explicit AtomPowers(const Point& atom) : atom_(atom) {}

  const Point& at(std::uint64_t k) {
    if (powers_.empty()) {
      first_ = k < 256 ? 0 : k;
      powers_.push_back(directly(first_));
    }
    while (k < first_) {
      const std::uint64_t from = first_ > 64 ? first_ - 64 : 0;
      std::vector<Point> before{directly(from)};
      while (from + before.size() < first_)
        before.push_back(after(before.back(), from + before.size()));
      powers_.insert(powers_.begin(), before.begin(), before.end());
      first_ = from;
    }
    while (k - first_ >= powers_.size()) {
      powers_.push_back(after(powers_.back(), first_ + powers_.size()));
    }
    return powers_[k - first_];
  }

 private:
  Point directly(std::uint64_t k) const {
    const Ball divisor = factorial(k);
    return {power(atom_.p, k) / divisor, power(atom_.decay, k), power(atom_.tilted, k) / divisor,
            0};
  }
  Point after(const Point& before, std::uint64_t k) const {
    return {before.p * atom_.p / Ball(k), before.decay * atom_.decay,
            before.tilted * atom_.tilted / Ball(k), 0};
  }

  const Point& atom_;
  std::uint64_t first_ = 0;
  std::deque<Point> powers_;
};

/// Writes the multisets of one term out.
class Writer {
 public:
  Writer(const TermAtoms& term, std::uint64_t draws, std::vector<Point>& points) : points_(points) {
    for (const Point& atom : term.atoms) powers_.emplace_back(atom);
    const Ball front = factorial(draws);
    stack_.push_back({front, Ball(1), front, 0});
  }

  void push(std::size_t atom, std::uint64_t k) {
    stack_.push_back(stack_.back().times(powers_[atom].at(k)));
  }
  void pop() { stack_.pop_back(); }
  void leaf(double log) {
    points_.push_back(stack_.back());
    points_.back().log = log;
  }
  bool step() {
    if ((++steps_ & 255) == 0) check_work_limit();
    return points_.size() <= most_points;
  }

 private:
  std::vector<Point>& points_;
  std::vector<AtomPowers> powers_;
  std::vector<Point> stack_;
  std::size_t steps_ = 0;
};

/// Sorts by increasing loss and merges points whose losses are not certainly in that order, so that
/// afterwards all are: the merged loss is one between theirs.
// Proof: docs/proofs/atom_sum.md#merged
std::vector<Point> merged(std::vector<Point> points) {
  std::size_t compared = 0;
  std::sort(points.begin(), points.end(), [&](const Point& a, const Point& b) {
    if ((++compared & 8191) == 0) check_work_limit();
    return middle_is_less(b.decay, a.decay);
  });
  std::vector<Point> result;
  result.reserve(points.size());
  for (Point& next : points) {
    if ((result.size() & 1023) == 0) check_work_limit();
    Point point = std::move(next);
    while (!result.empty() && !certainly_less(point.decay, result.back().decay)) {
      const Point& last = result.back();
      point = {point.p + last.p, hull(point.decay, last.decay), point.tilted + last.tilted,
               estimate_log_sum(point.log, last.log)};
      result.pop_back();
    }
    result.push_back(std::move(point));
  }
  return result;
}

/// All pairs that are not rarer than e^-nats; `whole` becomes false where one is.
std::vector<Point> product(const std::vector<Point>& a, std::vector<Point> b, double nats,
                           bool& whole) {
  std::sort(b.begin(), b.end(), [](const Point& x, const Point& y) { return x.log > y.log; });
  std::vector<Point> result;
  for (const Point& x : a) {
    for (const Point& y : b) {
      if (x.log + y.log < -nats) {
        whole = false;
        break;
      }
      if ((result.size() & 255) == 0) check_work_limit();
      if (result.size() >= most_points) throw std::domain_error("too many combinations of atoms");
      result.push_back(x.times(y));
    }
  }
  return result;
}

}  // namespace

struct AtomProduct::Points {
  std::vector<Point> points{{Ball(1), Ball(1), Ball(1), 0}};
  bool whole = true;

  Points(const std::vector<TermAtoms>& terms, const std::vector<std::uint64_t>& counts,
         double nats) {
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (counts[i] == 0) continue;
      std::vector<Point> factor;
      Writer writer(terms[i], counts[i], factor);
      Multisets<Writer> multisets(terms[i].logs(), counts[i], -nats, writer);
      whole = multisets.visit() && terms[i].whole && whole;
      factor = merged(std::move(factor));
      points = points.size() == 1 && i == 0
                   ? std::move(factor)
                   : merged(product(points, std::move(factor), nats, whole));
    }
    if (points.empty()) throw std::domain_error("no combination can be told to matter");
  }

  Ball tilted_mass() const {
    Ball sum;
    for (const Point& point : points) sum += point.tilted;
    return sum;
  }
};

/// Points by increasing loss, with the sums over those from one on.
struct AtomProduct::Table {
  std::vector<Ball> p;
  std::vector<Ball> decay;
  std::vector<Ball> p_from;  ///< sum of p_i over i >= j
  std::vector<Ball> e_from;  ///< sum of p_i (decay_j - decay_i) over i >= j

  explicit Table(std::vector<Point> points) {
    p.reserve(points.size());
    decay.reserve(points.size());
    for (Point& point : points) {
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
  outer_ = std::make_unique<Points>(*terms, plan.outer, nats);
  Points inner(*terms, plan.inner, nats);
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
    const Point& a = outer_->points[i];
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
