// Poisson samples of a Gaussian beside bounded losses: probabilities by SampledLoss, all moments by
// one integral. Proof: docs/proofs/roots.md#gaussian-sum-integral
#include <cmath>

#include "mechanisms/samples/gaussian_sum_integral.hpp"
#include "mechanisms/samples/sampled_loss.hpp"

namespace plaudit {

std::shared_ptr<const PrivacyLoss> GaussianSumLoss::sampled(const Rational& rate,
                                                            Direction direction) const {
  const auto integral = std::make_shared<const GaussianSumIntegral>(mean_, other_, rate);
  AtomEstimate picture;  // for powers up to about 60
  for (const Place& p : integral->places(60)) {
    if (direction == Direction::remove) {
      picture.add(p.l, p.g + p.l);
    } else {
      picture.add(-p.l, p.g);
    }
  }
  SampledLoss::Parts parts{
      std::make_shared<GaussianSumLoss>(mean_, other_), rate, direction,
      [integral](const ComplexBall& w) { return integral->at(w, nats_in_force()); },
      std::move(picture)};
  parts.bound_beyond = [integral](const Ball& r, const Ball& s) {
    return integral->bound_beyond(r, s, nats_in_force());
  };
  parts.estimate_log_decay = [integral](double r, double s) {
    return integral->estimate_log_decay(r, s);
  };
  parts.on_line = [integral](const Ball& r, const Ball& step, std::size_t count,
                             const LineAccuracy& accuracy) {
    return integral->on_line(r, step, count, accuracy);
  };
  parts.estimate_points = [integral](double r, double s, double nats) {
    return integral->estimate_points(r, s, nats);
  };
  return std::make_shared<SampledLoss>(std::move(parts));
}

}  // namespace plaudit
