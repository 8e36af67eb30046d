#!/usr/bin/env python3
"""Chua et al.'s comparison of batch samplers (arXiv 2403.17673, 2411.04205, 2412.16802) with certified numbers:
one epoch of T = 1000 steps, sigma = 0.35, the example of the authors' published code, and epsilon against sigma.

    batch_samplers.py PLAUDIT FOLDER [--draw-only]

Deterministic batches, Poisson sampling and balls in bins are certified bands. Shuffling into batches of fixed size
has a lower bound alone: of the two laws (1/T) sum_i N(2 e_i, sigma^2 I) and (1/T) sum_i N(e_i, sigma^2 I), to which
the data "all other gradients are -1, the one in question is +1 or blank" lead (up to a shift), and the events
{max of the coordinates > C} of arXiv 2403.17673, with 50 digits and the best C of a grid.
"""
import csv
import json
import subprocess
import sys
import time
from pathlib import Path

from chart import write
from mpmath import exp, mp, mpf, ncdf

mp.dps = 50
STEPS = 1000
SIGMA = "0.35"
EPSILONS = ["0.5", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "12", "14"]
SIGMAS = ["0.35", "0.4", "0.45", "0.5", "0.55", "0.6", "0.7", "0.8", "0.9", "1", "1.2", "1.5", "2"]
DELTA = "1e-6"
SAMPLERS = {
    "deterministic": lambda sigma: f"gaussian(sigma={sigma})",
    "poisson": lambda sigma: f"poisson(gaussian(sigma={sigma}), rate=1/{STEPS})^{STEPS}",
    "balls_in_bins": lambda sigma: f"random_allocation(gaussian(sigma={sigma}), steps={STEPS})",
}
LABELS = {"deterministic": ("deterministic batches", "2,3"), "poisson": ("Poisson sampling", "6,3"),
          "balls_in_bins": ("balls in bins", ""), "shuffled": ("shuffling: lower bound", "8,2,2,2")}


def band(program, quantity, spec, at):
    start = time.time()
    done = subprocess.run([program, quantity, spec, "--epsilon" if quantity == "delta" else "--delta", at,
                           "--digits", "10", "--timeout", "120", "--json"],
                          capture_output=True, text=True, check=False)
    answer = json.loads(done.stdout)
    return answer["lower"], answer["upper"], round(time.time() - start, 2)


def shuffled_delta(sigma, epsilon):
    """The largest P(max > C) - e^epsilon Q(max > C) over C = 0, 0.01, ...: a lower bound of delta."""
    sigma, factor = mpf(sigma), exp(mpf(epsilon))
    others = {}

    def value(k):
        cap = mpf(k) / 100
        if k not in others:
            others[k] = ncdf(cap / sigma) ** (STEPS - 1)
        return (1 - others[k] * ncdf((cap - 2) / sigma)) - factor * (1 - others[k] * ncdf((cap - 1) / sigma))

    coarse = max(range(0, 2000, 20), key=value)
    return max(mpf(0), max(value(k) for k in range(max(0, coarse - 20), coarse + 21)))


def shuffled_epsilon(sigma, delta):
    """The largest epsilon (to 1e-4) at which the lower bound of delta exceeds delta."""
    low, high = mpf(0), mpf(60)
    while high - low > mpf("1e-4"):
        middle = (low + high) / 2
        if shuffled_delta(sigma, middle) > delta:
            low = middle
        else:
            high = middle
    return low


def measured(program, path, quantity, points, spec_at, shuffled_at):
    with open(path, "w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["epsilon" if quantity == "delta" else "sigma"]
                      + [f"{name}_{end}" for name in SAMPLERS for end in ("lower", "upper", "seconds")]
                      + ["shuffled_lower"])
        for point in points:
            row = [point]
            for name in SAMPLERS:
                row += band(program, quantity, spec_at(name, point),
                            point if quantity == "delta" else DELTA)
            row.append(mp.nstr(shuffled_at(point), 8))
            rows.writerow(row)
            print(*row, flush=True)


def series(path):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    x = next(iter(rows[0]))
    result = []
    for name, (label, dash) in LABELS.items():
        column = name + ("_lower" if name == "shuffled" else "_upper")
        result.append((label, [(row[x], row[column]) for row in rows], dash))
    return result


def main():
    program, folder = sys.argv[1], Path(sys.argv[2])
    deltas = folder / "batch_samplers_delta.csv"
    epsilons = folder / "batch_samplers_epsilon.csv"
    if "--draw-only" not in sys.argv:
        measured(program, deltas, "delta", EPSILONS, lambda name, _: SAMPLERS[name](SIGMA),
                 lambda epsilon: shuffled_delta(SIGMA, epsilon))
        measured(program, epsilons, "epsilon", SIGMAS, lambda name, sigma: SAMPLERS[name](sigma),
                 lambda sigma: shuffled_epsilon(sigma, mpf(DELTA)))
    write(folder / "batch_samplers_delta.svg", f"One epoch of {STEPS} steps, sigma {SIGMA}",
          [("", series(deltas))], "epsilon", "delta", log_y=True, limits=(1e-6, 1))
    write(folder / "batch_samplers_epsilon.svg", f"One epoch of {STEPS} steps, delta {DELTA}",
          [("", series(epsilons))], "sigma", "epsilon", log_y=True)


if __name__ == "__main__":
    main()
