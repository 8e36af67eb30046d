"""What people type that is spelt otherwise here: the words that say how."""
from __future__ import annotations

from typing import Any, Dict, Iterable, NoReturn, Tuple

from .. import _core
from .._core import SpecError

#: Names that the module does not have.
OF_MODULE: Dict[str, str] = {
    "compose": "a product composes, a * b, and math.prod a list",
    "subsample": "plaudit.poisson(mechanism, rate) draws each record by itself; without_replacement and with_replacement draw batches",
    "get_noise_multiplier": "plaudit.calibrate(epsilon=..., delta=..., sample_rate=..., steps=...) finds the noise multiplier",
    "get_epsilon": "plaudit.epsilon(run, delta)",
    "compute_epsilon": "plaudit.epsilon(run, delta)",
    "rdp": "plaudit.renyi(run, order)",
    "gdp": "a composition has .gaussian_mu()",
    "plot": "a composition's .curve(deltas=[...]) has .plot()",
}

#: Names that a composition does not have.
OF_COMPOSITION: Dict[str, str] = {
    "get_epsilon": "it is .epsilon(delta)",
    "get_delta": "it is .delta(epsilon)",
    "rdp": "it is .renyi(order)",
    "mu": "it is .gaussian_mu()",
    "gdp": "it is .gaussian_mu()",
    "advantage": "it is .best_tests().advantage()",
    "true_positive_rate": "it is .best_tests().true_positive_rate(fpr)",
    "plot": "it is .curve(deltas=[...]).plot()",
    "certificate": "it is of a band, .epsilon(delta).certificate()",
    "compose": "a product composes, a * b",
    "self_compose": "a power repeats, run**n",
    "to_pandas": "it is of what was asked, .epsilon([...]).to_pandas()",
}

#: Parameters that mechanisms do not have.
OF_MECHANISMS: Dict[str, str] = {
    "stddev": "it is sigma",
    "delta": "it is of the question, run.epsilon(delta=...), and of approximate(epsilon, delta)",
    "epsilon": "noise is stated by its size (for Laplace noise scale = sensitivity / epsilon), and what is known to be private by "
               "pure(epsilon) or approximate(epsilon, delta)",
    "eps": "noise is stated by its size (for Laplace noise scale = sensitivity / epsilon), and what is known to be private by "
           "pure(epsilon) or approximate(epsilon, delta)",
    "clip": "noise multipliers are in units of the clipping norm",
    "max_grad_norm": "noise multipliers are in units of the clipping norm",
}


def of_module(name: str) -> str:
    """What stands behind "module plaudit has no attribute ..."; empty where nothing is known of it."""
    if name in OF_MODULE:
        return OF_MODULE[name]
    try:
        _core.parse(f"{name.lower()}(1)")
    except SpecError as error:
        words = str(error)
        if "did you mean" in words:
            return words[words.index("did you mean"):].partition(")")[0]
        return "" if "unknown mechanism" in words or words.startswith("spec: expected") else words
    return f"it is {name.lower()}" if name != name.lower() else ""


def refuse_parameters(mechanism: str, given: Iterable[str], known: Iterable[str]) -> None:
    """Raises a SpecError for a parameter that the mechanism does not have and of which something is known."""
    for name in given:
        if name not in known and name in OF_MECHANISMS:
            raise SpecError(f"{mechanism}: has no parameter {name!r}: {OF_MECHANISMS[name]}")


class Composes:
    """Operators that compositions do not have."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        if name in OF_COMPOSITION:
            raise AttributeError(f"a composition has no attribute {name}: {OF_COMPOSITION[name]}")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __xor__(self, other: Any) -> NoReturn:
        raise TypeError(f"in Python a power is **, as in run**{other}")

    def __add__(self, other: Any) -> NoReturn:
        raise TypeError("a product composes, a * b, and math.prod a list")

    __radd__ = __matmul__ = __add__


def _two_numbers(self: Any, *_: Any) -> NoReturn:
    raise TypeError(f"{self} is two numbers: take .upper, which bounds the exact number from above, .lower, or .mid, which "
                    "bounds nothing")


class TwoNumbers:
    """Arithmetic that bands do not have: which of their ends is meant, nobody can know."""

    __slots__: Tuple[str, ...] = ()

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _two_numbers
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = _two_numbers
    __neg__ = __pos__ = __abs__ = __float__ = __int__ = _two_numbers

    def __round__(self, digits: Any = None) -> NoReturn:
        raise TypeError(f"{self} is two numbers: f'{{band:.{3 if digits is None else digits}f}}' rounds both outward; "
                        "round(band.upper, ...) may round below the exact number")
