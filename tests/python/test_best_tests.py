"""Rates of the best tests from Python: against closed forms, arrays, errors."""
import math
import pickle
from statistics import NormalDist

import numpy as np
import plaudit as pl
import pytest

NORMAL = NormalDist()


@pytest.mark.parametrize("fpr", [1e-6, 1e-3, 0.05, 0.5, 0.99])
def test_gaussian(fpr):
    band = pl.gaussian(2).tradeoff(fpr)
    expected = NORMAL.cdf(NORMAL.inv_cdf(1 - fpr) - 0.5)
    assert math.isclose(band.lower, expected, rel_tol=1e-9)
    assert band.lower <= band.upper <= band.lower + 1e-12
    assert band.certified and band.reached and band.argument == repr(fpr)
    assert band.quantity == "false_negative_rate"


def test_arrays_share_their_shape():
    rates = np.array([[1e-3, 0.1], [0.5, 1]])
    bands = pl.tradeoff("gaussian(1)", rates)
    assert bands.lower.shape == (2, 2) and bands.upper[1, 1] == 0
    assert (bands.lower.ravel()[:-1] > bands.upper.ravel()[1:]).all()
    assert list(bands.to_pandas()["fpr"]) == ["0.001", "0.1", "0.5", "1.0"]


def test_attacks():
    tests = pl.randomized_response(probability=0.75).best_tests()
    assert tuple(tests.advantage()) == (0.5, 0.5)
    assert tuple(tests.success()) == (0.75, 0.75)
    assert tuple(tests.predictive_value(1 / 8, prior="1/10")) == (0.25, 0.25)
    assert tuple(tests.true_positive_rate("1/4")) == (0.75, 0.75)
    assert set(tests.advantage().directions) == {"remove", "add"}
    assert "advantage: [" in repr(tests.advantage()) and "prior" in repr(tests.success())
    assert "advantage" in tests.advantage()._repr_html_()


def test_directions_and_pickles():
    run = pl.dpsgd(noise_multiplier=0.8, sample_rate=0.004, steps=1000)
    both, one, two = (run.tradeoff(1e-3, direction=d) for d in ("both", "remove", "add"))
    assert both.lower == min(one.lower, two.lower) and both.upper == min(one.upper, two.upper)
    assert pickle.loads(pickle.dumps(both)) == both


@pytest.mark.filterwarnings("ignore::plaudit.WidthNotReached")
def test_the_ends_of_the_mechanism():
    # Its pair is attained by no two data sets; the attack is pure(0.5)^2, whose numbers two of them have.
    tests = (pl.exponential(1)**2).best_tests(timeout=4)
    attack = pl.pure("0.5")**2
    rate, attacked = tests.false_negative_rate("1/10"), attack.tradeoff("1/10")
    assert not rate.of_mechanism and rate.attack == attack.spec
    assert rate.mechanism_lower == rate.lower < attacked.lower <= rate.mechanism_upper < rate.upper
    for band, of_attack in ((tests.true_positive_rate("1/10"), attack.best_tests().true_positive_rate("1/10")),
                            (tests.run.epsilon("1e-2"), attack.epsilon("1e-2")),
                            (tests.run.renyi(2), attack.renyi(2))):
        assert band.mechanism_lower <= of_attack.upper < band.upper == band.mechanism_upper
        assert of_attack.lower <= band.mechanism_upper
    both = pl.gaussian(1).tradeoff("1/10")
    assert both.of_mechanism and (both.mechanism_lower, both.mechanism_upper) == (both.lower, both.upper)
    upper = pl.zcdp("0.1").epsilon("1e-5")
    assert upper.mechanism_lower == 0 and upper.mechanism_upper == upper.upper


def test_errors():
    tests = pl.gaussian(1).best_tests()
    for bad in (2, -1, "x", None, float("nan")):
        with pytest.raises(pl.SpecError):
            tests.false_negative_rate(bad)
        with pytest.raises(pl.SpecError):
            tests.success(bad)
    with pytest.raises(pl.SpecError, match="fpr"):
        tests.predictive_value(0)
    with pytest.raises(pl.SpecError, match="direction"):
        pl.gaussian(1).best_tests(direction="sideways")
    with pytest.raises(pl.SpecError, match="digits"):
        pl.gaussian(1).tradeoff(0.1, digits=0)
    with pytest.raises(pl.NotApplicable):
        tests.advantage().certificate()


def test_gaussian_mu():
    expected = -2 * NORMAL.inv_cdf(1 / (1 + math.e))
    for found in (pl.pure(1).gaussian_mu(), pl.pure(1).gaussian_mu("1e-4")):
        assert found.reached and found.lower < found.upper < found.lower * (1 + 1e-5)
        # What is expected is a double, with its own errors.
        assert found.lower * (1 - 1e-14) <= expected <= found.upper * (1 + 1e-14)
    assert pl.gaussian(2).gaussian_mu().regret == 0
    open_end = pl.discrete_gaussian(2).gaussian_mu(timeout=2)
    assert open_end.upper == math.inf and open_end.remark and not open_end.reached
    for bad in (0, 0.5, 2, "x"):
        with pytest.raises(pl.SpecError):
            pl.gaussian(1).gaussian_mu(bad)
