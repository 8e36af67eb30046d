"""Runs the program under test ($PLAUDIT_PROGRAM) and collects failed expectations."""
import atexit
import json
import os
import resource
import subprocess
import sys
from fractions import Fraction

PROGRAM = os.environ.get("PLAUDIT_PROGRAM", "build/plaudit")
EXAMPLE = "poisson(gaussian(sigma=0.8), rate=0.004)^1000"

_failures = []


class Result:
    """`seconds` are those of processors, which a busy machine does not lengthen."""

    def __init__(self, status, out, err, seconds):
        self.status, self.out, self.err, self.seconds = status, out, err, seconds

    def json(self):
        return json.loads(self.out)


def processor_seconds():
    """Of all processes that this one started and that have ended: on a busy machine they take as long by the
    clock as others leave them."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(*arguments, stdin="", env=None, timeout=800):
    """The timeout is for what hangs: it is far beyond what a busy machine takes."""
    start = processor_seconds()
    done = subprocess.run([PROGRAM, *arguments], input=stdin, capture_output=True, text=True,
                          errors="replace", timeout=timeout, env=env)
    return Result(done.returncode, done.stdout, done.stderr, processor_seconds() - start)


def expect(condition, message):
    if not condition:
        _failures.append(message)
        print("FAILED:", message[:2000])


def expect_refused(words, *arguments, stdin=""):
    """Exit 2, nothing on stdout, one short printable line on stderr with the words, at once."""
    result = run(*arguments, stdin=stdin)
    what = f"{[a[:80] for a in arguments]}: status {result.status}, stderr {result.err[:600]!r}"
    expect(result.status == 2, "not refused: " + what)
    expect(result.out == "", "output on stdout: " + what)
    expect(result.err.startswith("plaudit: "), "no 'plaudit: ': " + what)
    expect(result.err.count("\n") == 1 and result.err.endswith("\n"), "not one line: " + what)
    expect(all(" " <= c <= "~" for c in result.err[:-1]), "unprintable: " + what)
    expect(len(result.err) < 700, "too long: " + what)
    for word in [words] if isinstance(words, str) else words:
        expect(word in result.err, f"{word!r} is not named: " + what)
    # The limit is one second; instrumented builds are slower.
    expect(result.seconds < 5, f"took {result.seconds} s: " + what)


def exact(text):
    return Fraction(text)


def is_decimal(text):
    if text in ("inf", "-inf"):
        return True
    try:
        Fraction(text)
    except (TypeError, ValueError):
        return False
    return isinstance(text, str)


@atexit.register
def _status():
    """A test that forgot finish() fails too."""
    if _failures:
        sys.stdout.flush()
        os._exit(1)


def finish():
    print(f"{len(_failures)} failures")
    sys.exit(1 if _failures else 0)
