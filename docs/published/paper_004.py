#!/usr/bin/env python3
"""The figures of paper 004 (Gopi, Lee, Wutschitz, NeurIPS 2021) as tables.

usage: paper_004.py PLAUDIT [DIRECTORY]

Calls the plaudit program PLAUDIT and writes paper_004_figure_*.csv to DIRECTORY (default: beside this
script). What each table holds is in paper_004.md.
"""
import csv
import json
import math
import os
import subprocess
import sys

PLAUDIT = sys.argv[1]
DIRECTORY = sys.argv[2] if len(sys.argv) > 2 else os.path.dirname(os.path.abspath(__file__))


def subsampled(sigma, rate, steps):
    return f"poisson(gaussian(sigma={sigma}), rate={rate})^{steps}"


def ask(quantity, spec, option, argument, accountant):
    """The answer in the remove direction; the published figures are of that one."""
    command = [PLAUDIT, quantity, spec, option, argument, "--direction", "remove", "--json",
               "--accountant", accountant]
    answer = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)
    mark = ", estimate "
    method = answer["method"]
    answer["estimate"] = method.split(mark)[1].split(",")[0].split(";")[0] if mark in method else ""
    return answer


def triple(answer):
    return [answer["lower"], answer["estimate"], answer["upper"]]


def write(name, head, rows):
    path = os.path.join(DIRECTORY, f"paper_004_figure_{name}.csv")
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(head)
        writer.writerows(rows)
    print(path, flush=True)


def figure_1():
    """sigma 0.8, rate 1e-3, delta 1e-7 over the steps: mesh 4e-5 (a); eps_error 0.1 (b)."""
    mesh_rows = []
    rows = []
    for steps in (100, 200, 500, 1000, 2000, 5000, 10000):
        spec = subsampled("0.8", "0.001", steps)
        one = lambda accountant: ask("epsilon", spec, "--delta", "1e-7", accountant)
        truth = one("contour")
        truth = [truth["lower"], truth["upper"]]
        error = 4e-5 * math.sqrt(steps / 2 * math.log(12 / 1e-10))
        same = one(f"prv(mode=published, eps_error={error:.10f}, delta_error=1e-10)")
        tight = one(f"prv(mode=tight, eps_error={error:.10f}, delta_error=1e-10)")
        mesh_rows.append([steps, f"{error:.6f}", *triple(same), tight["lower"], tight["upper"], *truth])
        stated = one("prv(mode=published, eps_error=0.1, delta_error=1e-10)")
        limit = one("gaussian_limit")
        rows.append([steps, *triple(stated), one("moments")["upper"], limit["upper"], *truth])
    write("1a", ["steps", "eps_error", "published_lower", "published_estimate", "published_upper",
                 "tight_lower", "tight_upper", "truth_lower", "truth_upper"], mesh_rows)
    write("1b", ["steps", "prv_lower", "prv_estimate", "prv_upper", "renyi_upper",
                 "gaussian_limit_estimate", "truth_lower", "truth_upper"], rows)


def figure_2():
    """No sampling, sigma 50, 1000 steps (mu = 0.632): delta over epsilon against the closed form."""
    rows = []
    for tenth in range(0, 31, 3):
        epsilon = f"{tenth / 10:.1f}"
        one = lambda accountant: ask("delta", "gaussian(sigma=50)^1000", "--epsilon", epsilon, accountant)
        exact = one("closed_form")
        stated = one("prv(mode=published, eps_error=0.1, delta_error=1e-10)")
        rows.append([epsilon, *triple(stated), exact["lower"], exact["upper"]])
    write("2", ["epsilon", "prv_lower", "prv_estimate", "prv_upper", "truth_lower", "truth_upper"], rows)


def figure_3():
    """sigma 0.8, rate 4e-3, epsilon 1.5: delta over the number of cells (a), seconds over steps (b)."""
    spec = subsampled("0.8", "0.004", 1000)
    truth = ask("delta", spec, "--epsilon", "1.5", "contour")
    rows = []
    for error in ("0.4", "0.2", "0.1", "0.05", "0.02", "0.01"):
        row = [error]
        for mode in ("published", "tight"):
            found = ask("delta", spec, "--epsilon", "1.5",
                        f"prv(mode={mode}, eps_error={error}, delta_error=1e-10)")
            cells = found["method"].split(" cells")[0].split(" ")[-1]
            row += [cells, *triple(found)]
        rows.append([*row, truth["lower"], truth["upper"]])
    write("3a", ["eps_error", "published_cells", "published_lower", "published_estimate",
                 "published_upper", "tight_cells", "tight_lower", "tight_estimate", "tight_upper",
                 "truth_lower", "truth_upper"], rows)
    rows = []
    for steps in (250, 500, 1000, 2000, 4000, 8000):
        spec = subsampled("0.8", "0.004", steps)
        row = [steps]
        for accountant in ("prv(mode=published, eps_error=0.1)", "prv(mode=tight, eps_error=0.1)",
                           "contour"):
            found = ask("epsilon", spec, "--delta", "1e-7", accountant)
            row += [found["lower"], found["upper"], f"{float(found['seconds']):.4f}"]
        rows.append(row)
    write("3b", ["steps", "published_lower", "published_upper", "published_seconds", "tight_lower",
                 "tight_upper", "tight_seconds", "truth_lower", "truth_upper", "truth_seconds"], rows)


if __name__ == "__main__":
    figure_1()
    figure_2()
    figure_3()
