#include "verification/kernel/fixed_format.hpp"

#include <algorithm>
#include <stdexcept>

#include "lib/balls/ball.hpp"
#include "lib/balls/precision.hpp"

namespace plaudit::kernel {

namespace {

/// Powers.v: so many steps are taken one by one, and weights are shared with so many bits.
constexpr long steps_one_by_one = 16;
constexpr long share_bits = 32;

Integer low_steps(long e, long n, Integer x) {
  Integer part;
  for (; n > 0; --n) {
    mpz_cdiv_q_2exp(part.data(), x.data(), static_cast<mp_bitcnt_t>(e));
    x -= part;
  }
  return x;
}

Integer high_steps(long e, long n, Integer x) {
  Integer part;
  for (; n > 0; --n) {
    mpz_fdiv_q_2exp(part.data(), x.data(), static_cast<mp_bitcnt_t>(e));
    x -= part;
  }
  return x;
}

}  // namespace

Integer low_of(long e, long D, long n) {
  const Integer one = Integer(1) << static_cast<unsigned long>(D);
  if (n == 1) return low_steps(e, 1, one);
  const Integer z = low_of(e, D, n / 2);
  return low_steps(e, n % 2, down(D, z * z));
}

Integer high_of(long e, long D, long n) {
  const Integer one = Integer(1) << static_cast<unsigned long>(D);
  if (n == 1) return high_steps(e, 1, one);
  const Integer z = high_of(e, D, n / 2);
  return high_steps(e, n % 2, up(D, z * z));
}

Integer low_power(long e, long D, long n, const Integer& x) {
  return n <= steps_one_by_one ? low_steps(e, n, x) : down(D, x * low_of(e, D, n));
}

Integer high_power(long e, long D, long n, const Integer& x) {
  return n <= steps_one_by_one ? high_steps(e, n, x) : up(D, x * high_of(e, D, n));
}

Integer sum_of_weights(const Weights& c) {
  Integer sum;
  for (const Integer& x : c) sum += x;
  return sum;
}

namespace {

/// One big number whose digits in base 2^(64 words) are the weights.
Integer packed(const Weights& c, std::size_t words) {
  std::vector<std::uint64_t> digits(c.size() * words, 0);
  for (std::size_t i = 0; i < c.size(); ++i) {
    mpz_export(&digits[i * words], nullptr, -1, sizeof(std::uint64_t), 0, 0, c[i].data());
  }
  Integer result;
  mpz_import(result.data(), digits.size(), -1, sizeof(std::uint64_t), 0, 0, digits.data());
  return result;
}

void without_zeros_at_end(Weights& c) {
  while (!c.empty() && c.back() == 0) c.pop_back();
}

}  // namespace

Weights convolved(const Weights& a, const Weights& b) {
  if (a.empty() || b.empty()) return {};
  const Integer most_a = *std::max_element(a.begin(), a.end());
  const Integer most_b = *std::max_element(b.begin(), b.end());
  const Integer most = Integer(std::max(a.size(), b.size())) * most_a * most_b + 1;
  const std::size_t words = msb(most) / 64 + 1;
  const Integer product = packed(a, words) * packed(b, words);
  const std::size_t length = a.size() + b.size() - 1;
  std::vector<std::uint64_t> digits(std::max((length + 1) * words, mpz_size(product.data()) + 1),
                                    0);
  mpz_export(digits.data(), nullptr, -1, sizeof(std::uint64_t), 0, 0, product.data());
  Weights result(length);
  for (std::size_t i = 0; i < length; ++i) {
    mpz_import(result[i].data(), words, -1, sizeof(std::uint64_t), 0, 0, &digits[i * words]);
  }
  without_zeros_at_end(result);
  return result;
}

Integer FixedFormat::low_short(long g, long bits) const {
  const Integer one = Integer(1) << static_cast<unsigned long>(D_);
  return down(D_ - bits, low_power(e_, D_, g, one));
}

Weights FixedFormat::wider_up(long g, const Weights& c) const {
  const long bits = std::min(D_, share_bits);
  const Integer one = Integer(1) << static_cast<unsigned long>(bits);
  const Integer share = (one << static_cast<unsigned long>(bits)) / (one + low_short(g, bits)) + 1;
  Weights out;
  out.reserve(c.size() / 2 + 1);
  Integer carried;
  std::size_t i = 0;
  for (; i + 1 < c.size(); i += 2) {
    const Integer greater = std::min(c[i + 1], up(bits, c[i + 1] * share));
    out.push_back(carried + c[i] + c[i + 1] - greater);
    carried = greater;
  }
  if (i < c.size()) {
    out.push_back(carried + c[i]);
  } else if (carried != 0) {
    out.push_back(carried);
  }
  return out;
}

Weights FixedFormat::wider_down(long g, const Weights& c) const {
  if (c.empty()) return {};
  const long bits = std::min(D_, share_bits);
  const Integer low = low_short(g, bits);
  std::size_t i = c.size();
  Integer x;  // the value at the next place, and what of it came from its right
  Integer came;
  if (i % 2 == 1) x = c[--i];
  Weights out;
  out.reserve(c.size() / 2 + 1);
  for (; i >= 2; i -= 2) {
    const Integer joins = std::min(c[i - 1], down(bits, came * low));
    out.push_back(x + joins);
    came = c[i - 1] - joins;
    x = c[i - 2] + came;
  }
  out.push_back(x);
  std::reverse(out.begin(), out.end());
  return out;
}

Weights FixedFormat::wider(long g, const Weights& c) const {
  return mode_ == Mode::up ? wider_up(g, c) : wider_down(g, c);
}

Weights FixedFormat::coarser(int levels, long g, Weights c) const {
  for (; levels > 0; --levels, g += g) c = wider(g, c);
  return c;
}

std::pair<long, Weights> FixedFormat::joined(long g, std::pair<long, Weights> a,
                                             std::pair<long, Weights> b) const {
  if (a.second.empty()) return b;
  if (b.second.empty()) return a;
  if (a.first > b.first) std::swap(a, b);
  const long distance = b.first - a.first;
  if (distance % g != 0) throw std::domain_error("two parts of a law are not on one lattice");
  const std::size_t k = static_cast<std::size_t>(distance / g);
  if (a.second.size() < k + b.second.size()) a.second.resize(k + b.second.size());
  for (std::size_t i = 0; i < b.second.size(); ++i) a.second[k + i] += b.second[i];
  return a;
}

std::pair<long, Weights> FixedFormat::started(long n, const Weights& c) const {
  if (n >= static_cast<long>(c.size())) return {0, c};
  Weights left(c.begin() + n, c.end());
  if (mode_ == Mode::up) left[0] += sum_of_weights(Weights(c.begin(), c.begin() + n));
  return {n, left};
}

namespace {

Weights first_of(const Weights& c, long n) {
  return {c.begin(), c.begin() + std::min(n, static_cast<long>(c.size()))};
}

Weights after(const Weights& c, long n) {
  return {c.begin() + std::min(n, static_cast<long>(c.size())), c.end()};
}

Weights each_rounded(const FixedFormat& format, Weights c) {
  for (Integer& x : c) x = format.rounded(x);
  return c;
}

}  // namespace

LatticeBound FixedFormat::times(const LatticeBound& a, const LatticeBound& b, bool square,
                                const WindowChooser& choose, Window& chosen) const {
  if (a.stride != b.stride || a.levels != b.levels)
    throw std::domain_error("factors on two lattices");
  const long g = a.stride;
  const long w = a.wide();
  Weights fine = convolved(a.fine, b.fine);
  Weights of_b = coarser(a.levels, g, b.fine);
  if (square) {
    for (Integer& x : of_b) x *= 2;
  }
  const auto [offset_b, all_b] =
      joined(w, {b.offset, std::move(of_b)}, {b.offset_coarse, b.coarse});
  const Weights coarse_a = convolved(a.coarse, all_b);
  const Weights coarse_b = square ? Weights() : convolved(coarser(a.levels, g, a.fine), b.coarse);
  std::optional<long> coarse_begins;
  if (!coarse_a.empty()) coarse_begins = a.offset_coarse + offset_b;
  if (!coarse_b.empty()) {
    coarse_begins =
        std::min(coarse_begins.value_or(a.offset + b.offset_coarse), a.offset + b.offset_coarse);
  }
  chosen = choose.of_fine(a.offset + b.offset, fine, coarse_begins);
  const auto [skipped, kept] = started(chosen.skip, fine);
  LatticeBound result;
  result.stride = g;
  result.levels = a.levels;
  result.offset = a.offset + b.offset + skipped * g;
  auto coarse =
      joined(w, {a.offset_coarse + offset_b, coarse_a}, {a.offset + b.offset_coarse, coarse_b});
  coarse =
      joined(w, coarse,
             {result.offset + chosen.length * g, coarser(a.levels, g, after(kept, chosen.length))});
  chosen.length_coarse = choose.of_coarse(coarse.second);
  result.fine = each_rounded(*this, first_of(kept, chosen.length));
  result.offset_coarse = coarse.first;
  result.coarse = each_rounded(*this, first_of(coarse.second, chosen.length_coarse));
  Integer infinite = a.infinite * (b.mass() + b.infinite) + a.mass() * b.infinite;
  if (mode_ == Mode::up) infinite += sum_of_weights(after(coarse.second, chosen.length_coarse));
  result.infinite = rounded(infinite);
  return result;
}

LatticeBound FixedFormat::widened(const LatticeBound& a) const {
  LatticeBound result = a;
  result.stride = 2 * a.stride;
  result.fine = wider(a.stride, a.fine);
  if (a.levels > 0) {
    result.levels = a.levels - 1;
  } else {
    result.coarse = wider(a.stride, a.coarse);
  }
  return result;
}

Integer FixedFormat::value(long g, Integer u, const Weights& c) const {
  const Integer one = Integer(1) << static_cast<unsigned long>(D_);
  Integer sum;
  for (const Integer& x : c) {
    if (u < one) sum += x * (one - u);
    u = mode_ == Mode::up ? low_power(e_, D_, g, u) : high_power(e_, D_, g, u);
  }
  return sum;
}

Integer FixedFormat::delta(const Integer& u, const Integer& u_coarse, const LatticeBound& a) const {
  return value(a.stride, u, a.fine) + value(a.wide(), u_coarse, a.coarse) +
         (a.infinite << static_cast<unsigned long>(D_));
}

Place FixedFormat::first_place(long j) const {
  const PrecisionScope scope(D_ + 128);
  const Integer one = Integer(1) << static_cast<unsigned long>(D_);
  const Ball rho = Ball(1) - ldexp(Ball(1), -e_);
  const Ball y = ldexp(Ball(1) / power(rho, static_cast<std::uint64_t>(-j)), D_);
  const Integer near = floor_of(exact_rational(y.middle()));
  Place place{j, near + j - 2, near - j + 3};
  while (high_power(e_, D_, -j, place.from) > one) place.from += j - 1;
  while (low_power(e_, D_, -j, place.upto) < one) place.upto -= j - 1;
  return place;
}

Place FixedFormat::moved(const Place& place, long j) const {
  const long n = std::max(0L, j - place.at);
  return {place.at + n, low_power(e_, D_, n, place.from), high_power(e_, D_, n, place.upto)};
}

}  // namespace plaudit::kernel
