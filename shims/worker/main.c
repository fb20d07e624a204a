// SPDX-License-Identifier: Apache-2.0
//
// axon-worker: holds the vendor's library for one session. axond starts it
// with the session's region as fd 3 and a socket as fd 4; it says once over
// the socket whether it is ready, and ends when the socket hangs up. Or axond
// starts it warm, before there is a session: then it says over the socket when
// it is warm, is handed the region over it, and says again that it is ready.
// With --telemetry it serves no session, but what all clients ask NVML
// (shims/telemetry): their packets come over the socket.
//
// The order of the steps matters: the region is mapped (or room for it kept)
// before the address space below the device window is taken, and the vendor's
// library is loaded before that too (its cuInit is what must find the window).
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "checkpoint.h"
#include "confine.h"
#include "descriptor.h"
#include "hello.h"
#include "limit.h"
#include "mode.h"
#include "place.h"
#include "print.h"
#include "start.h"
#include "trace.h"
#include "cuda_worker.h"
#include "wait.h"
#include "warm.h"

#ifndef AXON_RELEASE
#define AXON_RELEASE "development"
#endif

#define REGION_FD 3
#define CONTROL_FD 4
#define ACCOUNT_FD 5
#define HOLD_FD 6

static const char usage[] =
	"Usage: axon-worker --library cuda --vendor DIR [--session N [--account] | --warm | --warm-context] [--hold] [CONFINEMENT]\n"
	"       axon-worker --library nvml --vendor DIR --telemetry[=admin] [CONFINEMENT]\n"
	"       axon-worker [--library nvml] --fingerprint | --version | --help\n"
	"\n"
	"Holds the vendor's libcuda.so.1 of folder DIR for one session. Started by axond,\n"
	"with the session's region as file descriptor 3 and a control socket as 4; or, with\n"
	"--warm, with the socket alone, over which the region comes when there is a session.\n"
	"--warm-context also has device 0's primary context made before that. With --account the\n"
	"session's account is file descriptor 5; with --hold nothing is done before a byte comes\n"
	"from the pipe that is 6.\n"
	"\n"
	"--telemetry: holds the vendor's libnvidia-ml.so.1 for everybody who reads NVML. Their packets\n"
	"come over file descriptor 4, after the message that it is ready; there is no 3. With =admin\n"
	"it is what changes the machine: axond starts it as root, for root, and without CONFINEMENT.\n"
	"\n"
	"CONFINEMENT, before the vendor's library is loaded: --confine on|require (with what the\n"
	"kernel has, or not at all), --cache DIR (the folder that the library may write),\n"
	"--apart (this user owns nothing else), --without LIST (of landlock, scope, seccomp,\n"
	"connect, fork, dumpable: for finding out what a library does not bear).\n";

// What axond is told, once: an axon_status, cuInit's result, and a sentence if it is a failure.
static void report(uint32_t status, CUresult init, const char *text)
{
	struct { uint32_t status, init, text_bytes; char text[500]; } m;
	size_t n = text ? strlen(text) : 0;

	if (n > sizeof m.text)
		n = sizeof m.text;
	m.status = status;
	m.init = (uint32_t)init;
	m.text_bytes = (uint32_t)n;
	if (n)
		memcpy(m.text, text, n);
	if (send(CONTROL_FD, &m, 3 * sizeof(uint32_t) + n, MSG_NOSIGNAL) < 0)
		fprintf(stderr, "axon-worker: telling axond: %s\n", strerror(errno));
}

static int failed(uint32_t status, const char *why)
{
	fprintf(stderr, "axon-worker: %s\n", why);
	report(status, CUDA_ERROR_UNKNOWN, why);
	return 1;
}

static void print_fingerprint(const uint8_t fingerprint[16])
{
	printf("%u ", AXR_VERSION);
	for (int i = 0; i < 16; i++)
		printf("%02x", fingerprint[i]);
	printf("\n");
}

static void *door(void *arg)
{
	axw_lanes_serve(arg);
	return NULL;
}

// Returns when axond hung up: the client, the session or axond is gone.
static void wait_for_hangup(void)
{
	for (;;) {
		struct pollfd p = { .fd = CONTROL_FD, .events = POLLIN };
		if (poll(&p, 1, -1) < 0 && errno != EINTR)
			return;
		if (!axw_control_read(CONTROL_FD, axw_checkpoint_order))
			return;
	}
}

// The region is mapped, the vendor's library is open and the devices are known: serves the session to its end.
static int serve(struct axw_session *s, const struct axon_snapshot *snap)
{
	pthread_t thread;

	memcpy(s->region + AXR_SNAPSHOT_OFFSET, snap, sizeof *snap);
	for (int i = 0; i < snap->device_count && i < AXON_DEVICES; i++)
		if (snap->device[i].attribute[CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS])
			s->reads_pageable = 1;
	int shares = 0;
	for (int i = 0; i < snap->device_count && i < AXON_DEVICES; i++)
		shares |= snap->device[i].attribute[CU_DEVICE_ATTRIBUTE_INTEGRATED] != 0;
	axw_count_start(s, shares);
	axw_trace_start(s);
	axw_checkpoint_start(s);
	int error = -axw_print_start(s);
	if (!error)
		error = pthread_create(&thread, NULL, door, s);
	if (error)
		return failed(AXON_NO_WORKER, strerror(error));
	uint32_t starting = AXR_STARTING; // unless axond has ended it already
	atomic_compare_exchange_strong_explicit(&s->header->state, &starting, AXR_READY, memory_order_release,
						memory_order_relaxed);
	axr_futex_wake(&s->header->state);
	report(AXON_OK, (CUresult)snap->init_result, NULL);

	wait_for_hangup();
	axw_mark_ended(s); // axond does so when a session ends, but not when it was killed: the client may live on
	_exit(0); // at once: the kernel and the driver clean up better than threads in the vendor's library could
}

// A machine without a device, or with one that is broken, is the program's to hear of, from its cuInit: the snapshot
// says so.
static const char *start_vendor(const char *vendor_dir, uint64_t device_base, struct axon_snapshot *snap)
{
	const char *why = axw_vendor_open(vendor_dir);
	if (!why)
		why = axw_place_block(device_base);
	if (!why)
		axw_snapshot_fill(snap, axg_vendor.cuInit(0));
	return why;
}

static struct axw_session session;
static struct axon_snapshot snapshot;

static int serve_cold(const struct axw_cage *cage, uint32_t number, int with_account)
{
	struct axw_session *s = &session;
	const char *why;

	s->number = number;
	s->memfd = REGION_FD;
	s->control = CONTROL_FD;
	fcntl(REGION_FD, F_SETFD, FD_CLOEXEC); // the vendor's library starts programs
	fcntl(CONTROL_FD, F_SETFD, FD_CLOEXEC);
	axw_account_open(s, with_account ? ACCOUNT_FD : -1);
	uint32_t status = axw_attach(s, NULL, &why);
	if (status != AXON_OK)
		return failed(status, why);
	if (axw_session_init(s) < 0 || axw_calls_load(s) < 0)
		return failed(AXON_NO_WORKER, "out of memory");
	if ((why = axw_confine(cage)) || (why = start_vendor(cage->vendor_dir, s->device_base, &snapshot)))
		return failed(AXON_NO_WORKER, why);
	return serve(s, &snapshot);
}

static int serve_warm(const struct axw_cage *cage, int with_context)
{
	struct axw_session *s = &session;
	struct axw_room room;
	const char *why;

	s->control = CONTROL_FD;
	fcntl(CONTROL_FD, F_SETFD, FD_CLOEXEC);
	if ((why = axw_room_take(&room)) || (why = axw_confine(cage)) ||
	    (why = start_vendor(cage->vendor_dir, room.device_base, &snapshot)))
		return failed(AXON_NO_WORKER, why);
	if (with_context)
		axw_context_hold(&snapshot);
	report(AXON_OK, (CUresult)snapshot.init_result, NULL);

	int account;
	s->memfd = axw_region_wait(CONTROL_FD, &s->number, &account);
	if (s->memfd < 0)
		_exit(0); // axond has no use for it any more
	axw_account_open(s, account);
	uint32_t status = axw_attach(s, &room, &why);
	if (status != AXON_OK)
		return failed(status, why);
	if (axw_session_init(s) < 0 || axw_calls_load(s) < 0 || axw_context_watch(s) < 0)
		return failed(AXON_NO_WORKER, "out of memory");
	axw_snapshot_again(&snapshot);
	return serve(s, &snapshot);
}

int main(int argc, char **argv)
{
	const char *library = NULL;
	struct axw_cage cage = { .how = AXW_CONFINE_OFF, .library = "libcuda.so.1" };
	uint32_t number = 0;
	int warm = 0, with_context = 0, with_account = 0, held = 0, telemetry = 0;

	for (int i = 1; i < argc; i++) {
		const char *value = i + 1 < argc ? argv[i + 1] : NULL;
		if (!strcmp(argv[i], "--fingerprint")) {
			print_fingerprint(library && !strcmp(library, "nvml") ? axt_fingerprint : axg_fingerprint);
			return 0;
		} else if (!strcmp(argv[i], "--version")) {
			printf("axon-worker %s\n", AXON_RELEASE);
			return 0;
		} else if (!strcmp(argv[i], "--help")) {
			fputs(usage, stdout);
			return 0;
		} else if (!strcmp(argv[i], "--library") && value) {
			library = argv[++i];
		} else if (!strcmp(argv[i], "--vendor") && value) {
			cage.vendor_dir = argv[++i];
		} else if (!strcmp(argv[i], "--session") && value) {
			number = (uint32_t)strtoul(argv[++i], NULL, 10);
		} else if (!strcmp(argv[i], "--account")) {
			with_account = 1;
		} else if (!strcmp(argv[i], "--hold")) {
			held = 1;
		} else if (!strcmp(argv[i], "--warm")) {
			warm = 1;
		} else if (!strcmp(argv[i], "--warm-context")) {
			warm = with_context = 1;
		} else if (!strcmp(argv[i], "--telemetry") || !strcmp(argv[i], "--telemetry=admin")) {
			telemetry = 1; // what differs is who runs it, and in what cage: both are axond's to say
		} else if (!strcmp(argv[i], "--confine") && value && (!strcmp(value, "on") || !strcmp(value, "require"))) {
			cage.how = *argv[++i] == 'o' ? AXW_CONFINE_ON : AXW_CONFINE_REQUIRE;
		} else if (!strcmp(argv[i], "--cache") && value) {
			cage.cache_dir = argv[++i];
		} else if (!strcmp(argv[i], "--apart")) {
			cage.apart = 1;
		} else if (!strcmp(argv[i], "--without") && value && axw_cage_parts(value) >= 0) {
			cage.without = (unsigned)axw_cage_parts(argv[++i]);
		} else {
			fprintf(stderr, "axon-worker: %s: no such option, or its value is missing\n%s", argv[i], usage);
			return 2;
		}
	}
	if (!library || !cage.vendor_dir) {
		fprintf(stderr, "axon-worker: --library and --vendor are needed\n%s", usage);
		return 2;
	}
	if (strcmp(library, telemetry ? "nvml" : "cuda")) {
		fprintf(stderr, "axon-worker: --library %s: sessions are for cuda, and --telemetry is for nvml\n", library);
		return 2;
	}
	if (held && !getenv("AXON_WORKER_AGAIN"))
		axw_hold(HOLD_FD);
#ifdef SYS_close_range
	syscall(SYS_close_range, (with_account ? ACCOUNT_FD : CONTROL_FD) + 1, ~0u, 4 /* CLOSE_RANGE_CLOEXEC */); // axond leaves none open; be sure
#endif
	if (telemetry)
		return axt_main(&cage, CONTROL_FD);
	axw_place_again(argv, cage.vendor_dir);
	return warm ? serve_warm(&cage, with_context) : serve_cold(&cage, number, with_account);
}
