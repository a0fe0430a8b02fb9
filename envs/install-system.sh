#!/bin/sh
# Install packages of Debian or Ubuntu for tests, without starting daemons: envs/install-system.sh PACKAGE...
set -eu
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
	echo "accelbench: cannot install $*. Be root on Debian or Ubuntu, or install them yourself." >&2
	exit 1
fi
# Tests start the daemons themselves. This policy keeps packages from starting them when they are installed.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
	printf '#!/bin/sh\nexit 101\n' >"$policy"
	chmod 755 "$policy"
	trap 'rm -f "$policy"' EXIT
fi
export DEBIAN_FRONTEND=noninteractive
timeout 120 apt-get -qq update
timeout 300 apt-get -qq install --yes --no-install-recommends "$@" >/dev/null
