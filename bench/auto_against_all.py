#!/usr/bin/env python3
"""`auto` against each certified accountant by name, in the same time, on random specs.

    auto_against_all.py [--program build/plaudit] [--specs 300] [--seed 1] [--first 0] [--timeout 3]

Every mechanism is drawn equally often, with up to two more factors beside it. Each spec is asked one
question, at 4 to 12 digits. Where `auto` reaches them, no other band can be narrower by more than
that: it holds the same number. Where it does not, `plaudit compare` asks all accountants by name, each
with the same time limit, and neither end of the band of `auto` may be farther from the number than
theirs by more than 10^-digits of the upper end. Exit 1 where one is, or where bands are disjoint.
"""
import argparse
import collections
import json
import pathlib
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

DIGITS = [4, 6, 9, 12]


class Draw:
    """Random parameters, as decimals of three digits."""

    def __init__(self, seed, folder):
        self.random = random.Random(seed)
        self.folder = folder
        self.files = 0

    def number(self, low, high):
        return f"{low * (high / low) ** self.random.random():.3g}"

    def count(self, low, high):
        return int(round(low * (high / low) ** self.random.random()))

    def choice(self, *values):
        return self.random.choice(values)

    def gaussian(self):
        extra = f", sensitivity={self.number(0.5, 2)}" if self.random.random() < 0.15 else ""
        return f"gaussian(sigma={self.number(0.4, 12)}{extra})"

    def rate(self):
        return self.number(1e-6, 0.7)

    def probabilities(self, parts):
        shares = [self.random.randint(1, 20) for _ in range(parts)]
        return [f"{share}/{sum(shares)}" for share in shares]

    def law(self):
        """A file with a law of few atoms for both directions, as docs/mechanisms.md describes it."""
        points = self.random.randint(2, 6)
        losses = sorted(self.random.sample(range(-30, 31), points))
        masses = [Fraction(share) for share in self.probabilities(points)]
        # Q's mass, sum of masses e^-loss, must be at most 1: the losses move up until it is.
        q = sum(float(mass) * 2.718281829 ** (-loss / 10) for loss, mass in zip(losses, masses))
        shift = 0
        while q * 2.718281828 ** (-shift / 10) > 0.999:
            shift += 1
        path = pathlib.Path(self.folder) / f"law{self.files}.json"
        self.files += 1
        path.write_text(json.dumps({"adjacency": "add/remove", "both": {
            "losses": [f"{loss + shift}/10" for loss in losses],
            "masses": [str(mass) for mass in masses], "infinite": "0"}}))
        return f'pld(file="{path}")'

    def batch(self):
        population = self.count(200, 1_000_000)
        return f"batch={self.count(1, max(1, population // 20))}, population={population}"


def poisson(draw):
    kind = draw.choice("gaussian", "gaussian", "gaussian", "replace", "laplace", "discrete_gaussian", "pure")
    inner = {"gaussian": draw.gaussian(), "replace": draw.gaussian(),
             "laplace": f"laplace(scale={draw.number(0.4, 12)})",
             "discrete_gaussian": f"discrete_gaussian(sigma={draw.number(0.4, 12)})",
             "pure": f"pure(epsilon={draw.number(0.05, 3)})"}[kind]
    adjacency = ", adjacency=replace" if kind == "replace" else ""
    return f"poisson({inner}, rate={draw.rate()}{adjacency})"


def mixture(draw):
    parts = draw.random.randint(2, 4)
    sensitivities = ", ".join(str(i) for i in range(parts))
    return (f"mixture(sigma={draw.number(0.4, 12)}, sensitivities=[{sensitivities}], "
            f"probabilities=[{', '.join(draw.probabilities(parts))}])")


def toeplitz(draw):
    steps = draw.count(3, 200)
    return (f"toeplitz(coefficients=[1, 0.5, 0.375], steps={steps}, sigma={draw.number(1, 12)}, "
            f"participations={draw.random.randint(1, 3)}, min_separation={max(1, steps // 4)})")


RECIPES = {
    "gaussian": Draw.gaussian,
    "mixture": mixture,
    "poisson": poisson,
    "truncated_poisson": lambda d: f"truncated_poisson({d.gaussian()}, rate={d.rate()}, cap={d.count(5, 500)}, "
                                   f"population={d.count(500, 100000)}, "
                                   f"adjacency={d.choice('add_remove', 'replace', 'zero_out')})",
    "joint": lambda d: f"joint(pure(epsilon={d.number(0.05, 2)}), discrete_laplace(scale={d.number(0.5, 12)}))",
    "group": lambda d: f"group(poisson({d.gaussian()}, rate={d.rate()}), size={d.random.randint(2, 12)})",
    "without_replacement": lambda d: f"without_replacement({d.gaussian()}, {d.batch()}, "
                                     f"adjacency={d.choice('add_remove', 'replace')})",
    "with_replacement": lambda d: f"with_replacement({d.gaussian()}, {d.batch()})",
    "pair": lambda d: f"pair({d.choice('poisson', 'without_replacement')}, sigma={d.number(0.4, 12)}, "
                      f"rate={d.rate()})",
    "random_allocation": lambda d: f"random_allocation(gaussian(sigma={d.number(0.7, 8)}), steps={d.count(2, 300)})",
    "matrix": lambda d: f"matrix(encoder=[[1, 0], [{d.number(0.1, 1)}, 1]], sigma={d.number(0.7, 12)})",
    "toeplitz": toeplitz,
    "tree": lambda d: f"tree(steps={d.count(2, 100000)}, sigma={d.number(1, 20)})",
    "laplace": lambda d: f"laplace(scale={d.number(0.3, 30)})",
    "discrete_laplace": lambda d: f"discrete_laplace(scale={d.number(0.3, 30)})",
    "discrete_gaussian": lambda d: f"discrete_gaussian(sigma={d.number(0.4, 20)})",
    "randomized_response": lambda d: f"randomized_response(epsilon={d.number(0.02, 4)})",
    "bounded_range": lambda d: f"bounded_range(epsilon={d.number(0.02, 3)})",
    "exponential": lambda d: f"exponential(epsilon={d.number(0.02, 3)})",
    "permute_and_flip": lambda d: f"permute_and_flip(epsilon={d.number(0.02, 3)})",
    "report_noisy_max": lambda d: f"report_noisy_max(scale={d.number(0.7, 30)})",
    "sparse_vector": lambda d: f"sparse_vector(threshold_scale={d.number(1, 20)}, query_scale={d.number(2, 40)})",
    "pure": lambda d: f"pure(epsilon={d.number(0.02, 3)})",
    "approximate": lambda d: f"approximate(epsilon={d.number(0.02, 3)}, delta={d.number(1e-16, 1e-4)})",
    "zcdp": lambda d: f"zcdp(rho={d.number(1e-4, 1)})",
    "tcdp": lambda d: f"tcdp(rho={d.number(1e-4, 0.5)}, omega={d.number(1.5, 100)})",
    "cdp": lambda d: f"cdp(mu={d.number(1e-4, 0.5)}, tau={d.number(0.01, 1)})",
    "pld": Draw.law,
}


def power(draw):
    return draw.choice(1, 1, 2, 3, draw.count(1, 100), draw.count(10, 10000), draw.count(100, 100000))


def question(draw, index):
    names = list(RECIPES)
    factors = [names[index % len(names)]]
    factors += [draw.choice(*names) for _ in range(draw.choice(0, 0, 0, 1, 1, 2))]
    spec = " * ".join(f"{RECIPES[name](draw)}^{power(draw)}" for name in factors)
    if draw.random.random() < 0.6:
        asked = ["epsilon", "--delta", f"{10 ** draw.random.uniform(-12, -1.5):.2g}"]
    else:
        asked = ["delta", "--epsilon", f"{10 ** draw.random.uniform(-2, 1.3):.3g}"]
    return spec, asked, draw.choice(*DIGITS)


def run(program, *arguments, seconds):
    done = subprocess.run([program, *arguments, "--json"], capture_output=True, text=True, timeout=seconds)
    return json.loads(done.stdout) if done.stdout.strip() else None, done


def parsed(text):
    return float("inf") if text == "inf" else Fraction(text)


def wider_by(mine, other):
    """The greater of what the other band has less at either end."""
    def gap(high, low):
        return 0 if high == low else high - low
    return max(gap(parsed(mine["upper"]), parsed(other["upper"])),
               gap(parsed(other["lower"]), parsed(mine["lower"])))


def judged(program, spec, asked, digits, timeout):
    """(outcome, lines)"""
    common = [asked[1], asked[2], "--digits", str(digits), "--timeout", str(timeout)]
    answer, done = run(program, asked[0], spec, *common, seconds=60 + 20 * timeout)
    if answer is None:
        return ("refused", []) if done.returncode == 2 else ("failed", [done.stderr.strip()])
    if answer["reached"]:
        return "reached", []
    others, done = run(program, "compare", spec, *common, seconds=60 + 60 * timeout)
    if others is None:
        return "failed", [done.stderr.strip()]
    lines = ["disjoint bands"] if others["disjoint"] else []
    allowed = parsed(answer["upper"])
    allowed = allowed * Fraction(1, 10 ** digits) if allowed != float("inf") else 0
    for each in others["accountants"]:
        if each["accountant"] == "auto" or not each.get("certified"):
            continue
        more = wider_by(answer, each)
        if more > allowed:
            lines.append(f"{each['accountant']} [{each['lower'][:14]}, {each['upper'][:14]}] in {each['seconds']:.3g} s: "
                         f"narrower by {float(more):.3g}")
    words = f"auto [{answer['lower'][:14]}, {answer['upper'][:14]}] in {answer['seconds']:.3g} s; {answer.get('remark')}"
    return ("wider" if lines else "no wider"), [words, *lines]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default="build/plaudit")
    parser.add_argument("--specs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--timeout", type=float, default=3)
    options = parser.parse_args()
    outcomes = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for index in range(options.first, options.first + options.specs):
            for attempt in range(1000):  # what cannot be composed is drawn again
                draw = Draw(f"{options.seed} {index} {attempt}", folder)
                draw.files = 1000 * index
                spec, asked, digits = question(draw, index)
                outcome, lines = judged(options.program, spec, asked, digits, options.timeout)
                if outcome != "refused":
                    break
            outcomes[outcome] += 1
            if outcome != "reached":
                print(f"{index}: {outcome}: plaudit {asked[0]} '{spec}' {asked[1]} {asked[2]} --digits {digits} "
                      f"--timeout {options.timeout:g}", *lines, sep="\n    ", flush=True)
    print(f"seed {options.seed}: {options.specs} specs, {options.timeout:g} s: "
          + ", ".join(f"{name} {count}" for name, count in sorted(outcomes.items())))
    sys.exit(1 if outcomes["wider"] or outcomes["failed"] else 0)


if __name__ == "__main__":
    main()
