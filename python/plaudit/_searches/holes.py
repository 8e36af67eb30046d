"""Compositions in which a parameter is open."""
from __future__ import annotations

import re
from typing import Any, List, Tuple

from .. import _core


class Hole:
    """The place of a parameter that is to be calibrated: it stands as ? in the spec.

    What is computed from it is a `Hole` too, one that is not plain; their common `Uses` says what became of them.
    """

    def __init__(self, uses: "Uses | None" = None, plain: bool = True) -> None:
        self.uses = Uses() if uses is None else uses
        self._plain = plain

    def text(self, domain: str = "") -> str:
        """The mark in the spec, where a parameter of that domain is."""
        self.uses.plain.append(self._plain)
        self.uses.integer |= "integer" in domain
        return "?"

    def _computed(self, *_: Any) -> "Hole":
        self.uses.computed = True
        return Hole(self.uses, plain=False)

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _computed
    __truediv__ = __rtruediv__ = __pow__ = __rpow__ = __neg__ = __abs__ = _computed

    def __repr__(self) -> str:
        return "?"


class Uses:
    """How a function that builds a composition uses its parameter."""

    def __init__(self) -> None:
        #: For each place whether the parameter itself stands there, and not what was computed from it.
        self.plain: List[bool] = []
        #: Whether it was computed with.
        self.computed = False
        #: Whether it stands where an integer is wanted.
        self.integer = False


class Template:
    """A composition in which a parameter is open: what plaudit.calibrate takes."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __mul__(self, other: Any) -> "Template":
        return Template(f"{self.text} * {factor_text(other)}")

    def __rmul__(self, other: Any) -> "Template":
        if type(other) is int and other == 1:  # where math.prod begins
            return self
        return Template(f"{factor_text(other)} * {self.text}")

    def __pow__(self, count: Any) -> "Template":
        return Template(f"({self.text})^{count.text('integer') if isinstance(count, Hole) else count}")

    def __repr__(self) -> str:
        return f"<{self.text}>"


def factor_text(run: Any) -> str:
    """A composition, open or not, as text of the spec language."""
    text = run.text if isinstance(run, Template) else getattr(run, "stated", None)
    if not isinstance(text, str):
        raise TypeError(f"a composition is wanted, not {type(run).__name__}")
    return text


#: What stands in quotes, or the mark of the open parameter.
OPEN = re.compile(r'("[^"]*")|\?')


def place_of(template: str) -> Tuple[str, bool]:
    """The name of the open parameter of a spec, and whether it is an integer wherever a mechanism has one of that name."""
    if re.search(r"\^\s*\?", template):
        return "power", True
    named = re.search(r"(\w+)\s*=\s*\?", template)
    name = named.group(1) if named else "parameter"
    domains = [one["domain"] for entry in _core.list_mechanisms() for one in entry["parameters"]
               if name in (one["name"], *one["aliases"])]
    return name, bool(domains) and all("integer" in domain for domain in domains)
