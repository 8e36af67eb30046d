// Products of powers of laws with two ends: sum_d p_d e^(z l_d) prod_f (X_f + Y_f)^(n_f), expanded,
// and summed over those choices of ends whose atoms lie above epsilon, or over the others.
//
// With k_f draws of the factor f at its top the atoms are at lambda_(d,k) = l_d + sum_f (n_f
// bottom_f + k_f (top_f - bottom_f)), where the p_d at l_d are the atoms of further laws. The last
// factor is summed once, from each k on, so that a sum takes as many products as there are choices
// of the others. Nothing here is analysis: finite sums.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "accountants/laplace/end_law.hpp"

namespace plaudit {

/// Which choices of ends have their atoms above an epsilon: for each choice of the others, the
/// least k of the last factor. All of them have lambda > epsilon, all others lambda <= epsilon.
using EndSplit = std::vector<std::uint64_t>;

enum class EndSide { above, below };

class EndChoices {
 public:
  /// @param factors at the working precision; the last one should have the greatest power.
  explicit EndChoices(const std::vector<EndPower>& factors,
                      const std::map<Rational, Ball>& atoms = {{Rational(0), Ball(1)}});

  /// How many choices the factors but the last have.
  static double choices_of_others(const std::vector<EndPower>& factors);

  /// sum_d p_d e^(z l_d).
  template <class Number>
  Number sum_of_atoms(const Number& z) const;

  /// Nothing where the balls leave a choice undecided.
  std::optional<EndSplit> split(const Ball& epsilon) const;

  /// The terms of all powers at one point.
  template <class Number>
  struct Terms {
    /// p_d e^(z l_d), and C(n, k) X^k Y^(n-k) of the factors but the last
    std::vector<std::vector<Number>> rows;
    std::vector<Number> partial;  ///< sums of those of the last from k on, or below k
  };

  template <class Number>
  Terms<Number> terms(const std::vector<TwoEnds<Number>>& ends, const Number& z,
                      EndSide side) const;

  /// The sum over the choices of that side.
  template <class Number>
  static Number sum(const Terms<Number>& terms, const EndSplit& split);

 private:
  struct Factor {
    Ball bottom, width;
    std::uint64_t count;
    std::vector<Ball> binomials;
  };

  struct Atom {
    Ball loss, mass;
  };

  bool without_atoms() const;
  template <class Number>
  std::vector<Number> row_of_atoms(const Number& z) const;

  std::vector<Atom> atoms_;
  std::vector<Factor> factors_;
  std::vector<Ball> bases_;  ///< lambda of each choice of the others, the last factor at its bottom
};

}  // namespace plaudit
