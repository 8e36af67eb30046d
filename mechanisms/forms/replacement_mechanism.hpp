// The class behind fixed batches under replace adjacency: without_replacement(adjacency=replace),
// with_replacement and groups of these.
#pragma once

#include <string>

#include "mechanisms/forms/sampling_laws.hpp"
#include "mechanisms/mechanism.hpp"

namespace plaudit {

class ReplacementMechanism final : public Mechanism {
 public:
  enum class Draws { without_replacement, with_replacement };

  struct Scheme {
    Rational sigma;
    Rational sensitivity;  ///< what replacing one record of a batch moves the sum by, at most
    Draws draws;
    std::uint64_t batch;
    std::uint64_t population;
    std::uint64_t size = 1;  ///< records that are replaced

    /// Every batch has this many of the differing records; 0 where the number is random.
    std::uint64_t certain_count() const;
  };

  /// @throws SpecError in the name of `mechanism` where no pair is proven or its law is too large.
  ReplacementMechanism(const char* mechanism, std::string spec, Scheme scheme,
                       bool grouped = false);

  std::string spec() const override { return spec_; }
  std::shared_ptr<const PrivacyLoss> loss(Direction) const override { return loss_; }
  bool symmetric() const override { return true; }
  Adjacency adjacency() const override { return {Adjacency::replace, scheme_.size, true}; }
  Attainment attainment() const override { return attainment_; }

  const Scheme& scheme() const { return scheme_; }
  /// Made by group(): not to be grouped again.
  bool grouped() const { return grouped_; }

 private:
  std::string spec_;
  Scheme scheme_;
  bool grouped_;
  std::shared_ptr<const PrivacyLoss> loss_;
  Attainment attainment_;
};

}  // namespace plaudit
