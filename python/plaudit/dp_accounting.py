"""An accountant of dp_accounting that returns certified upper ends.

    from plaudit.dp_accounting import PlauditAccountant
    PlauditAccountant().compose(event).get_epsilon(1e-5)

Events are read as `plaudit.from_` reads them; docs/adaptors.md has the table."""
from __future__ import annotations

import math
from numbers import Integral
from typing import Any, Dict

import dp_accounting

from ._composition import Composition, parse
from ._core import SpecError
from ._events import DEEPEST, NonPrivate, event_of, relation_of, spec_of
from ._events.libraries import composed
from ._sessions import Session

#: How often a mechanism may run in a spec.
MOST_STEPS = 10**12


class PlauditAccountant(dp_accounting.PrivacyAccountant):  # type: ignore[misc]
    """Composes events, and answers with the certified upper end, rounded up.

    Parameters
    ----------
    neighboring_relation : dp_accounting.NeighboringRelation
        As of dp_accounting's own accountants.
    digits : int
        Significant decimal digits wanted in the width of the band.
    timeout : float or None
        Seconds for each answer, after which the band known by then is taken; None: no limit.
    """

    def __init__(self, neighboring_relation: Any = dp_accounting.NeighboringRelation
                 .ADD_OR_REMOVE_ONE, *, digits: int = 8, timeout: float | None = 60) -> None:
        super().__init__(neighboring_relation)
        self._relation = relation_of(neighboring_relation) or "add_remove"
        self._options: Dict[str, Any] = {"digits": digits, "timeout": timeout}
        self._factors: Dict[str, int] = {}
        self._non_private = False

    def _maybe_compose(self, event: Any, count: int, do_compose: bool) -> Any:
        return self._take(event, count, do_compose, 0)

    def _take(self, event: Any, count: int, do_compose: bool, depth: int) -> Any:
        if depth > DEEPEST:
            return self._refused(event, f"nested more than {DEEPEST} deep")
        kind = type(event).__name__
        if kind == "SelfComposedDpEvent":
            if not isinstance(event.count, Integral) or event.count < 0:
                return self._refused(event, f"count must be an integer >= 0, not {event.count!r}")
            # What is run no times must be readable too, but is not composed.
            return self._take(event.event, int(event.count) * count, do_compose, depth + 1)
        if kind == "ComposedDpEvent":
            for each in event.events:
                error = self._take(each, count, do_compose, depth + 1)
                if error is not None:
                    return error
            return None
        try:
            spec = spec_of(event_of(event), self._relation)
            if spec is not None:
                parse(spec)
        except NonPrivate:
            self._non_private = self._non_private or (do_compose and count > 0)
            return None
        except SpecError as error:
            return self._refused(event, str(error))
        if spec is None:
            return None
        steps = self._factors.get(spec, 0) + count
        if steps > MOST_STEPS:
            return self._refused(event, "a mechanism may run up to 10^12 times")
        if do_compose and count:
            self._factors[spec] = steps
        return None

    def _refused(self, event: Any, words: str) -> Any:
        return self.CompositionErrorDetails(invalid_event=event, error_message=words)

    @property
    def composition(self) -> Composition:
        """What was run so far; a SpecError where nothing was, or where it is not private."""
        if self._non_private:
            raise NonPrivate("what was run is not private")
        return composed(self._factors)

    def get_epsilon(self, target_delta: float) -> float:
        """An epsilon that suffices.

        Parameters
        ----------
        target_delta : float
            In [0, 1].

        Returns
        -------
        float
            Rounded up; inf where none suffices.
        """
        if self._non_private:
            return math.inf
        if not self._factors:
            return 0.0
        return float(Session(self.composition, **self._options).epsilon(target_delta).upper)

    def get_delta(self, target_epsilon: float) -> float:
        """A delta that suffices.

        Parameters
        ----------
        target_epsilon : float
            Any real number, in nats.

        Returns
        -------
        float
            Rounded up.
        """
        if self._non_private:
            return 1.0
        if not self._factors and target_epsilon >= 0:
            return 0.0
        run = self.composition if self._factors else parse("approximate(epsilon=0, delta=0)")
        return float(Session(run, **self._options).delta(target_epsilon).upper)
