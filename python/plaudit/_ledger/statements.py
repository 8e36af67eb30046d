"""What may be claimed of a ledger at a moment, in words (docs/proofs/filters.md#statements)."""
from __future__ import annotations

import textwrap
from fractions import Fraction
from typing import Any, Dict, List, Optional

from .. import balls
from .._composition import Composition
from .._core import Interval
from .._numbers import Exact
from .budgets import Amounts, Budget, RenyiBudget, certified, shown

_NEIGHBOURS = {"add_remove": "one of which has up to {n} more", "replace": "that differ in up to {n} replaced ones",
               "zero_out": "that differ in up to {n} blanked ones"}


def statement_of(first: Dict[str, Any], budgets: List[Budget], amounts: List[Optional[Amounts]], entries: int, head: str,
                 delta: Fraction, run: Optional[Composition]) -> str:
    """The lines of `Ledger.statement`; the run, if its parameters and the moment depended on no output."""
    whole, now = budgets[-1], amounts[-1]
    assert now is not None
    between = _NEIGHBOURS[first["adjacency"]].format(n=first["group_size"])
    left = ", ".join(f"{name}: {shown(value)}" for name, value in whole.left(now).items()) or "nothing"
    lines = [f"Ledger of kind {first['kind']}, begun {first['at']}; entries: {entries}; the last has the hash {head}. "
             f"Of the budget is left: {left}.",
             "Claimed:",
             f"(i) Between data sets of records {between}: all that is released, and all that this ledger will ever admit, "
             f"is together within its budget, {whole}; so epsilon <= {whole.epsilon(delta)} at delta = {Exact(delta)}. "
             "Each step may have been chosen by what was released before."]
    if run is not None:
        lines.append(f"(ii) As said by whoever asks, neither the parameters of the steps nor this moment depended on what was "
                     f"released. Then what is released so far has epsilon <= {certified(run, 'epsilon', delta)[1]} at delta = "
                     f"{Exact(delta)}.")
    if isinstance(whole, RenyiBudget):
        lines.append(_at_all_times(whole, now, delta))
    if first["nested"]:
        lines.append(_nested(first, budgets, amounts))
    lines.append("Not claimed:")
    if run is None:
        lines.append("That the steps so far satisfy less than (i): it holds where neither their parameters nor this moment "
                     "depended on what was released, which no ledger knows.")
    lines.append("Anything of what was released without an entry here, of steps chosen by data that was not released, of steps "
                 "whose releases interleave (each ends before the next begins), or for other neighbours.")
    return "\n".join(textwrap.fill(line, 110, subsequent_indent="    " if line.startswith("(") else "") for line in lines)


# Proof: docs/proofs/filters.md#at-all-times
def _at_all_times(whole: RenyiBudget, now: Amounts, delta: Fraction) -> str:
    """Of several orders each has its share of delta."""
    each = delta / len(whole.orders)
    ends = [Interval(str(total)) - balls.log(Interval(str(each))) / Interval(str(Fraction(name) - 1))
            for name, total in now.items()]
    least = min(ends, key=lambda end: end.upper)
    return (f"(iii) With probability at least 1 - {Exact(delta)} in each direction, at all moments at once, the privacy loss of "
            f"what is released is at most the number that stands here, now {least.upper_decimal(6)}. It is one of the path that "
            "was taken, ex post, and no epsilon of (epsilon, delta).")


# Proof: docs/proofs/filters.md#nested
def _nested(first: Dict[str, Any], budgets: List[Budget], amounts: List[Optional[Amounts]]) -> str:
    deltas = [Fraction(text) for _, text in first["nested"]] + [Fraction(first["delta"])]
    exceeded = [i for i, one in enumerate(amounts) if one is None]
    j = max(exceeded, default=-1) + 1
    return (f"(iv) Of {len(budgets)} budgets, {len(exceeded)} are exceeded; the next one is {budgets[j]}: epsilon <= "
            f"{budgets[j].epsilon(deltas[j])}, printed last of what is released. For all events at once the deltas of all "
            f"budgets add up, {Exact(sum(deltas))}. It is one of the path that was taken, ex post, and no epsilon of "
            "(epsilon, delta).")
