"""--timeout nan was taken as a limit that never comes. Limits that are none are refused by name."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from _program import expect_refused, finish  # noqa: E402

QUERY = ["epsilon", "gaussian(1)", "--delta", "1e-5"]
for option, values in (("--timeout", ["nan", "-nan", "inf", "-1", "0", "1e-9", "1e300", "1e999999", "", "1s"]),
                       ("--memory", ["nan", "inf", "-1G", "0", "1", "10M", "9999G", "G", "", "2X"])):
    for value in values:
        expect_refused(option, *QUERY, f"{option}={value}")
finish()
