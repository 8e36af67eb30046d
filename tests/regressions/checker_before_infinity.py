"""plaudit_check.py compared "delta exceeds it before epsilon = inf" with the end of a support as a float: an
exception, reported as a malformed certificate, in place of a rejection with its reason."""
import importlib.util
import json
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "cli"))
from _program import expect, finish, run  # noqa: E402

spec = importlib.util.spec_from_file_location("plaudit_check", ROOT / "python" / "plaudit_check.py")
checker = importlib.util.module_from_spec(spec)
spec.loader.exec_module(checker)

FORGED = {"plaudit_certificate": 3, "spec": "pure(epsilon=2)", "laws": {"both": [{"law": "TwoPoints(epsilon = 2; delta = 0)", "count": 1}]}, "adjacency": "as_stated", "group_size": 1,
          "guarantee": True, "quantity": "epsilon", "argument": "0.1", "lower": "inf", "upper": "inf",
          "statements": [{"direction": "remove", "epsilon": "inf", "exceeds_before": "0.1", "kind": "ends", "bits": 128,
                          "choices": {}}]}
reason = checker.verdict(json.dumps(FORGED))
expect(reason is not None and "finite epsilon" in reason, f"{reason}")
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "forged.json"
    path.write_text(json.dumps(FORGED))
    result = run("check", str(path))
    expect(result.status == 3, f"{result.status} {result.out}")
finish()
