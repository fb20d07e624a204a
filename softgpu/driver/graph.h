/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs: what graph.c (graphs and their nodes), graph_params.c (what nodes do), graph_exec.c (running them) and capture.c
 * (streams that record) share. All of it under gpu.lock.
 */
#ifndef AXON_SOFTGPU_GRAPH_H
#define AXON_SOFTGPU_GRAPH_H

#include "driver.h"

struct graph;
struct condition;

/* Memory of an allocation node: there from the moment the node is made, for as long as a node or an exec needs it. */
struct graph_memory { int refs; uint64_t address; unsigned long long id; };

/* What a node does. The pointers are its own. */
struct op {
	CUgraphNodeType type;
	CUkernelNodeAttrValue priority;        /* of a kernel: kept for who asks */
	union {
		struct {
			CUDA_KERNEL_NODE_PARAMS params;  /* kernelParams or extra, as it was given */
			int cooperative;
			unsigned char *bytes;  /* the parameters, packed */
			size_t count;
			size_t listed;         /* of kernelParams */
		} kernel;
		CUDA_MEMCPY3D copy;
		CUDA_MEMSET_NODE_PARAMS fill;
		CUDA_HOST_NODE_PARAMS host;
		CUevent event;                 /* recorded or waited for */
		struct graph *child;           /* a clone, owned */
		struct { CUDA_MEM_ALLOC_NODE_PARAMS params; struct graph_memory *memory; } alloc;
		CUdeviceptr free;
		CUDA_BATCH_MEM_OP_NODE_PARAMS values;
		CUDA_EXT_SEM_SIGNAL_NODE_PARAMS semaphores;  /* of a wait too: see semaphore.c */
		struct { CUDA_CONDITIONAL_NODE_PARAMS params; struct condition *condition; struct graph **bodies; } choice;
	};
};

struct node {
	struct object object;
	struct graph *graph;                   /* NULL: destroyed */
	struct node *next;                     /* in its graph, in the order they were made */
	unsigned long long id;
	unsigned long long origin;             /* id of the node it was cloned from */
	struct op op;
	struct node **on;                      /* what it depends on */
	size_t on_count, on_room;
	size_t mark;                           /* scratch: walks of a graph */
};

struct graph {
	struct object object;
	unsigned long long id;
	unsigned long long origin;             /* id of the graph it was cloned from */
	struct node *first, **last;
	size_t count;
	struct node *owner;                    /* the node that it is the child graph of */
	struct user_object **users;            /* one entry a reference */
	size_t user_count, user_room;
	struct condition *conditions;          /* made for it */
};

/* Streams that record: every member appends to one graph. */
struct capture {
	struct capture *next;                  /* in the list of all that go on */
	int refs;
	unsigned long long id;
	struct graph *graph;
	int given;                             /* the graph was the program's before */
	int invalid, ended;
	CUstreamCaptureMode mode;
	struct thread *thread;
	struct stream *origin;
	struct stream *members;
};

/* Nodes that the next one will depend on. Each counts as a reference. */
struct tips { struct node **nodes; CUgraphEdgeData *edges; size_t count, room; };

/* graph.c */
CUresult graph_new(struct graph **);
void graph_end(struct graph *);
CUresult graph_copy(struct graph *, struct graph **);  /* a clone, with clones of the graphs in it */
CUresult node_new(struct graph *, struct op *, struct node *const *on, size_t count, struct node **);  /* takes what op owns */
int tips_add(struct tips *, struct node *);
void tips_end(struct tips *);
struct node **graph_sorted(struct graph *);    /* every node after those it depends on; NULL: there is a circle, or no memory */

/* graph_params.c */
void op_end(struct op *);
CUresult op_copy(struct op *, const struct op *);
CUresult op_kernel(struct op *, struct context *, const CUDA_KERNEL_NODE_PARAMS *);
CUresult op_alloc(struct op *, struct context *, const CUDA_MEM_ALLOC_NODE_PARAMS *);
CUresult op_values(struct op *, const CUDA_BATCH_MEM_OP_NODE_PARAMS *);
CUresult op_semaphores(struct op *, CUgraphNodeType, const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *);
CUresult op_any(struct op *, struct context *, CUgraphNodeParams *);   /* from the struct for any kind */
CUresult op_replace(struct op *, struct op *);  /* the second's place in the first's: of one type, or nothing is done */
void user_object_unref(struct user_object *, unsigned count);
void user_object_ref(struct user_object *, unsigned count);

/* capture.c */
CUresult capture_join(struct stream *, struct capture *, const struct tips *);  /* the stream waits for them */
int tips_copy(struct tips *, const struct tips *);

/* conditional.c */
CUresult op_choice(struct op *, CUDA_CONDITIONAL_NODE_PARAMS *);      /* with empty bodies */
CUresult choice_copy(struct op *, const struct op *);
void choice_end(struct op *);
void choice_bodies_end(struct op *);
void conditions_end(struct graph *);
CUresult choice_op(struct stream *, const struct op *);
struct op *choice_inside(const struct op *, unsigned long long origin);  /* the op in a body that was cloned from that node's, or NULL */
/* Sets the conditions of these ops, and of all inside of them, as at the start of a launch. */
struct conditions { struct condition **list; size_t count; };
CUresult conditions_add(struct conditions *, const struct op *);
CUresult conditions_reset(struct stream *, struct conditions *);       /* takes them */

/* graph_exec.c */
CUresult op_submit(struct stream *, const struct op *);        /* as work of the stream, or recorded if it captures */

/* launch.c */
CUresult launch_check(struct function *, const CUDA_KERNEL_NODE_PARAMS *, int cooperative);
CUresult launch_gather(const struct ptx_function *, void **params, void **extra, unsigned char *out);

/* launch.c, copy.c, event.c, semaphore.c: the work itself, past all captures. op's handles are looked up now. */
CUresult launch_op(struct stream *, const struct op *);
CUresult copy_op(struct stream *, const CUDA_MEMCPY3D *);
CUresult copy_op_check(const CUDA_MEMCPY3D *);
CUresult fill_op(struct stream *, const CUDA_MEMSET_NODE_PARAMS *);
CUresult fill_op_check(const CUDA_MEMSET_NODE_PARAMS *);
CUresult host_op(struct stream *, const CUDA_HOST_NODE_PARAMS *);
CUresult event_record_op(struct stream *, CUevent);
CUresult event_wait_op(struct stream *, CUevent);
CUresult values_op(struct stream *, const CUDA_BATCH_MEM_OP_NODE_PARAMS *);
CUresult semaphores_op(struct stream *, int wait, const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *);

#endif
