#!/usr/bin/env python3
"""Accountant prv beside the Python package of its authors, on the configurations of bench/queries.cpp.

usage: prv_accountant.py PLAUDIT PEER_CHECKOUT [--timeout SECONDS] [--csv FILE]

PLAUDIT is the plaudit program, PEER_CHECKOUT a checkout of microsoft/prv_accountant (needs numpy and
scipy). epsilon at delta = 1e-6, eps_error = 0.01, delta_error = delta / 1000, the remove direction (the
one the peer computes), one thread. The peer runs in a process of its own; its seconds are those of
construction and query, without imports; ours are those in the process, and the whole process.
"""
import argparse
import csv
import json
import subprocess
import sys
import time

CONFIGURATIONS = [(0.8, 0.004, 1000), (0.65, 0.01, 2000), (1, 0.01, 10000), (1.5, 0.01, 10000),
                  (0.5, 0.01, 100000), (4, 0.00033, 10000), (1, 0.01, 1000000), (10, 0.1, 10000000)]
DELTA = 1e-6
PEER = """
import json, sys, time, warnings
warnings.simplefilter("ignore")
sys.path.insert(0, sys.argv[1])
sigma, rate, steps, delta = float(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4]), float(sys.argv[5])
from prv_accountant import PRVAccountant, PoissonSubsampledGaussianMechanism
start = time.perf_counter()
mechanism = PoissonSubsampledGaussianMechanism(noise_multiplier=sigma, sampling_probability=rate)
peer = PRVAccountant(mechanism, eps_error=0.01, delta_error=delta / 1000, max_self_compositions=steps)
lower, estimate, upper = peer.compute_epsilon(delta, [steps])
print(json.dumps({"lower": lower, "estimate": estimate, "upper": upper,
                  "seconds": time.perf_counter() - start}))
"""


def peer(arguments, sigma, rate, steps):
    command = [sys.executable, "-c", PEER, arguments.peer, str(sigma), str(rate), str(steps), str(DELTA)]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=arguments.timeout)
    except subprocess.TimeoutExpired:
        return {"error": f"no answer in {arguments.timeout:g} s"}
    if run.returncode != 0:
        lines = run.stderr.strip().splitlines()
        return {"error": lines[-1] if lines else f"ended with status {run.returncode}"}
    return json.loads(run.stdout)


def ours(arguments, accountant, sigma, rate, steps):
    spec = f"poisson(gaussian(sigma={sigma}), rate={rate})^{steps}"
    command = [arguments.plaudit, "epsilon", spec, "--delta", "1e-6", "--direction", "remove", "--json",
               "--accountant", accountant, "--timeout", str(arguments.timeout)]
    start = time.perf_counter()
    run = subprocess.run(command, capture_output=True, text=True)
    whole = time.perf_counter() - start
    answer = json.loads(run.stdout)
    answer["whole"] = whole
    return answer


def band(answer):
    found = answer["epsilon"] if isinstance(answer.get("epsilon"), dict) else answer
    return float(found["lower"]), float(found["upper"])


def seconds(answer):
    return answer.get("seconds", answer["whole"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("plaudit")
    parser.add_argument("peer")
    parser.add_argument("--timeout", type=float, default=120)
    parser.add_argument("--csv")
    arguments = parser.parse_args()
    rows = []
    for sigma, rate, steps in CONFIGURATIONS:
        print(f"sigma {sigma}, rate {rate}, {steps} steps, epsilon at delta {DELTA:g}", flush=True)
        low, high = band(ours(arguments, "contour", sigma, rate, steps))
        print(f"  certified truth  [{low!r}, {high!r}]")
        row = {"sigma": sigma, "rate": rate, "steps": steps, "truth_lower": low, "truth_upper": high}
        other = peer(arguments, sigma, rate, steps)
        if "error" in other:
            print(f"  peer             {other['error']}")
            row["peer_error"] = other["error"]
        else:
            holds = other["lower"] <= low and high <= other["upper"]
            width = other["upper"] - other["lower"]
            print(f"  peer             [{other['lower']!r}, {other['upper']!r}] width {width:.3g}, "
                  f"{other['seconds']:.3f} s, {'holds' if holds else 'MISSES'} the truth")
            row.update(peer_lower=other["lower"], peer_upper=other["upper"],
                       peer_seconds=other["seconds"], peer_holds=holds)
        for mode in ("auto", "tight", "published"):
            answer = ours(arguments, f"prv(mode={mode}, eps_error=0.01)", sigma, rate, steps)
            lower, upper = band(answer)
            text = f"  prv {mode:<12} [{lower!r}, {upper!r}] width {upper - lower:.3g}, "
            text += f"{seconds(answer):.3f} s in the process, {answer['whole']:.3f} s whole"
            row.update({f"{mode}_lower": lower, f"{mode}_upper": upper,
                        f"{mode}_seconds": seconds(answer)})
            if "error" not in other:
                text += (f"; time / peer {seconds(answer) / other['seconds']:.2f}, "
                         f"width / peer {(upper - lower) / width:.3g}")
            print(text, flush=True)
        rows.append(row)
    if arguments.csv:
        names = list(dict.fromkeys(name for row in rows for name in row))
        with open(arguments.csv, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, names)
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    main()
