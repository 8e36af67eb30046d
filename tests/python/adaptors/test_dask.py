"""plaudit.map on executors: processes of one machine, and dask.distributed where a worker dies."""
import os
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

import plaudit as pl

RUNS = [f"poisson(gaussian(sigma={1 + i / 100}), rate=0.01)^{100 + i}" for i in range(60)]


@pytest.fixture(scope="module")
def here():
    return pl.map(RUNS, delta=1e-5)


def same(answers, expected):
    assert len(answers) == len(expected)
    for one, other in zip(answers, expected):
        assert one.run == other.run
        # The clock has a say in which method answers, so the last digits may differ: bands of the
        # same number overlap.
        assert one.lower <= other.upper and other.lower <= one.upper
        assert one.upper - one.lower < 1e-9


def test_a_pool_of_processes(here):
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        same(pl.map(RUNS, delta=1e-5, executor=pool, chunk=7), here)
        own = pl.map(RUNS[:4], delta=[1e-5, 1e-6, 1e-7, 1e-8], executor=pool)
        assert np.all(np.diff([each.upper for each in pl.map(
            RUNS[:1] * 4, delta=[1e-5, 1e-6, 1e-7, 1e-8], executor=pool)]) > 0)
        assert len(own) == 4


def test_a_bad_run_spoils_no_other_one(here):
    runs = RUNS[:3] + ["gaussian(sigma=-1)"] + RUNS[3:6]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        answers = pl.map(runs, delta=1e-5, executor=pool, chunk=2, errors="keep")
        assert isinstance(answers[3], pl.SpecError) and "sigma" in str(answers[3])
        same([*answers[:3], *answers[4:]], list(here)[:6])
        with pytest.raises(pl.SpecError, match="sigma"):
            pl.map(runs, delta=1e-5, executor=pool)


def test_dask_with_a_worker_that_dies(here):
    distributed = pytest.importorskip("distributed")
    dask = pytest.importorskip("dask")

    settings = {"distributed.worker.daemon": True, "distributed.scheduler.worker-ttl": None,
                "distributed.comm.timeouts.connect": "30s",
                "distributed.dashboard.link": "", "distributed.admin.tick.limit": "60s"}
    with dask.config.set(settings):
        with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True,
                                      host="127.0.0.1", dashboard_address=None) as cluster, \
                distributed.Client(cluster) as client:
            client.wait_for_workers(2, timeout=60)
            processes = client.run(os.getpid)
            assert len(set(processes.values())) == 2
            executor = client.get_executor()
            killed = []

            class Watching:
                """Hands chunks on; once some are under way, one worker is killed."""

                def submit(self, function, *arguments):
                    future = executor.submit(function, *arguments)
                    self.count = getattr(self, "count", 0) + 1
                    if self.count == 8:
                        while not future.running() and not future.done():
                            time.sleep(0.01)
                        victim = sorted(processes.values())[0]
                        os.kill(victim, 9)
                        killed.append(victim)
                    return future

            same(pl.map(RUNS * 3, delta=1e-5, executor=Watching(), chunk=5), list(here) * 3)
            assert killed
            alive = set(client.run(os.getpid).values())
            assert killed[0] not in alive
