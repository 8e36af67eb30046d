"""Coq accepts what prove writes, and refuses forgeries: epsilon less by 1e-3, a lower weight of a cell, a cell left
out. Skipped where there is no coqc. The library is compiled into a folder of the build that ./dev prove may share
(PLAUDIT_KERNEL)."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

from _program import expect, run

if shutil.which("coqc") is None or shutil.which("coq_makefile") is None:
    print("skipped: there is no coqc")
    sys.exit(77)

ROOT = os.environ["PLAUDIT_SOURCE_DIR"]
KERNEL = os.environ.get("PLAUDIT_KERNEL", os.path.join(os.getcwd(), "kernel"))


def coq(path):
    return subprocess.run([os.path.join(ROOT, "dev"), "prove", path], capture_output=True, text=True,
                          env={**os.environ, "PLAUDIT_KERNEL": KERNEL, "PLAUDIT_NO_INSTALL": "1", "PLAUDIT_JOBS": "2"})


def forged(text, pattern, change):
    result, count = re.subn(pattern, change, text, count=1)
    expect(count == 1 and result != text, pattern)
    return result


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "run.v")

    def refused(text, what):
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
        result = coq(path)
        expect(result.returncode == 1 and "REFUSED" in result.stdout, what + ": " + result.stdout + result.stderr)

    for spec, end in (("gaussian(sigma=2)^2", "upper"), ("poisson(gaussian(sigma=1), rate=1/50)^3", "lower")):
        written = run("prove", spec, "--delta", "1e-5", "--end", end, "--direction", "remove", "--digits", "2",
                      "--output", path)
        expect(written.status == 0, written.err)
        accepted = coq(path)
        if "missing packages" in accepted.stderr:
            print("skipped: " + accepted.stderr)
            sys.exit(77)
        expect(accepted.returncode == 0 and "accepted by Coq" in accepted.stdout, accepted.stdout + accepted.stderr)
        expect(spec.split("(")[0] in accepted.stdout and "Axioms:" in accepted.stdout, accepted.stdout)
        if end == "lower":
            continue
        with open(path, encoding="ascii") as file:
            text = file.read()
        less = re.compile(r"\(exp \((\d+) / (\d+)\)\)")
        top, bottom = less.search(text).groups()
        refused(less.sub(f"(exp ({1000 * int(top) - int(bottom)} / {1000 * int(bottom)}))", text), "epsilon less")
        # In the middle of the list, where the probabilities are.
        middle = len(re.findall(r"Definition cells0_\d+ ", text)) // 2
        cells = rf"(Definition cells0_{middle} [^\n]*?)"
        refused(forged(text, cells + r"(CellChoice \(Z\.to_nat \d+\) )([1-9]\d*) ",
                       lambda m: f"{m[1]}{m[2]}{int(m[3]) - 1} "), "a lower weight")
        refused(forged(text, cells + r"CellChoice [^\[]*\[[^]]*\] \[[^]]*\]; ", r"\1"), "a cell left out")
