// SPDX-License-Identifier: Apache-2.0
//
// Where an error came from, for who debugs. A result is a number, and the
// vendor and this worker use the same ones: here a call's errors are told
// apart, and said in words, to the client that asked for it (AXON_DEBUG) and
// to the log of an axond that is verbose. What a call notes is its thread's
// own; nothing is noted before something has failed.
#include "trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "print.h"
#include "session.h"

#define TO_CLIENT 1
#define TO_LOG 2

static _Thread_local struct {
	CUresult result;       // of the last error of our own making
	const char *where;     // NULL: there was none
	int line;
	unsigned kind;         // of the object that was looked up in vain
	uint64_t name;         // 0: there was none
	const char *argument;  // that said so, NULL if nobody knows
} noted;

void axw_own_note(CUresult result, const char *where, int line)
{
	noted.result = result;
	noted.where = where;
	noted.line = line;
}

void axw_argument(const char *argument)
{
	noted.argument = argument;
}

void axw_trace_missed(unsigned kind, uint64_t name)
{
	noted.kind = kind;
	noted.name = name;
	noted.argument = NULL;
}

void axw_trace_start(struct axw_session *s)
{
	if (s->flags & AXR_FLAG_DEBUG)
		s->traces |= TO_CLIENT;
	if (getenv("AXON_DEBUG"))
		s->traces |= TO_LOG;
}

void axw_trace_begin(void)
{
	noted.where = noted.argument = NULL;
	noted.name = 0;
}

static void tell(struct axw_session *s, const char *line)
{
	if (s->traces & TO_LOG)
		axw_log(s, "%s", line);
	if (s->traces & TO_CLIENT) {
		// As what device code prints: the client has it with this call's answer.
		dprintf(2, "axon: worker: %s\n", line);
		axw_print_move(s);
	}
}

void axw_trace(struct axw_session *s, unsigned call, CUresult result)
{
	char line[256];
	const char *name = s->call_names[call];
	int own = noted.where && noted.result == result;
	int n = own ? snprintf(line, sizeof line, "%s gave %d, by the worker itself (%s, line %d)", name, (int)result, noted.where, noted.line)
		    : snprintf(line, sizeof line, "%s gave %d, by the vendor's library", name, (int)result);

	if (noted.name && n > 0 && (size_t)n < sizeof line) {
		const char *kind = noted.kind < s->kinds ? s->kind_names[noted.kind] : "object";
		n += snprintf(line + n, sizeof line - (size_t)n, "; there is no %s by the name 0x%llx", kind, (unsigned long long)noted.name);
	}
	if (noted.argument && n > 0 && (size_t)n < sizeof line)
		snprintf(line + n, sizeof line - (size_t)n, "; argument %s", noted.argument);
	tell(s, line);
}

void axw_trace_deferred(struct axw_session *s, unsigned call, CUresult result)
{
	char line[256];

	snprintf(line, sizeof line, "%s gave %d, the error of a call before it that was not waited for", s->call_names[call], (int)result);
	tell(s, line);
}
