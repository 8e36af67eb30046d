"""The arithmetic of python/plaudit_certificates is outward: members of random boxes, by mpmath at many more bits.

usage: checker_intervals.py [BOXES]      (per function and precision; default 60)

With PLAUDIT_SLOW=1 at 53 bits too.
"""
import fractions
import os
import pathlib
import random
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
sys.path.insert(0, str(ROOT / "tests" / "cli"))

from mpmath import mp  # noqa: E402

from _program import expect, finish  # noqa: E402
from plaudit_certificates.arithmetic import ends, intervals as I, special  # noqa: E402
from plaudit_certificates.arithmetic.ends import from_mpmath, to_mpmath  # noqa: E402
from plaudit_certificates.atoms import factorial  # noqa: E402
from plaudit_certificates.arithmetic.budget import Budget  # noqa: E402
from plaudit_certificates.arithmetic.exponentials import ExponentialSum  # noqa: E402
from plaudit_certificates.arithmetic.real import exceeds  # noqa: E402
from plaudit_certificates.arithmetic.sums import sizes_of_power_sums  # noqa: E402

BOXES = int(sys.argv[1]) if len(sys.argv) > 1 else 60
SLOW = os.environ.get("PLAUDIT_SLOW", "0") != "0"
RNG = random.Random(11)


def number(low=-40, high=8, bits=None):
    """A random binary float of random size and sign; short ones (exact in everything) are frequent."""
    bits = bits or RNG.choice([1, 2, 10, 53, 200])
    mantissa = RNG.getrandbits(bits) | 1
    return mp.mpf((RNG.getrandbits(1), mantissa, RNG.randint(low, high) - bits, mantissa.bit_length()))


def interval(positive=False, low=-40, high=8):
    """[x, y]: points, thin, wide and straddling ones, some with an end at 0 or 1."""
    x = abs(number(low, high)) if positive else number(low, high)
    kind = RNG.randrange(6)
    if kind == 0:
        y = x
    elif kind == 1:
        y = x + abs(number(-300, -30)) * abs(x)
    elif kind == 2:
        y = abs(number(low, high)) + (x if positive else 0)
    elif kind == 3:
        x = mp.mpf(RNG.choice([1, 1] if positive else [0, 1, -1]))
        y = x + abs(number(-200, 0)) * RNG.choice([0, 1])
    elif kind == 4:
        x = 1 + number(-300, -1)
        y = x + abs(number(-300, -1))
    else:
        y = x + abs(x) * abs(number(-10, 2))
    return min(x, y), max(x, y)


def members(ends):
    low, high = ends
    inside = low + (high - low) * mp.mpf(RNG.getrandbits(60)) / 2**60
    return [low, high, inside]


def made(ends):
    return I.Interval(from_mpmath(ends[0]._mpf_), from_mpmath(ends[1]._mpf_))


def contains(box, value):
    return mp.make_mpf(to_mpmath(box.lo)) <= value <= mp.make_mpf(to_mpmath(box.hi))


def box_contains(box, value):
    return contains(box.real, value.real) and contains(box.imag, value.imag)


def attempt(compute):
    """None where the arithmetic rejects."""
    try:
        return compute()
    except I.Rejected:
        return None


def check_real(name, function, reference, draw, bits):
    done = 0
    for _ in range(BOXES):
        ends = [draw() for _ in range(function.__code__.co_argcount)]
        result = attempt(lambda: function(*[made(e) for e in ends]))
        if result is None:
            continue
        done += 1
        expect(not mp.make_mpf(to_mpmath(result.hi)) < mp.make_mpf(to_mpmath(result.lo)), f"{name} at {bits} bits: inverted")
        for _ in range(3):
            points = [RNG.choice(members(e)) for e in ends]
            expect(contains(result, reference(*points)), f"{name} at {bits} bits: {ends} {points} not in {result}")
        if all(low == high for low, high in ends):  # tight at points, too
            value = abs(reference(*[low for low, _ in ends]))
            width = mp.make_mpf(to_mpmath(result.hi)) - mp.make_mpf(to_mpmath(result.lo))
            expect(width <= mp.ldexp(value, 12 - bits), f"{name} at {bits} bits: {ends} gives {result}, too wide")
    expect(done * 3 >= BOXES, f"{name} at {bits} bits: only {done} of {BOXES} were computed")


REAL = [
    ("+", lambda x, y: x + y, lambda x, y: x + y, interval),
    ("-", lambda x, y: x - y, lambda x, y: x - y, interval),
    ("*", lambda x, y: x * y, lambda x, y: x * y, interval),
    ("/", lambda x, y: x / y, lambda x, y: x / y, interval),
    ("square", lambda x: x ** 2, lambda x: x ** 2, interval),
    ("cube", lambda x: x ** 3, lambda x: x ** 3, interval),
    ("power -5", lambda x: x ** -5, lambda x: x ** -5, lambda: interval(True)),
    ("abs", lambda x: abs(x), abs, interval),
    ("sqrt", lambda x: I.sqrt(x), mp.sqrt, lambda: interval(True)),
    ("exp", lambda x: I.exp(x), mp.exp, interval),
    ("expm1", lambda x: I.expm1(x), mp.expm1, lambda: interval(low=-400)),
    ("log", lambda x: I.log(x), mp.log, lambda: interval(True, -3000, 3000)),
    ("log1p", lambda x: I.log1p(x), mp.log1p, lambda: interval(True, -400)),
    ("log1p below 0", lambda x: I.log1p(-x), lambda x: mp.log1p(-x), lambda: interval(True, -400, 0)),
    ("exp of log", lambda x, y: I.exp(y * I.log(x)), lambda x, y: mp.exp(y * mp.log(x)), lambda: interval(True)),
    ("cos", lambda x: I.cos(x), mp.cos, interval),
    ("sin", lambda x: I.sin(x), mp.sin, interval),
    ("log_c", lambda x: I.log_c(x), lambda x: x * mp.log(x) - (1 + x) * mp.log(1 + x), lambda: interval(True, -8)),
    ("normal_tail", lambda x: I.normal_tail(x), lambda x: mp.erfc(x / mp.sqrt(2)) / 2, lambda: interval(low=-8, high=7)),
    ("density", lambda x: I.density(x), mp.npdf, interval),
]


def box():
    """A complex box; some touch an axis."""
    real, imag = interval(low=-20), interval(low=-20)
    kind = RNG.randrange(6)
    if kind == 0:
        imag = (mp.mpf(0), mp.mpf(0))
    elif kind == 1:
        imag = (mp.mpf(0), imag[1] - imag[0])
    elif kind == 2:
        real = (mp.mpf(0), real[1] - real[0])
    return real, imag


def check_complex(name, function, reference, bits, agree=box_contains):
    done = 0
    for _ in range(BOXES):
        ends = [box() for _ in range(function.__code__.co_argcount - len(function.__defaults__ or ()))]
        result = attempt(lambda: function(*[I.Complex(made(real), made(imag)) for real, imag in ends]))
        if result is None:
            continue
        done += 1
        for _ in range(4):
            points = [mp.mpc(RNG.choice(members(real)), RNG.choice(members(imag))) for real, imag in ends]
            try:
                value = reference(*points)
            except (ValueError, ZeroDivisionError):
                continue
            if mp.isinf(value):  # log 0: its stand-in is checked by check_cut
                continue
            expect(agree(result, value), f"{name} at {bits} bits: {ends} {points}: {value} not in {result}")
    expect(done * 4 >= BOXES, f"{name} at {bits} bits: only {done} of {BOXES} were computed")


def some_log_agrees(logs, value):
    turn = 2 * mp.pi
    return any(box_contains(logs, value + 1j * turn * k) for k in (-1, 0, 1))


COMPLEX = [
    ("complex *", lambda z, w: z * w, lambda z, w: z * w),
    ("complex /", lambda z, w: z / w, lambda z, w: z / w),
    ("complex +-", lambda z, w: (z + w) - 2 * w, lambda z, w: z - w),
    ("cexp", lambda z: I.cexp(z), mp.exp),
    ("clog", lambda z: I.clog(z), mp.log),
]


def check_cut():
    """What iv.log got wrong: boxes that touch the cut are rejected, never inverted."""
    for real, imag in [((-1, -0.5), (-1, 0)), ((-1, -0.5), (0, 1)), ((-1, 1), (-1, 1)), ((-1, 0), (0, 0)), ((0, 1), (0, 1))]:
        z = I.Complex(made(tuple(map(mp.mpf, real))), made(tuple(map(mp.mpf, imag))))
        expect(attempt(lambda: I.clog(z)) is None, f"clog of {z} is not rejected")
        some = I.any_log(z)
        for point in [mp.mpc(x, y) for x in real for y in imag if (x, y) != (0, 0)]:
            expect(some_log_agrees(some, mp.log(point)), f"any_log of {z} lacks that of {point}")
        if not z.square_of_size() > 0:
            expect(contains(I.exp(some.real), mp.mpf(0)), f"the exponential of any_log of {z} lacks 0")


def check_too_inexact_bases():
    """A base whose box reaches beyond |E|^2 = 1 + 1/count, or is wider than 1 / count, makes an error of all that it weighs;
    of one that is known better less is lost; what may grow without end is rejected."""
    count, one = 50, I.Complex(I.exact(1), I.exact(0))
    little = I.Complex(I.exact(fractions.Fraction(1, 2**40)), I.exact(0))
    for factor, rough in ((fractions.Fraction(9999, 10000), False), (fractions.Fraction(10001, 10000), True)):
        end = I.sqrt(I.exact(1 + factor / count))
        half = factor / (2 * count)  # of the width of a base near 1/2
        for wide in (I.Complex(I.Interval(I.exact(1).lo, end.hi), I.exact(0)),
                     I.Complex(I.hull(fractions.Fraction(1, 2) - half, fractions.Fraction(1, 2) + half), I.exact(0))):
            for weight, size in ((one, 1), (little, fractions.Fraction(1, 2**40))):
                found = I.power_sums([(weight, wide)], count, Budget())
                expect((found[0].real.lower() < size / 2) == rough, f"{wide}, the first of {count} powers: {found[0]}")
                for k in (0, 1, count - 1):
                    for u in (wide.real.lower(), wide.real.upper()):
                        expect(found[k].real.lower() <= size * u ** k <= found[k].real.upper(), f"power {k} of {u}: {found[k]}")
                tops = sizes_of_power_sums([(weight, wide)], count, 64)
                expect(tops[count - 1].upper() >= size * wide.real.upper() ** (count - 1), f"the size of a power: {tops[-1]}")
    for count in (49, 50):  # 1.2^count is about 8,000
        found = I.power_sums([(one, I.Complex(I.hull(1, fractions.Fraction(6, 5)), I.exact(0)))], count, Budget())
        expect(found[-1].real.upper() >= fractions.Fraction(6, 5) ** (count - 1), f"1.2^{count - 1} is not in {found[-1]}")
    for far in (I.hull(0, 2), I.Interval((0, 0), (1, 1 << 60))):  # whose digits nobody can write out
        found = attempt(lambda: I.power_sums([(one, I.Complex(far, I.exact(0)))], 80, Budget()))
        expect(found is None, f"a base of up to {far} is not rejected")


def check_series():
    """With few bits, where each unit of the error counts."""
    rng = random.Random(20261201)
    drawn = [(rng.randint(1, 24), fractions.Fraction(rng.randint(1, 600), rng.choice([100, 700, 6400]))) for _ in range(6 * BOXES)]
    for bits, x in drawn + [(bits, fractions.Fraction(k, 10)) for bits in (1, 2, 3) for k in range(1, 61)]:
        s, e = special._series(x, bits)
        with mp.workprec(400):
            true = mp.ldexp(mp.sqrt(mp.pi / 2) * mp.exp(mp.mpf(x.numerator) ** 2 / (2 * mp.mpf(x.denominator) ** 2)) *
                            mp.erf(mp.mpf(x.numerator) / x.denominator / mp.sqrt(2)), bits)
            expect(s <= true <= s + e, f"the series of {x} to {bits} bits: {true} is not in {s} + {e}")


def check_far_tails(bits):
    """Where the tail falls nearly as fast as its bound: far out, and across intervals that are nearly too wide for it."""
    for x in (1, 7, 300, 5000):
        for places in (21, 40, 300):
            low, high = fractions.Fraction(x), x + fractions.Fraction(1, (x + 1) * 2**places)
            found = I.normal_tail(I.hull(low, high))
            with mp.workprec(2 * bits + 800):
                for end in (low, high):
                    true = mp.erfc(mp.mpf(end.numerator) / end.denominator / mp.sqrt(2)) / 2
                    expect(contains(found, true), f"the tail of [{x}, {x} + 2^-{places} / {x + 1}] at {bits} bits lacks that of {end}")


def check_low_exponents():
    """A zero may be written with any exponent; digits that nobody can write out are never asked for."""
    nothing = I.Interval((0, -(1 << 60)), (0, -(1 << 60)))
    expect(contains(I.normal_tail(nothing), mp.mpf(1) / 2), "the tail at 0")
    expect(nothing.lower() == nothing.upper() == 0, "0 as a fraction")
    expect(not exceeds(nothing, fractions.Fraction(0)) and exceeds(nothing, fractions.Fraction(-1)), "the order of 0 and others")
    for value in (mp.inf, -mp.inf, mp.nan):
        try:
            from_mpmath(value._mpf_)
            expect(False, f"{value} is taken for a float")
        except OverflowError:
            pass


def check_power_sums(bits):
    for _ in range(max(2, BOXES // 20)):
        exact_terms, terms = [], []
        for _ in range(RNG.randint(1, 6)):
            w = mp.mpc(number(-20, 20), number(-20, 20))
            u = mp.expjpi(mp.mpf(RNG.getrandbits(50)) / 2**50 * 2) * (1 - abs(number(-60, -2)) / 2)
            ends = [(x - abs(x) * mp.mpf(2) ** -bits, x + abs(x) * mp.mpf(2) ** -bits)
                    for x in (w.real, w.imag, u.real, u.imag)]
            terms.append((I.Complex(*map(made, ends[:2])), I.Complex(*map(made, ends[2:]))))
            exact_terms.append((mp.mpc(*[RNG.choice(e) for e in ends[:2]]), mp.mpc(*[RNG.choice(e) for e in ends[2:]])))
        count = RNG.randint(1, 60)
        sums = I.power_sums(terms, count, Budget())
        size = sum(abs(w) for w, _ in exact_terms)
        for k, each in enumerate(sums):
            value = sum(w * u ** k for w, u in exact_terms)
            expect(box_contains(each, value), f"power_sums at {bits} bits: the sum {k} misses")
            width = mp.make_mpf(to_mpmath(each.real.delta.hi))
            expect(width <= size * (k + 2) * mp.ldexp(1, 8 - bits), f"power_sums at {bits} bits: the sum {k} is too wide")
        tops = sizes_of_power_sums(terms, count, bits)
        for k, each in enumerate(tops):
            value, found = abs(sum(w * u ** k for w, u in exact_terms)), mp.make_mpf(to_mpmath(each.hi))
            expect(value <= found <= value + size * (k + 2) * mp.ldexp(1, 9 - bits), f"sizes of sums at {bits} bits: the sum {k} is off")


def check_rough_bases(bits):
    """A base that is hardly known is no obstacle where it weighs little, and what it changes is within the enclosure."""
    rng = random.Random(bits)
    for _ in range(max(3, BOXES // 10)):
        count, exact_terms, terms = rng.randint(2, 80), [], []
        for small in (0, rng.choice([0, 9, 300])):
            w = mp.mpc(rng.choice([-1, 1]), rng.choice([-1, 1])) * mp.ldexp(1, -small)
            r = mp.mpf(1) / (9 * count)  # both parts are off by no more
            u = mp.expjpi(mp.mpf(rng.getrandbits(50)) / 2**49) * (1 - 2 * r)
            ends = [(x - r, x + r) for x in (u.real, u.imag)]
            terms.append((I.Complex(made((w.real, w.real)), made((w.imag, w.imag))), I.Complex(*map(made, ends))))
            exact_terms.append((w, mp.mpc(*[rng.choice(e) for e in ends])))
        for k, each in enumerate(I.power_sums(terms, count, Budget())):
            expect(box_contains(each, sum(w * u ** k for w, u in exact_terms)), f"rough bases at {bits} bits: the sum {k} misses")


def check_exponential_sums(bits):
    def drawn(high):
        z = mp.mpc(number(-20, high), number(-20, high))
        ends = [(x - abs(x) * mp.mpf(2) ** -bits, x + abs(x) * mp.mpf(2) ** -bits) for x in (z.real, z.imag)]
        return I.Complex(*map(made, ends)), mp.mpc(*[RNG.choice(e) for e in ends])
    for _ in range(max(2, BOXES // 20)):
        terms = [(drawn(2), drawn(5)) for _ in range(RNG.randint(1, 5))]
        sums = ExponentialSum([(l, m) for (l, _), (m, _) in terms])
        for _ in range(5):
            w, exact_w = drawn(3)
            each = sums.at(w)
            sizes = [mp.exp((exact_w * l + m).real) for (_, l), (_, m) in terms]
            value = sum(mp.exp(exact_w * l + m) for (_, l), (_, m) in terms)
            expect(box_contains(each, value), f"an exponential sum at {bits} bits misses")
            expect(mp.make_mpf(to_mpmath(each.real.delta.hi)) <= (1 + sum(sizes)) * mp.ldexp(1, 14 - bits),
                   f"an exponential sum at {bits} bits is too wide")
    far = I.Complex(I.exp(I.exact(10**9)))
    expect(attempt(lambda: ExponentialSum([(far, far)])) is None, "huge numbers are not rejected")
    expect(attempt(lambda: ExponentialSum([(I.Complex(1), I.Complex(0))]).at(far)) is None, "a huge number is not rejected")


def correctly_rounded(value, bits, upward):
    """The float with so many bits that is nearest to a rational from below, or from above."""
    if value == 0:
        return fractions.Fraction(0)
    n, d = abs(value.numerator), value.denominator
    exponent = n.bit_length() - d.bit_length() - bits  # 2^(bits - 1) < |value| 2^-exponent < 2^(bits + 1)
    unit = fractions.Fraction(2) ** exponent
    if abs(value) >= unit * 2**bits:
        unit *= 2
    q = value / unit
    return unit * (-(-q.numerator // q.denominator) if upward else q.numerator // q.denominator)


def check_ends(pairs):
    """Floats of all lengths, near each other and far apart, against rationals: each result is the float of so many bits that
    is nearest, however it is written."""
    rng = random.Random(20261130)

    def worth(x):
        return x[0] * fractions.Fraction(2) ** x[1]

    def end():
        m = rng.choice([0, 1, -1, 2**rng.randrange(90), 2**rng.randrange(1, 90) - 1, rng.getrandbits(rng.choice([3, 40, 200]))])
        return rng.choice([-1, 1]) * m, rng.choice([0, -1, 1, rng.randrange(-90, 90), rng.randrange(-1500, 1500)])

    def rounds(name, found, value, bits, upward):
        expect(worth(found) == correctly_rounded(value, bits, upward), f"{name} to {bits} bits: {found}")

    for _ in range(pairs):
        x, y, bits = end(), end(), rng.choice([1, 2, 3, 5, 17, 40, 64])
        if rng.randrange(4) == 0:  # nearly or wholly cancelled
            y = -x[0] + rng.choice([-1, 0, 1]), x[1]
        p, q = worth(x), worth(y)
        for upward, add, sub, mul, div, root, alone in (
                (False, ends.add_down, ends.sub_down, ends.mul_down, ends.div_down, ends.sqrt_down, ends.down),
                (True, ends.add_up, ends.sub_up, ends.mul_up, ends.div_up, ends.sqrt_up, ends.up)):
            rounds(f"{x} + {y}", add(x, y, bits), p + q, bits, upward)
            rounds(f"{x} - {y}", sub(x, y, bits), p - q, bits, upward)
            rounds(f"{x} * {y}", mul(x, y, bits), p * q, bits, upward)
            rounds(f"{x}", alone(*x, bits), p, bits, upward)
            if q:
                rounds(f"{x} / {y}", div(x, y, bits), p / q, bits, upward)
            found = root(ends.size(x), bits)
            r, unit = worth(found), fractions.Fraction(2) ** (ends.magnitude(found) - bits)  # of the last of so many bits
            expect(found[0].bit_length() <= bits + 1, f"the root of {x} has {found[0].bit_length()} bits")
            if upward:
                expect(r * r >= abs(p) and (r == 0 or (r - unit) ** 2 < abs(p)), f"the root of {x} to {bits} bits: {found}")
            else:
                expect(r * r <= abs(p) < (r + unit) ** 2 or r == p == 0, f"the root of {x} to {bits} bits: {found}")
        expect(ends.compare(x, y) == (p > q) - (p < q), f"the order of {x} and {y}")
        if p:
            expect(fractions.Fraction(2) ** (ends.magnitude(x) - 1) <= abs(p) < fractions.Fraction(2) ** ends.magnitude(x), f"the size of {x}")
    huge, tiny = (3, 1 << 60), (-1, -(1 << 60))
    expect(ends.add_down(huge, tiny, 9) == (383, (1 << 60) - 7) and ends.compare(ends.add_up(huge, tiny, 9), huge) == 0
           and ends.compare(huge, tiny) == 1 and ends.compare(tiny, (-1, 0)) == 1, "numbers that are too far apart to be written out")


check_ends(20 * BOXES)
check_series()

for bits in (33, 53, 128, 512) if SLOW else (33, 128, 512):
    I.set_precision(bits)
    mp.prec = 6 * bits + 1400
    check_cut()
    check_far_tails(bits)
    check_low_exponents()
    expect(contains(I.pi(), +mp.pi), f"pi at {bits} bits")
    for name, function, reference, draw in REAL:
        check_real(name, function, reference, draw, bits)
    for name, function, reference in COMPLEX:
        check_complex(name, function, reference, bits)
    check_complex("any_log", lambda z: I.any_log(z), mp.log, bits, some_log_agrees)
    check_power_sums(bits)
    check_rough_bases(bits)
    check_too_inexact_bases()
    check_exponential_sums(bits)
    for n in (0, 1, 127, 128, 129, 1000):
        expect(contains(factorial(n), mp.factorial(n)), f"{n}! at {bits} bits")
    for n in (1, 2, 11):
        check_complex(f"power {n}", lambda z, n=n: z ** n, lambda z, n=n: z ** n, bits)

finish()
