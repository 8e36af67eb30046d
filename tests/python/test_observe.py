"""Counts of many runs against claims, from Python: verdicts, ends rounded outward, errors."""
from fractions import Fraction

import plaudit as pl
import pytest

COUNTS = {"design": "runs", "true_positives": 312, "with_record": 1000, "false_positives": 3, "without_record": 1000}


def test_refuted_and_consistent():
    seen = pl.observe_counts("gaussian(sigma=2)", **COUNTS)
    assert seen.verdict == "refuted" and seen.remark == ""
    assert seen.p_value[0] < 3.1015119047914639e-28 < seen.p_value[1] < 3.11e-28
    assert seen.ceiling_p_value[1] < seen.p_value[0]
    assert len(seen.assumptions) == 4
    assert pl.observe_counts(pl.gaussian("0.2"), **COUNTS).verdict == "consistent"


def test_limits():
    seen = pl.observe_counts("gaussian(sigma=2)", **COUNTS, deltas=[0, Fraction(1, 100000)])
    assert list(seen.limits.epsilon_lower) == [0, Fraction(1, 100000)]
    assert 2.4061728488 < seen.limits.epsilon_lower[0] < 2.40617284881
    assert 2.4061317496 < seen.limits.epsilon_lower[Fraction(1, 100000)] < 2.40613174965
    assert 1.319615716 < seen.limits.mu_lower < 1.3196157161
    assert 0.0219375628 < seen.limits.fpr_upper < 0.0219375629
    assert 0.2433189701 < seen.limits.tpr_lower < 0.2433189702
    assert 4.2257466225 < seen.ceiling.epsilon_lower[0] < 4.2257466226
    strict = pl.observe_counts("gaussian(sigma=2)", **COUNTS, level="1e-12", direction="remove")
    assert strict.verdict == "refuted" and strict.limits.mu_lower < seen.limits.mu_lower


@pytest.mark.parametrize("wrong", [
    {"design": "coins"}, {"true_positives": 1001}, {"true_positives": -1}, {"true_positives": 1.0},
    {"with_record": 0}, {"false_positives": True}, {"level": 0}, {"level": 1}, {"level": "x"},
    {"deltas": [2]}, {"digits": 0}, {"direction": "sideways"},
])
def test_wrong_questions(wrong):
    with pytest.raises(pl.SpecError):
        pl.observe_counts("gaussian(sigma=2)", **{**COUNTS, **wrong})


def test_design_has_no_default():
    with pytest.raises(TypeError):
        pl.observe_counts("gaussian(sigma=2)", true_positives=1, with_record=2, false_positives=1, without_record=2)
