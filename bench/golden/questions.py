#!/usr/bin/env python3
"""Draws the questions of the golden set: questions.tsv and the laws in files that they name.

    questions.py --program build/plaudit [--questions 500] [--seed 42] [--jobs 1]

Every mechanism is the first factor equally often, three questions of ten have one or two factors more.
Counts go from 1 to 10^12, digits from 5 to 30, the deltas of questions about epsilon from 0.1 to 1e-300.
What the program refuses (factors of different adjacencies), or does not begin to bound within LIMIT
seconds, is drawn again; of those questions whose digits it does not reach in that time, for which the
band is what the clock leaves, at most one in ten stays. A question is kept whatever its band is, so the
set is no selection of what is easy at the digits asked.
"""
import argparse
import json
import pathlib
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from auto_against_all import RECIPES, Draw  # noqa: E402

LIMIT = 10  # seconds
DIGITS = [5, 6, 8, 10, 12, 12, 12, 15, 20, 30]
DIRECTIONS = ["both"] * 4 + ["remove", "add"]
MOST_UNREACHED = 0.1
# No lower end is known of these, so no digits are reached, at any time.
ONLY_BOUNDS = ("zcdp", "tcdp", "cdp")


def power(draw):
    return draw.choice(1, 1, 2, 3, draw.count(1, 100), draw.count(10, 10_000), draw.count(100, 1_000_000),
                       draw.count(10**4, 10**12))


def question(draw, index):
    names = list(RECIPES)
    factors = [names[index % len(names)]]
    factors += [draw.choice(*names) for _ in range(draw.choice(0, 0, 0, 0, 0, 0, 0, 1, 1, 2))]
    spec = " * ".join(f"{RECIPES[name](draw)}^{power(draw)}" for name in factors)
    if draw.random.random() < 0.7:
        low, high = draw.choice((-12, -1), (-12, -1), (-12, -1), (-30, -12), (-300, -30))
        asked = "epsilon", f"{10 ** draw.random.uniform(low, high):.2g}"
    else:
        asked = "delta", f"{10 ** draw.random.uniform(-3, 1.5):.3g}"
    spec = spec.replace(f"{HERE}/", "")  # laws in files are named by their place beside the questions
    return [*asked, str(draw.choice(*DIGITS)), draw.choice(*DIRECTIONS), spec]


def answered(program, row):
    """The answer, or nothing where the program refuses the question or has only the trivial band."""
    quantity, argument, digits, direction, spec = row
    done = subprocess.run([program, quantity, spec, "--delta" if quantity == "epsilon" else "--epsilon", argument,
                           "--digits", digits, "--direction", direction, "--timeout", str(LIMIT), "--json"],
                          capture_output=True, text=True, cwd=HERE)
    if done.returncode not in (0, 4):
        return None
    answer = json.loads(done.stdout)
    known = answer["upper"] not in ("inf", "1") or answer["lower"] != "0"
    return answer if answer["certified"] and known else None


def drawn(program, seed, index):
    """(the question, whether its digits are reached)"""
    draw = Draw(f"{seed} {index}", HERE / "laws")
    draw.files = 100 * index
    unreached = random.Random(f"{seed} {index} unreached").random() < MOST_UNREACHED
    while True:
        row = question(draw, index)
        answer = answered(program, row)
        only_bounds = any(name in row[4] for name in ONLY_BOUNDS)
        if answer and (answer["reached"] or only_bounds or unreached):
            return row, answer["reached"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True, type=lambda text: str(pathlib.Path(text).resolve()))
    parser.add_argument("--questions", type=int, default=500)
    parser.add_argument("--seed", type=int, default=42)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    with ThreadPoolExecutor(options.jobs) as pool, open(HERE / "questions.tsv", "w", encoding="utf-8") as file:
        file.write("# id\tquantity\targument\tdigits\tdirection\tspec\n")
        rows = pool.map(lambda index: drawn(options.program, options.seed, index), range(options.questions))
        for index, (row, reached) in enumerate(rows):
            file.write("\t".join([str(index), *row]) + "\n")
            file.flush()
            print(index, "reached" if reached else "not reached", *row, flush=True)
    named = (HERE / "questions.tsv").read_text(encoding="utf-8")
    for law in (HERE / "laws").glob("*.json"):  # those of questions that were drawn again
        if f"laws/{law.name}" not in named:
            law.unlink()


if __name__ == "__main__":
    main()
