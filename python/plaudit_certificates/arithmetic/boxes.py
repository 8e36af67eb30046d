"""Complex boxes: a real interval for each part."""
from mpmath.libmp import mpf_atan2

from .clock import require
from .ends import add_down, add_up, div_up, from_mpmath, mul_down, mul_up, sub_up, to_mpmath
from .real import (GUARD, SHORT, Interval, _beyond, _interval, bits_now, cos_sin, exact, exp, hull, log, pi, power, slight,
                   sqrt)


class Complex:
    __slots__ = ("real", "imag")
    is_box = True

    def __init__(self, real, imag=0):
        self.real, self.imag = _interval(real), _interval(imag)

    def __repr__(self):
        return f"({self.real!r} + {self.imag!r} i)"

    def conjugate(self):
        return Complex(self.real, -self.imag)

    def square_of_size(self):
        """|z|^2."""
        return self.real ** 2 + self.imag ** 2

    def __abs__(self):
        return sqrt(self.square_of_size())

    def __neg__(self):
        return Complex(-self.real, -self.imag)

    def __add__(self, other):
        other = _box(other)
        return Complex(self.real + other.real, self.imag + other.imag)

    def __sub__(self, other):
        other = _box(other)
        return Complex(self.real - other.real, self.imag - other.imag)

    def __mul__(self, other):
        if type(other) is not Complex:
            other = _interval(other)
            return Complex(self.real * other, self.imag * other)
        return Complex(self.real * other.real - self.imag * other.imag,
                       self.real * other.imag + self.imag * other.real)

    def __truediv__(self, other):
        if type(other) is not Complex:
            other = _interval(other)
            return Complex(self.real / other, self.imag / other)
        size = other.square_of_size()
        product = self * other.conjugate()
        return Complex(product.real / size, product.imag / size)

    def __radd__(self, other):
        return self + other

    def __rsub__(self, other):
        return -self + other

    def __rmul__(self, other):
        return self * other

    def __rtruediv__(self, other):
        return _box(other) / self

    def __pow__(self, n):
        """n a positive integer."""
        return power(self, n)

    def __eq__(self, other):
        raise TypeError("boxes are not compared for equality")

    __hash__ = None


def _box(x):
    return x if type(x) is Complex else Complex(x, 0)


def polar(size, angle):
    """size e^(i angle)."""
    c, s = cos_sin(angle)
    size = exact(size)
    return Complex(size * c, size * s)


def cexp(z):
    z = _box(z)
    return polar(exp(z.real), z.imag)


def _angle(y, x):
    """The argument of the point x + iy, off the cut."""
    value = from_mpmath(mpf_atan2(to_mpmath(y), to_mpmath(x), bits_now() + GUARD, "n"))
    return Interval(_beyond(value, False), _beyond(value, True))


def _change(x, y):
    """A binary float above the greatest (|x| |dy| + |y| |dx|) / |z|^2 between two points of a box without 0."""
    width, height = (sub_up(part.hi, part.lo, SHORT) for part in (x, y))
    x, y = abs(x), abs(y)
    above = add_up(mul_up(x.hi, height, SHORT), mul_up(y.hi, width, SHORT), SHORT)
    below = add_down(mul_down(x.lo, x.lo, SHORT), mul_down(y.lo, y.lo, SHORT), SHORT)
    return div_up(above, below, SHORT)


def argument(z):
    """The principal argument of a box that does not touch the cut (-inf, 0].

    arg has no extremum inside a box without 0, and along each edge it is monotone: it increases in y where x > 0,
    decreases where x < 0, decreases in x where y > 0, increases where y < 0. So two corners suffice. In a small box one
    does: from there it changes by at most the greatest (|x| |dy| + |y| |dx|) / |z|^2.
    """
    z = _box(z)
    x, y = z.real, z.imag
    if y.hi[0] < 0:
        return -argument(z.conjugate())
    crosses = y.lo[0] <= 0  # y may be 0
    require(x > 0 or not crosses, "a logarithm's argument touches the cut")
    least = _angle(y.lo, x.lo) if crosses else _angle(y.hi if x.hi[0] < 0 else y.lo, x.hi)
    change = _change(x, y)
    if slight(change):
        return Interval(least.lo, add_up(least.hi, change, bits_now()))
    return hull(least, _angle(y.hi, x.lo) if crosses else _angle(y.lo if x.lo[0] < 0 else y.hi, x.lo))


def clog(z):
    """The principal logarithm; boxes that touch the cut (-inf, 0] are rejected."""
    z = _box(z)
    angle = argument(z)
    return Complex(log(z.square_of_size()) / 2, angle)


def any_log(z):
    """Encloses one of the logarithms of every member, whose exponentials of integer multiples are all that is asked for.

    A box that contains 0 gives all logarithms with real parts up to that of its greatest member (a finite stand-in for
    minus infinity at the other end, whose exponential is enclosed down to 0: |z|^n is then known from above only)."""
    z = _box(z)
    size = z.square_of_size()
    if not size > 0:
        if not size.hi[0]:
            return Complex(exact(-LEAST_LOG), 0)
        return Complex(hull(-LEAST_LOG, log(size.b) / 2), hull(-4, 4))
    if z.real < 0:
        turned = clog(-z)
        return Complex(turned.real, turned.imag + pi())
    if z.imag > 0 or z.imag < 0 or z.real > 0:
        return clog(z)
    return Complex(hull(-LEAST_LOG, log(size.b) / 2), hull(-4, 4))


LEAST_LOG = 2**70  # e^-LEAST_LOG is enclosed by [0, ...] in exp()
