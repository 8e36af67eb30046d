"""Reads a certificate's JSON, and nothing that is not one: limits come before any work, nothing is guessed."""
import gc
import json
import re
from fractions import Fraction

from ..arithmetic.clock import Rejected, Unread, require

LONGEST_FILE = 8 << 20
DEEPEST = 16
LONGEST_NUMBER = 10_000    # characters of an exact number
LARGEST_EXPONENT = 100000  # in it
LONGEST_OF_LAW, LARGEST_OF_LAW = 1000, 1000  # the same of each decimal of a number in laws

_DECIMAL = re.compile(r"([0-9]+)(?:\.([0-9]+))?(?:e([-+]?)([0-9]+))?", re.ASCII)
_LONG_INTEGER = re.compile(rb"-?[0-9]{19,}")
_TO_BRACKETS = bytes.maketrans(b"{}", b"[]")
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))


def readable(holds, why):
    if not holds:
        raise Unread(why)


def shown(text, most=40):
    """A text for a message: printable ASCII, short."""
    text = str(text)
    return "'" + "".join(c if " " <= c <= "~" else "?" for c in text[:most]) + ("..." if len(text) > most else "") + "'"


def read_file(path):
    """The bytes of a file or pipe; reading stops where there are too many."""
    parts, size = [], 0
    with open(path, "rb", buffering=0) as file:
        while True:
            part = file.read(min(1 << 16, LONGEST_FILE + 1 - size))
            if not part:
                return b"".join(parts)
            parts.append(part)
            size += len(part)
            readable(size <= LONGEST_FILE, f"has more than {LONGEST_FILE} bytes")


def _pairs(pairs):
    fields = dict(pairs)
    if len(fields) < len(pairs):
        seen = set()
        for name, _ in pairs:
            if name in seen:
                raise Unread(f"the field {shown(name)} is given twice")
            seen.add(name)
    return fields


def _refused(text):
    raise Unread(f"{shown(text)} is no integer; other numbers are written as text")


def _check_shape(raw):
    """Depth and integers, before the parser, which is recursive, sees them; each step is one pass of the interpreter's.

    Backslashes escape from the left, so that runs of them are taken in pairs, and one that is left over goes with what
    follows. What is then between quotes is a text. (Outside of texts a backslash ends the parser; what is in front of it
    was read as the parser reads it.) Taking away all "[]" at once makes balanced brackets less deep by one.
    """
    pieces = raw.replace(b"\\\\", b"").replace(b'\\"', b"").split(b'"')
    readable(len(pieces) % 2 == 1, "is not JSON: a text does not end")
    outside = b" ".join(pieces[::2])
    readable(outside.isascii(), "is not JSON: a letter outside of texts")
    brackets = outside.translate(_TO_BRACKETS, _NO_BRACKETS)
    for _ in range(DEEPEST):
        brackets = brackets.replace(b"[]", b"")
    readable(not brackets, f"is nested more than {DEEPEST} deep, or its brackets do not close")
    for match in _LONG_INTEGER.finditer(outside):
        readable(len(match[0]) <= 20 and -2**63 <= int(match[0]) < 2**63, "an integer is beyond 64 bits")


def _check_values(value):
    """No null, and no half of a surrogate pair, which no UTF-8 has. Each level of brackets is taken at once."""
    level = [value]
    while level:
        inner = []
        for each in level:
            readable(each is not None, "contains null")
            if type(each) is dict:
                inner += each.keys()
                inner += each.values()
            elif type(each) is list:
                inner += each
            elif type(each) is str and not each.isascii():
                readable(not any("\ud800" <= c <= "\udfff" for c in each), "a text has half of a surrogate pair")
        level = inner


def parse(text):
    """bytes or str -> the JSON value, of strings, integers, true, false, lists and objects: no key twice, no null, no other
    numbers."""
    raw = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    readable(len(raw) <= LONGEST_FILE, f"has more than {LONGEST_FILE} bytes")
    collecting = gc.isenabled()
    gc.disable()  # JSON has no cycles, and looking for some costs more than reading it
    try:
        text = raw.decode("utf-8")
        _check_shape(raw)
        value = json.loads(text, object_pairs_hook=_pairs, parse_float=_refused, parse_constant=_refused)
        if b"null" in raw or b"\\u" in raw:
            _check_values(value)
        return value
    except UnicodeDecodeError:
        raise Unread("is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise Unread(f"is not JSON: {error.msg} at character {error.pos + 1}") from None
    finally:
        if collecting:
            gc.enable()


def number(text, what="a number"):
    """'-1.5e-7' or a quotient of two such, '-2.5/3', exactly: digits on both sides of a point, a small e, no spaces, a sign
    only in front."""
    require(type(text) is str, f"{what} must be a text with an exact number")
    require(len(text) <= LONGEST_NUMBER, f"{what} has more than {LONGEST_NUMBER} characters")
    above, slash, below = text.removeprefix("-").partition("/")
    value = _decimal(above, what)
    if slash:
        divisor = _decimal(below, what)
        require(divisor != 0, f"{what} has a zero denominator")
        value /= divisor
    return -value if text.startswith("-") else value


def law_number(text, what):
    """The same of a number in `laws`, with the limits of specs for each of its decimals."""
    require(type(text) is str, f"{what} must be a text or an integer")
    for part in text.split("/"):
        size = part.partition("e")[2].lstrip("+-")
        require(len(part) <= LONGEST_OF_LAW and (not size.isdecimal() or whole(size) <= LARGEST_OF_LAW),
                f"{what} has more than {LONGEST_OF_LAW} characters or an exponent beyond +-{LARGEST_OF_LAW}")
    return number(text, what)


def _decimal(text, what):
    match = _DECIMAL.fullmatch(text)
    require(match is not None, f"{what} is no exact number: {shown(text)}")
    size = whole(match[4] or "0")
    require(size <= LARGEST_EXPONENT, f"{what} has an exponent beyond +-{LARGEST_EXPONENT}")
    places = match[2] or ""
    exponent = (-size if match[3] == "-" else size) - len(places)
    digits = whole(match[1] + places)
    return Fraction(digits * 10 ** exponent) if exponent >= 0 else Fraction(digits, 10 ** -exponent)


def whole(digits):
    """An integer of any length (int() refuses more than 4300 digits)."""
    value = 0
    for at in range(0, len(digits), 4000):
        part = digits[at:at + 4000]
        value = value * 10 ** len(part) + int(part)
    return value


def _as_integer(value, low, high, what):
    require(type(value) is int and low <= value <= high, f"{what} must be an integer from {low} to {high}")
    return value


def _as_dyadic(value, what):
    require(type(value) is list and len(value) == 2, f"{what} must be [m, e] for m 2^e")
    m = _as_integer(value[0], -2**53, 2**53, what)
    e = _as_integer(value[1], -1100, 1100, what)
    return Fraction(m) * Fraction(2) ** e


class Fields:
    """The fields of one object. Each is taken once, as what it must be, and is gone then; done() rejects what nobody took."""

    def __init__(self, value, where):
        require(type(value) is dict, f"{where} must be an object")
        self._left, self.where = dict(value), where

    def _name(self, name):
        return f"{self.where}.{name}"

    def has(self, name):
        return name in self._left

    def take(self, name):
        """The value as it was read."""
        require(name in self._left, f"{self._name(name)} is missing")
        return self._left.pop(name)

    def exact(self, name):
        return number(self.take(name), self._name(name))

    def dyadic(self, name):
        return _as_dyadic(self.take(name), self._name(name))

    def integer(self, name, low, high):
        return _as_integer(self.take(name), low, high, self._name(name))

    def text(self, name):
        value = self.take(name)
        require(type(value) is str, f"{self._name(name)} must be a text")
        return value

    def word(self, name, allowed):
        value = self.text(name)
        require(value in allowed, f"{self._name(name)} must be one of {', '.join(allowed)}")
        return value

    def boolean(self, name):
        value = self.take(name)
        require(type(value) is bool, f"{self._name(name)} must be true or false")
        return value

    def value(self, name):
        """The value as it is, not taken."""
        return self._left.get(name)

    def fields(self, name):
        return Fields(self.take(name), self._name(name))

    def list(self, name, least=0, most=10**6):
        value = self.take(name)
        require(type(value) is list and least <= len(value) <= most,
                f"{self._name(name)} must be a list of {least} to {most}")
        return value

    def each(self, name, least=0, most=10**6):
        """A list of objects."""
        return [Fields(value, f"{self._name(name)}[{i}]") for i, value in enumerate(self.list(name, least, most))]

    def integers(self, name, low, high, least=0, most=10**6):
        return [_as_integer(value, low, high, self._name(name)) for value in self.list(name, least, most)]

    def done(self):
        for name in self._left:
            raise Rejected(f"{self.where} has an unknown field {shown(name)}")
