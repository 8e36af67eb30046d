#include "accountants/fourier/published_bounds.hpp"

#include <cmath>
#include <limits>

#include "lib/text.hpp"
#include "mechanisms/mixtures/gaussian_mixture.hpp"

namespace plaudit {

namespace {

constexpr int most_terms_of_series = 200;
constexpr double nats_of_series = 60;

/// q and sigma of a Gaussian of sensitivity 1, sampled at rate q < 1.
struct SampledGaussian {
  Rational rate;
  Rational sigma;
};

std::optional<SampledGaussian> sampled_gaussian(const ComposedLoss& loss) {
  if (loss.terms().size() != 1 || loss.direction() != Direction::remove) return std::nullopt;
  const GaussianMixture* mixture = loss.terms()[0].loss->facts().gaussian_mixture;
  if (mixture == nullptr || mixture->sensitivities.size() != 2 || mixture->sensitivities[0] != 0) {
    return std::nullopt;
  }
  return SampledGaussian{mixture->probabilities[1], mixture->sigma / mixture->sensitivities[1]};
}

/// Lemma 7, with alpha the logarithm of the moment generating function itself. By convexity alpha
/// grows like lambda^2 / (2 sigma^2), so its last sum diverges where k / (2 sigma^2) > 2.
void set_lemma_7(PublishedBounds& bounds, const ComposedLoss& loss, const SampledGaussian& step,
                 const Rational& length) {
  if (2 * step.rate >= 1 || length < 1) return;
  const PrivacyLoss& law = *loss.terms()[0].loss;
  const double count = static_cast<double>(loss.terms()[0].count);
  const double L = estimate(length);
  const double sigma = estimate(step.sigma);
  const double C = sigma * sigma * std::log(1 / (2 * estimate(step.rate))) - 0.5;
  const double reach = sigma * sigma * L + C;
  bounds.lemma_7_first_terms = L * count * sigma * std::exp(-reach * reach / (2 * sigma * sigma)) +
                               std::exp(law.estimate_cumulant(L / 2).value - L * L / 2);
  bounds.lemma_7_diverges = Rational(loss.terms()[0].count) > 4 * step.sigma * step.sigma;
  double sum = bounds.lemma_7_first_terms;
  double nats = 0;
  for (int n = 1; n <= most_terms_of_series && nats < nats_of_series; ++n) {
    const double order = n * L;
    nats = 2 * order * order - count * law.estimate_cumulant(order).value;
    sum += 2 * std::exp(-nats);
  }
  bounds.lemma_7 = bounds.lemma_7_diverges ? std::numeric_limits<double>::infinity() : sum;
}

/// Theorem 8 with every hypothesis compared in balls.
void set_theorem_8(PublishedBounds& bounds, const ComposedLoss& loss, const SampledGaussian& step,
                   const Rational& length) {
  if (5 * step.rate > 1 || step.sigma < 4 || length <= 2) return;
  const Ball q(step.rate);
  const Ball order(Rational(length / 2));
  const Ball square_of_sigma(Rational(step.sigma * step.sigma));
  const Ball c = log1p(Ball(1) / (q * (order - Ball(1))));
  const Ball most = ldexp(square_of_sigma * c, -1) - log(square_of_sigma);
  const Ball divisor = c + log(q * order) + Ball(1) / ldexp(square_of_sigma, 1);
  if (!certainly_less_equal(order, most) || !certainly_positive(divisor) ||
      !certainly_less_equal(order, (most - log(Ball(5))) / divisor)) {
    return;
  }
  const Ball growth = ldexp(square(q) * (order + Ball(1)) * order / square_of_sigma, 1);
  bounds.theorem_8 =
      exp(Ball(loss.terms()[0].count) * log1p(growth) - ldexp(square(order), 1)).upper_double();
}

/// (7.3), and whether the hypotheses of Lemma 9 hold.
void set_tail_estimate(PublishedBounds& bounds, const ComposedLoss& loss,
                       const SampledGaussian& step, const Rational& length) {
  const Rational order = length / 2;
  const Rational exponent = Rational(loss.terms()[0].count) * step.rate * step.rate * (order + 1) *
                                order / ((1 - step.rate) * step.sigma * step.sigma) -
                            length * length / 2;
  bounds.tail_estimate = std::exp(estimate(exponent));
  const Ball most =
      Ball(Rational(step.sigma * step.sigma)) * -log(Ball(Rational(step.rate * step.sigma)));
  bounds.tail_hypotheses = step.sigma >= 1 && 16 * step.sigma * step.rate < 1 &&
                           denominator(order) == 1 && order > 0 &&
                           certainly_less_equal(Ball(order), most);
}

}  // namespace

std::optional<PublishedBounds> published_bounds(const ComposedLoss& loss, const Rational& length) {
  const std::optional<SampledGaussian> step = sampled_gaussian(loss);
  if (!step) return std::nullopt;
  PublishedBounds bounds;
  set_lemma_7(bounds, loss, *step, length);
  set_theorem_8(bounds, loss, *step, length);
  set_tail_estimate(bounds, loss, *step, length);
  return bounds;
}

std::string words_of(const std::optional<PublishedBounds>& bounds) {
  if (!bounds) return "";
  std::string text = "; the paper's own, which are not in the band: Lemma 7 ";
  if (!bounds->lemma_7) {
    text += "does not apply";
  } else if (bounds->lemma_7_diverges) {
    text += "diverges as printed (k > 4 sigma^2; its first two terms " +
            general_text(bounds->lemma_7_first_terms, 3) + ")";
  } else {
    text += general_text(*bounds->lemma_7, 3);
  }
  text += ", Theorem 8 ";
  text += bounds->theorem_8 ? general_text(*bounds->theorem_8, 3) : "does not apply";
  text += ", tail estimate (7.3) " + general_text(bounds->tail_estimate, 3);
  if (!bounds->tail_hypotheses) text += " (the conditions of Lemma 9 do not hold)";
  return text;
}

}  // namespace plaudit
