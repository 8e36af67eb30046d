"""Formulas are typeset while the site is built, by KaTeX: readers' browsers run nothing and ask
nobody. A formula that is no TeX is a warning, and warnings fail the build."""
import json
import os
import shutil
import subprocess
from pathlib import Path

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.util import logging

KATEX = Path(os.environ.get("PLAUDIT_KATEX", "/usr/share/javascript/katex"))  # Debian: libjs-katex
FONTS = Path("/usr/share/fonts/truetype/katex")  # Debian: fonts-katex
SERVER = """
const katex = require(process.argv[1]);
require('readline').createInterface({input: process.stdin}).on('line', line => {
  const [tex, displayMode] = JSON.parse(line);
  let answer;
  try {
    answer = {html: katex.renderToString(tex, {displayMode, throwOnError: true, strict: 'ignore'})};
  } catch (error) { answer = {error: error.message}; }
  process.stdout.write(JSON.stringify(answer) + '\\n');
});
"""
logger = logging.getLogger(__name__)


class Typesetter:
    """One process of Node.js for all formulas."""

    def __init__(self):
        self.process, self.known = None, {}

    def __call__(self, tex, display):
        key = tex, display
        if key not in self.known:
            if self.process is None:
                self.process = subprocess.Popen(
                    ["node", "-e", SERVER, str(KATEX / "katex.min.js")], stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE, text=True)
            self.process.stdin.write(json.dumps([tex, display]) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
            if not line:
                raise ExtensionError("node has ended; are nodejs and libjs-katex installed?")
            self.known[key] = json.loads(line)
        return self.known[key]

    def close(self):
        if self.process:
            self.process.stdin.close()
            self.process.wait()


typesetter = Typesetter()


def typeset(translator, node, display):
    answer = typesetter(node.astext(), display)
    if "error" in answer:
        logger.warning("formula: %s: %s", node.astext(), answer["error"], location=node)
        translator.body.append(translator.encode(node.astext()))
    elif display:
        translator.body.append(f'<div class="formula">{answer["html"]}</div>\n')
    else:
        translator.body.append(answer["html"])
    raise nodes.SkipNode


def finished(app, exception):
    typesetter.close()
    if exception or app.builder.format != "html":
        return
    target = Path(app.outdir) / "_static" / "katex"
    (target / "fonts").mkdir(parents=True, exist_ok=True)
    shutil.copy(KATEX / "katex.min.css", target)
    fonts = KATEX / "fonts"
    for font in (fonts if fonts.exists() else FONTS).glob("*.woff2"):
        shutil.copy(font, target / "fonts")


def setup(app):
    app.add_html_math_renderer(
        "katex", inline_renderers=(lambda self, node: typeset(self, node, False), None),
        block_renderers=(lambda self, node: typeset(self, node, True), None))
    app.config.html_math_renderer = "katex"
    app.connect("build-finished", finished)
    app.add_css_file("katex/katex.min.css")
    return {"parallel_write_safe": False}
