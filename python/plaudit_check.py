#!/usr/bin/env python3
"""plaudit_check.py [--timeout S] CERTIFICATE...: prove plaudit certificates again, in intervals of Python's integers.

The package plaudit_certificates beside this file does it, with no other code of plaudit, from the theorems of
docs/certificates.md. For an accepted certificate it prints the canonical spec, the adjacency, what is claimed and the
statements that were proven. Exit status: 0 all accepted, 3 one rejected, 2 bad usage or an unreadable file. mpmath
(python3-mpmath) has the elementary functions; with numpy (python3-numpy) it is quicker where many nodes are bounded.
"""
import os
import pathlib
import signal
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from plaudit_certificates.specs import reader  # noqa: E402
from plaudit_certificates.arithmetic.real import Rejected  # noqa: E402
from plaudit_certificates.statements import judge, verdict  # noqa: E402, F401

MOST_MEMORY = 2 << 30  # bytes of address space


def out_of_time(*_):
    raise Rejected("needs more time than --timeout allows")


def limit(seconds):
    """Limits of time, by an alarm after so many seconds (0: none), and of memory, behind the costs that the checker counts."""
    try:
        import resource
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
        signal.signal(signal.SIGALRM, out_of_time)
        signal.setitimer(signal.ITIMER_REAL, seconds)
    except (ImportError, AttributeError, ValueError, OSError):
        pass  # no such limits on this system


def examine(path, timeout):
    """Prints the verdict on one file and returns the exit status."""
    name = reader.shown(path, 200)[1:-1]
    try:
        limit(timeout)
        try:
            reason, lines = judge(reader.read_file(path), timeout)
        except Rejected as error:
            reason, lines = str(error), []
        except OSError as error:
            print(f"{name}: unreadable: {error.strerror}", file=sys.stderr)
            return 2
        finally:
            limit(0)
    except Rejected as error:  # the alarm between the blocks
        reason, lines = str(error), []
    print(f"{name}: " + ("accepted" if reason is None else f"rejected: {reason}"))
    for line in lines:
        print("  " + line)
    return 0 if reason is None else 3


def main(arguments):
    timeout = 600.0
    if len(arguments) >= 2 and arguments[0] == "--timeout":
        try:
            timeout = float(arguments[1])
        except ValueError:
            timeout = -1.0
        if not 0 < timeout <= 1e6:
            print("plaudit_check.py: --timeout must be a number of seconds > 0", file=sys.stderr)
            return 2
        arguments = arguments[2:]
    if not arguments or arguments[0].startswith("--"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    return max([examine(path, timeout) for path in arguments], key=(0, 3, 2).index)


if __name__ == "__main__":
    try:
        status = main(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 2
    sys.exit(status)
