#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Whether NVIDIA's library bears the confinement of workers: programs natively
# and through a confined axond, as root and as another user, two at once that
# share memory, the cache of compiled kernels, and what the start costs. Where a
# program fails, the parts of the confinement are left out one by one, to name
# the one; and where strace is installed, what was refused is listed.
#
#   tests/gpu/confined.sh [BUILD [PROGRAM...]]
#
# As root. AXON_VENDOR names the vendor's folder (the software GPU's does too).
# Exit status 0: what runs natively runs confined.
set -u
here=$(cd "$(dirname "$0")" && pwd)
from=$(cd "${1:-$here/../../build}" && pwd); shift $(($# > 0))
[ "$(id -u)" = 0 ] || { echo "confined: not root: without, workers get no users and namespaces of their own" >&2; exit 2; }

library=libcuda.so.1
. "$here/vendor"

# Workers and users must reach what they run; a checkout may lie where they cannot.
stage=$(mktemp -d /tmp/axon-confined-XXXXXX); chmod 755 "$stage"
trap 'rm -rf "$stage"' EXIT
for d in bin lib libexec tests bench; do [ -d "$from/$d" ] && cp -a "$from/$d" "$stage/"; done
chmod -R go+rX "$stage"
b=$stage
mkdir "$stage/cache" "$stage/out"; chmod 777 "$stage/out"
failed=0

# confined WITHOUT FLAGS COMMAND...: the command through an axond of its own; its log is left in $stage/out/log
confined() (
	export AXON_CONFINE_WITHOUT=$1 AXON_CACHE_DIR=${cache:-$stage/cache}
	axond_flags="--vendor $vendor $2"; shift 2
	. "$here/../../scripts/with-axond"
	trap 'cp "$log" "$stage/out/log"; kill "$axond" 2>/dev/null; wait "$axond" 2>/dev/null; rm -rf "$run"' EXIT
	chmod 755 "$run"
	export AXON_SESSION=$socket LD_LIBRARY_PATH=$b/lib
	"$@"
)
as_user() { setpriv --reuid 12345 --regid 12345 --groups "$(getent group video | cut -d: -f3)" "$@"; }

name_the_part() { # NAME COMMAND...
	local name=$1 found=; shift
	for part in landlock seccomp scope connect fork dumpable namespaces identity; do
		if confined $part "--warm 0" timeout 120 "$@" >/dev/null 2>&1; then found=1; echo "    $name runs without: $part"; fi
	done
	[ -n "$found" ] || { confined "" "--warm 0 --confine off" timeout 120 "$@" >/dev/null 2>&1 && echo "    $name runs with --confine off, and with no single part left out" || echo "    $name does not run with --confine off either"; }
	if command -v strace >/dev/null; then
		printf '#!/bin/sh\ncase "$*" in *--fingerprint*) exec %s "$@";; esac\nexec strace -f -o %s/out/strace.$$ -e status=failed %s "$@"\n' \
			"$b/libexec/axon-worker" "$stage" "$b/libexec/axon-worker" >"$stage/traced"
		chmod 755 "$stage/traced"
		confined "" "--warm 0 --worker $stage/traced" timeout 120 "$@" >/dev/null 2>&1
		cat "$stage"/out/strace.* 2>/dev/null | grep -E 'EACCES|EPERM|EAFNOSUPPORT|ECONNREFUSED|ENOSYS' | sed 's/^[0-9]* //' | sort | uniq -c | sort -rn | head -n 40
		rm -f "$stage"/out/strace.*
	fi
}

check() { # NAME COMMAND...
	local name=$1 n a; shift
	if [ "$1" = as_user ]; then LD_LIBRARY_PATH=$vendor timeout 300 "${@:2}" >"$stage/out/native" 2>&1; else LD_LIBRARY_PATH=$vendor timeout 300 "$@" >"$stage/out/native" 2>&1; fi
	n=$?
	confined "" "${flags:---warm 0}" timeout 300 "$@" >"$stage/out/axon" 2>&1; a=$?
	if [ $a = 0 ]; then printf '%-40s runs confined\n' "$name"
	elif [ $n != 0 ]; then printf '%-40s left out: does not run natively either: %s\n' "$name" "$(tail -n 1 "$stage/out/native")"
	else
		failed=1; printf '%-40s FAILS confined, status %s\n' "$name" $a
		tail -n 5 "$stage/out/axon" | sed 's/^/    /'; grep -v 'session ended' "$stage/out/log" | tail -n 8 | sed 's/^/    log: /'
		name_the_part "$name" "$@"
	fi
}
export -f as_user

echo "vendor: $vendor; kernel $(uname -r); $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null | head -n 1)"
confined "" "--warm 0" true; grep WARN "$stage/out/log" | sed 's/^.*msg=/not confined by: /'
[ $# -gt 0 ] || set -- semantics ipc link print external graphs memory checkpoint
check driver_axpy "$b/bin/driver_axpy"
check "driver_axpy as a user" bash -c 'as_user "$0"' "$b/bin/driver_axpy"
for p in "$@"; do check "$p" "$b/tests/$p"; done
check "ipc as a user" bash -c 'as_user "$0"' "$b/tests/ipc"
flags="--warm-context" check "driver_axpy with a context made before" bash -c 'sleep 3; "$0"' "$b/bin/driver_axpy"

n=$(find "$stage/cache" -type f | wc -l)
echo "cache of compiled kernels: $n files in $(find "$stage/cache" -mindepth 1 -maxdepth 1 | wc -l) users' folders"
[ "$n" -gt 0 ] || echo "    none: either nothing was compiled, or the vendor's library does not write there; look at CUDA_CACHE_PATH"

if [ -x "$b/bench/start" ]; then
	for flags in "--warm 0" "--warm 1"; do
		for mode in off on; do confined "" "$flags --confine $mode" "$b/bench/start" "start $flags, confine $mode" 11 500; done
	done
else echo "start is not measured: make build/bench/start"; fi
exit $failed
