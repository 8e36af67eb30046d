// The least mu for which a run is mu-GDP: its trade-off function is nowhere below that of N(mu, 1)
// against N(0, 1), for all tests or for those of which neither error rate is less than some rate.
//
// Where all steps are Gaussian mixtures the answer for all tests is known: that of the largest
// displacements, whatever their probability. Elsewhere every certified test bounds mu from below,
// and a polygon of lines below the trade-off function bounds it from above.
// Proof: docs/proofs/gaussian_dp.md#least-mu
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "accountants/session/answer.hpp"
#include "lib/work/given_up.hpp"
#include "mechanisms/composition.hpp"

namespace plaudit {

struct MuBand {
  Ball lower{0};
  Ball upper = positive_infinity();
  std::optional<Rational> exact_square = {};  ///< mu^2, where mu is the root of this rational
  bool reached = false;
  /// At most how far the trade-off functions of the run and of `upper` are apart
  /// (docs/proofs/gaussian_dp.md#regret); infinite where that is not known.
  Ball regret = positive_infinity();
  std::string remark = {};
  Cause cause = Cause::none;  ///< what ended the work on it; the remark says it in words
  BandOf of = {};             ///< of what `lower` is a bound; of an attack only its band is known
};

/// @param least_error in (0, 1/2): what the false positive and the false negative rate of a test
///   are at least; all tests where nothing. @return the greater of the directions, end by end
/// @param proven hears of the band each time that more is proven.
/// @throws SpecError for another rate
MuBand least_mu(const Composition& composition, const std::optional<Rational>& least_error,
                const AnswerOptions& options,
                const std::function<void(const MuBand&)>& proven = {});

}  // namespace plaudit
