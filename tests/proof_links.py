#!/usr/bin/env python3
"""Every proof link in the sources leads to an anchor, and every proof is used.

    proof_links.py [ROOT]

A source cites a proof in a comment `// Proof: docs/proofs/x.md#anchor` (several links may follow
one another; in Python the comment begins with #). The anchor is a heading of that page, by GitHub's rule, or an explicit
`<a id="anchor">`. An explicit anchor that no source cites is an error too. Pages of docs/certificates are cited with an
anchor or as a whole, by the checkers and by the tests.
"""

import re
import sys
from pathlib import Path

LAYERS = ("lib", "mechanisms", "accountants", "verification", "api", "cli", "python", "tests")
LINK = re.compile(r"docs/(?:proofs|certificates)/[\w./-]*?\.md(?:#([\w.-]*\w))?")
WHOLE_PAGES = ("tests/", "python/plaudit_certificates/")  # may cite a page of proofs without an anchor
NO_LINKS = {"tests/proof_links.py", "tests/binary64_bounds.py", "tests/lib/balls/error_term_test.cpp"}  # pages made up
EXPLICIT = re.compile(r"""<a\s+(?:id|name)\s*=\s*["']([^"']+)["']""")


def links(root):
    """(file, line number, page, anchor) of every mention of a proof page in the sources."""
    for layer in LAYERS:
        for path in sorted((root / layer).rglob("*")):
            if path.suffix not in (".hpp", ".cpp", ".h", ".py") or str(path.relative_to(root)) in NO_LINKS:
                continue
            for number, line in enumerate(path.read_text().splitlines(), 1):
                for match in LINK.finditer(line):
                    page = match.group(0).split("#")[0]
                    yield path.relative_to(root), number, page, match.group(1)


def slug(heading):
    """GitHub's anchor of a heading."""
    text = re.sub(r"<[^>]*>", "", heading)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"[^\w\- ]", "", text.strip().lower())
    return text.replace(" ", "-")


def anchors(page):
    """(all anchors, explicit anchors) of a page."""
    headings, explicit, seen, fence = set(), set(), {}, None
    for line in page.read_text().splitlines():
        mark = re.match(r"\s*(```|~~~)", line)
        if mark and fence in (None, mark.group(1)):
            fence = None if fence else mark.group(1)
            continue
        if fence:
            continue
        explicit.update(EXPLICIT.findall(line))
        heading = re.match(r"#{1,6}\s+(.*?)(?:\s+#+)?\s*$", line)
        if heading:
            name = slug(heading.group(1))
            count = seen.get(name, 0)
            seen[name] = count + 1
            headings.add(f"{name}-{count}" if count else name)
    return headings | explicit, explicit


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    proofs = root / "docs" / "proofs"
    pages = {str(p.relative_to(root)): anchors(p) for folder in ("proofs", "certificates")
             for p in sorted((root / "docs" / folder).rglob("*.md"))}

    problems, used = [], set()
    cited = list(links(root))
    for path, number, page, anchor in cited:
        where = f"{path}:{number}"
        if page == "docs/certificates/KIND.md":
            continue
        if page not in pages:
            problems.append(f"{where}: no page {page}")
        elif anchor is None and page.startswith("docs/certificates/"):
            continue
        elif anchor is None and not str(path).startswith(WHOLE_PAGES):
            problems.append(f"{where}: link to {page} names no anchor")
        elif anchor is not None and anchor not in pages[page][0]:
            problems.append(f"{where}: no anchor {page}#{anchor}")
        else:
            used.add((page, anchor))
    for page, (_, explicit) in pages.items():
        if page.startswith("docs/certificates/"):
            continue
        for anchor in sorted(explicit):
            if (page, anchor) not in used:
                problems.append(f"{page}#{anchor}: no source cites this proof")
    if proofs.is_dir() and not cited:
        problems.append("docs/proofs exists, but no source cites a proof")

    for problem in problems:
        print(problem)
    print(f"{len(cited)} proof links, {len(used)} proofs cited, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
