"""The laws of the privacy loss L under P, by their exact parameters (Fractions); docs/certificates.md, "Laws".

Nothing is computed here but exact numbers and, for laws with finitely many values, their atoms at the working precision.
One object is the law of one factor in one direction.
"""
from fractions import Fraction
from itertools import product
from math import gcd, isqrt

from ..arithmetic.clock import require, watched
from ..arithmetic.real import bits_now, exact, exp, expm1, hull, log, log1p, maximum, minimum, sqrt
from ..arithmetic.special import normal_tail
from .text import of_law, of_number, of_numbers

MOST_POINTS = 4_000_000  # of a lattice
LONGEST_DENOMINATOR = 4096  # bits, of the points of a lattice
LONGEST_COMMON = 400_000    # of a sum


def weighed(operations, bits):
    """Operations at these bits, in operations at 128 bits: docs/certificates/costs.md."""
    return operations * isqrt(max(bits, 128)**3 // 2) // 1024


def sum_of(terms):
    """The exact sum, over a common denominator: quick for many numbers of few denominators. Rejects where that would be
    huge, as Python's arithmetic of huge integers has no end."""
    common, total = 1, 0
    for term in watched(terms):
        if common % term.denominator:
            factor = term.denominator // gcd(common, term.denominator)
            common, total = common * factor, total * factor
            require(common.bit_length() <= LONGEST_COMMON, "the denominators of a sum are too many")
        total += term.numerator * (common // term.denominator)
    return Fraction(total, common)


class Gaussian:
    """N(a, 1) against N(0, 1), in both directions: L is N(mu, 2 mu), mu = a^2 / 2; a need not be rational."""

    def __init__(self, mu):
        self.mu = mu

    def text(self):
        return of_law("Gaussian", ("a^2", of_number(2 * self.mu)))


def gaussian_at(distance):
    return Gaussian(distance ** 2 / 2)


class Mixture:
    """f(y) = sum p_i e^(a_i y - a_i^2/2), a_i >= 0 increasing, two at least, p_i > 0 with sum 1.
    removes: P = f phi, Q = phi, L = log f; else swapped, L = -log f. a_i = rates[i] sqrt(radicand), 1 unless that root is
    irrational."""

    def __init__(self, rates, probabilities, removes, radicand=1):
        self.rates, self.probabilities, self.removes, self.radicand = rates, probabilities, removes, radicand

    def distances(self):
        """The a_i, enclosed."""
        return [exact(a) if self.radicand == 1 else exact(a) * sqrt(exact(self.radicand)) for a in self.rates]

    def text(self):
        rates = ("a", of_numbers(self.rates))
        if self.radicand != 1:
            rates = ("a^2", of_numbers([a ** 2 * self.radicand for a in self.rates]))
        return of_law("Mixture", rates, ("p", of_numbers(self.probabilities)))


class Labelled:
    """docs/proofs/sampling.md#replacement-law: the label with rate a_j = labels[j][1] has the weight labels[j][0], sum 1;
    given j, L = +-log f_j on two copies of {y > a_j/2} or 0, f_j = 1 - q + q e^(a_j y - a_j^2/2). Both directions alike."""

    def __init__(self, q, labels):
        self.q, self.labels = q, labels

    def text(self):
        weights, rates = zip(*self.labels)
        return of_law("Labelled", ("q", of_number(self.q)), ("w", of_numbers(weights)), ("a", of_numbers(rates)))


class Mirrored:
    """P = sum p_i N(a_i, 1), Q = sum p_i N(-a_i, 1), a_0 = 0 with p_0 > 0, two at least. Both directions alike."""

    def __init__(self, rates, probabilities):
        self.rates, self.probabilities = rates, probabilities

    def distances(self):
        return list(map(exact, self.rates))

    def text(self):
        return of_law("Mirrored", ("a", of_numbers(self.rates)), ("p", of_numbers(self.probabilities)))


class Laplace:
    """Lap(a) against Lap(0), scale 1; both directions alike."""

    def __init__(self, a):
        self.a = a

    def text(self):
        return of_law("Laplace", ("a", of_number(self.a)))


class TruncatedLaplace:
    """Lap(a) against Lap(0), scale 1, of which nothing beyond +-(a + beyond) is drawn: with c = e^-beyond and N = 2 (1 - c e^-a)
    atoms (1 - c)/N at a and e^-a times that at -a, the density e^((l-a)/2)/(2N) between, c (1 - e^-a)/N at infinity
    (docs/proofs/truncated.md#laplace). Both directions alike."""

    def __init__(self, a, beyond):
        self.a, self.beyond = a, beyond

    def text(self):
        return of_law("TruncatedLaplace", ("a", of_number(self.a)), ("beyond", of_number(self.beyond)))

    def whole(self):
        """N"""
        return -2 * expm1(-exact(self.a + self.beyond))

    def kept(self):
        """1 - c"""
        return -expm1(-exact(self.beyond))

    def infinite(self):
        return exp(-exact(self.beyond)) * -expm1(-exact(self.a)) / self.whole()


class TruncatedGaussian:
    """Gaussian noise of which nothing beyond +-A is drawn, moved by D against itself: in units of the noise an output y has the density
    phi(y - d)/N with y - d in +-c under P, phi(y)/N under Q, d = D/sigma, c = A/sigma, and L = d (y - d/2) in +-end, end = d (c - d/2)
    (docs/proofs/truncated.md#gaussian). Both directions alike."""

    def __init__(self, squared, end):
        self.squared, self.end = squared, end  # d^2

    def text(self):
        return of_law("TruncatedGaussian", ("a^2", of_number(self.squared)), ("end", of_number(self.end)))

    def shift(self):
        return sqrt(exact(self.squared))

    def cut(self):
        """c"""
        return (exact(self.end) + exact(self.squared) / 2) / self.shift()

    def whole(self):
        """N"""
        return 1 - 2 * normal_tail(self.cut())

    def infinite(self):
        """Of outputs in (c, c + d]."""
        return (normal_tail(self.cut() - self.shift()) - normal_tail(self.cut())) / self.whole()


class Range:
    """The density e^(l/2) / (4 sinh(epsilon/2)) on [-epsilon, epsilon]; both directions alike."""

    def __init__(self, epsilon):
        self.epsilon = epsilon

    def text(self):
        return of_law("Range", ("epsilon", of_number(self.epsilon)))


class Bounded:
    """Any law with P(L = inf) = 0 and log M(t) <= linear t + quadratic t^2 for 0 <= t < limit - 1 (None: all t >= 0), in
    both directions; or, where lines (slope, value at 0) are given, at most the greatest of them for 0 <= t <= limit - 1. No
    pair has the worst one: docs/proofs/bounded_moments.md#moments, #profile."""

    def __init__(self, linear, quadratic, limit=None, lines=()):
        self.linear, self.quadratic, self.limit, self.lines = linear, quadratic, limit, lines

    def text(self):
        if self.lines:
            return of_law("Bounded", ("slopes", of_numbers([slope for slope, _ in self.lines])),
                          ("at_zero", of_numbers([value for _, value in self.lines])), ("limit", of_number(self.limit)))
        limit = [] if self.limit is None else [("limit", of_number(self.limit))]
        return of_law("Bounded", ("linear", of_number(self.linear)), ("quadratic", of_number(self.quadratic)), *limit)


class Allocation:
    """A record takes part in one step of each block, drawn uniformly; blocks = [(steps, count)]. With independent
    X_i = e^(a y_i - a^2/2), y_i standard normal, and A_t(w) = E ((X_1 + .. + X_t)/t)^w, M(z) is the product of A_t(1 + z)
    (removes) or A_t(-z) over the blocks of t steps: docs/certificates/lines.md#allocation."""

    def __init__(self, squared_rate, blocks, removes):
        self.squared_rate, self.blocks, self.removes = squared_rate, blocks, removes

    def text(self):
        blocks = " ".join(f"{count}x{steps}" for steps, count in self.blocks)
        return of_law("Allocation", ("a^2", of_number(self.squared_rate)), ("blocks", blocks))


class DiscreteGaussian:
    """k + D against k, k an integer of probability proportional to e^(-k^2/(2 v)); both directions alike."""

    def __init__(self, variance, sensitivity):
        self.variance, self.sensitivity = variance, sensitivity

    def text(self):
        return of_law("DiscreteGaussian", ("v", of_number(self.variance)), ("D", of_number(Fraction(self.sensitivity))))


class Sampled:
    """Poisson sample, 0 < rate < 1, of a base that is Laplace or DiscreteGaussian. removes: the pair ((1-g) Q + g P, Q);
    else (P, (1-g) P + g Q)."""

    def __init__(self, base, rate, removes):
        self.base, self.rate, self.removes = base, rate, removes

    def text(self):
        return of_law("Sampled", ("base", self.base.text()), ("g", of_number(self.rate)))


class Finite:
    """Finitely many values and a mass at infinity.

    `lattice` is (offset, mesh, indices), offset and mesh exact, index i for atom i, where the losses are rational and not
    too far apart; else None. `exact_pairs` is [(P-mass, Q-mass)] of the atoms where all of these and the mass at infinity
    are known rationals, else None. `exact_infinite` is the mass at infinity where that is a known rational, `exact_q` the
    mass Q(dP/dQ > 0) alike, else None. `loss` is the function from i to the loss of atom i where that is a known rational,
    else to None; it may be left out where there is a lattice. `size` is the number of values.
    """

    def __init__(self, text, size, exact_q, table, lattice, exact_pairs, exact_infinite, loss=None):
        self._text, self.size, self.exact_q = text, size, exact_q
        self._table, self._known, self.lattice = table, (None, None), lattice
        self.exact_pairs, self.exact_infinite = exact_pairs, exact_infinite
        self.exact_loss = loss or (lambda i: lattice[0] + lattice[1] * lattice[2][i])
        self.pure = None  # epsilon, where it is two points at +-epsilon, by epsilon itself
        self.stated = False  # by numbers, in a file or as bounds: no formula has it
        self.cost = None  # where masses are dear: of finding them, by the bits

    def text(self):
        return self._text

    def table(self):
        """([(loss, p, q)] in increasing loss, mass at infinity, Q(dP/dQ > 0)), enclosed at the working precision;
        q encloses the mass of the atom under Q."""
        if self._known[0] != bits_now():
            self._known = bits_now(), self._table()
        return self._known[1]

    def exact_bits(self):
        """The greatest number of bits in the exact pairs, else None."""
        return self.exact_pairs and max(
            part.bit_length() for pair in self.exact_pairs for x in pair for part in (x.numerator, x.denominator))

    def atoms(self):
        return [(loss, p) for loss, p, _ in self.table()[0]]

    def infinite(self):
        """The mass at infinity."""
        return self.table()[1]


def two_point(epsilon, delta):
    """+-epsilon with the P-masses (1 - delta) e^eps / (1 + e^eps) and (1 - delta) / (1 + e^eps), inf with delta."""
    def table():
        high = exact(1 - delta) / (1 + exp(-epsilon_ball()))
        low = exact(1 - delta) * exp(-epsilon_ball()) / (1 + exp(-epsilon_ball()))
        if epsilon == 0:
            whole = exact(1 - delta)
            return [(exact(0), whole, whole)], exact(delta), whole
        return [(-epsilon_ball(), low, high), (epsilon_ball(), high, low)], exact(delta), exact(1 - delta)

    def epsilon_ball():
        return exact(epsilon)

    text = of_law("TwoPoints", ("epsilon", of_number(epsilon)), ("delta", of_number(delta)))
    if epsilon == 0:
        return Finite(text, 1, 1 - delta, table, (Fraction(0), Fraction(1), [0]), [(1 - delta, 1 - delta)], delta)
    law = Finite(text, 2, 1 - delta, table, (-epsilon, 2 * epsilon, [0, 1]), None, delta)
    law.pure = epsilon if delta == 0 else None
    return law


def two_point_of_probability(p):
    """+-log(p / (1-p)) with the P-masses p and 1 - p."""
    odds = p / (1 - p)

    def table():
        epsilon = log(exact(odds))
        return [(-epsilon, exact(1 - p), exact(p)), (epsilon, exact(p), exact(1 - p))], exact(0), exact(1)
    return Finite(of_law("TwoPoints", ("odds", of_number(odds)), ("delta", 0)), 2, Fraction(1), table, None, [(1 - p, p), (p, 1 - p)], Fraction(0), lambda i: None)


def answers(value, odds, categories):
    """Randomized response of k >= 3 categories, by epsilon or by e^epsilon where `odds`: epsilon, 0 and -epsilon with the
    P-masses e^epsilon, k - 2 and 1 over e^epsilon + k - 1 (docs/proofs/selection.md#randomized-response)."""
    neither = Fraction(categories - 2)

    def table():
        epsilon, ratio = (log(exact(value)), exact(value)) if odds else (exact(value), exp(exact(value)))
        whole = ratio + exact(neither + 1)
        middle = exact(neither) / whole
        return [(-epsilon, 1 / whole, ratio / whole), (exact(0), middle, middle), (epsilon, ratio / whole, 1 / whole)], exact(0), exact(1)
    text = of_law("Answers", ("odds" if odds else "epsilon", of_number(value)), ("categories", categories))
    if not odds:
        return Finite(text, 3, Fraction(1), table, (-value, value, [0, 1, 2]), None, Fraction(0))
    whole = value + neither + 1
    pairs = [(1 / whole, value / whole), (neither / whole, neither / whole), (value / whole, 1 / whole)]
    return Finite(text, 3, Fraction(1), table, None, pairs, Fraction(0), lambda i: Fraction(0) if i == 1 else None)


def discrete_laplace(scale, sensitivity):
    """docs/proofs/discrete.md#discrete-laplace: (2j - D)/scale, j = 0..D."""
    def table():
        rate = exact(1 / scale)
        end = 1 / (1 + exp(-rate))
        inside = -expm1(-rate) * end
        powers = [exp(-rate * j) for j in range(sensitivity + 1)]
        atoms = []
        for j in range(sensitivity + 1):
            front = end if j in (0, sensitivity) else inside
            atoms.append((exact((2 * j - sensitivity) / scale), front * powers[sensitivity - j], front * powers[j]))
        return atoms, exact(0), exact(1)
    text = of_law("DiscreteLaplace", ("scale", of_number(scale)), ("D", sensitivity))
    return Finite(text, sensitivity + 1, Fraction(1), table, (-sensitivity / scale, 2 / scale, list(range(sensitivity + 1))), None, Fraction(0))


def truncated_discrete_laplace(scale, bound, sensitivity):
    """docs/proofs/truncated.md#discrete-laplace: (2j - D)/scale, j = 0..D, and infinity."""
    def table():
        rate = exact(1 / scale)
        step, room = -expm1(-rate), exact((bound - sensitivity + 1) / scale)
        whole = -2 * expm1(-exact((bound + 1) / scale)) - step
        infinite = exp(-room) * -expm1(-rate * sensitivity) / whole
        end, inside = -expm1(-room) / whole, step / whole
        powers = [exp(-rate * j) for j in range(sensitivity + 1)]
        atoms = []
        for j in range(sensitivity + 1):
            front = end if j in (0, sensitivity) else inside
            atoms.append((exact((2 * j - sensitivity) / scale), front * powers[sensitivity - j], front * powers[j]))
        return atoms, infinite, 1 - infinite
    text = of_law("TruncatedDiscreteLaplace", ("scale", of_number(scale)), ("A", bound), ("D", sensitivity))
    return Finite(text, sensitivity + 1, None, table, (-sensitivity / scale, 2 / scale, list(range(sensitivity + 1))), None, None)


def staircase(epsilon, gamma):
    """docs/proofs/staircase.md#law: -epsilon, 0, epsilon; gamma in (0, 1), not 1/2, where it is two points."""
    half = Fraction(1, 2)
    inside = min(gamma, half)  # of [0, 1/2]: where the density is the greatest one

    def table():
        r = exp(-exact(epsilon))
        whole = exact(gamma) + exact(1 - gamma) * r
        high = (exact(inside) + exact(half - inside) * r) / whole
        middle = exact(abs(gamma - half)) * -expm1(-exact(epsilon)) / whole
        if gamma < half:
            middle = middle * r
        return [(exact(-epsilon), high * r, high), (exact(0), middle, middle), (exact(epsilon), high, high * r)], exact(0), exact(1)
    text = of_law("Staircase", ("epsilon", of_number(epsilon)), ("gamma", of_number(gamma)))
    return Finite(text, 3, Fraction(1), table, (-epsilon, epsilon, [0, 1, 2]), None, Fraction(0))


def is_known(law):
    """All losses are rational, and so are the mass at infinity and Q(dP/dQ > 0)."""
    return (isinstance(law, Finite) and None not in (law.exact_infinite, law.exact_q) and
            (law.lattice is not None or None not in points_of(law)))


def joined(first, second):
    """Two mechanisms at once, all losses of both rational: losses are added, masses multiplied
    (docs/proofs/poisson_adjacencies.md#joint)."""
    places = {}
    for (i, one), (j, other) in product(*(enumerate(points_of(law)) for law in (first, second))):
        places.setdefault(one + other, []).append((i, j))
    losses = sorted(places)
    infinite = first.exact_infinite + second.exact_infinite - first.exact_infinite * second.exact_infinite
    q_mass = first.exact_q * second.exact_q

    def table():
        ones, others = first.table()[0], second.table()[0]
        atoms = []
        for loss in losses:
            p = sum((ones[i][1] * others[j][1] for i, j in places[loss]), exact(0))
            q = sum((ones[i][2] * others[j][2] for i, j in places[loss]), exact(0))
            atoms.append((exact(loss), p, q))
        return atoms, exact(infinite), exact(q_mass)
    return Finite(of_law("Joint", ("first", first.text()), ("second", second.text())), len(losses), q_mass, table, common_lattice(losses), None, infinite,
                  losses.__getitem__)


def points_of(law):
    return [law.exact_loss(i) for i in watched(range(law.size))]


def common_lattice(losses):
    """(offset, mesh, indices) that holds exact losses, or None where it would be too fine."""
    whole = 1
    for loss in watched(losses):
        whole = whole * loss.denominator // gcd(whole, loss.denominator)
        if whole.bit_length() > LONGEST_DENOMINATOR:
            return None
    step = 0
    for loss in watched(losses):
        step = gcd(step, int((loss - losses[0]) * whole))
    mesh = Fraction(step or whole, whole)
    if (losses[-1] - losses[0]) / mesh > MOST_POINTS:
        return None
    return losses[0], mesh, [int((loss - losses[0]) / mesh) for loss in watched(losses)]


def written(losses, masses, infinite):
    """A law from a file: exact increasing losses; masses and `infinite` are (lower, upper). Atoms that cannot occur are
    left out."""
    kept = [(loss, mass) for loss, mass in zip(losses, masses) if mass[1] > 0]
    require(bool(kept), "pld: masses must have one that can be positive at a finite loss")

    def enclosed(mass):
        return exact(mass[0]) if mass[0] == mass[1] else hull(mass[0], mass[1])

    def table():
        atoms, q_mass = [], exact(0)
        for loss, mass in kept:
            p, ball = enclosed(mass), exact(loss)
            q = p * exp(-ball)
            atoms.append((ball, p, q))
            q_mass += q
        return atoms, enclosed(infinite), minimum(q_mass, 1)
    losses = [loss for loss, _ in kept]
    exact_infinite = infinite[0] if infinite[0] == infinite[1] else None
    exact_q = kept[0][1][0] if losses == [0] and kept[0][1][0] == kept[0][1][1] else None  # Q-masses at other losses are irrational
    known = None not in (exact_q, exact_infinite)
    text = of_law("Stated", ("l", of_numbers(losses)), ("least p", of_numbers([mass[0] for _, mass in kept])),
                  ("greatest p", of_numbers([mass[1] for _, mass in kept])), ("infinite", of_numbers(infinite)))
    law = Finite(text, len(kept), exact_q, table, common_lattice(losses), [(exact_q, exact_q)] if known else None,
                 exact_infinite, losses.__getitem__)
    law.stated = True
    return law


def values_of(law):
    """How many values a law keeps; long fractions of batches count as several."""
    if isinstance(law, Finite):
        return law.size
    if hasattr(law, "laws"):  # of a public label
        return sum(map(values_of, law.laws))
    if isinstance(law, Labelled):
        return sum(1 + (weight.numerator.bit_length() + weight.denominator.bit_length()) // 64 for weight, _ in law.labels)
    if isinstance(law, (Mixture, Mirrored)):
        return sum(1 + (p.numerator.bit_length() + p.denominator.bit_length()) // 64 for p in law.probabilities)
    return 1


def sampled(law, rate, removes):
    """The law of the Poisson sample (docs/proofs/discrete.md#sampled); rate 1 changes nothing. The base's own law must be
    that of the same direction."""
    if rate == 1:
        return law
    if not isinstance(law, Finite):
        require(isinstance(law, (Laplace, DiscreteGaussian)), "spec: poisson of what has no law under sampling")
        return Sampled(law, rate, removes)
    # one more value of the loss: Q-mass that P does not have (remove), P-mass that Q does not have (add)
    extra = law.exact_q != 1 if removes else law.exact_infinite != 0
    q_mass = Fraction(1) if removes else None if law.exact_q is None else 1 - rate + rate * law.exact_q
    infinite = Fraction(0) if not removes else None if law.exact_infinite is None else rate * law.exact_infinite
    pairs = law.exact_pairs
    if pairs is not None and removes:
        unseen = 1 - law.exact_q
        pairs = [((1 - rate) * unseen, unseen)] * extra + [((1 - rate) * q + rate * p, q) for p, q in pairs]
    elif pairs is not None:
        pairs = [(p, (1 - rate) * p + rate * q) for p, q in pairs] + [(law.exact_infinite, (1 - rate) * law.exact_infinite)] * extra

    def loss(i):  # only 0 stays rational for sure
        i -= extra and removes
        return Fraction(0) if 0 <= i < law.size and law.exact_loss(i) == 0 else None
    result = Finite(of_law("Sampled", ("base", law.text()), ("g", of_number(rate))), law.size + extra, q_mass,
                    lambda: _sampled_table(law, rate, removes, extra), None, pairs, infinite, loss)
    result.cost = law.cost
    return result


def _sampled_table(law, rate, removes, extra):
    taken, left, end = exact(rate), exact(1 - rate), log1p(exact(-rate))
    atoms, infinite, q_mass = law.table()
    if removes:
        result = [(log1p(taken * expm1(loss)), left * q + taken * p, q) for loss, p, q in atoms]
        if extra:
            unseen = maximum(1 - q_mass, 0)  # the Q-mass of the outcomes without P-mass
            result.insert(0, (end, left * unseen, unseen))
        return result, taken * infinite, exact(1)
    result = [(-log1p(taken * expm1(-loss)), p, left * p + taken * q) for loss, p, q in atoms]
    if extra:
        result.append((-end, infinite, left * infinite))
    return result, exact(0), left + taken * q_mass
