"""prove: files for Coq whose epsilon is on the safe side of the certified band and near it, JSON, refusals. Coq itself
is asked in prove_in_coq.py."""
import os
import re
import tempfile

from _program import exact, expect, expect_refused, finish, run

POISSON = "poisson(gaussian(sigma=0.8), rate=0.004)^10"
PRODUCT = "gaussian(sigma=2)^3 * poisson(gaussian(sigma=1), rate=1/50)^20"
MIXTURES = "gaussian(sigma=3, sensitivity=2) * gaussian(sigma=4)^2"


def theorems_of(folder, spec, *options):
    path = os.path.join(folder, "run.v")
    report = run("prove", spec, "--output", path, "--json", *options).json()
    with open(path, encoding="ascii") as file:
        text = file.read()
    expect(report["bytes"] == len(text) and report["file"] == path, str(report))
    return report, text


with tempfile.TemporaryDirectory() as folder:
    for spec, delta, width in ((POISSON, "1e-6", "1e-3"), (PRODUCT, "1e-5", "1e-2"), (MIXTURES, "1e-5", "1e-2"),
                               ("laplace(10)^100", "1e-6", "1e-3"), ("poisson(laplace(2), 0.1)^20", "1e-5", "1e-2"),
                               ("pure(0.1)^100", "1e-6", "1e-3"), ("approximate(0.1, 1e-8)^20", "1e-6", "1e-3"),
                               ("discrete_laplace(2)^4", "1e-5", "1e-3"), ("discrete_gaussian(5)^50", "1e-6", "1e-3"),
                               ("poisson(discrete_gaussian(3), 0.2)^4", "1e-5", "1e-2"),
                               ("tree(steps=4, sigma=3)^2", "1e-5", "1e-2"),
                               ("poisson(gaussian(2), 0.1, adjacency=replace)^2", "1e-4", "1e-2"),
                               ("randomized_response(probability=0.75)^4", "1e-4", "1e-2")):
        report, text = theorems_of(folder, spec, "--delta", delta, "--end", "both", "--width", width)
        expect(report["spec"] in text.split("*)")[0] and "(*" == text[:2], text[:300])
        expect(report["adjacency"] == "add_remove" or "adjacency" in report, str(report))
        for one in report["theorems"]:
            expect(set(one) >= {"theorem", "direction", "end", "epsilon", "certified", "reached", "cells"}, str(one))
            band = run("epsilon", spec, "--delta", delta, "--direction", one["direction"], "--json").json()
            epsilon = exact(one["epsilon"])
            expect(one["reached"], str(one))
            if one["end"] == "upper":
                expect(exact(band["upper"]) < epsilon < exact(band["upper"]) + exact(width), f"{one} {band}")
            else:
                expect(exact(band["lower"]) - exact(width) < epsilon < exact(band["lower"]), f"{one} {band}")
            module = one["theorem"].split(".")[0]
            expect(f"Module {module}." in text and one["theorem"] in text.split("Definition all_theorems")[1], module)
            stated = re.search(rf"Module {module}\..*?Theorem holds : (~ )?private .*? \(exp \((\d+) / (\d+)\)\) "
                               r"\((\d+) / (\d+)\)\.", text, re.DOTALL)
            expect(bool(stated.group(1)) == (one["end"] == "lower"), module)
            expect(exact(f"{stated.group(2)}/{stated.group(3)}") == epsilon, f"{one}: {stated.groups()}")
            expect(exact(f"{stated.group(4)}/{stated.group(5)}") == exact(delta), f"{one}: {stated.groups()}")
        directions = [(one["direction"], one["end"]) for one in report["theorems"]]
        wanted = [("remove", "upper"), ("add", "upper"), ("remove", "lower")]
        symmetric = "poisson" not in spec or "replace" in spec
        expect(directions == ([wanted[0], wanted[2]] if symmetric else wanted), str(directions))

    # What is said of data sets, and of all mechanisms.
    UPPER, LOWER = "on_data_sets : forall", "attained_on_data_sets : forall"
    several = "gaussian(2) * laplace(3)^2"
    for spec, end, stated in (
            (POISSON, "upper", [UPPER, "vectors_remove_private", "vectors_add_private", "clipped (VectorQuery d"]),
            (POISSON, "lower", [LOWER, "~ vectors_", "clipped (VectorQuery d", "exists vector"]),
            ("gaussian(2)^3", "upper", [UPPER, "vectors_differentially_private"]),
            ("gaussian(2)^3", "lower", [LOWER, "~ vectors_remove_private"]),
            ("laplace(2)^3", "upper", [UPPER, "  differentially_private (fun h => Query"]),
            ("poisson(laplace(2), 0.1)^3", "lower", [LOWER, "exists number"]),
            (PRODUCT, "upper", [UPPER, "in_turn [gaussian_sum ", "releases_remove_private", "releases_add_private"]),
            (PRODUCT, "lower", [LOWER, "exists ask", "~ releases_"]),
            (several, "upper", [UPPER, "laplace_sum 3 1", "releases_differentially_private"]),
            (several + " * pure(0.1)", "upper", [UPPER, "pure_release (1 / 10)", "releases_differentially_private"]),
            (several + " * pure(0.1)", "lower", [LOWER, "pure_release (1 / 10)", "exists ask"]),
            (several + " * discrete_laplace(2)", "upper", []),
            ("pure(0.1)^3", "upper", [UPPER, "for_all : forall m : mechanism", "in_turn [pure_release (1 / 10)]"]),
            ("randomized_response(probability=0.75)^2", "lower", [LOWER, "in_turn [pure_release (ln 3)]"]),
            ("group(poisson(gaussian(2), 0.1), 2)^2", "lower", [])):
        _, text = theorems_of(folder, spec, "--delta", "1e-4", "--end", end, "--digits", "1")
        for words in stated:
            expect(words in text, f"{spec} {end}: no {words}")
        expect(("on_data_sets" in text) == any("on_data_sets" in words for words in stated), f"{spec} {end}")

    # In words; one direction; the same file again.
    path = os.path.join(folder, "words.v")
    words = run("prove", POISSON, "--delta", "1e-6", "--direction", "add", "--width", "1e-3",
                "--output", path)
    expect(words.status == 0 and "Add_upper.holds" in words.out and "Remove" not in words.out, words.out + words.err)
    with open(path, encoding="ascii") as file:
        once = file.read()
    expect("swapped (sampled_gaussian (4 / 5) (1 / 250))" in once, once[:1500])
    run("prove", POISSON, "--delta", "1e-6", "--direction", "add", "--width", "1e-3",
                "--output", path)
    with open(path, encoding="ascii") as file:
        expect(once == file.read(), "two runs, two files")

    # What no theorem covers is named, and nothing is written.
    path = os.path.join(folder, "no.v")
    for arguments, word in ((("exponential(epsilon=1)^10", "--delta", "1e-6"), "exponential"),
                            (("gaussian(sigma=2) * exponential(epsilon=1)", "--delta", "1e-6"), "exponential"),
                            (("gaussian(sigma=2)", "--delta", "0"), "0 < delta < 1"),
                            (("gaussian(sigma=2)", "--delta", "1e-6", "--width", "0"), "--width"),
                            (("gaussian(sigma=2)", "--delta", "1e-6", "--width", "-1"), "--width"),
                            (("joint(discrete_laplace(2), discrete_laplace(3))", "--delta", "1e-6"), "joint"),
                            (("discrete_laplace(2, sensitivity=100000)", "--delta", "1e-6"), "20000"),
                            (("gaussian(sigma=2)^2000000", "--delta", "1e-6"), "million"),
                            (("gaussian(sigma=2)", "--delta", "1e-6", "--end", "left"), "--end")):
        expect_refused(word, "prove", *arguments, "--output", path)
        expect(not os.path.exists(path), "a file of a refused run")
    expect_refused("--output", "prove", "gaussian(sigma=2)", "--delta", "1e-6")

finish()
