#include "mechanisms/laws/laplace_sum_loss.hpp"

#include <algorithm>

#include "lib/mutant.hpp"

namespace plaudit {

LaplaceSumLoss::LaplaceSumLoss(const Rational& a, const Rational& b)
    : wide_(std::max(a, b)), narrow_(std::min(a, b)) {
  facts_.greatest_loss = end();
}

std::vector<LossAtom> LaplaceSumLoss::four_atoms() const {
  std::vector<LossAtom> result;
  for (const bool high : {false, true}) {
    for (const bool also : {false, true}) {
      const Rational loss = Rational(high ? wide_.ratio() : Rational(-wide_.ratio())) +
                            (also ? narrow_.ratio() : Rational(-narrow_.ratio()));
      const Ball p = ldexp(exp(Ball(Rational((loss - end()) / 2))), -2);
      const Ball q = ldexp(exp(Ball(Rational((-loss - end()) / 2))), -2);
      result.push_back({Ball(loss), loss, p, q});
    }
  }
  return result;
}

// Proof: docs/proofs/roots.md#laplace-sum
std::vector<LaplaceSumLoss::Piece> LaplaceSumLoss::pieces() const {
  const Rational s = end();
  const Rational flat = wide_.ratio() - narrow_.ratio();
  const Rational step(1, 16);
  const Rational base = Rational(1, 4) + s * step;
  std::vector<Piece> result{{-s, -flat, base, step}};
  if (flat > 0) {
    const Rational level =
        PLAUDIT_BOUND("laplace_sum.overlap", Rational(Rational(1, 4) + 2 * narrow_.ratio() * step),
                      Rational(1, 4));
    result.push_back({-flat, flat, level, 0});
  }
  result.push_back({flat, s, base, -step});
  return result;
}

/// The integral of e^(l/2) (c + d l) is e^(l/2) (2c - 4d + 2d l).
Ball LaplaceSumLoss::curve_above(const Rational& x) const {
  Ball sum;
  for (const Piece& piece : pieces()) {
    const Rational from = std::max(x, piece.from);
    if (from >= piece.to) continue;
    const auto at = [&](const Rational& l) {
      return exp(Ball(Rational((l - end()) / 2))) *
             Ball(Rational(2 * piece.constant - 4 * piece.slope + 2 * piece.slope * l));
    };
    sum += at(piece.to) - at(from);
  }
  return sum;
}

// Proof: docs/proofs/tails.md#exact-points
PointMasses LaplaceSumLoss::masses_at(const Rational& x) const {
  PointMasses result{curve_above(x), Ball(0), Ball(0)};
  // the law of L under Q is that of -L under P
  const Rational opposite = -x;
  result.q_above = curve_above(-end()) - curve_above(opposite);
  for (const LossAtom& atom : four_atoms()) {
    if (*atom.exact_loss > x) {
      result.p_above += atom.p;
      result.q_above += atom.q;
    } else if (*atom.exact_loss == x) {
      result.p_atom += atom.p;
    }
  }
  return result;
}

Ball LaplaceSumLoss::p_above(const Ball& x) const {
  if (!x.is_finite()) {
    if (certainly_positive(x)) return Ball(0);
    return certainly_negative(x) ? Ball(1) : hull(Ball(0), Ball(1));
  }
  const Ball most = masses_at(exact_rational(x.lower())).p_above;
  return x.is_exact() ? most : hull(most, masses_at(exact_rational(x.upper())).p_above);
}

Ball LaplaceSumLoss::q_above(const Ball& x) const {
  if (!x.is_finite()) {
    if (certainly_positive(x)) return Ball(0);
    return certainly_negative(x) ? Ball(1) : hull(Ball(0), Ball(1));
  }
  const Ball most = masses_at(exact_rational(x.lower())).q_above;
  return x.is_exact() ? most : hull(most, masses_at(exact_rational(x.upper())).q_above);
}

Ball LaplaceSumLoss::p_atom(const Ball& x) const {
  if (x.is_exact() && x.is_finite()) return masses_at(exact_rational(x)).p_atom;
  Ball sum;
  for (const LossAtom& atom : four_atoms()) {
    if (overlaps(x, atom.loss)) sum += atom.p;
  }
  return sum.is_exact_zero() ? sum : hull(sum, Ball(0));
}

std::optional<std::vector<LossAtom>> LaplaceSumLoss::atoms_in(
    const std::optional<LossWindow>& window) const {
  std::vector<LossAtom> all = four_atoms();
  if (*all[1].exact_loss == *all[2].exact_loss) {  // both at 0
    all[1].p += all[2].p;
    all[1].q += all[2].q;
    all.erase(all.begin() + 2);
  }
  std::sort(all.begin(), all.end(), [](const LossAtom& one, const LossAtom& other) {
    return *one.exact_loss < *other.exact_loss;
  });
  return within(std::move(all), window);
}

std::optional<Ball> LaplaceSumLoss::density(const Ball& x) const {
  const Ball s(end());
  const Ball overlap = max(Ball(0), min(Ball(Rational(2 * narrow_.ratio())), s - abs(x)));
  const Ball inside = exp(ldexp(x - s, -1)) * (Ball(0.25) + ldexp(overlap, -4));
  if (certainly_less(abs(x), s)) return inside;
  return certainly_greater(abs(x), s) ? Ball(0) : hull(inside, Ball(0));
}

Ball LaplaceSumLoss::mgf_bound_beyond(const Ball& t, const Ball& s, double nats) const {
  return (wide_.mgf_bound_beyond(t, s, nats) * narrow_.mgf_bound_beyond(t, s, nats)).upper();
}

CumulantEstimate LaplaceSumLoss::estimate_cumulant(double t) const {
  const CumulantEstimate one = wide_.estimate_cumulant(t);
  const CumulantEstimate other = narrow_.estimate_cumulant(t);
  return {one.value + other.value, one.mean + other.mean, one.variance + other.variance};
}

double LaplaceSumLoss::estimate_log_decay(double t, double s) const {
  return wide_.estimate_log_decay(t, s) + narrow_.estimate_log_decay(t, s);
}

std::string LaplaceSumLoss::describe() const {
  return wide_.describe() + " and " + narrow_.describe();
}

}  // namespace plaudit
