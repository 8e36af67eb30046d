"""Runs whose every step is another mechanism: a schedule of the noise, an accountant's history."""
import copy
import math
import pickle
import threading

import plaudit as pl
import pytest
from plaudit import _core


def schedule(steps, first=1.0):
    return [pl.poisson(pl.gaussian(first + i / steps), "0.01") for i in range(steps)]


@pytest.fixture
def products(monkeypatch):
    """The compositions that the core makes, by the number of their parts."""
    made, make = [], _core.product
    monkeypatch.setattr(_core, "product", lambda parts: made.append(len(parts)) or make(parts))
    return made


def test_a_product_is_made_once_whatever_the_number_of_its_factors(products):
    steps = schedule(3000)
    run = math.prod(steps)
    assert products == []
    assert [(one.mechanism, one.count) for one in run.steps] == [(step, 1) for step in steps]
    assert products == [3000]
    longer = run * steps[0] * pl.gaussian(7)
    assert len(longer.spec.split(" * ")) == 3001 and longer.steps[0].count == 2
    assert products == [3000, 3]


def test_brackets_change_nothing():
    a, b, c, d = schedule(4)
    assert (a * b) * (c * d) == a * (b * (c * d)) == pl.parse(" * ".join(each.spec for each in (a, b, c, d)))
    both = a * b
    assert both * both == a**2 * b**2 and both**3 * a == a**4 * b**3
    assert pl.parse(f"{a}^2 * {b}").epsilon(1e-5) == (a * b * a).epsilon(1e-5)


def test_parts_that_stand_in_many_places(products):
    run = pl.gaussian(1) * pl.laplace(2)
    for _ in range(30):
        run = run * run
    assert [one.count for one in run.steps] == [2**30, 2**30] and products == [2]
    left, right = pl.gaussian(1) * pl.gaussian(2), pl.gaussian(2) * pl.gaussian(3)
    both = (right * left) * (left * right)
    assert both.spec == (right * left * left * right).spec \
        == "gaussian(sigma=2)^4 * gaussian(sigma=3)^2 * gaussian(sigma=1)^2"
    for _ in range(9):
        run = run * run
    with pytest.raises(pl.SpecError, match="must add up to at most 10\\^12"):
        run * run


def test_what_cannot_be_composed_is_refused_where_it_is_written():
    run = math.prod(schedule(50)) * pl.laplace(3)
    for wrong in (pl.with_replacement(pl.gaussian(1), 16, 1000), pl.gaussian(2) * pl.with_replacement(pl.gaussian(3), 2, 9)):
        with pytest.raises(pl.SpecError, match="one adjacency"):
            run * wrong
    replaced = pl.gaussian(1) * pl.with_replacement(pl.gaussian(1), 16, 1000)
    with pytest.raises(pl.SpecError, match="two readings"):
        replaced * pl.gaussian(noise_multiplier=1)
    many = pl.gaussian(2)**(10**12)
    with pytest.raises(pl.SpecError, match="must add up to at most 10\\^12"):
        many * pl.gaussian(2)
    assert (many * pl.gaussian(3)).steps[0].count == 10**12


def test_printing_abbreviates_and_spec_does_not():
    run = math.prod(schedule(3000))
    assert str(run).startswith("poisson(gaussian(sigma=1), rate=0.01) * ") and "... (2996 more) ..." in str(run)
    assert repr(run) == f"<{run}>" and len(repr(run)) < 300 < 100_000 < len(run.spec)
    with pytest.raises(pl.SpecError):
        pl.parse(str(run))
    few = math.prod(schedule(20))
    assert str(few) == few.spec and pl.parse(str(few)) == few


def test_longer_than_a_text_may_be():
    run = math.prod(schedule(3000))
    with pytest.raises(pl.SpecError, match="characters"):
        pl.parse(run.spec)
    assert pickle.loads(pickle.dumps(run)) == run == copy.deepcopy(run) == copy.copy(run)


def test_asked_by_several_threads_at_once():
    for _ in range(20):
        run = math.prod(schedule(200))
        seen = []
        threads = [threading.Thread(target=lambda run=run, seen=seen: seen.append((run * pl.gaussian(9)).spec))
                   for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(seen) == 4 and len(set(seen)) == 1


def test_a_chain_of_many_factors_is_given_back():
    run = pl.gaussian(1)
    for _ in range(50_000):
        run = run * pl.gaussian(1)
    assert run.steps[0].count == 50_001
    chain = pl.gaussian(1)
    for _ in range(50_000):
        chain = chain * pl.gaussian(1)
    del chain  # asked nothing: its nodes are freed one within the other
