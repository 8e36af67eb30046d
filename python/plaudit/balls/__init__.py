"""Ball arithmetic, for laws and accountants of your own: functions whose values are proven enclosures.

Arguments are numbers, of which a float is that double, or an `Interval`; values are intervals, rounded
outward to `working_bits()`.

>>> from plaudit import balls
>>> two = balls.exp(balls.log(2))
>>> two.lower <= 2 <= two.upper
True
"""
from .._core import (Complex, Interval, complex_exp, cos, exp, expm1, hull, largest, least, log, log1p, normal_cdf,
                     sin, sqrt, working_bits)

__all__ = [
    "Complex", "Interval", "complex_exp", "cos", "exp", "expm1", "hull", "largest", "least", "log", "log1p",
    "normal_cdf", "sin", "sqrt", "working_bits",
]
