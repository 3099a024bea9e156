# shellcheck shell=bash
# shellcheck disable=SC2154 # `root` is the checkout; the script that sources this sets it.
# What `make up` did, remembered so that `make down` undoes that and nothing else.

ctl() { "$root/dist/ctl" "$@"; }

# The record: `home` is BERTH_HOME as it was, `manifests` has sums of the files that were copied, `controller` is there
# when the controller was started, `directory` names the project's directory when it was made.
quickstart_record() { printf '%s\n' "$(state_dir)/up"; }

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
