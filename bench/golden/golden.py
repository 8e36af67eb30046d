#!/usr/bin/env python3
"""The golden set: is one program at least as good as another on 500 questions?

    golden.py PROGRAM [OTHER] [--ids 0-99,120] [--rounds 1] [--timeout 10] [--slower 2] [--jobs 1]
    golden.py PROGRAM --record [--ids ...] [--jobs 1]

questions.tsv has the questions: quantity, argument, digits, direction, spec (questions.py drew them). With
--record the answers of PROGRAM become answers.tsv: the band, whether its digits were reached, accountant and
method, the certificate (of the same band, of a wider one, or none), the kinds of its statements, its bytes,
and seconds of processor time: for the answer, for the certificate besides, and for `check`.

Without OTHER, PROGRAM is compared with answers.tsv: bands alone, since times of another day say nothing. With
OTHER both programs answer each question by turns, in --rounds rounds, and the least processor times are compared
too (a process from its start to its end, children included).

A line for each question where PROGRAM is worse than the other one:

  disjoint   the bands do not meet: one of the programs is wrong;
  wider      the other one reached the digits and PROGRAM did not; or neither did, and the band of PROGRAM is wider
             by more than a hundredth and than 10^-digits of its upper end (an infinite band is wider than a finite);
  slower     more than --slower times the processor time of the other one and more than LEAST seconds above it;
  failed     no answer.

Bands that the time limit cut are those of a machine that is as busy in both turns. Exit status 1 where there is
such a line.
"""
import argparse
import csv
import json
import os
import pathlib
import statistics
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from decimal import Context, Decimal

HERE = pathlib.Path(__file__).resolve().parent
LEAST = 0.05  # seconds: smaller differences of time are not told from noise
EXACT = Context(prec=20000, Emax=10**12, Emin=-10**12)
COLUMNS = ["id", "lower", "upper", "reached", "accountant", "method", "certificate", "kinds", "bytes", "seconds",
           "certificate_seconds", "check_seconds"]


def questions():
    with open(HERE / "questions.tsv", encoding="utf-8", newline="") as file:
        return {int(row["# id"]): row for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)}


def recorded_answers():
    with open(HERE / "answers.tsv", encoding="utf-8", newline="") as file:
        return {int(row["id"]): {**row, "reached": row["reached"] == "yes"}
                for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)}


def run(command):
    """(status, standard output, standard error, seconds of processor time with all children's)"""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        pid = os.posix_spawn(command[0], command, os.environ, file_actions=[
            (os.POSIX_SPAWN_DUP2, out.fileno(), 1), (os.POSIX_SPAWN_DUP2, err.fileno(), 2)])
        _, status, used = os.wait4(pid, 0)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode())
    return os.waitstatus_to_exitcode(status), *texts, used.ru_utime + used.ru_stime


def command_of(program, row, timeout):
    return [program, row["quantity"], row["spec"], "--delta" if row["quantity"] == "epsilon" else "--epsilon",
            row["argument"], "--digits", row["digits"], "--direction", row["direction"], "--timeout", str(timeout),
            "--json"]


def answer_of(program, row, timeout):
    """The answer with its seconds of processor time, or the reason why there is none, as a text."""
    status, out, err, seconds = run(command_of(program, row, timeout))
    if status not in (0, 4):
        return f"status {status}: {err.strip()[:200]}"
    return {**json.loads(out), "cpu": seconds}


def number(text):
    return Decimal(text.replace("inf", "Infinity")) if isinstance(text, str) else Decimal(text)


def worse(row, mine, other):
    """What PROGRAM is worse in, by the bands."""
    digits = int(row["digits"])
    low, high, their_low, their_high = (number(x) for x in (mine["lower"], mine["upper"], other["lower"],
                                                            other["upper"]))
    if high < their_low or their_high < low:
        return "disjoint"
    if mine["reached"]:
        return None
    if other["reached"]:
        return "wider"
    if not high.is_finite() or not their_high.is_finite():
        return "wider" if their_high.is_finite() else None
    width, theirs = EXACT.subtract(high, low), EXACT.subtract(their_high, their_low)
    allowed = max(EXACT.multiply(theirs, Decimal("0.01")), EXACT.scaleb(abs(high), -digits))
    return "wider" if EXACT.subtract(width, theirs) > allowed else None


def shown(answer):
    return f"[{answer['lower']}, {answer['upper']}] by {answer['accountant']}"


class Comparison:
    def __init__(self, options):
        self.options = options
        self.asked = 0
        self.worse = {}
        self.ratios = []
        self.recorded = {} if options.other else recorded_answers()

    def answers(self, row):
        """(of PROGRAM, of the other one), each with its least time"""
        options = self.options
        if not options.other:
            return answer_of(options.program, row, options.timeout), self.recorded[int(row["# id"])]
        found = {}
        for turn in range(options.rounds):
            pair = [options.program, options.other]
            for program in pair if turn % 2 == 0 else reversed(pair):
                answer = answer_of(program, row, options.timeout)
                before = found.get(program)
                if isinstance(answer, dict) and isinstance(before, dict):
                    answer["cpu"] = min(answer["cpu"], before["cpu"])
                found[program] = answer
        return found[options.program], found[options.other]

    def judge(self, row):
        self.asked += 1
        if self.asked % 50 == 0:
            print(f"question {self.asked}", file=sys.stderr, flush=True)
        mine, other = self.answers(row)
        told = None
        if isinstance(mine, str):
            told = "failed", mine
        elif isinstance(other, dict):
            kind = worse(row, mine, other)
            if kind:
                told = kind, f"{shown(mine)}; the other: {shown(other)}"
            elif self.options.other:
                self.ratios.append(mine["cpu"] / other["cpu"])
                slower = mine["cpu"] > self.options.slower * other["cpu"] and mine["cpu"] > other["cpu"] + LEAST
                if slower:
                    told = "slower", f"{mine['cpu']:.3f} s; the other: {other['cpu']:.3f} s"
        if told:
            self.worse.setdefault(told[0], []).append(row["# id"])
            print(f"{row['# id']}: {told[0]}: {told[1]}\n    {' '.join(list(row.values())[1:])}", flush=True)

    def tell(self, asked):
        kinds = ", ".join(f"{len(ids)} {kind}" for kind, ids in sorted(self.worse.items()))
        print(f"{asked} questions: {kinds or 'none worse'}")
        if self.ratios:
            print(f"processor time by turns: median ratio {statistics.median(self.ratios):.3f}, greatest "
                  f"{max(self.ratios):.2f}")
        return 1 if self.worse else 0


def record_of(program, row, timeout):
    """A row of answers.tsv."""
    answer = answer_of(program, row, timeout)
    if isinstance(answer, str):
        raise SystemExit(f"{row['# id']}: {answer}")
    result = {"id": row["# id"], "lower": answer["lower"], "upper": answer["upper"],
              "reached": "yes" if answer["reached"] else "no", "accountant": answer["accountant"],
              "method": answer.get("method", ""), "certificate": "none", "seconds": f"{answer['cpu']:.4f}"}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "certificate.json")
        *_, seconds = run([*command_of(program, row, timeout), "--certificate", path])
        result["certificate_seconds"] = f"{max(0.0, seconds - answer['cpu']):.4f}"
        if os.path.exists(path):
            text = pathlib.Path(path).read_text(encoding="utf-8")
            certificate = json.loads(text)
            same = all(certificate[end] == answer[end] for end in ("lower", "upper"))
            status, *_, checking = run([program, "check", path])
            result.update(certificate=("same" if same else "wider") if status == 0 else "rejected", bytes=len(text),
                          kinds=" ".join(sorted({one["kind"] for one in certificate["statements"]})),
                          check_seconds=f"{checking:.4f}")
    return result


def record(options, rows):
    path = HERE / "answers.tsv"
    kept = {}
    if path.exists():
        with open(path, encoding="utf-8", newline="") as file:
            kept = {row["id"]: row for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)}
    with ThreadPoolExecutor(options.jobs) as pool:
        for found in pool.map(lambda row: record_of(options.program, row, options.timeout), rows):
            kept[found["id"]] = found
            print(found["id"], found["reached"], found["certificate"], found["seconds"], flush=True)
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, delimiter="\t", quoting=csv.QUOTE_NONE, lineterminator="\n", restval="")
        writer.writeheader()
        writer.writerows(kept[key] for key in sorted(kept, key=int))
    return 0


def chosen(text, every):
    if not text:
        return list(every.values())
    ids = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        if not (first.isdigit() and (last or first).isdigit()):
            raise SystemExit(f"golden.py: --ids must be numbers and ranges as 0-99,120, not '{text}'")
        ids.update(range(int(first), int(last or first) + 1))
    return [row for key, row in every.items() if key in ids]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=lambda text: str(pathlib.Path(text).resolve()))
    parser.add_argument("other", nargs="?", type=lambda text: str(pathlib.Path(text).resolve()))
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--ids", default="")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=10)
    parser.add_argument("--slower", type=float, default=2)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    for program in filter(None, (options.program, options.other)):
        if not os.access(program, os.X_OK):
            raise SystemExit(f"golden.py: no program at {program}")
    rows = chosen(options.ids, questions())
    os.chdir(HERE)  # the specs name laws in files beside the questions
    if options.record:
        return record(options, rows)
    comparison = Comparison(options)
    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(comparison.judge, rows))
    return comparison.tell(len(rows))


if __name__ == "__main__":
    sys.exit(main())
