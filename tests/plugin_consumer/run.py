#!/usr/bin/env python3
"""Installs a build, builds the consumer against the install alone, and uses what it brings: from C++
and by `plaudit --plugin`. One step is compared with an integral of the two densities, and short
compositions with quadratures, none of which knows anything of plaudit's."""
import json
import math
import shutil
import subprocess
import sys
from decimal import Decimal, getcontext
from pathlib import Path

getcontext().prec = 60
here = Path(__file__).resolve().parent
cmake, build, configuration, generator, compiler = sys.argv[1:6]
prefix_path = sys.argv[6] if len(sys.argv) > 6 else ""  # ctest leaves out what is empty
work = Path(build) / "plugin_consumer"
failures = []


def call(*command, status=0):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if status is not None and done.returncode != status:  # None: 0 or 4, as digits are had
        words = " ".join(str(part) for part in command)
        failures.append(f"status {done.returncode}, not {status}: {words}\n"
                        f"{done.stdout[-600:]}{done.stderr}")
    return done


def check(condition, what):
    if not condition:
        failures.append(what)


def require(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"failed: {command}\n{done.stdout}{done.stderr}")
    return done.stdout


# ---- the noise itself: density c e^{-|x|/b} on [-A, A]

class Noise:
    def __init__(self, scale, bound, sensitivity=1):
        self.b, self.A, self.s = Decimal(scale), Decimal(bound), Decimal(sensitivity)
        self.c = 1 / (2 * self.b * (1 - (-self.A / self.b).exp()))

    def below(self, x):
        """P(noise <= x)"""
        x = max(-self.A, min(self.A, x))
        left = self.c * self.b * ((min(x, Decimal(0)) / self.b).exp() - (-self.A / self.b).exp())
        return left + (self.c * self.b * (1 - (-x / self.b).exp()) if x > 0 else 0)

    def delta(self, epsilon):
        """int max(0, f(y - s) - e^epsilon f(y)) dy; f(y - s) / f(y) does not fall on the overlap."""
        low, high = self.s - self.A, self.A
        exceeds = lambda y: (abs(y) - abs(y - self.s)) / self.b > epsilon
        start = high
        if exceeds(low):
            start = low
        elif exceeds(high):
            for _ in range(200):
                middle = (low + high) / 2
                low, high = (low, middle) if exceeds(middle) else (middle, high)
            start = high
        shifted = self.below(self.A) - self.below(start - self.s)
        return shifted - Decimal(epsilon).exp() * (self.below(self.A) - self.below(start))


def simpson(f, low, high, cells=400):
    if high <= low:
        return 0.0
    h = (high - low) / (2 * cells)
    values = [f(low + i * h) for i in range(2 * cells + 1)]
    return h / 3 * (values[0] + values[-1] + 4 * sum(values[1::2]) + 2 * sum(values[2:-1:2]))


def quick_delta(noise):
    """The same one-step curve in floating point, by the same integral."""
    b, A, s, c = (float(x) for x in (noise.b, noise.A, noise.s, noise.c))
    r = math.exp(-A / b)

    def below(x):
        x = max(-A, min(A, x))
        return c * b * (math.exp(min(x, 0) / b) - r) - (c * b * math.expm1(-x / b) if x > 0 else 0)

    def delta(epsilon):
        start = A if epsilon >= s / b else s - A if epsilon < -s / b else (b * epsilon + s) / 2
        return 1 - below(start - s) - math.exp(epsilon) * (1 - below(start))
    return delta, s / b


def delta_with_gaussian(noise, sigma, epsilon):
    """E of the one-step curve at epsilon - L, L ~ N(mu, 2 mu) the loss of the Gaussian."""
    delta, a = quick_delta(noise)
    mu = 1 / (2 * sigma ** 2)
    deviation = math.sqrt(2 * mu)
    f = lambda l: (math.exp(-(l - mu) ** 2 / (4 * mu)) / (deviation * math.sqrt(2 * math.pi)) *
                   delta(epsilon - l))
    knots = sorted([mu - 12 * deviation, epsilon - a, epsilon + a, mu + 12 * deviation])
    return sum(simpson(f, x, y) for x, y in zip(knots, knots[1:]))


def delta_of_two(noise, epsilon):
    """The atoms and the density of the loss come from the densities of the outputs."""
    delta, a = quick_delta(noise)
    b, A, s, c = (float(x) for x in (noise.b, noise.A, noise.s, noise.c))
    below = lambda x: float(noise.below(Decimal(x)))
    at_least = below(-s)                          # outputs below 0
    at_most = below(A - s) - below(0)             # from s to A
    infinite = 1 - below(A - s)
    # y = (b l + s) / 2 between: P has the density c e^{-|y - s| / b} dy
    f = lambda l: c * math.exp(((b * l + s) / 2 - s) / b) * b / 2 * delta(epsilon - l)
    knots = sorted([-a] + [x for x in (epsilon - a, epsilon + a) if -a < x < a] + [a])
    curve = sum(simpson(f, x, y) for x, y in zip(knots, knots[1:]))
    return infinite + at_least * delta(epsilon + a) + at_most * delta(epsilon - a) + curve


# ---- the page that walks through it

page = (here.parents[1] / "docs" / "extending.md").read_text()
blocks = [block.split("```")[0] for block in page.split("```cpp\n")[1:]]
source = (here / "mine.hpp").read_text() + (here / "plugin.cpp").read_text()
for block in blocks:
    check(block in source, "docs/extending.md has other code:\n" + block)
shown = {line for block in blocks for line in block.splitlines()}
code = [line for line in source.splitlines() if line.strip() and not line.strip().startswith("//")]
for line in code:
    check(line in shown, "docs/extending.md lacks: " + line)
check(len(code) < 100, f"{len(code)} lines of code are no short walk")

# ---- install, build

shutil.rmtree(work, ignore_errors=True)
prefix = work / "prefix"
require(cmake, "--install", build, "--config", configuration, "--prefix", prefix)
paths = ";".join([str(prefix)] + [path for path in prefix_path.split(";") if path])
require(cmake, "-S", here, "-B", work / "build", "-G", generator,
        f"-DCMAKE_BUILD_TYPE={configuration}", f"-DCMAKE_CXX_COMPILER={compiler}",
        f"-DCMAKE_PREFIX_PATH={paths}")
require(cmake, "--build", work / "build", "--config", configuration)
program = prefix / "bin" / "plaudit"
plugin = ["--plugin", work / "build" / "mine.so"]


def answer(*words, status=0):
    done = call(program, *words, *plugin, "--json", status=status)
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        failures.append(f"no JSON: {words}\n{done.stdout}{done.stderr}")
        return {"lower": "nan", "upper": "nan", "accountants": []}


# ---- from C++

text = require(work / "build" / "consumer")
print(text, end="")
lines = text.splitlines()
check(lines[0] == "cut_laplace(scale=2, bound=10)^100 * gaussian(sigma=1.5), add_remove",
      lines[0])
found = {line.split(":")[0].strip(): line.split(":")[1].split() for line in lines[1:7]}
exact = Noise(2, 10).delta(Decimal("0.25"))
lower, upper = (Decimal(x) for x in found["delta of one step at 0.25"][:2])
check(lower <= exact <= upper and upper - lower < Decimal("1e-11"), f"one step: {exact}, {text}")
run = found["epsilon of the run"]
check(run[2:] == ["contour", "certified"], "the contour applies: " + text)
grid = found["by fourier"]
check(grid[3] == "certified" and float(grid[0]) <= float(run[1]) and
      float(run[0]) <= float(grid[1]) and float(grid[1]) < float("inf"), "the grid: " + text)
check(found["by chernoff"][3] == "claimed" and float(found["by chernoff"][1]) >= float(run[0]),
      "chernoff: " + text)
check(found["by square_root"][3] == "claimed" and
      float(found["by square_root"][1]) < float(run[0]), "square_root lies: " + text)
check("cut_laplace is taken" in lines[-1], lines[-1])

# ---- one step against the integral, by each accountant that has digits; but for the grid one process answers all

asked = []
for scale, bound, sensitivity in ((1, 12, 1), (2, 10, 1), ("0.5", 3, 2), (20, 25, 1)):
    noise = Noise(scale, bound, sensitivity)
    spec = f"cut_laplace(scale={scale}, bound={bound}, sensitivity={sensitivity})"
    for epsilon in ("0", "0.02", "0.3", "0.7", "1", "-0.4", "-3", "5"):
        exact = noise.delta(Decimal(epsilon))
        for accountant in ("auto", "closed_form"):
            asked.append(({"spec": spec, "epsilon": epsilon, "accountant": accountant, "digits": 20}, exact))
        band = answer("delta", spec, f"--epsilon={epsilon}", "--accountant", "fourier(mode=grid)",
                      "--digits", 3, status=None)
        check(Decimal(band["lower"]) <= exact <= Decimal(band["upper"]) and
              Decimal(band["upper"]) - Decimal(band["lower"]) <= exact / 1000,
              f"{spec} at {epsilon} by the grid: {exact} and {band['lower']}, {band['upper']}")
done = subprocess.run([str(part) for part in (program, "batch", "-", *plugin)], capture_output=True, text=True,
                      input="".join(json.dumps(request) + "\n" for request, _ in asked))
bands = [json.loads(line) for line in done.stdout.splitlines()]
check(len(bands) == len(asked) == 64, f"{len(bands)} answers: {done.stderr}")
for (request, exact), band in zip(asked, bands):
    lower, upper = Decimal(band.get("lower", "nan")), Decimal(band.get("upper", "nan"))
    check(lower.is_finite() and upper.is_finite() and lower <= exact <= upper and upper - lower <= Decimal("1e-18"),
          f"{request}: {exact} and {band}")

# ---- compositions against quadratures

noise = Noise(2, 10)
for epsilon in (0.1, 0.6, 1.5):
    for spec, exact in (
            ("cut_laplace(2, 10) * gaussian(1.5)", delta_with_gaussian(noise, 1.5, epsilon)),
            ("cut_laplace(2, 10)^2", delta_of_two(noise, epsilon))):
        band = answer("delta", spec, "--epsilon", epsilon, "--digits", 5, "--timeout", 30)
        lower, upper = float(band["lower"]), float(band["upper"])
        slack = 1e-9 * exact
        check(lower - slack <= exact <= upper + slack and upper - lower <= 1e-5 * exact,
              f"{spec} at {epsilon}: {exact} and [{lower}, {upper}]")

# ---- the lie beside bands

run = "cut_laplace(scale=20, bound=400)^100 * gaussian(20)"
some = [word for name in ("contour", "fourier", "chernoff", "square_root")
        for word in ("--accountant", name)]
shown = call(program, "compare", run, "--delta", "1e-5", "--digits", 4, *some, *plugin, status=3)
print(shown.stdout, end="")
check("square_root claims epsilon <= " in shown.stdout and "proves that it is in [" in shown.stdout,
      "the witness is shown: " + shown.stdout)
report = answer("compare", run, "--delta", "1e-5", "--digits", 4, *some, status=3)
by_name = {entry["accountant"]: entry for entry in report["accountants"]}
lie = by_name["square_root"]
check(lie["verdict"].startswith("refuted by ") and lie["claim"] == "upper" and
      float(lie["upper"]) < float(lie["refuted_by"]["lower"]), f"refuted: {lie}")
check(by_name["chernoff"]["verdict"] == "claims the upper end", f"chernoff: {by_name['chernoff']}")
check(all(by_name[name]["certified"] for name in ("contour", "fourier")), f"bands: {by_name}")
alone = answer("compare", run, "--delta", "1e-5", "--accountant", "square_root", status=3)
check([entry["accountant"] for entry in alone["accountants"]] == ["square_root", "auto"],
      f"a claim alone has a band beside it: {alone}")
honest = answer("compare", run, "--delta", "1e-5", "--accountant", "chernoff")
check("refuted_by" not in honest["accountants"][0], f"not refuted: {honest}")

# ---- auto neither listens to claims nor changes for their sake


def without_time(report):
    return {key: value for key, value in report.items() if key != "seconds"}


plain = "gaussian(sigma=2)^10 * laplace(20)"
before = json.loads(call(program, "epsilon", plain, "--delta", "1e-6", "--json").stdout)
after = answer("epsilon", plain, "--delta", "1e-6")
check(without_time(before) == without_time(after), f"auto changed: {before} {after}")
band = answer("epsilon", run, "--delta", "1e-5")
check(band["certified"] and "trusted" not in band and
      float(band["lower"]) > float(lie["upper"]), f"auto listens to a claim: {band}")
trusted = answer("epsilon", run, "--delta", "1e-5", "--trust", "chernoff")
check(trusted["certified"] and trusted["upper"] == band["upper"], f"trusted: {trusted}")
claimed = answer("epsilon", run, "--delta", "1e-5", "--trust", "chernoff", "--accountant",
                 "chernoff", status=4)
check(claimed["trusted"] == "chernoff", f"trust is shown: {claimed}")
unproven = answer("epsilon", run, "--delta", "1e-5", "--accountant", "chernoff", status=4)
check(not unproven["certified"], f"a claim is no band: {unproven}")
for words, message in ((["--trust", "square_root"], "a claim that is trusted is refuted"),
                       (["--trust", "nobody"], "is unknown"),
                       (["--trust", "contour"], "is no accountant of a plug-in")):
    done = call(program, "epsilon", run, "--delta", "1e-5", *plugin, *words, status=2)
    check(message in done.stderr, f"{words}: {done.stderr}")

# ---- refusals in one line

wrong = lambda name: ["--plugin", work / "build" / f"{name}.so"]
for words, message in (
        (wrong("another_version"), "build it again"),
        (wrong("no_plugin"), "no entry point plaudit_plugin_version"),
        (wrong("taken_name"), "the name of the accountant contour is taken"),
        (wrong("contradictory"), "impossible (plug-in): P exceeds e^L Q"),
        (wrong("not_there"), "cannot be loaded"),
        (plugin + plugin, "the name of the mechanism cut_laplace is taken")):
    done = call(program, "epsilon", plain, "--delta", "1e-6", *words, status=2)
    check(message in done.stderr and done.stderr.count("\n") == 1, f"{words}: {done.stderr}")
broken = wrong("broken_accountants")
for name, message in (("failing", "failing (plug-in): failed: no file"),
                      ("upside_down", "upside_down (plug-in): answered [5, 1], which is no band"),
                      ("no_number", "no_number (plug-in): answered [nan, 1], which is no band")):
    for command in ("epsilon", "compare"):  # no refusal, but an error that names the plug-in
        done = call(program, command, plain, "--delta", "1e-6", "--accountant", name, *broken, status=3)
        check(message in done.stderr and done.stderr.count("\n") == 1, f"{command}, {name}: {done.stderr}")
call(program, "epsilon", plain, "--delta", "1e-6", "--accountant", "declining", *broken, status=2)
check("only on Sundays" in call(program, "compare", plain, "--delta", "1e-6", "--accountant", "declining",
                                *broken, "--json").stdout, "a reason is shown")
hanging = wrong("hanging")
call(program, "epsilon", "late(0) * dead(0)", "--delta", "1e-6", *hanging)
done = call(program, "epsilon", "late(1)", "--delta", "1e-6", "--timeout", 1, *hanging, status=4)
check("time limit" in done.stderr and done.stderr.count("\n") == 1, f"a law that hangs: {done.stderr}")
done = call(program, "epsilon", "dead(1)", "--delta", "1e-6", *hanging, status=None)
check(done.returncode in (1, 3) and done.stderr.count("\n") == 1, f"a law that dies: {done.returncode} {done.stderr}")
done = call("env", "HANGING=1", program, "epsilon", plain, "--delta", "1e-6", *hanging, status=3)
check("hanging.so: loading it" in done.stderr and done.stderr.count("\n") == 1, f"an example that hangs: {done.stderr}")
loader = work / "build" / "loader"
for file, spec, printed in (("mine.so", "cut_laplace(2, 10)^10", None),
                            ("mine.so", "cut_laplace(2)", "wrong: cut_laplace: the argument bound is missing")):
    done = call(loader, work / "build" / file, spec)
    check(float(done.stdout) > 0 if printed is None else done.stdout.startswith(printed),
          f"a program with the shared library: {done.stdout}")
for spec, message in (
        ("cut_laplace(2, 10) * with_replacement(gaussian(1), 5, 100)", "one adjacency"),
        ("cut_laplace(2)", "bound is missing"),
        ("cut_laplace(-2, 10)", "scale must be a number > 0"),
        ("cut_laplace(2, 10, 11)", "bound must be at least the sensitivity"),
        ("poisson(cut_laplace(2, 10), 0.1)", "poisson: mechanism must be")):
    done = call(program, "epsilon", spec, "--delta", "1e-6", *plugin, status=2)
    check(message in done.stderr and done.stderr.count("\n") == 1, f"{spec}: {done.stderr}")
done = call(program, "epsilon", run, "--delta", "1e-6", status=2)
check("unknown mechanism" in done.stderr, "without the plug-in: " + done.stderr)

# ---- the other commands

for what, name in (("mechanisms", "cut_laplace(scale, bound, sensitivity=1)"),
                   ("accountants", "square_root")):
    check(name in call(program, "list", what, *plugin).stdout, f"list {what}")
    check(name not in call(program, "list", what).stdout, f"list {what} without the plug-in")
for command in ("epsilon", "delta", "curve", "compare", "audit", "crosscheck", "list"):
    check("--plugin" in call(program, command, "--help").stdout, f"{command} --help")
claims = work / "claims.json"
claims.write_text(json.dumps([
    {"id": "small", "spec": run, "delta": "1e-5", "epsilon": "1", "kind": "upper"},
    {"id": "large", "spec": run, "delta": "1e-5", "epsilon": "5", "kind": "upper"}]))
verdicts = [claim["verdict"] for claim in answer("audit", claims, status=3)["claims"]]
check(verdicts == ["refuted", "valid"], f"audit: {verdicts}")
done = call(program, "epsilon", run, "--delta", "1e-5", *plugin, "--certificate", work / "c.json")
check("no certificate: " in done.stderr and "cut_laplace" in done.stderr,
      "a certificate is refused with the reason: " + done.stderr)
table = call(program, "curve", run, "--epsilon", "1:2:0.5", *plugin).stdout
check(table.count("\n") >= 4, "curve: " + table)
checks = call(program, "crosscheck", "--count", 3, "--seed", 3, "--timeout", 0.2, *plugin, status=3)
check("square_root" in checks.stderr and "disjoint" in checks.stderr, "crosscheck: " + checks.stderr)

print("\n".join(failures) if failures else "all as it should be")
sys.exit(1 if failures else 0)
