// Random compositions as specs: what the property tests of accountants run on.
#pragma once

#include <cmath>
#include <cstdio>
#include <string>

#include "mechanisms/language/spec.hpp"
#include "mechanisms/spec_error.hpp"
#include "support/random.hpp"

namespace plaudit::test {

/// A decimal with three digits, log-uniform between the two.
inline std::string between(Random& random, double low, double high) {
  const double x = std::exp(random.uniform(std::log(low), std::log(high)));
  char text[40];
  std::snprintf(text, sizeof text, "%.3g", x);
  return text;
}

inline std::string any_random_spec(Random& random, long most_factors) {
  std::string spec;
  const long factors = random.one_in(2) ? 1 : random.integer(1, most_factors);
  for (long i = 0; i < factors; ++i) {
    const std::string gaussian = "gaussian(sigma=" + between(random, 0.3, 20) + ")";
    const std::string steps =
        std::to_string(static_cast<long>(std::exp(random.uniform(0, std::log(1e6)))));
    std::string mechanism = gaussian;
    if (!random.one_in(5)) {
      mechanism = "poisson(" + gaussian +
                  ", rate=" + (random.one_in(12) ? "1" : between(random, 1e-5, 0.99)) + ")";
    }
    if (mechanism[0] == 'p' && random.one_in(8)) {
      mechanism = "group(" + mechanism + ", size=" + std::to_string(random.integer(1, 4)) + ")";
    }
    spec += (i > 0 ? " * " : "") + mechanism + "^" + steps;
  }
  return spec;
}

/// sigma 0.3-20, rate 1e-5-1, n 1-10^6, one to `most_factors` factors of one adjacency.
inline std::string random_spec(Random& random, long most_factors = 3) {
  for (;;) {
    std::string spec = any_random_spec(random, most_factors);
    try {
      parse_spec(spec);
      return spec;
    } catch (const SpecError&) {  // groups of two sizes
    }
  }
}

inline std::string random_delta(Random& random) {
  return random.one_in(10) ? "0.3" : "1e-" + std::to_string(random.integer(2, 40));
}

}  // namespace plaudit::test
