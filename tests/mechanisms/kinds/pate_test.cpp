// Teachers that agree: bounds of moments against the Renyi divergences of the laws of the released
// class, by quadrature, against numbers of the published formula, and refusals.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "mechanisms/composition.hpp"
#include "support/losses.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

/// P(class i has the most noisy votes).
std::vector<double> released_class(const std::vector<double>& votes, double sigma) {
  std::vector<double> law(votes.size(), 0);
  constexpr double step = 0.02;
  for (int node = -450; node <= 450; ++node) {
    const double z = step * node;
    const double density = std::exp(-z * z / 2) / std::sqrt(2 * M_PI) * step;
    for (std::size_t i = 0; i < votes.size(); ++i) {
      double below = 1;
      for (std::size_t j = 0; j < votes.size(); ++j) {
        if (j == i) continue;
        below *= std::erfc(-((votes[i] - votes[j]) / sigma + z) / std::sqrt(2.0)) / 2;
      }
      law[i] += density * below;
    }
  }
  return law;
}

/// log sum p (p/q)^t = t D_(1+t).
double moment_of(const std::vector<double>& p, const std::vector<double>& q, double t) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) sum += p[i] * std::expm1(t * std::log(p[i] / q[i]));
  return std::log1p(sum);
}

double bound_at(const std::string& spec, double t, Direction direction = Direction::remove) {
  return step_loss(spec, direction)->log_mgf(Ball(t)).upper_double();
}

std::string spec_of(const std::vector<double>& votes, double sigma) {
  std::string list;
  for (const double each : votes) {
    list += (list.empty() ? "" : ", ") + std::to_string(static_cast<int>(each));
  }
  return "pate(votes=[" + list + "], sigma=" + std::to_string(sigma) + ")";
}

constexpr double orders_beyond_one[] = {0.01, 0.5, 1.0, 3.0, 9.5, 40.0};

/// One teacher votes otherwise: both directions, and the other one's moments at -1 - t. The
/// greatest quotient of a moment and its bound.
double compare_neighbours(const std::string& spec, const std::vector<double>& here,
                          const std::vector<double>& there) {
  double nearest = 0;
  for (const double t : orders_beyond_one) {
    CAPTURE(t);
    const double forth = moment_of(here, there, t);
    const double back = moment_of(there, here, t);
    for (const Direction direction : both_directions) {
      const bool removes = direction == Direction::remove;
      const double bound = bound_at(spec, t, direction);
      CHECK((removes ? forth : back) <= bound + 1e-13);
      CHECK((removes ? back : forth) <= bound_at(spec, -1 - t, direction) + 1e-13);
      nearest = std::max(nearest, (removes ? forth : back) / (bound + 1e-13));
    }
  }
  return nearest;
}

}  // namespace

TEST_CASE("pate: no neighbour of these votes has greater divergences, in either direction") {
  struct Votes {
    std::vector<double> votes;
    double sigma;
  };
  double nearest = 0;
  for (const Votes& each : {Votes{{30, 4, 2}, 4}, Votes{{12, 11, 1}, 3}, Votes{{7, 1}, 1},
                            Votes{{0, 90, 30}, 20}, Votes{{5, 0}, 1.5}}) {
    const std::string spec = spec_of(each.votes, each.sigma);
    CAPTURE(spec);
    const auto here = released_class(each.votes, each.sigma);
    for (std::size_t from = 0; from < here.size(); ++from) {
      for (std::size_t to = 0; to < here.size(); ++to) {
        if (from == to || each.votes[from] == 0) continue;
        std::vector<double> moved = each.votes;
        moved[from] -= 1;
        moved[to] += 1;
        nearest =
            std::max(nearest, compare_neighbours(spec, here, released_class(moved, each.sigma)));
      }
    }
  }
  CHECK(nearest > 0.1);
}

TEST_CASE("pate: numbers of the published formula") {
  struct Known {
    const char* spec;
    double t;
    double moment;  ///< at its best orders, to 0.1 % by a grid of them
  };
  // 40 digits, another program, the condition of the paper checked as it is printed
  for (const Known& each : {Known{"pate([180, 10, 10], 20)", 0.5, 9.87983245502e-10},
                            Known{"pate([180, 10, 10], 20)", 1, 2.09432342694e-9},
                            Known{"pate([180, 10, 10], 20)", 4, 1.35457107349e-8},
                            Known{"pate([180, 10, 10], 20)", 16, 2.53013250128e-6},
                            Known{"pate([180, 10, 10], 20)", 64, 8.75106877635},
                            Known{"pate([230, 10, 5, 5], 40)", 0.5, 1.90789604039e-5},
                            Known{"pate([230, 10, 5, 5], 40)", 4, 0.000176806651118},
                            Known{"pate([230, 10, 5, 5], 40)", 16, 0.00152938713079},
                            Known{"pate([230, 10, 5, 5], 40)", 64, 1.05523978751},
                            Known{"pate([100, 80, 20], 30)", 4, 0.0222222222222}}) {
    CAPTURE(each.spec);
    CAPTURE(each.t);
    CHECK(bound_at(each.spec, each.t) <= each.moment * 1.001);
    CHECK(bound_at(each.spec, each.t) >= each.moment * 0.998);
  }
  // the reverse: q of neighbours
  CHECK(bound_at("pate([180, 10, 10], 20)", 4, Direction::add) >= 2.0480926859e-8 * 0.998);
  CHECK(bound_at("pate([180, 10, 10], 20)", 4, Direction::add) <= 2.0480926859e-8 * 1.001);
}

TEST_CASE("pate: nothing is worse than the noisy votes themselves, unanimous votes have a bound") {
  for (const double t : {0.25, 2.0}) {
    CHECK(bound_at("pate([5, 5], 3)", t) <= t * (1 + t) / 9 * 1.0001);
    CHECK(bound_at("pate([5, 5], 3)", t) >= t * (1 + t) / 9 * 0.9999);
    CHECK(bound_at("pate([1000000, 0], 3)", t) < 1e-200);
    CHECK(bound_at("pate([1000000, 0], 3)", t) > 0);
  }
}

TEST_CASE("pate: no guarantee, canonical form and refusals") {
  const Composition run = parse_spec("pate([90, 4], sigma=1/2)^2");
  CHECK(run.spec() == "pate(votes=[90, 4], sigma=0.5)^2");
  CHECK_FALSE(run.adjacency().guarantee);
  CHECK(to_text(run.adjacency()) == "this_data_set, no privacy guarantee; the number is private");
  CHECK(run.attainment().attained == Attained::no_pair);
  const auto refused = [](const std::string& spec, const std::string& word) {
    CHECK_MESSAGE(refusal_of(spec).find(word) != std::string::npos, refusal_of(spec));
  };
  refused("pate([5], 1)", "votes");
  refused("pate([5, 1/2], 1)", "votes");
  refused("pate([5, -1], 1)", "votes");
  refused("pate([5, 1e13], 1)", "votes");
  refused("pate([5, 1], 0)", "sigma");
  refused("pate([5, 1])", "sigma");
  refused("poisson(pate([5, 1], 1), 0.1)", "one record");
  refused("parallel(pate([5, 1], 1), pure(1))", "parallel");
  refused("select(pate([5, 1], 1), poisson, 3)", "select");
  refused("pate([5, 1], 1) * poisson(gaussian(1), 0.1)", "adjacency");
}
