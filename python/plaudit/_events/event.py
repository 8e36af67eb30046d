"""An event of dp_accounting, whatever it is written as: the name of its class, and its fields."""
from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Dict, List, NamedTuple, Tuple

from .._core import NotApplicable, SpecError
from .._numbers import text_of

#: Brackets that may be nested in an event.
DEEPEST = 100

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?(/\d+)?")
_TYPE_NAMES = ("class_name", "type", "class", "__class__")

#: The fields of the events that are known, in the order of their tuples.
FIELDS: Dict[str, Tuple[str, ...]] = {
    "NoOpDpEvent": (), "NonPrivateDpEvent": (), "UnsupportedDpEvent": (),
    "GaussianDpEvent": ("noise_multiplier",),
    "LaplaceDpEvent": ("noise_multiplier",),
    "DiscreteLaplaceDpEvent": ("noise_parameter", "sensitivity"),
    "DiscreteGaussianDpEvent": ("sigma", "sensitivity", "dimension"),
    "MixtureOfGaussiansDpEvent": ("standard_deviation", "sensitivities", "sampling_probs"),
    "RandomizedResponseDpEvent": ("noise_parameter", "num_buckets"),
    "EpsilonDeltaDpEvent": ("epsilon", "delta"),
    "ZCDpEvent": ("rho", "xi"),
    "ExponentialMechanismDpEvent": ("epsilon",),
    "PermuteAndFlipDpEvent": ("epsilon",),
    "ComposedDpEvent": ("events",),
    "SelfComposedDpEvent": ("event", "count"),
    "PoissonSampledDpEvent": ("sampling_probability", "event"),
    "SampledWithReplacementDpEvent": ("source_dataset_size", "sample_size", "event"),
    "SampledWithoutReplacementDpEvent": ("source_dataset_size", "sample_size", "event"),
    "SingleEpochTreeAggregationDpEvent": ("noise_multiplier", "step_counts"),
    "RepeatAndSelectDpEvent": ("event", "mean", "shape"),
    "TruncatedSubsampledGaussianDpEvent": ("dataset_size", "sampling_probability",
                                           "truncated_batch_size", "noise_multiplier"),
}


class NonPrivate(NotApplicable):
    """What was run is not private: infinity is the only epsilon that is stated for it."""


class Event(NamedTuple):
    """An event by the name of its class, and its fields."""

    kind: str
    fields: Dict[str, Any]


def is_event(x: Any) -> bool:
    """An event of dp_accounting: the object, its named tuple, or either as JSON."""
    if isinstance(x, Mapping):
        return any(name in x for name in _TYPE_NAMES)
    if hasattr(x, "_fields"):
        return hasattr(x, "class_name")
    return _is_tuple(x) or type(x).__name__.endswith("DpEvent")


def _is_tuple(x: Any) -> bool:
    """A named tuple of which only the values were kept, as JSON does: module, class, fields."""
    return (isinstance(x, (list, tuple)) and not isinstance(x, Event) and len(x) >= 2
            and isinstance(x[0], str) and _is_module(x[0]) and isinstance(x[1], str))


def _is_module(name: Any) -> bool:
    if isinstance(name, bytes):
        name = name.decode(errors="replace")
    return isinstance(name, str) and name.split(".")[-1] == "dp_event"


def event_of(x: Any) -> Event:
    """The event, whatever it is written as."""
    if isinstance(x, Event):
        return x
    if isinstance(x, Mapping):
        fields = {str(key): value for key, value in x.items()}
    elif hasattr(x, "_fields"):
        fields = dict(zip(x._fields, x))
    elif type(x).__name__.endswith("DpEvent"):
        names = [each.name for each in getattr(type(x), "__attrs_attrs__", ())]
        return Event(type(x).__name__, {name: getattr(x, name) for name in names or vars(x)})
    elif _is_tuple(x):
        order = FIELDS.get(x[1], ())
        if x[1] in FIELDS and len(x) > len(order) + 2:
            raise SpecError(f"{x[1]} has at most {len(order)} fields")
        return Event(x[1], dict(zip(order, x[2:])))
    else:
        raise SpecError(f"a DpEvent is wanted, not {type(x).__name__}")
    module = fields.pop("module_name", "dp_event")
    if not _is_module(module):  # a class of the same name may mean something else
        raise SpecError("a DpEvent's module_name must be dp_accounting.dp_event, not "
                        f"{str(module)[:80]!r}")
    kinds = [fields.pop(name) for name in _TYPE_NAMES if name in fields]
    kinds = [each.decode() if isinstance(each, bytes) else each for each in kinds]
    if not kinds:
        raise SpecError("a DpEvent needs its class name under class_name")
    if any(each != kinds[0] for each in kinds) or not isinstance(kinds[0], str):
        raise SpecError("the class name of a DpEvent must be one text")
    return Event(kinds[0], fields)


# ---- Fields

def check_fields(event: Event, *names: str, optional: Tuple[str, ...] = ()) -> None:
    """A field that is not known may change what the event means."""
    for name in event.fields:
        if name not in names:
            raise SpecError(f"{event.kind} has no field {name[:40]!r} that is known")
    for name in names:
        if name not in event.fields and name not in optional:
            raise SpecError(f"{event.kind}: {name} is missing")


def plain(value: Any, what: str) -> str:
    """A number as text that is nothing else."""
    try:
        text = text_of(value, what)
    except SpecError:
        raise SpecError(f"{what} must be a finite number, not {str(value)[:40]!r}") from None
    if len(text) > 1000 or not _NUMBER.fullmatch(text) or re.search(r"/0+$", text):
        raise SpecError(f"{what} must be a finite number, not {text[:40]!r}")
    if re.search(r"[.eE].*/", text):
        raise SpecError(f"{what} must be a decimal or a ratio of integers, not {text[:40]!r}")
    return text


def number(event: Event, name: str) -> str:
    return plain(event.fields[name], f"{event.kind}: {name}")


def at_least_zero(event: Event, name: str) -> str:
    text = number(event, name)
    if Fraction(text) < 0:
        raise SpecError(f"{event.kind}: {name} must be a number >= 0, not {text}")
    return text


def noise_of(event: Event, name: str) -> str:
    text = at_least_zero(event, name)
    if Fraction(text) == 0:
        raise NonPrivate(f"{event.kind}: {name} is 0, so it is not private")
    return text


def integer(event: Event, name: str) -> int:
    value = Fraction(number(event, name))
    if value.denominator != 1 or value < 0:
        raise SpecError(f"{event.kind}: {name} must be an integer >= 0, not {float(value)!r}")
    return int(value)


def is_list(x: Any) -> bool:
    if isinstance(x, (str, bytes)):
        return False
    return isinstance(x, Sequence) or getattr(x, "ndim", 0) == 1


def list_of(event: Event, name: str) -> List[Any]:
    if not is_list(event.fields[name]):
        raise SpecError(f"{event.kind}: {name} must be a list")
    return list(event.fields[name])


def is_infinite(value: Any) -> bool:
    try:
        return bool(math.isinf(value)) and value > 0
    except (TypeError, OverflowError):
        return False
