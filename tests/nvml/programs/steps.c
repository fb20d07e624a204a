// SPDX-License-Identifier: Apache-2.0
//
// Says "ready" once it knows a GPU, waits for a line, and then asks again: it gets the same (same), an error and no harm
// (fails), or the same while signals come (signals). Then it says "done".
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

static void nothing(int n) { (void)n; }

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "same";
	struct sigaction action = { .sa_handler = nothing };
	char before[96], after[96], line[16];
	nvmlDevice_t d;
	unsigned count;

	sigaction(SIGUSR1, &action, NULL);
	signal(SIGPIPE, SIG_DFL);
	WORKS(nvmlInit_v2());
	WORKS(nvmlDeviceGetHandleByIndex_v2(0, &d));
	WORKS(nvmlDeviceGetUUID(d, before, sizeof before));
	MUST(write(1, "ready\n", 6) == 6);
	while (read(0, line, sizeof line) < 0)
		;
	if (!strcmp(what, "fails")) {
		for (int i = 0; i < 3; i++)
			MUST(nvmlDeviceGetUUID(d, after, sizeof after));
		WORKS(nvmlShutdown());
		GIVES(NVML_ERROR_DRIVER_NOT_LOADED, nvmlInit_v2());
	} else {
		for (int i = 0; i < (!strcmp(what, "signals") ? 3000 : 3); i++) {
			WORKS(nvmlDeviceGetUUID(d, after, sizeof after));
			MUST(!strcmp(before, after));
			WORKS(nvmlDeviceGetCount_v2(&count));
		}
	}
	while (write(1, "done\n", 5) < 0)
		;
	return 0;
}
