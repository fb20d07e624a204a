/* SPDX-License-Identifier: Apache-2.0
 *
 * Recorded values: a text file with a line a call, NAME IN -> RESULT OUT, where IN and OUT are the frames in hexadecimal
 * ("-" for none). A call that was recorded several times with the same frame answers in the order of the file, and goes
 * on with the last. Lines that begin with # or "process" are for others.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "channel.h"
#include "nvml.h"
#include "nvml_rooms.h"

struct record {
	struct record *next; /* of the call, in the order of the file */
	nvmlReturn_t result;
	size_t in_bytes, out_bytes;
	uint8_t *in, *out;
	int told;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct record *records[AX_COUNT], **ends[AX_COUNT];
static int state;

static uint32_t number_of(const char *name)
{
	for (uint32_t i = 1; i < AX_COUNT; i++)
		if (!strcmp(axg_call_name[i], name))
			return i;
	return 0;
}

/* Bytes of a hexadecimal word; -1 for one that is none. */
static int bytes_of(const char *word, uint8_t **bytes, size_t *n)
{
	size_t length = strcmp(word, "-") ? strlen(word) : 0;

	*n = length / 2;
	*bytes = malloc(*n + 1);
	if (!*bytes || length % 2 || *n > AXN_PACKET_MAX - sizeof(struct axn_head))
		return -1;
	for (size_t i = 0; i < *n; i++) {
		unsigned x;
		if (sscanf(word + 2 * i, "%2x", &x) != 1 || strspn(word + 2 * i, "0123456789abcdefABCDEF") < 2)
			return -1;
		(*bytes)[i] = (uint8_t)x;
	}
	return 0;
}

/* NULL, or what is wrong with a line. */
static const char *take(char *line)
{
	char *save, *name = strtok_r(line, " \t\r\n", &save);
	if (!name || *name == '#' || !strcmp(name, "process"))
		return NULL;
	char *in = strtok_r(NULL, " \t\r\n", &save), *arrow = strtok_r(NULL, " \t\r\n", &save);
	char *result = strtok_r(NULL, " \t\r\n", &save), *out = strtok_r(NULL, " \t\r\n", &save), *end;
	if (!out || strcmp(arrow, "->") || strtok_r(NULL, " \t\r\n", &save))
		return "it should read NAME IN -> RESULT OUT";
	uint32_t call = number_of(name);
	if (!call)
		return NULL; /* answered elsewhere, or of a newer description */
	struct record *r = calloc(1, sizeof *r);
	if (!r)
		return "out of memory";
	r->result = (nvmlReturn_t)strtol(result, &end, 10);
	if (*end || bytes_of(in, &r->in, &r->in_bytes) || bytes_of(out, &r->out, &r->out_bytes))
		return "a frame is no hexadecimal, or the result no number";
	if (!ends[call])
		ends[call] = &records[call];
	*ends[call] = r;
	ends[call] = &r->next;
	return NULL;
}

static void read_file(void)
{
	const char *path = getenv("SOFTGPU_NVML"), *why;
	char *line = NULL;
	size_t room = 0;

	if (!path || !*path)
		return;
	FILE *f = fopen(path, "re");
	state = f ? 1 : -1;
	if (!f) {
		fprintf(stderr, "softgpu: SOFTGPU_NVML=%s: %s\n", path, strerror(errno));
		return;
	}
	for (unsigned n = 1; getline(&line, &room, f) > 0; n++)
		if ((why = take(line))) {
			fprintf(stderr, "softgpu: %s, line %u: %s\n", path, n, why);
			state = -1;
			break;
		}
	free(line);
	fclose(f);
}

int replay_open(void)
{
	pthread_once(&once, read_file);
	return state;
}

static struct record *find(uint32_t call, const uint8_t *in, size_t in_bytes)
{
	struct record *last = NULL;

	for (struct record *r = records[call]; r; r = r->next) {
		if (r->in_bytes != in_bytes || memcmp(r->in, in, in_bytes))
			continue;
		last = r;
		if (!r->told)
			break;
	}
	return last;
}

/* The handle of a GPU, which a recording need not have: it is 1 + the index. */
static nvmlReturn_t handle_of(const uint8_t *in, uint8_t *out, size_t *out_bytes)
{
	struct record *r = records[AX_nvmlDeviceGetCount_v2];
	uint32_t index, count;

	memcpy(&index, in, sizeof index);
	if (!r || r->result || r->out_bytes < sizeof count)
		return NVML_ERROR_NOT_SUPPORTED;
	memcpy(&count, r->out, sizeof count);
	if (index >= count)
		return NVML_ERROR_INVALID_ARGUMENT;
	uint64_t handle = 1 + (uint64_t)index;
	memcpy(out, &handle, sizeof handle);
	*out_bytes = sizeof handle;
	return NVML_SUCCESS;
}

static uint32_t number_at(const uint8_t *frame, int offset)
{
	uint32_t n;

	memcpy(&n, frame + offset, sizeof n);
	return n;
}

/* A record whose caller had other room for the array that is answered, and asked for the same. NULL: there is none. */
static struct record *with_other_room(uint32_t call, const uint8_t *in, size_t in_bytes)
{
	const struct axg_room_of *o = &axg_rooms[call];

	for (struct record *r = o->element ? records[call] : NULL; r; r = r->next) {
		size_t differ = 0;
		if (r->in_bytes != in_bytes || in_bytes < (size_t)o->count + 4 || r->result || (o->has >= 0 && !number_at(r->in, o->has)))
			continue;
		for (size_t i = 0; i < in_bytes; i += 4)
			differ += (int)i != o->count && (int)i != o->has && memcmp(r->in + i, in + i, 4);
		if (!differ && r->out_bytes >= o->fixed + (size_t)number_at(r->in, o->count) * (size_t)o->element)
			return r;
	}
	return NULL;
}

/* Its answer for the room that there is now. A list that is too long says how long it is, a text says nothing. */
static nvmlReturn_t fit(uint32_t call, const struct record *r, const uint8_t *in, uint8_t *out, size_t room, size_t *out_bytes)
{
	const struct axg_room_of *o = &axg_rooms[call];
	size_t had = number_at(r->in, o->count), there = o->has >= 0 && !number_at(in, o->has) ? 0 : number_at(in, o->count);
	size_t size = (size_t)o->element, is = o->told >= 0 ? number_at(r->out, o->told) : strnlen((const char *)r->out + o->fixed, had) + 1;

	if (is > had || there > room / size || o->fixed + there * size + 7 > room)
		return NVML_ERROR_INVALID_ARGUMENT;
	if (is > there && o->told < 0)
		return NVML_ERROR_INSUFFICIENT_SIZE;
	*out_bytes = (size_t)o->fixed + ((there * size + 7) & ~(size_t)7);
	memset(out, 0, *out_bytes);
	memcpy(out, r->out, (size_t)o->fixed);
	memcpy(out + o->fixed, r->out + o->fixed, (is < there ? is : there) * size);
	return is > there ? NVML_ERROR_INSUFFICIENT_SIZE : NVML_SUCCESS;
}

nvmlReturn_t replay_call(uint32_t call, const uint8_t *in, size_t in_bytes, uint8_t *out, size_t room, size_t *out_bytes)
{
	*out_bytes = 0;
	pthread_mutex_lock(&lock);
	struct record *r = find(call, in, in_bytes);
	if (r)
		r->told = 1;
	pthread_mutex_unlock(&lock);
	if (r) {
		if (r->out_bytes > room)
			return NVML_ERROR_UNKNOWN;
		memcpy(out, r->out, r->out_bytes);
		*out_bytes = r->out_bytes;
		return r->result;
	}
	if ((r = with_other_room(call, in, in_bytes)))
		return fit(call, r, in, out, room, out_bytes);
	if (call == AX_nvmlDeviceGetHandleByIndex_v2 && in_bytes >= 4)
		return handle_of(in, out, out_bytes);
	return records[call] ? NVML_ERROR_NOT_SUPPORTED : NVML_ERROR_FUNCTION_NOT_FOUND;
}
