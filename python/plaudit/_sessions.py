"""Many questions about one composition."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, overload

from . import _core
from ._bands import PLACES, Band, answered
from ._curves import Bands
from ._many.progress import followed
from ._numbers import (DEFAULT_MEMORY, Numbers, Scalar, accountant_of, array_of, check_options, is_array,
                       text_of)

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
        accountant = accountant_of(accountant)
        self._options: Dict[str, Any] = {"digits": digits, "accountant": accountant,
                                         "direction": direction, "memory": memory}
        self._core = _core.Session(run._core, digits, accountant, direction, timeout, threads,
                                   memory)

    @overload
    def epsilon(self, delta: Scalar) -> Band: ...

    @overload
    def epsilon(self, delta: Numbers) -> Bands: ...

    def epsilon(self, delta: Any) -> Any:
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
        return self._one("epsilon", delta)

    @overload
    def delta(self, epsilon: Scalar) -> Band: ...

    @overload
    def delta(self, epsilon: Numbers) -> Bands: ...

    def delta(self, epsilon: Any) -> Any:
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
        return self._one("delta", epsilon)

    def _one(self, quantity: str, argument: Any) -> Any:
        if is_array(argument):
            points = array_of(argument)
            bands = (self._one(quantity, x) for x in points.ravel())
            return Bands(list(followed(bands, points.size, quantity, False)), points.shape)
        at = text_of(argument, PLACES[quantity])
        ask = self._core.epsilon if quantity == "epsilon" else self._core.delta
        return answered(Band(ask(at), self.run, quantity, at, self._options))

    def __repr__(self) -> str:
        return f"<session of {self.run.spec}>"
