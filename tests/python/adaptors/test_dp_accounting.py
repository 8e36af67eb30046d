"""PlauditAccountant and plaudit.from_, against dp_accounting itself."""
import inspect
import json
import math
from fractions import Fraction

import pytest

dp_accounting = pytest.importorskip("dp_accounting")
from dp_accounting import dp_event  # noqa: E402
from dp_accounting.pld import PLDAccountant, privacy_loss_distribution  # noqa: E402
from dp_accounting.rdp import RdpAccountant  # noqa: E402

import plaudit as pl  # noqa: E402
from plaudit._events import FIELDS, KNOWN, RELATIONS  # noqa: E402
from plaudit._events.divergences import gamma_below  # noqa: E402
from plaudit.dp_accounting import PlauditAccountant  # noqa: E402

Relation = dp_accounting.NeighboringRelation
ADD_REMOVE, REPLACE, ZERO_OUT = (Relation.ADD_OR_REMOVE_ONE, Relation.REPLACE_ONE,
                                 Relation.REPLACE_SPECIAL)
GAUSSIAN = dp_event.GaussianDpEvent(1.5)
LAPLACE = dp_event.LaplaceDpEvent(3.0)
SAMPLED = dp_event.PoissonSampledDpEvent(0.05, GAUSSIAN)

#: For each class of the library: an event, and the relations under which it is answered.
EVENTS = {
    "NoOpDpEvent": (dp_event.NoOpDpEvent(), {ADD_REMOVE, REPLACE, ZERO_OUT}),
    "NonPrivateDpEvent": (dp_event.NonPrivateDpEvent(), {ADD_REMOVE, REPLACE, ZERO_OUT}),
    "UnsupportedDpEvent": (dp_event.UnsupportedDpEvent(), set()),
    "RandomizedResponseDpEvent": (dp_event.RandomizedResponseDpEvent(0.4, 3), {REPLACE, ZERO_OUT}),
    "GaussianDpEvent": (GAUSSIAN, {ADD_REMOVE, REPLACE, ZERO_OUT}),
    "LaplaceDpEvent": (LAPLACE, {ADD_REMOVE, REPLACE, ZERO_OUT}),
    "DiscreteLaplaceDpEvent": (dp_event.DiscreteLaplaceDpEvent(0.3, 2),
                               {ADD_REMOVE, REPLACE, ZERO_OUT}),
    "SelfComposedDpEvent": (dp_event.SelfComposedDpEvent(GAUSSIAN, 3),
                            {ADD_REMOVE, REPLACE, ZERO_OUT}),
    "ComposedDpEvent": (dp_event.ComposedDpEvent([GAUSSIAN, LAPLACE]),
                        {ADD_REMOVE, REPLACE, ZERO_OUT}),
    "PoissonSampledDpEvent": (SAMPLED, {ADD_REMOVE, REPLACE, ZERO_OUT}),
    "SampledWithReplacementDpEvent": (
        dp_event.SampledWithReplacementDpEvent(1000, 10, GAUSSIAN), {REPLACE}),
    "SampledWithoutReplacementDpEvent": (
        dp_event.SampledWithoutReplacementDpEvent(1000, 10, GAUSSIAN), {ADD_REMOVE, REPLACE}),
    "SingleEpochTreeAggregationDpEvent": (
        dp_event.SingleEpochTreeAggregationDpEvent(5.0, 8), {ADD_REMOVE, REPLACE, ZERO_OUT}),
    "RepeatAndSelectDpEvent": (dp_event.RepeatAndSelectDpEvent(GAUSSIAN, 3, 1), {ADD_REMOVE, REPLACE, ZERO_OUT}),
    "MixtureOfGaussiansDpEvent": (
        dp_event.MixtureOfGaussiansDpEvent(2.0, [0.0, 1.0, 2.0], [0.7, 0.2, 0.1]),
        {ADD_REMOVE, ZERO_OUT}),
    "ZCDpEvent": (dp_event.ZCDpEvent(0.01), {ADD_REMOVE, REPLACE, ZERO_OUT}),
    "TruncatedSubsampledGaussianDpEvent": (
        dp_event.TruncatedSubsampledGaussianDpEvent(1000, 0.01, 20, 1.0),
        {ADD_REMOVE, REPLACE, ZERO_OUT}),
}


def classes():
    return {name for name, each in inspect.getmembers(dp_event, inspect.isclass)
            if issubclass(each, dp_event.DpEvent) and each is not dp_event.DpEvent}


def test_every_class_of_the_library_is_known():
    """A class that the library adds is to be mapped, or refused by name."""
    assert classes() - KNOWN == set()
    assert classes() == set(EVENTS)
    for name in classes():
        fields = [each.name for each in getattr(dp_event, name).__attrs_attrs__]
        assert list(FIELDS[name]) == fields, name


def test_every_relation_of_the_library_is_known():
    assert {each.name for each in Relation} <= set(RELATIONS)


@pytest.mark.filterwarnings("ignore::plaudit.WidthNotReached")  # ZCDpEvent has upper ends only
@pytest.mark.parametrize("name", sorted(EVENTS))
@pytest.mark.parametrize("relation", list(Relation))
def test_each_event(name, relation):
    event, answered = EVENTS[name]
    accountant = PlauditAccountant(relation)
    assert accountant.supports(event) == (relation in answered)
    assert accountant.ledger == dp_event.NoOpDpEvent()
    if relation not in answered:
        with pytest.raises(dp_accounting.UnsupportedEventError, match=name):
            accountant.compose(event)
        with pytest.raises(pl.NotApplicable, match=name):
            pl.from_(event, adjacency=relation)
        return
    accountant.compose(event)
    epsilon, delta = accountant.get_epsilon(1e-4), accountant.get_delta(0.1)
    if name == "NoOpDpEvent":
        assert (epsilon, delta) == (0, 0)
        return
    if name == "NonPrivateDpEvent":
        assert (epsilon, delta) == (math.inf, 1)
        with pytest.raises(pl.NotApplicable):
            pl.from_(event, adjacency=relation)
        return
    assert 0 < epsilon < math.inf and 0 < delta < 1
    # Named tuples and the accountant itself are the same run.
    run = pl.from_(event, adjacency=relation)
    assert pl.from_(event.to_named_tuple(), adjacency=relation) == run
    assert pl.from_(accountant) == pl.from_(accountant.ledger, adjacency=relation)
    assert run.epsilon(1e-4, digits=8).upper == epsilon
    assert run.delta(0.1, digits=8).upper == delta


#: Where a number of the library is that of the same pair, it is near: within this.
NEAR = 2e-3


@pytest.mark.parametrize("name, relation", [
    ("GaussianDpEvent", ADD_REMOVE), ("GaussianDpEvent", REPLACE), ("GaussianDpEvent", ZERO_OUT),
    ("LaplaceDpEvent", ADD_REMOVE), ("DiscreteLaplaceDpEvent", ADD_REMOVE),
    ("ComposedDpEvent", ADD_REMOVE), ("SelfComposedDpEvent", REPLACE),
    ("PoissonSampledDpEvent", ADD_REMOVE), ("PoissonSampledDpEvent", ZERO_OUT),
    ("MixtureOfGaussiansDpEvent", ADD_REMOVE),
])
def test_the_pld_accountant_of_the_library_is_near(name, relation):
    event = dp_event.SelfComposedDpEvent(EVENTS[name][0], 20)
    ours = PlauditAccountant(relation).compose(event)
    theirs = PLDAccountant(relation, 1e-3).compose(event)
    band = pl.from_(ours).epsilon(1e-5, digits=8)
    assert ours.get_epsilon(1e-5) == band.upper
    assert abs(theirs.get_epsilon(1e-5) - band.upper) < NEAR
    delta = pl.from_(ours).delta(1)
    assert abs(theirs.get_delta(1) - delta.upper) < NEAR


@pytest.mark.parametrize("relation", [REPLACE, ZERO_OUT])
@pytest.mark.parametrize("answers", [2, 3, 10])
def test_randomised_response_is_sound(relation, answers):
    """Our pair dominates: it is that of any mechanism with the same greatest ratio."""
    event = dp_event.SelfComposedDpEvent(dp_event.RandomizedResponseDpEvent(0.5, answers), 5)
    ours = PlauditAccountant(relation).compose(event)
    theirs = PLDAccountant(relation, 1e-5).compose(dp_event.SelfComposedDpEvent(
        dp_event.RandomizedResponseDpEvent(0.5, answers), 1))
    one = PlauditAccountant(relation).compose(event.event)
    for epsilon in (0.0, 0.3, 1.0):
        assert one.get_delta(epsilon) >= theirs.get_delta(epsilon) - 1e-4
    assert one.get_epsilon(0.0) == pytest.approx(theirs.get_epsilon(0.0), abs=1e-4)
    assert ours.get_epsilon(1e-6) <= 5 * one.get_epsilon(0.0) + 1e-9


def test_rdp_is_above_ours():
    event = dp_event.SelfComposedDpEvent(dp_event.PoissonSampledDpEvent(0.01, GAUSSIAN), 1000)
    ours, theirs = PlauditAccountant().compose(event), RdpAccountant().compose(event)
    assert theirs.get_epsilon(1e-6) >= ours.get_epsilon(1e-6)
    # Several Gaussians on one sample, as RdpAccountant joins them
    joined = dp_event.PoissonSampledDpEvent(0.05, dp_event.ComposedDpEvent([
        GAUSSIAN, dp_event.SelfComposedDpEvent(dp_event.GaussianDpEvent(2.0), 3)]))
    ours, theirs = (each.compose(joined, 100) for each in (PlauditAccountant(), RdpAccountant()))
    assert theirs.get_epsilon(1e-6) >= ours.get_epsilon(1e-6) > 0
    assert (ours.get_epsilon(1e-6) - PlauditAccountant().compose(
        dp_event.PoissonSampledDpEvent(0.05, dp_event.GaussianDpEvent(
            (1 / 1.5**2 + 3 / 4)**-0.5)), 100).get_epsilon(1e-6)) == pytest.approx(0, abs=1e-9)


def test_numbers_that_are_refused_name_the_event():
    bad = dp_event.PoissonSampledDpEvent(1.5, GAUSSIAN)
    accountant = PlauditAccountant()
    assert not accountant.supports(bad)
    with pytest.raises(dp_accounting.UnsupportedEventError, match="sampling_probability"):
        accountant.compose(dp_event.ComposedDpEvent([GAUSSIAN, bad]))
    with pytest.raises(pl.SpecError, match="nothing was run"):
        accountant.composition
    assert accountant.get_epsilon(1e-5) == 0 and accountant.get_delta(0.1) == 0
    assert accountant.get_delta(-1.0) == pytest.approx(1 - math.exp(-1))
    with pytest.raises(TypeError):
        accountant.compose("gaussian(1)")
    assert not accountant.supports(dp_event.SelfComposedDpEvent(GAUSSIAN, -1))
    assert not accountant.supports(dp_event.SelfComposedDpEvent(GAUSSIAN, 10**13)) or (
        pytest.raises(dp_accounting.UnsupportedEventError,
                      accountant.compose, dp_event.SelfComposedDpEvent(GAUSSIAN, 10**13)))


class UnknownDpEvent(dp_event.DpEvent):
    """One that somebody else defined."""


def test_an_unknown_event_is_refused():
    assert not PlauditAccountant().supports(UnknownDpEvent())


def test_without_noise_nothing_is_private():
    accountant = PlauditAccountant().compose(dp_event.PoissonSampledDpEvent(
        0.1, dp_event.GaussianDpEvent(0.0)))
    assert accountant.get_epsilon(1e-5) == math.inf and accountant.get_delta(3) == 1
    accountant = PlauditAccountant()
    assert accountant.supports(dp_event.NonPrivateDpEvent()) and accountant.get_epsilon(1e-5) == 0


def test_calibration_of_the_noise():
    def event(noise):
        return dp_event.SelfComposedDpEvent(dp_event.PoissonSampledDpEvent(
            0.01, dp_event.GaussianDpEvent(noise)), 1000)

    noise = dp_accounting.calibrate_dp_mechanism(PlauditAccountant, event, 1.0, 1e-5)
    assert PlauditAccountant().compose(event(noise)).get_epsilon(1e-5) <= 1
    assert pl.from_(event(noise - 2e-6)).epsilon(1e-5).lower > 1
    theirs = dp_accounting.calibrate_dp_mechanism(RdpAccountant, event, 1.0, 1e-5)
    assert theirs > noise


def test_calibration_of_the_steps():
    def event(steps):
        return dp_event.SelfComposedDpEvent(SAMPLED, steps)

    steps = dp_accounting.calibrate_dp_mechanism(
        PlauditAccountant, event, 3.0, 1e-5, discrete=True,
        bracket_interval=dp_accounting.LowerEndpointAndGuess(1, 100))
    assert PlauditAccountant().compose(event(steps)).get_epsilon(1e-5) <= 3
    assert pl.from_(event(steps + 1)).epsilon(1e-5).lower > 3


# ---- Trees of events, however they are written

hypothesis = pytest.importorskip("hypothesis")
some = hypothesis.strategies
noises = some.sampled_from([0.0, 0.5, 1.0, 1.5, 3.3, -1.0])
leaves = some.one_of(
    some.builds(dp_event.NoOpDpEvent), some.builds(dp_event.UnsupportedDpEvent),
    some.builds(dp_event.NonPrivateDpEvent), some.builds(dp_event.GaussianDpEvent, noises),
    some.builds(dp_event.LaplaceDpEvent, noises),
    some.builds(dp_event.DiscreteLaplaceDpEvent, noises, some.integers(-1, 3)),
    some.builds(dp_event.RandomizedResponseDpEvent, some.floats(-0.1, 1.1), some.integers(0, 4)),
    some.builds(dp_event.ZCDpEvent, some.floats(0, 1), some.sampled_from([0.0, 0.1])))
trees = some.recursive(leaves, lambda inner: some.one_of(
    some.builds(dp_event.SelfComposedDpEvent, inner, some.integers(1, 10**6)),
    some.builds(dp_event.ComposedDpEvent, some.lists(inner, max_size=4)),
    some.builds(dp_event.PoissonSampledDpEvent, some.floats(0, 1), inner),
    some.builds(dp_event.SampledWithReplacementDpEvent, some.integers(1, 99), some.integers(1, 9),
                inner),
    some.builds(dp_event.SampledWithoutReplacementDpEvent, some.integers(1, 99),
                some.integers(1, 9), inner)), max_leaves=8)


def read(x, relation):
    """The run, or the class of what is said against it."""
    try:
        return pl.from_(x, adjacency=relation)
    except pl.SpecError as error:
        return type(error).__name__


def as_json(x):
    if hasattr(x, "_asdict"):
        return {key: as_json(value) for key, value in x._asdict().items()}
    return [as_json(each) for each in x] if isinstance(x, (list, tuple)) else x


@hypothesis.settings(max_examples=300, deadline=None)
@hypothesis.given(trees, some.sampled_from(list(Relation)))
def test_trees_are_read_alike(event, relation):
    run = read(event, relation)
    assert read(event.to_named_tuple(), relation) == run
    assert read(as_json(event.to_named_tuple()), relation) == run
    assert read(json.dumps(event.to_named_tuple()), relation) == run
    assert read(json.dumps(as_json(event.to_named_tuple())), relation) == run
    accountant = PlauditAccountant(relation)
    if isinstance(run, pl.Composition):
        assert pl.from_(accountant.compose(event)) == run
    elif accountant.supports(event):  # nothing was run, or without privacy
        assert accountant.compose(event).get_epsilon(0.5) in (0, math.inf)


# ---- Laws

@pytest.mark.parametrize("law, relation", [
    (lambda: privacy_loss_distribution.from_gaussian_mechanism(
        2.0, value_discretization_interval=1e-2), "as_stated"),
    (lambda: privacy_loss_distribution.from_laplace_mechanism(
        2.0, sampling_prob=0.1, value_discretization_interval=1e-3), "add_remove"),
    (lambda: privacy_loss_distribution.from_gaussian_mechanism(
        1.0, sampling_prob=0.01, value_discretization_interval=1e-3).self_compose(100),
     "add_remove"),
    (lambda: privacy_loss_distribution.from_randomized_response(
        0.5, 4, value_discretization_interval=1e-3), "replace"),
    (lambda: privacy_loss_distribution.from_discrete_laplace_mechanism(
        0.3, sensitivity=2, value_discretization_interval=1e-3), "as_stated"),
])
def test_laws(law, relation):
    law = law()
    run = pl.from_(law, adjacency=None if relation == "as_stated" else relation)
    assert run.adjacency.kind == relation
    for epsilon in (0.05, 0.2, 1):
        theirs = law.get_delta_for_epsilon(epsilon)
        assert run.delta(epsilon, digits=9).upper == pytest.approx(theirs, abs=1e-10)
    theirs = law.get_epsilon_for_delta(1e-4)
    assert run.epsilon(1e-4, digits=9).upper == pytest.approx(theirs, abs=1e-6)
    theirs = law.compose(law).get_delta_for_epsilon(0.5)
    # auto takes a minute for some of these
    twice = (run**2).delta(0.5, digits=8, accountant="fourier")
    assert twice.upper == pytest.approx(theirs, abs=1e-9)


def test_an_optimistic_law_is_refused():
    law = privacy_loss_distribution.from_gaussian_mechanism(1.0, pessimistic_estimate=False,
                                                            use_connect_dots=False)
    with pytest.raises(pl.NotApplicable, match="optimistic"):
        pl.from_(law)


# ---- jax-privacy

def test_jax_privacy():
    jax_accounting = pytest.importorskip("jax_privacy.accounting")
    experimental = pytest.importorskip("jax_privacy.experimental.accounting")

    class Config(jax_accounting.DpAccountantConfig):
        def create_accountant(self):
            return PlauditAccountant()

    event = experimental.dpsgd_event(1.0, 1000, sampling_prob=0.01)
    assert pl.from_(event).spec == "poisson(gaussian(sigma=1), rate=0.01)^1000"
    fixed = experimental.fixed_dpsgd_event(1.0, 100, dataset_size=1000, batch_size=10)
    assert pl.from_(fixed).adjacency.kind == "replace"
    truncated = experimental.truncated_dpsgd_event(1.0, 10, sampling_prob=0.01, num_examples=1000,
                                                   truncated_batch_size=20)
    assert PlauditAccountant().compose(truncated).composition.spec.startswith("truncated_poisson(")
    params = jax_accounting.DpParams(noise_multipliers=1.0, num_samples=1000, delta=1e-5,
                                     batch_size=10)
    ours, theirs = (jax_accounting.DpsgdTrainingAccountant(dp_accountant_config=each)
                    .compute_epsilon(1000, params)
                    for each in (Config(), jax_accounting.PldAccountantConfig()))
    assert pl.from_(event).epsilon(1e-5).lower <= ours <= theirs + 1e-4


def test_jax_privacys_training_accountants():
    jax_accounting = pytest.importorskip("jax_privacy.accounting")
    from plaudit.jax_privacy import PlauditAccountantConfig

    for training, settings in [(jax_accounting.DpsgdTrainingAccountant, {}),
                               (jax_accounting.DpsgdTrainingAccountant, {"cycle_length": 4}),  # BandMF
                               (jax_accounting.DpsgdTrainingAccountant, {"truncated_batch_size": 20}),
                               (jax_accounting.DpsgdTrainingAccountant,
                                {"sampling_method": jax_accounting.SamplingMethod.FIXED_BATCH_SIZE}),
                               (jax_accounting.DpsgdTrainingUserLevelAccountant, {"examples_per_user": 3}),
                               (jax_accounting.SingleReleaseTrainingAccountant, {})]:
        params = jax_accounting.DpParams(noise_multipliers=2.0, num_samples=1000, delta=1e-5, batch_size=10, **settings)
        ours, theirs = (training(dp_accountant_config=each).compute_epsilon(200, params)
                        for each in (PlauditAccountantConfig(), jax_accounting.PldAccountantConfig()))
        assert abs(ours / theirs - 1) < 2e-3, (settings, ours, theirs)
    assert PlauditAccountantConfig(digits=4).create_accountant()._options["digits"] == 4
    replaced = PlauditAccountantConfig(neighboring_relation=REPLACE).create_accountant()
    assert replaced.compose(GAUSSIAN).composition == pl.gaussian(1.5, sensitivity=2)


def test_true_positive_rates_and_mu():
    accountant = PlauditAccountant(ADD_REMOVE, 1e-4).compose(dp_event.GaussianDpEvent(2.0), 4)
    assert accountant.get_true_positive_rates(0.1) == pytest.approx(0.38914, abs=1e-5)
    rates = accountant.get_true_positive_rates([[0.1], [0.2]])
    assert rates.shape == (2, 1) and rates[0, 0] == accountant.get_true_positive_rates(0.1)
    assert accountant.get_gdp_parameter_estimate() == pytest.approx(1, abs=1e-6) and accountant.get_gdp_parameter_estimate() >= 1
    nothing = PlauditAccountant()
    assert nothing.get_true_positive_rates(0.3) == 0.3 and nothing.get_gdp_parameter_estimate() == 0
    leaky, pure = PlauditAccountant(), PlauditAccountant()
    leaky._factors = {"approximate(epsilon=1, delta=0.1)": 1}
    assert leaky.get_gdp_parameter_estimate() == math.inf
    pure._factors = {"pure(epsilon=1)": 1, "pure(epsilon=2)": 1}
    assert pure.get_gdp_parameter_estimate([0.005, 0.5]) == pytest.approx(2.358, abs=1e-3)
    assert pure.get_true_positive_rates(0.1) == pytest.approx(0.8286, abs=1e-3)
    public = PlauditAccountant().compose(dp_event.NonPrivateDpEvent())
    assert public.get_true_positive_rates(0.1) == 1 and public.get_gdp_parameter_estimate() == math.inf


@pytest.mark.parametrize("event, words", [
    (dp_event.GaussianDpEvent(-1), "Noise multiplier"), (dp_event.PoissonSampledDpEvent(1.1, GAUSSIAN), "Sampling rate")])
def test_numbers_out_of_their_domain_are_value_errors_too(event, words):
    for kind in (ValueError, dp_accounting.UnsupportedEventError):
        with pytest.raises(kind, match=words):
            PlauditAccountant().compose(event)
    assert not PlauditAccountant().supports(event)


def test_who_is_refused_hears_under_which_relations_it_is_not():
    for event, relation, others in [(dp_event.RandomizedResponseDpEvent(0.4, 3), ADD_REMOVE, "`REPLACE_ONE` or `REPLACE_SPECIAL`"),
                                    (dp_event.PoissonSampledDpEvent(0.1, LAPLACE), REPLACE, "`ADD_OR_REMOVE_ONE` or `REPLACE_SPECIAL`")]:
        with pytest.raises(dp_accounting.UnsupportedEventError, match=others):
            PlauditAccountant(relation).compose(event)


ORDERS = [1, 1.5, 2, 3, 7, 20, 100, math.inf]


@pytest.mark.parametrize("event, relation", [
    (GAUSSIAN, ADD_REMOVE), (LAPLACE, ADD_REMOVE), (dp_event.ZCDpEvent(0.3), REPLACE), (dp_event.ZCDpEvent(0.3, 0.7), ADD_REMOVE),
    (dp_event.RandomizedResponseDpEvent(0.4, 3), REPLACE), (dp_event.RandomizedResponseDpEvent(0.4, 3), ZERO_OUT),
    (dp_event.ComposedDpEvent([GAUSSIAN, dp_event.SelfComposedDpEvent(dp_event.ZCDpEvent(0.1, 0.2), 3)]), ADD_REMOVE),
    (dp_event.RepeatAndSelectDpEvent(GAUSSIAN, 20, 0), ADD_REMOVE),
    (dp_event.RepeatAndSelectDpEvent(GAUSSIAN, 20, 2.5), ADD_REMOVE),
])
def test_divergences_are_those_of_the_library(event, relation):
    finite = ORDERS[1:-1]
    ours = PlauditAccountant(relation).compose(event).get_renyi_divergences(finite)
    theirs = RdpAccountant(finite, relation).compose(event)._rdp  # pylint: disable=protected-access
    assert ours == pytest.approx(theirs, rel=1e-8)


@pytest.mark.parametrize("mean, shape", [(5, math.inf), (1, 1)])
def test_divergences_of_repeats_are_not_above_the_library(mean, shape):
    event = dp_event.RepeatAndSelectDpEvent(GAUSSIAN, mean, shape)
    finite = ORDERS[1:-1]
    theirs = RdpAccountant(finite).compose(event)._rdp  # pylint: disable=protected-access
    ours = PlauditAccountant().compose(event).get_renyi_divergences(finite)
    assert all(x <= y * (1 + 1e-9) for x, y in zip(ours, theirs))


def _released(law, above):
    """The probabilities of both outputs and of none where the best of K runs is released: the better one has this probability."""
    return [1 - law(1 - above), law(1 - above) - law(0), law(0)]


@pytest.mark.parametrize("noise", [0.05, 0.3, 0.9])
@pytest.mark.parametrize("mean, shape", [(1.5, 0), (7, 0.5), (7, 1), (40, 3), (0.2, math.inf), (1, math.inf), (6, math.inf)])
def test_divergences_of_repeats_hold_for_randomised_response(noise, mean, shape):
    """Against those of the laws of what is released, which are known."""
    event = dp_event.RepeatAndSelectDpEvent(dp_event.RandomizedResponseDpEvent(noise, 2), mean, shape)
    bounds = PlauditAccountant(REPLACE).compose(event).get_renyi_divergences(ORDERS)
    if shape == math.inf:
        def law(s):
            return math.exp(mean * (s - 1))
    else:
        gamma = float(gamma_below(Fraction(str(mean)), Fraction(str(shape))))

        def law(s):
            if shape == 0:
                return math.log(1 - (1 - gamma) * s) / math.log(gamma)
            return ((1 - (1 - gamma) * s)**-shape - 1) / (gamma**-shape - 1)
    for best in (1 - noise / 2, noise / 2):
        p, q = _released(law, best), _released(law, 1 - best)
        for order, bound in zip(ORDERS, bounds):
            if order == 1:
                exact = sum(x * math.log(x / y) for x, y in zip(p, q) if x)
            elif order == math.inf:
                exact = max(math.log(x / y) for x, y in zip(p, q) if x)
            else:
                logs = [order * math.log(x) + (1 - order) * math.log(y) for x, y in zip(p, q) if x]
                exact = (max(logs) + math.log(sum(math.exp(each - max(logs)) for each in logs))) / (order - 1)
            assert exact <= bound * (1 + 1e-9) + 1e-12, (order, best)


def test_the_gamma_of_a_mean_is_below():
    for mean, shape in [("1.0000001", "2"), ("3", "0"), ("3", "1"), ("10", "-1/2"), ("1e12", "5"), ("1e400", "0")]:
        mean, shape = Fraction(mean), Fraction(shape)
        gamma = gamma_below(mean, shape)
        assert 0 < gamma < 1
        if shape == 1:
            assert gamma <= 1 / mean < gamma * (1 + Fraction(1, 10**12))
        if shape == 2:  # E K = 2 (1 - gamma) / (gamma (1 - gamma^2)) = 2 / (gamma (1 + gamma))
            assert 2 / (gamma * (1 + gamma)) >= mean


def test_divergences_of_what_is_not_private_and_of_nothing():
    accountant = PlauditAccountant()
    assert list(accountant.get_renyi_divergences([1, 2, math.inf])) == [0, 0, 0]
    with pytest.raises(pl.SpecError, match="order"):
        accountant.get_renyi_divergences(0.5)
    accountant.compose(GAUSSIAN, 3)
    assert accountant.get_renyi_divergences(2.0) == pytest.approx(3 / 1.5**2)
    assert accountant.get_renyi_divergences(math.inf) == math.inf
    accountant.compose(dp_event.NonPrivateDpEvent())
    assert accountant.get_renyi_divergences(2) == math.inf


def test_events_of_one_spec_keep_their_own_divergences():
    first, second = dp_event.ZCDpEvent(1, 0), dp_event.ZCDpEvent(0.25, 0.75)
    accountant = PlauditAccountant().compose(first, 2).compose(second).compose(first)
    assert accountant.get_renyi_divergences(3) == pytest.approx(3 * 3 + 0.75 + 0.25 * 3)
