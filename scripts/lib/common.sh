# shellcheck shell=bash
# Shared by the scripts here: source it, don't run it.

say() { printf '%s\n' "$*"; }
warn() { printf 'warning: %s\n' "$*" >&2; }
die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}
have() { command -v "$1" >/dev/null 2>&1; }
is_root() { [ "$(id -u)" = 0 ]; }
in_ci() { [ -n "${CI:-}" ] && [ "$CI" != false ]; }
has_systemd() { [ -d /run/systemd/system ]; }

# Where the scripts remember what they started, so that they stop that and nothing else.
state_dir() {
  printf '%s\n' "${BERTH_SETUP_STATE:-${XDG_STATE_HOME:-${HOME:-/root}/.local/state}/berth/setup}"
}

# wait_until SECONDS COMMAND...: true as soon as the command is, false when the time is up.
wait_until() {
  local deadline=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    [ "$SECONDS" -lt "$deadline" ] || return 1
    sleep 0.1
  done
}

# Becomes another user and runs a command, without PAM: pam_limits would raise limits, which not every root may.
# exec_as_user UID HOME RUNTIME_DIR COMMAND...
exec_as_user() {
  local uid=$1 home=$2 runtime_dir=$3
  shift 3
  cd /
  exec setpriv --reuid="$uid" --regid="$uid" --init-groups --reset-env \
    env HOME="$home" XDG_RUNTIME_DIR="$runtime_dir" PATH="$PATH" LANG=C.UTF-8 "$@"
}
