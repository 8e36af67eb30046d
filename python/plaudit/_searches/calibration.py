"""The parameter at which a target is just met, from both sides."""
from __future__ import annotations

import inspect
import json
import time
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Callable, Dict, List, NamedTuple, Sequence, Tuple, Union, overload

from .. import _core
from .._bands import Band
from .._best_tests import GaussianMu
from .._many.progress import Report, followed
from .._composition import Composition, parse
from .._core import SpecError
from .._numbers import (DEFAULT_MEMORY, Exact, Numbers, Scalar, accountant_of, array_of, check_options, is_array,
                        text_of)
from .._typed.dpsgd import arguments_of, dpsgd
from .general import End, Search, Target
from .holes import OPEN, Hole, Template, place_of

if TYPE_CHECKING:
    import numpy
    import pandas

#: One number or several, or none.
Given = Union[Scalar, Numbers, None]
Run = Union[str, Template, Callable[[Any], Any]]


class Found(NamedTuple):
    """What a search found."""

    parameter: str
    suffices: End | None
    fails: End | None
    reached: bool
    none_meets: bool
    remark: str
    theorem: str
    queries: int
    seconds: float
    json: str


class Calibration:
    """The parameter at which a target is just met, from both sides.

    `suffices` certainly meets the target, `fails` certainly misses it; None where no such value was found.
    Where `reached` is true they are adjacent integers, or agree to the digits that were asked for.
    """

    def __init__(self, found: Found) -> None:
        self._found = found

    def _renamed(self, parameter: str) -> "Calibration":
        return Calibration(self._found._replace(parameter=parameter))

    @property
    def suffices(self) -> Any:
        """The value that certainly meets the target, an int or an exact Fraction that prints as a decimal; or None."""
        return None if self._found.suffices is None else self._found.suffices.value

    @property
    def fails(self) -> Any:
        """The value that certainly misses the target, as `suffices`; or None."""
        return None if self._found.fails is None else self._found.fails.value

    @property
    def run(self) -> Composition | None:
        """The composition at the value that suffices."""
        return None if self._found.suffices is None else self._found.suffices.run

    @property
    def band(self) -> Union[Band, GaussianMu, None]:
        """What the target is of, as epsilon or delta, at the value that suffices."""
        return None if self._found.suffices is None else self._found.suffices.band

    @property
    def band_at_fails(self) -> Union[Band, GaussianMu, None]:
        """The same at the value that fails."""
        return None if self._found.fails is None else self._found.fails.band

    @property
    def parameter(self) -> str:
        """The name of the parameter; "power" for a number of steps, and that of the argument of a function."""
        return self._found.parameter

    @property
    def reached(self) -> bool:
        """Whether the two values are as near to each other as was asked, or every value of the range suffices."""
        return self._found.reached

    @property
    def none_meets(self) -> bool:
        """Whether it is proven that no value of the range meets the target; `fails` is then the best of them."""
        return self._found.none_meets

    @property
    def remark(self) -> str:
        """Why the two values are not as near to each other as was asked."""
        return self._found.remark

    @property
    def theorem(self) -> str:
        """The proof that the curve is monotone in the parameter.

        Empty where none is known of how the function uses its parameter: what is said of the two values is
        proven all the same, and nothing is said of others.
        """
        return self._found.theorem

    @property
    def queries(self) -> int:
        """How many bands were computed."""
        return self._found.queries

    @property
    def seconds(self) -> float:
        """What it took, in seconds by the clock."""
        return self._found.seconds

    @property
    def json(self) -> str:
        """What `plaudit calibrate --json` prints; of a search that the program cannot do, the fields of `to_dict`."""
        return self._found.json or json.dumps(self.to_dict())

    def to_dict(self) -> Dict[str, Any]:
        """The two values as what JSON can say.

        Returns
        -------
        dict
            Numbers are exact texts, bands pairs of floats.
        """
        found = self._found
        ends = {name: None if end is None else str(end.value)
                for name, end in (("suffices", found.suffices), ("fails", found.fails))}
        bands = {f"band_at_{name}": None if end is None else [end.band.lower, end.band.upper]
                 for name, end in (("suffices", found.suffices), ("fails", found.fails))}
        return {"parameter": found.parameter, **ends, **bands, "spec": None if self.run is None else self.run.spec,
                "reached": found.reached, "none_meets": found.none_meets, "remark": found.remark,
                "theorem": found.theorem, "queries": found.queries, "seconds": found.seconds}

    def to_pandas(self) -> "pandas.DataFrame":
        """A table of one row.

        Returns
        -------
        pandas.DataFrame
            As of `Calibrations.to_pandas`.
        """
        return Calibrations([self], (1,)).to_pandas()

    def __repr__(self) -> str:
        ends = [f"{end.value} {word}" for end, word in
                ((self._found.suffices, "suffices"), (self._found.fails, "fails")) if end is not None]
        return f"<{self.parameter}: {', '.join(ends) or 'nothing found'}{'' if self.reached else ' (' + self.remark + ')'}>"


class Calibrations(Sequence[Calibration]):
    """Calibrations for many targets: `suffices` and `fails` are numpy arrays of exact values."""

    def __init__(self, found: Sequence[Calibration], shape: Tuple[int, ...]) -> None:
        self._found, self._shape = list(found), shape

    @property
    def suffices(self) -> "numpy.ndarray[Any, Any]":
        """The values that certainly meet their targets, in the shape of the targets."""
        return self._values("suffices")

    @property
    def fails(self) -> "numpy.ndarray[Any, Any]":
        """The values that certainly miss their targets, in the shape of the targets."""
        return self._values("fails")

    def _values(self, name: str) -> "numpy.ndarray[Any, Any]":
        import numpy

        values = numpy.empty(len(self), dtype=object)
        for i, each in enumerate(self._found):
            values[i] = getattr(each, name)
        return values.reshape(self._shape)

    @overload
    def __getitem__(self, index: int) -> Calibration: ...

    @overload
    def __getitem__(self, index: slice) -> List[Calibration]: ...

    def __getitem__(self, index: Any) -> Any:
        return self._found[index]

    def __len__(self) -> int:
        return len(self._found)

    def __repr__(self) -> str:
        return f"<{len(self)} calibrations: {', '.join(str(each.suffices) for each in self._found[:3])}" \
               f"{', ...' if len(self) > 3 else ''}>"

    def to_dict(self) -> List[Dict[str, Any]]:
        """The calibrations as what JSON can say.

        Returns
        -------
        list of dict
            As of `Calibration.to_dict`, one for each target.
        """
        return [each.to_dict() for each in self._found]

    def to_pandas(self) -> "pandas.DataFrame":
        """A table with one row for each target.

        Returns
        -------
        pandas.DataFrame
            Columns spec, quantity, lower, upper at the value that suffices; parameter, suffices, fails,
            reached, seconds.
        """
        import pandas

        nan = float("nan")
        rows = []
        for each in self._found:
            band = each.band
            rows.append({"spec": None if each.run is None else each.run.spec,
                         "quantity": getattr(band, "quantity", "mu") if band is not None else None,
                         "lower": nan if band is None else band.lower, "upper": nan if band is None else band.upper,
                         "parameter": each.parameter,
                         "suffices": nan if each.suffices is None else float(each.suffices),
                         "fails": nan if each.fails is None else float(each.fails),
                         "reached": each.reached, "seconds": each.seconds})
        return pandas.DataFrame(rows)


@overload
def calibrate(run: Run | None = ..., *, epsilon: Scalar | None = ..., delta: Scalar | None = ...,  # type: ignore[misc]
              mu: Scalar | None = ..., least_error: Scalar | None = ..., fpr: Scalar | None = ...,
              tpr: Scalar | None = ..., advantage: Scalar | None = ..., target: str = ..., start: Scalar | None = ..., stop: Scalar | None = ..., integer: bool | None = ..., digits: int = ...,
              accountant: str = ..., direction: str = ..., timeout: float | None = ..., threads: int = ...,
              memory: int = ..., progress: Report = ..., **given: Scalar | None) -> Calibration: ...


@overload
def calibrate(run: Run | None = ..., *, epsilon: Given = ..., delta: Given = ..., mu: Given = ...,
              least_error: Scalar | None = ..., fpr: Given = ..., tpr: Given = ..., advantage: Given = ..., target: str = ..., start: Scalar | None = ..., stop: Scalar | None = ...,
              integer: bool | None = ..., digits: int = ..., accountant: str = ..., direction: str = ...,
              timeout: float | None = ..., threads: int = ..., memory: int = ...,
              progress: Report = ..., **given: Scalar | None) -> Calibrations: ...


def calibrate(run: Any = None, *, epsilon: Any = None, delta: Any = None, mu: Any = None, least_error: Any = None,
              fpr: Any = None, tpr: Any = None, advantage: Any = None, target: str = "epsilon", start: Any = None, stop: Any = None, integer: bool | None = None,
              digits: int = 6, accountant: str = "auto", direction: str = "both", timeout: float | None = 60,
              threads: int = 1, memory: int = DEFAULT_MEMORY, progress: Report = None, **given: Any) -> Any:
    """The parameter at which a target is just met, certified on both sides.

    A function may use its parameter in any way. Where it hands it on to one place, a theorem says that there
    is one threshold (`theorem`). Else the search is among what the function builds, each of the two values
    is proven by a band of its own, and nothing is said of others.

    Parameters
    ----------
    run : str or callable
        A spec with one ?, or a function that builds the composition from the parameter. In its place stand
        the arguments of `dpsgd` but for the one that is wanted: noise_multiplier, the rate, or the steps.
    epsilon, delta : number or array_like of numbers
        The target: epsilon(delta) <= epsilon, or with `target="delta"` delta(epsilon) <= delta.
    mu : number or array_like of numbers
        In place of both: the run is mu-GDP.
    least_error : number, optional
        Of mu: only tests of which both error rates are at least this are held to it.
    fpr, tpr : number or array_like of numbers
        In place of these: no test of that false positive rate has a true positive rate above tpr.
    advantage : number or array_like of numbers
        In place of these: no test has a true positive rate above its false positive rate by more, which is
        delta at epsilon = 0. The bands are of delta.
    target : {"epsilon", "delta"}
        Which of the two the bands are of.
    start, stop : number, optional
        Where to look; the default is the parameter's domain.
    integer : bool, optional
        Whether the parameter is an integer, where that is not seen from its place.
    digits : int
        Significant digits up to which the two values agree.
    accountant, direction, threads, memory
        As of `Composition.epsilon`.
    timeout : float or None
        Seconds for each search.
    progress : callable, bool or None
        Of an array of targets, as of `map`.
    **given
        The arguments of `dpsgd`, in place of `run`.

    Returns
    -------
    Calibration or Calibrations
        A value that suffices, and one that fails; `Calibrations` for arrays of targets.

    Raises
    ------
    SpecError
        The curve is not monotone in the parameter, or an argument is wrong.

    Examples
    --------
    >>> import plaudit as pl
    >>> found = pl.calibrate(lambda s: pl.dpsgd(s, sample_rate=0.01, steps=1000), epsilon=2, delta=1e-5)
    >>> found.suffices, found.fails
    (0.9591016, 0.9591015)
    >>> pl.calibrate(lambda n: pl.gaussian(10)**n, epsilon=1, delta=1e-5).suffices
    7
    >>> pl.calibrate(lambda s: pl.gaussian(s) * pl.laplace(2 * s), epsilon=1, delta=1e-5, digits=3)
    <s: 4.038 suffices, 4.034 fails>
    """
    run = _open_dpsgd(run, given)
    if advantage is not None:
        if epsilon is not None or delta is not None:
            raise SpecError("calibrate: the target is an advantage, or epsilon and delta")
        epsilon, delta, target = 0, advantage, "delta"
    targets = _targets(epsilon, delta, mu, fpr, tpr)
    if target not in ("epsilon", "delta"):
        raise SpecError("calibrate: target must be epsilon or delta")
    check_options(digits=digits, threads=threads, memory=memory, timeout=timeout)
    options = {"accountant": accountant_of(accountant), "direction": direction, "threads": threads, "memory": memory}
    limits = tuple(None if x is None else text_of(x, name) for x, name in ((start, "start"), (stop, "stop")))
    if least_error is not None and "mu" not in targets:
        raise SpecError("calibrate: least_error is of the target mu")
    error, parameter = "" if least_error is None else text_of(least_error, "least_error"), _Parameter(run, integer)

    def one(*values: Any) -> Calibration:
        texts = {name: text_of(x, name) for name, x in zip(targets, values)}
        if parameter.template is not None and "epsilon" in texts:
            found = _by_theorem(parameter.template, texts, target, limits, digits, timeout, options)
            return found._renamed(parameter.name) if given else found
        aim = _aim(texts, target, error, options)
        if parameter.template is not None and not error:
            return _by_theorem_of_tests(parameter.template, aim, texts, limits, digits, timeout, options)
        return _by_search(parameter, aim, limits, digits, timeout)

    if not any(is_array(x) for x in targets.values()):
        return one(*targets.values())
    import numpy

    points = numpy.broadcast(*(array_of(x) for x in targets.values()))
    return Calibrations([one(*each) for each in followed(points, points.size, "calibrate", progress)], points.shape)


def _open_dpsgd(run: Any, given: Dict[str, Any]) -> Any:
    """The function whose parameter is the argument of `dpsgd` that is missing."""
    if not given:
        return run
    known = arguments_of(given, "calibrate")
    if run is not None:
        raise SpecError(f"calibrate: a run, or the arguments of dpsgd ({', '.join(known)}), not both")
    sized = "dataset_size" in known
    missing = [name for name, is_there in (
        ("noise_multiplier", "noise_multiplier" in known),
        ("batch_size" if sized else "sample_rate", "sample_rate" in known or "batch_size" in known),
        ("epochs" if sized else "steps", "steps" in known or "epochs" in known)) if not is_there]
    if len(missing) != 1:
        raise SpecError("calibrate: of noise_multiplier, the rate, and steps or epochs, one must be missing, which is then found, "
                        f"not {' and '.join(missing) or 'none'}")

    def build(parameter: Any) -> Any:
        return dpsgd(**known, **{missing[0]: parameter})

    build.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter(missing[0], inspect.Parameter.POSITIONAL_OR_KEYWORD)])
    return build


def _targets(epsilon: Any, delta: Any, mu: Any, fpr: Any, tpr: Any) -> Dict[str, Any]:
    given = {name: x for name, x in (("epsilon", epsilon), ("delta", delta), ("mu", mu), ("fpr", fpr), ("tpr", tpr))
             if x is not None}
    if set(given) not in ({"epsilon", "delta"}, {"mu"}, {"fpr", "tpr"}):
        raise SpecError("calibrate: the target is epsilon and delta (both are needed), or mu, or fpr and tpr, or advantage")
    return given


class _Parameter:
    """The open parameter: a template where it stands in one place as it is, and the function of it."""

    def __init__(self, run: Any, integer: bool | None) -> None:
        self.template: str | None = None
        self.name = "parameter"
        self._run = run
        if isinstance(run, (str, Template)):
            self.template = run if isinstance(run, str) else run.text
            self.name, seen = place_of(self.template)
        elif callable(run):
            seen = self._trace()
        else:
            raise SpecError("calibrate: a spec with ?, or a function that builds a composition, is wanted")
        self.integer = seen if integer is None else integer

    def _trace(self) -> bool:
        """Calls the function once with a place holder; whether an integer is wanted there."""
        hole = Hole()
        try:
            self.name = next(iter(inspect.signature(self._run).parameters), self.name)
            built = self._run(hole)
        except (TypeError, ValueError, ArithmeticError, AttributeError):
            return hole.uses.integer  # it needs a number: then it gets numbers
        uses = hole.uses
        if not uses.plain and not uses.computed and isinstance(built, Composition):
            raise SpecError("calibrate: the function does not use its parameter")
        if isinstance(built, Template) and uses.plain == [True] and not uses.computed:
            self.template = built.text
        elif not isinstance(built, (Template, Composition)):
            raise SpecError("calibrate: a spec with ?, or a function that builds a composition, is wanted")
        return uses.integer

    def at(self, value: Any) -> Composition:
        if callable(self._run):
            run = self._run(value)
        else:
            run = parse(OPEN.sub(lambda match: match.group(1) or str(value), str(self.template)))
        if not isinstance(run, Composition):
            raise SpecError("calibrate: a spec with ?, or a function that builds a composition, is wanted")
        return run


def _by_theorem(text: str, target_of: Dict[str, str], target: str, limits: Tuple[Any, ...], digits: int,
                timeout: float | None, options: Dict[str, Any]) -> Calibration:
    """The search of the core, where the curve is proven to be monotone."""
    e, d = target_of["epsilon"], target_of["delta"]
    at, most, ask = (d, e, _core.calibrate_epsilon) if target == "epsilon" else (e, d, _core.calibrate_delta)
    core = ask(text, most, at, digits, options["accountant"], options["direction"], timeout, options["threads"],
               options["memory"], *limits)
    asked = {"digits": digits, **{key: x for key, x in options.items() if key != "threads"}}

    return _found(core, lambda of, run: Band(of.band, run, target, at, asked))


def _found(core: _core.Calibration, answer: Callable[[_core.CalibrationEnd, Composition], Union[Band, GaussianMu]]) -> Calibration:
    """What the core found, with the answers that are kept of its two values."""
    def end(of: _core.CalibrationEnd | None) -> End | None:
        if of is None:
            return None
        run, value = parse(of.spec), int(of.value) if core.integer else Exact(of.value)
        return End(value, run, answer(of, run))

    return Calibration(Found(core.parameter, end(core.suffices), end(core.fails), core.reached, core.none_meets,
                             core.remark, core.theorem, core.queries, core.seconds, core.json))


def _by_theorem_of_tests(text: str, aim: Target, texts: Dict[str, str], limits: Tuple[Any, ...], digits: int,
                         timeout: float | None, options: Dict[str, Any]) -> Calibration:
    """The same for what the best tests reach; each of the two values is asked once more, for the answer that is kept."""
    core = _core.calibrate_tests(text, texts.get("mu", texts.get("tpr", "")), texts.get("fpr"), digits, options["accountant"],
                                 options["direction"], timeout, options["threads"], options["memory"], *limits)
    return _found(core, lambda _, run: aim.decided(run, timeout))


def _number(text: str) -> Fraction:
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise SpecError(f"calibrate: the target and its range must be numbers, not {text}") from None


#: Where a target lies: from 0, to this.
_GREATEST = {"epsilon": None, "mu": None, "delta": 1, "tpr": 1}


def _aim(texts: Dict[str, str], target: str, least_error: str, options: Dict[str, Any]) -> Target:
    name = next((name for name in ("mu", "tpr") if name in texts), target)
    value, greatest = _number(texts[name]), _GREATEST[name]
    if value < 0 or (greatest is not None and value > greatest):
        domain = ">= 0" if greatest is None else f"in [0, {greatest}]"
        raise SpecError(f"target {name}: must be {domain}, not {texts[name]}")
    if "mu" in texts:
        return Target("gaussian_mu", least_error, _number(texts["mu"]), options)
    if "tpr" in texts:
        return Target("true_positive_rate", texts["fpr"], _number(texts["tpr"]), options)
    return Target(target, texts["delta" if target == "epsilon" else "epsilon"], _number(texts[target]), options)


def _by_search(parameter: _Parameter, aim: Target, limits: Tuple[Any, ...], digits: int,
               timeout: float | None) -> Calibration:
    began = time.monotonic()
    start, stop = (None if text is None else _number(text) for text in limits)
    search = Search(parameter.at, aim, integer=parameter.integer, digits=digits, timeout=timeout)
    suffices, fails, reached = search.found(start, stop)
    return Calibration(Found(parameter.name, suffices, fails, reached, False, search.remark, "", search.queries,
                             time.monotonic() - began, ""))
