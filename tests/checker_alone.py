"""The checker knows accountants/proof and exact numbers, and nothing else of plaudit: its sources include each other
and those, the standard library, MPFI and nlohmann's JSON, and its target links no other layer.

accountants/proof knows lib and itself: nothing that chooses (accountants/plan, the accountants), no law that estimates
(mechanisms), no file. A kind of proof (accountants/proof/kinds) has no constant in floating point, which could only tune.

usage: checker_alone.py SOURCE_DIR
"""
import re
import sys
from pathlib import Path

ALLOWED = re.compile(r'"verification/checker/(?:[a-z_]+/)?[a-z_]+\.hpp"|"lib/exact/[a-z_]+\.hpp"|"accountants/proof/(?:[a-z_]+/)?[a-z_]+\.hpp"|'
                     r'<[a-z_]+>|<mpfi\.h>|<mpfr\.h>|<gmp\.h>|'
                     r'<nlohmann/json(?:_fwd)?\.hpp>')

folder = Path(sys.argv[1]) / "verification" / "checker"
sources = sorted([*folder.rglob("*.cpp"), *folder.rglob("*.hpp")])
assert len(sources) > 20, f"only {len(sources)} sources in {folder}"
found = []
for source in sources:
    for number, line in enumerate(source.read_text(encoding="utf-8").splitlines(), 1):
        include = re.match(r"\s*#\s*(?:include|import)\s*(.*)", line)
        if include and not ALLOWED.fullmatch(include[1].split("//")[0].strip()):
            found.append(f"{source.name}:{number}: {line.strip()}")
links = re.sub(r"#.*", "", (folder / "CMakeLists.txt").read_text(encoding="utf-8"))
found += [f"CMakeLists.txt: {name}" for name in re.findall(r"plaudit_\w+", links)
          if name not in ("plaudit_layer", "plaudit_precompile", "plaudit_checker", "plaudit_proof",
                          "plaudit_optimise_less")]
for given in re.findall(r"plaudit_precompile\(plaudit_checker ([^)]*)\)", links):
    found += [f"CMakeLists.txt: {word}" for word in given.split() if not ALLOWED.fullmatch(word)]
proof = Path(sys.argv[1]) / "accountants" / "proof"
proof_sources = sorted([*proof.rglob("*.cpp"), *proof.rglob("*.hpp")])
assert len(proof_sources) > 10, f"only {len(proof_sources)} sources in {proof}"
KNOWN = re.compile(r'"accountants/proof/(?:[a-z_]+/)?[a-z_]+\.hpp"|"lib/[a-z]+(?:/[a-z_]+)*\.hpp"|<[a-z_]+>|<mpfi\.h>|<mpfr\.h>|<gmp\.h>')
for source in proof_sources:
    for number, line in enumerate(source.read_text(encoding="utf-8").splitlines(), 1):
        include = re.match(r"\s*#\s*(?:include|import)\s*(.*)", line)
        if include and not KNOWN.fullmatch(include[1].split("//")[0].strip()):
            found.append(f"{source.name}:{number}: {line.strip()}")
        if source.parent.name == "kinds" and re.search(r"constexpr (?:double|float)", line):
            found.append(f"{source.name}:{number}: tunes: {line.strip()}")
assert not found, "more is used than may be:\n" + "\n".join(found)
print(f"{len(sources)} sources of the checker and {len(proof_sources)} of proofs stand alone")
