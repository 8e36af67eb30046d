"""Pictures: matplotlib where it is asked for, small SVGs for notebooks."""
from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Dict, List, Sequence

from . import _core
from ._bands import Quietly

if TYPE_CHECKING:
    from ._audit import Audit
    from ._comparison import Comparison
    from ._composition import Composition
    from ._curves import Curve

_COLOURS = {"valid": "#4477aa", "tight": "#228833", "refuted": "#cc3311", "undecided": "#bbbbbb"}
_HATCHES = {"valid": "", "tight": "//", "refuted": "xx", "undecided": ".."}


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots()[1]


def plot_curve(curve: "Curve", ax: Any = None, **style: Any) -> Any:
    """The band between its ends; epsilon to the right, delta upwards on a log scale."""
    ax = _axes(ax)
    points, lower, upper = curve.points, curve.lower, curve.upper
    style.setdefault("label", curve.run.spec if len(curve.run.spec) < 60 else curve.run.spec[:57] + "...")
    colour = style.pop("color", None)
    if curve.quantity == "epsilon":
        line = ax.plot(upper, points, color=colour, **style)[0]
        ax.fill_betweenx(points, lower, upper, color=line.get_color(), alpha=0.3, linewidth=0)
    else:
        line = ax.plot(points, upper, color=colour, **style)[0]
        ax.fill_between(points, lower, upper, color=line.get_color(), alpha=0.3, linewidth=0)
    ax.set_xlabel(r"$\varepsilon$")
    ax.set_ylabel(r"$\delta$")
    ax.set_yscale("log")
    return ax


def plot_comparison(comparison: "Comparison", ax: Any = None) -> Any:
    """An interval for each accountant that gave one; estimates as open circles."""
    ax = _axes(ax)
    rows = [row for row in comparison.rows()
            if row["lower"] is not None and math.isfinite(row["lower"])]
    finite = [row["upper"] for row in rows if math.isfinite(row["upper"])]
    most = max(finite, default=1.0)
    for place, row in enumerate(reversed(rows)):
        if not row["certified"]:
            ax.plot([row["upper"] if math.isfinite(row["upper"]) else most], [place], "o",
                    markerfacecolor="none", color="#555555")
        else:
            upper = row["upper"] if math.isfinite(row["upper"]) else most * 1.05
            ax.plot([row["lower"], upper], [place, place], "|-", color="#4477aa", linewidth=3)
    ax.set_yticks(range(len(rows)), [row["accountant"] for row in reversed(rows)])
    ax.set_xlabel(comparison.quantity)
    return ax


def plot_gaps(audit: "Audit", ax: Any = None, *, bins: int = 30, relative: bool = False) -> Any:
    """A histogram: claims by how far they are from the exact number, refuted ones to the left."""
    ax = _axes(ax)
    groups: Dict[str, List[float]] = {}
    for finding in audit.findings:
        gap = finding.relative_gap if relative else finding.gap_epsilon
        if finding.verdict in _COLOURS and gap and math.isfinite(float(gap)):
            sign = -1 if finding.verdict == "refuted" else 1
            groups.setdefault(finding.verdict, []).append(sign * float(gap))
    names = [name for name in _COLOURS if name in groups]
    if names:
        edges = _edges([gap for name in names for gap in groups[name]], bins)
        _, _, patches = ax.hist([groups[name] for name in names], bins=edges, stacked=True,
                                color=[_COLOURS[name] for name in names], label=names)
        stacks: Sequence[Any] = patches if len(names) > 1 else [patches]
        for name, stack in zip(names, stacks):
            for patch in stack:
                patch.set_hatch(_HATCHES[name])
        ax.legend()
    ax.axvline(0, color="black", linewidth=0.8)
    ax.set_xlabel("claimed epsilon less the exact one" + (", relative" if relative else ""))
    ax.set_ylabel("claims")
    return ax


def _edges(values: List[float], bins: int) -> List[float]:
    """Of about so many bins of equal width, of which 0 is an edge: no bin has refuted claims and valid ones."""
    low, high = min(values, default=0.0), max(values, default=0.0)
    width = (max(high, 0.0) - min(low, 0.0)) / max(bins, 1) or 1.0
    first, last = math.floor(low / width), math.floor(high / width) + 1
    return [k * width for k in range(first, last + 1)]


def small_curve(run: "Composition") -> str:
    """delta over epsilon in a small SVG: nine points, each with little time."""
    try:
        with Quietly():
            return svg_of(run.curve(deltas=[f"1e-{k}" for k in range(10, 1, -1)], digits=3, timeout=0.2), 400)
    except (ValueError, RuntimeError):
        return ""


def svg_of(curve: "Curve", width: float = 600) -> str:
    """The curve as the program draws it."""
    bands = sorted(curve, key=lambda band: Fraction(band.argument))
    return _core.curve_svg(curve.run._core, curve.quantity, [(band.argument, band._core) for band in bands], width)
