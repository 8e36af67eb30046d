"""The parameter at which a target is just met, from both sides."""
from __future__ import annotations

from fractions import Fraction
from typing import Any, Callable, Dict, Union

from . import _core
from ._bands import Band
from ._composition import Composition, Hole, Template, parse
from ._core import SpecError
from ._numbers import DEFAULT_MEMORY, Number, check_options, text_of


class Calibration:
    """The parameter at which a target is just met, from both sides.

    `suffices` certainly meets the target, `fails` certainly misses it; None where no such value was found.
    Where `reached` is true they are adjacent integers, or agree to the digits that were asked for.
    """

    def __init__(self, core: _core.Calibration, quantity: str, argument: str,
                 options: Dict[str, Any]) -> None:
        self._core = core
        self._question = (quantity, argument, options)

    def _value(self, end: _core.CalibrationEnd | None) -> Any:
        if end is None:
            return None
        return int(end.value) if self._core.integer else Fraction(end.value)

    @property
    def suffices(self) -> Any:
        """The value that certainly meets the target, an int or an exact Fraction; or None."""
        return self._value(self._core.suffices)

    @property
    def fails(self) -> Any:
        """The value that certainly misses the target, an int or an exact Fraction; or None."""
        return self._value(self._core.fails)

    def _run(self, end: _core.CalibrationEnd | None) -> Composition | None:
        return None if end is None else parse(end.spec)

    @property
    def run(self) -> Composition | None:
        """The composition at the value that suffices."""
        return self._run(self._core.suffices)

    def _band(self, end: _core.CalibrationEnd | None) -> Band | None:
        return None if end is None else Band(end.band, parse(end.spec), *self._question)

    @property
    def band(self) -> Band | None:
        """The epsilon (or delta) at the value that suffices."""
        return self._band(self._core.suffices)

    @property
    def band_at_fails(self) -> Band | None:
        """The epsilon (or delta) at the value that fails."""
        return self._band(self._core.fails)

    @property
    def parameter(self) -> str:
        """The name of the parameter; "power" for a number of steps."""
        return self._core.parameter

    @property
    def reached(self) -> bool:
        """Whether the two values are as near to each other as was asked, or every value of the range suffices."""
        return self._core.reached

    @property
    def none_meets(self) -> bool:
        """Whether no value of the range meets the target; `fails` is then the best of them."""
        return self._core.none_meets

    @property
    def remark(self) -> str:
        """Why the two values are not as near to each other as was asked."""
        return self._core.remark

    @property
    def theorem(self) -> str:
        """The proof that the curve is monotone in the parameter."""
        return self._core.theorem

    @property
    def queries(self) -> int:
        """How many bands were computed."""
        return self._core.queries

    @property
    def seconds(self) -> float:
        """What it took, in seconds by the clock."""
        return self._core.seconds

    @property
    def json(self) -> str:
        """What `plaudit calibrate --json` prints."""
        return self._core.json

    def __repr__(self) -> str:
        ends = [f"{end.value} {word}" for end, word in
                ((self._core.suffices, "suffices"), (self._core.fails, "fails")) if end is not None]
        return f"<{self.parameter}: {', '.join(ends) or 'nothing found'}{'' if self.reached else ' (' + self.remark + ')'}>"


def calibrate(run: Union[str, Template, Callable[[Any], Any]], *, epsilon: Number | None = None,
              delta: Number | None = None, target: str = "epsilon", start: Number | None = None,
              stop: Number | None = None, digits: int = 6, accountant: str = "auto",
              direction: str = "both", timeout: float | None = 60, threads: int = 1,
              memory: int = DEFAULT_MEMORY) -> Calibration:
    """The parameter at which a target is just met, certified on both sides.

    Parameters
    ----------
    run : str or callable
        A spec with one ?, or a function that builds the composition from the parameter. It is called once,
        with a place holder, which it may hand to a mechanism or a power and not compute with.
    epsilon, delta : number
        The target: epsilon(delta) <= epsilon, or with `target="delta"` delta(epsilon) <= delta.
    target : {"epsilon", "delta"}
        Which of the two the bands are of.
    start, stop : number, optional
        Where to look; the default is the parameter's domain.
    digits : int
        Significant digits up to which the two values agree.
    accountant, direction, threads, memory
        As of `Composition.epsilon`.
    timeout : float or None
        Seconds for the whole search.

    Returns
    -------
    Calibration
        A value that suffices, and one that fails.

    Raises
    ------
    SpecError
        The curve is not proven to be monotone in the parameter, or an argument is wrong.

    Examples
    --------
    >>> import plaudit as pl
    >>> found = pl.calibrate(lambda s: pl.dpsgd(s, sample_rate=0.01, steps=1000), epsilon=2, delta=1e-5)
    >>> float(found.suffices), float(found.fails)
    (0.9591016, 0.9591015)
    >>> pl.calibrate(lambda n: pl.gaussian(10)**n, epsilon=1, delta=1e-5).suffices
    7
    """
    text = _text(run)
    if epsilon is None or delta is None:
        raise SpecError("calibrate: epsilon and delta are both needed")
    if target not in ("epsilon", "delta"):
        raise SpecError("calibrate: target must be epsilon or delta")
    ends = (None if start is None else text_of(start, "start"), None if stop is None else text_of(stop, "stop"))
    e, d = text_of(epsilon, "epsilon"), text_of(delta, "delta")
    check_options(digits=digits, threads=threads, memory=memory, timeout=timeout)
    options = (digits, accountant, direction, timeout, threads, memory)
    if target == "epsilon":
        core = _core.calibrate_epsilon(text, e, d, *options, *ends)
    else:
        core = _core.calibrate_delta(text, d, e, *options, *ends)
    return Calibration(core, target, d if target == "epsilon" else e,
                       {"digits": digits, "accountant": accountant, "direction": direction, "memory": memory})


def _text(run: Any) -> str:
    if isinstance(run, str):
        return run
    if callable(run):
        hole = Hole()
        try:
            run = run(hole)
        except TypeError as error:
            raise SpecError("calibrate: the function may only hand its parameter on to a mechanism or a power, "
                            f"not compute with it ({error})") from None
    if isinstance(run, Composition):
        raise SpecError("calibrate: the function does not use its parameter")
    if not isinstance(run, Template):
        raise SpecError("calibrate: a spec with ?, or a function that builds a composition, is wanted")
    return run.text
