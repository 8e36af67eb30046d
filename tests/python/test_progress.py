"""Calls that answer many questions tell how far they are."""
import concurrent.futures
import logging
import math
import sys
import types
from concurrent.futures import ThreadPoolExecutor

import plaudit as pl
import pytest
from plaudit._many import progress as _progress

RUNS = [pl.gaussian(1 + i) for i in range(5)]


def test_a_function_is_told_after_each_run():
    seen = []
    bands = pl.map(RUNS, delta=1e-5, chunk=2, progress=lambda *x: seen.append(x))
    assert seen == [(i, 5) for i in range(1, 6)] and len(bands) == 5
    with ThreadPoolExecutor(2) as pool:
        assert pl.map(RUNS, delta=1e-5, chunk=2, executor=pool, progress=lambda *x: seen.append(x)).upper.tolist() \
            == bands.upper.tolist()
    assert seen[5:] == seen[:5]
    seen.clear()
    found = pl.calibrate(lambda s: pl.gaussian(s), epsilon=[1, 2], delta=1e-5, digits=3,
                         progress=lambda *x: seen.append(x))
    assert seen == [(1, 2), (2, 2)] and len(found) == 2


def test_each_run_is_told_before_the_next_begins(monkeypatch):
    seen = []
    ask = pl.Session.epsilon
    monkeypatch.setattr(pl.Session, "epsilon", lambda self, x: seen.append("asked") or ask(self, x))
    pl.map(RUNS[:3], delta=1e-5, progress=lambda done, _: seen.append(done))
    assert seen == ["asked", 1, "asked", 2, "asked", 3]


def test_an_error_cancels_what_has_not_begun():
    class Counted:
        def submit(self, *words):
            self.futures.append(concurrent.futures.Future())
            if len(self.futures) == 1:
                self.futures[0].set_result(["sigma: is wrong"])
            return self.futures[-1]

        futures = []

    with pytest.raises(pl.SpecError, match="sigma: is wrong"):
        pl.map(RUNS, delta=1e-5, chunk=1, executor=Counted())
    assert [each.cancelled() for each in Counted.futures] == [False, True, True, True, True]


def test_a_function_that_raises_ends_the_call():
    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pl.map(RUNS, delta=1e-5, progress=stop)


@pytest.mark.parametrize("wrong", ["yes", 3, 0.5])
def test_what_is_no_progress_is_refused(wrong):
    with pytest.raises(pl.SpecError, match="progress must be"):
        pl.map(RUNS, delta=1e-5, progress=wrong)


def test_a_bar_where_it_is_asked_for(monkeypatch):
    class Bar:
        made = []

        def __init__(self, desc, total, initial):
            self.desc, self.total, self.n, self.closed = desc, total, initial, False
            Bar.made.append(self)

        def update(self, more):
            self.n += more

        def close(self):
            self.closed = True

    monkeypatch.setitem(sys.modules, "tqdm", types.ModuleType("tqdm"))
    monkeypatch.setitem(sys.modules, "tqdm.auto", types.ModuleType("tqdm.auto"))
    sys.modules["tqdm.auto"].tqdm = Bar
    pl.map(RUNS, delta=1e-5, progress=True)
    pl.map(RUNS, delta=1e-5, progress=False)
    pl.map(RUNS, delta=1e-5)  # of less than two seconds
    assert [(bar.desc, bar.total, bar.n, bar.closed) for bar in Bar.made] == [("map", 5, 5, True)]
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with pytest.raises(pl.SpecError, match="tqdm, which is not installed"):
        pl.map(RUNS, delta=1e-5, progress=True)
    assert len(pl.map(RUNS, delta=1e-5)) == 5


def test_long_calls_are_logged(monkeypatch, caplog):
    monkeypatch.setattr(_progress, "SECONDS_OF_SILENCE", -1)
    with caplog.at_level(logging.INFO, logger="plaudit"):
        pl.map(RUNS[:2], delta=1e-5, progress=False)
    assert [record.getMessage()[:11] for record in caplog.records] == ["map: 1 of 2", "map: 2 of 2"]
    assert all(record.name == "plaudit" for record in caplog.records)


def test_map_takes_what_is_longer_than_a_text_may_be():
    schedule = math.prod(pl.gaussian(100 + i) for i in range(6000))
    with pytest.raises(pl.SpecError, match="characters"):
        pl.parse(schedule.spec)
    assert pl.map([schedule, schedule], delta=1e-5)[1] == schedule.epsilon(1e-5, digits=12)
    kept = pl.map([schedule], delta=2, errors="keep")
    assert "delta" in str(kept[0])


CLAIMS = [{"spec": f"poisson(gaussian({1 + i}/10), 0.01)^1000", "delta": 1e-5, "epsilon": 2} for i in range(1, 60)]


def test_audits_comparisons_and_cross_checks_tell_how_far_they_are():
    for ask, total in [(lambda tell: pl.audit(CLAIMS, progress=tell), len(CLAIMS)),
                       (lambda tell: pl.audit(CLAIMS, threads=2, progress=tell), len(CLAIMS)),
                       (lambda tell: pl.compare("poisson(gaussian(0.8), 0.004)^1000", 1e-7, progress=tell), None),
                       (lambda tell: pl.cross_check(3, progress=tell, seconds_each=0.05), 3),
                       (lambda tell: pl.gaussian(1).curve(deltas=[1e-5, 1e-6], progress=tell), 2)]:
        seen = []
        ask(lambda done, of: seen.append((done, of)))  # pylint: disable=cell-var-from-loop
        assert seen == sorted(set(seen)) and seen[-1][0] == seen[-1][1] == (total or seen[-1][1]) > 1


def test_a_function_that_raises_ends_audits_too():
    class Enough(Exception):
        pass

    def stop(done, total):
        raise Enough

    for threads in (1, 2):
        with pytest.raises(Enough):
            pl.audit(CLAIMS * 20, threads=threads, progress=stop)
    with pytest.raises(pl.SpecError, match="progress must be"):
        pl.audit(CLAIMS[:1], progress="yes")


def test_an_audit_in_a_thread_of_its_own():
    with ThreadPoolExecutor(1) as pool:
        seen = []
        assert len(pool.submit(lambda: pl.audit(CLAIMS, progress=lambda *x: seen.append(x))).result()) == len(CLAIMS)
        assert len(pool.submit(lambda: pl.audit(CLAIMS[:3])).result()) == 3
    assert seen[-1] == (len(CLAIMS), len(CLAIMS))


def test_single_answers_that_take_long_are_logged(monkeypatch, caplog):
    from plaudit import _bands

    monkeypatch.setattr(_bands, "SECONDS_OF_SILENCE", -1)
    with caplog.at_level(logging.INFO, logger="plaudit"):
        pl.gaussian(1).epsilon(1e-5)
    assert "epsilon at delta = 1e-05" in caplog.text and "of gaussian(sigma=1) after" in caplog.text


def test_the_histogram_has_an_edge_at_zero():
    pytest.importorskip("matplotlib").use("Agg")
    axes = pl.audit(CLAIMS).hist()
    edges = [patch.get_x() for patch in axes.patches]
    assert any(abs(edge) < 1e-12 for edge in edges) and not any(x < -1e-12 < 1e-12 < x + patch.get_width() for x, patch in
                                                               zip(edges, axes.patches))
