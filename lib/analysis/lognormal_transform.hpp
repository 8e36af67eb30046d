// The Laplace transform of a lognormal variable at many points:
//   phi(s) = E e^(-sX),  X = e^(a y - a^2/2),  y standard normal,  Re s > 0.
//
// Method: the trapezoidal rule in y on the line y + i eta. A shift eta = (chi - theta) / a takes
// theta - chi off the argument theta of s X; chi is left to the exponential. Values of log(s X) at
// all points of the rule and all s lie on one lattice, so that a table of e^(-s X) along it serves
// all. Errors: quadrature (strip theorem), points of the rule and entries of the table left out.
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
    double theta = 0;  ///< in [0, pi/2): the argument is this very double
  };
  /// A choice, its doubles taken as exact numbers: a bad one is refused or makes errors larger.
  struct Rule {
    long stride = 1;        ///< a d / unit, d the step
    double turn = 0;        ///< chi; 0: the table is real
    double half_width = 0;  ///< v, of the strip around the line
    long points = 0;        ///< n, on either side of 0
    double nats = 0;        ///< the table ends with its first entry below e^-nats
  };

  /// The rule for values to about e^-nats, where the unit allows it; nothing where it is too
  /// coarse.
  static std::optional<Rule> choose(double rate, double unit, double theta, double nats);
  /// a d for the longest step d of a rule for so many nats: units must be at most this.
  static double longest_stride(double rate, double theta, double nats);

  /// For indices first <= i <= last, at the working precision. Honours the work limit.
  LognormalTransform(const Lattice& lattice, const Rule& rule, long first, long last);

  /// phi at the index i, first <= i <= last.
  ComplexBall at(long i) const;

 private:
  /// d phi(d l + i eta) for |l| <= points, phi the normal density; front is its modulus at l = 0.
  void set_weights(const Ball& d, const Ball& eta, const Ball& front, long points);
  /// exp(-e^(least + unit i + I turn)), i < entries, up to the first one below e^-nats in modulus.
  void fill_table(const Ball& least, const Ball& unit, const Ball& turn, std::size_t entries,
                  double nats);

  long first_;
  long stride_;
  bool real_;                              ///< turn is 0
  std::vector<Ball> table_;                ///< of fill_table(), where it is real
  std::vector<ComplexBall> turned_table_;  ///< the same where it is not
  std::vector<Ball> real_weights_, imaginary_weights_;
  std::vector<ComplexBall> weights_;   ///< the same, where the table is not real
  std::vector<Ball> rest_of_weights_;  ///< upper bounds of sums of moduli, each from here on
  std::size_t kept_ = 0;               ///< entries of the table
  Ball beyond_;                        ///< upper bound of the modulus of all entries after these
  Ball error_;                         ///< upper bound of quadrature and points left out
};

}  // namespace plaudit
