"""Objects that threads share: the process lives, and each answer is that of one thread."""
import pickle
import random
import subprocess
import sys
import threading

import plaudit as pl
import pytest

MADE_TOGETHER = """
import sys, threading
import plaudit as pl

run = pl.parse("gaussian(1)")
sys.setswitchinterval(1e-6)
MAKERS = [lambda: pl.Session(run), run.best_tests, run.loss, lambda: pl.parse("gaussian(2)")]
threads = [threading.Thread(target=lambda make=make: [make() for _ in range(1000)]) for make in 2 * [MAKERS[WHICH]] + MAKERS]
for each in threads: each.start()
for each in threads: each.join()
print("made")
"""


@pytest.mark.parametrize("which", range(4))
def test_objects_made_at_once(which):
    """The core's table of its objects is written by one thread at a time."""
    done = subprocess.run([sys.executable, "-c", MADE_TOGETHER.replace("WHICH", str(which))], capture_output=True, text=True,
                          check=False)
    assert (done.returncode, done.stdout) == (0, "made\n"), done.stderr


SPECS = ["gaussian(1)^10", "poisson(gaussian(1), 0.01)^100", "laplace(2)^5", "randomized_response(0.7)^20", "approximate(0.1, 1e-6)^10"]


def questions():
    """[a function without arguments], of objects that all threads have."""
    for spec in SPECS:
        run = pl.parse(spec)
        session, loss, tests = pl.Session(run, digits=6), run.loss(), run.best_tests(digits=4)
        yield lambda run=run: run.epsilon("1e-5", digits=6).decimal(6)
        yield lambda run=run: run.delta("0.5", digits=6).decimal(6)
        yield lambda session=session: session.epsilon("1e-4").decimal(6)
        yield lambda session=session: session.delta("0.3").decimal(6)
        yield lambda tests=tests: tests.false_negative_rate("0.1").decimal(4)
        yield lambda loss=loss: str(loss.p_above("0.1", digits=4))
        yield lambda spec=spec: pl.parse(spec).spec
        yield lambda run=run: pickle.loads(pickle.dumps(run)).spec
        yield lambda run=run: (run * run).spec
        yield lambda run=run: [band.decimal(5) for band in run.delta(["0.1", "0.4"], digits=5)]


def test_shared_objects():
    asked = list(questions())
    alone = [ask() for ask in asked]
    differ = []

    def work(seed):
        for i in random.Random(seed).sample(range(len(asked)), len(asked)):
            answer = asked[i]()
            if answer != alone[i]:
                differ.append((i, alone[i], answer))

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
    finally:
        sys.setswitchinterval(before)
    assert differ == []
