"""--timeout is kept: a band or an honest wider one, soon after the limit."""
from _program import expect, finish, run

# Twice the limit and two seconds: each direction has it, and loops look at the clock only now and then.
SPECS = [
    "poisson(gaussian(sigma=0.8), rate=0.004)^1000",
    "poisson(gaussian(sigma=0.3), rate=0.0001)^3",
    "group(poisson(gaussian(sigma=1), rate=0.01), size=50)^100",
    "poisson(gaussian(sigma=0.1), rate=1e-9)^1000000000000",
]
LIMIT = 0.5
for spec in SPECS:
    for query in (["delta", spec, "--epsilon", "1"], ["epsilon", spec, "--delta", "1e-30"]):
        result = run(*query, "--digits", "300", "--timeout", str(LIMIT), "--json")
        what = f"{query}: status {result.status} after {result.seconds:.2f} s: {result.err}"
        expect(result.status in (0, 4), what)
        expect(result.seconds < 2 * LIMIT + 2, what)
        if result.status in (0, 4):
            report = result.json()
            expect(report["lower"] != "nan" and report["upper"] != "nan", what)
            expect(report["reached"] == (result.status == 0), what)

finish()
