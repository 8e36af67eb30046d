"""One budget over several noises: against the least error in closed form, and against other splits."""
import math
import os

import plaudit as pl
import pytest

SLOW = os.environ.get("PLAUDIT_SLOW", "0") != "0"


def test_gaussians_are_split_as_the_closed_form_says():
    found = pl.split_budget(lambda s, t, u: pl.gaussian(s) * pl.gaussian(t, sensitivity=3) * pl.gaussian(u, sensitivity="1/2"),
                            epsilon=1, delta=1e-5, weights=[1, 2, "1/3"])
    sigma = float(pl.calibrate("gaussian(?)", epsilon=1, delta=1e-5, digits=8).suffices)
    # The least sum of w s^2 where the sum of d^2/s^2 is 1/sigma^2: (sum of d sqrt(w))^2 sigma^2.
    least = (1 + 3 * math.sqrt(2) + math.sqrt(1 / 3) / 2)**2 * sigma**2
    assert least * (1 - 1e-6) < found.error < least * (1 + 5e-4)
    assert found.band.upper <= 1 and found.run.epsilon(1e-5).upper <= 1
    assert found.run == pl.gaussian(found.values[0]) * pl.gaussian(found.values[1], sensitivity=3) \
        * pl.gaussian(found.values[2], sensitivity="1/2")


def test_no_split_beside_it_has_less_error():
    def build(s, b):
        return pl.gaussian(s) * pl.laplace(b)

    found = pl.split_budget(build, epsilon=1, delta=1e-5, weights=[1, 2])
    ratio = found.values[1] / found.values[0]
    for other in (ratio * 3 / 2, ratio * 2 / 3, ratio * 11 / 10, ratio * 10 / 11)[slice(None, None, 1 if SLOW else 3)]:
        scale = float(pl.calibrate(lambda s, r=other: build(s, s * r), epsilon=1, delta=1e-5).suffices)
        assert scale**2 * (1 + 2 * float(other)**2) > found.error * (1 - 1e-6)


def test_other_targets_and_an_error_of_ones_own():
    found = pl.split_budget(lambda *s: pl.gaussian(s[0])**4 * pl.gaussian(s[1]), mu=1, count=2, error=lambda s, t: 4 * s * s + t * t,
                            digits=8)
    assert abs(found.values[0] / found.values[1] - 1) < 0.03 and abs(found.error - 25) < 0.02


@pytest.mark.parametrize("arguments, words", [
    ({"weights": [1]}, "2 to 8 parameters"), ({"weights": [1, -1]}, "positive"), ({"count": 3, "weights": [1, 1]}, "as many"),
    ({"weights": [1, 1], "error": lambda *s: 0}, "not both"), ({"epsilon": None}, "target is")])
def test_what_is_wrong_is_named(arguments, words):
    with pytest.raises(pl.SpecError, match=words):
        pl.split_budget(lambda s, t: pl.gaussian(s) * pl.gaussian(t), **{"epsilon": 1, "delta": 1e-5, **arguments})


def test_a_function_of_many_needs_a_count():
    with pytest.raises(pl.SpecError, match="count must say"):
        pl.split_budget(lambda *s: pl.gaussian(s[0]) * pl.gaussian(s[1]), epsilon=1, delta=1e-5)
    with pytest.raises(pl.SpecError, match="no scale"):
        pl.split_budget(lambda s, t: pl.gaussian(s) * pl.gaussian(t) * pl.pure(2), epsilon=1, delta=1e-5, timeout=3)
