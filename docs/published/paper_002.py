#!/usr/bin/env python3
"""Figure 2 of Abadi et al., "Deep learning with differential privacy" (arXiv 1607.00133), as shown in
the lecture, and the constant of its main theorem, with certified values.

usage: paper_002.py PLAUDIT OUTPUT_FOLDER

Every epsilon comes from the plaudit program. The least sigma for a target is found by bisection
over certified answers: at the upper end epsilon is at most the target, at the lower end it is not.
"""
import csv
import json
import math
import os
import subprocess
import sys
from decimal import Decimal

import chart

RATE, SIGMA, DELTA = "0.01", "4", "1e-5"
CURVES = [("strong_composition_plotted", "advanced_composition(step=linear, bound=square)"),
          ("strong_composition_textbook", "advanced_composition(step=amplified, bound=published)"),
          ("strong_composition_certified", "advanced_composition(bound=published)"),
          ("optimal_composition", "optimal_composition"),
          ("moments_accountant", "moments_integer")]


def ask(sigma, steps, accountant, digits=9):
    run = subprocess.run(
        [sys.argv[1], "epsilon", f"poisson(gaussian(sigma={sigma}), rate={RATE})^{steps}",
         "--delta", DELTA, "--accountant", accountant, "--digits", str(digits), "--json"],
        capture_output=True, text=True, check=False)
    assert run.stdout, run.stderr
    answer = json.loads(run.stdout)
    assert answer["certified"] == (accountant != CURVES[0][1]), accountant
    return Decimal(answer["lower"]), Decimal(answer["upper"])


def least_sigma(steps, target, accountant):
    """The two ends, 1e-4 of them apart; None where no sigma up to 1000 will do."""
    low, high = Decimal("0.3"), Decimal("1")
    while ask(high, steps, accountant)[1] > target:
        low, high = high, 2 * high
        if high > 1000:
            return None
    while high - low > Decimal("1e-4") * high:
        middle = ((low + high) / 2).quantize(Decimal("1e-5"))
        if ask(middle, steps, accountant)[1] <= target:
            high = middle
        else:
            low = middle
    if accountant == "contour":  # a statement on the mechanism, not on a bound
        assert ask(low, steps, accountant)[0] > target
    return low, high


def write(name, rows):
    with open(os.path.join(sys.argv[2], name), "w", newline="", encoding="ascii") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print(name, len(rows))


def figure_2():
    rows = []
    for epochs in (1, 2, 5, *range(10, 110, 10), *range(120, 420, 20)):
        row = {"epochs": epochs, "steps": 100 * epochs}
        row["epsilon_lower"], row["epsilon_upper"] = ask(SIGMA, 100 * epochs, "contour")
        for name, accountant in CURVES:
            row[name] = ask(SIGMA, 100 * epochs, accountant)[1]
        rows.append(row)
    write("paper_002_figure_2.csv", rows)
    labels = {"strong_composition_plotted": "strong composition, as plotted (no proof)",
              "strong_composition_certified": "strong composition, certified",
              "optimal_composition": "optimal composition of one point",
              "moments_accountant": "moments accountant", "epsilon_upper": "exact"}
    series = [(label, [(row["epochs"], row[name]) for row in rows],
               "5,3" if name == "strong_composition_plotted" else "")
              for name, label in labels.items()]
    printed = [row for row in rows if row["epochs"] in (100, 400)]
    print([(row["epochs"], row["strong_composition_plotted"], row["moments_accountant"])
           for row in printed])
    chart.write(os.path.join(sys.argv[2], "paper_002_figure_2.svg"),
                "epsilon against epochs, q = 0.01, sigma = 4, delta = 1e-5",
                [("as in the figure", [series[0], *series[3:]]), ("with what is proven", series)],
                "epoch", "epsilon")


def main_theorem():
    rows = []
    for steps in (1000, 10000, 100000):
        for target in ("0.25", "0.5", "1", "1.26", "2", "4"):
            scale = float(RATE) * math.sqrt(steps * math.log(1 / float(DELTA)))
            row = {"steps": steps, "epsilon": target}
            for name, accountant in (("exact", "contour"), ("moments_accountant", "moments_integer")):
                low, high = least_sigma(steps, Decimal(target), accountant) or ("", "")
                row[name + "_sigma_lower"], row[name + "_sigma_upper"] = low, high
                row[name + "_c2"] = high and f"{float(high) * float(target) / scale:.4g}"
            rows.append(row)
    write("paper_002_main_theorem.csv", rows)
    chart.write(os.path.join(sys.argv[2], "paper_002_main_theorem.svg"),
                "c_2 = sigma epsilon / (q sqrt(T log(1/delta))) at the least sigma, q = 0.01, "
                "delta = 1e-5",
                [(f"T = {steps}", [(label, [(row["epsilon"], row[name]) for row in rows
                                            if row["steps"] == steps and row[name]])
                                   for label, name in (("exact", "exact_c2"), (
                                       "moments accountant", "moments_accountant_c2"))])
                 for steps in (1000, 10000, 100000)], "target epsilon", "c_2", log_x=True)


def standard_composition():
    """The constant of sigma = Omega(q sqrt(T log(1/delta) log(T/delta)) / epsilon), "with the standard composition"."""
    rows = []
    for steps in (1000, 10000, 100000):
        logs = math.log(1 / float(DELTA)) * math.log(steps / float(DELTA))
        for target in ("0.25", "1", "4"):
            scale = float(RATE) * math.sqrt(steps * logs) / float(target)
            row = {"steps": steps, "epsilon": target, "formula": f"{scale:.4g}"}
            for name, accountant in (("exact", "contour"), ("plotted", CURVES[0][1]), ("certified", CURVES[1][1])):
                high = least_sigma(steps, Decimal(target), accountant)[1]
                row[name + "_sigma"], row[name + "_constant"] = high, f"{float(high) / scale:.4g}"
            rows.append(row)
    write("paper_002_standard_composition.csv", rows)


if __name__ == "__main__":
    figure_2()
    main_theorem()
    standard_composition()
