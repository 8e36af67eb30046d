"""Infinite estimates were cast to integers, which is undefined: they became LONG_MIN, or a precision
of ten million bits. So fourier(mode=evolving) doubled a size to 0 and never returned, and a pld file
with the single loss 1e9 took 19 s where --timeout said 0.3 (and decided nothing)."""
import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from _program import exact, expect, finish, run  # noqa: E402

PAIR = "approximate(epsilon=0, delta=1/100)^2"  # delta is 1 - 0.99^2 = 0.0199 from epsilon = 0 on
EVOLVING = ["--accountant", "fourier(mode=evolving)"]

for epsilon, low, high in [("1", "0.0199", "0.0199"), ("0", "0.0199", "0.0199"), ("-1", "0.6321", "1")]:
    result = run("delta", PAIR, "--epsilon", epsilon, "--json", *EVOLVING)
    report = result.json()
    expect(exact(report["lower"]) <= exact(high) and exact(report["upper"]) >= exact(low), result.out)
    expect(exact(report["upper"]) - exact(report["lower"]) < exact("0.4"), result.out)
result = run("epsilon", PAIR, "--delta", "0.0199", "--json", *EVOLVING)
expect(result.status in (0, 4) and result.json()["lower"] == "0", result.out + result.err)

# Nor did a series of as many terms as sensitivity / scale look at the time.
result = run("epsilon", "laplace(scale=1e-400)^3", "--delta", "1e-5", "--timeout", "0.3",
             "--accountant", "laplace_sum")
expect(result.seconds < 3, f"took {result.seconds} s")

with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "one.json"
    path.write_text('{"adjacency": "add/remove", "both": {"losses": ["1e9"], "masses": ["1"]}}')
    one = f'pld(file="{path}")'
    claims = [
        {"id": "a", "spec": f"{one}^10 * gaussian(1)", "delta": "1e-5", "epsilon": "3", "kind": "upper"},
        {"id": "b", "spec": f"{one} * gaussian(1)", "delta": "1e-5", "epsilon": "1000000003", "kind": "upper"},
        {"id": "c", "spec": f"{one} * gaussian(1)", "delta": "1e-5", "epsilon": "1000000003", "kind": "lower"},
    ]
    result = run("audit", "-", "--allow-files", folder, "--timeout", "0.3", "--json", stdin=json.dumps(claims))
    expect(result.seconds < 3, f"took {result.seconds} s")
    verdicts = [entry["verdict"] for entry in result.json()["claims"]]
    expect(verdicts == ["refuted", "refuted", "valid"], result.out)
    # The window of a grid at 1e9 has no place in an integer: refused at once.
    for query in (["epsilon", "--delta", "1e-5"], ["delta", "--epsilon", "1"],
                  ["delta", "--epsilon", "1999999999.9"]):
        result = run(query[0], f"{one}^2", *query[1:], "--accountant", "privacy_buckets",
                     "--timeout", "0.3")
        # all mass is at the only loss 2e9: its atom alone tells epsilon, and delta as far as its digits go
        told = query != ["delta", "--epsilon", "1999999999.9"]
        expect(result.status == (0 if told else 4) and result.seconds < 1.5, f"{query}: {result.seconds} s {result.err}")
    result = run("delta", f"{one} * gaussian(1)", "--epsilon", "1999999999.5", "--timeout", "0.3")
    expect(result.seconds < 1.5, f"took {result.seconds} s")

finish()
