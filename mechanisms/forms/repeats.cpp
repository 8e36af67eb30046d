#include "mechanisms/forms/repeats.hpp"

#include "lib/mutant.hpp"

namespace plaudit {

Ball Repeats::log_factor_of_pure(const Ball& e) const {
  const Ball one(1);
  switch (kind) {
    case Kind::poisson:
      return Ball(mean) * (e - one) / (e + one);
    case Kind::negative_binomial: {
      const auto factor = [&](const Ball& g) { return log((e + g) / (one + g * e)); };
      const Ball exponent(Rational(eta + 1));
      if (gamma == gamma_above) return exponent * factor(Ball(gamma));
      return exponent *
             hull(factor(Ball(gamma)), factor(Ball(gamma_above)));  // it falls with gamma
    }
    case Kind::binomial:
      break;
  }
  const Ball p(probability);
  return Ball(trials - 1) * log((one + e - p) / (one + e - p * e));
}

Ball Repeats::any_of(const Ball& h, const Ball& gamma_of_law) const {
  if (kind == Kind::poisson) return -expm1(-Ball(mean) * h);
  if (kind == Kind::binomial) return Ball(1) - power(Ball(1) - Ball(probability) * h, trials);
  const Ball inside = log(gamma_of_law + (Ball(1) - gamma_of_law) * h);
  const Ball least = log(gamma_of_law);
  if (eta == 0) return Ball(1) - inside / least;
  const Ball exponent(Rational(-eta));
  return (exp(exponent * least) - exp(exponent * inside)) / expm1(exponent * least);
}

Ball Repeats::released(const Ball& better, const Ball& h) const {
  const Ball gamma_of_law =
      gamma == gamma_above ? Ball(gamma) : hull(Ball(gamma), Ball(gamma_above));
  const Ball both = any_of(min(better + h, Ball(1)), gamma_of_law);
  const Ball above = any_of(better, gamma_of_law);
  return both - PLAUDIT_BOUND("select.released", above, above * Ball(Rational(999, 1000)));
}

}  // namespace plaudit
