# The Python checker relied on mpmath's interval arithmetic, which is not outward everywhere: iv.log of the box
# [-1, -1/2] + [-1, 0] i has an inverted imaginary part, iv.exp(1) at 33 bits is a point, logarithms near an axis miss by a
# tenth of an ulp. The checker has intervals of its own now; tests/cli/checker_intervals.py tests all of them at length.
import pathlib
import re
import sys
from fractions import Fraction

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "cli"))
sys.path.insert(0, str(ROOT / "python"))
from _program import expect, finish  # noqa: E402
from mpmath import mp  # noqa: E402
from plaudit_certificates.arithmetic import intervals as I  # noqa: E402
from plaudit_certificates.arithmetic.ends import to_mpmath  # noqa: E402

mp.prec = 400


def holds(x, value):
    return mp.make_mpf(to_mpmath(x.lo)) <= value <= mp.make_mpf(to_mpmath(x.hi))


# 1. Boxes that touch the cut have no principal logarithm; next to it the angles are in order.
box = I.Complex(I.hull(-1, Fraction(-1, 2)), I.hull(-1, 0))
try:
    I.clog(box)
    expect(False, "the logarithm of a box that touches the cut")
except I.Rejected:
    pass
for x in (Fraction(-1), Fraction(-1, 2), Fraction(-1, 10**30)):
    for y in (Fraction(-1), Fraction(-1, 10**9), Fraction(1, 10**40), Fraction(1)):
        z = I.Complex(I.hull(x, x / 2), I.hull(y, y / 2))
        value = I.clog(z)
        expect(value.imag.lower() < value.imag.upper(), f"the angles of {z}")
        for re_, im_ in ((x, y), (x / 2, y), (x, y / 2), (x / 2, y / 2)):
            true = mp.log(mp.mpc(*[mp.mpf(part.numerator) / part.denominator for part in (re_, im_)]))
            expect(holds(value.real, true.real) and holds(value.imag, true.imag), f"the logarithm of {z} lacks {true}")

# 2. What is irrational is never a point.
for bits in (33, 53, 54, 100):
    I.set_precision(bits)
    for name, x, true in [("exp", I.exp(1), mp.e), ("exp", I.exp(Fraction(1, 3)), mp.exp(mp.mpf(1) / 3)),
                          ("log", I.log(3), mp.log(3)), ("pi", I.pi(), +mp.pi), ("cos", I.cos(1), mp.cos(1)),
                          ("sqrt", I.sqrt(2), mp.sqrt(2)), ("expm1", I.expm1(Fraction(1, 2**40)), mp.expm1(mp.ldexp(1, -40))),
                          ("normal_tail", I.normal_tail(1), mp.erfc(1 / mp.sqrt(2)) / 2)]:
        expect(x.lower() < x.upper() and holds(x, true), f"{name} at {bits} bits: {x}")

# 3. Nothing of the checker uses mpmath's intervals, or anything else of it than the numbers that real.py trusts.
for path in sorted((ROOT / "python").rglob("*.py")):
    for line in path.read_text(encoding="utf-8").splitlines():
        if re.match(r"\s*(from|import)\s+mpmath", line):
            expect(re.match(r"from mpmath\.libmp import ", line) is not None, f"{path.name}: {line}")
            expect("mpi_" not in line and "mpci_" not in line, f"{path.name}: {line}")
finish()
