"""What the mechanisms of specs share: their adjacency, their form, and the arguments of a call."""
from fractions import Fraction
from math import isqrt

from ..arithmetic.clock import require
from .grammar import Call, Word, printed
from .reader import shown

ONE = Fraction(1)


class Adjacency:
    """kind, group size (None: part of what the user states, goes with any), and whether anything is guaranteed."""

    def __init__(self, kind="as_stated", group=None, guarantee=True):
        self.kind, self.group, self.guarantee = kind, group, guarantee

    def same(self, other):
        return (self.kind, self.group, self.guarantee) == (other.kind, other.group, other.guarantee)

    def common(self, other):
        """That of both together: as_stated and an unstated size go with any, what is stated must be the same."""
        require("as_stated" in (self.kind, other.kind) or self.kind == other.kind,
                f"spec: factors for different adjacencies, {shown(self.kind)} and {shown(other.kind)}")
        require(None in (self.group, other.group) or self.group == other.group,
                f"spec: factors for different group sizes, {self.group} and {other.group}")
        return Adjacency(other.kind if self.kind == "as_stated" else self.kind,
                         other.group if self.group is None else self.group, self.guarantee and other.guarantee)


ADD_REMOVE = Adjacency("add_remove", 1)


class Mechanism:
    """spec: canonical text; law(removes) in one direction; alike: one law serves both.

    gaussian: (sigma, sensitivity, rate) where it is a Poisson sample of a Gaussian; batch: (sigma, sensitivity, batch,
    population) where it is one of a fixed batch; components: [(rate, probability)] of a mixture of Gaussians, in
    units of the root of the radicand; scheme:
    (sigma, sensitivity, draws, batch, population) under replace adjacency; sampled: (base, rate); several: gaussian stands
    for more than one on the same records; operations: what it took to find the law (docs/certificates/costs.md, "Laws");
    parts: of parallel composition, those whose curves may be the greatest; beside: of two mechanisms at once whose joint law is
    none of those here, the law of the second one: as a factor of a spec they are two.
    """

    def __init__(self, spec, law, alike, adjacency=None, one_record=False, **forms):
        self.spec, self.law, self.alike, self.one_record = spec, law, alike, one_record
        self.adjacency = adjacency or Adjacency()
        for name in ("gaussian", "batch", "components", "scheme", "sampled", "parts", "beside"):
            setattr(self, name, forms.pop(name, None))
        self.several, self.operations = forms.pop("several", False), forms.pop("operations", 0)
        self.radicand = forms.pop("radicand", ONE)
        assert not forms


class Arguments:
    """The arguments of one call by the names of its parameters; without a default it must be given."""

    def __init__(self, call, names, build):
        self.name, self._given = call.name, {}
        for position, (key, value) in enumerate(call.arguments):
            require(bool(key) or all(not k for k, _ in call.arguments[:position]), f"{call.name}: order of arguments")
            require(bool(key) or position < len(names), f"{call.name}: too many arguments")
            key = key or names[position]
            require(key in names, f"{call.name}: has no parameter {shown(key)}")
            require(key not in self._given, f"{call.name}: {key} is given twice")
            self._given[key] = build(value) if isinstance(value, Call) else value

    def given(self, name):
        return name in self._given

    def typed(self, name, kind, default=None):
        value = self._given.get(name, default)
        require(value is not None, f"{self.name}: {name} is missing")
        require(type(value) is kind, f"{self.name}: {name} is of the wrong kind")
        return value

    def is_kind(self, name, kind):
        return type(self._given.get(name)) is kind

    def number(self, name, default=None):
        return self.typed(name, Fraction, default)

    def positive(self, name, default=None):
        value = self.number(name, default)
        require(value > 0, f"{self.name}: {name} must be positive")
        return value

    def variance(self):
        """Of a noise whose sigma is no rational number: where it is one, the text of a spec has it."""
        value = self.positive("variance")
        square = isqrt(value.numerator) ** 2 == value.numerator and isqrt(value.denominator) ** 2 == value.denominator
        require(not square, f"{self.name}: variance is a square: the spec has sigma")
        return value

    def probability(self, name):
        value = self.positive(name)
        require(value <= 1, f"{self.name}: {name} must be at most 1")
        return value

    def count(self, name, most, default=None):
        value = self.number(name, default)
        require(value.denominator == 1 and 1 <= value <= most, f"{self.name}: {name} must be an integer from 1 to {most}")
        return int(value)

    def word(self, name, allowed):
        value = self.typed(name, Word)
        require(value in allowed, f"{self.name}: {name} must be one of {', '.join(allowed)}")
        return str(value)


def with_sensitivity(spec, sensitivity):
    return spec + ("" if sensitivity == 1 else f", sensitivity={printed(Fraction(sensitivity))}")
