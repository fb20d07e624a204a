// SPDX-License-Identifier: Apache-2.0
//
// Descriptors that the client sends. They come over the control socket, each
// under a number; the call that wants it may be here earlier, and waits.
#include "descriptor.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "checkpoint_order.h"
#include "hello.h"
#include "region.h"

#define WAITING_MAX 64 // descriptors that no call has asked for
#ifndef PATIENCE
#define PATIENCE 5 // seconds that a call waits for its descriptor: it was sent before. The fuzzers' are not.
#endif

static struct {
	uint64_t number; // 0: free
	int fd;
} waiting[WAITING_MAX];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t came;
static pthread_once_t made = PTHREAD_ONCE_INIT;

// The machine's time may be set while a call waits.
static void make(void)
{
	pthread_condattr_t attr;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&came, &attr);
	pthread_condattr_destroy(&attr);
}

static void keep(uint64_t number, int fd)
{
	pthread_once(&made, make);
	pthread_mutex_lock(&lock);
	for (int i = 0; i < WAITING_MAX && fd >= 0 && number; i++)
		if (!waiting[i].number) {
			waiting[i].number = number;
			waiting[i].fd = fd;
			fd = -1;
		}
	pthread_cond_broadcast(&came);
	pthread_mutex_unlock(&lock);
	if (fd >= 0)
		close(fd);
}

int axw_descriptor_take(uint64_t number)
{
	struct timespec end;
	int fd = -1, late = 0;

	pthread_once(&made, make);
	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += PATIENCE;
	pthread_mutex_lock(&lock);
	while (fd < 0 && number) {
		for (int i = 0; i < WAITING_MAX; i++)
			if (waiting[i].number == number) {
				fd = waiting[i].fd;
				waiting[i].number = 0;
				break;
			}
		if (fd >= 0 || late)
			break;
		late = pthread_cond_timedwait(&came, &lock, &end) == ETIMEDOUT;
	}
	pthread_mutex_unlock(&lock);
	return fd;
}

int axw_control_read(int control, void (*order)(const struct axon_checkpoint_order *))
{
	union {
		struct axon_descriptor descriptor;
		struct axon_checkpoint_order order;
	} m;
	union {
		struct cmsghdr head;
		char space[CMSG_SPACE(sizeof(int))];
	} ancillary;
	struct iovec io = { &m, sizeof m };
	struct msghdr message = { .msg_iov = &io, .msg_iovlen = 1, .msg_control = ancillary.space,
				  .msg_controllen = sizeof ancillary };
	int fd = -1;

	ssize_t n = recvmsg(control, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
		return 0;
	struct cmsghdr *c = n > 0 ? CMSG_FIRSTHDR(&message) : NULL;
	if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS && c->cmsg_len == CMSG_LEN(sizeof(int)))
		memcpy(&fd, CMSG_DATA(c), sizeof fd);
	if (n == (ssize_t)sizeof m.descriptor && m.descriptor.magic == AXR_MAGIC) {
		keep(m.descriptor.number, fd);
		return 1;
	}
	if (fd >= 0)
		close(fd);
	if (n == (ssize_t)sizeof m.order && m.order.magic == AXON_CHECKPOINT_MAGIC)
		order(&m.order);
	return 1;
}
