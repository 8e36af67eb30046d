// Intervals against MPFR's own functions at more bits.
#include "accountants/proof/arithmetic/intervals.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <thread>
#include <vector>

#include "accountants/proof/arithmetic/narrow_intervals.hpp"
#include "lib/exact/checked_integer.hpp"

using namespace plaudit;
using proof::Interval;

TEST_CASE("the tail of the normal law encloses erfc, closely, at every precision and place") {
  for (const long bits : {32L, 53L, 100L, 256L, 700L}) {
    for (const double x :
         {-40.0, -3.0, 0.0, 0.5, 2.9, 3.1, 4.0, 6.5, 9.0, 13.0, 27.0, 81.0, 700.0}) {
      CAPTURE(bits);
      CAPTURE(x);
      const Interval found = [&] {
        const PrecisionScope scope(bits);
        return proof::normal_tail(Interval(checked_rational(x, "x")));
      }();
      const PrecisionScope scope(2 * bits + 128);
      const Interval root = Interval(checked_rational(x, "x")) / proof::sqrt(Interval(2));
      Interval low;
      mpfr_erfc(&low.data()->left, root.high(), MPFR_RNDD);
      mpfr_erfc(&low.data()->right, root.low(), MPFR_RNDU);
      const Interval truth = proof::half(low);
      CHECK(mpfr_lessequal_p(found.low(), truth.low()) != 0);
      CHECK(mpfr_lessequal_p(truth.high(), found.high()) != 0);
      CHECK(proof::at_most(
          proof::scaled(proof::half_width(found),
                        bits - 16 - 2 * static_cast<long>(std::log2(2 + std::abs(x)))),
          proof::top(found)));
    }
  }
}

TEST_CASE("the fraction of the tail encloses it with any number of terms, the closer the more") {
  const PrecisionScope scope(100);
  for (const long x : {1L, 3L, 4L, 20L, 100L}) {
    const Interval truth = [x] {
      const PrecisionScope more(400);
      return proof::normal_density(Interval(x)) / proof::normal_tail(Interval(x));
    }();
    Interval before = proof::fraction_of_tail(Interval(x), 0);
    for (const long n : {1L, 2L, 3L, 8L, 13L}) {
      CAPTURE(x);
      CAPTURE(n);
      const Interval found = proof::fraction_of_tail(Interval(x), n);
      CHECK(proof::at_most(proof::bottom(found), truth));
      CHECK(proof::at_most(truth, proof::top(found)));
      CHECK(proof::below(proof::half_width(found), proof::half_width(before)));
      before = found;
    }
  }
}

TEST_CASE("the tail over an interval encloses that of both ends, and of ends at infinity") {
  const PrecisionScope scope(100);
  const Interval wide = proof::hull(Interval(4), Interval(9));
  const Interval found = proof::normal_tail(wide);
  CHECK(proof::at_most(proof::bottom(found), proof::bottom(proof::normal_tail(Interval(9)))));
  CHECK(proof::at_most(proof::top(proof::normal_tail(Interval(4))), proof::top(found)));
  const Interval next_to_zero = proof::normal_tail(proof::hull(Interval(-1), Interval(2)));
  for (const int end : {-1, 2}) {
    CHECK(mpfi_is_inside(proof::normal_tail(Interval(end)).data(), next_to_zero.data()) > 0);
  }
  CHECK(proof::at_most(next_to_zero, Interval(Rational(8414, 10000))));  // Phi(1) = 0.84134
  CHECK(proof::at_most(Interval(Rational(227, 10000)), next_to_zero));   // Phi(-2) = 0.02275
  Interval endless(5);
  mpfr_set_inf(&endless.data()->right, 1);
  const Interval rest = proof::normal_tail(endless);
  CHECK(mpfr_sgn(rest.low()) <= 0);
  CHECK(proof::at_most(proof::top(proof::normal_tail(Interval(5))), proof::top(rest)));
}

namespace {

/// [x, x + width 2^-bits |x|], the width in halves so that odd ends occur.
Interval from(double x, long halves, long bits) {
  const Rational least = checked_rational(x, "x");
  const Rational width =
      abs(least) * Rational(halves, 2) / pow(Integer(2), static_cast<unsigned>(bits));
  return proof::hull(Interval(least), Interval(Rational(least + width)));
}

/// Whether `found` encloses f of both ends of x, which rises or falls between them, and is wider by
/// no more than twice the distance of these and two units in the last place.
template <class Function>
void check_enclosed(const Interval& found, const Interval& x, long bits, Function f) {
  const PrecisionScope scope(2 * bits + 200);
  Interval truth = proof::hull(f(proof::bottom(x)), f(proof::top(x)));
  CHECK(mpfr_lessequal_p(found.low(), truth.low()) != 0);
  CHECK(mpfr_lessequal_p(truth.high(), found.high()) != 0);
  const Interval distance = proof::top(truth) - proof::bottom(truth);
  const Interval width = proof::top(found) - proof::bottom(found);
  const Interval units = proof::scaled(proof::top(proof::abs(truth)), 2 - bits);
  CHECK(proof::at_most(width, 2 * distance + units));
}

}  // namespace

TEST_CASE("narrow intervals: one value and a slope enclose what both ends give, closely") {
  for (const long bits : {53L, 130L, 400L}) {
    for (const long halves : {0L, 2L, 3L, 1000L, 123457L}) {
      for (const double size : {1e-30, 0.01, 0.5, 1.0, 1.5, 2.5, 3.0, 40.25, 700.0, 5e8}) {
        for (const double x : {size, -size}) {
          CAPTURE(bits);
          CAPTURE(halves);
          CAPTURE(x);
          const PrecisionScope scope(bits);
          const Interval around = from(x, halves, bits - 1);
          check_enclosed(proof::exp(around), around, bits,
                         [](const Interval& y) { return proof::exp(y); });
          const proof::Complex angle = proof::log(proof::Complex{1, around});
          check_enclosed(angle.im, around, bits, [](const Interval& y) {
            Interval result;
            mpfi_atan(result.data(), y.data());
            return result;
          });
          check_enclosed(proof::expm1(around), around, bits,
                         [](const Interval& y) { return proof::expm1(y); });
          if (const auto tail = proof::narrow_erfc(around); tail && size < 100) {
            check_enclosed(*tail, around, bits, [](const Interval& y) {
              Interval result;
              mpfr_erfc(&result.data()->left, y.high(), MPFR_RNDD);
              mpfr_erfc(&result.data()->right, y.low(), MPFR_RNDU);
              return result;
            });
          }
          if (x > 0) {
            check_enclosed(proof::log(around), around, bits,
                           [](const Interval& y) { return proof::log(y); });
          }
        }
      }
    }
  }
}

TEST_CASE("narrow angles: cosine and sine enclose MPFI's own, which takes both ends") {
  for (const long bits : {53L, 130L, 400L}) {
    for (const long halves : {0L, 1L, 2L, 3L, 1001L, 123457L}) {
      for (const double size : {0.0, 1e-30, 0.3, 1.570796, 3.14159, 5.0, 1e6, 1e18}) {
        for (const double x : {size, -size}) {
          CAPTURE(bits);
          CAPTURE(halves);
          CAPTURE(x);
          const PrecisionScope scope(bits);
          const Interval around = from(x, halves, bits + 3);
          const auto [cosine, sine] = proof::cosine_and_sine(around);
          const PrecisionScope more(2 * bits + 200);
          CHECK(mpfi_is_inside(proof::cos(around).data(), cosine.data()) > 0);
          CHECK(mpfi_is_inside(proof::sin(around).data(), sine.data()) > 0);
          const Interval most = proof::top(around) - proof::bottom(around);
          const auto slack = [&](const Interval& value) {
            return 2 * most + proof::scaled(proof::top(proof::abs(value)), 2 - bits);
          };
          CHECK(proof::at_most(proof::half_width(cosine), slack(cosine)));
          CHECK(proof::at_most(proof::half_width(sine), slack(sine)));
        }
      }
    }
  }
}

TEST_CASE("numbers of other precisions, and of threads that end, leave their memory in order") {
  std::vector<Interval> kept;
  for (const long bits : {700L, 64L, 32L, 300L}) {
    const PrecisionScope scope(bits);
    for (int i = 0; i < 100; ++i) kept.push_back(Interval(Rational(1, 3)));
    for (const Interval& each : kept) CHECK(mpfr_get_prec(each.high()) >= 32);
    CHECK(mpfr_get_prec(kept.back().low()) == bits);
    if (bits != 64) kept.clear();
    std::thread([&kept] { kept.push_back(proof::exp(Interval(1))); }).join();
    CHECK(mpfr_get_prec((Interval(2) * kept.back()).low()) == bits);
  }
}

TEST_CASE("what is exact stays exact: exp 0, log 1, the turn by 0") {
  const PrecisionScope scope(100);
  const auto is = [](const Interval& x, long n) {
    return mpfr_cmp_si(x.low(), n) == 0 && mpfr_cmp_si(x.high(), n) == 0;
  };
  CHECK(is(proof::exp(Interval(0)), 1));
  CHECK(is(proof::expm1(Interval(0)), 0));
  CHECK(is(proof::log(Interval(1)), 0));
  const proof::Complex turn = proof::turned(Interval(0));
  CHECK(is(turn.re, 1));
  CHECK(is(turn.im, 0));
}
