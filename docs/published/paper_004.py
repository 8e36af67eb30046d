#!/usr/bin/env python3
"""The figures of paper 004 (Gopi, Lee, Wutschitz, NeurIPS 2021): tables (CSV) and pictures (SVG).

usage: paper_004.py PLAUDIT [DIRECTORY] [--draw]

Calls the plaudit program PLAUDIT and writes paper_004_figure_*.csv and .svg to DIRECTORY (default:
beside this script); with --draw it only draws the tables that are there. What each table holds is in
paper_004.md. It takes some five minutes, most of it for the buckets at the finest mesh.
"""
import csv
import json
import math
import os
import re
import subprocess
import sys

DRAW_ONLY = "--draw" in sys.argv
ARGUMENTS = [each for each in sys.argv[1:] if each != "--draw"]
PLAUDIT = ARGUMENTS[0]
DIRECTORY = ARGUMENTS[1] if len(ARGUMENTS) > 1 else os.path.dirname(os.path.abspath(__file__))
ALGORITHM = re.compile(r" lower (\S+), middle (\S+), upper (\S+) \(mesh \S+, window \S+, (\d+) points")


def subsampled(sigma, rate, steps):
    return f"poisson(gaussian(sigma={sigma}), rate={rate})^{steps}"


def ask(quantity, spec, option, argument, accountant, digits="12"):
    """The answer in the remove direction; the published figures are of that one."""
    command = [PLAUDIT, quantity, spec, option, argument, "--direction", "remove", "--digits", digits, "--json",
               "--timeout", "200", "--accountant", accountant]
    return json.loads(subprocess.run(command, capture_output=True, text=True).stdout)


def band(answer):
    return [answer["lower"], answer["upper"]]


def algorithm(answer):
    """Lower, estimate, upper and the number of points that Algorithm 1 gives."""
    return list(ALGORITHM.search(answer["method"]).groups())


def path_of(name, kind):
    return os.path.join(DIRECTORY, f"paper_004_figure_{name}.{kind}")


def write(name, head, rows):
    with open(path_of(name, "csv"), "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(head)
        writer.writerows(rows)
    print(path_of(name, "csv"), flush=True)


def buckets_of_mesh(spec, quantity, option, argument, mesh):
    """The number of buckets that makes their mesh this one: the window does not depend on it."""
    method = ask(quantity, spec, option, argument, "privacy_buckets(buckets=100, correction=off)")["method"]
    return round(100 * float(re.search(r"mesh (\S+),", method).group(1)) / mesh)


def figure_1():
    """sigma 0.8, rate 1e-3, delta 1e-7 over the steps: mesh 4e-5 (a); eps_error 0.1 (b)."""
    mesh_rows = []
    rows = []
    for steps in (100, 200, 500, 1000, 2000, 5000, 10000):
        spec = subsampled("0.8", "0.001", steps)
        one = lambda accountant: ask("epsilon", spec, "--delta", "1e-7", accountant)
        truth = band(one("contour"))
        error = 4e-5 * math.sqrt(steps / 2 * math.log(12 / 1e-10))
        same = one(f"prv(mode=algorithm, eps_error={error:.10f}, delta_error=1e-10)")
        tight = one(f"prv(mode=tight, eps_error={error:.10f}, delta_error=1e-10)")
        buckets = buckets_of_mesh(spec, "epsilon", "--delta", "1e-7", 4e-5)
        mesh_rows.append([steps, f"{error:.6f}", *algorithm(same)[:3], *band(same), *band(tight),
                          *band(one(f"privacy_buckets(buckets={buckets}, correction=off)")),
                          *band(one("fourier(mode=grid, mesh=0.00004)")), *truth])
        stated = one("prv(mode=algorithm, eps_error=0.1, delta_error=1e-10)")
        limit = one("gaussian_limit")
        rows.append([steps, *algorithm(stated)[:3], *band(stated), one("moments")["upper"],
                     limit["upper"], *truth])
    write("1a", ["steps", "eps_error", "prv_lower", "prv_estimate", "prv_upper", "published_lower",
                 "published_upper", "tight_lower", "tight_upper", "rounding_lower", "rounding_upper",
                 "fourier_lower", "fourier_upper", "truth_lower", "truth_upper"], mesh_rows)
    write("1b", ["steps", "prv_lower", "prv_estimate", "prv_upper", "published_lower",
                 "published_upper", "renyi_upper", "gaussian_limit_estimate", "truth_lower",
                 "truth_upper"], rows)


def figure_2():
    """No sampling, sigma 50, 1000 steps (mu = 0.632): delta over epsilon against the closed form."""
    rows = []
    for tenth in range(0, 31, 3):
        epsilon = f"{tenth / 10:.1f}"
        one = lambda accountant: ask("delta", "gaussian(sigma=50)^1000", "--epsilon", epsilon, accountant)
        stated = one("prv(mode=algorithm, eps_error=0.1, delta_error=1e-10)")
        rows.append([epsilon, *algorithm(stated)[:3], *band(stated), *band(one("closed_form"))])
    write("2", ["epsilon", "prv_lower", "prv_estimate", "prv_upper", "published_lower",
                "published_upper", "truth_lower", "truth_upper"], rows)


def figure_3a():
    """sigma 0.8, rate 4e-3, epsilon 1.5, 1000 steps: delta over the number of points."""
    spec = subsampled("0.8", "0.004", 1000)
    one = lambda accountant: ask("delta", spec, "--epsilon", "1.5", accountant, "3")
    truth = ask("delta", spec, "--epsilon", "1.5", "contour")
    method = one("fourier(mode=grid, mesh=0.001)")["method"]
    window = 0.001 * float(re.search(r" (\S+) cells", method).group(1))
    rows = []
    for error in ("0.4", "0.2", "0.1", "0.05", "0.02", "0.01"):
        found = one(f"prv(mode=algorithm, eps_error={error}, delta_error=1e-10)")
        lower, estimate, upper, points = algorithm(found)
        tight = one(f"prv(mode=tight, eps_error={error}, delta_error=1e-10)")
        grid = one(f"fourier(mode=grid, mesh={window / int(points):.10f})")
        rows.append([error, points, lower, estimate, upper, *band(found), *band(tight),
                     *band(one(f"privacy_buckets(buckets={points}, correction=off)")), *band(grid), *band(truth)])
    write("3a", ["eps_error", "points", "prv_lower", "prv_estimate", "prv_upper", "published_lower",
                 "published_upper", "tight_lower", "tight_upper", "rounding_lower", "rounding_upper",
                 "fourier_lower", "fourier_upper", "truth_lower", "truth_upper"], rows)


def figure_3b():
    """sigma 0.8, rate 4e-3, delta 1e-7: seconds over steps, where the bounds are 0.2 apart."""
    rows = []
    for steps in (250, 500, 1000, 2000, 4000, 8000):
        spec = subsampled("0.8", "0.004", steps)
        one = lambda accountant: ask("epsilon", spec, "--delta", "1e-7", accountant)
        row = [steps]
        for accountant in ("prv(mode=algorithm, eps_error=0.1)", "prv(mode=tight, eps_error=0.1)",
                           "contour"):
            found = one(accountant)
            row += [*band(found), f"{float(found['seconds']):.4f}"]
        # The bounds of losses rounded up and down are steps times the mesh apart.
        buckets = buckets_of_mesh(spec, "epsilon", "--delta", "1e-7", 0.2 / steps)
        if steps <= 2000:
            found = one(f"privacy_buckets(buckets={buckets}, correction=off)")
            seconds = float(found["seconds"])
            row += [*band(found), f"{seconds:.4f}", f"{seconds / float(row[3]):.1f}"]
        else:
            row += ["", "", "", ""]
        rows.append(row)
    write("3b", ["steps", "prv_lower", "prv_upper", "prv_seconds", "tight_lower", "tight_upper",
                 "tight_seconds", "truth_lower", "truth_upper", "truth_seconds", "rounding_lower",
                 "rounding_upper", "rounding_seconds", "speed_up"], rows)


def million():
    """Theorem 5.5 at eps_error 0.1 and delta_error delta / 1000, up to a million steps."""
    rows = []
    for sigma, rate, delta in (("1", "0.001", "1e-7"), ("0.8", "0.004", "1e-7"), ("2", "0.01", "1e-5")):
        for steps in (1000, 10000, 100000, 1000000):
            row = [sigma, rate, delta, steps]
            for accountant in ("prv(mode=published, eps_error=0.1)", "prv(mode=tight, eps_error=0.1)", "contour"):
                found = ask("epsilon", subsampled(sigma, rate, steps), "--delta", delta, accountant)
                row += [*band(found), f"{float(found['seconds']):.4f}"]
            rows.append(row)
    write("million", ["sigma", "rate", "delta", "steps", "published_lower", "published_upper",
                      "published_seconds", "tight_lower", "tight_upper", "tight_seconds", "truth_lower",
                      "truth_upper", "truth_seconds"], rows)


# ---- pictures

WIDTH, HEIGHT, LEFT, TOP = 520, 320, 70, 40
GREEN, RED, BLUE, GREY, ORANGE = "#0b6e4f", "#b23a48", "#2b59c3", "#555555", "#c77d0a"


def ticks(low, high, log):
    if not log:
        step = 10 ** math.floor(math.log10(high - low))
        step = next(step * part for part in (0.1, 0.2, 0.5, 1) if (high - low) / (step * part) <= 8)
        return [step * k for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    digits = (1, 2, 5) if math.log10(high / low) < 3 else (1,)
    values = [digit * 10.0**power for power in powers for digit in digits]
    values = [each for each in values if low * 0.999 <= each <= high * 1.001]
    return values[::max(1, math.ceil(len(values) / 9))]


class Axis:
    def __init__(self, low, high, log, start, end):
        self.low, self.high, self.log, self.start, self.end = low, high, log, start, end

    def __call__(self, value):
        scale = math.log if self.log else float
        value = min(max(value, self.low), self.high)  # what is outside is drawn on the frame
        part = (scale(value) - scale(self.low)) / (scale(self.high) - scale(self.low))
        return self.start + part * (self.end - self.start)


def frame(x, y, names):
    parts = [f'<rect x="{LEFT}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#999"/>']
    for value in ticks(x.low, x.high, x.log):
        parts.append(f'<text x="{x(value):.1f}" y="{TOP + HEIGHT + 16}" text-anchor="middle">{value:.6g}</text>')
    for value in ticks(y.low, y.high, y.log):
        parts.append(f'<line x1="{LEFT}" x2="{LEFT + WIDTH}" y1="{y(value):.1f}" y2="{y(value):.1f}" '
                     f'stroke="#eee"/><text x="{LEFT - 5}" y="{y(value) + 4:.1f}" text-anchor="end">'
                     f'{value:.6g}</text>')
    parts.append(f'<text x="{LEFT + WIDTH / 2}" y="{TOP + HEIGHT + 34}" text-anchor="middle">{names[0]}'
                 f'</text><text transform="translate(16 {TOP + HEIGHT / 2}) rotate(-90)" '
                 f'text-anchor="middle">{names[1]}</text>')
    return parts


def right_axis(y, name):
    parts = [f'<text x="{LEFT + WIDTH + 5}" y="{y(value) + 4:.1f}">{value:.6g}</text>'
             for value in ticks(y.low, y.high, y.log)]
    parts.append(f'<text transform="translate({LEFT + WIDTH + 48} {TOP + HEIGHT / 2}) rotate(90)" '
                 f'text-anchor="middle">{name}</text>')
    return parts


def draw(name, title, x_column, x_log, y_range, y_log, names, series, second=None):
    """series: (columns, colour, dash, label); second: the same for an axis on the right, its range
    and its name."""
    with open(path_of(name, "csv"), encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    places = [float(row[x_column]) for row in rows]
    x = Axis(min(places), max(places), x_log, LEFT, LEFT + WIDTH)
    y = Axis(*y_range, y_log, TOP + HEIGHT, TOP)
    legend = [entry[1:] for entry in series]
    parts = frame(x, y, names)
    drawn = [(entry, y) for entry in series]
    if second:
        entry, limits, label = second
        right = Axis(*limits, True, TOP + HEIGHT, TOP)
        parts += right_axis(right, label)
        drawn.append((entry, right))
        legend.append(entry[1:])
    for (columns, colour, dash, _), axis in drawn:
        for column in columns:
            points = " ".join(f"{x(float(row[x_column])):.1f},{axis(float(row[column])):.1f}"
                              for row in rows if row[column] not in ("", "inf"))
            parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.6" '
                         f'stroke-dasharray="{dash}"/>')
    for i, (colour, dash, label) in enumerate(legend):
        left, top = LEFT + 290 * (i % 2), TOP + HEIGHT + 58 + 18 * (i // 2)
        parts.append(f'<line x1="{left}" x2="{left + 28}" y1="{top}" y2="{top}" stroke="{colour}" '
                     f'stroke-width="1.6" stroke-dasharray="{dash}"/>'
                     f'<text x="{left + 34}" y="{top + 4}">{label}</text>')
    height = TOP + HEIGHT + 68 + 18 * ((len(legend) + 1) // 2)
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 70}" height="{height}" '
            f'font-family="sans-serif" font-size="11"><rect width="100%" height="100%" fill="white"/>'
            f'<text x="{LEFT}" y="22" font-size="13">{title}</text>')
    with open(path_of(name, "svg"), "w", encoding="utf-8") as file:
        file.write("\n".join([head, *parts, "</svg>"]) + "\n")
    print(path_of(name, "svg"), flush=True)


PRV = (["prv_lower", "prv_upper"], GREEN, "", "PRV accountant, Algorithm 1: bounds")
MIDDLE = (["prv_estimate"], GREEN, "2,3", "its estimate")
ROUNDING = (["rounding_lower", "rounding_upper"], RED, "6,3", "losses rounded up and down (buckets)")
FOURIER = (["fourier_lower", "fourier_upper"], BLUE, "8,2,2,2", "fourier(mode=grid): bounds")
TRUTH = (["truth_lower"], GREY, "1,2", "certified truth")


def pictures():
    draw("1a", "Figure 1a: mesh 4e-5, sigma 0.8, rate 0.001, delta 1e-7", "steps", True, (0, 1.6), False,
         ("steps", "epsilon"), [PRV, MIDDLE, ROUNDING, FOURIER, TRUTH])
    draw("1b", "Figure 1b: sigma 0.8, rate 0.001, delta 1e-7, eps_error 0.1", "steps", True, (0, 2.5), False,
         ("steps", "epsilon"), [PRV, MIDDLE, (["renyi_upper"], RED, "6,3", "Renyi moments"),
                                (["gaussian_limit_estimate"], BLUE, "8,2,2,2", "Gaussian limit (GDP)"), TRUTH])
    draw("2", "Figure 2: no sampling, sigma 50, 1000 steps, eps_error 0.1", "epsilon", False, (1e-7, 1), True,
         ("epsilon", "delta"), [PRV, MIDDLE, (["truth_lower"], GREY, "1,2", "closed form (10)")])
    draw("3a", "Figure 3a: sigma 0.8, rate 0.004, 1000 steps, epsilon 1.5", "points", True, (1e-7, 1e-4), True,
         ("discretisation points", "delta"), [PRV, MIDDLE, ROUNDING, FOURIER, TRUTH])
    draw("3b", "Figure 3b: sigma 0.8, rate 0.004, delta 1e-7, bounds 0.2 apart", "steps", True, (1e-3, 100), True,
         ("steps", "seconds"), [(["prv_seconds"], GREEN, "", "PRV accountant and its certified band"),
                                (["rounding_seconds"], RED, "6,3", "losses rounded up and down (buckets)"),
                                (["truth_seconds"], GREY, "1,2", "contour, 12 digits")],
         ((["speed_up"], ORANGE, "3,3", "speed-up over buckets (right)"), (1, 1000), "speed-up"))


if __name__ == "__main__":
    if not DRAW_ONLY:
        figure_1()
        figure_2()
        figure_3a()
        figure_3b()
        million()
    pictures()
