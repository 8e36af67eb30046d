"""Honest certificates are accepted by both checkers, tampered ones rejected by both.

usage: certificates.py [HONEST TAMPERED]      (the soak: 200 2000; the program is in PLAUDIT_PROGRAM)
"""
import copy
import importlib.util
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time
from fractions import Fraction

ROOT = pathlib.Path(__file__).resolve().parents[2]


# The nodes err by rounding alone, which no two arithmetics have alike.
ROUNDING_ONLY = [("gaussian(sigma=1.79)", ["--delta", "1e-6"], "9"),
                 ("gaussian(sigma=4.05)^352 * gaussian(sigma=1.72)^67", ["--delta", "1e-5"], "7")]


def load_checker():
    spec = importlib.util.spec_from_file_location("plaudit_check", ROOT / "python" / "plaudit_check.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def decimal(x, low, high, rng):
    return f"{math.exp(rng.uniform(math.log(low), math.log(high))):.3g}"


def random_spec(rng):
    factors = []
    for _ in range(rng.choice([1, 1, 1, 2])):
        sigma = decimal(0, 0.7, 8, rng)
        count = int(math.exp(rng.uniform(math.log(100), math.log(1e5))))
        gaussian = f"gaussian(sigma={sigma})"
        kind = rng.random()
        if kind < 0.1:
            factors.append(f"laplace(scale={decimal(0, 0.5, 20, rng)})^{count}")
        elif kind < 0.2:
            population = rng.randint(1000, 100000)
            batch = f"without_replacement({gaussian}, batch={max(1, population // rng.randint(20, 500))}, " \
                    f"population={population}, adjacency=add_remove)"
            factors.append((f"group({batch}, size={rng.randint(1, 3)})" if rng.random() < 0.5 else batch) + f"^{count}")
        elif kind < 0.7:
            factors.append(f"poisson({gaussian}, rate={decimal(0, 1e-3, 0.3, rng)})^{count}")
        elif kind < 0.85:
            factors.append(f"{gaussian}^{max(1, count // 100)}")
        else:
            rate = decimal(0, 1e-3, 0.1, rng)
            factors.append(f"group(poisson({gaussian}, rate={rate}), size={rng.randint(1, 4)})^{count}")
    return " * ".join(factors)


def shifted(text, amount):
    value = Fraction(text) + amount
    return f"{value.numerator}/{value.denominator}"


def tampered(certificate, rng):
    """One change that strengthens what is claimed, beyond what is true, or weakens what proves it."""
    c = copy.deepcopy(certificate)
    width = Fraction(c["upper"]) - Fraction(c["lower"])
    s = rng.choice(c["statements"])
    kind = rng.randrange(12)
    if kind == 0:
        c["upper"] = shifted(c["upper"], -width * Fraction(rng.randint(1, 100), 100))
    elif kind == 1:
        c["lower"] = shifted(c["lower"], width * Fraction(rng.randint(1, 100), 100))
    elif kind == 2:  # another delta: the claimed epsilon no longer belongs to it
        c["argument"] = shifted(c["argument"], Fraction(c["argument"]) * Fraction(rng.choice([-1, 1]), rng.randint(2, 1000)))
        if rng.random() < 0.5:
            for each in c["statements"]:
                for key in ("at_most", "at_least"):
                    if key in each:
                        each[key] = c["argument"] if key == "at_most" else shifted(c["argument"], Fraction(1, 10**60))
    elif kind == 3:
        c["statements"].remove(s)
    elif kind == 4:  # all statements and the claim moved together
        amount = width * rng.randint(2, 50) * rng.choice([-1, 1])
        for key in ("lower", "upper"):
            c[key] = shifted(c[key], amount)
        for each in c["statements"]:
            each["epsilon"] = shifted(each["epsilon"], amount)
    elif kind == 5:
        name = rng.choice(["right_aliasing", "left_aliasing", "truncation", "nodes"])
        s["errors"][name] = shifted(s["errors"][name], -Fraction(s["errors"][name]) * Fraction(rng.randint(1, 99), 100))
    elif kind == 6:  # parameters of the spec alone, or of the factors alone
        if rng.random() < 0.5:
            name = "sigma=" if "sigma=" in c["spec"] else "scale="
            c["spec"] = c["spec"].replace(name, name + "1", 1)
        else:
            f = rng.choice(s["factors"])
            name = "sigma" if "sigma" in f else "laplace"
            f[name] = shifted(f[name], Fraction(1, rng.randint(2, 10**6)))
    elif kind == 7:
        f = rng.choice(s["factors"])
        f["count"] += rng.choice([-1, 1]) if f["count"] > 1 else 1
    elif kind == 8:
        s["direction"] = "add" if s["direction"] == "remove" else "remove"
        if "rate" not in c["spec"] and "batch" not in c["spec"]:  # both directions alike: this alone is no lie
            c["statements"].remove(s)
    elif kind == 9:
        s["contour"]["nodes"] = max(1, s["contour"]["nodes"] // 2)
    elif kind == 10:
        h = s["contour"]["h"]
        s["contour"]["h"] = [h[0] * 3, h[1] - 1 if rng.random() < 0.5 else h[1]]
    else:
        rules = [f for f in s["factors"] if "line" in f]
        if rules:
            rule = rng.choice(rules)[rng.choice(["line", "decay", "right", "left", "axis"])]
            rule["d"] = [rule["d"][0], rule["d"][1] + 2]
        else:
            s["contour"]["right_order"] = s["contour"]["t"]
    return kind, c


def main():
    program = os.environ["PLAUDIT_PROGRAM"]
    honest = int(sys.argv[1]) if len(sys.argv) > 2 else 6
    forged = int(sys.argv[2]) if len(sys.argv) > 2 else 16
    rng = random.Random(20261121)
    checker = load_checker()
    certificates = []
    seconds = {"program": 0.0, "python": 0.0, "program, tampered": 0.0, "python, tampered": 0.0}
    failures = []
    refused = []

    def both(certificate, label):
        text = json.dumps(certificate)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        start = time.time()
        run = subprocess.run([program, "check", path, "--json"], capture_output=True, text=True)
        seconds["program" + label] += time.time() - start
        start = time.time()
        reason = checker.verdict(text)
        seconds["python" + label] += time.time() - start
        accepted = json.loads(run.stdout)["accepted"]
        if run.returncode != (0 if accepted else 3):
            failures.append(f"exit status {run.returncode}")
        return accepted, reason is None, reason

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "certificate.json")
        while len(certificates) < honest and len(refused) < honest:
            spec = random_spec(rng)
            digits = str(rng.randint(4, 14))
            query = ["--delta", f"1e-{rng.randint(3, 14)}"]
            if len(certificates) < len(ROUNDING_ONLY):
                spec, query, digits = ROUNDING_ONLY[len(certificates)]
            run = subprocess.run([program, "epsilon", spec, *query, "--digits", digits, "--certificate", path,
                                  "--timeout", "10"], capture_output=True, text=True)
            if run.returncode not in (0, 4) or not os.path.exists(path):
                refused.append(f"{spec} {query} {digits}: {run.stderr.strip()}")
                continue
            with open(path, encoding="utf-8") as file:
                certificate = json.load(file)
            os.remove(path)
            ours, python, reason = both(certificate, "")
            if not (ours and python):
                failures.append(f"honest certificate rejected ({ours}, {python}): {spec} {query} {digits}: {reason}")
            certificates.append(certificate)
        kinds = {}
        for i in range(forged):
            kind, certificate = tampered(certificates[i % len(certificates)], rng)
            ours, python, _ = both(certificate, ", tampered")
            kinds[kind] = kinds.get(kind, 0) + 1
            if ours or python:
                failures.append(f"tampered certificate accepted ({ours}, {python}): kind {kind}, {certificate['spec']}")
                if len(sys.argv) > 2:
                    print(failures[-1])
    print(f"{len(certificates)} honest, {forged} tampered {dict(sorted(kinds.items()))}; no certificate for {len(refused)}")
    for line in refused[:5]:
        print("  none:", line)
    print("seconds:", {key: round(value, 2) for key, value in seconds.items()})
    assert len(certificates) == honest, "too few certificates could be made"
    assert not failures, "\n".join(failures)


if __name__ == "__main__":
    main()
