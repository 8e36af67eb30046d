#!/usr/bin/env python3
"""Twelve settings that are hard for one accountant or another, every accountant by name: answered, time, width.

usage: hard_settings.py PLAUDIT OUTPUT_FOLDER [--peers PYTHON]

Writes hard_settings.csv and, between its two marks, the table of hard_settings.md: one row for each setting and accountant that applies, as `plaudit compare` answers, and one for each
library of the field that has the setting, where PYTHON is an interpreter that sees dp_accounting 0.6.0 and prv_accountant
0.2.0 (./dev peers makes one); otherwise the rows of libraries stay as they are in the folder.
"""
import csv
import json
import os
import subprocess
import sys

NAME = "hard_settings.csv"
SETTINGS = [
    ("sigma 0.3 at rate 1/2, once", "poisson(gaussian(0.3), 0.5)", "1e-5"),
    ("sigma 0.3 at rate 1/2", "poisson(gaussian(0.3), 0.5)^1000", "1e-5"),
    ("a million steps", "poisson(gaussian(1), 0.001)^1000000", "1e-7"),
    ("delta 1e-15", "poisson(gaussian(0.8), 0.004)^1000", "1e-15"),
    ("a million Gaussians, delta 1e-15", "gaussian(1000)^1000000", "1e-15"),
    ("Laplace", "laplace(2)^50", "1e-6"),
    ("a million Laplace, delta 1e-15", "laplace(1000)^1000000", "1e-15"),
    ("sampled Laplace", "poisson(laplace(1), 0.01)^1000", "1e-6"),
    ("mixed", "poisson(gaussian(1), 0.01)^500 * laplace(20)^20 * discrete_gaussian(10)^10", "1e-6"),
    ("discrete", "discrete_gaussian(10)^1000", "1e-8"),
    ("groups", "group(poisson(gaussian(2), 0.01), 3)^1000", "1e-6"),
    ("replacement", "pair(with_replacement, sigma=2, batch=50, population=5000)^1000", "1e-6"),
]
COLUMNS = ["setting", "spec", "delta", "by", "kind", "lower", "upper", "width", "seconds"]
PEERS = '''
import json, sys, time
from dp_accounting import dp_event as e
from dp_accounting.pld import pld_privacy_accountant, privacy_loss_distribution
from dp_accounting.rdp import rdp_privacy_accountant

def sampled(event, rate):
    return e.PoissonSampledDpEvent(rate, event)

EVENTS = {  # by the name of the setting; discrete noise and the pair with replacement have none
    "sigma 0.3 at rate 1/2, once": (sampled(e.GaussianDpEvent(0.3), 0.5), 1),
    "sigma 0.3 at rate 1/2": (sampled(e.GaussianDpEvent(0.3), 0.5), 1000),
    "a million steps": (sampled(e.GaussianDpEvent(1), 0.001), 1000000),
    "delta 1e-15": (sampled(e.GaussianDpEvent(0.8), 0.004), 1000),
    "a million Gaussians, delta 1e-15": (e.GaussianDpEvent(1000), 1000000),
    "Laplace": (e.LaplaceDpEvent(2), 50),
    "a million Laplace, delta 1e-15": (e.LaplaceDpEvent(1000), 1000000),
    "sampled Laplace": (sampled(e.LaplaceDpEvent(1), 0.01), 1000),
    "mixed": (e.ComposedDpEvent([e.SelfComposedDpEvent(sampled(e.GaussianDpEvent(1), 0.01), 500),
                                 e.SelfComposedDpEvent(e.LaplaceDpEvent(20), 20),
                                 e.SelfComposedDpEvent(e.DiscreteGaussianDpEvent(10), 10)]
                                if hasattr(e, "DiscreteGaussianDpEvent") else [e.NonPrivateDpEvent()]), 1),
}
PRV = {"sigma 0.3 at rate 1/2, once": (0.3, 0.5, 1), "sigma 0.3 at rate 1/2": (0.3, 0.5, 1000),
       "a million steps": (1, 0.001, 1000000), "delta 1e-15": (0.8, 0.004, 1000)}
name, delta = sys.argv[1], float(sys.argv[2])
said = []
def timed(by, kind, f):
    begin = time.process_time()
    try:
        lower, upper = f()
    except Exception as error:
        lower, upper = "", type(error).__name__
    said.append({"by": by, "kind": kind, "lower": lower, "upper": upper, "seconds": time.process_time() - begin})
def composed(accountant):
    event, n = EVENTS[name]
    return lambda: ("", accountant().compose(event, n).get_epsilon(delta))
if name in EVENTS:
    timed("dp_accounting PLD", "library", composed(pld_privacy_accountant.PLDAccountant))
    timed("dp_accounting RDP", "library", composed(rdp_privacy_accountant.RdpAccountant))
if name in PRV:
    def prv():
        from prv_accountant import PRVAccountant
        from prv_accountant.privacy_random_variables import PoissonSubsampledGaussianMechanism
        sigma, rate, n = PRV[name]
        accountant = PRVAccountant(prvs=PoissonSubsampledGaussianMechanism(noise_multiplier=sigma, sampling_probability=rate),
                                   eps_error=0.1, delta_error=delta / 1000, max_self_compositions=n)
        lower, _, upper = accountant.compute_epsilon(delta=delta, num_self_compositions=[n])
        return lower, upper
    timed("prv_accountant, eps_error 0.1", "library", prv)
print(json.dumps(said))
'''


def of_plaudit(program, name, spec, delta):
    run = subprocess.run([program, "compare", spec, "--delta", delta, "--timeout", "30", "--json"], capture_output=True,
                         text=True, check=False)
    for answer in json.loads(run.stdout)["accountants"]:
        row = {"setting": name, "spec": spec, "delta": delta, "by": answer["accountant"]}
        if "upper" in answer:
            kind = "certified" if answer["certified"] else "estimate"
            yield {**row, "kind": kind, "lower": answer["lower"], "upper": answer["upper"], "width": answer["width"],
                   "seconds": f"{answer['seconds']:.2g}"}
        else:
            yield {**row, "kind": answer["verdict"].split(":")[0], "lower": "", "upper": "", "width": "", "seconds": ""}


def of_libraries(python, name, spec, delta):
    try:
        run = subprocess.run([python, "-c", PEERS, name, delta], capture_output=True, text=True, check=False, timeout=300)
        said = json.loads(run.stdout.splitlines()[-1])
    except (subprocess.TimeoutExpired, IndexError):
        said = [{"by": "libraries", "kind": "library", "lower": "", "upper": "no answer in 300 s", "seconds": 300}]
    for answer in said:
        number = {end: f"{answer[end]:.7g}" if isinstance(answer[end], float) else answer[end] for end in ("lower", "upper")}
        yield {"setting": name, "spec": spec, "delta": delta, **answer, **number, "width": "", "seconds": f"{answer['seconds']:.2g}"}


def cell(row):
    """Width and seconds of a band, "estimate ..." of a number that is none, "-" where it does not apply."""
    if row["kind"] not in ("certified", "estimate", "library"):
        return "-"
    if row["kind"] == "certified":
        return f"{row['width']}, {row['seconds']} s"
    if row["lower"] and row["kind"] == "library":
        return f"{float(row['lower']):.5g} to {float(row['upper']):.5g}, {row['seconds']} s"
    try:
        return f"{'estimate ' if row['kind'] == 'estimate' else ''}{float(row['upper']):.5g}, {row['seconds']} s"
    except ValueError:
        return row["upper"]  # why there is none


def table(rows):
    """Accountants and libraries against the twelve settings."""
    said = {(row["by"], row["setting"]): cell(row) for row in rows}
    names = list(dict.fromkeys(row["by"] for row in rows if row["kind"] != "library"))
    names += list(dict.fromkeys(row["by"] for row in rows if row["kind"] == "library"))
    lines = ["| | " + " | ".join(name for name, _, _ in SETTINGS) + " |", "|---" * (len(SETTINGS) + 1) + "|"]
    for name in names:
        cells = [said.get((name, setting), "-") for setting, _, _ in SETTINGS]
        if set(cells) != {"-"}:
            lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def write_page(rows, path):
    with open(path, encoding="utf-8") as file:
        before, rest = file.read().split("<!-- table -->\n", 1)
    with open(path, "w", encoding="utf-8") as file:
        file.write(before + "<!-- table -->\n\n" + table(rows) + "\n\n<!-- end -->" + rest.split("<!-- end -->", 1)[1])


def main():
    program, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
    python = sys.argv[sys.argv.index("--peers") + 1] if "--peers" in sys.argv else None
    committed = os.path.join(os.path.dirname(os.path.abspath(__file__)), NAME)
    kept = []
    if python is None and os.path.exists(committed):
        with open(committed, newline="", encoding="utf-8") as file:
            kept = [row for row in csv.DictReader(file) if row["kind"] == "library"]
    rows = []
    for name, spec, delta in SETTINGS:
        rows += of_plaudit(program, name, spec, delta)
        rows += of_libraries(python, name, spec, delta) if python else [row for row in kept if row["setting"] == name]
        print(name, flush=True)
    with open(os.path.join(folder, NAME), "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    page = os.path.join(folder, "hard_settings.md")
    if os.path.exists(page):
        write_page(rows, page)


if __name__ == "__main__":
    main()
