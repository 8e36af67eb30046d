"""Curves of shuffled messages from above, docs/proofs/shuffle.md, in whole numbers of units of 2^-places: of each number that is not
exact there is one below and one above. What does not depend on the point is found once, at the precision at which a curve is made."""
from math import ceil, comb, isqrt

from ..arithmetic.clock import look, watched
from ..arithmetic.real import Interval, bits_now, exact, exp, expm1, floor_of

RARE = 10**60      # masses that are so much less than the greatest are left out
TOLD_APART = 64    # messages of which each number stands for itself
SPARE = 64         # places beyond the bits


def places_for(epsilon):
    """Products with e^epsilon and e^loss, loss < epsilon, keep the bits: e^(2 epsilon) < 2^(3 epsilon)."""
    return bits_now() + SPARE + 3 * (ceil(epsilon) + 1)


def ends(x, places):
    """Below and above the interval, in units."""
    return floor_of(x.lo, places), -floor_of((-x).lo, places)


def up(numerator, denominator):
    return -(-numerator // denominator)


def point(units, places):
    end = (units, -places)
    return Interval(end, end)


def binomial(n, odds, places):
    """The masses of Binomial(n, odds / (1 + odds)) but for rare ones: (first, [(below, above)], what all others have at most). They
    are found in units of the likeliest one, and divided by their sum; odds: below and above, in units."""
    one = 1 << places
    middle = min(n, n * odds[1] // (one + odds[1]))

    def side(length, ratio):
        """Masses away from the middle, ratio(j) of each to the one before; beyond the last the ratios still fall."""
        masses, low, high = [], one, one
        for j in range(length):
            below, above = ratio(j)
            if high * RARE < one and above < one:
                return masses, high * above // (one - above) + 1
            low, high = low * below >> places, up(high * above, one)
            masses.append((low, high))
        return masses, 0
    more, rest = side(n - middle, lambda j: (odds[0] * (n - middle - j) // (middle + j + 1), up(odds[1] * (n - middle - j), middle + j + 1)))
    less, other_rest = side(middle, lambda j: ((middle - j << 2 * places) // (odds[1] * (n - middle + j + 1)),
                                               up(middle - j << 2 * places, odds[0] * (n - middle + j + 1))))
    masses = less[::-1] + [(one, one)] + more
    least = sum(low for low, _ in masses)
    most = sum(high for _, high in masses) + rest + other_rest
    return (middle - len(less), [((low << places) // most, up(high << places, least)) for low, high in masses],
            up(rest + other_rest << places, least))


def fair(c, central, places):
    """Of A ~ Binomial(c, 1/2), from i = c // 2 on, whose mass is `central`: [(P(A = i) below, above, P(A >= i) below)]; the last one
    holds for all that follow, whose masses fall."""
    low, high = central
    masses = []
    for i in range(c // 2, c + 1):
        masses.append((low, high))
        if not low:
            break
        low, high = low * (c - i) // (i + 1), up(high * (c - i), i + 1)
    tail, result = 0, [(0, high, 0)]
    for low, high in reversed(masses):
        tail += low
        result.append((low, high, tail))
    return result[::-1]


def central_mass(c, places):
    """P(A = c // 2) of A ~ Binomial(c, 1/2)."""
    low = (comb(c, c // 2) << places) >> c
    return low, low + 1


class Clones:
    """#curve: given c clones, the event of the least i with i + 1 >= (c + 1) share."""

    def __init__(self, epsilon, users):
        self.epsilon, self.places = epsilon, places_for(epsilon)
        self.first, weights, self.outside = binomial(users - 1, ends(2 / expm1(exact(epsilon)), self.places), self.places)
        self.weights = [high for _, high in weights]
        self.fewest = fair(self.first, central_mass(self.first, self.places), self.places)

    def at(self, loss):
        places = self.places
        more = expm1(exact(self.epsilon + loss))  # x e - 1
        less = ends(expm1(exact(loss)), places)[0]
        step = ends(more / (1 + exp(exact(self.epsilon))), places)[1]
        share = ends(more / (expm1(exact(self.epsilon)) * (1 + exp(exact(loss)))), places)
        c, total = self.first, 0

        def edge(share):
            return min(c, max((-(-(c + 1) * share >> places)) - 1, c // 2))
        i = edge(share[0])
        low, high, tail = self.fewest[min(i - c // 2, len(self.fewest) - 1)]
        for weight in self.weights:
            best, other = edge(share[0]), edge(share[1])
            while i < best:
                tail = max(tail - high, 0)
                low, high = low * (c - i) // (i + 1), up(high * (c - i), i + 1)
                i += 1
            value = step * high - less * tail
            if other > i:  # one of two is the best, and more bits tell which
                value = max(value, step * up(high * (c - i), i + 1) - less * max(tail - high, 0))
                if other > i + 1:
                    return exact(1)
            if value > 0:
                total += weight * value
            # another vote: P(A >= i) grows by half of P(A = i - 1) = P(A = i) i / (c - i + 1)
            rest = c - i + 1
            tail += low * i // (2 * rest)
            low, high = low * (c + 1) // (2 * rest), up(high * (c + 1), 2 * rest)
            c += 1
        return point((total >> 2 * places) + 1 + self.outside, places)


class Categories:
    """#categories, of three or more: T votes, W messages for neither; cells (W, factor of P(i >= I), factor of I P(i = I))."""

    def __init__(self, epsilon, users, categories):
        self.epsilon, self.places, self.users = epsilon, places_for(epsilon), users
        places, e_less_1 = self.places, expm1(exact(epsilon))
        others = e_less_1 + (categories - 2)
        self.half_sum, self.half_gap = ends((e_less_1 + 2) / 2, places)[0], ends(e_less_1 / 2, places)[1]
        odds, rate = ends((categories - 2) / e_less_1, places), (categories - 2) / others
        rate_below, rate_about = ends(rate, places)[0], rate.mid.lower()
        first, votes, _ = binomial(users, ends(2 / others, places), places)
        central, known, self.rows = central_mass(first, places), 0, []
        for t, weight in watched(list(enumerate(votes, first))):
            if t > first:  # C(t, t // 2) 2^-t is that of t - 1 for even t
                central = central if t % 2 == 0 else (central[0] * t // (t + 1), up(central[1] * t, t + 1))
            known += weight[0] * (self.half_sum * t + rate_below * (users - t)) // users
            self.rows.append((t, fair(t, central, places), self._cells(t, weight, odds, rate_about)))
        self.rest = max((1 << places) - (known >> places), 0)

    def _cells(self, t, weight, odds, rate):
        """#categories (c): W moves to the neighbouring multiples of two deviations, with the same mean, rare ones to 0. The program's
        bounds are of this spread: those of another step, even of a smaller one, may be above them at some points."""
        places, messages = self.places, self.users - t
        first, masses, outside = binomial(messages, odds, places)
        step = max(1, isqrt(int(4 * messages * rate * (1 - rate)))) if messages > TOLD_APART else 1
        spread = {}
        for w, (low, high) in enumerate(masses, first):
            beyond = w % step
            for to, part in ((w - beyond, step - beyond), (w - beyond + step, beyond)):
                if part:
                    before = spread.get(to, (0, 0))
                    spread[to] = before[0] + low * part // step, before[1] + up(high * part, step)
        cells = [(0, outside, outside), *((w, low, high) for w, (low, high) in spread.items())]
        one = 1 << places
        return [(w, (weight[0] * low >> places) * (self.half_sum * t + w * one) // self.users >> places,
                 up(up(weight[1] * high, one) * self.half_gap, self.users * one)) for w, low, high in cells]

    def at(self, loss):
        places, less = self.places, expm1(exact(loss))
        unit = expm1(exact(self.epsilon)) * (2 + less)
        of_vote, of_other = (ends(x / unit, places) for x in (expm1(exact(self.epsilon + loss)), less))
        plus, minus = ends(2 + less, places)[1], ends(less, places)[0]
        both = apart = further = 0
        for t, votes, cells in self.rows:
            low_of_votes, high_of_votes, middle, last = t * of_vote[0], t * of_vote[1], t // 2, len(votes) - 1
            look()
            for w, of_both, of_apart in cells:
                i = -(-(low_of_votes + w * of_other[0]) >> places)
                other = -(-(high_of_votes + w * of_other[1]) >> places)
                if i > t:
                    continue
                _, high, tail = votes[min(i - middle, last)]  # i >= t/2, as of_vote >= 1/2
                if other == i:
                    both += of_both * tail
                    apart += of_apart * high * i
                    continue
                if other > i + 1:
                    return exact(1)
                value = max(plus * of_apart * high * i - minus * of_both * tail, 0)
                if other <= t:
                    _, high, tail = votes[min(other - middle, last)]
                    value = max(value, plus * of_apart * high * other - minus * of_both * tail)
                further += value
        return point((plus * apart - minus * both + further >> 2 * places) + 1 + self.rest, places)


class TwoValues:
    """#two-categories: the greatest curve, by how many of the others hold the one value."""

    def __init__(self, epsilon, users):
        self.epsilon, self.places, self.laws = epsilon, places_for(epsilon), []
        places, e = self.places, exp(exact(epsilon))
        own, other = ends(e / (1 + e), places), ends(1 / (1 + e), places)

        def moved(law, one, rest):
            """With the message of one more user: [(below, above)]"""
            padded = [(0, 0), *law, (0, 0)]
            return [((a[0] * one[0] + b[0] * rest[0]) >> places, up(a[1] * one[1] + b[1] * rest[1], 1 << places))
                    for a, b in zip(padded, padded[1:])]
        alike = [[(1 << places,) * 2]]
        for _ in range(users - 1):
            alike.append(moved(alike[-1], own, other))
        for held in watched(range(users)):
            law = alike[held]
            for _ in range(users - 1 - held):
                law = moved(law, other, own)
            self.laws.append(law)

    def at(self, loss):
        places, e = self.places, exp(exact(self.epsilon))
        gain = ends((e - exp(exact(loss))) / (1 + e), places)[1]
        lost = ends(expm1(exact(self.epsilon + loss)) / (1 + e), places)[0]
        greatest = 0
        for law in watched(self.laws):
            here = [low for low, _ in law[1:]] + [0]
            values = [gain * high - lost * low for (_, high), low in zip(law, here)]
            greatest = max(greatest, sum(value for value in values if value > 0))
        return point((greatest >> places) + 1, places)
