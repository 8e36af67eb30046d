"""Mechanisms that add noise: Laplace, integer noise, noise that is cut off, staircases. docs/proofs/integer_noise.md has the windows
of integer noise, docs/proofs/truncated.md noise that is cut off."""
from fractions import Fraction

from ..arithmetic.clock import require
from ..laws import integer_noise, laws
from .grammar import printed
from .mechanism import ONE, Mechanism, with_sensitivity

MOST_SENSITIVITY, MOST_PARTIES, MOST_VARIANCE, MOST_PARTIES_A_VARIANCE = 10**4, 10**6, 10**5, 160_000


def _of_noise(spec, sensitivity, law):
    return Mechanism(with_sensitivity(spec, sensitivity) + ")", lambda _: law, True, one_record=True)


def _level(name, arguments):
    """-> (variance, its text)"""
    require(arguments.given("sigma") != arguments.given("variance"), f"{name}: takes sigma or variance")
    if arguments.given("variance"):
        variance = arguments.variance()
        return variance, f"variance={printed(variance)}"
    sigma = arguments.positive("sigma")
    return sigma ** 2, f"sigma={printed(sigma)}"


def skellam(arguments):
    variance, sensitivity = arguments.positive("variance"), arguments.count("sensitivity", MOST_SENSITIVITY, ONE)
    require(variance <= MOST_VARIANCE, "skellam: variance must be at most 10^5")
    return _of_noise(f"skellam(variance={printed(variance)}", sensitivity, integer_noise.skellam(variance, sensitivity))


def discrete_gaussian_sum(arguments):
    parties, sensitivity = arguments.count("parties", MOST_PARTIES), arguments.count("sensitivity", MOST_SENSITIVITY, ONE)
    variance, noise = _level("discrete_gaussian_sum", arguments)
    require(parties * variance <= MOST_VARIANCE, "discrete_gaussian_sum: the variance of all parties is at most 10^5")
    require(Fraction(parties) / variance <= MOST_PARTIES_A_VARIANCE, "discrete_gaussian_sum: parties / variance must be at most 160000")
    return _of_noise(f"discrete_gaussian_sum(parties={parties}, {noise}", sensitivity,
                     integer_noise.discrete_gaussian_sum(parties, variance, sensitivity))


def truncated_gaussian(arguments):
    """docs/proofs/truncated.md#shift"""
    variance, noise = _level("truncated_gaussian", arguments)
    bound, sensitivity = arguments.positive("bound"), arguments.positive("sensitivity", ONE)
    require(bound >= sensitivity, "truncated_gaussian: bound must be at least the sensitivity")
    law = laws.TruncatedGaussian(sensitivity ** 2 / variance, sensitivity * (2 * bound - sensitivity) / (2 * variance))
    return _of_noise(f"truncated_gaussian({noise}, bound={printed(bound)}", sensitivity, law)


def laplace(arguments):
    scale, sensitivity = arguments.positive("scale"), arguments.positive("sensitivity", ONE)
    law = laws.Laplace(sensitivity / scale)
    return Mechanism(with_sensitivity(f"laplace(scale={printed(scale)}", sensitivity) + ")", lambda _: law, True, one_record=True)


def discrete_laplace(arguments):
    scale, sensitivity = arguments.positive("scale"), arguments.count("sensitivity", 100_000, ONE)
    law = laws.discrete_laplace(scale, sensitivity)
    return Mechanism(with_sensitivity(f"discrete_laplace(scale={printed(scale)}", sensitivity) + ")", lambda _: law, True,
                     one_record=True)


def discrete_gaussian(arguments):
    by_variance = arguments.given("variance")
    require(not (by_variance and arguments.given("sigma")), "discrete_gaussian: sigma is given twice")
    given = arguments.variance() if by_variance else arguments.positive("sigma")
    variance = given if by_variance else given * given
    require(variance <= 10**10, "discrete_gaussian: the variance must be at most 10^10")
    sensitivity = arguments.count("sensitivity", 10**9, ONE)
    law = laws.DiscreteGaussian(variance, sensitivity)
    name = "variance" if by_variance else "sigma"
    return Mechanism(with_sensitivity(f"discrete_gaussian({name}={printed(given)}", sensitivity) + ")", lambda _: law, True,
                     one_record=True)


def truncated_discrete_laplace(arguments):
    """docs/proofs/truncated.md#shift"""
    scale, bound = arguments.positive("scale"), arguments.count("bound", 10**9)
    sensitivity = arguments.count("sensitivity", 100_000, ONE)
    require(bound >= sensitivity, "truncated_discrete_laplace: bound must be at least the sensitivity")
    law = laws.truncated_discrete_laplace(scale, bound, sensitivity)
    return Mechanism(with_sensitivity(f"truncated_discrete_laplace(scale={printed(scale)}, bound={bound}", sensitivity) + ")",
                     lambda _: law, True, one_record=True)


def truncated_laplace(arguments):
    """docs/proofs/truncated.md#shift"""
    scale, bound, sensitivity = arguments.positive("scale"), arguments.positive("bound"), arguments.positive("sensitivity", ONE)
    require(bound >= sensitivity, "truncated_laplace: bound must be at least the sensitivity")
    law = laws.TruncatedLaplace(sensitivity / scale, (bound - sensitivity) / scale)
    return Mechanism(with_sensitivity(f"truncated_laplace(scale={printed(scale)}, bound={printed(bound)}", sensitivity) + ")",
                     lambda _: law, True, one_record=True)


def staircase(arguments):
    """docs/proofs/staircase.md#shift"""
    epsilon, gamma = arguments.positive("epsilon"), arguments.positive("gamma")
    require(gamma < 1, "staircase: gamma must be less than 1")
    law = laws.two_point(epsilon, Fraction(0)) if 2 * gamma == 1 else laws.staircase(epsilon, gamma)
    return Mechanism(f"staircase(epsilon={printed(epsilon)}, gamma={printed(gamma)})", lambda _: law, True, one_record=True)
