// Discrete Laplace and discrete Gaussian noise and their Poisson samples: the slices of
// theories/Discrete.v, bit for bit, each a single integer or, where the ratio of the densities is
// constant, a half-line of integers.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "verification/kernel/laws/enclosures.hpp"

namespace plaudit::kernel {

namespace {

/// More slices of single integers would take Coq minutes.
constexpr double most_integers = 20000;

Integer power_of_two(long n) { return Integer(1) << static_cast<unsigned long>(n); }

/// Discrete.v, `quotient_of`.
Bounds quotient_of(long T, const Bounds& a, const Bounds& b) {
  const unsigned long t = static_cast<unsigned long>(T);
  return {quotient_below(a.low << t, b.high), quotient_above(a.high << t, b.low)};
}

Bounds less(const Bounds& a, const Bounds& b) {
  return {std::max(Integer(0), Integer(a.low - b.high)), a.high - b.low};
}

/// The shares of a Poisson sample.
struct Rate {
  Integer top;
  Integer bottom;

  Bounds mixed(const Bounds& without, const Bounds& with) const {
    const Integer left = bottom - top;
    return {quotient_below(left * without.low + top * with.low, bottom),
            quotient_above(left * without.high + top * with.high, bottom)};
  }
};

/// Its probabilities from above in whole units of 2^-g of 2^-T: alone it is a cell.
Slice exact_slice(long g, const Bounds& p, const Bounds& q) {
  const unsigned long shift = static_cast<unsigned long>(g);
  const Integer h = up(g, p.high) << shift;
  const Integer k = up(g, q.high) << shift;
  Slice result{p.low, h, q.low, k, k, p.low, q.low, h, 0, 0};
  if (p.low > 0 && q.low > 0) set_losses(result);
  return result;
}

/// What the two laws have in common.
class Integers : public StepLaw {
 public:
  Integers(std::string name, const DiscreteNoise& noise) : noise_(noise), name_(std::move(name)) {}

  std::string step() const override {
    std::string pair = noise_.rate == 1 ? "(" : "(sampled_";
    pair += name_ + " " + scale() + " " + std::to_string(noise_.sensitivity);
    if (noise_.rate != 1) pair += " " + coq_rational(noise_.rate);
    pair += ")";
    return noise_.removes ? pair : "(swapped " + pair + ")";
  }

 protected:
  virtual std::string scale() const = 0;

  Rate rate() const { return {numerator(noise_.rate), denominator(noise_.rate)}; }
  double sensitivity() const { return static_cast<double>(noise_.sensitivity); }

  /// @param numbers of the source after its name. @param lead of the theorem, between B and g.
  std::string text(const std::string& name, long T, long B, const std::string& constant,
                   const std::string& source, const std::string& theorem) const {
    const std::string swapped = noise_.removes ? "" : "swapped_";
    const std::string sampled = noise_.rate == 1 ? "" : "sampled_";
    const std::string sizes = std::to_string(B) + " " + std::to_string(T);
    std::string rates;
    if (noise_.rate != 1) rates = " " + rate().top.str() + " " + rate().bottom.str();
    return constant + "Definition " + name + "_source : source := " + swapped + source +
           ".\nDefinition " + name + "_step : step := " + step() + ".\nLemma " + name +
           "_holds : source_holds " + sizes + " " + name + "_step " + name +
           "_source.\nProof.\n  apply (" + swapped + sampled + name_ + "_source_holds " + theorem +
           rates + "); " + "try lia; try lra" + positive() + ".\n  unfold " + name +
           "_u. enclosed.\nQed.\n";
  }
  virtual std::string positive() const { return ""; }

  DiscreteNoise noise_;

 private:
  std::string name_;
};

class DiscreteLaplace final : public Integers {
 public:
  explicit DiscreteLaplace(const DiscreteNoise& noise) : Integers("discrete_laplace", noise) {
    if (sensitivity() > most_integers)
      throw std::invalid_argument("prove takes discrete Laplace noise of sensitivity up to 20000");
  }

  LawBits bits(const Fineness&) const override {
    const double bits = sensitivity() / estimate(noise_.scale) / log_two;
    return {bits + 4 + std::log2(1 + estimate(noise_.scale)), bits, bits};
  }
  std::optional<LatticeOfLosses> lattice() const override {
    if (noise_.rate != 1) return std::nullopt;
    return LatticeOfLosses{Rational(-noise_.sensitivity) / noise_.scale, 2 / noise_.scale,
                           sensitivity()};
  }

  Source source(const std::string& name, const Fineness&, long T, long B) const override {
    Source result{T, B, {}, 0, T + bits_of_interval, {}, true};
    const PrecisionScope scope(result.interval_bits + bits_of_interval);
    const Bounds u = enclosed(T, exp(Ball(Rational(-1 / noise_.scale))));
    result.slices = slices(T, T - B, u);
    if (!noise_.removes) result.slices = swapped_slices(result.slices);
    const std::string sizes = std::to_string(T - B) + " " + std::to_string(T);
    const std::string numbers = sizes + " " + rate().top.str() + " " + rate().bottom.str() + " " +
                                std::to_string(noise_.sensitivity) + " " + name + "_u";
    result.text = text(name, T, B, "Definition " + name + "_u : Z * Z := " + coq_bounds(u) + ".\n",
                       "discrete_laplace_source " + numbers, std::to_string(B) + " " + sizes);
    return result;
  }

 private:
  std::string scale() const override { return coq_rational(noise_.scale); }

  std::vector<Slice> slices(long T, long g, const Bounds& u) const {
    const Bounds one{power_of_two(T), power_of_two(T)};
    const Bounds one_and_u{one.low + u.low, one.high + u.high};
    const Bounds v = quotient_of(T, less(one, u), one_and_u);
    const Bounds w = quotient_of(T, one, one_and_u);
    const std::size_t d = static_cast<std::size_t>(noise_.sensitivity);
    const Bounds far = geometric(T, d + 1, w, u).back();
    const std::vector<Bounds> f = geometric(T, d, v, u);  // P(0), P(1), ...
    std::vector<Slice> result{exact_slice(g, rate().mixed(w, far), w)};
    for (std::size_t i = 1; i < d; ++i)
      result.push_back(exact_slice(g, rate().mixed(f[i], f[d - i]), f[i]));
    result.push_back(exact_slice(g, rate().mixed(far, w), far));
    return result;
  }
};

class DiscreteGaussian final : public Integers {
 public:
  explicit DiscreteGaussian(const DiscreteNoise& noise)
      : Integers("discrete_gaussian", noise), sigma_(std::sqrt(estimate(noise.scale))) {}

  LawBits bits(const Fineness& fineness) const override {
    const double reach = fineness.deviations * sigma_ + sensitivity();
    const double variance = sigma_ * sigma_;
    const double ratio = sensitivity() * (reach + sensitivity()) / variance / log_two;
    return {reach * reach / (2 * variance) / log_two + std::log2(1 + sigma_), ratio, ratio};
  }
  std::optional<LatticeOfLosses> lattice() const override {
    if (noise_.rate != 1) return std::nullopt;
    constexpr double relevant = 8;  // standard deviations
    const long k = checked_integer(std::ceil(relevant * sigma_), "a range of integers");
    const Rational spacing = Rational(noise_.sensitivity) / noise_.scale;
    const Rational middle =
        Rational(Integer(noise_.sensitivity) * noise_.sensitivity, 2) / noise_.scale;
    return LatticeOfLosses{middle - k * spacing, spacing, 2 * static_cast<double>(k)};
  }

  Source source(const std::string& name, const Fineness& fineness, long T, long B) const override {
    Source result{T, B, {}, 0, T + bits_of_interval, {}, true};
    const long d = noise_.sensitivity;
    const double reach = std::ceil(fineness.deviations * sigma_);
    const double least = std::sqrt(2 * log_two * static_cast<double>(T)) * sigma_;
    const double all = std::max(std::ceil(least), reach + 2 * sensitivity()) + 1;
    if (2 * all > most_integers)
      throw std::invalid_argument("prove takes discrete Gaussian noise of sigma up to some 700");
    const long n = checked_integer(all, "a range of integers");
    const long first = n - checked_integer(reach, "a range of integers");
    const long count = std::min(2 * (n - first) + d + 1, 2 * n + 1 - first);
    const PrecisionScope scope(result.interval_bits + bits_of_interval);
    const Bounds v = enclosed(T, exp(Ball(Rational(-1 / (2 * noise_.scale)))));
    std::vector<std::pair<Bounds, Bounds>> pairs = pairs_of(T, n, first, count, v);
    if (!noise_.removes) {
      std::reverse(pairs.begin(), pairs.end());
      for (auto& [p, q] : pairs) std::swap(p, q);
    }
    Integer inside;
    for (const auto& [p, q] : pairs) {
      result.slices.push_back(exact_slice(T - B, p, q));
      inside += p.low;
    }
    result.outside = up(T - B, power_of_two(T) - inside);
    const std::string sizes =
        std::to_string(B) + " " + std::to_string(T - B) + " " + std::to_string(T);
    const std::string numbers = sizes + " " + rate().top.str() + " " + rate().bottom.str() + " " +
                                coq_natural(n) + " " + name + "_u " + std::to_string(d) + " " +
                                coq_natural(first) + " " + coq_natural(count) + " " +
                                result.outside.str();
    result.text = text(name, T, B, "Definition " + name + "_u : Z * Z := " + coq_bounds(v) + ".\n",
                       "discrete_gaussian_source " + numbers, sizes);
    return result;
  }

 private:
  std::string scale() const override { return coq_root(noise_.scale); }
  std::string positive() const override {
    return exact_root(noise_.scale) ? "" : "; try (apply sqrt_lt_R0; lra)";
  }

  /// Discrete.v, the pairs of `discrete_gaussian_source`.
  std::vector<std::pair<Bounds, Bounds>> pairs_of(long T, long n, long first, long count,
                                                  const Bounds& v) const {
    const Bounds one{power_of_two(T), power_of_two(T)};
    const Bounds h = product_of(T, v, v);
    std::vector<Bounds> l;  // exp(-i^2 / (2 sigma^2))
    Bounds x = one;
    Bounds r = v;
    Integer low;
    Integer high;
    for (long i = 0; i <= n; ++i) {
      l.push_back(x);
      if (i < n) {
        low += x.low;
        high += x.high;
      }
      x = product_of(T, x, r);
      r = product_of(T, r, h);
    }
    const Bounds tail = quotient_of(T, l.back(), less(one, v));
    const Bounds total{2 * low - one.low, 2 * (high + tail.high) - one.high};
    const Bounds inverse = quotient_of(T, one, total);
    std::vector<Bounds> at;
    at.reserve(l.size());
    for (const Bounds& each : l) at.push_back(product_of(T, each, inverse));
    const auto mass = [&](long j) -> const Bounds& {
      return at[static_cast<std::size_t>(std::labs(j - n))];
    };
    std::vector<std::pair<Bounds, Bounds>> result;
    for (long i = first; i < first + count; ++i)
      result.emplace_back(rate().mixed(mass(i), mass(i - noise_.sensitivity)), mass(i));
    return result;
  }

  double sigma_;
};

}  // namespace

std::shared_ptr<const StepLaw> discrete_laplace_law(const DiscreteNoise& noise) {
  return std::make_shared<const DiscreteLaplace>(noise);
}

std::shared_ptr<const StepLaw> discrete_gaussian_law(const DiscreteNoise& noise) {
  return std::make_shared<const DiscreteGaussian>(noise);
}

}  // namespace plaudit::kernel
