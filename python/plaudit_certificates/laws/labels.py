"""A public label, of the same law under P and Q, and a law for each label: docs/proofs/poisson_adjacencies.md#labels."""
from fractions import Fraction
from math import isqrt

from ..arithmetic.clock import require, watched
from ..arithmetic.real import bits_now, exact, exp, hull, log1p, maximum, minimum, precision
from .laws import Labelled, Mixture, gaussian_at
from .text import of_law, of_number

MOST_TERMS = 10_000
GROUPS, DEVIATIONS = 64, 9  # of sizes of samples
MORE = 32                   # bits for long products


class Capped:
    """Whether K >= cap, K binomial of `others` records at `rate`: then the law is `reached`, else `under`
    (docs/proofs/poisson_adjacencies.md#capped)."""
    names = "under", "reached"  # of the fields with their choices

    def __init__(self, others, rate, cap, under, reached):
        self.others, self.rate, self.cap, self.under, self.reached = others, rate, cap, under, reached
        self.laws, self.operations = [under, reached], 10 * (cap + MOST_TERMS)

    def text(self):
        return of_law("Capped", ("n", self.others), ("g", of_number(self.rate)), ("cap", self.cap), ("under", self.under.text()),
                      ("reached", self.reached.text()))

    def shares(self):
        share = self.share()
        return [1 - share, share]

    def share(self):
        """P(K >= cap), enclosed: docs/proofs/poisson_adjacencies.md#binomial-tail."""
        n, odds = self.others, exact(self.rate / (1 - self.rate))
        above = self.cap > n * self.rate
        k = self.cap if above else self.cap - 1
        mass = exp(n * log1p(exact(-self.rate)))
        for i in watched(range(k)):  # P(K = i), each from the one before
            mass = mass * Fraction(n - i, i + 1) * odds
        total = sum_beyond(n, odds, mass, k, above)
        return minimum(total, 1) if above else maximum(1 - total, 0)


def sum_beyond(n, odds, mass, k, above, most=MOST_TERMS):
    """P(K >= k) or P(K <= k) of a binomial K, in the units in which P(K = k) is mass: ratios fall, a geometric series ends it."""
    total, terms = mass, 0
    while k < n if above else k > 0:
        require(terms < most, "the number of records has too wide a distribution")
        ratio = Fraction(n - k, k + 1) * odds if above else Fraction(k, n - k + 1) / odds
        if ratio < 1:  # the ratios fall from here on
            rest = mass * ratio / (1 - ratio)
            if rest * 2 ** bits_now() < total:
                return total + hull(0, rest)
        mass = mass * ratio
        total, terms, k = total + mass, terms + 1, k + (1 if above else -1)
    return total


class Averaged:
    """How many of n - 1 others (add/remove), or of n records (replace), are drawn, in groups (docs/proofs/averaged.md#groups);
    a: the greatest norm of a record over the deviation of the noise on the mean."""
    names = ()

    def __init__(self, a, rate, n, replaces, removes):
        self.a, self.rate, self.n, self.replaces = a, rate, n, replaces
        self.trials = n if replaces else n - 1
        mean = self.trials * rate
        reach = DEVIATIONS + 1 + isqrt(int(DEVIATIONS ** 2 * mean * (1 - rate) // 1))
        self.low = max(0, int(mean // 1) - reach)
        self.high = min(self.trials, int(-(-mean // 1)) + reach)
        width = max(1, -(-(self.high - self.low) // GROUPS))
        self.starts = [0] * (self.low > 0) + list(range(self.low, self.high + 1, width))
        sizes = list(zip(self.starts, [start - 1 for start in self.starts[1:]] + [self.trials]))
        # an empty sample tells nothing: it is given the pair of the greatest sizes
        self.laws = [self.of_sizes(*(sizes[-1] if replaces and group == (0, 0) else group), removes) for group in sizes]
        self.most_terms = 4 * (self.high - self.low) + MOST_TERMS  # on either side of these sizes
        self.operations = 10 * (self.high - self.low + self.most_terms)

    def of_sizes(self, least, greatest, removes):
        """Of the greatest distance and the greatest share within the group."""
        if not self.replaces:
            distance = 2 * self.a / (least + 1) if least else self.a
            return Mixture([Fraction(0), distance], [1 - self.rate, self.rate], removes)
        distance, share = 2 * self.a / max(least, 1), Fraction(max(greatest, 1), self.n)
        return gaussian_at(distance) if share == 1 else Labelled(share, [(Fraction(1), distance)])

    def text(self):
        return of_law("AveragedReplaced" if self.replaces else "Averaged", ("a", of_number(self.a)), ("g", of_number(self.rate)),
                      ("n", self.n))

    def shares(self):
        """In units of the probability of a size next to the mean, then divided by the sum of all (#weights)."""
        with precision(bits_now() + MORE):
            n, odds = self.trials, exact(self.rate / (1 - self.rate))
            sizes = {}
            first = min(max(int(n * self.rate // 1), self.low), self.high)
            sizes[first] = exact(1)
            for k in range(first, self.high):
                sizes[k + 1] = sizes[k] * Fraction(n - k, k + 1) * odds
            for k in range(first, self.low, -1):
                sizes[k - 1] = sizes[k] * Fraction(k, n - k + 1) / odds
            sums = []
            for start, following in zip(self.starts, self.starts[1:] + [None]):
                if start < self.low:
                    before = sizes[self.low] * Fraction(self.low, n - self.low + 1) / odds
                    sums.append(sum_beyond(n, odds, before, self.low - 1, False, self.most_terms))
                elif following is None:
                    inside = sum((sizes[k] for k in range(start, self.high)), exact(0))
                    sums.append(inside + sum_beyond(n, odds, sizes[self.high], self.high, True, self.most_terms))
                else:
                    sums.append(sum((sizes[k] for k in range(start, following)), exact(0)))
            total = sum(sums, exact(0))
            return [each / total for each in sums]


def averaged(a, rate, n, replaces, removes):
    law = Averaged(a, rate, n, replaces, removes)
    return law.of_sizes(0, 0, removes) if law.trials == 0 else law


LABELS = Capped, Averaged


def choices_of(law, fields):
    """The choices of each label's law."""
    if law.names:
        return [fields.fields(name) for name in law.names]
    return fields.each("labels", len(law.laws), len(law.laws))
