#!/usr/bin/env python3
"""The tree as a house: how many lines each part has, how many have to be right for a number, and where folders go in circles.

    house.py [ROOT]           prints all of it
    house.py ROOT --check     fails where folders of accountants/ include each other in a circle

Lines are those of .cpp, .hpp and .py in the parts below: tests, docs and bench do not count. Trusted for a checked
certificate in C++ is all that the kinds of proof and the checker include, with the .cpp beside each .hpp.
"""
import re
import sys
from collections import Counter
from pathlib import Path

PARTS = ("lib", "mechanisms", "accountants", "verification", "api", "cli", "python")


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


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    product = files(root)
    found = circles(product, "accountants")
    if "--check" in sys.argv:
        for group in found:
            print("a circle of folders:", ", ".join(group))
        sys.exit(1 if found else 0)
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
    for part in PARTS[:-1]:
        groups = circles(product, part)
        print(f"circles of folders in {part}/: " + ("; ".join(", ".join(group) for group in groups) or "none"))


if __name__ == "__main__":
    main()
