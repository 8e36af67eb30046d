#!/usr/bin/env python3
"""Auditing libraries on scores that know nothing, and on scores that know something: docs/audits/observe.md.

usage: audit_observers.py [--draws N] [--packages FOLDER] [--write]

One run of 1000 canaries, each in or out by a fair coin; the scores are normal, of variance 1, and of those that are in
the mean is `shift`. Each library says, at a nominal level of 5 % and delta = 1e-5, that epsilon is at least something. With shift 0
the scores are independent of the coins: the true epsilon is 0, and any positive number is a false alarm. With shift 1 each score
is that of a run which is 1-GDP: the true epsilon at 1e-5 is 4.38, and more is more power.

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

    def epsilon(in_scores, out_scores):
        return getattr(auditing.CanaryScoreAuditor(in_scores, out_scores), method)(LEVEL, DELTA)
    return epsilon


def opake(folder, method):
    alone(folder, "opake", "opake.api", "opake.api.auditing", "opake.api.auditing.one_run")
    errors = sys.modules.setdefault("opake.exceptions", types.ModuleType("opake.exceptions"))
    errors.ConfigurationError, errors.OperationError = ValueError, RuntimeError
    from opake.api.auditing.one_run._estimate import OneRunEstimate
    from opake.api.auditing.one_run._roc import get_tn_fn_counts

    def epsilon(in_scores, out_scores):
        thresholds, tn, fn = get_tn_fn_counts(in_scores, out_scores)
        estimate = OneRunEstimate(
            n_in=len(in_scores), n_out=len(out_scores), thresholds=thresholds, tn_counts=tn, fn_counts=fn,
            tp_counts=(fn[-1] - fn)[::-1], fp_counts=(tn[-1] - tn)[::-1], in_scores=in_scores, out_scores=out_scores,
            canary_indices=None)
        return getattr(estimate, method)().epsilon_at(delta=DELTA, significance=LEVEL)
    return epsilon


def plaudit(guesses):
    """Its lower end at one delta, which shares the level with that of mu."""
    def epsilon(in_scores, out_scores):
        seen = pl.observe("approximate(epsilon=1, delta=1e-5)", in_scores, out_scores, design="coins", guesses=guesses,
                          level="1/20", deltas=["1e-5"])
        return seen.found.epsilon_lower["1e-5"]
    return epsilon


def auditors(folder):
    return [
        ("plaudit, 100 in and 100 out", plaudit((100, 100)), 1),
        ("plaudit, 20 in and 20 out", plaudit((20, 20)), 1),
        ("plaudit, 10, 25, 50, 100 and 200 of each", plaudit([(n, n) for n in (10, 25, 50, 100, 200)]), 4),
        ("jax_privacy 2.0.0 `epsilon_one_run`, default", jax_privacy(folder, "epsilon_one_run"), 1),
        ("jax_privacy 2.0.0 `epsilon_one_run_fdp`, default", jax_privacy(folder, "epsilon_one_run_fdp"), 10),
        ("jax_privacy 2.0.0 `epsilon_clopper_pearson`, default", jax_privacy(folder, "epsilon_clopper_pearson"), 1),
        ("opake-auditing 0.16.1 `eps_delta`, default", opake(folder, "eps_delta"), 1),
        ("opake-auditing 0.16.1 `gdp`, default", opake(folder, "gdp"), 100),
    ]


def drawn(rng, shift):
    member = rng.random(CANARIES) < 0.5
    scores = rng.normal(size=CANARIES) + shift * member
    return scores[member], scores[~member]


def row(name, epsilon, draws):
    rng = np.random.default_rng(20)
    null = [epsilon(*drawn(rng, 0)) for _ in range(draws)]
    some = [epsilon(*drawn(rng, 1)) for _ in range(max(draws // 10, 5))]
    alarms = sum(value > 1e-3 for value in null)
    verdict = ", above it" if 1 - _upper(draws - alarms, draws) > LEVEL else ""
    return (f"| {name} | {alarms} of {draws} = {100 * alarms / draws:.1f} %{verdict} | {np.median(some):.3f} | "
            f"{max(some):.3f} |")


def _upper(count, draws):
    """The upper limit of a rate at the level 1/2000."""
    seen = pl.observe_counts("gaussian(sigma=2)", design="runs", true_positives=draws, with_record=draws,
                             false_positives=count, without_record=draws, level="1/1000")
    return seen.limits.fpr_upper


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=2000)
    parser.add_argument("--packages", default="")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    if options.packages:
        sys.path.append(options.packages)
    lines = ["| what | false alarms, nominal 5 % | median epsilon where mu = 1 | greatest |", "|---|---|---|---|"]
    for name, epsilon, fewer in auditors(options.packages):
        lines.append(row(name, epsilon, max(options.draws // fewer, 20)))
        print(lines[-1], flush=True)
    if options.write:
        text = PAGE.read_text(encoding="utf-8")
        before, rest = text.split(BEGIN)
        PAGE.write_text(before + BEGIN + "\n" + "\n".join(lines) + "\n" + END + rest.split(END, 1)[1], encoding="utf-8")


if __name__ == "__main__":
    main()
