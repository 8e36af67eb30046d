"""Calls that would take hours hear signals all the time, and end when a handler raises something.

Each call runs in a process of its own. A timer sends signals; the first few handlers return, so the
call has to look again and again, and then one raises. No clock decides whether a test passes: a
call that does not listen does not end, and a limit of the whole suite ends the test."""
import json
import subprocess
import sys

import pytest

CHILD = '''
import os, signal, sys, threading, warnings
import plaudit as pl
warnings.simplefilter("ignore")

# Nobody finds these digits within hours, and there is no limit of time.
HARD = pl.parse("poisson(gaussian(sigma=0.1), rate=0.01)^1000 * poisson(laplace(scale=2), rate=0.01)^1000")
LONG = {"digits": 10000, "timeout": None}
# Each is so near the true epsilon, 1194.7623735657..., that the twelfth digit is not enough to judge it.
CLAIMS = [{"spec": HARD, "delta": "1e-5", "epsilon": f"1194.7623735657{digit}"} for digit in range(4)]

class Flat(pl.Mechanism):
    """A law that is asked in Python again and again."""
    name = "flat"
    example = "flat(p=0.75)"
    parameters = {"p": "probability"}
    def p_above(self, x):
        loss = pl.balls.log(pl.Interval(self.p / (1 - self.p)))
        return 1 if x < -loss else self.p if x < loss else 0
    def q_above(self, x):
        loss = pl.balls.log(pl.Interval(self.p / (1 - self.p)))
        return 1 if x < -loss else 1 - self.p if x < loss else 0

class Slow(pl.Accountant):
    """It never answers."""
    name = "slow"
    claim = "upper"
    def epsilon(self, run, delta):
        return HARD.epsilon(delta, **LONG).upper

def held(session):
    """Asks while another thread has the session."""
    asking = threading.Event()
    def ask():
        asking.set()
        session.epsilon(1e-5)
    threading.Thread(target=ask, daemon=True).start()
    asking.wait()
    session.epsilon(1e-6)

def threads():
    return len(os.listdir("/proc/self/task"))

heard = 0
begun = False

class Enough(Exception):
    """Such as a TimeoutError; no other handler raises it."""

def on_alarm(number, frame):
    global heard
    if not begun:
        return
    heard += 1
    if heard >= 4:
        signal.setitimer(signal.ITIMER_REAL, 0)
        raise RAISED

RAISED = {"interrupt": KeyboardInterrupt, "other": Enough}[sys.argv[1]]
signal.signal(signal.SIGALRM, on_alarm)
session = pl.Session(HARD, **LONG)
before = threads()
signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
try:
    begun = True
    CALL
    print("it ended by itself")
except RAISED:
    begun = False
    print(heard, "signals", threads() - before - EXTRA, "threads")
    print(pl.gaussian(1).epsilon(1e-5).decimal(8))
    sys.stdout.flush()
os._exit(0)
'''

CALLS = {
    "epsilon": "HARD.epsilon(1e-5, **LONG)",
    "two threads": "HARD.epsilon(1e-5, threads=2, **LONG)",
    "dpsgd": "pl.dpsgd(0.1, sample_rate=0.01, steps=1000).epsilon(1e-5, **LONG)",
    "session": "session.delta(1)",
    "a named accountant": "pl.dpsgd(0.1, sample_rate=0.01, steps=1000).epsilon(1e-5, accountant='fourier', **LONG)",
    "curve": "HARD.curve(deltas=[1e-5, 1e-6], **LONG)",
    "renyi": "pl.dpsgd(0.5, sample_rate=0.01, steps=1000).renyi('50/7', digits=3000, timeout=None)",
    "best tests": "HARD.best_tests(**LONG).advantage()",
    "tradeoff": "HARD.tradeoff(0.1, **LONG)",
    "gaussian mu": "HARD.gaussian_mu('1e-3', **LONG)",
    "loss": "pl.dpsgd(1, sample_rate=0.01, steps=1000).loss(timeout=None).quantile('1/3', digits=5000)",
    "calibrate": "pl.calibrate('poisson(gaussian(sigma=?), 0.01)^1000', epsilon=1, delta=1e-5, digits=3000, timeout=None)",
    "compare": "pl.compare(HARD, delta=1e-5, **LONG)",
    "compare in threads": "pl.compare(HARD, delta=1e-5, threads=2, **LONG)",
    "audit": "pl.audit(CLAIMS, most_digits=800, timeout=None)",
    "audit in threads": "pl.audit(CLAIMS, most_digits=800, timeout=None, threads=3)",
    "map": "pl.map([HARD] * 3, delta=1e-5, **LONG)",
    "requests": "pl.Requests(timeout=None).answer(json_request)",
    "cross-check": "pl.cross_check(10**6, threads=2, seconds_each=10**6)",
    "a law in Python": "(pl.register(Flat)(p=0.7)**7 * pl.laplace(3)**20).epsilon(1e-5, **LONG)",
    "an accountant in Python": "pl.compare(pl.gaussian(1), delta=1e-5, accountants=['contour', Slow], timeout=None)",
}


def listens(call, raised="interrupt", extra=0):
    child = CHILD.replace("EXTRA", str(extra)).replace("CALL", call.replace("json_request", repr(json.dumps(
        {"spec": "poisson(gaussian(0.1), 0.01)^1000", "delta": "1e-5", "digits": 10000}))))
    done = subprocess.run([sys.executable, "-c", child, raised], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == ["4 signals 0 threads", "('4.377178', '4.3771781')"], done.stdout + done.stderr


@pytest.mark.parametrize("call", CALLS, ids=str)
def test_signals_are_heard(call):
    listens(CALLS[call])


def test_what_another_handler_raises_ends_the_call_too():
    listens(CALLS["epsilon"], "other")


def test_who_waits_for_a_session_hears_signals():
    listens("held(session)", extra=1)
