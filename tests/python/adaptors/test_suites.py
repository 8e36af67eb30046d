"""The test files of dp_accounting and Opacus, run with our accountants in the place of theirs (suites.py): each test passes, or
stands in suites.tsv with the reason why it cannot."""
import csv
import fnmatch
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).parent
REASONS = list(csv.DictReader((HERE / "suites.tsv").open(), delimiter="\t"))
#: How many tests each has, and how many pass, in the versions of requirements.txt.
COUNTS = {"base": (13, 13), "pld": (68, 65), "rdp": (142, 128), "opacus": (15, 15)}


@pytest.mark.parametrize("suite", COUNTS)
def test_their_suite(suite):
    pytest.importorskip("opacus" if suite == "opacus" else "dp_accounting")
    done = subprocess.run([sys.executable, str(HERE / "suites.py"), suite, "--verbose"], capture_output=True, text=True, check=False)
    verdicts = [line.split() for line in done.stdout.splitlines() if line.startswith(("passed", "failed"))]
    failed = [words[1] for words in verdicts if words[0] == "failed"]
    expected = [row["test"] for row in REASONS if row["suite"] == suite]
    unexpected = [name for name in failed if not any(fnmatch.fnmatch(name, each) for each in expected)]
    assert not unexpected, done.stdout[-3000:] + done.stderr[-1000:]
    unused = [each for each in expected if not any(fnmatch.fnmatch(name, each) for name in failed)]
    assert not unused, f"these pass now, or are gone: {unused}"
    assert (len(verdicts), len(verdicts) - len(failed)) == COUNTS[suite]
