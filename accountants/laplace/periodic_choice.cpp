// Parameters of the folded line of Laplace noise of several scales. Heuristics only: every bound is
// evaluated again, in balls, at what is chosen here.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "accountants/contour/straight_choice.hpp"
#include "accountants/cost_models.hpp"
#include "accountants/laplace/periodic_line.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr long most_orders = 600;
constexpr std::uint64_t most_product_direct = 512;
constexpr double most_classes_of_product = 1e12;
constexpr double most_kept = 3000;            ///< classes that are summed
constexpr double nats_of_product_term = 1.5;  ///< that each error term is below what is wanted
constexpr double blocks_of_class = 4;         ///< times 200: blocks left out, about, in all
constexpr double product_spare_bits = 48;
constexpr double kappas_of_product[] = {0.12, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8};
constexpr double shares_of_product[] = {1.0, 0.6, 0.35, 0.15, 0.06, 0.02};  ///< of the saddle point
constexpr double cheap_product = 2e-2;         ///< seconds at which no other share is tried
constexpr double products_of_block = 60;       ///< that bounding a block costs, for each scale
constexpr double blocks_between_looks = 4096;  ///< at signals and limits: some milliseconds
constexpr double share_of_product_time = 0.3;  ///< that one line may take

/// The composition on a line, in floating point.
struct ProductModel {
  struct Noise {
    double a, n;
  };
  std::vector<Noise> noises;
  double log_others;  ///< log C(t)
  double sigma;       ///< 2t + 1

  /// log |A| or log |B|, from the trigonometric part of its square.
  static double part(double a, double sigma, double trigonometric) {
    return -a / 2 + std::log(std::pow(std::sinh(a * sigma / 2), 2) + trigonometric) / 2;
  }
  /// log of the product of (|A| + |B| |u|)^n.
  double log_size(double s, double u) const {
    double sum = log_others;
    for (const Noise& noise : noises) {
      const double square = std::pow(std::cos(noise.a * s), 2);
      sum += noise.n * std::log(std::exp(part(noise.a, sigma, square)) +
                                u * std::exp(part(noise.a, sigma, 1 - square)));
    }
    return sum;
  }
  /// A bound of it on [low, high].
  double log_bound(double low, double high) const {
    const double u = 1 / std::hypot(sigma, 2 * low);
    double sum = log_others;
    for (const Noise& noise : noises) {
      const auto greatest = [&](double shift) {
        const double x = (noise.a * low + shift) / std::numbers::pi;
        const double y = (noise.a * high + shift) / std::numbers::pi;
        if (std::floor(y) > std::floor(x)) return 1.0;
        return std::max(std::pow(std::cos(x * std::numbers::pi), 2),
                        std::pow(std::cos(y * std::numbers::pi), 2));
      };
      sum += noise.n * std::log(std::exp(part(noise.a, sigma, greatest(0))) +
                                u * std::exp(part(noise.a, sigma, greatest(std::numbers::pi / 2))));
    }
    return sum;
  }
};

/// What choose_periodic_at reckons with.
struct ProductPlan {
  const ProductModel& model;
  double h, alpha, classes, goal;
  std::vector<double> kept;
  double blocks = 0;

  void cover(double first, double last) {
    if (static_cast<double>(kept.size()) > most_kept) return;
    ++blocks;
    if (std::fmod(blocks, blocks_between_looks) == 0) check_work_limit();
    const double sum = 2 * std::log(alpha / 2 / std::sin(std::numbers::pi * first / classes));
    if (model.log_bound(first * h, last * h) + sum + std::log(last - first + 1) < goal) return;
    if (first == last) {
      kept.push_back(first);
      return;
    }
    const double middle = first + std::floor((last - first) / 2);
    cover(first, middle);
    cover(middle + 1, last);
  }
};

/// The fewest powers of 1/j for all classes kept, and log of the growth.
double orders_of_product(const ProductPlan& plan, double t, double direct, double kappa,
                         double share, double* growth) {
  const double turn = 4 * std::numbers::pi / plan.alpha;
  const double radius = 1 / (kappa * turn * (direct + 1));
  double orders = 1;
  const std::size_t step = std::max<std::size_t>(1, plan.kept.size() / 12);
  for (std::size_t i = 0; i < plan.kept.size(); i += step) {
    const double s = plan.kept[i] * plan.h;
    const double room = 1 - radius * std::hypot(2 * t + 1, 2 * s);
    const double above = 1 - radius * std::hypot(2 * t + 2, 2 * s);
    if (!(above > 0.05)) return infinity;
    const double size = plan.model.log_size(s, radius / room) - 2 * std::log(above) + std::log(4.0);
    const double rest = size + std::log(2 / (turn * turn * (direct + 0.5) * (1 - kappa))) - share;
    orders = std::max(orders, std::ceil(rest / -std::log(kappa)));
    *growth = std::max(*growth, size);
  }
  return orders;
}

PeriodicChoice choose_periodic_at(const ComposedLoss& loss, const PeriodicLaw& law,
                                  CumulantTable& table, double t, const LineAim& aim) {
  PeriodicChoice choice;
  choice.t = t;
  choice.seconds = infinity;
  const double target = aim.log_delta - aim.nats - nats_of_product_term;
  const LinePeriod least = least_period(loss, table, t, aim.epsilon, target);
  choice.both_residues = least.both_residues;
  const double alpha = estimate(law.mesh);
  const double classes = std::ceil(least.period / alpha);
  if (!(classes < most_classes_of_product)) return choice;
  choice.classes = static_cast<std::uint64_t>(clamped_integer(classes, 1, most_index)) | 1;
  const auto all = static_cast<double>(choice.classes);
  const double h = 2 * std::numbers::pi / (alpha * all);
  ProductModel model{{}, 0, 2 * t + 1};
  for (const auto& noise : law.noises) {
    model.noises.push_back({estimate(noise.ratio), static_cast<double>(noise.steps)});
  }
  for (const ComposedLoss::Term& term : law.others) {
    model.log_others += static_cast<double>(term.count) * term.loss->estimate_cumulant(t).value;
  }
  const double whole = target + t * aim.epsilon - std::log(h / std::numbers::pi);
  ProductPlan plan{model, h, alpha, all, whole - std::log(blocks_of_class * 200), {0.0}, 0};
  choice.log_goal = plan.goal;
  for (double first = 1; first <= (all - 1) / 2; first *= 2) {
    plan.cover(first, std::min(2 * first - 1, (all - 1) / 2));
  }
  const auto kept = static_cast<double>(plan.kept.size());
  if (kept > most_kept) return choice;
  const double lost = std::max({0.0, table.at(t).value - t * aim.epsilon - aim.log_delta,
                                -t * least.period - aim.log_delta});
  for (std::uint64_t direct = 1; direct <= most_product_direct; direct *= 2) {
    check_work_limit();
    const auto j = static_cast<double>(direct);
    for (const double kappa : kappas_of_product) {
      double growth = 0;
      const double orders = orders_of_product(plan, t, j, kappa, whole - std::log(kept), &growth);
      if (!(orders <= most_orders)) continue;
      const double excess = std::max(lost, growth - t * aim.epsilon + std::log(h) - aim.log_delta);
      const double bits = (aim.nats + excess) / log_two + 2 * std::log2(loss.steps() + 1) +
                          3 * std::log2(2.0 + kept) + std::log2(1 + t * std::fabs(aim.epsilon)) +
                          product_spare_bits;
      const double scales = static_cast<double>(law.noises.size());
      const double products =
          kept * (20 * scales * (2 * j + 1) + orders * (10 * scales + (scales - 1) * orders)) +
          products_of_block * plan.blocks * scales + orders * (orders + 4 * j);
      const double seconds = costs::folded_line(products, bits);
      if (seconds >= choice.seconds) continue;
      choice.seconds = seconds;
      choice.direct = direct;
      choice.orders = static_cast<std::size_t>(clamped_integer(orders, 1, most_orders));
      choice.kappa = kappa;
      choice.bits = precision_bits(bits);
    }
  }
  return choice;
}

}  // namespace

PeriodicChoice choose_periodic(const ComposedLoss& loss, const PeriodicLaw& law,
                               CumulantTable& table, const LineAim& aim) {
  PeriodicChoice best;
  best.seconds = infinity;
  const double saddle = table.saddle(aim.epsilon);
  for (const double share : shares_of_product) {
    check_work_limit();
    const PeriodicChoice choice = choose_periodic_at(loss, law, table, saddle * share, aim);
    if (choice.seconds < best.seconds) best = choice;
    if (best.seconds < cheap_product) break;
  }
  if (best.seconds > share_of_product_time * work_seconds_left()) best.seconds = infinity;
  return best;
}

}  // namespace plaudit
