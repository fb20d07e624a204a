#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# What btop's panel for GPUs shows by NVIDIA's NVML and by axon's, on a machine
# with a GPU:
#
#   tests/gpu/panels.sh [BUILD]
#
# The program with btop's calls runs on both in turn, three times. A figure that
# is always the same on one must be that on the other, and one that either has,
# the other must have. Needs what make built in BUILD (default: build).
# AXON_VENDOR names the vendor's folder; the software GPU's does too. Exit status
# 0: they show the same.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
b=$(cd "${1:-$here/../../build}" && pwd)
library=libnvidia-ml.so.1
. "$here/vendor"
axond_flags="--vendor $vendor"
. "$here/../../scripts/with-axond"
for i in 1 2 3; do
	for side in vendor axon; do
		folder=$vendor
		[ $side = vendor ] || folder=$b/lib
		AXON_SESSION=$socket LD_LIBRARY_PATH=$folder timeout 60 "$b/tests/nvml/btop" 3 >"$run/out" || { echo "panels: btop's calls fail on the library in $folder" >&2; exit 1; }
		grep -v '^round: ' "$run/out" | sed "s/^/$side /" >>"$run/all"
	done
done
awk '
$2 == "library:" { if (!($0 in seen)) { seen[$0]; print } next }
{
	side = $1
	at = index($0, ": ")
	what = substr($0, length(side) + 2, at - length(side) - 2)
	value = substr($0, at + 2)
	if (!(what in order)) { order[what] = ++n; name[n] = what }
	if (!((side, what) in first)) first[side, what] = value
	else if (first[side, what] != value) changes[what]
}
END {
	for (i = 1; i <= n; i++) {
		what = name[i]
		v = ("vendor", what) in first ? first["vendor", what] : "nothing"
		a = ("axon", what) in first ? first["axon", what] : "nothing"
		same = v == a
		# A reason is a word; a figure that changes is one.
		if (what in changes && v ~ /^[0-9]/ && a ~ /^[0-9]/) same = 1
		printf "%-5s%-22s %s%s\n", same ? "ok" : "FAIL", what, v, v == a ? "" : " and by axon " a
		failed += !same
	}
	if (!n) { print "FAIL nothing was shown"; failed++ }
	exit failed > 0
}' "$run/all"
