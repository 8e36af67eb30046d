"""The law of the privacy loss of a composition."""
from __future__ import annotations

from typing import List

from . import _core
from ._numbers import Number, text_of


class PrivacyLoss:
    """The law of the privacy loss L = log dP/dQ of a dominating pair (P, Q). Made by `Composition.loss`.

    Losses x and epsilon are numbers in nats. Each method returns an `Interval` that holds its value for
    the exact parameters, towards `digits` significant decimal digits.
    """

    def __init__(self, core: _core.PrivacyLoss) -> None:
        self._core = core

    def p_above(self, x: Number, digits: int = 15) -> _core.Interval:
        """P(L > x), the mass at infinity included."""
        return self._core.p_above(text_of(x, "x"), digits)

    def q_above(self, x: Number, digits: int = 15) -> _core.Interval:
        """Q(L > x)."""
        return self._core.q_above(text_of(x, "x"), digits)

    def p_atom(self, x: Number, digits: int = 15) -> _core.Interval:
        """P(L = x)."""
        return self._core.p_atom(text_of(x, "x"), digits)

    def quantile(self, p: Number, digits: int = 15) -> _core.Interval:
        """The least x with P(L <= x) >= p, for 0 < p < 1."""
        return self._core.quantile(text_of(p, "p"), digits)

    def delta(self, epsilon: Number, digits: int = 15) -> _core.Interval:
        """P(L > epsilon) - e^epsilon Q(L > epsilon)."""
        return self._core.delta(text_of(epsilon, "epsilon"), digits)

    def log_mgf(self, t: Number, digits: int = 15) -> _core.Interval:
        """log E_P[e^{tL}; L < infinity]."""
        return self._core.log_mgf(text_of(t, "t"), digits)

    def density(self, x: Number, digits: int = 15) -> _core.Interval | None:
        """The density of the continuous part of L under P; None where there is no formula."""
        return self._core.density(text_of(x, "x"), digits)

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
