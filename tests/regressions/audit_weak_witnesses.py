"""Refutations had witnesses that refute nothing: delta_upper = 1 (or delta_lower = 0) against a claim
that the other quantity's band had refuted, where the follow-up question ran out of time, and
the gap "-inf". Now a refutation waits for a witness whose printed numbers contradict the claim."""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from _program import EXAMPLE, exact, expect, finish, run  # noqa: E402

SLOW = ["poisson(discrete_gaussian(sigma=3), rate=1/50)^500", "discrete_gaussian(sigma=5)^200 * laplace(3)^7",
        "poisson(laplace(scale=2), rate=0.01)^300", "poisson(gaussian(sigma=0.3), rate=0.0001)^3", EXAMPLE,
        "approximate(epsilon=1, delta=1/1000)^20 * laplace(5)", "gaussian(1)"]
claims = []
for spec in SLOW:
    for epsilon, delta in [("0.01", "2e-5"), ("0.8", "5e-8"), ("24.2", "2e-8"), ("12", "0.05"), ("2", "0.4")]:
        shared = {"spec": spec, "epsilon": epsilon, "delta": delta}
        claims += [{**shared, "kind": kind} for kind in ("upper", "lower")]
        claims += [{**shared, "kind": kind, "quantity": "delta"} for kind in ("upper", "lower")]
    claims.append({"spec": spec, "kind": "lower", "epsilon": "inf", "delta": "0.25"})
refuted = 0
for seconds, some in (("0.01", claims), ("0.05", claims), ("0.2", claims[::3])):
    result = run("audit", "-", "--json", "--threads", "1", "--timeout", seconds, stdin=json.dumps(some))
    for entry in result.json()["claims"]:
        what = f"--timeout {seconds}: {json.dumps(entry)}"
        for gap in ("gap_epsilon", "gap_delta"):
            expect(entry[gap] is None or not entry[gap].startswith("-"), gap + ": " + what)
        if entry["verdict"] != "refuted":
            continue
        refuted += 1
        witness = entry["witness"]
        claimed = exact(witness["claimed_delta"])
        if "delta_lower" in witness:
            expect(exact(witness["delta_lower"]) > claimed, what)
        elif "delta_upper" in witness:
            expect(exact(witness["delta_upper"]) < claimed, what)
        else:  # decided by exact arithmetic before any number was
            expect("docs/proofs/" in witness["event"], what)
        if "output_event" in witness:
            expect(exact(witness["output_event_delta_lower"]) > claimed, what)
expect(refuted > 40, f"only {refuted} were refuted")  # how many, depends on the machine

finish()
