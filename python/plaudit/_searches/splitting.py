"""One budget over several noises, with the least total error that a search finds.

That the split meets the budget is certified by a band of its own; that no other split has less error is not proven:
the proportions are found by a search in floating point.
"""
from __future__ import annotations

import inspect
import math
from fractions import Fraction
from typing import Any, Callable, Dict, List, NamedTuple, Sequence, Tuple, Union

from .._bands import Band
from .._best_tests import GaussianMu
from .._composition import Composition
from .._core import SpecError
from .._numbers import Exact, Scalar, text_of
from .calibration import Calibration, calibrate

#: Steps of the proportions' logarithms, the first and about the last: with proportions so near to the best ones the error
#: is a hundred times nearer to its least, as it is flat there.
_FIRST_STEP = math.log(4)
_LAST_STEP = math.log(1.02)

#: Digits of a scale in the search, and significant digits of the proportions.
_DIGITS_OF_SEARCH = 4
_DIGITS_OF_PROPORTIONS = 4

_MOST_PARAMETERS = 8


class Split(NamedTuple):
    """Parameters of several noises that meet one budget together.

    `values` are the parameters, exact; `run` is the composition at them and `band` what is certified of it; `error`
    is the total error there; `splits` is how many proportions were tried.
    """

    values: Tuple[Fraction, ...]
    run: Composition
    band: Union[Band, GaussianMu, None]
    error: float
    splits: int


class _Proportions:
    """The total error as a function of the proportions, each scaled until it just meets the target."""

    def __init__(self, build: Callable[..., Any], error: Callable[..., float], target: Dict[str, Any]) -> None:
        self._build, self._error, self._target = build, error, target
        self.known: Dict[Tuple[float, ...], float] = {}

    def scaled(self, logarithms: Sequence[float], digits: int) -> Tuple[List[Fraction], Calibration]:
        ratios = [Fraction(f"{math.exp(x):.{_DIGITS_OF_PROPORTIONS - 1}e}") for x in logarithms]
        return ratios, calibrate(lambda t: self._build(*[t * ratio for ratio in ratios]), digits=digits, **self._target)

    def at(self, logarithms: Tuple[float, ...]) -> float:
        if logarithms not in self.known:
            ratios, found = self.scaled(logarithms, _DIGITS_OF_SEARCH)
            self.known[logarithms] = math.inf if found.suffices is None else float(
                self._error(*[float(found.suffices * ratio) for ratio in ratios]))
        return self.known[logarithms]


def _least(height: Callable[[Tuple[float, ...]], float], place: Tuple[float, ...]) -> Tuple[float, ...]:
    """Steps along each proportion but the first, which get shorter where none leads down."""
    step = _FIRST_STEP
    while step > _LAST_STEP:
        moved = False
        for i in range(1, len(place)):
            for way in (step, -step):
                next_to_it = (*place[:i], round(place[i] + way, 6), *place[i + 1:])
                if height(next_to_it) < height(place):
                    place, moved = next_to_it, True
                    break
        step = step if moved else step / 2
    return place


def split_budget(build: Callable[..., Any], *, epsilon: Scalar | None = None, delta: Scalar | None = None,
                 weights: Sequence[Scalar] | None = None, error: Callable[..., float] | None = None,
                 count: int | None = None, digits: int = 6, **options: Any) -> Split:
    """One budget over several noises, with the least total error.

    The split meets the target, certified. That no other one has less error is not proven: the proportions
    are found by a search, to about 2 % of them, which is about 0.01 % of the error.

    Parameters
    ----------
    build : callable
        The composition from one parameter of each noise, such as sigma or a scale: more is more privacy.
    epsilon, delta : number
        The target: epsilon(delta) <= epsilon. Others as of `calibrate`: mu, fpr and tpr, advantage.
    weights : sequence of numbers, optional
        What the square of each parameter counts in the total error; the default is 1 each. (The
        variance of Laplace noise is twice the square of its scale.)
    error : callable, optional
        In place of weights: the total error from the parameters, floats. It must grow with each.
    count : int, optional
        How many parameters there are, where neither the weights nor the function say so.
    digits : int
        Significant digits of the scale of all.
    **options
        As of `calibrate`.

    Returns
    -------
    Split
        The parameters, the composition, its band, and the total error.

    Raises
    ------
    SpecError
        No proportion meets the target, or an argument is wrong.

    Examples
    --------
    >>> import plaudit as pl
    >>> found = pl.split_budget(lambda s, t: pl.gaussian(s) * pl.gaussian(t, sensitivity=3), epsilon=1, delta=1e-5)
    >>> [round(float(x), 1) for x in found.values], round(found.error)
    ([7.5, 12.9], 223)
    """
    how_many = count if count is not None else len(weights) if weights is not None else _parameters_of(build)
    if not 2 <= how_many <= _MOST_PARAMETERS:
        raise SpecError(f"split_budget: takes 2 to {_MOST_PARAMETERS} parameters, not {how_many}")
    if error is not None and weights is not None:
        raise SpecError("split_budget: weights or error, not both")
    counts = [Fraction(text_of(x, "weights")) for x in (weights if weights is not None else [1] * how_many)]
    if len(counts) != how_many or min(counts) <= 0:
        raise SpecError("split_budget: weights must be as many as the parameters, and positive")

    def squares(*values: float) -> float:
        return math.fsum(float(weight) * x * x for weight, x in zip(counts, values))

    total: Callable[..., float] = squares
    if error is not None:
        total = error
    target = {**options, **{name: x for name, x in (("epsilon", epsilon), ("delta", delta)) if x is not None}}
    proportions = _Proportions(build, total, target)
    place = (0.0,) * how_many
    if proportions.at(place) < math.inf:
        place = _least(proportions.at, place)
    ratios, found = proportions.scaled(place, digits)
    if found.suffices is None or found.run is None:
        raise SpecError(f"split_budget: no scale of the parameters meets the target: {found.remark}")
    values = tuple(Exact(str(found.suffices * ratio)) for ratio in ratios)
    return Split(values, found.run, found.band, float(total(*[float(x) for x in values])), len(proportions.known))


def _parameters_of(build: Callable[..., Any]) -> int:
    parameters = inspect.signature(build).parameters.values()
    if any(each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD, each.KEYWORD_ONLY) for each in parameters):
        raise SpecError("split_budget: count must say how many parameters the function has")
    return len(parameters)
