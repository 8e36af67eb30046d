#!/usr/bin/env python3
"""Every error term that enters a band is named in a test that leaves it out.

    error_terms.py [ROOT]

Terms that only repeat the radius of a ball are listed here: they are reported, not charged.
"""

import re
import sys
from pathlib import Path

TERM = re.compile(r'ErrorTerm\s+\w+\s*\{\s*"([\w.]+)"')
REPORTED = {"atom_sum.rounding", "bent.rounding", "closed_form.rounding", "contour.quadrature",
            "contour.rounding", "grid.discretisation", "laplace_folded.rounding",
            "laplace_product.rounding", "laplace_sum.rounding", "lattice.rounding",
            "optimal_composition.arithmetic", "sampled_laplace.rounding", "turned_laplace.rounding",
            "two_steps.rounding"}
# Tests that take several terms of one kind in turn form the name from its ending.
ENDINGS = {"advanced_composition.step", "optimal_composition.step"}


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    tests = "\n".join(path.read_text() for path in sorted((root / "tests").rglob("*_test.cpp")))
    problems = []
    names = set()
    for layer in ("lib", "mechanisms", "accountants", "verification"):
        for path in sorted((root / layer).rglob("*.[ch]pp")):
            names.update(TERM.findall(path.read_text()))
    for name in sorted(names - REPORTED):
        ending = name[name.rindex("."):] if name in ENDINGS else name
        if f'"{ending}"' not in tests:
            problems.append(f"{name}: no test leaves it out")
    problems += [f"{name}: not in the sources" for name in sorted((REPORTED | ENDINGS) - names)]
    for problem in problems:
        print(problem)
    print(f"{len(names)} error terms, {len(problems)} problems")
    return 1 if problems or len(names) < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
