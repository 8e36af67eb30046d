#!/usr/bin/env python3
"""Trade-off functions by riskcal and mu by gdpnum on random DP-SGD runs, judged by certified bands.

usage: tradeoff_peers.py PLAUDIT [--count N] [--seed S] [--answers FILE] [--limit SECONDS] [--csv FILE]

PLAUDIT: the program. Needs riskcal and gdpnum (1.5.1 and 0.1.2 were used for docs/meaning.md). What they
answer is written to FILE, a line a setting, as it comes, and not asked again: a run that is stopped
goes on where it was. Each peer is asked as its own documentation does, with its own defaults, in a
process of its own, within the limit. riskcal's beta comes from a dominating pair, symmetrised, so that it is
to be at most the smaller of the two directions: above the upper end of a certified band it is refuted.
gdpnum's mu leaves out the tests of which an error rate, or what both lack of 1, is at most 1e-10. It is refuted
where it lies below the certified least mu of tests with errors of at least A, where the smallest A of
LEAST_ERRORS is taken at which, and so between whose ends, both lack more than that.
"""
import argparse
import concurrent.futures
import fractions
import json
import math
import multiprocessing
import os
import random
import statistics
import subprocess
import sys
import time

RATES = ["1e-6", "1e-4", "1e-3", "1e-2"]
SECONDS = "60"  # for a question to plaudit; the band is then as wide as it is
LEAST_ERRORS = [f"1e-{digits}" for digits in range(10, 2, -1)]
LEAST_OF_GDPNUM = fractions.Fraction("1e-10")


def ask(program, *arguments):
    done = subprocess.run([program, *arguments, "--json", "--timeout", SECONDS], capture_output=True,
                          text=True, check=False)
    if done.returncode not in (0, 4):
        sys.exit(f"{arguments}: {done.stderr}")
    return json.loads(done.stdout)


def settings(count, seed):
    draws = random.Random(seed)

    def log_uniform(least, most):
        return math.exp(draws.uniform(math.log(least), math.log(most)))

    for _ in range(count):
        yield (float(f"{log_uniform(0.6, 5):.3g}"), float(f"{log_uniform(1e-4, 0.05):.3g}"),
               round(log_uniform(10, 10_000)))


def riskcal_betas(sigma, rate, steps):
    from riskcal.accountants.ctd import CTDAccountant

    accountant = CTDAccountant()
    accountant.history = [(sigma, rate, steps)]
    return [float(beta) for beta in accountant.get_beta(alpha=[float(alpha) for alpha in RATES])]


def gdpnum_mu(sigma, rate, steps):
    from gdpnum.dpsgd import get_mu_and_regret_for_dpsgd

    mu, _ = get_mu_and_regret_for_dpsgd(noise_multiplier=sigma, sample_rate=rate, num_steps=steps)
    return float(mu)


def answer_into(pipe, function, setting):
    start = time.monotonic()
    try:
        answer = {"value": function(*setting)}
    except Exception as error:  # what a peer refuses, it refuses
        answer = {"error": f"{type(error).__name__}: {error}"}
    pipe.send({**answer, "seconds": time.monotonic() - start})


def within(limit, function, setting):
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=answer_into, args=(sender, function, setting))
    process.start()
    sender.close()
    answer = {"error": f"no answer within {limit:g} s"}
    try:
        if receiver.poll(limit):
            answer = receiver.recv()
    except EOFError:
        answer = {"error": "the process died"}
    process.kill()
    process.join()
    return answer


def answers(options):
    """(setting, answers of the peers) of every setting, those of FILE first."""
    known = {}
    if options.answers and os.path.exists(options.answers):
        with open(options.answers, encoding="utf-8") as file:
            known = {tuple(entry["setting"]): entry for entry in map(json.loads, file)}
    for setting in settings(options.count, options.seed):
        if setting not in known:
            known[setting] = {"setting": setting, "riskcal": within(options.limit, riskcal_betas, setting),
                              "gdpnum": within(options.limit, gdpnum_mu, setting)}
            print(json.dumps(known[setting]), file=sys.stderr, flush=True)
            if options.answers:
                with open(options.answers, "a", encoding="utf-8") as file:
                    file.write(json.dumps(known[setting]) + "\n")
        yield setting, known[setting]


class Verdicts:
    def __init__(self, name):
        self.name, self.total, self.refuted, self.by, self.loose, self.open = name, 0, 0, [], [], 0

    def row(self):
        by = f"{max(self.by):.2g}" if self.by else "-"
        loose = f"{statistics.median(self.loose):.2g}, {max(self.loose):.2g}" if self.loose else "-"
        return f"| {self.name} | {self.total} | {self.refuted} | {by} | {loose} | {self.open} |"


def judge_betas(curve, spec, betas, rates, csv):
    for alpha, beta, point in zip(RATES, betas, curve["points"]):
        verdicts = rates[alpha]
        verdicts.total += 1
        lower, upper = float(point["lower"]), float(point["upper"])
        # Relative to the power beyond chance: what the attacker gains by the test.
        power = max(1 - upper - float(alpha), 1e-300)
        if beta > math.nextafter(upper, 2):
            verdicts.refuted += 1
            verdicts.by.append((beta - upper) / power)
        elif beta <= lower:
            verdicts.loose.append((lower - beta) / power)
        else:
            verdicts.open += 1
        csv.append([spec, f"false negative rate at {alpha}", "riskcal", repr(beta), point["lower"], point["upper"]])


def judge_mu(narrow, wide, spec, mu, mus, csv):
    mus.total += 1
    lower, upper = float(narrow["lower"]), float(wide["upper"])
    if mu < math.nextafter(lower, 0):
        mus.refuted += 1
        mus.by.append((lower - mu) / lower)
    elif mu >= upper:
        mus.loose.append((mu - upper) / upper)
    else:
        mus.open += 1
    csv.append([spec, f"mu for errors of at least {narrow['least_error']}", "gdpnum", repr(mu), narrow["lower"],
                wide["upper"]])


def spec_of(setting):
    sigma, rate, steps = setting
    return f"poisson(gaussian(sigma={sigma!r}), rate={rate!r})^{steps}"


def bands(program, setting):
    """The trade-off function at RATES, the least mu of gdpnum's tests from below and from above, its seconds."""
    spec = spec_of(setting)
    curve = ask(program, "tradeoff", spec, "--fpr", ",".join(RATES))
    start = time.monotonic()
    wide = ask(program, "mu", spec, "--least-error", LEAST_ERRORS[0], "--digits", "4")["bands"][1]
    seconds = time.monotonic() - start
    ends = ask(program, "tradeoff", spec, "--fpr", ",".join(LEAST_ERRORS))["points"]
    for least, end in zip(LEAST_ERRORS, ends):
        # The gain is a concave function of the rate, and the same at the other end, for the other direction.
        if 1 - fractions.Fraction(end["upper"]) - fractions.Fraction(least) > LEAST_OF_GDPNUM:
            break
    if least == LEAST_ERRORS[0]:
        return curve, wide, wide, seconds
    narrow = ask(program, "mu", spec, "--least-error", least, "--digits", "4")["bands"][1]
    return curve, narrow, wide, seconds


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--answers")
    parser.add_argument("--limit", type=float, default=300)
    parser.add_argument("--csv")
    options = parser.parse_args()
    rates = {alpha: Verdicts(f"riskcal, false negative rate at {alpha}") for alpha in RATES}
    mus = Verdicts("gdpnum, mu")
    seconds = {"riskcal": [], "plaudit tradeoff": [], "gdpnum": [], "plaudit mu": []}
    unanswered = []
    csv = [["run", "number", "peer", "its answer", "certified lower", "certified upper"]]
    given = list(answers(options))  # the peers first: no band is computed beside them
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        certified = list(pool.map(lambda entry: bands(options.program, entry[0]), given))
    for (setting, answer), (curve, narrow, wide, mu_seconds) in zip(given, certified):
        spec = spec_of(setting)
        seconds["plaudit tradeoff"].append(curve["seconds"])
        seconds["plaudit mu"].append(mu_seconds)
        for peer in ("riskcal", "gdpnum"):
            if "error" in answer[peer]:
                unanswered.append(f"{spec}: {peer}: {answer[peer]['error']}")
            else:
                seconds[peer].append(answer[peer]["seconds"])
        if "value" in answer["riskcal"]:
            judge_betas(curve, spec, answer["riskcal"]["value"], rates, csv)
        if "value" in answer["gdpnum"]:
            judge_mu(narrow, wide, spec, answer["gdpnum"]["value"], mus, csv)
    if options.csv:
        with open(options.csv, "w", encoding="utf-8") as file:
            file.writelines(";".join(row) + "\n" for row in csv)
    print(f"seed {options.seed}, {options.count} settings\n")
    print("| number | asked | refuted | greatest relative error of these | looseness of the others: "
          "median, greatest | undecided |\n|---|---|---|---|---|---|")
    for verdicts in [*rates.values(), mus]:
        print(verdicts.row())
    print()
    for name, values in seconds.items():
        if values:
            print(f"{name}: median {statistics.median(values):.2g} s, greatest {max(values):.2g} s")
    for line in unanswered:
        print(line)


if __name__ == "__main__":
    main()
