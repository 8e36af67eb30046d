"""Mechanisms of which only bounds of the moments are known, by their definitions; docs/proofs/bounded_moments.md."""
from fractions import Fraction

from ..arithmetic.clock import require
from ..laws import laws
from .grammar import printed
from .mechanism import Mechanism

MOST_ORDERS = 1000


def _of_moments(spec, linear, quadratic, limit=None):
    law = laws.Bounded(linear, quadratic, limit)
    return Mechanism(spec, lambda _: law, True)


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
    points = [(Fraction(0), Fraction(0))] + [(a - 1, (a - 1) * d) for a, d in zip(orders, divergences)]
    lines, at = [], 0
    while at + 1 < len(points):  # the line to the point that is lowest as seen from this one
        t, value = points[at]
        slope, to = min(((points[i][1] - value) / (points[i][0] - t), -i) for i in range(at + 1, len(points)))
        lines.append((slope, value - slope * t))
        at = -to
    law = laws.Bounded(0, 0, orders[-1], lines)
    texts = ["[" + ", ".join(map(printed, numbers)) + "]" for numbers in (orders, divergences)]
    return Mechanism(f"renyi_profile(orders={texts[0]}, divergences={texts[1]})", lambda _: law, True)
