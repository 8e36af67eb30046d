"""report: one page about one run, as HTML and as Markdown; its certificate is accepted."""
import html.parser
import json
import os
import re
import tempfile

from _program import EXAMPLE, expect, expect_refused, finish, run

VOID = {"meta", "br", "img", "hr", "input", "link"}


class Balanced(html.parser.HTMLParser):
    """Whether every element that begins ends, and what texts there are."""

    def __init__(self):
        super().__init__()
        self.open, self.wrong, self.texts, self.tags = [], [], [], set()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.add(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)

    def handle_data(self, data):
        self.texts.append(data)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


with tempfile.TemporaryDirectory() as folder:
    page = os.path.join(folder, "a.html")
    result = run("report", EXAMPLE, "--delta", "1e-7", "--output", page)
    expect(result.status == 0 and not result.out, f"{result.status} {result.err}")
    text = read(page)
    parser = Balanced()
    parser.feed(text)
    expect(not parser.wrong and not parser.open, f"{parser.wrong} {parser.open}")
    expect("script" not in parser.tags and "http://www.w3.org" in text, "no script")
    for words in ("epsilon &lt;= 2.0859 at delta = 1e-7, certified", "What attackers can reach", "prefers-color-scheme",
                  "0.0950191", "docs/proofs/tradeoff.md#two-sides", "adjacency add_remove", "width=device-width"):
        expect(words in text, f"the page lacks {words}")
    expect(text.count("<svg") == 4, "two pictures, wide and narrow")
    # The certificate in the page proves the epsilon.
    proof = html.unescape(re.search(r"<pre[^>]*>(.*?)</pre>", text, re.S).group(1))
    expect(json.loads(proof)["spec"] == EXAMPLE, proof[:200])
    saved = os.path.join(folder, "c.json")
    with open(saved, "w", encoding="utf-8") as file:
        file.write(proof)
    expect(run("check", saved).status == 0, "the certificate is rejected")

    note = os.path.join(folder, "a.md")
    result = run("report", "laplace(scale=2)^3 * gaussian(3)", "--delta", "1e-6", "--output", note,
                 "--prior", "1/100", "--fpr", "0,1e-4,1e-2")
    expect(result.status == 0, result.err)
    text = read(note)
    expect(text.startswith("# epsilon") and "| 3 | laplace(scale=2) |" in text, text[:600])
    expect("prior of 0.01" in text and "rate of 0.0001" in text, "rates and priors")
    shown = run("report", "laplace(scale=2)^3 * gaussian(3)", "--delta", "1e-6", "--prior", "1/100",
                "--fpr", "0,1e-4,1e-2").out
    expect(shown == text, "the same on standard output")

    # What others wrote is no markup.
    law = os.path.join(folder, "x.json")
    with open(law, "w", encoding="utf-8") as file:
        json.dump({"description": "<script>alert(1)</script>", "adjacency": "<img src=x>|*", "both": {
            "losses": ["-1", "1"], "masses": [["0.2689414", "0.2689415"], ["0.7310585", "0.7310586"]]}}, file)
    result = run("report", f'pld(file="{law}")', "--delta", "1e-7", "--output", page)
    expect(result.status in (0, 2, 4), result.err)
    if result.status != 2:
        expect("<img src=x" not in read(page) and "<script>" not in read(page), "markup")

expect_refused(["--output"], "report", "gaussian(1)", "--delta", "1e-7", "--output", "a.pdf")
expect_refused(["--output"], "report", "gaussian(1)", "--delta", "1e-7", "--output", "/nowhere/a.html")
expect_refused(["--delta"], "report", "gaussian(1)", "--delta", "2")
expect_refused(["--prior"], "report", "gaussian(1)", "--delta", "1e-7", "--prior", "2")
unbounded = run("report", "pure(epsilon=1)^5 * approximate(epsilon=1, delta=1e-3)", "--delta", "1e-7")
expect("epsilon is not bounded" in unbounded.out, unbounded.out[:200] + unbounded.err)

finish()
