#include "accountants/saddle_point/smoothed_distance.hpp"

#include <vector>

#include "accountants/cumulants/chernoff_factor.hpp"
#include "lib/analysis/gauss_legendre.hpp"
#include "lib/balls/precision.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr long on_each_side = points_of_cell / 2;
constexpr long bits_of_cells = 53;  ///< working precision after phi - gamma is formed
constexpr long derivatives =
    2 * on_each_side + 1;  ///< order of the derivative of phi - gamma that is bounded

Ball integer_ball(std::size_t n) { return Ball(static_cast<std::uint64_t>(n)); }

/// sqrt(w_q) l_j(u_q): with the values f_j of a polynomial at -on_each_side + 1 .. on_each_side,
/// the sum over q of |sum_j of these times f_j|^2 is the integral of its square over [0, 1].
std::vector<std::vector<Ball>> cell_rule() {
  const QuadratureRule rule = gauss_legendre(points_of_cell);
  std::vector<std::vector<Ball>> result;
  for (std::size_t q = 0; q < points_of_cell; ++q) {
    const Ball u = ldexp(Ball(1) + rule.nodes[q], -1);
    const Ball root = sqrt(ldexp(rule.weights[q], -1));
    std::vector<Ball> row;
    for (long j = 1 - on_each_side; j <= on_each_side; ++j) {
      Ball value = root;
      for (long i = 1 - on_each_side; i <= on_each_side; ++i) {
        if (i != j) value *= (u - Ball(i)) / Ball(j - i);
      }
      row.push_back(value);
    }
    result.push_back(std::move(row));
  }
  return result;
}

/// gamma(s) = e^{-s^2/2} sum_j c_j (is)^j.
ComplexBall transform(const HermiteCoefficients& c, const Ball& s) {
  Ball real;
  Ball imaginary;
  Ball power(1);
  for (std::size_t j = 0; j < c.size(); ++j) {
    if (c[j] != 0) {
      const Ball term = j % 4 < 2 ? Ball(c[j]) * power : -(Ball(c[j]) * power);
      (j % 2 == 0 ? real : imaginary) += term;
    }
    power *= s;
  }
  const Ball fall = exp(-ldexp(square(s), -1));
  return {real * fall, imaginary * fall};
}

/// Upper bound of |f^(k)| on the real line, f = phi - gamma, k = `derivatives`.
// Proof: docs/proofs/berry_esseen.md#derivatives
Ball greatest_derivative(const TiltedLine& line, const HermiteCoefficients& c) {
  const Ball of_law = factorial(derivatives) / power(line.radius, derivatives) * line.cosh_moment;
  Ball odd(1);  // E Z^(2 derivatives) = (2 derivatives - 1)!!
  for (long k = 1; k < 2 * derivatives; k += 2) odd *= Ball(k);
  Ball of_form;
  for (std::size_t j = 0; j < c.size(); ++j) {
    if (c[j] != 0) of_form += abs(Ball(c[j])) * sqrt(odd * factorial(j));
  }
  return (PLAUDIT_BOUND("smoothed_distance.derivative", of_law, Ball(0)) +
          PLAUDIT_BOUND("smoothed_distance.derivative_of_form", of_form, Ball(0)))
      .upper();
}

/// (phi - gamma)(kh) / (kh) for k = 0 .. count - 1; at 0 the derivative there.
// Proof: docs/proofs/berry_esseen.md#cells
std::vector<ComplexBall> quotients(const TiltedLine& line, const HermiteCoefficients& c,
                                   std::size_t count, const Ball& derivative) {
  std::vector<ComplexBall> result(count);
  Ball slope;
  for (std::size_t k = 1; k < count; ++k) {
    const Ball s = line.mesh * integer_ball(k);
    const ComplexBall difference = line.values[k] - transform(c, s);
    const auto p = static_cast<long>(k);
    if (p <= on_each_side) {
      const Ball weight = square(factorial(on_each_side)) /
                          (factorial(static_cast<std::uint64_t>(on_each_side - p)) *
                           factorial(static_cast<std::uint64_t>(on_each_side + p)));
      const Ball part = ldexp(weight * difference.imaginary() / s, 1);
      slope += p % 2 == 1 ? part : -part;
    }
    result[k] = difference;
    result[k].scale(Ball(1) / s);
  }
  const Ball error = square(factorial(on_each_side)) * power(line.mesh, 2 * on_each_side) *
                     derivative / factorial(derivatives);
  result[0] = ComplexBall(Ball(0),
                          widened(slope, PLAUDIT_BOUND("smoothed_distance.slope", error, Ball(0))));
  return result;
}

}  // namespace

// Proof: docs/proofs/berry_esseen.md#kernel
Ball kernel_weight(const Ball& a, const Ball& b) {
  const Ball one(1);
  const Ball most = one / pi();
  Ball q = most;
  if (!a.is_exact_zero()) q = a * (one - a) * cos(pi() * a) / sin(pi() * a);
  const Ball imaginary = min(q + b / pi(), most);
  const Ball real = b * (one - a);
  const Ball twice = sqrt(square(real) + square(imaginary));
  return ldexp(PLAUDIT_BOUND("smoothed_distance.kernel", twice, twice * Ball(0.99)), -1).upper();
}

// Proof: docs/proofs/berry_esseen.md#cells
std::vector<Ball> cell_norms(const TiltedLine& line, const HermiteCoefficients& c,
                             std::size_t cells) {
  const Ball derivative = greatest_derivative(line, c);
  const std::vector<ComplexBall> f =
      quotients(line, c, cells + static_cast<std::size_t>(on_each_side), derivative);
  Ball widest(1);  // of |prod (u - j)| on the cell, in the middle of it
  for (long i = 1; i <= on_each_side; ++i) widest *= square(Ball(2 * i - 1)) / Ball(4);
  const Ball error = widest * power(line.mesh, 2 * on_each_side) * derivative /
                     (Ball(derivatives) * factorial(2 * on_each_side));
  const PrecisionScope scope(bits_of_cells);
  const std::vector<std::vector<Ball>> rule = cell_rule();
  std::vector<Ball> norms;
  std::vector<Ball> real(points_of_cell);
  std::vector<Ball> imaginary(points_of_cell);
  for (std::size_t k = 0; k < cells; ++k) {
    if ((k & 31) == 0) check_work_limit();
    for (std::size_t j = 0; j < points_of_cell; ++j) {
      // the value at -s is minus the conjugate of that at s
      const long at = static_cast<long>(k + j) + 1 - on_each_side;
      const ComplexBall& value = f[static_cast<std::size_t>(at < 0 ? -at : at)];
      real[j] = at < 0 ? -value.real() : value.real();
      imaginary[j] = value.imaginary();
    }
    Ball mean_square;
    for (const std::vector<Ball>& row : rule) {
      mean_square += square(dot(row, real)) + square(dot(row, imaginary));
    }
    norms.push_back(
        (sqrt(mean_square.upper()) + PLAUDIT_BOUND("smoothed_distance.between", error, Ball(0)))
            .upper());
  }
  return norms;
}

// Proof: docs/proofs/berry_esseen.md#form-integrals
FormIntegrals form_integrals(const HermiteCoefficients& c, const Ball& height) {
  const Ball spread = square(height) - integer_ball(c.size());
  FormIntegrals result;
  std::vector<Ball> moments = {sqrt(ldexp(pi(), -1)), Ball(1)};
  Ball tail =
      certainly_positive(spread) ? exp(-ldexp(square(height), -1)) / spread : positive_infinity();
  for (std::size_t j = 0; j < c.size(); ++j) {
    if (j > 1) moments.push_back(integer_ball(j - 1) * moments[j - 2]);
    result.all += abs(Ball(c[j])) * moments[j];
    if (c[j] != 0) {
      result.beyond +=
          abs(Ball(c[j])) * PLAUDIT_BOUND("smoothed_distance.form", tail, tail * Ball(0.99));
    }
    tail *= height;
  }
  return result;
}

namespace {

/// Upper bound of sup |F - G| by Prawitz' inequality with the height T.
// Proof: docs/proofs/berry_esseen.md#smoothing
Ball distance(const TiltedLine& line, const std::vector<Ball>& norms, const FormIntegrals& form,
              const SmoothingHeight& height) {
  const Ball cells = integer_ball(height.cells) * Ball(height.beyond);
  Ball sum;
  for (std::size_t k = 0; k < height.cells; ++k) {
    sum += norms[k] * kernel_weight(integer_ball(k) / cells, integer_ball(k + 1) / cells);
  }
  sum = ldexp(PLAUDIT_BOUND("smoothed_distance.cells", sum, ldexp(sum, -1)) * line.mesh, 1);
  sum += PLAUDIT_BOUND("smoothed_distance.height", form.all / (line.mesh * cells), Ball(0)) +
         PLAUDIT_BOUND("smoothed_distance.form_beyond", ldexp(Ball(3) * form.beyond, -2), Ball(0));
  if (height.beyond > 1) {
    const Ball weight = sqrt(ldexp(Ball(1), -6) + ldexp(Ball(1) / square(pi()), -2));
    const Ball rest = ldexp(weight * line.beyond * log(Ball(height.beyond)), 1);
    sum += PLAUDIT_BOUND("smoothed_distance.beyond", rest, Ball(0));
  }
  return sum.upper();
}

/// Upper bound of |int g dF - int g dG|, from the transform of g.
// Proof: docs/proofs/berry_esseen.md#parseval
Ball smooth_error(const TiltedLine& line, const std::vector<Ball>& norms,
                  const FormIntegrals& form) {
  const Ball deviation(line.choice.deviation);
  const Ball first = square(Ball(line.choice.t) * deviation);
  const Ball second = square((Ball(line.choice.t) + Ball(1)) * deviation);
  Ball sum;
  for (std::size_t k = 0; k < norms.size(); ++k) {
    // the mean of s^2 over the cell, over (t^2 d^2 + s^2) ((t+1)^2 d^2 + s^2) at its lower end
    const Ball low = square(line.mesh * integer_ball(k));
    const Ball mean = square(line.mesh) * (integer_ball(3 * k * (k + 1) + 1) / Ball(3));
    sum += norms[k] * sqrt(mean / ((first + low) * (second + low)));
  }
  sum = PLAUDIT_BOUND("smooth_error.cells", sum, ldexp(sum, -1)) * line.mesh;
  const Ball rest = (line.beyond + form.beyond) / (line.mesh * integer_ball(norms.size()));
  return (deviation * (sum + PLAUDIT_BOUND("smooth_error.beyond", rest, Ball(0))) / pi()).upper();
}

}  // namespace

FormErrors form_errors(const TiltedLine& line, const HermiteCoefficients& c,
                       const SmoothingHeight& height) {
  if (c[0] != 1 || height.cells == 0 || height.cells > line.choice.cells || height.beyond < 1 ||
      (height.beyond > 1 && height.cells != line.choice.cells)) {
    return {positive_infinity(), positive_infinity()};
  }
  const std::size_t cells = line.choice.cells;
  const std::vector<Ball> norms = cell_norms(line, c, cells);
  const auto integrals = [&](std::size_t count) {
    return form_integrals(c, line.mesh * integer_ball(count));
  };
  return {distance(line, norms, integrals(height.cells), height),
          smooth_error(line, norms, integrals(cells))};
}

// Proof: docs/proofs/berry_esseen.md#smoothed-band
Ball form_error(const TiltedLine& line, const FormErrors& errors) {
  const Ball variation = ldexp(exp(log_chernoff_factor(Ball(line.choice.t))), 1);
  return min((variation * errors.distance).upper(), errors.smooth).upper();
}

// Proof: docs/proofs/berry_esseen.md#hermite-value
Ball hermite_delta(const TiltedLine& line, const HermiteCoefficients& c, const Ball& epsilon) {
  const Ball t(line.choice.t);
  const Ball deviation(line.choice.deviation);
  const Ball a = (epsilon - Ball(line.choice.mean)) / deviation;
  const Ball density = normal_density(a);
  // sum_j c_j int_a^inf e^{-b(z-a)} He_j(z) phi(z) dz
  const auto above = [&](const Ball& b) {
    Ball part = exp(b * a + ldexp(square(b), -1)) * normal_cdf(-(a + b));
    Ball sum = part;
    Ball former;      // He_{j-2}(a)
    Ball hermite(1);  // He_{j-1}(a)
    for (std::size_t j = 1; j < c.size(); ++j) {
      part = hermite * density - b * part;
      if (c[j] != 0) sum += Ball(c[j]) * part;
      const Ball next = a * hermite - integer_ball(j - 1) * former;
      former = hermite;
      hermite = next;
    }
    return sum;
  };
  return exp(line.log_mgf - t * epsilon) *
         (above(t * deviation) - above((t + Ball(1)) * deviation));
}

}  // namespace plaudit
