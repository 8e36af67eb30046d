"""Kind `laplace`: n-fold Laplace noise of one ratio, exactly: a finite sum with integer coefficients.

Theorems and choices: docs/certificates/laplace.md.
"""
from fractions import Fraction
from math import ceil

from . import costs
from .arithmetic.intervals import bits_now, exact, exp, hull, log, log1p, log_c, look, minimum, require, top, watched
from .laws.laws import Laplace

MOST_STEPS = 1_000_000


def prove(choices, run, epsilon, budget):
    draws = choices.integer("draws", 1, MOST_STEPS)
    first = choices.integer("first", 0, MOST_STEPS)
    order, window_order, part = (choices.dyadic(name) for name in ("order", "window_order", "part"))
    choices.done()
    require(all(type(law) is Laplace and law.a == run.factors[0][0].a for law, _ in run.factors),
            "not Laplace noise of one ratio")
    a = run.factors[0][0].a
    n = sum(count for _, count in run.factors)
    require(draws <= n <= MOST_STEPS and first <= n, "draws or steps out of range")
    require(epsilon < n * a, "epsilon is beyond the greatest loss")
    value = total(a, n, epsilon, draws, first, budget)
    truncation = exact(0) if draws == n else more_draws(exact(a), n, exact(epsilon), draws, order)
    window = exact(0) if first == 0 else rows_before(exact(a), n, exact(epsilon), draws, first, window_order, part)
    return value - window, value + window + truncation, {"truncation": truncation, "window": window}


def total(a, n, epsilon, draws, first, budget):
    """2^(1-n) e^((eps-na)/2) sum over k >= first with x_k > 0 of C(n,k) sum_(j>=1) K_(k,j) (x_k/2)^j / j!."""
    end = min(n + 1, ceil((n - epsilon / a) / 2))  # x_k > 0 for k < end
    bits, size = bits_now(), min(n, draws * n.bit_length())  # |kappa_m| <= C(n, m) <= min(2^n, n^m)
    budget.announce(costs.laplace(a, n, draws, first, epsilon, bits))
    budget.hold(2 * draws, size)
    choose = 1
    for k in watched(range(first)):
        choose = choose * (n - k) // (k + 1)
    row = coefficients(n, first, draws)
    low = high = 0
    for k in range(first, end):
        half = (a * (n - 2 * k) - epsilon) / 2
        part_low, part_high = inner(row, half, bits)
        low, high = low + choose * part_low, high + choose * part_high
        choose = choose * (n - k) // (k + 1)
        advance(row)
    unit = Fraction(1, 1 << (n + bits - 1))  # the sums count 2^-bits, and the front factor has 2^(1-n)
    return hull(low * unit, high * unit) * exp(exact((epsilon - n * a) / 2))


def coefficients(n, k, draws):
    """K_(k,j), j = 0 .. draws + 1: K_j = K_(j-2) + kappa_(j-1), sum kappa_m x^m = (1+x)^(n-k) (1-x)^k."""
    kappa = [1]
    for m in watched(range(draws)):
        following = (n - 2 * k) * kappa[m] - (kappa[m - 1] * (n - m + 1) if m else 0)
        kappa.append(following // (m + 1))
    row = [0] * (draws + 2)
    for j in watched(range(1, draws + 2)):
        row[j] = kappa[j - 1] + (row[j - 2] if j > 1 else 0)
    return row


def advance(row):
    """From k to k + 1: times (1-x) / (1+x)."""
    for j in watched(range(len(row) - 1, 0, -1)):
        row[j] -= row[j - 1]
    for j in watched(range(1, len(row))):
        row[j] -= row[j - 1]


def inner(row, half, bits):
    """Integers around 2^bits sum_(j>=1) K_j half^j / j!, K_j = K_(j-2) beyond the row, half > 0 exact.

    u_j = 2^bits half^j / j! lies in [low, high]: floors and ceilings of products of nonnegative integers. Beyond the row
    |K_j| <= `largest`.
    """
    one = 1 << bits
    h_low = half.numerator * one // half.denominator
    h_high = h_low + 1
    low = high = one
    total_low = total_high = 0
    last, j = len(row) - 1, 0
    largest = max(abs(row[last]), abs(row[last - 1]))
    while True:
        look()
        j += 1
        low = low * h_low // (j * one)
        high = -(-high * h_high // (j * one))
        c = row[j] if j <= last else row[last - (j - last) % 2]
        if c >= 0:
            total_low, total_high = total_low + c * low, total_high + c * high
        else:
            total_low, total_high = total_low + c * high, total_high + c * low
        # once the ratios half / (j+1) are below 1/2, what is left is at most u_j in all
        if j >= last and 2 * h_high < (j + 1) * one and high <= 2:
            return total_low - largest * high, total_high + largest * high


def entropy(x, p, rest):
    """KL(x || p) = x log(x/p) + (1-x) log((1-x)/(1-p)), rest = 1 - p, x a Fraction in [0, 1)."""
    left = exact(0) if x == 0 else x * log(x / p)
    return left + (1 - x) * log((1 - x) / rest)


def more_draws(a, n, eps, draws, order):
    """[Truncation] bounds the compositions with more than `draws` continuous draws."""
    require(order > 0, "the order must be positive")
    t = exact(order)
    v = 2 * t + 1
    moment = (exp(a * t) * (1 + 1 / v) + exp(-(a * (1 + t))) * (1 - 1 / v)) / 2
    atoms = (exp(a * t) + exp(-(a * (1 + t)))) / (2 * moment)
    p, x = 1 - atoms, Fraction(draws + 1, n)
    require(p > 0 and p < exact(x) and x < 1, "the order does not bound the draws left out")
    return top(minimum(exp(log_c(t) + n * (log(moment) - entropy(x, p, atoms)) - t * eps), 1))


def rows_before(a, n, eps, draws, first, order, part):
    """[Window] bounds the terms k < first."""
    require(order > 0 and 0 < part * (1 + 2 * order) <= 1, "the orders of the window")
    s, y = exact(order), exact(1 / (1 + 2 * order))
    alpha = (exp(a * s) + exp(-(a * (1 + s)))) / 2
    q = exp(-(a * (1 + s))) / (2 * alpha)
    x = Fraction(first - 1, n)
    require(exact(x) < q, "the window starts too late for its order")
    spread = draws * log(y / part) + n * log1p(exact(part))
    return top(exp(log_c(s) - s * eps + n * (log(alpha) - entropy(x, q, 1 - q)) + spread))
