"""The recipes of conda-forge, Homebrew, Spack and vcpkg for one release: packaging/recipes with the address of the archive, its
version and its sums filled in.

usage: recipes.py HOME URL ARCHIVE FOLDER

HOME is the address of the project, URL that of the sdist of a release, ARCHIVE the sdist itself, FOLDER where recipes go.
"""
import hashlib
import re
import sys
from pathlib import Path

if len(sys.argv) != 5:
    sys.exit(__doc__)
home, url, archive, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4])
version = re.fullmatch(r"plaudit-([0-9.]+)\.tar\.gz", archive.name)
if not version or not url.startswith("https://"):
    sys.exit("ARCHIVE must be plaudit-VERSION.tar.gz and URL an address that begins with https://")
content = archive.read_bytes()
values = {"HOME": home, "URL": url, "VERSION": version[1], "SHA256": hashlib.sha256(content).hexdigest(),
          "SHA512": hashlib.sha512(content).hexdigest()}
recipes = Path(__file__).resolve().parent / "recipes"
for source in sorted(path for path in recipes.rglob("*") if path.is_file()):
    text = source.read_text(encoding="utf-8")
    if source.suffix == ".in":
        text = re.sub(r"@([A-Z0-9]+)@", lambda match: values[match[1]], text)
    target = folder / source.relative_to(recipes).with_name(source.name.removesuffix(".in"))
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")
    print(target)
