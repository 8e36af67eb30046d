"""Ctrl-C ends every command, however busy its workers are, by the signal (of which a shell makes the
status 130), and leaves no process behind. A cross-check whose only worker is killed says so and begins no
check more; it went on for ever, at full load, with orders that nobody had given."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from _program import PROGRAM, expect, finish  # noqa: E402

# Nobody finds these digits within hours, and there is time for them.
HARD = "poisson(gaussian(sigma=0.1), rate=0.01)^1000 * poisson(laplace(scale=2), rate=0.01)^1000"
AT_LENGTH = ["--digits", "10000", "--timeout", "1e7"]


def field(process, number):
    """Of /proc/PROCESS/stat, counted from the state; empty where there is none."""
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[number]
    except OSError:
        return ""


def children(process):
    """With the times of their starts, which tell them from later processes of the same number."""
    try:
        numbers = pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return []
    return [(number, field(number, 19)) for number in numbers]


def wait_until(what):
    """Whatever it takes: the suite has a limit of its own."""
    while not what():
        time.sleep(0.01)


with tempfile.TemporaryDirectory() as folder:
    claims = pathlib.Path(folder) / "claims.json"
    claims.write_text(json.dumps([{"spec": HARD, "delta": f"1e-{i}", "epsilon": 1} for i in range(5, 9)]))
    request = json.dumps({"spec": HARD, "delta": "1e-5", "digits": 10000, "timeout": 10**7}) + "\n"
    for words in (["epsilon", HARD, "--delta", "1e-5", *AT_LENGTH, "--threads", "2"],
                  ["delta", HARD, "--epsilon", "1", *AT_LENGTH],
                  ["curve", HARD, "--delta", "1e-5:1e-4:2", *AT_LENGTH],
                  ["compare", HARD, "--delta", "1e-5", *AT_LENGTH, "--threads", "2"],
                  ["audit", str(claims), "--digits", "800", "--timeout", "1e7", "--threads", "2"],
                  ["crosscheck", "--count", "1000000", "--timeout", "100", "--threads", "2"],
                  ["batch", "-", "--timeout", "1e7"]):
        run = subprocess.Popen([PROGRAM, *words], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": folder})
        if words[0] == "batch":
            run.stdin.write(request)
            run.stdin.flush()
        wait_until(lambda: run.poll() is not None or children(run.pid))
        workers = [] if run.poll() is not None else children(run.pid)
        run.send_signal(signal.SIGINT)
        status, said = run.wait(), run.stderr.read()
        expect(workers and status == -signal.SIGINT, f"{words[0]}: {status}, {len(workers)} workers: {said}")
        wait_until(lambda: all(field(worker, 19) != start or field(worker, 0) == "Z" for worker, start in workers))
    run = subprocess.Popen([PROGRAM, "crosscheck", "--count", "1000000", "--timeout", "100", "--threads", "1"],
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={**os.environ, "TMPDIR": folder})
    wait_until(lambda: run.poll() is not None or children(run.pid))
    for worker, _ in children(run.pid):
        os.kill(int(worker), signal.SIGKILL)
    said, _ = run.communicate(timeout=300)
    expect(run.returncode == 3 and "ended by signal 9" in said, f"killed worker: {run.returncode}: {said[-2000:]}")
finish()
