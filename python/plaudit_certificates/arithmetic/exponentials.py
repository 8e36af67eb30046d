"""Sums of exponentials at many points, the inner loop of double integrals, in whole numbers."""
from mpmath.libmp import from_man_exp, mpf_cos_sin, mpf_exp

from .boxes import Complex
from .clock import require, watched
from .ends import from_mpmath
from .real import GUARD, Interval, bits_now, floor_of
from .sums import rounded

MOST = 4096        # nats of a term
LARGEST = 1 << 64  # of w, l and m


def _whole(z, bits):
    """[(whole number, how far off)] of both parts."""
    require(abs(z.real) < LARGEST and abs(z.imag) < LARGEST, "a number of a sum of exponentials is too large")
    return [rounded(part, bits) for part in (z.real, z.imag)]


class ExponentialSum:
    """w -> sum of e^(w l + m) over the given (l, m), boxes all of them.

    With F bits after the point let w, l and m be off by at most e_w, e_l, e_m units in modulus, and v = w l + m in whole
    numbers, rounded down. Then v is off by at most r = (|w| e_l + |l| e_w + e_l e_w) 2^-F + e_m + 5 units. Where r is below
    one (2^F units), |e^(v + d) - e^v| <= 2 |d| e^(Re v) for |d| <= r. e^(Re v), cos(Im v) and sin(Im v) come from mpmath
    with relative errors below 2^-(precision + 10), which together move each part of the product by less than
    2^-(precision + 8) e^(Re v). Each part is rounded down once more. Twice `sizes` bounds the sum of the e^(Re v).
    """

    def __init__(self, terms):
        self.bits = bits_now() + 32
        rounded = [_whole(l, self.bits) + _whole(m, self.bits) for l, m in terms]
        self.terms = [[number for number, _ in row] for row in rounded]
        self.largest = max(abs(row[0]) + abs(row[1]) for row in self.terms)
        self.off = [max(row[i][1] + row[i + 1][1] for row in rounded) for i in (0, 2)]

    def at(self, w):
        bits, precision = self.bits, bits_now() + GUARD
        (wr, first), (wi, second) = _whole(w, bits)
        off_w, (off_l, off_m) = first + second, self.off
        off = (((abs(wr) + abs(wi) + off_w) * off_l + self.largest * off_w) >> bits) + off_m + 5
        require(off < 1 << bits, "a sum of exponentials is too inexact")
        real = imaginary = sizes = 0
        for lr, li, mr, mi in watched(self.terms):
            vr, vi = ((wr * lr - wi * li) >> bits) + mr, ((wr * li + wi * lr) >> bits) + mi
            require(vr < MOST << bits, "a term of a sum of exponentials is too large")
            size, exponent = from_mpmath(mpf_exp(from_man_exp(vr, -bits), precision, "n"))
            cosine, sine = (from_mpmath(each) for each in mpf_cos_sin(from_man_exp(vi, -bits), precision, "n"))
            real += floor_of((size * cosine[0], exponent + cosine[1]), bits)
            imaginary += floor_of((size * sine[0], exponent + sine[1]), bits)
            sizes += floor_of((size, exponent), bits) + 1
        error = (2 * sizes * (2 * off + (1 << bits - bits_now() - 8)) >> bits) + len(self.terms) + 1

        def enclosed(value):
            return Interval((value - error, -bits), (value + error, -bits)) + 0
        return Complex(enclosed(real), enclosed(imaginary))
