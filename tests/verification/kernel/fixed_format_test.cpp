// The emulation of the kernel's integers against numbers computed by hand, and against exact sums.
#include "verification/kernel/fixed_format.hpp"

#include <doctest/doctest.h>

#include "lib/exact/rational.hpp"

using namespace plaudit;
using namespace plaudit::kernel;

namespace {

Weights weights(std::initializer_list<long> list) {
  Weights result;
  for (const long x : list) result.emplace_back(x);
  return result;
}

const WindowChooser all{[](long, const Weights&, std::optional<long>) {
                          return Window{0, 1000, 0};
                        },
                        [](const Weights& c) { return static_cast<long>(c.size()); }};

}  // namespace

TEST_CASE("rounding goes up and down for either sign") {
  CHECK(up(2, 5) == 2);
  CHECK(up(2, 8) == 2);
  CHECK(up(2, -5) == -1);
  CHECK(down(2, 5) == 1);
  CHECK(down(2, -5) == -2);
}

TEST_CASE("powers of rho = 3/4 by hand") {
  // 64 -> 48 -> 36 -> 27; 27 loses 7 (up) or 6 (down).
  CHECK(low_power(2, 8, 3, 64) == 27);
  CHECK(high_power(2, 8, 3, 64) == 27);
  CHECK(low_power(2, 8, 4, 64) == 20);
  CHECK(high_power(2, 8, 4, 64) == 21);
}

TEST_CASE("many steps at once, by powers of rho, lie around the steps one by one") {
  const Integer one = Integer(1) << 60;
  Integer below = one;
  Integer above = one;
  for (int i = 0; i < 1000; ++i) {
    below = low_power(8, 60, 1, below);
    above = high_power(8, 60, 1, above);
  }
  const Integer low = low_power(8, 60, 1000, one);
  const Integer high = high_power(8, 60, 1000, one);
  CHECK(low < high);
  CHECK(low <= above);
  CHECK(below <= high);
  CHECK(high - low < 1000);
}

TEST_CASE("products of lists, by one big product") {
  CHECK(convolved(weights({1, 2}), weights({3, 4, 5})) == weights({3, 10, 13, 10}));
  CHECK(convolved(weights({0, 1, 0}), weights({0, 7, 0, 0})) == weights({0, 0, 7}));
  CHECK(convolved({}, weights({1})).empty());
  const Integer big = Integer(1) << 200;
  CHECK(convolved({big, big}, {big})[1] == big * big);
}

TEST_CASE("every other place, up: the odd weight goes to both sides") {
  const FixedFormat format(Mode::up, 2, 4, 6);
  // low = 48, share = 4096 / 112 + 1 = 37: of 8 the greater loss gets ceil(8 * 37 / 64) = 5.
  CHECK(format.wider(1, weights({1, 8, 2})) == weights({4, 7}));
  CHECK(format.wider(1, weights({1, 8})) == weights({4, 5}));
  CHECK(format.wider(1, weights({3})) == weights({3}));
}

TEST_CASE(
    "every other place, down: from the right, what joins the greater loss is at most r times what "
    "came") {
  const FixedFormat format(Mode::down, 2, 4, 6);
  // From the right: (2, 8): 8 goes left; then (5, 9): min(9, floor(8 * 48 / 64)) = 6 joins the
  // right.
  CHECK(format.wider(1, weights({5, 9, 2, 8})) == weights({8, 16, 0}));
  CHECK(format.wider(1, weights({1, 8, 2})) == weights({9, 2}));
}

TEST_CASE("sums and beginnings of lists") {
  const FixedFormat format(Mode::up, 2, 4, 6);
  CHECK(format.joined(2, {3, weights({1, 1})}, {7, weights({5})}) ==
        std::pair{3L, weights({1, 1, 5})});
  CHECK(format.joined(2, {7, weights({5})}, {3, weights({1})}) ==
        std::pair{3L, weights({1, 0, 5})});
  CHECK(format.joined(2, {7, {}}, {4, weights({1})}) == std::pair{4L, weights({1})});
  CHECK_THROWS_AS(format.joined(2, {3, weights({1})}, {4, weights({1})}), std::domain_error);
  CHECK(format.started(2, weights({1, 2, 3, 4})) == std::pair{2L, weights({6, 4})});
  CHECK(FixedFormat(Mode::down, 2, 4, 6).started(2, weights({1, 2, 3})) ==
        std::pair{2L, weights({3})});
  CHECK(format.started(3, weights({1, 2, 3})) == std::pair{0L, weights({1, 2, 3})});
}

TEST_CASE("a product of laws has the product of their masses, up to rounding to its side") {
  for (const Mode mode : {Mode::up, Mode::down}) {
    const FixedFormat format(mode, 4, 10, 12);
    LatticeBound law;
    law.levels = 1;
    law.offset = -2;
    law.fine = weights({100, 300, 200, 150});
    law.offset_coarse = 2;
    law.coarse = weights({120, 90});
    law.infinite = 64;
    Window chosen;
    const LatticeBound two = format.times(law, law, false, all, chosen);
    CHECK(two.offset == -4);
    const Integer mass = two.mass() + two.infinite;
    CHECK(chosen.length_coarse == static_cast<long>(two.coarse.size()));
    if (mode == Mode::up) {
      CHECK(mass >= 1024);
      CHECK(mass < 1024 + 20);
    } else {
      CHECK(mass <= 1024);
      CHECK(mass > 1024 - 20);
    }
    const LatticeBound wide = format.widened(two);
    CHECK(wide.stride == 2);
    CHECK(wide.levels == 0);
    CHECK(wide.mass() == two.mass());
    CHECK(format.widened(wide).wide() == 4);
  }
}

TEST_CASE("the value of a law at a place") {
  const FixedFormat format(Mode::up, 2, 4, 6);
  // 2^6 = 64: places 80, 60, 45: 2 * 4 + 3 * 19.
  CHECK(format.value(1, 80, weights({1, 2, 3})) == 65);
}

TEST_CASE("first places hold the power of rho between two numbers") {
  const FixedFormat format(Mode::up, 8, 40, 60);
  for (const long j : {0L, -1L, -17L, -900L}) {
    const Place place = format.first_place(j);
    CHECK(place.at == j);
    CHECK(high_power(8, 60, -j, place.from) <= Integer(1) << 60);
    CHECK(low_power(8, 60, -j, place.upto) >= Integer(1) << 60);
    CHECK(place.upto - place.from < 10 * (10 - j));
    CHECK(format.moved(place, 5).at == 5);
  }
}
