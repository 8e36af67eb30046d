# plaudit_check.py took 5 seconds to refuse 8 MB of nested lists: brackets were counted one by one, integers and pairs were
# looked at one by one, and the garbage collector walked through all of it again and again.
import json
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from _certificates import MODULE  # noqa: E402
from _program import expect, finish  # noqa: E402

SIZE = 8_000_000


def filled(unit, left="[", right="]"):
    return left + ",".join([unit] * ((SIZE - 2) // (len(unit) + 1))) + right


for what, text in [("lists", filled("[]")), ("nested lists", filled("[[[[[[[[]]]]]]]]")), ("objects", filled("{}")),
                   ("nested objects", filled('{"a":{"b":[{}]}}')), ("integers", filled("1")), ("texts", filled('""')),
                   ("long integers", filled("1234567890123456789")), ("escapes", '"' + "\\\\\\\"" * (SIZE // 4) + '"'),
                   ("fields", "{" + ",".join(f'"{i}":1' for i in range(SIZE // 11)) + "}"),
                   ("open brackets", "[" * SIZE), ("closed brackets", "]" * SIZE), ("quotes", '"' * SIZE)]:
    raw = text.encode()
    start = time.process_time()
    reason = MODULE.verdict(raw)
    seconds = time.process_time() - start
    print(f"{what}: {seconds:.2f} s, {reason}")
    expect(reason is not None and not reason.startswith("malformed"), f"{what}: {reason}")
    expect(seconds < 2.5, f"{what}: {seconds:.2f} s")

# What is outside of texts is found as the parser finds it.
for inside in ["", "\\\\", "\\\"", "\\\\\\\"[", "[[[[[[[[[[[[[[[[[[[[", "\\u0022", "a\\\\", "12345678901234567890123"]:
    text = json.dumps({"a": 1}).replace("a", inside)
    expect("has an unknown" in MODULE.verdict(text) or "missing" in MODULE.verdict(text), f"{text}: {MODULE.verdict(text)}")
for deep, words in [("[" * 16 + "]" * 16, "object"), ("[" * 17 + "]" * 17, "nested"), ("[}", "JSON"), ("[" * 16 + "]" * 15, "is n"),
                    ('["' + "[" * 20 + '"]', "object"), ('["\\""' + "[" * 20 + '"]', "is n"), ("[9223372036854775808]", "64 bits"),
                    ("[-9223372036854775809]", "64 bits"), ("[9223372036854775807]", "object"), ("[1e5]", "integer"),
                    ('["\\\\\\""]', "object"), ('{"a": null}', "null"), ('{"a": 1, "a": 1}', "twice")]:
    expect(words in MODULE.verdict(deep), f"{deep}: {MODULE.verdict(deep)}")
finish()
