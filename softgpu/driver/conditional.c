/* SPDX-License-Identifier: Apache-2.0
 *
 * Conditional nodes: graphs inside a graph, of which a number decides that kernels may set while the graph runs.
 *
 * What a node will do is known when the stream gets to it. So its work is one item of that stream, which gives the body
 * that was chosen to a stream of its own and waits for it, as often as it takes.
 */
#include "graph.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#define BODIES_MOST 4096

/* Kernels look conditions up under gpu.table alone. */
struct condition {
	struct condition *next;                /* of all */
	struct condition *of_graph;            /* the next that was made for the same graph */
	uint64_t handle;
	int refs;
	unsigned value;                        /* atomic */
	unsigned initial;
	int assign;                            /* the initial value is set at every launch */
};
static struct condition *conditions;

static struct condition *find(uint64_t handle)
{
	struct condition *c = conditions;
	while (c && c->handle != handle)
		c = c->next;
	return c;
}

void condition_set(void *ctx, uint64_t handle, uint32_t value)
{
	(void)ctx;
	pthread_rwlock_rdlock(&gpu.table);
	struct condition *c = find(handle);
	if (c)
		__atomic_store_n(&c->value, value, __ATOMIC_RELEASE);
	pthread_rwlock_unlock(&gpu.table);
}

static void condition_unref(struct condition *c)
{
	if (--c->refs)
		return;
	pthread_rwlock_wrlock(&gpu.table);
	struct condition **p = &conditions;
	while (*p != c)
		p = &(*p)->next;
	*p = c->next;
	pthread_rwlock_unlock(&gpu.table);
	free(c);
}

void conditions_end(struct graph *g)
{
	while (g->conditions) {
		struct condition *c = g->conditions;
		g->conditions = c->of_graph;
		condition_unref(c);
	}
}

API CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle *out, CUgraph handle, CUcontext ctx, unsigned int value,
					    unsigned int flags)
{
	struct context *c, *of;
	CUresult r = enter(&c);
	if (r)
		return r;
	struct graph *g = handle ? object_find(K_GRAPH, handle) : NULL;
	if (!out || !g || flags & ~1u)
		return leave(CUDA_ERROR_INVALID_VALUE);
	if ((r = context_find(ctx, &of)))
		return leave(r);
	struct condition *n = calloc(1, sizeof *n);
	if (!n)
		return leave(CUDA_ERROR_OUT_OF_MEMORY);
	*n = (struct condition){ .handle = gpu.next_id++, .refs = 1, .value = value, .initial = value, .assign = flags & 1 };
	n->of_graph = g->conditions;
	g->conditions = n;
	pthread_rwlock_wrlock(&gpu.table);
	n->next = conditions;
	conditions = n;
	pthread_rwlock_unlock(&gpu.table);
	*out = n->handle;
	return leave(CUDA_SUCCESS);
}

void choice_bodies_end(struct op *op)
{
	for (unsigned i = 0; op->choice.bodies && i < op->choice.params.size; i++) {
		if (op->choice.bodies[i])
			graph_end(op->choice.bodies[i]);
		op->choice.bodies[i] = NULL;
	}
}

void choice_end(struct op *op)
{
	choice_bodies_end(op);
	free(op->choice.bodies);
	if (op->choice.condition)
		condition_unref(op->choice.condition);
}

/* Bodies for *to: new ones, or clones of from's. */
static CUresult bodies(struct op *to, const struct op *from)
{
	unsigned size = to->choice.params.size;
	CUresult r = CUDA_SUCCESS;
	to->choice.condition->refs++;
	to->choice.bodies = calloc(size, sizeof *to->choice.bodies);
	if (!to->choice.bodies)
		r = CUDA_ERROR_OUT_OF_MEMORY;
	for (unsigned i = 0; !r && i < size; i++) {
		if (from && !from->choice.bodies[i])
			r = CUDA_ERROR_INVALID_VALUE;      /* its node is gone */
		else
			r = from ? graph_copy(from->choice.bodies[i], &to->choice.bodies[i]) : graph_new(&to->choice.bodies[i]);
	}
	if (r)
		op_end(to);
	to->choice.params.phGraph_out = r ? NULL : (CUgraph *)to->choice.bodies;
	return r;
}

CUresult choice_copy(struct op *to, const struct op *from) { return bodies(to, from); }

CUresult op_choice(struct op *op, CUDA_CONDITIONAL_NODE_PARAMS *p)
{
	struct context *c;
	struct condition *of = find(p->handle);
	unsigned most = p->type == CU_GRAPH_COND_TYPE_WHILE ? 1 : p->type == CU_GRAPH_COND_TYPE_IF ? 2 : BODIES_MOST;
	memset(op, 0, sizeof *op);
	op->type = CU_GRAPH_NODE_TYPE_EMPTY;
	if (!of || (unsigned)p->type > CU_GRAPH_COND_TYPE_SWITCH || !p->size || p->size > most || context_find(p->ctx, &c))
		return CUDA_ERROR_INVALID_VALUE;
	op->type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
	op->choice.params = *p;
	op->choice.condition = of;
	CUresult r = bodies(op, NULL);
	if (!r)
		p->phGraph_out = op->choice.params.phGraph_out;
	return r;
}

struct op *choice_inside(const struct op *op, unsigned long long origin)
{
	for (unsigned i = 0; op->type == CU_GRAPH_NODE_TYPE_CONDITIONAL && i < op->choice.params.size; i++)
		for (struct node *n = op->choice.bodies[i]->first; n; n = n->next) {
			struct op *deeper = n->origin == origin ? &n->op : choice_inside(&n->op, origin);
			if (deeper)
				return deeper;
		}
	return NULL;
}

/* ---- at the start of a launch ---- */

CUresult conditions_add(struct conditions *l, const struct op *op)
{
	CUresult r = CUDA_SUCCESS;
	if (op->type == CU_GRAPH_NODE_TYPE_GRAPH)
		for (struct node *n = op->child->first; !r && n; n = n->next)
			r = conditions_add(l, &n->op);
	if (op->type != CU_GRAPH_NODE_TYPE_CONDITIONAL)
		return r;
	struct condition **more = realloc(l->list, (l->count + 1) * sizeof *more);
	if (!more)
		return CUDA_ERROR_OUT_OF_MEMORY;
	l->list = more;
	l->list[l->count++] = op->choice.condition;
	op->choice.condition->refs++;
	for (unsigned i = 0; i < op->choice.params.size; i++)
		for (struct node *n = op->choice.bodies[i]->first; !r && n; n = n->next)
			r = conditions_add(l, &n->op);
	return r;
}

struct reset_item { struct item item; struct conditions conditions; };

static void conditions_free(struct conditions *l)
{
	for (size_t i = 0; i < l->count; i++)
		condition_unref(l->list[i]);
	free(l->list);
}

static CUresult run_reset(struct item *i)
{
	struct conditions *l = &((struct reset_item *)i)->conditions;
	for (size_t k = 0; k < l->count; k++)
		if (l->list[k]->assign)
			__atomic_store_n(&l->list[k]->value, l->list[k]->initial, __ATOMIC_RELEASE);
	return CUDA_SUCCESS;
}

static void end_reset(struct item *i) { conditions_free(&((struct reset_item *)i)->conditions); }

CUresult conditions_reset(struct stream *s, struct conditions *l)
{
	if (!l->count)
		return CUDA_SUCCESS;
	struct reset_item *i = item_new(sizeof *i, run_reset, end_reset);
	if (!i) {
		conditions_free(l);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	i->conditions = *l;
	item_submit(s, &i->item);
	return CUDA_SUCCESS;
}

/* ---- when the stream gets to a node ---- */

struct choice_item { struct item item; struct op op; };

static CUresult graph_submit(struct stream *s, struct graph *g)
{
	struct node **sorted = graph_sorted(g);
	CUresult r = sorted ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
	for (size_t i = 0; !r && i < g->count; i++)
		r = sorted[i]->op.type == CU_GRAPH_NODE_TYPE_GRAPH ? graph_submit(s, sorted[i]->op.child) : op_submit(s, &sorted[i]->op);
	free(sorted);
	return r;
}

static struct graph *chosen(const struct op *op)
{
	unsigned value = __atomic_load_n(&op->choice.condition->value, __ATOMIC_ACQUIRE), size = op->choice.params.size;
	switch ((int)op->choice.params.type) {
	case CU_GRAPH_COND_TYPE_SWITCH: return value < size ? op->choice.bodies[value] : NULL;
	case CU_GRAPH_COND_TYPE_WHILE: return value ? op->choice.bodies[0] : NULL;
	default: return value ? op->choice.bodies[0] : size > 1 ? op->choice.bodies[1] : NULL;
	}
}

static CUresult run_choice(struct item *item)
{
	struct op *op = &((struct choice_item *)item)->op;
	struct context *c = item->stream->ctx;
	struct graph *body;
	struct stream *s;
	pthread_mutex_lock(&gpu.lock);
	CUresult r = stream_new(c, CU_STREAM_NON_BLOCKING, item->stream->priority, &s);
	if (r) {
		pthread_mutex_unlock(&gpu.lock);
		return r;
	}
	while (!r && !c->error && !__atomic_load_n(&c->stop, __ATOMIC_RELAXED) && (body = chosen(op))) {
		r = graph_submit(s, body);
		struct item *last = s->tail;
		if (last) {
			last->refs++;
			item_wait(last);
			item_unref(last);
		}
		if (op->choice.params.type != CU_GRAPH_COND_TYPE_WHILE)
			break;
		/* A body without work in it would hold the lock for good. */
		pthread_mutex_unlock(&gpu.lock);
		sched_yield();
		pthread_mutex_lock(&gpu.lock);
	}
	stream_close(s);
	pthread_mutex_unlock(&gpu.lock);
	return r;
}

static void end_choice(struct item *i) { op_end(&((struct choice_item *)i)->op); }

CUresult choice_op(struct stream *s, const struct op *op)
{
	struct choice_item *i = item_new(sizeof *i, run_choice, end_choice);
	if (!i)
		return CUDA_ERROR_OUT_OF_MEMORY;
	CUresult r = op_copy(&i->op, op);
	if (r) {
		free(i);
		return r;
	}
	item_submit(s, &i->item);
	return CUDA_SUCCESS;
}
