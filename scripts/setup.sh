#!/usr/bin/env bash
# Makes this machine ready for Berth: Node is checked, packages are installed, a container engine is started.
# Run it as often as you like. Usage: scripts/setup.sh [--for-tests]
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=scripts/lib/common.sh
. "$root/scripts/lib/common.sh"
# shellcheck source=scripts/lib/packages.sh
. "$root/scripts/lib/packages.sh"
# shellcheck source=scripts/lib/daemons.sh
. "$root/scripts/lib/daemons.sh"
# shellcheck source=scripts/lib/docker.sh
. "$root/scripts/lib/docker.sh"

MIN_NODE=20.19
COMPILERS=(g++ make python3)
# What the tests run, by command and by the package that has it; the last ones are no commands of a person's PATH.
TEST_COMMANDS=(
  dockerd=docker.io podman=podman crun=crun runc=runc newuidmap=uidmap slirp4netns=slirp4netns
  fuse-overlayfs=fuse-overlayfs mmdebstrap=mmdebstrap socat=socat kubectl=kubernetes-client tmux=tmux git=git
  ssh=openssh-client ip=iproute2 ps=procps setpriv=util-linux
)
TEST_PACKAGES=(netavark aardvark-dns)
# What needs a real engine; everything else runs anywhere.
ENGINE_SUITES='engines, e2e'

for_tests=no
case "${1:-}" in
  '') ;;
  --for-tests) for_tests=yes ;;
  *) die "unknown argument $1; usage: scripts/setup.sh [--for-tests]" ;;
esac

check_node() {
  have node || die "Node.js is not installed: Berth needs Node $MIN_NODE or newer (https://nodejs.org)"
  local version
  version=$(node --version)
  version=${version#v}
  [ "$(printf '%s\n%s\n' "$MIN_NODE" "$version" | sort -V | head -n1)" = "$MIN_NODE" ] ||
    die "Node $version is too old: Berth needs Node $MIN_NODE or newer"
}

lock_hash() { sha256sum "$root/package-lock.json" | cut -d' ' -f1; }

dependencies_current() {
  local modules=$root/node_modules
  # A link is someone else's directory, shared on purpose: installing would empty it under them.
  [ -L "$modules" ] && [ -d "$modules/" ] && return 0
  [ -d "$modules" ] || return 1
  [ "$(cat "$modules/.berth-lock" 2>/dev/null)" = "$(lock_hash)" ] && return 0
  [ -e "$modules/.package-lock.json" ] && [ ! "$root/package-lock.json" -nt "$modules/.package-lock.json" ]
}

# Native parts are compiled where no ready-made ones are on offer.
ensure_compilers() {
  local tool
  for tool in "${COMPILERS[@]}"; do
    have "$tool" && continue
    ensure_packages 'compiling native Node packages' "${COMPILERS[@]}" || die 'install them and run this again'
    return
  done
}

ensure_dependencies() {
  dependencies_current && return
  ensure_compilers
  say 'Installing the npm packages that package-lock.json names (npm ci)'
  (cd "$root" && npm ci --no-audit --no-fund --loglevel=error)
  lock_hash >"$root/node_modules/.berth-lock"
}

podman_answers() { have podman && podman info --format '{{.Version.Version}}' >/dev/null 2>&1; }

explain_engine() {
  say 'No container engine answers, and this script starts one only as root on Debian or Ubuntu. Do this yourself:'
  if is_debian; then
    install_command docker.io
    has_systemd && say '  sudo systemctl enable --now docker'
  elif [ "$(uname -s)" = Darwin ]; then
    say '  brew install podman && podman machine init && podman machine start'
  else
    say '  install Docker (20.10 or newer) or Podman (4.0 or newer) with the package manager of your system, then'
    say '  sudo systemctl enable --now docker      # Docker, or'
    say '  systemctl --user enable --now podman.socket   # Podman, as yourself'
  fi
  say "  sudo usermod -aG docker $(id -un)      # Docker: to use it as yourself, then log in again"
}

ensure_engine() {
  any_docker_answers && return 0
  [ "$for_tests" = no ] && podman_answers && return 0
  if ! is_root || ! is_debian; then
    explain_engine
    return 1
  fi
  ensure_packages 'a container engine' docker.io
  start_dockerd
}

ensure_test_tools() {
  local pair packages=()
  for pair in "${TEST_COMMANDS[@]}"; do
    have "${pair%%=*}" || packages+=("${pair#*=}")
  done
  is_debian && packages+=("${TEST_PACKAGES[@]}")
  [ "${#packages[@]}" = 0 ] || ensure_packages 'running the tests' "${packages[@]}" || return 1
  ensure_engine
}

check_node
ensure_dependencies
if [ "$for_tests" = no ]; then
  ensure_engine || exit 1
elif ! ensure_test_tools; then
  say "These test suites cannot run here: $ENGINE_SUITES"
  ! in_ci || die 'in CI every suite must run'
  exit 0
fi
say 'Everything Berth needs is here.'
