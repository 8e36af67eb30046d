// Attacks: pairs that two neighbouring data sets of a mechanism have, where its dominating pair is
// attained by none that are known. What such a pair shows is a lower bound of the mechanism.
//
// Parameters of these pairs are irrational as a rule. They are rounded to decimals on the side on
// which the pair tells less, which post-processing or monotony makes a lower bound as well.
// Proof: docs/proofs/attainment.md#rounding
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "mechanisms/mechanism.hpp"

namespace plaudit {

/// Randomized response, as pure(epsilon), for an epsilon of at most `log_odds`, an enclosure. Null
/// where that is not certainly positive.
MechanismPointer two_point_attack(const Ball& log_odds);

/// gaussian(sigma=1, sensitivity) for a sensitivity whose square is at most `squared_ratio` > 0.
/// Null where the root is 0 when it is rounded down.
MechanismPointer gaussian_attack(const Rational& squared_ratio);

/// The Gaussian on a Poisson sample under add_remove, exactly.
MechanismPointer sampled_gaussian_attack(const Rational& sigma, const Rational& sensitivity,
                                         const Rational& rate);

/// N(sensitivity K, sigma^2), K random, against N(0, sigma^2), for a K that is stochastically at
/// most the one of the tail. @param tail P(K >= k), an enclosure, k >= 1. @param mean of K, about.
/// @param most the greatest value of K. Null where no P(K >= k) is certainly positive.
MechanismPointer count_attack(const Rational& sigma, const Rational& sensitivity,
                              const std::function<Ball(std::uint64_t)>& tail, double mean,
                              std::uint64_t most);

/// Of one event: P at least the lower end of p, Q at most the upper end of q.
struct EventRates {
  Ball p;
  Ball q;
};

/// The pair of tests of these events, in the direction remove; in the direction add the same
/// swapped. Whoever sees the output can answer at random so that any pair is had whose tests are on
/// the upper hull of (0, 0), the points (q, p) of these events and (1, 1). Null where no event
/// tells anything. Proof: docs/proofs/attainment.md#tests
MechanismPointer events_attack(const std::string& spec, const std::vector<EventRates>& events);

/// The pair of tests "the output is above u", of one number or of several, which have these rates,
/// for u between `least` and `greatest` deviations of the noise, and somewhat beyond.
struct Tests {
  double least;
  double greatest;
  std::function<EventRates(const Ball&)> above;
};
MechanismPointer test_attack(const std::string& spec, const std::vector<Tests>& families);
inline MechanismPointer test_attack(const std::string& spec, double least, double greatest,
                                    const std::function<EventRates(const Ball&)>& above) {
  return test_attack(spec, {{least, greatest, above}});
}

}  // namespace plaudit
