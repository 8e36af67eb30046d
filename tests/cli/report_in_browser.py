"""The HTML report and the pictures as a reader sees them: in headless Chromium, 1280 and 390 px wide,
light and dark (each page once; with PLAUDIT_SLOW=1 in all of these). Skipped where there is no Chromium.
PLAUDIT_SCREENSHOTS=FOLDER keeps the screenshots, of all.
"""
import itertools
import json
import os
import pathlib
import sys
import tempfile

from _browser import browser, look_at, overlap
from _program import EXAMPLE, expect, finish, run

LEAST_FONT = 13.99  # px, on a phone too
LEAST_CONTRAST = 4.5  # WCAG 2, AA

if browser() is None:
    print("no chromium: skipped")
    sys.exit(77)


def claim(name, spec=EXAMPLE, **fields):
    return {"id": name, "spec": spec, "delta": "1e-7", "kind": "upper", **fields}


LONG = "poisson(gaussian(sigma=0.8), rate=0.004)^1000 * laplace(scale=200)^70 * pure(epsilon=1/1000)"
CLAIMS = [
    claim("upper bound, too low", epsilon="2.08", source="Table 2, row 1"),
    claim("a hair too low", epsilon="2.085898361295"),
    claim("loose", epsilon="20"),
    claim("far too low", epsilon="0.01"),
    claim("tight", epsilon="2.0859", relative_tolerance="0.001"),
    claim("at another delta", delta="1e-12", epsilon="2.9"),
    claim("lower bound, too high", kind="lower", epsilon="2.1"),
    claim("estimate", kind="estimate", epsilon="2.08", tolerance="0.006"),
    claim("estimate, wrong", kind="estimate", epsilon="2.05", tolerance="0.006"),
    claim("band", kind="band", epsilon_lower="1.5", epsilon_upper="2.5"),
    claim("band, wrong", kind="band", epsilon_lower="0.1", epsilon_upper="2.08"),
    claim("delta, wrong", quantity="delta", epsilon="2.08", delta="1e-8"),
    claim("infinite", epsilon="inf"),
    claim("<script>document.title='owned'</script>" + "unbroken" * 30, epsilon="2.08",
          source="<img src=x onerror=alert(1)>" + "y" * 300),
    claim("many factors", LONG, epsilon="2.5"),
    claim("many factors, wrong", LONG, epsilon="1.5"),
    claim("undecided", "gaussian(sigma=1)", quantity="delta", epsilon="1",
          delta="0.126936737506643945800829624757767"),
    claim("one direction", direction="add", epsilon="0.9"),
    claim("far tail", "gaussian(sigma=1)", quantity="delta", epsilon="1000", delta="1e-5"),
    {"id": "renyi", "spec": "gaussian(sigma=2)^10", "kind": "upper", "quantity": "renyi",
     "order": 3, "renyi": 3.7},
    {"id": "mu", "spec": "gaussian(sigma=2)^10", "kind": "upper", "quantity": "mu", "mu": "1.58"},
    {"id": "negative", "spec": "gaussian(sigma=1)", "kind": "lower", "quantity": "epsilon",
     "epsilon": "-1", "delta": "1e-5"},
    claim("no spec", "gausian(sigma=1)", epsilon="1"),
]

screenshots = os.environ.get("PLAUDIT_SCREENSHOTS")
SLOW = os.environ.get("PLAUDIT_SLOW", "0") != "0" or screenshots is not None


def problems_of_texts(found):
    for text in found["texts"]:
        words = repr(text["words"])
        if text["size"] < LEAST_FONT:
            yield f"small: {words} is {text['size']:.2f} px"
        if text["contrast"] < LEAST_CONTRAST:
            yield f"faint: {words} has a contrast of {text['contrast']:.2f}"
        out = text["right"] > found["width"] + 1 or text["left"] < -1
        if out and not text["scrolls"]:
            yield f"beyond: {words} sticks out of the page"


def problems_of_picture(picture):
    name = f"{picture['kind']}, {picture['title'][:60]!r}: "
    for text in picture["texts"]:
        words = repr(text["words"])
        inside = (text["left"] >= picture["left"] - 1 and text["right"] <= picture["right"] + 1 and
                  text["top"] >= picture["top"] - 2 and text["bottom"] <= picture["bottom"] + 2)
        if not inside:
            yield f"cut off: {name}{words}"
        if any(overlap(text, mark) for mark in picture["claims"]):
            yield f"covered: {name}{words} is on a mark"
    for a, b in itertools.combinations(picture["texts"], 2):
        if overlap(a, b):
            yield f"overlap: {name}{a['words']!r} and {b['words']!r}"
    left = min(axis["left"] for axis in picture["axis"]) - 1
    right = max(axis["right"] for axis in picture["axis"]) + 1
    for each in picture["claims"] + picture["gaps"]:
        if not left <= (each["left"] + each["right"]) / 2 <= right:
            yield f"outside: {name}a claim or a gap is not in the frame"
    for band in picture["bands"]:
        if not left - 2 <= band["left"] <= band["right"] <= right + 2:
            yield f"outside: {name}the certified band is not in the frame"


def problems_of(found):
    if found["wide"] > found["width"]:
        yield f"beyond: the page is {found['wide']} px wide and scrolls sideways"
    yield from (f"dead: {link} leads nowhere" for link in found["dead"])
    yield from (f"broken: {word!r} is on two lines in a cell" for word in found["broken"])
    yield from problems_of_texts(found)
    for picture in found["pictures"]:
        yield from problems_of_picture(picture)


def check(found, what):
    for problem in problems_of(found):
        expect(False, f"{what}: {problem}")


# Each kind of problem is seen where there is one.
BROKEN = """<!doctype html><body style="margin:0;background:#fff"><p style="color:#bbb">faint</p>
<p style="font-size:12px">small</p><p style="width:900px;margin-left:370px">beyond</p><a href="#x">dead</a>
<table style="width:60px;overflow-wrap:anywhere"><tr><td>14063</td><td>a long text of many words</td></tr></table>
<svg class="plaudit" viewBox="0 0 300 100" width="300" height="100" font-size="15"><title>t</title>
<line class="axis" x1="50" y1="80" x2="200" y2="80" stroke="black"/><text x="60" y="40">overlap</text>
<text x="80" y="42">overlap</text><text x="280" y="90">cut off</text><text x="92" y="75">covered</text>
<path class="mark claim" d="M100 60L120 60L110 80Z"/><path class="mark claim" d="M220 60L240 60L230 70Z"/>
<rect class="band" x="30" y="0" width="10" height="80"/></svg></body>"""
kinds = [problem.split(":")[0] for problem in problems_of(look_at(BROKEN, 390, False))]
for kind, times in (("faint", 1), ("small", 1), ("beyond", 2), ("dead", 1), ("broken", 1), ("overlap", 1), ("cut off", 1),
                    ("covered", 1), ("outside", 2)):
    expect(kinds.count(kind) >= times, f"not seen in a broken page: {kind} ({kinds})")

with tempfile.TemporaryDirectory() as folder:
    report = os.path.join(folder, "report.html")
    done = run("audit", "-", "--html", report, "--pictures", "all", "--digits", "12",
               "--certificates", os.path.join(folder, "proofs"), stdin=json.dumps(CLAIMS),
               env={**os.environ, "SOURCE_DATE_EPOCH": "1767225600"})
    expect(done.status == 3, f"{done.status} {done.err}")
    page = pathlib.Path(report).read_text(encoding="utf-8")
    expect("2026-01-01" in page, "the date of SOURCE_DATE_EPOCH")
    # What is in <details> is looked at too.
    opened = page.replace("<details>", "<details open>")
    for width, dark in ((1280, False), (1280, True), (820, False), (390, False), (390, True)) if SLOW else ((820, False), (1280, False), (390, True)):
        what = f"{width} px, {'dark' if dark else 'light'}"
        picture = os.path.join(screenshots or folder, f"report-{width}-{'dark' if dark else 'light'}.png")
        found = look_at(opened, width, dark, picture)
        expect(found["width"] == width, f"{what}: {found['width']}")
        expect(found["ground"] < 0.1 if dark else found["ground"] > 0.9, f"{what}: {found['ground']}")
        expect(found["png"][0] == max(width, 500) and found["png"][1] > 2000, f"{what}: {found['png']}")
        check(found, what)
        kinds = [each["kind"].split()[-1] for each in found["pictures"]]
        expect(kinds.count("one") >= 17, f"{what}: a picture of each claim with a number: {kinds}")
        curves = "narrow" if width < 816 else "wide"
        expect(kinds.count(curves) >= 4 and len(set(kinds)) == 2, f"{what}: curves: {kinds}")
        for each in found["pictures"]:
            if "one" in each["kind"] and each["title"].endswith("refuted"):
                expect(each["gaps"] and each["claims"], f"{what}: {each['title']}: no gap is drawn")
                for gap in each["gaps"]:
                    expect(gap["right"] - gap["left"] > 15, f"{what}: {each['title']}: gap {gap}")

    # One page about one run.
    for name, spec in {"run": EXAMPLE, "long-run": LONG,
                       "many-steps": "poisson(gaussian(sigma=1.1), rate=256/60000)^14063",
                       "balls-in-bins": "random_allocation(gaussian(sigma=1), steps=100)^3"}.items():
        file = os.path.join(folder, name + ".html")
        done = run("report", spec, "--delta", "1e-6", "--output", file)
        expect(done.status in (0, 4), f"{name}: {done.status} {done.err}")
        page = pathlib.Path(file).read_text(encoding="utf-8").replace("<details>", "<details open>")
        for width, dark in ((1280, False), (390, False), (390, True)) if SLOW else ((390, name != "run"),):
            what = f"{name}, {width} px, {'dark' if dark else 'light'}"
            picture = screenshots and os.path.join(screenshots, f"{name}-{width}-{'dark' if dark else 'light'}.png")
            found = look_at(page, width, dark, picture)
            expect(found["width"] == width, f"{what}: {found['width']}")
            expect(found["ground"] < 0.1 if dark else found["ground"] > 0.9, f"{what}: {found['ground']}")
            check(found, what)

    # Curves and comparisons, as files of their own.
    drawn = {
        "curve-delta": ["curve", EXAMPLE, "--epsilon", "0:4:0.1"],
        "curve-epsilon": ["curve", "gaussian(sigma=1)^100", "--delta", "1e-10:1e-2:9"],
        "curve-renyi": ["curve", LONG, "--renyi", "2:64:2"],
        "curve-wide": ["curve", EXAMPLE, "--epsilon", "0:3:0.25", "--accountant", "moments"],
        "compare-epsilon": ["compare", EXAMPLE, "--delta", "1e-7"],
        "compare-delta": ["compare", LONG, "--epsilon", "1"],
        "tradeoff": ["tradeoff", EXAMPLE, "--log-fpr", "1e-6:1:25"],
    }
    for name, arguments in drawn.items():
        file = os.path.join(folder, name + ".svg")
        done = run(*arguments, "--svg", file)
        expect(done.status in (0, 4), f"{name}: {done.status} {done.err}")
        for dark in (False, True) if SLOW else (name.startswith("compare"),):
            what = f"{name}, {'dark' if dark else 'light'}"
            picture = screenshots and os.path.join(screenshots, f"{name}-{'dark' if dark else 'light'}.png")
            found = look_at(pathlib.Path(file).read_text(encoding="utf-8"), 820, dark, picture)
            expect(len(found["pictures"]) == 1, what)
            check(found, what)
            for each in found["pictures"]:
                expect(each["marks"], f"{what}: nothing is drawn")
finish()
