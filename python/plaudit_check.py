#!/usr/bin/env python3
"""plaudit_check.py CERTIFICATE...: prove plaudit certificates again, with mpmath's interval arithmetic.

One file, no other code of plaudit: it reads the spec, the claim and the choices of a contour, evaluates the
theorems of docs/certificates.md (numbers in brackets below) in intervals that are rounded outward, and accepts
if the claim follows. Exit status: 0 all accepted, 3 one rejected, 2 bad usage.
Needs mpmath (Debian: python3-mpmath).
"""
import json
import re
import sys
from fractions import Fraction
from math import comb
from mpmath import iv, mp

mp.prec = 200  # exact conversions of doubles only; all proofs use iv

class Rejected(Exception):
    pass

def require(holds, why):
    if not holds:
        raise Rejected(why)

# ---- exact numbers and the spec

def rational(text):
    require(isinstance(text, str) and len(text) < 2000, "a number is not text")
    parts = text.split("/")
    number = r"-?[0-9]*\.?[0-9]*(e[-+]?[0-9]{1,5})?"
    require(len(parts) <= 2 and all(re.fullmatch(number, p) for p in parts), "a number is malformed")
    try:
        value = Fraction(parts[0])
        return value / Fraction(parts[1]) if len(parts) == 2 else value
    except (ValueError, ZeroDivisionError):
        raise Rejected("a number is malformed")

def integer(x, low, high):
    require(type(x) is int and low <= x <= high, "an integer is out of range")
    return x

def dyadic(pair):
    require(isinstance(pair, list) and len(pair) == 2, "a double is not [m, e]")
    m, e = integer(pair[0], -2**53, 2**53), integer(pair[1], -1100, 1100)
    return Fraction(m) * Fraction(2) ** e

def normalised(components):
    """(sensitivity, probability) sorted, merged, without zeros."""
    merged = {}
    for c, p in components:
        require(c >= 0 and p >= 0, "a component is negative")
        if p:
            merged[c] = merged.get(c, 0) + p
    require(sum(merged.values()) == 1 and max(merged) > 0, "probabilities must sum to 1")
    return sorted(merged.items())

class Spec:
    """gaussian, mixture, poisson and group of them; ^ and * -> [(sigma, components, count)]."""

    def __init__(self, text):
        self.tokens = re.findall(r"[a-z_]+|-?[0-9.]+(?:e[-+]?[0-9]+)?|[()\[\],=*^/]", text)
        self.place = 0

    def peek(self):
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def take(self, wanted=None):
        token = self.peek()
        require(token and (wanted is None or token == wanted), "the spec is not understood")
        self.place += 1
        return token

    def number(self):
        value = rational(self.take())
        while self.peek() == "/" and self.take():
            value /= rational(self.take())
        return value

    def value(self):
        if self.peek() == "[":
            self.take()
            items = [self.number()]
            while self.peek() == "," and self.take():
                items.append(self.number())
            self.take("]")
            return items
        return self.call() if re.match("[a-z]", self.peek()) else self.number()

    def call(self):
        """-> (sigma, components, (sensitivity, rate) where it is a sampled Gaussian, spec as canonical text)"""
        start = self.place
        name = self.take()
        self.take("(")
        given = {}
        order = {"gaussian": ["sigma", "sensitivity"], "mixture": ["sigma", "sensitivities", "probabilities"],
                 "poisson": ["mechanism", "rate"], "group": ["mechanism", "size"]}
        require(name in order, f"{name} has no certificates")
        while True:
            key = order[name][min(len(given), len(order[name]) - 1)]
            if self.place + 1 < len(self.tokens) and self.tokens[self.place + 1] == "=":
                key = self.take()
                self.take("=")
            require(key in order[name] and key not in given, "the spec is not understood")
            given[key] = self.value()
            if self.peek() != ",":
                break
            self.take()
        self.take(")")
        text = "".join(self.tokens[start:self.place])
        if name == "gaussian":
            c = given.get("sensitivity", Fraction(1))
            return given["sigma"], [(c, Fraction(1))], (c, Fraction(1)), text
        if name == "mixture":
            require(len(given["sensitivities"]) == len(given["probabilities"]), "lists of different length")
            return given["sigma"], normalised(zip(given["sensitivities"], given["probabilities"])), None, text
        sigma, components, sampled, _ = given["mechanism"]
        if name == "poisson":
            q = given["rate"]
            require(0 < q <= 1, "rate out of range")
            components = normalised([(c, p * q) for c, p in components] + [(Fraction(0), 1 - q)])
            return sigma, components, sampled and (sampled[0], sampled[1] * q), text
        require(sampled is not None and given["size"].denominator == 1, "group needs a sampled Gaussian")
        k, (c, q) = int(given["size"]), sampled
        return sigma, normalised([(c * j, comb(k, j) * q**j * (1 - q)**(k - j)) for j in range(k + 1)]), None, text

    def composition(self):
        found = {}
        while True:
            sigma, components, _, text = self.call()
            count = int(self.take()) if self.peek() == "^" and self.take() else 1
            found[text] = [sigma, components, count + (found[text][2] if text in found else 0)]
            if self.peek() != "*":
                break
            self.take()
        require(self.place == len(self.tokens), "the spec is not understood")
        return list(found.values())

# ---- intervals

def exact(q):
    q = Fraction(q)
    return iv.mpf(q.numerator) / iv.mpf(q.denominator)

def top(x):
    return iv.mpf([x.b, x.b])

def spread(x):
    size = max(abs(x.a), abs(x.b))
    return iv.mpf([-size, size])

class Factor:
    """f(y) = sum p_i exp(a_i y - a_i^2/2), a_i = c_i / sigma; A(w) = int phi f^w."""

    def __init__(self, sigma, components, rules):
        self.rates = [exact(c / sigma) for c, _ in components]
        self.weights = [exact(p) * iv.exp(-a * a / 2) for a, (_, p) in zip(self.rates, components)]
        self.base = exact(components[0][1]) if components[0][0] == 0 else None
        self.rules = rules
        self.axis_values = {}

    def log_f(self, y):
        return iv.log(sum(w * iv.exp(a * y) for w, a in zip(self.weights, self.rates)))

    def log_f_shifted(self, y, eta):
        return iv.log(sum(iv.mpc(w * iv.exp(a * y), 0) * iv.mpc(iv.cos(a * eta), iv.sin(a * eta))
                          for w, a in zip(self.weights, self.rates)))

    def turn(self, r, e):
        """[Lemma 2] |f(y + ie)^r| <= C_r(e) f(y)^r."""
        size = top(abs(e))
        require((size * self.rates[-1]).b < iv.pi.a, "a strip is too wide")
        if r.a >= 0:
            return iv.mpf(1)
        cosine = iv.cos((self.rates[-1] - self.rates[0]) * size / 2)
        require(cosine.a > 0, "a strip is too wide")
        return iv.exp(r * iv.log(cosine))

    def tails(self, r, rule):
        """[3.T] int phi f^r beyond the outermost points."""
        require(rule["first"] <= 0 <= rule["last"], "a rule does not reach both sides of 0")
        y2, y1, a = exact(rule["last"] * rule["d"]), exact(-rule["first"] * rule["d"]), self.rates[-1]

        def tail(x):
            require(x.a >= 0, "a rule is cut too early")
            return iv.exp(-x * x / 2) / 2

        def steep(log_value, y, size):
            return iv.exp(r * log_value - size * a * y + size * size * a * a / 2) * tail(y - size * a)

        at_right, at_left = self.log_f(y2), self.log_f(-y1)
        if r.a >= 0:
            return steep(at_right, y2, r) + iv.exp(r * at_left) * tail(y1)
        require(r.b <= 0, "the sign of an order")
        right = iv.exp(r * at_right) * tail(y2)
        if self.base is not None:
            return right + iv.exp(r * iv.log(self.base)) * tail(y1)
        return right + steep(at_left, y1, -r)

    def on_axis(self, r, name):
        """[Theorem 3, s = 0] A(r)."""
        if name in self.axis_values:
            return self.axis_values[name]
        rule = self.rules[name]
        require(rule["eta"] == 0 and rule["v"] > 0 and rule["d"] > 0, "a rule without strip or step")
        v, d = exact(rule["v"]), exact(rule["d"])
        total = iv.mpf(0)
        for j in range(rule["first"], rule["last"] + 1):
            y = j * d
            total += iv.exp(r * self.log_f(y) - y * y / 2)
        total *= d / iv.sqrt(2 * iv.pi)
        rho = top(2 * iv.exp(v * v / 2) * self.turn(r, v) / (iv.exp(2 * iv.pi * v / d) - 1))
        require(0 <= rho.b < 1, "a rule is too coarse")
        value = iv.mpf([(total / (1 + rho)).a, ((total + self.tails(r, rule)) / (1 - rho)).b])
        self.axis_values[name] = value
        return value

    def edge(self, r, e, s, a_r):
        down = iv.mpf(0) if e.a >= 0 else top(abs(e))
        return iv.exp(e * e / 2) * self.turn(r, e) * a_r * iv.exp(s * self.rates[-1] * down)

    def on_line(self, r, h, nodes):
        """[Theorem 3] A(r + ikh), k = 0 .. nodes."""
        rule = self.rules["line"]
        require(rule["eta"] >= 0 and rule["v"] > 0 and rule["d"] > 0, "a rule without strip or step")
        eta, v, d = exact(rule["eta"]), exact(rule["v"]), exact(rule["d"])
        values = [iv.mpc(0, 0)] * (nodes + 1)
        for j in range(rule["first"], rule["last"] + 1):
            y = j * d
            log_value = self.log_f_shifted(y, eta)
            weight = iv.exp(iv.mpc(r * log_value.real - (y * y - eta * eta) / 2, r * log_value.imag - y * eta))
            for k in range(nodes + 1):
                s = k * h
                values[k] += weight * iv.exp(iv.mpc(-s * log_value.imag, s * log_value.real))
        a_r = self.on_axis(r, "axis")
        strip = (self.edge(r, eta + v, nodes * h, a_r) + self.edge(r, eta - v, nodes * h, a_r)) / (
            iv.exp(2 * iv.pi * v / d) - 1)
        cut = iv.exp(eta * eta / 2) * self.turn(r, eta) * self.tails(r, rule)
        error, front = spread(strip + cut), d / iv.sqrt(2 * iv.pi)
        return [iv.mpc(x.real * front + error, x.imag * front + error) for x in values]

    def beyond(self, r, s):
        """[Theorem 2] an upper bound of |A(r + is')|, s' >= s."""
        rule = self.rules["decay"]
        require(rule["eta"] > 0 and rule["v"] > 0 and rule["d"] > 0, "a rule without strip or step")
        eta, v, d = exact(rule["eta"]), exact(rule["v"]), exact(rule["d"])
        total = iv.mpf(0)
        for j in range(rule["first"], rule["last"] + 1):
            y = j * d
            log_value = self.log_f_shifted(y, eta)
            total += iv.exp(r * log_value.real - s * log_value.imag - y * y / 2)
        total *= iv.exp(eta * eta / 2) * d / iv.sqrt(2 * iv.pi)
        a_r = self.on_axis(r, "axis")
        strip = 2 * iv.sqrt(self.edge(r, eta + v, s, a_r) * self.edge(r, eta - v, s, a_r)) / (
            iv.exp(2 * iv.pi * v / d) - 1)
        return top(total + strip + iv.exp(eta * eta / 2) * self.turn(r, eta) * self.tails(r, rule))

def log_c(w):
    return w * iv.log(w) - (1 + w) * iv.log(1 + w)

# ---- statements

def read_rule(item, name):
    rule = {key: dyadic(item[name][key]) for key in ("eta", "v", "d")}
    rule["first"] = integer(item[name]["first"], -2000000, 2000000)
    rule["last"] = integer(item[name]["last"], rule["first"], 2000000)
    return rule

def check_statement(statement, pairs):
    contour = statement["contour"]
    iv.prec = bits = integer(contour["bits"], 32, 20000)
    removes = {"remove": True, "add": False}.get(statement["direction"])
    require(removes is not None, "direction must be remove or add")
    require(len(statement["factors"]) == len(pairs), "the factors are not those of the spec")
    factors = []
    for item, (sigma, components, count) in zip(statement["factors"], pairs):
        stated = list(zip(map(rational, item["sensitivities"]), map(rational, item["probabilities"])))
        require(rational(item["sigma"]) == sigma and stated == components and item["count"] == count,
                "the factors are not those of the spec")
        rules = {}
        if len(components) > 1:
            rules = {name: read_rule(item, name) for name in ("axis", "line", "decay", "right", "left")}
        factors.append((Factor(sigma, components, rules), count, len(components) == 1))
    t_exact, h_exact = dyadic(contour["t"]), dyadic(contour["h"])
    require(t_exact > 0 and h_exact > 0, "t and h must be positive")
    nodes = integer(contour["nodes"], 1, 100000)
    t, h, epsilon = exact(t_exact), exact(h_exact), exact(rational(statement["epsilon"]))
    period = 2 * iv.pi / h
    r = 1 + t if removes else -t
    logs = [iv.mpc(0, 0)] * (nodes + 1)
    log_decay, last = iv.mpf(0), (nodes + 1) * h
    for factor, n, single in factors:
        if single:  # M(z) = e^{mu z (z+1)}
            mu = factor.rates[0] ** 2 / 2
            for k in range(nodes + 1):
                logs[k] += iv.mpc(n * mu * (t * (t + 1) - (k * h) ** 2), n * mu * k * h * (2 * t + 1))
            log_decay += n * mu * (t * (t + 1) - last ** 2)
            continue
        for k, value in enumerate(factor.on_line(r, h, nodes)):
            log_value = iv.log(value)
            logs[k] += iv.mpc(n * log_value.real, n * log_value.imag * (1 if removes else -1))
        log_decay += n * iv.log(factor.beyond(r, last))
    total = iv.mpf(0)
    for k in range(nodes + 1):
        z = iv.mpc(t, k * h)
        term = (iv.exp(logs[k] - epsilon * z) / (z * (z + 1))).real
        total += term / 2 if k == 0 else term
    value = total * h / iv.pi - 1 / (iv.exp(t * period) - 1)

    def log_moment(order, name):
        result = iv.mpf(0)
        for factor, n, single in factors:
            if single:
                result += n * factor.rates[0] ** 2 / 2 * order * (order + 1)
            else:
                result += n * iv.log(factor.on_axis(1 + order if removes else -order, name))
        return result

    other = dyadic(contour["right_order"])
    require(other > t_exact, "the right order must exceed t")
    other = exact(other)
    right = top(iv.exp(log_c(other) - other * epsilon + log_moment(other, "right")) /
                (iv.exp((other - t) * period) - 1))                      # [Theorem 1, A+]
    order = dyadic(contour["left_order"])
    u = exact(order)
    left = iv.exp(u * epsilon + log_moment(-u, "left")) / (iv.exp((t + u) * period) - 1)
    if contour["residues"] == 2:                                         # [Theorem 1, A-]
        require(order > 1, "the left order must exceed 1")
        value += iv.exp(epsilon) / (iv.exp((t + 1) * period) - 1)
        left *= iv.exp(log_c(u - 1))
    else:                                                                # [Theorem 1', B]
        require(contour["residues"] == 1 and 0 < order <= 1, "the left order must lie in (0, 1]")
    left = top(left)
    truncation = top(iv.exp(log_decay - t * epsilon) / (iv.pi * h * nodes))  # [Theorem 2]

    require(("at_most" in statement) != ("at_least" in statement), "a statement says one thing")
    least = exact(rational(statement.get("at_most") or statement["at_least"]) / 2 ** (bits // 2))
    errors = statement["errors"]
    for name, size in (("right_aliasing", right), ("left_aliasing", left), ("truncation", truncation),
                       ("nodes", top(iv.mpf(value.delta)) / 2), ("nodes", least)):
        require(size.b <= exact(rational(errors[name])).a, f"{name} exceeds what is stated")
    low, high = value - right - truncation, value + truncation
    low, high = (low - left, high) if contour["residues"] == 2 else (low, high + left)
    if "at_most" in statement:
        require(high.b <= exact(rational(statement["at_most"])).a, "delta is not proven to be so small")
    else:
        require(low.a >= exact(rational(statement["at_least"])).b, "delta is not proven to be so large")

def check(certificate):
    require(certificate["plaudit_certificate"] == 1, "an unknown version")
    pairs = Spec(certificate["spec"]).composition()
    argument, lower, upper = (rational(certificate[k]) for k in ("argument", "lower", "upper"))
    require(lower <= upper, "the claim is empty")
    quantity = certificate["quantity"]
    require(quantity in ("epsilon", "delta"), "quantity must be epsilon or delta")
    above, below = set(), lower <= 0
    for s in certificate["statements"]:
        epsilon = rational(s["epsilon"])
        at_most = rational(s["at_most"]) if "at_most" in s else None
        at_least = rational(s["at_least"]) if "at_least" in s else None
        if quantity == "delta":
            if epsilon == argument and at_most is not None and at_most <= upper:
                above.add(s["direction"])
            below = below or (epsilon == argument and at_least is not None and at_least >= lower)
        else:
            require(0 < argument < 1 and upper >= 0, "delta must lie in (0, 1)")
            if at_most is not None and at_most <= argument and epsilon <= upper:
                above.add(s["direction"])
            below = below or (at_least is not None and at_least > argument and epsilon >= lower)
    alike = all(len(components) == 1 for _, components, _ in pairs)  # Gaussians: one law in both directions
    require(above == {"remove", "add"} or (alike and above), "a direction is not bounded from above")
    require(below, "nothing bounds the claim from below")
    for s in certificate["statements"]:
        check_statement(s, pairs)

def verdict(text):
    """-> None if accepted, else the reason."""
    try:
        check(json.loads(text))
    except Rejected as error:
        return str(error)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, ZeroDivisionError, OverflowError) as error:
        return f"malformed: {error!r}"
    return None

def main():
    if len(sys.argv) < 2:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    status = 0
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            reason = verdict(file.read())
        print(f"{path}: " + ("accepted" if reason is None else f"rejected: {reason}"))
        status = status if reason is None else 3
    return status

if __name__ == "__main__":
    sys.exit(main())
