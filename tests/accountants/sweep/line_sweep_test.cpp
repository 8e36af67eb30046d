// Bounds of |M| along a line against its values in balls, and contours that rest on them.
#include "accountants/sweep/line_sweep.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "accountants/contour/straight_contour.hpp"
#include "lib/balls/precision.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/laws/atomic_law.hpp"
#include "mechanisms/laws/laplace_loss.hpp"
#include "support/curves.hpp"
#include "support/losses.hpp"
#include "support/random.hpp"
#include "support/slow.hpp"
#include "support/wrapped_loss.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

const char* const laws[] = {"poisson(discrete_gaussian(sigma=2), rate=0.01)",
                            "discrete_gaussian(sigma=3)",
                            "discrete_gaussian(sigma=0.4, sensitivity=2)",
                            "laplace(scale=2)",
                            "randomized_response(epsilon=1)",
                            "poisson(pure(epsilon=2), rate=0.3)",
                            "discrete_laplace(scale=3)",
                            "poisson(approximate(epsilon=0.5, delta=0.01), rate=0.1)"};
const char* const sampled_laplace_laws[] = {"poisson(laplace(scale=3), rate=0.05)",
                                            "poisson(laplace(scale=1), rate=0.3)",
                                            "poisson(laplace(scale=0.5), rate=0.9)"};

/// |M(t + is)| / M(t), from the law's own formula.
Ball true_ratio(const PrivacyLoss& loss, const Ball& t, const Ball& s) {
  return exp(loss.log_mgf(ComplexBall(t, s)).real() - loss.log_mgf(t));
}

/// Does not list every third atom, and says so: what is left out is for its user to find out.
class FewAtoms final : public WrappedLoss {
 public:
  using WrappedLoss::WrappedLoss;
  std::shared_ptr<const AtomicLaw> atoms(double tilt, double nats) const override {
    AtomicLaw few = *base_->atoms(tilt, nats);
    few.whole = false;
    std::vector<Atom> kept;
    for (std::size_t i = 0; i < few.law.atoms.size(); ++i) {
      if (i % 3 != 0) kept.push_back(few.law.atoms[i]);
    }
    few.law.atoms = kept;
    return std::make_shared<AtomicLaw>(few);
  }
};

void check_bounds(bool coarsely) {
  Random random(coarsely ? 7 : 8);
  int sharp = 0;
  for (const char* spec : laws) {
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const PrecisionScope scope(192);
      const ComposedLoss loss = loss_from(spec, direction);
      const PrivacyLoss& law = *loss.terms()[0].loss;
      for (int i = 0; i < trials(6); ++i) {
        const Ball t(std::exp(random.uniform(-3, 2)));
        const auto bound = line_bound(law, t);
        REQUIRE(bound);
        const double half = random.one_in(3) ? 0 : random.uniform(0, 0.4) / bound->slope();
        const Ball first(std::exp(random.uniform(-2, 18)));
        const Ball step(std::exp(random.uniform(-2, 6)));
        const std::size_t count = 700;
        const auto found = coarsely ? bound->coarsely(first, step, half, count)
                                    : bound->along(first, step, half, count);
        REQUIRE(found.size() == count);
        for (const long b : {0L, 1L, random.integer(2, 510), 511L, 512L, 699L}) {
          const Ball middle = first + Ball(b) * step;
          const Ball s = middle + Ball(half * random.uniform(-1, 1));
          const Ball truth = true_ratio(law, t, s);
          const double at = found[static_cast<std::size_t>(b)];
          CHECK_MESSAGE(certainly_less_equal(truth.lower(), Ball(at)), spec, " ", t.estimate(), " ",
                        s.to_string());
          // what is not 1 is about the value and what the block may add
          const Ball centre = true_ratio(law, t, middle);
          if (!coarsely) CHECK(at <= centre.estimate() + bound->slope() * half + 1e-9);
          if (at < 0.9) ++sharp;
        }
      }
    }
  }
  CHECK(sharp > trials(50));
}

}  // namespace

TEST_CASE("blocks of a line are bounded, by atoms and closed forms") { check_bounds(false); }
TEST_CASE("blocks of a line are bounded by the table of a period") { check_bounds(true); }

TEST_CASE("Laplace noise, coarsely: its curve counts, and hardly does far out") {
  Random random(17);
  int sharp = 0;
  for (const char* spec : {"laplace(scale=0.3)", "laplace(scale=1)", "laplace(scale=30)"}) {
    const PrecisionScope scope(192);
    const ComposedLoss loss = loss_from(spec, Direction::remove);
    const PrivacyLoss& law = *loss.terms()[0].loss;
    for (int i = 0; i < trials(10); ++i) {
      const bool left = random.one_in(3);
      const Ball t(left ? -1 - std::exp(random.uniform(-2, 2)) : std::exp(random.uniform(-3, 3)));
      const auto bound = line_bound(law, t);
      REQUIRE(bound);
      const Ball first(std::exp(random.uniform(-4, 8)));
      const Ball step(std::exp(random.uniform(-4, 4)) / bound->slope());
      const auto found = bound->coarsely(first, step, 0, 600);
      for (long b = 0; b < 600; b += 7) {
        const Ball s = first + Ball(b) * step;
        const Ball truth = true_ratio(law, t, s);
        const double at = found[static_cast<std::size_t>(b)];
        CHECK_MESSAGE(certainly_less_equal(truth.lower(), Ball(at)), spec, " ", t.estimate(), " ",
                      s.to_string());
        // the curve counts as at the first height
        const double height = first.estimate() * estimate(law.facts().laplace->ratio());
        if (height > 100) CHECK(at < truth.estimate() + 0.1);
        if (at < 0.9) ++sharp;
      }
    }
  }
  CHECK(sharp > trials(100));
}

TEST_CASE("coarse bounds leave small atoms out and add them") {
  Random random(18);
  int coarser = 0;
  for (const char* spec : {"poisson(discrete_gaussian(sigma=5), rate=0.01)",
                           "poisson(discrete_gaussian(sigma=2), rate=0.3)"}) {
    const PrecisionScope scope(192);
    const ComposedLoss loss = loss_from(spec, Direction::remove);
    const PrivacyLoss& law = *loss.terms()[0].loss;
    for (const double spared : {1e-2, 1e-4, 1e-8}) {
      const Ball t(std::exp(random.uniform(-3, 2)));
      const auto bound = line_bound(law, t, spared);
      const Ball step(random.uniform(0, 0.1) / bound->slope());
      const auto found = bound->coarsely(Ball(0), step, 0, 400);
      const auto fine = bound->along(Ball(0), step, 0, 400);
      for (long b = 0; b < 400; b += usually(3, 1)) {
        const double at = found[static_cast<std::size_t>(b)];
        CHECK(certainly_less_equal(true_ratio(law, t, step * Ball(b)).lower(), Ball(at)));
        CHECK(at < fine[static_cast<std::size_t>(b)] + 2.001 * spared + 1e-9);
        if (at > fine[static_cast<std::size_t>(b)] + spared / 100) ++coarser;
      }
    }
  }
  CHECK(coarser > usually(33, 100));
}

TEST_CASE("the value at the middle of a block needs all its atoms and roundings") {
  // a rare law's recurrences: the bound must not fall below the value anywhere
  const PrecisionScope scope(192);
  const ComposedLoss loss = loss_from("poisson(pure(epsilon=1/8), rate=1/2)", Direction::remove);
  const PrivacyLoss& law = *loss.terms()[0].loss;
  const Ball t(2);
  const auto bound = line_bound(law, t);
  const auto found = bound->along(Ball(0), Ball(0x1p-30), 0, 512);
  for (long b = 0; b < 512; ++b) {
    const Ball truth = true_ratio(law, t, Ball(0x1p-30) * Ball(b));
    CHECK(certainly_less_equal(truth.lower(), Ball(found[static_cast<std::size_t>(b)])));
  }
}

TEST_CASE("what the listed atoms leave out is found from them and added") {
  int sharp = 0;
  for (const char* spec : {"discrete_gaussian(sigma=3)", "discrete_laplace(scale=3)",
                           "poisson(pure(epsilon=2), rate=0.3)"}) {
    const PrecisionScope scope(192);
    const ComposedLoss loss = loss_from(spec, Direction::remove);
    const FewAtoms law(loss.terms()[0].loss);
    const Ball t(0.5);
    const auto bound = line_bound(law, t);
    REQUIRE(bound);
    const Ball step(0.0625);
    const auto found = bound->along(Ball(0), step, 0, 400);
    for (long b = 0; b < 400; ++b) {
      const Ball s = step * Ball(b);
      const Ball truth = true_ratio(law, t, s);
      const double at = found[static_cast<std::size_t>(b)];
      CHECK_MESSAGE(certainly_less_equal(truth.lower(), Ball(at)), spec, " ", s.to_string());
      const ComplexBall whole = exp(law.log_mgf(ComplexBall(t, s)) - ComplexBall(law.log_mgf(t)));
      CHECK(overlaps(bound->ratio(s), whole));
      CHECK(overlaps(bound->ratios({s}, 60)[0], whole));
      if (at < 1) ++sharp;
    }
  }
  CHECK(sharp > trials(100));
}

TEST_CASE("values at many nodes are those at each of them, and cost less where there are atoms") {
  Random random(12);
  for (const char* spec : laws) {
    const PrecisionScope scope(192);
    const ComposedLoss loss = loss_from(spec, Direction::remove);
    const PrivacyLoss& law = *loss.terms()[0].loss;
    const Ball t(std::exp(random.uniform(-3, 2)));
    const auto bound = line_bound(law, t);
    REQUIRE(bound);
    std::vector<Ball> heights;
    for (int i = 0; i < 40; ++i) heights.emplace_back(std::exp(random.uniform(-2, 14)));
    for (const long bits : {60L, 100L, 1000L}) {
      INFO(std::string(spec), ", ", bits, " bits");
      const auto found = bound->ratios(heights, bits);
      REQUIRE(found.size() == heights.size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        const Ball log_whole = law.log_mgf(t);
        const ComplexBall whole =
            exp(law.log_mgf(ComplexBall(t, heights[i])) - ComplexBall(log_whole));
        CHECK(overlaps(found[i], whole));
        CHECK(found[i].real().radius_double() < 1e-15);
        CHECK(found[i].imaginary().radius_double() < 1e-15);
      }
    }
  }
  const ComposedLoss loss = loss_from("discrete_gaussian(sigma=3)", Direction::remove);
  const auto bound = line_bound(*loss.terms()[0].loss, Ball(1));
  const std::vector<Ball> heights(100, Ball(7));
  const double before = work_done();
  bound->ratios(heights, 73);
  const double together = work_done() - before;
  for (const Ball& s : heights) bound->ratio(s);
  CHECK(together < (work_done() - before) / 4);
}

TEST_CASE("values at many nodes hold the true ones where the atoms are known to few bits") {
  for (const char* spec :
       {"discrete_gaussian(sigma=3)", "discrete_laplace(scale=2)", "discrete_laplace(scale=3)",
        "poisson(discrete_gaussian(sigma=2), rate=0.1)"}) {
    const ComposedLoss loss = loss_from(spec, Direction::remove);
    const PrivacyLoss& law = *loss.terms()[0].loss;
    const Ball t(0.7);
    std::unique_ptr<LineBound> bound;
    {
      const PrecisionScope few(64);
      bound = line_bound(law, t);
    }
    REQUIRE(bound);
    const PrecisionScope scope(192);
    for (const double at : {1e-9, 1.0, 1e5}) {  // errors of the weights alone; of the losses
      const ComplexBall truth =
          exp(law.log_mgf(ComplexBall(t, Ball(at))) - ComplexBall(law.log_mgf(t)));
      INFO(std::string(spec), " at ", at);
      CHECK(overlaps(bound->ratios({Ball(at)}, 150)[0], truth));
    }
  }
}

TEST_CASE("nodes that are not summed are as small as promised") {
  Random random(5);
  for (const char* spec :
       {"poisson(discrete_gaussian(sigma=2), rate=0.1)^300 * gaussian(sigma=300)",
        "discrete_gaussian(sigma=3)^40 * gaussian(sigma=40)",
        "laplace(scale=2)^60 * discrete_gaussian(sigma=2)^20 * gaussian(sigma=50)",
        "poisson(gaussian(sigma=1), rate=0.2)^400 * randomized_response(epsilon=1)^300"}) {
    const PrecisionScope scope(160);
    const ComposedLoss loss = loss_from(spec, Direction::remove);
    const double t = 1.5, h = 0.03125, nats = 30, height = 3000;
    const long first = 40;
    const LineSweep sweep(loss, t, h, first, height, nats, 128);
    const std::vector<long> summed = sweep.summed();
    const Ball log_whole = loss.log_mgf(Ball(t));
    long expected = first;
    for (const LineRange& range : sweep.ranges()) {
      CHECK(range.first == expected);
      expected = range.last + 1;
      if (range.how == LineRange::How::blocks) {
        CHECK((range.last - range.first + 1) % sweep.block() == 0);
      }
      if (range.how == LineRange::How::summed) continue;
      for (int i = 0; i < 4; ++i) {
        const long k = random.integer(range.first, range.last);
        const Ball fall = sweep.log_ratios({k})[0].real();
        const Ball promised = log(Ball(k) / Ball(first)) - Ball(nats);
        CHECK_MESSAGE(certainly_less_equal(fall.lower(), promised), spec, " at node ", k);
      }
    }
    CHECK(expected == sweep.last() + 1);
    for (int i = 0; i < 20; ++i) {
      const long k = sweep.last() + random.integer(1, 1000);
      CHECK(certainly_less_equal(sweep.log_ratios({k})[0].real().lower(), Ball(-nats)));
    }
    for (std::size_t i = 0; i < summed.size(); i += 1 + summed.size() / 20) {
      const ComplexBall z(Ball(t), Ball(h) * Ball(summed[i]));
      Ball own;
      for (const auto& term : loss.terms()) {
        own += Ball(term.count) * term.loss->log_mgf(z).real();
      }
      CHECK(overlaps(own - log_whole, sweep.log_ratios({summed[i]})[0].real()));
    }
  }
}

TEST_CASE("nodes that share the points of an integral have the values that each has alone") {
  const PrecisionScope scope(160);
  for (const char* spec :
       {"with_replacement(gaussian(sigma=1), batch=16, population=1000)^20 * gaussian(sigma=10)",
        "without_replacement(gaussian(sigma=2), batch=50, population=1000, adjacency=replace)^5 * "
        "gaussian(sigma=20)"}) {
    const ComposedLoss loss = loss_from(spec, Direction::remove);
    const double t = 0.5, h = 0.5, nats = 6, height = 3000;
    const LineSweep sweep(loss, t, h, 8, height, nats, 128);
    const std::vector<long> summed = sweep.summed();
    REQUIRE(summed.size() > 20);
    const std::vector<ComplexBall> together = sweep.log_ratios(summed);
    for (std::size_t i = 0; i < summed.size();
         i += 1 + summed.size() / static_cast<std::size_t>(usually(4, 8))) {
      INFO(std::string(spec), " node ", summed[i]);
      const ComplexBall alone = sweep.log_ratios({summed[i]})[0];
      CHECK(overlaps(exp(alone), exp(together[i])));
      CHECK(together[i].real().radius().upper_double() < 1e-20);
    }
  }
}

TEST_CASE("without anything that falls for good there is no end") {
  const PrecisionScope scope(128);
  const ComposedLoss loss = loss_from("randomized_response(epsilon=1)^300", Direction::remove);
  CHECK_THROWS_AS(LineSweep(loss, 1, 0.125, 10, 1e4, 30, 128), std::domain_error);
}

TEST_CASE("Poisson-sampled Laplace noise: atoms walked, the density between them from above") {
  Random random(31);
  int sharp = 0;
  int by_parts = 0;
  for (const char* spec : sampled_laplace_laws) {
    for (const Direction direction : {Direction::remove, Direction::add}) {
      for (const long bits : {53L, 128L, 512L}) {
        if (bits == 128 && !slow_tests()) continue;
        const PrecisionScope scope(bits);
        const ComposedLoss loss = loss_from(spec, direction);
        const PrivacyLoss& law = *loss.terms()[0].loss;
        const Ball t(std::exp(random.uniform(-3, 2)));
        const auto bound = line_bound(law, t);
        REQUIRE(bound);
        for (int i = 0; i < trials(3); ++i) {
          const double half = random.one_in(2) ? 0 : random.uniform(0, 0.4) / bound->slope();
          const Ball first(half + std::exp(random.uniform(-2, 7)));
          const Ball step(std::exp(random.uniform(-2, 1)));
          const auto found = bound->along(first, step, half, 600);
          for (const long b : {0L, 1L, random.integer(2, 510), 511L, 512L, 599L}) {
            const Ball middle = first + Ball(b) * step;
            const Ball s = middle + Ball(half * random.uniform(-1, 1));
            const PrecisionScope finer(bits + 64);
            INFO(std::string(spec), ", ", name_of(direction), ", s ", s.to_string());
            const double at = found[static_cast<std::size_t>(b)];
            CHECK(certainly_less_equal(true_ratio(law, t, s).lower(), Ball(at)));
            if (at < 0.9) ++sharp;
            const ComplexBall whole =
                exp(law.log_mgf(ComplexBall(t, s)) - ComplexBall(law.log_mgf(t)));
            const ComplexBall ratio = bound->ratio(s);
            CHECK(overlaps(ratio, whole));
            CHECK(ratio.real().radius_double() < 1e-9);
            if (s.estimate() > 1000) ++by_parts;
          }
        }
      }
    }
  }
  CHECK(sharp > trials(20));
  CHECK(by_parts > trials(10));
}

TEST_CASE("Poisson-sampled Laplace noise: the density counts where the atoms cancel") {
  // next to odd multiples of pi / D the atoms of a nearly symmetric law are least
  const PrecisionScope scope(192);
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const ComposedLoss loss = loss_from("poisson(laplace(scale=1), rate=0.3)", direction);
    const PrivacyLoss& law = *loss.terms()[0].loss;
    const Ball t(0.25);
    const auto bound = line_bound(law, t);
    const Ball step(0.03125);
    const auto found = bound->along(step, step, 0, 4000);
    for (long b = 0; b < 4000; b += 7) {
      const Ball truth = true_ratio(law, t, step * Ball(b + 1));
      CHECK(certainly_less_equal(truth.lower(), Ball(found[static_cast<std::size_t>(b)])));
    }
  }
}

TEST_CASE("Poisson-sampled Laplace noise: what integration by parts leaves out of a value") {
  const PrecisionScope scope(320);
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const ComposedLoss loss = loss_from("poisson(laplace(scale=3), rate=0.3)", direction);
    const PrivacyLoss& law = *loss.terms()[0].loss;
    const Ball t(1.5);
    const auto bound = line_bound(law, t);
    for (double s = 150; s < 3000; s *= 1.17) {
      const ComplexBall whole =
          exp(law.log_mgf(ComplexBall(t, Ball(s))) - ComplexBall(law.log_mgf(t)));
      CHECK(overlaps(bound->ratio(Ball(s)), whole));
    }
  }
}
