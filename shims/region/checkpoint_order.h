// SPDX-License-Identifier: Apache-2.0
//
// cuCheckpointProcess*: what a program asks axond for, over a connection of its
// own, and axond the worker of the process that is meant, over its control
// socket. All numbers are in the machine's own byte order.
#ifndef AXON_CHECKPOINT_ORDER_H
#define AXON_CHECKPOINT_ORDER_H

#include <stdint.h>

enum axon_checkpoint {
	AXON_CHECKPOINT_STATE = 1, // value of the answer: a CUprocessState
	AXON_CHECKPOINT_LOCK = 2,  // value: how long it may take, ms; 0 for as long as it does
	AXON_CHECKPOINT_CHECKPOINT = 3,
	AXON_CHECKPOINT_RESTORE = 4,
	AXON_CHECKPOINT_UNLOCK = 5,
	AXON_CHECKPOINT_THREAD = 6, // value of the answer: a thread's number. axond's to answer
};

// The program's packet after axond's answer to its hello, one a connection.
struct axon_checkpoint_ask {
	uint32_t what; // axon_checkpoint
	int32_t pid;   // in the program's own pid namespace
	uint32_t value;
	uint32_t zero;
};

// And axond's answer.
struct axon_checkpoint_answer {
	uint32_t result; // CUresult
	uint32_t value;
};

#define AXON_CHECKPOINT_MAGIC 0x54504843u // a client's own packets have AXR_MAGIC, so it can pass none for axond's

// Between axond and the worker, both ways: the answer has the number of what it answers.
struct axon_checkpoint_order {
	uint32_t magic;
	uint32_t number;
	uint32_t what; // axon_checkpoint; in the answer a CUresult
	uint32_t value;
};

#endif
