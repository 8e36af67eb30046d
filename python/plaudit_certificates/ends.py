"""Kind `ends`: what the mass at infinity and the ends of the support say without any sum.

Theorems: docs/certificates/ends.md.
"""
from fractions import Fraction
from functools import reduce
from math import inf

from .arithmetic.intervals import exact, exp, expm1, hull, log, log1p, maximum, minimum, require, watched
from .laws.labels import LABELS
from .laws.laws import Finite, Laplace, Mixture, Range, Sampled, TruncatedGaussian, TruncatedLaplace
from .laws.thresholds import LaplaceThreshold

INFINITE = True  # epsilon may be inf
EXACT_BITS = 1 << 16  # of a mass at infinity that is formed as a fraction
MOST_EXACT_STEPS, MOST_EXACT_POINTS = 200, 2000  # of a sum in fractions
LARGEST_EXPONENT = 1 << 30  # of epsilon: beyond, delta >= the mass at infinity is all that is said from below


def mass_at_infinity(law):
    """A Fraction where it is known exactly, else an interval."""
    if type(law) in (TruncatedLaplace, TruncatedGaussian, LaplaceThreshold):
        return law.infinite()
    if type(law) is not Finite:
        return Fraction(0)
    return law.infinite() if law.exact_infinite is None else law.exact_infinite


def q_mass(law):
    """Q(dP/dQ > 0): a Fraction where it is 1 for sure, else an interval."""
    if type(law) in (TruncatedLaplace, TruncatedGaussian):
        return 1 - law.infinite()
    if type(law) is LaplaceThreshold:
        return law.q_mass()
    return law.table()[2] if type(law) is Finite else Fraction(1)


def finite_end(law, i):
    loss = law.exact_loss(i)
    return law.atoms()[i][0] if loss is None else loss


def least(law):
    """The lower end of the finite part's support: a Fraction, an interval, or None for -infinity. None is taken for certain:
    Bounded laws, whose ends are not known, do not get here (statements.py)."""
    if type(law) is Mixture and law.removes and law.rates[0] == 0:
        return log(exact(law.probabilities[0]))
    if type(law) in LABELS:
        ends = [least(each) for each in law.laws]
        return None if any(x is None for x in ends) else reduce(minimum, map(exact, ends))
    if type(law) in (Laplace, TruncatedLaplace):
        return -law.a
    if type(law) is TruncatedGaussian:
        return -law.end
    if type(law) is LaplaceThreshold:
        return law.move() - law.inner
    if type(law) is Range:
        return -law.epsilon
    if type(law) is Finite:
        return finite_end(law, 0)
    if type(law) is Sampled and law.removes:
        below = exp(exact(-law.base.a)) if type(law.base) is Laplace else exact(0)
        return log(1 - law.rate + law.rate * below)
    if type(law) is Sampled and type(law.base) is Laplace:
        return -log(1 - law.rate + law.rate * exp(exact(law.base.a)))
    return None


def greatest(law):
    """The upper end, or None for +infinity."""
    if type(law) is Mixture and not law.removes and law.rates[0] == 0:
        return -log(exact(law.probabilities[0]))
    if type(law) in LABELS:
        ends = [greatest(each) for each in law.laws]
        return None if any(x is None for x in ends) else reduce(maximum, map(exact, ends))
    if type(law) in (Laplace, TruncatedLaplace):
        return law.a
    if type(law) is TruncatedGaussian:
        return law.end
    if type(law) is LaplaceThreshold:
        return law.move() + law.inner
    if type(law) is Range:
        return law.epsilon
    if type(law) is Finite:
        return finite_end(law, law.size - 1)
    if type(law) is Sampled and not law.removes:
        below = exp(exact(-law.base.a)) if type(law.base) is Laplace else exact(0)
        return -log(1 - law.rate + law.rate * below)
    if type(law) is Sampled and type(law.base) is Laplace:
        return log(1 - law.rate + law.rate * exp(exact(law.base.a)))
    return None


def greatest_atom(law):
    """(loss, mass under P) of the greatest loss where it is an atom that is known, else None."""
    if type(law) is Finite:
        return law.atoms()[-1]
    if type(law) is Laplace:
        return exact(law.a), exact(Fraction(1, 2))
    if type(law) is TruncatedLaplace:
        return exact(law.a), law.kept() / law.whole()
    if type(law) is LaplaceThreshold:
        return greatest(law), law.noise_mass() / 2
    if type(law) is Sampled and type(law.base) is Laplace:
        half = exact(Fraction(1, 2))
        below = half * exp(-exact(law.base.a))  # under Q
        return greatest(law), (1 - law.rate) * below + law.rate * half if law.removes else half
    return None


def all_at_the_top(run):
    """(sum of the greatest losses, probability that all steps have them), None where one law has no such atom."""
    loss, mass = exact(0), exact(1)
    for law, count in run.factors:
        atom = greatest_atom(law)
        if atom is None:
            return None
        loss, mass = loss + count * atom[0], mass * maximum(atom[1], exact(0)) ** count
    return loss, mass


def total_end(run, end):
    """The sum of an end over the steps, exactly where every law's is rational; None where one is infinite."""
    ends = [end(law) for law, _ in run.factors]
    if any(x is None for x in ends):
        return None
    total = Fraction(0)
    for x, (_, count) in zip(ends, run.factors):
        total = x * count + total
    return total


def composed_infinite(run):
    """-> (finite mass, mass at infinity) of the composition: prod (1 - m_i)^n_i and 1 minus that."""
    masses = [(mass_at_infinity(law), count) for law, count in run.factors]
    masses = [(m, n) for m, n in masses if not (type(m) is Fraction and m == 0)]
    if not masses:
        return Fraction(1), Fraction(0)
    if all(type(m) is Fraction for m, _ in masses) and sum(m.denominator.bit_length() * n for m, n in masses) <= EXACT_BITS:
        finite = Fraction(1)
        for m, n in masses:
            finite *= (1 - m) ** n
        return finite, 1 - finite
    if any(not exact(m) < 1 for m, _ in masses):
        return hull(0, 1), hull(0, 1)
    logarithm = sum((n * log1p(-exact(m)) for m, n in masses), exact(0))
    return exp(logarithm), -expm1(logarithm)


def below(x, y):
    """x <= y for all members."""
    return x <= y if type(x) is type(y) is Fraction else exact(x) <= exact(y)


def rational_curve_at_zero(run):
    """sum of (p - q)_+ over the combinations of atoms, exactly; None where masses are no rationals or there are too many.

    Combinations of one ratio p/q are taken together: (p - q)_+ is additive on them."""
    if sum(count for _, count in run.factors) > MOST_EXACT_STEPS:
        return None
    sums = {Fraction(1): Fraction(1)}  # P-mass by ratio
    for law, count in run.factors:
        pairs = law.exact_pairs if type(law) is Finite else None
        if pairs is None:
            return None
        for _ in range(count):
            following = {}
            for ratio, mass in watched(sums.items()):
                for p, q in pairs:
                    if p > 0:
                        key = ratio * (p / q)
                        following[key] = following.get(key, 0) + mass * p
            if len(following) > MOST_EXACT_POINTS:
                return None
            sums = following
    return sum((p - p / ratio for ratio, p in sums.items() if ratio > 1), Fraction(0))


def prove(choices, run, epsilon, budget):
    choices.done()
    finite, infinite = composed_infinite(run)
    if epsilon == inf:
        return infinite, exact(1), {}
    bottom_end, top_end = total_end(run, least), total_end(run, greatest)
    if top_end is not None and below(top_end, epsilon):
        return infinite, infinite, {}
    if epsilon == 0 and type(infinite) is Fraction:
        value = rational_curve_at_zero(run)
        if value is not None:
            return infinite + value, infinite + value, {}
    high = exact(1)
    if top_end is not None:  # 1 - e^(epsilon - L) is greatest at the end
        high = minimum(high, infinite - finite * expm1(exact(epsilon) - top_end))
    if epsilon > LARGEST_EXPONENT:
        return infinite, high, {}
    q = exact(1)
    for law, count in run.factors:
        mass = q_mass(law)
        if not (type(mass) is Fraction and mass == 1):
            q = q * minimum(exact(mass), 1) ** count
    linear = infinite + finite - q * exp(exact(epsilon))  # delta of a law whose losses are all above epsilon
    if bottom_end is not None and below(epsilon, bottom_end):
        return linear, linear, {}
    low = maximum(maximum(exact(infinite), linear), -expm1(exact(epsilon)))
    atom = all_at_the_top(run)
    if atom is not None:
        low = maximum(low, infinite - atom[1] * expm1(exact(epsilon) - atom[0]))
    return low, high, {}


def exceeds_before(choices, run, epsilon, value, budget):
    """Is delta(e) > value for every e < epsilon? It exceeds the mass at infinity before the upper end of the support."""
    choices.done()
    end = total_end(run, greatest)
    _, infinite = composed_infinite(run)
    if end is None:  # all that is needed is a finite part
        require(type(infinite) is not Fraction or infinite < 1, "there is no finite loss")
    else:
        require(below(epsilon, end), "epsilon is beyond the greatest loss")
        for law, _ in run.factors:
            require(type(law) is not Finite or law.atoms()[-1][1] > 0, "the greatest loss may have no mass")
    require(below(value, infinite), "delta is not proven to exceed that before epsilon")
