// SPDX-License-Identifier: Apache-2.0
//
// What the session has of memory, and whether it may have more (limit.c), by
// allocation (kept.c). The counting functions in front of the vendor's are in
// count_memory.c, count_pools.c and count_objects.c.
//
// Memory is taken before the vendor is asked for it, so that two threads cannot
// both have the last of it, and given back before the vendor can give the same
// address to another thread. No lock is held across a call of the vendor's.
#ifndef AXON_WORKER_LIMIT_H
#define AXON_WORKER_LIMIT_H

#include <stddef.h>
#include <stdint.h>

#include "cuda_worker.h"
#include "session.h"

enum axw_memory { AXW_DEVICE, AXW_PINNED };

// From now on, allocations are counted. shares: a device has its memory in the machine's.
void axw_count_start(struct axw_session *s, int shares);

// 1 when the session may have so many bytes more, which then are its own.
int axw_take(enum axw_memory kind, uint64_t bytes);
void axw_give(enum axw_memory kind, uint64_t bytes);
// 1 when it may have them; they stay nobody's.
int axw_may_take(enum axw_memory kind, uint64_t bytes);
// 1 when all that it has, reserves of the vendor's with it, is within the limit.
int axw_still_fits(enum axw_memory kind);
// For the account: an allocation was refused for the limit's sake, by another than axw_take.
void axw_refuse(void);
// What turned out to be more or less than was taken.
void axw_correct(enum axw_memory kind, uint64_t taken, uint64_t is);
// Of pinned memory: bytes that are charged to the client already, as it has touched them.
void axw_charged_elsewhere(int64_t bytes);
// Reserved by the vendor for allocations to come: counted with the devices' memory.
void axw_slack(uint64_t bytes);
// 1 when a device has its memory in the machine's.
int axw_shares(void);
// 1 while there is a limit of the devices' memory.
int axw_limited(void);
// How much more the session may have of the devices' memory, and in all.
void axw_left(uint64_t *left, uint64_t *limit);
// A context was made on that device.
void axw_on_device(CUdevice dev);
// The device, if there were contexts on one only; else -1.
CUdevice axw_only_device(void);

// kept.c: allocations by what the vendor calls them.
enum axw_class { AXW_ALLOCATION, AXW_HOST, AXW_ARRAY, AXW_HEAP, AXW_CLASSES };
struct axw_kept {
	uint64_t key, bytes;
	int64_t elsewhere; // see axw_charged_elsewhere
	CUcontext context; // it ends with this one
	CUmemoryPool pool; // it is in this one, NULL for none
	enum axw_class class;
	enum axw_memory kind;
	struct axw_kept *next;
};
// Takes a copy. An entry of that key and class that is there already is given back: the vendor has ended it unseen.
void axw_keep(const struct axw_kept *kept);
// Takes the entry out. 0: there is none.
int axw_unkeep(enum axw_class class, uint64_t key, struct axw_kept *kept);
void axw_kept_give(const struct axw_kept *kept);
// After a call that ends what axw_unkeep took out (counted, its answer): gives it back, or keeps it on where the call failed. Returns r.
CUresult axw_kept_ended(CUresult r, int counted, const struct axw_kept *kept);
// Gives everything back that ended with a context.
void axw_unkeep_context(CUcontext context);
// count_pools.c: so many more bytes are allocated in a pool.
void axw_pool_has(CUmemoryPool pool, int64_t bytes);

// The vendor's functions as they are, once axw_count_start has put others in front.
extern struct axg_vendor axw_uncounted;
void axw_count_memory(void);
void axw_count_pools(void);
void axw_count_objects(void);
// count_pools.c: looks at what the vendor holds in reserve; with trim, has it given up.
void axw_reserves(int trim);
// count_pools.c: a device's own pool may have become another.
void axw_pools_changed(void);
// count_pools.c: from now on the current device may have memory of graphs.
void axw_graph_memory(void);

#endif
