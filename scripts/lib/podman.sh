# shellcheck shell=bash
# shellcheck disable=SC2154 # `root` is the checkout; the script that sources this sets it.
# A rootless Podman for the tests: as root that of a user made for it, otherwise your own.

TEST_USER=berth-test
# Neither root nor the first user of a machine: a mistake about whose files they are must show.
TEST_UID=2345
TEST_SUBIDS=300000-365535

podman_uid() { if is_root; then echo "$TEST_UID"; else id -u; fi; }
podman_home() { if is_root; then echo "/home/$TEST_USER"; else echo "$HOME"; fi; }
podman_runtime_dir() { if is_root; then echo "/run/user/$TEST_UID"; else echo "${XDG_RUNTIME_DIR:-/run/user/$(id -u)}"; fi; }
podman_socket() { echo "$(podman_runtime_dir)/berth-test/podman.sock"; }

exec_as_podman_user() {
  is_root || exec "$@"
  exec_as_user "$TEST_UID" "$(podman_home)" "$(podman_runtime_dir)" "$@"
}
as_podman_user() { (exec_as_podman_user "$@"); }

podman_service_answers() {
  [ -S "$(podman_socket)" ] && as_podman_user podman --remote --url "unix://$(podman_socket)" version
}

ensure_test_user() {
  local known
  if known=$(id -u "$TEST_USER" 2>/dev/null); then
    [ "$known" = "$TEST_UID" ] || die "user $TEST_USER exists with uid $known; the tests need uid $TEST_UID"
  else
    say "Adding the user $TEST_USER (uid $TEST_UID) for rootless Podman"
    getent group "$TEST_USER" >/dev/null || groupadd --gid "$TEST_UID" "$TEST_USER"
    useradd --uid "$TEST_UID" --gid "$TEST_UID" --create-home --shell /bin/bash "$TEST_USER"
  fi
  grep -q "^$TEST_USER:" /etc/subuid || usermod --add-subuids "$TEST_SUBIDS" "$TEST_USER"
  grep -q "^$TEST_USER:" /etc/subgid || usermod --add-subgids "$TEST_SUBIDS" "$TEST_USER"
  if getent group docker >/dev/null && ! id -nG "$TEST_USER" | grep -qw docker; then
    usermod --append --groups docker "$TEST_USER"
  fi
  install -d -m 755 /run/user
  install -d -m 700 -o "$TEST_UID" -g "$TEST_UID" "$(podman_runtime_dir)"
  # slirp4netns opens it as the user.
  if [ -c /dev/net/tun ]; then chmod 666 /dev/net/tun; fi
}

# config_file NAME: writes standard input to the tests' user's own configuration, once.
config_file() {
  local file
  file="$(podman_home)/.config/containers/$1"
  [ ! -e "$file" ] || return 0
  as_podman_user mkdir -p "$(dirname "$file")"
  as_podman_user tee "$file" >/dev/null
}

# The kernel's own overlay, mounted by an ordinary user in that user's home.
overlay_works() {
  # shellcheck disable=SC2016 # the inner shell expands them
  as_podman_user unshare -rm sh -c '
    dir=$(mktemp -d "$HOME/.overlay-XXXXXX") && cd "$dir" && mkdir l u w m
    mount -t overlay overlay -o lowerdir=l,upperdir=u,workdir=w m && umount m; works=$?
    rm -rf "$dir"; exit $works' >/dev/null 2>&1
}

# crun refuses a machine with both cgroup versions, and raising limits takes a capability that not every root has.
# Podman settles for copying whole images (vfs) where it does not recognise that the overlay works.
configure_test_podman() {
  config_file containers.conf <<'CONF'
[containers]
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
[network]
network_backend = "netavark"
[engine]
runtime = "runc"
CONF
  overlay_works || return 0
  config_file storage.conf <<'CONF'
[storage]
driver = "overlay"
CONF
}

start_podman_service() {
  podman_service_answers >/dev/null 2>&1 && return 0
  if is_root; then
    ensure_test_user
    configure_test_podman
  fi
  say "Starting a rootless Podman service as uid $(podman_uid)"
  as_podman_user mkdir -p "$(dirname "$(podman_socket)")"
  rm -f "$(podman_socket)"
  # Exec all the way, so that the pid on record is podman's.
  # shellcheck disable=SC2016 # the inner shell expands them
  start_daemon podman-test bash -c '. "$1"; . "$2"; run_podman_service' _ "$root/scripts/lib/common.sh" "$root/scripts/lib/podman.sh"
  wait_until 30 podman_service_answers || die "podman does not answer; see $(state_dir)/podman-test.log"
}

run_podman_service() { exec_as_podman_user podman system service --time=0 "unix://$(podman_socket)"; }

# Ends our service and, for the tests' own user, every container and the process that holds its namespaces. A service
# that somebody else started is theirs, with all that runs in it.
stop_podman_service() {
  daemon_pid podman-test >/dev/null || return 0
  if is_root && id -u "$TEST_USER" >/dev/null 2>&1 && have podman; then
    as_podman_user podman rm --all --force --time 0 >/dev/null 2>&1 || true
    as_podman_user podman system migrate >/dev/null 2>&1 || true
  fi
  stop_daemon podman-test 10
  rm -f "$(podman_socket)"
}
