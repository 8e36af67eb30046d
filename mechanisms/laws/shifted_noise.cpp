#include "mechanisms/laws/shifted_noise.hpp"

#include <cstdlib>

#include "lib/balls/ball_memory.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/laws/finite_loss.hpp"

namespace plaudit {

// Proof: docs/proofs/integer_noise.md#window
FiniteLaw shifted_noise_law(const IntegerNoise& noise, long shift) {
  const long end = static_cast<long>(noise.masses.size()) - 1;
  const long window = end - shift;  // outputs from -window to end
  const auto mass = [&](long k) -> const Ball& {
    return noise.masses[static_cast<std::size_t>(std::labs(k))];
  };
  Ball between;  // P(window < k <= end)
  for (long k = end; k > window; --k) between += mass(k);
  const Ball q_above = hull(Ball(0), noise.most_beyond);  // Q(k > end), and P(k < -window)
  const Ball p_above = between + q_above;                 // P(k > end), and Q(k < -window)
  check_memory_of_balls(3 * static_cast<double>(window + end));
  FiniteLaw law;
  law.atoms.reserve(static_cast<std::size_t>(window + end) + 3);
  // log of p_above / q_above
  const Ball apart = hull(log1p(between / noise.least_beyond), log1p(between / noise.most_beyond));
  const Ball last = log(mass(window) / mass(end));  // the loss at the output end
  // The outputs before -window: as one (law below), or with the loss of -window (law above).
  law.atoms.push_back({hull(-apart, -last), q_above, hull(p_above, q_above * exp(last))});
  for (long k = -window; k <= end; ++k) {
    if (k % 256 == 0) check_work_limit();
    const Ball& p = mass(k - shift);
    const Ball& q = mass(k);
    law.atoms.push_back({k == end ? last : log(p / q), p, q});
  }
  const Ball moved = hull(Ball(0), p_above);
  law.atoms.push_back({apart, moved, hull(Ball(0), q_above)});
  law.infinite = PLAUDIT_BOUND("shifted_noise.above", moved, Ball(0));
  // In the law above the outputs before -window keep between nothing and all of their Q-mass.
  law.q_mass = hull(Ball(1) - q_above - p_above, Ball(1));
  return law;
}

std::shared_ptr<const PrivacyLoss> shifted_noise_loss(const std::string& spec,
                                                      std::function<IntegerNoise()> noise,
                                                      long shift) {
  FiniteLoss::Exact exact;
  exact.by_intervals = true;  // of what lies outside of the window
  return std::make_shared<FiniteLoss>(
      "privacy loss of " + spec,
      [noise = std::move(noise), shift] { return shifted_noise_law(noise(), shift); }, std::nullopt,
      std::move(exact));
}

}  // namespace plaudit
