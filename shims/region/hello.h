// SPDX-License-Identifier: Apache-2.0
//
// What is said over axond's socket (SOCK_SEQPACKET), once: the client's hello
// with the region's memfd as SCM_RIGHTS, and the answer. After that the client
// may send descriptors for its worker; its hang-up ends the session. NVML,
// the view and checkpoints have no region, and packets follow (docs/protocol.md). All numbers are in the
// machine's own byte order (little-endian everywhere axon runs).
#ifndef AXON_HELLO_H
#define AXON_HELLO_H

#include <stdint.h>

#define AXON_SOCKET "/run/axon/sock"
#define AXON_HELLO_MAX 65536

enum axon_library { AXON_CUDA = 1, AXON_NVML = 2, AXON_NCCL = 3, AXON_VIEW = 4, AXON_CHECKPOINT = 5 };

struct axon_hello {
	uint32_t magic;   // AXR_MAGIC
	uint32_t version; // AXR_VERSION
	uint8_t fingerprint[16];
	uint32_t library;   // axon_library
	uint32_t env_bytes; // what follows: NAME=value strings, each ended by NUL
};

enum axon_status {
	AXON_OK = 0,
	AXON_NOT_ADMITTED = 1, // not root, not in the group
	AXON_MISMATCH = 2,     // another version or fingerprint
	AXON_BAD_REGION = 3,   // the memfd is not a region
	AXON_NO_WORKER = 4,    // the worker could not be started
	AXON_BUSY = 5,         // too many sessions
};

struct axon_answer {
	uint32_t magic;
	uint32_t version;
	uint32_t status;  // axon_status
	uint32_t session; // number, for people
	uint32_t text_bytes; // what follows: a sentence for people, no NUL
};

// A descriptor for the worker, exactly one, as SCM_RIGHTS: one that the program
// has from elsewhere, or an end of a socket over which the worker sends one
// back. axond hands it on over the control socket as it came. The call that
// wants it says its number.
struct axon_descriptor {
	uint32_t magic;
	uint32_t zero;
	uint64_t number;
};

#endif
