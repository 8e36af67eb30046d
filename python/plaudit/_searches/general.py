"""Calibration where no theorem says that a run grows with its parameter.

Two values are proven, one that meets the target and one that misses it, each by a band of its own; nothing is claimed
of the values between or beyond them (docs/calibration.md).
"""
from __future__ import annotations

import math
import time
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any, Callable, Dict, NamedTuple, Tuple, Union

from .. import _core
from .._bands import Band, Quietly
from .._best_tests import GaussianMu
from .._composition import Composition
from .._core import SpecError
from .._numbers import Exact

#: Digits to which an answer is asked for, until it decides.
_DIGITS = {"gaussian_mu": (6, 12)}
_DIGITS_OF_OTHERS = (3, 8, 16, 32)

#: Candidates for the two sides: the factor between neighbours, and the number that the last one reaches.
_STRIDE = 16
_FARTHEST = 10**9


class Target(NamedTuple):
    """What a run is to meet: the quantity, asked at a place, is at most `most`."""

    quantity: str
    at: str
    most: Fraction
    options: Dict[str, Any]

    def ask(self, run: Composition, digits: int, timeout: float | None) -> Union[Band, GaussianMu]:
        options: Dict[str, Any] = {**self.options, "digits": digits, "timeout": timeout}
        accountant, threads = options.pop("accountant"), options.pop("threads")
        if self.quantity == "gaussian_mu":
            return run.gaussian_mu(self.at or None, **options)
        if self.quantity == "true_positive_rate":
            return run.best_tests(**options).true_positive_rate(self.at)
        band: Band = getattr(run, self.quantity)(self.at, accountant=accountant, threads=threads, **options)
        if not band.certified:
            raise SpecError(f"calibrate: {accountant} proves nothing, so it decides nothing")
        return band

    def decided(self, run: Composition, timeout: float | None) -> Union[Band, GaussianMu]:
        """The first answer, of more and more digits, that decides whether it is met; else the last one."""
        for digits in _DIGITS.get(self.quantity, _DIGITS_OF_OTHERS):
            answer = self.ask(run, digits, timeout)
            if self.met_by(answer) is not None:
                break
        return answer

    def met_by(self, answer: Union[Band, GaussianMu]) -> bool | None:
        """Whether it is certain that it is met, or missed; None: neither."""
        if isinstance(answer, GaussianMu):
            if answer.exact_square is not None:
                return self.most >= 0 and answer.exact_square <= self.most**2
            lower, upper = Decimal(answer.lower), Decimal(answer.upper)
        else:
            lower, upper = answer._ends()
        return True if upper <= self.most else False if lower > self.most else None


class End(NamedTuple):
    """A value, the run that it makes, and the answer that decides it."""

    value: Any
    run: Composition
    band: Union[Band, GaussianMu]


class Search:
    """Two values of a parameter, one that meets a target and one that misses it, as near as is asked."""

    def __init__(self, build: Callable[[Any], Composition], target: Target, *, integer: bool, digits: int,
                 timeout: float | None) -> None:
        self._build, self._target, self._integer, self._digits = build, target, integer, digits
        self._until = None if timeout is None else time.monotonic() + timeout
        self._known: Dict[Fraction, bool | None] = {}
        self._decided_ends: Dict[Fraction, End] = {}
        self._ends: Dict[bool, End] = {}
        self._error: SpecError | None = None
        self.queries = 0
        #: Why the search ended before its end.
        self.remark = ""

    def found(self, start: Fraction | None, stop: Fraction | None) -> Tuple[End | None, End | None, bool]:
        """(what meets the target, what misses it, whether they are as near to each other as was asked)."""
        self._look_for_both(start, stop)
        if self._error is not None and not any(value is not None for value in self._known.values()):
            if not self.remark:
                raise self._error
        if len(self._ends) < 2:
            if not self.remark:
                self.remark = f"no value that {'misses' if True in self._ends else 'meets'} the target was found"
        else:
            while not self.remark and not self._are_near():
                middle = self._between(self._ends[True].value, self._ends[False].value)
                if self._verdict(middle) is None and not self.remark:
                    self.remark = f"{middle} is not decided"
        return self._ends.get(True), self._ends.get(False), len(self._ends) == 2 and not self.remark

    def _look_for_both(self, start: Fraction | None, stop: Fraction | None) -> None:
        """Tries values until one meets the target and another misses it; of more, the two that are nearest to each other."""
        if self._integer:
            start = None if start is None else Fraction(math.ceil(start))
            stop = None if stop is None else Fraction(math.floor(stop))
        candidates = [Fraction(1)]
        while candidates[-1] < _FARTHEST:
            candidates.append(candidates[-1] * _STRIDE)
        if not self._integer:
            candidates = [each for x in candidates for each in ((x, 1 / x) if x != 1 else (x,))]
        candidates = [x for x in (start, stop) if x is not None] + [
            x for x in candidates if (start is None or x > start) and (stop is None or x < stop)]
        for x in candidates:
            met = self._verdict(x)
            if len(self._ends) == 2:  # the nearest value of the other side is the other end
                others = [y for y, verdict in self._known.items() if verdict is not None and verdict != met]
                self._ends[not met] = self._decided_ends[min(others, key=lambda y: abs(y - x))]
            if len(self._ends) == 2 or self.remark:
                return
        # Bisect towards either edge of the values that are decided: the other side may lie there.
        undecided = [x for x, verdict in self._known.items() if verdict is None]
        decided = [x for x, verdict in self._known.items() if verdict is not None]
        last, first = max(decided, default=None), min(decided, default=None)
        above = min((x for x in undecided if last is not None and x > last), default=None)
        below = max((x for x in undecided if first is not None and x < first), default=None)
        for known, unknown in ((last, above), (first, below)):
            while known is not None and unknown is not None and len(self._ends) < 2 and not self.remark:
                middle = self._between(known, unknown)
                if middle in (known, unknown):
                    break
                known, unknown = (middle, unknown) if self._verdict(middle) is not None else (known, middle)

    def _between(self, a: Any, b: Any) -> Fraction:
        low, high = Fraction(min(a, b)), Fraction(max(a, b))
        if self._integer:
            return Fraction(int(low + high) // 2)
        exact = Context(prec=self._digits + 20)
        middle = (low + high) / 2
        middle_text = exact.divide(Decimal(middle.numerator), Decimal(middle.denominator))
        if low > 0 and high > 2 * low:
            product = low * high
            middle_text = exact.sqrt(exact.divide(Decimal(product.numerator), Decimal(product.denominator)))
        return Fraction(Context(prec=self._digits + 1).plus(middle_text))

    def _are_near(self) -> bool:
        a, b = Fraction(self._ends[True].value), Fraction(self._ends[False].value)
        if self._integer:
            return abs(a - b) == 1
        return abs(a - b) <= max(abs(a), abs(b)) / 10**self._digits or self._between(a, b) in (a, b)

    def _verdict(self, x: Fraction) -> bool | None:
        """What is certain of this value, which is kept; None where it is undecided, or outside of the domain."""
        if x in self._known:
            met = self._known[x]
            if met is not None:
                self._ends[met] = self._decided_ends[x]
            return met
        value = int(x) if self._integer else Exact(x)
        try:
            met, answer, run = self._decided(self._build(value))
        except _core.NotApplicable:
            raise
        except SpecError as error:
            self._error, met = error, None
        self._known[x] = met
        if met is not None:
            self._ends[met] = self._decided_ends[x] = End(value, run, answer)
        return met

    def _decided(self, run: Composition) -> Tuple[bool | None, Any, Composition]:
        met, answer = None, None
        for digits in _DIGITS.get(self._target.quantity, _DIGITS_OF_OTHERS):
            left = None if self._until is None else self._until - time.monotonic()
            if left is not None and left <= 0:
                self.remark = "out of time"
                break
            with Quietly():
                answer = self._target.ask(run, digits, left)
            self.queries += 1
            met = self._target.met_by(answer)
            if met is not None:
                break
        return met, answer, run
