"""Real intervals that are rounded outward, whatever mpmath's own intervals do.

An interval has two ends, binary floats of any exponent. Trusted of mpmath: its `mpf_add`, `mpf_sub`, `mpf_mul`,
`mpf_div` and `mpf_sqrt` round as they are told to, and `mpf_exp`, `mpf_log`, `mpf_cos_sin`, `mpf_atan2` and `mpf_pi`,
asked for GUARD bits more than are kept, err by less than 2^-10 of what is kept (relatively). Results of the latter are
moved outward by that much before they are rounded outward. mpmath's own intervals (`iv`) are not used.

Comparisons are true only where they hold for all members; an order that is undecided is False both ways. Nothing is
ever infinite: dividing by an interval that contains 0, the logarithm of one, exp of 2^60 or more are rejected.
"""
from fractions import Fraction
from time import monotonic

from mpmath.libmp import (fone, from_int, fzero, mpf_abs, mpf_add, mpf_cmp, mpf_cos_sin, mpf_div, mpf_exp,
                          mpf_log, mpf_mul, mpf_neg, mpf_pi, mpf_pos, mpf_shift, mpf_sqrt, mpf_sub, to_float,
                          to_rational)

from .clock import Clock, Rejected, look, require

GUARD = 30      # bits that transcendental functions are asked for beyond those kept
SHORT = 40      # bits of what is added to a bound, rounded up
LARGEST = 64    # |x| < 2^LARGEST where an angle is known: both checkers know none beyond
EXPONENT = 60   # x < 2^EXPONENT where both take exponentials
_precision = 128


def set_precision(bits):
    global _precision
    require(type(bits) is int and 32 <= bits <= 2**20, "bits must be an integer of at least 32")
    _precision = bits


def bits_now():
    return _precision


class precision:
    """with precision(bits): ... works at another precision for a while."""

    def __init__(self, bits):
        self.bits = bits

    def __enter__(self):
        self.before = _precision
        set_precision(self.bits)

    def __exit__(self, *_):
        set_precision(self.before)


def _magnitude(x):
    """m with |x| < 2^m, for x != 0."""
    return x[2] + x[3]


def _beyond(x, rounding):
    """x moved outward by 2^-(precision + 10) |x|, then rounded outward to the precision."""
    if not x[1]:
        return x
    size = mpf_shift(mpf_abs(x), -_precision - 10)
    if rounding == "f":
        return mpf_sub(x, size, _precision, "f")
    return mpf_add(x, size, _precision, "c")


def _fraction_ends(numerator, denominator):
    if denominator == 1:
        n = from_int(numerator)
        if numerator.bit_length() <= _precision:
            return n, n
        return mpf_pos(n, _precision, "f"), mpf_pos(n, _precision, "c")
    n, d = from_int(numerator), from_int(denominator)
    return mpf_div(n, d, _precision, "f"), mpf_div(n, d, _precision, "c")


class Interval:
    """[lo, hi]; the ends are mpmath's tuples (sign, mantissa, exponent, bits of the mantissa)."""
    __slots__ = ("lo", "hi")

    def __init__(self, lo, hi):
        if monotonic() > Clock.end:
            look()
        self.lo, self.hi = lo, hi

    # What a kind may ask of an interval.
    @property
    def a(self):
        return Interval(self.lo, self.lo)

    @property
    def b(self):
        return Interval(self.hi, self.hi)

    @property
    def delta(self):
        """The width, from above."""
        width = mpf_sub(self.hi, self.lo, _precision, "c")
        return Interval(width, width)

    @property
    def mid(self):
        """A point inside, near the middle."""
        middle = mpf_shift(mpf_add(self.lo, self.hi, _precision, "n"), -1)
        if mpf_cmp(middle, self.lo) < 0 or mpf_cmp(middle, self.hi) > 0:
            middle = self.lo
        return Interval(middle, middle)

    def lower(self):
        """The lower end, exactly."""
        return Fraction(*to_rational(self.lo))

    def upper(self):
        return Fraction(*to_rational(self.hi))

    def estimate(self):
        """A float near the middle; for messages and heuristics only."""
        return to_float(self.mid.lo)

    def __contains__(self, x):
        x = _interval(x)
        return mpf_cmp(self.lo, x.lo) <= 0 and mpf_cmp(x.hi, self.hi) <= 0

    def __repr__(self):
        return f"[{to_float(self.lo)!r}, {to_float(self.hi)!r}]"

    def __neg__(self):
        return Interval(mpf_neg(self.hi), mpf_neg(self.lo))

    def __abs__(self):
        if not self.lo[0]:
            return self
        if self.hi[0] or not self.hi[1]:
            return -self
        low = mpf_neg(self.lo)
        return Interval(fzero, low if mpf_cmp(low, self.hi) > 0 else self.hi)

    def __add__(self, other):
        other = _interval(other)
        if other is NotImplemented:
            return other
        return Interval(mpf_add(self.lo, other.lo, _precision, "f"), mpf_add(self.hi, other.hi, _precision, "c"))

    def __sub__(self, other):
        other = _interval(other)
        if other is NotImplemented:
            return other
        return Interval(mpf_sub(self.lo, other.hi, _precision, "f"), mpf_sub(self.hi, other.lo, _precision, "c"))

    def __mul__(self, other):
        other = _interval(other)
        if other is NotImplemented:
            return other
        a, b, c, d = self.lo, self.hi, other.lo, other.hi
        p = _precision
        if not a[0]:
            if not c[0]:
                return Interval(mpf_mul(a, c, p, "f"), mpf_mul(b, d, p, "c"))
            return Interval(mpf_mul(b, c, p, "f"), mpf_mul(a if d[0] else b, d, p, "c"))
        if not c[0]:
            return Interval(mpf_mul(a, d, p, "f"), mpf_mul(b, c if b[0] else d, p, "c"))
        low = [mpf_mul(a, c, p, "f"), mpf_mul(a, d, p, "f"), mpf_mul(b, c, p, "f"), mpf_mul(b, d, p, "f")]
        high = [mpf_mul(a, c, p, "c"), mpf_mul(a, d, p, "c"), mpf_mul(b, c, p, "c"), mpf_mul(b, d, p, "c")]
        return Interval(_least(low), _greatest(high))

    def __truediv__(self, other):
        other = _interval(other)
        if other is NotImplemented:
            return other
        if not (other > 0 or other < 0):
            raise Rejected("a divisor may be 0")
        if other.hi[0]:
            return (-self) / (-other)
        a, b, c, d = self.lo, self.hi, other.lo, other.hi
        return Interval(mpf_div(a, c if a[0] else d, _precision, "f"), mpf_div(b, d if b[0] else c, _precision, "c"))

    def __radd__(self, other):
        return self + other

    def __rsub__(self, other):
        return -self + other

    def __rmul__(self, other):
        return self * other

    def __rtruediv__(self, other):
        other = _interval(other)
        return other if other is NotImplemented else other / self

    def __pow__(self, n):
        """Integer powers."""
        if type(n) is not int:
            return NotImplemented
        if n < 0:
            return 1 / self ** -n
        base = abs(self) if n % 2 == 0 else self
        if n % 2 == 1 and base.lo[0] and not base.hi[0]:  # a sign that is undecided
            low, high = (-base.a) ** n, base.b ** n
            return Interval(mpf_neg(low.hi), high.hi)
        return power(base, n) if n else Interval(fone, fone)

    def __lt__(self, other):
        return mpf_cmp(self.hi, _interval(other).lo) < 0

    def __le__(self, other):
        return mpf_cmp(self.hi, _interval(other).lo) <= 0

    def __gt__(self, other):
        return mpf_cmp(self.lo, _interval(other).hi) > 0

    def __ge__(self, other):
        return mpf_cmp(self.lo, _interval(other).hi) >= 0

    def __eq__(self, other):
        raise TypeError("intervals are not compared for equality")

    def __bool__(self):
        raise TypeError("an interval is no truth value")

    __hash__ = None


def power(base, n):
    """base^n, n >= 1, by squaring; of intervals and boxes."""
    result = None
    while n:
        if n & 1:
            result = base if result is None else result * base
        n >>= 1
        if n:
            base = base * base
    return result


def _least(ends):
    best = ends[0]
    for end in ends[1:]:
        if mpf_cmp(end, best) < 0:
            best = end
    return best


def _greatest(ends):
    best = ends[0]
    for end in ends[1:]:
        if mpf_cmp(end, best) > 0:
            best = end
    return best


def _interval(x):
    if type(x) is Interval:
        return x
    if type(x) is int:
        return Interval(*_fraction_ends(x, 1))
    if type(x) is Fraction:
        return Interval(*_fraction_ends(x.numerator, x.denominator))
    if getattr(x, "is_box", False):
        return NotImplemented  # a complex box: its own operators do it
    raise TypeError(f"{type(x).__name__} is no exact number")


def exact(q):
    """Encloses an int or a Fraction."""
    return _interval(q)


def exceeds(point, q):
    """Is the upper end of `point` above the rational q? Decided exactly, whatever the exponents are."""
    sign, mantissa, exponent, bits = point.hi
    if exponent + bits < -2**20 and mantissa:  # |x| < 2^(-2^20): q is not that near to 0 unless it is 0
        return not sign if q == 0 else q < 0
    if exponent > 2**20:
        return not sign
    value = Fraction(-mantissa if sign else mantissa)
    return (value * 2 ** exponent if exponent >= 0 else value / 2 ** -exponent) > q


def floor_of(end, bits):
    """floor(2^bits x) of a binary float x."""
    sign, mantissa, exponent, _ = end
    shift = exponent + bits
    if sign:
        mantissa = -mantissa
    return mantissa << shift if shift >= 0 else mantissa >> -shift


def top(x):
    """The upper end."""
    return x.b


def bottom(x):
    return x.a


def hull(*parts):
    """The least interval that contains all of them."""
    parts = [_interval(x) for x in parts]
    return Interval(_least([x.lo for x in parts]), _greatest([x.hi for x in parts]))


def spread(x):
    """[-s, s] with s the greatest |member|."""
    size = abs(x).hi
    return Interval(mpf_neg(size), size)


def maximum(x, y):
    """Encloses the greater of the two."""
    x, y = _interval(x), _interval(y)
    return Interval(_greatest([x.lo, y.lo]), _greatest([x.hi, y.hi]))


def minimum(x, y):
    x, y = _interval(x), _interval(y)
    return Interval(_least([x.lo, y.lo]), _least([x.hi, y.hi]))


def pi():
    value = mpf_pi(_precision + GUARD)
    return Interval(_beyond(value, "f"), _beyond(value, "c"))


# ---- functions of one real interval: monotone ones by their ends

def _exp_end(x, rounding):
    if not x[1]:
        return fone
    size = _magnitude(x)
    if size > EXPONENT:
        require(x[0] == 1, "an exponential is out of range")
        # 0 < e^x <= e^(-2^EXPONENT) < 2^(-2^EXPONENT)
        return fzero if rounding == "f" else mpf_shift(fone, -(1 << EXPONENT))
    return _beyond(mpf_exp(x, _precision + GUARD, "n"), rounding)


def _rises(value, by, low):
    """[low, value + |value| 2^-(precision + 10) + by], by >= 0: for a function that rises by so much across an interval."""
    more = mpf_add(mpf_shift(mpf_abs(value), -_precision - 10), by, SHORT, "c")
    return Interval(low, mpf_add(value, more, _precision, "c"))


def slight(x):
    """Is the binary float x >= 0 below 2^-30?"""
    return not x[1] or _magnitude(x) <= -30


def exp(x):
    """Thin intervals by the lower end alone: e^d <= 1 + (1 + 2^-30) d for 0 <= d <= 2^-30, and e^lo itself is at most
    1 + 2^-42 times what is found for it; the product of the two factors is below 1 + 2^-29."""
    x = _interval(x)
    low, width = x.lo, mpf_sub(x.hi, x.lo, SHORT, "c")
    if not low[1] or _magnitude(low) > EXPONENT or not slight(width):
        return Interval(_exp_end(x.lo, "f"), _exp_end(x.hi, "c"))
    value = mpf_exp(low, _precision + GUARD, "n")
    rise = mpf_mul(mpf_add(width, mpf_shift(width, -29), SHORT, "c"), value, SHORT, "c")
    return _rises(value, rise, _beyond(value, "f"))


def _log_end(x):
    """mpf_log takes x = 1/4 (1 + e) for 1 + e where it has more bits than are asked for: there they are rounded away first,
    which changes a logarithm of about -log 4 by less than 2^(2-GUARD) of what is kept."""
    bits = _precision + GUARD
    return mpf_log(mpf_pos(x, bits, "n") if x[1] and _magnitude(x) == -1 else x, bits, "n")


def log(x):
    """log hi <= log lo + (hi - lo) / lo, which thin intervals lose nothing by."""
    x = _interval(x)
    require(x > 0, "the logarithm of what may not be positive")
    value = _log_end(x.lo)
    rise = mpf_div(mpf_sub(x.hi, x.lo, SHORT, "c"), x.lo, SHORT, "c")
    if not slight(rise):
        return Interval(_beyond(value, "f"), _beyond(_log_end(x.hi), "c"))
    return _rises(value, rise, _beyond(value, "f"))


def sqrt(x):
    x = _interval(x)
    require(x >= 0, "the root of what may be negative")
    return Interval(mpf_sqrt(x.lo, _precision, "f"), mpf_sqrt(x.hi, _precision, "c"))


def _near_zero(x, value):
    """value(x), an increasing function that is x + O(x^2): with as many bits more as cancel, or, at an end very near 0, as x
    up to x^2: both functions have |value(x) - x| <= x^2 for |x| <= 1/2."""
    lost = max([-_magnitude(end) for end in (x.lo, x.hi) if end[1]] + [0])
    if lost > 2 * _precision + 64:
        if x.lo == x.hi:
            return x + spread(x * x)
        return Interval(_near_zero(x.a, value).lo, _near_zero(x.b, value).hi)
    before = _precision
    with precision(before + lost + 8):
        fine = value(x)
    return Interval(mpf_pos(fine.lo, before, "f"), mpf_pos(fine.hi, before, "c"))


def expm1(x):
    """e^x - 1; e^x - 1 - x = x^2 (1/2 + x/6 + ...) and the bracket is at most e - 2 for |x| <= 1."""
    return _near_zero(_interval(x), lambda y: exp(y) - 1)


def log1p(x):
    """log(1 + x); |log(1 + x) - x| <= x^2 / (2 (1 - |x|))."""
    x = _interval(x)
    require(x > -1, "the logarithm of what may not be positive")
    return _near_zero(x, lambda y: log(1 + y))


def cos_sin(x):
    """Both at once. Off the middle m by at most r, cos changes by at most r min(1, |sin m| + r), sin alike."""
    x = _interval(x)
    middle = x.mid.lo
    if any(end[1] and _magnitude(end) > LARGEST for end in (x.lo, x.hi)):
        return (Interval(mpf_neg(fone), fone),) * 2
    radius = _greatest([mpf_sub(x.hi, middle, SHORT, "c"), mpf_sub(middle, x.lo, SHORT, "c")])
    values = mpf_cos_sin(middle, _precision + GUARD, "n")
    slopes = [mpf_add(mpf_shift(mpf_abs(v), -_precision - 10), mpf_add(mpf_abs(v), radius, SHORT, "c"), SHORT, "c")
              for v in reversed(values)]
    return tuple(_around(v, mpf_mul(radius, _least([fone, slope]), SHORT, "c")) for v, slope in zip(values, slopes))


def _around(value, error):
    """The members of [-1, 1] that are at most `error` + 2^-(precision + 10) |value| from it."""
    error = mpf_add(error, mpf_shift(mpf_abs(value), -_precision - 10), SHORT, "c")
    return Interval(_greatest([mpf_neg(fone), mpf_sub(value, error, _precision, "f")]),
                    _least([fone, mpf_add(value, error, _precision, "c")]))


def cos(x):
    return cos_sin(x)[0]


def sin(x):
    return cos_sin(x)[1]
