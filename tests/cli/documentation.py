#!/usr/bin/env python3
"""The tables in docs/ are those of the program; every accountant and mechanism has a section; every page of a proof is in
the table of contents."""
import os
import subprocess
import sys
from pathlib import Path

root = Path(__file__).resolve().parents[2]
failed = subprocess.run([sys.executable, root / "docs" / "tables.py", os.environ["PLAUDIT_PROGRAM"], "--check"]).returncode

listed = (root / "docs" / "theory.md").read_text().splitlines()
for page in sorted((root / "docs" / "proofs").glob("*.md")):
    if f"proofs/{page.stem}" not in listed:
        print(f"docs/proofs/{page.name} is in no table of contents of docs/theory.md")
        failed = 1

sys.exit(failed)
