// Mechanisms of which only bounds of the moments are known, by their definitions; those of `pate`
// are stated by a certificate, one by one. Proof: docs/proofs/bounded_moments.md#moments
#include <algorithm>

#include "verification/checker/specs/builders.hpp"
#include "verification/checker/specs/stated_points.hpp"

namespace plaudit::proof {

namespace {

Mechanism of_moments(std::string text, Bounded bounds) {
  Mechanism result;
  result.text = std::move(text);
  set_law(result, law(std::move(bounds)));
  return result;
}

constexpr std::size_t most_orders = 1000;
constexpr std::uint64_t most_queries = 1'000'000'000'000;
constexpr unsigned long bits_of_outcomes =
    90;  ///< behind the point, of log(queries + 1), from above

using Point = std::pair<Rational, Rational>;  ///< (t, a bound of log M(t))

/// The lower hull of (0, 0) and the points, from the left; t rises.
Bounded bounded_at(const std::vector<Point>& points) {
  std::vector<Point> hull{{0, 0}};
  const auto slope = [](const Point& a, const Point& b) -> Rational {
    return (b.second - a.second) / (b.first - a.first);
  };
  for (const Point& point : points) {
    while (hull.size() > 1 &&
           slope(hull[hull.size() - 2], hull.back()) >= slope(hull.back(), point)) {
      hull.pop_back();
    }
    hull.push_back(point);
  }
  Bounded bounds{0, 0, Rational(points.back().first + 1), {}};
  for (std::size_t i = 1; i < hull.size(); ++i) {
    const Rational rise = slope(hull[i - 1], hull[i]);
    bounds.lines.push_back({rise, hull[i].second - rise * hull[i].first});
  }
  return bounds;
}

}  // namespace

// Proof: docs/proofs/bounded_moments.md#zcdp
Mechanism zcdp(const Arguments& arguments) {
  const Rational rho = arguments.positive("rho");
  return of_moments("zcdp(rho=" + to_string(rho) + ")", {rho, rho, std::nullopt});
}

// Proof: docs/proofs/bounded_moments.md#zcdp
Mechanism tcdp(const Arguments& arguments) {
  const Rational rho = arguments.positive("rho");
  const Rational omega = arguments.number("omega");
  if (omega <= 1) arguments.fail("omega", "must exceed 1");
  return of_moments("tcdp(rho=" + to_string(rho) + ", omega=" + to_string(omega) + ")",
                    {rho, rho, omega});
}

// Proof: docs/proofs/bounded_moments.md#cdp
Mechanism cdp(const Arguments& arguments) {
  const Rational mu = arguments.number("mu");
  if (mu < 0) arguments.fail("mu", "must not be negative");
  const Rational tau = arguments.positive("tau");
  return of_moments("cdp(mu=" + to_string(mu) + ", tau=" + to_string(tau) + ")",
                    {mu, tau * tau / 2, std::nullopt});
}

// Proof: docs/proofs/bounded_moments.md#profile
Mechanism renyi_profile(const Arguments& arguments) {
  const auto& orders = arguments.typed<std::vector<Rational>>("orders");
  const auto& divergences = arguments.typed<std::vector<Rational>>("divergences");
  if (orders.size() != divergences.size() || orders.empty() || orders.size() > most_orders) {
    arguments.fail("orders", "must be as many as divergences, from 1 to 1000");
  }
  std::vector<Point> points;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    if (orders[i] <= (i == 0 ? Rational(1) : orders[i - 1])) {
      arguments.fail("orders", "must rise from above 1");
    }
    if (divergences[i] <= 0) arguments.fail("divergences", "must be positive");
    points.emplace_back(orders[i] - 1, (orders[i] - 1) * divergences[i]);
  }
  return of_moments(
      "renyi_profile(orders=" + list_text(orders) + ", divergences=" + list_text(divergences) + ")",
      bounded_at(points));
}

// Proof: docs/proofs/thresholds.md#sparse-vector
Mechanism gaussian_sparse_vector(const Arguments& arguments) {
  const Rational threshold = arguments.positive("threshold_sigma");
  const Rational query = arguments.positive("query_sigma");
  const std::uint64_t queries = arguments.count("queries", most_queries);
  const Rational sensitivity = arguments.sensitivity();
  const Rational square = sensitivity * sensitivity;
  const Rational one = square / (2 * threshold * threshold) + 2 * square / (query * query);
  const Rational all = Rational(Integer(queries)) * square / (2 * query * query);
  const Integer unit = Integer(1) << bits_of_outcomes;
  const PrecisionScope scope(2 * bits_of_outcomes);
  const Interval outcomes = log(Interval(Rational(Integer(queries) + 1)));
  const Rational added(Integer(floor_of(Rational(upper(outcomes) * unit)) + 1), unit);
  std::vector<Point> points;
  for (int k = -12; k <= 40; ++k) {
    const Rational power = k < 0 ? Rational(Integer(1), Integer(1) << static_cast<unsigned>(-k))
                                 : Rational(Integer(1) << static_cast<unsigned>(k));
    for (int i = 8; i < 16; ++i) {
      const Rational t = power * i / 8;
      const Rational both = t * (1 + t);
      points.emplace_back(t, std::min(Rational(both * one + added), Rational(both * all)));
    }
  }
  return of_moments("gaussian_sparse_vector(threshold_sigma=" + to_string(threshold) +
                        ", query_sigma=" + to_string(query) + ", queries=" +
                        std::to_string(queries) + sensitivity_text(sensitivity) + ")",
                    bounded_at(points));
}

namespace {

constexpr std::size_t most_classes = 10'000;
constexpr std::size_t most_moments = 1000;
constexpr long most_teachers = 1'000'000'000'000;
constexpr long operations_of_moment = 2000;
constexpr long operations_of_class = 1000;

/// log M(t) <= value, by the orders of two divergences, or where they are 0 by the noise alone.
struct StatedMoment {
  Rational t;
  Rational value;
  Rational from;
  Rational to;
};

std::vector<StatedMoment> stated_moments(Fields fields) {
  std::vector<Rational> columns[4];
  std::size_t column = 0;
  for (const char* name : {"t", "value", "from", "to"}) {
    columns[column] = exact_numbers(fields.raw(name), fields.where() + "." + name, most_moments);
    require(columns[column].size() == columns[0].size(),
            fields.where() + " has lists of two lengths");
    ++column;
  }
  fields.done();
  std::vector<StatedMoment> moments;
  for (std::size_t i = 0; i < columns[0].size(); ++i) {
    moments.push_back({columns[0][i], columns[1][i], columns[2][i], columns[3][i]});
    const bool rises = columns[0][i] > (i == 0 ? Rational(0) : columns[0][i - 1]);
    require(rises, fields.where() + ".t must rise from above 0");
    require(columns[1][i] > 0, fields.where() + ".value must be positive");
  }
  return moments;
}

/// At least the probability of another class than that of most votes, each gap being smaller by
/// `nearer`. Proof: docs/proofs/teachers.md#votes
Interval probability_of_others(const std::vector<Rational>& votes, const Rational& variance,
                               int nearer) {
  const auto most = std::max_element(votes.begin(), votes.end());
  const Interval deviation = sqrt(Interval(Rational(2 * variance)));
  Interval sum = 0;
  for (auto each = votes.begin(); each != votes.end(); ++each) {
    if (each != most) sum += normal_tail(Interval(Rational(*most - *each - nearer)) / deviation);
  }
  return sum;
}

/// log f at q, an upper bound of the probability of others; 0 < q < 1 is required, as the other
/// hypotheses are. Proof: docs/proofs/teachers.md#bound docs/proofs/teachers.md#monotone
Interval moment_of_answer(const Interval& q, const Rational& variance, const StatedMoment& given) {
  require(given.from > 1 && given.to > 1 && given.t + 1 <= given.from,
          "curves: orders of divergences that the theorem does not take");
  require(positive(q) && below(q, 1), "curves: the probability of another class is not below 1");
  const Interval share(Rational((given.to - 1) / given.to));
  const Interval log_q = log(q);
  const Interval u = exp(share * (log_q + Interval(Rational(given.to / variance))));
  const char* refusal = "curves: a hypothesis on the orders of divergences does not hold";
  require(below(u, 1), refusal);
  const Interval log_a = log1p(-q) - log1p(-u);
  const Interval log_b =
      Interval(Rational(given.from / variance)) - log_q / Interval(Rational(given.from - 1));
  const Interval least(Rational(given.from / (given.from - 1)));
  require(at_most(least, share * u / q) && at_most(log_a, log_b), refusal);
  const Interval t(given.t);
  return log1p(expm1(log1p(-q) + t * log_a) + exp(log_q + t * log_b));
}

void prove_moments(const std::vector<Rational>& votes, const Rational& variance, int nearer,
                   const std::vector<StatedMoment>& moments, Budget& budget) {
  const PrecisionScope scope(256);
  const Interval others = top(probability_of_others(votes, variance, nearer));
  for (const StatedMoment& each : moments) {
    budget.spend(200);
    if (each.from == 0 && each.to == 0) {
      require(Rational(each.t * (1 + each.t) / variance) <= each.value,
              "curves: a moment of the noise is not so small");
      continue;
    }
    require(exactly_at_most(moment_of_answer(others, variance, each), each.value),
            "curves: a moment is not proven to be so small at t = " + to_string(each.t));
  }
}

}  // namespace

// Proof: docs/proofs/teachers.md#bound
Mechanism pate(const Arguments& arguments) {
  const auto& votes = arguments.typed<std::vector<Rational>>("votes");
  const Rational sigma = arguments.positive("sigma");
  if (votes.size() < 2 || votes.size() > most_classes)
    arguments.fail("votes", "are too few or many");
  for (const Rational& each : votes) {
    if (each < 0 || each > most_teachers || denominator(each) != 1) {
      arguments.fail("votes", "must be integers from 0 to 10^12");
    }
  }
  Mechanism result;
  result.text = "pate(votes=" + list_text(votes) + ", sigma=" + to_string(sigma) + ")";
  result.adjacency = {"this_data_set", 1, false};
  result.symmetric = false;
  Fields stated = arguments.supplied.stated(result.text);
  const auto law_of = [&](const char* name, int nearer) {
    const std::vector<StatedMoment> moments = stated_moments(stated.object(name));
    std::vector<Point> points;
    for (const StatedMoment& each : moments) points.emplace_back(each.t, each.value);
    arguments.supplied.promise(
        {Integer(operations_of_moment * Integer(moments.size()) +
                 operations_of_class * Integer(votes.size())),
         [votes, square = Rational(sigma * sigma), nearer, moments](Budget& budget) {
           prove_moments(votes, square, nearer, moments, budget);
         }});
    return law(bounded_at(points));
  };
  result.remove = law_of("remove", 0);
  result.add = law_of("add", 2);
  stated.done();
  return result;
}

}  // namespace plaudit::proof
