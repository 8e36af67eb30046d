"""Tables have one form, and arrays in give arrays out."""
import warnings
from fractions import Fraction

import numpy as np
import plaudit as pl
import pytest

FIRST = ["spec", "delta", "quantity", "lower", "upper", "certified", "reached", "accountant", "seconds"]


def test_what_has_rows_is_a_table():
    pandas = pytest.importorskip("pandas")
    run = pl.gaussian(2)**10
    bands = run.epsilon([1e-5, 1e-6])
    compared = pl.compare(run, delta=1e-5, accountants=["contour", "moments"])
    audited = pl.audit([{"spec": run, "delta": 1e-5, "epsilon": 9}])
    found = pl.calibrate("gaussian(?)", epsilon=[1, 2], delta=1e-5)
    for thing in (bands, bands[0], run.curve(deltas=[1e-5]), pl.map([run], delta=1e-5)):
        assert list(thing.to_pandas().columns) == FIRST
    assert list(compared.to_pandas().columns) == FIRST + ["width", "verdict"]
    assert list(compared.to_pandas()["spec"]) == [run.spec] * 2 and compared.df.equals(compared.to_pandas())
    assert audited.to_pandas()["upper"].dtype == float and audited.df.equals(audited.to_pandas())
    assert list(found.to_pandas()["suffices"]) == [float(x) for x in found.suffices]
    assert len(found[0].to_pandas()) == 1
    assert all(isinstance(each.to_pandas(), pandas.DataFrame) for each in (bands, compared, audited, found))
    assert bands.to_pandas()["lower"][0] == bands.lower[0] == bands[0].lower


def test_errors_that_are_kept_are_rows():
    pytest.importorskip("pandas")
    kept = pl.map(["gaussian(1)", "gaussian(-1)"], delta=1e-5, errors="keep")
    table = kept.to_pandas()
    assert list(table.columns) == FIRST + ["error"] and "sigma" in table["error"][1]
    assert kept.lower[0] > 4 and np.isnan(kept.upper[1]) and isinstance(kept.errors[1], pl.SpecError) and len(kept.errors) == 1
    assert kept.to_dict()[1]["spec"] == "gaussian(-1)"
    pandas = pytest.importorskip("pandas")
    rows = pandas.DataFrame({"spec": ["gaussian(1)", None, "gaussian(1)", "gaussian(1)"], "steps": [None, None, 3, None],
                             "delta": [1e-5, 1e-5, 1e-5, "often"]})
    kept = pl.map(rows, errors="keep")
    assert list(kept.errors) == [1, 2, 3] and kept.upper[0] > 4 and np.isnan(kept.upper[1:]).all()
    for i, words in [(1, "row 1: what was run"), (2, "beside spec"), (3, "delta")]:
        assert words in str(kept.errors[i])
    assert list(kept.to_pandas()["delta"]) == ["1e-05", "1e-05", "1e-05", "often"]
    with pytest.raises(pl.SpecError, match="row 1"):
        pl.map(rows)
    assert list(pl.map(["gaussian(1)"] * 2, delta=[1e-5, float("nan")], errors="keep").errors) == [1]
    with pytest.raises(pl.SpecError, match="run 1: delta"):
        pl.map(["gaussian(1)"] * 2, delta=[1e-5, float("nan")])
    with pytest.raises(pl.SpecError, match="errors must be"):
        pl.map(["gaussian(1)"], delta=1e-5, errors="drop")


def test_arrays_give_arrays():
    run, grid = pl.gaussian(1), np.array([[0.1, 0.2, 0.3]])
    tests = run.best_tests()
    for ask in (run.epsilon, run.delta, run.tradeoff, pl.Session(run).delta, tests.true_positive_rate, tests.success,
                tests.predictive_value, lambda x: run.renyi(x + 1), lambda x: pl.tradeoff(run, x), lambda x: pl.renyi(run, x + 1)):
        many = ask(grid)
        assert isinstance(many, pl.Bands) and many.shape == many.lower.shape == (1, 3)
        assert many.lower[0, 1] == ask(grid[0, 1]).lower
    mixed = tests.predictive_value([["1/10"], ["1/5"]], prior=[0.5, 0.25])
    assert mixed.shape == (2, 2) and mixed[1, 1] == tests.predictive_value("1/5", 0.25) == mixed[3]
    assert mixed[:, 0].shape == (2,) and mixed[:, 0][1] == mixed[2] and len(mixed[1:3]) == 2
    losses = run.loss()
    tails = losses.p_above(grid)
    assert tails.shape == (1, 3) and tails[0, 2].lower == losses.p_above(0.3).lower
    assert [each.lower for each in losses.density([0, 1])] == [losses.density(0).lower, losses.density(1).lower]
    assert run.epsilon(range(1, 2)).shape == (1,)


def test_columns_of_pandas_are_arrays():
    pandas = pytest.importorskip("pandas")
    column = pandas.Series([1e-5, 1e-6])
    assert pl.gaussian(1).epsilon(column).upper.tolist() == pl.gaussian(1).epsilon([1e-5, 1e-6]).upper.tolist()


def test_tables_in_map():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"noise_multiplier": [0.8, 1.0], "sample_rate": [0.01, 0.02], "steps": [1000, 10],
                              "delta": [1e-5, 1e-6], "source": ["a", "b"]})
    bands = pl.map(table)
    assert [band.run for band in bands] == [pl.dpsgd(0.8, sample_rate=0.01, steps=1000), pl.dpsgd(1, sample_rate=0.02, steps=10)]
    assert [band.argument for band in bands] == ["1e-05", "1e-06"]
    specs = pandas.DataFrame({"spec": ["gaussian(1)", pl.laplace(2)], "epsilon": [4.4, 1], "delta": [1e-5, 1e-5]})
    assert [band.quantity for band in pl.map(specs)] == ["epsilon"] * 2  # the claimed one, at the stated delta
    assert [band.quantity for band in pl.map(specs[["spec", "epsilon"]])] == ["delta"] * 2
    assert [band.argument for band in pl.map(specs, delta="1/10")] == ["1/10"] * 2
    mixed = pandas.DataFrame({"spec": ["gaussian(1)", None], "noise_multiplier": [None, 1.1], "batch_size": [None, 256],
                              "dataset_size": [None, 60000], "epochs": [None, 1]})
    assert pl.map(mixed, delta=1e-5)[1].run == pl.dpsgd(1.1, 256, 60000, 1)
    single = pandas.DataFrame({"spec": ["gaussian(1)"], "delta": np.array([0.1], dtype=np.float32)})
    assert pl.map(single)[0].argument == "0.1"
    assert pl.audit(single.assign(epsilon=np.float32(0.9))).findings[0].verdict == "refuted"
    for bad, words in [(table.assign(colour=1), "colour"), (table.drop(columns="delta"), "column of that name"),
                       (specs.assign(steps=3), "beside spec.* no steps"),
                       (specs.assign(quantity="delta"), "no quantity"), (table.assign(direction="add"), "direction"), (pandas.DataFrame({"delta": [1e-5]}), "what was run")]:
        with pytest.raises(pl.SpecError, match=words):
            pl.map(bad)


def test_arrays_of_arguments_of_dpsgd():
    keys = {"sample_rate": 0.01, "steps": 100}
    many = pl.epsilon(noise_multiplier=[[0.8], [1.0]], delta=[1e-5, 1e-6, 1e-7], **keys)
    assert many.shape == (2, 3) and (np.diff(many.upper, axis=1) > 0).all() and (np.diff(many.upper, axis=0) < 0).all()
    assert many[1, 2] == pl.dpsgd(1, **keys).epsilon(1e-7, digits=None)
    one = pl.epsilon(noise_multiplier=np.float32(0.8), sample_rate=0.01, steps=100, delta=1e-5)
    assert one == pl.dpsgd(0.8, **keys).epsilon(1e-5) and isinstance(one, pl.Band)
    assert pl.delta(noise_multiplier=1, batch_size=256, dataset_size=60000, epochs=1, epsilon=1).run.spec.endswith("^235")
    assert pl.tradeoff(noise_multiplier=1, fpr=0.1, **keys).quantity == "false_negative_rate"
    assert pl.renyi(noise_multiplier=1, order=[2, 3], **keys).shape == (2,)
    for bad, words in [({"run": "gaussian(1)", "noise_multiplier": 1, "delta": 1e-5}, "not both"), ({"delta": 1e-5}, "what was run"),
                       ({"noise_multiplier": 1, "delta": 1e-5}, "sample_rate"), ({"run": "gaussian(1)"}, "delta is needed")]:
        with pytest.raises(pl.SpecError, match=words):
            pl.epsilon(**bad)


def test_repr_of_everything():
    run = pl.gaussian(1)
    band = run.epsilon(1e-5)
    things = [run, band, pl.map([run, run], delta=1e-5), run.curve(deltas=[1e-5]), run.best_tests(), run.gaussian_mu(),
              run.loss(), pl.Session(run), pl.compare(run, delta=1e-5, accountants=["contour"]), band.errors[0],
              pl.compare(run, delta=1e-5, accountants=["contour"]).entries[0], band.directions["remove"],
              pl.audit([{"spec": run, "delta": 1e-5, "epsilon": 9}]), pl.pure(1).loss().atoms()[0],
              pl.audit([{"spec": run, "delta": 1e-5, "epsilon": 9}]).findings[0], pl.Complex(1, 2), pl.Interval(1),
              pl.calibrate("gaussian(?)", epsilon=1, delta=1e-5), pl.calibrate("gaussian(?)", epsilon=[1], delta=1e-5),
              pl.check_certificate(band.certificate()), pl.cross_check(1), pl.Requests(), run.steps[0], run.adjacency]
    for thing in things:
        assert " object at 0x" not in repr(thing) and repr(thing), type(thing)


def test_wide_bands_warn_at_the_line_that_asks():
    run = pl.poisson(pl.gaussian(1), 0.01)**1000
    options = {"accountant": "moments"}
    asks = [lambda: run.epsilon(1e-5, **options), lambda: pl.epsilon(run, 1e-5, **options), lambda: run.epsilon([1e-5], **options),
            lambda: run.curve(deltas=[1e-5], **options), lambda: pl.map([run], delta=1e-5, **options),
            lambda: pl.Session(run, **options).epsilon(1e-5),
            lambda: pl.epsilon(noise_multiplier=[1], sample_rate=0.01, steps=1000, delta=1e-5, **options)]
    for ask in asks:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            ask()
        assert [(each.category, each.filename) for each in caught] == [(pl.WidthNotReached, __file__)]


def test_exact_values_of_tables_are_those_of_calls():
    bands = pl.epsilon("gaussian(1)", delta=[Fraction(1, 3), "1/3"])
    assert bands[0] == bands[1]
