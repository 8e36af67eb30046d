"""A user's file with every public name of the module, for mypy --strict (test_package.py)."""
from fractions import Fraction
from typing import Dict, List, Optional, Tuple

import numpy as np
import plaudit as pl
from plaudit import balls


class Cut(pl.Mechanism):
    """Laplace noise of scale 1 on a query of sensitivity 1."""

    parameters = {"scale": "positive"}

    def p_above(self, x: pl.Interval) -> object:
        return 1 - balls.exp((x - 1) / 2) / 2

    def q_above(self, x: pl.Interval) -> object:
        return balls.exp(-(x + 1) / 2) / 2


class RootN(pl.Accountant):
    """The epsilon of one step times the root of their number."""

    claim = "upper"

    def epsilon(self, run: pl.Composition, delta: Fraction) -> float:
        step: pl.Step = run.steps[0]
        return float(step.mechanism.epsilon(delta).upper * step.count ** 0.5)


def arithmetic(law: pl.Law, number: pl.Number) -> Tuple[pl.Interval, pl.Complex, int]:
    x = pl.Interval(1, 2)
    for f in (balls.exp, balls.expm1, balls.log, balls.log1p, balls.sqrt, balls.sin, balls.cos, balls.normal_cdf):
        x = f(x)
    x = balls.hull(x, balls.largest(x, balls.least(x, 1)))
    print(law.p_above(x), pl.binary(0.1), number)
    return x, balls.complex_exp(pl.Complex(x, 1)), balls.working_bits()


def runs() -> List[pl.Composition]:
    noise = [pl.gaussian(1), pl.laplace(1), pl.discrete_laplace(1), pl.discrete_gaussian(2), pl.staircase(1, gamma=0.3),
             pl.truncated_gaussian(1, 5), pl.skellam(4), pl.discrete_gaussian_sum(3, sigma=1), pl.partition_selection(1, 1e-5),
             pl.laplace_threshold(1, 9), pl.gaussian_threshold(1, 9, groups=2), pl.gaussian_sparse_vector(1, 2, queries=9),
             pl.propose_test_release(pl.gaussian(1), 2, miss=1e-3), pl.pate([90, 4], sigma=20), pl.shuffle(1, 9, categories=4),
             pl.truncated_laplace(1, 5), pl.truncated_discrete_laplace(1, bound=5),
             pl.randomized_response(epsilon=1), pl.bounded_range(1), pl.exponential(1),
             pl.permute_and_flip(1), pl.report_noisy_max(1), pl.sparse_vector(1, 2), pl.pure(1),
             pl.approximate(1, 1e-6), pl.zcdp(1), pl.tcdp(1, 2), pl.cdp(1, 1), pl.renyi_profile([2, 3], [0.1, 0.2]), pl.pld("law.json")]
    sampled = [pl.poisson(noise[0], rate=0.1), pl.truncated_poisson(noise[0], 0.1, 10, 100),
               pl.without_replacement(noise[0], 10, 100), pl.with_replacement(noise[0], 10, 100),
               pl.shuffle(1, users=10), pl.random_allocation(noise[0], 10),
               pl.shuffled(noise[0], 10, adjacency="zero_out"), pl.averaged(noise[0], 0.1, 100), pl.bandmf([1, 0.5], 2, 100, 0.1), pl.random_participation([1, 0.5], 2, 8, bins=2), pl.group(noise[0], 2), pl.joint(noise[0], noise[0]),
               pl.shuffle(1, users=10), pl.random_allocation(noise[0], 10), pl.group(noise[0], 2), pl.joint(noise[0], noise[0]), pl.adaptive_clipping(1.1, 10, 0.01),
               pl.parallel(noise[0], noise[1]), pl.select(noise[0], repeats="poisson", mean=10), pl.privacy_profile([0, 1], [0.3, 0.1]),
               pl.mixture(1, [0, 1], [0.5, 0.5]), pl.pair("poisson", 1, rate=0.1),
               pl.matrix([[1, 0], [1, 1]]), pl.toeplitz([1, 0.5], 10), pl.tree(8)]
    return noise + sampled + [pl.dpsgd(1.1, sample_rate=0.01, steps=1000), pl.parse("gaussian(1)")]


def questions(run: pl.Composition) -> Optional[pl.Calibration]:
    band: pl.Band = run.epsilon(delta=1e-5, timeout=None)
    session: pl.Session = pl.Session(run, timeout=10)
    bands: pl.Bands = pl.map([run], delta=1e-5)
    curve: pl.Curve = pl.curve(run, deltas=[1e-5])
    tests: pl.BestTests = run.best_tests()
    mu: pl.GaussianMu = run.gaussian_mu()
    seen: pl.ObservedRuns = pl.observe_counts(run, design="runs", true_positives=5, with_record=9, false_positives=1,
                                              without_record=9)
    limits: pl.ObservedLimits = seen.limits
    guessed: pl.ObservedGuesses = pl.observe_counts(run, design="coins", right=5, guessed=9, canaries=9)
    found: pl.GuessNumbers = guessed.found
    scored: pl.ObservedRuns = pl.observe(run, [1.5, 2], [0, 1], design="runs", threshold="all")
    print(limits.epsilon_lower, found.mu_lower, scored.verdict, scored.svg())
    pl.observe(run, design="runs", threshold=1, scores="scores.npz", certificate="seen.json")
    training: pl.TrainingReading = pl.read_training({"history": [[1, 0.1, 10]]}, sampling="poisson")
    findings: List[pl.CodeFinding] = training.findings
    print(training.epsilon(1e-5).upper, findings, training.to_dict(), pl.canary_scores([1.5, 2], members=[True, False])[0])
    law_of_code: pl.PairLaw = pl.pair_law({0: "3/4", 1: 0.25}, {0: 0.25, 1: "3/4"})
    broken: Optional[pl.Violation] = pl.pair_law_of(lambda seed: bool(seed > 1), lambda seed: bool(seed > 2), range(4)).violation(run)
    moved: pl.ObservedSensitivity = pl.observe_sensitivity([1.5], [0], declared=1, sigma=2)
    exact: Fraction = law_of_code.exact_delta(2) + law_of_code.exact_tradeoff(0.1)
    print(exact, broken, moved.exceeds, law_of_code.epsilon(0.1).upper)
    print(limits.epsilon_lower, found.mu_lower, scored.verdict)
    law: pl.PrivacyLoss = run.loss()
    between: pl.Adjacency = run.adjacency
    print(pl.epsilon(run, 1e-5), pl.delta(run, 1), pl.renyi(run, 2), pl.tradeoff(run, 0.1), session,
          bands, curve, tests, mu, law, between, pl.from_(run), pl.random_runs(3))
    try:
        return pl.calibrate(lambda s: pl.gaussian(s), epsilon=1, delta=1e-5)
    except pl.PluginError as broken:
        print(broken)
    except pl.NotApplicable as refusal:
        print(refusal)
    except pl.SpecError as error:
        print(error)
    except pl.WidthNotReached as wide:
        print(wide.band, band.certificate())
    return None


def one_or_many(run: pl.Composition, deltas: "np.ndarray[Tuple[int], np.dtype[np.float64]]") -> pl.Bands:
    one: pl.Band = pl.epsilon(run, 1e-5)
    many: pl.Bands = pl.epsilon(run, deltas)
    ones: List[pl.Band] = [run.epsilon(np.float32(0.1)), run.delta("1/2"), run.renyi(2), run.tradeoff(0.1),
                           pl.Session(run).epsilon(1e-5), run.best_tests().success(), many[0],
                           pl.epsilon(noise_multiplier=1, sample_rate=0.01, steps=10, delta=1e-5)]
    several: List[pl.Bands] = [run.epsilon(deltas), run.delta([0.5, 1]), run.renyi([2, 3]), run.tradeoff((0.1,)),
                               pl.Session(run).delta(deltas), run.best_tests().success([0.5]), many[1:],
                               pl.epsilon(noise_multiplier=[1, 2], sample_rate=0.01, steps=10, delta=1e-5)]
    found: pl.Calibrations = pl.calibrate("gaussian(?)", epsilon=[1, 2], delta=1e-5)
    split: pl.Split = pl.split_budget(lambda s, t: pl.gaussian(s) * pl.gaussian(t), epsilon=1, delta=1e-5)
    assert split.values and split.error > 0
    noise: pl.Calibration = pl.calibrate(epsilon=1, delta=1e-5, sample_rate=0.01, steps=1000)
    print(noise.suffices, pl.dpsgd(sigma=1.1, q=0.01, T=100))
    try:
        certain: bool = one < 2 and max(ones) >= min(ones) and one <= ones[0]
    except pl.Undecided as why:
        print(why, one.mid, f"{one:.4f}", one.to_dict(), one.to_pandas(), found.suffices, several)
        return many
    return many[:1] if certain else many


def verdicts(run: pl.Composition) -> Dict[str, int]:
    comparison: pl.Comparison = pl.compare(run, delta=1e-5, accountants=["contour", RootN])
    audit: pl.Audit = pl.audit([{"spec": run, "delta": 1e-5, "epsilon": 1}], progress=lambda done, total: print(done, total))
    print(pl.compare(run, 1e-5, progress=False), pl.audit({"spec": run, "delta": 1e-5, "epsilon": 1}))
    print(comparison.to_pandas(), audit.to_pandas(), pl.check_certificate(run.epsilon(1e-5).certificate()).accepted,
          pl.cross_check(1).defects,
          pl.list_accountants(), pl.list_mechanisms(), pl.list_shorthands(), pl.Requests().answer("{}"), pl.register(Cut))
    pl.trust("root_n")
    return audit.summary


def spending(run: pl.Composition, path: str) -> Dict[str, Fraction]:
    with pl.Ledger(path, {8: 1, "16": "2.5"}, kind="renyi", delta=1e-6, rule="any", nested=[({8: 0.5}, 1e-7)]) as ledger:
        try:
            entry: pl.LedgerEntry = ledger.spend(run, name="first")
            entries: List[pl.LedgerEntry] = [entry, *ledger.spend_all([run, "gaussian(9)"]), *ledger.log()]
        except pl.BudgetExceeded as refusal:
            print(refusal, ledger.run(), ledger.head)
        except pl.LedgerBroken as broken:
            print(broken)
        else:
            print(entries[0].charge, ledger.verify(), ledger.statement(fixed_in_advance=True))
        return ledger.remaining()
