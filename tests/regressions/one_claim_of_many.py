"""One claim could take the verdicts of all others with it: a number of 1e308 with --html (a division by
zero in the picture), a law "file" that cannot be read, a row of CSV with a cell too many. And a report
that could not be written was found so after all the work."""
import os
import tempfile
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from _program import expect, finish, json, run  # noqa: E402

GOOD = {"spec": "gaussian(1)", "kind": "upper", "delta": "1e-5", "epsilon": "5"}


def verdicts(bad, *more):
    claims = [{"id": "bad", **GOOD, **bad}, {"id": "good", **GOOD}]
    result = run("audit", "-", "--json", *more, stdin=json.dumps(claims))
    found = {f["id"]: f["verdict"] for f in result.json()["claims"]} if result.out else {}
    expect(found.get("good") == "valid" and result.status in (0, 2, 3, 4), f"{bad}: {result.status} {found} {result.err}")
    return found.get("bad")


with tempfile.TemporaryDirectory() as folder:
    html = os.path.join(folder, "a.html")
    for epsilon in ("1e308", "1e309", "-1e308", "1e5000", "inf"):
        verdicts({"epsilon": epsilon}, "--html", html)
        expect(os.path.getsize(html) > 1000, f"html at {epsilon}")
        verdicts({"quantity": "delta", "epsilon": epsilon, "delta": "1e-5"}, "--html", html)
    for file in ("/proc/self/mem", "/dev/zero", folder, "/nowhere"):
        expect(verdicts({"spec": f'pld(file="{file}")'}, "--allow-files", "/") == "error", file)
    rows = "id,spec,delta,epsilon,kind\na,gaussian(1),1e-5,5,upper\nb,gaussian(1),1e-5,5,upper,7\n"
    result = run("audit", "-", "--json", stdin=rows)
    found = result.json()["claims"] if result.out else []
    expect([f["verdict"] for f in found] == ["valid", "error"], f"CSV: {found} {result.err}")
    expect(len(found) == 2 and "line 3, column 6" in found[1]["reason"], f"CSV: {found}")
    # Refused before the work: these claims take all the time they are given.
    hard = json.dumps([{"id": "a", **GOOD, "spec": " * ".join(f"pure(epsilon={i + 1})" for i in range(3000))}])
    for option in ("--html", "--markdown", "--certificates"):
        result = run("audit", "-", option, "/nowhere/at/all/" if option != "--certificates" else "/proc/nowhere",
                     "--timeout", "20", stdin=hard)
        expect(result.status == 2 and option in result.err, f"{option}: {result.status} {result.err}")
        expect(result.seconds < 5, f"{option}: only after the work")
finish()
