"""Calibration and requests: both ends are verified by queries of their own."""
import json
import pickle
from fractions import Fraction

import plaudit as pl
import pytest


def check(found, build, delta, target):
    assert found.reached
    met = build(found.suffices).epsilon(delta, digits=15)
    missed = build(found.fails).epsilon(delta, digits=15)
    assert met.upper <= target < missed.lower
    assert found.run == build(found.suffices)
    assert found.band.upper <= target < found.band_at_fails.upper


def test_numbers():
    def run(s):
        return pl.dpsgd(noise_multiplier=s, sample_rate="1/100", steps=1000)

    found = pl.calibrate(run, epsilon=2, delta=1e-5)
    check(found, run, 1e-5, 2)
    assert found.parameter == "sigma" and 0 < found.suffices - found.fails <= Fraction(1, 100000)
    assert "suffices" in repr(found) and found.queries > 0 and "monotone.md" in found.theorem

    def rate(q):
        return pl.poisson(pl.gaussian(1), q)**1000

    check(pl.calibrate(rate, epsilon=2, delta=1e-5, digits=4), rate, 1e-5, 2)


def test_integers():
    def steps(n):
        return pl.poisson(pl.gaussian(1), "1/100")**n

    found = pl.calibrate(steps, epsilon=2, delta=1e-5)
    check(found, steps, 1e-5, 2)
    assert found.fails - found.suffices == 1 and isinstance(found.suffices, int)

    def noise(n):
        return pl.gaussian(5)**n * pl.laplace(20)

    check(pl.calibrate(noise, epsilon=3, delta=1e-6), noise, 1e-6, 3)


def test_the_program_says_the_same(program):
    found = pl.calibrate("poisson(gaussian(?), rate=0.01)^1000", epsilon=2, delta=1e-5, digits=6)
    status, out, err = program("calibrate", "poisson(gaussian(?), rate=0.01)^1000", "--target-epsilon", "2",
                               "--delta", "1e-5", "--digits", "6", "--json")
    assert status == 0, err
    there = json.loads(out)
    assert (Fraction(there["suffices"]), Fraction(there["fails"])) == (found.suffices, found.fails)


def test_a_target_for_delta():
    found = pl.calibrate(lambda s: pl.gaussian(s)**10, epsilon=1, delta=1e-6, target="delta")
    assert (pl.gaussian(found.suffices)**10).delta(1).upper <= 1e-6 < (pl.gaussian(found.fails)**10).delta(1).upper


@pytest.mark.parametrize("bad", [
    lambda s: pl.discrete_gaussian(sigma=s),      # not proven to be monotone
    lambda s: pl.gaussian(1),                     # does not use it
    lambda s: 3,
    "gaussian(1)",
    "gaussian(?",
    7])
def test_what_is_refused(bad):
    with pytest.raises(pl.SpecError):
        pl.calibrate(bad, epsilon=1, delta=1e-5)


def test_a_target_that_no_value_meets():
    found = pl.calibrate(lambda n: pl.gaussian("1/10")**n, epsilon=1, delta=1e-5)
    assert found.suffices is None and found.none_meets and found.fails == 1
    with pytest.raises(pl.SpecError):
        pl.calibrate(lambda s: pl.gaussian(s), epsilon=1)


def test_requests():
    requests = pl.Requests()
    answer = json.loads(requests.answer('{"id": 7, "spec": "gaussian(1)", "delta": "1e-5"}'))
    lower, upper = pl.gaussian(1).epsilon("1e-5").decimal(16)
    assert (answer["id"], answer["lower"], answer["upper"]) == (7, lower, upper)
    assert "error" in json.loads(requests.answer("{"))
    assert "sigma" in json.loads(requests.answer('{"id": 1, "spec": "gaussian(-1)", "delta": 1}'))["error"]


# ---- Functions that use their parameter in any way, and other targets

def ends(found, build, ask, most):
    """Both values by queries of their own, to more digits."""
    assert found.reached and found.run == build(found.suffices)
    assert ask(build(found.suffices)).upper <= most < ask(build(found.fails)).lower


@pytest.mark.parametrize("build", [
    lambda s: pl.gaussian(2 * s), lambda s: pl.gaussian(s) * pl.laplace(s), lambda s: pl.gaussian(1.5 * s)**3 * pl.laplace(10),
    lambda s: pl.gaussian(s)**3 * pl.poisson(pl.gaussian(s / 2), "1/10")**10, lambda s: pl.gaussian(1 / s),
    lambda s: pl.dpsgd(s, sample_rate=0.01, steps=100) * pl.gaussian(10 * s)])
def test_a_parameter_that_is_computed_with_or_stands_twice(build):
    found = pl.calibrate(build, epsilon=1, delta=1e-5, digits=4)
    ends(found, build, lambda run: run.epsilon(1e-5, digits=15), 1)
    assert found.theorem == "" and found.parameter == "s"  # nothing is said of other values
    assert 0 < abs(found.suffices - found.fails) <= max(found.suffices, found.fails) / 10**4
    assert found.band <= 1 and found.band_at_fails > 1


def test_a_scaled_parameter_is_a_scaled_threshold():
    plain = pl.calibrate(lambda s: pl.gaussian(s), epsilon=1, delta=1e-5)
    scaled = pl.calibrate(lambda s: pl.gaussian(2 * s), epsilon=1, delta=1e-5)
    assert scaled.fails * 2 < plain.suffices and plain.fails < scaled.suffices * 2


def test_epochs():
    def build(epochs):
        return pl.dpsgd(1.1, batch_size=256, dataset_size=60000, epochs=epochs)

    found = pl.calibrate(build, epsilon=3, delta=1e-5)
    ends(found, build, lambda run: run.epsilon(1e-5, digits=15), 3)
    steps = pl.calibrate(lambda n: pl.dpsgd(1.1, batch_size=256, dataset_size=60000, steps=n), epsilon=3, delta=1e-5)
    assert found.run.steps[0].count == steps.suffices and build(found.fails).steps[0].count == steps.fails


def test_batch_sizes():
    def build(batch):
        return pl.dpsgd(1.1, batch_size=batch, dataset_size=60000, epochs=10)

    found = pl.calibrate(build, epsilon=2, delta=1e-5)
    ends(found, build, lambda run: run.epsilon(1e-5, digits=15), 2)
    assert isinstance(found.suffices, int) and abs(found.suffices - found.fails) == 1 and found.parameter == "batch"
    # The threshold is above the last candidate that is a batch of this data set.
    late = pl.calibrate(lambda b: pl.dpsgd(4, batch_size=b, dataset_size=60000, steps=40), epsilon=4, delta=1e-5)
    assert late.reached and late.fails - late.suffices == 1 and late.suffices > 4096


def test_arrays_of_targets():
    found = pl.calibrate(lambda s: pl.gaussian(s), epsilon=[[1], [2]], delta=[1e-5, 1e-6])
    assert isinstance(found, pl.Calibrations) and found.suffices.shape == (2, 2) and len(found) == 4
    assert found[1].suffices == pl.calibrate("gaussian(?)", epsilon=1, delta=1e-6).suffices == found.suffices[0, 1]
    assert all(f < s for f, s in zip(found.fails.ravel(), found.suffices.ravel()))
    assert [each["suffices"] for each in found.to_dict()] == [str(x) for x in found.suffices.ravel()]


@pytest.mark.parametrize("run", ["gaussian(?)", lambda s: pl.gaussian(s), lambda s: pl.gaussian(s / 2)])
def test_targets_of_attackers(run):
    scale = 2 if callable(run) and run(2) == pl.gaussian(1) else 1
    found = pl.calibrate(run, fpr="1/100", tpr="1/10")
    low, high = found.fails / scale, found.suffices / scale
    # The tests of a Gaussian: tpr = Phi(Phi^-1(fpr) + 1 / sigma), so 1 / sigma = 1.0447963083...
    assert low * Fraction("1.04479630832") < 1 < high * Fraction("1.04479630831")
    assert pl.gaussian(high).best_tests(digits=15).true_positive_rate("1/100").upper <= 0.1
    assert found.reached and found.band.quantity == "true_positive_rate"


def test_a_target_for_the_advantage():
    found = pl.calibrate("laplace(scale=?)", advantage="1/10", digits=8)
    # 1 - e^(-1/(2 scale)) = 1/10
    assert found.fails < Fraction("4.74561079078") < found.suffices and found.reached and found.band.quantity == "delta"
    with pytest.raises(pl.SpecError, match="an advantage, or epsilon"):
        pl.calibrate("laplace(scale=?)", advantage="1/10", delta="1e-5")


def test_a_target_for_mu():
    found = pl.calibrate(lambda s: pl.gaussian(s), mu="1/2")
    assert found.suffices == 2 and found.fails < 2 and found.reached and found.band.exact_square == Fraction(1, 4)
    with_rate = pl.calibrate(lambda q: pl.poisson(pl.gaussian(1), q)**10, mu="1/2", least_error="1e-2", digits=2)
    assert with_rate.reached and with_rate.band.upper <= 0.5 < with_rate.band_at_fails.lower
    twice = pl.calibrate(lambda n: pl.gaussian(4)**(2 * n), mu=1)
    assert (twice.suffices, twice.fails) == (8, 9)
    none = pl.calibrate(lambda s: pl.gaussian(s), mu=0)
    assert none.suffices is None and none.fails is not None and "meets" in none.remark
    steps = pl.calibrate("gaussian(4)^?", mu=1)
    assert (steps.suffices, steps.fails, steps.parameter) == (16, 17, "power")


def test_exact_values_print_as_decimals():
    found = pl.calibrate(lambda s: pl.dpsgd(s, sample_rate="1/100", steps=1000), epsilon=2, delta=1e-5)
    assert str(found.suffices) == repr(found.suffices) == f"{found.suffices}" == "0.9591016" and f"{found.suffices:.2f}" == "0.96"
    assert isinstance(found.suffices, Fraction) and pl.gaussian(found.suffices).spec == "gaussian(sigma=0.9591016)"
    again = pickle.loads(pickle.dumps(found.suffices))
    assert again == found.suffices and str(again) == str(found.suffices)
    whole = pl.calibrate(lambda s: pl.gaussian(s), epsilon=1, delta=1e-5, start="1/3", stop="1/2")
    assert str(whole.fails) in ("0.5", "1/3")


def test_what_the_search_does_not_find_is_said():
    found = pl.calibrate(lambda s: pl.gaussian(2 * s), epsilon=1, delta=1e-5, start=10, stop=20)
    assert found.suffices is not None and found.fails is None and not found.reached and "misses" in found.remark
    assert not found.none_meets and "misses" in repr(found) and json.loads(found.json)["fails"] is None
    never = pl.calibrate(lambda s: pl.gaussian(2 * s), epsilon=1, delta=1e-5, timeout=1e-9)
    assert "out of time" in never.remark and not never.reached
    wide = pl.calibrate(lambda s: pl.zcdp(1 / s), epsilon=1, delta=1e-5, start=1, stop=1000)
    assert wide.suffices < 1000 and wide.fails is None and not wide.reached and wide.band <= 1  # nothing is known from below


@pytest.mark.parametrize("options, words", [
    ({"epsilon": 1}, "both are needed"), ({"mu": 1, "epsilon": 1, "delta": 1e-5}, "or mu"), ({"fpr": 0.1}, "fpr and tpr"),
    ({}, "target"), ({"least_error": 0.1, "epsilon": 1, "delta": 1e-5}, "of the target mu"), ({"mu": "x"}, "must be numbers"), ({"epsilon": 1, "delta": 1e-5, "accountant": "gaussian_limit"}, "proves nothing"),
    ({"epsilon": -1, "delta": 1e-5}, "target epsilon: must be >= 0, not -1"),
    ({"mu": -1}, "target mu: must be >= 0, not -1"),
    ({"tpr": 2, "fpr": 0.1}, r"target tpr: must be in \[0, 1\], not 2"),
])
def test_targets_that_are_none(options, words):
    with pytest.raises(pl.SpecError, match=words):
        pl.calibrate(lambda s: pl.gaussian(2 * s), **options)


@pytest.mark.parametrize("bad", [lambda s: 2 * s, lambda s: pl.pure(-s), lambda s: "gaussian(1)"])
def test_functions_that_build_nothing(bad):
    with pytest.raises(pl.SpecError):
        pl.calibrate(bad, epsilon=1, delta=1e-5)
