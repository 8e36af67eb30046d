"""A call of a library that cannot be interrupted outlived --timeout, and one that aborted took the whole
program with it: no answer, and in an audit no verdict on any claim. The work is done in processes of
their own now; here one is stopped, and one is killed, as a library would do it."""
import os
import signal
import subprocess
import time
import pathlib
import sys
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from _program import PROGRAM, expect, finish, json  # noqa: E402

SLOW = os.environ.get("PLAUDIT_SLOW", "0") != "0"
LIMIT = "8"  # seconds, in which a busy machine lets four workers begin
HARD = " * ".join(f"pure(epsilon={i + 1})" for i in range(3000))  # takes seconds where it is given many


def children(process):
    return [int(c) for c in pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]


def processor_seconds(process):
    """Those of its first worker; on a busy machine they take longer than by the clock."""
    try:
        fields = pathlib.Path(f"/proc/{children(process)[0]}/stat").read_text().rsplit(")", 1)[1].split()
    except (OSError, IndexError):
        return 0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def meddle(blow, *arguments, stdin=""):
    """Runs the program and sends its first worker a signal."""
    process = subprocess.Popen([PROGRAM, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    process.stdin.write(stdin)
    process.stdin.close()
    process.stdin = None
    while process.poll() is None and not children(process):
        time.sleep(0.01)
    while process.poll() is None and processor_seconds(process) < 0.4:  # it has read the spec, which takes less
        time.sleep(0.01)
    found = children(process) if process.poll() is None else []
    expect(len(found) > 0, f"{arguments[0]}: no worker")
    if found:
        os.kill(found[0], blow)
    out, err = process.communicate(timeout=800)
    return process.returncode, out, err


def stands(command, upper):
    """What holds of any composition, or of one whose greatest loss is 4501500: delta(e) <= 1 - e^(e - 4501500)."""
    return upper in (("inf", "4501500") if command == "epsilon" else ("1", "0.9999546000702376"))


def stopped(command, value):
    """The worker hangs: the time limit ends the wait for it."""
    status, out, err = meddle(signal.SIGSTOP, command, HARD, value, "--timeout", LIMIT, "--json")
    what = f"{command}, stopped: {status} {out[-500:]} {err}"
    expect(status == 4, what)
    lower = json.loads(out)["lower"]
    expect(stands(command, json.loads(out)["upper"]) and (lower == "0" if command == "epsilon" else lower.startswith("0.59")), what)
    expect(f"time limit of {LIMIT} s" in json.loads(out)["remark"], what)


def died(command, value, blow):
    status, out, err = meddle(blow, command, HARD, value, "--timeout", "60")
    what = f"{command}, {blow}: {status} {out[-500:]} {err}"
    expect(status == 1 and err.startswith("plaudit: internal error: ") and err.count("\n") == 1, what)
    expect(" in 60 s" not in out, "the time limit is told as the time that it took: " + what)
    expect("inf" in out or "4501500" in out if command == "epsilon" else "certified" in out, what)


def curve_stopped():
    """The curve keeps the points that were found; the picture of the others is the trivial band."""
    status, out, err = meddle(signal.SIGSTOP, "curve", HARD, "--epsilon", "4501490:4501493:1", "--timeout", LIMIT, "--json")
    expect(status == 4 and len(json.loads(out)["points"]) == 4, f"curve: {status} {out[-300:]} {err}")


def audit_meddled(blow, verdict, code):
    """The other claims of an audit get their verdicts, those behind in the same worker too; with PLAUDIT_SLOW=1 one of these
    is as hard, and runs into the limit."""
    hard = [(HARD, "0.9", "4501490")]
    claims = [{"id": str(i), "spec": spec, "kind": "upper", "delta": delta, "epsilon": epsilon}
              for i, (spec, delta, epsilon) in enumerate([*hard * (2 if SLOW else 1), ("gaussian(1)", "1e-5", "5"),
                                                          ("gaussian(2)", "1e-5", "5")])]
    status, out, err = meddle(blow, "audit", "-", "--threads", "1", "--timeout", LIMIT, "--json", stdin=json.dumps(claims))
    found = json.loads(out)["claims"]
    what = f"audit, {blow}: {status} {[(f['verdict'], f.get('reason')) for f in found]} {err}"
    expect(status == code and [f["verdict"] for f in found[-2:]] == ["valid", "valid"], what)
    expect(found[0]["verdict"] == verdict and found[0]["reason"], what)


# The probability of the greatest loss is 0.596: what it says does not settle these.
questions = (("epsilon", "--delta=0.9"), ("delta", "--epsilon=4501490"))
# Those that wait for the limit of time wait together.
with ThreadPoolExecutor() as pool:
    waits = [pool.submit(stopped, *question) for question in questions]
    waits += [pool.submit(curve_stopped), pool.submit(audit_meddled, signal.SIGSTOP, "undecided", 4)]
    for each in waits:
        each.result()
for turn, (command, value) in enumerate(questions):  # without PLAUDIT_SLOW=1 one blow each
    for blow in (signal.SIGFPE, signal.SIGABRT, signal.SIGSEGV) if SLOW else ((signal.SIGABRT,), (signal.SIGSEGV,))[turn]:
        died(command, value, blow)
audit_meddled(signal.SIGABRT, "error", 1)
finish()
