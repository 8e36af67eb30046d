"""Certificates changed at random: as JSON trees, whose numbers, keys and texts may be what no JSON library writes, and byte
by byte."""
import json
import random
import sys
import pathlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "python"))
from plaudit_certificates.arithmetic.budget import Budget  # noqa: E402
from plaudit_certificates.arithmetic.clock import Clock, Rejected  # noqa: E402
from plaudit_certificates.specs.specs import Composition  # noqa: E402
from plaudit_certificates.statements import KINDS, VERBS  # noqa: E402

NUMBERS = ["0", "1", "-1", "1e300", "-1e300", "1e-300", "1/3", "-1/3", "1/0", "0/5", "+1", "+0.5", ".5", "5.", "0.5", "1E3", "1e3",
           "1e+3", "1e-3", "-0", "00", "007", "1e", "e1", "", " 1", "1 ", "1.5.2", "--1", "1/-2", "-1/2", "1e2/3e4", "inf", "-inf",
           "Infinity", "nan", "0x10", "1_000", "\u0661", "1e1000", "1e1001", "1e-1000", "1e-1001", "1e100000", "1e100001",
           "1e-100000", "1e0000000001", "1e99999999999999999999", "9" * 1000, "9" * 1001, "9" * 10000, "9" * 10001,
           "0." + "0" * 997 + "1", "0." + "0" * 999 + "1", "1e20", "-1e20", "1e18", "1e19", "18446744073709551616", "1e12", "1e13",
           "0.9999999999999999999999999", "1.0000000000000000000000001", "5e-324", "1/1", "0.25", "0.75", "1,5", "1e1.5", "2/4",
           "1/3/5", "1e-1/1e-2"]
INTEGERS = [0, 1, -1, 2, 3, 5, 7, 16, 17, 31, 32, 33, 64, 100, 127, 128, 129, 200, 256, 1000, 1001, 20000, 20001, 99999, 100000,
            100001, 10**6, 10**6 + 1, 2 * 10**6, 4194304, 4194305, 2**31, 2**32, 2**40, 2**40 + 1, 2**53, 2**53 + 1, 2**63 - 1,
            2**63, 2**64 - 1, 2**64, -2**63, -2**63 - 1, 10**30, -10**30]
TOKENS = ["null", "NaN", "Infinity", "-Infinity", "1.0", "1.5", "1e3", "-0", "-0.0", "01", "+1", "true", "false", "True", "1e400",
          "\"\\ud800\"", "\"\\udc00\\ud800\"", "\"\\ud83d\\ude00\"", "\"\\u0000\"", "\"\\x\"", "'a'", "\"\t\"", "\"\u00e9\"",
          "\"\\u0041\"", "", "[]", "{}", "[[]]", "{\"a\": 1}", "\"\"", "0", "\"1\"", "/**/1", "1//x\n"]
TEXTS = ["", "inf", "epsilon", "delta", "remove", "add", "none", "as_stated", "add_remove", "replace", "add/remove", "zero-out",
         "zero_out", "\u00e9" * 100, "\u00e9" * 101, "x" * 200, "x" * 201, "a\u0000b", "\u2028", "\ufeff", "law.json"]
DYADICS = [[0, 0], [1, 0], [-1, 0], [1, -1100], [1, 1100], [1, -1101], [1, 1101], [2**53, 0], [2**53 + 1, 0], [-2**53, 1], [3, -1],
           [1, 70], [1, 61], [1, -70], [1, 30], [1], [1, 2, 3], [1, "2"], [True, 1], 1, "1"]
SPECS = ["gaussian(sigma=1)", "gaussian(sigma=1e-7)", "laplace(scale=1)^2", "laplace(scale=1, sensitivity=1e12)", "pure(epsilon=1)",
         "pure(epsilon=1) * pure(epsilon=1e-12)", "pure(epsilon=0.5)^3 * pure(epsilon=1/3)^2", "approximate(epsilon=0, delta=0.25)^2",
         "approximate(epsilon=1, delta=0.1)", "randomized_response(probability=0.75)^3", "randomized_response(epsilon=1)",
         "discrete_gaussian(sigma=1)", "discrete_gaussian(variance=1/5, sensitivity=3)", "discrete_gaussian(variance=1e-301)",
         "discrete_gaussian(variance=9999999998)", "discrete_laplace(scale=2, sensitivity=3)", "discrete_laplace(scale=1, sensitivity=100000)",
         "mixture(sigma=1, sensitivities=[0, 1], probabilities=[0.5, 0.5])", "poisson(gaussian(sigma=1), rate=0.1)",
         "poisson(laplace(scale=1), rate=0.1)^2", "poisson(pure(epsilon=1), rate=0.5)^2", "poisson(gaussian(sigma=1), rate=1)",
         "poisson(discrete_gaussian(sigma=1), rate=0.1)", "poisson(approximate(epsilon=0, delta=0.5), rate=0.5)^2",
         "poisson(poisson(discrete_laplace(scale=1), rate=0.5), rate=0.5)", "group(gaussian(sigma=1), size=2)",
         "without_replacement(gaussian(sigma=1), batch=2, population=10, adjacency=replace)",
         "without_replacement(gaussian(sigma=1), batch=2, population=10, adjacency=add_remove)",
         "with_replacement(gaussian(sigma=1), batch=3, population=10)", "with_replacement(gaussian(sigma=1), batch=1, population=1)",
         "pair(poisson, sigma=1, rate=0.1)", "pair(without_replacement, sigma=1, rate=0.1)",
         "pair(with_replacement, sigma=1, batch=3, population=10)", "group(poisson(gaussian(sigma=1), rate=0.1), size=3)",
         "pld(file=\"a\")", "pld(file=\"a\")^2 * gaussian(sigma=1)", "poisson(pld(file=\"a\"), rate=0.5)^2",
         "pld(file=\"a\") * pld(file=\"b\")", "laplace(scale=1) * pld(file=\"a\")", "pld(file=\"\")", "pld(file=\"x\u00e9\")",
         "bounded_range(epsilon=0.5)^2", "exponential(epsilon=1)", "exponential(epsilon=1e-300)", "exponential(epsilon=1e300)",
         "permute_and_flip(epsilon=1)^2", "poisson(permute_and_flip(epsilon=1), rate=0.5)", "report_noisy_max(scale=2, sensitivity=3)",
         "sparse_vector(threshold_scale=2, query_scale=8)^2", "sparse_vector(threshold_scale=2, query_scale=8, positives=1000000)",
         "joint(pure(epsilon=1), discrete_laplace(scale=1, sensitivity=2))", "joint(gaussian(sigma=1.25), gaussian(sigma=5/3))^2",
         "joint(gaussian(sigma=1), gaussian(sigma=1))", "joint(pure(epsilon=1), randomized_response(epsilon=1))",
         "joint(approximate(epsilon=0, delta=0.25), pure(epsilon=1/3))", "poisson(joint(pure(epsilon=1), pure(epsilon=1)), rate=0.5)",
         "tree(steps=8, sigma=2)", "tree(steps=1000000, sigma=2)", "tree(steps=9, sigma=2, participations=3, min_separation=2)",
         "tree(steps=101, sigma=2, participations=100)", "tree(steps=1, sigma=1, participations=1)",
         "toeplitz(coefficients=[1, 0.5], steps=9, sigma=2, sensitivity=3, participations=2)", "toeplitz(coefficients=[0], steps=9, sigma=2)",
         "toeplitz(coefficients=[1, -0.5], steps=500001, sigma=2, participations=2, min_separation=2)",
         "matrix(encoder=[[1, 0], [-0.5, 1/3]], sigma=2)", "matrix(encoder=[[1, 0], [0, 1]], sigma=2, participations=2)",
         "matrix(encoder=[[1, 1], [0, 1]], sigma=2)", "matrix(encoder=[[1]], sigma=2)", "matrix(encoder=[[0]], sigma=2)",
         "matrix(encoder=[1], sigma=2)", "matrix(encoder=[[1], [1]], sigma=2)", "matrix(encoder=\"a\", sigma=2)",
         "matrix(encoder=[[1, 0], [1]], sigma=2)", "matrix(encoder=[[]], sigma=2)", "matrix(encoder=[], sigma=2)",
         "truncated_poisson(gaussian(sigma=1), rate=0.5, cap=2, population=3)^2",
         "truncated_poisson(gaussian(sigma=1), rate=0.01, cap=20, population=1000, adjacency=replace)",
         "truncated_poisson(gaussian(sigma=1), rate=0.9, cap=2, population=30, adjacency=zero_out)",
         "truncated_poisson(gaussian(sigma=1), rate=0.5, cap=100001, population=1000000)",
         "truncated_poisson(gaussian(sigma=1), rate=0.5, cap=100000, population=1000000000000)",
         "truncated_poisson(gaussian(sigma=1), rate=0.5, cap=7, population=7, adjacency=replace)^3",
         "truncated_poisson(gaussian(sigma=1), rate=1, cap=2, population=3)",
         "truncated_poisson(poisson(gaussian(sigma=1), rate=0.5), rate=0.5, cap=2, population=3)",
         "random_allocation(gaussian(sigma=2), steps=10)", "random_allocation(gaussian(sigma=2), steps=1)^2",
         "random_allocation(gaussian(sigma=2), steps=10, selected=3, bound=blocks)",
         "random_allocation(gaussian(sigma=2), steps=10, selected=10, epochs_of_one_assignment=3)",
         "random_allocation(gaussian(sigma=2), steps=10, selected=3)", "random_allocation(gaussian(sigma=2), steps=1000000001)",
         "random_allocation(gaussian(sigma=2), steps=10, adjacency=zero_out) * gaussian(sigma=1)",
         "random_allocation(gaussian(sigma=2), steps=10, adjacency=replace)", "random_allocation(laplace(scale=1), steps=2)",
         "zcdp(rho=0.1)", "zcdp(rho=0.1)^2 * gaussian(sigma=1)", "tcdp(rho=0.1, omega=3)", "tcdp(rho=0.1, omega=1)", "cdp(mu=0, tau=1)",
         "cdp(mu=-1, tau=1)", "zcdp(rho=0.1) * pld(file=\"a\")", "zcdp(rho=0.1, rho=0.2)", "zcdp(rho=0.1, omega=2)",
         "poisson(gaussian(sigma=1), rate=0.5, adjacency=replace)^2", "poisson(gaussian(sigma=1), rate=0.5, adjacency=zero_out)",
         "poisson(laplace(scale=1), rate=0.5, adjacency=replace)", "poisson(pure(epsilon=1), rate=0.5, adjacency=zero_out)",
         "poisson(gaussian(sigma=1), rate=0.5, adjacency=add_remove)", "poisson(exponential(epsilon=1), rate=0.5)",
         "group(poisson(gaussian(sigma=1), rate=0.5, adjacency=zero_out), size=2)", "poisson(zcdp(rho=1), rate=0.5)",
         "gaussian( sigma=1)", "gaussian(1)", "gaussian(sigma=1)^1", "gaussian(sigma=1)^02", "Gaussian(sigma=1)",
         "gaussian(sigma=1)^1000000000000", "gaussian(sigma=1)^1000000000001", "gaussian(sigma=1.0)", "gaussian(sigma=2/4)",
         "gaussian(sigma=1)*gaussian(sigma=2)", "gaussian(sigma=0)", "gaussian(sigma=-1)", "(gaussian(sigma=1))", "gaussian()", ""]
LAWS = [{"adjacency": "add/remove", "both": {"losses": ["-1", "1"], "masses": ["0.25", "0.75"]}},
        {"adjacency": "none", "both": {"losses": [0], "masses": ["0.75"], "infinite": "0.25"}},
        {"adjacency": "as_stated", "both": {"lattice": {"mesh": "0.5", "first": -1}, "masses": ["0.2", "0.3", "0.5"]}},
        {"adjacency": "zero-out", "both": {"losses": ["-1", "0.5", "1"], "masses": [["0.1", "0.2"], "0.3", ["0.4", "0.6"]]}},
        {"adjacency": "add/remove", "both": {"losses": ["-1", "1"], "masses": [["0", "1"], ["0", "1"]]}},
        {"adjacency": "add/remove", "both": {"losses": ["0"], "masses": [["0", "1"]], "infinite": ["0", "1"]}},
        {"adjacency": "add/remove", "both": {"losses": ["0"], "masses": [["0", "1"]], "infinite": "1"}},
        {"adjacency": "my own", "remove": {"losses": ["1"], "masses": ["0.5"], "infinite": "0.5"},
         "add": {"losses": ["-1"], "masses": ["1"]}, "description": "words"},
        {"adjacency": "add/remove", "both": {"lattice": {"mesh": "1e-3", "offset": "1/3", "first": "-2"},
                                             "masses": ["0", "0.3", "0.3", 0, "0.2"], "infinite": ["0.1", "0.2"]}}]
RULE = {"eta": [0, 0], "v": [1, -1], "d": [1, -2], "first": -40, "last": 40}
CONTOUR = {"t": [1, 1], "h": [1, -3], "nodes": 40, "residues": 2, "right_order": [3, 0], "left_order": [2, 0], "factors": [{}]}
CHOICES = {
    "straight": [CONTOUR, {**CONTOUR, "residues": 1, "left_order": [1, -1]},
                 {**CONTOUR, "ranges": {"ends": [45, 60, 100], "how": [1, 0, 2], "block": 4}},
                 {**CONTOUR, "factors": [{"axis": RULE, "line": {**RULE, "eta": [1, -1]}, "right": RULE, "left": RULE, "decay": RULE}]}],
    "cut": [CONTOUR, {**CONTOUR, "factors": [{"cut": [3, 0], "axis": RULE, "line": RULE}]},
            {**CONTOUR, "factors": [{"kept": 1, "labels": [{"up": {"axis": RULE, "line": RULE}, "down": {}}]}]}],
    "moments": [{"order": [1, 0], "factors": [{}]}, {"order": [-2, 0], "factors": [{"moment": RULE}]},
                {"order": [-1, -1], "factors": [{}]}, {"order": [3, -1], "factors": [{"labels": []}]}],
    "pinch": [{"tau": [1, -3], "near": CONTOUR}, {"tau": [1, -3], "near": CONTOUR, "ratio": [3, -1], "far": CONTOUR}],
    "ends": [{}], "threshold": [{}, {"below": "0", "above": "1"}, {"below": "1", "above": "1.1"}],
    "lattice": [{"tilt": [1, -1], "right_order": [1, 0], "left_order": [1, 0], "period": 16, "ends": [8], "summed": [1]},
                {"tilt": [1, 0], "right_order": [2, 0], "left_order": [1, -1], "period": 9, "ends": [2, 4], "summed": [1, 0]}],
    "laplace": [{"draws": 2, "first": 0, "order": [1, 0], "window_order": [1, 0], "part": [1, -3]},
                {"draws": 1, "first": 1, "order": [1, 1], "window_order": [1, -1], "part": [1, -2]}],
    "atoms": [{"outer": [{"count": 1, "lows": [0, 0], "highs": [1, 1]}], "inner": [{"count": 1, "lows": [0, 0], "highs": [1, 1]}]},
              {"outer": [{"count": 0}], "inner": [{"count": 1, "first": -9, "last": 9, "lows": [0] * 19, "highs": [1] * 19}]},
              {"outer": [{"count": 0}], "inner": [{"count": 3, "lows": [0, 0, 0], "highs": [3, 3, 3]}]}],
    "bent": [{"center": [0, 0], "scale": [2, 0], "angle": [3, -2], "strip": [1, -3], "step": [1, -3], "per_arc": 2, "arcs": 3,
              "arcs_beyond": 2, "paths": [{"rise": [0, 0], "tilt": [1, -1], "knee": [0, 0], "bend": [1, 0], "strip": [1, -2],
                                          "step": [1, -2], "first": -30, "last": 60, "accuracy": [1, -1]}]}]}


class Token(str):
    """Written as it is."""


class Pairs(list):
    """An object as [key, value] pairs: keys may occur twice."""


def load(text):
    return json.loads(text, object_pairs_hook=lambda pairs: Pairs([list(pair) for pair in pairs]))


def written(value):
    if isinstance(value, Token):
        return str(value)
    if isinstance(value, Pairs):
        return "{" + ", ".join(written(key) + ": " + written(item) for key, item in value) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(written, value)) + "]"
    if isinstance(value, dict):
        return written(Pairs(map(list, value.items())))
    return json.dumps(value, ensure_ascii=False)


def dump(value):
    return written(value).encode("utf-8", "surrogatepass")


def places(value):
    """(container, key, value) of all members; iterative, for files may be deep."""
    found, left = [], [value]
    while left:
        one = left.pop()
        if isinstance(one, Pairs):
            found += [(one, i, item) for i, (_, item) in enumerate(one)]
            left += [item for _, item in one]
        elif isinstance(one, list):
            found += [(one, i, item) for i, item in enumerate(one)]
            left += one
    return found


def put(container, i, value):
    if isinstance(container, Pairs):
        container[i][1] = value
    else:
        container[i] = value


def get(pairs, name):
    return next((value for key, value in pairs if key == name), None) if isinstance(pairs, Pairs) else None


def set_field(pairs, name, value):
    for pair in pairs:
        if pair[0] == name:
            pair[1] = value
            return
    pairs.append([name, value])


def copied(value):
    if isinstance(value, Pairs):
        return Pairs([key, copied(item)] for key, item in value)
    return [copied(item) for item in value] if isinstance(value, list) else value


class Mutator:
    def __init__(self, seed, folders):
        self.seed = seed
        self.files = [path.read_bytes() for folder in folders for path in sorted(folder.glob("*"))]
        self.trees = [load(text) for text in self.files]
        self.donors = {}
        for tree in self.trees:
            for container, i, value in places(tree):
                if isinstance(container, Pairs):
                    self.donors.setdefault(container[i][0], []).append(value)

    def file(self, number):
        """The file of that number: the same one for a seed, however many were made before."""
        self.random = random.Random(f"{self.seed} {number}")
        tree = copied(self.made() if self.random.random() < 0.4 else self.random.choice(self.trees))
        for _ in range(self.random.choice((0, 1, 1, 1, 2, 2, 3, 5))):
            self.random.choice((self.scalar, self.scalar, self.number, self.number, self.token, self.donated, self.fields, self.order,
                                self.kind, self.spec, self.law, self.frame))(tree)
        if self.random.random() < 0.6:
            self.repair(tree)
        text = dump(tree)
        return self.bytewise(text) if self.random.random() < 0.12 else text

    # ---- certificates from nothing

    def made(self):
        spec = self.random.choice(SPECS)
        number = lambda: self.random.choice(("0", "0.5", "1", "0.1", "3", "-0.5", "1e-5", "0.25", "1/3", "30", "1e20"))  # noqa: E731
        quantity, argument = self.random.choice(("epsilon", "delta")), number()
        tree = {"plaudit_certificate": 3, "spec": spec, "laws": {}}
        names = [name for name in ("a", "b") if f'"{name}"' in spec]
        if names:
            tree["files"] = {name: self.random.choice(LAWS) for name in names}
        tree.update(adjacency="as_stated", group_size=1, guarantee=True, quantity=quantity, argument=argument, lower="0",
                    upper="1" if quantity == "delta" else "inf",
                    statements=[self.statement(argument) for _ in range(self.random.choice((1, 1, 1, 2)))])
        tree = load(dump(tree))
        self.repair(tree)
        return tree

    def statement(self, argument):
        kind = self.random.choice(KINDS)
        verb = self.random.choice(("at_most", "at_most", "at_least", "exceeds_before"))
        value = self.random.choice({"at_most": ("1", "0.5", "1e300", "0.25"), "at_least": ("0", "-1", "-1e300", "0.1"),
                                    "exceeds_before": ("0", "0.25")}[verb])
        return {"direction": self.random.choice(("remove", "add")), "epsilon": self.random.choice((argument, argument, "inf", "1")),
                verb: value, "kind": kind, "bits": self.random.choice((32, 64, 128, 200, 1000)),
                "choices": self.random.choice(CHOICES[kind])}

    def repair(self, tree):
        """Adjacency as the spec has it, so that more than the frame is read; as many choices as factors."""
        laws = get(tree, "files")
        try:
            with Clock(2):
                composition = Composition(get(tree, "spec"), json.loads(dump(laws)) if laws is not None else {}, Budget())
        except (Rejected, ValueError, TypeError, AttributeError, KeyError, ZeroDivisionError):
            return
        adjacency = composition.adjacency
        set_field(tree, "laws", load(dump(composition.law_list())))
        set_field(tree, "adjacency", adjacency.kind)
        set_field(tree, "group_size", adjacency.group or 1)
        set_field(tree, "guarantee", adjacency.guarantee)
        for container, i, value in places(tree):
            key = container[i][0] if isinstance(container, Pairs) else ""
            if key in ("factors", "outer", "inner") and isinstance(value, list) and value and self.random.random() < 0.7:
                container[i][1] = (value * len(composition.factors))[:len(composition.factors)]

    # ---- changes of trees

    def place(self, tree, wanted=lambda value: True):
        found = [place for place in places(tree) if wanted(place[2])]
        return self.random.choice(found) if found else None

    def scalar(self, tree):
        place = self.place(tree, lambda value: not isinstance(value, list))
        if place is None:
            return
        container, i, value = place
        if isinstance(value, int) and not isinstance(value, bool):
            odd = [value + 1, value - 1, value * 2, value // 2, -value, self.random.choice(INTEGERS), self.random.choice(INTEGERS)]
            put(container, i, self.random.choice(odd))
        elif isinstance(value, bool):
            put(container, i, self.random.choice([not value, 1, 0, "true"]))
        else:
            put(container, i, self.random.choice(NUMBERS if self.random.random() < 0.7 else TEXTS))

    def number(self, tree):
        """A little more or less of a number."""
        place = self.place(tree, lambda value: isinstance(value, str) and value[:1] in tuple("-0123456789") or (
            isinstance(value, list) and len(value) == 2 and all(type(x) is int for x in value)))
        if place is None:
            return
        container, i, value = place
        if isinstance(value, list):
            m, e = value
            put(container, i, self.random.choice([[m, e + 1], [m, e - 1], [m + 1, e], [m, e + 40], [m, e - 40], [-m, e],
                                                  self.random.choice(DYADICS)]))
            return
        at = self.random.randrange(len(value))
        put(container, i, self.random.choice([
            value[:at] + self.random.choice("0123456789./e-+") + value[at + self.random.randrange(2):], value + "0", value + "/1", value + "/3",
            value + "e0", "-" + value, "0" + value, value + "e-5", value + "e5"]))

    def token(self, tree):
        place = self.place(tree)
        if place:
            put(place[0], place[1], Token(self.random.choice(TOKENS)))

    def donated(self, tree):
        place = self.place(tree)
        if place and isinstance(place[0], Pairs):
            container, i, _ = place
            put(container, i, copied(self.random.choice(self.donors.get(container[i][0], [0]))))

    def fields(self, tree):
        place = self.place(tree)
        container = place[0] if place else tree
        if not isinstance(container, list) or not container:
            return
        i = self.random.randrange(len(container))
        how = self.random.randrange(5)
        if how == 0:
            del container[i]
        elif how == 1:
            container.insert(self.random.randrange(len(container) + 1), copied(container[i]) if not isinstance(container, Pairs)
                             else [container[i][0], copied(container[i][1])])
        elif how == 2 and isinstance(container, Pairs):
            container.append([self.random.choice(["x", "", "\u00e9", "cut", "kept", "line", "ranges", "at_least", "files", "both", "infinite"]),
                              self.random.choice([0, "1", Pairs(), []])])
        elif how == 3:
            depth, value = self.random.choice((1, 2, 10, 13, 20, 200)), container[i][1] if isinstance(container, Pairs) else container[i]
            for _ in range(depth):
                value = [value] if self.random.random() < 0.8 else Pairs([["a", value]])
            put(container, i, value)
        else:
            self.random.shuffle(container)

    def order(self, tree):
        place = self.place(tree, lambda value: isinstance(value, list) and not isinstance(value, Pairs) and len(value) > 1)
        if place:
            self.random.choice((self.random.shuffle, list.reverse))(place[2])

    def kind(self, tree):
        statements = get(tree, "statements")
        if type(statements) is not list or not statements:
            return
        one = load(dump(self.statement(get(tree, "argument") if type(get(tree, "argument")) is str else "1")))
        if self.random.random() < 0.3:
            statements.append(one)
        else:
            statements[self.random.randrange(len(statements))] = one

    def spec(self, tree):
        spec = get(tree, "spec")
        if not isinstance(spec, str) or self.random.random() < 0.4:
            spec = self.random.choice(SPECS)
        else:
            how = self.random.randrange(4)
            if how == 0:
                spec += self.random.choice(("^2", "^1", "^1000", " * gaussian(sigma=5)", " * pure(epsilon=0.1)", "*", " "))
            elif how == 1:
                spec = f"poisson({spec}, rate=0.{self.random.randrange(1, 10)})"
            elif how == 2:
                at = self.random.randrange(len(spec) + 1)
                spec = spec[:at] + self.random.choice("0123456789.e-+/()[], =^*\"ag\n\u00e9") + spec[at + self.random.randrange(2):]
            else:
                digits = [i for i, c in enumerate(spec) if c.isdigit()]
                if digits:
                    at = self.random.choice(digits)
                    spec = spec[:at] + self.random.choice(NUMBERS) + spec[at + 1:]
        set_field(tree, "spec", spec)
        if "pld(" in spec and get(tree, "files") is None:
            tree.append(["files", load(dump({name: self.random.choice(LAWS) for name in ("a", "b") if f'"{name}"' in spec} or {"x": 1}))])

    def law(self, tree):
        laws = get(tree, "files")
        if laws is None:
            return
        place = self.place(laws)
        if place is None:
            return
        container, i, value = place
        if isinstance(value, list) and not isinstance(value, Pairs) and self.random.random() < 0.5:
            value.append(self.random.choice(NUMBERS))
        else:
            put(container, i, self.random.choice([self.random.choice(NUMBERS), self.random.choice(INTEGERS), ["0.1", "0.9"], "0.5", "1",
                                                  self.random.choice(TEXTS)]))

    def frame(self, tree):
        name = self.random.choice(("quantity", "argument", "lower", "upper", "adjacency", "group_size", "guarantee", "direction"))
        values = {"quantity": ["epsilon", "delta", "Epsilon"], "adjacency": TEXTS, "group_size": [1, 2, 1000, 1001, 0], "guarantee":
                  [True, False, 1], "direction": ["remove", "add", "both"]}.get(name, NUMBERS)
        where = tree
        if name == "direction":
            statements = get(tree, "statements")
            if type(statements) is not list or not statements or not isinstance(statements[0], Pairs):
                return
            where = self.random.choice([s for s in statements if isinstance(s, Pairs)])
        set_field(where, name, self.random.choice(values))

    def bytewise(self, text):
        text = bytearray(text)
        for _ in range(self.random.choice((1, 1, 2, 4))):
            at = self.random.randrange(len(text) + 1)
            how = self.random.randrange(6)
            if how == 0:
                text[at:at + 1] = bytes([self.random.randrange(256)])
            elif how == 1:
                text[at:at] = self.random.choice([b"\0", b"\0{}", b"\xef\xbb\xbf", b"\xff", b"\xed\xa0\x80", b" ", b"\x0b", b"\xc2\xa0", b",", b"]",
                                                  b"\\", b"\"", b"\x7f", b"\xc0\x80", b"\xf4\x90\x80\x80", b"//", b"\t", b"0"])
            elif how == 2:
                del text[at:at + self.random.randrange(1, 8)]
            elif how == 3:
                text = text[:at]
            elif how == 4:
                end = self.random.randrange(len(text) + 1)
                text[at:at] = text[min(at, end):max(at, end)][:50]
            else:
                text += self.random.choice([b"\0", b"\0{\"x\":1}", b"{}", b" \n", b"#", b",", b"\x1a"])
        return bytes(text)

    @staticmethod
    def smaller(tree):
        """Trees with something taken away."""
        for number in range(len(places(tree))):
            copy = copied(tree)
            container, i, value = places(copy)[number]
            del container[i]
            yield copy
            if isinstance(value, (list, str)) and len(value) > 1:
                for part in (value[:len(value) // 2], value[len(value) // 2:]):
                    copy = copied(tree)
                    container, i, _ = places(copy)[number]
                    put(container, i, type(value)(part))
                    yield copy
