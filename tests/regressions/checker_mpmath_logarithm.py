# mpmath's mpf_log takes a number just above 1/4 that has more bits than are asked for for one just above 1: log(1/4 + 2^-107)
# at 63 bits is 2.5e-32. The Python checker believed it wherever an end kept from a greater precision met a lower one.
import pathlib
import sys
from fractions import Fraction

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "cli"))
sys.path.insert(0, str(ROOT / "python"))
from _program import expect, finish  # noqa: E402
from mpmath import mp  # noqa: E402
from plaudit_certificates.arithmetic import intervals as I  # noqa: E402
from plaudit_certificates.arithmetic.ends import to_mpmath  # noqa: E402

mp.prec = 2000

for near in (-3, -2, -1, 0, 1, 2):
    for bits in (32, 33, 53, 100):
        for sign in (-1, 1):
            for size in (bits // 2, bits, bits + 29, bits + 40, bits + 60, 200, 600):
                x = Fraction(2) ** near + sign * Fraction(2) ** -size
                I.set_precision(1000)
                point = I.exact(x)
                I.set_precision(bits)
                for argument in (point, I.hull(Fraction(2) ** (near - 2), point)):
                    found, value = I.log(argument).b, mp.log(mp.mpf(x.numerator) / x.denominator)
                    expect(mp.make_mpf(to_mpmath(found.hi)) >= value, f"the logarithm of 2^{near} + {sign} 2^-{size} at {bits} bits")
                found = I.log(point)
                expect(mp.make_mpf(to_mpmath(found.lo)) <= value, f"from below: the logarithm of 2^{near} + {sign} 2^-{size} at {bits} bits")
                width = mp.make_mpf(to_mpmath(found.delta.hi))
                expect(width <= abs(value) * mp.mpf(2) ** (2 - bits), f"the logarithm of 2^{near} + {sign} 2^-{size} is wide")
finish()
