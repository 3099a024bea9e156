#!/usr/bin/env bash
# Undoes scripts/up.sh: deletes what the quick start declares, stops the controller and the engine, each only if up.sh
# brought it. Manifests of your own, and files of the quick start that you changed, stay.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=scripts/lib/common.sh
. "$root/scripts/lib/common.sh"
# shellcheck source=scripts/lib/daemons.sh
. "$root/scripts/lib/daemons.sh"
# shellcheck source=scripts/lib/quickstart.sh
. "$root/scripts/lib/quickstart.sh"

record=$(quickstart_record)

# Removes the copies that are still what was copied; true when all of them were.
remove_manifests() {
  local sum file whole=0
  while read -r sum file; do
    [ -e "$file" ] || continue
    if [ "$(sha256sum <"$file" | cut -d' ' -f1)" = "$sum" ]; then
      rm -f "$file"
    else
      say "$file was changed since it was copied: it stays, and so does what it declares"
      whole=1
    fi
  done <"$record/manifests"
  return "$whole"
}

# The controller sees in a moment that the manifests are gone, and is then not surprised by the deletions.
manifests_are_missed() { ! ctl get session/shell >/dev/null 2>&1 || object_is session/shell Accepted False; }

delete_objects() {
  local object
  wait_until 10 manifests_are_missed || true
  for object in "${QUICKSTART_OBJECTS[@]}"; do
    ctl get "$object" >/dev/null 2>&1 || continue
    # Without its manifest it may go by itself in this very moment.
    ctl delete "$object" --yes --timeout 60s || ! ctl get "$object" >/dev/null 2>&1 || die "$object does not go"
  done
}

undo_quickstart() {
  [ -e "$record/manifests" ] || return 0
  controller_runs || ctl controller start
  if remove_manifests; then delete_objects; fi
  rm -f "$record/manifests"
}

stop_controller() {
  [ -e "$record/controller" ] || return 0
  ctl controller stop
}

# The directory goes with the quick start, unless somebody put something into it.
remove_directory() {
  [ -e "$record/directory" ] || return 0
  rmdir "$(cat "$record/directory")" 2>/dev/null || say "$(cat "$record/directory") has files in it: it stays"
}

if [ -d "$record" ]; then
  home=$(cat "$record/home" 2>/dev/null || true)
  [ -z "$home" ] || export BERTH_HOME=$home
  undo_quickstart
  stop_controller
  remove_directory
  rm -rf "$record"
fi
stop_daemon podman 10
"$root/scripts/teardown.sh"
say 'Everything that "make up" started is down.'
