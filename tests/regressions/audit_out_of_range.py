"""A claim outside of the range of the quantity (a library prints "epsilon in [-23.97, -23.95]") was an
error and so escaped judgement. It is false by definition, hence refuted; an infinity is a claim;
NaN is refused by name."""
import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from _program import exact, expect, expect_refused, finish, run  # noqa: E402

POISSON = "poisson(gaussian(sigma=3), rate=0.01)^10"
HEAVY = "approximate(epsilon=1, delta=1/100)"  # mass 1/100 at infinity


def claim(kind, spec=POISSON, **fields):
    return {"spec": spec, "delta": "1e-5", "kind": kind, **fields}


def of_delta(kind, **fields):
    return {"spec": POISSON, "quantity": "delta", "epsilon": "0.1", "kind": kind, **fields}


CASES = [
    (claim("band", epsilon_lower="-23.97", epsilon_upper="-23.95"), "refuted"),
    (claim("upper", epsilon="-1e-9"), "refuted"),
    (claim("upper", epsilon="-1", delta="0.99"), "refuted"),
    (claim("upper", epsilon="-inf"), "refuted"),
    (claim("estimate", epsilon="-3", tolerance="1"), "refuted"),
    (claim("estimate", epsilon="-inf", tolerance="1"), "refuted"),
    (claim("lower", epsilon="-3"), "valid"),
    (claim("lower", epsilon="-inf"), "valid"),
    (claim("band", epsilon_lower="-3", epsilon_upper="9"), "valid"),
    (claim("upper", epsilon="inf"), "valid"),
    (claim("band", epsilon_lower="0", epsilon_upper="Infinity"), "valid"),
    (claim("lower", epsilon="inf"), "refuted"),
    (claim("estimate", epsilon="inf", tolerance="1"), "refuted"),
    (claim("lower", HEAVY, epsilon="inf", delta="1/1000"), "tight"),
    (claim("estimate", HEAVY, epsilon="inf", delta="1/1000", tolerance="1"), "tight"),
    (claim("upper", HEAVY, epsilon="1000", delta="1/1000"), "refuted"),
    (claim("lower", HEAVY, epsilon="inf", delta="1/50"), "refuted"),
    (of_delta("upper", delta="-0.1"), "refuted"),
    (of_delta("upper", delta="-inf"), "refuted"),
    (of_delta("lower", delta="-0.1"), "valid"),
    (of_delta("lower", delta="1.5"), "refuted"),
    (of_delta("lower", delta="inf"), "refuted"),
    (of_delta("upper", delta="1.5"), "valid"),
    (of_delta("upper", delta="inf"), "valid"),
    # deltas with exponents of dozens of digits
    (claim("lower", "gaussian(sigma=1)", epsilon="1e30"), "refuted"),
    (claim("lower", "gaussian(sigma=1)", epsilon="1e400"), "refuted"),
    (claim("upper", "gaussian(sigma=1)", epsilon="-1e400"), "refuted"),
    ({"spec": POISSON, "delta": "1e-5", "prv": ["-23.97", "-23.96", "-23.95"]}, "refuted"),
]
with tempfile.TemporaryDirectory() as folder:
    result = run("audit", "-", "--json", "--certificates", folder, "--html", folder + "/a.html",
                 stdin=json.dumps([fields for fields, _ in CASES]))
report = result.json() if result.out else {"claims": []}
expect(result.status == 3 and len(report["claims"]) == len(CASES) + 1, f"{result.status} {result.err}")
for (fields, verdict), entry in zip(CASES, report["claims"]):
    what = json.dumps([fields, entry])
    expect(entry["verdict"] == verdict, f"{verdict} expected: {what}")
    for gap in ("gap_epsilon", "gap_delta"):
        expect(not (entry.get(gap) or "").startswith("-"), gap + ": " + what)
    if verdict != "refuted" or entry["verdict"] != verdict:
        continue
    witness = entry["witness"]
    bounds = [exact(witness[name]) for name in ("delta_lower", "delta_upper") if name in witness]
    if "inf" in witness["claimed_delta"]:
        expect(len(bounds) == 1 and 0 <= bounds[0] <= 1, what)
    elif "by definition" in witness["event"]:
        expect(not bounds or bounds[0] > exact(witness["claimed_delta"]), what)
    else:
        claimed = exact(witness["claimed_delta"])
        expect(bounds and (bounds[0] > claimed if "delta_lower" in witness else bounds[0] < claimed), what)

# A picture of one claim below 0, and of one beyond what a double holds.
with tempfile.TemporaryDirectory() as folder:
    for epsilon in ("-24", "1e400"):
        result = run("audit", "-", "--html", folder + "/a.html", timeout=800,
                     stdin=json.dumps([claim("upper", epsilon=epsilon)]))
        expect(result.status in (0, 3), f"{epsilon}: {result.status} {result.err}")

for text in ("nan", "NaN", "-nan"):
    expect_refused([f"epsilon: '{text}'", "not a number"], "audit", "-",
                   stdin=json.dumps([claim("upper", epsilon=text)]))
    expect_refused(["epsilon_upper", f"'{text}'"], "audit", "-",
                   stdin=json.dumps([claim("band", epsilon_lower="1", epsilon_upper=text)]))
# What Python's json writes for these is no JSON: named, with what to write instead.
expect_refused(["NaN", "character"], "audit", "-", stdin=json.dumps([claim("upper", epsilon=float("nan"))]))
expect_refused(["Infinity", '"inf"'], "audit", "-", stdin=json.dumps([claim("upper", epsilon=float("inf"))]))
expect_refused(["-Infinity", '"inf"'], "audit", "-", stdin=json.dumps([claim("upper", epsilon=-float("inf"))]))

finish()
