"""What a composition is made of. A product of many is made when it is first asked for anything, of all
of its factors at once, so that one of n different mechanisms takes time n and not n^2."""
from __future__ import annotations

from typing import Any, List, Tuple, TypeVar

from . import _core

_Made = TypeVar("_Made", bound="Factors")


class Factors:
    """A composition of the core, or two of these, one after the other."""

    __slots__ = ("_made", "_parts", "_adjacencies", "_size")

    def __init__(self, core: _core.Composition) -> None:
        self._made: _core.Composition | None = core
        self._parts: Tuple[Any, ...] = ()
        self._adjacencies = frozenset([core.adjacency])
        self._size = sum(count for _, count in core.steps)

    @property
    def _core(self) -> _core.Composition:
        cores: List[Tuple[_core.Composition, int]] = []
        left: List[Factors] = [self]
        while left:
            one = left.pop()
            parts = one._parts  # read before _made: where another thread cleared it, that one is set
            left += reversed(parts)
            if not parts and one._made is not None:
                cores.append((one._made, 1))
        if len(cores) > 1:
            self._made = _core.product(cores)
            self._parts = ()
        assert self._made is not None
        return self._made

    def _then(self: _Made, other: _Made) -> _Made:
        """Both. Refused here and not later where they can be for no common adjacency, or have more steps
        than are composed."""
        result = type(self).__new__(type(self))
        result._made, result._parts = None, (self, other)
        result._adjacencies, result._size = self._adjacencies | other._adjacencies, self._size + other._size
        known = max(len(self._adjacencies), len(other._adjacencies))
        if len(result._adjacencies) > known or result._size > 10**12:
            result._core
        return result
