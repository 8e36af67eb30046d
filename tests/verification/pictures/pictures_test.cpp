// The parts of pictures: texts, ticks, labels, and what is drawn of a refuted claim.
#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <string>

#include "verification/pictures/axis.hpp"
#include "verification/pictures/canvas.hpp"
#include "verification/pictures/claim_picture.hpp"
#include "verification/pictures/comparison_picture.hpp"
#include "verification/pictures/escaped.hpp"

namespace plaudit::pictures {

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t number_of(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

}  // namespace

TEST_CASE("texts are cut and broken at whole characters") {
  CHECK(escaped("a<b>&\"c\"\x01\xff") == "a&lt;b&gt;&amp;&quot;c&quot;  ");
  CHECK(escaped("\u202e\u2067") == "      ");  // no reordering of what follows
  CHECK(shortened("abcdef", 6) == "abcdef");
  CHECK(shortened("abcdefg", 6) == "abcde\u2026");
  CHECK(shortened("\u00e4\u00f6\u00fc\u00df", 3) == "\u00e4\u00f6\u2026");
  CHECK(broken("one*two three", 8, 3) == std::vector<std::string>{"one*two ", "three"});
  CHECK(broken("abcdefghij", 4, 2) == std::vector<std::string>{"abcd", "efg\u2026"});
  CHECK(broken("", 4, 2).empty());
  CHECK(text_width("mmmm") > text_width("iiii"));
}

TEST_CASE("ticks are round, in the axis, no more than asked for, and told apart") {
  for (const auto& [low, high] :
       {std::pair(0.0, 1.0), std::pair(-3.0, 7.5), std::pair(2.0858, 2.0859), std::pair(1e-9, 3e-9),
        std::pair(0.0, 1e300), std::pair(5.0, 5.0)}) {
    for (const bool logarithmic : {false, true}) {
      for (const int most : {1, 3, 9}) {
        const Axis axis = drawable({"x", low, high, logarithmic});
        const std::vector<Tick> all = ticks(axis, most);
        CHECK(all.size() <= static_cast<std::size_t>(most) + 1);
        std::set<std::string> words;
        for (const Tick& tick : all) {
          CHECK(std::isfinite(tick.place));
          const double slack = 1e-6 * (axis.high - axis.low);
          CHECK(tick.place >= axis.low - slack);
          CHECK(tick.place <= axis.high + slack);
          words.insert(tick.words);
        }
        CHECK(words.size() == all.size());
      }
    }
  }
  const auto words_of = [](const std::vector<Tick>& all) {
    std::string text;
    for (const Tick& tick : all) text += tick.words + ' ';
    return text;
  };
  CHECK(words_of(ticks({"x", 0, 1, false}, 6)) == "0 0.2 0.4 0.6 0.8 1 ");
  CHECK(words_of(ticks({"x", -10, -4, true}, 3)) == "1e-10 1e-8 1e-6 1e-4 ");
  CHECK(words_of(ticks({"x", -1e-7, 1e-7, false}, 5)) == "\u22121e-7 \u22125e-8 0 5e-8 1e-7 ");
  CHECK(words_of(ticks({"x", 0, 1, true}, 5)) == "2 4 6 8 10 ");
}

TEST_CASE("labels avoid what is there, and are left out where there is no room") {
  Canvas canvas(100, 100);
  CHECK(canvas.label(50, 50, {0, 0, 100, 100}, "one"));
  CHECK(canvas.label(50, 50, {0, 0, 100, 100}, "two"));
  CHECK_FALSE(canvas.label(50, 50, {0, 0, 100, 100}, "too long for this picture"));
  canvas.occupy({0, 0, 100, 100});
  CHECK_FALSE(canvas.label(50, 50, {0, 0, 100, 100}, "x"));
}

TEST_CASE("a gap is drawn however small it is") {
  ClaimPicture picture;
  picture.axis = "epsilon";
  picture.claim = "claimed <= 2";
  picture.certified = "certified 2.0...";
  picture.gap = "gap";
  picture.badge = {"refuted", Shape::cross};
  picture.values = {Rational(2)};
  picture.most = Rational(2);
  for (const char* above : {"1e-200", "1e-40", "1e-3", "10", "1e30"}) {
    picture.lower = 2 + parse_rational(above);
    picture.upper = *picture.lower + parse_rational(above) / 100;
    const std::string svg = claim_svg(picture, "title");
    const std::size_t place = svg.find("class=\"gap distance\" d=\"M");
    REQUIRE(place != std::string::npos);
    double from = 0;
    double to = 0;
    double y = 0;
    REQUIRE(std::sscanf(svg.c_str() + place, "class=\"gap distance\" d=\"M%lf %lfL%lf", &from, &y,
                        &to) == 3);
    CHECK(to - from > 30);
    CHECK(from > 0);
    CHECK(to < claim_picture_width);
    CHECK(contains(svg, "mark claim refuted"));
  }
  CHECK(claim_svg({}, "nothing").empty());
}

TEST_CASE("in a comparison the refuted are marked, with the gap to the strip") {
  ComparisonPicture picture{"spec", "epsilon at delta = 1e-5", "", "adjacency", "epsilon", {}, {}};
  picture.intervals = {{"a", Standing::certified, 2, 2.1, "width"},
                       {"b", Standing::certified, 2.05, HUGE_VAL, "no upper end"},
                       {"c", Standing::estimate, 2.07, 2.07, "estimate"},
                       {"d", Standing::claimed, 1, 3, "claims a band"},
                       {"liar", Standing::refuted, 1, 1, "off by 1"}};
  for (const double width : {320.0, 800.0}) {
    const std::string svg = compare_svg(picture, width);
    CHECK(number_of(svg, "mark refuted") == 2);  // one of them in the key
    CHECK(number_of(svg, "gap distance") == 1);
    CHECK(number_of(svg, "certified band") == 1);
    CHECK(contains(svg, "off by 1"));
  }
  picture.intervals.push_back({"other", Standing::certified, 5, 6, "disjoint"});
  CHECK(number_of(compare_svg(picture, 800), "certified band") == 0);
  picture.intervals.clear();
  CHECK_NOTHROW(compare_svg(picture, 800));
}

}  // namespace plaudit::pictures
