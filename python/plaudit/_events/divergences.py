"""Upper ends of the Renyi divergences of events, order by order, as accountants of divergences keep them.

Most events have a law, and the divergences of it. Of these there are others, all proven for the mechanism itself:
- (xi, rho)-zCDP: xi + rho alpha, its definition.
- Randomised response against a record that answers uniformly: those of the two laws.
- Repeats: bounds of Papernot and Steinke, for which the least one is taken over the orders given."""
from __future__ import annotations

import math
from fractions import Fraction
from typing import Dict, List, Sequence, Union

from .. import balls
from .._composition import Composition, parse
from .._core import SpecError
from .._numbers import text_of
from .event import Event, at_least_zero, integer, number
from .noise import rho_of_vectors
from .specs import Repeats, repeats_of

#: Events of which more may be known than their law says.
STATED = frozenset({"ZCDpEvent", "DiscreteGaussianDpEvent", "RandomizedResponseDpEvent", "RepeatAndSelectDpEvent"})

#: An order, infinity included, and an upper end of a divergence.
Order = Union[Fraction, float]

#: The divergence of order 1 is at most that of the orders above.
_ABOVE_ONE = 1 + Fraction(1, 10**9)
#: -log gamma of a stated mean is less, or it is refused.
_MOST_NATS = 10_000.0
#: Shapes nearer to 0 than this have about the mean that the shape 0 has.
_NO_SHAPE = Fraction(1, 10**100)


def order_of(x: object, text: str) -> Order:
    """An order from 1 to infinity."""
    if isinstance(x, float) and math.isinf(x) and x > 0:
        return math.inf
    order = Fraction(text)
    if order < 1:
        raise SpecError(f"a Renyi order must be a number from 1 to infinity, not {text}")
    return order


def stated_divergences(event: Event, relation: str, orders: Sequence[Order], digits: int,
                       timeout: float | None) -> List[float] | None:
    """Those of an event of which more is known than its law says; None of any other."""
    if event.kind == "ZCDpEvent":
        xi = at_least_zero(event, "xi") if "xi" in event.fields else "0"
        return concentrated(Fraction(at_least_zero(event, "rho")), Fraction(xi), orders)
    if event.kind == "DiscreteGaussianDpEvent":
        rho = rho_of_vectors(event)
        if rho is not None:
            return concentrated(rho, Fraction(0), orders)
    if event.kind == "RandomizedResponseDpEvent" and relation == "zero_out":
        return _answered_at_random(Fraction(number(event, "noise_parameter")), integer(event, "num_buckets"), orders)
    if event.kind == "RepeatAndSelectDpEvent":
        return _repeated(repeats_of(event, relation, 0), relation, orders, digits, timeout)
    return None


def divergences_of_law(run: Composition, orders: Sequence[Order], digits: int, timeout: float | None) -> List[float]:
    """Those of the dominating pair."""
    found: List[float] = []
    for order in orders:
        if order == math.inf:
            found.append(max(run.loss(each, timeout=timeout).greatest_loss().upper for each in ("remove", "add")))
        else:
            at = _ABOVE_ONE if order == 1 else order
            found.append(run.renyi(Fraction(at), digits=digits, timeout=timeout).upper)
    return found


def concentrated(rho: Fraction, xi: Fraction, orders: Sequence[Order]) -> List[float]:
    """Proof: the definition of (xi, rho)-zero-concentrated privacy (Bun and Steinke, TCC 2016-B), for all orders above 1."""
    return [math.inf if order == math.inf and rho > 0 else above(xi + rho * (1 if order == math.inf else Fraction(order)))
            for order in orders]


def above(x: Fraction) -> float:
    """The least double that is not below."""
    try:
        near = float(x)
    except OverflowError:
        return math.inf
    return near if Fraction(near) >= x else up(near)


def up(x: float) -> float:
    """Above the exact result of an operation of which x is the nearest double."""
    return math.nextafter(x, math.inf)


def _answered_at_random(noise: Fraction, answers: int, orders: Sequence[Order]) -> List[float]:
    """Answers that are not the true one have one likelihood ratio: they count as one answer."""
    if answers == 1 or noise == 1:
        return [0.0 for _ in orders]
    p, q = 1 - noise + noise / answers, Fraction(1, answers)
    found = []
    for order in orders:
        if order == math.inf:
            found.append(max(balls.log(p / q).upper, balls.log((1 - q) / (1 - p)).upper))
            continue
        alpha = Fraction(order) if order > 1 else _ABOVE_ONE
        both = []
        for a, b in ((p, q), (q, p)):
            moment = sum((balls.exp(balls.log(x) * alpha + balls.log(y) * (1 - alpha))
                          for x, y in ((a, b), (1 - a, 1 - b))), balls.Interval(0))
            both.append((balls.log(moment) / (alpha - 1)).upper)
        found.append(max(both))
    return found


# Proof: docs/proofs/repeats.md#renyi
def _repeated(repeats: Repeats, relation: str, orders: Sequence[Order], digits: int,
              timeout: float | None) -> List[float]:
    inner, base, mean, shape = repeats
    if base is None:
        return [0.0 for _ in orders]
    alone = len(inner) == 1 and inner[0][1] == 1
    stated = stated_divergences(inner[0][0], relation, orders, digits, timeout) if alone else None
    of_one = divergences_of_law(parse(base), orders, digits, timeout) if stated is None else stated
    if shape is not None and mean == 1:
        return of_one
    of_order: Dict[Order, float] = dict(zip(orders, of_one))
    if shape is None:
        ends = {order: _poisson(parse(base), mean, order, each, digits, timeout) for order, each in of_order.items()}
    else:
        apart = _best_of_other_orders(gamma_below(mean, shape), shape, of_order)
        ends = {order: _negative_binomial(mean, order, each, apart) for order, each in of_order.items()}
    # A divergence does not fall with its order.
    return [min(end for at, end in ends.items() if at >= order) for order in orders]


def _poisson(base: Composition, mean: Fraction, order: Order, divergence: float, digits: int,
             timeout: float | None) -> float:
    if order == 1 or math.isinf(divergence):
        return math.inf
    within, rest = Fraction(0), 0.0
    if order != math.inf:
        within = max(Fraction(balls.log1p(1 / (Fraction(order) - 1)).lower), within)
        rest = (balls.largest(balls.log(mean), 0) / (Fraction(order) - 1)).upper
    delta = base.delta(within, digits=digits, timeout=timeout).upper
    return up(up(up(above(mean) * delta) + divergence) + rest)


def _negative_binomial(mean: Fraction, order: Order, divergence: float, apart: float) -> float:
    if order == 1:
        return math.inf
    rest = 0.0 if order == math.inf else (balls.log(mean) / (Fraction(order) - 1)).upper
    return up(up(divergence + apart) + rest)


def _best_of_other_orders(gamma: Fraction, shape: Fraction, of_order: Dict[Order, float]) -> float:
    """(1 + eta) ((1 - 1/b) D_b + log(1 / gamma) / b), the least for the orders b."""
    least = math.inf
    runs = -balls.log(gamma)
    for order, divergence in of_order.items():
        if order == 1:  # D_1 does not count
            least = min(least, (runs * (1 + shape)).upper)
        elif not math.isinf(divergence):
            part = Fraction(0) if order == math.inf else 1 / Fraction(order)
            least = min(least, ((runs * part + Fraction(divergence) * (1 - part)) * (1 + shape)).upper)
    return least


# Proof: docs/proofs/repeats.md#mean
def gamma_below(mean: Fraction, shape: Fraction) -> Fraction:
    """A gamma for which the truncated negative binomial law has certainly at least this mean: near the one that has it, and below.

    >>> gamma = gamma_below(Fraction(10), Fraction(1))
    >>> gamma <= Fraction(1, 10) < gamma + Fraction(1, 10**12)
    True
    """
    # a shape that is nearly 0 is taken for 0 here: whether gamma is small enough is seen below
    eta, wanted = (float(shape) if abs(shape) > _NO_SHAPE else 0.0), _log(mean)

    def log_mean(x: float) -> float:  # of the law with gamma = e^x
        if eta == 0:
            return math.log(-math.expm1(x)) - x - math.log(-x)
        power = eta * x
        grown = power if power > 700 else math.log(abs(math.expm1(power)))
        return math.log(abs(eta)) + math.log(-math.expm1(x)) - x - grown

    low, high = -1.0, -1e-12
    while log_mean(low) < wanted:
        low *= 2
        if low < -_MOST_NATS:
            raise SpecError(f"a mean of {text_of(mean)} with a shape of {text_of(shape)} has a gamma below e^-{_MOST_NATS:g}")
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if log_mean(middle) > wanted else (low, middle)
    gamma = Fraction(math.exp(low)) if low > -700 else Fraction(1, 2 ** math.ceil(-low / math.log(2)))
    less = Fraction(1, 2**50)
    while not _mean_of(gamma, shape) >= mean:
        gamma = gamma * (1 - less) if less < 1 else gamma / 2
        less *= 2
    return gamma


def _mean_of(gamma: Fraction, shape: Fraction) -> balls.Interval:
    if shape == 0:
        return balls.Interval(1 - gamma) / (-balls.log(gamma) * gamma)
    return balls.Interval(shape * (1 - gamma)) / (-balls.expm1(balls.log(gamma) * shape) * gamma)


def _log(x: Fraction) -> float:
    return math.log(x.numerator) - math.log(x.denominator)
