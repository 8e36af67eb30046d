"""The operating system is called in a few files alone, which docs/architecture.md names in its row "calls of the
operating system": another system is a change of these. Everywhere else stands C++ and what the libraries that plaudit
links declare.

system_calls.py SOURCE_DIR looks at the text of the C++ sources: at headers that are neither of the standard library of
C++ nor of those libraries, at names of calls of POSIX, Linux, macOS and Windows and of signals, at macros that tell
systems apart, and at paths of /proc, /sys and /dev. A call under another name of a header that one of these includes
escapes it. A file that is named and calls nothing is an error too.
"""
import re
import sys
from pathlib import Path

FOLDERS = ["lib", "mechanisms", "accountants", "verification", "api", "cli", "python/bindings"]
ROW = "calls of the operating system"

# Of the standard library all but signals and jumps; then GMP, MPFR, MPFI, FLINT with Arb, FFTW, Boost and others.
PORTABLE = re.compile(r"(?!csignal|csetjmp)[a-z_]+|(?:gmp|mpfr|mpfi|fftw3|math)\.h|(?:flint/)?(?:a[cr]b|mag|arf|fmp[zq]|flint)\w*\.h|"
                      r"(?:boost|nlohmann|CLI|pybind11|plaudit)/[\w/]+\.h(?:pp)?|flint/\w+\.h|cxxabi\.h")
CALLS = re.compile(
    r"\bstd::raise\s*\(|(?<![\w.>:])(?:std::|::)?(?:v?fork|exec(?:l|le|lp|v|ve|vp|vpe)|posix_\w+|wait(?:id|pid|3|4)|kill|killpg|signal|"
    r"sig(?:action|altstack|procmask|nal|longjmp|setjmp|emptyset|fillset|addset)|alarm|[gs]etitimer|nanosleep|usleep|"
    r"pipe2?|dup[23]|pselect|ppoll|epoll_\w+|kqueue|fcntl|ioctl|flock|openat|creat|pread|pwrite|lseek|f?truncate|"
    r"[fl]stat|fstatat|f?chmod|f?chown|umask|mkstemp|mkdir|rmdir|unlink|readlink|symlink|getcwd|chdir|"
    r"mmap|munmap|mprotect|madvise|mlock|s?brk|malloc_\w+|[gs]etrlimit|prlimit|getrusage|prctl|sysconf|sysctl\w*|syscall|"
    r"dl(?:open|sym|close|error|addr)|pthread_\w+|sched_\w+|get(?:pid|ppid|uid|euid|pwuid|hostname|timeofday)|isatty|ttyname|"
    r"fileno|fdopen|p(?:open|close)|system|_exit|gmtime_r|localtime_r|strerror_r|clock_gettime|setenv|unsetenv|putenv|"
    r"task_info|mach_\w+|GetProcessMemoryInfo|CreateProcess[AW]?|LoadLibrary[AW]?)\s*\(")
MACROS = re.compile(r"\b(?:__linux__|__linux|__unix__|__APPLE__|__MACH__|_WIN32|_WIN64|__CYGWIN__|__MINGW32__|__FreeBSD__|"
                    r"__GLIBC__|__EMSCRIPTEN__|__ANDROID__|_POSIX_\w+|environ)\b")
PATHS = re.compile(r'"/(?:proc|sys|dev)/[^"]*"')


def code_of(text, literals):
    """The text without comments and, unless they are wanted, without literals; its lines are kept."""
    def blank(match):
        kept = literals and match.group(0).startswith('"')
        return match.group(0) if kept else re.sub(r"[^\n]", " ", match.group(0))
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', blank, text, flags=re.S)


def calls_in(text):
    """(line, what) of each thing that only an operating system has."""
    code, with_literals = code_of(text, False), code_of(text, True)
    found = []
    for match in re.finditer(r"^[ \t]*#[ \t]*include[ \t]*<([^>\n]+)>", code, re.M):
        if not PORTABLE.fullmatch(match[1]):
            found.append((match.start(1), "<" + match[1] + ">"))
    for match in CALLS.finditer(code):
        found.append((match.start(), match.group(0).rstrip("( ")))
    found += [(match.start(), match.group(0)) for match in MACROS.finditer(code)]
    found += [(match.start(), match.group(0)) for match in PATHS.finditer(with_literals)]
    return [(text.count("\n", 0, at) + 1, what) for at, what in sorted(found)]


# What must be found, and what must not: the script would be silent if its patterns broke.
def check_itself():
    bad = ["#include <unistd.h>", "# include <sys/stat.h>", "#include <csignal>", "#include <windows.h>", "pid = fork();",
           "std::signal(SIGINT, f);", "return getpid();", 'read("/proc/self/statm")',
           "#ifdef __linux__", "#if defined(_WIN32)", "char** each = environ;", "x = mmap(nullptr, size, 0, 0, -1, 0);",
           "setrlimit(RLIMIT_CORE, &none);", "malloc_trim(0);", "std::raise(SIGINT);", "gmtime_r(&seconds, &parts);", "\n  ::kill(process, SIGKILL);"]
    good = ["#include <cmath>", "#include <flint/arb.h>", "#include <arb_hypgeom.h>", "#include <boost/version.hpp>",
            '#include "lib/work/threads.hpp"', "// fork() is called elsewhere", 'text("fork() and kill(1)")', "curve->open(loss);",
            "object.signal(3)", "std::unique_ptr<Curve> open(const Loss& loss);", "Accountant::open(loss)", "bool access(int file);", "other::signal(3)",
            "was_open(x)", '"a path such as proc/self"', "double select(double x);"]
    for text in bad:
        assert calls_in(text), f"not seen: {text}"
    for text in good:
        assert not calls_in(text), f"seen: {text}: {calls_in(text)}"


def named_files(root):
    """Those of the row of the page, as paths of their .cpp."""
    page = (root / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = re.findall(rf"^\| {ROW} \|(.*)\|$", page, re.M)
    assert len(rows) == 1, f"docs/architecture.md has {len(rows)} rows \"{ROW}\""
    return {name + ".cpp" for name in re.findall(r"`(\w+(?:/\w+)+)`", rows[0])}


check_itself()
root = Path(sys.argv[1])
named = named_files(root)
failures, quiet, count = [], set(named), 0
for folder in FOLDERS:
    for path in sorted((root / folder).rglob("*.[ch]pp")):
        name = path.relative_to(root).as_posix()
        count += 1
        calls = calls_in(path.read_text(encoding="utf-8"))
        quiet -= {name} if calls else set()
        if name not in named:
            failures += [f"{name}:{line}: {what}" for line, what in calls]
failures += [f"{name} is named in docs/architecture.md and calls nothing" for name in sorted(quiet)]
for failure in failures:
    print(failure)
assert count > 500, f"only {count} files were found"
print(f"{len(failures)} calls of the operating system outside of {len(named)} files, in {count}")
sys.exit(1 if failures else 0)
