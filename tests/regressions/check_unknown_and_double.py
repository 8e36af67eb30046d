# Certificates with unknown fields ("theorem", "unit", ...) and with keys that occur twice were accepted: a reader was shown
# one value and another one was proven, the last one of the two. Versions `true` and 1.0 counted as 1. Whatever the schema
# does not have is rejected now, by both checkers.
import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
from _certificate import *

good = certificate("gaussian(sigma=3)^20", "--delta", "1e-6", "--digits", "8")
text = json.dumps(good)
expect_accepted(text, "honest")


def changed(change):
    copy = json.loads(text)
    change(copy)
    return json.dumps(copy)


for name in ("theorem", "unit", "comment", "adjacency_of_the_authors"):
    expect_rejected(changed(lambda c: c.update({name: "anything"})), "unknown " + name)
    expect_rejected(changed(lambda c: c["statements"][0].update({name: "1"})), "unknown in a statement " + name)
    expect_rejected(changed(lambda c: c["statements"][0]["choices"].update({name: "1"})), "unknown choice " + name)
# twice: the first one is what a reader sees at the top of the file
for key, value in (("upper", '"0.1"'), ("lower", '"100"'), ("spec", '"gaussian(sigma=1)"'), ("argument", '"1e-9"'),
                   ("statements", "[]"), ("plaudit_certificate", "3")):
    expect_rejected('{"' + key + '": ' + value + ", " + text[1:], "twice " + key)
expect_rejected(text.replace('"direction"', '"bits": 99, "direction"', 1), "bits twice in a statement")
for version in ("true", "3.0", '"3"', "1", "2", "4", "null", "[3]"):
    replaced = text.replace('"plaudit_certificate": 3', '"plaudit_certificate": ' + version)
    expect(replaced != text, "nothing was replaced")
    expect_rejected(replaced, "version " + version)
expect_rejected(changed(lambda c: c.update(argument=1e-6)), "a float")
expect_rejected(changed(lambda c: c.update(argument=" 1e-6")), "a space before a number")
expect_rejected(changed(lambda c: c.update(argument="\uff11e-6")), "a fullwidth digit")
for key in good:
    expect_rejected(changed(lambda c: c.pop(key)), "without " + key)
for key in good["statements"][0]:
    expect_rejected(changed(lambda c: c["statements"][0].pop(key)), "statement without " + key)
finish()
