#!/usr/bin/env python3
"""prv(mode=algorithm) beside the Python package of the algorithm's authors, on 20 settings of DP-SGD.

usage: prv_algorithm.py PLAUDIT PYTHON [--csv FILE]

PLAUDIT is the plaudit program, PYTHON an interpreter with the package prv-accountant 0.2.0 of PyPI.
Both answer epsilon (lower, estimate, upper) at a delta, and delta at the estimate of epsilon, in the
remove direction (the one the package computes), one thread. Printed are the largest differences of
each of the three numbers, and how far both estimates are from the certified truth (contour). Seconds
of the package are those of construction and query without imports; ours are those in the process,
for the algorithm and the certified band beside it. Ends with status 1 if a difference of epsilon is
above 1e-6.
"""
import argparse
import csv
import json
import re
import subprocess
import sys

# sigma, rate, steps, delta, eps_error, delta_error
SETTINGS = [
    ("0.8", "0.004", 250, "1e-7", "0.1", "1e-10"), ("0.8", "0.004", 1000, "1e-7", "0.1", "1e-10"),
    ("0.8", "0.004", 4000, "1e-7", "0.1", "1e-10"), ("0.8", "0.004", 8000, "1e-7", "0.1", "1e-10"),
    ("0.8", "0.001", 100, "1e-7", "0.1", "1e-10"), ("0.8", "0.001", 1000, "1e-7", "0.1", "1e-10"),
    ("0.8", "0.001", 10000, "1e-7", "0.1", "1e-10"), ("0.8", "0.01", 1000, "1e-6", "0.05", "1e-9"),
    ("1", "0.01", 500, "1e-5", "0.1", "1e-8"), ("1", "0.01", 2000, "1e-6", "0.1", "1e-9"),
    ("1", "0.02", 3000, "1e-5", "0.1", "1e-8"), ("1.1", "0.00427", 14040, "1e-5", "0.1", "1e-8"),
    ("1.5", "0.01", 10000, "1e-6", "0.1", "1e-9"), ("2", "0.01", 10000, "1e-5", "0.05", "1e-8"),
    ("4", "0.05", 2000, "1e-6", "0.1", "1e-9"), ("0.65", "0.01", 2000, "1e-6", "0.1", "1e-9"),
    ("0.6", "0.001", 2000, "1e-6", "0.1", "1e-9"), ("10", "0.1", 10000, "1e-5", "0.1", "1e-8"),
    ("4", "0.00033", 10000, "1e-6", "0.01", "1e-9"), ("1", "0.005", 1, "1e-5", "0.1", "1e-8"),
]
PEER = """
import json, sys, time, warnings
warnings.simplefilter("ignore")
import numpy
from scipy.integrate import quad
from prv_accountant import PRVAccountant, PoissonSubsampledGaussianMechanism, accountant
def accurate_mean(law):
    ends = 10.0 ** numpy.arange(-8, 0.01, 0.05)
    ends = [law.t_min, *(-x for x in reversed(ends) if -x > law.t_min), 0.0,
            *(x for x in ends if x < law.t_max), *numpy.arange(1.25, law.t_max, 0.25), law.t_max]
    return sum(b * law.cdf(b) - a * law.cdf(a) - quad(law.cdf, a, b, limit=200, epsabs=0, epsrel=1e-13)[0]
               for a, b in zip(ends[:-1], ends[1:]))
if sys.argv[2] == "accurate":
    accountant.PrivacyRandomVariableTruncated.mean = accurate_mean
for sigma, rate, steps, delta, eps_error, delta_error in json.loads(sys.argv[1]):
    start = time.perf_counter()
    law = PoissonSubsampledGaussianMechanism(noise_multiplier=float(sigma), sampling_probability=float(rate))
    peer = PRVAccountant(law, eps_error=float(eps_error), delta_error=float(delta_error),
                         max_self_compositions=steps)
    epsilon = peer.compute_epsilon(float(delta), [steps])
    seconds = time.perf_counter() - start
    point = round(epsilon[1], 2)
    print(json.dumps({"epsilon": epsilon, "delta": peer.compute_delta(point, [steps]),
                      "point": point, "seconds": seconds}), flush=True)
"""
NUMBERS = re.compile(r" lower (\S+), middle (\S+), upper (\S+) \(mesh")


def ours(plaudit, spec, quantity, option, argument, accountant):
    command = [plaudit, quantity, spec, option, argument, "--direction", "remove", "--json",
               "--accountant", accountant]
    answer = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)
    found = NUMBERS.search(answer["method"])
    return [float(x) for x in found.groups()] if found else None, answer


def ask_package(python, mean):
    run = subprocess.run([python, "-c", PEER, json.dumps(SETTINGS), mean], capture_output=True,
                         text=True, check=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


ENDS = ("lower", "estimate", "upper")


def compared(plaudit, setting, peer, accurate):
    sigma, rate, steps, delta, eps_error, delta_error = setting
    spec = f"poisson(gaussian(sigma={sigma}), rate={rate})^{steps}"
    mode = f"prv(mode=algorithm, eps_error={eps_error}, delta_error={delta_error})"
    epsilon, answer = ours(plaudit, spec, "epsilon", "--delta", delta, mode)
    deltas, _ = ours(plaudit, spec, "delta", "--epsilon", str(peer["point"]), mode)
    _, truth = ours(plaudit, spec, "epsilon", "--delta", delta, "contour")
    row = dict(zip(("sigma", "rate", "steps", "delta", "eps_error", "delta_error"), setting))
    for name, mine in (("epsilon", epsilon), ("delta", deltas)):
        for end, number, released, other in zip(ENDS, mine, peer[name], accurate[name]):
            row.update({f"{name}_{end}": number, f"{name}_{end}_off_released": abs(number - released),
                        f"{name}_{end}_off_accurate": abs(number - other)})
    middle = (float(truth["lower"]) + float(truth["upper"])) / 2
    row.update(truth=middle, ours_off_truth=abs(epsilon[1] - middle),
               released_off_truth=abs(peer["epsilon"][1] - middle), seconds=float(answer["seconds"]),
               package_seconds=peer["seconds"], band_lower=answer["lower"], band_upper=answer["upper"])
    return row


def report(rows):
    worst = 0
    for name in ("epsilon", "delta"):
        for end in ENDS:
            released, accurate = (max(row[f"{name}_{end}_off_{which}"] for row in rows)
                                  for which in ("released", "accurate"))
            within = sum(row[f"{name}_{end}_off_released"] <= 1e-6 for row in rows)
            print(f"largest difference of {name} {end}: {released:.3e} from the package as released "
                  f"({within} of {len(rows)} within 1e-6), {accurate:.3e} with its mean accurate")
            if name == "epsilon":
                worst = max(worst, accurate)
    for who, key in (("ours", "seconds"), ("the package", "package_seconds")):
        print(f"seconds of {who}: {sum(row[key] for row in rows):.2f} in all, "
              f"{max(row[key] for row in rows):.3f} at most")
    return worst


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("plaudit")
    parser.add_argument("python")
    parser.add_argument("--csv")
    arguments = parser.parse_args()
    peers = ask_package(arguments.python, "released")
    accurate = ask_package(arguments.python, "accurate")
    rows = []
    for setting, peer, other in zip(SETTINGS, peers, accurate):
        row = compared(arguments.plaudit, setting, peer, other)
        rows.append(row)
        print(f"{row['sigma']:>5} {row['rate']:>8} {row['steps']:>6} delta {row['delta']}  estimate "
              f"{row['epsilon_estimate']:.9f}, off by " +
              " ".join(f"{row[f'epsilon_{end}_off_released']:.1e}" for end in ENDS) + " (released) " +
              " ".join(f"{row[f'epsilon_{end}_off_accurate']:.1e}" for end in ENDS) + " (mean accurate), "
              f"from the truth {row['ours_off_truth']:.3e}, released {row['released_off_truth']:.3e}; "
              f"seconds {row['seconds']:.3f}, package {row['package_seconds']:.3f}", flush=True)
    worst = report(rows)
    if arguments.csv:
        with open(arguments.csv, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, rows[0], lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    sys.exit(worst > 1e-6)


if __name__ == "__main__":
    main()
