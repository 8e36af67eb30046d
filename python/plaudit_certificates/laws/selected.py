"""Which groups of users are shown, docs/proofs/partition_selection.md: the greatest of the curves of groups of n and n + 1 users.

A group of n users is hidden with the probability h_n: h_0 = 1, 1 - h_(n+1) = a (1 - h_n) + delta, a = e^epsilon, as long as
1 - h_n <= (1 - delta)/(a + 1), then h_(n+1) = (h_n - delta)/a, and 0 once h_n <= delta. e^L: slopes of h_(n+1) over h_n.
"""
from fractions import Fraction

from ..arithmetic.clock import require, watched
from ..arithmetic.real import exact, exp, expm1, floor_of, log, precision
from .laws import Finite
from .text import of_law, of_number

MOST_USERS = 100_000
BITS = [128, 256, 512, 1024, 2048, 4096]


def _phases(epsilon, delta):
    """(r, N - 1 - r) of #closed: the first rule makes h_1 .. h_r, the second one so many more, of which the last is the first
    with h <= delta."""
    if 2 * delta >= 1:
        return 1, 0
    for bits in watched(BITS):
        with precision(bits):
            a, minus = exp(exact(epsilon)), expm1(exact(epsilon))
            front = exact(delta) / minus

            def power_above(x):
                """The least k with a^k > x >= 1; None where it is not decided."""
                k = log(x) / epsilon
                require(k.b <= MOST_USERS, "partition_selection: over 100000 users are needed")
                ends = floor_of(k.lo, 0), floor_of(k.hi, 0)
                return ends[0] + 1 if ends[0] == ends[1] else None
            first = power_above(1 + (1 - delta) / (a + 1) / front)
            if first is None:
                continue
            hidden = 1 - front * expm1(exact(first * epsilon))
            if hidden <= delta:
                return first, 0
            second = power_above((hidden + front) / (delta + front)) if hidden + front > 0 and hidden > delta else None
            if second is not None:
                return first, second
    require(False, "partition_selection: probabilities of some group are too near to each other")


def selected(epsilon, delta, removes):
    """With the user against without, or the reverse."""
    first, second = _phases(epsilon, delta)

    def table():
        rate = exact(epsilon)
        a, minus = exp(rate), expm1(rate)
        front = exact(delta) / minus
        hidden = 1 - front * expm1(rate * first)  # of n = first users

        def later(m):
            return (hidden + front) * exp(-rate * m) - front
        steps = []  # (loss, P-mass, Q-mass)
        if second:
            steps.append((None, later(second), later(second - 1) - later(second)))
        if second > 1:
            lost = hidden - later(second - 1)
            steps.append((-rate, lost / a, lost))
        after = later(1) if second else 0
        steps.append((None, hidden - after, delta * exp(rate * (first - 1))))
        if first > 1:
            seen = front * expm1(rate * (first - 1))
            steps.append((rate, a * seen, seen))
        unseen = later(second)
        if removes:
            return [(log(p / q) if loss is None else loss, p, q) for loss, p, q in steps], exact(delta), 1 - unseen
        return [(log(q / p) if loss is None else -loss, q, p) for loss, p, q in reversed(steps)], unseen, exact(1 - delta)
    losses = ([None] if second else []) + ([-epsilon] if second > 1 else []) + [None] + ([epsilon] if first > 1 else [])
    if not removes:
        losses = [loss if loss is None else -loss for loss in reversed(losses)]
    text = of_law("PartitionSelection", ("epsilon", of_number(epsilon)), ("delta", of_number(delta)))
    return Finite(text, len(losses), None if removes else Fraction(1 - delta), table, None, None, delta if removes else None, losses.__getitem__)
