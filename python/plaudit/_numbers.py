"""Python's numbers as the exact text that plaudit reads."""
from __future__ import annotations

import math
import numbers
import re
from decimal import Decimal
from fractions import Fraction
from typing import Any, Union

from ._core import SpecError

#: An exact number. A float is the decimal that it prints: 0.1 is 1/10; binary(0.1) is the double.
Number = Union[int, float, str, Decimal, Fraction]

#: Bytes by which the process may grow in one query, where nothing else is asked for.
DEFAULT_MEMORY = 2_000_000_000

#: A number or a word of the spec language, and nothing that could be more than one of them.
_PLAIN = re.compile(r"[A-Za-z0-9_.+\-/ ]+")


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


def text_of(x: Any, what: str = "a number") -> str:
    """The exact number as text of the spec language.

    >>> text_of(0.1), text_of(Fraction(1, 3)), text_of(Decimal("1e-7"))
    ('0.1', '1/3', '1E-7')
    """
    if isinstance(x, str):
        if not _PLAIN.fullmatch(x):
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
    if getattr(x, "ndim", None) == 0:
        return text_of(x.item(), what)
    raise SpecError(f"{what}: must be a number, text, Decimal or Fraction, not {type(x).__name__}")


def is_array(x: Any) -> bool:
    """Several numbers: a numpy array, a list or a tuple."""
    return getattr(x, "ndim", 0) > 0 or isinstance(x, (list, tuple))


def check_options(*, digits: Any = 1, threads: Any = 1, memory: Any = 1, timeout: Any = None) -> None:
    """Raises a SpecError, with name and domain, for an option that is not what it should be. No timeout is no limit."""
    for name, count, most in (("digits", digits, 2**31), ("threads", threads, 2**31), ("memory", memory, 2**63)):
        if isinstance(count, bool) or not isinstance(count, numbers.Integral) or not 1 <= int(count) < most:
            raise SpecError(f"{name}: must be an integer from 1 on, not {count!r}")
    if timeout is not None and (isinstance(timeout, bool) or not isinstance(timeout, (int, float)) or not timeout > 0):
        raise SpecError(f"timeout: must be a number of seconds > 0, or None for no limit, not {timeout!r}")
