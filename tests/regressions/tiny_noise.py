"""A thousand Poisson samples with next to no noise were an internal error (exit 1), a Gaussian with
sigma 12e1000 printed a true band from 0 without a word on why it was no narrower."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from _program import exact, expect, finish, run  # noqa: E402

for sigma, all_steps in (("0.001", ("", "^3", "^1000")), ("1e-4", ("^1000",)), ("1e-20", ("", "^3", "^1000"))):
    for query in (["delta", "--epsilon", "1"], ["epsilon", "--delta", "1e-5"], ["delta", "--epsilon", "1e6"]):
        for steps in all_steps:
            spec = f"poisson(gaussian(sigma={sigma}), rate=0.2){steps}"
            result = run(query[0], spec, *query[1:], "--timeout", "0.5", "--json")
            what = f"{query} {spec}: {result.status} {result.out} {result.err}"
            expect(result.status in (0, 4), what)
            report = result.json()
            # the sample is empty with probability 0.8 a step: delta(1) >= 1 - (0.8 + tiny)^n
            if query == ["delta", "--epsilon", "1"]:
                expect(exact(report["upper"]) >= 1 - exact("0.8000001") ** {"": 1, "^3": 3, "^1000": 1000}[steps], what)

result = run("delta", "gaussian(12e1000)", "--epsilon", "1", "--json")
report = result.json()
if result.status == 4:
    expect(report["remark"] != "", result.out)
else:
    expect(result.status == 0 and report["lower"] != "0", result.out)

finish()
