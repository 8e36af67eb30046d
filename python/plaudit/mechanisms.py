"""The mechanisms of the spec language as functions, one for each name; mechanisms that are
registered later too. docs/mechanisms.md has what each stands for."""
from __future__ import annotations

import inspect
import re
from typing import Any, Callable, Dict, List

from . import _core
from ._composition import Composition, nothing, parse
from ._core import SpecError
from ._typed.dpsgd import dpsgd as dpsgd
from ._typed.hints import refuse_parameters
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
    refuse_parameters(name, given, domains)
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
for _entry in (*(one for one in _core.list_shorthands() if one["name"] != "dpsgd"), *_core.list_mechanisms()):
    globals()[_entry["name"]] = builder(_entry)
    __all__.append(_entry["name"])


def __getattr__(name: str) -> Any:
    """A mechanism that was registered after the import."""
    if not name.startswith("_"):
        for entry in _core.list_mechanisms():
            if entry["name"] == name:
                return builder(entry)
    raise AttributeError(f"module {__name__} has no attribute {name}")
