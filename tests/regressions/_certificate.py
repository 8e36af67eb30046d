"""Helpers of the regressions on certificates: one certificate, and both checkers on a text."""
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from _certificates import checked_inside, laws_of  # noqa: E402,F401
from _program import *  # noqa: E402,F403

PYTHON_CHECKER = pathlib.Path(__file__).resolve().parents[2] / "python" / "plaudit_check.py"
FOLDER = tempfile.TemporaryDirectory()
PATH = str(pathlib.Path(FOLDER.name) / "certificate.json")


def certificate(spec, *query):
    run("epsilon", spec, *query, "--certificate", PATH)
    with open(PATH, encoding="utf-8") as file:
        return json.load(file)


calls = 0  # of checked()


def checked(text, seconds=60, timeout=None):
    """[(who, exit status, output)] of both checkers; neither may take longer, by processors, or die of a signal. The first
    and each eighth time the Python checker is a program; else its start would take longer than what it is asked."""
    global calls
    inside = timeout is None and calls % 8 != 0
    calls += 1
    with open(PATH, "wb") as file:
        file.write(text if isinstance(text, bytes) else text.encode())
    limit = ["--timeout", timeout] if timeout else []
    result = []
    for who, command in (("check", [PROGRAM, "check", *limit, PATH]), ("python", [sys.executable, PYTHON_CHECKER, *limit, PATH])):
        if who == "python" and inside:
            done = checked_inside(PATH, seconds)
            result.append((who, "timeout", "") if done.seconds > seconds else (who, done.status, done.out))
            continue
        start = processor_seconds()
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=800)
        except subprocess.TimeoutExpired:
            result.append((who, "timeout", ""))
            continue
        if processor_seconds() - start > seconds:
            result.append((who, "timeout", ""))
            continue
        result.append((who, done.returncode, done.stdout + done.stderr))
    return result


def expect_rejected(text, what, seconds=60, timeout=None):
    for who, status, out in checked(text, seconds, timeout):
        expect(status == 3, f"{who}: {what}: status {status}: {out[:500]!r}")
        expect("Traceback" not in out, f"{who}: {what}: {out[:500]!r}")


def expect_accepted(text, what):
    for who, status, out in checked(text):
        expect(status == 0, f"{who}: {what}: status {status}: {out[:500]!r}")
