"""Questions as functions, for compositions and for texts of the spec language."""
from __future__ import annotations

import math
import random
from typing import Any, List, Union

from ._bands import Band
from ._composition import Composition, parse
from ._core import SpecError
from ._curves import Curve
from ._numbers import Number

Run = Union[Composition, str]


def _run(run: Run) -> Composition:
    return parse(run) if isinstance(run, str) else run


def epsilon(run: Run, delta: Any, **options: Any) -> Any:
    """The epsilon at a delta, or at an array of them (`Bands`); options as of
    `Composition.epsilon`.

    >>> epsilon("gaussian(1)", delta=1e-5).decimal(8)
    ('4.377178', '4.3771781')
    """
    return _run(run).epsilon(delta, **options)


def delta(run: Run, epsilon: Any, **options: Any) -> Any:
    """The delta at an epsilon, or at an array of them."""
    return _run(run).delta(epsilon, **options)


def renyi(run: Run, order: Number, **options: Any) -> Band:
    """The Renyi divergence of an order."""
    return _run(run).renyi(order, **options)


def tradeoff(run: Run, fpr: Any, **options: Any) -> Any:
    """The least false negative rate of a test of that false positive rate, or of an array of them
    (`Bands`); options as of `Composition.tradeoff`.

    >>> tradeoff("gaussian(1)", fpr=0.05).decimal(8)
    ('0.74048897', '0.74048898')
    """
    return _run(run).tradeoff(fpr, **options)


def curve(run: Run, **options: Any) -> Curve:
    """The privacy curve; `deltas=` or `epsilons=` says where."""
    return _run(run).curve(**options)


def random_runs(count: int, seed: int = 1) -> List[Composition]:
    """DP-SGD runs as people make them, log-uniform: noise multiplier 0.4 to 10, sampling
    probability 1e-5 to 0.2, 3 to 10^6 steps. The same seed gives the same runs.

    >>> random_runs(2, seed=1) == random_runs(2, seed=1)
    True
    """
    if count < 0:
        raise SpecError(f"count: must be at least 0, not {count}")
    draws = random.Random(seed)

    def log_uniform(least: float, most: float) -> float:
        return math.exp(draws.uniform(math.log(least), math.log(most)))

    return [parse(f"poisson(gaussian({log_uniform(0.4, 10):.4g}), {log_uniform(1e-5, 0.2):.4g})"
                  f"^{round(log_uniform(3, 1e6))}") for _ in range(count)]
