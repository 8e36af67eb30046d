"""Integer noise of which a window is enough, docs/proofs/integer_noise.md, and Gaussian noise that is cut off."""
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
