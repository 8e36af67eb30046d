// Randomized response of many categories and selections: exact laws, all two-point mechanisms below
// the envelope, and the mechanisms themselves on a few candidates.
#include <doctest/doctest.h>

#include <cmath>

#include "mechanisms/laws/exact_law.hpp"
#include "mechanisms/laws/lattice_law.hpp"
#include "mechanisms/laws/range_loss.hpp"
#include "mechanisms/spec_error.hpp"
#include "support/containment.hpp"
#include "support/losses.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

double delta_of(const std::string& spec, double eps) {
  return step_loss(spec)->delta(Ball(eps)).estimate();
}

double hockey_stick(const std::vector<double>& p, const std::vector<double>& q, double eps) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) sum += std::max(0.0, p[i] - std::exp(eps) * q[i]);
  return sum;
}

/// The probability of each candidate under permute-and-flip: over all orders.
std::vector<double> permute_and_flip(const std::vector<double>& scores, double rate) {
  const double best = *std::max_element(scores.begin(), scores.end());
  std::vector<std::size_t> order(scores.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::vector<double> law(scores.size());
  double orders = 0;
  do {
    double left = 1;
    for (const std::size_t i : order) {
      const double coin = std::exp(rate * (scores[i] - best));
      law[i] += left * coin;
      left *= 1 - coin;
    }
    ++orders;
  } while (std::next_permutation(order.begin(), order.end()));
  for (double& each : law) each /= orders;
  return law;
}

}  // namespace

TEST_CASE("randomized response of k categories: the exact law") {
  const PrecisionScope scope(120);
  // p = 1/2 of 4 categories, the others 1/6: delta(eps) = 1/2 - e^eps / 6 up to log 3
  const auto loss = step_loss("randomized_response(probability=0.5, categories=4)");
  for (const double eps : {0.0, 0.5, 1.0}) {
    CHECK_OVERLAPS(loss->delta(Ball(eps)), Ball(0.5) - exp(Ball(eps)) / Ball(6));
  }
  CHECK_OVERLAPS(loss->delta(Ball(-0.5)),
                 Ball(0.5) + Ball(Rational(1, 3)) - exp(Ball(-0.5)) * Ball(Rational(1, 2)));
  CHECK_CONTAINS(loss->log_mgf(Ball(0)), 0);
  CHECK_CONTAINS(loss->log_mgf(Ball(-1)), 0);
  CHECK_OVERLAPS(loss->p_atom(Ball(0)), Ball(Rational(1, 3)));
  CHECK_OVERLAPS(loss->greatest_loss(), log(Ball(3)));
  const auto masses = loss->masses_at(Rational(0));
  CHECK_OVERLAPS(masses.p_above, Ball(0.5));
  CHECK_OVERLAPS(masses.q_above, Ball(Rational(1, 6)));
  REQUIRE(loss->lattice());
  CHECK(loss->lattice()->masses.size() == 3);
  CHECK_OVERLAPS(loss->lattice()->mesh, log(Ball(3)));

  const auto by_epsilon = step_loss("randomized_response(epsilon=0.5, categories=10)");
  const Ball whole = exp(Ball(0.5)) + Ball(9);
  CHECK_OVERLAPS(by_epsilon->delta(Ball(0.25)), (exp(Ball(0.5)) - exp(Ball(0.25))) / whole);
  CHECK(by_epsilon->facts().greatest_loss == Rational(1, 2));
  CHECK_OVERLAPS(by_epsilon->masses_at(Rational(1, 2)).p_atom, exp(Ball(0.5)) / whole);
  CHECK(by_epsilon->masses_at(Rational(1, 2)).p_above.is_exact_zero());
}

TEST_CASE("randomized response: canonical forms and refusals") {
  CHECK(parse_spec("randomized_response(0.5, categories=2)").spec() ==
        "randomized_response(epsilon=0.5)");
  CHECK(parse_spec("randomized_response(0.5, 10)").spec() ==
        "randomized_response(epsilon=0.5, categories=10)");
  CHECK(parse_spec("randomized_response(probability=0.3, num_buckets=10)").spec() ==
        "randomized_response(probability=0.3, categories=10)");
  for (const char* spec :
       {"randomized_response(0.5, 1)", "randomized_response(0.5, 2.5)",
        "randomized_response(probability=0.1, categories=10)",
        "randomized_response(probability=1, categories=10)", "randomized_response(0, 10)",
        "poisson(randomized_response(0.5, 10), 0.1)"}) {
    CHECK_MESSAGE(refusal_of(spec) != "", spec);
  }
}

TEST_CASE("bounded range: the envelope is above every two-point law, and attained") {
  for (const double epsilon : {0.1, 1.0, 4.0}) {
    const std::string spec = "bounded_range(epsilon=" + std::to_string(epsilon) + ")";
    const double e = std::exp(epsilon);
    for (double eps = -1.2 * epsilon; eps < 1.3 * epsilon; eps += epsilon / 7) {
      double greatest = 0;
      for (int i = 0; i <= 2000; ++i) {
        const double t = epsilon * i / 2000;
        const double p = (e - std::exp(t)) / (e - 1);
        const double q = p * std::exp(-t);
        greatest = std::max(greatest, hockey_stick({p, 1 - p}, {q, 1 - q}, eps));
      }
      CHECK(delta_of(spec, eps) >= greatest - 1e-12);
      CHECK(delta_of(spec, eps) <= greatest + 1e-5);
    }
  }
}

TEST_CASE("bounded range: tails, density and moments belong to one law") {
  const PrecisionScope scope(150);
  for (const char* epsilon : {"0.01", "1", "7"}) {
    const RangeLoss loss(parse_rational(epsilon));
    const Ball e(parse_rational(epsilon));
    CHECK_CONTAINS(loss.log_mgf(Ball(0)), 0);
    CHECK_CONTAINS(loss.log_mgf(Ball(-1)), 0);
    CHECK_OVERLAPS(loss.log_mgf(Ball(2.5)), loss.log_mgf(Ball(-3.5)));
    CHECK_OVERLAPS(loss.p_above(-e), Ball(1));
    CHECK_OVERLAPS(loss.q_above(-e), Ball(1));
    const double t = 1.25;
    Ball low;
    Ball high;
    const long cells = 400;
    for (long j = -cells; j < cells; ++j) {  // Stieltjes sums enclose the moment
      const Ball from = e * Ball(j) / Ball(cells);
      const Ball to = e * Ball(j + 1) / Ball(cells);
      const Ball mass = loss.p_above(from) - loss.p_above(to);
      low += mass * exp(Ball(t) * from);
      high += mass * exp(Ball(t) * to);
    }
    const Ball moment = exp(loss.log_mgf(Ball(t)));
    CHECK(certainly_less(low.lower(), moment));
    CHECK(certainly_less(moment, high.upper()));
    CHECK(certainly_less(high - low, Ball(0.05) * moment));
    for (const double s : {0.5, 3.0, 40.0}) {
      const Ball bound = loss.mgf_bound_beyond(Ball(t), Ball(s), 30);
      for (const double factor : {1.0, 1.37, 2.2, 3.1}) {
        const ComplexBall z(Ball(t), Ball(s * factor));
        CHECK(certainly_less_equal(abs(exp(loss.log_mgf(z))).lower(), bound));
      }
      const double ratio = (log(bound) - loss.log_mgf(Ball(t))).estimate();
      CHECK(loss.estimate_log_decay(t, s) == doctest::Approx(ratio).epsilon(1e-6));
    }
    for (const double at : {-3.0, -0.5, 0.2, 6.0}) {
      const double step = 1e-3;
      const auto value = [&](double u) { return loss.log_mgf(Ball(u)).estimate(); };
      const CumulantEstimate estimate = loss.estimate_cumulant(at);
      CHECK(estimate.value == doctest::Approx(value(at)).epsilon(1e-7));
      CHECK(estimate.mean ==
            doctest::Approx((value(at + step) - value(at - step)) / (2 * step)).epsilon(1e-4));
      CHECK(estimate.variance ==
            doctest::Approx((value(at + step) - 2 * value(at) + value(at - step)) / (step * step))
                .epsilon(1e-3));
    }
  }
}

TEST_CASE("the exponential mechanism, permute-and-flip and their pairs on a few candidates") {
  const double epsilon = 1;
  const double rate = epsilon / 2;  // scores change by at most 1
  double closest = 1;
  double beyond_range = 0;
  for (int code = 0; code < 729; ++code) {
    std::vector<double> scores;
    std::vector<double> others;
    for (int i = 0, rest = code; i < 3; ++i, rest /= 9) {
      scores.push_back(0.7 * (rest % 3));
      others.push_back(scores.back() + (rest / 3 % 3) - 1);
    }
    std::vector<double> p;
    std::vector<double> q;
    double p_sum = 0;
    double q_sum = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      p.push_back(std::exp(rate * scores[i]));
      q.push_back(std::exp(rate * others[i]));
      p_sum += p.back();
      q_sum += q.back();
    }
    for (double& each : p) each /= p_sum;
    for (double& each : q) each /= q_sum;
    const std::vector<double> flip = permute_and_flip(scores, rate);
    const std::vector<double> other_flip = permute_and_flip(others, rate);
    for (const double eps : {-0.4, 0.0, 0.3, 0.8}) {
      const double bound = delta_of("exponential(epsilon=1)", eps);
      const double found = hockey_stick(p, q, eps);
      CHECK(found <= bound + 1e-12);
      if (eps == 0.0) closest = std::min(closest, bound - found);
      CHECK(hockey_stick(flip, other_flip, eps) <=
            delta_of("permute_and_flip(epsilon=1)", eps) + 1e-12);
      beyond_range = std::max(beyond_range, hockey_stick(flip, other_flip, eps) - bound);
    }
  }
  CHECK(closest < 0.02);
  CHECK(beyond_range > 0);  // permute-and-flip is not of bounded range
}

TEST_CASE("two candidates of permute-and-flip attain the Laplace curve") {
  for (const double eps : {-0.5, 0.0, 0.4, 0.9}) {
    double greatest = 0;
    for (double gap = -4; gap <= 4; gap += 0.01) {
      greatest = std::max(greatest, hockey_stick(permute_and_flip({gap, 0}, 0.5),
                                                 permute_and_flip({gap - 2, 0}, 0.5), eps));
    }
    CHECK(greatest <= delta_of("permute_and_flip(1)", eps) + 1e-12);
    CHECK(greatest >= delta_of("permute_and_flip(1)", eps) - 1e-4);
  }
}

TEST_CASE("noisy maxima of a few scores are below the pair, and the identity of permute-and-flip") {
  // P(r) = int f(y - u_r) prod F(y - u_i) dy on a grid, Laplace or exponential noise of scale 2
  const double scale = 2;
  const auto law = [&](const std::vector<double>& scores, bool laplace) {
    const auto density = [&](double x) {
      if (laplace) return std::exp(-std::fabs(x) / scale) / (2 * scale);
      return x < 0 ? 0 : std::exp(-x / scale) / scale;
    };
    const auto below = [&](double x) {
      if (!laplace) return x < 0 ? 0 : 1 - std::exp(-x / scale);
      return x < 0 ? std::exp(x / scale) / 2 : 1 - std::exp(-x / scale) / 2;
    };
    std::vector<double> result(scores.size());
    const double step = 0.01;
    for (double y = -50 + step / 2; y < 70; y += step) {
      for (std::size_t r = 0; r < scores.size(); ++r) {
        double value = density(y - scores[r]) * step;
        for (std::size_t i = 0; i < scores.size(); ++i) {
          if (i != r) value *= below(y - scores[i]);
        }
        result[r] += value;
      }
    }
    return result;
  };
  double closest = 1;
  for (const std::vector<double>& scores :
       {std::vector<double>{0, 0}, {0.5, -0.5}, {1, -1}, {0, 0.5, 1}, {2, 0, 0}, {0, 3, 3, -1}}) {
    for (unsigned signs = 0; signs < 1U << scores.size(); ++signs) {
      std::vector<double> others = scores;
      for (std::size_t i = 0; i < scores.size(); ++i) others[i] += (signs >> i & 1U) != 0 ? 1 : -1;
      for (const bool laplace : {false, true}) {
        const auto p = law(scores, laplace);
        const auto q = law(others, laplace);
        for (const double eps : {-0.3, 0.0, 0.5}) {
          const double bound = delta_of("report_noisy_max(scale=2)", eps);
          const double found = hockey_stick(p, q, eps);
          CHECK(found <= bound + 1e-4);
          if (eps == 0.0) closest = std::min(closest, bound - found);
        }
        if (laplace) continue;
        const auto same = permute_and_flip(scores, 1 / scale);
        for (std::size_t i = 0; i < p.size(); ++i) CHECK(std::fabs(p[i] - same[i]) < 1e-3);
      }
    }
  }
  CHECK(closest < 0.01);
}

TEST_CASE("above-threshold answers on few queries are below the pair") {
  // The first answer that is above: P(k) = int rho(z) prod F_i(z) G_k(z) dz, on a grid.
  const double b1 = 2;
  const double b2 = 4;
  const auto below = [](double x, double b) {  // Laplace distribution function
    return x < 0 ? std::exp(x / b) / 2 : 1 - std::exp(-x / b) / 2;
  };
  const auto law = [&](const std::vector<double>& queries) {
    std::vector<double> result(queries.size() + 1);
    const double step = 0.01;
    for (double z = -60; z <= 60; z += step) {
      double left = std::exp(-std::fabs(z) / b1) / (2 * b1) * step;
      for (std::size_t i = 0; i < queries.size(); ++i) {
        const double stays = below(z - queries[i], b2);
        result[i] += left * (1 - stays);
        left *= stays;
      }
      result.back() += left;
    }
    return result;
  };
  double greatest_loss = 0;
  for (int code = 0; code < 27; ++code) {
    const std::vector<double> queries{3.0 * (code % 3) - 6, -1.5 * (code / 3 % 3), 0.5};
    for (const std::vector<double>& shift :
         {std::vector<double>{1, 1, -1}, {-1, -1, 1}, {1, 0, 1}}) {
      std::vector<double> others = queries;
      for (std::size_t i = 0; i < 3; ++i) others[i] += shift[i];
      const auto p = law(queries);
      const auto q = law(others);
      for (std::size_t i = 0; i < p.size(); ++i) {
        greatest_loss = std::max(greatest_loss, std::fabs(std::log(p[i] / q[i])));
      }
      for (const double eps : {0.0, 0.3}) {
        CHECK(hockey_stick(p, q, eps) <=
              delta_of("sparse_vector(threshold_scale=2, query_scale=4)", eps) + 1e-6);
      }
    }
  }
  CHECK(greatest_loss < 1);  // 1/2 + 2/4
  // after many answers below, one above: nearly all of it is attained
  std::vector<double> many(2000, 0.0);
  std::vector<double> moved(2000, 1.0);
  moved.back() = -1;
  const double loss = std::log(law(many)[1999] / law(moved)[1999]);
  CHECK(loss <= 1 + 1e-9);
  CHECK(loss > 0.9);
  CHECK(step_loss("sparse_vector(2, 4)")->greatest_loss().estimate() == doctest::Approx(1));
  CHECK(step_loss("sparse_vector(2, 4, 3, 5)")->greatest_loss().estimate() == doctest::Approx(9));
}

TEST_CASE("selections: canonical forms and refusals") {
  CHECK(parse_spec("exponential(1/2)^3 * bounded_range(1)").spec() ==
        "exponential(epsilon=0.5)^3 * bounded_range(epsilon=1)");
  CHECK(parse_spec("sparse_vector(2, 4, positives=3)").spec() ==
        "sparse_vector(threshold_scale=2, query_scale=4, positives=3)");
  CHECK(parse_spec("sparse_vector(2, 4, 0.5)").spec() ==
        "sparse_vector(threshold_scale=2, query_scale=4, sensitivity=0.5)");
  for (const char* spec :
       {"report_noisy_max(0)", "report_noisy_max(1, 0)", "exponential(0)", "bounded_range(-1)",
        "permute_and_flip(0)", "sparse_vector(0, 4)", "sparse_vector(2, 0)",
        "sparse_vector(2, 4, 0)", "sparse_vector(2, 4, 1, 0)", "sparse_vector(2, 4, 1, 1.5)",
        "sparse_vector(gaussian(1), 4)", "exponential()", "poisson(exponential(1), 0.1)",
        "group(bounded_range(1), 2)"}) {
    CHECK_MESSAGE(refusal_of(spec) != "", spec);
  }
}
