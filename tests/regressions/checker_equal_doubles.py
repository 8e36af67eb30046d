# A false certificate was accepted by plaudit_check.py: factors were told apart by a text that printed numbers as doubles,
# so that two factors with equal doubles (1e399 and 1e400 both print as inf) merged and the parameters of the last one won.
# The certificate of gaussian(sigma=10)^2, epsilon(1e-5) in [0.496975, 0.496976], passed for a composition whose
# epsilon(1e-5) is 4.4025.
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from _certificates import certificate, changed, expect_accepted, expect_rejected  # noqa: E402
from _program import expect, finish  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))
from plaudit_certificates.specs import specs  # noqa: E402

SPEC = "gaussian(sigma=1e400, sensitivity=1e400) * gaussian(sigma=1e400, sensitivity=1e399)"

laws = [(law.mu, count) for law, count in specs.Composition(SPEC, {}).run("remove").factors]
expect([(str(mu), count) for mu, count in laws] == [("1/2", 1), ("1/200", 1)], f"the factors of {SPEC}: {laws}")

honest = certificate("epsilon", "gaussian(sigma=10)^2", "1e-5", "13")
expect_accepted("the honest one", honest)
forged = changed(honest, "spec", SPEC)
expect_rejected("another spec", forged)
for statement in forged["statements"]:
    if "factors" in statement["choices"]:
        statement["choices"]["factors"] *= 2
expect_rejected("another spec, an entry per factor", forged)

# The same class: other parameters that doubles do not tell apart.
for other in ("gaussian(sigma=10.00000000000000000001)^2", "gaussian(sigma=10, sensitivity=0.99999999999999999999)^2",
              "gaussian(sigma=10) * gaussian(sigma=9.99999999999999999999)"):
    factors = specs.Composition(other, {}).run("remove").factors
    expect([law.mu for law, _ in factors] != [specs.Fraction(1, 200)], f"{other} was rounded")
    expect(len(factors) == (2 if "*" in other else 1), f"{other} was merged")

true = certificate("epsilon", SPEC, "1e-5", "6")
expect(4.4024 < float(true["lower"]) <= float(true["upper"]) < 4.4026, f"the truth: {true['lower']}, {true['upper']}")
expect_accepted("the truth", true)
finish()
