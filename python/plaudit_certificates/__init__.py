"""Proves plaudit certificates (version 3) again; docs/certificates.md is the specification.

    arithmetic/     intervals.py is all the arithmetic that kinds use (real.py, boxes.py, special.py and sums.py
                    behind it); budget.py says how much work a certificate may ask for: announce() for operations,
                    keep() for the values of laws, hold() before large tables
    specs/          reader.py: strict JSON, exact numbers, Fields; grammar.py: the spec language and the canonical
                    text of numbers; specs.py: mechanisms, adjacency, canonical specs; pld.py: laws from files
    laws/           the laws of the privacy loss, by exact parameters
    lines/          M(z) of the laws along lines, for the kinds that use it (paths.py and strips.py: integrals)
    statements.py   the claim, its statements, the kinds
    KIND.py         one per kind of statement: prove() (see statements.py)
"""
