"""Ledgers: what they admit, against trees of adaptive choices that are enumerated; files that are shared, killed, tampered with."""
import math
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from fractions import Fraction
from functools import lru_cache

import plaudit as pl
import pytest
from plaudit._ledger.book import hash_of, text_of_body
from plaudit._ledger.budgets import budget_of, up

SLOW = bool(os.environ.get("PLAUDIT_SLOW"))


@pytest.fixture
def file(tmp_path):
    return tmp_path / "ledger.db"


# ---- What is admitted, against enumeration

def losses(epsilon):
    """[(P(o), L(o))] of randomized response."""
    p = 1 / (1 + math.exp(-epsilon))
    return [(p, epsilon), (1 - p, -epsilon)]


def worst(menu, within, eps):
    """The greatest delta(eps) of all ways to choose each step from the menu by the outcomes before, while the budget
    admits it: a menu of epsilons; `within` says whether a multiset of choices is admitted."""
    @lru_cache(None)
    def value(chosen, loss):  # E_P[(1 - e^(eps - L))_+] from here on
        best = max(0.0, 1 - math.exp(eps - loss))
        for i in range(len(menu)):
            after = tuple(n + (i == j) for j, n in enumerate(chosen))
            if within(after):
                best = max(best, sum(p * value(after, round(loss + l, 12)) for p, l in losses(menu[i])))
        return best
    return value((0,) * len(menu), 0.0)


def admits(budget, menu):
    """within(chosen) by the budget itself, in the order of the menu."""
    steps = [pl.randomized_response(epsilon=e) for e in menu]
    charges = [budget.charge(step)[0] for step in steps]

    def within(chosen):
        amounts = budget.start()
        for step, charge, count in zip(steps, charges, chosen):
            if count:
                amounts = budget.after(amounts, step.stated, count, charge)
                if amounts is None:
                    return False
        return True
    return within


MENU = ["0.3", "0.5", "0.9"]


@pytest.mark.parametrize("kind, given, rule", [
    ("gdp", "1.5", "every"), ("renyi", {4: "0.9"}, "every"), ("renyi", {2: "0.6", 8: "1"}, "every"),
    ("renyi", {2: "0.4", 8: "0.9"}, "any"), ("pair", "pure(epsilon=1.7)", "every"), ("pair", "approximate(1.1, 0.01)", "every"),
    ("pair", " * ".join(f"randomized_response(epsilon={e})^2" for e in MENU), "every")])
def test_no_adaptive_choice_exceeds_the_budget(kind, given, rule):
    budget = budget_of(kind, given, rule)
    menu = [float(e) for e in MENU]
    within = admits(budget, MENU)
    assert within((1, 0, 0)) and not within((9, 9, 9))
    for delta in (Fraction(1, 10**4), Fraction(1, 100), Fraction(1, 10)):
        epsilon = float(budget.epsilon(delta))
        found = worst(menu, within, epsilon)
        assert found <= delta * (1 + 1e-9)
    # and it is a budget that matters: at half of epsilon something exceeds delta
    assert worst(menu, within, epsilon / 2) > 0


def test_the_filter_that_goes_by_the_curve_of_the_path_is_unsafe_and_refused(file):
    """Each path has delta(1) = .1790498892, and the choice by the first outcome .2029874605."""
    first = pl.randomized_response(epsilon=0.5)
    pure, noise = pl.pure(1), pl.gaussian(sigma=1 / Fraction("1.027002074888"))
    paths = [(first * second).delta(1).upper for second in (pure, noise)]
    assert paths == pytest.approx([0.1790498892] * 2, abs=2e-10)
    # outcome of loss l, of probability p: the rest has to reach 1 - l
    chosen = sum(p * max(pure.delta(str(1 - l)).lower, noise.delta(str(1 - l)).lower) for p, l in losses(0.5))
    assert chosen == pytest.approx(0.2029874605, abs=2e-10) and chosen > max(paths) + 0.02
    with pytest.raises(pl.SpecError, match="privacy loss distribution of the path .* is unsafe"):
        pl.Ledger(file, 1, kind="pld")
    # the ledgers that exist: one that admits both ways is never claimed to be below what the choice reaches
    for kind, budget in (("gdp", "1.4"), ("renyi", {3: "1.8"}), ("pair", first * pure)):
        ledger = pl.Ledger(file.with_name(f"{kind}.db"), budget, kind=kind)
        ledger.spend(first)
        ledger.spend(pure)
        assert Fraction(ledger._budget.epsilon(Fraction("0.2029"))) > 1 or kind == "pair"
    with pytest.raises(pl.NotApplicable, match="is no step of the budget"):
        ledger.spend(noise)


def test_what_renyi_budgets_imply(file):
    mpmath = pytest.importorskip("mpmath")
    orders = {"2": "0.1", "8": "0.5", "65/2": "2"}

    def log_delta(order, eps):
        t = mpmath.mpf(Fraction(order).numerator) / Fraction(order).denominator - 1
        return t * mpmath.log(t) - (1 + t) * mpmath.log(1 + t) + t * (mpmath.mpf(orders[order]) - eps)
    with mpmath.workdps(40):
        every = budget_of("renyi", orders).epsilon(Fraction(1, 10**6))
        alone = [mpmath.findroot(lambda e, o=order: log_delta(o, e) - mpmath.log("1e-6"), 3) for order in orders]
        assert 0 <= mpmath.mpf(every) - min(alone) < mpmath.mpf("1e-15")
        any_ = mpmath.mpf(budget_of("renyi", orders, "any").epsilon(Fraction(1, 10**6)))
        total = sum(mpmath.exp(log_delta(order, any_)) for order in orders)
        assert mpmath.mpf("1e-6") * (1 - mpmath.mpf("1e-11")) < total <= mpmath.mpf("1e-6")
    for rule, kind in (("every", "renyi"), ("any", "renyi"), ("every", "gdp"), ("every", "pair")):
        path = file.with_name(f"{rule}{kind}.db")
        made = pl.Ledger(path, kind=kind, epsilon=2, delta=1e-6, orders=[16, 32], rule=rule)
        assert 2 - 1e-5 < float(made._budget.epsilon(Fraction(1, 10**6))) <= 2


@pytest.mark.parametrize("spec", ["gaussian(3)", "laplace(2)", "poisson(gaussian(1), 0.01)", "zcdp(0.1)", "tcdp(0.1, 20)",
                                  "cdp(0.1, 0.3)", "pure(1/3)", "tree(8, 2)", "discrete_gaussian(2)"])
def test_charges_are_upper_ends(spec):
    run = pl.parse(spec)
    charge, least = budget_of("renyi", {3: 1, 8: 1}).charge(run)
    assert list(charge) == ["3", "8"] and all(0 < least[order] <= charge[order] for order in charge)
    if "dp(" in spec:
        given = {name: float(value) for name, value in run.arguments.items()}
        rho = given.get("rho")
        assert float(charge["8"]) == pytest.approx(8 * rho if rho else given["mu"] + 7 * given["tau"]**2 / 2)
    else:
        assert run.renyi(8).lower <= charge["8"] <= Fraction(run.renyi(8).decimal(12)[1])


def test_charges_of_mu_are_upper_ends():
    mpmath = pytest.importorskip("mpmath")
    with mpmath.workdps(40):  # the tests of a pure mechanism are best at 1 / (1 + e^epsilon)
        mu = 2 * mpmath.sqrt(2) * mpmath.erfinv(2 / (1 + mpmath.exp(-1)) - 1)
        charge, least = (ends["mu^2"] for ends in budget_of("gdp", 1).charge(pl.pure(1)))
        assert least <= Fraction(str(mu * mu)) <= charge < least + Fraction(1, 10**8)


def test_numbers_are_exact_and_long_ones_rounded_up(file):
    ledger = pl.Ledger(file, 1, kind="gdp")
    for _ in range(8):
        ledger.spend("gaussian(3)")
    ledger.spend(pl.gaussian("30")**99)
    assert ledger.remaining() == {"mu^2": Fraction(1, 900)}
    ledger.spend("gaussian(30)")
    assert ledger.remaining() == {"mu^2": 0}
    with pytest.raises(pl.BudgetExceeded, match="0 of mu.2 is left and 1e-12 is needed; nothing was spent"):
        ledger.spend("gaussian(1000000)")
    assert ledger.verify() == 10
    x = Fraction(0)
    for n in range(1, 400):
        before, x = x + Fraction(1, n * n + 1), up(x + Fraction(1, n * n + 1))
        assert 0 <= x - before < Fraction(1, 10**59) and x.denominator.bit_length() <= 256


def test_of_several_orders_one_is_enough_under_any(file):
    ledger = pl.Ledger(file, {2: 1, 64: 1}, kind="renyi", rule="any")
    ledger.spend("tcdp(rho=0.1, omega=8)")  # infinite at 64
    assert list(ledger.remaining()) == ["2"]
    with pytest.raises(pl.BudgetExceeded):
        ledger.spend("tcdp(rho=0.5, omega=8)")
    ledger.verify()
    every = pl.Ledger(file.with_name("every.db"), {2: 1, 64: 1}, kind="renyi")
    with pytest.raises(pl.NotApplicable, match="order 64 is infinite"):
        every.spend("tcdp(rho=0.1, omega=8)")


def test_a_pair_is_spent_in_any_order_and_has_a_reserve(file):
    ledger = pl.Ledger(file, "poisson(gaussian(0.8), 1/250)^1000 * laplace(3)^2 * approximate(1, 1e-6)", kind="pair")
    ledger.spend("laplace(3)^2 * poisson(gaussian(0.8), 0.004)^600")
    ledger.spend("laplace(3)^2")
    ledger.spend("approximate(1/3, 5e-7)")
    assert ledger.remaining() == {"poisson(gaussian(sigma=0.8), rate=0.004)": 400, "epsilon": 0, "delta": Fraction("5e-7")}
    for spec, error in (("poisson(gaussian(0.8), 0.004)^401", pl.BudgetExceeded), ("laplace(3)", pl.BudgetExceeded),
                        ("gaussian(9)", pl.NotApplicable), ("zcdp(0.1)", pl.NotApplicable)):
        with pytest.raises(error):
            ledger.spend(spec)
    assert ledger.run() == pl.parse("laplace(3)^4 * poisson(gaussian(0.8), 0.004)^600 * approximate(1/3, 5e-7)") or \
        ledger.run().epsilon(1e-5).upper > 0
    assert ledger.verify() == 3


# ---- Refusals

def test_other_neighbours_are_refused(file):
    ledger = pl.Ledger(file, 9, kind="gdp")
    pairs = pl.Ledger(file.with_name("pairs.db"), 9, kind="gdp", adjacency="replace", group_size=2)
    for one, spec in ((ledger, "poisson(gaussian(1), 0.1, adjacency=replace)"), (ledger, "group(gaussian(1), 2)"),
                      (pairs, "poisson(gaussian(1), 0.1)"), (pairs, "group(gaussian(1), 3)")):
        with pytest.raises(pl.SpecError, match="the ledger is for"):
            one.spend(spec)
    with pytest.raises(pl.SpecError, match="no privacy guarantee"):
        ledger.spend("pair(without_replacement, sigma=2, rate=0.01)")
    assert pairs.spend("group(gaussian(1), 2) * gaussian(1)").charge == {"mu^2": 5}


def test_laws_that_may_change_under_their_spec_are_refused(file):
    class Changing(pl.Mechanism):
        """Randomized response, until it is defined anew."""
        name, parameters = "changing_response", {"e": "positive"}
        example = "changing_response(e=1)"

        def p_above(self, x):
            return 1 if x < -self.e else 0 if x >= self.e else 1 / (1 + pl.balls.exp(-pl.Interval(self.e)))

        def q_above(self, x):
            return 1 if x < -self.e else 0 if x >= self.e else 1 / (1 + pl.balls.exp(pl.Interval(self.e)))
    run = pl.register(Changing)(e=1)
    ledger = pl.Ledger(file, {8: 9}, kind="renyi")
    with pytest.raises(pl.SpecError, match="law of changing_response may be another one under the same spec"):
        ledger.spend(run * pl.gaussian(9))
    with pytest.raises(pl.SpecError, match="changing_response may be"):
        pl.Ledger(file.with_name("pair.db"), run**3, kind="pair")
    with pytest.raises(pl.SpecError, match="is for replace"):
        pl.Ledger(file.with_name("pairs.db"), "poisson(gaussian(1), 0.1, adjacency=replace)", kind="pair")


@pytest.mark.parametrize("given, words", [
    ({}, "no file"), ({"kind": "gdp"}, "is needed, not both"), ({"kind": "gdp", "budget": 1, "epsilon": 1}, "not both"),
    ({"kind": "pld", "budget": 1}, "no other filter is proven"), ({"kind": "gdp", "budget": 0}, "above 0"),
    ({"kind": "gdp", "budget": "x"}, "budget: must be a number"), ({"kind": "gdp", "budget": float("nan")}, "finite"),
    ({"kind": "renyi", "budget": 1}, "a budget for each order"), ({"kind": "renyi", "budget": {}}, "a budget for each order"),
    ({"kind": "renyi", "budget": {1: 1}}, "order: must be above 1"), ({"kind": "renyi", "budget": {2: 1, "2.0": 1}}, "twice"),
    ({"kind": "renyi", "budget": {2: 1}, "rule": "some"}, "rule"), ({"kind": "renyi", "epsilon": 1, "delta": 1e-5}, "orders"),
    ({"kind": "renyi", "epsilon": 1, "delta": 1e-5, "orders": [2]}, "2 is too small"), ({"kind": "pair", "budget": 1}, "composition"),
    ({"kind": "pair", "budget": "gausian(1)"}, "gausian"), ({"kind": "gdp", "epsilon": 1}, "delta"),
    ({"kind": "gdp", "epsilon": 1, "delta": 1}, "delta: must be below 1"), ({"kind": "gdp", "budget": 1, "adjacency": "some"}, "adjacency"),
    ({"kind": "gdp", "budget": 1, "group_size": 0}, "group_size"), ({"kind": "gdp", "budget": 1, "nested": [(1, 1e-6)]}, "delta is needed"),
    ({"kind": "renyi", "budget": {2: 1}, "nested": [({3: 1}, 1e-6)], "delta": 1e-5}, "nested")])
def test_bad_budgets(file, given, words):
    with pytest.raises(pl.SpecError, match=words):
        pl.Ledger(file, given.pop("budget", None), **given)
    assert not file.exists()


def test_bad_steps(file):
    ledger = pl.Ledger(file, 1, kind="gdp")
    for step, error, words in ((3, pl.SpecError, "must be a composition"), ("gausian(1)", pl.SpecError, "gausian"),
                               ("approximate(1, 1e-5)", pl.NotApplicable, "no mu"), ("zcdp(1)", pl.NotApplicable, "no mu")):
        with pytest.raises(error, match=words):
            ledger.spend(step)
    for words, call in (("several", lambda: ledger.spend_all("gaussian(9)")), ("2 are needed", lambda: ledger.spend_all(
            ["gaussian(9)"] * 2, names=["a"])), ("name: must", lambda: ledger.spend("gaussian(9)", name=3)),
                        ("delta is needed", ledger.statement), ("delta: must be above 0", lambda: ledger.statement(0))):
        with pytest.raises(pl.SpecError, match=words):
            call()
    assert ledger.remaining() == {"mu^2": 1} and not list(ledger.log())


def test_all_of_many_or_none(file):
    ledger = pl.Ledger(file, 1, kind="gdp")
    with pytest.raises(pl.BudgetExceeded):
        ledger.spend_all(["gaussian(2)"] * 5)
    assert [entry.number for entry in ledger.spend_all(["gaussian(2)"] * 4, names="abcd")] == [1, 2, 3, 4]
    assert ledger.remaining() == {"mu^2": 0}


def test_a_name_is_spent_once(file):
    ledger = pl.Ledger(file, 1, kind="gdp")
    ledger.spend("gaussian(2)", name="job 7")
    again = pl.Ledger(file)
    with pytest.raises(pl.BudgetExceeded, match="job 7: there is an entry of this name"):
        again.spend("gaussian(2)", name="job 7")
    assert ledger.remaining() == {"mu^2": Fraction(3, 4)}


def test_a_file_is_opened_with_the_same_budget_or_none(file):
    pl.Ledger(file, 1, kind="gdp", delta=1e-5).spend("gaussian(2)")
    assert pl.Ledger(file, "1.0", kind="gdp", delta="1e-5").remaining() == pl.Ledger(file).remaining()
    with pytest.raises(pl.SpecError, match="was begun otherwise"):
        pl.Ledger(file, 2, kind="gdp", delta=1e-5)
    other = file.with_name("other.db")
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE things (x)")
    with pytest.raises(pl.SpecError, match="is no ledger"):
        pl.Ledger(other, 1, kind="gdp")
    with pytest.raises(OSError, match="unable to open"):
        pl.Ledger(file.with_name("no folder") / "x.db", 1, kind="gdp")
    file.with_name("text.db").write_text("no database" * 100)
    with pytest.raises(pl.LedgerBroken):
        pl.Ledger(file.with_name("text.db"))


# ---- Statements

def test_statements(file):
    ledger = pl.Ledger(file, {8: 1}, kind="renyi", delta=1e-6, nested=[({8: "0.1"}, 1e-7), ({8: "0.5"}, 1e-7)])
    first = ledger.statement().replace("\n    ", " ")
    assert "(i)" in first and "(ii)" not in first and "(iii)" in first and "Of 3 budgets, 0 are exceeded" in first
    assert "satisfy less than (i)" in first and "add up, 0.0000012" in first
    ledger.spend("gaussian(5)")
    text = ledger.statement(fixed_in_advance=True).replace("\n    ", " ")
    assert "1 are exceeded" in text and "(ii)" in text and "entries: 1;" in text and ledger.head in text
    assert f"epsilon <= {pl.gaussian(5).epsilon(1e-6).decimal(17)[1]} at" in text
    at_all_times = float(text.split("now ")[1].split(". ")[0])
    assert at_all_times == pytest.approx(8 / 50 + math.log(1e6) / 7, rel=1e-5)
    two = pl.Ledger(file.with_name("two.db"), {8: 1, 16: 2}, kind="renyi", delta=1e-6)  # each order has half of delta
    two.spend("gaussian(5)")
    assert float(two.statement().replace("\n    ", " ").split("now ")[1].split(". ")[0]) == pytest.approx(16 / 50 + math.log(2e6) / 15, rel=1e-5)
    assert "(iii)" not in pl.Ledger(file.with_name("gdp.db"), 1, kind="gdp", delta=1e-6).statement()
    assert ledger.verify() == 1 and pl.Ledger(file).statement(delta="1e-6") == ledger.statement()


# ---- Files

def tampered(file, change):
    """The rows after a change of the list [(number, body, hash)], in a file without guards."""
    pl.Ledger(file).close()
    connection = sqlite3.connect(file)
    rows = connection.execute("SELECT * FROM entries ORDER BY number").fetchall()
    connection.execute("DROP TRIGGER IF EXISTS no_change")
    connection.execute("DROP TRIGGER IF EXISTS no_loss")
    connection.execute("DELETE FROM entries")
    connection.executemany("INSERT INTO entries VALUES (?, ?, ?)", change(rows))
    connection.commit()
    connection.close()


def rehashed(rows):
    done, before = [], "0" * 64
    for number, body, _ in rows:
        before = hash_of(before, body)
        done.append((number, body, before))
    return done


def replaced(old, new, at):
    return lambda rows: [(n, body.replace(old, new) if n == at else body, h) for n, body, h in rows]


@pytest.mark.parametrize("change, words", [
    (replaced('"1/900"', '"1/901"', 2), "entry 2: its hash does not fit"), (replaced('"mu":"1"', '"mu":"2"', 0), "entry 0: its hash"),
    (lambda rows: rows[:2] + rows[3:], "entry 2: is missing"), (lambda rows: rows[1:], "entry 0: is missing"),
    (lambda rows: rows[:1] + [(1, *rows[2][1:]), (2, *rows[1][1:])] + rows[3:], "entry 1: its hash"),
    (lambda rows: rehashed(replaced('"1/900"', '"1/901"', 2)(rows)), "entry 2: its sum"),
    (lambda rows: rehashed(replaced('"1/900"', '"-1/900"', 2)(rows)), "entry 2: a charge is negative"),
    (lambda rows: rehashed(replaced(',1,{', ',9000,{', 2)(rows)), "entry 2: .*needed"),
    (lambda rows: rehashed(replaced('"steps"', '"stops"', 2)(rows)), "entry 2"),
    (lambda rows: rehashed(replaced('{', '[', 2)(rows)), "entry 2"),
    (lambda rows: rehashed(replaced(',1,{', ',0.5,{', 2)(rows)), "a count is none"),
    (lambda rows: rehashed(replaced('{"mu^2":"1/900"}', '[]', 2)(rows)), "entry 2"),
    (lambda rows: rehashed(replaced('"format":1', '"format":2', 0)(rows)), "entry 0: is of the format 2"),
    (lambda rows: rehashed(replaced('"name":null', '"name":"a"', 2)(replaced('"name":null', '"name":"a"', 1)(rows))), "name is taken")])
def test_what_was_changed_is_found_when_the_file_is_opened(file, change, words):
    ledger = pl.Ledger(file, 1, kind="gdp")
    ledger.spend_all(["gaussian(30)"] * 4)
    head = ledger.head
    ledger.close()
    tampered(file, change)
    with pytest.raises(pl.LedgerBroken, match=words):
        pl.Ledger(file)
    assert len(head) == 64


def test_what_the_chain_cannot_see_is_found_by_a_hash_that_was_kept_or_by_charges(file):
    ledger = pl.Ledger(file, 1, kind="gdp")
    ledger.spend_all(["gaussian(30)"] * 4)
    head = ledger.head
    ledger.spend("gaussian(30)")
    assert ledger.verify(head) == 5
    tampered(file, lambda rows: rows[:4])
    with pytest.raises(pl.LedgerBroken, match="entry 5: was there, and is no more"):
        ledger.spend("gaussian(30)")
    cut = pl.Ledger(file)
    assert cut.verify() == 3
    other = pl.Ledger(file)
    tampered(file, lambda rows: rehashed([(n, body.replace('"name":null', '"name":"x"') if n == 3 else body, h) for n, body, h in rows]))
    with pytest.raises(pl.LedgerBroken, match="entry 3: is another one than was read before"):
        other.spend("gaussian(30)")
    with pytest.raises(pl.LedgerBroken, match="entry 3: is another one than was read before"):
        cut.verify(head)
    cut.close()
    with pytest.raises(pl.LedgerBroken, match="no entry has the hash"):
        pl.Ledger(file).verify(head)
    tampered(file, lambda rows: rehashed([(n, body.replace("1/900", "1/901").replace("1/450", "2/901").replace("1/300", "3/901"), h)
                                          for n, body, h in rows]))
    with pytest.raises(pl.LedgerBroken, match="entry 1: gaussian.sigma=30. is charged less than it costs"):
        pl.Ledger(file).verify()
    assert pl.Ledger(file).verify(charges=False) == 3


def test_an_open_ledger_finds_that_entries_were_cut_off_and_admits_nothing_more(file):
    ledger = pl.Ledger(file, 1, kind="gdp", delta=1e-5)
    for _ in range(4):
        ledger.spend("gaussian(sigma=2)")
    other = sqlite3.connect(file)
    other.execute("DROP TRIGGER no_loss")
    other.execute("DELETE FROM entries WHERE number > 2")
    other.commit()
    for _ in range(2):
        with pytest.raises(pl.LedgerBroken, match="was there"):
            ledger.verify()
        with pytest.raises(pl.LedgerBroken, match="was there"):
            ledger.spend("gaussian(sigma=2)")


def test_what_a_file_was_begun_with_is_not_ignored_when_it_is_opened(file):
    pl.Ledger(file, 1, kind="gdp", delta="1e-5", nested=[("0.9", "1e-6"), ("0.1", "1e-6")]).spend("gaussian(sigma=2)")
    for given, words in (({"adjacency": "replace"}, "add_remove"), ({"group_size": 5}, "groups of 1"), ({"delta": 1e-6}, "delta"),
                         ({"nested": [("0.5", "1e-6")]}, "nested")):
        with pytest.raises(pl.SpecError, match=words):
            pl.Ledger(file, **given)
    ledger = pl.Ledger(file, delta=1e-5)
    statement = " ".join(ledger.statement().split())
    assert f"Of 3 budgets, 1 are exceeded; the next one is {ledger._budget}: " in statement
    ledger.close()
    with pytest.raises(pl.SpecError, match="closed"):
        ledger.remaining()


def test_entries_stay(file):
    pl.Ledger(file, 1, kind="gdp").spend("gaussian(2)")
    connection = sqlite3.connect(file)
    for words in ("UPDATE entries SET body = ''", "DELETE FROM entries"):
        with pytest.raises(sqlite3.IntegrityError, match="entries stay"):
            connection.execute(words)


def test_broken_bytes_change_no_entry_unseen(file):
    ledger = pl.Ledger(file, 1, kind="gdp")
    ledger.spend_all(["gaussian(40)"] * 300)
    good = list(ledger.log())
    ledger.close()
    whole, draw, found = file.read_bytes(), random.Random(1), 0
    for _ in range(300 if SLOW else 40):
        where = draw.randrange(len(whole))
        file.write_bytes(whole[:where] + bytes([whole[where] ^ (1 << draw.randrange(8))]) + whole[where + 1:])
        for rest in ("-wal", "-shm"):
            file.with_name(file.name + rest).unlink(missing_ok=True)
        try:
            opened = pl.Ledger(file)
            assert list(opened.log()) == good  # a byte that no entry has
            opened.close()
        except (pl.LedgerBroken, pl.SpecError, OSError):
            found += 1
    assert found > 0


# ---- Processes

def forked(work):
    child = os.fork()
    if child == 0:
        try:
            work()
            os._exit(0)
        except BaseException as error:  # pylint: disable=broad-except
            sys.stderr.write(f"{type(error).__name__}: {error}\n")
            os._exit(1)
    return child


def test_two_writers_use_up_a_budget_exactly(file):
    def work():
        ledger = pl.Ledger(file, 1, kind="gdp", durable=False)
        try:
            while True:
                ledger.spend("gaussian(20)")
        except pl.BudgetExceeded:
            return
    children = [forked(work) for _ in range(3)]  # each begins the file, or finds it begun
    assert [os.waitpid(child, 0)[1] for child in children] == [0, 0, 0]
    ledger = pl.Ledger(file)
    assert ledger.verify() == 400 and ledger.remaining() == {"mu^2": 0}
    assert [entry.number for entry in ledger.log()] == list(range(1, 401))


def test_many_processes_begin_one_file(tmp_path):
    for i in range(20):
        def begin(i=i):
            pl.Ledger(tmp_path / f"{i}.db", 1, kind="gdp", durable=False).spend("gaussian(20)")
        children = [forked(begin) for _ in range(6)]
        assert [os.waitpid(child, 0)[1] for child in children] == [0] * 6
        assert pl.Ledger(tmp_path / f"{i}.db").verify() == 6


def test_a_ledger_is_of_the_process_that_opened_it(file):
    ledger = pl.Ledger(file, 1, kind="gdp")

    def work():
        with pytest.raises(pl.SpecError, match="each process opens it for itself"):
            ledger.spend("gaussian(20)")
    assert os.waitpid(forked(work), 0)[1] == 0


@pytest.mark.parametrize("statement, kept", [("INSERT", 0), ("COMMIT", 0), ("after COMMIT", 1)])
def test_killed_inside_of_a_transaction(file, statement, kept):
    pl.Ledger(file, 1, kind="gdp").close()

    def work():
        ledger = pl.Ledger(file)

        def look(text):
            if text.startswith(statement):
                os.kill(os.getpid(), signal.SIGKILL)
        ledger._book._file.set_trace_callback(look)
        ledger.spend("gaussian(2)")
        os.kill(os.getpid(), signal.SIGKILL)
    assert os.waitpid(forked(work), 0)[1] == signal.SIGKILL
    ledger = pl.Ledger(file)
    assert ledger.verify() == kept and ledger.remaining() == {"mu^2": 1 - Fraction(kept, 4)}
    assert ledger.spend("gaussian(2)").number == kept + 1


def test_killed_at_any_moment_nothing_is_lost_and_nothing_spent_twice(file):
    """Two writers at a time, both killed; each tells of what it was told to be admitted. What is written is that, and at
    most one more entry for each that was killed, of which it could not tell any more."""
    pl.Ledger(file, 100, kind="gdp").close()
    draw, told, killed = random.Random(7), 0, 0
    for _ in range(50 if SLOW else 5):
        pipes = []
        for durable in (False, True):
            reading, writing = os.pipe()

            def work(writing=writing, durable=durable):
                ledger = pl.Ledger(file, durable=durable)
                while True:
                    ledger.spend("gaussian(30)")
                    os.write(writing, b".")
            pipes.append((forked(work), reading))
            os.close(writing)
        for child, _ in pipes:
            time.sleep(draw.uniform(0, 0.3))
            os.kill(child, signal.SIGKILL)
            assert os.waitpid(child, 0)[1] == signal.SIGKILL
            killed += 1
        for _, reading in pipes:
            while True:
                some = os.read(reading, 65536)
                if not some:
                    break
                told += len(some)
            os.close(reading)
    ledger = pl.Ledger(file)
    entries = ledger.verify()
    print(f"{killed} killed, {told} told, {entries} entries")
    assert told <= entries <= told + killed
    assert ledger.remaining() == {"mu^2": 10000 - Fraction(entries, 900)}


def test_spends_per_minute(file):
    """10^5 a minute; here few, of which the time is only printed unless asked for."""
    ledger, many = pl.Ledger(file, 10**4, kind="gdp", durable=False), 100_000 if SLOW else 500
    run, start, processor = pl.gaussian(30), time.monotonic(), time.process_time()
    for _ in range(many):
        ledger.spend(run)
    seconds = time.monotonic() - start
    print(f"{many} in {seconds:.2f} s")
    assert ledger.remaining() == {"mu^2": 10**8 - Fraction(many, 900)}
    assert not SLOW or time.process_time() - processor < 60


# ---- The command line

def command(*words):
    done = subprocess.run([sys.executable, "-m", "plaudit", "ledger", *map(str, words)], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def test_the_command_line(file):
    assert command("create", file, "--kind", "renyi", "--order", "8=1", "--order", "16=2.5", "--delta", "1e-6")[0] == 0
    status, out, _ = command("spend", file, "gaussian(4)", "--name", "first")
    assert status == 0 and '"name": "first"' in out and '"8": "1/4"' in out
    assert command("remaining", file)[1] == '{"8": "0.75", "16": "2"}\n'
    assert command("spend", file, "gaussian(1)")[::2] == (1, "plaudit ledger: gaussian(sigma=1): 0.75 of 8 is left and 4 is needed, "
                                                          "2 of 16 is left and 8 is needed; nothing was spent\n")
    assert "(iii)" in command("statement", file, "--fixed-in-advance")[1] and len(command("log", file)[1].splitlines()) == 1
    assert command("verify", file)[1].startswith("1 entries, all of which fit")
    assert command("verify", file, "--head", "ab")[0] == 1
    for words in (("spend", file.with_name("none.db"), "gaussian(1)"), ("spend", file, "gausian(1)"), ("create", file, "--kind", "gdp"),
                  ("create", file, "--kind", "renyi", "--order", "8"), ("wend", file)):
        assert command(*words)[0] == 2, words


def test_bodies_are_canonical():
    assert text_of_body({"b": 1, "a": "x"}) == '{"a":"x","b":1}'
