"""The arithmetic that kinds of certificates use, and nothing else: outward, finite, or rejected.

real.py says what is trusted of mpmath; boxes.py holds complex boxes, special.py the normal distribution.
"""
from .boxes import Complex, any_log, argument, cexp, clog, polar
from .clock import Rejected, look, require, watched
from .real import (Interval, bits_now, bottom, cos, cos_sin, exact, exp, expm1, floor_of, hull, log, log1p, maximum,
                   minimum, pi, precision, set_precision, sin, spread, sqrt, top)
from .special import density, log_c, normal_tail
from .sums import power_sums, sizes_of_power_sums

__all__ = ["Complex", "Interval", "Rejected", "any_log", "argument", "bits_now", "bottom", "cexp", "clog", "cos", "cos_sin",
           "density", "exact", "exp", "expm1", "floor_of", "hull", "log", "log1p", "log_c", "look", "maximum", "minimum",
           "normal_tail", "pi", "polar", "power_sums", "precision", "require", "set_precision", "sin",
           "sizes_of_power_sums", "spread", "sqrt", "top", "watched"]
