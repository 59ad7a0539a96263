#!/usr/bin/env bash
# Every test there is. Ends with "N passed, N failed"; a suite that could not run counts as one failure.
#   scripts/test.sh [SUITE…]     only these: style lint native fuzz wasm desktop page firefox
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

jobs=$(nproc)
logs=build/test-logs
mkdir -p "$logs"
n_passed=0
n_failed=0

# report SUITE PASSED FAILED LOG: a suite of which nothing is counted did not run.
report() {
  local passed=$2 failed=$3
  if [ $((passed + failed)) -eq 0 ]; then failed=1; fi
  n_passed=$((n_passed + passed))
  n_failed=$((n_failed + failed))
  printf '%-14s %4d passed, %d failed  (%d s)\n' "$1" "$passed" "$failed" "$SECONDS"
  [ "$failed" -eq 0 ] || tail -n 60 "$4"
}

# A check that is one test: it holds or not.
check() {
  local suite=$1 log="$logs/$1.log"
  shift
  SECONDS=0
  if "$@" >"$log" 2>&1; then report "$suite" 1 0 "$log"; else report "$suite" 0 1 "$log"; fi
}

our_sources() {
  git ls-files -co --exclude-standard -- '*.cpp' '*.h' | grep -E '^(engine|app|tests|bench)/'
}

# To mend: git ls-files "*.cpp" "*.h" | xargs clang-format -i
check_format() { our_sources | xargs clang-format --dry-run --Werror; }

# Where mistakes hide longest: what computes and what a document is. Headers come with the sources.
check_lint() {
  build debug attention_session || return 1
  our_sources | grep -E '^(engine|app/session)/.*\.cpp$' |
    xargs -P "$jobs" -n 4 clang-tidy -p build/debug --quiet --warnings-as-errors='*'
}

build() {
  { [ -f "build/$1/build.ninja" ] || cmake --preset "$1"; } && cmake --build --preset "$1" --target "$2"
}

# gtest SUITE PRESET: builds and runs the test programs, and counts what they say. A program that ended in another way (a
# sanitizer, a crash) is a failure too.
gtest() {
  local suite=$1 preset=$2 log="$logs/$1.log" passed failed broken
  SECONDS=0
  build "$preset" attention_tests >"$log" 2>&1 && ctest --test-dir "build/$preset" --verbose >>"$log" 2>&1
  passed=$(grep -cE '^[0-9]+: \[       OK \]' "$log")
  failed=$(grep -E '^[0-9]+: +[0-9]+ FAILED TESTS?$' "$log" | awk '{ sum += $2 } END { print sum + 0 }')
  broken=$(grep -cE 'Test +#[0-9]+: .*\*\*\*' "$log")
  if [ "$failed" -lt "$broken" ]; then failed=$broken; fi
  report "$suite" "$passed" "$failed" "$log"
}

# node_tests SUITE FILE…: Node's own runner.
node_tests() {
  local suite=$1 log="$logs/$1.log" passed failed
  shift
  SECONDS=0
  "${wrapper[@]}" node --test --test-reporter=tap "$@" >"$log" 2>&1
  passed=$(sed -nE 's/^# pass ([0-9]+)$/\1/p' "$log")
  failed=$(sed -nE 's/^# (fail|cancelled) ([0-9]+)$/\2/p' "$log" | awk '{ sum += $1 } END { print sum + 0 }')
  report "$suite" "${passed:-0}" "${failed:-0}" "$log"
}
wrapper=(env)

# The session reader on mutated files, under sanitizers.
check_fuzz() { build debug session_fuzz && build/debug/session_fuzz "${FUZZ_SECONDS:-20}"; }

# Opens the window on a screen that nobody sees; asked to end, it ends in order.
check_window() {
  build native attention_lab &&
    XDG_CONFIG_HOME=$PWD/build/test-config \
      xvfb-run -a timeout --preserve-status -s TERM 5 build/native/attention-lab preset:trainable
}

# The page is held against the command line.
build_page() { build web attention_page && build native attention_lab; }

test_page() {
  check build_page build_page
  node_tests page web/tests/*.test.mjs
}

# Firefox draws WebGL 2 only in a window, so it gets a screen that nobody sees.
test_firefox() {
  [ -f build/web/site/index.html ] || check build_page build_page
  wrapper=(xvfb-run -a -s '-screen 0 1400x1000x24')
  node_tests firefox web/tests/firefox/*.test.mjs
  wrapper=(env)
}

run_suite() {
  case "$1" in
    style) check style check_format ;;
    lint) check lint check_lint ;;
    native) gtest native debug ;;
    wasm) gtest wasm web-tests ;;
    fuzz) check fuzz check_fuzz ;;
    desktop) check desktop check_window ;;
    page) test_page ;;
    firefox) test_firefox ;;
    *) echo "test.sh: there is no suite $1" >&2; n_failed=$((n_failed + 1)) ;;
  esac
}

scripts/setup.sh || exit 1
suites=("$@")
[ $# -gt 0 ] || suites=(style lint native fuzz wasm desktop page firefox)
for suite in "${suites[@]}"; do run_suite "$suite"; done
echo "$n_passed passed, $n_failed failed"
[ "$n_failed" -eq 0 ]
