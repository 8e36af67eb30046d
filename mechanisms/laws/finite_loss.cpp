#include "mechanisms/laws/finite_loss.hpp"

#include <algorithm>
#include <cmath>

#include "lib/balls/ball_memory.hpp"
#include "lib/balls/decided_sign.hpp"
#include "lib/balls/precision.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/laws/lattice_law.hpp"

namespace plaudit {

struct FiniteLoss::Table {
  long bits;
  std::vector<Atom> atoms;  ///< by the middles of their losses
  Ball infinite;
  Ball q_mass;
  std::vector<Ball> p_from;  ///< sum of the p of atoms i, i+1, ...; one element more than atoms
  std::vector<Ball> q_from;
  std::vector<Ball> least_from;      ///< lower bound of the losses i, i+1, ...
  std::vector<Ball> greatest_until;  ///< upper bound of the losses 0, ..., i
};

FiniteLoss::Exact FiniteLoss::Exact::sampled(const std::optional<Rational>& infinite,
                                             const std::shared_ptr<const ExactLaw>& law,
                                             const Rational& rate, Direction direction) {
  Exact exact;
  exact.law = sampled_exactly(law, rate, direction);
  if (exact.law) exact.greatest = rational_greatest_loss(*exact.law);
  if (direction == Direction::add) {
    exact.infinite = 0;
  } else if (infinite) {
    exact.infinite = Rational(rate * *infinite);
  }
  return exact;
}

FiniteLoss::FiniteLoss(std::string description, Provider law, std::optional<Lattice> lattice)
    : FiniteLoss(std::move(description), std::move(law), std::move(lattice), Exact()) {}

FiniteLoss::FiniteLoss(std::string description, Provider law, std::optional<Lattice> lattice,
                       Exact exact)
    : description_(std::move(description)),
      law_(std::move(law)),
      lattice_(std::move(lattice)),
      exact_(std::move(exact)) {
  facts_.mass_at_infinity = exact_.infinite;
  facts_.greatest_loss = exact_.greatest;
  facts_.by_intervals = exact_.by_intervals;
  facts_.curve_bounds = exact_.bounds.get();
  if (lattice_) facts_.lattice = LossLattice{lattice_->mesh, lattice_->offset, lattice_->exp_unit};
  const PrecisionScope scope(64);
  for (const Atom& atom : law_().atoms) {
    estimate_.add(atom.loss.estimate(), atom.p.estimate_log());
  }
}

std::shared_ptr<const FiniteLoss::Table> FiniteLoss::table() const {
  const long bits = working_precision();
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (table_ && table_->bits == bits) return table_;
  }
  const UncountedWork kept;
  FiniteLaw law = law_();
  auto table = std::make_shared<Table>();
  table->bits = bits;
  table->infinite = law.infinite;
  table->q_mass = law.q_mass;
  table->atoms = std::move(law.atoms);
  std::vector<Atom>& atoms = table->atoms;
  std::sort(atoms.begin(), atoms.end(),
            [](const Atom& a, const Atom& b) { return middle_is_less(a.loss, b.loss); });
  const std::size_t count = atoms.size();
  table->p_from.resize(count + 1);
  table->q_from.resize(count + 1);
  table->least_from.resize(count + 1, positive_infinity());
  for (std::size_t i = count; i-- > 0;) {
    table->p_from[i] = table->p_from[i + 1] + atoms[i].p;
    table->q_from[i] = table->q_from[i + 1] + atoms[i].q;
    table->least_from[i] = min(table->least_from[i + 1], atoms[i].loss.lower()).lower();
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Ball upper = atoms[i].loss.upper();
    table->greatest_until.push_back(i == 0 ? upper
                                           : max(table->greatest_until[i - 1], upper).upper());
  }
  check_work_limit();
  const std::lock_guard<std::mutex> lock(mutex_);
  table_ = table;
  return table;
}

Ball FiniteLoss::log_mgf(const Ball& t) const {
  const auto law = table();
  Ball sum;
  for (const Atom& atom : law->atoms) sum += atom.p * exp(t * atom.loss);
  return log(sum);
}

ComplexBall FiniteLoss::log_mgf(const ComplexBall& z) const {
  const auto law = table();
  ComplexBall sum;
  for (const Atom& atom : law->atoms) {
    sum += ComplexBall(atom.p) * exp(z * ComplexBall(atom.loss));
  }
  return log(sum);
}

// Atoms from `above` on are certainly above x, those before `maybe` certainly not; each one between
// is asked on its own.
Ball FiniteLoss::above(const Ball& x, bool under_q) const {
  const auto law = table();
  const auto& least = law->least_from;
  const auto& greatest = law->greatest_until;
  const auto from = static_cast<std::size_t>(
      std::partition_point(least.begin(), least.end() - 1,
                           [&](const Ball& l) { return !certainly_greater(l, x); }) -
      least.begin());
  const auto maybe = static_cast<std::size_t>(
      std::partition_point(greatest.begin(), greatest.end(),
                           [&](const Ball& l) { return certainly_less_equal(l, x); }) -
      greatest.begin());
  Ball sum = under_q ? law->q_from[from] : law->p_from[from];
  for (std::size_t i = maybe; i < from; ++i) {
    const Atom& atom = law->atoms[i];
    if (certainly_less_equal(atom.loss, x)) continue;
    const Ball& mass = under_q ? atom.q : atom.p;
    sum += certainly_greater(atom.loss, x) ? mass : hull(Ball(0), mass);
  }
  return sum;
}

Ball FiniteLoss::p_above(const Ball& x) const {
  const Ball infinite = table()->infinite;
  return infinite.is_exact_zero() ? above(x, false) : above(x, false) + infinite;
}

Ball FiniteLoss::q_above(const Ball& x) const { return above(x, true); }

Ball FiniteLoss::p_atom(const Ball& x) const {
  Ball sum;
  const auto law = table();
  for (const Atom& atom : law->atoms) {
    if (!overlaps(atom.loss, x)) continue;
    const bool certain = atom.loss.is_exact() && x.is_exact();
    sum += certain ? atom.p : hull(Ball(0), atom.p);
  }
  return sum;
}

// Proof: docs/proofs/tails.md#exact-points
std::optional<std::vector<signed char>> FiniteLoss::sides(const Rational& x) const {
  std::vector<signed char> sides;
  if (rational_lattice()) {
    const Rational place = (x - lattice_->offset) / lattice_->mesh;
    const Integer below = floor_of(place);
    const bool on_lattice = place == Rational(below);
    for (const long each : lattice_->places) {
      sides.push_back(below < each ? 1 : on_lattice && below == each ? 0 : -1);
    }
    return sides;
  }
  if (rational_losses()) {
    for (const Rational& loss : exact_.losses) {
      sides.push_back(static_cast<signed char>(exact_sign(loss - x)));
    }
    return sides;
  }
  if (!exact_.law) return std::nullopt;
  for (const ExactAtom& atom : exact_.law->atoms) {
    const ExponentialSum above = atom.p - atom.q.times(1, x);  // of the sign of the loss minus x
    const auto sign = above.is_zero()
                          ? std::optional(0)
                          : decided_sign(bits_against(x), [&] { return above.enclosed(); });
    if (!sign) return std::nullopt;
    sides.push_back(static_cast<signed char>(*sign));
  }
  return sides;
}

PointMasses FiniteLoss::masses_at(const Rational& x) const {
  const auto known = sides(x);
  if (!known) return PrivacyLoss::masses_at(x);
  PointMasses masses{table()->infinite, Ball(0), Ball(0)};
  const bool listed = rational_losses();
  const Ball scale = listed ? Ball(1) : exact_.law->scale.enclosed();
  const FiniteLaw law = listed ? law_() : FiniteLaw{};
  for (std::size_t i = 0; i < known->size(); ++i) {
    if ((i & 255) == 0) check_work_limit();
    const int side = (*known)[i];  // NOLINT(bugprone-signed-char-misuse): its sign is what counts
    if (side < 0) continue;
    const Ball p = listed ? law.atoms[i].p : exact_.law->atoms[i].p.enclosed() / scale;
    if (side == 0) {
      masses.p_atom += p;
      continue;
    }
    masses.p_above += p;
    masses.q_above += listed ? law.atoms[i].q : exact_.law->atoms[i].q.enclosed() / scale;
  }
  return masses;
}

std::optional<std::vector<LossAtom>> FiniteLoss::atoms_in(
    const std::optional<LossWindow>& window) const {
  std::vector<LossAtom> atoms;
  if (rational_losses()) {
    const FiniteLaw law = law_();
    for (std::size_t i = 0; i < law.atoms.size(); ++i) {
      const Rational loss = rational_lattice()
                                ? Rational(lattice_->offset + lattice_->places[i] * lattice_->mesh)
                                : exact_.losses[i];
      atoms.push_back({law.atoms[i].loss, loss, law.atoms[i].p, law.atoms[i].q});
    }
  } else if (exact_.law) {
    return within(listed_atoms(exact_.law->atoms, exact_.law->scale), window);
  } else {
    for (const Atom& atom : law_().atoms) atoms.push_back({atom.loss, {}, atom.p, atom.q});
  }
  std::sort(atoms.begin(), atoms.end(),
            [](const LossAtom& a, const LossAtom& b) { return middle_is_less(a.loss, b.loss); });
  return within(std::move(atoms), window);
}

Ball FiniteLoss::mass_at_infinity() const { return table()->infinite; }
Ball FiniteLoss::q_mass() const { return table()->q_mass; }

// An atom that may have no mass may or may not be the end of the support.
Ball FiniteLoss::least_loss() const {
  const auto law = table();
  Ball least = law->atoms.back().loss;
  for (auto atom = law->atoms.rbegin(); atom != law->atoms.rend(); ++atom) {
    const Ball lower = min(least, atom->loss);
    least = certainly_positive(atom->p) ? lower : hull(least, lower);
  }
  return least;
}
Ball FiniteLoss::greatest_loss() const {
  const auto law = table();
  Ball greatest = law->atoms.front().loss;
  for (const Atom& atom : law->atoms) {
    const Ball higher = max(greatest, atom.loss);
    greatest = certainly_positive(atom.p) ? higher : hull(greatest, higher);
  }
  return greatest;
}

// The sum over the atoms above epsilon of p (1 - e^{eps - l}): an atom that may lie on either side
// contributes next to nothing.
Ball FiniteLoss::delta(const Ball& epsilon) const {
  const auto law = table();
  Ball sum = law->infinite;
  for (const Atom& atom : law->atoms) {
    if (certainly_less_equal(atom.loss, epsilon)) continue;
    sum += atom.p * max(Ball(0), -expm1(epsilon - atom.loss));
  }
  return sum;
}

// Two atoms are always on a lattice.
std::shared_ptr<const LatticeLaw> FiniteLoss::lattice() const {
  const auto law = table();
  const std::vector<Atom>& atoms = law->atoms;
  auto result = std::make_shared<LatticeLaw>();
  result->infinite = law->infinite;
  if (!lattice_) {
    if (atoms.size() != 2) return nullptr;
    result->mesh = atoms[1].loss - atoms[0].loss;
    result->offset = atoms[0].loss;
    result->masses = {atoms[0].p, atoms[1].p};
    return certainly_positive(result->mesh) ? result : nullptr;
  }
  const std::vector<long>& places = lattice_->places;
  const auto [least, greatest] = std::minmax_element(places.begin(), places.end());
  const Ball unit = lattice_->exp_unit ? log(Ball(*lattice_->exp_unit)) : Ball(1);
  result->mesh = Ball(lattice_->mesh) * unit;
  if (!lattice_->exp_unit) result->exact_mesh = lattice_->mesh;
  result->offset = Ball(lattice_->offset) * unit;
  result->first = *least;
  check_memory_of_balls(static_cast<double>(*greatest) - static_cast<double>(*least));
  result->masses.resize(static_cast<std::size_t>(*greatest - *least) + 1);
  const FiniteLaw given = law_();  // in the order of the places
  for (std::size_t i = 0; i < places.size(); ++i) {
    result->masses[static_cast<std::size_t>(places[i] - *least)] += given.atoms[i].p;
  }
  return result;
}

std::shared_ptr<const AtomicLaw> FiniteLoss::atoms(double, double) const {
  return std::make_shared<AtomicLaw>(AtomicLaw{law_(), true});
}

std::shared_ptr<const PrivacyLoss> FiniteLoss::sampled(const Rational& rate,
                                                       Direction direction) const {
  Exact exact = Exact::sampled(exact_mass_at_infinity(), exact_.law, rate, direction);
  exact.by_intervals = exact_.by_intervals;
  return std::make_shared<FiniteLoss>(
      description_ + " sampled at " + to_string(rate) + ", " + std::string(name_of(direction)),
      [base = law_, rate, direction] { return sampled_law(base(), rate, direction); }, std::nullopt,
      std::move(exact));
}

}  // namespace plaudit
