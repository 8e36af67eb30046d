"""Laws that a certificate carries for pld(file="..."): the content of the file, docs/mechanisms.md, "pld"."""
from fractions import Fraction

from ..arithmetic.clock import Rejected, require, watched
from ..laws.laws import written
from ..laws.stated import require_possible, summary
from .reader import Fields, law_number, shown

MOST_LOSSES = 10**6
LONGEST_ADJACENCY = 200
WORDS = {"add/remove": "add_remove", "zero-out": "zero_out"}


def _number(value, where):
    if type(value) is int:
        return Fraction(value)
    return law_number(value, where)


def _mass(value, where):
    """-> (lower, upper)."""
    ends = value if type(value) is list else [value, value]
    require(len(ends) == 2, f"{where} must be a mass or [lower, upper]")
    low, high = (_number(end, where) for end in ends)
    require(0 <= low <= high <= 1, f"{where} must lie between 0 and 1, lower end first")
    return low, high


def _losses(fields, count):
    if fields.has("lattice"):
        lattice = fields.fields("lattice")
        mesh = _number(lattice.take("mesh"), "mesh")
        offset = _number(lattice.take("offset"), "offset") if lattice.has("offset") else 0
        first = _number(lattice.take("first"), "first") if lattice.has("first") else 0
        lattice.done()
        require(mesh > 0 and first == int(first), "a lattice needs a positive mesh and an integer first")
        return [offset + (first + i) * mesh for i in watched(range(count))]
    losses = [_number(value, "losses") for value in watched(fields.list("losses", count, count))]
    require(all(a < b for a, b in watched(zip(losses, losses[1:]))), "losses must increase")
    return losses


def _law(fields, budget):
    """-> (losses, masses, infinite), which some pair of probabilities has."""
    require(fields.has("losses") != fields.has("lattice"), "a law has one of losses and lattice")
    masses = [_mass(value, "masses") for value in watched(fields.list("masses", 1, MOST_LOSSES))]
    losses = _losses(fields, len(masses))
    infinite = _mass(fields.take("infinite"), "infinite") if fields.has("infinite") else _mass("0", "infinite")
    fields.done()
    require_possible(losses, masses, infinite, budget)
    return losses, masses, infinite


class Pair:
    """adjacency: (kind, guarantee); law(removes); summary: what a reader is shown."""

    def __init__(self, value, path, budget):
        fields = Fields(value, "laws of " + shown(path))
        if fields.has("description"):
            fields.text("description")
        text = fields.text("adjacency")
        require(1 <= len(text.encode("utf-8", "surrogatepass")) <= LONGEST_ADJACENCY, "adjacency: 1 to 200 characters")
        self.adjacency = (WORDS.get(text, text), text != "none")
        self.alike = fields.has("both")
        if self.alike:
            stated = [_law(fields.fields("both"), budget)] * 2
            self._laws = [written(*stated[0])] * 2
        else:
            stated = [_law(fields.fields(name), budget) for name in ("remove", "add")]
            self._laws = [written(*law) for law in stated]
        fields.done()
        self.summary = summary(text, *stated, self.alike)

    def law(self, removes):
        return self._laws[0 if removes else 1]


def written_pair(value, path, budget):
    try:
        return Pair(value, path, budget)
    except Rejected as error:
        raise type(error)(f"pld: {error}") from None
