"""Matrix mechanisms: noise on the rows of an encoder times a stream of which one record moves at most `participations`
steps, any two of them `min_separation` apart. The Gaussian pair at the greatest distance that a record can move the rows
by dominates; its square is found exactly, or bounded from above: docs/proofs/matrix.md#participation.
"""
from fractions import Fraction

from ..arithmetic.clock import require, watched
from ..laws import laws
from .grammar import Quoted, printed
from .mechanism import ONE, Mechanism, with_sensitivity

MOST_STEPS = 10**6
MOST_COEFFICIENTS = 2000
MOST_SUMS = 10**6
OPERATIONS_OF_SUM = 10


class Columns:
    """The columns of an encoder: product(i, j) is that of columns i and j, 0 where |i - j| >= reach. `worst`, where it is
    known, is the greatest product of a column with itself."""

    def __init__(self, steps, reach, product, worst=None):
        self.steps, self.reach, self.product, self.worst = steps, reach, product, worst


def best_sums(weights, most, separation):
    """[the greatest sum of at most c of the weights >= 0 whose places are `separation` apart] for c = 0 .. most."""
    sums, fewer = [0], [0] * (len(weights) + 1)
    for _ in range(most if weights else 0):
        best = [0]
        for i, weight in watched(enumerate(weights, 1)):
            best.append(max(best[-1], weight + fewer[max(i - separation, 0)]))
        fewer = best
        sums.append(best[-1])
    return sums


def best_around(weights, i, others, separation):
    """The greatest sum of the weight at place i and at most `others` more."""
    earlier = best_sums(weights[:max(i + 1 - separation, 0)], others, separation)
    later = best_sums(weights[i + separation:], others, separation)
    return weights[i] + max(earlier[min(c, len(earlier) - 1)] + later[min(others - c, len(later) - 1)]
                            for c in range(others + 1))


def greatest_square(columns, most, separation):
    places = range(columns.steps)
    if most == 1 or columns.reach <= separation:
        totals = [columns.product(i, i) for i in watched(places)]
    else:
        totals = [best_around([abs(columns.product(i, j)) for j in places], i, most - 1, separation) for i in watched(places)]
    return best_sums(totals, most, separation)[-1]


def stream(arguments, spec, columns):
    level = "variance" if arguments.given("variance") else "sigma"
    noise = arguments.variance() if level == "variance" else arguments.positive(level)
    sensitivity = arguments.positive("sensitivity", ONE)
    variance = noise if level == "variance" else noise ** 2
    participations = arguments.count("participations", MOST_STEPS, ONE)
    separation = arguments.count("min_separation", MOST_STEPS, ONE)
    spec += with_sensitivity(f", {level}={printed(noise)}", sensitivity)
    spec += "" if participations == 1 else f", participations={participations}"
    spec += "" if separation == 1 else f", min_separation={separation}"
    n, operations = columns.steps, 0
    most = min(participations, -(-n // separation))
    if most == 1 and columns.worst is not None:
        square = columns.worst
    else:
        sums = n * most * (n if most > 1 and columns.reach > separation else 1)
        require(sums <= MOST_SUMS, f"{arguments.name}: steps and participations take more than {MOST_SUMS} sums")
        operations = OPERATIONS_OF_SUM * sums
        square = greatest_square(columns, most, separation)
    require(square > 0, f"{arguments.name}: an encoder that is 0")
    law = laws.Gaussian(Fraction(square) * sensitivity ** 2 / variance / 2)
    return Mechanism(spec + ")", lambda _: law, True, operations=operations)


def _list(numbers):
    return "[" + ", ".join(map(printed, numbers)) + "]"


def matrix(arguments):
    """docs/proofs/matrix.md#adaptive"""
    require(not arguments.is_kind("encoder", Quoted), "matrix: the encoder is a file; a certificate needs its rows in the spec")
    rows = arguments.typed("encoder", list)
    n = len(rows)
    require(n > 0 and all(type(row) is list and len(row) == n for row in rows), "matrix: the encoder must be square")
    require(not any(x for i, row in enumerate(rows) for x in row[i + 1:]), "matrix: the encoder must be lower triangular")
    products, reach = {}, 1
    for row in watched(rows):
        places = [j for j in range(n) if row[j]]
        for a, i in enumerate(places):
            for j in places[a:]:
                products[i, j] = products.get((i, j), 0) + row[i] * row[j]
                reach = max(reach, j - i + 1)
    spec = "matrix(encoder=[" + ", ".join(map(_list, rows)) + "]"
    return stream(arguments, spec, Columns(n, reach, lambda i, j: products.get((min(i, j), max(i, j)), 0)))


def toeplitz(arguments):
    """docs/proofs/matrix.md#adaptive"""
    column, n = arguments.typed("coefficients", list), arguments.count("steps", MOST_STEPS)
    require(1 <= len(column) <= MOST_COEFFICIENTS and all(type(c) is Fraction for c in column) and column[0] != 0,
            "toeplitz: at most 2000 coefficients, the first one not 0")
    length, sums = min(len(column), n), {}

    def of_lag(lag):
        """Of the first 1, 2, ... rows that columns so far apart share."""
        if lag not in sums:
            total, sums[lag] = Fraction(0), []
            for k in range(length - lag):
                total += column[k] * column[k + lag]
                sums[lag].append(total)
        return sums[lag]

    def product(i, j):
        lag = abs(i - j)
        return 0 if lag >= length else of_lag(lag)[min(n - max(i, j), length - lag) - 1]
    spec = f"toeplitz(coefficients={_list(column)}, steps={n}"
    return stream(arguments, spec, Columns(n, length, product, of_lag(0)[-1]))


def tree(arguments):
    """docs/proofs/matrix.md#tree"""
    n = arguments.count("steps", MOST_STEPS)
    widths = [1 << k for k in range(n.bit_length())]

    def product(i, j):
        """How many complete dyadic intervals of steps hold both."""
        return sum(1 for width in widths if i // width == j // width and (i // width + 1) * width <= n)
    return stream(arguments, f"tree(steps={n}", Columns(n, n, product, product(0, 0)))
