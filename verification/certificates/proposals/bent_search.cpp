#include "verification/certificates/proposals/bent_search.hpp"
#include "verification/certificates/question.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <stdexcept>

#include "lib/constants.hpp"

namespace plaudit {

namespace {

using Complex = std::complex<double>;
constexpr double pi = std::numbers::pi;
constexpr int samples = 200;   // of a path
constexpr int most_arcs = 60;  // of a hyperbola
constexpr double arc_length = 0.2;
constexpr double margin = 0.02;  // by which hypotheses are met

/// The logarithm that is real on the real axis, where the path may go.
Complex log_ratio(const BentTask::Factor& factor, Complex y) {
  const double rate = factor.rates.back(), shift = factor.shifts.back();
  const Complex largest = rate * y + shift;
  if (largest.real() <= 0) {
    Complex sum = 0;
    for (std::size_t i = 0; i < factor.rates.size(); ++i) {
      sum += std::exp(factor.rates[i] * y + factor.shifts[i]);
    }
    // log(1 + u) without cancellation for small u
    return std::norm(sum) < 1e-12 ? sum : std::log(1.0 + sum);
  }
  Complex sum = std::exp(-largest);
  for (std::size_t i = 0; i + 1 < factor.rates.size(); ++i) {
    sum += std::exp((factor.rates[i] - rate) * y + (factor.shifts[i] - shift));
  }
  return largest + std::log(1.0 + sum);
}

double excess(const BentTask::Factor& factor, double y) {
  double sum = 0;
  for (std::size_t i = 0; i < factor.rates.size(); ++i) {
    sum += std::exp(factor.rates[i] * y + factor.shifts[i]);
  }
  return sum;
}

double remainder(const BentTask::Factor& factor, double y) {
  const double rate = factor.rates.back(), shift = factor.shifts.back();
  double sum = std::exp(-(rate * y + shift));
  for (std::size_t i = 0; i + 1 < factor.rates.size(); ++i) {
    sum += std::exp((factor.rates[i] - rate) * y + (factor.shifts[i] - shift));
  }
  return sum;
}

struct Hyperbola {
  double center, scale, angle;
  double sine = std::sin(angle), cosine = std::cos(angle);

  Complex at(double x) const {
    return {center + scale * sine * std::cosh(x), scale * cosine * std::sinh(x)};
  }
  double crossing() const { return center + scale * sine; }
  double steepness(Complex value) const { return sine * value.real() - cosine * value.imag(); }
};

struct Sample {
  double weight;  ///< |phi dy|
  Complex value;
  double error;   ///< how much l may differ from it on a piece
  double radius;  ///< of the piece
};

struct Norms {
  double minus_one = 0, plain = 0;
};

struct PathModel {
  const BentTask::Factor& factor;
  double rise, tilt, knee, bend, strip, accuracy;
  double from = 0, to = 0;
  std::vector<Sample> middle{}, above{}, below{};

  Complex at(double x, double offset) const {
    const Complex place((x - knee) / bend, offset / bend);
    const Complex turn = place.real() > 30 ? place : std::log(1.0 + std::exp(place));
    return Complex(x, offset + rise) + Complex(0, tilt * bend) * turn;
  }

  /// Where neither the lowest nor the top component rules, the path must be near the real axis.
  bool inside() const {
    double ends[2];
    for (int side = 0; side < 2; ++side) {
      double low = -200, high = 200;
      for (int i = 0; i < 40; ++i) {
        const double y = (low + high) / 2;
        const bool left = side == 0 ? excess(factor, y) < 0.8 : remainder(factor, y) > 0.8;
        (left ? low : high) = y;
      }
      ends[side] = low;
    }
    const double rate = factor.rates.back(), radius = 0.1 / std::max(1.0, rate);
    const double room = 2 * radius + strip;
    return rate * (at(ends[1] + room, strip).imag() + radius) < 3.12 &&
           rate * (at(ends[0] - room, -strip).imag() - radius) > -3.12;
  }

  void sample(double order) {
    const double narrow = 1 - tilt * tilt, width = 13.5 / std::sqrt(narrow);
    const double top = -tilt * tilt * (knee - rise / tilt) / narrow;
    from = -14;
    to = std::max(14.0, top + width) + std::max(order, 0.0) * factor.rates.back() / narrow;
    middle = along(0);
  }

  std::vector<Sample> along(double offset) const {
    std::vector<Sample> result;
    const double width = (to - from) / samples;
    for (int i = 0; i < samples; ++i) {
      const Complex y = at(from + (i + 0.5) * width, offset);
      const Complex value = log_ratio(factor, y);
      const double slope = std::abs(log_ratio(factor, y + 1e-4) - value) / 1e-4;
      const double radius = piece_radius(value, slope);
      const double exponent = -(y * y).real() / 2 + std::abs(y) * radius;
      const double weight = std::exp(exponent) * width * (1 + tilt) / std::sqrt(2 * pi);
      const double error = std::min(1.1 * accuracy * std::abs(value), 0.17 * slope);
      result.push_back({weight, value, error, radius});
    }
    return result;
  }

  /// About what the halving of pieces arrives at.
  double piece_radius(Complex value, double slope) const {
    return std::min(0.09, 0.7 * accuracy * std::abs(value) / slope);
  }

  double pieces() const {
    double sum = 0;
    for (const Sample& s : middle) sum += (to - from) / samples * (1 + tilt) / (2 * s.radius);
    return sum;
  }

  double growth_rate(const Hyperbola& hyperbola) const {
    double worst = 0;
    for (const Sample& s : middle) {
      worst = std::max(worst, (hyperbola.steepness(s.value) + s.error) / hyperbola.sine);
    }
    return worst;
  }
};

Norms norms(const std::vector<Sample>& path, const Hyperbola& hyperbola, double x1, double x2) {
  const double c1 = hyperbola.center + hyperbola.scale * hyperbola.sine * std::exp(-x1);
  const double c2 = hyperbola.center + hyperbola.scale * hyperbola.sine * std::exp(-x2);
  const double s1 = hyperbola.scale * std::sinh(x1), s2 = hyperbola.scale * std::sinh(x2);
  const double size = std::fabs(hyperbola.center) + hyperbola.scale * std::cosh(x2);
  Norms sum;
  for (const Sample& s : path) {
    const double steep = hyperbola.steepness(s.value) + s.error, real = s.value.real();
    const double exponent = std::max(c1 * real, c2 * real) + std::max(s1 * steep, s2 * steep) +
                            std::max(std::fabs(c1), std::fabs(c2)) * s.error;
    const double growth = exponent < 500 ? std::exp(exponent) : infinity;
    const double furthest = std::abs(s.value) + s.error;
    sum.minus_one += s.weight * std::min(1 + growth, size * furthest * std::max(1.0, growth));
    sum.plain += s.weight * growth;
  }
  return sum;
}

/// One attempt: from free parameters to complete choices and their cost.
class Attempt {
 public:
  Attempt(const BentTask& task, double tolerance) : task_(task), tolerance_(tolerance) {}

  /// u: log distance of the crossing from the pole, log scale, angle, strip / angle; for each path
  /// log rise, log of the tilt's angle beyond the hyperbola's, knee, strip / rise, log of the bend
  /// beyond the least, log accuracy.
  bool complete(const std::vector<double>& u) {
    choice_.work = infinity;
    const double distance = std::exp(u[0]);
    choice_.scale = std::exp(u[1]);
    choice_.angle = u[2];
    choice_.strip = u[2] * u[3];
    const double steepest = (task_.mean > 0 ? pi / 4 : pi / 2) - margin;
    if (!(u[2] > 0.01 && u[3] > 0.05 && u[3] < 0.95) || u[2] + choice_.strip > steepest)
      return false;
    choice_.center =
        (task_.removes ? 1 + distance : -distance) - choice_.scale * std::sin(choice_.angle);
    for (const double shift : {-choice_.strip, 0.0, choice_.strip}) {
      hyperbolas_[shift < 0   ? 0
                  : shift > 0 ? 2
                              : 1] =
          Hyperbola{choice_.center, choice_.scale, choice_.angle + shift};
    }
    if (task_.removes ? hyperbolas_[0].crossing() < 1 + margin * distance
                      : hyperbolas_[2].crossing() > -margin * distance) {
      return false;
    }
    return paths(u) && arcs() && rules();
  }

  const BentChoice& choice() const { return choice_; }

 private:
  bool paths(const std::vector<double>& u) {
    paths_.clear();
    double growth = 0;
    for (std::size_t i = 0; i < task_.factors.size(); ++i) {
      const double* v = &u[4 + 6 * i];
      const double angle = choice_.angle + choice_.strip + std::exp(v[1]);
      if (angle > pi / 4 - margin || v[3] < 0.05 || v[5] > -0.1) return false;
      const double strip = v[3] * std::exp(v[0]);
      paths_.push_back({task_.factors[i], std::exp(v[0]), std::tan(angle), v[2],
                        2 * strip / pi * (1 + std::exp(v[4])), strip, std::exp(v[5])});
      PathModel& path = paths_.back();
      path.sample(hyperbolas_[1].crossing());
      if (!path.inside()) return false;
      growth += path.factor.count *
                std::max(path.growth_rate(hyperbolas_[0]), path.growth_rate(hyperbolas_[2]));
    }
    rate_ = task_.kappa() - growth;
    return rate_ > margin * task_.kappa();
  }

  double front() const { return (task_.removes ? std::exp(task_.epsilon) : 1.0) / pi; }

  double gaussian(const Hyperbola& hyperbola, double x1, double x2) const {
    const auto at = [&](double x) {
      const Complex w = hyperbola.at(x);
      return task_.mean * (w * (w - 1.0)).real();
    };
    return std::exp(std::min(std::max(at(x1), at(x2)), 500.0));
  }

  /// The checker's bound for an arc; `outside` is what stands before |Pi - s|.
  double on_arc(const Hyperbola& hyperbola, int i, double* outside = nullptr) const {
    const double x1 = i * arc_length, x2 = x1 + arc_length;
    double sums = 0, products = 0;
    for (const PathModel& path : paths_) {
      const Norms found = norms(path.middle, hyperbola, x1, x2);
      sums += path.factor.count * std::log1p(found.minus_one);
      products += path.factor.count * std::min(std::log1p(found.minus_one), std::log(found.plain));
    }
    if (!(sums < 600 && products < 600)) return infinity;
    const double size = task_.mean > 0 ? std::exp(products) * gaussian(hyperbola, x1, x2)
                                       : std::min(std::expm1(sums), 1 + std::exp(products));
    const Complex begin = hyperbola.at(x1), end = hyperbola.at(x2);
    double factor = front() * arc_length * hyperbola.scale *
                    std::hypot(std::sinh(x2), hyperbola.cosine) *
                    std::exp(-task_.kappa() * begin.real());
    for (const double pole : {0.0, 1.0}) {
      const double apart = std::max({begin.real() - pole, pole - end.real(), 0.0});
      factor /= std::hypot(apart, begin.imag());
    }
    if (outside != nullptr) {
      *outside = factor * std::exp(products) * (task_.mean > 0 ? gaussian(hyperbola, x1, x2) : 1.0);
    }
    return factor * size;
  }

  double beyond(const Hyperbola& hyperbola, double x) const {
    double products = 0;
    for (const PathModel& path : paths_) {
      double sum = 0;
      for (const Sample& s : path.middle) {
        const double c = hyperbola.center + hyperbola.scale * hyperbola.sine * std::exp(-x);
        sum += s.weight * std::exp(std::max(hyperbola.center * s.value.real(), c * s.value.real()));
      }
      products += path.factor.count * std::log(sum);
    }
    const double rise = hyperbola.scale * hyperbola.sine * std::cosh(x);
    const double size = std::exp(products - task_.kappa() * hyperbola.center - rate_ * rise) +
                        std::exp(-task_.kappa() * (hyperbola.center + rise));
    return front() * size / (hyperbola.scale * hyperbola.cosine * hyperbola.cosine * std::sinh(x));
  }

  /// Where the nodes and the arcs end, and the step between nodes.
  bool arcs() {
    const double share = tolerance_ / 5;
    std::vector<double> bounds;
    int end = 4;
    while (end < most_arcs) {
      double rest = 0;
      for (const Hyperbola& hyperbola : hyperbolas_) rest += beyond(hyperbola, end * arc_length);
      if (rest < share / 4) break;
      ++end;
    }
    if (end == most_arcs) return false;
    double edges = 0;
    amplification_ = 0;
    for (int i = 0; i < end; ++i) {
      double outside = 0;
      bounds.push_back(on_arc(hyperbolas_[1], i, &outside));
      amplification_ += outside;
      edges += on_arc(hyperbolas_[0], i) + on_arc(hyperbolas_[2], i);
    }
    if (!std::isfinite(edges) || !std::isfinite(amplification_)) return false;
    int kept = end;
    double rest = 0;
    while (kept > 1 && rest + bounds[static_cast<std::size_t>(kept - 1)] < share / 2) {
      rest += bounds[static_cast<std::size_t>(--kept)];
    }
    const double step = 2 * pi * choice_.strip / std::log1p(edges / share);
    choice_.per_arc = whole(std::ceil(arc_length / step));
    choice_.step = arc_length / static_cast<double>(choice_.per_arc);
    choice_.arcs = kept;
    // a smooth measure of the nodes, so that the search is not held up by whole numbers
    const double next = kept > 0 ? bounds[static_cast<std::size_t>(kept - 1)] : 1;
    const double before = kept > 1 ? bounds[static_cast<std::size_t>(kept - 2)] : next;
    const double part =
        std::log(before / next) > 0
            ? std::clamp(1 + std::log(share / 2 / next) / std::log(before / next), 0.0, 1.0)
            : 0.0;
    nodes_ = (kept - part) * arc_length / step;
    choice_.arcs_beyond = end - kept;
    return choice_.per_arc < 1000;
  }

  bool rules() {
    choice_.paths.clear();
    const Hyperbola& hyperbola = hyperbolas_[1];
    const double end = static_cast<double>(choice_.arcs) * arc_length;
    double points = 0, most = 0;
    pieces_ = 0;
    for (PathModel& path : paths_) {
      const double share =
          tolerance_ / 5 / static_cast<double>(paths_.size()) / path.factor.count / amplification_;
      path.above = path.along(path.strip);
      path.below = path.along(-path.strip);
      const double both = norms(path.above, hyperbola, 0, end).minus_one +
                          norms(path.below, hyperbola, 0, end).minus_one;
      const double step = 2 * pi * path.strip / std::log1p(both / share);
      if (!std::isfinite(both) || !(step > 0 && step < 1) || !range(path, share / 3, end))
        return false;
      points += (path.to - path.from) / step;
      const long first = whole(std::floor(path.from / step));
      const long last = whole(std::ceil(path.to / step));
      choice_.paths.push_back({path.rise, path.tilt, path.knee, path.bend, path.strip, step, first,
                               last, path.accuracy});
      pieces_ += path.pieces();
      double total = 0;
      for (const Sample& s : path.middle) {
        total += s.weight * std::exp(hyperbola.crossing() * s.value.real());
      }
      most = std::max(most, path.factor.count * (1 + total));
    }
    choice_.bits = 44 + whole(std::log2(most * amplification_ / tolerance_));
    choice_.bits = std::max(choice_.bits, 110L);
    choice_.work = points * (nodes_ + 10) +
                   pieces_ * static_cast<double>(2 * choice_.arcs + 3 * choice_.arcs_beyond + 20);
    return std::isfinite(points) && points < 1e5 && choice_.bits < 2000;
  }

  /// Moves from and to inward as far as the ends allow.
  bool range(PathModel& path, double share, double end) const {
    const Hyperbola& hyperbola = hyperbolas_[1];
    const double size = std::fabs(hyperbola.center) + hyperbola.scale * std::cosh(end);
    const double order = std::max(hyperbolas_[2].crossing(), 0.0);
    const double rate = path.factor.rates.back();
    const double shift = path.factor.shifts.back(), front = (1 + path.tilt) / 2;
    const auto left_fits = [&](double x) {
      const double drift = path.tilt * path.bend * std::exp((x - path.knee) / path.bend);
      const double y = x + drift, bound = excess(path.factor, y), h = path.rise + drift;
      if (bound > 0.9 || y > -0.1) return false;
      const double l = bound / (1 - bound), growth = std::exp(std::min(size * l, 500.0));
      return front * std::exp((h * h - y * y) / 2) / -y * std::min(1 + growth, size * l * growth) <
             share;
    };
    const auto right_fits = [&](double x) {
      const double drift = path.tilt * path.bend * std::exp((path.knee - x) / path.bend);
      const double least = x - path.tilt * path.strip - drift;
      const double bound = remainder(path.factor, least);
      if (bound > 0.9 || least < 0.1) return false;
      const double error = bound / (1 - bound), h = path.rise + path.tilt * (x - path.knee);
      const double slope = least - drift - path.tilt * (h + path.strip + drift) - order * rate;
      const double real = rate * (x + path.tilt * path.strip + drift) + shift;
      const Complex value{real, rate * (h - path.strip - drift)};
      if (slope < 0.1 || h - path.strip < drift || rate * least + shift < error ||
          hyperbolas_[2].steepness(value) + error > 0) {
        return false;
      }
      const double low = x - drift, high = h + drift;
      const double most = rate * (x + drift) + shift + error;
      return 2 * front * std::exp((high * high - low * low) / 2 + order * most) / slope < share;
    };
    const double step = (path.to - path.from) / 400;
    int outward = 0;
    while (!left_fits(path.from)) {
      path.from -= step;
      if (++outward > 2000) return false;
    }
    while (left_fits(path.from + step)) path.from += step;
    while (!right_fits(path.to)) {
      path.to += step;
      if (++outward > 2000) return false;
    }
    while (right_fits(path.to - step)) path.to -= step;
    return path.from < path.to;
  }

  const BentTask& task_;
  double tolerance_;
  BentChoice choice_{};
  Hyperbola hyperbolas_[3] = {{0, 1, 0}, {0, 1, 0}, {0, 1, 0}};
  std::vector<PathModel> paths_;
  double rate_ = 0, amplification_ = 0, pieces_ = 0, nodes_ = 0;
};

/// Where the top component begins to rule.
double dominance(const BentTask::Factor& factor) {
  double low = -200, high = 200;
  for (int i = 0; i < 40; ++i) {
    const double y = (low + high) / 2;
    (remainder(factor, y) > 1 ? low : high) = y;
  }
  return low;
}

std::vector<std::vector<double>> first_guesses(const BentTask& task) {
  std::vector<std::vector<double>> guesses;
  for (const double angle : {0.25, 0.15, 0.08}) {
    for (const double rise : {1.3, 0.8}) {
      for (const double strip : {0.6, 0.35}) {
        for (const double knee : {0.5, -0.5}) {
          std::vector<double> paths;
          for (const BentTask::Factor& factor : task.factors) {
            const double rate = factor.rates.back();
            paths.insert(paths.end(),
                         {std::log(rise / rate), std::log(0.12), dominance(factor) + knee / rate,
                          strip, std::log(0.05), std::log(0.05)});
          }
          for (const double distance : {0.03, 0.3, 1.5, 6.0}) {
            for (const double ratio : {1.0, 4.0, 16.0}) {
              guesses.push_back({std::log(distance), std::log(distance * ratio), angle, 0.7});
              guesses.back().insert(guesses.back().end(), paths.begin(), paths.end());
            }
          }
        }
      }
    }
  }
  return guesses;
}

}  // namespace

double BentTask::kappa() const {
  double loss = 0;
  for (const Factor& factor : factors) loss += factor.count * factor.loss;
  return removes ? loss + epsilon : loss - epsilon;
}

BentChoice search_bent(const BentTask& task, double tolerance, int effort) {
  if (!(task.kappa() > 0)) throw std::invalid_argument("kappa is not positive");
  Attempt attempt(task, tolerance);
  BentChoice best{};
  best.work = infinity;
  std::vector<double> where;
  const auto attempted = [&](const std::vector<double>& u) {
    if (!attempt.complete(u) || !(attempt.choice().work < 0.999 * best.work)) return false;
    best = attempt.choice();
    where = u;
    return true;
  };
  for (const std::vector<double>& u : first_guesses(task)) attempted(u);
  if (where.empty()) throw std::invalid_argument("no contour was found");
  std::vector<double> moves{0.4, 0.4, 0.04, 0.08};
  for (const BentTask::Factor& factor : task.factors) {
    moves.insert(moves.end(), {0.15, 0.3, 0.3 / factor.rates.back(), 0.1, 0.5, 0.3});
  }
  // One parent and one child that differs in all coordinates, the size of the step by success.
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (double size = 0.7; effort > 0; --effort) {
    std::vector<double> u = where;
    for (std::size_t i = 0; i < u.size(); ++i) u[i] += size * moves[i] * normal(random);
    size *= attempted(u) ? 1.3 : 0.95;
    if (size < 0.02) size = 0.7;
  }
  return best;
}

}  // namespace plaudit
