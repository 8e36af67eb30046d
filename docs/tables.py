#!/usr/bin/env python3
"""Writes the tables of docs/ that come from the program and the sources, between their markers.

usage: tables.py PLAUDIT [--check] [--measure]

PLAUDIT: the program. --check: writes nothing; exit 1 where a table is not what the program says, or
an accountant or a mechanism has no section. --measure: also runs bench/compare.py (minutes) for the
table of widths and times, which --check leaves alone.
"""
import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent
FOLDERS = ("lib", "mechanisms", "accountants", "verification", "verification/checker",
           "verification/certificates", "api", "cli")


def listed(program, what):
    return json.loads(subprocess.run([program, "list", what, "--json"], check=True,
                                     capture_output=True, text=True).stdout)


def linked(theorem):
    """Links to proof pages, relative to docs/; other text as it is."""
    return re.sub(r"docs/(proofs/([\w-]+)\.md#[\w-]+)", r"[\2](\1)", theorem)


def cell(text):
    return text.replace("|", "\\|")


def accountants(program):
    rows = ["| name | what it does | proves | proof |", "|---|---|---|---|"]
    for entry in listed(program, "accountants"):
        settings = ", ".join(f"`{s['name']}`" for s in entry["settings"])
        summary = cell(entry["summary"]) + (f"; settings {settings}" if settings else "")
        proves = "a band" if entry["certified"] else "nothing: an estimate"
        rows.append(f"| `{entry['name']}` | {summary} | {proves} | {linked(entry['theorem'])} |")
    return rows


def mechanisms(program):
    rows = ["| mechanism | what it is | adjacency |", "|---|---|---|"]
    for entry in listed(program, "mechanisms"):
        rows.append(f"| `{entry['signature']}` | {cell(entry['summary'])} | "
                    f"{cell(entry['adjacency'])} |")
    return rows


def first_sentence(path):
    """Of the comment a file opens with; nothing where it opens otherwise."""
    words = []
    for line in path.read_text().splitlines():
        if not line.startswith("// "):
            break
        words.append(line[3:].strip())
    text = " ".join(" ".join(words).split())
    return re.split(r"(?<=[^A-Z]\.)\s", text)[0].rstrip(".") if text else ""


def files(folder):
    """What each file of a folder is for, in its own words; a header and its source are one."""
    root = DOCS.parent / folder
    rows = ["| file | content |", "|---|---|"]
    for stem in sorted({path.stem for path in root.glob("*.[ch]pp")}):
        texts = [first_sentence(root / f"{stem}{ending}") for ending in (".hpp", ".cpp")
                 if (root / f"{stem}{ending}").exists()]
        rows.append(f"| `{stem}` | {cell(max(texts, key=bool))} |")
    return rows


def measured(program):
    return subprocess.run([sys.executable, DOCS.parent / "bench" / "compare.py", program],
                          check=True, capture_output=True, text=True).stdout.splitlines()


def replaced(text, name, rows):
    """`text` with what stands between the markers of `name` replaced."""
    pattern = re.compile(rf"(<!-- {name}: [^\n]*-->\n\n).*?(\n\n<!-- end -->)", re.DOTALL)
    if not pattern.search(text):
        sys.exit(f"tables.py: no markers of the table {name}")
    return pattern.sub(lambda match: match.group(1) + "\n".join(rows) + match.group(2), text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--measure", action="store_true")
    options = parser.parse_args()
    wrong = []
    for kind, table in (("accountants", accountants), ("mechanisms", mechanisms)):
        page = DOCS / f"{kind}.md"
        old = page.read_text()
        new = replaced(old, kind, table(options.program))
        if kind == "accountants" and options.measure:
            new = replaced(new, "measured", measured(options.program))
        if new != old and options.check:
            wrong.append(f"{page.name}: the table is not the program's; run docs/tables.py")
        headings = " ".join(re.findall(r"^##+ (.*)$", new, re.MULTILINE))
        for entry in listed(options.program, kind):
            if not re.search(rf"\b{entry['name']}\b", headings):
                wrong.append(f"{page.name}: no section on {entry['name']}")
        if new != old and not options.check:
            page.write_text(new)
    page = DOCS / "architecture.md"
    old = new = page.read_text()
    for folder in FOLDERS:
        rows = files(folder)
        new = replaced(new, folder, rows)
        wrong += [f"{folder}/: no opening comment: {row}" for row in rows if row.endswith("|  |")]
    if new != old and options.check:
        wrong.append("architecture.md: the file map is not that of the sources; run docs/tables.py")
    if new != old and not options.check:
        page.write_text(new)
    for line in wrong:
        print(line)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
