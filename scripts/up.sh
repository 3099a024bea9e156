#!/usr/bin/env bash
# From a fresh checkout to a sandbox with a shell in it: sets the machine up, builds, gets the sandbox image, starts the
# controller and waits until the quick start runs. Run it as often as you like; scripts/down.sh undoes it.
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
# shellcheck source=scripts/lib/quickstart.sh
. "$root/scripts/lib/quickstart.sh"

READY_SECONDS=120
record=$(quickstart_record)

# Docker where it answers, as the settings have it by themselves; else Podman through the socket of its service.
choose_runtime() {
  runtime=docker
  any_docker_answers && return
  runtime=podman
  local socket="${XDG_RUNTIME_DIR:-/run/user/$(id -u)}/podman/podman.sock"
  is_root && socket=/run/podman/podman.sock
  [ -S "$socket" ] && return
  say "Starting a Podman service at $socket"
  mkdir -p "$(dirname "$socket")"
  note_engine podman start_daemon podman podman system service --time=0 "unix://$socket"
  wait_until 30 test -S "$socket" || die "podman does not answer; see $(state_dir)/podman.log"
}

get_image() {
  have mmdebstrap || { is_debian && is_root && ensure_packages 'making the sandbox image' mmdebstrap; } || true
  if have mmdebstrap; then "$root/scripts/image.sh" --runtime "$runtime"; else "$root/scripts/image.sh" --runtime "$runtime" --build; fi
}

start_controller() {
  mkdir -p "$record"
  case ${BERTH_HOME:-} in
    '') ;;
    /*) printf '%s' "$BERTH_HOME" >"$record/home" ;;
    *) printf '%s' "$PWD/$BERTH_HOME" >"$record/home" ;;
  esac
  if ! controller_runs; then
    ctl controller start
    : >"$record/controller"
  fi
}

# Somebody's manifests are theirs: the quick start is for a home that has none.
copy_manifests() {
  local directory=$1 file
  if [ -n "$(find -L "$directory" -type f \( -name '*.yaml' -o -name '*.yml' \) -print -quit)" ]; then
    [ -e "$record/manifests" ] || say "$directory has manifests already: the quick start is not copied into it"
    return 0
  fi
  if [ ! -e "$HOME/berth-quickstart" ]; then
    mkdir "$HOME/berth-quickstart"
    printf '%s\n' "$HOME/berth-quickstart" >"$record/directory"
  fi
  say "Copying the quick start into $directory"
  for file in "$root"/manifests/quickstart/*.yaml; do
    install -m 644 "$file" "$directory/"
  done
  [ "$runtime" = docker ] || printf '  runtime: { kind: Podman }\n' >>"$directory/settings.yaml"
  (cd "$directory" && sha256sum -- "$PWD"/*.yaml) >"$record/manifests"
}

await_ready() {
  local name file object
  [ -e "$record/manifests" ] || return 0
  for name in sandbox session; do
    file=$(sed -n "s|^[0-9a-f]*  \(.*/$name.yaml\)\$|\1|p" "$record/manifests")
    object=$(quickstart_object "$file")
    if [ ! -e "$file" ]; then
      say "$file was removed since it was copied: $object is not waited for (make down, then make up, brings it back)"
      continue
    fi
    say "Waiting for $object"
    if ! wait_until "$READY_SECONDS" object_is "$object" Ready True; then
      ctl describe project/quickstart "$object" >&2 || true
      die "$object is not ready after $READY_SECONDS s; what is known of it is above"
    fi
  done
}

note_engine dockerd "$root/scripts/setup.sh"
choose_runtime
say 'Building'
(cd "$root" && npm run --silent build)
get_image
start_controller
copy_manifests "$(controller_path Manifests)"
await_ready
ctl get all
