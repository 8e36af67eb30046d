"""Doctests, types and stubs."""
import ast
import builtins
import doctest
import importlib
import inspect
import os
import pathlib
import pkgutil
import shutil
import subprocess
import sys
import tempfile

import plaudit
import pytest

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "python"
CACHE = tempfile.TemporaryDirectory()  # what one run of mypy has read of the library's types, for the next
ADAPTORS = {"opacus", "dp_accounting", "jax_privacy"}  # need their libraries


@pytest.mark.parametrize("name", ["plaudit"] + [
    each.name for each in pkgutil.walk_packages(plaudit.__path__, "plaudit.")
    if each.name.split(".")[1] not in ADAPTORS | {"_core", "__main__"}])
def test_doctests(name):
    found = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert found.failed == 0


def mypy(*words, **variables):
    program = shutil.which("mypy")
    if not program:
        pytest.skip("no mypy")
    done = subprocess.run([program, *map(str, words), "--cache-dir", CACHE.name], capture_output=True, text=True,
                          check=False, cwd=SOURCES.parent, env={**os.environ, **variables})
    assert done.returncode == 0, done.stdout + done.stderr


def test_types():
    mypy("--config-file", SOURCES.parent / "pyproject.toml", SOURCES / "plaudit")


def test_a_users_file_is_typed_and_has_every_public_name(tmp_path):
    mine = pathlib.Path(__file__).with_name("typed_user.py")
    used = {node.attr for node in ast.walk(ast.parse(mine.read_text()))
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "pl"}
    assert used == {*plaudit.__all__, "map"}
    star = tmp_path / "star.py"
    star.write_text(f"from plaudit import *\nprint({', '.join(plaudit.__all__)}, list(map(str, [1])))\n")
    mypy("--strict", "--follow-imports", "silent", "--config-file", os.devnull, mine, star, MYPYPATH=str(SOURCES))


def test_the_public_names_are_those_of_the_module():
    assert len(plaudit.__all__) == len(set(plaudit.__all__))
    assert not set(plaudit.__all__) & set(dir(builtins))
    found = {}
    exec("from plaudit import *", found)  # pylint: disable=exec-used
    assert set(found) - {"__builtins__"} == set(plaudit.__all__)
    public = {name for name, thing in vars(plaudit).items() if not name.startswith("_") and not inspect.ismodule(thing)}
    assert public == {*plaudit.__all__, "map"}


def test_functions_of_balls_have_a_module_of_their_own():
    from plaudit import balls

    assert {name for name in vars(balls) if not name.startswith("_")} == set(balls.__all__)
    for name in set(balls.__all__) - {"Interval", "Complex"}:
        with pytest.raises(AttributeError, match=f"it is plaudit.balls.{name}"):
            getattr(plaudit, name)
    for name in ("Any", "annotations", "no_such"):
        assert not hasattr(plaudit, name)


def test_type_checkers_find_mistakes(tmp_path):
    lines = ["pl.gausian(1)", "pl.gaussian(sigm=1)", "pl.gaussian(None)", "pl.poisson(1, 0.1)", "pl.exp(1)",
             "pl.epsilon('gaussian(1)', 1e-5).lower.shape", "pl.epsilon('gaussian(1)', [1e-5]).directions",
             "pl.calibrate('gaussian(?)', epsilon=[1], delta=1e-5).run", "pl.gaussian(1).epsilon(1e-5) < [1]",
             "pl.epsilon('gaussian(1)', 1e-5, digts=3)"]
    wrong = tmp_path / "wrong.py"
    wrong.write_text("import plaudit as pl\n" + "".join(f"print({line})\n" for line in lines))
    with pytest.raises(AssertionError) as refused:
        mypy("--strict", "--follow-imports", "silent", "--config-file", os.devnull, wrong, MYPYPATH=str(SOURCES))
    for i, line in enumerate(lines):
        assert f"wrong.py:{i + 2}: error" in str(refused.value), line


def test_stubs_are_those_of_the_catalogue():
    done = subprocess.run([sys.executable, str(SOURCES / "mechanism_stubs.py"), "--check"],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_core_has_what_its_stub_says():
    from plaudit import _core

    stub = ast.parse((SOURCES / "plaudit" / "_core.pyi").read_text())
    for node in stub.body:
        if isinstance(node, ast.ClassDef):
            cls = getattr(_core, node.name)
            for member in node.body:
                if isinstance(member, ast.FunctionDef):
                    assert hasattr(cls, member.name), f"{node.name}.{member.name}"
        elif isinstance(node, ast.FunctionDef):
            assert callable(getattr(_core, node.name)), node.name
    stated = {getattr(node, "name", None) for node in stub.body}
    missing = {name for name in dir(_core) if not name.startswith("_")} - stated - {"version"}
    assert not missing, missing


def test_everything_public_is_documented():
    for name in dir(plaudit):
        thing = getattr(plaudit, name)
        if name.startswith("_") or not getattr(thing, "__module__", "").startswith("plaudit"):
            continue
        assert (getattr(thing, "__doc__", "") or "").strip(), name
