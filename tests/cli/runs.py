"""What was run, in the words of others: shorthand, files, standard input, and the quoted line."""
import json
import os
import re
import tempfile

from _program import EXAMPLE, expect, expect_refused, finish, run

HERE = os.path.dirname(os.path.abspath(__file__))
SAMPLES = os.path.join(HERE, "..", "verification", "claims", "samples")


def spec_of(*arguments, **more):
    result = run("epsilon", *arguments, "--delta", "1e-5", "--digits", "6", "--json", **more)
    expect(result.status == 0, result.err)
    return result.json()["spec"]


# Shorthand, printed as what it stands for.
expect(spec_of("dpsgd(noise_multiplier=1.1, batch=250, population=60000, epochs=60)")
       == "poisson(gaussian(sigma=1.1), rate=1/240)^14400", "dpsgd")
expect_refused("dpsgd: takes noise_multiplier with either", "epsilon", "dpsgd(1)", "--delta", "0.1")
expect("dpsgd(" in run("list", "mechanisms").out, "list mechanisms")

# Files and standard input: a spec, or what other libraries write.
dpsgd = "poisson(gaussian(sigma=1.1), rate=0.004266666666666667)^14063"
for name in ("dpsgd.json", "dpsgd.tuple.json"):
    path = os.path.join(SAMPLES, name)
    expect(spec_of("@" + path) == dpsgd, name)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    expect(spec_of("-", stdin=text) == dpsgd, "- " + name)
    expect(spec_of("-", stdin="\ufeff" + text) == dpsgd, "a byte order mark")
state = "@" + os.path.join(SAMPLES, "opacus_state.json")
for command in (["delta", state, "--epsilon", "1"], ["curve", state, "--epsilon", "0:1:1"],
                ["compare", state, "--epsilon", "1", "--accountant", "contour"]):
    result = run(*command)
    expect(result.status == 0 and result.err == "", f"{command}: {result.err}")
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "run.txt")
    with open(path, "w", encoding="ascii") as file:
        file.write("gaussian(2)^(2*3)\n")
    expect(spec_of("@" + path) == "gaussian(sigma=2)^6", "a spec in a file")
    expect_refused("must name a readable file", "epsilon", "@" + folder, "--delta", "1e-5")
expect_refused("must name a readable file", "epsilon", "@/nowhere/x", "--delta", "1e-5")
expect_refused("not JSON", "epsilon", "-", "--delta", "1e-5", stdin='{"a": ')
expect_refused("RepeatAndSelectDpEvent", "epsilon",
               "@" + os.path.join(SAMPLES, "repeat.json"), "--delta", "1e-5")

# A run that is only bounded: said, in JSON too, and no lower end is quoted.
event = json.dumps({"type": "PoissonSampledDpEvent", "sampling_probability": 0.5,
                    "event": {"type": "ExponentialMechanismDpEvent", "epsilon": 1}})
result = run("epsilon", "-", "--delta", "0.1", stdin=event)
expect("bounded by pure(epsilon=1)" in result.err, result.err)
expect(re.match(r"epsilon <= [\d.]+ at delta = 0.1, certified\n", result.out), result.out)
expect("only upper ends hold" in result.out, result.out)
report = run("epsilon", "-", "--delta", "0.1", "--json", stdin=event).json()
expect("bounded by" in report["bound"], str(report))


# The first line can be quoted.
def quoted(*arguments):
    return run(*arguments).out.splitlines()[0]


for line, *arguments in (
        ("epsilon <= 2.0859 at delta = 1e-7, certified", "epsilon", EXAMPLE, "--delta", "1e-7"),
        ("epsilon <= [\\d.]+ at delta = 1e-7, certified, direction add", "epsilon", EXAMPLE,
         "--delta", "1e-7", "--direction", "add"),
        ("epsilon = 0.5 at delta = 0, certified", "epsilon", "pure(0.5)", "--delta", "0"),
        ("epsilon = inf at delta = 0, certified", "epsilon", "gaussian(1)", "--delta", "0"),
        ("epsilon <= [\\d.]{1,7} at delta = 1e-5, certified", "epsilon", "zcdp(rho=0.02)",
         "--delta", "1e-5"),  # an upper end is all there is
        ("delta <= 0.12694 at epsilon = 1, certified", "delta", "gaussian(1)", "--epsilon", "1")):
    found = quoted(*arguments)
    expect(re.fullmatch(line, found), f"{found!r} is not {line!r}")
wide = quoted("epsilon", EXAMPLE, "--delta", "1e-7", "--accountant", "moments")
expect(re.fullmatch(r"[\d.]+ <= epsilon <= [\d.]+ at delta = 1e-7, certified"
                    r"|epsilon <= [\d.]+ at delta = 1e-7, certified", wide), wide)
estimate = quoted("epsilon", EXAMPLE, "--delta", "1e-7", "--accountant", "saddle_point_clt")
expect(estimate.endswith("NOT certified"), estimate)
pair = quoted("epsilon", "pair(without_replacement, sigma=2, batch=10, population=100)",
              "--delta", "1e-5")
expect(pair.endswith("certified, no privacy guarantee"), pair)

# Progress says what is left.
slow = run("curve", "poisson(laplace(1), 0.01)^1000 * poisson(gaussian(0.7), 0.01)^100",
           "--delta", "1e-12:1e-2:400", "--timeout", "8")
lines = [line for line in slow.err.splitlines() if " of 400 points" in line]
expect(slow.status == 0 or lines, f"{slow.seconds} s without a word: {slow.err}")
for line in lines:
    expect(re.fullmatch(r"plaudit: \d+ of 400 points(, about \d+ (s|min|h) left)?", line), line)

finish()
