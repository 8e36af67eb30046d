// Noise whose curve of one step is a sum over integers or one integral, from the text of a spec.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "lib/exact/checked_integer.hpp"
#include "lib/work/work_limit.hpp"
#include "verification/forms/spec_call.hpp"

namespace plaudit::pairs {

namespace {

constexpr long most_integers = 6000;  ///< of a window of integer noise
constexpr double bits_a_nat = 1.4426950408889634;

/// Enclosures of numbers that are at most the probabilities of -last, ..., last, and an upper bound
/// of what these numbers lack in all.
struct Window {
  long last;
  std::vector<Directed> mass;
  Directed lacking;
  Directed at(long k) const {
    return std::abs(k) > last ? Directed(0) : mass[static_cast<std::size_t>(k + last)];
  }
};

/// H_x of the noise moved by `shift` against itself: P is too small by at most the mass that the
/// window lacks, and so is Q, which counts x times.
Directed moved(const Window& noise, long shift, const Directed& x) {
  Directed sum(0);
  for (long k = -noise.last; k <= noise.last + shift; ++k) {
    check_work_limit();
    sum = sum + max(noise.at(k - shift) - x * noise.at(k), Directed(0));
  }
  return sum + hull(-(x * noise.lacking), noise.lacking);
}

/// e^-v I_k(v), v the variance: two values by their series, the others by
/// f(k - 1) = f(k + 1) + (2k / v) f(k). Proof: docs/proofs/integer_noise.md#skellam
Window skellam_noise(const Rational& variance, long last) {
  const Directed half(Rational(variance / 2));
  const Directed square = half * half;
  const auto by_series = [&](long k) {
    Directed term = exp(Directed(Rational(-variance)));
    for (long i = 1; i <= k; ++i) term = term * half / Directed(i);
    Directed sum = term;
    for (long j = 1;; ++j) {
      check_work_limit();
      term = term * square / (Directed(j) * Directed(j + k));
      sum = sum + term;
      const Directed quotient = square / (Directed(j + 1) * Directed(j + 1 + k));
      if (quotient.certainly_less(Directed(Rational(1, 2))) &&
          (term / sum).estimate() < std::ldexp(1.0, -static_cast<int>(Directed::precision()))) {
        return sum + hull(Directed(0), term);  // the rest is below a geometric series of 1/2
      }
    }
  };
  Window noise{last, std::vector<Directed>(static_cast<std::size_t>(2 * last + 1)), {}};
  Directed next = by_series(last + 1);
  Directed one = by_series(last);
  // f(last + 1) + f(last + 2) + ...: quotients below variance / (2 (last + 2)) < 1/2.
  noise.lacking = Directed(4) * next;
  for (long k = last; k >= 0; --k) {
    noise.mass[static_cast<std::size_t>(last + k)] = one;
    noise.mass[static_cast<std::size_t>(last - k)] = one;
    const Directed before = next + Directed(Rational(2 * Rational(k) / variance)) * one;
    next = std::exchange(one, before);
  }
  return noise;
}

/// The convolution of both, in whose tails at most the sum of what they lack is lost.
Window convolved(const Window& a, const Window& b) {
  Window sum{a.last + b.last, {}, a.lacking + b.lacking};
  for (long k = -sum.last; k <= sum.last; ++k) {
    check_work_limit();
    Directed mass(0);
    for (long i = std::max(-a.last, k - b.last); i <= std::min(a.last, k + b.last); ++i) {
      mass = mass + a.at(i) * b.at(k - i);
    }
    sum.mass.push_back(mass);
  }
  return sum;
}

/// Of weights w(k) = e^(-k^2 / (2 variance)), whose sum beyond |k| = last is less than
/// 2 w(last) / (1 - e^(-last / variance)), and whose whole sum is more than 1.
Window discrete_gaussian_noise(const Rational& variance, long last) {
  const auto weight = [&](long k) {
    return exp(Directed(Rational(-Rational(k) * k / (2 * variance))));
  };
  Window noise{last, {}, {}};
  Directed whole(0);
  for (long k = -last; k <= last; ++k) {
    noise.mass.push_back(weight(k));
    whole = whole + noise.mass.back();
  }
  const Directed beyond =
      Directed(2) * weight(last) / (Directed(1) - exp(Directed(Rational(-last / variance))));
  for (Directed& mass : noise.mass) mass = mass / (whole + hull(Directed(0), beyond));
  noise.lacking = beyond.high_end();
  return noise;
}

Rational variance_of(Call& call) {
  const Rational sigma = call.number("sigma");
  return call.number("variance", sigma * sigma);
}

Directed least(const Directed& a, const Directed& b) { return -max(-a, -b); }

}  // namespace

LawPointer skellam(Call& call) {
  const Rational variance = call.number("variance");
  const std::uint64_t shift = call.count("sensitivity", 1);
  if (variance <= 0 || variance > 1000 || shift > most_columns) return nullptr;
  return curve_of([=](const Directed& x) -> std::optional<Directed> {
    // By doubles only: where the noise has a probability of about 2^-precision.
    const double v = estimate(variance);
    double last = 2 * v + static_cast<double>(shift) + 4;
    const auto exponent = [&](double k) { return v - std::hypot(k, v) + k * std::asinh(k / v); };
    while (exponent(last) * bits_a_nat < static_cast<double>(Directed::precision())) last *= 1.1;
    if (last > most_integers) return std::nullopt;
    return moved(skellam_noise(variance, checked_integer(std::floor(last), "integers")),
                 static_cast<long>(shift), x);
  });
}

LawPointer discrete_gaussian_sum(Call& call) {
  const Rational variance = variance_of(call);
  const std::uint64_t parties = call.count("parties", 1);
  const std::uint64_t shift = call.count("sensitivity", 1);
  if (variance <= 0 || parties > 20 || shift > most_columns) return nullptr;
  return curve_of([=](const Directed& x) -> std::optional<Directed> {
    const double bits = static_cast<double>(Directed::precision());
    const double reach = std::sqrt(2 * estimate(variance) * bits / bits_a_nat) + 2;
    if (reach * static_cast<double>(parties) > most_integers / 4.0) return std::nullopt;
    const Window one =
        discrete_gaussian_noise(variance, checked_integer(std::floor(reach), "integers"));
    Window all = one;
    for (std::uint64_t i = 1; i < parties; ++i) all = convolved(all, one);
    return moved(all, static_cast<long>(shift), x);
  });
}

/// Where both laws have mass the loss (shift y - shift^2 / 2) / variance rises with the output y.
LawPointer truncated_gaussian(Call& call) {
  const Rational variance = variance_of(call);
  const Rational bound = call.number("bound");
  const Rational shift = call.number("sensitivity", 1);
  if (variance <= 0 || shift <= 0 || bound < shift) return nullptr;
  return curve_of([=](const Directed& x) -> std::optional<Directed> {
    const Directed sigma = sqrt(Directed(variance));
    const Directed top(bound);
    const auto below = [&](const Directed& y) { return normal_below(y / sigma); };
    const Directed whole = below(top) - below(-top);
    const Directed place =
        Directed(Rational(variance / shift)) * log(x) + Directed(Rational(shift / 2));
    const Directed from = least(max(place, Directed(Rational(shift - bound))), top);
    const Directed p = below(top) - below(from - Directed(shift));
    return (p - x * (below(top) - below(from))) / whole;
  });
}

}  // namespace plaudit::pairs
