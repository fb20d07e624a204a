// SPDX-License-Identifier: Apache-2.0
//
// What the files of this library share.
#ifndef AXON_ESCAPE_H
#define AXON_ESCAPE_H

#include <errno.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

// What the test says: a folder with things that are not the worker's, another worker, and a port where somebody listens.
extern char escape_folder[256];
extern int escape_victim, escape_port;

// An attempt: 0 if it got in, else an errno.
struct attempt {
	const char *name;
	int (*try)(void);
};

extern const struct attempt escape_files[], escape_calls[], escape_processes[], escape_sockets[]; // to one without a name

// What a call gives, as an attempt's result.
static inline int result(long r) { return r < 0 ? errno : 0; }

// Likewise, of a call whose arguments make no sense: whoever may make it hears that.
static inline int allowed(long r) { return r < 0 && errno != EINVAL && errno != EFAULT && errno != ENOENT && errno != ENOEXEC ? errno : 0; }

// A path in the test's folder.
const char *in_folder(const char *name);

#endif
