"""Many questions about one composition."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, cast

from . import _core
from ._bands import PLACES, Band, Bands, warn_if_wide
from ._numbers import DEFAULT_MEMORY, Number, check_options, is_array, text_of

if TYPE_CHECKING:
    from ._composition import Composition


class Session:
    """Many questions about one composition, which share their work.

    Parameters
    ----------
    run : Composition
        What is asked about.
    digits, accountant, direction, timeout, threads, memory
        As of `Composition.epsilon`; the timeout is for each question.
    """

    def __init__(self, run: "Composition", *, digits: int = 12, accountant: str = "auto",
                 direction: str = "both", timeout: float | None = 60, threads: int = 1,
                 memory: int = DEFAULT_MEMORY) -> None:
        self.run = run
        check_options(digits=digits, threads=threads, memory=memory, timeout=timeout)
        self._options: Dict[str, Any] = {"digits": digits, "accountant": accountant,
                                         "direction": direction, "memory": memory}
        self._core = _core.Session(run._core, digits, accountant, direction, timeout, threads,
                                   memory)

    def epsilon(self, delta: Number) -> Band:
        """As `Composition.epsilon`.

        Parameters
        ----------
        delta : number or array_like of numbers
            In [0, 1].

        Returns
        -------
        Band or Bands
            In nats.
        """
        return cast(Band, self._one("epsilon", delta))

    def delta(self, epsilon: Number) -> Band:
        """As `Composition.delta`.

        Parameters
        ----------
        epsilon : number or array_like of numbers
            Any real number, in nats.

        Returns
        -------
        Band or Bands
            In [0, 1].
        """
        return cast(Band, self._one("delta", epsilon))

    def _one(self, quantity: str, argument: Any) -> Any:
        if is_array(argument):
            import numpy

            points = numpy.asarray(argument, dtype=object if isinstance(argument, (list, tuple)) else None)
            return Bands([self._one(quantity, x) for x in points.ravel()], points.shape)
        at = text_of(argument, PLACES[quantity])
        ask = self._core.epsilon if quantity == "epsilon" else self._core.delta
        return warn_if_wide(Band(ask(at), self.run, quantity, at, self._options))
