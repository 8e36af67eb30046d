#!/usr/bin/env python3
"""Audits what other accounting libraries say, and writes docs/audits/: README.md, settings.csv, verdicts.csv.

usage: audit_peers.py PLAUDIT --out DIR [--python PYTHON] [--path EXTRA] [--timeout S] [--budget S]
           [--only NAMES] [--google DIR] [--prv DIR] [--opacus DIR] [--autodp DIR] [--saddle DIR] [--fourier DIR]

PLAUDIT is the program; each DIR a checkout of the library (nothing is fetched), PYTHON an interpreter with numpy
and scipy (absl, attrs and mpmath for some), EXTRA a folder with further modules (sympy). A library that is not
given is left out. Every composition runs in a process of its own, one at a time; a call (building an accountant,
or a query) that takes longer than --timeout seconds is given up, and so are the rest of its composition's. After --budget
seconds no further process is started: "not run". With --only (names as in the tables, commas between) these alone
are asked, and the rows of the others are kept from DIR/verdicts.csv.
"""
import argparse
import csv
import json
import math
import os
import platform
import signal
import statistics
import subprocess
import sys
import time

USUAL = ["1e-4", "1e-6", "1e-8", "1e-10", "1e-14", "1e-20"]
COMPOSITIONS = (
    # the configurations of bench/queries.cpp; the third is the one of the reported defects
    [("0.8", "0.004", 1000), ("0.65", "0.01", 2000), ("1", "0.01", 10000), ("1.5", "0.01", 10000),
     ("4", "0.00033", 10000), ("0.5", "0.01", 100000), ("1", "0.01", 1000000)]
    # reported to the libraries' authors (large epsilon); no sampling, where a closed form is known
    + [("1", "0.2", 500), ("1", "1", 1), ("20", "1", 10000), ("5", "1", 100), ("100", "1", 1000000)]
    + [(s, q, n) for n in (1, 100, 10000) for q in ("0.001", "0.03", "0.3") for s in ("0.7", "1", "3")])
EXTRA_DELTAS = {("1", "0.01", 10000): ["1e-12", "1e-13", "1e-16"], ("0.8", "0.004", 1000): ["1e-12", "1e-16"]}
SETTINGS = [(s, q, n, d) for s, q, n in COMPOSITIONS for d in sorted(
    USUAL + EXTRA_DELTAS.get((s, q, n), []), key=float, reverse=True)]

# name in the tables, checkout option, directions meant, what it is
PEERS = [
    ("opacus_rdp", "opacus", "both", "Opacus, `RDPAccountant`, default orders"),
    ("autodp_rdp", "autodp", "both", "autodp, `NoisySGD_Mechanism(...).get_approxDP` (Renyi; not run without sampling)"),
    ("saddle_point_clt", "saddle", "remove", "saddlepoint_accountant, `compute_epsilon_clt`: lower and upper end"),
    ("google_pess_1e-3", "google", "both", "dp_accounting, pessimistic (connect the dots), mesh 1e-3"),
    ("google_opt_1e-3", "google", "both", "dp_accounting, optimistic (privacy buckets), mesh 1e-3"),
    ("prv", "prv", "remove", "prv_accountant, eps_error 0.01, delta_error = delta / 1000: lower and upper end"),
    ("opacus_prv", "opacus", "remove", "Opacus, `PRVAccountant` with its defaults: the upper end"),
    ("google_pess_1e-4", "google", "both", "dp_accounting, pessimistic (connect the dots), mesh 1e-4"),
    ("google_opt_1e-4", "google", "both", "dp_accounting, optimistic (privacy buckets), mesh 1e-4"),
    ("fourier", "fourier", "remove", "fourier_accountant (PLD-Accountant), `get_epsilon_{lower,upper}_bound`, 2e6 bins, "
                                     "L = 20 doubled until it exceeds 1.5 epsilon, tol = min(1e-9, delta / 1000)"),
]


def spec_of(sigma, rate, steps):
    one = f"gaussian(sigma={sigma})"
    return (one if rate == "1" else f"poisson({one}, rate={rate})") + f"^{steps}"


# What runs in a process of its own. Each returns a function of delta that returns {kind: epsilon}.

def open_google(peer, folder, sigma, rate, steps, _):
    sys.path.insert(0, os.path.join(folder, "python", "dp_accounting"))
    from dp_accounting.pld import privacy_loss_distribution
    pessimistic = "pess" in peer
    def build():
        one = privacy_loss_distribution.from_gaussian_mechanism(
            sigma, pessimistic_estimate=pessimistic, value_discretization_interval=float(peer.split("_")[2]),
            sampling_prob=rate, use_connect_dots=pessimistic)
        return one.self_compose(steps)
    return build, lambda pld, delta: {"upper" if pessimistic else "lower": pld.get_epsilon_for_delta(delta)}


def open_prv(_, folder, sigma, rate, steps, __):
    sys.path.insert(0, folder)
    import prv_accountant
    def query(mechanism, delta):
        accountant = prv_accountant.PRVAccountant(
            mechanism, eps_error=0.01, delta_error=delta / 1000, max_self_compositions=steps)
        lower, _, upper = accountant.compute_epsilon(delta, [steps])
        return {"lower": lower, "upper": upper}
    def build():
        if rate == 1:
            return prv_accountant.GaussianMechanism(noise_multiplier=sigma)
        return prv_accountant.PoissonSubsampledGaussianMechanism(noise_multiplier=sigma, sampling_probability=rate)
    return build, query


def open_opacus(peer, folder, sigma, rate, steps, _):
    # The accountants are plain numpy; only the package around them needs torch.
    import types
    package = types.ModuleType("opacus")
    package.__path__ = [os.path.join(folder, "opacus")]
    optimizers = types.ModuleType("opacus.optimizers")
    optimizers.DPOptimizer = object
    sys.modules.update({"opacus": package, "opacus.optimizers": optimizers})
    from opacus import accountants
    def build():
        accountant = accountants.RDPAccountant() if peer == "opacus_rdp" else accountants.PRVAccountant()
        accountant.history = [(sigma, rate, steps)]
        return accountant
    return build, lambda accountant, delta: {"upper": accountant.get_epsilon(delta)}


def open_autodp(_, folder, sigma, rate, steps, __):
    sys.path.insert(0, folder)
    from autodp import mechanism_zoo
    def build():
        if rate == 1:
            raise ValueError("not asked without sampling")
        return mechanism_zoo.NoisySGD_Mechanism(prob=rate, sigma=sigma, niter=steps)
    return build, lambda mechanism, delta: {"upper": mechanism.get_approxDP(delta)}


def open_saddle(_, folder, sigma, rate, steps, __):
    sys.path.insert(0, folder)
    import saddlepoint_accountant as spa
    def query(accountant, delta):
        lower, _, upper = accountant.compute_epsilon_clt(delta, steps)
        return {"lower": lower, "upper": upper}
    return lambda: spa.SaddlePointAccountant(spa.GaussianMechanism(rate, sigma)), query


def open_fourier(_, folder, sigma, rate, steps, hints):
    sys.path.insert(0, folder)
    import fourier_accountant as fa
    from fourier_accountant.plds import SubsampledGaussianMechanism
    def query(pld, delta):
        length = 20.0
        while length < 1.5 * hints[repr(delta)]:
            length *= 2
        options = {"num_compositions": steps, "L": length, "tol": min(1e-9, delta / 1000)}
        return {"lower": fa.get_epsilon_lower_bound(pld, delta, **options)[0],
                "upper": fa.get_epsilon_upper_bound(pld, delta, **options)[0]}
    return lambda: SubsampledGaussianMechanism(sigma, rate), query


class Late(Exception):
    pass


def worker(request):
    """Prints one JSON object per delta: values or error, seconds; seconds of building are in the first."""
    import resource
    import warnings
    warnings.simplefilter("ignore")
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))

    def late(*_):
        raise Late()
    signal.signal(signal.SIGALRM, late)
    opener = globals()["open_" + request["library"]]
    build, query = opener(request["peer"], request["folder"], float(request["sigma"]), float(request["rate"]),
                          request["steps"], request["hints"])
    stream = os.fdopen(os.dup(1), "w")
    sys.stdout = sys.stderr  # some print

    def say(**fields):
        stream.write(json.dumps(fields) + "\n")
        stream.flush()

    def timed(function, *arguments):
        start = time.perf_counter()
        signal.setitimer(signal.ITIMER_REAL, request["timeout"])
        try:
            return function(*arguments), None, time.perf_counter() - start
        except Late:
            return None, "timeout", time.perf_counter() - start
        except BaseException as error:  # pylint: disable=broad-except
            text = f"{type(error).__name__}: {error}".split("\n")[0][:120]
            return None, text, time.perf_counter() - start
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)

    built, error, spent = timed(build)
    for delta in request["deltas"]:
        if error:
            say(delta=delta, error=error, seconds=spent)
            continue
        values, trouble, seconds = timed(query, built, float(delta))
        if trouble:
            say(delta=delta, error=trouble, seconds=seconds + spent)
        else:
            say(delta=delta, values={k: repr(float(v)) for k, v in values.items()}, seconds=seconds + spent)
        if trouble == "timeout":
            break


def ask_peer(options, peer, library, composition, deltas, hints):
    sigma, rate, steps = composition
    request = {"library": library, "peer": peer, "folder": os.path.abspath(getattr(options, library)), "sigma": sigma,
               "rate": rate, "steps": steps, "deltas": deltas, "timeout": options.timeout, "hints": hints}
    environment = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", PYTHONDONTWRITEBYTECODE="1")
    if options.path:
        environment["PYTHONPATH"] = options.path
    killed = False
    try:
        run = subprocess.run([options.python, os.path.abspath(__file__), "--worker", json.dumps(request)],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment,
                             timeout=options.timeout * 2 + 20, check=False)
        output, trouble = run.stdout.decode(), run.stderr.decode().strip().split("\n")[-1][:120]
    except subprocess.TimeoutExpired as error:
        killed, output, trouble = True, (error.output or b"").decode(), ""
    answers = {}
    for line in output.splitlines():
        if line.endswith("}"):
            answer = json.loads(line)
            answers[answer["delta"]] = answer
    late = killed or any(a.get("error") == "timeout" for a in answers.values())
    first = True
    for delta in deltas:
        if delta not in answers:
            word = ("timeout" if killed and first else "not run after a timeout") if late else trouble or "died"
            answers[delta] = {"delta": delta, "error": word, "seconds": options.timeout if killed and first else 0.0}
            first = False
    return answers


def plaudit_json(options, *arguments):
    run = subprocess.run([options.program, *arguments, "--json"], capture_output=True, text=True, check=False)
    return json.loads(run.stdout)


def certified_bands(options):
    """By (setting, direction). 9 digits."""
    bands = {}
    for setting in SETTINGS:
        for direction in ("both", "remove"):
            found = plaudit_json(options, "epsilon", spec_of(*setting[:3]), "--delta", setting[3], "--digits", "9",
                                 "--direction", direction, "--timeout", "20")
            bands[setting, direction] = found
    return bands


def audit(options, rows):
    """Adds the verdicts to the rows that have a number."""
    def claimed(row):  # a lower bound below 0 says no more than 0
        return "0" if row["kind"] == "lower" and float(row["peer_epsilon"]) < 0 else row["peer_epsilon"]
    claims = [{"id": str(i), "spec": row["spec"], "kind": row["kind"], "delta": row["delta"], "epsilon": claimed(row),
               "direction": row["direction"]} for i, row in enumerate(rows) if row["peer_epsilon"]]
    path = os.path.join(options.out, "claims.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(claims, file, indent=0)
    start = time.time()
    found = plaudit_json(options, "audit", path, "--threads", "1", "--timeout", "20")
    seconds = time.time() - start
    for entry in found["claims"]:
        row = rows[int(entry["id"])]
        verdict = entry["verdict"]
        row["verdict"] = f"refuted as {row['kind']} bound" if verdict == "refuted" else verdict
        row["gap_epsilon"] = entry.get("gap_epsilon", "")
        row["gap_delta"] = entry.get("gap_delta", "")
        witness = entry.get("witness", {})
        row["witness_delta"] = witness.get("delta_lower") or witness.get("delta_upper") or ""
        row["audit_seconds"] = f"{entry.get('seconds', 0):.3g}"
    return len(claims), seconds


COLUMNS = ["peer", "spec", "delta", "direction", "kind", "peer_epsilon", "certified_lower", "certified_upper", "verdict",
           "gap_epsilon", "gap_delta", "witness_delta", "peer_seconds", "plaudit_seconds", "audit_seconds", "reason"]


def collect(options):
    bands = certified_bands(options)
    rows = []
    start = time.time()
    for peer, library, direction, _ in PEERS:
        if not getattr(options, library) or (options.only and peer not in options.only.split(",")):
            continue
        for composition in COMPOSITIONS:
            deltas = [s[3] for s in SETTINGS if s[:3] == composition]
            hints = {repr(float(d)): float(bands[(*composition, d), "remove"]["upper"]) for d in deltas}
            if time.time() - start > options.budget:
                answers = {d: {"error": "not run: budget", "seconds": 0.0} for d in deltas}
            else:
                answers = ask_peer(options, peer, library, composition, deltas, hints)
            kinds = ["upper"] if peer.startswith(("opacus", "autodp", "google_pess")) else ["lower"]
            kinds = ["lower", "upper"] if peer in ("prv", "saddle_point_clt", "fourier") else kinds
            for delta in deltas:
                answer = answers[delta]
                band = bands[(*composition, delta), direction]
                for kind in kinds:
                    row = dict.fromkeys(COLUMNS, "")
                    row.update(peer=peer, spec=spec_of(*composition), delta=delta, direction=direction, kind=kind,
                               certified_lower=band["lower"], certified_upper=band["upper"],
                               peer_seconds=f"{answer['seconds']:.3g}", plaudit_seconds=f"{band['seconds']:.3g}")
                    value = answer.get("values", {}).get(kind)
                    error = answer.get("error")
                    if value is not None and math.isfinite(float(value)):
                        row["peer_epsilon"] = value
                    elif value is not None:
                        row.update(verdict="no bound", reason=value)
                    else:
                        missing = ("timeout" if error.endswith("timeout") else  # itself, or one asked before it
                                   "not run" if error.startswith("not ") else "refused")
                        row.update(verdict=missing, reason=error)
                    rows.append(row)
        print(f"{peer}: done, {time.time() - start:.0f} s", file=sys.stderr, flush=True)
    return rows, time.time() - start


def commit_of(folder):
    run = subprocess.run(["git", "-C", folder, "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
    return run.stdout.strip() or "unknown"


def number(text, digits=3):
    return f"{float(text):.{digits}g}" if text else ""


def cell(text):
    return str(text).replace("|", "\\|")


def table(header, lines):
    return "\n".join(["| " + " | ".join(header) + " |", "|---" * len(header) + "|"] +
                     ["| " + " | ".join(cell(x) for x in line) + " |" for line in lines]) + "\n"


def summary_tables(rows, peers):
    lines, by_delta = [], []
    deltas = sorted({row["delta"] for row in rows}, key=float, reverse=True)
    for peer in peers:
        for kind in ("upper", "lower"):
            mine = [r for r in rows if r["peer"] == peer and r["kind"] == kind]
            if not mine:
                continue
            said = [r for r in mine if r["peer_epsilon"]]
            refuted = [r for r in said if r["verdict"].startswith("refuted")]
            true = [r for r in said if r["verdict"] in ("valid", "tight")]
            loose = [float(r["gap_epsilon"]) / float(r["certified_upper"]) for r in true
                     if r["gap_epsilon"] and float(r["certified_upper"]) > 0]
            count = lambda word: sum(r["verdict"] == word for r in mine)  # pylint: disable=cell-var-from-loop
            seconds = [float(r["peer_seconds"]) for r in said]
            lines.append((len(refuted) / max(len(said), 1), -len(said), [
                f"`{peer}` {kind}", len(said), len(true), len(refuted),
                f"{100 * len(refuted) / len(said):.0f} %" if said else "-", len(said) - len(true) - len(refuted),
                count("refused") + count("no bound"), count("timeout"), count("not run"),
                f"{100 * statistics.median(loose):.2g} %" if loose else "-", f"{100 * max(loose):.2g} %" if loose else "-",
                f"{statistics.median(seconds):.2g} s" if seconds else "-"]))
            cells = []
            for delta in deltas:
                here = [r for r in said if r["delta"] == delta]
                bad = sum(r["verdict"].startswith("refuted") for r in here)
                cells.append(f"{bad} / {len(here)}" if here else "-")
            by_delta.append([f"`{peer}` {kind}", *cells])
    lines.sort(key=lambda line: line[:2])
    ranking = table(["what it says", "numbers", "valid", "refuted", "refuted of numbers", "undecided", "refused", "timeout",
                     "not run", "loose by (median)", "loose by (most)", "its seconds (median)"], [line[2] for line in lines])
    return ranking, table(["refuted / numbers at delta =", *deltas], by_delta)


def worst_table(rows, peers):
    lines = []
    for peer in peers:
        for kind in ("upper", "lower"):
            refuted = [r for r in rows if r["peer"] == peer and r["kind"] == kind and r["verdict"].startswith("refuted")]
            refuted.sort(key=lambda r: -float(r["gap_epsilon"] or 0) / max(float(r["certified_upper"]), 1e-9))
            for r in refuted[:3]:
                lines.append([f"`{peer}` {kind}", f"`{r['spec']}`", r["delta"], r["peer_epsilon"],
                              f"[{r['certified_lower']}, {r['certified_upper']}]", number(r["gap_epsilon"]),
                              number(r["witness_delta"], 6)])
    return table(["what it says", "spec", "delta", "its epsilon", "certified epsilon", "misses by", "certified delta at its epsilon"],
                 lines)


def reported_table(rows):
    lines = []
    for r in rows:
        if r["spec"] == spec_of("1", "0.01", 10000) and r["delta"] in ("1e-10", "1e-13", "1e-14"):
            lines.append([f"`{r['peer']}` {r['kind']}", r["delta"], r["peer_epsilon"] or cell(r["reason"]),
                          f"[{r['certified_lower']}, {r['certified_upper']}]", r["verdict"],
                          number(r["witness_delta"], 6)])
    return table(["what it says", "delta", "its epsilon", "certified epsilon", "verdict", "certified delta at its epsilon"], lines)


def refusals_table(rows):
    reasons = {}
    for r in rows:
        if r["verdict"] in ("refused", "no bound"):
            text = r["reason"].split(":")[0] if r["verdict"] == "refused" else "says " + r["reason"]
            key = (f"`{r['peer']}`", text + (": " + r["reason"].split(": ", 1)[1][:70] if ": " in r["reason"] else ""))
            reasons[key] = reasons.get(key, 0) + 1
    few = sorted(reasons.items(), key=lambda item: (item[0][0], -item[1]))
    shown, seen = [], {}
    for (peer, text), times in few:
        seen[peer] = seen.get(peer, 0) + 1
        if seen[peer] <= 4:
            shown.append([peer, text, times])
    return table(["who", "reason (the commonest)", "rows"], shown)


def write_readme(options, rows, facts):
    peers = [p for p in PEERS if any(r["peer"] == p[0] for r in rows)]
    names = [p[0] for p in peers]
    ranking, by_delta = summary_tables(rows, names)
    epsilons = [float(r["certified_upper"]) for r in rows]
    ours = [float(r["plaudit_seconds"]) for r in rows]
    checkouts = [f"- {library}: commit `{commit_of(getattr(options, library))}`"
                 for library in dict.fromkeys(p[1] for p in peers)]
    missing = [p[0] for p in PEERS if p[0] not in names]
    text = f"""# What other libraries say, audited

Written by `bench/audit_peers.py`; every number below and in the data was written by it, none by hand.

{len(SETTINGS)} settings (subsampled Gaussians, {len(COMPOSITIONS)} compositions of 1 to 10^6 steps, delta from 1e-4 to 1e-20, certified
epsilon from {min(epsilons):.3g} to {max(epsilons):.4g}); {len(rows)} rows, {facts['claims']} numbers to judge. Each was judged by `plaudit audit`: an
upper (lower) bound is *refuted* when the certified lower (upper) bound of the exact epsilon lies beyond it, that is, when it is certainly
false for the decimal parameters written; *valid* when certainly true. A library that answers for the remove direction only is judged by that
direction. Refuted by a hair is refuted: how much it misses by is in the column beside it.

- `settings.csv`: the settings, the certified bands (9 digits) and their seconds, by direction
- `verdicts.csv`: every row: what the library said, the certified band, the verdict, by how much it misses or is loose (`gap_epsilon`,
  `gap_delta`), the certified delta at the refuted epsilon (`witness_delta`), the seconds of both

To see a refutation with its witness and a certificate that two checkers accept:

    plaudit delta 'poisson(gaussian(sigma=1), rate=0.01)^10000' --epsilon 9.31469265 --certificate F && plaudit check F && python3 python/plaudit_check.py F

## Who is sound

Ordered by the share of refuted numbers. "Loose" compares a valid bound with the exact epsilon. Seconds of a library: building and one query,
without imports. plaudit: median {statistics.median(ours):.2g} s, most {max(ours):.2g} s for 9 digits and both directions or one, certified.

{ranking}
## Where

{by_delta}
## The defects reported at sigma = 1, rate = 0.01, 10000 steps

{reported_table(rows)}
## The worst of each

The three refuted bounds that miss by most, relative to epsilon.

{worst_table(rows, names)}
## Who refused, and why

{refusals_table(rows)}
## How it was run

- the libraries, from checkouts outside of this repository:
{chr(10).join('  ' + line for line in checkouts)}
- python {facts['python']}; plaudit {facts['plaudit']} at commit `{facts['commit']}`; one thread; {platform.machine()}, Linux
- {options.timeout:g} s and 6 GiB of memory for each call; the libraries took {facts['peer_seconds']:.0f} s, the audits of {facts['claims']} claims {facts['audit_seconds']:.0f} s on one thread. Where a library
  was not done within its budget its remaining rows say "not run" (later compositions first to go). Seconds are wall-clock times on a
  machine that was doing other work too, in {facts.get('runs', 1)} run(s) (`--only`).
- what was asked of each:
{chr(10).join(f'  - `{name}`: {what}; judged in direction {direction}' for name, _, direction, what in peers)}
- Opacus' accountants are plain numpy and were run without torch, behind an empty `opacus` package. sympy, which saddlepoint_accountant imports, is
  Debian's.
{'- Not run, since no checkout was given: ' + ', '.join(f'`{m}`' for m in missing) if missing else '- No library of the list was left out.'}

    python3 bench/audit_peers.py PLAUDIT --out docs/audits --google ... --prv ... --opacus ... --autodp ... --saddle ... --fourier ...

## Numbers printed in the source papers

Tables of the papers' own settings, recomputed and judged, are in [docs/published](../published/): [paper_000](../published/paper_000.md) (the saddle-point
accountant), [paper_001](../published/paper_001.md), [paper_003](../published/paper_003.md) and [paper_004](../published/paper_004.md)
(numerical composition, PRV).
"""
    with open(os.path.join(options.out, "README.md"), "w", encoding="utf-8") as file:
        file.write(text)


def write_csv(path, columns, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def merged(rows, facts, verdicts, facts_file):
    """New rows in place of the old ones of the same library."""
    with open(verdicts, newline="", encoding="utf-8") as file:
        old = list(csv.DictReader(file))
    new = {r["peer"] for r in rows}
    rows = [r for r in old if r["peer"] not in new] + rows
    rows.sort(key=lambda r: [p[0] for p in PEERS].index(r["peer"]))
    with open(facts_file, encoding="utf-8") as file:
        former = json.load(file)
    for name in ("audit_seconds", "peer_seconds"):
        facts[name] += former[name]
    facts["runs"] = former.get("runs", 1) + 1
    facts["claims"] = sum(bool(r["peer_epsilon"]) for r in rows)
    return rows, facts


def main():
    if sys.argv[1:2] == ["--worker"]:
        worker(json.loads(sys.argv[2]))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--out", required=True)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--path", default="")
    parser.add_argument("--timeout", type=float, default=20)
    parser.add_argument("--budget", type=float, default=1200)
    for library in dict.fromkeys(p[1] for p in PEERS):
        parser.add_argument("--" + library, default="")
    parser.add_argument("--only", default="")
    parser.add_argument("--readme-only", action="store_true", help="from verdicts.csv and run.json of DIR")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    verdicts, facts_file = os.path.join(options.out, "verdicts.csv"), os.path.join(options.out, "run.json")
    if options.readme_only:
        with open(verdicts, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        with open(facts_file, encoding="utf-8") as file:
            facts = json.load(file)
    else:
        commit = commit_of(os.path.dirname(os.path.abspath(__file__)))
        rows, peer_seconds = collect(options)
        claims, audit_seconds = audit(options, rows)
        versions = subprocess.run([options.python, "-c", "import numpy, scipy, sys; print(sys.version.split()[0], 'numpy',"
                                   " numpy.__version__, 'scipy', scipy.__version__)"], capture_output=True, text=True, check=False)
        version = plaudit_json(options, "epsilon", "gaussian(sigma=1)", "--delta", "0.1")["plaudit"]
        facts = {"claims": claims, "audit_seconds": audit_seconds, "peer_seconds": peer_seconds, "plaudit": version,
                 "commit": commit, "python": versions.stdout.strip()}
        if options.only and os.path.exists(verdicts):
            rows, facts = merged(rows, facts, verdicts, facts_file)
        write_csv(verdicts, COLUMNS, rows)
        names = ("spec", "delta", "direction", "certified_lower", "certified_upper", "plaudit_seconds")
        settings = {(row["spec"], row["delta"], row["direction"]): {k: row[k] for k in names} for row in rows}
        write_csv(os.path.join(options.out, "settings.csv"), names, settings.values())
        with open(facts_file, "w", encoding="utf-8") as file:
            json.dump(facts, file, indent=1)
            file.write("\n")
        os.remove(os.path.join(options.out, "claims.json"))
    write_readme(options, rows, facts)


if __name__ == "__main__":
    main()
