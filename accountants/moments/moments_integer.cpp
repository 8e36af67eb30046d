// The moments accountant as published (Abadi et al., CCS 2016): integer orders, Markov's
// inequality. An upper bound only.
#include <algorithm>
#include <cmath>

#include "accountants/moments/moment_table.hpp"
#include "accountants/moments/moments.hpp"
#include "accountants/narrowing_curve.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/balls/precision.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr int greatest_order = 32;
constexpr ErrorTerm markov{"moments_integer.markov", "docs/proofs/chernoff.md#markov"};

class IntegerMomentsCurve final : public NarrowingCurve {
 public:
  explicit IntegerMomentsCurve(const ComposedLoss& loss)
      : NarrowingCurve(loss, "moments_integer"), moments_(loss) {}

  // Proof: docs/proofs/chernoff.md#markov
  void narrow_delta(Enclosure& band, const Rational& epsilon) override {
    band.remark = "upper bound only";
    const PrecisionScope scope(moments_.bits());
    const double near = estimate(epsilon);
    const int order = best_order([&](int l) { return value(l) - l * near; });
    const Ball bound = exp(moments_.log_mgf(order) - Ball(order) * Ball(epsilon));
    const Ball above = PLAUDIT_BOUND("moments_integer.mass_at_infinity",
                                     moments_.loss().mass_at_infinity(), Ball(0)) +
                       band.ledger.add(markov, bound);
    narrow(band, band.lower, above.upper());
    band.method = "order " + std::to_string(order);
  }

  void narrow_epsilon(Enclosure& band, const Rational& delta) override {
    if (delta >= 1) return;
    band.remark = "upper bound only";
    const PrecisionScope scope(moments_.bits());
    const Ball finite_delta = Ball(delta) - moments_.loss().mass_at_infinity();
    if (!certainly_positive(finite_delta)) return;
    const double log_delta = finite_delta.estimate_log();
    const int order = best_order([&](int l) { return (value(l) - log_delta) / l; });
    const Ball found = (moments_.log_mgf(order) - log(finite_delta)) / Ball(order);
    band.ledger.note(markov, finite_delta);
    narrow(band, band.lower, max(Ball(0), found).upper());
    band.method = "order " + std::to_string(order);
  }

 private:
  double value(int order) { return moments_.estimate(order).value; }

  /// The order with the least objective, chosen in floating point: any order is valid.
  template <class Objective>
  static int best_order(Objective&& objective) {
    int best = 1;
    double least = objective(1);
    for (int order = 2; order <= greatest_order; ++order) {
      const double at = objective(order);
      if (at < least) {
        least = at;
        best = order;
      }
    }
    return best;
  }

  MomentTable moments_;
};

class IntegerMoments final : public Accountant {
 public:
  std::string_view name() const override { return "moments_integer"; }
  std::string_view summary() const override {
    return "the moments accountant as published in 2016: integer orders 1 to 32, upper bound only";
  }
  std::string_view theorem() const override { return "docs/proofs/chernoff.md#markov"; }
  std::optional<std::string> refusal(const ComposedLoss& loss) const override {
    return lack_of_moments(name(), loss);
  }
  Offer offer(const ComposedLoss&) const override {
    return {.of = Offer::Of::bounds, .cost = Offer::Cost::instant};
  }
  std::unique_ptr<PrivacyCurve> curve(const ComposedLoss& loss, const Goal&) const override {
    return std::make_unique<IntegerMomentsCurve>(loss);
  }
};

}  // namespace

std::shared_ptr<const Accountant> moments_integer_accountant() {
  return std::make_shared<IntegerMoments>();
}

}  // namespace plaudit
