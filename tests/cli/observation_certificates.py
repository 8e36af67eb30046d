"""Certificates of what was observed: honest ones of every design are accepted by both checkers; forgeries by hand are
rejected by both; of changes at random both say the same, and what they accept is true by sums of fractions.

PLAUDIT_SLOW=1: more changes at random.
"""
import copy
import json
import os
import pathlib
import random
import sys
import tempfile
from fractions import Fraction
from math import comb

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from _certificates import expect_accepted, expect_rejected, verdicts  # noqa: E402
from _forgeries import leaves, nudged, place  # noqa: E402
from _program import expect, finish, run  # noqa: E402

RUNS = ["gaussian(sigma=2)", "--design", "runs"]
SAMPLED = "poisson(gaussian(sigma=1), rate=1/10)^10"
WRITTEN = {
    "runs": [*RUNS, "--counts", "60,100,3,100", "--level", "1/1000"],
    "sampled": [SAMPLED, "--design", "runs", "--counts", "95,100,20,90", "--level", "1/100"],
    "add": [SAMPLED, "--design", "runs", "--counts", "60,100,2,100", "--level", "1/100", "--direction", "add"],
    "weak": [*RUNS, "--counts", "48,100,20,100", "--level", "1/20"],
    "coins": ["gaussian(sigma=2)", "--design", "coins", "--counts", "99,100,100", "--level", "1/20"],
    "in": [SAMPLED, "--design", "coins", "--counts", "100,100,100;99,100,100", "--guessed", "in", "--level", "1/10"],
    "pairs": ["gaussian(sigma=2)", "--design", "pairs", "--counts", "99,100,120", "--level", "1/20"],
    "independent": ["gaussian(sigma=2)", "--design", "coins", "--counts", "90,100,100", "--independent"],
    "sequence": [SAMPLED, "--design", "sequence", "--counts", "140,12,3", "--line", "1", "--stake", "1/5"],
}


def written(arguments):
    """(what the program says on standard error, the certificate or None)."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "seen.json")
        result = run("observe", *arguments, "--certificate", path)
        text = pathlib.Path(path).read_text() if os.path.exists(path) else "null"
        return result, json.loads(text)


HONEST = {}
for name, arguments in WRITTEN.items():
    result, found = written(arguments)
    expect(found is not None, f"{name}: no certificate: {result.out[:300]} {result.err}")
    if found is not None:
        HONEST[name] = found
        texts = expect_accepted(name, found)
        expect(all("assumed" in text for text in texts), f"{name}: what is assumed is not said")
        expect((result.status == 3) == ("refutation" in found["observation"]), f"{name}: {result.out[:200]} {result.err}")
expect("limits" in HONEST["weak"]["observation"] and "refutation" not in HONEST["weak"]["observation"], "weak: lower ends alone")
expect(HONEST["runs"]["observation"]["limits"]["epsilon"][0]["delta"] == "0", "runs: lower ends too")
expect(all("100 coins, all of them in, in one of 2 tests" in text for text in expect_accepted("in", HONEST["in"])), "tests are named")
expect("add" in HONEST["add"]["observation"]["refutation"]["line"], "of the direction add")

result, none = written([*RUNS, "--counts", "50,100,50,100"])
expect(none is None and "no certificate: neither" in result.err and result.status == 0, result.err)
with tempfile.TemporaryDirectory() as folder:
    scores = os.path.join(folder, "scores.csv")
    pathlib.Path(scores).write_text("score,member\n" + "".join(f"{i},{i // 30}\n" for i in range(60)))
    result, none = written([*RUNS, "--scores", scores, "--threshold", "all"])
    expect(none is None and "of all thresholds at once none is made" in result.err, result.err)
    result, found = written([*RUNS, "--scores", scores, "--threshold", "30"])
    expect_accepted("scores", found)
result, none = written([*RUNS, "--counts", "900000,1000000,3,1000000"])
expect(none is None and "more than exact sums" in result.err and result.status == 3, result.err)


def below(text, factor="0.999"):
    value = Fraction(text) * Fraction(factor)
    return f"{value.numerator}/{value.denominator}"


def seen(*path_and_change):
    """A change of one leaf of the observation."""
    *path, change = path_and_change
    return lambda c: place(c["observation"], path[:-1]).update(
        {path[-1]: change(place(c["observation"], path)) if callable(change) else change})


def twice(text):
    return below(text, "2")


def line_of(c):
    return c["observation"]["refutation"]["line"]


def side_of(c):
    """A direction of the line that has a delta above 0."""
    return next(side for side in ("remove", "add") if Fraction(line_of(c).get(side, "0")) > 0)


def other(side):
    return "add" if side == "remove" else "remove"


LINE = ("refutation", "line")
FORGERIES = [
    *[(name, "a smaller p-value", seen("refutation", "p_value", below)) for name in HONEST if name != "weak"],
    *[(name, "half of the level", seen("level", lambda x: below(x, "1e-200"))) for name in HONEST],
    *[(name, "a smaller lambda", seen(*LINE, "lambda", below)) for name in HONEST if name not in ("weak", "independent")],
    *[(name, "a greater epsilon", seen(*LINE, "epsilon", lambda x: below(x, "1.01") if x != "0" else "0.01"))
      for name in HONEST if name not in ("weak",)],
    *[(name, "a smaller delta", lambda c: line_of(c).update({side_of(c): below(line_of(c)[side_of(c)])}))
      for name in HONEST if name != "weak"],
    *[(name, "assumptions left out", seen("assumptions", [])) for name in HONEST],
    *[(name, "one assumption less", lambda c: c["observation"]["assumptions"].pop()) for name in HONEST],
    *[(name, "a field that nobody reads", seen("remark", "x")) for name in HONEST],
    *[(name, "a bound beyond the truth", lambda c: [s.update(at_most=below(s["at_most"], "0.9")) for s in c["statements"]])
      for name in ("runs", "sampled", "add", "coins", "in", "pairs", "independent")],
    *[(name, "no statement", lambda c: c.update(statements=[])) for name in HONEST if name != "weak"],
    *[(name, "a quantity too", lambda c: c.update(quantity="delta", argument="0", lower="0", upper="1")) for name in HONEST],
    *[("runs", f"{name} {value}", seen("counts", name, value)) for name, value in
      (("false_positives", 4), ("false_negatives", 41), ("without_record", 99), ("with_record", 99), ("false_positives", -1),
       ("without_record", 0), ("without_record", "100"), ("with_record", 10**7 + 1), ("false_positives", 101))],
    ("runs", "nothing claimed", lambda c: [c["observation"].pop(name) for name in ("refutation", "limits")]),
    *[(name, "another direction", lambda c: line_of(c).update({other(side_of(c)): line_of(c).pop(side_of(c))}))
      for name in ("runs", "sampled", "add")],
    ("runs", "both directions", lambda c: line_of(c).update({other(side_of(c)): line_of(c)[side_of(c)]})),
    *[("runs", f"{part} {rate} moved", seen(part, rate, below)) for part in ("refutation", "limits") for rate in ("fpr", "fnr")],
    *[("runs", f"{rate} = {value}", seen("refutation", rate, value)) for rate in ("fpr", "fnr") for value in ("0", "2", "-1/2", "1")],
    ("runs", "a greater epsilon at a delta", lambda c: c["observation"]["limits"]["epsilon"][0].update(
        at_least=below(c["observation"]["limits"]["epsilon"][0]["at_least"], "1.000001"))),
    ("runs", "a greater delta", lambda c: c["observation"]["limits"]["epsilon"][1].update(delta="1e-3")),
    ("runs", "a delta below 0", lambda c: c["observation"]["limits"]["epsilon"][0].update(delta="-1e-3")),
    ("runs", "no ends", seen("limits", "epsilon", [])),
    ("runs", "p-value 0", seen("refutation", "p_value", "0")),
    ("runs", "p-value of a double", seen("refutation", "p_value", 1e-9)),
    ("runs", "level 1", seen("level", "1")),
    ("runs", "another design", seen("design", "coins")),
    ("runs", "independent", seen("independent", True)),
    ("runs", "a finer noise", lambda c: c.update(spec="gaussian(sigma=3)")),
    ("runs", "adjacency", lambda c: c.update(adjacency="replace")),
    *[("coins", f"{name} {value}", seen("counts", name, value)) for name, value in
      (("right", 98), ("guessed", 101), ("canaries", 99), ("right", 101), ("right", 0))],
    ("coins", "guesses of one kind", seen("kind", "in")),
    ("coins", "pairs", seen("design", "pairs")),
    ("coins", "independent", seen("independent", True)),
    ("in", "one test", lambda c: (seen("tests", 1)(c), seen("refutation", "p_value", lambda x: below(x, "0.499"))(c))),
    ("in", "both kinds", seen("kind", "both")),
    ("in", "out", seen("kind", "out")),
    ("coins", "three tests", seen("tests", 3)),
    ("coins", "no test", seen("tests", 0)),
    ("pairs", "kind", seen("kind", "both")),
    ("pairs", "canaries", seen("counts", "canaries", 150)),
    ("independent", "dependent", seen("independent", False)),
    ("independent", "canaries", seen("counts", "canaries", 101)),
    ("sequence", "right", seen("counts", "right", 139)),
    ("sequence", "wrong", seen("counts", "wrong", 13)),
    ("sequence", "abstained", seen("counts", "abstained", 10**6)),
    ("sequence", "stake", seen("refutation", "stake", "1/2")),
    ("sequence", "a negative stake", seen("refutation", "stake", "-1/5")),
    ("sequence", "one direction", lambda c: c["observation"]["refutation"]["line"].pop("add")),
]
for name, what, change in FORGERIES:
    forged = copy.deepcopy(HONEST[name])
    change(forged)
    expect_rejected(f"{name}: {what}", forged, processes=False)
pairs = copy.deepcopy(HONEST["in"])
pairs["observation"] = {**HONEST["pairs"]["observation"], "counts": HONEST["in"]["observation"]["counts"]}
expect_rejected("pairs under add_remove", pairs, ["replace"], processes=False)


# What is accepted, by sums of fractions: nothing here is the checkers'.
def tail(n, v, q):
    return sum(comb(n, i) * q**i * (1 - q)**(n - i) for i in range(v, n + 1))


def closed_form(g, lam, delta):
    q = lam / (1 + lam)
    beta = tail(g["guessed"], g["right"], q)
    at = comb(g["guessed"], g["right"]) * q**g["right"] * (1 - q)**(g["guessed"] - g["right"])
    return 1 - (1 - beta) * max(0, 1 - g["canaries"] * delta * beta / (g["right"] * at))


def is_true(c):
    """Of an accepted one: the p-value and the limits, given its line."""
    o = c["observation"]
    counts, level = o["counts"], Fraction(o["level"])
    if "refutation" in o:
        r = o["refutation"]
        p_value, lam = Fraction(r["p_value"]), Fraction(r["line"]["lambda"])
        deltas = {side: Fraction(r["line"][side]) for side in ("remove", "add") if side in r["line"]}
        if o["design"] == "runs":
            fpr, fnr = Fraction(r["fpr"]), Fraction(r["fnr"])
            found = 2 * max(1 - tail(counts["without_record"], counts["false_positives"] + 1, fpr),
                            1 - tail(counts["with_record"], counts["false_negatives"] + 1, fnr))
            on, other = (fpr, fnr) if "remove" in deltas else (fnr, fpr)
            if other > 1 - lam * on - sum(deltas.values()):
                return False
        elif o["design"] == "sequence":
            delta, stake = sum(deltas.values()) / 2, Fraction(r["stake"])
            found = 1 / ((1 + stake * (1 - delta))**counts["right"] * (1 - stake * (lam + delta))**counts["wrong"]
                         * (1 - stake * delta)**counts["abstained"])
        elif o["independent"]:
            found = tail(counts["guessed"], counts["right"], (1 + max(deltas.values())) / 2)
        else:
            found = o["tests"] * closed_form(counts, lam, sum(deltas.values()) / 2)
        if not found <= p_value <= level:
            return False
    if "limits" in o and o["design"] == "runs":
        fpr, fnr = Fraction(o["limits"]["fpr"]), Fraction(o["limits"]["fnr"])
        return (2 * (1 - tail(counts["without_record"], counts["false_positives"] + 1, fpr)) <= level
                and 2 * (1 - tail(counts["with_record"], counts["false_negatives"] + 1, fnr)) <= level)
    if "limits" in o:
        ends = o["limits"]["epsilon"]
        half = 1 if o.get("kind", "both") == "both" else 2
        return all(closed_form(counts, Fraction(end["lambda"]), Fraction(end["delta"]) / half)
                   <= level / (o["tests"] * len(ends)) for end in ends)
    return True


rng = random.Random(20261128)
accepted = 0
for _ in range(1500 if os.environ.get("PLAUDIT_SLOW", "0") != "0" else 150):
    name = rng.choice(list(HONEST))
    c = copy.deepcopy(HONEST[name])
    for _ in range(rng.choice((1, 1, 2))):
        path = rng.choice([path for path, _ in leaves(c["observation"]) if path[0] != "assumptions"])
        parent = place(c["observation"], path[:-1])
        parent[path[-1]] = nudged(parent[path[-1]], rng)
    found = verdicts(c, processes=False)
    one, other = (result.status for result in found.values())
    expect(one == other, f"{name}: the checkers disagree: {[r.out[:300] for r in found.values()]} {json.dumps(c)}")
    if one == 0:
        accepted += 1
        expect(is_true(c), f"{name}: accepted and false: {json.dumps(c)}")
expect(all(is_true(c) for c in HONEST.values()), "an honest certificate is false")
expect(accepted >= 10, f"only {accepted} were accepted: nothing was compared")
finish()
