"""Certificates of mechanisms whose curve, or whose moments, are bounded at points that the certificate states: honest ones are
accepted by both checkers; a point that is lower than what is proven, a choice for which a theorem does not hold, and a curve that
is missing, not needed or of another mechanism are rejected by both, with that reason."""
import copy
import itertools
import json
import os
import pathlib
import random
import sys
from fractions import Fraction

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from _certificates import certificate, expect_accepted, expect_rejected, trivial  # noqa: E402
from _forgeries import strengthened, text_of  # noqa: E402
from _program import expect, finish  # noqa: E402
from plaudit_certificates.specs import stated_points  # noqa: E402
from plaudit_certificates.specs.specs import Composition  # noqa: E402

SLOW = os.environ.get("PLAUDIT_SLOW", "0") != "0"
# asked with PLAUDIT_SLOW=1
DEAR = ("gaussian_threshold(variance", "propose_test_release(gaussian(sigma=2)", "parallel(gaussian(sigma=2)", "select(gaussian(sigma=5), repeats=geometric",
        "random_participation(coefficients=[1, -0.5]", "random_participation(coefficients=[1, 0.5], sigma=2", "joint(laplace", "select(approximate", "select(laplace", "pate(votes=[180", "parallel(gaussian(sigma=1)", "random_participation(coefficients=[1],")
HONEST = [
    ("delta", "gaussian_threshold(sigma=2, threshold=12)", "1",
     "gaussian_threshold(sigma=1.99, threshold=12)"),
    ("epsilon", "gaussian_threshold(variance=3, threshold=4, groups=2)", "0.9",
     "gaussian_threshold(variance=2.9, threshold=4, groups=2)"),
    ("delta", "propose_test_release(gaussian(sigma=2), scale=2, miss=1e-6)^2", "1",
     "propose_test_release(gaussian(sigma=2), scale=2, miss=1.1e-6)^2"),
    ("epsilon", "propose_test_release(laplace(scale=2), scale=3, miss=0.001)", "0.01",
     "propose_test_release(laplace(scale=2), scale=2.9, miss=0.001)"),
    ("epsilon", "propose_test_release(gaussian(sigma=5), scale=9, miss=0)^9", "1e-4",
     "propose_test_release(gaussian(sigma=5), scale=8.9, miss=0)^9"),
    ("delta", "joint(gaussian(sigma=2), laplace(scale=3))^3 * gaussian(sigma=4)", "1",
     "joint(gaussian(sigma=2), laplace(scale=2.9))^3 * gaussian(sigma=4)"),
    ("delta", "joint(laplace(scale=2), laplace(scale=3))^3", "1",
     "joint(laplace(scale=2), laplace(scale=2.9))^3"),
    ("delta", "parallel(poisson(laplace(scale=1), rate=0.5), pure(epsilon=0.3))", "0.2",
     "parallel(poisson(laplace(scale=1), rate=0.51), pure(epsilon=0.3))"),
    ("epsilon", "parallel(gaussian(sigma=2), laplace(scale=2), approximate(epsilon=0, delta=0.001))", "1e-2",
     "parallel(gaussian(sigma=2), laplace(scale=2), approximate(epsilon=0, delta=0.002))"),
    ("delta", "parallel(gaussian(sigma=1), laplace(scale=1))", "0.3",
     "parallel(gaussian(sigma=0.99), laplace(scale=1))"),
    ("delta", "select(gaussian(sigma=5), repeats=geometric, gamma=0.1)", "1",
     "select(gaussian(sigma=5), repeats=geometric, gamma=0.09)"),
    ("delta", "select(laplace_threshold(scale=1, threshold=20), repeats=logarithmic, gamma=0.1)", "1",
     "select(laplace_threshold(scale=1, threshold=19), repeats=logarithmic, gamma=0.1)"),
    ("epsilon", "select(gaussian(sigma=5), repeats=poisson, mean=10)", "1e-4",
     "select(gaussian(sigma=5), repeats=poisson, mean=11)"),
    ("delta", "select(approximate(epsilon=0.5, delta=1e-6), repeats=negative_binomial, eta=0.5, gamma=0.1)^2", "1.5",
     "select(approximate(epsilon=0.5, delta=1e-6), repeats=negative_binomial, eta=0.6, gamma=0.1)^2"),
    ("epsilon", "random_participation(coefficients=[1, 0.5], sigma=2, steps=8, bins=3)", "0.01",
     "random_participation(coefficients=[1, 0.5], sigma=1.99, steps=8, bins=3)"),
    ("epsilon", "random_participation(coefficients=[1, 0.5], sigma=3, steps=3, bins=2)", "0.01",
     "random_participation(coefficients=[1, 0.5], sigma=2.99, steps=3, bins=2)"),
    ("epsilon", "random_participation(coefficients=[1], sigma=3, steps=4, separation=2, rate=0.1)", "0.01",
     "random_participation(coefficients=[1], sigma=2.9, steps=4, separation=2, rate=0.1)"),
    ("delta", "pate(votes=[140, 3, 3, 4], sigma=9)^10 * gaussian(sigma=10)^3", "0.5",
     "pate(votes=[140, 3, 3, 4], sigma=8.9)^10 * gaussian(sigma=10)^3"),
    ("delta", "random_participation(coefficients=[1, -0.5], variance=30, steps=6, separation=3, rate=0.2, start=stationary)^2", "0.5",
     "random_participation(coefficients=[1, -0.5], variance=30, steps=6, separation=3, rate=0.21, start=stationary)^2"),
    ("epsilon", "pate(votes=[180, 10, 10], sigma=20)^100", "1e-4",
     "pate(votes=[179, 11, 10], sigma=20)^100"),
]


def lists_of(stated):
    """(path, name of the list of bounds) of all points of a curve, and of all moments."""
    for part in ("both", "remove", "add", "one_run"):
        if part in stated:
            yield (part, "delta" if "delta" in stated[part] else "value")


def lowered(text):
    return text_of(Fraction(text) * Fraction(999, 1000))


def law_texts_again(content):
    """The laws that belong to changed points, so that nothing but their proof can fail."""
    done = stated_points.Curves.done
    stated_points.Curves.done = lambda self: None
    try:
        return {**content, "laws": Composition(content["spec"], {}, None, content["curves"]).law_list()}
    finally:
        stated_points.Curves.done = done


def forged_points(honest, rng):
    """(what, certificate) with one bound of each list lowered by 0.1 %, and the law made again."""
    for mechanism, stated in honest.get("curves", {}).items():
        for part, name in lists_of(stated):
            bounds = stated[part][name]
            # the last point of a curve may be its mass at infinity, and the first ones are often 1
            chosen = {rng.randrange(len(bounds)), len(bounds) // 3} if SLOW else {len(bounds) // 3}
            if name == "value":  # one of the noise alone, and one by orders
                by_orders = [i for i, each in enumerate(stated[part]["from"]) if each != "0"]
                chosen = {len(bounds) - 1, by_orders[len(by_orders) // 2]}
            if "order" in stated[part]:  # by a moment
                by_moments = [i for i, order in enumerate(stated[part]["order"]) if order != "0"]
                chosen |= set(by_moments[len(by_moments) // 2:][:1])
            for i in chosen:
                if Fraction(bounds[i]) in (0, 1) or (name == "delta" and Fraction(bounds[i]) < Fraction(1, 10**200)):
                    continue
                other = copy.deepcopy(honest)
                other["curves"][mechanism][part][name][i] = lowered(bounds[i])
                yield f"{mechanism}: {part}.{name}[{i}] lowered", law_texts_again(other)
        if "log_factor" in stated:
            other = copy.deepcopy(honest)
            other["curves"][mechanism]["log_factor"] = lowered(stated["log_factor"])
            yield f"{mechanism}: log_factor lowered", other


def main():
    rng = random.Random(20261129)
    asked = [case for case in HONEST if case[1].startswith(sys.argv[1])] if len(sys.argv) > 1 else [case for case in HONEST if SLOW or not case[1].startswith(DEAR)]
    malformed = set()  # forms of lists of points that were malformed already
    whole = True  # what has nothing to do with a mechanism is asked of the first one alone
    for turn, (quantity, spec, value, worse) in enumerate(asked):
        honest = certificate(quantity, spec, value, "5", timeout="120")
        expect_accepted(spec, honest, processes=turn % 8 == 0)
        expect(honest["upper"] != "inf", f"{spec}: nothing is claimed from above")
        if "curves" in honest:  # whose points may be any above the curve
            expect(honest["lower"] == "0", f"{spec}: something is claimed from below")
        if "curves" in honest and whole:
            below = copy.deepcopy(honest)
            below["statements"].append({**below["statements"][0], "at_least": "0"})
            del below["statements"][-1]["at_most"]
            expect_rejected(f"{spec}: something from below", below, ["nothing follows from below"], processes=False)
        # its moments take a checker seconds
        most = 1 if spec.startswith("random_participation") and not SLOW else None
        for what, forged in itertools.islice(forged_points(honest, rng), most):
            expect_rejected(what, forged, ["curves: ", "moment" if "value" in what else "is not proven to be so"], processes=False)
        for _ in range(2 if SLOW or turn == 2 else 0):
            done, forged = strengthened(honest, rng)
            expect_rejected(f"{spec}: {done}", forged, processes=False)
        if "curves" not in honest:
            continue
        mechanism = next(iter(honest["curves"]))
        missing = {key: each for key, each in honest.items() if key != "curves"}
        expect_rejected(f"{spec} without its curve", missing, ["nothing is stated of the curve"], processes=False)
        if whole:
            more = copy.deepcopy(honest)
            more["curves"]["gaussian(sigma=1)"] = more["curves"][mechanism]
            expect_rejected(f"{spec} with a curve of another mechanism", more, ["needs nothing of"], processes=False)
            whole = SLOW
        renamed = json.loads(json.dumps(honest).replace(json.dumps(spec)[1:-1], json.dumps(worse)[1:-1]))
        of = worse.split("^")[0].split(" * ")[0]
        renamed["curves"] = {of: honest["curves"][mechanism]}
        expect_rejected(f"the points of {spec} for {worse}", renamed, ["is not proven to be so"], processes=False)
        for part, name in lists_of(honest["curves"][mechanism]):
            form = (part, *sorted(honest["curves"][mechanism][part]))
            if form in malformed and not SLOW:
                continue
            malformed.add(form)
            for key, bad in (("epsilon" if name == "delta" else "t", ["0.5", "0.5"]), (name, "1"), (name, []), (name, [1, 2])):
                other = copy.deepcopy(honest)
                other["curves"][mechanism][part][key] = bad
                expect_rejected(f"{spec}: {part}.{key} = {bad}", other, ["curves"], processes=False)
    orders = certificate("epsilon", "pate(votes=[180, 10, 10], sigma=20)", "1e-4", "5", timeout="120")
    for key, bad in (("from", "1"), ("to", "1"), ("from", "1.5"), ("to", "1000000")):
        other = copy.deepcopy(orders)
        rows = next(iter(other["curves"].values()))["remove"]
        i = next(i for i, each in enumerate(rows["from"]) if each != "0" and Fraction(rows["t"][i]) > 1)
        rows[key][i] = bad
        expect_rejected(f"pate: {key} = {bad}", other, ["orders of divergences"], processes=False)
    for spec in ("gaussian_threshold(sigma=2, threshold=12, groups=101)", "gaussian_threshold(sigma=0, threshold=1)",
                 "propose_test_release(pure(epsilon=1), scale=1, miss=0.1)", "propose_test_release(gaussian(sigma=1), scale=1, miss=1)",
                 "random_participation(coefficients=[0, 1], sigma=1, steps=2, bins=2)", "random_participation(coefficients=[1], sigma=1, steps=2, bins=1)",
                 "random_participation(coefficients=[1, 1, 1], sigma=1, steps=2, bins=2)", "random_participation(coefficients=[1], sigma=1, steps=2, bins=2, start=stationary)",
                 "random_participation(coefficients=[1], sigma=1, steps=2, separation=2)", "pate(votes=[1], sigma=1)", "pate(votes=[1, 1.5], sigma=1)", "pate(votes=[1, -1], sigma=1)",
                 "poisson(joint(gaussian(sigma=1), laplace(scale=1)), rate=0.5)", "joint(zcdp(rho=1), pure(epsilon=1))", "joint(zcdp(rho=0.1), gaussian(sigma=2))", "joint(discrete_gaussian(sigma=2), gaussian(sigma=2))",
                 "joint(approximate(epsilon=1, delta=0.1), gaussian(sigma=2))"):
        expect_rejected(spec, trivial(spec), processes=False)
    finish()


main()
