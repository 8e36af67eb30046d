"""The normal distribution function and c(w), enclosed at any precision."""
from fractions import Fraction

from .clock import look
from .ends import magnitude
from .real import (Interval, _interval, bits_now, exact, exp, hull, log, maximum, minimum, pi, precision, require,
                   rounded_outward, spread, sqrt)

FAR = 256  # beyond 2^FAR the tail is enclosed by 0 and its bound
NARROW = Fraction(1, 2**20)  # of a tail that changes by less across an interval one end is evaluated; more makes it wider


def density(x):
    """The normal density at x, an interval."""
    x = _interval(x)
    return exp(-(x ** 2) / 2) / sqrt(2 * pi())


def _series(x, bits):
    """(s, e): S(x) = sum_(n >= 0) x^(2n+1) / (1 3 5 ... (2n+1)), for a rational x > 0, is in [s, s + e] in units of 2^-bits.

    All terms are positive; each is the one before times x^2 / (2n+1). In units, let x^2 be in [q, q + 1] and a term in
    [t, t + e]. The next one is at least t' = floor(floor(t q 2^-bits) / (2n+1)), where rounding loses less than 1 + 1/3,
    and at most t' + 4/3 + (t + e (q + 1)) 2^-bits / (2n+1), whose rounding down loses 4/3 again. From the first n with
    x^2 <= n + 1 on, the ratio x^2 / (2n+3) of the next term to this one is below 1/2 and falls, so what is left out is less
    than the last term.
    """
    square = (x.numerator ** 2 << bits) // x.denominator ** 2
    term = (x.numerator << bits) // x.denominator
    total, off, offs, n = term, 1, 1, 0
    while term + off > 4 or square >= (n + 1) << bits:
        if n % 16 == 0:
            look()
        n += 1
        off = ((term + off * (square + 1)) >> bits) // (2 * n + 1) + 3
        term = (term * square >> bits) // (2 * n + 1)
        total += term
        offs += off
    return total, offs + term + off


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
        low, off = _series(x, bits + more)
        value = Fraction(1, 2) - density(x) * Interval((low, -bits - more), (low + off, -bits - more))
    require(value > 0, "a tail is not resolved")
    return rounded_outward(value)


def _far_tail(x):
    """Phi(-x) = phi(x)/x (1 - 1/x^2 + 1 3/x^4 - ...): the partial sums enclose it alternately (integration by parts gives
    the remainder as an integral with the sign of the first term left out, which it does not exceed)."""
    inverse = 1 / exact(x) ** 2
    small = Fraction(1, 1 << bits_now() + 4)
    term = total = exact(1)
    n = 0
    while term >= small:  # x^2/2 > bits + 16: the least term is about e^(-x^2/2)
        n += 1
        before, term = total, term * (2 * n - 1) * inverse
        total = total - term if n % 2 else total + term
    return density(x) / exact(x) * hull(before, total)


def _tail_end(end):
    """Phi(-x) at a binary float; its exponent may be anything."""
    size = magnitude(end.lo) if end.lo[0] else -FAR
    if size < -2 * bits_now() - 64:
        return Fraction(1, 2) + spread(end)      # the density is below 1
    if size > FAR:
        tail = hull(0, exp(-(end ** 2) / 2))     # Phi(-x) <= e^(-x^2/2) / 2 for x >= 0
        return tail if end > 0 else 1 - tail
    return _tail_at(end.lower())


def normal_tail(x):
    """Phi(-x) for x in [a, b]: decreasing, so the ends decide. Where 0 <= a and b is near a, b decides alone: the logarithm of
    Phi(-x) falls at the rate h(x) = phi(x) / Phi(-x) <= 1 + x <= 1 + b, so with g = (b - a) (1 + b) < 1 Phi(-a) is at most
    e^g Phi(-b) <= Phi(-b) / (1 - g).

    h(x) <= 1 + x: let f(x) = (1 + x) Phi(-x) - phi(x). f(0) > 0 and f goes to 0. f' = Phi(-x) - phi(x) is positive at 0 and
    goes to 0, and f'' = (x - 1) phi(x): so f' falls up to 1 and rises from there to 0, is positive at first and negative
    from somewhere on; f rises, then falls to 0, and is nowhere negative.
    """
    x = _interval(x)
    low = high = _tail_end(x.b)
    if x.lo != x.hi:
        growth = (x.b - x.a) * (1 + x.b)
        high = low / (1 - growth) if x >= 0 and growth < NARROW else _tail_end(x.a)
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
