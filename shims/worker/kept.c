// SPDX-License-Identifier: Apache-2.0
//
// The session's allocations, by what the vendor calls them. What this table has
// no room for stays counted until the session ends.
#include <pthread.h>
#include <stdlib.h>

#include "limit.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct axw_kept **bucket;
static size_t buckets, count;

static size_t place(uint64_t key, enum axw_class class, size_t of)
{
	return (size_t)((key ^ key >> 32 ^ (uint64_t)class << 60) * 0x9e3779b97f4a7c15ull >> 20) & (of - 1);
}

static void grow(void)
{
	size_t more = buckets ? 4 * buckets : 256;
	struct axw_kept **wider = calloc(more, sizeof *wider);

	if (!wider)
		return; // longer chains
	for (size_t i = 0; i < buckets; i++)
		for (struct axw_kept *k = bucket[i], *next; k; k = next) {
			struct axw_kept **at = &wider[place(k->key, k->class, more)];
			next = k->next;
			k->next = *at;
			*at = k;
		}
	free(bucket);
	bucket = wider;
	buckets = more;
}

void axw_kept_give(const struct axw_kept *k)
{
	if (k->pool)
		axw_pool_has(k->pool, -(int64_t)k->bytes);
	axw_give(k->kind, k->bytes);
	if (k->elsewhere)
		axw_charged_elsewhere(-k->elsewhere);
}

CUresult axw_kept_ended(CUresult r, int counted, const struct axw_kept *kept)
{
	if (counted && r == CUDA_SUCCESS)
		axw_kept_give(kept);
	else if (counted)
		axw_keep(kept);
	return r;
}

void axw_keep(const struct axw_kept *kept)
{
	struct axw_kept old, *k = malloc(sizeof *k);
	int stale = axw_unkeep(kept->class, kept->key, &old);

	if (stale)
		axw_kept_give(&old);
	if (!k)
		return;
	*k = *kept;
	pthread_mutex_lock(&lock);
	if (count >= buckets)
		grow();
	if (buckets) {
		struct axw_kept **at = &bucket[place(k->key, k->class, buckets)];
		k->next = *at;
		*at = k;
		count++;
		k = NULL;
	}
	pthread_mutex_unlock(&lock);
	free(k);
}

int axw_unkeep(enum axw_class class, uint64_t key, struct axw_kept *kept)
{
	struct axw_kept *found = NULL;

	pthread_mutex_lock(&lock);
	if (buckets)
		for (struct axw_kept **at = &bucket[place(key, class, buckets)]; *at; at = &(*at)->next)
			if ((*at)->key == key && (*at)->class == class) {
				found = *at;
				*at = found->next;
				count--;
				break;
			}
	pthread_mutex_unlock(&lock);
	if (!found)
		return 0;
	*kept = *found;
	free(found);
	return 1;
}

void axw_unkeep_context(CUcontext context)
{
	struct axw_kept *ended = NULL;

	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < buckets; i++)
		for (struct axw_kept **at = &bucket[i]; *at;) {
			struct axw_kept *k = *at;
			if (k->context == context) {
				*at = k->next;
				count--;
				k->next = ended;
				ended = k;
			} else {
				at = &k->next;
			}
		}
	pthread_mutex_unlock(&lock);
	while (ended) {
		struct axw_kept *k = ended;
		ended = k->next;
		axw_kept_give(k);
		free(k);
	}
}
