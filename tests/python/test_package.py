"""Doctests, types and stubs."""
import doctest
import importlib
import pathlib
import pkgutil
import shutil
import subprocess
import sys

import plaudit
import pytest

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "python"
ADAPTORS = {"opacus", "dp_accounting"}  # need their libraries


@pytest.mark.parametrize("name", ["plaudit"] + [f"plaudit.{each.name}" for each in
                                                pkgutil.iter_modules(plaudit.__path__)
                                                if each.name not in ADAPTORS | {"_core", "__main__"}])
def test_doctests(name):
    found = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert found.failed == 0


def test_types():
    mypy = shutil.which("mypy")
    if not mypy:
        pytest.skip("no mypy")
    done = subprocess.run([mypy, "--config-file", str(SOURCES.parent / "pyproject.toml"), str(SOURCES / "plaudit"),
                           "--cache-dir", "/dev/null"],
                          capture_output=True, text=True, check=False, cwd=SOURCES.parent)
    assert done.returncode == 0, done.stdout


def test_stubs_are_those_of_the_catalogue():
    done = subprocess.run([sys.executable, str(SOURCES / "mechanism_stubs.py"), "--check"],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_core_has_what_its_stub_says():
    import ast

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
