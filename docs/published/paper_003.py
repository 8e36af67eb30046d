#!/usr/bin/env python3
"""Figures 1 and 2 of Ganesh, "Tight group-level DP guarantees for DP-SGD with sampling via mixture of
Gaussians mechanisms" (arXiv 2401.10294), with certified values.

usage: paper_003.py PLAUDIT OUTPUT_FOLDER

Every epsilon comes from the plaudit program, also those of Vadhan's lemma (Lemma 1.1), as printed:
k e^(k epsilon) delta for groups of k, and with the geometric sum of which that is a bound.
"""
import csv
import json
import os
import subprocess
import sys
from decimal import Decimal

STEPS, DELTA, SIZES = 2000, "1e-6", range(1, 17)
FIGURES = {
    "figure_1": ([1, 2, 4], "poisson(gaussian(sigma={sigma}), rate=0.01)"),
    "figure_2": ([2, 4, 8], "without_replacement(gaussian(sigma={sigma}), batch=500, "
                            "population=50000, adjacency=add_remove)"),
}


def ask(quantity, spec, other, argument, digits=12):
    run = subprocess.run([sys.argv[1], quantity, spec, other, argument, "--digits", str(digits),
                          "--timeout", "4", "--accountant", "contour", "--json"],
                         capture_output=True, text=True, check=False)
    answer = json.loads(run.stdout)
    assert answer["certified"] and answer["reached"], (spec, argument)
    return Decimal(answer["lower"]), Decimal(answer["upper"]), answer["seconds"]


def vadhan(group, mode):
    """An epsilon that the lemma proves: the geometric sum, or as printed, k e^(k epsilon_1)."""
    run = subprocess.run([sys.argv[1], "epsilon", group, "--delta", DELTA, "--json", "--digits", "9",
                          "--accountant", f"vadhan_group(mode={mode})"],
                         capture_output=True, text=True, check=False)
    answer = json.loads(run.stdout)
    assert answer["certified"] and answer["upper"] != "inf", group
    return Decimal(answer["upper"]), answer["seconds"]


def svg(rows, sigmas, path, title):
    """Epsilon against the group size, logarithmic, one panel per sigma."""
    from math import log10
    width, height, left, top = 300, 260, 50, 40
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{len(sigmas) * width + 20}" '
             f'height="{height + 110}" font-family="sans-serif" font-size="11">',
             f'<text x="{left}" y="18" font-size="13">{title}</text>']
    styles = [("epsilon_upper", "#0b6e4f", "certified", ""),
              ("vadhan_upper", "#b23a48", "Lemma 1.1 as printed", "5,3"),
              ("vadhan_sum_upper", "#e08e00", "with the geometric sum", ""),
              ("linear_lower", "#555555", "k epsilon_1", "2,2")]
    for panel, sigma in enumerate(sigmas):
        chosen = [row for row in rows if row["sigma"] == sigma]
        values = [float(row[name]) for row in chosen for name, *_ in styles if row[name] != ""]
        low, high = log10(min(values)) - 0.05, log10(max(values)) + 0.05
        x0 = left + panel * width

        def x(size):
            return x0 + (size - 1) / 15 * (width - 70)

        def y(value):
            return top + (high - log10(float(value))) / (high - low) * height

        parts.append(f'<rect x="{x0}" y="{top}" width="{width - 70}" height="{height}" fill="none" '
                     f'stroke="#999"/><text x="{x0 + 80}" y="{top - 6}">sigma = {sigma}</text>')
        for size in (1, 4, 8, 12, 16):
            parts.append(f'<text x="{x(size):.1f}" y="{top + height + 15}" text-anchor="middle">'
                         f'{size}</text>')
        for power in range(-2, 7):
            for digit in (1, 2, 5) if high - low < 2.5 else (1,):
                if low <= log10(digit) + power <= high:
                    value = digit * 10.0**power
                    parts.append(f'<text x="{x0 - 4}" y="{y(value) + 4:.1f}" text-anchor="end">'
                                 f'{value:g}</text><line x1="{x0}" x2="{x0 + width - 70}" '
                                 f'y1="{y(value):.1f}" y2="{y(value):.1f}" stroke="#eee"/>')
        for name, color, _, dash in styles:
            points = " ".join(f'{x(row["k"]):.1f},{y(row[name]):.1f}' for row in chosen
                              if row[name] != "")
            parts.append(f'<polyline points="{points}" fill="none" stroke="{color}" '
                         f'stroke-width="1.6" stroke-dasharray="{dash}"/>')
    for i, (_, color, label, dash) in enumerate(styles):
        parts.append(f'<line x1="{left + 170 * i}" x2="{left + 25 + 170 * i}" y1="{height + 85}" '
                     f'y2="{height + 85}" stroke="{color}" stroke-width="1.6" '
                     f'stroke-dasharray="{dash}"/><text x="{left + 30 + 170 * i}" '
                     f'y="{height + 89}">{label}</text>')
    parts.append(f'<text x="{left}" y="{height + 72}">group size k (horizontal), epsilon at delta = '
                 f'{DELTA}, {STEPS} steps</text></svg>')
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(parts) + "\n")


def main():
    for name, (sigmas, pattern) in FIGURES.items():
        rows = []
        for sigma in sigmas:
            single = pattern.format(sigma=sigma)
            first_lower, first_upper, _ = ask("epsilon", f"{single}^{STEPS}", "--delta", DELTA)
            for size in SIZES:
                group = f"group({single}, size={size})^{STEPS}"
                lower, upper, seconds = ask("epsilon", group, "--delta", DELTA)
                sum_, _ = vadhan(group, "best")
                lemma, lemma_seconds = vadhan(group, "published")
                rows.append({"sigma": sigma, "k": size, "epsilon_lower": lower,
                             "epsilon_upper": upper, "linear_lower": size * first_lower,
                             "linear_upper": size * first_upper,
                             "vadhan_sum_upper": sum_, "vadhan_upper": lemma,
                             "milliseconds": round(1000 * seconds, 1),
                             "vadhan_milliseconds": round(1000 * lemma_seconds, 1)})
        base = os.path.join(sys.argv[2], f"paper_003_{name}")
        with open(base + ".csv", "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        scheme = "Poisson sampling, rate 0.01" if name == "figure_1" else (
            "batches of 500 out of 50000")
        svg(rows, sigmas, base + ".svg", f"{scheme}: epsilon of groups")


if __name__ == "__main__":
    main()
