// The shuffle model: its law against enumerations of messages, known numbers, randomizers of all
// kinds below it, many users, and refusals.
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <random>
#include <vector>

#include "lib/balls/precision.hpp"
#include "mechanisms/composition.hpp"
#include "support/containment.hpp"
#include "support/losses.hpp"
#include "support/slow.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

using Randomizer = std::vector<std::vector<double>>;  // a row of probabilities for each value
using Histogram = std::vector<int>;

/// The multiset of all messages of these values: its law, message by message.
std::map<Histogram, double> released(const Randomizer& r, const std::vector<std::size_t>& values) {
  std::map<Histogram, double> law{{Histogram(r[0].size(), 0), 1.0}};
  for (const std::size_t value : values) {
    std::map<Histogram, double> next;
    for (const auto& [histogram, mass] : law) {
      for (std::size_t y = 0; y < r[value].size(); ++y) {
        Histogram more = histogram;
        ++more[y];
        next[more] += mass * r[value][y];
      }
    }
    law = std::move(next);
  }
  return law;
}

double stick(const std::map<Histogram, double>& p, const std::map<Histogram, double>& q,
             double eps) {
  double sum = 0;
  for (const auto& [histogram, mass] : p) {
    const auto other = q.find(histogram);
    sum += std::max(0.0, mass - std::exp(eps) * (other == q.end() ? 0 : other->second));
  }
  return sum;
}

/// The pair of the proof, (A + D, C - A + 1 - D) against (A + 1 - D, C - A + D), by its definition.
double clone_stick(double epsilon, int users, double eps) {
  const double e = std::exp(epsilon);
  std::map<std::pair<int, int>, double> p;
  std::map<std::pair<int, int>, double> q;
  const double rate = 2 / (1 + e);
  for (int c = 0; c < users; ++c) {
    const double weight =
        std::exp(std::lgamma(users) - std::lgamma(c + 1) - std::lgamma(users - c)) *
        std::pow(rate, c) * std::pow(1 - rate, users - 1 - c);
    for (int a = 0; a <= c; ++a) {
      const double mass =
          weight * std::pow(0.5, c) *
          std::exp(std::lgamma(c + 1) - std::lgamma(a + 1) - std::lgamma(c - a + 1));
      for (int d = 0; d <= 1; ++d) {
        const double vote = d == 1 ? e / (1 + e) : 1 / (1 + e);
        p[{a + d, c - a + 1 - d}] += mass * vote;
        q[{a + 1 - d, c - a + d}] += mass * vote;
      }
    }
  }
  double sum = 0;
  for (const auto& [place, mass] : p) sum += std::max(0.0, mass - std::exp(eps) * q[place]);
  return sum;
}

/// The same for many users, as a sum over the number of votes and those for one side.
double vote_stick(double epsilon, int users, double eps) {
  const double e = std::exp(epsilon);
  const double x = std::exp(eps);
  const double rate = 2 / (1 + e);
  const auto log_choose = [](double n, double k) {
    return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
  };
  double sum = 0;
  for (int m = 1; m <= users; ++m) {
    const double weight =
        log_choose(users, m) + m * std::log(rate) + (users - m) * std::log1p(-rate);
    if (weight < -80) continue;
    for (int j = 0; j <= m; ++j) {
      const double more = (e * j + m - j) - x * (j + e * (m - j));
      if (more > 0) sum += std::exp(weight + log_choose(m, j) - m * std::log(2.0)) * more / users;
    }
  }
  return sum;
}

std::string shuffle_of(const std::string& epsilon, int users) {
  return "shuffle(epsilon=" + epsilon + ", users=" + std::to_string(users) + ")";
}

double shuffle_delta(const std::string& spec, double eps) {
  return step_loss(spec)->delta(Ball(eps)).estimate();
}

/// Random, and such that no column has values more than e^epsilon apart.
Randomizer random_randomizer(std::mt19937& random, double epsilon, int values, int messages) {
  std::uniform_real_distribution<double> unit(0, 1);
  Randomizer r;
  for (int v = 0; v < values; ++v) r.emplace_back(messages);
  for (int y = 0; y < messages; ++y) {
    const double base = 0.05 + unit(random);
    for (int v = 0; v < values; ++v) {
      const double share = unit(random) < 0.7 ? (unit(random) < 0.5 ? 0 : 1) : unit(random);
      r[static_cast<std::size_t>(v)][static_cast<std::size_t>(y)] =
          base * std::exp(epsilon * share);
    }
  }
  for (auto& row : r) {
    double sum = 0;
    for (const double mass : row) sum += mass;
    for (double& mass : row) mass /= sum;
  }
  return r;
}

double private_by(const Randomizer& r) {
  double most = 0;
  for (std::size_t y = 0; y < r[0].size(); ++y) {
    for (const auto& a : r) {
      for (const auto& b : r) most = std::max(most, std::log(a[y] / b[y]));
    }
  }
  return most;
}

}  // namespace

TEST_CASE("shuffle: known numbers") {
  CHECK(std::fabs(shuffle_delta("shuffle(1, 12)", 0.5) - .0197979696) < 1e-10);
  CHECK(std::fabs(shuffle_delta("shuffle(2, 50)", 0.5) - .0393202512) < 1e-10);
  // alone: randomized response
  for (const double eps : {-1.5, 0.0, 0.4, 1.5}) {
    CHECK(std::fabs(shuffle_delta("shuffle(1, 1)", eps) - shuffle_delta("pure(1)", eps)) < 1e-15);
  }
}

TEST_CASE("shuffle: the law is that of the pair, both directions, and has the moments of a pair") {
  const PrecisionScope scope(128);
  for (const char* epsilon : {"0.1", "1", "3.5"}) {
    for (const int users : {1, 2, 3, 7, 30}) {
      const std::string spec = shuffle_of(epsilon, users);
      CAPTURE(spec);
      const auto loss = step_loss(spec);
      const auto add = step_loss(spec, Direction::add);
      for (const double eps : {-2.0, -0.3, 0.0, 0.05, 0.5, 1.3, 4.0}) {
        CAPTURE(eps);
        const double exact = clone_stick(std::stod(epsilon), users, eps);
        CHECK(std::fabs(loss->delta(Ball(eps)).estimate() - exact) < 1e-12);
        CHECK(std::fabs(add->delta(Ball(eps)).estimate() - exact) < 1e-12);
      }
      CHECK_CONTAINS(loss->log_mgf(Ball(0)), 0);
      CHECK_CONTAINS(loss->log_mgf(Ball(-1)), 0);
      CHECK_OVERLAPS(loss->log_mgf(Ball(1.5)), loss->log_mgf(Ball(-2.5)));
      CHECK(loss->facts().greatest_loss == parse_rational(epsilon));
    }
  }
}

TEST_CASE("shuffle: no randomizer on any data sets of four users is above it") {
  std::mt19937 random(20261128);
  double closest = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const int values = 2 + trial % 2;
    const Randomizer r = random_randomizer(random, 0.5 + trial % 3, values, 2 + trial % 3);
    const double epsilon = private_by(r);
    const std::string shown = std::to_string(epsilon + 1e-6);
    const auto loss = step_loss(shuffle_of(shown, 4));
    for (std::size_t one = 0; one < r.size(); ++one) {
      for (std::size_t other = 0; other < r.size(); ++other) {
        if (one == other) continue;
        for (std::size_t rest = 0; rest < r.size() * r.size() * r.size(); ++rest) {
          const std::vector<std::size_t> others{rest % r.size(), rest / r.size() % r.size(),
                                                rest / r.size() / r.size()};
          std::vector<std::size_t> here{one, others[0], others[1], others[2]};
          std::vector<std::size_t> there = here;
          there[0] = other;
          const auto p = released(r, here);
          const auto q = released(r, there);
          for (const double part : {-0.4, 0.0, 0.2, 0.5, 0.8}) {
            const double bound = loss->delta(Ball(part * epsilon)).estimate();
            const double exact = stick(p, q, part * epsilon);
            CHECK(exact <= bound + 1e-12);
            if (part > 0) closest = std::max(closest, exact / bound);
          }
        }
      }
    }
  }
  CHECK(closest > 0.7);  // some are near
}

TEST_CASE("shuffle: many users, from points of the curve") {
  for (const char* epsilon : {"0.2", "1", "4"}) {
    for (const int users : {65, 200}) {
      const std::string spec = shuffle_of(epsilon, users);
      CAPTURE(spec);
      const auto loss = step_loss(spec);
      REQUIRE(loss->lattice());
      for (const double part : {-0.02, 0.0, 0.003, 0.02, 0.1, 0.6, 1.0}) {
        const double eps = part * std::stod(epsilon);
        CAPTURE(eps);
        const double exact = vote_stick(std::stod(epsilon), users, eps);
        const double bound = loss->delta(Ball(eps)).estimate();
        CHECK(bound >= exact * (1 - 1e-9) - 1e-15);
        if (exact > 1e-12) CHECK(bound <= exact * 1.01);
        if (exact > 1e-3) CHECK(bound <= exact * 1.002);
      }
    }
  }
}

namespace {

/// (1/n) E (sum)_+ over the numbers of messages of each kind: votes for both values, and others
/// that weigh `heavy` with the probability `rate`, else `light`.
double vote_sum(double epsilon, int users, int categories, double rate, double heavy, double light,
                double eps) {
  const double e = std::exp(epsilon);
  const double x = std::exp(eps);
  const double share = 1 / (e + categories - 1);
  const auto choose = [](int n, int k) {
    return std::exp(std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0));
  };
  double sum = 0;
  for (int i = 0; i <= users; ++i) {
    for (int j = 0; i + j <= users; ++j) {
      const int rest = users - i - j;
      const double votes = choose(users, i) * choose(users - i, j) * std::pow(share, i + j) *
                           std::pow(1 - 2 * share, rest);
      for (int b = 0; b <= rest; ++b) {
        const double mass = choose(rest, b) * std::pow(rate, b) * std::pow(1 - rate, rest - b);
        const double others = b * heavy + (rest - b) * light;
        sum +=
            votes * mass * std::max(0.0, i * (e - x) + j * (1 - e * x) + (1 - x) * others) / users;
      }
    }
  }
  return sum;
}

Randomizer k_ary(double epsilon, std::size_t k) {
  const double share = 1 / (std::exp(epsilon) + static_cast<double>(k) - 1);
  Randomizer r(k, std::vector<double>(k, share));
  for (std::size_t v = 0; v < k; ++v) r[v][v] *= std::exp(epsilon);
  return r;
}

std::string k_ary_shuffle(const std::string& epsilon, int users, int categories) {
  return "shuffle(epsilon=" + epsilon + ", users=" + std::to_string(users) +
         ", categories=" + std::to_string(categories) + ")";
}

std::shared_ptr<const PrivacyLoss> attack_loss(const std::string& spec,
                                               Direction direction = Direction::remove) {
  const MechanismPointer mechanism = parse_spec(spec).factors()[0].mechanism;
  return mechanism->attainment().attack->loss(direction);
}

double attack_delta(const std::string& spec, double eps) {
  return attack_loss(spec)->delta(Ball(eps)).estimate();
}

}  // namespace

TEST_CASE("shuffle: randomized response of k categories, known numbers of both ends") {
  struct Known {
    int categories;
    double upper;
    double exact;
  };
  for (const Known& each : {Known{2, .0245318964, .0245318964}, Known{3, .0322082945, .0321791581},
                            Known{10, .0091884970, .0091227152}}) {
    CAPTURE(each.categories);
    const std::string spec = k_ary_shuffle("2", 50, each.categories);
    CHECK(std::fabs(shuffle_delta(spec, 0.5) - each.upper) < 1e-10);
    CHECK(std::fabs(attack_delta(spec, 0.5) - each.exact) < 1e-10);
  }
}

TEST_CASE(
    "shuffle: no data sets of randomized response are above it, and the attack is below some") {
  for (const int k : {2, 3, 4}) {
    for (const int users : {1, 2, 4}) {
      const Randomizer r = k_ary(1.2, static_cast<std::size_t>(k));
      const std::string spec = k_ary_shuffle("1.2", users, k);
      CAPTURE(spec);
      std::map<Direction, std::shared_ptr<const PrivacyLoss>> bounds;
      std::map<Direction, std::shared_ptr<const PrivacyLoss>> attacks;
      for (const Direction direction : both_directions) {
        bounds[direction] = step_loss(spec, direction);
        attacks[direction] = attack_loss(spec, direction);
      }
      std::size_t data_sets = 1;
      for (int i = 1; i < users; ++i) data_sets *= r.size();
      for (const double eps : {-0.9, -0.3, 0.0, 0.1, 0.3, 0.61, 1.1}) {
        double most = 0;
        for (std::size_t code = 0; code < data_sets; ++code) {
          for (const bool swapped : {false, true}) {
            std::vector<std::size_t> here{swapped ? 1U : 0U};
            std::size_t rest = code;
            for (int i = 1; i < users; ++i, rest /= r.size()) here.push_back(rest % r.size());
            std::vector<std::size_t> there = here;
            there[0] = swapped ? 0 : 1;
            most = std::max(most, stick(released(r, here), released(r, there), eps));
          }
        }
        CAPTURE(eps);
        for (const Direction direction : both_directions) {
          const double bound = bounds.at(direction)->delta(Ball(eps)).estimate();
          const double attack = attacks.at(direction)->delta(Ball(eps)).estimate();
          CHECK(most <= bound + 1e-12);
          CHECK(attack <= most + 1e-12);
          if (k == 2) CHECK(bound <= most * 1.001 + 1e-9);
          if (users > 1 && k > 2 && eps >= 0 && eps < 1) CHECK(bound <= most * 1.25);
          if (k == 2) CHECK(attack >= most * 0.8 - 1e-12);
          // near epsilon itself others that hold the one value tell more than a third one
          if (k > 2 && eps >= 0 && eps < 1) CHECK(attack >= most * 0.99 - 1e-9);
        }
      }
    }
  }
}

TEST_CASE("shuffle: k categories, sums over all numbers of messages, few users and many") {
  for (const int users : {7, 40}) {
    for (const int k : {3, 6}) {
      const std::string spec = k_ary_shuffle("1.5", users, k);
      CAPTURE(spec);
      const double e = std::exp(1.5);
      const double upper_rate = (k - 2) / (e + k - 3);
      const double lower_rate = (k - 3) / (e + k - 3);
      const auto loss = step_loss(spec);
      const auto attack = attack_loss(spec);
      for (const double eps : {0.0, 0.1, 0.33, 0.9}) {
        CAPTURE(eps);
        const double above = vote_sum(1.5, users, k, upper_rate, 1, 0, eps);
        const double below = vote_sum(1.5, users, k, lower_rate, 1, 1 / e, eps);
        CHECK(below <= above * (1 + 1e-12));  // at 0 they are the same
        CHECK(loss->delta(Ball(eps)).estimate() >= above * (1 - 1e-9));
        // between its points the bound is a chord, which is far above where the curve falls steeply
        CHECK(loss->delta(Ball(eps)).estimate() <= above * 1.02 + 2e-7);
        CHECK(attack->delta(Ball(eps)).estimate() <= below * (1 + 1e-9));
        CHECK(attack->delta(Ball(eps)).estimate() >= below * 0.99 - 1e-10);
      }
    }
  }
  // more users, beyond what is told apart: less than for fewer, more than what data sets have
  const auto any_randomizer = step_loss("shuffle(1, 600)");
  for (const int k : {2, 3, 20}) {
    if (k == 3 && !slow_tests()) continue;
    const std::string spec = k_ary_shuffle("1", 600, k);
    const auto loss = step_loss(spec);
    const auto attack_of = attack_loss(spec);
    const auto fewer = step_loss(k_ary_shuffle("1", 550, k));
    for (const double eps : {0.0, 0.02, 0.05}) {
      const double bound = loss->delta(Ball(eps)).estimate();
      const double attack = attack_of->delta(Ball(eps)).estimate();
      CHECK(attack <= bound);
      CHECK(bound <= fewer->delta(Ball(eps)).estimate());
      if (k > 2) CHECK(attack >= 0.98 * bound);
      CHECK(bound <= any_randomizer->delta(Ball(eps)).estimate() * (1 + 1e-6));
    }
  }
}

TEST_CASE("shuffle: categories, canonical form, attainment and refusals") {
  CHECK(parse_spec("shuffle(1, 9, 3)").spec() == "shuffle(epsilon=1, users=9, categories=3)");
  const Attainment of = parse_spec("shuffle(1, 9, 3)").factors()[0].mechanism->attainment();
  CHECK(of.attained == Attained::unknown);
  CHECK(of.others.least == 8);
  CHECK(refusal_of("shuffle(1, 9, 1)").find("categories") != std::string::npos);
  CHECK(refusal_of("shuffle(1, 9, 2.5)").find("categories") != std::string::npos);
  CHECK(refusal_of("shuffle(1, 10001, 4)").find("users") != std::string::npos);
  if (slow_tests()) CHECK(refusal_of("shuffle(1, 10000, 4)") == "");  // it makes the law
}

TEST_CASE("shuffle: adjacency, attainment, canonical form and refusals") {
  const Composition run = parse_spec("shuffle(local_epsilon=1/2, users=9)^2");
  CHECK(run.spec() == "shuffle(epsilon=0.5, users=9)^2");
  CHECK(run.adjacency() == Adjacency::of_one_record(Adjacency::replace));
  CHECK(run.attainment().attained == Attained::unknown);
  CHECK(parse_spec("shuffle(1, 1)").attainment().attained == Attained::yes);
  CHECK(refusal_of("shuffle(0, 5)").find("shuffle: epsilon") != std::string::npos);
  CHECK(refusal_of("shuffle(gaussian(1), 5)").find("local randomizer") != std::string::npos);
  CHECK(refusal_of("shuffle(1, 0)").find("shuffle: users") != std::string::npos);
  CHECK(refusal_of("shuffle(1, 1e7)").find("shuffle: users") != std::string::npos);
  CHECK(refusal_of("shuffle(1)").find("users") != std::string::npos);
  CHECK(refusal_of("poisson(shuffle(1, 9), 0.1)") != "");
  CHECK(refusal_of("group(shuffle(1, 9), 2)") != "");
  CHECK(refusal_of("shuffle(1, 9) * poisson(gaussian(1), 0.1)").find("adjacency") !=
        std::string::npos);
}
