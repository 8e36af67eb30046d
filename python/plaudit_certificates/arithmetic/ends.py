"""Binary floats of any exponent, which are the ends of intervals: sums, products, quotients and roots, rounded down or up.

A float is a pair of whole numbers (m, e) and is worth m 2^e; it may be written in several ways. `bits`, at least 1, are
those of the result's m: it is the float with so many bits that is nearest from below (down) or from above (up). Nothing is
trusted but Python's integers, whose >> and // round down. Numbers of mpmath come in and go out through from_mpmath and
to_mpmath, which are exact.
"""
from math import isqrt

from mpmath.libmp import from_man_exp

ZERO, ONE, MINUS_ONE = (0, 0), (1, 0), (-1, 0)


def from_mpmath(value):
    sign, m, e, _ = value
    if e and not m:
        raise OverflowError("an infinity or no number")
    return -m if sign else m, e


def to_mpmath(x):
    return from_man_exp(*x)


def down(m, e, bits):
    """The greatest float with so many bits that is not above m 2^e."""
    spare = m.bit_length() - bits
    return (m >> spare, e + spare) if spare > 0 else (m, e)


def up(m, e, bits):
    """The least float with so many bits that is not below m 2^e."""
    spare = m.bit_length() - bits
    return (-(-m >> spare), e + spare) if spare > 0 else (m, e)


def shifted(x, places):
    """x 2^places."""
    return x[0], x[1] + places


def negative(x):
    return -x[0], x[1]


def size(x):
    return abs(x[0]), x[1]


def magnitude(x):
    """k with |x| < 2^k and |x| >= 2^(k-1), for x != 0."""
    return x[0].bit_length() + x[1]


def _sum(x, y, bits):
    """A float that rounds to the same floats of so many bits, down and up, as x + y: the sum itself or, where |m 2^e| is far
    above |n 2^f|, M + 1 or M - 1: let M = m 2^s be even and of more than bits + 2 bits, 0 < |n 2^f| < 2^(e-s). In units of
    2^(e-s) the sum lies between M and M + 1 or M - 1, where no float with so many bits lies but M itself: both round alike.
    """
    m, e = x
    n, f = y
    if e < f:
        m, e, n, f = n, f, m, e
    if e - f > 2 * bits:
        if m == 0 or n == 0:
            return (m, e) if n == 0 else (n, f)
        s = max(1, bits + 3 - m.bit_length())
        if n.bit_length() + f <= e - s:
            return (m << s) + (1 if n > 0 else -1), e - s
    return (m << e - f) + n, f


def add_down(x, y, bits):
    return down(*_sum(x, y, bits), bits)


def add_up(x, y, bits):
    return up(*_sum(x, y, bits), bits)


def sub_down(x, y, bits):
    return down(*_sum(x, (-y[0], y[1]), bits), bits)


def sub_up(x, y, bits):
    return up(*_sum(x, (-y[0], y[1]), bits), bits)


def mul_down(x, y, bits):
    return down(x[0] * y[0], x[1] + y[1], bits)


def mul_up(x, y, bits):
    return up(x[0] * y[0], x[1] + y[1], bits)


def div_down(x, y, bits):
    """x / y, y != 0: a quotient of more than so many bits, or 0, rounded down twice, which is as good as once."""
    (m, e), (n, f) = x, y
    if n < 0:
        m, n = -m, -n
    shift = max(0, bits + 1 + n.bit_length() - m.bit_length())
    return down((m << shift) // n, e - f - shift, bits)


def div_up(x, y, bits):
    m, e = div_down((-x[0], x[1]), y, bits)
    return -m, e


def _root(x, bits):
    """(r, f, is r^2 2^(2f) = x?) with r^2 <= x 2^(-2f) < (r + 1)^2 and r of more than so many bits, or 0; x >= 0."""
    m, e = x
    shift = max(0, 2 * bits + 2 - m.bit_length())
    shift += (e - shift) % 2
    r = isqrt(m << shift)
    return r, (e - shift) // 2, r * r == m << shift


def sqrt_down(x, bits):
    return down(*_root(x, bits)[:2], bits)


def sqrt_up(x, bits):
    r, e, whole = _root(x, bits)
    return up(r if whole else r + 1, e, bits)


def compare(x, y):
    """-1, 0 or 1, as x is less than y, equal or greater."""
    (m, e), (n, f) = x, y
    if e != f and m and n and (m > 0) == (n > 0):
        top, other = m.bit_length() + e, n.bit_length() + f
        if top != other:
            return 1 if (top > other) == (m > 0) else -1
        if e > f:  # by no more than the numbers of bits differ
            m <<= e - f
        else:
            n <<= f - e
    return (m > n) - (m < n)
