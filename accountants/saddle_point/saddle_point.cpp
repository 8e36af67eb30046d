// Certified band from the normal approximation of the tilted loss:
// docs/proofs/berry_esseen.md#band.
//
//   | delta - e^{K - t eps} E g(Z - eps) |  <=  2 c(t) e^{K - t eps} sup |F_{L~} - F_Z|
//
// for every order t > 0; the one that minimises c(t) e^{K - t eps} is nearly the best. The work is
// that of a few tilted moments per distinct factor, independent of the number of steps. With
// mode=published, t is the saddle point and the error that of the paper (#published), whose printed
// forms are in the method, each as a range.
#include "accountants/saddle_point/saddle_point.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

#include "accountants/cumulants/cumulant_table.hpp"
#include "accountants/cumulants/order_search.hpp"
#include "accountants/moments/moment_table.hpp"
#include "accountants/narrowing_curve.hpp"
#include "accountants/saddle_point/berry_esseen_bound.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/balls/decimal.hpp"
#include "lib/balls/precision.hpp"
#include "lib/text.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm berry_esseen_term{"saddle_point.berry_esseen",
                                      "docs/proofs/berry_esseen.md#band"};
constexpr int most_retreats = 6;        ///< to half an order, where moments have no enclosure
constexpr int most_raises = 8;          ///< epsilons that are tried as lower ends
constexpr double raised_enough = 1e-3;  ///< relative width at which the lower end is left
constexpr int orders_of_octave = 16;    ///< on the grid that neighbouring queries share
constexpr double least_guess = 1e-6;    ///< of epsilon
constexpr int printed_digits = 6;
constexpr long inversion_bits = 30;  ///< the band is wider than this for all numbers of steps

class SaddlePointCurve final : public NarrowingCurve {
 public:
  SaddlePointCurve(const ComposedLoss& loss, bool published)
      : NarrowingCurve(loss, "saddle_point"),
        table_(loss_),
        cumulants_(loss_),
        published_(published) {}

  void narrow_delta(Enclosure& band, const Rational& epsilon) override {
    if (const ComposedTilt* tilt = tilt_for(estimate(epsilon))) {
      const PrecisionScope scope(tilt->bits);
      narrow_at(band, *tilt, Ball(epsilon), band.ledger);
      band.method = method_of(*tilt);
      if (published_) band.method += printed_of(printed_bounds(*tilt, Ball(epsilon)));
    }
  }

  void narrow_epsilon(Enclosure& band, const Rational& delta) override {
    const double rest = (Ball(delta) - loss_.mass_at_infinity()).estimate_log();
    if (delta <= 0 || delta >= 1 || !std::isfinite(rest)) return;
    double near = estimate_epsilon(estimates(), rest);
    // With the order for a guess of epsilon; then with the one for the upper end that was found.
    for (int round = 0; round < 2; ++round) {
      const ComposedTilt* tilt = tilt_for(near);
      if (tilt == nullptr) break;
      const PrecisionScope scope(tilt->bits);
      narrow_crossing(
          band, [&](const Ball& x) { return value(*tilt, x); }, delta,
          Ball(std::max(near, least_guess)), inversion_bits);
      if (round == 0) {
        band.method = method_of(*tilt);
        value(*tilt, Ball(near), &band.ledger);
      }
      near = band.upper.estimate();
      if (!std::isfinite(near)) break;
    }
    raise_lower_end(band, delta);
  }

 private:
  CumulantFunction estimates() {
    return [this](double t) { return loss_.estimate_cumulant(t); };
  }

  /// Near the best order at this epsilon, on the grid shared by neighbouring queries; smaller
  /// where moments there are out of reach. Null: none.
  const ComposedTilt* tilt_for(double epsilon) {
    if (published_) return table_.at(cumulants_.saddle(epsilon));
    double t = rounded_order(chernoff_order_at_epsilon(estimates(), epsilon), orders_of_octave);
    for (int i = 0; i < most_retreats; ++i) {
      check_work_limit();
      if (const ComposedTilt* tilt = table_.at(t)) return tilt;
      t = rounded_order(t / 2, orders_of_octave);
    }
    return nullptr;
  }

  /// Looks at a few epsilons, each with its own order: where delta(e) > delta certainly, e is a
  /// lower end.
  // Proof: docs/proofs/inversion.md#crossing
  void raise_lower_end(Enclosure& band, const Rational& delta) {
    double low = band.lower.estimate();
    double high = band.upper.estimate();
    if (!std::isfinite(high)) high = 2 * low + 1;
    for (int i = 0; i < most_raises && high - low > raised_enough * high; ++i) {
      const double middle = (low + high) / 2;
      const ComposedTilt* tilt = tilt_for(middle);
      if (tilt == nullptr) return;
      const PrecisionScope scope(tilt->bits);
      const Ball at(middle);
      if (certainly_greater(value(*tilt, at), Ball(delta))) {
        narrow(band, at, band.upper);
        low = middle;
      } else {
        high = middle;
      }
    }
  }

  /// The total delta from the normal value of the finite part, narrowed by its error.
  void narrow_at(Enclosure& band, const ComposedTilt& tilt, const Ball& epsilon,
                 Ledger& ledger) const {
    const Ball middle = loss_.mass_at_infinity() + normal_delta(tilt, epsilon);
    const Ball error = ledger.add(berry_esseen_term, error_of(tilt, epsilon));
    narrow(band, (middle - error).lower(), (middle + error).upper());
  }

  /// The same as a ball, for the inversion.
  Ball value(const ComposedTilt& tilt, const Ball& epsilon, Ledger* ledger = nullptr) const {
    Ledger unused;
    const Ball middle = loss_.mass_at_infinity() + normal_delta(tilt, epsilon);
    return widened(
        middle,
        (ledger != nullptr ? *ledger : unused).add(berry_esseen_term, error_of(tilt, epsilon)));
  }

  Ball error_of(const ComposedTilt& tilt, const Ball& epsilon) const {
    return published_ ? published_error(tilt, epsilon) : normal_error(tilt, epsilon);
  }

  static std::string method_of(const ComposedTilt& tilt) {
    return "order " + general_text(tilt.t, 4) + ", distance from normal " +
           general_text(tilt.distance.estimate(), 3);
  }

  /// The printed error bounds of delta, as ranges: their third moment is enclosed.
  static std::string printed_of(const PrintedBounds& bounds) {
    const auto range = [](const Ball& bound) {
      return decimal_below(bound, printed_digits) + " to " + decimal_above(bound, printed_digits);
    };
    return "; printed bounds " + range(bounds.slides) + " (slides), " + range(bounds.paper) +
           " (paper)";
  }

  void describe(Enclosure& band) override {
    if (!band.remark.empty()) return;
    band.remark = band.method.empty() ? "no order with enclosed moments"
                                      : "the width is what the Berry-Esseen inequality proves";
  }

  TiltTable table_;
  CumulantTable cumulants_;
  bool published_;
};

class SaddlePoint final : public Accountant {
 public:
  explicit SaddlePoint(bool published = false) : published_(published) {}
  std::string_view name() const override { return "saddle_point"; }
  std::string_view summary() const override {
    return "normal approximation of the tilted loss with its Berry-Esseen bound; cost independent "
           "of the number of steps, width falls with its root";
  }
  std::string_view theorem() const override { return "docs/proofs/berry_esseen.md#band"; }
  const std::vector<Parameter>& parameters() const override {
    static const std::vector<Parameter> all = {
        {"mode", "best, or published: the order t* and the error bound of the paper", "best"}};
    return all;
  }
  std::shared_ptr<const Accountant> with(const Arguments& settings) const override {
    return std::make_shared<SaddlePoint>(settings.word("mode", {"best", "published"}) ==
                                         "published");
  }
  std::optional<std::string> refusal(const ComposedLoss& loss) const override {
    if (auto reason = lack_of_moments(name(), loss)) return reason;
    if (loss.estimate_cumulant(1).variance > 0) return std::nullopt;
    return "saddle_point needs a privacy loss with positive variance";
  }
  Offer offer(const ComposedLoss&) const override { return {.of = Offer::Of::bounds}; }
  std::unique_ptr<PrivacyCurve> open(const ComposedLoss& loss, const Goal&) const override {
    if (const auto reason = refusal(loss)) throw std::invalid_argument(*reason);
    return std::make_unique<SaddlePointCurve>(loss, published_);
  }

 private:
  bool published_;
};

}  // namespace

std::shared_ptr<const Accountant> saddle_point_accountant() {
  return std::make_shared<SaddlePoint>();
}

}  // namespace plaudit
