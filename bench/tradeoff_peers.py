#!/usr/bin/env python3
"""Trade-off functions by riskcal and mu by gdpnum on random DP-SGD runs, judged by certified bands.

usage: tradeoff_peers.py PLAUDIT [--count N] [--seed S]

PLAUDIT: the program. Needs riskcal and gdpnum (1.5.1 and 0.1.2 were used for docs/meaning.md;
about a minute for each setting). Each peer is asked as its own documentation does, with its own defaults. riskcal's
beta is a lower bound of the false negative rate, symmetrised, so that it is at most the smaller of the
two directions: above the upper end of a certified band it is refuted. gdpnum's mu is for rates and
false negative rates above 1e-10: below the lower end of the band for rates in [1e-9, 1 - 1e-9], where
all false negative rates there are above 1e-10, it is refuted.
"""
import argparse
import json
import math
import random
import statistics
import subprocess
import sys
import time

RATES = ["1e-6", "1e-4", "1e-3", "1e-2"]
LEAST_RATE = "1e-9"
LEAST_OF_GDPNUM = 1e-10


def ask(program, *arguments):
    done = subprocess.run([program, *arguments, "--json"], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 4):
        sys.exit(f"{arguments}: {done.stderr}")
    return json.loads(done.stdout)


def settings(count, seed):
    draws = random.Random(seed)

    def log_uniform(least, most):
        return math.exp(draws.uniform(math.log(least), math.log(most)))

    for _ in range(count):
        yield (float(f"{log_uniform(0.6, 5):.3g}"), float(f"{log_uniform(1e-4, 0.05):.3g}"),
               round(log_uniform(10, 10_000)))


def peers(sigma, rate, steps):
    """riskcal's betas, its seconds, gdpnum's mu, its seconds."""
    from gdpnum.dpsgd import get_mu_and_regret_for_dpsgd
    from riskcal.accountants.ctd import CTDAccountant

    start = time.monotonic()
    accountant = CTDAccountant()
    accountant.history = [(sigma, rate, steps)]
    betas = [float(accountant.get_beta(alpha=float(alpha))) for alpha in RATES]
    middle = time.monotonic()
    mu, _ = get_mu_and_regret_for_dpsgd(noise_multiplier=sigma, sample_rate=rate, num_steps=steps)
    return betas, middle - start, float(mu), time.monotonic() - middle


class Verdicts:
    def __init__(self, name):
        self.name, self.total, self.refuted, self.by, self.loose, self.open = name, 0, 0, [], [], 0

    def row(self):
        by = f"{max(self.by):.2g}" if self.by else "-"
        loose = f"{statistics.median(self.loose):.2g}, {max(self.loose):.2g}" if self.loose else "-"
        return f"| {self.name} | {self.total} | {self.refuted} | {by} | {loose} | {self.open} |"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rates = {alpha: Verdicts(f"riskcal, beta at {alpha}") for alpha in RATES}
    mus = Verdicts("gdpnum, mu")
    seconds = {"riskcal": [], "gdpnum": [], "tradeoff": [], "mu": []}
    for sigma, rate, steps in settings(options.count, options.seed):
        spec = f"poisson(gaussian(sigma={sigma!r}), rate={rate!r})^{steps}"
        try:
            betas, of_riskcal, mu, of_gdpnum = peers(sigma, rate, steps)
        except Exception as error:  # what a peer refuses, it refuses
            print(f"{spec}: {type(error).__name__}: {error}", file=sys.stderr)
            continue
        curve = ask(options.program, "tradeoff", spec, "--fpr", ",".join(RATES))
        seconds["riskcal"].append(of_riskcal)
        seconds["gdpnum"].append(of_gdpnum)
        seconds["tradeoff"].append(curve["seconds"])
        for alpha, beta, point in zip(RATES, betas, curve["points"]):
            verdicts = rates[alpha]
            verdicts.total += 1
            lower, upper = float(point["lower"]), float(point["upper"])
            # Relative to the power beyond chance: what the attacker gains by the test.
            power = max(1 - upper - float(alpha), 1e-300)
            if beta > math.nextafter(upper, 2):
                verdicts.refuted += 1
                verdicts.by.append((beta - upper) / power)
            elif beta <= lower:
                verdicts.loose.append((lower - beta) / power)
            else:
                verdicts.open += 1
        print(f"{spec}: riskcal {betas}, gdpnum {mu}", file=sys.stderr, flush=True)
        start = time.monotonic()
        band = ask(options.program, "mu", spec, "--least-fpr", LEAST_RATE)["bands"][1]
        end = ask(options.program, "tradeoff", spec, "--fpr", f"{1 - float(LEAST_RATE)!r}")["points"][0]
        seconds["mu"].append(time.monotonic() - start)
        mus.total += 1
        lower, upper = float(band["lower"]), float(band["upper"])
        if mu < math.nextafter(lower, 0) and float(end["lower"]) > LEAST_OF_GDPNUM:
            mus.refuted += 1
            mus.by.append((lower - mu) / lower)
        elif mu >= upper:
            mus.loose.append((mu - upper) / upper)
        else:
            mus.open += 1
    print(f"seed {options.seed}, {options.count} settings\n")
    print("| number | asked | refuted | greatest relative error of these | looseness of the others: "
          "median, greatest | undecided |\n|---|---|---|---|---|---|")
    for verdicts in [*rates.values(), mus]:
        print(verdicts.row())
    print()
    for name, values in seconds.items():
        if values:
            print(f"{name}: median {statistics.median(values):.2g} s, greatest {max(values):.2g} s")


if __name__ == "__main__":
    main()
