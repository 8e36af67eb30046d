"""A table of forgeries made by hand: claims beyond the truth, with an attack on what would have to prove them.

Each row names an honest certificate, what is claimed beyond the truth, and what else was changed: the choices of the
statement that has to prove it, its precision, the frame around it. All are rejected by both checkers, in words and not by
an exception. Without PLAUDIT_SLOW=1 each change of the frame is made to every fifth of the honest certificates, of the kinds
whose statements take the longest every tenth; and each of the choices of these to one of the two ends, in turn.
"""
import copy
import os
import pathlib
import sys
from fractions import Fraction
from math import exp, expm1, log

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from _certificates import certificate, expect_accepted, expect_rejected, laws_of, trivial  # noqa: E402
from _program import expect, finish  # noqa: E402
import checker_ranges  # noqa: E402

HONEST = {
    "mixture": ("epsilon", "poisson(gaussian(sigma=1), rate=0.01)^10000", "1e-5", "3"),
    "sampled": ("epsilon", "poisson(laplace(scale=1), rate=0.1)^50", "1e-6", "1"),
    "lattice": ("delta", "pure(epsilon=0.1)^50", "1", "6"),
    "laplace": ("epsilon", "laplace(scale=5)^20", "1e-6", "6"),
    "atoms": ("epsilon", "poisson(pure(epsilon=1), rate=0.2)^5 * discrete_laplace(scale=3, sensitivity=2)^2", "1e-3", "6"),
    "one step": ("delta", "poisson(gaussian(sigma=1), rate=0.01)", "0.5", "10"),
    "gaussian": ("epsilon", "gaussian(sigma=10)^2", "1e-5", "8"),
    "infinite": ("epsilon", "approximate(epsilon=0.1, delta=0.0001)^100", "1e-5", "8"),
    "tie": ("delta", "randomized_response(probability=0.75)", "0", "8"),
    "file": ("delta", "approximate(epsilon=0.5, delta=0.001)^3", "0.2", "8"),
    "range": ("epsilon", "bounded_range(epsilon=0.5)^20", "1e-5", "6"),
    "stream": ("epsilon", "toeplitz(coefficients=[1, 0.5], steps=9, sigma=4, participations=2, min_separation=1)", "1e-5", "6"),
    "moments": ("epsilon", "tcdp(rho=0.1, omega=3)^4", "1e-5", "6"),
    "allocation": ("delta", "random_allocation(gaussian(sigma=1), steps=3)^2", "1", "1"),
    "greatest atom": ("epsilon", "poisson(laplace(scale=8.47), rate=0.124)^2", "1e-60", "12"),
}
SLOW = os.environ.get("PLAUDIT_SLOW", "0") != "0"
LEFT = {"t": [-3, 0], "h": [1, -2], "nodes": 80, "residues": 2, "left_order": [8, 0], "factors": [{}, {}]}
BY_HAND = {"ranges": checker_ranges.RANGES, "pinch": checker_ranges.PINCH, "cut": checker_ranges.CUT,
           "left": ("straight", "gaussian(sigma=2) * laplace(scale=50)", "as_stated", "remove", "0.1", lambda *_: LEFT)}
TINY, HUGE, ZERO, MINUS, ONE = [1, -1000], [1, 1000], [0, 0], [-1, 0], [1, 0]
RULE = {"eta": ZERO, "v": [1, -3], "d": [1, -3], "first": 0, "last": 0}
DROP = object()
DEAR = ["sampled", "cut", "ranges", "pinch", "allocation"]

# (honest certificate, "upper" or "lower", path within the choices of the statement that proves it, what is put there)
CHOICES = [
    *[("mixture", end, path, value) for end in ("upper", "lower") for path, value in [
        (("t",), TINY), (("t",), HUGE), (("t",), MINUS), (("t",), ZERO), (("h",), TINY), (("h",), HUGE), (("h",), MINUS),
        (("nodes",), 1), (("nodes",), 0), (("nodes",), 10**9), (("residues",), 1), (("residues",), 2), (("residues",), 3),
        (("right_order",), DROP), (("right_order",), HUGE), (("right_order",), ZERO), (("left_order",), DROP),
        (("left_order",), TINY), (("left_order",), ZERO), (("left_order",), MINUS), (("left_order",), HUGE),
        (("factors",), []), (("factors",), [{}, {}]), (("factors",), [{}]),
        (("factors", 0, "axis"), DROP), (("factors", 0, "line"), DROP), (("factors", 0, "decay"), DROP),
        (("factors", 0, "axis"), RULE), (("factors", 0, "line"), RULE), (("factors", 0, "decay"), RULE), (("factors", 0, "right"), RULE),
        (("factors", 0, "left"), RULE), (("factors", 0, "axis", "v"), HUGE), (("factors", 0, "axis", "v"), ZERO),
        (("factors", 0, "axis", "d"), HUGE), (("factors", 0, "axis", "d"), MINUS), (("factors", 0, "axis", "first"), 1),
        (("factors", 0, "axis", "last"), -1), (("factors", 0, "line", "eta"), [3, 0]), (("factors", 0, "line", "eta"), MINUS),
        (("factors", 0, "line", "v"), TINY), (("factors", 0, "decay", "eta"), [3, 0]), (("factors", 0, "decay", "eta"), ZERO),
        (("factors", 0, "right", "last"), 0), (("factors", 0, "kept"), 1), (("factors", 0, "cut"), ONE)]],
    *[("sampled", end, path, value) for end in ("upper", "lower") for path, value in [
        (("t",), TINY), (("h",), HUGE), (("nodes",), 1), (("residues",), 1), (("right_order",), DROP), (("left_order",), DROP),
        (("factors", 0), {}), (("factors", 0, "axis"), RULE), (("factors", 0, "line"), RULE)]],
    *[("left", end, path, value) for end in ("upper", "lower") for path, value in [
        (("t",), MINUS), (("t",), [-1, -1]), (("t",), TINY), (("t",), ZERO), (("t",), [-8, 0]), (("t",), [-9, 0]), (("h",), HUGE),
        (("h",), [8, 0]), (("nodes",), 1), (("nodes",), 10), (("residues",), 1), (("right_order",), ONE), (("left_order",), DROP),
        (("left_order",), ONE), (("left_order",), TINY), (("left_order",), [3, 0]), (("factors",), [{}])]],
    *[("cut", end, path, value) for end in ("upper", "lower") for path, value in [
        *[(("factors", 0, "cut"), value) for value in ([1, -10], [1, -2], ONE, [3, 0], TINY, HUGE, ZERO, MINUS, DROP)], (("t",), MINUS),
        (("t",), [-1, -1]), (("t",), ONE), (("t",), [-4, 0]), (("t",), HUGE), (("h",), HUGE), (("nodes",), 1), (("residues",), 1),
        (("right_order",), [3, 0]), (("left_order",), DROP), (("left_order",), ONE), (("left_order",), [2, 0]),
        *[(("factors", 0, rule), value) for rule in ("line", "axis", "decay", "left") for value in (DROP, RULE)]]],
    *[("lattice", end, path, value) for end in ("upper", "lower") for path, value in [
        (("tilt",), TINY), (("tilt",), HUGE), (("tilt",), MINUS), (("tilt",), ZERO), (("right_order",), TINY), (("right_order",), HUGE),
        (("left_order",), ZERO), (("left_order",), [2, 0]), (("left_order",), TINY), (("period",), 1), (("period",), 2), (("period",), 3),
        (("period",), 0), (("period",), 1 << 22), (("ends",), []), (("ends",), [0]), (("ends",), [-1]), (("summed",), []),
        (("summed", 0), 0), (("summed", 0), 2), (("summed", 0), -1)]],
    *[("laplace", end, path, value) for end in ("upper", "lower") for path, value in [
        (("draws",), 1), (("draws",), 0), (("draws",), 21), (("draws",), 1_000_000), (("first",), 1), (("first",), 10), (("first",), 20),
        (("first",), -1), (("order",), TINY), (("order",), MINUS), (("order",), HUGE), (("window_order",), TINY), (("window_order",), MINUS),
        (("part",), TINY), (("part",), MINUS), (("part",), HUGE)]],
    *[("atoms", end, path, value) for end in ("upper", "lower") for path, value in [
        (("outer",), []), (("inner",), []), (("outer", 0, "count"), 0), (("outer", 0, "count"), -1), (("inner", 0, "count"), 10),
        (("outer", 0), {"count": 0}), (("inner", 0), {"count": 0}), (("outer", 1), {"count": 0}), (("outer", 0, "lows"), []),
        (("outer", 0, "lows"), [0, 0, 0]), (("outer", 0, "highs"), [0, 0]), (("outer", 0, "highs"), [100, 100]),
        (("outer", 0, "lows"), [-1, -1]), (("outer", 0, "first"), 0), (("inner", 0, "last"), 0)]],
    *[("range", end, path, value) for end in ("upper", "lower") for path, value in [
        (("t",), TINY), (("h",), HUGE), (("nodes",), 1), (("residues",), 1), (("right_order",), DROP), (("left_order",), DROP),
        (("factors", 0), {"axis": RULE}), (("factors",), [])]],
    *[("moments", "upper", path, value) for path, value in [
        (("order",), [3, 0]), (("order",), [2, 0]), (("order",), HUGE), (("order",), MINUS), (("order",), [-1, -1]), (("order",), [-3, 0]),
        (("order",), ZERO), (("factors",), []), (("factors", 0), {"moment": RULE})]],
    *[("allocation", end, ("factors", 0, "blocks", *path), value) for end in ("upper", "lower") for path, value in [
        ((0,), {}), ((0, "axis"), DROP), ((0, "line"), DROP), ((0, "line", 0, "height"), ZERO), ((0, "line", 0, "order"), 0),
        ((0, "line", 0, "step"), 100), ((0, "left", "points"), 0)]],
    *[("allocation", "upper", ("factors", 0, "blocks", 0, *path), value) for path, value in [
        (("line",), []), *[(("line", 0, field), value) for field, value in [
            ("order", 1001), ("theta", [3, -1]), ("theta", MINUS), ("parts", 1), ("step", 0), ("first", 0), ("last", -5), ("gamma_first", 0),
            ("gamma_last", 0), ("right_order", ZERO), ("right_order", TINY), ("turn", [3, -1]), ("width", HUGE), ("width", TINY),
            ("width", ZERO), ("stride", 1000), ("points", 0), ("bits", 32), ("bits", 31)]],
        (("axis", "theta"), ONE), (("axis", "last"), 0), (("axis", "first"), 0), (("axis", "step"), 100)]],
    *[("one step", end, path, value) for end in ("upper", "lower") for path, value in [
        (("below",), "-1000"), (("below",), "1000"), (("above",), "-1000"), (("above",), "1000"), (("above",), DROP), (("below",), "inf"),
        (("below",), 0)]],
    *[("ranges", end, ("ranges", *path), value) for end in ("upper", "lower") for path, value in [
        (("ends",), []), (("ends",), DROP), (("ends",), [1]), (("ends",), [1 << 40]), (("ends", 0), 0), (("ends", 0), 1 << 40),
        (("ends", 1), 1), (("ends", 2), -5), (("ends", 0), True), (("how",), []), (("how",), DROP), (("how", 0), 3), (("how", 0), 2),
        (("how", 0), -1), (("how", 0), 0), (("how", 1), 0), (("how", 2), 0), (("block",), 1), (("block",), 0), (("first",), 1)]],
    *[("ranges", end, path, value) for end in ("upper", "lower") for path, value in [
        (("ranges",), DROP), (("ranges",), {}), (("ranges",), []), (("ranges",), {"ends": [10**6], "how": [0]}),
        (("ranges",), {"ends": [1 << 40], "how": [1]}), (("ranges",), {"ends": [1 << 41], "how": [0]}), (("nodes",), 1), (("h",), HUGE),
        (("ranges",), {"ends": [(1 << 30) + 8], "how": [2], "block": 1}), (("ranges",), {"ends": [10**6], "how": [2], "block": 1 << 40})]],
    *[("pinch", end, path, value) for end in ("upper", "lower") for path, value in [
        (("tau",), TINY), (("tau",), HUGE), (("tau",), MINUS), (("tau",), ZERO), (("tau",), ONE), (("tau",), DROP), (("ratio",), ONE),
        (("ratio",), ZERO), (("ratio",), MINUS), (("ratio",), [1, -1]), (("ratio",), [1, 9]), (("ratio",), HUGE), (("ratio",), DROP),
        (("ratio",), [(1 << 52) + 1, -52]), (("far",), DROP), (("near",), DROP), (("far",), {}), (("near",), {}), (("far",), "near"),
        (("between",), {})]],
    *[("pinch", end, (side, *path), value) for end in ("upper", "lower") for side in ("near", "far") for path, value in [
        (("t",), MINUS), (("t",), TINY), (("h",), HUGE), (("h",), MINUS), (("nodes",), 1), (("residues",), 2), (("right_order",), DROP),
        (("left_order",), DROP), (("factors",), []), (("factors",), [{}, {}, {}]), (("ranges",), DROP), (("ranges", "how", 0), 3),
        (("ranges", "how", 1), 0), (("ranges", "ends", 0), 0), (("ranges", "ends", 1), 1 << 40), (("ranges", "block"), 4)]],
]


def forged(honest, end, beyond=True):
    """The claim is moved beyond the truth, the statement that has to prove it along; -> (certificate, statement). Without
    `beyond` only the other end is given up, which leaves an honest certificate."""
    c = copy.deepcopy(honest)
    low, high = (None if c[name] == "inf" else Fraction(c[name]) for name in ("lower", "upper"))
    verbs = ("at_most",) if end == "upper" else ("at_least", "exceeds_before")
    if end == "upper":
        value = low * Fraction(9, 10) if beyond else high
        c.update(upper=text(value), lower="0")
    else:
        value = high * Fraction(11, 10) if beyond else low
        c.update(lower=text(value), upper="inf" if c["quantity"] == "epsilon" else "1")
    found = [s for s in c["statements"] if any(verb in s for verb in verbs)]
    expect(bool(found), f"no statement proves the {end} end of {honest['spec']}")
    for s in found if beyond else []:
        s["epsilon" if c["quantity"] == "epsilon" else next(verb for verb in verbs if verb in s)] = text(value)
    c["statements"] = found
    # the statement of the direction that decides: the kind of the greatest effort
    return c, max(found, key=lambda s: len(s["choices"]))


def text(value):
    return str(value.numerator) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"


def put(inside, path, value):
    """False where the path does not exist."""
    *outer, last = path
    for key in outer:
        if not (isinstance(inside, dict) and key in inside or isinstance(inside, list) and isinstance(key, int) and key < len(inside)):
            return False
        inside = inside[key]
    if isinstance(inside, list) and not last < len(inside):
        return False
    if value is DROP:
        return isinstance(inside, dict) and inside.pop(last, DROP) is not DROP
    inside[last] = copy.deepcopy(value)
    return True


def each(change):
    """A change of every statement."""
    def apply(c):
        for s in c["statements"]:
            change(s)
    return apply


def rename(s, old, new):
    if old in s:
        s[new] = s.pop(old)


def of_delta(c):
    """The same numbers read as those of the other quantity."""
    c.update(quantity="delta" if c["quantity"] == "epsilon" else "epsilon")


# (honest certificate, which end, what was done, the change of the whole file)
FRAMES = [(name, end, what, change) for name in HONEST for end in ("upper", "lower") for what, change in [
    ("as it is", lambda c: None),
    ("no statements", lambda c: c.update(statements=[])),
    ("32 bits", each(lambda s: s.update(bits=32))),
    ("600 bits", each(lambda s: s.update(bits=600))),
    ("ends", each(lambda s: s.update(kind="ends", choices={}))),
    ("ends at infinity", each(lambda s: s.update(kind="ends", choices={}, epsilon="inf"))),
    ("exceeds_before", each(lambda s: rename(s, "at_least", "exceeds_before"))),
    ("exceeds_before by ends", each(lambda s: (rename(s, "at_least", "exceeds_before"), s.update(kind="ends", choices={})))),
    ("the other verb", each(lambda s: rename(s, *(("at_most", "at_least") if "at_most" in s else ("at_least", "at_most"))))),
    ("the other direction", each(lambda s: s.update(direction="add" if s["direction"] == "remove" else "remove"))),
    ("the other quantity", of_delta),
    ("epsilon 0", each(lambda s: s.update(epsilon="0"))),
    ("a bound of 0", each(lambda s: [s.update({verb: "0"}) for verb in ("at_most", "at_least", "exceeds_before") if verb in s])),
    ("a bound of 2", each(lambda s: [s.update({verb: "2"}) for verb in ("at_most", "at_least", "exceeds_before") if verb in s])),
]]

# Of an honest file, whose numbers stay: (what was done, the change, words of the reason).
FRAMES_ALONE = [
    ("a choice more", each(lambda s: s["choices"].update(more=[1, 0])), ["choices", "'more'"]),
    ("other choices", each(lambda s: s.update(choices={"more": [1, 0]})), ["choices"]),
    ("a field more in a statement", each(lambda s: s.update(more="1")), ["statements[0]", "'more'"]),
    ("a field more", lambda c: c.update(more="1"), ["'more'"]),
    ("another version", lambda c: c.update(plaudit_certificate=c["plaudit_certificate"] + 1), ["plaudit_certificate"]),
    ("a spec with a step more", lambda c: c.update(spec=c["spec"] + " * gaussian(sigma=77)"), ["laws are not those of the spec"]),
    ("another adjacency", lambda c: c.update(adjacency="replace" if c["adjacency"] != "replace" else "as_stated"), ["adjacency"]),
    ("another group", lambda c: c.update(group_size=c["group_size"] + 1), ["group_size"]),
    ("another guarantee", lambda c: c.update(guarantee=not c["guarantee"]), ["guarantee"]),
    ("laws of a step more", lambda c: [each[0].update(count=each[0]["count"] + 1) for each in c["laws"].values()], ["laws are not those of the spec"]),
    ("another law", lambda c: [each[0].update(law="Gaussian(mu = 1)") for each in c["laws"].values()], ["laws are not those of the spec"]),
    ("a law more", lambda c: [each.append(dict(each[0])) for each in c["laws"].values()], ["laws are not those of the spec"]),
    ("a field more in a law", lambda c: [each[0].update(more="1") for each in c["laws"].values()], ["laws are not those of the spec"]),
    ("laws of a third direction", lambda c: c["laws"].update(neither=[]), ["laws are not those of the spec"]),
    ("no laws", lambda c: c.update(laws={}), ["laws are not those of the spec"]),
    ("laws left out", lambda c: c.pop("laws"), ["laws"]),
    ("another type of number", lambda c: [each[0].update(count=True if each[0]["count"] == 1 else str(each[0]["count"])) for each in c["laws"].values()], ["laws are not those of the spec"]),
    ("a file more", lambda c: c.update(files={**c.get("files", {}), "unread.json": {}}), ["'unread.json'"]),
]

# Claims that are false for another reason than their numbers: the honest certificate, and what was changed in it.
OTHERS = [
    ("mixture", "the add direction alone", lambda c: c.update(statements=[s for s in c["statements"] if s["direction"] == "add" or "at_least" in s])),
    ("mixture", "the remove direction alone", lambda c: c.update(statements=[s for s in c["statements"] if s["direction"] == "remove"])),
    ("mixture", "remove twice", lambda c: c.update(statements=[s for s in c["statements"] if s["direction"] == "remove"] * 2)),
    ("mixture", "a step more", lambda c: c.update(spec="poisson(gaussian(sigma=1), rate=0.01)^10500")),
    ("mixture", "less noise", lambda c: c.update(spec="poisson(gaussian(sigma=0.99), rate=0.01)^10000")),
    ("mixture", "a greater rate", lambda c: c.update(spec="poisson(gaussian(sigma=1), rate=0.0101)^10000")),
    ("mixture", "fewer steps", lambda c: c.update(spec="poisson(gaussian(sigma=1), rate=0.01)^9500")),
    ("mixture", "no sample", lambda c: c.update(spec="gaussian(sigma=1)^10000", adjacency="as_stated")),
    ("mixture", "replace", lambda c: c.update(adjacency="replace")),
    ("mixture", "a group", lambda c: c.update(group_size=2)),
    ("mixture", "a smaller delta", lambda c: c.update(argument="9e-6")),
    ("mixture", "a greater delta", lambda c: c.update(argument="1.1e-5")),
    ("mixture", "delta 0", lambda c: c.update(argument="0")),
    ("mixture", "delta 2", lambda c: c.update(argument="2")),
    ("mixture", "at_least the argument, not more", lambda c: [s.update(at_least=c["argument"]) for s in c["statements"] if "at_least" in s]),
    ("mixture", "an empty band", lambda c: c.update(lower=c["upper"], upper=c["lower"])),
    ("mixture", "below 0", lambda c: c.update(lower="-2", upper="-1")),
    ("laplace", "a step more", lambda c: c.update(spec="laplace(scale=5)^21")),
    ("laplace", "less noise", lambda c: c.update(spec="laplace(scale=4.9)^20")),
    ("laplace", "gaussian noise", lambda c: c.update(spec="gaussian(sigma=5)^20")),
    ("lattice", "a step more", lambda c: c.update(spec="pure(epsilon=0.1)^51")),
    ("lattice", "a little less", lambda c: c.update(spec="pure(epsilon=0.0999)^50")),
    ("lattice", "with infinite mass", lambda c: c.update(spec="approximate(epsilon=0.1, delta=1e-9)^50")),
    ("atoms", "another order", lambda c: c.update(spec="discrete_laplace(scale=3, sensitivity=2)^2 * poisson(pure(epsilon=1), rate=0.2)^5")),
    ("atoms", "another count", lambda c: c.update(spec="poisson(pure(epsilon=1), rate=0.2)^6 * discrete_laplace(scale=3, sensitivity=2)^2")),
    ("one step", "two steps", lambda c: c.update(spec="poisson(gaussian(sigma=1), rate=0.01)^2")),
    ("one step", "another epsilon", lambda c: c.update(argument="0.4")),
    ("one step", "another epsilon, in the statements too", lambda c: (c.update(argument="0.4"), [s.update(epsilon="0.4") for s in c["statements"]])),
    ("gaussian", "a step more", lambda c: c.update(spec="gaussian(sigma=10)^3")),
    ("gaussian", "a factor more", lambda c: c.update(spec="gaussian(sigma=10)^2 * gaussian(sigma=50)")),
    ("stream", "one participation", lambda c: c.update(spec=c["spec"].replace(", participations=2", ""))),
    ("stream", "a longer separation", lambda c: c.update(spec=c["spec"].replace(")", ", min_separation=2)"))),
    ("stream", "shorter columns", lambda c: c.update(spec=c["spec"].replace("[1, 0.5]", "[1]"))),
    ("range", "another law of as great a loss", lambda c: c.update(spec="permute_and_flip(epsilon=0.5)^20")),
    ("moments", "a lower end", lambda c: (c.update(lower="0.001"), c["statements"].append(
        {**c["statements"][0], "epsilon": "0.001", "at_least": "0.00002", "kind": "moments"}) or c["statements"][-1].pop("at_most"))),
    ("moments", "a lower end by ends", lambda c: (c.update(lower="0.001"), c["statements"].append(
        {"direction": "remove", "epsilon": "0.001", "exceeds_before": "0.00001", "kind": "ends", "bits": 128, "choices": {}}))),
    ("allocation", "a step less", lambda c: c.update(spec="random_allocation(gaussian(sigma=1), steps=2)^2")),
    ("allocation", "an epoch more", lambda c: c.update(spec="random_allocation(gaussian(sigma=1), steps=3)^3")),
    ("allocation", "less noise", lambda c: c.update(spec="random_allocation(gaussian(sigma=0.99), steps=3)^2")),
    ("allocation", "two steps of three", lambda c: c.update(
        spec="random_allocation(gaussian(sigma=1), steps=3, selected=2, bound=blocks)^2")),
    ("moments", "orders without end", lambda c: c.update(spec="tcdp(rho=0.1, omega=2)^4")),
    ("infinite", "no infinite mass", lambda c: c.update(spec="pure(epsilon=0.1)^100")),
    ("infinite", "delta above the infinite mass", lambda c: c.update(argument="0.01")),
    ("cut", "what the whole law has beyond a cut at 2^-10", lambda c: (
        c.update(lower="0.9", upper="1", statements=[s for s in c["statements"] if "at_least" in s]),
        [(s.update(at_least="0.9"), s["choices"]["factors"][0].update(cut=[1, -10])) for s in c["statements"]])),
    ("tie", "above the tie", lambda c: [s.update({k: "5000000001/10000000000"}) or c.update(lower="5000000001/10000000000", upper="1")
                                        for s in c["statements"] for k in ("at_least",) if k in s]),
    ("tie", "below the tie", lambda c: [s.update({k: "4999999999/10000000000"}) or c.update(upper="4999999999/10000000000", lower="0")
                                        for s in c["statements"] for k in ("at_most",) if k in s]),
]

# What the greatest atom says of delta, by `ends`: spec, epsilon, direction, sum of the greatest losses, probability of it.
GREATEST = [
    ("pure(epsilon=1)^3", "2.5", "remove", 3, (1 / (1 + exp(-1))) ** 3),
    ("laplace(scale=2)^3 * pure(epsilon=1)", "2.4", "add", 2.5, 1 / 8 / (1 + exp(-1))),
    *[("poisson(laplace(scale=2), rate=0.25)^2", epsilon, direction, 2 * log(odds), mass**2) for epsilon, direction, odds, mass in [
        ("0.3", "remove", 0.75 + 0.25 * exp(0.5), (0.75 * exp(-0.5) + 0.25) / 2), ("0.2", "add", 1 / (0.75 + 0.25 * exp(-0.5)), 0.5)]],
]


def by_greatest_atom(spec, epsilon, direction, end, mass, factor):
    """A hand-made claim of `factor` times what the greatest atom proves."""
    value = text(Fraction(-mass * expm1(float(epsilon) - end) * factor))
    adjacency = "add_remove" if spec.startswith("poisson") else "as_stated"
    return trivial(spec, adjacency=adjacency, argument=epsilon, lower=value, statements=[
        {"direction": direction, "epsilon": epsilon, "at_least": value, "kind": "ends", "bits": 128, "choices": {}}])


def main():
    honest, count = {}, 0
    for name, query in HONEST.items():
        honest[name] = certificate(*query, timeout="1000")
    for name, example in BY_HAND.items():
        honest[name] = checker_ranges.made(*example)
    for name, c in honest.items():
        expect_accepted(name, c, processes=False)
        print(name, [s["kind"] for s in c["statements"]], flush=True)

    ends = [(name, end) for name in honest for end in ("upper", "lower") if honest[name][end] not in ("inf", "0")]
    expect(len(ends) >= 18, f"only {len(ends)} ends of bands")
    for name, end in ends:
        expect_accepted(f"{name}, {end}, nothing forged", forged(honest[name], end, False)[0], processes=False)

    def check(what, c, words=()):
        nonlocal count
        count += 1
        expect_rejected(what, c, words, processes=False, longest=120)

    places = {}
    for name, end, path, value in CHOICES:
        place = places[name, end] = places.get((name, end), -1) + 1
        if not SLOW and name in DEAR and (name, "upper" if end == "lower" else "lower") in ends and place % 2 == (end == "lower"):
            continue
        c, statement = forged(honest[name], end)
        if put(statement["choices"], path, value):
            check(f"{name}, {end}, {path}: {'dropped' if value is DROP else value}", c)
    changes = len(FRAMES) // (2 * len(HONEST))  # of each end of each honest certificate
    for place, (name, end, what, change) in enumerate(FRAMES):
        if (name, end) not in ends or not SLOW and (place + place // changes + place // (2 * changes)) % (10 if name in DEAR else 5):
            continue
        c, _ = forged(honest[name], end)
        change(c)
        check(f"{name}, {end}, {what}", c)
    for turn, name in enumerate(HONEST):
        for what, change, words in FRAMES_ALONE if SLOW else FRAMES_ALONE[turn % 2::2]:
            c = copy.deepcopy(honest[name])
            change(c)
            check(f"{name}, {what}, the numbers as they were", c, words)
    for name, what, change in OTHERS:
        c = copy.deepcopy(honest[name])
        change(c)
        c["laws"] = laws_of(c["spec"], c.get("files"))
        check(f"{name}, {what}", c)
    for claim in GREATEST:
        expect_accepted(f"{claim[0]}, its greatest atom", by_greatest_atom(*claim, 1 - 1e-9), processes=False)
        check(f"{claim[0]}, more than its greatest atom", by_greatest_atom(*claim, 1 + 1e-9))
    expect(count >= 100, f"only {count} forgeries")
    print(f"{count} forgeries")
    finish()


main()
