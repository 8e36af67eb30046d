"""Kind `bent`: few steps and rare events, by a hyperbola in w and bent paths in y.

docs/certificates/bent.md has the choices, the theorem and its proof; its sections are named in brackets.
"""
from fractions import Fraction

from .costs import bent_arcs
from .arithmetic.exponentials import ExponentialSum
from .arithmetic.intervals import (Complex, any_log, bits_now, bottom, cexp, clog, cos, exact, exp, expm1, hull, log, log1p, maximum, minimum, pi,
                        require, sin, spread, sqrt, top)
from .laws.laws import Gaussian, Mixture

ERRORS = ("quadrature_z", "truncation", "quadrature_y", "tails")
MOST_PIECES = 20000  # of a path


class Hyperbola:
    """w(x) = center + scale sin(angle + ix); the arc of x1 <= x <= x2 [Arcs]."""

    def __init__(self, center, scale, angle):
        self.center, self.scale, self.angle = exact(center), exact(scale), angle
        self.sine, self.cosine = sin(angle), cos(angle)

    def parts(self, x):
        """cosh x, sinh x."""
        up = exp(x)
        return (up + 1 / up) / 2, (up - 1 / up) / 2

    def at(self, x):
        """w(x) and w'(x) = i scale cos(angle + ix)."""
        cosh, sinh = self.parts(x)
        a, s, c = self.scale, self.sine, self.cosine
        return Complex(self.center + a * s * cosh, a * c * sinh), Complex(a * s * sinh, a * c * cosh)

    def crossing(self):
        return self.center + self.scale * self.sine

    def level(self, x):
        """C = center + scale sin(angle) e^-x."""
        return self.center + self.scale * self.sine * exp(-x)

    def steepness(self, value):
        """D(l) = sin(angle) Re l - cos(angle) Im l."""
        return self.sine * value.real - self.cosine * value.imag


class Path:
    """One mixture on the paths y(x + i offset), offset = -strip, 0, strip [The path]."""

    def __init__(self, fields, law, count, budget):
        require(law.rates[0] == 0, "bent: a mixture without a component at 0")
        self.count, self.budget = count, budget
        rise, tilt, knee, bend = (fields.dyadic(name) for name in ("rise", "tilt", "knee", "bend"))
        self.strip, self.step = fields.dyadic("strip"), fields.dyadic("step")
        require(0 < tilt < 1 and bend > 0 and self.strip > 0 and self.step > 0, "bent: no path")
        self.rise, self.tilt, self.knee, self.bend = exact(rise), exact(tilt), exact(knee), exact(bend)
        require(exact(2 * self.strip) <= pi() * self.bend, "bent: a path is not analytic on its strip")
        self.first = fields.integer("first", -10**6, 10**6)
        self.last = fields.integer("last", self.first + 1, 10**6)
        self.accuracy = fields.dyadic("accuracy")
        require(0 < self.accuracy < 1, "bent: accuracy must lie in (0, 1)")
        fields.done()
        self.left, self.right = self.first * self.step, self.last * self.step
        self.rates = law.distances()[1:]
        base = exact(law.probabilities[0])
        self.loss = -log(base)  # lambda
        self.shifts = [log(exact(p) / base) - exact(a * a * law.radicand / 2) for a, p in zip(law.rates[1:], law.probabilities[1:])]
        self.front = (1 + self.tilt) / sqrt(2 * pi())  # bounds |dy/dx| phi(0)
        self.known = {}
        self.covers = {offset: self.cover(offset) for offset in (-self.strip, Fraction(0), self.strip)}

    def at(self, x, offset):
        """y and dy/dx."""
        place = Complex(x, exact(offset))
        power = cexp((place - self.knee) / self.bend)
        turn = Complex(exact(0), self.tilt)
        y = place + clog(power + 1) * self.bend * turn + Complex(exact(0), self.rise)
        return y, power / (power + 1) * turn + 1

    # ---- the logarithm of f / p_0 on D [The domain]

    def excess(self, y):
        """u(y) for real y."""
        return sum((exp(a * y + b) for a, b in zip(self.rates, self.shifts)), exact(0))

    def remainder(self, y):
        """q(y) for real y."""
        a, b = self.rates[-1], self.shifts[-1]
        return sum((exp((c - a) * y + (s - b)) for c, s in zip(self.rates[:-1], self.shifts)), exp(-(a * y + b)))

    def in_domain(self, first, last, height):
        """Do the points between first and last (real parts), not further from the real axis than `height`, lie in D?"""
        return self.rates[-1] * height < pi() or self.excess(last) < 1 or self.remainder(first) < 1

    def log_ratio(self, y, radius):
        """l(y) at a point of D, and a bound of how much l differs from it within the radius in D, None where unknown."""
        exponents = [y * a + b for a, b in zip(self.rates, self.shifts)]
        largest, rates, drift = exponents[-1], self.rates, self.rates[-1] * radius
        if largest.real <= 0:
            largest, drift = Complex(exact(0)), exact(0)
        else:
            exponents = [e - largest for e in exponents[:-1]] + [-largest]
            rates = [a - rates[-1] for a in rates[:-1]] + [rates[-1]]
        powers = [cexp(e) for e in exponents]
        total = sum(powers, Complex(exact(1)))
        change = sum((abs(p) * expm1(abs(a) * radius) for p, a in zip(powers, rates)), exact(0)) / abs(total)
        return largest + clog(total), top(drift - log1p(-top(change))) if change < 1 else None

    def cover(self, offset):
        """[(bound of int |phi dy|, l in the middle, bound of the difference from it)] for the pieces of the path."""
        found, left = [], [(self.left, self.right)]
        while left:
            require(len(found) + len(left) < MOST_PIECES, "bent: too many pieces")
            first, last = left.pop()
            y, _ = self.at(exact((first + last) / 2), offset)
            radius = (1 + self.tilt) * exact((last - first) / 2)
            fits = radius <= Fraction(1, 8) and self.in_domain(y.real - radius, y.real + radius, abs(y.imag) + radius)
            value, error = self.log_ratio(y, radius) if fits else (None, None)
            if error is None or not error <= exact(self.accuracy) * abs(value):
                left += [((first + last) / 2, last), (first, (first + last) / 2)]
                continue
            size = (y.imag ** 2 - y.real ** 2 + radius ** 2) / 2 + abs(y) * radius
            found.append((top(exp(size) * exact(last - first) * self.front), value, error))
        return found

    # ---- the two ends [Ends]

    def left_end(self, offset):
        """Bounds of int |phi dy| and of |l| to the left of `left`."""
        drift = self.tilt * self.bend * exp((exact(self.left) - self.knee) / self.bend)
        most, height = exact(self.left) + drift, abs(self.rise + exact(offset)) + drift
        bound = self.excess(most)
        require(most < 0 and bound < 1, "bent: a path is cut too early on the left")
        return top(self.front * exp((height ** 2 - most ** 2) / 2) / -most), top(bound / (1 - bound))

    def right_place(self, offset):
        """Re y, Im y of the asymptote at `right`, and how far y may be from it."""
        beyond = exact(self.right) - self.knee
        drift = self.tilt * self.bend * exp(-beyond / self.bend)
        offset = exact(offset)
        return exact(self.right) - self.tilt * offset, self.rise + offset + self.tilt * beyond, drift

    def right_error(self, least):
        """Bounds |l - (ay + b)| where Re y >= least."""
        bound = self.remainder(least)
        require(bound < 1, "bent: a path is cut too early on the right")
        return top(bound / (1 - bound))

    def right_end(self, offset, order):
        """A bound of int |phi dy| e^(order Re l) to the right of `right`, for order >= 0."""
        real, height, drift = self.right_place(offset)
        a, least, most = self.rates[-1], real - drift, height + drift
        slope = least - self.tilt * most - order * a
        require(least > 0 and height >= drift and slope > 0, "bent: a path is cut too early on the right")
        largest = a * (real + drift) + self.shifts[-1] + self.right_error(least)
        return top(self.front * exp((most ** 2 - least ** 2) / 2 + order * largest) / slope)

    def check_right_end(self, hyperbola):
        """D(l) <= 0 <= Re l to the right of `right`, for this angle and smaller ones, on all paths of the strip."""
        a, b = self.rates[-1], self.shifts[-1]
        real, _, drift = self.right_place(self.strip)
        error = self.right_error(real - drift)
        positive = a * (real - drift) + b - error >= 0
        real, height, _ = self.right_place(-self.strip)
        steep = hyperbola.steepness(Complex(a * (real + drift) + b, a * (height - drift))) + error
        require(positive and steep <= 0 and hyperbola.sine <= self.tilt * hyperbola.cosine,
                "bent: a path is not tilted enough for the hyperbola, or cut too early on the right")

    # ---- norms [Norms]

    def norms(self, offset, hyperbola, x1, x2):
        """Bounds of int |phi dy| |e^(wl) - 1| and of int |phi dy| |e^(wl)|, for all w of an arc."""
        level = hull(hyperbola.level(x1), hyperbola.level(x2))
        reach = hyperbola.scale * hull(hyperbola.parts(x1)[1], hyperbola.parts(x2)[1])
        size = top(abs(hyperbola.center) + hyperbola.scale * hyperbola.parts(x2)[0])
        mass, bound = self.left_end(offset)
        growth = exp(size * bound)
        minus_one, plain = mass * minimum(1 + growth, size * bound * growth), mass * growth
        mass = self.right_end(offset, maximum(top(level), 0))
        minus_one, plain = minus_one + 2 * mass, plain + mass
        for weight, real, steep, most in self.around(offset, hyperbola):
            growth = exp(top(level * real + reach * steep))
            minus_one += weight * minimum(1 + growth, size * most * maximum(1, growth))
            plain += weight * growth
        return top(minus_one), top(plain)

    def around(self, offset, hyperbola):
        """[(weight, Re l, D(l), |l|)] of the pieces, made once for each hyperbola."""
        key = offset, hyperbola
        if key not in self.known:
            self.known[key] = [(weight, value.real + spread(error), hyperbola.steepness(value) + spread(error),
                                top(abs(value) + error)) for weight, value, error in self.covers[offset]]
        return self.known[key]

    def tails(self, hyperbola, end):
        """What the points left out amount to, for the w(x), 0 <= x <= end."""
        level = maximum(top(hull(hyperbola.level(0), hyperbola.level(end))), 0)
        size = top(abs(hyperbola.center) + hyperbola.scale * hyperbola.parts(end)[0])
        mass, bound = self.left_end(Fraction(0))
        return top(mass * minimum(1 + exp(size * bound), size * bound * exp(size * bound)) +
                   2 * self.right_end(Fraction(0), level))

    def growth_rate(self, hyperbolas):
        """E >= Re l - cot(g) Im l on the line, for all angles g between those given."""
        worst = exact(0)
        for hyperbola in hyperbolas:
            worst = maximum(worst, self.left_end(Fraction(0))[1] / hyperbola.sine)
            for _, value, error in self.covers[0]:
                worst = maximum(worst, (hyperbola.steepness(value) + error) / hyperbola.sine)
        return top(worst)

    def plain_beyond(self, hyperbola, x):
        """B with |At(w(x'))| <= B e^(scale sin(angle) E sinh x') for all x' >= x."""
        level = hull(hyperbola.level(x), hyperbola.center)
        mass, bound = self.left_end(Fraction(0))
        total = mass * exp(top(abs(level)) * bound) + self.right_end(Fraction(0), maximum(top(level), 0))
        for weight, value, error in self.covers[0]:
            total += weight * exp(top(level * (value.real + spread(error))))
        return top(total)

    # ---- values [Quadrature in y]

    def points(self):
        """w -> 1 + sum of d dy/dx phi(y) (e^(w l(y)) - 1) over the points of the rule."""
        found, front = [], exact(self.step) / sqrt(2 * pi())
        for j in range(self.first, self.last + 1):
            y, derivative = self.at(exact(j * self.step), 0)
            found.append((cexp(y * y / -2) * derivative * front, self.log_ratio(y, exact(0))[0]))
        terms, weights = ExponentialSum([(l, any_log(weight)) for weight, l in found]), [weight for weight, _ in found]
        least = 1 - sum(weights, Complex(exact(0)))
        return len(found), lambda w: terms.at(w) + least

    def strip_error(self, hyperbola, end):
        """What the rule differs from At(w), for the w(x), 0 <= x <= end."""
        both = sum((self.norms(e, hyperbola, exact(0), end)[0] for e in (self.strip, -self.strip)), exact(0))
        return top(both / expm1(2 * pi() * exact(self.strip / self.step)))


class Contour:
    """The hyperbolas at the angle of the nodes and at both edges of the strip, with all factors."""

    def __init__(self, choices, run, epsilon, budget):
        self.budget, self.removes = budget, run.direction == "remove"
        center, scale = choices.dyadic("center"), choices.dyadic("scale")
        angle, strip = choices.dyadic("angle"), choices.dyadic("strip")
        self.step, self.per_arc = choices.dyadic("step"), choices.integer("per_arc", 1, 1000)
        self.arcs, self.arcs_beyond = choices.integer("arcs", 1, 10000), choices.integer("arcs_beyond", 0, 10000)
        require(scale > 0 and 0 < strip < angle and self.step > 0, "bent: no strip of hyperbolas")
        mixtures = [(law, count) for law, count in run.factors if isinstance(law, Mixture)]
        gaussians = [(law, count) for law, count in run.factors if isinstance(law, Gaussian)]
        require(len(mixtures) + len(gaussians) == len(run.factors) and bool(mixtures), "bent: not for these factors")
        self.mean = exact(sum((law.mu * count for law, count in gaussians), Fraction(0)))
        self.plain = bool(gaussians)  # otherwise 1 is subtracted from Pi
        paths = choices.each("paths", len(mixtures), len(mixtures))
        self.paths = [Path(fields, *mixture, budget) for fields, mixture in zip(paths, mixtures)]
        self.middle = Hyperbola(center, scale, exact(angle))
        self.inner, self.outer = (Hyperbola(center, scale, exact(angle + s)) for s in (-strip, strip))
        self.strip = exact(strip)
        pieces = sum(len(cover) for path in self.paths for cover in path.covers.values())
        budget.announce(bent_arcs(self.arcs, self.arcs_beyond, pieces, bits_now()))
        loss = sum((path.count * path.loss for path in self.paths), exact(0))
        self.kappa = loss + exact(epsilon) if self.removes else loss - exact(epsilon)
        self.front = (exp(exact(epsilon)) if self.removes else exact(1)) / pi()
        self.check()

    def check(self):
        """[Bending] its hypotheses; `rate` is what is left of kappa."""
        require(self.kappa > 0, "bent: kappa is not positive")
        require(self.outer.angle * (4 if self.plain else 2) < pi(), "bent: the hyperbola is too flat")
        free = self.inner.crossing() > 1 if self.removes else self.outer.crossing() < 0
        require(free, "bent: a pole lies on the strip of hyperbolas")
        for path in self.paths:
            path.check_right_end(self.outer)
        growth = sum((path.count * path.growth_rate((self.inner, self.outer)) for path in self.paths), exact(0))
        self.rate = bottom(self.kappa - growth)
        require(self.rate > 0, "bent: the integrand may not decay")

    def edge(self, i):
        """Where arc i begins."""
        return exact(i * self.per_arc * self.step)

    # ---- |Pi - s| and |F| [Arcs]

    def gaussian_bound(self, hyperbola, x1, x2):
        """|e^(mean w(w-1))| on an arc, or for all x >= x1 where x2 is None."""
        cosh, sinh = hyperbola.parts(x1)
        double = hyperbola.cosine ** 2 - hyperbola.sine ** 2
        falls = (hyperbola.center - Fraction(1, 2)) * hyperbola.sine - hyperbola.scale * double * cosh <= 0
        if not falls:
            require(x2 is not None, "bent: the Gaussian factors may grow beyond the last arc")
            ends = hyperbola.parts(x2)
            cosh, sinh = hull(cosh, ends[0]), hull(sinh, ends[1])
        real, imag = hyperbola.center + hyperbola.scale * hyperbola.sine * cosh, hyperbola.scale * hyperbola.cosine * sinh
        return top(exp(self.mean * (real * (real - 1) - imag ** 2)))

    def on_arc(self, hyperbola, i):
        """A bound of the integral of front |F| over arc i, and of front h times the sum over its nodes but the first."""
        x1, x2 = self.edge(i), self.edge(i + 1)
        sums, products = exact(0), exact(0)
        for path in self.paths:
            minus_one, plain = path.norms(Fraction(0), hyperbola, x1, x2)
            sums += path.count * log1p(minus_one)
            products += path.count * minimum(log1p(minus_one), log(plain))
        if self.plain:
            size = exp(products) * self.gaussian_bound(hyperbola, x1, x2)
        else:
            size = minimum(expm1(sums), 1 + exp(products))
        begin, end = hyperbola.at(x1)[0], hyperbola.at(x2)[0]
        distance = exact(1)
        for pole in (0, 1):
            apart = maximum(maximum(begin.real - pole, pole - end.real), 0)
            distance *= sqrt(apart ** 2 + begin.imag ** 2)
        speed = abs(hyperbola.at(x2)[1])
        return top(self.front * (x2 - x1) * size * speed / bottom(distance) * exp(-self.kappa * begin.real))

    def beyond(self, hyperbola):
        """The same for all x >= the last arc's end."""
        x = self.edge(self.arcs + self.arcs_beyond)
        cosh, sinh = hyperbola.parts(x)
        products = sum((path.count * log(path.plain_beyond(hyperbola, x)) for path in self.paths), exact(0))
        swell = exp(products - self.kappa * hyperbola.center - self.rate * hyperbola.scale * hyperbola.sine * cosh)
        if self.plain:
            swell *= self.gaussian_bound(hyperbola, x, None)
        else:
            swell += exp(-self.kappa * (hyperbola.center + hyperbola.scale * hyperbola.sine * cosh))
        return top(self.front * swell / (hyperbola.scale * hyperbola.cosine ** 2 * sinh))

    def integral(self, hyperbola, first):
        return sum((self.on_arc(hyperbola, i) for i in range(first, self.arcs + self.arcs_beyond)), self.beyond(hyperbola))

    # ---- the sum over the nodes [Assembly]

    def values(self):
        """front h (F(0)/2 + F(h) + ...) with the errors of the values apart: (the sum, quadrature_y, tails)."""
        nodes = self.arcs * self.per_arc
        end, h = self.edge(self.arcs), exact(self.step)
        rules = [(path.count, path.points(), path.strip_error(self.middle, end), path.tails(self.middle, end))
                 for path in self.paths]
        total, quadrature, tails = exact(0), exact(0), exact(0)
        for k in range(nodes + 1):
            w, derivative = self.middle.at(exact(k * self.step))
            outside = derivative / (w * (w - 1)) * cexp(w * (-self.kappa) + w * (w - 1) * self.mean)
            outside = outside * (self.front * h / (2 if k == 0 else 1))
            product, sizes = Complex(exact(1)), []
            for count, (points, rule), strip_error, tail in rules:
                value = rule(w)
                product = product * value ** count
                sizes.append((count, top(abs(value)) + strip_error + tail, strip_error, tail))
            total += (outside * (product if self.plain else product - 1)).imag
            for i, (count, size, strip_error, tail) in enumerate(sizes):
                slope = top(abs(outside)) * count * size ** (count - 1)
                for j, (other, other_size, _, _) in enumerate(sizes):
                    slope *= other_size ** other if j != i else 1
                quadrature, tails = quadrature + slope * strip_error, tails + slope * tail
        return total, top(quadrature), top(tails)


def prove(choices, run, epsilon, budget):
    contour = Contour(choices, run, epsilon, budget)
    choices.done()
    edges = contour.integral(contour.inner, 0) + contour.integral(contour.outer, 0)
    quadrature_z = top(edges / expm1(2 * pi() * contour.strip / exact(contour.step)))
    truncation = contour.integral(contour.middle, contour.arcs)
    value, quadrature_y, tails = contour.values()
    if not contour.plain and not contour.removes:
        value += 1 - exp(-contour.kappa)
    errors = dict(zip(ERRORS, (quadrature_z, truncation, quadrature_y, tails)))
    band = value + spread(quadrature_z + truncation + quadrature_y + tails)
    return bottom(band), top(band), errors
