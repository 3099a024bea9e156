# shellcheck shell=bash
# Background programs that we started: remembered by pid and start time, since pids are used again.

# The kernel's start time of a process, in ticks since boot. The name in the line may hold spaces, so cut behind it.
start_ticks() {
  local line fields
  line=$(cat "/proc/$1/stat" 2>/dev/null) || return 1
  read -r -a fields <<<"${line##*) }"
  printf '%s\n' "${fields[19]}"
}

# daemon_pid NAME: the pid of the one we started, if that very process is alive.
daemon_pid() {
  local file pid ticks
  file="$(state_dir)/$1.pid"
  [ -r "$file" ] || return 1
  read -r pid ticks <"$file" || return 1
  [ "$(start_ticks "$pid" || true)" = "$ticks" ] || return 1
  printf '%s\n' "$pid"
}

# start_daemon NAME COMMAND...: in a session of its own, output to NAME.log beside the pid file.
start_daemon() {
  local name=$1 dir pid
  shift
  dir=$(state_dir)
  mkdir -p "$dir"
  setsid "$@" >"$dir/$name.log" 2>&1 </dev/null &
  pid=$!
  # setsid may fork, when it is a process group's leader; in a script's background job it is not, and the pid stays.
  printf '%s %s\n' "$pid" "$(start_ticks "$pid" || echo gone)" >"$dir/$name.pid"
}

# stop_daemon NAME SECONDS: asks it to end, and insists after that time. None of ours running is success.
stop_daemon() {
  local name=$1 seconds=$2 pid
  if pid=$(daemon_pid "$name"); then
    say "Stopping $name (pid $pid)"
    kill "$pid" 2>/dev/null || true
    if ! wait_until "$seconds" daemon_gone "$name"; then
      kill -KILL "$pid" 2>/dev/null || true
      wait_until 5 daemon_gone "$name" || die "$name (pid $pid) does not end"
    fi
  fi
  rm -f "$(state_dir)/$name.pid"
}

daemon_gone() { ! daemon_pid "$1"; }
