#!/usr/bin/env bash
# Stops the engine daemon that setup.sh started. One that was there before, or that the system runs, is left alone.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=scripts/lib/common.sh
. "$root/scripts/lib/common.sh"
# shellcheck source=scripts/lib/daemons.sh
. "$root/scripts/lib/daemons.sh"
# shellcheck source=scripts/lib/docker.sh
. "$root/scripts/lib/docker.sh"

stop_dockerd
