/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs that can be launched. An exec is a list of steps, those of the graphs inside a graph in their nodes' places, each
 * after all that it depends on. A launch gives them to the stream one after the other, so that what may run at the same
 * time runs in some order here: right, and the same each time.
 */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

struct step {
	struct op op;
	unsigned long long node;               /* id of the node it was made from */
	unsigned long long inside;             /* id of the outermost node that it is inside of, or its own */
	int off;                               /* cuGraphNodeSetEnabled */
};

struct exec {
	struct object object;
	unsigned long long flags;
	struct step *steps;
	size_t count, room;
	struct user_object **users;
	size_t user_count;
};

static void steps_end(struct exec *e)
{
	for (size_t i = 0; i < e->count; i++)
		op_end(&e->steps[i].op);
	free(e->steps);
	for (size_t i = 0; i < e->user_count; i++)
		user_object_unref(e->users[i], 1);
	free(e->users);
}

static void exec_free(struct object *o)
{
	steps_end((struct exec *)o);
	free(o);
}

static CUresult steps_add(struct exec *e, struct graph *g, unsigned long long inside)
{
	struct node **sorted = graph_sorted(g);
	CUresult r = sorted ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
	for (size_t i = 0; !r && i < g->count; i++) {
		struct node *n = sorted[i];
		if (n->op.type == CU_GRAPH_NODE_TYPE_GRAPH) {
			r = steps_add(e, n->op.child, inside ? inside : n->id);
			continue;
		}
		if (e->count == e->room) {
			size_t room = e->room ? 2 * e->room : 16;
			struct step *more = realloc(e->steps, room * sizeof *more);
			if (!more) {
				r = CUDA_ERROR_OUT_OF_MEMORY;
				break;
			}
			e->steps = more;
			e->room = room;
		}
		struct step *s = &e->steps[e->count];
		r = op_copy(&s->op, &n->op);
		if (!r) {
			s->node = n->id;
			s->inside = inside ? inside : n->id;
			s->off = 0;
			e->count++;
		}
	}
	free(sorted);
	if (!r && g->user_count) {
		struct user_object **more = realloc(e->users, (e->user_count + g->user_count) * sizeof *more);
		if (!more)
			return CUDA_ERROR_OUT_OF_MEMORY;
		e->users = more;
		for (size_t i = 0; i < g->user_count; i++) {
			e->users[e->user_count++] = g->users[i];
			user_object_ref(g->users[i], 1);
		}
	}
	return r;
}

static CUresult enter_graph(CUgraph handle, struct graph **g)
{
	struct context *c;
	CUresult r = enter(&c);
	if (r)
		return r;
	*g = handle ? object_find(K_GRAPH, handle) : NULL;
	return *g ? CUDA_SUCCESS : leave(CUDA_ERROR_INVALID_VALUE);
}

/* With the lock held on success. */
static CUresult enter_exec(CUgraphExec handle, struct context **c, struct exec **e)
{
	CUresult r = enter(c);
	if (r)
		return r;
	*e = handle ? object_find(K_EXEC, handle) : NULL;
	return *e ? CUDA_SUCCESS : leave(CUDA_ERROR_INVALID_VALUE);
}

API CUresult cuGraphInstantiateWithFlags(CUgraphExec *out, CUgraph handle, unsigned long long flags)
{
	struct graph *g;
	CUresult r = enter_graph(handle, &g);
	if (r)
		return r;
	if (!out || flags & ~0xfull)
		return leave(CUDA_ERROR_INVALID_VALUE);
	if (flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH)
		return leave(CUDA_ERROR_NOT_SUPPORTED);
	struct exec *e = calloc(1, sizeof *e);
	if (!e)
		return leave(CUDA_ERROR_OUT_OF_MEMORY);
	r = steps_add(e, g, 0);
	if (r) {
		steps_end(e);
		free(e);
		return leave(r);
	}
	object_add(&e->object, K_EXEC, exec_free);
	e->flags = flags;
	*out = (CUgraphExec)e;
	return leave(CUDA_SUCCESS);
}

API CUresult cuGraphInstantiate_v2(CUgraphExec *out, CUgraph graph, CUgraphNode *error_node, char *log, size_t size)
{
	if (error_node)
		*error_node = NULL;
	if (log && size)
		*log = 0;
	return cuGraphInstantiateWithFlags(out, graph, 0);
}

API CUresult cuGraphInstantiate(CUgraphExec *out, CUgraph graph, CUgraphNode *error_node, char *log, size_t size)
{
	return cuGraphInstantiate_v2(out, graph, error_node, log, size);
}

API CUresult cuGraphInstantiateWithParams(CUgraphExec *out, CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS *params)
{
	if (!params)
		return CUDA_ERROR_INVALID_VALUE;
	CUresult r = cuGraphInstantiateWithFlags(out, graph, params->flags);
	params->hErrNode_out = NULL;
	params->result_out = r ? CUDA_GRAPH_INSTANTIATE_ERROR : CUDA_GRAPH_INSTANTIATE_SUCCESS;
	return r;
}

API CUresult cuGraphInstantiateWithParams_ptsz(CUgraphExec *out, CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS *params)
{
	return cuGraphInstantiateWithParams(out, graph, params);
}

API CUresult cuGraphExecGetFlags(CUgraphExec handle, cuuint64_t *flags)
{
	struct context *c;
	struct exec *e;
	CUresult r = enter_exec(handle, &c, &e);
	if (r)
		return r;
	if (!flags)
		return leave(CUDA_ERROR_INVALID_VALUE);
	*flags = e->flags;
	return leave(CUDA_SUCCESS);
}

API CUresult cuGraphExecDestroy(CUgraphExec handle)
{
	CUresult r = enter_any();
	if (r)
		return r;
	struct exec *e = handle ? object_find(K_EXEC, handle) : NULL;
	if (!e)
		return leave(CUDA_ERROR_INVALID_VALUE);
	object_retire(&e->object);             /* work that was launched has copies of its own */
	return leave(CUDA_SUCCESS);
}

CUresult op_submit(struct stream *s, const struct op *op)
{
	if (s->capture) {
		struct op copy;
		CUresult r = op_copy(&copy, op);
		return r ? r : capture_op(s, &copy);
	}
	switch ((int)op->type) {
	case CU_GRAPH_NODE_TYPE_KERNEL: return launch_op(s, op);
	case CU_GRAPH_NODE_TYPE_MEMCPY: return copy_op(s, &op->copy);
	case CU_GRAPH_NODE_TYPE_MEMSET: return fill_op(s, &op->fill);
	case CU_GRAPH_NODE_TYPE_HOST: return host_op(s, &op->host);
	case CU_GRAPH_NODE_TYPE_WAIT_EVENT: return event_wait_op(s, op->event);
	case CU_GRAPH_NODE_TYPE_EVENT_RECORD: return event_record_op(s, op->event);
	case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP: return values_op(s, &op->values);
	case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
	case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
		return semaphores_op(s, op->type == CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT, &op->semaphores);
	case CU_GRAPH_NODE_TYPE_CONDITIONAL: return choice_op(s, op);
	default: return CUDA_SUCCESS;          /* empty; memory is there already, and stays */
	}
}

/* The program's objects live as long as work that was launched: its pointers may be theirs. */
struct users_item { struct item item; struct user_object **users; size_t count; };

static void users_end(struct item *i)
{
	struct users_item *u = (struct users_item *)i;
	for (size_t k = 0; k < u->count; k++)
		user_object_unref(u->users[k], 1);
	free(u->users);
}

static struct users_item *users_new(const struct exec *e)
{
	struct users_item *u = item_new(sizeof *u, NULL, users_end);
	if (!u || !(u->users = malloc(e->user_count * sizeof *u->users))) {
		free(u);
		return NULL;
	}
	u->count = e->user_count;
	memcpy(u->users, e->users, u->count * sizeof *u->users);
	for (size_t k = 0; k < u->count; k++)
		user_object_ref(u->users[k], 1);
	return u;
}

/* Work that is recorded is the recording graph's. */
static CUresult users_recorded(const struct exec *e, struct graph *g)
{
	struct user_object **more = realloc(g->users, (g->user_count + e->user_count) * sizeof *more);
	if (!more)
		return CUDA_ERROR_OUT_OF_MEMORY;
	g->users = more;
	for (size_t k = 0; k < e->user_count; k++) {
		g->users[g->user_count++] = e->users[k];
		user_object_ref(e->users[k], 1);
	}
	return CUDA_SUCCESS;
}

API CUresult cuGraphLaunch(CUgraphExec handle, CUstream stream)
{
	struct users_item *users = NULL;
	struct context *c;
	struct exec *e;
	struct stream *s;
	CUresult r = enter_exec(handle, &c, &e);
	if (r)
		return r;
	r = stream_find(c, stream, &s);
	if (r)
		return leave(r);
	object_ref(&e->object);                /* a kernel's look-up may let go of the lock */
	object_ref(&s->object);
	if (e->user_count && s->capture)
		r = users_recorded(e, s->capture->graph);
	else if (e->user_count && !(users = users_new(e)))
		r = CUDA_ERROR_OUT_OF_MEMORY;
	struct conditions conditions = { 0 };
	for (size_t i = 0; !r && !s->capture && i < e->count; i++)
		r = conditions_add(&conditions, &e->steps[i].op);
	CUresult reset = conditions_reset(s, &conditions);
	r = r ? r : reset;
	for (size_t i = 0; !r && i < e->count; i++)
		if (!e->steps[i].off)
			r = op_submit(s, &e->steps[i].op);
	if (users)
		item_submit(s, &users->item);
	object_unref(&s->object);
	object_unref(&e->object);
	return leave(r);
}

API CUresult cuGraphLaunch_ptsz(CUgraphExec handle, CUstream stream)
{
	return cuGraphLaunch(handle, stream ? stream : CU_STREAM_PER_THREAD);
}

API CUresult cuGraphUpload(CUgraphExec handle, CUstream stream)
{
	struct context *c;
	struct exec *e;
	struct stream *s;
	CUresult r = enter_exec(handle, &c, &e);
	return r ? r : leave(stream_find(c, stream, &s));
}

API CUresult cuGraphUpload_ptsz(CUgraphExec handle, CUstream stream)
{
	return cuGraphUpload(handle, stream ? stream : CU_STREAM_PER_THREAD);
}

static struct step *step_of(struct exec *e, const struct node *n)
{
	for (size_t i = 0; n && i < e->count; i++)
		if (e->steps[i].node == n->id)
			return &e->steps[i];
	return NULL;
}

/* Also of a node in a body, which is no step of its own. */
static struct op *op_of(struct exec *e, const struct node *n)
{
	struct step *s = step_of(e, n);
	struct op *found = s ? &s->op : NULL;
	for (size_t i = 0; n && !found && i < e->count; i++)
		found = choice_inside(&e->steps[i].op, n->id);
	return found;
}

API CUresult cuGraphExecNodeSetParams(CUgraphExec handle, CUgraphNode node, CUgraphNodeParams *params)
{
	struct context *c;
	struct exec *e;
	struct op op;
	CUresult r = enter_exec(handle, &c, &e);
	if (r)
		return r;
	struct node *n = node ? object_find(K_NODE, node) : NULL;
	struct op *old = op_of(e, n);
	if (!old || !params || params->type != old->type || params->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC ||
	    params->type == CU_GRAPH_NODE_TYPE_MEM_FREE || params->type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
		return leave(CUDA_ERROR_INVALID_VALUE);
	object_ref(&e->object);
	object_ref(&n->object);
	r = op_any(&op, c, params);
	old = op_of(e, n);                     /* looking a kernel up may have let go of the lock */
	if (!r && old)
		r = op_replace(old, &op);
	else if (!r)
		op_end(&op);
	object_unref(&n->object);
	object_unref(&e->object);
	return leave(r);
}

API CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params)
{
	CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_KERNEL };
	if (!params)
		return CUDA_ERROR_INVALID_VALUE;
	memcpy(&p.kernel, params, sizeof *params);
	return cuGraphExecNodeSetParams(exec, node, &p);
}

API CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v1 *params)
{
	CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_KERNEL };
	if (!params)
		return CUDA_ERROR_INVALID_VALUE;
	memcpy(&p.kernel, params, sizeof *params);
	return cuGraphExecNodeSetParams(exec, node, &p);
}

API CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMCPY3D *copy, CUcontext ctx)
{
	CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_MEMCPY };
	if (!copy)
		return CUDA_ERROR_INVALID_VALUE;
	p.memcpy.copyCtx = ctx;
	p.memcpy.copyParams = *copy;
	return cuGraphExecNodeSetParams(exec, node, &p);
}

API CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *params, CUcontext ctx)
{
	CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_MEMSET };
	if (!params)
		return CUDA_ERROR_INVALID_VALUE;
	memcpy(&p.memset, params, sizeof *params);
	p.memset.ctx = ctx;
	return cuGraphExecNodeSetParams(exec, node, &p);
}

API CUresult cuGraphExecHostNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_HOST_NODE_PARAMS *params)
{
	CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_HOST };
	if (!params)
		return CUDA_ERROR_INVALID_VALUE;
	memcpy(&p.host, params, sizeof *params);
	return cuGraphExecNodeSetParams(exec, node, &p);
}

API CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event)
{
	CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_EVENT_RECORD };
	p.eventRecord.event = event;
	return cuGraphExecNodeSetParams(exec, node, &p);
}

API CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event)
{
	CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_WAIT_EVENT };
	p.eventWait.event = event;
	return cuGraphExecNodeSetParams(exec, node, &p);
}

API CUresult cuGraphExecBatchMemOpNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_BATCH_MEM_OP_NODE_PARAMS *params)
{
	CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP };
	if (!params)
		return CUDA_ERROR_INVALID_VALUE;
	memcpy(&p.memOp, params, sizeof *params);
	return cuGraphExecNodeSetParams(exec, node, &p);
}

/* Takes over what the steps of `from` do, if they are as many and of the same kinds as e's from `at` on. */
static CUgraphExecUpdateResult take_over(struct exec *e, size_t at, size_t count, struct exec *from)
{
	if (count != from->count)
		return CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
	for (size_t i = 0; i < count; i++)
		if (e->steps[at + i].op.type != from->steps[i].op.type)
			return CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED;
	for (size_t i = 0; i < count; i++)
		op_replace(&e->steps[at + i].op, &from->steps[i].op);
	if (count == e->count) {               /* all of it: what the program's objects were kept for is gone */
		struct user_object **users = e->users;
		size_t user_count = e->user_count;
		e->users = from->users;
		e->user_count = from->user_count;
		from->users = users;
		from->user_count = user_count;
	}
	return CU_GRAPH_EXEC_UPDATE_SUCCESS;
}

API CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec handle, CUgraphNode node, CUgraph graph)
{
	struct context *c;
	struct exec *e, fresh = { 0 };
	CUresult r = enter_exec(handle, &c, &e);
	if (r)
		return r;
	struct node *n = node ? object_find(K_NODE, node) : NULL;
	struct graph *g = graph ? object_find(K_GRAPH, graph) : NULL;
	if (!n || !g || n->op.type != CU_GRAPH_NODE_TYPE_GRAPH)
		return leave(CUDA_ERROR_INVALID_VALUE);
	object_ref(&e->object);
	unsigned long long id = n->id;
	r = steps_add(&fresh, g, 0);
	size_t at = 0, count = 0;
	while (at < e->count && e->steps[at].inside != id)
		at++;
	while (at + count < e->count && e->steps[at + count].inside == id)
		count++;
	if (!r && take_over(e, at, count, &fresh))
		r = CUDA_ERROR_INVALID_VALUE;
	steps_end(&fresh);
	object_unref(&e->object);
	return leave(r);
}

API CUresult cuGraphExecUpdate_v2(CUgraphExec handle, CUgraph graph, CUgraphExecUpdateResultInfo *info)
{
	struct context *c;
	struct exec *e, fresh = { 0 };
	CUresult r = enter_exec(handle, &c, &e);
	if (r)
		return r;
	struct graph *g = graph ? object_find(K_GRAPH, graph) : NULL;
	if (!g || !info)
		return leave(CUDA_ERROR_INVALID_VALUE);
	object_ref(&e->object);
	memset(info, 0, sizeof *info);
	r = steps_add(&fresh, g, 0);
	info->result = r ? CU_GRAPH_EXEC_UPDATE_ERROR : take_over(e, 0, e->count, &fresh);
	steps_end(&fresh);
	object_unref(&e->object);
	return leave(info->result == CU_GRAPH_EXEC_UPDATE_SUCCESS ? CUDA_SUCCESS : CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
}

API CUresult cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphNode *error_node, CUgraphExecUpdateResult *result)
{
	CUgraphExecUpdateResultInfo info;
	if (!result)
		return CUDA_ERROR_INVALID_VALUE;
	memset(&info, 0, sizeof info);
	CUresult r = cuGraphExecUpdate_v2(exec, graph, &info);
	*result = info.result;
	if (error_node)
		*error_node = info.errorNode;
	return r;
}

static CUresult enabled(CUgraphExec handle, CUgraphNode node, unsigned *get, const unsigned *set)
{
	struct context *c;
	struct exec *e;
	CUresult r = enter_exec(handle, &c, &e);
	if (r)
		return r;
	struct step *s = step_of(e, node ? object_find(K_NODE, node) : NULL);
	if (!s || (!get && !set) || s->op.type > CU_GRAPH_NODE_TYPE_MEMSET)  /* kernels, copies and fills can be left out */
		return leave(CUDA_ERROR_INVALID_VALUE);
	if (set)
		s->off = !*set;
	else
		*get = !s->off;
	return leave(CUDA_SUCCESS);
}

API CUresult cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode node, unsigned int on) { return enabled(exec, node, NULL, &on); }
API CUresult cuGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode node, unsigned int *on) { return enabled(exec, node, on, NULL); }

/* Memory of graphs is given back with the last that needs it, so there is nothing to trim and nothing to count. */
static CUresult graph_memory_call(CUdevice dev, void *value)
{
	struct device *d;
	CUresult r = enter_any();
	if (r)
		return r;
	r = device_find(dev, &d);
	if (!r && value)
		memset(value, 0, sizeof(cuuint64_t));
	return leave(r);
}

API CUresult cuDeviceGraphMemTrim(CUdevice dev) { return graph_memory_call(dev, NULL); }

API CUresult cuDeviceGetGraphMemAttribute(CUdevice dev, CUgraphMem_attribute attribute, void *value)
{
	return !value || (unsigned)attribute > CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH ? CUDA_ERROR_INVALID_VALUE
										    : graph_memory_call(dev, value);
}

API CUresult cuDeviceSetGraphMemAttribute(CUdevice dev, CUgraphMem_attribute attribute, void *value)
{
	int high = attribute == CU_GRAPH_MEM_ATTR_USED_MEM_HIGH || attribute == CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH;
	return !value || !high ? CUDA_ERROR_INVALID_VALUE : graph_memory_call(dev, NULL);
}
