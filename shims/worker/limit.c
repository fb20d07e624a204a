// SPDX-License-Identifier: Apache-2.0
//
// The session's limit. axond sets it in the account. Where a device has its
// memory in the machine's, what is left depends on others: on the program's own
// ordinary memory, its control groups, everybody. Then axond is asked, after
// the bytes were taken, so that it sees them; two who ask at once can both be
// refused, but never both have the last of it.
#include "limit.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>

#include "account.h"
#include "wait.h"

#define ASK_NS 1000000000ull   // axond answers in microseconds, unless it is being restarted
#define ASKS 5                 // then the last limit holds
#define FRESH_NS 20000000ull   // an answer so old is good enough for
#define SMALL (1u << 20)       // so few bytes,
#define AMPLE (64ull << 20)    // while so many are left
#define ABSURD (1ull << 60)    // bytes

struct axg_vendor axw_uncounted;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct axa_account *account;
static uint64_t have[2], reserved; // under lock
static uint64_t flying[2];         // of have: taken by somebody who does not know yet whether it may stay; likewise
static int64_t elsewhere;          // likewise
static int shares, control;

static pthread_mutex_t asking = PTHREAD_MUTEX_INITIALIZER;
static uint32_t asked;            // under asking
static _Atomic uint64_t fresh_at; // when axond answered last

// Under lock. What may be given back at once makes no peak.
static void publish(void)
{
	uint64_t device = have[AXW_DEVICE] + reserved, all = device + have[AXW_PINNED];

	atomic_store(&account->device, device);
	atomic_store(&account->pinned, have[AXW_PINNED]);
	atomic_store(&account->outside, shares && elsewhere > 0 ? all - (uint64_t)elsewhere : all);
	uint64_t pinned = have[AXW_PINNED] - flying[AXW_PINNED];
	device -= flying[AXW_DEVICE];
	if (device > atomic_load(&account->device_peak))
		atomic_store(&account->device_peak, device);
	if (pinned > atomic_load(&account->pinned_peak))
		atomic_store(&account->pinned_peak, pinned);
}

// Has axond look at what the machine and the client's control groups have.
static void ask(uint64_t bytes)
{
	if (!shares || (bytes <= SMALL && axr_now_ns() - atomic_load(&fresh_at) < FRESH_NS &&
			atomic_load(&account->limit) > atomic_load(&account->device) + atomic_load(&account->pinned) + AMPLE))
		return;
	pthread_mutex_lock(&asking);
	struct axa_ask m = { .magic = AXA_ASK, .number = ++asked };
	m.bytes = bytes;
	for (int i = 0; i < ASKS && atomic_load(&account->answered) != m.number; i++) {
		uint64_t start = axr_now_ns();
		if (send(control, &m, sizeof m, MSG_NOSIGNAL | MSG_DONTWAIT) != (ssize_t)sizeof m && errno != EAGAIN && errno != EINTR)
			break;
		for (;;) {
			uint32_t seen = atomic_load(&account->answered);
			uint64_t waited = axr_now_ns() - start;
			if (seen == m.number || waited >= ASK_NS)
				break;
			struct timespec rest = { .tv_nsec = (long)(ASK_NS - waited) };
			if (rest.tv_nsec >= 1000000000l)
				rest.tv_nsec = 999999999l;
			axr_futex_wait(&account->answered, seen, &rest);
		}
	}
	atomic_store(&fresh_at, axr_now_ns());
	pthread_mutex_unlock(&asking);
}

// Under lock: what is had fits.
static int fits(enum axw_memory kind)
{
	uint64_t device = have[AXW_DEVICE] + reserved;

	if (shares)
		return device + have[AXW_PINNED] <= atomic_load(&account->limit);
	return kind == AXW_DEVICE ? device <= atomic_load(&account->limit)
				  : have[AXW_PINNED] <= atomic_load(&account->pinned_limit);
}

static int look(enum axw_memory kind)
{
	pthread_mutex_lock(&lock);
	int good = fits(kind);
	pthread_mutex_unlock(&lock);
	return good;
}

int axw_take(enum axw_memory kind, uint64_t bytes)
{
	if (bytes >= ABSURD)
		return 0;
	axw_reserves(0);
	pthread_mutex_lock(&lock);
	have[kind] += bytes;
	flying[kind] += bytes;
	publish();
	pthread_mutex_unlock(&lock);
	ask(bytes);
	int good = look(kind);
	if (!good) {
		axw_reserves(1);
		ask(bytes);
		good = look(kind);
	}
	pthread_mutex_lock(&lock);
	flying[kind] -= bytes;
	if (!good) {
		have[kind] -= bytes;
		atomic_fetch_add(&account->refused, 1);
	}
	publish();
	pthread_mutex_unlock(&lock);
	return good;
}

int axw_still_fits(enum axw_memory kind)
{
	axw_reserves(0);
	if (look(kind))
		return 1;
	axw_reserves(1);
	return look(kind);
}

void axw_refuse(void) { atomic_fetch_add(&account->refused, 1); }

int axw_may_take(enum axw_memory kind, uint64_t bytes)
{
	int good = axw_take(kind, bytes);
	if (good)
		axw_give(kind, bytes);
	return good;
}

void axw_give(enum axw_memory kind, uint64_t bytes)
{
	pthread_mutex_lock(&lock);
	have[kind] -= bytes < have[kind] ? bytes : have[kind];
	publish();
	pthread_mutex_unlock(&lock);
}

void axw_correct(enum axw_memory kind, uint64_t taken, uint64_t is)
{
	pthread_mutex_lock(&lock);
	have[kind] += is - taken;
	publish();
	pthread_mutex_unlock(&lock);
}

void axw_charged_elsewhere(int64_t bytes)
{
	pthread_mutex_lock(&lock);
	elsewhere += bytes;
	publish();
	pthread_mutex_unlock(&lock);
}

void axw_slack(uint64_t bytes)
{
	pthread_mutex_lock(&lock);
	reserved = bytes;
	publish();
	pthread_mutex_unlock(&lock);
}

int axw_shares(void) { return shares; }

int axw_limited(void) { return shares || atomic_load(&account->limit) != UINT64_MAX; }

void axw_left(uint64_t *left, uint64_t *limit)
{
	axw_reserves(0);
	ask(2 * SMALL); // as for something that matters
	pthread_mutex_lock(&lock);
	uint64_t device = have[AXW_DEVICE] + reserved, all = shares ? device + have[AXW_PINNED] : device;
	*limit = atomic_load(&account->limit);
	*left = *limit > all ? *limit - all : 0;
	pthread_mutex_unlock(&lock);
}

void axw_on_device(CUdevice dev)
{
	if (dev >= 0 && dev < 64)
		atomic_fetch_or(&account->devices, 1ull << dev);
}

CUdevice axw_only_device(void)
{
	uint64_t devices = atomic_load(&account->devices);
	return devices && !(devices & (devices - 1)) ? (CUdevice)__builtin_ctzll(devices) : -1;
}

void axw_count_start(struct axw_session *s, int has_shared)
{
	account = s->account;
	control = s->control;
	shares = has_shared;
	atomic_store(&account->shares, (uint32_t)shares);
	axw_uncounted = axg_vendor;
	axw_count_memory();
	axw_count_pools();
	axw_count_objects();
}
