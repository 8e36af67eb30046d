#include "accountants/atoms/atom_points.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <stdexcept>

#include "accountants/atoms/multisets.hpp"
#include "lib/balls/binomial.hpp"
#include "lib/constants.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/laws/atomic_law.hpp"

namespace plaudit {

namespace {

constexpr std::size_t most_points = most_atom_points;
constexpr std::size_t steps_of_point = 8;  ///< of a search, at most
constexpr double nats_of_atoms = 10;       ///< that a law's own cut is below that of the product

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
  for (AtomPoint& atom : result.atoms) atom.log -= whole;
  const auto rare = [&](const AtomPoint& atom) { return !(atom.log >= least); };
  const auto kept = std::remove_if(result.atoms.begin(), result.atoms.end(), rare);
  if (kept != result.atoms.end()) result.whole = false;
  result.atoms.erase(kept, result.atoms.end());
  if (result.atoms.empty()) throw std::domain_error("no atom can be told to matter");
  std::sort(result.atoms.begin(), result.atoms.end(),
            [](const AtomPoint& a, const AtomPoint& b) { return a.log < b.log; });
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

Ball factorial(std::uint64_t n) {
  if (n > 1000) return exp(log_factorial(n));
  Ball product(1);
  for (std::uint64_t k = 2; k <= n; ++k) product *= Ball(k);
  return product;
}

/// x^k / k! of the masses and decay^k of one atom, made as they are asked for.
class AtomPowers {
 public:
  explicit AtomPowers(const AtomPoint& atom) : atom_(atom) {}

  const AtomPoint& at(std::uint64_t k) {
    if (powers_.empty()) {
      first_ = k < 256 ? 0 : k;
      powers_.push_back(directly(first_));
    }
    while (k < first_) {
      const std::uint64_t from = first_ > 64 ? first_ - 64 : 0;
      std::vector<AtomPoint> before{directly(from)};
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
  AtomPoint directly(std::uint64_t k) const {
    const Ball divisor = factorial(k);
    return {power(atom_.p, k) / divisor, power(atom_.decay, k), power(atom_.tilted, k) / divisor,
            0};
  }
  AtomPoint after(const AtomPoint& before, std::uint64_t k) const {
    return {before.p * atom_.p / Ball(k), before.decay * atom_.decay,
            before.tilted * atom_.tilted / Ball(k), 0};
  }

  const AtomPoint& atom_;
  std::uint64_t first_ = 0;
  std::deque<AtomPoint> powers_;
};

/// Writes the multisets of one term out.
class Writer {
 public:
  Writer(const TermAtoms& term, std::uint64_t draws, std::vector<AtomPoint>& points)
      : points_(points) {
    for (const AtomPoint& atom : term.atoms) powers_.emplace_back(atom);
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
  std::vector<AtomPoint>& points_;
  std::vector<AtomPowers> powers_;
  std::vector<AtomPoint> stack_;
  std::size_t steps_ = 0;
};

/// Sorts by increasing loss and merges points whose losses are not certainly in that order, so that
/// afterwards all are: the merged loss is one between theirs.
// Proof: docs/proofs/atom_sum.md#merged
std::vector<AtomPoint> merged(std::vector<AtomPoint> points) {
  std::size_t compared = 0;
  std::sort(points.begin(), points.end(), [&](const AtomPoint& a, const AtomPoint& b) {
    if ((++compared & 8191) == 0) check_work_limit();
    return middle_is_less(b.decay, a.decay);
  });
  std::vector<AtomPoint> result;
  result.reserve(points.size());
  for (AtomPoint& next : points) {
    if ((result.size() & 1023) == 0) check_work_limit();
    AtomPoint point = std::move(next);
    while (!result.empty() && !certainly_less(point.decay, result.back().decay)) {
      const AtomPoint& last = result.back();
      point = {point.p + last.p, hull(point.decay, last.decay), point.tilted + last.tilted,
               estimate_log_sum(point.log, last.log)};
      result.pop_back();
    }
    result.push_back(std::move(point));
  }
  return result;
}

/// All pairs that are not rarer than e^-nats; `whole` becomes false where one is.
std::vector<AtomPoint> product(const std::vector<AtomPoint>& a, std::vector<AtomPoint> b,
                               double nats, bool& whole) {
  std::sort(b.begin(), b.end(),
            [](const AtomPoint& x, const AtomPoint& y) { return x.log > y.log; });
  std::vector<AtomPoint> result;
  for (const AtomPoint& x : a) {
    for (const AtomPoint& y : b) {
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

std::vector<double> TermAtoms::logs() const {
  std::vector<double> result;
  for (const AtomPoint& atom : atoms) result.push_back(atom.log);
  return result;
}

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

double estimate_multisets(const TermAtoms& term, std::uint64_t draws, double nats,
                          std::size_t most) {
  const std::vector<double> logs = term.logs();
  // They add up to about 1, so there are at least as many as the likeliest goes into 1.
  if (-estimate_log_mode(logs, draws) > std::log(4.0 * static_cast<double>(most))) return infinity;
  Counter counter{most};
  Multisets<Counter>(logs, draws, -nats, counter).visit();
  return counter.step() ? static_cast<double>(counter.points) : infinity;
}

AtomPoints::AtomPoints(const std::vector<TermAtoms>& terms,
                       const std::vector<std::uint64_t>& counts, double nats) {
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (counts[i] == 0) continue;
    std::vector<AtomPoint> factor;
    Writer writer(terms[i], counts[i], factor);
    Multisets<Writer> multisets(terms[i].logs(), counts[i], -nats, writer);
    whole = multisets.visit() && terms[i].whole && whole;
    factor = merged(std::move(factor));
    points = points.size() == 1 && i == 0 ? std::move(factor)
                                          : merged(product(points, std::move(factor), nats, whole));
  }
  if (points.empty()) throw std::domain_error("no combination can be told to matter");
}

Ball AtomPoints::tilted_mass() const {
  Ball sum;
  for (const AtomPoint& point : points) sum += point.tilted;
  return sum;
}

}  // namespace plaudit
