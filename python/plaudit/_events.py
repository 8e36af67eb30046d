"""The events of dp_accounting as specs of plaudit, by class name: the library itself is not needed.

What each event means is read from its docstring; docs/adaptors.md has the table. An event for which
nothing is proven under the neighbouring relation at hand is refused, with the reason.
"""
from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Dict, List, NamedTuple, Tuple

from ._core import NotApplicable, SpecError
from ._numbers import text_of

#: Neighbouring relations, by the names of dp_accounting and by plaudit's.
RELATIONS: Dict[str, str] = {
    "add_remove": "add_remove", "add/remove": "add_remove", "ADD_OR_REMOVE_ONE": "add_remove",
    "replace": "replace", "REPLACE_ONE": "replace",
    "zero_out": "zero_out", "zero-out": "zero_out", "REPLACE_SPECIAL": "zero_out",
}

#: Events that are refused whatever their fields are, and why.
REFUSED: Dict[str, str] = {
    "UnsupportedDpEvent": "it stands for an operation of which nothing is known",
    "RepeatAndSelectDpEvent": "repeating a mechanism and selecting the best output has no proven "
                              "dominating pair here",
}

#: Events whose guarantee is one for replaced records in dp_accounting's own accountants.
_OF_REPLACEMENT = ("SampledWithoutReplacementDpEvent", "SampledWithReplacementDpEvent",
                   "RandomizedResponseDpEvent")

#: Events that release a sum of records and noise: a record of zeros is one that is not there.
_SUMS = ("GaussianDpEvent", "LaplaceDpEvent", "DiscreteLaplaceDpEvent", "DiscreteGaussianDpEvent")

#: Events that have no proven pair on a sample.
_NOT_SAMPLED = ("ZCDpEvent", "TruncatedSubsampledGaussianDpEvent",
                "SingleEpochTreeAggregationDpEvent")

#: Brackets that may be nested in an event.
DEEPEST = 100

#: How far probabilities that a program computed may be from the sum 1.
SUM_TOLERANCE = Fraction(1, 10**9)

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


def relation_of(adjacency: Any) -> str | None:
    """The neighbouring relation: a name, or a NeighboringRelation of dp_accounting."""
    if adjacency is None:
        return None
    name = adjacency if isinstance(adjacency, str) else getattr(adjacency, "name", None)
    if name not in RELATIONS:
        raise SpecError("adjacency must be add_remove, replace or zero_out, or a "
                        f"NeighboringRelation, not {adjacency!r}")
    return RELATIONS[name]


def usual_relation(x: Any, depth: int = 0) -> str:
    """The relation for which dp_accounting's own accountants take an event: replace where it has
    batches of fixed size or randomised response, add_remove otherwise."""
    event = event_of(x)
    if depth > DEEPEST:
        raise SpecError(f"a DpEvent may be nested at most {DEEPEST} deep")
    if event.kind in _OF_REPLACEMENT:
        return "replace"
    inner = [event.fields["event"]] if "event" in event.fields else event.fields.get("events", [])
    relations = [usual_relation(each, depth + 1) for each in inner] if _is_list(inner) else []
    return "replace" if "replace" in relations else "add_remove"


def factors_of(x: Any, relation: str, depth: int = 0) -> Dict[str, int]:
    """The specs of the mechanisms that ran, and how often each did.

    :raises NonPrivate: there is no finite epsilon. :raises NotApplicable: nothing is proven.
    :raises SpecError: a field is missing, unknown or outside of its domain.
    """
    event = event_of(x)
    if depth > DEEPEST:
        raise SpecError(f"a DpEvent may be nested at most {DEEPEST} deep")
    result: Dict[str, int] = {}
    if event.kind == "ComposedDpEvent":
        _check(event, "events")
        for each in _list(event, "events"):
            for spec, count in factors_of(each, relation, depth + 1).items():
                result[spec] = result.get(spec, 0) + count
        return result
    if event.kind == "SelfComposedDpEvent":
        _check(event, "event", "count")
        times = _integer(event, "count")
        inner = factors_of(event.fields["event"], relation, depth + 1)
        return {spec: count * times for spec, count in inner.items()} if times else {}
    spec_of_it = spec_of(event, relation, depth)
    return {} if spec_of_it is None else {spec_of_it: 1}


def spec_of(event: Event, relation: str, depth: int = 0) -> str | None:
    """The spec of an event that is no composition; None where it loses no privacy."""
    if event.kind in REFUSED:
        raise NotApplicable(f"{event.kind} is refused: {REFUSED[event.kind]}")
    if event.kind == "NonPrivateDpEvent":
        _check(event)
        raise NonPrivate("NonPrivateDpEvent is not private")
    if event.kind not in _READERS:
        raise NotApplicable(f"{event.kind} is refused: it is not known to plaudit")
    return _READERS[event.kind](event, relation, depth)


# ---- Noise

def _noop(event: Event, relation: str, depth: int) -> str | None:
    _check(event)
    return None


def _gaussian(event: Event, relation: str, depth: int) -> str | None:
    _check(event, "noise_multiplier")
    sigma = _noise(event, "noise_multiplier")
    return f"gaussian(sigma={sigma}{_doubled(relation)})"


def _laplace(event: Event, relation: str, depth: int) -> str | None:
    _check(event, "noise_multiplier")
    scale = _noise(event, "noise_multiplier")
    return f"laplace(scale={scale}{_doubled(relation)})"


def _doubled(relation: str) -> str:
    """Each record has norm at most 1, so replacing one moves the sum by up to 2; taking it away, or
    putting zeros in its place, by up to 1."""
    return ", sensitivity=2" if relation == "replace" else ""


def _discrete_laplace(event: Event, relation: str, depth: int) -> str | None:
    _check(event, "noise_parameter", "sensitivity")
    rate = Fraction(_noise(event, "noise_parameter"))  # e^{-rate |x|}
    distance = _integer(event, "sensitivity") * (2 if relation == "replace" else 1)
    # Vectors too, by the l1 distance. Proof: docs/proofs/discrete.md#coordinates
    return None if distance == 0 else (
        f"discrete_laplace(scale={text_of(1 / rate)}, sensitivity={distance})")


def _discrete_gaussian(event: Event, relation: str, depth: int) -> str | None:
    _check(event, "sigma", "sensitivity", "dimension", optional=("sensitivity", "dimension"))
    sigma = _noise(event, "sigma")
    stated = "sensitivity" in event.fields
    distance = Fraction(_number(event, "sensitivity")) if stated else Fraction(1)
    if distance < 0:
        raise SpecError("DiscreteGaussianDpEvent: sensitivity must be a number >= 0")
    if relation == "replace":
        raise NotApplicable("DiscreteGaussianDpEvent is refused under replace: whether its "
                            "sensitivity is that of a record or of a replacement is not said; take "
                            "discrete_gaussian(sigma, sensitivity)")
    # A vector of integers that is shorter than sqrt(2) has one coordinate that is not 0, +-1.
    dimension = event.fields.get("dimension")
    univariate = dimension is not None and Fraction(_number(event, "dimension")) == 1
    if not univariate and distance * distance >= 2:
        # No one-dimensional pair dominates, but the divergences are bounded.
        # Proof: docs/proofs/discrete.md#vectors
        return f"zcdp(rho={text_of((distance / Fraction(sigma)) ** 2 / 2)})"
    whole = math.floor(distance)
    return f"discrete_gaussian(sigma={sigma}, sensitivity={whole})" if whole else None


def _mixture(event: Event, relation: str, depth: int) -> str | None:
    _check(event, "standard_deviation", "sensitivities", "sampling_probs")
    if relation == "replace":
        raise NotApplicable("MixtureOfGaussiansDpEvent is refused under replace: its two laws are "
                            "those with and without a record")
    distances = [Fraction(_plain(each, "MixtureOfGaussiansDpEvent: sensitivities"))
                 for each in _list(event, "sensitivities")]
    masses = [Fraction(_plain(each, "MixtureOfGaussiansDpEvent: sampling_probs"))
              for each in _list(event, "sampling_probs")]
    if len(distances) != len(masses) or not masses:
        raise SpecError("MixtureOfGaussiansDpEvent: sensitivities and sampling_probs must be of "
                        "one length, at least 1")
    if any(each < 0 for each in masses) or any(each < 0 for each in distances):
        raise SpecError("MixtureOfGaussiansDpEvent: sensitivities and sampling_probs must be >= 0")
    law: Dict[Fraction, Fraction] = {}
    for distance, mass in zip(distances, masses):
        law[distance] = law.get(distance, Fraction(0)) + mass
    law = _of_sum_one(law)
    if set(law) == {0}:
        return None
    sigma = _noise(event, "standard_deviation")
    places = sorted(law)
    return (f"mixture(sigma={sigma}, sensitivities=[{', '.join(map(text_of, places))}], "
            f"probabilities=[{', '.join(text_of(law[each]) for each in places)}])")


def _of_sum_one(law: Dict[Fraction, Fraction]) -> Dict[Fraction, Fraction]:
    """Probabilities that a program computed sum to 1 only nearly. What is missing goes to the
    greatest sensitivity, what is too much is taken from the least ones: the result is
    stochastically above the law that division by the sum gives, so its mixture dominates that
    law's."""
    total = sum(law.values(), Fraction(0))
    if abs(total - 1) > SUM_TOLERANCE:
        raise SpecError("MixtureOfGaussiansDpEvent: sampling_probs must sum to 1, not "
                        f"{float(total)!r}")
    result = {place: mass for place, mass in law.items() if mass > 0}
    excess = total - 1
    if excess < 0:
        result[max(result)] -= excess
    while excess > 0:
        least = min(result)
        taken = min(excess, result[least])
        excess -= taken
        result[least] -= taken
        if result[least] == 0:
            del result[least]
    return result


# ---- Guarantees without a mechanism

def _epsilon_delta(event: Event, relation: str, depth: int) -> str | None:
    _check(event, "epsilon", "delta")
    delta = _number(event, "delta")
    if not 0 <= Fraction(delta) <= 1:
        raise SpecError(f"EpsilonDeltaDpEvent: delta must be a number in [0, 1], not {delta}")
    if Fraction(delta) == 1 or _is_infinite(event.fields.get("epsilon")):
        raise NonPrivate("EpsilonDeltaDpEvent: it is not private")
    if Fraction(delta) == 0:
        return _pure(Event(event.kind, {"epsilon": event.fields["epsilon"]}), relation, depth)
    return f"approximate(epsilon={_at_least_zero(event, 'epsilon')}, delta={delta})"


def _pure(event: Event, relation: str, depth: int) -> str | None:
    return _of_epsilon("pure", event)


def _exponential(event: Event, relation: str, depth: int) -> str | None:
    return _of_epsilon("exponential", event)


def _permute_and_flip(event: Event, relation: str, depth: int) -> str | None:
    return _of_epsilon("permute_and_flip", event)


def _of_epsilon(name: str, event: Event) -> str | None:
    _check(event, "epsilon")
    if _is_infinite(event.fields["epsilon"]):
        raise NonPrivate(f"{event.kind}: it is not private")
    epsilon = _at_least_zero(event, "epsilon")
    return f"{name}(epsilon={epsilon})" if Fraction(epsilon) else None


def _zcdp(event: Event, relation: str, depth: int) -> str | None:
    _check(event, "rho", "xi", optional=("xi",))
    rho = _at_least_zero(event, "rho")
    xi = _at_least_zero(event, "xi") if "xi" in event.fields else "0"
    # xi + rho alpha <= (xi + rho) alpha for alpha > 1
    bound = Fraction(rho) + Fraction(xi)
    return f"zcdp(rho={text_of(bound)})" if bound else None


def _randomized_response(event: Event, relation: str, depth: int) -> str | None:
    """Of k answers. A record that is replaced by one that answers uniformly is taken as
    epsilon-private, with the greatest ratio e^epsilon."""
    _check(event, "noise_parameter", "num_buckets")
    noise = Fraction(_number(event, "noise_parameter"))
    answers = _integer(event, "num_buckets")
    if not 0 <= noise <= 1 or answers < 1:
        raise SpecError("RandomizedResponseDpEvent: noise_parameter must be a number in [0, 1], "
                        "num_buckets an integer >= 1")
    if relation == "add_remove":
        raise NotApplicable("RandomizedResponseDpEvent is refused under add_remove: a record that "
                            "is not there gives no answer; ask under replace")
    if answers == 1 or noise == 1:
        return None
    if noise == 0:
        raise NonPrivate("RandomizedResponseDpEvent: noise_parameter is 0, so it is not private")
    truth, lie = 1 - noise + noise / answers, noise / answers
    if relation == "replace":
        several = f", categories={answers}" if answers > 2 else ""
        return f"randomized_response(probability={text_of(truth)}{several})"
    ratio = max(truth * answers, 1 / (lie * answers))
    return f"randomized_response(probability={text_of(ratio / (1 + ratio))})"


# ---- Samples

def _poisson(event: Event, relation: str, depth: int) -> str | None:
    _check(event, "sampling_probability", "event")
    rate = _number(event, "sampling_probability")
    if not 0 <= Fraction(rate) <= 1:
        raise SpecError("PoissonSampledDpEvent: sampling_probability must be a number in [0, 1], "
                        f"not {rate}")
    inner = _alone(event, depth)
    if relation == "replace" and any(one.kind != "GaussianDpEvent" for one, _ in inner):
        raise NotApplicable("PoissonSampledDpEvent is refused under replace: its dominating pair is "
                            "proven for GaussianDpEvent only")
    if Fraction(rate) == 0 or not inner:
        return None
    if len(inner) > 1 or inner[0][1] > 1:
        sampled: str | None = _joined_gaussian(inner, event.kind, relation)
    else:
        alone = inner[0][0]
        if relation == "zero_out" and alone.kind not in _SUMS + ("PoissonSampledDpEvent",):
            raise NotApplicable(f"PoissonSampledDpEvent of {alone.kind} is refused under zero_out: "
                                "a record of zeros need not be one that is not there")
        if alone.kind in _OF_REPLACEMENT or alone.kind in _NOT_SAMPLED:
            raise NotApplicable(f"PoissonSampledDpEvent of {alone.kind} is refused: no dominating "
                                "pair is proven here")
        if alone.kind == "ExponentialMechanismDpEvent":  # of its own pair no sample is known
            sampled = _of_epsilon("pure", alone)
        else:  # a sample of a sample: what is blank for the one is blank for the other
            within = "add_remove" if relation == "zero_out" else relation
            sampled = spec_of(alone, within, depth + 1)
        if sampled is not None and sampled.startswith("zcdp("):
            raise NotApplicable(f"PoissonSampledDpEvent of {alone.kind} is refused for vectors: no "
                                "dominating pair is proven here")
    stated = "" if relation == "add_remove" else f", adjacency={relation}"
    return None if sampled is None else f"poisson({sampled}, rate={rate}{stated})"


def _alone(event: Event, depth: int) -> List[Tuple[Event, int]]:
    """What is run on a sample, and how often."""
    def parts(x: Any, times: int, level: int) -> List[Tuple[Event, int]]:
        one = event_of(x)
        if level > DEEPEST:
            raise SpecError(f"a DpEvent may be nested at most {DEEPEST} deep")
        if one.kind == "ComposedDpEvent":
            _check(one, "events")
            return [each for y in _list(one, "events") for each in parts(y, times, level + 1)]
        if one.kind == "SelfComposedDpEvent":
            _check(one, "event", "count")
            return parts(one.fields["event"], times * _integer(one, "count"), level + 1)
        if one.kind == "NoOpDpEvent":
            _check(one)
            return []
        return [(one, times)] if times else []

    return parts(event.fields["event"], 1, depth + 1)


def _joined_gaussian(inner: List[Tuple[Event, int]], kind: str, relation: str) -> str:
    """Gaussians on one sample are one Gaussian: the squares of sensitivity / sigma add up (Dong,
    Roth, Su, J. R. Stat. Soc. B 84 (2022), Corollary 3.3). Its sigma is rounded down where it is
    irrational, and the pair dominates all the more."""
    square = Fraction(0)
    for one, times in inner:
        if one.kind != "GaussianDpEvent":
            raise NotApplicable(f"{kind} of several mechanisms is refused unless all are "
                                f"GaussianDpEvent; found {one.kind}")
        _check(one, "noise_multiplier")
        square += times / Fraction(_noise(one, "noise_multiplier")) ** 2
    return f"gaussian(sigma={text_of(_root_below(1 / square))}{_doubled(relation)})"


def _root_below(x: Fraction, digits: int = 30) -> Fraction:
    """The root, where it is rational, or the rational just below it, to so many digits.

    >>> _root_below(Fraction(1, 4)), float(_root_below(Fraction(2)))
    (Fraction(1, 2), 1.4142135623730951)
    """
    top, bottom = math.isqrt(x.numerator), math.isqrt(x.denominator)
    if top * top == x.numerator and bottom * bottom == x.denominator:
        return Fraction(top, bottom)
    # isqrt of x 10^(2 places) has at least so many digits.
    places = max(0, digits + (len(str(x.denominator)) - len(str(x.numerator))) // 2 + 1)
    return Fraction(math.isqrt(x.numerator * 10 ** (2 * places) // x.denominator), 10**places)


def _without_replacement(event: Event, relation: str, depth: int) -> str | None:
    batch, population, sigma = _batch(event, relation)
    if batch == 0:
        return None
    if relation == "replace":
        return (f"without_replacement(gaussian(sigma={sigma}, sensitivity=2), batch={batch}, "
                f"population={population}, adjacency=replace)")
    # The data set of that size may be the greater one of the two.
    return (f"without_replacement(gaussian(sigma={sigma}), batch={batch}, "
            f"population={population - 1}, adjacency=add_remove)")


def _with_replacement(event: Event, relation: str, depth: int) -> str | None:
    batch, population, sigma = _batch(event, relation)
    if relation != "replace":
        raise NotApplicable("SampledWithReplacementDpEvent is refused under add_remove: its "
                            "dominating pair is proven for one record that is replaced")
    return None if batch == 0 else (f"with_replacement(gaussian(sigma={sigma}, sensitivity=2), "
                                    f"batch={batch}, population={population})")


def _batch(event: Event, relation: str) -> Tuple[int, int, str]:
    _check(event, "source_dataset_size", "sample_size", "event")
    if relation == "zero_out":
        raise NotApplicable(f"{event.kind} is refused under zero_out; under replace its guarantee "
                            "covers records that are replaced by zeros too")
    inner = _alone(event, 0)
    if [times for _, times in inner] != [1] or inner[0][0].kind != "GaussianDpEvent":
        kinds = ", ".join(one.kind for one, _ in inner) or "nothing"
        raise NotApplicable(f"{event.kind} is proven for one GaussianDpEvent only, not for {kinds}")
    _check(inner[0][0], "noise_multiplier")
    population, batch = _integer(event, "source_dataset_size"), _integer(event, "sample_size")
    return batch, population, _noise(inner[0][0], "noise_multiplier")


def _truncated(event: Event, relation: str, depth: int) -> str | None:
    _check(event, "dataset_size", "sampling_probability", "truncated_batch_size",
           "noise_multiplier")
    size, limit = _integer(event, "dataset_size"), _integer(event, "truncated_batch_size")
    if limit > size:  # no sample of this data set, or of one with one more record, is ever truncated
        return _poisson(Event("PoissonSampledDpEvent", {
            "sampling_probability": event.fields["sampling_probability"],
            "event": Event("GaussianDpEvent",
                           {"noise_multiplier": event.fields["noise_multiplier"]})}),
            relation, depth)
    rate = _number(event, "sampling_probability")
    if not 0 <= Fraction(rate) <= 1:
        raise SpecError("TruncatedSubsampledGaussianDpEvent: sampling_probability must be a number "
                        f"in [0, 1], not {rate}")
    if Fraction(rate) == 1:
        raise NotApplicable("TruncatedSubsampledGaussianDpEvent is refused at sampling_probability 1: "
                            "state it as a batch of fixed size")
    if limit == 0 or Fraction(rate) == 0:
        return None
    stated = "" if relation == "add_remove" else f", adjacency={relation}"
    sigma = _noise(event, "noise_multiplier")
    # The smaller of two data sets has at most that many records, whichever of them this is.
    return (f"truncated_poisson(gaussian(sigma={sigma}{_doubled(relation)}), rate={rate}, cap={limit}, "
            f"population={size}{stated})")


def _tree(event: Event, relation: str, depth: int) -> str | None:
    """A record is in one step of one of the trees; that of the most steps is worst."""
    _check(event, "noise_multiplier", "step_counts")
    counts = event.fields["step_counts"]
    counts = list(counts) if _is_list(counts) else [counts]
    steps = [_integer(Event(event.kind, {"step_counts": each}), "step_counts") for each in counts]
    if not steps or max(steps) == 0:
        return None
    sigma = _noise(event, "noise_multiplier")
    return f"tree(steps={max(steps)}, sigma={sigma}{_doubled(relation)})"


_READERS = {
    "NoOpDpEvent": _noop,
    "GaussianDpEvent": _gaussian,
    "LaplaceDpEvent": _laplace,
    "DiscreteLaplaceDpEvent": _discrete_laplace,
    "DiscreteGaussianDpEvent": _discrete_gaussian,
    "MixtureOfGaussiansDpEvent": _mixture,
    "EpsilonDeltaDpEvent": _epsilon_delta,
    "ExponentialMechanismDpEvent": _exponential,
    "PermuteAndFlipDpEvent": _permute_and_flip,
    "ZCDpEvent": _zcdp,
    "RandomizedResponseDpEvent": _randomized_response,
    "PoissonSampledDpEvent": _poisson,
    "SampledWithoutReplacementDpEvent": _without_replacement,
    "SampledWithReplacementDpEvent": _with_replacement,
    "TruncatedSubsampledGaussianDpEvent": _truncated,
    "SingleEpochTreeAggregationDpEvent": _tree,
}

#: Every class of event that is known, be it read or refused.
KNOWN = frozenset(_READERS) | frozenset(REFUSED) | {"ComposedDpEvent", "SelfComposedDpEvent",
                                                    "NonPrivateDpEvent"}


# ---- Fields

def _check(event: Event, *names: str, optional: Tuple[str, ...] = ()) -> None:
    """A field that is not known may change what the event means."""
    for name in event.fields:
        if name not in names:
            raise SpecError(f"{event.kind} has no field {name[:40]!r} that is known")
    for name in names:
        if name not in event.fields and name not in optional:
            raise SpecError(f"{event.kind}: {name} is missing")


def _plain(value: Any, what: str) -> str:
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


def _number(event: Event, name: str) -> str:
    return _plain(event.fields[name], f"{event.kind}: {name}")


def _at_least_zero(event: Event, name: str) -> str:
    text = _number(event, name)
    if Fraction(text) < 0:
        raise SpecError(f"{event.kind}: {name} must be a number >= 0, not {text}")
    return text


def _noise(event: Event, name: str) -> str:
    text = _at_least_zero(event, name)
    if Fraction(text) == 0:
        raise NonPrivate(f"{event.kind}: {name} is 0, so it is not private")
    return text


def _integer(event: Event, name: str) -> int:
    value = Fraction(_number(event, name))
    if value.denominator != 1 or value < 0:
        raise SpecError(f"{event.kind}: {name} must be an integer >= 0, not {float(value)!r}")
    return int(value)


def _is_list(x: Any) -> bool:
    if isinstance(x, (str, bytes)):
        return False
    return isinstance(x, Sequence) or getattr(x, "ndim", 0) == 1


def _list(event: Event, name: str) -> List[Any]:
    if not _is_list(event.fields[name]):
        raise SpecError(f"{event.kind}: {name} must be a list")
    return list(event.fields[name])


def _is_infinite(value: Any) -> bool:
    try:
        return bool(math.isinf(value)) and value > 0
    except (TypeError, OverflowError):
        return False
