# plaudit_check.py took a mass at infinity that a law file gives as [lower, 1] for exactly 1: it accepted delta >= 0.9 for a
# law that may have delta = 0.5. A certificate holds for every law within the file's intervals, or not at all.
import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
from _certificate import *


def claim(law, lower, upper, argument, statements):
    files = {"a.json": {"adjacency": "add/remove", "both": law}}
    return json.dumps({
        "plaudit_certificate": 3, "spec": 'pld(file="a.json")', "files": files, "laws": laws_of('pld(file="a.json")', files),
        "adjacency": "add_remove", "group_size": 1, "guarantee": True, "quantity": "delta", "argument": argument,
        "lower": lower, "upper": upper, "statements": [
            {"direction": "remove", "epsilon": argument, verb: bound, "kind": kind, "bits": 100, "choices": {}}
            for verb, bound, kind in statements]})


wide = {"losses": ["1"], "masses": [["0", "0.5"]], "infinite": ["0.5", "1"]}
for kind in ("ends", "threshold"):
    # delta(2) is the mass at infinity, somewhere in [0.5, 1]
    expect_rejected(claim(wide, "0.9", "1", "2", [("at_least", "0.9", kind)]), f"{kind}: beyond the least law")
    expect_rejected(claim(wide, "0.500001", "1", "2", [("at_least", "0.500001", kind)]), f"{kind}: a little beyond")
narrow = {"losses": ["1"], "masses": [["0.4", "0.6"]], "infinite": ["0.4", "0.6"]}
for kind in ("ends", "threshold"):
    expect_rejected(claim(narrow, "0.5", "1", "2", [("at_least", "0.5", kind)]), f"{kind}: the middle from below")
    expect_rejected(claim(narrow, "0", "0.5", "2", [("at_most", "0.5", kind)]), f"{kind}: the middle from above")
    expect_accepted(claim(narrow, "0.399", "0.601", "2", [("at_least", "0.399", kind),
                                                         ("at_most", "0.601", kind)]), f"{kind}: all of them")
finish()
