#include "api/extend/tail_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <queue>

#include "lib/balls/precision.hpp"

namespace plaudit::inline v0 {

namespace {

constexpr long bits_of_tails = 256;  ///< precision of the tails: e^least_log_mass is above 2^-256
constexpr double least_log_mass = -160;  ///< log of the mass that may lie beyond an unstated end
constexpr int most_doublings = 12;       ///< an unstated end is looked for up to |L| = 2^12
constexpr int halvings = 12;             ///< of the interval in which an unstated end lies
constexpr int even_cells = 256;          ///< of equal width at first, between the ends
constexpr int splits = 700;              ///< halvings of the cell that may add most to the variance

/// The least width of a cell near x, below which it is not halved: many units in the last place.
double narrowest(double x) { return 0x1p-40 * std::max(1.0, std::fabs(x)); }

struct Point {
  double x;
  LawQuestions::Tails tails;
};

struct Cell {
  Point left;
  Point right;
  double weight;  ///< P-mass times the square of the width: a bound of what it adds to the variance

  bool operator<(const Cell& other) const { return weight < other.weight; }
};

class Estimator {
 public:
  explicit Estimator(const LawQuestions& law) : law_(law), infinite_(law.mass_at_infinity()) {}

  AtomEstimate estimate() {
    const double greatest = law_.greatest_loss().estimate();
    const double least = law_.least_loss().estimate();
    const double top = end(greatest, 1, [&](const LawQuestions::Tails& tails) {
      return (tails.p - infinite_).estimate_log();
    });
    const double bottom = end(least, -1, [&](const LawQuestions::Tails& tails) {
      return (Ball(1) - tails.p).estimate_log();
    });
    std::priority_queue<Cell> cells;
    // an atom at the upper end is in the last cell, one at the lower end in the first
    const double width = std::max({(top - bottom) / even_cells, narrowest(bottom), narrowest(top)});
    Point left = at(bottom - width / 2);
    while (left.x < top) {
      Point right = at(left.x + width);
      cells.push(cell(left, right));
      left = right;
    }
    for (int i = 0; i < splits && !cells.empty() && cells.top().weight > 0; ++i) {
      const Cell widest = cells.top();
      cells.pop();
      const Point middle = at((widest.left.x + widest.right.x) / 2);
      cells.push(cell(widest.left, middle));
      cells.push(cell(middle, widest.right));
    }
    AtomEstimate result;
    for (; !cells.empty(); cells.pop()) add(cells.top(), result);
    return result;
  }

 private:
  Point at(double x) const { return {x, law_.tails(Ball(x))}; }

  /// The end of the support, or a point with a P-mass of about e^least_log_mass beyond it.
  template <class LogMass>
  double end(double support, int sign, const LogMass& log_mass_beyond) const {
    if (std::isfinite(support)) return support;
    const auto matters = [&](double x) {
      return log_mass_beyond(at(sign * x).tails) > least_log_mass;
    };
    double inside = 0;
    double outside = 1;
    for (int i = 0; i < most_doublings && matters(outside); ++i) {
      inside = outside;
      outside *= 2;
    }
    for (int i = 0; i < halvings; ++i) {
      const double middle = (inside + outside) / 2;
      (matters(middle) ? inside : outside) = middle;
    }
    return sign * outside;
  }

  static Cell cell(const Point& left, const Point& right) {
    const double width = right.x - left.x;
    const double mass = (left.tails.p - right.tails.p).estimate();
    return {left, right, width > narrowest(right.x) ? std::max(mass, 0.0) * width * width : 0};
  }

  static void add(const Cell& cell, AtomEstimate& result) {
    const double log_p = (cell.left.tails.p - cell.right.tails.p).estimate_log();
    const double log_q = (cell.left.tails.q - cell.right.tails.q).estimate_log();
    if (!std::isfinite(log_p) || log_p < 2 * least_log_mass) return;
    const double loss = std::isfinite(log_q) ? log_p - log_q : cell.right.x;
    result.add(std::clamp(loss, cell.left.x, cell.right.x), log_p);
  }

  const LawQuestions& law_;
  Ball infinite_;
};

}  // namespace

AtomEstimate estimate_from_tails(const LawQuestions& law) {
  const PrecisionScope scope(bits_of_tails);
  return Estimator(law).estimate();
}

}  // namespace plaudit::inline v0
