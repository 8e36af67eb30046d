#include "verification/checker/lines/mellin_rule.hpp"

#include <algorithm>
#include <bit>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "accountants/proof/arithmetic/power_sums.hpp"
#include "accountants/proof/arithmetic/rejected.hpp"

namespace plaudit::proof {

namespace {

constexpr long highest_order = 1000;
constexpr long farthest_node_of_rule = 2'000'000;
constexpr long most_units = 10'000'000;
constexpr long most_points = 100'000;
constexpr long least_bits = 32;
constexpr long most_bits = 20'000;
/// Beyond 2^40 the exponential e^-x is taken for e^-(2^40), from above.
constexpr long farthest_exponent = 40;

Complex disk(const Interval& size) { return {spread(size), spread(size)}; }

/// exp(-x e^(i angle)), x >= 0, from the cosine and sine of the angle.
Complex falling(const Interval& x, const Interval& cosine, const Interval& sine) {
  const Interval farthest = scaled(Interval(1), farthest_exponent);
  if (at_most(farthest, x)) return disk(top(exp(-(farthest * cosine))));
  return exp(-(x * cosine)) * turned(-(x * sine));
}

/// phi(s) = E e^(-sX) at s = e^(b i + i theta) / t, i an integer: a trapezoidal rule whose points
/// share exponentials with those of other s.
/// Proof: docs/proofs/random_allocation.md#transform
class Transform {
 public:
  struct Rule {
    Rational theta;
    Rational turn;   ///< chi
    Rational width;  ///< v
    long stride;
    long points;
  };

  Transform(const MeanOfDraws& law, const Interval& unit, const Rule& rule)
      : unit_(unit),
        offset_(-log(law.count()) - half(Interval(law.squared_rate))),
        real_(rule.turn == 0),
        cosine_(cos(Interval(rule.turn))),
        sine_(sin(Interval(rule.turn))),
        stride_(rule.stride),
        points_(rule.points) {
    const Interval a = sqrt(Interval(law.squared_rate));
    const Interval chi(rule.turn);
    const Interval v(rule.width);
    const Interval right_angle = half(pi());
    require(positive(v) && nonnegative(chi) && rule.turn <= rule.theta &&
                below(Interval(rule.theta), right_angle) && below(chi + a * v, right_angle) &&
                below(a * v - chi, right_angle),
            "a rule of random allocation has no such strip");
    const Interval eta = (chi - Interval(rule.theta)) / a;
    const Interval d = unit * stride_ / a;
    const Interval size = exp(half(square(eta)));
    const Interval edges = exp(half(square(eta + v))) + exp(half(square(eta - v)));
    error_ = top(edges / expm1(2 * pi() * v / d) + 2 * size * normal_tail(d * points_));
    const Interval front = d / sqrt(2 * pi()) * size;
    for (long l = -points_; l <= points_; ++l) {
      const Interval y = d * l;
      weights_.push_back(front * exp(-half(square(y))) * turned(-(y * eta)));
    }
  }

  Complex at(long i) {
    Complex sum{0, 0};
    for (long l = -points_; l <= points_; ++l) {
      const Complex& weight = weights_[static_cast<std::size_t>(l + points_)];
      const Complex& value = exponential(i + l * stride_);
      sum += real_ ? value.re * weight : weight * value;
    }
    return sum + disk(error_);
  }

 private:
  /// exp(-e^(b n - log t - a^2/2 + i chi))
  const Complex& exponential(long n) {
    const auto [known, fresh] = known_.try_emplace(n, Complex{0, 0});
    if (!fresh) return known->second;
    const Interval x = exp(unit_ * n + offset_);
    const bool far = at_most(scaled(Interval(1), farthest_exponent), x);
    return known->second =
               real_ && !far ? Complex{exp(-x), Interval(0)} : falling(x, cosine_, sine_);
  }

  Interval unit_;
  Interval offset_;
  bool real_;
  Interval cosine_;
  Interval sine_;
  long stride_;
  long points_;
  Interval error_;
  std::vector<Complex> weights_;
  std::unordered_map<long, Complex> known_;
};

/// g_m, g = (f / f_0)^t, by n g_n = sum_k (k (t + 1) - n) (f_k / f_0) g_(n-k): f g' = t f' g.
template <class Number>
Number relative_coefficient(const std::vector<Number>& f, std::uint64_t t) {
  const std::size_t m = f.size() - 1;
  std::vector<Number> relative;
  relative.reserve(f.size());
  for (const Number& each : f) relative.push_back(each / f[0]);
  std::vector<Number> g{power(f[0], 0)};
  for (std::size_t n = 1; n <= m; ++n) {
    Number sum{};
    for (std::size_t k = 1; k <= n; ++k) {
      const Integer factor = Integer(k) * (Integer(t) + 1) - Integer(n);
      sum += Interval(factor) * (relative[k] * g[n - k]);
    }
    g.push_back((1 / Interval(static_cast<long>(n))) * sum);
  }
  return g[m];
}

/// The coefficients up to x^m of a product.
template <class Number>
std::vector<Number> product(const std::vector<Number>& f, const std::vector<Number>& g) {
  std::vector<Number> result(f.size());
  for (std::size_t n = 0; n < f.size(); ++n) {
    for (std::size_t k = 0; k <= n; ++k) result[n] += f[k] * g[n - k];
  }
  return result;
}

/// The coefficient of x^m, m = f.size() - 1, in f^t. A series of real numbers is one of intervals:
/// as boxes they would be divided by with the error of f_0 counted three times.
template <class Number>
Number coefficient_of_power(const std::vector<Number>& f, std::uint64_t t) {
  const std::size_t m = f.size() - 1;
  if (t < m) {
    std::vector<Number> result = f;
    for (std::uint64_t bit = std::uint64_t{1} << (std::bit_width(t) - 1); bit > 1;) {
      bit >>= 1;
      result = product(result, result);
      if ((t & bit) != 0) result = product(result, f);
    }
    return result[m];
  }
  if (positive(abs(f[0]))) return power(f[0], t) * relative_coefficient(f, t);
  std::vector<Interval> sizes;
  sizes.reserve(f.size());
  for (const Number& each : f) sizes.push_back(top(abs(each)));
  const Interval size = top(power(sizes[0], t) * relative_coefficient(sizes, t));
  if constexpr (std::is_same_v<Number, Interval>) {
    return spread(size);
  } else {
    return disk(size);
  }
}

/// An upper bound of Gamma(c), c > 0: Stirling's series ends with a term that is too large.
Interval largest_gamma(const Interval& c) {
  const Interval log_c = log(c);
  return top(exp((c - scaled(Interval(1), -1)) * log_c - c + half(log(2 * pi())) + 1 / (12 * c)));
}

}  // namespace

/// The line of nodes at a real part r of w. At the height y the nodes before the first one amount
/// to at most e^(-theta y) left, those after the last to e^(-theta y) right; of_gamma: the same of
/// the sum for the gamma function. Proof: docs/proofs/random_allocation.md#mellin
struct MellinRule::Line {
  Interval c;  ///< m - r
  Interval theta;
  Interval step;
  Interval omega;  ///< 2 pi / step
  Interval left;
  Interval right;
  Interval left_of_gamma;
  Interval right_of_gamma;

  /// The aliases at the height y, relative to A(r) Gamma(c).
  Interval aliases(const Interval& y) const {
    const Complex above = log(Complex{c, y + omega});
    const Complex below = log(Complex{c, omega - y});
    const Interval log_c = log(c);
    const Interval room_above = above.im - theta;
    const Interval room_below = below.im + theta;
    require(positive(room_above) && positive(room_below),
            "the nodes of random allocation are too far apart");
    return top(exp(c * (above.re - log_c) - above.im * y) / expm1(omega * room_above) +
               exp(c * (below.re - log_c) + below.im * y) / expm1(omega * room_below));
  }
};

MellinRule::MellinRule(Fields& fields)
    : order_(fields.integer("order", 0, highest_order)),
      theta_(fields.dyadic("theta")),
      parts_(fields.integer("parts", 1, most_units)),
      step_(fields.integer("step", 1, most_units)),
      first_(fields.integer("first", -farthest_node_of_rule, farthest_node_of_rule)),
      last_(fields.integer("last", first_, farthest_node_of_rule)),
      first_of_gamma_(fields.integer("gamma_first", -farthest_node_of_rule, farthest_node_of_rule)),
      last_of_gamma_(fields.integer("gamma_last", first_of_gamma_, farthest_node_of_rule)),
      right_order_(fields.dyadic("right_order")),
      turn_(fields.dyadic("turn")),
      width_(fields.dyadic("width")),
      stride_(fields.integer("stride", 1, most_units)),
      points_(fields.integer("points", 0, most_points)),
      bits_(fields.integer("bits", least_bits, most_bits)) {
  require(theta_ >= 0 && turn_ >= 0 && right_order_ > 0 && width_ > 0,
          "a rule of random allocation without strip or order");
}

MellinRule::Line MellinRule::line_of(const MeanOfDraws& law, const Interval& r,
                                     Budget& budget) const {
  Line line;
  line.c = order_ - r;
  require(positive(line.c), "the order of a rule of random allocation is too low");
  line.theta = Interval(theta_);
  require(below(line.theta, half(pi())), "a line of random allocation is turned too far");
  line.step = Interval(Rational(law.squared_rate * step_ / parts_));
  line.omega = 2 * pi() / line.step;
  const Interval log_cosine = log(cos(line.theta));
  const auto left = [&](long first) {
    return line.step * exp(line.c * line.step * (first - 1)) / -expm1(-(line.c * line.step));
  };
  const auto right = [&](long last, const Interval& q) {
    const Interval both = line.c + q;
    require(positive(q), "the nodes of the gamma function end too soon");
    return line.step * exp(both * (log(both) - 1 - log_cosine) - q * line.step * (last + 1)) /
           -expm1(-(q * line.step));
  };
  line.left = top(left(first_) * exp(log_moment_bound(law, order_, budget)));
  const Interval q(right_order_);
  line.right = top(right(last_, q) * exp(log_moment_bound(law, r - q, budget)));
  line.left_of_gamma = top(left(first_of_gamma_));
  const Interval from = exp(line.step * (last_of_gamma_ + 1) + log_cosine);
  line.right_of_gamma = top(right(last_of_gamma_, from - line.c));
  return line;
}

/// Psi_m at the nodes. Proof: docs/proofs/random_allocation.md#mellin
std::vector<Complex> MellinRule::psi(const MeanOfDraws& law, Budget& budget) const {
  Transform transform(law, Interval(Rational(law.squared_rate / parts_)),
                      {theta_, turn_, width_, stride_, points_});
  // m! t^-m [x^m] (sum_k e^(a^2 k (k-1)/2) phi(e^(u + a^2 k) / t) x^k / k!)^t
  std::vector<Interval> fronts;
  Interval front = 1;
  for (long k = 0; k <= order_; ++k) {
    if (k > 0) front = front / (k * law.count());
    fronts.push_back(exp(Interval(Rational(law.squared_rate * k * (k - 1) / 2))) * front);
  }
  Interval factorial = 1;
  for (long k = 2; k <= order_; ++k) factorial *= k;
  std::unordered_map<long, Complex> known;
  std::vector<Complex> result;
  std::vector<Complex> f(static_cast<std::size_t>(order_) + 1);
  std::vector<Interval> real(f.size());  // phi is real on a line that is not turned
  for (long j = first_; j <= last_; ++j) {
    budget.spend(8.0 * static_cast<double>(order_ + 1) * static_cast<double>(order_ + 9));
    for (long k = 0; k <= order_; ++k) {
      const long i = j * step_ + k * parts_;
      const auto [found, fresh] = known.try_emplace(i);
      if (fresh) {
        budget.spend(8.0 * static_cast<double>(2 * points_ + 1));
        found->second = transform.at(i);
      }
      f[static_cast<std::size_t>(k)] = fronts[static_cast<std::size_t>(k)] * found->second;
    }
    if (theta_ == 0) {
      std::transform(f.begin(), f.end(), real.begin(), [](const Complex& z) { return z.re; });
      result.push_back({factorial * coefficient_of_power(real, law.draws), 0});
    } else {
      result.push_back(factorial * coefficient_of_power(f, law.draws));
    }
  }
  return result;
}

/// The same of the constant 1 in place of S/t: exp(-e^(u + i theta)).
std::vector<Complex> MellinRule::psi_of_one(const MeanOfDraws& law, Budget& budget) const {
  const Interval step(Rational(law.squared_rate * step_ / parts_));
  const Complex turn = turned(Interval(theta_));
  std::vector<Complex> result;
  for (long j = first_of_gamma_; j <= last_of_gamma_; ++j) {
    budget.spend(50);
    result.push_back(falling(exp(step * j), turn.re, turn.im));
  }
  return result;
}

/// step sum_j e^(v (u_j + i theta)) psi_j at v = c + i (y + kh), k < count.
std::vector<Complex> MellinRule::sums(std::vector<Complex> psi, long first, const Line& line,
                                      const Interval& y, const Interval& h, long count,
                                      Budget& budget) const {
  std::vector<Complex> bases;
  for (std::size_t i = 0; i < psi.size(); ++i) {
    const Interval u = line.step * (first + static_cast<long>(i));
    psi[i] =
        line.step * psi[i] * exp(Complex{line.c * u - y * line.theta, line.c * line.theta + y * u});
    bases.push_back(exp(Complex{-(h * line.theta), h * u}));
  }
  return power_sums(psi, bases, static_cast<std::size_t>(count), budget);
}

// Proof: docs/proofs/random_allocation.md#quotient
Interval MellinRule::moment(const MeanOfDraws& law, const Interval& r, Budget& budget) const {
  require(theta_ == 0, "a rule of a real order is not turned");
  const PrecisionScope precision(bits_);
  const Line line = line_of(law, r, budget);
  const Interval found = sums(psi(law, budget), first_, line, 0, 0, 1, budget)[0].re;
  const Interval gamma =
      sums(psi_of_one(law, budget), first_of_gamma_, line, 0, 0, 1, budget)[0].re;
  const Interval rho = line.aliases(0);
  require(below(rho, 1) && positive(gamma), "a rule of random allocation is too coarse");
  return top((found + line.left + line.right) * (1 + rho) / ((1 - rho) * gamma));
}

// Proof: docs/proofs/random_allocation.md#quotient
std::vector<Complex> MellinRule::values(const MeanOfDraws& law, const Interval& r,
                                        const Interval& h, long first, long count,
                                        const Interval& axis, Budget& budget) const {
  const PrecisionScope precision(bits_);
  const Line line = line_of(law, r, budget);
  const Interval start = h * first;
  const std::vector<Complex> found = sums(psi(law, budget), first_, line, start, h, count, budget);
  const std::vector<Complex> gamma =
      sums(psi_of_one(law, budget), first_of_gamma_, line, start, h, count, budget);
  const Interval gamma_of_c = largest_gamma(line.c);
  std::vector<Complex> result;
  for (long k = 0; k < count; ++k) {
    budget.spend(300);
    const Interval y = h * (first + k);
    const Interval aliases = gamma_of_c * line.aliases(y);
    const Interval turn = exp(-(line.theta * y));
    const Interval error = axis * aliases + turn * (line.left + line.right);
    const Interval error_of_gamma = aliases + turn * (line.left_of_gamma + line.right_of_gamma);
    const auto i = static_cast<std::size_t>(k);
    result.push_back((found[i] + disk(error)) / (gamma[i] + disk(error_of_gamma)));
  }
  return result;
}

}  // namespace plaudit::proof
