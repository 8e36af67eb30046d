// Privacy buckets composed by repeated squaring (Meiser, Mohammadi, CCS 2018): the factor between
// neighbouring buckets is squared whenever the buckets no longer reach far enough.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "accountants/accountant.hpp"

namespace plaudit {

struct BucketSquaring {
  std::uint64_t buckets = 0;       ///< 2 n or 2 n + 1: the ratios f^-n .. f^n, n at least 2
  std::optional<Rational> factor;  ///< f > 1 for one step; chosen where not given
};

/// Why it does not apply: steps of one mechanism only.
std::optional<std::string> squaring_refusal(const ComposedLoss& loss);

/// Proof: docs/proofs/grid.md#squaring
std::unique_ptr<PrivacyCurve> squaring_curve(const ComposedLoss& loss,
                                             const BucketSquaring& settings);

}  // namespace plaudit
