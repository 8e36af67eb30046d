"""Counts of many runs against claims, from Python: verdicts, ends rounded outward, errors."""
from fractions import Fraction

import plaudit as pl
import pytest

COUNTS = {"design": "runs", "true_positives": 312, "with_record": 1000, "false_positives": 3, "without_record": 1000}


def test_no_test_below_is_said_of_guesses_of_any_kinds_alone():
    both = {"design": "coins", "right": 800, "guessed": 1000, "canaries": 1000}
    assert 0.0098 < pl.observe_counts("gaussian(sigma=2)", **both).no_test_below < 0.01
    assert pl.observe_counts("gaussian(sigma=2)", kind="in", **both).no_test_below == 0
    seen = pl.observe("pure(epsilon=5)", [1], [0], design="coins", guesses=[1, 1])
    assert seen.no_test_below == 0 and seen.guesses == [(2, 2, 2)]


def test_pairs_are_of_replace_and_say_nothing_of_one_kind():
    counts = {"design": "pairs", "right": 98, "guessed": 100, "canaries": 100}
    with pytest.raises(pl.SpecError, match="replace"):
        pl.observe_counts("poisson(gaussian(sigma=1), rate=0.5, adjacency=zero_out)", **counts)
    with pytest.raises(pl.SpecError, match="which of two"):
        pl.observe_counts("approximate(epsilon=0.1, delta=0.001)", kind="in", **counts)
    words = " ".join(pl.observe_counts("gaussian(sigma=2)", **counts).assumptions)
    assert "seed was drawn at random" in words
    words = " ".join(pl.observe_counts("gaussian(sigma=2)", **{**counts, "design": "coins"}, kind="in").assumptions)
    assert "all guesses said that the canary was in" in words


def test_a_threshold_that_is_a_float_is_the_score_that_is_the_same_float():
    seen = pl.observe("pure(epsilon=1)", [0.3] * 50, [0.0] * 50, design="runs", threshold=0.3, level="0.05")
    assert seen.verdict == "refuted"
    with pytest.raises(pl.SpecError, match="guesses"):
        pl.observe("pure(epsilon=1)", [1], [0], design="coins", guesses=3)
    with pytest.raises(pl.SpecError, match="in_scores"):
        pl.observe("pure(epsilon=1)", [10**400], [0], design="runs", threshold=1)


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


def test_certificates_are_accepted_by_both_checkers(tmp_path):
    path = tmp_path / "seen.json"
    for how in ({**COUNTS}, {"design": "coins", "right": 99, "guessed": 100, "canaries": 100, "level": "1/20"}):
        assert pl.observe_counts("gaussian(sigma=2)", **how, certificate=path).verdict == "refuted"
        checked = pl.check_certificate(path.read_text())
        assert checked and "refute the claim" in checked.claim and len(checked.assumptions) >= 3
        assert not pl.check_certificate(path.read_text().replace('"p_value": "', '"p_value": "0.0'))
    scores = [float(i) for i in range(40)], [float(i - 30) for i in range(40)]
    pl.observe("gaussian(sigma=2)", *scores, design="runs", threshold=5, level="1/20", certificate=path)
    assert pl.check_certificate(path.read_text())
    with pytest.raises(pl.NotApplicable, match="of all thresholds"):
        pl.observe("gaussian(sigma=2)", *scores, design="runs", threshold="all", certificate=path)
    with pytest.raises(RuntimeError, match="no certificate"):
        pl.observe_counts("gaussian(sigma=2)", design="runs", true_positives=5, with_record=10, false_positives=5,
                          without_record=10, certificate=path)
    with pytest.warns(UserWarning, match="no refutation"):
        pl.observe_counts("gaussian(sigma=2)", design="coins", right=930, guessed=1000, canaries=1000, certificate=path)


def test_scores_of_numpy_files(tmp_path):
    numpy = pytest.importorskip("numpy")
    inside, outside = numpy.arange(40.0), numpy.arange(40) - 30
    how = {"design": "runs", "threshold": 5, "level": "1/20"}
    wanted = pl.observe("gaussian(sigma=2)", inside, outside, **how)
    for name, arrays in (("a", {"in": inside, "out": outside}),
                         ("b", {"scores": numpy.concatenate((inside, outside)), "members": numpy.arange(80) < 40})):
        for save in (numpy.savez, numpy.savez_compressed):
            save(tmp_path / name, **arrays)
            found = pl.observe("gaussian(sigma=2)", scores=tmp_path / f"{name}.npz", **how)
            assert found == wanted._replace(run=found.run)
    numpy.savez(tmp_path / "c", inside=inside)
    with pytest.raises(pl.SpecError, match="in and out"):
        pl.observe("gaussian(sigma=2)", scores=tmp_path / "c.npz", **how)
    with pytest.raises(pl.SpecError, match="scores"):
        pl.observe("gaussian(sigma=2)", **how)
    with pytest.raises(pl.SpecError, match="scores"):
        pl.observe("gaussian(sigma=2)", inside, outside, scores=tmp_path / "a.npz", **how)


def test_picture_of_rates():
    seen = pl.observe_counts("gaussian(sigma=2)", **COUNTS)
    assert len(seen.rates) == 1 and seen.svg(width=600).count('class="mark refuted"') == 1
    with pytest.raises(ValueError, match="width"):
        seen.svg(width=10)
