// Answers from lines that are made for one epsilon: a line for the epsilon asked for, again where
// the band is wider than wanted; epsilon(delta) by certified inversion around a guess.
//
// What a line encloses is its own theorem; here nothing is bounded but by what lines answer and by
// the monotony of the curve.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "accountants/accountant.hpp"
#include "accountants/cumulants/cumulant_table.hpp"

namespace plaudit {

/// A line that answers a range of epsilons rigorously, tightly near the one it was made for.
class CurveLine {
 public:
  virtual ~CurveLine() = default;
  /// Encloses delta at an exact (or ball) epsilon.
  virtual Enclosure delta(const Ball& epsilon) = 0;
  virtual long bits() const = 0;
};

/// For what a line is wanted: delta(epsilon), about e^log_delta, to relative accuracy e^-nats.
struct LineAim {
  double epsilon;
  double nats;
  double log_delta;
};

/// Where an epsilon lies to the support of the loss: on `above` and `below` certainly, ends
/// included. The masses must be 1 under both laws of the pair, none of them at infinity.
enum class Side { below, inside, above };

struct FoldedMethod {
  std::string accountant;
  /// Null where there is no line of affordable length. The arguments outlive the line.
  std::function<std::unique_ptr<CurveLine>(const ComposedLoss&, CumulantTable&, const LineAim&)>
      line;
  std::function<Side(const Rational& epsilon)> side_of;
};

std::unique_ptr<PrivacyCurve> folded_curve(const ComposedLoss& loss, const Goal& goal,
                                           FoldedMethod method);

}  // namespace plaudit
