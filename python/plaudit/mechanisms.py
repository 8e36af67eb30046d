"""The mechanisms of the spec language as functions, one for each name; mechanisms that are
registered later too. docs/mechanisms.md has what each stands for."""
from __future__ import annotations

import inspect
import math
import re
from fractions import Fraction
from typing import Any, Callable, Dict, List

from . import _core
from ._composition import Composition, nothing, parse
from ._core import SpecError
from ._numbers import text_of
from ._searches.holes import Hole, Template, factor_text

#: The path of a file, which may have a question mark in it.
_QUOTED = re.compile('"[^"]*"')

#: A sampling probability of zero, under any of its names.
_NO_RATE = re.compile(r"\w+=[-+]?(0+\.?0*|\.0+)([eE][-+]?\d+)?(/0*[1-9]\d*)?")


def _argument(value: Any, what: str, domain: str) -> str:
    if isinstance(value, Hole):
        return value.text(domain)
    if isinstance(value, (Composition, Template)):
        return factor_text(value)
    if isinstance(value, (list, tuple)) or getattr(value, "ndim", 0) > 0:
        return "[" + ", ".join(_argument(each, what, domain) for each in value) + "]"
    if isinstance(value, str) and "quotes" in domain:
        return f'"{value}"'
    return text_of(value, what)


def run_of(name: str, entry: Dict[str, Any], args: tuple[Any, ...], given: Dict[str, Any]) -> Any:
    parameters = entry["parameters"]
    if len(args) > len(parameters):
        raise SpecError(f"{entry['signature']}: {len(args)} arguments are too many")
    domains = {key: one["domain"] for one in parameters for key in (one["name"], *one["aliases"])}
    parts = [(parameters[i]["name"], value) for i, value in enumerate(args)]
    parts += [(key, value) for key, value in given.items() if value is not None]
    texts = []
    for key, value in parts:
        text = _argument(value, f"{name}: {key}", domains.get(key, ""))
        texts.append(text if isinstance(value, (Composition, Template)) else f"{key}={text}")
    # Mechanisms stand first, without a key.
    texts.sort(key=lambda text: not text.endswith(")"))
    spec = f"{name}({', '.join(texts)})"
    if "?" in _QUOTED.sub("", spec):
        return Template(spec)
    if name in ("poisson", "truncated_poisson"):
        for text in texts:
            if _NO_RATE.fullmatch(text) and domains.get(text.partition("=")[0]) == domains["rate"]:
                parse(spec.replace(text, text.partition("=")[0] + "=1/2", 1))  # is the rest of it right?
                return nothing()
    return parse(spec)


def builder(entry: Dict[str, Any]) -> Callable[..., Any]:
    """The function that makes this mechanism."""
    name = entry["name"]

    def build(*args: Any, **given: Any) -> Any:
        return run_of(name, entry, args, given)

    lines = [entry["summary"][:1].upper() + entry["summary"][1:] + ".", ""]
    if entry["parameters"]:
        lines += ["Parameters", "----------"]
    for one in entry["parameters"]:
        default = f", default {one['default']}" if one["default"] else ""
        lines.append(f"{one['name']} : {one['domain']}{default}")
        if one["aliases"]:
            lines.append(f"    Also as {', '.join(one['aliases'])}.")
    lines += ["", "Returns", "-------", "Composition", "    A step of it; `** n` makes n of them.", "",
              "Notes", "-----", f"Adjacency: {entry['adjacency']}.", "", f"Dominating pair: {entry['theorem']}"]
    build.__name__ = build.__qualname__ = name
    build.__module__ = __name__
    build.__doc__ = "\n".join(lines)
    build.__signature__ = _signature_of(entry["parameters"])  # type: ignore[attr-defined]
    return build


def _signature_of(parameters: List[Dict[str, Any]]) -> inspect.Signature:
    """A parameter with aliases has the default None, and so have those behind it without one."""
    result: List[inspect.Parameter] = []
    default: Any = inspect.Parameter.empty
    for one in parameters:
        text = one["default"]
        if text:
            default = None if text == "none" else int(text) if text.isdigit() else text
        elif one["aliases"] or default is not inspect.Parameter.empty:
            default = None
        result.append(inspect.Parameter(one["name"], inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default))
    return inspect.Signature(result)


__all__: List[str] = ["dpsgd"]
for _entry in _core.list_mechanisms():
    globals()[_entry["name"]] = builder(_entry)
    __all__.append(_entry["name"])


def __getattr__(name: str) -> Any:
    """A mechanism that was registered after the import."""
    if not name.startswith("_"):
        for entry in _core.list_mechanisms():
            if entry["name"] == name:
                return builder(entry)
    raise AttributeError(f"module {__name__} has no attribute {name}")


def dpsgd(noise_multiplier: Any, batch_size: Any = None, dataset_size: Any = None,
          epochs: Any = None, *, sample_rate: Any = None, steps: Any = None) -> Any:
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
        return parse(spec)
    parse(f"poisson(gaussian(sigma={noise}), rate={rate if _is_some(rate) else 1})^{count if _is_some(count) else 1}")
    return nothing()


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
    """Whether a number is other than 0, where it is one."""
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
