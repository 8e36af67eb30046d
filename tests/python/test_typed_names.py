"""Names that people have for things, and words about what is spelt otherwise here. docs/typed.md has the transcript."""
import copy
import pickle

import plaudit as pl
import pytest
from plaudit._typed.dpsgd import ALIASES
from plaudit._typed.hints import OF_COMPOSITION, OF_MECHANISMS, OF_MODULE

RUN = pl.dpsgd(1.1, sample_rate=0.01, steps=1000)


def test_other_names_of_the_arguments_of_dpsgd():
    sized = {"noise_multiplier": 1.1, "batch_size": 256, "dataset_size": 60000, "epochs": 10}
    rated = {"noise_multiplier": 1.1, "sample_rate": 0.01, "steps": 1000}
    for given in (sized, rated):
        for name, value in given.items():
            for alias in ALIASES[name]:
                others = {key: x for key, x in given.items() if key != name}
                assert pl.dpsgd(**others, **{alias: value}) == pl.dpsgd(**given)
                assert pl.epsilon(**others, **{alias: value}, delta=1e-5) == pl.dpsgd(**given).epsilon(1e-5)
    for bad, words in [({"sigma": 1.1, "noise_multiplier": 1}, "given twice"), ({"sigmma": 1.1}, "has no parameter 'sigmma'"),
                       ({}, "noise_multiplier is needed"), ({"sigma": -1}, "sigma must be"), ({"sigma": 1, "q": 2}, "q must be")]:
        with pytest.raises(pl.SpecError, match=words):
            pl.dpsgd(**{"steps": 10, **({} if "q" in bad else {"sample_rate": 0.01}), **bad})


def test_what_is_wrong_is_named_as_it_was_typed():
    for build, words in [(lambda: pl.gaussian(noise_multiplier=-1), "noise_multiplier must"), (lambda: pl.gaussian(-1), "sigma must"),
                         (lambda: pl.poisson(pl.gaussian(1), q=2), "q must"), (lambda: pl.parse("gaussian(std=0)"), "std must")]:
        with pytest.raises(pl.SpecError, match=words):
            build()


def test_calibration_of_what_is_missing():
    for missing, value in [("noise_multiplier", 1.41462), ("sample_rate", None), ("steps", None)]:
        given = {"noise_multiplier": 1.1, "sample_rate": 0.01, "steps": 1000}
        del given[missing]
        found = pl.calibrate(epsilon=1, delta=1e-5, **given)
        assert found.parameter == missing and found.suffices is not None and (value is None or float(found.suffices) == value)
        assert found.run == pl.dpsgd(**given, **{missing: found.suffices})
    found = pl.calibrate(epsilon=3, delta=1e-5, sigma=1.1, num_examples=60000, num_epochs=10, digits=3)
    assert found.parameter == "batch_size" and pl.dpsgd(1.1, found.suffices, 60000, 10).epsilon(1e-5) <= 3
    assert pl.calibrate(epsilon=3, delta=1e-5, sigma=1.1, batch=256, population=60000, digits=3).parameter == "epochs"
    assert len(pl.calibrate(epsilon=[1, 2], delta=1e-5, sample_rate=0.01, steps=1000)) == 2
    for bad, words in [({"steps": 10}, "not noise_multiplier and sample_rate"), ({"steps": 1, "q": 0.1, "sigma": 1}, "not none"),
                       ({"stpes": 10}, "calibrate: has no parameter 'stpes'")]:
        with pytest.raises(pl.SpecError, match=words):
            pl.calibrate(epsilon=1, delta=1e-5, **bad)
    with pytest.raises(pl.SpecError, match="not both"):
        pl.calibrate("gaussian(?)", epsilon=1, delta=1e-5, steps=3)


def test_names_that_there_are_not():
    for name in OF_MODULE:
        with pytest.raises(AttributeError, match=f"module plaudit has no attribute {name}: "):
            getattr(pl, name)
    for name in OF_COMPOSITION:
        with pytest.raises(AttributeError, match=f"a composition has no attribute {name}: "):
            getattr(RUN, name)
    for name in OF_MECHANISMS:
        with pytest.raises(pl.SpecError, match=f"gaussian: has no parameter '{name}': "):
            pl.gaussian(**{name: 1})
    assert not hasattr(RUN, "no_such") and not hasattr(pl, "no_such") and hasattr(RUN, "epsilon")
    assert copy.deepcopy(RUN) == RUN == pickle.loads(pickle.dumps(RUN))


def test_operators_that_there_are_not():
    band = pl.gaussian(1).epsilon(1e-5)
    for ask, words in [(lambda: RUN + RUN, "a product composes"), (lambda: sum([RUN, RUN]), "a product composes"),
                       (lambda: RUN ^ 2, r"run\*\*2"), (lambda: 2 * RUN, r"run\*\*2"), (lambda: RUN * 2.5, r"run\*\*2.5"),
                       (lambda: band + 1, "two numbers"), (lambda: 1 - band, "two numbers"), (lambda: -band, "two numbers"),
                       (lambda: band / 2, "two numbers"), (lambda: int(band), "two numbers"), (lambda: round(band, 2), "rounds both")]:
        with pytest.raises(TypeError, match=words):
            ask()


def test_several_runs_where_one_is_meant():
    for several in ([RUN, RUN], ("gaussian(1)", "gaussian(2)")):
        with pytest.raises(pl.SpecError, match="plaudit.map"):
            pl.epsilon(several, 1e-5)
    with pytest.raises(pl.SpecError, match=r"noise_multiplier \(2,\), steps \(3,\)"):
        pl.epsilon(noise_multiplier=[1, 2], sample_rate=0.1, steps=[1, 2, 3], delta=1e-5)


def test_one_claim_and_a_delta_without_its_name():
    assert pl.audit({"spec": RUN, "delta": 1e-5, "epsilon": 2}).summary["valid"] == 1
    assert pl.compare(RUN, 1e-5, accountants=["contour"]).entries[0].band.lower == RUN.epsilon(1e-5, digits=12).lower
    with pytest.raises(pl.SpecError, match="give delta or epsilon"):
        pl.compare(RUN)
