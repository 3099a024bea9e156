# shellcheck shell=bash
# The Docker daemon: whether one answers, and how one is started where nothing else would.

DOCKER_SOCKET=/var/run/docker.sock

docker_answers() { have docker && docker -H "unix://$DOCKER_SOCKET" version --format '{{.Server.Version}}' >/dev/null 2>&1; }
any_docker_answers() { have docker && docker version --format '{{.Server.Version}}' >/dev/null 2>&1; }

remove_stale_docker_pid() {
  local file=/var/run/docker.pid pid
  [ -r "$file" ] || return 0
  pid=$(cat "$file")
  if [ ! -d "/proc/$pid" ] || [ "$(cat "/proc/$pid/comm" 2>/dev/null)" != dockerd ]; then
    say "Removing $file: no dockerd has the pid in it"
    rm -f "$file"
  fi
}

# Starts the system's daemon and waits until it answers. Needs root.
start_dockerd() {
  docker_answers && return 0
  if has_systemd; then
    say "Starting the docker service"
    systemctl start docker
  else
    say "Starting dockerd; it logs to $(state_dir)/dockerd.log"
    remove_stale_docker_pid
    start_daemon dockerd dockerd
  fi
  wait_until 60 docker_answers || die "dockerd does not answer; see $(state_dir)/dockerd.log"
}

# Ends the daemon that start_dockerd started, and no other. Docker stops its containers first, which takes its time.
stop_dockerd() { stop_daemon dockerd 60; }
