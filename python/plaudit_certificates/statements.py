"""What a certificate claims, which statements prove it, and whether they hold; docs/certificates.md."""
import json
import math
from fractions import Fraction
from importlib import import_module

from .laws.stated import quoted, with_quoted_paths
from .specs import reader
from .arithmetic.budget import MOST_OPERATIONS, Budget
from .arithmetic.clock import Clock, Rejected, require
from .costs import cost_of
from .observation import Observation
from .specs.reader import Fields, shown
from .arithmetic.real import exceeds, set_precision
from .specs.specs import Composition

# A kind is a module of this package with
#   prove(choices, run, epsilon, budget) -> (low, high, {error: interval})    low.a <= delta(epsilon) <= high.b,
#                                                     or Fractions low <= delta(epsilon) <= high, which are exact;
#                                                     its error terms by name, in units of delta, are within low and
#                                                     high already and prove nothing: tests compare them
# and, where it can,
#   INFINITE = True                                   epsilon may be math.inf: the limit, a lower bound for every epsilon
#   exceeds_before(choices, run, epsilon, value, budget)    rejects unless delta(e) > value for every e < epsilon
KINDS = ("straight", "moments", "cut", "ends", "threshold", "lattice", "atoms", "laplace", "bent", "pinch")
VERSION = 3
MOST_STATEMENTS = 64
VERBS = ("at_most", "at_least", "exceeds_before")


def kind_module(name):
    require(name in KINDS, f"the kind {shown(name)} is not known")
    try:
        return import_module(f"{__package__}.{name}")
    except ModuleNotFoundError:
        raise Rejected(f"the kind {name} is not known to this checker") from None


def number_or_infinity(fields, name, allowed):
    """An exact number, or inf where `allowed`; with its text."""
    text = fields.text(name)
    if text == "inf":
        require(allowed, f"{fields.where}.{name} must be finite")
        return math.inf, text
    return reader.number(text, f"{fields.where}.{name}"), text


def above(x, q):
    """Is the upper end of x, an interval or an exact number, above q?"""
    return x > q if type(x) is Fraction else exceeds(x.b, q)


class Statement:
    def __init__(self, fields):
        self.direction = fields.word("direction", ("remove", "add"))
        self.epsilon, self.epsilon_text = number_or_infinity(fields, "epsilon", True)
        verbs = [verb for verb in VERBS if fields.has(verb)]
        require(len(verbs) == 1, f"{fields.where} must say one of {', '.join(VERBS)}")
        self.verb = verbs[0]
        self.value, self.value_text = number_or_infinity(fields, self.verb, False)
        self.kind = fields.text("kind")
        self.module = kind_module(self.kind)
        self.bits = fields.integer("bits", 32, 20000)
        self.given = fields.value("choices")
        self.choices = fields.fields("choices")
        require(self.epsilon != math.inf or self.verb == "at_least", f"{fields.where}: at_most and exceeds_before are said of a finite epsilon")
        fields.done()
        self.where = fields.where
        self.errors = {}  # that were found, by name

    def cost(self, composition):
        return cost_of(self.kind, composition.run(self.direction), self.given, self.bits, self.epsilon == 0)

    def prove(self, composition, budget):
        set_precision(self.bits)
        run = composition.run(self.direction)
        require(composition.has_pair or self.kind == "moments",
                "of a factor only bounds of moments are known: no kind but moments proves anything")
        require(not composition.from_above or self.verb == "at_most", "of a factor bounds from above are stated: nothing follows from below")
        if self.epsilon == math.inf:
            require(getattr(self.module, "INFINITE", False), f"{self.kind} says nothing of epsilon = inf")
        if self.verb == "exceeds_before":
            require(hasattr(self.module, "exceeds_before"), f"{self.kind} proves no exceeds_before")
            self.module.exceeds_before(self.choices, run, self.epsilon, self.value, budget)
            self.choices.done()
            return
        low, high, self.errors = self.module.prove(self.choices, run, self.epsilon, budget)
        self.choices.done()
        if self.verb == "at_most":
            require(not above(high, self.value), "delta is not proven to be so small")
        else:
            require(not above(-low, -self.value), "delta is not proven to be so large")

    def text(self):
        sign = {"at_most": "<=", "at_least": ">="}.get(self.verb)
        what = (f"delta({self.epsilon_text}) {sign} {self.value_text}" if sign else
                f"delta(e) > {self.value_text} for every e < {self.epsilon_text}")
        return f"{self.direction}: {what} ({self.kind}, {self.bits} bits)"


class Claim:
    def __init__(self, fields):
        self.direction = fields.word("direction", ("remove", "add")) if fields.has("direction") else None  # None: the larger
        self.quantity = fields.word("quantity", ("epsilon", "delta"))
        is_epsilon = self.quantity == "epsilon"
        self.argument, self.argument_text = number_or_infinity(fields, "argument", False)
        self.lower, self.lower_text = number_or_infinity(fields, "lower", is_epsilon)
        self.upper, self.upper_text = number_or_infinity(fields, "upper", is_epsilon)
        require(self.lower <= self.upper, "the claim is empty")
        if is_epsilon:
            require(0 <= self.argument <= 1, "argument must lie in [0, 1]")
            require(self.upper >= 0, "epsilon is at least 0")

    def bounds_from_above(self, s):
        """Does the statement show, in its direction, that the quantity is at most `upper`?"""
        if s.verb != "at_most":
            return False
        if self.quantity == "delta":
            return s.epsilon == self.argument and s.value <= self.upper
        return s.value <= self.argument and s.epsilon <= self.upper

    def bounds_from_below(self, s):
        if self.quantity == "delta":
            return s.verb == "at_least" and s.epsilon == self.argument and s.value >= self.lower
        if s.epsilon < self.lower:
            return False
        return (s.verb == "at_least" and s.value > self.argument) or (
            s.verb == "exceeds_before" and s.value >= self.argument)

    def follows(self, statements, alike):
        """Rejects unless the claim follows from the statements; delta is non-increasing (docs/proofs/inversion.md)."""
        if self.direction is not None and not alike:
            statements, alike = [s for s in statements if s.direction == self.direction], True
        trivial_above = (self.upper >= 1 if self.quantity == "delta" else self.upper == math.inf or self.argument == 1)
        above = {s.direction for s in statements if self.bounds_from_above(s)}
        require(trivial_above or len(above) == 2 or (alike and len(above) == 1), "a direction is not bounded from above")
        require(self.lower <= 0 or any(self.bounds_from_below(s) for s in statements),
                "nothing bounds the claim from below")

    def text(self, composition):
        other = "delta" if self.quantity == "epsilon" else "epsilon"
        return (f"{self.quantity} at {other} = {self.argument_text} lies in [{self.lower_text}, {self.upper_text}], "
                + (f"direction {self.direction}, " if self.direction else "") + ("for every mechanism within the bounds of moments" if not composition.has_pair else
                   "for every mechanism below the bounds of curves" if composition.from_above else "as a number of the dominating pair"))


def adjacency_text(adjacency):
    known = ("as_stated", "add_remove", "replace", "zero_out", "none")
    # a sign for each byte, as the other checker counts them
    stated = adjacency.kind.encode("utf-8", "surrogatepass").decode("latin-1")
    text = adjacency.kind if adjacency.kind in known else shown(stated, 200)
    if (adjacency.group or 1) != 1:
        text += f", groups of up to {adjacency.group} records"
    return text + ("" if adjacency.guarantee else ", no privacy guarantee")


def same(one, other):
    """Alike as JSON: 1 is not true."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def proven(value, budget):
    """(spec, Composition, Claim, [Statement]) of a certificate whose claim is proven; rejects all others."""
    fields = Fields(value, "the certificate")
    version = fields.take("plaudit_certificate")
    require(type(version) is int and 1 <= version <= VERSION, f"plaudit_certificate must be the integer {VERSION}")
    require(version == VERSION, f"plaudit_certificate: version {version} is read no more; write the file again with --certificate")
    spec = fields.text("spec")
    files = fields.take("files") if fields.has("files") else None
    require(files is None or (type(files) is dict and bool(files)), "files must be an object with the laws of files")
    curves = fields.take("curves") if fields.has("curves") else None
    composition = Composition(spec, files or {}, budget, curves)
    require(same(fields.take("laws"), composition.law_list()), "laws are not those of the spec")
    adjacency = composition.adjacency
    require(fields.text("adjacency") == adjacency.kind, "adjacency is not that of the spec")
    require(fields.integer("group_size", 1, 1000) == (adjacency.group or 1), "group_size is not that of the spec")
    require(fields.boolean("guarantee") is adjacency.guarantee, "guarantee is not that of the spec")
    claim = Observation(fields.fields("observation"), composition, budget) if fields.has("observation") else Claim(fields)
    statements = [Statement(each) for each in fields.each("statements", 0, MOST_STATEMENTS)]
    fields.done()
    claim.follows(statements, composition.alike)
    for statement in statements:
        budget.announce(statement.cost(composition))
    for statement in statements:
        try:
            statement.prove(composition, budget)
        except Rejected as error:
            raise type(error)(f"{statement.where}: {error}") from None
    return spec, composition, claim, statements


def check(value, budget):
    """The lines to print for an accepted certificate; rejects all others."""
    spec, composition, claim, statements = proven(value, budget)
    laws = [f'law: "{quoted(path)}": {text}' for path, text in composition.laws]
    return [f"spec: {with_quoted_paths(spec)}", *laws, f"adjacency: {adjacency_text(composition.adjacency)}", claim.text(composition),
            *(s.text() for s in statements), *(f"assumed: {words}" for words in getattr(claim, "assumptions", []))]


def examined(text, timeout=600.0, operations=MOST_OPERATIONS):
    """(outcome, reason or None, lines); docs/certificates.md, "Verdicts", has the outcomes."""
    set_precision(128)
    try:
        with Clock(timeout):
            return "accepted", None, check(reader.parse(text), Budget(operations))
    except Rejected as error:
        return error.outcome, str(error), []
    except MemoryError:
        return "unfinished", "needs more memory", []
    except Exception as error:  # whatever goes wrong, nothing is proven
        return "rejected", f"malformed: {type(error).__name__} {shown(error, 200)}", []


def judge(text, timeout=600.0):
    """(None, lines) if accepted, else (reason, [])."""
    return examined(text, timeout)[1:]


def verdict(text, timeout=600.0):
    """None if accepted, else the reason."""
    return judge(text, timeout)[0]
