// Gaussian differential privacy by the central limit theorem: an estimate, not a bound.
//
// Bu, Dong, Long and Su (Harvard Data Science Review 2.3 (2020)): n steps of a Poisson-subsampled
// Gaussian are about mu-GDP with mu^2 = n q^2 (e^{1/sigma^2} - 1) = n chi^2(P||Q); here in general
// mu^2 = sum n_i (M_i(1) - 1), but a plain Gaussian has its exact term sensitivity^2 / sigma^2. It
// is known to report less than the truth (epsilon too small): nothing here enters a band.
#include <cmath>
#include <stdexcept>

#include "accountants/closed/closed_form.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/text.hpp"

namespace plaudit {

namespace {

constexpr long moment_bits = 128;
constexpr long curve_bits = 256;
constexpr double greatest_epsilon = 1e15;
constexpr int epsilon_halvings = 80;

class GaussianLimitCurve final : public PrivacyCurve {
 public:
  explicit GaussianLimitCurve(const ComposedLoss& loss) {
    const PrecisionScope scope(moment_bits);
    Ball sum;  // mu^2
    for (const ComposedLoss::Term& term : loss.terms()) {
      const auto mean = term.loss->facts().gaussian_mean;
      const Ball one = mean ? ldexp(Ball(*mean), 1) : expm1(term.loss->log_mgf(Ball(1)));
      sum += Ball(term.count) * one;
    }
    const double square = sum.estimate();
    if (!(square > 0) || !std::isfinite(square)) {
      throw std::invalid_argument("gaussian_limit: the second moment is not positive and finite");
    }
    mean_ = checked_rational(square / 2, "gaussian_limit: mu^2 / 2");
  }

  Enclosure delta(const Rational& epsilon) override {
    const PrecisionScope scope(curve_bits);
    return estimate_of(gaussian_delta(mean_, Ball(epsilon)).middle());
  }

  Enclosure epsilon(const Rational& delta) override {
    const PrecisionScope scope(curve_bits);
    const Ball target(delta);
    double low = 0;
    double high = 1;
    const auto above = [&](double x) {
      return certainly_greater(gaussian_delta(mean_, Ball(x)), target);
    };
    if (!above(0)) return estimate_of(Ball(0));
    while (above(high) && high < greatest_epsilon) high *= 2;
    for (int i = 0; i < epsilon_halvings; ++i) {
      const double middle = (low + high) / 2;
      (above(middle) ? low : high) = middle;
    }
    return estimate_of(Ball((low + high) / 2));
  }

 private:
  Enclosure estimate_of(const Ball& value) const {
    Enclosure result;
    result.lower = value;
    result.upper = value;
    result.certified = false;
    result.accountant = "gaussian_limit";
    result.method = "estimate: mu-GDP, mu = " + fixed_text(std::sqrt(2 * plaudit::estimate(mean_)));
    return result;
  }

  Rational mean_;  ///< mu^2 / 2, the mean of the Gaussian privacy loss
};

class GaussianLimit final : public Accountant {
 public:
  std::string_view name() const override { return "gaussian_limit"; }
  std::string_view summary() const override {
    return "Gaussian differential privacy by the central limit theorem: an estimate that tends to "
           "be too small";
  }
  std::string_view theorem() const override {
    return "none (Bu, Dong, Long and Su, Harvard Data Science Review 2.3 (2020): a limit, no error "
           "bound)";
  }
  std::optional<std::string> refusal(const ComposedLoss& loss) const override {
    if (auto reason = lack_of_moments(name(), loss)) return reason;
    if (loss.mass_at_infinity().is_exact_zero()) return std::nullopt;
    return "gaussian_limit needs a privacy loss without mass at infinity";
  }
  Offer offer(const ComposedLoss&) const override {
    return {.of = Offer::Of::bounds, .cost = Offer::Cost::instant};
  }
  bool estimates_only() const override { return true; }
  std::unique_ptr<PrivacyCurve> curve(const ComposedLoss& loss, const Goal&) const override {
    return std::make_unique<GaussianLimitCurve>(loss);
  }
};

}  // namespace

std::shared_ptr<const Accountant> gaussian_limit_accountant();
std::shared_ptr<const Accountant> gaussian_limit_accountant() {
  return std::make_shared<GaussianLimit>();
}

}  // namespace plaudit
