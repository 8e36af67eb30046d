"""What was observed in runs against what was claimed of them."""
from __future__ import annotations

import math
import numbers
import os
import warnings
import zipfile
from fractions import Fraction
from typing import Any, Dict, Iterable, List, Literal, NamedTuple, Optional, Sequence, Tuple, Union, overload

from .. import _core
from .._composition import Composition, parse
from .._core import SpecError
from .._numbers import DEFAULT_MEMORY, Number, check_options, text_of


class ObservedLimits(NamedTuple):
    """What counts say of a run whatever was claimed, all of it together but for a probability of the level."""

    #: The false positive rate of the test is at most this.
    fpr_upper: float
    #: Its true positive rate is at least this.
    tpr_lower: float
    #: At each delta, the run has no smaller epsilon.
    epsilon_lower: Dict[Any, float]
    #: The run is not mu-GDP for a smaller mu.
    mu_lower: float


class ObservedRuns(NamedTuple):
    """A verdict on a claim by counts of many runs."""

    #: Refuted (the p-value is at most the level), consistent (it is above, which says nothing for the claim) or
    #: undecided (its band has the level in it).
    verdict: str
    #: A band of the p-value. Were the claim true, so small a p-value would have at most its own size as probability.
    p_value: Tuple[float, float]
    limits: ObservedLimits
    #: The same for as many runs without an error of the test, more than which they can never show.
    ceiling_p_value: Tuple[float, float]
    ceiling: ObservedLimits
    #: What the verdict rests on and no computation can check.
    assumptions: List[str]
    #: Why the band of the p-value is wide, where it is.
    remark: str
    #: Upper limits of the rates of false positives and of false negatives, as fractions; they hold together at the level.
    rates: List[Tuple[str, str]]
    #: What is said to have been run, and the level.
    run: Composition
    level: str

    def svg(self, width: float = 800, timeout: Optional[float] = 60, memory: int = DEFAULT_MEMORY) -> str:
        """The limits of the rates against the most that the claim allows, as the program draws them (`--svg`).

        Parameters
        ----------
        width : float
            In pixels, from 320 to 4000.
        timeout, memory
            As of `Composition.epsilon`.

        Returns
        -------
        str
            SVG.
        """
        check_options(timeout=timeout, memory=memory)
        return _core.observed_svg(self.run._core, self.rates, self.level, width, timeout, memory)


class GuessNumbers(NamedTuple):
    """What guesses about the coins of one run say."""

    #: Were the claim true, so small a p-value would have at most its own size as probability.
    p_value: float
    #: At each delta, the run has no smaller epsilon; with mu all together but for a probability of the level.
    epsilon_lower: Dict[Any, float]
    #: The run is not mu-GDP for a smaller mu.
    mu_lower: float


class ObservedGuesses(NamedTuple):
    """A verdict on a claim by guesses about the canaries of one run."""

    #: Refuted (the p-value is at most the level) or consistent, which says nothing for the claim.
    verdict: str
    #: What the guesses say.
    found: GuessNumbers
    #: The same had all of them been right, more than which they can never show.
    ceiling: GuessNumbers
    #: No test by so many right guesses of one run, of whatever kinds, has a smaller p-value; 0 where none is known,
    #: as where the numbers of each kind are fixed.
    no_test_below: float
    #: Right guesses, guesses, canaries.
    guesses: List[Tuple[int, int, int]]
    #: The exact lambda, delta and cap of each line of the claimed curve of which the p-value is made (of one the cap is 0).
    lines: List[Tuple[str, str, str]]
    #: What is added to the sum of canaries * delta * cap where there are several lines.
    least: str
    #: What the verdict rests on and no computation can check.
    assumptions: List[str]
    #: What ended the work early, where something did.
    remark: str


_DESIGNS = ("runs", "coins", "pairs")
_SPLIT = "split:"
_Path = Union[str, "os.PathLike[str]"]


def _count(value: Any, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or not 0 <= int(value) < 2**63:
        raise SpecError(f"{name}: must be an integer from 0 on, not {value!r}")
    return int(value)


def _scores(given: Iterable[Any], name: str) -> List[float]:
    try:
        return [float(score) for score in given]
    except (OverflowError, TypeError, ValueError) as error:
        raise SpecError(f"{name}: must be numbers: {error}") from None


def _arrays(path: _Path) -> Tuple[Any, Any]:
    """Those of a .npz: of what was in, and of what was out."""
    import numpy

    try:
        file = numpy.load(path, allow_pickle=False)
        found = {name: file[name] for name in getattr(file, "files", ())}
    except (ValueError, zipfile.BadZipFile) as error:
        raise SpecError(f"scores: {error}") from None
    if set(found) == {"in", "out"}:
        return found["in"], found["out"]
    if set(found) != {"scores", "members"}:
        raise SpecError("scores: the file must have the arrays in and out, or scores and members")
    scores, members = found["scores"], found["members"]
    if scores.shape != members.shape or scores.ndim != 1 or not numpy.isin(members, (0, 1)).all():
        raise SpecError("scores: members must be 0 or 1, as many as scores")
    return scores[members == 1], scores[members == 0]


def _design(design: str, allowed: Sequence[str] = _DESIGNS) -> str:
    if design not in allowed:
        raise SpecError(f"design: must be one of {', '.join(allowed)}, not {design!r}")
    return design


def _write(path: _Path, made: Tuple[str, str]) -> None:
    """A certificate; where it has no refutation, a warning says why."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(made[0])
    if made[1]:
        warnings.warn(made[1], stacklevel=4)


def _runs(core: _core.ObservedRuns, claim: Composition, level: str, deltas: Sequence[Number], direction: str,
          timeout: Optional[float], memory: int, certificate: Optional[_Path]) -> ObservedRuns:
    if certificate is not None:
        if core.at_all_thresholds:
            raise _core.NotApplicable("certificate: of all thresholds at once none is made; of a threshold that was fixed "
                                      "before, or 'split:SEED', one is")
        exact = [text_of(delta, "delta") for delta in deltas]
        _write(certificate, _core.certify_runs(claim._core, core, level, exact, direction, timeout, memory))

    def limits(found: Tuple[float, float, List[float], float]) -> ObservedLimits:
        fpr, tpr, epsilons, mu = found
        return ObservedLimits(fpr, tpr, dict(zip(deltas, epsilons)), mu)

    return ObservedRuns(core.verdict, core.p_value, limits(core.limits), core.ceiling_p_value,
                        limits(core.ceiling), core.assumptions, core.remark, core.rates, claim, level)


@overload
def observe_counts(run: Union[Composition, str], *, design: Literal["runs"], true_positives: int, with_record: int,
                   false_positives: int, without_record: int, level: Number = ..., deltas: Sequence[Number] = ...,
                   digits: int = ..., direction: str = ..., timeout: float | None = ...,
                   memory: int = ..., certificate: Optional[_Path] = ...) -> ObservedRuns: ...
@overload
def observe_counts(run: Union[Composition, str], *, design: Literal["coins", "pairs"], right: int, guessed: int,
                   canaries: int, kind: str = ..., independent: bool = ..., level: Number = ...,
                   deltas: Sequence[Number] = ..., digits: int = ..., timeout: float | None = ...,
                   memory: int = ..., certificate: Optional[_Path] = ...) -> ObservedGuesses: ...
def observe_counts(run: Union[Composition, str], *, design: Any, true_positives: Optional[int] = None,
                   with_record: Optional[int] = None, false_positives: Optional[int] = None,
                   without_record: Optional[int] = None, right: Optional[int] = None,
                   guessed: Optional[int] = None, canaries: Optional[int] = None, kind: str = "both",
                   independent: bool = False, level: Number = "1e-6", deltas: Sequence[Number] = (0, "1e-5"),
                   digits: int = 10, direction: str = "both", timeout: float | None = 60,
                   memory: int = DEFAULT_MEMORY,
                   certificate: Optional[_Path] = None) -> Union[ObservedRuns, ObservedGuesses]:
    """Holds counts to the whole privacy curve of a claimed run.

    Parameters
    ----------
    run : Composition or str
        The claim: what is said to have been run.
    design : "runs", "coins" or "pairs"
        Independent runs, some with the record and some without it, and a threshold that was fixed before them; one
        run with canaries that are in or out by a fair coin each; one run with one canary of each pair.
    true_positives, with_record : int
        Of "runs": in how many of how many runs with the record the test said that it is there.
    false_positives, without_record : int
        The same of runs without it.
    right, guessed, canaries : int
        Of "coins" and "pairs": of so many canaries (or pairs) so many were guessed, so many rightly.
    kind : "both", "in" or "out"
        What was guessed of coins.
    independent : bool
        Whether what is released of each canary depends on its own coin alone: an assumption.
    level : number
        The most a false alarm may be probable, in (0, 1).
    deltas : sequence of numbers
        Where lower ends of epsilon are wanted.
    digits, direction, timeout, memory
        As of `Composition.epsilon`; the digits are those of the claimed rates, the timeout is for all.
    certificate : path
        Where what is proven of the counts is written, for `plaudit check` and `plaudit_check.py`; a warning says where
        that is lower ends of epsilon alone. RuntimeError: nothing is.

    Returns
    -------
    ObservedRuns or ObservedGuesses
        The verdict, its p-value, and lower ends that hold whatever was claimed.

    Examples
    --------
    >>> import plaudit as pl
    >>> seen = pl.observe_counts("gaussian(sigma=2)", design="runs", true_positives=312, with_record=1000,
    ...                          false_positives=3, without_record=1000)
    >>> seen.verdict, seen.p_value[1] < 3.2e-28, round(seen.limits.mu_lower, 6)
    ('refuted', True, 1.319616)
    """
    _design(design)
    of_runs = {"true_positives": true_positives, "with_record": with_record,
               "false_positives": false_positives, "without_record": without_record}
    of_coins = {"right": right, "guessed": guessed, "canaries": canaries}
    wanted, other = (of_runs, of_coins) if design == "runs" else (of_coins, of_runs)
    for name, value in other.items():
        if value is not None:
            raise SpecError(f"{name}: is not of the design {design}")
    counts = [_count(value, name) for name, value in wanted.items()]
    if design != "runs":
        return _guesses(run, [(counts[0], counts[1], counts[2])], design, kind, independent, level, deltas, digits,
                        timeout, memory, certificate)
    check_options(digits=digits, memory=memory, timeout=timeout)
    claim = parse(run) if isinstance(run, str) else run
    exact = text_of(level, "level")
    core = _core.observe_counts(claim._core, counts[0], counts[1], counts[2], counts[3], exact,
                                [text_of(delta, "delta") for delta in deltas], digits, direction, timeout, memory)
    return _runs(core, claim, exact, deltas, direction, timeout, memory, certificate)


def _guesses(run: Union[Composition, str], guesses: List[Tuple[int, int, int]], design: str, kind: str,
             independent: bool, level: Number, deltas: Sequence[Number], digits: int, timeout: float | None,
             memory: int, certificate: Optional[_Path]) -> ObservedGuesses:
    check_options(digits=digits, memory=memory, timeout=timeout)
    claim = parse(run) if isinstance(run, str) else run
    exact = (text_of(level, "level"), [text_of(delta, "delta") for delta in deltas])
    core = _core.observe_guesses(claim._core, guesses, design == "pairs", kind, bool(independent), *exact, digits,
                                 timeout, memory)
    if certificate is not None:
        _write(certificate, _core.certify_guesses(claim._core, guesses, design == "pairs", kind, bool(independent),
                                                  *exact, timeout, memory))

    def numbers_of(found: Tuple[float, List[float], float]) -> GuessNumbers:
        p_value, epsilons, mu = found
        return GuessNumbers(p_value, dict(zip(deltas, epsilons)), mu)

    return ObservedGuesses(core.verdict, numbers_of(core.found), numbers_of(core.ceiling), core.no_test_below,
                           guesses, core.lines, core.least, core.assumptions, core.remark)


@overload
def observe(run: Union[Composition, str], in_scores: Optional[Iterable[Any]] = ...,
            out_scores: Optional[Iterable[Any]] = ..., *, design: Literal["runs"], threshold: Union[Number, str],
            scores: Optional[_Path] = ..., level: Number = ..., deltas: Sequence[Number] = ..., digits: int = ...,
            direction: str = ..., timeout: float | None = ..., memory: int = ...,
            certificate: Optional[_Path] = ...) -> ObservedRuns: ...
@overload
def observe(run: Union[Composition, str], in_scores: Optional[Iterable[Any]] = ...,
            out_scores: Optional[Iterable[Any]] = ..., *, design: Literal["coins", "pairs"], guesses: Any = ...,
            pairing: Optional[int] = ..., scores: Optional[_Path] = ..., independent: bool = ..., level: Number = ...,
            deltas: Sequence[Number] = ..., digits: int = ..., timeout: float | None = ..., memory: int = ...,
            certificate: Optional[_Path] = ...) -> ObservedGuesses: ...
def observe(run: Union[Composition, str], in_scores: Optional[Iterable[Any]] = None,
            out_scores: Optional[Iterable[Any]] = None, *, design: Any, scores: Optional[_Path] = None,
            threshold: Union[Number, str, None] = None, guesses: Any = None, pairing: Optional[int] = None,
            independent: bool = False, level: Number = "1e-6", deltas: Sequence[Number] = (0, "1e-5"),
            digits: int = 10, direction: str = "both", timeout: float | None = 60, memory: int = DEFAULT_MEMORY,
            certificate: Optional[_Path] = None) -> Union[ObservedRuns, ObservedGuesses]:
    """Holds scores of a test to the whole privacy curve of a claimed run.

    Parameters
    ----------
    run : Composition or str
        The claim: what is said to have been run.
    in_scores, out_scores : iterables of numbers
        Of the runs, or canaries, with the record and without it: lists, arrays, columns. They are compared as exact
        doubles; infinities are scores, a NaN is refused.
    scores : path
        In place of both: a file of numpy, .npz, with the arrays `in` and `out`, or `scores` and `members` (1 or 0).
    design : "runs", "coins" or "pairs"
        As of `observe_counts`.
    threshold : number or str
        Of "runs": the record is said to be there where the score is at least this, which was fixed before; or "all",
        all of them at once; or "split:SEED", chosen by one half of the runs for the other.
    guesses : (int, int), a list of them, or int
        Of "coins": how many of the greatest scores are guessed to be in, how many of the least out, fixed before;
        several share the level. Of "pairs": how many pairs are guessed, all unless given.
    pairing : int
        Of "pairs": the seed that draws the pairs, itself drawn at random (`secrets.randbits(32)`).
    independent, level, deltas, digits, direction, timeout, memory, certificate
        As of `observe_counts`; of all thresholds at once there is no certificate.

    Returns
    -------
    ObservedRuns or ObservedGuesses
        As of `observe_counts`.

    Examples
    --------
    >>> import plaudit as pl
    >>> seen = pl.observe("gaussian(sigma=2)", [8 + i for i in range(40)], range(40), design="runs", threshold="all",
    ...                   level="1/20")
    >>> seen.verdict
    'consistent'
    """
    _design(design)
    if (in_scores is None, out_scores is None) != (scores is not None, scores is not None):
        raise SpecError("scores: are wanted as in_scores and out_scores, or in a file, scores=")
    arrays = (in_scores, out_scores) if scores is None else _arrays(scores)
    given = (_scores(arrays[0], "in_scores"), _scores(arrays[1], "out_scores"))
    if design == "runs":
        if threshold is None or guesses is not None or pairing is not None:
            raise SpecError("threshold: is wanted of runs, and neither guesses nor pairing: a number fixed before, "
                            "'all', or 'split:SEED'")
        return _scored_runs(run, given, threshold, level, deltas, digits, direction, timeout, memory,
                            certificate)
    if threshold is not None:
        raise SpecError(f"threshold: is not of the design {design}")
    if design == "pairs":
        if pairing is None:
            raise SpecError("pairing: is wanted of pairs, a seed that was drawn at random")
        counts = [_core.guess_in_pairs(*given, _count(pairing, "pairing"),
                                       None if guesses is None else _count(guesses, "guesses"))]
        return _guesses(run, counts, design, "both", independent, level, deltas, digits, timeout, memory,
                        certificate)
    if guesses is None:
        raise SpecError("guesses: are wanted of coins, (in, out), fixed before the scores")
    try:
        pairs = list(guesses)
        pairs = [tuple(pairs)] if len(pairs) == 2 and not isinstance(pairs[0], (tuple, list)) else pairs
        asked = [(_count(first, "guesses"), _count(second, "guesses")) for first, second in pairs]
    except (TypeError, ValueError):
        raise SpecError(f"guesses: must be (in, out), or several such, not {guesses!r}") from None
    kind = ("in" if all(second == 0 for _, second in asked) else
            "out" if all(first == 0 for first, _ in asked) else "both")
    counts = [_core.guess_by_scores(*given, first, second) for first, second in asked]
    found = _guesses(run, counts, design, kind, independent, level, deltas, digits, timeout, memory, certificate)
    return found._replace(no_test_below=0.0)  # the numbers of each kind are fixed


def _scored_runs(run: Union[Composition, str], scores: Tuple[List[float], List[float]],
                 threshold: Union[Number, str], level: Number, deltas: Sequence[Number], digits: int,
                 direction: str, timeout: float | None, memory: int,
                 certificate: Optional[_Path]) -> ObservedRuns:
    check_options(digits=digits, memory=memory, timeout=timeout)
    claim = parse(run) if isinstance(run, str) else run
    core = claim._core
    exact = (text_of(level, "level"), [text_of(delta, "delta") for delta in deltas])
    if isinstance(threshold, str) and threshold.startswith(_SPLIT):
        seed = threshold[len(_SPLIT):]
        if not (seed.isascii() and seed.isdigit() and len(seed) <= 10):
            raise SpecError(f"threshold: split:SEED needs a seed of at most ten digits, not {threshold!r}")
        found = _core.observe_split(core, scores[0], scores[1], int(seed), exact[0], exact[1], digits, direction,
                                    timeout, memory)
    else:
        if isinstance(threshold, float):  # exactly, as the scores are
            threshold = Fraction(threshold) if math.isfinite(threshold) else threshold
        at = None if isinstance(threshold, str) and threshold == "all" else text_of(threshold, "threshold")
        found = _core.observe_scores(core, scores[0], scores[1], at, exact[0], exact[1], digits, direction, timeout,
                                     memory)
    return _runs(found, claim, exact[0], deltas, direction, timeout, memory, certificate)
