"""A claim, which may come from anyone, could name any file of whoever audits it, and the error quoted what
was in it. Files are read only inside the folder of --allow-files, and never quoted."""
import os
import tempfile
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from _program import expect, finish, json, run  # noqa: E402

LAW = {"adjacency": "add/remove", "both": {"losses": ["-1/2", "1/4"], "masses": ["1/4", "3/4"]}}


def audit(file, *more):
    claim = {"id": "a", "spec": f'pld(file="{file}")', "kind": "upper", "delta": "1e-5", "epsilon": "5"}
    result = run("audit", "-", "--json", *more, stdin=json.dumps([claim]))
    return result.json()["claims"][0]["verdict"] if result.out else result.err


with tempfile.TemporaryDirectory() as folder:
    inside = os.path.join(folder, "laws")
    os.mkdir(inside)
    for name in ("laws/good.json", "outside.json", "laws-2.json"):
        pathlib.Path(folder, name).write_text(json.dumps(LAW))
    os.symlink(os.path.join(folder, "outside.json"), os.path.join(inside, "link.json"))
    os.symlink(folder, os.path.join(inside, "up"))
    good = os.path.join(inside, "good.json")
    expect("--allow-files" in audit(good), audit(good))
    expect(audit(good, "--allow-files", inside) == "valid", audit(good, "--allow-files", inside))
    for path in ("outside.json", "laws-2.json", "laws/../outside.json", "laws/link.json", "laws/up/outside.json",
                 "laws"):
        words = audit(os.path.join(folder, path), "--allow-files", inside)
        expect("plaudit: " in words, f"{path}: {words}")
    expect("--allow-files" in audit(good, "--allow-files", "/nowhere"), "no folder")
    # What the user types may name any file; nothing of it is quoted in either case.
    secret = "s3cret-of-the-file"
    laws = [secret, json.dumps({secret: 1}), json.dumps({**LAW, "adjacency": {secret: 1}})]
    for part in ("losses", "masses"):
        laws.append(json.dumps({**LAW, "both": {**LAW["both"], part: [secret, "1/4"]}}))
    laws.append(json.dumps({**LAW, "both": {**LAW["both"], secret: 1}}))
    laws.append(json.dumps({**LAW, "both": {**LAW["both"], "masses": ["31415926", "1/4"]}}))
    for law in laws:
        pathlib.Path(good).write_text(law)
        for words in (run("epsilon", f'pld(file="{good}")', "--delta", "1e-5").err,
                      audit(good, "--allow-files", inside)):
            expect("pld" in words and secret not in words and "31415926" not in words, words)
finish()
