#!/usr/bin/env python3
"""Runs the tests against bounds that are broken on purpose, one at a time.

    run.py BUILD [NAME...]      BUILD: a build directory with PLAUDIT_MUTANTS=ON

For every row of table.tsv (or those whose name is given, or begins with a given name and a dot) the
tests it lists run with PLAUDIT_MUTANT set, the cheapest first, until one fails, crashes or takes
ten times what it takes otherwise: the mutant is killed. A row whose test column is "redundant" is
not run; its last column proves that no test can notice. The exit status is 1 where a mutant
survives, or where a test fails without a mutant.
"""

import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
JOBS = int(os.environ.get("PLAUDIT_JOBS", "2"))
LEAST_LIMIT = 20.0  # seconds


def table():
    """Rows (name, file, tests, reason)."""
    rows = []
    for line in (HERE / "table.tsv").read_text().splitlines():
        if line and not line.startswith("#"):
            name, file, tests, *reason = line.split("\t")
            rows.append((name, file, tests, reason[0] if reason else ""))
    return rows


def command(build, test):
    """folder/name or folder/name:pattern of test cases."""
    name, _, pattern = test.partition(":")
    folder, _, file = name.partition("/")
    result = [str(build / "tests" / f"{folder}_tests"), "--no-intro",
              f"--source-file=*tests/{folder}/{file}_test.cpp", "--abort-after=1"]
    return result + ([f"--test-case={pattern}"] if pattern else [])


def run(build, test, mutant, limit):
    """(verdict, seconds): passed, failed, crashed or timeout."""
    environment = {k: v for k, v in os.environ.items() if k != "PLAUDIT_MUTANT"}
    if mutant:
        environment["PLAUDIT_MUTANT"] = mutant
    start = time.monotonic()
    try:
        done = subprocess.run(command(build, test), env=environment, capture_output=True, text=True,
                              timeout=limit, errors="replace")
    except subprocess.TimeoutExpired:
        return "timeout", time.monotonic() - start
    seconds = time.monotonic() - start
    if done.returncode < 0:
        return "crashed", seconds
    if re.search(r"test cases: +0 ", done.stdout):
        return "no such test", seconds
    return ("passed" if done.returncode == 0 else "failed"), seconds


def judge(build, row, usual):
    name, _, tests, _ = row
    for test in sorted(tests.split(), key=lambda t: usual[t]):
        verdict, seconds = run(build, test, name, max(LEAST_LIMIT, 10 * usual[test]))
        if verdict != "passed":
            return f"killed by {test} ({verdict}, {seconds:.1f} s)", True
    return "SURVIVED " + tests, False


def main():
    build = Path(sys.argv[1]).resolve()
    wanted = sys.argv[2:]
    rows = [row for row in table()
            if not wanted or any(row[0] == w or row[0].startswith(w + ".") for w in wanted)]
    if not rows:
        print("no such mutant")
        return 2
    start = time.monotonic()
    live = [row for row in rows if row[2] != "redundant"]
    tests = sorted({test for row in live for test in row[2].split()})
    usual = {}
    with ThreadPoolExecutor(JOBS) as pool:
        for test, (verdict, seconds) in zip(
                tests, pool.map(lambda t: run(build, t, None, 900), tests)):
            usual[test] = seconds
            if verdict != "passed":
                print(f"without a mutant: {test} {verdict}")
                return 1
        survivors = 0
        for row, (text, killed) in zip(live, pool.map(lambda r: judge(build, r, usual), live)):
            survivors += not killed
            print(f"{row[0]}: {text}", flush=True)
    for row in rows:
        if row[2] == "redundant":
            print(f"{row[0]}: redundant, {row[3]}")
    print(f"{len(rows)} mutants, {len(live) - survivors} killed, {survivors} survived, "
          f"{len(rows) - len(live)} redundant, {time.monotonic() - start:.0f} s")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
