# plaudit_check.py accepted too small a delta: the kind `atoms` left a law out of the composition if its only loss, whatever
# it is, has the mass 1. Here L is 1/2 + L', and it was taken for L'.
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from _certificates import expect_accepted, expect_rejected, trivial  # noqa: E402
from _program import finish  # noqa: E402

LAW = {"adjacency": "add/remove", "both": {"losses": ["0.5"], "masses": ["1"]}}
SPEC = 'randomized_response(probability=0.75) * pld(file="law.json")'
FLIP = {"count": 1, "lows": [0, 0], "highs": [1, 1]}
SHIFT, NONE = {"count": 1, "lows": [1], "highs": [1]}, {"count": 0}


def claim(delta, outer, inner):
    """delta(0.75); the truth is 3/4 - e^0.75 / (4 e^0.5) = 0.42899..."""
    statement = {"direction": "remove", "epsilon": "0.75", "at_most": delta, "kind": "atoms", "bits": 128,
                 "choices": {"outer": outer, "inner": inner}}
    return trivial(SPEC, files={"law.json": LAW}, adjacency="add_remove", argument="0.75", upper=delta, statements=[statement])


for outer, inner in [([FLIP, NONE], [NONE, SHIFT]), ([NONE, SHIFT], [FLIP, NONE]), ([FLIP, SHIFT], [NONE, NONE]),
                     ([NONE, NONE], [FLIP, SHIFT])]:
    expect_accepted("what is true", claim("0.429", outer, inner))
    expect_rejected("what is false", claim("0.428", outer, inner), ["delta is not proven"])
finish()
