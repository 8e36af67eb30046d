// The law of the loss of random allocation: distribution functions, their errors, identities.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "lib/balls/precision.hpp"
#include "mechanisms/allocation/allocation_loss.hpp"
#include "tests/support/random.hpp"
#include "tests/support/sabotage.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

/// V normal with the mean -v/2 and the variance v: A(w) = e^(v w (w - 1) / 2).
class NormalLaw : public AllocationTails::Law {
 public:
  explicit NormalLaw(Rational variance) : variance_(std::move(variance)) {}
  Ball moment(const Ball& r, double) const override {
    return exp(ldexp(Ball(variance_) * r * (r - Ball(1)), -1));
  }
  std::vector<ComplexBall> on_line(const Ball& r, const Ball& step, std::size_t count,
                                   double) const override {
    std::vector<ComplexBall> values;
    for (std::size_t k = 0; k < count; ++k) {
      const ComplexBall w(r, -(step * Ball(static_cast<std::uint64_t>(k))));
      values.push_back(exp(ComplexBall(ldexp(Ball(variance_), -1)) * w * (w - ComplexBall(1))));
    }
    return values;
  }
  Ball decay() const override { return ldexp(Ball(variance_), -1); }
  CumulantEstimate estimate(double r) const override {
    const double v = plaudit::estimate(variance_);
    return {v * r * (r - 1) / 2, v * (r - 0.5), v};
  }
  /// P(V <= x) under e^(eV).
  Ball below(const Ball& x, int e) const {
    const Ball v(variance_);
    return normal_cdf((x + (e == 0 ? ldexp(v, -1) : -ldexp(v, -1))) / sqrt(v));
  }

 private:
  Rational variance_;
};

int missed_by_the_loss(int cases, int enough = all_of_them) {
  Random random(8);
  int count = 0;
  for (int i = 0; i < cases && count < enough; ++i) {
    const NormalLaw law(Rational(random.integer(1, 40), 10));
    const AllocationTails tails(law);
    const double deviation = std::sqrt(law.estimate(0).variance);
    AllocationTails::Choice choice;
    do {
      choice.r = random.uniform(-3, 4);
    } while (std::fabs(choice.r) < 0.1 || std::fabs(choice.r - 1) < 0.1);
    const double period = deviation * random.uniform(2.5, 9);
    choice.step = 6.283185307179586 / period;
    choice.count = static_cast<std::size_t>(
        2 + period / deviation * (random.one_in(2) ? random.uniform(0.2, 1) : 2.5));
    choice.right = std::max(1.0, choice.r + random.uniform(0.1, 2));
    choice.left = std::min(0.0, choice.r - random.uniform(0.1, 2));
    choice.nats = 60;
    const PrecisionScope scope(128);
    const Ball x(law.estimate(choice.r).mean + deviation * random.uniform(-1, 1));
    const AllocationTails::Both both = tails.at(x, choice);
    const Ball plain = law.below(x, 0);
    const Ball tilted = law.below(x, 1);
    if (!overlaps(both.plain.below, plain) || !overlaps(both.tilted.below, tilted) ||
        !overlaps(both.plain.above, Ball(1) - plain) ||
        !overlaps(both.tilted.above, Ball(1) - tilted)) {
      ++count;
    }
  }
  return count;
}

AllocationLoss loss_of(const char* squared_rate, std::vector<AllocationBlocks> blocks,
                       Direction direction) {
  return {parse_rational(squared_rate), std::move(blocks), direction};
}

}  // namespace

TEST_CASE("distribution functions contain the truth, and not without one of their errors") {
  CHECK(missed_by_the_loss(200) == 0);
  for (const char* term : {"allocation.tail_right_alias", "allocation.tail_left_alias",
                           "allocation.tail_nodes_left_out"}) {
    const Scaled left_out(term, 0);
    INFO(std::string(term));
    CHECK(missed_by_the_loss(200, 1) > 0);
  }
}

TEST_CASE("distribution functions of a normal law, far into both tails") {
  const PrecisionScope scope(100);
  for (const char* variance : {"0.0001", "1", "9"}) {
    const NormalLaw law(parse_rational(variance));
    const AllocationTails tails(law);
    const double deviation = std::sqrt(law.estimate(0).variance);
    for (double x = -12; x <= 12; x += 1.5) {
      const Ball at(x * deviation);
      const AllocationTails::Both both = tails.at(at);
      INFO("variance ", std::string(variance), ", x ", x);
      CHECK(overlaps(both.plain.below, law.below(at, 0)));
      CHECK(overlaps(both.tilted.below, law.below(at, 1)));
      if (x < -2) CHECK(both.plain.below.relative_accuracy_bits() > 60);
      if (x > 2) CHECK(both.tilted.above.relative_accuracy_bits() > 60);
    }
  }
}

TEST_CASE("one step is a Gaussian, blocks of one step are composed ones") {
  const PrecisionScope scope(100);
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const AllocationLoss three = loss_of("0.25", {{1, 3}}, direction);
    const NormalLaw law(Rational(3, 4));
    for (const double x : {-1.0, 0.25, 2.0}) {
      // L is normal with the mean v/2 under P, in both directions
      CHECK(overlaps(three.p_above(Ball(x)), Ball(1) - law.below(Ball(x), 1)));
      CHECK(overlaps(three.q_above(Ball(x)), Ball(1) - law.below(Ball(x), 0)));
      CHECK(three.p_above(Ball(x)).relative_accuracy_bits() > 60);
    }
    CHECK(overlaps(three.log_mgf(Ball(0.5)), Ball(0.75) * Ball(0.375)));
  }
}

TEST_CASE("delta of two steps against published digits") {
  // 1-D integrals in the difference of the two outcomes, by other means
  const PrecisionScope scope(160);
  const struct {
    const char* squared_rate;
    double epsilon;
    const char* remove;
    const char* add;
  } cases[] = {{"1", 1, "0.05920650108589265327872", "0.05019766236948823635283"},
               {"4", 2, "0.23232134345906371040885", "0.1864491483881924911693"}};
  for (const auto& each : cases) {
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const char* digits = direction == Direction::remove ? each.remove : each.add;
      const Ball value = loss_of(each.squared_rate, {{2, 1}}, direction).delta(Ball(each.epsilon));
      INFO(std::string(digits));
      CHECK(certainly_less(abs(value - Ball(parse_rational(digits))), Ball(1e-21)));
    }
  }
}

TEST_CASE("one epoch by its transform and by its moments") {
  const PrecisionScope scope(64);
  for (const std::uint64_t steps : {10U, 100U}) {
    const AllocationMoments moments(Rational(1), steps);
    const AllocationEpoch epoch(Rational(1), steps);
    class Moments final : public AllocationTails::Law {
     public:
      explicit Moments(const AllocationMoments& of) : of_(of) {}
      Ball moment(const Ball& r, double nats) const override { return of_.on_axis(r, nats); }
      std::vector<ComplexBall> on_line(const Ball& r, const Ball& step, std::size_t count,
                                       double nats) const override {
        return of_.on_line(r, step, count, nats).values;
      }
      Ball decay() const override { return -of_.bounds().log_decay(Ball(1)); }
      CumulantEstimate estimate(double r) const override { return of_.estimate(r); }

     private:
      const AllocationMoments& of_;
    };
    const Moments law(moments);
    const AllocationTails tails(law);
    for (const double x : {-0.5, 0.0, 0.125, 1.0}) {
      const AllocationTails::Both both = tails.at(Ball(x));
      const AllocationEpoch::Below below = epoch.at(Ball(x));
      INFO(steps, " steps, x ", x);
      CHECK(overlaps(both.plain.below, below.plain));
      CHECK(overlaps(both.tilted.below, below.tilted));
      CHECK(below.tilted.radius_double() < 1e-17);
      CHECK(both.tilted.below.radius_double() < 1e-17);
    }
  }
}

TEST_CASE("the two directions are one law") {
  // delta_remove(eps) = 1 - e^eps + e^eps delta_add(-eps)
  const PrecisionScope scope(100);
  for (const std::uint64_t steps : {2U, 30U, 1000U}) {
    const AllocationLoss remove = loss_of("1", {{steps, 1}}, Direction::remove);
    const AllocationLoss add = loss_of("1", {{steps, 1}}, Direction::add);
    for (const double epsilon : {0.05, 0.5}) {
      const Ball e(epsilon);
      const Ball other = exp(e) * add.delta(-e) - expm1(e);
      INFO(steps, " steps, epsilon ", epsilon);
      CHECK(overlaps(remove.delta(e), other));
      CHECK(remove.delta(e).radius_double() < 1e-20);
      CHECK(overlaps(remove.log_mgf(Ball(-1.5)), add.log_mgf(Ball(0.5))));
    }
  }
}

TEST_CASE("unequal blocks: moments multiply, bounds beyond a height hold") {
  const PrecisionScope scope(100);
  const AllocationLoss blocks = loss_of("1", {{4, 2}, {3, 1}}, Direction::remove);
  const AllocationLoss four = loss_of("1", {{4, 1}}, Direction::remove);
  const AllocationLoss three = loss_of("1", {{3, 1}}, Direction::remove);
  for (const double t : {-2.5, 0.5, 1.75}) {
    CHECK(overlaps(blocks.log_mgf(Ball(t)),
                   ldexp(four.log_mgf(Ball(t)), 1) + three.log_mgf(Ball(t))));
    const LineValues line = blocks.mgf_on_line(Ball(t), Ball(1), 6, 40);
    for (const std::size_t k : {0U, 2U, 5U}) {
      const ComplexBall z(Ball(t), Ball(static_cast<long>(k)));
      CHECK(overlaps(line.values[k], exp(blocks.log_mgf(z))));
      CHECK(certainly_less_equal(abs(line.values[k]).lower(),
                                 blocks.mgf_bound_beyond(Ball(t), Ball(static_cast<long>(k)), 30)));
    }
  }
}

TEST_CASE("lines of tails where the variance is estimated as 0, or not at all") {
  class Estimated final : public NormalLaw {
   public:
    explicit Estimated(double variance) : NormalLaw(Rational(1)), variance_(variance) {}
    CumulantEstimate estimate(double r) const override {
      CumulantEstimate right = NormalLaw::estimate(r);
      right.variance = variance_;
      return right;
    }

   private:
    double variance_;
  };
  const Estimated none(0);  // the variance is at least twice the exponent of the decay
  const Ball above = AllocationTails(none).at(Ball(1)).plain.above;
  CHECK(overlaps(above, Ball(1) - none.below(Ball(1), 0)));
  CHECK(above.radius_double() < 1e-9);
  const Estimated unknown(std::nan(""));  // then all that is known is that masses are in [0, 1]
  const Ball anything = AllocationTails(unknown).at(Ball(1)).plain.above;
  CHECK(contains(anything, Ball(0)));
  CHECK(contains(anything, Ball(1)));
  const AllocationTails::Choice endless{0.5, HUGE_VAL, 4, 2, -1, 60};
  CHECK_THROWS_AS(AllocationTails(none).at(Ball(1), endless), std::domain_error);
}

TEST_CASE("the loss of two steps far out, at an order whose variance sums of doubles lose") {
  const PrecisionScope scope(95);
  const Ball epsilon(parse_rational("66.264"));
  const Ball delta = loss_of("250000/44521", {{2, 1}}, Direction::remove).delta(epsilon);
  // int phi(y) E (X - (2 e^epsilon - e^(ay - a^2/2)))_+ dy, of the greater X; mpmath, 400 digits
  const Ball truth(parse_rational("8.661078950595155569959401e-163"));
  CHECK(certainly_less(abs(delta - truth), Ball(parse_rational("1e-175"))));
}

TEST_CASE("distribution functions beyond all but the last lines, of orders longer than 16 bits") {
  const PrecisionScope scope(100);
  const NormalLaw law(parse_rational("0.0001"));
  const AllocationTails tails(law);
  for (const double x : {20, 50, -50, 100, -100}) {
    CAPTURE(x);
    const AllocationTails::Both both = tails.at(Ball(x));
    CHECK(overlaps(both.plain.below, law.below(Ball(x), 0)));
    CHECK(overlaps(both.tilted.below, law.below(Ball(x), 1)));
    CHECK(both.plain.below.radius_double() < 1e-9);
    CHECK(both.tilted.below.radius_double() < 1e-9);
  }
}
