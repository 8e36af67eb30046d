"""Sums of powers, the inner loop of quadrature rules on a line, in integers."""
from math import isqrt

from .boxes import Complex
from .clock import look
from .ends import magnitude
from .real import Interval, bits_now, exact, floor_of, maximum, require

ROUGHEST = 2**30  # |u|^count of a base u that is hardly known may be no greater; more is rejected


def rounded(x, bits):
    """Integers (m, e) with |x - m 2^-bits| <= e 2^-bits for all members of x."""
    low = floor_of(x.lo, bits)
    high = floor_of(x.hi, bits) + 1
    return (low + high) >> 1, (high - low + 1) // 2 + 1


class _Sums:
    """Whole numbers near the sums of w u^k, k < count, in units of 2^exponent, and error(k), how far off they are at most, in
    modulus and in these units."""

    def __init__(self, terms, count, bits):
        """A unit is 2^-F of a power of two above all |w|, F a little more than `bits`. v_0 = w and v_(k+1) = v_k u, each part
        rounded down. In units let v_k be off by at most e_k in modulus, |w| <= W, and u by d 2^-F = D <= 1/(2 count). Where
        (|u|^2 - 1) count <= 1, |u|^count <= (1 + 1/count)^(count/2) < 2, and |v_k| <= 2 W + e_k, so that
        e_(k+1) <= (|u| + D) e_k + 2 W D + 2. As max(1, |u|)^k (1 + D)^k <= 2 e^(k D) < 4, e_k <= 4 (e_0 + k (2 W D + 2)).
        A term of another base is an error as a whole: at most W max(1, |u|^2)^(count/2), as all |u|^k are at most that.
        """
        bits += 16 + (count * max(1, len(terms))).bit_length()
        scale = max([magnitude(end) for w, _ in terms for part in (w.real, w.imag) for end in (part.lo, part.hi)
                     if end[0]], default=0) + 1
        self.exponent = scale - bits
        self.reals, self.imaginaries, self.at_first, self.per_step = [0] * count, [0] * count, 0, 0
        for w, u in terms:
            square = u.square_of_size().b
            small = (square - 1) * count <= exact(1)
            growth = exact(2) if small else maximum(square, 1) ** ((count + 1) // 2)
            require(growth <= exact(ROUGHEST), "a base of powers is too inexact")  # before its digits are written out
            vr, error_r = rounded(w.real, bits - scale)
            vi, error_i = rounded(w.imag, bits - scale)
            ur, base_r = rounded(u.real, bits)
            ui, base_i = rounded(u.imag, bits)
            first, off = error_r + error_i, base_r + base_i  # e_0 and d
            most = abs(vr) + abs(vi) + first                 # W
            if small and 2 * count * off <= 1 << bits:
                self.at_first += 4 * first
                self.per_step += 4 * ((2 * most * off >> bits) + 3)
                self._add(vr, vi, ur, ui, bits)
            else:
                self.at_first += most * (floor_of(growth.hi, 0) + 1)

    def _add(self, vr, vi, ur, ui, bits):
        reals, imaginaries = self.reals, self.imaginaries
        for k in range(len(reals)):
            if k % 256 == 0:
                look()
            reals[k] += vr
            imaginaries[k] += vi
            vr, vi = (vr * ur - vi * ui) >> bits, (vr * ui + vi * ur) >> bits

    def error(self, k):
        return self.at_first + k * self.per_step


def power_sums(terms, count, budget):
    """[sum of w u^k over the (w, u) of terms] for k = 0 .. count - 1. What a base beyond |u|^2 = 1 + 1/count weighs, or one that
    is known no better than to 1/(2 count), widens all of them."""
    budget.hold(2 * count)
    sums = _Sums(terms, count, bits_now())

    def enclosed(value, error):
        return Interval((value - error, sums.exponent), (value + error, sums.exponent)) + 0
    return [Complex(enclosed(x, sums.error(k)), enclosed(y, sums.error(k)))
            for k, (x, y) in enumerate(zip(sums.reals, sums.imaginaries))]


def sizes_of_power_sums(terms, count, bits):
    """Upper bounds, points, of the moduli of the same sums, with so many bits below the greatest weight. The caller has
    announced the work: count steps per term."""
    sums = _Sums(terms, count, bits)
    result = []
    for k, (x, y) in enumerate(zip(sums.reals, sums.imaginaries)):
        end = (isqrt(x * x + y * y) + 1 + sums.error(k), sums.exponent)
        result.append(Interval(end, end))
    return result
