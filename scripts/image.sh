#!/usr/bin/env bash
# Makes the sandbox image in an engine's own store; quick when it is there already.
# Usage: scripts/image.sh [--runtime docker|podman] [--endpoint URL] [--tag NAME] [--build]
#   --build   from images/Containerfile, which needs a registry; otherwise from Debian packages, which needs none
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=scripts/lib/common.sh
. "$root/scripts/lib/common.sh"
# shellcheck source=scripts/lib/image.sh
. "$root/scripts/lib/image.sh"

image_runtime=docker
image_endpoint=
image_tag=localhost/berth/sandbox:dev
make=import_image
while [ $# -gt 0 ]; do
  case "$1" in
    --build) make=build_image && shift && continue ;;
    --runtime | --endpoint | --tag) [ $# -ge 2 ] || die "$1 needs a value" ;;
    *) die "unknown argument $1; see the head of scripts/image.sh" ;;
  esac
  case "$1" in
    --runtime) image_runtime=$2 ;;
    --endpoint) image_endpoint=$2 ;;
    --tag) image_tag=$2 ;;
  esac
  shift 2
done
case "$image_runtime" in
  docker | podman) have "$image_runtime" || die "$image_runtime is not installed" ;;
  *) die "--runtime is docker or podman, not $image_runtime" ;;
esac

if image_is_current; then
  say "$image_tag is up to date in $image_runtime"
else
  "$make"
fi
