// Integrals with 100 digits of Boost.Multiprecision, by Boost.Math's Gauss-Kronrod rules.
// Estimates.
#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <functional>
#include <vector>

#include "verification/forms/directed.hpp"
#include "verification/forms/finite_laws.hpp"

namespace plaudit {

using Float = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<100>,
                                            boost::multiprecision::et_off>;
using Function = std::function<Float(const Float&)>;

namespace pairs {
template <>
Float number_of(const Rational& value);
template <>
Float from_zero_to(const Float& x);
}  // namespace pairs

inline constexpr double reach =
    18;  ///< deviations on each side of centres; beyond are 10^-72 of a Gaussian
inline constexpr double stride = 3;  ///< deviations of one piece of an integral

struct Estimated {
  Float value = 0;
  Float error = 0;
  Estimated& operator+=(const Estimated& other) {
    value += other.value;
    error += other.error;
    return *this;
  }
};

/// The estimate with its tolerances, as an interval to compare with.
Directed around(const Estimated& found, double relative);
/// The normal distribution function to 33 digits, by MPFR: the rational functions of Boost.Math
/// would compute their coefficients at each start of the program, used or not.
Float normal_up_to(const Float& x);
/// The integral over all pieces between neighbouring breaks. The worst one is halved until the
/// rule's error is within the tolerance, relative to the sum, or 40 were halved.
Estimated integral(const Function& f, const std::vector<Float>& breaks, double tolerance);
std::vector<Float> pieces(const Float& low, const Float& high, const Float& length);
/// Nothing where the work limit is reached, or a function of Boost does not cover an argument.
std::optional<Directed> given_time(const std::function<std::optional<Directed>()>& value);
Float level_of(const Rational& epsilon);

}  // namespace plaudit
