#!/usr/bin/env python3
"""Calibrations of random DP-SGD runs: both ends verified, and what they cost.

    calibration.py [--program build/plaudit] [--runs 100] [--seed 1] [--digits 12]

Each run draws a rate, a number of steps, a delta and an epsilon, and asks for the noise multiplier
(three in four) or for the number of steps. Both ends of each bracket are verified by a query of
delta at the target epsilon, in a process of its own. The cost of a calibration is compared with
that of one query of epsilon at the value that suffices, at the same digits: by the seconds that the
program itself reports, each the least of three.
"""
import argparse
import json
import random
import statistics
import subprocess
import sys
from fractions import Fraction


def plaudit(program, *arguments):
    done = subprocess.run([program, *arguments, "--json"], capture_output=True, text=True)
    if done.returncode not in (0, 4):
        sys.exit(f"{arguments}: {done.stderr}")
    return json.loads(done.stdout)


def least_seconds(program, *arguments, times=3):
    answers = [plaudit(program, *arguments) for _ in range(times)]
    return min(answers, key=lambda each: each["seconds"])


def settings(runs, seed):
    """(spec with ?, epsilon, delta)"""
    draw = random.Random(seed)
    for _ in range(runs):
        rate = f"{10 ** draw.uniform(-4, -1):.3g}"
        delta = f"{10 ** draw.uniform(-10, -4):.2g}"
        epsilon = f"{10 ** draw.uniform(-1, 1):.3g}"
        if draw.random() < 0.75:
            steps = round(10 ** draw.uniform(2, 5))
            yield f"poisson(gaussian(sigma=?), rate={rate})^{steps}", epsilon, delta
        else:
            sigma = f"{10 ** draw.uniform(-0.2, 0.8):.3g}"
            yield f"poisson(gaussian(sigma={sigma}), rate={rate})^?", epsilon, delta


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default="build/plaudit")
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--digits", default="12")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    seconds, ratios, queries, wide, wrong = [], [], [], 0, 0
    for spec, epsilon, delta in settings(options.runs, options.seed):
        found = least_seconds(options.program, "calibrate", spec, "--target-epsilon", epsilon,
                              "--delta", delta, "--digits", options.digits)
        for end in ("suffices", "fails"):
            if found[end] is None:
                continue
            band = plaudit(options.program, "delta", spec.replace("?", found[end]), "--epsilon",
                           epsilon, "--digits", str(int(options.digits) + 8))
            met = (Fraction(band["upper"]) <= Fraction(delta) if end == "suffices"
                   else Fraction(band["lower"]) > Fraction(delta))
            if not met:
                wrong += 1
                print("NOT VERIFIED:", end, found[end], spec, epsilon, delta, band)
        one = least_seconds(options.program, "epsilon",
                            spec.replace("?", found["suffices"] or found["fails"]),
                            "--delta", delta, "--digits", options.digits)
        wide += not found["reached"]
        seconds.append(found["seconds"])
        ratios.append(found["seconds"] / one["seconds"])
        queries.append(found["queries"])
        if options.verbose or not found["reached"]:
            print(f"{spec} {epsilon} {delta}: [{found['fails']}, {found['suffices']}] "
                  f"{found['queries']} queries, {1000 * found['seconds']:.1f} ms, "
                  f"{ratios[-1]:.1f} times {1000 * one['seconds']:.1f} ms "
                  f"{found.get('remark', '')}")

    def line(name, values, unit):
        print(f"{name}: median {statistics.median(values):.3g}{unit}, "
              f"worst {max(values):.3g}{unit}")

    print(f"{options.runs} calibrations, seed {options.seed}, {options.digits} digits: "
          f"{wrong} ends not verified, {wide} brackets wider than asked")
    line("time", [1000 * each for each in seconds], " ms")
    line("queries", queries, "")
    line("times one query of epsilon", ratios, "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
