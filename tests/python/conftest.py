"""The program beside the module: PLAUDIT_PROGRAM."""
import json
import os
import subprocess

import pytest


@pytest.fixture(scope="session")
def program():
    """program(*words) -> (exit status, standard output) of the program."""
    path = os.environ.get("PLAUDIT_PROGRAM")
    if not path:
        pytest.skip("PLAUDIT_PROGRAM is not set")

    def run(*words):
        done = subprocess.run([path, *words], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    return run


@pytest.fixture(scope="session")
def answer(program):
    """answer(*words) -> the JSON that the program prints."""
    def run(*words):
        status, out, err = program(*words, "--json")
        assert status in (0, 4), err
        return json.loads(out)

    return run
