// The exact sum for compositions of purely atomic laws that need not share a lattice.
//
// delta is the sum over all combinations of atoms (Murtagh and Vadhan, 2016), in two halves
// (accountants/atoms/atom_product.hpp). What is left out of them, multisets that are rare under the
// tilted law and the far atoms of infinite laws, is bounded by its moment and Lemma 1; everything
// else is rounding. Proof: docs/proofs/atom_sum.md#halves
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "accountants/atoms/atom_product.hpp"
#include "accountants/cumulants/order_search.hpp"
#include "accountants/inversion.hpp"
#include "accountants/lattice/lattice_curve.hpp"
#include "accountants/narrowing_curve.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/balls/refine.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm left_out_term{"atom_sum.left_out", "docs/proofs/atom_sum.md#left-out"};
constexpr ErrorTerm rounding_term{"atom_sum.rounding", "ball arithmetic (radius of the sum)"};
constexpr double most_tilt = 1e6;
constexpr double spare_nats = 20;
constexpr long spare_bits = 96;
// Precision is raised up to these: times the first, and more.
constexpr long most_growth = 4;
constexpr long most_more_bits = 2000;
constexpr double few_points = 1 << 17;  ///< a second or less

/// A tilt that is an ordinary number.
double usable(double tilt) { return std::isfinite(tilt) ? std::clamp(tilt, 0.0, most_tilt) : 0; }

class AtomSumCurve final : public NarrowingCurve {
 public:
  AtomSumCurve(const ComposedLoss& loss, const Goal& goal)
      : NarrowingCurve(loss, "atom_sum"),
        digits_(goal.digits),
        bits_(bits_of_digits(goal.digits)) {}

  void narrow_delta(Enclosure& band, const Rational& epsilon) override {
    tilt_ = usable(chernoff_order_at_epsilon(cumulant(), estimate(epsilon)));
    answered(band, [&] { narrow(band, value(Ball(epsilon), band)); });
  }

  void narrow_epsilon(Enclosure& band, const Rational& delta) override {
    const double finite = estimate(delta) - loss_.mass_at_infinity().estimate();
    const double log_delta = finite > 0 ? std::log(finite) : estimate_log(delta);
    Ball guess(delta > 0 && delta < 1 ? estimate_epsilon(cumulant(), log_delta) : 0.0);
    if (!guess.is_finite()) guess = Ball(0);
    tilt_ = delta > 0 && delta < 1 ? usable(chernoff_order_at_delta(cumulant(), log_delta)) : 0;
    answered(band, [&] {
      const Crossing found = invert_curve(
          loss_, [&](const Ball& x) { return value(x, band); }, delta, guess, bits_);
      narrow(band, found.lower, found.upper);
      if (band.upper.is_finite()) guess = ldexp(band.lower + band.upper, -1).middle();
    });
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
      product_ = std::make_unique<AtomProduct>(loss_, tilt_, nats);
      band.method = std::to_string(product_->outer_points()) + " by " +
                    std::to_string(product_->inner_points()) + " combinations, " +
                    std::to_string(working_precision()) + " bits";
      attempt();
      const long missing = missing_bits(band.lower, band.upper, bits_);
      nats += static_cast<double>(missing) * log_two;
      return missing;
    });
    if (!done) band.remark = "precision limit reached";
  }

  void describe(Enclosure&) override { product_.reset(); }

  /// Encloses delta(eps) by the lists at hand.
  Ball value(const Ball& epsilon, Enclosure& band) const {
    const AtomProduct::Value finite = product_->delta(epsilon);
    const Ball total = loss_.mass_at_infinity() + finite.sum;
    Ledger ledger;
    const Ball left_out = ledger.add(left_out_term, finite.left_out);
    ledger.note(rounding_term, total.radius());
    band.ledger = std::move(ledger);
    return hull(total, total + left_out);
  }

  int digits_;
  long bits_;
  double tilt_ = 0;
  std::unique_ptr<AtomProduct> product_;
};

class AtomSum final : public Accountant {
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
    if (!AtomProduct::planned_points(loss)) {
      return "atom_sum would need more than 2^19 combinations of atoms in half of the product";
    }
    return std::nullopt;
  }
  Offer offer(const ComposedLoss& loss) const override {
    const std::optional<double> points = AtomProduct::planned_points(loss);
    const bool quick = points && *points < few_points && lattice_refusal(loss);
    return {.cost = quick ? Offer::Cost::small : Offer::Cost::usual};
  }
  std::unique_ptr<PrivacyCurve> open(const ComposedLoss& loss, const Goal& goal) const override {
    if (const auto reason = refusal(loss)) throw std::invalid_argument(*reason);
    return std::make_unique<AtomSumCurve>(loss, goal);
  }
};

}  // namespace

std::shared_ptr<const Accountant> atom_sum_accountant();
std::shared_ptr<const Accountant> atom_sum_accountant() { return std::make_shared<AtomSum>(); }

}  // namespace plaudit
