"""What the lines of lines.py share: integrals with their rules, and what most laws have."""
from ..arithmetic.intervals import exact, require, top
from .strips import Rule, along_axis, along_line, beyond

NAMES = ("line", "axis", "decay", "right", "left", "moment")


def read_rules(fields):
    rules = {name: Rule(fields.fields(name)) if fields.has(name) else None for name in NAMES}
    fields.done()
    return rules


class Integral:
    """An integral along a path, with its rules. The path depends on the order r of the moment, and is made anew for each."""

    def __init__(self, path, fields, budget):
        self.path, self.rules, self.budget, self.known = path, read_rules(fields), budget, {}

    def values(self, r, h, first, count):
        require(first == 0, "nodes of a law with integrals begin at 0")
        path = self.path(r)
        return along_line(path, self.rules["line"], self.axis(r), h, count - 1, self.budget)

    def axis(self, r):
        key = r.lower(), r.upper()
        if key not in self.known:
            self.known[key] = along_axis(self.path(r), self.rules["axis"], self.budget)
        return self.known[key]

    def beyond(self, r, s):
        return beyond(self.path(r), self.rules["decay"], self.axis(r), s, self.budget)

    def moment(self, r, name):
        return top(along_axis(self.path(r), self.rules[name], self.budget))


class Line:
    least = greatest = None

    def __init__(self):
        self.infinite = self.moved = exact(0)
        self.q_mass = exact(1)

    def atoms(self, t):
        return None

    def beyond(self, t, s):
        return self.moment(t, "axis")
