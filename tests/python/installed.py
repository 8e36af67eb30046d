"""The installed package as it is: the module and the program of one wheel, where no compiler and no source is in reach.

tests/python/wheel.sh runs it for ./dev wheel, and cibuildwheel for each wheel of .github/workflows/wheels.yml.
"""
import json
import subprocess
import sys
from pathlib import Path

import plaudit as pl

assert "site-packages" in Path(pl.__file__).parts, pl.__file__
EXACT = 2.0858983612954  # of the README's run, to 14 digits, between the ends of every band of it

printed = subprocess.run([sys.executable, "-m", "plaudit", "epsilon", "poisson(gaussian(sigma=0.8), rate=0.004)^1000", "--delta",
                          "1e-7", "--json"], check=True, capture_output=True, text=True).stdout
answer = json.loads(printed)
assert answer["lower"].startswith("2.08589836129"), printed

run = pl.dpsgd(noise_multiplier=0.8, sample_rate=0.004, steps=1000)
band = run.epsilon(delta=1e-7)
assert band.certified and band.reached and band.lower <= EXACT <= band.upper, band
assert pl.audit([{"spec": "gaussian(1)", "delta": 1e-5, "epsilon": 4.3}]).summary["refuted"] == 1
assert pl.check_certificate(band.certificate())
assert pl.gaussian(1).epsilon(1e-5, accountant="gaussian_limit").upper > 4  # the estimate without FFTW
print(band)
