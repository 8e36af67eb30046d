"""Verdicts on other people's numbers, and on accountants."""
from __future__ import annotations

import html
import json
import math
import numbers
import os
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Mapping, Sequence, Union

from . import _core
from ._composition import Composition, parse
from ._core import SpecError
from ._many.progress import Report, Telling
from ._numbers import Number, check_options, is_missing, records_of, text_of
from .extend import Accountant, register

if TYPE_CHECKING:
    import pandas

_COUNTS = ("valid", "tight", "refuted", "undecided", "error")


class Audit:
    """The findings, in the order of the claims; `to_pandas` gives a table of them."""

    def __init__(self, core: _core.Audit) -> None:
        self._core = core

    @property
    def findings(self) -> List[_core.Finding]:
        """What was found of each claim, with verdict, band, gap and reason."""
        return self._core.findings

    @property
    def summary(self) -> Dict[str, int]:
        """How many claims are valid, tight, refuted, undecided, and could not be read (error)."""
        core = self._core
        return dict(zip(_COUNTS, (core.valid, core.tight, core.refuted, core.undecided, core.errors)))

    def rows(self) -> List[Dict[str, Any]]:
        """The findings as dicts.

        Returns
        -------
        list of dict
            Bands and gaps as decimals.
        """
        names = ("id", "verdict", "spec", "lower", "upper", "gap_epsilon", "gap_delta", "gap",
                 "relative_gap", "direction", "reason", "digits", "seconds")
        return [{name: getattr(finding, name) for name in names} for finding in self.findings]

    def to_pandas(self) -> "pandas.DataFrame":
        """A table with one row for each claim.

        Returns
        -------
        pandas.DataFrame
            Columns as of `rows`; bands and gaps are floats (the findings have them as decimals).
        """
        import pandas

        table = pandas.DataFrame(self.rows())
        for name in ("lower", "upper", "gap_epsilon", "gap_delta", "gap", "relative_gap"):
            if name in table:
                table[name] = [_float(value) for value in table[name]]
        return table

    @property
    def df(self) -> "pandas.DataFrame":
        """The same as `to_pandas()`."""
        return self.to_pandas()

    def html(self, pictures: str = "notable", date: str = "", certificates: Sequence[str] = ()) -> str:
        """A report of one file, with pictures inside.

        Parameters
        ----------
        pictures : {"none", "refuted", "notable", "all"}
            Which findings have pictures; notable are all but the valid ones.
        date : str
            Is printed as it is.
        certificates : sequence of str
            Links, one for each claim; "" where there is none.

        Returns
        -------
        str
            HTML.
        """
        return self._core.html(pictures, date, list(certificates))

    def markdown(self) -> str:
        """The report as Markdown.

        Returns
        -------
        str
            Tables of the verdicts.
        """
        return self._core.markdown()

    def hist(self, ax: Any = None, **style: Any) -> Any:
        """A histogram of the gaps, by verdict.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; None: axes of a new figure.
        **style
            bins, an int, and relative, True for gaps in units of the exact number.

        Returns
        -------
        matplotlib.axes.Axes
            The axes.
        """
        from ._plots import plot_gaps

        return plot_gaps(self, ax, **style)

    def __len__(self) -> int:
        return len(self.findings)

    def __repr__(self) -> str:
        return "<audit: " + ", ".join(f"{count} {name}" for name, count in self.summary.items() if count) + ">"

    def _repr_html_(self) -> str:
        rows = "".join("<tr>" + "".join(
            f"<td>{html.escape(str(row[name]))}</td>" for name in
            ("id", "verdict", "lower", "upper", "gap_epsilon", "reason")) + "</tr>" for row in self.rows())
        return (f"<div>{html.escape(repr(self))}<table><thead><tr><th>id</th><th>verdict</th><th>lower</th>"
                f"<th>upper</th><th>gap</th><th>reason</th></tr></thead><tbody>{rows}</tbody></table></div>")


def _float(text: str) -> float:
    return float(text) if text else float("nan")


def _text(value: Any) -> Any:
    """A field of a claim as JSON has it; empty cells of tables are absent."""
    if is_missing(value):
        return None
    if isinstance(value, Composition):
        return value.stated
    if isinstance(value, (str, list, dict)):
        return value
    if isinstance(value, numbers.Real) and math.isinf(value):
        return "inf" if float(value) > 0 else "-inf"
    return text_of(value, "claim")


def _claims(rows: Iterable[Mapping[str, Any]]) -> str:
    claims = []
    for row in rows:
        if not isinstance(row, Mapping):
            raise SpecError(f"audit: a claim must be a dict of its fields, not {type(row).__name__}")
        fields = {str(name): _text(value) for name, value in row.items()}
        claims.append({name: value for name, value in fields.items() if value is not None and value != ""})
    return json.dumps(claims)


def audit(claims: Any = None, *, accountant: Union[Accountant, type, str, None] = None,
          runs: Iterable[Union[Composition, str]] = (), delta: Number | None = None,
          threads: int = 1, timeout: float | None = 10, most_digits: int = 50,
          read_files: bool = False, progress: Report = None) -> Audit:
    """Verdicts on claims, by certified bands alone: valid, tight, refuted, undecided.

    Parameters
    ----------
    claims : path, pandas.DataFrame, dict or list of dict, optional
        A CSV or JSON file of claims, a table, or dicts with the fields spec, delta, epsilon, kind, ...
        (docs/audit.md).
    accountant : Accountant, optional
        In place of claims: one of your own, whose epsilon at `delta` is claimed for each of `runs`.
    runs : iterable of Composition or str
        Of that accountant.
    delta : number, optional
        Of that accountant, in [0, 1].
    threads : int
        Claims that are judged beside each other.
    timeout : float or None
        Seconds for each claim.
    most_digits : int
        Significant digits up to which a band is narrowed to decide a claim.
    read_files : bool
        Whether specs of claims may name law files.
    progress : callable, bool or None
        A function of (done, total), called about ten times a second; True, False and None as of `map`.

    Returns
    -------
    Audit
        The findings, in the order of the claims.

    Raises
    ------
    SpecError
        What was given is no list of claims. A claim that cannot be read is a finding, "error".

    Examples
    --------
    >>> audit([{"spec": "gaussian(1)", "delta": 1e-5, "epsilon": 4.3}]).summary["refuted"]
    1
    """
    if accountant is not None:
        if claims is not None or delta is None:
            raise SpecError("audit: an accountant is audited on runs at a delta, without claims")
        claims = _claims_of(accountant, runs, delta)
    check_options(digits=most_digits, threads=threads, timeout=timeout)
    judge = _core.audit_json
    if isinstance(claims, (str, os.PathLike)):
        with open(claims, encoding="utf-8-sig") as file:
            text = file.read()
        if text.lstrip()[:1] not in ("[", "{"):
            judge = _core.audit_csv
    else:
        if isinstance(claims, Mapping):  # a single one
            claims = [claims]
        elif hasattr(claims, "columns"):  # a table of pandas
            claims = records_of(claims)
        if claims is None:
            raise SpecError("audit: there is nothing to audit")
        text = _claims(claims)
    with Telling("audit", progress) as telling:
        found = Audit(judge(text, threads, timeout, most_digits, read_files, telling.for_core()))
        telling(len(found), len(found))
    return found


def _claims_of(accountant: Union[Accountant, type, str], runs: Iterable[Union[Composition, str]],
               delta: Number) -> List[Dict[str, Any]]:
    if isinstance(accountant, str):
        raise SpecError("audit: an accountant of your own is audited; plaudit's own are compared")
    mine = register(accountant)
    claims: List[Dict[str, Any]] = []
    for i, run in enumerate(runs):
        run = parse(run) if isinstance(run, str) else run
        claim: Dict[str, Any] = {"id": f"{mine.name} {i + 1}", "spec": run.stated,
                                 "delta": text_of(delta, "delta"), "source": mine.name}
        try:
            lower, upper = mine.claimed(run, delta)
        except ValueError as error:  # it refuses; the finding says so
            claims.append({**claim, "epsilon": f"none: {error}"})
            continue
        if mine.claim == "band":
            claim.update(kind="band", epsilon_lower=lower, epsilon_upper=upper)
        elif mine.claim == "estimate":
            claim.update(kind="estimate", epsilon=upper, tolerance=text_of(mine.tolerance))
        else:
            claim.update(kind=mine.claim, epsilon=upper if mine.claim == "upper" else lower)
        for name in ("epsilon", "epsilon_lower", "epsilon_upper"):
            if isinstance(claim.get(name), float) and claim[name] not in (float("inf"), float("-inf")):
                claim[name] = Fraction(claim[name])  # what an accountant computed is that double
        claims.append(claim)
    return claims
