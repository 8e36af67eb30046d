#!/usr/bin/env python3
"""The part of FLINT and Arb that a program needs, and nothing else of them: 800 of their 9000 files.

    closure.py --compiler CC --nm NM --ar AR --out LIB.a --objects FOLDER [--flags "..."] --sources FOLDER... -- ROOT...

The roots are object files and archives; a source may be a file, which lists the files. Whatever they leave undefined, and a file of the sources defines, is compiled and
searched for what it leaves undefined in turn. Which file defines a name is guessed from its text; what the compiler made
of the file decides.
"""
import argparse
import re
import shlex
import subprocess
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

NO_SOURCES = {"test", "profile", "tune", "examples", "doc", "link", "interfaces", "build"}
# A name at the beginning of a line, or behind a type there, before what only a definition or a declaration has. And names that stand in brackets or in macros: (name) (...), int (*name) (...), ARB_DEF_CACHED_CONSTANT(name, x),
# weak_alias(x, name), MPFR_THREAD_VAR (type, name, x), #define FUNCTION name
MADE = re.compile(r"^(?:[\w ]*\(\*?(\w+)\) *[=(]|[A-Za-z_]+ ?\((\w+), *(\w+)|#define +[A-Z_]+ +(\w+)$)", re.MULTILINE)
DEFINED = re.compile(r"^(?![#/ \t*])[\w \t*]*?\b(\w+)[ \t]*(?:\(|\[|=)", re.MULTILINE)


def symbols(nm, files):
    """Names that these define, and names that they leave to others."""
    defined, wanted = set(), set()
    for start in range(0, len(files), 200):
        listed = subprocess.run([nm, "--format=posix", *map(str, files[start:start + 200])], check=True, text=True,
                                capture_output=True).stdout
        for line in listed.splitlines():
            words = line.split()
            if len(words) >= 2 and len(words[1]) == 1:
                (wanted if words[1] in "Uw" else defined).add(words[0])
    return defined, wanted - defined


def index(folders):
    """Which files may define a name: the one that is called so, arb/exp.c for arb_exp, or else all whose text looks so."""
    files, called = defaultdict(list), {}
    for folder in folders:
        if folder.is_file():
            paths = [Path(line) for line in folder.read_text().split()]
        else:
            paths = [path for path in sorted(folder.rglob("*.c")) if not NO_SOURCES & set(path.relative_to(folder).parts[:-1])]
        for path in paths:
            text = path.read_text(errors="replace")
            files[path.stem].append(path)  # mp_clz_tab.c has mpfr_clz_tab
            for name in {*DEFINED.findall(text), *(name for names in MADE.findall(text) for name in names if name)}:
                files[name].append(path)
                if name.lstrip("_") == f"{path.parent.name}_{path.stem}":
                    called[name] = [path]
        for path in folder.glob("fmpz/link/fmpz_single.c"):  # not the variants for other ways of allocation
            for name in set(DEFINED.findall(path.read_text())):
                files[name].append(path)
    return files | called


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--nm", required=True)
    parser.add_argument("--ar", required=True)
    parser.add_argument("--flags", default="")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--objects", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--sources", type=Path, nargs="+", required=True)
    parser.add_argument("roots", nargs="+")
    given = parser.parse_args()
    files = index(given.sources)
    given.objects.mkdir(parents=True, exist_ok=True)
    made = {}

    def compiled(path):
        stem = "-".join(path.with_suffix("").parts[-3:])
        target = given.objects / f"{stem}.o"
        if not target.exists():
            part = target.with_suffix(".part")
            made_one = subprocess.run([given.compiler, *shlex.split(given.flags), "-c", str(path), "-o", str(part)])
            if made_one.returncode:  # a file that was only suspected, or the link will say what is missing
                print(f"{path}: does not compile", flush=True)
                return path, None
            part.rename(target)
        return path, target

    defined, wanted = symbols(given.nm, given.roots)
    with ThreadPoolExecutor(given.jobs) as pool:
        while True:
            next_files = {path for name in wanted - defined for path in
                          files.get(name) or files.get(name.replace("mpfr_", "mp_"), ())} - set(made)
            if not next_files:
                break
            made |= dict(pool.map(compiled, sorted(next_files)))
            for name in set(files) & wanted:
                del files[name]  # asked once: what did not define it never will
            more_defined, more_wanted = symbols(given.nm, [made[path] for path in next_files if made[path]])
            defined |= more_defined
            wanted = (wanted | more_wanted) - defined
            print(f"{len(made)} files, {sum(name in files for name in wanted)} names to find", flush=True)
    given.out.unlink(missing_ok=True)
    objects = given.objects / "list"
    objects.write_text("\n".join(str(made[path]) for path in sorted(made) if made[path]))
    subprocess.run([given.ar, "crs", str(given.out), f"@{objects}"], check=True)


if __name__ == "__main__":
    main()
