"""Discrete Gaussian noise, phi(k) = e^(-k^2/(2v)) / Theta: its normaliser, tails and values on vertical lines.

Theorems: docs/proofs/discrete.md#gaussian-tails, docs/certificates/lattice.md#noise.
"""
from fractions import Fraction
from math import isqrt

from ..arithmetic.intervals import Complex, bits_now, exact, exp, hull, pi, polar, require, spread, sqrt, top

MOST_TERMS = 4_000_000


def nats_kept(bits):
    """Nats by which terms left out are below the greatest one: e^-nats < 2^-(bits + 8). Fewer would make enclosures wider."""
    return 7 * (bits + 8) // 10 + 1


# How many terms of sums over discrete noise are taken, exactly, so that both checkers take as many
# (docs/certificates/costs.md): of e^(-k^2/(2v)), of e^(-2 pi^2 v k^2), of theta.

def direct_terms(v, bits):
    return 2 + isqrt(int(2 * v * nats_kept(bits) // 1))


def dual_terms(v, bits):  # 2 pi^2 > 19
    return 2 + isqrt(int(nats_kept(bits) / (19 * v) // 1))


def theta_terms(v, bits):
    return min(dual_terms(v, bits) + int(1 / (50 * v) // 1), 10000)


def checked(terms):
    require(terms <= MOST_TERMS, "needs too many terms of discrete noise")
    return terms


def gaussian_sum(w, first, terms):
    """-> (sum of so many terms of sum over k >= first of e^(-w k^2), first >= 0, w > 0; a bound of the rest, whatever their
    number is). The ratio of the terms k+1 and k is e^(-w (2k+1)), which decreases: a geometric series bounds the rest.
    """
    step = exp(-2 * w)
    term, ratio = exp(-w * first * first), exp(-w * (2 * first + 1))
    total = exact(0)
    for _ in range(checked(terms)):
        total = total + term
        term = term * ratio
        ratio = ratio * step
    rest = term / (1 - ratio)
    return total, rest


def normaliser(v):
    """Theta = sum over all integers k of e^(-k^2/(2v)), for small v as it stands, else by Poisson's formula."""
    if v < Fraction(1, 4):
        total, rest = gaussian_sum(exact(1 / (2 * v)), 1, direct_terms(v, bits_now()))
        return 1 + 2 * hull(total, total + rest)
    total, rest = gaussian_sum(2 * pi() * pi() * exact(v), 1, dual_terms(v, bits_now()))
    return sqrt(2 * pi() * exact(v)) * (1 + 2 * hull(total, total + rest))


class Tails:
    """T(j) = sum over k >= j of phi(k)."""

    def __init__(self, v):
        self.v, self.theta = v, normaliser(v)

    def at(self, j):
        """-> (enclosure, what of its width the terms left out amount to)."""
        if j <= 0:
            value, rest = self.at(1 - j)  # once: 1 - j >= 1
            return 1 - value, rest
        # e^(-(k^2 - j^2)/(2v)) is small both where k - j and where the square of that are large
        terms = min(2 + int(nats_kept(bits_now()) * self.v / j // 1), direct_terms(self.v, bits_now()))
        total, rest = gaussian_sum(exact(1 / (2 * self.v)), j, terms)
        total, rest = total / self.theta, rest / self.theta
        return hull(total, total + rest), rest


class Line:
    """F(x) = e^(-mu z) M(z) at z = t + 2 pi i x v / D, mu = D^2/(2v): with the theta of unit period, w = 2 pi^2 v,

        F(x) = e^(mu t^2) / theta * sum_m e^(-w (x+m)^2) e^(2 pi i D t (x+m)),  theta = sum_m e^(-w m^2),

    whose terms are e^(-w x^2 + 2 pi i D t x) times c_m (e^(-2 w x))^m with c_m = e^(-w m^2 + 2 pi i D t m).
    """

    def __init__(self, v, sensitivity, t, budget):
        self.w = 2 * pi() * pi() * exact(v)
        self.turn = 2 * pi() * sensitivity * t
        terms = dual_terms(v, bits_now())
        total, rest = gaussian_sum(self.w, 1, terms)
        theta = 1 + 2 * hull(total, total + rest)
        self.front = exp(exact(Fraction(sensitivity) ** 2 / (2 * v)) * t * t) / theta
        self.reach = reach = checked(terms)
        budget.hold(2 * reach)
        self.factors = [polar(exp(-self.w * m * m), self.turn * m) for m in range(reach + 1)]
        self.rests = {}

    def at(self, x):
        """F(x), x an exact number."""
        return self._sum(exact(x - round(x)), Fraction(1, 2))

    def near(self, x):
        """F at all x of an interval, which must lie within 3/4 of one integer."""
        x = x - round(x.mid.lower())
        require(abs(x) <= Fraction(3, 4), "a place on the noise's line is too inexact")
        return self._sum(x, Fraction(3, 4))

    def _sum(self, x, most):
        """|x| <= most < 1."""
        step, back = exp(-2 * self.w * x), exp(2 * self.w * x)
        up, down, total = step, back, self.factors[0]
        for c in self.factors[1:]:
            total = total + c * up + c.conjugate() * down
            up, down = up * step, down * back
        rest = spread(self._rest(most))
        return (total * polar(exp(-self.w * x * x), self.turn * x) + Complex(rest, rest)) * self.front

    def _rest(self, most):
        """The terms beyond the reach: |x + m| >= reach + 1 - most + i, i = 0, 1, ..., on either side; ratios decrease."""
        if most not in self.rests:
            y = exact(self.reach + 1 - most)
            self.rests[most] = top(2 * exp(-self.w * y * y) / (1 - exp(-self.w * (2 * y + 1))))
        return self.rests[most]

    def bound(self, x):
        """Of |F| wherever x or more separates from the next integer, 0 <= x <= 1/2."""
        y = exact(x)
        total = self._rest(Fraction(1, 2))
        for m in range(-self.reach, self.reach + 1):
            total = total + exp(-self.w * (y + m) * (y + m))
        return self.front * total
