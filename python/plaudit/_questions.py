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
    """The least epsilon >= 0 with delta(epsilon) <= delta, as a proven band.

    Parameters
    ----------
    run : Composition or str
        What was run, or its spec.
    delta : number or array_like of numbers
        In [0, 1].
    **options
        Of `Composition.epsilon`: digits, accountant, direction, timeout, threads, memory.

    Returns
    -------
    Band or Bands
        In nats; `Bands` of the same shape for an array.

    Examples
    --------
    >>> epsilon("gaussian(1)", delta=1e-5).decimal(8)
    ('4.377178', '4.3771781')
    """
    return _run(run).epsilon(delta, **options)


def delta(run: Run, epsilon: Any, **options: Any) -> Any:
    """The privacy curve at an epsilon, as a proven band.

    Parameters
    ----------
    run : Composition or str
        What was run, or its spec.
    epsilon : number or array_like of numbers
        Any real number, in nats.
    **options
        Of `Composition.delta`: digits, accountant, direction, timeout, threads, memory.

    Returns
    -------
    Band or Bands
        In [0, 1]; `Bands` of the same shape for an array.
    """
    return _run(run).delta(epsilon, **options)


def renyi(run: Run, order: Number, **options: Any) -> Band:
    """The Renyi divergence of the dominating pair, as a proven band.

    Parameters
    ----------
    run : Composition or str
        What was run, or its spec.
    order : number
        Above 0, other than 1.
    **options
        Of `Composition.renyi`: digits, direction, timeout, memory.

    Returns
    -------
    Band
        In nats.
    """
    return _run(run).renyi(order, **options)


def tradeoff(run: Run, fpr: Any, **options: Any) -> Any:
    """The least false negative rate of a test of that false positive rate, as a proven band.

    Parameters
    ----------
    run : Composition or str
        What was run, or its spec.
    fpr : number or array_like of numbers
        The false positive rate, in [0, 1].
    **options
        Of `Composition.tradeoff`: digits, direction, timeout, memory.

    Returns
    -------
    Band or Bands
        In [0, 1]; `Bands` of the same shape for an array.

    Examples
    --------
    >>> tradeoff("gaussian(1)", fpr=0.05).decimal(8)
    ('0.74048897', '0.74048898')
    """
    return _run(run).tradeoff(fpr, **options)


def curve(run: Run, **options: Any) -> Curve:
    """The privacy curve at many points, which share their work.

    Parameters
    ----------
    run : Composition or str
        What was run, or its spec.
    **options
        Of `Composition.curve`: deltas or epsilons, which say where, and digits, accountant, direction,
        timeout, threads, memory.

    Returns
    -------
    Curve
        One band for each point.
    """
    return _run(run).curve(**options)


def random_runs(count: int, seed: int = 1) -> List[Composition]:
    """DP-SGD runs as people make them, drawn log-uniformly.

    Noise multipliers are from 0.4 to 10, sampling probabilities from 1e-5 to 0.2, numbers of steps from
    3 to 10^6.

    Parameters
    ----------
    count : int
        How many.
    seed : int
        The same seed gives the same runs.

    Returns
    -------
    list of Composition
        The runs.

    Examples
    --------
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
