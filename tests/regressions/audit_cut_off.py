"""Claims in JSON that end too early, as files that were cut off do, were an internal error (exit status 1): looking for
the word at the place of the error went beyond the end of the text."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from _program import expect_refused, finish  # noqa: E402

whole = '[{"id": "x", "spec": "pure(1)", "delta": "1e-5", "notes": [-1.5e3, true, null]}]'
for end in range(1, len(whole)):
    expect_refused(["not JSON", "character"], "audit", "-", stdin=whole[:end])
finish()
