"""Values of A(w) = E (S/t)^w, the moments of random allocation, by a rule that a file states: the Mellin transform of
Psi_m(u) = E (S/t)^m e^(-e^u S/t) over that of e^(-e^u), the gamma function, both summed over equidistant nodes of one line.
Psi_m comes from the Laplace transform of one lognormal variable, another sum. Claims: docs/certificates/lines.md#allocation
"""
from ..arithmetic.clock import look, require, watched
from ..arithmetic.intervals import (Complex, Interval, bits_now, clog, cos_sin, exact, exp, expm1, log, normal_tail,
                                    pi, polar, power_sums, precision, spread, sqrt, top)
from ..arithmetic.sums import rounded
from .allocation_bounds import log_moment_bound

ORDERS = 1000
NODES = 2_000_000
UNITS = 10_000_000
POINTS = 100_000
FARTHEST = 2**40  # beyond, e^-x is taken for e^-FARTHEST, from above
BOUND_BITS = 64   # errors need few


def disk(size):
    return Complex(spread(size), spread(size))


def falling(x, cosine, sine):
    """exp(-x e^(i angle)), x >= 0, from the cosine and sine of the angle."""
    if x >= FARTHEST:
        return disk(exp(-FARTHEST * cosine))
    return polar(exp(-x * cosine), -x * sine)


class Transform:
    """phi(s) = E e^(-sX) at s = e^(b i + i theta) / t, i an integer: a trapezoidal rule whose points share exponentials with
    those of other s. docs/proofs/random_allocation.md#transform

    Sums are of whole numbers with F bits after the point. With W and E off by at most e_w and e_e units in each part, and
    each part of E at most 1 in modulus, a part of the product W E is off by at most (|Re w| + |Im w|) e_e + 2 e_w units, w
    the whole numbers of W; one more for each rounding down.
    """

    def __init__(self, squared_rate, draws, rule):
        self.rule, self.unit = rule, exact(squared_rate / rule.parts)
        self.offset = -log(exact(draws)) - exact(squared_rate) / 2
        a, chi, v = sqrt(exact(squared_rate)), exact(rule.turn), exact(rule.width)
        right_angle = pi() / 2
        require(rule.turn <= rule.theta and exact(rule.theta) < right_angle and chi + a * v < right_angle and
                a * v - chi < right_angle, "a rule of random allocation has no such strip")
        eta, d = (chi - exact(rule.theta)) / a, self.unit * rule.stride / a
        size = exp(eta ** 2 / 2)
        edges = exp((eta + v) ** 2 / 2) + exp((eta - v) ** 2 / 2)
        self.error = top(edges / expm1(2 * pi() * v / d) + 2 * size * normal_tail(d * rule.points))
        self.bits = bits_now() + 16
        self.cosine, self.sine = cos_sin(chi)
        front = d / sqrt(2 * pi()) * size
        self.weights, self.sizes, self.off = [], 0, 0
        for l in range(-rule.points, rule.points + 1):
            y = d * l
            weight = polar(front * exp(-(y ** 2) / 2), -(y * eta))
            (re, off_re), (im, off_im) = rounded(weight.real, self.bits), rounded(weight.imag, self.bits)
            self.weights.append((l * rule.stride, re, im))
            self.sizes += abs(re) + abs(im)
            self.off += 2 * max(off_re, off_im) + 1
        self.known = {}

    def exponential(self, n):
        """exp(-e^(b n - log t - a^2/2 + i chi)) in whole numbers: both parts, and how far off each is."""
        if n not in self.known:
            x = exp(self.unit * n + self.offset)
            if self.rule.turn == 0:
                value = Complex(exp(-x)) if not x >= FARTHEST else disk(exp(exact(-FARTHEST)))
            else:
                value = falling(x, self.cosine, self.sine)
            (re, off_re), (im, off_im) = rounded(value.real, self.bits), rounded(value.imag, self.bits)
            self.known[n] = re, im, max(off_re, off_im)
        return self.known[n]

    def at(self, i):
        look()
        real = imaginary = off = 0
        if self.rule.turn == 0:
            for shift, re, im in self.weights:
                x, _, error = self.known.get(i + shift) or self.exponential(i + shift)
                real += re * x
                imaginary += im * x
                off = max(off, error)
        else:
            for shift, re, im in self.weights:
                x, y, error = self.known.get(i + shift) or self.exponential(i + shift)
                real += re * x - im * y
                imaginary += re * y + im * x
                off = max(off, error)
        off = ((self.sizes * off) >> self.bits) + self.off + 2

        def enclosed(value):
            value >>= self.bits
            return Interval((value - off, -self.bits), (value + off, -self.bits))
        found = Complex(enclosed(real), enclosed(imaginary)) + disk(self.error)
        return found if self.rule.theta else found.real


def times(f, g):
    """The coefficients up to x^m of a product."""
    return [sum((f[k] * g[n - k] for k in range(1, n + 1)), f[0] * g[n]) for n in range(len(f))]


def relative_coefficient(f, t):
    """g_m, g = (f / f_0)^t, by n g_n = sum_k (k (t + 1) - n) (f_k / f_0) g_(n-k): f g' = t f' g."""
    relative, g = [each / f[0] for each in f], [exact(1)]
    for n in watched(range(1, len(f))):
        total = exact(0)
        for k in range(1, n + 1):
            total = relative[k] * g[n - k] * (k * (t + 1) - n) + total
        g.append(total / n)
    return g[-1]


def coefficient_of_power(f, t):
    """The coefficient of x^m, m = len(f) - 1, in f^t."""
    m = len(f) - 1
    if t < m:
        result = f
        for bit in bin(t)[3:]:
            look()
            result = times(result, result)
            if bit == "1":
                result = times(result, f)
        return result[m]
    known = f[0].square_of_size() > 0 if type(f[0]) is Complex else f[0] > 0
    if known:
        return f[0] ** t * relative_coefficient(f, t) if m else f[0] ** t
    sizes = [top(abs(each)) for each in f]
    size = top(sizes[0] ** t * relative_coefficient(sizes, t))
    return disk(size) if type(f[0]) is Complex else spread(size)


def log_of_largest_gamma(c):
    """An upper bound of log Gamma(c), c > 0: Stirling's series ends with a term that is too large."""
    return (c - exact(1) / 2) * log(c) - c + log(2 * pi()) / 2 + 1 / (12 * c)


class MellinRule:
    def __init__(self, fields, budget):
        """Takes the fields of a rule, but not `height`."""
        self.budget = budget
        self.order, self.theta = fields.integer("order", 0, ORDERS), fields.dyadic("theta")
        self.parts, self.step = fields.integer("parts", 1, UNITS), fields.integer("step", 1, UNITS)
        self.first = fields.integer("first", -NODES, NODES)
        self.last = fields.integer("last", self.first, NODES)
        self.gamma_first = fields.integer("gamma_first", -NODES, NODES)
        self.gamma_last = fields.integer("gamma_last", self.gamma_first, NODES)
        self.right_order, self.turn, self.width = (fields.dyadic(name) for name in ("right_order", "turn", "width"))
        self.stride, self.points = fields.integer("stride", 1, UNITS), fields.integer("points", 0, POINTS)
        self.bits = fields.integer("bits", 32, 20_000)
        require(self.theta >= 0 and self.turn >= 0 and self.right_order > 0 and self.width > 0,
                "a rule of random allocation without strip or order")

    def moment(self, squared_rate, draws, r):
        """An upper bound of A(r), r real."""
        require(self.theta == 0, "a rule of a real order is not turned")
        with precision(self.bits):
            line = _Line(self, squared_rate, draws, r)
            found = line.sum(self.psi(squared_rate, draws), self.first)
            gamma = line.sum([exp(-exp(line.step * j)) for j in range(self.gamma_first, self.gamma_last + 1)],
                             self.gamma_first)
            rho = line.aliases(exact(0))
            require(rho < 1 and gamma > 0, "a rule of random allocation is too coarse")
            return top((found + line.left + line.right) * (1 + rho) / ((1 - rho) * gamma))

    def values(self, squared_rate, draws, r, h, first, count, axis):
        """Boxes of A(r - i k h), `count` of them from k = first on; axis: an upper bound of A(r)."""
        with precision(self.bits):
            line = _Line(self, squared_rate, draws, r)
            cosine, sine = cos_sin(exact(self.theta))
            one = [falling(exp(line.step * j), cosine, sine) for j in range(self.gamma_first, self.gamma_last + 1)]
            found = line.sums(self.psi(squared_rate, draws), self.first, h, first, count)
            gamma = line.sums(one, self.gamma_first, h, first, count)
            result = []
            for k in range(count):
                error, error_of_gamma = line.errors(h * (first + k), axis)
                result.append((found[k] + error) / (gamma[k] + error_of_gamma))
        return result

    def psi(self, squared_rate, draws):
        """Psi_m at the nodes: m! t^-m [x^m] (sum_k e^(a^2 k (k-1)/2) phi(e^(u + a^2 k) / t) x^k / k!)^t, of real numbers
        where the line is not turned. docs/proofs/random_allocation.md#mellin"""
        self.budget.hold((self.last - self.first + 1) * 4 + 2 * self.points)
        transform, fronts, front, factorial = Transform(squared_rate, draws, self), [], exact(1), exact(1)
        for k in range(self.order + 1):
            if k > 0:
                front, factorial = front / (k * draws), factorial * k
            fronts.append(exp(exact(squared_rate * k * (k - 1) / 2)) * front)
        known, result = {}, []
        for j in range(self.first, self.last + 1):
            f = []
            for k in range(self.order + 1):
                i = j * self.step + k * self.parts
                if i not in known:
                    known[i] = transform.at(i)
                f.append(known[i] * fronts[k])
            result.append(coefficient_of_power(f, draws) * factorial)
        return result


class _Line:
    """The line of nodes of a rule at a real part r of w. At the height y the nodes before the first one amount to at most
    e^(-theta y) left, those after the last to e^(-theta y) right. docs/proofs/random_allocation.md#mellin"""

    def __init__(self, rule, squared_rate, draws, r):
        self.rule, self.c, self.theta = rule, rule.order - r, exact(rule.theta)
        require(self.c > 0, "the order of a rule of random allocation is too low")
        require(self.theta < pi() / 2, "a line of random allocation is turned too far")
        self.step = exact(squared_rate * rule.step / rule.parts)
        self.omega, self.log_cosine = 2 * pi() / self.step, log(cos_sin(self.theta)[0])
        q = exact(rule.right_order)
        self.left = top(self._left(rule.first) * exp(log_moment_bound(squared_rate, draws, exact(rule.order))))
        self.right = top(self._right(rule.last, q) * exp(log_moment_bound(squared_rate, draws, r - q)))
        self.left_of_gamma = top(self._left(rule.gamma_first))
        end = exp(self.step * (rule.gamma_last + 1) + self.log_cosine)
        self.right_of_gamma = top(self._right(rule.gamma_last, end - self.c))

    def _left(self, first):
        return self.step * exp(self.c * self.step * (first - 1)) / -expm1(-(self.c * self.step))

    def _right(self, last, q):
        require(q > 0, "the nodes of the gamma function end too soon")
        both = self.c + q
        return (self.step * exp(both * (log(both) - 1 - self.log_cosine) - q * self.step * (last + 1)) /
                -expm1(-(q * self.step)))

    def aliases(self, y):
        """At the height y, relative to A(r) Gamma(c)."""
        above, below, log_c = clog(Complex(self.c, y + self.omega)), clog(Complex(self.c, self.omega - y)), log(self.c)
        rooms = above.imag - self.theta, below.imag + self.theta
        require(rooms[0] > 0 and rooms[1] > 0, "the nodes of random allocation are too far apart")
        return top(exp(self.c * (above.real - log_c) - above.imag * y) / expm1(self.omega * rooms[0]) +
                   exp(self.c * (below.real - log_c) + below.imag * y) / expm1(self.omega * rooms[1]))

    def errors(self, y, axis):
        """What values of the sum and of that of the gamma function may be off at the height y."""
        with precision(BOUND_BITS):
            aliases = exp(log_of_largest_gamma(self.c)) * self.aliases(y)
            turn = exp(-(self.theta * y))
            return (disk(top(axis * aliases + turn * (self.left + self.right))),
                    disk(top(aliases + turn * (self.left_of_gamma + self.right_of_gamma))))

    def sum(self, psi, first):
        """step sum_j e^(c u_j) psi_j, of real numbers."""
        return self.step * sum((value * exp(self.c * self.step * j) for j, value in enumerate(psi, first)), exact(0))

    def sums(self, psi, first, h, from_k, count):
        """step sum_j e^(v (u_j + i theta)) psi_j at v = c + ikh, k = from_k .. from_k + count - 1."""
        y, terms = h * from_k, []
        for j, value in enumerate(psi, first):
            u = self.step * j
            front = polar(self.step * exp(self.c * u - y * self.theta), self.c * self.theta + y * u)
            terms.append((front * value, polar(exp(-(h * self.theta)), h * u)))
        return power_sums(terms, count, self.rule.budget)
