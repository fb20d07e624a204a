/* SPDX-License-Identifier: Apache-2.0
 *
 * softgpu's libcuda, inside: what the files of this folder share.
 *
 * The rule for locks. One mutex, gpu.lock, guards every structure here: handles, contexts, streams' queues, the table of
 * memory. An entry point takes it with enter() or enter_any() and gives it back with leave(). It is never held while
 * work is done: copies, kernels and host functions run between item_begin and item_finish in stream.c with the lock
 * released. Those need one thing of the table of memory, is this address valid, and ask it under gpu.table alone, which
 * whoever changes the table holds for writing, inside gpu.lock.
 *
 * What runs may still touch memory that has just been freed. So freed memory leaves the table at once, and its pages
 * when every piece of work that was running at that moment has ended (memory_reap).
 */
#ifndef AXON_SOFTGPU_DRIVER_H
#define AXON_SOFTGPU_DRIVER_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "cuda_api.h"
#include "../ptx/ptx.h"

#define API __attribute__((visibility("default")))

#define MAX_DEVICES 16
#define WARP 32
#define SM_COUNT 8
#define THREADS_PER_SM 1024
#define BLOCKS_PER_SM 16
#define THREADS_PER_BLOCK 1024
#define REGISTERS_PER_SM 65536
#define SHARED_PER_BLOCK (48 * 1024)
#define SHARED_OPTIN (64 * 1024)
#define SHARED_PER_SM (64 * 1024)
#define PRIORITY_LEAST 0
#define PRIORITY_GREATEST (-5)
#define GRANULE 512                            /* a kernel may touch memory up to the end of its last granule */
#define VMM_GRANULARITY ((size_t)2 << 20)

struct context;
struct stream;
struct item;
struct op;
struct capture;
struct tips;

/* Handles are addresses of objects, and only those in the registry are followed. The registry holds one reference. */
enum kind {
	K_CONTEXT = 1, K_STREAM, K_EVENT, K_MODULE, K_FUNCTION, K_LIBRARY, K_KERNEL, K_POOL, K_CHUNK, K_LINK,
	K_GRAPH, K_NODE, K_EXEC, K_USER_OBJECT, K_EXTERNAL, K_SEMAPHORE, K_ARRAY, K_MIPMAP,
};
struct object {
	enum kind kind;
	int refs;
	void (*free)(struct object *);
	struct object *chain;
};
void object_add(struct object *, enum kind, void (*free)(struct object *));
void *object_find(enum kind, const void *handle);
void object_ref(struct object *);
void object_unref(struct object *);
void object_retire(struct object *);           /* no longer found; freed with its last reference */

struct device {
	int ordinal;
	int unit;                              /* which one it is, whatever CUDA_VISIBLE_DEVICES shows */
	size_t total, used;
	uint64_t window, window_end;           /* reserved: its memory lives in the lower half, the upper is */
	uint64_t first_gap;                    /* for cuMemAddressReserve. No hole lies below first_gap */
	struct context *primary;
	int primary_refs;
	unsigned primary_flags;
	struct pool *default_pool, *pool;
	uint64_t news;                         /* counts the times that its budget was passed */
};

struct limits { size_t stack, printf_fifo, heap, sync_depth, pending, l2_fetch, persisting; };

struct context {
	struct object object;
	struct device *device;
	unsigned flags, api_version;
	unsigned long long id;
	int alive;                             /* 0: destroyed, or a primary context that nobody retains */
	int stop;                              /* atomic: work ends early; it is being torn down */
	CUresult error;                        /* sticky: what broke it */
	struct context *next;                  /* in the list of all */
	struct stream *legacy;
	struct stream *streams;
	struct event *events;
	struct module *modules;
	struct array *arrays;
	size_t outstanding;                    /* items submitted and not done */
	struct limits limits;
	CUfunc_cache cache;
	CUsharedconfig shared_config;
	uint32_t peers;                        /* devices whose memory it may use, a bit each */
};

struct stream {
	struct object object;
	struct context *ctx;
	struct stream *next;                   /* in the context's list, until the last reference goes */
	unsigned flags;
	int priority;
	unsigned long long id;
	struct item *head, *tail;
	int has_thread, closed;
	pthread_cond_t wake;
	struct capture *capture;               /* what it records into, or NULL */
	struct stream *capture_next;           /* among the members */
	struct tips *tips;                     /* what the next node depends on */
};

/* A piece of work. It runs when it is at the head of its stream and what it depends on is done. */
struct item {
	struct stream *stream;
	struct item *next;
	int refs, waiters, pending;
	enum { ITEM_QUEUED, ITEM_RUNNING, ITEM_DONE } state;
	int even_if_broken;                    /* run() also when the context is broken or torn down */
	struct item **dependents;
	size_t dependent_count, dependent_room;
	uint64_t submitted;                    /* gpu.sequence when it was queued */
	uint64_t time_ns;                      /* when it was done */
	uint64_t began;                        /* gpu.sequence when it started */
	struct item *run_prev, *run_next;
	CUresult (*run)(struct item *);        /* without the lock; an error breaks the context. May be NULL */
	void (*end)(struct item *);            /* with the lock, once, whether it ran or not. May be NULL */
};

enum memory_kind { MEM_DEVICE, MEM_POOL, MEM_MODULE, MEM_ARRAY, MEM_MANAGED, MEM_MAPPED, MEM_HOST, MEM_REGISTERED };
struct memory {
	uint64_t start, size;                  /* as asked for */
	uint64_t end;                          /* where a kernel must stop */
	uint64_t charge;                       /* bytes counted against the device, and committed */
	enum memory_kind kind;
	int readable, writable;
	unsigned flags;                        /* of cuMemHostAlloc, cuMemHostRegister, cuMemAllocManaged */
	unsigned long long id;
	struct device *device;
	struct context *ctx;                   /* NULL: outlives contexts */
	struct pool *pool;
	int freeing;                           /* cuMemFreeAsync has been called */
	struct chunk *chunk;                   /* MEM_MAPPED */
	uint64_t chunk_offset;
	int file;                              /* other processes can open it: its file. 0 without */
	uint64_t file_number;                  /* of the file, if made here (ipc.c) */
	int opened;                            /* of another process, so many times */
	int external;                          /* a part of a file that was imported */
	uint64_t retired;
	struct memory *next;                   /* in the graveyard */
};

struct gpu {
	pthread_mutex_t lock;
	pthread_cond_t done;                   /* something that somebody waits for has ended */
	pthread_rwlock_t table;
	int ready, forked;
	int locked, draining;                  /* calls wait, and until what was submitted is done (checkpoint.c) */
	int device_count;
	struct device devices[MAX_DEVICES];
	unsigned long long next_id, next_context_id;
	uint64_t sequence;
	struct item *running, *running_last;   /* by `began` */
	struct memory **memory;                /* sorted by start, disjoint */
	size_t memory_count, memory_room;
	struct memory *graveyard;
	int log;
	size_t page;
};
extern struct gpu gpu;

/* init.c */
CUresult enter_any(void);                      /* driver initialised */
CUresult enter(struct context **);             /* and the current context usable */
CUresult leave(CUresult);
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* context.c */
struct thread {
	struct context **stack;
	int depth, room;
	struct own_stream { struct context *ctx; struct stream *stream; } *own;   /* default streams of this thread */
	int own_count;
	int in_callback;
	CUstreamCaptureMode capture_mode;
};
struct thread *thread_self(void);              /* NULL: out of memory */
struct context *context_current(void);
CUresult context_find(CUcontext, struct context **);   /* NULL means the current one */
CUresult context_state(struct context *);      /* 0, its sticky error, or that it is gone */
CUresult context_drain(struct context *);      /* waits for all that it was given before the call */
void context_unref(struct context *);
void contexts_setup(void);
void contexts_each(void (*)(struct context *, void *), void *);

/* device.c */
CUresult device_find(CUdevice, struct device **);
void devices_setup(void);
int device_attribute(const struct device *, CUdevice_attribute, int *value);

/* memory.c */
CUresult windows_setup(void);
struct memory *memory_find(uint64_t address);
int memory_covers(uint64_t address, size_t n, int write);   /* 1: all of it is known; 0: none of it; -1: neither */
int memory_valid(uint64_t address, size_t n, int write);    /* the same, for running work: takes gpu.table */
int memory_lookup(void *ctx, uint64_t address, struct ptx_range *range);   /* for ptx_run */
CUresult memory_insert(struct memory *);       /* CUDA_ERROR_OUT_OF_MEMORY, or HOST_MEMORY_ALREADY_REGISTERED: overlap */
void memory_remove(struct memory *);
CUresult memory_new(struct device *, struct context *, enum memory_kind, size_t size, struct memory **);
void memory_free(struct memory *);             /* leaves the table now, its pages when nothing runs that could see it */
void memory_reap(void);
void memory_end_context(struct context *);
CUresult device_charge(struct device *, size_t);
int in_windows(uint64_t address, size_t n);

/* advice.c */
void advice_drop(const struct memory *);      /* what was advised ends with it */

/* array.c, texture.c */
void arrays_end_context(struct context *);
void textures_end_context(struct context *);
int texture_lookup(void *ctx, uint64_t handle, int surface, struct ptx_texture *);   /* for ptx_run */

/* conditional.c */
void condition_set(void *ctx, uint64_t handle, uint32_t value);   /* for ptx_run */

/* stream.c */
CUresult stream_new(struct context *, unsigned flags, int priority, struct stream **);
CUresult stream_find(struct context *, CUstream, struct stream **);
void stream_close(struct stream *);
CUresult own_stream(struct context *, struct stream **);
void *item_new(size_t size, CUresult (*run)(struct item *), void (*end)(struct item *));
void item_submit(struct stream *, struct item *);
CUresult item_submit_and_wait(struct stream *, struct item *);
void item_depend(struct item *, struct item *on);
void item_wait(struct item *);
void item_unref(struct item *);
CUresult stream_wait(struct stream *);
int stream_idle(struct stream *);
int context_idle(struct context *);
void streams_stop(struct context *);           /* what is queued no longer waits for anything */
uint64_t now_ns(void);

/* capture.c. A stream with s->capture set records what it is given: capture_op in place of item_submit. */
CUresult capture_op(struct stream *, struct op *);     /* takes what op owns */
CUresult capture_unsafe(void);                         /* 0, or 900: the calling thread may not allocate and the like now */
CUresult capture_refuse(struct stream *, CUresult);    /* invalidates what the stream records; returns the error */
CUresult capture_legacy(struct context *);             /* 0, or 906: a stream that records would wait for the legacy one */
void capture_stream_closed(struct stream *);
void capture_unref(struct capture *);

/* event.c */
void events_end_context(struct context *);

/* pool.c */
CUresult pools_setup(struct device *);
void pool_released(struct memory *);

/* vmm.c */
void chunk_unref(struct chunk *);

/* logs.c */
void log_add(const char *text);

/* notify.c */
void notify_charged(struct device *, size_t);

/* ipc.c */
struct ipc_event *ipc_event_new(void);
CUresult ipc_event_open(const CUipcEventHandle *, struct ipc_event **);
void ipc_event_close(struct ipc_event *);
void ipc_event_handle(const struct ipc_event *, CUipcEventHandle *);
uint64_t ipc_event_record(struct ipc_event *);      /* the number of this record */
void ipc_event_done(struct ipc_event *, uint64_t number);
uint64_t ipc_event_last(struct ipc_event *);        /* of the last record in any process */
int ipc_event_wait(struct ipc_event *, uint64_t number, int nap);   /* 1: that one is done. With nap it may sleep a moment */
void ipc_end(struct memory *);                 /* its addresses have private pages again */

/* image.c */
struct image { char *text; size_t length; };
CUresult image_open(const void *data, struct image *, char *log, size_t log_size);
CUresult image_read(const char *path, void **data, size_t *n);

/* module.c */
struct function {
	struct object object;
	struct module *module;
	struct kernel *kernel;                 /* of the library it comes from, or NULL */
	const struct ptx_function *code;
	struct ptx_needs needs;
	int max_dynamic, carveout;
	CUfunc_cache cache;
};
struct module {
	struct object object;
	struct context *ctx;
	struct module *next;                   /* in the context's list while loaded */
	struct library *library;               /* the library it is an instance of; not counted */
	struct ptx_module *ptx;
	struct function *functions;
	size_t function_count;
	uint64_t *addresses;                   /* of the variables */
	struct memory *storage, *managed;      /* of its variables; NULL without any */
};
struct kernel {
	struct object object;
	struct library *library;
	const struct ptx_function *code;
	struct ptx_needs needs;
	int max_dynamic[MAX_DEVICES], carveout[MAX_DEVICES];
};
CUresult function_find(struct context *, CUfunction, struct function **);   /* a kernel's handle will do */
int function_max_dynamic(struct function *);   /* bytes of dynamic shared memory that it may be launched with */
void modules_end_context(struct context *);

#endif
