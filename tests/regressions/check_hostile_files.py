# Hostile files killed or hung the checkers: 160 kB of nested brackets (signal 11), 100000 nodes at 20000 bits (30 s and
# 1 to 2 GB), /dev/zero (read without end), bytes that are not UTF-8 (a traceback). Limits on depth, size while reading and
# work come before any of it now, and --timeout ends the rest.
import os
import sys
import threading

sys.path.insert(0, os.path.dirname(__file__))
from _certificate import *

good = certificate("poisson(gaussian(sigma=1), rate=0.01)^10000", "--delta", "1e-6", "--digits", "8")
expect_accepted(json.dumps(good), "honest")
for opening in ("[", '{"a":', '{"statements": [' + "["):
    expect_rejected(opening * (160000 // len(opening)), "nested " + opening, 10)
expect_rejected(json.dumps({**good, "spec": "(" * 80000}), "nested spec", 10)
expect_rejected(b"\xff\xfe{}", "not UTF-8", 10)
expect_rejected(b'{"plaudit_certificate": 3, "spec": "\xc3\x28"}', "not UTF-8 in a text", 10)
expect_rejected("", "empty", 10)
expect_rejected('{"plaudit_certificate": 3' + " " * (9 << 20) + "}", "9 MiB", 10)
large = json.loads(json.dumps(good))
for statement in large["statements"]:
    contour = statement.get("choices") or statement["contour"]  # the latter in version 1
    contour["nodes"] = 100000
    (statement if "bits" in statement else contour)["bits"] = 10000
expect_rejected(json.dumps(large), "100000 nodes at 20000 bits", 10)
for statement in large["statements"]:
    (statement if "bits" in statement else contour)["bits"] = 10000
    for factor in contour.get("factors") or statement["factors"]:
        factor["line"]["first"], factor["line"]["last"] = -2000000, 2000000
expect_rejected(json.dumps(large), "100000 nodes at 4 million points", 10, "4")
for number in ("1e999999999", "1" * 200000, "1e100000/1e-100000/3"):
    expect_rejected(json.dumps({**good, "upper": number}), f"the number {number[:20]}", 10)
    expect_rejected(json.dumps({**good, "spec": f"gaussian(sigma={number})"}), f"sigma = {number[:20]}", 10)

result = run("check", "/dev/zero")
expect(result.status == 3 and result.seconds < 10, f"/dev/zero: {result.status} {result.seconds}")
pipe = os.path.join(FOLDER.name, "pipe")
os.mkfifo(pipe)


def fill():
    try:
        with open(pipe, "wb", buffering=0) as file:
            while True:
                file.write(b" " * 65536)
    except BrokenPipeError:
        pass


threading.Thread(target=fill, daemon=True).start()
result = run("check", pipe)
expect(result.status == 3 and result.seconds < 10, f"pipe: {result.status} {result.seconds}")

slow = json.loads(json.dumps(good))
for statement in slow["statements"]:
    (statement if "bits" in statement else statement["contour"])["bits"] = 10000
with open(PATH, "w", encoding="utf-8") as file:
    json.dump(slow, file)
result = run("check", PATH, "--timeout", "0.2")
expect(result.status == 3 and "time limit" in result.out, f"--timeout: {result.status} {result.out}")
expect(result.seconds < 5, f"--timeout 0.2 took {result.seconds}")
finish()
