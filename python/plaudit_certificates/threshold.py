"""Kind `threshold`: one step of any law, or Gaussians only: delta = P(L > eps) - e^eps Q(L > eps) at the optimal event.

Theorems and choices: docs/certificates/threshold.md.
"""
from fractions import Fraction

from .laws.discrete_noise import Tails
from .arithmetic.intervals import exact, exp, expm1, hull, log1p, maximum, minimum, normal_tail, require, sqrt, top
from .ends import greatest, least
from .laws.labels import LABELS, choices_of
from .laws.laws import DiscreteGaussian, Finite, Gaussian, Labelled, Laplace, Mirrored, Mixture, Range, Sampled, TruncatedGaussian, TruncatedLaplace
from .laws.thresholds import LaplaceThreshold


def prove(choices, run, epsilon, budget):
    eps = exact(epsilon)
    if all(type(law) is Gaussian for law, _ in run.factors):
        choices.done()
        mu = sum((law.mu * count for law, count in run.factors), Fraction(0))
        low = high = gaussians(mu, eps)
        bracket = tail = exact(0)
    else:
        require(len(run.factors) == 1 and run.factors[0][1] == 1, "more than one step")
        low, high, bracket, tail = one_step(run.factors[0][0], choices, eps)
    return low, high, {"bracket": bracket, "tail": tail}


def one_step(law, choices, eps):
    """-> (low, high, bracket, tail)"""
    if type(law) in LABELS:  # [Public label]
        given = choices_of(law, choices)
        choices.done()
        parts = zip(*(one_step(each, fields, eps) for each, fields in zip(law.laws, given)))
        shares = law.shares()
        low, high, bracket, tail = (sum((x * share for x, share in zip(part, shares)), exact(0)) for part in parts)
        return low, high, top(bracket), top(tail)
    if type(law) in (Mixture, Mirrored):
        if not choices.has("below") and not choices.has("above"):  # [Beyond the losses]
            choices.done()
            first, last = least(law), greatest(law)
            above_all = last is not None and exact(last) <= eps
            require(above_all or (first is not None and eps <= exact(first)), "no bracket, and losses around epsilon")
            value = exact(0) if above_all else -expm1(eps)
            return value, value, exact(0), exact(0)
        pair = Increasing(law)
        below, above = choices.exact("below"), choices.exact("above")
        choices.done()
        return *pair.bounds(below, above, eps), exact(0)
    choices.done()
    low, tail = curve(law, eps)
    return low, low, exact(0), tail


def gaussians(mu, eps):
    """[Gaussians] mu > 0 exact."""
    deviation = sqrt(exact(2 * mu))
    return normal_tail((eps - mu) / deviation) - exp(eps) * normal_tail((eps + mu) / deviation)


class Increasing:
    """[Bracket] P = sum p_i N(a_i, 1) against Q = sum q_i N(b_i, 1), their likelihood ratio increasing in u."""

    def __init__(self, law):
        weights = [exact(p) for p in law.probabilities]
        mixture = list(zip(weights, law.distances()))
        alone = [(exact(1), exact(0))]
        reflected = [(p, -a) for p, a in mixture]
        if type(law) is Mirrored:
            self.p, self.q = mixture, reflected
        elif law.removes:
            self.p, self.q = mixture, alone
        else:  # u = -y
            self.p, self.q = alone, reflected

    @staticmethod
    def above(parts, u):
        return sum((w * normal_tail(u - a) for w, a in parts), exact(0))

    def ratio(self, u):
        """dP/dQ."""
        p, q = (sum((w * exp(a * u - a * a / 2) for w, a in parts), exact(0)) for parts in (self.p, self.q))
        return p / q

    def bounds(self, below, above, eps):
        require(below <= above, "the bracket is empty")
        growth, u, v = exp(eps), exact(below), exact(above)
        first, second = self.ratio(u), self.ratio(v)
        beyond = self.above(self.q, u)
        low = self.above(self.p, u) - growth * beyond
        if first <= growth and second >= growth:
            bracket = top((growth - first) * (beyond - self.above(self.q, v)))
            return low, low + bracket, bracket
        return low, exact(1), exact(1)


def curve(law, eps):
    """-> (delta of one step, what of its width is owed to terms left out), eps an interval."""
    if type(law) is Finite:
        return finite(law, eps), exact(0)
    if type(law) is Laplace:
        return laplace(exact(law.a), eps), exact(0)
    if type(law) is Range:
        return of_range(exact(law.epsilon), eps), exact(0)
    if type(law) is TruncatedGaussian:
        return truncated_gaussian(law, eps), exact(0)
    if type(law) is LaplaceThreshold:
        return laplace_threshold(law, eps), exact(0)
    if type(law) is TruncatedLaplace:
        return truncated_laplace(law, eps), exact(0)
    if type(law) is DiscreteGaussian:
        return discrete_gaussian(law, eps)
    if type(law) is Labelled:
        return labelled(law, eps), exact(0)
    if type(law) is Gaussian:
        return gaussians(law.mu, eps), exact(0)
    require(type(law) is Sampled, "a law without a closed form")
    return sampled(law, eps)


def finite(law, eps):
    """[Atoms]"""
    atoms = law.atoms()
    return sum((p * maximum(-expm1(eps - loss), 0) for loss, p in atoms), exact(law.infinite()))


def laplace(a, eps):
    """[Laplace] on [-a, a]: 1 - e^((eps-a)/2); above: 0; below: 1 - e^eps."""
    inside = maximum(-expm1((eps - a) / 2), 0)
    if eps >= -a:
        return inside
    if eps <= -a:
        return -expm1(eps)
    return hull(inside, -expm1(eps))


def truncated_laplace(law, eps):
    """[Truncated Laplace] with y = e^((eps-a)/2), on [-a, a]: m + ((1 - c)(1 - y^2) + (1 - y)^2)/N; above: m; below: 1 - e^eps (1 - m)."""
    a, infinite = exact(law.a), law.infinite()
    rest = maximum(-expm1((eps - a) / 2), 0)
    inside = infinite + (law.kept() * rest * (2 - rest) + rest * rest) / law.whole()
    below = 1 - exp(eps) * (1 - infinite)
    if eps >= -a:
        return inside
    return below if eps <= -a else hull(inside, below)


def truncated_gaussian(law, eps):
    """[Truncated Gaussian] outputs above y = eps/d + d/2, or above c: those up to d - c have all of P's mass, and Q's that P sees."""
    d, c = law.shift(), law.cut()
    y = minimum(maximum(eps / d + d / 2, d - c), c)
    cut_off = normal_tail(c)
    return ((normal_tail(y - d) - cut_off) - exp(eps) * (normal_tail(y) - cut_off)) / law.whole()


def laplace_threshold(law, eps):
    """[Laplace threshold] remove: 1 - w + w h(eps - log w); add: h(eps + log w)."""
    return law.infinite() + law.noise_mass() * laplace(exact(law.inner), eps - law.move())


def of_range(e, eps):
    """[Range] on [-e, e]: (e^(e/2) - e^(eps/2))^2 / (e^e - 1); above: 0; below: 1 - e^eps."""
    rise = maximum(expm1((e - eps) / 2), 0)
    inside = exp(eps) * rise * rise / expm1(e)
    if eps >= -e:
        return inside
    if eps <= -e:
        return -expm1(eps)
    return hull(inside, -expm1(eps))


def discrete_gaussian(law, eps):
    """[Discrete Gaussian] T(j) - e^eps T(j + D), j = floor(eps v/D - D/2) + 1; either side of an undecided floor."""
    v, d = law.variance, law.sensitivity
    ends = [end * v / d - Fraction(d, 2) for end in (eps.lower(), eps.upper())]
    low, high = (x.numerator // x.denominator + 1 for x in ends)
    require(high - low <= 1, "needs more bits to tell the outcomes apart")
    tails, values, rests = Tails(v), [], exact(0)
    for j in range(low, high + 1):
        (p, left), (q, right) = tails.at(j), tails.at(j + d)
        values.append(p - exp(eps) * q)
        rests = maximum(rests, left + exp(eps) * right)
    return hull(*values), top(rests)


def labelled(law, eps):
    """[Labels] sum of w_j H(R_j | Q_0) for eps >= 0, of w_j H(Q_0 | R_j) below."""
    q, growth, total = exact(law.q), exp(eps), exact(0)
    require(eps >= 0 or eps <= 0, "the sign of epsilon")
    positive = eps >= 0
    for weight, rate in law.labels:
        a = exact(rate)
        if positive:
            y = a / 2 + log1p(expm1(eps) / q) / a
            outer = normal_tail(y)
            value = (1 - q) * outer + q * normal_tail(y - a) - growth * outer
        else:
            y = a / 2 + log1p(expm1(-eps) / q) / a
            value = normal_tail(-y) - growth * ((1 - q) * normal_tail(-y) + q * normal_tail(a - y))
        total = total + value * weight
    return total


def sampled(law, eps):
    """[Samples] remove: g delta(y), e^y = 1 + (e^eps - 1)/g; add: (1 - (1-g) e^eps) delta(y), e^-y = 1 + (e^-eps - 1)/g."""
    g = exact(law.rate)
    if law.removes:
        inner = expm1(eps) / g
        if inner <= -1:
            return -expm1(eps), exact(0)
        require(inner > -1, "needs more bits near the end of the support")
        value, tail = curve(law.base, log1p(inner))
        return g * value, g * tail
    inner = expm1(-eps) / g
    if inner <= -1:
        return exact(0), exact(0)
    require(inner > -1, "needs more bits near the end of the support")
    value, tail = curve(law.base, -log1p(inner))
    front = 1 - (1 - g) * exp(eps)
    return front * value, top(front * tail)
