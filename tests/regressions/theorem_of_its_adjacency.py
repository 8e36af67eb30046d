"""`report` quoted the theorem for replace as the reason of a Poisson sample under add/remove, and likewise wherever
a mechanism has a theorem for each adjacency. A number of steps was broken in its cell, "1406 3"."""
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from _program import expect, finish, run  # noqa: E402

KAHANE, ZERO_OUT, ZHU = "mirror image", "zero-out", "((1-rate) Q + rate P, Q)"
GANESH, REPLACE = "2401.10294", "sampling.md#replacement"
FIXED = "without_replacement(gaussian(sigma=8, sensitivity=2), batch=10, population=1000, adjacency="
for spec, quoted, not_quoted in (
        ("poisson(gaussian(sigma=2), rate=0.01)", ZHU, (KAHANE, ZERO_OUT)),
        ("poisson(laplace(10), rate=0.01)", ZHU, (KAHANE, ZERO_OUT)),
        ("poisson(gaussian(sigma=2), rate=0.01, adjacency=zero_out)", ZERO_OUT, (KAHANE,)),
        ("poisson(gaussian(sigma=2), rate=0.01, adjacency=replace)", KAHANE, (ZHU, ZERO_OUT)),
        (FIXED + "add_remove)", GANESH, (REPLACE,)),
        (FIXED + "replace)", REPLACE, (GANESH,)),
        ("group(poisson(gaussian(sigma=2), rate=0.01), size=2)", GANESH, (REPLACE,)),
        (f"group({FIXED}replace), size=2)", REPLACE, (GANESH,)),
        ("pair(poisson, sigma=2, rate=0.01)", "as poisson", ("not-dominating",)),
        ("pair(without_replacement, sigma=2, rate=0.01)", "not-dominating", ("as poisson",))):
    done = run("report", spec, "--delta", "1e-5", "--digits", "5")
    row = re.search(r"why its pair dominates \|\n\|[-|]*\n(\|.*)\n", done.out.replace("\\", ""))
    expect(row is not None, f"{spec}: {done.out[:300]} {done.err}")
    expect(row and quoted in row[1], f"{spec}: {row and row[1]}")
    for words in not_quoted:
        expect(row and words not in row[1], f"{spec}: quotes {words}: {row and row[1]}")

with tempfile.TemporaryDirectory() as folder:
    page = os.path.join(folder, "page.html")
    run("report", "gaussian(sigma=100)^14063", "--delta", "1e-5", "--digits", "5", "--output", page)
    text = open(page, encoding="utf-8").read()
    expect("<td>14063</td>" in text, "the number is a cell")
    # As measured in tests/cli/report_in_browser.py: a cell breaks no word but long ones.
    expect("td{overflow-wrap:break-word}" in text, "a cell may be broken anywhere")
finish()
