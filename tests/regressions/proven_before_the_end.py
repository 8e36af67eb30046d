"""A band that was proven was thrown away where the limit of time, a signal or the limit of memory ended the
worker: `epsilon 'poisson(discrete_gaussian(sigma=2), rate=0.05)^100' --timeout 18` printed [0, inf], "is not
bounded", and a shorter limit 12 digits. Here workers are killed after they have proven something."""
import os
import pathlib
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from _program import PROGRAM, expect, finish, json  # noqa: E402

SPEC = "poisson(gaussian(sigma=0.8), rate=0.004)^1000"  # 10000 digits take minutes, the first ones milliseconds
MUCH = ["--digits", "10000", "--timeout", "3000"]
PATIENCE = float(os.environ.get("PLAUDIT_TEST_PATIENCE", "1"))  # of a slow build
PROVEN_AFTER = 0.9 * PATIENCE  # seconds of processors
LIMIT = str(round(6 * PATIENCE))


def first_child(process):
    found = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    return int(found[0]) if found else None


def processor_seconds(process):
    try:
        fields = pathlib.Path(f"/proc/{first_child(process)}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def killed(blow, *arguments, stdin=""):
    """Status, output and errors of a run whose worker gets the signal once it has worked for a while."""
    process = subprocess.Popen([PROGRAM, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    process.stdin.write(stdin)
    process.stdin.close()
    process.stdin = None
    while process.poll() is None and processor_seconds(process) < PROVEN_AFTER:
        time.sleep(0.01)
    expect(process.poll() is None, f"{arguments}: ended by itself")
    if process.poll() is None:
        os.kill(first_child(process), blow)
    out, err = process.communicate(timeout=800)
    return process.returncode, out, err


def expect_narrow(band, what, least="0.0001", width=0.1):
    lower, upper = float(band.get("lower", 0)), float(band.get("upper", "inf"))
    expect(float(least) < lower <= upper < lower * (1 + width) < float("inf"), what)


for command, option in (("epsilon", "--delta=1e-7"), ("delta", "--epsilon=2")):
    status, out, err = killed(signal.SIGKILL, command, SPEC, option, *MUCH, "--json")
    what = f"{command}: {status} {out[-300:]} {err}"
    expect(status == 1 and err.startswith("plaudit: internal error: ") and "signal 9" in err, what)
    report = json.loads(out)
    expect_narrow(report, what, "1e-9")
    expect(report["certified"] and not report["reached"] and "signal 9" in report["remark"], what)
    expect(report["accountant"] != "none", what)

# The limit of time, where the worker does not look at it any more.
status, out, err = killed(signal.SIGSTOP, "epsilon", SPEC, "--delta", "1e-7", "--digits", "10000", "--timeout", LIMIT)
expect(status == 4 and "is not bounded" not in out and f"time limit of {LIMIT} s was reached" in out, f"{status} {out} {err}")
expect("epsilon <= 2.08" in out or "<= epsilon <= 2.08" in out, out)

# The point of a curve that was under way, an accountant of a comparison, a request, a rate, an order.
status, out, err = killed(signal.SIGKILL, "curve", SPEC, "--epsilon", "1:3:1", *MUCH, "--json")
points = json.loads(out)["points"]
expect_narrow(points[0], f"curve: {points} {err}", "1e-9")
expect([(p["lower"], p["upper"]) for p in points[1:]] == [("0", "1")] * 2, f"curve: {points}")

status, out, err = killed(signal.SIGKILL, "compare", SPEC, "--delta", "1e-7", "--accountant", "auto", *MUCH, "--json")
entry = json.loads(out)["accountants"][0]
expect(status == 1 and "signal 9" in entry["verdict"], f"compare: {status} {entry}")

status, out, err = killed(signal.SIGKILL, "batch", "-", *MUCH, stdin=json.dumps({"id": "a", "spec": SPEC, "delta": "1e-7"}) + "\n")
answer = json.loads(out)
expect(answer["id"] == "a" and "error" not in answer and "signal 9" in answer["remark"], f"batch: {answer}")
expect_narrow(answer, f"batch: {answer}")

status, out, err = killed(signal.SIGKILL, "tradeoff", SPEC, "--fpr", "0.1,0.2", *MUCH, "--json")
points = json.loads(out)["points"]
expect(status == 1 and len(points) == 2 and all(p["remark"] for p in points), f"tradeoff: {status} {out} {err}")
expect(float(points[0]["upper"]) < 0.95, f"tradeoff: {points[0]}")

for command in (["mu", SPEC, *MUCH, "--json"], ["mu", SPEC, *MUCH]):
    status, out, err = killed(signal.SIGKILL, *command)
    expect(status == 1 and "signal 9" in err and "inf" in out, f"mu: {status} {out} {err}")

status, out, err = killed(signal.SIGKILL, "report", SPEC, "--delta", "1e-7", *MUCH)
expect(status == 1 and out.startswith("# epsilon \\<= 2.08"), f"report: {status} {out[:300]} {err}")
finish()
