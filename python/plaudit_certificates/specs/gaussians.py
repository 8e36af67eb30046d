"""Gaussians and mixtures of them by their parameters; docs/proofs/roots.md"""
from fractions import Fraction
from math import isqrt

from ..arithmetic.clock import require
from ..laws import laws
from .grammar import printed
from .mechanism import ADD_REMOVE, ONE, Mechanism, with_sensitivity

MOST_COMPONENTS = 1001


def rational_root(square):
    root = Fraction(isqrt(square.numerator), isqrt(square.denominator))
    return root if root ** 2 == square else None


def mixture_of(spec, components, radicand=ONE, **rest):
    """components: (rate, probability) in any order, zeros allowed; the rates in units of the root of the radicand."""
    root = rational_root(radicand)
    if root is not None:
        components, radicand = [(a * root, p) for a, p in components], ONE
    merged = {}
    for rate, probability in components:
        if probability:
            merged[rate] = merged.get(rate, 0) + probability
    components = sorted(merged.items())
    require(laws.sum_of(p for _, p in components) == 1 and components[-1][0] > 0, "the probabilities of a mixture")
    rates, probabilities = [a for a, _ in components], [p for _, p in components]

    def law(removes):
        if len(rates) == 1:
            return laws.Gaussian(rates[0] ** 2 * radicand / 2)
        return laws.Mixture(rates, probabilities, removes, radicand)
    return Mechanism(spec, law, len(rates) == 1, components=components, radicand=radicand, **rest)


def gaussian(arguments):
    """docs/proofs/roots.md#gaussian"""
    if arguments.given("variance"):
        require(not arguments.given("sigma"), "gaussian: sigma is given twice")
        variance, shift = arguments.variance(), arguments.positive("sensitivity", ONE)
        spec = with_sensitivity(f"gaussian(variance={printed(variance)}", shift) + ")"
        return mixture_of(spec, [(shift, ONE)], 1 / variance, one_record=True)
    sigma, sensitivity = arguments.positive("sigma"), arguments.positive("sensitivity", ONE)
    spec = with_sensitivity(f"gaussian(sigma={printed(sigma)}", sensitivity) + ")"
    return mixture_of(spec, [(sensitivity / sigma, ONE)], one_record=True, gaussian=(sigma, sensitivity, ONE))


def mixture(arguments):
    sigma = arguments.positive("sigma")
    sensitivities, probabilities = arguments.typed("sensitivities", list), arguments.typed("probabilities", list)
    require(1 <= len(sensitivities) <= MOST_COMPONENTS and len(probabilities) == len(sensitivities),
            "mixture: 1 to 1001 sensitivities, a probability for each")
    require(all(c >= 0 for c in sensitivities) and all(p >= 0 for p in probabilities), "mixture: a number is negative")
    require(laws.sum_of(probabilities) == 1, "mixture: probabilities must sum to exactly 1")
    merged = {}
    for c, p in zip(sensitivities, probabilities):
        if p:
            merged[c] = merged.get(c, 0) + p
    require(max(merged) > 0, "mixture: all sensitivities are 0")
    lists = [", ".join(map(printed, part)) for part in zip(*sorted(merged.items()))]
    return mixture_of(f"mixture(sigma={printed(sigma)}, sensitivities=[{lists[0]}], probabilities=[{lists[1]}])",
                      [(c / sigma, p) for c, p in merged.items()], adjacency=ADD_REMOVE, one_record=True)


def adaptive_clipping(arguments):
    """docs/proofs/roots.md#adaptive-clipping"""
    noise, count_noise = arguments.positive("noise_multiplier"), arguments.positive("count_noise")
    rate = arguments.probability("rate") if arguments.given("rate") else ONE
    spec = f"adaptive_clipping(noise_multiplier={printed(noise)}, count_noise={printed(count_noise)}"
    spec += "" if rate == 1 else f", rate={printed(rate)}"
    moved = Fraction(1, 2)
    if arguments.given("shifted"):
        moved = Fraction(1)
        spec += ", shifted=" + arguments.word("shifted", ("no",))
    square = 1 / noise ** 2 + (moved / count_noise) ** 2
    if rate == 1:
        return mixture_of(spec + ")", [(ONE, ONE)], square, one_record=True)
    law = mixture_of(spec, [(Fraction(0), 1 - rate), (ONE, rate)], square)
    return Mechanism(spec + ")", law.law, False, ADD_REMOVE)
