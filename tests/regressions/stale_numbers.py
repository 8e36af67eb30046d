#!/usr/bin/env python3
"""The pages of docs/published stated numbers that the program did not say any more, and nothing told:
bands that had widened, and 40.80103933 on one page where another one had 40.80104."""
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

root = pathlib.Path(os.environ.get("PLAUDIT_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
published = root / "docs" / "published"


def told(folder):
    done = subprocess.run([sys.executable, folder / "check.py", "none", "--committed"], check=False,
                          capture_output=True, text=True)
    return done.returncode, done.stdout


def changed(folder, name, old, new):
    path = folder / name
    text = path.read_text(encoding="utf-8")
    assert old in text, (name, old)
    path.write_text(text.replace(old, new), encoding="utf-8")


status, words = told(published)
assert status == 0, words
for name, old, new in (("README.md", "40.8010447 (k = 9)", "40.80103933 (k = 9)"),  # words
                       ("paper_004.md", "rounded up and down 0.40", "rounded up and down 0.41"),
                       ("paper_003_figure_1.csv", "40.80104471559263", "40.79104471559263")):  # a table
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder, "published")
        shutil.copytree(published, copy)
        changed(copy, name, old, new)
        status, words = told(copy)
        assert status == 1 and "differ" in words, (name, words)

spec = importlib.util.spec_from_file_location("check", published / "check.py")
check = importlib.util.module_from_spec(spec)
spec.loader.exec_module(check)
old = [{"n": "1", "upper": "1.371", "seconds": "0.3"}]
assert not list(check.differing_cells(old, [{"n": "1", "upper": "1.3710000001", "seconds": "3"}]))
assert len(list(check.differing_cells(old, [{"n": "1", "upper": "1.743", "seconds": "0.3"}]))) == 1
assert len(list(check.differing_cells(old, [{"n": "1", "upper": "inf", "seconds": "0.3"}]))) == 1
assert len(list(check.differing_cells(old, old + old))) == 1
