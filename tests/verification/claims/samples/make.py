#!/usr/bin/env python3
"""Writes the samples beside it: runs as dp_accounting 0.6.0 serialises them.

Every event is written twice: NAME.json has the fields of DpEvent.to_named_tuple() by name, in all
depths, and NAME.tuple.json is what json.dumps makes of that tuple. opacus_state.json has the fields
of Opacus' IAccountant.state_dict() and is written by hand.
"""
import json
from pathlib import Path

from dp_accounting import dp_event as dp

HERE = Path(__file__).resolve().parent
GAUSSIAN = dp.GaussianDpEvent(1.1)
EVENTS = {
    "dpsgd": dp.SelfComposedDpEvent(dp.PoissonSampledDpEvent(256 / 60000, GAUSSIAN), 14063),
    "composed": dp.ComposedDpEvent([
        dp.NoOpDpEvent(),
        dp.SelfComposedDpEvent(dp.PoissonSampledDpEvent(0.01, GAUSSIAN), 100),
        dp.LaplaceDpEvent(20.0),
        dp.DiscreteLaplaceDpEvent(0.5, 3),
        dp.MixtureOfGaussiansDpEvent(2.0, [0.0, 1.0], [0.5, 0.5]),
        dp.ZCDpEvent(0.125),
    ]),
    "without_replacement": dp.SelfComposedDpEvent(
        dp.SampledWithoutReplacementDpEvent(10000, 100, dp.GaussianDpEvent(2.0)), 10),
    "with_replacement": dp.SampledWithReplacementDpEvent(10000, 100, dp.GaussianDpEvent(2.0)),
    "bounded": dp.ComposedDpEvent([dp.ZCDpEvent(0.125, 0.25), dp.RandomizedResponseDpEvent(0.5, 4)]),
    "tree": dp.SingleEpochTreeAggregationDpEvent(1.0, [8, 8]),
    "non_private": dp.NonPrivateDpEvent(),
    "repeat": dp.RepeatAndSelectDpEvent(GAUSSIAN, 10.0, 1.0),
    "truncated": dp.TruncatedSubsampledGaussianDpEvent(1000, 0.1, 150, 1.0),
}


def by_name(value):
    if hasattr(value, "_asdict"):
        return {key: by_name(each) for key, each in value._asdict().items()}
    if isinstance(value, (list, tuple)):
        return [by_name(each) for each in value]
    return value


for name, event in EVENTS.items():
    written = event.to_named_tuple()
    (HERE / f"{name}.json").write_text(json.dumps(by_name(written), indent=1) + "\n")
    (HERE / f"{name}.tuple.json").write_text(json.dumps(written) + "\n")
