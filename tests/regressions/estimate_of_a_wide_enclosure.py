#!/usr/bin/env python3
"""prv said as its estimate the upper end of an enclosure, however wide: 0.000124 for a delta of
0.0000521 where the composed lattice had not converged, and 5.836 for an epsilon of 5.344. An estimate
is a point near the truth, or absent."""
import json
import os
import re
import subprocess

SPEC = "poisson(gaussian(0.8), 0.004)^1000 * laplace(10)^100"


def ask(accountant):
    command = [os.environ["PLAUDIT_PROGRAM"], "delta", SPEC, "--epsilon", "4", "--direction", "remove",
               "--json", "--accountant", accountant]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode in (0, 4), run.stderr
    return json.loads(run.stdout)


truth = float(ask("contour")["upper"])
for settings in ("", "(mode=tight)", "(mode=published)", "(mode=algorithm)"):
    method = ask("prv" + settings)["method"]
    for said in re.findall(r"(?:estimate|middle) ([0-9.e+-]*[0-9])", method):
        assert abs(float(said) / truth - 1) < 0.05, (settings, method, truth)
found = ask("prv(mode=algorithm)")["method"]
assert " middle " in found, found
print("ok")
