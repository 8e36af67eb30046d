#!/bin/sh
# In the place of libtool, for objects of static libraries alone: compiles x.o and leaves an empty x.lo; links nothing.
for argument; do
  case $argument in
    --mode=compile) compiles=1 ;;
    *.la) : >"$argument" ;;
  esac
done
[ -n "$compiles" ] || exit 0
while [ "${1#--}" != "$1" ]; do shift; done
for argument; do
  shift
  case $argument in
    *.lo)
      object=$argument
      set -- "$@" "${argument%.lo}.o"
      ;;
    *) set -- "$@" "$argument" ;;
  esac
done
"$@" && : >"$object"
