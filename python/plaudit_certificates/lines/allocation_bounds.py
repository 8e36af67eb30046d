"""Elementary bounds of moments of random allocation: docs/proofs/random_allocation.md#elementary."""
from ..arithmetic.clock import require, watched
from ..arithmetic.intervals import exact, exp, log, minimum

HIGHEST_INTEGER_ORDER = 1000  # from there on the moments of one draw bound those of the mean


def log_integer_moments(squared_rate, draws, m):
    """log A(m - 1) and log A(m), m >= 1: A(n) = n! t^-n g_n, where g is the power t of the series of the f_k."""
    f, factorial = [], exact(1)
    for k in range(m + 1):
        factorial = factorial * max(k, 1)
        f.append(exp(exact(squared_rate * k * (k - 1) / 2)) / factorial)
    g = [exact(1)]
    for n in watched(range(1, m + 1)):
        g.append(sum((f[k] * g[n - k] * (k * (draws + 1) - n) for k in range(1, n + 1)), exact(0)) / n)

    def log_moment(n, n_factorial):
        require(g[n] > 0, "needs more bits for a moment of random allocation")
        return log(n_factorial * g[n]) - log(exact(draws)) * n
    return log_moment(m - 1, factorial / m), log_moment(m, factorial)


def log_moment_bound(squared_rate, draws, r):
    """An upper bound of log A(r)."""
    one_draw = exact(squared_rate) * r * (r - 1) / 2
    if draws == 1:
        return one_draw
    if r <= 0:
        return exact(squared_rate) * -r / 2 + exact(squared_rate) * r * r / (2 * draws)
    require(r >= 0, "the sign of an order is not decided")
    if r <= 1:
        return exact(0)
    require(r >= 1, "an order next to 1 is not decided")
    least = r.lower()
    floor = least.numerator // least.denominator
    if floor >= HIGHEST_INTEGER_ORDER:
        return one_draw
    m = floor + 1
    require(r <= m, "an order next to an integer is not decided")
    below, above = log_integer_moments(squared_rate, draws, m)
    # log A is convex, so that it lies below its chord
    return minimum(below * (m - r) + above * (r - (m - 1)), one_draw)
