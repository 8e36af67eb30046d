"""Concrete code on two concrete data sets: the laws of its outputs, exactly, and the distance of what it adds noise to.

A law of finitely many outputs is exact in rationals: sum over outputs of [p - lambda q]_+ is delta(log lambda), so a
violation that is found here is proven. Nothing is proven beyond the two data sets. Proof: docs/proofs/observe.md#concrete"""
from __future__ import annotations

import hashlib
import math
import re
from bisect import bisect_left, bisect_right
from fractions import Fraction
from itertools import accumulate
from typing import Any, Callable, Dict, Hashable, Iterable, List, Mapping, NamedTuple, Optional, Tuple, Union

from .. import balls
from .._composition import Composition, parse
from .._core import Interval, SpecError
from .._numbers import Number, text_of
from ..extend import Mechanism, register

#: Outputs, or seeds, that are looked at.
MOST = 100_000
#: Places where a law is held to a claim: they choose only what is then proven.
PLACES = 200
_laws: Dict[int, Tuple["_Table", "_Table"]] = {}


class Violation(NamedTuple):
    """A proof that the code is not private as claimed: on these data sets, in this direction."""

    #: In nats; where the curves were compared.
    epsilon: Fraction
    #: "remove" is p against q.
    direction: str
    #: The delta of the code at this epsilon is at least this.
    delta_lower: Fraction
    #: The delta of the claim is at most this.
    delta_claimed: float
    #: Of it, the mass of outputs that are impossible under the other law.
    impossible: Fraction


class _Table:
    """One direction: outputs of both laws by their ratio p/q, outputs of equal ratios together."""

    def __init__(self, p: Mapping[Any, Fraction], q: Mapping[Any, Fraction]) -> None:
        at: Dict[Fraction, Fraction] = {}
        for output, mass in q.items():
            if mass and p.get(output):
                ratio = p[output] / mass
                at[ratio] = at.get(ratio, Fraction(0)) + mass
        self.ratios = sorted(at)
        self.q = [at[ratio] for ratio in self.ratios]
        self.p = [ratio * at[ratio] for ratio in self.ratios]
        self.p_from, self.q_from = ([Fraction(0), *accumulate(reversed(masses))][::-1] for masses in (self.p, self.q))
        self.infinite = 1 - self.p_from[0]
        self.keys = [_nearest(ratio) for ratio in self.ratios]

    def delta(self, ratio: Fraction) -> Fraction:
        first = bisect_right(self.ratios, ratio)
        return self.infinite + self.p_from[first] - ratio * self.q_from[first]

    def least_fnr(self, fpr: Fraction) -> Fraction:
        """Neyman and Pearson: outputs by falling ratio, those that are impossible under q for nothing, the last one in part."""
        missed, left = 1 - self.infinite, fpr
        for p, q in zip(reversed(self.p), reversed(self.q)):
            part = min(Fraction(1), left / q)
            missed, left = missed - part * p, left - part * q
        return missed


class _PairLaw(Mechanism):
    """The laws of some code's outputs on two data sets, found in the process that asks; no privacy guarantee."""

    name = "pair_law"
    parameters = {"law": "positive"}
    example = "pair_law(law=1)"
    theorem = "a pair of laws is its own dominating pair; other data sets have other laws (docs/proofs/observe.md#concrete)"
    attained = "the two data sets for which the laws were stated have it"
    guarantee = False
    symmetric = False

    @property
    def _table(self) -> _Table:
        number = int(getattr(self, "law"))
        if number not in _laws:
            raise ValueError("this pair_law was made in another process; make it here")
        return _laws[number][self.direction == "add"]

    def _above(self, x: Interval, masses: List[Fraction], infinite: Fraction) -> Any:
        ratios, ratio = self._table.ratios, balls.exp(x)
        # Rounding is monotone: a ratio whose double is below the lower end is below it, one whose double is above the upper end above.
        least, most = bisect_left(self._table.keys, ratio.lower), bisect_right(self._table.keys, ratio.upper)
        while least < most and not ratio < ratios[least]:  # those between: by all the digits that there are
            if not ratio >= ratios[least]:
                return Interval(infinite + masses[most], infinite + masses[least])
            least += 1
        return infinite + masses[least]

    def p_above(self, x: Interval) -> Any:
        return self._above(x, self._table.p_from, self._table.infinite)

    def q_above(self, x: Interval) -> Any:
        return self._above(x, self._table.q_from, Fraction(0))

    def mass_at_infinity(self) -> Fraction:
        return self._table.infinite

    exact_mass_at_infinity = mass_at_infinity

    def q_mass(self) -> Fraction:
        return self._table.q_from[0]

    def least_loss(self) -> Any:
        return balls.log(Interval(self._table.ratios[0]))

    def greatest_loss(self) -> Any:
        return balls.log(Interval(self._table.ratios[-1]))

    def exact_greatest_loss(self) -> Any:
        return Fraction(0) if self._table.ratios[-1] == 1 else None

    def atoms(self) -> Any:
        return [(0 if ratio == 1 else balls.log(Interval(ratio)), p) for ratio, p in zip(self._table.ratios, self._table.p)]


class PairLaw(Composition):
    """The exact laws of some code's outputs on two data sets, as something to ask for bands; made by `pair_law`.

    Its bands are those of these two laws, and no privacy guarantee: other data sets have other laws. What it violates is
    violated for certain."""

    __slots__ = ("p", "q", "_tables")

    def __init__(self, p: Mapping[Hashable, Fraction], q: Mapping[Hashable, Fraction]) -> None:
        #: The probability of each output with the record.
        self.p = dict(p)
        #: And without it.
        self.q = dict(q)
        self._tables = (_Table(self.p, self.q), _Table(self.q, self.p))
        if not self._tables[0].ratios:
            raise SpecError("pair_law: no output is possible under both laws; one run tells the data sets apart")
        text = repr([(each.ratios, each.q, each.infinite) for each in self._tables])
        number = int(hashlib.sha256(text.encode()).hexdigest()[:12], 16) + 1
        known = _laws.setdefault(number, self._tables)
        if any((a.ratios, a.q) != (b.ratios, b.q) for a, b in zip(known, self._tables)):
            raise SpecError("pair_law: another law of this process has the same number")
        if 1 not in _laws:  # the example, which is built when the name is registered
            one = _Table({0: Fraction(1)}, {0: Fraction(1)})
            _laws[1] = (one, one)
            register(_PairLaw)
        super().__init__(parse(f"pair_law(law={number})")._core)

    def _then(self, other: Any) -> Any:
        return Composition(self._core)._then(other)

    def __reduce__(self) -> Tuple[Any, ...]:
        return PairLaw, (self.p, self.q)

    def exact_delta(self, ratio: Number, direction: str = "remove") -> Fraction:
        """delta(log ratio), without any error: the sum of [p - ratio q]_+ over the outputs.

        Parameters
        ----------
        ratio : number
            e^epsilon, at least 0.
        direction : "remove" or "add"
            p against q, or q against p.

        Returns
        -------
        fractions.Fraction
            In [0, 1].
        """
        exact = _exact(ratio, "ratio")
        if exact < 0 or direction not in ("remove", "add"):
            raise SpecError("exact_delta: ratio must be at least 0, and direction remove or add")
        return self._tables[direction == "add"].delta(exact)

    def exact_tradeoff(self, fpr: Number, direction: str = "remove") -> Fraction:
        """The least false negative rate of a test at a false positive rate, without any error.

        Parameters
        ----------
        fpr : number
            In [0, 1]: the probability under q (under p for "add") that the test says p.
        direction : "remove" or "add"
            p against q, or q against p.

        Returns
        -------
        fractions.Fraction
            In [0, 1].
        """
        exact = _exact(fpr, "fpr")
        if not 0 <= exact <= 1 or direction not in ("remove", "add"):
            raise SpecError("exact_tradeoff: fpr must be in [0, 1], and direction remove or add")
        return self._tables[direction == "add"].least_fnr(exact)

    def violation(self, claim: Union[Composition, str], *, timeout: float | None = 60) -> Optional[Violation]:
        """Where these laws are above the privacy curve of a claim: a proof that the code is not as claimed.

        Parameters
        ----------
        claim : Composition or str
            What the code is said to be.
        timeout : float or None
            Seconds for each of the claim's numbers.

        Returns
        -------
        Violation or None
            The greatest one that was found. None proves nothing: these laws are within the claim wherever it was looked.
        """
        claimed = parse(claim) if isinstance(claim, str) else claim
        found: List[Violation] = []
        for direction, table in zip(("remove", "add"), self._tables):
            kinks = [math.log(ratio.numerator) - math.log(ratio.denominator) for ratio in table.ratios]
            some = kinks[::max(1, len(kinks) // (PLACES // 2))]
            middles = [(a + b) / 2 for a, b in zip(some, some[1:])]
            for place in sorted({0.0, kinks[-1] + 1, *some, *middles}):
                above = balls.exp(Interval(Fraction(place))).upper
                if not math.isfinite(above):
                    continue
                least = table.delta(Fraction(above))  # the curve falls
                most = claimed.delta(Fraction(place), direction=direction, timeout=timeout).upper
                if least > Fraction(most):
                    found.append(Violation(Fraction(place), direction, least, most, table.infinite))
        return max(found, key=lambda one: one.delta_lower - Fraction(one.delta_claimed)) if found else None


def _nearest(ratio: Fraction) -> float:
    try:
        return float(ratio)
    except OverflowError:
        return math.inf


def _exact(number: Any, what: str) -> Fraction:
    text = text_of(number, what)
    if len(text) > 10_000 or re.search(r"[eE][+-]?\d{4}", text):
        raise SpecError(f"{what}: has too many digits")
    try:
        return Fraction(text.replace(" ", ""))
    except (ValueError, ZeroDivisionError):
        raise SpecError(f"{what}: must be a plain number, not {text!r}") from None


def _pmf(given: Mapping[Any, Number], name: str) -> Dict[Any, Fraction]:
    if not isinstance(given, Mapping) or not 1 <= len(given) <= MOST:
        raise SpecError(f"{name}: must be a dict of 1 to {MOST} outputs with their probabilities")
    law = {output: _exact(mass, name) for output, mass in given.items()}
    if any(output != output for output in law):
        raise SpecError(f"{name}: NaN is equal to nothing; make the outputs texts")
    if min(law.values()) < 0 or sum(law.values()) != 1:
        raise SpecError(f"{name}: must be at least 0 and sum to exactly 1, not to {sum(law.values())}")
    return law


def pair_law(p: Mapping[Any, Number], q: Mapping[Any, Number]) -> PairLaw:
    """The laws of some code's outputs on two data sets, exactly.

    Parameters
    ----------
    p, q : dict
        The probability of each output with the record, and without it: exact numbers that sum to exactly 1. Outputs are
        anything that can be the key of a dict; those that are equal there count as one.

    Returns
    -------
    PairLaw
        To be asked for bands, as any composition, and for what it violates.

    Examples
    --------
    >>> law = pair_law({"yes": "3/4", "no": "1/4"}, {"yes": "1/4", "no": "3/4"})
    >>> law.exact_delta(2), law.epsilon(0).decimal(6)
    (Fraction(1, 4), ('1.09861', '1.09862'))
    >>> law.violation("pure(1)").direction, law.violation("pure(1.1)") is None
    ('remove', True)
    """
    return PairLaw(_pmf(p, "p"), _pmf(q, "q"))


def pair_law_of(with_record: Callable[[Any], Hashable], without_record: Callable[[Any], Hashable],
                seeds: Union[Iterable[Any], Mapping[Any, Number]]) -> PairLaw:
    """The laws of code on two data sets, by running it once for every seed that it can have.

    Parameters
    ----------
    with_record, without_record : callables
        The code on each data set, as a function of a seed and of nothing else. It is called twice: other outputs for the
        same seed are refused.
    seeds : iterable, or dict
        All seeds: each as probable as the others, or with exact weights that sum to 1.

    Returns
    -------
    PairLaw
        As of `pair_law`. That there are no other seeds is for you to know.

    Examples
    --------
    >>> noise = {-1: "1/4", 0: "1/2", 1: "1/4"}
    >>> law = pair_law_of(lambda seed: 3 + seed, lambda seed: 2 + seed, noise)
    >>> law.p[4], law.exact_delta(1)
    (Fraction(1, 4), Fraction(1, 2))
    """
    if isinstance(seeds, Mapping):
        weights = list(_pmf(seeds, "seeds").items())
    else:
        given = list(seeds)
        if not 1 <= len(given) <= MOST:
            raise SpecError(f"seeds: from 1 to {MOST}, not {len(given)}")
        weights = [(seed, Fraction(1, len(given))) for seed in given]
    laws: List[Dict[Any, Fraction]] = []
    for run in (with_record, without_record):
        law: Dict[Any, Fraction] = {}
        for seed, weight in weights:
            output = run(seed)
            if run(seed) != output:
                raise SpecError(f"pair_law_of: the code has two outputs for the seed {seed!r:.40}, or a NaN")
            law[output] = law.get(output, Fraction(0)) + weight
        laws.append(law)
    return PairLaw(laws[0], laws[1])


class ObservedSensitivity(NamedTuple):
    """How far apart two inputs of the same noise were, against what was declared."""

    #: The Euclidean distance is between these two; `exceeds` does not rest on them, but compares exact squares.
    distance: Tuple[Fraction, Fraction]
    declared: Fraction
    #: Whether it is above the declared one, which is a proof about the code.
    exceeds: bool
    #: What was run on these data, given ideal noise, of which the lower ends are proven. No upper end says anything of
    #: other data sets. None where the inputs are equal.
    run: Optional[Composition]
    #: What was claimed.
    claim: Composition


def observe_sensitivity(first: Iterable[Any], second: Iterable[Any], *, declared: Number, sigma: Number
                        ) -> ObservedSensitivity:
    """Holds the distance of what noise was added to, on two neighbouring data sets, to the declared sensitivity.

    Parameters
    ----------
    first, second : arrays of numbers
        The inputs of the Gaussian noise, before it, of any one shape. Doubles count as exactly what they are.
    declared : number
        The sensitivity that the code declares: the greatest distance.
    sigma : number
        Standard deviation of its noise.

    Returns
    -------
    ObservedSensitivity
        Whether it is exceeded, and the run that it was.

    Examples
    --------
    >>> seen = observe_sensitivity([3, 0], [0, 4], declared=1, sigma=2)
    >>> seen.exceeds, seen.distance[0], seen.run.spec
    (True, Fraction(5, 1), 'gaussian(sigma=2, sensitivity=5)')
    """
    one, other = _flat(first, "first"), _flat(second, "second")
    if len(one) != len(other):
        raise SpecError(f"observe_sensitivity: {len(one)} numbers and {len(other)}: they must be as many")
    square = sum(((a - b) ** 2 for a, b in zip(one, other)), Fraction(0))
    limit = _exact(declared, "declared")
    if limit <= 0:
        raise SpecError("declared: must be > 0")
    low, high = _root(square)
    noise = _exact(sigma, "sigma")
    claim = parse(f"gaussian(sigma={noise}, sensitivity={limit})")
    run = parse(f"gaussian(sigma={noise}, sensitivity={low})") if low else None
    return ObservedSensitivity((low, high), limit, square > limit ** 2, run, claim)


def _flat(given: Any, name: str) -> List[Fraction]:
    if hasattr(given, "detach"):
        given = given.detach().cpu()
    if hasattr(given, "__array__"):
        import numpy

        given = numpy.asarray(given).ravel().tolist()  # float32 and float16 are exact as doubles
    try:
        return [Fraction(number) for number in given]
    except (TypeError, ValueError, OverflowError) as error:
        raise SpecError(f"{name}: must be finite numbers: {error}") from None


def _root(square: Fraction) -> Tuple[Fraction, Fraction]:
    """Rationals that enclose the root, about 2^-64 of it apart or less; equal where it is rational."""
    top, bottom = math.isqrt(square.numerator), math.isqrt(square.denominator)
    if Fraction(top, bottom) ** 2 == square:
        return Fraction(top, bottom), Fraction(top, bottom)
    shift = max(0, 64 - (square.numerator.bit_length() - square.denominator.bit_length()) // 2)
    scaled = math.isqrt((square.numerator << 2 * shift) // square.denominator)
    return Fraction(scaled, 1 << shift), Fraction(scaled + 1, 1 << shift)
