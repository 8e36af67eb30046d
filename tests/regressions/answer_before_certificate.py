# Where no certificate could be made the answer was lost: nothing was printed, exit status 2. The answer comes first now,
# with its own exit status, and one line on standard error says why there is no certificate.
import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
from _certificate import *

# out of reach of every kind: the time limit ends the search
spec = "poisson(gaussian(sigma=0.7), rate=0.001)^3 * laplace(scale=3) * poisson(discrete_gaussian(sigma=50), rate=0.01)^7"
query = ["epsilon", spec, "--delta", "1e-9", "--digits", "5", "--timeout", "2"]
plain = run(*query)
with_certificate = run(*query, "--certificate", PATH)
expect(with_certificate.status == plain.status, f"status {with_certificate.status}, not {plain.status}")


def band(result):
    return [line for line in result.out.splitlines() if line.strip().startswith("epsilon  ")]


expect(len(band(with_certificate)) == 1, f"no answer: {with_certificate.out!r} {with_certificate.err!r}")
if os.path.exists(PATH):
    expect(run("check", PATH).status == 0, "a certificate that is not accepted")
else:
    expect(with_certificate.err.startswith("plaudit: no certificate: "), f"no reason: {with_certificate.err!r}")
    expect(with_certificate.err.count("\n") == 1, f"not one line: {with_certificate.err!r}")
# and what can never be written is refused before any work
for path in ("no-such-folder/f.json", FOLDER.name):
    expect_refused("--certificate", *query, "--certificate", path)
finish()
