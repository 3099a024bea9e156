# shellcheck shell=bash
# shellcheck disable=SC2154 # `root` is the checkout; the script that sources this sets it.
# What `make up` did, remembered so that `make down` undoes that and nothing else.

ctl() { "$root/dist/ctl" "$@"; }

# One record for each home: `home` is BERTH_HOME as it was, `manifests` has sums of the files that were copied,
# `controller` is there when the controller was started, `directory` names the project's directory when it was made.
# Beside them, `dockerd` and `podman` are the pid files of engines that `make up` started.
quickstart_records() { printf '%s\n' "$(state_dir)/up"; }

# quickstart_record: that of the home that the environment names.
quickstart_record() {
  local home=${BERTH_HOME:-}
  case $home in '' | /*) ;; *) home=$PWD/$home ;; esac
  printf '%s\n' "$(quickstart_records)/home-$(printf '%s' "$home" | sha256sum | cut -c1-12)"
}

# note_engine NAME COMMAND...: runs the command, and remembers the daemon of that name if it is up only since then.
note_engine() {
  local name=$1 before
  shift
  before=$(daemon_pid "$name" || true)
  "$@"
  daemon_pid "$name" >/dev/null && [ "$(daemon_pid "$name")" != "$before" ] || return 0
  mkdir -p "$(quickstart_records)"
  cat "$(state_dir)/$name.pid" >"$(quickstart_records)/$name"
}

# stop_noted_engine NAME SECONDS: the daemon that was remembered, and no other that goes by the name.
stop_noted_engine() {
  local noted
  noted="$(quickstart_records)/$1"
  [ -e "$noted" ] || return 0
  if [ "$(cat "$noted")" = "$(cat "$(state_dir)/$1.pid" 2>/dev/null)" ]; then stop_daemon "$1" "$2"; fi
  rm -f "$noted"
}

# quickstart_object FILE: what a file of the quick start declares. Settings are not told: without a file they are built in.
quickstart_object() {
  case "$(basename "$1" .yaml)" in
    session) say session/shell ;;
    sandbox) say sandbox/main ;;
    project) say project/quickstart ;;
  esac
}

# controller_path LABEL: a path from the status of the running controller, such as its Manifests.
controller_path() { ctl controller status | sed -n "s/^$1: *//p"; }

controller_runs() { ctl controller status >/dev/null 2>&1; }

# object_is TYPE/NAME CONDITION STATUS: whether a condition of an object has that status.
object_is() {
  ctl get "$1" -o json 2>/dev/null | node -e '
    const { status } = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
    const [type, wanted] = process.argv.slice(1);
    const condition = status?.conditions?.find((one) => one.type === type);
    process.exit(condition?.status === wanted ? 0 : 1);' "$2" "$3" 2>/dev/null
}

# declared_by TYPE/NAME FILE: whether it is this file that declares the object, or did last.
declared_by() {
  ctl get "$1" -o json 2>/dev/null </dev/null | node -e '
    const { metadata } = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
    process.exit((metadata.annotations?.["berth.dev/manifest"] ?? "").startsWith(process.argv[1] + ":") ? 0 : 1);' "$2" 2>/dev/null
}
