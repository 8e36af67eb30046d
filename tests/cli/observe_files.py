"""observe: scores in numpy's .npz give what CSV gives, broken ones are refused; the picture of the rates."""
import io
import os
import pathlib
import random
import re
import struct
import tempfile
import zipfile
from xml.etree import ElementTree

from _program import expect, expect_refused, finish, run

CLAIM = ["gaussian(sigma=2)", "--design", "runs"]


def npy(values, kind="f8", shape=None, descr=None):
    """An array as numpy's format 1.0 has it."""
    order = "|" if kind.endswith("1") else "<"
    code = {"f8": "d", "f4": "f", "i8": "q", "i4": "i", "i2": "h", "i1": "b", "u1": "B", "u2": "H", "u4": "I", "u8": "Q", "b1": "B"}[kind]
    head = f"{{'descr': '{descr or order + kind}', 'fortran_order': False, 'shape': {shape or (len(values),)}, }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + b"".join(struct.pack("<" + code, x) for x in values)


def npz(arrays, how=zipfile.ZIP_STORED):
    """As np.savez writes it: each head with room for 64-bit sizes."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", how) as archive:
        for name, content in arrays.items():
            with archive.open(name + ".npy", "w", force_zip64=True) as entry:
                entry.write(content)
    return file.getvalue()


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "scores.npz")

    def asked(content, *more):
        pathlib.Path(path).write_bytes(content)
        return run("observe", *CLAIM, "--scores", path, "--json", "--level", "1/20", *(more or ("--threshold", "1.5")))

    with_record = [2.5] * 30 + [1.5] * 5 + [-1.0, 0.1, float("-inf"), 1.4999999999999998]
    without = [2.0, float("inf")] + [-3.25] * 40
    text = "score,member\n" + "".join(f"{x!r},1\n" for x in with_record) + "".join(f"{x!r},0\n" for x in without)
    wanted = asked(text.encode())
    expect(wanted.status == 3 and wanted.json()["counts"]["true_positives"] == 35, wanted.out + wanted.err)
    apart = {"in": npy(with_record), "out": npy(without)}
    together = {"scores": npy(with_record + without), "members": npy([1] * len(with_record) + [0] * len(without), "b1")}
    for arrays in (apart, together, {**together, "members": npy([1] * len(with_record) + [0] * len(without), "f8")}):
        found = asked(npz(arrays))
        expect(found.status == 3 and found.json() == wanted.json(), found.out + found.err)
    for kind, least in (("i8", -2**63), ("i4", -2**31), ("i2", -2**15), ("i1", -128), ("u8", 0), ("u4", 0), ("u2", 0), ("u1", 0), ("f4", 0.25)):
        found = asked(npz({"in": npy([least] + [100] * 19, kind), "out": npy([least] * 20, kind)}), "--threshold", str(least + 1))
        expect(found.json()["counts"] == {"true_positives": 19, "with_record": 20, "false_positives": 0, "without_record": 20}, f"{kind}: {found.out}{found.err}")
        below = asked(npz({"in": npy([least] + [100] * 19, kind), "out": npy([least] * 20, kind)}), "--threshold", str(least))
        expect(below.json()["counts"]["false_positives"] == 20, f"{kind}: {below.out}{below.err}")

    for what, words, content in (
            ("compressed", "np.savez", npz(apart, zipfile.ZIP_DEFLATED)),
            ("a third array", "in and out", npz({**apart, "more": npy([1.0])})),
            ("one array", "in and out", npz({"in": npy([1.0])})),
            ("two dimensions", "one dimension", npz({**apart, "in": npy([1.0, 2.0], shape=(2, 1))})),
            ("longer than stated", "as long as", npz({**apart, "in": npy([1.0, 2.0], shape=(1,))})),
            ("shorter than stated", "as long as", npz({**apart, "in": npy([1.0, 2.0], shape=(10**18,))})),
            ("halves", "32 or 64", npz({**apart, "in": npy([1.0], descr="<f2")})),
            ("objects", "32 or 64", npz({**apart, "in": npy([1.0], descr="|O8")})),
            ("the other order", "32 or 64", npz({**apart, "in": npy([1.0], descr=">f8")})),
            ("not a number", "no number", npz({**apart, "in": npy([float("nan")])})),
            ("members of 2", "0 or 1", npz({**together, "members": npy([2] * (len(with_record) + len(without)), "i8")})),
            ("fewer members", "as many", npz({**together, "members": npy([1], "i8")})),
            ("cut off", "npz", npz(apart)[:-30]), ("another byte", "checksum", npz(apart).replace(struct.pack("<d", 2.5), struct.pack("<d", 3.5), 1))):
        pathlib.Path(path).write_bytes(content)
        expect_refused(["--scores" if words != "no number" else "scores", words], "observe", *CLAIM, "--scores", path, "--threshold", "1")

    # Anything else is refused in words, or read: nothing crashes.
    rng = random.Random(7)
    honest = npz({"in": npy([1.0, 2.0]), "out": npy([0.0])})
    for _ in range(60):
        broken = bytearray(honest)
        for _ in range(rng.choice((1, 1, 3))):
            broken[rng.randrange(4, len(broken))] = rng.choice((0, 255, rng.randrange(256)))
        if rng.random() < 0.3:
            broken = broken[:rng.randrange(4, len(broken))]
        found = asked(bytes(broken))
        expect(found.status in (0, 2) and (found.status == 0) == bool(found.out), f"{found.status}: {found.out[:200]} {found.err[:300]}")

    # The picture: a line for the claim, a diamond for a corner beyond it, no picture of other designs.
    svg = os.path.join(folder, "rates.svg")
    for counts, status, diamonds, discs in (("312,1000,3,1000", 3, 1, 0), ("120,1000,15,1000", 0, 0, 1)):
        found = run("observe", *CLAIM, "--counts", counts, "--svg", svg)
        drawn = pathlib.Path(svg).read_text()
        ElementTree.fromstring(drawn)
        marks = re.findall(r'class="mark ([a-z]+)"', drawn)
        expect(found.status == status and marks == ["refuted"] * diamonds + ["tight"] * discs, f"{marks} {found.err}")
        expect("false positive rate" in drawn and "gaussian(sigma=2)" in drawn and 'class="certified"' in drawn, drawn[:500])
    lines = "score,member\n" + "".join(f"{3 * i / 200},0\n{2.6 + 3 * i / 200},1\n" for i in range(200))
    pathlib.Path(path).write_text(lines)
    found = run("observe", *CLAIM, "--scores", path, "--threshold", "all", "--svg", svg)
    drawn = pathlib.Path(svg).read_text()
    expect(found.status == 3 and 1 <= drawn.count('class="mark refuted"') <= 120, found.out + found.err)
    expect_refused(["--svg", "runs"], "observe", "gaussian(sigma=2)", "--design", "coins", "--counts", "9,10,10", "--svg", svg)
    expect_refused(["--svg"], "observe", *CLAIM, "--counts", "9,10,1,10", "--svg", "/nowhere/a.svg")
    expect_refused(["--certificate"], "observe", *CLAIM, "--counts", "9,10,1,10", "--certificate", "/nowhere/a.json")
finish()
