#!/usr/bin/env python3
"""How long do calls of the Python module not look at signals?

    interruption_gaps.py [--seconds 20] [--module build/python]

Each call runs in a process of its own for --seconds of processor time at most, while a timer sends a signal every
millisecond of it; the handler notes when it runs. Printed is the longest time between two notes, in seconds of
processor time, so that a busy machine does not count. Exit status 1 where one is above LONGEST.
"""
import argparse
import os
import subprocess
import sys
from pathlib import Path

LONGEST = 0.2  # seconds: docs/python.md, "Interrupting"
CHILD = """
import signal, sys, time, warnings
import plaudit as pl
warnings.simplefilter("ignore")
class Enough(Exception):
    pass
start = last = time.process_time()
longest = 0.0
def note(number, frame):
    global last, longest
    now = time.process_time()
    longest, last = max(longest, now - last), now
    if now - start > float(sys.argv[1]):
        signal.setitimer(signal.ITIMER_PROF, 0)
        raise Enough
HARD = pl.parse("poisson(gaussian(sigma=0.1), rate=0.01)^1000 * poisson(laplace(scale=2), rate=0.01)^1000")
signal.signal(signal.SIGPROF, note)
start = last = time.process_time()
signal.setitimer(signal.ITIMER_PROF, 0.001, 0.001)
try:
    CALL
except Enough:
    pass
signal.setitimer(signal.ITIMER_PROF, 0)
note_at_end = time.process_time()
print(f"{max(longest, note_at_end - last):.3f} {note_at_end - start:.1f}")
"""
LONG = "digits=10000, timeout=None"
CALLS = {
    "sampled Gaussian": f"pl.dpsgd(0.1, sample_rate=0.01, steps=1000).epsilon(1e-5, {LONG})",
    "sampled Gaussian, 12 digits": "pl.dpsgd(1.1, sample_rate=0.01, steps=1000).epsilon(1e-5)",
    "product": f"HARD.epsilon(1e-5, {LONG})",
    "delta": f"HARD.delta(1, {LONG})",
    "curve": f"HARD.curve(deltas=[1e-5, 1e-6], {LONG})",
    "Renyi": "pl.dpsgd(0.5, sample_rate=0.01, steps=1000).renyi('50/7', digits=3000, timeout=None)",
    "best tests": f"HARD.best_tests({LONG}).advantage()",
    "trade-off": f"HARD.tradeoff(0.1, {LONG})",
    "mu": f"HARD.gaussian_mu('1e-3', {LONG})",
    "quantile": "pl.dpsgd(1, sample_rate=0.01, steps=1000).loss(timeout=None).quantile('1/3', digits=5000)",
    "calibrate": "pl.calibrate('poisson(gaussian(sigma=?), 0.01)^1000', epsilon=1, delta=1e-5, digits=3000, timeout=None)",
    "compare": f"pl.compare(HARD, delta=1e-5, {LONG})",
    "fourier": f"pl.dpsgd(0.1, sample_rate=0.01, steps=1000).epsilon(1e-5, accountant='fourier', {LONG})",
    "prv": f"pl.dpsgd(0.5, sample_rate=0.01, steps=1000).epsilon(1e-5, accountant='prv', {LONG})",
    "privacy_buckets": f"pl.parse('random_allocation(gaussian(1), steps=50)^20').epsilon(1e-5, accountant='privacy_buckets', {LONG})",
    "replacement batches": f"pl.parse('with_replacement(gaussian(2), batch=64, population=1000000)^1000').epsilon(1e-5, {LONG})",
    "random allocation": f"pl.parse('random_allocation(gaussian(1), steps=200)^3').epsilon(1e-5, {LONG})",
    "Laplace": f"pl.parse('laplace(10)^3000 * laplace(7)^20').epsilon(1e-9, {LONG})",
    "discrete Gaussians": f"pl.parse('discrete_gaussian(sigma=10)^100 * discrete_gaussian(sigma=7)^100').epsilon(1e-5, {LONG})",
    "stream": f"pl.parse('toeplitz(coefficients=[1, 0.5, 0.375], steps=2000, sigma=3, participations=3, min_separation=100)').epsilon(1e-5, {LONG})",
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--module", default=str(Path(__file__).resolve().parents[1] / "build" / "python"))
    parser.add_argument("names", nargs="*", help="of calls; all unless given")
    options = parser.parse_args()
    worst = 0.0
    for name, call in CALLS.items():
        if options.names and name not in options.names:
            continue
        done = subprocess.run([sys.executable, "-c", CHILD.replace("CALL", call), str(options.seconds)],
                              env={**os.environ, "PYTHONPATH": options.module}, capture_output=True, text=True)
        if done.returncode != 0:
            print(f"{name}: {done.stderr.strip().splitlines()[-1]}")
            return 1
        gap, seconds = (float(word) for word in done.stdout.split())
        worst = max(worst, gap)
        print(f"{name:30} longest gap {gap:.3f} s in {seconds:.1f} s", flush=True)
    print(f"longest of all: {worst:.3f} s")
    return 1 if worst > LONGEST else 0


if __name__ == "__main__":
    sys.exit(main())
