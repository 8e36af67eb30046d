"""Real intervals that are rounded outward, whatever mpmath's own intervals do.

An interval has two ends, binary floats of any exponent (ends.py). Trusted of mpmath: its `mpf_exp`, `mpf_log`,
`mpf_cos_sin`, `mpf_atan2` and `mpf_pi`, asked for GUARD bits more than are kept, err by less than 2^-10 of what is kept
(relatively). Their results are moved outward by that much before they are rounded outward. mpmath's own intervals (`iv`)
are not used.

Comparisons are true only where they hold for all members; an order that is undecided is False both ways. Nothing is
ever infinite: dividing by an interval that contains 0, the logarithm of one, exp of 2^60 or more are rejected.
"""
from fractions import Fraction
from time import monotonic

from mpmath.libmp import mpf_cos_sin, mpf_exp, mpf_log, mpf_pi, to_float

from .clock import Clock, Rejected, look, require
from .ends import (MINUS_ONE, ONE, ZERO, add_down, add_up, compare, div_down, div_up, down, from_mpmath, magnitude, mul_down,
                   mul_up, negative, shifted, size, sqrt_down, sqrt_up, sub_down, sub_up, to_mpmath, up)

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


def _beyond(x, upward):
    """x moved outward by 2^-(precision + 10) |x|, then rounded outward to the precision."""
    if not x[0]:
        return x
    spare = shifted(size(x), -_precision - 10)
    return add_up(x, spare, _precision) if upward else sub_down(x, spare, _precision)


def _fraction_ends(numerator, denominator):
    if denominator == 1:
        return down(numerator, 0, _precision), up(numerator, 0, _precision)
    n, d = (numerator, 0), (denominator, 0)
    return div_down(n, d, _precision), div_up(n, d, _precision)


class Interval:
    """[lo, hi]; the ends are floats of ends.py."""
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
        width = sub_up(self.hi, self.lo, _precision)
        return Interval(width, width)

    @property
    def mid(self):
        """A point inside, near the middle."""
        middle = shifted(add_down(self.lo, self.hi, _precision), -1)
        if compare(middle, self.lo) < 0 or compare(middle, self.hi) > 0:
            middle = self.lo
        return Interval(middle, middle)

    def lower(self):
        """The lower end, exactly."""
        return _rational(self.lo)

    def upper(self):
        return _rational(self.hi)

    def estimate(self):
        """A float near the middle; for messages and heuristics only."""
        return to_float(to_mpmath(self.mid.lo))

    def __contains__(self, x):
        x = _interval(x)
        return compare(self.lo, x.lo) <= 0 and compare(x.hi, self.hi) <= 0

    def __repr__(self):
        return f"[{to_float(to_mpmath(self.lo))!r}, {to_float(to_mpmath(self.hi))!r}]"

    def __neg__(self):
        return Interval(negative(self.hi), negative(self.lo))

    def __abs__(self):
        if self.lo[0] >= 0:
            return self
        if self.hi[0] <= 0:
            return -self
        low = negative(self.lo)
        return Interval(ZERO, low if compare(low, self.hi) > 0 else self.hi)

    def __add__(self, other):
        other = _interval(other)
        if other is NotImplemented:
            return other
        return Interval(add_down(self.lo, other.lo, _precision), add_up(self.hi, other.hi, _precision))

    def __sub__(self, other):
        other = _interval(other)
        if other is NotImplemented:
            return other
        return Interval(sub_down(self.lo, other.hi, _precision), sub_up(self.hi, other.lo, _precision))

    def __mul__(self, other):
        other = _interval(other)
        if other is NotImplemented:
            return other
        a, b, c, d = self.lo, self.hi, other.lo, other.hi
        p = _precision
        if a[0] >= 0:
            if c[0] >= 0:
                return Interval(mul_down(a, c, p), mul_up(b, d, p))
            return Interval(mul_down(b, c, p), mul_up(a if d[0] < 0 else b, d, p))
        if c[0] >= 0:
            return Interval(mul_down(a, d, p), mul_up(b, c if b[0] < 0 else d, p))
        if b[0] <= 0:
            return Interval(mul_down(b if d[0] < 0 else a, d, p), mul_up(a, c, p))
        if d[0] <= 0:
            return Interval(mul_down(b, c, p), mul_up(a, c, p))
        return Interval(_least([mul_down(a, d, p), mul_down(b, c, p)]), _greatest([mul_up(a, c, p), mul_up(b, d, p)]))

    def __truediv__(self, other):
        other = _interval(other)
        if other is NotImplemented:
            return other
        if not (other > 0 or other < 0):
            raise Rejected("a divisor may be 0")
        if other.hi[0] < 0:
            return (-self) / (-other)
        a, b, c, d = self.lo, self.hi, other.lo, other.hi
        return Interval(div_down(a, c if a[0] < 0 else d, _precision), div_up(b, d if b[0] < 0 else c, _precision))

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
        if n % 2 == 1 and base.lo[0] < 0 <= base.hi[0]:  # a sign that is undecided
            low, high = (-base.a) ** n, base.b ** n
            return Interval(negative(low.hi), high.hi)
        return power(base, n) if n else Interval(ONE, ONE)

    def __lt__(self, other):
        return compare(self.hi, _interval(other).lo) < 0

    def __le__(self, other):
        return compare(self.hi, _interval(other).lo) <= 0

    def __gt__(self, other):
        return compare(self.lo, _interval(other).hi) > 0

    def __ge__(self, other):
        return compare(self.lo, _interval(other).hi) >= 0

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
        if compare(end, best) < 0:
            best = end
    return best


def _greatest(ends):
    best = ends[0]
    for end in ends[1:]:
        if compare(end, best) > 0:
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
    end = point.hi
    if end[0] and magnitude(end) < -2**20:  # |x| < 2^(-2^20): q is not that near to 0 unless it is 0
        return end[0] > 0 if q == 0 else q < 0
    if end[0] and end[1] > 2**20:
        return end[0] > 0
    return _rational(end) > q


def _rational(x):
    m, e = x if x[0] else (0, 0)
    return Fraction(m << e) if e >= 0 else Fraction(m, 1 << -e)


def floor_of(end, bits):
    """floor(2^bits x) of a binary float x."""
    shift = end[1] + bits
    return end[0] << shift if shift >= 0 else end[0] >> -shift


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
    most = abs(x).hi
    return Interval(negative(most), most)


def maximum(x, y):
    """Encloses the greater of the two."""
    x, y = _interval(x), _interval(y)
    return Interval(_greatest([x.lo, y.lo]), _greatest([x.hi, y.hi]))


def minimum(x, y):
    x, y = _interval(x), _interval(y)
    return Interval(_least([x.lo, y.lo]), _least([x.hi, y.hi]))


def pi():
    value = from_mpmath(mpf_pi(_precision + GUARD))
    return Interval(_beyond(value, False), _beyond(value, True))


# ---- functions of one real interval: monotone ones by their ends

def _exp_near(x):
    """What mpmath finds for the exponential of the float x."""
    return from_mpmath(mpf_exp(to_mpmath(x), _precision + GUARD, "n"))


def _exp_end(x, upward):
    if not x[0]:
        return ONE
    if magnitude(x) > EXPONENT:
        require(x[0] < 0, "an exponential is out of range")
        # 0 < e^x <= e^(-2^EXPONENT) < 2^(-2^EXPONENT)
        return shifted(ONE, -(1 << EXPONENT)) if upward else ZERO
    return _beyond(_exp_near(x), upward)


def _rises(value, by, low):
    """[low, value + |value| 2^-(precision + 10) + by], by >= 0: for a function that rises by so much across an interval."""
    more = add_up(shifted(size(value), -_precision - 10), by, SHORT)
    return Interval(low, add_up(value, more, _precision))


def slight(x):
    """Is the binary float x >= 0 below 2^-30?"""
    return not x[0] or magnitude(x) <= -30


def exp(x):
    """Thin intervals by the lower end alone: e^d <= 1 + (1 + 2^-30) d for 0 <= d <= 2^-30, and e^lo itself is at most
    1 + 2^-42 times what is found for it; the product of the two factors is below 1 + 2^-29."""
    x = _interval(x)
    low, width = x.lo, sub_up(x.hi, x.lo, SHORT)
    if not low[0] or magnitude(low) > EXPONENT or not slight(width):
        return Interval(_exp_end(x.lo, False), _exp_end(x.hi, True))
    value = _exp_near(low)
    rise = mul_up(add_up(width, shifted(width, -29), SHORT), value, SHORT)
    return _rises(value, rise, _beyond(value, False))


def _log_end(x):
    """mpf_log takes x = 1/4 (1 + e) for 1 + e where it has more bits than are asked for: there they are rounded away first,
    which changes a logarithm of about -log 4 by less than 2^(2-GUARD) of what is kept."""
    bits = _precision + GUARD
    return from_mpmath(mpf_log(to_mpmath(down(*x, bits) if magnitude(x) == -1 else x), bits, "n"))


def log(x):
    """log hi <= log lo + (hi - lo) / lo, which thin intervals lose nothing by."""
    x = _interval(x)
    require(x > 0, "the logarithm of what may not be positive")
    value = _log_end(x.lo)
    rise = div_up(sub_up(x.hi, x.lo, SHORT), x.lo, SHORT)
    if not slight(rise):
        return Interval(_beyond(value, False), _beyond(_log_end(x.hi), True))
    return _rises(value, rise, _beyond(value, False))


def sqrt(x):
    x = _interval(x)
    require(x >= 0, "the root of what may be negative")
    return Interval(sqrt_down(x.lo, _precision), sqrt_up(x.hi, _precision))


def rounded_outward(x):
    """x with ends of no more bits than the precision."""
    return Interval(down(*x.lo, _precision), up(*x.hi, _precision))


def _near_zero(x, value):
    """value(x), an increasing function that is x + O(x^2): with as many bits more as cancel, or, at an end very near 0, as x
    up to x^2: both functions have |value(x) - x| <= x^2 for |x| <= 1/2."""
    lost = max([-magnitude(end) for end in (x.lo, x.hi) if end[0]] + [0])
    if lost > 2 * _precision + 64:
        if x.lo == x.hi:
            return x + spread(x * x)
        return Interval(_near_zero(x.a, value).lo, _near_zero(x.b, value).hi)
    with precision(_precision + lost + 8):
        fine = value(x)
    return rounded_outward(fine)


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
    if any(end[0] and magnitude(end) > LARGEST for end in (x.lo, x.hi)):
        return (Interval(MINUS_ONE, ONE),) * 2
    radius = _greatest([sub_up(x.hi, middle, SHORT), sub_up(middle, x.lo, SHORT)])
    values = [from_mpmath(each) for each in mpf_cos_sin(to_mpmath(middle), _precision + GUARD, "n")]
    slopes = [add_up(shifted(size(v), -_precision - 10), add_up(size(v), radius, SHORT), SHORT) for v in reversed(values)]
    return tuple(_around(v, mul_up(radius, _least([ONE, slope]), SHORT)) for v, slope in zip(values, slopes))


def _around(value, error):
    """The members of [-1, 1] that are at most `error` + 2^-(precision + 10) |value| from it."""
    error = add_up(error, shifted(size(value), -_precision - 10), SHORT)
    return Interval(_greatest([MINUS_ONE, sub_down(value, error, _precision)]),
                    _least([ONE, add_up(value, error, _precision)]))


def cos(x):
    return cos_sin(x)[0]


def sin(x):
    return cos_sin(x)[1]
