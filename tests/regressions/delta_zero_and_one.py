#!/usr/bin/env python3
"""delta lies in [0, 1], ends included (docs: interface), but --delta 0 and --delta 1 were refused.

delta = 1 gives epsilon = 0. delta = 0 gives the greatest loss: finite for mechanisms that are
purely private, inf where the loss has no bound or mass at infinity.
"""
import sys
import pathlib
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from _program import *

# spec, and max(0, ess sup L) at delta = 0: exact text, or lower and upper end
GREATEST = [
    ("pure(1/3)^7", "7/3"),
    ("pure(0.1)^3 * laplace(2)", "4/5"),
    ("laplace(scale=4)^10", "5/2"),
    ("discrete_laplace(scale=3, sensitivity=2)^4", "8/3"),
    ("randomized_response(epsilon=1)", "1"),
    ("randomized_response(probability=3/4)", (1.0986122886681096, 1.0986122886681099)),
    ("approximate(epsilon=0.25, delta=0)^4", "1"),
    # log(1 + 0.1 (e - 1)) for remove
    ("poisson(pure(1), rate=0.1)", (0.15856507874042, 0.15856507874044)),
    ("gaussian(1)", "inf"),
    ("gaussian(1)^100 * laplace(3)", "inf"),
    ("poisson(gaussian(sigma=0.8), rate=0.004)^1000", "inf"),
    ("mixture(1, [0, 1], [1/2, 1/2])", "inf"),
    ("group(poisson(gaussian(2), rate=0.1), size=3)^5", "inf"),
    ("without_replacement(gaussian(4), batch=10, population=1000, adjacency=replace)", "inf"),
    ("with_replacement(gaussian(4), batch=10, population=1000)", "inf"),
    ("pair(without_replacement, sigma=2, rate=0.01)", "inf"),
    ("discrete_gaussian(sigma=3)", "inf"),
    ("approximate(epsilon=0.25, delta=1e-9)^4", "inf"),
    ("poisson(approximate(epsilon=1, delta=1e-6), rate=0.1)", "inf"),
]

for spec, truth in GREATEST:
    for digits in ("12", "40"):
        result = run("epsilon", spec, "--delta", "0", "--json", "--digits", digits)
        expect(result.status == 0, f"{spec} at delta = 0: status {result.status}, {result.err!r}")
        if result.status not in (0, 4):
            continue
        answer = result.json()
        what = f"{spec} at delta = 0: {answer['lower']}, {answer['upper']}"
        expect(answer["query"] == {"delta": "0"} and answer["certified"], what)
        if truth == "inf":
            expect(answer["lower"] == answer["upper"] == "inf", what)
        elif isinstance(truth, str):
            expect(exact(answer["lower"]) <= exact(truth) <= exact(answer["upper"]), what)
        else:
            expect(float(answer["lower"]) <= truth[1] and float(answer["upper"]) >= truth[0], what)
        expect(result.seconds < 20, f"{spec}: {result.seconds} s")
    result = run("epsilon", spec, "--delta", "1", "--json")
    expect(result.status == 0, f"{spec} at delta = 1: status {result.status}, {result.err!r}")
    if result.status == 0:
        answer = result.json()
        expect(answer["lower"] == answer["upper"] == "0", f"{spec} at delta = 1: {answer}")

for delta, value in (("0", "inf"), ("1", "0")):
    result = run("compare", "poisson(gaussian(1), rate=0.1)^10", "--delta", delta, "--json")
    expect(result.status == 0, f"compare at delta = {delta}: {result.status} {result.err!r}")
    for entry in result.json()["accountants"] if result.status == 0 else []:
        expect("internal" not in entry["verdict"], f"delta = {delta}: {entry}")
        if entry.get("certified"):
            expect(exact(entry["lower"]) <= 0 if value == "0" else entry["upper"] == "inf",
                   f"delta = {delta}: {entry}")
result = run("curve", "pure(1/2)", "--delta", "1e-3:1:4")
expect(result.status == 0 and result.out.splitlines()[-1].startswith("1,0,0,"), result.out)
expect_refused(["--delta", "log"], "curve", "pure(1/2)", "--delta", "0:1:4")
for bad in ("-1", "1.0000001", "2", "-1e-9"):
    expect_refused("0 <= delta <= 1", "epsilon", "pure(1)", f"--delta={bad}")
finish()
