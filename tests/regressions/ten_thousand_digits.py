"""At 600 digits the inversion of a closed form took 6 s, at 1000 it failed: the search measured
heights in doubles, which have no number below 1e-323, and took the noise for the crossing."""
import pathlib
import re
import resource
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from _program import expect, finish, run  # noqa: E402


def seconds_of_children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def digits_in_common(a, b):
    a, b = (re.sub(r"[.]|^0[.]0*", "", text.split("e")[0]) for text in (a, b))
    return next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))


for digits in (500, 600, 1000, 10000):
    for query in (["epsilon", "gaussian(sigma=1)", "--delta", "1e-5"],
                  ["epsilon", "gaussian(sigma=3/2)^1000", "--delta", "1e-300"],
                  ["delta", "gaussian(sigma=1)", "--epsilon", "1/3"],
                  ["delta", "gaussian(sigma=1)^100", "--epsilon", "100"]):
        before = seconds_of_children()
        result = run(*query, "--digits", str(digits), "--json")
        spent = seconds_of_children() - before
        expect(result.status == 0, f"{query} {digits}: {result.status} {result.err[:300]}")
        if result.status != 0:
            continue
        report = result.json()
        expect(spent < 10, f"{query} {digits}: {spent} s")
        common = digits_in_common(report["lower"], report["upper"])
        expect(common >= digits - 3, f"{query} {digits}: {common} digits in common")

# The first digits are those of fewer digits.
short = run("epsilon", "gaussian(sigma=1)", "--delta", "1e-5", "--digits", "50", "--json").json()
long = run("epsilon", "gaussian(sigma=1)", "--delta", "1e-5", "--digits", "1000", "--json").json()
expect(digits_in_common(short["lower"], long["lower"]) >= 48, f"{short} {long}")

finish()
