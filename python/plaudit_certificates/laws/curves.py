"""Finite laws that a curve defines, or what is released of several runs: one for both directions, but for directed_at.
docs/proofs/curves.md, docs/proofs/shuffle.md and docs/proofs/repeats.md have the theorems.

Of such a law H(x) = 1 - x + x H(1/x), x = e^epsilon: its curve is known by the part from x = 1 on, which is convex and falls.
"""
from fractions import Fraction
from math import comb

from ..arithmetic.clock import require, watched
from ..arithmetic.real import exact, exp, expm1, log, log1p, maximum, precision
from .laws import Finite, Gaussian, Laplace, Range, common_lattice
from .text import of_law, of_number, of_numbers

SIGN_BITS = [128, 256, 512, 1024, 2048, 4096]
LARGEST_POWER = 2**20  # e^epsilon is evaluated below this epsilon alone


def sign(number):
    """Of a real number by its enclosures; 0 where it is not decided."""
    for bits in SIGN_BITS:
        with precision(bits):
            value = number()
            if value > 0:
                return 1
            if value < 0:
                return -1
    return 0


# ---- a curve from its corners

def law_of_corners(text, losses, corners, infinite):
    """losses: of the corners at x >= 1, each exact or None; corners() -> [(loss, height)], enclosed; infinite: the last height,
    exactly. The slope before the first corner is that of the chord to its mirror image."""
    whole = bool(losses) and losses[0] == 0

    def table():
        points = corners()
        slopes = []
        for (loss, height), (following, lower) in zip(points, points[1:]):
            slopes.append((lower - height) / (exp(following) - exp(loss)))
        slopes.append(exact(0))
        upper = []
        for i, (loss, height) in enumerate(points):
            x = exp(loss)
            if i == 0 and whole:
                mass = maximum(1 - height + 2 * slopes[0], 0)
                upper.append((exact(0), mass, mass))
                continue
            before = slopes[i - 1] if i else -(1 - height) / (1 + x)
            mass = maximum(slopes[i] - before, 0)
            upper.append((loss, x * mass, mass))
        lower = [(-loss, q, p) for loss, p, q in reversed(upper[whole:])]
        return lower + upper, exact(infinite), exact(1 - infinite)
    mirrored = [None if x is None else -x for x in reversed(losses[whole:])] + losses
    lattice = None if None in mirrored else common_lattice(mirrored)
    law = Finite(text, len(mirrored), 1 - infinite, table, lattice, None, infinite, mirrored.__getitem__)
    law.stated = True
    return law


def _falling(points):
    """Those that are below all before them."""
    kept = []
    for epsilon, delta in watched(points):
        if delta < (kept[-1][1] if kept else 1):
            kept.append((epsilon, delta))
    return kept


def _decided(number):
    found = sign(number)
    require(found != 0, "a curve whose corners are too near to each other")
    return found > 0


def _enclosed(points):
    """[(epsilon, delta, e^epsilon, delta)], the latter two as intervals, which mostly decide what is above what."""
    return [(epsilon, delta, exp(exact(epsilon)) if epsilon < LARGEST_POWER else None, exact(delta))
            for epsilon, delta in watched(_falling(points))]


def _is_corner(a, b, c):
    """Is b below the chord of a and c? By the powers, or with e^(b-a) - 1 and e^(c-a) - 1 for the distances."""
    if c[2] is not None:
        gap = (a[3] - b[3]) * (c[2] - a[2]) - (a[3] - c[3]) * (b[2] - a[2])
        if gap > 0 or gap < 0:
            return gap > 0
    return _decided(lambda: (a[1] - b[1]) * expm1(exact(c[0] - a[0])) - (a[1] - c[1]) * expm1(exact(b[0] - a[0])))


def hull(points):
    """The corners at x >= 1 of the greatest curve with H <= delta at each (epsilon, delta), epsilon increasing. No three points
    are on a line, but for equal deltas: the powers e^epsilon are linearly independent (Lindemann)."""
    falling = _enclosed(points)

    def lower_at_one(a, b):  # 1 - 2 (1 - delta)/(1 + x) is the height at 1 of the chord of a point and its mirror image
        return _decided(lambda: (1 - b[1]) * (exp(exact(a[0] - b[0])) + exp(exact(-b[0]))) - (1 - a[1]) * (1 + exp(exact(-b[0]))))
    least = falling[0]
    for point in watched(falling[1:]):
        if lower_at_one(least, point):
            least = point
    corners = []
    for point in watched(falling[falling.index(least):]):
        while len(corners) > 1 and not _is_corner(corners[-2], corners[-1], point):
            corners.pop()
        corners.append(point)
    return corners


def bounded_at(points):
    """docs/proofs/curves.md#bounds"""
    corners = hull(points)
    epsilons, deltas = ([point[i] for point in corners] for i in (0, 1))
    text = of_law("Curve", ("epsilon", of_numbers(epsilons)), ("delta", of_numbers(deltas)))
    return law_of_corners(text, epsilons, lambda: [(exact(point[0]), exact(point[1])) for point in corners], deltas[-1])


def directed_at(points):
    """The same of one direction, whose curve is 1 at x = 0: all its corners, epsilons of any sign."""
    corners = []
    for point in watched(_enclosed(points)):
        while corners:
            if len(corners) == 1:  # below the chord of (0, 1) and the next point
                (e, d, *_), (f, g, *_) = corners[0], point
                below = _decided(lambda: (1 - d) * expm1(exact(f - e)) - (d - g))
            else:
                below = _is_corner(corners[-2], corners[-1], point)
            if below:
                break
            corners.pop()
        corners.append(point)
    epsilons, deltas = ([point[i] for point in corners] for i in (0, 1))

    def table():
        xs = [exp(exact(e)) for e in epsilons]
        slopes = [-(1 - exact(deltas[0])) / xs[0]]  # before each corner, and behind the last one
        for i in range(len(corners) - 1):
            slopes.append(exact(deltas[i + 1] - deltas[i]) / (xs[i + 1] - xs[i]))
        slopes.append(exact(0))
        masses = [maximum(after - before, 0) for before, after in zip(slopes, slopes[1:])]
        return [(exact(e), x * q, q) for e, x, q in zip(epsilons, xs, masses)], exact(deltas[-1]), -slopes[0]
    text = of_law("DirectedCurve", ("epsilon", of_numbers(epsilons)), ("delta", of_numbers(deltas)))
    law = Finite(text, len(corners), None, table, common_lattice(epsilons), None, deltas[-1], epsilons.__getitem__)
    law.stated = True
    return law


# ---- the greater of two curves

def is_compared(law):
    """Curves of other laws are not compared with each other."""
    last = law.exact_loss(law.size - 1)
    return law.size <= 64 and not law.stated and last is not None and last < 1 << 59


def height(law, loss):
    """H(e^loss), loss >= 0: a Fraction where all losses of the law are known to be at most this one, else an interval."""
    if type(law) is Laplace or type(law) is Range:
        end = law.a if type(law) is Laplace else law.epsilon
        if end <= loss:
            return Fraction(0)
        rest = -expm1(exact(loss - end) / 2)  # 1 - e^((loss - end)/2)
        return rest if type(law) is Laplace else rest * rest / -expm1(-exact(end))
    last = law.exact_loss(law.size - 1)
    if last is not None and last <= loss and law.exact_infinite is not None:
        return law.exact_infinite
    atoms, infinite, _ = law.table()
    at = exact(loss)
    return sum((maximum(p - exp(at) * q, 0) for _, p, q in atoms), infinite)


def difference(first, second, loss):
    """The sign of the first curve less the second one; None where it is not decided."""
    one, other = height(first, loss), height(second, loss)
    if type(one) is type(other) is Fraction:
        return (one > other) - (one < other)
    return sign(lambda: exact_of(height(first, loss)) - exact_of(height(second, loss))) or None


def exact_of(x):
    return exact(x) if type(x) is Fraction else x


def nowhere_above(low, high):
    """Whether the curve of `low` is certainly nowhere above that of `high`, where each law serves both directions: it is enough
    to look at the corners of `high` (docs/proofs/curves.md#order). False may mean undecided."""
    if type(low) is type(high) is Gaussian:
        return low.mu <= high.mu
    if type(low) is type(high) is Laplace:
        return low.a <= high.a
    if type(high) is not Finite or high.exact_infinite is None or type(low) not in (Finite, Laplace, Range, Gaussian):
        return False
    if not all(is_compared(law) for law in (low, high) if type(law) is Finite):
        return False
    if type(low) is Gaussian:
        from ..threshold import gaussians

        def is_below(loss):
            return sign(lambda: exact_of(height(high, loss)) - gaussians(low.mu, exact(loss))) > 0
    else:
        def is_below(loss):
            found = difference(low, high, loss)
            return found is not None and found <= 0
    losses = [high.exact_loss(i) for i in range(high.size)]
    return None not in losses and all(is_below(loss) for loss in losses if loss >= 0)


def are_compared(first, second):
    """Whether greater_of takes both: few rational losses, and a mass at infinity that is known."""
    return all(type(law) is Finite and is_compared(law) and law.exact_infinite is not None and
               None not in [law.exact_loss(i) for i in range(law.size)] for law in (first, second))


def greater_of(first, second):
    """docs/proofs/curves.md#maximum: corners of the one that is the greater, and where they cross."""
    require(is_compared(first) and is_compared(second), "spec: parallel of laws of which one is not compared: a bound at points")
    require(None not in (first.exact_infinite, second.exact_infinite), "spec: parallel of masses at infinity that are not rational")
    own = []
    for law in (first, second):
        losses = [law.exact_loss(i) for i in range(law.size)]
        require(None not in losses, "spec: parallel of losses that are not rational")
        own.append({loss for loss in losses if loss >= 0})
    places, before = [], None  # (loss, law of the corner, None), or at crossings (loss before, None, loss behind)
    for loss in sorted(own[0] | own[1]):
        found = difference(first, second, loss)
        require(found is not None, "spec: parallel of curves that are too near to each other")
        if before is not None and before[1] * found < 0:
            places.append((before[0], None, loss))
        if found == 0 or loss in own[found < 0]:
            places.append((loss, second if found < 0 else first, None))
        before = loss, found

    def corners():
        result = []
        for loss, law, behind in places:
            if law is not None:
                result.append((exact(loss), exact_of(height(law, loss))))
                continue
            (a, b), (c, d) = ([exact_of(height(each, x)) for each in (first, second)] for x in (loss, behind))
            share = (a - b) / ((a - b) + (d - c))
            result.append((exact(loss) + log1p(share * expm1(exact(behind - loss))), a + share * (c - a)))
        return result
    text = of_law("Greater", ("first", first.text()), ("second", second.text()))
    return law_of_corners(text, [None if law is None else loss for loss, law, _ in places], corners,
                          max(first.exact_infinite, second.exact_infinite))


# ---- several runs

def shuffled(epsilon, users):
    """docs/proofs/shuffle.md#clones: C ~ Binomial(users - 1, 2/(1 + e)), A ~ Binomial(C, 1/2), D ~ Bernoulli(e/(1 + e)); A + D
    messages of the one kind and C - A + 1 - D of the other against the same with D reversed. Only their share decides."""
    shares = sorted({Fraction(j, m) for m in range(1, users + 1) for j in range(m + 1)})
    place = {share: i for i, share in enumerate(shares)}
    known = {Fraction(0): -epsilon, Fraction(1, 2): Fraction(0), Fraction(1): epsilon}

    def table():
        e = exp(exact(epsilon))
        rate = 2 / (1 + e)
        heads, tails = e / (1 + e), 1 / (1 + e)
        left = expm1(exact(epsilon)) * tails  # 1 - rate
        p, q = [exact(0)] * len(shares), [exact(0)] * len(shares)
        for m in watched(range(1, users + 1)):
            front = comb(users - 1, m - 1) * rate ** (m - 1) * left ** (users - m) / 2 ** (m - 1)
            for j in range(m + 1):
                # A = j - 1 and A = j among m - 1
                one, other = front * (comb(m - 1, j - 1) if j else 0), front * comb(m - 1, j)
                i = place[Fraction(j, m)]
                p[i] += heads * one + tails * other
                q[i] += tails * one + heads * other
        losses = [exact(known[s]) if s in known else log((e * s + (1 - s)) / (s + e * (1 - s))) for s in shares]
        return list(zip(losses, p, q)), exact(0), exact(1)
    text = of_law("Shuffle", ("epsilon", of_number(epsilon)), ("n", users))
    return Finite(text, len(shares), Fraction(1), table, None, None, Fraction(0), lambda i: known.get(shares[i]))


def best_of(text, loss):
    """Two points at +-loss(), enclosed: docs/proofs/repeats.md#pure."""
    def table():
        end = loss()
        low = exp(-end)
        return [(-end, low / (1 + low), 1 / (1 + low)), (end, 1 / (1 + low), low / (1 + low))], exact(0), exact(1)
    return Finite(text, 2, Fraction(1), table, None, None, Fraction(0), lambda i: None)
