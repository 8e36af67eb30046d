"""M(z) = E e^(zL) of the laws, for kinds that need it on a line or at a real order; docs/certificates/straight.md.

A transform is made by transform_of(law, choices, budget), `choices` being the Fields of its factor (its quadrature rules),
and offers, with exact t, h (intervals) and real orders:

    log_nodes(t, h, nodes)  [some log M(t + ikh) for k = 0 .. nodes]    (boxes.any_log: right up to multiples of 2 pi i)
    log_beyond(t, s)        an upper bound of log |M(t + is')| for all s' >= s
    log_moment(order, name) log M(order) for a real order; `name` is the rule to use where it needs one
"""
from . import laws
from .intervals import (Complex, any_log, cexp, clog, cos, exact, exp, hull, log, pi, power_sums, require, spread, sqrt,
                        top)

MOST_POINTS = 2_000_000


class GaussianTransform:
    """M(z) = e^{mu z (z+1)}."""

    def __init__(self, law, choices, budget):
        self.mu = exact(law.rate) ** 2 / 2

    def log_nodes(self, t, h, nodes):
        return [Complex(self.mu * (t * (t + 1) - (k * h) ** 2), self.mu * (k * h) * (2 * t + 1)) for k in range(nodes + 1)]

    def log_beyond(self, t, s):
        return self.mu * (t * (t + 1) - s ** 2)

    def log_moment(self, t, name):
        return self.mu * t * (t + 1)


class LaplaceTransform:
    """[Laplace] M(z) = e^{az} (1 + 1/v + e^{-av} (1 - 1/v)) / 2, v = 2z + 1."""

    def __init__(self, law, choices, budget):
        self.a = exact(law.a)

    def log_nodes(self, t, h, nodes):
        values = []
        for k in range(nodes + 1):
            z = Complex(t, k * h)
            v = 2 * z + 1
            values.append(self.a * z + any_log((1 + 1 / v + cexp(-self.a * v) * (1 - 1 / v)) / 2))
        return values

    def log_beyond(self, t, s):
        size = sqrt((2 * t + 1) ** 2 + 4 * s ** 2)
        return log((exp(self.a * t) + exp(-self.a * (1 + t))) / 2 * (1 + 1 / size))

    def log_moment(self, t, name):
        v = 2 * t + 1
        if v < 0 or v > 0:
            return self.a * t + log((1 + 1 / v + exp(-self.a * v) * (1 - 1 / v)) / 2)
        # (1 - e^{-av}) / v lies between its values at the ends of v, as it decreases: between a e^{-a|v|} and a e^{a|v|}.
        size = abs(v)
        ratio = hull(self.a * exp(-self.a * size), self.a * exp(self.a * size))
        return self.a * t + log((1 + exp(-self.a * v) + ratio) / 2)


class Rule:
    """y = j d, first <= j <= last, first <= 0 <= last, on the line y + i eta of a strip of half-width v."""

    def __init__(self, fields):
        self.eta, self.v, self.d = (fields.dyadic(name) for name in ("eta", "v", "d"))
        require(self.eta >= 0 and self.v > 0 and self.d > 0, f"{fields.where}: a rule without strip or step")
        self.first = fields.integer("first", -MOST_POINTS, 0)
        self.last = fields.integer("last", 0, MOST_POINTS)
        fields.done()

    def points(self):
        return [exact(j * self.d) for j in range(self.first, self.last + 1)]

    def count(self):
        return self.last - self.first + 1


class MixtureTransform:
    """f(y) = sum p_i exp(a_i y - a_i^2/2), A(w) = int phi f^w, M(z) = A(1+z) (remove) or A(-z) (add)."""

    def __init__(self, law, choices, budget):
        self.removes, self.budget = law.removes, budget
        self.order = (lambda t: 1 + t) if law.removes else (lambda t: -t)
        budget.spend(20 * len(law.rates))
        self.rates = [exact(a) for a in law.rates]
        self.weights = [exact(p) * exp(-a * a / 2) for a, p in zip(self.rates, law.probabilities)]
        self.base = exact(law.probabilities[0]) if law.rates[0] == 0 else None
        self.rules = {name: Rule(choices.fields(name)) for name in ("axis", "line", "decay", "right", "left")
                      if choices.has(name)}
        self.axis_values = {}

    def rule(self, name):
        require(name in self.rules, f"a factor has no rule {name}")
        self.budget.spend(20 * self.rules[name].count() * len(self.rates))
        return self.rules[name]

    def log_f(self, y):
        return log(sum(w * exp(a * y) for w, a in zip(self.weights, self.rates)))

    def log_f_shifted(self, rule):
        """[(y, log f(y + i eta))]; the argument is in [0, pi) there."""
        eta = exact(rule.eta)
        turns = [cexp(Complex(0, a * eta)) for a in self.rates]
        return [(y, clog(sum((turn * (w * exp(a * y)) for w, a, turn in zip(self.weights, self.rates, turns)), Complex(0))))
                for y in rule.points()]

    def turn(self, r, e):
        """[Lemma 2] |f(y + ie)^r| <= C_r(e) f(y)^r."""
        size = top(abs(e))
        require(size * self.rates[-1] < pi(), "a strip is too wide")
        if r >= 0:
            return exact(1)
        cosine = cos((self.rates[-1] - self.rates[0]) * size / 2)
        require(cosine > 0, "a strip is too wide")
        return exp(r * log(cosine))

    def tails(self, r, rule):
        """[3.T] int phi f^r beyond the outermost points."""
        y2, y1, a = exact(rule.last * rule.d), exact(-rule.first * rule.d), self.rates[-1]

        def tail(x):
            require(x >= 0, "a rule is cut too early")
            return exp(-(x ** 2) / 2) / 2

        def steep(log_value, y, size):
            return exp(r * log_value - size * a * y + (size * a) ** 2 / 2) * tail(y - size * a)

        at_right, at_left = self.log_f(y2), self.log_f(-y1)
        if r >= 0:
            return steep(at_right, y2, r) + exp(r * at_left) * tail(y1)
        require(r <= 0, "the sign of an order")
        right = exp(r * at_right) * tail(y2)
        if self.base is not None:
            return right + exp(r * log(self.base)) * tail(y1)
        return right + steep(at_left, y1, -r)

    def on_axis(self, r, name):
        """[Theorem 3, s = 0] A(r)."""
        if name in self.axis_values:
            return self.axis_values[name]
        rule = self.rule(name)
        require(rule.eta == 0, "a rule on the axis has no shift")
        v, d = exact(rule.v), exact(rule.d)
        total = sum(exp(r * self.log_f(y) - y ** 2 / 2) for y in rule.points()) * d / sqrt(2 * pi())
        rho = top(2 * exp(v * v / 2) * self.turn(r, v) / (exp(2 * pi() * v / d) - 1))
        require(rho < 1 and rho >= 0, "a rule is too coarse")
        value = hull(total / (1 + rho), (total + self.tails(r, rule)) / (1 - rho))
        self.axis_values[name] = value
        return value

    def edge(self, r, e, s, a_r):
        down = exact(0) if e >= 0 else top(abs(e))
        return exp(e ** 2 / 2) * self.turn(r, e) * a_r * exp(s * self.rates[-1] * down)

    def on_line(self, r, h, nodes):
        """[Theorem 3] A(r + ikh), k = 0 .. nodes."""
        rule = self.rule("line")
        eta, v, d = exact(rule.eta), exact(rule.v), exact(rule.d)
        terms = []
        for y, log_f in self.log_f_shifted(rule):
            weight = cexp(Complex(r * log_f.real - (y ** 2 - eta ** 2) / 2, r * log_f.imag - y * eta))
            terms.append((weight, cexp(Complex(-h * log_f.imag, h * log_f.real))))
        values = power_sums(terms, nodes + 1, self.budget)
        a_r = self.on_axis(r, "axis")
        strip = (self.edge(r, eta + v, nodes * h, a_r) + self.edge(r, eta - v, nodes * h, a_r)) / (
            exp(2 * pi() * v / d) - 1)
        cut = exp(eta ** 2 / 2) * self.turn(r, eta) * self.tails(r, rule)
        error, front = spread(strip + cut), d / sqrt(2 * pi())
        return [Complex(x.real * front + error, x.imag * front + error) for x in values]

    def beyond(self, r, s):
        """[Theorem 2] an upper bound of |A(r + is')|, s' >= s."""
        rule = self.rule("decay")
        eta, v, d = exact(rule.eta), exact(rule.v), exact(rule.d)
        total = sum(exp(r * log_f.real - s * log_f.imag - y ** 2 / 2) for y, log_f in self.log_f_shifted(rule))
        total *= exp(eta ** 2 / 2) * d / sqrt(2 * pi())
        a_r = self.on_axis(r, "axis")
        strip = 2 * sqrt(self.edge(r, eta + v, s, a_r) * self.edge(r, eta - v, s, a_r)) / (exp(2 * pi() * v / d) - 1)
        return top(total + strip + exp(eta ** 2 / 2) * self.turn(r, eta) * self.tails(r, rule))

    def log_nodes(self, t, h, nodes):
        values = [any_log(value) for value in self.on_line(self.order(t), h, nodes)]
        return values if self.removes else [value.conjugate() for value in values]

    def log_beyond(self, t, s):
        return log(self.beyond(self.order(t), s))

    def log_moment(self, t, name):
        return log(self.on_axis(self.order(t), name))


TRANSFORMS = {laws.Gaussian: GaussianTransform, laws.Laplace: LaplaceTransform, laws.Mixture: MixtureTransform}


def transform_of(law, choices, budget):
    require(type(law) in TRANSFORMS, f"no transform of the law {law.kind} is known")
    transform = TRANSFORMS[type(law)](law, choices, budget)
    choices.done()
    return transform
