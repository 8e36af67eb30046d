#!/usr/bin/env python3
"""How long do calls of the Python module not look at signals?

    interruption_gaps.py [--seconds 20] [--module build/python]

Each call runs in a process of its own for --seconds of processor time at most, while a timer sends a signal every
millisecond of it; the handler notes when it runs. Printed is the longest time between two notes, in seconds of
processor time, so that a busy machine does not count. Exit status 1 where one is above LONGEST.
"""
import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

HARD = "poisson(gaussian(sigma=0.1), rate=0.01)^1000 * poisson(laplace(scale=2), rate=0.01)^1000"
LONGEST = 0.2  # seconds: docs/python.md, "Interrupting"
CHILD = """
import signal, sys, time, warnings
import plaudit as pl
warnings.simplefilter("ignore")
class Enough(BaseException):
    pass
start = last = time.process_time()
longest = 0.0
inside = False
def note(number, frame):
    global last, longest
    now = time.process_time()
    longest, last = max(longest, now - last), now
    if inside and now - start > float(sys.argv[1]):
        signal.setitimer(signal.ITIMER_PROF, 0)
        raise Enough
HARD = pl.parse("@HARD@")
class Flat(pl.Mechanism):
    name, example, parameters = "flat", "flat(p=0.75)", {"p": "probability"}
    def p_above(self, x):
        loss = pl.balls.log(pl.Interval(self.p / (1 - self.p)))
        return 1 if x < -loss else self.p if x < loss else 0
    def q_above(self, x):
        loss = pl.balls.log(pl.Interval(self.p / (1 - self.p)))
        return 1 if x < -loss else 1 - self.p if x < loss else 0
signal.signal(signal.SIGPROF, note)
start = last = time.process_time()
signal.setitimer(signal.ITIMER_PROF, 0.001, 0.001)
try:
    inside = True
    CALL
    inside = False
except Enough:
    inside = False
signal.setitimer(signal.ITIMER_PROF, 0)
note_at_end = time.process_time()
print(f"{max(longest, note_at_end - last):.3f} {note_at_end - start:.1f}")
"""
LONG = "digits=10000, timeout=None"
SGD = "pl.dpsgd(0.1, sample_rate=0.01, steps=1000)"
RUNS = "[f'poisson(gaussian({s}), 0.01)^1000 * laplace({s})^7' for s in range(1, 400)]"
CLAIMS = "[{'spec': HARD, 'delta': '1e-5', 'epsilon': f'1194.7623735657{d}'} for d in range(4)]"
MANY = "[{'id': str(i), 'spec': f'poisson(gaussian({i}/100), 0.01)^1000', 'delta': 1e-5, 'epsilon': 1} for i in range(50, 400)]"
#: What is called, each in a process of its own.
CALLS = {
    "sampled Gaussian": f"{SGD}.epsilon(1e-5, {LONG})",
    "sampled Gaussian, 12 digits": "pl.dpsgd(1.1, sample_rate=0.01, steps=1000).epsilon(1e-5)",
    "two threads": f"HARD.epsilon(1e-5, threads=2, {LONG})",
    "product": f"HARD.epsilon(1e-5, {LONG})",
    "delta": f"HARD.delta(1, {LONG})",
    "curve": f"HARD.curve(deltas=[1e-5, 1e-6], {LONG})",
    "array of deltas": "pl.dpsgd(0.7, sample_rate=0.01, steps=1000).epsilon([1e-5 / i for i in range(1, 3000)], digits=6)",
    "array of noises": "pl.epsilon(noise_multiplier=[i / 100 for i in range(50, 2000)], sample_rate=0.01, steps=100, delta=1e-5)",
    "session": f"pl.Session(HARD, {LONG}).delta(1)",
    "Renyi": "pl.dpsgd(0.5, sample_rate=0.01, steps=1000).renyi('50/7', digits=3000, timeout=None)",
    "best tests": f"HARD.best_tests({LONG}).advantage()",
    "success": f"HARD.best_tests({LONG}).success('1/3')",
    "predictive value": f"HARD.best_tests({LONG}).predictive_value(0.001, 0.1)",
    "trade-off": f"HARD.tradeoff(0.1, {LONG})",
    "mu": f"HARD.gaussian_mu('1e-3', {LONG})",
    "quantile": "pl.dpsgd(1, sample_rate=0.01, steps=1000).loss(timeout=None).quantile('1/3', digits=5000)",
    "tails of the loss": "pl.dpsgd(1, sample_rate=0.01, steps=1000).loss(timeout=None).p_above([i / 100 for i in range(300)])",
    "atoms": "(pl.randomized_response(probability='7/10')**3000).loss(timeout=None).atoms()",
    "calibrate": "pl.calibrate('poisson(gaussian(sigma=?), 0.01)^1000', epsilon=1, delta=1e-5, digits=3000, timeout=None)",
    "calibrate a function": "pl.calibrate(lambda s: pl.gaussian(s) * pl.laplace(2 * s), epsilon=1, delta=1e-5, digits=200, timeout=None)",
    "calibrate a table": "pl.calibrate(lambda s: pl.dpsgd(s, sample_rate=0.01, steps=1000), epsilon=[i / 100 for i in range(20, 400)], delta=1e-5)",
    "calibrate mu": "pl.calibrate(lambda s: pl.dpsgd(s, sample_rate=0.01, steps=1000), mu=0.5, least_error='1e-3', digits=6, timeout=None)",
    "calibrate true positives": "pl.calibrate(lambda s: pl.dpsgd(s, sample_rate=0.01, steps=1000), fpr=0.01, tpr=0.1, digits=9, timeout=None)",
    "compare": f"pl.compare(HARD, delta=1e-5, {LONG})",
    "compare deltas": f"pl.compare(HARD, epsilon=1, {LONG})",
    "compare, 12 digits": "pl.compare(pl.dpsgd(0.8, sample_rate=0.004, steps=1000), delta=1e-7)",
    "audit": f"pl.audit({CLAIMS}, most_digits=800, timeout=None)",
    "audit in threads": f"pl.audit({CLAIMS}, most_digits=800, timeout=None, threads=2)",
    "audit of many claims": f"pl.audit({MANY})",
    "report of an audit": f"pl.audit({MANY}[:40]).html(pictures='all')",
    "an accountant on many runs": "pl.audit(accountant=type('Root', (pl.Accountant,), {'claim': 'upper', 'epsilon': lambda s, run, delta: run.epsilon(delta).upper}), runs=pl.random_runs(300), delta=1e-5)",
    "cross-check": "pl.cross_check(10**6, seconds_each=10)",
    "cross-check in threads": "pl.cross_check(10**6, threads=2, seconds_each=10)",
    "certificate": "pl.dpsgd(0.7, sample_rate=0.01, steps=1000).epsilon(1e-5, digits=150).certificate(timeout=None)",
    "check of a certificate": "pl.check_certificate(pl.dpsgd(0.7, sample_rate=0.01, steps=1000).epsilon(1e-5, digits=100).certificate())",
    "check in Python": "import plaudit_certificates.statements as s; s.judge(pl.dpsgd(0.7, sample_rate=0.01, steps=1000).epsilon(1e-5).certificate())",
    "observe": "pl.observe_counts(HARD, design='runs', true_positives=312, with_record=1000, false_positives=3, without_record=1000, deltas=[0, 1e-5], digits=30, timeout=None)",
    "map": f"pl.map([HARD] * 3, delta=1e-5, {LONG})",
    "map of many runs": f"pl.map({RUNS}, delta=1e-5)",
    "map of a table": f"import pandas; pl.map(pandas.DataFrame({{'spec': {RUNS}, 'delta': 1e-5}}))",
    "a plot": "import matplotlib; matplotlib.use('Agg'); pl.dpsgd(0.7, sample_rate=0.01, steps=1000).curve(epsilons=[i / 50 for i in range(400)]).plot()",
    "a notebook's pictures": "[pl.dpsgd(s / 10, sample_rate=0.01, steps=1000)._repr_html_() for s in range(1, 60)]",
    "requests": "pl.Requests(timeout=None).answer('{\"spec\": \"poisson(gaussian(0.1), 0.01)^1000\", \"delta\": \"1e-5\", \"digits\": 10000}')",
    "a schedule of noises": "import math; math.prod(pl.poisson(pl.gaussian((1000 + i) / 1000), 0.01) for i in range(3000)).epsilon(1e-5)",
    "parsing a long spec": "[pl.parse(' * '.join(f'gaussian({i})' for i in range(1, 4000))) for _ in range(20)]",
    "pickles": "import math, pickle; run = math.prod(pl.gaussian(100 + i) for i in range(3000)); [pickle.loads(pickle.dumps(run)).spec for _ in range(20)]",
    "a history of Opacus": "pl.from_([(1 + i / 3000, 0.01, 3) for i in range(3000)]).epsilon(1e-5)",
    "a law in Python": f"(pl.register(Flat)(p=0.7)**7 * pl.laplace(3)**20).epsilon(1e-5, {LONG})",
    "fourier": f"{SGD}.epsilon(1e-5, accountant='fourier', {LONG})",
    "prv": f"pl.dpsgd(0.5, sample_rate=0.01, steps=1000).epsilon(1e-5, accountant='prv', {LONG})",
    "privacy_buckets": f"pl.parse('random_allocation(gaussian(1), steps=50)^20').epsilon(1e-5, accountant='privacy_buckets', {LONG})",
    "replacement batches": f"pl.parse('with_replacement(gaussian(2), batch=64, population=1000000)^1000').epsilon(1e-5, {LONG})",
    "random allocation": f"pl.parse('random_allocation(gaussian(1), steps=200)^3').epsilon(1e-5, {LONG})",
    "Laplace": f"pl.parse('laplace(10)^3000 * laplace(7)^20').epsilon(1e-9, {LONG})",
    "discrete Gaussians": f"pl.parse('discrete_gaussian(sigma=10)^100 * discrete_gaussian(sigma=7)^100').epsilon(1e-5, {LONG})",
    "stream": f"pl.parse('toeplitz(coefficients=[1, 0.5, 0.375], steps=2000, sigma=3, participations=3, min_separation=100)').epsilon(1e-5, {LONG})",
}

#: Pools, of which the caller alone or all processes get SIGINT, as from a terminal. Printed: seconds by the clock from
#: the signal to KeyboardInterrupt, and to the end of the pool's `with`.
POOLED = """
import os, signal, sys, threading, time, warnings
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
import plaudit as pl
warnings.simplefilter("ignore")
signal.signal(signal.SIGINT, signal.default_int_handler)  # also where it is ignored, as in a background job
runs = ["poisson(gaussian(sigma=0.1), rate=0.01)^1000 * poisson(laplace(scale=2), rate=0.01)^1000"] * 40
sent = heard = 0.0
def send():
    global sent
    time.sleep(3)
    sent = time.monotonic()
    SEND
threading.Thread(target=send, daemon=True).start()
try:
    with POOL as pool:
        try:
            pl.map(runs, delta=1e-5, executor=pool, chunk=2, digits=10000, timeout=600)
        except KeyboardInterrupt:
            heard = time.monotonic()
            raise
except KeyboardInterrupt:
    print(f"{heard - sent:.3f} {time.monotonic() - sent:.3f}")
"""
POOLS = {"threads": "ThreadPoolExecutor(2)", "processes": "ProcessPoolExecutor(2)"}
SENDS = {"the caller": "os.kill(os.getpid(), signal.SIGINT)", "all processes": "os.killpg(os.getpgid(0), signal.SIGINT)"}


def pools(module):
    longest = 0.0
    for pool, made in POOLS.items():
        for whom, send in SENDS.items():
            done = subprocess.run([sys.executable, "-c", POOLED.replace("SEND", send).replace("POOL", made)],
                                  env={**os.environ, "PYTHONPATH": module}, capture_output=True, text=True, start_new_session=True)
            heard, left = (float(word) for word in done.stdout.split())
            longest = max(longest, left)
            print(f"{'pool of ' + pool + ', ' + whom:30} KeyboardInterrupt {heard:.3f} s, pool left {left:.3f} s", flush=True)
    return longest


def notebook(module):
    """Seconds from the interruption of a kernel of Jupyter to KeyboardInterrupt in the cell."""
    os.environ["PYTHONPATH"] = module
    os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"
    from jupyter_client.manager import start_new_kernel

    manager, client = start_new_kernel()
    longest = 0.0
    try:
        client.execute_interactive("import plaudit as pl, time, warnings; warnings.simplefilter('ignore'); "
                                   f"HARD = pl.parse('{HARD}')")
        for name in ("product", "delta", "compare", "audit in threads", "calibrate", "map", "cross-check", "trade-off"):
            cell = f"try:\n    {CALLS[name]}\nexcept KeyboardInterrupt:\n    heard = time.time()"
            asked = client.execute(cell)
            time.sleep(3)
            sent = time.time()
            manager.interrupt_kernel()
            while client.get_shell_msg()["parent_header"].get("msg_id") != asked:
                pass
            answer = client.execute("", user_expressions={"heard": "heard"})
            message = client.get_shell_msg()
            while message["parent_header"].get("msg_id") != answer:
                message = client.get_shell_msg()
            seconds = float(message["content"]["user_expressions"]["heard"]["data"]["text/plain"]) - sent
            longest = max(longest, seconds)
            print(f"{'notebook, ' + name:30} KeyboardInterrupt {seconds:.3f} s", flush=True)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    return longest


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--module", default=str(Path(__file__).resolve().parents[1] / "build" / "python"))
    parser.add_argument("names", nargs="*", help="of calls; all unless given")
    options = parser.parse_args()
    worst = 0.0
    for name, call in CALLS.items():
        if options.names and name not in options.names:
            continue
        done = subprocess.run([sys.executable, "-c", CHILD.replace("CALL", call).replace("@HARD@", HARD), str(options.seconds)],
                              env={**os.environ, "PYTHONPATH": options.module + os.pathsep + str(Path(__file__).resolve().parents[1] / "python")}, capture_output=True, text=True)
        if done.returncode != 0:
            print(f"{name}: {done.stderr.strip().splitlines()[-1]}")
            return 1
        gap, seconds = (float(word) for word in done.stdout.split())
        worst = max(worst, gap)
        print(f"{name:30} longest gap {gap:.3f} s in {seconds:.1f} s", flush=True)
    if not options.names:
        print(f"longest of {len(CALLS)}: {worst:.3f} s of processor time")
        by_clock = max(pools(options.module), notebook(options.module))
        print(f"longest by the clock: {by_clock:.3f} s")
    return 1 if worst > LONGEST else 0


if __name__ == "__main__":
    sys.exit(main())
