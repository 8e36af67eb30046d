"""A law of two atoms whose masses are intervals of a hundredth: no precision narrows what they leave open. `epsilon` went
up to 20,000 bits for that and asked all other accountants (9 s), `report` took its 60 s for the same at each of its
points."""
import json
import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from _program import expect, finish, run  # noqa: E402

LAW = {"adjacency": "add/remove", "both": {"losses": ["-1", "1"], "masses": [["0.26", "0.27"], ["0.73", "0.74"]]}}
# An end of these bands is 0 or infinite at any precision.
OPEN = {"adjacency": "add/remove", "both": {"losses": ["-1", "1"], "masses": [["0", "0.5"], ["0.5", "1"]], "infinite": ["0", "0.2"]}}
MOST_BITS = 400  # of 12 digits, raised three times in vain

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "law.json")
    pathlib.Path(path).write_text(json.dumps(LAW))
    spec = f'pld(file="{path}")'
    for question, spec, low, high in [
            (("delta", "--epsilon", "0.3"), spec, 0.3674, 0.3726),
            (("epsilon", "--delta", "1e-7"), spec, 0.99999986, 0.99999987),
            (("epsilon", "--delta", "1e-7"), f"poisson({spec}, rate=0.1)", 0.1585, 0.1586)]:
        command, *rest = question
        found = run(command, spec, *rest, "--json", "--timeout", "1000")
        answer = json.loads(found.out)
        what = f"{command} {spec}: {found.out[-700:]}"
        expect(found.status == 4 and answer["stopped_by"] == "law", what)
        expect(low < float(answer["lower"]) < float(answer["upper"]) < high, what)
        if "poisson" not in spec:  # there another sum is asked first, with bits enough
            bits = int(answer["method"].split("single step, ")[1].split()[0])
            expect(bits < MOST_BITS, what)
        expect("intervals" in answer["remark"] and "no more digits" not in answer["remark"], what)
    pathlib.Path(path).write_text(json.dumps(OPEN))
    for command, option, value, low, high in [
            ("epsilon", "--delta", "1e-7", 0, float("inf")), ("epsilon", "--delta", "0.1", 0.7754, float("inf")),
            ("delta", "--epsilon", "5", 0, 0.2001), ("delta", "--epsilon", "0.3", 0.2516, 0.7035)]:
        found = run(command, f'pld(file="{path}")', option, value, "--json", "--timeout", "1000")
        answer = json.loads(found.out)
        what = f"{command} at {value}: {found.out[-700:]}"
        expect(found.status == 4 and answer["stopped_by"] == "law", what)
        expect(low <= float(answer["lower"]) <= float(answer["upper"]) <= high, what)
    exact = {**LAW, "both": {**LAW["both"], "masses": ["0.265", "0.735"]}}
    pathlib.Path(path).write_text(json.dumps(exact))
    found = run("delta", f'pld(file="{path}")', "--epsilon", "0.3")
    expect(found.status == 0, f"an exact law: {found.out}")
finish()
