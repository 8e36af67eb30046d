"""Compositions from accountants, histories, events and laws of the loss of other libraries."""
from __future__ import annotations

import json
import math
import numbers
import os
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Dict, Iterable, List, Tuple

from .._composition import Composition, parse
from .._core import NotApplicable, SpecError
from .event import NonPrivate, is_event, is_list, plain
from .pld import is_pld, spec_of_pld
from .specs import factors_of, relation_of, usual_relation

#: The longest JSON text that is read.
LONGEST_TEXT = 64 << 20


def from_(x: Any, *, adjacency: Any = None, file: "str | os.PathLike[str] | None" = None
          ) -> Composition:
    """What was run, from what another library has of it. None of these libraries is needed.

    Parameters
    ----------
    x : object
        Spec text; a composition; of Opacus an accountant, its `history`, its `state_dict()` or the
        `PrivacyEngine`; of dp_accounting a `DpEvent`, its named tuple, an accountant, or a
        `PrivacyLossDistribution`; of prv_accountant a mechanism, `(mechanisms, counts)`, a list of
        `(mechanism, count)`, or an accountant; events and histories also as JSON text or as what
        `json.load` makes of it.
    adjacency : str or NeighboringRelation, optional
        For events: "add_remove", "replace" or "zero_out"; None takes the one that dp_accounting's
        accountants have for such events. For a `PrivacyLossDistribution`: the one for which it was
        made; None is "as_stated".
    file : path, optional
        For a `PrivacyLossDistribution`: where its law is written to. None is a file that lives as long
        as this process.

    Returns
    -------
    Composition
        What is asked for bands.

    Raises
    ------
    NotApplicable
        Nothing is proven about it, or it is not private; the words say what.
    SpecError
        It is malformed.

    Examples
    --------
    >>> from_([(1.1, 0.01, 300), (0.9, 0.01, 200)]).spec
    'poisson(gaussian(sigma=1.1), rate=0.01)^300 * poisson(gaussian(sigma=0.9), rate=0.01)^200'
    >>> from_('{"class_name": "LaplaceDpEvent", "noise_multiplier": 20}', adjacency="replace").spec
    'laplace(scale=20, sensitivity=2)'
    """
    if isinstance(x, Composition):
        return _unasked(x, adjacency, file)
    if isinstance(x, str):
        if x.lstrip()[:1] in ("{", "["):
            return from_(_json(x), adjacency=adjacency, file=file)
        return _unasked(parse(x), adjacency, file)
    if is_pld(x):
        relation = relation_of(adjacency)
        return parse(spec_of_pld(x, relation or "as_stated", file))
    if file is not None:
        raise SpecError("from_: file is for a PrivacyLossDistribution")
    if is_event(x):
        return composed(factors_of(x, relation_of(adjacency) or usual_relation(x)))
    if hasattr(x, "ledger") and hasattr(x, "neighboring_relation"):  # an accountant
        if adjacency is not None and relation_of(adjacency) != relation_of(x.neighboring_relation):
            raise SpecError(f"from_: the accountant is for {x.neighboring_relation}")
        return from_(x.ledger, adjacency=x.neighboring_relation)
    return _unasked(composed(_factors(x)), adjacency, file)


def composed(factors: Mapping[str, int]) -> Composition:
    """The composition of mechanisms, each so many times."""
    for spec, count in factors.items():
        if not 0 <= count <= 10**12:
            raise SpecError(f"a mechanism may run up to 10^12 times, not {count}")
    parts = [parse(spec)**count for spec, count in factors.items() if count]
    if not parts:
        raise SpecError("nothing was run: there is no guarantee to ask for")
    run: Composition = math.prod(parts)  # and not through a text, which has a greatest length
    return run


def factors_of_history(history: Any) -> Dict[str, int]:
    """The steps of an Opacus history: entries (noise_multiplier, sample_rate, steps)."""
    result: Dict[str, int] = {}
    for entry in history:
        if not is_list(entry) or len(entry) != 3:
            raise SpecError("an Opacus history has entries (noise_multiplier, sample_rate, steps), "
                            f"not {str(entry)[:80]}")
        event = {"class_name": "SelfComposedDpEvent", "count": entry[2], "event": {
            "class_name": "PoissonSampledDpEvent", "sampling_probability": entry[1], "event": {
                "class_name": "GaussianDpEvent", "noise_multiplier": entry[0]}}}
        try:
            for spec, count in factors_of(event, "add_remove").items():
                result[spec] = result.get(spec, 0) + count
        except NonPrivate:
            if Decimal(plain(entry[2], "steps")) > 0:
                raise
        except SpecError as error:
            words = str(error)
            for old, new in (("GaussianDpEvent", "history"), ("PoissonSampledDpEvent", "history"),
                             ("SelfComposedDpEvent", "history"), ("count", "steps"),
                             ("sampling_probability", "sample_rate")):
                words = words.replace(old, new)
            raise type(error)(words) from None
    return result


def _factors(x: Any) -> Dict[str, int]:
    if isinstance(x, Mapping):
        if "history" in x:
            return factors_of_history(_sampled(x["history"], x.get("poisson_sampling", True)))
        if "privacy_accountant_state_dict" in x:  # a checkpoint of Opacus
            return _factors(x["privacy_accountant_state_dict"])
        raise SpecError("a dict must be an event (class_name), or have a history")
    if hasattr(x, "accountant") and hasattr(x.accountant, "history"):  # a PrivacyEngine
        return _factors(x.accountant)
    if hasattr(x, "history"):
        return factors_of_history(_sampled(x.history, getattr(x, "poisson_sampling", True)))
    if hasattr(x, "prvs") and hasattr(x, "max_self_compositions"):
        counts = x.max_self_compositions
        return factors_of_prvs(x.prvs, counts if is_list(counts) else [counts])
    if _is_prv(x):
        return factors_of_prvs([x], [1])
    if is_list(x):
        if len(x) == 2 and is_list(x[0]) and x[0] and all(map(_is_prv, x[0])) and is_list(x[1]):
            return factors_of_prvs(x[0], x[1])
        if len(x) and all(is_list(each) and len(each) == 2 and _is_prv(each[0]) for each in x):
            return factors_of_prvs([each[0] for each in x], [each[1] for each in x])
        if len(x) == 3 and all(isinstance(each, numbers.Real) for each in x):  # a single entry
            return factors_of_history([x])
        return factors_of_history(x)
    raise SpecError(f"from_: a {type(x).__name__} is not known; it takes spec text, an Opacus "
                    "accountant or history, a DpEvent, a PrivacyLossDistribution, or mechanisms of "
                    "prv_accountant with counts")


def _sampled(x: Any, by_poisson: Any) -> Sequence[Any]:
    """A history; where no amplification by sampling is proven, with all records in each batch."""
    if not is_list(x):
        raise SpecError(f"an Opacus history must be a list, not {type(x).__name__}")
    if by_poisson is not False:
        return x  # type: ignore[no-any-return]
    return unsampled(x)


def unsampled(history: Any) -> List[Any]:
    """The steps without what sampling gains."""
    return [(each[0], 1, each[2]) if is_list(each) and len(each) == 3 else each for each in history]


def _unasked(run: Composition, adjacency: Any, file: Any) -> Composition:
    """The run itself; an adjacency other than its own, and a file, are refused."""
    if file is not None:
        raise SpecError("from_: file is for a PrivacyLossDistribution")
    if adjacency is not None and run.adjacency.kind not in (relation_of(adjacency), "as_stated"):
        raise SpecError(f"from_: {run.spec[:80]} is for {run.adjacency.kind}")
    return run


def _json(text: str) -> Any:
    """JSON, with decimals as they stand."""
    def refuse(name: str) -> Any:
        raise SpecError(f"JSON: {name} is no finite number")

    if len(text) > LONGEST_TEXT:
        raise SpecError("JSON: the text is longer than 64 MiB")
    try:
        return json.loads(text, parse_float=_Written, parse_int=_Written, parse_constant=refuse)
    except SpecError:
        raise
    except (ValueError, RecursionError) as error:
        raise SpecError(f"JSON: {error}") from None


class _Written(str):
    """A number of a JSON text, as it is written: nothing is computed before it is checked."""


# ---- prv_accountant

def _is_prv(x: Any) -> bool:
    return type(x).__module__.split(".")[0] == "prv_accountant" or type(x).__name__ in _PRVS


def factors_of_prvs(prvs: Iterable[Any], counts: Iterable[Any]) -> Dict[str, int]:
    """The mechanisms of prv_accountant, each so many times."""
    mechanisms, times = list(prvs), list(counts)
    if len(mechanisms) != len(times):
        raise SpecError(f"from_: {len(mechanisms)} mechanisms, but {len(times)} counts")
    result: Dict[str, int] = {}
    for one, count in zip(mechanisms, times):
        whole = Decimal(plain(count, "count"))
        if whole != int(whole) or whole < 0:
            raise SpecError(f"from_: a count must be an integer >= 0, not {count!r}")
        spec = spec_of_prv(one)
        result[spec] = result.get(spec, 0) + int(whole)
    return result


def spec_of_prv(x: Any) -> str:
    """A mechanism of prv_accountant. Objects keep what their class computes with, and that is what
    is read: of `GaussianMechanism` only mu = l2_sensitivity / noise_multiplier, a double."""
    name = type(x).__name__
    if name not in _PRVS:
        raise NotApplicable(f"{name} of prv_accountant is refused: known are {', '.join(_PRVS)}")
    template, attributes = _PRVS[name]
    values: List[str] = []
    for attribute in attributes:
        value = x
        for part in attribute.split("."):
            value = getattr(value, part)
        # longdouble: the double that it was made of, where it is one
        if not isinstance(value, (int, str)) and float(value) == value:
            value = float(value)
        values.append(plain(value, f"{name}: {attribute}"))
    return template.format(*values)


_PRVS: Dict[str, Tuple[str, Tuple[str, ...]]] = {
    "PoissonSubsampledGaussianMechanism": ("poisson(gaussian(sigma={1}), rate={0})",
                                           ("p", "sigma")),
    "GaussianMechanism": ("gaussian(sigma=1, sensitivity={0})", ("mu",)),
    "LaplaceMechanism": ("laplace(scale=1, sensitivity={0})", ("mu",)),
    "PureDPMechanism": ("pure(epsilon={0})", ("eps",)),
    "ApproximateDPMechanism": ("approximate(epsilon={0}, delta={1})", ("pure_dp.eps", "delta")),
}
