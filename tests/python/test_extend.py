"""Mechanisms and accountants written in Python."""
import itertools
import subprocess
import sys
from fractions import Fraction

import plaudit as pl
import pytest


class MyLaplace(pl.Mechanism):
    """Laplace noise by its two tails, for comparison with plaudit's own."""

    parameters = {"scale": "positive", "sensitivity": ("positive", 1)}
    example = "my_laplace(scale=2)"
    theorem = "Laplace noise: the shift dominates"
    adjacency = "add_remove"

    def ratio(self):
        return pl.Interval(self.sensitivity) / pl.Interval(self.scale)

    def p_above(self, x):
        a = self.ratio()
        return 1 if x < -a else 0 if x >= a else 1 - pl.balls.exp((x - a) / 2) / 2

    def q_above(self, x):
        a = self.ratio()
        return 1 if x < -a else 0 if x >= a else pl.balls.exp(-(x + a) / 2) / 2

    def least_loss(self):
        return -self.ratio()

    def greatest_loss(self):
        return self.ratio()


class MyGaussian(pl.Mechanism):
    """Gaussian noise with its moment generating function."""

    parameters = {"sigma": "positive"}
    example = "my_gaussian(sigma=1)"

    def mean(self):
        return 1 / (2 * pl.Interval(self.sigma) * self.sigma)

    def p_above(self, x):
        return pl.balls.normal_cdf((self.mean() - x) * self.sigma)

    def q_above(self, x):
        return pl.balls.normal_cdf((-self.mean() - x) * self.sigma)

    def mgf(self, z):
        return pl.balls.complex_exp(self.mean() * (z * z + z))

    def mgf_beyond(self, t, s):
        return pl.balls.exp(self.mean() * (t * t + t - s * s))


class MyCoin(pl.Mechanism):
    """Two atoms on a lattice; another law when a record is added (the same one, here)."""

    parameters = {"epsilon": "positive"}
    example = "my_coin(epsilon=1)"
    symmetric = False

    def atoms(self):
        e = pl.balls.exp(pl.Interval(self.epsilon))
        return [(-pl.Interval(self.epsilon), 1 / (1 + e)), (self.epsilon, e / (1 + e))]

    def lattice(self):
        assert self.direction in ("remove", "add")
        return (2 * self.epsilon, -self.epsilon, [0, 1])

    def p_above(self, x):
        return sum((p for loss, p in self.atoms() if loss > x), 0)

    def q_above(self, x):
        return sum((p * pl.balls.exp(-loss) for loss, p in self.atoms() if loss > x), pl.Interval(0))


@pytest.fixture(scope="module", autouse=True)
def known():
    return [pl.register(each) for each in (MyLaplace, MyGaussian, MyCoin)]


def test_they_are_mechanisms_like_any_other():
    run = pl.my_laplace(scale=20)**100 * pl.poisson(pl.gaussian(2), 0.01)**10
    assert run.spec == "my_laplace(scale=20)^100 * poisson(gaussian(sigma=2), rate=0.01)^10"
    assert run.adjacency.kind == "add_remove"
    assert "my_laplace" in [each["name"] for each in pl.list_mechanisms()]
    with pytest.raises(pl.SpecError, match="scale must be"):
        pl.my_laplace(-1)


@pytest.mark.parametrize("mine, theirs, digits", [
    ("my_laplace(scale=2)", "laplace(2)", 12),
    ("my_laplace(scale=2, sensitivity=2)^5", "laplace(1)^5", 3),
    ("my_gaussian(sigma=3)^20", "gaussian(3)^20", 10),
    ("my_coin(epsilon=1/10)^30", "randomized_response(epsilon=1/10)^30", 12)])
def test_their_bands_contain_the_truth(mine, theirs, digits):
    for delta in (1e-2, 1e-5):
        found = pl.epsilon(mine, delta=delta, digits=digits, timeout=20)
        truth = pl.epsilon(theirs, delta=delta, digits=15)
        assert found.certified and found.lower <= truth.upper and truth.lower <= found.upper
        assert found.width <= 10.0 ** (1 - digits) * max(1, truth.upper)


def test_mistakes_are_named():
    class Broken(pl.Mechanism):
        """Raises."""

        name = "broken"
        example = "broken()"

        def p_above(self, x):
            return 1 / 0

        def q_above(self, x):
            return 0

    with pytest.raises(pl.SpecError, match="broken.p_above raised ZeroDivisionError"):
        pl.register(Broken)().epsilon(1e-5)

    class Wrong(Broken):
        """Returns what is no enclosure."""

        name = "wrong"
        example = "wrong()"

        def p_above(self, x):
            return "much"

    with pytest.raises(pl.SpecError, match="wrong"):
        pl.register(Wrong)().epsilon(1e-5)

    class Taken(MyGaussian):
        """Has a name of ours."""

        name = "gaussian"
        example = "gaussian(sigma=1)"

    with pytest.raises(pl.SpecError, match="taken"):
        pl.register(Taken)
    with pytest.raises(pl.SpecError):
        pl.register(int)


def test_a_class_that_is_defined_anew_takes_the_place_of_the_old_one():
    names = itertools.count()

    def define(factor):
        class Again(MyGaussian):
            """Noise times a factor."""

            name = "again"
            example = "again(sigma=1)"
            number = next(names)

            def mean(self):
                return 1 / (2 * pl.Interval(self.sigma * factor) * (self.sigma * factor))

            def p_above(self, x):
                return pl.balls.normal_cdf((self.mean() - x) * self.sigma * factor)

            def q_above(self, x):
                return pl.balls.normal_cdf((-self.mean() - x) * self.sigma * factor)

        return pl.register(Again)

    first = define(1)(3).epsilon(1e-5)
    second = define(2)(3).epsilon(1e-5)
    assert first.lower > second.upper
    assert second.lower <= pl.gaussian(6).epsilon(1e-5).upper <= second.upper + 1e-9


class TooSmall(pl.Accountant):
    """The certified upper end less one part in a thousand: a lie."""

    claim = "upper"

    def epsilon(self, run, delta):
        return run.epsilon(delta, digits=8).upper * 0.999


class Generous(pl.Accountant):
    """The certified upper end and one part in a thousand, direction by direction."""

    claim = "upper"

    def epsilon(self, run, delta, direction):
        return run.epsilon(delta, digits=8, direction=direction).upper * 1.001


class Choosy(pl.Accountant):
    """An estimate for Gaussian noise only."""

    tolerance = 1e-3

    def refusal(self, run):
        return None if all(step.mechanism.name == "gaussian" for step in run.steps) else "Gaussian noise only"

    def epsilon(self, run, delta):
        return sum(run.epsilon(delta, digits=10)) / 2


def test_accountants_stand_in_the_comparison():
    run = pl.poisson(pl.gaussian(1), 0.01)**1000
    found = pl.compare(run, delta=1e-6, timeout=3, accountants=["contour", TooSmall, Generous(), Choosy()])
    assert found.refuted and not found.contradiction
    assert found["too_small"].verdict.startswith("refuted by contour")
    assert found["generous"].verdict == "claimed"
    assert "Gaussian noise only" in found["choosy"].verdict
    assert run.epsilon(1e-6, accountant="generous").certified is False


def test_accountants_are_audited():
    runs = pl.random_runs(6, seed=2)
    assert pl.audit(accountant=TooSmall(), runs=runs, delta=1e-6).summary["refuted"] == 6
    assert pl.audit(accountant=Generous, runs=runs, delta=1e-6).summary["refuted"] == 0
    refused = pl.audit(accountant=Choosy(), runs=[pl.laplace(1), pl.gaussian(2)], delta=1e-6)
    assert [one.verdict for one in refused.findings][0] == "error"
    assert "Gaussian noise only" in refused.findings[0].reason
    estimates = pl.audit(accountant=Choosy, runs=[pl.gaussian(2)**3], delta=1e-6)
    assert estimates.summary["refuted"] == 0 and estimates.summary["error"] == 0
    with pytest.raises(pl.SpecError):
        pl.audit(accountant="contour", runs=runs, delta=1e-6)
    with pytest.raises(pl.SpecError):
        pl.audit(accountant=TooSmall(), runs=runs)


def test_a_lie_narrows_nothing():
    run = pl.gaussian(2)**3
    honest = run.epsilon(1e-6)
    pl.register(TooSmall)
    assert run.epsilon(1e-6).decimal(20) == honest.decimal(20)
    with pytest.raises(pl.SpecError, match="trust"):
        pl.trust("contour")


def test_a_band_that_a_trusted_claim_narrowed_says_so(tmp_path):
    code = """
import pickle
from fractions import Fraction
import plaudit as pl

class Inside(pl.Accountant):
    "an upper end inside of the band"
    name, theorem, claim = "inside", "none", "upper"

    def epsilon(self, run, delta):
        lower, upper = map(Fraction, OWN.decimal(20))
        return lower + (upper - lower) / 10

    def delta(self, run, epsilon):
        raise ValueError("no")

run = pl.parse("laplace(scale=1)^3 * gaussian(sigma=2)")
OWN = run.epsilon("1e-5")
assert OWN.trusted == "" and "if the claims" not in repr(OWN)
pl.register(Inside)
pl.trust("inside")
band = run.epsilon("1e-5")
assert band.trusted == "inside" and "certified if the claims of inside are true" in repr(band), repr(band)
assert pickle.loads(pickle.dumps(band)).trusted == "inside"
assert "if the claims of inside" in band._repr_html_()
try:
    pl.Ledger("budget.db", run, kind="pair", delta="1e-5").statement()
except pl.NotApplicable as error:
    assert "does not trust" in str(error)
else:
    raise AssertionError("a ledger rests on a claim")
"""
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path)


def test_intervals_round_outward():
    third = pl.Interval(1) / 3
    assert pl.Interval(0, third).lower == 0 and pl.Interval(0, third).upper == third.upper
    assert third.lower < third.upper and third * 3 >= pl.Interval("0.999")
    assert not (third < "1/3") and not (third > "1/3")
    assert pl.Interval(0.1).lower == pl.Interval(0.1).upper == 0.1  # the double
    assert pl.Interval("0.1").lower < pl.Interval("0.1").upper
    assert pl.balls.exp(pl.balls.log(2)).lower <= 2 <= pl.balls.exp(pl.balls.log(2)).upper
    for ends in ((2, 1), (float("nan"),), (float("nan"), 1), ("inf",), (None,), (True,)):
        with pytest.raises(pl.SpecError):
            pl.Interval(*ends)


def test_parts_of_parallel_are_told_apart_by_their_parameters():
    # laws of one plug-in have one description: a part was taken for the other one, whichever came last
    class Blanked(MyLaplace):
        """The same for a record that is blanked."""

        name = "my_blanked_laplace"
        example = "my_blanked_laplace(scale=2)"
        adjacency = "zero_out"

    pl.register(Blanked)
    many = [pl.parse(f"my_blanked_laplace(scale={scale})") for scale in (1, 10)]
    greatest = max(run.epsilon(0.01).lower for run in many)
    for parts in (many, many[::-1]):
        run = pl.parallel(*parts)
        assert run.epsilon(0.01).upper >= greatest
    assert pl.parallel(many[0], many[0]).epsilon(0.01).upper == many[0].epsilon(0.01).upper


class Plain(pl.Mechanism):
    """Randomized response of 3/4 by the four functions that a law must have."""

    example = "plain()"
    attained = "two answers have it"
    share = Fraction(3, 4)

    def above(self, x, between):
        end = pl.balls.log(pl.Interval(3))
        return 1 if x < -end else between if -end <= x < end else 0 if x >= end else (0, 1)

    def p_above(self, x):
        return self.above(x, self.share)

    def q_above(self, x):
        return self.above(x, 1 - self.share)


class Leaking(pl.Mechanism):
    """L is infinite with probability 1/4, else log(9/4) or -log 4."""

    example = "leaking()"

    def above(self, x, between, above):
        least, greatest = -pl.balls.log(pl.Interval(4)), pl.balls.log(pl.Interval(9) / 4)
        return 1 if x < least else between if least <= x < greatest else above if x >= greatest else (above, 1)

    def p_above(self, x):
        return self.above(x, Fraction(13, 16), Fraction(1, 4))

    def q_above(self, x):
        return self.above(x, Fraction(1, 4), 0)

    def mass_at_infinity(self):
        return Fraction(1, 4)


class Endless(MyGaussian):
    example = "endless(sigma=1)"

    def greatest_loss(self):
        return float("inf")


class Overstated(Plain):
    example = "overstated()"

    def greatest_loss(self):
        return float("inf")


class Understated(Plain):
    example = "understated()"

    def greatest_loss(self):
        return (1, 2)

    def exact_greatest_loss(self):
        return 1


def test_an_end_that_is_not_stated_is_not_known():
    """delta = 0 is reached at log 3, the greatest loss."""
    plain = pl.register(Plain)()
    for run, end in ((plain, 1.0987), (plain**2, 2.1973), (plain * pl.laplace(1), 2.0987)):
        assert run.epsilon(0).lower <= end
    assert pl.register(MyGaussian)(sigma=1).epsilon(0).upper == float("inf")
    assert pl.register(Endless)(sigma=1).epsilon(0).lower == float("inf")
    leaking = pl.register(Leaking)()
    assert leaking.epsilon("0.25", digits=2, timeout=1).lower <= 0.811
    assert (leaking**2).loss().quantile("0.5625").lower <= 1.622
    with pytest.raises(pl.PluginError, match="stated to have no end"):
        pl.register(Overstated)
    with pytest.raises(pl.PluginError, match="finite mass above the greatest loss"):
        pl.register(Understated)


class Turned(pl.Mechanism):
    """A mechanism as it is, or with its directions exchanged."""

    parameters = {"base": "mechanism", "order": (["given", "exchanged"], "given"), "note": "text"}
    example = 'turned(gaussian(sigma=2), note="a remark")'
    attained = "its base's data sets have it"

    @property
    def adjacency(self):
        return self.base.adjacency.kind

    def laws(self):
        assert self.note and isinstance(self.base, pl.Composition)
        laws = [pl.extend.law_of(self.base, one) for one in ("remove", "add")]
        return laws if self.order == "given" else laws[::-1]


class Mirror(pl.Mechanism):
    """The same mechanism with the roles of its data sets exchanged."""

    parameters = {"base": "mechanism"}
    example = "mirror(gaussian(sigma=2))"

    def laws(self):
        return tuple(pl.extend.reversed_law(pl.extend.law_of(self.base, one)) for one in ("remove", "add"))


class Rounded(pl.Mechanism):
    """Discrete Gaussian noise of sensitivity 1 by its masses on the lattice of its losses."""

    parameters = {"variance": "positive"}
    example = "rounded(variance=4)"

    def lattice_window(self):
        v, reach = self.variance, 8
        # all k with k^2 / 2v below the bits; the terms beyond fall at least by e^(-reach / v)
        while Fraction(reach * reach, 2) / v < pl.balls.working_bits():
            reach += 4
        masses = [pl.balls.exp(-pl.Interval(Fraction(k * k) / (2 * v))) for k in range(-reach, reach + 1)]
        tail = masses[-1] / (1 - pl.balls.exp(-pl.Interval(reach / v)))
        whole = sum(masses, pl.Interval(0)) + 2 * pl.Interval(0, tail)
        rest = pl.Interval(0, tail / whole)
        # under P the noise is moved by 1: the loss of the output k is (2k - 1) / 2v
        return 1 / v, Fraction(1) / (2 * v), -reach, [mass / whole for mass in masses], rest, rest


def test_words_texts_and_mechanisms_are_parameters():
    turned = pl.register(Turned)
    base = pl.poisson(pl.gaussian(2), 0.1)
    run = turned(base, order="exchanged", note="any text")
    assert run.spec == 'turned(base=poisson(gaussian(sigma=2), rate=0.1), order=exchanged, note="any text")'
    assert run.adjacency.kind == "add_remove" and pl.parse(run.spec) == run
    for one, other in (("remove", "add"), ("add", "remove")):
        mine = run.delta(0.3, direction=one)
        theirs = base.delta(0.3, direction=other)
        assert mine.lower <= theirs.upper and theirs.lower <= mine.upper and mine.width < 1e-9
    assert turned(base, note="x").delta(0.3, direction="add").lower <= base.delta(0.3, direction="add").upper
    with pytest.raises(pl.SpecError, match="order must be given or exchanged"):
        turned(base, order="other", note="x")
    with pytest.raises(pl.SpecError, match="note"):
        turned(base)


def test_laws_are_made_of_laws():
    base = pl.poisson(pl.gaussian(2), 0.1)
    law = pl.extend.law_of(base, "remove")
    assert 0 < law.p_above("0.1").lower <= law.p_above("0.1").upper < 1 and law.mass_at_infinity().upper == 0
    run = pl.register(Mirror)(base)
    for one, other in (("remove", "add"), ("add", "remove")):  # a mixture's two directions are the exchanged pair
        mine, theirs = run.delta(0.2, direction=one), base.delta(0.2, direction=other)
        assert mine.lower <= theirs.upper and theirs.lower <= mine.upper and mine.width < 1e-6
    with pytest.raises(pl.SpecError):
        pl.extend.law_of(base**2)

    class NoLaw(Mirror):
        """Gives what is no law."""

        name = "no_law"
        example = "no_law(gaussian(sigma=2))"

        def laws(self):
            return 3

    for wrong in (3, pl.Law, (law,), (law, 3), (None, None), (law, law, law)):
        NoLaw.laws = lambda self, wrong=wrong: wrong
        with pytest.raises(pl.SpecError, match="laws\\(\\) returns one law or the pair of them"):
            pl.register(NoLaw)
    assert pl.extend.law_of("gaussian(sigma=2)").p_above(0) > "0.5"
    for wrong in (None, 3):
        with pytest.raises(pl.SpecError, match="a mechanism is wanted"):
            pl.extend.law_of(wrong)
        with pytest.raises(pl.SpecError, match="reversed_law: "):
            pl.extend.reversed_law(wrong)


@pytest.mark.parametrize("stated, said", [
    (3, "a has no domain"), ([1, 2], "a has no domain"), ([], "a has no domain"), (("x", "y", "z"), "a has no domain"),
    ((["x"], 1), "the default of a must be one of its words"), ((["x"], "z"), "the default of a must be x"), ("positiv", "positiv")])
def test_domains_that_there_are_not(stated, said):
    class Wrong(MyGaussian):
        """Has a parameter of no domain."""

        name = "wrong_domain"
        parameters = {"a": stated}
        example = "wrong_domain(a=1)"

    with pytest.raises(pl.SpecError, match=said):
        pl.register(Wrong)


@pytest.mark.parametrize("steps", [1, 50])
def test_a_law_on_a_lattice_has_its_tails_from_its_masses(steps):
    mine = (pl.register(Rounded)(variance=4)**steps).epsilon(1e-5, digits=8)
    truth = (pl.discrete_gaussian(2)**steps).epsilon(1e-5, digits=10)
    assert mine.certified and mine.lower <= truth.upper and truth.lower <= mine.upper
    assert mine.width < 1e-6 * truth.upper
