"""One run of canaries, against linear programs over all mechanisms and all ways to guess, and exact sums."""
import itertools
from fractions import Fraction
from math import comb, exp, log

import plaudit as pl
import pytest

linprog = pytest.importorskip("scipy.optimize").linprog


def most_right(m, r, v, lam, delta):
    """The greatest P(c >= v) of any randomised T in {+, -, 0}^m with r guesses that is (log lam, delta)-private."""
    coins = list(itertools.product((1, -1), repeat=m))
    guesses = [t for t in itertools.product((1, 0, -1), repeat=m) if sum(map(abs, t)) == r]
    place = {(s, t): i for i, (s, t) in enumerate(itertools.product(coins, guesses))}
    edges = [(s, s[:j] + (-s[j],) + s[j + 1:]) for s in coins for j in range(m)]
    size = len(place) + len(edges) * len(guesses)
    import numpy
    from scipy.sparse import lil_matrix
    equal = lil_matrix((len(coins), size))
    for k, s in enumerate(coins):
        for t in guesses:
            equal[k, place[s, t]] = 1
    above = lil_matrix((len(edges) * (len(guesses) + 1), size))
    limits = numpy.zeros(above.shape[0])
    row = 0
    for e, (s, other) in enumerate(edges):
        for g, t in enumerate(guesses):  # P(t | s) - lam P(t | other) <= excess
            excess = len(place) + e * len(guesses) + g
            above[row, place[s, t]], above[row, place[other, t]], above[row, excess] = 1, -lam, -1
            row += 1
        for g in range(len(guesses)):
            above[row, len(place) + e * len(guesses) + g] = 1
        limits[row] = delta
        row += 1
    gain = numpy.zeros(size)
    for (s, t), i in place.items():
        if sum(a == b for a, b in zip(s, t)) >= v:
            gain[i] = -1 / len(coins)
    found = linprog(gain, A_ub=above.tocsr(), b_ub=limits, A_eq=equal.tocsr(), b_eq=numpy.ones(len(coins)), method="highs")
    assert found.status == 0
    return -found.fun


def closed_form(m, r, v, lam, delta):
    law = [comb(r, i) * lam**i / (1 + lam)**r for i in range(r + 1)]
    beta = sum(law[v:])
    return 1 - (1 - beta) * max(0, 1 - m * delta * beta / (v * law[v]))


@pytest.mark.parametrize("m, r", [(1, 1), (2, 1), (2, 2), (3, 2), (3, 3), (4, 2), (4, 4)])
def test_no_mechanism_does_better_and_one_does_as_well(m, r):
    for lam, delta in ((1, 0.05), (3, 0.01), (1.5, 0.2), (2, 0)):
        for v in range(1, r + 1):
            assert most_right(m, r, v, lam, delta) == pytest.approx(closed_form(m, r, v, lam, delta), abs=1e-8)


def test_a_claim_of_one_line():
    """Its least bound is that of the line."""
    for delta in ("1e-3", "1e-6"):
        for m, r, v in ((50, 50, 45), (200, 30, 29)):
            seen = pl.observe_counts(f"approximate(epsilon=1, delta={delta})", design="coins", right=v, guessed=r, canaries=m)
            exactly = closed_form(m, r, v, exp(1), float(delta))
            assert exactly * (1 - 1e-9) <= seen.found.p_value <= exactly * (1 + 1e-6)


def certified(m, r, v, lines, least):
    """The bound of a certificate, by the recursion of docs/proofs/one_run.md#several-lines in exact numbers."""
    if len(lines) == 1:
        lam, delta, _ = lines[0]
        return closed_form(m, r, v, lam, delta)
    loss = Fraction(0)
    for i in range(r, 0, -1):
        left = max(Fraction(0), ((i >= v) - least + (r - i) * loss) / i)
        if left == 0 and i < v:
            loss = left
            break
        assert left <= sum(cap for _, _, cap in lines)
        loss = Fraction(0)
        for lam, _, cap in sorted(lines):
            part = min(left, cap)
            loss, left = loss + lam * part, left - part
    assert r * loss <= least
    return least + m * sum(delta * cap for _, delta, cap in lines)


@pytest.mark.parametrize("m, r, v", [(100, 100, 80), (300, 100, 90), (400, 400, 380)])
def test_the_certificate_holds_in_exact_numbers(m, r, v):
    seen = pl.observe_counts("gaussian(sigma=2)", design="coins", right=v, guessed=r, canaries=m)
    lines = [tuple(map(Fraction, line)) for line in seen.lines]
    bound = certified(m, r, v, lines, Fraction(seen.least))
    assert bound <= seen.found.p_value <= bound * (1 + 1e-9)
    for lam, delta, _ in lines:
        assert delta >= pl.delta("gaussian(sigma=2)", log(lam)).lower * (1 - 1e-9)
    assert seen.no_test_below < bound


def test_several_lines_say_more_than_one():
    """By a half of it for m = r = 100, v = 80 (the linear program of 25 lines: mu 0.56, one line: 0.49)."""
    one = closed_form(100, 100, 80, 2.0, pl.delta("gaussian(sigma=2)", log(2)).upper)
    seen = pl.observe_counts("gaussian(sigma=2)", design="coins", right=80, guessed=100, canaries=100)
    assert len(seen.lines) == 3 and seen.found.p_value < 0.8 * one


def test_numbers_of_guesses_that_the_run_chooses():
    """r in {10, 1000}: at the level of the closed form a run that chooses has more false alarms."""
    m, delta, half = 1000, Fraction(49, 100000), Fraction(1, 1)
    level = closed_form(m, 10, 10, half, delta)
    assert level == Fraction("0.0499287109375")
    v = next(v for v in range(500, 1001) if closed_form(m, 1000, v, half, delta) <= level)
    # With probability m delta / 10 ten guesses, all right; else 1000 that know nothing.
    share = m * delta / 10
    alarm = share + (1 - share) * Fraction(sum(comb(1000, i) for i in range(v, 1001)), 2**1000)
    assert abs(alarm - Fraction("0.087961852701")) < Fraction(1, 10**12)


def test_a_fixed_half_is_no_coin():
    halves = list(itertools.combinations(range(4), 2))
    assert Fraction(1, len(halves)) == Fraction(1, 6) > Fraction(1, 16)
