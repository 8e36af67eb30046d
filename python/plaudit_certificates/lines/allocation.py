"""Random allocation on a vertical line: M(z) is the product over the blocks of A(1+z) for remove, A(-z) for add.
Claims: docs/certificates/lines.md#allocation"""
from ..arithmetic.clock import require
from ..arithmetic.intervals import Complex, exact, exp, log, polar, top
from .allocation_bounds import log_moment_bound
from .mellin import MellinRule

RULES_OF_A_LINE = 100


class Block:
    """A(w)^count for all blocks of one number of steps, `draws`."""

    def __init__(self, squared_rate, draws, count, fields, budget):
        self.squared_rate, self.draws, self.count, self.real, self.line, self.known = squared_rate, draws, count, {}, [], {}
        if fields is None:
            return
        for name in ("axis", "right", "left", "moment"):
            if fields.has(name):
                given = fields.fields(name)
                self.real[name] = MellinRule(given, budget)
                given.done()
        if fields.has("line"):
            for given in fields.each("line", 0, RULES_OF_A_LINE):
                self.line.append((given.dyadic("height"), MellinRule(given, budget)))
                given.done()
        fields.done()

    def log_moment(self, r, name):
        """An upper bound of log A(r)."""
        if name not in self.real:
            return log_moment_bound(self.squared_rate, self.draws, r)
        key = name, r.lower(), r.upper()
        if key not in self.known:
            self.known[key] = top(log(self.real[name].moment(self.squared_rate, self.draws, r)))
        return self.known[key]

    def values(self, r, h, first, count):
        """Boxes of A(r - i k h)^(number of blocks)."""
        found = (self._of_one_draw if self.draws == 1 else self._by_rules)(r, h, first, count)
        return [value ** self.count for value in found]

    def _of_one_draw(self, r, h, first, count):
        mu, result = exact(self.squared_rate) / 2, []
        for k in range(first, first + count):
            y = k * h
            result.append(polar(exp(mu * (r * (r - 1) - y * y)), -(mu * y * (2 * r - 1))))
        return result

    def _by_rules(self, r, h, first, count):
        require(len(self.line) > 0, "the values of random allocation need rules")
        axis, last, result = top(exp(self.log_moment(r, "axis"))), first + count - 1, []
        for height, rule in self.line:
            to = min(height // h.lower(), last)
            if to >= first:
                result += rule.values(self.squared_rate, self.draws, r, h, first, to - first + 1, axis)
                first = to + 1
        require(first > last, "the rules of random allocation end too soon")
        return result

    def fall(self, y):
        """|A(r + iy)|^count is at most e^-fall A(r)^count: docs/proofs/random_allocation.md#decay."""
        return exact(self.squared_rate) * self.count * y * y / (2 * self.draws)


class AllocationLine:
    def __init__(self, law, fields, budget):
        self.removes, self.infinite, self.moved, self.q_mass = law.removes, exact(0), exact(0), exact(1)
        self.least = self.greatest = None
        blocks = law.blocks
        given = fields.each("blocks", len(blocks), len(blocks)) if fields.has("blocks") else [None] * len(blocks)
        self.blocks = [Block(law.squared_rate, steps, count, each, budget) for (steps, count), each in zip(blocks, given)]
        fields.done()

    def atoms(self, t):
        return None

    def order(self, t):
        return 1 + t if self.removes else -t

    def values(self, t, h, first, count):
        result = [Complex(1)] * count
        for block in self.blocks:
            result = [value * more for value, more in zip(result, block.values(self.order(t), h, first, count))]
        return [value.conjugate() for value in result] if self.removes else result

    def _log_moment(self, t, name):
        return sum((block.log_moment(self.order(t), name) * block.count for block in self.blocks), exact(0))

    def beyond(self, t, s):
        return top(exp(self._log_moment(t, "axis") - sum((block.fall(s) for block in self.blocks), exact(0))))

    def moment(self, t, name):
        return top(exp(self._log_moment(t, name)))
