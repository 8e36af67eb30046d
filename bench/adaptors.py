#!/usr/bin/env python3
"""Numbers of other libraries beside ours through the adaptors, and the times of calibrations: the tables of
docs/adaptors.md.

usage: PYTHONPATH=... adaptors.py [--docs docs/adaptors.md] [--program build/plaudit] [--limit SECONDS] [--only NAMES]
                                  [--training]

Run by an interpreter that has the libraries of tests/python/adaptors/requirements.txt. Everything is asked once,
one at a time, with the defaults of each library; a calibration that takes longer than --limit seconds is given up.
Without --docs the tables are printed. With --program its `calibrate` is timed too, if it has that command. With
--only (names of the second table, ";" between) these searches alone are run, and the page keeps its other rows. With
--training the third table alone is made: epsilon after each of 100 steps, and once of 200 different steps.
"""
import argparse
import importlib.metadata
import json
import math
import platform
import signal
import subprocess
import sys
import time
import warnings

import dp_accounting
from dp_accounting import pld, rdp
from opacus.accountants import create_accountant
from opacus.accountants.utils import get_noise_multiplier
from prv_accountant import PoissonSubsampledGaussianMechanism, PRVAccountant

import plaudit as pl
import plaudit.opacus  # noqa: F401
from plaudit.dp_accounting import PlauditAccountant

#: noise multiplier, sample rate, steps, delta
TRAININGS = [(1.1, 256 / 60000, 14063, 1e-5), (0.8, 0.004, 1000, 1e-7), (1.0, 0.01, 10000, 1e-6),
             (2.0, 0.05, 2000, 1e-5), (0.6, 0.001, 5000, 1e-6)]
#: sample rate, steps, delta; each with each target
SCHEDULES = [(0.01, 1000, 1e-5), (0.004, 5000, 1e-5), (0.05, 500, 1e-6), (0.001, 10000, 1e-7)]
TARGETS = [0.5, 1.0, 2.0, 4.0, 8.0]
#: Of dp_accounting's search, in the noise multiplier; Opacus' own is 0.01 in epsilon.
TOLERANCE = 1e-3


def event(noise, rate, steps):
    return dp_accounting.SelfComposedDpEvent(
        dp_accounting.PoissonSampledDpEvent(rate, dp_accounting.GaussianDpEvent(noise)), steps)


def opacus(name):
    def ask(noise, rate, steps, delta):
        accountant = create_accountant(name)
        accountant.history = [(noise, rate, steps)]
        return accountant.get_epsilon(delta)
    return ask


def ledger(make):
    return lambda noise, rate, steps, delta: make().compose(event(noise, rate, steps)).get_epsilon(delta)


def prv(noise, rate, steps, delta):
    mechanism = PoissonSubsampledGaussianMechanism(noise_multiplier=noise, sampling_probability=rate)
    accountant = PRVAccountant([mechanism], max_self_compositions=[steps], eps_error=0.1, delta_error=delta / 1000)
    return accountant.compute_epsilon(delta, [steps])


EPSILONS = {"Opacus RDP": opacus("rdp"), "Opacus PRV": opacus("prv"), "dp_accounting RDP": ledger(rdp.RdpAccountant),
            "dp_accounting PLD": ledger(pld.PLDAccountant), "prv_accountant": prv}


class TooLong(Exception):
    pass


def on_alarm(*_):
    raise TooLong


def timed(limit, function, *arguments):
    """Its answer, or None, and the seconds."""
    start = time.perf_counter()
    signal.setitimer(signal.ITIMER_REAL, limit)
    try:
        return function(*arguments), time.perf_counter() - start
    except TooLong:
        return None, time.perf_counter() - start
    except Exception as error:  # what a library says is its answer
        return f"{type(error).__name__}", time.perf_counter() - start
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def up(x, places=6):
    """A number of ours, rounded up."""
    return f"{math.ceil(x * 10**places) / 10**places:.{places}f}"


def down(x, places=6):
    return f"{math.floor(x * 10**places) / 10**places:.{places}f}"


def epsilons(limit):
    rows = ["| run | " + " | ".join(EPSILONS) + " | plaudit |", "|---|" + "---|" * (len(EPSILONS) + 1)]
    for noise, rate, steps, delta in TRAININGS:
        run = pl.from_([(noise, rate, steps)])
        cells = []
        for ask in EPSILONS.values():
            answer, seconds = timed(limit, ask, noise, rate, steps, delta)
            if isinstance(answer, tuple):
                text = " / ".join(f"{each:.6f}" for each in answer)
            else:
                text = f"{answer:.6f}" if isinstance(answer, float) else str(answer)
            cells.append(f"{text} ({seconds:.2g} s)")
        band, seconds = timed(limit, run.epsilon, delta)
        cells.append(f"{down(band.lower)} to {up(band.upper)} ({seconds:.2g} s)")
        rows.append(f"| {noise}, {rate:.6g}, {steps}, {delta:g} | " + " | ".join(cells) + " |")
        print(rows[-1], file=sys.stderr, flush=True)
    return rows


#: Of the loop: noise multiplier, sample rate, delta, how many steps, and how many different ones in the schedule.
LOOP = (1.1, 0.01, 1e-5, 100)
SCHEDULE = [1 + i / 200 for i in range(200)]


def opacus_loop(name):
    accountant = create_accountant(name)
    noise, rate, delta, steps = LOOP
    for _ in range(steps):
        accountant.step(noise_multiplier=noise, sample_rate=rate)
        yield accountant.get_epsilon(delta)


def ledger_loop(make):
    accountant = make()
    noise, rate, delta, steps = LOOP
    for _ in range(steps):
        accountant.compose(event(noise, rate, 1))
        yield accountant.get_epsilon(delta)


def opacus_schedule(name):
    accountant = create_accountant(name)
    accountant.history = [(noise, LOOP[1], 1) for noise in SCHEDULE]
    yield accountant.get_epsilon(LOOP[2])


def ledger_schedule(make):
    accountant = make()
    for noise in SCHEDULE:
        accountant.compose(event(noise, LOOP[1], 1))
    yield accountant.get_epsilon(LOOP[2])


def training(limit):
    """Rows: epsilon after each step of a training, and of a schedule whose steps all differ."""
    rows = ["| accountant | steps asked, of 100 | seconds for each | last epsilon | 200 different steps: epsilon | seconds |",
            "|---|---|---|---|---|---|"]
    ways = [(f"Opacus, {name}", opacus_loop, opacus_schedule, name) for name in ("rdp", "prv", "plaudit")]
    ways += [(f"dp_accounting, {name}", ledger_loop, ledger_schedule, make) for name, make in
             (("RDP", rdp.RdpAccountant), ("PLD", pld.PLDAccountant), ("plaudit", PlauditAccountant))]
    for name, loop, schedule, how in ways:
        found = []
        _, seconds = timed(limit, lambda: found.extend(loop(how)))  # pylint: disable=cell-var-from-loop
        once = []
        _, all_seconds = timed(limit, lambda: once.extend(schedule(how)))  # pylint: disable=cell-var-from-loop
        rows.append(f"| {name} | {len(found)} | {seconds / max(len(found), 1):.2g} | {found[-1]:.6f} | "
                    f"{f'{once[0]:.6f}' if once else 'given up'} | {all_seconds:.2g} |")
        print(rows[-1], file=sys.stderr, flush=True)
    return rows


TRAINING = "<!-- training: generated by bench/adaptors.py --training -->\n"


def write_training(docs, rows):
    with open(docs, encoding="utf-8") as page:
        head, rest = page.read().split(TRAINING)
    with open(docs, "w", encoding="utf-8") as page:
        page.write(head + TRAINING + "\n" + "\n".join(rows) + "\n" + rest[rest.index(END):])


def by_opacus(name):
    return lambda target, rate, steps, delta: get_noise_multiplier(
        target_epsilon=target, target_delta=delta, sample_rate=rate, steps=steps, accountant=name)


def by_dp_accounting(make):
    return lambda target, rate, steps, delta: dp_accounting.calibrate_dp_mechanism(
        make, lambda noise: event(noise, rate, steps), target, delta, tol=TOLERANCE,
        bracket_interval=dp_accounting.LowerEndpointAndGuess(0.3, 1.0))


def by_program(program):
    def ask(target, rate, steps, delta):
        spec = f"poisson(gaussian(sigma=?), rate={rate!r})^{steps}"
        answer = subprocess.run([program, "calibrate", spec, "--target-epsilon", repr(target), "--delta", repr(delta),
                                 "--digits", "6", "--json"], capture_output=True, text=True, check=True).stdout
        return float(json.loads(answer)["suffices"])
    return ask


def calibrations(limit, program, only):
    ways = {"Opacus, RDP": by_opacus("rdp"), "Opacus, PRV": by_opacus("prv"), "Opacus, plaudit": by_opacus("plaudit"),
            "dp_accounting, RDP": by_dp_accounting(rdp.RdpAccountant),
            "dp_accounting, PLD": by_dp_accounting(pld.PLDAccountant),
            "dp_accounting, plaudit": by_dp_accounting(PlauditAccountant)}
    if program and subprocess.run([program, "calibrate", "--help"], capture_output=True).returncode == 0:
        ways["`plaudit calibrate`"] = by_program(program)
    if only:
        ways = {name: ways[name] for name in only}
    settings = [(target, *schedule) for schedule in SCHEDULES for target in TARGETS]
    exact = {}
    rows = ["| search, accountant | settings done | seconds: median | most | all | target missed | "
            "noise above the least |", "|---|---|---|---|---|---|---|"]
    for name, ask in ways.items():
        seconds, done, missed, above = [], 0, 0, []
        for setting in settings:
            noise, taken = timed(limit, ask, *setting)
            seconds.append(taken)
            if not isinstance(noise, float):
                print(name, setting, noise, f"{taken:.3g} s", file=sys.stderr, flush=True)
                continue
            done += 1
            target, rate, steps, delta = setting
            # The truth about this noise multiplier
            missed += pl.from_([(noise, rate, steps)]).epsilon(delta).lower > target
            if setting not in exact:
                exact[setting] = least_noise(*setting)
            above.append(noise / exact[setting] - 1)
        ordered = sorted(seconds)
        beyond = f"{min(above):+.2%} to {max(above):+.2%}" if above else ""
        rows.append(f"| {name} | {done} of {len(settings)} | {ordered[len(ordered) // 2]:.2g} | {ordered[-1]:.2g} | "
                    f"{sum(seconds):.3g} | {missed} | {beyond} |")
        print(rows[-1], file=sys.stderr, flush=True)
    return rows


def least_noise(target, rate, steps, delta):
    """By bisection of certified bands, to 1e-6."""
    low, high = 0.2, 100.0
    while high / low > 1 + 1e-6:
        middle = math.sqrt(low * high)
        low, high = (low, middle) if pl.from_([(middle, rate, steps)]).epsilon(delta, digits=8).upper <= target \
            else (middle, high)
    return high


BEGIN, END = "<!-- adaptors: generated by bench/adaptors.py -->\n\n", "\n<!-- end -->"


def parts(docs):
    """What stands before the tables, they themselves, and the rest."""
    with open(docs, encoding="utf-8") as page:
        head, rest = page.read().split(BEGIN.rstrip() + "\n")
    body, tail = rest[:rest.index(END)], rest[rest.index(END):]
    return head, body.strip().split("\n"), tail


def write(docs, head, lines, tail):
    with open(docs, "w", encoding="utf-8") as page:
        page.write(head + BEGIN + "\n".join(lines) + "\n" + tail)


def replace_rows(docs, rows):
    """New rows of the second table in the place of those of the same name, or at its end."""
    head, lines, tail = parts(docs)
    for row in rows:
        name = row.split("|")[1]
        places = [i for i, line in enumerate(lines) if line.startswith(f"|{name}|")]
        if places:
            lines[places[0]] = row
        else:
            lines.append(row)
    write(docs, head, lines, tail)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--docs")
    parser.add_argument("--program")
    parser.add_argument("--limit", type=float, default=60)
    parser.add_argument("--only")
    parser.add_argument("--training", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGALRM, on_alarm)
    names = ("opacus", "torch", "dp-accounting", "prv-accountant", "jax-privacy", "numpy", "scipy", "dask")
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in names)
    if options.training:
        timed(options.limit, lambda: list(ledger_schedule(PlauditAccountant)))
        rows = training(options.limit)
        if options.docs:
            write_training(options.docs, rows)
        return
    only = options.only.split(";") if options.only else []
    if only:
        rows = calibrations(options.limit, options.program, only)[2:]
        if options.docs:
            replace_rows(options.docs, rows)
        return
    for ask in EPSILONS.values():  # what is done once, such as imports
        timed(options.limit, ask, 2.0, 0.01, 10, 1e-3)
    first = epsilons(options.limit)
    second = calibrations(options.limit, options.program, [])
    lines = [f"Measured with Python {platform.python_version()}, {versions}, plaudit {pl.__version__}, on 2 cores that "
             "other work shared.", "", *first, "", *second]
    if not options.docs:
        print("\n".join(lines))
        return
    head, _, tail = parts(options.docs)
    write(options.docs, head, lines, tail)


main()
