"""Straight contours with ranges, the kinds `pinch` and `cut`, certificates made by hand (_ranges.py): both checkers accept what the
Python one finds, hence agree on each bound and each error to 1e-6 (on those of ranges to a large factor), refuse what is
more, and contain the truth. Where numpy is there, Python bounds long ranges by its vectors; it says which.

usage: checker_ranges.py [ALL]     (ALL: also the large ones; prints the seconds of both checkers)

Of each, more than is proven is claimed at one of the two ends in turn; with PLAUDIT_SLOW=1 at both.
"""
import os
import pathlib
import sys
import time
from fractions import Fraction

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from _certificates import changed, expect_rejected, verdicts  # noqa: E402
from _program import expect, finish  # noqa: E402
import _ranges  # noqa: E402
from _schema import problems  # noqa: E402
import json  # noqa: E402

SCHEMA = json.loads((_ranges.ROOT / "docs" / "certificate.schema.json").read_text(encoding="utf-8"))
LARGE = len(sys.argv) > 1
SLOW = LARGE or os.environ.get("PLAUDIT_SLOW", "0") != "0"


def ranged(spec, direction, epsilon, digits=20, height=None, block=None):
    """Kind `straight`: ranges by halves up to a height or, with a block, one that is bounded block by block."""
    search = _ranges.Search(spec, direction, epsilon, None, digits)
    return search.choices(**sides(search, height, block))


def sides(search, height, block):
    """`nodes` and `ranges`."""
    nodes = search.nodes(5.0)
    last = max(search.last_node(height), nodes + 8)
    if block is None:
        return {"nodes": nodes, "ranges": search.halved(nodes, last)}
    count = -(-(last - nodes) // block)
    return {"nodes": nodes, "ranges": {"ends": [nodes + count * block], "how": [2], "block": block}}


def pinch(spec, direction, epsilon, tau, ratio=2, digits=15, block=None, spread=12):
    """Kind `pinch`, up to where the Gaussian rules."""
    choices = {"tau": [1, tau], "ratio": [ratio, 0]}
    for name, rate in (("near", Fraction(2) ** tau), ("far", ratio * Fraction(2) ** tau)):
        search = _ranges.Search(spec, direction, epsilon, rate, digits)
        choices[name] = search.choices(**sides(search, spread / float(rate), block))
    return choices


# (kind, spec, adjacency, direction, epsilon, choices)
RANGES = ("straight", "laplace(scale=10)^100 * discrete_laplace(scale=10)^100 * gaussian(sigma=200)", "as_stated", "remove", "5",
          lambda *args: ranged(*args, 10, height=500))
PINCH = ("pinch", "approximate(epsilon=0.1, delta=1e-9)^30 * laplace(scale=10)^10", "as_stated", "remove", "1",
         lambda *args: pinch(*args, tau=-4, digits=8))
# t < -1: of a cut law there are no values but those of the whole, widened by what was cut
CUT_RULE = {"eta": [1, 0], "v": [1, 0], "d": [1, -2], "first": -60, "last": 60}
CUT = ("cut", "poisson(gaussian(sigma=1), rate=0.5)", "add_remove", "remove", "2", lambda *_: {
    "t": [-2, 0], "h": [1, -2], "nodes": 400, "residues": 2, "left_order": [3, 0],
    "factors": [{"cut": [5, 0], "line": CUT_RULE, "decay": CUT_RULE}]})
POISSON = "poisson(discrete_gaussian(sigma=2), rate=0.01)^1000", "add_remove"
NOISE = "discrete_gaussian(sigma=10)^100 * discrete_gaussian(sigma=7)^100", "as_stated", "remove", "9.3290542812711"
MIXED = "laplace(scale=10)^100 * discrete_laplace(scale=10)^100", "as_stated", "remove", "7.126"
MANY = "laplace(scale=16.8)^854444 * laplace(scale=0.989)^806", "as_stated", "remove", "2100"
SMALL = [RANGES, PINCH, CUT,
         ("pinch", *POISSON, "remove", "0.622", lambda *args: pinch(*args, tau=-7, block=1)),
         ("pinch", *POISSON, "add", "0.622", lambda *args: pinch(*args, tau=-7, block=1)),
         ("pinch", *NOISE, lambda *args: pinch(*args, tau=-6, digits=8)),
         # |M| comes back to M(t): nodes far out are summed
         ("pinch", "discrete_gaussian(sigma=2)^9 * pure(epsilon=0.5)^4", "as_stated", "remove", "4.2",
          lambda *args: pinch(*args, tau=-4, digits=8))]
ALL = [("pinch", *POISSON, "remove", "0.622", lambda *args: pinch(*args, tau=-10, block=1)),
       ("pinch", *POISSON, "remove", "0.622", lambda *args: pinch(*args, tau=-13, block=1)),
       ("pinch", *POISSON, "remove", "0.622", lambda *args: pinch(*args, tau=-16, block=1)),
       ("pinch", *NOISE, lambda *args: pinch(*args, tau=-10, digits=8)),
       ("pinch", *MIXED, lambda *args: pinch(*args, tau=-10, digits=12)),
       ("straight", *MANY, lambda *args: ranged(*args, 15, height=100))]


def made(kind, spec, adjacency, direction, epsilon, make):
    """The certificate of what the Python checker finds."""
    choices = make(spec, direction, epsilon)
    start = time.time()
    s, low, high = _ranges.statement(kind, spec, direction, epsilon, choices)
    print(f"{kind} of {spec}, {direction}: [{float(low):.15g}, {float(high):.15g}], relative width "
          f"{float((high - low) / high):.2g}, Python {time.time() - start:.2f} s", flush=True)
    expect(0 < low < high < 1, "no bounds")
    return _ranges.claim(spec, epsilon, s, low, high, adjacency)


def examine(example):
    c = made(*example)
    found = problems(c, SCHEMA, SCHEMA)
    expect(not found, f"{example[1]}: not as the schema says: {found[:3]}")
    for s in c["statements"]:
        one = {**c, "statements": [s], "lower": s.get("at_least", "0"), "upper": s.get("at_most", "1")}
        for name, result in verdicts(one, processes=False, timeout="600").items():
            expect(result.status == 0, f"{example[:4]}, {name}: {result.out}")
            print(f"    {name}: {result.seconds:.2f} s", flush=True)
    return c


def main():
    vectors = _ranges.ranges.vectors_for(1 << 20, 1) is not None
    print(f"ranges of {_ranges.ranges.LEAST} blocks or more: " + ("vectors" if vectors else "no numpy, hence one by one"))
    for example in SMALL + (ALL if LARGE else []):
        c = examine(example)
        if example in ALL:
            continue
        upper, lower = c["statements"]
        turn = SMALL.index(example) % 2
        for s, verb, factor in ((upper, "at_most", Fraction(999999, 1000000)), (lower, "at_least", Fraction(1000001, 1000000)))[slice(None) if SLOW else slice(turn, turn + 1)]:
            more = changed(s, verb, _ranges.text(Fraction(s[verb]) * factor))
            one = {**c, "statements": [more], "lower": more.get("at_least", "0"), "upper": more.get("at_most", "1")}
            expect_rejected(f"more than is proven, {verb}", one, ["not proven"], processes=False)
    finish()


if __name__ == "__main__":
    main()
