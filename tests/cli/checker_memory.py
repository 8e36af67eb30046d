"""Statements of one file share what does not depend on epsilon: the Python checker finds each to prove what it proves alone,
whatever statement came before it (of the program: tests/verification/certificates/line_memory_test.cpp).

usage: checker_memory.py
"""
import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from _certificates import MODULE, Composition, changed  # noqa: E402,F401
from _program import expect, finish, run  # noqa: E402
from plaudit_certificates.arithmetic.budget import Budget  # noqa: E402
from plaudit_certificates.specs.reader import Fields  # noqa: E402
from plaudit_certificates.statements import Statement  # noqa: E402

SPEC = "poisson(gaussian(sigma=1), rate=0.1)^30"


def honest():
    """A straight line of the certificate of delta(2)."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "certificate.json"
        made = run("delta", SPEC, "--epsilon", "2", "--direction", "remove", "--digits", "8", "--certificate", str(path))
        expect(made.status == 0, made.err)
        statements = json.loads(path.read_text(encoding="utf-8"))["statements"]
    return next(s for s in statements if s["kind"] == "straight")


def times(pair, exponent):
    return [pair[0], pair[1] + exponent]


def variants(first):
    """Each differs from the first one in one thing."""
    choices = first["choices"]

    def with_choice(name, value):
        return {**first, "choices": {**choices, name: value}}
    yield first
    yield {**first, "epsilon": "2.5"}
    yield {**first, "bits": first["bits"] - 40}
    yield with_choice("t", times(choices["t"], -1))
    yield with_choice("h", times(choices["h"], -1))
    yield with_choice("nodes", choices["nodes"] - 3)
    for order in ("right_order", "left_order"):
        if order in choices:
            yield with_choice(order, times(choices[order], 1))
    factor = choices["factors"][0]
    yield with_choice("factors", [{**factor, "line": {**factor["line"], "last": factor["line"]["last"] - 20}}])
    near = {**choices, "left_order": choices["right_order"]}  # with a Gaussian more the losses have no end
    yield {**first, "kind": "pinch", "choices": {"tau": [1, -2], "near": near}}


def bounds(statement, composition):
    """What the statement's choices prove of delta, and the errors."""
    said = {key: value for key, value in statement.items() if key not in ("at_most", "at_least")}
    weak = Statement(Fields({**json.loads(json.dumps(said)), "at_most": "1e300"}, "the statement"))
    proof, module = [], weak.module

    class Recorded:
        """The module of the kind, whose proof is kept."""

        @staticmethod
        def prove(*arguments):
            proof.extend(module.prove(*arguments))
            return proof
    weak.module = Recorded
    weak.prove(composition, Budget())
    low, high, errors = proof
    return str(low), str(high), {name: str(size) for name, size in errors.items()}


def main():
    every = list(variants(honest()))
    expect(len(every) >= 9, f"only {len(every)} variants")
    shared = Composition(SPEC, {}, Budget())
    for i, variant in enumerate(every):
        for statement in (every[0], variant):  # the first one before each of them
            alone = bounds(statement, Composition(SPEC, {}, Budget()))
            expect(bounds(statement, shared) == alone, f"variant {i} proves something else after the first one")
    distinct = {bounds(each, Composition(SPEC, {}, Budget()))[:2] for each in every}
    expect(len(distinct) == len(every), "variants prove the same: nothing could have been mistaken")
    finish()


if __name__ == "__main__":
    main()
