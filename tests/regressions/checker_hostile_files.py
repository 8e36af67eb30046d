# Hostile files killed or held both checkers: 160 kB of nested brackets ended `check` with signal 11, 1.3 kB with 100000
# nodes at 20000 bits ran for over 30 s in 1 to 2 GB, `check /dev/zero` read without end, bytes that are not UTF-8 ended in
# a Python traceback. There are limits now, before anything is computed, and --timeout.
import json
import os
import pathlib
import sys
import tempfile
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from _certificates import CHECKERS, certificate, changed, checked, expect_accepted, expect_all_rejected, expect_rejected, trivial  # noqa: E402
from _program import expect, finish  # noqa: E402

good = trivial("gaussian(sigma=10)^2")
text = json.dumps(good)

# Shapes that are no certificate. All are refused at once.
expect_all_rejected([
        ("nested brackets", "[" * 160_000),
        ("nested brackets, closed", "[" * 80_000 + "]" * 80_000),
        ("nested objects", '{"a":' * 40_000),
        ("nested brackets in a field", changed(good, "statements", "#") and text.replace('"statements": []',
                                                                                         '"statements": ' + "[" * 100_000)),
        ("8 MiB of brackets", "[" * (8 << 20)),
        ("8 MiB of pairs of brackets", "[" + "[]," * ((8 << 20) // 3 - 2) + "[]]"),
        ("over 8 MiB of white space", " " * ((8 << 20) + 1)),
        ("over 8 MiB, a certificate in front", text + " " * (8 << 20)),
        ("a text that does not end", '"' + '\\"' * (4 << 20 - 1)),
        ("a text of 8 MiB", '{"plaudit_certificate": 3, "spec": "' + "(" * ((8 << 20) - 40) + '"}'),
        ("an integer of a megabyte", '{"plaudit_certificate": ' + "9" * (1 << 20) + "}"),
        ("a megabyte of digits", changed(good, "argument", "9" * (1 << 20))),
        ("10001 digits", changed(good, "argument", "9" * 10_001)),
        ("an exponent of a megabyte", changed(good, "argument", "1e" + "9" * (1 << 20))),
        ("1e1000000000", changed(good, "argument", "1e1000000000")),
        ("1/0", changed(good, "argument", "1/0")),
        ("1/0e5", changed(good, "argument", "1/0e5")),
        ("a field a million times", "{" + ",".join(['"a": 1'] * 1_000_000) + "}"),
        ("a hundred thousand fields", "{" + ",".join(f'"a{i}": 1' for i in range(100_000)) + "}"),
        ("a comment", text + "// nothing"),
        ("two certificates", text + text),
        ("a comma too many", text.replace("[]", "[,]")),
        ("single quotes", text.replace('"', "'")),
        ("not UTF-8", b'{"plaudit_certificate": 3, "spec": "\xff\xfe"}'),
        ("not UTF-8 after it", text.encode() + b"\x80"),
        ("overlong UTF-8", text.encode().replace(b"gaussian", b"g\xc1\xa1ussian")),
        ("half a surrogate in UTF-8", text.encode().replace(b"gaussian", b"\xed\xa0\x80")),
        ("half a surrogate, escaped", text.replace("gaussian", "\\ud800")),
        ("UTF-16", text.encode("utf-16")),
        ("zeros", bytes(100_000)),
        ("a null character in a text", text.replace("gaussian", "gaus\\u0000sian")),
        ("a control character in a text", text.replace("gaussian", "gaus\x01sian")),
        ("a list", "[]"), ("a number", "2"), ("a text", '"2"'), ("null", "null"), ("true", "true"), ("a blank", " "),
        ("a byte order mark", b"\xef\xbb\xbf" + text.encode()),
        ("65 statements", changed(good, "statements", [{}] * 65)),
        ("a million statements", text.replace("[]", "[" + ",".join(["{}"] * 1_000_000) + "]"))])

# Work that would have no end.
honest = certificate("epsilon", "poisson(gaussian(sigma=0.8), rate=0.004)^1000", "1e-7", "6")
straight = next((i for i, s in enumerate(honest["statements"]) if s["kind"] == "straight"), None)
expect(straight is not None, "no statement by a straight contour")
at = ("statements", straight)
expect_accepted("the honest one", honest)
large = changed(changed(honest, *at, "choices", "nodes", 100_000), *at, "bits", 20_000)
expect_rejected("100000 nodes at 20000 bits", large, longest=60)
work = [("100000 nodes at 20000 bits, 0.3 s", large),
        ("10^6 nodes", changed(honest, *at, "choices", "nodes", 1_000_000)),
        ("20000 bits", changed(honest, *at, "bits", 20_000)),
        ("64 heavy statements", changed(honest, "statements",
                                        [changed(honest["statements"][straight], "choices", "nodes", 30_000)] * 64)),
        ("10^9 nodes", changed(honest, *at, "choices", "nodes", 10**9)),
        ("bits as large as can be", changed(honest, *at, "bits", 2**62)),
        ("a tiny h", changed(honest, *at, "choices", "h", [1, -1100])),
        ("a huge h", changed(honest, *at, "choices", "h", [1, 1100])),
        ("a huge t", changed(honest, *at, "choices", "t", [1, 1000])),
        ("a huge order", changed(honest, *at, "choices", "right_order", [1, 1100])),
        ("epsilon 1e100000", changed(changed(honest, "lower", "1e99999"), "upper", "1e100000")),
        ("a bound 1e-100000", changed(honest, *at, "at_most", "1e-100000"))]
for rules in [s["choices"].get("factors", [{}])[0] for s in honest["statements"][straight:straight + 1]]:
    for name, rule in rules.items():
        if not isinstance(rule, dict) or "last" not in rule:
            continue
        heavy = changed(changed(rule, "first", -2_000_000), "last", 2_000_000)
        work.append((f"4 million points in {name}", changed(honest, *at, "choices", "factors", 0, name, heavy)))
        fine = changed(rule, "d", [1, -1000])
        work.append((f"points 2^-1000 apart in {name}", changed(honest, *at, "choices", "factors", 0, name, fine)))
expect_all_rejected(work, timeout="0.3")

# Specs that take long, and laws that do.
expect_all_rejected([
    (what, trivial(spec, laws={"both": []}, adjacency="replace" if "with_rep" in spec else "as_stated"))
    for what, spec in [("a deep spec", "(" * 50_000 + "gaussian(sigma=1)"),
                   ("deep mechanisms", "poisson(" * 20_000 + "gaussian(sigma=1)"),
                   ("a spec of 100001 characters", "gaussian(sigma=1)" + " " * 100_000),
                   ("a spec of a megabyte", "gaussian(sigma=1) * " * 50_000 + "gaussian(sigma=1)"),
                   ("long numbers", "mixture(sigma=1, sensitivities=[" + ", ".join(str(i) for i in range(98)) + "], probabilities=[" + ", ".join(
                       ["1/" + "7" * 990 + str(i % 10) for i in range(98)]) + "])"),
                   ("laws of batches", " * ".join(f"with_replacement(gaussian(sigma={i}), batch=2000, population=3)"
                                                  for i in range(1, 600)))]], timeout="0.3")
law = {"adjacency": "add/remove", "both": {"losses": ["0"], "masses": ["1"]}}
path = 'pld(file="law.json")'
expect_accepted("a law of a file", trivial(path, adjacency="add_remove", files={"law.json": law}))
primes = [str(10**18 + 2 * i + 1) for i in range(60_000)]
expect_all_rejected([
    (what, trivial(path, laws={"both": []}, adjacency="add_remove", files={"law.json": {"adjacency": "add/remove", "both": both}}))
    for what, both in [("many denominators", {"losses": [str(i) for i in range(60_000)], "masses": ["1/" + p for p in primes]}),
                   ("a fine lattice", {"lattice": {"mesh": "1e-1000"}, "masses": ["1e-6"] * 200_000}),
                   ("losses beyond measure", {"losses": ["-1e1000", "1e1000"], "masses": ["1/2", "1/2"]}),
                   ("masses beyond 1", {"losses": ["0", "1"], "masses": ["1", "1"]}),
                   ("negative masses", {"losses": ["0", "1"], "masses": ["2", "-1"]}),
                   ("a file path elsewhere", {"file": "/dev/zero"})]], timeout="0.3")

# Files that have no end, or no reader's right to be one.
for name in CHECKERS:
    result = checked(name, "/dev/zero")
    expect(result.status == 3 and "rejected" in result.out and result.seconds < 10, f"{name} /dev/zero: {result.out} {result.seconds}")
    with tempfile.TemporaryDirectory() as folder:
        pipe = os.path.join(folder, "pipe")
        os.mkfifo(pipe)

        def feed():
            try:
                with open(pipe, "wb") as end:
                    while True:
                        end.write(b" " * 65536)
            except BrokenPipeError:
                pass
        writer = threading.Thread(target=feed)
        writer.start()
        result = checked(name, pipe)
        writer.join()
        expect(result.status == 3 and "rejected" in result.out and result.seconds < 10, f"{name} of a pipe: {result.out} {result.seconds}")
        for missing in (os.path.join(folder, "missing"), folder):
            result = checked(name, missing)
            expect(result.status == 2 and "Traceback" not in result.err, f"{name} of {missing}: {result.status} {result.err}")
finish()
