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

# Removes the copies, and collects the objects that they declared in `doomed`. Nobody's edits are lost: a copy that was
# changed is moved out of the way, and settings that were changed stay, since they start nothing.
remove_manifests() {
  local sum file object
  doomed=()
  while read -r sum file; do
    object=$(quickstart_object "$file")
    [ -z "$object" ] || doomed+=("$object")
    [ -e "$file" ] || continue
    if [ "$(sha256sum <"$file" | cut -d' ' -f1)" = "$sum" ]; then
      rm -f "$file"
    elif [ -z "$object" ]; then
      say "$file was changed since it was copied: it stays"
    else
      keep_changed "$file"
    fi
  done < <(sort -rk2 "$record/manifests")
}

keep_changed() {
  local kept
  kept="$(dirname "$(dirname "$1")")/quickstart-changed"
  mkdir -p "$kept"
  mv "$1" "$kept/$(date +%Y%m%dT%H%M%S)-$(basename "$1")"
  say "$1 was changed since it was copied: it was moved to $kept"
}

# The controller sees in a moment that a manifest is gone, and is then not surprised by the deletion.
is_missed() { ! ctl get "$1" >/dev/null 2>&1 || object_is "$1" Accepted False; }

# Users before what they use: the files' names happen to sort so, backwards.
delete_objects() {
  local object
  for object in ${doomed[@]+"${doomed[@]}"}; do
    wait_until 10 is_missed "$object" || true
    ctl get "$object" >/dev/null 2>&1 || continue
    # Without its manifest it may go by itself in this very moment.
    ctl delete "$object" --yes --timeout 60s || ! ctl get "$object" >/dev/null 2>&1 || die "$object does not go"
  done
}

undo_quickstart() {
  [ -e "$record/manifests" ] || return 0
  controller_runs || ctl controller start
  remove_manifests
  delete_objects
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
  [ -x "$root/dist/ctl" ] || die 'dist/ctl is missing; make it with: npm run build'
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
