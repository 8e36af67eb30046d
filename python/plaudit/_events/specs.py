"""Events as specs: compositions, samples, and under which neighbouring relation."""
from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Dict, List, NamedTuple, Tuple

from .._core import NotApplicable, SpecError
from .._numbers import text_of
from .event import (DEEPEST, Event, NonPrivate, check_fields, event_of, integer, is_list, list_of,
                    is_infinite, noise_of, number)
from .noise import (discrete_gaussian, discrete_laplace, doubled, epsilon_delta, exponential,
                    gaussian, laplace, mixture, noop, of_epsilon, permute_and_flip,
                    randomized_response, zcdp)

#: Neighbouring relations, by the names of dp_accounting and by plaudit's.
RELATIONS: Dict[str, str] = {
    "add_remove": "add_remove", "add/remove": "add_remove", "ADD_OR_REMOVE_ONE": "add_remove",
    "replace": "replace", "REPLACE_ONE": "replace",
    "zero_out": "zero_out", "zero-out": "zero_out", "REPLACE_SPECIAL": "zero_out",
}

#: Events that are refused whatever their fields are, and why.
REFUSED: Dict[str, str] = {
    "UnsupportedDpEvent": "it stands for an operation of which nothing is known",
}

#: Events of no released version of dp_accounting, of which it is not known what their fields mean.
_UNRELEASED: Dict[str, str] = {
    "RandomAllocationDpEvent": "; random_allocation(gaussian(sigma), steps) states balls in bins",
}

#: Events whose guarantee is one for replaced records in dp_accounting's own accountants.
_OF_REPLACEMENT = ("SampledWithoutReplacementDpEvent", "SampledWithReplacementDpEvent",
                   "RandomizedResponseDpEvent")

#: Events that release a sum of records and noise: a record of zeros is one that is not there.
_SUMS = ("GaussianDpEvent", "LaplaceDpEvent", "DiscreteLaplaceDpEvent", "DiscreteGaussianDpEvent")

#: Events that have no proven pair on a sample.
_NOT_SAMPLED = ("ZCDpEvent", "TruncatedSubsampledGaussianDpEvent",
                "SingleEpochTreeAggregationDpEvent")


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
    relations = [usual_relation(each, depth + 1) for each in inner] if is_list(inner) else []
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
        check_fields(event, "events")
        for each in list_of(event, "events"):
            for spec, count in factors_of(each, relation, depth + 1).items():
                result[spec] = result.get(spec, 0) + count
        return result
    if event.kind == "SelfComposedDpEvent":
        check_fields(event, "event", "count")
        times = integer(event, "count")
        inner = factors_of(event.fields["event"], relation, depth + 1)
        return {spec: count * times for spec, count in inner.items()} if times else {}
    spec_of_it = spec_of(event, relation, depth)
    return {} if spec_of_it is None else {spec_of_it: 1}


def spec_of(event: Event, relation: str, depth: int = 0) -> str | None:
    """The spec of an event that is no composition; None where it loses no privacy."""
    if event.kind in REFUSED:
        raise NotApplicable(f"{event.kind} is refused: {REFUSED[event.kind]}")
    if event.kind == "NonPrivateDpEvent":
        check_fields(event)
        raise NonPrivate("NonPrivateDpEvent is not private")
    if event.kind not in _READERS:
        raise NotApplicable(f"{event.kind} is refused: it is not known to plaudit{_UNRELEASED.get(event.kind, '')}")
    return _READERS[event.kind](event, relation, depth)


# ---- Samples

def _poisson(event: Event, relation: str, depth: int) -> str | None:
    check_fields(event, "sampling_probability", "event")
    rate = number(event, "sampling_probability")
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
            sampled = of_epsilon("pure", alone)
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
            check_fields(one, "events")
            return [each for y in list_of(one, "events") for each in parts(y, times, level + 1)]
        if one.kind == "SelfComposedDpEvent":
            check_fields(one, "event", "count")
            return parts(one.fields["event"], times * integer(one, "count"), level + 1)
        if one.kind == "NoOpDpEvent":
            check_fields(one)
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
        check_fields(one, "noise_multiplier")
        square += times / Fraction(noise_of(one, "noise_multiplier")) ** 2
    return f"gaussian(sigma={text_of(root_below(1 / square))}{doubled(relation)})"


def root_below(x: Fraction, digits: int = 30) -> Fraction:
    """The root, where it is rational, or the rational just below it, to so many digits.

    >>> root_below(Fraction(1, 4)), float(root_below(Fraction(2)))
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
    check_fields(event, "source_dataset_size", "sample_size", "event")
    if relation == "zero_out":
        raise NotApplicable(f"{event.kind} is refused under zero_out; under replace its guarantee "
                            "covers records that are replaced by zeros too")
    inner = _alone(event, 0)
    if [times for _, times in inner] != [1] or inner[0][0].kind != "GaussianDpEvent":
        kinds = ", ".join(one.kind for one, _ in inner) or "nothing"
        raise NotApplicable(f"{event.kind} is proven for one GaussianDpEvent only, not for {kinds}")
    check_fields(inner[0][0], "noise_multiplier")
    population, batch = integer(event, "source_dataset_size"), integer(event, "sample_size")
    return batch, population, noise_of(inner[0][0], "noise_multiplier")


def _truncated(event: Event, relation: str, depth: int) -> str | None:
    check_fields(event, "dataset_size", "sampling_probability", "truncated_batch_size",
           "noise_multiplier")
    size, limit = integer(event, "dataset_size"), integer(event, "truncated_batch_size")
    if limit > size:  # no sample of this data set, or of one with one more record, is ever truncated
        return _poisson(Event("PoissonSampledDpEvent", {
            "sampling_probability": event.fields["sampling_probability"],
            "event": Event("GaussianDpEvent",
                           {"noise_multiplier": event.fields["noise_multiplier"]})}),
            relation, depth)
    rate = number(event, "sampling_probability")
    if not 0 <= Fraction(rate) <= 1:
        raise SpecError("TruncatedSubsampledGaussianDpEvent: sampling_probability must be a number "
                        f"in [0, 1], not {rate}")
    if Fraction(rate) == 1:
        raise NotApplicable("TruncatedSubsampledGaussianDpEvent is refused at sampling_probability 1: "
                            "state it as a batch of fixed size")
    if limit == 0 or Fraction(rate) == 0:
        return None
    # Without a record more or less both have exactly that many.
    stated = "" if relation == "add_remove" else f", adjacency={relation}, size=exact"
    sigma = noise_of(event, "noise_multiplier")
    # The smaller of two data sets has at most that many records, whichever of them this is.
    return (f"truncated_poisson(gaussian(sigma={sigma}{doubled(relation)}), rate={rate}, cap={limit}, "
            f"population={size}{stated})")


def _tree(event: Event, relation: str, depth: int) -> str | None:
    """A record is in one step of one of the trees; that of the most steps is worst."""
    check_fields(event, "noise_multiplier", "step_counts")
    counts = event.fields["step_counts"]
    counts = list(counts) if is_list(counts) else [counts]
    steps = [integer(Event(event.kind, {"step_counts": each}), "step_counts") for each in counts]
    if not steps or max(steps) == 0:
        return None
    sigma = noise_of(event, "noise_multiplier")
    return f"tree(steps={max(steps)}, sigma={sigma}{doubled(relation)})"


class Repeats(NamedTuple):
    """The best of a random number of runs: of what, and by which law of their number."""

    inner: List[Tuple[Event, int]]  #: what runs, and how often, before it is one mechanism
    base: str | None                #: its spec; None where it loses no privacy
    mean: Fraction
    shape: Fraction | None          #: of a truncated negative binomial law; None: Poisson


def repeats_of(event: Event, relation: str, depth: int) -> Repeats:
    """What a RepeatAndSelectDpEvent states."""
    check_fields(event, "event", "mean", "shape")
    mean = Fraction(number(event, "mean"))
    inner = _alone(event, depth)
    if not inner:
        base: str | None = None
    elif len(inner) > 1 or inner[0][1] > 1:
        base = _joined_gaussian(inner, event.kind, relation)
    else:
        base = spec_of(inner[0][0], relation, depth + 1)
    if base is not None and base.startswith("zcdp("):
        raise NotApplicable(f"{event.kind} of {inner[0][0].kind} is refused: it has no dominating pair here")
    if not inner or is_infinite(event.fields["shape"]):
        return Repeats(inner, base, mean, None)
    shape = Fraction(number(event, "shape"))
    if mean < 1 or shape <= -1:
        raise SpecError(f"{event.kind}: mean must be at least 1 and shape greater than -1, not "
                        f"{text_of(mean)} and {text_of(shape)}")
    return Repeats(inner, base, mean, shape)


def _repeated(event: Event, relation: str, depth: int) -> str | None:
    """The best of a random number of runs; of a mean of 1, where there is no run less, of one."""
    _, base, mean, shape = repeats_of(event, relation, depth)
    if base is None or (shape is not None and mean == 1):
        return base
    law = "poisson" if shape is None else f"negative_binomial, eta={number(event, 'shape')}"
    return f"select({base}, repeats={law}, mean={number(event, 'mean')})"


_READERS = {
    "NoOpDpEvent": noop,
    "GaussianDpEvent": gaussian,
    "LaplaceDpEvent": laplace,
    "DiscreteLaplaceDpEvent": discrete_laplace,
    "DiscreteGaussianDpEvent": discrete_gaussian,
    "MixtureOfGaussiansDpEvent": mixture,
    "EpsilonDeltaDpEvent": epsilon_delta,
    "ExponentialMechanismDpEvent": exponential,
    "PermuteAndFlipDpEvent": permute_and_flip,
    "ZCDpEvent": zcdp,
    "RandomizedResponseDpEvent": randomized_response,
    "PoissonSampledDpEvent": _poisson,
    "SampledWithoutReplacementDpEvent": _without_replacement,
    "SampledWithReplacementDpEvent": _with_replacement,
    "TruncatedSubsampledGaussianDpEvent": _truncated,
    "SingleEpochTreeAggregationDpEvent": _tree,
    "RepeatAndSelectDpEvent": _repeated,
}

#: Every class of event that is known, be it read or refused.
KNOWN = frozenset(_READERS) | frozenset(REFUSED) | {"ComposedDpEvent", "SelfComposedDpEvent",
                                                    "NonPrivateDpEvent"}
