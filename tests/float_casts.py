"""Doubles become integers in lib/exact/checked_integer alone, which says what happens to infinities.

float_casts.py SOURCE_DIR looks at the text. It knows no types: it sees the rounding functions that
return integers, and casts to integers whose argument calls a function on doubles, has a literal with
a point or an exponent, or a name that the same file declares as a double. A cast of a double that
looks like none of these escapes it.

float_casts.py SOURCE_DIR ARCHIVE... looks at archives of a build with
-fsanitize=float-cast-overflow instead: every such cast calls a handler there, so none escapes that
is compiled, by the function in which it is.
"""
import re
import subprocess
import sys
from pathlib import Path

FOLDERS = ["lib", "mechanisms", "accountants", "verification", "cli", "api"]
# The rule's own file, and the checker of certificates, which shares no code with lib and bounds what
# it reads by its schema.
EXEMPT = re.compile(r"lib/exact/checked_integer\.cpp|verification/checker/")
# Functions that may call the handler, and why.
FUNCTIONS = [
    (r"plaudit::(checked|clamped)_integer\(", "the rule's own"),
    (r"plaudit::Deadline::Deadline\(", "std::chrono, of seconds that were clamped to 1e9"),
    (r"plaudit::\(anonymous namespace\)::earlier\(", "std::chrono, of a part of such seconds"),
    (r"plaudit::cli::\(anonymous namespace\)::Pool::begin\(", "the same, of a limit that the command line bounds"),
    (r"nlohmann::", "get<integer>, called for JSON integers only"),
    (r"boost::(math|multiprecision)::", "for estimates, and in a cross-check"),
]

INTEGER = (r"(?:long long|unsigned long|unsigned|long|int|short|slong|ulong|auto|"
           r"(?:std::)?(?:size_t|ptrdiff_t|u?int(?:8|16|32|64)_t))")
CAST = re.compile(rf"\bstatic_cast<\s*{INTEGER}\s*>\s*\(|(?<![\w:.>]){INTEGER}\s*[({{](?=[^)]*[\w.)])"
                  rf"|\(\s*{INTEGER}\s*\)(?=\s*[\w(])")
CALLED_ROUNDER = re.compile(r"R_X86_64_\S+\s+l?l(?:round|rint)[fl]?\b|R_AARCH64_\S+\s+l?l(?:round|rint)[fl]?\b")
ROUNDERS = re.compile(r"\bl?l(?:round|rint)[fl]?\s*\(")
ON_DOUBLES = re.compile(
    r"\bstd::(?:ceil|floor|round|trunc|rint|nearbyint|log|log2|log10|log1p|exp|exp2|expm1|pow|sqrt|"
    r"cbrt|fabs|hypot|ldexp|fmin|fmax|fmod)\s*\(|\bestimate(?:_log)?\s*\(|_double\s*\(|"
    r"static_cast<(?:double|float)>|(?<![\w.])(?:\d+\.\d*|\.\d+|\d+(?:\.\d*)?[eE][-+]?\d+)(?![\w.])")
CHECKED = re.compile(r"\b(?:checked_integer|clamped_integer|precision_bits|whole)\s*(?=\()")
WORD = re.compile(r"(?<![\w.>:])[A-Za-z_]\w*(?!\w|\s*\(|\.|->|::)")


def code_of(text):
    """The text without comments and literals, its lines kept."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group(0))
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', blank, text, flags=re.S)


def argument(code, start):
    """The bracketed text that starts at `start`, or the word there."""
    if code[start] not in "({":
        return re.match(r"[\w.:>()\-]*", code[start:]).group(0)
    depth = 0
    for end in range(start, len(code)):
        depth += (code[end] in "({") - (code[end] in ")}")
        if depth == 0:
            return code[start:end + 1]
    return code[start:]


def without_checked(code):
    while match := CHECKED.search(code):
        code = code[:match.start()] + code[match.end() + len(argument(code, match.end())):]
    return code


def is_double(word, code, at):
    """What the last declaration of that name before the place says, else the first one after."""
    declared = re.compile(r"\b(?!(?:return|else|case)\b)([\w:]+(?:<[^<>]*>)?)[&\s]+" + word +
                          r"\s*(?=[;=,){}:])")
    kinds = [(match.start() < at, match.group(1)) for match in declared.finditer(code)]
    before = [kind for earlier, kind in kinds if earlier]
    kind = before[-1] if before else kinds[0][1] if kinds else ""
    return kind in ("double", "float")


def suspicious(path):
    code = code_of(path.read_text())
    found = []
    for match in ROUNDERS.finditer(code):
        found.append((match.start(), match.group(0)))
    for match in CAST.finditer(code):
        bracket = match.end() if code[match.end() - 1] == ")" else match.end() - 1
        inside = argument(code, bracket)
        seen = re.sub(r"\[[^\]]*\]", "", without_checked(inside))  # an index tells nothing
        if ON_DOUBLES.search(seen) or any(is_double(word, code, match.start())
                                          for word in WORD.findall(seen)):
            found.append((match.start(), match.group(0) + inside))
    return [(code.count("\n", 0, at) + 1, " ".join(text.split())[:100]) for at, text in found]


def look_at_text(root):
    count = 0
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.[ch]pp")):
            name = path.relative_to(root).as_posix()
            if EXEMPT.match(name):
                continue
            count += 1
            for line, text in suspicious(path):
                yield f"{name}:{line}: {text}"
    assert count > 150, f"only {count} files were found"


def look_at_objects(archives):
    calls = 0
    for archive in archives:
        listing = subprocess.run(["objdump", "-dr", "-C", "--no-show-raw-insn", archive], check=True, text=True,
                                 capture_output=True).stdout
        function = ""
        for line in listing.splitlines():
            if line.endswith(">:"):
                function = line.partition("<")[2][:-2]
                continue
            if "__ubsan_handle_float_cast_overflow" not in line and not CALLED_ROUNDER.search(line):
                continue
            calls += 1
            if not any(re.search(r"(?<!<)\b" + known, function) for known, _ in FUNCTIONS):
                yield f"{Path(archive).name}: {function[:200]} casts a double to an integer"
    assert calls > 0, "the archives were not built with -fsanitize=float-cast-overflow"


# What must be found, and what must not: the script would be silent if its patterns broke.
def check_itself():
    bad = ["static_cast<long>(std::ceil(a / b))", "std::lround(x)", "llrint (y)",
           "static_cast<std::size_t>(1.5 * n)", "static_cast<int>(\n  x / 2)", "long(x)", "(int)x",
           "static_cast<std::uint64_t>(ball.estimate())", "auto k = static_cast<unsigned>(2e3 * n);"]
    good = ["static_cast<long>(n)", "static_cast<std::size_t>(i - first)", "// std::lround(x)",
            "static_cast<long>(f(n))", 'std::string("static_cast<long>(0.5)")', "int f(double y);",
            "static_cast<double>(x)", "checked_integer(std::ceil(x), what)",
            "static_cast<int>(clamped_integer(std::ceil(x), 0, 9) + 1)", "int x = 1; std::size_t(x)"]
    class Text:
        def __init__(self, text):
            self.text = text

        def read_text(self):
            return "double x = 1;\n" + self.text + "\n"

    for text in bad:
        assert suspicious(Text(text)), f"not seen: {text}"
    for text in good:
        assert not suspicious(Text(text)), f"seen: {text}: {suspicious(Text(text))}"


check_itself()
failures = list(look_at_objects(sys.argv[2:]) if len(sys.argv) > 2 else look_at_text(Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
for failure in failures:
    print(failure)
print(f"{len(failures)} casts of doubles outside of lib/exact/checked_integer")
sys.exit(1 if failures else 0)
