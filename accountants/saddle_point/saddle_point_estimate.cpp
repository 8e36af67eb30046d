// Estimates of delta at the saddle point (Alghamdi et al., arXiv 2208.09595): no error bound.
//
// F(z) = K(z) - z eps - log z - log(1 + z), F'(t) = 0, l_j = F^(j)(t) / F''(t)^{j/2}:
//   msd(order 2)   e^F / sqrt(2 pi F'')
//   msd(order 4)   ... (1 + l4/8 - 5 l3^2/24)
//   msd(order 6)   ... (1 + ... - l6/48 + 35 l4^2/384 + 7 l3 l5/48 - 35 l3^2 l4/64 + 385 l3^4/1152)
//   clt            the normal approximation of the tilted loss, without its bound
// Along the saddle eps(t) = K' - 1/t - 1/(1+t), which turns the inversion into a search for t.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "accountants/cumulants/order_search.hpp"
#include "accountants/saddle_point/berry_esseen_bound.hpp"
#include "accountants/saddle_point/saddle_point.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/balls/precision.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

// The search for t: steps, the first step of log t (doubled), |log t| at most, and the width of log
// t or the size of the excess at which it ends.
constexpr int most_steps_of_search = 60;
constexpr double first_step = 0.1;
constexpr double farthest_log = 80;
constexpr double same_log = 1e-13;
constexpr double no_excess = 1e-11;
constexpr double log_of_negative = -1e4;  ///< log delta where a correction has made it negative
constexpr long bits_of_sketch = 128;      ///< for K and cumulants in doubles: no further loss
constexpr int clt = 0;                    ///< in place of the number of derivatives

/// F^(j) at t, j >= 2.
double derivative(const ComposedTilt& tilt, int j) {
  const double t = tilt.t;
  double factorial = 1;
  for (int i = 2; i < j; ++i) factorial *= i;
  const double poles = factorial * (std::pow(t, -j) + std::pow(1 + t, -j));
  return tilt.cumulants[static_cast<std::size_t>(j)].estimate() + (j % 2 == 0 ? poles : -poles);
}

/// K'(t) - 1/t - 1/(1+t): the epsilon whose saddle point t is.
Ball saddle_epsilon(const ComposedTilt& tilt) {
  const Ball t(tilt.t);
  return tilt.mean() - Ball(1) / t - Ball(1) / (t + Ball(1));
}

double correction(const ComposedTilt& tilt, int order) {
  const double f2 = derivative(tilt, 2);
  const auto l = [&](int j) { return derivative(tilt, j) / std::pow(f2, 0.5 * j); };
  double sum = 1;
  if (order >= 4) sum += l(4) / 8 - 5 * l(3) * l(3) / 24;
  if (order >= 6) {
    const double square = l(3) * l(3);
    sum += -l(6) / 48 + 35 * l(4) * l(4) / 384 + 7 * l(3) * l(5) / 48 - 35 * square * l(4) / 64 +
           385 * square * square / 1152;
  }
  return sum;
}

class EstimateCurve final : public PrivacyCurve {
 public:
  EstimateCurve(const ComposedLoss& loss, int order) : loss_(loss), table_(loss_), order_(order) {}

  Enclosure delta(const Rational& epsilon) override {
    return answer([&] { return delta_at(epsilon); });
  }

  Enclosure epsilon(const Rational& delta) override {
    if (delta >= 1) return estimated(Ball(0));
    return answer([&] { return epsilon_at(delta); });
  }

 private:
  Enclosure estimated(const Ball& value) const {
    Enclosure result;
    result.lower = result.upper = value.middle();
    result.certified = false;
    result.accountant = order_ == clt ? "saddle_point_clt" : "saddle_point_msd";
    result.method = order_ == clt ? "normal approximation at the saddle point"
                                  : "steepest descent, order " + std::to_string(order_);
    result.remark = "an estimate without a bound";
    return result;
  }

  template <class Work>
  Enclosure answer(Work&& work) {
    try {
      return estimated(work());
    } catch (const std::domain_error& error) {
      Enclosure result = estimated(Ball(0));
      result.upper = positive_infinity();
      result.remark = std::string("no estimate: ") + error.what();
      return result;
    }
  }

  /// The estimate at the epsilon whose saddle point the tilt is.
  Ball value(const ComposedTilt& tilt, const Ball& epsilon) const {
    const PrecisionScope scope(tilt.bits);
    if (order_ == clt) return loss_.mass_at_infinity() + normal_delta(tilt, epsilon);
    const Ball t(tilt.t);
    const Ball exponent = tilt.log_mgf - t * epsilon - log(t) - log1p(t);
    const double scale =
        correction(tilt, order_) / std::sqrt(2 * std::numbers::pi * derivative(tilt, 2));
    return loss_.mass_at_infinity() + exp(exponent) * Ball(scale);
  }

  /// The tilt from sums in doubles, where the laws have such sums: an estimate needs no enclosures.
  const ComposedTilt& tilt(double t) {
    check_work_limit();
    if (const auto known = sketches_.find(t); known != sketches_.end()) return known->second;
    if (const auto sums = loss_.estimate_cumulants(t)) {
      ComposedTilt result;
      result.t = t;
      result.bits = bits_of_sketch;
      result.log_mgf = Ball((*sums)[0]);
      for (std::size_t j = 1; j < sums->size(); ++j) result.cumulants[j] = Ball((*sums)[j]);
      return sketches_.emplace(t, std::move(result)).first->second;
    }
    const ComposedTilt* found = table_.at(t);
    if (found == nullptr) throw std::domain_error("moments have no enclosure at the saddle point");
    return *found;
  }

  /// Where `excess(tilt) > 0`, increasing in t, begins: the Illinois method in log t.
  double search(const std::function<double(const ComposedTilt&)>& excess, double start) {
    double low = std::log(start);
    double high = low;
    double at_low = excess(tilt(start));
    double at_high = at_low;
    for (double step = first_step; at_low > 0 && low > -farthest_log; step *= 2) {
      high = low;
      at_high = at_low;
      low -= step;
      at_low = excess(tilt(std::exp(low)));
    }
    for (double step = first_step; at_high <= 0 && high < farthest_log; step *= 2) {
      low = high;
      at_low = at_high;
      high += step;
      at_high = excess(tilt(std::exp(high)));
    }
    int side = 0;
    for (int i = 0; i < most_steps_of_search && high - low > same_log; ++i) {
      double middle = (low * at_high - high * at_low) / (at_high - at_low);
      if (!(middle > low && middle < high)) middle = (low + high) / 2;
      const double here = excess(tilt(std::exp(middle)));
      if (std::fabs(here) < no_excess) return std::exp(middle);
      if (here > 0) {
        high = middle;
        at_high = here;
        if (side > 0) at_low /= 2;
        side = 1;
      } else {
        low = middle;
        at_low = here;
        if (side < 0) at_high /= 2;
        side = -1;
      }
    }
    return std::exp((low + high) / 2);
  }

  Ball delta_at(const Rational& epsilon) {
    const double goal = plaudit::estimate(epsilon);
    const double start =
        chernoff_order_at_epsilon([&](double t) { return loss_.estimate_cumulant(t); }, goal);
    const double t = search(
        [&](const ComposedTilt& at) {
          const PrecisionScope scope(at.bits);
          return ((saddle_epsilon(at) - Ball(epsilon)) / sqrt(at.variance())).estimate();
        },
        start);
    const PrecisionScope scope(tilt(t).bits);
    return min(value(tilt(t), Ball(epsilon)), Ball(1));
  }

  Ball epsilon_at(const Rational& delta) {
    const Ball rest = Ball(delta) - loss_.mass_at_infinity();
    if (!certainly_positive(rest)) return positive_infinity();
    const double start = chernoff_order_at_delta(
        [&](double t) { return loss_.estimate_cumulant(t); }, rest.estimate_log());
    const double wanted = estimate_log(delta);
    const double t = search(
        [&](const ComposedTilt& at) {
          const PrecisionScope scope(at.bits);
          const Ball found = value(at, saddle_epsilon(at));
          // a correction may have made it negative: as if delta were tiny
          const double size = certainly_positive(found) ? found.estimate_log() : log_of_negative;
          return wanted - size;
        },
        start);
    return max(Ball(0), saddle_epsilon(tilt(t)));
  }

  ComposedLoss loss_;
  TiltTable table_;
  std::map<double, ComposedTilt> sketches_;
  int order_;
};

class SaddlePointEstimate final : public Accountant {
 public:
  explicit SaddlePointEstimate(int order) : order_(order) {}
  std::string_view name() const override {
    return order_ == clt ? "saddle_point_clt" : "saddle_point_msd";
  }
  std::string_view summary() const override {
    return order_ == clt
               ? "normal approximation of the loss tilted at the saddle point: an estimate"
               : "steepest descent at the saddle point, order 2, 4 or 6: an estimate";
  }
  std::string_view theorem() const override { return "none: no bound of the error"; }
  const std::vector<Parameter>& parameters() const override {
    static const std::vector<Parameter> none;
    static const std::vector<Parameter> all = {{"order", "2, 4 or 6", "2"}};
    return order_ == clt ? none : all;
  }
  std::shared_ptr<const Accountant> with(const Arguments& settings) const override {
    const std::uint64_t order = settings.count("order", 6);
    if (order % 2 != 0) settings.reject("order", std::to_string(order));
    return std::make_shared<SaddlePointEstimate>(static_cast<int>(order));
  }
  std::optional<std::string> refusal(const ComposedLoss& loss) const override {
    if (auto reason = lack_of_moments(name(), loss)) return reason;
    if (loss.estimate_cumulant(1).variance > 0) return std::nullopt;
    return std::string(name()) + " needs a privacy loss with positive variance";
  }
  bool estimates_only() const override { return true; }
  Offer offer(const ComposedLoss&) const override { return {.of = Offer::Of::bounds}; }
  std::unique_ptr<PrivacyCurve> curve(const ComposedLoss& loss, const Goal&) const override {
    return std::make_unique<EstimateCurve>(loss, order_);
  }

 private:
  int order_;
};

}  // namespace

std::shared_ptr<const Accountant> saddle_point_msd_accountant() {
  return std::make_shared<SaddlePointEstimate>(2);
}
std::shared_ptr<const Accountant> saddle_point_clt_accountant() {
  return std::make_shared<SaddlePointEstimate>(clt);
}

}  // namespace plaudit
