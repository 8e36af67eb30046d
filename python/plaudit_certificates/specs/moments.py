"""Mechanisms of which only bounds of the moments are known, by their definitions; those of pate are stated by a certificate, one by
one. docs/proofs/bounded_moments.md."""
from fractions import Fraction

from ..arithmetic.clock import require, watched
from ..arithmetic.real import exact, exceeds, exp, expm1, floor_of, log, log1p, precision, sqrt, top
from ..arithmetic.special import normal_tail
from ..laws import laws
from .grammar import printed
from .mechanism import ONE, Adjacency, Mechanism, with_sensitivity
from .stated_points import numbers

MOST_ORDERS = 1000
MOST_QUERIES = 10**12
LOG_BITS = 90  # behind the point, of log(queries + 1), from above


def _of_moments(spec, linear, quadratic, limit=None):
    law = laws.Bounded(linear, quadratic, limit)
    return Mechanism(spec, lambda _: law, True)


def _bounded_at(known):
    """Of bounds (t, value) of log M(t), t rising: the greatest convex function below them and below (0, 0)."""
    corners = [(Fraction(0), Fraction(0))]
    for t, value in known:
        while len(corners) > 1:
            (a, low), (b, middle) = corners[-2:]
            if (middle - low) * (t - a) < (value - low) * (b - a):  # it is below the chord of its neighbours
                break
            corners.pop()
        corners.append((t, value))
    lines = []
    for (a, low), (b, high) in zip(corners, corners[1:]):
        slope = (high - low) / (b - a)
        lines.append((slope, low - slope * a))
    return laws.Bounded(0, 0, known[-1][0] + 1, lines)


def zcdp(arguments):
    """docs/proofs/bounded_moments.md#zcdp"""
    rho = arguments.positive("rho")
    return _of_moments(f"zcdp(rho={printed(rho)})", rho, rho)


def tcdp(arguments):
    """docs/proofs/bounded_moments.md#zcdp"""
    rho, omega = arguments.positive("rho"), arguments.number("omega")
    require(omega > 1, "tcdp: omega must exceed 1")
    return _of_moments(f"tcdp(rho={printed(rho)}, omega={printed(omega)})", rho, rho, omega)


def cdp(arguments):
    """docs/proofs/bounded_moments.md#cdp"""
    mu, tau = arguments.number("mu"), arguments.positive("tau")
    require(mu >= 0, "cdp: mu must not be negative")
    return _of_moments(f"cdp(mu={printed(mu)}, tau={printed(tau)})", mu, tau ** 2 / 2)


def renyi_profile(arguments):
    """docs/proofs/bounded_moments.md#profile"""
    orders, divergences = arguments.typed("orders", list), arguments.typed("divergences", list)
    require(1 <= len(orders) == len(divergences) <= MOST_ORDERS and all(type(x) is Fraction for x in orders + divergences),
            "renyi_profile: orders and divergences must be as many, from 1 to 1000")
    require(all(low < high for low, high in zip([Fraction(1)] + orders, orders)), "renyi_profile: orders must rise from above 1")
    require(min(divergences) > 0, "renyi_profile: divergences must be positive")
    law = _bounded_at([(a - 1, (a - 1) * d) for a, d in zip(orders, divergences)])
    texts = ["[" + ", ".join(map(printed, numbers)) + "]" for numbers in (orders, divergences)]
    return Mechanism(f"renyi_profile(orders={texts[0]}, divergences={texts[1]})", lambda _: law, True)


def gaussian_sparse_vector(arguments):
    """docs/proofs/thresholds.md#sparse-vector: either bound, whichever is less, at t = (8 + i) 2^k / 8."""
    threshold, query = arguments.positive("threshold_sigma"), arguments.positive("query_sigma")
    queries, sensitivity = arguments.count("queries", MOST_QUERIES), arguments.positive("sensitivity", ONE)
    with precision(2 * LOG_BITS):
        outcomes = Fraction(floor_of(log(exact(queries + 1)).hi, LOG_BITS) + 1, 2**LOG_BITS)
    for_threshold, for_query = ((sensitivity / sigma) ** 2 / 2 for sigma in (threshold, query))
    known = []
    for eighths in range(8 * 53):
        t = Fraction(8 + eighths % 8, 8) * Fraction(2) ** (eighths // 8 - 12)
        known.append((t, t * (t + 1) * min(for_threshold + 4 * for_query + outcomes / (t * (t + 1)), queries * for_query)))
    law = _bounded_at(known)
    spec = f"gaussian_sparse_vector(threshold_sigma={printed(threshold)}, query_sigma={printed(query)}, queries={queries}"
    return Mechanism(with_sensitivity(spec, sensitivity) + ")", lambda _: law, True)


MOST_CLASSES, MOST_TEACHERS, MOST_MOMENTS = 10_000, 10**12, 1000
OPERATIONS_OF_MOMENT, OPERATIONS_OF_CLASS = 2000, 1000
COLUMNS = ("t", "value", "from", "to")


def pate(arguments):
    """docs/proofs/teachers.md#bound: bounds of log M(t), each by the orders of two divergences or, where they are 0, by the noise."""
    votes, sigma = arguments.typed("votes", list), arguments.positive("sigma")
    require(2 <= len(votes) <= MOST_CLASSES and all(type(n) is Fraction and n.denominator == 1 and 0 <= n <= MOST_TEACHERS
                                                    for n in votes), "pate: votes must be 2 to 10000 integers from 0 to 10^12")
    spec = f"pate(votes=[{', '.join(map(printed, votes))}], sigma={printed(sigma)})"
    stated, both = arguments.files.curves.stated(spec), {}
    for name, nearer in (("remove", 0), ("add", 2)):
        fields = stated.fields(name)
        columns = [numbers(fields.take(key), f"{fields.where}.{key}", MOST_MOMENTS) for key in COLUMNS]
        fields.done()
        require(len({len(column) for column in columns}) == 1, f"{fields.where} has lists of two lengths")
        known = list(zip(columns[0], columns[1]))
        require(all(low < high for low, high in zip([Fraction(0)] + columns[0], columns[0])), f"{fields.where}.t must rise from above 0")
        require(all(value > 0 for value in columns[1]), f"{fields.where}.value must be positive")
        both[name] = _bounded_at(known)
        arguments.files.curves.promise(
            OPERATIONS_OF_MOMENT * len(known) + OPERATIONS_OF_CLASS * len(votes),
            lambda rows=list(zip(*columns)), nearer=nearer: _prove_moments(votes, sigma ** 2, nearer, rows))
    stated.done()
    return Mechanism(spec, lambda removes: both["remove" if removes else "add"], False, Adjacency("this_data_set", 1, False))


def _prove_moments(votes, variance, nearer, rows):
    with precision(256):
        deviation, winner = sqrt(exact(2 * variance)), votes.index(max(votes))
        others = exact(0)  # docs/proofs/teachers.md#votes
        for i, each in watched(enumerate(votes)):
            if i != winner:
                others += normal_tail(exact(votes[winner] - each - nearer) / deviation)
        others = top(others)
        for t, value, m1, m2 in watched(rows):
            if m1 == 0 == m2:
                require(t * (t + 1) <= value * variance, "curves: a moment of the noise is not so small")
            else:
                require(not exceeds(_log_f(others, variance, t, m1, m2).b, value), f"curves: a moment is not proven to be so small at t = {t}")


def _log_f(q, variance, t, m1, m2):
    """docs/proofs/teachers.md#bound and #monotone, whose conditions are required."""
    require(m1 > 1 and m2 > 1 and t + 1 <= m1, "curves: orders of divergences that the theorem does not take")
    require(q > 0 and q < 1, "curves: the probability of another class is not below 1")
    share = 1 - 1 / m2
    u = exp((log(q) + m2 / variance) * share)
    require(u < 1 and u * share / q >= m1 / (m1 - 1), "curves: a hypothesis on the orders of divergences does not hold")
    log_a = log1p(-q) - log1p(-u)
    log_b = exact(m1 / variance) - log(q) / (m1 - 1)
    require(log_a <= log_b, "curves: a hypothesis on the orders of divergences does not hold")
    return log1p(expm1(log1p(-q) + log_a * t) + q * exp(log_b * t))
