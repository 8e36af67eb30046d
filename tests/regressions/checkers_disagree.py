# The two checkers disagreed about files of which docs/certificates.md said too little: a NUL and what follows it, at_most at
# infinity, numbers of laws that only one of them read, descriptions that are no text, halves of surrogate pairs, specs nested
# more than 20 deep, exceeds_before beside a factor without an end, e^(10^20), meshes that differ by more than 2^32. Each row
# is what the page says now, of both.
import json
import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
from _certificate import checked, expect, finish, laws_of  # noqa: E402

LAW = {"adjacency": "add/remove", "both": {"losses": ["-1", "1"], "masses": ["0.25", "0.75"]}}
LATTICE = {"tilt": [1, 0], "right_order": [2, 0], "left_order": [1, 0], "period": 4, "ends": [2], "summed": [1]}


def file(spec, statements, law=None, argument="0.5", upper="1", quantity="delta", lower="0", adjacency=None):
    files = {"files": {"a": law}} if law else {}
    return {"plaudit_certificate": 3, "spec": spec, **files, "laws": laws_of(spec, files.get("files")), "adjacency": adjacency or ("add_remove" if law else "as_stated"),
            "group_size": 1, "guarantee": True, "quantity": quantity, "argument": argument, "lower": lower, "upper": upper,
            "statements": statements}


def statement(kind, epsilon="0.5", choices=None, verb="at_most", bound="0.9"):
    return {"direction": "remove", "epsilon": epsilon, verb: bound, "kind": kind, "bits": 128,
            "choices": choices or {}}


def of_law(**changed):
    law = {**LAW, **{name: value for name, value in changed.items() if name == "description"}}
    law["both"] = {**LAW["both"], **{name: value for name, value in changed.items() if name != "description"}}
    return json.dumps(file('pld(file="a")', [statement("threshold")], law, upper="0.9"))


def nested(depth):
    spec = "gaussian(sigma=1)"
    for _ in range(depth - 1):
        spec = f"poisson({spec}, rate=0.9)"
    return json.dumps(file(spec, [], adjacency="add_remove"))


def before(spec, law, value="0"):
    return json.dumps(file(spec, [statement("ends", "3", verb="exceeds_before", bound=value)], law, value, "inf", "epsilon", "3"))


HONEST = json.dumps(file("gaussian(sigma=1)", [statement("threshold", "1", bound="0.2")], argument="1", upper="0.2"))
MESHES = "pure(epsilon=1) * pure(epsilon=1e-{})"
ROWS = [
    ("honest", HONEST, 0), ("NUL at the end", HONEST + "\0", 3), ("NUL and what follows", HONEST + '\0{"x": 1}', 3),
    ("NUL before", "\0" + HONEST, 3), ("white space at the end", HONEST + " \n", 0), ("NUL in a key", HONEST.replace("spec", "sp\0ec"), 3),
    ("at_most at infinity", json.dumps(file("gaussian(sigma=1)", [statement("ends", "inf", bound="0")])), 3),
    ("exceeds_before at infinity", json.dumps(file("gaussian(sigma=1)", [statement("ends", "inf", verb="exceeds_before", bound="0")])), 3),
    ("at_least at infinity", json.dumps(file("gaussian(sigma=1)", [statement("ends", "inf", verb="at_least", bound="0")])), 0),
    *[(f"the mass {text[:12]!r}", of_law(masses=["0.25", text]), status) for text, status in [
        ("0.75", 0), ("3/4", 0), ("0.075e1", 0), ("+0.75", 3), (".75", 3), ("75.e-2", 3), ("75E-2", 3), ("0.75 ", 3), ("7.5e-1/1", 0),
        ("0.75" + "0" * 996, 0), ("0.75" + "0" * 997, 3), ("75e0998/1e1000", 0), ("75e999/1e1001", 3), ("٠.75", 3)]],
    ("an integer of 64 bits", of_law(losses=[-2**63, "1"]), 3), ("an integer beyond", of_law(losses=["-1", 2**63]), 3),
    ("a small integer", of_law(losses=[-1, 1]), 0),
    ("a description that is no text", of_law(description=5), 3), ("a list", of_law(description=["words"]), 3),
    ("half of a surrogate pair", of_law(description="\ud800"), 3), ("its other half", of_law(description="\udc00 after"), 3),
    ("a whole pair", of_law(description="\U0001f600"), 0), ("null in a list", of_law(description="x").replace('"x"', "[null]"), 3),
    ("25 deep", nested(25), 0), ("100 deep", nested(100), 0), ("101 deep", nested(101), 3),
    ("before, without an end", before('pld(file="a") * gaussian(sigma=1)', {**LAW, "both": {**LAW["both"], "masses": [["0", "1"]] * 2}}), 0),
    ("before, with an end that may have no mass", before('pld(file="a")^3', {**LAW, "both": {**LAW["both"], "masses": [["0", "1"]] * 2}}), 3),
    ("before, without a finite part", before('pld(file="a") * gaussian(sigma=1)', {
        **LAW, "both": {"losses": ["0"], "masses": [["0", "1"]], "infinite": "1"}}, "1"), 3),
    ("e^(10^20)", json.dumps(file("gaussian(sigma=1)", [statement("threshold", "1e20")], argument="1e20")), 3),
    ("e^(2^59)", json.dumps(file("gaussian(sigma=1)", [statement("threshold", str(2**59))], argument=str(2**59))), 0),
    *[(f"meshes that differ by 10^{n}", json.dumps(file(MESHES.format(n), [statement("lattice", choices=LATTICE,
                                                                                     bound="1e300")])), status) for n, status in [(9, 0), (10, 3), (12, 3)]],
]
for what, text, wanted in ROWS:
    for who, status, out in checked(text):
        expect(status == wanted, f"{who}: {what}: {status}, {out[:300]}")
finish()
