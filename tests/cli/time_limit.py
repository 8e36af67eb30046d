"""--timeout is kept: a band or an honest wider one, soon after the limit."""
import resource

from _program import expect, finish, run


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


# Twice the limit and a second: each direction has it, and loops look at the clock only now and
# then. Processor time, so that a busy machine does not matter.
SPECS = [
    "poisson(gaussian(sigma=0.8), rate=0.004)^1000",
    "poisson(gaussian(sigma=0.3), rate=0.0001)^3",
    "group(poisson(gaussian(sigma=1), rate=0.01), size=50)^100",
    "poisson(gaussian(sigma=0.1), rate=1e-9)^1000000000000",
]
# Grids that would be refined for long: transforms of millions of points in balls.
GRIDS = ["laplace(scale=10)^100", "laplace(scale=10)^500"]
LIMIT = 0.5
CASES = [(spec, []) for spec in SPECS] + [(spec, ["--accountant", "fourier"]) for spec in GRIDS]
for spec, more in CASES:
    for query in (["delta", spec, "--epsilon", "1", *more],
                  ["epsilon", spec, "--delta", "1e-30", *more]):
        before = cpu_seconds()
        result = run(*query, "--digits", "300", "--timeout", str(LIMIT), "--json")
        spent = cpu_seconds() - before
        what = f"{query}: status {result.status} after {spent:.2f} s: {result.err}"
        expect(result.status in (0, 4), what)
        expect(spent < 2 * LIMIT + 1, what)
        if result.status in (0, 4):
            report = result.json()
            expect(report["lower"] != "nan" and report["upper"] != "nan", what)
            expect(report["reached"] == (result.status == 0), what)

# Mixtures of a thousand components: reading the spec, the first estimates and the instant
# accountants together take no longer than 0.3 s; the rest is room for a slower machine.
LARGE = ["group(poisson(gaussian(sigma=1), rate=0.01), size=1000)^2000",
         "group(without_replacement(gaussian(sigma=1), batch=500, population=50000, "
         "adjacency=add_remove), size=1000)^2000",
         "with_replacement(gaussian(sigma=1), batch=1000, population=100000)^1000",
         "group(with_replacement(gaussian(sigma=1), batch=1000, population=100000), size=50)^100"]
SHORT = 0.05
for spec in LARGE:
    before = cpu_seconds()
    result = run("epsilon", spec, "--delta", "1e-6", "--timeout", str(SHORT), "--json")
    spent = cpu_seconds() - before
    what = f"{spec}: status {result.status} after {spent:.2f} s: {result.err}"
    expect(result.status in (0, 4), what)
    expect(spent < SHORT + 0.45, what)

finish()
