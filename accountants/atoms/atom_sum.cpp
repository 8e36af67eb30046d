// Compositions of purely atomic laws that need not share a lattice, by their exact sum.
//
// What is proven, and by which theorem: accountants/proof/kinds/atoms.hpp. How the composition is
// halved, and which combinations are left out: accountants/plan/atoms_plan.hpp. Here precision is
// raised until the wanted digits are there.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "accountants/cumulants/order_search.hpp"
#include "accountants/inversion.hpp"
#include "accountants/lattice/lattice_curve.hpp"
#include "accountants/narrowing_curve.hpp"
#include "accountants/plan/atom_lists.hpp"
#include "accountants/proof/arithmetic/rejected.hpp"
#include "accountants/proof/evidence.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/balls/refine.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm rounding_term{"atom_sum.rounding", "ball arithmetic (radius of the sum)"};
constexpr double most_tilt = 1e6;
constexpr double spare_nats = 20;  ///< beyond the wanted ones, to which combinations are left out
constexpr long spare_bits = 96;    ///< for the cancellation of p_a P_j and e^eps q_a Q_j
// Precision is raised to so many times the first one, and so many bits more.
constexpr long most_growth = 4;
constexpr long most_more_bits = 2000;
constexpr double few_points = 1 << 17;  ///< combinations that take a second or less
constexpr double planning_nats = 40;    ///< about 12 digits, and spare ones
constexpr double nats_of_evidence = 3;  ///< beyond the accuracy that is wanted

/// A tilt t of the bound of what is left out: any t >= 0 is valid, the best order keeps the fewest.
double usable(double tilt) { return std::isfinite(tilt) ? std::clamp(tilt, 0.0, most_tilt) : 0; }

/// Points in both halves together as planned at low accuracy; nothing where there are too many, or
/// a law has a continuous part.
std::optional<double> planned_points(const ComposedLoss& loss) {
  const PrecisionScope scope(64);
  try {
    const std::optional<AtomLists> laws = atom_lists(loss, 0, planning_nats);
    if (!laws) return std::nullopt;
    const AtomsPlan plan = plan_atoms(laws->factors, 0, planning_nats);
    return plan.outer_points + plan.inner_points;
  } catch (const std::domain_error&) {
    return std::nullopt;
  }
}

class AtomSumCurve final : public NarrowingCurve {
 public:
  AtomSumCurve(const ComposedLoss& loss, const Goal& goal)
      : NarrowingCurve(loss, "atom_sum"),
        digits_(goal.digits),
        bits_(bits_of_digits(goal.digits)),
        budget_(proof::unlimited_budget()) {}

  void narrow_delta(Enclosure& band, const Rational& epsilon) override {
    tilt_ = usable(chernoff_order_at_epsilon(cumulant(), estimate(epsilon)));
    answered(band, [&] { narrow(band, value(Ball(epsilon), band)); });
    give_evidence(band, 0, band.upper.estimate_log());
  }

  void narrow_epsilon(Enclosure& band, const Rational& delta) override {
    const double finite = estimate(delta) - loss_.mass_at_infinity().estimate();
    const double log_delta = finite > 0 ? std::log(finite) : estimate_log(delta);
    Ball guess(delta > 0 && delta < 1 ? estimate_epsilon(cumulant(), log_delta) : 0.0);
    if (!guess.is_finite()) guess = Ball(0);
    tilt_ = delta > 0 && delta < 1 ? usable(chernoff_order_at_delta(cumulant(), log_delta)) : 0;
    answered(band, [&] {
      guess = narrow_crossing(
          band, [&](const Ball& x) { return value(x, band); }, delta, guess, bits_);
    });
    // a relative accuracy w of epsilon is one of about w t epsilon of delta
    give_evidence(band, -std::log(tilt_ * band.upper.estimate()), estimate_log(delta));
  }

 private:
  CumulantFunction cumulant() const {
    return [this](double t) { return loss_.estimate_cumulant(t); };
  }

  /// Attempts at growing precision that leave out less and less.
  template <class Attempt>
  void answered(Enclosure& band, Attempt&& attempt) {
    if (reached(band, digits_)) {
      band.method = "no sum needed";
      return;
    }
    const long start = bits_ + spare_bits + 2 * precision_bits(std::log2(loss_.steps() + 1));
    double nats = static_cast<double>(bits_) * log_two + spare_nats;
    const bool done = refine(start, most_growth * start + most_more_bits, [&] {
      list(nats);
      band.method = std::to_string(sum_->outer_points()) + " by " +
                    std::to_string(sum_->inner_points()) + " combinations, " +
                    std::to_string(working_precision()) + " bits";
      attempt();
      const long missing = missing_bits(band.lower, band.upper, bits_);
      nats += static_cast<double>(missing) * log_two;
      return missing;
    });
    if (!done) band.remark = "precision limit reached";
  }

  void list(double nats) {
    std::optional<AtomLists> laws = atom_lists(loss_, tilt_, nats);
    if (!laws) throw std::domain_error("a privacy loss has a continuous part");
    const AtomsPlan plan = plan_atoms(laws->factors, tilt_, nats);
    factors_.clear();
    if (laws->whole) factors_ = std::move(laws->factors);
    sum_ = std::make_unique<proof::AtomSum<Ball>>(
        proof::AtomicLaws<Ball>{laws->atoms, laws->atoms, laws->whole, loss_.mass_at_infinity(),
                                [&] { return exp(loss_.log_mgf(Ball(tilt_))); }},
        plan.choices, most_atom_points, budget_);
  }

  void describe(Enclosure&) override { sum_.reset(); }

  /// Encloses delta(eps) by the lists at hand.
  Ball value(const Ball& epsilon, Enclosure& band) {
    const proof::ProofOf<Ball> found = sum_->at(epsilon, budget_);
    band.ledger = Ledger();
    for (const auto& error : found.errors) band.ledger.note(*error.term, error.size);
    band.ledger.note(rounding_term, found.low.radius());
    return hull(found.low, found.high);
  }

  /// Certificates bound what is left out by its mass and not by a moment: they keep other
  /// combinations, and have no outcomes of infinitely many atoms that an answer chose.
  void give_evidence(Enclosure& band, double more_nats, double log_delta) const {
    const double nats = static_cast<double>(bits_) * log_two + std::max(more_nats, 0.0);
    const double kept = nats - std::min(log_delta, 0.0) + nats_of_evidence;
    if (factors_.empty() || !std::isfinite(kept)) return;
    try {
      AtomsPlan plan = plan_atom_windows(factors_, kept);
      band.evidence = std::make_shared<proof::Evidence>(
          proof::Evidence{std::move(plan.choices),
                          precision_bits(bits_of_atom_windows(loss_.steps(), nats, kept))});
    } catch (const std::domain_error&) {  // too long for a certificate
    }
  }

  int digits_;
  long bits_;
  double tilt_ = 0;
  proof::Budget budget_;
  std::unique_ptr<proof::AtomSum<Ball>> sum_;
  std::vector<AtomFactor> factors_;  ///< of laws that have no other atoms
};

class AtomSumAccountant final : public Accountant {
 public:
  std::string_view name() const override { return "atom_sum"; }
  std::string_view summary() const override {
    return "laws without a continuous part, no common lattice needed: the exact sum over atoms";
  }
  std::string_view theorem() const override {
    return "docs/proofs/atom_sum.md#halves, docs/proofs/atom_sum.md#left-out";
  }
  std::optional<std::string> refusal(const ComposedLoss& loss) const override {
    const PrecisionScope scope(64);
    for (const ComposedLoss::Term& term : loss.terms()) {
      if (!term.loss->atoms(0, 1)) return "atom_sum needs losses without a continuous part";
    }
    if (!planned_points(loss)) {
      return "atom_sum would need more than 2^19 combinations of atoms in half of the product";
    }
    return std::nullopt;
  }
  Offer offer(const ComposedLoss& loss) const override {
    const std::optional<double> points = planned_points(loss);
    const bool quick = points && *points < few_points && lattice_refusal(loss);
    return {.cost = quick ? Offer::Cost::small : Offer::Cost::usual};
  }
  std::unique_ptr<PrivacyCurve> curve(const ComposedLoss& loss, const Goal& goal) const override {
    return std::make_unique<AtomSumCurve>(loss, goal);
  }
};

}  // namespace

std::shared_ptr<const Accountant> atom_sum_accountant();
std::shared_ptr<const Accountant> atom_sum_accountant() {
  return std::make_shared<AtomSumAccountant>();
}

}  // namespace plaudit
