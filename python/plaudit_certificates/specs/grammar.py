"""The spec language: from a text to a tree, and exact numbers back to text. No mechanism is known here.

    composition := factor ('*' factor)*
    factor      := atom ('^' integer)?
    atom        := mechanism | '(' composition ')'
    mechanism   := name '(' [argument (',' argument)*] ')'
    argument    := [key '='] value
    value       := number | word | mechanism | text | list | '[' list (',' list)* ']'
    list        := '[' [number (',' number)*] ']'
    text        := '"' printable ASCII without '"' '"'
    number      := decimal ['/' decimal]
"""
import re
from fractions import Fraction

from ..arithmetic.clock import Rejected, require
from .reader import shown

LONGEST_SPEC = 100_000
DEEPEST_NESTING = 100
LONGEST_NUMBER = 1000
LARGEST_EXPONENT = 1000
MOST_STEPS = 10**12

_DIGITS = "0123456789"
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
_DECIMAL = re.compile(r"([-+]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([-+]?)([0-9]+))?", re.ASCII)


class Word(str):
    """A bare name in the place of a value."""


class Quoted(str):
    """A text in double quotes."""


class Call:
    """name(argument, ...); arguments are (key, value), the key empty where it is positional."""

    def __init__(self, name, arguments):
        self.name, self.arguments = name, arguments


def _decimal(text, what):
    require(len(text) <= LONGEST_NUMBER, f"{what} {shown(text)} has more than {LONGEST_NUMBER} characters")
    match = _DECIMAL.fullmatch(text)
    require(match is not None and bool(match[2] or match[3]), f"{what} {shown(text)} is not a number")
    size = int(match[5] or 0)
    require(size <= LARGEST_EXPONENT, f"{what} {shown(text)} has an exponent beyond +-{LARGEST_EXPONENT}")
    places = match[3] or ""
    exponent = (-size if match[4] == "-" else size) - len(places)
    digits = int((match[2] + places) or "0")
    value = Fraction(digits * 10 ** exponent) if exponent >= 0 else Fraction(digits, 10 ** -exponent)
    return -value if match[1] == "-" else value


def printed(value):
    """The canonical text of an exact number: the shortest, or, where that has more characters or a greater exponent than
    is read, another that is read back, if there is one: a fraction, or one with its power of ten put aside (12e1000)."""
    text = _shortest(value)
    if _moderate(text):
        return text
    others = [lambda: f"{value.numerator}/{value.denominator}"]
    others += [lambda prime=prime: _apart(value, _valuation(value, prime)) for prime in (5, 2)]
    for other in others:
        if _moderate(other()):
            return other()
    return text


def _moderate(text):
    parts = [part.partition("e") for part in text.split("/")]
    return all(len(digits + e + size) <= LONGEST_NUMBER and abs(int(size or 0)) <= LARGEST_EXPONENT
               for digits, e, size in parts)


def _divided(n, prime):
    """(n without the factors `prime`, how many they are)."""
    count = 0
    while n % prime == 0:
        n //= prime
        count += 1
    return n, count


def _valuation(value, prime):
    return _divided(value.numerator, prime)[1] - _divided(value.denominator, prime)[1]


def _apart(value, exponent):
    """p/q 10^exponent, the exponent divided among p and q."""
    rest = value / Fraction(10) ** exponent
    above = max(-LARGEST_EXPONENT, min(exponent, LARGEST_EXPONENT))
    below = f"{rest.denominator}" + (f"e{above - exponent}" if above != exponent else "")
    return f"{rest.numerator}" + (f"e{above}" if above else "") + ("" if below == "1" else "/" + below)


def _shortest(value):
    """Plain from 1e-4 to 1e7, scientific beyond, a fraction where no decimal is."""
    numerator, denominator = value.numerator, value.denominator
    rest, twos = _divided(denominator, 2)
    rest, fives = _divided(rest, 5)
    if rest != 1 or value == 0:
        return str(numerator) if denominator == 1 else f"{numerator}/{denominator}"
    places = max(twos, fives)
    text = str(abs(numerator) * 10 ** places // denominator)
    digits = text.rstrip("0")
    exponent = len(text) - len(digits) - places  # value = digits 10^exponent
    leading = exponent + len(digits) - 1
    sign = "-" if value < 0 else ""
    if not -4 <= leading < 7:
        return sign + digits[0] + ("." + digits[1:] if len(digits) > 1 else "") + f"e{leading}"
    if exponent >= 0:
        return sign + digits + "0" * exponent
    whole = len(digits) + exponent
    if whole > 0:
        return sign + digits[:whole] + "." + digits[whole:]
    return sign + "0." + "0" * -whole + digits


class _Parser:
    def __init__(self, text):
        self.text, self.at, self.depth = text, 0, 0

    def next(self):
        return self.text[self.at] if self.at < len(self.text) else ""

    def next_in(self, characters):
        c = self.next()
        return c != "" and c in characters

    def fail(self, wanted):
        found = f"found {shown(self.text[self.at:], 20)}" if self.at < len(self.text) else "found its end"
        raise Rejected(f"spec: expected {wanted} at character {self.at + 1}, {found}")

    def spaces(self):
        while self.next_in(" \t\n\r"):
            self.at += 1

    def accept(self, c):
        if self.next() != c:
            return False
        self.at += 1
        self.spaces()
        return True

    def expect(self, c):
        if not self.accept(c):
            self.fail(f"'{c}'")

    def enter(self):
        self.depth += 1
        require(self.depth <= DEEPEST_NESTING, f"spec: brackets are nested more than {DEEPEST_NESTING} deep")

    def all(self):
        self.spaces()
        require(self.at < len(self.text), "spec: is empty")
        factors = self.composition()
        if self.at < len(self.text):
            self.fail("'*', '^' or the end")
        return factors

    def composition(self):
        factors = self.factor()
        while self.accept("*"):
            factors += self.factor()
        return factors

    def factor(self):
        if self.accept("("):
            self.enter()
            factors = self.composition()
            self.expect(")")
            self.depth -= 1
        elif self.next_in(_LETTERS):
            factors = [(self.call(self.word()), 1)]
        else:
            self.fail("a mechanism")
        if self.accept("^"):
            times = self.count()
            factors = [(call, count * times) for call, count in factors]
            require(all(count <= MOST_STEPS for _, count in factors), "spec: nested powers exceed 10^12 steps")
        return factors

    def count(self):
        if not self.next_in(_DIGITS + ".+-"):
            self.fail("an integer after '^'")
        what = "spec: the count after '^' must be an integer from 1 to 10^12, not"
        text = self.run()
        value = _decimal(text, what)
        require(value.denominator == 1 and 1 <= value <= MOST_STEPS, f"{what} {shown(text)}")
        return int(value)

    def call(self, name):
        if not self.accept("("):
            self.fail("'('")
        self.enter()
        arguments = []
        if not self.accept(")"):
            arguments.append(self.argument(name))
            while self.accept(","):
                arguments.append(self.argument(name))
            self.expect(")")
        self.depth -= 1
        return Call(name, arguments)

    def argument(self, owner):
        if self.next_in(_LETTERS):
            name = self.word()
            if not self.accept("="):
                return "", self.named(name)
            return name, self.value(f"{owner}: {name}")
        return "", self.value(f"{owner}: an argument")

    def value(self, what):
        if self.next_in(_LETTERS):
            return self.named(self.word())
        if self.next() == '"':
            return self.quoted()
        if self.accept("["):
            return self.rest_of_list(what, self.next() == "[")
        return self.number(what)

    def rest_of_list(self, what, of_lists):
        """Of numbers, or of lists of numbers."""
        values = []
        if self.accept("]"):
            return values
        while True:
            if of_lists:
                self.expect("[")
            values.append(self.rest_of_list(what, False) if of_lists else self.number(what))
            if not self.accept(","):
                break
        self.expect("]")
        return values

    def named(self, name):
        return self.call(name) if self.next() == "(" else Word(name)

    def quoted(self):
        self.at += 1
        start = self.at
        while self.next() not in ("", '"'):
            if not " " <= self.next() <= "~":
                self.fail("printable ASCII between quotes")
            self.at += 1
        text = Quoted(self.text[start:self.at])
        self.expect('"')
        return text

    def number(self, what):
        if not self.next_in(_DIGITS + ".+-"):
            self.fail(f"a value of {what}")
        value = _decimal(self.run(), what)
        if self.accept("/"):
            divisor = _decimal(self.run(), what)
            require(divisor != 0, f"{what} has a zero denominator")
            value /= divisor
        return value

    def run(self):
        """The longest run that could be a decimal; a sign belongs to it at its start and after an e."""
        start = self.at
        while self.next_in(_DIGITS + _LETTERS + ".") or (
                self.next_in("+-") and (self.at == start or self.text[self.at - 1] in "eE")):
            self.at += 1
        text = self.text[start:self.at]
        self.spaces()
        return text

    def word(self):
        start = self.at
        while self.next_in(_LETTERS + _DIGITS):
            self.at += 1
        text = self.text[start:self.at]
        self.spaces()
        return text


def parse(text):
    """-> [(Call, count)], brackets multiplied out."""
    require(len(text) <= LONGEST_SPEC, f"spec: has more than {LONGEST_SPEC} characters")
    return _Parser(text).all()
