"""Both checkers on one certificate: `plaudit check` and python/plaudit_check.py, each as a program."""
import copy
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from _program import PROGRAM, Result, expect, run

ROOT = pathlib.Path(__file__).resolve().parents[2]
PYTHON_CHECKER = ROOT / "python" / "plaudit_check.py"
CHECKERS = {"plaudit check": [PROGRAM, "check"], "plaudit_check.py": [sys.executable, str(PYTHON_CHECKER)]}
LONGEST = 30.0  # seconds of processor time for what is refused at once; instrumented builds are slow


def load_checker():
    """python/plaudit_check.py as a module, for many certificates."""
    spec = importlib.util.spec_from_file_location("plaudit_check", PYTHON_CHECKER)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MODULE = load_checker()
from plaudit_certificates.specs.specs import Composition  # noqa: E402


def checked_inside(path, timeout):
    """The Python checker's verdict without a process of its own."""
    start = time.process_time()
    reason, lines = MODULE.judge(pathlib.Path(path).read_bytes(), float(timeout))
    text = "accepted" if reason is None else f"rejected: {reason}"
    return Result(0 if reason is None else 3, "\n".join([text, *lines]) + "\n", "", time.process_time() - start)


def used():
    """Processor seconds of all programs that were run and have ended."""
    times = os.times()
    return times.children_user + times.children_system


def checked(name, path, timeout="60"):
    """What one checker says of a file."""
    command = CHECKERS[name]
    start = used()
    done = subprocess.run([*command, "--timeout", timeout, path], capture_output=True, text=True, errors="replace",
                          timeout=600)
    return Result(done.returncode, done.stdout, done.stderr, used() - start)


def encoded(content):
    """Bytes, a text or a JSON value as bytes."""
    if not isinstance(content, (bytes, str)):
        content = json.dumps(content)
    return content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content


def verdicts(content, timeout="60", processes=True):
    """{checker: what it says} of bytes, a text or a JSON value; processes: the Python checker as a program."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "certificate.json")
        pathlib.Path(path).write_bytes(encoded(content))
        return {name: checked(name, path, timeout) if processes or "py" not in name else checked_inside(path, timeout)
                for name in CHECKERS}


def expect_rejection(name, what, result, words, longest):
    """-> the reason"""
    where = f"{name}, {what}: status {result.status}, {result.out[-600:]!r} {result.err[-600:]!r}"
    expect(result.status == 3, "not rejected: " + where)
    expect("rejected: " in result.out and "accepted" not in result.out, "no reason: " + where)
    expect("Traceback" not in result.err, "a traceback: " + where)
    expect(all(" " <= c <= "~" for c in result.out.rstrip("\n")), "unprintable: " + where)
    expect(len(result.out) < 1000, "too long: " + where)
    expect(result.seconds < longest, f"took {result.seconds} s: " + where)
    reason = result.out.partition("rejected: ")[2].strip()
    expect(not reason.startswith("malformed"), "an exception that is no rejection: " + where)
    for word in words:
        expect(word in result.out, f"{word!r} is not named: {where}")
    return reason


def expect_rejected(what, content, words=(), timeout="60", longest=LONGEST, processes=True):
    """Both checkers say why in one printable line, exit 3, no traceback, within `longest` seconds. -> the reasons"""
    return [expect_rejection(name, what, result, words, longest)
            for name, result in verdicts(content, timeout, processes).items()]


def expect_all_rejected(cases, timeout="60", longest=LONGEST):
    """Of many [(what, content)]: one process of the Python checker reads all, in `longest` seconds and what a shorter
    timeout gives to each."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for i, (what, content) in enumerate(cases):
            paths.append(os.path.join(folder, f"{i}.json"))
            pathlib.Path(paths[-1]).write_bytes(encoded(content))
            expect_rejection("plaudit check", what, checked("plaudit check", paths[-1], timeout), (), longest)
        start = used()
        done = subprocess.run([*CHECKERS["plaudit_check.py"], "--timeout", timeout, *paths], capture_output=True, text=True,
                              errors="replace", timeout=800)
        seconds = used() - start
        expect(done.returncode == 3 and not done.stderr, f"plaudit_check.py: {done.returncode}, {done.stderr[-600:]!r}")
        lines = dict(line.split(": ", 1) for line in done.stdout.split("\n") if ": " in line)
        expect(len(lines) == len(done.stdout.split("\n")) - 1 == len(paths), f"not a line for each: {done.stdout[-600:]!r}")
        for (what, _), path in zip(cases, paths):
            expect_rejection("plaudit_check.py", what, Result(done.returncode, lines.get(path, ""), "", seconds), (),
                             longest if float(timeout) == 60 else longest + 3 * float(timeout) * len(paths))


def expect_accepted(what, content, processes=True):
    """Both checkers accept; -> what they print."""
    texts = []
    for name, result in verdicts(content, processes=processes).items():
        expect(result.status == 0 and "accepted" in result.out and "rejected" not in result.out,
               f"{name}, {what}: not accepted: status {result.status}, {result.out[-600:]!r} {result.err[-600:]!r}")
        texts.append(result.out)
    return texts


def laws_of(spec, files=None):
    """The laws of a spec as a certificate has to state them; of what is no spec any."""
    try:
        return Composition(spec, files or {}).law_list()
    except Exception:  # noqa: BLE001: what the file is rejected for is what is tested
        return {"both": []}


def trivial(spec, **changes):
    """A certificate that claims nothing, so that all depends on whether the checkers read the spec."""
    laws = {} if "laws" in changes else {"laws": laws_of(spec, changes.get("files"))}
    return {"plaudit_certificate": 3, "spec": spec, **laws, "adjacency": "as_stated", "group_size": 1, "guarantee": True,
            "quantity": "delta", "argument": "1", "lower": "0", "upper": "1", "statements": [], **changes}


def certificate(quantity, spec, value, digits="8", timeout="20"):
    """The certificate that the program writes."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "certificate.json")
        option = "--delta" if quantity == "epsilon" else "--epsilon"
        result = run(quantity, spec, option, value, "--digits", digits, "--certificate", path, "--timeout", timeout,
                     timeout=1200)
        if not os.path.exists(path):
            raise AssertionError(f"no certificate of {spec}: {result.out} {result.err}")
        return json.loads(pathlib.Path(path).read_text())


def changed(value, *path_and_new):
    """A copy with what is at path_and_new[:-1] replaced by path_and_new[-1]."""
    *path, last, new = path_and_new
    value = copy.deepcopy(value)
    inside = value
    for key in path:
        inside = inside[key]
    inside[last] = new
    return value
