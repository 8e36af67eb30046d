// Releases behind a threshold or a test, from the text of a spec: curves of one step by what the
// mechanism does, in intervals.
//
// Where the program's law is above the greatest of several curves, by bounds at points, the form is
// all that is at least that greatest curve: it notices an upper end that is too low. Proof:
// docs/proofs/closed_forms.md#one-step
#include <algorithm>
#include <utility>
#include <vector>

#include "lib/work/work_limit.hpp"
#include "verification/forms/closed_forms.hpp"
#include "verification/forms/spec_call.hpp"

namespace plaudit::pairs {

namespace {

constexpr std::size_t most_numbers_of_users = 20'000;
constexpr int cells_of_laplace = 48;  ///< of an integral of what rises, taken from below

using CurveAt = std::function<std::optional<Directed>(const Directed&)>;

/// At least this.
Directed upward(const Directed& x) { return hull(x, Directed(1)); }

/// H_x of Laplace noise at this ratio of its shift to its scale.
Directed laplace_curve(const Rational& ratio, const Directed& x) {
  const Directed inside = Directed(1) - sqrt(x / exp(Directed(ratio)));
  return max(zero_or(inside), trivial_curve(x));
}

/// A user whose groups are new, none of which is shown with probability `unseen`, beside groups of
/// others with this curve, alike in both directions. Proof: docs/proofs/thresholds.md#curves
std::optional<Directed> beside_new_groups(const Directed& unseen, const CurveAt& others,
                                          Direction direction, const Directed& x) {
  if (direction == Direction::add) return others(x * unseen);
  const auto inner = others(x / unseen);
  if (!inner) return std::nullopt;
  return Directed(1) - unseen + unseen * *inner;
}

}  // namespace

/// A group of n users is shown with probability p_n: all coins of n and n + 1 users.
LawPointer partition_selection(Call& call) {
  const Rational epsilon = call.number("epsilon");
  const Rational delta = call.number("delta");
  const Direction direction = call.direction;
  if (epsilon <= 0 || delta <= 0 || delta >= 1) return nullptr;
  return curve_of([=](const Directed& x) -> std::optional<Directed> {
    const Directed one(1);
    const Directed a = exp(Directed(epsilon));
    const Directed added(delta);
    Directed greatest = trivial_curve(x);
    Directed without(0);
    for (std::size_t n = 0;; ++n) {
      check_work_limit();
      if (n == most_numbers_of_users) return std::nullopt;
      const Directed next =
          -max(max(-(a * without + added), -(one - (one - without - added) / a)), Directed(-1));
      const Directed& p = direction == Direction::remove ? next : without;
      const Directed& q = direction == Direction::remove ? without : next;
      greatest = max(greatest, max(p - x * q, (one - p) - x * (one - q)));
      if (!next.certainly_less(one)) break;
      without = next;
    }
    return greatest;
  });
}

/// The greater of two curves: of a group that has other users, and of one that is new. The ratio of
/// the program's law is rounded up to 96 bits.
LawPointer laplace_threshold(Call& call) {
  const Rational scale = call.number("scale");
  const Rational above = call.number("threshold") - 1;
  const Direction direction = call.direction;
  if (scale <= 0) return nullptr;
  return curve_of([=](const Directed& x) -> std::optional<Directed> {
    const Directed half(Rational(1, 2));
    const Directed tail = exp(Directed(Rational((above > 0 ? -above : above) / scale))) * half;
    const Directed unseen = above > 0 ? Directed(1) - tail : tail;
    const auto alone = beside_new_groups(
        unseen, [](const Directed& level) { return trivial_curve(level); }, direction, x);
    const Directed found = max(laplace_curve(1 / scale, x), alone.value());
    // The curve rises with the ratio 1/scale + log(unseen) by at most 1/2 per unit.
    const Directed slack = Directed(Rational(1 + 1 / scale)) * power(half, 90);
    return hull(found, found + slack);
  });
}

LawPointer gaussian_threshold(Call& call) {
  const Rational sigma = call.number("sigma");
  const Rational variance = call.number("variance", sigma * sigma);
  const Rational above = call.number("threshold") - 1;
  const std::uint64_t groups = call.count("groups", 1);
  const Direction direction = call.direction;
  if (variance <= 0) return nullptr;
  return curve_of([=](const Directed& x) -> std::optional<Directed> {
    const Directed once = normal_below(Directed(above) / sqrt(Directed(variance)));
    Directed greatest = trivial_curve(x);
    Directed unseen(1);
    for (std::uint64_t fresh = 0; fresh <= groups; ++fresh, unseen = unseen * once) {
      check_work_limit();
      const Rational square = Rational(Integer(groups - fresh)) / variance;
      const auto others = [&](const Directed& level) { return gaussian_curve(square / 2, level); };
      const auto one = beside_new_groups(unseen, others, direction, x);
      greatest = max(greatest, one.value());
    }
    return upward(greatest);
  });
}

/// The test's Laplace noise together with the answer's noise: the integral over the loss of the
/// test, which rises, by its values on the left of each cell; or a test that passes in error.
/// Proof: docs/proofs/thresholds.md#propose
LawPointer propose_test_release(Call& call) {
  const auto answer = call.inner();
  const Rational scale = call.number("scale");
  const Rational miss = call.number("miss");
  if (!answer || scale <= 0) return nullptr;
  Call inner(*answer, call.direction);
  std::function<Directed(const Directed&)> curve;
  if (answer->name == "gaussian") {
    const Rational square = squared_ratio(inner);
    curve = [=](const Directed& x) { return gaussian_curve(square / 2, x); };
  } else if (answer->name == "laplace") {
    const Rational ratio = inner.number("sensitivity", 1) / inner.number("scale", 1);
    curve = [=](const Directed& x) { return laplace_curve(ratio, x); };
  }
  if (!curve || !inner.done()) return nullptr;
  return curve_of([=](const Directed& x) -> std::optional<Directed> {
    const Rational a = 1 / scale;
    const auto rising = [&](const Rational& loss) {
      return exp(Directed(Rational((loss - a) / 2))) * curve(x * exp(Directed(Rational(-loss))));
    };
    // The atom at -a has the mass e^-a / 2, that at a 1/2; between them the density is rising / 4.
    const Rational width = 2 * a / cells_of_laplace;
    Directed together = curve(x * exp(Directed(Rational(-a)))) / Directed(2) +
                        exp(Directed(Rational(-a))) * curve(x * exp(Directed(a))) / Directed(2);
    for (int i = 0; i < cells_of_laplace; ++i) {
      check_work_limit();
      const Rational left = -a + width * i;
      together = together + Directed(Rational(width / 4)) * rising(left).low_end();
    }
    const Directed missed = Directed(miss) + Directed(Rational(1 - miss)) * trivial_curve(x);
    return upward(max(together, missed));
  });
}

/// Of two classes the answer is a coin, whose probability one teacher moves. The program's law is a
/// bound of moments.
LawPointer pate(Call& call) {
  const auto* votes = call.take<std::vector<Rational>>("votes");
  const Rational sigma = call.number("sigma");
  const Direction direction = call.direction;
  if (votes == nullptr || votes->size() != 2 || sigma <= 0) return nullptr;
  const Rational gap = (*votes)[0] - (*votes)[1];
  const auto first = [=](const Rational& lead) {
    return normal_below(Directed(Rational(lead / sigma)) / sqrt(Directed(2)));
  };
  std::vector<Rational> gaps;
  if ((*votes)[0] > 0) gaps.push_back(gap - 2);
  if ((*votes)[1] > 0) gaps.push_back(gap + 2);
  return curve_of([=](const Directed& x) -> std::optional<Directed> {
    Directed greatest = trivial_curve(x);
    const Directed one(1);
    for (const Rational& other : gaps) {
      const Directed p = first(direction == Direction::remove ? gap : other);
      const Directed q = first(direction == Direction::remove ? other : gap);
      greatest = max(greatest, max(p - x * q, (one - p) - x * (one - q)));
    }
    return upward(greatest);
  });
}

/// One row is a sampled Gaussian. The program's law is a bound at points.
LawPointer random_participation(Call& call) {
  const auto* coefficients = call.take<std::vector<Rational>>("coefficients");
  const Rational sigma = call.number("sigma");
  const Rational variance = call.number("variance", sigma * sigma);
  const Rational sensitivity = call.number("sensitivity", 1);
  const Rational drawn = call.number("rate");
  const Rational bins(Integer(call.count("bins", 1)));
  call.number("separation");
  const Direction direction = call.direction;
  if (coefficients == nullptr || call.count("steps", 0) != 1 || variance <= 0) return nullptr;
  const Rational rate = drawn > 0 ? drawn : Rational(1 / bins);
  const Rational moved = coefficients->front() * sensitivity;
  const Rational mean = moved * moved / (2 * variance);
  return curve_of([=](const Directed& x) -> std::optional<Directed> {
    // E (W - y)_+ for W = 1 - rate + rate R, R the ratio of the Gaussian
    const auto above = [&](const Directed& y) {
      const Directed level = (y - Directed(Rational(1 - rate))) / Directed(rate);
      if (!Directed(0).certainly_less(level)) return hull(Directed(0), Directed(1) - y);
      return Directed(rate) * gaussian_curve(mean, level);
    };
    const Directed one(1);
    const Directed found = direction == Direction::remove ? above(x) : one - x + x * above(one / x);
    return upward(max(found, trivial_curve(x)));
  });
}

/// Bounds of t D_(1+t) at the orders of the theorem's page; log(queries + 1) from above.
/// Proof: docs/proofs/thresholds.md#sparse-vector
LawPointer gaussian_sparse_vector(Call& call) {
  const Rational threshold = call.number("threshold_sigma");
  const Rational query = call.number("query_sigma");
  const Rational queries(Integer(call.count("queries", 1)));
  const Rational sensitivity = call.number("sensitivity", 1);
  if (threshold <= 0 || query <= 0) return nullptr;
  const Rational square = sensitivity * sensitivity;
  const Rational outcomes = log(Directed(Rational(queries + 1))).exact_upper();
  const Rational one = square / (2 * threshold * threshold) + 2 * square / (query * query);
  const Rational all = queries * square / (2 * query * query);
  Moments moments{0, 0, 0};
  for (int k = -12; k <= 40; ++k) {
    for (int i = 8; i < 16; ++i) {
      const Rational unit(Integer(1) << static_cast<unsigned>(std::abs(k)));
      const Rational t = (k < 0 ? Rational(1 / unit) : unit) * i / 8;
      const Rational both = t * (t + 1);
      moments.points.emplace_back(t,
                                  std::min(Rational(both * one + outcomes), Rational(both * all)));
    }
  }
  moments.last = moments.points.back().first + 1;
  return made(std::move(moments));
}

}  // namespace plaudit::pairs
