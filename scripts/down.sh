#!/usr/bin/env bash
# Undoes scripts/up.sh: deletes what the quick start declares, stops the controller and the engine, each only if up.sh
# brought it. Manifests of your own, and files of the quick start that you changed, stay. Of several homes that up.sh
# was run for, BERTH_HOME chooses one; without it all are meant.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=scripts/lib/common.sh
. "$root/scripts/lib/common.sh"
# shellcheck source=scripts/lib/daemons.sh
. "$root/scripts/lib/daemons.sh"
# shellcheck source=scripts/lib/quickstart.sh
. "$root/scripts/lib/quickstart.sh"

# Removes the copies, and collects the objects that they declared in `doomed`: one that another file declares by now is
# somebody's own. Nobody's edits are lost: a copy that was changed is moved out of the way. Settings come last, and stay
# if they were changed or if anything is left that goes by them: by themselves they start nothing.
remove_manifests() {
  local sum file settings=
  doomed=()
  while read -r sum file; do
    if [ -z "$(quickstart_object "$file")" ]; then
      settings="$sum $file"
    else
      remove_manifest "$sum" "$file"
    fi
  done < <(sort -rk2 "$record/manifests")
  [ -z "$settings" ] || remove_settings "${settings%% *}" "${settings#* }"
}

remove_manifest() {
  local sum=$1 file=$2 object
  object=$(quickstart_object "$file")
  if declared_by "$object" "$file"; then doomed+=("$object"); fi
  [ -e "$file" ] || return 0
  if is_unchanged "$sum" "$file"; then rm -f "$file"; else keep_changed "$file"; fi
}

remove_settings() {
  local sum=$1 file=$2
  [ -e "$file" ] || return 0
  if ! is_unchanged "$sum" "$file"; then
    say "$file was changed since it was copied: it stays"
  elif [ -n "$(find -L "$(dirname "$file")" -type f \( -name '*.yaml' -o -name '*.yml' \) ! -path "$file" -print -quit)" ]; then
    say "$file stays: your own manifests go by it"
  else
    rm -f "$file"
  fi
}

is_unchanged() { [ "$(sha256sum <"$2" | cut -d' ' -f1)" = "$1" ]; }

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

# undo RECORD: all of it, in the home that it is of.
undo() {
  record=$1
  [ -x "$root/dist/ctl" ] || die 'dist/ctl is missing; make it with: npm run build'
  if [ -e "$record/home" ]; then
    BERTH_HOME=$(cat "$record/home")
    export BERTH_HOME
  else
    unset BERTH_HOME
  fi
  undo_quickstart
  stop_controller
  remove_directory
  rm -rf "$record"
}

chosen=("$(quickstart_records)"/home-*)
[ -z "${BERTH_HOME:-}" ] || chosen=("$(quickstart_record)")
for each in "${chosen[@]}"; do
  [ ! -d "$each" ] || undo "$each"
done
if compgen -G "$(quickstart_records)/home-*" >/dev/null; then
  say 'What "make up" started in other homes is still up.'
  exit 0
fi
stop_noted_engine podman 10
stop_noted_engine dockerd 60
say 'Everything that "make up" started is down.'
