# shellcheck shell=bash disable=SC2154,SC2016
# Sourced by packaging/dependencies.sh and web/build.sh: the sources of the libraries that plaudit links, and how a step is
# made once. Both set `work`, the folder of all that is made, and `sources`, that of what is fetched.

say() { printf 'plaudit: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

# once NAME COMMAND...: unless it has been done.
once() {
  local done=$work/done/$1
  shift
  [ ! -e "$done" ] || return 0
  say "${done##*/}"
  "$@"
  mkdir -p "$work/done"
  touch "$done"
}

# debian_sources PACKAGE/SUITE...: unpacked in $sources, from the mirror of the system's own apt, which checks signatures, with
# lists of its own, so that nothing of the system changes.
debian_sources() {
  local state=$work/apt key=/usr/share/keyrings/debian-archive-keyring.gpg mirror package archive apt
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -m1 -v security)
  mkdir -p "$state/lists/partial" "$state/cache/archives/partial" "$sources"
  for package; do echo "deb-src [signed-by=$key] $mirror ${package#*/} main"; done | sort -u >"$state/sources.list"
  apt=(apt-get -q -o "Dir::Etc::sourcelist=$state/sources.list" -o Dir::Etc::sourceparts=- -o APT::Sandbox::User=root
    -o "Dir::State::lists=$state/lists" -o "Dir::Cache=$state/cache")
  "${apt[@]}" update
  (cd "$sources" && "${apt[@]}" source --download-only --tar-only "$@")
  for archive in "$sources"/*.orig.tar.*; do tar -C "$sources" -xf "$archive"; done
}

# released_sources NAME...: the archives of packaging/sources.txt, each held against its SHA-256, unpacked in $sources/NAME.
# An archive that lies there already is not fetched.
released_sources() {
  local name sum url archive
  for name; do
    read -r _ _ sum url < <(grep "^$name " "$root/packaging/sources.txt") || fail "packaging/sources.txt does not know $name"
    [ "$sum" != unknown ] || fail "packaging/sources.txt has no SHA-256 of $name: please fill it in from its authors' signature"
    archive=$sources/$name-${url##*/}
    mkdir -p "$sources/$name"
    [ -e "$archive" ] || curl --fail --silent --show-error --location --retry 3 --output "$archive" "$url"
    sha256 "$archive" | grep -q "^$sum" || fail "${archive##*/} has not the SHA-256 of packaging/sources.txt"
    tar -C "$sources/$name" --strip-components=1 -xf "$archive"
  done
}

sha256() { if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi; }

# header_package PREFIX NAME TARGET VERSION: find_package(NAME) finds the headers in PREFIX/include.
header_package() {
  local folder=$1/lib/cmake
  mkdir -p "$folder"
  printf 'add_library(%s INTERFACE IMPORTED)\nset_target_properties(%s PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "%s")\n' \
    "$3" "$3" "$1/include" >"$folder/$2Config.cmake"
  printf 'set(PACKAGE_VERSION %s)\nset(PACKAGE_VERSION_COMPATIBLE TRUE)\n' "$4" >"$folder/$2ConfigVersion.cmake"
}
