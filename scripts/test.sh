#!/usr/bin/env bash
# Every check and every test. Sets the machine up, runs the suites one after the other, says how many tests each ran,
# and ends with one line: "N passed, N failed". Fails when anything did, and in CI when a suite could not run.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=scripts/lib/common.sh
. "$root/scripts/lib/common.sh"

ENGINE_SUITES=(engines e2e)
passed=0
failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root"

# count SUITE PASSED FAILED: says it and adds it up.
count() {
  say "$1: $2 passed, $3 failed"
  passed=$((passed + $2))
  failed=$((failed + $3))
}

finish() {
  say "$passed passed, $failed failed"
  [ "$failed" = 0 ] && exit 0
  exit 1
}

# A check is right or wrong as a whole: a wrong one counts as one failure.
check() {
  local name=$1
  shift
  say "── $name"
  if "$@"; then say "$name: holds"; else count "$name" 0 1; fi
}

# A suite that never came to its tests, or has none, has failed as well. A file that can't be loaded counts as one.
run_suite() {
  local name=$1 numbers
  say "── $name"
  npx jest --selectProjects "$name" --json --outputFile "$work/$name.json" >/dev/null || true
  numbers=$(node -e '
    const r = JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"));
    const failed = r.numFailedTests + r.numRuntimeErrorTestSuites;
    console.log(r.numPassedTests, failed || (r.success && r.numTotalTests > 0 ? 0 : 1));' "$work/$name.json") || numbers='0 1'
  # shellcheck disable=SC2086 # two words
  count "$name" $numbers
}

have_suite() { [ -n "$(find "test/$1" -name '*.test.ts' -print -quit 2>/dev/null)" ]; }

# An engine without the image is as good as none.
get_image() { [ -n "$2" ] && scripts/image.sh --runtime "$1" --endpoint "$2"; }

# Starts the engines and gets the image into them; those that can't be had are named in `missing`.
prepare_engines() {
  local environment
  missing=()
  environment=$(scripts/test-engines.sh start) || environment=$(scripts/test-engines.sh env) || environment=
  eval "$environment"
  get_image docker "${BERTH_TEST_DOCKER:-}" || missing+=(Docker)
  get_image podman "${BERTH_TEST_PODMAN:-}" || missing+=(Podman)
  case " ${missing[*]:-} " in *' Docker '*) unset BERTH_TEST_DOCKER ;; esac
  case " ${missing[*]:-} " in *' Podman '*) unset BERTH_TEST_PODMAN ;; esac
}

run_engine_suites() {
  local suite suites=()
  for suite in "${ENGINE_SUITES[@]}"; do
    if have_suite "$suite"; then suites+=("$suite"); fi
  done
  prepare_engines
  if [ "${#missing[@]}" -gt 0 ]; then
    say "These suites could not run on ${missing[*]}: ${suites[*]}"
    if in_ci; then count 'suites that could not run' 0 "${#suites[@]}"; fi
    [ "${#missing[@]}" -lt 2 ] || return 0
    export BERTH_TEST_ALLOW_MISSING=1
  fi
  for suite in "${suites[@]}"; do run_suite "$suite"; done
}

scripts/setup.sh --for-tests || {
  count 'set-up' 0 1
  finish
}
check build npm run --silent build
if node -e 'process.exit(require("./package.json").scripts.verify ? 0 : 1)'; then check verify npm run --silent verify; fi
run_suite unit
run_suite convergence
run_engine_suites
finish
