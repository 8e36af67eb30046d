"""Questions as functions, for compositions and for texts of the spec language."""
from __future__ import annotations

import math
import random
from typing import Any, Dict, List, Union, overload

from ._bands import Band
from ._composition import Composition, parse
from ._core import SpecError
from ._curves import Bands, Curve
from ._many.progress import Report, followed
from ._numbers import DEFAULT_MEMORY, Numbers, Scalar, array_of, is_array
from ._typed.dpsgd import NAMES, arguments_of, dpsgd

Run = Union[Composition, str]
#: One number or several, or none.
Given = Union[Scalar, Numbers, None]


def _run(run: Any) -> Composition:
    if isinstance(run, Composition):
        return run
    if hasattr(run, "columns") or is_array(run):
        raise SpecError("spec: must be one run; several, or a table of them, are for plaudit.map")
    return parse(run)


def _ask(quantity: str, run: Any, at: Any, options: Dict[str, Any]) -> Any:
    """A question about a run, or about those of DP-SGD whose arguments are given, which may be arrays."""
    given = arguments_of({name: options.pop(name) for name in NAMES if name in options})
    place = {"epsilon": "delta", "delta": "epsilon", "tradeoff": "fpr", "renyi": "order"}[quantity]
    if run is not None and given:
        raise SpecError(f"{quantity}: a run, or the arguments of dpsgd ({', '.join(given)}), not both")
    if run is None and not given:
        raise SpecError(f"{quantity}: what was run is needed: a composition, its spec, or the arguments of dpsgd, "
                        "noise_multiplier=, sample_rate=, steps=, ...")
    if at is None:
        raise SpecError(f"{quantity}: {place} is needed")
    if run is not None:
        return getattr(_run(run), quantity)(at, **options)
    if not any(is_array(x) for x in given.values()):
        return getattr(dpsgd(**given), quantity)(at, **options)
    import numpy

    arrays = {place: array_of(at), **{name: array_of(x) for name, x in given.items()}}
    try:
        points = numpy.broadcast(*arrays.values())
    except ValueError:
        shapes = ", ".join(f"{name} {x.shape}" for name, x in arrays.items() if x.ndim)
        raise SpecError(f"{quantity}: the arrays are of shapes that do not go together: {shapes}") from None
    bands = (getattr(dpsgd(**dict(zip(given, each))), quantity)(x, **options) for x, *each in points)
    return Bands(list(followed(bands, points.size, quantity, False)), points.shape)


@overload
def epsilon(run: Run, delta: Scalar, *,
            digits: int | None = ..., accountant: str = ..., direction: str = ..., timeout: float | None = ...,
            threads: int = ..., memory: int = ...) -> Band: ...


@overload
def epsilon(run: Run, delta: Numbers, *,
            digits: int | None = ..., accountant: str = ..., direction: str = ..., timeout: float | None = ...,
            threads: int = ..., memory: int = ...) -> Bands: ...


@overload
def epsilon(run: None = ..., *, delta: Scalar, noise_multiplier: Scalar,  # type: ignore[misc]
            batch_size: Scalar | None = ..., dataset_size: Scalar | None = ..., epochs: Scalar | None = ...,
            sample_rate: Scalar | None = ..., steps: Scalar | None = ..., digits: int | None = ...,
            accountant: str = ..., direction: str = ..., timeout: float | None = ..., threads: int = ...,
            memory: int = ...) -> Band: ...


@overload
def epsilon(run: None = ..., *, delta: Union[Scalar, Numbers], noise_multiplier: Union[Scalar, Numbers],
            batch_size: Given = ..., dataset_size: Given = ..., epochs: Given = ..., sample_rate: Given = ...,
            steps: Given = ..., digits: int | None = ..., accountant: str = ..., direction: str = ...,
            timeout: float | None = ..., threads: int = ..., memory: int = ...) -> Bands: ...


def epsilon(run: Any = None, delta: Any = None, **options: Any) -> Any:
    """The least epsilon >= 0 with delta(epsilon) <= delta, as a proven band.

    Parameters
    ----------
    run : Composition or str
        What was run, or its spec. In its place stand the arguments of `dpsgd`: noise_multiplier,
        sample_rate, steps, ...; where they are arrays, numpy's rules say which go with which.
    delta : number or array_like of numbers
        In [0, 1].
    **options
        Those arguments, and of `Composition.epsilon`: digits, accountant, direction, timeout,
        threads, memory.

    Returns
    -------
    Band or Bands
        In nats; `Bands` of the same shape for an array.

    Examples
    --------
    >>> epsilon("gaussian(1)", delta=1e-5).decimal(8)
    ('4.377178', '4.3771781')
    >>> epsilon(noise_multiplier=[0.8, 1], sample_rate=0.01, steps=1000, delta=1e-5).upper.round(3).tolist()
    [3.141, 1.828]
    """
    return _ask("epsilon", run, delta, options)


@overload
def delta(run: Run, epsilon: Scalar, *,
          digits: int | None = ..., accountant: str = ..., direction: str = ..., timeout: float | None = ...,
          threads: int = ..., memory: int = ...) -> Band: ...


@overload
def delta(run: Run, epsilon: Numbers, *,
          digits: int | None = ..., accountant: str = ..., direction: str = ..., timeout: float | None = ...,
          threads: int = ..., memory: int = ...) -> Bands: ...


@overload
def delta(run: None = ..., *, epsilon: Scalar, noise_multiplier: Scalar,  # type: ignore[misc]
          batch_size: Scalar | None = ..., dataset_size: Scalar | None = ..., epochs: Scalar | None = ...,
          sample_rate: Scalar | None = ..., steps: Scalar | None = ..., digits: int | None = ...,
          accountant: str = ..., direction: str = ..., timeout: float | None = ..., threads: int = ...,
          memory: int = ...) -> Band: ...


@overload
def delta(run: None = ..., *, epsilon: Union[Scalar, Numbers], noise_multiplier: Union[Scalar, Numbers],
          batch_size: Given = ..., dataset_size: Given = ..., epochs: Given = ..., sample_rate: Given = ...,
          steps: Given = ..., digits: int | None = ..., accountant: str = ..., direction: str = ...,
          timeout: float | None = ..., threads: int = ..., memory: int = ...) -> Bands: ...


def delta(run: Any = None, epsilon: Any = None, **options: Any) -> Any:
    """The privacy curve at an epsilon, as a proven band.

    Parameters
    ----------
    run : Composition or str
        What was run, or its spec. In its place stand the arguments of `dpsgd`: noise_multiplier,
        sample_rate, steps, ...; where they are arrays, numpy's rules say which go with which.
    epsilon : number or array_like of numbers
        Any real number, in nats.
    **options
        Those arguments, and of `Composition.delta`: digits, accountant, direction, timeout,
        threads, memory.

    Returns
    -------
    Band or Bands
        In [0, 1]; `Bands` of the same shape for an array.
    """
    return _ask("delta", run, epsilon, options)


@overload
def renyi(run: Run, order: Scalar, *,
          digits: int = ..., direction: str = ..., timeout: float | None = ..., memory: int = ...) -> Band: ...


@overload
def renyi(run: Run, order: Numbers, *,
          digits: int = ..., direction: str = ..., timeout: float | None = ...,
          memory: int = ...) -> Bands: ...


@overload
def renyi(run: None = ..., *, order: Scalar, noise_multiplier: Scalar,  # type: ignore[misc]
          batch_size: Scalar | None = ..., dataset_size: Scalar | None = ..., epochs: Scalar | None = ...,
          sample_rate: Scalar | None = ..., steps: Scalar | None = ..., digits: int = ...,
          direction: str = ..., timeout: float | None = ..., memory: int = ...) -> Band: ...


@overload
def renyi(run: None = ..., *, order: Union[Scalar, Numbers], noise_multiplier: Union[Scalar, Numbers],
          batch_size: Given = ..., dataset_size: Given = ..., epochs: Given = ..., sample_rate: Given = ...,
          steps: Given = ..., digits: int = ..., direction: str = ..., timeout: float | None = ...,
          memory: int = ...) -> Bands: ...


def renyi(run: Any = None, order: Any = None, **options: Any) -> Any:
    """The Renyi divergence of the dominating pair, as a proven band.

    Parameters
    ----------
    run : Composition or str
        What was run, or its spec. In its place stand the arguments of `dpsgd`: noise_multiplier,
        sample_rate, steps, ...; where they are arrays, numpy's rules say which go with which.
    order : number or array_like of numbers
        Above 0, other than 1.
    **options
        Those arguments, and of `Composition.renyi`: digits, direction, timeout, memory.

    Returns
    -------
    Band or Bands
        In nats; `Bands` of the same shape for an array.
    """
    return _ask("renyi", run, order, options)


@overload
def tradeoff(run: Run, fpr: Scalar, *,
             digits: int = ..., direction: str = ..., timeout: float | None = ...,
             memory: int = ...) -> Band: ...


@overload
def tradeoff(run: Run, fpr: Numbers, *,
             digits: int = ..., direction: str = ..., timeout: float | None = ...,
             memory: int = ...) -> Bands: ...


@overload
def tradeoff(run: None = ..., *, fpr: Scalar, noise_multiplier: Scalar,  # type: ignore[misc]
             batch_size: Scalar | None = ..., dataset_size: Scalar | None = ..., epochs: Scalar | None = ...,
             sample_rate: Scalar | None = ..., steps: Scalar | None = ..., digits: int = ...,
             direction: str = ..., timeout: float | None = ..., memory: int = ...) -> Band: ...


@overload
def tradeoff(run: None = ..., *, fpr: Union[Scalar, Numbers], noise_multiplier: Union[Scalar, Numbers],
             batch_size: Given = ..., dataset_size: Given = ..., epochs: Given = ..., sample_rate: Given = ...,
             steps: Given = ..., digits: int = ..., direction: str = ..., timeout: float | None = ...,
             memory: int = ...) -> Bands: ...


def tradeoff(run: Any = None, fpr: Any = None, **options: Any) -> Any:
    """The least false negative rate of a test of that false positive rate, as a proven band.

    Parameters
    ----------
    run : Composition or str
        What was run, or its spec. In its place stand the arguments of `dpsgd`: noise_multiplier,
        sample_rate, steps, ...; where they are arrays, numpy's rules say which go with which.
    fpr : number or array_like of numbers
        The false positive rate, in [0, 1].
    **options
        Those arguments, and of `Composition.tradeoff`: digits, direction, timeout, memory.

    Returns
    -------
    Band or Bands
        In [0, 1]; `Bands` of the same shape for an array.

    Examples
    --------
    >>> tradeoff("gaussian(1)", fpr=0.05).decimal(8)
    ('0.74048897', '0.74048898')
    """
    return _ask("tradeoff", run, fpr, options)


def curve(run: Run, *, deltas: Numbers | None = None, epsilons: Numbers | None = None, digits: int = 12,
          accountant: str = "auto", direction: str = "both", timeout: float | None = 60, threads: int = 1,
          memory: int = DEFAULT_MEMORY, progress: Report = None) -> Curve:
    """The privacy curve at many points, which share their work.

    Parameters
    ----------
    run : Composition or str
        What was run, or its spec.
    deltas, epsilons, digits, accountant, direction, timeout, threads, memory, progress
        As of `Composition.curve`.

    Returns
    -------
    Curve
        One band for each point.
    """
    return _run(run).curve(deltas=deltas, epsilons=epsilons, digits=digits, accountant=accountant,
                           direction=direction, timeout=timeout, threads=threads, memory=memory, progress=progress)


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
