#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Builds and runs the worker's tests. Run from anywhere; CC and B (the build folder, which has gen/) may be set.
# For another processor: CC its compiler, SANITIZERS empty, RUN what runs its programs (qemu-aarch64 ...).
set -eu
cd "$(dirname "$0")/../../.."
CC=${CC:-gcc}
RUN=${RUN:-}
B=${B:-build}
out=$B/tests/worker
mkdir -p "$out"
here=shims/tests/worker
flags="-std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -O1 -g -I${GEN:-$B/gen} -Ishims/region -Ishims/worker -I$here"
parts="shims/worker/account.c shims/worker/session.c shims/worker/frame.c shims/worker/order.c shims/worker/lane.c shims/worker/context.c
	shims/worker/descriptor.c shims/worker/handles.c shims/worker/image.c shims/worker/parent.c shims/worker/print.c shims/worker/staging.c shims/worker/trace.c $here/fake.c"

# test NAME SANITIZER: builds and runs one, and says how it went.
test_one() {
	rounds=
	[ "$1" = hostile ] && rounds=${HOSTILE_ROUNDS:-60}
	# shellcheck disable=SC2086
	$CC $flags ${2:+-fsanitize=$2} ${3:-} -o "$out/$1${2:+-$2}" "$here/$1.c" $parts -ldl -lpthread
	$RUN "$out/$1${2:+-$2}" $rounds
	echo "ok   worker/$1${2:+ ($2)}"
}

# A session lives as long as its process: nothing of it is freed.
export ASAN_OPTIONS="detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
sanitizers=${SANITIZERS-address,undefined}
for t in handles lanes order print hostile; do
	test_one "$t" "$sanitizers"
done
for t in lanes order; do
	[ -n "$sanitizers" ] || break
	${CC} -fsanitize=thread -o "$out/probe" -xc - <<P 2>/dev/null && "$out/probe" || { echo "skip worker/$t (thread): this compiler or kernel has no ThreadSanitizer"; continue; }
int main(void) { return 0; }
P
	test_one "$t" thread
done

test_one pools "$sanitizers" "shims/worker/count_memory.c shims/worker/count_pools.c shims/worker/count_objects.c shims/worker/kept.c shims/worker/limit.c"

# The order rule has a test that fails without it.
# shellcheck disable=SC2086
$CC $flags -DAXON_WITHOUT_ORDER -o "$out/order-without" "$here/order.c" $parts -ldl -lpthread
if $RUN "$out/order-without" 2>/dev/null; then
	echo "FAIL worker/order passes without the order rule: it tests nothing" >&2
	exit 1
fi
echo "ok   worker/order fails without the rule"

# Any bytes as frames: with libFuzzer where the compiler has it.
halves="shims/worker/box.c shims/worker/calls.c shims/worker/copy.c shims/worker/export.c shims/worker/external.c shims/worker/graph.c shims/worker/graph_node.c shims/worker/graph_semaphore.c shims/worker/graph_text.c shims/worker/green.c shims/worker/host.c shims/worker/launch.c shims/worker/launch_devices.c shims/worker/link.c shims/worker/load.c shims/worker/logs.c shims/worker/notify.c
	shims/worker/pointer.c shims/worker/stream.c shims/worker/upcall.c ${GEN:-$B/gen}/cuda_worker.c"
fuzz_parts=$(echo $parts | sed 's| *[^ ]*fake.c||')
# shellcheck disable=SC2086
$CC $flags -DPATIENCE=0 -DAXON_FUZZ_ALONE ${sanitizers:+-fsanitize=$sanitizers} -o "$out/fuzz_frame-alone" "$here/fuzz_frame.c" $fuzz_parts $halves -ldl -lpthread
$RUN "$out/fuzz_frame-alone" "${FUZZ_ROUNDS:-30000}"
echo "ok   worker/fuzz_frame (made-up frames)"
if [ "${FUZZ_SECONDS:-5}" -gt 0 ] && clang -fsanitize=fuzzer,address -o "$out/probe" -xc - <<P 2>/dev/null
#include <stddef.h>
#include <stdint.h>
int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n) { return p && n ? 0 : 0; }
P
then
	mkdir -p "$out/corpus"
	# shellcheck disable=SC2086
	clang $flags -DPATIENCE=0 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -o "$out/fuzz_frame" "$here/fuzz_frame.c" $fuzz_parts $halves -ldl -lpthread
	"$out/fuzz_frame" -max_total_time="${FUZZ_SECONDS:-5}" -max_len=4096 -len_control=0 -artifact_prefix="$out/" "$out/corpus" $here/seeds >"$out/fuzz_frame.log" 2>&1 ||
		{ tail -n 60 "$out/fuzz_frame.log" >&2; exit 1; }
	echo "ok   worker/fuzz_frame (libFuzzer, ${FUZZ_SECONDS:-5} s)"

	# Images and region headers, with the software GPU's reader behind the worker's look at them.
	mkdir -p "$out/corpus-image"
	# shellcheck disable=SC2086
	clang $flags -Isoftgpu/driver -Isoftgpu -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -o "$out/fuzz_image" \
		"$here/fuzz_image.c" shims/worker/descriptor.c shims/worker/image.c shims/region/region.c softgpu/driver/image.c softgpu/driver/zstd.c -lpthread
	"$out/fuzz_image" -max_total_time="${FUZZ_SECONDS:-5}" -max_len=4096 -artifact_prefix="$out/" "$out/corpus-image" $here/seeds-image >"$out/fuzz_image.log" 2>&1 ||
		{ tail -n 60 "$out/fuzz_image.log" >&2; exit 1; }
	echo "ok   worker/fuzz_image (libFuzzer, ${FUZZ_SECONDS:-5} s)"
else
	echo "skip worker/fuzz_frame (libFuzzer): clang has none here, or FUZZ_SECONDS=0"
fi

# The whole worker, as axond starts it.
vendor=${VENDOR:-$B/softgpu}
if [ -n "$RUN" ]; then
	echo "skip worker/start: it starts the worker by itself, which $RUN cannot do for it; whole programs are run instead"
elif [ -x "$B/libexec/axon-worker" ] && [ -e "$vendor/libcuda.so.1" ]; then
	# shellcheck disable=SC2086
	$CC $flags -o "$out/start" "$here/start.c" $parts -lpthread
	"$out/start" "$B/libexec/axon-worker" "$vendor" >"$out/start.log" 2>&1 || { cat "$out/start.log" >&2; exit 1; }
	echo "ok   worker/start with $vendor"
else
	echo "skip worker/start: $B/libexec/axon-worker or $vendor/libcuda.so.1 is not built"
fi
