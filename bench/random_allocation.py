#!/usr/bin/env python3
"""Random allocation (balls in bins): plaudit beside PLD_accounting and Monte Carlo.

    random_allocation.py PLAUDIT [--limit SECONDS] [--samples N] [--output FILE]

Needs numpy and PLD_accounting (PyPI: PLD_accounting) in the Python that runs it; without the latter its
columns are left out. For each setting: epsilon at delta by plaudit (12 digits) and by the adaptive range of
PLD_accounting, each in a process of its own within the limit; and delta at plaudit's epsilon, in the
direction remove, by so many samples, where they say something (delta >= 1e-5) and take not too long.
Prints a Markdown table; nothing in it is a guarantee but plaudit's columns.
"""
import argparse
import json
import math
import subprocess
import sys
import time

SETTINGS = [  # sigma, steps, epochs, delta
    ("1", 8, 1, "1e-8"), ("1", 64, 1, "1e-8"), ("2", 64, 1, "1e-8"), ("1", 128, 1, "1e-8"),
    ("0.5", 100, 1, "1e-6"), ("0.8", 1000, 1, "1e-6"), ("1", 1000, 1, "1e-8"),
    ("0.7", 1000, 10, "1e-6"), ("1", 1000, 10, "1e-8"), ("1", 10000, 10, "1e-6"),
    ("2", 100, 100, "1e-5"), ("1", 10000, 100, "1e-8"), ("1", 8, 1, "1e-3"), ("1", 50, 2, "1e-3"),
    ("2", 100, 10, "1e-4"), ("0.7", 20, 4, "1e-3"),
]
LARGE = [("1", 1000, 1000), ("1", 100, 10**6), ("1", 10**4, 10**4), ("1", 10**6, 10**4),
         ("1", 10**6, 10**6), ("0.6", 10**5, 10**3), ("3", 10**4, 10**5)]
MOST_NORMALS = 2e9

PEER = """
import sys, time, warnings
warnings.simplefilter("ignore")
import PLD_accounting
start = time.time()
upper, lower = PLD_accounting.gaussian_allocation_epsilon_range(
    delta=float(sys.argv[4]), sigma=float(sys.argv[1]), num_steps=int(sys.argv[2]),
    num_epochs=int(sys.argv[3]))
print(repr(float(lower)), repr(float(upper)), time.time() - start)
"""


def spec_of(sigma, steps, epochs):
    power = f"^{epochs}" if epochs > 1 else ""
    return f"random_allocation(gaussian(sigma={sigma}), steps={steps}){power}"


def ours(program, spec, delta, limit):
    start = time.time()
    done = subprocess.run([program, "epsilon", spec, "--delta", delta, "--digits", "12", "--json",
                           "--timeout", str(limit)], capture_output=True, text=True, check=False)
    answer = json.loads(done.stdout)
    return answer["lower"], answer["upper"], answer["reached"], time.time() - start


def peer(setting, limit):
    """(lower, upper, seconds) or a reason."""
    try:
        done = subprocess.run([sys.executable, "-c", PEER, *map(str, setting)], capture_output=True,
                              text=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return f"not in {limit:g} s"
    if done.returncode != 0:
        return "failed: " + (done.stderr.strip().splitlines() or ["?"])[-1][:60]
    lower, upper, seconds = done.stdout.split()
    return float(lower), float(upper), float(seconds)


def monte_carlo(sigma, steps, epochs, epsilon, samples, seed=1):
    """Mean and standard error of (1 - e^(epsilon - L))_+ under P, direction remove."""
    import numpy
    random = numpy.random.default_rng(seed)
    rate = 1 / sigma
    total = square = 0.0
    block = max(1, int(4e6 / steps))
    done = 0
    while done < samples:
        count = min(block, samples - done)
        loss = numpy.zeros(count)
        for _ in range(epochs):
            y = random.standard_normal((count, steps))
            y[:, 0] += rate  # the record's step: which one makes no difference to S
            loss += numpy.log(numpy.exp(rate * y - rate * rate / 2).mean(axis=1))
        value = numpy.maximum(0, -numpy.expm1(epsilon - loss))
        total += value.sum()
        square += (value * value).sum()
        done += count
    mean = total / samples
    return mean, math.sqrt(max(square / samples - mean * mean, 0) / samples)


def verdict(lower, upper, low, high):
    """What the peer's bracket is beside the proven band [lower, upper]."""
    words = []
    if high < lower:
        words.append(f"upper end too low by {lower - high:.2g}")
    if low > upper:
        words.append(f"lower end too high by {low - upper:.2g}")
    return "; ".join(words) or "contains it"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("plaudit")
    parser.add_argument("--limit", type=float, default=120)
    parser.add_argument("--samples", type=int, default=10**7)
    parser.add_argument("--output")
    options = parser.parse_args()
    lines = ["| sigma, steps, epochs, delta | plaudit | s | PLD_accounting | s | verdict | "
             "Monte Carlo: delta at that epsilon |", "|---|---|---|---|---|---|---|"]

    def show(line):
        lines.append(line)
        print(line, flush=True)

    for setting in SETTINGS:
        sigma, steps, epochs, delta = setting
        low, high, reached, seconds = ours(options.plaudit, spec_of(sigma, steps, epochs), delta,
                                           options.limit)
        theirs = peer(setting, options.limit)
        if isinstance(theirs, str):
            columns = f"{theirs} | | "
        else:
            columns = (f"[{theirs[0]:.6g}, {theirs[1]:.6g}] | {theirs[2]:.1f} | "
                       f"{verdict(float(low), float(high), theirs[0], theirs[1])}")
        sampled = ""
        if float(delta) >= 1e-5 and options.samples * steps * epochs <= MOST_NORMALS * 10:
            count = min(options.samples, int(MOST_NORMALS / (steps * epochs)))
            mean, error = monte_carlo(float(sigma), steps, epochs, float(low), count)
            sampled = f"{mean:.5g} +- {error:.1g} ({count:.0e} samples)"
        mark = "" if reached else " (not reached)"
        show(f"| {sigma}, {steps}, {epochs}, {delta} | [{low}, {high}]{mark} | {seconds:.1f} | "
             f"{columns} | {sampled} |")
    lines += ["", "| sigma, steps, epochs, delta | plaudit | s |", "|---|---|---|"]
    for sigma, steps, epochs in LARGE:
        low, high, reached, seconds = ours(options.plaudit, spec_of(sigma, steps, epochs), "1e-8",
                                           options.limit)
        mark = "" if reached else " (not reached)"
        show(f"| {sigma}, {steps}, {epochs}, 1e-8 | [{low}, {high}]{mark} | {seconds:.1f} |")
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
