/* SPDX-License-Identifier: Apache-2.0
 *
 * A running grid. Everything here belongs to the one OS thread in ptx_run(); only global memory is shared with others.
 *
 * Every thread of a block is a context of its own: a position, a stack of frames, local memory. The scheduler (run.c) gives
 * each in turn a slice of time; a thread that has to wait for others (a barrier, the lanes of its warp) says so in
 * `state` and is passed over until those have arrived. So any order that the hardware's independent thread scheduling
 * allows is fine here too, and threads that spin on what others write do get on.
 */
#ifndef AXON_SOFTGPU_PTX_RUN_H
#define AXON_SOFTGPU_PTX_RUN_H

#include "code.h"

enum state { READY, AT_BARRIER, AT_WARP, EXITED };

struct frame {
	const struct ptx_function *f;
	const struct insn *pc;
	const struct call *call;
	uint32_t base, local;
};

struct thread {
	const struct ptx_function *f;
	const struct insn *pc;      /* the next instruction */
	uint64_t *stack;
	uint32_t capacity;          /* slots of the stack */
	uint32_t base;              /* this frame's first slot */
	uint32_t local_base;        /* this frame's first byte in `local` */
	uint8_t *local;
	struct frame *frames;
	uint32_t nframes, frames_capacity;
	unsigned carry;
	enum state state;
	int spun;                   /* did little but poll in its last slice */
	int own_stack;              /* allocated apart, because calls went deep */
	uint32_t index;             /* in the block */
	uint32_t tid[3];

	const struct insn *at;      /* what it waits in */
	uint32_t mask;              /* lanes named there */
	uint32_t barrier;
	uint64_t a, b, c;           /* operands there */
};

struct barrier_state {
	uint32_t arrived;           /* waiting or arrived only */
	uint32_t waiting;
	uint32_t expected;          /* 0: every thread of the block that has not exited */
	uint32_t votes;             /* predicates that were true */
};

struct block {
	int active;
	uint32_t id[3];
	uint32_t nthreads, live;
	uint32_t parked;            /* threads in a warp instruction without a mask */
	struct thread *threads;
	uint64_t *stacks;
	uint8_t *locals;
	uint8_t *shared;
	struct barrier_state barriers[BARRIERS];
};

enum { CACHED_RANGES = 16, CACHED_TEXTURES = 4 };

struct cached_texture {
	uint64_t handle;            /* 0: none */
	int surface;
	struct ptx_texture texture;
};

struct run {
	const struct ptx_launch *launch;
	const struct ptx_function *entry;
	struct ptx_fault fault;
	struct ptx_range ranges[CACHED_RANGES];
	struct cached_texture *textures; /* CACHED_TEXTURES of them, once a kernel has used one */
	uint32_t local_size;        /* bytes a thread */
	uint32_t shared_size, dynamic_at;
	uint32_t nblocks;           /* resident */
	struct block *blocks;
	uint64_t next, total;       /* blocks of the grid */
};

/* exec.c: runs one thread until it waits, exits, or its slice ends. 0, or -1 with a fault. */
int execute(struct run *, struct block *, struct thread *);

/* run.c */
void set_fault(struct run *, const struct block *, const struct thread *, enum ptx_fault_kind, uint64_t address,
               const struct insn *);
int barrier_enter(struct block *, uint32_t id, uint32_t count);
/* Arrives; the thread waits when `waits`. */
void barrier_arrive(struct block *, struct thread *, uint32_t id, int waits, int vote);

/* warp.c: the thread has come to its warp instruction. 1 when all lanes were there, and it is done for each. */
int warp_arrive(struct block *, struct thread *);
/* A lane has exited: others may be waiting for it. */
void warp_left(struct block *, struct thread *);
/* Lets threads in instructions without a mask go on, with those of their warp that stand at the same place. */
int warp_release_parked(struct block *, int at_once);

/* memory.c: the host address of `n` bytes, or NULL with a fault. */
uint8_t *resolve(struct run *, const struct block *, const struct thread *, const struct insn *, enum space, uint64_t address,
                 unsigned n, int write);
/* Atomic on memory that other OS threads use, too. Returns the old value. */
uint64_t atomic_op(const struct insn *, uint8_t *at, uint64_t b, uint64_t c);

/* texture.c: tex, suld, sust, txq. 0, or -1 with a fault. */
int texture_op(struct run *, const struct block *, struct thread *, const struct insn *);

/* print.c. 0, or -1 with a fault. */
int call_builtin(struct run *, struct block *, struct thread *, const struct call *, const struct ptx_function *,
                 const struct insn *);

#endif
