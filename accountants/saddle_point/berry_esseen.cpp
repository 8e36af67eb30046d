// Certified band from the central limit theorem for the privacy loss itself (no tilt).
//
//   form=integral   |delta - m0 E(1 - e^{eps - Z})_+| <= m0 D_0
//   form=tails      delta = m0 P_0(L > eps) - q0 e^eps P_(-1)(L > eps), each tail by its own normal
//                   law: error m0 D_0 + q0 e^eps D_(-1) (Sommer, Meiser, Mohammadi 2019, Thm 6)
//
// P_0 and P_(-1) are the tilted laws of the orders 0 and -1: P and Q where L is finite. Z is normal
// with mean and variance of L under P_0, and D_t bounds the distance of P_t from its normal law.
// Proof: docs/proofs/berry_esseen.md#tails
#include <cmath>
#include <utility>

#include "accountants/cumulants/order_search.hpp"
#include "accountants/narrowing_curve.hpp"
#include "accountants/saddle_point/berry_esseen_bound.hpp"
#include "accountants/saddle_point/saddle_point.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/balls/precision.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm normal_term{"berry_esseen.normal_approximation",
                                "docs/proofs/berry_esseen.md#tails"};
constexpr long estimate_bits = 30;    ///< of epsilon
constexpr double least_start = 1e-6;  ///< of the inversion

enum class Form { integral, tails };

class BerryEsseenCurve final : public NarrowingCurve {
 public:
  BerryEsseenCurve(const ComposedLoss& loss, Form form)
      : NarrowingCurve(loss, "berry_esseen"), table_(loss_), form_(form) {}

  void narrow_delta(Enclosure& band, const Rational& epsilon) override {
    answer(band, [&] {
      const Ball found = value(Ball(epsilon), band.ledger);
      narrow(band, found);
    });
  }

  void narrow_epsilon(Enclosure& band, const Rational& delta) override {
    if (delta <= 0 || delta >= 1) return;
    answer(band, [&] {
      const double rest = (Ball(delta) - loss_.mass_at_infinity()).estimate_log();
      const double near =
          std::isfinite(rest)
              ? estimate_epsilon([&](double t) { return loss_.estimate_cumulant(t); }, rest)
              : 1;
      const auto curve = [&](const Ball& x) {
        Ledger unused;
        return value(x, unused);
      };
      narrow_crossing(band, curve, delta, Ball(std::max(near, least_start)), estimate_bits);
      value(Ball(near), band.ledger);
    });
  }

 private:
  template <class Work>
  void answer(Enclosure& band, Work&& work) {
    band.method = form_ == Form::integral ? "integral" : "tails";
    const ComposedTilt* tilt = table_.at(0);
    if (tilt == nullptr || (form_ == Form::tails && table_.at(-1) == nullptr)) {
      band.remark = "moments have no enclosure";
      return;
    }
    const PrecisionScope scope(tilt->bits + 64);
    work();
    band.remark = "the width is what the Berry-Esseen inequality proves";
  }

  /// Encloses the total delta.
  Ball value(const Ball& epsilon, Ledger& ledger) {
    const ComposedTilt& p = *table_.at(0);
    const Ball infinite = loss_.mass_at_infinity();
    if (form_ == Form::integral) {
      return infinite +
             widened(normal_delta(p, epsilon), ledger.add(normal_term, normal_error(p, epsilon)));
    }
    const ComposedTilt& q = *table_.at(-1);
    const Ball weight_p = exp(p.log_mgf);
    const Ball weight_q = exp(q.log_mgf + epsilon);
    const auto above = [&](const ComposedTilt& law) {
      return normal_cdf((law.mean() - epsilon) / sqrt(law.variance()));
    };
    const Ball error = weight_p * p.distance + weight_q * q.distance;
    return infinite +
           widened(weight_p * above(p) - weight_q * above(q), ledger.add(normal_term, error));
  }

  TiltTable table_;
  Form form_;
};

class BerryEsseen final : public Accountant {
 public:
  explicit BerryEsseen(Form form = Form::integral) : form_(form) {}
  std::string_view name() const override { return "berry_esseen"; }
  std::string_view summary() const override {
    return "central limit theorem for the privacy loss with its Berry-Esseen bound: an absolute "
           "error, of use for large deltas only";
  }
  std::string_view theorem() const override { return "docs/proofs/berry_esseen.md#tails"; }
  const std::vector<Parameter>& parameters() const override {
    static const std::vector<Parameter> all = {
        {"form", "integral, or tails as published", "integral"}};
    return all;
  }
  std::shared_ptr<const Accountant> with(const Arguments& settings) const override {
    const bool tails = settings.word("form", {"integral", "tails"}) == "tails";
    return std::make_shared<BerryEsseen>(tails ? Form::tails : Form::integral);
  }
  std::optional<std::string> refusal(const ComposedLoss& loss) const override {
    if (auto reason = lack_of_moments(name(), loss)) return reason;
    if (loss.estimate_cumulant(0).variance > 0) return std::nullopt;
    return "berry_esseen needs a privacy loss with positive variance";
  }
  Offer offer(const ComposedLoss&) const override { return {.of = Offer::Of::bounds}; }
  std::unique_ptr<PrivacyCurve> curve(const ComposedLoss& loss, const Goal&) const override {
    return std::make_unique<BerryEsseenCurve>(loss, form_);
  }

 private:
  Form form_;
};

}  // namespace

std::shared_ptr<const Accountant> berry_esseen_accountant() {
  return std::make_shared<BerryEsseen>();
}

}  // namespace plaudit
