#include "accountants/sweep/line_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "accountants/cost_models.hpp"
#include "accountants/sweep/rounded_up.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

/// The fall by `nats` is counted in this many equal parts, shared by the factors.
constexpr int parts_of_fall = 32;
constexpr long most_integrals = 1000;  ///< nodes that are summed, where some M is an integral
constexpr double most_blocks = 2e7;
constexpr std::size_t most_ranges = 1000000;
/// Changes of beta along a block, half of which is added to the value in its middle. The one with
/// which a trial of `blocks_of_trial` blocks is cheapest sets their length.
constexpr double parts_of_turn[] = {1.0, 0.7, 0.4, 0.2, 0.1, 0.05, 0.025};
constexpr long blocks_of_trial = 2048;
constexpr long least_bits = 128;
/// Times nats / n, by which log beta must fall in each of n steps of a law that falls alone: what
/// coarse bounds may add to beta. More of it makes them cheaper and refines more blocks.
constexpr double share_spared = 0.02;
const char* const too_many = "too many terms of the contour's sum matter far out";

}  // namespace

// Proof: docs/proofs/pinch.md#sweep
LineSweep::LineSweep(const ComposedLoss& loss, double t, double h, long first, double height,
                     double nats, long bits, const SweepLimits& limits)
    : t_(t),
      h_(h),
      bits_(std::max(bits, least_bits)),
      bits_of_ratios_(bits),
      step_(h),
      first_(first),
      nats_(nats),
      refining_(limits.refining),
      most_summed_(limits.most_summed) {
  const PrecisionScope scope(bits_);
  const double start = (Ball(first) * h_).lower_double();
  if (!(start > 0)) throw std::domain_error("the contour's step underflows");
  double steepest = 0;
  for (const ComposedLoss::Term& term : loss.terms()) {
    const Ball part = Ball(nats) / Ball(parts_of_fall);
    const Ball count = PLAUDIT_BOUND("sweep.steps", Ball(term.count), Ball(2 * term.count));
    const double spared = share_spared * nats / static_cast<double>(term.count);
    if (auto bound = line_bound(*term.loss, t_, spared)) {
      steepest = std::max(steepest, bound->slope());
      Rough rough{std::move(bound), term.count, {}};
      for (int r = 0; r <= parts_of_fall; ++r) {
        rough.thresholds.push_back(r == 0 ? 1 : exp(-Ball(r) * part / count).lower_double());
      }
      rough_.push_back(std::move(rough));
      continue;
    }
    std::vector<Step> steps;
    const Ball log_whole = term.loss->log_mgf(t_);
    for (double s = start; s < 2 * height; s *= 1.5) {
      check_work_limit();
      const double at = std::min(s, height);
      const Ball bound = term.loss->mgf_bound_beyond(t_, Ball(at), loss.factor_nats(term));
      const Ball fall = count * (log_whole - log(bound)) / part;
      int parts = steps.empty() ? 0 : steps.back().parts;
      while (parts < parts_of_fall && certainly_greater_equal(fall, Ball(parts + 1))) ++parts;
      steps.push_back({at, parts});
      if (parts == parts_of_fall) break;
    }
    if (!term.loss->facts().gaussian_mean) most_summed_ = most_integrals;
    smooth_.push_back({term.loss, Ball(term.count), log_whole, std::move(steps)});
  }
  const long last = checked_integer(std::ceil(height / step_) + 1, "nodes of a contour");
  if (smooth_parts(last + 1) < parts_of_fall && !falls_for_good(loss, last)) {
    throw std::domain_error(
        "the moment generating function is not known to fall far up the contour");
  }
  if (steepest > 0) choose_block(steepest, last);
  if (static_cast<double>(last - first) / static_cast<double>(block_) > most_blocks) {
    throw std::domain_error("too many blocks of nodes");
  }
  walk(first, last);
}

/// Heuristic: the length that costs least, judged by blocks in the middle.
void LineSweep::choose_block(double steepest, long last) {
  double least = infinity;
  for (const double part : parts_of_turn) {
    const double nodes = std::min(part / (steepest * step_), static_cast<double>(last));
    const long length = std::max(1L, checked_integer(nodes, "a block of nodes"));
    const long first = std::max(first_, (first_ + last) / 2 - length * blocks_of_trial / 2);
    const auto found = parts_of(first, length, blocks_of_trial, false);
    const auto undecided = std::count_if(found.begin(), found.end(),
                                         [&](int parts) { return parts < wanted_parts(first); });
    const double cost = (1 + refining_ * static_cast<double>(undecided) / blocks_of_trial) /
                        static_cast<double>(length);
    if (cost < least) {
      least = cost;
      block_ = length;
    }
  }
}

/// All factors together, beyond the last node.
bool LineSweep::falls_for_good(const ComposedLoss& loss, long last) const {
  const Ball height = (h_ * Ball(last + 1)).lower();
  Ball fall;
  for (const ComposedLoss::Term& term : loss.terms()) {
    const Ball bound = term.loss->mgf_bound_beyond(t_, height, loss.factor_nats(term));
    fall += Ball(term.count) * (term.loss->log_mgf(t_) - log(bound));
  }
  return certainly_greater_equal(fall, Ball(nats_));
}

int LineSweep::smooth_parts(long first) const {
  const double s = static_cast<double>(first) * step_ * (1 - rounding_unit);
  int parts = 0;
  for (const Smooth& factor : smooth_) {
    int here = 0;
    for (const Step& step : factor.steps) {
      if (step.height <= s) here = step.parts;
    }
    parts += here;
  }
  return parts;
}

int LineSweep::Rough::parts(double beta) const {
  if (beta <= thresholds.back()) return parts_of_fall;
  int r = 0;
  while (beta <= thresholds[static_cast<std::size_t>(r) + 1]) ++r;
  return r;
}

/// For `count` blocks of `length` nodes each.
std::vector<int> LineSweep::parts_of(long first, long length, std::size_t count,
                                     bool finely) const {
  const PrecisionScope scope(least_bits);
  const Ball middle = h_ * (Ball(first) + ldexp(Ball(length - 1), -1));
  const Ball step = h_ * Ball(length);
  const double half = up(step_ * static_cast<double>(length - 1) / 2);
  std::vector<int> parts;
  for (std::size_t b = 0; b < count; ++b) {
    parts.push_back(smooth_parts(first + static_cast<long>(b) * length));
  }
  for (const Rough& rough : rough_) {
    const std::vector<double> beta = finely ? rough.bound->along(middle, step, half, count)
                                            : rough.bound->coarsely(middle, step, half, count);
    for (std::size_t b = 0; b < count; ++b) parts[b] += rough.parts(beta[b]);
  }
  return parts;
}

/// The weight of node k falls like 1/k^2: a fall by e^-nats k/first is enough there.
int LineSweep::wanted_parts(long first) const {
  constexpr double less_than_log_two = 0.6931;
  double spared = 0;
  for (long k = first_; 2 * k <= first; k *= 2) spared += less_than_log_two;
  const double wanted = std::ceil(parts_of_fall * (1 - spared / nats_));
  const double kept = PLAUDIT_BOUND("sweep.spared", wanted, wanted / 2);
  return static_cast<int>(std::max(0L, checked_integer(kept, "parts of a fall")));
}

void LineSweep::walk(long first, long last) {
  constexpr long at_once = 8192;
  while (first <= last) {
    if (smooth_parts(first) >= parts_of_fall) return;  // and for good
    const long blocks = std::min(at_once, (last - first) / block_ + 1);
    decide(first, block_, parts_of(first, block_, static_cast<std::size_t>(blocks), false),
           LineRange::How::blocks);
    first += blocks * block_;
  }
}

/// Blocks one after the other, each with its parts of the fall.
void LineSweep::decide(long first, long length, const std::vector<int>& parts, LineRange::How how) {
  for (const int found : parts) {
    const long last = first + length - 1;
    if (found >= wanted_parts(first)) {
      add(first, last, how);
    } else {
      refine(first, last);
    }
    first += length;
  }
}

/// A block that could not be bounded as a whole.
void LineSweep::refine(long first, long last) {
  constexpr long split = 8;
  if (last - first < 3) return sum(first, last);
  const long length = (last - first + split) / split;
  const long whole = (last - first + 1) / length;
  const auto finely = [this](long from, long size, long count) {
    decide(from, size, parts_of(from, size, static_cast<std::size_t>(count), true),
           LineRange::How::bounded);
  };
  finely(first, length, whole);
  const long rest = first + whole * length;
  if (rest <= last) finely(rest, last - rest + 1, 1);
}

void LineSweep::sum(long first, long last) {
  add(first, last, LineRange::How::summed);
  count_summed_ += last - first + 1;
  if (count_summed_ > most_summed_) throw std::domain_error(too_many);
}

void LineSweep::add(long first, long last, LineRange::How how) {
  if (!ranges_.empty() && ranges_.back().how == how && how != LineRange::How::bounded) {
    ranges_.back().last = last;
  } else {
    if (ranges_.size() == most_ranges) throw std::domain_error(too_many);
    ranges_.push_back({first, last, how});
  }
}

long LineSweep::last() const { return ranges_.empty() ? first_ - 1 : ranges_.back().last; }

std::vector<long> LineSweep::summed() const {
  std::vector<long> result;
  for (const LineRange& range : ranges_) {
    for (long k = range.first; range.how == LineRange::How::summed && k <= range.last; ++k) {
      result.push_back(k);
    }
  }
  return result;
}

std::vector<ComplexBall> LineSweep::log_ratios(const std::vector<long>& nodes) const {
  const PrecisionScope scope(bits_);
  std::vector<Ball> heights;
  heights.reserve(nodes.size());
  for (const long k : nodes) heights.push_back(h_ * Ball(k));
  std::vector<ComplexBall> sums(nodes.size());
  for (std::size_t f = 0; f < rough_.size();) {  // one logarithm for neighbours of equal count
    const std::uint64_t count = rough_[f].count;
    std::vector<ComplexBall> product = rough_[f].bound->ratios(heights, bits_of_ratios_);
    while (++f < rough_.size() && rough_[f].count == count) {
      const std::vector<ComplexBall> more = rough_[f].bound->ratios(heights, bits_of_ratios_);
      for (std::size_t i = 0; i < product.size(); ++i) product[i] *= more[i];
    }
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sums[i] += ComplexBall(Ball(count)) * log(product[i]);
    }
  }
  for (const Smooth& factor : smooth_) {
    const std::vector<ComplexBall> logs = log_mgfs(*factor.loss, nodes);
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sums[i] += ComplexBall(factor.count) * (logs[i] - ComplexBall(factor.log_whole));
    }
  }
  return sums;
}

/// log M at the nodes: one by one, or from the values at all nodes of the line up to the last of
/// them where that costs less (heuristic), since they share the points of the integrals.
std::vector<ComplexBall> LineSweep::log_mgfs(const PrivacyLoss& loss,
                                             const std::vector<long>& nodes) const {
  std::vector<ComplexBall> result;
  result.reserve(nodes.size());
  if (nodes.empty()) return result;
  const double nats = static_cast<double>(bits_) * log_two;
  const auto count = static_cast<std::size_t>(*std::max_element(nodes.begin(), nodes.end())) + 1;
  const double height = step_ * static_cast<double>(count);
  const double points = loss.estimate_line_points(t_.estimate(), height, nats);
  const auto cost = [&](double on_line) {
    return costs::straight_line(points, points * loss.price_of_line_point(), on_line,
                                static_cast<double>(bits_), 1);
  };
  const bool is_integral = points > 1;  // else log M is an expression
  if (is_integral &&
      cost(static_cast<double>(count)) < static_cast<double>(nodes.size()) * cost(1)) {
    const LineValues line = loss.mgf_on_line(t_, h_, count, nats);
    for (const long k : nodes) result.push_back(log(line.values[static_cast<std::size_t>(k)]));
    return result;
  }
  for (const long k : nodes) {
    check_work_limit();
    result.push_back(loss.log_mgf(ComplexBall(t_, h_ * Ball(k))));
  }
  return result;
}

}  // namespace plaudit
