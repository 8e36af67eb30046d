"""What was run: mechanisms, each some number of times, and the questions that may be asked of it."""
from __future__ import annotations

import html
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Dict, List, Tuple, Union, overload

from . import _core
from ._bands import PLACES, Band, answered
from ._best_tests import BestTests, GaussianMu
from ._core import SpecError
from ._curves import Bands, Curve
from ._factors import Adjacency, Factors
from ._typed.hints import Composes
from ._losses import PrivacyLoss
from ._many.progress import Report, followed
from ._numbers import (DEFAULT_MEMORY, Numbers, Scalar, accountant_of, array_of, check_options, is_array,
                       text_of)
from ._searches.holes import Hole, Template
from ._sessions import Session
from .extend import names_in, refuse_unregistered, registered


@dataclass(frozen=True)
class Step:
    """One mechanism of a composition, and how often it is run."""

    #: The mechanism, as a composition of it alone.
    mechanism: "Composition"
    #: How often it is run, from 1 to 10^12.
    count: int


class Composition(Factors, Composes):
    """What was run: mechanisms, each some number of times.

    Made by `plaudit.gaussian(...)` and its like, `plaudit.parse` or `plaudit.from_`; `*` composes, `**`
    repeats.

    Examples
    --------
    >>> import plaudit as pl
    >>> (pl.poisson(pl.gaussian(0.8), rate="1/250")**1000 * pl.laplace(20)).spec
    'poisson(gaussian(sigma=0.8), rate=0.004)^1000 * laplace(scale=20)'
    """

    __slots__ = ()

    @property
    def spec(self) -> str:
        """The canonical text, a line of the spec language."""
        return self._core.spec

    @property
    def stated(self) -> str:
        """Text that `parse` reads back.

        It differs from the canonical text for a `mixture` of vectors, of which that one has the norms.
        """
        return self._core.stated

    @property
    def adjacency(self) -> Adjacency:
        """Between which data sets its guarantee holds."""
        return Adjacency(*self._core.adjacency)

    @property
    def symmetric(self) -> bool:
        """Whether both directions have the same privacy curve."""
        return self._core.symmetric

    @property
    def steps(self) -> List[Step]:
        """The mechanisms, and how often each is run."""
        return [Step(Composition(one), count) for one, count in self._core.steps]

    @property
    def name(self) -> str:
        """The name of the mechanism, where it is a single one."""
        steps = self._core.steps
        if len(steps) != 1 or steps[0][1] != 1:
            raise SpecError(f"a single mechanism is wanted, not {self.spec}")
        return self.spec[:self.spec.index("(")]

    @property
    def arguments(self) -> Dict[str, Union[Fraction, "Composition", str, List[Fraction]]]:
        """The arguments of a single mechanism that are not its defaults, by their names.

        Numbers are exact fractions, mechanisms are compositions.

        Examples
        --------
        >>> import plaudit as pl
        >>> pl.parse("poisson(gaussian(0.8), 0.004)").arguments["rate"]
        Fraction(1, 250)
        """
        return {name: _value(kind, value) for name, kind, value in self._core.arguments}

    @overload
    def __mul__(self, other: "Composition") -> "Composition": ...

    @overload
    def __mul__(self, other: Template) -> Template: ...

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Template):
            return other.__rmul__(self)
        if not isinstance(other, Composition):
            raise TypeError(f"a composition is multiplied by another one; a power repeats, run**{other!r}")
        if self._is_nothing() or other._is_nothing():
            return other if self._is_nothing() else self
        return self._then(other)

    def __rmul__(self, other: Any) -> "Composition":
        if type(other) is int and other == 1:  # where math.prod begins
            return self
        raise TypeError(f"a composition is multiplied by another one; a power repeats, run**{other!r}")

    def _is_nothing(self) -> bool:
        """Whether it is `run**0`, nothing run at all: a factor that changes no composition."""
        return self._size == 1 and self._core.spec == NOTHING

    def __pow__(self, count: Any) -> Any:
        if isinstance(count, Hole):
            mark = count.text("integer")
            return Template(f"({self.stated})^{mark}" if len(self._core.steps) != 1 else f"{self.stated}^{mark}")
        try:
            steps = int(count)
        except (TypeError, ValueError):
            raise SpecError(f"a power must be an integer, not {count!r}") from None
        if steps != count or isinstance(count, bool) or not 0 <= steps <= 10**12:
            raise SpecError(f"a power must be an integer from 0 to 10^12, not {count!r}")
        if steps == 0 or self._is_nothing():
            return nothing()
        return Composition(self._core.power(steps))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Composition):
            return NotImplemented
        return self.stated == other.stated

    def __hash__(self) -> int:
        return hash(self.stated)

    def __reduce__(self) -> Tuple[Any, ...]:
        factors = [(one.stated, count) for one, count in self._core.steps]
        needed = set().union(*(registered() & names_in(text) for text, _ in factors))
        return _restored, (factors, sorted(needed))

    def __str__(self) -> str:
        factors = self._core.steps
        if len(factors) <= MOST_PRINTED:
            return self.spec
        shown = [f"{one.spec}^{count}" if count > 1 else one.spec for one, count in factors[:3] + factors[-1:]]
        shown.insert(3, f"... ({len(factors) - 4} more) ...")
        return " * ".join(shown)

    def __repr__(self) -> str:
        return f"<{self}>"

    # ---- Questions

    @overload
    def epsilon(self, delta: Scalar, *, digits: int | None = ..., accountant: str = ..., direction: str = ...,
            timeout: float | None = ..., threads: int = ..., memory: int = ...) -> Band: ...

    @overload
    def epsilon(self, delta: Numbers, *, digits: int | None = ..., accountant: str = ..., direction: str = ...,
            timeout: float | None = ..., threads: int = ..., memory: int = ...) -> Bands: ...

    def epsilon(self, delta: Any, *, digits: int | None = None, accountant: str = "auto",
                direction: str = "both", timeout: float | None = 60, threads: int = 1,
                memory: int = DEFAULT_MEMORY) -> Any:
        """The least epsilon >= 0 with delta(epsilon) <= delta, as a proven band.

        Parameters
        ----------
        delta : number or array_like of numbers
            In [0, 1].
        digits : int, optional
            Significant decimal digits wanted in the width of the band. None: 12, or 6 where 12 take
            over 0.1 s of counted work; of an array of numbers always 12.
        accountant : str
            A name of `plaudit.list_accountants()`; "auto" asks all in turn and intersects their bands.
        direction : {"both", "remove", "add"}
            "both" is the larger one of the two.
        timeout : float or None
            Seconds, after which the band known by then is returned, with a warning; None: no limit.
        threads : int
            With 2 the directions are computed beside each other.
        memory : int
            Bytes by which the process may grow, at most.

        Returns
        -------
        Band or Bands
            In nats; `Bands` of the same shape for an array.

        Raises
        ------
        SpecError
            A parameter is outside of its domain; the words name it.
        NotApplicable
            The accountant that was asked for does not apply; the words say why.

        Warns
        -----
        WidthNotReached
            The band is wider than was asked.

        Examples
        --------
        >>> import plaudit as pl
        >>> pl.gaussian(1).epsilon(delta=1e-5).decimal(8)
        ('4.377178', '4.3771781')
        """
        return self._ask("epsilon", delta, digits, accountant, direction, timeout, threads, memory)

    @overload
    def delta(self, epsilon: Scalar, *, digits: int | None = ..., accountant: str = ..., direction: str = ...,
            timeout: float | None = ..., threads: int = ..., memory: int = ...) -> Band: ...

    @overload
    def delta(self, epsilon: Numbers, *, digits: int | None = ..., accountant: str = ..., direction: str = ...,
            timeout: float | None = ..., threads: int = ..., memory: int = ...) -> Bands: ...

    def delta(self, epsilon: Any, *, digits: int | None = None, accountant: str = "auto",
              direction: str = "both", timeout: float | None = 60, threads: int = 1,
              memory: int = DEFAULT_MEMORY) -> Any:
        """The privacy curve at an epsilon, delta(epsilon), as a proven band.

        Parameters
        ----------
        epsilon : number or array_like of numbers
            Any real number, in nats.
        digits, accountant, direction, timeout, threads, memory
            As of `epsilon`.

        Returns
        -------
        Band or Bands
            In [0, 1]; `Bands` of the same shape for an array.
        """
        return self._ask("delta", epsilon, digits, accountant, direction, timeout, threads, memory)

    @overload
    def renyi(self, order: Scalar, *, digits: int = ..., direction: str = ..., timeout: float | None = ...,
              memory: int = ...) -> Band: ...

    @overload
    def renyi(self, order: Numbers, *, digits: int = ..., direction: str = ..., timeout: float | None = ...,
              memory: int = ...) -> Bands: ...

    def renyi(self, order: Any, *, digits: int = 12, direction: str = "both",
              timeout: float | None = 60, memory: int = DEFAULT_MEMORY) -> Any:
        """The Renyi divergence of the dominating pair, as a proven band.

        Parameters
        ----------
        order : number or array_like of numbers
            Above 0, other than 1.
        digits, direction, timeout, memory
            As of `epsilon`.

        Returns
        -------
        Band or Bands
            In nats; `Bands` of the same shape for an array.
        """
        check_options(digits=digits, memory=memory, timeout=timeout)
        if is_array(order):
            points = array_of(order)
            return Bands([self.renyi(x, digits=digits, direction=direction, timeout=timeout, memory=memory)
                          for x in points.ravel()], points.shape)
        at = text_of(order, "order")
        core = _core.renyi(self._core, at, digits, direction, timeout, memory)
        return Band(core, self, "renyi", at, {"digits": digits, "direction": direction})

    def best_tests(self, *, digits: int = 12, direction: str = "both", timeout: float | None = 60,
                   memory: int = DEFAULT_MEMORY) -> BestTests:
        """Rates of the best tests between neighbouring data sets, which bound those of any attacker.

        Parameters
        ----------
        digits, direction, timeout, memory
            As of `epsilon`.

        Returns
        -------
        BestTests
            Its methods give the rates.
        """
        return BestTests(self, digits=digits, direction=direction, timeout=timeout, memory=memory)

    @overload
    def tradeoff(self, fpr: Scalar, *, digits: int = ..., direction: str = ..., timeout: float | None = ...,
                 memory: int = ...) -> Band: ...

    @overload
    def tradeoff(self, fpr: Numbers, *, digits: int = ..., direction: str = ..., timeout: float | None = ...,
                 memory: int = ...) -> Bands: ...

    def tradeoff(self, fpr: Any, *, digits: int = 12, direction: str = "both", timeout: float | None = 60,
                 memory: int = DEFAULT_MEMORY) -> Any:
        """The least false negative rate of a test of that false positive rate, as a proven band.

        Parameters
        ----------
        fpr : number or array_like of numbers
            The false positive rate, in [0, 1].
        digits, direction, timeout, memory
            As of `epsilon`.

        Returns
        -------
        Band or Bands
            In [0, 1]; `Bands` of the same shape for an array.

        Examples
        --------
        >>> import plaudit as pl
        >>> pl.randomized_response(probability=0.75).tradeoff("1/8").decimal(5)
        ('0.625', '0.625')
        """
        return self.best_tests(digits=digits, direction=direction, timeout=timeout,
                               memory=memory).false_negative_rate(fpr)

    def gaussian_mu(self, least_error: Scalar | None = None, *, digits: int = 6,
                    direction: str = "both", timeout: float | None = 60,
                    memory: int = DEFAULT_MEMORY) -> GaussianMu:
        """The least mu for which the run is mu-GDP (Gaussian differential privacy).

        Parameters
        ----------
        least_error : number, optional
            Only tests of which both error rates are at least this are held to mu; None: all tests.
        digits, direction, timeout, memory
            As of `epsilon`.

        Returns
        -------
        GaussianMu
            The ends of a band, and the regret of the upper one.

        Examples
        --------
        >>> import plaudit as pl
        >>> pl.gaussian(2).gaussian_mu().exact_square
        Fraction(1, 4)
        >>> found = pl.dpsgd(noise_multiplier=0.8, sample_rate=0.004, steps=1000).gaussian_mu("1e-3")
        >>> round(found.lower, 5), round(found.upper, 5)
        (0.29383, 0.29383)
        """
        least = None if least_error is None else text_of(least_error, "least_error")
        check_options(digits=digits, memory=memory, timeout=timeout)
        core = _core.gaussian_mu(self._core, least, digits, direction, timeout, memory)
        square = Fraction(core.exact_square) if core.exact_square else None
        return GaussianMu(core.lower, core.upper, core.regret, square, core.reached, core.remark)

    def curve(self, *, deltas: Numbers | None = None, epsilons: Numbers | None = None, digits: int = 12,
              accountant: str = "auto", direction: str = "both", timeout: float | None = 60,
              threads: int = 1, memory: int = DEFAULT_MEMORY, progress: Report = None) -> Curve:
        """A band at each of many points, which share their work.

        Parameters
        ----------
        deltas : sequence of numbers, optional
            Where epsilon is wanted, in [0, 1].
        epsilons : sequence of numbers, optional
            Where delta is wanted; either these or `deltas`.
        digits, accountant, direction, timeout, threads, memory
            As of `epsilon`; the timeout is for each point.
        progress : callable, bool or None
            As of `map`.

        Returns
        -------
        Curve
            One band for each point, in their order.
        """
        if (deltas is None) == (epsilons is None):
            raise SpecError("curve: give deltas or epsilons")
        quantity = "epsilon" if deltas is not None else "delta"
        points: Any = deltas if deltas is not None else epsilons
        session = self._session(digits, accountant, direction, timeout, threads, memory)
        points = list(points)
        bands = (session._one(quantity, point) for point in points)
        return Curve(self, quantity, list(followed(bands, len(points), "curve", progress)))

    def loss(self, direction: str = "remove", *, timeout: float | None = 60,
             memory: int = DEFAULT_MEMORY) -> PrivacyLoss:
        """The law of the privacy loss in one direction.

        Parameters
        ----------
        direction : {"remove", "add"}
            "remove": of the output with the record against that without it.
        timeout, memory
            As of `epsilon`, for each question about the law.

        Returns
        -------
        PrivacyLoss
            Its tails, atoms, moments and quantiles.
        """
        check_options(memory=memory, timeout=timeout)
        return PrivacyLoss(_core.PrivacyLoss(self._core, direction, timeout, memory))

    def _ask(self, quantity: str, argument: Any, digits: int | None, accountant: str, direction: str,
             timeout: float | None, threads: int, memory: int) -> Any:
        if is_array(argument):
            session = self._session(12 if digits is None else digits, accountant, direction, timeout,
                                    threads, memory)
            return session._one(quantity, argument)
        check_options(digits=1 if digits is None else digits, threads=threads, memory=memory, timeout=timeout)
        at, accountant = text_of(argument, PLACES[quantity]), accountant_of(accountant)
        ask = _core.epsilon if quantity == "epsilon" else _core.delta
        core = ask(self._core, at, digits, accountant, direction, timeout, threads, memory)
        options = {"digits": digits, "accountant": accountant, "direction": direction, "memory": memory}
        return answered(Band(core, self, quantity, at, options))

    def _session(self, digits: int, accountant: str, direction: str, timeout: float | None, threads: int,
                 memory: int) -> Session:
        return Session(self, digits=digits, accountant=accountant, direction=direction,
                       timeout=timeout, threads=threads, memory=memory)

    def _repr_html_(self) -> str:
        kind, size, guarantee = self.adjacency
        words = f"adjacency {kind}" + (f", group size {size}" if size != 1 else "")
        if not guarantee:
            words += ", no privacy guarantee" + ("; the number is private" if kind == "this_data_set" else "")
        from ._plots import small_curve

        return f"<div><code>{html.escape(str(self))}</code><br>{words}<br>{small_curve(self)}</div>"


#: A composition of more different mechanisms than so many is printed by its first three and its last;
#: its `spec` is whole.
MOST_PRINTED = 20

#: Nothing run at all, as a spec: epsilon is 0 at delta 0, between any data sets.
NOTHING = "approximate(epsilon=0, delta=0)"


def nothing() -> Composition:
    return parse(NOTHING)


def parse(spec: str) -> Composition:
    """The composition that one line of the spec language states.

    Parameters
    ----------
    spec : str
        As in docs/spec.md.

    Returns
    -------
    Composition
        Its attribute `spec` is the canonical text.

    Raises
    ------
    SpecError
        It cannot be read, or a parameter is outside of its domain.

    Examples
    --------
    >>> parse("gaussian(1)^2").spec
    'gaussian(sigma=1)^2'
    """
    if not isinstance(spec, str):
        raise SpecError(f"spec: must be text, not {type(spec).__name__}")
    return Composition(_core.parse(spec))


def _restored(factors: List[Tuple[str, int]], needed: List[str]) -> Composition:
    """What was pickled: factors by themselves, for a text of all of them may be longer than is read."""
    refuse_unregistered(needed)
    return Composition(_core.product([(_core.parse(text), count) for text, count in factors]))


def _value(kind: str, value: Any) -> Any:
    """An argument as the core tells it: numbers are texts, mechanisms are specs."""
    if kind == "mechanism":
        return parse(value)
    if kind == "number":
        return Fraction(value)
    if kind == "list":
        return [Fraction(each) for each in value]
    if kind == "vectors":
        return [[Fraction(each) for each in row] for row in value]
    return value
