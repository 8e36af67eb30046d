# A certificate of the kind `laplace` looped 10^12 times (1e300 with other numbers) before anything was announced, and 100,000
# nodes at 20,000 bits allocated 1 GB before the first look at the limit. What a file costs is counted before anything is done,
# alike in both checkers (docs/certificates/costs.md), and both numbers are printed.
import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(__file__))
from _certificate import checked, expect, finish, laws_of  # noqa: E402

CONTOUR = {"t": [1, 0], "h": [1, -3], "nodes": 100_000, "residues": 2, "right_order": [2, 0], "left_order": [2, 0], "factors": [{}]}
RULE = {"eta": [0, 0], "v": [1, -1], "d": [1, -2], "first": -2_000_000, "last": 2_000_000}
LAPLACE = {"draws": 1, "first": 0, "order": [1, 0], "window_order": [1, 0], "part": [1, -3]}


def file(spec, kind, choices, bits=64, epsilon="1"):
    return {"plaudit_certificate": 3, "spec": spec, "laws": laws_of(spec), "adjacency": "add_remove" if "poisson" in spec else "as_stated", "group_size": 1,
            "guarantee": True, "quantity": "delta", "argument": epsilon, "lower": "0", "upper": "1", "statements": [
                {"direction": "remove", "epsilon": epsilon, "at_most": "1e300", "kind": kind, "bits": bits,
                 "choices": choices}]}


BENT = {"center": [0, 0], "scale": [2, 0], "angle": [3, -2], "strip": [1, -3], "step": [1, -3], "per_arc": 1000, "arcs": 10_000,
        "arcs_beyond": 2, "paths": [{"rise": [0, 0], "tilt": [1, -1], "knee": [0, 0], "bend": [1, 0], "strip": [1, -2],
                                    "step": [1, -2], "first": -10**6, "last": 10**6, "accuracy": [1, -1]}]}
MANY = [f"discrete_laplace(scale={scale}, sensitivity=100000)" for scale in range(1, 50)]
ROWS = [
    ("10^12 terms", file("laplace(scale=1, sensitivity=1e12)", "laplace", LAPLACE)),
    ("10^300 terms", file("laplace(scale=1, sensitivity=1e300)", "laplace", LAPLACE)),
    ("10^6 rows", file("laplace(scale=1)^1000000", "laplace", {**LAPLACE, "draws": 10**6})),
    ("100,000 nodes at 20,000 bits", file("gaussian(sigma=1)", "straight", CONTOUR, 20_000)),
    ("4 million points", file("poisson(gaussian(sigma=1), rate=0.5)", "straight", {**CONTOUR, "factors": [
        {"axis": RULE, "line": RULE}]}, 64)),
    ("a period of noise", file("discrete_gaussian(variance=1e-9)^2", "lattice", {
        "tilt": [1, 0], "right_order": [2, 0], "left_order": [1, 0], "period": 1 << 22, "ends": [1 << 21], "summed": [1]})),
    ("noise of variance 10^-301", file("discrete_gaussian(variance=1e-301)", "straight", CONTOUR)),
    ("a wide window", file("poisson(discrete_gaussian(sigma=100000), rate=0.5)", "straight", CONTOUR)),
    ("10^7 nodes of a bent contour", file("poisson(gaussian(sigma=1), rate=0.1)", "bent", BENT)),
    ("combinations", file("discrete_laplace(scale=5, sensitivity=20000)^1000", "atoms", {"outer": [{"count": 0}], "inner": [
        {"count": 1000, "lows": [0] * 20_001, "highs": [1000] * 20_001}]}, 20_000)),
    ("laws of 4.9 million values", {**file(" * ".join(MANY), "ends", {}), "statements": []}),
]
for what, content in ROWS:
    numbers = set()
    for who, status, out in checked(json.dumps(content)):
        found = re.search(r"(over 2\^\d+|\d+) (?:operations|values), and at most (\d+) are allowed", out)
        expect(status == 3 and found is not None, f"{who}: {what}: {status}, {out[:300]}")
        numbers.add(found and found.groups())
    expect(len(numbers) == 1, f"{what}: {numbers}")
finish()
