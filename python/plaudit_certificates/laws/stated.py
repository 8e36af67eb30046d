"""Laws as files state them, before they are laws: is there a pair of probabilities that has one, and what is a reader shown of
it? docs/certificates.md, "Laws of files"; proof: docs/proofs/discrete.md#file.

A law is (losses, masses, infinite): exact increasing losses, and (lower, upper) for each mass of P.
"""
import hashlib
import string
from fractions import Fraction

from ..arithmetic.clock import require, watched
from ..arithmetic.real import exact, exp, precision
from ..costs import weighed
from ..specs.grammar import printed
from .text import hexadecimal
from .laws import sum_of

FIRST_BITS, MOST_BITS, MOST_BITS_OF_ALL = 128, 1 << 16, 1 << 29
DIGITS, LARGEST = 6, 1000  # digits and exponent of what is shown
PLAIN = frozenset(string.ascii_letters + string.digits + "._-/~+:@%,")


def _filled_from_above(masses, rest, result):
    """Gives `rest` to the masses from the last one on, each up to its upper end. -> what is left"""
    rooms = [high - low for low, high in masses]
    end = width = len(rooms)
    while rest and end:
        width = min(width, end)
        room = sum_of(rooms[end - width:end])  # many at once: a sum of few denominators
        if room <= rest:
            result[end - width:end] = [high for _, high in masses[end - width:end]]
            rest, end = rest - room, end - width
        elif width == 1:
            result[end - 1] += rest
            return 0
        else:
            width = (width + 1) // 2
    return rest


def masses_of_least_q(masses, infinite):
    """P at the losses where its sum is 1 and Q has the least mass: what the lower ends leave goes to infinity first, then to
    the greatest losses."""
    result = [low for low, _ in masses]
    rest = 1 - infinite[0] - sum_of(result)
    require(rest >= 0, "masses with infinite must be able to sum to exactly 1")
    left = _filled_from_above(masses, rest - min(rest, infinite[1] - infinite[0]), result)
    require(left == 0, "masses with infinite must be able to sum to exactly 1")
    return result


def q_is_at_most_one(losses, masses, budget):
    """Is the sum of e^-loss P at most 1? It is 1 only where P is at the loss 0 alone."""
    at_zero, terms = Fraction(0), []
    for loss, mass in zip(losses, masses):
        if mass == 0:
            continue
        if loss == 0:
            at_zero = mass
            continue
        # mass >= 2^-b for the b bits of its denominator, and e^-loss >= e^b
        if -loss >= mass.denominator.bit_length():
            return False
        terms.append((loss, mass))
    if not terms:
        return at_zero <= 1
    bits, most = FIRST_BITS, min(MOST_BITS, MOST_BITS_OF_ALL // len(terms))
    while True:
        with precision(bits):
            budget.announce(weighed(20 * len(terms), bits))
            q = exact(at_zero)
            for loss, mass in terms:
                q += mass * exp(-exact(loss))
            if q < 1:
                return True
            if q > 1:
                return False
        require(bits < most, "the least mass of Q is too near to 1 to be told from it")
        bits = min(2 * bits, most)


def require_possible(losses, masses, infinite, budget):
    require(q_is_at_most_one(losses, masses_of_least_q(masses, infinite), budget),
            "masses must leave Q, with the masses e^-loss P, at most 1 for some P with the sum 1")


def _magnitude(x):
    """floor(log10 x), or +-(LARGEST + 1) where it is farther out."""
    low, high = -LARGEST - 1, LARGEST + 2
    while high - low > 1:
        middle = (low + high) // 2
        if Fraction(10) ** middle <= x:
            low = middle
        else:
            high = middle
    return low


def rounded(x, up):
    """The next number of six digits that is not above x, or not below it."""
    if x == 0:
        return "0"
    sign, size, outward = ("-" if x < 0 else ""), abs(x), up == (x > 0)
    exponent = _magnitude(size)
    if exponent > LARGEST:
        return sign + ("inf" if outward else "1e1000")
    if exponent < -LARGEST:
        return sign + "1e-1000" if outward else "0"
    unit = Fraction(10) ** (exponent + 1 - DIGITS)
    steps = -(-size // unit) if outward else size // unit
    return sign + printed(steps * unit)


def _canonical(law, digest):
    losses, masses, infinite = law
    for loss, (low, high) in watched(zip(losses, masses)):
        if high:
            digest.update(f"{hexadecimal(loss)} {hexadecimal(low)} {hexadecimal(high)}\n".encode())
    digest.update(f"infinite {hexadecimal(infinite[0])} {hexadecimal(infinite[1])}\n".encode())


def _side(law):
    losses, masses, infinite = law
    occurring = [loss for loss, (_, high) in zip(losses, masses) if high]
    return (f"{len(occurring)} {'loss' if len(occurring) == 1 else 'losses'} from {rounded(occurring[0], False)} to "
            f"{rounded(occurring[-1], True)}, infinite with probability at most {rounded(infinite[1], True)}")


def summary(adjacency, remove, add, alike):
    """What a reader is shown of the laws of one file."""
    digest = hashlib.sha256(f"plaudit law 1\nadjacency {adjacency.encode().hex()}\nremove\n".encode())
    _canonical(remove, digest)
    digest.update(b"add\n")
    _canonical(add, digest)
    sides = f"{_side(remove)}, in both directions" if alike else f"remove: {_side(remove)}; add: {_side(add)}"
    return f"{sides}; SHA-256 {digest.hexdigest()}"


def quoted(text):
    """Without what could be read as a part of a spec."""
    return "".join(c if c in PLAIN else "".join(f"\\x{byte:02x}" for byte in c.encode()) for c in text)


def with_quoted_paths(spec):
    """A canonical spec; the paths in it, which are the texts in double quotes, so that nothing in them reads as a spec."""
    return '"'.join(quoted(part) if i % 2 else part for i, part in enumerate(spec.split('"')))
