"""The integrands of laws with a density, each with its path. Claims and proofs: docs/certificates/lines.md#paths."""
from ..arithmetic.intervals import (Complex, argument, cos, cos_sin, exact, exp, expm1, log, log1p, maximum, normal_tail, pi, require,
                        sin, top, sqrt)


def log_polar(re, im):
    """log of the modulus, and the angle."""
    return log(re * re + im * im) / 2, argument(Complex(re, im))


def log_root_two_pi():
    return log(2 * pi()) / 2


def within(size, limit):
    require(size < limit, "a strip is too wide")


def turned(r, angle):
    """[cosine] cos(angle)^r for r < 0, 1 for r >= 0: a bound of (|f(y + ie)| / f(y))^r."""
    if r >= 0:
        return exact(1)
    cosine = cos(angle)
    require(r <= 0 and cosine > 0, "a strip is too wide")
    return exp(r * log(cosine))


def convex(r, inside, outside):
    """Jensen: `inside` for 0 <= r <= 1, `outside()` for r <= 0 or r >= 1."""
    if r >= 0 and r <= 1:
        return inside
    require(r <= 0 or r >= 1, "an order is not on one side of 0 and 1")
    return top(outside())


class Density:
    """f(y) = sum p_i exp(a_i y - a_i^2/2), 0 <= a_0 < a_1 < ...."""

    def __init__(self, law):
        self.rates = law.distances()
        self.probabilities = [exact(p) for p in law.probabilities]
        self.logs = [log(p) - a * a / 2 for a, p in zip(self.rates, self.probabilities)]
        self.least, self.greatest = self.rates[0], self.rates[-1]
        self.base = self.probabilities[0] if law.rates[0] == 0 else None
        self.turns = (None, None)

    def terms(self, y):
        """p_i exp(a_i y - a_i^2/2), without an exponential where a_0 = 0."""
        first = [] if self.base is None else [self.base]
        return first + [exp(a * y + c) for a, c in zip(self.rates[len(first):], self.logs[len(first):])]

    def log_real(self, y):
        return log(sum(self.terms(y), exact(0)))

    def log_shifted(self, y, eta):
        if self.turns[0] is not eta:  # one line has one eta
            self.turns = eta, [cos_sin(a * eta) for a in self.rates]
        re, im = exact(0), exact(0)
        for size, (cosine, sine) in zip(self.terms(y), self.turns[1]):
            re, im = re + size * cosine, im + size * sine
        return log_polar(re, im)

    def turn(self, r, e):
        """[strip] a bound of |f(y + ie)^r| / f(y)^r."""
        size = top(abs(e))
        within(size * self.greatest, pi())
        return turned(r, (self.greatest - self.least) * size / 2)

    def right(self, r, y):
        """[tails] the integral of phi f^r beyond y, y >= 0."""
        if r >= 0:
            return self._steep(r, self.log_real(y), y)
        require(r <= 0 and y >= 0, "a rule is cut too early")
        return exp(r * self.log_real(y)) * normal_tail(y)

    def left(self, r, y):
        """[tails] the same below -y."""
        require(y >= 0, "a rule is cut too early")
        if r >= 0:
            return exp(r * self.log_real(-y)) * normal_tail(y)
        if self.base is not None:
            return exp(r * log(self.base)) * normal_tail(y)
        return self._steep(-r, -self.log_real(-y), y)

    def _steep(self, r, log_value, y):
        slope = r * self.greatest
        require(y >= slope, "a rule is cut too early")
        return exp(r * log_value - slope * y + slope * slope / 2) * normal_tail(y - slope)


class MixturePath:
    """phi(y) f(y)^w over the line, g = f."""

    def __init__(self, density, r):
        self.f, self.r, self.front = density, r, log_root_two_pi()

    def log_size(self, y):
        return self.r * self.f.log_real(y) - y * y / 2 - self.front

    def point(self, y, eta):
        log_f, angle = self.f.log_shifted(y, eta)
        return self.r * log_f - (y * y - eta * eta) / 2 - self.front, self.r * angle - y * eta, log_f, angle

    def edge(self, e, s):
        down = exact(0) if e >= 0 else top(abs(e))
        return exp(e * e / 2 + s * self.f.greatest * down) * self.f.turn(self.r, e)

    def tails(self, first, last, eta):
        return exp(eta * eta / 2) * self.f.turn(self.r, eta) * (self.f.right(self.r, last) + self.f.left(self.r, -first))

    def crude(self):
        r, f = self.r, self.f
        return convex(r, exact(1), lambda: sum((p * exp(a * a * r * (r - 1) / 2)
                                                for a, p in zip(f.rates, f.probabilities)), exact(0)))


class MirroredPath:
    """phi(y) a(y)^(1+z) a(-y)^(-z) over the line, g = a(y) / a(-y); r is the order t of M."""

    def __init__(self, density, t):
        require(density.base is not None, "a mirrored mixture without a component at 0")
        self.f, self.r, self.front = density, t, log_root_two_pi()

    def log_size(self, y):
        return (1 + self.r) * self.f.log_real(y) - self.r * self.f.log_real(-y) - y * y / 2 - self.front

    def point(self, y, eta):
        log_a, angle_a = self.f.log_shifted(y, eta)
        log_b, angle_b = self.f.log_shifted(-y, eta)  # of the conjugate of a(-y - i eta)
        return ((1 + self.r) * log_a - self.r * log_b - (y * y - eta * eta) / 2 - self.front,
                (1 + self.r) * angle_a + self.r * angle_b - y * eta, log_a - log_b, angle_a + angle_b)

    def edge(self, e, s):
        down = exact(0) if e >= 0 else top(abs(e))
        return exp(e * e / 2 + 2 * s * self.f.greatest * down) * self._turn(e)

    def _turn(self, e):
        return self.f.turn(1 + self.r, e) * self.f.turn(-self.r, e)

    def tails(self, first, last, eta):
        return exp(eta * eta / 2) * self._turn(eta) * (self._tail(self.r, last) + self._tail(-1 - self.r, -first))

    def _tail(self, t, y):
        if t >= 0:
            other = exp(-t * log(self.f.base))
        else:
            require(t <= 0, "an order is not on one side of 0 and -1")
            other = maximum(1, exp(-t * self.f.log_real(-y)))
        return self.f.right(1 + t, y) * other

    def crude(self):
        t, f = self.r, self.f
        return convex(1 + t, exact(1), lambda: sum((p * exp(2 * a * a * t * (t + 1))
                                                    for a, p in zip(f.rates, f.probabilities)), exact(0)))


class HalfPath:
    """phi(y) f(y)^w over (a/2, inf), f = 1 - q + q e^(ay - a^2/2), y = a/2 + log(1 + e^zeta), g = f."""
    def __init__(self, a, q, r):
        self.a, self.q, self.r, self.front = a, q, r, log_root_two_pi()

    def _log_f(self, rise):
        return log1p(self.q * expm1(self.a * rise))

    def log_size(self, u):
        rise = log1p(exp(u))
        y = self.a / 2 + rise
        return self.r * self._log_f(rise) + u - rise - y * y / 2 - self.front

    def point(self, u, eta):
        grown = exp(u)
        cosine, sine = cos_sin(eta)
        rise, turn = log_polar(1 + grown * cosine, grown * sine)
        size = self.q * exp(self.a * rise)
        cosine, sine = cos_sin(self.a * turn)
        log_f, angle = log_polar(1 - self.q + size * cosine, size * sine)
        y = self.a / 2 + rise
        return (self.r * log_f + u - rise - (y * y - turn * turn) / 2 - self.front,
                self.r * angle + eta - turn - y * turn, log_f, angle)

    def edge(self, e, s):
        size = top(abs(e))
        within(size, pi() / 2)
        down = exact(0) if e >= 0 else size
        return exp(e * e / 2 + s * self.a * down) * self._turn(size) / cos(size)

    def _turn(self, size):
        within(size * self.a, pi())
        return turned(self.r, self.a * size / 2)

    def tails(self, first, last, eta):
        require(first <= 0 and last >= 0, "a rule is cut too early")
        y, slope = self.a / 2 + last, self.a * maximum(self.r, 0)
        require(y >= slope, "a rule is cut too early")
        near = exp(first)
        left = exp(-self.a * self.a / 8 - self.front + first) * maximum(1, exp(self.r * self._log_f(near)))
        right = exp(self.r * self._log_f(last) + slope * slope / 2 - slope * y) * normal_tail(y - slope)
        return exp(eta * eta / 2) * self._turn(eta) * (left + right)

    def crude(self):
        a, q, r = self.a, self.q, self.r
        tail, rest = normal_tail(a / 2), normal_tail(-a / 2) - normal_tail(a / 2)
        return convex(r, top(tail + r * q * rest), lambda: (
            (1 - q) * tail + q * exp(a * a * r * (r - 1) / 2) * normal_tail(a / 2 - r * a)))


class CutPath:
    """phi(y) f(y)^w over (-inf, Y), y = Y - log(1 + e^zeta), zeta = u - i tau, r >= 0, g = f."""

    def __init__(self, density, cut, r):
        require(r >= 0 and cut > 0, "a cut needs Y > 0 and an order that is not negative")
        self.f, self.cut, self.r, self.front = density, cut, r, log_root_two_pi()

    def log_size(self, u):
        fall = log1p(exp(u))
        y = self.cut - fall
        return self.r * self.f.log_real(y) + u - fall - y * y / 2 - self.front

    def point(self, u, eta):
        grown = exp(u)
        cosine, sine = cos_sin(eta)
        fall, turn = log_polar(1 + grown * cosine, grown * sine)
        y = self.cut - fall
        log_f, angle = self.f.log_shifted(y, turn)
        return (self.r * log_f + u - fall - (y * y - turn * turn) / 2 - self.front,
                self.r * angle - eta + turn - y * turn, log_f, angle)

    def edge(self, e, s):
        size = top(abs(e))
        within(size, pi() / 2)
        within(size * self.f.greatest, pi())
        down = exact(0) if e >= 0 else size
        return exp(e * e / 2 + s * self.f.greatest * down) / cos(size)

    def tails(self, first, last, eta):
        require(first <= 0 and last >= self.cut, "a rule is cut too early")
        nearest = maximum(0, self.cut - exp(first))
        left = exp(self.r * self.f.log_real(self.cut) - nearest * nearest / 2 - self.front + first)
        right = exp(self.r * self.f.log_real(self.cut - last)) * normal_tail(last - self.cut)
        return exp(eta * eta / 2) * (left + right)

    def crude(self):
        return MixturePath(self.f, self.r).crude()


class BoundedGaussianPath:
    """The density of N(mu, 2 mu) times e^(zl) over (-end, end), l = end tanh(zeta), g = e^l; t the real part of z."""
    def __init__(self, mu, end, t):
        self.mu, self.end, self.t = mu, end, t
        self.centre = mu + 2 * mu * t           # where the density times e^(tl) would be greatest
        self.height = mu * t * (t + 1) - log(4 * pi() * mu) / 2  # log of that

    def _log_density(self, x, y=0):
        """log |density e^(tl)| at l = centre + x + iy."""
        return self.height - (x * x - exact(y) ** 2) / (4 * self.mu)

    def log_size(self, u):
        grown = exp(-2 * abs(u))
        l = self.end * (1 - grown) / (1 + grown)
        l = l if u >= 0 else -l
        return self._log_density(l - self.centre) + log(self.end * 4 * grown / ((1 + grown) * (1 + grown)))

    def _place(self, u, eta):
        """The parts of l, and |l'| / 2 end."""
        grown, cosine, sine = exp(2 * u), cos(2 * eta), sin(2 * eta)
        c = (grown + 1 / grown) / 2 + cosine
        return self.end * (grown - 1 / grown) / (2 * c), self.end * sine / c, 1 / c

    def point(self, u, eta):
        x, y, slope = self._place(u, eta)
        half = exp(u)  # cosh(zeta) = cosh u cos eta + i sinh u sin eta, l' = end / cosh^2
        _, bend = log_polar((half + 1 / half) * cos(eta), (half - 1 / half) * sin(eta))
        return (self._log_density(x - self.centre, y) + log(2 * self.end * slope), -(x - self.centre) * y / (2 * self.mu) - 2 * bend, x, y)

    def edge(self, e, s):
        size = top(abs(e))
        within(size, pi() / 4)
        rise = self.end * sin(size) / cos(size)
        down = exact(0) if e >= 0 else rise
        return exp(s * down + rise * rise / (4 * self.mu)) / cos(2 * size)

    def tails(self, first, last, eta):
        require(first <= 0 and last >= 0, "a rule is cut too early")
        within(eta, pi() / 4)
        total = exact(0)
        for u, side in ((last, 1), (-first, -1)):
            x, y, _ = self._place(u, eta)
            away = maximum(0, maximum(x - side * self.centre, side * self.centre - self.end))
            total = total + 2 * self.end * exp(self._log_density(away, y) - 2 * u)
        return total

    def crude(self):
        """The integral itself."""
        d, up = sqrt(2 * self.mu), self.end - self.centre
        down = self.end + self.centre
        if self.centre > 0:
            part = normal_tail(-up / d) - normal_tail(down / d)
        else:
            part = normal_tail(-down / d) - normal_tail(up / d)
        return exp(self.mu * self.t * (self.t + 1)) * maximum(part, 0)


class IntervalPath:
    """e^(-(l+a)/2) f(l)^w / 4 over (-a, a), f = 1 - q + q e^l, l = a tanh(zeta), g = f."""
    def __init__(self, a, q, r):
        self.a, self.q, self.r = a, q, r

    def _log_f(self, x):
        return log1p(self.q * expm1(x))

    def log_size(self, u):
        grown = exp(-2 * abs(u))
        x = self.a * (1 - grown) / (1 + grown)
        x = x if u >= 0 else -x
        # l' = 4 a e^(-2|u|) / (1 + e^(-2|u|))^2
        return self.r * self._log_f(x) - (x + self.a) / 2 + log(self.a * grown / ((1 + grown) * (1 + grown)))

    def point(self, u, eta):
        # with c = cosh 2u + cos 2 eta: l = a (sinh 2u + i sin 2 eta) / c and |l'| = 2a / c
        grown, cosine, sine = exp(2 * u), cos(2 * eta), sin(2 * eta)
        c = (grown + 1 / grown) / 2 + cosine
        x, y = self.a * (grown - 1 / grown) / (2 * c), self.a * sine / c
        size = self.q * exp(x)
        log_f, angle = log_polar(1 - self.q + size * cos(y), size * sin(y))
        # cosh(zeta) = cosh u cos eta + i sinh u sin eta
        half = exp(u)
        _, bend = log_polar((half + 1 / half) * cos(eta), (half - 1 / half) * sin(eta))
        return (self.r * log_f - (x + self.a) / 2 + log(self.a / (2 * c)), self.r * angle - y / 2 - 2 * bend,
                log_f, angle)

    def _width(self, size):
        within(size, pi() / 4)
        width = self.a * sin(size) / cos(size)
        within(width, pi())
        return width

    def edge(self, e, s):
        size = top(abs(e))
        width = self._width(size)
        down = exact(0) if e >= 0 else width
        return exp(s * down) * turned(self.r, width / 2) / cos(2 * size)

    def tails(self, first, last, eta):
        require(first <= 0 and last >= 0, "a rule is cut too early")
        ends = [maximum(1, exp(self.r * self._log_f(x))) for x in (-self.a, self.a)]
        return turned(self.r, self._width(eta) / 2) * self.a / 2 * (
            ends[0] * exp(2 * first) + ends[1] * exp(-self.a / 2 - 2 * last))

    def crude(self):
        """Of the integral with its atoms: E f^r under the law without the record."""
        a, q, r = self.a, self.q, self.r
        return convex(r, exact(1), lambda: 1 - q + q * (
            sum((p * exp(r * x) for p, x in ((exp(-a) / 2, a), (exact(1) / 2, -a))), exact(0)) +
            exp(-a / 2) / 4 * _between(r, a)))


def _between(r, a):
    """The integral of e^((r - 1/2) l) over (-a, a)."""
    w = r - exact(1) / 2
    if w > 0 or w < 0:
        return (exp(w * a) - exp(-w * a)) / w
    return 2 * a * exp(abs(w) * a)
