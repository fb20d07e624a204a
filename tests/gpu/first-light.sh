#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs programs that know nothing of axon on a real GPU, natively and through
# axon in turn, and compares what they print. Needs what `make` built in build/
# (or name the folder: $1), an NVIDIA driver, and for some cases nvcc, PyTorch,
# CuPy or numba-cuda; what is missing is said and left out. Writes a table to
# $2 (default: standard output only). Exit status 0: all that ran agreed.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
b=$(cd "${1:-$here/../../build}" && pwd)
table=${2:-/dev/null}

library=libcuda.so.1
. "$here/vendor"

axond_flags="--vendor $vendor"
. "$here/../../scripts/with-axond"
native_path=$vendor${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
work=$run/work; mkdir -p "$work"
failed=0

native() { LD_LIBRARY_PATH=$native_path "$@"; }
through() { AXON_DEBUG=1 AXON_SESSION=$socket LD_LIBRARY_PATH=$b/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} "$@"; }

row() { printf '%-52s %-10s %s\n' "$1" "$2" "$3"; printf '| %s | %s | %s |\n' "$1" "$2" "$3" >>"$table.rows"; }
: >"$table.rows" 2>/dev/null || table=$work/table
: >"$table.rows"

# compare NAME COMMAND...: natively and through axon, output and exit status must be equal
compare() {
	name=$1; shift
	native timeout 120 "$@" >"$work/native" 2>"$work/native.err"; n=$?
	through timeout 120 "$@" >"$work/axon" 2>"$work/axon.err"; a=$?
	if [ $n != 0 ]; then row "$name" left\ out "does not run natively here: $(tail -n 1 "$work/native.err")"
	elif [ $a = 0 ] && cmp -s "$work/native" "$work/axon"; then row "$name" same "$(head -n 1 "$work/axon" | cut -c1-60)"
	else
		failed=1; row "$name" DIFFERS "status $a"
		diff "$work/native" "$work/axon" | head -n 10; tail -n 10 "$work/axon.err"
	fi
}

echo "GPU: $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null | head -n 1), $(date -u +%F)"
compare "driver_axpy" "$b/bin/driver_axpy"
for c in $(native "$b/tests/semantics" --list); do compare "semantics: $c" "$b/tests/semantics" "$c"; done
for c in $(native "$b/tests/graph_copies" --list); do compare "graph_copies: $c" "$b/tests/graph_copies" "$c"; done
for c in $(native "$b/tests/checkpoint" --list); do compare "checkpoint: $c" "$b/tests/checkpoint" "$c"; done
if command -v nvcc >/dev/null; then
	nvcc -cudart static -o "$work/cudart" "$here/cudart.cu" && compare "nvcc, static cudart" "$work/cudart"
else row "nvcc, static cudart" "left out" "no nvcc here"; fi
for p in numba_hello cupy_hello torch_matmul; do
	if python3 -c "import ${p%%_*}" 2>/dev/null; then compare "$p.py" python3 "$here/$p.py"; else row "$p.py" "left out" "not installed"; fi
done
if [ -x "$b/bench/boundary" ]; then AXON_SESSION=$socket "$b/bench/boundary" | tee "$work/bench" || failed=1; fi
{ printf '| case | result | what it printed |\n|---|---|---|\n'; cat "$table.rows"; [ ! -e "$work/bench" ] || { echo; sed 's/^/    /' "$work/bench"; }; } >"$table"
rm -f "$table.rows"
[ $failed = 0 ] || { echo "axond's log:"; grep -v 'session started\|client exited' "$log" | tail -n 30; }
exit $failed
