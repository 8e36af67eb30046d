"""Statements of one file share what does not depend on epsilon: the Python checker finds each to prove what it proves alone,
whatever statement came before it (of the program: tests/verification/certificates/line_memory_test.cpp).

usage: checker_memory.py
"""
import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from _certificates import Composition  # noqa: E402
from _program import expect, finish, run  # noqa: E402
from plaudit_certificates.arithmetic.budget import Budget  # noqa: E402
from plaudit_certificates.arithmetic.intervals import exact  # noqa: E402
from plaudit_certificates.lines.contour import Product  # noqa: E402
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
    return low.lo, low.hi, high.lo, high.hi, sorted((name, size.lo, size.hi) for name, size in errors.items())


def main():
    every = list(variants(honest()))
    expect(len(every) >= 9, f"only {len(every)} variants")
    shared = Composition(SPEC, {}, Budget())
    for i, variant in enumerate(every):
        for statement in (every[0], variant):  # the first one before each of them
            alone = bounds(statement, Composition(SPEC, {}, Budget()))
            expect(bounds(statement, shared) == alone, f"variant {i} proves something else after the first one")
    distinct = {bounds(each, Composition(SPEC, {}, Budget()))[:4] for each in every}
    expect(len(distinct) == len(every), "variants prove the same: nothing could have been mistaken")
    nodes_are_kept(every[0])
    finish()


def nodes_are_kept(statement):
    """They are computed once for two epsilons, and no more are kept than one statement may sum."""
    computed = []
    plain = Product._logarithms

    def counted(self, t, h, first, count, budget):
        computed.append(count)
        return plain(self, t, h, first, count, budget)
    Product._logarithms = counted
    shared = Composition(SPEC, {}, Budget())
    for epsilon in ("2", "2.5"):
        bounds({**statement, "epsilon": epsilon}, shared)
    expect(computed == [statement["choices"]["nodes"] + 1], f"nodes computed: {computed}")
    Product._logarithms = lambda self, t, h, first, count, budget: [None] * count
    one = Composition("gaussian(sigma=1)", {}, Budget()).run("remove")
    product = Product(Fields({"factors": [{}]}, "choices"), one, Budget(), False)
    for count in (60000, 60001, 60000):
        product.logarithms(exact(1), exact(1), 0, count, Budget())
        kept = sum(map(len, one.memory["nodes"].values()))
        expect(count <= kept <= 100000, f"{kept} nodes are kept")
    Product._logarithms = plain


if __name__ == "__main__":
    main()
