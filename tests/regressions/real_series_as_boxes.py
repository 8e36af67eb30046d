"""The program's checker summed the moments of random allocation at real orders, whose series are real, in boxes of complex
numbers. A quotient of boxes counts the error of its divisor three times: the bounds were true, but wider than those of
plaudit_check.py, by 2e-6 of the error `moment` of a certificate of five blocks, where the rule of the Laplace transform is
coarse. Both take intervals now: they agree to what is printed, and stay above the truth."""
import json
import math
import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from _certificates import trivial  # noqa: E402
from _program import expect, finish, run  # noqa: E402
from plaudit_certificates.arithmetic.budget import Budget  # noqa: E402
from plaudit_certificates.statements import proven  # noqa: E402

EPSILON = 13
ORDER = 42581 / 65536
CHERNOFF = ORDER**ORDER / (1 + ORDER) ** (1 + ORDER) * math.exp(-ORDER * EPSILON)
KEPT = ", epochs_of_one_assignment=8"
RULE = {"order": 1, "theta": [0, 0], "parts": 14, "step": 1, "first": -18, "last": 23, "gamma_first": -18, "gamma_last": 7,
        "right_order": [19497, -12], "turn": [0, 0], "width": [2383, -12], "stride": 1, "points": 34, "bits": 75}
OF_FIVE = {"parts": 15, "first": -21, "last": 27, "gamma_first": -21, "points": 38, "bits": 79}
OF_TWO = {"order": 3, "parts": 4, "step": 2, "first": -30, "last": 17, "gamma_first": -30, "gamma_last": 8, "width": [13107, -13],
          "bits": 128}
# What is tried, steps, changes of the rule, and E ((X_1 + .. + X_t)/t)^-ORDER by quadratures of other integrals with 40 digits.
ROWS = [("a power of a series", f"6{KEPT}", {}, 4.0606587509444224),
        ("another", f"5{KEPT}", OF_FIVE, 4.6545572496711523),
        ("nodes where the transform may be 0", f"6{KEPT}", {"last": 40, "points": 24}, 4.0606587509444224),
        ("a power below the order", "2", OF_TWO, 1.2969862331768849)]


def bounds(steps, rule):
    """The bounds of the moment by both checkers."""
    spec = f"random_allocation(gaussian(sigma=1.08), steps={steps})"
    certificate = trivial(spec, adjacency="add_remove", argument=str(EPSILON), statements=[
        {"direction": "add", "epsilon": str(EPSILON), "at_most": "1", "kind": "moments", "bits": 128,
         "choices": {"order": [42581, -16], "factors": [{"blocks": [{"moment": rule}]}]}}])
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "certificate.json")
        pathlib.Path(path).write_text(json.dumps(certificate), encoding="utf-8")
        verdict = run("check", path, "--json").json()
    *_, (statement,) = proven(certificate, Budget())
    return [float(found) / CHERNOFF for found in (verdict["errors"][0]["moment"], statement.errors["moment"].upper())]


for what, steps, changes, truth in ROWS:
    program, python = bounds(steps, {**RULE, **changes})
    found = f"{what}: program {program!r}, Python {python!r}, truth {truth!r}"
    expect(abs(program / python - 1) < 1e-12, f"the checkers differ: {found}")
    expect(truth * (1 - 1e-12) <= min(program, python), f"below the truth: {found}")
    expect(max(program, python) < truth * 1.001, f"far above the truth: {found}")
finish()
