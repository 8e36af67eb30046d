#!/usr/bin/env python3
"""The numbers printed in the five source papers, judged: runs `plaudit audit` on papers.json and writes papers.md.

usage: papers.py PLAUDIT [PAPERS.json] [PAPERS.md]

The claims, their quotations and how they were read are in papers.json; verdicts, bands and gaps are the
program's. The prose below speaks of these verdicts: if another set of claims is refuted, the script stops.
"""
import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

HERE = Path(__file__).resolve().parent
REFUTED = {
    "001-table-1-n-5e4-value", "001-table-1-n-2e5-value", "001-table-1-n-8e5-value",
    "001-table-1-n-3.2e6-value", "001-table-2-l-2-value", "001-table-2-l-6-value",
    "001-table-2-l-10-value", "001-table-2-l-10-error", "001-table-2-l-12-value",
    "001-table-2-l-12-error", "003-instance-0.4-2", "003-instance-0.3-2", "003-instance-0.2-2",
    "004-epochs-lecture-4", "002-proportional",
}


def sharpest(verdicts):
    """(spec, quantity, where) -> the intersection of all bands that the audit proved for it."""
    bands = {}
    for v in verdicts:
        where = v["epsilon"] if v["quantity"] == "delta" else v["delta"]
        key = (v["spec"], v["quantity"], where)
        low, high = bands.get(key, (Fraction(0), None))
        if v["upper"] != "inf":  # which is enough for a claim of infinity, where time is short
            upper = Fraction(v["upper"])
            high = upper if high is None else min(high, upper)
        bands[key] = (max(low, Fraction(v["lower"])), high)
        v["key"] = key
    return bands


def number(x, digits=2):
    return f"{float(x):.{digits}g}"


def decimals(printed, band):
    """The most decimals d for which |printed - x| <= 10^-d / 2 for every x of the band."""
    off = max(abs(printed - band[0]), abs(printed - band[1]))
    d = 0
    while off <= Fraction(1, 2 * 10 ** (d + 1)):
        d += 1
    return d


def remark(claim, band):
    low, high = band
    if claim["kind"] == "estimate":
        printed = Fraction(claim["delta"])
        off = max(abs(printed - low), abs(printed - high))
        d = decimals(printed, band)
        return f"off by {number(off)}: right to {d} decimal{'s' * (d != 1)}"
    if claim["kind"] == "upper" and claim["epsilon"] == "inf":
        return "true and empty"
    if claim["kind"] == "upper" and claim["notes"]["group"] == "printed":
        return f"{number((Fraction(claim['epsilon']) / high - 1) * 100, 3)} % above"
    if claim["kind"] == "lower" and claim["notes"]["group"] != "premise":
        return f"true value / claim = {number(low / Fraction(claim['epsilon']), 4)}"
    return ""


def claimed(claim, verdict):
    symbol = {"upper": "<= ", "lower": ">= ", "band": "in [", "estimate": "= "}[claim["kind"]]
    value = verdict["claimed"].replace(" to ", ", ") + ("]" if claim["kind"] == "band" else "")
    if claim["kind"] == "estimate":
        value += f" -+ {claim['tolerance']}"
    return f"{symbol}{value}"


def question(verdict):
    if verdict["quantity"] == "delta":
        return f"delta({verdict['epsilon']})"
    return f"epsilon({verdict['delta']})"


def table(rows, bands):
    yield "| paper | where | printed | spec | claim | certified band | verdict | gap | remarks |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for claim, verdict in rows:
        quote = "" if claim["notes"]["quote"] == "-" else f"\"{claim['notes']['quote']}\""
        notes = "; ".join(filter(None, [claim["notes"]["reading"], remark(claim, bands[verdict["key"]])]))
        yield (f"| {claim['notes']['paper']} | {claim['notes']['place']} | {quote} | `{verdict['spec']}` | {question(verdict)} "
               f"{claimed(claim, verdict)} | [{verdict['lower']}, {verdict['upper']}] | {verdict['verdict']} | "
               f"{verdict['gap']} | {notes} |")


def counts(rows):
    tally = {}
    for _, verdict in rows:
        tally[verdict["verdict"]] = tally.get(verdict["verdict"], 0) + 1
    return ", ".join(f"{n} {name}" for name, n in sorted(tally.items(), key=lambda item: -item[1]))


def page(claims, verdicts):
    bands = sharpest(verdicts)
    rows = list(zip(claims, verdicts))
    by_id = {c["id"]: (c, v, bands[v["key"]]) for c, v in rows}
    group = {g: [r for r in rows if r[0]["notes"]["group"] == g] for g in ("printed", "premise", "instance")}

    def ratio(figure, k):
        claim, _, (low, _) = by_id[f"003-figure-{figure}-linear-{k}"]
        return number(low / Fraction(claim["epsilon"]), 3)

    def band(identifier):
        low, high = by_id[identifier][2]
        return (low + high) / 2

    apart = max(abs(band(f"003-figure-1-linear-{k}") / band(f"003-figure-2-linear-{k}") - 1) for k in range(2, 17))
    moments, truth = Fraction("1.26"), band("002-moments")
    tables = [r for r in rows if r[0]["kind"] == "estimate"]
    final = decimals(Fraction("0.0496014103163"), by_id["001-table-1-n-3.2e6-value"][2])
    yield from f"""\
# The numbers printed in the source papers, audited

Written by `docs/audits/papers.py PLAUDIT` from [papers.json](papers.json); a verdict is what [`plaudit audit`](../audit.md) says. The texts read
are those of the five papers that plaudit is built on; figures were not readable, so a value that is only in a figure is not here.

- 000: Asoodeh, *The Saddle-Point Accountant for Differential Privacy*, slides (paper: arXiv 2208.09595)
- 001: Koskela, Jälkö, Honkela, *Computing Tight Differential Privacy Guarantees Using FFT* (arXiv 1906.03049), without its appendix
- 002: Park, lecture on Abadi et al., *Deep Learning with Differential Privacy* (arXiv 1607.00133)
- 003: Ganesh, *Tight Group-Level DP Guarantees for DP-SGD with Sampling via Mixture of Gaussians Mechanisms* (arXiv 2401.10294)
- 004: Gopi, Lee, Wutschitz, *Numerical Composition of Differential Privacy* (arXiv 2106.02848), without its supplement

How it was read: a printed value is an `estimate`, right when the exact number is within half a unit of its last digit; a value with an error
estimate beside it is a `band` (value -+ error); what an accountant reports is an `upper` bound; "lower bound" is a `lower` one. Sampling is
Poisson under add/remove unless the row says otherwise (001: its relation R; 003: groups of k records). Certified bands are as wide as the verdict
left them; *right to d decimals* means |printed - exact| <= 10^-d / 2, by the sharpest band of that number. `gap`: by how much at least a refuted
claim misses, at most a valid one is loose.

Symbols in quotations are spelled out.

{len(claims)} claims, none undecided:

- {len(group['printed'])} at printed parameters ({counts(group['printed'])}): 22 of the numbers of 001 and 002, 8 reported infinities and 30 comparisons of 003
  (k = 9 to 16 and k = 2 to 16; the ranges of k are ours)
- {len(group['instance'])} general statements at parameters chosen by us ({counts(group['instance'])})
- {len(group['premise'])} premises of the comparisons, our own numbers ({counts(group['premise'])})

## What follows

- **001, Tables 1 and 2.** All {len(tables)} values are printed with 13 decimals and none is right to 13. The best are right to {final} decimals; from the 12th
  on they are wrong, by rounding as much as by discretisation ([paper_001.md](../published/paper_001.md) has the sums free of rounding). Rows with
  small n or L are meant to be inexact: they show convergence. The number itself is delta(1) = 0.04960141031482...
- **Its error estimates** bound the error in all rows of Table 1. In Table 2 the estimate (7.3) beside L = 10 and L = 12 (1.36e-16, 8.30e-24)
  is of the tail only; read as the distance to the tight value, as the text says of (7.3) and (7.4), it is refuted: the errors are 1.4e-12 and
  1.5e-12. With the caption's err(L, n) = O(1e-12), read as the 2.22e-12 of Table 1, both rows hold.
- **002, 1.26 and 9.34, 2.55 and 24.22.** These guarantees hold (the numbers are in the conference paper, quoted here from reproductions of
  it, not in the lecture's text). The exact epsilon is {number(truth, 6)} after 100 epochs: 1.26 is {number((moments / truth - 1) * 100)} % above it.
- **002, 9.34 by strong composition.** Steps that are said to be (q epsilon_0, q delta_0)-private, epsilon_0 = sqrt(2 log(1.25 / delta_0)) / sigma, give
  9.3376 with the mean T epsilon^2 and the best split of delta (but 24.18 after 400 epochs, not 24.22: what was done there is not stated). A
  step is not that private: at its epsilon the exact delta is 270 times the one assumed. From an exact point (epsilon, delta) of a step strong composition
  proves 16.84, and the optimal composition of such points 12.45, at the best points found ([paper_002.md](../published/paper_002.md)).
- **003, infinity from k = 9.** The reported infinity is a true and empty bound: the exact epsilon is {number(band('003-infinite-9'), 6)} at k = 9 and
  {number(band('003-infinite-16'), 6)} at k = 16.
- **003, "k epsilon_1 is a lower bound on the true epsilon".** Certified for k = 2 to 16 at sigma = 1, the one panel that the text names, and for fixed
  batches with doubled noise. It is no theorem: with the same T, q, delta it is refuted at sigma = 0.4, 0.3 and 0.2 for k = 2.
- **004, "from 2 to 1 ... 4 times more epochs".** With Figure 1's sigma, p, delta the budget of 2 lasts 7.1 times as long as that of 1, with the lecture's
  3.5 times ("can mean" is not wrong); four is what epsilon proportional to sqrt(steps) would give.
- **002, "epsilon ∝ T"** (a remark beside the main theorem) is refuted: twice the steps give 1.46 times the epsilon where it was tried. The theorem beside
  it, sigma >= c q sqrt(T log(1/delta)) / epsilon, says sqrt(T).

## Printed
""".splitlines()
    yield ""
    yield from table(group["printed"], bands)
    yield from f"""
## General statements, at parameters of our choice

The first rows are premises: claims of ours that are needed to state the others, and those of Fig. 1 and 2 above.
""".splitlines()
    yield ""
    yield from table(group["premise"] + group["instance"], bands)
    yield from f"""
## Statements without a number

What can be said of them from the bands above; no verdict, for nothing is claimed that a band could contradict.

- 003, 4: the growth in k "remains close to linear even in a regime where epsilon≈50". epsilon / (k epsilon_1) is {ratio(1, 9)} at k = 9,
  {ratio(1, 10)} at k = 10 (epsilon = {number(band('003-figure-1-linear-10'), 4)}),
  {ratio(1, 11)} at k = 11 ({number(band('003-figure-1-linear-11'), 4)}), {ratio(1, 16)} at k = 16.
- 003, 4: at k = 9 "an epsilon close to the linear lower bound": {number(band('003-infinite-9'), 4)} against 26.6.
- 003, 4: fixed batches with doubled noise "have nearly the same epsilon": at sigma = 1 they differ by at most {number(apart * 100)} % for k = 2 to 16.
- 003, 4: the new analysis "consistently improves over" Lemma 1.1: so it does at k = 1 to 16 and every sigma tried ([paper_003.md](../published/paper_003.md)).
- 004, 1.1: the accountant of Renyi moments "significantly overestimates", the Gaussian limit "significantly underestimates": figures in
  [paper_004.md](../published/paper_004.md).
- 001, 1: "tight privacy bounds" for sampling with and without replacement: the printed pairs do not dominate under replace adjacency
  ([mirrored.md](../proofs/mirrored.md#not-dominating)).

## Cannot be computed

- 000: prints no epsilon and no delta beyond the settings of its figures (sigma = 0.65 and 1, rate 0.01, delta = 1e-5, n = 2000), whose curves are
  not in the text. The same settings, certified: [paper_000.md](../published/paper_000.md).
- 001, Figures 1 to 4: curves only; sigma of Figures 2 and 3 is in their legends only. "At most O(1e-13)" and "at most O(1e-10)" for Figure 1 are errors
  of values that are not printed. 7.1, "O(1e-16) already for L = 4.0": sigma is that of Figure 2. Appendix D.2 (the full tables) is not in the text.
- 002: Figure 2 is a curve and c_1 and c_2 of the main theorem are not given, so no value can be compared. The same curves, and the c_2 that is
  needed at a few parameters: [paper_002.md](../published/paper_002.md).
- 003, Figures 1 and 2: curves; the values of sigma, except 1, are in the panels' captions.
- 004, Figures 1 to 3: curves; eps_error, sigma and steps of Figure 2 are not in the text, nor are eps_error and the number of points of the others.
  That the two bounds nearly coincide, that another program is unstable beyond 2,000 steps: no values.
- Running times and their ratios are no statements about epsilon or delta.

## Arithmetic on the way

Formulas that are not curves of a mechanism, evaluated by hand in floating point, without certificates:

- 001, (7.3): 3.32e-1, 3.32e-6, 1.36e-16, 8.30e-24 agree with the formula in all printed digits, except that L = 12 gives 8.31e-24.
- 001, 7.2.2: "when q = 0.01 and sigma = 2.0 ... lambda up to ≈ 9.5 (i.e. (7.3) holds for L up to ≈ 19)": sigma^2 log(1 / (q sigma)) is
  15.6 there; 9.45 belongs to sigma = 1.5, the sigma of the tables.
- 002, 1.26: min over integer lambda of (T alpha(lambda) + log(1/delta)) / lambda is 1.2586, at lambda = 19: the method's value, correctly rounded.
  2.55 after 400 epochs is not: it is 2.5759 there, at lambda = 9.
- 002, 9.34: sqrt(2 T log(1/delta')) epsilon + T epsilon^2 with epsilon = q epsilon_0, T q delta_0 + delta' = delta is least at 9.3376 (`plaudit epsilon
  ... --accountant 'advanced_composition(step=linear, bound=square)'`); with T epsilon (e^epsilon - 1) it is 9.3532. After 400 epochs, where 24.22 is
  printed, they give 24.175 and 24.245.
- 004, after Lemma 5.4: "P(|Y| >= epsilon + 2) <= 4/3 delta": the lemma's factor at t = 2 is at most 1.3131, so it follows.
- 003, 3.3: the second example has sensitivity 2 Hypergeom(B, n+k, k), as in Theorem 3.3, not Hypergeom; and "Binom(n, k) ≈ Hypergeom"
  in 4 must be Binom(k, q).
""".splitlines()


def main():
    program = sys.argv[1]
    source = Path(sys.argv[2]) if len(sys.argv) > 2 else HERE / "papers.json"
    target = Path(sys.argv[3]) if len(sys.argv) > 3 else HERE / "papers.md"
    claims = json.loads(source.read_text(encoding="utf-8"))["claims"]
    run = subprocess.run([program, "audit", str(source), "--json"], capture_output=True, text=True, check=False)
    verdicts = json.loads(run.stdout)["claims"]
    assert [c["id"] for c in claims] == [v["id"] for v in verdicts]
    open_ = {v["id"] for v in verdicts if v["verdict"] not in ("valid", "tight", "refuted")}
    refuted = {v["id"] for v in verdicts if v["verdict"] == "refuted"}
    if open_ or refuted != REFUTED:
        sys.exit(f"the prose no longer fits: open {sorted(open_)}, refuted {sorted(refuted ^ REFUTED)}")
    target.write_text("\n".join(page(claims, verdicts)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
