#include "verification/certificates/bent_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

namespace plaudit {

namespace {

using Complex = std::complex<double>;
constexpr double pi = std::numbers::pi;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int samples = 200;   // of a line
constexpr int most_arcs = 60;  // of a hyperbola
constexpr double arc_length = 0.2;
constexpr double margin = 0.02;  // by which hypotheses are met

/// The logarithm that is real on the real axis, where the line may go.
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
  double error;  ///< how much l may differ from it on a piece
};

struct Norms {
  double minus_one = 0, plain = 0;
};

struct LineModel {
  const BentTask::Factor& factor;
  double tilt, cross, strip;
  double from = 0, to = 0;
  std::vector<Sample> middle{}, above{}, below{};

  double height(double y, double offset) const { return tilt * (y - cross) + offset; }

  /// Where neither the lowest nor the top component rules, the line must be near the real axis.
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
    const double rate = factor.rates.back(), piece = piece_length();
    return rate * height(ends[1] + 2 * piece, strip) < 3.1 &&
           rate * height(ends[0] - 2 * piece, -strip) > -3.1;
  }

  double piece_length() const { return 0.2 / std::max(2.0, factor.rates.back()); }

  void sample(double order) {
    const double narrow = 1 - tilt * tilt, width = 13.5 / std::sqrt(narrow);
    const double top = -tilt * tilt * cross / narrow;
    from = top - width;
    to = top + width + std::max(order, 0.0) * factor.rates.back() / narrow;
    middle = along(0);
  }

  std::vector<Sample> along(double offset) const {
    std::vector<Sample> result;
    const double width = (to - from) / samples;
    for (int i = 0; i < samples; ++i) {
      const double y = from + (i + 0.5) * width, h = height(y, offset);
      const double weight =
          std::exp((h * h - y * y) / 2) * width * std::sqrt((1 + tilt * tilt) / (2 * pi));
      const Complex value = log_ratio(factor, {y, h});
      result.push_back({weight, value, difference({y, h}, value)});
    }
    return result;
  }

  /// The checker's bound of how much l differs on a piece from its value in the middle.
  double difference(Complex y, Complex value) const {
    const double radius = piece_length() / 2 * std::sqrt(1 + tilt * tilt);
    const double last = factor.rates.back();
    const bool top = (last * y + factor.shifts.back()).real() > 0;
    double change = top ? std::exp(-value.real()) * std::expm1(last * radius) : 0;
    for (std::size_t i = 0; i + (top ? 1 : 0) < factor.rates.size(); ++i) {
      const double real = factor.rates[i] * y.real() + factor.shifts[i] - value.real();
      change +=
          std::exp(real) * std::expm1((top ? last - factor.rates[i] : factor.rates[i]) * radius);
    }
    if (change > 0.99) return infinity;
    return (top ? last * radius : 0) - std::log1p(-change);
  }

  double growth_rate(const Hyperbola& hyperbola) const {
    double worst = 0;
    for (const Sample& s : middle) {
      worst = std::max(worst, (hyperbola.steepness(s.value) + s.error) / hyperbola.sine);
    }
    return worst;
  }
};

Norms norms(const std::vector<Sample>& line, const Hyperbola& hyperbola, double x1, double x2) {
  const double c1 = hyperbola.center + hyperbola.scale * hyperbola.sine * std::exp(-x1);
  const double c2 = hyperbola.center + hyperbola.scale * hyperbola.sine * std::exp(-x2);
  const double s1 = hyperbola.scale * std::sinh(x1), s2 = hyperbola.scale * std::sinh(x2);
  const double size = std::fabs(hyperbola.center) + hyperbola.scale * std::cosh(x2);
  Norms sum;
  for (const Sample& s : line) {
    const double steep = hyperbola.steepness(s.value), real = s.value.real();
    const double exponent = std::max(c1 * real, c2 * real) + std::max(s1 * steep, s2 * steep) +
                            (std::max(std::fabs(c1), std::fabs(c2)) + s2) * s.error;
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

  /// u: log distance of the crossing from the pole, log scale, angle, strip / angle; for each line
  /// log of the tilt's angle beyond the hyperbola's, cross, log strip.
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
    return lines(u) && arcs() && rules();
  }

  const BentChoice& choice() const { return choice_; }

 private:
  bool lines(const std::vector<double>& u) {
    lines_.clear();
    double growth = 0;
    for (std::size_t i = 0; i < task_.factors.size(); ++i) {
      const double angle = choice_.angle + choice_.strip + std::exp(u[4 + 3 * i]);
      if (angle > pi / 4 - margin) return false;
      lines_.push_back({task_.factors[i], std::tan(angle), u[5 + 3 * i], std::exp(u[6 + 3 * i])});
      LineModel& line = lines_.back();
      line.sample(hyperbolas_[1].crossing());
      if (!line.inside()) return false;
      growth += line.factor.count *
                std::max(line.growth_rate(hyperbolas_[0]), line.growth_rate(hyperbolas_[2]));
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
    for (const LineModel& line : lines_) {
      const Norms found = norms(line.middle, hyperbola, x1, x2);
      sums += line.factor.count * std::log1p(found.minus_one);
      products += line.factor.count * std::min(std::log1p(found.minus_one), std::log(found.plain));
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
    for (const LineModel& line : lines_) {
      double sum = 0;
      for (const Sample& s : line.middle) {
        const double c = hyperbola.center + hyperbola.scale * hyperbola.sine * std::exp(-x);
        sum += s.weight * std::exp(std::max(hyperbola.center * s.value.real(), c * s.value.real()));
      }
      products += line.factor.count * std::log(sum);
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
    choice_.per_arc = static_cast<long>(std::ceil(arc_length / step));
    choice_.step = arc_length / static_cast<double>(choice_.per_arc);
    choice_.arcs = kept;
    choice_.arcs_beyond = end - kept;
    return choice_.per_arc < 1000;
  }

  bool rules() {
    choice_.lines.clear();
    const Hyperbola& hyperbola = hyperbolas_[1];
    const double end = static_cast<double>(choice_.arcs) * arc_length;
    double points = 0, most = 0;
    for (LineModel& line : lines_) {
      const double share =
          tolerance_ / 5 / static_cast<double>(lines_.size()) / line.factor.count / amplification_;
      line.above = line.along(line.strip);
      line.below = line.along(-line.strip);
      const double both = norms(line.above, hyperbola, 0, end).minus_one +
                          norms(line.below, hyperbola, 0, end).minus_one;
      const double width = line.strip / (1 + line.tilt * line.tilt);
      const double step = 2 * pi * width / std::log1p(both / share);
      if (!std::isfinite(both) || !(step > 0 && step < 1) || !range(line, share / 3, end))
        return false;
      const long first = static_cast<long>(std::floor(line.from / step));
      const long last = static_cast<long>(std::ceil(line.to / step));
      const double pieces = (line.to - line.from) / line.piece_length();
      choice_.lines.push_back({line.tilt, line.cross, line.strip, step, first, last,
                               static_cast<long>(std::max(pieces, 100.0))});
      points += static_cast<double>(last - first + 1);
      double total = 0;
      for (const Sample& s : line.middle) {
        total += s.weight * std::exp(hyperbola.crossing() * s.value.real());
      }
      most = std::max(most, line.factor.count * (1 + total));
    }
    choice_.bits = 44 + static_cast<long>(std::log2(most * amplification_ / tolerance_));
    choice_.bits = std::max(choice_.bits, 110L);
    choice_.work = points * static_cast<double>(choice_.arcs * choice_.per_arc + 40);
    return std::isfinite(points) && points < 1e5 && choice_.bits < 2000;
  }

  /// Moves from and to inward as far as the ends allow.
  bool range(LineModel& line, double share, double end) const {
    const Hyperbola& hyperbola = hyperbolas_[1];
    const double size = std::fabs(hyperbola.center) + hyperbola.scale * std::cosh(end);
    const double order = std::max(hyperbola.crossing(), 0.0), rate = line.factor.rates.back();
    const double shift = line.factor.shifts.back(), front = std::sqrt(1 + line.tilt * line.tilt);
    const auto left_fits = [&](double y) {
      const double bound = excess(line.factor, y), h = line.height(y, 0);
      const double slope = line.tilt * line.height(y, -line.strip) - y;
      if (bound > 0.9 || slope < 0.1) return false;
      const double l = bound / (1 - bound), growth = std::exp(std::min(size * l, 500.0));
      return front * std::exp((h * h - y * y) / 2) / slope *
                 std::min(1 + growth, size * l * growth) <
             share;
    };
    const auto right_fits = [&](double y) {
      const double bound = remainder(line.factor, y), h = line.height(y, 0);
      if (bound > 0.9) return false;
      const double error = bound / (1 - bound), real = rate * y + shift;
      const double slope = y - line.tilt * line.height(y, line.strip) - order * rate;
      const Complex value{real, rate * line.height(y, -line.strip)};
      if (slope < 0.1 || real < error || hyperbolas_[2].steepness(value) + error > 0) return false;
      return 2 * front * std::exp((h * h - y * y) / 2 + order * (real + error)) / slope < share;
    };
    const double step = (line.to - line.from) / 400;
    int outward = 0;
    while (!left_fits(line.from)) {
      line.from -= step;
      if (++outward > 2000) return false;
    }
    while (left_fits(line.from + step)) line.from += step;
    while (!right_fits(line.to)) {
      line.to += step;
      if (++outward > 2000) return false;
    }
    while (right_fits(line.to - step)) line.to -= step;
    return line.from < line.to;
  }

  const BentTask& task_;
  double tolerance_;
  BentChoice choice_{};
  Hyperbola hyperbolas_[3] = {{0, 1, 0}, {0, 1, 0}, {0, 1, 0}};
  std::vector<LineModel> lines_;
  double rate_ = 0, amplification_ = 0;
};

/// Where the line may cross the axis so that its lower part costs a given share of kappa.
double first_cross(const BentTask::Factor& factor, double angle, double allowed) {
  double low = -60, high = 60;
  for (int i = 0; i < 40; ++i) {
    const double cross = (low + high) / 2;
    LineModel line{factor, std::tan(angle + 0.03), cross, 0.1};
    line.sample(1);
    (line.growth_rate(Hyperbola{0, 1, angle}) > allowed ? high : low) = cross;
  }
  return low;
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
    --effort;
    if (!attempt.complete(u) || !(attempt.choice().work < 0.999 * best.work)) return false;
    best = attempt.choice();
    where = u;
    return true;
  };
  double steps = 0;
  for (const BentTask::Factor& factor : task.factors) steps += factor.count;
  for (const double angle : {0.25, 0.12, 0.4, 0.06}) {
    for (const double share : {0.2, 0.02}) {
      std::vector<double> lines;
      for (const BentTask::Factor& factor : task.factors) {
        const double cross = first_cross(factor, 1.7 * angle, share * task.kappa() / steps);
        lines.insert(lines.end(),
                     {std::log(0.03), cross, std::log(std::min(0.8, 0.7 / factor.rates.back()))});
      }
      for (const double distance : {0.03, 0.3, 1.5, 6.0, 25.0}) {
        for (const double ratio : {1.0, 4.0}) {
          std::vector<double> u{std::log(distance), std::log(distance * ratio), angle, 0.6};
          u.insert(u.end(), lines.begin(), lines.end());
          attempted(u);
        }
      }
    }
  }
  if (where.empty()) throw std::invalid_argument("no hyperbola and lines were found");
  std::vector<double> moves{0.4, 0.4, 0.04, 0.08};
  for (const BentTask::Factor& factor : task.factors) {
    moves.insert(moves.end(), {0.5, 0.5 / factor.rates.back(), 0.2});
  }
  const std::vector<double> first_moves = moves;
  for (bool small = false; !small && effort > 0;) {
    small = true;
    for (std::size_t i = 0; i < moves.size() && effort > 0; ++i) {
      bool success = false;
      for (int side = 0; side < 2 && !success; ++side) {
        std::vector<double> u = where;
        u[i] += side == 0 ? moves[i] : -moves[i];
        success = attempted(u);
        if (success && side == 1) moves[i] = -moves[i];
      }
      moves[i] *= success ? 1.4 : 0.5;
      small = small && std::fabs(moves[i]) < 0.05 * first_moves[i];
    }
  }
  return best;
}

}  // namespace plaudit
