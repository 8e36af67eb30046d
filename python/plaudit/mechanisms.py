"""The mechanisms of the spec language as functions, one for each name; mechanisms that are
registered later too. docs/mechanisms.md has what each stands for."""
from __future__ import annotations

import inspect
import math
import re
from fractions import Fraction
from typing import Any, Callable, Dict, List

from . import _core
from ._composition import Composition, Hole, Template, factor_text, parse
from ._core import SpecError
from ._numbers import Number, text_of

#: The path of a file, which may have a question mark in it.
_QUOTED = re.compile('"[^"]*"')


def _argument(value: Any, what: str, domain: str) -> str:
    if isinstance(value, Hole):
        return "?"
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
    domains = {one["name"]: one["domain"] for one in parameters}
    parts = [(parameters[i]["name"], value) for i, value in enumerate(args)]
    parts += [(key, value) for key, value in given.items() if value is not None]
    texts = []
    for key, value in parts:
        text = _argument(value, f"{name}: {key}", domains.get(key, ""))
        texts.append(text if isinstance(value, (Composition, Template)) else f"{key}={text}")
    # Mechanisms stand first, without a key.
    texts.sort(key=lambda text: not text.endswith(")"))
    spec = f"{name}({', '.join(texts)})"
    return Template(spec) if "?" in _QUOTED.sub("", spec) else parse(spec)


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
        As many steps of a Poisson-sampled Gaussian mechanism.

    Raises
    ------
    SpecError
        An argument is missing, or there are too many.

    Examples
    --------
    >>> dpsgd(1.1, batch_size=256, dataset_size=60000, epochs=60).spec
    'poisson(gaussian(sigma=1.1), rate=8/1875)^14063'
    """
    noise = "?" if isinstance(noise_multiplier, Hole) else text_of(noise_multiplier,
                                                                   "noise_multiplier")
    if isinstance(sample_rate, Hole):
        rate = "?"
    elif sample_rate is not None:
        if batch_size is not None or dataset_size is not None:
            raise SpecError("dpsgd: sample_rate, or batch_size and dataset_size, not both")
        rate = text_of(sample_rate, "sample_rate")
    elif batch_size is not None and dataset_size is not None:
        rate = text_of(_exact(batch_size, "batch_size") / _exact(dataset_size, "dataset_size"))
    else:
        raise SpecError("dpsgd: sample_rate is needed, or batch_size and dataset_size")
    if isinstance(steps, Hole):
        count = "?"
    elif steps is not None:
        if epochs is not None:
            raise SpecError("dpsgd: steps or epochs, not both")
        count = text_of(steps, "steps")
    elif epochs is not None:
        if rate == "?":
            raise SpecError("dpsgd: with an open sample_rate the number of steps is needed")
        exact = _exact(epochs, "epochs") / Fraction(rate)
        count = str(math.ceil(exact))
    else:
        raise SpecError("dpsgd: steps or epochs is needed")
    spec = f"poisson(gaussian(sigma={noise}), rate={rate})^{count}"
    return Template(spec) if "?" in spec else parse(spec)


def _exact(x: Number, what: str) -> Fraction:
    try:
        value = Fraction(text_of(x, what))
    except (ValueError, ZeroDivisionError):
        raise SpecError(f"dpsgd: {what} must be a number, not {x!r}") from None
    if value <= 0:
        raise SpecError(f"dpsgd: {what} must be a number > 0, not {x!r}")
    return value
