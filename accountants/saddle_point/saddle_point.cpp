// Certified band from the normal approximation of the tilted loss:
// docs/proofs/berry_esseen.md#smoothed-band.
//
//   | delta - e^{K - t eps} int g dG |  <=  e^{K - t eps} min(2 c(t) sup |F_{L~} - G|, E)
//
// for every order t > 0; the one that minimises c(t) e^{K - t eps} is nearly the best. G is normal,
// or with mode=edgeworth has up to three terms of Edgeworth's series besides. The distance and E
// are bounded by the law's own characteristic function. One order is tried for a delta, three in
// turn for an epsilon (each at the epsilon that the one before found), and the band is no wider
// than that of `moments`. Where rare draws rule the moments, they are moved to infinity. The work
// does not depend on the number of steps. With mode=published, t is the saddle point and the error
// that of the paper (#published), whose printed forms are in the method, each as a range.
#include "accountants/saddle_point/saddle_point.hpp"

#include <cmath>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "accountants/contour/cut_contour.hpp"
#include "accountants/cumulants/chernoff_factor.hpp"
#include "accountants/cumulants/cumulant_table.hpp"
#include "accountants/cumulants/order_search.hpp"
#include "accountants/moments/moment_table.hpp"
#include "accountants/moments/moments.hpp"
#include "accountants/narrowing_curve.hpp"
#include "accountants/saddle_point/berry_esseen_bound.hpp"
#include "accountants/saddle_point/smoothing_plan.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/balls/decimal.hpp"
#include "lib/balls/precision.hpp"
#include "lib/mutant.hpp"
#include "lib/text.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm berry_esseen_term{"saddle_point.berry_esseen",
                                      "docs/proofs/berry_esseen.md#smoothed-band"};
constexpr ErrorTerm cut_term{"saddle_point.cut", "docs/proofs/cut.md#cut"};
constexpr ErrorTerm published_term{"saddle_point.published",
                                   "docs/proofs/berry_esseen.md#published"};
constexpr int most_retreats = 6;      ///< to half an order, where moments have no enclosure
constexpr double near_enough = 1e-3;  ///< relative width at which the ends share their order
/// Distance of a form with terms from which on the normal one is proven too: it may be better then.
constexpr double far_from_terms = 0.05;
constexpr double order_beyond = 1.3;  ///< over an order, around which variances are compared
constexpr double order_below = 1.0 / 3;
constexpr double least_rise = 3;     ///< of the variance in between, that rare draws make
constexpr double nats_of_rare = 10;  ///< of the mass of rare draws beside delta
constexpr long bits_of_masses = 128;
constexpr double rare_step = 2;         ///< of the log of that mass, which neighbours share
constexpr int most_raises = 8;          ///< epsilons that are tried as lower ends
constexpr double raised_enough = 1e-3;  ///< relative width at which the lower end is left
constexpr int orders_of_octave = 16;    ///< on the grid that neighbouring queries share
constexpr double least_guess = 1e-6;    ///< of epsilon
constexpr int printed_digits = 6;
constexpr long inversion_bits = 44;  ///< of epsilon: the band is wider for all numbers of steps

enum class Mode { best, edgeworth, published };

/// An order with what was proven at it.
struct Order {
  struct Form {
    ChosenForm chosen;
    FormErrors errors;
    Ball error;  ///< of int g dG
  };
  TiltedLine line;
  std::vector<Form> forms;  ///< the best one first
};

/// The orders of one composition: the one asked for, or that without its rare draws.
class Orders {
 public:
  Orders(ComposedLoss loss, const Ball& moved, bool edgeworth)
      : loss_(std::move(loss)),
        infinite_(loss_.mass_at_infinity()),
        moved_(moved),
        edgeworth_(edgeworth) {}

  /// Near the best order at this epsilon, on the grid shared by neighbouring queries; smaller
  /// where moments there are out of reach. Null: none.
  const Order* order_for(double epsilon) {
    double t = rounded_order(order_at(epsilon), orders_of_octave);
    for (int i = 0; i < most_retreats; ++i) {
      check_work_limit();
      if (const Order* order = at(t)) return order;
      t = rounded_order(t / 2, orders_of_octave);
    }
    return nullptr;
  }

  double order_at(double epsilon) const { return chernoff_order_at_epsilon(estimates(), epsilon); }
  double epsilon_near(double log_delta) const { return estimate_epsilon(estimates(), log_delta); }

  /// Heuristic: a few huge draws rule the moments around this order.
  bool variance_jumps(double t) const {
    return loss_.estimate_cumulant(order_beyond * t).variance >
           least_rise * loss_.estimate_cumulant(order_below * t).variance;
  }

  /// The total delta of the composition asked for: the finite part is near its value at the form,
  /// and at most Chernoff's bound.
  // Proof: docs/proofs/berry_esseen.md#smoothed-band, docs/proofs/cut.md#cut
  Ball value(const Order& order, const Ball& epsilon, Ledger& ledger) const {
    const Ball t(order.line.choice.t);
    const Ball scale = exp(order.line.log_mgf - t * epsilon);
    const Ball most =
        PLAUDIT_BOUND("saddle_point.chernoff", exp(log_chernoff_factor(t)), exp(Ball(-8))) * scale;
    Ball low(0);
    Ball high = most.upper();
    for (const Order::Form& form : order.forms) {
      const Ball error = &form == order.forms.data()
                             ? ledger.add(berry_esseen_term, scale * form.error)
                             : charged(berry_esseen_term, scale * form.error);
      const Ball middle = hermite_delta(order.line, form.chosen.coefficients, epsilon);
      low = max(low, (middle - error).lower()).lower();
      high = min(high, (middle + error).upper()).upper();
    }
    const Ball finite = hull(low, high);
    Ball total = infinite_ + finite;
    if (moved_.is_exact_zero()) return total;
    return hull(total - ledger.add(cut_term, moved_), total);
  }

 private:
  CumulantFunction estimates() const {
    return [this](double t) { return loss_.estimate_cumulant(t); };
  }

  const Order* at(double t) {
    auto found = orders_.find(t);
    if (found == orders_.end()) found = orders_.emplace(t, made(t)).first;
    return found->second ? &*found->second : nullptr;
  }

  std::optional<Order> made(double t) const {
    const std::optional<LineChoice> choice = choose_line(loss_, t, edgeworth_);
    if (!choice) return std::nullopt;
    try {
      Order order{tilted_line(loss_, *choice), {}};
      const PrecisionScope scope(order.line.bits);
      prove(order, choose_form(order.line, edgeworth_));
      if (order.forms.empty()) return std::nullopt;
      const Order::Form& first = order.forms.front();
      if (first.chosen.terms > 0 && first.errors.distance.upper_double() > far_from_terms) {
        prove(order, {form_with(order.line, 0), 0});
      }
      return order;
    } catch (const std::domain_error&) {  // no band from this order
    }
    return std::nullopt;
  }

  static void prove(Order& order, const ChosenForm& form) {
    const HermiteCoefficients& c = form.coefficients;
    const FormErrors errors = form_errors(order.line, c, choose_height(order.line, c));
    const Ball error = form_error(order.line, errors);
    if (error.is_finite()) order.forms.push_back({form, errors, error});
  }

  ComposedLoss loss_;
  Ball infinite_;
  Ball moved_;
  bool edgeworth_;
  std::map<double, std::optional<Order>> orders_;
};

/// The best proven band.
class SmoothedCurve final : public NarrowingCurve {
 public:
  SmoothedCurve(const ComposedLoss& loss, const Goal& goal, bool edgeworth)
      : NarrowingCurve(loss, "saddle_point"),
        moments_(moments_accountant()->open(loss, goal)),
        whole_(loss, Ball(0), edgeworth),
        edgeworth_(edgeworth) {}

  void narrow_delta(Enclosure& band, const Rational& epsilon) override {
    has_order_ = false;
    const Enclosure plain = moments_->delta(epsilon);
    narrow(band, plain.lower, plain.upper);
    const double near = estimate(epsilon);
    Orders& orders = orders_at(near, plain.upper.estimate_log());
    const Order* order = orders.order_for(near);
    if (order == nullptr) return;
    const PrecisionScope scope(order->line.bits);
    narrow(band, orders.value(*order, Ball(epsilon), band.ledger));
    band.method = method_of(*order);
    has_order_ = true;
  }

  void narrow_epsilon(Enclosure& band, const Rational& delta) override {
    has_order_ = false;
    const Enclosure plain = moments_->epsilon(delta);
    narrow(band, plain.lower, plain.upper);
    const double rest = (Ball(delta) - loss_.mass_at_infinity()).estimate_log();
    if (delta <= 0 || delta >= 1 || !std::isfinite(rest)) return;
    Orders& orders = orders_at(whole_.epsilon_near(rest), rest);
    std::set<double> used;
    const auto invert = [&](double near) {
      const Order* order = orders.order_for(near);
      if (order == nullptr || !used.insert(order->line.choice.t).second) return;
      const PrecisionScope scope(order->line.bits);
      const auto curve = [&](const Ball& x) {
        Ledger unused;
        return orders.value(*order, x, unused);
      };
      narrow_crossing(band, curve, delta, Ball(std::max(near, least_guess)), inversion_bits);
      if (used.size() > 1) return;
      band.method = method_of(*order);
      has_order_ = true;
      orders.value(*order, Ball(near), band.ledger);
    };
    invert(orders.epsilon_near(rest));
    // Each end has a better order of its own, the farther the ends are from each other.
    const double low = band.lower.estimate();
    const double high = band.upper.estimate();
    if (!std::isfinite(high) || high - low < near_enough * high) return;
    invert(high);
    invert(band.lower.estimate());
  }

 private:
  /// Those without rare draws where these rule the moments.
  Orders& orders_at(double epsilon, double log_delta) {
    if (!whole_.variance_jumps(whole_.order_at(epsilon))) return whole_;
    const double log_mass = rare_step * std::floor(log_delta / rare_step) - nats_of_rare;
    if (!std::isfinite(log_mass)) return whole_;
    auto found = cut_.find(log_mass);
    if (found == cut_.end()) {
      std::unique_ptr<Orders> orders;
      if (const auto cut = cut_composition(loss_, log_mass)) {
        const PrecisionScope scope(bits_of_masses);
        orders = std::make_unique<Orders>(cut->loss, cut->moved(), edgeworth_);
      }
      found = cut_.emplace(log_mass, std::move(orders)).first;
    }
    return found->second ? *found->second : whole_;
  }

  static std::string method_of(const Order& order) {
    const Order::Form& form = order.forms.front();
    std::string law = "normal";
    if (form.chosen.terms > 0) law += " with " + std::to_string(form.chosen.terms) + " terms";
    return "order " + general_text(order.line.choice.t, 4) + ", distance from " + law + " " +
           general_text(form.errors.distance.upper_double(), 3);
  }

  void describe(Enclosure& band) override {
    if (!band.remark.empty()) return;
    band.remark = has_order_ ? "the width is what the smoothing inequality proves"
                             : "no order with enclosed moments";
  }

  std::unique_ptr<PrivacyCurve> moments_;
  Orders whole_;
  std::map<double, std::unique_ptr<Orders>> cut_;  ///< by the log of the mass that was moved
  bool has_order_ = false;                         ///< for the question that was asked last
  bool edgeworth_;
};

/// The band at the saddle point with the error of the paper.
class PublishedCurve final : public NarrowingCurve {
 public:
  explicit PublishedCurve(const ComposedLoss& loss)
      : NarrowingCurve(loss, "saddle_point"), table_(loss_), cumulants_(loss_) {}

  void narrow_delta(Enclosure& band, const Rational& epsilon) override {
    has_order_ = false;
    if (const ComposedTilt* tilt = table_.at(cumulants_.saddle(estimate(epsilon)))) {
      const PrecisionScope scope(tilt->bits);
      narrow(band, value(*tilt, Ball(epsilon), &band.ledger));
      band.method = method_of(*tilt) + printed_of(printed_bounds(*tilt, Ball(epsilon)));
      has_order_ = true;
    }
  }

  void narrow_epsilon(Enclosure& band, const Rational& delta) override {
    has_order_ = false;
    const double rest = (Ball(delta) - loss_.mass_at_infinity()).estimate_log();
    if (delta <= 0 || delta >= 1 || !std::isfinite(rest)) return;
    double near = estimate_epsilon([this](double t) { return loss_.estimate_cumulant(t); }, rest);
    // With the order for a guess of epsilon; then with the one for the upper end that was found.
    for (int round = 0; round < 2; ++round) {
      const ComposedTilt* tilt = table_.at(cumulants_.saddle(near));
      if (tilt == nullptr) break;
      const PrecisionScope scope(tilt->bits);
      narrow_crossing(
          band, [&](const Ball& x) { return value(*tilt, x); }, delta,
          Ball(std::max(near, least_guess)), inversion_bits);
      if (round == 0) {
        band.method = method_of(*tilt);
        has_order_ = true;
        value(*tilt, Ball(near), &band.ledger);
      }
      near = band.upper.estimate();
      if (!std::isfinite(near)) break;
    }
    raise_lower_end(band, delta);
  }

 private:
  /// Looks at a few epsilons, each with its own order: where delta(e) > delta certainly, e is a
  /// lower end.
  // Proof: docs/proofs/inversion.md#crossing
  void raise_lower_end(Enclosure& band, const Rational& delta) {
    double low = band.lower.estimate();
    double high = band.upper.estimate();
    if (!std::isfinite(high)) high = 2 * low + 1;
    for (int i = 0; i < most_raises && high - low > raised_enough * high; ++i) {
      const double middle = (low + high) / 2;
      const ComposedTilt* tilt = table_.at(cumulants_.saddle(middle));
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

  /// The total delta: near the normal value of the finite part.
  Ball value(const ComposedTilt& tilt, const Ball& epsilon, Ledger* ledger = nullptr) const {
    Ledger unused;
    const Ball middle = loss_.mass_at_infinity() + normal_delta(tilt, epsilon);
    return widened(
        middle,
        (ledger != nullptr ? *ledger : unused).add(published_term, published_error(tilt, epsilon)));
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
    band.remark = has_order_ ? "the width is what the Berry-Esseen inequality proves"
                             : "no order with enclosed moments";
  }

  TiltTable table_;
  CumulantTable cumulants_;
  bool has_order_ = false;  ///< for the question that was asked last
};

class SaddlePoint final : public Accountant {
 public:
  explicit SaddlePoint(Mode mode = Mode::best) : mode_(mode) {}
  std::string_view name() const override { return "saddle_point"; }
  std::string_view summary() const override {
    return "normal approximation of the tilted loss, with its distance from the normal law bounded "
           "by its characteristic function; cost independent of the number of steps";
  }
  std::string_view theorem() const override { return "docs/proofs/berry_esseen.md#smoothed-band"; }
  const std::vector<Parameter>& parameters() const override {
    static const std::vector<Parameter> all = {
        {"mode",
         "best; edgeworth: with up to three terms of the Edgeworth series; or published: the order "
         "t* and the error bound of the paper",
         "best"}};
    return all;
  }
  std::shared_ptr<const Accountant> with(const Arguments& settings) const override {
    const std::string word = settings.word("mode", {"best", "edgeworth", "published"});
    return std::make_shared<SaddlePoint>(word == "best"        ? Mode::best
                                         : word == "edgeworth" ? Mode::edgeworth
                                                               : Mode::published);
  }
  std::optional<std::string> refusal(const ComposedLoss& loss) const override {
    if (auto reason = lack_of_moments(name(), loss)) return reason;
    if (loss.estimate_cumulant(1).variance > 0) return std::nullopt;
    return "saddle_point needs a privacy loss with positive variance";
  }
  Offer offer(const ComposedLoss&) const override { return {.of = Offer::Of::bounds}; }
  std::unique_ptr<PrivacyCurve> curve(const ComposedLoss& loss, const Goal& goal) const override {
    if (mode_ == Mode::published) return std::make_unique<PublishedCurve>(loss);
    return std::make_unique<SmoothedCurve>(loss, goal, mode_ == Mode::edgeworth);
  }

 private:
  Mode mode_;
};

}  // namespace

std::shared_ptr<const Accountant> saddle_point_accountant() {
  return std::make_shared<SaddlePoint>();
}

}  // namespace plaudit
