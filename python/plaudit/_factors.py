"""What a composition is made of. A product of many is made when it is first asked for anything, of all
of its factors at once, so that one of n different mechanisms takes time n and not n^2."""
from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Tuple, TypeVar

from . import _core
from ._core import Composition as _Core

_Made = TypeVar("_Made", bound="Factors")


class Adjacency(NamedTuple):
    """Between which data sets a guarantee holds."""

    #: "add_remove", "replace", "zero_out", "as_stated" (by the stated epsilon or sensitivity), "none" or "this_data_set".
    kind: str
    #: The two data sets differ in at most so many records.
    group_size: int
    #: False where the numbers are those of a pair of laws, or of one data set, and of no privacy guarantee.
    guarantee: bool


class Factors:
    """A composition of the core, or two of these, one after the other."""

    __slots__ = ("_made", "_parts", "_adjacencies", "_size")

    def __init__(self, core: _Core) -> None:
        self._made: _Core | None = core
        self._parts: Tuple[Any, ...] = ()
        self._adjacencies = frozenset([core.adjacency])
        self._size = sum(count for _, count in core.steps)

    @property
    def _core(self) -> _Core:
        if self._parts:
            self._made = _core.product(self._counted())
            self._parts = ()
        assert self._made is not None
        return self._made

    def _counted(self) -> List[Tuple[_Core, int]]:
        """What it is made of, in the order of first appearance, and how often. A part that stands in many
        places is looked at once: `c = c * c`, thirty times, are thirty products."""
        parts: Dict[int, Tuple[Any, ...]] = {}  # by the identity of a product or a leaf; read once
        done: List[Factors] = []                    # each after all of its parts
        left: List[Tuple[Factors, bool]] = [(self, False)]
        while left:
            one, is_done = left.pop()
            if is_done:
                done.append(one)
            elif id(one) not in parts:
                parts[id(one)] = one._parts  # read before _made, which its writer sets before clearing this
                left.append((one, True))
                left += [(part, False) for part in reversed(parts[id(one)])]
        times = dict.fromkeys(parts, 0)
        times[id(self)] = 1
        for one in reversed(done):
            for part in parts[id(one)]:
                times[id(part)] += times[id(one)]
        return [(one._made, times[id(one)]) for one in done if not parts[id(one)] and one._made is not None]

    def _then(self: _Made, other: _Made) -> _Made:
        """Both, one after the other. Refused here, not later, where they have no adjacency in common, or more
        steps than may be composed."""
        result = type(self).__new__(type(self))
        result._made, result._parts = None, (self, other)
        result._adjacencies, result._size = self._adjacencies | other._adjacencies, self._size + other._size
        larger_side = max(len(self._adjacencies), len(other._adjacencies))
        # under replace what was stated by a noise multiplier is refused, which no adjacency shows
        mixed = len(result._adjacencies) > 1 and any(kind == "replace" for kind, *_ in result._adjacencies)
        if len(result._adjacencies) > larger_side or mixed or result._size > 10**12:
            result._core
        return result
