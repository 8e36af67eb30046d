# A reader of a verdict could be misled: plaudit_check.py printed "accepted" and nothing of what was proven; both checkers
# took the last of two equal keys and ignored fields they did not know; `check` printed the spec as the file had it, in
# which a carriage return overprints what was proven. Now both print the canonical spec, the adjacency, the claim and the
# statements, and reject what is unknown, double or of another type.
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from _certificates import certificate, changed, expect_accepted, expect_rejected, trivial  # noqa: E402
from _program import expect, finish  # noqa: E402

SPEC = "poisson(gaussian(sigma=0.8), rate=0.004)^1000"
honest = certificate("epsilon", SPEC, "1e-7")

# What is proven is printed, by both.
for text in expect_accepted("the honest one", honest):
    for word in (SPEC, "add_remove", "epsilon at delta = 1e-7", honest["lower"], honest["upper"], "<= 1e-7",
                 *(s["kind"] for s in honest["statements"])):
        expect(word in text, f"{word!r} is not printed: {text}")
for spec, words in [("pair(without_replacement, sigma=2, rate=0.01)^10", ["none", "no privacy guarantee"]),
                    ("group(poisson(gaussian(sigma=2), rate=0.5), size=3)", ["add_remove", "groups of up to 3 records"]),
                    ("without_replacement(gaussian(sigma=2), batch=5, population=40, adjacency=replace)", ["replace"])]:
    changes = {"adjacency": words[0], "group_size": 3 if "size=3" in spec else 1, "guarantee": words[0] != "none"}
    for text in expect_accepted(spec, trivial(spec, **changes)):
        for word in words:
            expect(word in text, f"{word!r} is not printed for {spec}: {text}")
    for key, value in [("adjacency", "as_stated"), ("group_size", 2), ("guarantee", not changes["guarantee"])]:
        expect_rejected(f"{spec} with {key} {value}", trivial(spec, **{**changes, key: value}), [key])

# The text of a spec is the canonical one, so nothing in it can hide anything.
for spec in (SPEC + "\r", "\r" + SPEC, SPEC + "\n", SPEC + " ", SPEC + "\x1b[2K", SPEC + "\u202e", SPEC + "\x00", SPEC + "\x08" * 40):
    expect_rejected(repr(spec), changed(honest, "spec", spec))


def place(value, path):
    for key in path:
        value = value[key]
    return value


def doubled(value, path):
    """The JSON of `value` with the key at `path` a second time, in front, with the same value or another."""
    *outer, key = path
    text = json.dumps(changed(value, *outer, "#first#", None))
    return text.replace('"#first#": null', f"{json.dumps(key)}: {json.dumps(place(value, path))}")


def paths(value, path=()):
    """Those of all fields of all objects."""
    if isinstance(value, dict):
        for key, inside in value.items():
            yield path + (key,)
            yield from paths(inside, path + (key,))
    elif isinstance(value, list):
        for i, inside in enumerate(value[:1]):
            yield from paths(inside, path + (i,))


objects = set()
for path in paths(honest):
    expect_rejected(f"{path} twice", doubled(honest, path), [path[-1]], processes=False)
    objects.add(path[:-1])
    missing = changed(honest, *path, None)
    del place(missing, path[:-1])[path[-1]]
    if path[-1] not in ("right", "left", "moment"):  # without these rules the moments are bounded plainly
        expect_rejected(f"without {path}", missing, processes=False)
    for wrong in (None, True, 1.5, [], {}, "x", -1):
        here = place(honest, path)
        if here is wrong or (wrong == -1 and type(here) is int and "choices" in path):
            continue  # another choice of the same type may prove it too
        expect_rejected(f"{path} is {wrong!r}", changed(honest, *path, wrong), processes=False)
expect(len(objects) >= 4, f"only {len(objects)} objects in a certificate")
for path in objects:
    for name in ("theorem", "adjacency ", "unit", "", "Lower", "__class__", "comment"):
        expect_rejected(f"{path} with {name!r}", changed(honest, *path, name, "x"), processes=False)

# A claim in other words.
for key, value in [("quantity", "epsilon "), ("quantity", "Epsilon"), ("argument", 1e-7), ("argument", "1E-7"), ("argument", "+1e-7"),
                   ("argument", " 1e-7"), ("argument", "1e-7 "), ("argument", ".1e-6"), ("argument", "1.e-7"), ("argument", "1e-\u0667"),
                   ("argument", "0x1"), ("argument", "1_0e-8"), ("argument", "1/10000000/1"), ("argument", "1/-10000000"),
                   ("argument", ""), ("argument", "inf"), ("argument", "nan"), ("lower", "-inf"), ("lower", "nan"), ("upper", "Infinity"),
                   ("upper", ["2"]), ("lower", 2), ("files", {}), ("files", {"x": {}})]:
    expect_rejected(f"{key} is {value!r}", changed(honest, key, value), processes=False)
for key in ("lower", "upper", "argument"):
    for word in ("NaN", "Infinity", "-Infinity", "1e-7", "0.5", "1E400"):
        text = json.dumps(changed(honest, key, "#")).replace('"#"', word)
        expect_rejected(f"{key} is {word}", text, processes=False)
finish()
