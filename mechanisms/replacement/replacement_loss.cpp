#include "mechanisms/replacement/replacement_loss.hpp"

#include <algorithm>
#include <cmath>

#include "lib/balls/ball_memory.hpp"
#include "lib/balls/error_term.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm labels_term{"replacement.labels", "rare labels of a batch, bounded"};
constexpr double least_nats = 8;        // of a label's integrals
constexpr double negligible_log = -45;  // of a label's part in an estimate
constexpr double near_no_loss = 0.1;    // log M where it is taken from M - 1

/// Where f = e^x, for x >= 0: a/2 + log(1 + (e^x - 1) / q) / a.
Ball root(const Ball& a, const Ball& q, const Ball& x) {
  return ldexp(a, -1) + log1p(expm1(x) / q) / a;
}

/// Mass of (y, inf) under (1-q) N(0,1) + q N(a,1).
Ball mixed_mass(const Ball& a, const Ball& q, const Ball& y) {
  return (Ball(1) - q) * normal_cdf(-y) + q * normal_cdf(a - y);
}

/// Upper bound of int phi f^r over the whole line: Jensen for r <= 0 and r >= 1, and 1 in between.
Ball crude_moment(const Ball& a, const Ball& q, const Ball& r) {
  const Ball exponent = ldexp(square(a) * r * (r - Ball(1)), -1);
  return max(Ball(1),
             PLAUDIT_BOUND("replacement.crude_moment", Ball(1) + q * expm1(exponent), Ball(1)))
      .upper();
}

}  // namespace

ReplacementLoss::ReplacementLoss(Replacement replacement)
    : replacement_(std::move(replacement)), q_(estimate(replacement_.rate)) {
  const double log_whole = estimate_log(Rational(replacement_.whole));
  Integer sum = 0;
  parts_.reserve(replacement_.labels.size());
  for (std::size_t i = 0; i < replacement_.labels.size(); ++i) {
    const Rational distance =
        replacement_.sensitivity * replacement_.labels[i] / replacement_.sigma;
    const Integer& count = replacement_.counts[i];
    sum += count;
    parts_.push_back({distance, count, Integer(0), estimate(distance),
                      estimate_log(Rational(count)) - log_whole,
                      HalfIntegral(distance, replacement_.rate)});
  }
  finite_ = Rational(sum, replacement_.whole);
  for (Part& part : parts_) {
    sum -= part.count;
    part.after = sum;
  }
  facts_.labels = parts_.size();
}

Ball ReplacementLoss::share_of(const Integer& count) const {
  return Ball(Rational(count)) / Ball(Rational(replacement_.whole));
}

Ball ReplacementLoss::weight(const Part& part) const { return share_of(part.count); }

// Proof: docs/proofs/sampling.md#rare-labels
std::vector<const ReplacementLoss::Part*> ReplacementLoss::needed(const Ball& t, double nats,
                                                                  Ball& rest) const {
  std::vector<const Part*> result;
  const double t_near = t.estimate();
  double most = -infinity;
  for (const Part& part : parts_) most = std::max(most, part.log_weight);
  // M(t) >= weight * atom of the likeliest label: what is e^{-nats} of that does not matter
  const double goal = most + std::log((1 - q_) * std::erf(parts_.front().a / 2.83)) - nats -
                      std::log(1.0 + static_cast<double>(parts_.size()));
  rest = Ball(0);
  const Ball q(replacement_.rate);
  for (const Part& part : parts_) {
    if (&part == &parts_.front() || estimate_log_crude(part, t_near) > goal) {
      result.push_back(&part);
      continue;
    }
    const Ball a(part.distance);
    rest +=
        weight(part) *
        PLAUDIT_BOUND("replacement.rare_labels",
                      crude_moment(a, q, t + Ball(1)) + crude_moment(a, q, -t) + Ball(1), Ball(0));
  }
  rest = charged(labels_term, rest);
  return result;
}

std::vector<ReplacementLoss::Goal> ReplacementLoss::goals(const std::vector<const Part*>& parts,
                                                          const Ball& t, double nats) const {
  const double t_near = t.estimate();
  std::vector<Goal> result;
  double greatest = -infinity;
  for (const Part* part : parts) {
    check_work_limit();
    result.push_back({part->log_weight + part->half.estimate(1 + t_near).value,
                      part->log_weight + part->half.estimate(-t_near).value});
    greatest = std::max({greatest, result.back().up, result.back().down});
  }
  const auto wanted = [&](double log_size) {
    const double share = std::isfinite(log_size) ? log_size - greatest : 0;
    return std::max(finer(nats) + share, least_nats);
  };
  for (Goal& goal : result) goal = {wanted(goal.up), wanted(goal.down)};
  return result;
}

double ReplacementLoss::estimate_log_crude(const Part& part, double t) const {
  const auto moment = [&](double r) {
    const double exponent = part.a * part.a * r * (r - 1) / 2;
    return exponent < 500 ? std::log1p(std::max(0.0, q_ * std::expm1(exponent)))
                          : std::log(q_) + exponent;
  };
  return part.log_weight + std::log(3.0) + std::max(moment(1 + t), moment(-t));
}

Ball ReplacementLoss::mgf(const Ball& t, double nats) const {
  if (t.is_exact_zero() || (t + Ball(1)).is_exact_zero()) return Ball(finite_);
  const PrecisionScope scope(std::max(working_precision(), precision_bits(nats / log_two) + 40));
  Ball rest;
  Ball sum;
  const Ball q(replacement_.rate);
  const std::vector<const Part*> parts = needed(t, nats, rest);
  const std::vector<Goal> fine = goals(parts, t, nats);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Part& part = *parts[i];
    const Ball a(part.distance);
    const Ball still = (Ball(1) - q) * (Ball(1) - ldexp(normal_cdf(-ldexp(a, -1)), 1));
    sum += weight(part) * (part.half.on_axis(t + Ball(1), fine[i].up) +
                           part.half.on_axis(-t, fine[i].down) + still);
  }
  return clipped_nonnegative(
      widened(sum, PLAUDIT_BOUND("replacement.rest_on_axis", rest, Ball(0))));
}

Ball ReplacementLoss::log_mgf(const Ball& t) const { return log(mgf(t, nats_in_force())); }

ComplexBall ReplacementLoss::log_mgf(const ComplexBall& z) const {
  return by_reflection(z, [&](const ComplexBall& above) {
    const Ball s = above.imaginary();
    if (s.is_exact_zero()) return ComplexBall(log_mgf(above.real()));
    return log(mgf_on_line(above.real(), s, 2, nats_in_force()).values[1]);
  });
}

template <class Value>
Ball ReplacementLoss::mean(Value&& value) const {
  Ball sum;
  for (const Part& part : parts_) {
    sum += weight(part) * value(Ball(part.distance));
    // value lies in [0, 1], so the labels that are left add at most their weight
    const Ball most = share_of(part.after).upper();
    if (certainly_less(most, ldexp(abs(sum).lower(), -working_precision() - 8))) {
      const Ball half =
          PLAUDIT_BOUND("replacement.rest_of_mean", ldexp(charged(labels_term, most), -1), Ball(0));
      return widened(sum + half, half);
    }
  }
  return sum;
}

// Proof: docs/proofs/sampling.md#replacement-law
Ball ReplacementLoss::p_above(const Ball& x) const {
  const Ball q(replacement_.rate);
  const auto right = [&](const Ball& v) {
    return mean([&](const Ball& a) { return mixed_mass(a, q, root(a, q, v)); });
  };
  const auto left = [&](const Ball& v) {
    return mean([&](const Ball& a) { return normal_cdf(root(a, q, v)); });
  };
  const Ball infinite = mass_at_infinity();
  if (certainly_nonnegative(x)) return right(x) + infinite;
  if (certainly_negative(x)) return left(-x) + infinite;
  return hull(right(max(x, Ball(0)).upper()), left(max(-x, Ball(0)).upper())) + infinite;
}

Ball ReplacementLoss::q_above(const Ball& x) const {
  const Ball q(replacement_.rate);
  const auto right = [&](const Ball& v) {
    return mean([&](const Ball& a) { return normal_cdf(-root(a, q, v)); });
  };
  const auto left = [&](const Ball& v) {
    return mean([&](const Ball& a) {
      const Ball y = root(a, q, v);
      return (Ball(1) - q) * normal_cdf(y) + q * normal_cdf(y - a);
    });
  };
  if (certainly_nonnegative(x)) return right(x);
  if (certainly_negative(x)) return left(-x);
  return hull(right(max(x, Ball(0)).upper()), left(max(-x, Ball(0)).upper()));
}

Ball ReplacementLoss::atom() const {
  const Ball q(replacement_.rate);
  return (Ball(1) - q) *
         mean([&](const Ball& a) { return Ball(1) - ldexp(normal_cdf(-ldexp(a, -1)), 1); });
}

Ball ReplacementLoss::p_atom(const Ball& x) const {
  if (x.is_exact_zero()) return atom();
  if (!x.may_be_zero()) return Ball(0);
  return hull(Ball(0), atom());
}

std::optional<std::vector<LossAtom>> ReplacementLoss::atoms_in(
    const std::optional<LossWindow>& window) const {
  if (window && (window->from > 0 || window->to < 0)) return std::vector<LossAtom>{};
  return std::vector<LossAtom>{{Ball(0), Rational(0), atom(), atom()}};
}

std::optional<Ball> ReplacementLoss::density(const Ball& x) const {
  // change of variables: (log f)' = a (1 - (1-q) / f), and the law has density phi f or phi
  const bool right = certainly_positive(x);
  if (!right && !certainly_negative(x)) return std::nullopt;
  const Ball q(replacement_.rate);
  const Ball size = abs(x);
  Ball sum;
  for (const Part& part : parts_) {
    const Ball a(part.distance);
    const Ball base = normal_density(root(a, q, size)) / (a * (q - (Ball(1) - q) * expm1(-size)));
    sum += weight(part) * (right ? base * exp(size) : base);
  }
  return sum;
}

std::shared_ptr<const PrivacyLoss> ReplacementLoss::without_rare_draws(double log_mass) const {
  double left = 0;
  std::size_t kept = parts_.size();
  while (kept > 1) {
    left += std::exp(parts_[kept - 1].log_weight);
    if (!(std::log(left) < log_mass)) break;
    --kept;
  }
  if (kept == parts_.size()) return nullptr;
  Replacement frequent = replacement_;
  frequent.labels.resize(kept);
  frequent.counts.resize(kept);
  return std::make_shared<ReplacementLoss>(std::move(frequent));
}

Ball ReplacementLoss::least_loss() const { return -positive_infinity(); }
Ball ReplacementLoss::greatest_loss() const { return positive_infinity(); }

LineValues ReplacementLoss::mgf_on_line(const Ball& t, const Ball& step, std::size_t count,
                                        LineAccuracy accuracy) const {
  const PrecisionScope scope(
      std::max(working_precision(), precision_bits(accuracy.nats / log_two) + 40));
  Ball rest;
  const Ball q(replacement_.rate);
  LineValues result;
  check_memory_of_balls(2 * static_cast<double>(count));
  result.values.resize(count);
  const std::vector<const Part*> parts = needed(t, accuracy.nats, rest);
  const std::vector<Goal> fine = goals(parts, t, accuracy.nats);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Part& part = *parts[i];
    const Ball a(part.distance);
    const Ball share = weight(part);
    const Ball still = (Ball(1) - q) * (Ball(1) - ldexp(normal_cdf(-ldexp(a, -1)), 1));
    const LineValues up = part.half.on_line(t + Ball(1), step, count, fine[i].up);
    const LineValues down = part.half.on_line(-t, step, count, fine[i].down);
    for (std::size_t k = 0; k < count; ++k) {
      ComplexBall value = up.values[k] + conjugate(down.values[k]) + ComplexBall(still);
      value.scale(share);
      result.values[k] += value;
    }
    result.quadrature += share * (up.quadrature + down.quadrature);
    result.points += up.points + down.points;
  }
  result.quadrature = (result.quadrature + rest).upper();
  for (ComplexBall& value : result.values)
    value = widened(value, PLAUDIT_BOUND("replacement.rest_on_line", rest, Ball(0)));
  return result;
}

// Proof: docs/proofs/sampling.md#half-truncation
Ball ReplacementLoss::mgf_bound_beyond(const Ball& t, const Ball& s, double nats) const {
  const PrecisionScope scope(std::max(working_precision(), precision_bits(nats / log_two) + 40));
  Ball rest;
  Ball sum;
  const Ball q(replacement_.rate);
  const std::vector<const Part*> parts = needed(t, nats, rest);
  const std::vector<Goal> fine = goals(parts, t, nats);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Part& part = *parts[i];
    const Ball a(part.distance);
    const Ball still = (Ball(1) - q) * (Ball(1) - ldexp(normal_cdf(-ldexp(a, -1)), 1));
    sum += weight(part) * (part.half.bound_beyond(t + Ball(1), s, fine[i].up) +
                           part.half.bound_beyond(-t, s, fine[i].down) +
                           PLAUDIT_BOUND("replacement.atom_beyond", still, Ball(0)));
  }
  return (sum + PLAUDIT_BOUND("replacement.rest_beyond", rest, Ball(0))).upper();
}

Ball ReplacementLoss::mgf_upper(const Ball& t, double nats) const { return mgf(t, nats).upper(); }

CumulantEstimate ReplacementLoss::estimate_cumulant(double t) const {
  double greatest = 0;  // log M(t) is at least about -1
  struct Piece {
    double log_size, mean, variance;
  };
  std::vector<Piece> pieces;
  double excess = 0;
  for (const Part& part : parts_) {
    if (&part != &parts_.front() && estimate_log_crude(part, t) < greatest + negligible_log) {
      continue;
    }
    check_work_limit();
    const CumulantEstimate up = part.half.estimate(1 + t);
    const CumulantEstimate down = part.half.estimate(-t);
    pieces.push_back({part.log_weight + up.value, up.mean, up.variance});
    pieces.push_back({part.log_weight + down.value, -down.mean, down.variance});
    pieces.push_back(
        {part.log_weight + std::log((1 - q_) * std::erf(part.a / std::sqrt(8.0))), 0, 0});
    greatest = std::max(
        {greatest, pieces[pieces.size() - 3].log_size, pieces[pieces.size() - 2].log_size});
    if (greatest < 1) excess += std::exp(part.log_weight) * part.half.estimate_excess(t);
  }
  double sum = 0;
  double sum1 = 0;
  for (const Piece& piece : pieces) {
    sum += std::exp(piece.log_size - greatest);
    sum1 += std::exp(piece.log_size - greatest) * piece.mean;
  }
  const double mean = sum1 / sum;
  double sum2 = 0;
  for (const Piece& piece : pieces) {
    sum2 += std::exp(piece.log_size - greatest) *
            (piece.variance + (piece.mean - mean) * (piece.mean - mean));
  }
  const double value = greatest + std::log(sum);
  excess -= estimate(Rational(1 - finite_));
  return {std::fabs(value) < near_no_loss ? std::log1p(excess) : value, mean, sum2 / sum};
}

double ReplacementLoss::estimate_log_decay(double t, double s) const {
  struct Size {
    const Part* part;
    double up, down;  ///< logs of what the label adds to M(t)
  };
  std::vector<Size> sizes;
  double greatest = -infinity;
  for (const Part& part : parts_) {
    if (&part != &parts_.front() && estimate_log_crude(part, t) < negligible_log) continue;
    check_work_limit();
    sizes.push_back({&part, part.log_weight + part.half.estimate(1 + t).value,
                     part.log_weight + part.half.estimate(-t).value});
    greatest = std::max({greatest, sizes.back().up, sizes.back().down});
  }
  double whole = 0;
  double kept = 0;
  const auto add = [&](double log_size, const HalfIntegral& half, double r) {
    const double size = std::exp(log_size - greatest);
    if (!(log_size - greatest > negligible_log)) return;  // too small to be worth its decay
    whole += size;
    kept += size * std::exp(half.estimate_log_decay(r, s));
  };
  for (const Size& size : sizes) {
    check_work_limit();
    add(size.up, size.part->half, 1 + t);
    add(size.down, size.part->half, -t);
    const double still = (1 - q_) * std::erf(size.part->a / std::sqrt(8.0)) *
                         std::exp(size.part->log_weight - greatest);
    whole += still;
    kept += still;
  }
  return std::min(0.0, std::log(kept / whole));
}

double ReplacementLoss::estimate_line_points(double t, double s, double nats) const {
  double sum = 0;
  for (const Part& part : parts_) {
    if (&part != &parts_.front() && estimate_log_crude(part, t) < -nats) continue;
    sum += part.half.estimate_points(1 + t, s, nats) + part.half.estimate_points(-t, s, nats);
  }
  return sum;
}

std::string ReplacementLoss::describe() const {
  std::string text = "records replaced in a batch, sigma " + to_string(replacement_.sigma) +
                     ", sensitivity " + to_string(replacement_.sensitivity) + ", rate " +
                     to_string(replacement_.rate) + ", of " + replacement_.whole.str() +
                     ", counts:";
  for (std::size_t i = 0; i < replacement_.labels.size(); ++i) {
    text += " " + std::to_string(replacement_.labels[i]) + "@" + replacement_.counts[i].str();
  }
  return text;
}

}  // namespace plaudit
