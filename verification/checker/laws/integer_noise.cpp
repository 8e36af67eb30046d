#include "verification/checker/laws/integer_noise.hpp"

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "verification/checker/laws/convolution.hpp"
#include "verification/checker/laws/costs.hpp"
#include "verification/checker/laws/law_text.hpp"

namespace plaudit::proof {

namespace {

constexpr long nats_of_window = 300;   ///< about -log P(X > m), or less
constexpr long bits_of_products = 64;  ///< beyond the working precision, for long products

/// P(X = k), k = 0 .. last, and bounds of P(X > last), the lower one positive.
struct NoiseMasses {
  std::vector<Interval> masses;
  Interval least_beyond;
  Interval most_beyond;
};

using MakeNoise = std::function<NoiseMasses(long last)>;

/// Proof: docs/proofs/integer_noise.md#window
Finite::Masses window_masses(const NoiseMasses& noise, long window, long shift) {
  const long end = window + shift;
  const auto f = [&](long k) { return noise.masses[static_cast<std::size_t>(std::abs(k))]; };
  Interval between = 0;  // P(window < X <= end)
  for (long k = window + 1; k <= end; ++k) between += f(k);
  const Interval b = hull(noise.least_beyond, noise.most_beyond);
  const Interval a = between + b;
  const Interval apart =  // log(a/b), which falls with b
      hull(log1p(between / noise.least_beyond), log1p(between / noise.most_beyond));
  const Interval ratio = f(window) / f(end);
  const Interval last = log(ratio);
  Finite::Masses result;
  result.atoms.push_back({hull(-apart, -last), b, hull(a, b * ratio)});
  for (long k = -window; k <= end; ++k) {
    result.atoms.push_back({log(f(k - shift) / f(k)), f(k - shift), f(k)});
  }
  result.atoms.push_back({apart, hull(0, a), hull(0, b)});
  result.infinite = hull(0, a);
  result.q_mass = hull(1 - a - b, 1);
  return result;
}

/// The masses at the precision that was asked last.
class KeptMasses {
 public:
  KeptMasses(MakeNoise make, long window, long shift)
      : make_(std::move(make)), window_(window), shift_(shift) {}

  Finite::Masses masses() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (bits_ != working_precision()) {
      kept_ = window_masses(make_(window_ + shift_), window_, shift_);
      bits_ = working_precision();
    }
    return kept_;
  }

 private:
  MakeNoise make_;
  long window_;
  long shift_;
  std::mutex mutex_;
  long bits_ = 0;
  Finite::Masses kept_;
};

Finite window_law(std::string text, long window, long shift, MakeNoise make,
                  std::function<Integer(long)> cost) {
  Finite::Exact exact;
  exact.atoms.resize(static_cast<std::size_t>(2 * window + shift) + 3);
  exact.cost = std::move(cost);
  const auto kept = std::make_shared<KeptMasses>(std::move(make), window, shift);
  return Finite(
      std::move(text), [kept] { return kept->masses(); }, std::move(exact));
}

/// P(X = k) = e^-v I_k(v) by the series, whose quotients (v/2)^2 / ((j + 1)(j + k + 1)) fall.
/// Proof: docs/proofs/integer_noise.md#skellam
Interval bessel_mass(const Rational& variance, long k) {
  const Interval half_variance(Rational(variance / 2));
  Interval term = exp(-Interval(variance));
  for (long i = 1; i <= k; ++i) term *= half_variance / i;
  const Interval square_of_half = square(half_variance);
  Interval sum = 0;
  for (long j = 0;; ++j) {
    const Interval quotient = square_of_half / Interval(Integer(j + 1) * Integer(j + k + 1));
    if (below(quotient, half(Interval(1))) &&
        below(scaled(term, working_precision()), half(Interval(1)) * sum)) {
      return sum + hull(0, 2 * term);
    }
    sum += term;
    term *= quotient;
  }
}

/// Downward from two values, by f(k - 1) = f(k + 1) + (2k/v) f(k), whose terms are positive.
/// Proof: docs/proofs/integer_noise.md#skellam
NoiseMasses skellam_noise(const Rational& variance, long last) {
  const PrecisionScope scope(working_precision() + bits_of_products);
  NoiseMasses noise;
  noise.masses.resize(static_cast<std::size_t>(last) + 2);
  Interval after = bessel_mass(variance, last + 2);
  noise.masses.back() = bessel_mass(variance, last + 1);
  for (long k = last; k >= 0; --k) {
    const Interval& next = noise.masses[static_cast<std::size_t>(k) + 1];
    const Interval mass = after + Interval(Rational(2 * (k + 1) / variance)) * next;
    after = next;
    noise.masses[static_cast<std::size_t>(k)] = mass;
  }
  // the quotients fall, so a geometric series of the first one bounds the tail
  const Interval first = noise.masses.back();
  noise.masses.pop_back();
  const Interval quotient = first / noise.masses.back();
  noise.least_beyond = bottom(first);
  noise.most_beyond = top(first / (1 - quotient));
  return noise;
}

}  // namespace

Finite skellam_law(const Rational& variance, long shift) {
  const Integer n(nats_of_window);
  const long window =
      1 + nats_of_window / 3 + to_long(root_of(floor_of(Rational(n * n, 9) + 2 * variance * n)));
  const Integer cost = 10 * (floor_of(variance) + 4 * (window + shift) + 1000);
  return window_law(
      law_text("Skellam", {{"v", number_text(variance)}, {"D", std::to_string(shift)}}), window,
      shift, [variance](long last) { return skellam_noise(variance, last); },
      [cost](long bits) { return weighed(cost, bits); });
}

Finite discrete_gaussian_sum_law(std::uint64_t parties, const Rational& variance, long shift) {
  const Rational whole = Integer(parties) * variance;
  const long window = 2 + to_long(root_of(floor_of(Rational(2 * whole * nats_of_window))));
  const auto plan = [=](long bits) {
    return convolution_plan(parties, variance, window + shift + 1, bits);
  };
  const auto noise = [=](long last) {
    NoiseMasses result;
    result.masses = summed_masses(plan(working_precision()));
    result.least_beyond = bottom(result.masses.back());
    result.masses.pop_back();
    const Rational square = Rational(Integer(last + 1) * Integer(last + 1));
    result.most_beyond = top(exp(Interval(Rational(-square / (2 * whole)))));
    return result;
  };
  return window_law(law_text("DiscreteGaussianSum", {{"n", std::to_string(parties)},
                                                     {"v", number_text(variance)},
                                                     {"D", std::to_string(shift)}}),
                    window, shift, noise, [plan](long bits) { return cost_of(plan(bits)); });
}

}  // namespace plaudit::proof
