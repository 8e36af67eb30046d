#!/usr/bin/env bash
# dependencies.sh PREFIX: the libraries that a wheel contains, shared and for any processor of the architecture, in PREFIX:
# GMP, MPFR, FLINT (with Arb) and MPFI. FFTW is not among them: its licence is the GPL, and wheels are made without it.
#
#   PLAUDIT_SOURCES=debian     sources by apt-get, which checks their signatures; headers of Boost, nlohmann/json and CLI11 are
#                              the system's (default where there is apt-get)
#   PLAUDIT_SOURCES=releases   what packaging/sources.txt lists, held against its sums, headers included (default elsewhere)
#   PLAUDIT_HOST=TRIPLE        for another machine: CC is then its compiler, and gcc that of this one
#   PLAUDIT_JOBS=N             parallel jobs (default: one per core)
#
# Needs a C compiler, make, m4, autoconf, automake and libtool. What is there already is not made again: remove PREFIX to begin
# anew. Then: CMAKE_PREFIX_PATH=PREFIX LD_LIBRARY_PATH=PREFIX/lib ./dev wheel
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
[ $# = 1 ] || { echo "usage: dependencies.sh PREFIX" >&2; exit 2; }
prefix=$(mkdir -p "$1" && cd "$1" && pwd)
work=$prefix/build sources=$prefix/build/sources
jobs=${PLAUDIT_JOBS:-$(getconf _NPROCESSORS_ONLN)}
kind=${PLAUDIT_SOURCES:-$(if command -v apt-get >/dev/null; then echo debian; else echo releases; fi)}
suite=trixie
# shellcheck source=packaging/sources.sh
. "$root/packaging/sources.sh"

lacking=
for tool in make m4 autoconf automake libtoolize; do
  command -v "$tool" >/dev/null || command -v "g$tool" >/dev/null || lacking+=" $tool"
done
[ -z "$lacking" ] || fail "please install:$lacking"

fetch() {
  mkdir -p "$sources"
  case $kind in
    debian) debian_sources gmp/$suite mpfr4/$suite flint/$suite mpfi/$suite ;;
    releases) released_sources gmp mpfr flint mpfi boost json cli11 ;;
    *) fail "PLAUDIT_SOURCES must be debian or releases, not $kind" ;;
  esac
}

# The one folder of a library's sources, whatever its version.
source_of() {
  local folders=("$sources/$1"*/)
  echo "${folders[0]%/}"
}

# install NAME OPTION...: configure, make, make install, shared alone. The triple of the build says no model of a processor, so
# that what is built runs on others too.
install() {
  local name=$1 from build
  from=$(source_of "$1")
  shift
  build=$(sh "$(source_of gmp)/configfsf.guess")
  [ -x "$from/configure" ] || (cd "$from" && autoreconf -fi)
  mkdir -p "$work/$name"
  (
    # FLINT is made in its sources.
    if [ "$name" = flint ]; then cd "$from"; else cd "$work/$name"; fi
    "$from/configure" --prefix="$prefix" --libdir="$prefix/lib" --build="$build" ${PLAUDIT_HOST:+--host="$PLAUDIT_HOST"} \
      --enable-shared --disable-static "$@"
    make -j "$jobs"
    make install
  )
}

# Debian's sources lack its documentation, which has a licence of its own. GMP asks its compiler questions in C before C23.
gmp() {
  local from fat=
  from=$(source_of gmp)
  [ -e "$from/doc/Makefile.in" ] || { mkdir -p "$from/doc" && printf 'all install:\n' >"$from/doc/Makefile.in"; }
  case ${PLAUDIT_HOST:-$(uname -m)} in x86_64*) fat=--enable-fat ;; esac  # assembly by the processor that is there
  install gmp $fat CC_FOR_BUILD="${CC_FOR_BUILD:-cc}" CC="${CC:-cc} -std=gnu17" MAKEINFO=true
}

flint() { install flint --with-gmp="$prefix" --with-mpfr="$prefix" --disable-arch --disable-debug; }

# Its extended division, which nothing here uses, is missing from Debian's sources, and GCC 14 refuses that of the releases.
mpfi() {
  echo '/* plaudit builds MPFI without mpfi_div_ext. */' >"$(source_of mpfi)/src/div_ext.c"
  install mpfi --with-gmp="$prefix" --with-mpfr="$prefix" CFLAGS=-O2 MAKEINFO=true
}

headers() {
  mkdir -p "$prefix/include"
  cp -R "$sources/boost/boost" "$sources/json/include/nlohmann" "$sources/cli11/include/CLI" "$prefix/include"
  header_package "$prefix" Boost Boost::headers "$(version_of boost)"
  header_package "$prefix" nlohmann_json nlohmann_json::nlohmann_json "$(version_of json)"
  header_package "$prefix" CLI11 CLI11::CLI11 "$(version_of cli11)"
}

# The licences that whoever passes these libraries on has to pass on with them; wheels take them from here (python/CMakeLists.txt).
licences() {
  local name file
  for name in gmp mpfr flint mpfi; do
    mkdir -p "$prefix/share/licences/$name"
    for file in "$(source_of "$name")"/COPYING*; do cp "$file" "$prefix/share/licences/$name"; done
  done
}

version_of() { awk -v name="$1" '$1 == name { print $2 }' "$root/packaging/sources.txt"; }

once sources fetch
once gmp gmp
once mpfr install mpfr --with-gmp="$prefix"
once mpfi mpfi
once flint flint
once licences licences
if [ "$kind" = releases ]; then once headers headers; fi
say "in $prefix: $(cd "$prefix/lib" && echo lib*.{so,dylib} | tr ' ' '\n' | grep -v '\*' | tr '\n' ' ')"
