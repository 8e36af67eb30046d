"""Shuffled messages, docs/proofs/shuffle.md: of few users the law has all its atoms, of more a certificate bounds the curve at points,
and of randomized response of several values always."""
from fractions import Fraction
from math import isqrt

from ..arithmetic.clock import require
from ..arithmetic.real import bits_now, exact
from ..laws import curves
from ..laws.shuffled_curves import Categories, Clones, TwoValues
from .grammar import printed
from .mechanism import Adjacency, Mechanism
from .stated_points import stated_laws

MOST_USERS, MOST_USERS_OF_CATEGORIES, MOST_CATEGORIES = 250_000, 10_000, 10**12
MOST_LISTED = 64  # of whom all atoms are kept, or all data sets are compared


def _curve_of(users, categories):
    """Which curve, what it costs before any point and at each (docs/certificates/costs.md, "Laws")."""
    window = min(users, 20 * isqrt(users) + 100)
    if categories == 2 and users <= MOST_LISTED:
        return TwoValues, 20 * users ** 3, 20 * users ** 2
    if categories in (None, 2):
        return Clones, 50 * users, 40 * window
    return lambda epsilon, n: Categories(epsilon, n, categories), 60 * window ** 2, 1500 * window


def shuffle(arguments):
    epsilon, known = arguments.positive("epsilon"), arguments.given("categories")
    require(Fraction(1, 10**9) <= epsilon <= 1000, "shuffle: epsilon must lie between 1e-9 and 1000")
    users = arguments.count("users", MOST_USERS_OF_CATEGORIES if known else MOST_USERS)
    categories = arguments.count("categories", MOST_CATEGORIES) if known else None
    require(categories != 1, "shuffle: categories must be at least 2")
    spec = f"shuffle(epsilon={printed(epsilon)}, users={users}{f', categories={categories}' if known else ''})"
    if not known and users <= MOST_LISTED:
        law = curves.shuffled(epsilon, users)
        return Mechanism(spec, lambda _: law, True, Adjacency("replace", 1), operations=20 * users * users)
    make, before, each = _curve_of(users, categories)
    made = {}  # by precisions

    def curve(_, loss):
        if loss >= epsilon:
            return exact(0)
        bits = bits_now()
        if bits not in made:
            made[bits] = make(epsilon, users)
        return made[bits].at(loss)
    return Mechanism(spec, stated_laws(arguments, spec, True, each, curve), True, Adjacency("replace", 1), operations=before)
