#include "lib/crossing.hpp"

#include <cmath>

#include "lib/precision.hpp"
#include "lib/work_limit.hpp"

namespace plaudit {

namespace {

constexpr int most_search_steps = 400;
constexpr int most_doublings = 4000;

/// Heuristic: a root of log f - log c on midpoints, by the secant rule inside a bracket.
struct Search {
  Ball root;
  Ball slope;  ///< of log f near the root (negative); 0 when unknown
};

/// Everything is a heuristic here: results are certified by the caller.
class MidpointSearch {
 public:
  MidpointSearch(const std::function<Ball(const Ball&)>& f, const Ball& target, const Ball& floor)
      : f_(f), target_(target.middle()), floor_(floor) {}

  Search run(const Ball& guess, long bits) {
    Ball x0 = max(guess, floor_).middle();
    Ball y0 = value(x0);
    Ball step = ldexp(abs(x0), -10).middle();
    if (step.is_exact_zero()) step = ldexp(Ball(1), -20);
    // Bracket: low has f > c, high has f <= c.
    Ball low = floor_;
    Ball high;
    bool have_high = false;
    Ball slope;
    Ball x1 = certainly_positive(y0) ? (x0 + step).middle() : max(floor_, x0 - step).middle();
    note(x0, y0, low, high, have_high);
    for (int i = 0; i < most_search_steps; ++i) {
      check_work_limit();
      const Ball y1 = value(x1);
      note(x1, y1, low, high, have_high);
      if (!y1.is_finite()) {  // f = 0 there: far to the right
        step = ldexp(step, -1);
        x1 = have_high ? ldexp(low + high, -1).middle() : (x0 + step).middle();
        continue;
      }
      Ball next;
      const Ball secant = ((y1 - y0) / (x1 - x0)).middle();
      if (secant.is_finite() && certainly_negative(secant)) {
        slope = secant;
        next = (x1 - y1 / secant).middle();
      } else {
        step = ldexp(step, 1);
        next = certainly_positive(y1) ? (x1 + step).middle() : (x1 - step).middle();
      }
      const bool inside = certainly_greater_equal(next, low) &&
                          (!have_high || certainly_less_equal(next, high));
      if (!inside) {
        if (have_high) {
          next = ldexp(low + high, -1).middle();
        } else {
          next = max(next, floor_).middle();
        }
      }
      const Ball moved = abs(next - x1).middle();
      x0 = x1;
      y0 = y1;
      x1 = next;
      const Ball tolerance = ldexp(abs(x1), -bits - 4);
      if (certainly_less_equal(moved, tolerance) || moved.is_exact_zero()) break;
      if (have_high && certainly_less_equal(high - low, tolerance)) break;
    }
    return {x1, slope};
  }

 private:
  /// log f(x) - log c on midpoints; -inf becomes a non-finite ball.
  Ball value(const Ball& x) const {
    const Ball y = f_(x).middle();
    if (!certainly_positive(y)) return Ball(std::nan(""));
    return (log(y) - log(target_)).middle();
  }

  static void note(const Ball& x, const Ball& y, Ball& low, Ball& high, bool& have_high) {
    if (y.is_finite() && certainly_positive(y)) {
      if (certainly_greater(x, low)) low = x;
    } else if (!have_high || certainly_less(x, high)) {
      high = x;
      have_high = true;
    }
  }

  const std::function<Ball(const Ball&)>& f_;
  Ball target_;
  Ball floor_;
};

}  // namespace

// Proof: docs/proofs/inversion.md#crossing
Crossing crossing(const std::function<Ball(const Ball&)>& f, const Ball& target, const Ball& floor,
                  const Ball& guess, long bits) {
  Ball infinite;
  arb_pos_inf(infinite.raw());
  Crossing result{floor, infinite};
  const Ball at_floor = f(floor);
  if (certainly_less_equal(at_floor, target)) return {floor, floor};

  const PrecisionScope scope(std::max(working_precision(), bits + 64));
  const Search found = MidpointSearch(f, target, floor).run(guess, bits);
  const Ball& root = found.root;

  // Start a quarter of the wanted width away, or as far as the uncertainty of f at the root asks.
  Ball offset = ldexp(max(abs(root), ldexp(Ball(1), -4 * bits)), -bits - 2).middle();
  const Ball there = f(root);
  if (found.slope.is_finite() && certainly_negative(found.slope) && certainly_positive(there.middle())) {
    const Ball blur =
        ((there.radius() + target.radius()) / there.middle() / abs(found.slope)).middle();
    if (blur.is_finite()) offset = max(offset, ldexp(blur, 1)).middle();
  }

  Ball step = offset;
  for (int i = 0; i < most_doublings; ++i) {
    check_work_limit();
    const Ball b = max(root + step, floor).middle();
    if (certainly_less_equal(f(b), target)) {
      result.upper = b;
      break;
    }
    step = ldexp(step, 1);
  }
  step = offset;
  for (int i = 0; i < most_doublings; ++i) {
    check_work_limit();
    const Ball a = (root - step).middle();
    if (!certainly_greater(a, floor)) break;
    if (certainly_greater(f(a), target)) {
      result.lower = a;
      break;
    }
    step = ldexp(step, 1);
  }
  return result;
}

}  // namespace plaudit
