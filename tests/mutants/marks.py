#!/usr/bin/env python3
"""The marks PLAUDIT_BOUND in the sources and the rows of table.tsv are the same.

    marks.py [ROOT]
"""

import re
import sys
from pathlib import Path

MARK = re.compile(r'PLAUDIT_BOUND\(\s*"([^"]*)"')
NAME = re.compile(r"[a-z0-9_]+\.[a-z0-9_]+")
FEWEST = 120


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    problems = []
    marks = {}
    for layer in ("lib", "mechanisms", "accountants", "verification", "api", "cli"):
        for path in sorted((root / layer).rglob("*.[ch]pp")):
            if path == root / "lib" / "mutant.hpp":
                continue
            for name in MARK.findall(path.read_text()):
                if name in marks:
                    problems.append(f"{name}: marked twice")
                if not NAME.fullmatch(name):
                    problems.append(f"{name}: not a name in words, topic.what")
                marks[name] = str(path.relative_to(root))
    rows = {}
    for line in (root / "tests" / "mutants" / "table.tsv").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        name, file, tests, *reason = line.split("\t")
        if name in rows:
            problems.append(f"{name}: two rows")
        rows[name] = file
        if tests == "redundant" and len(" ".join(reason)) < 40:
            problems.append(f"{name}: redundant without a reason")
        for test in tests.split() if tests != "redundant" else []:
            if not (root / "tests" / (test.partition(":")[0] + "_test.cpp")).is_file():
                problems.append(f"{name}: no test {test}")
    for name in sorted(marks.keys() | rows.keys()):
        if name not in rows:
            problems.append(f"{name}: not in the table")
        elif name not in marks:
            problems.append(f"{name}: not in the sources")
        elif rows[name] != marks[name]:
            problems.append(f"{name}: in {marks[name]}, not in {rows[name]}")
    for problem in problems:
        print(problem)
    print(f"{len(marks)} marks, {len(problems)} problems")
    return 1 if problems or len(marks) < FEWEST else 0


if __name__ == "__main__":
    sys.exit(main())
