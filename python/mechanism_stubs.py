#!/usr/bin/env python3
"""Writes python/plaudit/mechanisms.pyi, the signatures of the mechanisms for type checkers, from their catalogue.

usage: mechanism_stubs.py [--check]     with plaudit on the path; --check: exit 1 where it is out of date
"""
import pathlib
import sys

sys.path.pop(0)  # the folder of this script, which holds the sources of the package
import plaudit  # noqa: E402

TARGET = pathlib.Path(__file__).resolve().parent / "plaudit" / "mechanisms.pyi"
HEAD = '''# The mechanisms of the spec language as functions: written by python/mechanism_stubs.py.
from typing import Any, Dict, Sequence, Tuple, Union

from ._composition import Composition
from ._numbers import Numbers, Scalar
from ._searches.holes import Hole, Template

#: A number, or the open parameter of a calibration.
Open = Union[Scalar, Hole]
#: What is sampled, grouped or joined.
Inner = Union[Composition, Template]
#: A list, or a list of lists.
Many = Union[Numbers, Sequence[Numbers]]
'''
DPSGD = '''
def dpsgd(noise_multiplier: Open | None = ..., batch_size: Open | None = ..., dataset_size: Open | None = ...,
          epochs: Open | None = ..., *, sample_rate: Open | None = ..., steps: Open | None = ...,
          **others: Open | None) -> Composition: ...
def run_of(name: str, entry: Dict[str, Any], args: Tuple[Any, ...], given: Dict[str, Any]) -> Any: ...
def builder(entry: Dict[str, Any]) -> Any: ...
def __getattr__(name: str) -> Any: ...
'''


def kind(name: str, domain: str) -> str:
    if name in ("mechanism", "first", "second", "third", "fourth", "fifth", "sixth"):
        return "Inner"
    if "list" in domain:
        return "Union[str, Many]" if "file" in domain else "Many"
    return "Open" if "number" in domain or "integer" in domain else "str"


def stub(entry: dict) -> str:
    """The signature of a mechanism; aliases of parameters, as noise_multiplier for sigma, are further keys."""
    parameters, aliases = [], []
    for one in entry["parameters"]:
        default = " = ..." if one["default"] or one["aliases"] or "as " in one["domain"] else ""
        if parameters and parameters[-1].endswith("...") and not default:
            default = " = ..."
        typed = kind(one["name"], one["domain"])
        parameters.append(f"{one['name']}: {typed}{default}")
        aliases += [f"{name}: {typed} = ..." for name in one["aliases"]]
    keys = parameters + (["*"] + aliases if aliases else [])
    return f"def {entry['name']}({', '.join(keys)}) -> Composition: ..."


def main() -> int:
    kinds = [one for one in plaudit.list_shorthands() if one["name"] != "dpsgd"] + plaudit.list_mechanisms()
    names = "".join(f'    "{name}",\n' for name in ["dpsgd"] + [each["name"] for each in kinds])
    text = HEAD + f"\n__all__ = [\n{names}]\n" + DPSGD + "\n".join(map(stub, kinds)) + "\n"
    if "--check" in sys.argv:
        if TARGET.read_text() != text:
            print(f"{TARGET.name} is out of date: run {pathlib.Path(__file__).name}")
            return 1
        return 0
    TARGET.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
