#!/usr/bin/env python3
"""Has Coq check files of `plaudit prove`, and says what was proved.

    prove.py THEORIES FILE...

THEORIES is the folder of the compiled library. Prints the words at the top of each file, the axioms that Coq lists, in
short, seconds and memory. Exit status 1 where Coq refuses one of the files.
"""
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# What Coq's library of real numbers and the Coquelicot library rest on, and what they are in words.
KNOWN = {
    "sig_not_dec": "classical reals", "sig_forall_dec": "classical reals",
    "functional_extensionality_dep": "extensionality of functions", "classic": "excluded middle",
    "constructive_indefinite_description": "choice", "Eqdep.Eq_rect_eq.eq_rect_eq": "equality proofs are equal",
}
MACHINE = re.compile(r"(PrimFloat|Uint63|Int63|PrimInt63|FloatAxioms|FloatOps|SpecFloat|PrimitiveFloat|float|int\b)", re.I)


def axioms(output):
    """{theorem's number: names of axioms} of the text that Print Assumptions printed."""
    found = []
    for line in output.splitlines():
        if line.startswith("Axioms:"):
            found.append([])
        elif line.startswith("Closed under"):
            found.append([])
        elif found and re.match(r"[A-Za-z_.0-9']+ ?:|[A-Za-z_.0-9']+$", line):
            found[-1].append(line.split(":")[0].strip())
    return found


def in_short(names):
    words, machine, other = [], 0, []
    for name in names:
        last = name.split(".")[-1]
        if name in KNOWN or last in KNOWN:
            words.append(KNOWN.get(name, KNOWN.get(last)))
        elif MACHINE.search(name):
            machine += 1
        else:
            other.append(name)
    words = sorted(set(words)) + ([f"{machine} of machine integers and floats"] if machine else []) + sorted(set(other))
    return ", ".join(words) if words else "none"


def words_of(text):
    """The comment at the top, without its marks."""
    match = re.match(r"\(\*\s?(.*?)\s?\*\)", text, re.DOTALL)
    return match.group(1).split("\n\nThe pair of each step")[0].strip() if match else "(the file has no words at its top)"


def check(theories, path):
    """Whether Coq accepts the file."""
    text = path.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "run.v"
        copy.write_text(text, encoding="utf-8")
        begin = time.monotonic()
        done = subprocess.run(["coqc", "-q", "-w", "none", "-Q", theories, "Plaudit", copy], capture_output=True,
                              text=True, cwd=folder)
        seconds = time.monotonic() - begin
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    lists = axioms(done.stdout)
    accepted = done.returncode == 0 and lists and "Admitted" not in text and not re.search(r"^\s*(Axiom|Parameter|Conjecture)\b", text, re.M)
    print(f"{path}: {'accepted by Coq' if accepted else 'REFUSED'} in {seconds:.1f} s, {memory:.0f} MB\n")
    if accepted:
        print(words_of(text) + "\n")
        for name in sorted({in_short(names) for names in lists}):
            print(f"Axioms: {name}")
        print()
    else:
        print(done.stderr[-2000:] or "no theorem, or an axiom of its own")
    return accepted


def main():
    theories = sys.argv[1]
    accepted = [check(theories, Path(name)) for name in sys.argv[2:]]
    sys.exit(0 if all(accepted) else 1)


if __name__ == "__main__":
    main()
