#include "verification/certificates/proposals/path_rules.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "accountants/proof/arithmetic/rejected.hpp"
#include "lib/analysis/strip_quadrature.hpp"
#include "lib/exact/rational.hpp"
#include "lib/work/work_limit.hpp"
#include "verification/certificates/proposals/question.hpp"

namespace plaudit {

namespace {

using proof::Interval;
using Json = nlohmann::ordered_json;

constexpr double most_looks = 20000;
constexpr double most_path_points = 1.9e6;
constexpr long rough_bits = 64;
constexpr std::uintmax_t most_looks_at_tails = 10;
constexpr double most_excess = 1e6;  ///< nats: keeps the logs of tails finite
/// The core of an integrand, where it is within so much of its peak, decides how fast its integral
/// falls along a line: looked at in so many places, at most.
constexpr double nats_of_core = 12;
constexpr double looks_of_decay = 60;
// Heights of shifted lines that are tried, downward from a part of the highest one.
constexpr double highest_shift = 0.85;
constexpr double next_shift = 0.72;
constexpr int most_shifts = 24;
constexpr double least_fall = 1e-4;  ///< beside the accuracy that is wanted

double near(const Interval& x) { return mpfr_get_d(x.high(), MPFR_RNDN); }
Interval at(double x) { return Interval(checked_rational(x, "a place")); }

/// What the checker's bound gives, +inf where one of its conditions fails.
template <class Bound>
double or_infinity(Bound&& bound) {
  try {
    const double value = bound();
    return std::isnan(value) ? infinity : value;
  } catch (const proof::Rejected&) {
    return infinity;
  }
}

double log_of(const Interval& x) { return near(proof::log(proof::top(x))); }

}  // namespace

PathRules::PathRules(proof::PathPointer path, const PathWindow& window)
    : path_(std::move(path)), window_(window), log_integral_(-infinity), core_(0) {
  const PrecisionScope scope(rough_bits);
  const double count = (window.high - window.low) / window.step;
  if (!(count < most_looks)) throw std::invalid_argument("a moment reaches too far out");
  std::vector<double> sizes;
  double peak = -infinity;
  for (double y = window.low; y <= window.high; y += window.step) {
    if ((sizes.size() & 63) == 0) check_work_limit();
    sizes.push_back(or_infinity([&] { return near(path_->log_size(at(y))); }));
    if (sizes.back() > peak && sizes.back() < infinity) {
      peak = sizes.back();
      core_ = y;
    }
  }
  double sum = 0;
  core_low_ = core_high_ = core_;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (!(sizes[i] < infinity)) continue;
    sum += std::exp(sizes[i] - peak);
    if (sizes[i] < peak - nats_of_core) continue;
    const double y = window.low + static_cast<double>(i) * window.step;
    core_low_ = std::min(core_low_, y);
    core_high_ = std::max(core_high_, y);
  }
  log_integral_ = peak + std::log(sum * window.step);
}

double PathRules::log_crude() const {
  const PrecisionScope scope(rough_bits);
  return or_infinity([&] { return log_of(path_->crude()); });
}

double PathRules::log_edge(double e, double s) const {
  return or_infinity([&] { return log_of(path_->edge(at(e), at(s))); });
}

double PathRules::log_tails(double first, double last, double eta) const {
  return or_infinity([&] { return log_of(path_->tails(at(first), at(last), at(eta))); });
}

Json PathRules::reaching(const Rule& rule, double log_target) const {
  double low = window_.low;
  double high = window_.high;
  const auto enough = [&](double from, double to) {
    return log_tails(from, to, rule.eta) <= log_target;
  };
  for (int i = 0; !enough(low, high); ++i) {
    check_work_limit();
    if (i == 60) throw std::invalid_argument("a rule of integration has no bounded tails");
    const double more = 0.25 * (high - low) + 1;
    low -= more;
    high += more;
  }
  // the logs of the tails are smooth, so that a few looks find the point next to which one suffices
  const auto shrink = [&](double far, double inner, auto&& excess) {
    if (std::fabs(far - inner) < rule.d || !(excess(inner) > 0)) return inner;
    std::uintmax_t looks = most_looks_at_tails;
    const auto near = [&](double a, double b) { return std::fabs(a - b) < rule.d; };
    const auto found = boost::math::tools::toms748_solve(excess, std::min(far, inner),
                                                         std::max(far, inner), near, looks);
    return far > inner ? found.second : found.first;
  };
  const auto excess = [&](double from, double to) {
    return std::min(log_tails(from, to, rule.eta) - log_target, most_excess);
  };
  high = shrink(high, std::min(high, core_), [&](double y) { return excess(low, y); });
  low =
      shrink(low, std::max(low, std::min(core_, high)), [&](double y) { return excess(y, high); });
  const double first = std::floor(low / rule.d) - 1;
  const double last = std::ceil(high / rule.d) + 1;
  if (!(std::fabs(first) < most_path_points && std::fabs(last) < most_path_points)) {
    throw std::invalid_argument("a rule of integration has too many points");
  }
  return {{"eta", dyadic(rule.eta)},
          {"v", dyadic(rule.v)},
          {"d", dyadic(rule.d)},
          {"first", whole(first)},
          {"last", whole(last)}};
}

Json PathRules::on_axis(double nats) const {
  const PrecisionScope scope(rough_bits);
  Rule best;
  for (double part = 0.95; part > 0.03; part *= 0.8) {
    const double v = short_double(part * window_.limit);
    const double d = 2 * std::numbers::pi * v / (nats + 1 + log_edge(v, 0));
    if (d > best.d) best = {0, v, short_double(d)};
  }
  if (!(best.d > 0)) throw std::invalid_argument("no strip for a rule of integration");
  return reaching(best, log_integral_ - nats - 1);
}

Json PathRules::on_line(double nats) const {
  const PrecisionScope scope(rough_bits);
  Rule best;
  for (double part = 0.48; part > 0.015; part *= 0.8) {
    const double v = short_double(part * window_.limit);
    const double edges = std::max(log_edge(2 * v, 0), log_edge(0, 0)) + 0.7;
    const double d = 2 * std::numbers::pi * v / (nats + 1 + edges);
    if (d > best.d) best = {v, v, short_double(d)};
  }
  if (!(best.d > 0)) throw std::invalid_argument("no strip for a rule of integration");
  return reaching(best, log_integral_ - nats - 1);
}

double PathRules::log_decay(double eta, double s) const {
  const double step = std::max(window_.step, (core_high_ - core_low_) / looks_of_decay);
  double peak = -infinity;
  std::vector<double> sizes;
  for (double y = core_low_; y <= core_high_; y += step) {
    sizes.push_back(or_infinity([&] {
      const proof::PathPoint found = path_->point(at(y), at(eta));
      return near(found.weight.size - at(s) * found.g.angle);
    }));
    if (sizes.back() < infinity) peak = std::max(peak, sizes.back());
  }
  double sum = 0;
  for (const double size : sizes) {
    if (size < infinity) sum += std::exp(size - peak);
  }
  return peak + std::log(sum * step);
}

PathRules::Shift PathRules::best_shift(double s, double nats) const {
  Shift best{0, -least_fall * std::exp(-nats)};
  double turn = highest_shift * window_.limit;
  for (int i = 0; i < most_shifts; ++i, turn *= next_shift) {
    check_work_limit();
    const double fall = log_decay(turn, s) - log_integral_;
    if (fall < best.log_fall) {
      best = {short_double(turn), fall};
    } else if (best.eta > 0) {
      break;
    }
  }
  return best;
}

Json PathRules::beyond(double s, double nats, const std::optional<Shift>& known) const {
  const PrecisionScope scope(rough_bits);
  const Shift shift = known ? *known : best_shift(s, nats);
  const double eta = shift.eta;
  const double least = log_integral_ + shift.log_fall;
  if (!(eta > 0)) return nullptr;
  Rule best;
  for (double part = 0.95; part > 0.02; part *= 0.75) {
    const double v = short_double(part * (window_.limit - eta));
    const double edges = (log_edge(eta + v, s) + log_edge(eta - v, s)) / 2 + 0.7;
    const double d = 2 * std::numbers::pi * v / (nats + 1 + log_integral_ - least + edges);
    if (d > best.d) best = {eta, v, short_double(d)};
  }
  if (!(best.d > 0)) return nullptr;
  return reaching(best, least - nats - 1);
}

namespace {

template <class Law>
std::shared_ptr<const proof::Density> density(const Law& law) {
  return std::make_shared<const proof::Density>(law);
}

}  // namespace

double greatest_rate(const proof::Mixture& law) {
  return estimate(law.rates.back()) * std::sqrt(estimate(law.radicand));
}

PathRules mixture_rules(const proof::Mixture& law, double r) {
  const PrecisionScope scope(rough_bits);
  const double a = greatest_rate(law);
  double left = std::max(0.0, -r * a);
  if (law.rates.front() == 0) {  // f stays above the probability of the rate 0
    left =
        std::min(left, std::sqrt(2 * std::max(0.0, r * estimate_log(law.probabilities.front()))));
  }
  const PathWindow window{-left - 10, std::max(0.0, r * a) + 10,
                          0.25 / std::sqrt(1 + std::max(0.0, -r) * a * a / 4),
                          0.999 * std::numbers::pi / a};
  return {proof::mixture_path(density(law), at(r)), window};
}

PathRules mirrored_rules(const proof::Mirrored& law, double t) {
  const PrecisionScope scope(rough_bits);
  const double a = estimate(law.rates.back());
  const double order = std::max(std::fabs(t), std::fabs(1 + t));
  const double reach = (1 + 2 * order) * a + 10;
  const PathWindow window{-reach, reach, 0.25 / std::sqrt(1 + order * a * a / 4),
                          0.999 * std::numbers::pi / a};
  return {proof::mirrored_path(density(law), at(t)), window};
}

PathRules half_rules(const Rational& a, const Rational& q, double r) {
  const PrecisionScope scope(rough_bits);
  const double rate = estimate(a);
  const PathWindow window{-60, std::max(0.0, r * rate - rate / 2) + 12, 0.15,
                          0.999 * std::min(std::numbers::pi / 2, std::numbers::pi / rate)};
  return {proof::half_path(Interval(a), Interval(q), at(r)), window};
}

PathRules cut_rules(const proof::Mixture& law, double cut, double r) {
  const PrecisionScope scope(rough_bits);
  const double a = greatest_rate(law);
  const PathWindow window{-60, cut + 12, 0.15,
                          0.999 * std::min(std::numbers::pi / 2, std::numbers::pi / a)};
  return {proof::cut_path(density(law), at(cut), at(r)), window};
}

PathRules bounded_gaussian_rules(const Rational& mu, const Rational& end, double t) {
  const PrecisionScope scope(rough_bits);
  constexpr double deviations_of_window = 30;
  constexpr double farthest = 30;  // of u, where l = end tanh(u) is the end but for e^-60
  const double greatest = estimate(end);
  const double deviation = std::sqrt(2 * estimate(mu));
  const double centre = estimate(mu) * (2 * t + 1);
  const auto place = [&](double l) {
    return std::clamp(std::atanh(std::clamp(l / greatest, -1.0, 1.0)), -farthest, farthest);
  };
  const PathWindow window{place(centre - deviations_of_window * deviation) - 1,
                          place(centre + deviations_of_window * deviation) + 1,
                          std::min(0.1, 0.3 * deviation / greatest), 0.999 * std::numbers::pi / 4};
  return {proof::bounded_gaussian_path(Interval(mu), Interval(end), at(t)), window};
}

PathRules interval_rules(const Rational& a, const Rational& q, double r) {
  const PrecisionScope scope(rough_bits);
  const PathWindow window{
      -30, 30, 0.1,
      0.999 * std::min(std::numbers::pi / 4, std::atan(std::numbers::pi / estimate(a)))};
  return {proof::interval_path(Interval(a), Interval(q), at(r)), window};
}

}  // namespace plaudit
