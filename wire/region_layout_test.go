// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// layout is every number of the C headers that this package repeats, as a C
// expression and as Go has it.
var layout = []struct {
	c   string
	go_ uint64
}{
	{"AXR_MAGIC", Magic},
	{"AXR_VERSION", Version},
	{"AXR_SNAPSHOT_OFFSET", SnapshotOffset},
	{"AXR_SNAPSHOT_SIZE", SnapshotSize},
	{"AXR_UPCALL_OFFSET", UpcallOffset},
	{"AXR_UPCALLS", Upcalls},
	{"AXR_OUTPUT_OFFSET", OutputOffset},
	{"AXR_OUTPUT_SIZE", OutputSize},
	{"AXR_OUTPUTS", Outputs},
	{"AXR_LANES_OFFSET", LanesOffset},
	{"AXR_LANES_MAX", LanesMax},
	{"AXR_LANE_SIZE", LaneSize},
	{"AXR_RING_OFFSET", RingOffset},
	{"AXR_RING_SIZE", RingSize},
	{"AXR_REPLY_OFFSET", ReplyOffset},
	{"AXR_REPLY_SIZE", ReplySize},
	{"AXR_BULK_OFFSET", BulkOffset},
	{"AXR_BULK_SIZE", BulkSize},
	{"AXR_FRAME_MAX", FrameMax},
	{"AXR_DEVICE_BASE", DeviceBase},
	{"AXR_DEVICE_SIZE", DeviceWide},
	{"AXR_HEAP_BASE", HeapBase},
	{"AXR_HEAP_SIZE", HeapWide},
	{"AXR_STARTING", StateStarting},
	{"AXR_READY", StateReady},
	{"AXR_ENDED", StateEnded},
	{"AXR_FLAG_MIRRORED", FlagMirrored},
	{"AXR_FLAG_DEBUG", FlagDebug},
	{"AXR_LANE_FREE", LaneFree},
	{"AXR_LANE_OPEN", LaneOpen},
	{"AXR_LANE_CLOSING", LaneClosing},
	{"AXR_PAD", KindPad},
	{"AXR_POST", KindPost},
	{"AXR_WAIT", KindWait},
	{"AXR_UP_NONE", UpNone},
	{"AXR_UP_CALL", UpCall},
	{"AXR_UP_STREAM", UpStream},
	{"AXR_UP_FETCH", UpFetch},
	{"AXR_UP_PUSH", UpPush},

	{"sizeof(struct axr_header)", HeaderSize},
	{"offsetof(struct axr_header, magic)", offMagic},
	{"offsetof(struct axr_header, version)", offVersion},
	{"offsetof(struct axr_header, fingerprint)", offFingerprint},
	{"offsetof(struct axr_header, lanes)", offLanes},
	{"offsetof(struct axr_header, flags)", offFlags},
	{"offsetof(struct axr_header, size)", offSize},
	{"offsetof(struct axr_header, heap_offset)", offHeapOffset},
	{"offsetof(struct axr_header, heap_size)", offHeapSize},
	{"offsetof(struct axr_header, heap_base)", offHeapBase},
	{"offsetof(struct axr_header, device_base)", offDeviceBase},
	{"offsetof(struct axr_header, device_size)", offDeviceSize},
	{"offsetof(struct axr_header, pad0)", headerBytes},
	{"offsetof(struct axr_header, ticket)", offTicket},
	{"offsetof(struct axr_header, doorbell)", offDoorbell},
	{"offsetof(struct axr_header, lanes_used)", offLanesUsed},
	{"offsetof(struct axr_header, state)", offState},
	{"offsetof(struct axr_header, end_reason)", offEndReason},
	{"offsetof(struct axr_header, deferred)", offDeferred},
	{"offsetof(struct axr_header, upcall_tail)", offUpcallTail},
	{"offsetof(struct axr_header, upcall_head)", offUpcallHead},
	{"offsetof(struct axr_header, upcall_asleep)", offUpcallAsleep},
	{"offsetof(struct axr_header, output_news)", offOutputNews},
	{"offsetof(struct axr_header, output_more)", offOutputMore},
	{"offsetof(struct axr_header, output_tail)", offOutputTail},
	{"offsetof(struct axr_header, output_head)", offOutputHead},

	{"sizeof(struct axr_lane)", LaneHeaderSize},
	{"offsetof(struct axr_lane, tail)", offLaneTail},
	{"offsetof(struct axr_lane, client_asleep)", offLaneClientAsleep},
	{"offsetof(struct axr_lane, request.end)", offLaneRequestEnd},
	{"offsetof(struct axr_lane, posted)", offLanePosted},
	{"offsetof(struct axr_lane, state)", offLaneState},
	{"offsetof(struct axr_lane, head)", offLaneHead},
	{"offsetof(struct axr_lane, worker_asleep)", offLaneWorkerAsleep},
	{"offsetof(struct axr_lane, replied)", offLaneReplied},
	{"offsetof(struct axr_lane, result)", offLaneResult},
	{"offsetof(struct axr_lane, size)", offLaneSize},
	{"offsetof(struct axr_lane, answer)", offLaneAnswer},
	{"AXR_ANSWER_INLINE", AnswerInline},

	{"sizeof(struct axr_frame)", FrameHeaderSize},
	{"offsetof(struct axr_frame, size)", offFrameSize},
	{"offsetof(struct axr_frame, kind)", offFrameKind},
	{"offsetof(struct axr_frame, call)", offFrameCall},
	{"offsetof(struct axr_frame, ticket)", offFrameTicket},
	{"offsetof(struct axr_frame, context)", offFrameContext},
	{"offsetof(struct axr_frame, seq)", offFrameSeq},
	{"offsetof(struct axr_frame, fixed)", offFrameFixed},
	{"offsetof(struct axr_frame, data)", offFrameData},
	{"offsetof(struct axr_frame, bulk)", offFrameBulk},
	{"offsetof(struct axr_frame, bulk_in)", offFrameBulkIn},
	{"offsetof(struct axr_frame, bulk_out)", offFrameBulkOut},

	{"sizeof(struct axr_upcall)", UpcallSize},
	{"offsetof(struct axr_upcall, state)", offUpcallState},
	{"offsetof(struct axr_upcall, kind)", offUpcallKind},
	{"offsetof(struct axr_upcall, a)", offUpcallA},
	{"offsetof(struct axr_upcall, b)", offUpcallB},
	{"offsetof(struct axr_upcall, c)", offUpcallC},
	{"offsetof(struct axr_upcall, d)", offUpcallD},

	{"AXON_HELLO_MAX", HelloMax},
	{"sizeof(struct axon_hello)", HelloSize},
	{"offsetof(struct axon_hello, version)", 4},
	{"offsetof(struct axon_hello, fingerprint)", 8},
	{"offsetof(struct axon_hello, library)", 24},
	{"offsetof(struct axon_hello, env_bytes)", 28},
	{"sizeof(struct axon_answer)", AnswerSize},
	{"sizeof(struct axon_descriptor)", DescriptorSize},
	{"offsetof(struct axon_answer, version)", 4},
	{"offsetof(struct axon_answer, status)", 8},
	{"offsetof(struct axon_answer, session)", 12},
	{"offsetof(struct axon_answer, text_bytes)", 16},
	{"AXON_CUDA", LibraryCUDA},
	{"AXON_NVML", LibraryNVML},
	{"AXON_NCCL", LibraryNCCL},
	{"AXON_OK", StatusOK},
	{"AXON_NOT_ADMITTED", StatusNotAdmitted},
	{"AXON_MISMATCH", StatusMismatch},
	{"AXON_BAD_REGION", StatusBadRegion},
	{"AXON_NO_WORKER", StatusNoWorker},
	{"AXON_BUSY", StatusBusy},

	{"AXA_VERSION", AccountVersion},
	{"AXA_SIZE", AccountSize},
	{"AXA_CALLS_OFFSET", accountCalls},
	{"AXA_CALLS_STRIDE", accountCallsStride},
	{"AXA_CALLS", LanesMax},
	{"offsetof(struct axa_account, version)", offAccountVersion},
	{"offsetof(struct axa_account, answered)", offAccountAnswered},
	{"offsetof(struct axa_account, limit)", offAccountLimit},
	{"offsetof(struct axa_account, pinned_limit)", offAccountPinnedLimit},
	{"offsetof(struct axa_account, device)", offAccountDevice},
	{"offsetof(struct axa_account, device_peak)", offAccountDevicePeak},
	{"offsetof(struct axa_account, pinned)", offAccountPinned},
	{"offsetof(struct axa_account, pinned_peak)", offAccountPinnedPeak},
	{"offsetof(struct axa_account, outside)", offAccountOutside},
	{"offsetof(struct axa_account, refused)", offAccountRefused},
	{"offsetof(struct axa_account, devices)", offAccountDevices},
	{"offsetof(struct axa_account, shares)", offAccountShares},
	{"AXA_ASK", askMagic},
	{"AXON_CHECKPOINT", LibraryCheckpoint},
	{"AXON_CHECKPOINT_STATE", CheckpointState},
	{"AXON_CHECKPOINT_LOCK", CheckpointLock},
	{"AXON_CHECKPOINT_CHECKPOINT", CheckpointCheckpoint},
	{"AXON_CHECKPOINT_RESTORE", CheckpointRestore},
	{"AXON_CHECKPOINT_UNLOCK", CheckpointUnlock},
	{"AXON_CHECKPOINT_THREAD", CheckpointThread},
	{"AXON_CHECKPOINT_MAGIC", checkpointMagic},
	{"sizeof(struct axon_checkpoint_ask)", CheckpointAskSize},
	{"offsetof(struct axon_checkpoint_ask, pid)", 4},
	{"offsetof(struct axon_checkpoint_ask, value)", 8},
	{"sizeof(struct axon_checkpoint_answer)", checkpointAnswerSize},
	{"offsetof(struct axon_checkpoint_answer, value)", 4},
	{"sizeof(struct axon_checkpoint_order)", checkpointOrderSize},
	{"offsetof(struct axon_checkpoint_order, number)", 4},
	{"offsetof(struct axon_checkpoint_order, what)", 8},
	{"offsetof(struct axon_checkpoint_order, value)", 12},

	{"sizeof(struct axa_ask)", askSize},
	{"offsetof(struct axa_ask, number)", 4},
	{"offsetof(struct axa_ask, bytes)", 8},

	{"AXON_DEVICES", snapshotDevices},
	{"AXON_ATTRIBUTES", snapshotAttributes},
	{"offsetof(struct axon_snapshot, device_count)", offDeviceCount},
	{"offsetof(struct axon_device, uuid)", offUUID},
	{"offsetof(struct axon_device, total_memory)", offTotalMemory},
	{"sizeof(struct axon_snapshot)", cudaSnapshotSize},
	{"sizeof(struct axon_device)", deviceSize},
	{"offsetof(struct axon_snapshot, device)", offDevices},
	{"offsetof(struct axon_device, attribute)", offAttribute},
}

// compileC compiles a C program against the region's headers, or skips.
func compileC(t *testing.T, source string, more ...string) string {
	t.Helper()
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("skipped: there is no cc to compile the region's headers with")
	}
	dir := t.TempDir()
	main := filepath.Join(dir, "main.c")
	if err := os.WriteFile(main, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "program")
	args := append([]string{"-std=c11", "-D_GNU_SOURCE", "-I", "../shims/region", "-o", program, main}, more...)
	if out, err := exec.Command(cc, args...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return program
}

// A daemon whose Go has another layout than the shim's C would misread every
// session.
func TestGoAndCAgreeOnEveryOffset(t *testing.T) {
	var source strings.Builder
	source.WriteString("#include <stddef.h>\n#include <stdio.h>\n#include \"region.h\"\n#include \"hello.h\"\n#include \"account.h\"\n#include \"snapshot.h\"\n#include \"checkpoint_order.h\"\nint main(void) {\n")
	for _, l := range layout {
		fmt.Fprintf(&source, "\tprintf(\"%%llu\\n\", (unsigned long long)(%s));\n", l.c)
	}
	source.WriteString("\treturn 0;\n}\n")
	out, err := exec.Command(compileC(t, source.String())).Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	for _, l := range layout {
		if !lines.Scan() {
			t.Fatalf("C says nothing for %s", l.c)
		}
		if got := fmt.Sprint(l.go_); got != lines.Text() {
			t.Errorf("%s is %s in C and %s in Go", l.c, lines.Text(), got)
		}
	}
}

// testHeader is a header that Check accepts.
func testHeader(lanes uint32, heap uint64) Header {
	h := Header{
		Magic: Magic, Version: Version, Lanes: lanes,
		HeapSize: heap, HeapBase: HeapBase, DeviceBase: DeviceBase, DeviceSize: DeviceWide,
	}
	h.HeapOffset = h.LanesEnd()
	h.Size = h.HeapOffset + heap
	return h
}

var wrongHeaders = map[string]func(*Header){
	"magic":                  func(h *Header) { h.Magic++ },
	"version":                func(h *Header) { h.Version++ },
	"no lanes":               func(h *Header) { h.Lanes = 0 },
	"too many lanes":         func(h *Header) { h.Lanes = LanesMax + 1 },
	"another size":           func(h *Header) { h.Size += page },
	"heap over the lanes":    func(h *Header) { h.HeapOffset -= page },
	"heap behind a gap":      func(h *Header) { h.HeapOffset += page },
	"heap too short":         func(h *Header) { h.HeapSize -= page },
	"heap beyond the file":   func(h *Header) { h.HeapSize += page },
	"heap of all bytes":      func(h *Header) { h.HeapSize = ^uint64(0) &^ 0xffff },
	"heap at null":           func(h *Header) { h.HeapBase = 0 },
	"heap askew":             func(h *Header) { h.HeapBase += 4096 },
	"heap above addresses":   func(h *Header) { h.HeapBase = addressEnd },
	"heap that wraps":        func(h *Header) { h.HeapBase = ^uint64(0xffff) },
	"device above addresses": func(h *Header) { h.DeviceBase = addressEnd },
	"device that wraps":      func(h *Header) { h.DeviceSize = ^uint64(0) },
}

// A client that lies about its region must be refused by the daemon and the
// relay as the worker refuses it.
func TestWrongRegionsAreRefusedByGoAndC(t *testing.T) {
	program := ""
	if _, err := exec.LookPath("cc"); err == nil {
		program = compileC(t, `
#include <stdio.h>
#include "region.h"
int main(int argc, char **argv)
{
	static struct axr_header h;
	const char *why = "";
	unsigned long long size;
	if (argc != 2 || sscanf(argv[1], "%llu", &size) != 1 || fread(&h, 1, 80, stdin) != 80)
		return 2;
	return axr_check(&h, size, &why) ? (puts(why), 1) : 0;
}
`, "../shims/region/region.c")
	} else {
		t.Log("no cc: only Go's half is checked")
	}
	check := func(name string, h Header, file uint64, want bool) {
		t.Helper()
		if err := Check(&h, file); (err == nil) != want {
			t.Errorf("%s: Go says %v", name, err)
		}
		if program == "" {
			return
		}
		var b [headerBytes]byte
		h.Put(b[:])
		cmd := exec.Command(program, fmt.Sprint(file))
		cmd.Stdin = bytes.NewReader(b[:])
		out, err := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code > 1 || (code == 0) != want {
			t.Errorf("%s: C says %q, %v", name, out, err)
		}
	}
	good := testHeader(4, 1<<20)
	check("a good one", good, good.Size, true)
	big := testHeader(512, HeapWide)
	check("a good one of the usual size", big, big.Size, true)
	check("a shorter file", good, good.Size-page, false)
	for name, spoil := range wrongHeaders {
		h := good
		spoil(&h)
		check(name, h, good.Size, false)
	}
}
