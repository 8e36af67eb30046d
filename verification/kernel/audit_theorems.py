#!/usr/bin/env python3
"""The audit's most blatant refutations as theorems, checked by Coq.

    audit_theorems.py PROGRAM THEORIES [N] --folder F [--out PAGE.md]

Of upper claims that docs/audits/verdicts.csv has as refuted, chosen as PAGE says, has `plaudit prove` write into F that the
steps are not (x, delta)-private, with an x that is no less than what was claimed, as coarsely as the gap allows; has Coq
check it; prints a table, and writes it with what Coq says. N: the first N alone, and no page.
Exit status 1 where a refutation has no theorem.
"""
import argparse
import csv
import json
import re
import subprocess
import sys
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path

import prove

VERDICTS = Path(__file__).resolve().parents[2] / "docs" / "audits" / "verdicts.csv"
LIBRARIES = {"google_pess_1e-3": "dp_accounting", "google_pess_1e-4": "dp_accounting", "jax_privacy_pld": "jax-privacy",
             "riskcal_ctd": "riskcal", "pld_accounting": "pld_accounting", "gdpnum_mu": "gdpnum"}
HOW_MANY, MOST_STEPS, MOST_EPSILON = 10, 10_000, 50
Claim = namedtuple("Claim", "peer spec delta direction claimed certified said")
COLUMNS = ["claim of", "run", "delta", "epsilon claimed", "Coq: not private with epsilon", "certified: epsilon is above",
           "seconds", "accepted by Coq"]
PAGE = """# Refutations that Coq has checked

Written by `./dev prove --audit` (`verification/kernel/audit_theorems.py`) from `verdicts.csv`.

Each row is an upper bound that a library claims of a run, and a theorem that refutes it: the steps are not
(epsilon, delta)-private with an epsilon that is no less than what was claimed, so not with the claimed one either. What
such a theorem says and what is outside of it is in [kernel.md](../kernel.md). Coq believes no number of plaudit's.

Of the refuted claims of runs of at most {steps:,} steps with a claimed epsilon below {epsilon}, which take Coq a minute
or two, each library in turn has the one that misses by the greatest share of the certified epsilon; no run comes twice.
A claim of gdpnum is that the run is mu-GDP, which is a claim at every delta: it is taken at the delta of the audit
where it misses by most, as plaudit's certified upper end of epsilon for N(mu, 1) against N(0, 1). That step, from mu to
epsilon, is not in the theorem. Seconds are those of a processor core, the library of theorems compiled before.

"""


def asked(program, *arguments):
    done = subprocess.run([program, *arguments, "--json"], capture_output=True, text=True)
    if done.returncode not in (0, 4):  # 4: not as near as was asked
        raise ValueError((done.stderr.strip().splitlines() or ["no reason"])[-1])
    return json.loads(done.stdout)


def claims(program):
    """All refuted upper claims of epsilon that are within the limits."""
    with VERDICTS.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    bands = {}  # {(spec, direction): {delta: certified lower end}}
    for row in rows:
        if row["certified_lower"]:
            bands.setdefault((row["spec"], row["direction"]), {})[row["delta"]] = row["certified_lower"]
    for row in rows:
        spec, number, mu = row["spec"], row["peer_epsilon"], row["kind"] == "mu"
        if not row["verdict"].startswith("refuted") or row["kind"] == "lower" or int(spec.split("^")[1]) > MOST_STEPS:
            continue
        certified = bands[spec, row["direction"]]
        for delta in certified if mu else [row["delta"]]:
            claimed = number
            if mu:
                claimed = asked(program, "epsilon", f"gaussian(sigma=1, sensitivity={number})", "--delta", delta)["upper"]
            claim = Claim(row["peer"], spec, delta, row["direction"], Fraction(claimed), certified[delta],
                          f"{claimed}, of mu = {number}" if mu else number)
            if claim.claimed < min(Fraction(claim.certified), MOST_EPSILON):
                yield claim


def most_blatant(all_claims):
    """The libraries take turns, in the order of their worst claims; no run comes twice."""
    left, chosen = sorted(all_claims, key=lambda claim: (claim.claimed / Fraction(claim.certified), claim)), []
    turns = list(dict.fromkeys(LIBRARIES[claim.peer] for claim in left))
    while left and len(chosen) < HOW_MANY:
        turn = turns[len(chosen) % len(turns)]
        chosen.append(next((claim for claim in left if LIBRARIES[claim.peer] == turn), left[0]))
        left = [claim for claim in left if claim.spec != chosen[-1].spec]
    return chosen


def refuted(program, theories, file, claim):
    """A row of the table; and what Coq says of the theorem, or why there is none."""
    row = [f"{LIBRARIES[claim.peer]} (`{claim.peer}`)", f"`{claim.spec}`", claim.delta, claim.said, "-",
           claim.certified, "-", "no"]
    direction = [] if claim.direction == "both" else ["--direction", claim.direction]
    width = f"{float((Fraction(claim.certified) - claim.claimed) * 9 / 10):.3g}"
    try:
        asked(program, "prove", claim.spec, "--delta", claim.delta, "--end", "lower", "--width", width, *direction,
              "--timeout", "120", "--output", str(file))
    except ValueError as error:
        return row, f"plaudit prove: {error}"
    with ThreadPoolExecutor(1) as pool:
        why, said, done = prove.File(file, theories, pool).judged()
    row[6] = f"{sum(one.seconds for one in done):.0f}"
    stated = re.search(r": ~ private .* \(exp \(?(\d+)(?: / (\d+)\))?\) \((\d+) / (\d+)\)", re.sub(r"\s+", " ", said))
    if why or not stated:
        return row, why or f"not a refutation: {said}"
    epsilon, delta = Fraction(int(stated[1]), int(stated[2] or 1)), Fraction(int(stated[3]), int(stated[4]))
    row[4] = f"{float(epsilon):.10g}"
    row[7] = "yes" if epsilon >= claim.claimed and delta == Fraction(claim.delta) else "yes, and it does not refute the claim"
    return row, re.sub(r" +$", "", said, flags=re.M)


def page(rows, said):
    lines = ["| " + " | ".join(row) + " |" for row in [COLUMNS, ["---"] * len(COLUMNS), *rows]]
    blocks = [f"{i}. {row[1]} at delta = {row[2]}:\n\n```text\n{text}\n```\n"
              for i, (row, text) in enumerate(zip(rows, said), 1)]
    return PAGE.format(steps=MOST_STEPS, epsilon=MOST_EPSILON) + "\n".join([*lines, "", "## What Coq says", "", *blocks])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("theories")
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--out", type=Path)
    parser.add_argument("number", type=int, nargs="?", default=HOW_MANY)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    rows, said = [], []
    for number, claim in enumerate(most_blatant(claims(options.program))[:options.number], 1):
        row, text = refuted(options.program, options.theories, options.folder / f"refutation{number}.v", claim)
        rows.append(row)
        said.append(text)
        print(" | ".join(row) + ("" if row[7] == "yes" else f"\n  {text}"), flush=True)
    if options.out and options.number >= HOW_MANY:
        options.out.write_text(page(rows, said), encoding="utf-8")
    sys.exit(0 if all(row[7] == "yes" for row in rows) else 1)


if __name__ == "__main__":
    main()
