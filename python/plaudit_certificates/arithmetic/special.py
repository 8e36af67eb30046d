"""The normal distribution function and c(w), enclosed at any precision."""
from fractions import Fraction

from mpmath.libmp import from_man_exp, mpf_pos

from .clock import look
from .real import (Interval, _interval, _magnitude, bits_now, exact, exp, hull, log, maximum, minimum, pi, precision,
                   require, spread, sqrt)

FAR = 256  # beyond 2^FAR the tail is enclosed by 0 and its bound


def density(x):
    """The normal density at x, an interval."""
    x = _interval(x)
    return exp(-(x ** 2) / 2) / sqrt(2 * pi())


def _series(x, bits):
    """Encloses S(x) = sum_(n >= 0) x^(2n+1) / (1 3 5 ... (2n+1)) for a rational x > 0, in units of 2^-bits.

    All terms are positive. Each is the one before times x^2 / (2n+1), rounded down for the lower sum and up for the
    upper one. From the first n with x^2 <= n + 1 on, the ratio x^2 / (2n+3) of the next term to this one is below 1/2
    and falls, so what is left out is less than the last upper term.
    """
    one = 1 << bits
    square_low = x.numerator ** 2 * one // x.denominator ** 2
    square_high = square_low + 1
    low = x.numerator * one // x.denominator
    high = low + 1
    sum_low, sum_high, n = low, high, 0
    while True:
        look()
        n += 1
        low = (low * square_low >> bits) // (2 * n + 1)
        high = (high * square_high >> bits) // (2 * n + 1) + 2  # both floors lose less than 1 (the first one less still)
        sum_low += low
        sum_high += high
        if high <= 4 and square_high <= (n + 1) << bits:
            return sum_low, sum_high + high


def _tail_at(x):
    """Phi(-x) at a rational point x."""
    if x < 0:
        return 1 - _tail_at(-x)
    if x == 0:
        return exact(Fraction(1, 2))
    bits = bits_now()
    nats = x * x / 2
    if nats > bits + 16:
        return _far_tail(x)
    # Phi(-x) = 1/2 - phi(x) S(x) cancels about x^2/2 nats (and log2 x bits).
    more = int(nats * 3 / 2) + 40
    with precision(bits + more):
        low, high = _series(x, bits + more)
        value = Fraction(1, 2) - density(x) * Interval(from_man_exp(low, -bits - more), from_man_exp(high, -bits - more))
    require(value > 0, "a tail is not resolved")
    return Interval(mpf_pos(value.lo, bits, "f"), mpf_pos(value.hi, bits, "c"))


def _far_tail(x):
    """Phi(-x) = phi(x)/x (1 - 1/x^2 + 1 3/x^4 - ...): the partial sums enclose it alternately (integration by parts gives
    the remainder as an integral with the sign of the first term left out, which it does not exceed)."""
    inverse = 1 / exact(x) ** 2
    small = Fraction(1, 1 << bits_now() + 4)
    term = total = before = exact(1)
    for n in range(1, 4 * bits_now()):
        following = term * (2 * n - 1) * inverse
        if n > 1 and not following < term:
            break
        before, term = total, following
        total = total - term if n % 2 else total + term
        if term < small:
            break
    return density(x) / exact(x) * hull(before, total)


def _tail_end(end):
    """Phi(-x) at a binary float; its exponent may be anything."""
    size = _magnitude(end.lo) if end.lo[1] else -FAR
    if size < -2 * bits_now() - 64:
        return Fraction(1, 2) + spread(end)      # the density is below 1
    if size > FAR:
        tail = hull(0, exp(-(end ** 2) / 2))     # Phi(-x) <= e^(-x^2/2) / 2 for x >= 0
        return tail if end > 0 else 1 - tail
    return _tail_at(end.lower())


def normal_tail(x):
    """Phi(-x): decreasing, so the ends decide."""
    x = _interval(x)
    low = _tail_end(x.b)
    high = low if x.lo == x.hi else _tail_end(x.a)
    return Interval(maximum(low, 0).lo, minimum(high, 1).hi)


def log_c(w):
    """log c(w) = w log w - (1+w) log(1+w), c(w) = w^w / (1+w)^(1+w): decreasing, c(0) = 1."""
    w = _interval(w)
    require(w >= 0, "c of what may be negative")

    def at(point):
        if not point > 0:
            return exact(0)
        return point * log(point) - (1 + point) * log(1 + point)
    return Interval(at(w.b).lo, at(w.a).hi)
