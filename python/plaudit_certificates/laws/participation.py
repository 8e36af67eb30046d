"""A record that takes part in steps that it draws by itself, under correlated noise: integer moments of the likelihood ratio W, and
what they say of the curve. docs/proofs/random_participation.md#moments and #polynomials."""
from fractions import Fraction
from math import comb, factorial

from ..arithmetic.clock import require, watched
from ..arithmetic.real import bits_now, exact, exp, minimum


class Participation:
    """coefficients >= 0, the first and the last one above 0; ratio = (sensitivity / sigma)^2; period: bins, or the least
    separation; rate: of separated draws, else None."""

    def __init__(self, coefficients, ratio, steps, period, rate, stationary):
        self.coefficients, self.ratio, self.steps, self.period = coefficients, ratio, steps, period
        self.rate, self.stationary = rate, stationary

    def greatest_square(self):
        """Of the norm of a mean, that of the steps 0, period, 2 period, ..."""
        squares, bands = [c * c for c in self.coefficients], len(self.coefficients)
        whole = 0 if self.steps < bands else (self.steps - bands) // self.period + 1  # columns; at most one more is cut off
        return self.ratio * (whole * sum(squares) + sum(squares[:max(0, self.steps - whole * self.period)]))

    def counts(self, most):
        """How many numbers are kept for the moments up to this one: for states of draws, or for pairs of bins."""
        return self.period * (self.period if self.rate is None else comb(most + self.period - 1, most))

    def operations(self, most):
        """What the moments up to this one take."""
        if self.rate is not None:
            rows = min(len(self.coefficients), self.steps) if self.stationary else 1  # that have moves of their own
            return sum(comb(k + self.period - 1, k) * (k + 1) * (10 * self.steps + 200 * rows) for k in range(2, most + 1))
        bands = len(self.coefficients)
        kept = min(2 * bands - 1, self.period - 1) + 1
        return bands * bands * self.steps + 200 * comb(most + kept, kept) * self.period

    def mean_product(self, ages):
        """log of what a row multiplies by, for ages[d] patterns that drew d steps ago: sum over their pairs of <m, m'>."""
        means = [c for c, n in zip(self.coefficients, ages) for _ in range(n)]
        return self.ratio * (sum(means) ** 2 - sum(c * c for c in means)) / 2


def _states(places, left):
    """All lists of so many counts whose sum is at most `left`: an odometer."""
    counts = [0] * places
    while True:
        yield tuple(counts)
        if sum(counts) < left:
            counts[-1] += 1
            continue
        last = places - 1
        while last >= 0 and counts[last] == 0:
            last -= 1
        if last <= 0:
            return
        counts[last] = 0
        counts[last - 1] += 1


def _separated(scheme, k):
    """E W^k: states are how many of k patterns drew 0, 1, ..., period - 2 steps ago, the others are free to draw."""
    states = list(_states(scheme.period - 1, k))
    index = {state: i for i, state in enumerate(states)}
    q, bands = scheme.rate, len(scheme.coefficients)

    def moves(seen):
        """[(from, to, weight)] of a row in which the first `seen` ages have a mean."""
        result, known = [], {}
        for i, state in watched(enumerate(states)):
            free = k - sum(state)
            for drawn in range(free + 1):
                product = scheme.mean_product((drawn, *state)[:seen])
                if product not in known:
                    known[product] = exp(exact(product))
                weight = known[product] * (comb(free, drawn) * q ** drawn * (1 - q) ** (free - drawn))
                result.append((i, index[(drawn, *state[:-1])], weight))
        return result
    if scheme.stationary:
        share, now = 1 / (1 + (scheme.period - 1) * q), []
        for state in states:
            ways, left = 1, k
            for n in state:
                ways, left = ways * comb(left, n), left - n
            now.append(exact(ways * share ** k * q ** (k - left)))
    else:
        now = [exact(1 if sum(state) == 0 else 0) for state in states]
    steps = None
    for row in range(scheme.steps):
        if steps is None or (scheme.stationary and row < bands):
            steps = moves(row + 1 if scheme.stationary else bands)
        following = [exact(0)] * len(states)
        for i, j, weight in watched(steps):
            following[j] = following[j] + now[i] * weight
        now = following
    return sum(now, exact(0))


def _in_bins(scheme, most):
    """[E W^k] for k = 0..most: k! b^-k times the sum over counts of k patterns in b bins."""
    bins, c = scheme.period, scheme.coefficients
    meet = [[Fraction(0)] * bins for _ in range(bins)]
    for row in watched(range(scheme.steps)):
        for d in range(min(len(c), row + 1)):
            for e in range(min(len(c), row + 1)):
                meet[(row - d) % bins][(row - e) % bins] += scheme.ratio * c[d] * c[e]
    reach, now = len(c) - 1, {(0, ()): exact(1)}
    for here in range(bins):
        following = {}
        for (total, counts), weight in watched(now.items()):
            others = sum((meet[here][r] * n for r, n in enumerate(counts) if n), Fraction(0))
            for n in range(most - total + 1):
                grown = weight * exp(exact(others * n + meet[here][here] * comb(n, 2))) / factorial(n)
                kept = [*counts, n]
                if here >= 2 * reach:  # no later bin meets this one: what it holds matters no more
                    kept[here - reach] = 0
                state = total + n, tuple(kept)
                following[state] = following[state] + grown if state in following else grown
        now = following
    result = [exact(0)] * (most + 1)
    for (total, _), weight in now.items():
        result[total] = result[total] + weight
    return [x * Fraction(factorial(k), bins ** k) for k, x in enumerate(result)]


class Moments:
    def __init__(self, scheme, most):
        self.scheme, self.most, self._known = scheme, most, {}  # by the bits
        self.mean = scheme.greatest_square() / 2  # of the loss of a record whose steps are known

    def raw(self):
        """[E W^k] for k = 0..most at the working precision."""
        if bits_now() not in self._known:
            scheme = self.scheme
            self._known[bits_now()] = (_in_bins(scheme, self.most) if scheme.rate is None else
                                       [exact(1), exact(1)] + [_separated(scheme, k) for k in range(2, self.most + 1)])
        return self._known[bits_now()]

    def about(self, r, order, extra):
        """E (W - r)^order W^extra"""
        return sum((x * (comb(order, j) * (-r) ** (order - j)) for j, x in enumerate(self.raw()[extra:order + extra + 1])), exact(0))

    def curve(self, removes, epsilon, r, order):
        """An interval: its upper end bounds the curve at e^epsilon, by E (W - r)^order or, for the order 0, by the Gaussian."""
        from ..threshold import gaussians
        if order == 0:
            return gaussians(self.mean, exact(epsilon))
        x = exp(exact(epsilon))
        at = x if removes else 1 / x  # H(P | Q) = E (W - x)_+, H(Q | P) = x E (1/x - W)_+
        require(at > r or at < r, "curves: r is not told from the point")
        lies_above = at > r
        distance = at - r if lies_above else r - at
        factor = (exact(Fraction(order - 1, order)) / distance) ** (order - 1) / order
        bound = factor * self.about(r, order, 0)
        if lies_above:
            bound = minimum(bound, factor * self.about(r, order, 1) / at)
        if removes:
            return bound if lies_above else 1 - x + bound
        return 1 - x + x * bound if lies_above else x * bound
