#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# NVIDIA's nvidia-smi and axon's on a machine with a GPU, in every mode of
# tests/gpu/smi/modes, without and with a program on the GPU:
#
#   tests/gpu/smi.sh [BUILD [OUT]]
#
# Both run three times in each, in turn, axon's through an axond of its own, and
# once more from a recording of what NVML answered (STATE/before.nvml; there is
# another of afterwards). What they print is kept in OUT (default: smi-capture),
# an archive for each state, idle.tgz and process.tgz. What is not the same three
# times changes by itself; every other byte that differs is reported
# (report.txt), and how long each takes. What the library exports and how it
# words its errors is held against shims/api/nvml, too. AXON_SMI_STATES names the
# states if not both are wanted, AXON_SMI_JOBS how many modes run at a time.
#
# Needs what make built in BUILD (default: build), NVIDIA's driver and python3.
# Run as root, axond confines its workers as an installed one does.
# Exit status 0: nothing differed.
set -u
here=$(cd "$(dirname "$0")" && pwd)
b=$(cd "${1:-$here/../../build}" && pwd)
out=${2:-smi-capture}
mkdir -p "$out" && out=$(cd "$out" && pwd) || exit 2

library=libnvidia-ml.so.1
. "$here/vendor"
smi=${AXON_VENDOR_SMI:-$(command -v nvidia-smi)}
[ -n "$smi" ] || { echo "smi: no nvidia-smi of NVIDIA's here; name it in AXON_VENDOR_SMI" >&2; exit 2; }
for f in libexec/axon-worker bin/axond smi/nvidia-smi tests/record; do
	[ -x "$b/$f" ] || { echo "smi: $b/$f is missing: make builds it" >&2; exit 2; }
done

record() { timeout 300 "$b/tests/record" --modes "$here/smi/modes" --worker "$b/libexec/axon-worker" --vendor "$vendor" >"$1" 2>"$1.err" || { echo "smi: recording failed:" >&2; tail -n 5 "$1.err" >&2; }; }

# one FILE PROGRAM...: runs it; the output goes to the file, its status behind it
one() {
	local file=$1; shift
	timeout 20 "$@" >"$file" 2>&1 </dev/null
	echo "status $?" >>"$file"
}

# mode FOLDER NUMBER LINE: a mode three times, the two programs in turn, and once from the recording
mode() {
	local d=$1 n=$2 line=$3 i
	printf '%s\n' "$line" >"$d/$n.mode"
	# The words have no spaces in them: they are split as a shell would.
	# shellcheck disable=SC2086
	for i in 1 2 3; do
		one "$d/$n.vendor$i" "$smi" $line
		AXON_SESSION=$socket one "$d/$n.axon$i" "$b/smi/nvidia-smi" $line
	done
	# shellcheck disable=SC2086
	one "$d/$n.replay" "$b/tests/record" --replay "$d/before.nvml" -- $line
}

modes() {
	local d=$1 n=0 line jobs=()
	while IFS= read -r line; do
		case "$line" in ''|\#*) continue;; '""') line=;; esac
		n=$((n + 1))
		mode "$d" $n "$line" & jobs+=($!)
		# Two at a time take half as long, and do not disturb each other's reading more than one does.
		[ ${#jobs[@]} -lt "${AXON_SMI_JOBS:-2}" ] || { wait "${jobs[0]}"; jobs=("${jobs[@]:1}"); }
	done <"$here/smi/modes"
	wait "${jobs[@]}"
}

# A program on the GPU, the vendor's way: 1 GiB in a context, until it is ended.
hold() {
	LD_LIBRARY_PATH=$vendor${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} python3 "$here/smi/hold.py" "$1" &
	holder=$!
	until [ -e "$1" ]; do kill -0 $holder 2>/dev/null || return 1; sleep 0.1; done
}

holder=
axond_flags="--vendor $vendor"
. "$here/../../scripts/with-axond"
# What has been recorded when somebody ends this is kept.
ended() {
	local state
	[ -n "${status:-}" ] || for state in "$run"/states/*; do keep "${state##*/}"; done
	[ -z "$holder" ] || kill "$holder" 2>/dev/null; kill "$axond" 2>/dev/null; wait "$axond" 2>/dev/null; rm -rf "$run"
}
trap ended EXIT
trap 'exit 143' TERM

keep() { tar -C "$run/states" -czf "$out/$1.tgz" "$1"; }

for state in ${AXON_SMI_STATES:-idle process}; do
	d=$run/states/$state
	mkdir -p "$d"
	if [ $state = process ]; then hold "$run/ready" || { echo "smi: no program can be put on the GPU here; that part is left out"; continue; }; fi
	record "$d/before.nvml"
	keep $state
	modes "$d"
	keep $state
	record "$d/after.nvml"
	keep $state
done

report() {
	"$smi" --query-gpu=name,driver_version --format=csv,noheader 2>&1
	python3 "$here/smi/facts.py" "$vendor/libnvidia-ml.so.1" "$out" "$here/../../shims/api/nvml"
	local facts=$?
	AXON_SESSION=$socket python3 "$here/smi/compare.py" "$run/states" "$smi" "$b/smi/nvidia-smi"
	return $(($? | facts))
}
report >"$out/report.txt"
status=$?
cat "$out/report.txt"
[ $status = 0 ] || { echo "axond's log:"; tail -n 20 "$log"; }
exit $status
