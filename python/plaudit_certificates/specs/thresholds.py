"""Mechanisms whose curve is that of whichever of several cases is the worst: noisy counts behind a threshold, a release behind a
test. docs/proofs/thresholds.md; certificates bound their curves at points (stated_points.py)."""
from fractions import Fraction

from ..arithmetic.clock import require
from ..arithmetic.real import bits_now, exact, exp, expm1, log, maximum, sqrt
from ..arithmetic.special import normal_tail
from ..laws.laws import Gaussian, Laplace
from .grammar import printed
from .mechanism import ADD_REMOVE, ONE, Adjacency, Mechanism
from .reader import shown
from .stated_points import stated_laws

MOST_GROUPS = 100
OPERATIONS_OF_CASE = 2000


def gaussian_threshold(arguments):
    """docs/proofs/thresholds.md#gaussian: the worst number of groups that nobody else is in."""
    from ..threshold import gaussians
    by_variance = arguments.given("variance")
    require(not (by_variance and arguments.given("sigma")), "gaussian_threshold: sigma is given twice")
    given = arguments.variance() if by_variance else arguments.positive("sigma")
    variance, threshold = (given if by_variance else given * given), arguments.number("threshold")
    groups = arguments.count("groups", MOST_GROUPS, ONE)
    spec = f"gaussian_threshold({'variance' if by_variance else 'sigma'}={printed(given)}, threshold={printed(threshold)}"
    spec += ("" if groups == 1 else f", groups={groups}") + ")"

    known = {}

    def curve(removes, epsilon):
        if bits_now() not in known:
            known[bits_now()] = log(normal_tail(exact(1 - threshold) / sqrt(exact(variance))))
        unseen = known[bits_now()]
        greatest = exact(0)
        for fresh in range(groups + 1):
            log_w = unseen * fresh
            place = exact(epsilon) - log_w if removes else exact(epsilon) + log_w
            old = maximum(-expm1(place), 0) if fresh == groups else gaussians(Fraction(groups - fresh) / (2 * variance), place)
            greatest = maximum(greatest, exp(log_w) * old - expm1(log_w) if removes else old)
        return greatest
    return Mechanism(spec, stated_laws(arguments, spec, False, OPERATIONS_OF_CASE * (groups + 1), curve), False, ADD_REMOVE)


def gaussian_and_laplace(mu, a, epsilon):
    """docs/proofs/roots.md#gaussian-sum: Gaussian noise of this mean of the loss and Laplace noise of this ratio at once."""
    deviation = sqrt(exact(2 * mu))

    def above(x):  # the tail of the normal distribution at x / deviation
        return normal_tail(exact(x) / deviation)
    outside = abs(epsilon)
    between = above(outside - a) - above(outside + a)

    def side(x):
        return exp(exact((x - a) / 2 - mu / 4)) * between / 2
    p = above(epsilon - mu - a) - side(epsilon)
    q = above(epsilon + mu + a) + side(-epsilon)
    return p - exp(exact(epsilon)) * q


def two_laplace(a, b, epsilon):
    """docs/proofs/thresholds.md#two-laplace: the mean over the loss l of the one noise of the other one's curve at epsilon - l."""
    from ..threshold import laplace
    total = (laplace(exact(b), exact(epsilon - a)) + exp(exact(-a)) * laplace(exact(b), exact(epsilon + a))) / 2
    begin, end = (min(max(x, -a), a) for x in (epsilon - b, epsilon + b))

    def root(x):
        return exp(exact(x / 2))
    # the density is e^((l - a)/2) / 4, times 1 - e^((epsilon - l - b)/2) from begin to end, times 1 - e^(epsilon - l) from there on
    total += (root(end - a) - root(begin - a)) / 2 - root(epsilon - a - b) * (end - begin) / 4
    return total + (1 - root(end - a)) / 2 - exp(exact(epsilon)) * (root(-end - a) - root(-2 * a)) / 2


def propose_test_release(arguments):
    """docs/proofs/thresholds.md#propose"""
    released, scale, miss = arguments.typed("mechanism", Mechanism), arguments.positive("scale"), arguments.number("miss")
    require(0 <= miss < 1, "propose_test_release: miss must lie in [0, 1)")
    law = released.law(True)
    require(type(law) in (Gaussian, Laplace) and released.alike and released.adjacency.same(Adjacency()),
            f"propose_test_release: not over {shown(released.spec)}")
    spec = f"propose_test_release({released.spec}, scale={printed(scale)}, miss={printed(miss)})"
    if miss == 0:  # both at once
        return Mechanism(spec, lambda _: law, True, beside=Laplace(1 / scale))

    def curve(_, epsilon):
        both = (gaussian_and_laplace(law.mu, 1 / scale, epsilon) if type(law) is Gaussian else
                two_laplace(law.a, 1 / scale, epsilon))
        return maximum(both, exact(miss))
    return Mechanism(spec, stated_laws(arguments, spec, True, OPERATIONS_OF_CASE, curve), True)
