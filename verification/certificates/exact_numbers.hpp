// Exact numbers between plaudit and its checker, which share no type.
#pragma once

#include <vector>

#include "lib/exact/rational.hpp"
#include "verification/checker/arithmetic/numbers.hpp"

namespace plaudit {

inline checker::Rational as_checker(const Rational& x) { return checker::Rational(x.data()); }

inline Rational from_checker(const checker::Rational& x) {
  Rational result;
  mpq_set(result.data(), x.get_mpq_t());
  return result;
}

inline std::vector<Rational> from_checker(const std::vector<checker::Rational>& all) {
  std::vector<Rational> result;
  result.reserve(all.size());
  for (const checker::Rational& x : all) result.push_back(from_checker(x));
  return result;
}

inline double estimate(const checker::Rational& x) { return estimate(from_checker(x)); }
inline double estimate_log(const checker::Rational& x) { return estimate_log(from_checker(x)); }

}  // namespace plaudit
