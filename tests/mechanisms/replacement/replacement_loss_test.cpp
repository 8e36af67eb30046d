// Replacement with labels too rare to be integrated: what is charged for them holds their share.
//
// Truth: the moments by Simpson's rule in plain complex arithmetic, all labels summed. The accuracy
// asked for is so low that the rare labels are the greater part of the error.
#include "mechanisms/replacement/replacement_loss.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "support/containment.hpp"
#include "tests/support/exact.hpp"

using namespace plaudit;

namespace {

constexpr double slack = 1e-8;  // of the truth, relative to M(t)

using Complex = std::complex<double>;

struct Case {
  double rate, sigma;
  std::vector<std::uint64_t> labels;
  double log2_rare;  ///< log of the weight of each label after the first, base 2
};

Replacement replacement_of(const Case& given) {
  Replacement result{test::exactly(given.sigma),
                     Rational(1),
                     test::exactly(given.rate),
                     given.labels,
                     {},
                     Integer(1)};
  result.whole <<= 200;
  for (std::size_t i = 0; i < given.labels.size(); ++i) {
    result.counts.emplace_back(1);
    result.counts.back() <<= static_cast<unsigned>(200 + (i == 0 ? -1 : given.log2_rare));
  }
  return result;
}

/// int phi f^w over (a/2, inf).
Complex half(double a, double q, Complex w) {
  constexpr int intervals = 4000;
  const double low = a / 2;
  const double high = std::max(w.real() * a, low) + 9;
  const double h = (high - low) / intervals;
  Complex sum = 0;
  for (int i = 0; i <= intervals; ++i) {
    const double y = low + i * h;
    const double log_f = std::log1p(q * std::expm1(a * y - a * a / 2));
    const double weight = i == 0 || i == intervals ? 1 : i % 2 == 1 ? 4 : 2;
    sum += weight * std::exp(w * log_f - y * y / 2);
  }
  return sum * h / 3.0 / std::sqrt(2 * std::numbers::pi);
}

Complex moment(const Case& given, Complex z) {
  Complex sum = 0;
  for (std::size_t i = 0; i < given.labels.size(); ++i) {
    const double a = static_cast<double>(given.labels[i]) / given.sigma;
    const double weight = std::exp2(i == 0 ? -1 : given.log2_rare);
    sum += weight * (half(a, given.rate, 1.0 + z) + half(a, given.rate, -z) +
                     (1 - given.rate) * std::erf(a / std::sqrt(8.0)));
  }
  return sum;
}

struct Setting {
  Case given;
  double t;
};

std::vector<Setting> settings() {
  std::vector<Setting> result;
  for (const auto& [rate, sigma, labels, t] :
       {std::tuple{0.5, 1.0, std::vector<std::uint64_t>{1, 4}, 1.0},
        {0.75, 1.0, {1, 4}, 1.0},
        {0.25, 0.5, {1, 2, 3}, 0.5},
        {0.5, 2.0, {1, 7}, 1.5},
        {0.5, 1.0, {1, 4}, -2.0},
        {0.5, 1.0, {1, 2, 3, 4, 5}, 0.25}}) {
    for (int j = 4; j <= 40; j += 6) result.push_back({{rate, sigma, labels, -1.0 * j}, t});
  }
  return result;
}

}  // namespace

TEST_CASE("rare labels: moments of low accuracy hold the truth") {
  for (const Setting& each : settings()) {
    const ReplacementLoss loss(replacement_of(each.given));
    const double truth = moment(each.given, each.t).real();
    for (const double nats : {0.5, 3.0}) {
      INFO("rate ", each.given.rate, ", ", each.given.labels.size(), " labels, 2^",
           each.given.log2_rare, ", order ", each.t, ", nats ", nats, ", moment ", truth);
      CHECK(truth * (1 - slack) <= loss.mgf_upper(Ball(each.t), nats).upper_double());
      CHECK(truth * (1 - slack) <=
            loss.mgf_bound_beyond(Ball(each.t), Ball(0), nats).upper_double());
      const Ball t(each.t);
      constexpr double step = 0.4;
      const LineValues line = loss.mgf_on_line(t, Ball(step), 3, nats);
      for (std::size_t k = 0; k < 3; ++k) {
        const Complex at = moment(each.given, {each.t, step * static_cast<double>(k)});
        const Ball error(slack * truth);
        CHECK_OVERLAPS(line.values[k].real(), widened(Ball(at.real()), error));
        CHECK_OVERLAPS(line.values[k].imaginary(), widened(Ball(at.imag()), error));
        if (k == 0) continue;
        const Ball bound = loss.mgf_bound_beyond(t, Ball(step) * Ball(static_cast<long>(k)), nats);
        CHECK(std::abs(at) - slack * truth <= bound.upper_double());
      }
    }
  }
}

// Both masses are powers of two, and the losses below -1000 have less than 2^-1000 of them: what is
// left of the first label at 40 bits is exact, so nothing but the bound accounts for the second.
TEST_CASE("rare labels: distribution functions of low precision hold the truth") {
  const Case given{0.5, 1, {1, 2}, -55};
  const ReplacementLoss loss(replacement_of(given));
  const Ball x(-1000);
  Ball exact;
  {
    const PrecisionScope finer(200);
    exact = loss.q_above(x);
    CHECK_OVERLAPS(exact, loss.q_mass());
  }
  const PrecisionScope scope(40);
  CHECK_OVERLAPS(loss.q_above(x), exact);
}
