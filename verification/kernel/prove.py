#!/usr/bin/env python3
"""Has Coq check files of `plaudit prove`, and says what was proved.

    prove.py THEORIES FILE...

THEORIES is the folder of the compiled library. Prints, of each file, the statements of its theorems as Coq has them and the
axioms that they rest on, asked of the compiled file by another one, so that nothing that the file prints or says of
itself counts; then the file's own words, seconds and memory. Exit status 1 where Coq refuses a file, or a theorem rests
on an axiom that the library does not need.
"""
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# What Coq's library of real numbers and the Coquelicot library rest on, and what they are in words.
KNOWN = {
    "ClassicalDedekindReals.sig_not_dec": "classical reals", "ClassicalDedekindReals.sig_forall_dec": "classical reals",
    "FunctionalExtensionality.functional_extensionality_dep": "extensionality of functions",
    "Classical_Prop.classic": "excluded middle",
}
MACHINE = ("Uint63.", "PrimInt63.")  # integers of 63 bits, and what they satisfy
# A file of this kind has only definitions, lemmas with proofs and modules.
FORBIDDEN = re.compile(r"\b(Axioms?|Parameters?|Conjectures?|Variables?|Hypothes[ie]s|Context|Admitted|admit|give_up|Declare|"
                       r"Unset|Load|Module\s+(Uint63|PrimInt63|ClassicalDedekindReals|FunctionalExtensionality|Classical_Prop))\b")


def theorems_of(text):
    """The names of the theorems, with the modules that they are in."""
    names, modules = [], []
    for kind, name in re.findall(r"^(Module|End|Theorem)\s+([A-Za-z_0-9']+)", text, re.M):
        if kind == "Module":
            modules.append(name)
        elif kind == "End" and modules:
            modules.pop()
        elif kind == "Theorem":
            names.append(".".join([*modules, name]))
    return names


def axioms(output):
    """Names of the axioms in the text that Print Assumptions printed."""
    return re.findall(r"^([A-Za-z_][A-Za-z_.0-9']*)(?=\s*$|\s*:)", output.partition("Axioms:")[2], re.M)


def in_short(names):
    """In words; and those that the library does not need."""
    words = sorted({KNOWN[name] for name in names if name in KNOWN})
    machine = [name for name in names if name.startswith(MACHINE)]
    if machine:
        words.append(f"{len(machine)} of integers of 63 bits")
    return ", ".join(words) or "none", [name for name in names if name not in KNOWN and not name.startswith(MACHINE)]


def words_of(text):
    """The comment at the top, without its marks."""
    match = re.match(r"\(\*\s?(.*?)\s?\*\)", text, re.DOTALL)
    return match.group(1).split("\n\nThe steps are defined")[0].strip() if match else "(the file has no words at its top)"


def parts_of(text):
    """The file as one file for each of its modules, which do not need each other: {name: text}. What it would print
    is left out, for it is asked again."""
    text = re.sub(r"^(Print Assumptions|Definition all_theorems) .*$", "", text, flags=re.M)
    begins = [match.start() for match in re.finditer(r"^Module ", text, re.M)]
    head = text[:begins[0]] if begins else ""
    ends = [*begins[1:], len(text)]
    return {f"part{i}": head + text[begin:end] for i, (begin, end) in enumerate(zip(begins, ends))}


def coqc(folder, theories, file):
    return subprocess.run(["coqc", "-q", "-w", "none", "-Q", theories, "Plaudit", "-Q", folder, "Checked", file],
                          capture_output=True, text=True, cwd=folder)


def asked(theories, folder, names):
    """What Coq says that the theorems of {part: names} state, and the axioms that all of them rest on."""
    full = [f"Checked.{part}.{name}" for part in names for name in names[part]]
    lines = ["From Coq Require Import Reals ZArith List.",
             "From Plaudit Require Import Privacy Outputs Laws Gaussian Runs Adaptive Pure DataSets Vectors VectorQueries Releases.",
             *(f"Require Checked.{part}." for part in names), "Import ListNotations.", "Open Scope R_scope.",
             "Set Printing Width 110.", *(f"Check {name}." for name in full),
             f"Definition all_of_them := ({', '.join(full)}).", "Print Assumptions all_of_them."]
    (Path(folder) / "ask.v").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return coqc(folder, theories, "ask.v")


def judged(theories, folder, text):
    """Why the file is refused, or nothing; what Coq says of its theorems."""
    found = FORBIDDEN.search(re.sub(r"\(\*.*?\*\)", " ", text, flags=re.DOTALL))
    parts = parts_of(text)
    names = {part: theorems_of(one) for part, one in parts.items()}
    if found or not any(names.values()):
        return f"the file has the word {found[0]}" if found else "the file has no theorem in a module", ""
    for part, one in parts.items():
        (Path(folder) / f"{part}.v").write_text(one, encoding="utf-8")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for done in pool.map(lambda part: coqc(folder, theories, f"{part}.v"), parts):
            if done.returncode != 0:
                return done.stderr[-2000:], ""
    answer = asked(theories, folder, names)
    if answer.returncode != 0:
        return answer.stderr[-2000:], ""
    said, _, rest = answer.stdout.partition("Axioms:")
    short, other = in_short(axioms("Axioms:" + rest))
    if other:
        return f"a theorem rests on {', '.join(other)}", ""
    return None, re.sub(r"\bChecked\.part\d+\.", "", said.strip()) + f"\n\nAxioms of all of them: {short}"


def check(theories, path):
    """Whether Coq accepts the file."""
    text = path.read_text(encoding="utf-8")
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        why, said = judged(theories, folder, text)
    seconds = time.monotonic() - begin
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"{path}: {'REFUSED' if why else 'accepted by Coq'} in {seconds:.1f} s, {memory:.0f} MB in one process\n")
    print(why or said + "\n\nThe file's own words, which Coq does not read:\n\n" + words_of(text) + "\n")
    return not why


def main():
    theories = sys.argv[1]
    accepted = [check(theories, Path(name)) for name in sys.argv[2:]]
    sys.exit(0 if all(accepted) else 1)


if __name__ == "__main__":
    main()
