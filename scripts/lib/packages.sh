# shellcheck shell=bash
# Debian packages: what is missing, and how it is had.

is_debian() {
  [ -r /etc/os-release ] || return 1
  grep -Eq '^ID(_LIKE)?=.*(debian|ubuntu)' /etc/os-release && have apt-get
}

# Prints those of the named packages that are not installed.
missing_packages() {
  local installed
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null | sed -n 's/^installed //p' || true)
  local package
  for package in "$@"; do
    grep -qxF "$package" <<<"$installed" || printf '%s\n' "$package"
  done
}

apt() {
  DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@" </dev/null
}

# Prints the command by which a person gets the packages.
install_command() {
  say "  sudo apt-get update && sudo apt-get install --no-install-recommends $*"
}

# ensure_packages WHY PACKAGE...: installs what is missing, after saying so. Not root or not Debian: says how, and fails.
ensure_packages() {
  local why=$1
  shift
  local missing
  is_debian || {
    say "$why needs these Debian packages, or what your system calls them: $*"
    return 1
  }
  mapfile -t missing < <(missing_packages "$@")
  [ "${#missing[@]}" -gt 0 ] || return 0
  is_root || {
    say "$why needs packages that only root can install:"
    install_command "${missing[@]}"
    return 1
  }
  say "Installing for $why: ${missing[*]}"
  # The package lists are fetched only when those at hand don't do.
  apt install --no-install-recommends "${missing[@]}" >/dev/null 2>&1 && return 0
  say "  fetching fresh package lists"
  apt update >/dev/null
  apt install --no-install-recommends "${missing[@]}" >/dev/null
}
