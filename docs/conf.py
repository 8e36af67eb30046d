"""How Sphinx builds the site from these pages: `./dev docs`.

The Markdown pages read well in a plain view of the repository too; what only the site can do (links
to files outside of this folder, formulas, notebooks, numbers of the audits) is in extensions/.
"""
import os
import re
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
sys.path.insert(0, str(DOCS / "extensions"))
# The module that `./dev docs` has built; its pages are made from its docstrings.
sys.path.insert(0, os.environ.get("PLAUDIT_PYTHON_PATH", str(ROOT / "build" / "python")))
os.environ["PYTHONPATH"] = sys.path[0]  # for the kernels of the notebooks

import audit_facts  # noqa: E402

project = "plaudit"
author = "the plaudit maintainers"
copyright = author
release = re.search(r"project\(plaudit VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "cpp_headers", "repository_links", "typeset", "formulas",
              "notebooks"]
root_doc = "index"
exclude_patterns = ["extensions"]
nitpicky = True
nitpick_ignore_regex = [
    # What is inside of the module, and types of other libraries, which this site does not contain.
    ("py:class", r"(plaudit\.)?_core\.(Audit|Band|Calibration(End)?|Comparison|Composition|PrivacyLoss|Session)"),
    ("py:class", r"plaudit\.(extend\.RegisteredAccountant|_searches\.holes\.(Hole|Template))"),
    # Aliases of annotations; the words of each docstring say what may stand there.
    ("py:class", r"(Scalar|Numbers?|Given|Run|Report)"),
    ("py:.*", r"(os|pandas|numpy|matplotlib|concurrent|fractions|decimal|Executor|Fraction|optional|Any|callable)\b.*"),
]

myst_enable_extensions = ["dollarmath", "substitution", "colon_fence"]
myst_dmath_double_inline = True  # $$...$$ within a paragraph
myst_heading_anchors = 4
myst_substitutions = audit_facts.substitutions(DOCS / "audits")
# Fences without a language are texts of all kinds.
highlight_language = "none"
suppress_warnings = ["myst.header"]  # a page whose headings skip a level is still a page

default_role = "literal"  # `x` in a docstring is code
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
autodoc_class_signature = "separated"  # users call functions; constructors take the module's core
python_use_unqualified_type_names = True
# Docstrings in numpy's style; the words for types are for people, and no names to be looked up.
napoleon_google_docstring = False
napoleon_use_param = False
napoleon_use_rtype = False


def setup(app):
    # |x| in a docstring is an absolute value, not a substitution.
    app.connect("autodoc-skip-member", lambda app, what, name, obj, skip, options: name == "__init__" or skip)
    app.connect("autodoc-process-docstring", lambda app, what, name, obj, options, lines: lines.__setitem__(
        slice(None), [line.replace("|", "\\|") for line in lines]))


html_theme = "furo"
html_title = "plaudit"
html_static_path = ["extensions/static"]
html_css_files = ["site.css"]
html_copy_source = False
# The page "Verify anywhere" as it is, and its engine where `./dev web` has built one.
html_extra_path = [str(path) for path in (ROOT / "web" / "site", ROOT / "build-web" / "site") if path.exists()]
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#225577", "color-brand-content": "#225577",
        "font-stack": "system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif",
    },
    # All of them: in Debian's furo the colours of the night need the switch at the top of the page.
    "dark_css_variables": {
        "color-brand-primary": "#88bbdd", "color-brand-content": "#88bbdd", "color-problematic": "#ee5151",
        "color-foreground-primary": "#ffffffcc", "color-foreground-secondary": "#9ca0a5",
        "color-foreground-muted": "#81868d", "color-foreground-border": "#666666",
        "color-background-primary": "#131416", "color-background-secondary": "#1a1c1e",
        "color-background-hover": "#1e2124ff", "color-background-hover--transparent": "#1e212400",
        "color-background-border": "#303335", "color-background-item": "#444",
        "color-highlighted-background": "#083563", "color-highlight-on-target": "#333300",
        "color-api-keyword": "#9ca0a5", "color-admonition-background": "#18181a",
        "color-guilabel-background": "#08356380", "color-guilabel-border": "#13395f80",
    },
}
