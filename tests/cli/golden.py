"""The golden set: what counts as worse, and quick questions against the recorded answers."""
import os
import sys
from pathlib import Path

from _program import PROGRAM, expect, finish

GOLDEN = Path(__file__).resolve().parents[2] / "bench" / "golden"
sys.path.insert(0, str(GOLDEN))
import golden  # noqa: E402

ROW = {"digits": "6"}


def answer(lower, upper, reached):
    return {"lower": lower, "upper": upper, "reached": reached}


CASES = [
    ("the same", answer("1", "1.0000001", True), answer("1", "1.0000001", True), None),
    ("disjoint", answer("1", "1.1", False), answer("1.2", "1.3", False), "disjoint"),
    ("disjoint below", answer("1.2", "inf", False), answer("1.1", "1.15", True), "disjoint"),
    ("no digits any more", answer("1", "1.1", False), answer("1", "1.0000001", True), "wider"),
    ("wider, both reached", answer("1", "1.0000009", True), answer("1", "1.0000001", True), None),
    ("wider, none reached", answer("1", "1.2", False), answer("1", "1.1", False), "wider"),
    ("wider by less than the digits", answer("1", "1.0000021", False), answer("1", "1.0000012", False), None),
    ("infinite", answer("1", "inf", False), answer("1", "1000", False), "wider"),
    ("both infinite", answer("1", "inf", False), answer("2", "inf", False), None),
    ("numbers beyond doubles", answer("1e-400", "2e-400", False), answer("1e-400", "1.1e-400", False), "wider"),
]
for name, mine, other, kind in CASES:
    expect(golden.worse(ROW, mine, other) == kind, f"{name}: {golden.worse(ROW, mine, other)}, not {kind}")

questions = golden.questions()
expect(len(questions) == 500, f"{len(questions)} questions")
recorded = golden.recorded_answers()
expect(sorted(recorded) == sorted(questions), "questions without a recorded answer")
# The quickest of each mechanism that is the first factor.
quick = {}
for key, row in questions.items():
    name = row["spec"].partition("(")[0]
    if name not in quick or float(recorded[key]["seconds"]) < float(recorded[quick[name]]["seconds"]):
        quick[name] = key
expect(len(quick) == 28, f"{len(quick)} mechanisms")
program = str(Path(PROGRAM).resolve())
os.chdir(GOLDEN)  # where the laws in files are
for key in quick.values():
    mine = golden.answer_of(program, questions[key], 60)
    if isinstance(mine, str):
        expect(False, f"{key}: {mine}")
        continue
    kind = golden.worse(questions[key], mine, recorded[key])
    expect(kind is None, f"{key}: {kind}: {golden.shown(mine)}, recorded {golden.shown(recorded[key])}")

finish()
