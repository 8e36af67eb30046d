#!/bin/sh
# The compiler of all that goes into the module. Clang itself compiles: Emscripten's own driver, a program in Python, takes
# four times as long for a small file.
# Pointers and `long` have 64 bits in the source, as on the machines where plaudit is tested; the linker's last step makes
# 32 of those of pointers, which every browser knows. So that int64_t is the same type as `long` too, it is named here.
kind=${0##*/}
case $kind in
  *++*) driver=em++ compiler=clang++ language="-fwasm-exceptions -D_LIBCPP_ABI_VERSION=2 -fno-threadsafe-statics" ;;
  *) driver=emcc compiler=clang language=-fignore-exceptions ;;
esac
for argument; do
  case $argument in
    -c | -E | -S | -fsyntax-only)
      # shellcheck disable=SC2086
      exec $compiler -target wasm64-unknown-emscripten --sysroot="$PLAUDIT_SYSROOT" -DEMSCRIPTEN -D__EMSCRIPTEN_major__=3 \
        -D__EMSCRIPTEN_minor__=1 -D__EMSCRIPTEN_tiny__=6 -Dunix -D__unix -D__unix__ -fvisibility=default \
        -mllvm -combiner-global-alias-analysis=false -mllvm -enable-emscripten-sjlj -mllvm -disable-lsr \
        -Xclang -iwithsysroot/include/compat -U__INT64_TYPE__ -U__UINT64_TYPE__ \
        "-D__INT64_TYPE__=long int" "-D__UINT64_TYPE__=long unsigned int" $language "$@"
      ;;
  esac
done
# Only where a script of a library asks what this C library has: the module itself is linked by web/build.sh.
exec $driver "$@" -O0
