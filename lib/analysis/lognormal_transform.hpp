// The Laplace transform of a lognormal variable at many points:
//   phi(s) = E e^(-sX),  X = e^(a y - a^2/2),  y standard normal,  Re s > 0.
//
// Method: the trapezoidal rule in y, on a line turned into the complex plane by part of the
// argument of s. Points of the rule and of s lie on one lattice of log(s X), so that one
// exponential serves all of them. Errors: quadrature, by the strip theorem, and what lies outside.
// Proof: docs/proofs/random_allocation.md#transform
#pragma once

#include <optional>
#include <vector>

#include "lib/balls/complex_ball.hpp"

namespace plaudit {

class LognormalTransform {
 public:
  /// The points s = e^(unit i + offset + I theta), i an integer.
  struct Lattice {
    Rational squared_rate;  ///< a^2 > 0
    Rational unit;          ///< > 0
    Ball offset;
    double theta = 0;  ///< in [0, pi/2), exactly
  };
  /// How the rule is laid: heuristics, any of which is correct.
  struct Rule {
    long stride = 1;        ///< a times its step, in units of the lattice
    double turn = 0;        ///< the part of theta that is left to the exponential, exactly
    double half_width = 0;  ///< of the strip, exactly
    long points = 0;        ///< on either side of 0
    double nats = 0;        ///< entries of the table below e^-nats are left out
  };

  /// The rule for values to about e^-nats, where the unit allows it; nothing where it is too
  /// coarse.
  static std::optional<Rule> choose(double rate, double unit, double theta, double nats);
  /// a times the longest step of such a rule.
  static double longest_stride(double rate, double theta, double nats);

  /// For indices i from first to last, at the working precision. Honours the work limit.
  LognormalTransform(const Lattice& lattice, const Rule& rule, long first, long last);

  /// phi at the index i, first <= i <= last.
  ComplexBall at(long i) const;

 private:
  /// Of the points d l, |l| <= points, of a rule that is moved by eta; front is the weight at 0 but
  /// for its angle.
  void set_weights(const Ball& d, const Ball& eta, const Ball& front, long points);
  /// At the logarithms least + unit i, i < entries, as far as sizes are above e^-nats.
  void fill_table(const Ball& least, const Ball& unit, const Ball& turn, std::size_t entries,
                  double nats);

  long first_;
  long stride_;
  bool real_;                              ///< the table is
  std::vector<Ball> table_;                ///< exp(-e^(unit i + offset - a^2/2)), where it is real
  std::vector<ComplexBall> turned_table_;  ///< the same with I turn in the exponent
  std::vector<Ball> real_weights_, imaginary_weights_;
  std::vector<ComplexBall> weights_;
  std::vector<Ball> rest_of_weights_;  ///< upper bound of the sum of sizes from here on
  std::size_t kept_ = 0;  ///< entries of the table; those beyond are at most the last one
  Ball beyond_;           ///< an upper bound of their size
  Ball error_;
};

}  // namespace plaudit
