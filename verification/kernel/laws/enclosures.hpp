// The arithmetic of theories/Normal.v on enclosures, bit for bit, and numbers as Coq reads them.
#pragma once

#include <string>

#include "verification/kernel/laws/step_law.hpp"

namespace plaudit::kernel {

/// The precision beyond T with which Coq proves enclosures.
inline constexpr long bits_of_interval = 72;

/// ceil(x / 2^k) and floor(x / 2^k), x of any sign.
Integer up(long k, const Integer& x);
Integer down(long k, const Integer& x);
Integer quotient_below(const Integer& a, const Integer& b);
Integer quotient_above(const Integer& a, const Integer& b);

/// In units of 2^-T, with one of slack on each side, so that Coq's interval arithmetic decides it.
Bounds enclosed(long T, const Ball& x);
/// Normal.v, `product_of`.
Bounds product_of(long T, const Bounds& a, const Bounds& b);
/// v, v step, v step^2, ... (Normal.v, `geometric`).
std::vector<Bounds> geometric(long T, std::size_t n, Bounds v, const Bounds& step);
/// The estimates of the losses at both ends, from the ratios.
void set_losses(Slice& slice);
/// Sources.v, `swapped_slices`.
std::vector<Slice> swapped_slices(const std::vector<Slice>& slices);

std::string coq_bounds(const Bounds& bounds);
std::string coq_integer(const Integer& x);
/// A natural number that is computed from an integer.
std::string coq_natural(long n);
/// "3" or "(3 / 4)".
std::string coq_rational(const Rational& x);
/// The root of x > 0 where it is rational.
std::optional<Rational> exact_root(const Rational& x);
/// The root as Coq reads it: a rational, or "(sqrt x)".
std::string coq_root(const Rational& x);

}  // namespace plaudit::kernel
