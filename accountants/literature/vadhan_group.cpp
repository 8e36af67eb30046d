// Group privacy from the privacy of one record, by Vadhan's lemma: an upper bound for comparison.
//
// If the composition has the curve delta_1 for one record, k records that change one after the
// other have  delta_k(k eps) <= delta_1(eps) (e^{k eps} - 1) / (e^eps - 1)  for every eps.
// Proof: docs/proofs/reference_methods.md#hybrids
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "accountants/closed_form.hpp"
#include "accountants/contour/contour.hpp"
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
constexpr int most_iterations = 200;
constexpr int most_secants = 12;
constexpr double near_enough = 1e-3;       ///< relative: where the secant rule takes over
constexpr double least_log_share = -2000;  ///< a smaller delta for one record: given up
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
  VadhanCurve(const ComposedLoss& loss, const Goal& goal)
      : NarrowingCurve(loss, "vadhan_group"),
        size_(*common_size(loss)),
        one_(curve_of(for_one_record(loss), goal)),
        rough_(curve_of(for_one_record(loss), Goal{4})),
        tolerance_(std::pow(10.0, -std::min(goal.digits, 12))) {}

  void narrow_delta(Enclosure& band, const Rational& epsilon) override {
    say(band);
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
      advance *= 2;
      const Rational at = checked_rational(one, "eps of one record");
      if (!certainly_less_equal(bound(at), Ball(delta))) continue;
      narrow(band, band.lower, band.ledger.add(hybrids_term, Ball(Rational(at * Integer(size_)))));
      return;
    }
    band.remark = "Vadhan's lemma proves no epsilon at this delta";
  }

 private:
  /// 1 + e^eps + ... + e^{(k-1) eps}.
  Ball hybrids(const Rational& epsilon) const {
    if (epsilon == 0) return Ball(size_);
    const Ball at(epsilon);
    return expm1(Ball(size_) * at) / expm1(at);
  }

  /// Upper bound of delta at k epsilon.
  Ball bound(const Rational& epsilon) {
    check_work_limit();
    return (one_->delta(epsilon).upper * hybrids(epsilon)).upper();
  }

  /// Heuristic: the least eps with delta_1(eps) hybrids(eps) = delta, infinite where there seems to
  /// be none. Coarsely from below (the eps_1 of delta / hybrids(eps) increases with eps), then by
  /// the secant rule.
  double least_root(const Rational& delta) {
    double one = 0;
    bool found = false;
    for (int i = 0; i < most_iterations && !found; ++i) {
      check_work_limit();
      const Ball share = Ball(delta) / hybrids(checked_rational(one, "eps of one record"));
      if (!share.is_finite() || share.estimate_log() < least_log_share) return infinity;
      const Ball next = rough_->epsilon(exact_rational(share.middle())).upper;
      if (!next.is_finite()) return infinity;
      found = next.upper_double() <= one * (1 + near_enough);
      one = next.upper_double();
    }
    if (!found) return infinity;
    const double goal = estimate_log(delta);
    double before = one;
    double at_before = bound(checked_rational(before, "eps of one record")).estimate_log() - goal;
    one *= 1 + near_enough;
    for (int i = 0; i < most_secants && std::fabs(one - before) > tolerance_ * one; ++i) {
      const double at_one = bound(checked_rational(one, "eps of one record")).estimate_log() - goal;
      const double slope = (at_one - at_before) / (one - before);
      if (!(slope < 0)) break;
      before = one;
      at_before = at_one;
      one -= at_one / slope;
    }
    return one;
  }

  void say(Enclosure& band) const {
    band.method = std::to_string(size_) + " records, one after the other";
    band.remark = "an upper bound: Vadhan's lemma";
  }

  std::uint64_t size_;
  std::unique_ptr<PrivacyCurve> one_;    ///< of the composition for one record
  std::unique_ptr<PrivacyCurve> rough_;  ///< the same to a few digits, for searches
  double tolerance_;
};

class VadhanGroup final : public Accountant {
 public:
  std::string_view name() const override { return "vadhan_group"; }
  std::string_view summary() const override {
    return "groups by the lemma of one record after the other: an upper bound for comparison";
  }
  std::string_view theorem() const override { return "docs/proofs/reference_methods.md#hybrids"; }
  std::optional<std::string> refusal(const ComposedLoss& loss) const override {
    if (common_size(loss)) return std::nullopt;
    return "vadhan_group needs factors that are all groups of the same size under add/remove "
           "adjacency";
  }
  bool automatic() const override { return false; }
  std::unique_ptr<PrivacyCurve> open(const ComposedLoss& loss, const Goal& goal) const override {
    if (const auto reason = refusal(loss)) throw std::invalid_argument(*reason);
    return std::make_unique<VadhanCurve>(loss, goal);
  }
};

}  // namespace

std::shared_ptr<const Accountant> vadhan_group_accountant();
std::shared_ptr<const Accountant> vadhan_group_accountant() {
  return std::make_shared<VadhanGroup>();
}

}  // namespace plaudit
