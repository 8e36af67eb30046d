#!/usr/bin/env bash
# wheel.sh TOOLS BUILT DIST: the newest wheel and sdist of BUILT, the wheel with its libraries inside,
# into DIST; then the wheel alone in a virtual environment, with no compiler in reach.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tools=$1 built=$2 dist=$3
mkdir -p "$dist"
raw=$(ls -t "$built"/*.whl | head -n 1)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

PATH=$tools/bin:$PATH "$tools/bin/python" -m auditwheel repair "$raw" --wheel-dir "$work/wheels" >"$work/log" 2>&1 ||
  { cat "$work/log" >&2; exit 1; }
wheel=$(ls "$work"/wheels/*.whl)
if unzip -l "$wheel" 2>/dev/null | grep -qi fftw; then
  echo "the wheel contains FFTW, whose licence is the GPL" >&2
  exit 1
fi
cp "$wheel" "$dist/"
cp "$(ls -t "$built"/*.tar.gz | head -n 1)" "$dist/"

# Nothing on the path but the environment's own python: no compiler, no cmake, no plaudit.
"$tools/bin/python" -m venv "$work/clean"
start=$(date +%s.%N)
env -i HOME="$work" PATH="$work/clean/bin" "$work/clean/bin/pip" install --quiet --no-index --disable-pip-version-check "$wheel"
installed=$(date +%s.%N)
(cd "$work" && env -i HOME="$work" PATH="$work/clean/bin" python -m plaudit epsilon \
  'poisson(gaussian(sigma=0.8), rate=0.004)^1000' --delta 1e-7 >/dev/null)
first=$(date +%s.%N)
(cd "$work" && env -i HOME="$work" PATH="$work/clean/bin" python "$here/installed.py")
seconds() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", b - a }'; }
ls -l "$dist" | awk 'NR > 1 { print $5, $9 }'
echo "installed in $(seconds "$start" "$installed") s, the first number $(seconds "$installed" "$first") s later"
