#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Whether limits hold a real GPU's memory, and whether anybody else notices:
#
#   tests/gpu/limits.sh [BUILD]
#
# Every way to have memory (tests/programs/limits), and PyTorch if it is
# installed, by axon run --gpu-memory and by axond.toml. Needs what make built in
# BUILD (default: build); AXON_VENDOR names the vendor's folder. Exit status 0:
# they hold.
set -u
here=$(cd "$(dirname "$0")" && pwd)
b=$(cd "${1:-$here/../../build}" && pwd)
library=libcuda.so.1
. "$here/vendor"
failed=0
work=$(mktemp -d)
printf '[limits]\ngpu-memory = "2G"\n' >"$work/axond.toml"

# with FLAGS COMMAND...: the command beside an axond of its own
with() (
	axond_flags="--vendor $vendor $1"; shift
	. "$here/../../scripts/with-axond"
	export AXON_SESSION=$socket PATH=$b/bin:$PATH LD_LIBRARY_PATH=$b/lib
	"$@"
)
check() { # NAME COMMAND...
	local name=$1; shift
	if "$@" >"$work/out" 2>&1; then printf '%-44s well    %s\n' "$name" "$(tail -n 1 "$work/out" | cut -c1-90)"; else
		printf '%-44s FAILED, status %s\n' "$name" $?; failed=1; tail -n 12 "$work/out" | sed 's/^/    /'
	fi
}

# One with a limit keeps all it may have, and beside it one without computes.
beside() {
	local status
	coproc limited { axon run --gpu-memory 4G -- python3 "$here/limits.py" $((4 << 30)) 2>&1; }
	local pid=$limited_PID to=${limited[1]} from=${limited[0]}
	local said=
	read -r -t 120 said <&"$from"
	echo "$said"
	case $said in '4 GiB'*) ;; *) kill "$pid"; return 1 ;; esac
	timeout 120 python3 "$here/limits.py" 0; status=$?
	exec 3>&"$to"; echo >&3; exec 3>&-
	wait "$pid" || return 1
	echo "$said"
	return $status
}
smaller() { echo | timeout 120 axon run --gpu-memory 6G -- python3 "$here/limits.py" $((2 << 30)); }

echo "vendor: $vendor"
check "every way to have memory, 64 MiB" with "" env AXON_GPU_MEMORY=$((64 << 20)) timeout 120 "$b/tests/limits"
check "every way to have memory, 80 MiB" with "" env AXON_GPU_MEMORY=$((80 << 20)) timeout 120 "$b/tests/limits"
check "every way to have memory, 1 GiB" with "" env AXON_GPU_MEMORY=$((1 << 30)) timeout 120 "$b/tests/limits"
check "the same, said in axond.toml" with "--settings $work/axond.toml" env AXON_GPU_MEMORY=$((64 << 20)) timeout 120 "$b/tests/limits"
if python3 -c 'import torch' 2>/dev/null; then
	check "PyTorch with 4 GiB, and another without" with "" beside
	check "PyTorch asks for 6 GiB, axond.toml says 2" with "--settings $work/axond.toml" smaller
else echo "PyTorch is not installed: left out"; fi
rm -rf "$work"
exit $failed
