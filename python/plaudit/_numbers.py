"""Python's numbers as the exact text that plaudit reads."""
from __future__ import annotations

import math
import numbers
import re
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, List, Protocol, Tuple, Union

from . import _core
from ._core import SpecError

if TYPE_CHECKING:
    import numpy

#: An exact number. A float is the decimal that it prints: 0.1 is 1/10; binary(0.1) is the double.
Number = Union[int, float, str, Decimal, Fraction]


class _Column(Protocol):
    """A column of a table of pandas."""

    def to_numpy(self) -> Any: ...


#: One number, numpy's among them.
Scalar = Union[Number, "numpy.integer[Any]", "numpy.floating[Any]"]
#: Several numbers, for which there are several answers.
Numbers = Union[List[int], List[float], List[str], List[Decimal], List[Fraction], List[Number],
                Tuple[Number, ...], range, "numpy.ndarray[Any, Any]", _Column]

#: What else people call accountants: the one here that works in that way.
ALIASES = {"rdp": "moments", "pld": "fourier", "gdp": "gaussian_limit", "prv": "prv"}

#: Bytes by which the process may grow in one query, where nothing else is asked for.
DEFAULT_MEMORY = 2_000_000_000

#: A number or a word of the spec language, and nothing that could be more than one of them.

#: Integers alone, where a comma stands between groups of digits: elsewhere 0,001 is a thousandth to many.
_COUNTS = {"cap", "truncated_batch_size", "population", "population_size", "dataset_size", "num_examples", "steps",
           "num_steps"}
_GROUPS = re.compile(r"[1-9]\d{0,2}(,\d{3})+")
_PLAIN = re.compile(r"[A-Za-z0-9_.+\-/*()% ]+")


def binary(x: float) -> Fraction:
    """The double itself, as an exact number.

    Parameters
    ----------
    x : float
        Other functions read it as the decimal that it prints.

    Returns
    -------
    fractions.Fraction
        Its value in binary.

    Examples
    --------
    >>> binary(0.1) == Fraction(1, 10)
    False
    """
    return Fraction(float(x))


class Exact(Fraction):
    """An exact number that prints as the decimal that it is, where it is one."""

    def __str__(self) -> str:
        rest, places = self.denominator, 0
        for prime in (2, 5):
            power = 0
            while rest % prime == 0:
                rest, power = rest // prime, power + 1
            places = max(places, power)
        if rest != 1:
            return super().__str__()
        exact = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)
        decimal = Decimal(self.numerator * 10**places // self.denominator).scaleb(-places, exact)
        return f"{decimal:f}" if -7 < decimal.adjusted() < 17 else str(decimal).lower()

    def __repr__(self) -> str:
        return str(self)

    def __format__(self, spec: str) -> str:
        return format(float(self), spec) if spec else str(self)


def text_of(x: Any, what: str = "a number") -> str:
    """The exact number as text of the spec language.

    >>> text_of(0.1), text_of(Fraction(1, 3)), text_of(Decimal("1e-7"))
    ('0.1', '1/3', '1E-7')
    """
    if isinstance(x, str):
        if what.rpartition(" ")[2] in _COUNTS and _GROUPS.fullmatch(x):
            x = x.replace(",", "")
        if not _PLAIN.fullmatch(x) or not _closed(x):
            raise SpecError(f"{what}: must be a number, not {x[:40]!r}")
        return x.strip()
    if isinstance(x, bool) or type(x).__name__ == "bool_":
        raise SpecError(f"{what}: must be a number, not {x!r}")
    if isinstance(x, Fraction):
        return f"{x.numerator}/{x.denominator}" if x.denominator != 1 else str(x.numerator)
    if isinstance(x, numbers.Integral):
        return str(int(x))
    if isinstance(x, Decimal):
        if not x.is_finite():
            raise SpecError(f"{what}: must be finite, not {x}")
        return str(x)
    if isinstance(x, float):  # numpy's float64 is one
        if not math.isfinite(x):
            raise SpecError(f"{what}: must be finite, not {x}")
        return repr(float(x))
    if isinstance(x, numbers.Real):  # numpy's other floats print the shortest decimal that is theirs
        if not math.isfinite(float(x)):
            raise SpecError(f"{what}: must be finite, not {x}")
        return str(x)
    if getattr(x, "ndim", None) == 0:  # an array or a tensor; item() would make a double of any float
        import numpy

        inside = numpy.asarray(_detached(x))[()]
        if type(inside) is not type(x):
            return text_of(inside, what)
    raise SpecError(f"{what}: must be a number, text, Decimal or Fraction, not {type(x).__name__}")


def _closed(text: str) -> bool:
    """Whether each bracket that is closed was opened before, and the other way round."""
    depth = 0
    for c in text:
        depth += (c == "(") - (c == ")")
        if depth < 0:
            return False
    return depth == 0


def is_array(x: Any) -> bool:
    """Several numbers: a numpy array, a column of pandas, a list, a tuple or a range."""
    return getattr(x, "ndim", 0) > 0 or isinstance(x, (list, tuple, range))


def array_of(x: Any) -> "numpy.ndarray[Any, Any]":
    """The numbers as an array in which each is still what it was."""
    import numpy

    return numpy.asarray(_detached(x), dtype=object if isinstance(x, (list, tuple, range)) else None)


def _detached(x: Any) -> Any:
    """A tensor that is trained, as its numbers."""
    return x.detach() if hasattr(x, "detach") else x


def records_of(table: Any) -> List[dict[str, Any]]:
    """The rows of a table of pandas; a float32 stays one, so that it means the decimal that it prints."""
    columns = [(str(name), table[name].to_numpy()) for name in table.columns]
    return [{name: values[i] for name, values in columns} for i in range(len(table))]


def is_missing(value: Any) -> bool:
    """An empty cell of a table."""
    return value is None or (isinstance(value, numbers.Real) and value != value) or type(value).__name__ == "NAType"


def accountant_of(name: Any) -> Any:
    """The accountant that an alias stands for; its settings stay. One that is registered under the alias comes first."""
    if not isinstance(name, str):
        raise SpecError(f"accountant: must be the name of one, not {type(name).__name__}")
    head, bracket, settings = name.partition("(")
    alias = head.strip().lower()
    if alias not in ALIASES or any(one["name"] == head.strip() for one in _core.list_accountants()):
        return name
    return ALIASES[alias] + bracket + settings


def check_options(*, digits: Any = 1, threads: Any = 1, memory: Any = 1, timeout: Any = None) -> None:
    """Raises a SpecError, with name and domain, for an option that is not what it should be. No timeout is no limit."""
    for name, count, most in (("digits", digits, 2**31), ("threads", threads, 2**31), ("memory", memory, 2**63)):
        if isinstance(count, bool) or not isinstance(count, numbers.Integral) or not 1 <= int(count) < most:
            raise SpecError(f"{name}: must be an integer from 1 on, not {count!r}")
    if timeout is not None and (isinstance(timeout, bool) or not isinstance(timeout, (int, float)) or not timeout > 0):
        raise SpecError(f"timeout: must be a number of seconds > 0, or None for no limit, not {timeout!r}")
