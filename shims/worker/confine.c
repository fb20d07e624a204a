// SPDX-License-Identifier: Apache-2.0
//
// A worker's confinement, from the inside. A client can make the vendor's
// library do anything that a fault in it allows, so what the process may do is
// given up for good before that library is loaded. What needs privileges was
// done by axond before the exec: the identity, the namespaces, the empty
// bounding set. The order matters: Landlock opens the paths that it allows, and
// seccomp comes last, as it forbids what the others are made of.
//
// The device nodes have to be there by now. The vendor's library runs
// nvidia-modprobe where they are not, which a confined worker may not.
#include "confine.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>

// Threads of all workers of one user together: what stops a thread bomb where
// no scope's TasksMax does. Other processes do not come into it.
#define THREADS_MAX 8192

int axw_cage_parts(const char *list)
{
	static const struct { const char *name; int part; } known[] = {
		{ "landlock", AXW_LANDLOCK }, { "scope", AXW_SCOPE }, { "seccomp", AXW_SECCOMP },
		{ "connect", AXW_CONNECT },   { "fork", AXW_FORK },   { "dumpable", AXW_DUMPABLE },
	};
	int parts = 0;

	while (*list) {
		size_t n = strcspn(list, ","), i = 0;
		while (i < sizeof known / sizeof *known && (strlen(known[i].name) != n || strncmp(known[i].name, list, n)))
			i++;
		if (i == sizeof known / sizeof *known)
			return -1;
		parts |= known[i].part;
		list += n + (list[n] == ',');
	}
	return parts;
}

static const char *limit(int what, rlim_t most)
{
	struct rlimit l;

	if (getrlimit(what, &l) < 0)
		return "a limit cannot be read";
	if (l.rlim_max == RLIM_INFINITY || l.rlim_max > most)
		l.rlim_max = most;
	if (l.rlim_cur == RLIM_INFINITY || l.rlim_cur > l.rlim_max)
		l.rlim_cur = l.rlim_max;
	return setrlimit(what, &l) < 0 ? "a limit cannot be set" : NULL;
}

const char *axw_confine(const struct axw_cage *cage)
{
	const char *why;
	int scoped = 0;

	if (cage->how == AXW_CONFINE_OFF)
		return NULL;
	if ((why = limit(RLIMIT_CORE, 0)))
		return why;
	if (cage->apart && (why = limit(RLIMIT_NPROC, THREADS_MAX)))
		return why;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return "the kernel does not take no_new_privs";
	if (!(cage->without & AXW_DUMPABLE) && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0)
		return "the worker cannot be made undumpable";
	if (!(cage->without & AXW_LANDLOCK) && (why = axw_confine_files(cage, &scoped)))
		return why;
	if (!(cage->without & AXW_SECCOMP) && (why = axw_confine_calls(cage, scoped)))
		return why;
	return NULL;
}
