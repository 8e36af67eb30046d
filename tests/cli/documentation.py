#!/usr/bin/env python3
"""The tables in docs/ are those of the program; every accountant and mechanism has a section."""
import os
import subprocess
import sys
from pathlib import Path

root = Path(__file__).resolve().parents[2]
sys.exit(subprocess.run([sys.executable, root / "docs" / "tables.py",
                         os.environ["PLAUDIT_PROGRAM"], "--check"]).returncode)
