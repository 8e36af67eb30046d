#include "api/extend/stated_lattice.hpp"

#include <mutex>
#include <utility>

#include "api/extend/stated_law.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/laws/lattice_law.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit::inline v0 {

namespace {

constexpr std::size_t points_of_check = 32;  ///< of the window, at most, where P(L > x) is asked
constexpr long most_listed = 1 << 16;        ///< atoms in one list
constexpr long bits_of_estimate = 256;

/// The stated window at one precision. The point i is offset + (first + i) mesh.
struct Window {
  long first = 0;
  std::vector<Ball> p;        ///< P(L = point i)
  std::vector<Ball> p_above;  ///< P(L >= point i) for i <= p.size()
  std::vector<Ball> q_above;  ///< Q(L >= point i)
  Ball below;                 ///< P-mass of the finite losses below the point 0
  Ball above;                 ///< and of those above the last one
  Ball infinite;              ///< P(L = inf)
  Ball q_mass;

  long size() const { return static_cast<long>(p.size()); }
  /// P and Q of the losses from point i on, also outside of the window.
  LawQuestions::Tails from(long i) const {
    if (i < 0) return {hull(p_above[0], p_above[0] + below), hull(q_above[0], q_mass)};
    if (i > size()) return {hull(infinite, p_above.back()), hull(Ball(0), q_above.back())};
    return {p_above[static_cast<std::size_t>(i)], q_above[static_cast<std::size_t>(i)]};
  }
  Ball mass(long i) const {
    if (i < 0) return hull(Ball(0), below);
    if (i >= size()) return hull(Ball(0), above);
    return p[static_cast<std::size_t>(i)];
  }
};

class StatedLattice final : public StatedLoss {
 public:
  explicit StatedLattice(const LawQuestions& law) : StatedLoss(law) {
    const extend::LatticeWindow stated = *law.lattice_window();
    facts_.lattice = {exact(stated.mesh, "mesh"), exact(stated.offset, "offset"), {}};
    if (mesh() <= 0) law.refuse("the mesh of the lattice is not > 0");
    facts_.atoms_unknown = false;
    check();
  }

  PointMasses masses_at(const Rational& x) const override;
  Ball p_atom(const Ball& x) const override {
    // no exact number of so many bits is made of a loss that is on no lattice
    const bool moderate = x.is_finite() && x.is_exact() && certainly_less(abs(x), Ball(0x1p64));
    return moderate ? masses_at(exact_rational(x)).p_atom : StatedLoss::p_atom(x);
  }
  std::optional<std::vector<LossAtom>> atoms_in(
      const std::optional<LossWindow>& window) const override;
  std::shared_ptr<const LatticeLaw> lattice() const override;
  CumulantEstimate estimate_cumulant(double t) const override;

 protected:
  Ball p_at(const Ball& point) const override {
    const auto [first, last] = places_from(point);
    return between(window()->from(last).p, window()->from(first).p);
  }
  Ball q_at(const Ball& point) const override {
    const auto [first, last] = places_from(point);
    return between(window()->from(last).q, window()->from(first).q);
  }

 private:
  const Rational& mesh() const { return facts_.lattice->mesh; }
  const Rational& offset() const { return facts_.lattice->offset; }
  std::shared_ptr<const Window> window() const;
  Window made() const;
  void check() const;
  /// i of the first point above x, clamped to [-1, size() + 1] of the window; of the least and of
  /// the greatest number in the ball x.
  std::pair<long, long> places_from(const Ball& x) const;
  /// The same of a number of points from the offset.
  long place_above(const Rational& points, const Window& in) const {
    const Rational place = floor_of(points) + 1 - in.first;
    if (place < -1) return -1;
    return place > in.size() + 1 ? in.size() + 1 : numerator(place).to<long>();
  }

  mutable std::mutex mutex_;
  mutable long bits_ = 0;  ///< of window_
  mutable std::shared_ptr<const Window> window_;
  mutable std::once_flag once_;
  mutable AtomEstimate estimate_;
};

Window StatedLattice::made() const {
  const auto stated = law().lattice_window();
  const bool same = stated && exact(stated->mesh, "mesh") == mesh() &&
                    exact(stated->offset, "offset") == offset() && !stated->p.empty();
  if (!same) law().refuse("the lattice is not always the same, or has no masses");
  Window result;
  result.first = stated->first;
  for (const Interval& mass : stated->p) {
    result.p.push_back(law().probability("a mass on the lattice", mass));
  }
  result.below = law().probability("the mass below the window", stated->below);
  result.infinite = law().mass_at_infinity();
  result.q_mass = law().q_mass();
  // Q = e^-L P: what is above a point has at most e^-(that point) of its P-mass
  const auto point = [&](long i) { return Ball(Rational(offset() + (result.first + i) * mesh())); };
  result.above = law().probability("the mass above the window", stated->above);
  Ball p = result.infinite + result.above;
  Ball q = hull(Ball(0), result.above * exp(-point(result.size())));
  result.p_above.assign(result.p.size() + 1, p);
  result.q_above.assign(result.p.size() + 1, q);
  for (std::size_t i = result.p.size(); i-- > 0;) {
    if ((i & 255) == 0) check_work_limit();
    p += result.p[i];
    q += result.p[i] * exp(-point(static_cast<long>(i)));
    result.p_above[i] = p;
    result.q_above[i] = q;
  }
  return result;
}

std::shared_ptr<const Window> StatedLattice::window() const {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (window_ && bits_ == working_precision()) return window_;
  }
  auto fresh = std::make_shared<const Window>(made());
  const std::lock_guard<std::mutex> lock(mutex_);
  bits_ = working_precision();
  return window_ = std::move(fresh);
}

/// Refuses masses that certainly contradict what else is stated.
void StatedLattice::check() const {
  const PrecisionScope scope(bits_of_checks);
  const Window in = made();
  if (!overlaps(in.p_above[0] + in.below, Ball(1))) {
    law().refuse("the masses on the lattice and beside the window do not add up to 1");
  }
  if (certainly_greater(in.q_above[0], in.q_mass)) {
    law().refuse("the masses on the lattice exceed Q(dP/dQ > 0)");
  }
  const std::size_t step = in.p.size() / points_of_check + 1;
  for (std::size_t i = 0; i < in.p_above.size(); i += step) {
    const Rational before = offset() + (in.first + static_cast<long>(i) - Rational(1, 2)) * mesh();
    const LawQuestions::Tails here = law().tails(Ball(before).middle());
    if (!overlaps(here.p, in.p_above[i]) || !overlaps(here.q, in.q_above[i])) {
      law().refuse("the masses on the lattice are not those of the tails");
    }
  }
}

std::pair<long, long> StatedLattice::places_from(const Ball& x) const {
  const auto in = window();
  const Ball points = (x - Ball(offset())) / Ball(mesh());
  const auto place = [&](const Ball& end) {
    if (certainly_less(end, Ball(in->first - 2))) return -1L;
    if (certainly_greater(end, Ball(in->first + in->size() + 2))) return in->size() + 1;
    return place_above(exact_rational(end), *in);
  };
  return {place(points.lower()), place(points.upper())};
}

PointMasses StatedLattice::masses_at(const Rational& x) const {
  const auto in = window();
  const Rational points = (x - offset()) / mesh();
  const long i = place_above(points, *in);
  const LawQuestions::Tails above = in->from(i);
  return {above.p, above.q, denominator(points) == 1 ? in->mass(i - 1) : Ball(0)};
}

std::optional<std::vector<LossAtom>> StatedLattice::atoms_in(
    const std::optional<LossWindow>& asked) const {
  const auto in = window();
  const bool whole = in->below.is_exact_zero() && in->above.is_exact_zero();
  if (!asked && !whole) return std::nullopt;
  const Rational least = offset() + in->first * mesh();
  const Rational greatest = least + (in->size() - 1) * mesh();
  Rational from = asked ? asked->from : least;
  Rational to = asked ? asked->to : greatest;
  if (whole) {
    from = from < least ? least : from;
    to = to > greatest ? greatest : to;
  }
  if ((to - from) / mesh() > most_listed) {
    throw SpecError("atoms: the window has over " + std::to_string(most_listed) + " of them");
  }
  std::vector<LossAtom> atoms;
  Rational points = -floor_of((offset() - from) / mesh());  // rounded up
  for (Rational loss = offset() + points * mesh(); loss <= to; loss += mesh(), points += 1) {
    check_work_limit();
    const Ball p = in->mass(place_above(points, *in) - 1);
    atoms.push_back({Ball(loss), loss, p, p * exp(-Ball(loss))});
  }
  return atoms;
}

// What is beyond the window is at least nothing, at most its bound at L = +inf on the right, and
// on the left at the first point. Proof: docs/proofs/stated_laws.md#window
std::shared_ptr<const LatticeLaw> StatedLattice::lattice() const {
  const auto in = window();
  auto result = std::make_shared<LatticeLaw>();
  result->mesh = Ball(mesh());
  result->exact_mesh = mesh();
  result->offset = Ball(offset());
  result->first = in->first;
  result->masses = in->p;
  const Ball above = hull(Ball(0), in->above);
  const Ball below = hull(Ball(0), in->below);
  result->masses.front() += PLAUDIT_BOUND("stated.below_window", below, Ball(0));
  result->infinite = in->infinite + PLAUDIT_BOUND("stated.above_window", above, Ball(0));
  return result;
}

CumulantEstimate StatedLattice::estimate_cumulant(double t) const {
  if (has_moments()) return StatedLoss::estimate_cumulant(t);
  std::call_once(once_, [&] {
    const UncountedWork kept;
    const PrecisionScope scope(bits_of_estimate);
    const auto in = window();
    for (std::size_t i = 0; i < in->p.size(); ++i) {
      const Rational loss = offset() + (in->first + static_cast<long>(i)) * mesh();
      estimate_.add(Ball(loss).estimate(), in->p[i].estimate_log());
    }
  });
  return estimate_.cumulant(t);
}

}  // namespace

std::shared_ptr<const core::PrivacyLoss> loss_on_lattice(const LawQuestions& law) {
  return std::make_shared<StatedLattice>(law);
}

}  // namespace plaudit::inline v0
