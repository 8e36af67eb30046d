"""`plaudit ledger`: a ledger on the command line."""
from __future__ import annotations

import argparse
import json
import sys
from typing import Any, Dict, List, Optional, Tuple

from .._core import SpecError
from .book import LedgerBroken
from .ledger import ADJACENCIES, BudgetExceeded, Ledger


def _pair(text: str) -> Tuple[str, str]:
    left, sign, right = text.rpartition("=")
    if not sign or not left or not right:
        raise argparse.ArgumentTypeError(f"NAME=NUMBER is wanted, not {text!r}")
    return left, right


def _words() -> argparse.ArgumentParser:
    words = argparse.ArgumentParser(prog="plaudit ledger", description="A privacy budget in a file, spent step by step. "
                                    "Exit status: 0; 1 where a step is refused or the file is broken; 2 for bad input.")
    verbs = words.add_subparsers(dest="verb", required=True, metavar="VERB")

    def verb(name: str, says: str) -> argparse.ArgumentParser:
        one = verbs.add_parser(name, help=says, description=says)
        one.add_argument("file", metavar="FILE")
        return one
    create = verb("create", "begin a ledger")
    create.add_argument("--kind", required=True, choices=["renyi", "gdp", "pair"])
    create.add_argument("--budget", help="mu for gdp, a spec for pair")
    create.add_argument("--order", action="append", default=[], help="ORDER=BUDGET for renyi, or ORDER with --epsilon")
    create.add_argument("--rule", choices=["every", "any"], default="every", help="which orders must be within their budgets")
    create.add_argument("--epsilon", help="in place of budgets: one that implies it at --delta")
    create.add_argument("--delta")
    create.add_argument("--nested", action="append", type=_pair, default=[], help="BUDGET=DELTA, smaller ones first; for gdp and pair")
    create.add_argument("--adjacency", choices=ADJACENCIES, default="add_remove")
    create.add_argument("--group-size", type=int, default=1)
    spend = verb("spend", "admit a step before its release, or refuse it")
    spend.add_argument("spec", metavar="SPEC")
    spend.add_argument("--name", help="refused where an entry has it")
    verb("remaining", "what is left, as JSON")
    statement = verb("statement", "what may be claimed at this moment, and what not")
    statement.add_argument("--delta")
    statement.add_argument("--fixed-in-advance", action="store_true",
                           help="neither the parameters of the steps nor this moment depended on what was released")
    verb("log", "the entries, each a line of JSON")
    verify = verb("verify", "read all again: hashes, sums, charges")
    verify.add_argument("--head", help="a hash that was kept, which some entry must have")
    return words


def _create(asked: argparse.Namespace) -> Ledger:
    budget: Any = asked.budget
    if asked.order and asked.epsilon is None:
        budget = dict(map(_pair, asked.order))
    return Ledger(asked.file, budget, kind=asked.kind, epsilon=asked.epsilon, delta=asked.delta,
                  orders=asked.order if asked.epsilon is not None else None, rule=asked.rule, nested=asked.nested,
                  adjacency=asked.adjacency, group_size=asked.group_size)


def _line(entry: Any) -> str:
    found: Dict[str, Any] = {**entry._asdict(), "charge": {name: str(cost) for name, cost in entry.charge.items()}}
    return json.dumps(found)


def _answer(asked: argparse.Namespace) -> None:
    with _create(asked) if asked.verb == "create" else Ledger(asked.file) as ledger:
        if asked.verb == "spend":
            print(_line(ledger.spend(asked.spec, name=asked.name)))
        elif asked.verb in ("create", "remaining"):
            print(json.dumps({name: str(value) for name, value in ledger.remaining().items()}))
        elif asked.verb == "statement":
            print(ledger.statement(asked.delta, fixed_in_advance=asked.fixed_in_advance))
        elif asked.verb == "log":
            for entry in ledger.log():
                print(_line(entry))
        else:
            print(f"{ledger.verify(asked.head)} entries, all of which fit; the last has the hash {ledger.head}")


def main(arguments: Optional[List[str]] = None) -> int:
    """The exit status."""
    asked = _words().parse_args(arguments)
    try:
        _answer(asked)
    except (BudgetExceeded, LedgerBroken) as refusal:
        print(f"plaudit ledger: {refusal}", file=sys.stderr)
        return 1
    except (SpecError, OSError, argparse.ArgumentTypeError) as error:
        print(f"plaudit ledger: {error}", file=sys.stderr)
        return 2
    return 0
