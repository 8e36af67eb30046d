"""plaudit.from_ on what needs no other library: JSON, dicts, named tuples, histories, doubles of
objects of other libraries."""
import collections
import decimal
import json
import math
import pickle
from fractions import Fraction

import pytest

import plaudit as pl
from plaudit._events import FIELDS, KNOWN
from plaudit._events.specs import root_below

GAUSSIAN = {"class_name": "GaussianDpEvent", "noise_multiplier": 1.5}


def event(kind, **fields):
    return {"module_name": "dp_accounting.dp_event", "class_name": kind, **fields}


def poisson(inner, rate=0.01):
    return event("PoissonSampledDpEvent", sampling_probability=rate, event=inner)


# ---- Opacus

@pytest.mark.parametrize("given", [
    [(1.1, 0.01, 300), (0.9, 0.02, 200)],
    [[1.1, 0.01, 300], [0.9, 0.02, 200]],
    {"history": [(1.1, 0.01, 300), (0.9, 0.02, 200)], "mechanism": "rdp"},
    {"privacy_accountant_state_dict": {"history": [(1.1, 0.01, 300), (0.9, 0.02, 200)],
                                       "mechanism": "prv"}, "module_state_dict": {}},
    "[[1.1, 0.01, 300], [0.9, 0.02, 200]]",
    '{"history": [[1.1, 1e-2, 300], [9e-1, 0.02, 200]], "mechanism": "prv"}',
    [(1.1, 0.01, 100), (0.9, 0.02, 200), (1.1, 0.01, 200), (3.0, 0.1, 0)],
])
def test_histories(given):
    assert pl.from_(given).spec == ("poisson(gaussian(sigma=1.1), rate=0.01)^300 * "
                                    "poisson(gaussian(sigma=0.9), rate=0.02)^200")


def test_a_float_of_a_history_is_the_decimal_that_it_prints():
    run = pl.from_([(1, 1 / 3, 1)])
    assert run.arguments["rate"] == Fraction(repr(1 / 3)) != Fraction(1, 3)


@pytest.mark.parametrize("given, words", [
    ([], "nothing was run"),
    ([(1.1, 0.01, 0)], "nothing was run"),
    ([(1.1, 0.01)], "entries"),
    ([(1.1, 0.01, 2.5)], "steps must be an integer"),
    ([(1.1, 0.01, -1)], "steps must be an integer"),
    ([(-1.1, 0.01, 1)], "noise_multiplier must be a number >= 0"),
    ([(math.nan, 0.01, 1)], "noise_multiplier must be a finite number"),
    ([(1.1, 1.5, 1)], r"sample_rate must be a number in \[0, 1\]"),
    ([("1), rate=1", 0.5, 1)], "finite number"),
    ([("1/0", 0.5, 1)], "finite number"),
    ([("1e999999999", 0.5, 1)], "finite number"),
    ([(True, 0.5, 1)], "finite number"),
    ({"history": 3}, "must be a list"),
    ({"state": 3}, "history"),
    ('[[NaN, 0.1, 1]]', "NaN"),
    ('[[1, 0.1', "JSON"),
    ("[" * 200000, "JSON"),
    (3, "not known"),
    (None, "not known"),
    ("gaussian(", "spec"),
])
def test_bad_histories(given, words):
    with pytest.raises(pl.SpecError, match=words):
        pl.from_(given)


def test_steps_without_noise_are_not_private():
    with pytest.raises(pl.NotApplicable, match="not private"):
        pl.from_([(0, 0.01, 1)])
    assert pl.from_([(0, 0.01, 0), (1, 1, 1)]).spec == "poisson(gaussian(sigma=1), rate=1)"


# ---- Events

@pytest.mark.parametrize("given, relation, spec", [
    (GAUSSIAN, None, "gaussian(sigma=1.5)"),
    (GAUSSIAN, "add_remove", "gaussian(sigma=1.5)"),
    (GAUSSIAN, "zero_out", "gaussian(sigma=1.5)"),
    (GAUSSIAN, "replace", "gaussian(sigma=1.5, sensitivity=2)"),
    (GAUSSIAN, "REPLACE_ONE", "gaussian(sigma=1.5, sensitivity=2)"),
    (event("LaplaceDpEvent", noise_multiplier=20), None, "laplace(scale=20)"),
    (event("LaplaceDpEvent", noise_multiplier=20), "replace", "laplace(scale=20, sensitivity=2)"),
    (event("DiscreteLaplaceDpEvent", noise_parameter=0.5, sensitivity=3), None,
     "discrete_laplace(scale=2, sensitivity=3)"),
    (event("DiscreteLaplaceDpEvent", noise_parameter=0.3, sensitivity=1), "replace",
     "discrete_laplace(scale=10/3, sensitivity=2)"),
    (event("DiscreteGaussianDpEvent", sigma=2), None, "discrete_gaussian(sigma=2)"),
    (event("DiscreteGaussianDpEvent", sigma=2, sensitivity=1.4, dimension=None), None,
     "discrete_gaussian(sigma=2)"),
    (event("DiscreteGaussianDpEvent", sigma=2, sensitivity=3.9, dimension=1), None,
     "discrete_gaussian(sigma=2, sensitivity=3)"),
    (event("DiscreteGaussianDpEvent", sigma=2, sensitivity=1.5), None, "zcdp(rho=9/32)"),
    (event("DiscreteGaussianDpEvent", sigma=1, sensitivity=2, dimension=3), None, "zcdp(rho=2)"),
    (event("EpsilonDeltaDpEvent", epsilon=0.1, delta=1e-6), "replace",
     "approximate(epsilon=0.1, delta=1e-6)"),
    (event("EpsilonDeltaDpEvent", epsilon=0.1, delta=0.0), None, "pure(epsilon=0.1)"),
    (event("ExponentialMechanismDpEvent", epsilon=0.1), None, "exponential(epsilon=0.1)"),
    (event("PermuteAndFlipDpEvent", epsilon=0.1), "replace", "permute_and_flip(epsilon=0.1)"),
    (poisson(event("ExponentialMechanismDpEvent", epsilon=0.1)), None,
     "poisson(pure(epsilon=0.1), rate=0.01)"),
    (event("ZCDpEvent", rho=0.25, xi=0.0), None, "zcdp(rho=0.25)"),
    (event("ZCDpEvent", rho=0.25, xi=0.5), None, "zcdp(rho=0.75)"),
    (event("RandomizedResponseDpEvent", noise_parameter=0.5, num_buckets=2), None,
     "randomized_response(epsilon=log(3))"),
    (poisson(GAUSSIAN), None, "poisson(gaussian(sigma=1.5), rate=0.01)"),
    (poisson(GAUSSIAN), "zero_out", "poisson(gaussian(sigma=1.5), rate=0.01, adjacency=zero_out)"),
    (poisson(GAUSSIAN), "replace",
     "poisson(gaussian(sigma=1.5, sensitivity=2), rate=0.01, adjacency=replace)"),
    (poisson(event("SelfComposedDpEvent", event=GAUSSIAN, count=9)), "replace",
     "poisson(gaussian(sigma=0.5, sensitivity=2), rate=0.01, adjacency=replace)"),
    (poisson(poisson(GAUSSIAN), 0.5), "zero_out",
     "poisson(poisson(gaussian(sigma=1.5), rate=0.01), rate=0.5, adjacency=zero_out)"),
    (event("RandomizedResponseDpEvent", noise_parameter=0.2, num_buckets=3), None,
     "randomized_response(probability=13/15, categories=3)"),
    (event("RepeatAndSelectDpEvent", event=GAUSSIAN, mean=10, shape=1), None,
     "select(gaussian(sigma=1.5), repeats=negative_binomial, eta=1, mean=10)"),
    (event("RepeatAndSelectDpEvent", event=event("SelfComposedDpEvent", event=GAUSSIAN, count=9), mean=1.0, shape=0.5), None,
     "gaussian(sigma=0.5)"),
    (event("TruncatedSubsampledGaussianDpEvent", dataset_size=100, sampling_probability=0.5,
           truncated_batch_size=100, noise_multiplier=2), None,
     "truncated_poisson(gaussian(sigma=2), rate=0.5, cap=100, population=100)"),
    (event("TruncatedSubsampledGaussianDpEvent", dataset_size=100, sampling_probability=0.5,
           truncated_batch_size=60, noise_multiplier=2), "zero_out",
     "truncated_poisson(gaussian(sigma=2), rate=0.5, cap=60, population=100, adjacency=zero_out, size=exact)"),
    (event("TruncatedSubsampledGaussianDpEvent", dataset_size=100, sampling_probability=0.5,
           truncated_batch_size=60, noise_multiplier=2), "replace",
     "truncated_poisson(gaussian(sigma=2, sensitivity=2), rate=0.5, cap=60, population=100, "
     "adjacency=replace, size=exact)"),
    (event("SingleEpochTreeAggregationDpEvent", noise_multiplier=2, step_counts=9), "zero_out",
     "tree(steps=9, sigma=2)"),
    (event("SingleEpochTreeAggregationDpEvent", noise_multiplier=2, step_counts=[3, 100, 7]),
     "replace", "tree(steps=100, sigma=2, sensitivity=2)"),
    (poisson(poisson(GAUSSIAN), 0.5), None,
     "poisson(poisson(gaussian(sigma=1.5), rate=0.01), rate=0.5)"),
    (poisson(event("ComposedDpEvent", events=[event("NoOpDpEvent"), GAUSSIAN])), None,
     "poisson(gaussian(sigma=1.5), rate=0.01)"),
    (poisson(event("SelfComposedDpEvent", event=GAUSSIAN, count=9)), None,
     "poisson(gaussian(sigma=0.5), rate=0.01)"),
    (poisson(event("EpsilonDeltaDpEvent", epsilon=0.1, delta=1e-6)), None,
     "poisson(approximate(epsilon=0.1, delta=1e-6), rate=0.01)"),
    (event("SampledWithoutReplacementDpEvent", source_dataset_size=1000, sample_size=10,
           event=GAUSSIAN), None,
     "without_replacement(gaussian(sigma=1.5, sensitivity=2), batch=10, population=1000, "
     "adjacency=replace)"),
    (event("SampledWithoutReplacementDpEvent", source_dataset_size=1000, sample_size=10,
           event=GAUSSIAN), "add_remove",
     "without_replacement(gaussian(sigma=1.5), batch=10, population=999, adjacency=add_remove)"),
    (event("SampledWithReplacementDpEvent", source_dataset_size=1000, sample_size=10,
           event=GAUSSIAN), None,
     "with_replacement(gaussian(sigma=1.5, sensitivity=2), batch=10, population=1000)"),
    (event("TruncatedSubsampledGaussianDpEvent", dataset_size=100, sampling_probability=0.5,
           truncated_batch_size=101, noise_multiplier=2), None,
     "poisson(gaussian(sigma=2), rate=0.5)"),
    (event("ComposedDpEvent", events=[
        GAUSSIAN, event("SelfComposedDpEvent", event=event("ComposedDpEvent", events=[
            GAUSSIAN, event("LaplaceDpEvent", noise_multiplier=20)]), count=3)]), None,
     "gaussian(sigma=1.5)^4 * laplace(scale=20)^3"),
    (event("ComposedDpEvent", events=[GAUSSIAN, event("SampledWithReplacementDpEvent",
     source_dataset_size=100, sample_size=10, event=GAUSSIAN)]), None,
     "gaussian(sigma=1.5, sensitivity=2) * "
     "with_replacement(gaussian(sigma=1.5, sensitivity=2), batch=10, population=100)"),
    (event("MixtureOfGaussiansDpEvent", standard_deviation=1, sensitivities=[0, 1, 2],
           sampling_probs=[0.5, 0.25, 0.25]), None,
     "mixture(sigma=1, sensitivities=[0, 1, 2], probabilities=[0.5, 0.25, 0.25])"),
])
def test_events(given, relation, spec):
    run = pl.from_(given, adjacency=relation)
    assert run == pl.parse(spec) if "log" not in spec else run.epsilon(0).upper >= math.log(3)
    as_text = pl.from_(json.dumps(given), adjacency=relation)
    assert as_text == run
    assert pl.from_(named(given), adjacency=relation) == run
    assert pl.from_(json.dumps(named(given)), adjacency=relation) == run  # lists of values
    assert pl.from_(objects(given), adjacency=relation) == run


def named(x):
    """As DpEvent.to_named_tuple writes it."""
    if isinstance(x, list):
        return [named(each) for each in x]
    if not isinstance(x, dict):
        return x
    x = {"module_name": "dp_accounting.dp_event", **x}
    return collections.namedtuple("_Wrapper", x)(*map(named, x.values()))


def objects(x):
    """As objects of a class of that name."""
    if isinstance(x, list):
        return [objects(each) for each in x]
    if not isinstance(x, dict):
        return x
    made = type(x["class_name"], (), {})()
    for key, value in x.items():
        if key not in ("module_name", "class_name"):
            setattr(made, key, objects(value))
    return made


@pytest.mark.parametrize("given", [
    event("NoOpDpEvent"),
    event("ComposedDpEvent", events=[]),
    event("SelfComposedDpEvent", event=GAUSSIAN, count=0),
    poisson(GAUSSIAN, 0),
    poisson(event("NoOpDpEvent")),
    event("RandomizedResponseDpEvent", noise_parameter=1, num_buckets=7),
    event("RandomizedResponseDpEvent", noise_parameter=0, num_buckets=1),
    event("EpsilonDeltaDpEvent", epsilon=0, delta=0),
    event("ZCDpEvent", rho=0),
    event("DiscreteLaplaceDpEvent", noise_parameter=1, sensitivity=0),
    event("DiscreteGaussianDpEvent", sigma=1, sensitivity=0.5),
    event("MixtureOfGaussiansDpEvent", standard_deviation=1, sensitivities=[0], sampling_probs=[1]),
])
def test_what_loses_nothing(given):
    with pytest.raises(pl.SpecError, match="nothing was run"):
        pl.from_(given)
    both = event("ComposedDpEvent", events=[given, event("LaplaceDpEvent", noise_multiplier=2)])
    assert pl.from_(both).steps[0].count == 1 and len(pl.from_(both).steps) == 1


def test_poisson_repeats_have_an_infinite_shape():  # which JSON cannot say
    repeated = event("RepeatAndSelectDpEvent", event=GAUSSIAN, mean=10, shape=math.inf)
    assert pl.from_(repeated, adjacency="replace").spec == "select(gaussian(sigma=1.5, sensitivity=2), repeats=poisson, mean=10)"


@pytest.mark.parametrize("given, relation, words", [
    (event("NonPrivateDpEvent"), None, "not private"),
    (event("GaussianDpEvent", noise_multiplier=0), None, "not private"),
    (event("EpsilonDeltaDpEvent", epsilon=1, delta=1), None, "not private"),
    (event("EpsilonDeltaDpEvent", epsilon=math.inf, delta=0), None, "not private"),
    (event("RandomizedResponseDpEvent", noise_parameter=0, num_buckets=2), None, "not private"),
    (event("UnsupportedDpEvent"), None, "UnsupportedDpEvent is refused"),
    (event("BrandNewDpEvent"), None, "BrandNewDpEvent is refused: it is not known"),
    (poisson(event("SingleEpochTreeAggregationDpEvent", noise_multiplier=1, step_counts=1)), None,
     "PoissonSampledDpEvent of SingleEpochTreeAggregationDpEvent is refused"),
    (event("RepeatAndSelectDpEvent", event=event("ZCDpEvent", rho=1), mean=2, shape=1), None, "no dominating pair"),
    (event("RepeatAndSelectDpEvent", event=event("ComposedDpEvent", events=[GAUSSIAN, event("LaplaceDpEvent", noise_multiplier=1)]),
           mean=2, shape=1), None, "RepeatAndSelectDpEvent of several mechanisms"),
    (event("TruncatedSubsampledGaussianDpEvent", dataset_size=100, sampling_probability=0.5,
           truncated_batch_size=100, noise_multiplier=0), None, "not private"),
    (event("TruncatedSubsampledGaussianDpEvent", dataset_size=100, sampling_probability=1,
           truncated_batch_size=100, noise_multiplier=2), None, "Truncated.* is refused"),
    (poisson(event("LaplaceDpEvent", noise_multiplier=2)), "replace",
     "PoissonSampledDpEvent is refused under replace"),
    (poisson(event("ZCDpEvent", rho=1)), None, "PoissonSampledDpEvent of ZCDpEvent is refused"),
    (poisson(event("RandomizedResponseDpEvent", noise_parameter=0.5, num_buckets=2)), None,
     "refused"),
    (poisson(event("EpsilonDeltaDpEvent", epsilon=1, delta=0)), "zero_out",
     "refused under zero_out"),
    (poisson(event("ComposedDpEvent", events=[GAUSSIAN, event("LaplaceDpEvent",
                                                              noise_multiplier=1)])), None,
     "several mechanisms"),
    (poisson(event("SampledWithoutReplacementDpEvent", source_dataset_size=10, sample_size=1,
                   event=GAUSSIAN)), None, "refused"),
    (event("SampledWithoutReplacementDpEvent", source_dataset_size=10, sample_size=1,
           event=GAUSSIAN), "zero_out", "refused under zero_out"),
    (event("SampledWithoutReplacementDpEvent", source_dataset_size=10, sample_size=1,
           event=poisson(GAUSSIAN)), None, "GaussianDpEvent only"),
    (event("SampledWithReplacementDpEvent", source_dataset_size=10, sample_size=1,
           event=GAUSSIAN), "add_remove", "refused under add_remove"),
    (event("RandomizedResponseDpEvent", noise_parameter=0.5, num_buckets=2), "add_remove",
     "refused under add_remove"),
    (event("MixtureOfGaussiansDpEvent", standard_deviation=1, sensitivities=[1],
           sampling_probs=[1]), "replace", "refused under replace"),
    (event("DiscreteGaussianDpEvent", sigma=1), "replace", "refused under replace"),
    (poisson(event("DiscreteGaussianDpEvent", sigma=1, sensitivity=1.5)), None,
     "refused for vectors"),
])
def test_refused_by_name(given, relation, words):
    with pytest.raises(pl.NotApplicable, match=words):
        pl.from_(given, adjacency=relation)


@pytest.mark.parametrize("given, words", [
    ({"class_name": "GaussianDpEvent"}, "noise_multiplier is missing"),
    ({"class_name": "GaussianDpEvent", "noise_multiplier": 1, "sensitivity": 3}, "no field"),
    ({"class_name": "GaussianDpEvent", "type": "LaplaceDpEvent", "noise_multiplier": 1},
     "one text"),
    ({"class_name": 7, "noise_multiplier": 1}, "one text"),
    (event("GaussianDpEvent", noise_multiplier="2, sensitivity=0"), "finite number"),
    ({**GAUSSIAN, "module_name": "mine.events"}, "module_name"),
    (["dp_accounting.dp_event", "GaussianDpEvent", 1, 2], "at most 1"),
    (["dp_accounting.dp_event", "GaussianDpEvent"], "missing"),
    (["mine.events", "GaussianDpEvent", 1], "entries"),
    (event("GaussianDpEvent", noise_multiplier=[1]), "finite number"),
    (event("GaussianDpEvent", noise_multiplier=math.inf), "finite number"),
    (event("GaussianDpEvent", noise_multiplier=-1), ">= 0"),
    (poisson(GAUSSIAN, 1.5), r"in \[0, 1\]"),
    (poisson(GAUSSIAN, -0.5), r"in \[0, 1\]"),
    (event("SelfComposedDpEvent", event=GAUSSIAN, count=1.5), "integer"),
    (event("SelfComposedDpEvent", event=GAUSSIAN, count=-1), "integer"),
    (event("SelfComposedDpEvent", event=GAUSSIAN, count=10**13), r"10\^12"),
    (event("SelfComposedDpEvent", event=GAUSSIAN), "missing"),
    (event("ComposedDpEvent", events=3), "list"),
    (event("ComposedDpEvent", events=[3]), "DpEvent is wanted"),
    (event("EpsilonDeltaDpEvent", epsilon=-1, delta=0), ">= 0"),
    (event("EpsilonDeltaDpEvent", epsilon=1, delta=1.1), r"in \[0, 1\]"),
    (event("MixtureOfGaussiansDpEvent", standard_deviation=1, sensitivities=[0, 1],
           sampling_probs=[0.5, 0.49]), "sum to 1"),
    (event("MixtureOfGaussiansDpEvent", standard_deviation=1, sensitivities=[0, -1],
           sampling_probs=[0.5, 0.5]), ">= 0"),
    (event("MixtureOfGaussiansDpEvent", standard_deviation=1, sensitivities=[0],
           sampling_probs=[0.5, 0.5]), "one length"),
    (event("RandomizedResponseDpEvent", noise_parameter=2, num_buckets=2), "noise_parameter"),
    (event("RandomizedResponseDpEvent", noise_parameter=0.5, num_buckets=0), "num_buckets"),
])
def test_bad_events(given, words):
    with pytest.raises(pl.SpecError, match=words):
        pl.from_(given)


def test_deep_nesting_is_refused():
    given = GAUSSIAN
    for _ in range(150):
        given = event("SelfComposedDpEvent", event=given, count=1)
    with pytest.raises(pl.SpecError, match="nested"):
        pl.from_(given)
    with pytest.raises(pl.SpecError, match="nested"):
        pl.from_(poisson(given), adjacency="add_remove")


def test_unknown_adjacency():
    with pytest.raises(pl.SpecError, match="adjacency must be"):
        pl.from_(GAUSSIAN, adjacency="substitute")
    with pytest.raises(pl.SpecError, match="is for add_remove"):
        pl.from_([(1, 0.5, 1)], adjacency="replace")
    assert pl.from_("gaussian(1)", adjacency="replace").spec == "gaussian(sigma=1)"
    run = pl.gaussian(1)
    assert pl.from_(run) is run
    with pytest.raises(pl.SpecError, match="file is for"):
        pl.from_(run, file="x")


def test_joined_gaussians_are_no_better_than_they_are():
    """Two Gaussians on one sample: the deviation is rounded down, never up."""
    both = event("ComposedDpEvent", events=[GAUSSIAN, GAUSSIAN])
    run = pl.from_(poisson(both, 1))
    inner = run.arguments["mechanism"].arguments["sigma"]
    assert inner**2 <= Fraction(9, 8) < (inner * (1 + Fraction(1, 10**25)))**2
    assert run.epsilon(1e-5).upper >= (pl.gaussian(1.5)**2).epsilon(1e-5).lower


def test_roots():
    for top in range(1, 60):
        for bottom in (1, 2, 7, 10**9, 10**40 + 1):
            x = Fraction(top, bottom)
            root = root_below(x)
            assert root**2 <= x < (root * (1 + Fraction(1, 10**27)))**2


def test_computed_probabilities_are_rounded_to_the_safe_side():
    """0.1 + 0.2 + 0.7 is not 1 in doubles' decimals once one of them is off by a rounding error."""
    for off in (-1e-16, 1e-16):
        masses = [0.3 + off, 0.7]
        run = pl.from_(event("MixtureOfGaussiansDpEvent", standard_deviation=1,
                             sensitivities=[0.0, 1.0], sampling_probs=masses))
        stated = dict(zip(run.arguments["sensitivities"], run.arguments["probabilities"]))
        total = sum(map(Fraction, map(repr, masses)))
        assert sum(stated.values()) == 1 != total
        assert stated[1] >= Fraction("0.7") / total


def test_many_answers_of_randomised_response():
    """Three answers: the least epsilon at delta 0 is exactly the logarithm of the greatest ratio,
    and the curve is above that of the two laws of the answer."""
    given = event("RandomizedResponseDpEvent", noise_parameter=0.5, num_buckets=3)
    truth, lie = Fraction(2, 3), Fraction(1, 6)
    run = pl.from_(given)
    band = run.epsilon(0)
    assert band.lower <= math.log(truth / lie) <= band.upper < math.log(truth / lie) + 1e-9
    for epsilon in (0, 0.1, 1):
        exact = float(truth) - math.exp(epsilon) * float(lie)
        assert run.delta(epsilon).upper >= exact - 1e-12
    special = pl.from_(given, adjacency="zero_out").epsilon(0)
    assert special.lower <= math.log(2) <= special.upper < math.log(2) + 1e-9


def test_vectors_of_discrete_laplace():
    """docs/proofs/discrete.md#coordinates, in exact arithmetic: the curve of one integer at the
    distance c + d is nowhere below that of two at c and d. Curves are linear in e^eps between the
    likelihood ratios, which are the same for both."""
    def law(c, r):
        return {s: r**s / (1 + r) * (1 if s in (0, c) else 1 - r) for s in range(c + 1)}

    def curve(q, c, r, at):
        return sum(mass * max(0, r**(c - 2 * s) - at) for s, mass in q.items())

    for r in (Fraction(1, 10), Fraction(1, 2), Fraction(99, 100)):
        for c in range(1, 5):
            for d in range(1, 5):
                both = {}
                for i, x in law(c, r).items():
                    for j, y in law(d, r).items():
                        both[i + j] = both.get(i + j, 0) + x * y
                one = law(c + d, r)
                assert sum(both.values()) == sum(one.values()) == 1
                for k in range(c + d + 1):
                    at = r**(c + d - 2 * k)
                    assert curve(one, c + d, r, at) >= curve(both, c + d, r, at)


def test_known_events_are_each_read_or_refused():
    assert KNOWN == set(FIELDS)


# ---- Laws

class Pmf:
    def __init__(self, masses, infinite=0.0, mesh=0.1, first=0, pessimistic=True, sparse=False):
        self._discretization, self._infinity_mass = mesh, infinite
        self._pessimistic_estimate = pessimistic
        if sparse:
            self._loss_probs = {first + i: mass for i, mass in enumerate(masses)}
        else:
            self._lower_loss, self._probs = first, masses


class PrivacyLossDistribution:
    def __init__(self, remove, add=None):
        self._pmf_remove, self._pmf_add = remove, remove if add is None else add
        self._symmetric = add is None


@pytest.mark.parametrize("sparse", [False, True])
def test_a_law_is_that_of_the_object(sparse, tmp_path):
    masses = [0.25, 0.0, 0.5, 0.125]  # at 0, 1/10, 2/10, 3/10; the rest at infinity
    law = PrivacyLossDistribution(Pmf(masses, 0.125, sparse=sparse))
    run = pl.from_(law, adjacency="replace", file=tmp_path / "law.json")
    assert run.adjacency.kind == "replace"
    exact = 0.125 + 0.5 * (1 - math.exp(0.15 - 0.2)) + 0.125 * (1 - math.exp(0.15 - 0.3))
    band = run.delta("0.15")
    assert band.lower - 1e-15 <= exact <= band.upper + 1e-15
    assert band.upper - band.lower < 1e-12
    twice = (run**2).delta("0.15")
    assert twice.lower > band.upper
    assert pickle.loads(pickle.dumps(run)) == run
    assert pl.from_(law).adjacency.kind == "as_stated"


def test_directions_of_a_law():
    one, other = Pmf([0.45, 0.0, 0.55], first=-1), Pmf([1.0])
    run = pl.from_(PrivacyLossDistribution(one, other), adjacency="add_remove")
    assert not run.symmetric
    assert run.delta(0, direction="add").upper == 0
    assert run.delta(0, direction="remove").lower > 0.04


def test_masses_that_are_no_law_are_moved_to_the_safe_side():
    plain = pl.from_(PrivacyLossDistribution(Pmf([0.5, 0.25, 0.25], first=0)))
    less = pl.from_(PrivacyLossDistribution(Pmf([0.5, 0.25, 0.25 - 2**-40], first=0)))
    more = pl.from_(PrivacyLossDistribution(Pmf([0.5 + 2**-40, 0.25, 0.25], first=0)))
    negative = pl.from_(PrivacyLossDistribution(Pmf([0.5, 0.25, 0.25, -2**-60], first=0)))
    for epsilon in (0.05, 0.15):
        base = plain.delta(epsilon)
        assert more.delta(epsilon).lower <= base.upper and base.lower <= more.delta(epsilon).upper
        assert less.delta(epsilon).upper > base.lower
        assert negative.delta(epsilon).upper >= base.lower
    # Q: e^0.1 / 2 + e^-0.1 / 2 > 1, by 0.005
    with pytest.raises(pl.NotApplicable, match="not those of a law"):
        pl.from_(PrivacyLossDistribution(Pmf([0.5, 0.0, 0.5], first=-1)))


@pytest.mark.parametrize("mesh", [0.1, 0.25, 0.3, 0.5, 0.7, 1.0])
@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 6])
def test_a_mass_of_q_a_little_above_1_is_moved_below(mesh, count):
    """No law of a pair has even 1e-90 too much, and plaudit reads none."""
    with decimal.localcontext() as context:
        context.prec = 300
        masses, left = [], decimal.Decimal(1)
        for i in range(count):  # each brings Q nearer to 1, and the last one above
            weight = (decimal.Decimal(repr(mesh)) * (i + 1)).exp()
            masses.append(float(left / weight))
            while (decimal.Decimal(masses[-1]) * weight > left) != (i + 1 == count):
                masses[-1] = math.nextafter(masses[-1], 1.0 if i + 1 == count else 0.0)
            left -= decimal.Decimal(masses[-1]) * weight
    missing = 1 - math.fsum(masses) - 1e-15
    run = pl.from_(PrivacyLossDistribution(Pmf(masses[::-1], missing, mesh, -count)))
    assert run.delta(0).upper < 1


@pytest.mark.parametrize("pmf, words", [
    (Pmf([1.0], pessimistic=False), "optimistic"),
    (Pmf([0.5], 0.4), "not those of a law"),
    (Pmf([]), "losses"),
    (Pmf([1.0], mesh=0.0), "mesh"),
    (Pmf([math.nan, 1.0]), "mass must be"),
    (Pmf([1.0], infinite=math.inf), "mass must be"),
    (Pmf([0.5], infinite=1.5), "infinity is above 1|not those of a law"),
])
def test_bad_laws(pmf, words):
    with pytest.raises(pl.SpecError, match=words):
        pl.from_(PrivacyLossDistribution(pmf))


def test_a_bad_name_of_a_file(tmp_path):
    law = PrivacyLossDistribution(Pmf([1.0]))
    for name in ('a"b.json', "a\nb.json", "é.json"):
        with pytest.raises(pl.SpecError, match="file must be"):
            pl.from_(law, file=tmp_path / name)


# ---- prv_accountant

def prv(name, **values):
    made = type(name, (), {})()
    vars(made).update(values)
    return made


def test_mechanisms_of_prv():
    sampled = prv("PoissonSubsampledGaussianMechanism", p=0.01, sigma=0.8)
    pure = prv("PureDPMechanism", eps=0.1)
    run = "poisson(gaussian(sigma=0.8), rate=0.01)^1000 * pure(epsilon=0.1)^3"
    assert pl.from_(([sampled, pure], [1000, 3])).spec == run
    assert pl.from_([(sampled, 1000), (pure, 3)]).spec == run
    assert pl.from_(sampled).spec == "poisson(gaussian(sigma=0.8), rate=0.01)"
    assert pl.from_([(prv("GaussianMechanism", mu=0.5), 2)]) == pl.parse(
        "gaussian(sigma=1, sensitivity=0.5)^2")
    assert pl.from_([(prv("LaplaceMechanism", mu=0.5), 2)]) == pl.parse(
        "laplace(scale=1, sensitivity=0.5)^2")
    assert pl.from_([(prv("ApproximateDPMechanism", delta=1e-6, pure_dp=pure), 2)]) == pl.parse(
        "approximate(0.1, 1e-6)^2")


@pytest.mark.parametrize("given, words", [
    (([prv("PureDPMechanism", eps=0.1)], [1, 2]), "counts"),
    (([prv("PureDPMechanism", eps=0.1)], [0.5]), "integer"),
    (([prv("PureDPMechanism", eps=0.1)], [0]), "nothing was run"),
    ([(prv("PureDPMechanism", eps=math.nan), 1)], "finite"),
])
def test_bad_mechanisms_of_prv(given, words):
    with pytest.raises(pl.SpecError, match=words):
        pl.from_(given)


def test_the_accountant_with_the_calls_of_prv():
    from plaudit.prv import PRVAccountant

    accountant = PRVAccountant([prv("PureDPMechanism", eps=0.1)], max_self_compositions=[100])
    lower, estimate, upper = accountant.compute_epsilon(1e-6, [100])
    band = (pl.pure(0.1)**100).epsilon(1e-6)
    assert (lower, upper) == (band.lower, band.upper) and lower <= estimate <= upper
    lower, estimate, upper = accountant.compute_delta(1.5, [100])
    assert lower <= estimate <= upper
    with pytest.raises(pl.SpecError, match="max_self_compositions"):
        accountant.compute_epsilon(1e-6, [101])
    with pytest.raises(pl.SpecError, match="counts"):
        accountant.compute_epsilon(1e-6, [1, 1])
    with pytest.raises(pl.SpecError, match="max_self_compositions"):
        PRVAccountant([prv("PureDPMechanism", eps=0.1)], max_self_compositions=[1, 2])


def test_histories_of_any_length():
    run = pl.from_([(1 + i / 3000, 0.01, 3) for i in range(3000)])
    assert len(run.steps) == 3000 and run.steps[1].count == 3
    with pytest.raises(pl.SpecError, match="characters"):
        pl.parse(run.spec)


def test_a_single_entry_of_a_history():
    assert pl.from_((1.1, 0.01, 1000)) == pl.from_([(1.1, 0.01, 1000)])


def test_events_of_no_released_version_are_refused_with_the_way_out():
    with pytest.raises(pl.NotApplicable, match=r"RandomAllocationDpEvent is refused.*random_allocation\(gaussian\(sigma\), steps\)"):
        pl.from_({"class_name": "RandomAllocationDpEvent", "steps": 3})


def test_states_without_poisson_sampling():
    state = {"history": [(2.0, 0.01, 100)], "mechanism": "plaudit", "poisson_sampling": False}
    assert pl.from_(state).epsilon(1e-5).decimal(8) == (pl.gaussian(2)**100).epsilon(1e-5).decimal(8)
    assert pl.from_({**state, "poisson_sampling": True}) == pl.from_(state["history"])
