#include "accountants/moments/moments.hpp"

#include <algorithm>
#include <cmath>

#include "accountants/moments/moment_bounds.hpp"
#include "accountants/narrowing_curve.hpp"
#include "accountants/proof/evidence.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/balls/precision.hpp"
#include "lib/text.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/laws/bounded_loss.hpp"

namespace plaudit {

namespace {

constexpr int most_retreats = 40;  ///< of an epsilon at which the bound is not above delta
constexpr int most_halvings = 60;  ///< of an order whose moment is too dear or not known
/// Where even moments of tiny orders take more, as of laws with many labels: up to so many.
constexpr double most_points_of_any = 100000;
constexpr double time_for_any = 0.5;  ///< nominal seconds that must be left for so many
constexpr double tiny_order = 1e-3;
constexpr double points_beyond_tiny = 2;  ///< times those of the tiny order that may be used
constexpr double near_one = 0.3;          ///< deltas from which on 1 - delta is bounded too
constexpr double loss_of_alpha = 0.03;    ///< log: the certified alpha may be 2% below the estimate
constexpr double first_retreat = 1e-6;    ///< of epsilon, in units of 1 / t
// The search for the greatest epsilon that is proven.
constexpr int most_forms = 14;            ///< that are chosen, each for one epsilon
constexpr double enough_of_forms = 1e-3;  ///< of epsilon, relative, with which that ends
constexpr int halvings_along_form = 20;   ///< of what is left, with the last form

std::string text_of(double x) { return general_text(x, 4); }

class MomentsCurve final : public NarrowingCurve {
 public:
  explicit MomentsCurve(const ComposedLoss& loss)
      : NarrowingCurve(loss, "moments"),
        moments_(loss),
        greatest_order_(greatest_bounded_order(loss)),
        upper_only_(bounded_factor(loss) != nullptr) {
    for (const ComposedLoss::Term& term : loss.terms()) {
      const auto* bounded = dynamic_cast<const BoundedLoss*>(term.loss.get());
      if (bounded == nullptr) continue;
      for (const double corner : bounded->corners()) {
        if (corner <= greatest_order_) corners_.push_back(corner);
      }
    }
    std::sort(corners_.begin(), corners_.end());
  }

  void narrow_delta(Enclosure& band, const Rational& epsilon) override {
    const PrecisionScope scope(moments_.bits());
    delta_above(band, epsilon);
    delta_below(band, epsilon);
  }

  void narrow_epsilon(Enclosure& band, const Rational& delta) override {
    const PrecisionScope scope(moments_.bits());
    const Ball finite_delta = Ball(delta) - moments_.loss().mass_at_infinity();
    if (!certainly_positive(finite_delta) || delta >= 1) return;
    epsilon_above(band, finite_delta);
    epsilon_below(band, finite_delta);
  }

 private:
  /// The order on the grid; halved as long as its moment would cost too much or has no enclosure.
  /// `sign` -1: the moment that is used is the one of order -1 - t.
  double usable(double t, int sign = 1) {
    t = std::min(rounded_order(t), greatest_order_);
    const auto order_of = [&](double x) { return sign > 0 ? x : -1 - x; };
    const auto order = [&] { return order_of(t); };
    const double most =
        work_seconds_left() > time_for_any ? most_points_of_any : most_points_of_moment;
    const double affordable =
        std::clamp(points_beyond_tiny * points(order_of(tiny_order)), most_points_of_moment, most);
    for (int i = 0; i < most_halvings; ++i) {
      if (points(order()) <= affordable && moments_.log_mgf(order()).is_finite()) break;
      t /= 2;
    }
    return t;
  }
  struct AtOrder {
    double t;
    Ball bound;
  };
  /// The least upper end of a bound: at this order, or at a corner of stated bounds next to it
  /// whose moment has the usual number of points at most.
  template <class BoundAt>
  AtOrder least_near(double t, const BoundAt& bound_at) {
    AtOrder least{t, bound_at(t)};
    const auto look = [&](double corner) {
      if (points(corner) > most_points_of_moment) return;
      const Ball bound = bound_at(corner);
      if (certainly_less(bound.upper(), least.bound.upper())) least = {corner, bound};
    };
    const auto above = std::upper_bound(corners_.begin(), corners_.end(), t);
    if (above != corners_.end()) look(*above);
    if (above != corners_.begin()) look(*std::prev(above));
    return least;
  }
  double points(double t) const { return points_of_moment(moments_.loss(), t); }

  void delta_above(Enclosure& band, const Rational& epsilon) {
    const Ball at(epsilon);
    const Ball infinite = moments_.loss().mass_at_infinity();
    const double near = estimate(epsilon);
    const auto [t, bound] =
        least_near(usable(chernoff_order_at_epsilon(moments_.estimates(), near)),
                   [&](double order) { return chernoff_upper(moments_, order, at); });
    band.evidence = evidence_of(t);
    band.method = "order " + text_of(t);
    const Ball above = infinite + band.ledger.add(moments_chernoff, bound);
    narrow(band, band.lower, above.upper());
    if (certainly_less(bound, Ball(near_one))) return;
    // delta is near 1: Lemma 1 bounds psi, which is what delta exceeds m0 - q0 e^eps by.
    const auto mirrored = [&](double v) {
      const CumulantEstimate k = moments_.estimate(-1 - v);
      return CumulantEstimate{k.value, -k.mean, k.variance};
    };
    const double u = 1 + usable(chernoff_order_at_epsilon(mirrored, -near), -1);
    narrow(band, band.lower, (infinite + complement_upper(moments_, u, at)).upper());
  }

  // Proof: docs/proofs/hockey_stick.md#trivial, docs/proofs/moments_lower.md#concave
  void delta_below(Enclosure& band, const Rational& epsilon) {
    const ComposedLoss& loss = moments_.loss();
    const Ball at(epsilon);
    const Ball infinite = loss.mass_at_infinity();
    const Ball plain = infinite + loss.finite_mass() - loss.q_mass() * exp(at);
    narrow(band, plain.lower(), band.upper);
    if (upper_only_) return;
    const LowerForm form = choose_lower_form(moments_, estimate(epsilon));
    if (!(form.w > 0) || points(form.t2) > 2 * most_points_of_moment) return;
    const Ball below =
        infinite + concave_lower(moments_, form, lower_constants(form), at, band.ledger);
    narrow(band, below.lower(), band.upper);
    add_orders(band, form);
  }

  void epsilon_above(Enclosure& band, const Ball& finite_delta) {
    const double log_delta = finite_delta.estimate_log();
    const auto [t, epsilon] =
        least_near(usable(chernoff_order_at_delta(moments_.estimates(), log_delta)),
                   [&](double order) { return chernoff_epsilon(moments_, order, finite_delta); });
    band.method = "order " + text_of(t);
    if (!epsilon.is_finite()) return;
    band.evidence = evidence_of(t);
    band.ledger.note(moments_chernoff, finite_delta);
    narrow(band, band.lower, max(Ball(0), epsilon).upper());
  }

  // Proof: docs/proofs/inversion.md#crossing, docs/proofs/moments_lower.md#concave
  void epsilon_below(Enclosure& band, const Ball& finite_delta) {
    if (upper_only_) return;
    const double log_delta = finite_delta.estimate_log();
    const double top = band.upper.estimate();
    if (!(top > 0) || !std::isfinite(top)) return;
    const Reach reach = farthest(log_delta + loss_of_alpha, top);
    const LowerForm& form = reach.form;
    if (!(form.w > 0) || points(form.t2) > 2 * most_points_of_moment) return;
    const LowerConstants constants = lower_constants(form);
    double epsilon = reach.epsilon;
    double retreat = first_retreat / form.t1;
    for (int i = 0; i < most_retreats && epsilon > 0; ++i) {
      Ledger ledger;
      const Ball below = concave_lower(moments_, form, constants, Ball(epsilon), ledger);
      if (certainly_greater(below, finite_delta)) {  // strictly: delta(epsilon) > delta
        narrow(band, Ball(epsilon), band.upper);
        for (const Ledger::Entry& entry : ledger.entries()) {
          band.ledger.note(moments_concave, entry.size);
        }
        add_orders(band, form);
        return;
      }
      epsilon -= retreat;
      retreat *= 2;
    }
  }

  static std::shared_ptr<const proof::Evidence> evidence_of(double order) {
    return std::make_shared<proof::Evidence>(proof::Evidence{proof::MomentChoices{order}});
  }

  struct Reach {
    LowerForm form;
    double epsilon;
  };

  /// Heuristic: the form that proves the largest epsilon, and that epsilon. Bisection over the
  /// best forms, then along the one found.
  Reach farthest(double log_delta, double top) {
    Reach best{{0, 1, 2, 0}, 0};
    double high = top;
    for (int i = 0; i < most_forms && high - best.epsilon > enough_of_forms * high; ++i) {
      const double middle = i == 0 ? 0 : (best.epsilon + high) / 2;
      const LowerForm form = choose_lower_form(moments_, middle);
      if (form.w > 0 && estimate_log_lower(moments_, form, middle) > log_delta) {
        best = {form, middle};
      } else if (i == 0) {
        return best;
      } else {
        high = middle;
      }
    }
    for (int i = 0; i < halvings_along_form; ++i) {
      const double middle = (best.epsilon + high) / 2;
      const bool enough = estimate_log_lower(moments_, best.form, middle) > log_delta;
      (enough ? best.epsilon : high) = middle;
    }
    return best;
  }

  static void add_orders(Enclosure& band, const LowerForm& form) {
    band.method += ", below " + text_of(form.t0) + " " + text_of(form.t1) + " " + text_of(form.t2);
  }

  MomentTable moments_;
  double greatest_order_;        ///< moments of the orders t and -1 - t have bounds for t up to it
  bool upper_only_;              ///< no lower bound of a moment is known
  std::vector<double> corners_;  ///< orders at which bounds of moments have corners
};

class Moments final : public Accountant {
 public:
  std::string_view name() const override { return "moments"; }
  std::string_view summary() const override {
    return "moments (Renyi divergences) of real order, two-sided: any composition, wide bands";
  }
  std::string_view theorem() const override {
    return "docs/proofs/chernoff.md#chernoff, docs/proofs/moments_lower.md#concave";
  }
  std::optional<std::string> refusal(const ComposedLoss& loss) const override {
    for (const ComposedLoss::Term& term : loss.terms()) {
      const ComposedLoss alone({term}, loss.direction());
      // Upper bounds of moments will do. Proof: docs/proofs/bounded_moments.md#composition
      if (bounded_factor(alone) != nullptr) continue;
      if (auto reason = lack_of_moments(name(), alone)) return reason;
    }
    return std::nullopt;
  }
  /// It offers digits, which it rarely reaches: so it is asked as a candidate, also where it is the
  /// only one that applies, and then has all the time.
  Offer offer(const ComposedLoss&) const override { return {.cost = Offer::Cost::instant}; }
  std::unique_ptr<PrivacyCurve> curve(const ComposedLoss& loss, const Goal&) const override {
    return std::make_unique<MomentsCurve>(loss);
  }
};

}  // namespace

std::shared_ptr<const Accountant> moments_accountant() { return std::make_shared<Moments>(); }

}  // namespace plaudit
