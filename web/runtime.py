#!/usr/bin/env python3
"""The C and C++ libraries of Emscripten for the module's machine, from the sources that Emscripten's package contains.

    runtime.py EMSCRIPTEN CC CXX AR FOLDER

Emscripten would compile them itself, through its driver in Python, one process for each of 1300 files, and what the module
has no use for too. Here its own lists say which files and flags. The C++ parts become FOLDER/libc++.a; of the C parts,
FOLDER/files lists the sources, from which closure.py takes what is needed.
"""
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

emscripten, cc, cxx, ar, folder = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4], Path(sys.argv[5])
sys.path.insert(0, emscripten)
from tools import system_libs as libs  # noqa: E402

wasm = libs.Exceptions.WASM
SYSTEM = Path(emscripten) / "system" / "lib"


# Where these sources differ from what Clang 14 calls on a machine with 64 bits.
MENDED = {
    "compiler-rt/lib/builtins/fp_compare_impl.inc": ("typedef long CMP_RESULT;", "typedef int CMP_RESULT;"),
    "standalone/standalone.c": ("int __syscall_ioctl(int fd, int op, ...)", "long __syscall_ioctl(long fd, long op, ...)"),
}
BESIDE = ("compiler-rt/lib/builtins/comparetf2.c",)  # they include one of these from their own folder


def mended():
    """{file: its copy}"""
    copies = {}
    (folder / "mended").mkdir(exist_ok=True)
    for name in (*MENDED, *BESIDE):
        text = (SYSTEM / name).read_text()
        wrong, right = MENDED.get(name, ("", ""))
        if wrong not in text:
            sys.exit(f"runtime.py: {name} is not what was mended")
        copies[(SYSTEM / name).resolve()] = copy = folder / "mended" / Path(name).name
        copy.write_text(text.replace(wrong, right) if wrong else text)
    return copies


def c_files():
    """Of the C library, of Clang's runtime, of malloc and of what a module without JavaScript has in its place."""
    some = [libs.libc(is_debug=False, is_optz=False, is_asan=False, is_mt=False),
            libs.libcompiler_rt(is_mt=False, is_wasm=False),
            libs.libstandalonewasm(is_mem_grow=True)]
    files = [Path(file) for each in some for file in each.get_files()]
    files += [SYSTEM / "dlmalloc.c", SYSTEM / "sbrk.c", SYSTEM / "libunwind/src/Unwind-wasm.c"]
    files += [SYSTEM / "libc" / name for name in ("emscripten_syscall_stubs.c", "emscripten_libc_stubs.c", "atexit_dummy.c")]
    copies = mended()
    return sorted({copies.get(file.resolve(), file.resolve()) for file in files if file.suffix == ".c"})


def cxx_commands():
    abi = libs.libcxxabi(eh_mode=wasm, is_mt=False)
    std = libs.libcxx(eh_mode=wasm, is_mt=False)
    for library, includes in ((abi, ["libcxx/src", "libcxx", "libcxxabi/include"]), (std, ["libcxx/src", "libcxxabi/include"])):
        flags = [flag for flag in library.get_cflags() if flag not in ("-Werror", "-g")]
        for file in library.get_files():
            target = folder / f"{library.name.replace('+', 'x')}-{Path(file).stem}.o"
            yield target, [cxx, "-w", "-O1", *flags, *(f"-I{SYSTEM / i}" for i in includes), "-c", str(file), "-o",
                           str(target)]


def main():
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "files").write_text("\n".join(map(str, c_files())) + "\n")
    commands = list(cxx_commands())
    with ThreadPoolExecutor(int(sys.argv[6]) if len(sys.argv) > 6 else 2) as pool:
        list(pool.map(lambda each: each[0].exists() or subprocess.run(each[1], check=True), commands))
    library = folder / "libc++.a"
    library.unlink(missing_ok=True)
    subprocess.run([ar, "crs", str(library), *(str(target) for target, _ in commands)], check=True)


main()
