#!/usr/bin/env python3
"""What other libraries say of mechanisms that practice runs, beside the certified bands; writes a Markdown page.

usage: practice_peers.py PLAUDIT --out FILE --python PYTHON [--opake PYTHON] [--samples N]

PLAUDIT is the program; PYTHON an interpreter with jax-privacy, dp-accounting and opendp as PyPI has them, --opake one with opake
(its 0.16.1 cannot be imported by Python 3.11.7 and 3.12.1). Each
row is one call in a process of its own; seconds are of the processor, imports left out. A Monte Carlo estimate is no
bound: the page states its standard error, or the confidence of the library's own bound.
"""
import argparse
import json
import math
import subprocess
import sys
import time

BANDED = [1.0, 0.5, 0.375, 0.3125]
SIGMA, STEPS, RATE = 2.0, 1000, 0.1

# Each returns {"value": ..., "means": "..."}; run by the interpreter that has the libraries.
CALLS = {
    "jax_bandmf_pld": """
import math, dp_accounting
from jax_privacy.experimental import accounting
from dp_accounting.pld import PLDAccountant
norm = math.sqrt(sum(c * c for c in {banded}))
event = accounting.amplified_bandmf_event({sigma} / norm, {steps}, num_bands={bands}, sampling_prob={rate})
start()
accountant = PLDAccountant(value_discretization_interval=1e-4)
accountant.compose(event)
answer(accountant.get_epsilon({delta}), "upper end, in doubles")
""",
    "jax_bandmf_rdp": """
import math, dp_accounting
from jax_privacy.experimental import accounting
from dp_accounting.rdp import RdpAccountant
norm = math.sqrt(sum(c * c for c in {banded}))
event = accounting.amplified_bandmf_event({sigma} / norm, {steps}, num_bands={bands}, sampling_prob={rate})
start()
accountant = RdpAccountant()
accountant.compose(event)
answer(accountant.get_epsilon({delta}), "upper end, in doubles")
""",
    "jax_monte_carlo": """
import numpy as np
from jax_privacy import batch_selection
from jax_privacy.experimental.monte_carlo import sample_generation, delta_calculation
strategy = {strategy}
start()
losses, _ = sample_generation.get_privacy_loss_sample(strategy, {sigma}, np.array({banded}), seed=1, positive_sample={positive}, num_samples={samples})
gains = -np.expm1(np.minimum({epsilon} - losses, 0))
answer(float(np.mean(gains)), "estimate, standard error %.2g" % (np.std(gains) / len(gains) ** .5))
""",
    "opake_bins": """
import numpy as np
import opake.api.accounting.core.opake_accounting as dp
c, n, b = {banded}, {steps}, {period}
rows = np.zeros((b, n))
for j in range(n):
    for d, x in enumerate(c):
        if j + d < n:
            rows[j % b, j + d] += x
gram = (rows @ rows.T).flatten().tolist()
start()
pld = dp.bnb_mc_pld(gram, b, {sigma}, dp.DiscretizationConfig())
answer(pld.delta_at({epsilon}), "upper end with confidence 1 - 1e-6, by Monte Carlo")
""",
    "opake_separated": """
import opake.api.accounting.core.opake_accounting as dp
start()
pld = dp.bandmf_b_min_sep_warm_mc_pld({banded}, {steps}, {rate}, {sigma}, dp.DiscretizationConfig())
answer(pld.delta_at({epsilon}), "upper end with confidence 1 - 1e-6, by Monte Carlo")
""",
    "rdp_select": """
import dp_accounting
from dp_accounting.rdp import RdpAccountant
start()
accountant = RdpAccountant()
accountant.compose(dp_accounting.dp_event.RepeatAndSelectDpEvent(dp_accounting.GaussianDpEvent({sigma}), {mean}, {shape}))
answer(accountant.get_epsilon({delta}), "upper end, in doubles")
""",
    "joint_pld": """
import dp_accounting
from dp_accounting.pld import PLDAccountant
one = dp_accounting.ComposedDpEvent([dp_accounting.GaussianDpEvent({sigma}), dp_accounting.LaplaceDpEvent({scale})])
start()
accountant = PLDAccountant()
accountant.compose(dp_accounting.PoissonSampledDpEvent({rate}, one), 1)
answer(accountant.get_delta({epsilon}), "upper end, in doubles")
""",
    "opendp_filter": """
import opendp.prelude as dp
dp.enable_features("contrib")
start()
space = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.l2_distance(T=float)
step = dp.m.make_gaussian(*space, scale={sigma})
odometer = dp.c.make_fully_adaptive_composition(*space, dp.zero_concentrated_divergence())
filtered = dp.c.make_privacy_filter(odometer, d_in=1.0, d_out={rho})
queryable = filtered([1.0])
admitted = 0
try:
    while admitted < 100000:
        queryable(step)
        admitted += 1
except Exception:
    pass
answer(admitted, "steps admitted")
""",
}
FRAME = """
import json, sys, time
begun = None
def start():
    global begun
    begun = time.process_time()
def answer(value, means):
    print("ANSWER" + json.dumps(dict(value=value, means=means, seconds=time.process_time() - begun)))
"""


def peer(python, name, **settings):
    """The answer of a library, or why there is none."""
    code = FRAME + CALLS[name].format(**settings)
    try:
        run = subprocess.run([python, "-c", code], capture_output=True, text=True, timeout=600, check=False)
    except subprocess.TimeoutExpired:
        return {"value": None, "means": "not within 600 s", "seconds": None}
    for line in run.stdout.splitlines():
        if line.startswith("ANSWER"):
            return json.loads(line[6:])
    lines = run.stderr.strip().splitlines() or ["no answer"]
    return {"value": None, "means": lines[-1][:160].replace("|", "/"), "seconds": None}


def ours(program, *arguments):
    """The band of the program, of the mechanism."""
    begun = time.perf_counter()
    run = subprocess.run([program, *arguments, "--json"], capture_output=True, text=True, timeout=600, check=False)
    seconds = time.perf_counter() - begun
    if run.returncode not in (0, 2):
        return {"value": None, "means": run.stderr.strip().splitlines()[-1][:160], "seconds": seconds}
    answer = json.loads(run.stdout)
    answer = answer["answers"][0] if "answers" in answer else answer
    lower, upper = answer["lower"], answer["upper"]
    attack = answer.get("lower_end", {})
    if attack.get("attained") not in (None, "yes"):
        lower = attack.get("mechanism_lower", attack.get("lower", 0))
    return {"value": f"[{float(lower):.6g}, {float(upper):.6g}]", "means": "certified, both ends of the mechanism", "seconds": seconds}


def shown(row):
    value = row["value"]
    text = "none" if value is None else value if isinstance(value, str) else f"{value:.6g}"
    seconds = "" if row["seconds"] is None else f"{row['seconds']:.3g}"
    return f"{text} | {row['means']} | {seconds}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--out", required=True)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--opake")
    parser.add_argument("--samples", type=int, default=100_000)
    options = parser.parse_args()
    python, program = options.python, options.program
    opake = options.opake or python
    lines = ["# Mechanisms of practice, beside other libraries", "",
             "Made by bench/practice_peers.py: one run, every call in a process of its own. Seconds are of the processor (of the clock",
             "for plaudit, start included). What is estimated from samples is no bound at a delta below their resolution.", ""]

    def table(title, rows):
        lines.extend([f"## {title}", "", "| | | what it is | s |", "|---|---|---|---|"])
        for name, row in rows:
            lines.append(f"| {name} | {shown(row)} |")
            print(title, name, shown(row), flush=True)
        lines.append("")

    text = str(BANDED)
    for delta in ("1e-5", "1e-10"):
        settings = dict(banded=BANDED, sigma=SIGMA, steps=STEPS, rate=RATE, bands=len(BANDED), delta=delta)
        table(f"BandMF, coefficients {text}, sigma = {SIGMA}, {STEPS} steps, rate {RATE}: epsilon at delta = {delta}", [
            ("plaudit `bandmf`", ours(program, "epsilon", f"bandmf({text}, sigma={SIGMA}, steps={STEPS}, rate={RATE})", "--delta", delta)),
            ("jax-privacy, PLD", peer(python, "jax_bandmf_pld", **settings)),
            ("jax-privacy, RDP", peer(python, "jax_bandmf_rdp", **settings))])
    for steps, period, sigma, epsilons in ((20, 2, 5.0, (0.5, 2.0, 4.0)), (40, 8, 2.0, (0.5, 2.0, 4.0))):
        spec = f"random_participation([1, 0.5], sigma={sigma}, steps={steps}, bins={period})"
        for epsilon in epsilons:
            settings = dict(banded=[1.0, 0.5], sigma=sigma, steps=steps, period=period, epsilon=epsilon, samples=options.samples,
                            positive=True, strategy=f"batch_selection.BallsInBinsSampling({steps}, {period})")
            table(f"Balls in bins, coefficients [1, 0.5], sigma = {sigma}, {steps} steps, {period} bins: delta at epsilon = {epsilon}, remove", [
                ("plaudit", ours(program, "delta", spec, "--epsilon", str(epsilon), "--direction", "remove")),
                ("jax-privacy, samples", peer(python, "jax_monte_carlo", **settings)),
                ("opake", peer(opake, "opake_bins", **settings))])
    for steps, period, rate, sigma in ((20, 2, 0.2, 4.0), (40, 4, 0.1, 2.0)):
        spec = f"random_participation([1, 0.5], sigma={sigma}, steps={steps}, separation={period}, rate={rate}, start=stationary)"
        banded = [1.0, 0.5] + [0.0] * (period - 2)
        for epsilon in (0.5, 2.0):
            settings = dict(banded=banded, sigma=sigma, steps=steps, rate=rate, epsilon=epsilon, samples=options.samples, positive=True,
                            strategy=f"batch_selection.BMinSepSampling({rate}, {steps}, {period})")
            table(f"Separated draws (b = {period}, warm start), coefficients [1, 0.5], sigma = {sigma}, {steps} steps, rate {rate}: "
                  f"delta at epsilon = {epsilon}, remove", [
                      ("plaudit", ours(program, "delta", spec, "--epsilon", str(epsilon), "--direction", "remove")),
                      ("jax-privacy, samples", peer(python, "jax_monte_carlo", **settings)),
                      ("opake", peer(opake, "opake_separated", **settings))])
    for name, repeats, shape in (("Poisson, mean 10", "poisson, mean=10", math.inf), ("geometric, mean 10", "geometric, gamma=0.1", 1)):
        settings = dict(sigma=5.0, mean=10, shape=f"float({str(shape)!r})", delta="1e-6")
        table(f"Best of K runs of gaussian(5), K {name}: epsilon at delta = 1e-6", [
            ("plaudit `select`", ours(program, "epsilon", f"select(gaussian(5), repeats={repeats})", "--delta", "1e-6")),
            ("dp_accounting, RDP", peer(python, "rdp_select", **settings))])
    settings = dict(sigma=1.25, scale=1 / 0.6, rate=0.1, epsilon=0.2)
    table("A Gaussian (sigma 1.25) and Laplace noise (scale 5/3) on one Poisson sample at rate 0.1: delta at epsilon = 0.2", [
        ("plaudit `poisson(joint(...))`", ours(program, "delta", "poisson(joint(gaussian(1.25), laplace(5/3)), rate=0.1)", "--epsilon", "0.2")),
        ("dp_accounting, PLD", peer(python, "joint_pld", **settings))])
    table("A filter: steps of gaussian(20) that a budget of rho = 0.5 (mu = 1) admits", [
        ("mu^2 budget: 400 steps, exactly (`pl.Ledger(kind=\"gdp\")`)", {"value": "400", "means": "steps admitted, proven", "seconds": None}),
        ("opendp, zCDP filter", peer(python, "opendp_filter", sigma=20.0, rho=0.5))])
    with open(options.out, "w", encoding="utf-8") as page:
        page.write("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
