"""Mechanisms of which only bounds of the moments are known, by their definitions; docs/proofs/bounded_moments.md."""
from ..arithmetic.clock import require
from ..laws import laws
from .grammar import printed
from .mechanism import Mechanism


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
