#!/usr/bin/env python3
"""Writes mixed_laplace.tsv: delta(epsilon) of Laplace noise of several scales and of Poisson samples of it.

    mixed_laplace.py > mixed_laplace.tsv

By the definition of composition alone, in mpmath, as sampled_laplace.py: one law's two atoms and its
density against the curve of the others, integrated between the points where that curve is not analytic.
No transform is involved. Every number is computed twice, with other pieces and other rules, and printed
where both agree to all digits but the last.
"""

from itertools import product

from mpmath import exp, mp, mpf

from sampled_laplace import Law, integral

mp.dps = 30
FINE = ((5, (0.02, 0.1, 0.4, 0.6, 0.9, 0.98)), (4, (0.01, 0.04, 0.13, 0.4, 0.7, 0.9, 0.97, 0.99)))
COARSE = ((4, (0.1, 0.9)), (4, (0.2, 0.5, 0.8)))


def ends(law):
    return sorted((law.loss(-law.a), law.loss(law.a)))


def delta(laws, epsilon, rule):
    law, others = laws[0], laws[1:]
    if not others:
        return law.one(epsilon)
    total = mpf(0)
    for l, mass in ((law.a, exp(-law.a) / 2), (-law.a, mpf(1) / 2)):
        total += mass * law.weight(l) * delta(others, epsilon - law.loss(l), rule)
    low, high = ends(law)
    knots = {epsilon - sum(choice) for choice in product(*(ends(each) for each in others))}
    inner = [law.base(x) for x in knots if low < x < high]
    points = [-law.a, *sorted(inner), law.a]
    return total + integral(
        lambda l: exp(-(l + law.a) / 2) / 4 * law.weight(l) *
        delta(others, epsilon - law.loss(l), rule), points, rule)


def main():
    print("# scale and rate (1: not sampled) of each law, direction, epsilon, delta; made by mixed_laplace.py")
    cases = [("1:0.2 2:0.1", "-0.1 0 0.05 0.2 0.3", FINE, 20),
             ("2:0.05 15:1", "-0.05 0 0.03 0.09", FINE, 20),
             ("0.5:0.3 1:1", "-1 0 0.5 1.2", FINE, 20),
             ("1:1 3:1", "0.2 1", FINE, 20),
             ("3:0.4 1:0.2 2:1", "0.1 0.6", COARSE, 10)]
    for text, epsilons, rules, digits in cases:
        for direction in ("remove", "add"):
            laws = []
            for each in text.split():
                scale, rate = each.split(":")
                laws.append(Law(scale, rate, "remove" if rate == "1" else direction))
            for epsilon in epsilons.split():
                if float(epsilon) > sum(ends(law)[1] for law in laws):
                    continue  # 0 beyond the support
                value, again = (delta(laws, mpf(epsilon), rule) for rule in rules)
                if abs(value - again) > abs(value) * mpf(10) ** -digits:
                    raise SystemExit(f"not settled: {text} {epsilon}: {value} {again}")
                print(text, direction, epsilon, mp.nstr(value, digits), digits, sep="\t", flush=True)


if __name__ == "__main__":
    main()
