#!/usr/bin/env python3
"""The tree as a house: how many lines each part has, for what and how many have to be right for a number, what is too
long or stands twice, and where folders go in circles.

    house.py [ROOT]           prints all of it
    house.py ROOT --check     fails where one of LIMITS is passed

Lines are those of .cpp, .hpp and .py in the parts below: tests, docs and bench do not count. Trusted for a checked
certificate in C++ is all that the kinds of proof and the checker include, with the .cpp beside each .hpp. A function is
long that has more than 60 lines (in Python without its docstring), a file that has more than 500, a folder that has
more than 20 of .cpp or .py. A constant is a named number in C++, constexpr; those that only choose are among them. Six
lines in a row stand twice where they are alike but for white space, without comments, includes and lone brackets.
"""
import ast
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

PARTS = ("lib", "mechanisms", "accountants", "verification", "api", "cli", "python")
# What CI lets pass: lowered by whoever makes the house smaller, raised for a theorem or an explanation that was not there before.
LIMITS = {"lines": 150039, "constants": 2168, "long functions": 0, "long files": 0, "large folders": 0,
          "pairs of six equal lines": 18, "circles in accountants/": 0, "folders in circles": 0}

# What a user notices, and the files that are there for it alone; the first that fits counts. What is left serves all of it.
CAPABILITIES = [
    ("certificates: written", ("verification/certificates",)),
    ("certificates: checked in C++", ("verification/checker",)),
    ("certificates: checked in Python", ("python/plaudit_certificates", "python/plaudit_check")),
    ("theorems for the kernel of Coq", ("verification/kernel",)),
    ("what was observed: audits of one run and of many", ("verification/observe", "cli/commands/observe", "python/plaudit/_observed")),
    ("claims of papers, audited and reported", ("verification/audit", "verification/claims", "verification/reports", "cli/commands/audit")),
    ("cross-checks, and closed forms to check by", ("verification/crosscheck", "verification/forms", "cli/commands/cross_check")),
    ("what a curve means: mu, trade-off, tests", ("verification/meaning",)),
    ("pictures", ("verification/pictures",)),
    ("calibration and searches", ("verification/calibration", "python/plaudit/_searches")),
    ("plug-ins: mechanisms and accountants of others", ("api/extend", "api/plaudit/extend")),
    ("the C++ interface", ("api/",)),
    ("the program", ("cli/",)),
    ("ledgers, and histories of other libraries", ("python/plaudit/_ledger", "python/plaudit/_events", "python/plaudit/opacus",
                                                    "python/plaudit/dp_accounting", "python/plaudit/jax_privacy", "python/plaudit/prv")),
    ("the Python module", ("python/",)),
    ("random allocation and random participation", ("mechanisms/allocation", "mechanisms/participation")),
    ("replacement of a record, fixed batches", ("mechanisms/replacement",)),
    ("the accountants of the literature", ("accountants/literature", "accountants/fourier", "accountants/prv", "accountants/saddle_point")),
    ("Laplace noise", ("accountants/laplace", "mechanisms/laws/laplace")),
    ("lattices: integer noise, grids above and below a law", ("accountants/lattice", "accountants/atoms", "mechanisms/cells")),
    ("far tails: delta below 1e-50, and two steps", ("accountants/rare", "accountants/few", "accountants/tails", "accountants/sweep")),
    ("Renyi moments", ("accountants/moments", "accountants/cumulants")),
]


def files(root):
    """{path: text} of the product."""
    root = Path(root)
    names = []
    for part in PARTS:
        names += [str(path.relative_to(root)) for path in sorted((root / part).rglob("*.*pp"))]
        names += [str(path.relative_to(root)) for path in sorted((root / part).rglob("*.py"))]
    return {name: (root / name).read_text(encoding="utf-8") for name in names}


def included(text):
    return re.findall(r'^#\s*include "([^"]+)"', text, re.MULTILINE)


def reached(product, starts):
    """Those files, all that they include, and the .cpp of every .hpp among them."""
    found, left = set(), list(starts)
    while left:
        name = left.pop()
        if name in found or name not in product:
            continue
        found.add(name)
        left += included(product[name])
        if name.endswith(".hpp"):
            left.append(name[:-3] + "cpp")
    return found


def lines_of(product, names):
    return sum(product[name].count("\n") for name in names)


def by_capability(product):
    """[(lines, words)] of CAPABILITIES, and of what none of them has alone."""
    found = Counter()
    for name, text in product.items():
        words = next((words for words, starts in CAPABILITIES if name.startswith(starts)), "all of it")
        found[words] += text.count("\n")
    return [(count, words) for words, count in found.most_common()]


def circles(product, part):
    """Groups of folders of one part that reach each other by includes."""
    arrows = {}
    for name, text in product.items():
        if name.startswith(part + "/"):
            here = str(Path(name).parent)
            arrows.setdefault(here, set()).update(
                folder for folder in (str(Path(other).parent) for other in included(text))
                if folder != here and folder.startswith(part))

    def reaches(start):
        found, left = set(), list(arrows.get(start, ()))
        while left:
            folder = left.pop()
            if folder not in found:
                found.add(folder)
                left += arrows.get(folder, ())
        return found
    all_reached = {folder: reaches(folder) for folder in arrows}
    groups = {frozenset(other for other in all_reached[folder] if folder in all_reached.get(other, ()))
              for folder in arrows if folder in all_reached[folder]}
    return sorted(sorted(group) for group in groups)


def functions(text):
    """(first line, number of lines) of each function with a body, and none of those inside of others."""
    text = re.sub(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', '""', re.sub(r"//[^\n]*", "", text))
    found, open_ones, line, head = [], [], 1, ""
    for letter in text:
        line += letter == "\n"
        if letter == "{":
            inside = any(starts for starts in open_ones)
            body = re.search(r"\)\s*(const|noexcept|override|final|mutable|->[^;]*|:[^;]*|\s)*$", head)
            other = re.search(r"\b(namespace|class|struct|enum|union)\b[^()]*$", head)
            open_ones.append(line if body and not other and not inside else 0)
        elif letter == "}" and open_ones:
            start = open_ones.pop()
            if start:
                found.append((start, line - start + 1))
        head = "" if letter in "{};" else head + letter
    return found


def long_functions(product, most=60):
    """[(lines, file, where)], the longest first."""
    found = []
    for name, text in product.items():
        if not name.endswith(".py"):
            found += [(count, name, str(line)) for line, count in functions(text) if count > most]
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                docstring = ast.get_docstring(node, clean=False)
                count = node.end_lineno - node.lineno + 1 - (docstring.count("\n") + 1 if docstring else 0)
                if count > most:
                    found.append((count, name, node.name))
    return sorted(found, reverse=True)


def constants(product):
    """How many named numbers each folder has."""
    number = r"constexpr\s+(?:double|int|long|unsigned|std::size_t|std::u?int64_t)\s+\w+\s*(?:\[\])?\s*="
    found = Counter()
    for name, text in product.items():
        if not name.endswith(".py"):
            found[str(Path(name).parent)] += len(re.findall(number, text))
    return found


def twins(product, run=6):
    """Pairs of places, (file, line), where so many lines in a row are alike and those before them are not."""
    places = defaultdict(list)
    for name, text in product.items():
        lines = [(number, "".join(line.split())) for number, line in enumerate(text.split("\n"), 1)]
        kept = [(number, line) for number, line in lines
                if re.search(r"\w", line) and not re.match(r"//|#|import|from|using|}?//", line)]
        for i in range(len(kept) - run + 1):
            before = kept[i - 1][1] if i > 0 else None
            places[tuple(line for _, line in kept[i:i + run])].append((name, kept[i][0], before))
    return [(here[:2], there[:2]) for alike in places.values() if 1 < len(alike) <= 8
            for k, here in enumerate(alike) for there in alike[k + 1:]
            if here[2] is None or here[2] != there[2]]


def measures(product):
    """{name: number} of what LIMITS has."""
    groups = {part: circles(product, part) for part in PARTS[:-1]}
    units = Counter(str(Path(name).parent) for name in product if name.endswith((".cpp", ".py")))
    return {
        "lines": sum(text.count("\n") for text in product.values()),
        "constants": sum(constants(product).values()),
        "long functions": len(long_functions(product)),
        "long files": sum(text.count("\n") > 500 for text in product.values()),
        "large folders": sum(count > 20 for count in units.values()),
        "pairs of six equal lines": len(twins(product)),
        "circles in accountants/": len(groups["accountants"]),
        "folders in circles": sum(len(group) for part in groups.values() for group in part),
    }


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    product = files(root)
    measured = measures(product)
    if "--check" in sys.argv:
        passed = [name for name, most in LIMITS.items() if measured[name] > most]
        for name in passed:
            print(f"{name}: {measured[name]}, and the limit is {LIMITS[name]}")
        sys.exit(1 if passed else 0)
    by_part, by_folder = Counter(), Counter()
    for name, text in product.items():
        by_part[name.split("/")[0]] += text.count("\n")
        by_folder[str(Path(name).parent)] += text.count("\n")
    print(f"product: {sum(by_part.values())} lines in {len(product)} files")
    for part in PARTS:
        print(f"  {part}/: {by_part[part]}")
        for folder, count in sorted(by_folder.items(), key=lambda item: -item[1]):
            if folder.startswith(part + "/"):
                print(f"    {folder}: {count}")
    for count, words in by_capability(product):
        print(f"for {words}: {count}")
    kinds = [name for name in product if name.startswith("accountants/proof/")]
    checker = [name for name in product if name.startswith("verification/checker/")]
    python = [name for name in product if name.startswith(("python/plaudit_certificates/", "python/plaudit_check"))]
    proof = reached(product, kinds)
    print(f"trusted: {lines_of(product, proof)} lines of accountants/proof and what it includes, of these "
          f"{lines_of(product, [name for name in proof if name.startswith('lib/')])} of lib")
    print(f"trusted for a checked certificate: {lines_of(product, reached(product, kinds + checker))} (C++), "
          f"{lines_of(product, python)} (Python)")
    print(f"largest files: " + ", ".join(f"{name} {product[name].count(chr(10))}" for name in
                                         sorted(product, key=lambda name: -product[name].count("\n"))[:5]))
    for count, name, where in long_functions(product):
        print(f"long function: {name}, {where}: {count} lines")
    for here, there in twins(product):
        print(f"six equal lines: {here[0]}:{here[1]} and {there[0]}:{there[1]}")
    for folder, count in constants(product).most_common(8):
        print(f"constants in {folder}: {count}")
    for name, number in measured.items():
        print(f"{name}: {number} (limit {LIMITS[name]})")
    for part in PARTS[:-1]:
        groups = circles(product, part)
        print(f"circles of folders in {part}/: " + ("; ".join(", ".join(group) for group in groups) or "none"))


if __name__ == "__main__":
    main()
