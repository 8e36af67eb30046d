"""Laws of the privacy loss of dp_accounting as files of the mechanism `pld`.

A band for such a law is the exact answer for the discrete law that the object holds: losses k times
the mesh (the decimal that it prints), masses the doubles themselves. That the law dominates a
mechanism, and that its doubles are right, is up to the library that made it.
"""
from __future__ import annotations

import atexit
import json
import os
import tempfile
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any, Dict, List, Tuple

from .._core import NotApplicable, SpecError
from .._numbers import text_of

#: How much mass may be moved so that the masses are those of a law. The rounding errors of the
#: library add up: 100 steps of its Poisson sampled Gaussian have 1.5e-6 too much.
TOLERANCE = Fraction(1, 1000)

#: How far the mass of Q is kept below 1, unless it is exactly 1: plaudit reads no law whose Q has
#: more, by any amount, and the sums here are right to 50 digits or so.
Q_MARGIN = Decimal("1e-40")

#: Doubles are multiples of 2^-1074.
_SHIFT = 1074

_folders: Dict[int, str] = {}


def is_pld(x: Any) -> bool:
    """A PrivacyLossDistribution of dp_accounting."""
    return type(x).__name__ == "PrivacyLossDistribution" and hasattr(x, "_pmf_remove")


def spec_of_pld(x: Any, adjacency: str, file: "str | os.PathLike[str] | None") -> str:
    """Writes the law and returns the spec that reads it."""
    remove, moved = _law(x._pmf_remove)
    laws = {"both": remove}
    if not x._symmetric:
        add, also = _law(x._pmf_add)
        laws, moved = {"remove": remove, "add": add}, max(moved, also)
    words = ("a PrivacyLossDistribution of dp_accounting; mass moved so that the masses sum to 1: "
             f"{float(moved):.3g}")
    text = json.dumps({"description": words, "adjacency": adjacency, **laws})
    path = os.path.abspath(os.fspath(file)) if file is not None else _new_file()
    if '"' in path or not path.isascii() or not path.isprintable():
        raise SpecError("from_: file must be a path of printable ASCII without double quotes")
    with open(path, "w", encoding="ascii") as out:
        out.write(text)
    return f'pld(file="{path}")'


def _law(pmf: Any) -> Tuple[Dict[str, Any], Fraction]:
    """The law of one direction as JSON, and how much mass was moved."""
    if not pmf._pessimistic_estimate:
        raise NotApplicable("an optimistic PrivacyLossDistribution is refused: it is no law of a "
                            "pair of distributions, and bounds delta from below only")
    mesh = text_of(pmf._discretization, "PrivacyLossDistribution: discretization")
    if hasattr(pmf, "_loss_probs"):
        first = min(pmf._loss_probs, default=0)
        size = max(pmf._loss_probs, default=-1) - first + 1
        stated = [float(pmf._loss_probs.get(first + i, 0)) for i in range(size)] if (
            size <= 1_000_000) else []
    else:
        first, stated = int(pmf._lower_loss), [float(each) for each in pmf._probs]
    if not 1 <= len(stated) <= 1_000_000:
        raise SpecError("PrivacyLossDistribution: 1 to 10^6 losses are read")
    infinite = _units(float(pmf._infinity_mass))
    masses = [_units(each) for each in stated]
    moved = sum(-each for each in masses if each < 0) + max(0, -infinite)
    masses, infinite = [max(0, each) for each in masses], max(0, infinite)
    one = 1 << _SHIFT
    excess = sum(masses) + infinite - one
    moved += abs(excess)
    # Missing mass is taken for an infinite loss, too much of it is taken from the least losses.
    if excess <= 0:
        infinite -= excess
    else:
        _take(masses, excess)
    over = _q_excess(masses, int(first), Fraction(mesh))
    exactly_one = not any(each for i, each in enumerate(masses) if int(first) + i)
    raised = 0 if exactly_one else _raise(masses, int(first), Fraction(mesh), over + Q_MARGIN)
    infinite += raised
    moved += raised
    change = Fraction(moved, one)
    if change > TOLERANCE or over > Decimal("1e-3"):
        raise NotApplicable("the PrivacyLossDistribution is refused: its masses are not those of a "
                            f"law, by {float(max(change, Fraction(over))):.3g}")
    return {"lattice": {"mesh": mesh, "offset": 0, "first": int(first)},
            "masses": [_text(each) for each in masses], "infinite": _text(infinite)}, change


def _units(x: float) -> int:
    """A double in units of 2^-1074."""
    if not abs(x) <= 2:
        raise SpecError(f"PrivacyLossDistribution: a mass must be a number in [0, 1], not {x}")
    top, bottom = x.as_integer_ratio()
    return top * ((1 << _SHIFT) // bottom)


def _text(units: int) -> str:
    zeros = (units & -units).bit_length() - 1 if units else _SHIFT
    down = min(zeros, _SHIFT)
    return f"{units >> down}/{1 << (_SHIFT - down)}" if down < _SHIFT else str(units >> down)


def _take(masses: List[int], amount: int) -> None:
    """Takes so much away, from the least losses."""
    for i, each in enumerate(masses):
        taken = min(each, amount)
        masses[i] -= taken
        amount -= taken
        if not amount:
            return
    raise NotApplicable("the PrivacyLossDistribution is refused: its mass at infinity is above 1")


def _raise(masses: List[int], first: int, mesh: Fraction, over: Decimal) -> int:
    """Mass of which Q would have too much in all is taken for an infinite loss as well, from the
    least losses: there little of it is enough. Returns how much."""
    context = Context(prec=60, Emin=-999999, Emax=999999)
    need, raised = context.multiply(over, Decimal(1 << _SHIFT)), 0
    for i, each in enumerate(masses):
        if need <= 0:
            break
        if each:
            weight = context.exp(Decimal(text_of_decimal(-(first + i) * mesh)))
            wanted = int(context.divide(need, weight) * (1 + Decimal("1e-25"))) + 1
            taken = min(wanted, each)
            masses[i] -= taken
            raised += taken
            need = context.subtract(need, context.multiply(weight, Decimal(taken)))
    return raised


def text_of_decimal(x: Fraction) -> str:
    """To 60 digits."""
    return str(Context(prec=60).divide(Decimal(x.numerator), Decimal(x.denominator)))


def _q_excess(masses: List[int], first: int, mesh: Fraction) -> Decimal:
    """Sum of e^-loss times the masses, less 1, to 50 digits or so: plaudit checks for itself."""
    context = Context(prec=60, Emin=-999999, Emax=999999)
    weight = context.exp(Decimal(text_of_decimal(-first * mesh)))
    factor = context.exp(Decimal(text_of_decimal(-mesh)))
    unit = context.power(Decimal(2), -_SHIFT)
    total = Decimal(0)
    for each in masses:
        if each:
            total = context.add(total, context.multiply(weight, Decimal(each)))
        weight = context.multiply(weight, factor)
    return context.subtract(context.multiply(total, unit), Decimal(1))


def _new_file() -> str:
    """A file of this process, which goes when the process ends."""
    pid = os.getpid()
    if pid not in _folders:
        _folders[pid] = tempfile.mkdtemp(prefix="plaudit-")
        atexit.register(_clean, pid)
    handle, path = tempfile.mkstemp(prefix="law", suffix=".json", dir=_folders[pid])
    os.close(handle)
    return path


def _clean(pid: int) -> None:
    if os.getpid() != pid:  # a child that was forked
        return
    folder = _folders.pop(pid, None)
    if folder is not None:
        import shutil

        shutil.rmtree(folder, ignore_errors=True)
