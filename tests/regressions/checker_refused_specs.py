# plaudit_check.py read specs that plaudit refuses, as it let Python's own parser read them: a comment hid the rest,
# counts and sigma could be negative, ** was a power, a batch could exceed its population, poisson ran over a group,
# fullwidth letters and digits passed, and the version could be `true` or 1.0.
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from _certificates import changed, expect_accepted, expect_rejected, trivial  # noqa: E402
from _program import expect, finish, run  # noqa: E402

# What the program refuses, too.
REFUSED = [
    "gaussian(sigma=10) # * gaussian(sigma=0.1)",
    "gaussian(sigma=10) #\n * gaussian(sigma=0.1)",
    "gaussian(sigma=10)^-1000",
    "gaussian(sigma=10)^0",
    "gaussian(sigma=10)^1.5",
    "gaussian(sigma=10)^1e13",
    "gaussian(sigma=10)^1000000000001",
    "(gaussian(sigma=10)^1000001)^1000000",
    "gaussian(sigma=10)^9e11 * gaussian(sigma=10)^9e11",
    "gaussian(sigma=10)**2",
    "gaussian(sigma=10)^2^2",
    "gaussian(sigma=-10)",
    "gaussian(sigma=0)",
    "gaussian(sigma=10, sensitivity=-1)",
    "gaussian(sigma=10, sensitivity=0)",
    "gaussian(sigma=10, sigma=20)",
    "gaussian(10, sigma=20)",
    "gaussian(sigma=10, 2)",
    "gaussian(sigma=10, 2, 3)",
    "gaussian(sigma=1e1001)",
    "gaussian(sigma=1/0)",
    "gaussian(sigma=1//2)",
    "gaussian(sigma=1_0)",
    "gaussian(sigma=0x10)",
    "gaussian(sigma=1e)",
    "gaussian(sigma=inf)",
    "gaussian(sigma=nan)",
    "gaussian(sigma=1+1)",
    "gaussian(sigma=(10))",
    "gaussian(sigma=\uff11\uff10)",
    "gaussian(sigma=\u0661\u0660)",
    "\uff47aussian(sigma=10)",
    "g\u0430ussian(sigma=10)",
    "gaussian(sigma\u00a0=10)",
    "gaussian(sigma=10)\u2028",
    "gaussian(sigma=10);gaussian(sigma=0.1)",
    "gaussian(sigma=10) if 1 else gaussian(sigma=0.1)",
    "gaussian",
    "gaussian()",
    "gaussian(sigma=[10])",
    "gaussian(sigma=\"10\")",
    "",
    " ",
    "()",
    "nothing(sigma=10)",
    "laplace(scale=-1)",
    "laplace(scale=0)",
    "mixture(sigma=1, sensitivities=[0], probabilities=[1])",
    "mixture(sigma=1, sensitivities=[], probabilities=[])",
    "mixture(sigma=1, sensitivities=[0, 1], probabilities=[0.5, 0.4])",
    "mixture(sigma=1, sensitivities=[0, 1], probabilities=[1.5, -0.5])",
    "mixture(sigma=1, sensitivities=[0, -1], probabilities=[0.5, 0.5])",
    "mixture(sigma=1, sensitivities=[0, 1], probabilities=[1])",
    "poisson(gaussian(sigma=10), rate=0)",
    "poisson(gaussian(sigma=10), rate=1.01)",
    "poisson(gaussian(sigma=10)^2, rate=0.1)",
    "poisson(group(gaussian(sigma=10), size=2), rate=0.1)",
    "poisson(group(poisson(gaussian(sigma=10), rate=0.5), size=2), rate=0.1)",
    "poisson(randomized_response(epsilon=1), rate=0.1)",
    "poisson(pair(poisson, sigma=1, rate=0.1), rate=0.1)",
    "poisson(without_replacement(gaussian(sigma=2), batch=5, population=40, adjacency=add_remove), rate=0.1)",
    "without_replacement(gaussian(sigma=2), batch=41, population=40, adjacency=add_remove)",
    "without_replacement(gaussian(sigma=2), batch=5.5, population=40, adjacency=add_remove)",
    "without_replacement(gaussian(sigma=2), batch=5, population=40)",
    "without_replacement(gaussian(sigma=2), batch=5, population=40, adjacency=both)",
    "without_replacement(gaussian(sigma=2), batch=40, population=41, adjacency=replace)^2 * gaussian(sigma=-1)",
    "without_replacement(laplace(scale=2), batch=5, population=40, adjacency=add_remove)",
    "without_replacement(poisson(gaussian(sigma=2), rate=0.5), batch=5, population=40, adjacency=add_remove)",
    "with_replacement(gaussian(sigma=2), batch=1000001, population=1)",
    "with_replacement(poisson(gaussian(sigma=2), rate=0.5), batch=5, population=40)",
    "group(gaussian(sigma=2), size=0)",
    "group(gaussian(sigma=2), size=1001)",
    "group(laplace(scale=2), size=2)",
    "group(mixture(sigma=1, sensitivities=[0, 1], probabilities=[0.5, 0.5]), size=2)",
    "group(group(gaussian(sigma=2), size=2), size=2)",
    "group(group(with_replacement(gaussian(sigma=2), batch=5, population=40), size=2), size=2)",
    "group(without_replacement(gaussian(sigma=2), batch=39, population=40, adjacency=replace), size=2)",
    "group(with_replacement(gaussian(sigma=2), batch=5, population=4), size=5)",
    "pair(poisson, sigma=1, rate=0.1, batch=5)",
    "pair(poisson, sigma=1)",
    "pair(with_replacement, sigma=1, rate=0.1)",
    "pair(with_replacement, sigma=1, batch=1001, population=5000)",
    "discrete_laplace(scale=1, sensitivity=1.5)",
    "discrete_laplace(scale=1, sensitivity=100001)",
    "discrete_gaussian(sigma=100001)",
    "discrete_gaussian(sigma=1, variance=1)",
    "discrete_gaussian(sigma=1, sensitivity=1000000001)",
    "randomized_response(epsilon=0)",
    "randomized_response(probability=0.5)",
    "randomized_response(probability=1)",
    "randomized_response(epsilon=1, probability=0.75)",
    "pure(epsilon=0)",
    "approximate(epsilon=-1, delta=0.1)",
    "approximate(epsilon=1, delta=1)",
    "approximate(epsilon=1, delta=-0.1)",
    "pld(file=missing)",
    "(" * 101 + "gaussian(sigma=1)" + ")" * 101,
    "without_replacement(gaussian(sigma=2), batch=5, population=40, adjacency=replace) * "
    "poisson(gaussian(sigma=2), rate=0.5)",
    "group(poisson(gaussian(sigma=2), rate=0.5), size=4) * poisson(gaussian(sigma=2), rate=0.5)",
    "pair(without_replacement, sigma=2, rate=0.5) * poisson(gaussian(sigma=2), rate=0.5)",
]

# What the program reads but prints otherwise: a certificate shows what was proven, in the one form.
NOT_CANONICAL = [
    "gaussian(10)",
    "gaussian(sigma=10.0)",
    "gaussian(sigma=1e1)",
    "gaussian(sigma=+10)",
    "gaussian(sigma=20/2)",
    "gaussian(noise_multiplier=10)",
    "gaussian(sigma=10, sensitivity=1)",
    "gaussian(sigma=10)^1",
    "gaussian(sigma=10)^2.0",
    "gaussian(sigma=10)^ 2",
    " gaussian(sigma=10)",
    "gaussian(sigma=10)\r",
    "gaussian(sigma=10)*gaussian(sigma=5)",
    "gaussian(sigma=10) * gaussian(sigma=10)",
    "(gaussian(sigma=10))^2",
    "gaussian(sensitivity=2, sigma=10)",
    "poisson(gaussian(sigma=10), sample_rate=0.5)",
    "poisson(mechanism=gaussian(sigma=10), rate=0.5)",
    "mixture(sigma=1, sensitivities=[1, 0], probabilities=[0.5, 0.5])",
    "mixture(sigma=1, sensitivities=[0, 1, 1], probabilities=[0.5, 0.25, 0.25])",
    "mixture(sigma=1, sensitivities=[0, 1, 2], probabilities=[0.5, 0.5, 0])",
    "pair(poisson, sigma=1, batch=1, population=10)",
]

ADD_REMOVE = {"adjacency": "add_remove"}


def rejected_either_way(spec):
    """Whatever adjacency the file states."""
    expect_rejected(repr(spec), trivial(spec), processes=False)
    expect_rejected(repr(spec), trivial(spec, **ADD_REMOVE), processes=False)


# What people type and plaudit reads; a certificate has the canonical form alone.
TYPED = ["gaussian(sigma=10)**2", "gaussian(sigma=1_0)", "gaussian(sigma=1+1)", "gaussian(sigma=(10))"]
for spec in REFUSED:
    rejected_either_way(spec)
    if spec in TYPED:
        continue
    answer = run("delta", spec, "--epsilon", "1", "--digits", "1", "--timeout", "1")
    expect(answer.status == 2, f"plaudit itself reads {spec!r}: {answer.out}")
for spec in NOT_CANONICAL:
    rejected_either_way(spec)
    answer = run("delta", spec, "--epsilon", "1", "--digits", "1", "--timeout", "1", "--json")
    expect(answer.status in (0, 4), f"plaudit refuses {spec!r}: {answer.err}")
    if answer.status in (0, 4):
        canonical = answer.json()["spec"]
        changes = ADD_REMOVE if any(word in canonical for word in ("poisson", "mixture")) else {}
        expect(canonical != spec, f"{spec!r} is canonical")
        expect_accepted(canonical, trivial(canonical, **changes))

good = trivial("gaussian(sigma=10)^2")
expect_accepted("the plain one", good)
for version in (True, 1, 2, 4, "3", [3], {}):
    expect_rejected(f"the version {version!r}", changed(good, "plaudit_certificate", version), ["plaudit_certificate"])
expect_rejected("the version 3.0", '{"plaudit_certificate": 3.0' + __import__("json").dumps(good)[len('{"plaudit_certificate": 3'):])
expect_rejected("the version 3e0", '{"plaudit_certificate": 3e0' + __import__("json").dumps(good)[len('{"plaudit_certificate": 3'):])
finish()
