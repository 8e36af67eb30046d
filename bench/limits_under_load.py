#!/usr/bin/env python3
"""Longer limits of time lose nothing: hard questions at rising --timeout, on a machine that is kept busy.

usage: limits_under_load.py PLAUDIT [--limits 2,8,18,25,40] [--busy 2] [--side-by-side 1]

Beside as many processes that never stop as --busy says, each question is asked at each limit. A run fails
where its band is infinite and that of a shorter limit is not, or is more than a thousandth wider than that of a
shorter limit while its digits were not reached. Exit status 1 if one does.
"""
import argparse
import concurrent.futures
import json
import subprocess
import sys
import time
from fractions import Fraction

QUESTIONS = [
    ("epsilon", "poisson(discrete_gaussian(sigma=2),0.05)^100", "--delta", "1e-6", "12"),
    ("epsilon", "poisson(discrete_gaussian(1.5), 0.05)^100 * poisson(laplace(3), 0.05)^20", "--delta", "1e-6", "12"),
    ("epsilon", "poisson(gaussian(sigma=0.65), rate=0.01)^2000", "--delta", "1e-5", "2000"),
    ("epsilon", "poisson(discrete_laplace(scale=2), rate=0.1)^50 * gaussian(3)", "--delta", "1e-7", "30"),
    ("epsilon", "discrete_gaussian(sigma=10)^100 * discrete_gaussian(sigma=7)^100", "--delta", "1e-5", "300"),
    ("epsilon", "poisson(laplace(1), rate=0.01)^1000", "--delta", "1e-8", "15"),
    ("delta", "poisson(gaussian(sigma=0.8), rate=0.004)^1000", "--epsilon", "2", "3000"),
    ("epsilon", "with_replacement(gaussian(4), batch=64, population=6000)^100", "--delta", "1e-5", "12"),
    ("epsilon", "without_replacement(gaussian(sigma=2), batch=20, population=200, adjacency=replace)^10", "--delta",
     "1e-6", "40"),
    ("epsilon", "random_allocation(gaussian(sigma=1), steps=20)^4", "--delta", "1e-6", "12"),
    ("epsilon", "laplace(scale=10)^300", "--delta", "1e-9", "100"),
    ("epsilon", "poisson(gaussian(sigma=0.3), rate=1e-4)^1000 * laplace(4)^10", "--delta", "1e-7", "20"),
]


def width(report):
    """None where it is infinite."""
    if report["upper"] in ("inf", "-inf"):
        return None if report["lower"] != report["upper"] else Fraction(0)
    return Fraction(report["upper"]) - Fraction(report["lower"])


def asked(program, question, limits):
    """(limit, seconds, report) of each, and what was lost."""
    quantity, spec, option, value, digits = question
    runs, lost, best = [], [], None
    for limit in limits:
        start = time.monotonic()
        done = subprocess.run([program, quantity, spec, option, value, "--digits", digits, "--timeout", str(limit), "--json"],
                              capture_output=True, text=True)
        seconds = time.monotonic() - start
        if done.returncode not in (0, 4):
            lost.append(f"{limit} s: status {done.returncode}: {done.stderr.strip()}")
            continue
        report = json.loads(done.stdout)
        found = width(report)
        runs.append((limit, seconds, report, found))
        if best is not None and (found is None or (found > best * Fraction(1001, 1000) and not report["reached"])):
            lost.append(f"{limit} s: {report['lower']} .. {report['upper']} ({report.get('remark')})")
        if found is not None:
            best = found if best is None else min(best, found)
    return question, runs, lost


def main():
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("program")
    reader.add_argument("--limits", default="2,8,18,25,40")
    reader.add_argument("--busy", type=int, default=2)
    reader.add_argument("--side-by-side", type=int, default=1)
    options = reader.parse_args()
    limits = [float(x) for x in options.limits.split(",")]
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(options.busy)]
    count, failed = 0, 0
    try:
        with concurrent.futures.ThreadPoolExecutor(options.side_by_side) as pool:
            for question, runs, lost in pool.map(lambda q: asked(options.program, q, limits), QUESTIONS):
                print(*question)
                for limit, seconds, report, found in runs:
                    size = "infinite" if found is None else f"{float(found):.3g}"
                    print(f"  {limit:g} s: width {size}, {'reached' if report['reached'] else report.get('remark', '')}, "
                          f"by {report['accountant']}, {seconds:.1f} s")
                for each in lost:
                    print("  LOST at", each)
                count += len(limits)
                failed += len(lost)
                sys.stdout.flush()
    finally:
        for each in busy:
            each.kill()
            each.wait()
    print(f"{count} runs, {failed} of them lost what a shorter limit had")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
