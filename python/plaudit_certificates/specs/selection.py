"""Private selection: noisy maxima, the exponential mechanism, sparse vectors; docs/proofs/selection.md."""
from fractions import Fraction

from ..arithmetic.clock import require
from ..laws import laws, thresholds
from ..laws.selected import selected
from .grammar import printed
from .mechanism import ADD_REMOVE, ONE, Mechanism, with_sensitivity

MOST_POSITIVES = 10**6


def _of_law(spec, law):
    return Mechanism(spec, lambda _: law, True, one_record=True)


def bounded_range(arguments):
    """docs/proofs/selection.md#bounded-range"""
    epsilon = arguments.positive("epsilon")
    return _of_law(f"bounded_range(epsilon={printed(epsilon)})", laws.Range(epsilon))


def exponential(arguments):
    """docs/proofs/selection.md#exponential"""
    epsilon = arguments.positive("epsilon")
    return _of_law(f"exponential(epsilon={printed(epsilon)})", laws.Range(epsilon))


def permute_and_flip(arguments):
    """docs/proofs/selection.md#permute-and-flip"""
    epsilon = arguments.positive("epsilon")
    return _of_law(f"permute_and_flip(epsilon={printed(epsilon)})", laws.Laplace(epsilon))


def report_noisy_max(arguments):
    """docs/proofs/selection.md#noisy-max"""
    scale, sensitivity = arguments.positive("scale"), arguments.positive("sensitivity", ONE)
    spec = with_sensitivity(f"report_noisy_max(scale={printed(scale)}", sensitivity) + ")"
    return _of_law(spec, laws.Laplace(2 * sensitivity / scale))


def sparse_vector(arguments):
    """docs/proofs/selection.md#sparse-vector"""
    threshold, query = arguments.positive("threshold_scale"), arguments.positive("query_scale")
    sensitivity, positives = arguments.positive("sensitivity", ONE), arguments.count("positives", MOST_POSITIVES, ONE)
    spec = with_sensitivity(f"sparse_vector(threshold_scale={printed(threshold)}, query_scale={printed(query)}", sensitivity)
    spec += ("" if positives == 1 else f", positives={positives}") + ")"
    return _of_law(spec, laws.two_point(sensitivity / threshold + 2 * positives * sensitivity / query, Fraction(0)))


def partition_selection(arguments):
    """docs/proofs/partition_selection.md#law"""
    epsilon, delta = arguments.positive("epsilon"), arguments.number("delta")
    require(0 < delta < 1, "partition_selection: delta must lie between 0 and 1")
    both = [selected(epsilon, delta, removes) for removes in (False, True)]
    return Mechanism(f"partition_selection(epsilon={printed(epsilon)}, delta={printed(delta)})", both.__getitem__, False, ADD_REMOVE)


def laplace_threshold(arguments):
    """docs/proofs/thresholds.md#laplace"""
    scale, threshold = arguments.positive("scale"), arguments.number("threshold")
    both = [thresholds.laplace_threshold(1 / scale, (threshold - 1) / scale, removes) for removes in (False, True)]
    return Mechanism(f"laplace_threshold(scale={printed(scale)}, threshold={printed(threshold)})", both.__getitem__, False, ADD_REMOVE)
