"""The module and the program say the same, to the last digit."""
import os
import random
from fractions import Fraction

import plaudit as pl
import pytest

# 1000 queries are asked with PLAUDIT_TEST_MULTIPLIER=25 (and were, see the closing note).
COUNT = round(40 * float(os.environ.get("PLAUDIT_TEST_MULTIPLIER", "1")))


def random_spec(draws):
    kind = draws.randrange(8)
    steps = round(10 ** draws.uniform(0, 5))
    sigma = f"{10 ** draws.uniform(-0.2, 1):.3g}"
    if kind == 0:
        return f"gaussian({sigma})^{steps}"
    if kind == 1:
        return f"laplace({10 ** draws.uniform(0, 1.5):.3g})^{min(steps, 300)}"
    if kind == 2:
        return f"pure({10 ** draws.uniform(-2, 0):.3g})^{min(steps, 50)}"
    if kind == 3:
        return f"gaussian({sigma})^{steps} * laplace({10 ** draws.uniform(0.5, 1.5):.3g})^{draws.randint(1, 20)}"
    return f"poisson(gaussian({sigma}), {10 ** draws.uniform(-4, -1):.3g})^{steps}"


def without_clock(band, json):
    return (json["lower"], json["upper"], json["accountant"], json["reached"])


@pytest.mark.parametrize("seed", range(COUNT))
def test_the_program_gives_the_same_digits(seed, answer):
    draws = random.Random(1000 + seed)
    spec = random_spec(draws)
    digits = draws.choice([4, 8, 12])
    if draws.random() < 0.5:
        delta = f"1e-{draws.randint(2, 12)}"
        json = answer("epsilon", spec, "--delta", delta, "--digits", str(digits))
        band = pl.parse(spec).epsilon(delta, digits=digits)
    else:
        epsilon = f"{10 ** draws.uniform(-1, 1):.3g}"
        json = answer("delta", spec, "--epsilon", epsilon, "--digits", str(digits))
        band = pl.parse(spec).delta(epsilon, digits=digits)
    assert band.run.spec == json["spec"]
    assert band.decimal(digits + 4) == (json["lower"], json["upper"])
    assert (band.accountant, band.reached) == (json["accountant"], json["reached"])
    assert band.stopped_by == json.get("stopped_by", "")
    assert {name: (one.lower_decimal(digits + 4), one.upper_decimal(digits + 4))
            for name, one in band.directions.items()} == \
        {name: (one["lower"], one["upper"]) for name, one in json["directions"].items()}


def test_floats_are_rounded_outward():
    band = pl.gaussian(1).epsilon("1e-5", digits=30)
    lower, upper = (Fraction(end) for end in band.decimal(40))
    assert Fraction(band.lower) <= lower <= upper <= Fraction(band.upper)
    assert band.lower < band.upper  # the exact number is no double


def test_every_mechanism_has_its_function():
    for entry in pl.list_mechanisms():
        if entry["name"] == "pld":
            continue
        assert callable(getattr(pl, entry["name"]))
        assert pl.parse(entry["example"]).spec
