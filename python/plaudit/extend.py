"""Mechanisms and accountants of your own (docs/python.md walks through both).

>>> import plaudit as pl
>>> from plaudit import balls
>>> class Noise(pl.Mechanism):
...     "Laplace noise of scale 1 on a query of sensitivity 1, stated by its two tails."
...     parameters = {"scale": "positive"}
...     example = "doctest_laplace(scale=2)"
...     name = "doctest_laplace"
...     def above(self, x, between):
...         a = 1 / pl.Interval(self.scale)
...         if x < -a or x >= a:
...             return 1 if x < 0 else 0
...         return between(a) if -a <= x and x < a else (0, 1)  # next to an end nothing else is certain
...     def p_above(self, x):
...         return self.above(x, lambda a: 1 - balls.exp((x - a) / 2) / 2)
...     def q_above(self, x):
...         return self.above(x, lambda a: balls.exp(-(x + a) / 2) / 2)
>>> run = pl.register(Noise)(scale=2)
>>> pl.laplace(2).epsilon(0.01).upper - run.epsilon(0.01).upper < 1e-9
True
"""
from __future__ import annotations

import inspect
import re
from fractions import Fraction
from typing import Any, Callable, Dict, Iterable, List, Mapping, Set, Tuple, Type, Union, overload

from . import _core
from ._core import SpecError
from ._losses import law_of as law_of, reversed_law as reversed_law


def _summary_of(cls: type) -> str:
    words = inspect.getdoc(cls) or ""
    return words.split("\n\n")[0].replace("\n", " ").strip()


class Law:
    """The law of the privacy loss L = log dP/dQ of a dominating pair (P, Q), for you to state.

    Methods return enclosures: an `Interval`, a pair of ends, or one number. A float that is returned
    is the double itself. `x` is an `Interval` that is a point; operations of `Interval` round
    outward to `plaudit.balls.working_bits()`, so constants belong into the methods. The bands that follow
    are proven for the law that is stated here; that it is the law of a dominating pair is for its
    author to prove.
    """

    def p_above(self, x: _core.Interval) -> Any:
        """P(L > x), the mass at infinity included. Both tails may be left out together where there is a `lattice_window`."""
        raise NotImplementedError

    def q_above(self, x: _core.Interval) -> Any:
        """Q(L > x)."""
        raise NotImplementedError

    def mass_at_infinity(self) -> Any:
        """P(L = infinity)."""
        return 0

    def q_mass(self) -> Any:
        """Q(dP/dQ > 0): 1 where L is never minus infinity."""
        return 1

    def least_loss(self) -> Any:
        """The lower end of the support of the finite part of L; None: unknown."""
        return None

    def greatest_loss(self) -> Any:
        """The upper end of the support of the finite part of L; None: unknown; infinity: there is none."""
        return None

    def exact_least_loss(self) -> Any:
        """The lower end where it is exactly this rational; or None."""
        return None

    def exact_greatest_loss(self) -> Any:
        """The upper end where it is exactly this rational, for answers that hang on a tie; or None."""
        return None

    def exact_mass_at_infinity(self) -> Any:
        """The mass at infinity where it is exactly this rational; or None."""
        return None

    def exact_q_mass(self) -> Any:
        """Q(dP/dQ > 0) where it is exactly this rational; or None."""
        return None

    def atom(self, x: _core.Interval) -> Any:
        """P(L = x), or None."""
        return None

    def density(self, x: _core.Interval) -> Any:
        """The density of the continuous part, or None."""
        return None

    def atoms(self) -> Any:
        """All atoms (loss, p) of a law that has finitely many, always in the same order; or None.

        A loss that is an int or a Fraction is exact.
        """
        return None

    def has_continuous_part(self) -> bool:
        """Whether there is more than these atoms, which are where the tails jump then."""
        return False

    def lattice(self) -> Any:
        """(mesh, offset, places) where atom i lies at offset + places[i] mesh exactly; or None."""
        return None

    def lattice_window(self) -> Any:
        """(mesh, offset, first, masses, below, above) of a law whose finite losses are offset + j mesh; or None.

        masses are P(L = offset + j mesh) of j = first, first + 1, ...; below and above enclose the mass of all finite
        losses on either side: (0, bound) will do. As much as leaves out about 2^-working_bits() makes answers as
        narrow as that.
        """
        return None

    def _tails_by_window(self) -> bool:
        own = type(self)
        return own.p_above is Law.p_above and own.q_above is Law.q_above and own.lattice_window is not Law.lattice_window

    #: M(z) = E_P[e^{zL}; L < infinity] at a `Complex` z, where it is known: a method. M must be finite on the whole
    #: plane, which is not checked; where the imaginary part of z is the point 0, that of the value should be too.
    mgf: Any = None

    #: A method of (t, step, count) that gives the list of M(t + i k step), k = 0 .. count - 1, where that is cheaper together.
    mgf_on_line: Any = None

    def mgf_beyond(self, t: _core.Interval, s: _core.Interval) -> Any:
        """An upper bound of |M(t + i s')| over all |s'| >= s; or None."""
        return None


class Mechanism(Law):
    """A mechanism of the spec language, by its law: a class with `p_above` and `q_above`.

    Every parameter is an attribute in them: an exact Fraction, a word or text, or a Composition of one
    mechanism. `plaudit.register` makes the mechanism known. Where the two directions differ, set
    `symmetric = False`: `self.direction` is then "remove" or "add". A mechanism that is made of laws of
    others has `laws` in place of the tails.
    """

    #: Of the spec language, in lower-case letters, digits and _; by default made of the name of the class.
    name: str = ""
    #: The domains of the parameters, each "number", "positive", "probability" (0 < p <= 1), "count", "text",
    #: "mechanism" or a list of the words that it may be, or a pair of that and a default.
    parameters: Mapping[str, Union[str, List[str], Tuple[Union[str, List[str]], Any]]] = {}
    #: A spec of it alone, which is built when the mechanism is registered.
    example: str = ""
    #: Why the pair dominates, with its source.
    theorem: str = "none stated"
    #: "add_remove", "replace", "zero_out", or "as_stated", which goes with any other.
    adjacency: str = "as_stated"
    group_size: int = 1
    #: False where nothing is proven of data sets, only of one pair of laws; bands of it say that they are no guarantee.
    guarantee: bool = True
    #: One sentence that says by which neighbouring data sets the pair is attained. Lower ends are then
    #: bounds of the mechanism; where it is empty, they are bounds of the pair alone.
    attained: str = ""
    #: Both directions have the same law.
    symmetric: bool = True
    #: The direction that is asked, where they differ.
    direction: str = "remove"

    def laws(self) -> Any:
        """The law of both directions, or the pair of (remove, add), where it is not this class that states it.

        Returns
        -------
        Law, KnownLaw, pair of them or None
            Objects that state a law, or have one by `plaudit.extend.law_of` or `reversed_law`.
        """
        return None


class Accountant:
    """An accountant of your own: its `epsilon` or `delta` returns a number or an enclosure.

    They may take `direction` as a third argument: then they are asked for each direction, else the answer
    is for both. ValueError refuses. `plaudit.compare` and `plaudit.audit` take such an accountant.
    """

    #: By default made of the name of the class.
    name: str = ""
    #: What its answers are, "band", "upper", "lower" or "estimate".
    claim: str = "estimate"
    #: Of an estimate, in units of epsilon, where `plaudit.audit` judges it.
    tolerance: Any = Fraction(1, 100)
    #: Why its answers hold, with its source.
    theorem: str = "none stated"

    def refusal(self, run: Any) -> str | None:
        """Why it does not apply to a composition.

        Parameters
        ----------
        run : Composition
            What is asked about.

        Returns
        -------
        str or None
            None where it applies.
        """
        return None

    def epsilon(self, run: Any, delta: Fraction) -> Any:
        """The epsilon at a delta.

        Parameters
        ----------
        run : Composition
            What is asked about.
        delta : fractions.Fraction
            In [0, 1].

        Returns
        -------
        number, Interval or pair of ends
            In nats.
        """
        raise ValueError(f"{_name_of(type(self))} answers no question about epsilon")

    def delta(self, run: Any, epsilon: Fraction) -> Any:
        """The delta at an epsilon.

        Parameters
        ----------
        run : Composition
            What is asked about.
        epsilon : fractions.Fraction
            Any real number, in nats.

        Returns
        -------
        number, Interval or pair of ends
            In [0, 1].
        """
        raise ValueError(f"{_name_of(type(self))} answers no question about delta")


class _StatedMechanism:
    """A mechanism as python/bindings/extend.cpp asks it: the class of that name, which may be replaced."""

    def __init__(self, cls: Type[Mechanism]) -> None:
        self.cls = cls
        self.name = _name_of(cls)
        self.summary = _summary_of(cls) or self.name
        self.theorem = cls.theorem
        self.example = cls.example or f"{self.name}({', '.join('1' for _ in cls.parameters)})"

    def _parameters(self) -> List[Tuple[str, str, str, List[str]]]:
        return [(name, *domain) for name, domain in _domains(self.cls).items()]

    def _adjacency(self, values: Dict[str, Any]) -> Tuple[str, int, bool]:
        law = self._law(values, "remove")
        return law.adjacency, law.group_size, law.guarantee

    def _attained(self, values: Dict[str, Any]) -> str:
        return self._law(values, "remove").attained

    def _law(self, values: Dict[str, Any], direction: str) -> Mechanism:
        law = self.cls()
        for name, value in values.items():
            setattr(law, name, _composition(value) if isinstance(value, _core.Composition) else value)
        law.direction = direction
        return law

    def _laws(self, values: Dict[str, Any]) -> Tuple[Any, Any]:
        remove = self._law(values, "remove")
        made = remove.laws()
        pair = tuple(made) if isinstance(made, (tuple, list)) else (made, None)
        if made is not None and not (len(pair) == 2 and isinstance(pair[0], (Law, _core.KnownLaw))
                                     and isinstance(pair[1], (Law, _core.KnownLaw, type(None)))):
            raise SpecError("laws() returns one law or the pair of them, each a plaudit.Law or one of plaudit.extend.law_of")
        if made is not None:
            return pair[0], pair[1]
        return remove, None if self.cls.symmetric else self._law(values, "add")


class RegisteredAccountant:
    """An accountant under its name; `plaudit.register` returns it."""

    def __init__(self, accountant: Accountant) -> None:
        self.accountant = accountant
        self.name = _name_of(type(accountant))
        self.summary = _summary_of(type(accountant)) or self.name
        self.theorem = accountant.theorem
        self.claim = accountant.claim

    def __repr__(self) -> str:
        return f"<accountant {self.name}: {self.claim}>"

    @property
    def tolerance(self) -> Any:
        return self.accountant.tolerance

    def _refusal(self, run: _core.Composition, direction: str) -> str | None:
        return self.accountant.refusal(_composition(run))

    def _epsilon(self, run: _core.Composition, direction: str, delta: str) -> Any:
        return _asked(self.accountant.epsilon, _composition(run), Fraction(delta), direction)

    def _delta(self, run: _core.Composition, direction: str, epsilon: str) -> Any:
        return _asked(self.accountant.delta, _composition(run), Fraction(epsilon), direction)

    def claimed(self, run: Any, delta: Any) -> Tuple[Any, Any]:
        """The ends of its epsilon for both directions: the larger lower and the larger upper end."""
        from ._numbers import text_of

        reason = self.accountant.refusal(run)
        if reason is not None:
            raise _core.NotApplicable(reason)
        directions = ("remove", "add") if _takes_direction(self.accountant.epsilon) else ("remove",)
        answers = [_ends(self._epsilon(run._core, one, text_of(delta))) for one in directions]
        return max(one[0] for one in answers), max(one[1] for one in answers)


_mechanisms: Dict[str, _StatedMechanism] = {}
_accountants: Dict[str, RegisteredAccountant] = {}


def registered() -> Set[str]:
    """The names of the mechanisms and accountants that are written in Python."""
    return {*_mechanisms, *_accountants}


def names_in(spec: str) -> Set[str]:
    """The words of a spec."""
    return set(re.findall(r"\w+", spec))


def refuse_unregistered(needed: Iterable[str]) -> None:
    """Raises a SpecError where one of these names is not known in this process."""
    missing = sorted(set(needed) - {one["name"] for one in (*_core.list_mechanisms(), *_core.list_accountants())})
    if missing:
        raise SpecError(f"{missing[0]} is registered in the process that asks, but not in its workers, which are new "
                        "processes: call plaudit.register in a module that they import, hand the executor an "
                        "initializer that does, or start them by fork")


@overload
def register(what: Type[Mechanism]) -> Callable[..., Any]: ...


@overload
def register(what: Union[Accountant, Type[Accountant]]) -> RegisteredAccountant: ...


@overload
def register(what: type) -> Any: ...


def register(what: Any) -> Any:
    """Makes a mechanism or an accountant known under its name.

    Where it is defined anew (a cell of a notebook that is run again), the new one takes the place of the
    old one.

    Parameters
    ----------
    what : type or Accountant
        A subclass of `Mechanism`, or an accountant or its class.

    Returns
    -------
    callable or RegisteredAccountant
        For a mechanism, the function that makes compositions of it.

    Raises
    ------
    SpecError
        It is neither, or its name is known with other parameters or another claim.
    """
    if isinstance(what, type) and issubclass(what, Mechanism):
        return _register_mechanism(what)
    accountant = what() if isinstance(what, type) and issubclass(what, Accountant) else what
    if isinstance(accountant, RegisteredAccountant):
        return accountant
    if not isinstance(accountant, Accountant):
        raise SpecError("register: a subclass of plaudit.Mechanism, or a plaudit.Accountant, is wanted")
    new = RegisteredAccountant(accountant)
    known = _accountants.get(new.name)
    if known is None:
        _core.add_accountant(new)
        _accountants[new.name] = new
        return new
    if (known.claim, known.summary, known.theorem) != (new.claim, new.summary, new.theorem):
        raise SpecError(f"register: {new.name} is known with another claim or description; "
                        "take another name, or start Python again")
    known.accountant = accountant
    return known


def _register_mechanism(cls: Type[Mechanism]) -> Callable[..., Any]:
    from . import mechanisms

    new = _StatedMechanism(cls)
    known = _mechanisms.get(new.name)
    if known is None:
        _core.add_mechanism(new)
        _mechanisms[new.name] = new
    else:
        if (_domains(known.cls), known.cls.symmetric, known.theorem) != (_domains(cls), cls.symmetric, new.theorem):
            raise SpecError(f"register: {new.name} is known with other parameters or another theorem; take another "
                            "name, or start Python again")
        known.cls = cls
    return getattr(mechanisms, new.name)  # type: ignore[no-any-return]


def _name_of(cls: Any) -> str:
    name = getattr(cls, "name", "")
    if name:
        return str(name)
    # PrivacyLoss -> privacy_loss
    return "".join("_" + c.lower() if c.isupper() and i else c.lower() for i, c in enumerate(cls.__name__))


def _domains(cls: Type[Mechanism]) -> Dict[str, Tuple[str, str, List[str]]]:
    """(domain, default, words) of each parameter."""
    from ._numbers import text_of

    result = {}
    for name, stated in cls.parameters.items():
        if hasattr(Mechanism, name):
            raise SpecError(f"register: {name} is an attribute that every mechanism has; take another name for the parameter")
        domain, default = stated if isinstance(stated, tuple) and len(stated) == 2 else (stated, None)
        words = list(domain) if isinstance(domain, list) else []
        if not (isinstance(domain, str) or words) or not all(isinstance(one, str) for one in words):
            raise SpecError(f"register: {name} has no domain: a name of one or a list of words, or a pair of that and a default")
        if words and not isinstance(default, (str, type(None))):
            raise SpecError(f"register: the default of {name} must be one of its words, not {default!r}")
        text = "" if default is None else default if words else text_of(default, name)
        result[name] = ("word" if words else str(domain), text, words)
    return result


def _composition(core: _core.Composition) -> Any:
    from ._composition import Composition

    return Composition(core)


def _takes_direction(method: Callable[..., Any]) -> bool:
    return "direction" in inspect.signature(method).parameters


def _asked(method: Callable[..., Any], run: Any, at: Fraction, direction: str) -> Any:
    return method(run, at, direction=direction) if _takes_direction(method) else method(run, at)


def _ends(given: Any) -> Tuple[Any, Any]:
    if isinstance(given, _core.Interval):
        return given.lower, given.upper
    if isinstance(given, (tuple, list)):
        return given[0], given[1]
    if hasattr(given, "item"):
        given = given.item()
    return given, given
