// Privacy loss of one epoch of random allocation of Gaussian steps, in one direction.
//
// Each record takes part in one of t steps, uniformly at random. dP/dQ = S/t, the mean of t
// independent lognormal variables under Q. remove: L = log(S/t) under P, M(z) = A(1+z); add: L =
// -log(S/t) under Q, M(z) = A(-z); A as in allocation_moments.hpp. With several blocks of steps,
// of which each record takes one step of every block, L is the sum of independent ones.
// Proof: docs/proofs/random_allocation.md#domination
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "mechanisms/allocation/allocation_epoch.hpp"
#include "mechanisms/allocation/allocation_moments.hpp"
#include "mechanisms/allocation/allocation_tails.hpp"
#include "mechanisms/privacy_loss.hpp"

namespace plaudit {

/// `count` blocks of `steps` steps each.
struct AllocationBlocks {
  std::uint64_t steps;
  std::uint64_t count;
};

class AllocationLoss final : public PrivacyLoss, private AllocationTails::Law {
 public:
  /// @param squared_rate (sensitivity / sigma)^2 > 0.
  AllocationLoss(const Rational& squared_rate, std::vector<AllocationBlocks> blocks,
                 Direction direction);

  Ball log_mgf(const Ball& t) const override;
  ComplexBall log_mgf(const ComplexBall& z) const override;
  Ball p_above(const Ball& x) const override;
  Ball q_above(const Ball& x) const override;
  TailMasses tails_above(const std::vector<Ball>& points) const override;
  Ball p_atom(const Ball&) const override { return Ball(0); }
  std::optional<Ball> density(const Ball&) const override { return std::nullopt; }
  Ball least_loss() const override { return -positive_infinity(); }
  Ball greatest_loss() const override { return positive_infinity(); }
  LineValues mgf_on_line(const Ball& t, const Ball& step, std::size_t count,
                         LineAccuracy accuracy) const override;
  Ball mgf_bound_beyond(const Ball& t, const Ball& s, double nats) const override;
  Ball mgf_upper(const Ball& t, double nats) const override;
  CumulantEstimate estimate_cumulant(double t) const override;
  double estimate_log_decay(double t, double s) const override;
  double estimate_line_points(double t, double s, double nats) const override;
  std::string describe() const override;

  /// The moments of one factor S/t of a block; they keep tables that serve later questions.
  const AllocationMoments& moments_of(std::size_t block) const { return *blocks_[block].moments; }
  std::size_t blocks() const { return blocks_.size(); }

 private:
  struct Block {
    std::uint64_t count;
    std::unique_ptr<const AllocationMoments> moments;
  };

  Ball moment(const Ball& r, double nats) const override;
  std::vector<ComplexBall> on_line(const Ball& r, const Ball& step, std::size_t count,
                                   double nats) const override;
  Ball decay() const override;
  CumulantEstimate estimate(double r) const override;

  bool removes() const { return direction_ == Direction::remove; }
  template <class Number>
  Number exponent(const Number& t) const {
    return removes() ? Number(1) + t : -t;
  }
  struct PointTails {
    Ball p, q;
  };
  PointTails above(const Ball& x) const;
  std::optional<PointTails> above_by_epoch(const Ball& x) const;
  /// Nats for one of the block's factors, so that their product is accurate to `nats`.
  static double nats_of(const Block& block, double nats);

  Direction direction_;
  std::string description_;
  std::vector<Block> blocks_;
  AllocationTails tails_;
  std::unique_ptr<const AllocationEpoch> epoch_;  ///< where there is one block of several steps
};

}  // namespace plaudit
