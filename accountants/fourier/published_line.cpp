#include "accountants/fourier/published_line.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "accountants/fourier/density_aliases.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

// Choices: the real part of the line, and where its pieces end, as a part of pi / dx at most.
constexpr double least_real_part = 0.01;
constexpr double greatest_real_part = 1e4;
constexpr double before_the_end = 0.999;
constexpr double line_nats = 10;  ///< accuracy of a bound of |M|^n: too few make the band wider
constexpr int pieces = 96;        ///< of the integrals along the line, and one beyond them

}  // namespace

// Proof: docs/proofs/fourier.md#published
PublishedLine published_line(const PublishedLattice& lattice, double saddle) {
  const ComposedLoss& loss = lattice.loss();
  const Ball t(std::round(std::clamp(saddle, least_real_part, greatest_real_part) * 256) / 256);
  const Ball end = ldexp(lattice.period(), -1);  // pi / dx
  const double height =
      std::min(lattice.negligible_height(t.estimate()), before_the_end * end.estimate());
  const Ball width = Ball(height) / Ball(pieces);
  std::vector<Ball> near;
  std::vector<Ball> far;
  for (const ComposedLoss::Term& term : loss.terms()) {
    near.push_back(lattice.aliases(term, t, Ball(height)));
    far.push_back(lattice.aliases(term, t, end));
  }
  // 1 + |z|^2 / t + |z + 1|^2 / (1 + t) = constant + slope s^2
  const Ball slope = Ball(1) / t + Ball(1) / (t + Ball(1));
  const Ball constant = ldexp(t + Ball(1), 1);
  Ball discretisation;
  Ball kink;
  for (int piece = 0; piece <= pieces; ++piece) {
    check_work_limit();
    const bool last = piece == pieces;
    const Ball from = width * Ball(piece);
    Ball log_product;
    Ball rise;
    Ball log_alias;
    Ball first_bound;
    for (std::size_t i = 0; i < loss.terms().size(); ++i) {
      const ComposedLoss::Term& term = loss.terms()[i];
      const Ball count(term.count);
      const double nats = std::log(static_cast<double>(term.count)) + line_nats;
      const Ball bound = term.loss->mgf_bound_beyond(t, from.lower(), nats);
      const Ball& alias = last ? far[i] : near[i];
      if (i == 0) first_bound = bound;
      log_product += count * log(bound);
      rise += count * log1p(alias / bound);
      log_alias += count * log(alias);
    }
    const Ball product = exp(log_product);
    const Ball wrong =
        PLAUDIT_BOUND("published_fourier.steps", product * expm1(rise), Ball(0)) + exp(log_alias);
    if (last) {
      discretisation += (end - from) * wrong;
      const ComposedLoss::Term& term = loss.terms()[0];
      kink += product / first_bound * fourth_order_bound(*term.loss, loss.direction(), t) *
              (constant / (Ball(3) * power(from, 3)) + slope / from);
    } else {
      discretisation += width * wrong;
      kink += width * product * (constant + slope * square(from + width));
    }
  }
  // c(t) = t^t / (1 + t)^(1 + t), the greatest value of (1 - e^{-x}) e^{-tx}
  const Ball peak = exp(t * log(t) - (t + Ball(1)) * log1p(t));
  return {t,
          discretisation / pi() *
              (PLAUDIT_BOUND("published_fourier.integral", Ball(1) / (t * (t + Ball(1))), Ball(0)) +
               lattice.dx() * peak),
          kink / pi() * square(lattice.dx()) / Ball(12)};
}

}  // namespace plaudit
