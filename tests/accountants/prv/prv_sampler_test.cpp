// Lines by cells of the distribution function against a closed form, where the cells are wide.
#include "accountants/prv/prv_sampler.hpp"

#include "lib/balls/precision.hpp"
#include "mechanisms/mixtures/gaussian_mixture_loss.hpp"
#include "support/containment.hpp"
#include "support/mixtures.hpp"

using namespace plaudit;
using namespace plaudit::test;

TEST_CASE("the points of cells left out may lie further out than the losses in them") {
  // Few nats on a steep line: cells so wide that the factor e^{|t| d / 2} counts.
  const PrecisionScope scope(192);
  Random random(33);
  int computed = 0;
  for (int i = 0; i < trials(100); ++i) {
    const Direction direction = random.one_in(2) ? Direction::remove : Direction::add;
    const LatticeLineLoss line(gaussian_mixture_loss(mixture_of("gaussian(sigma=1)"), direction),
                               direction, cell_sampler(), nullptr);
    const Ball t(random.sign() * random.uniform(8, 20));
    const Ball step(random.uniform(0.1, 2));
    const auto count = static_cast<std::size_t>(random.integer(2, 4));
    const double nats = random.uniform(0, 5);
    INFO(name_of(direction), ", t ", t.estimate(), ", step ", step.estimate(), ", nats ", nats);
    try {
      const LineValues found = line.mgf_on_line(t, step, count, nats);
      ++computed;
      for (std::size_t k = 0; k < count; ++k) {
        const ComplexBall z(t, step * Ball(std::uint64_t{k}));
        const ComplexBall exact = exp(ComplexBall(Ball(0.5)) * z * (z + ComplexBall(1)));
        CHECK(overlaps(found.values[k], exact));
      }
    } catch (const std::domain_error&) {  // tails that are not certainly monotone
    }
  }
  CHECK(2 * computed > trials(100));
}
