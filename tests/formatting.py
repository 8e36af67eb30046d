#!/usr/bin/env python3
"""Every C++ file of ROOT is as clang-format leaves it.

    formatting.py [ROOT]

Versions of clang-format differ in details; the files follow that of Debian 12. With another one, or
none, the test is skipped (exit status 77).
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

VERSION = "14"
FOLDERS = ("lib", "mechanisms", "accountants", "verification", "api", "cli", "python", "bench",
           "tests")


def formatter():
    """A clang-format of the right version, or nothing."""
    for name in (f"clang-format-{VERSION}", "clang-format"):
        program = shutil.which(name)
        if program is None:
            continue
        words = subprocess.run([program, "--version"], capture_output=True, text=True).stdout
        found = re.search(r"version (\d+)", words)
        if found and found.group(1) == VERSION:
            return program
    return None


def formatted(program, root, files):
    return subprocess.run([program, *map(str, files)], cwd=root, capture_output=True,
                          check=True).stdout


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[1]
    program = formatter()
    if program is None:
        print(f"no clang-format {VERSION}: skipped")
        return 77
    files = [path for folder in FOLDERS for path in sorted((root / folder).rglob("*"))
             if path.suffix in (".cpp", ".hpp")]
    assert files, f"no C++ files below {root}"
    if formatted(program, root, files) == b"".join(path.read_bytes() for path in files):
        print(f"{len(files)} files")
        return 0
    wrong = [path for path in files if formatted(program, root, [path]) != path.read_bytes()]
    for path in wrong:
        print(f"{path.relative_to(root)}: not as clang-format leaves it (./dev format)")
    return 1 if wrong else 0


sys.exit(main())
