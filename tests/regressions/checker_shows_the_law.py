# A certificate of pld(file="...") carries the law, and neither checker showed it: a certificate with a harmless law under
# the path of somebody's real file was accepted and printed as if it were about that file; and a path may look like a spec.
# Now both print how many losses there are and between which ends, and the SHA-256 of the law's canonical text
# (docs/certificates.md, "Laws of files"), which is formed here once more. Paths are quoted so that they read as no spec.
import hashlib
import os
import re
import sys
from fractions import Fraction

sys.path.insert(0, os.path.dirname(__file__))
from _certificate import *
from _program import expect, finish

HARMLESS = {"losses": ["-0.01", "0.01"], "masses": ["0.4975", "0.5025"]}
REAL = {"losses": ["-1", "0.3", "1"], "masses": ["0.15", "0.35", "0.45"], "infinite": "0.05"}


def trivial(laws, spec, **changes):
    return {"plaudit_certificate": 3, "spec": spec, "files": laws, "laws": laws_of(spec, laws), "adjacency": "add_remove", "group_size": 1,
            "guarantee": True, "quantity": "delta", "argument": "1", "lower": "0", "upper": "1", "statements": [], **changes}


def file_of(law, adjacency="add/remove"):
    return {"adjacency": adjacency, **law}


def hexadecimal(x):
    x = Fraction(x)
    sign, size = ("-" if x < 0 else ""), abs(x)
    return sign + f"{size.numerator:x}" + (f"/{size.denominator:x}" if size.denominator > 1 else "")


def lines(law):
    def ends(mass):
        return mass if isinstance(mass, list) else [mass, mass]
    rows = [[loss, *ends(mass)] for loss, mass in zip(law["losses"], law["masses"]) if Fraction(ends(mass)[1])]
    rows = [" ".join(map(hexadecimal, row)) for row in rows]
    return rows + ["infinite " + " ".join(map(hexadecimal, ends(law.get("infinite", "0"))))]


def digest(file):
    remove, add = (file["both"],) * 2 if "both" in file else (file["remove"], file["add"])
    text = ["plaudit law 1", "adjacency " + file["adjacency"].encode().hex(), "remove", *lines(remove), "add", *lines(add)]
    return hashlib.sha256("".join(line + "\n" for line in text).encode()).hexdigest()


def shown(certificate):
    """What both print of the laws, which must be the same."""
    texts = []
    for who, status, out in checked(json.dumps(certificate)):
        expect(status == 0, f"{who}: {status}: {out[:500]}")
        expect(all(" " <= c <= "~" or c == "\n" for c in out), f"{who}: {out!r}")
        texts.append([re.sub(r"^ *law:? *", "", line) for line in out.splitlines() if line.lstrip().startswith("law")])
    expect(texts[0] == texts[1], f"not the same: {texts}")
    return texts[0]


# The certificate that misleads, as it was found, and the same of the real file.
statement = {"direction": "remove", "epsilon": "0.3", "at_most": "0.00001", "kind": "ends", "bits": 128, "choices": {}}
misleading = trivial({"cov/a.json": {"description": "", **file_of({"both": HARMLESS})}}, 'pld(file="cov/a.json")^30',
                     quantity="epsilon", argument="0.00001", upper="0.3", statements=[statement])
said = shown(misleading)
real = shown(trivial({"cov/a.json": file_of({"both": REAL})}, 'pld(file="cov/a.json")^30'))
expect(said == ['"cov/a.json": 2 losses from -0.01 to 0.01, infinite with probability at most 0, in both directions; SHA-256 '
                + digest(file_of({"both": HARMLESS}))], said)
expect(real == ['"cov/a.json": 3 losses from -1 to 1, infinite with probability at most 0.05, in both directions; SHA-256 '
                + digest(file_of({"both": REAL}))], real)

# The same law in other words has the same digest, and any other law another one.
base = {"losses": ["-0.5", "0", "0.25"], "masses": ["0.1", ["0.2", "0.3"], "0.6"], "infinite": ["0", "0.1"]}
same = [{"both": base}, {"remove": base, "add": base}, {"both": {**base, "masses": ["1/10", ["2e-1", "3/10"], "6/10"]}},
        {"both": {**base, "losses": ["-1/2", "-0.25", "0", "0.25"], "masses": ["0.1", "0", ["0.2", "0.3"], "0.6"]}},
        {"both": {"lattice": {"mesh": "1/4", "first": -2}, "masses": ["0.1", "0", ["0.2", "0.3"], "0.6"], "infinite": ["0", "0.1"]}}]
found = {shown(trivial({"a": file_of(law)}, 'pld(file="a")'))[0][-64:] for law in same}
expect(found == {digest(file_of({"both": base}))}, f"{found}")
other = [file_of({"both": base}, "as_stated"), file_of({"remove": base, "add": HARMLESS}), file_of({"remove": HARMLESS, "add": base}),
         file_of({"both": {**base, "losses": ["-0.5", "0", "0.25000000000000000001"]}}),
         file_of({"both": {**base, "infinite": ["0", "0.1000000000000000000000001"]}}),
         file_of({"both": {**base, "masses": ["0.1", ["0.2", "0.3000000000000000000000001"], "0.6"]}})]
for file in other:
    adjacency = file["adjacency"].replace("/", "_")
    line = shown(trivial({"a": file}, 'pld(file="a")', adjacency=adjacency))[0]
    found.add(line[-64:])
    expect(line[-64:] == digest(file), line)
expect(len(found) == 1 + len(other), "two laws with one digest")

# Ends are rounded outward.
for loss, ends in [("1/3", "0.333333 to 0.333334"), ("-1/3", "-0.333334 to -0.333333"), ("123456", "123456 to 123456"),
                   ("1234567.5", "1234560 to 1234570"), ("0", "0 to 0"), ("0.00001", "1e-5 to 1e-5"), ("999999.5", "999999 to 1000000"),
                   ("2e-900/3", "6.66666e-901 to 6.66667e-901"), ("1e-1000/2", "0 to 1e-1000"), ("1e1000/0.09", "1e1000 to inf")]:
    law = {"losses": [loss], "masses": [["0", "1"]], "infinite": ["0", "1"]}
    line = shown(trivial({"a": file_of({"both": law})}, 'pld(file="a")'))[0]
    expect(f"1 loss from {ends}, infinite with probability at most 1," in line, f"{loss}: {line}")

# Paths that look like specs, or like what a checker says.
for path in ["gaussian(sigma=100)", "a) * gaussian(sigma=100", "pld(file='b')", "x]^30", "a.json   spec   gaussian", "a\\x28", "[1, 2]"]:
    certificate = trivial({path: file_of({"both": HARMLESS})}, f'pld(file="{path}")^2')
    for who, status, out in checked(json.dumps(certificate)):
        expect(status == 0, f"{who}: {path}: {out}")
        for part in re.findall(r'"([^"]*)"', out):
            expect(re.fullmatch(r"[A-Za-z0-9._/~+:@%,\\-]*", part), f"{who}: {path} is shown as {part}")
        expect(out.count("gaussian(") == 0 and path not in out, f"{who}: {path} in {out}")
    expect('"' + "".join(c if re.fullmatch(r"[A-Za-z0-9._/~+:@%,-]", c) else f"\\x{ord(c):02x}" for c in path) + '":' in
           shown(certificate)[0], path)

# For programs: the spec as it is, and the numbers apart.
with open(PATH, "w", encoding="ascii") as file:
    json.dump(trivial({"a b": file_of({"remove": base, "add": HARMLESS}), "c": file_of({"both": HARMLESS})},
                      'pld(file="a b") * pld(file="c")'), file)
report = json.loads(run("check", PATH, "--json").out)
expect(report["spec"] == 'pld(file="a b") * pld(file="c")', report)
expect(report["laws"] == [
    {"file": "a b", "sha256": digest(file_of({"remove": base, "add": HARMLESS})),
     "remove": {"losses": 3, "least": "-0.5", "greatest": "0.25", "infinite": "0.1"},
     "add": {"losses": 2, "least": "-0.01", "greatest": "0.01", "infinite": "0"}},
    {"file": "c", "sha256": digest(file_of({"both": HARMLESS})),
     "both": {"losses": 2, "least": "-0.01", "greatest": "0.01", "infinite": "0"}}], report)
finish()
