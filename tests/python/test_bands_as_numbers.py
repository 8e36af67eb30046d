"""Bands in comparisons and formats: certain, or refused with the reason; and one rule for floats."""
import json
import math
import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import plaudit as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st


def test_comparisons_are_certain():
    band = pl.gaussian(1).epsilon(1e-5)  # 4.37717809568...
    assert band < 4.4 and band <= Decimal("4.4") and band > "4.3" and band >= Fraction(4)
    assert not band < 4 and not band <= 4 and not band > 5 and not band >= 5
    assert 4 < band < 5 and np.float64(4) < band and band < np.float32(4.4) and band < math.inf and band > -math.inf
    other = pl.gaussian(2).epsilon(1e-5)
    assert other < band and band > other and max([other, band]) is band and min(band, other) is other
    assert sorted([band, other]) == [other, band]


def test_what_is_not_certain_is_refused():
    band = pl.gaussian(1).epsilon(1e-5)
    middle = pl.binary(band.mid)
    for ask in (lambda: band < middle, lambda: band <= middle, lambda: band > middle, lambda: band >= middle,
                lambda: middle < band, lambda: band < pl.gaussian(1).epsilon("10000001/1000000000001", digits=4)):
        with pytest.raises(pl.Undecided, match="not decided.*digits="):
            ask()
    estimate = pl.gaussian(1).epsilon(1e-5, accountant="gaussian_limit")
    with pytest.raises(pl.Undecided, match="proves nothing"):
        estimate < 100  # noqa: B015
    for bad in (None, "x", float("nan"), [1], object(), 1j):
        with pytest.raises((TypeError, pl.SpecError)):
            band < bad  # noqa: B015


def test_ties_and_infinite_ends():
    zero = pl.gaussian(1).epsilon(1)
    assert zero <= 0 and zero >= 0 and not zero < 0 and not zero > 0
    endless = pl.approximate(1, 1e-3).epsilon(1e-4)
    assert endless > 10**300 and endless >= math.inf and not endless < math.inf
    one, again = pl.gaussian(1).epsilon(1e-5), pl.gaussian(1).epsilon(1e-5, digits=3)
    assert one <= again and again >= one and not one < again and not one > again  # the same number
    with pytest.raises(pl.Undecided):
        one < pl.gaussian(1).epsilon(1e-5, direction="add")  # noqa: B015


@settings(max_examples=30, deadline=None)
@given(st.decimals(min_value="0.5", max_value="9", places=3), st.integers(2, 14))
def test_comparisons_agree_with_the_ends(x, digits):
    band = pl.gaussian(1).epsilon(1e-5, digits=digits)
    lower, upper = map(Fraction, band.decimal(40))
    try:
        assert (band < x) == (upper < x) and (upper < x or lower >= x)
    except pl.Undecided:
        assert lower < x <= upper


def test_formats_round_outward():
    band = pl.gaussian(1).epsilon(1e-5)  # [4.377178095680732, 4.377178095681728]
    assert f"{band}" == str(band) and f"{band:.4}" == f"{band:.4g}" == "[4.377, 4.378]"
    assert f"{band:.2f}" == "[4.37, 4.38]" and f"{band:.3e}" == "[4.377e+0, 4.378e+0]"
    assert f"{band:>20.2f}" == "        [4.37, 4.38]" and f"{band:*<16.2f}" == "[4.37, 4.38]****"
    assert f"{pl.gaussian(1).delta(-3):.1f}" == "[0.9, 1.0]"
    assert "inf" in f"{pl.approximate(1, 1e-3).epsilon(1e-4):.2f}"
    with pytest.raises(ValueError, match="format like"):
        f"{band:d}"


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 30), st.sampled_from(["", "g", "e", "f"]))
def test_formats_contain_the_band(digits, kind):
    band = pl.gaussian(1).delta("3", digits=20)
    lower, upper = map(Fraction, format(band, f".{digits}{kind}").strip("[]").split(", "))
    assert lower <= Fraction(band.decimal(40)[0]) and Fraction(band.decimal(40)[1]) <= upper


def test_a_band_is_no_float():
    band = pl.gaussian(1).epsilon(1e-5)
    with pytest.raises(TypeError, match=r"\.upper"):
        float(band)
    with pytest.raises(TypeError):
        math.exp(band)
    assert band.lower <= band.mid <= band.upper and pl.gaussian(1).epsilon(1).mid == 0
    assert pl.approximate(1, 1e-3).epsilon(1e-4).mid == math.inf


def test_a_band_as_json():
    band = pl.epsilon("poisson(gaussian(0.8), 1/250)^1000", delta=1e-7)
    there = json.loads(json.dumps(band.to_dict()))
    assert (there["lower"], there["upper"], there["delta"]) == (band.lower, band.upper, "1e-07")
    assert set(there["directions"]) == {"remove", "add"} and there["lower_decimal"] == band.decimal()[0]
    assert len(json.loads(json.dumps(pl.epsilon("gaussian(1)", delta=[1e-5, 1e-6]).to_dict()))) == 2


# ---- One rule for floats of every kind

@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64, np.longdouble])
def test_a_tenth_is_a_tenth(kind):
    tenth = kind("0.1")
    for given_as in (tenth, np.array(tenth), np.array([tenth])[0]):
        assert pl.gaussian(given_as).spec == "gaussian(sigma=0.1)"
        assert pl.gaussian(1).delta(given_as).argument == "0.1"
    assert [band.argument for band in pl.gaussian(1).delta(np.array([tenth]))] == ["0.1"]
    assert pl.dpsgd(tenth, sample_rate=tenth, steps=1) == pl.dpsgd(0.1, sample_rate=0.1, steps=1)
    assert pl.mixture(1, [tenth], [1]) == pl.mixture(1, [0.1], [1])


@pytest.mark.parametrize("bad", [np.complex64(1), np.datetime64("2020-01-01"), np.array("2020", dtype="datetime64"), np.bool_(True)])
def test_what_of_numpy_is_no_number(bad):
    with pytest.raises(pl.SpecError, match="must be a number"):
        pl.gaussian(bad)


# ---- Nothing run at all

def test_nothing():
    import copy
    import pickle
    from math import prod

    run = pl.gaussian(1)
    nothing = run**0
    assert tuple(nothing.epsilon(0)) == tuple(nothing.delta(0)) == (0, 0)
    assert nothing * run == run * nothing == run and (nothing * nothing)**3 == nothing
    assert nothing == pl.dpsgd(1, sample_rate=0.1, steps=0) == pl.dpsgd(1, sample_rate=0, steps=5) == pl.poisson(run, 0)
    assert nothing == pl.poisson(run, sample_rate=0.0) == pl.dpsgd(1, 10, 100, epochs=0) == pl.dpsgd(1, sample_rate=0, epochs=1)
    sampled = pl.poisson(run, 0.1)
    assert prod([sampled, sampled]) == sampled**2 and prod([sampled] * 3, start=nothing) == sampled**3 and 1 * run == run
    assert pickle.loads(pickle.dumps(nothing)) == nothing == copy.deepcopy(nothing)
    assert nothing.gaussian_mu().lower == 0 and nothing.tradeoff("1/4").decimal(3) == ("0.75", "0.75")
    for bad in (lambda: pl.poisson(pl.gaussian(1), rate=0, adjacency="sideways"), lambda: pl.dpsgd(-1, sample_rate=0, steps=1),
                lambda: pl.dpsgd(1, sample_rate=2, steps=0), lambda: pl.dpsgd(1, sample_rate=0.1, steps=-1),
                lambda: pl.poisson(pl.laplace(1), rate="0", cap=3)):
        with pytest.raises(pl.SpecError):
            bad()
    with pytest.raises(TypeError):
        2 * run  # noqa: B018


# ---- Accountants by the names that others have for them

@pytest.mark.parametrize("alias, name", [("rdp", "moments"), ("pld", "fourier"), ("gdp", "gaussian_limit"), ("prv", "prv"), ("RDP", "moments")])
def test_aliases(alias, name):
    run = pl.gaussian(3)**4
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pl.WidthNotReached)
        band = run.epsilon(1e-5, accountant=alias, digits=2)
        assert pl.map([run], delta=1e-5, accountant=alias, digits=2)[0] == band
    assert band.accountant.startswith(name)
    assert pl.compare(run, delta=1e-5, accountants=[alias], timeout=1).entries[0].accountant == name
    with pytest.raises(pl.SpecError, match="accountant"):
        run.epsilon(1e-5, accountant=3)

