"""Claims that are exactly true, or false by less than any digit shows, were left undecided.

A band never separates a number from itself: "epsilon(delta) <= 3/10" of approximate(epsilon=3/10,
delta=1/10) at delta = 1/10, where it is 3/10, or delta(0) = 1/2 of randomized_response(
probability=3/4), stayed undecided at any number of digits, and the queries answered [0.2979, inf]
or with an interval. Each line of the table is one kind of tie: a spec, a question and its answer
as a rational number. All claims that equal it, and all that are off by 10^-60, are judged here.
"""
import json
import math
import pathlib
import sys
import tempfile
from fractions import Fraction as F
from itertools import product as pairs

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from _program import expect, finish, run  # noqa: E402

FOLDER = tempfile.TemporaryDirectory()
BESIDE = F(1, 10**60)


def written(name, **fields):
    path = pathlib.Path(FOLDER.name) / name
    path.write_text(json.dumps({"adjacency": "add/remove", "both": fields}))
    return f'pld(file="{path}")'


# Outcomes (P, Q) of laws whose likelihood ratios are rational: delta(0) by brute force.
def composed(*laws):
    result = [(F(1), F(1))]
    for law in laws:
        result = [(p * a, q * b) for (p, q), (a, b) in pairs(result, law)]
    return result


def at_zero(*laws):
    return sum(max(p - q, 0) for p, q in composed(*laws))


def response(p):
    p = F(p)
    return [(p, 1 - p), (1 - p, p)]


def leaky(delta):
    """approximate(epsilon=0, delta): with probability delta all is revealed, to either side."""
    return [(1 - F(delta), 1 - F(delta)), (F(delta), F(0)), (F(0), F(delta))]


def removed(law, rate):
    return [((1 - F(rate)) * q + F(rate) * p, q) for p, q in law]


def response_power(p, n):
    """delta(0) of n randomized responses."""
    p = F(p)
    return sum(max(math.comb(n, k) * (p**k * (1 - p)**(n - k) - (1 - p)**k * p**(n - k)), 0)
               for k in range(n + 1))


ON = written("on_lattice.json", losses=["-1/2", "1/4"], masses=["1/4", "3/4"])
OFF = written("off_lattice.json", losses=["-1/3", "0.123456789", "22/7"],
              masses=["1/3", "1/3", "1/3"])
LEAKY = written("leaky.json", losses=["-1/2", "1/4"], masses=["1/5", "3/5"], infinite="1/5")
FLAT = written("flat.json", losses=[0], masses=["2/3"], infinite="1/3")
ONES = written("ones.json", losses=[-1, 1], masses=["1/4", "3/4"])
BELOW = written("below.json", losses=["-1/10"], masses=["9/10"], infinite="1/10")
LONG = written("long.json", losses=["-1/10", "0.1234567890123456789012345678901234567890123456789"],
               masses=["1/8", "7/8"])

RR = "randomized_response(probability=3/4)"
SAMPLED = "poisson(gaussian(sigma=2), rate=1/4)"
WITHOUT = "without_replacement(gaussian(sigma=4), batch=3, population=10, adjacency="
TABLE = []  # (spec, quantity, at, the exact answer, direction)


def epsilon(spec, delta, answer, direction="both"):
    TABLE.append((spec, "epsilon", F(delta), answer if answer == "inf" else F(answer), direction))


def delta(spec, epsilon_, answer, direction="both"):
    TABLE.append((spec, "delta", F(epsilon_), F(answer), direction))


# Randomized response: delta(0) is rational.
delta(RR, 0, "1/2")
epsilon(RR, "1/2", 0)
epsilon(RR, 1, 0)
delta(RR, 2, 0)
delta(RR + "^2", 0, at_zero(response("3/4"), response("3/4")))
epsilon(RR + "^2", at_zero(response("3/4"), response("3/4")), 0)
delta(RR + "^3", 0, "11/16")
delta(RR + "^50", 0, response_power("3/4", 50))
epsilon(RR + "^50", response_power("3/4", 50), 0)
delta(RR + "^400", 0, response_power("3/4", 400))
delta(RR + " * randomized_response(probability=0.9)^3", 0,
      at_zero(response("3/4"), *[response("0.9")] * 3))
epsilon("randomized_response(epsilon=1)", 0, 1)
delta("randomized_response(epsilon=1)", 1, 0)

# Pure: the greatest loss is rational.
for n, each in ((1, F(1, 10)), (10, F(1, 10)), (3, F(1, 3)), (1000, F(1, 1000)), (10**9, F(1, 7))):
    spec = f"pure(epsilon={each})" + (f"^{n}" if n > 1 else "")
    epsilon(spec, 0, n * each)
    delta(spec, n * each, 0)
    epsilon(spec, 1, 0)
epsilon("pure(epsilon=1/3)^2 * pure(epsilon=1/7)", 0, F(17, 21))
delta("pure(epsilon=1/3)^2 * pure(epsilon=1/7)", F(17, 21), 0)
epsilon("pure(epsilon=1e-30)", 0, "1e-30")

# Approximate: the mass at infinity.
epsilon("approximate(epsilon=3/10, delta=1/10)", "1/10", "3/10")
epsilon("approximate(epsilon=3/10, delta=1/10)", "1/20", "inf")
epsilon("approximate(epsilon=3/10, delta=1/10)", 0, "inf")
epsilon("approximate(epsilon=3/10, delta=1/10)", 1, 0)
delta("approximate(epsilon=3/10, delta=1/10)", "3/10", "1/10")
delta("approximate(epsilon=3/10, delta=1/10)", 5, "1/10")
epsilon("approximate(epsilon=3/10, delta=1/10)^2", "19/100", "6/10")
delta("approximate(epsilon=3/10, delta=1/10)^2", "6/10", "19/100")
epsilon("approximate(epsilon=1, delta=1/3)^7", 1 - F(2, 3)**7, 7)
epsilon("approximate(epsilon=1e-3, delta=1e-6)^300", 1 - (1 - F(1, 10**6))**300, "3/10")
delta("approximate(epsilon=0, delta=1/3)", 0, "1/3")
epsilon("approximate(epsilon=0, delta=1/3)", "1/3", 0)
epsilon("approximate(epsilon=0, delta=1/3)", "1/4", "inf")
epsilon("approximate(epsilon=0, delta=0)", 0, 0)
delta("approximate(epsilon=0, delta=0)", 0, 0)
epsilon("approximate(epsilon=1/3, delta=0)", 0, "1/3")

# Discrete Laplace and Laplace noise.
for name in ("discrete_laplace", "laplace"):
    epsilon(f"{name}(scale=10)", 0, "1/10")
    delta(f"{name}(scale=10)", "1/10", 0)
    epsilon(f"{name}(scale=3, sensitivity=7)", 0, "7/3")
    epsilon(f"{name}(scale=3, sensitivity=7)^5", 0, "35/3")
    delta(f"{name}(scale=3, sensitivity=7)^5", "35/3", 0)
    epsilon(f"{name}(scale=10)", 1, 0)
epsilon("laplace(scale=7) * discrete_laplace(scale=3, sensitivity=2)", 0, F(1, 7) + F(2, 3))

# Unbounded losses: delta = 0 and 1.
for spec in ("discrete_gaussian(sigma=3)", "discrete_gaussian(variance=2)^5", "gaussian(sigma=2)",
             "gaussian(sigma=2)^10", "mixture(sigma=1, sensitivities=[0, 1], probabilities=[1/2, 1/2])",
             "mixture(sigma=1, sensitivities=[0, 1, 2], probabilities=[1/4, 1/2, 1/4])^3", SAMPLED,
             SAMPLED + "^20", "group(gaussian(sigma=3), size=2)", f"group({SAMPLED}, size=3)",
             WITHOUT + "add_remove)", WITHOUT + "replace)^2",
             "with_replacement(gaussian(sigma=4), batch=3, population=10)",
             "poisson(discrete_gaussian(sigma=2), rate=1/2)"):
    epsilon(spec, 0, "inf")
    epsilon(spec, 1, 0)

# Poisson samples, at rate 1 and 1/2.
epsilon("poisson(pure(epsilon=1), rate=1)", 0, 1)
delta("poisson(pure(epsilon=1), rate=1)^3", 3, 0)
delta("poisson(pure(epsilon=1), rate=1/2)", 1, 0)
epsilon("poisson(pure(epsilon=1), rate=1/2)", 1, 0)
delta("poisson(laplace(scale=1), rate=1/2)^2", 2, 0)
delta("poisson(discrete_laplace(scale=1), rate=1/2)^2", 2, 0)
delta("poisson(approximate(epsilon=1, delta=1/4), rate=1/2)", 10, "1/8")
epsilon("poisson(approximate(epsilon=1, delta=1/4), rate=1/2)", "1/16", "inf")
delta("poisson(approximate(epsilon=1, delta=1/4), rate=1/2)", 10, 0, "add")
delta("poisson(approximate(epsilon=0, delta=1/4), rate=1/2)", 0, "1/8")
epsilon("poisson(approximate(epsilon=0, delta=1/4), rate=1/2)", "1/8", 0)
two = at_zero(*[removed(leaky("1/4"), "1/2")] * 2)
delta("poisson(approximate(epsilon=0, delta=1/4), rate=1/2)^2", 0, two, "remove")
epsilon("poisson(approximate(epsilon=0, delta=1/4), rate=1/2)^2", two, 0, "remove")
delta(SAMPLED, 1, 0, "add")
delta(SAMPLED + "^3", 3, 0, "add")
delta(f"poisson({ON}, rate=1/2)", "1/4", 0)

# Laws from files.
epsilon(ON, 0, "1/4")
delta(ON, "1/4", 0)
epsilon(ON + "^8", 0, 2)
epsilon(OFF, 0, "22/7")
delta(OFF, "22/7", 0)
epsilon(OFF + "^2 * " + ON, 0, F(44, 7) + F(1, 4))
epsilon(LONG, 0, "0.1234567890123456789012345678901234567890123456789")
epsilon(LEAKY, "1/5", "1/4")
epsilon(LEAKY, "1/10", "inf")
delta(LEAKY, "1/4", "1/5")
epsilon(LEAKY + "^2", "9/25", "1/2")
epsilon(f"poisson({LEAKY}, rate=1/2)", "1/20", "inf")
delta(FLAT, 0, "1/3")
epsilon(FLAT, "1/3", 0)
epsilon(BELOW, "1/10", 0)
delta(BELOW, "-1/10", "1/10")
delta(BELOW, 0, "1/10")

# Products: other factors that do not change an outcome's side, and steps of the curve inside.
delta(RR + " * pure(epsilon=1/10)^5", 0, "1/2")
epsilon(RR + " * pure(epsilon=1/10)^5", "1/2", 0)
delta(RR + " * laplace(scale=10)", 0, "1/2")
epsilon(RR + " * laplace(scale=10)", "1/2", 0)
delta(RR + " * discrete_laplace(scale=20, sensitivity=3)^2", 0, "1/2")
delta("randomized_response(probability=0.99) * poisson(laplace(scale=1), rate=1/2)^2", 0, "98/100",
      "remove")
delta(RR + " * approximate(epsilon=0, delta=1/3)", 0, "2/3")
epsilon(RR + " * approximate(epsilon=0, delta=1/3)", "2/3", 0)
delta(RR + " * approximate(epsilon=1/4, delta=1/5) * laplace(scale=10)", 0, F(1, 5) + F(4, 5) / 2)
delta(f"{ONES} * {RR}", 1, "3/8")
epsilon(f"{ONES} * {RR}", "3/8", 1)
delta(f"{FLAT} * {RR}^2", 0, at_zero(leaky("1/3"), *[response("3/4")] * 2))
epsilon("approximate(epsilon=1/10, delta=1/10) * gaussian(sigma=1)", "1/10", "inf")
epsilon("approximate(epsilon=1/10, delta=1/10) * gaussian(sigma=1)", "1/20", "inf")
epsilon("approximate(epsilon=1/10, delta=1/10) * gaussian(sigma=1)", 1, 0)
epsilon(f"approximate(epsilon=1/10, delta=1/10)^2 * {ON} * laplace(scale=4)", "19/100",
        F(2, 10) + F(1, 4) + F(1, 4))

# True and false by theorems where no number is rational: (spec, quantity, at, kind, value, verdict)
STRICT = []
for spec in ("gaussian(sigma=2)", SAMPLED + "^20", "discrete_gaussian(sigma=3)", "laplace(scale=1)",
             RR, ON, "pure(epsilon=1/10)^10", "poisson(pure(epsilon=1), rate=1/2)"):
    STRICT += [(spec, "delta", F(-1000), "lower", F(1), "refuted"),
               (spec, "delta", F(-1000), "upper", 1 - BESIDE, "refuted"),
               (spec, "delta", F(-1000), "upper", F(1), "valid"),
               (spec, "delta", F(0), "upper", F(0), "refuted")]
for spec in ("gaussian(sigma=2)", SAMPLED, "gaussian(sigma=1)^10"):
    STRICT.append((spec, "delta", F(200), "upper", F(0), "refuted"))
STRICT.append(("approximate(epsilon=1/10, delta=1/10) * gaussian(sigma=1)", "delta", F(500),
               "upper", F(1, 10), "refuted"))
STRICT.append(("pure(epsilon=1/10)^10", "delta", 1 - BESIDE, "upper", F(0), "refuted"))
STRICT.append((LEAKY, "delta", F(1, 4) - BESIDE, "upper", F(1, 5), "refuted"))
STRICT.append((LEAKY, "delta", F(1, 4) + BESIDE, "lower", F(1, 5), "tight"))


def text(number):
    return number if number == "inf" else str(number)


def claims():
    """(claim, expected verdict) of every kind for every line."""
    for spec, quantity, at, answer, direction in TABLE:
        other = "delta" if quantity == "epsilon" else "epsilon"
        base = {"spec": spec, "quantity": quantity, other: text(at), "direction": direction}

        def judged(kind, verdict, value, **fields):
            return {**base, "kind": kind, quantity: text(value), **fields}, verdict

        def band(verdict, low, high):
            return {**base, "kind": "band", f"{quantity}_lower": text(low),
                    f"{quantity}_upper": text(high)}, verdict

        yield judged("upper", "tight", answer)
        yield judged("lower", "tight", answer)
        yield band("tight", answer, answer)
        if answer == "inf":
            yield judged("upper", "refuted", 10**6)
            yield judged("lower", "valid", 10**6)
            yield band("refuted", 0, 10**6)
            continue
        yield judged("estimate", "tight", answer, tolerance="0")
        yield judged("upper", "valid", answer + BESIDE)
        yield judged("lower", "refuted", answer + BESIDE)
        yield judged("estimate", "refuted", answer + BESIDE, tolerance="0")
        yield judged("estimate", "tight", answer + BESIDE, tolerance=str(BESIDE))
        yield band("refuted", answer + BESIDE, answer + 2 * BESIDE)
        if answer > 0:
            yield judged("upper", "refuted", answer - BESIDE)
            yield judged("lower", "valid", answer - BESIDE)
            yield judged("estimate", "refuted", answer - BESIDE, tolerance="0")
            yield judged("estimate", "refuted", answer - BESIDE, tolerance=str(BESIDE / 2))
            yield band("refuted", answer - 2 * BESIDE, answer - BESIDE)
    for spec, quantity, at, kind, value, verdict in STRICT:
        other = "delta" if quantity == "epsilon" else "epsilon"
        yield {"spec": spec, "quantity": quantity, other: text(at), "kind": kind,
               quantity: text(value)}, verdict


def audited():
    judged = list(claims())
    path = pathlib.Path(FOLDER.name) / "claims.json"
    path.write_text(json.dumps([{"id": str(i), **claim} for i, (claim, _) in enumerate(judged)]))
    found = run("audit", str(path), "--allow-files", FOLDER.name, "--json", "--timeout", "10", "--threads", "2", timeout=3000)
    undecided_kinds = set()
    undecided = wrong = 0
    for finding, (claim, verdict) in zip(found.json()["claims"], judged):
        if finding["verdict"] == verdict:
            continue
        if finding["verdict"] == "undecided":
            undecided += 1
            undecided_kinds.add((claim["spec"], claim["quantity"], claim.get("direction")))
        else:
            wrong += 1
        expect(False, f"{finding['verdict']} ({finding.get('reason', '')}), not {verdict}: {claim}")
    print(f"{len(TABLE)} ties and ends, {len(STRICT)} strict inequalities, {len(judged)} claims: "
          f"{undecided} undecided, {wrong} wrong, {found.seconds:.1f} s")


def answered():
    """The queries give the exact number."""
    within = 0
    for spec, quantity, at, answer, direction in TABLE:
        other = "delta" if quantity == "epsilon" else "epsilon"
        found = run(quantity, spec, f"--{other}={text(at)}", "--direction", direction, "--json")
        if found.status == 2 and quantity == "epsilon" and at in (0, 1):
            continue  # that the program asks for 0 < delta < 1 is another defect
        what = f"{quantity} {spec} at {at}: {found.out} {found.err}"
        expect(found.status == 0, what)
        if found.status != 0:
            continue
        band = found.json()
        if answer == "inf":
            expect(band["lower"] == band["upper"] == "inf", what)
            continue
        expect(F(band["lower"]) <= answer <= F(band["upper"]), what)
        width = F(band["upper"]) - F(band["lower"])
        expect(width <= answer / 10**12, what)
        short = len(str(answer.numerator)) + len(str(answer.denominator)) < 60
        if short and "inf" not in (band["lower"], band["upper"]):
            expect(F(band.get("exact", -1)) == answer, "not exact: " + what)
        within += 1
    print(f"{within} queries answered")


answered()
audited()
finish()
