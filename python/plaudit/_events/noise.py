"""Readers of events of one mechanism: noise on sums of records, and guarantees without a mechanism.
Each takes the event, the relation and the depth, and gives a spec, or None where nothing is lost."""
from __future__ import annotations

import math
from fractions import Fraction
from typing import Dict

from .._core import NotApplicable, SpecError
from .._numbers import text_of
from .event import (Event, NonPrivate, at_least_zero, check_fields, integer, is_infinite, list_of,
                    noise_of, number, plain)

#: How far probabilities that a program computed may be from the sum 1.
SUM_TOLERANCE = Fraction(1, 10**9)


# ---- Noise

def noop(event: Event, relation: str, depth: int) -> str | None:
    check_fields(event)
    return None


def gaussian(event: Event, relation: str, depth: int) -> str | None:
    check_fields(event, "noise_multiplier")
    sigma = noise_of(event, "noise_multiplier")
    return f"gaussian(sigma={sigma}{doubled(relation)})"


def laplace(event: Event, relation: str, depth: int) -> str | None:
    check_fields(event, "noise_multiplier")
    scale = noise_of(event, "noise_multiplier")
    return f"laplace(scale={scale}{doubled(relation)})"


def doubled(relation: str) -> str:
    """Each record has norm at most 1, so replacing one moves the sum by up to 2; taking it away, or
    putting zeros in its place, by up to 1."""
    return ", sensitivity=2" if relation == "replace" else ""


def discrete_laplace(event: Event, relation: str, depth: int) -> str | None:
    check_fields(event, "noise_parameter", "sensitivity")
    rate = Fraction(noise_of(event, "noise_parameter"))  # e^{-rate |x|}
    distance = integer(event, "sensitivity") * (2 if relation == "replace" else 1)
    # Vectors too, by the l1 distance. Proof: docs/proofs/discrete.md#coordinates
    return None if distance == 0 else (
        f"discrete_laplace(scale={text_of(1 / rate)}, sensitivity={distance})")


def rho_of_vectors(event: Event) -> Fraction | None:
    """Of discrete Gaussian noise on vectors of integers, of which no one-dimensional pair dominates: a bound of the divergences, by
    rho alpha; None where there is a pair. Proof: docs/proofs/discrete.md#vectors"""
    distance = Fraction(number(event, "sensitivity")) if "sensitivity" in event.fields else Fraction(1)
    dimension = event.fields.get("dimension")
    univariate = dimension is not None and Fraction(number(event, "dimension")) == 1
    if univariate or distance * distance < 2:  # one that is shorter than sqrt(2) has one coordinate that is not 0, +-1
        return None
    return (distance / Fraction(number(event, "sigma"))) ** 2 / 2


def discrete_gaussian(event: Event, relation: str, depth: int) -> str | None:
    check_fields(event, "sigma", "sensitivity", "dimension", optional=("sensitivity", "dimension"))
    sigma = noise_of(event, "sigma")
    stated = "sensitivity" in event.fields
    distance = Fraction(number(event, "sensitivity")) if stated else Fraction(1)
    if distance < 0:
        raise SpecError("DiscreteGaussianDpEvent: sensitivity must be a number >= 0")
    if relation == "replace":
        raise NotApplicable("DiscreteGaussianDpEvent is refused under replace: whether its "
                            "sensitivity is that of a record or of a replacement is not said; take "
                            "discrete_gaussian(sigma, sensitivity)")
    rho = rho_of_vectors(event)
    if rho is not None:
        return f"zcdp(rho={text_of(rho)})"
    whole = math.floor(distance)
    return f"discrete_gaussian(sigma={sigma}, sensitivity={whole})" if whole else None


def mixture(event: Event, relation: str, depth: int) -> str | None:
    check_fields(event, "standard_deviation", "sensitivities", "sampling_probs")
    if relation == "replace":
        raise NotApplicable("MixtureOfGaussiansDpEvent is refused under replace: its two laws are "
                            "those with and without a record")
    distances = [Fraction(plain(each, "MixtureOfGaussiansDpEvent: sensitivities"))
                 for each in list_of(event, "sensitivities")]
    masses = [Fraction(plain(each, "MixtureOfGaussiansDpEvent: sampling_probs"))
              for each in list_of(event, "sampling_probs")]
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
    sigma = noise_of(event, "standard_deviation")
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

def epsilon_delta(event: Event, relation: str, depth: int) -> str | None:
    check_fields(event, "epsilon", "delta")
    delta = number(event, "delta")
    if not 0 <= Fraction(delta) <= 1:
        raise SpecError(f"EpsilonDeltaDpEvent: delta must be a number in [0, 1], not {delta}")
    if Fraction(delta) == 1 or is_infinite(event.fields.get("epsilon")):
        raise NonPrivate("EpsilonDeltaDpEvent: it is not private")
    if Fraction(delta) == 0:
        return _pure(Event(event.kind, {"epsilon": event.fields["epsilon"]}), relation, depth)
    return f"approximate(epsilon={at_least_zero(event, 'epsilon')}, delta={delta})"


def _pure(event: Event, relation: str, depth: int) -> str | None:
    return of_epsilon("pure", event)


def exponential(event: Event, relation: str, depth: int) -> str | None:
    return of_epsilon("exponential", event)


def permute_and_flip(event: Event, relation: str, depth: int) -> str | None:
    return of_epsilon("permute_and_flip", event)


def of_epsilon(name: str, event: Event) -> str | None:
    check_fields(event, "epsilon")
    if is_infinite(event.fields["epsilon"]):
        raise NonPrivate(f"{event.kind}: it is not private")
    epsilon = at_least_zero(event, "epsilon")
    return f"{name}(epsilon={epsilon})" if Fraction(epsilon) else None


def zcdp(event: Event, relation: str, depth: int) -> str | None:
    check_fields(event, "rho", "xi", optional=("xi",))
    rho = at_least_zero(event, "rho")
    xi = at_least_zero(event, "xi") if "xi" in event.fields else "0"
    # xi + rho alpha <= (xi + rho) alpha for alpha > 1
    bound = Fraction(rho) + Fraction(xi)
    return f"zcdp(rho={text_of(bound)})" if bound else None


def randomized_response(event: Event, relation: str, depth: int) -> str | None:
    """Randomised response of k answers. Under zero_out, against a record that answers uniformly, it is
    taken for epsilon-private, e^epsilon being the greatest ratio of probabilities."""
    check_fields(event, "noise_parameter", "num_buckets")
    noise = Fraction(number(event, "noise_parameter"))
    answers = integer(event, "num_buckets")
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
