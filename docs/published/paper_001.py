#!/usr/bin/env python3
"""Figures 1 to 4 of Koskela, Jalko, Honkela, "Computing Tight Differential Privacy Guarantees Using
FFT" (AISTATS 2020), with certified values beside the published algorithm's numbers.

usage: paper_001.py PLAUDIT OUTPUT_FOLDER [1|2|3|4|riemann|draw ...]    (draw: the SVGs from the CSVs again)

Every number comes from the plaudit program, but for those of section 7.3 (riemann). This script reads the published number from the words of
its method, converts Renyi divergences as Mironov (CSF 2017, Proposition 3) does, and draws.
"""
import csv
import json
import os
import re
import subprocess
import sys
import time
from math import inf, log, log10

import mpmath

DELTA, RATE, LENGTH, POINTS = "1e-6", "0.01", 12, 5000000
SIGMAS = (1, 2, 3)
BUCKETS = (10000, 100000, 1000000)
EPSILONS_3 = {1: 1, 2: 0.25, 3: 0.15}  # steps of epsilon in figure 3
COUNTS = (100, 200, 500, 1000, 2000, 5000, 10000)
NUMBER = re.compile(r"published: ([-+0-9.e]+|nan|inf) with")
ERROR = re.compile(r"2 \|I_n - I_2n\| = ([-+0-9.e]+)")
TAIL = re.compile(r"\(7\.3\) ([-+0-9.e]+)")
ITERATION = re.compile(r"; (\d+) steps of Newton's iteration")


def step(sigma, rate=RATE):
    return f"poisson(gaussian(sigma={sigma}), rate={rate})"


def ask(quantity, spec, argument, accountant="contour"):
    """The answer in the remove direction, the paper's X against Y."""
    other = "delta" if quantity == "epsilon" else "epsilon"
    run = subprocess.run([sys.argv[1], quantity, spec, f"--{other}", str(argument), "--direction",
                          "remove", "--accountant", accountant, "--timeout", "300", "--json"],
                         capture_output=True, text=True, check=False)
    answer = json.loads(run.stdout)
    assert answer["certified"], (spec, accountant)
    return answer


def curve(spec, option, values, accountant):
    run = subprocess.run([sys.argv[1], "curve", spec, option, values, "--direction", "remove",
                          "--accountant", accountant, "--timeout", "300", "--json"],
                         capture_output=True, text=True, check=False)
    return json.loads(run.stdout)["points"]


def band(answer):
    return {"certified_lower": answer["lower"], "certified_upper": answer["upper"]}


def published(answer):
    """The number of Algorithm 1, what the paper estimates of it, and plaudit's band for it."""
    words = answer["method"]
    found = {"published": NUMBER.search(words)[1], "estimate_7_4": ERROR.search(words)[1]}
    tail = TAIL.search(words)
    found["estimate_7_3"] = tail[1] if tail else ""
    if iteration := ITERATION.search(words):
        found["newton_steps"] = iteration[1]
    found["band_lower"], found["band_upper"] = answer["lower"], answer["upper"]
    return found


def fourier(length=LENGTH, points=POINTS):
    return f"fourier(mode=published, length={length}, points={points})"


def figure_1():
    """Moments accountant against the Fourier accountant: (a) delta at epsilon = 1, (b) epsilon at
    delta = 1e-6."""
    for name, quantity, argument in (("figure_1a", "delta", "1"), ("figure_1b", "epsilon", DELTA)):
        rows = []
        for sigma in SIGMAS:
            for k in COUNTS:
                spec = f"{step(sigma)}^{k}"
                row = {"sigma": sigma, "k": k,
                       "moments_accountant": ask(quantity, spec, argument, "moments_integer")["upper"],
                       **published(ask(quantity, spec, argument, fourier())),
                       **band(ask(quantity, spec, argument))}
                rows.append(row)
                print(name, row, flush=True)
        write(name, rows)


def figure_2():
    """The Renyi accountant for Poisson sampling (Zhu and Wang 2019) against the Fourier one."""
    rows = []
    for sigma in SIGMAS:
        orders = curve(step(sigma), "--renyi", "2:256:1", "auto")
        renyi = [(int(p["order"]), float(p["upper"])) for p in orders]
        for k in (10, 20, 50, *COUNTS):
            spec = f"{step(sigma)}^{k}"
            value, order = min((k * size + log(1 / float(DELTA)) / (a - 1), a) for a, size in renyi)
            row = {"sigma": sigma, "k": k, "renyi_accountant": f"{value:.12g}", "order": order,
                   "best_conversion": ask("epsilon", spec, DELTA, "moments")["upper"],
                   **published(ask("epsilon", spec, DELTA, fourier(points=1000000))),
                   **band(ask("epsilon", spec, DELTA))}
            rows.append(row)
            print("figure_2", row, flush=True)
    write("figure_2", rows)


def figure_3():
    """The Berry-Esseen bound of Sommer, Meiser, Mohammadi (2019, Theorem 6): k = 5e4."""
    rows = []
    for sigma in SIGMAS:
        spec = f"{step(sigma)}^50000"
        # [-L, L) has to hold what counts of the composed loss
        accountant = fourier(*((32, 4000000) if sigma == 1 else (12, 500000)))
        for i in range(21):
            epsilon = f"{i * EPSILONS_3[sigma]:.12g}"
            normal = ask("delta", spec, epsilon, "berry_esseen(form=tails)")
            row = {"sigma": sigma, "epsilon": epsilon, "berry_esseen_lower": normal["lower"],
                   "berry_esseen_upper": normal["upper"],
                   **published(ask("delta", spec, epsilon, accountant)),
                   **band(ask("delta", spec, epsilon))}
            rows.append(row)
            print("figure_3", row, flush=True)
    write("figure_3", rows)


def figure_4():
    """Privacy buckets (Meiser, Mohammadi 2018): k = 2^12, sigma = 1, rate 0.02."""
    rows = []
    spec = f"{step(1, '0.02')}^4096"
    for i in range(1, 19):
        row = {"epsilon": f"{i * 0.5:g}"}
        for buckets in BUCKETS:
            start = time.monotonic()
            found = ask("delta", spec, row["epsilon"],
                        f"privacy_buckets(buckets={buckets}, composition=squaring)")
            row[f"lower_{buckets}"], row[f"upper_{buckets}"] = found["lower"], found["upper"]
            row[f"seconds_{buckets}"] = f"{time.monotonic() - start:.3g}"
        row.update(published(ask("delta", spec, row["epsilon"], fourier(24, 1000000))),
                   **band(ask("delta", spec, row["epsilon"])))
        rows.append(row)
        print("figure_4", row, flush=True)
    write("figure_4", rows)


def density(s, sigma, q):
    """Of the privacy loss of one step at s."""
    above = mpmath.exp(s) - 1 + q
    if above <= 0:
        return mpmath.mpf(0)
    g = sigma**2 * mpmath.log(above / q) + mpmath.mpf(1) / 2
    slope = sigma**2 * mpmath.exp(s) / above
    return (q * mpmath.npdf(g, 1, sigma) + (1 - q) * mpmath.npdf(g, 0, sigma)) * slope


def riemann():
    """The example of section 7.3: a Riemann sum of the density over [-L, L], and the bound that is printed for it."""
    q = mpmath.mpf(RATE)
    rows = []
    with mpmath.workdps(30):
        for sigma in SIGMAS:
            def curvature(x):
                s = mpmath.log(1 - q + q * mpmath.exp((2 * x - 1) / (2 * mpmath.mpf(sigma)**2)))
                return abs(mpmath.diff(lambda u: density(u, sigma, q), s, 2, h=mpmath.mpf(10)**-9))

            most = max(range(-90, 50), key=lambda k: curvature(mpmath.mpf(k) / 10))
            peak = max((mpmath.mpf(most * 100 + k) / 1000 for k in range(-100, 101)), key=curvature)
            g = sigma**2 * mpmath.log((mpmath.exp(LENGTH) - 1 + q) / q) + mpmath.mpf(1) / 2
            whole = 1 - q * mpmath.ncdf(1 - g, 0, sigma) - (1 - q) * mpmath.ncdf(-g, 0, sigma)
            for points in (1000, 5000, 20000):
                step_of_sum = mpmath.mpf(2 * LENGTH) / points
                total = step_of_sum * sum(density(-LENGTH + k * step_of_sum, sigma, q) for k in range(points))
                printed = step_of_sum * density(LENGTH, sigma, q) + step_of_sum**2 / 12 * curvature(peak)
                rows.append({"sigma": sigma, "points": points, "error": mpmath.nstr(abs(whole - total), 7),
                             "printed_bound": mpmath.nstr(printed, 7),
                             "greatest_curvature": mpmath.nstr(curvature(peak), 7)})
    write("riemann", rows)


def path_of(name, ending):
    return os.path.join(sys.argv[2], f"paper_001_{name}.{ending}")


def write(name, rows):
    with open(path_of(name, "csv"), "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    if name in DRAWINGS:
        draw(name)


CERTIFIED = ("certified_upper", "#0b6e4f", "certified", "")
PUBLISHED = ("published", "#3366cc", "Algorithm 1 as published", "2,6")
MOMENTS = ("moments_accountant", "#b23a48", "moments accountant (orders 1 to 32)", "5,3")
# Name: title, horizontal axis, curves in the order in which they are drawn, least value drawn.
DRAWINGS = {
    "figure_1a": (f"Figure 1a: delta at epsilon = 1, rate {RATE}", "k",
                  [MOMENTS, CERTIFIED, PUBLISHED], 1e-16),
    "figure_1b": (f"Figure 1b: epsilon at delta = {DELTA}, rate {RATE}", "k",
                  [MOMENTS, CERTIFIED, PUBLISHED], 1e-3),
    "figure_2": (f"Figure 2: epsilon at delta = {DELTA}, rate {RATE}", "k",
                 [("renyi_accountant", "#b23a48", "Renyi accountant", "5,3"),
                  ("best_conversion", "#cc8800", "its best conversion, real orders", "6,2,1,2"),
                  CERTIFIED, PUBLISHED], 1e-3),
    "figure_3": (f"Figure 3: delta after 50000 steps, rate {RATE}", "epsilon",
                 [("berry_esseen_upper", "#b23a48", "Berry-Esseen, above", "5,3"),
                  ("berry_esseen_lower", "#cc8800", "Berry-Esseen, below", "6,2,1,2"),
                  CERTIFIED, PUBLISHED], 1e-10),
    "figure_4": ("Figure 4: delta after 4096 steps, sigma = 1, rate 0.02", "epsilon",
                 [*((f"upper_{b}", c, f"{b} buckets, above", d) for b, c, d in
                    zip(BUCKETS, ("#b23a48", "#cc8800", "#8844aa"), ("5,3", "6,2,1,2", "3,3"))),
                  CERTIFIED, PUBLISHED], 1e-12),
}


def number(text):
    value = float(text) if text != "" else inf
    return value if 0 < value < inf else None


def ticks(low, high):
    """Powers of ten between two logarithms, at most about eight."""
    every = max(1, round((high - low) / 8))
    return [p for p in range(int(low) - 1, int(high) + 2)
            if low <= p <= high and p % every == 0]


def lines(low, high):
    """1, 2, 5 times the powers where there are few powers."""
    powers = ticks(low, high)
    if len(powers) > 2:
        return [10.0**p for p in powers]
    return [d * 10.0**p for p in range(int(low) - 2, int(high) + 2) for d in (1, 2, 5)
            if low <= p + log10(d) <= high]


def panel(rows, argument, styles, x0, top, width, height, title, floor):
    """One panel: logarithmic upwards, logarithmic to the right for a number of steps."""
    logarithmic = argument == "k"

    def place(row):
        return log10(float(row[argument])) if logarithmic else float(row[argument])

    values = [v for row in rows for name, *_ in styles
              if (v := number(row[name])) is not None and v >= floor]
    low, high = log10(min(values)) - 0.1, log10(max(values)) + 0.1
    left, right = place(rows[0]), place(rows[-1])

    def x(row):
        return x0 + (place(row) - left) / (right - left) * width

    def y(value):
        return top + (high - log10(value)) / (high - low) * height

    parts = [f'<rect x="{x0}" y="{top}" width="{width}" height="{height}" fill="none" '
             f'stroke="#999"/><text x="{x0 + width / 2}" y="{top - 6}" text-anchor="middle">{title}'
             '</text>']
    last = -inf
    for row in rows:
        if x(row) - last < 30:
            continue
        last = x(row)
        label = f"{float(row[argument]):g}"
        parts.append(f'<text x="{x(row):.1f}" y="{top + height + 14}" font-size="9" '
                     f'text-anchor="middle">{label}</text>')
    for value in lines(low, high):
        parts.append(f'<text x="{x0 - 4}" y="{y(value) + 3:.1f}" text-anchor="end" font-size="9">'
                     f'{value:g}</text><line x1="{x0}" x2="{x0 + width}" y1="{y(value):.1f}" '
                     f'y2="{y(value):.1f}" stroke="#eee"/>')
    for name, color, _, dash in styles:
        run = []
        for row in [*rows, None]:
            value = number(row[name]) if row else None
            if value is not None and value >= floor:
                run.append(f"{x(row):.1f},{y(value):.1f}")
                continue
            if run:
                parts.append(f'<polyline points="{" ".join(run)}" fill="none" stroke="{color}" '
                             f'stroke-width="{2.6 if name == "published" else 1.6}" '
                             f'stroke-dasharray="{dash}"/>')
            run = []
    return parts


def draw(name):
    """The SVG of a figure from its CSV."""
    title, argument, styles, floor = DRAWINGS[name]
    with open(path_of(name, "csv"), encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    panels = [("", rows)]
    if "sigma" in rows[0]:
        panels = [(f"sigma = {s}", [r for r in rows if r["sigma"] == str(s)]) for s in SIGMAS]
    width, height, left, top = 230, 250, 60, 45
    whole = max(left + len(panels) * (width + 70), 560)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{whole}" '
             f'height="{height + 75 + 16 * len(styles) + top}" font-family="sans-serif" '
             'font-size="11">', '<rect width="100%" height="100%" fill="white"/>',
             f'<text x="{left}" y="18" font-size="13">{title}</text>']
    for i, (subtitle, rows) in enumerate(panels):
        parts += panel(rows, argument, styles, left + i * (width + 70), top, width, height,
                       subtitle, floor)
    parts.append(f'<text x="{left}" y="{top + height + 32}">horizontal: {argument}; below '
                 f'{floor:g} nothing is drawn</text>')
    for i, (_, color, label, dash) in enumerate(styles):
        y = top + height + 52 + 16 * i
        parts.append(f'<line x1="{left}" x2="{left + 30}" y1="{y}" y2="{y}" stroke="{color}" '
                     f'stroke-width="1.6" stroke-dasharray="{dash}"/>'
                     f'<text x="{left + 38}" y="{y + 4}">{label}</text>')
    with open(path_of(name, "svg"), "w", encoding="utf-8") as file:
        file.write("\n".join([*parts, "</svg>"]) + "\n")


def main():
    figures = {"1": figure_1, "2": figure_2, "3": figure_3, "4": figure_4, "riemann": riemann}
    for name in sys.argv[3:] or figures:
        if name == "draw":
            for drawing in DRAWINGS:
                draw(drawing)
        else:
            figures[name]()


if __name__ == "__main__":
    main()
