"""Small files took minutes and gigabytes: 20,000 probabilities of 1e-100000 in an exported PLD (over 100 s),
lists in lists (15 MB took 5.5 GB), objects of many keys. Each is read in linear time or refused by a
limit that the message names."""
import os
import tempfile
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from _program import PROGRAM, expect, finish, json  # noqa: E402

KEYS = "{" + ",".join(f'"k{i}": 1' for i in range(80_000)) + "}"
CLAIM = '"id": "a", "spec": "gaussian(1)", "kind": "upper", "delta": "1e-5", "epsilon": "5"'
PLD = {"id": "a", "spec": "gaussian(1)", "kind": "pessimistic",
       "pld": {"discretization_interval": "1e-4", "lower_loss": "0", "infinity_mass": "0",
               "probabilities": ["1e-100000"] * 20_000}}
LISTS = "[" + ",".join(["[]"] * 5_000_000) + "]"


def run(path, *arguments):
    """Status, what was said, seconds of processors, MB."""
    out = path + ".out"
    process = os.fork()
    if process == 0:
        os.dup2(os.open(out, os.O_CREAT | os.O_TRUNC | os.O_WRONLY), 1)
        os.dup2(1, 2)
        os.execv(PROGRAM, [PROGRAM, *arguments])
    _, status, usage = os.wait4(process, 0)
    words = pathlib.Path(out).read_text(errors="replace")
    return os.waitstatus_to_exitcode(status), words, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "a.json")
    law = ["epsilon", f'pld(file="{path}")', "--delta", "1e-5"]
    audit = ["audit", path]
    for text, arguments, statuses, word in (
            (f"[{KEYS}]", audit, (2,), "unknown field"),
            ('[{%s, "notes": %s}]' % (CLAIM, KEYS), audit, (0,), ""),
            ('[{%s, "event": %s}]' % (CLAIM.replace('"spec": "gaussian(1)", ', ""), KEYS), audit, (2,), ""),
            (json.dumps([PLD]), audit, (2,), "exponents within +-1000"),
            (LISTS, audit, (2,), "2000000 values"),
            (LISTS, law, (2,), "4000000 values"),
            (KEYS, law, (2,), "unknown field"),
            ("[" * 100_000, law, (2,), "20 deep"),
            (KEYS, ["check", path], (3,), "missing"),
            (LISTS[:8_000_000] + "]", ["check", path], (3,), "rejected")):
        pathlib.Path(path).write_text(text)
        status, words, seconds, memory = run(path, *arguments)
        what = f"{text[:40]} {arguments[0]}: {status} {words[-300:]}, {seconds:.1f} s, {memory:.0f} MB"
        expect(status in statuses and word in words, what)
        expect(seconds < 5 and memory < 600, what)
finish()
