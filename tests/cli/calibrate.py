#!/usr/bin/env python3
"""plaudit calibrate: both ends of each bracket are verified by queries of their own."""
import json

from _program import exact, expect, expect_refused, finish, run


def calibrate(spec, *arguments, status=0):
    result = run("calibrate", spec, *arguments, "--json")
    expect(result.status == status, f"{spec}: status {result.status}, {result.err}{result.out}")
    return result.json()


def verify(spec, found, epsilon, delta):
    """delta(epsilon) is at most delta at the end that suffices, and above it at the other one."""
    for end in ("suffices", "fails"):
        if found[end] is None:
            continue
        band = run("delta", spec.replace("?", found[end]), "--epsilon", epsilon, "--digits", "24",
                   "--json").json()
        if end == "suffices":
            expect(exact(band["upper"]) <= exact(delta), f"{spec}: {found[end]} does not suffice")
        else:
            expect(exact(band["lower"]) > exact(delta), f"{spec}: {found[end]} does not fail")


def near(found, digits):
    low, high = sorted((exact(found["suffices"]), exact(found["fails"])))
    return high - low <= high / 10 ** digits


# ---- targets of tests
for spec, target, quantity, low, high in (
        ("gaussian(sigma=?)^100", ("--target-mu", "1"), "mu", "9.99999", "10"),
        ("gaussian(sigma=?)^100", ("--target-mu", "0.7"), "mu", "14.28571", "14.28572"),
        # 1 - e^(-1/(2 scale)) = 1/10
        ("laplace(scale=?)", ("--target-advantage", "1/10"), "advantage", "4.745610", "4.745611"),
        # Phi(Phi^-1(fpr) + 1 / sigma) = 1/10
        ("gaussian(sigma=?)", ("--target-tpr", "1/10", "--fpr", "1/100"), "tpr", "0.957124", "0.957126"),
        ("poisson(gaussian(sigma=1), rate=0.01)^?", ("--target-tpr", "0.05", "--fpr", "0.01"), "tpr", "2611", "2612")):
    found = calibrate(spec, *target, "--digits", "6")
    values = sorted(exact(found[end]) for end in ("suffices", "fails"))
    expect(exact(low) <= values[0] < values[1] <= exact(high) and found["reached"], f"{spec}: {found}")
    expect(exact(found[quantity + "_at_suffices"]["upper"]) <= exact(target[1]) < exact(found[quantity + "_at_fails"]["lower"]),
           f"{spec}: {found}")
    expect(found["query"]["target_" + quantity] == str(exact(target[1])) or "." in found["query"]["target_" + quantity], f"{found}")
    line = json.dumps({"spec": spec, "digits": 6, **{option[2:].replace("-", "_"): value
                                                     for option, value in zip(target[::2], target[1::2])}})
    answer = json.loads(run("batch", "-", stdin=line + "\n").out)
    expect({key: answer[key] for key in ("suffices", "fails", "query")} == {key: found[key] for key in ("suffices", "fails", "query")},
           f"{spec}: {answer}")
every = calibrate("laplace(scale=?)", "--target-tpr", "1", "--fpr", "0.01")
expect(every["fails"] is None and every["reached"] and every["queries"] < 40, f"{every}")
one = calibrate("poisson(gaussian(sigma=?), rate=0.1)^10", "--target-epsilon", "1", "--delta", "1e-5", "--direction", "add", "--from", "0.1")
expect(one["query"]["direction"] == "add" and one["query"]["from"] == "0.1", f"{one}")
expect("direction add" in run("calibrate", "gaussian(?)", "--target-mu", "1", "--direction", "add").out, "no direction is said")
for arguments, words in (
        (("--target-mu", "1", "--delta", "1e-5"), ("goes with no",)),
        (("--target-mu", "-1"), ("target mu", ">= 0")),
        (("--target-tpr", "0.1"), ("goes with --fpr",)),
        (("--target-tpr", "1.1", "--fpr", "0.1"), ("[0, 1]",)),
        (("--target-tpr", "0.1", "--fpr", "2"), ("fpr", "[0, 1]")),
        (("--target-advantage", "0.1", "--target-mu", "1"), ("one target",)),
        (("--target-mu", "1", "--accountant", "prv"), ("auto",))):
    expect_refused(words, "calibrate", "gaussian(sigma=?)", *arguments)

# ---- numbers and integers, of every kind whose monotony is proven
for spec, epsilon, delta, more in (
        ("poisson(gaussian(sigma=?), rate=0.01)^10000", "2", "1e-5", True),
        ("poisson(gaussian(sigma=1), rate=?)^10000", "2", "1e-5", False),
        ("gaussian(?)", "1", "1e-6", True),
        ("laplace(scale=?) * gaussian(sigma=2*?)", "1", "1e-5", True),
        ("gaussian(variance=?)^3", "1", "1e-6", True),
        ("poisson(joint(gaussian(sigma=?), laplace(scale=3*?)), rate=0.1)", "0.125", "1e-3", True),
        ("gaussian(sigma=3, sensitivity=?)^10 * laplace(20)", "1", "1e-6", False),
        ("gaussian(noise_multiplier=?)^20", "1", "1e-6", True),
        ("laplace(scale=?)^10 * gaussian(sigma=10)", "1", "1e-6", True),
        ("discrete_laplace(scale=?)^10", "1", "1e-6", True),
        ("mixture(sigma=?, sensitivities=[0, 1, 2], probabilities=[0.9, 0.05, 0.05])^30", "1", "1e-6",
         True),
        ("without_replacement(gaussian(sigma=?, sensitivity=2), batch=100, population=10000, "
         "adjacency=replace)^1000", "1", "1e-6", True),
        ("group(poisson(gaussian(sigma=?), rate=0.01), size=4)^100", "2", "1e-5", True),
        ("pair(without_replacement, sigma=?, rate=0.01)^100", "1", "1e-6", True),
        ("pure(epsilon=?)^100", "1", "1e-6", False),
        ("approximate(epsilon=0.01, delta=?)^100", "1", "1e-6", False),
        ("approximate(epsilon=?, delta=1e-9)^100", "1", "1e-6", False),
        ("randomized_response(probability=?)^10", "1", "1e-6", False)):
    found = calibrate(spec, "--target-epsilon", epsilon, "--delta", delta, "--digits", "6")
    expect(near(found, 6), f"{spec}: too wide {found['suffices']} {found['fails']}")
    expect((exact(found["suffices"]) > exact(found["fails"])) == more, f"{spec}: wrong way round")
    expect(len(found["suffices"].replace(".", "").lstrip("0")) <= 8, f"{spec}: not short {found}")
    at = found["epsilon_at_suffices"], found["epsilon_at_fails"]
    above = at[1]["lower"] == "inf" or exact(epsilon) <= exact(at[1]["lower"])
    expect(exact(at[0]["upper"]) <= exact(epsilon) and above, f"{spec}: {at}")
    expect(found["certified"] and found["reached"], f"{spec}: {found}")
    verify(spec, found, epsilon, delta)

for spec, epsilon, delta, more in (
        ("poisson(gaussian(sigma=1), rate=0.01)^?", "2", "1e-5", False),
        ("(poisson(gaussian(sigma=1), rate=0.01)^10 * gaussian(sigma=50))^?", "2", "1e-5", False),
        ("group(poisson(gaussian(sigma=2), rate=0.01), size=?)^100", "3", "1e-5", False),
        ("without_replacement(gaussian(sigma=4), batch=?, population=10000, adjacency=add_remove)"
         "^100", "1", "1e-5", False),
        ("without_replacement(gaussian(sigma=4), batch=100, population=?, adjacency=add_remove)"
         "^1000", "1", "1e-5", True),
        ("with_replacement(gaussian(sigma=8), batch=?, population=1000)", "1", "1e-5", False),
        ("discrete_gaussian(sigma=30, sensitivity=?)", "1", "1e-5", False),
        ("pure(epsilon=1/100)^?", "1", "1e-6", False)):
    found = calibrate(spec, "--target-epsilon", epsilon, "--delta", delta)
    step = int(found["suffices"]) - int(found["fails"])
    expect(step == (1 if more else -1), f"{spec}: not adjacent: {found}")
    verify(spec, found, epsilon, delta)

# ---- a target delta, also at an epsilon below 0
for epsilon, delta in (("1", "1e-4"), ("-0.5", "0.6")):
    spec = "gaussian(sigma=?)^3"
    found = calibrate(spec, "--target-delta", delta, "--epsilon", epsilon, "--digits", "8")
    expect(near(found, 8), f"target delta: {found}")
    expect(exact(found["delta_at_suffices"]["upper"]) <= exact(delta), f"target delta: {found}")
    expect(exact(found["delta_at_fails"]["lower"]) > exact(delta), f"target delta: {found}")
    verify(spec, found, epsilon, delta)

# ---- exact ties count as met, at a value that is a short decimal
found = calibrate("pure(epsilon=?)", "--target-epsilon", "0.1", "--delta", "0")
expect(found["suffices"] == "0.1", f"a tie: {found}")
expect(exact(found["fails"]) > exact("0.1") and found["reached"], f"a tie: {found}")
found = calibrate("pure(epsilon=0.1)^?", "--target-epsilon", "1", "--delta", "0")
expect((found["suffices"], found["fails"]) == ("10", "11"), f"a tie of steps: {found}")

# ---- digits, the default of 12, more, and the closed form of one Gaussian step
found = calibrate("gaussian(sigma=?)", "--target-epsilon", "1", "--delta", "1e-5")
expect(near(found, 12) and found["digits"] == 12, f"default digits: {found}")
more = calibrate("gaussian(sigma=?)", "--target-epsilon", "1", "--delta", "1e-5", "--digits", "30")
expect(near(more, 30), f"30 digits: {more}")
expect(exact(found["fails"]) < exact(more["suffices"]) <= exact(found["suffices"]), "nested")
expect(exact(more["suffices"]) // exact("1e-5") == 373063, "Balle and Wang: 3.73063...")

# ---- bounds of the search, and targets that all values meet, or none
found = calibrate("gaussian(sigma=?)", "--target-epsilon", "1", "--delta", "1e-5", "--from", "4",
                  "--to", "9")
expect(found["suffices"] == "4" and found["fails"] is None, f"all of a range: {found}")
expect("every value from 4 to 9" in found["remark"], f"all of a range: {found}")
found = calibrate("gaussian(sigma=?)", "--target-epsilon", "1", "--delta", "1e-5", "--from", "1/3",
                  "--to", "2", status=4)
expect(found["suffices"] is None and found["fails"] == "2", f"none of a range: {found}")
expect(exact(found["best_attainable"]["epsilon"]["lower"]) > 1, f"the best: {found}")
expect("no value from 1/3 to 2" in found["remark"], f"none of a range: {found}")
found = calibrate("gaussian(sigma=?) * pure(3)", "--target-epsilon", "2", "--delta", "1e-9", status=4)
expect(found["suffices"] is None and found["best_attainable"], f"another part is too much: {found}")
result = run("calibrate", "gaussian(sigma=?) * pure(3)", "--target-epsilon", "2", "--delta", "1e-9")
expect("no value" in result.out and "best, yet fails" in result.out, result.out)
found = calibrate("poisson(gaussian(sigma=5), rate=?)", "--target-epsilon", "3", "--delta", "1e-3")
expect((found["suffices"], found["fails"]) == ("1", None), f"every rate: {found}")
found = calibrate("without_replacement(gaussian(sigma=20), batch=?, population=12, "
                  "adjacency=add_remove)", "--target-epsilon", "3", "--delta", "1e-3")
expect((found["suffices"], found["fails"]) == ("12", None), f"every batch: {found}")

# ---- what cannot be decided stays open: bounds of moments have no lower end
found = calibrate("zcdp(rho=?)", "--target-epsilon", "1", "--delta", "1e-5", "--digits", "3", status=4)
expect(found["suffices"] is not None and not found["reached"], f"upper ends only: {found}")
expect(found["fails"] is None and found["remark"], f"upper ends only: {found}")
upper = run("delta", f"zcdp(rho={exact(found['suffices']) * 101 / 100})", "--epsilon", "1", "--json")
expect(exact(upper.json()["upper"]) > exact("1e-5"), f"the best that is proven: {found}")

# ---- the spec from standard input: the end of its line is no part of it
found = run("calibrate", "-", "--target-epsilon", "1", "--delta", "1e-5", "--json", stdin="gaussian(sigma=?)\n").json()
expect(found["spec"] == "gaussian(sigma=?)", f"a spec with the end of its line: {found['spec']!r}")

# ---- one number in several places
one = calibrate("gaussian(sigma=?)^2", "--target-epsilon", "1", "--delta", "1e-5", "--digits", "6")
both = calibrate("gaussian(?) * gaussian(sigma = ? * 3/ 3)", "--target-epsilon", "1", "--delta", "1e-5", "--digits", "6")
expect(one["suffices"] == both["suffices"], f"the same run: {one['suffices']}, {both['suffices']}")

# ---- one direction, a chosen accountant
found = calibrate("poisson(gaussian(sigma=?), rate=0.01)^1000", "--target-epsilon", "0.5", "--delta",
                  "1e-5", "--direction", "add", "--digits", "6")
both = calibrate("poisson(gaussian(sigma=?), rate=0.01)^1000", "--target-epsilon", "0.5", "--delta",
                 "1e-5", "--digits", "6")
expect(exact(found["suffices"]) < exact(both["fails"]), "one direction needs less noise")
found = calibrate("gaussian(sigma=?)^100", "--target-epsilon", "1", "--delta", "1e-5", "--digits", "3",
                  "--accountant", "moments", status=4)
expect(not found["reached"], f"moments are wide: {found}")

# ---- what is refused, by name
target = ("--target-epsilon", "1", "--delta", "1e-5")
for spec, words in (
        ("discrete_gaussian(sigma=?)", ("discrete_gaussian: sigma", "not monotone")),
        ("discrete_gaussian(variance=?)^3", ("variance", "not monotone")),
        ("pair(without_replacement, sigma=1, batch=?, population=100)", ("pair: batch",)),
        ("mixture(1, [0, ?], [0.5, 0.5])", ("sensitivities", "list")),
        ("mixture(1, [0, 1], [0.5, ?])", ("probabilities", "list")),
        ("gaussian(sigma=1)", ("needs one ?",)),
        ("gaussian(sigma=?)^?", ("sigma and power", "more privacy in one place and less in the other")),
        ("poisson(gaussian(sigma=?), rate=?)", ("sigma and rate", "more privacy in one place")),
        ("poisson(gaussian(sigma=1), rate=2*?)", ("poisson: rate", "where all numbers > 0")),
        ("gaussian(sigma=1)^(2*?) * staircase(?, 0.3)", ("an integer in one place alone",)),
        ("gaussian(sigma=?+3)", ("whole parameter",)),
        ("gaussian(sigma=-2*?)", ("whole parameter",)),
        ("?(sigma=1)", ("whole parameter",)),
        ("gaussian(1, ?, 2, ?)", ("at most 2 arguments",)),
        ("gaussian(1, 1, ?)", ("at most 2 arguments",)),
        ("gaussian(noise=?)", ("noise",)),
        ("nothing(?)", ("nothing",)),
        ("nothing(1) * gaussian(?)", ("unknown mechanism",)),
        ("gaussian(sigma=?", ("found its end",)),
        ("pld(file=\"?\")", ("needs one ?",))):
    expect_refused(words, "calibrate", spec, *target)
SPEC = "gaussian(sigma=?)"
for arguments, words in (
        ((), "target"),
        (("--target-epsilon", "1"), "--delta"),
        (("--target-epsilon", "1", "--epsilon", "1"), "--delta"),
        (("--target-epsilon", "1", "--target-delta", "0.1", "--delta", "0.1"), "one target"),
        (("--target-delta", "0.1", "--delta", "0.1"), "--epsilon"),
        (("--target-epsilon", "-1", "--delta", "0.1"), "--target-epsilon"),
        (("--target-epsilon", "inf", "--delta", "0.1"), "--target-epsilon"),
        (("--target-delta", "2", "--epsilon", "1"), "--target-delta"),
        ((*target, "--from", "0"), "from"),
        ((*target, "--from", "2", "--to", "1"), "from"),
        ((*target, "--digits", "0"), "--digits"),
        ((*target, "--accountant", "saddle_point_msd"), "certified")):
    expect_refused(words, "calibrate", SPEC, *arguments)
expect_refused("to", "calibrate", "gaussian(sigma=1)^?", *target, "--to", "3/2")

finish()
