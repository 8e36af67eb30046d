"""What a guarantee is for was cut off, and by the program elsewhere than by the checkers.

An adjacency of a law file (up to 200 characters) was printed to 40 characters by the program and to 60 by one checker:
two readers of one certificate could not tell that it is the same adjacency. (Found by fuzzing laws.)
"""
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = os.environ["PLAUDIT_PROGRAM"]
PYTHON = Path(__file__).resolve().parents[2] / "python"


def printed(command, **more):
    return subprocess.run(command, capture_output=True, text=True, timeout=800, check=True, **more).stdout


with tempfile.TemporaryDirectory() as folder:
    for kind in ("k" * 41, "k" * 200, "\ufffd" * 14 + "x"):
        law = Path(folder) / "law.json"
        law.write_text(json.dumps({"adjacency": kind, "both": {"losses": [1], "masses": [1]}}))
        proof = Path(folder) / "proof.json"
        said = printed([PROGRAM, "delta", f'pld(file="{law}")', "--epsilon", "0.5", "--certificate", str(proof)])
        checked = printed([PROGRAM, "check", str(proof)])
        other = printed([sys.executable, str(PYTHON / "plaudit_check.py"), str(proof)])
        texts = {re.search(r"adjacency:? +(.*)", each)[1].strip() for each in (said, checked, other)}
        wanted = "".join(c if " " <= c <= "~" else "?" * len(c.encode()) for c in kind)
        assert texts == {f"'{wanted}'"}, (texts, wanted)
print("ok")
