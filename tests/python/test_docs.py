"""The pages of docs/: the examples of python.md hold, the tutorials run, formulas keep their words.

    python3 -m pytest tests/python/test_docs.py        with the module plaudit on PYTHONPATH
"""
import doctest
import os
import re
import sys
import time
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
sys.path.insert(0, str(DOCS / "extensions"))

import audit_facts  # noqa: E402
import cpp_headers  # noqa: E402
import formulas  # noqa: E402

SLOW = os.environ.get("PLAUDIT_SLOW", "0") != "0"
PROOFS = sorted((DOCS / "proofs").glob("*.md"))
TUTORIALS = sorted((DOCS / "tutorials").glob("*.ipynb"))


def test_examples_of_the_guide():
    pytest.importorskip("plaudit")
    pytest.importorskip("pandas")
    failed, tried = doctest.testfile(str(DOCS / "python.md"), module_relative=False)
    assert tried > 30 and failed == 0


def test_what_is_typed_from_intuition():
    pytest.importorskip("plaudit")
    pytest.importorskip("pandas")
    failed, tried = doctest.testfile(str(DOCS / "typed.md"), module_relative=False)
    assert tried > 40 and failed == 0


def test_questions_people_ask():
    pytest.importorskip("plaudit")
    failed, tried = doctest.testfile(str(DOCS / "questions.md"), module_relative=False)
    assert tried > 40 and failed == 0
    assert (DOCS / "questions.md").read_text().count("\n**") >= 40


def test_examples_of_what_curves_mean():
    pytest.importorskip("plaudit")
    failed, tried = doctest.testfile(str(DOCS / "meaning.md"), module_relative=False)
    assert tried >= 7 and failed == 0


def test_examples_of_observations():
    pytest.importorskip("plaudit")
    failed, tried = doctest.testfile(str(DOCS / "observe.md"), module_relative=False)
    assert tried >= 3 and failed == 0


def test_examples_of_ledgers():
    pytest.importorskip("plaudit")
    failed, tried = doctest.testfile(str(DOCS / "ledger.md"), module_relative=False)
    assert tried >= 6 and failed == 0


SMALLER = {"auditor": [("(500, 2000, 100, 60)", "(400, 600, 40, 20)"), ("np.logspace(-3, 0, 40)", "np.logspace(-3, 0, 8)")],
           "accountant_author": [("pl.random_runs(200)", "pl.random_runs(30)")]}


@pytest.mark.parametrize("path", TUTORIALS, ids=lambda path: path.stem)
def test_tutorial(path, tmp_path):
    """Outside of the checkout, as who downloads it runs it; with PLAUDIT_SLOW=1 that which compiles a plug-in of the checkout
    runs there too, as it does while the site is built, and as plugin_consumer compiles it.
    What takes long has less data here than on the page; the site's build executes all of it."""
    pytest.importorskip("plaudit")
    pytest.importorskip("ipykernel")
    pytest.importorskip("nbclient")
    import notebooks

    start = time.monotonic()
    elsewhere = tmp_path / path.name
    text = path.read_text()
    for shown, smaller in SMALLER.get(path.stem, []):
        assert shown in text
        text = text.replace(shown, smaller)
    elsewhere.write_text(text)
    cells = notebooks.executed(elsewhere).cells
    if "tests/plugin_consumer" in text and SLOW:
        cells = notebooks.executed(path).cells
    assert sum(len(cell.get("outputs", [])) for cell in cells) >= 4
    assert any("image/svg+xml" in output.get("data", {}) for cell in cells for output in cell.get("outputs", []))
    print(f"{path.stem}: {time.monotonic() - start:.1f} s")


@pytest.mark.parametrize("path", TUTORIALS, ids=lambda path: path.stem)
def test_tutorials_are_kept_without_outputs(path):
    nbformat = pytest.importorskip("nbformat")
    notebook = nbformat.read(str(path), as_version=4)
    nbformat.validate(notebook)
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in notebook.cells)


@pytest.mark.parametrize("source", ["1 / 0", """
class Table:
    def _repr_html_(self):
        raise ValueError("no table")
Table()"""])
def test_a_cell_that_fails(source, tmp_path):
    pytest.importorskip("ipykernel")
    pytest.importorskip("nbclient")
    import nbformat
    import notebooks

    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
    nbformat.write(notebook, str(tmp_path / "one.ipynb"))
    with pytest.raises(Exception, match="ZeroDivisionError|no table"):
        notebooks.executed(tmp_path / "one.ipynb")


def test_there_are_six_tutorials():
    assert len(TUTORIALS) == 6


# ---- Formulas

def bare(text):
    """Without what only groups: spaces, parentheses, and the mark of an index that is a digit;
    epsilon and eps are one letter."""
    return re.sub(r"_(?=\d)", "", re.sub(r"[\s(){}]", "", text)).replace("epsilon", "eps")


def undone(text):
    """A page of TeX as the plain text that it came from."""
    def display(match):
        lines = [re.sub(r"\\begin\{aligned\}|\\end\{aligned\}|^ *& | \\\\$|\\quad |\\qquad ?|\\text(?=\{\()", "", line)
                 for line in match.group(1).split("\n")]
        return "\n".join(map(formulas.plain, lines))

    text = re.sub(r"\$\$\n(.*?)\n *\$\$", display, text, flags=re.DOTALL)
    text = text.replace("\\*", "*")
    text = re.sub(r"\$([^$]*)\$", lambda match: formulas.plain(match.group(1)), text)
    for word, sign in formulas.SIGNS.items():
        text = text.replace(sign, word)
    return text


@pytest.mark.parametrize("path", PROOFS, ids=lambda path: path.stem)
def test_formulas_keep_their_words(path):
    text = path.read_text()
    if "$" in text:
        pytest.skip("its formulas are TeX in the file")
    page = formulas.page(text)
    assert page.count("$") > 20
    assert bare(undone(page)) == bare(text)


@pytest.mark.parametrize("plain, tex", [
    ("e^(-t eps)", r"e^{-t\, \varepsilon}"),
    ("delta* - m_inf", r"\delta^{*} - m_{\infty}"),
    ("sum_(k : x_k > 0) C(n,k)", r"\sum _{k : x_{k} > 0}\, C(n, k)"),
    ("p_i^k_i / k_i!", r"p_{i}^{k_{i}} / k_{i}!"),
    ("r^|k| <= 1e-290", r"r^{\vert k\vert } \le {10}^{-290}"),
    ("sqrt(2 pi) M'_i", r"\sqrt{2\, \pi}\, {M'}_{i}"),
    ("z_k = t + ikh", r"z_{k} = t + ikh"),
    ("(-inf, +inf]", r"(-\infty , +\infty ]"),
])
def test_formula(plain, tex):
    assert re.sub(r"\s", "", formulas.tex(plain)) == re.sub(r"\s", "", tex)


@pytest.mark.parametrize("text", ["f(x", "x_(1", "^2", "the number", "a_b_c", "x \\ y", "[1}"])
def test_what_is_no_formula_is_refused(text):
    with pytest.raises(formulas.NoFormula):
        formulas.tex(text)


@pytest.mark.parametrize("text", [
    "A ball of any size is a set.", "N. Higham, section 5.1", "`delta <= x` in code stays",
    "see [the page](x_1.md#a_b)", "arXiv 2106.08567"])
def test_prose_stays(text):
    assert formulas.page(text) == text


@pytest.mark.parametrize("text, page", [
    ("So for delta* > 0 every x", r"So for $\delta^{*} > 0$ every $x$"),
    ("at -inf delta <= 1", r"at $-\infty$ $\delta \le 1$"),
    ("z = t + is; then it is a set", "$z = t + is$; then it is a set"),
    ("*Derivation.* of a and b.", "*Derivation.* of a and $b$."),
])
def test_formulas_in_prose(text, page):
    assert re.sub(r"\s", "", formulas.page(text)) == re.sub(r"\s", "", page)


# ---- Pages made from other files

def test_every_public_name_is_in_the_cpp_reference():
    for header in sorted(cpp_headers.API.glob("*.hpp")):
        page = cpp_headers.markdown(header.name)
        code = header.read_text()
        for name in re.findall(r"^(?:class|struct|enum class) (\w+)(?= [:{f])", code, re.MULTILINE):
            assert f"`{name}`" in page or f"{name} " in page, (header.name, name)
        assert "private:" not in page and "data_;" not in page
        assert f"<!-- header: {header.name} -->" in (DOCS / "reference" / "cpp.md").read_text()


def test_front_page_counts(tmp_path):
    (tmp_path / "verdicts.csv").write_text(
        "peer,spec,delta,direction,kind,peer_epsilon,certified_lower,certified_upper,verdict,gap_epsilon,gap_delta\n"
        'opacus_rdp,"gaussian(1)",1e-5,both,upper,5,4.37,4.38,valid,0.63,\n'
        'x,"gaussian(1)",1e-9,both,upper,4,4.37,4.38,refuted as upper bound,0.37,\n'
        'x,"gaussian(2)",1e-5,both,upper,2,1,1.1,valid,1,\n'
        'x,"gaussian(3)",1e-5,both,upper,,1,1.1,timeout,,\n')
    (tmp_path / "settings.csv").write_text(
        "spec,delta,direction,certified_lower,certified_upper,plaudit_seconds\n"
        '"gaussian(1)",1e-5,both,4.37,4.38,0.002\n"gaussian(1)",1e-5,remove,4.37,4.38,0.004\n')
    facts = audit_facts.substitutions(tmp_path)
    assert (facts["judged"], facts["refuted"], facts["unsafe"], facts["settings"]) == ("3", "1", "1", "1")
    assert facts["undecided"] == facts["renyi_refuted"] == "none"
    assert facts["median_seconds"] == "3.0 ms" and facts["worst_is"] == "4.37"
    assert "1 of 2" in facts["verdicts_picture"] and "0 of 1" in facts["verdicts_picture"]


def test_front_page_uses_known_facts():
    used = set(re.findall(r"\{\{ (\w+) \}\}", (DOCS / "index.md").read_text()))
    assert used and used <= set(audit_facts.substitutions(DOCS / "audits"))
