"""`mu 'random_allocation(gaussian(sigma=100), steps=3)'` ended with an internal error and no band, tradeoff and
attack likewise, and laws with tiny noise or tiny rates by "too many nodes": what a law or a method cannot do
leaves what is true without it, and the answer says why it is wide. `epsilon` of sigma=1e-5 ran for 85 s beyond its
limit: an estimate had a step of 0, and a brief query is tried where nothing can end a loop that never looks up."""
import os
import pathlib
import resource
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from _program import expect, finish, run  # noqa: E402

SPECS = [f"random_allocation(gaussian(sigma={sigma}), steps=3)" for sigma in ("100", "0.05", "1e-5", "1e9")]
SPECS += ["random_allocation(gaussian(sigma=100), steps=3)^2", "poisson(gaussian(sigma=0.05), rate=1e-300)^10",
          "poisson(gaussian(sigma=0.05), rate=1e-300)", "poisson(laplace(0.01), rate=1e-300)^3"]
COMMANDS = [["mu"], ["tradeoff", "--fpr", "0.1"], ["attack"], ["renyi", "--order", "3"], ["renyi", "--order", "1e9"],
            ["epsilon", "--delta", "1e-6"], ["delta", "--epsilon", "1"], ["curve", "--epsilon", "0:1:1"],
            ["curve", "--renyi", "2:3:1"]]


def numbers(report):
    """Every pair of ends in it."""
    if isinstance(report, list):
        return [pair for each in report for pair in numbers(each)]
    if not isinstance(report, dict):
        return []
    here = [(report["lower"], report["upper"])] if "lower" in report and "upper" in report else []
    return here + [pair for each in report.values() for pair in numbers(each)]


LONGEST = 15 * float(os.environ.get("PLAUDIT_TEST_PATIENCE", "1"))  # seconds of processors, where 0.3 are the limit


def spent():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


SLOW = os.environ.get("PLAUDIT_SLOW", "0") != "0"
for place, spec in enumerate(SPECS):  # of all but the first one every second command each, in turn
    for command, *options in COMMANDS if SLOW or place == 0 else COMMANDS[(place + 1) % 2::2]:
        arguments = [command, spec, *options, "--timeout", "0.3", "--digits", "4"]
        before = spent()
        result = run(*arguments, "--json")
        expect(spent() - before < LONGEST, f"{arguments}: {spent() - before} s")
        what = f"{arguments}: {result.status} {result.out[-600:]} {result.err}"
        expect(result.status in (0, 4) and "internal error" not in result.out + result.err, what)
        expect(len(numbers(result.json())) > 0 if result.out else False, what)
        expect("nan" not in str(numbers(result.json()) if result.out else ""), what)
finish()
