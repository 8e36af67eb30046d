"""What trainings with Opacus and jax-privacy, as pip installs them, are read as; stubs of them are in ../test_readings.py."""
import warnings
from types import SimpleNamespace

import plaudit as pl
import pytest


def codes(seen):
    return [(one.effect, one.code) for one in seen.findings]


# ---- Opacus

def training(batches=1, reduction="mean", loader=None, steps=True, epochs=2, **private):
    opacus = pytest.importorskip("opacus")
    import torch

    torch.manual_seed(0)
    data = torch.utils.data.TensorDataset(torch.randn(96, 4), torch.randint(0, 2, (96,)))
    loader = loader(data) if loader else torch.utils.data.DataLoader(data, batch_size=16, shuffle=True)
    model = torch.nn.Linear(4, 2)
    loss = torch.nn.CrossEntropyLoss(reduction=reduction)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        engine = opacus.PrivacyEngine()
        made = engine.make_private(module=model, optimizer=torch.optim.SGD(model.parameters(), lr=0.1), data_loader=loader, criterion=loss,
                                   noise_multiplier=1.1, **{"max_grad_norm": 1.0, **private})
        module, optimizer, loader = made[0], made[1], made[-1]
        loss = made[2] if len(made) == 4 else loss
        if batches > 1:
            module.allow_grad_accumulation()
        for _ in range(epochs if steps else 0):
            for i, (x, y) in enumerate(loader):
                if i % batches == 0:
                    optimizer.zero_grad()
                loss(module(x), y).backward()
                if i % batches == batches - 1:
                    optimizer.step()
    return {"training": engine, "optimizer": optimizer, "data_loader": loader, "module": module, "criterion": loss}


def test_opacus_as_it_should_be():
    trained = training()
    seen = pl.read_training(**trained)
    assert seen.as_claimed and seen.run == pl.from_(trained["training"]) == seen.claim
    assert seen.run.steps[0].count == 12 and len(seen.assumptions) == 2
    assert trained["training"].get_epsilon(1e-5) >= seen.epsilon(1e-5).lower
    partly = pl.read_training(trained["training"])
    assert codes(partly) == [("refused", "sampling")] and "data_loader" in partly.assumptions[0]


def test_without_poisson_sampling():
    trained = training(poisson_sampling=False)
    seen = pl.read_training(**trained)
    assert codes(seen) == [("changes", "no_poisson_sampling")] and seen.run == pl.gaussian("1.1") ** 12
    # Opacus' own accountant claims less than what is proven to be there, by far.
    assert trained["training"].get_epsilon(1e-5) < seen.epsilon(1e-5).lower / 2


def test_batches_that_are_added_up():
    seen = pl.read_training(**training(batches=2))
    assert codes(seen) == [("changes", "batches_of_a_step")] and seen.run.steps[0].mechanism.name == "mixture"
    assert seen.run.steps[0].count == 6 and seen.run.epsilon(1e-5).lower > seen.claim.epsilon(1e-5).upper
    unsampled = pl.read_training(**training(batches=2, poisson_sampling=False))
    assert unsampled.run == pl.gaussian("1.1", sensitivity=2) ** 6


def test_batches_that_are_split_are_one():
    pytest.importorskip("opacus")
    from opacus.utils.batch_memory_manager import BatchMemoryManager

    trained = training(steps=False)
    engine, optimizer = trained["training"], trained["optimizer"]
    with BatchMemoryManager(data_loader=trained["data_loader"], max_physical_batch_size=4, optimizer=optimizer) as parts:
        for x, y in parts:
            optimizer.zero_grad()
            trained["criterion"](trained["module"](x), y).backward()
            optimizer.step()
        seen = pl.read_training(**{**trained, "data_loader": parts})
    assert seen.as_claimed and seen.run == pl.from_(engine) and seen.run.steps[0].count == 6


@pytest.mark.parametrize("private, effect, code", [
    ({"reduction": "sum"}, "refused", "averaged_by_actual_batch"),
    ({"rand_on_empty": True}, "refused", "empty_batches"),
    ({"clipping": "adaptive", "target_unclipped_quantile": 0.5, "clipbound_learning_rate": 0.2, "max_clipbound": 10.0,
      "min_clipbound": 0.1, "unclipped_num_std": 2.0, "epochs": 1}, "refused", "adaptive_clipping"),
])
def test_what_is_refused(private, effect, code):
    seen = pl.read_training(**training(**private))
    assert (effect, code) in codes(seen) and seen.run is None


def test_clipping():
    per_layer = pl.read_training(**training(clipping="per_layer", max_grad_norm=[0.5, 0.5]))
    assert per_layer.as_claimed
    ghost = training(grad_sample_mode="ghost", steps=False)
    ghost["training"].accountant.history = [(1.1, 1 / 6, 12)]
    assert codes(pl.read_training(**ghost)) == []
    ghost["module"].max_grad_norm = 2.0  # the module clips, and the optimizer adds the noise
    seen = pl.read_training(**ghost)
    assert codes(seen) == [("changes", "clipping_norm")] and "sensitivity=2" in seen.run.spec


def test_clipping_that_was_switched_off():
    trained = training(steps=False)
    trained["training"].accountant.history = [(1.1, 1 / 6, 12)]
    assert pl.read_training(**trained).as_claimed
    trained["optimizer"].clip_and_accumulate = lambda: None
    assert codes(pl.read_training(**trained)) == [("refused", "unknown")]


def test_seeds_and_other_samplers():
    torch = pytest.importorskip("torch")
    assert ("noted", "seed") in codes(pl.read_training(**training(noise_generator=torch.Generator().manual_seed(7))))

    def weighted(data):
        draws = torch.utils.data.WeightedRandomSampler([1.0] * 96, 96)
        return torch.utils.data.DataLoader(data, batch_size=16, sampler=draws)

    assert ("refused", "unknown") in codes(pl.read_training(**training(loader=weighted, poisson_sampling=False)))


def test_the_accountant_looks_at_the_sampler():
    """And not at the word that make_private was given: a loader that draws by Poisson already does so still."""
    opacus = pytest.importorskip("opacus")
    import plaudit.opacus  # noqa: F401
    import torch
    from opacus.data_loader import DPDataLoader

    data = torch.utils.data.TensorDataset(torch.randn(96, 4), torch.randint(0, 2, (96,)))
    for sampled in (True, False):
        loader = torch.utils.data.DataLoader(data, batch_size=16)
        loader = DPDataLoader.from_data_loader(loader) if sampled else loader
        model = torch.nn.Linear(4, 2)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            engine = opacus.PrivacyEngine(accountant="plaudit")
            engine.make_private(module=model, optimizer=torch.optim.SGD(model.parameters(), lr=0.1), data_loader=loader,
                                noise_multiplier=1.0, max_grad_norm=1.0, poisson_sampling=False)
        assert engine.accountant.poisson_sampling is sampled


# ---- jax-privacy

def test_plans_of_jax_privacy():
    pytest.importorskip("jax_privacy")
    from jax_privacy.experimental import execution_plan

    config = execution_plan.BandMFExecutionPlanConfig(strategy=[1.0], iterations=100, noise_multiplier=1.1, epsilon=None, delta=None,
                                                      sampling_prob=0.01)
    for training_of in (config, config.plan):
        seen = pl.read_training(training_of)
        assert seen.as_claimed and seen.run == pl.poisson(pl.gaussian("1.1"), rate="0.01") ** 100
    banded = execution_plan.BandMFExecutionPlanConfig(strategy=[1.0, 0.5], iterations=100, noise_multiplier=1.1, epsilon=None,
                                                      delta=None, sampling_prob=0.01)
    seen = pl.read_training(banded)  # one Gaussian in each cycle of two steps
    assert seen.as_claimed and seen.run == pl.poisson(pl.gaussian("1.1"), rate="0.01") ** 50
    calibrated = execution_plan.BandMFExecutionPlanConfig(strategy=[1.0], iterations=100, epsilon=1.0, delta=1e-5, sampling_prob=0.01)
    seen = pl.read_training(calibrated)
    assert seen.run.epsilon(1e-5).upper == pytest.approx(1, abs=1e-2) and all(one.code == "epsilon" for one in seen.findings)


def test_other_batches_of_jax_privacy():
    pytest.importorskip("jax_privacy")
    from jax_privacy import batch_selection
    from jax_privacy.experimental import accounting

    event = accounting.dpsgd_event(1.1, 100, sampling_prob=0.01)
    for strategy, code in (
            (batch_selection.CyclicPoissonSampling(0.02, 100), "sample_rate"),
            (batch_selection.FixedBatchSampling(10, 100), "fixed_batches"),
            (batch_selection.FixedBatchSampling(10, 100, replace=True), "fixed_batches"),
            (batch_selection.BallsInBinsSampling(100, 50), "balls_in_bins")):
        seen = pl.read_training(SimpleNamespace(dp_event=event, batch_selection_strategy=strategy), population=1000)
        assert codes(seen) == [("changes", code)]
        assert seen.run.epsilon(1e-5).lower > 0


def test_keras_configurations_of_jax_privacy():
    """Its own check of a noise multiplier takes batch_size for the rate, where gradients of several batches are added up."""
    pytest.importorskip("jax_privacy")
    keras_api = pytest.importorskip("jax_privacy.keras_api")
    config = keras_api.DPKerasConfig(epsilon=0.6, delta=1e-5, clipping_norm=1.0, batch_size=10, gradient_accumulation_steps=4, train_steps=100,
                                     train_size=1000, poisson_sampling_in_fit=True, noise_multiplier=1.1)
    assert codes(pl.read_training(config)) == [("changes", "batches_of_a_step"), ("exceeds", "epsilon")]


def test_scores_of_jax_privacy():
    pytest.importorskip("jax_privacy")
    import numpy as np
    from jax_privacy import auditing

    rng = np.random.default_rng(5)
    member = rng.random(1000) < 0.5
    scores = rng.normal(size=1000) + 3 * member
    auditor = auditing.CanaryScoreAuditor(scores[member], scores[~member])
    seen = pl.observe("gaussian(sigma=2)", *pl.canary_scores(auditor), design="coins", guesses=(100, 100), level="1/20")
    alike = pl.observe("gaussian(sigma=2)", *pl.canary_scores(scores, member), design="coins", guesses=(100, 100), level="1/20")
    assert seen == alike and seen.verdict == "refuted"


@pytest.mark.parametrize("noise, verdict", [(3.0, "consistent"), (0.375, "refuted")])
def test_canaries_in_a_training_with_opacus(noise, verdict):
    """Each canary has a feature of its own: its score is that weight of the trained model."""
    opacus = pytest.importorskip("opacus")
    import numpy as np
    import torch

    torch.manual_seed(3)
    canaries = 2000
    coins = np.random.default_rng(4).random(canaries) < 0.5
    features = torch.zeros(100 + int(coins.sum()), 5 + canaries)
    features[:100, :5] = torch.randn(100, 5)
    features[torch.arange(100, len(features)), 5 + torch.tensor(np.flatnonzero(coins))] = 1000
    labels = torch.ones(len(features), 1)
    data = torch.utils.data.TensorDataset(features, labels)
    loader = torch.utils.data.DataLoader(data, batch_size=-(-len(data) // 10))
    model = torch.nn.Linear(5 + canaries, 1, bias=False)
    torch.nn.init.zeros_(model.weight)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        engine = opacus.PrivacyEngine()
        model, optimizer, loader = engine.make_private(module=model, optimizer=torch.optim.SGD(model.parameters(), lr=1e-3),
                                                       data_loader=loader, noise_multiplier=noise, max_grad_norm=1.0)
        for _ in range(5):
            for x, y in loader:
                optimizer.zero_grad()
                torch.nn.functional.binary_cross_entropy_with_logits(model(x), y).backward()
                optimizer.step()
    claim = pl.dpsgd(3, sample_rate=0.1, steps=50)
    scores = next(model.parameters()).detach().numpy()[0, 5:]
    seen = pl.observe(claim, *pl.canary_scores(scores, coins), design="coins", guesses=(100, 100), level="1e-5")
    assert seen.verdict == verdict, seen
    read = pl.read_training(engine, optimizer=optimizer, data_loader=loader)
    assert read.as_claimed and (read.run == claim) is (noise == 3.0)
