// SPDX-License-Identifier: Apache-2.0
//
// One channel is one connection. Whoever uses it holds a reference, so that its
// descriptor's number is not another file's by the time it is used. Of the
// threads that wait for answers one reads, and hands the others theirs; when it
// has its own, another one goes on reading.
#include "channel.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "call.h"
#include "hello.h"
#include "region.h"

// What tells this library from a vendor's: a worker that finds it where the vendor's should be must not load it.
AX_EXPORT const char axon_shim[] = "axon";

struct waiter {
	struct waiter *next;
	uint8_t *answer; // NULL and done: there was no memory for it
	uint32_t id;
	bool done;
};

struct channel {
	int fd;
	dev_t device; // who the descriptor is: the program may close it, and open a file that gets its number
	ino_t inode;
	unsigned refs; // of threads that use it, and of `current`
	bool lost, reading;
	struct waiter *waiters;
	uint8_t buffer[AXN_PACKET_MAX + 1]; // of the thread that reads; one more byte tells a longer packet
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct channel *current; // all below and in channels under the lock, but for the descriptor's use
static pid_t owner;             // the process whose channel it is
static uint32_t last_id;

static bool still_ours(const struct channel *c)
{
	struct stat st;
	return !fstat(c->fd, &st) && st.st_dev == c->device && st.st_ino == c->inode;
}

static void unref(struct channel *c)
{
	if (!c || --c->refs)
		return;
	if (still_ours(c))
		close(c->fd);
	free(c);
}

// Nothing comes any more: whoever waits is told.
static void lose(struct channel *c)
{
	c->lost = true;
	if (c == current) {
		current = NULL;
		unref(c);
	}
	pthread_cond_broadcast(&changed);
}

// In a child there is one thread, and the lock is as another thread of the parent's may have left it.
static void leave_behind(void)
{
	static const pthread_mutex_t unlocked = PTHREAD_MUTEX_INITIALIZER;
	static const pthread_cond_t quiet = PTHREAD_COND_INITIALIZER;

	memcpy(&lock, &unlocked, sizeof lock);
	memcpy(&changed, &quiet, sizeof changed);
	if (current && still_ours(current))
		close(current->fd); // the parent's own stays open
	current = NULL; // not freed: another thread of the parent's may have been in the middle of it
	owner = 0;
}

static void watch_forks(void) { pthread_atfork(NULL, NULL, leave_behind); }

static nvmlReturn_t dial(int *fd)
{
	// Who starts a set-user-ID program does not choose whom its process trusts.
	const char *path = secure_getenv("AXON_SESSION");
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	if (!path || !*path)
		path = AXON_SOCKET;
	if (strlen(path) >= sizeof address.sun_path) {
		axc_debug("AXON_SESSION is longer than a socket's path can be: %s", path);
		return NVML_ERROR_DRIVER_NOT_LOADED;
	}
	strcpy(address.sun_path, path);
	*fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (*fd >= 0 && *fd <= 2) { // it would be the program's stdin, stdout or stderr, because those are closed
		int higher = fcntl(*fd, F_DUPFD_CLOEXEC, 3);
		close(*fd);
		*fd = higher;
	}
	int r = -1;
	if (*fd >= 0)
		while ((r = connect(*fd, (struct sockaddr *)&address, sizeof address)) && errno == EINTR)
			;
	if (!r)
		return NVML_SUCCESS;
	int error = errno;
	axc_debug("cannot reach axond at %s: %s; %s", path, strerror(error),
		  error == EACCES || error == EPERM ? "only root and members of the socket's group may (usually video)"
						    : "is it running? AXON_SESSION names another socket");
	if (*fd >= 0)
		close(*fd);
	return error == EACCES || error == EPERM ? NVML_ERROR_NO_PERMISSION : NVML_ERROR_DRIVER_NOT_LOADED;
}

static nvmlReturn_t meaning(uint32_t status)
{
	switch (status) {
	case AXON_OK: return NVML_SUCCESS;
	case AXON_NOT_ADMITTED: return NVML_ERROR_NO_PERMISSION;
	case AXON_MISMATCH: return NVML_ERROR_LIB_RM_VERSION_MISMATCH;
	case AXON_BUSY: return NVML_ERROR_INSUFFICIENT_RESOURCES;
	default: return NVML_ERROR_DRIVER_NOT_LOADED;
	}
}

// NVML_ERROR_TIMEOUT: axond hung up, as one that ends does, and may be there again soon.
static nvmlReturn_t say_hello(int fd)
{
	static const uint8_t fingerprint[16] = AXG_FINGERPRINT;
	struct axon_hello hello = { .magic = AXR_MAGIC, .version = AXR_VERSION, .library = AXON_NVML };
	struct {
		struct axon_answer answer;
		char text[512];
	} m;
	ssize_t n;

	memcpy(hello.fingerprint, fingerprint, sizeof hello.fingerprint);
	while ((n = send(fd, &hello, sizeof hello, MSG_NOSIGNAL)) < 0 && errno == EINTR)
		;
	if (n == (ssize_t)sizeof hello)
		while ((n = recv(fd, &m, sizeof m, 0)) < 0 && errno == EINTR)
			;
	if (n <= 0) {
		axc_debug("axond hung up before it answered; its journal says why");
		return NVML_ERROR_TIMEOUT;
	}
	if (n < (ssize_t)sizeof m.answer || m.answer.magic != AXR_MAGIC) {
		axc_debug("axond's answer is not axon's");
		return NVML_ERROR_DRIVER_NOT_LOADED;
	}
	if (m.answer.status != AXON_OK)
		axc_debug("axond refuses NVML: %.*s", (int)(n - (ssize_t)sizeof m.answer), m.text);
	return meaning(m.answer.status);
}

// An axond that is started anew is away for a moment. So who had a connection a moment ago tries for this long, with a
// pause that doubles up to a limit.
#define PATIENCE_NS 5000000000ll
#define PAUSE_NS 10000000l
#define PAUSE_MAX_NS 320000000l

static int64_t now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}

// Under the lock: others have nothing better to do than to wait for the same.
static nvmlReturn_t open_channel(bool had)
{
	struct timespec pause = { .tv_nsec = PAUSE_NS };
	int64_t start = now();
	struct stat st;
	nvmlReturn_t r;
	int fd;

	for (;;) {
		r = dial(&fd);
		bool away = had && r == NVML_ERROR_DRIVER_NOT_LOADED;
		if (!r && (r = say_hello(fd))) {
			close(fd);
			away = r == NVML_ERROR_TIMEOUT;
		}
		if (!away || now() - start > PATIENCE_NS)
			break;
		nanosleep(&pause, NULL);
		pause.tv_nsec = pause.tv_nsec < PAUSE_MAX_NS ? pause.tv_nsec * 2 : PAUSE_MAX_NS;
	}
	if (r)
		return r == NVML_ERROR_TIMEOUT ? NVML_ERROR_DRIVER_NOT_LOADED : r;
	struct channel *c = malloc(sizeof *c); // its buffer costs no memory before it is used
	if (!c || fstat(fd, &st)) {
		free(c);
		close(fd);
		return NVML_ERROR_MEMORY;
	}
	c->fd = fd;
	c->device = st.st_dev;
	c->inode = st.st_ino;
	c->refs = 1;
	c->lost = c->reading = false;
	c->waiters = NULL;
	current = c;
	owner = getpid();
	return NVML_SUCCESS;
}

// Takes a packet in: 0, or -1 if it is none. Under the lock.
static int deliver(struct channel *c, size_t n)
{
	struct axn_head h;

	if (n < sizeof h || n > AXN_PACKET_MAX)
		return -1;
	memcpy(&h, c->buffer, sizeof h);
	if (h.len != n - sizeof h)
		return -1;
	for (struct waiter *w = c->waiters; w; w = w->next)
		if (w->id == h.id && !w->done) {
			w->answer = malloc(n);
			if (w->answer)
				memcpy(w->answer, c->buffer, n);
			w->done = true;
			return 0;
		}
	return -1; // nobody asked
}

// Waits for the answer. Under the lock.
static void await(struct channel *c, struct waiter *w)
{
	while (!w->done && !c->lost) {
		if (c->reading) {
			pthread_cond_wait(&changed, &lock);
			continue;
		}
		c->reading = true;
		pthread_mutex_unlock(&lock);
		ssize_t n;
		while ((n = recv(c->fd, c->buffer, sizeof c->buffer, 0)) < 0 && errno == EINTR)
			;
		pthread_mutex_lock(&lock);
		c->reading = false;
		if (n <= 0 || deliver(c, (size_t)n))
			lose(c);
		else
			pthread_cond_broadcast(&changed);
	}
}

// One attempt. NVML_ERROR_TIMEOUT if axond hung up; *sent says whether it may have read the request by then.
static nvmlReturn_t attempt(const uint8_t *request, size_t bytes, uint32_t id, bool had, struct waiter *w, bool *sent)
{
	nvmlReturn_t r = current ? NVML_SUCCESS : open_channel(had);
	if (r)
		return r;
	struct channel *c = current;
	c->refs++;
	*w = (struct waiter){ .next = c->waiters, .id = id };
	c->waiters = w;
	pthread_mutex_unlock(&lock);
	ssize_t n = -1;
	if (still_ours(c))
		while ((n = send(c->fd, request, bytes, MSG_NOSIGNAL)) < 0 && errno == EINTR)
			;
	pthread_mutex_lock(&lock);
	*sent = n == (ssize_t)bytes;
	if (*sent)
		await(c, w);
	else
		lose(c);
	struct waiter **at = &c->waiters;
	while (*at != w)
		at = &(*at)->next;
	*at = w->next;
	r = w->done ? (w->answer ? NVML_SUCCESS : NVML_ERROR_MEMORY) : NVML_ERROR_TIMEOUT;
	unref(c);
	return r;
}

nvmlReturn_t axn_exchange(uint8_t *request, size_t bytes, int again, uint8_t **answer)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct waiter w = { 0 };
	nvmlReturn_t r;
	bool sent;
	int cancelling;

	pthread_once(&once, watch_forks);
	if (owner && owner != getpid()) // a child of a bare clone, of which no handler hears
		leave_behind();
	// A thread that was cancelled in here would leave the others without a reader.
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelling);
	pthread_mutex_lock(&lock);
	uint32_t id = ++last_id;
	memcpy(request, &id, sizeof id);
	bool had = current != NULL;
	r = attempt(request, bytes, id, false, &w, &sent);
	// Once more if it was a connection of earlier that broke: handles are numbers that the next worker knows as well.
	if (r == NVML_ERROR_TIMEOUT && had && (again || !sent))
		r = attempt(request, bytes, id, true, &w, &sent);
	pthread_mutex_unlock(&lock);
	pthread_setcancelstate(cancelling, NULL);
	*answer = w.answer;
	return r == NVML_ERROR_TIMEOUT ? NVML_ERROR_UNKNOWN : r;
}

void axn_hang_up(void)
{
	if (owner && owner != getpid())
		leave_behind();
	pthread_mutex_lock(&lock);
	struct channel *c = current;
	current = NULL;
	unref(c);
	pthread_mutex_unlock(&lock);
}
