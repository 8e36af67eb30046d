#include "accountants/fourier/published_frequencies.hpp"

#include <cmath>
#include <memory>
#include <stdexcept>

#include "accountants/fourier/density_aliases.hpp"
#include "accountants/fourier/fourier_density.hpp"
#include "accountants/fourier/lattice_line.hpp"
#include "lib/analysis/power_sums.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {
constexpr std::size_t block_of_roots = 64;
constexpr double most_line_products = 2e7;  ///< of balls, some seconds
constexpr double nats_of_doubles = 27;      ///< accuracy that the transform in binary64 can give
constexpr double nats_of_power = 50;        ///< wanted accuracy of the power of F_k, by integrals
constexpr double nats_of_aliases = 48;      ///< below which aliases need no better bound
}  // namespace

RootPowers::RootPowers(const Ball& angle) : angle_(angle) {
  for (std::size_t k = 0; k < block_of_roots; ++k) fine_.push_back(at(k));
}

ComplexBall RootPowers::operator()(std::size_t k) {
  if (k % block_of_roots == 0) coarse_ = at(k);
  return coarse_ * fine_[k % block_of_roots];
}

ComplexBall RootPowers::at(std::size_t k) const {
  const Ball x = angle_ * Ball(std::uint64_t{k});
  return ComplexBall(cos(x), sin(x));
}

std::vector<ComplexBall> frequencies_of_sum(const SampledWeights& factor, std::uint64_t points,
                                            std::size_t count) {
  const Ball turn = -ldexp(pi(), 1) / Ball(points);
  std::vector<ComplexBall> weights;
  std::vector<ComplexBall> bases;
  for (std::size_t j = 0; j < factor.weights.size(); ++j) {
    if ((j & 255) == 0) check_work_limit();
    if (factor.weights[j].is_exact_zero()) continue;
    weights.emplace_back(factor.weights[j]);
    const Ball angle = turn * Ball(factor.first + static_cast<long>(j));
    bases.emplace_back(cos(angle), sin(angle));
  }
  std::vector<ComplexBall> values = power_sums(weights, bases, count);
  // the points left out lie in [-L, L) or not: in either case this bounds what they add
  for (ComplexBall& value : values) value = widened(value, factor.left_out);
  return values;
}

// Proof: docs/proofs/fourier.md#published
std::vector<ComplexBall> frequencies_of_law(const PrivacyLoss& loss, Direction direction,
                                            double times, const Ball& length, const Ball& mesh,
                                            const Ball& outside, std::size_t count) {
  const Ball step = pi() / length;
  const Ball height = step * Ball(std::uint64_t{count});
  const double nats = nats_of_power + std::log(times);
  const double points = loss.estimate_line_points(0, height.estimate(), nats);
  std::vector<ComplexBall> values;
  if (points * static_cast<double>(count) <= most_line_products) {
    values = loss.mgf_on_line(Ball(0), step, count, nats).values;
  } else if (loss.facts().gaussian_mixture == nullptr) {
    throw std::domain_error("published Fourier: too many frequencies matter");
  } else {
    const std::shared_ptr<const PrivacyLoss> borrowed(std::shared_ptr<const void>(), &loss);
    const LatticeLineLoss line(borrowed, direction, density_sampler(most_points_of_density),
                               nullptr);
    values = line.mgf_on_line(Ball(0), step, count, nats_of_doubles).values;
  }
  const Ball period = ldexp(pi(), 1) / mesh;
  const Ball aliases = alias_bound(loss, direction, Ball(0), period, height, nats_of_aliases);
  const Ball apart =
      PLAUDIT_BOUND("published_fourier.frequencies", (aliases + outside).upper(), Ball(0));
  for (ComplexBall& value : values) value = widened(conjugate(value), apart);
  return values;
}

}  // namespace plaudit
