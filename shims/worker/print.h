// SPDX-License-Identifier: Apache-2.0
//
// What the vendor's library prints: see print.c.
#ifndef AXON_WORKER_PRINT_H
#define AXON_WORKER_PRINT_H

#include "session.h"

// Whether the vendor may print what device code has printed during this call.
int axw_print_call(const char *name);
// Whether that is sure to have been the last chance for it.
int axw_print_ends(const char *name);
// Takes this process's standard output and standard error; its own lines go where they went before. 0, or a negative
// errno: then nothing that is printed reaches the client.
int axw_print_start(struct axw_session *s);
// Whether there is something to move, without asking the kernel; now and then 1 without need.
int axw_print_news(struct axw_lane *l);
// Moves what was printed into the region. Callable from any thread.
void axw_print_move(struct axw_session *s);

#endif
