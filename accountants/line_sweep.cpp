// binary64 bound: docs/proofs/pinch.md#rotation
// binary64 bound: docs/proofs/pinch.md#period
#include "accountants/line_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <stdexcept>

#include "lib/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/precision.hpp"
#include "lib/work_limit.hpp"
#include "mechanisms/atomic_law.hpp"
#include "mechanisms/lattice_law.hpp"

namespace plaudit {

namespace {

/// The fall by `nats` is counted in this many equal parts, shared by the factors.
constexpr int parts_of_fall = 32;
constexpr long most_integrals = 1000;  ///< of these nodes, where some M is an integral
constexpr double most_blocks = 2e7;
constexpr std::size_t most_ranges = 1000000;
constexpr std::size_t most_atoms = 4000;
constexpr std::size_t blocks_at_once = 512;
constexpr double atom_nats = 60;          ///< what the atoms that are listed leave out
constexpr double seconds_of_atom = 3e-9;  ///< one multiplication (measured 2026-11)
/// What a block may add to beta twice over: the best is found by a trial of a few blocks.
constexpr double parts_of_turn[] = {1.0, 0.7, 0.4, 0.2, 0.1, 0.05, 0.025};
constexpr long blocks_of_trial = 2048;
constexpr long least_bits = 128;
constexpr double unit = 0x1p-50;

double up(double x) { return x * (1 + unit); }

/// Laws with atoms.
class AtomBound final : public LineBound {
 public:
  AtomBound(const PrivacyLoss& loss, const AtomicLaw& law, const Ball& t) {
    const Ball log_whole = loss.log_mgf(t);
    const auto size = law.law.atoms.size();
    Ball mean;
    Ball sum;
    Ball rounding;
    for (const Atom& atom : law.law.atoms) {
      if ((weights_.size() & 255) == 255) check_work_limit(256e-6);
      weights_.push_back(atom.p * exp(t * atom.loss - log_whole));
      const double nearest = weights_.back().estimate();
      sizes_.push_back(nearest);
      losses_.push_back(atom.loss);
      rounding += abs(weights_.back() - Ball(nearest));
      sum += weights_.back();
      mean += weights_.back() * atom.loss;
    }
    const Ball centre(mean.estimate());
    Ball spread;
    for (std::size_t j = 0; j < size; ++j) spread += weights_[j] * abs(losses_[j] - centre);
    slope_ = spread.upper_double();
    if (!law.whole) rest_ = clipped_nonnegative(Ball(1) - sum).upper();
    slack_ = PLAUDIT_BOUND("sweep.atoms_left_out", rest_ + rounding, Ball(0)).upper_double();
  }

  // Proof: docs/proofs/pinch.md#rotation
  std::vector<double> along(const Ball& first, const Ball& step, double half,
                            std::size_t count) const override {
    std::vector<double> found;
    found.reserve(count);
    const Turns& bases = bases_of(step);
    const auto size = losses_.size();
    for (std::size_t done = 0; done < count; done += blocks_at_once) {
      const std::size_t end = std::min(count, done + blocks_at_once);
      check_work_limit(seconds_of_atom * static_cast<double>(size * (end - done)));
      Turns now = turns(first + Ball(static_cast<long>(done)) * step, &sizes_);
      for (std::size_t b = done; b < end; ++b) {
        double real = 0;
        double imaginary = 0;
        for (std::size_t j = 0; j < size; ++j) {
          const double x = now.real[j];
          const double y = now.imaginary[j];
          real += x;
          imaginary += y;
          now.real[j] = x * bases.real[j] - y * bases.imaginary[j];
          now.imaginary[j] = x * bases.imaginary[j] + y * bases.real[j];
        }
        const auto turned = static_cast<double>(b - done);
        const double roundings = (turned + static_cast<double>(size) + 8) * unit;
        const double inexact = up(up(now.inexact) + up(turned * bases.inexact));
        const double rotation =
            PLAUDIT_BOUND("sweep.rounding_of_rotations", up(roundings + inexact), 0 * roundings);
        const double within = PLAUDIT_BOUND("sweep.change_within_block", slope_ * half, 0 * half);
        const double at = std::sqrt(real * real + imaginary * imaginary);
        found.push_back(std::min(1.0, up(up(at) + up(rotation + within + slack_))));
      }
    }
    return found;
  }
  double slope() const override { return slope_; }
  ComplexBall ratio(const Ball& s) const override {
    ComplexBall sum;
    for (std::size_t j = 0; j < losses_.size(); ++j) {
      sum += ComplexBall(weights_[j]) * exp(ComplexBall(Ball(0), s * losses_[j]));
    }
    return widened(sum, rest_);
  }

 private:
  struct Turns {
    std::vector<double> real;
    std::vector<double> imaginary;
    double inexact =
        0;  ///< the sum of the radii of balls with sizes, the greatest of those without
  };
  /// e^{is l_j}, times a size each: the doubles next to the middles of balls.
  Turns turns(const Ball& s, const std::vector<double>* sizes) const {
    Turns result;
    for (std::size_t j = 0; j < losses_.size(); ++j) {
      const ComplexBall turn = exp(ComplexBall(Ball(0), s * losses_[j]));
      const Ball size = sizes == nullptr ? Ball(1) : Ball((*sizes)[j]);
      const Ball real = size * turn.real();
      const Ball imaginary = size * turn.imaginary();
      const double radius = (real.radius() + imaginary.radius()).upper_double();
      result.inexact =
          sizes == nullptr ? std::max(result.inexact, 2 * radius) : up(result.inexact + radius);
      result.real.push_back(real.estimate());
      result.imaginary.push_back(imaginary.estimate());
    }
    return result;
  }

  /// Few different steps are asked for.
  const Turns& bases_of(const Ball& step) const {
    const double nearly = step.estimate();
    const auto known = bases_.find(nearly);
    if (known != bases_.end() && contains(known->second.first, step)) return known->second.second;
    return bases_.insert_or_assign(nearly, std::pair{step, turns(step, nullptr)})
        .first->second.second;
  }

  mutable std::map<double, std::pair<Ball, Turns>> bases_;
  std::vector<Ball> losses_;
  std::vector<Ball> weights_;  ///< p e^{t l} / M(t)
  std::vector<double> sizes_;  ///< nearly these
  Ball rest_;                  ///< what the weights leave out of 1
  double slope_ = 0;
  double slack_ = 0;
};

/// Laws of bounded support whose M is cheap at a point: |M'| <= max|L| M(t).
class ClosedBound final : public LineBound {
 public:
  ClosedBound(const PrivacyLoss& loss, const Ball& t)
      : loss_(loss), t_(t), log_whole_(loss.log_mgf(t)) {
    slope_ = max(abs(loss.least_loss()), abs(loss.greatest_loss())).upper_double();
  }
  std::vector<double> along(const Ball& first, const Ball& step, double half,
                            std::size_t count) const override {
    const double within = PLAUDIT_BOUND("sweep.change_of_closed_form", slope_ * half, 0 * half);
    std::vector<double> found;
    for (std::size_t b = 0; b < count; ++b) {
      check_work_limit();
      const ComplexBall z(t_, first + Ball(static_cast<long>(b)) * step);
      const Ball at = exp(loss_.log_mgf(z).real() - log_whole_);
      found.push_back(at.is_finite() ? std::min(1.0, up(at.upper_double() + up(within))) : 1);
    }
    return found;
  }
  ComplexBall ratio(const Ball& s) const override {
    return exp(loss_.log_mgf(ComplexBall(t_, s)) - ComplexBall(log_whole_));
  }
  double slope() const override { return slope_; }

 private:
  const PrivacyLoss& loss_;
  Ball t_;
  Ball log_whole_;
  double slope_ = 0;
};

/// Laws on a lattice of mesh a: beta has the period 2 pi / a and is tabulated for one, by cells.
/// Proof: docs/proofs/pinch.md#period
class PeriodicBound final : public LineBound {
 public:
  PeriodicBound(std::unique_ptr<LineBound> base, const Ball& mesh, std::size_t cells)
      : base_(std::move(base)) {
    const Ball step = ldexp(pi(), 1) / mesh / Ball(static_cast<long>(cells));
    per_unit_ = Ball(1) / step;
    // the middles are exact numbers, next to where they should be
    const Ball rounded = step.middle();
    const double half =
        up(ldexp(step, -1).upper_double() +
           (abs(step - rounded) * Ball(static_cast<long>(cells) + 1)).upper_double());
    cells_ = base_->along(ldexp(rounded, -1), rounded, half, cells);
  }
  std::vector<double> along(const Ball& first, const Ball& step, double half,
                            std::size_t count) const override {
    return base_->along(first, step, half, count);
  }
  std::vector<double> coarsely(const Ball& first, const Ball& step, double half,
                               std::size_t count) const override {
    const Ball exact_start = first * per_unit_;
    const Ball exact_pace = step * per_unit_;
    const double start = exact_start.estimate();
    const double pace = exact_pace.estimate();
    const auto size = static_cast<double>(cells_.size());
    const double last = std::fabs(start) + std::fabs(pace) * static_cast<double>(count);
    const Ball inexact =
        exact_start.radius() + Ball(static_cast<long>(count)) * exact_pace.radius();
    const double wide =
        half * per_unit_.upper_double() + 1e-6 + last * 0x1p-48 + inexact.upper_double();
    std::vector<double> found;
    if (!(2 * wide < size) || !(last < 0x1p52)) return std::vector<double>(count, 1.0);
    check_work_limit(2e-8 * static_cast<double>(count));
    for (std::size_t b = 0; b < count; ++b) {
      const double middle = std::fmod(start + pace * static_cast<double>(b), size) + size;
      const long low = checked_integer(std::floor(middle - wide), "a cell");
      const long high = checked_integer(std::floor(middle + wide), "a cell");
      double most = 0;
      for (long cell = low; cell <= high; ++cell) {
        most = std::max(most, cells_[static_cast<std::size_t>(cell) % cells_.size()]);
      }
      found.push_back(most);
    }
    return found;
  }
  ComplexBall ratio(const Ball& s) const override { return base_->ratio(s); }
  double slope() const override { return base_->slope(); }

 private:
  std::unique_ptr<LineBound> base_;
  Ball per_unit_;  ///< cells per unit of s
  std::vector<double> cells_;
};

std::unique_ptr<LineBound> periodic(const PrivacyLoss& loss, std::unique_ptr<LineBound> base) {
  constexpr double most_cells = 1 << 18;
  const auto lattice = loss.lattice();
  if (!lattice) return base;
  const double cells =
      std::ceil(16 * base->slope() * 2 * std::numbers::pi / lattice->mesh.estimate());
  if (!(cells >= 1 && cells < most_cells)) return base;
  return std::make_unique<PeriodicBound>(
      std::move(base), lattice->mesh,
      static_cast<std::size_t>(checked_integer(cells, "cells of a period")) + 16);
}

}  // namespace

std::unique_ptr<LineBound> line_bound(const PrivacyLoss& loss, const Ball& t) {
  if (const auto law = loss.atoms(t.estimate(), atom_nats)) {
    if (law->law.atoms.size() > most_atoms) return nullptr;
    return periodic(loss, std::make_unique<AtomBound>(loss, *law, t));
  }
  if (loss.least_loss().is_finite() && loss.greatest_loss().is_finite() &&
      loss.estimate_line_points(t.estimate(), 1, 1) == 1) {
    return std::make_unique<ClosedBound>(loss, t);
  }
  return nullptr;
}

// Proof: docs/proofs/pinch.md#sweep
LineSweep::LineSweep(const ComposedLoss& loss, const Ball& t, const Ball& h, long first,
                     double height, double nats, long bits, const SweepLimits& limits)
    : t_(t),
      h_(h),
      bits_(std::max(bits, least_bits)),
      step_(h.upper_double()),
      first_(first),
      nats_(nats),
      refining_(limits.refining),
      most_summed_(limits.most_summed) {
  const PrecisionScope scope(bits_);
  const double start = (Ball(first) * h).lower_double();
  double steepest = 0;
  for (const ComposedLoss::Term& term : loss.terms()) {
    const Ball part = Ball(nats) / Ball(parts_of_fall);
    const Ball count = PLAUDIT_BOUND("sweep.steps", Ball(term.count), Ball(2 * term.count));
    if (auto bound = line_bound(*term.loss, t)) {
      steepest = std::max(steepest, bound->slope());
      Rough rough{std::move(bound), Ball(term.count), {}};
      for (int r = 0; r <= parts_of_fall; ++r) {
        rough.thresholds.push_back(r == 0 ? 1 : exp(-Ball(r) * part / count).lower_double());
      }
      rough_.push_back(std::move(rough));
      continue;
    }
    std::vector<Step> steps;
    const Ball log_whole = term.loss->log_mgf(t);
    for (double s = start; s < 2 * height; s *= 1.5) {
      check_work_limit();
      const double at = std::min(s, height);
      const Ball bound = term.loss->mgf_bound_beyond(t, Ball(at), loss.factor_nats(term));
      const Ball fall = count * (log_whole - log(bound)) / part;
      int parts = steps.empty() ? 0 : steps.back().parts;
      while (parts < parts_of_fall && certainly_greater_equal(fall, Ball(parts + 1))) ++parts;
      steps.push_back({at, parts});
      if (parts == parts_of_fall) break;
    }
    if (!term.loss->gaussian_mean()) most_summed_ = most_integrals;
    smooth_.push_back({term.loss, Ball(term.count), log_whole, std::move(steps)});
  }
  const long last = checked_integer(std::ceil(height / step_) + 1, "nodes of a contour");
  if (smooth_parts(last + 1) < parts_of_fall && !falls_for_good(loss, t, last)) {
    throw std::domain_error("nothing makes the moment generating function fall");
  }
  if (steepest > 0) choose_block(steepest, last);
  if (static_cast<double>(last - first) / static_cast<double>(block_) > most_blocks) {
    throw std::domain_error("too many blocks of nodes");
  }
  walk(first, last);
}

/// Heuristic: the length that costs least, judged by blocks in the middle.
void LineSweep::choose_block(double steepest, long last) {
  double least = std::numeric_limits<double>::infinity();
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
bool LineSweep::falls_for_good(const ComposedLoss& loss, const Ball& t, long last) const {
  Ball fall;
  for (const ComposedLoss::Term& term : loss.terms()) {
    const Ball bound = term.loss->mgf_bound_beyond(t, h_ * Ball(last + 1), loss.factor_nats(term));
    fall += Ball(term.count) * (term.loss->log_mgf(t) - log(bound));
  }
  return certainly_greater_equal(fall, Ball(nats_));
}

int LineSweep::smooth_parts(long first) const {
  const double s = static_cast<double>(first) * step_ * (1 - unit);
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
    const std::vector<int> parts = parts_of(first, block_, static_cast<std::size_t>(blocks), false);
    for (const int found : parts) {
      if (found >= wanted_parts(first)) {
        add(first, first + block_ - 1, LineRange::How::blocks);
      } else {
        refine(first, first + block_ - 1);
      }
      first += block_;
    }
  }
}

/// A block that could not be bounded as a whole.
void LineSweep::refine(long first, long last) {
  constexpr long split = 8;
  if (last - first < 3) return sum(first, last);
  const long length = (last - first + split) / split;
  const long whole = (last - first + 1) / length;
  decide(first, length, whole);
  const long rest = first + whole * length;
  if (rest <= last) decide(rest, last - rest + 1, 1);
}

void LineSweep::decide(long first, long length, long count) {
  for (const int found : parts_of(first, length, static_cast<std::size_t>(count), true)) {
    if (found >= wanted_parts(first)) {
      add(first, first + length - 1, LineRange::How::bounded);
    } else {
      refine(first, first + length - 1);
    }
    first += length;
  }
}

void LineSweep::sum(long first, long last) {
  add(first, last, LineRange::How::summed);
  count_summed_ += last - first + 1;
  if (count_summed_ > most_summed_) throw std::domain_error("too many nodes matter");
}

void LineSweep::add(long first, long last, LineRange::How how) {
  if (!ranges_.empty() && ranges_.back().how == how && how != LineRange::How::bounded) {
    ranges_.back().last = last;
  } else {
    if (ranges_.size() == most_ranges) throw std::domain_error("too many nodes matter");
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

ComplexBall LineSweep::log_ratio(long k) const {
  const PrecisionScope scope(bits_);
  const Ball s = h_ * Ball(k);
  ComplexBall sum;
  for (const Rough& rough : rough_) sum += ComplexBall(rough.count) * log(rough.bound->ratio(s));
  for (const Smooth& factor : smooth_) {
    sum += ComplexBall(factor.count) *
           (factor.loss->log_mgf(ComplexBall(t_, s)) - ComplexBall(factor.log_whole));
  }
  return sum;
}

}  // namespace plaudit
