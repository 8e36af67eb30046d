// Mechanisms and accountants that are added at run time, by the public headers alone.
#include <plaudit/catalogue.hpp>
#include <plaudit/extend.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <thread>

using plaudit::Band;
using plaudit::Composition;
using plaudit::Direction;
using plaudit::Interval;
using plaudit::interval;
using plaudit::Number;
namespace extend = plaudit::extend;

namespace {

/// Laplace noise, stated anew: what `laplace(scale)` says is held against it.
class LaplaceLaw : public extend::Law {
 public:
  explicit LaplaceLaw(Number scale) : scale_(std::move(scale)) {}
  Interval p_above(const Interval& x) const override {
    if (x.lower < a().lower && x.lower >= -a().lower) {
      return 1 - exp((x - a()) / 2) / 2;
    }
    return interval(x.lower < 0 ? 1 : 0);
  }
  Interval q_above(const Interval& x) const override {
    if (x.lower < a().lower && x.lower >= -a().lower) return exp(-(x + a()) / 2) / 2;
    return interval(x.lower < 0 ? 1 : 0);
  }
  Interval mass_at_infinity() const override { return interval(0); }
  Interval q_mass() const override { return interval(1); }
  Interval least_loss() const override { return -a(); }
  Interval greatest_loss() const override { return a(); }

 protected:
  /// 1 / scale: the tests use powers of two, at which it is exact.
  Interval a() const { return interval(1) / interval(scale_); }

 private:
  Number scale_;
};

class LaplaceWithMoments final : public LaplaceLaw {
 public:
  using LaplaceLaw::LaplaceLaw;
  bool has_mgf() const override { return true; }
  plaudit::Complex mgf(const plaudit::Complex& z) const override {
    const plaudit::Complex w = z + complex(interval("0.5"));
    const bool zero = w.real.lower == 0 && w.real.upper == 0 && w.imaginary.upper == 0;
    const plaudit::Complex curve = zero ? complex(2 * a()) : (exp(a() * w) - exp(-a() * w)) / w;
    return complex(interval("0.5")) *
           (exp(a() * z) + exp(-a()) * exp(-a() * z) + exp(-a() / 2) / 2 * curve);
  }
};

/// As gaussian(1): nothing but tails, on the whole line.
class GaussianTails final : public extend::Law {
 public:
  Interval p_above(const Interval& x) const override { return normal_cdf(interval("0.5") - x); }
  Interval q_above(const Interval& x) const override { return normal_cdf(-(interval("0.5") + x)); }
  Interval mass_at_infinity() const override { return interval(0); }
  Interval q_mass() const override { return interval(1); }
};

class RandomizedResponse final : public extend::Law {
 public:
  Interval p_above(const Interval& x) const override {
    return x.lower < -1 ? interval(1) : x.lower < 1 ? truth() : interval(0);
  }
  Interval q_above(const Interval& x) const override {
    return x.lower < -1 ? interval(1) : x.lower < 1 ? 1 - truth() : interval(0);
  }
  Interval mass_at_infinity() const override { return interval(0); }
  Interval q_mass() const override { return interval(1); }
  std::vector<extend::Atom> atoms() const override {
    return {{interval(-1), 1 - truth()}, {interval(1), truth()}};
  }
  std::optional<extend::Lattice> lattice() const override { return {{2, -1, {0, 1}}}; }

 private:
  static Interval truth() { return interval(1) / (1 + exp(interval(-1))); }
};

/// Logistic noise of scale 10: no more is stated than the tails, not even where they end.
struct Logistic : extend::Law {
  static Interval a() { return interval("0.1"); }
  static Interval between(const Interval& x, const Interval& inside) {
    ++asked;
    if (certainly_less(x, -a())) return interval(1);
    return certainly_less_equal(a(), x) ? interval(0) : max(min(inside, interval(1)), interval(0));
  }
  static inline std::atomic<long> asked{0};
  Interval p_above(const Interval& x) const override {
    return between(x, expm1((x - a()) / 2) / expm1(-a()));
  }
  Interval q_above(const Interval& x) const override {
    return between(x, expm1((a() - x) / 2) / expm1(a()));
  }
  Interval mass_at_infinity() const override { return interval(0); }
  Interval q_mass() const override { return interval(1); }
};
struct WithMoments final : Logistic {
  bool has_mgf() const override { return true; }
  plaudit::Complex mgf(const plaudit::Complex& z) const override {
    const plaudit::Complex w = z + complex(interval("0.5"));
    const bool zero = w.real.lower == 0 && w.real.upper == 0 && w.imaginary.upper == 0;
    const plaudit::Complex whole = zero ? complex(2 * a()) : (exp(a() * w) - exp(-a() * w)) / w;
    return (exp(-a() / 2) / 2 / (1 - exp(-a()))) * whole;
  }
};

/// A mechanism of a name, of one parameter and a law.
class Named : public extend::Mechanism {
 public:
  using Make = std::function<extend::Laws(const extend::Arguments&)>;
  Named(std::string name, Make make, plaudit::Adjacency adjacency = {"as_stated"})
      : name_(std::move(name)), make_(std::move(make)), adjacency_(std::move(adjacency)) {}
  std::string name() const override { return name_; }
  std::string summary() const override { return "of a test"; }
  std::string theorem() const override { return "none"; }
  std::vector<extend::Parameter> parameters() const override {
    return {{"scale", extend::Domain::positive, "2"}};
  }
  std::string example() const override { return name_ + "()"; }
  plaudit::Adjacency adjacency(const extend::Arguments&) const override { return adjacency_; }
  extend::Laws laws(const extend::Arguments& given) const override { return make_(given); }

 private:
  std::string name_;
  Make make_;
  plaudit::Adjacency adjacency_;
};

void add(const std::string& name, Named::Make make, plaudit::Adjacency adjacency = {"as_stated"}) {
  extend::add(std::make_shared<Named>(name, std::move(make), std::move(adjacency)));
}

extend::Laws laplace_tails(const extend::Arguments& given) {
  return {std::make_shared<LaplaceLaw>(given["scale"])};
}

bool overlap(const Band& a, const Band& b) {
  return a.lower() <= b.upper() && b.lower() <= a.upper();
}

std::string refusal_of(const std::function<void()>& what) {
  try {
    what();
  } catch (const std::invalid_argument& refusal) {
    return refusal.what();
  }
  return "";
}

bool has(const std::string& text, const std::string& words) {
  INFO(text);
  CHECK(text.find(words) != std::string::npos);
  return text.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("a law of tails alone has certified bands by the grids") {
  add("tails", laplace_tails);
  add("tails_of_gaussian",
      [](const extend::Arguments&) { return extend::Laws{std::make_shared<GaussianTails>()}; });
  struct Pair {
    const char* stated;
    const char* ours;
  };
  for (const Pair& pair :
       {Pair{"tails(2)", "laplace(2)"}, Pair{"tails(2)^20", "laplace(2)^20"},
        Pair{"tails(4)^7 * gaussian(2)", "laplace(4)^7 * gaussian(2)"},
        Pair{"tails_of_gaussian()^5", "gaussian(1)^5"},
        Pair{"tails_of_gaussian()^3 * tails(4)", "gaussian(1)^3 * laplace(4)"}}) {
    const Composition stated = plaudit::parse(pair.stated);
    const Composition ours = plaudit::parse(pair.ours);
    for (const char* epsilon : {"0.25", "1.5"}) {
      INFO(pair.stated, " at ", epsilon);
      const Band truth = plaudit::delta(ours, epsilon);
      const Band found = plaudit::delta(stated, epsilon, {.digits = 3});
      CHECK(found.certified());
      CHECK(overlap(truth, found));
      CHECK(found.upper() - found.lower() <= found.upper() * 1e-2);  // its atoms are not stated
      const Band buckets = plaudit::delta(
          stated, epsilon, {.digits = 4, .accountant = "privacy_buckets(buckets=200)"});
      CHECK(overlap(truth, buckets));
      CHECK(buckets.upper() < 1);
    }
    const Band truth = plaudit::epsilon(ours, "1e-3");
    const Band found = plaudit::epsilon(stated, "1e-3", {.digits = 3});
    CHECK(overlap(truth, found));
    CHECK(found.upper() - found.lower() <= found.upper() * 1e-3);
  }
}

TEST_CASE("a law of tails alone has seven digits at a hundred steps, and is asked a few times") {
  add("logistic",
      [](const extend::Arguments&) { return extend::Laws{std::make_shared<Logistic>()}; });
  add("logistic_with_moments",
      [](const extend::Arguments&) { return extend::Laws{std::make_shared<WithMoments>()}; });
  Logistic::asked = 0;
  const Band found = plaudit::epsilon(plaudit::parse("logistic()^100"), "1e-6", {.digits = 7});
  CHECK(found.reached());
  CHECK(Logistic::asked < 200'000);
  const Band truth =
      plaudit::epsilon(plaudit::parse("logistic_with_moments()^100"), "1e-6", {.digits = 7});
  CHECK(overlap(truth, found));
}

TEST_CASE("accountants that need moments say so") {
  const Composition run = plaudit::parse("tails(2)^20");
  for (const char* name :
       {"contour", "moments", "moments_integer", "prv", "saddle_point", "berry_esseen",
        "saddle_point_msd", "saddle_point_clt", "gaussian_limit"}) {
    has(refusal_of([&] { plaudit::epsilon(run, "1e-3", {.accountant = name}); }),
        "needs the moment generating function of every factor; that of tails, of a plug-in");
  }
  for (const char* name : {"basic_composition", "advanced_composition", "optimal_composition"}) {
    INFO(name);
    CHECK(plaudit::epsilon(run, "1e-3", {.accountant = name}).certified());
  }
  has(refusal_of([&] { plaudit::renyi(run, 2); }), "a Renyi divergence needs");
}

TEST_CASE("with its moments a law has the contour") {
  add("with_moments", [](const extend::Arguments& given) {
    return extend::Laws{std::make_shared<LaplaceWithMoments>(given["scale"])};
  });
  for (const char* many : {"^1", "^20", "^1000"}) {
    const Composition stated =
        plaudit::parse(std::string("with_moments(8)") + many + " * gaussian(1)");
    const Composition ours = plaudit::parse(std::string("laplace(8)") + many + " * gaussian(1)");
    const Band truth = plaudit::epsilon(ours, "1e-6");
    const Band found = plaudit::epsilon(stated, "1e-6", {.accountant = "contour"});
    CHECK(found.reached());
    CHECK(overlap(truth, found));
  }
  const Band renyi = plaudit::renyi(plaudit::parse("with_moments(8)"), 3);
  CHECK(overlap(renyi, plaudit::renyi(plaudit::parse("laplace(8)"), 3)));
}

TEST_CASE("atoms on a lattice have all accountants") {
  add("response", [](const extend::Arguments&) {
    return extend::Laws{std::make_shared<RandomizedResponse>()};
  });
  const Composition stated = plaudit::parse("response()^50");
  const Composition ours = plaudit::parse("randomized_response(1)^50");
  const Band truth = plaudit::delta(ours, "10");
  for (const char* name : {"auto", "fourier(mode=lattice)", "contour", "moments"}) {
    INFO(name);
    const Band found = plaudit::delta(stated, "10", {.accountant = name});
    CHECK(found.certified());
    CHECK(overlap(truth, found));
  }
  CHECK(plaudit::delta(stated, "10").reached());
}

TEST_CASE("two laws are two directions, and adjacencies are kept apart") {
  add("lopsided",
      [](const extend::Arguments&) {
        return extend::Laws{std::make_shared<LaplaceLaw>(2), std::make_shared<LaplaceLaw>(4)};
      },
      {"replace", 1, true});
  const Composition run = plaudit::parse("lopsided()");
  CHECK_FALSE(run.symmetric());
  CHECK(run.adjacency().kind == "replace");
  const Band band = plaudit::delta(run, "0.125");
  REQUIRE(band.directions().size() == 2);
  CHECK(band.directions()[0].lower > band.directions()[1].upper);
  has(refusal_of([] { plaudit::parse("lopsided() * poisson(gaussian(1), 0.1)"); }),
      "factors must be for one adjacency: 'lopsided()' is for replace");
  CHECK(plaudit::parse("lopsided() * gaussian(1)").adjacency().kind == "replace");
  has(refusal_of([] { add("nowhere", laplace_tails, {"somewhere"}); }),
      "the adjacency must be add_remove, replace, zero_out or as_stated");
}

TEST_CASE("names and parameters") {
  for (const char* name : {"", "Big", "2nd", "with space", "gaussian", "tails"}) {
    INFO(name);
    CHECK_FALSE(refusal_of([&] { add(name, laplace_tails); }).empty());
  }
  CHECK(plaudit::parse("tails()").spec() == "tails()");
  CHECK(plaudit::parse("tails(scale=2)").spec() == "tails()");
  CHECK(plaudit::parse("tails(0.5)").spec() == "tails(scale=0.5)");
  has(refusal_of([] { plaudit::parse("tails(scale=0)"); }), "scale must be a number > 0, not 0");
  has(refusal_of([] { plaudit::parse("tails(width=1)"); }), "has no parameter");
}

TEST_CASE("an accountant claims, and is believed when it is trusted") {
  class Claims final : public extend::Accountant {
   public:
    std::string name() const override { return "claims"; }
    std::string summary() const override { return "of a test"; }
    extend::ClaimKind claim() const override { return extend::ClaimKind::upper; }
    std::optional<std::string> refusal(const Composition& run, Direction) const override {
      const std::vector<extend::Step> all = extend::steps(run);
      const bool mine = all.size() == 1 && all[0].mechanism.spec() == "tails_of_gaussian()";
      return mine ? std::nullopt : std::optional<std::string>("one factor only, and mine");
    }
    Interval epsilon(const Composition& run, Direction direction, const Number&) const override {
      CHECK(direction == Direction::remove);  // both are alike
      return interval(static_cast<long>(extend::steps(run)[0].count));
    }
  };
  extend::add(std::make_shared<Claims>());
  const Composition run = plaudit::parse("tails_of_gaussian()^9");
  const Band claimed = plaudit::epsilon(run, "1e-5", {.accountant = "claims"});
  CHECK_FALSE(claimed.certified());
  CHECK(claimed.upper() == 9);
  const Band before = plaudit::epsilon(run, "1e-5", {.digits = 3});
  CHECK(before.lower() > 9);
  has(refusal_of([&] { plaudit::delta(run, 1, {.accountant = "claims"}); }),
      "claims (plug-in): it answers no delta");
  has(refusal_of([&] {
        plaudit::epsilon(plaudit::parse("gaussian(1) * laplace(1)"), "0.1",
                         {.accountant = "claims"});
      }),
      "claims: one factor only");

  const plaudit::Comparison all =
      plaudit::compare_epsilon(run, "1e-5", {.digits = 3, .accountants = {"fourier", "claims"}});
  CHECK(all.refuted);
  CHECK_FALSE(all.contradiction);
  CHECK(all.entries[0].verdict == "reached");
  CHECK(all.entries[1].verdict == "refuted by fourier");
  CHECK_FALSE(plaudit::list_accountants().back().certified);
  CHECK(plaudit::list_accountants().back().name == "claims");
  CHECK(plaudit::list_mechanisms().size() > 14);

  extend::trust("claims");
  has(refusal_of([&] { plaudit::epsilon(run, "1e-5", {.digits = 3}); }),
      "a claim that is trusted is refuted: claims [");
  // where it is true it narrows what ours leave wide, and is named
  const Composition one = plaudit::parse("tails_of_gaussian()");
  const Band proven = plaudit::epsilon(one, "0.3");
  CHECK(proven.upper() < 1);
  CHECK(proven.method().find("claims") == std::string::npos);
  const Band wide = plaudit::epsilon(plaudit::parse("pure(0.001)^3"), "1e-9");
  CHECK(wide.upper() < 3);
  CHECK(plaudit::delta(one, 1).certified());  // which it does not answer
}

TEST_CASE("many threads add and parse at once") {
  std::atomic<int> winners{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&winners, i] {
      const std::string own = "thread_" + std::to_string(i);
      add(own, laplace_tails);
      (void)plaudit::parse(own + "()^3 * gaussian(1)").spec();
      try {
        add("thread_shared", laplace_tails);
        ++winners;
      } catch (const std::invalid_argument&) {
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(winners == 1);
  CHECK(plaudit::parse("thread_0() * thread_7()").spec() == "thread_0() * thread_7()");
}
