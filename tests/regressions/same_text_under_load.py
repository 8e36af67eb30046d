"""What was printed depended on how busy the machine was: the direction that does not decide had a share
of the clock, and methods planned by the seconds left or by measured costs."""
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from _program import expect, finish, run  # noqa: E402

QUERIES = [
    ("epsilon", "poisson(gaussian(sigma=0.8), rate=0.004)^1000", "--delta", "1e-7"),
    ("delta", "poisson(gaussian(sigma=2), rate=0.01)^50", "--epsilon", "0.1"),
    ("epsilon", "poisson(laplace(1), rate=0.1)^20", "--delta", "1e-5", "--digits", "4"),
    ("epsilon", "mixture(sigma=2, sensitivities=[1, 2], probabilities=[2/3, 1/3])^30", "--delta", "1e-6"),
    ("epsilon", "poisson(discrete_gaussian(sigma=3), rate=0.05)^40", "--delta", "1e-6", "--digits", "4"),
    ("epsilon", "without_replacement(gaussian(sigma=2), batch=20, population=200, adjacency=replace)^10",
     "--delta", "1e-6", "--digits", "4"),
    ("delta", "poisson(gaussian(sigma=1), rate=0.1)^5", "--epsilon", "1", "--accountant", "fourier", "--digits", "6"),
    ("epsilon", "poisson(gaussian(sigma=1), rate=0.1)^5", "--delta", "1e-5", "--accountant", "prv", "--digits", "6"),
]


def answers():
    texts = []
    for query in QUERIES:
        report = run(*query, "--explain", "--json").json()
        report.pop("seconds", None)
        texts.append(report)
    return texts


idle = answers()
spinning = [subprocess.Popen([sys.executable, "-c", "while True: pass"])
            for _ in range(2 * (os.cpu_count() or 1))]
try:
    loaded = answers()
finally:
    for each in spinning:
        each.kill()
        each.wait()
for query, one, other in zip(QUERIES, idle, loaded):
    expect(one == other, f"{query}:\n{one}\n{other}")
    expect("time limit" not in str(one), f"{query}: {one}")

finish()
