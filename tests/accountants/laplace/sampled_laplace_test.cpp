// Poisson-sampled Laplace noise on the folded line: against direct convolution in mpmath, closed
// forms of one step, the straight contour, and with each bound left out.
#include <doctest/doctest.h>

#include <stdexcept>

#include "accountants/laplace/sampled_line.hpp"
#include "accountants/registry.hpp"
#include "lib/balls/precision.hpp"
#include "support/curves.hpp"
#include "support/random.hpp"
#include "support/reference_table.hpp"
#include "support/sabotage.hpp"
#include "support/slow.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

std::string sampled_power(const std::string& scale, const std::string& rate,
                          const std::string& steps) {
  return "poisson(laplace(scale=" + scale + "), rate=" + rate + ")^" + steps;
}

std::unique_ptr<PrivacyCurve> line_curve(const std::string& spec, Direction direction, int digits) {
  return curve_by("sampled_laplace", spec, direction, digits);
}

/// A line for one epsilon, with parameters that may be spoilt.
class SpoiltSampledLine {
 public:
  SpoiltSampledLine(const std::string& spec, Direction direction, double epsilon, double nats = 40)
      : loss_(loss_from(spec, direction)),
        power_(*sampled_laplace_power(loss_)),
        table_(loss_),
        epsilon_(epsilon),
        choice_(
            choose_sampled(loss_, power_, table_,
                           {epsilon, nats, table_.log_delta(epsilon, table_.saddle(epsilon))})) {
    choice_.bits += 200;
  }
  SampledChoice& choice() { return choice_; }
  double width() const {
    return (loss_.greatest_loss() - loss_.least_loss()).estimate() / loss_.steps();
  }
  Enclosure delta() {
    const PrecisionScope scope(1000);
    return SampledLine(loss_, power_, table_, choice_).delta(Ball(epsilon_));
  }

 private:
  ComposedLoss loss_;
  SampledLaplacePower power_;
  CumulantTable table_;
  double epsilon_;
  SampledChoice choice_;
};

bool missed_without(SpoiltSampledLine& line, const char* term, const Ball& truth) {
  const Scaled none(term, 0);
  try {
    return misses(line.delta(), truth);
  } catch (const std::logic_error&) {  // upper end below what holds trivially
    return true;
  }
}

/// The band holds the truth with the term; without it, it must not.
bool seen_without(SpoiltSampledLine& line, const char* term, const Ball& truth) {
  CHECK_BAND_HOLDS(line.delta(), truth);
  return missed_without(line, term, truth);
}

Ball delta_to_60_digits(const std::string& spec, Direction direction, const Rational& epsilon) {
  const Enclosure band = line_curve(spec, direction, 60)->delta(epsilon);
  CHECK(reached(band, 60));
  return band_of(band);
}

}  // namespace

TEST_CASE("sampled Laplace: one step is a closed form") {
  const PrecisionScope scope(512);
  for (const Direction direction : both_directions) {
    for (const char* scale : {"10", "1", "0.6"}) {
      const std::string spec = sampled_power(scale, "0.3", "1");
      const auto law = loss_from(spec, direction).terms()[0].loss;
      const auto folded = line_curve(spec, direction, 30);
      for (const char* text : {"0", "0.01", "0.029", "-0.02", "0.2", "-0.2", "0.4", "-3", "2"}) {
        const Rational epsilon = parse_rational(text);
        const Enclosure band = folded->delta(epsilon);
        INFO(spec, " ", std::string(name_of(direction)), " at ", std::string(text), " ", show(band),
             " ", band.remark);
        CHECK(!misses(band, law->delta(Ball(epsilon))));
        CHECK(reached(band, 30));
      }
    }
  }
}

TEST_CASE("sampled Laplace: two and three steps by direct convolution") {
  const PrecisionScope scope(256);
  int rows = 0;
  int read = 0;
  for (const std::vector<std::string>& row : reference_table("sampled_laplace.tsv")) {
    if (read++ % 2 != 0 && !slow_tests()) continue;
    const std::string spec = sampled_power(row[0], row[1], row[2]);
    const Direction direction = direction_named(row[3]);
    const Enclosure band = line_curve(spec, direction, 18)->delta(parse_rational(row[4]));
    INFO(spec, " ", row[3], " at ", row[4], " ", show(band), " ", band.remark);
    CHECK_BAND_MEETS(band, printed(row[5], 20));
    CHECK(reached(band, 18));
    ++rows;
  }
  CHECK(rows >= usually(20, 40));
}

TEST_CASE("sampled Laplace: the straight contour where its line is short") {
  for (const Direction direction : both_directions) {
    for (const std::string& spec :
         {sampled_power("1", "0.1", "1000"), sampled_power("2", "0.01", "1000000")}) {
      const auto folded = line_curve(spec, direction, 12);
      const auto contour = curve_by("contour", spec, direction, 12);
      for (const char* target : {"1e-3", "1e-12"}) {
        const Enclosure one = folded->epsilon(parse_rational(target));
        const Enclosure other = contour->epsilon(parse_rational(target));
        INFO(spec, " ", std::string(name_of(direction)), " ", show(one), " ", one.remark);
        CHECK(reached(one, 12));
        CHECK(reached(other, 12));
        CHECK_BANDS_OVERLAP(one, other);
      }
    }
  }
}

TEST_CASE("sampled Laplace: random powers at 53, 128 and 512 bits, and the moments") {
  Random random(77);
  for (int i = 0; i < trials(usually(6, 12)); ++i) {
    const long n = i % 3 == 0 ? random.integer(1, 6) : random.integer(7, 200);
    char text[120];
    std::snprintf(text, sizeof text, "poisson(laplace(scale=1, sensitivity=%.3g), rate=%.3g)^%ld",
                  std::exp(random.uniform(-4, 0.2)), random.uniform(0.01, 0.95), n);
    const Direction direction = both_directions[i % 2];
    const ComposedLoss loss = loss_from(text, direction);
    const double greatest = loss.greatest_loss().estimate();
    const double least = loss.least_loss().estimate();
    const CumulantEstimate k = loss.estimate_cumulant(0);
    double epsilon = k.mean + std::sqrt(k.variance) * random.uniform(-3, 8);
    if (i % 5 == 0) epsilon = random.uniform(least, greatest);
    const Rational at = exactly(std::clamp(epsilon, 0.99 * least, 0.99 * greatest));
    const Enclosure narrow_band = line_curve(text, direction, 16)->delta(at);
    const Enclosure other_band = line_curve(text, direction, 39)->delta(at);
    INFO(std::string(text), " ", std::string(name_of(direction)), " at ", to_string(at), " ",
         show(narrow_band), " ", narrow_band.remark, other_band.remark);
    CHECK(reached(narrow_band, 16));
    CHECK(reached(other_band, 39));
    CHECK_BANDS_OVERLAP(narrow_band, other_band);
    CHECK_BANDS_OVERLAP(narrow_band, curve_by("moments", text, direction, 3)->delta(at));
    if (i == 1 || i == 8) {
      const Enclosure long_band = line_curve(text, direction, 150)->delta(at);
      CHECK_BANDS_OVERLAP(long_band, other_band);
      CHECK(reached(long_band, 150));
    }
    const Rational target = exact_rational(ldexp(other_band.lower + other_band.upper, -1).middle());
    if (at <= 0 || target <= 0 || target >= Rational(1, 2)) continue;
    const Enclosure inverse = line_curve(text, direction, 12)->epsilon(target);
    CHECK(reached(inverse, 12));
    CHECK_BAND_MEETS(inverse, widened(Ball(at), Ball(1e-25)));
  }
}

TEST_CASE("sampled Laplace: epsilons next to sums of the atoms") {
  const PrecisionScope scope(400);
  for (const Direction direction : both_directions) {
    for (const std::uint64_t n : {2UL, 5UL}) {
      const std::string spec = sampled_power("1", "0.1", std::to_string(n));
      const ComposedLoss loss = loss_from(spec, direction);
      const Ball high = loss.greatest_loss() / Ball(n);
      const Ball low = loss.least_loss() / Ball(n);
      const auto folded = line_curve(spec, direction, 25);
      for (std::uint64_t i = 0; i <= n; ++i) {
        const Ball sum = Ball(i) * high + Ball(n - i) * low;
        const Ball slight = exp(Ball(-70));
        // delta falls by at most as much as e^eps grows, and does not jump at the sum
        const Enclosure before = folded->delta(exact_rational((sum - slight).middle()));
        const Enclosure after = folded->delta(exact_rational((sum + slight).middle()));
        INFO(spec, " ", std::string(name_of(direction)), " atom ", i, " ", show(before), " ",
             show(after));
        if (i != n) CHECK(reached(before, 25));
        CHECK(certainly_less_equal(after.lower, before.upper));
        CHECK(certainly_less(before.lower - after.upper, Ball(8) * slight));
        if (i == n) CHECK(after.upper.is_exact_zero());
      }
    }
  }
}

TEST_CASE("sampled Laplace: beyond the support, and deltas at the ends") {
  const PrecisionScope scope(256);
  for (const Direction direction : both_directions) {
    const std::string spec = sampled_power("2", "0.25", "30");
    const auto folded = line_curve(spec, direction, 15);
    CHECK(folded->delta(20).upper.is_exact_zero());
    for (const long epsilon : {-20L, -1000L}) {
      const Enclosure band = folded->delta(epsilon);
      CHECK_BAND_MEETS(band, -expm1(Ball(epsilon)));
      CHECK(reached(band, 15));
    }
    const Enclosure end = folded->epsilon(0);
    const Ball greatest = loss_from(spec, direction).greatest_loss();
    CHECK_BAND_MEETS(end, greatest);
    CHECK(certainly_positive(end.lower));
    const Enclosure tiny = folded->epsilon(parse_rational("1e-300"));
    INFO(show(tiny), " ", tiny.remark);
    CHECK(reached(tiny, 15));
    CHECK(certainly_less_equal(tiny.lower, greatest));
    CHECK(certainly_less_equal(ldexp(greatest, -1), tiny.lower));
    CHECK(folded->epsilon(1).upper.is_exact_zero());
  }
}

TEST_CASE("sampled Laplace: deltas near the top of the support of few steps") {
  // The guess lies where the next step of the search is beyond the support: a search that trusted
  // the height of the line there stopped at once.
  struct Case {
    const char* spec;
    const char* lower;
    const char* upper;
  };
  // other accountants' bands of one direction, on 2026-11-23, before there was this one
  for (const Case& each :
       {Case{"poisson(laplace(1), 0.1)^2", "0.13058625871252", "0.13059267242748"},
        Case{"poisson(laplace(10), 0.2)^2", "0.0384233634784232", "0.03842793238411572"},
        Case{"poisson(laplace(2), 0.01)^3", "0.011819371853949", "0.011819371862538"},
        Case{"poisson(laplace(0.5), 0.1)^3", "0.2712976051645", "0.27129760528185"}}) {
    const Enclosure band =
        line_curve(each.spec, Direction::add, 10)->epsilon(parse_rational("1e-6"));
    INFO(std::string(each.spec), " ", show(band), " ", band.remark);
    CHECK(reached(band, 10));
    CHECK(certainly_less_equal(Ball(parse_rational(each.lower)), band.upper));
    CHECK(certainly_less_equal(band.lower, Ball(parse_rational(each.upper))));
  }
}

TEST_CASE("dropping a term of the sampled line gives a wrong band") {
  const PrecisionScope scope(1000);
  int truncation = 0;
  int by_parts = 0;
  int expansion = 0;
  int quadrature = 0;
  int right = 0;
  int left = 0;
  for (const Direction direction : both_directions) {
    const std::string spec = sampled_power("10", "0.2", "100");
    const Ball truth = delta_to_60_digits(spec, direction, Rational(1, 2));
    const auto line = [&] { return SpoiltSampledLine(spec, direction, 0.5); };
    for (const std::uint64_t nodes : {1UL, 2UL, 4UL, 6UL, 8UL}) {
      SpoiltSampledLine each = line();
      CHECK(each.choice().nodes > nodes);
      each.choice().nodes = nodes;
      truncation += seen_without(each, "sampled_laplace.truncation", truth) ? 1 : 0;
    }
    for (const std::size_t parts : {0UL, 1UL, 2UL, 3UL}) {
      SpoiltSampledLine each = line();
      each.choice().parts = parts;
      by_parts += seen_without(each, "sampled_laplace.by_parts", truth) ? 1 : 0;
    }
    for (const std::size_t orders : {1UL, 2UL, 3UL, 5UL}) {
      SpoiltSampledLine each = line();
      CHECK(each.choice().parts > 0);
      each.choice().orders = orders;
      expansion += seen_without(each, "sampled_laplace.expansion", truth) ? 1 : 0;
    }
    for (const std::size_t points : {3UL, 5UL, 7UL}) {
      SpoiltSampledLine each = line();
      each.choice().rule.points = points;
      quadrature += seen_without(each, "sampled_laplace.quadrature", truth) ? 1 : 0;
    }
    for (const double share : {2.0, 0.4}) {
      for (const std::uint64_t classes : {9UL, 15UL, 21UL}) {
        if (!slow_tests() && (classes == 15 || (direction == Direction::add && classes == 21))) {
          continue;
        }
        for (const bool residues : {true, false}) {
          SpoiltSampledLine each = line();
          each.choice().t *= share;
          each.choice().classes = classes;
          each.choice().nodes = (classes - 1) / 2;
          each.choice().direct = 12;
          each.choice().parts = 24;
          each.choice().orders = 60;
          each.choice().rule = {80, 10};
          each.choice().bits += 300;
          each.choice().both_residues = residues;
          CHECK_BAND_HOLDS(each.delta(), truth);
          right += missed_without(each, "sampled_laplace.right.aliasing", truth) ? 1 : 0;
          left += missed_without(each, "sampled_laplace.left.aliasing", truth) ? 1 : 0;
        }
      }
    }
  }
  CHECK(truncation > 0);
  CHECK(by_parts > 0);
  CHECK(expansion > 0);
  CHECK(quadrature > 0);
  CHECK(right > 0);
  CHECK(left > 0);
}

TEST_CASE("sampled Laplace: nodes that are left out or bounded, at many steps") {
  const PrecisionScope scope(1000);
  const std::string spec = sampled_power("1", "0.3", "60");
  for (const Direction direction : both_directions) {
    const Ball truth = delta_to_60_digits(spec, direction, 2);
    for (const std::uint64_t nodes : {1UL, 2UL, 3UL, 5UL}) {
      if (direction == Direction::add && nodes % 2 == 1 && !slow_tests()) continue;
      SpoiltSampledLine line(spec, direction, 2);
      line.choice().nodes = nodes;
      CHECK_BAND_HOLDS(line.delta(), truth);
    }
    for (const std::size_t part : {2UL, 3UL}) {
      SpoiltSampledLine line(spec, direction, 2, 100);
      CHECK(line.choice().orders > 20);
      line.choice().orders /= part;
      CHECK_BAND_HOLDS(line.delta(), truth);
    }
    for (const std::uint64_t direct : {1UL, 2UL}) {
      SpoiltSampledLine line(spec, direction, 2);
      line.choice().parts = 0;
      line.choice().orders = 0;
      line.choice().direct = direct;
      CHECK_BAND_HOLDS(line.delta(), truth);
    }
  }
}

TEST_CASE("sampled Laplace: parameters that are no use are noticed, not trusted") {
  const PrecisionScope scope(1000);
  const std::string spec = sampled_power("1", "0.1", "20");
  const Ball truth = delta_to_60_digits(spec, Direction::remove, 1);
  SpoiltSampledLine far(spec, Direction::remove, 1);
  far.choice().t = 4000;  // beyond what the powers of 1/j reach
  CHECK_BAND_HOLDS(far.delta(), truth);
  SpoiltSampledLine wide(spec, Direction::remove, 1);
  wide.choice().rule.ellipse = 9;  // a singularity of log f is inside
  const Enclosure band = wide.delta();
  CHECK_BAND_HOLDS(band, truth);
  CHECK_FALSE(reached(band, 1));
  SpoiltSampledLine narrow_line(spec, Direction::remove, 1);
  narrow_line.choice().kappa = 1;  // the circle of the expansion reaches the nodes
  CHECK_BAND_HOLDS(narrow_line.delta(), truth);
  CHECK_FALSE(reached(narrow_line.delta(), 1));
  const auto refused = [&](auto&& spoil) {
    SpoiltSampledLine line(spec, Direction::remove, 1);
    spoil(line.choice());
    CHECK_THROWS_AS(line.delta(), std::domain_error);
  };
  refused([](SampledChoice& choice) { ++choice.classes; });
  refused([](SampledChoice& choice) { choice.t = 0; });
  refused([](SampledChoice& choice) { choice.direct = 0; });
  refused([](SampledChoice& choice) { choice.nodes = (choice.classes + 1) / 2; });
  refused([](SampledChoice& choice) {
    choice.parts = 2;
    choice.orders = 0;
  });
}

TEST_CASE("what the sampled line refuses, and terms of one law") {
  const auto refuses = [](const std::string& spec) {
    return accountant("sampled_laplace")->refusal(loss_from(spec, Direction::remove)).has_value();
  };
  CHECK(refuses("laplace(scale=1)"));
  CHECK(refuses("poisson(laplace(scale=1), rate=1)"));
  CHECK(refuses("poisson(gaussian(sigma=1), rate=0.1)"));
  CHECK(refuses("poisson(laplace(1), 0.1) * poisson(laplace(1), 0.2)"));
  CHECK(refuses("poisson(laplace(1), 0.1) * poisson(laplace(2), 0.1)"));
  CHECK(refuses("poisson(laplace(1), 0.1) * laplace(1)"));
  CHECK_FALSE(refuses("poisson(laplace(1), 0.1)^1000000"));
  const Enclosure one = line_curve("poisson(laplace(2), 0.02)^40", Direction::add, 20)->delta(0);
  const Enclosure other =
      line_curve(
          "poisson(laplace(2), 0.02)^15 * poisson(poisson(laplace(4, sensitivity=2), 0.1), "
          "0.2)^25",
          Direction::add, 20)
          ->delta(0);
  CHECK_BANDS_OVERLAP(one, other);
  CHECK(reached(other, 20));
}
