"""Mechanisms whose pair is that of a curve, or of what is released of several runs: profiles, parallel composition, shuffled
messages, private selection over pure mechanisms. docs/proofs/curves.md, docs/proofs/shuffle.md, docs/proofs/repeats.md."""
from fractions import Fraction

from ..arithmetic.clock import require, watched
from ..arithmetic.real import exact, exp, expm1, log, maximum
from ..laws import curves
from ..laws.labels import LABELS
from ..laws.laws import Allocation, Bounded, Finite, Mirrored, Mixture, values_of
from ..laws.text import of_law, of_number
from .grammar import printed
from .mechanism import Adjacency, Mechanism
from .reader import shown
from .stated_points import stated_laws

MOST_POINTS, OPERATIONS_OF_POINT = 10_000, 400
MOST_USERS = 64  # of whom all atoms are kept
PARTS = ("first", "second", "third", "fourth", "fifth", "sixth")
OPERATIONS_OF_PARTS = 1_000_000
OPERATIONS_OF_CURVE, OPERATIONS_OF_VALUE = 2000, 100  # of the curve of a part at a point: of each, and of each value of its law
MOST_TRIALS = 10**9


def privacy_profile(arguments):
    epsilons, deltas = arguments.typed("epsilons", list), arguments.typed("deltas", list)
    require(1 <= len(epsilons) == len(deltas) <= MOST_POINTS, "privacy_profile: 1 to 10000 epsilons, a delta for each")
    require(epsilons[0] >= 0 and all(a < b for a, b in zip(epsilons, epsilons[1:])), "privacy_profile: epsilons must rise from 0 or more")
    require(all(0 <= d <= 1 for d in watched(deltas)) and min(deltas) < 1, "privacy_profile: deltas must lie in [0, 1], and say something")
    lists = [", ".join(map(printed, part)) for part in (epsilons, deltas)]
    law = curves.bounded_at(list(zip(epsilons, deltas)))
    return Mechanism(f"privacy_profile(epsilons=[{lists[0]}], deltas=[{lists[1]}])", lambda _: law, True, one_record=True,
                     operations=OPERATIONS_OF_POINT * len(epsilons))


def shuffle(arguments):
    epsilon, users = arguments.positive("epsilon"), arguments.count("users", MOST_USERS)
    require(Fraction(1, 10**9) <= epsilon <= 1000, "shuffle: epsilon must lie between 1e-9 and 1000")
    law = curves.shuffled(epsilon, users)
    return Mechanism(f"shuffle(epsilon={printed(epsilon)}, users={users})", lambda _: law, True, Adjacency("replace", 1),
                     operations=20 * users * users)


def select(arguments):
    base = arguments.typed("mechanism", Mechanism)
    law = base.law(True)
    require(base.alike and base.adjacency.guarantee and type(law) is Finite and law.pure is not None,
            f"select: for a certificate only over pure mechanisms, not {shown(base.spec)}")
    kind = arguments.word("repeats", ("poisson", "negative_binomial", "geometric", "logarithmic", "binomial"))
    numbers, name, log_factor = REPEATS[kind](arguments, law.pure)
    shown_ones = [(key, x) for key, x in numbers if key != "eta" or kind == "negative_binomial"]
    spec = f"select({base.spec}, repeats={kind}" + "".join(f", {key}={printed(Fraction(x))}" for key, x in shown_ones) + ")"
    taken = {"mechanism", "repeats"} | {key for key, _ in shown_ones}
    require(all(key in taken for key in ("mean", "eta", "gamma", "trials", "probability") if arguments.given(key)),
            f"select: a number that repeats={kind} does not have")
    text = of_law(name, ("epsilon", of_number(law.pure)), *((key, of_number(Fraction(x))) for key, x in numbers))
    best = curves.best_of(text, lambda: exact(law.pure) + log_factor())
    return Mechanism(spec, lambda _: best, True, base.adjacency, base.one_record, operations=base.operations)


# How often: the numbers of the law of K, its name, and log C of an epsilon-private base (docs/proofs/repeats.md#pure).

def _poisson(arguments, epsilon):
    mean = arguments.positive("mean")

    def log_factor():
        low = exp(exact(-epsilon))
        return mean * (1 - low) / (1 + low)
    return [("mean", mean)], "BestOfPoisson", log_factor


def _negative_binomial(eta):
    def of(arguments, epsilon):
        power, gamma = arguments.number("eta") if eta is None else eta, arguments.positive("gamma")
        require(power > -1 and gamma < 1, "select: eta must exceed -1, gamma be less than 1")

        def log_factor():
            low = exp(exact(-epsilon))
            return (power + 1) * log((1 + gamma * low) / (gamma + low))
        return [("eta", power), ("gamma", gamma)], "BestOfNegativeBinomial", log_factor
    return of


def _binomial(arguments, epsilon):
    trials, p = arguments.count("trials", MOST_TRIALS), arguments.probability("probability")

    def log_factor():
        low = exp(exact(-epsilon))  # (1 - p a)/(1 - p b), a = 1/(1 + e), b = e a
        return (trials - 1) * log((1 + (1 - p) * low) / (low + (1 - p)))
    return [("trials", trials), ("probability", p)], "BestOfBinomial", log_factor


REPEATS = {"poisson": _poisson, "negative_binomial": _negative_binomial(None), "geometric": _negative_binomial(Fraction(1)),
           "logarithmic": _negative_binomial(Fraction(0)), "binomial": _binomial}


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
    operations = sum(OPERATIONS_OF_CURVE + OPERATIONS_OF_VALUE * values_of(part.law(True)) for part in parts)
    return Mechanism(spec, stated_laws(arguments, spec, alike, operations, curve), alike, **common)
