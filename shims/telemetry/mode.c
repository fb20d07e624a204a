// SPDX-License-Identifier: Apache-2.0
//
// How a telemetry worker starts: it confines itself, loads the vendor's NVML,
// starts it once for all clients, and says to axond how that went.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "hello.h"
#include "mode.h"
#include "telemetry.h"

// What axond is told, once: an axon_status, nvmlInit's result, and a sentence if it is a failure.
static int report(int control, uint32_t status, nvmlReturn_t init, const char *text)
{
	struct { uint32_t status, init, text_bytes; char text[500]; } m = { .status = status, .init = (uint32_t)init };
	size_t n = text ? strlen(text) : 0;

	if (n > sizeof m.text)
		n = sizeof m.text;
	m.text_bytes = (uint32_t)n;
	if (n)
		memcpy(m.text, text, n);
	if (text)
		fprintf(stderr, "axon-worker: %s\n", text);
	if (send(control, &m, 3 * sizeof(uint32_t) + n, MSG_NOSIGNAL) < 0) {
		fprintf(stderr, "axon-worker: telling axond: %s\n", strerror(errno));
		return 1;
	}
	return status != AXON_OK;
}

int axt_main(const struct axw_cage *cage, int control)
{
	struct axw_cage own = *cage;
	const char *why;

	own.library = "libnvidia-ml.so.1";
	own.reads = getenv("SOFTGPU_NVML"); // of axond's environment, never a client's
	why = axw_confine(&own);
	fcntl(control, F_SETFD, FD_CLOEXEC); // an unconfined vendor's library starts programs
	if (!why)
		why = axt_vendor_open(cage->vendor_dir);
	if (!why && axt_wait_start())
		why = "no thread can be started";
	if (why)
		return report(control, AXON_NO_WORKER, NVML_ERROR_LIBRARY_NOT_FOUND, why);
	// A machine whose driver is not there is the clients' to hear of, from their nvmlInit.
	nvmlReturn_t init = axg_vendor.nvmlInit_v2();
	if (report(control, AXON_OK, init, NULL))
		return 1;
	axt_serve(control, init);
}
