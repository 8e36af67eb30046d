// binary64 bound: docs/proofs/pinch.md#rotation
// binary64 bound: docs/proofs/pinch.md#period
#include "accountants/sweep/line_bound.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <optional>

#include "accountants/sweep/rounded_up.hpp"
#include "accountants/sweep/sampled_laplace_bound.hpp"
#include "lib/analysis/fixed/fixed_exponentials.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/laws/atomic_law.hpp"
#include "mechanisms/laws/laplace_loss.hpp"
#include "mechanisms/laws/lattice_law.hpp"

namespace plaudit {

namespace {

constexpr std::size_t most_atoms = 4000;  ///< of a law with more there is no bound
/// Rotations before e^{is l} is computed anew: at most 512, or the bound of the rounding is not
/// proven (docs/proofs/pinch.md#rotation).
constexpr std::size_t blocks_at_once = 512;
constexpr double atom_nats = 60;           ///< about e^-60 of the tilted law may be left out
constexpr double seconds_of_turn = 6e-8;   ///< of one e^{is l} in fixed point
constexpr double seconds_of_atom = 3e-9;   ///< of one rotation (measured 2026-11)
constexpr double worth_few = 0.8;          ///< coarse bounds have at most this part of the atoms
constexpr double seconds_of_block = 4e-8;  ///< that asks a table of cells
constexpr double seconds_of_cell = 4e-9;   ///< that it meets

/// sum_j w_j e^{is l_j} along a line in binary64, with what a law has besides.
/// Proof: docs/proofs/pinch.md#rotation
class AtomWalk {
 public:
  /// @param sizes nearly the weights. @param slack added to each bound: at least the weights of
  /// the atoms that are not here and the amounts by which the sizes are rounded.
  AtomWalk(std::vector<double> sizes, std::vector<Ball> losses, double slack)
      : losses_(std::move(losses)), sizes_(std::move(sizes)), fixed_(losses_), slack_(slack) {}

  /// @param within added to each bound: how much the sum may change within a block.
  std::vector<double> along(const Ball& first, const Ball& step, double within,
                            std::size_t count) const {
    std::vector<double> found;
    found.reserve(count);
    const Turns& bases = bases_of(step);
    const auto size = losses_.size();
    for (std::size_t done = 0; done < count; done += blocks_at_once) {
      const std::size_t end = std::min(count, done + blocks_at_once);
      check_work_limit(seconds_of_atom * static_cast<double>(size * (end - done)));
      Turns now = turns(first + Ball(static_cast<long>(done)) * step, &sizes_);
      for (std::size_t b = done; b < end; ++b) {
        const double at = sum_and_turn(now, bases);
        const auto turned = static_cast<double>(b - done);
        const double roundings = (turned + static_cast<double>(size) + 8) * rounding_unit;
        const double inexact = up(up(now.inexact) + up(turned * bases.inexact));
        const double rotation =
            PLAUDIT_BOUND("sweep.rounding_of_rotations", up(roundings + inexact), 0 * roundings);
        found.push_back(std::min(1.0, up(up(at) + up(rotation + within + slack_))));
      }
    }
    return found;
  }

 private:
  struct Turns {
    std::vector<double> real;
    std::vector<double> imaginary;
    /// e_0 of the proof where sizes are multiplied in, e_1 where they are not.
    double inexact = 0;
  };

  /// The modulus of the sum; four sums side by side, as the bound holds for each order.
  static double sum_and_turn(Turns& now, const Turns& bases) {
    constexpr std::size_t sums = 4;
    double real[sums] = {};
    double imaginary[sums] = {};
    const std::size_t size = now.real.size();
    double* const re = now.real.data();
    double* const im = now.imaginary.data();
    const auto turn = [&](std::size_t j, std::size_t to) {
      const double x = re[j];
      const double y = im[j];
      real[to] += x;
      imaginary[to] += y;
      re[j] = x * bases.real[j] - y * bases.imaginary[j];
      im[j] = x * bases.imaginary[j] + y * bases.real[j];
    };
    const std::size_t whole = size / sums * sums;
    for (std::size_t j = 0; j < whole; j += sums) {
      for (std::size_t i = 0; i < sums; ++i) turn(j + i, i);
    }
    for (std::size_t j = whole; j < size; ++j) turn(j, 0);
    const double x = real[0] + real[1] + (real[2] + real[3]);
    const double y = imaginary[0] + imaginary[1] + (imaginary[2] + imaginary[3]);
    return std::sqrt(x * x + y * y);
  }

  /// e^{is l_j}, times a size each where there are sizes: doubles next to fixed-point numbers, or,
  /// where the angles are too large for these, to the middles of balls.
  Turns turns(const Ball& s, const std::vector<double>* sizes) const {
    Turns result;
    const double error = fixed_.at(s, result.real, result.imaginary);
    if (error < infinity) {
      const auto all = static_cast<double>(losses_.size());
      check_work_limit(seconds_of_turn * all);
      if (sizes == nullptr) {
        result.inexact = 4 * error;
        return result;
      }
      double whole = 0;
      for (std::size_t j = 0; j < losses_.size(); ++j) {
        const double size = (*sizes)[j];
        result.real[j] *= size;
        result.imaginary[j] *= size;
        whole = up(whole + std::fabs(size));
      }
      result.inexact = up(2 * error * whole);
      return result;
    }
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

  /// e^{id l_j} for the step d, kept by d: few different ones are asked for.
  const Turns& bases_of(const Ball& step) const {
    const double nearly = step.estimate();
    const auto known = bases_.find(nearly);
    if (known != bases_.end() && contains(known->second.first, step)) return known->second.second;
    return bases_.insert_or_assign(nearly, std::pair{step, turns(step, nullptr)})
        .first->second.second;
  }

  mutable std::map<double, std::pair<Ball, Turns>> bases_;
  std::vector<Ball> losses_;
  std::vector<double> sizes_;  ///< nearly the weights
  FixedTurns fixed_;           ///< of the losses
  double slack_;
};

/// Laws with atoms.
class AtomBound final : public LineBound {
 public:
  /// @param spared what coarse bounds may leave out of the weights.
  AtomBound(const PrivacyLoss& loss, const AtomicLaw& law, const Ball& t, double spared) {
    const Ball log_whole = loss.log_mgf(t);
    Ball mean;
    Ball sum;
    Ball rounding;
    std::vector<double> sizes;
    for (const Atom& atom : law.law.atoms) {
      if ((weights_.size() & 255) == 255) check_work_limit(256e-6);
      weights_.push_back(atom.p * exp(t * atom.loss - log_whole));
      const double nearest = weights_.back().estimate();
      sizes.push_back(nearest);
      losses_.push_back(atom.loss);
      rounding += abs(weights_.back() - Ball(nearest));
      sum += weights_.back();
      mean += weights_.back() * atom.loss;
    }
    const Ball centre(mean.estimate());
    Ball spread;
    for (std::size_t j = 0; j < sizes.size(); ++j) {
      spread += weights_[j] * abs(losses_[j] - centre);
    }
    slope_ = spread.upper_double();
    if (!law.whole) rest_ = clipped_nonnegative(Ball(1) - sum).upper();
    const Ball slack = PLAUDIT_BOUND("sweep.atoms_left_out", rest_ + rounding, Ball(0));
    choose_great(sizes, slack, spared);
    all_.emplace(std::move(sizes), losses_, slack.upper_double());
  }

  // Proof: docs/proofs/pinch.md#rotation
  std::vector<double> along(const Ball& first, const Ball& step, double half,
                            std::size_t count) const override {
    return all_->along(first, step, change_within(half), count);
  }
  std::vector<double> coarsely(const Ball& first, const Ball& step, double half,
                               std::size_t count) const override {
    return (great_ ? great_ : all_)->along(first, step, change_within(half), count);
  }
  double slope() const override { return slope_; }
  ComplexBall ratio(const Ball& s) const override {
    ComplexBall sum;
    for (std::size_t j = 0; j < losses_.size(); ++j) {
      sum += ComplexBall(weights_[j]) * exp(ComplexBall(Ball(0), s * losses_[j]));
    }
    return widened(sum, rest_);
  }
  std::vector<ComplexBall> ratios(const std::vector<Ball>& s, long bits) const override {
    std::vector<ComplexBall> heights, losses, logs;
    for (const Ball& each : s) heights.emplace_back(Ball(0), each);
    // Sums of the middles: fixed point has one error for all atoms, and the weights of rare ones
    // are known less well.
    Ball lost = rest_;
    Ball lost_per_height;
    for (std::size_t j = 0; j < losses_.size(); ++j) {
      const Ball weight = weights_[j].middle();
      if (!certainly_positive(weight)) {
        lost += abs(weights_[j]);
        continue;
      }
      lost += PLAUDIT_BOUND("sweep.middles_of_weights", weights_[j].radius(), Ball(0));
      // |e^(isx) - e^(isy)| <= |s| |x - y|
      lost_per_height +=
          PLAUDIT_BOUND("sweep.middles_of_losses", weight * losses_[j].radius(), Ball(0));
      losses.emplace_back(losses_[j].middle());
      logs.emplace_back(log(weight));
    }
    if (losses.empty()) return LineBound::ratios(s, bits);
    auto sums = fixed_exponential_sums(heights, losses, logs, bits);
    if (!sums) return LineBound::ratios(s, bits);
    for (std::size_t i = 0; i < s.size(); ++i) {
      (*sums)[i] = widened((*sums)[i], (lost + abs(s[i]) * lost_per_height).upper());
    }
    return std::move(*sums);
  }

 private:
  double change_within(double half) const {
    return PLAUDIT_BOUND("sweep.change_within_block", slope_ * half, 0 * half);
  }

  /// The greatest atoms, where they are much fewer.
  void choose_great(const std::vector<double>& sizes, const Ball& slack, double spared) {
    std::vector<std::size_t> order(sizes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
      return std::fabs(sizes[i]) > std::fabs(sizes[j]);
    });
    std::size_t kept = order.size();
    Ball left_out;
    while (kept > 1) {
      const Ball more = left_out + abs(Ball(sizes[order[kept - 1]]));
      if (!certainly_less_equal(more, Ball(spared))) break;
      left_out = more;
      --kept;
    }
    if (static_cast<double>(kept) > worth_few * static_cast<double>(order.size())) return;
    std::vector<double> few;
    std::vector<Ball> losses;
    for (std::size_t i = 0; i < kept; ++i) {
      few.push_back(sizes[order[i]]);
      losses.push_back(losses_[order[i]]);
    }
    const Ball lacks = slack + PLAUDIT_BOUND("sweep.small_atoms", left_out, Ball(0));
    great_.emplace(std::move(few), std::move(losses), lacks.upper_double());
  }

  std::optional<AtomWalk> all_;
  std::optional<AtomWalk> great_;
  std::vector<Ball> losses_;
  std::vector<Ball> weights_;  ///< p e^{t l} / M(t)
  Ball rest_;                  ///< what the weights leave out of 1
  double slope_ = 0;
};

/// Laws of bounded support whose M is cheap at a point: |M'| <= max|L| M(t).
class ClosedBound : public LineBound {
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

/// Laplace noise: its two atoms are walked, and its curve is bounded for all heights from the
/// first. Proof: docs/proofs/pinch.md#laplace
class LaplaceBound final : public ClosedBound {
 public:
  LaplaceBound(const PrivacyLoss& loss, const Ball& t) : ClosedBound(loss, t) {
    const Ball a(loss.facts().laplace->ratio());
    const Ball whole = exp(loss.log_mgf(t));
    const Ball less = ldexp(exp(-a), -1);
    AtomicLaw atoms;  // whole: what it leaves out is bounded here
    atoms.law.atoms = {{a, Ball(0.5), less}, {-a, less, Ball(0.5)}};
    atoms_ = atoms_bound(loss, atoms, t);
    const Ball shifted = a * (t + Ball(0.5));
    const Ball both = exp(shifted) + exp(-shifted);
    over_height_ = (ldexp(exp(ldexp(-a, -1)) * both, -2) / whole).upper();
    const Ball rest = Ball(1) - (ldexp(exp(a * t), -1) + less * exp(-a * t)) / whole;
    at_most_ = clipped_nonnegative(rest).upper();
  }
  std::vector<double> coarsely(const Ball& first, const Ball& step, double half,
                               std::size_t count) const override {
    const Ball s = first - Ball(half);
    const Ball share = certainly_positive(s) ? min(at_most_, (over_height_ / s).upper()) : at_most_;
    const double curve =
        PLAUDIT_BOUND("sweep.laplace_curve", share, ldexp(share, -6)).upper_double();
    std::vector<double> found = atoms_->along(first, step, half, count);
    for (double& each : found) each = std::min(1.0, up(each + curve));
    return found;
  }

 private:
  std::unique_ptr<LineBound> atoms_;
  Ball over_height_;  ///< of the curve beside M(t), times the height
  Ball at_most_;      ///< of the same
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
    check_work_limit((seconds_of_block + 2 * wide * seconds_of_cell) * static_cast<double>(count));
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
  std::vector<ComplexBall> ratios(const std::vector<Ball>& s, long bits) const override {
    return base_->ratios(s, bits);
  }
  double slope() const override { return base_->slope(); }

 private:
  std::unique_ptr<LineBound> base_;
  Ball per_unit_;  ///< cells per unit of s
  std::vector<double> cells_;
};

std::unique_ptr<LineBound> periodic(const PrivacyLoss& loss, std::unique_ptr<LineBound> base) {
  constexpr double most_cells = 1 << 18;  // 16 for each unit by which beta may change, and 16 more
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

std::vector<ComplexBall> LineBound::ratios(const std::vector<Ball>& s, long) const {
  std::vector<ComplexBall> found;
  for (const Ball& each : s) {
    check_work_limit();
    found.push_back(ratio(each));
  }
  return found;
}

std::unique_ptr<LineBound> atoms_bound(const PrivacyLoss& loss, const AtomicLaw& law, const Ball& t,
                                       double spared) {
  return std::make_unique<AtomBound>(loss, law, t, spared);
}

std::unique_ptr<LineBound> line_bound(const PrivacyLoss& loss, const Ball& t, double spared) {
  if (const auto law = loss.atoms(t.estimate(), atom_nats)) {
    if (law->law.atoms.size() > most_atoms) return nullptr;
    return periodic(loss, std::make_unique<AtomBound>(loss, *law, t, spared));
  }
  if (loss.facts().sampled_laplace) return sampled_laplace_bound(loss, t);
  if (loss.facts().laplace != nullptr) return std::make_unique<LaplaceBound>(loss, t);
  if (loss.least_loss().is_finite() && loss.greatest_loss().is_finite() &&
      loss.estimate_line_points(t.estimate(), 1, 1) == 1) {
    return std::make_unique<ClosedBound>(loss, t);
  }
  return nullptr;
}

}  // namespace plaudit
