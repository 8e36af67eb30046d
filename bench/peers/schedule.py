#!/usr/bin/env python3
"""A run with a schedule of noise multipliers and sampling probabilities, here and in dp_accounting.

usage: schedule.py PLAUDIT DP_ACCOUNTING [FACTORS]

PLAUDIT: the program; DP_ACCOUNTING: the folder that holds the package dp_accounting (its public source;
needs numpy, scipy, absl, attrs). Prints one JSON object: both epsilons at delta = 1e-6, both times and the ratio of processor times.
"""
import json
import resource
import subprocess
import sys
import time


def schedule(factors):
    for i in range(factors):
        yield f"{0.8 + 1.2 * i / factors:.4f}", f"{0.004 + 0.006 * (1 - i / factors):.6f}"


def main():
    program, folder = sys.argv[1:3]
    factors = int(sys.argv[3]) if len(sys.argv) > 3 else 1000
    steps = 100
    spec = " * ".join(f"poisson(gaussian(sigma={s}), rate={q})^{steps}" for s, q in schedule(factors))
    start = time.time()
    ours = json.loads(subprocess.run(
        [program, "epsilon", "-", "--delta", "1e-6", "--digits", "10", "--json"],
        input=spec, text=True, capture_output=True).stdout)
    result = {
        "factors": factors, "steps": factors * steps, "delta": "1e-6",
        "plaudit": {"lower": ours["lower"], "upper": ours["upper"], "reached": ours["reached"],
                    "seconds": round(ours["seconds"], 3), "seconds_with_start": round(time.time() - start, 3)},
    }
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    result["plaudit"]["processor_seconds"] = round(used.ru_utime + used.ru_stime, 3)
    sys.path.insert(0, folder)
    from dp_accounting import dp_event
    from dp_accounting.pld import pld_privacy_accountant
    start, processor = time.time(), time.process_time()
    accountant = pld_privacy_accountant.PLDAccountant()
    for s, q in schedule(factors):
        accountant.compose(dp_event.PoissonSampledDpEvent(float(q), dp_event.GaussianDpEvent(float(s))), steps)
    epsilon = accountant.get_epsilon(1e-6)
    result["dp_accounting"] = {"epsilon": epsilon, "seconds": round(time.time() - start, 3),
                               "processor_seconds": round(time.process_time() - processor, 3)}
    result["ratio"] = round(result["dp_accounting"]["processor_seconds"] / result["plaudit"]["processor_seconds"], 1)
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
