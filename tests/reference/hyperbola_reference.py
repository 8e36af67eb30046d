#!/usr/bin/env python3
"""Writes hyperbola_reference.tsv: delta of two composed losses by one-dimensional quadrature.

    hyperbola_reference.py > hyperbola_reference.tsv

delta(eps) = E delta_1(eps - L), where delta_1 is the closed form of one Gaussian mixture and L the
loss of the other factor: the same mixture (mean 0 in the column `gaussian_mean`) or a Gaussian loss
N(mu, 2 mu). mpmath, 55 digits, Gauss-Legendre on pieces that end where delta_1 has its kink; the
digits printed agree between two subdivisions. No code or formula is shared with the bent contour.
"""

from mpmath import mp, mpf, exp, log, sqrt, erfc, npdf, quad, findroot, nstr

mp.dps = 55

CASES = [  # sigma, sensitivities, probabilities, gaussian mean, direction, epsilon
    ("0.65", "0,1", "0.99,0.01", "0", "remove", "1"),
    ("0.65", "0,1", "0.99,0.01", "0", "remove", "14"),
    ("0.65", "0,1", "0.99,0.01", "0", "add", "0.01"),
    ("0.3", "0,1", "0.9999,0.0001", "0", "remove", "25"),
    ("0.3", "0,1", "0.9999,0.0001", "0", "add", "0.0001"),
    ("1", "0,1,2", "0.96,0.03,0.01", "0", "remove", "1"),
    ("1", "0,1,2", "0.96,0.03,0.01", "0", "add", "0.03"),
    ("0.8", "0,1", "0.95,0.05", "0.08", "remove", "1"),
    ("0.8", "0,1", "0.95,0.05", "0.08", "add", "0.02"),
]


def phi(x):
    return erfc(-x / sqrt(2)) / 2


class Pair:
    def __init__(self, sigma, shifts, weights, direction):
        self.shifts = [mpf(c) / mpf(sigma) for c in shifts.split(",")]
        self.weights = [mpf(p) for p in weights.split(",")]
        self.remove = direction == "remove"

    def f(self, y):
        return sum(p * exp(c * y - c * c / 2) for p, c in zip(self.weights, self.shifts))

    def root(self, value):
        """f(y) = value, or None where value <= f(-inf)."""
        if value <= self.weights[0]:
            return None
        low, high = mpf(-400), mpf(400)
        for _ in range(40):
            middle = (low + high) / 2
            low, high = (middle, high) if self.f(middle) < value else (low, middle)
        return findroot(lambda y: log(self.f(y) / value), (low, high), tol=mpf(10) ** -104)

    def above(self, y):
        return sum(p * phi(c - y) for p, c in zip(self.weights, self.shifts))

    def below(self, y):
        return sum(p * phi(y - c) for p, c in zip(self.weights, self.shifts))

    def delta(self, eps):
        y = self.root(exp(eps if self.remove else -eps))
        if self.remove:
            return 1 - exp(eps) if y is None else self.above(y) - exp(eps) * phi(-y)
        return mpf(0) if y is None else phi(y) - exp(eps) * self.below(y)

    def composed_with_itself(self, eps, per_unit):
        sign = 1 if self.remove else -1
        density = (lambda y: npdf(y) * self.f(y)) if self.remove else npdf
        g = lambda y: density(y) * self.delta(eps - sign * log(self.f(y)))
        # delta_1 has a kink where eps - L crosses sign * log f(-inf)
        kink = self.root(exp(sign * eps) / self.weights[0])
        return integrate(g, kink, -16, 16 + self.shifts[-1], per_unit)

    def composed_with_gaussian(self, eps, mu, per_unit):
        r = sqrt(2 * mu)
        g = lambda x: npdf(x) * self.delta(eps - mu - r * x)
        kink = (eps - mu - (1 if self.remove else -1) * log(self.weights[0])) / r
        return integrate(g, kink, mpf(-16), mpf(17), per_unit)


def integrate(g, kink, low, high, per_unit):
    ends = [mpf(low) + (mpf(high) - low) * k / (32 * per_unit) for k in range(32 * per_unit + 1)]
    if kink is not None and low < kink < high:
        ends = sorted(ends + [kink])
    return quad(g, ends, maxdegree=5)


def main():
    print("# sigma\tsensitivities\tprobabilities\tgaussian_mean\tdirection\tepsilon\tdelta")
    for case in CASES:
        sigma, shifts, weights, mean, direction, eps = case
        pair = Pair(sigma, shifts, weights, direction)
        values = []
        for per_unit in (1, 2):
            if mean == "0":
                values.append(pair.composed_with_itself(mpf(eps), per_unit))
            else:
                values.append(pair.composed_with_gaussian(mpf(eps), mpf(mean), per_unit))
        assert abs(values[0] / values[1] - 1) < mpf(10) ** -27, (case, values)
        print("\t".join(case + (nstr(values[1], 26),)), flush=True)


main()
