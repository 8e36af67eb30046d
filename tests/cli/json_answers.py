"""The shape and the content of the JSON of epsilon and delta, and their exit statuses."""
import os
import tempfile
from fractions import Fraction

from _program import EXAMPLE, exact, expect, finish, is_decimal, run

KEYS = {"plaudit", "spec", "query", "quantity", "lower", "upper", "certified", "reached", "digits",
        "accountant", "directions", "errors", "seconds"}


def check_shape(result, spec, quantity, query, digits, directions):
    report = result.json()
    expect(KEYS <= set(report), f"keys missing: {KEYS - set(report)}")
    expect(report["spec"] == spec, report["spec"])
    expect(report["quantity"] == quantity, report["quantity"])
    expect(report["query"] == query, str(report["query"]))
    expect(report["digits"] == digits, str(report["digits"]))
    expect(set(report["directions"]) == set(directions), str(report["directions"]))
    bands = [report, *report["directions"].values()]
    for band in bands:
        expect(is_decimal(band["lower"]) and is_decimal(band["upper"]), str(band))
        expect(exact(band["lower"]) <= exact(band["upper"]), str(band))
    ends = report["directions"].values()
    expect(exact(report["upper"]) == max(exact(b["upper"]) for b in ends), "upper end")
    expect(exact(report["lower"]) == max(exact(b["lower"]) for b in ends), "lower end")
    expect({"aliasing", "truncation", "quadrature"} <= set(report["errors"]), str(report["errors"]))
    expect(all(is_decimal(size) and exact(size) >= 0 for size in report["errors"].values()),
           str(report["errors"]))
    expect(isinstance(report["seconds"], float) and report["seconds"] >= 0, "seconds")
    expect(isinstance(report["certified"], bool) and isinstance(report["reached"], bool), "flags")
    expect(result.status == (0 if report["reached"] else 4), f"status {result.status}")
    expect(result.err == "", result.err)
    if report["reached"]:
        width = exact(report["upper"]) - exact(report["lower"])
        expect(width <= 2 * Fraction(10) ** -digits * exact(report["upper"]), f"width {width}")
    return report


both = ["remove", "add"]

# delta(1) of poisson(gaussian(sigma=1.5), rate=0.01)^10000, remove, to 40 digits.
table1 = "poisson(gaussian(sigma=1.5), rate=0.01)^10000"
known = exact("0.0496014103148257756069437717920834431101")
for digits in (6, 12, 30):
    report = check_shape(run("delta", table1, "--epsilon", "1", "--direction", "remove", "--json",
                             "--digits", str(digits)),
                         table1, "delta", {"epsilon": "1"}, digits, ["remove"])
    expect(report["reached"] and report["certified"], "reached")
    expect(exact(report["lower"]) <= known <= exact(report["upper"]), "Table 1")

# Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu) at mu = 1, eps = 1.
report = check_shape(run("delta", "gaussian(1.0)", "--epsilon", "1.0", "--json"),
                     "gaussian(sigma=1)", "delta", {"epsilon": "1"}, 12, both)
expect(exact(report["lower"]) <= exact("0.12693673750664394719") <= exact(report["upper"]), "Phi")

# Negative epsilons are numbers, not options.
for argument in (["--epsilon", "-1"], ["--epsilon=-1"]):
    report = check_shape(run("delta", "gaussian(sigma=1)", *argument, "--json"),
                         "gaussian(sigma=1)", "delta", {"epsilon": "-1"}, 12, both)

# epsilon and delta invert each other.
report = check_shape(run("epsilon", EXAMPLE, "--delta", "1e-7", "--json"), EXAMPLE, "epsilon",
                     {"delta": "1e-7"}, 12, both)
expect(report["reached"], "epsilon: reached")
expect(exact("2.08589") < exact(report["lower"]) <= exact(report["upper"]) < exact("2.0859"),
       "epsilon of the README")
back = check_shape(run("delta", EXAMPLE, "--epsilon", report["upper"], "--json"), EXAMPLE, "delta",
                   {"epsilon": report["upper"]}, 12, both)
expect(exact(back["lower"]) <= exact("1e-7"), "delta(upper) <= 1e-7")
back = run("delta", EXAMPLE, "--epsilon", report["lower"], "--json").json()
expect(exact(back["upper"]) >= exact("1e-7"), "delta(lower) >= 1e-7")

# The spec may come from standard input; --explain adds the ledger.
result = run("delta", "-", "--epsilon", "1/2", "--json", "--explain", stdin=EXAMPLE + "\n")
report = check_shape(result, EXAMPLE, "delta", {"epsilon": "0.5"}, 12, both)
ledger = report["directions"]["remove"]["ledger"]
expect(ledger and all(set(entry) == {"term", "size", "theorem"} for entry in ledger), str(ledger))

# delta(0) <= delta: epsilon is 0.
report = run("epsilon", "gaussian(sigma=10)", "--delta", "0.5", "--json").json()
expect(report["lower"] == report["upper"] == "0", "epsilon 0")

# Text says the same as JSON.
text = run("delta", "gaussian(sigma=1)", "--epsilon", "1")
report = run("delta", "gaussian(sigma=1)", "--epsilon", "1", "--json").json()
expect(text.status == 0, "text: status")
for word in ("gaussian(sigma=1)", report["lower"], report["upper"], "remove", "add",
             report["accountant"], "certified", "ms"):
    expect(word in text.out, f"text lacks {word}")
text = run("delta", EXAMPLE, "--epsilon", "1", "--explain")
expect("theorem" in text.out and "truncation" in text.out, "--explain")

# Not reached: exit 4, and the band is printed all the same.
result = run("delta", EXAMPLE, "--epsilon", "1", "--accountant", "moments", "--json")
report = check_shape(result, EXAMPLE, "delta", {"epsilon": "1"}, 12, both)
expect(result.status == 4 and not report["reached"], "moments does not reach 12 digits")
expect("not reached" in run("delta", EXAMPLE, "--epsilon", "1", "--accountant", "moments").out,
       "text of a band that was not reached")

# Where nobody asks for digits and 12 of them are dear, 6 suffice: the answer says so, and is as good as done.
DEAR = ("epsilon", "bounded_range(epsilon=0.18)^2", "--delta", "5.6e-5")
few = run(*DEAR, "--json")
report = few.json()
expect(few.status == 0 and report["reached"], few.out)
expect(report["digits"] == 6 <= report["digits_reached"] < 12, few.out)
expect(report["stopped_by"] == "enough" and "--digits 12" in report["remark"], few.out)
width = exact(report["upper"]) - exact(report["lower"])
expect(width <= Fraction(11, 10) * Fraction(10) ** -6 * exact(report["upper"]), str(width))
text = run(*DEAR).out
expect("6 digits suffice" in text and "not reached" not in text, text)
all_of_them = run(*DEAR, "--json", "--digits", "12").json()
expect(all_of_them["digits"] == 12 <= all_of_them["digits_reached"] and all_of_them["reached"], str(all_of_them))
expect("stopped_by" not in all_of_them and "remark" not in all_of_them, str(all_of_them))
expect(exact(report["lower"]) <= exact(all_of_them["upper"]) and exact(all_of_them["lower"]) <= exact(report["upper"]),
       "the bands of 6 and of 12 digits")
cheap = run("epsilon", EXAMPLE, "--delta", "1e-7", "--json").json()
expect(cheap["digits"] == 12 <= cheap["digits_reached"] and "remark" not in cheap, str(cheap))
# What belongs together, as the points of a curve, has 12 digits in any case.
curve = run("curve", *DEAR[1:2], "--delta", "5e-5:6e-5:2", "--json").out
expect("enough" not in curve, curve)
# What proves an answer, and who was asked for it.
line = run("delta", "poisson(gaussian(sigma=1), rate=0.01)^2000", "--epsilon", "1", "--json").json()
expect(line["proof"]["kind"] == "straight" and line["proof"]["bits"] > 53 and line["proof"]["nodes"] > 10, str(line))
tried = line["directions"]["remove"]["tried"]
expect(tried[-1] == {"accountant": "contour", "stopped": False}, str(tried))
exact_answer = run("delta", "randomized_response(probability=0.75)", "--epsilon", "0", "--json").json()
expect("proof" not in exact_answer and "tried" not in exact_answer["directions"]["remove"], str(exact_answer))
wide = run("epsilon", "poisson(gaussian(sigma=0.8), rate=0.004)^1000", "--delta", "1e-7", "--digits", "3000",
           "--timeout", "0.3", "--json").json()
expect(wide["stopped_by"] == "time" and wide["digits"] == 3000 > wide["digits_reached"], str(wide))
expect(any(each["stopped"] for each in wide["directions"]["remove"]["tried"]), str(wide["directions"]["remove"]))
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "proof.json")
    proven = run("epsilon", "bounded_range(epsilon=0.18)^2", "--delta", "5.6e-5", "--json", "--certificate", path)
    expect(proven.status == 0 and proven.json()["digits"] == 6, proven.out + proven.err)
    expect(os.path.exists(path) and run("check", path).status == 0, proven.err)

finish()
