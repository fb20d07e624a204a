// SPDX-License-Identifier: Apache-2.0
//
// A process's name: /proc of the caller's own namespace has it, whose pids the
// lists of processes have as well.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "call.h"

AX_EXPORT nvmlReturn_t nvmlSystemGetProcessName(unsigned int pid, char *name, unsigned int length)
{
	char path[64], text[4096];

	if (axc_ready())
		return NVML_ERROR_UNINITIALIZED;
	if (!name || !length)
		return NVML_ERROR_INVALID_ARGUMENT;
	snprintf(path, sizeof path, "/proc/%u/cmdline", pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno == EACCES || errno == EPERM ? NVML_ERROR_NO_PERMISSION : NVML_ERROR_NOT_FOUND;
	ssize_t n;
	while ((n = read(fd, text, sizeof text - 1)) < 0 && errno == EINTR)
		;
	close(fd);
	if (n < 0)
		return NVML_ERROR_NOT_FOUND; // it has ended meanwhile
	text[n] = 0; // the first argument ends at its NUL
	snprintf(name, length, "%s", text);
	return NVML_SUCCESS;
}
