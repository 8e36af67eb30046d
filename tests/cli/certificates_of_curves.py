"""Certificates of profiles, truncated noise, shuffled messages, private selection and parallel composition: honest ones
are accepted by both checkers, what claims more is rejected by both, what is bounded at points has none, with that reason."""
import json
import os
import pathlib
import random
import sys
import tempfile
from fractions import Fraction

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from _certificates import certificate, changed, expect_accepted, expect_rejected, trivial  # noqa: E402
from _forgeries import strengthened, text_of  # noqa: E402
from _program import expect, finish, run  # noqa: E402
from mpmath import mp  # noqa: E402
from plaudit_certificates.arithmetic.ends import to_mpmath  # noqa: E402
from plaudit_certificates.arithmetic.real import precision  # noqa: E402
from plaudit_certificates.laws import shuffled_curves  # noqa: E402

SLOW = os.environ.get("PLAUDIT_SLOW", "0") != "0"
# what is asked, and a spec of another law: less noise, looser bounds, fewer users
HONEST = [
    ("delta", "privacy_profile(epsilons=[0.1, 0.5, 1], deltas=[0.3, 0.1, 0.01])^2", "1",
     "privacy_profile(epsilons=[0.1, 0.5, 1], deltas=[0.3, 0.11, 0.01])^2"),
    ("delta", "partition_selection(epsilon=1, delta=0.01)^3", "1", "partition_selection(epsilon=1, delta=0.0101)^3"),
    ("epsilon", "partition_selection(epsilon=0.5, delta=1e-4)^9", "1e-2", "partition_selection(epsilon=0.501, delta=1e-4)^9"),
    ("delta", "laplace_threshold(scale=2, threshold=20)", "0.2", "laplace_threshold(scale=1.99, threshold=20)"),
    ("epsilon", "laplace_threshold(scale=3, threshold=20) * gaussian(sigma=3)", "1e-2", "laplace_threshold(scale=3, threshold=15) * gaussian(sigma=3)"),
    ("delta", "truncated_gaussian(sigma=2, bound=9)^3", "0.5", "truncated_gaussian(sigma=2, bound=8.9)^3"),
    ("epsilon", "truncated_gaussian(sigma=1, bound=7)", "1e-5", "truncated_gaussian(sigma=1, bound=4)"),
    ("delta", "skellam(variance=20)^4", "0.5", "skellam(variance=19.9)^4"),
    ("epsilon", "skellam(variance=9, sensitivity=2)", "1e-4", "skellam(variance=8.9, sensitivity=2)"),
    ("delta", "discrete_gaussian_sum(parties=7, sigma=1)^2", "1", "discrete_gaussian_sum(parties=6, sigma=1)^2"),
    ("delta", "averaged(gaussian(sigma=1), rate=0.3, population=20)", "0.5", "averaged(gaussian(sigma=1), rate=0.3, population=19)"),
    ("epsilon", "averaged(gaussian(sigma=1), rate=0.3, population=9, adjacency=replace)", "1e-3",
     "averaged(gaussian(sigma=0.99), rate=0.3, population=9, adjacency=replace)"),
    ("delta", "gaussian_sparse_vector(threshold_sigma=20, query_sigma=40, queries=1000)^3", "1",
     "gaussian_sparse_vector(threshold_sigma=20, query_sigma=40, queries=1010)^3"),
    ("epsilon", "privacy_profile(epsilons=[0, 0.1], deltas=[0.03, 0])^9", "1e-4", "privacy_profile(epsilons=[0, 0.1], deltas=[0.031, 0])^9"),
    ("delta", "truncated_laplace(scale=1, bound=5)", "0.5", "truncated_laplace(scale=1, bound=4.99)"),
    ("epsilon", "truncated_laplace(scale=10, bound=150)^20", "1e-3", "truncated_laplace(scale=10, bound=15)^20"),
    ("delta", "truncated_laplace(scale=3, bound=1)^2 * gaussian(sigma=2)", "0.5", "truncated_laplace(scale=3, bound=1.1)^2 * gaussian(sigma=2)"),
    ("delta", "shuffle(epsilon=1, users=12)", "0.5", "shuffle(epsilon=1, users=11)"),
    ("epsilon", "shuffle(epsilon=0.5, users=9)^2", "1e-3", "shuffle(epsilon=0.6, users=9)^2"),
    ("epsilon", "select(pure(epsilon=0.1), repeats=geometric, gamma=0.1)^9", "1e-4", "select(pure(epsilon=0.1), repeats=geometric, gamma=0.09)^9"),
    ("delta", "select(pure(epsilon=0.2), repeats=binomial, trials=9, probability=0.5)^2", "1",
     "select(pure(epsilon=0.2), repeats=binomial, trials=10, probability=0.5)^2"),
    ("delta", "select(pure(epsilon=0.2), repeats=poisson, mean=3) * pure(epsilon=0.1)", "0.1",
     "select(pure(epsilon=0.2), repeats=poisson, mean=3.1) * pure(epsilon=0.1)"),
    ("delta", "parallel(pure(epsilon=0.5), approximate(epsilon=0.1, delta=0.01))^3", "1",
     "parallel(pure(epsilon=0.5), approximate(epsilon=0.1, delta=0.011))^3"),
    ("epsilon", "parallel(laplace(scale=7), laplace(scale=20))^9", "1e-3", "parallel(laplace(scale=6), laplace(scale=20))^9"),
]
# of which neither checker knows the curve at points that the program chose
NONE = ["parallel(poisson(gaussian(sigma=1), rate=0.1), gaussian(sigma=3))", "select(poisson(gaussian(sigma=1), rate=0.1), repeats=poisson, mean=2)",
        "parallel(approximate(epsilon=1e30, delta=0), pure(epsilon=1))"]
# whose curve the certificate bounds at points: any randomizer, three categories or more with and without a spread of the other
# messages, two categories with all data sets and with many users
SHUFFLES = [("delta", "shuffle(epsilon=1, users=80)", "0.2"), ("epsilon", "shuffle(epsilon=2, users=100, categories=8)^2", "1e-4"),
            ("delta", "shuffle(epsilon=1, users=9, categories=3)", "0.3"), ("delta", "shuffle(epsilon=4, users=200, categories=20)", "0.5"),
            ("delta", "shuffle(epsilon=2, users=12, categories=2)", "0.5"), ("delta", "shuffle(epsilon=1.5, users=70, categories=2)", "0.1")]
# corners that are nearly one, and beyond what has exponentials
FAR = ["privacy_profile(epsilons=[1, 1." + "0" * 300 + "1, 2], deltas=[0.3, 0.2, 0.1])", "privacy_profile(epsilons=[0.1, 1e30], deltas=[0.3, 0.1])",
       "parallel(pure(epsilon=1000000), approximate(epsilon=1, delta=0.5))"]
# no such mechanisms
REFUSED = ["privacy_profile(epsilons=[0.5, 0.5], deltas=[0.1, 0.1])", "privacy_profile(epsilons=[-1], deltas=[0.1])",
           "privacy_profile(epsilons=[1], deltas=[1])", "privacy_profile(epsilons=[1], deltas=[1.1])",
           "privacy_profile(epsilons=[1, 2], deltas=[0.1])", "truncated_laplace(scale=1, bound=0.9)", "truncated_laplace(scale=0, bound=2)",
           "shuffle(epsilon=1, users=0)", "shuffle(epsilon=1, users=1.5)", "shuffle(epsilon=1, users=250001)",
           "shuffle(epsilon=1, users=10001, categories=3)", "shuffle(epsilon=1, users=9, categories=1)", "shuffle(epsilon=1, users=9, categories=3.5)",
           "shuffle(epsilon=1e-10, users=2)", "shuffle(epsilon=1001, users=2)",
           "select(pure(epsilon=1), repeats=poisson, mean=0)", "select(pure(epsilon=1), repeats=geometric, gamma=1)",
           "select(pure(epsilon=1), repeats=geometric, gamma=0.5, eta=1)", "select(pure(epsilon=1), repeats=often, mean=1)",
           "select(pure(epsilon=1), repeats=binomial, trials=2, probability=1.1)", "select(pure(epsilon=1), repeats=negative_binomial, eta=-1, gamma=0.5)",
           "parallel(pure(epsilon=1))", "parallel(pure(epsilon=1), shuffle(epsilon=1, users=2))", "parallel(pure(epsilon=1), zcdp(rho=1))",
           "parallel(poisson(pure(epsilon=1), rate=0.1), poisson(pure(epsilon=1), rate=0.1, adjacency=zero_out))",
           "parallel(pure(epsilon=1), group(gaussian(sigma=1), size=2))", "joint(shuffle(epsilon=1, users=2), pure(epsilon=1))",
           "poisson(shuffle(epsilon=1, users=2), rate=0.5)",
           "gaussian(variance=4)", "discrete_gaussian(variance=4)", "tree(steps=2, variance=9/4)", "renyi_profile(orders=[2, 2], divergences=[1, 1])",
           "renyi_profile(orders=[2], divergences=[0])"]


DIGITS = {"skellam(variance=20)^4": "5", "truncated_gaussian(sigma=2, bound=9)^3": "5",
          "truncated_laplace(scale=10, bound=150)^20": "3"}  # not 8, which take longer


def of_shuffles(rng):
    """A bound that is stated 0.1 % lower anywhere is not proven, whatever is claimed with it."""
    for quantity, spec, value in SHUFFLES if SLOW else SHUFFLES[::2] + SHUFFLES[-1:]:
        honest = certificate(quantity, spec, value, "6")
        expect_accepted(spec, honest)
        expect(honest["upper"] != "inf", f"{spec}: nothing is claimed from above")
        (mechanism, stated), = honest["curves"].items()
        deltas = stated["both"]["delta"]
        for place in sorted({0, len(deltas) // 4, rng.randrange(len(deltas) // 2)}):
            lower = text_of(Fraction(deltas[place]) * Fraction(999, 1000))
            forged = changed(honest, "curves", mechanism, "both", "delta", place, lower)
            expect_rejected(f"{spec}: the bound {place} is 0.1 % lower", forged, ["curves", "is not proven to be so low"],
                            processes=place == 0)
        worse = changed(honest, "curves", mechanism, "both", "epsilon", 0, "1")  # beyond the second one
        expect_rejected(f"{spec}: epsilons that fall", worse, ["curves"], processes=False)
        expect_rejected(f"{spec}: nothing stated", {key: each for key, each in honest.items() if key != "curves"},
                        ["nothing is stated"], processes=False)
        strong = strengthened(honest, rng)
        expect_rejected(f"{spec}: {strong[0]}", strong[1], processes=False)


def sum_of_clones(e, x, users):
    """docs/proofs/shuffle.md#law, at numbers of mpmath."""
    rate = 1 / (1 + e)
    return sum(mp.binomial(users, m) * rate ** m * (1 - 2 * rate) ** (users - m) *
               sum(mp.binomial(m, j) * max(e * j + m - j - x * (j + e * (m - j)), 0) for j in range(m + 1))
               for m in range(1, users + 1)) / users


def sum_of_categories(e, x, users, categories):
    """docs/proofs/shuffle.md#categories (a)"""
    share = 1 / (e + categories - 1)
    return sum(mp.binomial(users, t) * mp.binomial(users - t, w) * share ** t * ((categories - 2) * share) ** w *
               ((e - 1) * share) ** (users - t - w) *
               sum(mp.binomial(t, i) * max(i * (e - x) + (t - i) * (1 - e * x) + (1 - x) * w, 0) for i in range(t + 1))
               for t in range(users + 1) for w in range(users - t + 1)) / users


def sum_of_two_values(e, x, users):
    """docs/proofs/shuffle.md#two-categories"""
    own, best = e / (1 + e), mp.mpf(0)
    for held in range(users):
        law = [mp.mpf(1)]
        for user in range(users - 1):
            one = own if user < held else 1 - own
            law = [a * one + b * (1 - one) for a, b in zip([0, *law], [*law, 0])]
        best = max(best, sum(max((own - x * (1 - own)) * a + (1 - own - x * own) * b, 0) for a, b in zip([0, *law], [*law, 0])))
    return best


def of_sums():
    """The curves of the checker in Python are the sums over all that may be drawn, and above them where more of it is rare."""
    cases = [("1", lambda e: shuffled_curves.Clones(e, 70), sum_of_clones, (70,)),
             ("9", lambda e: shuffled_curves.Clones(e, 66), sum_of_clones, (66,)),
             ("0.1", lambda e: shuffled_curves.Clones(e, 30), sum_of_clones, (30,)),
             ("1", lambda e: shuffled_curves.Categories(e, 12, 3), sum_of_categories, (12, 3)),
             ("0.1", lambda e: shuffled_curves.Categories(e, 6, 3), sum_of_categories, (6, 3)),
             ("3", lambda e: shuffled_curves.Categories(e, 16, 10), sum_of_categories, (16, 10)),
             ("1", lambda e: shuffled_curves.Categories(e, 40, 10), sum_of_categories, (40, 10)),
             ("2", lambda e: shuffled_curves.TwoValues(e, 7), sum_of_two_values, (7,)),
             ("1", lambda e: shuffled_curves.TwoValues(e, 1), sum_of_two_values, (1,))]
    all_but, mp.dps = shuffled_curves.RARE, 70
    for text, make, true, numbers in cases:
        epsilon = Fraction(text)
        with precision(256):
            shuffled_curves.RARE = all_but
            fine = make(epsilon)
            shuffled_curves.RARE = 100
            rough = make(epsilon)
            shuffled_curves.RARE = all_but
            for share in ("0", "0.01", "0.1", "0.3", "0.7", "0.999"):
                loss = epsilon * Fraction(share)
                e, x = (mp.exp(mp.mpf(each.numerator) / each.denominator) for each in (epsilon, loss))
                exact, spare = true(e, x, *numbers), mp.mpf(10) ** -55
                above, rough_one = (mp.make_mpf(to_mpmath(curve.at(loss).hi)) for curve in (fine, rough))
                expect(exact * (1 - spare) <= above <= exact * (1 + 10 ** 25 * spare) + spare,
                       f"{true.__name__}{numbers} at {share}: {above}, not {exact}")
                expect(rough_one >= exact * (1 - spare), f"{true.__name__}{numbers} at {share}, roughly: {rough_one} below {exact}")


def main():
    rng = random.Random(20261128)
    for turn, (quantity, spec, value, worse) in enumerate(HONEST):
        honest = certificate(quantity, spec, value, DIGITS.get(spec, "8"), timeout="60")
        expect_accepted(spec, honest, processes=turn % 8 == 0)
        expect(honest["upper"] != "inf", f"{spec}: nothing is claimed from above")
        for _ in range(3 if SLOW else 1):
            done, forged = strengthened(honest, rng)
            expect_rejected(f"{spec}: {done}", forged, processes=False)
        other = trivial(worse)  # the same statements of a law for which they are false
        forged = json.loads(json.dumps({**honest, "spec": worse, "laws": other["laws"]}))
        expect_rejected(f"the statements of {spec} for {worse}", forged, processes=False)
        expect_rejected(f"the laws of {worse} for {spec}", {**honest, "laws": other["laws"]}, ["laws"], processes=False)
    of_sums()
    of_shuffles(rng)
    for spec in NONE:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "certificate.json"
            result = run("delta", spec, "--epsilon", "0.5", "--certificate", str(path))
            expect(not path.exists() and "no certificate: " in result.err and any(why in result.err for why in ("without a closed form", "nothing is stated of the curve")), f"{spec}: {result.err!r}")
        expect_rejected(spec, trivial(spec), processes=False)
    for spec in FAR:
        adjacency = {"adjacency": "add_remove"} if "parallel" in spec else {}
        expect_accepted(spec, trivial(spec, **adjacency), processes=False)
    for spec in REFUSED:
        expect_rejected(spec, trivial(spec), processes=False)
    finish()


main()
