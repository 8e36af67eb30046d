"""A budget that is spent step by step: what is admitted, what is left, and what may be claimed."""
from __future__ import annotations

import json
import os
from collections import Counter
from datetime import datetime, timezone
from fractions import Fraction
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Set, Tuple, Union

from .. import _core
from .._composition import Composition, nothing, parse
from .._core import SpecError
from .._numbers import Exact, Scalar, check_options
from ..extend import names_in, registered
from .book import NO_HASH, Book, LedgerBroken, hash_of, text_of_body
from .budgets import Amounts, Budget, Given, PairBudget, budget_for, budget_from, budget_of, probability, shown
from .statements import statement_of

#: (spec, how often, what each costs)
Charged = List[Tuple[str, int, Amounts]]
#: Of the file: how entries are read, and sums are rounded.
FORMAT = 1
ADJACENCIES = ("add_remove", "replace", "zero_out")


class BudgetExceeded(Exception):
    """A step that is beyond the budget: nothing was spent, and nothing may be released."""

    __module__ = "plaudit"


class LedgerEntry(NamedTuple):
    """One entry of a ledger: what was admitted together, and what was charged for it."""

    #: From 1 on.
    number: int
    #: When it was admitted, in UTC.
    at: str
    #: What was admitted, as a spec.
    spec: str
    #: What was charged for all of it, exactly, by mu^2, by orders, or by epsilon and delta.
    charge: Dict[str, Fraction]
    #: What the caller called it, or None.
    name: Optional[str]
    #: SHA-256 of this entry and, by the hash of the entry before, of all before it.
    hash: str


class Ledger:
    """A privacy budget in a file, spent step by step by any number of processes.

    `spend` admits a step, or refuses it by raising `BudgetExceeded`, before anything is released. Steps may be
    chosen by what was released before. What is admitted is decided by a filter that is proven: of Renyi divergences,
    of Gaussian differential privacy, or of a composition that is declared. Without a budget an existing file is opened;
    with one the file is begun, or must have been begun with the same one.

    Parameters
    ----------
    path : path-like
        The file.
    budget : number, mapping or Composition, optional
        By kind: "gdp" the number mu; "renyi" a mapping from orders to what each may reach; "pair" a composition,
        or its spec, whose steps may be run in any order.
    kind : {"renyi", "gdp", "pair"}, optional
        Which filter.
    epsilon : number, optional
        In place of `budget`: one that implies epsilon at `delta`.
    delta : number, optional
        The delta of which `statement` speaks, if no other is asked for.
    orders : sequence of numbers, optional
        The orders, for kind "renyi" and `epsilon`.
    rule : {"every", "any"}
        Of several orders: a step needs all within their budgets, or one. The deltas of the orders add up under "any".
    nested : sequence of (budget, delta)
        Smaller budgets of the same kind, the smallest first: `statement` names the first that is not exceeded.
    adjacency : {"add_remove", "replace", "zero_out"}
        Between which data sets; steps for others are refused.
    group_size : int
        In how many records these differ.
    durable : bool
        False: what was spent survives killed processes but no power cut, and is spent faster.
    timeout : float
        Seconds to wait for other processes.

    Examples
    --------
    >>> import plaudit as pl, tempfile
    >>> file = tempfile.mkdtemp() + "/budget.db"
    >>> ledger = pl.Ledger(file, 1, kind="gdp", delta=1e-5)
    >>> ledger.spend(pl.gaussian(2)).charge
    {'mu^2': Fraction(1, 4)}
    >>> ledger.spend(pl.gaussian(2)**2).number, ledger.remaining()
    (2, {'mu^2': 0.25})
    >>> ledger.spend(pl.gaussian(1))
    Traceback (most recent call last):
    ...
    plaudit.BudgetExceeded: gaussian(sigma=1): 0.25 of mu^2 is left and 1 is needed; nothing was spent
    """

    def __init__(self, path: Union[str, "os.PathLike[str]"], budget: Optional[Given] = None, *,
                 kind: Optional[str] = None, epsilon: Optional[Scalar] = None, delta: Optional[Scalar] = None,
                 orders: Optional[Sequence[Scalar]] = None, rule: str = "every",
                 nested: Sequence[Tuple[Given, Scalar]] = (), adjacency: str = "add_remove", group_size: int = 1,
                 durable: bool = True, timeout: float = 60) -> None:
        check_options(timeout=timeout)
        declared = None
        if kind is not None or budget is not None or epsilon is not None:
            declared = _declared(budget, kind, epsilon, delta, orders, rule, nested, adjacency, group_size)
        self._book = Book(path, declared is not None, durable, timeout)
        self._costs: Dict[str, Charged] = {}
        self._latest = (-1, NO_HASH)  # the last entry that this process has read, and its hash
        self._forget()
        with self._book.turn(writing=declared is not None):
            self._catch_up()
            if declared is None and self._next == 0:
                raise SpecError(f"ledger: {path} has no entry; a budget is needed to begin it")
            if declared is not None and self._next == 0:
                self._begin(declared)
                self._write([{**declared, "at": _now(), "plaudit": _core.version}])
            elif declared is not None and declared != {name: self._first[name] for name in declared}:
                raise SpecError(f"ledger: {path} was begun otherwise: {text_of_body(self._first)}")
            elif declared is None:
                self._check_declared(adjacency, group_size, delta, nested)
        self._look()

    def _check_declared(self, adjacency: str, group_size: int, delta: Any, nested: Any) -> None:
        """Of a file that is opened by its path, what is given besides must be what it was begun with."""
        if adjacency not in ("add_remove", self._first["adjacency"]) or group_size not in (1, self._first["group_size"]):
            raise SpecError(f"ledger: it was begun for {self._first['adjacency']}, groups of {self._first['group_size']}")
        if delta is not None and self._first["delta"] != str(probability(delta, "delta")):
            raise SpecError(f"ledger: it was begun with delta = {self._first['delta']}; statement takes another one")
        if nested:
            raise SpecError("ledger: nested budgets are declared when a file is begun, with its budget")

    # ---- Spending

    def spend(self, mechanism: Union[Composition, str], *, name: Optional[str] = None) -> LedgerEntry:
        """Admits what is about to be released, or refuses it.

        Release only after this returned. An entry cannot be taken back: whether its output was seen, no ledger knows.

        Parameters
        ----------
        mechanism : Composition or str
            What is run, or its spec; a composition is admitted whole or not at all.
        name : str, optional
            What it is called; a second entry of that name is refused, so that a job that was killed and starts
            again cannot release twice what was admitted once.

        Returns
        -------
        LedgerEntry
            What was written.

        Raises
        ------
        BudgetExceeded
            It is beyond the budget, or the name is taken.
        NotApplicable
            No theorem gives its charge.
        SpecError
            It is for other neighbouring data sets.
        """
        return self.spend_all([mechanism], names=None if name is None else [name])[0]

    def spend_all(self, mechanisms: Sequence[Union[Composition, str]], *,
                  names: Optional[Sequence[str]] = None) -> List[LedgerEntry]:
        """Admits each as an entry of its own, all in one transaction, or none.

        Parameters
        ----------
        mechanisms : sequence of Composition or str
            As of `spend`.
        names : sequence of str, optional
            One for each.

        Returns
        -------
        list of LedgerEntry
            What was written.
        """
        if isinstance(mechanisms, (str, Composition)):
            raise SpecError("spend_all: several mechanisms are wanted; one is for spend")
        if names is not None and len(names) != len(mechanisms):
            raise SpecError(f"names: {len(mechanisms)} are needed, not {len(names)}")
        charged = [self._charged(mechanism) for mechanism in mechanisms]
        with self._book.turn(writing=True):
            self._catch_up()
            amounts, taken, bodies = self._amounts, set(self._names), []
            for i, steps in enumerate(charged):
                name = None if names is None else names[i]
                if name is not None and (not isinstance(name, str) or not name):
                    raise SpecError(f"name: must be a text, not {name!r}")
                if name in taken:
                    raise BudgetExceeded(f"{name}: there is an entry of this name; nothing was spent")
                taken |= {name} if name else set()
                amounts = self._after(amounts, steps)
                bodies.append({"at": _now(), "name": name, "steps": [
                    [spec, count, {key: str(cost) for key, cost in charge.items()}] for spec, count, charge in steps]})
                bodies[-1]["amounts"] = {key: str(value) for key, value in amounts[-1].items()}  # type: ignore
            return [_entry(body, row_hash) for body, row_hash in self._write(bodies)]

    def _charged(self, mechanism: Union[Composition, str]) -> Charged:
        """Outside of any transaction: it may take time."""
        run = parse(mechanism) if isinstance(mechanism, str) else mechanism
        if not isinstance(run, Composition):
            raise SpecError(f"mechanism: must be a composition or its spec, not {type(mechanism).__name__}")
        key = run.stated
        if key not in self._costs:
            self._check_neighbours(run)
            self._costs[key] = [(step.mechanism.stated, step.count, self._budget.charge(step.mechanism)[0])
                                for step in run.steps]
        return self._costs[key]

    def _check_neighbours(self, run: Composition) -> None:
        kind, size, guarantee = run.adjacency
        mine = (self._first["adjacency"], self._first["group_size"])
        changing = names_in(run.stated) & (registered() | {"pld"})
        if changing:
            raise SpecError(f"{run}: the law of {', '.join(sorted(changing))} may be another one under the same spec; spend a "
                            "bound that it satisfies, such as pure, approximate or zcdp")
        if not guarantee:
            raise SpecError(f"{run}: is no privacy guarantee, but numbers of one pair of laws or one data set")
        if (kind, size) != ("as_stated", 1) and (mine[0] if kind == "as_stated" else kind, size) != mine:
            raise SpecError(f"{run}: is for {kind}, groups of {size}; the ledger is for {mine[0]}, groups of {mine[1]}")

    def _after(self, amounts: List[Optional[Amounts]], steps: Charged) -> List[Optional[Amounts]]:
        """Of each budget; None of those that are exceeded, which the last one must not be."""
        for spec, count, charge in steps:
            before = amounts[-1]
            assert before is not None
            amounts = [None if one is None else budget.after(one, spec, count, charge)
                       for budget, one in zip(self._budgets, amounts)]
            if amounts[-1] is None:
                left = self._budget.left(before)
                short = [f"{shown(left.get(key, Fraction(0)))} of {key} is left and {shown(count * cost)} is needed"
                         for key, cost in charge.items()] or [f"{left.get(spec, 0)} of it are left"]
                run = f"{spec}^{count}" if count > 1 else spec
                raise BudgetExceeded(f"{run}: {', '.join(short)}; nothing was spent")
        return amounts

    # ---- Reading

    def remaining(self) -> Dict[str, Fraction]:
        """What may still be spent.

        Returns
        -------
        dict of str to Fraction
            By what is charged: "mu^2", the orders, or, of a pair, the specs of its steps with their numbers and
            "epsilon" and "delta" of its reserve. Exact; orders beyond their budgets are not there.
        """
        self._look()
        assert self._amounts[-1] is not None
        return {name: Exact(value) for name, value in self._budget.left(self._amounts[-1]).items()}

    def run(self) -> Composition:
        """All that was admitted so far, as one composition.

        Its epsilon is a claim only where neither the parameters of the steps nor the moment of asking depended on
        what was released.

        Returns
        -------
        Composition
            Nothing run at all, where there is no entry.
        """
        self._look()
        parts = [(_core.parse(spec), count) for spec, count in self._steps.items()]
        return Composition(_core.product(parts)) if parts else nothing()

    def statement(self, delta: Optional[Scalar] = None, *, fixed_in_advance: bool = False) -> str:
        """What may be claimed at this moment, and what not.

        Parameters
        ----------
        delta : number, optional
            Where epsilon is wanted; None: the one that the ledger was begun with.
        fixed_in_advance : bool
            True: neither the parameters of the steps nor the moment of asking depended on what was released.

        Returns
        -------
        str
            Several lines.
        """
        given = self._first["delta"] if delta is None else delta
        if given is None:
            raise SpecError("statement: delta is needed, as the ledger was begun without one")
        at = probability(given, "delta")
        run = self.run()
        return statement_of(self._first, self._budgets, self._amounts, self._next - 1, self._hash, at,
                            run if fixed_in_advance else None)

    def log(self) -> Iterator[LedgerEntry]:
        """All entries, in their order.

        Returns
        -------
        iterator of LedgerEntry
            As the file has them.
        """
        self._look()
        with self._book.turn(writing=False):
            rows = list(self._book.rows(1))
        return (_entry(json.loads(body), row_hash) for _, body, row_hash in rows)

    @property
    def head(self) -> str:
        """The hash of the last entry, which binds all of them, so that whoever keeps it elsewhere can `verify(head)` later."""
        self._look()
        return self._hash

    def verify(self, head: Optional[str] = None, *, charges: bool = True) -> int:
        """Reads all of the file again: hashes, sums, and that each entry was within the budget.

        Parameters
        ----------
        head : str, optional
            A hash that was kept: some entry must have it.
        charges : bool
            Whether each mechanism's charge is computed anew; one that is certainly too small is found.

        Returns
        -------
        int
            The number of entries.

        Raises
        ------
        LedgerBroken
            Something does not fit.
        """
        with self._book.turn(writing=False):
            self._forget()
            try:
                self._catch_up(head)
            except LedgerBroken:
                self._forget()  # so that every later call reads all of it too
                raise
        if charges:
            for number, spec, charge in self._charges_seen:
                try:
                    self._check_neighbours(parse(spec))
                    least = self._budget.charge(parse(spec))[1]
                except SpecError as error:
                    raise LedgerBroken(f"entry {number}: {error}") from error
                if any(charge.get(name, cost) < cost for name, cost in least.items()):
                    raise LedgerBroken(f"entry {number}: {spec} is charged less than it costs")
        return self._next - 1

    def close(self) -> None:
        """Closes the file."""
        self._book.close()

    def __enter__(self) -> "Ledger":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    # ---- The chain

    def _forget(self) -> None:
        self._next, self._hash = 0, NO_HASH
        self._first: Dict[str, Any] = {}
        self._budgets: List[Budget] = []
        self._amounts: List[Optional[Amounts]] = []
        self._names: Set[str] = set()
        self._steps: "Counter[str]" = Counter()
        self._charges_seen: List[Tuple[int, str, Amounts]] = []
        self._seen: Set[Tuple[str, str]] = set()

    @property
    def _budget(self) -> Budget:
        return self._budgets[-1]

    def _look(self) -> None:
        with self._book.turn(writing=False):
            self._catch_up()

    def _catch_up(self, head: Optional[str] = None) -> None:
        """Replays what other processes wrote. The last entry that was ever known must still be there."""
        known, last = self._next - 1, self._hash
        wanted = head in (None, NO_HASH)
        for number, body, row_hash in self._book.rows(max(known, 0)):
            if number == known:
                if row_hash != last:
                    raise LedgerBroken(f"entry {number}: is another one than was read before")
                known = -1
                continue
            wanted = wanted or row_hash == head
            self._replay(number, body, row_hash)
            if number == self._latest[0] and row_hash != self._latest[1]:
                raise LedgerBroken(f"entry {number}: is another one than was read before")
        if self._next <= self._latest[0]:
            raise LedgerBroken(f"entry {self._latest[0]}: was there, and is no more")
        self._latest = (self._next - 1, self._hash)
        if known >= 0:
            raise LedgerBroken(f"entry {known}: was there, and is no more")
        if not wanted:
            raise LedgerBroken(f"no entry has the hash {head}: entries were changed or cut off")

    def _replay(self, number: int, text: str, row_hash: str) -> None:
        if number != self._next:
            raise LedgerBroken(f"entry {self._next}: is missing")
        if hash_of(self._hash, text) != row_hash:
            raise LedgerBroken(f"entry {number}: its hash does not fit; it or one before it was changed")
        try:
            body = json.loads(text)
            if body["number"] != number:
                raise ValueError("its number is another one")
            if number == 0:
                self._begin(body)
            else:
                steps = [(spec, count, _amounts_of(charge)) for spec, count, charge in body["steps"]]
                if any(type(count) is not int or count < 1 or min(charge.values(), default=0) < 0 for _, count, charge in steps):
                    raise ValueError("a charge is negative, or a count is none")
                amounts = self._after(self._amounts, steps)
                if amounts[-1] != _amounts_of(body["amounts"]) or body["name"] in self._names:
                    raise ValueError("its sum is another one, or its name is taken")
                self._take(body, steps, amounts)
        except (ArithmeticError, AttributeError, BudgetExceeded, LookupError, TypeError, ValueError) as error:
            raise LedgerBroken(f"entry {number}: {error}") from error
        self._next, self._hash = number + 1, row_hash

    def _begin(self, body: Dict[str, Any]) -> None:
        if body["format"] != FORMAT:
            raise ValueError(f"is of the format {body['format']}, which this version does not read")
        self._first = body
        self._budgets = [budget_from(body["kind"], one) for one in [*(x for x, _ in body["nested"]), body["budget"]]]
        self._amounts = [budget.start() for budget in self._budgets]
        if isinstance(self._budget, PairBudget):
            self._check_neighbours(self._budget.run)

    def _take(self, body: Dict[str, Any], steps: Charged, amounts: List[Optional[Amounts]]) -> None:
        self._amounts = amounts
        if body["name"] is not None:
            self._names.add(body["name"])
        for (spec, count, charge), (_, _, texts) in zip(steps, body["steps"]):
            self._steps[spec] += count
            if (spec, str(texts)) not in self._seen:
                self._seen.add((spec, str(texts)))
                self._charges_seen.append((body["number"], spec, charge))

    def _write(self, bodies: List[Dict[str, Any]]) -> List[Tuple[Dict[str, Any], str]]:
        """Appended now, and replayed as any reader does when the transaction is committed: by the next call."""
        rows, before = [], self._hash
        for i, body in enumerate(bodies):
            body["number"] = self._next + i
            text = text_of_body(body)
            before = hash_of(before, text)
            rows.append((body["number"], text, before))
        self._book.append(rows)
        return [(body, row[2]) for body, row in zip(bodies, rows)]


def _declared(budget: Any, kind: Any, epsilon: Any, delta: Any, orders: Any, rule: str, nested: Any, adjacency: Any,
              group_size: Any) -> Dict[str, Any]:
    """The first entry, but for its number and when it was written."""
    if (budget is None) == (epsilon is None):
        raise SpecError("ledger: a budget, or epsilon and delta, is needed, not both")
    if adjacency not in ADJACENCIES:
        raise SpecError(f"adjacency: must be one of {', '.join(ADJACENCIES)}, not {adjacency!r}")
    if isinstance(group_size, bool) or not isinstance(group_size, int) or group_size < 1:
        raise SpecError(f"group_size: must be an integer from 1 on, not {group_size!r}")
    whole = budget_of(kind, budget, rule) if epsilon is None else budget_for(kind, epsilon, delta, orders, rule)
    at = None if delta is None else str(probability(delta, "delta"))
    smaller = []
    for one, its_delta in nested:
        part = budget_of(kind, one, rule)
        if not set(part.start()) <= set(whole.start()):
            raise SpecError("nested: such budgets have the orders or steps of the whole one")
        smaller.append([part.stated(), str(probability(its_delta, "nested"))])
    if smaller and at is None:
        raise SpecError("nested: delta is needed, that of the whole budget")
    return {"adjacency": adjacency, "budget": whole.stated(), "delta": at, "format": FORMAT, "group_size": group_size, "kind": kind,
            "nested": smaller}


def _amounts_of(texts: Dict[str, str]) -> Amounts:
    return {name: Fraction(text) for name, text in texts.items()}


def _entry(body: Dict[str, Any], row_hash: str) -> LedgerEntry:
    spec = " * ".join(one if count == 1 else f"{one}^{count}" for one, count, _ in body["steps"])
    total: Amounts = {}
    for _, count, charge in body["steps"]:
        for name, cost in charge.items():
            total[name] = total.get(name, Fraction(0)) + count * Fraction(cost)
    return LedgerEntry(body["number"], body["at"], spec, total, body["name"], row_hash)


def _now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="seconds")
