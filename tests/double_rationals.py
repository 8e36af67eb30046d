"""Doubles become exact numbers in lib/exact/checked_integer alone: GMP divides by zero where one is infinite.

double_rationals.py ARCHIVE... looks at the archives of a build: every such conversion, explicit or
implicit, calls one of a few functions of GMP, so none escapes. In a build that compiles each folder as one unit the
files of lib/exact are not told apart; those that compile file by file (./dev build) tell them.
"""
import re
import subprocess
import sys

CONVERSIONS = re.compile(r"\bU __gmp[qz]_(?:init_)?(?:set|cmp|cmpabs)_d\b")
# Objects that may call them, and why.
OBJECTS = {
    "checked_integer.cpp.o": "the rule's own file",
    "unity_lib_exact_cxx.cxx.o": "the folder of that file, compiled as one unit",
}


def main(archives):
    found, functions = [], 0
    for archive in archives:
        listing = subprocess.run(["nm", "-C", "-A", "-u", archive], capture_output=True, text=True,
                                 check=True).stdout
        members = subprocess.run(["nm", "-A", archive], capture_output=True, text=True,
                                 check=True).stdout
        functions += len(re.findall(r" [tTW] ", members))
        for line in listing.splitlines():
            member = re.search(r"[\w.-]+\.o(?=:)", line)
            if CONVERSIONS.search(line) and member and member.group(0) not in OBJECTS:
                found.append(f"{member.group(0)}: {line.split()[-1]}: use checked_rational")
    if functions < 5000:
        found.append(f"only {functions} functions were seen")
    for each in found:
        print(each)
    sys.exit(1 if found else 0)


main(sys.argv[1:])
