#!/usr/bin/env python3
"""Auditing libraries on scores that know nothing, and on scores that know something: docs/audits/observe.md.

usage: audit_observers.py [--draws N] [--slow N] [--packages FOLDER] [--only WORD] [--write]

One run of 1000 canaries, each in or out by a fair coin; the scores are normal, of variance 1, and of those that are in
the mean is `shift`. Each library says, at a nominal level of 5 % and delta = 1e-5, that epsilon is at least something. With shift 0
the scores are independent of the coins: the true epsilon is 0, and any positive number is a false alarm. With shift 1 each score
is that of a run which is 1-GDP: the true epsilon at 1e-5 is 4.38, and more is more power.

A library that alarms too often looks strong. So each is compared at one rate of false alarms, 5 % on null scores: its nominal level is
searched for on one half of the null draws (one_run `gdp`, which takes 20 s for each call, keeps its level, and an alarm is an epsilon
above the 95 % quantile of its null draws instead), and counted are the alarms on the other half, and on scores with a shift.

FOLDER has jax-privacy 2.0.0 and opake-auditing 0.16.1, installed by pip --no-deps; numpy, scipy and dp_accounting are imported
too. Of both the modules of the estimates are imported, without the packages around them, which want jax and torch.
--write: the table of docs/audits/observe.md.
"""
import argparse
import sys
import types
from pathlib import Path

import numpy as np

import plaudit as pl

PAGE = Path(__file__).resolve().parent.parent / "docs" / "audits" / "observe.md"
LEVEL, DELTA, CANARIES = 0.05, 1e-5, 1000
SLOW, SHIFTS = 0, (0.1, 0.2, 0.3, 0.5)  # SLOW marks what is asked --slow times
EQUAL = "<!-- table: audit_observers, equal rates -->"
BEGIN, END = "<!-- table: audit_observers -->", "<!-- end -->"


def alone(folder, *names):
    """These packages as empty ones, so that one module of theirs is imported without the rest."""
    for name in names:
        if name not in sys.modules:
            package = types.ModuleType(name)
            package.__path__ = [str(Path(folder) / name.replace(".", "/"))]
            sys.modules[name] = package


def jax_privacy(folder, method):
    alone(folder, "jax_privacy")
    from jax_privacy import auditing

    def epsilon(in_scores, out_scores, level=LEVEL):
        return getattr(auditing.CanaryScoreAuditor(in_scores, out_scores), method)(level, DELTA)
    return epsilon


def opake(folder, method):
    alone(folder, "opake", "opake.api", "opake.api.auditing", "opake.api.auditing.one_run")
    errors = sys.modules.setdefault("opake.exceptions", types.ModuleType("opake.exceptions"))
    errors.ConfigurationError, errors.OperationError = ValueError, RuntimeError
    from opake.api.auditing.one_run._estimate import OneRunEstimate
    from opake.api.auditing.one_run._roc import get_tn_fn_counts

    def epsilon(in_scores, out_scores, level=LEVEL):
        thresholds, tn, fn = get_tn_fn_counts(in_scores, out_scores)
        estimate = OneRunEstimate(
            n_in=len(in_scores), n_out=len(out_scores), thresholds=thresholds, tn_counts=tn, fn_counts=fn,
            tp_counts=(fn[-1] - fn)[::-1], fp_counts=(tn[-1] - tn)[::-1], in_scores=in_scores, out_scores=out_scores,
            canary_indices=None)
        return getattr(estimate, method)().epsilon_at(delta=DELTA, significance=level)
    return epsilon


def plaudit(guesses):
    """Its lower end at one delta, which shares the level with that of mu."""
    def epsilon(in_scores, out_scores, level=LEVEL):
        seen = pl.observe("approximate(epsilon=1, delta=1e-5)", in_scores, out_scores, design="coins", guesses=guesses,
                          level=level, deltas=["1e-5"])
        return seen.found.epsilon_lower["1e-5"]
    return epsilon


def plaudit_of_runs(in_scores, out_scores, level=LEVEL):
    """Each canary as a run of its own, which takes them for independent: they are so here. All thresholds at once."""
    seen = pl.observe("approximate(epsilon=1, delta=1e-5)", in_scores, out_scores, design="runs", threshold="all", level=level,
                      deltas=["1e-5"])
    return seen.limits.epsilon_lower["1e-5"]


def auditors(folder):
    return [
        ("plaudit, 100 in and 100 out", plaudit((100, 100)), 1),
        ("plaudit, 20 in and 20 out", plaudit((20, 20)), 1),
        ("plaudit, 400 in and 400 out", plaudit((400, 400)), 1),
        ("plaudit, 10, 25, 50, 100 and 200 of each", plaudit([(n, n) for n in (10, 25, 50, 100, 200)]), 4),
        ("plaudit, canaries as independent runs, all thresholds", plaudit_of_runs, 10),
        ("jax_privacy 2.0.0 `epsilon_one_run`, default", jax_privacy(folder, "epsilon_one_run"), 1),
        ("jax_privacy 2.0.0 `epsilon_one_run_fdp`, default", jax_privacy(folder, "epsilon_one_run_fdp"), 5),
        ("jax_privacy 2.0.0 `epsilon_clopper_pearson`, default", jax_privacy(folder, "epsilon_clopper_pearson"), 1),
        ("opake-auditing 0.16.1 `eps_delta`, default", opake(folder, "eps_delta"), 1),
        ("opake-auditing 0.16.1 `gdp`, default", opake(folder, "gdp"), SLOW),
    ]


def drawn(rng, shift):
    member = rng.random(CANARIES) < 0.5
    scores = rng.normal(size=CANARIES) + shift * member
    return scores[member], scores[~member]


def row(name, epsilon, draws, few):
    rng = np.random.default_rng(20)
    null = [epsilon(*drawn(rng, 0)) for _ in range(draws)]
    some = [epsilon(*drawn(rng, 1)) for _ in range(max(draws // 10, 5))]
    alarms = sum(value > 1e-3 for value in null)
    verdict = ", above it" if 1 - _upper(draws - alarms, draws) > LEVEL else ""
    powers = at_equal_rate(epsilon, draws, null if few else None)
    return (f"| {name} | {alarms} of {draws} = {100 * alarms / draws:.1f} %{verdict} | {np.median(some):.3f} | "
            f"{max(some):.3f} |"), f"| {name} | {powers} |"


def alarms_of(epsilon, draws, level, above=1e-3):
    """How many of these draws have a positive epsilon."""
    return sum(epsilon(*each, level) > above for each in draws)


def at_equal_rate(epsilon, draws, known=None):
    """The nominal level (or least epsilon) that alarms in at most 5 % of one half of the null draws; alarms with it: of the other
    half, and with each shift."""
    rng = np.random.default_rng(21)
    if known is None:
        null = [drawn(rng, 0) for _ in range(draws)]
        tried, asked = null[:draws // 2], null[draws // 2:]
        low, high, above, allowed = 1e-4, 0.49, 1e-3, int(LEVEL * len(tried))
        while high > 1.01 * low:  # who alarms at a level alarms at all greater ones
            middle = (low * high) ** 0.5
            alarms = [epsilon(*each, middle) > above for each in tried]
            if sum(alarms) > allowed:
                tried, high = [each for each, alarm in zip(tried, alarms) if alarm], middle
            else:
                tried, low = [each for each, alarm in zip(tried, alarms) if not alarm], middle
                allowed -= sum(alarms)
        level, said = low, f"level {low:.3f}"
        each = max(draws // 5, 20)
    else:
        asked, level, each = [], LEVEL, max(draws // 5, 5)
        above = sorted(known)[-1 - int(LEVEL * len(known))]
        said = f"epsilon above {above:.3f}"
    rates = [f"{100 * alarms_of(epsilon, asked, level, above) / len(asked):.1f} %" if asked else "5 % by choice"]
    for shift in SHIFTS:
        some = [drawn(rng, shift) for _ in range(each)]
        rates.append(f"{100 * alarms_of(epsilon, some, level, above) / each:.0f} %")
    return " | ".join([said, *rates, f"{len(asked)}, {each}"])


def _upper(count, draws):
    """The upper limit of a rate at the level 1/2000."""
    seen = pl.observe_counts("gaussian(sigma=2)", design="runs", true_positives=draws, with_record=draws,
                             false_positives=count, without_record=draws, level="1/1000")
    return seen.limits.fpr_upper


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=2000)
    parser.add_argument("--slow", type=int, default=25)
    parser.add_argument("--packages", default="")
    parser.add_argument("--only", default="")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    if options.packages:
        sys.path.append(options.packages)
    lines = ["| what | false alarms, nominal 5 % | median epsilon where mu = 1 | greatest |", "|---|---|---|---|"]
    shifts = " | ".join(f"power at mu = {shift}" for shift in SHIFTS)
    equal = [f"| what | with | alarms on other null draws | {shifts} | draws |", "|---|---|---|---|---|---|---|---|"]
    for name, epsilon, fewer in auditors(options.packages):
        if options.only in name:
            one, other = row(name, epsilon, max(options.draws // fewer, 20) if fewer else options.slow, fewer == SLOW)
            lines.append(one)
            equal.append(other)
            print(one, other, sep="\n", flush=True)
    if options.write:
        text = PAGE.read_text(encoding="utf-8")
        for mark, table in ((BEGIN, lines), (EQUAL, equal)):
            before, rest = text.split(mark)
            text = before + mark + "\n" + "\n".join(table) + "\n" + END + rest.split(END, 1)[1]
        PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
