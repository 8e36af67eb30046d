#!/usr/bin/env python3
"""plaudit_check.py CERTIFICATE...: prove plaudit certificates again, with mpmath's interval arithmetic.

One file, no other code of plaudit: it reads the spec, the claim and the choices of a contour, evaluates the
theorems of docs/certificates.md (numbers in brackets below) in intervals that are rounded outward, and accepts
if the claim follows. Exit status: 0 all accepted, 3 one rejected, 2 bad usage. Needs mpmath (python3-mpmath).
"""
import ast
import json
import re
import sys
from fractions import Fraction
from math import comb
from mpmath import iv

class Rejected(Exception):
    pass

def require(holds, why):
    if not holds:
        raise Rejected(why)

# ---- exact numbers and the spec

def rational(text):
    number = r"-?[0-9]*\.?[0-9]*(e[-+]?[0-9]{1,5})?"
    require(isinstance(text, str) and len(text) < 2000 and re.fullmatch(f"{number}(/{number})?", text), "no number")
    above, _, below = text.partition("/")
    return Fraction(above) / Fraction(below or 1)

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

def binomial(k, j, q):
    return comb(k, j) * q**j * (1 - q)**(k - j)

def hypergeometric(k, j, batch):
    return Fraction(comb(batch[0], j) * comb(batch[1] + k - batch[0], k - j), comb(batch[1] + k, k))

def drawn(k, worth, scheme, law):
    """Of k records j are drawn with probability law(k, j, scheme)."""
    return normalised([(worth * j, law(k, j, scheme)) for j in range(k + 1)])

ORDER = {"gaussian": ["sigma", "sensitivity"], "mixture": ["sigma", "sensitivities", "probabilities"],
         "poisson": ["mechanism", "rate"], "group": ["mechanism", "size"], "laplace": ["scale", "sensitivity"],
         "without_replacement": ["mechanism", "batch", "population", "adjacency"]}

def composition(text):
    """The spec -> [[sigma, components, count]], or [None, sensitivity / scale, count] for Laplace noise."""
    text = text.replace("^", "**")  # then it reads as Python does

    def number(node):
        return rational(ast.get_source_segment(text, node))

    def whole(node):
        require(number(node).denominator == 1, "a count is no integer")
        return int(number(node))

    def mechanism(node):
        """-> (sigma, components, where a group is known (worth of one record, scheme, law))"""
        require(isinstance(node, ast.Call) and node.func.id in ORDER, "a mechanism without certificates")
        name = node.func.id
        given = dict(zip(ORDER[name], node.args), **{k.arg: k.value for k in node.keywords})
        require(len(given) == len(node.args) + len(node.keywords) and set(given) <= set(ORDER[name]),
                "the spec is not understood")
        one = number(given["sensitivity"]) if "sensitivity" in given else Fraction(1)
        if name == "laplace":
            return None, one / number(given["scale"]), None
        if name == "gaussian":
            return number(given["sigma"]), [(one, Fraction(1))], (one, Fraction(1), binomial)
        if name == "mixture":
            lists = [[number(x) for x in given[key].elts] for key in ("sensitivities", "probabilities")]
            require(len(lists[0]) == len(lists[1]), "lists of different length")
            return number(given["sigma"]), normalised(zip(*lists)), None
        sigma, components, group = mechanism(given["mechanism"])
        require(sigma is not None, f"{name} of laplace has no certificates")
        if name == "poisson":
            q = number(given["rate"])
            require(0 < q <= 1 and not (group and group[2] is hypergeometric), "not a rate or not a sample")
            components = normalised([(c, p * q) for c, p in components] + [(Fraction(0), 1 - q)])
            return sigma, components, group and (group[0], group[1] * q, binomial)
        if name == "without_replacement":  # a record counts twice: it pushes another one out
            require(group and group[1] == 1 and given["adjacency"].id == "add_remove", "no certificates for this")
            batch = [integer(whole(given[key]), 1, 10**12) for key in ("batch", "population")]
            group = 2 * group[0], batch, hypergeometric
            return sigma, drawn(1, *group), group
        require(group is not None, "a group of what is no sample")
        return sigma, drawn(integer(whole(given["size"]), 1, 1000), *group), None

    found = {}

    def read(node):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            return read(node.left) or read(node.right)
        power = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow)
        base, count = (node.left, whole(node.right)) if power else (node, 1)
        key = ast.unparse(base)
        found[key] = [*mechanism(base)[:2], count + (found[key][2] if key in found else 0)]

    read(ast.parse(text, mode="eval").body)
    return list(found.values())

# ---- intervals

def exact(q):
    q = Fraction(q)
    return iv.mpf(q.numerator) / iv.mpf(q.denominator)

def top(x):
    return iv.mpf([x.b, x.b])

def points(rule):
    return [j * exact(rule["d"]) for j in range(rule["first"], rule["last"] + 1)]

def spread(x):
    size = max(abs(x.a), abs(x.b))
    return iv.mpf([-size, size])

class Factor:
    """f(y) = sum p_i exp(a_i y - a_i^2/2), a_i = c_i / sigma; A(w) = int phi f^w."""

    def __init__(self, sigma, components, rules, removes):
        self.removes, self.order = removes, (lambda t: 1 + t) if removes else (lambda t: -t)
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
        require(rule["eta"] == 0, "a rule on the axis has no shift")
        v, d = exact(rule["v"]), exact(rule["d"])
        total = sum(iv.exp(r * self.log_f(y) - y * y / 2) for y in points(rule)) * d / iv.sqrt(2 * iv.pi)
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
        eta, v, d = (exact(rule[key]) for key in ("eta", "v", "d"))
        values = [iv.mpc(0, 0)] * (nodes + 1)
        for y in points(rule):
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
        eta, v, d = (exact(rule[key]) for key in ("eta", "v", "d"))
        logs = [(y, self.log_f_shifted(y, eta)) for y in points(rule)]
        total = sum(iv.exp(r * log_f.real - s * log_f.imag - y * y / 2) for y, log_f in logs)
        total *= iv.exp(eta * eta / 2) * d / iv.sqrt(2 * iv.pi)
        a_r = self.on_axis(r, "axis")
        strip = 2 * iv.sqrt(self.edge(r, eta + v, s, a_r) * self.edge(r, eta - v, s, a_r)) / (
            iv.exp(2 * iv.pi * v / d) - 1)
        return top(total + strip + iv.exp(eta * eta / 2) * self.turn(r, eta) * self.tails(r, rule))

    def log_nodes(self, t, h, nodes):
        values = [iv.log(value) for value in self.on_line(self.order(t), h, nodes)]
        return values if self.removes else [iv.mpc(v.real, -v.imag) for v in values]

    def log_beyond(self, t, s):
        return iv.log(self.beyond(self.order(t), s))

    def log_moment(self, t, name):
        return iv.log(self.on_axis(self.order(t), name))

class Gaussian:
    """M(z) = e^{mu z (z+1)}."""
    def __init__(self, rate):
        self.mu = exact(rate) ** 2 / 2
    def log_nodes(self, t, h, nodes):
        return [self.mu * iv.mpc(t * (t + 1) - (k * h) ** 2, k * h * (2 * t + 1)) for k in range(nodes + 1)]
    def log_beyond(self, t, s):
        return self.mu * (t * (t + 1) - s ** 2)
    def log_moment(self, t, _):
        return self.mu * t * (t + 1)

class Laplace:
    """[Laplace] M(z) = e^{az} (1 + 1/v + e^{-av} (1 - 1/v)) / 2, v = 2z + 1."""
    def __init__(self, ratio):
        self.a = exact(ratio)
    def log_mgf(self, z, one):
        v = 2 * z + 1
        return self.a * z + iv.log((one + 1 / v + iv.exp(-self.a * v) * (one - 1 / v)) / 2)
    def log_nodes(self, t, h, nodes):
        return [self.log_mgf(iv.mpc(t, k * h), iv.mpc(1, 0)) for k in range(nodes + 1)]
    def log_beyond(self, t, s):
        size = iv.sqrt((2 * t + 1) ** 2 + 4 * s ** 2)
        return iv.log((iv.exp(self.a * t) + iv.exp(-self.a * (1 + t))) / 2 * (1 + 1 / size))
    def log_moment(self, t, _):
        return self.log_mgf(t, 1)

def log_c(w):
    return w * iv.log(w) - (1 + w) * iv.log(1 + w)

# ---- statements

def read_rule(item, name):
    rule = {key: dyadic(item[name][key]) for key in ("eta", "v", "d")}
    require(rule["eta"] >= 0 and rule["v"] > 0 and rule["d"] > 0, "a rule without strip or step")
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
        if sigma is None:
            stated = (None, rational(item["laplace"]))
        else:
            stated = (rational(item["sigma"]),
                      list(zip(map(rational, item["sensitivities"]), map(rational, item["probabilities"]))))
        require((*stated, item["count"]) == (sigma, components, count), "the factors are not those of the spec")
        if sigma is None:
            factors.append((Laplace(components), count))
        elif len(components) == 1:
            factors.append((Gaussian(components[0][0] / sigma), count))
        else:
            rules = {name: read_rule(item, name) for name in ("axis", "line", "decay", "right", "left")}
            factors.append((Factor(sigma, components, rules, removes), count))
    t_exact, h_exact = dyadic(contour["t"]), dyadic(contour["h"])
    require(t_exact > 0 and h_exact > 0, "t and h must be positive")
    nodes = integer(contour["nodes"], 1, 100000)
    t, h, epsilon = exact(t_exact), exact(h_exact), exact(rational(statement["epsilon"]))
    period = 2 * iv.pi / h
    logs = [iv.mpc(0, 0)] * (nodes + 1)
    for factor, n in factors:
        logs = [total + iv.mpc(n * x.real, n * x.imag) for total, x in zip(logs, factor.log_nodes(t, h, nodes))]
    log_decay = sum(n * factor.log_beyond(t, (nodes + 1) * h) for factor, n in factors)
    total = iv.mpf(0)
    for k in range(nodes + 1):
        z = iv.mpc(t, k * h)
        term = (iv.exp(logs[k] - epsilon * z) / (z * (z + 1))).real
        total += term / 2 if k == 0 else term
    value = total * h / iv.pi - 1 / (iv.exp(t * period) - 1)

    def log_moment(order, name):
        return sum(n * factor.log_moment(order, name) for factor, n in factors)

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
    low = value - right - truncation - (left if contour["residues"] == 2 else 0)
    high = value + truncation + (left if contour["residues"] == 1 else 0)
    if "at_most" in statement:
        require(high.b <= exact(rational(statement["at_most"])).a, "delta is not proven to be so small")
    else:
        require(low.a >= exact(rational(statement["at_least"])).b, "delta is not proven to be so large")

def check(certificate):
    require(certificate["plaudit_certificate"] == 1, "an unknown version")
    pairs = composition(certificate["spec"])
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
    alike = all(sigma is None or len(components) == 1 for sigma, components, _ in pairs)  # one law in both directions
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
    except Exception as error:  # whatever goes wrong, nothing is proven
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
