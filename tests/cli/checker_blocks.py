"""Blocks of nodes by vectors of machine integers (python/plaudit_certificates: lines/blocks.py, arithmetic/rotations.py): the promise of each
step, each error term as large as it may be and then left out, the bounds of random blocks against values of M.

usage: checker_blocks.py [TRIALS]      (default 6; without numpy, whose vectors these are, it says so and checks that all
blocks are bounded one by one)
"""
import pathlib
import random
import sys
from fractions import Fraction

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
sys.path.insert(0, str(ROOT / "tests" / "cli"))

from mpmath import mp  # noqa: E402

from _program import expect, finish  # noqa: E402
from plaudit_certificates.arithmetic.ends import to_mpmath  # noqa: E402
from plaudit_certificates.laws import laws  # noqa: E402
from plaudit_certificates.lines import ranges  # noqa: E402
from plaudit_certificates.arithmetic import real  # noqa: E402
from plaudit_certificates.arithmetic.budget import Budget  # noqa: E402
from plaudit_certificates.lines.contour import Product  # noqa: E402
from plaudit_certificates.arithmetic.intervals import exact, hull  # noqa: E402
from plaudit_certificates.specs.reader import Fields  # noqa: E402
from plaudit_certificates.specs.specs import Composition  # noqa: E402

try:
    import numpy as np
    from plaudit_certificates.lines import blocks
    from plaudit_certificates.arithmetic import rotations
    from plaudit_certificates.arithmetic.rotations import ERROR, ONE, Angles
except ImportError:
    np, Angles = None, object

TRIALS = int(sys.argv[1]) if len(sys.argv) > 1 else 6
RNG = random.Random(5)
SPECS = ["poisson(discrete_gaussian(sigma=2), rate=0.01)^300", "discrete_laplace(scale=3)^40", "laplace(scale=2)^9",
         "laplace(scale=50)^700", "discrete_gaussian(sigma=5)^50", "discrete_gaussian(sigma=0.4)^3", "pure(epsilon=0.5)^5",
         "poisson(laplace(scale=2), rate=0.1)^5"]


def fails(what, holds, **changes):
    """`holds` with something of blocks replaced must not hold."""
    before = {name: getattr(blocks, name) for name in changes}
    for name, value in changes.items():
        setattr(blocks, name, value)
    expect(not holds(), f"nothing notices {what}")
    for name, value in before.items():
        setattr(blocks, name, value)


# ---- rotations.py

def angles_of(k, turns, members):
    """Are the angles k S as near as they say, for members of S?"""
    found = Angles(turns)
    at = [int(x) for x in found.at(np.array(k, dtype=np.uint64))]
    most = found.error(max(k))
    off = [abs((x - each * member * 2**64 + 2**63) % 2**64 - 2**63) for x, each in zip(at, k) for member in members]
    expect(max(off) <= most, f"angles are off by {float(max(off))}, not {most}")
    return max(off) / most


def check_angles():
    k = [RNG.randrange(2**42) for _ in range(300)] + [0, 1, 2**42 - 1]
    greatest = 0
    for _ in range(40):
        low = Fraction(RNG.randrange(-2**90, 2**90), 2**RNG.choice([70, 88, 90, 100]))
        high = low + Fraction(RNG.choice([0, 1, 2**20]), 2**100)
        greatest = max(greatest, angles_of(k, hull(exact(low), exact(high)), (low, high)))
    expect(greatest > 0.2, "angles are much better than they say")


def check_rotations():
    edges = [j * 2**48 + d for j in (0, 1, 2**14, 2**15 - 1, 2**15, 40000, 2**16 - 1) for d in (0, 1, 2**47 - 1, 2**47, 2**48 - 1)]
    angles = edges + [RNG.randrange(2**64) for _ in range(3000)]
    c, s = rotations.rotations().at(np.array(angles, dtype=np.uint64))
    off = [abs(mp.mpc(int(x), int(y)) - ONE * mp.expjpi(mp.mpf(angle) / 2**63)) for angle, x, y in zip(angles, c, s)]
    print(f"rotations: off by {float(max(off)):.2f} units, {ERROR} are allowed")
    expect(ERROR / 2 < max(off) <= ERROR, "rotations are not as they say")
    tables = rotations.rotations()
    for j in RNG.sample(range(1 << 16), 2000):
        each = ONE * mp.expjpi(mp.mpf(2 * j + 1) / 2**16)
        expect(abs(mp.mpc(int(tables.cos[j]), int(tables.sin[j])) - each) <= 1.43, f"the entry {j} of the tables")


# ---- error terms, each as large as it may be

class Nearer:
    """Rotations that err by OFF towards 0."""
    OFF = 200

    def at(self, angles):
        values = [(ONE - self.OFF) * mp.expjpi(mp.mpf(int(angle)) / 2**63) for angle in angles]
        return blocks.integers([int(z.real) for z in values]), blocks.integers([int(z.imag) for z in values])


class Turned(Angles):
    """Angles that are off as they say, one to and one fro."""
    count, more = 0, 1 << 54

    def at(self, k):
        Turned.count += 1
        return super().at(k) + np.uint64(self.more) if Turned.count % 2 else super().at(k) - np.uint64(self.more)

    def error(self, most):
        return super().error(most) + self.more


def atoms_hold(first, length, weights, places, rest=Fraction(0), h=Fraction(1, 3), seen=None):
    """Are the sizes of blocks at least those of M? weights: [(low, high)]; seen: the rest that is said."""
    given = [(hull(exact(low), exact(high)), exact(x)) for (low, high), x in zip(weights, places)]
    bound = blocks.FromAtoms((given, exact(rest if seen is None else seen)), exact(h), 1, 2**40)
    found = bound.sizes(np.array(first), np.array(length))
    unit = mp.make_mpf(to_mpmath(bound.most.hi)) / ONE
    for k, count, size in zip(first, length, found):
        for node in {k, k + count - 1, k + count // 2}:
            for which in (0, 1):
                value = sum(mpf(w[which]) * mp.expj(mpf(node * h * x)) for w, x in zip(weights, places))
                if min(abs(value) + mpf(rest), sum(mpf(w[1]) for w in weights) + mpf(rest)) > int(size) * unit:
                    return False
    return True


def mpf(q):
    return mp.mpf(q.numerator) / q.denominator


def both(what, holds, left_out=None, **changes):
    expect(holds(), f"{what}: a size is too small")
    fails(f"that {what} is left out", left_out or holds, **changes)


def check_terms():
    firsts = [RNG.randrange(1, 2**30) for _ in range(60)]
    ones = [1] * len(firsts)
    thin, wide = ([(w, w * (1 + Fraction(e, 2**18))) for w in (Fraction(1, 3), Fraction(1, 2), Fraction(1, 7))] for e in (0, 1))
    places = [Fraction(7, 5), Fraction(-1, 3), Fraction(22, 9)]
    expect(atoms_hold(firsts, ones, thin, places), "a size is too small")
    near = blocks.Sized.near
    blocks.Sized.near = lambda self, x: (near(self, x)[0], 0)
    expect(not atoms_hold(firsts, ones, wide, places), "nothing notices that errors of weights are left out")
    for holds, error in ((False, 2**49), (True, 2**50)):  # half of it, all of it
        blocks.Sized.near = lambda self, x, e=error: (near(self, x)[0] - 2**20, e) if x > self.most / 4 else (near(self, x)[0], 0)
        expect(laplace_holds(range(1, 30), Fraction(1, 1000), scale="0.05") == holds, f"errors of weights of Laplace noise: {holds}")
    blocks.Sized.near = near
    expect(atoms_hold(firsts, ones, wide, places), "errors of weights: a size is too small")
    tiny, blocks.TINY = blocks.TINY, 2
    expect(atoms_hold(firsts, ones, thin, places), "weights by their sum: a size is too small")
    blocks.TINY = tiny
    some = Fraction(1, 1000)
    both("the rest", lambda: atoms_hold(firsts, ones, thin, places, some), lambda: atoms_hold(firsts, ones, thin, places, some, seen=Fraction(0)))
    several, each = [5] * len(firsts), blocks._each
    both("the way to the middle", lambda: atoms_hold(firsts, several, thin, places, h=Fraction(1, 8)), _each=lambda v, f: each(v, lambda _: 0))
    table = rotations._tables
    rotations._tables, blocks.ERROR = [Nearer()], Nearer.OFF
    both("a tenth of the error of rotations", lambda: atoms_hold(firsts, ones, thin, [Fraction(1)] * 3), ERROR=Nearer.OFF * 9 // 10)
    both("half of the error of rotations of Laplace noise", lambda: laplace_holds(range(1, 30), Fraction(1, 1000), scale="0.05"),
         ERROR=Nearer.OFF // 2)
    rotations._tables, blocks.ERROR = table, ERROR
    blocks.Angles = Turned
    both("the error of angles", lambda: atoms_hold(firsts, ones, thin, places), _turned=lambda off: 0)
    both("the error of angles of Laplace noise", lambda: laplace_holds(firsts, Fraction(1, 2)), _turned=lambda off: 0)
    both("the error of angles of discrete noise", lambda: noise_holds(firsts) and noise_holds(firsts),  # to and fro
         lambda: noise_holds(firsts, error=0))
    blocks.Angles = Angles
    both("the length of a block of discrete noise", lambda: noise_holds(firsts, 40), lambda: noise_holds(firsts, 40, step=Fraction(0)))
    both("the way to the middle, Laplace", lambda: laplace_holds(firsts, Fraction(1, 2), 3), _each=lambda v, f: each(v, lambda _: 0))


def line(spec):
    run = Composition(spec, {}, Budget()).run("remove")
    product = Product(Fields({"factors": [{} for _ in run.factors]}, "choices"), run, Budget(), False)
    return product.laws[0], *product.lines[0]


def laplace_holds(first, h, length=1, t=Fraction(1, 50), scale="1"):
    law, on_line, _ = line(f"laplace(scale={scale})")
    bound = blocks.FromLaplace(law, on_line, exact(t), exact(h), 1, 2**40)
    found = bound.sizes(np.array(list(first)), np.array([length] * len(first)))
    return all(not abs(on_line.values(exact(t), exact(h), k + at, 1)[0]).a > int(size) * bound.most / ONE
               for k, size in zip(first, found) for at in {0, length - 1})


def noise_holds(first, length=1, h=Fraction(1, 10), t=Fraction(2), **changes):
    law, on_line, n = line("discrete_gaussian(sigma=3)^20")
    bound = blocks.FromNoise(law, exact(t), exact(h), n, 2**40, Budget())
    for name, value in changes.items():
        setattr(bound, name, value)
    found = bound.falls(np.array(first), np.array([length] * len(first)))
    return all(not n * log_size(on_line, t, h, k + at) > n * bound.log_most - exact(Fraction(int(r), blocks.FINE))
               for k, r in zip(first, found) for at in {0, length // 2, length - 1})


def log_size(on_line, t, h, k):
    """A point not above log |M(t + ikh)|, far down where that box holds 0."""
    size = abs(on_line.values(exact(t), exact(h), k, 1)[0]).a
    return real.log(size).a if size > 0 else exact(-10**9)


def check_roots():
    def holds():
        numbers = [(RNG.randrange(2**30) << 30) + ONE - 1 for _ in range(4000)]
        x, y = blocks.integers(numbers[::2]), blocks.integers(numbers[1::2])
        found = blocks._sizes(x, y, blocks.integers([0] * len(x)))
        return all((int(size) << 30) ** 2 >= int(a) ** 2 + int(b) ** 2 for size, a, b in zip(found, x, y))
    expect(holds(), "a root is too small")
    sizes = blocks._sizes
    fails("that roundings are left out", holds, _sizes=lambda x, y, more: sizes(x, y, more - 2))
    greatest = 2**61 + 2**59
    found = blocks._sizes(blocks.integers([-greatest, 0]), blocks.integers([0, greatest]), blocks.integers([2**33, 0]))
    expect(int(found[0]) >= (greatest >> 30) + 2**33 and int(found[1]) >= greatest >> 30, "great sizes")


def check_floors():
    for n in (1, 3, 1000, 10**7):
        floors = blocks.Sized(exact(1), n).floors
        for r in [1, 2, 3, *RNG.sample(range(1, len(floors) + 1), 200)]:
            value = ONE * mp.exp(mp.mpf(-r) / (n * blocks.FINE))
            expect(value - 1.001 <= -int(floors[r - 1]) <= value, f"the floor {r} of the power {n}")
        expect(len(floors) == blocks.MOST or floors[-1] == 0, f"the power {n} has few floors")


# ---- whole laws

def random_blocks():
    count, length = RNG.choice([1, 7, 60]), RNG.choice([1, 1, 2, 5, 50])
    first = RNG.choice([1, 30, 1000, RNG.randrange(1, 2**36)])
    return [(first, length, count)] + ([(first + length * count, RNG.randrange(1, 900), 1)] if RNG.random() < 0.5 else [])


def check_law(spec):
    """Falls of random blocks against values, and against what bounds a block alone: hardly less."""
    law, on_line, n = line(spec)
    t, h = Fraction(RNG.randrange(1, 400), 64), Fraction(RNG.randrange(1, 2**12), 2**10)
    t = RNG.choice((t, -1 - t))
    pieces = random_blocks()
    last = pieces[-1][0] + pieces[-1][1] * pieces[-1][2]
    bound = blocks._bound(law, on_line, exact(t), exact(h), n, pieces[0][0], last, Budget())
    one = ranges._bound(law, on_line, exact(t), exact(h), pieces[0][0], Budget())
    (first, length), = blocks._pieces(pieces)
    falls = bound.falls(first, length)
    for k, count, r in RNG.sample(list(zip(first.tolist(), length.tolist(), falls.tolist())), min(12, len(first))):
        most = n * bound.log_most - exact(Fraction(r, blocks.FINE))
        expect(0 <= r <= blocks.MOST, f"{spec}: a fall of {r}")
        if type(on_line).__name__ == "SampledLaplaceLine":
            continue  # a constant bound; no values far out
        for node in {k, k + count - 1, k + count // 2, RNG.randrange(k, k + count)}:
            expect(not n * log_size(on_line, t, h, node) > most, f"{spec}: t = {t}, h = {h}, the node {node} of {k} + {count} is greater")
        single = one.logs(k, count, 1)[0]
        lost = n * 60 * 2.0**-30 * real.exp(bound.log_most - single).estimate()
        whole, more = (n * (bound.log_most - single)).estimate(), (most - n * single).estimate()
        expect(whole > 60 or -1e-6 <= more < 0.2 + lost, f"{spec}: a fall is {more} less than that of one block alone")


def check_gaussian():
    for _ in range(20):
        law, t, h, n = laws.gaussian_at(Fraction(RNG.randrange(1, 99), 2**RNG.randrange(3, 20))), exact(3), Fraction(RNG.randrange(1, 99), 64), 3
        bound = blocks.FromGaussian(law, t, exact(h), n, 2**36)
        for r, k in list(enumerate(bound.firsts.tolist(), 1))[:2000:37]:
            fall = [n * law.mu * h * h * each**2 for each in (k, k - 1)]
            expect(k > 2**36 or fall[0] >= Fraction(r, blocks.FINE) > fall[1], f"a Gaussian falls by {r} at {k}")
        if bound.firsts.size > 1:
            k = int(bound.firsts[1])
            got = bound.falls(np.array([1, k - 1, k]), np.array([1, 1, 1])).tolist()
            expect(got[1] < 2 <= got[2], f"falls of a Gaussian: {got}")


def check_together():
    for _ in range(TRIALS):
        start, length = RNG.choice([1, 5, 5000]), RNG.choice([1, 3])
        (first, lengths), = blocks._pieces([(start, length, 3000)])
        falls = np.array([RNG.randrange(400) for _ in range(3000)])
        value = sum(mp.mpf(length) * mp.exp(mp.mpf(-r) / blocks.FINE) / k**2 for k, r in zip(first.tolist(), falls.tolist()))
        found = mp.make_mpf(to_mpmath(blocks._together(first, lengths, falls, blocks.Exponentials()).hi))
        expect(value <= found <= value * mp.mpf(81) / 64, f"groups of blocks: {found / value}")


def check_whole(vectors):
    """All of it against the blocks one by one; without numpy there is but one way."""
    for spec in SPECS[:1] + SPECS[2:3] + SPECS[4:5]:
        law, on_line, n = line(spec)
        factors = [(law, on_line, n), (laws.gaussian_at(Fraction(1, 2000)), *line("gaussian(sigma=2000)")[1:])]
        fields = Fields({"ends": [5010, 5100, 19100], "how": [0, 1, 2], "block": 7}, "ranges")
        parts = ranges.Ranges(fields, 5000, 10**5)
        found = {}
        for name, chosen in (("vectors", ranges.vectors_for), ("one by one", lambda *_: None)):
            before, ranges.vectors_for = ranges.vectors_for, chosen
            found[name] = ranges.bounded_ranges(parts, factors, exact(3), exact(Fraction(3, 256)), exact(1), Budget())
            ranges.vectors_for = before
        ratio = (found["vectors"] / found["one by one"]).estimate()
        print(f"{spec}: {found['one by one'].estimate():.4g}, " + (f"vectors {ratio:.3f} times as much" if vectors else "one by one"))
        expect(1 - 1e-9 <= ratio <= (1.5 if vectors else 1 + 1e-12), f"{spec}: vectors find {ratio} times as much")


def main():
    mp.prec = 200
    real.set_precision(100)
    check_whole(np is not None)
    expect((ranges.vectors_for(10**6, 1) is None) == (np is None), "numpy is there and is not used")
    expect(ranges.vectors_for(10, 1) is None and ranges.vectors_for(10**6, 1 << 30) is None, "vectors where they are no use")
    if np is None:
        print("no numpy here: all blocks are bounded one by one; the vectors are NOT tested (python3-numpy)")
        finish()
        return
    check_angles()
    check_rotations()
    check_roots()
    check_floors()
    check_terms()
    check_gaussian()
    check_together()
    for spec in SPECS:
        for _ in range(TRIALS):
            check_law(spec)
    finish()


if __name__ == "__main__":
    main()
