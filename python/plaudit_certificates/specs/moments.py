"""Mechanisms of which only bounds of the moments are known, by their definitions; docs/proofs/bounded_moments.md."""
from fractions import Fraction

from ..arithmetic.clock import require
from ..arithmetic.real import exact, floor_of, log, precision
from ..laws import laws
from .grammar import printed
from .mechanism import ONE, Mechanism, with_sensitivity

MOST_ORDERS = 1000
MOST_QUERIES = 10**12
LOG_BITS = 90  # behind the point, of log(queries + 1), from above


def _of_moments(spec, linear, quadratic, limit=None):
    law = laws.Bounded(linear, quadratic, limit)
    return Mechanism(spec, lambda _: law, True)


def _bounded_at(known):
    """Of bounds (t, value) of log M(t), t rising: the greatest convex function below them and below (0, 0)."""
    points = [(Fraction(0), Fraction(0))] + known
    lines, at = [], 0
    while at + 1 < len(points):  # the line to the point that is lowest as seen from this one
        t, value = points[at]
        slope, to = min(((points[i][1] - value) / (points[i][0] - t), -i) for i in range(at + 1, len(points)))
        lines.append((slope, value - slope * t))
        at = -to
    return laws.Bounded(0, 0, points[-1][0] + 1, lines)


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
