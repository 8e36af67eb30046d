"""Mechanisms whose pair is that of a curve: profiles, parallel composition. docs/proofs/curves.md."""
from fractions import Fraction

from ..arithmetic.clock import require, watched
from ..arithmetic.real import exact, maximum
from ..laws import curves
from ..laws.labels import LABELS
from ..laws.laws import Allocation, Bounded, Mirrored, Mixture
from .grammar import printed
from .mechanism import Adjacency, Mechanism
from .reader import shown
from .stated_points import operations_at_point, stated_laws

MOST_POINTS, OPERATIONS_OF_POINT = 10_000, 400
PARTS = ("first", "second", "third", "fourth", "fifth", "sixth")
OPERATIONS_OF_PARTS = 1_000_000


def privacy_profile(arguments):
    epsilons, deltas = arguments.typed("epsilons", list), arguments.typed("deltas", list)
    require(1 <= len(epsilons) == len(deltas) <= MOST_POINTS, "privacy_profile: 1 to 10000 epsilons, a delta for each")
    require(epsilons[0] >= 0 and all(a < b for a, b in zip(epsilons, epsilons[1:])), "privacy_profile: epsilons must rise from 0 or more")
    require(all(0 <= d <= 1 for d in watched(deltas)) and min(deltas) < 1, "privacy_profile: deltas must lie in [0, 1], and say something")
    lists = [", ".join(map(printed, part)) for part in (epsilons, deltas)]
    law = curves.bounded_at(list(zip(epsilons, deltas)))
    return Mechanism(f"privacy_profile(epsilons=[{lists[0]}], deltas=[{lists[1]}])", lambda _: law, True, one_record=True,
                     operations=OPERATIONS_OF_POINT * len(epsilons))




def has_closed_curve(law):
    """Whether the kind `threshold` has its curve without a choice."""
    return type(law) not in (Mixture, Mirrored, Allocation, Bounded, *LABELS)


def _is_below(low, high):
    return low.spec == high.spec or (low.alike and high.alike and curves.nowhere_above(low.law(True), high.law(True)))


def parallel(arguments):
    """docs/proofs/curves.md#parallel: the parts whose curves may be the greatest, of parts of parts too."""
    given = [arguments.typed(name, Mechanism) for name in PARTS if arguments.given(name)]
    require(len(given) >= 2, "parallel: takes 2 mechanisms at least")
    kinds = {part.adjacency.kind for part in given} - {"as_stated"}
    require(len(kinds) < 2, "parallel: parts for different adjacencies")
    kind = kinds.pop() if kinds else "add_remove"
    parts = []
    for part in given:
        require(part.one_record or part.adjacency.kind == "zero_out", f"parallel: {shown(part.spec)} is not for one record")
        require(type(part.law(True)) is not Bounded, f"parallel: {shown(part.spec)} has no pair")
        parts += part.parts or [part]
    i = 0
    while i < len(parts):
        if any(j != i and _is_below(parts[i], parts[j]) for j in range(len(parts))):
            del parts[i]
        else:
            i += 1
    common = {"adjacency": Adjacency(kind, 1), "one_record": kind == "add_remove", "parts": parts,
              "operations": OPERATIONS_OF_PARTS + sum(part.operations for part in given)}
    spec = "parallel(" + ", ".join(part.spec for part in given) + ")"
    if len(parts) == 1:
        return Mechanism(spec, parts[0].law, parts[0].alike, **common)
    alike, all_laws = all(part.alike for part in parts), [part.law(removes) for part in parts for removes in (True, False)]
    if len(parts) == 2 and alike and curves.are_compared(all_laws[0], all_laws[2]):
        law = curves.greater_of(all_laws[0], all_laws[2])
        return Mechanism(spec, lambda _: law, True, **common)
    require(all(has_closed_curve(law) for law in all_laws), "parallel: a part has a curve without a closed form")

    def curve(removes, epsilon):
        from ..threshold import curve as one_step
        greatest = exact(0)
        for part in parts:
            greatest = maximum(greatest, one_step(part.law(removes), exact(epsilon))[0])
        return greatest
    operations = sum(operations_at_point(part.law(True)) for part in parts)
    return Mechanism(spec, stated_laws(arguments, spec, alike, operations, curve), alike, **common)
