#!/usr/bin/env python3
"""The adjacency of an answer was printed nowhere: a band for replaced records, for removed ones or
for a pair of laws that is no privacy guarantee looked alike. Now it is in text, JSON, --explain,
curves (CSV, JSON, the picture's title), compare, audits (text, JSON, Markdown, HTML) and the list
of mechanisms; mixed products and noise multipliers under replace are refused with both factors
or both readings named.
"""
import csv
import io
import sys
import tempfile
import pathlib
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from _program import *

POISSON = "poisson(gaussian(sigma=1), rate=0.01)"
REPLACE = "without_replacement(gaussian(1), batch=10, population=1000, adjacency=replace)"
PAIR = "pair(without_replacement, sigma=1, rate=0.01)"
# spec, kind, group size, guarantee, words of the text
CASES = [
    ("gaussian(1) * laplace(2)", "as_stated", 1, True, "adjacency as_stated"),
    (POISSON, "add_remove", 1, True, "adjacency add_remove"),
    (f"group({POISSON}, size=4)", "add_remove", 4, True,
     "adjacency add_remove, groups of up to 4 records"),
    (REPLACE, "replace", 1, True, "adjacency replace"),
    (PAIR, "none", 1, False, "adjacency none, no privacy guarantee"),
    ("pate([180, 10, 10], sigma=20)", "this_data_set", 1, False,
     "adjacency this_data_set, no privacy guarantee; the number is private"),
    ("pair(poisson, sigma=1, rate=0.01)", "add_remove", 1, True, "adjacency add_remove"),
]


def check(found, kind, size, guarantee, what):
    expect(found.get("adjacency") == kind and found.get("group_size") == size, f"{what}: {found}")
    expect(("guarantee" in found) == (not guarantee), f"{what}: {found}")
    expect(guarantee or found.get("guarantee") is False, f"{what}: {found}")


folder = pathlib.Path(tempfile.mkdtemp())
for spec, kind, size, guarantee, words in CASES:
    queries = [("epsilon", "--delta", "1e-5"), ("delta", "--epsilon", "1"),
               ("compare", "--epsilon", "1", "--accountant", "moments" if spec.startswith("pate") else "contour")]
    for command, *query in queries:
        result = run(command, spec, *query, "--json", "--digits", "3")
        expect(result.status in (0, 4), f"{command} {spec}: {result.status} {result.err}")
        check(result.json(), kind, size, guarantee, f"{command} {spec}")
        for more in ([], ["--explain"]) if command != "compare" else ([],):
            text = run(command, spec, *query, "--digits", "3", *more).out
            expect(words + ("\n" if guarantee else ":") in text, f"{command} {more} {spec}: {text}")
            expect(guarantee == ("no privacy guarantee" not in text), f"{command} {spec}: {text}")
    curves = [("--epsilon", "0:1:1"), ("--delta", "1e-5:1e-3:2")]
    if not spec.startswith("pate"):  # of bounded moments no divergence is known
        curves.append(("--renyi", "2:3:1"))
    for query in curves:
        result = run("curve", spec, *query, "--json", "--digits", "3")
        check(result.json(), kind, size, guarantee, f"curve {query} {spec}")
        rows = list(csv.DictReader(io.StringIO(run("curve", spec, *query, "--digits", "3").out)))
        expect(len(rows) == 2, f"curve {spec}: {rows}")
        for row in rows:
            expect((row["adjacency"], row["group_size"], row["guarantee"]) ==
                   (kind, str(size), str(guarantee).lower()), f"curve {query} {spec}: {row}")

# An audit of one claim for each.
claims = [{"id": f"claim{i}", "spec": case[0], "kind": "upper", "delta": "1e-5", "epsilon": "100"}
          for i, case in enumerate(CASES)]
(folder / "claims.json").write_text(json.dumps(claims))
markdown, html = folder / "audit.md", folder / "audit.html"
result = run("audit", str(folder / "claims.json"), "--json")
for found, (spec, kind, size, guarantee, words) in zip(result.json()["claims"], CASES):
    check(found, kind, size, guarantee, f"audit {spec}")
text = run("audit", str(folder / "claims.json"), "--markdown", str(markdown), "--html", str(html)).out
for spec, kind, size, guarantee, words in CASES:
    shown = words.removeprefix("adjacency ")
    expect(shown in text, f"audit, text: {shown}: {text}")
    expect(shown.replace("_", "\\_") in markdown.read_text(), f"audit, Markdown: {shown}")
    expect(f"adjacency {shown}<" in html.read_text(), f"audit, HTML: {shown}")

# The file of a law says it in its own words, whatever they are; CSV takes them as words.
law = folder / "it's a law.json"
law.write_text(json.dumps({"adjacency": "my \"own\", 'one'",
                           "both": {"losses": ["-1/2", "1/4"], "masses": ["1/4", "3/4"]}}))
spec = f'pld(file="{law}")'
check(run("delta", spec, "--epsilon", "0", "--json").json(), "my \"own\", 'one'", 1, True, "pld")
rows = list(csv.DictReader(io.StringIO(run("curve", spec, "--epsilon", "0:1:1").out)))
expect([row["adjacency"] for row in rows] == ["my \"own\", 'one'"] * 2, f"pld, CSV: {rows}")
for spec, words in ((spec, "adjacency "), (PAIR, "no privacy guarantee")):
    result = run("curve", spec, "--epsilon", "0:1:1", "--svg", str(folder / "a.svg"))
    expect(result.status == 0, f"--svg {spec}: {result.err}")
    expect(words in (folder / "a.svg").read_text(), f"--svg {spec}: its adjacency")

for kind in json.loads(run("list", "mechanisms", "--json").out):
    expect(any(word in kind["adjacency"] for word in
               ("as_stated", "add_remove", "replace", "that of the mechanism", "the file states", "this_data_set")),
           f"list: {kind['name']}: {kind['adjacency']}")

for spec, words in (
        (f"{REPLACE} * {POISSON}", ["without_replacement(", "poisson(", "replace", "add_remove"]),
        (f"group({POISSON}, size=4) * {POISSON}", ["group(", "groups of up to 4 records", "'poisson("]),
        (f"{PAIR} * {POISSON}", ["pair(", "no privacy guarantee", "'poisson("]),
        (f"group({POISSON}, size=4) * group({POISSON}, size=2)", ["up to 4 records", "up to 2 records"]),
        (REPLACE.replace("gaussian(1)", "gaussian(noise_multiplier=1)"),
         ["noise_multiplier=1", "gaussian(sigma=1)", "gaussian(sigma=1, sensitivity=2)"])):
    expect_refused(words, "epsilon", spec, "--delta", "1e-5")
finish()
