"""observe: counts and scores, verdicts and exit statuses, JSON against text, bad input, limits of time."""
import os
import tempfile
from fractions import Fraction
from math import comb, log

from _program import exact, expect, expect_refused, finish, run

RUNS = ["--design", "runs"]
COUNTS = ["--counts", "312,1000,3,1000"]

# A claim that is refuted: status 3, and the numbers that every reader can check by one exact sum.
text = run("observe", "gaussian(sigma=2)", *RUNS, *COUNTS)
expect(text.status == 3 and text.out.startswith("refuted at the level 1e-6: p-value <= 3.10"), text.out + text.err)
expect("adjacency as_stated" in text.out and "  - the runs are independent" in text.out, text.out)
result = run("observe", "gaussian(sigma=2)", *RUNS, *COUNTS, "--json")
report = result.json()
expect(result.status == 3 and report["verdict"] == "refuted" and report["design"] == "runs", str(report))
expect(exact(report["p_value"]["lower"]) <= exact("3.1015119047914639e-28") <= exact(report["p_value"]["upper"]), str(report))
certificate = report["certificate"]
whole = int(certificate["denominator"])


def at_most(count, trials, numerator):
    """whole^trials P(Bin(trials, numerator / whole) <= count)."""
    return sum(comb(trials, i) * numerator**i * (whole - numerator)**(trials - i) for i in range(count + 1))


level = exact(certificate["level_of_each"])
expect(level == exact("5e-7"), str(certificate))
for name, count in (("fpr_upper", 3), ("fnr_upper", 688)):
    limit = int(certificate[name])
    expect(at_most(count, 1000, limit) <= level * whole**1000, name)
    expect(at_most(count, 1000, limit - 1) > level * whole**1000, name)
corner, = report["corners"]
expect(exact(corner["fpr_upper"]) >= Fraction(int(certificate["fpr_upper"]), whole), str(corner))
expect(exact(corner["tpr_lower"]) <= 1 - Fraction(int(certificate["fnr_upper"]), whole), str(corner))
expect([each["delta"] for each in report["epsilon_lower"]] == ["0", "1e-5"], str(report["epsilon_lower"]))
expect(exact("2.40617284") <= exact(report["epsilon_lower"][0]["lower"]) <= exact("2.406172848805"), str(report))
expect(exact("1.31961571") <= exact(report["mu_lower"]) <= exact("1.319615716056"), str(report))
expect(exact(report["ceiling"]["p_value"]["upper"]) < exact(report["p_value"]["lower"]), str(report["ceiling"]))

# One that is not, and levels and deltas of one's own.
weak = ["--counts", "120,1000,15,1000"]
text = run("observe", "gaussian(sigma=2)", *RUNS, *weak)
expect(text.status == 0 and text.out.startswith("not refuted at the level 1e-6: p-value >= "), text.out + text.err)
result = run("observe", "gaussian(sigma=2)", *RUNS, *weak, "--level", "1/1000", "--delta", "1e-3", "--json")
expect(result.status == 3 and [e["delta"] for e in result.json()["epsilon_lower"]] == ["0.001"], result.out)
expect(run("observe", "gaussian(sigma=2)", *RUNS, *weak, "--level", "99/100000").status == 0, "just below the p-value")

# A pair of laws that is no guarantee is a claim too.
pair = run("observe", "pair(without_replacement, sigma=1, batch=1, population=10)", *RUNS, *COUNTS, "--json").json()
expect(pair["assumptions"][3] == "with and without the record means: the two laws of the stated pair", str(pair))
expect(pair["guarantee"] is False and len(pair["assumptions"]) == 4, str(pair))

# The other direction is the same claim.
for direction in ("remove", "add"):
    one = run("observe", "poisson(gaussian(sigma=1), rate=1/10)^10", *RUNS, "--counts", "700,1000,150,1000",
              "--direction", direction, "--json")
    expect(one.status == 3, one.out + one.err)

# Scores: the same counts, the same answer.
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "scores.csv")
    lines = ["2,1"] * 311 + ["1.5,1"] + ["1.49999999999999999,1"] * 688 + ["1.5,0"] * 2 + ["inf,0"] + ["-inf,0"] * 997
    with open(path, "w", encoding="ascii") as file:
        file.write("score,label\n" + "\n".join(lines) + "\n")
    scores = run("observe", "gaussian(sigma=2)", *RUNS, "--scores", path, "--threshold", "1.5", "--json")
    expect(scores.status == 3 and scores.json() == report, scores.out + scores.err)
    split = run("observe", "gaussian(sigma=2)", *RUNS, "--scores", path, "--threshold", "split:7", "--json")
    found = split.json()
    expect(found["split"]["seed"] == 7 and found["split"]["threshold"] == "1.49999999999999999", split.out + split.err)
    expect(found["counts"]["true_positives"] == found["counts"]["with_record"] == 500 and found["counts"]["without_record"] == 500, str(found["counts"]))
    expect("so was the seed" in found["assumptions"][1] and split.status == 3, split.out)
    text = run("observe", "gaussian(sigma=2)", *RUNS, "--scores", path, "--threshold", "split:7")
    expect("chosen by the other half of the runs, seed 7\n" in text.out, text.out)
    for bad in ("split:", "split:x", "split:-1", "split:12345678901"):
        expect_refused(["--threshold", "seed"], "observe", "gaussian(sigma=2)", *RUNS, "--scores", path, "--threshold", bad)
    expect_refused(["--threshold"], "observe", "gaussian(sigma=2)", *RUNS, "--scores", path)
    expect_refused(["--threshold"], "observe", "gaussian(sigma=2)", *RUNS, "--scores", path, "--threshold", "nan")
    for bad, words in (("score\n1\n", "member"), ("score,member\n1,2\n", "line 2"), ("score,member\nnan,1\n", "line 2"),
                       ("score,member\n1,1\n", "false positives"), ("", "header")):
        with open(path, "w", encoding="ascii") as file:
            file.write(bad)
        expect_refused([words], "observe", "gaussian(sigma=2)", *RUNS, "--scores", path, "--threshold", "1")
expect_refused(["--scores"], "observe", "gaussian(sigma=2)", *RUNS, "--scores", "/nowhere/a.csv", "--threshold", "1")

# Bad input.
expect_refused(["--design"], "observe", "gaussian(sigma=2)", *COUNTS)
expect_refused(["--counts"], "observe", "gaussian(sigma=2)", "--design", "coins", *COUNTS)
expect_refused(["--design"], "observe", "gaussian(sigma=2)", "--design", "halves", *COUNTS)
expect_refused(["--counts"], "observe", "gaussian(sigma=2)", *RUNS)
expect_refused(["--counts", "--scores"], "observe", "gaussian(sigma=2)", *RUNS, *COUNTS, "--scores", "a", "--threshold", "1")
for bad in ("1,2,3", "1,2,3,4,5", "1,2,3,x", "-1,2,3,4", "1.5,2,1,2", "1,,1,2", "99999999999,2,1,2", ""):
    expect_refused(["--counts"], "observe", "gaussian(sigma=2)", *RUNS, f"--counts={bad}")
expect_refused(["true positives"], "observe", "gaussian(sigma=2)", *RUNS, "--counts", "3,2,1,2")
expect_refused(["false positives"], "observe", "gaussian(sigma=2)", *RUNS, "--counts", "1,2,0,0")
for bad in ("0", "1", "2", "x", "-1e-3"):
    expect_refused(["--level"], "observe", "gaussian(sigma=2)", *RUNS, *COUNTS, f"--level={bad}")
expect_refused(["--delta"], "observe", "gaussian(sigma=2)", *RUNS, *COUNTS, "--delta", "2")
expect_refused(["sigma"], "observe", "gaussian(sigma=-1)", *RUNS, *COUNTS)

# All thresholds at once: 2 x 1000 scores.
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "scores.csv")
    scores = [(3 * i / 1000 + 0.0004, 0) for i in range(1000)] + [(2.6 + 3 * i / 1000, 1) for i in range(1000)]
    with open(path, "w", encoding="ascii") as file:
        file.write("score,member\n" + "\n".join(f"{score},{member}" for score, member in scores) + "\n")
    every = run("observe", "gaussian(sigma=2)", *RUNS, "--scores", path, "--threshold", "all", "--json")
    found = every.json()
    expect(every.status == 3 and found["threshold"] == "all" and "certificate" not in found, every.out + every.err)
    expect(exact(found["p_value"]["lower"]) <= exact(found["p_value"]["upper"]) < exact("1e-100"), str(found["p_value"]))
    expect(exact(found["p_value"]["upper"]) < exact(found["p_value"]["lower"]) * Fraction(101, 100), str(found["p_value"]))
    expect(exact(found["mu_lower"]) < exact(found["ceiling"]["mu_lower"]), str(found))
    expect("how a run is scored" in found["assumptions"][1], str(found["assumptions"]))
    text = run("observe", "gaussian(sigma=2)", *RUNS, "--scores", path, "--threshold", "all")
    expect("of all thresholds\n" in text.out, text.out)
    # The same scores as those of canaries of one run.
    coins = run("observe", "gaussian(sigma=2)", "--design", "coins", "--scores", path, "--guesses", "in:800,out:800", "--json")
    expect(coins.status == 3 and coins.json()["guesses"][0]["guessed"] == 1600, coins.out + coins.err)
    several = run("observe", "gaussian(sigma=2)", "--design", "coins", "--scores", path, "--guesses", "out:800,in:800;in:100", "--json")
    expect(several.json()["certificate"]["weight"] == 2, several.out + several.err)
    expect(exact(several.json()["p_value"]["upper"]) > exact(coins.json()["p_value"]["upper"]), several.out)
    pairs = run("observe", "gaussian(sigma=2)", "--design", "pairs", "--scores", path,
                "--pairing", "3", "--json")
    expect(pairs.status == 3 and pairs.json()["guesses"][0]["canaries"] == 1000, pairs.out + pairs.err)
    for wrong in (["--design", "coins"], ["--design", "pairs"], ["--design", "coins", "--guesses", "in:1,in:2"],
                  ["--design", "coins", "--guesses", "5"], ["--design", "coins", "--guesses", "in:2000,out:1"],
                  ["--design", "coins", "--guesses", "in:0"], ["--design", "runs", "--threshold", "all", "--guesses", "in:1"]):
        expect_refused(["guess" if wrong[1] != "pairs" else "--pairing"], "observe", "gaussian(sigma=2)", *wrong, "--scores", path)

# Guesses about one run: the certificate is one sum of integers.
coins = run("observe", "gaussian(sigma=2)", "--design", "coins", "--counts", "960,1000,1000", "--json")
found = coins.json()
certificate = found["certificate"]
lines = certificate.get("lines", [{**certificate, "cap": "0"}])
for line in lines:
    curve = run("delta", "gaussian(sigma=2)", "--epsilon", repr(log(exact(line["lambda"]))), "--json").json()
    expect(exact(line["delta"]) >= exact(curve["lower"]) * (1 - Fraction(1, 10**9)), str(curve))
lam, delta = exact(certificate["lambda"]), exact(certificate["delta"])
law = [comb(1000, i) * lam**i / (1 + lam)**1000 for i in range(1001)]
beta = sum(law[960:])
bound = 1 - (1 - beta) * (1 - 1000 * delta * beta / (960 * law[960]))
if "lines" in certificate:
    bound = exact(certificate["least"]) + 1000 * sum(exact(line["delta"]) * exact(line["cap"]) for line in lines)
expect(coins.status == 3 and exact(found["p_value"]["upper"]) >= bound >= exact(found["p_value"]["upper"]) * Fraction(99, 100), coins.out)
expect(exact(found["no_test_below"]) < exact(found["p_value"]["upper"]), coins.out)
text = run("observe", "gaussian(sigma=2)", "--design", "coins", "--counts", "800,1000,1000")
expect(text.status == 0 and "no test by so many right guesses of one run, of whatever kinds, has a p-value below 0.0098" in text.out, text.out)
alone = run("observe", "gaussian(sigma=2)", "--design", "coins", "--counts", "800,1000,1000", "--independent", "--json").json()
expect(alone["p_value"]["upper"] == "3.06e-42" and len(alone["assumptions"]) == 4, str(alone))
expect_refused(["independent"], "observe", "gaussian(sigma=2)", "--design", "coins", "--counts", "80,90,100", "--independent")
expect_refused(["guesses"], "observe", "gaussian(sigma=2)", "--design", "coins", "--counts", "95,90,100")
expect_refused(["replace"], "observe", "poisson(gaussian(sigma=2), rate=1/10)", "--design", "pairs", "--counts", "80,90,100")

# Bets: the exact product.
bets = run("observe", "approximate(epsilon=1, delta=1/20)", "--design", "sequence", "--counts", "120,15,3", "--line", "1", "--stake", "0.2", "--json").json()
lam, delta, stake = (Fraction(bets["certificate"][name]) for name in ("lambda", "delta", "stake"))
value = (1 + stake * (1 - delta))**120 * (1 - stake * (lam + delta))**15 * (1 - stake * delta)**3
expect(exact(bets["e_value"]["lower"]) <= value and exact(bets["p_value"]["upper"]) >= 1 / value, str(bets))
expect_refused(["--stake"], "observe", "gaussian(sigma=2)", "--design", "sequence", "--counts", "1,2,3", "--line", "1")
expect_refused(["stake"], "observe", "gaussian(sigma=2)", "--design", "sequence", "--counts", "1,2,3", "--line", "1", "--stake", "1")

# Power and plans.
power = run("observe", "gaussian(sigma=2)", *RUNS, *COUNTS, "--alternative", "gaussian(sigma=1)", "--json").json()["power"]
expect(0.9523 <= power["refuted"] <= 0.9530 and abs(power["detectable_mu"] - 0.977) < 0.001, str(power))
plan = run("observe", "gaussian(sigma=2)", *RUNS, "--plan", "0.9", "--alternative", "gaussian(sigma=1)", "--json").json()
expect(900 <= plan["size"] <= 930, str(plan))
plan = run("observe", "gaussian(sigma=2)", "--design", "coins", "--plan", "0.9", "--alternative", "gaussian(sigma=1)", "--json")
expect(plan.status == 4 and plan.json()["size"] is None, plan.out + plan.err)
expect_refused(["--alternative"], "observe", "gaussian(sigma=2)", *RUNS, "--plan", "0.9")
expect_refused(["--plan"], "observe", "gaussian(sigma=2)", *RUNS, "--plan", "1", "--alternative", "gaussian(sigma=1)")

# No time: the limits of the rates stand.
late = run("observe", "poisson(gaussian(sigma=0.8), rate=0.004)^100000", *RUNS, *COUNTS, "--timeout", "0.001", "--json")
expect(late.status in (3, 4), late.out + late.err)
expect(exact("2.40617284") <= exact(late.json()["epsilon_lower"][0]["lower"]), late.out)

finish()
