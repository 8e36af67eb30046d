"""Control characters from input reached terminals: C1 ones in messages, those of ids and of the adjacency
that a law file states in text, CSV and JSON; text that was no UTF-8 was an internal error in JSON."""
import os
import subprocess
import tempfile
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from _program import PROGRAM, expect, finish, json  # noqa: E402


def run(*arguments, stdin=b""):
    done = subprocess.run([PROGRAM, *arguments], input=stdin, capture_output=True, timeout=800)
    for output in (done.stdout, done.stderr):
        text = output.decode("utf-8", "surrogateescape")
        bad = [c for c in text if c != "\n" and (ord(c) < 32 or 127 <= ord(c) < 160 or 0xdc80 <= ord(c) <= 0xdcff
                                                 or c in "\u202e\u2066")]
        expect(not bad, f"{arguments[:2]}: {bad} in {text[:300]!r}")
    expect(done.returncode in (0, 2, 3, 4), f"{arguments[:2]}: {done.returncode} {done.stderr[:300]}")
    return done


EVIL = "a\x1b[31m\u009b32m\u202eb\x7f"
with tempfile.TemporaryDirectory() as folder:
    law = os.path.join(folder, "law.json")
    pathlib.Path(law).write_text(json.dumps(
        {"adjacency": EVIL, "both": {"losses": ["-1/2", "1/4"], "masses": ["1/4", "3/4"]}}))
    spec = f'pld(file="{law}")'
    for more in ([], ["--json"]):
        run("delta", spec, "--epsilon", "0", *more)
        run("curve", spec, "--epsilon", "0:1:1", *more)
        run("compare", spec, "--epsilon", "0", "--accountant", "contour", *more)
        claims = [{"id": EVIL, "source": EVIL, "spec": s, "kind": "upper", "delta": d, "epsilon": "5"}
                  for s, d in (("gaussian(1)", "1e-5"), (EVIL, "1e-5"), (spec, "1e-5"), ("gaussian(1)", EVIL))]
        run("audit", "-", "--allow-files", folder, *more, stdin=json.dumps(claims).encode())
        run("audit", "-", *more, stdin=json.dumps([{EVIL: 1}]).encode())
        run("audit", "-", *more, stdin=b"id,spec,kind,delta,epsilon\n\xff\xfe\x9b,gaussian(1),upper,1e-5,5\n")
    run("epsilon", EVIL, "--delta", "1e-5")
    run("epsilon", "gaussian(1)", "--delta", EVIL)
    run("epsilon", "gaussian(1)", "--delta", "1e-5", "--accountant", EVIL)
    run("epsilon", "gaussian(1)", "--delta", "1e-5", "--certificate", f"/nowhere/{EVIL}")
    run("audit", f"/nowhere/{EVIL}")
    run(EVIL)
finish()
