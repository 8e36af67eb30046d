# `check` printed the spec as it stood in the file: a carriage return in it overprinted what was proven, and a comment or
# blanks could hide a part. A spec is read in its canonical form alone now, and that is what is printed, with the adjacency,
# the claim and every statement.
import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
from _certificate import *

SPEC = "poisson(gaussian(sigma=2), rate=0.01)^1000"
good = certificate(SPEC, "--delta", "1e-6", "--digits", "8")
for who, status, out in checked(json.dumps(good)):
    expect(status == 0, f"{who}: {out}")
    for word in (SPEC, "add_remove", "epsilon at delta = 1e-6 lies in [" + good["lower"] + ", " + good["upper"] + "]", "remove",
                 "add"):
        expect(word in out, f"{who}: {word!r} is not printed: {out!r}")
    for statement in good["statements"]:
        expect(statement["epsilon"] in out and statement["kind"] in out, f"{who}: a statement is not printed: {out!r}")
for spec in (SPEC + "\r", SPEC.replace("^", "\r^"), " " + SPEC, SPEC.replace(", ", ","), SPEC + " # ^2", SPEC + "\u0000", SPEC +
             "^1", SPEC.replace("0.01", "1/100"), SPEC.replace("0.01", "0.010"), SPEC.replace("sigma=", ""), "(" + SPEC + ")",
             SPEC.replace("gaussian", "Gaussian"), SPEC.replace("g", "\uff47"), SPEC.replace("^1000", "**1000"),
             SPEC.replace("^1000", "^-1000"), SPEC.replace("^1000", "^1e3"), SPEC + " * " + SPEC):
    expect_rejected(json.dumps({**good, "spec": spec}), f"spec {spec!r}")
for change in ({"adjacency": "replace"}, {"adjacency": "as_stated"}, {"group_size": 2}, {"guarantee": False}):
    expect_rejected(json.dumps({**good, **change}), str(change))
finish()
