"""The law of the privacy loss of a composition, and those of mechanisms that laws of one's own are made of."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, List, overload

from . import _core
from ._numbers import Number, Numbers, Scalar, array_of, is_array, text_of

if TYPE_CHECKING:
    import numpy


def _each(ask: Callable[[str, int], Any], at: Any, name: str, digits: int) -> Any:
    """The answer, or an array of answers."""
    if not is_array(at):
        return ask(text_of(at, name), digits)
    import numpy

    points = array_of(at)
    answers = numpy.empty(points.shape, dtype=object)
    for place, x in numpy.ndenumerate(points):
        answers[place] = ask(text_of(x, name), digits)
    return answers


class PrivacyLoss:
    """The law of the privacy loss L = log dP/dQ of a dominating pair (P, Q). Made by `Composition.loss`.

    Losses x and epsilon are numbers in nats. Each method returns an `Interval` that holds its value for
    the exact parameters, towards `digits` significant decimal digits; of an array of numbers an array of
    intervals.
    """

    def __init__(self, core: _core.PrivacyLoss) -> None:
        self._core = core

    @overload
    def p_above(self, x: Scalar, digits: int = 15) -> _core.Interval: ...

    @overload
    def p_above(self, x: Numbers, digits: int = 15) -> "numpy.ndarray[Any, Any]": ...

    def p_above(self, x: Any, digits: int = 15) -> Any:
        """P(L > x), the mass at infinity included."""
        return _each(self._core.p_above, x, "x", digits)

    @overload
    def q_above(self, x: Scalar, digits: int = 15) -> _core.Interval: ...

    @overload
    def q_above(self, x: Numbers, digits: int = 15) -> "numpy.ndarray[Any, Any]": ...

    def q_above(self, x: Any, digits: int = 15) -> Any:
        """Q(L > x)."""
        return _each(self._core.q_above, x, "x", digits)

    @overload
    def p_atom(self, x: Scalar, digits: int = 15) -> _core.Interval: ...

    @overload
    def p_atom(self, x: Numbers, digits: int = 15) -> "numpy.ndarray[Any, Any]": ...

    def p_atom(self, x: Any, digits: int = 15) -> Any:
        """P(L = x)."""
        return _each(self._core.p_atom, x, "x", digits)

    @overload
    def quantile(self, p: Scalar, digits: int = 15) -> _core.Interval: ...

    @overload
    def quantile(self, p: Numbers, digits: int = 15) -> "numpy.ndarray[Any, Any]": ...

    def quantile(self, p: Any, digits: int = 15) -> Any:
        """The least x with P(L <= x) >= p, for 0 < p < 1."""
        return _each(self._core.quantile, p, "p", digits)

    @overload
    def delta(self, epsilon: Scalar, digits: int = 15) -> _core.Interval: ...

    @overload
    def delta(self, epsilon: Numbers, digits: int = 15) -> "numpy.ndarray[Any, Any]": ...

    def delta(self, epsilon: Any, digits: int = 15) -> Any:
        """P(L > epsilon) - e^epsilon Q(L > epsilon)."""
        return _each(self._core.delta, epsilon, "epsilon", digits)

    @overload
    def log_mgf(self, t: Scalar, digits: int = 15) -> _core.Interval: ...

    @overload
    def log_mgf(self, t: Numbers, digits: int = 15) -> "numpy.ndarray[Any, Any]": ...

    def log_mgf(self, t: Any, digits: int = 15) -> Any:
        """log E_P[e^{tL}; L < infinity]."""
        return _each(self._core.log_mgf, t, "t", digits)

    @overload
    def density(self, x: Scalar, digits: int = 15) -> _core.Interval | None: ...

    @overload
    def density(self, x: Numbers, digits: int = 15) -> "numpy.ndarray[Any, Any]": ...

    def density(self, x: Any, digits: int = 15) -> Any:
        """The density of the continuous part of L under P; None where there is no formula."""
        return _each(self._core.density, x, "x", digits)

    def mass_at_infinity(self, digits: int = 15) -> _core.Interval:
        """P(L = infinity)."""
        return self._core.mass_at_infinity(digits)

    def least_loss(self, digits: int = 15) -> _core.Interval:
        """The lower end of the support of the finite part of L."""
        return self._core.least_loss(digits)

    def greatest_loss(self, digits: int = 15) -> _core.Interval:
        """The upper end of the support of the finite part of L."""
        return self._core.greatest_loss(digits)

    def atoms(self, start: Number | None = None, stop: Number | None = None,
              digits: int = 15) -> List[_core.Atom]:
        """The atoms by increasing loss: all of them, or those from `start` to `stop`, both of which are then given."""
        if start is None and stop is None:
            return self._core.atoms(digits)
        return self._core.atoms_between(text_of(start, "start"), text_of(stop, "stop"), digits)

    def describe(self) -> str:
        """The law in words and rounded numbers."""
        return self._core.describe()

    def __repr__(self) -> str:
        return f"<{self.describe()}>"


def law_of(run: Any, direction: str = "remove") -> _core.KnownLaw:
    """The law of a mechanism in one direction, for laws that are made of it.

    Parameters
    ----------
    run : Composition or str
        One step of one mechanism.
    direction : {"remove", "add"}
        Of the pair.

    Returns
    -------
    KnownLaw
        It answers `p_above`, `q_above`, `mass_at_infinity` and `q_mass` too.

    Raises
    ------
    SpecError
        The run has several steps.
    """
    from ._composition import Composition, parse

    if isinstance(run, str):
        run = parse(run)
    if not isinstance(run, Composition):
        raise _core.SpecError(f"law_of: a mechanism is wanted, not {run!r}")
    return _core.law_of(run._core, direction)


def reversed_law(law: Any) -> _core.KnownLaw:
    """The law of the pair (Q, P): that of the other direction, where both are of the same data sets.

    Parameters
    ----------
    law : Law or KnownLaw
        Of the pair (P, Q).

    Returns
    -------
    KnownLaw
        Of the losses with the other sign.
    """
    return _core.reversed_law(law)
