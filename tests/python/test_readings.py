"""What training code does against what its accountant assumes: each fact by itself, and stubs that look like the objects of
Opacus and jax-privacy (with those themselves: adaptors/test_readings_of_libraries.py)."""
import json
import math
from fractions import Fraction
from types import SimpleNamespace

import plaudit as pl
import pytest

TRAINING = {"noise_multiplier": "1.1", "sample_rate": "0.01", "steps": 100, "sampling": "poisson"}
RUN = pl.poisson(pl.gaussian("1.1"), rate="0.01") ** 100


def codes(seen):
    return [(one.effect, one.code) for one in seen.findings]


def test_as_claimed():
    seen = pl.read_training(TRAINING)
    assert seen.as_claimed and codes(seen) == [] and seen.run == seen.claim == RUN
    assert seen.epsilon(1e-5) == RUN.epsilon(1e-5) and seen.refusals == []
    assert pl.read_training(json.dumps(TRAINING)).run == RUN


@pytest.mark.parametrize("more, effect, code, run", [
    ({"sampling": "shuffled"}, "changes", "no_poisson_sampling", "gaussian(1.1)^100"),
    ({"sampling": "shuffled", "batches_of_a_step": 3}, "changes", "batches_of_a_step", "gaussian(1.1, sensitivity=3)^100"),
    ({"sampler_rate": "0.02"}, "changes", "sample_rate", "poisson(gaussian(1.1), rate=0.02)^100"),
    ({"noise_norm": 1, "clipping_norm": "2.5"}, "changes", "clipping_norm", "poisson(gaussian(1.1, sensitivity=2.5), 0.01)^100"),
    ({"workers": 4, "noise_of_each_worker": "1/4"}, "changes", "noise_of_workers", "poisson(gaussian(0.55), 0.01)^100"),
    ({"workers": 4, "noise_of_each_worker": 1}, "changes", "noise_of_workers", "poisson(gaussian(2.2), 0.01)^100"),
    ({"batches_of_a_step": 2}, "changes", "batches_of_a_step",
     "mixture(1.1, [0, 1, 2], [0.990025, 0.00995, 0.000025])^100"),
    ({"sampling": "fixed", "batch": 10, "population": 1000}, "changes", "fixed_batches",
     "without_replacement(gaussian(1.1, sensitivity=2), 10, 1000, adjacency=replace)^100"),
    ({"sampling": "fixed_with_replacement", "batch": 10, "population": 1000}, "changes", "fixed_batches",
     "with_replacement(gaussian(1.1, sensitivity=2), 10, 1000)^100"),
    ({"sampling": "balls_in_bins", "cycle": 100}, "changes", "balls_in_bins", "random_allocation(gaussian(1.1), 100)"),
    ({"history": [["1.1", "0.01", 60]]}, "changes", "steps", "poisson(gaussian(1.1), 0.01)^100"),
])
def test_what_changes_the_run(more, effect, code, run):
    seen = pl.read_training(TRAINING, **more)
    assert (effect, code) in codes(seen) and not seen.as_claimed
    assert seen.run == pl.parse(run) and seen.claim is not None
    assert code in repr(seen)


@pytest.mark.parametrize("more, code", [
    ({"clipping": "none"}, "no_clipping"), ({"clipping_norm": math.inf}, "no_clipping"),
    ({"clipping": "adaptive"}, "adaptive_clipping"), ({"clipping": "hourly"}, "clipping"),
    ({"averaged_by": "actual"}, "averaged_by_actual_batch"), ({"empty_batches": "skipped"}, "empty_batches"),
    ({"noise_multiplier": 0}, "no_noise"), ({"sampling": "unheard of"}, "sampling"), ({"sampling": "fixed"}, "fixed_batches"),
    ({"batches_of_a_step": 1000}, "batches_of_a_step"), ({"unknown": "a thing"}, "unknown"),
    ({"history": [[1, "0.1", 3], [2, "0.1", 3]]}, "steps"),
    ({"history": [[1, "0.1", 50], [1, "0.2", 50]], "sampler_rate": "0.1"}, "sample_rate"),
    ({"history": [[1, "0.1", 50], [2, "0.1", 50]], "sampling": "balls_in_bins", "cycle": 50}, "balls_in_bins"),
])
def test_what_is_refused(more, code):
    seen = pl.read_training({**TRAINING, **more})
    assert ("refused", code) in codes(seen) and seen.run is None
    with pytest.raises(pl.NotApplicable, match=code):
        seen.epsilon(1e-5)
    assert "nothing is proven" in repr(seen)
    assert not seen.as_claimed


def test_workers_have_no_more_noise_than_there_is():
    seen = pl.read_training(TRAINING, workers=2, noise_of_each_worker="1/2")  # the sum has 1.1 / sqrt(2)
    sigma = seen.run.steps[0].mechanism.arguments["mechanism"].arguments["sigma"]
    assert sigma ** 2 * 2 <= Fraction("1.21") < (sigma + Fraction(1, 10 ** 15)) ** 2 * 2


def test_batches_drawn_by_themselves_by_brute_force():
    """The mixture against the sum over how many of two batches have the record."""
    seen = pl.read_training({**TRAINING, "steps": 1}, batches_of_a_step=2, sampler_rate="0.3")
    q, sigma = 0.3, 1.1
    above = lambda x, mean: 0.5 * math.erfc((x - mean) / sigma / math.sqrt(2))  # noqa: E731
    best = max(sum(w * above(x, i) for i, w in enumerate([(1 - q) ** 2, 2 * q * (1 - q), q * q])) - math.exp(0.2) * above(x, 0)
               for x in [i / 1000 for i in range(-3000, 6000)])
    assert seen.run.delta("0.2", direction="remove").upper == pytest.approx(best, abs=1e-7)


def test_claimed_numbers():
    stated = {**TRAINING, "delta": "1e-5"}
    assert pl.read_training(stated, epsilon=1).as_claimed
    seen = pl.read_training(stated, epsilon="0.5")
    assert codes(seen) == [("exceeds", "epsilon")] and seen.findings[0].consequence == "the claim is refuted"
    assert not seen.as_claimed and seen.run == RUN
    halves = pl.read_training(stated, epsilon="0.5", workers=2, noise_of_each_worker="1/2")
    assert ("noted", "epsilon") in codes(halves)  # the noise is rounded, so lower ends are none
    fixed = pl.read_training(stated, epsilon="0.1", sampling="fixed", batch=10, population=1000)
    assert codes(fixed) == [("changes", "fixed_batches")]  # of replaced records, which was not claimed


def test_as_data():
    pandas = pytest.importorskip("pandas")
    seen = pl.read_training(TRAINING, sampling="shuffled", seed=3)
    assert json.loads(json.dumps(seen.to_dict()))["run"] == "gaussian(sigma=1.1)^100"
    table = seen.to_pandas()
    assert isinstance(table, pandas.DataFrame) and list(table.code) == ["seed", "no_poisson_sampling"]
    assert list(pl.read_training(TRAINING).to_pandas().columns) == ["code", "found", "assumed", "consequence", "effect"]
    assert seen.findings[0] == pl.CodeFinding("seed", *seen.findings[0][1:])


@pytest.mark.parametrize("wrong, words", [
    ({"colour": 1}, "colour is no fact"), ({"sample_rate": 0}, "sample_rate"), ({"noise_multiplier": -1}, "noise_multiplier"),
    ({"sample_rate": "x"}, "sample_rate"), ({"steps": "ten"}, "steps"), ({"history": [1]}, "history"), ({"history": 7}, "history"),
    ({"sample_rate": "1e-999999999"}, "too many digits"), ({"workers": 0, "noise_of_each_worker": 1}, "workers"), ({"batches_of_a_step": 0}, "batches_of_a_step"),
])
def test_wrong_facts(wrong, words):
    with pytest.raises(pl.SpecError, match=words):
        pl.read_training({**TRAINING, **wrong})


@pytest.mark.parametrize("wrong", [7, "{", "[1]", object(), {}])
def test_what_is_no_training(wrong):
    with pytest.raises(pl.SpecError, match="read_training"):
        pl.read_training(wrong)


# ---- Stubs of Opacus

def of_class(name, **fields):
    return type(name, (), {"__module__": "opacus.made_up", **fields})()


def opacus(sampler="UniformWithReplacementSampler", optimizer="DPOptimizer", history=((1.1, 0.01, 100),), **fields):
    engine = SimpleNamespace(accountant=SimpleNamespace(history=list(history)))
    if isinstance(sampler, str):
        sampler = of_class(sampler, sample_rate=0.01, num_replicas=2)
    return {"training": engine, "data_loader": SimpleNamespace(batch_sampler=sampler, collate_fn=None),
            "optimizer": of_class(optimizer, **{"max_grad_norm": 1.5, "generator": None, "secure_mode": False, **fields})}


def test_opacus_as_it_should_be():
    seen = pl.read_training(**opacus())
    assert seen.as_claimed and seen.run == RUN and seen.assumptions[0] == "not read: module, criterion"
    split = of_class("BatchSplittingSampler", sampler=of_class("UniformWithReplacementSampler", sample_rate=0.01))
    assert pl.read_training(**opacus(split)).run == RUN


@pytest.mark.parametrize("changed, effect, code", [
    ({"sampler": of_class("BatchSampler", sampler=of_class("RandomSampler", replacement=False), __len__=lambda self: 100)},
     "changes", "no_poisson_sampling"),
    ({"sampler": of_class("BatchSampler", sampler=of_class("RandomSampler", replacement=True))}, "refused", "unknown"),
    ({"sampler": of_class("BatchSampler", sampler=of_class("WeightedRandomSampler"))}, "refused", "unknown"),
    ({"sampler": of_class("MySampler")}, "refused", "unknown"),
    ({"sampler": of_class("UniformWithReplacementSampler", sample_rate=0.01, __module__="mine")}, "refused", "unknown"), ({"sampler": None}, "refused", "unknown"),
    ({"sampler": "DistributedUniformWithReplacementSampler"}, "refused", "empty_batches"),
    ({"history": [(1.1, 0.03, 100)]}, "changes", "batches_of_a_step"),
    ({"history": [(1.1, 0.025, 100)]}, "changes", "sample_rate"),
    ({"optimizer": "MyOptimizer"}, "refused", "unknown"), ({"optimizer": "AdaClipDPOptimizer"}, "refused", "adaptive_clipping"),
    ({"optimizer": "DPOptimizerFastGradientClipping"}, "refused", "unknown"),
    ({"generator": SimpleNamespace(initial_seed=lambda: 5)}, "noted", "seed"),
])
def test_opacus_as_it_should_not_be(changed, effect, code):
    assert (effect, code) in codes(pl.read_training(**opacus(**changed)))


def test_an_optimizer_that_was_changed():
    changed = opacus()
    changed["optimizer"].clip_and_accumulate = lambda: None
    assert ("refused", "unknown") in codes(pl.read_training(**changed))


def test_modules_and_losses_of_opacus():
    ghost = opacus(optimizer="DPOptimizerFastGradientClipping")
    assert pl.read_training(**ghost, module=SimpleNamespace(max_grad_norm=1.5, loss_reduction="mean")).as_claimed
    seen = pl.read_training(**ghost, module=SimpleNamespace(max_grad_norm=3.0))
    assert codes(seen) == [("changes", "clipping_norm")] and seen.run.steps[0].count == 100
    assert seen.run.epsilon(1e-5).decimal(8) == (pl.poisson(pl.gaussian("0.55"), rate="0.01") ** 100).epsilon(1e-5).decimal(8)
    mean, sums = SimpleNamespace(loss_reduction="mean"), SimpleNamespace(reduction="sum")
    assert ("refused", "averaged_by_actual_batch") in codes(pl.read_training(**opacus(), module=mean, criterion=sums))
    assert pl.read_training(**opacus(), module=mean, criterion=SimpleNamespace(reduction="mean")).as_claimed
    per_layer = opacus(optimizer="DPPerLayerOptimizer", max_grad_norms=[1, 1])
    assert pl.read_training(**per_layer).as_claimed


def test_saved_states_of_opacus():
    state = {"history": [[1.1, 0.01, 100]], "mechanism": "rdp"}
    for saved in (state, json.dumps(state), {"privacy_accountant_state_dict": state}):
        assert ("refused", "sampling") in codes(pl.read_training(saved))  # a history does not say how batches were drawn
        assert pl.read_training(saved, sampling="poisson").run == RUN
    assert pl.read_training({**state, "poisson_sampling": False}).run == pl.gaussian("1.1") ** 100


# ---- Stubs of jax-privacy, and scores

def plan(strategy, event=None):
    event = event or {"class_name": "SelfComposedDpEvent", "count": 100, "event": {
        "class_name": "PoissonSampledDpEvent", "sampling_probability": 0.01,
        "event": {"class_name": "GaussianDpEvent", "noise_multiplier": 1.1}}}
    return SimpleNamespace(dp_event=event, batch_selection_strategy=strategy)


def cyclic(**fields):
    return of_class("CyclicPoissonSampling", **{"sampling_prob": 0.01, "iterations": 100, "cycle_length": 1,
                                                "truncated_batch_size": None, **fields})


def test_plans_of_jax_privacy():
    seen = pl.read_training(plan(cyclic()))
    assert seen.as_claimed and seen.run == RUN
    assert codes(pl.read_training(plan(cyclic(sampling_prob=0.02)))) == [("changes", "sample_rate")]
    assert codes(pl.read_training(plan(cyclic(iterations=200)))) == [("changes", "steps")]
    # correlated noise: a record meets one Gaussian in each cycle, and the event has as many
    assert codes(pl.read_training(plan(cyclic(cycle_length=4)))) == [("changes", "steps")]
    banded = pl.read_training(plan(cyclic(cycle_length=4, iterations=397)))
    assert banded.as_claimed and banded.run == RUN
    assert ("refused", "unknown") in codes(pl.read_training(plan(cyclic(truncated_batch_size=9))))
    assert ("refused", "unknown") in codes(pl.read_training(plan(of_class("UserSelectionStrategy"))))
    fixed = of_class("FixedBatchSampling", batch_size=10, iterations=100, replace=False)
    assert ("refused", "fixed_batches") in codes(pl.read_training(plan(fixed)))
    assert codes(pl.read_training(plan(fixed), population=1000)) == [("changes", "fixed_batches")]
    bins = of_class("BallsInBinsSampling", iterations=100, cycle_length=50)
    assert pl.read_training(plan(bins)).run == pl.random_allocation(pl.gaussian("1.1"), 50, epochs_of_one_assignment=2)
    laplace = {"class_name": "LaplaceDpEvent", "noise_multiplier": 2}
    assert ("refused", "unknown") in codes(pl.read_training(plan(cyclic(), laplace)))


def keras(**fields):
    return SimpleNamespace(**{"epsilon": 5.0, "delta": 1e-5, "clipping_norm": 1.0, "batch_size": 10, "gradient_accumulation_steps": 1,
                              "train_steps": 100, "train_size": 1000, "poisson_sampling_in_fit": True, "noise_multiplier": 1.1,
                              "seed": None, **fields})


def test_keras_of_jax_privacy():
    assert pl.read_training(keras()).run == RUN and pl.read_training(keras()).as_claimed
    seen = pl.read_training(keras(poisson_sampling_in_fit=False))
    # an upper bound, so that it refutes nothing: a record is in one batch of each pass
    assert codes(seen) == [("changes", "no_poisson_sampling"), ("noted", "epsilon")] and "upper ends" in seen.assumptions[-1]
    seen = pl.read_training(keras(gradient_accumulation_steps=2))
    assert seen.claim == pl.poisson(pl.gaussian("1.1"), rate="0.02") ** 100
    assert codes(seen) == [("changes", "batches_of_a_step")] and seen.run.steps[0].mechanism.name == "mixture"
    with pytest.raises(pl.SpecError, match="noise_multiplier is not known"):
        pl.read_training(keras(noise_multiplier=None))


def test_scores_of_canaries():
    auditor = SimpleNamespace(_in_canary_scores=[3, 2.5], _out_canary_scores=[1])
    assert pl.canary_scores(auditor) == ([3.0, 2.5], [1.0])
    assert pl.canary_scores([3, 1, 2.5], members=[1, 0, True]) == ([3.0, 2.5], [1.0])
    assert pl.canary_scores({"score": [1, 2], "member": [0, 1]}) == ([2.0], [1.0])
    for wrong, members in (([1, 2], [1]), ([1], ["yes"]), ([1], None), (7, None)):
        with pytest.raises(pl.SpecError, match="canary_scores"):
            pl.canary_scores(wrong, members)
    seen = pl.observe("gaussian(sigma=2)", *pl.canary_scores(range(200), [i > 99 for i in range(200)]), design="coins",
                      guesses=(50, 50))
    assert seen.guesses == [(100, 100, 200)]


def test_what_is_stated_to_be_missing_is_missing():
    plain = {"noise_multiplier": 1, "sample_rate": 0.01, "steps": 10, "sampling": "poisson"}
    assert pl.read_training(plain).as_claimed
    for name in ("clipping", "clipping_norm"):
        reading = pl.read_training({**plain, name: None})
        assert reading.run is None and "no_clipping" in reading.refusals[0], reading
    silent = pl.read_training({**plain, "workers": 4, "noise_of_each_worker": 0})
    assert silent.run is None and "no_noise" in silent.refusals[0], silent
    assert "rounded" in str(pl.read_training({**plain, "sampling": "shuffled", "workers": 3, "noise_of_each_worker": "1/2"}).assumptions)
