"""The mechanisms and the accountant of prv_accountant, against prv_accountant itself."""
import inspect

import pytest

prv_accountant = pytest.importorskip("prv_accountant")
from prv_accountant import privacy_random_variables as theirs  # noqa: E402
from prv_accountant.dpsgd import DPSGDAccountant  # noqa: E402

import plaudit as pl  # noqa: E402
from plaudit._events.libraries import _PRVS  # noqa: E402
from plaudit.prv import PRVAccountant  # noqa: E402

SAMPLED = theirs.PoissonSubsampledGaussianMechanism(noise_multiplier=0.8, sampling_probability=5e-3)


def test_every_mechanism_is_known():
    classes = {name for name, each in inspect.getmembers(theirs, inspect.isclass)
               if issubclass(each, theirs.PrivacyRandomVariable)
               and each is not theirs.PrivacyRandomVariable}
    assert classes == set(_PRVS)


@pytest.mark.parametrize("mechanism, count, spec", [
    (SAMPLED, 1000, "poisson(gaussian(sigma=0.8), rate=0.005)^1000"),
    (theirs.GaussianMechanism(20.0), 100, "gaussian(sigma=1, sensitivity=0.05)^100"),
    (theirs.LaplaceMechanism(0.1), 50, "laplace(scale=1, sensitivity=0.1)^50"),
    (theirs.PureDPMechanism(0.1), 50, "pure(0.1)^50"),
    (theirs.ApproximateDPMechanism(0.1, 1e-9), 50, "approximate(0.1, 1e-9)^50"),
])
def test_each_mechanism(mechanism, count, spec):
    assert pl.from_([(mechanism, count)]) == pl.parse(spec)
    ours = PRVAccountant(mechanism, eps_error=0.1, delta_error=1e-9, max_self_compositions=count)
    lower, estimate, upper = ours.compute_epsilon(1e-5, [count])
    band = pl.parse(spec).epsilon(1e-5)
    assert (lower, upper) == (band.lower, band.upper) and lower <= estimate <= upper
    its = prv_accountant.PRVAccountant([mechanism], max_self_compositions=[count], eps_error=0.05,
                                       delta_error=1e-9)
    low, _, high = its.compute_epsilon(1e-5, [count])
    assert pl.from_(its) == pl.parse(spec)
    assert low <= upper and lower <= high, "two bands that are disjoint"


def test_heterogeneous():
    mechanisms = [SAMPLED, theirs.LaplaceMechanism(0.05)]
    ours = PRVAccountant(mechanisms, 0.1, 1e-9, [100, 7])
    its = prv_accountant.PRVAccountant(mechanisms, 0.1, 1e-9, [100, 7])
    low, _, high = its.compute_delta(0.5, [100, 7])
    lower, estimate, upper = ours.compute_delta(0.5, [100, 7])
    assert lower <= estimate <= upper and low <= upper and lower <= high
    assert pl.from_((mechanisms, [100, 7])) == ours.composition([100, 7])


def test_dpsgd():
    its = DPSGDAccountant(noise_multiplier=0.8, sampling_probability=5e-3, max_steps=1000)
    assert pl.from_(its).spec == "poisson(gaussian(sigma=0.8), rate=0.005)^1000"


class Other(theirs.PrivacyRandomVariable):
    def cdf(self, t):
        return t


def test_an_unknown_mechanism_is_refused():
    with pytest.raises(ValueError):
        pl.from_([(Other(), 3)])


def test_composed_laws():
    ours = PRVAccountant([SAMPLED], eps_error=0.1, delta_error=1e-10, max_self_compositions=[1000])
    law = ours.compute_composition([1000])
    assert law.compute_epsilon(1e-6, 1e-10, 0.1) == ours.compute_epsilon(1e-6, [1000])
    assert law.compute_delta_estimate(1.0) == ours.compute_delta(1.0, [1000])[1]
    assert ours.compute_composition().composition == pl.parse("poisson(gaussian(sigma=0.8), rate=0.005)")
    with pytest.raises(pl.SpecError, match="exceeds"):
        ours.compute_composition([2000])
