"""Laws on a vertical line: values of M, a bound beyond a height, real moments. Claims: docs/certificates/lines.md#laws.

line_of(law, fields, budget, may_cut) -> an object with
    values(t, h, first, count)   boxes of M(t + ikh), k = first .. first + count - 1; of integrals only first = 0
    atoms(t)              where the law has nothing else, ([(w_j, l_j)], rest): M(t + is) is the sum of w_j e^(is l_j),
                          w_j >= 0, up to the rest in modulus; else None
    beyond(t, s)          an upper bound of |M(t + is')| for all s' >= s
    moment(t, name)       an upper bound of M(t), t real, by the rule of that name or without one
    infinite, moved       the mass at infinity that the law has, and what was moved there besides
    q_mass                M(-1)
    least, greatest       where known, the ends of the support of the finite part of L; else None
Rules are fields "line", "axis", "decay", "right", "left", "moment"; a missing one stands for a bound without quadrature.
"""
from fractions import Fraction
from functools import reduce

from ..laws import discrete_noise, laws
from ..laws.labels import LABELS, choices_of
from ..laws.thresholds import LaplaceThreshold
from ..arithmetic.clock import Rejected
from ..arithmetic.intervals import (Complex, bits_now, cos, exact, exp, expm1, log, log1p, maximum, minimum, normal_tail, pi,
                        polar, power_sums, require, spread, sqrt, top)
from .allocation import AllocationLine
from .laplace import LaplaceLine, LaplaceThresholdLine, RangeLine
from .line import Integral, Line
from .paths import BoundedGaussianPath, CutPath, Density, HalfPath, IntervalPath, MirroredPath, MixturePath


class MixtureLine(Line):
    """M(z) = A(1+z) for remove, A(-z) for add."""

    def __init__(self, law, fields, budget):
        super().__init__()
        density = Density(law)
        self.removes, self.integral = law.removes, Integral(lambda r: MixturePath(density, r), fields, budget)
        if density.base is not None and law.removes:
            self.least = log(density.base)
        elif density.base is not None:
            self.greatest = -log(density.base)

    def order(self, t):
        return 1 + t if self.removes else -t

    def values(self, t, h, first, count):
        found = self.integral.values(self.order(t), h, first, count)
        return found if self.removes else [value.conjugate() for value in found]

    def beyond(self, t, s):
        return self.integral.beyond(self.order(t), s)

    def moment(self, t, name):
        return self.integral.moment(self.order(t), name)


class CutLine(Line):
    """Remove, restricted to y <= cut, the rest moved to L = inf. At orders r = 1 + t < 0 the integrals are those of the
    whole: values and bounds beyond a height with what the rest of it adds, moments as upper bounds."""

    def __init__(self, law, fields, budget):
        super().__init__()
        cut = exact(fields.dyadic("cut"))
        require(law.removes and cut > 0, "only draws of records that are removed are cut, at Y > 0")
        density = Density(law)
        self.integral = Integral(lambda r: CutPath(density, cut, r) if r >= 0 else MixturePath(density, r), fields, budget)
        self.moved = sum((p * normal_tail(cut - a) for a, p in zip(density.rates, density.probabilities)), exact(0))
        self.q_mass, self.greatest, self.beyond_cut = normal_tail(-cut), density.log_real(cut), normal_tail(cut)
        self.least = None if density.base is None else log(density.base)

    def left_out(self, r):
        """Bound of the integral over y > Y, which those of the whole contain: f^r <= f(Y)^r for r < 0."""
        if r >= 0:
            return exact(0)
        require(r < 0, "the order of a cut law may have either sign")
        return top(exp(r * self.greatest) * self.beyond_cut)

    def values(self, t, h, first, count):
        error = spread(self.left_out(1 + t))
        return [value + Complex(error, error) for value in self.integral.values(1 + t, h, first, count)]

    def beyond(self, t, s):
        return top(self.integral.beyond(1 + t, s) + self.left_out(1 + t))

    def moment(self, t, name):
        return self.integral.moment(1 + t, name)


class MirroredLine(Line):
    def __init__(self, law, fields, budget):
        super().__init__()
        density = Density(law)
        self.integral = Integral(lambda t: MirroredPath(density, t), fields, budget)

    def values(self, t, h, first, count):
        return self.integral.values(t, h, first, count)

    def beyond(self, t, s):
        return self.integral.beyond(t, s)

    def moment(self, t, name):
        return self.integral.moment(t, name)


class LabelledLine(Line):
    """M(z) = sum_j w_j (G_j(1+z) + G_j(-z) + still_j). Labels without rules are bounded, those from `kept` on moved to inf."""

    def __init__(self, law, fields, budget, may_cut):
        super().__init__()
        kept = fields.integer("kept", 1, len(law.labels)) if may_cut and fields.has("kept") else len(law.labels)
        self.q, self.labels = exact(law.q), law.labels[:kept]
        moved = sum((weight for weight, _ in law.labels[kept:]), Fraction(0))
        self.moved, self.q_mass = exact(moved), exact(1 - moved)
        given = fields.each("labels", 0, len(self.labels))
        fields.done()
        self.parts = []
        for (weight, rate), label in zip(self.labels, given):
            a = exact(rate)
            up, down = ([Integral(lambda r, a=a: HalfPath(a, self.q, r), label.fields(name), budget)
                         for name in ("up", "down")])
            label.done()
            still = (1 - self.q) * (1 - 2 * normal_tail(a / 2))
            self.parts.append((exact(weight), still, up, down))

    def _rest(self, t):
        """[rare labels] a bound of what the labels without rules add to M(t + is)."""
        total = exact(0)
        for weight, rate in self.labels[len(self.parts):]:
            a = exact(rate)
            crude = [HalfPath(a, self.q, r).crude() for r in (1 + t, -t)]
            total += exact(weight) * (crude[0] + crude[1] + (1 - self.q) * (1 - 2 * normal_tail(a / 2)))
        return top(total)

    def values(self, t, h, first, count):
        rest = spread(self._rest(t))
        result = [Complex(rest, rest)] * count
        for weight, still, up, down in self.parts:
            result = [value + (x + y.conjugate() + still) * weight for value, x, y in zip(
                result, up.values(1 + t, h, first, count), down.values(-t, h, first, count))]
        return result

    def beyond(self, t, s):
        return top(sum((weight * (up.beyond(1 + t, s) + down.beyond(-t, s) + still)
                        for weight, still, up, down in self.parts), self._rest(t)))

    def moment(self, t, name):
        return top(sum((weight * (up.moment(1 + t, name) + down.moment(-t, name) + still)
                        for weight, still, up, down in self.parts), self._rest(t)))


class GaussianLine(Line):
    """M(z) = e^{mu z (z+1)}."""

    def __init__(self, law, fields, budget):
        super().__init__()
        fields.done()
        self.mu = exact(law.mu)

    def values(self, t, h, first, count):
        return [polar(exp(self.mu * (t * (t + 1) - (k * h) ** 2)), self.mu * k * h * (2 * t + 1))
                for k in range(first, first + count)]

    def beyond(self, t, s):
        return top(exp(self.mu * (t * (t + 1) - s * s)))

    def moment(self, t, name):
        return top(exp(self.mu * t * (t + 1)))


class TruncatedGaussianLine(Line):
    """M(z) is the integral of e^(zl) times the density of N(mu, 2 mu) over +-end, over the mass of the noise."""

    def __init__(self, law, fields, budget):
        super().__init__()
        self.mu, self.end, self.whole = exact(law.squared) / 2, exact(law.end), law.whole()
        self.integral = Integral(self.path, fields, budget)
        self.infinite, self.least, self.greatest = law.infinite(), -self.end, self.end
        self.q_mass = 1 - self.infinite

    def path(self, t):
        return BoundedGaussianPath(self.mu, self.end, t)

    def values(self, t, h, first, count):
        return [value / self.whole for value in self.integral.values(t, h, first, count)]

    def beyond(self, t, s):
        """By parts: the density times e^(tl) rises and falls once within its ends."""
        away = maximum(0, abs(self.mu * (2 * t + 1)) - self.end)
        greatest = exp(self.mu * t * (t + 1) - away * away / (4 * self.mu)) / sqrt(4 * pi() * self.mu)
        return minimum(top(2 * greatest / (s * self.whole)), self.moment(t, "axis"))

    def moment(self, t, name):
        return top(self.path(t).crude() / self.whole)


class BoundedLine(Line):
    """Of real orders alone, within their bounds."""

    def __init__(self, law, fields, budget):
        super().__init__()
        fields.done()
        self.law = law

    def values(self, t, h, first, count):
        raise Rejected("of a mechanism of bounded moments nothing else is known")

    def moment(self, t, name):
        law = self.law
        require(t >= 0 and (law.limit is None or (t + 1 <= law.limit if law.lines else t + 1 < law.limit)),
                "no moment of this order is bounded")
        if law.lines:
            most = exact(0)
            for slope, value in law.lines:
                most = maximum(most, exact(value) + exact(slope) * t)
            return top(exp(most))
        return top(exp(exact(self.law.linear) * t + exact(self.law.quadratic) * t * t))


class PublicLabelLine(Line):
    """M = sum w_j M_j over the labels, of which some may be moved to L = inf."""

    def __init__(self, law, fields, budget, may_cut):
        super().__init__()
        given = choices_of(law, fields)
        fields.done()
        self.parts, self.q_mass = [], exact(0)
        for share, one, choices in zip(law.shares(), law.laws, given):
            if may_cut and choices.has("moved"):
                require(choices.boolean("moved"), "moved is true where it is given")
                choices.done()
                self.moved = self.moved + share
            else:
                line = line_of(one, choices, budget, may_cut)
                self.parts.append((share, line))
                self.moved, self.q_mass = self.moved + share * line.moved, self.q_mass + share * line.q_mass
        require(len(self.parts) > 0, "all labels are moved")
        self.q_mass = minimum(self.q_mass, 1)
        least, greatest = ([getattr(line, name) for _, line in self.parts] for name in ("least", "greatest"))
        self.least = None if any(x is None for x in least) else reduce(minimum, least)
        self.greatest = None if any(x is None for x in greatest) else reduce(maximum, greatest)

    def mean(self, value):
        return sum((share * value(line) for share, line in self.parts), exact(0))

    def values(self, t, h, first, count):
        result = [Complex(0)] * count
        for share, line in self.parts:
            result = [total + value * share for total, value in zip(result, line.values(t, h, first, count))]
        return result

    def beyond(self, t, s):
        return top(self.mean(lambda line: line.beyond(t, s)))

    def moment(self, t, name):
        return top(self.mean(lambda line: line.moment(t, name)))


def sums_over(atoms, h, first, count, budget):
    """Of the atoms of a line, its values."""
    weighted, rest = atoms
    terms = [(polar(w, first * h * x), polar(1, h * x)) for w, x in weighted]
    error = Complex(spread(rest), spread(rest))
    return [value + error for value in power_sums(terms, count, budget)]


class FiniteLine(Line):
    """M(z) = sum_j p_j e^{z l_j}."""

    def __init__(self, law, fields, budget):
        super().__init__()
        fields.done()
        table, self.infinite, self.q_mass = law.table()
        self.budget, self.table = budget, [(x, p) for x, p, _ in table]
        self.least, self.greatest = self.table[0][0], self.table[-1][0]

    def atoms(self, t):
        return [(p * exp(t * x), x) for x, p in self.table], exact(0)

    def values(self, t, h, first, count):
        return sums_over(self.atoms(t), h, first, count, self.budget)

    def moment(self, t, name):
        return top(sum((w for w, _ in self.atoms(t)[0]), exact(0)))


class DiscreteGaussianLine(Line):
    """M(t + is) = e^(mu z) F(s D / (2 pi v)), mu = D^2/(2v): discrete_noise.Line; at real t by theta(tD) / theta(0),
    theta(c) = 1 + 2 sum_(m >= 1) e^{-2 pi^2 v m^2} cos(2 pi m c)."""

    def __init__(self, law, fields, budget):
        super().__init__()
        fields.done()
        self.law, self.v, self.d, self.budget = law, exact(law.variance), exact(law.sensitivity), budget
        self.mu = self.d ** 2 / (2 * self.v)

    def theta(self, c):
        """theta(c), c real."""
        total, m = exact(1), 0
        while True:
            m += 1
            require(m <= 10000, "theta needs too many terms")
            fall = exp(-2 * pi() ** 2 * self.v * m * m)
            total += 2 * fall * cos(2 * pi() * m * c)
            ratio = exp(-2 * pi() ** 2 * self.v * (2 * m + 1))  # of the bounds of the next terms to these; falls with m
            if ratio < exact(1) / 2 and 2 * fall * 2 ** bits_now() < 1:
                return total + spread(2 * fall * ratio / (1 - ratio))

    def values(self, t, h, first, count):
        noise = discrete_noise.Line(self.law.variance, self.law.sensitivity, t, self.budget)
        result = []
        for k in range(first, first + count):
            s = k * h
            result.append(polar(exp(self.mu * t), self.mu * s) * noise.near(s * self.d / (2 * pi() * self.v)))
        return result

    def moment(self, t, name):
        """theta(c) <= theta(0) for real c."""
        share = self.theta(self.d * t) / self.theta(exact(0))
        return top(exp(self.mu * t * (t + 1)) * minimum(top(share), 1))


class SampledLine(Line):
    """A(w) = E f^w under the law without the record, f = 1 - g + g e^l: M(z) = A(1+z) for remove, A(-z) for add."""

    def __init__(self, law, budget):
        super().__init__()
        self.removes, self.g, self.budget = law.removes, exact(law.rate), budget

    def order(self, t):
        return 1 + t if self.removes else -t

    def log_f(self, x):
        return log1p(self.g * expm1(x))


class SampledLaplaceLine(SampledLine):
    def __init__(self, law, fields, budget):
        super().__init__(law, budget)
        self.a = exact(law.base.a)
        self.between = Integral(lambda r: IntervalPath(self.a, self.g, r), fields, budget)
        self.ends = [(exp(-self.a) / 2, self.log_f(self.a)), (exact(1) / 2, self.log_f(-self.a))]
        ends = [x for _, x in self.ends]
        self.least, self.greatest = (ends[1], ends[0]) if self.removes else (-ends[0], -ends[1])

    def _ends(self, r):
        return sum((p * exp(r * x) for p, x in self.ends), exact(0))

    def values(self, t, h, first, count):
        r = self.order(t)
        found = self.between.values(r, h, first, count)
        ends = power_sums([(Complex(p * exp(r * x)), polar(1, h * x)) for p, x in self.ends], count, self.budget)
        found = [x + y for x, y in zip(found, ends)]
        return found if self.removes else [value.conjugate() for value in found]

    def beyond(self, t, s):
        """[sampled Laplace]"""
        r = self.order(t)
        ends = [exp(-self.a / 2 - x * 3 / 2 + (r + 1) * log_f) / (4 * self.g)
                for x, (_, log_f) in zip((self.a, -self.a), self.ends)]
        return top(minimum(self._ends(r) + 2 * (ends[0] + ends[1]) / s, self.moment(t, "axis")))

    def moment(self, t, name):
        r = self.order(t)
        if self.between.rules[name] is None:
            return self.between.moment(r, name)  # that bound contains the ends
        return top(self._ends(r) + self.between.moment(r, name))


class SampledDiscreteLine(SampledLine):
    """Sums over the integers; the window is wide enough for the precision in force."""

    def __init__(self, law, fields, budget):
        super().__init__(law, budget)
        self.exactly = [name for name in ("right", "left", "moment") if fields.has(name) and fields.boolean(name)]
        fields.done()
        self.base = law.base
        self.v, self.d = exact(law.base.variance), law.base.sensitivity
        self.mu = exact(self.d) ** 2 / (2 * self.v)
        theta = DiscreteGaussianLine(law.base, fields, budget)
        self.whole = sqrt(2 * pi() * self.v) * theta.theta(exact(0))

    def _size(self, k):
        return exp(-exact(k) ** 2 / (2 * self.v)) / self.whole

    def _log_f(self, k):
        return self.log_f((exact(k) * self.d - exact(self.d) ** 2 / 2) / self.v)

    def window(self, u):
        """All k that matter, and a bound of sum phi(k) f(k)^u over the others."""
        reach = int(top(sqrt(2 * self.v * bits_now())).upper()) + 2
        low = -reach + min(0, int(u.lower() * self.d)) - 1
        high = reach + max(0, int(u.upper() * self.d)) + 1
        left = self._size(low) * maximum(exp(u * self._log_f(low)), exp(u * log(1 - self.g))) / -expm1(
            (low - exact(1) / 2) / self.v)
        right = self._size(high) * exp(u * self._log_f(high)) / -expm1(
            (maximum(u, 0) * self.d - high - exact(1) / 2) / self.v)
        require(left >= 0 and right >= 0, "a window of integers is too narrow")
        return range(low + 1, high), top(left + right)

    def atoms(self, t):
        r = self.order(t)
        window, rest = self.window(r)
        found = []
        for k in window:
            log_f = self._log_f(k)
            found.append((self._size(k) * exp(r * log_f), log_f if self.removes else -log_f))
        return found, rest

    def values(self, t, h, first, count):
        return sums_over(self.atoms(t), h, first, count, self.budget)

    def moment(self, t, name):
        r = self.order(t)
        if name != "axis" and name not in self.exactly:
            if r >= 0 and r <= 1:
                return exact(1)
            require(r <= 0 or r >= 1, "an order is not on one side of 0 and 1")
            return top(1 - self.g + self.g * exp(self.mu * r * (r - 1)))
        window, rest = self.window(r)
        return top(sum((self._size(k) * exp(r * self._log_f(k)) for k in window), rest))


def line_of(law, fields, budget, may_cut):
    """May rare draws be moved to infinity?"""
    if isinstance(law, laws.Labelled):
        return LabelledLine(law, fields, budget, may_cut)
    if isinstance(law, LABELS):
        return PublicLabelLine(law, fields, budget, may_cut)
    if isinstance(law, laws.Sampled):
        sampled = SampledLaplaceLine if isinstance(law.base, laws.Laplace) else SampledDiscreteLine
        return sampled(law, fields, budget)
    if may_cut and isinstance(law, laws.Mixture) and fields.has("cut"):
        return CutLine(law, fields, budget)
    return LINES[type(law)](law, fields, budget)


LINES = {laws.Gaussian: GaussianLine, laws.Mixture: MixtureLine, laws.Mirrored: MirroredLine, laws.Laplace: LaplaceLine,
         laws.TruncatedLaplace: LaplaceLine, LaplaceThreshold: LaplaceThresholdLine,
         laws.TruncatedGaussian: TruncatedGaussianLine,
         laws.Range: RangeLine, laws.Finite: FiniteLine, laws.DiscreteGaussian: DiscreteGaussianLine,
         laws.Bounded: BoundedLine, laws.Allocation: AllocationLine}
