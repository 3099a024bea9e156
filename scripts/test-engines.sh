#!/usr/bin/env bash
# The engines that the tests run against: Docker, and a rootless Podman. Usage: scripts/test-engines.sh start|stop|env
# `start` and `env` print what the tests read, for `eval "$(scripts/test-engines.sh start)"`; an engine that is not up
# is left out.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=scripts/lib/common.sh
. "$root/scripts/lib/common.sh"
# shellcheck source=scripts/lib/daemons.sh
. "$root/scripts/lib/daemons.sh"
# shellcheck source=scripts/lib/docker.sh
. "$root/scripts/lib/docker.sh"
# shellcheck source=scripts/lib/podman.sh
. "$root/scripts/lib/podman.sh"

print_env() {
  docker_answers && say "export BERTH_TEST_DOCKER=unix://$DOCKER_SOCKET"
  if podman_service_answers >/dev/null 2>&1; then
    say "export BERTH_TEST_PODMAN=unix://$(podman_socket)"
    say "export BERTH_TEST_PODMAN_UID=$(podman_uid)"
  fi
  return 0
}

# What is said on the way goes to the error output, so that the output is the environment alone.
start() {
  {
    if ! docker_answers; then
      if is_root && have dockerd; then start_dockerd; else warn 'no Docker answers, and none can be started here'; fi
    fi
    if have podman; then start_podman_service; else warn 'podman is not installed'; fi
  } >&2
  print_env
}

# Stops what `start` or setup.sh started; a daemon that was there before stays.
stop() {
  stop_podman_service
  stop_dockerd
}

case "${1:-}" in
  start) start ;;
  stop) stop ;;
  env) print_env ;;
  *) die 'usage: scripts/test-engines.sh start|stop|env' ;;
esac
