#!/usr/bin/env python3
"""Random questions over all mechanisms, for bench_auto_against_all.

    auto_against_all.py --folder DIR [--program build/plaudit] [--specs 300] [--seed 1] [--first 0]

Every mechanism is drawn equally often, with up to two more factors beside it; what the program
refuses (factors of different adjacencies) is drawn again. A question is a line: epsilon or delta,
the argument, 4 to 12 digits, the spec. Laws in files are written to DIR.
"""
import argparse
import json
import pathlib
import random
import subprocess
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
    "adaptive_clipping": lambda d: f"adaptive_clipping(noise_multiplier={d.number(0.5, 4)}, count_noise={d.number(1, 20)}, rate={d.rate()})",
    "group": lambda d: f"group(poisson({d.gaussian()}, rate={d.rate()}), size={d.random.randint(2, 12)})",
    "without_replacement": lambda d: f"without_replacement({d.gaussian()}, {d.batch()}, "
                                     f"adjacency={d.choice('add_remove', 'replace')})",
    "with_replacement": lambda d: f"with_replacement({d.gaussian()}, {d.batch()})",
    "pair": lambda d: f"pair({d.choice('poisson', 'without_replacement')}, sigma={d.number(0.4, 12)}, "
                      f"rate={d.rate()})",
    "random_allocation": lambda d: f"random_allocation(gaussian(sigma={d.number(0.7, 8)}), steps={d.count(2, 300)})",
    "shuffled": lambda d: f"shuffled({d.gaussian()}, steps={d.count(2, 300)}, adjacency={d.choice('zero_out', 'replace')})",
    "averaged": lambda d: f"averaged({d.gaussian()}, rate={d.number(0.01, 0.9)}, population={d.count(2, 300)})",
    "matrix": lambda d: f"matrix(encoder=[[1, 0], [{d.number(0.1, 1)}, 1]], sigma={d.number(0.7, 12)})",
    "toeplitz": toeplitz,
    "random_participation": lambda d: (f"random_participation(coefficients=[1, {d.number(0.1, 1)}], sigma={d.number(0.7, 9)}, "
                                       f"steps={d.integer(1, 30)}, bins={d.integer(2, 6)})"),
    "tree": lambda d: f"tree(steps={d.count(2, 100000)}, sigma={d.number(1, 20)})",
    "laplace": lambda d: f"laplace(scale={d.number(0.3, 30)})",
    "discrete_laplace": lambda d: f"discrete_laplace(scale={d.number(0.3, 30)})",
    "discrete_gaussian": lambda d: f"discrete_gaussian(sigma={d.number(0.4, 20)})",
    "truncated_laplace": lambda d: f"truncated_laplace(scale={d.number(0.3, 30)}, bound={d.number(1, 300)})",
    "truncated_discrete_laplace": lambda d: f"truncated_discrete_laplace(scale={d.number(0.3, 30)}, bound={d.integer(1, 300)})",
    "truncated_gaussian": lambda d: f"truncated_gaussian(sigma={d.number(0.4, 12)}, bound={d.number(1, 100)})",
    "skellam": lambda d: f"skellam(variance={d.number(0.1, 100)})",
    "discrete_gaussian_sum": lambda d: f"discrete_gaussian_sum(parties={d.integer(1, 20)}, sigma={d.number(0.4, 3)})",
    "partition_selection": lambda d: f"partition_selection(epsilon={d.number(0.05, 4)}, delta={d.number(1e-6, 0.1)})",
    "laplace_threshold": lambda d: f"laplace_threshold(scale={d.number(0.5, 20)}, threshold={d.integer(2, 60)})",
    "gaussian_threshold": lambda d: f"gaussian_threshold(sigma={d.number(0.5, 12)}, threshold={d.integer(2, 60)})",
    "propose_test_release": lambda d: f"propose_test_release({d.gaussian()}, scale={d.number(1, 20)}, miss={d.number(1e-6, 0.01)})",
    "gaussian_sparse_vector": lambda d: f"gaussian_sparse_vector(threshold_sigma={d.number(2, 40)}, query_sigma={d.number(4, 80)}, queries={d.integer(1, 1000)})",
    "shuffle": lambda d: f"shuffle(epsilon={d.number(0.05, 5)}, users={d.integer(1, 200)})",
    "pate": lambda d: f"pate(votes=[{d.integer(20, 300)}, {d.integer(0, 30)}, {d.integer(0, 30)}], sigma={d.number(1, 60)})",
    "parallel": lambda d: f"parallel(pure(epsilon={d.number(0.02, 2)}), laplace(scale={d.number(0.5, 30)}))",
    "privacy_profile": lambda d: f"privacy_profile(epsilons=[0, {d.number(0.1, 2)}], deltas=[{d.number(0.1, 0.5)}, {d.number(0.001, 0.05)}])",
    "select": lambda d: f"select(pure(epsilon={d.number(0.02, 2)}), repeats=poisson, mean={d.number(0.5, 20)})",
    "staircase": lambda d: f"staircase(epsilon={d.number(0.02, 4)}, gamma={d.number(0.01, 0.99)})",
    "randomized_response": lambda d: f"randomized_response(epsilon={d.number(0.02, 4)})",
    "bounded_range": lambda d: f"bounded_range(epsilon={d.number(0.02, 3)})",
    "exponential": lambda d: f"exponential(epsilon={d.number(0.02, 3)})",
    "permute_and_flip": lambda d: f"permute_and_flip(epsilon={d.number(0.02, 3)})",
    "report_noisy_max": lambda d: f"report_noisy_max(scale={d.number(0.7, 30)})",
    "sparse_vector": lambda d: f"sparse_vector(threshold_scale={d.number(1, 20)}, query_scale={d.number(2, 40)})",
    "pure": lambda d: f"pure(epsilon={d.number(0.02, 3)})",
    "approximate": lambda d: f"approximate(epsilon={d.number(0.02, 3)}, delta={d.number(1e-16, 1e-4)})",
    "zcdp": lambda d: f"zcdp(rho={d.number(1e-4, 1)})",
    "renyi_profile": lambda d: f"renyi_profile(orders=[{d.number(1.5, 4)}, {d.number(5, 50)}], divergences=[{d.number(0.01, 0.2)}, {d.number(0.1, 2)}])",
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
        asked = "epsilon", f"{10 ** draw.random.uniform(-12, -1.5):.2g}"
    else:
        asked = "delta", f"{10 ** draw.random.uniform(-2, 1.3):.3g}"
    return spec, *asked, draw.choice(*DIGITS)


def accepted(program, spec):
    """The trivial bound of delta takes no time; a spec that is refused ends with status 2."""
    return subprocess.run([program, "delta", spec, "--epsilon", "1", "--timeout", "0.01"],
                          capture_output=True).returncode != 2


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", required=True)
    parser.add_argument("--program", default="build/plaudit")
    parser.add_argument("--specs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    for index in range(options.first, options.first + options.specs):
        draw = Draw(f"{options.seed} {index}", options.folder)
        draw.files = 1000 * index
        while True:
            spec, quantity, argument, digits = question(draw, index)
            if accepted(options.program, spec):
                break
        print(quantity, argument, digits, spec, flush=True)


if __name__ == "__main__":
    main()
