#include "accountants/closed_form.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "accountants/cumulants/order_search.hpp"
#include "accountants/inversion.hpp"
#include "accountants/narrowing_curve.hpp"
#include "accountants/refusals.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/balls/refine.hpp"
#include "lib/exact/checked_integer.hpp"

namespace plaudit {

namespace {

/// One step of one mechanism.
bool is_single_step(const ComposedLoss& loss) {
  return loss.terms().size() == 1 && loss.terms()[0].count == 1;
}

/// The distribution functions of such a step are quadratures of their own, not expressions.
bool has_costly_tails(const ComposedLoss& loss) {
  return is_single_step(loss) && loss.terms()[0].loss->facts().costly_tails;
}

/// Attempts at a law by intervals, each with more bits, that do not halve the band: then it ends.
constexpr int most_in_vain = 3;

constexpr ErrorTerm rounding_term{"closed_form.rounding",
                                  "ball arithmetic (radius of the expression)"};

class ClosedFormCurve final : public NarrowingCurve {
 public:
  ClosedFormCurve(const ComposedLoss& loss, const Goal& goal)
      : NarrowingCurve(loss, "closed_form"),
        mean_(gaussian_composition_mean(loss_)),
        by_intervals_(!mean_ && loss_.terms()[0].loss->facts().by_intervals),
        bits_(bits_of_digits(goal.digits)) {}

  void narrow_delta(Enclosure& band, const Rational& epsilon) override {
    const long start = bits_ + 32 + size_bits(epsilon);
    raise_precision(band, start, [&] {
      narrow(band, value(Ball(epsilon)));
      return missing_bits(band.lower, band.upper, bits_);
    });
  }

  void narrow_epsilon(Enclosure& band, const Rational& delta) override {
    Ball guess(delta > 0 && delta < 1 ? first_guess(estimate_log(delta)) : 0.0);
    raise_precision(band, bits_ + 64, [&] {
      const Crossing found = invert_curve(
          loss_, [&](const Ball& x) { return value(x); }, delta, guess, bits_);
      narrow(band, found.lower, found.upper);
      if (band.upper.is_finite()) guess = ldexp(band.lower + band.upper, -1).middle();
      return missing_bits(band.lower, band.upper, bits_);
    });
  }

 private:
  /// Encloses delta(eps) at the working precision.
  Ball value(const Ball& epsilon) {
    Ball result = mean_ ? gaussian_delta(*mean_, epsilon) : loss_.terms()[0].loss->delta(epsilon);
    last_radius_ = result.radius();
    return result;
  }

  double first_guess(double log_delta) const {
    if (!mean_) {
      return estimate_epsilon([&](double t) { return loss_.estimate_cumulant(t); }, log_delta);
    }
    const double mu = estimate(*mean_);
    return estimate_epsilon(
        [&](double t) {
          return CumulantEstimate{mu * t * (t + 1), mu * (2 * t + 1), 2 * mu};
        },
        log_delta);
  }

  /// Bits that e^eps loses to the size of eps.
  static long size_bits(const Rational& epsilon) {
    const double size = estimate_log(epsilon) / std::log(2.0);
    return clamped_integer(size, 0, 400000);
  }

  /// Repeats the attempt with more bits until it wants none, or to the limit of precision. Where
  /// the law is stated by intervals the loop ends too when more bits do not narrow the band.
  template <class Attempt>
  void raise_precision(Enclosure& band, long start, Attempt&& attempt) {
    used_bits_ = start;
    int in_vain = 0;
    const bool done = refine(start, start + 4 * bits_ + 20000, [&] {
      used_bits_ = working_precision();
      const Ball width = band.upper - band.lower;
      const long wanted = attempt();
      const bool narrower = certainly_less(ldexp(band.upper - band.lower, 1), width);
      in_vain = by_intervals_ && wanted > 0 && !narrower ? in_vain + 1 : 0;
      return in_vain == most_in_vain ? 0 : wanted;
    });
    if (!done) band.remark = "precision limit reached";
    if (in_vain == most_in_vain) {
      band.remark = "no precision narrows what the intervals of the law leave open";
      band.cause = Cause::law;
    }
  }

  void describe(Enclosure& band) override {
    if (last_radius_.is_finite()) band.ledger.note(rounding_term, last_radius_);
    band.method = std::string(mean_ ? "Gaussian" : "single step") + ", " +
                  std::to_string(used_bits_) + " bits";
  }

  long used_bits_ = 0;  ///< in the last attempt
  std::optional<Rational> mean_;
  bool by_intervals_;
  long bits_;
  Ball last_radius_;  ///< of the last evaluation of the curve, for the ledger
};

class ClosedForm final : public Accountant {
 public:
  std::string_view name() const override { return "closed_form"; }
  std::string_view summary() const override {
    return "Gaussians only, or a single step: a finite expression, any number of digits";
  }
  std::string_view theorem() const override {
    return "docs/proofs/hockey_stick.md#gaussian, docs/proofs/hockey_stick.md#one-step";
  }
  std::optional<std::string> refusal(const ComposedLoss& loss) const override {
    if (gaussian_composition_mean(loss) || is_single_step(loss)) return std::nullopt;
    return "closed_form needs a composition of Gaussians only, or a single step";
  }
  Offer offer(const ComposedLoss& loss) const override {
    return {.cost = has_costly_tails(loss) ? Offer::Cost::usual : Offer::Cost::instant};
  }
  std::unique_ptr<PrivacyCurve> open(const ComposedLoss& loss, const Goal& goal) const override {
    if (const auto reason = refusal(loss)) throw NotApplicable(*reason);
    return std::make_unique<ClosedFormCurve>(loss, goal);
  }
};

}  // namespace

std::optional<Rational> gaussian_composition_mean(const ComposedLoss& loss) {
  Rational sum = 0;
  for (const ComposedLoss::Term& term : loss.terms()) {
    const std::optional<Rational> mean = term.loss->facts().gaussian_mean;
    if (!mean) return std::nullopt;
    sum += *mean * Integer(term.count);
  }
  if (sum <= 0) return std::nullopt;
  return sum;
}

// Proof: docs/proofs/hockey_stick.md#gaussian
Ball gaussian_delta(const Rational& mu, const Ball& epsilon) {
  const Ball mean(mu);
  const Ball deviation = sqrt(ldexp(mean, 1));
  return normal_cdf((mean - epsilon) / deviation) -
         exp(epsilon) * normal_cdf((-mean - epsilon) / deviation);
}

std::shared_ptr<const Accountant> closed_form_accountant() {
  return std::make_shared<ClosedForm>();
}

}  // namespace plaudit
