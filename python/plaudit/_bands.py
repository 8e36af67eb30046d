"""Bands: proven enclosures of an epsilon, a delta or a rate of attackers."""
from __future__ import annotations

import html
import logging
import math
import numbers
import re
import sys
import threading
import warnings
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal, InvalidOperation
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Tuple, Union

from . import _core
from ._typed.hints import TwoNumbers
from ._numbers import Number, check_options, text_of

if TYPE_CHECKING:
    import pandas

    from ._composition import Composition


#: For each quantity the name of the number at which it is asked.
PLACES = {"epsilon": "delta", "delta": "epsilon", "renyi": "order", "false_negative_rate": "fpr",
          "true_positive_rate": "fpr", "success": "prior", "predictive_value": "prior, fpr"}


def _asked(quantity: str, argument: str) -> str:
    """"epsilon at delta = 1e-5"; an advantage has no argument."""
    return f"{quantity} at {PLACES[quantity]} = {argument}" if quantity in PLACES else quantity


#: What stands behind the colon: fill, alignment and width of the whole; digits and kind of both ends.
_FORMAT = re.compile(r"((?:.?[<>^])?\d*)(?:\.(\d+)([efg]?))?", re.DOTALL)

#: Digits of the ends in comparisons, to which they are rounded outward.
_COMPARED = 60


class Undecided(ArithmeticError):
    """Bands do not decide a comparison; the words say why."""

    __module__ = "plaudit"


class WidthNotReached(UserWarning):
    """A band is wider than was asked: `band` is that band, proven all the same."""

    def __init__(self, band: "Band") -> None:
        super().__init__(f"the band is wider than asked: {band} ({band.remark or 'no reason given'})")
        self.band = band


class Band(TwoNumbers):
    """A proven enclosure [lower, upper] of a number that was asked of a run.

    The number is the epsilon at a delta, the delta at an epsilon, or a rate of the best tests. `lower`
    and `upper` are floats, rounded outward; `decimal(30)` has more digits.
    """

    __slots__ = ("_core", "run", "quantity", "argument", "options")

    def __init__(self, core: _core.Band, run: "Composition", quantity: str, argument: str,
                 options: Dict[str, Any]) -> None:
        self._core = core
        #: The composition that was asked about.
        self.run = run
        #: "epsilon", "delta", "renyi", or what a method of BestTests is called.
        self.quantity = quantity
        #: The delta, the epsilon, the order, the rate or the prior that was asked about, as exact text.
        self.argument = argument
        self.options = options

    @property
    def lower(self) -> float:
        """The lower end, rounded down to a float."""
        return self._core.lower

    @property
    def upper(self) -> float:
        """The upper end, rounded up to a float."""
        return self._core.upper

    def decimal(self, digits: int = 17) -> Tuple[str, str]:
        """Both ends as decimals, rounded outward.

        Parameters
        ----------
        digits : int
            Significant digits.

        Returns
        -------
        tuple of str
            The lower and the upper end; "inf" where it is infinite.
        """
        return self._core.lower_decimal(digits), self._core.upper_decimal(digits)

    @property
    def width(self) -> float:
        """upper - lower, in floating point."""
        return self.upper - self.lower if self.upper != self.lower else 0.0

    @property
    def certified(self) -> bool:
        """False only for an accountant that gives estimates or claims. See `trusted` for its condition."""
        return self._core.certified

    @property
    def trusted(self) -> str:
        """The accountants whose claims, which `trust` let in and nobody proves, narrowed it; "" where there are none."""
        return self._core.trusted

    @property
    def reached(self) -> bool:
        """Whether the band is as narrow as was wanted, to `digits` digits."""
        return self._core.reached

    @property
    def digits(self) -> int:
        """The significant digits that were wanted in the end.

        Those that were asked for; where nobody asked, 12, or 6 if 12 were dear: then `stopped_by` is
        "enough".
        """
        return self._core.digits

    @property
    def accountant(self) -> str:
        """The accountant that gave the band."""
        return self._core.accountant

    @property
    def method(self) -> str:
        """How that accountant worked."""
        return self._core.method

    @property
    def remark(self) -> str:
        """Why the band is wider than asked, or than 12 digits where nobody asked for any."""
        return self._core.remark

    @property
    def stopped_by(self) -> str:
        """What ended the work where the band is wider than asked, in one word; else empty.

        "time", "work", "memory", "method", "width", "enough", "law" or "defect", as in the program's
        JSON.
        """
        return self._core.stopped_by

    @property
    def of_mechanism(self) -> bool:
        """Whether both ends are bounds of the mechanism.

        False where one of them (of epsilon and delta the lower, of a false negative rate the upper end)
        bounds the dominating pair alone. Then see `mechanism_lower` and `mechanism_upper`.
        """
        return self._core.of_mechanism

    @property
    def attained(self) -> str:
        """Whether two neighbouring data sets have the dominating pair.

        "yes": in every step. "each_epsilon": of one step, each epsilon by data sets of its own.
        "unknown": none are known. "no_pair": nothing but upper bounds of the mechanism is known.
        """
        return self._core.attained

    @property
    def attained_why(self) -> str:
        """By which data sets the dominating pair is attained, or why it is not known to be."""
        return self._core.attained_why

    @property
    def attack(self) -> Optional[str]:
        """The spec of the pair that two data sets are known to have, where `of_mechanism` is false."""
        return self._core.attack or None

    @property
    def mechanism_lower(self) -> float:
        """A lower bound of the number of the mechanism itself, rounded down.

        `lower`, but where that bounds the dominating pair alone: there it is the lower end of the
        attack, or 0. A false negative rate of the pair is never above that of the mechanism.
        """
        if self.of_mechanism or self.quantity == "false_negative_rate":
            return self.lower
        lower = self._core.attack_lower
        return 0.0 if lower is None else lower

    @property
    def mechanism_upper(self) -> float:
        """An upper bound of the number of the mechanism itself, rounded up.

        `upper`, but for a false negative rate where that bounds the dominating pair alone: there it is
        the upper end of the attack, or 1.
        """
        if self.of_mechanism or self.quantity != "false_negative_rate":
            return self.upper
        upper = self._core.attack_upper
        return 1.0 if upper is None else upper

    @property
    def directions(self) -> Dict[str, _core.DirectionBand]:
        """The bands by direction, "remove" and "add", of those that were asked."""
        return {one.direction: one for one in self._core.directions}

    @property
    def errors(self) -> List[_core.ErrorTerm]:
        """Every error term that the band contains, with its theorem and its size in units of delta."""
        return self._core.errors

    @property
    def seconds(self) -> float:
        """What the query took, in seconds by the clock."""
        return self._core.seconds

    def certificate(self, timeout: float | None = 60) -> str:
        """A proof of this band, or of a wider one.

        Parameters
        ----------
        timeout : float or None
            Seconds; None: no limit.

        Returns
        -------
        str
            JSON, which `plaudit check` and `plaudit_check.py` verify.

        Raises
        ------
        RuntimeError
            Nothing proves it; the words give the reasons.
        NotApplicable
            It is no band of an epsilon or a delta.
        SpecError
            The timeout is no number of seconds.
        """
        ask = {"epsilon": _core.certify_epsilon, "delta": _core.certify_delta}.get(self.quantity)
        if ask is None:
            raise _core.NotApplicable("certificates are of an epsilon or a delta")
        check_options(timeout=timeout)
        if self._core.found_here or not self.certified:  # from what proved it; refused if not certified
            return _core.certify(self._core, timeout).text
        options = self.options
        return ask(self.run._core, self.argument, options["digits"], options["accountant"],
                   options["direction"], timeout, options["memory"]).text

    @property
    def mid(self) -> float:
        """The middle in floating point, near the number and no bound of it."""
        return self.lower if self.lower == self.upper else self.lower + (self.upper - self.lower) / 2

    def to_dict(self) -> Dict[str, Any]:
        """The band as what JSON can say.

        Returns
        -------
        dict
            The columns of `to_pandas`, the ends as decimals too, both directions, and how it was found.
        """
        lower, upper = self.decimal()
        return {**row_of(self), "lower_decimal": lower, "upper_decimal": upper, "digits": self.digits,
                "method": self.method, "remark": self.remark, "stopped_by": self.stopped_by,
                "directions": {name: [one.lower, one.upper] for name, one in self.directions.items()},
                "of_mechanism": self.of_mechanism, "attained": self.attained, "attack": self.attack}

    def to_pandas(self) -> "pandas.DataFrame":
        """A table of one row.

        Returns
        -------
        pandas.DataFrame
            As of `Bands.to_pandas`.
        """
        import pandas

        return pandas.DataFrame([row_of(self)])

    def __contains__(self, x: float) -> bool:
        return self.lower <= x <= self.upper

    def _less(self, other: Any, sign: str) -> Any:
        """Whether it is certain that the number is `sign` the other one; NotImplemented for what is no number."""
        if isinstance(other, Band):
            if self._question() == other._question():  # one number, whatever is known of it
                return "=" in sign
            lower, upper = other._ends()
        elif not isinstance(other, (str, Decimal, numbers.Real)) and getattr(other, "ndim", None) != 0:
            return NotImplemented
        else:
            lower = upper = _point(other)
        ends = self._ends()
        if sign in (">", ">="):  # the other one is less
            ends, (lower, upper) = (lower, upper), ends
        if ends[1] < lower or (ends[1] == lower and "=" in sign):
            return True
        if ends[0] > upper or (ends[0] == upper and "=" not in sign):
            return False
        raise Undecided(f"{self} {sign} {other} is not decided: both have a point in common. Ask for more digits "
                        "(digits=), or compare .upper, .lower or .mid")

    def __lt__(self, other: Union["Band", Number]) -> bool:
        return self._less(other, "<")  # type: ignore[no-any-return]

    def __le__(self, other: Union["Band", Number]) -> bool:
        return self._less(other, "<=")  # type: ignore[no-any-return]

    def __gt__(self, other: Union["Band", Number]) -> bool:
        return self._less(other, ">")  # type: ignore[no-any-return]

    def __ge__(self, other: Union["Band", Number]) -> bool:
        return self._less(other, ">=")  # type: ignore[no-any-return]

    def _ends(self) -> Tuple[Any, Any]:
        """Both ends for comparisons, rounded outward."""
        if not self.certified:
            raise Undecided(f"{self!r} proves nothing, so it decides no comparison; compare .upper, .lower or .mid")
        lower, upper = self.decimal(_COMPARED)
        return Decimal(lower), Decimal(upper)

    def _question(self) -> Tuple[Any, ...]:
        """Two bands of one question are of one number. An estimate is of none."""
        return (self.run, self.quantity, self.argument, self.options.get("direction", "both"),
                self.certified or id(self))

    def __iter__(self) -> Iterator[float]:
        return iter((self.lower, self.upper))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Band):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> Tuple[Any, ...]:
        """The question, the ends, and whether they are certified and as narrow as was asked."""
        return (self.run, self.quantity, self.argument, *self._core.__getstate__()[:4])

    def __reduce__(self) -> Any:
        return Band, (self._core, self.run, self.quantity, self.argument, self.options)

    def __str__(self) -> str:
        lower, upper = self.decimal(min((self.options.get("digits") or 12) + 4, 17))
        return f"[{lower}, {upper}]"

    def __format__(self, spec: str) -> str:
        found = _FORMAT.fullmatch(spec)
        if not found:
            raise ValueError(f"a band has a format like .6, .6g, .4f or .3e, with a width before it, not {spec!r}")
        place, digits, kind = found.groups()
        if digits is None:
            return format(str(self), place)
        return format("[" + ", ".join(_rounded(self, int(digits), kind)) + "]", place)

    def _condition(self) -> str:
        return f" if the claims of {self.trusted} are true" if self.trusted else ""

    def __repr__(self) -> str:
        kind = f"certified{self._condition()}" if self.certified else "estimate"
        return f"<{_asked(self.quantity, self.argument)}: {self}, {kind}, by {self.accountant}>"

    def _repr_html_(self) -> str:
        lower, upper = self.decimal(min((self.options.get("digits") or 12) + 4, 17))
        rows = [(self.quantity, lower, upper)]
        rows += [(one.direction, one.lower_decimal(10), one.upper_decimal(10))
                 for one in self._core.directions if len(self._core.directions) > 1]
        body = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>"
                       for row in rows)
        kind = f"certified{html.escape(self._condition())}" if self.certified else "<b>not certified</b>"
        return (f"<div><code>{html.escape(self.run.spec)}</code><br>"
                f"{html.escape(_asked(self.quantity, self.argument))}, {kind}, "
                f"by {html.escape(self.accountant)}"
                f"<table><thead><tr><th></th><th>lower</th><th>upper</th></tr></thead>"
                f"<tbody>{body}</tbody></table></div>")


def _point(x: Any) -> Union[Decimal, Fraction]:
    """A number in a comparison, exactly: a float is the decimal that it prints, or infinite."""
    if isinstance(x, numbers.Real) and math.isinf(x):
        return Decimal(float(x))
    text = text_of(x, "a comparison")
    try:
        return Fraction(text) if "/" in text else Decimal(text)
    except (InvalidOperation, ValueError, ZeroDivisionError):
        raise _core.SpecError(f"a comparison: must be with a number, not {x!r}") from None


def _rounded(band: Band, digits: int, kind: str) -> Tuple[str, str]:
    """Both ends in a format of floats, rounded outward."""
    if kind in ("", "g"):
        return band.decimal(max(digits, 1))
    if kind == "e":
        lower, upper = band.decimal(digits + 1)
        return f"{Decimal(lower):.{digits}e}".lower(), f"{Decimal(upper):.{digits}e}".lower()
    ends = []
    for text, rounding in zip(band.decimal(max(_COMPARED, digits)), (ROUND_FLOOR, ROUND_CEILING)):
        end = Decimal(text)
        if end.is_finite():
            end = end.quantize(Decimal(1).scaleb(-digits), rounding, Context(prec=1000 + digits))
            text = f"{end:f}"
        ends.append(text)
    return ends[0], ends[1]


def row_of(band: Band) -> Dict[str, Any]:
    """A band as a row of a table."""
    place = PLACES.get(band.quantity)
    return {"spec": band.run.spec, **({place: band.argument} if place else {}), "quantity": band.quantity,
            "lower": band.lower, "upper": band.upper, "certified": band.certified,
            "reached": band.reached, "accountant": band.accountant, "seconds": band.seconds}


class _Thread(threading.local):
    """What a thread of its own knows."""

    quiet = 0


_thread = _Thread()


class Quietly:
    """A context in which wide bands do not warn on this thread: `warnings.catch_warnings` is of all threads at once."""

    def __enter__(self) -> None:
        _thread.quiet += 1

    def __exit__(self, *_: Any) -> None:
        _thread.quiet -= 1


#: Answers that took more seconds are logged.
SECONDS_OF_SILENCE = 2.0

_log = logging.getLogger("plaudit")


def answered(band: Band) -> Band:
    """Logs an answer that took long, and warns of a wide one at the line of the user that asked: the first one
    outside of this package."""
    if band.seconds > SECONDS_OF_SILENCE:
        _log.info("%r of %s after %.1f s", band, band.run, band.seconds)
    if band.certified and not band.reached and not _thread.quiet:
        level, frame = 1, sys._getframe()
        while frame.f_back is not None and _is_ours(frame.f_globals.get("__name__", "")):
            level, frame = level + 1, frame.f_back
        warnings.warn(WidthNotReached(band), stacklevel=level)
    return band


def _is_ours(module: str) -> bool:
    return module == "plaudit" or module.startswith("plaudit.")
