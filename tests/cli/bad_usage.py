"""What is refused: exit 2 and one line that names the parameter and its domain."""
from _program import EXAMPLE, PROGRAM, expect, expect_refused, finish, run


def epsilon(words, spec, delta="1e-5"):
    expect_refused(words, "epsilon", spec, "--delta", delta)


# Mechanisms.
epsilon(["sigma", "> 0", "not 0"], "gaussian(sigma=0)")
epsilon(["sigma", "> 0", "not -1"], "gaussian(sigma=-1)")
epsilon(["sigma", "> 0", "nan"], "gaussian(sigma=nan)")
epsilon(["sigma", "not a number"], "gaussian(sigma=-nan)")
epsilon(["sensitivity", "> 0"], "gaussian(sigma=1, sensitivity=0)")
epsilon(["sensitivity must be 1"], "gaussian(noise_multiplier=1, sensitivity=2)")
epsilon(["rate", "(0, 1]", "not 0"], "poisson(gaussian(1), rate=0)")
epsilon(["rate", "(0, 1]", "not 1.5"], "poisson(gaussian(1), rate=1.5)")
epsilon(["probabilities", "exactly 1", "0.999"],
        "mixture(sigma=1, sensitivities=[0, 1], probabilities=[0.9, 0.099])")
epsilon(["unknown mechanism 'gaussain'", "gaussian"], "gaussain(sigma=1)")
epsilon(["sigma is missing", "> 0"], "gaussian()")
epsilon(["rate is missing", "(0, 1]"], "poisson(gaussian(1))")
epsilon(["no parameter 'clip'", "sigma"], "gaussian(sigma=1, clip=1)")
epsilon(["size", "from 1 to 1000"], "group(gaussian(1), size=0)")
epsilon(["mechanism must be"], "group(mixture(1, [1], [1]), size=2)")
epsilon(["1 to 10^12"], "gaussian(1)^10000000000000")
epsilon(["1 to 10^12"], "gaussian(1)^0")
epsilon(["10^12"], "(gaussian(1)^1000000)^10000000")

# Brackets and garbage, also more of it than one argument can hold.
epsilon(["spec", "')'", "character"], "gaussian(sigma=1")
epsilon(["spec", "character"], "gaussian(sigma=1))")
epsilon(["spec", "character"], "((gaussian(sigma=1))")
epsilon(["spec", "is empty"], "")
epsilon(["spec"], "\x01\x02\n\x1b[31m")
for garbage in ["(" * 1_000_000, "x" * 1_000_000, "gaussian(" * 120_000, "9" * 1_000_000,
                "\n" * 1_000_000, "gaussian(1)*" * 90_000, "\u00e9" * 500_000]:
    expect_refused("spec", "epsilon", "-", "--delta", "1e-5", stdin=garbage)
    epsilon("spec", garbage[:100_000].encode()[:100_000].decode(errors="ignore"))
expect_refused("characters", "epsilon", "gaussian(1)", "--delta", "1" * 100_000)
expect_refused("not expected", "epsilon", *["x" * 100_000] * 10, "--delta", "1e-5")

# Options.
for delta in ["1.001", "2", "-1e-5", "nan", "", "1e", "1/0", "0.5.5", "1e-999999999"]:
    epsilon(["delta", "0 <= delta <= 1"], "gaussian(1)", delta)
for value in ["nan", "inf", "x", "1/0"]:
    expect_refused(["epsilon", "real number"], "delta", "gaussian(1)", "--epsilon", value)
expect_refused("--delta", "epsilon", "gaussian(1)")
expect_refused("SPEC", "epsilon", "--delta", "1e-5")
expect_refused("command is needed")
expect_refused("nonsense", "nonsense")
expect_refused("--epsilon", "epsilon", "gaussian(1)", "--delta", "1e-5", "--epsilon", "1")
expect_refused(["--digits", "1"], "epsilon", "gaussian(1)", "--delta", "1e-5", "--digits", "0")
expect_refused("--digits", "epsilon", "gaussian(1)", "--delta", "1e-5", "--digits", "many")
expect_refused(["--direction", "remove"], "epsilon", "gaussian(1)", "--delta", "1e-5",
               "--direction", "up")
expect_refused("--timeout", "epsilon", "gaussian(1)", "--delta", "1e-5", "--timeout", "0")
expect_refused("--threads", "epsilon", "gaussian(1)", "--delta", "1e-5", "--threads", "0")
expect_refused(["accountant", "nobody", "contour"], "epsilon", "gaussian(1)", "--delta", "1e-5",
               "--accountant", "nobody")
expect_refused("closed_form", "epsilon", EXAMPLE, "--delta", "1e-5", "--accountant", "closed_form")
expect_refused("--certificate", "epsilon", "gaussian(1)", "--delta", "1e-5",
               "--certificate", "no-such-folder/f.json")
expect_refused(["mechanisms"], "list", "everything")
expect_refused(["--delta", "--epsilon"], "compare", "gaussian(1)")
expect_refused(["--delta", "--epsilon"], "compare", "gaussian(1)", "--delta", "1e-5",
               "--epsilon", "1")

# Curves.
expect_refused(["--delta", "--epsilon"], "curve", "gaussian(1)")
expect_refused("A:B:STEP", "curve", "gaussian(1)", "--epsilon", "1")
expect_refused("A:B:STEP", "curve", "gaussian(1)", "--epsilon", "1:2:3:4")
expect_refused(["STEP", "> 0"], "curve", "gaussian(1)", "--epsilon", "1:2:0")
expect_refused("A <= B", "curve", "gaussian(1)", "--epsilon", "2:1:1")
expect_refused("points", "curve", "gaussian(1)", "--epsilon", "0:1:1e-30")
expect_refused(["log", "> 0"], "curve", "gaussian(1)", "--delta", "0:0.1:5")
expect_refused("POINTS", "curve", "gaussian(1)", "--delta", "1e-9:0.1:1")
expect_refused("--csv", "curve", "gaussian(1)", "--epsilon", "0:1:1", "--csv", "/nowhere/a.csv")

# Help is not an error.
for arguments in [["--help"], ["epsilon", "--help"], ["list", "--help"]]:
    result = run(*arguments)
    expect(result.status == 0 and "Usage" in result.out and not result.err, f"{arguments}")
version = run("--version")
expect(version.status == 0 and version.out.startswith("plaudit 0."), "--version")

finish()
