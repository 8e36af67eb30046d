"""Whatever is asked, the program ends soon after its limits, within its memory, with a status that
is documented, and says nothing raw to a terminal.

    hostile.py [N] [SEED]      N queries (default 60), a tenth of them audits, some with certificates

Random queries over all mechanisms, realistic and hostile: parameters near and beyond what can be
computed, huge counts, long numbers, deep nesting, broken files. Prints the longest wall time, the
largest memory and the statuses seen.
"""
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

from _program import PROGRAM, expect, finish

N = int(sys.argv[1]) if len(sys.argv) > 1 else 60
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 1
TIMEOUT = 1.0
MEMORY = 500  # MB, for each process
# The program's own: 0.5 s beyond each limit. The rest is for a machine that does other things.
GRACE = 0.5
CPU_SLACK = 3.0  # processors do not wait for other sessions
DOCUMENTED = {0, 1, 2, 3, 4}
LONGEST_ARGUMENT = 131_000  # bytes

dice = random.Random(SEED)


def number(low, high):
    """Of any size between, or a hostile one."""
    kind = dice.randrange(12)
    if kind == 0:
        return dice.choice(["0", "-1", "1e1000", "1e-1000", "1e308", "1e-400", "1/3", "1e999999",
                            "9" * 900, "1/" + "7" * 900, "nan", "inf", "1e", ".", "0x10"])
    value = low * (high / low) ** dice.random()
    return dice.choice([f"{value:.3g}", f"{value:.17g}", f"{max(1, int(value * 1e6))}/1000000"])


def count(most):
    return dice.choice([1, 2, 10, 1000, most, int(most ** dice.random())])


def gaussian():
    return f"gaussian(sigma={number(0.05, 50)})"


def simple():
    return dice.choice([
        gaussian,
        lambda: f"laplace(scale={number(0.05, 100)})",
        lambda: f"discrete_laplace(scale={number(0.1, 1000)}, sensitivity={count(1000)})",
        lambda: f"discrete_gaussian(sigma={number(0.1, 1e5)}, sensitivity={count(1000)})",
        lambda: f"randomized_response(epsilon={number(1e-6, 50)})",
        lambda: f"pure(epsilon={number(1e-9, 100)})",
        lambda: f"approximate(epsilon={number(1e-6, 10)}, delta={number(1e-30, 0.5)})",
    ])()


def mixture():
    k = dice.choice([1, 2, 5, 200, 3000])
    levels = ", ".join(number(0.01, 100) for _ in range(k))
    shares = ", ".join([f"1/{k}"] * k)
    return f"mixture(sigma={number(0.1, 10)}, sensitivities=[{levels}], probabilities=[{shares}])"


def mechanism():
    kind = dice.randrange(11)
    if kind < 3:
        return simple()
    if kind == 3:
        return mixture()
    if kind < 6:
        return f"poisson({simple()}, rate={number(1e-9, 1)})"
    if kind == 6:
        return f"group(poisson({gaussian()}, rate={number(1e-9, 1)}), size={count(1000)})"
    if kind == 7:
        return (f"without_replacement({gaussian()}, batch={count(10**6)}, population={count(10**9)}, "
                f"adjacency={dice.choice(['add_remove', 'replace'])})")
    if kind == 8:
        return f"with_replacement({gaussian()}, batch={count(10**5)}, population={count(10**9)})"
    if kind == 9:
        return f"pair({dice.choice(['poisson', 'without_replacement'])}, sigma={number(0.1, 10)}, rate={number(1e-6, 1)})"
    return dice.choice(["pld(file=\"/proc/self/mem\")", "pld(file=\"/dev/zero\")", "((((", "gaussian(",
                        "group(" * 150 + "gaussian(1)" + ", size=2)" * 150, "\x1b[31mgaussian(1)",
                        "gaussian(sigma=\u009b1)", "(" * 90 + gaussian() + ")" * 90 + "^10"])


def spec():
    factors = [mechanism() + (f"^{count(10**12)}" if dice.random() < 0.8 else "")
               for _ in range(dice.choice([1, 1, 1, 2, 4]))]
    if dice.random() < 0.03:
        factors = [f"gaussian(sigma={i + 1}/7)" for i in range(4000)]
    return " * ".join(factors)


def delta():
    return dice.choice(["1e-5", "1e-10", "1e-30", "1e-300", "1e-5000", "0", "1", "0.3", number(1e-40, 0.9)])


def epsilon():
    return dice.choice(["1", "0", "-3", "50", "1e5", "1e-9", "1e300", number(1e-3, 100)])


def limits():
    return ["--timeout", str(TIMEOUT), "--memory", f"{MEMORY}M"]


def query(folder):
    """The arguments, standard input, and how many limits of time it has one after the other."""
    kind = dice.randrange(10)
    more = limits() + (["--digits", dice.choice(["1", "50", "1000"])] if dice.random() < 0.3 else [])
    if kind == 0:
        return audit(folder)
    if kind == 1:
        return (["curve", spec(), "--epsilon", "0:4:1", "--svg", f"{folder}/a.svg", *more], "", 1)
    if kind == 2:
        return (["compare", spec(), "--epsilon", epsilon(), "--accountant", "contour", "--accountant",
                 dice.choice(["fourier", "prv", "moments", "privacy_buckets"]), *more], "", 3)
    if kind == 3:
        content = dice.choice(["", "[" * 10**5, "{}", '{"plaudit_certificate": 3, "spec": "gaussian(sigma=1)"}',
                               "[1" + ",1" * 10**6 + "]", "\x1b]0;x\x07"])
        pathlib.Path(folder, "c.json").write_text(content)
        return (["check", f"{folder}/c.json", *limits()], "", 1)
    if kind == 4:
        return (["epsilon", spec(), f"--delta={delta()}", "--certificate", f"{folder}/c.json", *more], "", 2)
    if kind == 5:
        return (["epsilon", "-", f"--delta={delta()}", "--json", *more], spec(), 1)
    if kind < 8:
        return (["epsilon", spec(), f"--delta={delta()}", *more], "", 1)
    return (["delta", spec(), f"--epsilon={epsilon()}", "--explain", *more], "", 1)


def audit(folder):
    claims = []
    for i in range(dice.choice([1, 3, 6])):
        claim = {"id": dice.choice([f"c{i}", "\x1b[2J" + str(i), "\u009b31m" + str(i)]), "spec": spec(),
                 "kind": dice.choice(["upper", "lower", "estimate", "band", "typo"]),
                 "delta": delta(), "epsilon": dice.choice(["1", "1e308", "1e309", "-1", "inf", epsilon()])}
        if claim["kind"] == "estimate":
            claim["tolerance"] = "0.1"
        if dice.random() < 0.1:
            claim["directionn"] = "add"
        if dice.random() < 0.1:
            claim["spec"] = [[0.8, 0.004, 1000]] * dice.choice([1, 3000])
        claims.append(claim)
    text = json.dumps(claims)
    if dice.random() < 0.1:
        text = dice.choice(["[" * 10**6, text[:-5], "id,spec,kind\na,b,c,d,e\n", "\xff\xfe" + text])
    more = ["--html", f"{folder}/a.html"] if dice.random() < 0.5 else []
    if dice.random() < 0.3:
        more += ["--certificates", f"{folder}/certificates"]
    return (["audit", "-", "--threads", "2", *more, *limits()], text, 3 * len(claims))


def run(arguments, text):
    start = time.monotonic()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen([PROGRAM, *arguments], stdin=subprocess.PIPE, stdout=out, stderr=err)
        try:
            process.stdin.write(text.encode("utf-8", "surrogatepass"))
            process.stdin.close()
        except BrokenPipeError:
            pass
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - start
        out.seek(0)
        err.seek(0)
        return (process.returncode, seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024,
                out.read(), err.read())


def raw(output):
    """Something of the output that no terminal should see."""
    try:
        text = output.decode("utf-8")
    except UnicodeDecodeError:
        return True
    return any(c != "\n" and (ord(c) < 32 or 127 <= ord(c) < 160) for c in text)


longest, longest_step, busiest, largest, statuses = (0, ""), (0, ""), 0, (0, ""), {}
with tempfile.TemporaryDirectory() as folder:
    for i in range(N):
        arguments, text, steps = query(folder)
        arguments = [a.replace("\0", "") for a in arguments]
        for j, argument in enumerate(arguments):  # the system takes no longer ones
            if len(argument.encode("utf-8", "surrogatepass")) > LONGEST_ARGUMENT:
                arguments[j], text = "-", argument
        status, seconds, spent, memory, out, err = run(arguments, text)
        words = " ".join(a[:200] for a in arguments) + (" < " + text[:300] if text else "")
        what = f"query {i} of seed {SEED}: {words!r}: status {status}, {seconds:.2f} s ({spent:.2f} of processors), {memory:.0f} MB, {err[-300:]}"
        statuses[status] = statuses.get(status, 0) + 1
        longest = max(longest, (seconds, what))
        longest_step = max(longest_step, (seconds / steps, what))
        largest = max(largest, (memory, what))
        busiest = max(busiest, spent)
        expect(status in DOCUMENTED, what)
        expect(spent < 2 * steps * (TIMEOUT + GRACE) + CPU_SLACK, what)
        expect(memory < 1.1 * MEMORY + 100, what)
        expect(b"Traceback" not in err and not raw(out) and not raw(err), "raw: " + what)
        if status == 1:
            print("internal error:", what)

print(f"{N} queries of seed {SEED}: longest {longest[0]:.2f} s ({busiest:.2f} s of processors), largest {largest[0]:.0f} MB, statuses "
      + ", ".join(f"{s}: {n}" for s, n in sorted(statuses.items())))
print("longest:", longest[1])
print(f"longest by what has a limit of its own (an answer, a certificate, a claim): {longest_step[0]:.2f} s: {longest_step[1]}")
print("largest:", largest[1])
finish()
