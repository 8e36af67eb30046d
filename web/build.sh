#!/usr/bin/env bash
# The page "Verify anywhere" with its engine: build.sh FOLDER leaves a static site in FOLDER/site. `./dev web` calls it.
#
# Everything comes from Debian: the compiler (clang, lld, binaryen), the C and C++ libraries of the module's machine as
# sources (emscripten), and the sources of GMP, MPFR, MPFI, FLINT and Arb by apt-get, which checks their signatures. The
# checker in Python needs Pyodide, which PyPI has within the package flet-web, and mpmath; PLAUDIT_WEB_PYTHON=0 leaves it out.
# What is there already is not made again: remove FOLDER to begin anew.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
web=$(mkdir -p "$1" && cd "$1" && pwd)
jobs=${PLAUDIT_JOBS:-$(nproc)}
emscripten=/usr/share/emscripten
system=$emscripten/system/lib
export PLAUDIT_SYSROOT=$emscripten/cache/sysroot PATH=/usr/bin:$PATH
sources=$web/sources prefix=$web/prefix tools=$web/tools runtime=$web/runtime cc=$web/tools/cc
suite=bookworm later=trixie  # MPFI's sources of the first are not on every mirror

# shellcheck disable=SC2034
work=$web
# shellcheck source=packaging/sources.sh
. "$root/packaging/sources.sh"

# --- sources --------------------------------------------------------------------------------

fetch() { debian_sources gmp/$suite mpfr4/$suite flint/$suite flint-arb/$suite mpfi/$later; }

# --- libraries ------------------------------------------------------------------------------

closure() {
  python3 "$root/web/closure.py" --compiler "$cc" --nm llvm-nm --ar llvm-ar --jobs "$jobs" "$@"
}

# Generic C, no assembly. Its documentation is not in Debian's sources; libtool would take longer than the compiler.
gmp() {
  local from
  from=$(echo "$sources"/gmp-*/)
  mkdir -p "$web/gmp" "$from/doc" "$prefix/include" "$prefix/lib"
  touch "$from/doc/Makefile.in"
  (
    cd "$web/gmp"
    "$from/configure" --host=none --build="$(gcc -dumpmachine)" --disable-assembly --disable-shared --disable-cxx \
      ABI=standard CC="$cc" CC_FOR_BUILD=gcc CFLAGS=-O2 AR=llvm-ar RANLIB=llvm-ranlib NM=llvm-nm MAKEINFO=true \
      gmp_cv_c_double_format="IEEE little endian"
    make -j "$jobs" LIBTOOL="$root/web/libtool.sh" SUBDIRS="mpn mpz mpq mpf printf scanf rand" all
    rm -f "$prefix/lib/libgmp.a"
    llvm-ar crs "$prefix/lib/libgmp.a" ./*.o {mpn,mpz,mpq,mpf,printf,scanf,rand}/*.o
    cp gmp.h "$prefix/include"
  )
}

headers() {
  local flint arb
  flint=$(echo "$sources"/flint2-*) arb=$(echo "$sources"/arb-*)
  mkdir -p "$prefix/include/flint" "$prefix/lib/cmake"
  cp "$sources"/mpfr-*/src/{mpfr,mpf2mpfr}.h "$sources"/mpfi-*/src/{mpfi,mpfi_io}.h "$arb"/*.h "$prefix/include"
  cp "$flint"/*.h "$prefix/include/flint"
  cp "$flint/fft_tuning64.in" "$prefix/include/flint/fft_tuning.h"
  cp "$flint/fmpz-conversions-single.in" "$prefix/include/flint/fmpz-conversions.h"
  printf '#define FLINT_USES_%s\n' POPCNT 'BLAS 0' 'TLS 1' 'FENV 0' 'PTHREAD 1' 'GC 0' 'CPUSET 0' \
    >"$prefix/include/flint/flint-config.h"
  printf '#define FLINT_%s\n' 'BIG_ENDIAN 0' 'REENTRANT 0' 'WANT_ASSERT 0' DLL >>"$prefix/include/flint/flint-config.h"
  : >"$prefix/include/mpfi_config.h"
  # Headers alone, from the system, without the headers of its C library beside them.
  ln -sfn /usr/include/boost "$prefix/include/boost"
  ln -sfn /usr/include/nlohmann "$prefix/include/nlohmann"
  header_package "$prefix" Boost Boost::headers 1.74.0
  header_package "$prefix" nlohmann_json nlohmann_json::nlohmann_json 3.11.2
  touch "$prefix"/lib/lib{mpfr,mpfi,flint,flint-arb}.a  # for CMake, which links nothing
}

# What plaudit uses of these, and what that uses.
libraries() {
  local objects flint arb mpfr have
  mapfile -t objects < <(find "$web/module" -name '*.obj')
  flint=$(echo "$sources"/flint2-*) arb=$(echo "$sources"/arb-*) mpfr=$(echo "$sources"/mpfr-*/src)
  mpfi=$(echo "$sources"/mpfi-*/src)
  closure --out "$prefix/lib/libflint.a" --objects "$web/flint" --sources "$flint" "$arb" \
    --flags "-O2 -ffp-contract=off -w -I$flint -I$arb -I$prefix/include/flint -I$prefix/include" -- "${objects[@]}"
  closure --out "$prefix/lib/libmpfi.a" --objects "$web/mpfi" --sources "$mpfi" \
    --flags "-O2 -w -DHAVE_MPFR_Q_SUB=1 -DHAVE_MPFR_Z_SUB=1 -DHAVE_STDARG=1 -I$mpfi -I$prefix/include" -- "${objects[@]}"
  have="LITTLE_ENDIAN STDARG WCHAR_H STDINT_H INTTYPES_H INTMAX_T LONG_LONG VA_COPY DOUBLE_IEEE_LITTLE_ENDIAN SIGNBIT ROUND TRUNC
    FLOOR CEIL NEARBYINT STRTOL MEMMOVE MEMSET ALLOCA_H LOCALE_H SYS_TIME_H DENORMS DENORMS_FLT SUBNORM_DBL SUBNORM_FLT"
  # shellcheck disable=SC2086
  closure --out "$prefix/lib/libmpfr.a" --objects "$web/mpfr" --sources "$mpfr" \
    --flags "-O2 -w -I$mpfr -I$mpfr/generic -I$prefix/include -D_MPFR_EXP_FORMAT=3 $(printf -- '-DHAVE_%s=1 ' $have)" \
    -- "${objects[@]}" "$prefix"/lib/lib{flint,mpfi}.a
  closure --out "$runtime/libc.a" --objects "$runtime/c" --sources "$runtime/files" \
    --flags "-Os -fno-builtin -std=gnu99 -D_XOPEN_SOURCE=700 -DNDEBUG -w -DEMSCRIPTEN_STANDALONE_WASM
      -DEMSCRIPTEN_MEMORY_GROWTH -I$system/libc/musl/src/internal -I$system/libc/musl/src/include -I$system/pthread
      -I$system/compiler-rt/lib/builtins" \
    -- "${objects[@]}" "$runtime"/plain/*.o "$runtime/libc++.a" "$prefix"/lib/lib{mpfr,mpfi,flint,gmp}.a
}

cxx_runtime() {
  local file
  python3 "$root/web/runtime.py" "$emscripten" "$cc" "$tools/c++" llvm-ar "$runtime" "$jobs"
  mkdir -p "$runtime/plain"
  for file in dlmalloc.c sbrk.c libunwind/src/Unwind-wasm.c libc/crt1_reactor.c; do
    "$cc" -O2 -fno-builtin -DNDEBUG -w "-I$system/libunwind/include" "-I$system/pthread" -DEMSCRIPTEN_STANDALONE_WASM \
      -DEMSCRIPTEN_MEMORY_GROWTH -D_LIBUNWIND_DISABLE_VISIBILITY_ANNOTATIONS -D_LIBUNWIND_HAS_NO_THREADS \
      -D__USING_WASM_EXCEPTIONS__ -fwasm-exceptions -c "$system/$file" -o "$runtime/plain/$(basename "$file" .c).o"
  done
}

# --- plaudit --------------------------------------------------------------------------------

configure() {
  local include=$prefix/include lib=$prefix/lib
  cmake -S "$root" -B "$web/module" -G Ninja -DCMAKE_BUILD_TYPE=Release -DPLAUDIT_WEB_TOOLS="$tools" \
    -DCMAKE_TOOLCHAIN_FILE="$root/web/toolchain.cmake" "-DCMAKE_CXX_FLAGS=-include $root/web/compat.hpp" \
    -DPLAUDIT_UNITY=ON -DPLAUDIT_FFTW=OFF -DPLAUDIT_SHARED=OFF -DPLAUDIT_BUILD_CLI=OFF -DPLAUDIT_BUILD_TESTS=OFF \
    -DBoost_DIR="$lib/cmake" -Dnlohmann_json_DIR="$lib/cmake" \
    -DFLINT_INCLUDE_DIR="$include" -DFLINT_LIBRARY="$lib/libflint.a" -DARB_INCLUDE_DIR="$include" -DARB_LIBRARY="$lib/libflint-arb.a" \
    -DGMP_INCLUDE_DIR="$include" -DGMP_LIBRARY="$lib/libgmp.a" -DMPFR_INCLUDE_DIR="$include" -DMPFR_LIBRARY="$lib/libmpfr.a" \
    -DMPFI_INCLUDE_DIR="$include" -DMPFI_LIBRARY="$lib/libmpfi.a"
}

module() {
  "$tools/c++" -std=c++20 -O2 -DNDEBUG -ffp-contract=off -Wall -Wextra "-DPLAUDIT_VERSION=\"$version\"" -include "$root/web/compat.hpp" \
    "-I$root/api" -isystem "$prefix/include" -c "$root/web/module.cpp" -o "$web/module/module.obj"
}

# Pointers of 64 bits become 32 in the end, which every browser has; a page may use 2 GiB.
link() {
  local archives imports
  mapfile -t archives < <(find "$web/module" -name 'libplaudit*.a')
  wasm-ld -m wasm64 --no-entry --export=_initialize --allow-undefined -z stack-size=4194304 --initial-memory=33554432 \
    --max-memory=2147483648 --strip-all -mllvm -combiner-global-alias-analysis=false -o "$web/linked.wasm" "$web/module/module.obj" \
    "$runtime"/plain/*.o "${archives[@]}" "$prefix"/lib/lib{mpfi,flint,mpfr,gmp}.a "$runtime"/lib{c++,c}.a
  wasm-opt --enable-memory64 --enable-exception-handling --enable-bulk-memory --enable-mutable-globals --enable-sign-ext \
    --memory64-lowering -O1 "$web/linked.wasm" -o "$web/plaudit.wasm"
  imports=$(node -e 'console.log(WebAssembly.Module.imports(new WebAssembly.Module(require("fs").readFileSync(process.argv[1])))
    .map(each => each.name).filter(name => !process.argv[2].split(" ").includes(name)).join(" "))' "$web/plaudit.wasm" \
    "clock_time_get fd_write fd_read fd_close fd_seek proc_exit environ_get environ_sizes_get emscripten_notify_memory_growth __call_sighandler")
  [ -z "$imports" ] || { say "the module wants what no page has: $imports"; exit 1; }
}

# --- the page -------------------------------------------------------------------------------

python_checker() {
  local into=$web/site/verify/python
  rm -rf "$web/python" "$into"
  mkdir -p "$web/python/checker" "$into"
  python3 -m pip download -q --no-deps -d "$web/python" flet-web==1.0.5 mpmath==1.3.0
  python3 - "$web/python" "$root/python/plaudit_certificates" "$into" <<'END'
import pathlib, sys, zipfile
wheels, checker, into = map(pathlib.Path, sys.argv[1:])
with zipfile.ZipFile(next(wheels.glob("flet_web*.whl"))) as wheel:
    for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"):
        (into / name).write_bytes(wheel.read(f"flet_web/web/pyodide/{name}"))
with zipfile.ZipFile(into / "checker.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
    with zipfile.ZipFile(next(wheels.glob("mpmath*.whl"))) as wheel:
        for name in sorted(wheel.namelist()):
            if name.startswith("mpmath/") and name.endswith(".py") and "/tests/" not in name:
                packed.writestr(name, wheel.read(name))
    for path in sorted(checker.rglob("*.py")):
        packed.write(path, path.relative_to(checker.parent))
END
}

site() {
  mkdir -p "$web/site/verify"
  cp "$root"/web/site/verify/* "$web/site/verify"
  cp "$web/plaudit.wasm" "$web/site/verify"
  printf '{"plaudit": "%s", "revision": "%s", "tools": "Clang %s and the libraries of Emscripten %s"}\n' "$version" \
    "$(git -C "$root" describe --always --dirty 2>/dev/null || echo 'no revision')" "$(clang -dumpversion)" \
    "$(tr -d '"' <$emscripten/emscripten-version.txt)" >"$web/site/verify/build.json"
  if [ "${PLAUDIT_WEB_PYTHON:-1}" != 0 ]; then
    python_checker || say "no checker in Python: Pyodide is not to be had here; the page has the one in C++"
  fi
}

version=$(sed -n 's/^project(plaudit VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
mkdir -p "$tools" "$prefix/include" "$prefix/lib" "$runtime"
ln -sfn "$root/web/compile.sh" "$tools/cc"
ln -sfn "$root/web/compile.sh" "$tools/c++"
once sources fetch
once gmp gmp
once headers headers
once configured configure
once c++ cxx_runtime
ninja -C "$web/module" -j "$jobs" plaudit
module
libraries
link
site
say "the page is at $web/site/verify; a static server shows it: python3 -m http.server -d $web/site"
