"""Pictures as XML: well-formed, with the claim and the certified number in the frame, and inert
whatever a spec or a claim says. report_in_browser.py looks at them as a reader does."""
import json
import os
import pathlib
import re
import tempfile
import xml.etree.ElementTree as ElementTree

from _program import EXAMPLE, expect, expect_refused, finish, run

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "]]></style><script>alert(1)</script>\"' onload=\"x\u202e\x07\ud7ff&amp;"


def claim(name, **fields):
    return {"id": name, "spec": EXAMPLE, "delta": "1e-7", "kind": "upper", **fields}


def audit(claims, *options, env=None):
    return run("audit", "-", *options, stdin=json.dumps(claims), env=env)


def numbers(text):
    return [float(x) for x in re.findall(r"-?\d+(?:\.\d+)?", text)]


def middle(path):
    """Of a mark: its outline is symmetric."""
    places = re.sub(r"a.*?Z", lambda m: " ", path.get("d"))
    if "a" in path.get("d"):  # a circle starts at its left end
        x, y = numbers(places)[:2]
        return x + numbers(path.get("d"))[2], y
    values = numbers(places)
    return (min(values[::2]) + max(values[::2])) / 2, (min(values[1::2]) + max(values[1::2])) / 2


def of_class(root, name):
    return [each for each in root.iter() if name in each.get("class", "").split()]


def frame_of(root):
    """The ends of the axis of x."""
    lines = [each for each in of_class(root, "axis") if each.get("y1") == each.get("y2")]
    return float(lines[0].get("x1")), float(lines[0].get("x2"))


def well_formed(root, what):
    for each in root.iter():
        expect(each.tag in {SVG + name for name in ("svg", "title", "desc", "style", "rect", "line",
                                                    "path", "text")}, f"{what}: {each.tag}")
        for name, value in each.attrib.items():
            expect(not name.startswith("on") and "href" not in name, f"{what}: {name}")
            expect("nan" not in value and "inf" not in value, f"{what}: {name}={value}")
    expect(root.find(SVG + "title").text and root.find(SVG + "desc").text, f"{what}: no title")
    expect(root.get("viewBox") and root.get("role") == "img", f"{what}: {root.attrib}")


# Claims on a line: the claim, the band and the gap between them lie in the frame, from a gap of
# 1e-2155 to one of 1e6.
DECIMAL = "2.085898361295105"  # up to here the epsilon of the example at delta = 1e-7
CLAIMS = {
    "near": claim("near", epsilon="2.08"),
    "nearer": claim("nearer", epsilon=DECIMAL[:-1]),
    "far": claim("far", epsilon="1e-6"),
    "far above": claim("far above", kind="lower", epsilon="1000000"),
    "wide band": claim("wide band", kind="band", epsilon_lower="0.001", epsilon_upper="2.0858"),
    "wrong estimate": claim("wrong estimate", kind="estimate", epsilon="2", tolerance="0.085"),
    "delta": claim("delta", quantity="delta", epsilon="2.08", delta="1e-9"),
    "tiny delta": claim("tiny delta", spec="gaussian(sigma=1)", quantity="delta", epsilon="60",
                        delta="1e-900"),
    "negative": claim("negative", epsilon="-1"),
    "no delta": claim("no delta", spec="gaussian(sigma=1)", delta="0", epsilon="100"),  # 6e-2155
    "hair": {"id": "hair", "spec": "gaussian(sigma=1)", "quantity": "delta", "epsilon": "1",
             "kind": "upper", "delta": "0.12693673750664394580082962475776"},
}
ROOM = 2.0  # px: bands are drawn at least 3 px wide
with tempfile.TemporaryDirectory() as folder:
    report = os.path.join(folder, "a.html")
    done = audit(list(CLAIMS.values()), "--html", report)
    page = pathlib.Path(report).read_text(encoding="utf-8")
    expect(done.status == 3, f"{done.status} {done.err}")
    pictures = [ElementTree.fromstring(text) for text in re.findall(r'<svg xmlns.*?</svg>', page, re.S)]
    titles = {each.find(SVG + "title").text: each for each in pictures}
    for name in CLAIMS:
        root = titles.get(f"Claim {name}: refuted")
        expect(root is not None, f"{name}: no picture: {list(titles)}")
        if root is None:
            continue
        well_formed(root, name)
        low, high = frame_of(root)
        marks, bands, gaps = (of_class(root, each) for each in ("claim", "band", "distance"))
        expect(len(marks) == 1, f"{name}: {len(marks)} marks")
        expect(len(bands) == 1 and len(gaps) == 1, f"{name}: {len(bands)} bands, {len(gaps)} gaps")
        band = float(bands[0].get("x")), float(bands[0].get("x")) + float(bands[0].get("width"))
        expect(low - ROOM <= band[0] and band[1] <= high + ROOM, f"{name}: band {band} in {low}, {high}")
        gap = numbers(gaps[0].get("d"))[:4:2]  # its ends
        expect(abs(gap[1] - gap[0]) > 15, f"{name}: gap of {gap}")
        expect(low <= min(gap) and max(gap) <= high, f"{name}: gap {gap} in {low}, {high}")
        places = [middle(mark)[0] for mark in marks]
        expect(all(low < place < high for place in places), f"{name}: {places} in {low}, {high}")
        expect(all(not band[0] <= place <= band[1] for place in places),
               f"{name}: {places} is drawn in the band {band} that refutes it")
        expect(any("gap" in (each.text or "") for each in root.iter(SVG + "text")), f"{name}: no words")
    curves = [each for each in pictures if "wide" in each.get("class")]
    expect(len(curves) == 2, f"{len(curves)} curves")
    for root in curves:
        well_formed(root, "curve")
        low, high = frame_of(root)
        for mark in of_class(root, "claim"):
            expect(low <= middle(mark)[0] <= high, f"curve: {middle(mark)} in {low}, {high}")
        expect(of_class(root, "distance") and of_class(root, "curve"), "curve: gaps and the curve")

    # Which claims have pictures.
    claims = [claim("wrong", epsilon="2.08"), claim("tight", epsilon="2.09", tolerance="0.1"),
              claim("loose", epsilon="3"), claim("unreadable", epsilon="x")]
    for choice, count, folded in (("none", 0, 0), ("refuted", 1, 0), ("notable", 2, 0), ("all", 3, 1),
                                  (None, 2, 0)):
        audit(claims, "--html", report, *(["--pictures", choice] if choice else []))
        page = pathlib.Path(report).read_text(encoding="utf-8")
        expect(page.count('class="plaudit one"') == count, f"{choice}: {count} pictures expected")
        expect(page.count('class="plaudit wide"') == min(count, 1), f"{choice}: curves")
        expect(page.count("<details>") == folded, f"{choice}: {page.count('<details>')} folded")
    expect_refused(["pictures", "notable"], "audit", "-", "--pictures", "some", "--html", report,
                   stdin=json.dumps(claims))

    # The same report again, with its date, digits, certificates and anchors.
    proofs = os.path.join(folder, "sub folder #1", "proofs")
    claims = [{**each, "spec": "pure(epsilon=1)", "epsilon": epsilon}  # exact, in no time
              for each, epsilon in zip(claims, ("0.5", "1.01", "3", "x"))]
    env = {**os.environ, "SOURCE_DATE_EPOCH": "86400"}
    texts = []
    for _ in range(2):
        audit(claims, "--html", report, "--certificates", proofs, "--digits", "24", env=env)
        texts.append(pathlib.Path(report).read_bytes())
    expect(texts[0] == texts[1], "a report is not reproducible")
    page = texts[0].decode()
    version = run("--version").out.split()[-1]
    for words in ("1970-01-02", "plaudit " + version, "up to 24 digits", "1 certificate "):
        expect(words in page, f"{words!r} is not in the report")
    links = re.findall(r'href="([^#"][^"]*)"', page)
    expect(links == ["sub%20folder%20%231/proofs/1-wrong.json"], f"links {links}")
    for i in range(1, 5):
        expect(f'href="#claim-{i}"' in page and f'id="claim-{i}"' in page, f"anchor {i}")
    for bad in ("-1", "x", "99999999999999999999", "1.5", ""):
        result = audit(claims, "--html", report, env={**env, "SOURCE_DATE_EPOCH": bad})
        expect(result.status == 2 and "SOURCE_DATE_EPOCH" in result.err, f"{bad!r}: {result.err}")

    # What others wrote stays text, and is cut nowhere but at whole characters.
    evil = [claim(HOSTILE, epsilon="2.08", source=HOSTILE),
            claim("\U0001d53c" * 100, epsilon="2.08", source="\U0001d53c" * 100)]
    audit(evil, "--html", report, "--pictures", "all")
    page = pathlib.Path(report).read_text(encoding="utf-8")
    expect("<script" not in page and "\u202e" not in page and "\x07" not in page, "hostile text")
    expect("&lt;script&gt;" in page and "Content-Security-Policy" in page, "escaped")
    for text in re.findall(r'<svg xmlns.*?</svg>', page, re.S):
        well_formed(ElementTree.fromstring(text), "hostile")

    # Files of SVG: curves of every kind, and comparisons.
    law = os.path.join(folder, "a <b> & law.json")
    pathlib.Path(law).write_text(json.dumps(
        {"adjacency": "<script>x</script>", "both": {"losses": ["-1/2", "1/4"], "masses": ["1/4", "3/4"]}}))
    picture = os.path.join(folder, "a.svg")
    for arguments, status in (
            (["curve", EXAMPLE, "--epsilon", "-1:3:0.5"], 0),
            (["curve", EXAMPLE, "--delta", "1e-9:1e-3:7"], 0),
            (["curve", EXAMPLE, "--renyi", "2:64:31"], 0),
            (["curve", "pure(epsilon=1)", "--epsilon", "0:3:1"], 0),
            (["curve", "gaussian(sigma=1)", "--epsilon", "1:1:1"], 0),
            (["curve", f'pld(file="{law}")', "--epsilon", "0:0.2:0.1"], 0),
            (["compare", EXAMPLE, "--delta", "1e-7"], 0),
            (["compare", EXAMPLE, "--epsilon", "1"], 0),
            (["compare", "pure(epsilon=1)", "--epsilon", "5"], 0),
            (["compare", "gaussian(sigma=1)", "--delta", "0"], 0)):
        done = run(*arguments, "--svg", picture)
        expect(done.status == status, f"{arguments}: {done.status} {done.err}")
        root = ElementTree.parse(picture).getroot()
        well_formed(root, str(arguments))
        low, high = frame_of(root)
        expect(of_class(root, "mark") or "5" in arguments or "0" in arguments, f"{arguments}: empty")
        for mark in of_class(root, "proven"):
            if "mark" in mark.get("class").split():
                expect(low - 7 <= middle(mark)[0] <= high + 7 or middle(mark)[1] < 140, f"{arguments}")
    expect_refused("--svg", "compare", EXAMPLE, "--delta", "1e-7", "--svg", "/nonexistent/a.svg")

    # Each accountant that answers has a line, the others are named.
    entries = run("compare", EXAMPLE, "--delta", "1e-7", "--json", "--svg", picture).json()["accountants"]
    words = [each.text for each in ElementTree.parse(picture).getroot().iter(SVG + "text")]
    last = words.index(next(word for word in words if word.startswith("no answer")))
    words, absent = words[:last], " ".join(words[last:])
    for entry in entries:
        expect((entry["accountant"] in words) == ("lower" in entry), f"{entry} {words}")
        expect("lower" in entry or entry["accountant"] in absent, f"{entry} {absent}")
finish()
