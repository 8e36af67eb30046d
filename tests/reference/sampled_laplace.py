#!/usr/bin/env python3
"""Writes sampled_laplace.tsv: delta(epsilon) of two and three steps of Poisson-sampled Laplace noise.

    sampled_laplace.py > sampled_laplace.tsv

By the definition of composition alone, in mpmath: the last step's two atoms and its density (over
the loss l of the noise without sampling) against the curve of the steps before it, integrated
between the points where that curve is not analytic. One step is in closed form
(docs/proofs/discrete.md#sampled). No transform is involved. Every number is computed twice, with
other pieces and other rules, and printed where both agree to all digits but the last.
"""

from mpmath import exp, log, mp, mpf
from mpmath.calculus.quadrature import GaussLegendre

mp.dps = 30
DIGITS = 20
NODES = {degree: GaussLegendre(mp).calc_nodes(degree, mp.prec) for degree in (4, 5)}


def integral(function, points, rule):
    """By Gauss-Legendre rules on pieces that are short beside the points, where there are kinks."""
    degree, cuts = rule
    total = mpf(0)
    for left, right in zip(points, points[1:]):
        ends = [left, *(left + (right - left) * mpf(cut) for cut in cuts), right]
        for u, v in zip(ends, ends[1:]):
            total += (v - u) / 2 * sum(
                weight * function((u + v) / 2 + (v - u) / 2 * node)
                for node, weight in NODES[degree])
    return total


class Law:
    def __init__(self, scale, rate, direction):
        self.a = 1 / mpf(scale)
        self.g = mpf(rate)
        self.remove = direction == "remove"

    def f(self, l):
        return 1 - self.g + self.g * exp(l)

    def loss(self, l):
        return log(self.f(l)) if self.remove else -log(self.f(l))

    def weight(self, l):
        """Of the mass without the record: the mass under P."""
        return self.f(l) if self.remove else mpf(1)

    def base(self, loss):
        """l where this is the sampled loss."""
        return log(1 + (exp(loss if self.remove else -loss) - 1) / self.g)

    def noise(self, l):
        """The curve of the noise without sampling."""
        if l >= self.a:
            return mpf(0)
        return 1 - exp((l - self.a) / 2) if l >= -self.a else 1 - exp(l)

    def one(self, epsilon):
        if self.remove:
            if exp(epsilon) <= 1 - self.g:
                return 1 - exp(epsilon)
            return self.g * self.noise(log(1 + (exp(epsilon) - 1) / self.g))
        factor = 1 - (1 - self.g) * exp(epsilon)
        if factor <= 0:
            return mpf(0)
        return factor * self.noise(-log(1 + (exp(-epsilon) - 1) / self.g))

    def delta(self, steps, epsilon, rule):
        if steps == 1:
            return self.one(epsilon)
        ends = sorted((self.loss(-self.a), self.loss(self.a)))
        total = mpf(0)
        for l, mass in ((self.a, exp(-self.a) / 2), (-self.a, mpf(1) / 2)):
            total += mass * self.weight(l) * self.delta(steps - 1, epsilon - self.loss(l), rule)
        knots = [epsilon - i * ends[0] - (steps - 1 - i) * ends[1] for i in range(steps)]
        inner = [self.base(x) for x in knots if ends[0] < x < ends[1]]
        points = [-self.a, *sorted(inner), self.a]
        return total + integral(
            lambda l: exp(-(l + self.a) / 2) / 4 * self.weight(l) *
            self.delta(steps - 1, epsilon - self.loss(l), rule), points, rule)


def main():
    print("# scale, rate, steps, direction, epsilon, delta (20 digits); made by sampled_laplace.py")
    cases = [("1", "0.1", 2, "-0.3 -0.1 0 0.05 0.13 0.2 0.31"), ("10", "0.2", 2, "-0.03 0 0.01 0.04"),
             ("0.5", "0.3", 2, "-1 0 0.5 1.2 2"), ("2", "0.01", 2, "-0.005 0 0.004 0.011"),
             ("1", "0.1", 3, "-0.1 0.02 0.2 0.4"), ("2", "0.5", 3, "0.3")]
    for scale, rate, steps, epsilons in cases:
        for direction in ("remove", "add"):
            law = Law(scale, rate, direction)
            for epsilon in epsilons.split():
                if direction == "add" and float(epsilon) > steps * law.loss(-law.a):
                    continue  # 0 beyond the support
                value = law.delta(steps, mpf(epsilon), (5, (0.02, 0.1, 0.4, 0.6, 0.9, 0.98)))
                again = law.delta(steps, mpf(epsilon), (4, (0.01, 0.04, 0.13, 0.4, 0.7, 0.9, 0.97,
                                                            0.99)))
                if abs(value - again) > abs(value) * mpf(10) ** -DIGITS:
                    raise SystemExit(f"not settled: {scale} {rate} {steps} {epsilon}: "
                                     f"{value} {again}")
                print(scale, rate, steps, direction, epsilon, mp.nstr(value, DIGITS), sep="\t",
                      flush=True)


if __name__ == "__main__":
    main()
