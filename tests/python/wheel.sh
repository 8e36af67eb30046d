#!/usr/bin/env bash
# wheel.sh TOOLS BUILT DIST: the newest wheel and sdist of BUILT, the wheel with its libraries inside,
# into DIST; then the wheel alone in a virtual environment, with no compiler in reach.
set -euo pipefail

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
number=$(cd "$work" && env -i HOME="$work" PATH="$work/clean/bin" python -m plaudit epsilon \
  'poisson(gaussian(sigma=0.8), rate=0.004)^1000' --delta 1e-7 --json)
first=$(date +%s.%N)
case $number in
  *'"lower": "2.08589836129'*) ;;
  *) echo "the program of the wheel printed: $number" >&2; exit 1 ;;
esac
(cd "$work" && env -i HOME="$work" PATH="$work/clean/bin" python - <<'PY'
import plaudit as pl

run = pl.dpsgd(noise_multiplier=0.8, sample_rate=0.004, steps=1000)
band = run.epsilon(delta=1e-7)
assert band.certified and band.reached and band.lower <= 2.0858983612954 <= band.upper, band
assert pl.audit([{"spec": "gaussian(1)", "delta": 1e-5, "epsilon": 4.3}]).summary["refuted"] == 1
assert pl.check_certificate(band.certificate())
assert pl.gaussian(1).epsilon(1e-5, accountant="gaussian_limit").upper > 4  # the estimate without FFTW
print(band)
PY
)
seconds() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", b - a }'; }
ls -l "$dist" | awk 'NR > 1 { print $5, $9 }'
echo "installed in $(seconds "$start" "$installed") s, the first number $(seconds "$installed" "$first") s later"
