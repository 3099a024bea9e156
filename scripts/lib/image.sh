# shellcheck shell=bash
# shellcheck disable=SC2154 # the script that sources this sets root (the checkout) and the image_… options
# How the sandbox image is made, step by step.

IMAGE_CACHE="${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/berth"

# What the image is made from, in sixteen digits: it changes exactly when an input does.
image_fingerprint() {
  (cd "$root" && find images scripts/lib/image.sh -type f | LC_ALL=C sort | xargs sha256sum | sha256sum | cut -c1-16)
}

# Prints the path of the base file system, and makes it when these inputs have none yet.
base_tarball() {
  local path packages
  path="$IMAGE_CACHE/sandbox-$(image_fingerprint).tar"
  if [ ! -s "$path" ]; then
    have mmdebstrap || die 'mmdebstrap is missing; on Debian: apt-get install mmdebstrap (or --build, with a registry)'
    packages=$(paste -sd, "$root/images/packages")
    say "Making the base file system from Debian packages: $packages" >&2
    mkdir -p "$IMAGE_CACHE"
    # shellcheck disable=SC2016 # mmdebstrap's own shell expands "$1", the root of the new system
    mmdebstrap --quiet --format=tar --variant=minbase --include="$packages" \
      --customize-hook='rm -rf "$1"/var/cache/apt/*.bin "$1"/var/log/*.log "$1"/etc/hostname "$1"/etc/resolv.conf' \
      bookworm "$path.$$" >&2 || {
      rm -f "$path.$$"
      die 'mmdebstrap failed'
    }
    mv "$path.$$" "$path"
    # Readable for the other engine's user; older bases are of no use to anyone.
    chmod 644 "$path"
    find "$IMAGE_CACHE" -maxdepth 1 -name 'sandbox-*.tar' ! -path "$path" -delete
  fi
  printf '%s\n' "$path"
}

# engine ARGUMENT...: the command line of the engine at the chosen endpoint.
engine() {
  case "$image_runtime:$image_endpoint" in
    docker:) docker "$@" ;;
    docker:*) docker --host "$image_endpoint" "$@" ;;
    podman:) podman "$@" ;;
    podman:*) podman --remote --url "$image_endpoint" "$@" ;;
  esac
}

image_is_current() {
  local label
  label=$(engine image inspect --format '{{index .Config.Labels "dev.berth.fingerprint"}}' "$image_tag" 2>/dev/null) || return 1
  [ "$label" = "$(image_fingerprint)" ]
}

import_image() {
  local tarball
  tarball=$(base_tarball)
  say "Importing $image_tag into $image_runtime"
  engine import \
    --change 'ENTRYPOINT ["/usr/bin/tini","--"]' \
    --change 'CMD ["sleep","infinity"]' \
    --change 'ENV LANG=C.UTF-8' \
    --change "LABEL dev.berth.fingerprint=$(image_fingerprint)" \
    - "$image_tag" <"$tarball" >/dev/null
}

build_image() {
  say "Building $image_tag with $image_runtime"
  engine build --file "$root/images/Containerfile" --tag "$image_tag" \
    --build-arg "FINGERPRINT=$(image_fingerprint)" "$root/images"
}
