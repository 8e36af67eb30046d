#include "mechanisms/replacement/replacement_loss.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lib/balls/ball_memory.hpp"
#include "lib/balls/error_term.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm labels_term{"replacement.labels", "docs/proofs/sampling.md#rare-labels"};
constexpr double least_nats = 8;        ///< to which a label's integrals are asked at least
constexpr double negligible_log = -45;  ///< log of a label's part that an estimate leaves out
constexpr double near_no_loss = 0.1;    ///< |log M| below which it is estimated from M - 1
constexpr long bits_of_bounds = 64;
// Labels at most so many places from the likeliest one, and at most so many nats less likely, have
// a part of their own; all others are bounded together.
constexpr double nats_looked_at = 5000;
constexpr std::uint64_t most_looked_at = 2048;

/// Where f = e^x, for x >= 0: a/2 + log(1 + (e^x - 1) / q) / a.
Ball root(const Ball& a, const Ball& q, const Ball& x) {
  return ldexp(a, -1) + log1p(expm1(x) / q) / a;
}

/// Mass of (y, inf) under (1-q) N(0,1) + q N(a,1).
Ball mixed_mass(const Ball& a, const Ball& q, const Ball& y) {
  return (Ball(1) - q) * normal_cdf(-y) + q * normal_cdf(a - y);
}

bool is_whole(const Replacement& given) {
  return std::accumulate(given.counts.begin(), given.counts.end(), Integer(0)) == given.whole;
}

/// The labels given and, where their probabilities do not sum to 1, one more for the mass at
/// infinity.
std::shared_ptr<const BatchLabels> labels_of(const Replacement& given) {
  std::vector<std::uint64_t> labels = given.labels;
  std::vector<Integer> counts = given.counts;
  if (!is_whole(given)) {
    labels.push_back(labels.back() + 1);
    counts.push_back(given.whole - std::accumulate(counts.begin(), counts.end(), Integer(0)));
  }
  return counted_labels(given.rate, std::move(labels), std::move(counts), given.whole);
}

/// Upper bound of int phi f^r over the whole line: Jensen for r <= 0 and r >= 1, and 1 in between.
Ball crude_moment(const Ball& a, const Ball& q, const Ball& r) {
  const Ball exponent = ldexp(square(a) * r * (r - Ball(1)), -1);
  return max(Ball(1),
             PLAUDIT_BOUND("replacement.crude_moment", Ball(1) + q * expm1(exponent), Ball(1)))
      .upper();
}

}  // namespace

ReplacementLoss::ReplacementLoss(const Replacement& replacement)
    : ReplacementLoss(replacement.sensitivity / replacement.sigma, labels_of(replacement),
                      {0, labels_of(replacement)->count(), {}, is_whole(replacement) ? 0U : 1U}) {}

ReplacementLoss::ReplacementLoss(const Rational& sigma, const Rational& sensitivity,
                                 const std::shared_ptr<const BatchLabels>& labels)
    : ReplacementLoss(sensitivity / sigma, labels, range_of(*labels)) {}

ReplacementLoss::ReplacementLoss(Rational unit, std::shared_ptr<const BatchLabels> labels,
                                 Range range)
    : unit_(std::move(unit)), labels_(std::move(labels)), range_(range) {
  const PrecisionScope scope(bits_of_bounds);
  if (!range_.heir) {
    beyond_ = PLAUDIT_BOUND("replacement.beyond_range", labels_->outside(range_.first, range_.size),
                            Ball(0));
  }
  const Weights shares = weights();
  const std::uint64_t size = range_.size - range_.infinite;
  q_ = rate().estimate();
  for (std::uint64_t i = range_.size; i > size; --i) infinite_ += (*shares)[i - 1].estimate();
  Ball after = beyond_;
  parts_.reserve(size);
  for (std::uint64_t i = size; i > 0; --i) {
    const Rational distance = unit_ * labels_->at(range_.first + i - 1);
    const Ball& share = (*shares)[i - 1];
    parts_.push_back({distance, after, estimate(distance), share.estimate_log(),
                      HalfIntegral(distance, [all = labels_] { return all->rate(); })});
    after = (after + share).upper();
  }
  std::reverse(parts_.begin(), parts_.end());
  facts_.labels = parts_.size();
  facts_.replacement = this;
}

/// The labels around the likeliest one that nats_looked_at and most_looked_at allow.
ReplacementLoss::Range ReplacementLoss::range_of(const BatchLabels& labels) {
  const std::uint64_t middle = labels.likeliest();
  const double least = labels.estimate_log_weight(middle) - nats_looked_at;
  const auto matters = [&](std::uint64_t i) { return labels.estimate_log_weight(i) > least; };
  std::uint64_t low = middle;
  std::uint64_t high = middle + 1;
  while (low > 0 && middle - low < most_looked_at && matters(low - 1)) --low;
  while (high < labels.count() && high - middle < most_looked_at && matters(high)) ++high;
  return {low, high - low};
}

ReplacementLoss::Weights ReplacementLoss::weights() const {
  const long bits = working_precision();
  const std::lock_guard<std::mutex> lock(mutex_);
  if (bits_ == bits) return kept_;
  const UncountedWork kept;
  std::vector<Ball> result = labels_->weights(range_.first, range_.size);
  if (range_.heir) {
    Ball others;
    for (std::uint64_t i = 0; i < range_.size; ++i) {
      if (i != *range_.heir) others += result[i];
    }
    result[*range_.heir] = Ball(1) - others;
  }
  kept_ = std::make_shared<const std::vector<Ball>>(std::move(result));
  bits_ = bits;
  return kept_;
}

Ball ReplacementLoss::mass_at_infinity() const {
  if (range_.infinite == 0) return Ball(0);
  const Weights shares = weights();
  Ball sum = ldexp(widened(beyond_, beyond_), -1);  // those beyond the range, all or none
  for (std::uint64_t i = range_.size - range_.infinite; i < range_.size; ++i) sum += (*shares)[i];
  return sum;
}

// Proof: docs/proofs/sampling.md#rare-labels
std::vector<std::size_t> ReplacementLoss::needed(const Ball& t, double nats, Ball& rest) const {
  std::vector<std::size_t> result;
  const double t_near = t.estimate();
  double most = -infinity;
  for (const Part& part : parts_) most = std::max(most, part.log_weight);
  // M(t) >= the weight of the likeliest label times the least atom: labels below e^{-nats} of that
  // are left out
  const double goal = most + std::log((1 - q_) * std::erf(parts_.front().a / 2.83)) - nats -
                      std::log(1.0 + static_cast<double>(parts_.size()));
  rest = Ball(0);
  const Ball q = rate();
  const auto bound = [&](const Ball& weight, const Ball& a) {
    return weight *
           PLAUDIT_BOUND("replacement.rare_labels",
                         crude_moment(a, q, t + Ball(1)) + crude_moment(a, q, -t) + Ball(1),
                         Ball(0));
  };
  const Weights shares = weights();
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (i == 0 || estimate_log_crude(parts_[i], t_near) > goal) {
      result.push_back(i);
      continue;
    }
    rest += bound((*shares)[i], Ball(parts_[i].distance));
  }
  if (!beyond_.is_exact_zero()) {
    rest += bound(beyond_, Ball(Rational(unit_ * labels_->at(labels_->count() - 1))));
  }
  rest = charged(labels_term, rest);
  return result;
}

std::vector<ReplacementLoss::Goal> ReplacementLoss::goals(const std::vector<std::size_t>& parts,
                                                          const Ball& t, double nats) const {
  const double t_near = t.estimate();
  std::vector<Goal> result;
  double greatest = -infinity;
  for (const std::size_t i : parts) {
    check_work_limit();
    const Part& part = parts_[i];
    result.push_back({part.log_weight + part.half.estimate(1 + t_near).value,
                      part.log_weight + part.half.estimate(-t_near).value});
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

template <class Add>
Ball ReplacementLoss::each_needed(const Ball& t, double nats, Add&& add) const {
  Ball rest;
  const Ball q = rate();
  const std::vector<std::size_t> parts = needed(t, nats, rest);
  const std::vector<Goal> fine = goals(parts, t, nats);
  const Weights shares = weights();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Part& part = parts_[parts[i]];
    const Ball a(part.distance);
    const Ball still = (Ball(1) - q) * (Ball(1) - ldexp(normal_cdf(-ldexp(a, -1)), 1));
    add((*shares)[parts[i]], part.half, fine[i], still);
  }
  return rest;
}

Ball ReplacementLoss::mgf(const Ball& t, double nats) const {
  if (t.is_exact_zero() || (t + Ball(1)).is_exact_zero()) return finite_mass();
  const PrecisionScope scope(std::max(working_precision(), precision_bits(nats / log_two) + 40));
  Ball sum;
  const auto add = [&](const Ball& share, const HalfIntegral& half, const Goal& goal,
                       const Ball& still) {
    sum += share * (half.on_axis(t + Ball(1), goal.up) + half.on_axis(-t, goal.down) + still);
  };
  const Ball rest = each_needed(t, nats, add);
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

Ball ReplacementLoss::mean(const std::function<Ball(const Ball& distance)>& value) const {
  const Weights shares = weights();
  Ball sum;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    sum += (*shares)[i] * value(Ball(parts_[i].distance));
    // value lies in [0, 1], so the labels that are left add at most their weight
    const Ball& most = parts_[i].after;
    const bool last = i + 1 == parts_.size() && !most.is_exact_zero();
    if (last || certainly_less(most, ldexp(abs(sum).lower(), -working_precision() - 8))) {
      const Ball half =
          PLAUDIT_BOUND("replacement.rest_of_mean", ldexp(charged(labels_term, most), -1), Ball(0));
      return widened(sum + half, half);
    }
  }
  return sum;
}

// Proof: docs/proofs/sampling.md#replacement-law
Ball ReplacementLoss::p_above(const Ball& x) const {
  const Ball q = rate();
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
  const Ball q = rate();
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
  const Ball q = rate();
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
  const Ball q = rate();
  const Ball size = abs(x);
  if (!beyond_.is_exact_zero()) return std::nullopt;
  Ball sum;
  const Weights shares = weights();
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Ball a(parts_[i].distance);
    const Ball base = normal_density(root(a, q, size)) / (a * (q - (Ball(1) - q) * expm1(-size)));
    sum += (*shares)[i] * (right ? base * exp(size) : base);
  }
  return sum;
}

std::shared_ptr<const PrivacyLoss> ReplacementLoss::without_rare_draws(double log_mass) const {
  double left = infinite_ + beyond_.estimate();
  std::size_t kept = parts_.size();
  while (kept > 1) {
    left += std::exp(parts_[kept - 1].log_weight);
    if (!(std::log(left) < log_mass)) break;
    --kept;
  }
  if (kept == parts_.size()) return nullptr;
  Range range = range_;
  range.infinite = range_.size - kept;
  return std::shared_ptr<const PrivacyLoss>(new ReplacementLoss(unit_, labels_, range));
}

// Proof: docs/proofs/rare_components.md#labels
std::optional<FrequentLaw> ReplacementLoss::without_rare_labels(double log_mass) const {
  if (range_.heir || range_.infinite > 0) return std::nullopt;
  const PrecisionScope scope(bits_of_bounds);
  Ball moved = beyond_;
  std::size_t low = 0;
  std::size_t high = parts_.size();
  const Weights shares = weights();
  while (high - low > 1) {  // the rarer of the two at the ends
    const bool last = parts_[high - 1].log_weight < parts_[low].log_weight;
    const Ball more = (moved + (*shares)[last ? high - 1 : low]).upper();
    if (!(more.estimate_log() < log_mass)) break;
    moved = PLAUDIT_BOUND("replacement.labels_left_out", more, moved);
    last ? --high : ++low;
  }
  if (moved.is_exact_zero()) return std::nullopt;
  Range range{range_.first + low, high - low};
  range.heir = 0;
  for (std::size_t i = low; i < high; ++i) {
    if (parts_[i].log_weight > parts_[low + *range.heir].log_weight) range.heir = i - low;
  }
  return FrequentLaw{std::shared_ptr<const PrivacyLoss>(new ReplacementLoss(unit_, labels_, range)),
                     moved};
}

Ball ReplacementLoss::least_loss() const { return -positive_infinity(); }
Ball ReplacementLoss::greatest_loss() const { return positive_infinity(); }

LineValues ReplacementLoss::mgf_on_line(const Ball& t, const Ball& step, std::size_t count,
                                        LineAccuracy accuracy) const {
  const PrecisionScope scope(
      std::max(working_precision(), precision_bits(accuracy.nats / log_two) + 40));
  LineValues result;
  check_memory_of_balls(2 * static_cast<double>(count));
  result.values.resize(count);
  const auto add = [&](const Ball& share, const HalfIntegral& half, const Goal& goal,
                       const Ball& still) {
    const LineValues up = half.on_line(t + Ball(1), step, count, goal.up);
    const LineValues down = half.on_line(-t, step, count, goal.down);
    for (std::size_t k = 0; k < count; ++k) {
      ComplexBall value = up.values[k] + conjugate(down.values[k]) + ComplexBall(still);
      value.scale(share);
      result.values[k] += value;
    }
    result.quadrature += share * (up.quadrature + down.quadrature);
    result.points += up.points + down.points;
  };
  const Ball rest = each_needed(t, accuracy.nats, add);
  result.quadrature = (result.quadrature + rest).upper();
  for (ComplexBall& value : result.values)
    value = widened(value, PLAUDIT_BOUND("replacement.rest_on_line", rest, Ball(0)));
  return result;
}

// Proof: docs/proofs/sampling.md#half-truncation
Ball ReplacementLoss::mgf_bound_beyond(const Ball& t, const Ball& s, double nats) const {
  const PrecisionScope scope(std::max(working_precision(), precision_bits(nats / log_two) + 40));
  Ball sum;
  const auto add = [&](const Ball& share, const HalfIntegral& half, const Goal& goal,
                       const Ball& still) {
    sum +=
        share * (half.bound_beyond(t + Ball(1), s, goal.up) + half.bound_beyond(-t, s, goal.down) +
                 PLAUDIT_BOUND("replacement.atom_beyond", still, Ball(0)));
  };
  const Ball rest = each_needed(t, nats, add);
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
  excess -= infinite_;
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
  std::string text =
      "records replaced in a batch, distance " + to_string(unit_) + ", " + labels_->describe();
  if (range_.heir) {
    text += ", labels from " + std::to_string(range_.first) + ", " + std::to_string(range_.size) +
            " of them, the others given to number " + std::to_string(*range_.heir);
  }
  if (range_.infinite > 0) text += ", " + std::to_string(range_.infinite) + " at infinity";
  return text;
}

}  // namespace plaudit
