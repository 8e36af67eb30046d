#!/usr/bin/env python3
"""The figures of "The Saddle-Point Accountant for Differential Privacy" (slides of October 2022;
arXiv 2208.09595), with every curve put against the certified value.

usage: paper_000.py PLAUDIT OUTPUT_FOLDER

Everything but the column of the published error bound comes from the plaudit program. That bound
is evaluated as its authors do, in floating point: moments by a plain sum, at the saddle point.
"""
import csv
import json
import math
import os
import subprocess
import sys

RATE = 0.01
ESTIMATES = ["saddle_point_msd(order=2)", "saddle_point_msd(order=4)",
             "saddle_point_msd(order=6)", "saddle_point_clt"]
BANDS = ["contour", "saddle_point", "berry_esseen", "moments"]


def ask(quantity, sigma, n, argument, accountant):
    """(lower, upper, milliseconds) of the remove direction, the one the paper draws."""
    other = "delta" if quantity == "epsilon" else "epsilon"
    run = subprocess.run(
        [sys.argv[1], quantity, f"poisson(gaussian(sigma={sigma}), rate={RATE})^{n}",
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
    """(t, 1.12 c(t) e^{K - t eps} n P / V^{3/2}, the slide's (t/(1+t))^t in place of 1.12 c(t)),
    not certified."""
    step = 1 / 64
    points = [j * step for j in range(-20 * 64, 40 * 64)]
    loss = [math.log1p(RATE * math.expm1(y / sigma - 0.5 / sigma**2)) for y in points]

    def moments(t):
        logs = [(1 + t) * l - y * y / 2 for l, y in zip(loss, points)]
        top = max(logs)
        w = [math.exp(x - top) for x in logs]
        total = sum(w)
        k = top + math.log(total * step / math.sqrt(2 * math.pi))
        mean = sum(a * l for a, l in zip(w, loss)) / total
        var = sum(a * (l - mean)**2 for a, l in zip(w, loss)) / total
        third = sum(a * abs(l - mean)**3 for a, l in zip(w, loss)) / total
        return n * k, n * mean, n * var, n * third

    low, high = 1e-4, 1e4
    for _ in range(60):
        t = math.sqrt(low * high)
        if moments(t)[1] - 1 / t - 1 / (1 + t) > eps:
            high = t
        else:
            low = t
    k, _, var, third = moments(t)
    scale = math.exp(k - t * eps) * third / var**1.5
    chernoff = math.exp(t * math.log(t) - (1 + t) * math.log1p(t))
    return t, 1.12 * chernoff * scale, (t / (1 + t))**t * scale


def write(name, rows):
    with open(os.path.join(sys.argv[2], name), "w", newline="", encoding="ascii") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print(name, len(rows))


def main():
    write("paper_000_epsilon_against_n.csv",
          [{"n": n, **row_of("epsilon", 0.65, n, "1e-5")}
           for n in (100, 200, 500, 1000, 2000, 5000, 10000, 20000)])
    write("paper_000_epsilon_against_delta.csv",
          [{"sigma": sigma, "n": 2000, "delta": delta, **row_of("epsilon", sigma, 2000, delta)}
           for sigma in ("0.65", "1")
           for delta in ("1e-2", "1e-5", "1e-10", "1e-15", "1e-20", "1e-30", "1e-40")])

    rows = []
    for sigma, n, eps in (("0.65", 2000, 4), ("0.65", 2000, 8), ("0.65", 2000, 16),
                          ("1", 2000, 1), ("1", 2000, 2), ("1", 2000, 4), ("1", 1000, 1),
                          ("1", 10000, 4), ("2", 10000, 2), ("1", 100000, 15),
                          ("0.65", 20000, 24)):
        row = row_of("delta", sigma, n, eps)
        truth = row["contour_lower"]
        t, bound, slide = published_bound(float(sigma), n, eps)
        band = row["saddle_point_upper"] - row["saddle_point_lower"]
        rows.append({
            "sigma": sigma, "n": n, "epsilon": eps, "delta": truth, "saddle_point": f"{t:.6g}",
            **{name + "_relative_error": f"{row[name] / truth - 1:.3g}" for name in ESTIMATES},
            "published_bound_relative": f"{bound / truth:.3g}",
            "slide_bound_relative": f"{slide / truth:.3g}",
            "saddle_point_width_relative": f"{band / truth:.3g}",
            "berry_esseen_width_relative":
                f"{(row['berry_esseen_upper'] - row['berry_esseen_lower']) / truth:.3g}"})
    write("paper_000_error_bounds.csv", rows)

    rows = []
    for n in (10**k for k in range(3, 13)):
        sigma = f"{math.sqrt(n) / 50:.6g}"  # rate^2 n / sigma^2 = 1/4: delta(2) stays put
        truth = ask("delta", sigma, n, 2, "contour")
        lower, upper, milliseconds = ask("delta", sigma, n, 2, "saddle_point")
        rows.append({"n": n, "sigma": sigma, "epsilon": 2, "delta_lower": truth[0],
                     "delta_upper": truth[1], "saddle_point_lower": lower,
                     "saddle_point_upper": upper,
                     "relative_width": f"{(upper - lower) / truth[0]:.3g}",
                     "milliseconds": f"{milliseconds:.3g}"})
    write("paper_000_large_n.csv", rows)


main()
