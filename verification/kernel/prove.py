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
# A file of this kind has these sentences alone, and tactics within its proofs, whose names begin with a small letter as no
# command's does: none that declares an axiom, a notation or a coercion, or tells Coq to check less.
SENTENCE = re.compile(r"From (Coq|Interval|Plaudit) Require Import [\w\s]+|Import List ListNotations|Open Scope R_scope|"
                      r"Ltac [a-z]\w* := .*|(Module|End) [A-Z]\w*|(Definition|Lemma|Theorem) [a-z].*|"
                      r"Proof|Print Assumptions all_theorems", re.ASCII | re.DOTALL)
TACTIC = re.compile(r"[-+*{}\s]*([a-z].*)?", re.ASCII | re.DOTALL)


def without_comments(text):
    """As Coq reads it: comments are nested, and what a string within one contains ends none. -> None where one is left open"""
    code, depth, string = [], 0, False
    for mark in re.split(r'(\(\*|\*\)|")', text):
        if mark == '"' and depth:
            string = not string
        elif mark == "(*" and not string:
            depth += 1
            code.append(" ")
        elif mark == "*)" and depth and not string:
            depth -= 1
        elif not depth:
            code.append(mark)
    return None if depth else "".join(code)


def foreign(text):
    """The first sentence of a file that is none of those it may have; nothing where there is none."""
    code = without_comments(text)
    if code is None:
        return "a comment without an end"
    if '"' in code:
        return "a string"
    proving = False
    for sentence in re.split(r"\.(?:\s+|$)", code):
        sentence = sentence.strip()
        if proving and sentence == "Qed":
            proving = False
        elif sentence and not (TACTIC if proving else SENTENCE).fullmatch(sentence):
            return sentence[:80]
        proving = proving or sentence == "Proof"
    return None


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
    """What Print Assumptions printed after "Axioms:", an entry for each line that is not indented: the names of axioms, and
    whole lines that say something else, as that Coq did not check a definition."""
    lines = [line for line in output.partition("Axioms:")[2].splitlines() if line.strip() and not line[0].isspace()]
    named = [re.fullmatch(r"([\w.']+)(\s*:.*)?", line) for line in lines]
    return [match[1] if match else line for line, match in zip(lines, named)]


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


def asked(theories, folder, names, hidden):
    """What Coq says that the theorems of {part: names} state: with what it hides otherwise, as implicit arguments; or as people
    read it, with the axioms that all of them rest on."""
    full = [f"Checked.{part}.{name}" for part in names for name in names[part]]
    lines = ["From Coq Require Import Reals ZArith List.",
             "From Plaudit Require Import Privacy Outputs Laws Gaussian Runs Adaptive Pure DataSets Vectors VectorQueries Releases.",
             *(f"Require Checked.{part}." for part in names), "Import ListNotations.", "Open Scope R_scope.",
             "Set Printing All." if hidden else "Set Printing Width 110.", *(f"Check {name}." for name in full),
             f"Definition all_of_them := ({', '.join(full)}).", *([] if hidden else ["Print Assumptions all_of_them."])]
    (Path(folder) / "ask.v").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return coqc(folder, theories, "ask.v")


class File:
    """One file, its modules compiled beside those of all others."""

    def __init__(self, path, theories, pool):
        self.path, self.theories, self.folder = path, theories, tempfile.TemporaryDirectory()
        self.text, self.runs = "", []
        try:
            self.text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            self.refused = f"the file cannot be read: {error}"
            return
        parts = parts_of(self.text)
        self.names = {part: theorems_of(one) for part, one in parts.items()}
        found = foreign(self.text)
        self.refused = f"the file says: {found}" if found else "the file has no theorem in a module"
        if found or not any(self.names.values()):
            return
        for part, one in parts.items():
            (Path(self.folder.name) / f"{part}.v").write_text(one, encoding="utf-8")
            self.runs.append(pool.submit(coqc, self.folder.name, theories, f"{part}.v"))

    def judged(self):
        """Why the file is refused, or nothing; what Coq says of its theorems; all runs of Coq."""
        if not self.runs:
            return self.refused, "", []
        done = [run.result() for run in self.runs]
        for one in done:
            if one.status != 0:
                return one.err[-2000:], "", done
        answers = [asked(self.theories, self.folder.name, self.names, hidden) for hidden in (False, True)]
        done += answers
        for answer in answers:
            if answer.status != 0:
                return answer.err[-2000:], "", done
        (said, _, rest), everything = answers[0].out.partition("Axioms:"), answers[1].out
        for part, names in self.names.items():
            for name in names:  # at the left margin, before what it states
                said, everything = (re.sub(rf"^(Checked\.)?{part}\.{re.escape(name)}$", name, text, flags=re.M)
                                    for text in (said, everything))
        if own := re.search(r"\b(Checked|part\d+)\.[\w.']+", said + everything):
            return f"a theorem is about the file's own {own[0]}, not about what the library defines", "", done
        short, other = in_short(axioms("Axioms:" + rest))
        if other:
            return f"a theorem rests on {', '.join(other)}", "", done
        return None, said.strip() + f"\n\nAxioms of all of them: {short}", done

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
