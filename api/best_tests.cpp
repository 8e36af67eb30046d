// The public interface: rates of the best tests.
#include "api/core.hpp"

// After the inner names, see api/core.hpp.
#include "plaudit/best_tests.hpp"

namespace plaudit::inline v0 {

struct BestTests::State {
  core::BestTests tests;
};

BestTests::BestTests(const Composition& composition, const Options& options)
    : state_(new State{core::BestTests(composition.data().composition, core_options(options))}) {}
BestTests::~BestTests() = default;
BestTests::BestTests(BestTests&&) noexcept = default;
BestTests& BestTests::operator=(BestTests&&) noexcept = default;

Band BestTests::false_negative_rate(const Number& fpr) {
  return to_band(state_->tests.false_negative_rate(exact(fpr, "fpr")));
}

Band BestTests::true_positive_rate(const Number& fpr) {
  return to_band(state_->tests.true_positive_rate(exact(fpr, "fpr")));
}

Band BestTests::advantage() { return to_band(state_->tests.advantage()); }

Band BestTests::success(const Number& prior) {
  return to_band(state_->tests.success(exact(prior, "prior")));
}

Band BestTests::predictive_value(const Number& prior, const Number& fpr) {
  return to_band(state_->tests.predictive_value(exact(prior, "prior"), exact(fpr, "fpr")));
}

GaussianMu gaussian_mu(const Composition& composition, const std::optional<Number>& least_error,
                       const Options& options) {
  std::optional<Rational> least;
  if (least_error) least = exact(*least_error, "least_error");
  const MuBand band = least_mu(composition.data().composition, least, core_options(options));
  const auto end = [](const Ball& x, bool upper) {
    const core::Interval interval = enclose(x);
    return to_public(upper ? interval.upper : interval.lower);
  };
  return {end(band.lower, false), end(band.upper, true),
          end(band.regret, true), band.exact_square ? to_string(*band.exact_square) : std::string(),
          band.reached,           band.remark};
}

}  // namespace plaudit::inline v0
