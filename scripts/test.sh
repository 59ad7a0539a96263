#!/usr/bin/env bash
# Every test there is. Ends with "N passed, N failed"; a suite that could not run counts as one failure.
#   scripts/test.sh [SUITE…]     only these: style lint native fuzz wasm desktop bench page firefox
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

jobs=$(nproc)
logs=build/test-logs
mkdir -p "$logs"
n_passed=0
n_failed=0
: >"$logs/failures.log"

# report SUITE STATUS PASSED FAILED LOG: a suite that ended badly without saying which test failed, or of which nothing is
# counted, is one failure.
report() {
  local status=$2 passed=$3 failed=$4
  if [ $((passed + failed)) -eq 0 ] || { [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; }; then failed=1; fi
  n_passed=$((n_passed + passed))
  n_failed=$((n_failed + failed))
  printf '%-14s %4d passed, %d failed  (%d s)\n' "$1" "$passed" "$failed" "$SECONDS"
  [ "$failed" -eq 0 ] && return
  tail -n 60 "$5"
  # What went wrong, in a few lines: of Node's runner, GoogleTest, CTest, a sanitizer, a compiler or linter; else how it ended.
  {
    echo "$1:"
    grep -nE -B 2 -A 14 '^ *not ok |# (SKIP|TODO)|: Failure$|\[  (FAILED|SKIPPED) |\*\*\*|ERROR: |[ :]error: |CMake Error' "$5" |
      cut -c 1-300 | head -n 80 | grep . || tail -n 20 "$5"
  } >>"$logs/failures.log"
}

# A check that is one test: it holds or not.
check() {
  local suite=$1 log="$logs/$1.log"
  shift
  SECONDS=0
  "$@" >"$log" 2>&1
  report_check "$suite" $? "$log"
}
report_check() { if [ "$2" -eq 0 ]; then report "$1" 0 1 0 "$3"; else report "$1" 1 0 1 "$3"; fi; }

# The same in the background, for what others leave of the processors; end_beside waits for it.
begin_beside() {
  local suite=$1
  shift
  (renice -n 19 "$BASHPID" && "$@") >"$logs/$suite.log" 2>&1 &
  beside="$suite $!"
}
end_beside() {
  local suite pid
  read -r suite pid <<<"$beside"
  SECONDS=0
  wait "$pid"
  report_check "$suite" $? "$logs/$suite.log"
}

our_sources() {
  git ls-files -co --exclude-standard -- '*.cpp' '*.h' | grep -E '^(engine|app|tests|bench)/'
}

# To mend: git ls-files "*.cpp" "*.h" | xargs clang-format -i
check_format() { our_sources | xargs clang-format --dry-run --Werror; }

# only_includes FILES ALLOWED: what the files, given by a pattern, may include. CMake's include paths alone do not keep layers
# apart, since the system's headers and all of ours are on every path.
only_includes() {
  local files
  files=$(our_sources | grep -E "$1") || return 1
  ! xargs grep -nE '^ *#include' <<<"$files" | grep -vE "#include ($2)"
}
check_boundaries() {
  # No I/O, clock or threads where things are computed (<mutex> for what is drawn once, by whom ever first); of <cstdio> snprintf is used, which writes into memory.
  local pure='<(algorithm|array|cassert|cctype|charconv|cmath|cstddef|cstdint|cstdio|cstdlib|cstring|deque|functional|initializer_list|iterator|limits|map'
  pure+='|memory|mutex|new|numeric|optional|set|span|string|string_view|tuple|type_traits|unordered_map|unordered_set|utility|variant|vector)>'
  local standard='<[a-z_]+>' engine='"engine/(steps/|kernels/)?[a-z_]+\.h"' formats='"engine/formats/[a-z_]+\.h"'
  local session='"app/session/' imgui='<(misc/cpp/)?imgui[a-z_]*\.h>'
  local window='<(imgui_impl_(opengl3|sdl2)|SDL[a-z0-9_]*|emscripten|emscripten/html5|imstb_truetype|fontconfig/fontconfig|GL/gl|GLES3/gl3)\.h>'
  local threads='<(atomic|condition_variable|thread|pthread\.h)>' highway='"hwy/(cache_control|foreach_target|highway)\.h"'
  only_includes '^engine/kernels/(thread_pool|relaxed_kernels_for_web)' "$pure|$threads|$highway|$engine" &&
    only_includes '^engine/kernels/(multiply_add|product|product_(loops|tiles)|panel_loops|pair_loops(_none)?|relaxed_(multiply_add|module_[a-z]+_for_web)|row_loops|row_powers|row_softmax|row_vectors|rows|rows_kept)\.' "$pure|$highway|$engine" &&
    only_includes '^engine/kernels/line_memory' "$pure|<sys/mman\.h>|$engine" &&
    only_includes '^engine/kernels/second_cache' "$pure|<unistd\.h>|$engine" &&
    only_includes '^engine/kernels/sum_units' "$pure|$engine" &&
    only_includes '^engine/([a-z_]+|steps/[a-z_]+|kernels/(elementary|functions|plain_product|relaxed_kernels(_none)?|transcendental))\.' "$pure|$engine" &&
    only_includes '^engine/formats/' "$pure|$engine|$formats|<nlohmann/json.hpp>|<zlib.h>|<fast_float/fast_float.h>" &&
    only_includes '^app/session/' "$pure|$engine|$formats|$session" &&
    only_includes '^app/benchmark/' "$standard|$engine|\"app/benchmark/" &&
    only_includes '^app/command_line/' "$standard|$engine|$formats|\"app/benchmark/|\"app/command_line/|\"app/files.h" &&
    only_includes '^app/(views|widgets)/' "$standard|\"engine/|\"app/(session|views|widgets)/|\"app/(platform|theme)\.h\"|$imgui" &&
    only_includes '^app/[a-z_]+\.' "$standard|\"engine/|\"app/(benchmark|session|views|widgets)/|\"app/([a-z_]+|command_line/command_line)\.h\"|$imgui|$window" &&
    ! our_sources | grep -E '^(engine|app/session)/' | xargs grep -nE '\<(std::)?(f?printf|fputs|puts|fopen|fwrite|fread)\('
}

# configure_to_read FOLDER OPTION…: nothing is built there; what is fetched is shared with the debug build.
configure_to_read() { cmake --preset debug -DFETCHCONTENT_BASE_DIR="$PWD/build/debug/_deps" -B "$@"; }

# Where mistakes hide longest: what computes and what a document is. Headers come with the sources; what is compiled for
# WebAssembly alone has no command here to be checked with. Each source is read by itself, as builds do not
# (ATTENTION_LAB_UNITY).
check_lint() {
  configure_to_read build/lint -DATTENTION_LAB_UNITY=OFF -DATTENTION_LAB_TESTS=OFF || return 1
  our_sources | grep -E '^(engine|app/session)/.*\.cpp$' | grep -v '_for_web\.cpp$' |
    xargs -P "$jobs" -n 4 clang-tidy -p build/lint --quiet --warnings-as-errors='*' || return 1
  check_names
}

# Which sources are compiled together changes with their number: so no two of a library may clash, and each library is read as
# if it were one source; in both orders, since a name of one source that a header has too is taken for either only by what comes
# after it.
check_names() {
  configure_to_read build/whole -DCMAKE_UNITY_BUILD_BATCH_SIZE=0 -DATTENTION_LAB_SANITIZE=OFF || return 1
  local commands reversed whole
  commands=$(ninja -C build/whole -t commands attention_tests | grep -- ' -c .*/Unity/' | sed 's/ -o [^ ]*/ -fsyntax-only/')
  [ -n "$commands" ] || return 1
  for whole in build/whole/CMakeFiles/*/Unity/unity_0_cxx.cxx; do tac "$whole" >"${whole%.cxx}_reversed.cxx" || return 1; done
  reversed=$(sed 's/unity_0_cxx\.cxx$/unity_0_cxx_reversed.cxx/' <<<"$commands")
  [ "$(grep -c '_reversed\.cxx$' <<<"$reversed")" = "$(wc -l <<<"$commands")" ] || return 1
  commands+=$'\n'$reversed
  (cd build/whole && xargs -P "$jobs" -d '\n' -n 1 sh -c <<<"$commands")
}

build() {
  { [ -f "build/$1/build.ninja" ] || cmake --preset "$1"; } && cmake --build --preset "$1" --target "$2"
}

# gtest SUITE PRESET: builds and runs the test programs, and counts what they say. A program that ended in another way (a
# sanitizer, a crash) is a failure too, and so is a test that was skipped: what it needs is installed by setup.sh.
gtest() {
  local suite=$1 preset=$2 log="$logs/$1.log" status=0 passed failed skipped broken
  SECONDS=0
  { build "$preset" attention_tests && ctest --test-dir "build/$preset" --parallel "$jobs" --verbose; } >"$log" 2>&1 || status=$?
  passed=$(grep -cE '^[0-9]+: \[       OK \]' "$log")
  failed=$(grep -E '^[0-9]+: +[0-9]+ FAILED TESTS?$' "$log" | awk '{ sum += $2 } END { print sum + 0 }')
  skipped=$(grep -cE '^[0-9]+: \[  SKIPPED \] .* \([0-9]+ ms\)$' "$log")
  broken=$(grep -cE 'Test +#[0-9]+: .*\*\*\*' "$log")
  if [ "$failed" -lt "$broken" ]; then failed=$broken; fi
  report "$suite" "$status" "$passed" $((failed + skipped)) "$log"
}

# The page, and the command line that it is held against.
build_page() { build web attention_page && build native attention_lab; }

# page_tests SUITE COMMAND…: Node's own runner, on the page as its sources are now. What was not tried has failed.
page_tests() {
  local suite=$1 log="$logs/$1.log" status=0 passed failed
  shift
  SECONDS=0
  { build_page && "$@"; } >"$log" 2>&1 || status=$?
  passed=$(sed -nE 's/^# pass ([0-9]+)$/\1/p' "$log")
  failed=$(sed -nE 's/^# (fail|cancelled|skipped|todo) ([0-9]+)$/\2/p' "$log" | awk '{ sum += $1 } END { print sum + 0 }')
  report "$suite" "$status" "${passed:-0}" "$failed" "$log"
}

# The session reader on mutated files, under sanitizers.
check_fuzz() { build debug session_fuzz && build/debug/session_fuzz "${FUZZ_SECONDS:-30}"; }

# Opens the window on a screen that nobody sees; it stays open until it is asked to end, and then ends in order. What
# cannot be read is said instead of opening one.
check_window() {
  build native attention_lab || return 1
  local begin=$SECONDS status=0
  build/native/attention-lab no-such-session.json || status=$?
  [ "$status" -eq 2 ] || { echo "a session that is not there ends with status $status instead of 2"; return 1; }
  XDG_CONFIG_HOME=$PWD/build/test-config \
    xvfb-run -a timeout --preserve-status -s TERM 5 build/native/attention-lab preset:trainable || return 1
  [ $((SECONDS - begin)) -ge 4 ] || { echo "the window closed by itself"; return 1; }
}

# What measures must build, and one of its programs run: what it says of speed is nobody's concern here.
check_bench() {
  cmake --preset native -DATTENTION_LAB_BENCH=ON && build native attention_bench &&
    build/native/bench/long_text --tokens 256 --threads 1 | grep 'computed and drawn'
}

run_suite() {
  case "$1" in
    style)
      check style check_format
      check boundaries check_boundaries
      ;;
    lint) check lint check_lint ;;
    native) gtest native debug ;;
    wasm) gtest wasm web ;;
    fuzz) check fuzz check_fuzz ;;
    desktop) check desktop check_window ;;
    bench) check bench check_bench ;;
    page) page_tests page node --test --test-reporter=tap web/tests/*.test.mjs ;;
    # Firefox draws WebGL 2 only in a window, so it gets a screen that nobody sees.
    firefox)
      page_tests firefox xvfb-run -a -s '-screen 0 1400x1000x24' \
        node --test --test-reporter=tap web/tests/firefox/*.test.mjs
      ;;
    *) echo "test.sh: there is no suite $1" >>"$logs/failures.log"; n_failed=$((n_failed + 1)) ;;
  esac
}

scripts/setup.sh || { echo "0 passed, 1 failed"; exit 1; }
suites=("$@")
[ $# -gt 0 ] || suites=(style native fuzz wasm desktop bench lint page firefox)
beside=
for suite in "${suites[@]}"; do
  # The page's tests wait for frames more than they compute: the linter has that time.
  if [ "$suite" = lint ] && [ $# -eq 0 ]; then begin_beside lint check_lint; else run_suite "$suite"; fi
done
[ -z "$beside" ] || end_beside
cat "$logs/failures.log"
echo "$n_passed passed, $n_failed failed"
[ "$n_failed" -eq 0 ]
