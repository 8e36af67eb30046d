"""The accountant of prv_accountant with certified ends: the same calls, and the same triples."""
from __future__ import annotations

from typing import Any, Sequence, Tuple

from ._bands import Band
from ._composition import Composition
from ._core import SpecError
from ._events import is_list
from ._events.libraries import composed, factors_of_prvs


class ComposedPRV:
    """What `compute_composition` gives: as prv_accountant's law of a composition, with proven numbers."""

    def __init__(self, composition: Composition, digits: int) -> None:
        #: What is run, for any other question.
        self.composition = composition
        self._digits = digits

    def compute_epsilon(self, delta: Any, delta_error: Any = None, epsilon_error: Any = None
                        ) -> Tuple[float, float, float]:
        """Lower end, estimate and upper end of epsilon at a delta.

        Parameters
        ----------
        delta : float
            In [0, 1].
        delta_error, epsilon_error : object, optional
            Taken and not needed.

        Returns
        -------
        tuple of float
            In nats.
        """
        return _triple(self.composition.epsilon(delta, digits=self._digits))

    def compute_delta_estimate(self, epsilon: Any) -> float:
        """The middle of the band of delta at an epsilon.

        Parameters
        ----------
        epsilon : float
            Any real number, in nats.

        Returns
        -------
        float
            In [0, 1].
        """
        return float(self.composition.delta(epsilon, digits=self._digits).mid)

    def __repr__(self) -> str:
        return f"<law of the loss of {self.composition}>"


class PRVAccountant:
    """As `prv_accountant.PRVAccountant`, with proven ends.

    `compute_epsilon` and `compute_delta` return (lower, estimate, upper), where lower and upper are
    proven and the estimate lies between them.

    Parameters
    ----------
    prvs : mechanism or list of mechanisms
        Of prv_accountant.
    eps_error, delta_error, eps_max : object, optional
        Taken and not needed: the band is as narrow as `digits`.
    max_self_compositions : int or list of int, optional
        How often each may run at most; None: any number.
    digits : int
        Significant decimal digits wanted in the width of the band.
    """

    def __init__(self, prvs: Any, eps_error: Any = None, delta_error: Any = None,
                 max_self_compositions: Any = None, eps_max: Any = None, *,
                 digits: int = 12) -> None:
        self.prvs = list(prvs) if is_list(prvs) else [prvs]
        most = max_self_compositions
        self.max_self_compositions = most if most is None or is_list(most) else [most]
        self.digits = digits
        if self.max_self_compositions is not None and len(self.prvs) != len(
                self.max_self_compositions):
            raise SpecError(f"{len(self.prvs)} mechanisms, but {len(self.max_self_compositions)} "
                            "max_self_compositions")

    def compute_epsilon(self, delta: Any, num_self_compositions: Any) -> Tuple[float, float, float]:
        """Lower end, estimate and upper end of epsilon at a delta.

        Parameters
        ----------
        delta : float
            In [0, 1].
        num_self_compositions : int or list of int
            How often each mechanism is run.

        Returns
        -------
        tuple of float
            In nats.
        """
        run = self.composition(num_self_compositions)
        return _triple(run.epsilon(delta, digits=self.digits))

    def compute_delta(self, epsilon: Any, num_self_compositions: Any) -> Tuple[float, float, float]:
        """Lower end, estimate and upper end of delta at an epsilon.

        Parameters
        ----------
        epsilon : float
            Any real number, in nats.
        num_self_compositions : int or list of int
            How often each mechanism is run.

        Returns
        -------
        tuple of float
            In [0, 1].
        """
        run = self.composition(num_self_compositions)
        return _triple(run.delta(epsilon, digits=self.digits))

    def composition(self, num_self_compositions: Any) -> Composition:
        """What is run.

        Parameters
        ----------
        num_self_compositions : int or list of int
            How often each mechanism is run.

        Returns
        -------
        Composition
            For any other question.
        """
        counts: Sequence[Any] = (num_self_compositions if is_list(num_self_compositions)
                                 else [num_self_compositions])
        most = self.max_self_compositions
        if most is not None and len(most) == len(counts) and any(
                count > limit for count, limit in zip(counts, most)):
            raise SpecError("num_self_compositions exceeds max_self_compositions")
        return composed(factors_of_prvs(self.prvs, counts))

    def compute_composition(self, num_self_compositions: Any = None) -> ComposedPRV:
        """The composed mechanisms, as prv_accountant hands them on.

        Parameters
        ----------
        num_self_compositions : int, list of int or None
            How often each mechanism is run; None: once.

        Returns
        -------
        ComposedPRV
            Of which epsilon and delta are asked.
        """
        counts = [1] * len(self.prvs) if num_self_compositions is None else num_self_compositions
        return ComposedPRV(self.composition(counts), self.digits)


def _triple(band: Band) -> Tuple[float, float, float]:
    return band.lower, band.mid, band.upper
