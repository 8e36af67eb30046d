#include "verification/calibration/calibration.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <vector>

#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/unlimited_work.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/language/spec.hpp"
#include "mechanisms/language/spec_error.hpp"
#include "verification/calibration/decimals.hpp"
#include "verification/calibration/rough_delta.hpp"
#include "verification/calibration/rough_threshold.hpp"

namespace plaudit {

namespace {

// Everything here only chooses at which values the curve is asked.
constexpr int few_digits = 6;    ///< fewer are hardly cheaper
constexpr int guard_digits = 6;  ///< beyond those of the bracket: for values next to the threshold
constexpr int more_digits = 3;
constexpr double part_of_first_try = 0.5;  ///< of the time
constexpr int most_queries = 300;
constexpr int most_edge_queries = 60;  ///< for the ends of a region where nothing is decided
constexpr double edge_part = 16;
constexpr double first_edge_step = 0.1;  ///< of log v
constexpr double doubt_of_rough_slope = 0.05;
constexpr double doubt_of_rough_curve =
    0.003;                                    ///< once it was moved to a value of the curve itself
constexpr double doubt_of_secant = 3;         ///< times the distance of its two points
constexpr double doubt_of_moved_curve = 0.1;  ///< likewise, where that was done at both of them
constexpr double finest_by_rough = 1e-10;     ///< what binary64 leaves of it
constexpr double longest_step = 3;            ///< of log v, doubled each time
constexpr int patience = 6;  ///< queries within which the bracket should become half as wide
constexpr long smallest_exponent = -9;  ///< the range of numbers, where none is stated
constexpr long greatest_exponent = 9;
constexpr long exponent_beside_an_end = -30;
constexpr double smallest_beside_an_end = 1e-30;
constexpr double plain_rate = 0.01;
constexpr double plain_power = 1000;
constexpr double plain_population = 1e6;

enum class Side { low, high, undecided };

/// One value at which the curve was asked.
struct Point {
  Rational x;
  Side side = Side::undecided;
  bool plain = false;  ///< excess and noise are numbers to work with
  double excess = 0;   ///< log(delta / target)
  double noise = 0;    ///< of it
  int digits = 0;
  std::shared_ptr<const Composition> composition = {};
  std::shared_ptr<Session> session = {};
  Answer answer = {};
};

Rational rational_of(double x) { return checked_rational(x, "a step of the calibration"); }

class Search {
 public:
  Search(const CalibrationQuestion& question, const AnswerOptions& options)
      : question_(question),
        options_(options),
        free_(find_free_parameter(question.spec)),
        parameter_(monotone_parameter(free_)) {
    check_question();
    set_range();
  }

  Calibration run() {
    const auto start = std::chrono::steady_clock::now();
    Calibration result;
    {
      const WorkLimit whole(options_.timeout_seconds);
      begin();
      while (!finished()) ask(next());
      conclude(result);
    }
    result.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
  }

 private:
  struct Guess {
    Rational x;
    int digits;
  };

  void check_question() const {
    if (question_.delta < 0 || question_.delta > 1) {
      throw SpecError("delta: must lie in [0, 1], not " + shown(question_.delta));
    }
    if (question_.target == Quantity::epsilon && question_.epsilon < 0) {
      throw SpecError("target epsilon: must be >= 0, not " + shown(question_.epsilon));
    }
  }

  void set_range() {
    const auto inside = [&](const std::optional<Rational>& bound, const char* name) {
      if (!bound) return;
      const bool low = *bound < parameter_.least.value ||
                       (*bound == parameter_.least.value && !parameter_.least.allowed);
      const auto& end = parameter_.greatest;
      const bool high = end && (*bound > end->value || (*bound == end->value && !end->allowed));
      const bool whole = !parameter_.integer || denominator(*bound) == 1;
      if (low || high || !whole) {
        throw SpecError(std::string(name) + ": must be a value that " + parameter_.name +
                        " may have, not " + shown(*bound));
      }
    };
    inside(question_.from, "from");
    inside(question_.to, "to");
    base_ = parameter_.integer ? Rational(0) : parameter_.least.value;
    const Rational open_low = base_ + power_of_ten(smallest_exponent);
    const auto& end = parameter_.greatest;
    const Rational open_high =
        end ? (end->allowed ? end->value : Rational(end->value - power_of_ten(smallest_exponent)))
            : Rational(base_ + power_of_ten(greatest_exponent));
    from_ = question_.from ? *question_.from
                           : (parameter_.least.allowed ? parameter_.least.value : open_low);
    to_ = question_.to ? *question_.to : open_high;
    if (from_ > to_) throw SpecError("from: must be at most to, which is " + shown(to_));
  }

  // ---- coordinates

  /// log of the distance to the least value that the parameter might have.
  double log_value(const Rational& x) const { return estimate_log(x - base_); }

  /// x moved by so much in log_value, exactly where that is little.
  Rational moved(const Rational& x, double by) const {
    return x + (x - base_) * rational_of(std::expm1(std::clamp(by, -60.0, 60.0)));
  }

  /// log((a - base) / (b - base)) without loss where they are close.
  double log_ratio(const Rational& a, const Rational& b) const {
    if (b == base_ || a == base_) return log_value(a) - log_value(b);
    const double relative = estimate((a - b) / (b - base_));
    return std::fabs(relative) < 0.5 ? std::log1p(relative) : log_value(a) - log_value(b);
  }

  /// How far apart the ends may be in the end.
  Rational spacing(const Rational& x) const {
    if (parameter_.integer) return 1;
    const long size = x == 0 ? exponent_beside_an_end : decimal_exponent(abs(x));
    return power_of_ten(size - options_.digits);
  }

  bool close(const Rational& low, const Rational& high) const {
    if (parameter_.integer) return high - low <= 1;
    return high - low <= power_of_ten(-options_.digits) * abs(high);
  }

  Rational within_range(const Rational& x) const { return x < from_ ? from_ : x > to_ ? to_ : x; }

  /// A short decimal, or an integer, nearer to x than `error` (relative to the distance to base_).
  Rational shortened(const Rational& x, double error) const {
    if (parameter_.integer) return rounded_down(x + Rational(1, 2), 1);
    const Rational room = (x - base_) * rational_of(std::clamp(error, 1e-300, 0.1));
    if (room <= 0) return x;
    const Rational finest = spacing(x);
    Rational step = power_of_ten(decimal_exponent(room));
    if (step < finest) step = finest;
    const Rational result = rounded_down(x + step / 2, step);
    return result > base_ ? result : x;
  }

  // ---- the curve in floating point

  /// log(delta / target) by the saddle point; NaN where it is not known.
  double rough_excess(double log_value_wanted) {
    try {
      const Rational x =
          within_range(shortened(base_ + rational_of(std::exp(log_value_wanted)), 1e-12));
      const Composition composition = parse_spec(free_.with(x));
      const RoughDelta found =
          rough_delta(composition, options_.direction, estimate(question_.epsilon));
      rough_order_ = found.order;
      rough_is_smooth_ = found.smooth;
      return found.log_delta - estimate_log(question_.delta);
    } catch (const WorkLimitReached&) {
      throw;
    } catch (const std::exception&) {
      return std::numeric_limits<double>::quiet_NaN();
    }
  }

  /// Where the search begins: nothing there is expensive.
  double start() const {
    if (!parameter_.integer) return parameter_.greatest ? std::log(plain_rate) : 0;
    if (parameter_.mechanism.empty()) return std::log(plain_power);
    return parameter_.falls ? std::log(plain_population) : 0;
  }

  void begin() {
    const double least = from_ > base_ ? log_value(from_) : std::log(smallest_beside_an_end);
    const double greatest = log_value(to_);
    double first = std::clamp(start(), least, greatest);
    if (question_.delta > 0 && question_.delta < 1 && from_ < to_) {
      const auto rough = rough_threshold([&](double at) { return rough_excess(at); }, first, least,
                                         greatest, parameter_.falls);
      if (rough) {
        first = rough->log_value;
        rough_slope_ = rough->slope;
      }
    }
    const Rational root = base_ + rational_of(std::exp(first));
    const Rational x = within_range(rounded_down(root, spacing(root)));
    const std::vector<Rational> tries{x, from_, to_};
    for (std::size_t i = 0; i < tries.size(); ++i) {
      try {
        ask({tries[i], few_digits});
        return;
      } catch (const SpecError&) {  // beyond what other parameters allow, or wrong in itself
        if (i + 1 == tries.size()) throw;
      }
    }
  }

  // ---- the curve itself

  std::shared_ptr<const Composition> composition_at(const Rational& x) const {
    return std::make_shared<const Composition>(parse_spec(free_.with(x)));
  }

  void ask(const Guess& guess) {
    std::shared_ptr<const Composition> composition;
    try {
      composition = composition_at(guess.x);
    } catch (const SpecError&) {
      if (points_.empty()) throw;
      limit_range(guess.x);
      return;
    }
    const int most = options_.digits + guard_digits;
    int digits = std::min(guess.digits, most);
    double seconds = options_.timeout_seconds * part_of_first_try;
    for (;;) {
      Point point = asked(guess.x, composition, digits, seconds);
      if (point.side != Side::undecided) {
        note(std::move(point));
        return;
      }
      if (point.answer.reached && digits < most) {
        digits = std::min(digits + more_digits, most);
      } else if (!point.answer.reached && seconds < options_.timeout_seconds) {
        seconds = options_.timeout_seconds;  // so few were for values that are easily decided
      } else {
        settle(point);
        note(std::move(point));
        return;
      }
    }
  }

  Point asked(const Rational& x, const std::shared_ptr<const Composition>& composition, int digits,
              double seconds) {
    AnswerOptions how = options_;
    how.digits = digits;
    how.timeout_seconds = seconds;
    Point point{x};
    point.digits = digits;
    point.composition = composition;
    point.session = std::make_shared<Session>(*composition, how);
    point.answer = point.session->answer(Quantity::delta, question_.epsilon);
    ++queries_;
    const Enclosure& band = point.answer.band;
    if (!band.certified) {
      throw SpecError("accountant: " + options_.accountant +
                      " gives estimates, and a calibration needs certified bands");
    }
    const UnlimitedWork comparing;
    const PrecisionScope scope(256 + 4L * digits);
    const Ball target(question_.delta);
    if (PLAUDIT_BOUND("calibration.suffices", certainly_less_equal(band.upper, target),
                      certainly_less_equal(band.lower, target))) {
      point.side = side_of(true);
    } else if (PLAUDIT_BOUND("calibration.fails", certainly_greater(band.lower, target),
                             certainly_greater(band.upper, target))) {
      point.side = side_of(false);
    }
    if (band.exact) point.side = side_of(*band.exact <= question_.delta);
    point.plain = question_.delta > 0 && certainly_positive(band.lower);
    if (point.plain) {
      const Ball middle = ldexp(band.lower + band.upper, -1) / target;
      point.excess = log(middle).estimate();
      point.noise = ((band.upper - band.lower) / band.lower).upper_double();
      point.plain = std::isfinite(point.excess) && point.noise < 1;
    }
    return point;
  }

  /// A tie, where no number of digits decides.
  void settle(Point& point) {
    const std::optional<int> sign =
        point.session->compare(Quantity::delta, question_.epsilon, question_.delta);
    if (sign) point.side = side_of(*sign <= 0);
  }

  Side side_of(bool suffices) const {
    return suffices == parameter_.falls ? Side::high : Side::low;
  }

  void note(Point&& point) {
    if (point.side == Side::undecided) {
      if (!doubt_low_ || point.x < doubt_low_->x) doubt_low_ = point;
      if (!doubt_high_ || point.x > doubt_high_->x) doubt_high_ = point;
      remark_ = point.answer.band.remark;
    } else {
      std::optional<Point>& end = point.side == Side::low ? low_ : high_;
      const bool nearer = !end || (point.side == Side::low ? point.x > end->x : point.x < end->x);
      if (nearer) end = point;
      if (low_ && high_ && low_->x >= high_->x) {
        throw std::logic_error("the curve is not monotone in " + parameter_.name + ": " +
                               free_.with(low_->x) + " and " + free_.with(high_->x));
      }
    }
    point.session.reset();
    points_.push_back(std::move(point));
    count_progress();
  }

  void count_progress() {
    if (!low_ || !high_) return;
    const double width = std::fabs(log_ratio(high_->x, low_->x));
    if (!(width < width_ / 2)) {
      ++idle_;
      return;
    }
    width_ = width;
    idle_ = 0;
  }

  /// A value that the spec does not allow, beyond ones that it does.
  void limit_range(const Rational& x) {
    if (x > points_.front().x) {
      to_ = parameter_.integer ? Rational(x - 1) : x;
      open_above_ = !parameter_.integer;
    } else {
      from_ = parameter_.integer ? Rational(x + 1) : x;
      open_below_ = !parameter_.integer;
    }
    ++queries_;
  }

  // ---- where to ask next

  bool finished() {
    if (queries_ >= most_queries) {
      remark_ = "too many queries";
      return true;
    }
    if (wall_seconds_left() <= 0) {
      remark_ = "time limit reached";
      return true;
    }
    if (doubt_low_)
      return doubt_queries_ >= most_edge_queries || (!low_edge_is_open() && !high_edge_is_open());
    if (low_ && high_) {
      const bool at_end =
          low_->x == base_ && high_->x - base_ < power_of_ten(exponent_beside_an_end);
      return at_end || close(low_->x, high_->x);
    }
    // one side only: all of the range is on it
    if (low_) return low_->x >= to_ || (open_above_ && close(low_->x, to_));
    if (high_) return high_->x <= from_ || (open_below_ && close(from_, high_->x));
    return false;
  }

  Guess next() {
    if (doubt_low_) return next_edge();
    if (low_ && high_ && idle_ >= patience) {
      idle_ = 0;
      return {between(low_->x, high_->x), digits_for(0.1)};
    }
    const Point& best =
        *std::min_element(points_.begin(), points_.end(), [](const Point& a, const Point& b) {
          return (a.plain ? std::fabs(a.excess) : 1e300) < (b.plain ? std::fabs(b.excess) : 1e300);
        });
    const auto step = best.plain ? newton(best) : std::nullopt;
    if (!step) return without_slope();
    double by = step->by;
    if (!low_ || !high_) {
      // beyond the root by what it may be off, so that the other side is seen
      const double most = longest_step * std::pow(2.0, std::min(one_sided_++, 20));
      by = std::clamp(by, -most, most);
    }
    return near_root(moved(best.x, by), step->doubt);
  }

  struct Step {
    double by;     ///< of log_value
    double doubt;  ///< by how much that may be off
  };

  /// The secant rule, or Newton's with the slope of the rough curve.
  std::optional<Step> newton(const Point& best) {
    const Point* other = nullptr;
    for (const Point& each : points_) {
      if (!each.plain || each.x == best.x) continue;
      if (other == nullptr || std::fabs(each.excess) < std::fabs(other->excess)) other = &each;
    }
    double slope = rough_slope_;
    double share = doubt_of_rough_slope;
    double distance = 0;
    double noise = best.noise;
    if (other != nullptr) {
      distance = std::fabs(log_ratio(best.x, other->x));
      const double rise = best.excess - other->excess;
      noise += other->noise;
      const double secant = rise / log_ratio(best.x, other->x);
      const bool usable =
          std::fabs(rise) > 4 * noise && std::isfinite(secant) && (secant < 0) == parameter_.falls;
      if (usable) {
        slope = secant;
        share = std::min(1.0, doubt_of_secant * distance + noise / std::fabs(rise));
      } else {
        other = nullptr;
      }
    }
    if (slope == 0 || (slope < 0) != parameter_.falls) return std::nullopt;
    slope_ = std::fabs(slope);
    const double by = -best.excess / slope;
    Step step{by, std::fabs(by) * std::min(1.0, share + std::fabs(by))};
    if (rough_slope_ != 0 && rough_is_smooth_ && !parameter_.integer &&
        step.doubt > finest_by_rough) {
      if (const auto moved_rough = by_moved_rough_curve(best, other, by, slope)) {
        const double doubted = other == nullptr
                                   ? doubt_of_rough_curve
                                   : std::min(1.0, doubt_of_moved_curve * distance +
                                                       noise / std::fabs(slope * distance));
        const double doubt = std::fabs(*moved_rough) * doubted;
        if (doubt < step.doubt) step = {*moved_rough, doubt + finest_by_rough};
      }
    }
    step.doubt += best.noise / slope_;
    return step;
  }

  /// The root of the rough curve moved by what it is off at the best point, and changing as it does
  /// towards the other one.
  std::optional<double> by_moved_rough_curve(const Point& best, const Point* other, double by,
                                             double slope) {
    const double here = log_value(best.x);
    const double rough_here = rough_excess(here);
    const double off = best.excess - rough_here;
    double drift = 0;
    if (other != nullptr) {
      const double there = log_value(other->x);
      drift = (off - (other->excess - rough_excess(there))) / (here - there);
    }
    double step = by;
    for (int i = 0; i < 2; ++i) {
      const double left = rough_excess(here + step) + off + drift * step;
      if (!std::isfinite(left)) return std::nullopt;
      step -= left / slope;
    }
    const bool sound = std::isfinite(step) && std::fabs(step - by) < std::fabs(by);
    return sound ? std::optional(step) : std::nullopt;
  }

  Guess near_root(const Rational& root, double doubt) {
    const Rational step = spacing(root);
    const double cell = parameter_.integer || root > base_
                            ? estimate(step / (root > base_ ? Rational(root - base_) : step))
                            : 1;
    if (doubt < cell / 4) {
      const Rational below = rounded_down(root, step);
      for (const Rational& x : {below, Rational(below + step)}) {
        if (!fits(x)) continue;
        const double distance = std::fabs(estimate((x - root) / (root - base_)));
        return {x, digits_for(std::max(distance - doubt, cell / 20))};
      }
      // both are known: the root is a little beside them
      for (const Rational& x : {Rational(below - step), Rational(below + 2 * step)}) {
        if (fits(x)) return {x, digits_for(cell / 20)};
      }
    }
    Rational x = within_range(shortened(root, doubt));
    if (!fits(x)) {
      if (!low_ || !high_) {
        x = low_ ? to_ : from_;  // the end of the range was not asked yet
        const Rational known = low_ ? low_->x : high_->x;
        const double far = longest_step * std::pow(2.0, std::min(one_sided_++, 20));
        const Rational nearer = within_range(shortened(moved(known, low_ ? far : -far), 0.1));
        if (fits(nearer)) x = nearer;
      } else {
        x = between(low_->x, high_->x);
      }
    }
    return {x, digits_for(std::max(doubt, cell / 20))};
  }

  /// Between what is known, and within the range.
  bool fits(const Rational& x) const {
    if (low_ && x <= low_->x) return false;
    if (high_ && x >= high_->x) return false;
    if ((open_above_ && x >= to_) || (open_below_ && x <= from_)) return false;
    return x >= from_ && x <= to_;
  }

  Guess without_slope() {
    if (low_ && high_) return {between(low_->x, high_->x), few_digits};
    const double far = longest_step / 2 * std::pow(2.0, std::min(one_sided_++, 20));
    const Rational known = low_ ? low_->x : high_->x;
    Rational x = within_range(shortened(moved(known, low_ ? far : -far), 0.1));
    if (!fits(x)) x = low_ ? to_ : from_;
    if (!fits(x)) x = between(low_ ? low_->x : from_, low_ ? to_ : high_->x);
    return {x, few_digits};
  }

  /// Halfway, in log_value where they are far apart.
  Rational between(const Rational& low, const Rational& high) const {
    if (parameter_.integer && high - low <= 2) return low + 1;
    Rational x = (low + high) / 2;
    if (high - base_ > 2 * (low - base_)) {
      const double bottom = low > base_
                                ? log_value(low)
                                : std::max(std::log(smallest_beside_an_end), log_value(high) - 14);
      x = base_ + rational_of(std::exp((bottom + log_value(high)) / 2));
    }
    const Rational width = high - low;
    if (parameter_.integer) {
      x = rounded_down(x, 1);
    } else {
      x = rounded_down(x, power_of_ten(decimal_exponent(width) - 2));
    }
    return x > low && x < high ? x : Rational((low + high) / 2);
  }

  int digits_for(double distance) const {
    const double wanted = -std::log10(std::max(slope_ * distance, 1e-300));
    return static_cast<int>(
        clamped_integer(std::ceil(wanted) + 1, few_digits, options_.digits + guard_digits));
  }

  // ---- the ends of what cannot be decided

  /// Between a side that is known and the region that is not: as close as all ends should be, or
  /// little beside a region that both sides bound.
  bool low_edge_is_open() const {
    if (!low_) return doubt_low_->x > from_;
    if (close(low_->x, doubt_low_->x)) return false;
    return !high_ || log_ratio(doubt_low_->x, low_->x) > region() / edge_part;
  }
  bool high_edge_is_open() const {
    if (!high_) return doubt_high_->x < to_;
    if (close(doubt_high_->x, high_->x)) return false;
    return !low_ || log_ratio(high_->x, doubt_high_->x) > region() / edge_part;
  }
  double region() const { return log_ratio(doubt_high_->x, doubt_low_->x); }

  Guess next_edge() {
    ++doubt_queries_;
    const int digits = options_.digits + guard_digits;
    const bool low_first = low_edge_is_open() && (!high_edge_is_open() || doubt_queries_ % 2 == 0);
    const double far = std::ldexp(first_edge_step, doubt_queries_ / 2);
    if (low_first) {
      if (low_) return {between(low_->x, doubt_low_->x), digits};
      const Rational x = within_range(shortened(moved(doubt_low_->x, -far), 0.01));
      return {x < doubt_low_->x ? x : from_, digits};
    }
    if (high_) return {between(doubt_high_->x, high_->x), digits};
    const Rational x = within_range(shortened(moved(doubt_high_->x, far), 0.01));
    return {x > doubt_high_->x ? x : to_, digits};
  }

  // ---- the answer

  void conclude(Calibration& result) {
    result.parameter = parameter_;
    result.adjacency = points_.front().composition->adjacency();
    std::optional<Point>& good = parameter_.falls ? high_ : low_;
    std::optional<Point>& bad = parameter_.falls ? low_ : high_;
    if (good) result.suffices = reported(*good);
    if (bad) result.fails = reported(*bad);
    for (const Point& each : points_) {
      if (each.side == Side::undecided) continue;
      result.trusted = both_trusted(result.trusted, each.answer.band.trusted);
    }
    result.accountant = (good ? *good : points_.front()).answer.band.accountant;
    result.queries = queries_;
    if (good && bad) {
      result.reached = close(low_->x, high_->x);
      if (!result.reached) {
        result.remark = remark_.empty() ? "what is between them was not decided" : remark_;
      }
    } else if (good && !doubt_low_ && covers_range(*good)) {
      result.reached = true;
      result.remark = "every value from " + to_string(from_) + " to " + to_string(to_) + " does";
    } else if (bad && !doubt_low_ && covers_range(*bad)) {
      result.none_meets = true;
      result.remark =
          "no value from " + to_string(from_) + " to " + to_string(to_) + " meets the target";
    } else {
      result.remark = remark_.empty() ? "the target was not decided at every value" : remark_;
    }
  }

  bool covers_range(const Point& point) const {
    return point.side == Side::low ? point.x >= to_ : point.x <= from_;
  }

  /// The band of what is asked for, within what the decision has shown.
  /// Proof: docs/proofs/monotone.md#bracket
  CalibrationEnd reported(Point& point) {
    CalibrationEnd end{point.x, point.composition->spec(), point.answer};
    if (question_.target == Quantity::delta) return end;
    const bool suffices = point.side == side_of(true);
    if (const auto beside = beside_target(point, suffices)) {
      end.answer.quantity = Quantity::epsilon;
      end.answer.directions.clear();
      end.answer.band.exact.reset();
      const PrecisionScope scope(256 + 4L * point.digits);
      end.answer.band.lower = Ball(suffices ? *beside : question_.epsilon).lower();
      end.answer.band.upper = Ball(suffices ? question_.epsilon : *beside).upper();
      return end;
    }
    end.answer = point.session->answer(Quantity::epsilon, question_.delta);
    ++queries_;
    const UnlimitedWork comparing;
    Enclosure& band = end.answer.band;
    const PrecisionScope scope(256 + 4L * point.digits);
    const Ball target(question_.epsilon);
    if (suffices && certainly_less(target.upper(), band.upper)) band.upper = target.upper();
    if (!suffices && certainly_less(band.lower, target.lower())) band.lower = target.lower();
    return end;
  }

  /// An epsilon next to the target, on the other side of that of the point: one more look at the
  /// curve, which costs less than an inversion. Nothing where it did not show that.
  std::optional<Rational> beside_target(Point& point, bool suffices) {
    if (parameter_.integer || !point.plain || question_.epsilon <= 0) return std::nullopt;
    const double size = estimate(question_.epsilon);
    const double gap = (std::fabs(point.excess) + point.noise) / (rough_order_ * size);
    const double finest = std::pow(10.0, -options_.digits);
    const double relative = 1.25 * gap + finest / 4;
    if (!(relative < 8 * finest) || !(relative < 0.1)) return std::nullopt;
    const Rational room = question_.epsilon * rational_of(relative);
    const Rational step = power_of_ten(decimal_exponent(room) - 1);
    const Rational away = rounded_down(room, step);
    const Rational epsilon =
        suffices ? Rational(question_.epsilon - away) : Rational(question_.epsilon + away);
    const Answer answer = point.session->answer(Quantity::delta, epsilon);
    ++queries_;
    const UnlimitedWork comparing;
    const PrecisionScope scope(256 + 4L * point.digits);
    const Ball target(question_.delta);
    const bool shown = suffices ? certainly_greater(answer.band.lower, target)
                                : certainly_less_equal(answer.band.upper, target);
    if (!shown || !answer.band.certified) return std::nullopt;
    return PLAUDIT_BOUND("calibration.beside", epsilon, question_.epsilon);
  }

  const CalibrationQuestion& question_;
  AnswerOptions options_;
  FreeParameter free_;
  MonotoneParameter parameter_;
  Rational base_;
  Rational from_;
  Rational to_;
  bool open_above_ = false;  ///< to_ itself is not allowed
  bool open_below_ = false;
  double rough_slope_ = 0;
  double rough_order_ = 1;
  bool rough_is_smooth_ = true;
  mutable double slope_ = 1;
  std::vector<Point> points_;
  std::optional<Point> low_;        ///< the greatest value on the low side
  std::optional<Point> high_;       ///< the least one on the high side
  std::optional<Point> doubt_low_;  ///< the least and the greatest value that was not decided
  std::optional<Point> doubt_high_;
  int doubt_queries_ = 0;
  int one_sided_ = 0;
  int idle_ = 0;
  double width_ = std::numeric_limits<double>::infinity();
  int queries_ = 0;
  std::string remark_;
};

}  // namespace

Calibration calibrate(const CalibrationQuestion& question, const AnswerOptions& options) {
  return Search(question, options).run();
}

}  // namespace plaudit
