#!/usr/bin/env python3
"""Whether PLAUDIT_EXTEND_VERSION is the hash of what plug-ins are compiled against.

    interface_version.py ROOT [--set]

The hash is of plaudit/extend.hpp and the headers of plaudit that it includes, without comments, white space and the
line of the version itself. With --set the header gets it.
"""
import hashlib
import re
import sys
from pathlib import Path

api = Path(sys.argv[1]) / "api"
header = api / "plaudit" / "extend.hpp"
version_line = re.compile(r'^#define PLAUDIT_EXTEND_VERSION "(\w+)"$', re.MULTILINE)


def declarations(path):
    text = version_line.sub("", path.read_text(encoding="utf-8"))
    return re.sub(r"\s+", "", re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL))


read, waiting = {}, [header]
while waiting:
    path = waiting.pop()
    if path in read:
        continue
    read[path] = declarations(path)
    waiting += [api / name for name in re.findall(r'#include [<"](plaudit/[\w.]+)[>"]', path.read_text(encoding="utf-8"))]
assert len(read) > 5 and all(len(text) > 50 for text in read.values()), read.keys()

everything = "".join(str(path.relative_to(api)) + text for path, text in sorted(read.items()))
wanted = hashlib.sha256(everything.encode()).hexdigest()[:12]
text = header.read_text(encoding="utf-8")
stated = version_line.search(text).group(1)
if "--set" in sys.argv:
    header.write_text(text.replace(f'VERSION "{stated}"', f'VERSION "{wanted}"'), encoding="utf-8")
elif stated != wanted:
    sys.exit(f"plug-ins are compiled against other declarations than those of version {stated}: {wanted} "
             "(interface_version.py . --set)")
print(f"{wanted}: {len(read)} headers")
