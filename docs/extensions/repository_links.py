"""Links that work in a plain view of the repository work on the site.

Pages of the repository outside of docs/ stand on the site under the name of a stub, which says
`<!-- mirrors: ../FILE -->`. Links to them, and theirs to others, are rewritten; links to a folder go
to its README or to the page in FOLDERS. The anchors `<a id="x"></a>` of the pages are targets of
links, and mentions of a proof page in prose, `x.md#anchor`, become links. What leads nowhere is a
warning, and warnings fail the build.
"""
import os
import re
from pathlib import Path

from docutils import nodes
from sphinx.transforms import SphinxTransform

DOCS = Path(__file__).resolve().parent.parent
ROOT = DOCS.parent
FOLDERS = {"docs/proofs": "docs/theory.md"}
# Pages that list others in prose; the site wants to know who belongs to whom.
CHILDREN = {"certificates": "certificates/*.md", "published/README": "published/[!R]*.md"}
MIRRORS = re.compile(r"<!-- mirrors: (\S+) -->")
LINK = re.compile(r"\]\(([^)\s#]+)(#[^)\s]*)?\)")
ANCHOR = re.compile(r"""<a\s+id="([^"]+)">""")
MENTION = re.compile(r"(?<![\w/(\[`])([a-z_]+\.md)(#[\w-]+)?(?![\w`\]])")


def mirrored():
    """The page on the site, relative to ROOT, of each file that a stub mirrors."""
    pages = {}
    for stub in DOCS.rglob("*.md"):
        match = MIRRORS.search(stub.read_text())
        if match:
            original = (stub.parent / match.group(1)).resolve().relative_to(ROOT)
            pages[str(original)] = str(stub.relative_to(ROOT))
    return pages


def without_code(pattern, change, text):
    """Replaces matches of a pattern outside of code spans, fences and indented blocks."""
    parts = re.split(r"(^(?:```|~~~).*?^(?:```|~~~)$|^(?: {4}[^\n]*\n)+|`[^`\n]*`)", text,
                     flags=re.DOTALL | re.MULTILINE)
    return "".join(part if i % 2 else pattern.sub(change, part) for i, part in enumerate(parts))


def read(app, docname, source):
    path = Path(app.env.doc2path(docname))
    if path.suffix != ".md":
        return
    text, origin = source[0], path
    stub = MIRRORS.search(text)
    if stub:
        origin = (path.parent / stub.group(1)).resolve()
        app.env.note_dependency(str(origin))
        text = origin.read_text()

    def change(match):
        target, anchor = match.group(1), match.group(2) or ""
        if ":" in target:
            return match.group(0)
        file = Path(os.path.normpath(origin.parent / target))
        if not file.exists() or not file.is_relative_to(ROOT):
            return match.group(0)
        name = str(file.relative_to(ROOT))
        if file.is_dir():
            name = FOLDERS.get(name, f"{name}/README.md")
        name = app.plaudit_mirrored.get(name, name)
        return f"]({os.path.relpath(ROOT / name, path.parent)}{anchor})"

    def mention(match):
        page = origin.parent / match.group(1)
        if page.exists() and page != origin:
            return f"[{match.group(0)}]({match.group(0)})"
        return match.group(0)

    for parent, pages in CHILDREN.items():
        if docname == parent:
            children = sorted(str(page.relative_to(path.parent).with_suffix(""))
                              for page in DOCS.glob(pages))
            text += "\n```{toctree}\n:hidden:\n\n" + "\n".join(children) + "\n```\n"
    if docname.startswith("proofs/"):
        text = without_code(re.compile(r"\[[^\]]*\]\([^)]*\)|" + MENTION.pattern),
                            lambda m: m.group(0) if m.group(0)[0] == "[" else mention(m), text)
    source[0] = without_code(LINK, change, text)


class Anchors(SphinxTransform):
    """`<a id="x"></a>` in Markdown is a target that other pages can name."""

    default_priority = 200

    def apply(self):
        domain = self.env.get_domain("std")
        file = self.env.doc2path(self.env.docname, base=False)
        for node in list(self.document.findall(nodes.raw)):
            match = ANCHOR.match(node.astext())
            if not match:
                if node.astext().strip() == "</a>":
                    node.parent.remove(node)
                continue
            name = match.group(1)
            node.replace_self(nodes.target("", "", ids=[name]))
            domain.anonlabels[f"{file}#{name}"] = self.env.docname, name
            domain.labels[f"{file}#{name}"] = self.env.docname, name, name


def started(app):
    app.plaudit_mirrored = mirrored()


def setup(app):
    app.connect("builder-inited", started)
    app.connect("source-read", read)
    app.add_transform(Anchors)
    return {"parallel_read_safe": False}
