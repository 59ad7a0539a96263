#!/usr/bin/env bash
# Builds what is missing or outdated, then serves the page and opens it in the browser.
#   scripts/run.sh [--port N]              the page, at http://localhost:8080 or the next free port
#   scripts/run.sh --desktop [SESSION]     the desktop window
set -euo pipefail
called_from=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/.."

desktop=false
port=8080
session=
while [ $# -gt 0 ]; do
  case "$1" in
    --desktop) desktop=true ;;
    --port) port=${2:?--port needs a number}; shift ;;
    -h | --help) sed -n '2,4s/^# *//p' scripts/run.sh; exit 0 ;;
    -?*) echo "run.sh: there is no option $1; --help lists them" >&2; exit 2 ;;
    *) session=$1 ;;
  esac
  shift
done
if [ -n "$session" ] && ! $desktop; then
  echo "run.sh: a session is opened with --desktop, or by dropping it on the page" >&2
  exit 2
fi

# build PRESET TARGET RESULT: the first time with a word and its progress, since it takes long; later only what goes wrong.
build() {
  local log="build/$1/last-build.log"
  if [ ! -e "build/$1/$3" ]; then
    echo "run: building Attention Lab for the first time, some minutes (5 on 2 cores)"
    cmake --preset "$1" >/dev/null
    cmake --build --preset "$1" --target "$2"
  else
    cmake --build --preset "$1" --target "$2" >"$log" 2>&1 || { cat "$log" >&2; return 1; }
  fi
}

scripts/setup.sh --without-tests

if $desktop; then
  build native attention_lab attention-lab
  program=$PWD/build/native/attention-lab
  cd "$called_from" # the session's path is meant from there
  exec "$program" ${session:+"$session"}
fi

build web attention_page attention-lab.html

# Opens the browser once the server has said where it is.
open_browser() {
  local line address
  while read -r line; do
    echo "$line"
    address=$(grep -o 'http://[^ ]*' <<<"$line" || true)
    if [ -n "$address" ] && [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] && command -v xdg-open >/dev/null; then
      xdg-open "$address" >/dev/null 2>&1 &
    fi
  done
}
exec node web/serve.mjs --root build/web/site --port "$port" > >(open_browser)
