"""Rejections, and the clock that all of the checker looks at."""
from math import inf
from time import monotonic


class Rejected(Exception):
    """The certificate proves nothing, for the reason in the message; docs/certificates.md, "Verdicts", has the outcomes."""
    outcome = "rejected"


class Unread(Rejected):
    """The bytes are not the JSON of a certificate."""
    outcome = "unread"


class TooDear(Rejected):
    """Dearer than the stated number of operations (docs/certificates/costs.md)."""
    outcome = "too_dear"


class Unfinished(Rejected):
    """The time or the memory is over."""
    outcome = "unfinished"


def require(holds, why):
    if holds is not True:
        raise Rejected(why)


class Clock:
    """with Clock(seconds): ... is rejected when it takes longer. Whoever makes an interval looks at the clock (real.py), so
    that no loop over intervals outlasts it; long loops in whole numbers and fractions go through watched(). What remains
    are single calls of Python's integers, which the sizes of numbers bound."""
    end, limit = inf, inf

    def __init__(self, seconds):
        self.mine = monotonic() + seconds, seconds

    def __enter__(self):
        self.before = Clock.end, Clock.limit
        Clock.end, Clock.limit = self.mine

    def __exit__(self, *_):
        Clock.end, Clock.limit = self.before


def look():
    if monotonic() > Clock.end:
        raise Unfinished(f"needs more time than the limit of {Clock.limit:g} seconds")


def watched(items):
    """The items, with a look at the clock before each."""
    for item in items:
        look()
        yield item
