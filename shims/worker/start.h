// SPDX-License-Identifier: Apache-2.0
//
// The steps of a worker's start, in their order (main.c).
#ifndef AXON_WORKER_START_H
#define AXON_WORKER_START_H

#include "cuda_api.h"
#include "session.h"
#include "snapshot.h"

struct axw_room;

// attach.c: reads the region's header once, checks it, and maps the region, into the room that was kept for it if
// room is not NULL. 0, or an axon_status and why.
uint32_t axw_attach(struct axw_session *s, const struct axw_room *room, const char **why);

// account.c: maps the account in fd, -1 for none, and closes it.
void axw_account_open(struct axw_session *s, int fd);
// Waits until axond writes a byte into the pipe fd; ends the process if it closes the pipe without.
void axw_hold(int fd);

// snapshot.c
void axw_snapshot_fill(struct axon_snapshot *snap, CUresult init);

// vendor.c: opens DIR/libcuda.so.1 and fills axg_vendor. NULL, or why not.
const char *axw_vendor_open(const char *dir);
// One that is in none of the tables, because no call comes for it through a lane. NULL without.
void *axw_vendor_symbol(const char *name);

// calls.c: the session's tables of calls, from the generated ones.
int axw_calls_load(struct axw_session *s);

#endif
