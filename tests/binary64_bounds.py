#!/usr/bin/env python3
"""docs/guarantee.md lists every file that computes a bound in binary64, with its theorem.

    binary64_bounds.py [ROOT]

Such a file carries a comment `// binary64 bound: docs/proofs/x.md#anchor`. The files and theorems of
these comments must be those of the page's table, and a file with an idiom of error analysis in
doubles (a unit roundoff, steps to the next double, rounding modes, transforms in double, floor or
ceil of an end of a ball) must carry one.
"""
import re
import sys
from pathlib import Path

LAYERS = ("lib", "mechanisms", "accountants", "verification", "api", "cli")
MARKER = re.compile(r"//+ binary64 bound: docs/(proofs/[\w-]+\.md#[\w-]+)")
ROW = re.compile(r"^\| `([\w/.]+)` \|.*\| \[[\w.]+\]\((proofs/[\w-]+\.md#[\w-]+)\) \|$", re.MULTILINE)
IDIOMS = {
    "a unit roundoff": r"0x1p-?\+?5[234]\b|DBL_EPSILON|numeric_limits<double>::epsilon|"
                       r"numeric_limits<double>::round_error|unit_roundoff|ldexp\(Ball\(1\), -53\)",
    "a step to the next double": r"\bnextafter\b|\bnexttoward\b|\bnextup\b|\bnextdown\b",
    "a rounding mode": r"\bfesetround\b|\bFE_(UPWARD|DOWNWARD|TOWARDZERO)\b|_MM_SET_ROUNDING",
    "a transform in double": r"\bradix_two_(transform|first)\(",
    "a radius as a double": r"\bmag_get_d\(|(?<!Ball::)\bradius_double\(\)(?! const)",
    "floor or ceil of an end": r"\b(ceil|floor|l?lround|rint)\([^;]*\b(upper|lower)_double\(",
    "an error-free sum": r"\(sum - part\)|\btwo_sum\b|\bTwoSum\b",
}
# Idioms that bound nothing, each with the reason.
EXEMPT = {
    "lib/balls/ball.cpp": "offers radius_double, whose users say what they bound",
    "lib/analysis/fft.hpp": "declares what lib/analysis/fft.cpp computes",
    "lib/analysis/fast_transform.cpp": "transforms for estimates, which have no bound",
    "verification/forms/floating_forms.cpp": "the tolerance of an estimate that checks bands",
    "verification/crosscheck/random_composition.hpp": "random numbers for tests",
}


def code(path):
    """The text without comments."""
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)


def faults(root):
    marked, listed = set(), set()
    for layer in LAYERS:
        for path in sorted((root / layer).rglob("*.[ch]pp")):
            name = path.relative_to(root).as_posix()
            theorems = MARKER.findall(path.read_text())
            marked.update((name, theorem) for theorem in theorems)
            if theorems or name in EXEMPT:
                continue
            for what, pattern in IDIOMS.items():
                if found := re.search(pattern, code(path)):
                    yield f"{name}: {what} ({found.group(0)}), but no '// binary64 bound:' comment"
    page = (root / "docs" / "guarantee.md").read_text()
    section = page.split("## Bounds computed in binary64", 1)[-1].split("\n## ", 1)[0]
    listed.update(ROW.findall(section))
    for name, theorem in sorted(marked - listed):
        yield f"{name}: {theorem} is not in the table of docs/guarantee.md"
    for name, theorem in sorted(listed - marked):
        yield f"docs/guarantee.md lists {name}, {theorem}, which no source has"
    if not listed:
        yield "docs/guarantee.md has no table of bounds in binary64"
    for name in EXEMPT:
        if not (root / name).exists():
            yield f"{name} is exempt and does not exist"


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parents[1])
    found = list(faults(root))
    for line in found:
        print(line)
    print(f"{len(found)} failures")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
