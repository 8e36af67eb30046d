"""What a statement costs by its kind, laws, choices and bits, before anything of it is done: the same whole number in both
checkers. docs/certificates/costs.md, formula by formula. Choices that are missing or out of range cost nothing: the kind
rejects them."""
from fractions import Fraction
from math import isqrt

from .laws.discrete_noise import direct_terms, dual_terms, theta_terms
from .laws.labels import LABELS
from .laws.laws import Allocation, Bounded, DiscreteGaussian, Finite, Gaussian, Labelled, Laplace, Mirrored, Mixture, Range, TruncatedGaussian, TruncatedLaplace, weighed
from .laws.thresholds import LaplaceThreshold

COMBINATIONS = 1 << 18
WINDOW = 10**7
POINTS = 2_000_000
FARTHEST = 1 << 40
PIECES = 20_000


def cost_of(kind, run, choices, bits, at_zero):
    """at_zero: whether epsilon is 0."""
    return of_kind(kind, run, choices, bits, at_zero) + sum(law.cost(bits) for law, _ in run.factors if type(law) is Finite and law.cost)


def of_kind(kind, run, choices, bits, at_zero):
    if kind in ("straight", "cut"):
        return contour(run, bits, choices, 0)
    if kind == "pinch":
        far = part(choices, "far")
        return contour(run, bits, part(choices, "near"), 1) + (contour(run, bits, far, 1) if type(far) is dict else 0)
    if kind == "ends":
        return ends(run, bits, at_zero)
    if kind == "threshold":
        return threshold(run, bits)
    if kind == "laplace":
        return 0  # it announces its own, which depends on epsilon
    return {"moments": moments, "lattice": lattice, "atoms": atoms, "bent": bent}[kind](run, bits, choices)


# ---- choices, whatever is there

def part(value, name):
    return value.get(name) if type(value) is dict else None


def entry(values, i):
    return values[i] if type(values) is list and i < len(values) else None


def length(values):
    return len(values) if type(values) is list else 0


def whole(value, least, most):
    """0 where it is no integer of that range."""
    return value if type(value) is int and least <= value <= most else 0


def size_of_dyadic(value):
    """floor |m 2^e|, 0 where it is no dyadic number."""
    if length(value) != 2:
        return 0
    m, e = abs(whole(value[0], -2**53, 2**53)), whole(value[1], -1100, 1100)
    return m >> -e if e < 0 else m << e


# ---- laws

def atoms_of(law):
    return law.size if type(law) is Finite else 0


def sampled_noise(law):
    """The base of a sample of discrete Gaussian noise, else None."""
    base = getattr(law, "base", None)
    return base if type(base) is DiscreteGaussian else None


def choices_of_label(law, given, i):
    return part(given, law.names[i]) if law.names else entry(part(given, "labels"), i)


def window(base, bits, t):
    return 2 * isqrt(2 * base.variance * bits // 1) + (t + 2) * base.sensitivity + 12


def rules(given, work, nodes):
    def points(name):
        rule = part(given, name)
        first = whole(part(rule, "first"), -POINTS, POINTS)
        return max(whole(part(rule, "last"), -POINTS, POINTS) - first + 1, 1)
    return (points("line") * (2 * work + 20 + nodes) + 2 * work * points("decay") +
            work * (points("axis") + points("right") + points("left") + points("moment")))


def line(law, bits, given, nodes, pieces):
    kind = type(law)
    if kind is Gaussian:
        return 40 * nodes + 100
    if kind in (Laplace, Range, TruncatedLaplace, LaplaceThreshold):
        return 60 * nodes + 200
    if kind is Bounded:
        return 100 + 4 * len(law.lines)
    if kind is Allocation:
        return 100
    if kind in LABELS:
        return law.operations + sum(2 * nodes + line(each, bits, choices_of_label(law, given, i), nodes, pieces)
                                    for i, each in enumerate(law.laws))
    if kind is Finite:
        return atoms_of(law) * (120 * pieces + nodes + 100)
    if kind is DiscreteGaussian:
        terms = dual_terms(law.variance, bits)
        return (100 + 80 * terms) * nodes + 3 * terms * (pieces + 1) + 300 * theta_terms(law.variance, bits) + 100
    if kind is Mixture:
        return 100 * len(law.rates) + rules(given, 4 * len(law.rates) + 20, nodes)
    if kind is Mirrored:
        return 100 * len(law.rates) + rules(given, 8 * len(law.rates) + 24, nodes)
    if kind is Labelled:
        labels = part(given, "labels")
        return 500 * len(law.labels) + 40 * nodes + sum(
            rules(part(labels[i], name), 30, nodes)
            for i in range(min(length(labels), len(law.labels))) for name in ("up", "down"))
    if kind is TruncatedGaussian or type(law.base) is Laplace:
        return 300 + 2 * nodes + rules(given, 30, nodes)
    return 300 * theta_terms(law.base.variance, bits) + 2 * nodes


# ---- random allocation

def mellin_rule(given, draws, nodes):
    """A rule of random allocation over so many nodes, weighed at the bits of its own."""
    order, points = whole(part(given, "order"), 0, 1000), 2 * whole(part(given, "points"), 0, 100_000) + 1

    def length_of(first, last):
        return max(whole(part(given, last), -POINTS, POINTS) - whole(part(given, first), -POINTS, POINTS) + 1, 1)
    long, gamma = length_of("first", "last"), length_of("gamma_first", "gamma_last")
    step, parts, stride = (whole(part(given, name), 1, 10**7) for name in ("step", "parts", "stride"))
    span = (long - 1) * step + order * parts + 1
    places = min(long * (order + 1), span)
    values = min(places * points, span + (points - 1) * stride)
    return weighed(60 * values + 4 * places * points + 12 * long * (order + 1) ** 2 * (1 + draws.bit_length()) +
                   (long + gamma) * (200 + nodes) + 300 * nodes + 12 * (order + 1) ** 2 + 1000,
                   whole(part(given, "bits"), 32, 20_000))


def allocation_rules(run, factors, nodes, pieces):
    """All rules of random allocation of a statement."""
    total = 0
    for i, (law, _) in enumerate(run.factors):
        if type(law) is Allocation:
            blocks = part(entry(factors, i), "blocks")
            for j, (draws, _) in enumerate(law.blocks):
                rules = entry(blocks, j)
                line_rules = part(rules, "line")
                total += pieces * sum(mellin_rule(line_rules[k], draws, nodes) for k in range(min(length(line_rules), 100)))
                for name in ("axis", "right", "left", "moment"):
                    if type(part(rules, name)) is dict:
                        total += (pieces + 1 if name == "axis" else 1) * mellin_rule(part(rules, name), draws, 1)
    return total


def elementary_moments(law, order):
    """Of an Allocation."""
    return 6 * len(law.blocks) * (min(order, 1000) + 3) ** 2


# ---- contours

def range_bound(law, bits, t, single, groups, blocks):
    """Bounds of one law over ranges: `single` blocks alone, and `blocks` in groups."""
    def total(alone, group, hundredths):
        return 31000 + single * (alone + 34) + groups * (group + 1100) + blocks * hundredths // 100
    base = sampled_noise(law)
    if base is not None or type(law) is Finite:
        size = atoms_of(law) if base is None else window(base, bits, t)
        return total(141 * size + 60, 140 * size, 20 + 4 * size)
    if type(law) is Laplace:
        return total(140, 300, 30)
    if type(law) is DiscreteGaussian:
        each = 180 + 80 * dual_terms(law.variance, min(bits, 128))
        return total(each, 20, 1500) + 1024 * each
    return total(10, 20, 5)


def ranges(run, bits, given, nodes, t):
    """(what bounded ranges cost, nodes that are summed in others, how many those are)."""
    ends, how = part(given, "ends"), part(given, "how")
    block = max(whole(part(given, "block"), 1, FARTHEST), 1)
    single = groups = blocks = summed = pieces = 0
    first = nodes + 1
    for i in range(min(length(ends), length(how))):
        last = whole(ends[i], 1, FARTHEST)
        count, each = max(last - first + 1, 0), whole(how[i], 0, 2)
        if each == 1:
            summed, pieces = summed + count, pieces + 1
        elif each == 0:
            single += 1
        else:
            number = count // block
            single, groups, blocks = single + min(number, 256), groups + min(number, 400 + number // 65536), blocks + number
        first = max(first, last + 1)
    if single + groups == 0:
        return 0, summed, pieces
    return 31000 + 10 * (single + groups) + sum(
        range_bound(law, bits, t, single, groups, blocks) for law, _ in run.factors), summed, pieces


def contour(run, bits, choices, gaussians):
    """gaussians: how many there are that are in no factor of the run."""
    nodes, t = whole(part(choices, "nodes"), 1, 100_000), size_of_dyadic(part(choices, "t"))
    bounded, summed, pieces = ranges(run, bits, part(choices, "ranges"), nodes, t)
    if bounded:
        bounded += gaussians * 32000
    nodes, pieces = nodes + 1 + summed, pieces + 1
    total = 60 * nodes + gaussians * (80 * nodes + 100)
    factors = part(choices, "factors")
    farthest = max([t] + [size_of_dyadic(part(choices, name)) for name in ("right_order", "left_order")])
    for i, (law, _) in enumerate(run.factors):
        total += 40 * nodes + line(law, bits, entry(factors, i), nodes, pieces)
        if type(law) is Allocation:
            total += 4 * elementary_moments(law, farthest)
        base = sampled_noise(law)
        if base is not None:
            size = window(base, bits, farthest)
            total += size * (300 + 130 * pieces + nodes) + (size * size if size > WINDOW else 0)
    return weighed(total, bits) + bounded + allocation_rules(run, factors, nodes, pieces)


def moments(run, bits, choices):
    order, factors, total = size_of_dyadic(part(choices, "order")), part(choices, "factors"), 100
    for i, (law, _) in enumerate(run.factors):
        total += line(law, bits, entry(factors, i), 0, 0)
        if type(law) is Allocation:
            total += elementary_moments(law, order)
        base = sampled_noise(law)
        if base is not None:
            size = window(base, bits, order)
            total += 100 * size + (size * size if size > WINDOW else 0)
    return weighed(total, bits) + allocation_rules(run, factors, 0, 0)


# ---- the other kinds

def threshold(run, bits):
    return weighed(400 + sum(one_step(law, bits) for law, _ in run.factors), bits)


def one_step(law, bits):
    if type(law) in LABELS:
        return law.operations + sum(one_step(each, bits) for each in law.laws)
    noise = law if type(law) is DiscreteGaussian else sampled_noise(law)
    if type(law) in (Mixture, Mirrored):
        return 1600 * len(law.rates)
    if type(law) is Labelled:
        return 800 * len(law.labels)
    if noise is not None:
        return 15 * direct_terms(noise.variance, bits)
    return 100 + 40 * atoms_of(law)


def ends(run, bits, at_zero):
    total = weighed(sum(200 + 200 * atoms_of(law) for law, _ in run.factors), bits)
    if not at_zero:
        return total
    sizes = [law.exact_bits() if type(law) is Finite else None for law, _ in run.factors]
    steps = sum(count for _, count in run.factors)
    if None in sizes or steps > 200:
        return total
    most = max(atoms_of(law) for law, _ in run.factors)
    ratios = steps + 1 if most <= 2 and len(run.factors) == 1 else 2000
    return total + 20 * ratios * most * steps * (1 + 2 * steps * max(sizes) // 128)


def lattice(run, bits, choices):
    half = whole(part(choices, "period"), 1, 1 << 22) // 2
    last_ones, summed = part(choices, "ends"), part(choices, "summed")
    evaluations = first = 0
    for i in range(min(length(last_ones), length(summed))):
        last = whole(last_ones[i], 0, half)
        evaluations += max(last - first + 1, 0) if whole(summed[i], 0, 1) == 1 else 3
        first = max(first, last + 1)
    each, once = 140, 0
    for law, count in run.factors:
        each += 8 * count.bit_length()
        if type(law) is DiscreteGaussian:
            terms = dual_terms(law.variance, bits)
            each, once = each + 80 * terms + 40, once + 300 * terms
        else:
            each, once = each + 12 * atoms_of(law) + 100, once + 200 * atoms_of(law)
    return weighed(evaluations * each + once, bits)


def share(law, bits, given):
    """One factor in one half -> (cost, how many combinations it has at most)."""
    draws = whole(part(given, "count"), 0, 1_000_000)
    if draws == 0:
        return 0, 1
    total = 100 * atoms_of(law)
    noise = law if type(law) is DiscreteGaussian else sampled_noise(law)
    if noise is not None:
        first, last = (whole(part(given, name), -100_000, 100_000) for name in ("first", "last"))
        total += 60 * min(max(last - first + 1, 0), 100_001) + 3 * direct_terms(noise.variance, bits)
    lows, highs = part(given, "lows"), part(given, "highs")
    size = min(length(lows), length(highs))
    entries, free, places, windows = 0, draws, 0, 1
    for i in range(size):
        low = whole(lows[i], 0, draws)
        more = max(whole(highs[i], 0, draws) - low, 0)
        entries, free, places = entries + more + 1, free - low, places + (more > 0)
        windows = min(windows * (more + 1), COMBINATIONS)
    free, ways = max(free, 0), 1
    for i in range(1, free + 1 if places > 1 else 1):  # C(places - 1 + free, free), as far as it matters
        ways = ways * (places - 1 + i) // i
        if ways >= COMBINATIONS:
            break
    combinations = min(windows, ways, COMBINATIONS)
    return total + 4 * entries + 20 * size + draws // 4 + 6 * combinations * min(size, free + 1), combinations


def atoms(run, bits, choices):
    total = 0
    for name in ("outer", "inner"):
        shares, points = part(choices, name), 1
        for i, (law, _) in enumerate(run.factors):
            cost, combinations = share(law, bits, entry(shares, i))
            points = min(points * combinations, COMBINATIONS)
            total += cost + 3 * points
        total += 40 * points
    return weighed(total, bits)


def bent(run, bits, choices):
    nodes = whole(part(choices, "arcs"), 1, 10_000) * whole(part(choices, "per_arc"), 1, 1000) + 1
    paths, at, total = part(choices, "paths"), 0, 0
    for law, _ in run.factors:
        if type(law) is Mixture:
            path, at = entry(paths, at), at + 1
            first = whole(part(path, "first"), -10**6, 10**6)
            points = max(whole(part(path, "last"), -999_999, 10**6) - first + 1, 1)
            total += 900 * PIECES * len(law.rates) + points * (200 * len(law.rates) + 40 * nodes) + 100 * nodes
    return weighed(total, bits)


def laplace(a, n, draws, first, epsilon, bits):
    """docs/certificates/costs.md#laplace"""
    choose = min(n, first * n.bit_length())
    before = first * (1 + choose // 1024)
    half = (a * (n - 2 * first) - Fraction(epsilon)) / 2
    if half <= 0:
        return before
    high = int(half // 1) + 1
    rows = min(n - first + 1, int(half / a // 1) + 2)
    size = bits + 2 * high + min(n, draws * n.bit_length())
    return before + (rows + 1) * (draws + 4 * high + bits + 8) * (4 + size // 256)


def bent_arcs(arcs, arcs_beyond, pieces, bits):
    """What bounds over arcs cost once the pieces of all paths are known."""
    return weighed(60 * (2 * arcs + 3 * arcs_beyond + 4) * pieces, bits)
