"""Docstrings of the public interface are in numpy's style, and name what signatures have: each parameter with its type, in
any order, and what is returned."""
import inspect
import re

import pytest

import plaudit as pl

#: One line is enough for what a name says: elementary functions and operations of intervals.
ELEMENTARY = {"exp", "expm1", "log", "log1p", "sqrt", "sin", "cos", "normal_cdf", "complex_exp", "hull", "largest", "least",
              "working_bits", "lower_decimal", "upper_decimal"}
#: Laws, of which the class says what its methods take and return.
LAWS = (pl.Law, pl.Mechanism, pl.PrivacyLoss)
SECTIONS = ["Parameters", "Returns", "Raises", "Warns", "Notes", "Examples"]


def public():
    """(name, owner, object) of everything that a user may call or read."""
    for name in pl.__all__:
        thing = getattr(pl, name)
        if name == "Number":
            continue
        yield name, None, thing
        if inspect.isclass(thing):
            for member, value in vars(thing).items():
                if not member.startswith("_") and (callable(value) or isinstance(value, property)
                                                   or type(value).__name__ == "instancemethod"):
                    yield f"{name}.{member}", thing, value


PUBLIC = list(public())


def text_of(thing):
    """The docstring without the signatures that pybind11 puts before it."""
    text = inspect.getdoc(thing) or ""
    return re.sub(r"\A\w+\(.*\)( -> .*)?\n+", "", text)


def sections(text):
    """{name: lines}, in order; the first one, "", is the text before them."""
    found, name = {"": []}, ""
    lines = text.splitlines()
    for i, line in enumerate(lines):
        if line and not line.startswith(" ") and i + 1 < len(lines) and re.fullmatch("-+", lines[i + 1]):
            name = line
            found[name] = []
        elif not re.fullmatch("-{3,}", line):
            found[name].append(line)
    return found


def named(lines):
    """The parameters of a section: "a, b : type" names two."""
    return [one.strip().lstrip("*") for line in lines if line and not line.startswith(" ")
            for one in line.partition(" : ")[0].split(",")]


def parameters_of(thing):
    try:
        names = list(inspect.signature(thing).parameters)
    except (TypeError, ValueError):  # of pybind11: in the docstring
        stated = re.match(r"\w+\((.*)\)", inspect.getdoc(thing) or "")
        names = re.findall(r"(\w+):", stated.group(1)) if stated else []
    return [name for name in names if name != "self"]


def returns_nothing(thing):
    try:
        return inspect.signature(thing).return_annotation in (None, "None")
    except (TypeError, ValueError):
        return ") -> None" in thing.__doc__


def check(name, owner, thing):
    text = text_of(thing)
    assert text, "no docstring"
    assert ":param" not in text and ":return" not in text and ":raises" not in text
    found = sections(text)
    summary = found[""][0]
    assert summary.endswith("."), f"the first line is no sentence: {summary}"
    assert len(found[""]) == 1 or not found[""][1], f"the first line is no paragraph: {summary}"
    known = [section for section in SECTIONS if section in found]
    assert list(found)[1:] == known, f"sections {list(found)[1:]}"
    member = name.rpartition(".")[2]
    if isinstance(thing, property) or inspect.isclass(thing) or owner in LAWS or member in ELEMENTARY:
        return
    assert sorted(named(found.get("Parameters", []))) == sorted(parameters_of(thing))
    for line, following in zip(found.get("Parameters", []), found.get("Parameters", [])[1:] + [""]):
        if line and not line.startswith((" ", "**")):  # a type, or where it is said
            assert " : " in line or following.startswith("    As of "), line
    for section in ("Returns", "Raises"):
        assert section not in found or found[section][0], f"{section} is empty"
    assert "Returns" in found or returns_nothing(thing)


@pytest.mark.parametrize("name, owner, thing", PUBLIC, ids=[name for name, _, _ in PUBLIC])
def test_docstring(name, owner, thing):
    check(name, owner, thing)


GOOD = """Words.

Parameters
----------
a, b : int
    Words.

Returns
-------
int
    Words.
"""


@pytest.mark.parametrize("old, new", [("", ""), ("a, b", "b"), ("a, b", "a, b, c"), ("a, b : int", "a, b"), ("Returns", "Yields"), ("Words.", "Words"),
                                      ("Returns\n-------\nint\n    Words.\n", ""), (GOOD, ""),
                                      ("Words.\n", "Words.\n:param a: words.\n")])
def test_the_check_fails_where_it_should(old, new):
    def some(a, b) -> int:
        return a + b
    some.__doc__ = GOOD.replace(old, new, 1) if old else GOOD
    if not old:
        return check("some", None, some)
    with pytest.raises(AssertionError):
        check("some", None, some)


def test_all_of_the_interface_is_looked_at():
    assert len(PUBLIC) > 150
