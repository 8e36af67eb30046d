"""Fields that the readers of claims did not know were dropped in silence, and something else was
judged: "count" beside a ComposedDpEvent made a thousand steps one, "directionn" made a claim about
one direction one about both, and numbers that the kind of claim does not use counted for nothing."""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from _program import expect, expect_refused, finish, run  # noqa: E402

GAUSSIAN = {"type": "GaussianDpEvent", "noise_multiplier": 1}
GOOD = {"id": "x", "spec": "gaussian(1)", "delta": "1e-5", "epsilon": "5", "kind": "upper"}
PLD = {"discretization_interval": 0.1, "lower_loss": -50, "probabilities": [1], "infinity_mass": 0}


def refused(words, **fields):
    claim = {name: value for name, value in {**GOOD, **fields}.items() if value is not None}
    expect_refused([*words, "'x'"], "audit", "-", stdin=json.dumps([claim]))


for words, event in [
        (["ComposedDpEvent", "'count'"], {"type": "ComposedDpEvent", "events": [GAUSSIAN], "count": 1000}),
        (["GaussianDpEvent", "'steps'"], {**GAUSSIAN, "steps": 1000}),
        (["GaussianDpEvent", "'sensitivity'"], {**GAUSSIAN, "sensitivity": 2}),
        (["LaplaceDpEvent", "'sensitivity'"], {"type": "LaplaceDpEvent", "noise_multiplier": 1, "sensitivity": 2}),
        (["'GaussianDpEvent'", "'LaplaceDpEvent'", "type", "class"], {**GAUSSIAN, "class": "LaplaceDpEvent"}),
        (["SelfComposedDpEvent", "'events'"],
         {"type": "SelfComposedDpEvent", "count": 2, "event": GAUSSIAN, "events": [GAUSSIAN]}),
        (["PoissonSampledDpEvent", "'steps'"],
         {"type": "PoissonSampledDpEvent", "sampling_probability": 0.1, "event": GAUSSIAN, "steps": 10}),
        (["SampledWithoutReplacementDpEvent", "'steps'"],
         {"type": "SampledWithoutReplacementDpEvent", "source_dataset_size": 10, "sample_size": 1,
          "event": GAUSSIAN, "steps": 10}),
        (["NoOpDpEvent", "'event'"], {"type": "ComposedDpEvent", "events": [
            GAUSSIAN, {"type": "NoOpDpEvent", "event": GAUSSIAN}]}),
        # also where a count of 0 leaves nothing of it
        (["GaussianDpEvent", "'steps'"], {"type": "ComposedDpEvent", "events": [
            GAUSSIAN, {"type": "SelfComposedDpEvent", "count": 0, "event": {**GAUSSIAN, "steps": 2}}]})]:
    refused(words, spec=event)
same = {**GAUSSIAN, "class": "GaussianDpEvent"}
result = run("audit", "-", stdin=json.dumps([{**GOOD, "spec": same}]))
expect(result.status == 0, result.err)

refused(["'directionn'", "direction"], directionn="add")
refused(["'quantityy'"], quantityy="delta")
refused(["'Epsilon'"], Epsilon="6")
refused(["'count'"], count=1000)
refused(["epsilon_upper", "upper"], epsilon_upper="4")
refused(["epsilon", "band"], kind="band", epsilon_lower="1", epsilon_upper="9")
refused(["delta_upper"], kind="band", epsilon=None, epsilon_lower="1", epsilon_upper="9", delta_upper="1")
refused(["pld"], pld=PLD)
refused(["epsilon", "pessimistic"], kind="pessimistic", pld=PLD, delta=None)
refused(["'mass'"], kind="pessimistic", delta=None, epsilon=None, pld={**PLD, "mass": 1})
refused(["kind", "prv"], prv=[1, 2, 3], epsilon=None)
refused(["epsilon", "prv"], prv=[1, 2, 3], kind=None)
refused(["'directionn'"], prv=[1, 2, 3], epsilon=None, kind=None, directionn="add")
expect_refused(["id"], "audit", "-", stdin=json.dumps([{**GOOD, "id": [1]}]))
expect_refused(["'spec'"], "audit", "-", stdin=json.dumps({"claims": [GOOD], "spec": "gaussian(2)"}))
expect_refused(["'delta'", "twice", "entry 2"], "audit", "-",
               stdin=json.dumps([GOOD, GOOD])[:-2] + ', "delta": "1e-9"}]')
# Notes are for people, and the other claims get their verdicts.
both = {"claims": [{**GOOD, "notes": {"page": 3}}, {**GOOD, "id": "bad", "tolerence": "1"}], "notes": "of 2026"}
result = run("audit", "-", "--json", stdin=json.dumps(both))
expect([entry["verdict"] for entry in result.json()["claims"]] == ["valid", "error"], result.out)
expect("'tolerence'" in result.err and "tolerance" in result.err, result.err)

finish()
