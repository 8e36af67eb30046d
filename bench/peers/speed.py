#!/usr/bin/env python3
"""`prv` and `fourier` beside the packages prv-accountant and dp-accounting: processor times of one epsilon.

usage: speed.py PLAUDIT PYTHON [--repeat N] [--timeout SECONDS] [--only PARTS]

PLAUDIT is the plaudit program, PYTHON an interpreter that has prv-accountant 0.2.0 and dp-accounting 0.6.0
of PyPI. Asked is epsilon at delta = 1e-6:

- `prv` for a band at most 0.02 wide, prv_accountant with eps_error 0.01 and delta_error 1e-9, both in the
  remove direction, the one that the package computes;
- `fourier` for a band at most 1e-3 wide, dp_accounting with a mesh of 1e-4, both in both directions, as the
  package's PLDAccountant does; the package has an upper number only, and its excess is that over ours;
- the two estimates at the saddle point, in the remove direction, in at most 10 ms.

Every run is a process of its own with one thread; the least of N processor times counts. A package's
seconds are those of construction and query without imports, ours those of the process less those of
`plaudit --version`. Printed is a Markdown table, with the certified epsilon of `contour`. Ends with status 1
where ours was wider than asked, slower than the package, or not around the certified epsilon. --only: prv,
fourier, estimates, commas between.
"""
import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile

CONFIGURATIONS = [("0.8", "0.004", 1000), ("0.65", "0.01", 2000), ("1", "0.01", 10**4), ("1.5", "0.01", 10**4),
                  ("0.5", "0.01", 10**5), ("4", "0.00033", 10**4), ("1", "0.01", 10**6), ("10", "0.1", 10**7),
                  ("1", "0.001", 10**6)]
DELTA = "1e-6"
WIDTHS = {"prv": 0.02, "fourier": 1e-3}
SECONDS_OF_ESTIMATE = 0.01
MEMORY = 8 << 30  # of each process: prv_accountant asks for more where steps are many
PACKAGES = {
    "prv": """
from prv_accountant import PRVAccountant, PoissonSubsampledGaussianMechanism
def answer(sigma, rate, steps, delta):
    law = PoissonSubsampledGaussianMechanism(noise_multiplier=sigma, sampling_probability=rate)
    peer = PRVAccountant(law, eps_error=0.01, delta_error=delta / 1000, max_self_compositions=steps)
    lower, _, upper = peer.compute_epsilon(delta, [steps])
    return [float(lower), float(upper)]
""",
    "fourier": """
from dp_accounting import dp_event
from dp_accounting.pld import PLDAccountant
def answer(sigma, rate, steps, delta):
    peer = PLDAccountant(value_discretization_interval=1e-4)
    peer.compose(dp_event.PoissonSampledDpEvent(rate, dp_event.GaussianDpEvent(sigma)), steps)
    return [0.0, float(peer.get_epsilon(delta))]
"""}
PACKAGE_RUN = """
import json, sys, time, warnings
warnings.simplefilter("ignore")
start = time.process_time()
band = answer(float(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]))
print(json.dumps({"band": band, "seconds": time.process_time() - start}))
"""


def processor_seconds(command, timeout):
    """Of a process of its own and one thread, with its output; None where it took longer."""
    one = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        process = subprocess.Popen(["timeout", str(timeout), *command], stdout=out, stderr=err,
                                   env={**os.environ, **one},
                                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)))
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        return process.returncode, out.read(), err.read(), used.ru_utime + used.ru_stime


def package(arguments, part, sigma, rate, steps):
    """Its band and its seconds, or why there are none."""
    best = None
    for _ in range(arguments.repeat):
        code = PACKAGES[part] + PACKAGE_RUN
        status, out, err, _ = processor_seconds(
            [arguments.python, "-c", code, sigma, rate, str(steps), DELTA], arguments.timeout)
        if status == 124:
            return {"error": f"more than {arguments.timeout:g} s"}
        if status != 0:
            return {"error": (err.strip().splitlines() or [f"status {status}"])[-1].partition(":")[0].rpartition(".")[2]}
        run = json.loads(out.splitlines()[-1])
        best = run if best is None or run["seconds"] < best["seconds"] else best
    return best


def start_up(arguments):
    return min(processor_seconds([arguments.plaudit, "--version"], 60)[3] for _ in range(20))


def ours(arguments, accountant, both, sigma, rate, steps):
    spec = f"poisson(gaussian(sigma={sigma}), rate={rate})^{steps}"
    command = [arguments.plaudit, "epsilon", spec, "--delta", DELTA, "--accountant", accountant, "--threads",
               "1", "--json", "--timeout", str(arguments.timeout), *([] if both else ["--direction", "remove"])]
    best = None
    for _ in range(arguments.repeat):
        status, out, err, seconds = processor_seconds(command, 2 * arguments.timeout)
        if not out:
            sys.exit(f"{' '.join(command)}: status {status}, {err}")
        if best is None or seconds < best["seconds"]:
            best = {**json.loads(out), "seconds": seconds}
    best["band"] = [float(best["lower"]), float(best["upper"])]
    best["seconds"] -= arguments.start
    return best


def compared(arguments, part, setting, truth):
    """The cells of the table, and whether ours was narrow enough, true and no slower."""
    mine = ours(arguments, part, part == "fourier", *setting)
    low, high = mine["band"]
    other = package(arguments, part, *setting)
    good = high - low <= WIDTHS[part] and low <= truth[1] and truth[0] <= high
    cells = [f"{high - low:.2g}", f"{mine['seconds']:.3f}"]
    if "error" in other:
        return [*cells, other["error"], "", ""], good
    width = other["band"][1] - (other["band"][0] if part == "prv" else truth[0])
    misses = other["band"][0] > truth[1] or other["band"][1] < truth[0]
    cells += [f"{width:.2g}" + (" (false)" if misses else ""), f"{other['seconds']:.3f}",
              f"{other['seconds'] / mine['seconds']:.1f}"]
    return cells, good and mine["seconds"] <= other["seconds"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("plaudit")
    parser.add_argument("python")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--timeout", type=float, default=300)
    parser.add_argument("--only", default="prv,fourier,estimates")
    arguments = parser.parse_args()
    parts = arguments.only.split(",")
    arguments.start = start_up(arguments)
    head = ["sigma, rate, steps", "epsilon"]
    for part, name in (("prv", "prv_accountant"), ("fourier", "dp_accounting")):
        if part in parts:
            what = "width" if part == "prv" else "excess"
            head += [f"`{part}`: width", "s", f"{name}: {what}", "s", "ratio"]
    if "estimates" in parts:
        head += ["`saddle_point_clt`: s", "`saddle_point_msd`: s"]
    print("| " + " | ".join(head) + " |\n" + "|---" * len(head) + "|", flush=True)
    all_good = True
    for setting in CONFIGURATIONS:
        # In all of them the remove direction decides.
        truth = ours(arguments, "contour", True, *setting)["band"]
        row = [", ".join(map(str, setting)), f"{truth[0]:.6g}"]
        for part in ("prv", "fourier"):
            if part in parts:
                cells, good = compared(arguments, part, setting, truth)
                row += cells
                all_good = all_good and good
        if "estimates" in parts:
            for name in ("saddle_point_clt", "saddle_point_msd"):
                seconds = ours(arguments, name, False, *setting)["seconds"]
                row.append(f"{seconds:.4f}")
                all_good = all_good and seconds <= SECONDS_OF_ESTIMATE
        print("| " + " | ".join(row) + " |", flush=True)
    print(f"\nplaudit --version: {arguments.start:.4f} s")
    sys.exit(not all_good)


if __name__ == "__main__":
    main()
