// Group privacy from the privacy of one record, by Vadhan's lemma: an upper bound for comparison.
//
// If the composition has the curve delta_1 for one record, k records that change one after the
// other have  delta_k(k eps) <= delta_1(eps) (e^{k eps} - 1) / (e^eps - 1)  for every eps, and at
// most  delta_1(eps) k e^{k eps}  for eps >= 0, which is the lemma as printed (mode=published).
// Cost: the eps of an inversion is found on estimates of the moments (delta_1 may be as small as
// 10^-300000), then from a few certified points of delta_1.
// Proof: docs/proofs/reference_methods.md#hybrids
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "accountants/closed/closed_form.hpp"
#include "accountants/contour/contour.hpp"
#include "accountants/cumulants/chernoff_factor.hpp"
#include "accountants/cumulants/order_search.hpp"
#include "accountants/narrowing_curve.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm hybrids_term{"vadhan_group.hybrids", "Vadhan's group privacy lemma"};
constexpr long group_bits = 192;
constexpr int most_secants = 20;
constexpr int most_halvings = 60;
constexpr double first_scanned = 1e-3;     ///< of one record, in the scan
constexpr double scan_factor = 1.25;       ///< from one eps of the scan to the next
constexpr double farthest_epsilon = 1e15;  ///< of one record: given up beyond
constexpr double next_to = 1e-3;           ///< relative: the second point of the secant rule
constexpr int most_advances = 60;

/// The same size for all factors, each a group with hybrids; nothing otherwise.
std::optional<std::uint64_t> common_size(const ComposedLoss& loss) {
  std::optional<std::uint64_t> size;
  for (const ComposedLoss::Term& term : loss.terms()) {
    const auto group = term.mechanism ? term.mechanism->group() : std::nullopt;
    if (!group || (size && *size != group->size)) return std::nullopt;
    size = group->size;
  }
  return size;
}

ComposedLoss for_one_record(const ComposedLoss& loss) {
  std::vector<ComposedLoss::Term> terms;
  for (const ComposedLoss::Term& term : loss.terms()) {
    const MechanismPointer one = term.mechanism->group()->of_one;
    terms.push_back({one->loss(loss.direction()), term.count, one});
  }
  return {std::move(terms), loss.direction()};
}

std::unique_ptr<PrivacyCurve> curve_of(const ComposedLoss& loss, const Goal& goal) {
  const auto exact = closed_form_accountant();
  return exact->refusal(loss) ? contour_accountant()->open(loss, goal) : exact->open(loss, goal);
}

class VadhanCurve final : public NarrowingCurve {
 public:
  VadhanCurve(const ComposedLoss& loss, const Goal& goal, bool published)
      : NarrowingCurve(loss, "vadhan_group"),
        size_(*common_size(loss)),
        published_(published),
        single_(for_one_record(loss)),
        one_(curve_of(single_, goal)),
        tolerance_(std::pow(10.0, -std::min(goal.digits, 12))) {}

  void narrow_delta(Enclosure& band, const Rational& epsilon) override {
    say(band);
    if (published_ && epsilon < 0) throw std::domain_error("the lemma is for epsilon >= 0");
    const PrecisionScope scope(group_bits);
    narrow(band, band.lower, band.ledger.add(hybrids_term, bound(epsilon / Integer(size_))));
  }

  void narrow_epsilon(Enclosure& band, const Rational& delta) override {
    say(band);
    const PrecisionScope scope(group_bits);
    if (delta <= 0 || delta >= 1) return;
    double one = least_root(delta);
    double advance = tolerance_ * one;
    for (int i = 0; i < most_advances && std::isfinite(one); ++i) {
      one += advance;
      advance = advance > 0 ? 2 * advance : tolerance_ * first_scanned;
      const Rational at = checked_rational(one, "eps of one record");
      if (!certainly_less_equal(bound(at), Ball(delta))) continue;
      narrow(band, band.lower, band.ledger.add(hybrids_term, Ball(Rational(at * Integer(size_)))));
      return;
    }
    band.remark = "Vadhan's lemma proves no epsilon at this delta";
  }

 private:
  /// 1 + e^eps + ... + e^{(k-1) eps}, or k e^{k eps}.
  // Proof: docs/proofs/reference_methods.md#hybrids
  Ball hybrids(const Rational& epsilon) const {
    const Ball size(size_);
    const Ball at(epsilon);
    if (published_) return size * exp(size * at);
    return epsilon == 0 ? size : expm1(size * at) / expm1(at);
  }

  /// Upper bound of delta at k epsilon.
  Ball bound(const Rational& epsilon) {
    check_work_limit();
    return (one_->delta(epsilon).upper * hybrids(epsilon)).upper();
  }
  double log_bound(double epsilon) {
    return bound(checked_rational(epsilon, "eps of one record")).estimate_log();
  }

  /// The same from the best moment, in floating point, whatever the size.
  double estimated_log_bound(double epsilon) const {
    check_work_limit();
    const double t = chernoff_order_at_epsilon(
        [&](double order) { return single_.estimate_cumulant(order); }, epsilon);
    const double log_delta =
        single_.estimate_cumulant(t).value - t * epsilon + estimate_log_chernoff_factor(t);
    return log_delta + hybrids(checked_rational(epsilon, "eps of one record")).estimate_log();
  }

  /// Heuristic: the least eps with delta_1(eps) hybrids(eps) = delta, infinite where there seems to
  /// be none: a scan of the estimates and halvings, then the secant rule on the bound.
  double least_root(const Rational& delta) {
    const double goal = estimate_log(delta);
    if (log_bound(0) <= goal) return 0;
    double low = 0;
    double high = first_scanned;
    while (estimated_log_bound(high) > goal) {
      low = high;
      high *= scan_factor;
      if (high > farthest_epsilon) return infinity;
    }
    for (int i = 0; i < most_halvings && high - low > next_to * next_to * high; ++i) {
      const double middle = (low + high) / 2;
      (estimated_log_bound(middle) > goal ? low : high) = middle;
    }
    double before = high * (1 + next_to);
    double at_before = log_bound(before) - goal;
    double one = high;
    for (int i = 0; i < most_secants && std::fabs(one - before) > tolerance_ * one; ++i) {
      const double at_one = log_bound(one) - goal;
      const double slope = (at_one - at_before) / (one - before);
      if (!(slope < 0)) break;
      before = one;
      at_before = at_one;
      one = std::max(one - at_one / slope, 0.0);
    }
    return one;
  }

  void say(Enclosure& band) const {
    band.method = std::to_string(size_) + " records, one after the other";
    if (published_) band.method += ", as published";
    band.remark = "an upper bound: Vadhan's lemma";
  }

  std::uint64_t size_;
  bool published_;
  ComposedLoss single_;                ///< the composition for one record
  std::unique_ptr<PrivacyCurve> one_;  ///< of it
  double tolerance_;
};

class VadhanGroup final : public Accountant {
 public:
  explicit VadhanGroup(bool published = false) : published_(published) {}
  std::string_view name() const override { return "vadhan_group"; }
  std::string_view summary() const override {
    return "groups by the lemma of one record after the other: an upper bound for comparison";
  }
  std::string_view theorem() const override { return "docs/proofs/reference_methods.md#hybrids"; }
  const std::vector<Parameter>& parameters() const override {
    static const std::vector<Parameter> all = {
        {"mode", "best (a geometric sum) or published (k e^(k eps) for it)", "best"}};
    return all;
  }
  std::shared_ptr<const Accountant> with(const Arguments& settings) const override {
    return std::make_shared<VadhanGroup>(settings.word("mode", {"best", "published"}) ==
                                         "published");
  }
  std::optional<std::string> refusal(const ComposedLoss& loss) const override {
    if (common_size(loss)) return std::nullopt;
    return "vadhan_group needs factors that are all groups of the same size under add/remove "
           "adjacency";
  }
  Offer offer(const ComposedLoss&) const override { return {.of = Offer::Of::bounds}; }
  std::unique_ptr<PrivacyCurve> curve(const ComposedLoss& loss, const Goal& goal) const override {
    return std::make_unique<VadhanCurve>(loss, goal, published_);
  }

 private:
  bool published_;
};

}  // namespace

std::shared_ptr<const Accountant> vadhan_group_accountant();
std::shared_ptr<const Accountant> vadhan_group_accountant() {
  return std::make_shared<VadhanGroup>();
}

}  // namespace plaudit
