"""The laws that python/plaudit_certificates reads from specs are those of the program: canonical text, adjacency, and the
delta of one step, evaluated from the law's parameters by mpmath's plain quadrature, within the program's band.

usage: checker_laws.py [FILE]     (FILE: more specs, one per line, of which only the canonical text is compared)
"""
import json
import pathlib
import re
import sys
import tempfile
from fractions import Fraction

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
sys.path.insert(0, str(ROOT / "tests" / "cli"))

from mpmath import mp  # noqa: E402

from _program import expect, finish, run  # noqa: E402
from plaudit_certificates.arithmetic import intervals  # noqa: E402
from plaudit_certificates.arithmetic.ends import to_mpmath  # noqa: E402
from plaudit_certificates.laws import labels, laws, thresholds  # noqa: E402
from plaudit_certificates.lines import lines  # noqa: E402
from plaudit_certificates.specs import reader, specs  # noqa: E402
from plaudit_certificates.arithmetic.budget import Budget  # noqa: E402

mp.prec = 110
intervals.set_precision(200)


def real(q):
    return mp.mpf(q.numerator) / q.denominator


def phi(x):
    return mp.erfc(-x / mp.sqrt(2)) / 2


def root(function, low, high):
    """Of an increasing function, by halves, to 1e-21: what is integrated from there on is 0 there, so that its square counts."""
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) < 0 else (low, middle)
    return (low + high) / 2


def gaussian(law, e):
    mu = mp.sqrt(2 * real(law.mu))
    return phi(mu / 2 - e / mu) - mp.exp(e) * phi(-mu / 2 - e / mu)


def mixture(law, e):
    unit = mp.sqrt(real(law.radicand))
    rates, weights = [real(a) * unit for a in law.rates], list(map(real, law.probabilities))

    def log_f(y):
        return mp.log(sum(p * mp.exp(a * y - a * a / 2) for a, p in zip(rates, weights)))
    y = root(lambda y: log_f(y) - (e if law.removes else -e), mp.mpf(-300), mp.mpf(300))
    if law.removes:
        return sum(p * phi(a - y) for a, p in zip(rates, weights)) - mp.exp(e) * phi(-y)
    return phi(y) - mp.exp(e) * sum(p * phi(y - a) for a, p in zip(rates, weights))


def labelled(law, e):
    """sampling.md#replacement: sum_j w_j H_x(R_j | Q_0) for x >= 1, of the swapped pairs for x < 1."""
    q, total = real(law.q), mp.mpf(0)
    for weight, rate in law.labels:
        pair = laws.Mixture([Fraction(0), rate], [1 - law.q, law.q], e >= 0)
        total += real(weight) * mixture(pair, e)
    return total + 0 * q


def mirrored(law, e):
    rates, weights = list(map(real, law.rates)), list(map(real, law.probabilities))

    def density(y):
        return sum(p * mp.exp(a * y - a * a / 2) for a, p in zip(rates, weights))
    y = root(lambda y: mp.log(density(y)) - mp.log(density(-y)) - e, mp.mpf(-500), mp.mpf(500))
    return sum(p * (phi(a - y) - mp.exp(e) * phi(-a - y)) for a, p in zip(rates, weights))


def laplace_mean(a, value, e):
    """Under Q: e^-a/2 on a, 1/2 on -a, the density e^(-(l+a)/2)/4 between; `value` has a kink where it vanishes."""
    ends = [-a] + [e] * (-a < e < a) + [a]
    return mp.exp(-a) / 2 * value(a) + value(-a) / 2 + mp.quad(lambda l: mp.exp(-(l + a) / 2) / 4 * value(l), ends)


def discrete_gaussian_mean(law, value):
    v, d = real(law.variance), law.sensitivity
    reach = int(40 * mp.sqrt(v)) + d + 40
    whole = sum(mp.exp(-k * k / (2 * v)) for k in range(-reach, reach + 1))
    return sum(mp.exp(-k * k / (2 * v)) / whole * value((k * d - mp.mpf(d * d) / 2) / v)
               for k in range(-reach - d, reach + d + 1))


def positive(x):
    return x if x > 0 else mp.mpf(0)


def base_mean(law, value, kink):
    """E_Q value(l)."""
    if isinstance(law, laws.Laplace):
        return laplace_mean(real(law.a), value, kink)
    return discrete_gaussian_mean(law, value)


def plain(law, e):
    return base_mean(law, lambda l: positive(mp.exp(l) - mp.exp(e)), e)


def sampled(law, e):
    g = real(law.rate)
    if law.removes:  # E_Q (f - e^eps)_+
        return base_mean(law.base, lambda l: positive(1 - g + g * mp.exp(l) - mp.exp(e)),
                         mp.log(positive(1 + mp.expm1(e) / g) or mp.mpf(1)))
    # P = base's P, Q' = (1-g) P + g Q; as the base is symmetric, E_Q (1 - e^eps f)_+ with f = 1 - g + g e^l
    return base_mean(law.base, lambda l: positive(1 - mp.exp(e) * (1 - g + g * mp.exp(l))),
                     mp.log(positive(1 + mp.expm1(-e) / g) or mp.mpf(1)))


def ranged(law, e):
    """Under P the density e^(l/2) / (4 sinh(epsilon/2)) on [-epsilon, epsilon]."""
    end = real(law.epsilon)
    if e >= end:
        return mp.mpf(0)
    return mp.quad(lambda l: mp.exp(l / 2) / (4 * mp.sinh(end / 2)) * (1 - mp.exp(e - l)), [max(e, -end), end])


def truncated(law, e):
    """Outputs y, P with the density e^(-|y - a|)/N where |y - a| <= A, Q with e^(-|y|)/N where |y| <= A, at scale 1."""
    a, end = real(law.a), real(law.a + law.beyond)
    def difference(y):
        p, q = (mp.exp(-abs(y - c)) if abs(y - c) <= end else 0 for c in (a, 0))
        return positive(p - mp.exp(e) * q)
    kinks = [a - end, mp.mpf(0), a, end, a + end]
    if -a < e < a:
        kinks.append((a + e) / 2)
    return mp.quad(difference, sorted(set(kinks))) / (2 * (1 - mp.exp(-end)))


def capped(law, e):
    """The exact weights of a binomial label."""
    rate, share = real(law.rate), mp.mpf(0)
    for k in range(law.cap, law.others + 1):
        share += mp.binomial(law.others, k) * rate ** k * (1 - rate) ** (law.others - k)
    enclosed = law.share()
    expect(real_of(enclosed.lower()) <= share * (1 + mp.mpf(2) ** -100) and
           share * (1 - mp.mpf(2) ** -100) <= real_of(enclosed.upper()), f"P(K >= {law.cap}): {share}, {enclosed}")
    return sum(part * DELTA[type(one)](one, e) for part, one in ((1 - share, law.under), (share, law.reached)))


def averaged(law, e):
    """The exact weights of the groups of a binomial label."""
    ends, total = law.starts[1:] + [law.trials + 1], mp.mpf(0)
    for start, end, one, enclosed in zip(law.starts, ends, law.laws, law.shares()):
        share = sum(mp.binomial(law.trials, k) * real(law.rate) ** k * (1 - real(law.rate)) ** (law.trials - k) for k in range(start, end))
        expect(real_of(enclosed.lower()) <= share * (1 + mp.mpf(2) ** -100) and
               share * (1 - mp.mpf(2) ** -100) <= real_of(enclosed.upper()), f"P({start} <= K < {end}): {share}, {enclosed}")
        total += share * DELTA[type(one)](one, e)
    return total


def threshold(law, e):
    """The greater one of a group of others, which has Laplace noise, and of a new one, which is hidden with the probability w."""
    r, x = real(law.r), mp.exp(e)
    w = 1 - mp.exp(-r) / 2 if r >= 0 else mp.exp(r) / 2
    others = plain(laws.Laplace(law.a), e)
    return max(others, 1 - w + positive(w - x) if law.removes else positive(1 - x * w))


def truncated_gaussian(law, e):
    """Outputs y in units of the noise: densities phi(y - d), phi(y) within +-c of their centres."""
    d = mp.sqrt(real(law.squared))
    c = real(law.end) / d + d / 2
    def difference(y):
        p, q = (mp.npdf(y - centre) if abs(y - centre) <= c else 0 for centre in (d, 0))
        return positive(p - mp.exp(e) * q)
    kinks = [d - c, c, c + d, min(max(e / d + d / 2, d - c), c)]
    return mp.quad(difference, sorted(set(kinks))) / (1 - 2 * phi(-c))


def real_of(x):
    return mp.mpf(x.numerator) / x.denominator


def finite(law, e):
    middle = [[mp.make_mpf(to_mpmath(x.mid.lo)) for x in atom] for atom in law.atoms()]
    return mp.make_mpf(to_mpmath(law.infinite().mid.lo)) + sum(p * positive(1 - mp.exp(e - l)) for l, p in middle)


DELTA = {laws.Gaussian: gaussian, laws.Mixture: mixture, laws.Labelled: labelled, laws.Mirrored: mirrored,
         laws.Laplace: plain, laws.Range: ranged, labels.Capped: capped, laws.DiscreteGaussian: plain, laws.Sampled: sampled, laws.Finite: finite,
         laws.TruncatedLaplace: truncated, labels.Averaged: averaged, thresholds.LaplaceThreshold: threshold,
         laws.TruncatedGaussian: truncated_gaussian}

FILE = {"adjacency": "add/remove", "description": "a law of my own",
        "both": {"losses": ["-1/2", "1/4", "1"], "masses": ["1/4", "7/20", "2/5"]}}
UNEVEN = {"adjacency": "zero-out", "remove": {"losses": [-2, "0.5"], "masses": ["0.05", "0.85"], "infinite": "0.1"},
          "add": {"lattice": {"mesh": "1/3", "offset": "0.1", "first": -2}, "masses": ["0.1", "0.2", "0.3", "0.4"]}}

SPECS = """gaussian(sigma=2)
gaussian(sigma=0.001)
gaussian(sigma=40)
gaussian(sigma=1/3, sensitivity=2e8)
laplace(scale=2, sensitivity=3)
laplace(scale=1e7)
mixture(sigma=2, sensitivities=[0, 1, 2], probabilities=[0.5, 0.25, 0.25])
mixture(sigma=1/7, sensitivities=[1, 2], probabilities=[1/3, 2/3])
mixture(sigma=2, sensitivities=[3], probabilities=[1])
poisson(gaussian(sigma=0.8), rate=0.004)
poisson(gaussian(sigma=0.8), rate=1)
poisson(poisson(gaussian(sigma=0.8, sensitivity=2), rate=1/3), rate=0.4)
poisson(mixture(sigma=1, sensitivities=[0, 1, 2], probabilities=[0.5, 0.25, 0.25]), rate=0.3)
poisson(laplace(scale=0.7), rate=0.25)
poisson(laplace(scale=2), rate=1)
poisson(poisson(laplace(scale=0.7), rate=0.5), rate=0.25)
poisson(discrete_gaussian(sigma=2, sensitivity=3), rate=0.125)
poisson(discrete_laplace(scale=2, sensitivity=3), rate=0.3)
poisson(pure(epsilon=0.5), rate=0.1)
poisson(approximate(epsilon=0.5, delta=0.001), rate=0.2)
poisson(poisson(approximate(epsilon=0.5, delta=0.001), rate=0.2), rate=0.75)
poisson(pld(file="EVEN"), rate=0.35)
group(gaussian(sigma=2), size=3)
group(poisson(gaussian(sigma=2), rate=0.01), size=4)
group(poisson(poisson(gaussian(sigma=2), rate=0.1), rate=0.5), size=2)
group(without_replacement(gaussian(sigma=2), batch=5, population=40, adjacency=add_remove), size=3)
group(without_replacement(gaussian(sigma=2), batch=5, population=40, adjacency=replace), size=3)
group(without_replacement(gaussian(sigma=2), batch=40, population=40, adjacency=replace), size=3)
group(with_replacement(gaussian(sigma=2), batch=5, population=40), size=3)
group(with_replacement(gaussian(sigma=2), batch=5, population=4), size=4)
without_replacement(gaussian(sigma=4, sensitivity=2), batch=100, population=10000, adjacency=replace)
without_replacement(gaussian(sigma=4, sensitivity=2), batch=100, population=100, adjacency=replace)
without_replacement(gaussian(sigma=1, sensitivity=0.5), batch=100, population=100, adjacency=add_remove)
without_replacement(gaussian(sigma=1, sensitivity=0.5), batch=10, population=999, adjacency=add_remove)
with_replacement(gaussian(sigma=4, sensitivity=2), batch=20, population=1000)
with_replacement(gaussian(sigma=4), batch=7, population=1)
pair(poisson, sigma=2, rate=0.125)
pair(without_replacement, sigma=2, rate=0.01)
pair(without_replacement, sigma=2, rate=1)
pair(with_replacement, sigma=1, batch=6, population=50)
pair(with_replacement, sigma=1, batch=6, population=1)
discrete_laplace(scale=10)
discrete_laplace(scale=0.3, sensitivity=4)
discrete_gaussian(sigma=3)
discrete_gaussian(variance=2.5, sensitivity=2)
truncated_discrete_laplace(scale=1, bound=5)
truncated_discrete_laplace(scale=0.2, bound=500, sensitivity=3)
truncated_discrete_laplace(scale=40, bound=4, sensitivity=4)
poisson(truncated_discrete_laplace(scale=1, bound=5), rate=0.1)
truncated_laplace(scale=1, bound=5)
truncated_laplace(scale=0.5, bound=2, sensitivity=2)
truncated_laplace(scale=40, bound=4, sensitivity=3.9)
privacy_profile(epsilons=[0, 0.5, 1], deltas=[0.3, 0.1, 0.01])
privacy_profile(epsilons=[0.5, 0.6, 0.7, 0.8], deltas=[0.3, 1, 0.05, 0.07])
privacy_profile(epsilons=[0, 0.01, 0.5, 3], deltas=[0.4, 0.39, 0.05, 0])
privacy_profile(epsilons=[1e-6], deltas=[0.2])
poisson(privacy_profile(epsilons=[0.1, 1], deltas=[0.1, 0.01]), rate=0.2)
shuffle(epsilon=1, users=1)
shuffle(epsilon=1, users=12)
shuffle(epsilon=0.001, users=7)
shuffle(epsilon=4, users=64)
select(pure(epsilon=1), repeats=poisson, mean=10)
select(pure(epsilon=0.5), repeats=geometric, gamma=0.1)
select(randomized_response(epsilon=1), repeats=logarithmic, gamma=0.01)
select(sparse_vector(threshold_scale=2, query_scale=8), repeats=negative_binomial, eta=-0.5, gamma=0.1)
select(pure(epsilon=0.01), repeats=binomial, trials=20, probability=1)
poisson(select(pure(epsilon=1), repeats=binomial, trials=20, probability=0.5), rate=0.1)
parallel(pure(epsilon=0.5), approximate(epsilon=0.1, delta=0.01))
parallel(approximate(epsilon=0.1, delta=0.01), approximate(epsilon=0.7, delta=0.01))
parallel(staircase(epsilon=1, gamma=0.3), pure(epsilon=0.9))
parallel(discrete_laplace(scale=2, sensitivity=3), staircase(epsilon=1, gamma=0.8))
parallel(parallel(laplace(scale=4), pure(epsilon=0.25)), pure(epsilon=0.125), bounded_range(epsilon=0.25))
parallel(gaussian(sigma=2), gaussian(sigma=1))
poisson(parallel(pure(epsilon=0.5), approximate(epsilon=0.1, delta=0.01)), rate=0.3)
parallel(poisson(pure(epsilon=0.5), rate=0.1, adjacency=zero_out), poisson(pure(epsilon=0.5), rate=0.1, adjacency=zero_out))
staircase(epsilon=1, gamma=0.3)
staircase(epsilon=0.01, gamma=0.001)
staircase(epsilon=3, gamma=0.5)
staircase(epsilon=3, gamma=7/9)
poisson(staircase(epsilon=1, gamma=0.3), rate=0.1)
joint(staircase(epsilon=1, gamma=0.3), pure(epsilon=0.5))
partition_selection(epsilon=1, delta=1e-5)
partition_selection(epsilon=0.3, delta=1/7)
partition_selection(epsilon=3, delta=0.4)
partition_selection(epsilon=2, delta=0.5)
partition_selection(epsilon=1, delta=0.9)
partition_selection(epsilon=0.01, delta=1e-9)
partition_selection(epsilon=30, delta=1e-40)
laplace_threshold(scale=1, threshold=4)
laplace_threshold(scale=2, threshold=1.5)
laplace_threshold(scale=0.5, threshold=0)
laplace_threshold(scale=3, threshold=-2)
laplace_threshold(scale=1/3, threshold=1000)
truncated_gaussian(sigma=2, bound=3, sensitivity=3)
truncated_gaussian(sigma=1, bound=8)
truncated_gaussian(variance=3, bound=40, sensitivity=1.5)
skellam(variance=9)
skellam(variance=0.25, sensitivity=3)
discrete_gaussian_sum(parties=5, sigma=0.7)
discrete_gaussian_sum(parties=1, sigma=2, sensitivity=2)
discrete_gaussian_sum(parties=12, variance=3)
poisson(skellam(variance=4), rate=0.3)
averaged(gaussian(sigma=0.2), rate=0.1, population=100)
averaged(gaussian(sigma=2, sensitivity=3), rate=0.25, population=7, adjacency=replace)
averaged(gaussian(sigma=1), rate=0.2, population=400, adjacency=replace)
averaged(gaussian(sigma=1), rate=0.5, population=1)
averaged(gaussian(sigma=1), rate=0.5, population=2, adjacency=replace)
randomized_response(epsilon=0.1)
randomized_response(probability=0.75)
pure(epsilon=2)
approximate(epsilon=0.1, delta=1e-8)
approximate(epsilon=0, delta=0.25)
poisson(gaussian(sigma=0.8, sensitivity=3), rate=0.125, adjacency=replace)
poisson(gaussian(sigma=0.8), rate=1, adjacency=replace)
poisson(gaussian(sigma=0.8), rate=0.125, adjacency=zero_out)
poisson(laplace(scale=0.7), rate=0.25, adjacency=zero_out)
poisson(pure(epsilon=0.5), rate=1, adjacency=zero_out)
joint(gaussian(sigma=1.25), gaussian(sigma=5, sensitivity=3))
poisson(joint(gaussian(sigma=1.25), gaussian(sigma=5, sensitivity=3)), rate=0.2)
joint(gaussian(sigma=1), gaussian(sigma=5, sensitivity=3))
gaussian(variance=2)
gaussian(variance=1/7, sensitivity=3)
tree(steps=8, variance=5)
toeplitz(coefficients=[1, 0.5], steps=9, variance=7, sensitivity=2)
adaptive_clipping(noise_multiplier=1.1, count_noise=10)
adaptive_clipping(noise_multiplier=1.1, count_noise=10, shifted=no)
adaptive_clipping(noise_multiplier=1.25, count_noise=5/6, rate=0.25)
adaptive_clipping(noise_multiplier=1, count_noise=2, rate=0.25)
poisson(adaptive_clipping(noise_multiplier=1, count_noise=2), rate=0.25)
poisson(gaussian(variance=1/7, sensitivity=3), rate=0.25)
poisson(poisson(gaussian(variance=2), rate=0.5), rate=0.5, adjacency=zero_out)
poisson(joint(gaussian(sigma=1), gaussian(sigma=5, sensitivity=3)), rate=0.25)
joint(randomized_response(epsilon=0.5), pure(epsilon=1))
joint(pure(epsilon=0.1), approximate(epsilon=0.1, delta=0.01))
joint(joint(pure(epsilon=0.5), pure(epsilon=0.25)), discrete_laplace(scale=3, sensitivity=4))
poisson(joint(approximate(epsilon=0, delta=0.1), approximate(epsilon=1, delta=0.01)), rate=0.2)
poisson(joint(sparse_vector(threshold_scale=2, query_scale=8), pure(epsilon=1)), rate=0.3)
shuffled(gaussian(sigma=2, sensitivity=1.5), steps=7, adjacency=zero_out)
shuffled(gaussian(sigma=2), steps=7, adjacency=replace, order=fixed)
truncated_poisson(gaussian(sigma=1), rate=0.1, cap=5, population=40)
truncated_poisson(gaussian(sigma=1), rate=0.1, cap=2, population=60)
truncated_poisson(gaussian(sigma=1, sensitivity=1.5), rate=0.3, cap=1, population=7, adjacency=zero_out)
truncated_poisson(gaussian(sigma=1, sensitivity=1.5), rate=0.3, cap=6, population=7, adjacency=replace)
truncated_poisson(gaussian(sigma=1), rate=0.3, cap=7, population=7, adjacency=replace)
truncated_poisson(gaussian(sigma=1), rate=0.3, cap=3, population=30, adjacency=replace, size=exact)
truncated_poisson(gaussian(sigma=1), rate=0.3, cap=2, population=7, adjacency=zero_out, size=exact)
truncated_poisson(gaussian(sigma=1), rate=0.2, cap=3, population=7, adjacency=zero_out, size=exact)
truncated_poisson(gaussian(sigma=1), rate=0.3, cap=8, population=7)
bounded_range(epsilon=0.5)
exponential(epsilon=4)
permute_and_flip(epsilon=1/3)
report_noisy_max(scale=4, sensitivity=3)
sparse_vector(threshold_scale=2, query_scale=8)
sparse_vector(threshold_scale=7, query_scale=80, sensitivity=1.5, positives=12)
poisson(permute_and_flip(epsilon=1.5), rate=0.3)
poisson(report_noisy_max(scale=2), rate=0.3)
matrix(encoder=[[1, 0], [0.5, 1]], sigma=2)
matrix(encoder=[[1, 0, 0], [-0.5, 1, 0], [1/3, 0, 0]], sigma=2, sensitivity=3, participations=2)
matrix(encoder=[[0.5, 0, 0, 0], [1, 1, 0, 0], [0, 0, 0, 0], [1, -2, 1/7, 1]], sigma=3, participations=3, min_separation=2)
toeplitz(coefficients=[1, 0.5, 0.375], steps=100, sigma=4, participations=10, min_separation=10)
toeplitz(coefficients=[1, 0.5, 0.375], steps=20, sigma=4, participations=5, min_separation=2)
toeplitz(coefficients=[1, -0.5, 0.375, 2], steps=3, sigma=4)
toeplitz(coefficients=[1], steps=1000000, sigma=4)
tree(steps=1000, sigma=4)
tree(steps=1, sigma=4, sensitivity=0.5)
tree(steps=37, sigma=8, participations=4, min_separation=5)
tree(steps=37, sigma=8, participations=4, min_separation=37)
pld(file="EVEN")
pld(file="UNEVEN")"""


def carried(spec):
    """The contents of the files that a spec names."""
    return {path: reader.parse(pathlib.Path(path).read_bytes()) for path in set(re.findall(r'file="([^"]*)"', spec))}


def check_moments(spec, orders):
    """Of a law of which real moments alone are known: they are above the program's, and at integer orders of `remove` they
    are the program's."""
    composition = specs.Composition(spec, {}, Budget())
    for order in orders:
        answer = run("renyi", spec, "--order", str(order), "--digits", "12", "--json").json()
        expect(answer["spec"] == composition.spec and answer["adjacency"] == composition.adjacency.kind, f"{spec}: {answer}")
        for direction in ("remove", "add"):
            (law, _), = composition.run(direction).factors
            line = lines.line_of(law, reader.Fields({}, "no choices"), Budget(), True)
            found = intervals.log(line.moment(intervals.exact(order - 1), "moment")) / intervals.exact(order - 1)
            low, high = (Fraction(answer["directions"][direction][end]) for end in ("lower", "upper"))
            expect(found.upper() >= low, f"{spec}, {direction}, order {order}: {found}, the program says {low}")
            if direction == "remove" and order == int(order):
                expect(found.lower() <= high * (1 + Fraction(1, 10**9)), f"{spec}, order {order}: {found}, not {high}")


def of_allocation(a2, steps, w):
    """E ((X_1 + .. + X_t)/t)^w, t = 2 or 3: log(S/t) is a times the mean, minus a^2/2, plus a function of the differences to
    the mean, over which the trapezoidal rule sums in one or two dimensions."""
    a, h = mp.sqrt(a2), mp.mpf(1) / 4
    reach = int(13 / h)
    weights = {j: mp.exp(-(j * h) ** 2 / 2) * h / mp.sqrt(2 * mp.pi) for j in range(-reach, reach + 1)}
    if steps == 2:
        parts = (p * mp.cosh(a * j * h / mp.sqrt(2)) ** w for j, p in weights.items())
    else:  # differences (u/sqrt 2 + v/sqrt 6, -u/sqrt 2 + v/sqrt 6, -2v/sqrt 6)
        ups = {j: 2 * mp.cosh(a * j * h / mp.sqrt(2)) for j in weights}
        parts = (p * sum(q * ((ups[j] * e + f) / 3) ** w for j, q in weights.items() if p * q > mp.mpf(10) ** -26)
                 for i, p in weights.items()
                 for e, f in [(mp.exp(a * i * h / mp.sqrt(6)), mp.exp(-2 * a * i * h / mp.sqrt(6)))])
    return mp.exp(a2 * w * w / (2 * steps) - a2 * w / 2) * mp.fsum(parts)


def check_allocation(spec, epsilon):
    """The values of M by the rules of a certificate contain those of plain quadrature."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "certificate.json"
        answer = run("delta", spec, "--epsilon", epsilon, "--digits", "8", "--json", "--timeout", "300", "--certificate", str(path))
        content = json.loads(path.read_text())
    band = answer.json()
    expect((content["lower"], content["upper"]) == (band["lower"], band["upper"]), f"{spec}: a certificate of another band")
    composition = specs.Composition(spec, {}, Budget())
    found = 0
    for statement in content["statements"]:
        if statement["kind"] != "straight":
            continue
        (law, _), = composition.run(statement["direction"]).factors
        (steps, _), = law.blocks
        choices = reader.Fields(statement["choices"], "choices")
        t, h = (intervals.exact(choices.dyadic(name)) for name in ("t", "h"))
        given, = choices.each("factors")
        line = lines.line_of(law, given, Budget(), False)
        values, a2, sign = line.values(t, h, 0, 4), real(law.squared_rate), 1 if law.removes else -1
        for k, box in enumerate(values):
            w = (1 if law.removes else 0) + sign * mp.mpc(real(t.lower()), k * real(h.lower()))
            truth = of_allocation(a2, steps, w)
            for part, exact in ((box.real, truth.real), (box.imag, truth.imag)):
                slack = mp.mpf(10) ** -20
                expect(real(part.lower()) - slack <= exact <= real(part.upper()) + slack, f"{spec}, k = {k}: {part}, not {exact}")
            found += 1
    expect(found > 0, f"{spec}: no contour in its certificate")


def check_cut_on_the_left():
    """Values and the bound beyond a height of a cut law at t = -2: too small by a thousandth of what the whole has beyond
    the cut, they would miss the truth."""
    rule = {"eta": [1, 0], "v": [1, 0], "d": [1, -2], "first": -60, "last": 60}

    def line_of(rate, cut):
        law = laws.Mixture([Fraction(0), rate], [Fraction(1, 2)] * 2, True)
        return lines.line_of(law, reader.Fields({"cut": cut, "line": rule, "decay": rule}, "choices"), Budget(), True)
    t, a = intervals.exact(-2), mp.mpf(1) / 1024
    ratio = lambda y: (1 + mp.exp(a * y - a * a / 2)) / 2  # noqa: E731
    truth = mp.quad(lambda y: mp.npdf(y) / ratio(y), [-40, -20, -10, -5, -2, 0, 1])
    bound = phi(mp.mpf(-1)) / ratio(mp.mpf(1))
    low = real(line_of(Fraction(1, 1024), [1, 0]).values(t, intervals.exact(1), 0, 2)[0].real.lower())
    expect(truth - bound * 3 / 10000 <= low <= truth, f"a cut law's value at -2: from {low}, the truth is {truth}")
    # |M(-2 + 100i)| at the rate 1, cut at 1/1024, by mpmath; 0.0014 without the cut
    beyond = real(line_of(Fraction(1), [1, -10]).beyond(t, intervals.exact(100)).upper())
    expect(beyond >= mp.mpf("0.011756366272"), f"a cut law beyond a height: {beyond}")


def check_specs(every, epsilons, folder):
    """One process of the program answers all."""
    requests = [{"spec": spec, "epsilon": text, "digits": 12} for spec in every for text in epsilons]
    done = run("batch", "-", "--allow-files", folder, stdin="".join(json.dumps(each) + "\n" for each in requests))
    answers = [json.loads(line) for line in done.out.splitlines()]
    expect(len(answers) == len(requests) > 3 * 150, f"{len(answers)} answers to {len(requests)}: {done.err}")
    for i, spec in enumerate(every):
        check_spec(spec, epsilons, answers[i * len(epsilons):])


def check_spec(spec, epsilons, answers):
    composition = specs.Composition(spec, carried(spec), Budget())
    for text, answer in zip(epsilons, answers):
        expect(answer["spec"] == composition.spec, f"{spec}: the program prints {answer['spec']}")
        adjacency = composition.adjacency
        for key, value in (("adjacency", adjacency.kind), ("group_size", adjacency.group or 1),
                           ("guarantee", adjacency.guarantee)):
            if key in answer:
                expect(answer[key] == value, f"{spec}: {key} is {value}, the program says {answer[key]}")
        e = real(Fraction(text))
        for direction in ("remove", "add"):
            one = composition.run(direction)
            (law, count), = one.factors
            assert count == 1
            value = DELTA[type(law)](law, e)
            band = answer["directions"][direction]
            low, high = (real(Fraction(band[end])) for end in ("lower", "upper"))
            slack = mp.mpf(10) ** -30
            expect(low - slack <= value <= high + slack,
                   f"{spec}, {direction}, epsilon {text}: {mp.nstr(value, 20)}, the program says {band}")


def main():
    check_cut_on_the_left()
    with tempfile.TemporaryDirectory() as folder:
        paths = {name: str(pathlib.Path(folder) / f"{name}.json") for name in ("EVEN", "UNEVEN")}
        for name, content in (("EVEN", FILE), ("UNEVEN", UNEVEN)):
            pathlib.Path(paths[name]).write_text(json.dumps(content))
        check_specs([re.sub(r'file="(\w+)"', lambda match: f'file="{paths[match[1]]}"', spec) for spec in SPECS.split("\n")],
                    ["0.3", "-1/5", "1.5"], folder)
    for spec in ("random_allocation(gaussian(sigma=2), steps=10)", "random_allocation(gaussian(sigma=0.7, sensitivity=1.5), steps=2)",
                 "random_allocation(gaussian(sigma=1), steps=1)", "random_allocation(gaussian(sigma=3), steps=4, selected=4)",
                 "random_allocation(gaussian(sigma=2), steps=10, selected=3, bound=blocks)",
                 "random_allocation(gaussian(sigma=4), steps=1000, epochs_of_one_assignment=3, adjacency=zero_out)"):
        check_moments(spec, [2, 3, 17, Fraction(5, 2), Fraction(5, 4)])
    check_allocation("random_allocation(gaussian(sigma=1.5), steps=2)^2", "1")
    check_allocation("random_allocation(gaussian(sigma=2), steps=3)^2", "0.5")
    for line in pathlib.Path(sys.argv[1]).read_text().splitlines() if len(sys.argv) > 1 else []:
        spec = line.split("\t")[0]
        try:
            composition = specs.Composition(spec, carried(spec), Budget())
        except intervals.Rejected as error:
            expect("different" in str(error), f"{spec}: {error}")
            continue
        expect(composition.spec == spec, f"{spec}: printed as {composition.spec}")
    finish()


main()
