"""A grid took the atoms at its points, some millions, without a look at the clock: only the backstop ended it,
the other band was lost, and that there was no certificate was not said."""
import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from _program import expect, finish, run  # noqa: E402

with tempfile.TemporaryDirectory() as folder:
    law = pathlib.Path(folder) / "law.json"
    losses = ["-24/40", "20/40", "64/40", "66/40", "110/40", "144/40", "194/40", "238/40", "256/40"]
    masses = [f"{mass}/1000" for mass in (407, 269, 304, 5, 6, 2, 1, 3, 3)]
    law.write_text(json.dumps({"adjacency": "add/remove", "both": {"losses": losses, "masses": masses}}))
    spec = f'poisson(pld(file="{law}"), rate=0.00838)^9782'
    certificate = str(pathlib.Path(folder) / "certificate.json")
    result = run("epsilon", spec, "--delta", "1e-19", "--digits", "30", "--timeout", "2", "--json", "--certificate", certificate)
    what = f"{result.status} {result.out} {result.err}"
    expect(result.status == 4, what)
    answer = json.loads(result.out)
    expect(answer["accountant"] != "none" and answer["upper"] != "inf", what)
    # on a slow machine the band may be so wide that it has a certificate
    expect(pathlib.Path(certificate).exists() or "no certificate" in result.err, what)
finish()
