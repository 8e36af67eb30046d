"""Notebooks as pages: each is executed while the site is built, so what it shows is what the module
of this build answers. An exception in a cell fails the build.

    python3 notebooks.py FILE.ipynb...     executes them and prints the seconds of each
"""
import os
import re
import sys
import time
from pathlib import Path

SECONDS = 120  # for one cell
# Pictures without a background: the page's own shows through, also at night.
PREAMBLE = """
%matplotlib inline
%config InlineBackend.figure_formats = ['svg']
import matplotlib
matplotlib.rcParams.update({'figure.figsize': (6.4, 3.4), 'figure.facecolor': 'none',
                            'axes.facecolor': 'none', 'savefig.facecolor': 'none',
                            'axes.spines.top': False, 'axes.spines.right': False,
                            'legend.frameon': False, 'svg.fonttype': 'path', 'svg.hashsalt': 'plaudit'})
"""


def executed(path):
    """The notebook with its outputs. :raises nbclient.exceptions.CellExecutionError: with the traceback."""
    import nbformat
    from nbclient import NotebookClient

    os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")  # the kernel has no debugger to warn of
    notebook = nbformat.read(str(path), as_version=4)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(PREAMBLE))
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    client = NotebookClient(notebook, timeout=SECONDS, resources={"metadata": {"path": str(Path(path).parent)}})
    client.execute()
    del notebook.cells[0]
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            # A picture or a table that fails to be made ends no cell; here it does.
            if output.output_type == "error" or output.get("name") == "stderr" and "Traceback" in output.text:
                raise RuntimeError(f"{path}: {cell.source}\n{output.get('text') or output.get('traceback')}")
    return notebook


def fenced(text, language, kind):
    fence = "`" * max([3] + [len(run) + 1 for run in re.findall("`+", text)])
    return f":::{{container}} {kind}\n{fence}{language}\n{text.rstrip()}\n{fence}\n:::\n"


def html(text, kind):
    fence = "`" * max([3] + [len(run) + 1 for run in re.findall("`+", text)])
    return f"{fence}{{raw}} html\n<div class=\"{kind}\">{text}</div>\n{fence}\n"


def output_as_markdown(output):
    if output.output_type == "stream":
        return fenced(output.text, "text", "cell-output" if output.name == "stdout" else "cell-output stderr")
    data = output.get("data", {})
    if "image/svg+xml" in data:
        picture = data["image/svg+xml"]
        return html(picture[picture.index("<svg"):], "cell-output picture")
    if "text/html" in data:
        table = re.sub(r"<style scoped>.*?</style>| border=\"1\"", "", data["text/html"], flags=re.DOTALL)
        return html(table, "cell-output table-wrapper")
    if "text/markdown" in data:
        return data["text/markdown"] + "\n"
    return fenced(data.get("text/plain", ""), "text", "cell-output")


def joined(outputs):
    """What was printed in pieces is one piece."""
    result = []
    for output in outputs:
        if result and output.output_type == result[-1].output_type == "stream" and output.name == result[-1].name:
            result[-1].text += output.text
        else:
            result.append(output)
    return result


def as_markdown(notebook):
    parts = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            parts.append(cell.source + "\n")
        elif cell.cell_type == "code":
            if "remove-input" not in cell.metadata.get("tags", []):
                # A semicolon that only silences the notebook is no part of the lesson.
                parts.append(fenced(re.sub(r";$", "", cell.source), "ipython3" if cell.source.startswith("%%")
                                    else "python", "cell-input"))
            parts += [output_as_markdown(output) for output in joined(cell.outputs)]
    return "\n".join(parts)


def setup(app):
    from myst_parser.parsers.sphinx_ import MystParser

    class NotebookParser(MystParser):
        supported = ("ipynb",)

        def parse(self, inputstring, document):
            path = document.settings.env.doc2path(document.settings.env.docname)
            super().parse(as_markdown(executed(path)), document)

    app.add_source_suffix(".ipynb", "ipynb")
    app.add_source_parser(NotebookParser)
    return {"parallel_read_safe": True}


if __name__ == "__main__":
    for file in sys.argv[1:]:
        start = time.monotonic()
        cells = executed(file).cells
        print(f"{file}: {len(cells)} cells, {time.monotonic() - start:.1f} s")
