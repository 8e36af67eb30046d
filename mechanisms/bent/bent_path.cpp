#include "mechanisms/bent/bent_path.hpp"

#include <cmath>
#include <stdexcept>

#include "lib/balls/precision.hpp"
#include "lib/mutant.hpp"

namespace plaudit {

MixtureInV::MixtureInV(const GaussianMixture& mixture) {
  const std::size_t top = mixture.sensitivities.size() - 1;
  const Ball noise(mixture.sigma);
  const Ball top_shift = Ball(mixture.sensitivities[top]) / noise;
  const Ball base(mixture.probabilities[0]);
  sigma = Ball(1) / top_shift;
  lambda = -log(base);
  // log(p_k / p_0) + c_k y / noise - c_k^2 / (2 noise^2) = v solved for y at v = 0
  origin = ldexp(top_shift, -1) -
           sigma * log(Ball(Rational(mixture.probabilities[top] / mixture.probabilities[0])));
  least_rate = Ball(1);
  for (std::size_t i = 1; i < top; ++i) {
    const Ball shift = Ball(mixture.sensitivities[i]) / noise;
    rate.emplace_back(Rational(mixture.sensitivities[i] / mixture.sensitivities[top]));
    offset.push_back(shift * (origin - ldexp(shift, -1)) +
                     log(Ball(Rational(mixture.probabilities[i] / mixture.probabilities[0]))));
    least_rate = min(least_rate, rate.back());
  }
}

ComplexBall MixtureInV::excess(const ComplexBall& v) const {
  ComplexBall sum = exp(v);
  for (std::size_t i = 0; i < rate.size(); ++i) {
    sum += exp(v * ComplexBall(rate[i]) + ComplexBall(offset[i]));
  }
  return sum;
}

ComplexBall MixtureInV::remainder(const ComplexBall& v) const {
  ComplexBall sum = exp(-v);
  for (std::size_t i = 0; i < rate.size(); ++i) {
    sum += exp(v * ComplexBall(rate[i] - Ball(1)) + ComplexBall(offset[i]));
  }
  return sum;
}

ComplexBall MixtureInV::logistic(const ComplexBall& v) const {
  if (rate.empty()) return ComplexBall(1) / (ComplexBall(1) + exp(-v));
  ComplexBall numerator(1), denominator = ComplexBall(1) + exp(-v);
  for (std::size_t i = 0; i < rate.size(); ++i) {
    const ComplexBall term = exp(v * ComplexBall(rate[i] - Ball(1)) + ComplexBall(offset[i]));
    numerator += ComplexBall(rate[i]) * term;
    denominator += term;
  }
  return numerator / denominator;
}

ComplexBall MixtureInV::excess_rate(const ComplexBall& v) const {
  ComplexBall numerator(1), denominator(1);
  for (std::size_t i = 0; i < rate.size(); ++i) {
    const ComplexBall term = exp(v * ComplexBall(rate[i] - Ball(1)) + ComplexBall(offset[i]));
    numerator += ComplexBall(rate[i]) * term;
    denominator += term;
  }
  return numerator / denominator;
}

bool BentPath::applies(const GaussianMixture& mixture) {
  return mixture.sensitivities.size() >= 2 && mixture.sensitivities.front() == 0;
}

BentPath::BentPath(const GaussianMixture& mixture, const BentShape& shape)
    : mixture_(mixture), shape_(shape) {
  if (!applies(mixture)) throw std::domain_error("bent path: needs a component at 0");
  const PrecisionScope scope(64);
  const MixtureInV in_v(mixture_);
  // With two components e^v > 1 means v > 0. Otherwise look for the place by doubling steps and
  // certify it; every term of the remainder decreases in Re v.
  if (!in_v.rate.empty()) {
    double step = 1;
    while (!certainly_less(in_v.remainder(ComplexBall(Ball(dominance_))).real(),
                           PLAUDIT_BOUND("bent_path.dominance", Ball(1), Ball(4)))) {
      dominance_ += step;
      step *= 1.2;
      if (dominance_ > 1e4) throw std::domain_error("bent path: no dominating component");
    }
  }
  verify();
}

// C1: the strip |Im xi| <= half_width maps into {0 < Im v < pi} or {Re v > dominance}.
// Proof: docs/proofs/bent_contour.md#path
void BentPath::verify() const {
  const Ball rise(shape_.rise), slope(shape_.slope), bend(shape_.bend), knee(shape_.knee);
  const Ball width(shape_.half_width);
  const bool parameters =
      certainly_positive(width) && certainly_positive(bend) && certainly_positive(slope) &&
      certainly_less(slope, PLAUDIT_BOUND("bent_path.slope_below_one", Ball(1), Ball(2))) &&
      // Step 1: |Im (xi - knee) / bend| <= pi/2
      certainly_less_equal(ldexp(width, PLAUDIT_BOUND("bent_path.width_of_bend", 1, -1)),
                           pi() * bend) &&
      // Step 2: Im v > 0
      certainly_less(width, PLAUDIT_BOUND("bent_path.strip_above_axis", rise, ldexp(rise, 1)));
  // Step 3: Re v <= dominance only where Re xi <= edge, and there Im v is at most `highest`.
  const Ball edge =
      Ball(dominance_) + PLAUDIT_BOUND("bent_path.edge_of_strip", slope * width, Ball(0));
  const Ball highest = PLAUDIT_BOUND("bent_path.width_below_pi", width, Ball(0)) + rise +
                       slope * bend * log1p(exp((edge - knee) / bend));
  if (!parameters ||
      !certainly_less(highest, PLAUDIT_BOUND("bent_path.limit_of_strip", pi(), ldexp(pi(), 1)))) {
    throw std::domain_error("bent path: the strip leaves the zero-free region");
  }
}

ComplexBall BentPath::point(const ComplexBall& xi, ComplexBall* derivative) const {
  const Ball bend(shape_.bend), slope(shape_.slope);
  const ComplexBall s = (xi - ComplexBall(Ball(shape_.knee))) / ComplexBall(bend);
  // |Im s| <= pi/2, so log(1 + e^s) = s + log(1 + e^-s) with principal logarithms
  const bool right = s.real().estimate() > 0;
  const ComplexBall u = exp(right ? -s : s);
  ComplexBall softplus = log1p(u);
  if (right) softplus += s;
  const ComplexBall i_slope(Ball(0), slope);
  if (derivative != nullptr) {
    const ComplexBall logistic = (right ? ComplexBall(1) : u) / (ComplexBall(1) + u);
    *derivative = ComplexBall(1) + i_slope * logistic;
  }
  return xi + ComplexBall(Ball(0), Ball(shape_.rise)) + i_slope * ComplexBall(bend) * softplus;
}

// Proof: docs/proofs/bent_contour.md#branch
ComplexBall BentPath::log_ratio(const MixtureInV& in_v, const ComplexBall& v) const {
  const bool strip =
      certainly_less(v.imaginary(), PLAUDIT_BOUND("bent_path.branch", pi(), ldexp(pi(), 1)));
  const bool right = certainly_greater(v.real(), Ball(dominance_));
  if (right && (!strip || v.real().estimate() > dominance_ + 1)) {
    return v + log1p(in_v.remainder(v));
  }
  if (strip) return log1p(in_v.excess(v));
  return ComplexBall(Ball(std::nan("")));
}

// Mean values: with middle c of the rectangle V, log l(V) is in log l(c) + (l'/l)(V) (V - c). Where
// u = f/p_0 - 1 is small, l = u (1 - u/2 + e), |e| <= |u|^2 / (3 (1 - |u|)), and the same is done
// for log u, whose derivative varies little.
// Proof: docs/proofs/bent_contour.md#log-log
ComplexBall BentPath::log_log_ratio(const MixtureInV& in_v, const ComplexBall& v) const {
  const ComplexBall middle(v.real().middle(), v.imaginary().middle());
  const Ball size = in_v.excess(ComplexBall(v.real().upper())).real().upper();
  if (certainly_less(size, ldexp(Ball(1), -3)) && certainly_less(v.imaginary(), pi())) {
    const ComplexBall log_u =
        in_v.rate.empty()
            ? v
            : log(in_v.excess(middle)) +
                  in_v.excess_rate(PLAUDIT_BOUND("bent_path.mean_value_near_zero", v, middle)) *
                      (v - middle);
    ComplexBall half = exp(log_u);
    half = ldexp(half, -1);
    const Ball rest = square(size) / (Ball(3) * (Ball(1) - size));
    return log_u + log(widened(ComplexBall(1) - half,
                               PLAUDIT_BOUND("bent_path.rest_of_logarithm", rest, Ball(0))));
  }
  const ComplexBall& where = PLAUDIT_BOUND("bent_path.mean_value", v, middle);
  return log(log_ratio(in_v, middle)) +
         in_v.logistic(where) / log_ratio(in_v, where) * (v - middle);
}

}  // namespace plaudit
