"""The module as its users meet it: numbers, compositions, bands, curves, errors."""
import copy
import math
import pickle
import re
import threading
import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import plaudit as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st


# ---- Numbers

@given(st.floats(min_value=1e-6, max_value=1e6))
def test_a_float_is_the_decimal_it_prints(x):
    assert pl.gaussian(x) == pl.gaussian(repr(x)) == pl.gaussian(Decimal(repr(x)))


def test_other_numbers():
    assert pl.gaussian(0.1).spec == "gaussian(sigma=0.1)"
    assert pl.gaussian(Fraction(1, 3)).spec == "gaussian(sigma=1/3)"
    assert pl.gaussian(np.float64(0.1)) == pl.gaussian(0.1) == pl.gaussian(np.float32(0.1))
    assert pl.gaussian(np.int64(3)) == pl.gaussian(3)
    assert pl.gaussian(np.array(0.5)) == pl.gaussian(0.5)
    assert pl.gaussian(pl.binary(0.1)).arguments["sigma"] == Fraction(0.1) != Fraction(1, 10)


@pytest.mark.parametrize("text,value", [("10_000", 10000), ("1.67%", Fraction(167, 10000)),
                                        ("1/(60*800)", Fraction(1, 48000)), ("ceil(60000/256)", 235),
                                        (" 2 ", 2)])
def test_numbers_as_people_type_them(text, value):
    assert pl.gaussian(sigma=text).arguments["sigma"] == value
    assert pl.parse(f"gaussian(sigma={text})").arguments["sigma"] == value


def test_commas_between_digits_are_of_counts_alone():
    run = pl.dpsgd(1, batch_size=256, dataset_size="60,000", steps="1,000")
    assert run == pl.dpsgd(1, batch_size=256, dataset_size=60000, steps=1000)
    for wrong in ("0,001", "1,234", "1,234.5"):
        with pytest.raises(pl.SpecError):
            pl.gaussian(wrong)
        with pytest.raises(pl.SpecError):
            run.epsilon(delta=wrong)


@pytest.mark.parametrize("bad", [True, None, "1,23", "(1", "1)", "1)(1", "exp(2)", "1/0", "2*gaussian(1)", "1,2", float("nan"), math.inf, "1)*gaussian(1", "", "x", [],
                                 -1, 0, 1j, Decimal("nan"), object()])
def test_bad_numbers_are_refused_by_name(bad):
    with pytest.raises(pl.SpecError):
        pl.gaussian(sigma=bad)


def test_roots_and_variances_are_exact():
    assert pl.gaussian("2*sqrt(2)") == pl.gaussian(variance=8) == pl.parse("gaussian(variance=8)")
    assert pl.gaussian(variance=4) == pl.gaussian(2)
    joint = pl.poisson(pl.joint(pl.gaussian(1), pl.gaussian(1)), 0.1)
    assert joint.delta("0.1").decimal() == pl.poisson(pl.gaussian(variance="1/2"), 0.1).delta("0.1").decimal()
    step = pl.adaptive_clipping(1.1, 10, rate=0.01)
    assert step.spec == "adaptive_clipping(noise_multiplier=1.1, count_noise=10, rate=0.01)"


def test_equal_bands_answer_one_question():
    one = pl.gaussian(1).epsilon(1)
    other = pl.gaussian(1).epsilon("0.99")
    assert tuple(one) == tuple(other) == (0, 0) and one != other
    again = pl.gaussian(1).epsilon(1)
    assert one == again and hash(one) == hash(again) and len({one, other, again}) == 2
    assert pl.gaussian(1).delta(1) != pl.gaussian(1).tradeoff(1)


def test_a_question_mark_in_a_path_is_no_open_parameter(tmp_path):
    file = tmp_path / "which?.json"
    with pytest.raises(pl.SpecError, match="must be a readable file"):
        pl.pld(file=str(file))
    file.write_text('{"adjacency": "add/remove", "both": {"losses": ["0"], "masses": ["1"], "infinite": "0"}}')
    assert pl.pld(file=str(file)).epsilon(0).upper == 0


def test_errors():
    with pytest.raises(pl.SpecError, match="sigma must be a number > 0, not -1"):
        pl.gaussian(-1)
    with pytest.raises(ValueError, match="rate"):
        pl.poisson(pl.gaussian(1), rate=2)
    with pytest.raises(pl.NotApplicable, match="laplace_sum"):
        pl.gaussian(1).epsilon(1e-5, accountant="laplace_sum")
    with pytest.raises(pl.SpecError, match="no_such"):
        pl.gaussian(1).epsilon(1e-5, accountant="no_such")
    with pytest.raises(pl.SpecError, match="direction"):
        pl.gaussian(1).epsilon(1e-5, direction="sideways")
    with pytest.raises(pl.SpecError, match="delta"):
        pl.gaussian(1).epsilon(2)
    with pytest.raises(pl.SpecError, match="adjacenc"):
        pl.poisson(pl.gaussian(1), 0.1) * pl.with_replacement(pl.gaussian(1), 1, 10)
    with pytest.raises(AttributeError):
        pl.no_such_mechanism  # noqa: B018
    for bad in (-1, 1.5, 10**13, True, "x"):
        with pytest.raises(pl.SpecError):
            pl.gaussian(1) ** bad


@pytest.mark.parametrize("options, name", [
    ({"digits": 0}, "digits"), ({"digits": 1.5}, "digits"), ({"digits": 2**40}, "digits"), ({"digits": True}, "digits"),
    ({"threads": 0}, "threads"), ({"threads": "2"}, "threads"), ({"memory": -1}, "memory"), ({"memory": 2**80}, "memory"),
    ({"timeout": 0}, "timeout"), ({"timeout": -1}, "timeout"), ({"timeout": math.nan}, "timeout"), ({"timeout": "1"}, "timeout")])
def test_bad_options_are_refused_by_name(options, name):
    ask = [lambda: pl.gaussian(1).epsilon(1e-5, **options),
           lambda: pl.calibrate("gaussian(sigma=?)", epsilon=1, delta=1e-5, **options),
           lambda: pl.compare("gaussian(1)", delta=1e-5, **options)]
    for each in ask:
        with pytest.raises(pl.SpecError, match=f"{name}: must"):
            each()


def test_what_is_no_spec_and_no_claim():
    for bad in (3, None, b"gaussian(1)"):
        with pytest.raises(pl.SpecError, match="spec"):
            pl.parse(bad)
    with pytest.raises(pl.SpecError, match="a claim must be"):
        pl.audit([3])
    with pytest.raises(pl.SpecError, match="count"):
        pl.random_runs(-1)


# ---- Compositions

def test_composition():
    run = pl.poisson(pl.gaussian(0.8), rate="1/250")**1000 * pl.laplace(20)**7
    assert run.spec == "poisson(gaussian(sigma=0.8), rate=0.004)^1000 * laplace(scale=20)^7"
    assert run == pl.parse(run.spec) and hash(run) == hash(pl.parse(run.spec))
    assert run.adjacency == ("add_remove", 1, True)
    assert [(step.mechanism.name, step.count) for step in run.steps] == [("poisson", 1000), ("laplace", 7)]
    inner = run.steps[0].mechanism.arguments
    assert inner["rate"] == Fraction(1, 250) and inner["mechanism"] == pl.gaussian(0.8)
    assert pickle.loads(pickle.dumps(run)) == run == copy.deepcopy(run)
    vectors = "mixture(sigma=1, sensitivities=[[1, 0], [0.6, 0.8]], probabilities=[0.5, 0.5])"
    assert pl.parse(vectors).stated == vectors
    assert (pickle.loads(pickle.dumps(pl.parse(vectors)**2)) * pl.parse(vectors)).stated == vectors + "^3"
    assert pl.mixture(1, [0, 1], [0.5, "1/2"]).arguments["sensitivities"] == [0, 1]
    assert "gaussian(sigma=1)" in pl.gaussian(1)._repr_html_()


def test_dpsgd():
    run = pl.dpsgd(noise_multiplier=1.1, batch_size=256, dataset_size=60000, epochs=60)
    assert run.spec == "poisson(gaussian(sigma=1.1), rate=8/1875)^14063"  # ceil(14062.5)
    assert run == pl.dpsgd(1.1, sample_rate="256/60000", steps=14063)
    for bad in ({"sample_rate": 0.1}, {"steps": 3}, {"batch_size": 1, "steps": 3},
                {"sample_rate": 0.1, "steps": 3, "epochs": 1},
                {"sample_rate": 0.1, "batch_size": 3, "steps": 3},
                {"batch_size": 0, "dataset_size": 5, "epochs": 1}):
        with pytest.raises(pl.SpecError):
            pl.dpsgd(1.1, **bad)


# ---- Bands

def test_band():
    band = pl.epsilon("poisson(gaussian(0.8), 1/250)^1000", delta=1e-7)
    assert band.lower <= 2.0858983612954 <= band.upper and band.width < 1e-11
    assert 2.0858983612954 in band and band.certified and band.reached
    assert set(band.directions) == {"remove", "add"}
    assert band.directions["remove"].upper == band.upper
    assert band.errors and all(term.size >= 0 and term.theorem for term in band.errors)
    again = pickle.loads(pickle.dumps(band))
    assert again == band and again.decimal(30) == band.decimal(30)
    assert again.errors[0].theorem == band.errors[0].theorem
    assert "certified" in repr(band) and "<table>" in band._repr_html_()


def test_infinite_and_zero():
    assert pl.approximate(1, 1e-3).epsilon(1e-4).upper == math.inf
    assert pl.approximate(1, 1e-3).epsilon(1e-4).lower == math.inf
    assert tuple(pl.gaussian(1).epsilon(1)) == (0, 0)


def test_arrays_and_curves():
    run = pl.gaussian(2)**10
    deltas = np.array([[1e-9, 1e-7], [1e-5, 1e-3]])
    bands = pl.epsilon(run, delta=deltas)
    assert bands.lower.shape == (2, 2) and (bands.lower <= bands.upper).all()
    assert (np.diff(bands.upper.ravel()) < 0).all()
    curve = run.curve(deltas=deltas.ravel())
    assert curve.upper.tolist() == bands.upper.ravel().tolist()
    assert curve.points == [1e-9, 1e-7, 1e-5, 1e-3]
    both = run.curve(epsilons=[0.5, 1, 2])
    assert all(a > b for a, b in zip(both.lower, both.upper[1:]))
    assert "<svg" in curve._repr_html_() and "<svg" in both._repr_html_()
    with pytest.raises(pl.SpecError):
        run.curve()


def test_pandas():
    pytest.importorskip("pandas")
    table = (pl.gaussian(2)**10).curve(deltas=[1e-5, 1e-6]).to_pandas()
    assert list(table["delta"]) == ["1e-05", "1e-06"] and (table["lower"] <= table["upper"]).all()


def test_a_width_that_was_not_reached_warns_with_the_band():
    run = pl.poisson(pl.gaussian(1), 0.01)**1000
    with pytest.warns(pl.WidthNotReached) as caught:
        band = run.epsilon(1e-5, accountant="moments")
    assert caught[0].message.band == band and not band.reached and band.certified
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run.epsilon(1e-5)


def test_a_law_by_intervals_says_what_stopped_the_work(tmp_path):
    law = tmp_path / "law.json"
    law.write_text('{"adjacency": "add/remove", "both": {"losses": ["-1", "1"], '
                   '"masses": [["0.26", "0.27"], ["0.73", "0.74"]]}}')
    with pytest.warns(pl.WidthNotReached):
        band = pl.parse(f'pld(file="{law}")').delta(0.3)
    assert band.stopped_by == "law" and pickle.loads(pickle.dumps(band)).stopped_by == "law"
    assert pl.gaussian(1).epsilon(1e-5).stopped_by == ""


def test_digits_for_which_nobody_asked():
    dear, at = pl.parse("bounded_range(epsilon=0.18)^2"), "5.6e-5"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        few, all_of_them = dear.epsilon(at), dear.epsilon(at, digits=12)
        again = pl.epsilon(dear, at)
    assert few.reached and (few.digits, few.stopped_by) == (6, "enough") and "digits=12" in few.remark
    assert all_of_them.reached and (all_of_them.digits, all_of_them.stopped_by) == (12, "")
    assert all_of_them.upper - all_of_them.lower < 1e-11 < few.upper - few.lower < 2e-6 * few.upper
    assert few.lower <= all_of_them.upper and all_of_them.lower <= few.upper
    assert again == few and pickle.loads(pickle.dumps(few)).digits == 6
    assert pl.Session(dear).epsilon(at).digits == 12 and dear.epsilon([at])[0].digits == 12
    assert pl.gaussian(1).epsilon(1e-5).digits == 12 and pl.gaussian(1).delta(1).digits == 12
    assert dear.delta(0.1, digits=4).digits == 4
    text = few.certificate()
    assert pl.check_certificate(text)


def test_estimates_are_called_so():
    band = pl.gaussian(1).epsilon(1e-5, accountant="gaussian_limit")
    assert not band.certified and "estimate" in repr(band)


def test_certificates():
    text = pl.gaussian(1).epsilon(1e-5, digits=6).certificate()
    check = pl.check_certificate(text)
    assert check and check.accepted and "gaussian(sigma=1)" in check.spec
    assert not pl.check_certificate(text.replace('"sigma": "1"', '"sigma": "2"').replace("gaussian(sigma=1)", "gaussian(sigma=2)"))
    assert not pl.check_certificate("{}")


def test_certificates_are_made_of_what_a_band_was_found_by():
    band = pl.curve("gaussian(2)^4", deltas=[1e-5, 1e-6], digits=8)[1]
    text = band.certificate()
    assert pl.check_certificate(text)
    assert pickle.loads(pickle.dumps(band)).certificate() == text  # found again
    with pytest.raises(pl.NotApplicable):
        pl.renyi("gaussian(1)", 2).certificate()
    for timeout in (0, -1, float("nan"), "x"):
        with pytest.raises(pl.SpecError, match="timeout: must be"):
            band.certificate(timeout=timeout)


def test_the_law_of_the_loss():
    loss = pl.pure("1/10").loss()
    assert len(loss.atoms()) == 2 and loss.atoms()[1].exact_loss == "0.1"
    assert loss.p_atom("1/10").lower > 0.5 and loss.p_above("1/10").upper == 0
    assert loss.greatest_loss().lower <= 0.1 <= loss.greatest_loss().upper
    gaussian = pl.gaussian(1).loss("add")
    assert gaussian.p_above(0.5).lower <= 0.5 <= gaussian.p_above(0.5).upper
    assert gaussian.density(0).lower > 0 and gaussian.quantile("1/2").lower <= 0.5
    assert gaussian.atoms() == []
    with pytest.raises(pl.SpecError, match="no finite list"):
        pl.discrete_gaussian(2).loss().atoms()
    assert len(pl.discrete_gaussian(2).loss().atoms(0, 1)) == 4  # 1/8, 3/8, 5/8, 7/8


def test_renyi():
    band = pl.renyi(pl.gaussian(2)**10, 4)
    assert band.lower <= 4 * 10 / 8 <= band.upper


# ---- Threads

def test_threads_run_side_by_side_and_share_sessions():
    session = pl.Session(pl.poisson(pl.gaussian(1), 0.01)**1000, digits=8)
    bands = {}

    def ask(k):
        bands[k] = session.epsilon(f"1e-{k}")

    threads = [threading.Thread(target=ask, args=(k,)) for k in range(3, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    uppers = [bands[k].upper for k in sorted(bands)]
    assert uppers == sorted(uppers) and len(uppers) == 6


# ---- Comparison and audit

def test_compare():
    found = pl.compare("gaussian(1)", delta=1e-5, timeout=2)
    assert found["contour"].verdict == "reached" and not found.contradiction
    rows = found.rows()
    widths = [row["width"] for row in rows if row["certified"]]
    assert widths == sorted(widths)
    assert "no band" in repr(found) and "<table>" in found._repr_html_()
    for entry in found.entries:  # what is printed contains the band
        if entry.band is None or f"  {entry.accountant} " not in repr(found):
            continue
        lower, upper = re.search(rf"  {re.escape(entry.accountant)} +\[(\S+), (\S+)\]", repr(found)).groups()
        assert Decimal(lower) <= Decimal(entry.band.lower_decimal(40))
        assert Decimal(upper) >= Decimal(entry.band.upper_decimal(40))
    assert {entry.accountant for entry in pl.compare("gaussian(1)", epsilon=1, accountants=["contour", "prv"]).entries} == {"contour", "prv"}
    with pytest.raises(pl.SpecError):
        pl.compare("gaussian(1)")


def test_audit(tmp_path):
    claims = [{"id": "low", "spec": "gaussian(1)", "delta": 1e-5, "epsilon": 4.3},
              {"id": "high", "spec": pl.gaussian(1), "delta": 1e-5, "epsilon": 4.4},
              {"id": "inf", "spec": "gaussian(1)", "delta": 0, "epsilon": math.inf},
              {"id": "bad", "spec": "gaussian(-1)", "delta": 1e-5, "epsilon": 4.4}]
    found = pl.audit(claims)
    assert [one.verdict for one in found.findings] == ["refuted", "valid", "valid", "error"] or \
        [one.verdict for one in found.findings] == ["refuted", "valid", "tight", "error"]
    assert found.findings[0].witness["direction"] and float(found.findings[0].gap_epsilon) > 0.07
    assert found.summary["refuted"] == 1 and len(found) == 4
    assert "refuted" in found.markdown() and "<html" in found.html()
    path = tmp_path / "claims.csv"
    path.write_text("id,spec,delta,epsilon,kind\na,gaussian(1),1e-5,4.3,upper\n")
    assert pl.audit(path).summary["refuted"] == 1
    pandas = pytest.importorskip("pandas")
    assert pl.audit(pandas.DataFrame(claims[:2])).summary["refuted"] == 1
    assert list(found.df["verdict"])[0] == "refuted"


@settings(max_examples=15, deadline=None)
@given(sigma=st.integers(5, 40), steps=st.integers(1, 1000), k=st.integers(3, 9))
def test_more_noise_and_fewer_steps_need_less(sigma, steps, k):
    def upper(s, n):
        return (pl.poisson(pl.gaussian(Fraction(s, 10)), "1/50")**n).epsilon(f"1e-{k}", digits=6)

    base = upper(sigma, steps)
    assert upper(sigma + 1, steps).lower <= base.upper
    assert upper(sigma, steps + 1).upper >= base.lower


def test_map():
    runs = pl.random_runs(8, seed=3)
    bands = pl.map(runs, delta=1e-5, digits=6, chunk=3)
    assert [band.run for band in bands] == runs
    each = pl.map(["gaussian(1)"] * 3, delta=[1e-3, 1e-4, 1e-5])
    assert each.upper.tolist() == sorted(each.upper.tolist())
    kept = pl.map(["gaussian(1)", "gaussian(-1)"], delta=1e-5, errors="keep")
    assert kept[0].upper > 4 and isinstance(kept[1], pl.SpecError)
    with pytest.raises(pl.SpecError, match="sigma"):
        pl.map(["gaussian(-1)"], delta=1e-5)
    with pytest.raises(pl.SpecError, match="values"):
        pl.map(["gaussian(1)"], delta=[1e-5, 1e-6])


def test_map_in_a_process_pool():
    from concurrent.futures import ProcessPoolExecutor

    runs = pl.random_runs(8, seed=4)
    with ProcessPoolExecutor(2) as pool:
        there = pl.map(runs, delta=1e-5, digits=6, executor=pool, chunk=2)
    here = pl.map(runs, delta=1e-5, digits=6)
    assert [band.decimal(10) for band in there] == [band.decimal(10) for band in here]


# ---- Pictures

def test_pictures():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    run = pl.poisson(pl.gaussian(1), 0.01)**1000
    ax = run.curve(deltas=[1e-9, 1e-7, 1e-5], digits=6).plot()
    assert ax.get_yscale() == "log" and len(ax.lines) == 1
    assert run.curve(epsilons=[0.1, 0.5], digits=6).plot(ax) is ax and len(ax.lines) == 2
    assert pl.compare(run, delta=1e-5, digits=4, timeout=1, accountants=["contour", "prv", "gaussian_limit"]).plot().get_yticks().size == 3
    found = pl.audit([{"spec": "gaussian(1)", "delta": 1e-5, "epsilon": value} for value in (4.3, 4.4, 4.5)])
    assert found.hist().get_xlabel()


def test_the_program_of_the_package():
    import subprocess
    import sys

    done = subprocess.run([sys.executable, "-m", "plaudit", "epsilon", "gaussian(1)", "--delta", "1e-5"],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "4.377178" in done.stdout, done.stderr
