#!/usr/bin/env bash
# Installs what building and testing need, and nothing that is there already. Safe to run again; quick when all is there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

build_packages=(
  g++ cmake ninja-build pkg-config ccache emscripten nodejs
  libsdl2-dev libgl-dev libfontconfig-dev zlib1g-dev nlohmann-json3-dev
  python3 python3-fonttools fonts-inter fonts-jetbrains-mono fonts-dejavu-core
)
test_packages=(
  libgtest-dev googletest clang-format clang-tidy git npm python3-numpy
  chromium firefox-esr xvfb xauth libgl1-mesa-dri libegl1 libgl1
)
packages=("${build_packages[@]}")
[ "${1:-}" = "--without-tests" ] || packages+=("${test_packages[@]}")

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

missing_packages() {
  local installed
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' 2>/dev/null | sed -n 's/^installed //p')
  # Another Node.js than Debian's is as good if it is new enough (check_node), and brings its own npm.
  local program
  for program in node npm; do
    if command -v "$program" >/dev/null; then installed+=$'\n'${program/%node/nodejs}; fi
  done
  comm -23 <(printf '%s\n' "${packages[@]}" | sort -u) <(sort -u <<<"$installed")
}

install_packages() {
  local missing
  mapfile -t missing < <(missing_packages)
  [ "${#missing[@]}" -gt 0 ] || return 0
  echo "setup: installing ${missing[*]}"
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# The first Node.js that can run our tests and say what they counted is 18.15. Installing Debian's beside an older one that
# comes first on the path would change nothing.
check_node() {
  local version least=18.15
  version=$(node --version 2>/dev/null) || return 0 # there is none yet
  [ "$(printf '%s\n' "$least" "${version#v}" | sort -V | head -n 1)" != "$least" ] || return 0
  echo "setup: $(command -v node) is Node.js $version but $least or later is needed; update it or take it off the path" >&2
  return 1
}

# The browser tests' two libraries, when the list of them changed.
install_node_modules() {
  local stamp=web/node_modules/.installed-from
  cmp -s web/package-lock.json "$stamp" && return 0
  echo "setup: installing the browser tests' libraries"
  (cd web && npm ci --no-audit --no-fund --silent)
  cp web/package-lock.json "$stamp"
}

check_node
if command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; then
  install_packages
else
  echo "setup: no apt here; install the like of: ${packages[*]}" >&2
fi
[ "${1:-}" = "--without-tests" ] || install_node_modules
