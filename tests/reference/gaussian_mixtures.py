"""Reference values of Gaussian mixture pairs, by mpmath, with formulas the library does not use.

  mixture_integral.tsv   A(w) = int phi(y) f(y)^w dy at complex w, by Gauss-Legendre on pieces of
                         the real line (the library: trapezoid on a shifted line)
  one_step.tsv           delta(eps), P(L > eps), Q(L > eps) of one step, from the root of f
  two_steps.tsv          delta(eps) of two steps: E delta_1(eps - L_2), one tanh-sinh quadrature
                         (the library: a contour integral)

Usage: gaussian_mixtures.py FOLDER writes the tables. Every number is computed twice, with other
pieces and another precision, and printed only where both agree to all printed digits but the last.
Inputs are exact decimals.
"""

import sys

from mpmath import mp, mpf, mpc

DIGITS = 42


class Pair:
    """P = sum p_i N(c_i, sigma^2), Q = N(0, sigma^2), y in units of the noise."""

    def __init__(self, sigma, sensitivities, probabilities):
        self.sigma = sigma
        self.text = ("mixture(sigma=%s, sensitivities=[%s], probabilities=[%s])"
                     % (sigma, ", ".join(sensitivities), ", ".join(probabilities)))
        self.inputs = (sigma, sensitivities, probabilities)

    def prepare(self):
        """Reads the decimals at the precision in force."""
        sigma, sensitivities, probabilities = self.inputs
        self.rates = [mpf(c) / mpf(sigma) for c in sensitivities]
        self.probabilities = [mpf(p) for p in probabilities]

    def f(self, y):
        return sum(p * mp.exp(a * y - a * a / 2) for p, a in zip(self.probabilities, self.rates))

    def log_f(self, y):
        if self.rates[0] == 0:
            return mp.log1p(sum(p * mp.expm1(a * y - a * a / 2)
                                for p, a in zip(self.probabilities, self.rates)))
        return mp.log(self.f(y))

    def slope(self, y):
        shares = [p * mp.exp(a * y - a * a / 2) for p, a in zip(self.probabilities, self.rates)]
        return sum(s * a for s, a in zip(shares, self.rates)) / sum(shares)

    def floor(self):
        """log f(-inf)."""
        return mp.log(self.probabilities[0]) if self.rates[0] == 0 else -mp.inf

    def root(self, x):
        """y with log f(y) = x, None where x <= log f(-inf)."""
        if x <= self.floor():
            return None
        if len(self.rates) == 2 and self.rates[0] == 0:
            q, a = self.probabilities[1], self.rates[1]
            return mp.log((mp.expm1(x) + q) / q) / a + a / 2
        low, high = mpf(-1), mpf(1)
        while self.log_f(low) > x:
            low *= 2
        while self.log_f(high) < x:
            high *= 2
        while high - low > mpf(10) ** -6:
            middle = (low + high) / 2
            if self.log_f(middle) < x:
                low = middle
            else:
                high = middle
        y = (low + high) / 2
        for _ in range(12):
            change = (self.log_f(y) - x) / self.slope(y)
            y -= change
            if abs(change) < mpf(10) ** (-mp.dps + 4) * max(1, abs(y)):
                break
        return y

    def mixture_above(self, y):
        return sum(p * mp.ncdf(a - y) for p, a in zip(self.probabilities, self.rates))

    def mixture_below(self, y):
        return sum(p * mp.ncdf(y - a) for p, a in zip(self.probabilities, self.rates))

    def above(self, x, direction):
        """P(L > x), Q(L > x)."""
        y = self.root(x if direction == "remove" else -x)
        if direction == "remove":
            return (mpf(1), mpf(1)) if y is None else (self.mixture_above(y), mp.ncdf(-y))
        return (mpf(0), mpf(0)) if y is None else (mp.ncdf(y), self.mixture_below(y))

    def delta(self, x, direction):
        p, q = self.above(x, direction)
        return p - mp.exp(x) * q

    # the loss as a function of y and the density of y under P
    def loss(self, y, direction):
        return self.log_f(y) if direction == "remove" else -self.log_f(y)

    def log_density(self, y, direction):
        return -y * y / 2 + (self.log_f(y) if direction == "remove" else 0)


def significant(log_weight, low, high, step):
    """The hull of where the weight is within e^-(2.4 dps + 40) of its maximum."""
    count = int((high - low) / step)
    values = [(log_weight(mpf(low) + step * k), low + step * k) for k in range(count + 1)]
    most = max(v for v, _ in values)
    kept = [y for v, y in values if v > most - mpf("2.4") * mp.dps - 40]
    return mpf(min(kept)) - step, mpf(max(kept)) + step


def integral(pair, w, shift):
    rate = float(pair.rates[-1])
    reach = 25 + 2 * abs(float(w.real)) * rate
    step = min(1.0, 2.0 / rate) / 2
    low, high = significant(lambda y: w.real * pair.log_f(y) - y * y / 2, -reach, reach, step)
    width = min(mpf(1), 2 / mpf(rate)) / (1 + abs(w.imag) / 40)
    pieces = int((high - low) / width) + 1
    # pieces move with `shift`, so that two runs have no point in common
    nodes = [low + (high - low) * (k + shift) / pieces for k in range(pieces)]
    nodes = [low - shift] + nodes + [high]

    def integrand(y):
        return mp.exp(w * pair.log_f(y) - y * y / 2)

    return mp.quad(integrand, nodes, method="gauss-legendre") / mp.sqrt(2 * mp.pi)


def two_steps(first, second, eps, direction, shift):
    """int p_2(y) delta_1(eps - L_2(y)) dy; the integrand is smooth but not analytic at one y."""
    rate = float(second.rates[-1])
    reach = 30 + 2 * rate
    low, high = significant(lambda y: second.log_density(y, direction), -reach, reach, 0.25)
    nodes = [low + (high - low) * (k + shift) / 12 for k in range(12)]
    nodes = [low - shift] + nodes + [high]
    edge = None  # eps - L_2(y) = end of the support of L_1
    if first.floor() > -mp.inf:
        if direction == "remove":
            edge = second.root(eps - first.floor())
        else:
            edge = second.root(-eps - first.floor())
    if edge is not None and low < edge < high:
        near = [edge + s * mpf(2) ** -k for k in (1, 3) for s in (-1, 1)]
        nodes = sorted([y for y in nodes if abs(y - edge) > 0.01] + [edge] +
                       [y for y in near if low < y < high])

    def integrand(y):
        x = eps - second.loss(y, direction)
        return mp.exp(second.log_density(y, direction)) * first.delta(x, direction)

    return mp.quad(integrand, nodes) / mp.sqrt(2 * mp.pi)


def agreed(compute, digits=DIGITS):
    """compute(shift) twice; the text of the value (or of its two parts)."""
    for extra in (0, 60, 200):  # more where terms cancel
        results = []
        for dps, shift in ((digits + 28 + extra, mpf("0.25")), (digits + 40 + extra, mpf("0.375"))):
            mp.dps = dps
            results.append(compute(shift))
        first, second = results
        parts = ([(first.real, second.real), (first.imag, second.imag)]
                 if isinstance(second, mpc) else [(first, second)])
        if all(abs(a - b) <= abs(b) * mpf(10) ** -digits for a, b in parts):
            return [mp.nstr(b, digits, min_fixed=0, max_fixed=0) for _, b in parts]
    raise ArithmeticError("no agreement: %s" % parts)


SUBSAMPLED = Pair("1", ["0", "1"], ["0.99", "0.01"])
NOISY = Pair("4", ["0", "1"], ["0.75", "0.25"])
SMALL = Pair("0.65", ["0", "1"], ["0.99", "0.01"])
HALF = Pair("0.5", ["0", "1"], ["0.5", "0.5"])
TENTH = Pair("0.1", ["0", "1"], ["0.9", "0.1"])
RARE = Pair("0.8", ["0", "1"], ["0.999999999", "0.000000001"])
GROUP = Pair("2", ["0", "1", "2", "3"], ["0.857375", "0.135375", "0.007125", "0.000125"])
SHIFTED = Pair("1.5", ["0.5", "1", "2.25"], ["0.5", "0.3", "0.2"])
MANY = Pair("3", ["0", "0.1", "0.7", "1", "1.5", "2", "2.5", "4"],
            ["0.3", "0.1", "0.1", "0.1", "0.1", "0.1", "0.1", "0.1"])
GAUSSIAN = Pair("2", ["1"], ["1"])
PAIRS = [SUBSAMPLED, NOISY, SMALL, HALF, TENTH, RARE, GROUP, SHIFTED, MANY]


def write(name, header, rows):
    with open("%s/%s" % (sys.argv[1], name), "w", encoding="ascii") as table:
        table.write("# Written by tests/reference/gaussian_mixtures.py; %d digits, the last one may"
                    " be off by one.\n# %s\n" % (DIGITS, "\t".join(header)))
        for row in rows:
            table.write("\t".join(row) + "\n")
            table.flush()


def integral_rows():
    points = [("2.5", "0"), ("-1.5", "0"), ("0.5", "3"), ("1.25", "40"), ("-2.75", "1.5"),
              ("6.5", "12")]
    more = {SUBSAMPLED: [("-40.5", "8"), ("30.5", "0.5"), ("1.25", "300")], NOISY: [("-60", "25")],
            RARE: [("12.5", "2")], SHIFTED: [("-25.5", "10")],
            MANY: [("20", "30")]}
    for pair in PAIRS:
        for real, imaginary in points + more.get(pair, []):
            if pair is TENTH and real == "6.5":
                imaginary = "0.5"  # e^(-s^2 / (2 sigma^2)) would be left of A at 12

            def compute(shift):
                pair.prepare()
                return mpc(integral(pair, mpc(real, imaginary), shift))
            value = agreed(compute) if imaginary != "0" else [
                agreed(lambda shift: compute(shift).real)[0], "0"]
            yield [pair.text, real, imaginary] + value


def one_step_rows():
    for pair in PAIRS + [GAUSSIAN]:
        for direction in ("remove", "add"):
            for eps in ("-2", "-0.125", "0", "0.001", "0.25", "1", "3", "20"):
                def compute(what):
                    def value(_):
                        pair.prepare()
                        x = mpf(eps)
                        return (pair.delta(x, direction) if what < 0
                                else pair.above(x, direction)[what])
                    return value
                mp.dps = 80
                pair.prepare()
                yield [pair.text, direction, eps] + [
                    agreed(compute(what))[0] for what in (-1, 0, 1)]


def two_step_rows():
    cases = [(SUBSAMPLED, SUBSAMPLED), (SMALL, SMALL), (HALF, HALF), (NOISY, NOISY),
             (GROUP, GROUP), (NOISY, GAUSSIAN), (SHIFTED, SHIFTED), (HALF, NOISY)]
    for first, second in cases:
        for direction in ("remove", "add"):
            for eps in ("-0.5", "0", "0.25", "1", "2.5"):
                def compute(shift):
                    first.prepare()
                    second.prepare()
                    return two_steps(first, second, mpf(eps), direction, shift)
                try:
                    value = agreed(compute)[0]
                except ArithmeticError as error:  # delta is 0 or 1 - e^eps: not for this table
                    print("left out:", first.text, second.text, direction, eps, error)
                    continue
                yield [first.text + " * " + second.text, direction, eps, value]


if __name__ == "__main__":
    only = sys.argv[2:]
    if not only or "one" in only:
        write("one_step.tsv", ["spec", "direction", "epsilon", "delta", "P(L > epsilon)",
                               "Q(L > epsilon)"], one_step_rows())
    if not only or "integral" in only:
        write("mixture_integral.tsv", ["spec", "Re w", "Im w", "Re A", "Im A"], integral_rows())
    if not only or "two" in only:
        write("two_steps.tsv", ["spec", "direction", "epsilon", "delta"], two_step_rows())
