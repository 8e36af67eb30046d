"""tradeoff and attack: text, CSV, JSON, pictures, both directions, bad input, limits of time."""
import csv
import io
import os
import tempfile

from _program import EXAMPLE, exact, expect, expect_refused, finish, run

# One rate, in words and as JSON.
text = run("tradeoff", EXAMPLE, "--fpr", "1e-3")
expect(text.status == 0 and "false negative rate >= 0.99741" in text.out, text.out + text.err)
expect("adjacency add_remove" in text.out and "remove" in text.out, text.out)
report = run("tradeoff", EXAMPLE, "--fpr", "1e-3", "--json").json()
expect(report["quantity"] == "false_negative_rate" and report["adjacency"] == "add_remove", str(report))
point, = report["points"]
expect(set(point["directions"]) == {"remove", "add"} and point["fpr"] == "0.001", str(point))
expect(point["certified"] and point["reached"], str(point))
expect(exact(point["upper"]) - exact(point["lower"]) < exact("1e-12"), str(point))
# The smaller of the two is what both say.
lower = min(exact(each["lower"]) for each in point["directions"].values())
expect(exact(point["lower"]) == lower, str(point))
only = run("tradeoff", EXAMPLE, "--fpr", "1e-3", "--direction", "add", "--json").json()["points"][0]
expect(list(only["directions"]) == ["add"], str(only))
expect(exact(only["lower"]) > exact(point["upper"]), "add is the better protected direction here")

# Exact answers, several rates, ends of the range.
exactly = run("tradeoff", "randomized_response(probability=3/4)", "--fpr", "0,1/8,1/4,1", "--json").json()
expect([p["exact"] for p in exactly["points"]] == ["1", "0.625", "0.25", "0"], str(exactly["points"]))

with tempfile.TemporaryDirectory() as folder:
    table, picture = os.path.join(folder, "a.csv"), os.path.join(folder, "a.svg")
    result = run("tradeoff", "gaussian(1)", "--fpr", "0:1:0.1", "--csv", table, "--svg", picture)
    expect(result.status == 0 and not result.out, result.err)
    with open(table, encoding="ascii") as file:
        rows = list(csv.DictReader(io.StringIO(file.read())))
    expect(len(rows) == 11 and rows[0]["fnr_upper"] == "1" and rows[10]["fnr_lower"] == "0", str(rows))
    for one, two, three in zip(rows, rows[1:], rows[2:]):
        expect(exact(two["fnr_lower"]) <= exact(one["fnr_upper"]), "it falls")
        expect(2 * exact(two["fnr_lower"]) <= exact(one["fnr_upper"]) + exact(three["fnr_upper"]), "convex")
    with open(picture, encoding="utf-8") as file:
        text = file.read()
    expect("false negative rate" in text and "</svg>" in text, text[:300])
    result = run("tradeoff", "gaussian(1)", "--log-fpr", "1e-6:1:7", "--svg", picture)
    expect(result.status == 0, result.err)
    with open(picture, encoding="utf-8") as file:
        expect("false positive rate" in file.read(), "the axis of a log-spaced curve")

text = run("tradeoff", "zcdp(0.1)", "--fpr", "0.1").out
expect("the upper end is the trivial one: " in text and "pair alone" not in text, text)

# Attackers.
report = run("attack", EXAMPLE, "--prior", "1/100", "--fpr", "1e-3,1e-2", "--json").json()
names = [each["quantity"] for each in report["answers"]]
expect(names == ["advantage", "success"] + ["true_positive_rate", "predictive_value"] * 2, str(names))
advantage, success, rate, value = report["answers"][:4]
single = run("delta", EXAMPLE, "--epsilon", "0", "--json").json()
expect(exact(advantage["lower"]) <= exact(single["upper"]), "the advantage is delta(0)")
expect(exact(single["lower"]) <= exact(advantage["upper"]), "the advantage is delta(0)")
expect(success["prior"] == "0.01" and exact(success["lower"]) >= exact("0.99"), str(success))
expect(exact(rate["lower"]) - exact("0.001") <= exact(advantage["upper"]), str(rate))
bound = exact(rate["upper"]) / (exact(rate["upper"]) + 99 * exact("0.001"))
expect(exact(value["lower"]) <= bound, str(value))
text = run("attack", "gaussian(1)", "--fpr", "0")
expect(text.status == 0 and "no attacker can do better" in text.out, text.out + text.err)
expect("right guesses at prior 0.5" in text.out and "predictive" not in text.out, text.out)
text = run("attack", "pair(without_replacement(gaussian(1), batch=1, population=10))")
expect("no privacy guarantee" in text.out or text.status == 2, text.out + text.err)

# The least mu: pure(1) has the closed form -2 Phi^-1(1 / (1 + e)), at all rates and in ranges.
report = run("mu", "pure(epsilon=1)", "--json").json()
expect([each["least_error"] for each in report["bands"]] == ["0", "1e-5"], str(report))
for band in report["bands"]:
    expect(exact(band["lower"]) <= exact("1.23203538535") + exact("1e-10"), str(band))
    expect(exact(band["upper"]) >= exact("1.23203538534") - exact("1e-10"), str(band))
    expect(band["reached"] and exact(band["regret_upper"]) < 1, str(band))
report = run("mu", EXAMPLE, "--json", "--least-error", "1e-3").json()
expect(report["bands"][0]["exact_square"] == "1562.5", str(report))
expect(exact(report["bands"][1]["upper"]) < exact("0.3045"), str(report))
text = run("mu", "discrete_gaussian(sigma=2)^3", "--least-error", "1e-2")
expect(text.status == 0 and "losses without bounds" in text.out, text.out + text.err)
expect_refused(["--least-error", "1/2"], "mu", "gaussian(1)", "--least-error", "1/2")
expect_refused(["--least-error"], "mu", "gaussian(1)", "--least-error", "0")

# Renyi divergences: alpha mu for a Gaussian, here mu = 1/2.
report = run("renyi", "gaussian(1)", "--order", "8", "--json").json()
expect(report["lower"] == "4" and report["upper"] == "4" and report["query"] == {"order": "8"}, str(report))
expect("divergence" in run("renyi", EXAMPLE, "--order", "3/2").out, "renyi")
expect_refused(["--order"], "renyi", "gaussian(1)", "--order", "1")
expect_refused(["--order"], "renyi", "gaussian(1)", "--order=-2")

# Bad input.
expect_refused(["--fpr"], "tradeoff", "gaussian(1)")
for bad in ("2", "-1e-3", "x", "0.1,,0.2", "0.1,2", "0:2:0.5", "0:1:0", "0:1", "nan", "1e-3,"):
    expect_refused(["--fpr"], "tradeoff", "gaussian(1)", f"--fpr={bad}")
expect_refused(["--log-fpr", "> 0"], "tradeoff", "gaussian(1)", "--log-fpr", "0:1:5")
expect_refused(["--fpr", "--log-fpr"], "tradeoff", "gaussian(1)", "--fpr", "0.1", "--log-fpr", "0.1:1:5")
expect_refused(["--prior"], "attack", "gaussian(1)", "--prior", "1.5")
expect_refused(["--prior"], "attack", "gaussian(1)", "--prior", "half")
expect_refused(["sigma"], "tradeoff", "gaussian(-1)", "--fpr", "0.1")
expect_refused(["--svg"], "tradeoff", "gaussian(1)", "--fpr", "0.1", "--svg", "/nowhere/a.svg")

# No time: what is true without any computation, or what was found until then.
late = run("tradeoff", "poisson(gaussian(sigma=0.8), rate=0.004)^100000", "--fpr", "1e-3", "--timeout",
           "0.001", "--json")
expect(late.status in (0, 4) and exact(late.json()["points"][0]["lower"]) >= 0, late.out + late.err)

finish()
