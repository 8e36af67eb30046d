"""Mechanisms and accountants that are registered here, in workers that are new processes."""
import multiprocessing
import pickle
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor

import plaudit as pl
import pytest


class HereOnly(pl.Mechanism):
    """The true bit with probability p, the other one otherwise."""

    parameters = {"p": "probability"}
    example = "here_only(p=0.75)"

    def p_above(self, x):
        loss = pl.balls.log(pl.Interval(self.p / (1 - self.p)))
        return 1 if x < -loss else self.p if x < loss else 0

    def q_above(self, x):
        loss = pl.balls.log(pl.Interval(self.p / (1 - self.p)))
        return 1 if x < -loss else 1 - self.p if x < loss else 0


class OfHere(pl.Accountant):
    """Nothing is lost."""

    claim = "lower"

    def epsilon(self, run, delta):
        return 0


def told():
    pl.register(HereOnly)
    pl.register(OfHere)


@pytest.fixture(scope="module", autouse=True)
def registered():
    told()


def pool(**options):
    return ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"), **options)


def test_spawned_workers_say_what_to_do():
    with pool() as workers:
        with pytest.raises(pl.SpecError, match="here_only is registered.*plaudit.register"):
            pl.map(["here_only(p=0.75)^2"], delta=1e-5, executor=workers)
        with pytest.raises(pl.SpecError, match="of_here is registered.*plaudit.register"):
            pl.map(["gaussian(1)"], delta=1e-5, executor=workers, accountant="of_here")
        kept = pl.map(["here_only(p=0.75)", "gaussian(1)"], delta=1e-5, executor=workers, errors="keep")
        assert kept[1] == pl.Session(pl.gaussian(1)).epsilon(1e-5) and "initializer" in str(kept[0])


def test_what_it_says_helps():
    with pool(initializer=told) as workers:
        there = pl.map(["here_only(p=0.75)"], epsilon=0.5, executor=workers)
    assert there[0].decimal(12) == pl.map(["here_only(p=0.75)"], epsilon=0.5)[0].decimal(12)


def test_compositions_that_are_sent_there_say_it_too():
    run = pl.parse("here_only(p=0.75)^2")
    code = f"import pickle; pickle.loads({pickle.dumps(run)!r})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "here_only is registered in the process that asks" in done.stderr
    assert pickle.loads(pickle.dumps(run)) == run
