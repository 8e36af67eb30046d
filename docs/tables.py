#!/usr/bin/env python3
"""Writes the tables of docs/ that come from the program and the sources, between their markers.

usage: tables.py PLAUDIT [--check] [--measure]

PLAUDIT: the program. --check: writes nothing; exit 1 where a table is not what the program says, or
an accountant or a mechanism has no section. --measure: also runs bench/compare.py (minutes) for the
table of widths and times, which --check leaves alone.
"""
import argparse
import ast
import itertools
import json
import re
import subprocess
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent
# The folders in the order in which they are best read, each with what it holds.
FOLDERS = {
    "lib": "Rigorous numerics; knows nothing of privacy. Here: what all of it shares.",
    "lib/exact": "Exact numbers: how parameters enter, how bounds are printed.",
    "lib/balls": "Ball arithmetic: numbers with proven radii, their precision, the ledger of errors.",
    "lib/analysis": "Theorems of analysis as functions: quadrature, sums, transforms, inversion.",
    "lib/analysis/fixed": "Sums, exponentials, logarithms and powers of complex numbers in fixed point.",
    "lib/analysis/normal": "The standard normal law: many values near each other, quantiles, bounds of tails.",
    "lib/work": "Limits of time, work and memory; threads.",
    "mechanisms": "What a step of a composition is to all that account for it.",
    "mechanisms/language": "The spec language: from text to mechanisms with exact parameters.",
    "mechanisms/kinds/noise": "A file per mechanism, with its parameters, dominating pair and adjacency: noise.",
    "mechanisms/kinds/sampling": "The same: mechanisms on samples of the records.",
    "mechanisms/kinds/selection": "The same: selections, which release an index or a yes.",
    "mechanisms/kinds/stated": "The same: mechanisms of which a guarantee, or a law, is stated and nothing else.",
    "mechanisms/kinds/combined": "The same: what is made of other mechanisms: groups, joint ones, pairs.",
    "mechanisms/forms": "What mechanisms of one family share: their class, the laws of sampling, law files.",
    "mechanisms/laws": "Laws of the privacy loss that are sums over atoms, or Laplace noise.",
    "mechanisms/samples": "Laws of Poisson samples of Laplace and discrete noise.",
    "mechanisms/strip": "Moments as integrals over the real line: the trapezoid on a strip, for any integrand.",
    "mechanisms/mixtures": "The law of a Gaussian mixture against a Gaussian: moments, tails, estimates; the same law where the largest losses are moved to infinity.",
    "mechanisms/cells": "Masses of the cells of a lattice in doubles, from Taylor polynomials of the density.",
    "mechanisms/allocation": "The law of random allocation: the mean of lognormal variables.",
    "mechanisms/replacement": "The law of two Gaussian mixtures against each other.",
    "accountants": "From a composition to a proven band: what all accountants share.",
    "accountants/cumulants": "The cumulant generating function of a composition: bounds and good orders.",
    "accountants/plan": "Choices made in floating point before the first ball is computed; they prove nothing.",
    "accountants/proof": "What proves a bound: kinds of proof, evaluated at choices that are given, in balls or in intervals.",
    "accountants/proof/arithmetic": "The arithmetics that a proof may be evaluated in, in one vocabulary.",
    "accountants/proof/laws": "Laws that a few exact numbers state: what the kinds of proof are told of a law.",
    "accountants/proof/kinds": "A file per kind of proof: one theorem, its hypotheses checked, no choice made.",
    "accountants/session": "From a question to its band: which accountants are asked, and for how long.",
    "accountants/sweep": "Vertical lines far out: bounds of the moment generating function, block by block.",
    "accountants/contour": "The inversion integral along vertical lines: the accountant of most questions.",
    "accountants/closed": "One step of any law, and products of Gaussians: their formulas.",
    "mechanisms/participation": "Correlated noise on steps that a record draws at random: moments of the likelihood ratio, and a grid of its filter.",
    "accountants/few": "Two steps: one law averaged over the other.",
    "accountants/rare": "Far tails: runs told apart by their largest draw.",
    "accountants/lattice": "Losses on a lattice: exact transforms, and grids above and below any law.",
    "accountants/fourier": "The Fourier accountant, its settings and its published error bounds.",
    "accountants/prv": "Privacy random variables: rounding to a grid, with proven coupling errors.",
    "accountants/laplace": "Sums over the atoms and segments of Laplace noise.",
    "accountants/atoms": "Finite laws: products of atoms, and answers that are rational numbers.",
    "accountants/tails": "P(L > x), Q(L > x), atoms and quantiles of compositions.",
    "accountants/moments": "Bounds by moments (Renyi divergences).",
    "accountants/saddle_point": "The saddle point, with the error that Berry and Esseen bound.",
    "accountants/literature": "Theorems of the literature on composition, as published.",
    "verification": "Is a number true? Here: what the ways of asking share.",
    "verification/claims": "Other people's numbers: how they are read.",
    "verification/audit": "Verdicts on claims, witnesses, reports and pictures.",
    "verification/calibration": "The parameter at which a target is just met.",
    "verification/meaning": "What a curve means: trade-off functions, and what attackers can reach at most.",
    "verification/observe": "Counts of experiments against what was claimed: exact statistics.",
    "verification/requests": "Questions as lines of JSON.",
    "verification/reports": "Answers as JSON.",
    "verification/pictures": "The one plotting code, of reports, curves and comparisons.",
    "verification/crosscheck": "Accountants and closed forms against each other.",
    "verification/forms": "Closed forms and estimates that share nothing with the accountants, in three arithmetics.",
    "verification/kernel": "Runs as theorems for Coq: what writes the files, and has them checked.",
    "verification/kernel/laws": "The steps that it has theorems of: their slices, and their text.",
    "verification/kernel/theories": "The library of theorems, in Coq.",
    "verification/certificates": "The writer of certificates.",
    "verification/certificates/proposals": "What may prove a band: a file per kind of proof.",
    "verification/checker": "The checker of certificates, a library of its own that uses nothing of the "
                            "other layers ([certificates.md](certificates.md)).",
    "verification/checker/laws": "The laws of privacy losses that it knows.",
    "verification/checker/curves": "The curves that it bounds at points, and the laws that such bounds make.",
    "verification/checker/specs": "Its reader of specs: from text to those laws.",
    "verification/checker/paths": "Its integrals along paths, with the error of the trapezoid on a strip.",
    "verification/checker/lines": "Its sums along lines, and bounds of what lies beyond.",
    "api": "The C++ interface.",
    "api/plaudit": "The public headers.",
    "api/extend": "Mechanisms and accountants of others: their laws, their claims, how they come in.",
    "cli": "The program: options, and the processes that do the work.",
    "cli/commands": "A file per command.",
    "cli/commands/audit": "An audit's work in processes of its own.",
    "cli/commands/observe": "What experiments counted against claims: what is given, and what is printed.",
    "cli/output": "What is written: text, tables, JSON, pictures, complaints.",
    "python": "What stands beside the module: the checker's command, tools that write stubs.",
    "python/bindings": "The compiled core of the Python module.",
    "python/plaudit": "The Python module around it.",
    "python/plaudit/balls": "Balls for plug-ins in Python.",
    "python/plaudit/_searches": "Calibration of functions of several parameters.",
    "python/plaudit/_observed": "What was observed in runs against what was claimed of them.",
    "python/plaudit/_many": "Many questions: tables, pools of workers, progress.",
    "python/plaudit/_events": "Events of dp_accounting and of other libraries, as specs.",
    "python/plaudit/_typed": "What people type: further names, and words about what is spelt otherwise.",
    "python/plaudit/_ledger": "Budgets in a file, spent step by step.",
    "python/plaudit_certificates": "The checker of certificates that shares no code with the program: a file per kind of proof.",
    "python/plaudit_certificates/arithmetic": "Its numbers: intervals on Python's integers.",
    "python/plaudit_certificates/laws": "Its laws.",
    "python/plaudit_certificates/lines": "Its sums along lines and its integrals.",
    "python/plaudit_certificates/specs": "Its reader of specs.",
}
SOURCES = (".hpp", ".cpp", ".py", ".v")
LAYERS = ("lib", "mechanisms", "accountants", "verification", "api", "cli", "python")


def listed(program, what):
    return json.loads(subprocess.run([program, "list", what, "--json"], check=True,
                                     capture_output=True, text=True).stdout)


def linked(theorem):
    """Links to proof pages, relative to docs/; other text as it is."""
    return re.sub(r"docs/(proofs/([\w-]+)\.md#[\w-]+)", r"[\2](\1)", theorem)


def cell(text):
    return text.replace("|", "\\|")


def accountants(program):
    rows = ["| name | what it does | proves | proof |", "|---|---|---|---|"]
    for entry in listed(program, "accountants"):
        settings = ", ".join(f"`{s['name']}`" for s in entry["settings"])
        summary = cell(entry["summary"]) + (f"; settings {settings}" if settings else "")
        proves = "a band" if entry["certified"] else "nothing: an estimate"
        rows.append(f"| `{entry['name']}` | {summary} | {proves} | {linked(entry['theorem'])} |")
    return rows


def mechanisms(program):
    rows = ["| mechanism | what it is | adjacency | what is proven, and by whom | attained (of the example) |",
            "|---|---|---|---|---|"]
    for entry in listed(program, "mechanisms"):
        attained = f"{entry['attained'].replace('_', ' ')}: {cell(entry['attained_why'])}"
        rows.append(f"| `{entry['signature']}` | {cell(entry['summary'])} | {cell(entry['adjacency'])} | "
                    f"{linked(cell(entry['theorem']))} | {attained} |")
    return rows


def first_sentence(path):
    """Of the comment a file opens with; nothing where it opens otherwise."""
    if path.suffix == ".v":
        words = [path.read_text().partition("(*")[2].partition("*)")[0].lstrip("*")]
    elif path.suffix == ".py":
        words = [ast.get_docstring(ast.parse(path.read_text())) or ""]
    else:
        words = [line[3:].strip() for line in itertools.takewhile(lambda line: line.startswith("// "),
                                                                 path.read_text().splitlines())]
    text = " ".join(" ".join(words).split())
    return re.split(r"(?<=[^A-Z.]\.)\s", text)[0].rstrip(".") if text else ""


def files(folder):
    """What each file of a folder is for, in its own words; a header and its source are one."""
    root = DOCS.parent / folder
    rows = ["| file | content |", "|---|---|"]
    for stem in sorted({path.stem for path in root.iterdir() if path.suffix in SOURCES} - {"__init__"}):
        texts = [first_sentence(root / f"{stem}{ending}") for ending in SOURCES
                 if (root / f"{stem}{ending}").exists()]
        rows.append(f"| `{stem}` | {cell(max(texts, key=bool))} |")
    return rows


def measured(program):
    return subprocess.run([sys.executable, DOCS.parent / "bench" / "compare.py", program],
                          check=True, capture_output=True, text=True).stdout.splitlines()


def replaced(text, name, rows):
    """`text` with what stands between the markers of `name` replaced."""
    pattern = re.compile(rf"(<!-- {name}: [^\n]*-->\n\n).*?(\n\n<!-- end -->)", re.DOTALL)
    if not pattern.search(text):
        sys.exit(f"tables.py: no markers of the table {name}")
    return pattern.sub(lambda match: match.group(1) + "\n".join(rows) + match.group(2), text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--measure", action="store_true")
    options = parser.parse_args()
    wrong = []
    for kind, table in (("accountants", accountants), ("mechanisms", mechanisms)):
        page = DOCS / f"{kind}.md"
        old = page.read_text()
        new = replaced(old, kind, table(options.program))
        if kind == "accountants" and options.measure:
            new = replaced(new, "measured", measured(options.program))
        if new != old and options.check:
            wrong.append(f"{page.name}: the table is not the program's; run docs/tables.py")
        headings = " ".join(re.findall(r"^##+ (.*)$", new, re.MULTILINE))
        for entry in listed(options.program, kind):
            if not re.search(rf"\b{entry['name']}\b", headings):
                wrong.append(f"{page.name}: no section on {entry['name']}")
        if new != old and not options.check:
            page.write_text(new)
    page = DOCS / "architecture.md"
    old = new = page.read_text()
    rows, everywhere = [], {path.parent.relative_to(DOCS.parent) for layer in LAYERS
                            for ending in SOURCES for path in (DOCS.parent / layer).rglob(f"*{ending}")
                            if path.parent.name != "examples"}
    wrong += [f"{folder}/: no line in FOLDERS" for folder in map(str, everywhere)
              if folder not in FOLDERS]
    for folder, sentence in FOLDERS.items():
        table = files(folder)
        wrong += [f"{folder}/: no opening comment: {row}" for row in table if row.endswith("|  |")]
        rows += [f"### {folder}/", "", sentence, "", *table, ""]
    new = replaced(new, "files", rows[:-1])
    if new != old and options.check:
        wrong.append("architecture.md: the file map is not that of the sources; run docs/tables.py")
    if new != old and not options.check:
        page.write_text(new)
    for line in wrong:
        print(line)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
