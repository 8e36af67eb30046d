"""From a spec to laws: the mechanisms of docs/mechanisms.md, their canonical text, adjacency and exact laws.

What plaudit refuses is rejected here, at the latest because the text is not its own canonical form: aliases such as
noise_multiplier do not occur in it and are not known here.
"""
from fractions import Fraction
from math import comb

from . import grammar
from ..laws import labels, laws
from ..arithmetic.budget import Budget
from ..arithmetic.clock import Rejected, require, watched
from .curves import parallel, privacy_profile
from .grammar import Quoted, printed
from .gaussians import MOST_COMPONENTS, adaptive_clipping, gaussian, mixture, mixture_of, rational_root
from .mechanism import ADD_REMOVE, ONE, Adjacency, Arguments, Mechanism
from .moments import cdp, gaussian_sparse_vector, pate, renyi_profile, tcdp, zcdp
from .noise import (discrete_gaussian, discrete_gaussian_sum, discrete_laplace, laplace, skellam, staircase, truncated_discrete_laplace,
                    truncated_gaussian, truncated_laplace)
from .participation import random_participation
from .pld import written_pair
from .reader import shown
from .repeats import select
from .selection import (bounded_range, exponential, laplace_threshold, partition_selection, permute_and_flip, report_noisy_max,
                        sparse_vector)
from .shuffles import shuffle
from .stated_points import Curves
from .streams import matrix, toeplitz, tree
from .thresholds import gaussian_threshold, propose_test_release

MOST_RECORDS = 10**12
MOST_LAW_BITS = 50_000_000


def poisson(arguments):
    base, rate = arguments.typed("mechanism", Mechanism), arguments.probability("rate")
    adjacency = arguments.word("adjacency", ("replace", "zero_out")) if arguments.given("adjacency") else "add_remove"
    spec = f"poisson({base.spec}, rate={printed(rate)}" + ("" if adjacency == "add_remove" else f", adjacency={adjacency}") + ")"
    if adjacency == "replace":
        return sampled_replacement(spec, base, rate)
    require(base.one_record, f"poisson: not over {shown(base.spec)}")
    common = {"adjacency": Adjacency(adjacency, 1), "one_record": adjacency == "add_remove", "operations": base.operations}
    if base.components:
        form = base.gaussian and (*base.gaussian[:2], base.gaussian[2] * rate)
        return mixture_of(spec, [(a, p * rate) for a, p in base.components] + [(Fraction(0), 1 - rate)], base.radicand,
                          gaussian=form, several=base.several, **common)
    if base.sampled:
        base, rate = base.sampled[0], rate * base.sampled[1]
    return Mechanism(spec, lambda removes: laws.sampled(base.law(removes), rate, removes), rate == 1 and base.alike,
                     sampled=(base, rate), **common)


def sampled_replacement(spec, base, rate):
    """docs/proofs/poisson_adjacencies.md#replace: both records within half of the sensitivity from one that adds nothing."""
    require(base.gaussian is not None and not base.several and base.gaussian[2] == 1 and base.adjacency.same(Adjacency()),
            f"poisson: under replace only over gaussian, not {shown(base.spec)}")
    sigma, sensitivity, _ = base.gaussian
    return mirrored(spec, [(Fraction(0), 1 - rate), (sensitivity / sigma / 2, rate)], Adjacency("replace", 1))


# ---- how many of the differing records a batch has: [(count, numerator)] over a common denominator

def binomial(trials, rate):
    if rate == 1:
        return [0] * trials + [1], 1
    taken, whole = rate.numerator, rate.denominator
    require((trials + 1) * trials * whole.bit_length() <= MOST_LAW_BITS, "the law of a batch is too large")
    left, counts = whole - taken, []
    weight = left ** trials
    for k in watched(range(trials + 1)):
        counts.append(weight)
        weight = weight * (trials - k) * taken // (left * (k + 1))
    return counts, whole ** trials


def hypergeometric(drawn, white, black):
    most = min(drawn, black)
    require((most + 1) * black * (white + black).bit_length() <= MOST_LAW_BITS, "the law of a batch is too large")
    rest, counts = white + black - drawn, []
    first, second = 1, comb(rest, black)
    for j in watched(range(most + 1)):
        counts.append(first * second)
        first = first * (drawn - j) // (j + 1)
        second = second * (black - j) // (rest - black + j + 1)
    return counts, comb(white + black, black)


def counted(unit, numbers):
    counts, whole = numbers
    return [(unit * j, Fraction(count, whole)) for j, count in watched(enumerate(counts))]


def without_replacement(arguments):
    base = plain_gaussian(arguments)
    population = arguments.count("population", MOST_RECORDS)
    batch = arguments.count("batch", population)
    adjacency = arguments.word("adjacency", ("add_remove", "replace"))
    spec = f"without_replacement({base.spec}, batch={batch}, population={population}, adjacency={adjacency})"
    sigma, sensitivity, _ = base.gaussian
    if adjacency == "replace":
        return replaced(spec, (sigma, sensitivity, "without", batch, population), 1)
    return mixture_of(spec, counted(2 * sensitivity / sigma, hypergeometric(batch, population, 1)), adjacency=ADD_REMOVE,
                      batch=(sigma, sensitivity, batch, population))


def with_replacement(arguments):
    base = plain_gaussian(arguments)
    batch, population = arguments.count("batch", 10**6), arguments.count("population", MOST_RECORDS)
    spec = f"with_replacement({base.spec}, batch={batch}, population={population})"
    return replaced(spec, (*base.gaussian[:2], "with", batch, population), 1)


def plain_gaussian(arguments):
    base = arguments.typed("mechanism", Mechanism)
    require(bool(base.one_record and base.gaussian) and not base.several and base.gaussian[2] == 1 and
            base.adjacency.same(Adjacency()), f"{arguments.name}: only over gaussian, not {shown(base.spec)}")
    return base


def replaced(spec, scheme, size, grouped=False):
    """docs/proofs/sampling.md#replacement: `size` records are replaced."""
    sigma, sensitivity, draws, batch, population = scheme
    require(size <= population, "group: size must be at most the population")
    adjacency = Adjacency("replace", size)
    kept = None if grouped else scheme
    certain = batch if draws == "with" and size == population else size if draws != "with" and batch == population else 0
    if certain:  # every batch has so many of them
        return Mechanism(spec, lambda _: laws.gaussian_at(sensitivity * certain / sigma), True, adjacency, scheme=kept)
    require(draws == "with" or batch <= population - size, "the population must be at least batch + size, or the batch")
    counts, whole = (binomial(batch, Fraction(size, population)) if draws == "with" else
                     hypergeometric(batch, population - size, size))
    some = whole - counts[0]
    labels = [(Fraction(count, some), sensitivity * j / sigma) for j, count in watched(enumerate(counts)) if j and count]
    law = laws.Labelled(Fraction(some, whole), labels)
    return Mechanism(spec, lambda _: law, True, adjacency, scheme=kept)


GREATEST_CAP = 100_000  # of a certificate


def truncated_poisson(arguments):
    """docs/proofs/poisson_adjacencies.md#capped docs/proofs/poisson_adjacencies.md#exact-size"""
    base, rate = plain_gaussian(arguments), arguments.probability("rate")
    require(rate < 1, "truncated_poisson: rate must be below 1")
    cap, population = arguments.count("cap", 10**9), arguments.count("population", MOST_RECORDS)
    adjacency = arguments.word("adjacency", ("replace", "zero_out")) if arguments.given("adjacency") else "add_remove"
    spec = f"truncated_poisson({base.spec}, rate={printed(rate)}, cap={cap}, population={population}"
    spec += "" if adjacency == "add_remove" else f", adjacency={adjacency}"
    kept = rate  # where the cap is reached
    if arguments.given("size"):
        require(adjacency != "add_remove", "truncated_poisson: size must be left out for add_remove")
        spec += ", size=" + arguments.word("size", ("exact",))
        kept = min(rate, Fraction(cap, population))
    spec += ")"
    worth = base.gaussian[1] / base.gaussian[0]

    def one_label(distance):
        return laws.Labelled(kept, [(ONE, distance)])

    def mixture_at(distance, removes):
        return laws.Mixture([Fraction(0), distance], [1 - rate, rate], removes)

    def under(removes):
        return laws.Mirrored([Fraction(0), worth / 2], [1 - rate, rate]) if adjacency == "replace" else mixture_at(worth, removes)

    def reached(removes):
        if adjacency == "add_remove":
            return mixture_at(2 * worth, removes)
        return one_label(worth if adjacency == "replace" else 2 * worth)
    others = population if adjacency == "add_remove" else population - 1
    alike = adjacency == "replace"
    if cap > others:
        return Mechanism(spec, under, alike, Adjacency(adjacency, 1))
    require(cap <= GREATEST_CAP, f"truncated_poisson: cap must be at most {GREATEST_CAP} for a certificate")
    return Mechanism(spec, lambda removes: labels.Capped(others, rate, cap, under(removes), reached(removes)), alike,
                     Adjacency(adjacency, 1))


MOST_OF_ALLOCATION = 10**9


def random_allocation(arguments):
    """docs/proofs/random_allocation.md#domination, and #blocks where several steps are selected."""
    base, steps = plain_gaussian(arguments), arguments.count("steps", MOST_OF_ALLOCATION)
    selected = arguments.count("selected", steps, ONE)
    epochs = arguments.count("epochs_of_one_assignment", MOST_OF_ALLOCATION, ONE)
    spec = f"random_allocation({base.spec}, steps={steps}" + ("" if selected == 1 else f", selected={selected}")
    if selected not in (1, steps):
        arguments.word("bound", ("blocks",))
        spec += ", bound=blocks"
    spec += "" if epochs == 1 else f", epochs_of_one_assignment={epochs}"
    adjacency = arguments.word("adjacency", ("zero_out",)) if arguments.given("adjacency") else "add_remove"
    spec += ("" if adjacency == "add_remove" else f", adjacency={adjacency}") + ")"
    longer = steps % selected
    blocks = [(steps // selected + 1, longer)] * (longer > 0) + [(steps // selected, selected - longer)]
    squared_rate = (base.gaussian[1] / base.gaussian[0]) ** 2 * epochs
    return Mechanism(spec, lambda removes: laws.Allocation(squared_rate, blocks, removes), False, Adjacency(adjacency, 1))


def averaged(arguments):
    """docs/proofs/averaged.md#labels"""
    base, rate, population = plain_gaussian(arguments), arguments.probability("rate"), arguments.count("population", 10**9)
    require(rate < 1, "averaged: rate must be below 1")
    replaces = arguments.given("adjacency") and arguments.word("adjacency", ("replace",)) == "replace"
    spec = f"averaged({base.spec}, rate={printed(rate)}, population={population}" + (", adjacency=replace" if replaces else "") + ")"
    worth = base.gaussian[1] / base.gaussian[0]
    both = [labels.averaged(worth, rate, population, replaces, removes) for removes in (False, True)]
    return Mechanism(spec, both.__getitem__, replaces, Adjacency("replace", 1) if replaces else ADD_REMOVE)


def shuffled(arguments):
    """docs/proofs/epochs.md#domination"""
    base, steps = plain_gaussian(arguments), arguments.count("steps", MOST_OF_ALLOCATION)
    adjacency = arguments.word("adjacency", ("zero_out", "replace"))
    order = f", order={arguments.word('order', ('once', 'fixed'))}" if arguments.given("order") else ""
    law = laws.gaussian_at(base.gaussian[1] / base.gaussian[0])
    return Mechanism(f"shuffled({base.spec}, steps={steps}, adjacency={adjacency}{order})", lambda _: law, True,
                     Adjacency(adjacency, 1))


def group(arguments):
    base, size = arguments.typed("mechanism", Mechanism), arguments.count("size", MOST_COMPONENTS - 1)
    spec = f"group({base.spec}, size={size})"
    adjacency = Adjacency(base.adjacency.kind, size, base.adjacency.guarantee)
    if base.scheme:
        return replaced(spec, base.scheme, size, True)
    if base.gaussian and not base.several and base.one_record:
        sigma, sensitivity, rate = base.gaussian
        return mixture_of(spec, counted(sensitivity / sigma, binomial(size, rate)), adjacency=adjacency)
    require(base.batch is not None, f"group: not over {shown(base.spec)}")
    sigma, sensitivity, batch, population = base.batch
    return mixture_of(spec, counted(2 * sensitivity / sigma, hypergeometric(batch, population, size)), adjacency=adjacency)


def pair(arguments):
    scheme = arguments.word("scheme", ("poisson", "without_replacement", "with_replacement"))
    sigma = arguments.positive("sigma")
    by_rate, by_batch = arguments.given("rate"), arguments.given("batch") or arguments.given("population")
    if scheme == "with_replacement":
        require(not by_rate, "pair: with_replacement takes no rate")
        batch, population = arguments.count("batch", 1000), arguments.count("population", MOST_RECORDS)
        spec = f"pair({scheme}, sigma={printed(sigma)}, batch={batch}, population={population})"
        return mirrored(spec, counted(1 / sigma, binomial(batch, Fraction(1, population))))
    require(by_rate != by_batch, "pair: takes either a rate or both batch and population")
    if by_rate:
        rate = arguments.probability("rate")
    else:
        population = arguments.count("population", MOST_RECORDS)
        rate = Fraction(arguments.count("batch", population), population)
    spec = f"pair({scheme}, sigma={printed(sigma)}, rate={printed(rate)})"
    components = [(Fraction(0), 1 - rate), (1 / sigma, rate)]
    return mixture_of(spec, components, adjacency=ADD_REMOVE) if scheme == "poisson" else mirrored(spec, components)


def mirrored(spec, components, adjacency=Adjacency("none", 1, False)):
    components = [(a, p) for a, p in components if p]
    law = (laws.gaussian_at(2 * components[0][0]) if len(components) == 1 else
           laws.Mirrored([a for a, _ in components], [p for _, p in components]))
    return Mechanism(spec, lambda _: law, True, adjacency)


# ---- the others

def randomized_response(arguments):
    """docs/proofs/selection.md#randomized-response"""
    require(arguments.given("epsilon") != arguments.given("probability"), "randomized_response: takes one argument")
    k = arguments.count("categories", 10 ** 12, Fraction(2))
    require(k >= 2, "randomized_response: categories must be at least 2")
    more = f", categories={k}" if k > 2 else ""
    if arguments.given("epsilon"):
        epsilon = arguments.positive("epsilon")
        law, spec = laws.answers(epsilon, False, k) if k > 2 else laws.two_point(epsilon, Fraction(0)), f"epsilon={printed(epsilon)}"
    else:
        p = arguments.number("probability")
        require(Fraction(1, k) < p < 1, "randomized_response: probability must lie between 1/categories and 1")
        law = laws.answers(p * (k - 1) / (1 - p), True, k) if k > 2 else laws.two_point_of_probability(p)
        spec = f"probability={printed(p)}"
    return Mechanism(f"randomized_response({spec}{more})", lambda _: law, True)


def pure(arguments):
    epsilon = arguments.positive("epsilon")
    law = laws.two_point(epsilon, Fraction(0))
    return Mechanism(f"pure(epsilon={printed(epsilon)})", lambda _: law, True, one_record=True)


def approximate(arguments):
    epsilon, delta = arguments.number("epsilon"), arguments.number("delta")
    require(epsilon >= 0 and 0 <= delta < 1, "approximate: epsilon >= 0 and 0 <= delta < 1")
    law = laws.two_point(epsilon, delta)
    return Mechanism(f"approximate(epsilon={printed(epsilon)}, delta={printed(delta)})", lambda _: law, True,
                     one_record=True)


MOST_JOINT_VALUES = 1000


def joint(arguments):
    """docs/proofs/poisson_adjacencies.md#joint"""
    both = [arguments.typed(name, Mechanism) for name in ("first", "second")]
    spec = "joint(" + ", ".join(each.spec for each in both) + ")"
    for each in both:
        require(each.alike and each.adjacency.same(Adjacency()), f"joint: {shown(each.spec)} has not one law for its neighbours")
    first, second = (each.law(True) for each in both)
    one_record = all(each.one_record for each in both)
    if type(first) is laws.Gaussian and type(second) is laws.Gaussian:
        square = 2 * (first.mu + second.mu)
        if not one_record:
            law = laws.Gaussian(square / 2)
            return Mechanism(spec, lambda _: law, True)
        distance = rational_root(square)
        plain = {} if distance is None else {"gaussian": (ONE, distance, ONE), "several": True}
        return mixture_of(spec, [(ONE, ONE)], square, one_record=True, **plain)
    operations = both[0].operations + both[1].operations
    if not (laws.is_known(first) and laws.is_known(second)):
        other = second if type(first) is laws.Gaussian else first
        goes = type(other) is laws.Laplace or (laws.is_known(other) and other.exact_infinite == 0)
        with_gaussian = laws.Gaussian in (type(first), type(second)) and goes
        require(with_gaussian or type(first) is type(second) is laws.Laplace, "joint: of these two there is no joint law here")
        return Mechanism(spec, lambda _: first, True, one_record=one_record, operations=operations, beside=second)
    require(first.size * second.size <= MOST_JOINT_VALUES, "joint: too many losses")
    law = laws.joined(first, second)
    return Mechanism(spec, lambda _: law, True, one_record=one_record, operations=operations)


def pld(arguments):
    path = str(arguments.typed("file", Quoted))
    pair = arguments.files.take(path)
    kind, guarantee = pair.adjacency
    adjacency = Adjacency(kind, None if kind == "as_stated" else 1, guarantee)
    return Mechanism(f'pld(file="{path}")', pair.law, pair.alike, adjacency, adjacency.same(ADD_REMOVE))


STREAM = ("sigma", "sensitivity", "participations", "min_separation", "variance")
MECHANISMS = {
    "gaussian": (gaussian, ("sigma", "sensitivity", "variance")),
    "mixture": (mixture, ("sigma", "sensitivities", "probabilities")),
    "poisson": (poisson, ("mechanism", "rate", "adjacency")),
    "group": (group, ("mechanism", "size")),
    "without_replacement": (without_replacement, ("mechanism", "batch", "population", "adjacency")),
    "truncated_poisson": (truncated_poisson, ("mechanism", "rate", "cap", "population", "adjacency", "size")),
    "random_allocation": (random_allocation, ("mechanism", "steps", "selected", "bound", "epochs_of_one_assignment", "adjacency")),
    "random_participation": (random_participation,
                             ("coefficients", "sigma", "steps", "bins", "separation", "rate", "sensitivity", "start", "variance")),
    "averaged": (averaged, ("mechanism", "rate", "population", "adjacency")),
    "shuffled": (shuffled, ("mechanism", "steps", "adjacency", "order")),
    "with_replacement": (with_replacement, ("mechanism", "batch", "population")),
    "pair": (pair, ("scheme", "sigma", "rate", "batch", "population")),
    "laplace": (laplace, ("scale", "sensitivity")),
    "discrete_laplace": (discrete_laplace, ("scale", "sensitivity")),
    "discrete_gaussian": (discrete_gaussian, ("sigma", "sensitivity", "variance")),
    "truncated_gaussian": (truncated_gaussian, ("sigma", "bound", "sensitivity", "variance")),
    "skellam": (skellam, ("variance", "sensitivity")),
    "discrete_gaussian_sum": (discrete_gaussian_sum, ("parties", "sigma", "sensitivity", "variance")),
    "truncated_discrete_laplace": (truncated_discrete_laplace, ("scale", "bound", "sensitivity")),
    "truncated_laplace": (truncated_laplace, ("scale", "bound", "sensitivity")),
    "staircase": (staircase, ("epsilon", "gamma")),
    "privacy_profile": (privacy_profile, ("epsilons", "deltas")),
    "shuffle": (shuffle, ("epsilon", "users", "categories")),
    "select": (select, ("mechanism", "repeats", "mean", "eta", "gamma", "trials", "probability")),
    "parallel": (parallel, ("first", "second", "third", "fourth", "fifth", "sixth")),
    "randomized_response": (randomized_response, ("epsilon", "probability", "categories")),
    "partition_selection": (partition_selection, ("epsilon", "delta")),
    "laplace_threshold": (laplace_threshold, ("scale", "threshold")),
    "gaussian_threshold": (gaussian_threshold, ("sigma", "threshold", "groups", "variance")),
    "propose_test_release": (propose_test_release, ("mechanism", "scale", "miss")),
    "pure": (pure, ("epsilon",)), "approximate": (approximate, ("epsilon", "delta")),
    "joint": (joint, ("first", "second")),
    "adaptive_clipping": (adaptive_clipping, ("noise_multiplier", "count_noise", "rate", "shifted")),
    "bounded_range": (bounded_range, ("epsilon",)),
    "exponential": (exponential, ("epsilon",)),
    "permute_and_flip": (permute_and_flip, ("epsilon",)),
    "report_noisy_max": (report_noisy_max, ("scale", "sensitivity")),
    "sparse_vector": (sparse_vector, ("threshold_scale", "query_scale", "sensitivity", "positives")),
    "matrix": (matrix, ("encoder", *STREAM)),
    "toeplitz": (toeplitz, ("coefficients", "steps", *STREAM)),
    "tree": (tree, ("steps", *STREAM)),
    "gaussian_sparse_vector": (gaussian_sparse_vector, ("threshold_sigma", "query_sigma", "queries", "sensitivity")),
    "pate": (pate, ("votes", "sigma")),
    "zcdp": (zcdp, ("rho",)), "tcdp": (tcdp, ("rho", "omega")), "cdp": (cdp, ("mu", "tau")),
    "renyi_profile": (renyi_profile, ("orders", "divergences")),
    "pld": (pld, ("file",)),
}


class Files:
    """The laws of files that a certificate carries, read on demand; each must be used. curves: the same of bounds of curves."""

    def __init__(self, laws_by_path, budget, curves=None):
        self._texts, self._read, self.budget = laws_by_path, {}, budget
        self.curves = Curves(curves, budget)

    def take(self, path):
        if path not in self._read:
            require(path in self._texts, f"files has nothing for the file {shown(path)}")
            self._read[path] = written_pair(self._texts[path], path, self.budget)
        return self._read[path]

    def summaries(self):
        """[(path, what a reader is shown of its laws)], by path."""
        return [(path, self._read[path].summary) for path in sorted(self._read)]

    def done(self):
        for path in self._texts:
            require(path in self._read, f"files has a file that the spec does not name: {shown(path)}")


def inner_mechanism(call, files):
    result = mechanism(call, files)
    require(result.beside is None, f"{shown(result.spec)} has no law in certificates but as a factor of the spec")
    return result


def mechanism(call, files):
    if call.name not in MECHANISMS:
        raise Rejected(f"spec: unknown mechanism {shown(call.name)}")
    files.budget.look()
    build, names = MECHANISMS[call.name]
    arguments = Arguments(call, names, lambda inner: inner_mechanism(inner, files))
    arguments.files = files
    return build(arguments)


class Run:
    """One direction: factors = [(law, count)], direction "remove" or "add"."""

    def __init__(self, composition, direction):
        self.direction = direction
        self.factors = []
        for one, count in composition.factors:
            self.factors += [(law, count) for law in (one.law(direction == "remove"), one.beside) if law is not None]
        self.memory = {}  # of lines.contour


class Composition:
    def __init__(self, text, laws_by_path, budget=None, curves=None):
        files = Files(laws_by_path, budget or Budget(), curves)
        merged, self.adjacency = {}, Adjacency()
        for call, count in grammar.parse(text):
            one = mechanism(call, files)
            files.budget.announce(one.operations)
            files.budget.keep(laws.values_of(one.law(True)) + (0 if one.beside is None else laws.values_of(one.beside)))
            self.adjacency = self.adjacency.common(one.adjacency)
            before = merged.get(one.spec)
            merged[one.spec] = (one, count + (before[1] if before else 0))
        files.done()
        self.laws = files.summaries()
        self.factors = list(merged.values())
        require(all(count <= grammar.MOST_STEPS for _, count in self.factors), "spec: more than 10^12 steps of a mechanism")
        self.spec = " * ".join(m.spec + (f"^{count}" if count > 1 else "") for m, count in self.factors)
        require(self.spec == text, f"the spec is not in canonical form, which is {shown(self.spec, 200)}")
        self.from_above = files.curves.done()
        self.alike = all(m.alike for m, _ in self.factors)
        self.has_pair = all(laws.Bounded not in (type(m.law(True)), type(m.beside)) for m, _ in self.factors)
        self._runs = {}

    def law_list(self):
        """The laws of the factors and how often each occurs, as a certificate states them."""
        def of(run):
            return [{"law": law.text(), "count": count} for law, count in run.factors]
        return {"both": of(self.run("remove"))} if self.alike else {"remove": of(self.run("remove")), "add": of(self.run("add"))}

    def run(self, direction):
        if direction not in self._runs:
            self._runs[direction] = Run(self, direction)
        return self._runs[direction]
