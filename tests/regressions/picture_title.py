"""The title of a picture was a command line of gnuplot: what a spec or a file said stood in another
program's language. Pictures are written by plaudit alone now, where no program can be started."""
import os
import tempfile
import xml.etree.ElementTree as ElementTree
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from _program import expect, finish, json, run  # noqa: E402

with tempfile.TemporaryDirectory() as folder:
    law = os.path.join(folder, "a' . `touch x` & <b> law.json")
    pathlib.Path(law).write_text(json.dumps(
        {"adjacency": "'\n!touch y\n<script>", "both": {"losses": ["-1/2", "1/4"], "masses": ["1/4", "3/4"]}}))
    picture = os.path.join(folder, "it's a picture.svg")
    for spec, query in ((f'pld(file="{law}")', ["--epsilon", "0:0.2:0.1"]),
                        ("gaussian(sigma=1)", ["--delta", "1e-300:1e-5:5"]),
                        ("pure(epsilon=1)", ["--epsilon", "0:3:1"]),
                        ("gaussian(sigma=1)", ["--epsilon", "1e300:1e300:1"])):
        result = run("curve", spec, *query, "--svg", picture, env={"PATH": folder})
        expect(result.status in (0, 4), f"{spec}: {result.status} {result.err}")
        if result.status in (0, 4):
            root = ElementTree.parse(picture).getroot()
            words = [each.text or "" for each in root.iter("{http://www.w3.org/2000/svg}text")]
            expect(any(spec[:20] in each for each in words), f"{spec}: title {words[:3]}")
            expect(any(each.startswith("adjacency ") for each in words), f"{spec}: {words[:3]}")
            expect(not list(root.iter("{http://www.w3.org/2000/svg}script")), spec)
    expect(sorted(os.listdir(folder)) == sorted([os.path.basename(law), os.path.basename(picture)]),
           str(os.listdir(folder)))
finish()
