#!/usr/bin/env bash
# Installs what the peers need, on Debian; nothing that builds or tests Attention Lab calls it. What it cannot install is left
# out of a comparison, which says so. Safe to run again.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

# OpenBLAS becomes the system's BLAS, which NumPy and PyTorch use too. libdnnl is oneDNN, with its version in the name.
packages=(python3 python3-numpy python3-torch python3-onnx libopenblas0-pthread libdnnl chromium nodejs npm)

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

libdnnl_name() { apt-cache search --names-only '^libdnnl[0-9.]+$' | cut -d ' ' -f 1 | sort -V | tail -n 1; }

# Another Node.js than Debian's is as good, and brings its own npm.
is_installed() {
  case "$1" in
    nodejs) command -v node >/dev/null ;;
    npm) command -v npm >/dev/null ;;
    libdnnl) dpkg-query -W -f '${db:Status-Status}\n' 'libdnnl[0-9]*' 2>/dev/null | grep -qx installed ;;
    *) [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ] ;;
  esac
}

install_packages() {
  local package missing=()
  for package in "${packages[@]}"; do is_installed "$package" || missing+=("$package"); done
  [ "${#missing[@]}" -gt 0 ] || return 0
  echo "setup: installing ${missing[*]}"
  as_root apt-get update -qq
  missing=("${missing[@]/%libdnnl/$(libdnnl_name)}")
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# Scripts of the packages are not run: they would download what a graphics processor needs.
install_node_modules() {
  local stamp=node_modules/.installed-from
  cmp -s package-lock.json "$stamp" && return 0
  echo "setup: installing onnxruntime for Node.js and for the browser"
  npm ci --ignore-scripts --no-audit --no-fund --silent
  cp package-lock.json "$stamp"
}

if command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; then
  install_packages
else
  echo "setup: no apt here; install the like of: ${packages[*]}" >&2
fi
install_node_modules
