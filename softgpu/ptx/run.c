/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a grid: blocks in order, some of them resident at a time, their threads in turns; barriers; faults. */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum {
	DEFAULT_STACK = 64 << 10,
	DEFAULT_RESIDENT = 4,
	MOST_RESIDENT = 4096,
	TURNS = 64,   /* passes over one block before the next resident one has its turn */
	IDLE_ROUNDS = 100,
};

static const char *const fault_names[] = {
	[PTX_FAULT_NONE] = "no fault", [PTX_FAULT_ILLEGAL_ADDRESS] = "illegal address", [PTX_FAULT_MISALIGNED] = "misaligned address",
	[PTX_FAULT_TRAP] = "trap", [PTX_FAULT_ASSERT] = "assertion failed", [PTX_FAULT_STACK_OVERFLOW] = "stack overflow",
	[PTX_FAULT_ILLEGAL_INSTRUCTION] = "illegal instruction", [PTX_FAULT_DEADLOCK] = "deadlock", [PTX_FAULT_STOPPED] = "stopped",
	[PTX_FAULT_BAD_LAUNCH] = "bad launch", [PTX_FAULT_NO_MEMORY] = "out of host memory",
};

void set_fault(struct run *r, const struct block *b, const struct thread *t, enum ptx_fault_kind kind, uint64_t address,
               const struct insn *i)
{
	struct ptx_fault *f = &r->fault;
	f->kind = kind;
	f->address = address;
	f->function = t ? t->f->name : NULL;
	f->line = i ? i->line : 0;
	if (b)
		memcpy(f->block, b->id, sizeof f->block);
	if (t)
		memcpy(f->thread, t->tid, sizeof f->thread);
	if (!t) {
		snprintf(f->message, sizeof f->message, "softgpu: %s", fault_names[kind]);
		return;
	}
	char where[32] = "";
	if (kind == PTX_FAULT_ILLEGAL_ADDRESS || kind == PTX_FAULT_MISALIGNED)
		snprintf(where, sizeof where, " 0x%llx", (unsigned long long)address);
	snprintf(f->message, sizeof f->message, "softgpu: %s%s at line %u in %.100s, block %u,%u,%u thread %u,%u,%u",
	         fault_names[kind], where, f->line, f->function, f->block[0], f->block[1], f->block[2], f->thread[0], f->thread[1],
	         f->thread[2]);
}

static int bad_launch(struct run *r, const char *why)
{
	r->fault.kind = PTX_FAULT_BAD_LAUNCH;
	snprintf(r->fault.message, sizeof r->fault.message, "softgpu: bad launch: %s", why);
	return -1;
}

/* ---- barriers ---- */

/* A barrier without a count is full when all threads that are left have come. */
static void barrier_check(struct block *b, uint32_t id)
{
	struct barrier_state *s = &b->barriers[id];
	uint32_t expected = s->expected ? s->expected : b->live;
	if (!s->arrived || s->arrived < expected)
		return;
	for (uint32_t i = 0; s->waiting && i < b->nthreads; i++) {
		struct thread *t = &b->threads[i];
		if (t->state != AT_BARRIER || t->barrier != id)
			continue;
		uint64_t result = 0;
		switch (t->at->sub) {
		case BAR_POPC: result = s->votes; break;
		case BAR_AND: result = s->votes == s->waiting; break;
		case BAR_OR: result = s->votes != 0; break;
		default: break;
		}
		if (t->at->sub >= BAR_POPC)
			t->stack[t->base + t->at->dst] = result;
		t->state = READY;
	}
	memset(s, 0, sizeof *s);
}

int barrier_enter(struct block *b, uint32_t id, uint32_t count)
{
	if (id >= BARRIERS)
		return -1;
	if (b->barriers[id].arrived && b->barriers[id].expected != count)
		return -1;
	b->barriers[id].expected = count;
	return 0;
}

void barrier_arrive(struct block *b, struct thread *t, uint32_t id, int waits, int vote)
{
	struct barrier_state *s = &b->barriers[id];
	s->arrived++;
	s->votes += (uint32_t)(vote != 0);
	if (waits) {
		s->waiting++;
		t->state = AT_BARRIER;
		t->barrier = id;
	}
	barrier_check(b, id);
}

static void thread_left(struct block *b, struct thread *t)
{
	b->live--;
	warp_left(b, t);
	for (uint32_t i = 0; i < BARRIERS; i++)
		if (b->barriers[i].arrived)
			barrier_check(b, i);
}

/* ---- blocks ---- */

static size_t locals_bytes(const struct run *r, const struct block *b)
{
	return (size_t)r->local_size * b->nthreads;
}

static void free_block(struct run *r, struct block *b)
{
	for (uint32_t i = 0; b->threads && i < b->nthreads; i++) {
		if (b->threads[i].own_stack)
			free(b->threads[i].stack);
		free(b->threads[i].frames);
	}
	if (b->locals)
		munmap(b->locals, locals_bytes(r, b));
	free(b->threads);
	free(b->stacks);
	free(b->shared);
}

static int make_block(struct run *r, struct block *b)
{
	const struct ptx_launch *l = r->launch;
	uint32_t slots = r->entry->need_slots;
	b->nthreads = l->block[0] * l->block[1] * l->block[2];
	b->threads = calloc(b->nthreads, sizeof *b->threads);
	b->stacks = calloc((size_t)b->nthreads * slots, sizeof *b->stacks);
	b->shared = calloc(1, (size_t)r->shared_size + 16);
	if (!b->threads || !b->stacks || !b->shared)
		return -1;
	if (r->local_size) {
		/* Mapped, not allocated: most of a stack is never touched. */
		void *m = mmap(NULL, locals_bytes(r, b), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (m == MAP_FAILED)
			return -1;
		b->locals = m;
	}
	for (uint32_t i = 0; i < b->nthreads; i++) {
		struct thread *t = &b->threads[i];
		t->index = i;
		t->tid[0] = i % l->block[0];
		t->tid[1] = i / l->block[0] % l->block[1];
		t->tid[2] = i / l->block[0] / l->block[1];
		t->stack = b->stacks + (size_t)i * slots;
		t->capacity = slots;
		t->local = b->locals ? b->locals + (size_t)r->local_size * i : NULL;
	}
	return 0;
}

/* The next block of the grid into this place. 0 when there is none. */
static int start_block(struct run *r, struct block *b)
{
	if (r->next >= r->total)
		return b->active = 0;
	uint64_t n = r->next++;
	const uint32_t *grid = r->launch->grid;
	b->id[0] = (uint32_t)(n % grid[0]);
	b->id[1] = (uint32_t)(n / grid[0] % grid[1]);
	b->id[2] = (uint32_t)(n / grid[0] / grid[1]);
	b->live = b->nthreads;
	b->parked = 0;
	memset(b->barriers, 0, sizeof b->barriers);
	if (r->shared_size)
		memset(b->shared, 0, r->shared_size);
	for (uint32_t i = 0; i < b->nthreads; i++) {
		struct thread *t = &b->threads[i];
		t->f = r->entry;
		t->pc = r->entry->code;
		t->base = t->local_base = t->nframes = 0;
		t->carry = 0;
		t->state = READY;
	}
	return b->active = 1;
}

static int stopped(const struct run *r)
{
	return r->launch->stop && __atomic_load_n(r->launch->stop, __ATOMIC_ACQUIRE);
}

enum outcome { FAULTED = -1, STUCK, POLLING, WORKING };

/* One turn: whether any thread could do something, and whether that was more than polling. A block that only polls
 * gives up its turn: what it waits for is another's to do. */
static enum outcome turn(struct run *r, struct block *b)
{
	enum outcome outcome = STUCK;
	for (int pass = 0; pass < TURNS && b->live; pass++) {
		int any = 0, polling = 1;
		for (uint32_t i = 0; i < b->nthreads; i++) {
			struct thread *t = &b->threads[i];
			if (t->state != READY)
				continue;
			any = 1;
			if (execute(r, b, t))
				return FAULTED;
			polling &= t->spun;
			if (t->state == EXITED)
				thread_left(b, t);
		}
		if (b->parked && warp_release_parked(b, pass == TURNS - 1 || (any && polling))) {
			any = 1;
			polling = 0;
		}
		if (!any)
			break;
		outcome = polling && outcome != WORKING ? POLLING : WORKING;
		if (stopped(r)) {
			set_fault(r, NULL, NULL, PTX_FAULT_STOPPED, 0, NULL);
			return FAULTED;
		}
		if (polling)
			break;
	}
	return outcome;
}

static void deadlock(struct run *r)
{
	for (uint32_t k = 0; k < r->nblocks; k++) {
		struct block *b = &r->blocks[k];
		for (uint32_t i = 0; b->active && i < b->nthreads; i++) {
			if (b->threads[i].state != EXITED) {
				set_fault(r, b, &b->threads[i], PTX_FAULT_DEADLOCK, 0, b->threads[i].at);
				return;
			}
		}
	}
}

static int run_grid(struct run *r)
{
	uint32_t active = 0;
	for (uint32_t k = 0; k < r->nblocks; k++) {
		if (make_block(r, &r->blocks[k])) {
			set_fault(r, NULL, NULL, PTX_FAULT_NO_MEMORY, 0, NULL);
			return -1;
		}
		active += (uint32_t)start_block(r, &r->blocks[k]);
	}
	unsigned idle = 0; /* rounds in which every block only polled */
	while (active) {
		enum outcome best = STUCK;
		for (uint32_t k = 0; k < r->nblocks; k++) {
			struct block *b = &r->blocks[k];
			while (b->active) {
				enum outcome did = turn(r, b);
				if (did == FAULTED)
					return -1;
				if (did > best)
					best = did;
				if (b->live)
					break;
				best = WORKING;
				active -= (uint32_t)!start_block(r, b);
			}
		}
		if (active && best == STUCK) {
			deadlock(r);
			return -1;
		}
		/* It is another stream, or the host, that they wait for: leave it the processor. */
		idle = best == POLLING ? idle + 1 : 0;
		if (idle > IDLE_ROUNDS) {
			struct timespec pause = {0, 20000};
			nanosleep(&pause, NULL);
		}
	}
	return 0;
}

static uint32_t align16(uint32_t v) { return (v + 15) & ~15u; }

static int check_launch(struct run *r)
{
	const struct ptx_launch *l = r->launch;
	const struct ptx_function *f = l->entry;
	uint64_t threads = 1;
	if (!f || !f->entry || !f->defined)
		return bad_launch(r, "no kernel");
	if (!f->module->initialised && (f->module->nvariables || f->module->nrelocations))
		return bad_launch(r, "ptx_initialise() has not been called");
	r->total = 1;
	for (int i = 0; i < 3; i++) {
		if (!l->grid[i] || !l->block[i] || l->grid[i] > INT32_MAX || (i && l->grid[i] > 65535))
			return bad_launch(r, "a dimension of the grid or the block is out of range");
		threads *= l->block[i];
		if (threads > MAX_THREADS)
			return bad_launch(r, "more than 1024 threads a block");
		r->total *= l->grid[i];
	}
	if (f->max_threads && threads > f->max_threads)
		return bad_launch(r, "more threads a block than the kernel was compiled for");
	if (f->required[0] && memcmp(f->required, l->block, sizeof f->required))
		return bad_launch(r, "another block size than the kernel requires");
	if (f->param_bytes && !l->params)
		return bad_launch(r, "no parameters");
	uint32_t align = f->module->dynamic_align;
	r->dynamic_at = (f->need_shared + align - 1) / align * align;
	if (l->dynamic_shared > MAX_SHARED)
		return bad_launch(r, "too much dynamic shared memory");
	r->shared_size = r->dynamic_at + l->dynamic_shared;
	if (f->need_local || f->ncalls) {
		uint32_t stack = l->stack ? l->stack : DEFAULT_STACK;
		if (stack > MAX_LOCAL)
			stack = MAX_LOCAL;
		r->local_size = align16(stack < f->need_local ? f->need_local : stack);
	}
	r->nblocks = l->resident ? l->resident : DEFAULT_RESIDENT;
	if (r->nblocks > MOST_RESIDENT)
		r->nblocks = MOST_RESIDENT;
	if (r->nblocks > r->total)
		r->nblocks = (uint32_t)r->total;
	return 0;
}

int ptx_run(const struct ptx_launch *launch, struct ptx_fault *fault)
{
	struct run run = {.launch = launch, .entry = launch->entry}, *r = &run;
	int result = check_launch(r);
	if (result == 0) {
		r->blocks = calloc(r->nblocks, sizeof *r->blocks);
		if (r->blocks) {
			result = run_grid(r);
			for (uint32_t k = 0; k < r->nblocks; k++)
				free_block(r, &r->blocks[k]);
			free(r->blocks);
			free(r->textures);
		} else {
			set_fault(r, NULL, NULL, PTX_FAULT_NO_MEMORY, 0, NULL);
			result = -1;
		}
	}
	if (fault)
		*fault = r->fault;
	return result;
}
