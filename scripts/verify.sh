#!/usr/bin/env bash
# Everything that must hold of the tree before it lands: generated files, format, lint, types, layers, dead code.
# Fails when any of it fails, and when the tree is dirty afterwards: what was generated or formatted must be committed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

step() {
  printf '%s …\n' "$1"
  shift
  "$@"
}

step 'generate' npm run --silent generate
step 'format' npx prettier --log-level warn --write .
step 'lint' npm run --silent lint
step 'types' npm run --silent types
step 'layers' npm run --silent layers
step 'dead code' npm run --silent dead-code

dirty=$(git status --porcelain)
if [ -n "$dirty" ]; then
  printf 'The tree is dirty; commit this and verify again:\n%s\n' "$dirty" >&2
  exit 1
fi
echo 'The tree holds.'
