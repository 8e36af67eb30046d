"""Lines of Laplace noise, whole, cut or beside an event, and of a bounded range: docs/certificates/lines.md#laws."""
from ..arithmetic.intervals import Complex, exact, exp, expm1, minimum, polar, sqrt, top
from ..laws import laws
from .line import Line


class LaplaceLine(Line):
    """M(z) = (e^{az} (k + 1/v) + e^{-a(1+z)} (k - 1/v)) / N, v = 2z + 1; N = 2 and k = 1, but for noise that is cut."""

    def __init__(self, law, fields, budget):
        super().__init__()
        fields.done()
        self.a, self.whole, self.kept = exact(law.a), exact(2), exact(1)
        self.least, self.greatest = -self.a, self.a
        self.cut = isinstance(law, laws.TruncatedLaplace)
        if self.cut:
            self.whole, self.kept, self.infinite = law.whole(), law.kept(), law.infinite()
            self.q_mass = 1 - self.infinite

    def values(self, t, h, first, count):
        result = []
        up, down = exp(self.a * t) / self.whole, exp(-self.a * (1 + t)) / self.whole
        for k in range(first, first + count):
            inverse, turn = 1 / Complex(2 * t + 1, 2 * k * h), polar(1, self.a * k * h)
            result.append(turn * (self.kept + inverse) * up + turn.conjugate() * (self.kept - inverse) * down)
        return result

    def beyond(self, t, s):
        v = 2 * t + 1
        found = (exp(self.a * t) + exp(-self.a * (1 + t))) / self.whole * (self.kept + 1 / sqrt(v * v + 4 * s * s))
        return minimum(top(found), self.moment(t, "axis")) if self.cut else top(found)

    def moment(self, t, name):
        """The integral of e^{(t + 1/2) l} over (-a, a) is even in t + 1/2: it is bounded by its form at w = |t + 1/2|."""
        a, w = self.a, abs(t + exact(1) / 2)
        ends = self.kept * (exp(a * t) + exp(-a * (1 + t)))
        middle = 2 * a * exp(a * w) if not w > 0 else minimum(2 * a * exp(a * w), (exp(a * w) - exp(-a * w)) / w)
        return top((ends + exp(-a / 2) / 2 * middle) / self.whole)


class LaplaceThresholdLine(Line):
    """M(z) = u e^(z m) M_inner(z), u the P-mass of the noise, m what is added to the loss of the noise."""

    def __init__(self, law, fields, budget):
        super().__init__()
        self.noise, self.move, self.mass = LaplaceLine(laws.Laplace(law.inner), fields, budget), law.move(), law.noise_mass()
        self.infinite, self.q_mass = exact(law.infinite()), exact(law.q_mass())
        self.least, self.greatest = (end + self.move for end in (self.noise.least, self.noise.greatest))

    def values(self, t, h, first, count):
        front = self.mass * exp(t * self.move)
        return [polar(front, k * h * self.move) * value
                for k, value in zip(range(first, first + count), self.noise.values(t, h, first, count))]

    def beyond(self, t, s):
        return top(self.mass * exp(t * self.move) * self.noise.beyond(t, s))

    def moment(self, t, name):
        return top(self.mass * exp(t * self.move) * self.noise.moment(t, name))


class RangeLine(Line):
    """M(z) = sinh(epsilon v) / (2 v sinh(epsilon/2)), v = z + 1/2."""

    def __init__(self, law, fields, budget):
        super().__init__()
        fields.done()
        self.epsilon = exact(law.epsilon)
        self.twice_sinh = expm1(self.epsilon) * exp(-self.epsilon / 2)
        self.least, self.greatest = -self.epsilon, self.epsilon

    def values(self, t, h, first, count):
        v = t + exact(1) / 2
        growth = expm1(self.epsilon * v)
        fall = growth / (1 + growth)  # 1 - e^(-epsilon v)
        sinh, cosh, result = (growth + fall) / 2, (2 + growth - fall) / 2, []
        for k in range(first, first + count):
            turn = polar(1, self.epsilon * k * h)
            result.append(Complex(sinh * turn.real, cosh * turn.imag) / Complex(self.twice_sinh * v, self.twice_sinh * k * h))
        return result

    def beyond(self, t, s):
        """|sinh(x + iy)| <= cosh x."""
        v = t + exact(1) / 2
        cosh = (exp(self.epsilon * v) + exp(-self.epsilon * v)) / 2
        return minimum(top(cosh / (self.twice_sinh * sqrt(v * v + s * s))), self.moment(t, "axis"))

    def moment(self, t, name):
        """sinh(epsilon w)/w, even in w = t + 1/2, is at most epsilon e^(epsilon |w|)."""
        e, w = self.epsilon, abs(t + exact(1) / 2)
        between = 2 * e * exp(e * w)
        if w > 0:
            between = minimum(between, expm1(2 * e * w) * exp(-e * w) / w)
        return top(between / (2 * self.twice_sinh))
