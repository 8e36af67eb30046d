"""Ctrl-C in pools of workers and in notebooks: what would take hours ends, in the caller and in its workers.

No clock decides whether a test passes: what does not listen does not end, and a limit of the whole suite ends the test.
bench/interruption_gaps.py measures how long calls take to hear.
"""
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import plaudit as pl
import pytest

HARD = "poisson(gaussian(sigma=0.1), rate=0.01)^1000 * poisson(laplace(scale=2), rate=0.01)^1000"

POOLED = f'''
import os, signal, sys, threading, time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
import plaudit as pl

def send():
    time.sleep(1)
    SEND

threading.Thread(target=send, daemon=True).start()
try:
    with POOL(2) as pool:
        pl.map([{HARD!r}] * 40, delta=1e-5, executor=pool, chunk=2, digits=10000, timeout=None)
except KeyboardInterrupt:
    print("interrupted")
print(pl.map(["gaussian(1)"], delta=1e-5)[0].decimal(4))
'''


@pytest.mark.parametrize("pool", ["ThreadPoolExecutor", "ProcessPoolExecutor"])
@pytest.mark.parametrize("send", ["os.kill(os.getpid(), signal.SIGINT)", "os.killpg(os.getpgid(0), signal.SIGINT)"])
def test_pools(pool, send):
    """The caller alone gets the signal, or its workers do too, as from a terminal."""
    done = subprocess.run([sys.executable, "-c", POOLED.replace("POOL", pool).replace("SEND", send)],
                          capture_output=True, text=True, check=False, start_new_session=True)
    assert done.stdout.splitlines() == ["interrupted", "('4.377', '4.378')"], done.stdout + done.stderr


def test_an_error_ends_what_is_under_way():
    with ThreadPoolExecutor(2) as pool:
        with pytest.raises(pl.SpecError, match="sigma"):
            pl.map(["gaussian(-1)", HARD], delta=1e-5, executor=pool, chunk=1, digits=10000, timeout=None)


def test_a_pool_answers_afterwards():
    with ThreadPoolExecutor(2) as pool:
        with pytest.raises(pl.SpecError):
            pl.map(["gaussian(-1)", HARD], delta=1e-5, executor=pool, chunk=1, digits=10000, timeout=None)
        assert len(pl.map([f"gaussian({i})" for i in range(1, 20)], delta=1e-5, executor=pool, chunk=1)) == 19


def test_folders_go(tmp_path, monkeypatch):
    import tempfile
    from concurrent.futures import ProcessPoolExecutor

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with ProcessPoolExecutor(1) as pool:
        pl.map(["gaussian(1)", "gaussian(2)"], delta=1e-5, executor=pool)
        assert list(tmp_path.glob("plaudit-map-*")) == []


def test_warnings_are_of_their_own_thread():
    """`warnings.catch_warnings` is of all threads at once: used in one, it may leave all of them silent."""
    import warnings

    before = list(warnings.filters)
    run = "poisson(gaussian(1), 0.01)^1000"
    with ThreadPoolExecutor(4) as pool:
        with pytest.warns(pl.WidthNotReached):
            pl.map([run] * 40, delta=1e-5, executor=pool, chunk=1, accountant="moments")
    assert list(warnings.filters) == before
    silent = threading.Thread(target=lambda: pl.map([run] * 20, delta=1e-5))
    silent.start()
    with pytest.warns(pl.WidthNotReached):
        pl.parse(run).epsilon(1e-5, accountant="moments")
    silent.join()


@pytest.mark.parametrize("call", [f"pl.parse({HARD!r}).epsilon(1e-5, digits=10000, timeout=None)",
                                  f"pl.map([{HARD!r}] * 9, delta=1e-5, digits=10000, timeout=None)"])
def test_a_notebook(call):
    pytest.importorskip("ipykernel")
    manager = pytest.importorskip("jupyter_client.manager")
    kernel, client = manager.start_new_kernel()
    try:
        client.execute_interactive("import plaudit as pl; print('ready')", allow_stdin=False)
        asked = client.execute(call, allow_stdin=False)
        time.sleep(1)
        kernel.interrupt_kernel()
        while True:
            answer = client.get_shell_msg()
            if answer["parent_header"].get("msg_id") == asked:
                break
        assert answer["content"]["status"] == "error" and answer["content"]["ename"] == "KeyboardInterrupt"
    finally:
        client.stop_channels()
        kernel.shutdown_kernel(now=True)


def test_the_program_prints_what_it_compared(tmp_path):
    program = os.environ.get("PLAUDIT_PROGRAM") or os.path.join(os.path.dirname(pl.__file__), "bin", "plaudit")
    if not os.path.exists(program):
        pytest.skip("the program is not built")
    for to_all in (False, True):
        running = subprocess.Popen([program, "crosscheck", "--count", "1000000", "--timeout", "0.05", "--seed", "9"], text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
                                   env={**os.environ, "TMPDIR": str(tmp_path)})
        line = running.stderr.readline()  # the first line of progress; the first checks of that seed are brief
        assert " checks, about " in line, line
        os.killpg(running.pid, 2) if to_all else os.kill(running.pid, 2)
        said, complaint = running.communicate()
        assert "comparisons, 0 of them with forms disjoint, all bands intersect" in said, said[-500:]
        assert "interrupted after" in complaint and running.returncode == -2
        assert list(tmp_path.iterdir()) == []
