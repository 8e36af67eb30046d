"""Sums of powers, the inner loop of quadrature rules on a line, in integers."""
from mpmath.libmp import from_man_exp

from .boxes import Complex
from .real import Interval, _magnitude, bits_now, exact, floor_of, log, require


def _rounded(x, bits):
    """Integers (m, e) with |x - m 2^-bits| <= e 2^-bits for all members of x."""
    low = floor_of(x.lo, bits)
    high = floor_of(x.hi, bits) + 1
    return (low + high) >> 1, (high - low + 1) // 2 + 1


def power_sums(terms, count, budget):
    """[sum of w u^k over the (w, u) of terms] for k = 0 .. count - 1; the |u| may exceed 1 only so far that |u|^count <= 2.

    With F bits after the point and w in units of a power of two above all |w|: v_0 = w, v_(k+1) = v_k u, each part rounded
    down. If the integers of v_k and u are off by at most e_k and d units, |v_k| <= 3 and |u|^count <= 2, then
    e_(k+1) <= |u| e_k + 3 d + 2, so e_k <= 2 (e_0 + k (3 d + 2)). |v_k| <= 3 follows from e_k below one (2^F units).
    """
    budget.hold(2 * count)
    budget.spend(1 + len(terms) * (count // 8 + 4))
    bits = bits_now() + 16 + (count * max(1, len(terms))).bit_length()
    scale = max([_magnitude(end) for w, _ in terms for part in (w.real, w.imag) for end in (part.lo, part.hi) if end[1]],
                default=0) + 1
    reals, imaginaries, at_first, per_step = [0] * count, [0] * count, 0, 0
    for w, u in terms:
        size = u.square_of_size().b
        require(not size > 1 or log(size) * count <= exact(1), "a base of powers is too large")  # log 4 > 1
        vr, error_r = _rounded(w.real, bits - scale)
        vi, error_i = _rounded(w.imag, bits - scale)
        ur, base_r = _rounded(u.real, bits)
        ui, base_i = _rounded(u.imag, bits)
        first, step = 2 * (error_r + error_i), 2 * (3 * (base_r + base_i) + 2)
        require(first + count * step < 1 << bits, "a sum of powers is too inexact")
        at_first, per_step = at_first + first, per_step + step
        for k in range(count):
            if k % 256 == 0:
                budget.look()
            reals[k] += vr
            imaginaries[k] += vi
            vr, vi = (vr * ur - vi * ui) >> bits, (vr * ui + vi * ur) >> bits

    def enclosed(value, error):
        return Interval(from_man_exp(value - error, scale - bits), from_man_exp(value + error, scale - bits)) + 0
    return [Complex(enclosed(x, at_first + k * per_step), enclosed(y, at_first + k * per_step))
            for k, (x, y) in enumerate(zip(reals, imaginaries))]
