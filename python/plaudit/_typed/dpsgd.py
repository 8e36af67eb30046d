"""DP-SGD, under the names that people have for its parameters."""
from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Dict, Tuple

from .._composition import Composition, nothing, parse
from .._core import SpecError
from .._numbers import text_of
from .._searches.holes import Hole, Template

#: Further names of the arguments, as in the spec language.
ALIASES: Dict[str, Tuple[str, ...]] = {
    "noise_multiplier": ("sigma",),
    "batch_size": ("batch", "expected_batch_size"),
    "dataset_size": ("population", "population_size", "num_examples"),
    "epochs": ("num_epochs",),
    "sample_rate": ("rate", "sampling_rate", "sampling_probability", "sampling_prob", "q"),
    "steps": ("num_steps", "T"),
}

#: All of them, each with the argument that it stands for.
NAMES: Dict[str, str] = {name: argument for argument, names in ALIASES.items() for name in (argument, *names)}


def arguments_of(given: Dict[str, Any], what: str = "dpsgd") -> Dict[str, Any]:
    """The arguments under their own names; one that is None counts as not given."""
    result: Dict[str, Any] = {}
    for name, value in given.items():
        if name not in NAMES:
            raise SpecError(f"{what}: has no parameter {name!r}, but {', '.join(ALIASES)}")
        if value is None:
            continue
        if NAMES[name] in result:
            raise SpecError(f"{what}: {NAMES[name]} is given twice")
        result[NAMES[name]] = value
    return result


def dpsgd(noise_multiplier: Any = None, batch_size: Any = None, dataset_size: Any = None,
          epochs: Any = None, *, sample_rate: Any = None, steps: Any = None, **others: Any) -> Any:
    """DP-SGD with Poisson-sampled batches, under add/remove adjacency.

    Parameters
    ----------
    noise_multiplier : number
        Standard deviation of the noise over the clipping norm.
    batch_size, dataset_size : number, optional
        They make the sampling probability batch_size / dataset_size.
    epochs : number, optional
        It makes ceil(epochs * dataset_size / batch_size) steps.
    sample_rate : number, optional
        The sampling probability, in place of the two sizes.
    steps : int, optional
        In place of `epochs`.
    **others
        The same under other names: sigma; batch, expected_batch_size; population, population_size, num_examples; num_epochs;
        q, rate, sampling_rate, sampling_probability, sampling_prob; num_steps, T.

    Returns
    -------
    Composition
        As many steps of a Poisson-sampled Gaussian mechanism; of none, or at a rate of 0, nothing at all.

    Raises
    ------
    SpecError
        An argument is missing, or there are too many.

    Examples
    --------
    >>> dpsgd(1.1, batch_size=256, dataset_size=60000, epochs=60).spec
    'poisson(gaussian(sigma=1.1), rate=8/1875)^14063'
    """
    given = {"noise_multiplier": noise_multiplier, "batch_size": batch_size, "dataset_size": dataset_size,
             "epochs": epochs, "sample_rate": sample_rate, "steps": steps}
    typed = {**{name: x for name, x in given.items() if x is not None}, **others}
    given = arguments_of(typed)
    if "noise_multiplier" not in given:
        raise SpecError("dpsgd: noise_multiplier is needed")
    return _run(typed, *(given.get(name) for name in ALIASES))


def _run(typed: Dict[str, Any], noise_multiplier: Any, batch_size: Any, dataset_size: Any, epochs: Any,
         sample_rate: Any, steps: Any) -> Any:
    noise = noise_multiplier.text() if isinstance(noise_multiplier, Hole) else text_of(noise_multiplier,
                                                                                       "noise_multiplier")
    sizes = (batch_size, dataset_size, epochs)
    rate = _rate(batch_size, dataset_size, sample_rate)
    if steps is not None and epochs is not None:
        raise SpecError("dpsgd: steps or epochs, not both")
    if steps is None and epochs is None:
        raise SpecError("dpsgd: steps or epochs is needed")
    for size in sizes:
        if isinstance(size, Hole):  # the rate, or the number of steps, is computed from it
            size.uses.computed = True
            size.uses.integer |= size is not epochs
            return Template("?")
    if isinstance(steps, Hole):
        count = steps.text("integer")
    elif steps is not None:
        count = text_of(steps, "steps")
    elif isinstance(sample_rate, Hole):
        sample_rate.uses.computed = True
        return Template("?")
    else:
        count = str(math.ceil(_exact(epochs, "epochs", zero=True) / Fraction(rate))) if _is_some(rate) else "0"
    spec = f"poisson(gaussian(sigma={noise}), rate={rate})^{count}"
    if "?" in spec:
        return Template(spec)
    if _is_some(rate) and _is_some(count):
        return _parsed(spec, typed)
    _parsed(f"poisson(gaussian(sigma={noise}), rate={rate if _is_some(rate) else 1})^{count if _is_some(count) else 1}", typed)
    return nothing()


def _parsed(spec: str, typed: Dict[str, Any]) -> Composition:
    """The run; what is wrong with it is said under the names that were typed."""
    try:
        return parse(spec)
    except SpecError:
        parse("dpsgd(" + ", ".join(f"{'steps' if name == 'T' else name}={text_of(x, name)}" for name, x in typed.items() if x is not None) + ")")
        raise


def _rate(batch_size: Any, dataset_size: Any, sample_rate: Any) -> str:
    if sample_rate is not None:
        if batch_size is not None or dataset_size is not None:
            raise SpecError("dpsgd: sample_rate, or batch_size and dataset_size, not both")
        return sample_rate.text() if isinstance(sample_rate, Hole) else text_of(sample_rate, "sample_rate")
    if batch_size is None or dataset_size is None:
        raise SpecError("dpsgd: sample_rate is needed, or batch_size and dataset_size")
    if isinstance(batch_size, Hole) or isinstance(dataset_size, Hole):
        return "?"
    return text_of(_exact(batch_size, "batch_size") / _exact(dataset_size, "dataset_size"))


def _is_some(text: str) -> bool:
    """False for the number 0; True for any other text, also for one that is no number."""
    try:
        return Fraction(text) != 0
    except (ValueError, ZeroDivisionError):
        return True


def _exact(x: Any, what: str, zero: bool = False) -> Fraction:
    try:
        value = Fraction(text_of(x, what))
    except (ValueError, ZeroDivisionError):
        raise SpecError(f"dpsgd: {what} must be a number, not {x!r}") from None
    if value < 0 or (value == 0 and not zero):
        raise SpecError(f"dpsgd: {what} must be a number > 0, not {x!r}")
    return value
