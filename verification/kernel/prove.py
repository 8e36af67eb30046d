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
import subprocess
import sys
import tempfile
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


class Done:
    """What one run of Coq printed, its exit status, processor seconds and greatest memory in MB."""

    def __init__(self, status, out, err, seconds, memory):
        self.status, self.out, self.err, self.seconds, self.memory = status, out, err, seconds, memory


def coqc(folder, theories, file):
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        process = subprocess.Popen(["coqc", "-q", "-w", "none", "-Q", theories, "Plaudit", "-Q", folder, "Checked", file],
                                   stdout=out, stderr=err, cwd=folder)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        return Done(process.returncode, out.read(), err.read(), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


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


class File:
    """One file, its modules compiled beside those of all others."""

    def __init__(self, path, theories, pool):
        self.path, self.theories, self.folder = path, theories, tempfile.TemporaryDirectory()
        self.text = path.read_text(encoding="utf-8")
        parts = parts_of(self.text)
        self.names = {part: theorems_of(one) for part, one in parts.items()}
        self.found = FORBIDDEN.search(re.sub(r"\(\*.*?\*\)", " ", self.text, flags=re.DOTALL))
        self.runs = []
        if self.found or not any(self.names.values()):
            return
        for part, one in parts.items():
            (Path(self.folder.name) / f"{part}.v").write_text(one, encoding="utf-8")
            self.runs.append(pool.submit(coqc, self.folder.name, theories, f"{part}.v"))

    def judged(self):
        """Why the file is refused, or nothing; what Coq says of its theorems; all runs of Coq."""
        if not self.runs:
            return f"the file has the word {self.found[0]}" if self.found else "the file has no theorem in a module", "", []
        done = [run.result() for run in self.runs]
        for one in done:
            if one.status != 0:
                return one.err[-2000:], "", done
        answer = asked(self.theories, self.folder.name, self.names)
        done.append(answer)
        if answer.status != 0:
            return answer.err[-2000:], "", done
        said, _, rest = answer.out.partition("Axioms:")
        short, other = in_short(axioms("Axioms:" + rest))
        if other:
            return f"a theorem rests on {', '.join(other)}", "", done
        return None, re.sub(r"\b(Checked\.)?part\d+\.", "", said.strip()) + f"\n\nAxioms of all of them: {short}", done

    def check(self):
        """Whether Coq accepts the file."""
        why, said, done = self.judged()
        seconds, memory = sum(one.seconds for one in done), max((one.memory for one in done), default=0)
        print(f"{self.path}: {'REFUSED' if why else 'accepted by Coq'}, {seconds:.1f} s of processor time, {memory:.0f} MB in "
              "one process\n")
        print(why or said + "\n\nThe file's own words, which Coq does not read:\n\n" + words_of(self.text) + "\n", flush=True)
        return not why


def main():
    theories = sys.argv[1]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        files = [File(Path(name), theories, pool) for name in sys.argv[2:]]
        accepted = [file.check() for file in files]
    sys.exit(0 if all(accepted) else 1)


if __name__ == "__main__":
    main()
