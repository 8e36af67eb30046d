"""curve (CSV, JSON, SVG), compare and list; with PLAUDIT_SLOW=1 many steps of mechanisms whose laws take seconds, too."""
import csv
import io
import os
import tempfile

from _program import EXAMPLE, exact, expect, finish, run

SLOW = os.environ.get("PLAUDIT_SLOW", "0") != "0"

# Curves at given epsilons, as CSV on standard output.
result = run("curve", EXAMPLE, "--epsilon", "-1:2:0.5")
rows = list(csv.DictReader(io.StringIO(result.out)))
expect(result.status == 0, f"curve: {result.err}")
expect(all(r["direction"] == "both" for r in rows), "direction")
only = run("curve", EXAMPLE, "--epsilon", "1:2:1", "--direction", "remove").out
expect([r["direction"] for r in csv.DictReader(io.StringIO(only))] == ["remove"] * 2, only)
expect([r["epsilon"] for r in rows] == ["-1", "-0.5", "0", "0.5", "1", "1.5", "2"], "epsilons")
for row, after in zip(rows, rows[1:]):
    expect(exact(row["delta_lower"]) <= exact(row["delta_upper"]), str(row))
    expect(exact(after["delta_lower"]) < exact(row["delta_upper"]), "delta decreases")
    expect(row["reached"] == "true", str(row))
single = run("delta", EXAMPLE, "--epsilon", "1", "--json").json()
row = rows[4]
expect(exact(row["delta_lower"]) <= exact(single["upper"]), "the curve agrees with a point")
expect(exact(single["lower"]) <= exact(row["delta_upper"]), "the curve agrees with a point")

with tempfile.TemporaryDirectory() as folder:
    table = os.path.join(folder, "a.csv")
    picture = os.path.join(folder, "it's a picture.svg")

    # Curves at log-spaced deltas, into a file.
    result = run("curve", "gaussian(sigma=1)^100", "--delta", "1e-10:1e-5:6", "--csv", table)
    expect(result.status == 0 and result.out == "", f"{result.status} {result.out} {result.err}")
    with open(table, encoding="ascii") as file:
        rows = list(csv.DictReader(file))
    expect([r["delta"] for r in rows] == ["1e-10", "1e-9", "1e-8", "1e-7", "1e-6", "1e-5"],
           str([r["delta"] for r in rows]))
    expect(all(r["reached"] == "true" for r in rows), "reached")
    rows = run("curve", "gaussian(sigma=1)", "--delta", "0.999999:0.9999999:3", "--json").json()
    expect(len(rows["points"]) == 3, "near 1")

    # Pictures, beside a table.
    os.remove(table)
    result = run("curve", "gaussian(sigma=1)", "--epsilon", "0:40:1", "--svg", picture, "--csv", table)
    expect(result.status == 0 and result.out == "", f"svg: {result.err}")
    with open(picture, encoding="utf-8") as file:
        text = file.read()
    expect("<svg" in text and "</svg>" in text and "gaussian(sigma=1)" in text, "svg")
    expect(os.path.getsize(table) > 0, "svg: CSV")
    result = run("curve", "gaussian(sigma=1)", "--epsilon", "0:1:1", "--svg", "/nowhere/a.svg")
    expect(result.status == 2 and "--svg" in result.err, "svg: bad file")

report = run("curve", EXAMPLE, "--epsilon", "0:2:1", "--json", "--direction", "add").json()
expect([p["epsilon"] for p in report["points"]] == ["0", "1", "2"], str(report))
expect(report["quantity"] == "delta", str(report))

# Renyi divergences: alpha mu for a Gaussian, here mu = 1/2.
rows = run("curve", "gaussian(sigma=1)", "--renyi", "2:4:1").out.split()
expect(rows[0] == "order,divergence_lower,divergence_upper,certified,reached,adjacency,group_size,guarantee,"
       "direction", str(rows))
for row, value in zip(rows[1:], ("1", "1.5", "2")):
    _, lower, upper, done, *_ = row.split(",")
    expect(exact(lower) <= exact(value) <= exact(upper) and done == "true", row)
report = run("curve", EXAMPLE, "--renyi", "2:64:31", "--json").json()
expect([p["order"] for p in report["points"]] == ["2", "33", "64"], str(report))
expect(run("curve", EXAMPLE, "--renyi", "1:2:1").status == 2, "order 1 is refused")

# Every accountant side by side: certified bands meet.
for spec, query in ((EXAMPLE, ["--epsilon", "1"]), ("gaussian(sigma=1)^10", ["--epsilon", "1"]),
                    ("gaussian(sigma=1)^10", ["--delta", "1e-5"])):
    result = run("compare", spec, *query, "--json")
    report = result.json()
    entries = report["accountants"]
    expect(result.status == 0, f"compare: {result.status} {result.err}")
    expect(not report["disjoint"], str(report))
    expect({"contour", "closed_form", "moments"} <= {e["accountant"] for e in entries}, spec)
    bands = [e for e in entries if e.get("certified")]
    for a in bands:
        expect(a["verdict"] in ("reached", "wider"), str(a))
        for b in bands:
            lower, upper = a["lower"], b["upper"]
            expect(upper == "inf" or exact(lower) <= exact(upper), f"{a} {b}")
    for entry in entries:
        if "lower" not in entry:
            expect(entry["verdict"].startswith("refused: "), str(entry))
    text = run("compare", spec, *query)
    table, _, refused = text.out.partition("do not apply (--json says why): ")
    rows = [line.split() for line in table.split("verdict\n")[1].partition("\n\n")[0].splitlines()]
    refused = refused.strip().split(", ")
    for entry in entries:
        if entry["verdict"].startswith("refused: "):
            expect(entry["accountant"] in refused, f"{entry} in {refused}")
        else:
            expect([entry["accountant"]] == [r[0] for r in rows if r[0] == entry["accountant"]],
                   f"{entry} in {rows}")
            expect(entry["verdict"] in text.out, f"{entry} in {text.out}")
    # Narrow bands first; estimates come after them and have no width.
    kinds = {e["accountant"]: e.get("certified") for e in entries}
    certified = [r for r in rows if kinds[r[0]]]
    expect(rows[:len(certified)] == certified, str(rows))
    widths = [float(r[3]) for r in certified]
    expect(widths == sorted(widths), str(widths))
    for row in rows[len(certified):]:
        expect(row[3] == "-", f"an estimate has a width: {row}")
expect(any("closed_form" == e["accountant"] and e["verdict"].startswith("refused")
           for e in run("compare", EXAMPLE, "--epsilon", "1", "--json").json()["accountants"]),
       "closed_form refuses the subsampled Gaussian")

# Asked for by name: the reason of a refusal, and an estimate that is wrong says so.
text = run("compare", EXAMPLE, "--delta", "1e-7", "--accountant", "closed_form",
           "--accountant", "contour", "--accountant", "saddle_point_clt").out
expect("closed_form refused: " in text and "do not apply" not in text, text)
estimate = [line for line in text.splitlines() if line.split()[:1] == ["saddle_point_clt"]]
expect(len(estimate) == 1 and estimate[0].endswith("estimate, OUTSIDE of the certified band"), text)

# Where there is no pair, no end is that of one.
for asked in (run("compare", "zcdp(0.1)", "--delta", "1e-5").out, run("curve", "zcdp(0.1)", "--delta", "1e-5:1e-4:2").err):
    expect("lower ends are the trivial ones: " in asked and "pair alone" not in asked, asked)

# Lists.
listed = {}
for what, names in (("mechanisms", ["gaussian(sigma, sensitivity=1)", "mixture(", "poisson(",
                                    "group(", "add_remove", "noise_multiplier", "(0, 1]"]),
                    ("accountants", ["contour", "moments", "closed_form"])):
    listed[what] = run("list", what).out, run("list", what, "--json").json()
    text, entries = listed[what]
    for name in names:
        expect(name in text, f"list {what} lacks {name}")
    expect(len(entries) >= 4 and all(e["name"] and e["theorem"] for e in entries), what)

# Each mechanism with the accountants that apply to its example: as they answer when asked.
text, kinds = listed["mechanisms"]
theorems = {entry["name"]: entry["theorem"] for entry in kinds}
expect("; replace: " in theorems["poisson"], f"the theorem of each adjacency: {theorems['poisson']}")
everyone = {entry["name"] for entry in listed["accountants"][1]}
for kind in kinds:
    expect(kind["adjacency"] and kind["theorem"], kind["name"])
    expect(kind["example"].startswith(kind["name"] + "("), kind["example"])
    expect("example      " + kind["example"] in text, kind["example"])
    expect("accountants  " + ", ".join(kind["accountants"]) in text, kind["name"])
    if kind["theorem"].startswith("no pair dominates"):  # bounds of moments are all that is known
        expect(kind["accountants"] == ["moments"], str(kind))
    else:
        expect({"contour", "fourier", "moments"} <= set(kind["accountants"]), str(kind))
    for steps, names in (("", kind["accountants_one_step"]),
                         ("^100", kind["accountants_many_steps"])):
        applying = set(kind["accountants"]) | set(names)
        expect(applying <= everyone, str(applying - everyone))
        if kind["name"] == "pld":  # its example speaks of a file
            continue
        for limit in ("0.001", "1", "4", "60"):  # no accountant needs time to refuse; making some laws does
            asked = run("compare", kind["example"] + steps, "--epsilon", "1", "--digits", "1", "--timeout", limit, "--json")
            if "before the spec was read" in asked.err:
                if steps and not SLOW:
                    break  # each accountant makes such a law anew
                continue
            entries = asked.json()["accountants"]
            if not any(e["accountant"] not in applying and "time limit" in e["verdict"] for e in entries):
                break
        if steps and not SLOW and "before the spec was read" in asked.err:
            continue
        for entry in entries:
            refused = entry["verdict"].startswith("refused: ")
            expect(refused != (entry["accountant"] in applying), f"{kind['example']}{steps} {entry}")

finish()
