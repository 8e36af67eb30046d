#!/usr/bin/env python3
"""Are the numbers of this folder and of the pages of docs/ still what the program says?

usage: check.py PLAUDIT [NAME...] [--committed]

Makes the tables (CSV) of the scripts paper_*.py and batch_samplers.py again in a folder of its own, all
or those of NAME (as paper_004), and compares:

 - each table with the committed one: texts as they are, numbers to 6 significant digits, for the last
   of the 16 printed digits of a band are its guard digits; but for measured times, which are the
   columns whose names contain "seconds" (milliseconds among them) or are `speed_up`;
 - the numbers that the pages state in words, which stated.tsv lists beside the expression in the tables
   that they are: a number of so many printed digits agrees where the expression, rounded to these
   digits, is it. The words must stand in the page;
 - the table of widths in docs/accountants.md with what bench/compare.py finds, but for its times
   (as `accountants`, only where it is named or nothing is).

With --committed nothing is made again: the words are compared with the committed tables, in a second.
Writes nothing here. Exit status 1, and a line for each, where numbers differ.
"""
import csv
import os
import re
import subprocess
import sys
import tempfile
from decimal import ROUND_HALF_EVEN, Decimal
from pathlib import Path

HERE = Path(__file__).resolve().parent
NUMBER = r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?"


def is_time(column):
    return "seconds" in column or column == "speed_up"


def same_cell(before, now):
    """Equal, or numbers that agree to 6 significant digits."""
    if before == now:
        return True
    if not (re.fullmatch(NUMBER, before) and re.fullmatch(NUMBER, now)):
        return False
    return abs(float(before) - float(now)) <= 1e-6 * abs(float(before))


def table(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def differing_cells(old, new):
    """What is told of two tables of one name."""
    if [list(row) for row in old] != [list(row) for row in new]:
        yield f"{len(old)} rows of {list(old[0])}, but now {len(new)} of {list(new[0])}"
        return
    for number, (before, now) in enumerate(zip(old, new), 2):
        for column, cell in before.items():
            if not is_time(column) and not same_cell(cell, now[column]):
                yield f"line {number}, {column}: {cell}, but now {now[column]}"


def rows_of(path, conditions):
    """The rows in which each column has the text that is asked for: their cells as numbers, by the names
    of the columns, in which "(order=2)" is "_2"."""
    wanted = dict(each.split("=", 1) for each in conditions.split(", ")) if conditions else {}
    def plain(name):
        return re.sub(r"\(order=(\d)\)", r"_\1", name)

    return [{plain(name): float(cell) for name, cell in row.items() if re.fullmatch(NUMBER, cell or "")}
            for row in table(path) if all(row[name] == text for name, text in wanted.items())]


def value_of(folder, name, conditions, expression):
    """An expression in the columns of the one row that is meant; of a column over several rows, its
    least or greatest value: least(x), greatest(x)."""
    rows = rows_of(folder / name, conditions)
    extreme = re.fullmatch(r"(least|greatest)\((.*)\)", expression)
    choose = {"least": min, "greatest": max}[extreme[1]] if extreme else None
    if not rows or (len(rows) > 1 and choose is None):
        raise SystemExit(f"stated.tsv: {len(rows)} rows of {name} with {conditions}")
    values = [eval(extreme[2] if extreme else expression, {"__builtins__": {}, "abs": abs}, row)
              for row in rows]
    return choose(values) if choose else values[0]


def agrees(printed, value):
    """Whether `value`, rounded as `printed` is, is that number."""
    stated = Decimal(printed)
    step = Decimal(1).scaleb(stated.as_tuple().exponent)
    return abs(Decimal(value).quantize(step, rounding=ROUND_HALF_EVEN) - stated) == 0


def problems_of_words(folder, names):
    """Of stated.tsv: page, words with the number between braces, table, rows, expression."""
    for line in (HERE / "stated.tsv").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        page, words, name, conditions, expression = line.split("\t")
        if not any(name.startswith(each) for each in names):
            continue
        text = " ".join((HERE / page).read_text(encoding="utf-8").split())
        plain = words.replace("{", "").replace("}", "")
        if plain not in text:
            yield f"{page}: does not say \"{plain}\" any more: stated.tsv is to be brought up to date"
            continue
        printed = re.search(r"\{([^}]*)\}", words)[1]
        value = value_of(folder, name, conditions, expression)
        if not agrees(printed, value):
            yield f"{page}: says \"{plain}\", but {expression} of {name} is {value:.6g}"


def problems_of_tables(program, name, folder):
    """Runs the script `name` and compares its tables."""
    print(f"{name}: made again, which takes as long as its page says", flush=True)
    done = subprocess.run([sys.executable, HERE / f"{name}.py", program, folder], check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        yield f"{name}.py: exit status {done.returncode}: {done.stdout[-300:]}"
        return
    for made in sorted(folder.glob(f"{name}*.csv")):
        committed = HERE / made.name
        if not committed.exists():
            yield f"{made.name}: is not committed"
            continue
        yield from (f"{made.name}: {each}" for each in differing_cells(table(committed), table(made)))


def problems_of_widths(program):
    """Of the measured table of docs/accountants.md: its cells without their times."""
    text = (HERE.parent / "accountants.md").read_text(encoding="utf-8")
    stated = re.search(r"<!-- measured: [^\n]*-->\n\n(.*?)\n\n<!-- end -->", text, re.DOTALL)[1]
    now = subprocess.run([sys.executable, HERE.parents[1] / "bench" / "compare.py", program], check=True,
                         capture_output=True, text=True).stdout
    without = [re.sub(r", [0-9.e-]+ s( |$)", r"\1", each) for each in (stated, now.strip())]
    for before, after in zip(*(each.splitlines() for each in without)):
        if before != after:
            yield f"accountants.md, measured: {before}, but now {after}"


def main():
    arguments = [each for each in sys.argv[1:] if not each.startswith("--")]
    program = os.path.abspath(arguments[0])
    known = sorted(path.stem for path in [*HERE.glob("paper_*.py"), HERE / "batch_samplers.py"])
    names = arguments[1:] or [*known, "accountants"]
    unknown = [each for each in names if each not in [*known, "accountants"]]
    if unknown:
        sys.exit(f"no script of the name {unknown[0]}: {', '.join(known)}, accountants")
    scripts = [each for each in names if each != "accountants"]
    problems = []
    with tempfile.TemporaryDirectory() as made:
        folder = HERE
        if "--committed" not in sys.argv:
            folder = Path(made)
            for name in scripts:
                problems += problems_of_tables(program, name, folder)
            if "accountants" in names:
                problems += problems_of_widths(program)
        problems += problems_of_words(folder, scripts)
    for each in problems:
        print(each)
    print(f"{len(problems)} numbers differ" if problems else "all numbers are what the program says")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
