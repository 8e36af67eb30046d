// A record that takes part in steps that it draws by itself, under correlated noise: integer
// moments of the likelihood ratio, and what they say of the curve. Proof:
// docs/proofs/random_participation.md#moments docs/proofs/random_participation.md#polynomials
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "verification/checker/laws/laws.hpp"

namespace plaudit::proof {

struct Participation {
  std::vector<Rational> coefficients;  ///< >= 0, the first and the last one above 0
  Rational ratio;                      ///< (sensitivity / sigma)^2
  std::uint64_t steps;
  std::uint64_t period;  ///< bins, or the least separation; at least as many as coefficients
  std::optional<Rational> rate;  ///< of separated draws, in (0, 1]; none: balls in bins
  bool stationary = false;       ///< of separated draws

  /// The greatest square of a mean: of the steps 0, period, 2 period, ...
  Rational greatest_square() const;
  /// How many counts are kept for the moments up to this one: of the states of draws, or of pairs
  /// of bins.
  Integer counts(unsigned most) const;
  /// What the moments up to this one take.
  Integer operations(unsigned most) const;
};

/// How a bound at a point follows: from E (W - r)^order, or where the order is 0 from the Gaussian
/// of the greatest square.
struct MomentChoice {
  Rational r;
  unsigned order;
};

class ParticipationMoments {
 public:
  /// @param most of the moments that are known: the greatest order of the choices and one more.
  ParticipationMoments(Participation scheme, unsigned most)
      : scheme_(std::move(scheme)), most_(most), mean_(scheme_.greatest_square() / 2) {}

  /// The curve in this direction at e^epsilon is at most its upper end.
  Interval curve_above(Direction direction, const Rational& epsilon, const MomentChoice& choice,
                       Budget& budget);

 private:
  /// E W^k for k = 0..most at the working precision.
  const std::vector<Interval>& moments(Budget& budget);
  /// E (W - r)^order W^extra.
  Interval about(const MomentChoice& choice, unsigned extra, Budget& budget);

  Participation scheme_;
  unsigned most_;
  Rational mean_;                                ///< of the loss of a record whose steps are known
  std::map<long, std::vector<Interval>> known_;  ///< by precision
};

}  // namespace plaudit::proof
