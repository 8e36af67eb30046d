"""Calibration and requests: both ends are verified by queries of their own."""
import json
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
    lambda s: pl.gaussian(2 * s),                 # computes with its parameter
    lambda s: pl.gaussian(1),                     # does not use it
    lambda s: pl.gaussian(s) * pl.laplace(s),     # uses it twice
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
