"""--timeout and memory had no bound where work was done before a limit began or in loops that did not
look at it: a billion atoms were listed to refuse an accountant (129 s of CPU and 9.2 GB with
--timeout 1), an epsilon of 1e15 or 1e30 made numbers of e^-1e60, a claim with epsilon 1e19 likewise."""
import json
import os
import subprocess
import sys
import pathlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from _program import PROGRAM, exact, expect, finish  # noqa: E402

MOST_CPU_SECONDS = 4  # of one second allowed: instrumented builds are slower
MOST_KILOBYTES = 1_500_000


def limited(*arguments, stdin=""):
    """Status, output, CPU seconds and peak memory of one run."""
    child = subprocess.Popen([PROGRAM, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True)
    child.stdin.write(stdin)
    child.stdin.close()
    out = child.stdout.read()
    err = child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    what = f"{arguments}: {usage.ru_utime + usage.ru_stime:.2f} s, {usage.ru_maxrss} kB\n{out}{err}"
    expect(usage.ru_utime + usage.ru_stime < MOST_CPU_SECONDS, what)
    expect(usage.ru_maxrss < MOST_KILOBYTES, what)
    return os.waitstatus_to_exitcode(status), out, what


def size(text):
    """Sorts numbers >= 0 whose exponents are too large to be written out."""
    mantissa, _, exponent = text.partition("e")
    value, power = exact(mantissa), int(exponent or 0)
    while value >= 10:
        value, power = value / 10, power + 1
    while 0 < value < 1:
        value, power = value * 10, power - 1
    return (value > 0, power if value > 0 else 0, value)


REPLACED = "without_replacement(gaussian(sigma={}), batch={}, population={}, adjacency=replace)^2"
QUERIES = [
    ("epsilon", "discrete_gaussian(sigma=1, sensitivity=1000000000)", "--delta", "1e-5"),
    ("delta", "discrete_gaussian(sigma=1, sensitivity=1000000000)", "--epsilon", "1"),
    ("epsilon", "discrete_gaussian(sigma=100000)^7", "--delta", "1e-5"),
    ("epsilon", "gaussian(sigma=1e-20)", "--delta", "1e-5"),
    ("epsilon", "gaussian(sigma=1e-20) * laplace(1)", "--delta", "1e-5"),
    ("delta", REPLACED.format(1, 10, 100), "--epsilon", "1e15"),
    ("delta", REPLACED.format(4, 3, 10), "--epsilon", "1e30"),
    ("epsilon", REPLACED.format("1e-9", 3, 10), "--delta", "1e-5"),
    ("delta", "poisson(gaussian(sigma=1), rate=0.1)^2", "--epsilon", "1e19"),
    ("delta", "mixture(sigma=1, sensitivities=[1, 2], probabilities=[1/2, 1/2])", "--epsilon", "1e30"),
    ("delta", "gaussian(sigma=1)", "--epsilon", "1e19"),
]
for query in QUERIES:
    status, out, what = limited(*query, "--timeout", "1", "--json")
    expect(status in (0, 4), what)
    report = json.loads(out)
    if report["upper"] != "inf":
        expect(size(report["lower"]) <= size(report["upper"]), what)

for epsilon in ("1e19", "1e300"):
    claims = [{"id": str(i), "spec": spec, "delta": "1e-5", "epsilon": epsilon, "kind": kind}
              for i, (spec, kind) in enumerate([
                  ("gaussian(sigma=1)", "upper"), ("poisson(gaussian(sigma=1), rate=0.1)^10", "upper"),
                  (REPLACED.format(4, 3, 10), "upper"), ("laplace(1)^3", "upper"),
                  ("discrete_gaussian(sigma=2)^3", "upper")])]
    for claim in claims:
        status, out, what = limited("audit", "-", "--timeout", "1", "--json", stdin=json.dumps([claim]))
        verdict = json.loads(out)["claims"][0]["verdict"]
        expect(verdict != "refuted", what)

finish()
