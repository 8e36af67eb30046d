"""An accountant of dp_accounting that returns certified upper ends.

    from plaudit.dp_accounting import PlauditAccountant
    PlauditAccountant().compose(event).get_epsilon(1e-5)

Events are read as `plaudit.from_` reads them; docs/adaptors.md has the table."""
from __future__ import annotations

import math
from numbers import Integral
from typing import Any, Dict, Tuple

import dp_accounting

from ._composition import Composition, parse
from ._core import NotApplicable, SpecError
from ._events import DEEPEST, NonPrivate, event_of, relation_of, spec_of
from ._events.divergences import STATED, divergences_of_law, order_of, stated_divergences, up
from ._events.libraries import composed
from ._numbers import array_of, is_array, text_of
from ._sessions import Session

#: How often a mechanism may run in a spec.
MOST_STEPS = 10**12


class InvalidEvent(dp_accounting.UnsupportedEventError, SpecError):  # type: ignore[misc]
    """A number of an event is outside of its domain: a ValueError, as dp_accounting's own accountants raise."""


#: How dp_accounting's own accountants call what is wrong, for callers that look for these words.
_THEIR_WORDS = {"noise_multiplier": "Noise multiplier", "sampling_probability": "Sampling rate"}


class PlauditAccountant(dp_accounting.PrivacyAccountant):  # type: ignore[misc]
    """Composes events, and answers with the certified upper end, rounded up.

    Parameters
    ----------
    neighboring_relation : dp_accounting.NeighboringRelation
        As of dp_accounting's own accountants.
    value_discretization_interval : object, optional
        Taken, since PLDAccountant has it, and not needed.
    digits : int
        Significant decimal digits wanted in the width of the band.
    timeout : float or None
        Seconds for each answer, after which the band known by then is taken; None: no limit.
    """

    def __init__(self, neighboring_relation: Any = dp_accounting.NeighboringRelation
                 .ADD_OR_REMOVE_ONE, value_discretization_interval: Any = None, *, digits: int = 8,
                 timeout: float | None = 60) -> None:
        super().__init__(neighboring_relation)
        self._relation = relation_of(neighboring_relation) or "add_remove"
        self._options: Dict[str, Any] = {"digits": digits, "timeout": timeout}
        self._factors: Dict[str, int] = {}
        #: Events of which more may be known than their law says, by their specs and all that they state, and how often.
        self._stated: Dict[Tuple[str, str], Tuple[Any, int]] = {}
        self._invalid: SpecError | None = None
        self._contains_non_dp_event = False

    def compose(self, event: Any, count: int = 1) -> Any:
        """Composes an event, as of dp_accounting's own accountants.

        Parameters
        ----------
        event : dp_accounting.DpEvent
            What was run.
        count : int
            How often.

        Returns
        -------
        PlauditAccountant
            This one.

        Raises
        ------
        UnsupportedEventError
            Nothing is proven about it. Where a number is outside of its domain, it is a ValueError too.
        """
        self._invalid = None
        try:
            return super().compose(event, count)
        except dp_accounting.UnsupportedEventError as error:
            if self._invalid is None:
                raise
            words = str(self._invalid)
            for name, theirs in _THEIR_WORDS.items():
                words = words.replace(f": {name} must", f": {theirs} ({name}) must")
            for ours in ("a number", "an integer"):
                words = words.replace(f"must be {ours} >= 0", f"must be {ours} >= 0 (non-negative)")
            raise InvalidEvent(words) from error

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
            self._contains_non_dp_event = self._contains_non_dp_event or (do_compose and count > 0)
            return None
        except SpecError as error:
            if not isinstance(error, NotApplicable):
                self._invalid = error
            return self._refused(event, f"{error}{self._other_relations(event)}")
        if spec is None:
            return None
        steps = self._factors.get(spec, 0) + count
        if steps > MOST_STEPS:
            return self._refused(event, "a mechanism may run up to 10^12 times")
        if do_compose and count:
            self._factors[spec] = steps
            if kind in STATED:
                key = (spec, repr(event_of(event)))
                self._stated[key] = (event, self._stated.get(key, (event, 0))[1] + count)
        return None

    def _other_relations(self, event: Any) -> str:
        """Under which relations it is answered, in the words of dp_accounting's own accountants."""
        answered = []
        for relation in dp_accounting.NeighboringRelation:
            try:
                spec_of(event_of(event), str(relation_of(relation)))
                answered.append(f"`{relation.name}`")
            except SpecError:
                pass
        return f"; neighboring_relation must be {' or '.join(answered)}" if answered else ""

    def _refused(self, event: Any, words: str) -> Any:
        return self.CompositionErrorDetails(invalid_event=event, error_message=words)

    @property
    def composition(self) -> Composition:
        """What was run so far; a SpecError where nothing was, or where it is not private."""
        if self._contains_non_dp_event:
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
        if self._contains_non_dp_event:
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
        if self._contains_non_dp_event:
            return 1.0
        if not self._factors and target_epsilon >= 0:
            return 0.0
        run = self.composition if self._factors else parse("approximate(epsilon=0, delta=0)")
        return float(Session(run, **self._options).delta(target_epsilon).upper)

    def get_renyi_divergences(self, orders: Any) -> Any:
        """Renyi divergences that suffice, as RdpAccountant composes them.

        Where an event is defined by divergences, as ZCDpEvent is, they are these; of RepeatAndSelectDpEvent they are the
        least bounds of Papernot and Steinke that these orders allow. Other events have the divergences of their dominating
        pair. An epsilon of `get_epsilon` does not come from these, and is smaller than what they give.

        Parameters
        ----------
        orders : float or array_like of float
            From 1 to infinity.

        Returns
        -------
        float or numpy.ndarray
            In nats, rounded up, the greater of both directions; an array for an array.
        """
        import numpy

        points = array_of(orders) if is_array(orders) else numpy.array([orders])
        at = [order_of(each, "" if each == math.inf else text_of(each, "order")) for each in points.ravel()]
        digits, timeout = self._options["digits"], self._options["timeout"]
        rest = dict(self._factors)
        sums = [math.inf if self._contains_non_dp_event else 0.0 for _ in at]
        for (spec, _), (event, count) in self._stated.items():
            stated = stated_divergences(event_of(event), self._relation, at, digits, timeout)
            if stated is not None:
                rest[spec] -= count
                sums = [up(total + up(count * each)) for total, each in zip(sums, stated)]
        rest = {spec: count for spec, count in rest.items() if count}
        if rest:
            law = divergences_of_law(composed(rest), at, digits, timeout)
            sums = [up(total + each) if total else each for total, each in zip(sums, law)]
        found = numpy.array(sums, dtype=float).reshape(points.shape)
        return found if is_array(orders) else float(found[0])

    def get_true_positive_rates(self, false_positive_rates: Any, deltas: Any = None) -> Any:
        """Bounds of the true positive rates of tests for a record, by their false positive rates.

        Parameters
        ----------
        false_positive_rates : float or array_like of float
            In [0, 1].
        deltas : object, optional
            Taken, since PLDAccountant has it, and not needed.

        Returns
        -------
        float or numpy.ndarray
            Rounded up; an array for an array.
        """
        if is_array(false_positive_rates):
            points = array_of(false_positive_rates)
            rates = [self.get_true_positive_rates(each) for each in points.ravel()]
            import numpy

            return numpy.array(rates, dtype=float).reshape(points.shape)
        if self._contains_non_dp_event:
            return 1.0
        if not self._factors:
            return float(false_positive_rates)
        digits, timeout = self._options["digits"], self._options["timeout"]
        tests = self.composition.best_tests(digits=digits, timeout=timeout)
        return float(tests.true_positive_rate(false_positive_rates).upper)

    def get_gdp_parameter_estimate(self, false_positive_rates: Any = None, deltas: Any = None) -> float:
        """A mu that suffices for all tests of which both error rates are at least the least one given.

        Parameters
        ----------
        false_positive_rates : array_like of float, optional
            Of which the least one counts; None: 1e-12, as of PLDAccountant.
        deltas : object, optional
            Taken, since PLDAccountant has it, and not needed.

        Returns
        -------
        float
            Rounded up; inf where an infinite loss has a greater probability than that rate.
        """
        least = 1e-12 if false_positive_rates is None else min(array_of(false_positive_rates).ravel())
        if self._contains_non_dp_event:
            return math.inf
        if not self._factors:
            return 0.0
        run = self.composition
        if any(run.loss(direction).mass_at_infinity().lower > least for direction in ("remove", "add")):
            return math.inf
        return float(run.gaussian_mu(least, timeout=self._options["timeout"]).upper)
