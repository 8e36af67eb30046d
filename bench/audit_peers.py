#!/usr/bin/env python3
"""Audits what other accounting libraries say, and writes docs/audits/: README.md, settings.csv, verdicts.csv.

usage: audit_peers.py PLAUDIT --out DIR --python PYTHON [--timeout S] [--budget S] [--only NAMES]

PLAUDIT is the program; PYTHON an interpreter that has the libraries, as their users install them from PyPI
(bench/peers/requirements.txt; `./dev peers` makes it and runs this). Every composition runs in a process of its own,
one at a time; a call (building an accountant, or a query) that takes longer than --timeout seconds is given up, and
so are the rest of its composition's. After --budget seconds no further process is started: "not run". With --only
(names as in the tables, commas between) these alone are asked, and the rows of the others are kept from
DIR/verdicts.csv.
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

# name in the tables, package, direction meant, what it is
PEERS = [
    ("opacus_rdp", "opacus", "both", "Opacus, `create_accountant(\"rdp\")`, its steps by `load_state_dict`, default orders"),
    ("opacus_prv", "opacus", "remove", "Opacus, `create_accountant(\"prv\")` likewise, with its defaults: the upper end"),
    ("autodp_rdp", "autodp", "both", "autodp, `NoisySGD_Mechanism(...).get_approxDP` (Renyi; not run without sampling)"),
    ("jax_privacy_rdp", "jax-privacy", "both", "jax-privacy, `RdpAccountantConfig`, its default orders"),
    ("prv", "prv-accountant", "remove", "prv_accountant, eps_error 0.01, delta_error = delta / 1000: lower and upper end"),
    ("google_pess_1e-3", "dp-accounting", "both", "dp_accounting, pessimistic (connect the dots), mesh 1e-3"),
    ("google_opt_1e-3", "dp-accounting", "both", "dp_accounting, optimistic (privacy buckets), mesh 1e-3"),
    ("gdpnum_mu", "gdpnum", "both", "gdpnum, `get_mu_and_regret`: the claim that the run is mu-GDP (once for each composition)"),
    ("google_pess_1e-4", "dp-accounting", "both", "dp_accounting, pessimistic (connect the dots), mesh 1e-4"),
    ("jax_privacy_pld", "jax-privacy", "both", "jax-privacy, `PldAccountantConfig`, mesh 1e-4 by default (dp_accounting)"),
    ("riskcal_ctd", "riskcal", "both", "riskcal, `CTDAccountant` (dp_accounting, connect the dots, mesh 1e-4)"),
    ("pld_accounting", "pld-accounting", "both", "pld_accounting, `subsample_pld` of dp_accounting's Gaussian at mesh 1e-3, composed by that"),
    ("google_opt_1e-4", "dp-accounting", "both", "dp_accounting, optimistic (privacy buckets), mesh 1e-4"),
]


def spec_of(sigma, rate, steps):
    one = f"gaussian(sigma={sigma})"
    return (one if rate == "1" else f"poisson({one}, rate={rate})") + f"^{steps}"


# What runs in a process of its own. Each returns a function of delta that returns {kind: epsilon}.

def gaussian_pld(sigma, rate, mesh, pessimistic=True):
    from dp_accounting.pld import privacy_loss_distribution
    return privacy_loss_distribution.from_gaussian_mechanism(
        sigma, pessimistic_estimate=pessimistic, value_discretization_interval=mesh, sampling_prob=rate,
        use_connect_dots=pessimistic)


def open_google(peer, sigma, rate, steps):
    pessimistic = "pess" in peer
    mesh = float(peer.split("_")[2])
    def build():
        return gaussian_pld(sigma, rate, mesh, pessimistic).self_compose(steps)
    return build, lambda pld, delta: {"upper" if pessimistic else "lower": pld.get_epsilon_for_delta(delta)}


def open_pld(_, sigma, rate, steps):
    import PLD_accounting
    def build():
        one = gaussian_pld(sigma, 1.0, 1e-3)
        if rate != 1:
            one = PLD_accounting.subsample_pld(pld=one, sampling_probability=rate)
        return one.self_compose(steps)
    return build, lambda pld, delta: {"upper": pld.get_epsilon_for_delta(delta)}


def open_prv(_, sigma, rate, steps):
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


def open_opacus(peer, sigma, rate, steps):
    from opacus.accountants import create_accountant
    def build():
        accountant = create_accountant(mechanism=peer.split("_")[1])
        accountant.load_state_dict({"history": [(sigma, rate, steps)], "mechanism": accountant.mechanism()})
        return accountant
    return build, lambda accountant, delta: {"upper": accountant.get_epsilon(delta)}


def open_autodp(_, sigma, rate, steps):
    from autodp import mechanism_zoo
    def build():
        if rate == 1:
            raise ValueError("not asked without sampling")
        return mechanism_zoo.NoisySGD_Mechanism(prob=rate, sigma=sigma, niter=steps)
    return build, lambda mechanism, delta: {"upper": mechanism.get_approxDP(delta)}


def open_jax(peer, sigma, rate, steps):
    import dp_accounting
    from jax_privacy.accounting import accountants
    def build():
        one = dp_accounting.GaussianDpEvent(sigma)
        event = one if rate == 1 else dp_accounting.PoissonSampledDpEvent(rate, one)
        config = accountants.PldAccountantConfig() if peer.endswith("pld") else accountants.RdpAccountantConfig()
        return config.create_accountant().compose(event, steps)
    return build, lambda accountant, delta: {"upper": accountant.get_epsilon(delta)}


def open_riskcal(_, sigma, rate, steps):
    from riskcal.accountants import CTDAccountant
    def build():
        accountant = CTDAccountant()
        accountant.history = [(sigma, rate, steps)]
        return accountant
    return build, lambda accountant, delta: {"upper": accountant.get_epsilon(delta=delta)}


def open_gdpnum(_, sigma, rate, steps):
    from gdpnum.dpsgd import get_mu_and_regret_for_dpsgd
    return lambda: get_mu_and_regret_for_dpsgd(sigma, rate, steps), lambda found, _: {"mu": found[0]}


OPENERS = {"dp-accounting": open_google, "opacus": open_opacus, "prv-accountant": open_prv, "autodp": open_autodp,
           "jax-privacy": open_jax, "riskcal": open_riskcal, "gdpnum": open_gdpnum, "pld-accounting": open_pld}


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
    build, query = OPENERS[request["package"]](request["peer"], float(request["sigma"]), float(request["rate"]),
                                               request["steps"])
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


def ask_peer(options, peer, package, composition, deltas):
    sigma, rate, steps = composition
    request = {"package": package, "peer": peer, "sigma": sigma, "rate": rate, "steps": steps, "deltas": deltas,
               "timeout": options.timeout}
    environment = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", PYTHONDONTWRITEBYTECODE="1")
    killed = False
    try:
        run = subprocess.run([options.python, os.path.abspath(__file__), "--worker", json.dumps(request)],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment,
                             timeout=options.timeout * 2 + 60, check=False)
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
    claims = []
    for i, row in enumerate(rows):
        if not row["peer_epsilon"]:
            continue
        claim = {"id": str(i), "spec": row["spec"], "direction": row["direction"]}
        if row["kind"] == "mu":
            claim.update(kind="upper", quantity="mu", mu=row["peer_epsilon"])
        else:
            claim.update(kind=row["kind"], delta=row["delta"], epsilon=claimed(row))
        claims.append(claim)
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
    for peer, package, direction, _ in PEERS:
        if options.only and peer not in options.only.split(","):
            continue
        for composition in COMPOSITIONS:
            deltas = [s[3] for s in SETTINGS if s[:3] == composition]
            if peer == "gdpnum_mu":
                deltas = deltas[:1]
            if time.time() - start > options.budget:
                answers = {d: {"error": "not run: budget", "seconds": 0.0} for d in deltas}
            else:
                answers = ask_peer(options, peer, package, composition, deltas)
            kinds = ["lower"] if peer.startswith("google_opt") else ["upper"]
            kinds = ["lower", "upper"] if peer == "prv" else ["mu"] if peer == "gdpnum_mu" else kinds
            for delta in deltas:
                answer = answers[delta]
                band = bands[(*composition, delta), direction]
                for kind in kinds:
                    row = dict.fromkeys(COLUMNS, "")
                    row.update(peer=peer, spec=spec_of(*composition), delta=delta, direction=direction, kind=kind,
                               certified_lower="" if kind == "mu" else band["lower"],
                               certified_upper="" if kind == "mu" else band["upper"],
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


def versions_of(python):
    names = list(dict.fromkeys(p[1] for p in PEERS))
    code = f"from importlib.metadata import version; print(', '.join(n + ' ' + version(n) for n in {names!r}))"
    return subprocess.run([python, "-c", code], capture_output=True, text=True, check=False).stdout.strip()


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
        for kind in ("upper", "lower", "mu"):
            mine = [r for r in rows if r["peer"] == peer and r["kind"] == kind]
            if not mine:
                continue
            said = [r for r in mine if r["peer_epsilon"]]
            refuted = [r for r in said if r["verdict"].startswith("refuted")]
            true = [r for r in said if r["verdict"] in ("valid", "tight")]
            loose = [float(r["gap_epsilon"]) / float(r["certified_upper"]) for r in true
                     if r["gap_epsilon"] and r["certified_upper"] and float(r["certified_upper"]) > 0]
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
        for kind in ("upper", "lower", "mu"):
            refuted = [r for r in rows if r["peer"] == peer and r["kind"] == kind and r["verdict"].startswith("refuted")]
            refuted.sort(key=lambda r: -float(r["gap_epsilon"] or 0) / max(float(r["certified_upper"] or 1), 1e-9))
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


def changes_table(rows, facts):
    """By library and kind: numbers and refutations of the run before (facts["before"]) and of this one."""
    lines = []
    for key, (numbers, refuted) in sorted(facts.get("before", {}).items()):
        peer, kind = key.split(" ")
        said = [r for r in rows if r["peer"] == peer and r["kind"] == kind and r["peer_epsilon"]]
        now = sum(r["verdict"].startswith("refuted") for r in said)
        lines.append([f"`{peer}` {kind}", numbers, refuted, len(said) or "not asked", now if said else ""])
    return table(["what it says", "numbers before", "refuted before", "numbers now", "refuted now"], lines)


def tally(rows):
    found = {}
    for r in rows:
        if not r["peer_epsilon"]:
            continue
        numbers, refuted = found.get(f"{r['peer']} {r['kind']}", (0, 0))
        found[f"{r['peer']} {r['kind']}"] = (numbers + 1, refuted + r["verdict"].startswith("refuted"))
    return found


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
    epsilons = [float(r["certified_upper"]) for r in rows if r["certified_upper"]]
    ours = [float(r["plaudit_seconds"]) for r in rows]
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

Ten of the refutations of upper bounds, the most blatant of each library in turn, are theorems that Coq has checked: [theorems.md](theorems.md),
written by `./dev prove --audit`.

## Who is sound

Ordered by the share of refuted numbers. "Loose" compares a valid bound with the exact epsilon. Seconds of a library: building and one query,
without imports. plaudit: median {statistics.median(ours):.2g} s, most {max(ours):.2g} s for 9 digits and both directions or one, certified.

{ranking}
## Where

{by_delta}
## What changed since the run before

{changes_table(rows, facts)}
## The defects reported at sigma = 1, rate = 0.01, 10000 steps

{reported_table(rows)}
## The worst of each

The three refuted bounds that miss by most, relative to epsilon; of a mu, three that are refuted, with a certified delta that
is above the curve of N(mu, 1) at the same epsilon.

{worst_table(rows, names)}
## Who refused, and why

{refusals_table(rows)}
## How it was run

- the libraries as pip installs them from PyPI: {facts['versions']}
- python {facts['python']}; plaudit {facts['plaudit']} at commit `{facts['commit']}`; one thread; {platform.machine()}, Linux
- {options.timeout:g} s and 6 GiB of memory for each call; the libraries took {facts['peer_seconds']:.0f} s, the audits of {facts['claims']} claims {facts['audit_seconds']:.0f} s on one thread. Where a library
  was not done within its budget its remaining rows say "not run" (later compositions first to go). Seconds are wall-clock times on a
  machine that was doing other work too, in {facts.get('runs', 1)} run(s) (`--only`).
- what was asked of each:
{chr(10).join(f'  - `{name}`: {what}; judged in direction {direction}' for name, _, direction, what in peers)}
- `saddlepoint_accountant` and `fourier_accountant` (PLD-Accountant) are not on PyPI and no longer in the list; their rows of the run before, from
  checkouts, are in the history of this folder.
{'- Not run: ' + ', '.join(f'`{m}`' for m in missing) if missing else '- No library of the list was left out.'}

    ./dev peers

## Numbers printed in the source papers

Every table and figure of the five papers, recomputed and judged row by row, is in [docs/published](../published/README.md); the numbers that they
print are judged in [papers.md](papers.md).

Trade-off functions and mu of riskcal and gdpnum (`bench/tradeoff_peers.py`) are in [tradeoff_peers.csv](tradeoff_peers.csv), and what
became of them in [What the curve means](../meaning.md).
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
    parser.add_argument("--python", required=True)
    parser.add_argument("--timeout", type=float, default=20)
    parser.add_argument("--budget", type=float, default=7200)
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
        before = {}
        if os.path.exists(verdicts):
            with open(verdicts, newline="", encoding="utf-8") as file:
                before = tally(csv.DictReader(file))
        versions = subprocess.run([options.python, "-c", "import numpy, scipy, sys; print(sys.version.split()[0], 'numpy',"
                                   " numpy.__version__, 'scipy', scipy.__version__)"], capture_output=True, text=True, check=False)
        version = plaudit_json(options, "epsilon", "gaussian(sigma=1)", "--delta", "0.1")["plaudit"]
        facts = {"claims": claims, "audit_seconds": audit_seconds, "peer_seconds": peer_seconds, "plaudit": version,
                 "commit": commit, "python": versions.stdout.strip(), "versions": versions_of(options.python),
                 "before": before}
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
