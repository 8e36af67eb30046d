"""Budgets: which steps each admits, and the privacy of all that it will ever admit.

A budget that is declared before the first step is a filter (docs/proofs/filters.md#remaining). A step is charged an upper
end that the library certifies, or exact. Sums are exact, or rounded up by a rule (`up`) that a replay follows too.
"""
from __future__ import annotations

import warnings
from decimal import ROUND_FLOOR, Context
from fractions import Fraction
from typing import Any, Dict, List, Mapping, Optional, Protocol, Tuple, Union

from .._bands import WidthNotReached
from .._composition import Composition, parse
from .._core import Interval, NotApplicable, SpecError
from .._numbers import Exact, Scalar, text_of
from .. import balls

#: Exact numbers by names: of orders, of "mu^2", of "epsilon" and "delta", or counts of steps by their specs.
Amounts = Dict[str, Fraction]
Given = Union[Scalar, Mapping[Any, Any], Composition]

#: Where a sum has a denominator of more bits, it is rounded up to a multiple of 10^-60.
_MOST_BITS = 256
_GRID = 10**60

#: Runs of these are dominated by one pair of Gaussians, so that D_alpha = alpha mu^2 / 2 exactly.
_GAUSSIAN = {"gaussian", "group", "matrix", "toeplitz", "tree"}


def up(x: Fraction) -> Fraction:
    """The number, or one above it where it takes many digits."""
    if x.denominator.bit_length() <= _MOST_BITS:
        return x
    return Fraction(-(-x.numerator * _GRID // x.denominator), _GRID)


def shown(x: Fraction) -> str:
    """In messages: exact where that is short."""
    text = str(Exact(x))
    return text if len(text) <= 24 else f"about {float(x):.12g}"


def exact(x: Any, what: str, least: int = 0) -> Fraction:
    """The number that was typed, which must be above `least`."""
    text = text_of(x, what)
    try:
        value = Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise SpecError(f"{what}: must be a number, not {text!r}") from None
    if value <= least:
        raise SpecError(f"{what}: must be above {least}, not {text}")
    return value


def probability(x: Any, what: str) -> Fraction:
    """A delta: in (0, 1)."""
    value = exact(x, what)
    if value >= 1:
        raise SpecError(f"{what}: must be below 1, not {Exact(value)}")
    return value


def certified(run: Composition, quantity: str, at: Fraction) -> Tuple[str, str]:
    """The ends of a band, rounded outward; a wide band bounds too."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WidthNotReached)
        band = getattr(run, quantity)(at)
    if not band.certified or band.trusted:
        raise NotApplicable(f"{run}: its {quantity} is not certified" +
                            (f" but for the claims of {band.trusted}, which a ledger does not trust" if band.trusted else ""))
    lower, upper = band.decimal(17)
    return lower, upper


class Budget(Protocol):
    """A filter: what it admits is decided from charges alone, which depend on no data.

    `stated` is all of it as texts; `start` what is spent, or of a pair what is left, before the first step. `charge` is
    what one run of a mechanism costs, and a lower end of that. `after` are the amounts after `count` such runs, or None
    where that is beyond the budget. `epsilon` bounds, from above, that of all that is admitted.
    """

    def stated(self) -> Dict[str, Any]: ...
    def start(self) -> Amounts: ...
    def charge(self, step: Composition) -> Tuple[Amounts, Amounts]: ...
    def after(self, amounts: Amounts, spec: str, count: int, charge: Amounts) -> Optional[Amounts]: ...
    def left(self, amounts: Amounts) -> Amounts: ...
    def epsilon(self, delta: Fraction) -> str: ...


class GaussianBudget:
    """All that is admitted is mu-GDP: the squares of the steps' mu sum to at most mu^2."""

    def __init__(self, mu: Any) -> None:
        self.mu = exact(mu, "budget")

    def stated(self) -> Dict[str, Any]:
        return {"mu": str(self.mu)}

    def start(self) -> Amounts:
        return {"mu^2": Fraction(0)}

    # Proof: docs/proofs/filters.md#gaussian, docs/proofs/gaussian_dp.md#least-mu
    def charge(self, step: Composition) -> Tuple[Amounts, Amounts]:
        found = step.gaussian_mu(digits=9)
        if found.exact_square is not None:
            square = found.exact_square
            return {"mu^2": square}, {"mu^2": square}
        if found.upper == float("inf"):
            raise NotApplicable(f"{step}: no mu is known of which it is mu-GDP ({found.remark})")
        return {"mu^2": Fraction(found.upper)**2}, {"mu^2": Fraction(found.lower)**2}

    def after(self, amounts: Amounts, spec: str, count: int, charge: Amounts) -> Optional[Amounts]:
        total = up(amounts["mu^2"] + count * charge["mu^2"])
        return {"mu^2": total} if total <= self.mu**2 else None

    def left(self, amounts: Amounts) -> Amounts:
        return {"mu^2": self.mu**2 - amounts["mu^2"]}

    def epsilon(self, delta: Fraction) -> str:
        return certified(parse(f"gaussian(sigma={1 / self.mu})"), "epsilon", delta)[1]

    def __str__(self) -> str:
        return f"mu-GDP with mu = {shown(self.mu)}"


def _order(text: Any) -> Fraction:
    return exact(text, "order", 1)


def log_c(order: Fraction) -> Interval:
    """log c(t), t = order - 1 (docs/proofs/chernoff.md#chernoff)."""
    t = Interval(str(order - 1))
    return -t * balls.log1p(1 / t) - balls.log1p(t)


class RenyiBudget:
    """Renyi divergences of fixed orders, each with a budget of its own, of which every one or any one is held."""

    def __init__(self, orders: Any, rule: str) -> None:
        if not isinstance(orders, Mapping) or not orders:
            raise SpecError(f"budget: of kind renyi, must be a budget for each order, such as {{8: 1}}, not {orders!r}")
        if rule not in ("every", "any"):
            raise SpecError(f"rule: must be every or any, not {rule!r}")
        found = {_order(order): exact(budget, f"budget of order {order}") for order, budget in orders.items()}
        if len(found) < len(orders):
            raise SpecError(f"budget: an order stands there twice: {', '.join(map(str, orders))}")
        self.orders: Amounts = {str(order): found[order] for order in sorted(found)}
        self.rule = rule

    def stated(self) -> Dict[str, Any]:
        return {"orders": {name: str(budget) for name, budget in self.orders.items()}, "rule": self.rule}

    def start(self) -> Amounts:
        return {name: Fraction(0) for name in self.orders}

    # Proof: docs/proofs/filters.md#renyi, docs/proofs/chernoff.md#renyi
    def charge(self, step: Composition) -> Tuple[Amounts, Amounts]:
        """Of orders at which it is infinite there is none."""
        found = {name: _divergence(step, Fraction(name)) for name in self.orders}
        finite = {name: ends for name, ends in found.items() if ends is not None}
        without = ", ".join(name for name in found if name not in finite)
        if not finite or (self.rule == "every" and without):
            raise NotApplicable(f"{step}: its Renyi divergence of order {without} is infinite, or no bound is known")
        return {name: ends[1] for name, ends in finite.items()}, {name: ends[0] for name, ends in finite.items()}

    # Proof: docs/proofs/filters.md#any-order
    def after(self, amounts: Amounts, spec: str, count: int, charge: Amounts) -> Optional[Amounts]:
        total = {name: up(amount + count * charge[name]) for name, amount in amounts.items() if name in charge}
        within = [name in total and total[name] <= budget for name, budget in self.orders.items()]
        return total if (all(within) if self.rule == "every" else any(within)) else None

    def left(self, amounts: Amounts) -> Amounts:
        return {name: budget - amounts[name] for name, budget in self.orders.items()
                if name in amounts and amounts[name] <= budget}

    def epsilon(self, delta: Fraction) -> str:
        if self.rule == "every" or len(self.orders) == 1:
            ends = [self._epsilon_of(name, delta) for name in self.orders]
            return min(ends, key=Fraction)
        return self._epsilon_of_any(delta)

    # Proof: docs/proofs/filters.md#renyi
    def _epsilon_of(self, name: str, delta: Fraction) -> str:
        t = Interval(str(Fraction(name) - 1))
        end = Interval(str(self.orders[name])) + (log_c(Fraction(name)) - balls.log(Interval(str(delta)))) / t
        return "0" if end.upper <= 0 else end.upper_decimal(17)

    # Proof: docs/proofs/filters.md#any-order
    def _epsilon_of_any(self, delta: Fraction) -> str:
        """The least double found for which the sum of the orders' deltas is certainly at most delta."""
        def suffices(epsilon: float) -> bool:
            total = Interval(0)
            for name, budget in self.orders.items():
                t = Interval(str(Fraction(name) - 1))
                total += balls.exp(log_c(Fraction(name)) + t * (Interval(str(budget)) - epsilon))
            return total.upper <= delta
        most = max(float(self._epsilon_of(name, delta / len(self.orders))) for name in self.orders) * 1.001 + 1e-9
        if not suffices(most):
            return "inf"
        least = 0.0
        for _ in range(60):
            middle = (least + most) / 2
            least, most = (least, middle) if suffices(middle) else (middle, most)
        return Interval(most).upper_decimal(17)

    def __str__(self) -> str:
        words = ", ".join(f"D_{shown(Fraction(name))} <= {shown(budget)}" for name, budget in self.orders.items())
        return f"Renyi divergences: {words}" + (", any one of them" if len(self.orders) > 1 and self.rule == "any" else "")


def _divergence(step: Composition, order: Fraction) -> Optional[Tuple[Fraction, Fraction]]:
    """Ends of D_order of a mechanism, of both directions the larger; None where it has none."""
    given: Dict[str, Any] = step.arguments
    if step.name in ("zcdp", "tcdp"):  # Proof: docs/proofs/bounded_moments.md#zcdp
        bound = given["rho"] * order
        return None if step.name == "tcdp" and order >= given["omega"] else (bound, bound)
    if step.name == "cdp":  # Proof: docs/proofs/bounded_moments.md#cdp
        bound = given["mu"] + (order - 1) * given["tau"]**2 / 2
        return bound, bound
    lower, upper = certified(step, "renyi", order)
    if upper == "inf":
        return None
    square = step.gaussian_mu().exact_square if step.name in _GAUSSIAN else None
    ends = [Fraction(upper)] + ([order * square / 2] if square is not None else [])
    return Fraction(lower), min(ends)


class PairBudget:
    """A composition that is declared: its steps may be run in any order, each as often as it stands there.

    One `pure` or `approximate` among them, without a power, is a reserve: steps of which an epsilon and a delta are
    known take theirs from it.
    """

    def __init__(self, run: Any) -> None:
        if not isinstance(run, (Composition, str)):
            raise SpecError(f"budget: of kind pair, must be a composition or its spec, not {run!r}")
        self.run = parse(run) if isinstance(run, str) else run
        self.steps: Amounts = {}
        for step in self.run.steps:
            spec = step.mechanism.stated
            self.steps[spec] = self.steps.get(spec, Fraction(0)) + step.count
        self.reserve: Amounts = {}
        stated = [step for step in self.run.steps if step.mechanism.name in ("pure", "approximate")]
        if len(stated) == 1 and stated[0].count == 1:
            self.reserve = _point(stated[0].mechanism)[0]
            del self.steps[stated[0].mechanism.stated]

    def stated(self) -> Dict[str, Any]:
        return {"steps": [[step.mechanism.stated, step.count] for step in self.run.steps]}

    def start(self) -> Amounts:
        return {**self.steps, **self.reserve}

    def charge(self, step: Composition) -> Tuple[Amounts, Amounts]:
        point, least = _point(step) if self.reserve else ({}, {})
        if not point and step.stated not in self.steps:
            raise NotApplicable(f"{step}: is no step of the budget {self.run}" + (
                ", and its losses are not bounded: spend an approximate(epsilon, delta) that it satisfies"
                if self.reserve else ""))
        return point, least

    # Proof: docs/proofs/filters.md#steps, docs/proofs/filters.md#stated
    def after(self, amounts: Amounts, spec: str, count: int, charge: Amounts) -> Optional[Amounts]:
        if amounts.get(spec, 0) >= count:
            return {name: amount - (count if name == spec else 0) for name, amount in amounts.items()
                    if name != spec or amount > count}
        if not charge or not self.reserve or any(count * charge[name] > amounts[name] for name in self.reserve):
            return None
        return {name: -up(count * charge[name] - amount) if name in self.reserve else amount for name, amount in amounts.items()}

    def left(self, amounts: Amounts) -> Amounts:
        return amounts

    def epsilon(self, delta: Fraction) -> str:
        return certified(self.run, "epsilon", delta)[1]

    def __str__(self) -> str:
        return f"the curve of {self.run}"


def _point(step: Composition) -> Tuple[Amounts, Amounts]:
    """An epsilon and a delta that the mechanism satisfies in both directions, and lower ends; or nothing."""
    given: Dict[str, Any] = step.arguments
    point = {"delta": given.get("delta", Fraction(0))}
    if step.name in ("pure", "approximate"):
        point["epsilon"] = given["epsilon"]
    elif step.name == "laplace":
        point["epsilon"] = given.get("sensitivity", Fraction(1)) / given["scale"]
    else:
        lower, upper = certified(step, "epsilon", Fraction(0))
        return ({}, {}) if upper == "inf" else ({**point, "epsilon": Fraction(upper)}, {"epsilon": Fraction(lower)})
    return point, point


def budget_of(kind: Any, budget: Any, rule: str = "every") -> Budget:
    """The budget of that kind."""
    if kind == "gdp":
        return GaussianBudget(budget)
    if kind == "renyi":
        return RenyiBudget(budget, rule)
    if kind == "pair":
        return PairBudget(budget)
    # Proof: docs/proofs/filters.md#unsafe
    raise SpecError(f"kind: must be renyi, gdp or pair, not {kind!r}: no other filter is proven. A ledger that goes on "
                    "while the privacy loss distribution of the path is within (epsilon, delta) is unsafe")


def budget_for(kind: Any, epsilon: Any, delta: Any, orders: Any, rule: str) -> Budget:
    """A budget of that kind that implies (epsilon, delta)."""
    e, d = exact(epsilon, "epsilon"), probability(delta, "delta")
    if kind == "gdp":
        from .._searches.calibration import calibrate

        sigma = calibrate("gaussian(sigma=?)", epsilon=e, delta=d).suffices
        if sigma is None:
            raise SpecError("epsilon, delta: no mu was found that implies them")
        return GaussianBudget(Context(prec=9, rounding=ROUND_FLOOR).divide(sigma.denominator, sigma.numerator))
    if kind == "pair":
        return PairBudget(f"approximate(epsilon={e}, delta={d})")
    if kind == "renyi" and not orders:
        raise SpecError("orders: with epsilon and delta, a ledger of kind renyi needs orders that are fixed beforehand")
    budgets: Amounts = {}
    for order in map(_order, orders or []):
        each = d / len(orders) if rule == "any" else d
        least = Interval(str(e)) - (log_c(order) - balls.log(Interval(str(each)))) / Interval(str(order - 1))
        if least.lower <= 0:
            raise SpecError(f"orders: {Exact(order)} is too small for this epsilon and delta")
        budgets[str(order)] = Fraction(least.lower_decimal(17))
    return budget_of(kind, budgets, rule)


def budget_from(kind: str, stated: Mapping[str, Any]) -> Budget:
    """What `stated` gave."""
    if kind == "pair":
        from .. import _core

        steps: List[Tuple[Any, int]] = [(_core.parse(spec), count) for spec, count in stated["steps"]]
        return PairBudget(Composition(_core.product(steps)))
    return budget_of(kind, stated["mu"] if kind == "gdp" else stated["orders"], stated.get("rule", "every"))
