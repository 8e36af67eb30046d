"""plaudit: certified differential-privacy guarantees.

>>> import plaudit as pl
>>> run = pl.poisson(pl.gaussian(0.8), rate="1/250")**1000
>>> run.epsilon(delta=1e-7).decimal(10)
('2.085898361', '2.085898362')

Every band [lower, upper] contains the exact number, for the exact decimals that were typed: a float
means the decimal that it prints. Anything wrong raises `SpecError`; a band that is wider than asked
warns with `WidthNotReached`.
"""
import typing as _typing

from . import _core, balls, mechanisms
from ._audit import Audit, audit
from ._bands import Band, Undecided, WidthNotReached
from ._best_tests import BestTests, GaussianMu
from ._searches.calibration import Calibration, Calibrations, calibrate
from ._searches.splitting import Split, split_budget
from ._comparison import Comparison, compare, cross_check
from ._composition import Composition, Step, parse
from ._core import (Complex, Interval, NotApplicable, PluginError, Requests, SpecError, check_certificate,
                    list_accountants, list_mechanisms, list_shorthands, trust)
from ._curves import Bands, Curve
from ._events.libraries import from_
from ._factors import Adjacency
from ._ledger.book import LedgerBroken
from ._ledger.ledger import BudgetExceeded, Ledger, LedgerEntry
from ._losses import PrivacyLoss
from ._many.map import map as map  # of the module, but not of `import *`: a builtin has this name
from ._numbers import Number, binary
from ._observed.libraries import canary_scores, read_training
from ._observed.observe import GuessNumbers, ObservedGuesses, ObservedLimits, ObservedRuns, observe, observe_counts
from ._observed.pairs import ObservedSensitivity, PairLaw, Violation, observe_sensitivity, pair_law, pair_law_of
from ._observed.readings import CodeFinding, TrainingReading
from ._questions import curve, delta, epsilon, random_runs, renyi, tradeoff
from ._sessions import Session
from ._typed.hints import of_module as _of_module
from .extend import Accountant, Law, Mechanism, register
from .mechanisms import *  # noqa: F403

__all__ = [
    "Accountant", "Adjacency", "Audit", "Band", "Bands", "BestTests", "BudgetExceeded", "Calibration", "Calibrations",
    "CodeFinding", "Comparison", "Complex", "Composition", "Curve", "GaussianMu", "GuessNumbers", "Interval", "Law", "Ledger",
    "LedgerBroken", "LedgerEntry", "Mechanism", "NotApplicable", "Number", "ObservedGuesses", "ObservedLimits",
    "ObservedRuns", "ObservedSensitivity", "PairLaw", "PluginError", "PrivacyLoss", "Requests", "Session", "SpecError",
    "Split", "Step", "TrainingReading", "Undecided", "Violation", "WidthNotReached", "audit", "binary", "calibrate",
    "canary_scores", "check_certificate", "compare", "cross_check", "curve", "delta", "epsilon", "from_",
    "list_accountants", "list_mechanisms", "list_shorthands", "observe", "observe_counts", "observe_sensitivity", "pair_law",
    "pair_law_of", "parse", "random_runs", "read_training", "register", "renyi", "split_budget", "tradeoff", "trust",
]
__all__ += [  # those of .mechanisms, as text: type checkers run nothing
    "dpsgd", "gaussian", "mixture", "poisson", "truncated_poisson", "joint", "parallel", "group",
    "without_replacement", "with_replacement", "pair", "shuffle", "random_allocation", "shuffled", "averaged", "random_participation", "bandmf", "matrix", "toeplitz",
    "tree", "laplace", "discrete_laplace", "truncated_laplace", "truncated_discrete_laplace", "truncated_gaussian",
    "discrete_gaussian", "discrete_gaussian_sum", "skellam", "partition_selection", "laplace_threshold",
    "gaussian_threshold", "propose_test_release", "gaussian_sparse_vector", "staircase", "randomized_response", "adaptive_clipping",
    "bounded_range", "exponential", "permute_and_flip", "report_noisy_max", "sparse_vector", "pate", "select", "pure",
    "approximate", "zcdp", "tcdp", "cdp", "privacy_profile", "renyi_profile", "pld",
]

__version__: str = _core.version

if not _typing.TYPE_CHECKING:  # so that type checkers find a name that is misspelt

    def __getattr__(name):
        """A mechanism that was registered after the import."""
        if name in balls.__all__:
            raise AttributeError(f"module plaudit has no attribute {name}: it is plaudit.balls.{name}")
        if not name.startswith("_"):
            try:
                return mechanisms.__getattr__(name)
            except AttributeError:
                pass
        words = "" if name.startswith("_") else _of_module(name)
        raise AttributeError(f"module plaudit has no attribute {name}" + (words and ": ") + words)
