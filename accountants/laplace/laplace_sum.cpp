// n-fold Laplace noise by its exact sum: any number of digits at moderate n.
//
// What is proven, and by which theorem: accountants/proof/kinds/laplace_sum.hpp. How many draws are
// kept, and where the sum starts: accountants/plan/laplace_plan.hpp. Here precision is raised until
// the wanted digits are there.
#include <algorithm>
#include <cmath>

#include "accountants/cumulants/order_search.hpp"
#include "accountants/inversion.hpp"
#include "accountants/narrowing_curve.hpp"
#include "accountants/plan/laplace_plan.hpp"
#include "accountants/plan/laplace_power.hpp"
#include "accountants/proof/arithmetic/rejected.hpp"
#include "accountants/proof/evidence.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/balls/refine.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm rounding_term{"laplace_sum.rounding", "ball arithmetic (radius of the sum)"};
/// Rows times the continuous draws kept: a few seconds.
constexpr double most_products = 4e6;
constexpr double few_products = 1e4;  ///< some milliseconds
// For the predicted cost: rows per sqrt(n); draws beyond their mean per its root, and besides.
constexpr double rows_of_root = 17;
constexpr double draws_of_root = 8;
constexpr double draws_beside_roots = 60;
// Precision is raised up to their sum: times the wanted bits, times the steps, and once.
constexpr long most_bits_of_bit = 8;
constexpr long most_bits_of_step = 4;
constexpr long most_other_bits = 4000;
constexpr long more_bits = 24;  ///< than are wanted and lost, at first
/// Bits of the evidence beyond twice the wanted ones: writers of certificates keep 2^-(bits / 2) of
/// a bound to spare.
constexpr long bits_to_prove_again = 16;
/// Greatest loss beyond which others are asked first: a row's series is about as long.
constexpr double most_early_loss = 1e5;

class LaplaceSumCurve final : public NarrowingCurve {
 public:
  LaplaceSumCurve(const ComposedLoss& loss, const Goal& goal, std::optional<std::uint64_t> first)
      : NarrowingCurve(loss, "laplace_sum"),
        wanted_first_(first),
        power_(*laplace_power(loss_)),
        laplace_(*power_.loss),
        steps_(power_.steps),
        budget_(proof::unlimited_budget()),
        bits_(bits_of_digits(goal.digits)) {}

  void narrow_delta(Enclosure& band, const Rational& epsilon) override {
    if (epsilon >= laplace_.ratio() * Integer(steps_)) {  // exactly, where balls may not decide
      band.method = "epsilon beyond the support of the privacy loss";
      narrow(band, Ball(0));
      return;
    }
    raise_precision(band, Ball(epsilon), [&] {
      const Ball found = value(Ball(epsilon), band);
      narrow(band, found);
      return missing_bits(band.lower, band.upper, bits_);
    });
  }

  void narrow_epsilon(Enclosure& band, const Rational& delta) override {
    Ball guess(delta > 0 && delta < 1
                   ? estimate_epsilon([&](double t) { return loss_.estimate_cumulant(t); },
                                      estimate_log(delta))
                   : 0.0);
    if (!guess.is_finite()) guess = Ball(0);
    raise_precision(band, guess, [&] {
      guess = narrow_crossing(
          band, [&](const Ball& x) { return value(x, band); }, delta, guess, bits_);
      return missing_bits(band.lower, band.upper, bits_);
    });
  }

 private:
  /// Attempts near an epsilon, which the attempt may improve.
  template <class Attempt>
  void raise_precision(Enclosure& band, const Ball& near, Attempt&& attempt) {
    used_bits_ = 0;
    double nats = static_cast<double>(bits_) * log_two;
    plan_ = plan_laplace(power_, near.estimate(), nats, wanted_first_);
    const bool done = refine(
        bits_ + precision_bits(plan_.lost_bits) + more_bits,
        most_bits_of_bit * bits_ + most_other_bits + most_bits_of_step * static_cast<long>(steps_),
        [&] {
          used_bits_ = working_precision();
          const long wanted = attempt();
          if (wanted > 0 && wanted_first_) {  // more bits do not mend it
            band.remark = "the sum was to start too late for this width";
            return 0L;
          }
          nats += static_cast<double>(std::min(wanted, bits_)) * log_two;
          if (wanted > 0) plan_ = plan_laplace(power_, near.estimate(), nats, wanted_first_);
          return wanted;
        });
    if (!done) band.remark = "precision limit reached";
  }

  void describe(Enclosure& band) override {
    if (!band.method.empty()) return;
    band.method = std::to_string(plan_.choices.draws) +
                  " continuous draws at most, from k = " + std::to_string(plan_.choices.first) +
                  ", " + std::to_string(used_bits_) + " bits";
  }

  /// Encloses delta(eps) at the working precision.
  Ball value(const Ball& epsilon, Enclosure& band) {
    const Ball width = Ball(steps_) * Ball(laplace_.ratio());
    if (certainly_greater_equal(epsilon, width)) return Ball(0);
    if (certainly_less_equal(epsilon, -width)) return -expm1(epsilon);
    try {
      const proof::ProofOf<Ball> found =
          proof::laplace_sum(laplace_.ratio(), steps_, epsilon, plan_.choices, budget_);
      band.ledger = Ledger();
      for (const auto& error : found.errors) band.ledger.note(*error.term, error.size);
      Ball whole = hull(found.low, found.high);
      band.ledger.note(rounding_term, whole.radius());
      band.evidence = std::make_shared<proof::Evidence>(
          proof::Evidence{plan_.choices, std::max(used_bits_, 2 * bits_) + bits_to_prove_again});
      return whole;
    } catch (const proof::Rejected&) {  // until there are more digits
      return hull(Ball(0), Ball(1));
    }
  }

  std::optional<std::uint64_t> wanted_first_;
  long used_bits_ = 0;  ///< in the last attempt
  LaplacePower power_;
  const LaplaceLoss& laplace_;
  std::uint64_t steps_;
  proof::Budget budget_;
  long bits_;
  LaplacePlan plan_;
};

class LaplaceSum final : public Accountant {
 public:
  std::string_view name() const override { return "laplace_sum"; }
  std::string_view summary() const override {
    return "n-fold Laplace noise: the exact finite sum, any number of digits at moderate n";
  }
  std::string_view theorem() const override { return "docs/proofs/laplace.md#sum"; }
  const std::vector<Parameter>& parameters() const override {
    static const std::vector<Parameter> all = {
        {"first", "a positive integer: the k with which the sum starts", "auto"}};
    return all;
  }
  std::shared_ptr<const Accountant> with(const Arguments& settings) const override {
    auto chosen = std::make_shared<LaplaceSum>();
    if (settings.given("first")) chosen->first_ = settings.count("first", most_steps);
    return chosen;
  }
  std::optional<std::string> refusal(const ComposedLoss& loss) const override {
    const auto power = laplace_power(loss);
    if (!power) return "laplace_sum needs laplace mechanisms of one ratio sensitivity / scale";
    if (products(*power) > most_products) {
      return "laplace_sum would need too many terms for so many compositions";
    }
    return std::nullopt;
  }
  Offer offer(const ComposedLoss& loss) const override {
    const auto power = laplace_power(loss);
    if (!power || !(products(*power) < few_products)) return {};
    const double greatest =
        plaudit::estimate(power->loss->ratio()) * static_cast<double>(power->steps);
    return {.cost = greatest < most_early_loss ? Offer::Cost::small : Offer::Cost::usual};
  }
  std::unique_ptr<PrivacyCurve> curve(const ComposedLoss& loss, const Goal& goal) const override {
    return std::make_unique<LaplaceSumCurve>(loss, goal, first_);
  }

 private:
  /// What the sum costs (heuristic): the rows times the continuous draws that are kept.
  static double products(const LaplacePower& power) {
    const auto n = static_cast<double>(power.steps);
    const double share = std::min(1.0, plaudit::estimate(power.loss->ratio()));
    const double draws =
        std::min(n, share * n + draws_of_root * std::sqrt(share * n) + draws_beside_roots);
    return std::min(n, rows_of_root * std::sqrt(n)) * draws;
  }

  std::optional<std::uint64_t> first_;
};

}  // namespace

std::shared_ptr<const Accountant> laplace_sum_accountant();
std::shared_ptr<const Accountant> laplace_sum_accountant() {
  return std::make_shared<LaplaceSum>();
}

}  // namespace plaudit
