#include "accountants/fourier/published_sum.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "accountants/fourier/published_frequencies.hpp"
#include "lib/balls/ball_memory.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {
constexpr double most_products = 2e7;  ///< of points and frequencies, for sums in balls
}  // namespace

PublishedSum::PublishedSum(const PublishedLattice& lattice) : lattice_(lattice) {
  if (lattice.one_step()) {
    single_ = sample_weights(*lattice.loss().terms()[0].loss, lattice.loss().direction(),
                             lattice.dx(), lattice.half(), static_cast<double>(lattice.points()));
  }
  if (!single_) make_spectrum();
}

/// The product of F_k^count for k < N in balls, and a bound of what all the others add.
void PublishedSum::make_spectrum() {
  const std::size_t count = lattice_.frequencies();
  check_memory_of_balls(8 * static_cast<double>(count));
  const Ball beyond = pi() * Ball(std::uint64_t{count}) / lattice_.length();
  std::vector<ComplexBall> logs(count);
  Ball log_rest;
  const Direction direction = lattice_.loss().direction();
  for (const ComposedLoss::Term& term : lattice_.loss().terms()) {
    const std::optional<SampledWeights> weights =
        sample_weights(*term.loss, direction, lattice_.dx(), lattice_.half(),
                       most_products / static_cast<double>(count));
    const std::vector<ComplexBall> values =
        weights
            ? frequencies_of_sum(*weights, lattice_.points(), count)
            : frequencies_of_law(*term.loss, direction, static_cast<double>(term.count),
                                 lattice_.length(), lattice_.dx(), lattice_.tail_of(term), count);
    const Ball times(term.count);
    for (std::size_t k = 0; k < count; ++k) {
      if (values[k].may_be_zero()) {
        throw std::domain_error("published Fourier: a frequency is lost");
      }
      ComplexBall scaled = log(values[k]);
      scaled.scale(times);
      logs[k] += scaled;
    }
    const Ball size =
        term.loss->mgf_bound_beyond(Ball(0), beyond.lower(), PublishedLattice::density_nats) +
        lattice_.aliases(term, Ball(0), ldexp(lattice_.period(), -1)) + lattice_.tail_of(term);
    log_rest += times * log(size);
  }
  for (const ComplexBall& value : logs) spectrum_.push_back(exp(value));
  // each against |g_k| <= n / (2 k), twice, divided by n: a harmonic sum
  const Ball harmonic = log(Ball(lattice_.half()) / Ball(std::uint64_t{count})) +
                        Ball(1) / Ball(std::uint64_t{count});
  spectrum_rest_ = (harmonic * exp(log_rest)).upper();
}

// Proof: docs/proofs/fourier.md#published
Ball PublishedSum::at(const Ball& epsilon) const {
  const Ball n(lattice_.points());
  const double near = std::floor((epsilon / lattice_.dx()).estimate());
  const long first = checked_integer(std::max(-static_cast<double>(lattice_.half()), near + 1),
                                     "published Fourier: epsilon in units of the grid");
  if (first >= lattice_.half()) return Ball(0);
  // A point taken for the other side of eps would lie this near to it: its weight in the sum is
  // at most twice that, times its mass, and the sum of all masses is F_0^count.
  const Ball near_enough = ldexp(Ball(1), -90);
  const Ball unsure = ldexp(near_enough, 1);
  const bool from_start = first == -lattice_.half();
  if (!certainly_less(epsilon - near_enough, lattice_.dx() * Ball(first)) ||
      (!from_start && !certainly_less(lattice_.dx() * Ball(first - 1), epsilon + near_enough))) {
    throw std::domain_error("published Fourier: epsilon is too large for this grid");
  }
  if (single_) {  // one step: the transforms undo each other
    Ball plain;
    Ball mass = single_->left_out;
    for (std::size_t i = 0; i < single_->weights.size(); ++i) {
      const long j = single_->first + static_cast<long>(i);
      mass += single_->weights[i];
      if (j >= first) plain += single_->weights[i] * -expm1(epsilon - lattice_.dx() * Ball(j));
    }
    return widened(plain, single_->left_out + mass * unsure);
  }
  return widened(of_spectrum(epsilon, first) / n, spectrum_rest_ + abs(spectrum_[0]) * unsure);
}

/// sum_{|k| < N} F_k^count sum_{j >= first} g(j dx) e^{2 pi i j k / n}.
Ball PublishedSum::of_spectrum(const Ball& epsilon, long first) const {
  const Ball n(lattice_.points());
  const Ball turn = ldexp(pi(), 1) / n;
  const Ball ratio = exp(-lattice_.dx());
  const Ball start = exp(epsilon - lattice_.dx() * Ball(first));
  const Ball stop = exp(epsilon - lattice_.dx() * Ball(lattice_.half()));
  RootPowers low(turn * Ball(first));
  RootPowers high(turn * Ball(lattice_.half()));
  RootPowers unit(turn);
  Ball sum;
  for (std::size_t k = 0; k < spectrum_.size(); ++k) {
    if ((k & 255) == 0) check_work_limit();
    const ComplexBall low_k = low(k);
    const ComplexBall high_k = high(k);
    const ComplexBall unit_k = unit(k);
    ComplexBall inner = k == 0 ? ComplexBall(Ball(lattice_.half() - first))
                               : (low_k - high_k) / (ComplexBall(1) - unit_k);
    inner -= (low_k * ComplexBall(start) - high_k * ComplexBall(stop)) /
             (ComplexBall(1) - unit_k * ComplexBall(ratio));
    const Ball part = (spectrum_[k] * inner).real();
    sum += k == 0 ? part : ldexp(part, 1);
  }
  return sum;
}

}  // namespace plaudit
