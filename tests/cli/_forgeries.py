"""Forged certificates: honest ones whose claim is strengthened beyond the truth, and whatever else is changed in
them at random. `certificates.py` uses them."""
import copy
import sys
from fractions import Fraction


sys.set_int_max_str_digits(0)  # numbers nudged in a number of a thousand digits


def text_of(value):
    return str(value.numerator) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"


def is_number(value):
    if not isinstance(value, str):
        return False
    try:
        Fraction(value)
    except (ValueError, ZeroDivisionError):
        return False
    return True


def leaves(value, path=()):
    """(path, leaf) of everything that is neither object nor list; a dyadic [m, e] counts as two integers."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from leaves(each, path + (key,))
    elif isinstance(value, list):
        for i, each in enumerate(value):
            yield from leaves(each, path + (i,))
    else:
        yield path, value


def place(value, path):
    for key in path:
        value = value[key]
    return value


def nudged(value, rng):
    """Another value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return rng.choice([value + 1, value - 1, 2 * value, value // 2, -value, 0, 1, value + rng.randint(-50, 50)])
    if is_number(value):
        x = Fraction(value)
        factor = rng.choice([Fraction(1, 2), 2, 1 + Fraction(1, 10 ** rng.randint(1, 12)),
                             1 - Fraction(1, 10 ** rng.randint(1, 12)), 0, -1])
        return text_of(x * factor)
    return rng.choice(["remove", "add", "straight", "ends", "moments", "lattice", "inf", "replace", value + " ", ""])


def mutate(certificate, rng):
    """One random change anywhere but in what is claimed."""
    claim = {"quantity", "argument", "lower", "upper", "spec"}
    paths = [path for path, _ in leaves(certificate) if path[0] not in claim]
    kind = rng.random()
    if kind < 0.7 and paths:
        path = rng.choice(paths)
        parent = place(certificate, path[:-1])
        parent[path[-1]] = nudged(parent[path[-1]], rng)
        return "nudged " + "/".join(map(str, path[-2:]))
    statements = certificate["statements"]
    if not statements:
        return "nothing left"
    s = rng.choice(statements)
    if kind < 0.78:
        if not s:
            return "nothing left"
        field = rng.choice(list(s))
        del s[field]
        return f"dropped {field}"
    if kind < 0.84:
        statements.remove(s)
        return "dropped a statement"
    if kind < 0.9:
        statements.append(copy.deepcopy(s))
        other = rng.choice(statements)
        s["choices"], other["choices"] = other.get("choices"), s.get("choices")  # one may be dropped
        return "swapped choices"
    if kind < 0.95:
        s["direction"] = "add" if s.get("direction") == "remove" else "remove"
        return "swapped direction"
    verbs = [verb for verb in ("at_most", "at_least", "exceeds_before") if verb in s]
    if verbs:
        s[rng.choice(["at_most", "at_least", "exceeds_before"])] = s.pop(verbs[0])
    return "another verb"


def strengthened(certificate, rng):
    """(what was done, forgery): its claim excludes the true value, and its statements say so too."""
    c = copy.deepcopy(certificate)
    lower = None if c["lower"] == "inf" else Fraction(c["lower"])
    upper = None if c["upper"] == "inf" else Fraction(c["upper"])
    size = abs(lower or upper or Fraction(1)) or Fraction(1)
    gap = (upper - lower if lower is not None and upper is not None else size) or size / 10**12
    amount = gap * Fraction(rng.choice([1, 2, 10, 1000]), rng.choice([1, 3, 100])) + size / 10**15
    down = rng.random() < 0.5
    epsilon = c["quantity"] == "epsilon"
    if down and lower is not None and (not epsilon or lower - amount >= 0):
        claimed, verb, bound = lower - amount, "at_most", "upper"
        c["lower"] = text_of(max(Fraction(0), claimed - gap)) if epsilon or rng.random() < 0.5 else text_of(claimed - gap)
    elif upper is not None:
        claimed, verb, bound = upper + amount, "at_least", "lower"
        c["upper"] = text_of(claimed + gap) if rng.random() < 0.8 or not epsilon else "inf"
    else:
        return "nothing", None
    c[bound] = text_of(claimed)
    done = [f"{bound} beyond the truth"]
    if rng.random() < 0.85:  # the statements go along
        for s in c["statements"]:
            if (verb == "at_most") == ("at_most" in s):
                s["epsilon" if epsilon else next(v for v in ("at_most", "at_least", "exceeds_before") if v in s)] = \
                    text_of(claimed)
        done.append("statements too")
    for _ in range(rng.choice([0, 0, 1, 1, 2, 4])):
        done.append(mutate(c, rng))
    return ", ".join(done), c
