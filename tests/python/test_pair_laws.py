"""Exact laws of concrete code on two data sets, and measured sensitivities: truths, brute force, bad input."""
import itertools
import math
import pickle
import random
from fractions import Fraction

import plaudit as pl
import pytest

THIRD = Fraction(1, 3)


def clamped(count):
    """Geometric noise of ratio 1/2 on a count, clamped to 0..5: exact."""
    law = {out: THIRD * Fraction(1, 2) ** abs(out - count) for out in range(1, 5)}
    return {**law, 0: 2 * THIRD * Fraction(1, 2) ** count, 5: 2 * THIRD * Fraction(1, 2) ** (5 - count)}


def table():
    """The same noise as a table of 64 seeds, not clamped."""
    weights = {0: 22, 1: 11, 2: 5, 3: 3, 4: 1, 5: 1}
    noise = [k for k in range(-5, 6) for _ in range(weights[abs(k)])]
    assert len(noise) == 64
    return pl.pair_law_of(lambda seed: 3 + noise[seed], lambda seed: 2 + noise[seed], range(64))


def test_truths_of_the_geometric_mechanism():
    law = pl.pair_law(clamped(3), clamped(2))
    assert law.exact_delta(2) == 0 and law.exact_delta("3/2") == Fraction(1, 6)
    assert law.violation("randomized_response(probability=2/3)") is None  # its epsilon is log 2
    band = law.epsilon(0)
    assert band.lower <= math.log(2) <= band.upper and band.upper - band.lower < 1e-11
    assert table().exact_delta(2) == table().exact_delta(2, "add") == Fraction(3, 64)
    found = table().violation("randomized_response(probability=2/3)")
    assert found.impossible == Fraction(1, 64) and found.delta_lower > found.delta_claimed
    assert found.delta_lower <= Fraction(3, 64) and abs(float(found.epsilon) - math.log(2)) < 1e-9


def drawn(rng, outputs):
    cuts = sorted(rng.sample(range(1, 1000), outputs - 1))
    return [Fraction(b - a, 1000) for a, b in zip([0, *cuts], [*cuts, 1000])]


@pytest.mark.parametrize("seed", range(8))
def test_delta_is_the_maximum_over_all_events(seed):
    rng = random.Random(seed)
    p, q = ({i: mass for i, mass in enumerate(drawn(rng, 7)) if mass} for _ in range(2))
    p[7], q[8] = p.pop(6), q.pop(5)  # each possible under one law alone
    law = pl.pair_law(p, q)
    for ratio in (0, Fraction(1, 3), 1, Fraction(7, 5), 10):
        for direction, (one, other) in (("remove", (p, q)), ("add", (q, p))):
            best = max(sum(one.get(i, 0) - ratio * other.get(i, 0) for i in event)
                       for size in range(10) for event in itertools.combinations(range(9), size))
            assert law.exact_delta(ratio, direction) == best
            if ratio:
                epsilon = Fraction(math.log(ratio))
                band = law.delta(epsilon, direction=direction)
                assert band.lower - 1e-14 <= float(best) <= band.upper + 1e-14
    # f(a) = sup over ratios of 1 - delta - ratio a (Legendre), and the band around it
    kinks = [0, *(p[i] / q[i] for i in p if q.get(i))]
    for fpr in (Fraction(1, 17), Fraction(1, 3), Fraction(9, 10)):
        exact = law.exact_tradeoff(fpr)
        assert exact == max(1 - law.exact_delta(ratio) - ratio * fpr for ratio in kinks)
        band = pl.tradeoff(law, fpr, direction="remove")
        assert band.lower - 1e-14 <= float(exact) <= band.upper + 1e-14


def test_two_data_sets_are_no_privacy_guarantee():
    law = pl.pair_law({"a": "3/4", "b": "1/4"}, {"a": "1/4", "b": "3/4"})
    assert not law.adjacency.guarantee and not (law * pl.gaussian(1)).adjacency.guarantee
    with pytest.raises(pl.SpecError):
        pl.parallel(law, pl.pure(1))


def test_it_composes_and_travels():
    law = pl.pair_law({0: "3/4", 1: "1/4"}, {0: "1/4", 1: "3/4"})
    assert (law ** 5).epsilon("0.1").decimal(8) == (pl.randomized_response(probability="3/4") ** 5).epsilon("0.1").decimal(8)
    both = law * pl.gaussian(2)
    assert type(both) is pl.Composition and both.epsilon(1e-5).upper > law.epsilon(1e-5).upper
    again = pickle.loads(pickle.dumps(law))
    assert again == law and again.exact_delta(1) == Fraction(1, 2)
    assert len(pl.curve(law, deltas=["0.1", "0.2"]).points) == 2


@pytest.mark.parametrize("p, q, words", [
    ({0: "1/2"}, {0: 1}, "sum to exactly 1"), ({0: 2, 1: -1}, {0: 1}, "at least 0"), ({}, {0: 1}, "1 to 100000"),
    ([1], {0: 1}, "must be a dict"), ({0: 1}, {1: 1}, "no output is possible under both"),
    ({float("nan"): 1}, {0: 1}, "NaN"), ({0: "x"}, {0: 1}, "p: must be"), ({0: 0.1, 1: 0.2}, {0: 1}, "3/10"),
])
def test_wrong_laws(p, q, words):
    with pytest.raises(pl.SpecError, match=words):
        pl.pair_law(p, q)


def test_wrong_code():
    calls = itertools.count()
    with pytest.raises(pl.SpecError, match="two outputs for the seed"):
        pl.pair_law_of(lambda seed: next(calls), lambda seed: 0, range(4))
    with pytest.raises(pl.SpecError, match="seeds"):
        pl.pair_law_of(lambda seed: 0, lambda seed: 0, [])
    law = pl.pair_law({0: 1}, {0: 1})
    with pytest.raises(pl.SpecError, match="ratio"):
        law.exact_delta(-1)
    with pytest.raises(pl.SpecError, match="direction"):
        law.exact_delta(1, "both")
    with pytest.raises(pl.SpecError, match="fpr"):
        law.exact_tradeoff(2)
    assert law.violation("pure(0.001)") is None
    with pytest.raises(ValueError):
        pl.parse("pair_law(law=7)").epsilon(0.1)


def test_a_sensitivity_that_is_exceeded_by_one_bit():
    up = math.nextafter(1.0, 2.0)
    seen = pl.observe_sensitivity([up, 5.0], [0.0, 5.0], declared=1, sigma=1)
    assert seen.exceeds and seen.distance == (Fraction(up), Fraction(up))
    assert seen.run.delta(1).lower >= seen.claim.delta(1).lower
    assert not pl.observe_sensitivity([1.0, 0], [0, 0], declared=1, sigma=1).exceeds
    assert not pl.observe_sensitivity([0.5], [0.0], declared=1, sigma=1).exceeds


def test_roots_are_enclosed():
    rng = random.Random(3)
    for _ in range(200):
        a, b = ([rng.uniform(-1, 1) * 10.0 ** rng.randint(-150, 150) for _ in range(3)] for _ in range(2))
        seen = pl.observe_sensitivity(a, b, declared=1, sigma=1)
        low, high = seen.distance
        square = sum((Fraction(x) - Fraction(y)) ** 2 for x, y in zip(a, b))
        assert low ** 2 <= square <= high ** 2 and (high - low) * 2 ** 60 <= high
        assert seen.exceeds == (square > 1)


def test_arrays():
    numpy = pytest.importorskip("numpy")
    one = numpy.full((2, 2), 0.1, dtype=numpy.float32)
    seen = pl.observe_sensitivity(one, numpy.zeros((2, 2)), declared="0.2", sigma="0.5")
    assert seen.distance[0] == 2 * Fraction(float(numpy.float32(0.1))) and seen.exceeds  # the float32 is above 0.1
    assert pl.observe_sensitivity(one, one, declared=1, sigma=1).run is None
    assert seen.run.delta(1, digits=9).lower == pytest.approx(pl.gaussian("2.5").delta(1).lower, rel=1e-6)
    for wrong in ({"second": [1, 2]}, {"second": [math.inf] * 4}, {"declared": 0}, {"second": ["x"] * 4}):
        with pytest.raises(pl.SpecError):
            pl.observe_sensitivity(**{"first": one, "second": one, "declared": 1, "sigma": 1, **wrong})
