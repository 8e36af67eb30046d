"""Counts with noise that are shown above a threshold, docs/proofs/thresholds.md#laplace: an event of probability 1 - w that the
record alone can show, beside Laplace noise."""
from fractions import Fraction

from ..arithmetic.clock import require, watched
from ..arithmetic.real import exact, exp, floor_of, log, log1p, precision
from .laws import Finite
from .text import of_law, of_number

BITS = [200, 400, 1000, 2000, 4096]
PLACES = 96  # behind the point, of log w as it is rounded up


class LaplaceThreshold:
    """With the record the event has the probability 1 - w, w = P(X <= r) of Laplace noise X of scale 1, and else there is
    Lap(inner) against Lap(0). removes: P is with the record, L = log w + L_inner; else Q is, and L = L_inner - log w."""

    def __init__(self, a, r, inner, removes):
        self.a, self.r, self.inner, self.removes = a, r, inner, removes

    def text(self):
        return text_of(self.a, self.r)

    def shown(self):
        """1 - w"""
        return shown(self.r)

    def move(self):
        """By how much L exceeds that of the noise."""
        return log_hidden(self.r) if self.removes else -log_hidden(self.r)

    def noise_mass(self):
        """The P-mass of the noise."""
        return exp(log_hidden(self.r)) if self.removes else exact(1)

    def q_mass(self):
        return Fraction(1) if self.removes else exp(log_hidden(self.r))

    def infinite(self):
        return self.shown() if self.removes else Fraction(0)


def text_of(a, r):
    return of_law("LaplaceThreshold", ("a", of_number(a)), ("r", of_number(r)))


def shown(r):
    return exp(exact(-r)) / 2 if r >= 0 else 1 - exp(exact(r)) / 2


def log_hidden(r):
    return log1p(-(exp(exact(-r)) / 2)) if r >= 0 else exact(r) - log(exact(2))


def inner_ratio(a, r):
    """a'' = a - floor(2^96 (-log w)) / 2^96"""
    for bits in watched(BITS):
        with precision(bits):
            lost = -log_hidden(r)
            low, high = max(floor_of(lost.lo, PLACES), 0), floor_of(lost.hi, PLACES)
        if low == high:
            return a - Fraction(low, 2 ** PLACES)
    require(False, "laplace_threshold: what a new group is shown with is not decided")


def laplace_threshold(a, r, removes):
    inner = inner_ratio(a, r)
    if inner > 0:
        return LaplaceThreshold(a, r, inner, removes)

    def table():
        hidden = exp(log_hidden(r))
        if removes:
            return [(log_hidden(r), hidden, exact(1))], shown(r), exact(1)
        return [(-log_hidden(r), exact(1), hidden)], exact(0), hidden
    return Finite(text_of(a, r), 1, Fraction(1) if removes else None, table, None, None, None if removes else Fraction(0), lambda _: None)
