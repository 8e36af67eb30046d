#!/usr/bin/env python3
"""Every accountant on the eight configurations: widths and times, as a Markdown table.

usage: compare.py PLAUDIT [--delta D] [--digits N] [--timeout S]

PLAUDIT: the program. Exit 1 where two certified bands are disjoint.
"""
import argparse
import json
import subprocess
import sys

CONFIGURATIONS = [
    ("0.8", "0.004", 1000), ("0.65", "0.01", 2000), ("1", "0.01", 10000), ("1.5", "0.01", 10000),
    ("0.5", "0.01", 100000), ("4", "0.00033", 10000), ("1", "0.01", 1000000), ("10", "0.1", 10000000),
]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--delta", default="1e-6")
    parser.add_argument("--digits", default="12")
    parser.add_argument("--timeout", default="10")
    options = parser.parse_args()
    bad = False
    table = {}
    names = []
    for sigma, rate, steps in CONFIGURATIONS:
        spec = f"poisson(gaussian(sigma={sigma}), rate={rate})^{steps}"
        run = subprocess.run(
            [options.program, "compare", spec, "--delta", options.delta, "--digits", options.digits,
             "--timeout", options.timeout, "--json"], capture_output=True, text=True)
        report = json.loads(run.stdout)
        bad = bad or report["disjoint"]
        for entry in report["accountants"]:
            name = entry["accountant"]
            if name not in names:
                names.append(name)
            if "width" not in entry:
                cell = "-"
            elif not entry["certified"]:
                cell = f"estimate {float(entry['upper']):.6g}, {entry['seconds']:.2g} s"
            else:
                cell = f"{entry['width']}, {entry['seconds']:.2g} s"
            table[name, spec] = cell
    columns = [f"{s}, {q}, {n:.0e}".replace("e+0", "e") for s, q, n in CONFIGURATIONS]
    print("| accountant | " + " | ".join(columns) + " |")
    print("|---" * (1 + len(columns)) + "|")
    for name in names:
        cells = [table.get((name, f"poisson(gaussian(sigma={s}), rate={q})^{n}"), "-")
                 for s, q, n in CONFIGURATIONS]
        print(f"| `{name}` | " + " | ".join(cells) + " |")
    print("\nepsilon bands: width, time" + ("; DISJOINT BANDS" if bad else "; all certified bands intersect"))
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
