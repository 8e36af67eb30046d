"""Honest certificates, drawn from random compositions over all mechanisms, are accepted by both checkers; forged ones
are rejected by both.

usage: certificates.py [HONEST FORGED [SEED [TIMEOUT]]]      (the soak: 300 5000; the program is in PLAUDIT_PROGRAM)
"""
import collections
import fractions
import importlib.util
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from _forgeries import mutate, strengthened  # noqa: E402
from _schema import problems  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ["PLAUDIT_PROGRAM"]
SOAK = len(sys.argv) > 2
HONEST, FORGED = (int(sys.argv[1]), int(sys.argv[2])) if SOAK else (10, 30)
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 20261122
PATIENCE = float(os.environ.get("PLAUDIT_TEST_PATIENCE", "1"))  # of a slow build
TIMEOUT = sys.argv[4] if len(sys.argv) > 4 else str(30 * PATIENCE)
TIMEOUT_OF_RANDOM = TIMEOUT if SOAK else str(5 * PATIENCE)
LONGEST_CHECK = 60.0
TIMES = 32  # by which errors may differ that depend on the order of operations

# The nodes err by rounding alone, which no two arithmetics have alike; every claim's quantity and some digits.
ALWAYS = [("gaussian(sigma=1.79)", "--delta", "1e-6", "9"),
          ("gaussian(sigma=4.05)^352 * gaussian(sigma=1.72)^67", "--delta", "1e-5", "7"),
          ("poisson(gaussian(sigma=0.8), rate=0.004)^1000", "--delta", "1e-7", "12"),
          ("poisson(gaussian(sigma=0.8), rate=0.004)^1000", "--epsilon", "1.5", "20"),
          ("laplace(scale=5)^200 * gaussian(sigma=8)^100", "--delta", "1e-9", "8"),
          ("without_replacement(gaussian(sigma=2), batch=100, population=9999, adjacency=add_remove)^500", "--epsilon",
           "0.5", "10"),
          # ends, threshold, lattice, laplace, atoms
          ("approximate(epsilon=0.3, delta=0.1)^3", "--delta", "0.2", "12"),
          ("randomized_response(probability=0.75)^3", "--epsilon", "0", "12"),
          ("poisson(gaussian(sigma=2), rate=0.1)", "--delta", "1e-5", "40"),
          ("with_replacement(gaussian(sigma=2), batch=10, population=100)", "--epsilon", "0.1", "12"),
          ("poisson(discrete_gaussian(sigma=3), rate=0.2)", "--delta", "1e-8", "12"),
          ("discrete_laplace(scale=13.5)^3052", "--delta", "1e-16", "12"),
          ("discrete_gaussian(sigma=2.5)^51 * pure(epsilon=0.16)^4", "--delta", "1e-9", "20"),
          ("poisson(pure(epsilon=2.62), rate=0.839)^8", "--epsilon", "3", "12"),
          ("truncated_discrete_laplace(scale=10, bound=200)^30", "--delta", "1e-6", "12"),
          ("truncated_discrete_laplace(scale=3, bound=20, sensitivity=2)^4", "--epsilon", "1", "12"),
          ("poisson(truncated_discrete_laplace(scale=1, bound=9), rate=0.1)^5", "--epsilon", "0.5", "12"),
          ("staircase(epsilon=0.1, gamma=0.3)^30", "--delta", "1e-6", "12"),
          ("randomized_response(epsilon=0.5, categories=5)^30", "--delta", "1e-6", "12"),
          ("randomized_response(probability=0.5, categories=4)^3 * pure(epsilon=0.2)", "--epsilon", "0.7", "12"),
          ("partition_selection(epsilon=0.3, delta=1/7)^4", "--epsilon", "0.5", "9"),
          ("laplace_threshold(scale=2, threshold=20)^2 * gaussian(sigma=3)^2", "--epsilon", "0.5", "9"),
          ("laplace_threshold(scale=1, threshold=2)", "--delta", "0.3", "9"),
          ("truncated_gaussian(sigma=2, bound=12)^10", "--delta", "1e-5", "7"),
          ("truncated_gaussian(sigma=2, bound=3, sensitivity=2)^3", "--epsilon", "0.5", "5"),
          ("skellam(variance=20)^4", "--delta", "1e-6", "5"),
          ("discrete_gaussian_sum(parties=3, sigma=1)^4", "--epsilon", "0.5", "9"),
          ("poisson(skellam(variance=4), rate=0.1)^2", "--delta", "1e-5", "6"),
          ("averaged(gaussian(sigma=0.2), rate=0.1, population=100)", "--delta", "1e-3", "9"),
          ("averaged(gaussian(sigma=1), rate=0.3, population=9)^3", "--epsilon", "1", "4"),
          ("averaged(gaussian(sigma=1), rate=0.3, population=4, adjacency=replace) * gaussian(sigma=2)", "--epsilon", "0.5", "5"),
          # delta is next to 1/(e^100 + 2), where the numbers of users change
          ("partition_selection(epsilon=100, delta=3720075976020835962959695803863118337358892015597476619773107746926999080078878637547622903547729265871989614602789248125642963873621719934556956757918512074322519508767374722e-%d)" % 216, "--epsilon", "1", "9"),
          ("poisson(staircase(epsilon=1, gamma=0.8), rate=0.1)^5", "--epsilon", "0.5", "12"),
          ("privacy_profile(epsilons=[0.1, 0.5, 1, 2], deltas=[0.3, 0.1, 0.01, 1e-6])^4", "--epsilon", "1", "12"),
          ("privacy_profile(epsilons=[0, 0.03, 0.2], deltas=[0.02, 0.01, 0])^30", "--delta", "1e-6", "12"),
          ("poisson(privacy_profile(epsilons=[0.5, 1], deltas=[0.01, 1e-4]), rate=0.1)^5", "--epsilon", "0.3", "12"),
          ("truncated_laplace(scale=1, bound=15)", "--delta", "1e-5", "12"),
          ("truncated_laplace(scale=10, bound=150)^100 * gaussian(sigma=10)", "--delta", "1e-3", "9"),
          ("shuffle(epsilon=1, users=12)", "--epsilon", "0.5", "20"),
          ("shuffle(epsilon=1, users=16)^3", "--delta", "1e-5", "5"),
          ("select(pure(epsilon=0.1), repeats=geometric, gamma=0.1)^10", "--delta", "1e-6", "12"),
          ("select(pure(epsilon=0.5), repeats=poisson, mean=3) * select(pure(epsilon=0.2), repeats=binomial, trials=9, probability=0.5)",
           "--epsilon", "1", "12"),
          ("parallel(pure(epsilon=0.5), approximate(epsilon=0.1, delta=0.01))^5", "--epsilon", "1", "12"),
          ("parallel(staircase(epsilon=1, gamma=0.3), pure(epsilon=0.9), laplace(scale=2))", "--delta", "0.1", "12"),
          ("parallel(laplace(scale=7), laplace(scale=20))^50", "--delta", "1e-6", "9"),
          ("laplace(scale=12.1)^50", "--delta", "1e-20", "12"),
          # roots
          ("gaussian(variance=200)^3 * laplace(scale=30)^100", "--delta", "1e-6", "12"),
          ("joint(gaussian(sigma=2), gaussian(variance=3))^2 * tree(steps=9, variance=50)", "--delta", "1e-6", "20"),
          ("adaptive_clipping(noise_multiplier=1.25, count_noise=5/6, rate=0.01)^200", "--delta", "1e-6", "10"),
          # rates that are irrational
          ("bandmf(coefficients=[1, 0.5, 0.375], sigma=2, steps=1000, rate=0.1)", "--delta", "1e-6", "12"),
          ("poisson(gaussian(variance=5, sensitivity=2), rate=0.02)^100 * laplace(scale=20)", "--epsilon", "0.5", "9"),
          ("poisson(gaussian(variance=0.3), rate=0.001)^2", "--delta", "1e-8", "9"),
          ("poisson(gaussian(sigma=sqrt(2)), rate=0.1)", "--delta", "1e-5", "30"),
          ("adaptive_clipping(noise_multiplier=1, count_noise=2, rate=0.01)^200", "--epsilon", "1", "10"),
          ("laplace(scale=6.71)^403", "--delta", "1e-8", "12"),
          ("poisson(approximate(epsilon=0.5, delta=0.01), rate=0.1)^20", "--delta", "0.05", "12"),
          # laws of mechanisms that are known by other laws
          ("bounded_range(epsilon=0.5)^20", "--delta", "1e-5", "12"),
          ("exponential(epsilon=0.02)^1000 * tree(steps=1000, sigma=40)", "--epsilon", "2", "10"),
          ("permute_and_flip(epsilon=0.5)^10", "--delta", "1e-5", "12"),
          ("report_noisy_max(scale=4)^3 * sparse_vector(threshold_scale=20, query_scale=80)^3", "--delta", "1e-3", "3"),
          ("poisson(joint(pure(epsilon=0.1), discrete_laplace(scale=10)), rate=0.1)^4", "--delta", "1e-5", "12"),
          ("toeplitz(coefficients=[1, 0.5], steps=40, sigma=4, participations=5, min_separation=1)", "--delta", "1e-5", "20"),
          ("matrix(encoder=[[1, 0], [0.5, 1]], sigma=2)^3 * bounded_range(epsilon=0.5)", "--delta", "1e-5", "10"),
          ("poisson(gaussian(sigma=1), rate=0.01, adjacency=replace)^100", "--delta", "1e-5", "12"),
          ("gaussian_sparse_vector(threshold_sigma=20, query_sigma=40, queries=100, sensitivity=2)^3", "--delta", "1e-5", "9"),
          ("renyi_profile(orders=[2, 4, 8], divergences=[0.1, 0.3, 0.8])^3", "--epsilon", "1", "9"),
          ("zcdp(rho=0.01)^3 * poisson(gaussian(sigma=1), rate=0.01, adjacency=zero_out)^100", "--delta", "1e-5", "12"),
          ("truncated_poisson(gaussian(sigma=1), rate=0.01, cap=90, population=10000, adjacency=zero_out)", "--delta", "1e-5", "12"),
          ("truncated_poisson(gaussian(sigma=1), rate=0.01, cap=90, population=10000, adjacency=replace, size=exact)", "--delta", "1e-5", "12"),
          ("truncated_poisson(gaussian(sigma=1), rate=0.01, cap=130, population=10000)^100", "--epsilon", "1", "9"),
          ("shuffled(gaussian(sigma=2), steps=10, adjacency=zero_out)^3", "--delta", "1e-7", "12"),
          ("random_allocation(gaussian(sigma=2), steps=10)", "--delta", "1e-7", "2"),
          ("random_allocation(gaussian(sigma=2), steps=4)^3", "--delta", "1e-7", "4"),
          ("random_allocation(gaussian(sigma=3), steps=5, selected=3, bound=blocks)^100 * pure(epsilon=0.01)", "--delta", "1e-6", "3"),
          ("tcdp(rho=0.1, omega=3)^4 * cdp(mu=0.1, tau=0.5)", "--epsilon", "9", "12")]


def load_checker():
    spec = importlib.util.spec_from_file_location("plaudit_check", ROOT / "python" / "plaudit_check.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CHECKER = load_checker()
from plaudit_certificates import statements as checked_statements  # noqa: E402
SCHEMA = json.loads((ROOT / "docs" / "certificate.schema.json").read_text(encoding="utf-8"))
seconds = collections.defaultdict(list)
failures = []
compared = collections.Counter()
last_proven = []  # the statements of the certificate that the Python checker accepted last: what it proved is compared too
wider = []  # (question, answer, certificate) where the certificate proves less than was printed


def kept(value, budget, proven=checked_statements.proven):
    found = proven(value, budget)
    last_proven[:] = found[3]
    return found


checked_statements.proven = kept


def fail(message):
    failures.append(message)
    print("FAILED:", message[:3000], flush=True)


def program_accepts(path, label):
    start = time.time()
    run = subprocess.run([PROGRAM, "check", path, "--json", "--timeout", str(LONGEST_CHECK)], capture_output=True,
                         text=True)
    seconds["program, " + label].append(time.time() - start)
    try:
        verdict = json.loads(run.stdout)
    except ValueError:
        fail(f"check: status {run.returncode}, output {run.stdout!r}, {run.stderr!r}")
        return False, "no verdict"
    if run.returncode != (0 if verdict["accepted"] else 3):
        fail(f"check: exit status {run.returncode}, {run.stdout}")
    return verdict["accepted"], verdict.get("reason", ""), verdict.get("errors", [])


def python_accepts(text, label):
    last_proven.clear()
    start = time.time()
    reason = CHECKER.verdict(text, LONGEST_CHECK)
    seconds["python, " + label].append(time.time() - start)
    if reason is not None and reason.startswith("malformed"):
        fail(f"python: an exception that is no rejection: {reason}")
    return reason is None, reason


def compare_errors(certificate, found, question):
    """Both checkers find the same error terms: to six digits where they are bounds that round little, the errors of nodes
    and of ranges up to a factor, for these contain what the order of operations makes of them."""
    if "pld(" in certificate["spec"]:
        return  # a mass that is an interval
    for s, program in zip(last_proven, found, strict=True):
        expected = {} if s.verb == "exceeds_before" else program
        if set(s.errors) != set(expected):
            fail(f"other names of errors: {set(s.errors)}, {set(expected)}: {question}")
            continue
        for name, size in s.errors.items():
            ours, theirs = fractions.Fraction(expected[name]), size.upper()
            compared[s.kind, name] += 1
            near = TIMES if name.endswith(("nodes", "ranges")) else 1 + fractions.Fraction(1, 10**6)
            noise = (number(s.value_text) or 1) * fractions.Fraction(1, 2 ** (s.bits // 2))
            if not (theirs <= near * ours + noise and ours <= near * theirs + noise):
                fail(f"errors differ: {s.kind} {name}: program {float(ours):.9g}, Python {float(theirs):.9g}: {question}")


def both(certificate, path, label):
    text = json.dumps(certificate)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return program_accepts(path, label), python_accepts(text, label)


def questions(folder):
    """(spec, option, value, digits): those that are always asked, then random ones."""
    yield from ALWAYS
    drawn = subprocess.run([PROGRAM, "crosscheck", "--questions", folder, "--count", str(max(1, 2 * HONEST)), "--seed",
                            str(SEED)], capture_output=True, text=True, check=True)
    for line in drawn.stdout.splitlines():
        spec, delta = line.split("\t")
        yield spec, "--delta", delta, "12" if SOAK else "8"


def number(text):
    return float("inf") if text == "inf" else fractions.Fraction(text)


def made(question, path):
    """The certificate of one query, or None with the reason; the answer is never lost."""
    spec, option, value, digits = question
    if os.path.exists(path):
        os.remove(path)
    start = time.time()
    run = subprocess.run([PROGRAM, "epsilon" if option == "--delta" else "delta", spec, option, value, "--digits",
                          digits, "--certificate", path, "--timeout", TIMEOUT if question in ALWAYS else TIMEOUT_OF_RANDOM, "--json"], capture_output=True, text=True)
    seconds["written"].append(time.time() - start)
    if run.returncode not in (0, 4):
        fail(f"status {run.returncode}: {question}: {run.stderr}")
        return None, run.stderr.strip()
    answer = json.loads(run.stdout)
    if not os.path.exists(path):
        if not run.stderr.startswith("plaudit: no certificate: "):
            fail(f"no certificate and no reason: {question}: {run.stderr!r}")
        return None, run.stderr.strip().removeprefix("plaudit: no certificate: ")
    with open(path, encoding="utf-8") as file:
        certificate = json.load(file)
    if (certificate["lower"], certificate["upper"]) != (answer["lower"], answer["upper"]):
        told = f"wider band [{certificate['lower']}, {certificate['upper']}]"
        if not (number(certificate["lower"]) <= number(answer["lower"]) and
                number(answer["upper"]) <= number(certificate["upper"]) and told in run.stderr):
            fail(f"the certificate claims another band than was printed, and does not say so: {question}")
        wider.append((question, answer, certificate))
    if certificate["adjacency"] != answer.get("adjacency", certificate["adjacency"]):
        fail(f"the certificate has another adjacency than was printed: {question}")
    return certificate, ""


def honest(folder, path):
    accepted, refused, kinds = [], [], collections.Counter()
    random_ones = 0
    for asked, question in enumerate(questions(folder)):
        if random_ones == HONEST:
            break
        random_ones += asked >= len(ALWAYS)
        certificate, reason = made(question, path)
        if certificate is None:
            refused.append((question, reason))
            if asked < len(ALWAYS):
                fail(f"no certificate: {question}: {reason}")
            continue
        kinds.update(s["kind"] for s in certificate["statements"])
        against_schema = problems(certificate, SCHEMA, SCHEMA)
        if against_schema:
            fail(f"not as the schema says: {against_schema[:5]}: {question}")
        (ours, why, errors), (python, python_why) = both(certificate, path, "honest")
        if ours and python:
            accepted.append(certificate)
            compare_errors(certificate, errors, question)
        else:
            fail(f"honest certificate rejected (program: {why!r}, python: {python_why!r}): {question}")
    return accepted, refused, kinds


def is_stronger(forged, certificate):
    """The claim differs from what was proven, and not by being weaker."""
    same = all(forged.get(key) == certificate[key] for key in ("spec", "quantity", "argument", "adjacency",
                                                              "group_size", "guarantee"))
    return not (same and number(forged["lower"]) <= number(certificate["lower"]) and
                number(forged["upper"]) >= number(certificate["upper"]))


def main():
    rng = random.Random(SEED)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "certificate.json")
        certificates, refused, kinds = honest(folder, path)
        rejected = accepted_weaker = 0
        for i in range(FORGED):
            certificate = certificates[i % len(certificates)]
            done, forged = strengthened(certificate, rng)
            if forged is None or rng.random() < 0.1:
                forged = json.loads(json.dumps(certificate))
                done = ", ".join(mutate(forged, rng) for _ in range(rng.choice([1, 2, 3])))
            (ours, *_), (python, _) = both(forged, path, "forged")
            if (ours or python) and is_stronger(forged, certificate):
                fail(f"forgery accepted (program {ours}, python {python}): {done}: {json.dumps(forged)}")
            rejected += not (ours or python)
            accepted_weaker += ours or python
    print(f"{len(certificates)} honest certificates accepted; kinds {dict(kinds.most_common())}")
    print(f"errors compared: {dict(compared)}")
    print(f"{rejected} of {FORGED} forgeries rejected by both; {accepted_weaker} were changed without a false claim")
    print(f"a wider band proven for {len(wider)}:")
    for question, answer, certificate in wider:
        print("  wider:", " ".join(question), "|", answer["lower"], answer["upper"], "|", certificate["lower"],
              certificate["upper"])
    print(f"no certificate for {len(refused)}:")
    for question, reason in refused:
        print("  none:", " ".join(question), "|", re.sub(r"\s+", " ", reason)[:600])
    for label, each in seconds.items():
        each.sort()
        print(f"seconds, {label}: {len(each)}, median {each[len(each) // 2]:.3f}, most {each[-1]:.2f}, all {sum(each):.1f}")
    assert not failures, "\n".join(failure[:2000] for failure in failures[:20])


if __name__ == "__main__":
    main()
