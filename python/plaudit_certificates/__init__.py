"""Proves plaudit certificates (version 2) again; docs/certificates.md is the specification.

    intervals.py    all the arithmetic that kinds use (real.py, boxes.py, special.py and sums.py behind it)
    budget.py       how much work a certificate may ask for: spend() before loops, hold() before large tables
    reader.py       strict JSON, exact numbers, Fields
    grammar.py      the spec language and the canonical text of numbers
    specs.py        mechanisms, adjacency, canonical specs (pld.py: laws from files)
    laws.py         the laws of the privacy loss, by exact parameters
    statements.py   the claim, its statements, the kinds
    lines.py        M(z) of the laws, for the kinds that use it (paths.py and strips.py: integrals)
    KIND.py         one per kind of statement: prove() (see statements.py)
"""
