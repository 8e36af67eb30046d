"""Every accountant side by side on one question."""
from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, Dict, List, Sequence, Tuple, Union

from . import _core
from ._bands import PLACES, Band, row_of
from ._composition import Composition, parse
from ._core import SpecError
from ._many.progress import Report, Telling
from ._numbers import DEFAULT_MEMORY, Scalar, accountant_of, check_options, text_of
from .extend import Accountant, register

if TYPE_CHECKING:
    import pandas


class Comparison:
    """What each accountant says of one question. Made by `plaudit.compare`; `to_pandas` gives a table."""

    def __init__(self, core: _core.Comparison, run: Composition, quantity: str, argument: str) -> None:
        self._core = core
        #: The composition that was asked about.
        self.run = run
        #: "epsilon" or "delta".
        self.quantity = quantity
        #: At which delta or epsilon, as exact text.
        self.argument = argument

    @property
    def entries(self) -> List[_core.ComparisonEntry]:
        """What each accountant says, with its band or why it gives none, and the verdict on it."""
        return self._core.entries

    @property
    def contradiction(self) -> bool:
        """Whether two certified bands have no common point, which is a defect of plaudit."""
        return self._core.contradiction

    @property
    def refuted(self) -> bool:
        """Whether a certified band contradicts a claim of an accountant that is not plaudit's own."""
        return self._core.refuted

    def __getitem__(self, accountant: str) -> _core.ComparisonEntry:
        for entry in self.entries:
            if entry.accountant == accountant:
                return entry
        raise KeyError(accountant)

    def rows(self) -> List[Dict[str, Any]]:
        """The entries as dicts: certified bands, narrowest first, then estimates and claims, then the rest.

        Returns
        -------
        list of dict
            The columns of `Bands.to_pandas`, and width and verdict. Without a band its ends are None.
        """
        result = []
        for entry in self.entries:
            core = entry.band
            row = row_of(Band(core, self.run, self.quantity, self.argument, {})) if core else self._row_without_band()
            row["accountant"] = entry.accountant
            row["width"] = core and (core.upper - core.lower if core.upper != core.lower else 0.0)
            result.append({**row, "verdict": entry.verdict})
        infinite = float("inf")
        result.sort(key=lambda row: (row["width"] is None, not row["certified"],
                                     infinite if row["width"] is None or row["width"] != row["width"]
                                     else row["width"]))
        return result

    def _row_without_band(self) -> Dict[str, Any]:
        nothing = dict.fromkeys(("lower", "upper", "certified", "reached", "accountant", "seconds"))
        return {"spec": self.run.spec, PLACES[self.quantity]: self.argument, "quantity": self.quantity, **nothing}

    def to_pandas(self) -> "pandas.DataFrame":
        """The rows as a table.

        Returns
        -------
        pandas.DataFrame
            Columns as of `rows`.
        """
        import pandas

        return pandas.DataFrame(self.rows())

    @property
    def df(self) -> "pandas.DataFrame":
        """The same as `to_pandas()`."""
        return self.to_pandas()

    def plot(self, ax: Any = None) -> Any:
        """Draws the bands side by side.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; None: axes of a new figure.

        Returns
        -------
        matplotlib.axes.Axes
            The axes.
        """
        from ._plots import plot_comparison

        return plot_comparison(self, ax)

    def _ends(self, row: Dict[str, Any]) -> Tuple[str, str]:
        """The ends of the band of a row as decimals, rounded outward; empty where there is none."""
        band = self[row["accountant"]].band
        return ("", "") if band is None else (band.lower_decimal(12), band.upper_decimal(12))

    def __repr__(self) -> str:
        lines = [f"{self.quantity} of {self.run.spec} at {self.argument}"]
        refused = []
        for row in self.rows():
            if row["lower"] is None:
                refused.append(row["accountant"])
                continue
            lower, upper = self._ends(row)
            lines.append(f"  {row['accountant']:<24} [{lower}, {upper}]  {row['verdict']}")
        if refused:
            lines.append("  no band: " + ", ".join(refused))
        return "\n".join(lines)

    def svg(self, width: float = 800) -> str:
        """The picture that `plaudit compare --svg` writes.

        Parameters
        ----------
        width : float
            In pixels.

        Returns
        -------
        str
            SVG.
        """
        return _core.compare_svg(self._core, width)

    def _repr_html_(self) -> str:
        rows = "".join(
            "<tr>" + "".join(f"<td>{html.escape(str(cell))}</td>"
                             for cell in (row["accountant"], *self._ends(row), row["verdict"])) + "</tr>"
            for row in self.rows())
        return (f"{self.svg()}<table><thead><tr><th>accountant</th><th>lower</th><th>upper</th><th>verdict</th></tr>"
                f"</thead><tbody>{rows}</tbody></table>")


def compare(run: Union[Composition, str], delta: Scalar | None = None, *,
            epsilon: Scalar | None = None, accountants: Sequence[Union[str, Accountant, type]] = (),
            digits: int = 12, direction: str = "both", timeout: float | None = 10, threads: int = 1,
            memory: int = DEFAULT_MEMORY, progress: Report = None) -> Comparison:
    """Every accountant on one question, or those that are named, with those of yours.

    Parameters
    ----------
    run : Composition or str
        What was run, or its spec.
    delta, epsilon : number
        One of the two: where epsilon, or delta, is asked for.
    accountants : sequence of str or Accountant
        Names, as in "prv(eps_error=0.01)", and accountants of your own; where only your own are given,
        all the others are asked too.
    digits, direction, threads, memory
        As of `Composition.epsilon`.
    timeout : float or None
        Seconds for each of them.
    progress : callable, bool or None
        A function of (done, total), called about ten times a second; True, False and None as of `map`.

    Returns
    -------
    Comparison
        What each says, and what the certified bands say of it.
    """
    run = parse(run) if isinstance(run, str) else run
    check_options(digits=digits, threads=threads, memory=memory, timeout=timeout)
    names = []
    only_mine = True
    for one in accountants:
        if isinstance(one, str):
            only_mine = False
            names.append(accountant_of(one))
        else:
            names.append(register(one).name)
    if names and only_mine:
        names = []  # all there are: a registered one is among them
    if (delta is None) == (epsilon is None):
        raise SpecError("compare: give delta or epsilon")
    quantity, at = ("epsilon", text_of(delta, "delta")) if delta is not None else ("delta", text_of(epsilon, "epsilon"))
    ask = _core.compare_epsilon if quantity == "epsilon" else _core.compare_delta
    with Telling("compare", progress) as telling:
        core = ask(run._core, at, digits, direction, timeout, threads, memory, names, telling.for_core())
        telling(len(core.entries), len(core.entries))
    return Comparison(core, run, quantity, at)


def cross_check(count: int = 100, seed: int = 1, threads: int = 1, seconds_each: float | None = 0.25,
                progress: Report = None) -> _core.CrossCheckReport:
    """Random settings, on each of which all accountants are held against each other.

    Parameters
    ----------
    count : int
        How many settings.
    seed : int
        The same seed gives the same settings.
    threads : int
        Settings that are tried beside each other.
    seconds_each : float or None
        For each accountant on each setting.
    progress : callable, bool or None
        As of `compare`.

    Returns
    -------
    CrossCheckReport
        Its `defects` are empty where all bands agree.
    """
    check_options(digits=count, threads=threads, timeout=seconds_each)
    with Telling("cross_check", progress) as telling:
        report = _core.cross_check(count, seed, threads, seconds_each, telling.for_core())
        telling(report.checks + len(report.given_up), count)
    return report
