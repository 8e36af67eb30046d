#!/usr/bin/env python3
"""The figures of "The Saddle-Point Accountant for Differential Privacy" (slides of October 2022;
arXiv 2208.09595), with every curve put against the certified value.

usage: paper_000.py PLAUDIT OUTPUT_FOLDER

Every number comes from the plaudit program; the published error bound from the method of
saddle_point(mode=published), as a range that holds it.
"""
import csv
import json
import math
import os
import re
import subprocess
import sys

import chart

RATE = 0.01
ESTIMATES = ["saddle_point_msd(order=2)", "saddle_point_msd(order=4)",
             "saddle_point_msd(order=6)", "saddle_point_clt"]
BANDS = ["contour", "saddle_point", "berry_esseen", "moments"]


def ask(quantity, sigma, n, argument, accountant, rate=RATE):
    """(lower, upper, milliseconds) of the remove direction, the one the paper draws."""
    other = "delta" if quantity == "epsilon" else "epsilon"
    run = subprocess.run(
        [sys.argv[1], quantity, f"poisson(gaussian(sigma={sigma}), rate={rate})^{n}",
         f"--{other}", str(argument), "--direction", "remove", "--accountant", accountant,
         "--json"], capture_output=True, text=True, check=False)
    answer = json.loads(run.stdout)
    return float(answer["lower"]), float(answer["upper"]), 1000 * answer["seconds"]


def row_of(quantity, sigma, n, argument):
    row = {}
    for name in BANDS:
        lower, upper, _ = ask(quantity, sigma, n, argument, name)
        row[name + "_lower"], row[name + "_upper"] = lower, upper
    for name in ESTIMATES:
        row[name] = ask(quantity, sigma, n, argument, name)[0]
    return row


def published_bound(sigma, n, eps):
    """The saddle point, and (lower, upper) of the error bound there as on the slides, e^(K - t eps)
    (t / (1 + t))^t P / V^(3/2), and as in the paper, with 1.12 c(t): P is enclosed."""
    run = subprocess.run(
        [sys.argv[1], "delta", f"poisson(gaussian(sigma={sigma}), rate={RATE})^{n}", "--epsilon",
         str(eps), "--direction", "remove", "--accountant", "saddle_point(mode=published)", "--json"],
        capture_output=True, text=True, check=False)
    answer = json.loads(run.stdout)
    found = re.fullmatch(r"order (\S+), distance .*; printed bounds (\S+) to (\S+) \(slides\), (\S+) "
                         r"to (\S+) \(paper\)", answer["method"])
    order, *ends = map(float, found.groups())
    return order, ends[:2], ends[2:], float(answer["lower"]), float(answer["upper"])


def write(name, rows):
    with open(os.path.join(sys.argv[2], name), "w", newline="", encoding="ascii") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print(name, len(rows))


def modes():
    """Both modes of the certified saddle-point band beside moments and the truth, on the eight configurations."""
    rows = []
    for sigma, rate, n in (("0.8", "0.004", 1000), ("0.65", "0.01", 2000), ("1", "0.01", 10000), ("1.5", "0.01", 10000),
                           ("0.5", "0.01", 100000), ("4", "0.00033", 10000), ("1", "0.01", 1000000),
                           ("10", "0.1", 10000000)):
        row = {"sigma": sigma, "rate": rate, "n": n}
        for name in ("contour", "moments", "saddle_point", "saddle_point(mode=edgeworth)"):
            lower, upper, took = ask("epsilon", sigma, n, "1e-5", name, rate)
            name = name.replace("saddle_point(mode=edgeworth)", "edgeworth")
            row |= {name + "_lower": lower, name + "_upper": upper, name + "_milliseconds": f"{took:.3g}"}
        width = {name: row[name + "_upper"] - row[name + "_lower"] for name in ("saddle_point", "edgeworth")}
        rows.append({**row, "times_narrower": f"{width['saddle_point'] / width['edgeworth']:.3g}"})
    write("paper_000_modes.csv", rows)


LABELS = {"contour_upper": "exact (contour)", "saddle_point_upper": "saddle_point, upper",
          "saddle_point_lower": "saddle_point, lower", "moments_upper": "moments, upper",
          "moments_lower": "moments, lower", "saddle_point_msd(order=2)": "MSD, order 2 (estimate)",
          "saddle_point_clt": "CLT at the saddle point (estimate)"}


def draw(name, title, groups, x, x_label, y_label, labels, **axes):
    """`groups`: panel title -> rows."""
    panels = [(group, [(label, [(row[x], row[column]) for row in rows],
                        "5,3" if "estimate" in label else "")
                       for column, label in labels.items()]) for group, rows in groups.items()]
    chart.write(os.path.join(sys.argv[2], name), title, panels, x_label, y_label, **axes)


def main():
    modes()
    rows = [{"n": n, **row_of("epsilon", 0.65, n, "1e-5")}
            for n in (100, 200, 500, 1000, 2000, 5000, 10000, 20000)]
    write("paper_000_epsilon_against_n.csv", rows)
    draw("paper_000_epsilon_against_n.svg", "epsilon at delta = 1e-5, sigma = 0.65, rate 0.01",
         {"": rows}, "n", "compositions n", "epsilon", LABELS, log_x=True, log_y=True,
         limits=(1, 32))
    rows = [{"sigma": sigma, "n": 2000, "delta": delta, **row_of("epsilon", sigma, 2000, delta)}
            for sigma in ("0.65", "1")
            for delta in ("1e-2", "1e-5", "1e-10", "1e-15", "1e-20", "1e-30", "1e-40")]
    write("paper_000_epsilon_against_delta.csv", rows)
    draw("paper_000_epsilon_against_delta.svg", "epsilon at n = 2000, rate 0.01",
         {f"sigma = {sigma}": [row for row in rows if row["sigma"] == sigma]
          for sigma in ("0.65", "1")},
         "delta", "delta", "epsilon", LABELS, log_x=True)

    rows = []
    for sigma, n, eps in (("0.65", 2000, 4), ("0.65", 2000, 8), ("0.65", 2000, 16),
                          ("1", 2000, 1), ("1", 2000, 2), ("1", 2000, 4), ("1", 1000, 1),
                          ("1", 10000, 4), ("2", 10000, 2), ("1", 100000, 15),
                          ("0.65", 20000, 24)):
        row = row_of("delta", sigma, n, eps)
        truth = row["contour_lower"]
        t, slides, paper, lower, upper = published_bound(sigma, n, eps)
        band = row["saddle_point_upper"] - row["saddle_point_lower"]
        rows.append({
            "sigma": sigma, "n": n, "epsilon": eps, "delta": truth, "saddle_point": f"{t:.6g}",
            **{name + "_relative_error": f"{row[name] / truth - 1:.3g}" for name in ESTIMATES},
            "paper_bound_lower_relative": f"{paper[0] / truth:.3g}",
            "paper_bound_upper_relative": f"{paper[1] / truth:.3g}",
            "slides_bound_lower_relative": f"{slides[0] / truth:.3g}",
            "slides_bound_upper_relative": f"{slides[1] / truth:.3g}",
            "published_mode_width_relative": f"{(upper - lower) / truth:.3g}",
            "saddle_point_width_relative": f"{band / truth:.3g}",
            "berry_esseen_width_relative":
                f"{(row['berry_esseen_upper'] - row['berry_esseen_lower']) / truth:.3g}"})
    write("paper_000_error_bounds.csv", rows)
    # the errors that the slides' figure is of, over n: epsilon so that delta stays near 1e-5
    rows = []
    for n in (500, 1000, 2000, 5000, 10000, 20000, 50000, 100000):
        eps = f"{ask('epsilon', 1, n, '1e-5', 'contour')[1]:.4g}"
        truth = ask("delta", 1, n, eps, "contour")[0]
        _, slides, paper, lower, upper = published_bound("1", n, eps)
        clt = ask("delta", 1, n, eps, "saddle_point_clt")[0]
        best = ask("delta", 1, n, eps, "saddle_point")
        rows.append({"sigma": 1, "n": n, "epsilon": eps, "delta": truth,
                     "clt_error": f"{abs(clt - truth):.4g}",
                     "slides_bound_lower": slides[0], "slides_bound_upper": slides[1],
                     "paper_bound_lower": paper[0], "paper_bound_upper": paper[1],
                     "published_mode_width": f"{upper - lower:.4g}",
                     "saddle_point_width": f"{best[1] - best[0]:.4g}"})
    write("paper_000_error_bounds_against_n.csv", rows)
    draw("paper_000_error_bounds.svg", "errors of delta at delta = 1e-5, sigma = 1, rate 0.01",
         {"": rows}, "n", "compositions n", "error of delta",
         {"slides_bound_upper": "bound on the slides", "paper_bound_upper": "bound in the paper",
          "saddle_point_width": "width of saddle_point (certified)",
          "delta": "delta itself", "clt_error": "true error of the estimate"},
         log_x=True, log_y=True)

    rows = []
    for n in (10**k for k in range(3, 13)):
        sigma = f"{math.sqrt(n) / 50:.6g}"  # rate^2 n / sigma^2 = 1/4: delta(2) stays put
        truth = ask("delta", sigma, n, 2, "contour")
        lower, upper, milliseconds = ask("delta", sigma, n, 2, "saddle_point")
        rows.append({"n": n, "sigma": sigma, "epsilon": 2, "delta_lower": truth[0],
                     "delta_upper": truth[1], "saddle_point_lower": lower,
                     "saddle_point_upper": upper,
                     "relative_width": f"{(upper - lower) / truth[0]:.3g}",
                     "milliseconds": f"{milliseconds:.3g}",
                     "contour_milliseconds": f"{truth[2]:.3g}"})
    write("paper_000_large_n.csv", rows)
    draw("paper_000_runtime.svg", "time for one delta (epsilon = 2, sigma = sqrt(n) / 50)",
         {"": rows}, "n", "compositions n", "milliseconds",
         {"milliseconds": "saddle_point", "contour_milliseconds": "contour (12 digits)"},
         log_x=True, log_y=True, limits=(1, 1000))
    draw("paper_000_width.svg", "relative width of the band of saddle_point",
         {"": rows}, "n", "compositions n", "(upper - lower) / delta",
         {"relative_width": "saddle_point"}, log_x=True, log_y=True)


main()
