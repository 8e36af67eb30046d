"""plaudit audit: verdicts, files, reports and exit statuses."""

import json
import os
import subprocess
import sys
import tempfile
from html.parser import HTMLParser

from _program import EXAMPLE, exact, expect, expect_refused, finish, is_decimal, run

DP_SGD = "poisson(gaussian(sigma=1), rate=0.01)^10000"


def claim(name, **fields):
    return {"id": name, "spec": EXAMPLE, "delta": "1e-7", "kind": "upper", **fields}


def audit(claims, *options, stdin=None):
    text = stdin if stdin is not None else json.dumps(claims)
    return run("audit", "-", *options, stdin=text)


# The example's epsilon at delta = 1e-7 is 2.0858980... Every kind on both sides of it.
KINDS = [
    (claim("upper", epsilon="2.09"), "valid"),
    (claim("upper tight", epsilon="2.09", tolerance="0.01"), "tight"),
    (claim("upper not tight", epsilon="2.09", tolerance="0.001"), "valid"),
    (claim("upper false", epsilon="2.08"), "refuted"),
    (claim("upper false, tolerant", epsilon="2.08", tolerance="1"), "refuted"),
    (claim("lower", kind="lower", epsilon="2.08"), "valid"),
    (claim("lower false", kind="lower", epsilon="2.09"), "refuted"),
    (claim("estimate", kind="estimate", epsilon="2.08", tolerance="0.006"), "tight"),
    (claim("estimate low", kind="estimate", epsilon="2.08", tolerance="0.005"), "refuted"),
    (claim("estimate high", kind="estimate", epsilon="2.09", tolerance="0.004"), "refuted"),
    (claim("band", kind="band", epsilon_lower="2", epsilon_upper="2.1"), "valid"),
    (claim("band tight", kind="band", epsilon_lower="2.08", epsilon_upper="2.09",
           tolerance="0.01"), "tight"),
    (claim("band high", kind="band", epsilon_lower="2.09", epsilon_upper="2.1"), "refuted"),
    (claim("band low", kind="band", epsilon_lower="2", epsilon_upper="2.08"), "refuted"),
    (claim("infinite", epsilon="inf"), "valid"),
    (claim("infinite lower", kind="lower", epsilon="inf"), "refuted"),
    (claim("nothing", kind="lower", epsilon="0"), "valid"),
    (claim("delta", quantity="delta", epsilon="2.09", delta="1e-7"), "valid"),
    (claim("delta false", quantity="delta", epsilon="2.08", delta="1e-7"), "refuted"),
    (claim("delta lower", quantity="delta", kind="lower", epsilon="2.08", delta="1e-7"), "valid"),
    (claim("delta lower false", quantity="delta", kind="lower", epsilon="2.09", delta="1e-7"),
     "refuted"),
    (claim("negative epsilon", quantity="delta", epsilon="-1", delta="0.63"), "refuted"),
    (claim("add", direction="add", epsilon="2.08"), "valid"),
    (claim("Opacus", spec=[[0.8, 0.004, 1000]], epsilon="2.08"), "refuted"),
    (claim("event", spec={"type": "SelfComposedDpEvent", "count": 1000, "event": {
        "type": "PoissonSampledDpEvent", "sampling_probability": 0.004, "event": {
            "type": "GaussianDpEvent", "noise_multiplier": 0.8}}}, epsilon="2.08"), "refuted"),
    (claim("relative", epsilon="2.0859", relative_tolerance="0.001"), "tight"),
    (claim("relative, loose", epsilon="2.09", relative_tolerance="0.001"), "valid"),
    (claim("relative estimate", kind="estimate", epsilon="2.08", relative_tolerance="0.003"),
     "tight"),
    (claim("relative estimate, false", kind="estimate", epsilon="2.08",
           relative_tolerance="0.002"), "refuted"),
]
result = audit([fields for fields, _ in KINDS], "--json")
report = result.json()
expect(result.status == 3, f"status {result.status} {result.err}")
expect(len(report["claims"]) == len(KINDS), "one entry for each claim")
counts = {"valid": 0, "tight": 0, "refuted": 0, "undecided": 0}
for (fields, verdict), entry in zip(KINDS, report["claims"]):
    what = json.dumps(entry)
    counts[verdict] += 1
    expect(entry["id"] == fields["id"], "order: " + what)
    expect(entry["verdict"] == verdict, f"{verdict} expected: {what}")
    expect(exact(entry["lower"]) <= exact(entry["upper"]), "band: " + what)
    for gap in ("gap_epsilon", "gap_delta"):
        expect(entry[gap] is None or (is_decimal(entry[gap]) and not entry[gap].startswith("-")),
               gap + ": " + what)
    if verdict == "refuted":
        expect(entry["direction"] in ("remove", "add", "both"), "direction: " + what)
        witness = entry["witness"]
        claimed = exact(witness["claimed_delta"])
        if "delta_lower" in witness:
            expect(exact(witness["delta_lower"]) > claimed, "witness: " + what)
        elif "delta_upper" in witness:
            expect(exact(witness["delta_upper"]) < claimed, "witness: " + what)
        expect(entry["gap"] != "0", "gap: " + what)
    else:
        expect("witness" not in entry, "no witness: " + what)
expect(report["summary"] == counts, f"{report['summary']} {counts}")
by_name = {entry["id"]: entry for entry in report["claims"]}
expect(exact("0.00589") < exact(by_name["upper false"]["gap"]) < exact("0.0059"), "refuted by")
expect(exact("0.0041") < exact(by_name["upper"]["gap"]) < exact("0.00411"), "loose by")
expect(exact(by_name["estimate low"]["gap"]) < exact(by_name["upper false"]["gap"]), "beyond the tolerance")

# What a connect-the-dots PLD of mesh 1e-4 answers at these deltas.
false = [{"id": "1e-10", "spec": DP_SGD, "delta": "1e-10", "epsilon": "9.31469265", "kind": "upper"},
         {"id": "1e-13", "spec": DP_SGD, "delta": 1e-13, "epsilon": 10.45687857, "kind": "upper"}]
result = audit(false, "--json")
for entry, (low, high) in zip(result.json()["claims"],
                              [("1.0062e-10", "1.0063e-10"), ("5.97e-13", "5.98e-13")]):
    expect(entry["verdict"] == "refuted", str(entry))
    expect(exact(low) < exact(entry["witness"]["delta_lower"]) < exact(high), str(entry))

# Numbers of JSON are the decimals written: one ulp of a double decides nothing here.
edge = ('[{"id":"a","spec":"gaussian(sigma=1)","quantity":"delta","epsilon":1,"kind":"%s",'
        '"delta":0.126936737506643945800829624757767}]')
for kind, verdict in (("upper", "valid"), ("lower", "refuted")):
    entry = audit(None, "--json", stdin=edge % kind).json()["claims"][0]
    expect(entry["verdict"] == verdict and entry["digits"] > 12, str(entry))

# Undecided: more digits than allowed would be needed.
result = audit(None, "--digits", "12", "--json", stdin=edge % "upper")
expect(result.status == 4, f"status {result.status}")
expect(result.json()["claims"][0]["verdict"] == "undecided", result.out)

# CSV, with quotes, empty cells and structured ones; a claim that cannot be read leaves the others.
table = ('id,spec,delta,epsilon,kind,source,prv\r\n'
         'a,"poisson(gaussian(sigma=0.8), rate=0.004)^1000",1e-7,2.09,upper,"he said ""2.09""",\r\n'
         'b,"[[0.8, 0.004, 1000]]",1e-7,2.08,upper,,\r\n'
         'c,gausian(sigma=1),1e-7,2.08,upper,,\r\n'
         'd,gaussian(sigma=1),1e-5,,,,"[4.3, 4.37, 4.4]"\r\n')
result = audit(None, "--json", stdin=table)
entries = result.json()["claims"]
expect([(e["id"], e["verdict"]) for e in entries] ==
       [("a", "valid"), ("b", "refuted"), ("c", "error"), ("d/band", "valid"),
        ("d/estimate", "tight")], str(entries))
expect(entries[0]["source"] == 'he said "2.09"', str(entries[0]))
expect("gausian" in entries[2]["reason"] and "gausian" in result.err, str(entries[2]))
expect(result.json()["summary"]["error"] == 1 and result.status == 3, result.out)

# Exit 0 where all is well, 2 where some claim could not be read.
good = claim("good", epsilon="2.09")
expect(audit([good]).status == 0, "all valid")
expect(audit([good, claim("bad", epsilon="x")]).status == 2, "one unreadable")

# What is refused altogether, or as the only claim.
expect_refused("not JSON", "audit", "-", stdin="[{]")
expect_refused("list", "audit", "-", stdin='{"a": 1}')
expect_refused("no claim", "audit", "-", stdin="[]")
expect_refused("header", "audit", "-", stdin="a,b\n1,2\n")
expect_refused("cannot read", "audit", "/nonexistent/claims.json")
expect_refused("nested", "audit", "-", stdin="[" * 100000)
expect_refused("twice", "audit", "-", stdin='[{"id": "a", "id": "b"}]')
for words, fields in [
        ("epsilon is missing", {}),
        ("kind", {"kind": "exact", "epsilon": "1"}),
        ("tolerance", {"kind": "estimate", "epsilon": "1"}),
        ("delta must lie", {"delta": "2", "epsilon": "1"}),
        ("direction", {"direction": "left", "epsilon": "1"}),
        ("'nan' is not a number", {"epsilon": "nan"}),
        ("'NonPrivateDpEvent'", {"spec": {"type": "NonPrivateDpEvent"}, "epsilon": "1"}),
        ("noise_multiplier", {"spec": {"type": "GaussianDpEvent"}, "epsilon": "1"}),
        ("must be a number", {"spec": [["1)*gaussian(sigma=2", 0.1, 10]], "epsilon": "1"}),
]:
    expect_refused([words, "'x'"], "audit", "-", stdin=json.dumps([claim("x", **fields)]))


class Page(HTMLParser):
    """Collects what would be fetched, and whether tags are closed."""

    def __init__(self):
        super().__init__()
        self.open, self.outside, self.pictures = [], [], []

    def handle_starttag(self, tag, attrs):
        if tag not in ("meta", "link", "br", "img", "input"):
            self.open.append(tag)
        self.pictures += [dict(attrs)["class"] for _ in "1" if tag == "svg"]
        self.outside += [value for name, value in attrs if name in ("src", "href") and value[0] != "#"]

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        expect(self.open and self.open.pop() == tag, "unbalanced " + tag)


with tempfile.TemporaryDirectory() as folder:
    markdown, html = os.path.join(folder, "a.md"), os.path.join(folder, "a.html")
    evil = claim("<script>alert(1)</script>|", epsilon="2.08", source="a|b\n`c`")
    result = audit([good, evil, *false], "--markdown", markdown, "--html", html)
    expect(result.status == 3 and "3 refuted, 1 valid" in result.out, result.out)
    text = open(markdown, encoding="utf-8").read()
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    expect(len(rows) == 5, "a row for each claim: " + text)
    expect(all(row.replace("\\|", "").count("|") == rows[0].count("|") for row in rows), text)
    page_text = open(html, encoding="utf-8").read()
    page = Page()
    page.feed(page_text)
    expect(not page.open and not page.outside, f"{page.open} {page.outside}")
    kinds = [kind for kind in page.pictures if "icon" not in kind]
    expect(kinds.count("plaudit wide") == kinds.count("plaudit narrow") == 2, f"{kinds} for 2 specs")
    expect(kinds.count("plaudit one") == 3, f"{kinds}: one picture for each refuted claim")
    expect("<script" not in page_text and "&lt;script&gt;" in page_text, "escaped")
    expect("viewport" in page_text and "prefers-color-scheme" in page_text, "phone, dark")
    expect_refused("--html", "audit", "-", "--html", "/nonexistent/a.html",
                   stdin=json.dumps([good]))

# Refutations with certificates, which the second checker accepts too.
CHECKER = os.path.join(os.path.dirname(__file__), "..", "..", "python", "plaudit_check.py")
with tempfile.TemporaryDirectory() as folder:
    certificates = os.path.join(folder, "some", "where")
    wrong = [good, claim("too low/", epsilon="2.08"),
             claim("too high", kind="lower", epsilon="2.0858984"),
             {"id": "pure", "spec": "pure(epsilon=0.1)^50", "delta": "1e-6", "kind": "upper",
              "epsilon": "1"},
             {"id": "laplace", "spec": "laplace(scale=1)^300", "delta": "1e-6", "kind": "upper",
              "epsilon": "173.5"}]
    result = audit(wrong, "--certificates", certificates, "--json")
    found = json.loads(result.out)["claims"]
    expect("certificate" not in found[0], "nothing to certify of a true claim")
    for item, sign in ((found[1], 1), (found[2], -1), (found[3], 1), (found[4], 1)):
        if "certificate" not in item:
            expect("straight: " in item["certificate_refused"], str(item))
            continue
        with open(item["certificate"], encoding="utf-8") as file:
            certificate = json.load(file)
        claimed = exact(item["witness"]["claimed_delta"])
        end = exact(certificate["lower"] if sign > 0 else certificate["upper"])
        expect(sign * (end - claimed) > 0, f"{item['id']}: the certificate contradicts the claim")
        expect(run("check", item["certificate"]).status == 0, item["id"] + ": first checker")
        second = subprocess.run([sys.executable, CHECKER, item["certificate"]],
                                capture_output=True, text=True)
        expect(second.returncode == 0 and "accepted" in second.stdout, second.stdout)
    expect_refused("--certificates", "audit", "-", "--certificates", "/dev/null/x",
                   stdin=json.dumps(wrong[:2]))

# ---- other numbers: a parameter that suffices, Renyi divergences, mu-GDP


def verdicts(claims):
    found = audit(claims, "--json").json()["claims"]
    return {entry["id"]: entry for entry in found}


GAUSS = "gaussian(sigma=2)^10"  # D_order = order * 10 / 8, mu^2 = 10 / 4
SGD = "poisson(gaussian(sigma=?), rate=0.004)^1000"
STEPS = "poisson(gaussian(sigma=0.8), rate=0.004)^?"
found = verdicts([
    {"id": "renyi", "spec": GAUSS, "kind": "upper", "quantity": "renyi", "order": 3, "renyi": 3.75},
    {"id": "renyi low", "spec": GAUSS, "kind": "upper", "quantity": "renyi", "order": 3,
     "renyi": 3.7},
    {"id": "renyi high", "spec": GAUSS, "kind": "lower", "quantity": "renyi", "order": 3,
     "renyi": 3.8},
    {"id": "renyi band", "spec": GAUSS, "kind": "band", "quantity": "renyi", "order": 2,
     "renyi_lower": 2.4, "renyi_upper": 2.6},
    {"id": "renyi near", "spec": GAUSS, "kind": "estimate", "quantity": "renyi", "order": 2,
     "renyi": 2.51, "relative_tolerance": 0.005},
    {"id": "mu", "spec": GAUSS, "kind": "upper", "quantity": "mu", "mu": "1.5811388300841898"},
    {"id": "mu low", "spec": GAUSS, "kind": "upper", "quantity": "mu", "mu": "1.58"},
    {"id": "mu sampled", "spec": DP_SGD, "kind": "upper", "quantity": "mu", "mu": "100"},
    {"id": "mu far", "spec": "poisson(gaussian(sigma=1), rate=0.01)^100", "kind": "upper",
     "quantity": "mu", "mu": "8"},
    {"id": "mu near", "spec": DP_SGD, "kind": "upper", "quantity": "mu", "mu": "1.6"},
    # pure(1) touches the curve of N(mu, 1) at epsilon = 0, mu = 1.232035385
    {"id": "mu true", "spec": "pure(epsilon=1)", "kind": "upper", "quantity": "mu", "mu": "1.2322818"},
    {"id": "mu false", "spec": "pure(epsilon=1)", "kind": "upper", "quantity": "mu", "mu": "1.231789"},
    {"id": "sigma", "spec": SGD, "parameter": "0.8", "epsilon": "2.0859", "delta": "1e-7",
     "relative_tolerance": "0.001"},
    {"id": "sigma less", "spec": SGD, "parameter": "0.79", "epsilon": "2.0859", "delta": "1e-7"},
    {"id": "steps", "spec": STEPS, "parameter": "1000", "epsilon": "2.0859", "delta": "1e-7",
     "tolerance": "1"},
    {"id": "steps few", "spec": STEPS, "parameter": "900", "epsilon": "2.0859", "delta": "1e-7",
     "tolerance": "1"},
])
expected = {"renyi": "tight", "renyi low": "refuted", "renyi high": "refuted",
            "renyi band": "valid", "renyi near": "tight", "mu": "valid", "mu low": "refuted",
            "mu sampled": "valid", "mu far": "refuted", "mu near": "refuted",
            "mu true": "undecided", "mu false": "refuted",
            "sigma/suffices": "valid", "sigma/no better": "valid", "sigma less": "refuted",
            "steps/suffices": "valid", "steps/no better": "valid", "steps few/suffices": "valid",
            "steps few/no better": "refuted"}
expect(set(found) == set(expected), f"ids: {sorted(found)}")
for name, verdict in expected.items():
    expect(found[name]["verdict"] == verdict, f"{verdict} expected: {found[name]}")
expect(exact(found["renyi low"]["gap"]) <= exact("0.05"), "the gap of a divergence")
expect(exact(found["renyi low"]["relative_gap"]) > exact("0.0132"), "relative to 3.75")
for name in ("mu low", "mu far", "mu near"):
    witness = found[name]["witness"]
    expect(exact(witness["delta_lower"]) > exact(witness["claimed_delta"]), f"{name}: {witness}")
expect(found["steps/no better"]["spec"].endswith("^1001"), "one step more")
expect("sigma=0.7992" in found["sigma/no better"]["spec"], "a thousandth less noise")

# A number in several places; in the expression of a power a quotient is one term.
for spec, power in (("gaussian(sigma=1)^(6/?) * laplace(scale=?)", 4), ("laplace(scale=?) * gaussian(sigma=1)^(6/?)", 4)):
    several = audit([{"id": "several", "parameter": "3/2", "spec": spec, "epsilon": "3", "delta": "1e-5"}], "--json").json()["claims"][0]
    alone = audit([{"id": "alone", "spec": f"gaussian(sigma=1)^{power} * laplace(scale=3/2)", "kind": "upper", "epsilon": "3", "delta": "1e-5"}],
                  "--json").json()["claims"][0]
    expect(several.get("verdict") == "refuted" and several["gap_epsilon"] == alone["gap_epsilon"], f"{several} {alone}")

for fields, words in (
        ({"parameter": "1", "spec": "mixture(1, [0, ?], [0.5, 0.5])", "tolerance": "1"},
         "no ? here: it is one number of a list"),
        ({"parameter": "1", "spec": "gaussian(1)"}, "needs one ?"),
        ({"parameter": "1", "spec": "gaussian(sigma=?)^?", "tolerance": "1/2"}, "more privacy in one place"),
        ({"parameter": "x", "spec": "gaussian(sigma=?)"}, "parameter"),
        ({"parameter": "1", "spec": "gaussian(sigma=?)", "kind": "lower"}, "kind upper"),
        ({"relative_tolerance": "1"}, "relative_tolerance must lie in [0, 1)"),
        ({"relative_tolerance": "0.1", "tolerance": "1"}, "both given"),
        ({"quantity": "renyi", "renyi": "1", "order": "1"}, "order must be above 0, and not 1"),
        ({"quantity": "renyi", "renyi": "1"}, "order is missing"),
        ({"quantity": "mu", "mu": "1", "kind": "lower"}, "kind upper"),
        ({"quantity": "mu", "mu": "1", "epsilon": "1"}, "means nothing")):
    bad = {"id": "bad", "spec": EXAMPLE, "kind": "upper", **fields}
    if fields.get("quantity") is None:
        bad.update(epsilon="1", delta="1e-5")
    if "parameter" in fields and "kind" not in fields:
        del bad["kind"]
    reason = audit([bad, claim("good", epsilon="3")], "--json").json()["claims"][0].get("reason", "")
    expect(words in reason, f"{words!r} expected for {fields}: {reason}")

finish()
