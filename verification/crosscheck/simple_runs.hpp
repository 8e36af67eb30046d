// Which specs have a closed form, read from their text: the syntax tree alone, none of the
// mechanisms' code. Shared by the closed forms of both arithmetics.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "lib/exact/rational.hpp"

namespace plaudit::simple {

/// sum_i weight_i N(centre_i, sigma^2) against N(0, sigma^2).
struct Mixture {
  Rational sigma;
  std::map<Rational, Rational> weights;  ///< by centre
};

/// log dP/dQ at output y, estimated; it rises with y.
double log_ratio(const Mixture& mixture, double y);

/// Two losses +-e0 with P-probabilities e^e0 / (1 + e^e0) and its complement, and a mass at
/// infinity; e0 is either a rational or the log odds of a rational.
struct TwoPoints {
  bool by_odds = false;
  Rational number;  ///< e0, or the odds
  Rational infinite = 0;
  bool same(const TwoPoints& other) const {
    return by_odds == other.by_odds && number == other.number;
  }
};

/// Any number of Gaussian mechanisms: their losses are N(mean, 2 mean).
struct Gaussians {
  Rational mean;
};

/// One step of Laplace noise, sensitivity / scale.
struct LaplaceStep {
  Rational ratio;
};

/// n draws of one law +-e0, whose factors have these masses at infinity so many times.
struct TwoPointSteps {
  TwoPoints law;
  std::uint64_t steps = 0;
  std::vector<std::pair<Rational, std::uint64_t>> infinite;
};

/// A mixture is one step of it.
using Run = std::variant<Gaussians, Mixture, LaplaceStep, TwoPointSteps>;

/// Nothing where the spec is of no such form.
std::optional<Run> run_of(const std::string& spec);

}  // namespace plaudit::simple
