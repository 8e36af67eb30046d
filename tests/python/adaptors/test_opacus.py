"""The accountant "plaudit" of Opacus, against Opacus itself."""
import math
import warnings

import pytest

opacus = pytest.importorskip("opacus")
import torch  # noqa: E402
from opacus.accountants import RDPAccountant, create_accountant  # noqa: E402
from opacus.accountants.utils import get_noise_multiplier  # noqa: E402

import plaudit as pl  # noqa: E402
import plaudit.opacus  # noqa: E402,F401


def training(accountant="plaudit", epochs=2, noise=1.1, **private):
    """DP-SGD on made-up data: the engine after a few steps."""
    torch.manual_seed(0)
    data = torch.utils.data.TensorDataset(torch.randn(96, 4), torch.randint(0, 2, (96,)))
    loader = torch.utils.data.DataLoader(data, batch_size=16)
    model = torch.nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        engine = opacus.PrivacyEngine(accountant=accountant)
        if "target_epsilon" in private:
            model, optimizer, loader = engine.make_private_with_epsilon(
                module=model, optimizer=optimizer, data_loader=loader, max_grad_norm=1.0,
                epochs=epochs, **private)
        else:
            model, optimizer, loader = engine.make_private(
                module=model, optimizer=optimizer, data_loader=loader, max_grad_norm=1.0,
                noise_multiplier=noise, **private)
        for _ in range(epochs):
            for x, y in loader:
                optimizer.zero_grad()
                torch.nn.functional.cross_entropy(model(x), y).backward()
                optimizer.step()
    return engine, model, optimizer


def test_training():
    engine, _, _ = training()
    # 1 / len(data_loader) as a double, read as the decimal that it prints
    assert engine.accountant.history == [(1.1, 1 / 6, 12)]
    run = pl.from_(engine)
    assert run.spec == f"poisson(gaussian(sigma=1.1), rate={1 / 6!r})^12"
    band = run.epsilon(1e-5, digits=8)
    assert engine.get_epsilon(1e-5) == band.upper
    assert engine.accountant.band(1e-5).upper == band.upper
    assert pl.from_(engine.accountant) == pl.from_(engine.accountant.history) == run
    assert pl.from_(engine.accountant.state_dict()) == run
    # Opacus' own accountants saw the same steps.
    for other in ("rdp", "prv"):
        its, _, _ = training(other)
        assert its.accountant.history == engine.accountant.history
        assert its.get_epsilon(1e-5) >= band.lower
        assert pl.from_(its.accountant) == run


def test_checkpoint(tmp_path):
    engine, model, optimizer = training()
    path = tmp_path / "checkpoint.pt"
    engine.save_checkpoint(path=path, module=model, optimizer=optimizer)
    stored = torch.load(path, weights_only=False)
    assert pl.from_(stored) == pl.from_(engine)
    again = create_accountant("plaudit")
    again.load_state_dict(stored["privacy_accountant_state_dict"])
    assert again.history == engine.accountant.history
    assert again.get_epsilon(1e-5) == engine.get_epsilon(1e-5)
    with pytest.raises(ValueError):
        RDPAccountant().load_state_dict(stored["privacy_accountant_state_dict"])
    with pytest.raises(ValueError):
        again.load_state_dict({})


def test_steps_are_merged_as_opacus_does():
    ours, theirs = create_accountant("plaudit"), create_accountant("prv")
    for noise, rate in ((1.0, 0.1), (1.0, 0.1), (1.0, 0.2), (0.9, 0.2), (0.9, 0.2), (1.0, 0.1)):
        for each in (ours, theirs):
            each.step(noise_multiplier=noise, sample_rate=rate)
    assert ours.history == theirs.history and len(ours) == len(theirs) == 4
    assert ours.composition.spec == ("poisson(gaussian(sigma=1), rate=0.1)^3 * "
                                     "poisson(gaussian(sigma=1), rate=0.2) * "
                                     "poisson(gaussian(sigma=0.9), rate=0.2)^2")
    assert ours.mechanism() == "plaudit"


def test_before_any_step_and_without_noise():
    accountant = create_accountant("plaudit")
    assert accountant.get_epsilon(1e-5) == 0
    accountant.step(noise_multiplier=0.0, sample_rate=0.1)
    assert accountant.get_epsilon(1e-5) == math.inf
    with pytest.raises(ValueError):
        accountant.composition


def test_options():
    accountant = create_accountant("plaudit")
    accountant.history = [(1.0, 0.01, 100)]
    assert accountant.get_epsilon(1e-5, digits=5) >= accountant.band(1e-5).lower
    assert accountant.get_epsilon(1e-5, eps_error=0.1, alphas=[2]) == accountant.get_epsilon(1e-5)
    with pytest.raises(TypeError):
        accountant.get_epsilon(1e-5, poisson=False)
    with pytest.raises(pl.SpecError):
        accountant.get_epsilon(2)


@pytest.mark.parametrize("target, rate, steps", [(1.0, 0.01, 1000), (3.0, 1 / 59, 590),
                                                 (0.2, 0.004, 300)])
def test_noise_multiplier(target, rate, steps):
    noise = get_noise_multiplier(target_epsilon=target, target_delta=1e-5, sample_rate=rate,
                                 steps=steps, accountant="plaudit")
    band = pl.from_([(noise, rate, steps)]).epsilon(1e-5)
    assert target - 0.01 <= band.upper <= target
    # RDP is looser, so it asks for more noise.
    assert noise <= get_noise_multiplier(target_epsilon=target, target_delta=1e-5,
                                         sample_rate=rate, steps=steps, accountant="rdp") + 0.02


def test_training_with_a_target():
    engine, _, optimizer = training(target_epsilon=4.0, target_delta=1e-4)
    assert optimizer.noise_multiplier > 0
    assert 3.9 < engine.get_epsilon(1e-4) <= 4.0


@pytest.mark.parametrize("noise, rate, steps", [(0.7, 0.01, 500), (1.0, 0.004, 10000),
                                                (2.0, 0.05, 1000)])
def test_no_bound_of_opacus_is_below_the_band(noise, rate, steps):
    history = [(noise, rate, steps)]
    ours = pl.from_(history).epsilon(1e-6)
    for name in ("rdp", "prv"):
        theirs = create_accountant(name)
        theirs.history = history
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert theirs.get_epsilon(1e-6) >= ours.lower, name


def test_without_poisson_sampling():
    torch.manual_seed(0)
    data = torch.utils.data.TensorDataset(torch.randn(96, 4), torch.randint(0, 2, (96,)))
    model = torch.nn.Linear(4, 2)
    engine = opacus.PrivacyEngine(accountant="plaudit")
    with pytest.warns(plaudit.opacus.NoPoissonSampling, match="poisson_sampling=False"):
        model, optimizer, loader = engine.make_private(
            module=model, optimizer=torch.optim.SGD(model.parameters(), lr=0.1), noise_multiplier=2.0, max_grad_norm=1.0,
            data_loader=torch.utils.data.DataLoader(data, batch_size=16, shuffle=True), poisson_sampling=False)
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    assert engine.accountant.history == [(2.0, 1 / 6, 6)]
    alone = pl.gaussian(2)**6
    assert engine.get_epsilon(1e-5) == pytest.approx(alone.epsilon(1e-5).upper, rel=1e-6)
    assert pl.from_(engine).epsilon(1e-5).decimal(8) == alone.epsilon(1e-5).decimal(8)
    state = engine.accountant.state_dict()
    again = create_accountant("plaudit")
    again.load_state_dict(state)
    assert again.get_epsilon(1e-5) == engine.get_epsilon(1e-5) and pl.from_(state) == pl.from_(engine)
    sampled = training()[0].accountant
    assert sampled.poisson_sampling and "poisson_sampling" not in sampled.state_dict()


def test_tensors_are_numbers():
    trained = torch.nn.Parameter(torch.tensor(0.1))
    assert pl.gaussian(trained) == pl.gaussian(torch.tensor(0.1)) == pl.gaussian("0.1")
    noises = torch.tensor([0.8, 1.0], requires_grad=True)
    bands = pl.epsilon(noise_multiplier=noises, sample_rate=0.01, steps=10, delta=1e-5)
    assert bands[1] == pl.dpsgd(1, sample_rate=0.01, steps=10).epsilon(1e-5)
    assert bands[0] < torch.tensor(5.0) and bands[0] >= torch.tensor(0.5, dtype=torch.float64)
