#!/usr/bin/env python3
"""plaudit batch: one answer per request, in order, whatever some of them are."""
import json
import os
import subprocess
import tempfile
import time

from _program import PROGRAM, exact, expect, expect_refused, finish, run

SPEC = "poisson(gaussian(sigma=0.8), rate=0.004)^1000"


def lines_of(requests):
    return "".join((each if isinstance(each, str) else json.dumps(each)) + "\n" for each in requests)


def batch(requests, *arguments, status=0):
    result = run("batch", "-", *arguments, stdin=lines_of(requests))
    expect(result.status == status, f"status {result.status}: {result.err}")
    return [json.loads(line) for line in result.out.splitlines()], result


# ---- the answers are those of the commands
requests = [
    {"id": "e", "spec": SPEC, "delta": "1e-7"},
    {"id": "d", "spec": SPEC, "epsilon": 2},
    {"id": 3, "spec": "gaussian(sigma=?)^10", "target_epsilon": 1, "delta": 1e-5, "digits": 6},
    {"spec": "gaussian(sigma=9)^?", "target_delta": "1e-6", "epsilon": "1"},
    {"id": "more", "spec": SPEC, "delta": "1e-7", "digits": 20, "direction": "add"},
    {"id": "by", "spec": "gaussian(sigma=2)^100", "delta": "1e-5", "accountant": "moments"}]
answers, result = batch(requests)
expect([each["id"] for each in answers] == ["e", "d", 3, 4, "more", "by"], f"ids: {answers}")
# only progress, where the machine is slow
expect(all("requests answered" in line for line in result.err.splitlines()), result.err)
single = run("epsilon", SPEC, "--delta", "1e-7", "--json").json()
for name in ("spec", "query", "quantity", "adjacency", "lower", "upper", "certified", "reached",
             "digits", "accountant", "directions"):
    expect(answers[0][name] == single[name], f"{name}: {answers[0][name]} {single[name]}")
expect(answers[1]["quantity"] == "delta" and exact(answers[1]["upper"]) < exact("1e-6"), "delta")
single = run("calibrate", "gaussian(sigma=?)^10", "--target-epsilon", "1", "--delta", "1e-5",
             "--digits", "6", "--json").json()
for name in ("parameter", "suffices", "fails", "epsilon_at_suffices", "spec_that_suffices"):
    expect(answers[2][name] == single[name], f"{name}: {answers[2]} {single}")
expect(int(answers[3]["fails"]) == int(answers[3]["suffices"]) + 1, f"{answers[3]}")
expect(answers[4]["digits"] == 20 and list(answers[4]["directions"]) == ["add"], f"{answers[4]}")
expect(answers[5]["accountant"] == "moments", f"{answers[5]}")

# ---- a bad line spoils no other, and says what is wrong with it
bad = [
    ("{", "JSON"), ("[1]", "object"), ("\"\\ud800\"", "JSON"), ("null", "object"),
    ({"id": "x", "delta": "1e-5"}, "spec"),
    ({"id": "x", "spec": "gaussian(0)", "delta": "1e-5"}, "sigma"),
    ({"id": "x", "spec": "gaussian(1)"}, "delta or epsilon"),
    ({"id": "x", "spec": "gaussian(1)", "delta": 1, "epsilon": 1}, "delta or epsilon"),
    ({"id": "x", "spec": "gaussian(1)", "delta": 2}, "[0, 1]"),
    ({"id": "x", "spec": "gaussian(1)", "delta": "x"}, "delta"),
    ({"id": "x", "spec": "gaussian(sigma=?)", "delta": "1e-5"}, "sigma"),
    ({"id": "x", "spec": "gaussian(1)", "target_epsilon": 1, "delta": "1e-5"}, "needs one ?"),
    ({"id": "x", "spec": "gaussian(?)", "target_epsilon": 1, "epsilon": 1}, "delta"),
    ({"id": "x", "spec": "gaussian(1)", "delta": "1e-5", "digit": 3}, "unknown field"),
    ({"id": "x", "spec": "gaussian(1)", "delta": "1e-5", "digits": 0}, "digits"),
    ({"id": "x", "spec": "gaussian(1)", "delta": "1e-5", "accountant": "none"}, "none"),
    ({"id": "x", "spec": "gaussian(1)", "delta": "1e-5", "direction": "up"}, "direction"),
    ({"id": "x", "spec": "gaussian(1)", "delta": "1e-5", "timeout": 0}, "timeout"),
    ({"id": "x", "spec": "gaussian(1)", "delta": "1e-5", "from": 1}, "from"),
    ({"id": "x", "spec": 7, "delta": "1e-5"}, "spec"),
    ({"id": "x", "spec": "pld(file=\"/etc/passwd\")", "delta": "1e-5"}, "allow-files"),
    ("{\"id\": \"x\", \"id\": \"y\"}", "twice"),
    ({"id": "x", "spec": "gaussian(1)" + " " * 1_100_000, "delta": "1e-5"}, "characters"),
    ("[" * 100_000, "nested"),
    ({"id": "x", "spec": "(" * 3000 + "gaussian(1)", "delta": "1e-5"}, "deep")]
good = {"id": "good", "spec": "gaussian(sigma=2)", "delta": "1e-5"}
mixed = [each for line, _ in bad for each in (good, line)] + [good]
for threads in ("1", "2"):
    answers, result = batch(mixed, "--threads", threads)
    expect(len(answers) == len(mixed), f"{len(answers)} answers to {len(mixed)} requests")
    for i, (line, words) in enumerate(bad):
        answer = answers[2 * i + 1]
        expect(words in answer.get("error", ""), f"{str(line)[:80]}: {answer}")
        stated = isinstance(line, dict) and len(json.dumps(line)) < 1_000_000
        wanted = "x" if stated else 2 * i + 2
        if not (isinstance(line, str) and "\"id\"" in line):
            expect(answer["id"] == wanted, f"id of {str(line)[:80]}: {answer['id']}")
    expect(len({each["lower"] for each in answers[::2]}) == 1, "the others are as ever")
    expect("errors" in result.err and str(len(bad)) in result.err, result.err)

# ---- a request beyond its time is a wide band or an error, and the others come through
wide = {"id": "wide", "spec": "poisson(laplace(0.2), rate=0.5)^7", "delta": "1e-9", "digits": 40,
        "timeout": 0.5}
answers, _ = batch([good, wide, good], "--threads", "2", "--timeout", "20")
expect([each["id"] for each in answers] == ["good", "wide", "good"], f"{answers}")
expect("error" in answers[1] or answers[1]["seconds"] < 3, f"{answers[1]}")
expect("lower" in answers[2], f"{answers[2]}")

# ---- shards: together all of it, each line once; empty lines count, but are no requests
many = [{"spec": "gaussian(sigma=2)", "epsilon": i} for i in range(10)]
everything, _ = batch(many)
parts = {}
for i in (1, 2, 3):
    answers, _ = batch(many, "--shard", f"{i}/3")
    expect([each["id"] for each in answers] == list(range(i, 11, 3)), f"shard {i}: {answers}")
    parts.update({each["id"]: each["upper"] for each in answers})
expect(parts == {each["id"]: each["upper"] for each in everything}, "shards")
answers, _ = batch(["", many[0], "  ", many[1]])
expect([each["id"] for each in answers] == [2, 4], f"empty lines: {answers}")
expect(batch([])[0] == [] and batch(["", ""])[0] == [], "no requests")
answers = run("batch", "-", stdin=json.dumps(many[0])).out.splitlines()
expect(len(answers) == 1, "no line end behind the last request")

# ---- resume: what is answered is left out, a torn last line is not
with tempfile.TemporaryDirectory() as folder:
    file = os.path.join(folder, "requests.jsonl")
    partial = os.path.join(folder, "answers.jsonl")
    with open(file, "w") as out:
        out.write(lines_of(many))
    whole = run("batch", file).out.splitlines(keepends=True)
    with open(partial, "w") as out:
        out.write("".join(whole[:4]) + whole[4][:50])
    again = run("batch", file, "--resume", partial)
    expect([json.loads(each)["id"] for each in again.out.splitlines()] == list(range(5, 11)),
           f"resumed: {again.out}")
    with open(partial, "a") as out:  # the answers go on in the same file
        subprocess.run([PROGRAM, "batch", file, "--resume", partial], stdout=out, check=True)
    with open(partial) as read:
        lines = read.read().splitlines()
    ids = []
    for each in lines:
        try:
            ids.append(json.loads(each)["id"])
        except ValueError:
            ids.append(None)
    expect(ids == [1, 2, 3, 4, None, *range(5, 11)], f"resumed in place: {ids}")
    expect(run("batch", file, "--resume", partial).out == "", "nothing is left")
    expect_refused("--resume", "batch", file, "--resume", os.path.join(folder, "none"))
    expect_refused("REQUESTS", "batch", folder)
expect_refused("REQUESTS", "batch", "/nonexistent/file")
for shard in ("0/3", "4/3", "1", "a/b", "1/0", "-1/2", "1/2/3"):
    expect_refused("--shard", "batch", "-", "--shard", shard)

# ---- it streams: an answer comes while the input is still open
process = subprocess.Popen([PROGRAM, "batch", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True)
for i in range(3):
    if i == 2:
        time.sleep(2.1)  # from here on there is word of progress
    process.stdin.write(json.dumps({"id": i, **{k: good[k] for k in ("spec", "delta")}}) + "\n")
    process.stdin.flush()
    expect(json.loads(process.stdout.readline())["id"] == i, "an answer while the input is open")
process.stdin.close()
expect(process.wait(timeout=800) == 0, "the end of the input")
expect(process.stderr.read() == "plaudit: 3 requests answered\n", "word of progress")

# ---- equal specs share their work
start = time.monotonic()
answers, _ = batch([{"spec": SPEC, "epsilon": str(1 + i / 1000)} for i in range(1000)])
expect(len(answers) == 1000, "a curve")
print(f"1000 points of one curve in {time.monotonic() - start:.2f} s")

finish()
